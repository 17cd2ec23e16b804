"""The tables of open data: games in columns as event by event, people of lists, corrections."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from ledger.answers.corrections import all_corrections, corrections
from ledger.exports.columns import ExportTable, batch
from ledger.intake import open_tables
from ledger.intake.open_tables import (
    bulk_games_table,
    corrections_table,
    lists_table,
    players_of_lists,
    tournaments_table,
)
from ledger.intake.tables import games_table
from ledger.journal.records import Commit, StoredEvent
from ledger.journal.verify.event_check import EventCheck
from ledger.operations import commands as c
from ledger.operations.retractions import UndoCommit
from ledger.results import Bye, Result
from ledger.service.erasures import erase_player
from ledger.service.ledger import Ledger
from ledger.service.retractions import undo_commit
from tests.cluster.federation import filled
from tests.ledgers import (
    NOW,
    PLAYERS_HEADER,
    do,
    games,
    held,
    import_text,
    request,
    with_july_published,
)

DAY = dt.date(2010, 7, 3)


def rows(table: ExportTable) -> list[dict[str, Any]]:
    return [row for page in table.pages for row in batch(table.columns, page).to_pylist()]


def everything() -> Ledger:
    """Returns a ledger with every way in which a pairing may end, and be said otherwise."""
    plain = [(1, "A", "B", "1-0"), (1, "C", "D", "1/2-1/2"), (2, "B", "C", "0-1s")]
    ledger = held("ABCDEFGH", [*plain, (2, "A", "D", "1-0a"), (3, "A", "C", "+/-")], {})
    do(
        ledger,
        *(
            c.GiveBye(tournament="t", round=1, player=player, kind=bye)
            for player, bye in zip("EFGH", Bye, strict=True)
        ),
        c.AdjournGame(tournament="t", round=3, white="D", black="E"),
        c.AdjournGame(tournament="t", round=3, white="F", black="G"),
        c.AdjudicateGame(
            tournament="t", round=3, white="F", black="G", result=Result.parse("1-0a"),
            ruling="temporary",
        ),
        c.CorrectResult(tournament="t", round=1, white="A", black="B", result=Result.parse("0-1")),
        c.AnnulResult(tournament="t", round=1, white="C", black="D"),
    )  # fmt: skip
    slip = do(ledger, c.AnnulResult(tournament="t", round=2, white="B", black="C"))
    assert slip.commit_id is not None
    undo_commit(ledger, UndoCommit(commit=slip.commit_id), request())
    import_text(ledger, f"{PLAYERS_HEADER}X,Rojas,,,,,,\n")
    import_text(ledger, games("u", "1,,A,B,1-0", "1,2010-07-10,C,D,0-1", "2,,A,C,1-0"))
    do(
        ledger,
        c.CorrectResult(
            tournament="u", round=1, white="C", black="D", result=None, rating_only=True
        ),
        c.RecordGame(tournament="t", round=4, white="E", black="F", result=Result.parse("1-0")),
        c.MergePlayers(player="H", into="X", on=DAY),
    )
    import_text(ledger, games("v", "1,,A,B,1-0"))
    do(ledger, c.RuleOnTournament(tournament="v", ruling="annul", on=DAY))
    return ledger


@pytest.mark.parametrize("make", [everything, filled, with_july_published])
def test_games_in_columns_are_those_event_by_event(make: Any) -> None:
    ledger = make()
    found, wanted = rows(bulk_games_table(ledger)), rows(games_table(ledger))
    assert sorted(map(repr, found)) == sorted(map(repr, wanted))
    assert found


def test_corrections_are_what_was_said_otherwise() -> None:
    ledger = everything()
    found = rows(corrections_table(ledger))
    shown = {each.seq for each in corrections(ledger, limit=100)}
    assert {row["correction"] for row in found} == shown
    said = [
        (row["kind"], row["tournament"], row["white"], row["black"], row["was"], row["now"])
        for row in found
        if row["kind"].startswith("result.")
    ]
    assert said == [
        ("result.corrected", "t", "A", "B", "1-0", "0-1"),
        ("result.annulled", "t", "C", "D", "1/2-1/2", None),
        ("result.annulled", "t", "B", "C", "0-1s", None),
        ("result.corrected-for-rating", "u", "C", "D", "0-1", None),
    ]
    assert {row["recorded_on"] for row in found} == {NOW.date()}
    # Nobody told the day of a game of t, which took ten days.
    assert [row["date"] for row in found if row["was"]] == [None] * 3 + [dt.date(2010, 7, 10)]
    (merged,) = (row for row in found if row["kind"] == "players.merged")
    assert (merged["white"], merged["black"], merged["tournament"]) == ("H", "X", None)


def test_corrections_come_in_pages_that_are_read_as_they_are_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ledger, reads = everything(), list[int]()
    read = EventCheck.read

    def read_(check: EventCheck, seq: int) -> tuple[StoredEvent, Commit]:
        reads.append(seq)
        return read(check, seq)

    wanted = rows(corrections_table(ledger))
    monkeypatch.setattr(open_tables, "_ROWS", 1)
    monkeypatch.setattr(EventCheck, "read", read_)
    table = corrections_table(ledger)
    first, *_ = wanted
    (row,) = batch(table.columns, next(iter(table.pages))).to_pylist()
    assert row == first
    assert max(reads) < wanted[-1]["seq"], "later ones are not read yet"
    assert [row, *rows(table)] == wanted
    newest_first = corrections(ledger, limit=100, most=100)
    assert [*all_corrections(ledger)] == newest_first[::-1]


def test_of_people_there_is_what_a_list_shows() -> None:
    ledger = with_july_published()
    ids = set[str]()
    assert rows(lists_table(ledger, ids))
    assert ids == set("ABCD")
    do(
        ledger,
        c.AwardTitle(player="A", title="FM", on=DAY),
        c.MergePlayers(player="D", into="C", seeds_of="C", on=DAY),
    )
    erase_player(ledger, c.ErasePlayer(player="B", on=DAY), request())
    found = {row["id"]: row for row in rows(players_of_lists(ledger, ids, NOW.date()))}
    assert found["A"] == {
        "id": "A", "counts_as": "A", "name": "A", "federation": "CHI", "title": "FM",
        "club": None, "birth_year": 1985,
    }  # fmt: skip
    assert (found["D"]["counts_as"], found["D"]["name"]) == ("C", "C")
    nothing = dict.fromkeys(("name", "title", "club", "birth_year"))
    assert found["B"] == nothing | {"id": "B", "counts_as": "B", "federation": "CHI"}


def test_tournaments_are_those_that_were_not_annulled() -> None:
    found = {row["tournament"]: row for row in rows(tournaments_table(everything()))}
    assert {*found} == {"t", "u"}
    t = found["t"]
    assert (t["system"], t["rate_of_play"], t["players"]) == ("round-robin", "classical", 8)
    assert (t["start"], t["end"]) == (dt.date(2010, 7, 1), dt.date(2010, 7, 10))
    assert t["accepted"]
