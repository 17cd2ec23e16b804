"""What is read to see whether a period may go out: of its events two rows each, of commits none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator

import pytest

from ledger.answers.open_events import open_events
from ledger.journal.records import StoredRow
from ledger.journal.stores.database import open_journal
from ledger.journal.stores.sql import SqlJournal
from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.ledger import Ledger
from ledger.terms import PairingMethod, Rate, System
from ledger.views.list_editions import require_period
from tests.ledgers import do, with_july_published


@pytest.fixture
def ledger(sqlite_url: str) -> Iterator[Ledger]:
    """In August T2 was imported; of two events of the desk one has a result, that came later."""
    made = with_july_published(open_journal(sqlite_url))
    for tournament in ("played", "bare"):
        opening = c.OpenTournament(
            tournament=tournament, name=tournament, starts_on=dt.date(2010, 8, 20),
            ends_on=dt.date(2010, 8, 21), system=System.SWISS, rate_of_play=Rate.CLASSICAL,
            rounds=2,
        )  # fmt: skip
        rules = c.AnnounceRules(tournament=tournament, pairing=PairingMethod.FENAMAC_1975)
        entries = (c.EnterPlayer(tournament=tournament, player=each) for each in "AB")
        do(made, opening, *entries, rules)
    result = Result.parse("1-0")
    do(made, c.RecordGame(tournament="played", round=1, white="A", black="B", result=result))
    yield made
    made.journal.close()


def test_two_of_its_rows_are_read_of_each_and_no_list_of_commits(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = ledger.facts()
    asked: list[set[int]] = []
    rows_at = SqlJournal.rows_at

    def counted(journal: SqlJournal, seqs: Collection[int]) -> list[StoredRow]:
        asked.append({*seqs})
        return rows_at(journal, seqs)

    monkeypatch.setattr(SqlJournal, "rows_at", counted)
    monkeypatch.setattr(SqlJournal, "commits", lambda *_, **__: pytest.fail("reads the history"))
    found = open_events(ledger, facts, "ENF", require_period(facts, "ENF", "2010-08"))
    assert [dict(problem.message.values)["tournament"] for problem in found] == ["played", "bare"]
    places = [facts.tournament_index[each] for each in ("T2", "played")]
    opened = {int(facts.tournaments.seq[place]) for place in places}
    assert opened < asked[0]
    assert len(asked[0]) == 2 * len(opened)
