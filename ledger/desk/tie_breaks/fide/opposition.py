"""C.07, articles 8 and 9: tie-breaks of the opponents' scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from ledger.desk.score_sheet import Card, ScoreSheet
from ledger.desk.tie_breaks.fide.modifiers import (
    Contribution,
    Cut,
    cut_note,
    halves,
    mean_of,
    quarters,
)
from ledger.desk.tie_breaks.fide.unplayed_rounds import (
    Encounter,
    RoundReading,
    encounters,
    is_swiss,
    rows,
)
from ledger.desk.tie_breaks.tie_break import Each, Part, Value
from ledger.rating.rounding import half_up
from ledger.wording import Message

_THOUSANDTHS: Final = 1000

# 8 Buchholz


def buchholz(reading: RoundReading, cut: Cut) -> Each:
    """8.1 BH: the sum of the opponents' scores; 8.3 FB: as if all had drawn the last round."""

    def each(sheet: ScoreSheet, card: Card) -> Value:
        met = encounters(sheet, card, reading)
        given = [Contribution(one.score, one.score, one.voluntary) for one in met]
        total, counted = _without(given, cut)
        parts = tuple(
            Part(
                one.line.round, one.line.opponent, halves(one.score), counts,
                cut_note(one.note, counted=counts), one.adjusted,
            )
            for one, counts in zip(met, counted, strict=True)
        )  # fmt: skip
        return Value(halves(total), parts)

    return each


def average_buchholz(reading: RoundReading) -> Each:
    """8.2 AOB: the mean Buchholz (or Fore Buchholz) of the opponents met over the board.

    It is compared exactly and shown with three decimals: in up to 22 rounds two that differ are
    shown so. 0 for who met nobody.
    """

    def each(sheet: ScoreSheet, card: Card) -> Value:
        of_all = _buchholz_of_all(sheet, reading)
        parts = tuple(
            Part(line.round, line.opponent, halves(of_all[line.opponent]))
            for line in rows(sheet, card)
            if line.played and line.opponent is not None
        )
        how = Message.of("fide.mean", games=len(parts))
        mean = mean_of(parts)
        shown = Fraction(half_up(mean * _THOUSANDTHS), _THOUSANDTHS)
        return Value(shown, parts, how=how, order=mean)

    return each


def _buchholz_of_all(sheet: ScoreSheet, reading: RoundReading) -> Mapping[int, int]:
    return sheet.cached(
        f"fide buchholz {reading}",
        (
            (number, sum(one.score for one in encounters(sheet, card, reading)))
            for number, card in sheet.cards.items()
        ),
    )


def _without(given: Sequence[Contribution], cut: Cut) -> tuple[int, list[bool]]:
    """Returns the sum without what is cut, and which places count."""
    places = cut.places(given)
    counted = [place not in places for place in range(len(given))]
    amounts = (one.amount for one, counts in zip(given, counted, strict=True) if counts)
    return sum(amounts), counted


# 9 Sonneborn-Berger and Koya


def sonneborn_berger(reading: RoundReading, cut: Cut) -> Each:
    """9.1 SB: the sum of each opponent's score times the points made; 13.2.1 EMMSB for teams.

    14.1.1: it is the opponent with the lowest score who is cut, of several the lowest product.
    """

    def each(sheet: ScoreSheet, card: Card) -> Value:
        met = encounters(sheet, card, reading)
        return products([(one, one.line.halves) for one in met], cut)

    return each


def products(met: Sequence[tuple[Encounter, int]], cut: Cut) -> Value:
    """Returns the sum of scores times half points that were made against them."""
    given = [Contribution(one.score, one.score * made, one.voluntary) for one, made in met]
    total, counted = _without(given, cut)
    parts = tuple(
        Part(
            one.line.round, one.line.opponent, quarters(product.amount), counts,
            cut_note(one.note, counted=counts), one.adjusted,
        )
        for (one, _), product, counts in zip(met, given, counted, strict=True)
    )  # fmt: skip
    return Value(quarters(total), parts)


def koya(limit: int) -> Each:
    """9.2 KS: points against those who made half of the possible points or more.

    14.5: ``limit`` moves the half by half points. Games by default count.
    """

    def each(sheet: ScoreSheet, card: Card) -> Value:
        least = sheet.win * _most_games(sheet) + 2 * limit  # twice the half points
        parts = []
        for line in rows(sheet, card):
            if line.opponent is not None:
                counts = 2 * sheet.halves[line.opponent] >= least
                note = "" if counts else "below-limit"
                parts.append(Part(line.round, line.opponent, halves(line.halves), counts, note))
        return Value.total(parts)

    return each


def _most_games(sheet: ScoreSheet) -> int:
    """Returns in how many rounds points could be made; to rest in a round robin is none."""
    if is_swiss(sheet):
        return sheet.played
    most = sheet.cached(
        "fide most games",
        ((0, max((len(list(rows(sheet, card))) for card in sheet.cards.values()), default=0)),),
    )
    return most[0]
