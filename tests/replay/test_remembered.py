"""A remembered list answers without a replay, and looks only at the games that it must."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.application.ledger import Ledger
from ledger.calendar import Period
from ledger.facts.columns import NOBODY, Column
from ledger.rating.postings import Games
from ledger.registrar.commands import (
    Command,
    CorrectResult,
    CorrectTournament,
    RuleOnTournament,
    SeedRating,
)
from ledger.replay import reached
from ledger.replay.remembered import Whereabouts, rows_of
from ledger.replay.replay import PeriodOutcome, replay
from ledger.reports import impact
from ledger.results import Result
from ledger.terms import Rate, System
from tests.ledgers import GAMES_HEADER, NOW, PLAYERS_HEADER, define, do, empty_ledger, import_text

PLAYERS = 9
BOARDS = st.tuples(st.integers(0, PLAYERS - 1), st.integers(NOBODY, PLAYERS - 1))


@given(st.lists(BOARDS), st.sets(st.integers(0, PLAYERS - 1)))
def test_whereabouts_are_those_of_a_look_through_all_games(
    boards: list[tuple[int, int]], asked: set[int]
) -> None:
    white, black = np.array(boards, dtype=np.int32).reshape(-1, 2).T
    games = Games(*[np.zeros(len(white), dtype=np.int32)] * 8).with_(white=white, black=black)
    marked = np.zeros(PLAYERS + 1, dtype=np.bool_)
    marked[list(asked)] = True
    found = Whereabouts.of(games).of_those(np.flatnonzero(marked))
    assert found.tolist() == rows_of(games, marked).tolist()


def about(tournament: str, month: int, *games: str) -> str:
    """Lines of a tournament: white, black and result of each game."""
    days = f"2010-{month:02}-02,2010-{month:02}-20"
    return "".join(
        f"{tournament},{tournament},{days},swiss,classical,,{round_},,{game}\n"
        for round_, game in enumerate(games, start=1)
    )


@pytest.fixture
def ledger() -> Ledger:
    """A and B play in July; A meets C in August, who meets D, and E, who has no rating."""
    made = empty_ledger()
    define(made)
    rated = "".join(f"{player},{player},CHI,,,1800,40,50\n" for player in "ABCDF")
    import_text(made, f"{PLAYERS_HEADER}{rated}E,E,CHI,,,,,\n", list_="ENF")
    july = about("T1", 7, "A,B,1-0")
    august = about("T2", 8, "A,C,1-0", "C,D,1-0", "D,F,1/2-1/2", "C,E,1-0")
    import_text(made, GAMES_HEADER + july + august)
    return made


CORRECTED = CorrectResult(
    tournament="T1", round=1, white="A", black="B", result=Result.parse("0-1")
)
SEEDED = SeedRating(
    player="E", list="ENF", rating=1500, games=0, source="abroad", on=dt.date(2010, 12, 1)
)
ANNULLED = RuleOnTournament(tournament="T1", ruling="annul", on=NOW.date())


@pytest.mark.parametrize("command", [CORRECTED, ANNULLED])
def test_nothing_is_replayed(
    command: Command, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    replayed = do(ledger, command, dry_run=True).shifts
    assert replayed
    ledger.remember("ENF")
    monkeypatch.setattr(impact, "replay", lambda *_, **__: pytest.fail("a period was replayed"))
    assert do(ledger, command, dry_run=True).shifts == replayed
    moved = {(shift.period, shift.id, shift.name) for shift in replayed}
    assert moved >= {("2010-07", "A", "A"), ("2010-07", "B", "B"), ("2010-08", "C", "C")}


def test_games_are_exchanged_and_no_others_looked_at(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In August nobody's games are calculated as a whole: A's and C's have one exchanged."""
    found: list[tuple[Column, Column, Column]] = []
    calculated = reached.Reach._calculated

    def spied(*asked: Any) -> Any:
        anew = asked[-1]
        found.append((np.flatnonzero(anew.whole), anew.rows, anew.exchanged.players))
        return calculated(*asked)

    monkeypatch.setattr(reached.Reach, "_calculated", spied)
    ledger.remember("ENF")
    do(ledger, CORRECTED, dry_run=True)
    index = ledger.facts().player_index
    (whole, rows, exchanged) = found[1]
    assert not len(whole)
    assert not len(rows)
    assert exchanged.tolist() == sorted(index[player] for player in "ABC")


def test_rated_all_play_alls_are_exchanged_too(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In September A, C and D play all with all: nobody of them is calculated as a whole."""
    september = about("T3", 9, "A,C,1-0", "C,D,1-0", "D,A,1/2-1/2").replace("swiss", "round-robin")
    import_text(ledger, GAMES_HEADER + september)
    calculated, found = reached.Reach._calculated, []

    def spied(*asked: Any) -> Any:
        found.append((asked[1].period.name, asked[-1].whole.any()))
        return calculated(*asked)

    monkeypatch.setattr(reached.Reach, "_calculated", spied)
    ledger.remember("ENF")
    do(ledger, CORRECTED, dry_run=True)
    assert ("2010-09", False) in found


def test_seeds_after_the_last_games_are_remembered(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    do(ledger, SEEDED)
    replayed = do(ledger, CORRECTED, dry_run=True).shifts
    ledger.remember("ENF")
    monkeypatch.setattr(impact, "replay", lambda *_, **__: pytest.fail("a period was replayed"))
    assert do(ledger, CORRECTED, dry_run=True).shifts == replayed


def test_only_periods_after_the_remembered_ones_are_replayed(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tournaments that are moved to a later month: nothing before it is calculated again."""
    moved = CorrectTournament(
        tournament="T1", name="T1", starts_on=dt.date(2010, 10, 2), ends_on=dt.date(2010, 10, 9),
        system=System.SWISS, rate_of_play=Rate.CLASSICAL,
    )  # fmt: skip
    replayed = do(ledger, moved, dry_run=True).shifts
    ledger.remember("ENF")
    asked: list[str] = []

    def spied(*given: Any, since: Period) -> Iterator[PeriodOutcome]:
        asked.append(since.name)
        return replay(*given, since=since)

    monkeypatch.setattr(impact, "replay", spied)
    assert do(ledger, moved, dry_run=True).shifts == replayed
    assert asked == ["2010-09"]


def test_what_is_recorded_lets_go(ledger: Ledger) -> None:
    """By the same process, and by another one."""
    ledger.remember("ENF")
    do(ledger, CORRECTED)
    assert not ledger._remembered
    ledger.remember("ENF")
    assert ledger._remembered
    do(Ledger(ledger.journal, ledger.clock), ANNULLED)
    ledger.facts()
    assert not ledger._remembered


def test_what_cannot_be_followed_is_not_kept() -> None:
    made = empty_ledger()
    define(made, "NEXT", policy="next-list")
    define(made, "LINEAR", regulation="fenamac-1973")
    for name in ("NEXT", "LINEAR"):
        made.remember(name)
    assert not made._remembered


def test_shifts_are_a_sequence(ledger: Ledger) -> None:
    shifts = do(ledger, CORRECTED, dry_run=True).shifts
    assert shifts is not None
    listed = list(shifts)
    assert len(listed) == len(shifts)
    assert [shifts[place] for place in range(len(shifts))] == listed
    assert shifts[-1] == listed[-1]
    assert shifts[1:3] == listed[1:3]
    with pytest.raises(IndexError):
        shifts[len(shifts)]
