"""Performances at the ends of the table, and which games count."""

from __future__ import annotations

import pytest

from ledger.answers.list_figures import performance_of
from ledger.errors import InputRefused, NotFound
from ledger.rating.postings import Reason
from ledger.reports.performance import worth
from ledger.terms import PerformanceTable
from tests.ledgers import games, import_text, ledger_of


@pytest.mark.parametrize(
    ("halves", "table", "difference", "rp"),
    [
        (4, PerformanceTable.OF_2022, 800, 2400),
        (0, PerformanceTable.OF_2022, -800, 800),
        (4, PerformanceTable.OF_1972, None, None),
        (0, PerformanceTable.OF_1972, None, None),
        (2, PerformanceTable.OF_1972, 0, 1600),
        (3, PerformanceTable.OF_2022, 193, 1793),
        (1, PerformanceTable.OF_1972, -193, 1407),
    ],
)
def test_the_ends_of_the_table(
    halves: int, table: PerformanceTable, difference: int | None, rp: int | None
) -> None:
    made = worth([1500, 1700], halves, table)
    assert (made.difference, made.rp) == (difference, rp)


def test_the_mean_is_rounded_upwards() -> None:
    made = worth([1500, 1501], 2)
    assert made.data() == {
        "opponents_mean": "1500.5", "rc": 1501, "points": "1", "games": 2, "percent": 50,
        "d_of_p": 0, "performance": 1501,
    }  # fmt: skip


def test_only_games_played_against_rated_opponents_count() -> None:
    ledger = ledger_of("A,1800,,", "B,1700,,", "N,,,", "P,,,")
    import_text(
        ledger, games("T", "1,,P,A,1-0", "2,,B,P,+/-", "3,,P,N,1-0", "4,,P,,U", "5,,B,P,1/2-1/2")
    )
    made = performance_of(ledger, "P", "T", "ENF", PerformanceTable.OF_2022)
    assert [game.reason for game in made.games] == [
        Reason.NONE, Reason.FORFEIT, Reason.OPPONENT_UNRATED, Reason.BYE, Reason.NONE,
    ]  # fmt: skip
    assert made.worth == worth([1800, 1700], 3)
    assert made.worth.rp == 1750 + 193
    assert performance_of(ledger, "N", "T", "ENF", PerformanceTable.OF_2022).worth is None
    assert (
        performance_of(ledger, "N", "T", "ENF", PerformanceTable.OF_2022).data()["performance"]
        is None
    )


def test_before_the_list_began_there_are_no_ratings() -> None:
    ledger = ledger_of("A,1800,,", "B,1700,,")
    import_text(ledger, games("T", "1,,B,A,1-0", day="2010-06-30"))
    with pytest.raises(InputRefused) as refusal:
        performance_of(ledger, "A", "T", "ENF", PerformanceTable.OF_2022)
    assert refusal.value.message.key == "list.tournament_before_first"


def test_who_did_not_play_there_has_none() -> None:
    ledger = ledger_of("A,1800,,", "B,1700,,", "C,1700,,")
    import_text(ledger, games("T", "1,,B,A,1-0"))
    for player, tournament in (("C", "T"), ("A", "U"), ("X", "T")):
        with pytest.raises(NotFound):
            performance_of(ledger, player, tournament, "ENF", PerformanceTable.OF_2022)
