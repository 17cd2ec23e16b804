"""Laws of FIDE's tie-breaks on events by chance."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.desk.score_sheet import Card, CardLine, How, ScoreSheet
from ledger.desk.standings import standings
from ledger.desk.tie_breaks.fide.descriptors import fide_tie_break
from ledger.desk.tie_breaks.tie_break import Each, TieBreak, Value
from ledger.terms import Colour, System

OF_2024, OF_2026 = dt.date(2025, 1, 1), dt.date(2026, 3, 1)
BYES = {How.ALLOCATED_BYE: 2, How.FULL_BYE: 2, How.HALF_BYE: 1, How.ZERO_BYE: 0, How.UNPAIRED: 0}
REQUESTED = (How.HALF_BYE, How.ZERO_BYE, How.UNPAIRED)
SUMS = (
    "BH", "BH/C1", "BH/M1", "BH/C2/P", "FB", "FB/C1", "SB", "SB/C1", "SB/P", "PS", "PS/C1", "WIN",
    "WON", "BPG", "BWG", "REP", "STD", "KS", "KS/L-1",
)  # fmt: skip


@st.composite
def sheets(draw: st.DrawFn, *, plain: bool = False) -> ScoreSheet:
    """Events of three to twelve players; ``plain`` ones have games over the board alone."""
    players, rounds = draw(st.integers(2, 6)) * 2, draw(st.integers(1, 7))
    chance = Random(draw(st.integers(0, 2**32)))  # noqa: S311 - by chance, not secret
    lines: dict[int, list[CardLine]] = {number: [] for number in range(1, players + 1)}
    for round_ in range(1, rounds + 1):
        order = chance.sample(sorted(lines), players)
        while order:
            if not plain and (chance.random() < 0.3 or len(order) == 1):
                how = chance.choice(list(BYES))
                lines[order.pop()].append(CardLine(round_, how, BYES[how]))
                continue
            white, black = order.pop(), order.pop()
            forfeit = not plain and chance.random() < 0.2
            how = How.FORFEIT if forfeit else How.PLAYED
            scores = ((2, 0), (0, 2), (0, 0)) if forfeit else ((2, 0), (0, 2), (1, 1))
            made = chance.choice(scores)
            lines[white].append(CardLine(round_, how, made[0], black, Colour.WHITE))
            lines[black].append(CardLine(round_, how, made[1], white, Colour.BLACK))
    cards = {
        number: Card(number, str(number), tuple(of_one), chance.randrange(1400, 2600))
        for number, of_one in lines.items()
    }
    return ScoreSheet(System.SWISS, cards, rounds, rounds)


def each(code: str, on: dt.date = OF_2026) -> Each:
    made = fide_tie_break(code, on, System.SWISS).each
    assert made is not None
    return made


def amount(sheet: ScoreSheet, number: int, code: str, on: dt.date = OF_2026) -> Fraction:
    found = each(code, on)(sheet, sheet.cards[number]).amount
    assert found is not None
    return found


@given(sheets(), st.sampled_from(SUMS), st.sampled_from((OF_2024, OF_2026)))
def test_an_amount_is_the_sum_of_its_parts(sheet: ScoreSheet, code: str, on: dt.date) -> None:
    for card in sheet.cards.values():
        found = each(code, on)(sheet, card)
        assert found.amount == Value.total(found.parts).amount


@given(sheets(), st.sampled_from(("BH", "FB", "SB", "PS")), st.integers(1, 8))
def test_a_cut_never_raises_a_sum(sheet: ScoreSheet, code: str, cut: int) -> None:
    for number in sheet.cards:
        assert amount(sheet, number, f"{code}/C{cut}") <= amount(sheet, number, code)


@given(sheets(plain=True))
def test_buchholz_of_all_is_each_score_times_the_rounds(sheet: ScoreSheet) -> None:
    """With games over the board alone each score is given to every opponent."""
    total = sum(amount(sheet, number, "BH") for number in sheet.cards)
    assert total == sheet.played * Fraction(sum(sheet.halves.values()), 2)


@given(sheets(plain=True), st.sampled_from(("BH", "BH/M1", "FB/C1", "SB/C1", "KS", "AOB")))
def test_editions_agree_where_all_was_played(sheet: ScoreSheet, code: str) -> None:
    for number in sheet.cards:
        assert amount(sheet, number, code, OF_2024) == amount(sheet, number, code, OF_2026)


@given(sheets())
def test_who_stands_in_has_bounds(sheet: ScoreSheet) -> None:
    """16.4: not more than the own score, and since 2026 than a draw in every round of a bye."""
    for card in sheet.cards.values():
        own = Fraction(card.halves, 2)
        for line, old, new in zip(
            card.lines,
            each("BH", OF_2024)(sheet, card).parts,
            each("BH", OF_2026)(sheet, card).parts,
            strict=True,
        ):
            assert new.amount <= old.amount
            if line.how is not How.PLAYED:
                assert old.amount == own
            if line.opponent is None:
                assert new.amount == min(own, Fraction(sheet.played, 2))


@given(sheets(), st.sampled_from((OF_2024, OF_2026)))
def test_buchholz_by_another_calculation(sheet: ScoreSheet, on: dt.date) -> None:
    for card in sheet.cards.values():
        expected = sum(literal(sheet, card, line, on) for line in card.lines)
        assert amount(sheet, card.number, "BH", on) == expected
        products = (
            literal(sheet, card, line, on) * Fraction(line.halves, 2) for line in card.lines
        )
        assert amount(sheet, card.number, "SB", on) == sum(products)


def literal(sheet: ScoreSheet, card: Card, line: CardLine, on: dt.date) -> Fraction:
    """Returns what a round brings by articles 16.3 and 16.4, word by word."""
    if line.how is How.PLAYED:
        assert line.opponent is not None
        return literal_score(sheet.cards[line.opponent])
    own = Fraction(card.halves, 2)
    if on == OF_2024:
        return own
    if line.how is How.FORFEIT:
        assert line.opponent is not None
        return min(own, literal_score(sheet.cards[line.opponent]))
    return min(own, Fraction(sheet.rounds, 2))


def literal_score(card: Card) -> Fraction:
    """16.3: the score, with half a point for each requested bye of category 16.2.5."""

    def voluntary(line: CardLine) -> bool:
        return line.how in REQUESTED or (line.how is How.FORFEIT and line.halves == 0)

    def is_last(line: CardLine) -> bool:
        return all(voluntary(later) for later in card.lines if later.round > line.round)

    drawn = [line for line in card.lines if line.how in REQUESTED and is_last(line)]
    return Fraction(card.halves + sum(1 - line.halves for line in drawn), 2)


def ranks(sheet: ScoreSheet, *tie_breaks: TieBreak) -> dict[int, int]:
    return {place.card.number: place.rank for place in standings(sheet, tie_breaks)}


@given(sheets(), st.randoms(use_true_random=False), st.sampled_from(("DE", "DE/P")))
def test_direct_encounter_does_not_depend_on_the_order_of_the_cards(
    sheet: ScoreSheet, chance: Random, code: str
) -> None:
    numbers = list(sheet.cards)
    chance.shuffle(numbers)
    other = ScoreSheet(
        sheet.system, {n: sheet.cards[n] for n in numbers}, sheet.rounds, sheet.played
    )
    tie_break = fide_tie_break(code, OF_2026, System.SWISS)
    assert ranks(sheet, tie_break) == ranks(other, tie_break)


@given(sheets())
def test_a_place_by_direct_encounter_stands_whatever_missing_games_bring(
    sheet: ScoreSheet,
) -> None:
    """6.3: who is alone at the top is so with every missing game lost to every other."""
    tie_break = fide_tie_break("DE", OF_2026, System.SWISS)
    assert tie_break.among is not None
    for halves in set(sheet.halves.values()):
        group = [card for card in sheet.cards.values() if card.halves == halves]
        values = tie_break.among(sheet, group)
        assert values is not None
        best = max(values.values(), key=lambda value: value.ordered_by or Fraction(0))
        leaders = [n for n, value in values.items() if value.ordered_by == best.ordered_by]
        if best.decides and len(leaders) == 1 and len(group) > 1:
            first = values[leaders[0]]
            for card in group:
                if card.number != leaders[0]:
                    other = values[card.number]
                    met = {part.opponent for part in other.parts}
                    missing = len(group) - 1 - len(met)
                    assert (first.amount or 0) > (other.amount or 0) + missing


@pytest.mark.parametrize("code", ["ARO", "TPR", "PTP", "APRO", "APPO"])
@given(sheet=sheets(), points=st.integers(1, 300))
def test_ratings_that_are_all_higher_make_figures_as_much_higher(
    code: str, sheet: ScoreSheet, points: int
) -> None:
    higher = ScoreSheet(
        sheet.system,
        {
            n: Card(n, card.player, card.lines, (card.rating or 0) + points)
            for n, card in sheet.cards.items()
        },
        sheet.rounds,
        sheet.played,
    )
    for number, card in sheet.cards.items():
        if card.games:
            assert amount(higher, number, code) == amount(sheet, number, code) + points
