"""What an event came to: results beside the standings, the lists that rate it, and its course."""

from __future__ import annotations

from fractions import Fraction

from ledger.answers.event_results import event_results, progress_of_event
from ledger.answers.titles import tournament_preview
from ledger.answers.tournaments import tournament_standings
from ledger.operations import commands as c
from ledger.reports.performance import worth
from ledger.results import Result
from ledger.service.ledger import Ledger
from tests.answers.test_categories import announce, ledger_with, with_open
from tests.ledgers import NOW, do, games, import_text, ledger_of, publish_period

PLAYERS = ("A,1900,30,50", "B,1800,30,50", "C,1700,30,50", "D,1600,30,50", "N,,,")
ROUNDS = ("1,,A,B,0-1", "1,,C,D,1-0", "1,,N,,U", "2,,B,C,1/2-1/2", "2,,D,A,0-1", "2,,N,,Z")


def played() -> Ledger:
    ledger = ledger_of(*PLAYERS)
    import_text(ledger, games("t", *ROUNDS))
    return ledger


def test_the_rows_are_those_of_the_standings() -> None:
    ledger = played()
    made = tournament_standings(ledger, "t")
    found = event_results(ledger, "t")
    assert [(row.rank, row.id, row.points) for row in found.rows] == [
        (row.rank, row.id, row.points) for row in made.rows
    ]
    assert [row.id for row in found.summary.podium] == ["B", "C", "A"]
    assert (found.summary.players, found.summary.games) == (5, 4)


def test_gains_are_those_of_the_period_and_a_performance_is_worked_out_by_hand() -> None:
    ledger = played()
    gains = {row.id: row.gain.points for row in tournament_preview(ledger, "t").rows}
    found = {row.id: row for row in event_results(ledger, "t").rows}
    assert (found["N"].gain, found["N"].performance) == (None, None)
    for player in "ABCD":
        assert found[player].gain == gains[player] != 0
    # B: 1900 and 1700, a point and a half of two: 75 %.
    assert found["B"].performance == 1800 + 193 == worth([1900, 1700], 3).rp
    after_one = {row.id: row.gain or Fraction(0) for row in event_results(ledger, "t", 1).rows}
    assert gains["B"] != after_one["B"] > 0 > after_one["A"]


def test_a_list_counts_an_event_when_it_is_out_and_misses_what_comes_later() -> None:
    ledger = played()

    def lists() -> list[tuple[str, str, str]]:
        summary = event_results(ledger, "t").summary
        return [(each.list, each.period, each.state) for each in summary.lists]

    assert lists() == [("ENF", "2010-07", "waiting")]
    publish_period(ledger, "2010-07")
    assert lists() == [("ENF", "2010-07", "counted")]
    do(
        ledger,
        c.CorrectResult(tournament="t", round=1, white="A", black="B", result=Result.parse("1-0")),
    )
    assert lists() == [("ENF", "2010-07", "later")]
    do(ledger, c.RuleOnTournament(tournament="t", ruling="annul", on=NOW.date()))
    assert lists() == []


def test_the_first_woman_and_the_first_of_each_group_with_prizes_are_named() -> None:
    categories = with_open(ledger_with())
    announce(categories, "women:100", "under 1600:70", "U14:60")
    found = event_results(categories, "open").rows
    named = {row.id: [each.within("en") for each in row.first_of] for row in found if row.first_of}
    ranks = {row.id: row.rank for row in found}
    women = sorted("245", key=ranks.__getitem__)
    assert named[women[0]][0] == "Women's first"
    assert sorted(words for several in named.values() for words in several) == [
        "U14: first",
        "Women's first",
        "under 1600: first",
    ]


def test_places_after_each_round_are_those_of_the_standings_after_it() -> None:
    ledger = played()
    found = progress_of_event(ledger, "t")
    assert found.after == 2
    for after in (1, 2):
        order = [row.id for row in tournament_standings(ledger, "t", after=after).rows]
        assert order == sorted(
            order, key=lambda id_: next(r.places[after] for r in found.rows if r.id == id_)
        )
    assert sorted(row.places[0] for row in found.rows) == [1, 2, 3, 4, 5]
    start = {row.number: row.places[0] for row in found.rows}
    assert start == {number: number for number in start}
