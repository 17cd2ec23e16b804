"""The digest of a regulation's sources: its module, and what that imports of its packages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ledger.events.lists import RegulationAdopted
from ledger.journal.batch import of_type
from ledger.regulations import code
from ledger.regulations.code import CodeOrigin, code_of
from ledger.regulations.registry import OWN
from tests.ledgers import define, empty_ledger


@pytest.mark.parametrize("regulation", OWN.values(), ids=list(OWN))
def test_every_regulation_has_one(regulation: type) -> None:
    found = code_of(regulation)
    assert found is not None
    assert (found.distribution, len(found.sha256)) == ("rating-ledger", 64)


def test_it_follows_the_imports_and_stays_in_its_package() -> None:
    found = code._sources("ledger.regulations.fide", "ledger.regulations")
    assert found is not None
    assert {"ledger.regulations.fide", "ledger.regulations.fide_figures"} <= found.keys()
    assert "ledger.regulations.enf_2010" not in found
    assert all(name.startswith("ledger.regulations") for name in found)


def test_a_figure_elsewhere_in_the_package_changes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "club_rules"
    package.mkdir()
    (package / "__init__.py").write_text("from . import rules\n")
    (package / "rules.py").write_text("from club_rules.figures import K\nimport json\n")
    (package / "figures.py").write_text("K = 20\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("club_rules", "club_rules.rules", "club_rules.figures"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    __import__("club_rules")
    before = code._sources("club_rules.rules", "club_rules")
    assert before is not None
    assert set(before) == {"club_rules.rules", "club_rules.figures"}
    (package / "figures.py").write_text("K = 25\n")
    after = code._sources("club_rules.rules", "club_rules")
    assert after is not None
    assert {name for name in before if before[name] != after[name]} == {"club_rules.figures"}
    (package / "figures.py").unlink()
    assert code._sources("club_rules.rules", "club_rules") is None, "no sources, no digest"


@pytest.mark.parametrize(
    ("regulation", "module"),
    [
        ("enf-2010", "ledger.rating.round_robin"),
        ("fide-standard", "ledger.rating.round_robin"),
        ("fenamac-1973", "ledger.rating.kernel"),
        *((own, "ledger.rating.rounding") for own in OWN),
        *((own, "ledger.rating.kernel") for own in OWN),
        ("enf-2010", "ledger.rating.game_sums"),
    ],
)
def test_an_article_that_several_share_changes_it(
    regulation: str, module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = code_of(OWN[regulation])
    source = Path(sys.modules[module].__file__ or "")
    other = tmp_path / source.name
    other.write_bytes(source.read_bytes() + b"# another\n")
    monkeypatch.setattr(sys.modules[module], "__file__", str(other))
    after = code_of.__wrapped__(OWN[regulation])
    assert before is not None
    assert after is not None
    assert after.sha256 != before.sha256
    assert (after.distribution, after.version) == (before.distribution, before.version)


def test_c_beside_a_module_is_part_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "ledger.rating.game_sums"
    before = code._sources(name, name)
    source = Path(sys.modules[name].__file__ or "")
    other = tmp_path / source.name
    other.write_bytes(source.read_bytes())
    other.with_suffix(".c").write_bytes(source.with_suffix(".c").read_bytes() + b"/* another */")
    monkeypatch.setattr(sys.modules[name], "__file__", str(other))
    assert code._sources(name, name) != before


def test_an_adoption_records_it() -> None:
    ledger = empty_ledger()
    ((_, event),) = of_type(define(ledger).events, RegulationAdopted)
    assert event.code is not None
    assert event.distribution is not None
    assert CodeOrigin(event.distribution, event.version, event.code) == code_of(OWN["enf-2010"])
