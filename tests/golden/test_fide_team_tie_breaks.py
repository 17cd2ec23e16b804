"""FIDE's published exercises in the tie-breaks of teams.

They were written for the edition of 2023. Its figures are those of 2024, but for the order of
direct encounters: since August 2024 they begin again with match points among those still tied
(13.3.3). Match points are printed on the scale 2, 1, 0.
"""

from __future__ import annotations

import datetime as dt
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ledger.desk.score_sheet import Card, CardLine, How, ScoreSheet
from ledger.desk.standings import standings
from ledger.desk.tie_breaks.fide.descriptors import fide_tie_break
from ledger.desk.tie_breaks.tie_break import TieBreak, Value
from ledger.rating.rounding import half_up
from ledger.terms import Colour, System

DATA: dict[str, Any] = json.loads(
    (Path(__file__).parent / "data" / "fide_team_tie_breaks.json").read_text(encoding="utf-8")
)
OF_2024, OF_2026 = dt.date(2024, 8, 1), dt.date(2026, 3, 1)
BOARDS, ROUNDS, TEAMS = 4, 7, 14


def code(text: str, on: dt.date = OF_2024) -> TieBreak:
    return fide_tie_break(text, on, System.TEAM_SWISS)


def board_lines(round_: int, opponent: int, colour: Colour, halves: list[int]) -> dict[str, Any]:
    """The boards of a match, and what they bring."""
    lines = tuple(
        CardLine(round_, How.PLAYED, each, opponent, colour if place % 2 == 0 else colour.other)
        for place, each in enumerate(halves)
    )
    return {"boards": lines, "board_halves": sum(halves)}


def spread(halves: int) -> list[int]:
    """Some boards that bring so much: which ones is not said, and does not matter here."""
    return [min(2, max(0, halves - 2 * place)) for place in range(BOARDS)]


def match_line(round_: int, opponent: int, colour: Colour, boards: list[int]) -> CardLine:
    halves = 1 + (sum(boards) > BOARDS) - (sum(boards) < BOARDS)
    about = board_lines(round_, opponent, colour, boards)
    return CardLine(round_, How.PLAYED, halves, opponent, colour, **about)


def exercise() -> ScoreSheet:
    lines: dict[tuple[int, int], CardLine] = {}
    for round_, said in enumerate(DATA["rounds"], start=1):
        for match in said.split(", "):
            pair, points = match.split()
            white, black = map(int, pair.split("-"))
            boards = spread(int(2 * Fraction(points)))
            if (round_, [white, black]) == (DATA["boards"]["round"], DATA["boards"]["teams"]):
                boards = [int(2 * Fraction(each)) for each in DATA["boards"]["results"]]
            other = [2 - each for each in boards]
            lines[white, round_] = match_line(round_, black, Colour.WHITE, boards)
            lines[black, round_] = match_line(round_, white, Colour.BLACK, other)
    for forfeit in DATA["forfeits"]:
        round_, white, black = forfeit["round"], forfeit["white"], forfeit["black"]
        for own, other in ((white, black), (black, white)):
            won = own == forfeit["winner"]
            lines[own, round_] = CardLine(
                round_, How.FORFEIT, 2 * won, other, board_halves=2 * BOARDS * won
            )
    for bye in DATA["byes"]:
        round_ = bye["round"]
        lines[bye["team"], round_] = CardLine(
            round_, How(bye["kind"]), bye["match_points"], board_halves=2 * bye["board_points"]
        )
    cards = {
        team: Card(team, f"T{team}", tuple(lines[team, round_] for round_ in range(1, ROUNDS + 1)))
        for team in range(1, TEAMS + 1)
    }
    return ScoreSheet(System.TEAM_SWISS, cards, ROUNDS, ROUNDS)


def shown(amount: Fraction, like: str) -> str:
    decimals = len(like.partition(".")[2])
    return f"{half_up(amount * 10**decimals) / 10**decimals:.{decimals}f}"


