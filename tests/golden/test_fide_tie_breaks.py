"""Published figures of FIDE's tie-breaks: exercises, examples of the arbiters' manual, tables.

The exercises were written for the edition of 2023, whose figures are those of 2024 (C.07 16.4 has
no limits in both); what the limits of 2026 change in them is listed with its reason.
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
from ledger.desk.tie_breaks.tie_break import TieBreak
from ledger.rating.rounding import half_up
from ledger.terms import Colour, System
from tests.desk.events import event, rated, sheet_of

DATA = json.loads(
    (Path(__file__).parent / "data" / "fide_tie_breaks.json").read_text(encoding="utf-8")
)
OF_2024, OF_2026 = dt.date(2024, 8, 1), dt.date(2026, 3, 1)
SWISS, ROUND_ROBIN = DATA["swiss"], DATA["round_robin"]


def code(text: str, on: dt.date = OF_2026, system: System = System.SWISS) -> TieBreak:
    return fide_tie_break(text, on, system)


def value(sheet: ScoreSheet, number: int, tie_break: TieBreak) -> Fraction:
    assert tie_break.each is not None
    amount = tie_break.each(sheet, sheet.cards[number]).amount
    assert amount is not None
    return amount


def exercise() -> ScoreSheet:
    return rated(event(*SWISS["rounds"]), *SWISS["ratings"])


def shown(amount: Fraction, like: str) -> str:
    """Returns an amount with as many decimals as it is printed with."""
    decimals = len(like.partition(".")[2])
    return f"{half_up(amount * 10**decimals) / 10**decimals:.{decimals}f}"


def test_the_points_of_the_exercise() -> None:
    sheet = exercise()
    for number, points in SWISS["exercises"]["points"].items():
        assert Fraction(sheet.halves[int(number)], 2) == Fraction(points)


@pytest.mark.parametrize("text", [name for name in SWISS["exercises"] if name != "points"])
def test_exercises_of_the_swiss(text: str) -> None:
    sheet, expected = exercise(), SWISS["exercises"][text]
    tie_break = code(text, OF_2024)
    found = {n: shown(value(sheet, int(n), tie_break), like) for n, like in expected.items()}
    assert found == expected


@pytest.mark.parametrize("text", SWISS["since_2026"])
def test_exercises_by_the_limits_of_2026(text: str) -> None:
    sheet, changed = exercise(), SWISS["since_2026"][text]
    expected = SWISS["exercises"][text] | {number: new for number, (new, _) in changed.items()}
    found = {n: shown(value(sheet, int(n), code(text)), like) for n, like in expected.items()}
    assert found == expected


@pytest.mark.parametrize("on", [OF_2024, OF_2026])
@pytest.mark.parametrize("text", ["SB", "KS"])
def test_exercises_of_the_round_robin(text: str, on: dt.date) -> None:
    sheet = sheet_of(*ROUND_ROBIN["rounds"], system=System.ROUND_ROBIN)
    tie_break = code(text, on, System.ROUND_ROBIN)
    found = {n: value(sheet, int(n), tie_break) for n in ROUND_ROBIN["exercises"][text]}
    assert found == {n: Fraction(like) for n, like in ROUND_ROBIN["exercises"][text].items()}


def test_direct_encounter_in_the_round_robin() -> None:
    sheet = sheet_of(*ROUND_ROBIN["rounds"], system=System.ROUND_ROBIN)
    places = standings(sheet, [code("DE", system=System.ROUND_ROBIN)])
    found = {str(place.card.number): str(place.rank) for place in places}
    assert found == ROUND_ROBIN["ranks_by_DE"]


def test_direct_encounter_in_the_swiss() -> None:
    exercise = DATA["direct_encounter"]
    sheet = sheet_of(*exercise["rounds"])
    places = standings(sheet, [code("DE")])
    tied = [place for place in places if place.card.number in exercise["tied"]]
    assert len({place.card.halves for place in tied}) == 1
    assert groups(tied) == exercise["order"]


def groups(places: list[Any]) -> list[list[int]]:
    """Returns the numbers of each shared place."""
    ranks = sorted({place.rank for place in places})
    return [sorted(p.card.number for p in places if p.rank == rank) for rank in ranks]


@pytest.mark.parametrize("table", ["table 3", "table 5", "table 8"])
def test_standings_of_the_encounters(table: str) -> None:
    """With games missing, ranks that are certain and a new table of the others take turns."""
    halves, order = DATA["encounters"][table]["halves"], DATA["encounters"][table]["order"]
    places = standings(among_the_tied(halves), [code("DE")])
    assert groups(places) == order


def among_the_tied(halves: list[list[int | None]]) -> ScoreSheet:
    """Returns a sheet of players with equal points, from the games that they played."""
    cards = {}
    for number, made in enumerate(halves, start=1):
        played = [
            CardLine(round_, How.PLAYED, points, round_, Colour.WHITE)
            for round_, points in enumerate(made, start=1)
            if points is not None
        ]
        rest = 12 - sum(line.halves for line in played)
        lines = (*played, CardLine(9, How.FULL_BYE, rest))
        cards[number] = Card(number, str(number), lines)
    return ScoreSheet(System.SWISS, cards, 9, 9)


EXAMPLES = DATA["unplayed_rounds"]["examples"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["name"])
@pytest.mark.parametrize(("edition", "on"), [("of_2024", OF_2024), ("of_2026", OF_2026)])
def test_examples_of_unplayed_rounds(example: Any, edition: str, on: dt.date) -> None:
    sheet = facing(example["rounds"])
    for text, expected in example[edition].items():
        assert value(sheet, 1, code(text, on)) == Fraction(expected), text


def facing(rounds: list[str]) -> ScoreSheet:
    """Returns a sheet of a player, number 1, and of opponents of whom the score is known."""
    lines, cards = [], {}
    for round_, text in enumerate(rounds, start=1):
        score, _, made = text.partition(" ")
        if score == "Z":
            lines.append(CardLine(round_, How.ZERO_BYE))
            continue
        opponent = round_ + 1
        game = CardLine(1, How.PLAYED, int(2 * Fraction(score)), 1, Colour.BLACK)
        cards[opponent] = Card(opponent, str(opponent), (game,))
        how = How.FORFEIT if made in "+-" else How.PLAYED
        halves = {"+": 2, "-": 0}.get(made)
        points = int(2 * Fraction(made)) if halves is None else halves
        lines.append(CardLine(round_, how, points, opponent, Colour.WHITE))
    cards[1] = Card(1, "1", tuple(lines))
    return ScoreSheet(System.SWISS, cards, len(rounds), len(rounds))
