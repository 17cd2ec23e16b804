"""C.07, article 7: tie-breaks of a participant's own results and data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from ledger.desk.score_sheet import WIN, Card, CardLine, How, ScoreSheet
from ledger.desk.tie_breaks.fide.modifiers import halves, whole
from ledger.desk.tie_breaks.fide.unplayed_rounds import (
    DRAW,
    TieBreakEdition,
    counts_as_game,
    is_lost_by_default,
    is_requested,
    is_swiss,
    rows,
)
from ledger.desk.tie_breaks.tie_break import Each, Part, Value
from ledger.terms import Colour


def wins(sheet: ScoreSheet, card: Card) -> Value:
    """7.1 WIN: rounds that brought the points of a win, with or without playing."""
    return _count(sheet, card, lambda line: line.halves >= WIN)


def games_won(edition: TieBreakEdition) -> Each:
    """7.2 WON: games won over the board."""

    def each(sheet: ScoreSheet, card: Card) -> Value:
        return _count(
            sheet,
            card,
            lambda line: line.halves >= WIN and counts_as_game(sheet, line, edition),
        )

    return each


def games_with_black(edition: TieBreakEdition, *, won: bool) -> Each:
    """7.3 BPG: games with Black over the board; 7.4 BWG: those that were won."""

    def each(sheet: ScoreSheet, card: Card) -> Value:
        return _count(
            sheet,
            card,
            lambda line: (
                line.colour is Colour.BLACK
                and (line.halves >= WIN or not won)
                and counts_as_game(sheet, line, edition)
            ),
        )

    return each


def progressive_scores(cut: int) -> Each:
    """7.5 PS: the sum of the scores after each round; 14.1.1 without those of the first rounds.

    Games of no round (awarded) are added after the last one.
    """

    def each(_sheet: ScoreSheet, card: Card) -> Value:
        rounds = [line for line in card.lines if line.round]
        of_no_round = card.halves - sum(line.halves for line in rounds)
        running, total, parts = 0, 0, []
        for place, line in enumerate(rounds, start=1):
            running += line.halves + (of_no_round if place == len(rounds) else 0)
            counted = place > cut
            total += running if counted else 0
            note = "" if counted else "cut"
            parts.append(Part(line.round, line.opponent, halves(running), counted, note))
        return Value(halves(total), tuple(parts))

    return each


def rounds_elected(edition: TieBreakEdition) -> Each:
    """7.6 REP: rounds without requested byes and losses by default.

    15.2: in a round robin a loss by default was a regular game until 2026.
    """

    def each(sheet: ScoreSheet, card: Card) -> Value:
        regular = not is_swiss(sheet) and not edition.defaults_unplayed
        return _count(
            sheet,
            card,
            lambda line: not is_requested(line) and (regular or not is_lost_by_default(line)),
        )

    return each


def standard_points(sheet: ScoreSheet, card: Card) -> Value:
    """7.7 STD: 1 for each round with more points than the scheduled opponent, ½ for as many.

    A round without playing is compared with the points of a draw instead.
    """
    parts = [
        Part(line.round, line.opponent, halves(made))
        for line in rows(sheet, card)
        if (made := _standard(sheet, card, line))
    ]
    return Value.total(parts)


def _standard(sheet: ScoreSheet, card: Card, line: CardLine) -> int:
    if line.how is How.OPEN:
        return 0
    against = DRAW if line.how is not How.PLAYED else _opponents_halves(sheet, card, line)
    return (line.halves >= against) + (line.halves > against)


def _opponents_halves(sheet: ScoreSheet, card: Card, line: CardLine) -> int:
    """Returns what the opponent of a game made in it."""
    assert line.opponent is not None
    lines = sheet.cards[line.opponent].lines
    place = line.round - 1
    facing = lines[place] if place < len(lines) else None
    if facing is None or (facing.round, facing.opponent) != (line.round, card.number):
        facing = sheet.cards[line.opponent].line(line.round)
    return WIN - line.halves if facing is None else facing.halves


def pairing_number(*, reversed_: bool) -> Each:
    """7.8 TPN: the lower number first, or the higher one (/R)."""

    def each(_sheet: ScoreSheet, card: Card) -> Value:
        number = Fraction(card.number)
        return Value(number, order=number if reversed_ else -number)

    return each


def _count(sheet: ScoreSheet, card: Card, counts: Callable[[CardLine], bool]) -> Value:
    parts = tuple(_ones(rows(sheet, card), counts))
    return Value(whole(len(parts)), parts)


def _ones(lines: Iterator[CardLine], counts: Callable[[CardLine], bool]) -> Iterator[Part]:
    one = whole(1)
    for line in lines:
        if counts(line):
            yield Part(line.round, line.opponent, one)
