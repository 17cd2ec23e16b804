"""Standings, their explanation and crosstables as reports, from what is recorded."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from fractions import Fraction

import pytest

from ledger.answers.tournaments import (
    event_places,
    tournament_crosstable,
    tournament_standings,
)
from ledger.errors import InputRefused, NotFound
from ledger.events.tournaments import ReportDetails
from ledger.operations import commands as c
from ledger.reports.standings import Standings
from ledger.results import Bye, Result
from ledger.service.ledger import Ledger
from ledger.terms import PairingMethod, Rate, System
from ledger.views.past import PastLedger
from tests.golden.test_tie_breaks_1975 import uanl
from tests.ledgers import PLAYERS_HEADER, define, do, empty_ledger, import_text

DAY = dt.date(2010, 7, 1)
ROUNDS = ("A-B 1-0, C-D ½, E F", "E-A 0-1, B-C 1-0, D F", "A-C ½, D-E 1-0, B F")


def held(
    *rounds: str,
    players: str = "ABCDE",
    system: System = System.SWISS,
    announced: int | None = None,
    ratings: Sequence[int] = (),
    list_: bool = True,
) -> Ledger:
    """Returns a ledger with the tournament ``t``; ratings are those of its report."""
    ledger = empty_ledger()
    if list_:
        define(ledger)
    rows = "".join(f"{p},Player {p},CHI,,,{1500 + 10 * n},,50\n" for n, p in enumerate(players))
    import_text(ledger, PLAYERS_HEADER + rows, list_="ENF" if list_ else None)
    report = ReportDetails(ratings=tuple(ratings)) if ratings else None
    do(
        ledger,
        c.OpenTournament(
            tournament="t", name="T", starts_on=DAY, ends_on=DAY, system=system,
            rate_of_play=Rate.CLASSICAL, rounds=announced, report=report,
        ),
        *(c.EnterPlayer(tournament="t", player=player) for player in players),
    )  # fmt: skip
    play(ledger, *rounds)
    return ledger


def play(ledger: Ledger, *rounds: str, first: int = 1) -> None:
    for number, boards in enumerate(rounds, start=first):
        for board in boards.split(","):
            who, result = board.split()
            white, _, black = who.partition("-")
            if black:
                said: c.Command = c.RecordGame(
                    tournament="t", round=number, white=white, black=black,
                    result=Result.parse(result),
                )  # fmt: skip
            else:
                said = c.GiveBye(tournament="t", round=number, player=white, kind=Bye.FULL)
            do(ledger, said)


def ranks(made: Standings) -> list[tuple[int, str, str]]:
    return [(row.rank, row.id, str(row.points)) for row in made.rows]


@pytest.mark.parametrize("codes", [(), ("TPR",), ("opponents-ratings",), ("BH/C1", "DE")])
def test_places_are_those_of_the_standings(codes: tuple[str, ...]) -> None:
    ledger = held(*ROUNDS)
    if codes:
        announced = c.AnnounceRules(
            tournament="t", pairing=PairingMethod.FENAMAC_1975, tie_breaks=codes
        )
        do(ledger, announced)
    of = event_places(ledger, "t")
    rows = tournament_standings(ledger, "t").rows
    assert of.places == {row.id: row.rank for row in rows}
    assert of.count == 5


def test_nobody_has_a_place_before_the_first_round() -> None:
    assert event_places(held(), "t").places == {}


def test_rows_and_their_json() -> None:
    made = tournament_standings(held(*ROUNDS), "t")
    assert ranks(made) == [
        (1, "A", "5/2"), (2, "D", "5/2"), (3, "B", "2"), (4, "C", "1"), (5, "E", "1"),
    ]  # fmt: skip
    assert [row.decided_by for row in made.rows] == [
        None, "solkoff", "points", "points", "solkoff",
    ]  # fmt: skip
    data = made.data()
    assert (data["tournament"], data["after"], data["list"]) == ("t", 3, "ENF")
    assert data["tie_breaks"] == ["solkoff", "median", "sonneborn-berger"]
    assert list(data["rows"][0])[:8] == [
        "rank", "number", "id", "name", "rating", "points", "tie_breaks", "decided_by",
    ]  # fmt: skip
    assert data["rows"][0]["name"] == "Player A"
    # Adjusted: B 1½, E ½, C 1; of three rounds the median keeps one; A beat B and E, drew C.
    assert data["rows"][0]["tie_breaks"] == {
        "solkoff": "3", "median": "1", "sonneborn-berger": "2.5",
    }  # fmt: skip


def test_after_a_round_and_as_known_then() -> None:
    ledger = held(*ROUNDS[:2])
    seq = ledger.facts().seq
    before = tournament_standings(ledger, "t")
    play(ledger, ROUNDS[2], first=3)
    assert tournament_standings(PastLedger(ledger, seq), "t") == before
    after_two = tournament_standings(ledger, "t", after=2)
    assert ranks(after_two) == ranks(before)
    assert tournament_standings(ledger, "t", after=0).rows[0].points == 0
    with pytest.raises(NotFound, match="round 4 of t: it has 3 rounds"):
        tournament_standings(ledger, "t", after=4)
    with pytest.raises(NotFound, match="round 3 of t: it has 2 rounds"):
        tournament_standings(PastLedger(ledger, seq), "t", after=3)


def test_ratings_of_the_list_and_of_the_report() -> None:
    of_list = tournament_standings(held(*ROUNDS, ratings=[2000] * 5), "t")
    assert {row.rating for row in of_list.rows} == {1500, 1510, 1520, 1530, 1540}
    ledger = held(*ROUNDS, ratings=[2000, 0, 1900, 1800, 1700], list_=False)
    made = tournament_standings(ledger, "t")
    assert made.list is None
    assert {row.id: row.rating for row in made.rows} == {
        "A": 2000, "B": None, "C": 1900, "D": 1800, "E": 1700,
    }  # fmt: skip
    with pytest.raises(NotFound):
        tournament_standings(ledger, "t", list_="ENF")


def test_of_several_lists_none_is_chosen_but_the_one_that_was_ordered_to_rate_it() -> None:
    ledger = held(*ROUNDS)
    define(ledger, "CLUB")
    assert tournament_standings(ledger, "t").list is None
    assert tournament_standings(ledger, "t", list_="ENF").rows[0].rating is not None
    rated_in = c.RatedIn("ENF", "2010-08")
    do(ledger, c.RuleOnTournament(tournament="t", ruling="accept", on=DAY, rated_in=rated_in))
    assert tournament_standings(ledger, "t").list == "ENF"


def test_values_are_explained_and_add_up() -> None:
    made = tournament_standings(held(*ROUNDS), "t", tie_breaks="solkoff,median,kashdan,direct")
    values = {each.tie_break.code: each for each in made.explained("C")}
    assert list(values) == ["solkoff", "median", "kashdan", "direct"]
    solkoff = values["solkoff"].data("en")
    assert [part["opponent"] for part in solkoff["parts"]] == [4, 2, 1]
    assert sum(Fraction(part["amount"]) for part in solkoff["parts"]) == Fraction(solkoff["value"])
    assert {part["note"] for part in solkoff["parts"]} == {"adjusted", ""}
    rule = "each round that was not played counts as half a point"
    adjusted = {f"adjusted from 2 to 1.5: {rule}", f"adjusted from 2.5 to 2: {rule}"}
    assert {part["adjusted"] for part in solkoff["parts"]} == {*adjusted, None}
    assert values["direct"].data("es")["value"] is None


class TestTemporary:
    """Points for the pairing only stand between rounds, marked, and never in the final table."""

    def adjudicated(self, announced: int | None) -> Ledger:
        ledger = held(*ROUNDS[:2], announced=announced)
        play(ledger, "D-E 1-0, B F", first=3)
        do(
            ledger,
            c.AdjournGame(tournament="t", round=3, white="A", black="C"),
            c.AdjudicateGame(
                tournament="t", round=3, white="A", black="C", result=Result.parse("1-1a"),
                ruling="temporary",
            ),
        )  # fmt: skip
        return ledger

    def test_between_rounds(self) -> None:
        made = tournament_standings(self.adjudicated(5), "t")
        assert not made.final
        row = made.row("A")
        assert (row.points, row.temporary) == (Fraction(3), True)
        assert not made.row("B").temporary

    def test_at_the_end(self) -> None:
        ledger = self.adjudicated(3)
        made = tournament_standings(ledger, "t")
        assert made.final
        row = made.row("A")
        assert (row.points, row.temporary) == (Fraction(2), True)
        assert tournament_standings(ledger, "t", after=2).final is False

    def test_a_game_without_a_result_keeps_the_last_round_open(self) -> None:
        ledger = held(*ROUNDS[:2], announced=3)
        do(ledger, c.AdjournGame(tournament="t", round=3, white="A", black="C"))
        assert not tournament_standings(ledger, "t").final
        do(ledger, c.CloseTournament(tournament="t", on=DAY, anyway=True))
        assert tournament_standings(ledger, "t").final


def test_prizes() -> None:
    made = tournament_standings(held(*ROUNDS), "t", prizes=[100])
    assert [row.prize for row in made.rows] == [50, 50, 0, 0, 0]
    assert tournament_standings(held(*ROUNDS), "t").rows[0].prize is None


def test_unknown_tie_breaks_and_tournaments() -> None:
    ledger = held(*ROUNDS)
    with pytest.raises(InputRefused):
        tournament_standings(ledger, "t", tie_breaks="median,fame")
    with pytest.raises(NotFound):
        tournament_standings(ledger, "u")


class TestCrosstable:
    """As it is printed: by opponent where everybody meets, else by round."""

    def test_the_championship_of_the_uanl(self) -> None:
        ledger = held(*uanl(), players="12345678", system=System.ROUND_ROBIN)
        made = tournament_crosstable(ledger, "t").data()
        assert made["by"] == "opponent"
        assert made["columns"] == list("12345678")
        mendoza = made["rows"][3]
        assert mendoza["squares"] == {
            "1": ["½"], "2": ["1"], "3": ["½"], "5": ["1"], "6": ["½"], "7": ["½"], "8": ["½"],
        }  # fmt: skip
        assert (mendoza["points"], mendoza["rank"]) == ("4.5", 2)
        assert mendoza["tie_breaks"] == {"sonneborn-berger": "15.5"}

    def test_two_results_in_a_double_one_defaults_and_who_left(self) -> None:
        rounds = ("A-B 1-0", "B-A ½", "A-C +/-", "C-A ½", "B-C 1-0")
        ledger = held(*rounds, players="ABC", system=System.ROUND_ROBIN, announced=6)
        do(ledger, c.WithdrawPlayer(tournament="t", player="C", from_round=6))
        rows = {row["id"]: row for row in tournament_crosstable(ledger, "t").data()["rows"]}
        assert rows["A"]["squares"] == {"2": ["1", "½"], "3": ["+", "½"]}
        assert rows["B"]["squares"] == {"1": ["0", "½"], "3": ["1", "+"]}
        assert rows["C"]["squares"] == {"1": ["-", "½"], "2": ["0", "-"]}

    def test_who_is_cancelled_stands_below_and_counts_for_nobody(self) -> None:
        ledger = held("A-B 1-0", "B-C 1-0", "C-D ½", players="ABCD", system=System.ROUND_ROBIN)
        do(ledger, c.WithdrawPlayer(tournament="t", player="A", from_round=3))
        made = tournament_crosstable(ledger, "t")
        assert [(row.place.id, row.place.cancelled) for row in made.rows] == [
            ("B", False), ("C", False), ("D", False), ("A", True),
        ]  # fmt: skip
        assert made.columns == ("2", "3", "4", "1")
        assert made.rows[0].squares == {"1": ("(0)",), "3": ("1",)}
        assert made.rows[3].place.points == 0

    def test_a_swiss_by_round(self) -> None:
        ledger = held(*ROUNDS)
        do(ledger, c.AdjournGame(tournament="t", round=4, white="A", black="D"))
        made = tournament_crosstable(ledger, "t").data()
        assert (made["by"], made["columns"]) == ("round", ["1", "2", "3", "4"])
        assert made["rows"][0]["squares"] == {
            "1": ["2w1"], "2": ["5b1"], "3": ["3w½"], "4": ["4w*"],
        }  # fmt: skip
        assert made["rows"][4]["squares"] == {"1": ["F"], "2": ["1w0"], "3": ["4b0"]}


class TestAnnounced:
    """The list that was announced is asked, and a change of it is shown."""

    def ruled(self, *rounds: str, tie_breaks: str = "kashdan,lots") -> Ledger:
        ledger = held()
        codes = tuple(tie_breaks.split(","))
        do(
            ledger,
            c.AnnounceRules(
                tournament="t", pairing=PairingMethod.FENAMAC_1975, tie_breaks=codes,
                lot_seed="3 May", prizes=(90, 30),
            ),
        )  # fmt: skip
        play(ledger, *rounds)
        return ledger

    def test_its_tie_breaks_lots_and_prizes_are_taken(self) -> None:
        made = tournament_standings(self.ruled(*ROUNDS), "t")
        assert made.codes == made.announced == ("kashdan", "lots")
        assert [row.rank for row in made.rows] == [1, 2, 3, 4, 5]
        assert [row.prize for row in made.rows] == [60, 60, 0, 0, 0]
        assert made.replaced == ()
        other = tournament_standings(self.ruled(*ROUNDS), "t", tie_breaks="solkoff")
        assert (other.codes, other.announced) == (("solkoff",), ("kashdan", "lots"))

    def test_a_change_after_the_first_result_is_shown(self) -> None:
        changed = c.ChangeRules(
            tournament="t", pairing=PairingMethod.FENAMAC_1975, tie_breaks=("solkoff",)
        )
        ledger = self.ruled(*ROUNDS[:1])
        do(ledger, changed)
        made = tournament_standings(ledger, "t").data()
        assert made["announced"] == made["tie_breaks"] == ["solkoff"]
        assert made["replaced"] == [
            {"seq": ledger.facts().seq, "tie_breaks": ["kashdan", "lots"]}
        ]  # fmt: skip
        before = self.ruled()
        do(before, changed)
        play(before, *ROUNDS)
        assert tournament_standings(before, "t").replaced == ()


def test_a_tie_break_that_some_use_is_used() -> None:
    # 1 and 2 met, 3 and 4 did not.
    ledger = held("A-B ½, C-E 1-0, D F", players="ABCDE")
    made = tournament_standings(ledger, "t", tie_breaks="direct,rating-percentage")
    assert [code for code, _ in made.not_used] == []
    nobody = held("A-B +/-, C-D +/-", players="ABCD")
    made = tournament_standings(nobody, "t", tie_breaks="direct,rating-percentage")
    assert [code for code, _ in made.not_used] == ["rating-percentage", "direct"]