def asked(tie_break: TieBreak, sheet: ScoreSheet, teams: list[int]) -> dict[int, Value]:
    assert tie_break.among is not None
    return dict(tie_break.among(sheet, [sheet.cards[team] for team in teams]) or {})


def test_the_match_points() -> None:
    found = {str(team): str(halves) for team, halves in exercise().halves.items()}
    assert found == DATA["match_points"]


@pytest.mark.parametrize("text", DATA["values"])
def test_values(text: str) -> None:
    sheet, tie_break = exercise(), code(text)
    assert tie_break.each is not None
    for team, expected in DATA["values"][text].items():
        amount = tie_break.each(sheet, sheet.cards[int(team)]).amount
        assert amount is not None
        assert shown(amount * DATA["scale"][text], expected) == expected, team


def test_the_places_by_game_points() -> None:
    places = standings(exercise(), [code("MPvGP")])
    found = [place.card.number for place in places]
    expected = DATA["places_by_MPvGP"]
    equal = {one: min(group) for group in DATA["equal_after_MPvGP"] for one in group}
    assert [equal.get(one, one) for one in found] == [equal.get(one, one) for one in expected]


class TestDirectEncounter:
    def test_equal_in_matches_and_boards(self) -> None:
        found = asked(code("EDE"), exercise(), DATA["direct_encounter"]["equal"])
        assert {value.amount for value in found.values()} == {Fraction(2)}

    def test_by_matches(self) -> None:
        about = DATA["direct_encounter"]["by_matches"]
        found = asked(code("EDE"), exercise(), about["tied"])
        points = {str(team): str(2 * (value.amount or 0)) for team, value in found.items()}
        assert points == about["points"]

    def test_not_all_have_met(self) -> None:
        found = asked(code("EDE"), exercise(), DATA["direct_encounter"]["undecided"])
        assert not any(value.decides for value in found.values())

    def test_by_boards_where_the_matches_are_equal(self) -> None:
        about = DATA["direct_encounter"]["by_boards"]
        found = asked(code("EDE"), exercise(), about["tied"])
        assert {str(n): value.amount for n, value in found.items()} == {
            team: Fraction(points) for team, points in about["points"].items()
        }

    def test_it_begins_again_with_matches(self) -> None:
        # In 2023 boards were asked again and put 2 above 1: it is since 2024 that 1, who beat
        # both, stands first of the three.
        places = standings(exercise(), [code("EDE")])
        assert [place.card.number for place in places[:5]] == [4, 1, 2, 3, 5]


@pytest.mark.parametrize("text", ["BC", "TBR", "BBE"])
def test_the_boards_of_one_match(text: str) -> None:
    sheet, about = exercise(), DATA["boards"]
    cards = {
        team: Card(team, f"T{team}", (sheet.cards[team].lines[about["round"] - 1],))
        for team in about["teams"]
    }
    of_match = ScoreSheet(System.TEAM_SWISS, cards, 1, 1)
    tie_break = code(text)
    assert tie_break.each is not None
    for team, expected in about[text].items():
        assert tie_break.each(of_match, cards[int(team)]).amount == Fraction(expected)
    first, *_ = standings(of_match, [tie_break])
    assert first.card.number == 11


@pytest.mark.parametrize(("text", "first"), [("EDEBT", 11), ("EDEBB", 11), ("EDET", 11)])
def test_boards_part_two_teams_whom_direct_encounters_leave_tied(text: str, first: int) -> None:
    found = asked(code(text), exercise(), [11, 14])
    assert max(found, key=lambda team: found[team].ordered_by or 0) == first


def test_the_limit_of_2026() -> None:
    """16.4.1: who won by default met no stronger team than the one that did not come."""
    sheet = exercise()
    tie_break = code("BH", OF_2026)
    assert tie_break.each is not None
    assert tie_break.each(sheet, sheet.cards[1]).amount == Fraction(61, 2)
