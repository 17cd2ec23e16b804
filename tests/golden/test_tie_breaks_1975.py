"""The tie-breaks of the manual of 1975 as it prints them, and an event of nine players."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ledger.desk.score_sheet import WIN, Card, CardLine, How, ScoreSheet, score_sheet
from ledger.desk.standings import standings
from ledger.desk.tie_breaks import manual_1975 as m
from ledger.desk.tie_breaks.registry import announced
from ledger.terms import Colour, System
from tests.desk.events import NINE, event

GOLDEN = json.loads(
    (Path(__file__).parent / "data" / "tie_breaks.json").read_text(encoding="utf-8")
)
HALVES = {"W": WIN, "D": 1, "L": 0}


def halves(text: str) -> int:
    return int(2 * Fraction(text))


def of_games(games: Sequence[tuple[str, str]], rounds: int, system: System) -> ScoreSheet:
    """Returns the score sheet of number 1, whose opponents have scores from games of their own.

    Args:
        games: scores of the opponents, and what number 1 made against each.
        rounds: of the event.
        system: how it is paired.
    """
    cards = {}
    lines = []
    for number, (score, made) in enumerate(games, start=2):
        lines.append(CardLine(number - 1, How.PLAYED, HALVES[made], number, Colour.WHITE))
        own = [
            CardLine(r, How.PLAYED, min(2, halves(score) - 2 * r), 99) for r in range(halves(score))
        ]
        cards[number] = Card(number, str(number), tuple(line for line in own if line.halves > 0))
    cards[1] = Card(1, "1", tuple(lines))
    return ScoreSheet(system, cards, rounds, rounds)


def amount(sheet: ScoreSheet, code: str, number: int = 1) -> Fraction | None:
    each = m.BY_CODE[code].each
    assert each is not None
    return each(sheet, sheet.cards[number]).amount


@pytest.mark.parametrize("example", GOLDEN["swiss"], ids=lambda each: each["player"])
def test_the_two_players_of_the_swiss(example: dict[str, Any]) -> None:
    games = [(score, made) for _, score, made in example["opponents"]]
    sheet = of_games(games, len(games), System.SWISS)
    assert sheet.cards[1].halves == halves(example["score"])
    for code in ("solkoff", "median", "sonneborn-berger"):
        assert amount(sheet, code) == Fraction(example[code.replace("-", "_")])


@pytest.mark.parametrize(
    "example", [each for group in GOLDEN["round_robin"] for each in group.values()]
)
def test_the_players_of_the_all_play_all(example: dict[str, Any]) -> None:
    """C's results make 3½ and not the 4 that is printed; no score is derived here."""
    sheet = of_games(example["opponents"], len(example["opponents"]), System.ROUND_ROBIN)
    assert amount(sheet, "sonneborn-berger") == Fraction(example["sonneborn_berger"])


def test_the_card_of_vela() -> None:
    card = GOLDEN["vela_card"]
    sheet = of_games([(s, "D") for s in card["opponents_scores"]], card["rounds"], System.SWISS)
    assert amount(sheet, "solkoff") == Fraction(card["solkoff"])
    assert amount(sheet, "median") == Fraction(card["median"])


@pytest.mark.parametrize("rounds", range(1, 20))
def test_the_median_cuts_by_rounds(rounds: int) -> None:
    cut = next(
        each["cut_each_end"]
        for each in GOLDEN["median_cuts"]
        if each["rounds_at_most"] is None or rounds <= each["rounds_at_most"]
    )
    sheet = of_games([(str(score % 7), "D") for score in range(rounds)], rounds, System.SWISS)
    parts = m.median(sheet, sheet.cards[1]).parts
    assert sum(part.counted for part in parts) == max(0, rounds - 2 * cut)


def adjusted_example(results: Sequence[str]) -> Card:
    def line(round_: int, result: str) -> CardLine:
        match result.split("_"):
            case ["bye"]:
                return CardLine(round_, How.ALLOCATED_BYE, WIN)
            case [made, "forfeit"]:
                return CardLine(round_, How.FORFEIT, HALVES[made], round_ + 1, Colour.WHITE)
            case _:
                return CardLine(round_, How.PLAYED, HALVES[result], round_ + 1, Colour.WHITE)

    return Card(1, "1", tuple(line(*each) for each in enumerate(results, start=1)))


@pytest.mark.parametrize("example", GOLDEN["adjusted_score"], ids=lambda each: each["player"])
def test_adjusted_scores_and_kashdan(example: dict[str, Any]) -> None:
    card = adjusted_example(example["results"])
    sheet = ScoreSheet(System.SWISS, {1: card}, len(card.lines), len(card.lines))
    assert card.halves == halves(example["score"])
    assert m.adjusted_scores(sheet)[1] == halves(example["adjusted"])
    assert amount(sheet, "kashdan") == GOLDEN["kashdan"]["examples"][example["player"]]


