"""What was changed by hand in an event is found and named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from ledger.desk.checker import DeclaredEvent, check, check_rounds, round_of
from ledger.desk.checker import DeviationKind as Kind
from ledger.desk.pairing import dutch, fenamac_1975
from ledger.desk.pairing.proposal import PairingRules
from ledger.desk.score_sheet import Card, CardLine, How, ScoreSheet
from ledger.desk.simulator import Plan, simulate
from ledger.desk.standings import standings
from ledger.desk.tie_breaks.registry import announced
from ledger.terms import Colour, System

PLAN = Plan(players=9, rounds=4, seed="nine")
EVENT = simulate(PLAN, fenamac_1975.pair).sheet
LAST = EVENT.played


def kinds(declared: DeclaredEvent) -> set[Kind]:
    return {each.kind for each in check(declared)}


def sentences(declared: DeclaredEvent) -> list[str]:
    return [str(each.message) for each in check(declared)]


def with_lines(sheet: ScoreSheet, lines: Mapping[int, CardLine]) -> ScoreSheet:
    """Returns a sheet whose cards have other lines in the last round."""
    cards = {
        number: replace(card, lines=(*card.lines[:-1], lines.get(number, card.lines[-1])))
        for number, card in sheet.cards.items()
    }
    return ScoreSheet(sheet.system, cards, sheet.rounds, sheet.played)


def seated(sheet: ScoreSheet, *boards: tuple[int, int]) -> ScoreSheet:
    """Returns a sheet with these boards in the last round, all drawn."""
    lines = {}
    for white, black in boards:
        lines[white] = CardLine(sheet.played, How.PLAYED, 1, black, Colour.WHITE)
        lines[black] = CardLine(sheet.played, How.PLAYED, 1, white, Colour.BLACK)
    return with_lines(sheet, lines)


def boards(sheet: ScoreSheet) -> list[tuple[int, int]]:
    lines = ((number, card.lines[-1]) for number, card in sheet.cards.items())
    return [(n, line.opponent or 0) for n, line in lines if line.colour is Colour.WHITE]


def declared(sheet: ScoreSheet) -> DeclaredEvent:
    return DeclaredEvent(sheet=sheet, pair=fenamac_1975.pair)


def test_an_event_as_it_was_paired_has_no_difference() -> None:
    assert sentences(declared(EVENT)) == []


def test_crossed_opponents() -> None:
    (a, b), (c, d) = boards(EVENT)[:2]
    found = sentences(declared(seated(EVENT, (a, d), (c, b))))
    said = f"round {LAST}: {a} - {d} is not a pair by the rules: {a} meets {b}, {d} meets {c}"
    assert said in found


def test_reversed_colours() -> None:
    white, black = boards(EVENT)[0]
    assert sentences(declared(seated(EVENT, (black, white)))) == [
        f"round {LAST}: colours are reversed; by the rules {white} has White against {black}"
    ]


def test_a_second_meeting() -> None:
    (a, b), *others = boards(EVENT)
    met = {line.opponent for line in EVENT.cards[a].games[:-1]}
    c, d = next((x, y) for x, y in others if {x, y} & met)
    again, left = (c, d) if c in met else (d, c)
    found = list(check(declared(seated(EVENT, (a, again), (b, left)))))
    assert Kind.SECOND_MEETING in {each.kind for each in found}
    assert {each.round for each in found} == {LAST}


def test_a_second_bye() -> None:
    had = next(n for n, c in EVENT.cards.items() if c.lines[0].how is How.ALLOCATED_BYE)
    has = next(n for n, c in EVENT.cards.items() if c.lines[-1].how is How.ALLOCATED_BYE)
    takes = replace(EVENT.cards[has].lines[-1])
    opponent = EVENT.cards[had].lines[-1].opponent
    assert opponent is not None
    sheet = with_lines(seated(EVENT, (has, opponent)), {had: takes})
    assert {Kind.SECOND_BYE, Kind.BYE, Kind.PAIR} <= kinds(declared(sheet))
    assert f"{had} cannot have the bye, after round 1" in " ".join(sentences(declared(sheet)))


def test_two_byes_and_a_forbidden_pair() -> None:
    white, black = boards(EVENT)[0]
    byes = {n: CardLine(LAST, How.ALLOCATED_BYE, 2) for n in (white, black)}
    assert Kind.TWO_BYES in kinds(declared(with_lines(EVENT, byes)))
    rules = PairingRules(forbidden=frozenset((frozenset((white, black)),)))
    assert Kind.FORBIDDEN_PAIR in kinds(DeclaredEvent(sheet=EVENT, rules=rules))


def test_a_round_that_the_rules_do_not_allow() -> None:
    lines = [CardLine(r, How.PLAYED, 1, 2, Colour.WHITE) for r in (1, 2)]
    others = [CardLine(r, How.PLAYED, 1, 1, Colour.BLACK) for r in (1, 2)]
    cards = {1: Card(1, "a", tuple(lines)), 2: Card(2, "b", tuple(others))}
    found = kinds(declared(ScoreSheet(System.SWISS, cards, 2, 2)))
    assert found == {Kind.SECOND_MEETING, Kind.NO_PAIRING}


def test_the_same_absolute_colour() -> None:
    def card(number: int, colours: str, opponents: tuple[int, ...]) -> Card:
        lines = (
            CardLine(r, How.PLAYED, 1, opponent, Colour(colour))
            for r, (colour, opponent) in enumerate(zip(colours, opponents, strict=True), start=1)
        )
        return Card(number, str(number), tuple(lines))

    cards = {1: card(1, "wwb", (3, 4, 2)), 2: card(2, "wwb", (4, 3, 1)),
             3: card(3, "bbw", (1, 2, 4)), 4: card(4, "bbw", (2, 1, 3))}  # fmt: skip
    sheet = ScoreSheet(System.SWISS, cards, 9, 3)
    third = round_of(sheet, PairingRules(), 3)
    found = [each.kind for each in check_rounds([third], dutch.pair)]
    assert found.count(Kind.ABSOLUTE_COLOURS) == 2
    assert Kind.ABSOLUTE_COLOURS not in kinds(DeclaredEvent(sheet=sheet))


# Points, places, numbers


def test_points_that_do_not_add_up() -> None:
    points = dict(EVENT.halves) | {3: 9}
    found = sentences(DeclaredEvent(sheet=EVENT, points=points))
    own = f"{EVENT.halves[3] // 2}.{EVENT.halves[3] % 2 * 5}"
    assert found == [f"3 is declared with 4.5 points; the results add up to {own}"]


@pytest.mark.parametrize("listed", ["", "BH/C1,BH,SB"])
def test_swapped_ranks(listed: str) -> None:
    tie_breaks = announced(listed)
    places = standings(EVENT, tie_breaks)
    ranks = {place.card.number: place.rank for place in places}
    right = DeclaredEvent(sheet=EVENT, ranks=ranks, tie_breaks=tie_breaks)
    assert kinds(right) == set()
    first = places[0].card.number
    other = next(place.card.number for place in places if place.rank > 1)
    ranks[first], ranks[other] = ranks[other], ranks[first]
    assert kinds(replace(right, ranks=ranks)) == {Kind.RANKS}


def test_one_wrong_rank_is_one_difference() -> None:
    places = standings(EVENT, announced("BH/C1,BH,SB"))
    ranks = {place.card.number: place.rank for place in places}
    ranks[places[0].card.number] = len(ranks) + 1
    wrong = DeclaredEvent(sheet=EVENT, ranks=ranks, tie_breaks=announced("BH/C1,BH,SB"))
    (found,) = check(wrong)
    assert found.kind is Kind.RANKS


def test_swapped_starting_numbers() -> None:
    one, two = EVENT.cards[1], EVENT.cards[2]
    assert one.rating is not None
    assert two.rating is not None
    swapped = {**EVENT.cards, 1: replace(one, rating=1), 2: replace(two, rating=2)}
    sheet = ScoreSheet(EVENT.system, swapped, EVENT.rounds, EVENT.played)
    assert Kind.NUMBERS in kinds(DeclaredEvent(sheet=sheet))
    assert Kind.NUMBERS not in kinds(DeclaredEvent(sheet=sheet, by_rating=False))
