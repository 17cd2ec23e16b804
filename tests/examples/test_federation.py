"""The made-up federation: the same bytes each time, and all that happens in a real one."""

from __future__ import annotations

import datetime as dt
import hashlib
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cli.commands.serve import federation_page
from cli.demonstration import FEDERATION_KEY, FEDERATION_PAGE, made_federation
from ledger.answers.tournament_calendar import tournament_calendar
from ledger.errors import InputRefused
from ledger.examples import federation
from ledger.examples.federation import LAST_ON, LISTS, OFFICERS, record_federation
from ledger.examples.population import PEOPLE
from ledger.facts.as_of import AsOf
from ledger.journal.checkpoint import Verifier, check_against, check_signature, parse
from ledger.journal.interface import Journal
from ledger.lists.publications import publications
from ledger.service.archives import make_ledger, open_ledger
from ledger.service.ledger import Ledger
from ledger.terms import CalendarState, Rate
from ledger.trust.two_persons import lists_in_force
from ledger.trust.verification import verify
from web.office.store import open_office
from web.office.submissions import OPEN, SubmissionState, listed
from web.settings import WebSettings
from web.submissions.examples import hand_over_examples

ROOT = "f11c1e89313ac358160d939a5b61f8840cd4f4195c6d21a76f53f68bfb624894"
LISTS_SHA256 = "8c4a3b7d727b6e6a82516a20f33d1ed4ce509bd374f11ea539c475ed6eaedb73"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of the federation, made once; of no version, whatever this one is."""
    file = tmp_path_factory.mktemp("federation") / "rating-ledger.db"
    make_ledger(str(file))
    with pytest.MonkeyPatch.context() as patch, closing(open_ledger(str(file))) as journal:
        patch.setattr("ledger.service.desk.version", lambda _name: "0")
        patch.setattr("ledger.registrar.lists.code_of", lambda _regulation: None)
        record_federation(journal)
    return file


@pytest.fixture
def ledger(database: Path) -> Iterator[Ledger]:
    with closing(open_ledger(str(database))) as journal:
        yield Ledger(journal, clock=lambda: dt.datetime.combine(LAST_ON, dt.time(13), dt.UTC))


def test_it_is_the_same_bytes_each_time(ledger: Ledger) -> None:
    published = [each for name in LISTS for each in publications(ledger.facts(), name)]
    text = "\n".join(f"{each.list} {each.period} {each.output_sha256}" for each in published)
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert (ledger.journal.head().root, digest) == (ROOT, LISTS_SHA256)
    assert verify(ledger).findings == ()


def test_it_has_what_a_federation_has(ledger: Ledger) -> None:
    facts = ledger.facts()
    known = AsOf(facts, facts.seq)
    assert PEOPLE * 0.95 < int(known.is_registered.sum()) <= PEOPLE + 1
    assert len(facts.tournament_ids) > 60
    assert len(facts.merges) == 1
    assert facts.undone_at(facts.seq)
    assert lists_in_force(facts) == set(LISTS)
    editions = Counter(each.edition for name in LISTS for each in publications(facts, name))
    assert editions[1] > 55
    assert editions[2] >= 3
    rates = Counter(facts_.defined.rate_of_play for facts_ in facts.lists.values())
    assert rates == dict.fromkeys(Rate, 1)


def test_something_is_played_and_something_is_announced_on_its_last_day(ledger: Ledger) -> None:
    states = Counter(each.state for each in tournament_calendar(ledger).tournaments)
    assert states[CalendarState.PLAYING] == 2
    assert states[CalendarState.ANNOUNCED] >= 5
    assert states[CalendarState.CANCELLED] == 1


def test_accounts_are_handed_over_and_submissions_wait_once(database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "rating-ledger.db"
    shutil.copy(database, copy)
    settings = WebSettings(
        ledger=str(copy), origin="http://testserver", cache=tmp_path,
        office=f"sqlite:///{tmp_path / 'office.db'}",
    )  # fmt: skip
    links = hand_over_examples(settings)
    assert set(OFFICERS) < set(links)
    assert hand_over_examples(settings) == {}
    with closing(open_office(settings.office or "")) as office, office.reading() as connection:
        waiting = Counter(each.state for each in listed(connection, states=OPEN, limit=50))
    assert waiting == {SubmissionState.HANDED_IN: 3, SubmissionState.HANDED_BACK: 1}


def test_it_is_made_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Journal] = []
    monkeypatch.setattr(federation, "record_federation", made.append)
    folder = tmp_path / "made-up"
    assert made_federation(folder) == made_federation(folder) == folder / "rating-ledger.db"
    assert len(made) == 1
    with closing(open_ledger(str(folder / "rating-ledger.db"))) as journal:
        assert journal.head().seq == 0
        page = parse((folder / FEDERATION_PAGE).read_text("utf-8"))
        check_signature(page, Verifier.parse((folder / FEDERATION_KEY).read_text("utf-8").strip()))
        check_against(journal, page)
    assert federation_page(str(folder / "rating-ledger.db")) == folder / FEDERATION_PAGE
    assert federation_page(str(tmp_path / "rating-ledger.db")) is None, "made before it was signed"
    assert federation_page(None) is None


def test_one_that_was_interrupted_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_journal: Journal) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(federation, "record_federation", interrupted)
    with pytest.raises(KeyboardInterrupt):
        made_federation(tmp_path / "made-up")
    assert list(tmp_path.iterdir()) == []


def test_no_folder_of_others_is_written_into(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("mine")
    with pytest.raises(InputRefused) as refusal:
        made_federation(tmp_path)
    assert refusal.value.message.key == "cli.demo_folder"
