"""Long histories under every regulation and both policies give the lists that they always gave.

``pinned_lists.json`` was written by 0.1.0. A digest that changes is a figure that changed:
``python -m tests.laws.test_pinned_lists`` prints the digests of the code as it is, to compare.
Lists that change on purpose need a new version (``ledger/regulations/calculations.py``).
"""

from __future__ import annotations

import hashlib
import json
import sys
import tomllib
from pathlib import Path
from typing import Literal

import pytest

from ledger.answers.publication_bounds import BOUNDS
from ledger.errors import LedgerError
from ledger.journal.stores.memory import MemoryJournal
from ledger.regulations.calculations import CALCULATIONS, VERSIONS, calculates_alike
from ledger.regulations.code import DISTRIBUTION, CodeOrigin
from ledger.regulations.registry import OWN
from ledger.service.ledger import Request
from ledger.service.publications import publish_with_earlier
from tests.differential.support import LIST
from tests.laws.histories import History

PINNED: dict[str, list[str]] = json.loads(Path(__file__).with_name("pinned_lists.json").read_text())
REGULATIONS = (
    "elo-linear", "enf-2010", "fenamac-1973", "fide-1972", "fide-blitz", "fide-rapid",
    "fide-standard", "harkness-games", "harkness-percentage", "uanl-1975",
)  # fmt: skip
POLICIES: tuple[Literal["restate", "next-list"], ...] = ("restate", "next-list")
SEEDS = (1, 2)
MONTHS = (3, 6, 11)
REQUEST = Request("tester", "test", "", "")


def published(regulation: str, policy: Literal["restate", "next-list"], seed: int) -> list[str]:
    """Publishes three times, a third of a year each, and learns of the past between.

    Returns:
        Every edition that went out: period, edition, digests of its bytes and ratings, shortened.
    """
    history = History.begun(MemoryJournal(), regulation, seed, policy)
    found = []
    for months in MONTHS:
        number = history.first.month - 1 + months
        until = f"{history.first.year + number // 12}-{number % 12 + 1:02}"
        for made in publish_with_earlier(history.ledger, LIST, until, REQUEST, acknowledged=BOUNDS):
            out = made.list
            said = (out.period, out.edition, out.output_sha256()[:16], out.ratings_sha256()[:16])
            found.append(" ".join(map(str, said)))
        found += [history.learn() for _ in range(4)]
        if policy == "restate":
            period = f"{history.first.year}-{history.first.month:02}"
            try:
                again = list(
                    publish_with_earlier(history.ledger, LIST, period, REQUEST, acknowledged=BOUNDS)
                )
            except LedgerError as error:
                found.append(type(error).__name__)
            else:
                found += [f"again {each.list.output_sha256()[:16]}" for each in again]
    return found


CASES = [(each, policy, seed) for each in REGULATIONS for policy in POLICIES for seed in SEEDS]


@pytest.mark.parametrize(("regulation", "policy", "seed"), CASES)
def test_the_lists_are_those_of_0_1_0(
    regulation: str, policy: Literal["restate", "next-list"], seed: int
) -> None:
    assert published(regulation, policy, seed) == PINNED[f"{regulation} {policy} {seed}"]


def digest_of(regulation: str) -> str:
    """Returns the digest of a regulation's pinned lists."""
    lists = {case: PINNED[case] for case in sorted(PINNED) if case.split()[0] == regulation}
    return hashlib.sha256(json.dumps(lists).encode()).hexdigest()[:16]


def test_every_regulation_is_pinned() -> None:
    assert CALCULATIONS.keys() == OWN.keys() == set(REGULATIONS)


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_lists_that_change_come_with_a_new_version(regulation: str) -> None:
    changes = CALCULATIONS[regulation]
    assert [*changes] == [version for version in VERSIONS if version in changes]
    *_, newest = changes.values()
    assert digest_of(regulation) == newest, "give this program a new version (docs/versions.md)"


def test_the_last_version_is_that_of_the_project() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    assert VERSIONS[-1] == project["project"]["version"]


@pytest.mark.parametrize(
    ("then", "is_alike"),
    [
        (CodeOrigin(DISTRIBUTION, "0.1.0", "c864"), True),
        (CodeOrigin(DISTRIBUTION, VERSIONS[-1], "fd6e"), True),
        (CodeOrigin(DISTRIBUTION, "9.9.9", "fd6e"), False),
        (CodeOrigin(DISTRIBUTION, None, "fd6e"), False),
        (CodeOrigin("our-club", "0.1.0", "fd6e"), False),
        (CodeOrigin("our-club", "0.1.0", "now"), True),
    ],
)
def test_code_is_alike_where_the_calculation_is(then: CodeOrigin, *, is_alike: bool) -> None:
    now = CodeOrigin(then.distribution, VERSIONS[-1], "now")
    assert calculates_alike("enf-2010", then, now) == is_alike


def test_code_before_a_change_of_the_calculation_is_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(CALCULATIONS, "enf-2010", {"0.1.0": "one", VERSIONS[-1]: "other"})
    now = CodeOrigin(DISTRIBUTION, VERSIONS[-1], "now")
    assert not calculates_alike("enf-2010", CodeOrigin(DISTRIBUTION, "0.1.0", "then"), now)
    assert calculates_alike("enf-2010", CodeOrigin(DISTRIBUTION, VERSIONS[-1], "then"), now)


if __name__ == "__main__":
    made = {" ".join(map(str, case)): published(*case) for case in CASES}
    sys.stdout.write(json.dumps(made, indent=1) + "\n")