@pytest.mark.parametrize("example", GOLDEN["rating_percentage"], ids=lambda each: each["player"])
def test_rating_percentages(example: dict[str, Any]) -> None:
    games = example["games"]
    share = example["opponents_sum"] // games
    ratings = [share] * (games - 1) + [example["opponents_sum"] - share * (games - 1)]
    made = (["W"] * 4 + ["L"] * games)[:games]
    cards = {
        number: Card(number, str(number), rating=rating)
        for number, rating in enumerate(ratings, start=2)
    }
    lines = [
        CardLine(r, How.PLAYED, HALVES[result], r + 1, Colour.WHITE)
        for r, result in enumerate(made, start=1)
    ]
    cards[1] = Card(1, "1", tuple(lines), example["rating"])
    sheet = ScoreSheet(System.SWISS, cards, games, games)
    value = m.rating_percentage(sheet, sheet.cards[1])
    assert value.amount == example["above_norm"]
    assert value.how is not None
    told = dict(value.how.values)
    assert told["difference"] == example["d"]
    assert (told["expected"], told["made"]) == (example["expected_percent"], example["percent"])
    assert told["total"] == str(example["opponents_sum"])


# Number: score, adjusted score, Solkoff, median, Sonneborn-Berger, Kashdan.
FINAL = {
    6: ("3", "3", "8.5", "4.5", "6.25", "12"),
    3: ("3", "3", "7", "3", "4", "13"),
    9: ("2.5", "2", "8.5", "5.5", "4", "7"),
    1: ("2.5", "2.5", "8", "4", "4.5", "11"),
    4: ("2.5", "2.5", "5", "2", "3", "10"),
    8: ("2", "2", "7", "3.5", "2.75", "9"),
    2: ("1.5", "1", "8.5", "5.5", "1.25", "4"),
    7: ("1.5", "1", "7.5", "4.5", "1", "4"),
    5: ("1.5", "1", "7", "4.5", "1.25", "4"),
}


def test_nine_players_in_four_rounds() -> None:
    sheet = score_sheet(event(*NINE))
    places = standings(sheet, announced("solkoff,median,sonneborn-berger,kashdan"))
    assert [place.card.number for place in places] == list(FINAL)
    assert [place.rank for place in places] == list(range(1, 10))
    assert [place.decided_by for place in places] == [
        None, "solkoff", "points", "solkoff", "solkoff", "points", "points", "solkoff", "solkoff",
    ]  # fmt: skip
    adjusted = m.adjusted_scores(sheet)
    for place in places:
        number = place.card.number
        found = [place.card.halves, adjusted[number]]
        score, adjusted_score, *values = FINAL[number]
        assert found == [halves(score), halves(adjusted_score)]
        assert [value.amount for value in place.values.values()] == list(map(Fraction, values))


# The closed championship of the UANL, 1974, as it is printed: squares, points, place; and
# Sonneborn-Berger, which explains places 3 to 6.
UANL = """
    X ½ 1 ½ 1 ½ ½ 1  5   1 15.75
    ½ X ½ 0 ½ 1 ½ 1  4   3 12
    0 ½ X ½ ½ ½ 1 1  4   4 11.25
    ½ 1 ½ X 1 ½ ½ ½  4.5 2 15.5
    0 ½ ½ 0 X ½ 1 1  3.5 6 9.25
    ½ 0 ½ ½ ½ X ½ 1  3.5 5 10.75
    ½ ½ 0 ½ 0 ½ X ½  2.5 7 9
    0 0 0 ½ 0 0 ½ X  1   8 3.5
"""
RESULTS = {"1": "1-0", "½": "½", "0": "0-1"}


def uanl() -> list[str]:
    """Returns the rounds of the championship, by the table of all-play-alls."""
    rows = [line.split() for line in UANL.split("\n") if line.strip()]
    numbers = list(range(1, 9))
    rounds = []
    for _ in range(7):
        pairs = zip(numbers[:4], reversed(numbers[4:]), strict=True)
        rounds.append(", ".join(f"{a}-{b} {RESULTS[rows[a - 1][b - 1]]}" for a, b in pairs))
        numbers = [numbers[0], numbers[-1], *numbers[1:-1]]
    return rounds


def test_the_championship_of_the_uanl() -> None:
    sheet = score_sheet(event(*uanl(), system=System.ROUND_ROBIN))
    places = {p.card.number: p for p in standings(sheet, announced("sonneborn-berger"))}
    for number, row in enumerate((line.split() for line in UANL.strip().split("\n")), start=1):
        points, place, berger = row[8:]
        assert places[number].rank == int(place)
        assert places[number].card.halves == halves(points)
        assert places[number].values["sonneborn-berger"].amount == Fraction(berger)
