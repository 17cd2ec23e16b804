"""C.07, articles 11 to 13: tie-breaks of the boards of team matches.

Match points are a team's scores, game points the points of its boards (11.1). A match won is worth
a point here, as the manual has it, and not two: values with match points are half, or a quarter, of
those on FIDE's scale, and put teams in the same order.

Article 12 counts boards won and lost by default as results, and a pairing-allocated bye as a win on
every board. Direct encounters look at the matches of the tied only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final, TypeAlias

from ledger.desk.score_sheet import WIN, Card, CardLine, How, ScoreSheet
from ledger.desk.tie_breaks.fide.direct_encounter import direct_encounter
from ledger.desk.tie_breaks.fide.modifiers import Cut, halves
from ledger.desk.tie_breaks.fide.opposition import buchholz, products
from ledger.desk.tie_breaks.fide.unplayed_rounds import RoundReading, encounters, rows
from ledger.desk.tie_breaks.tie_break import (
    Among,
    Each,
    Part,
    Value,
    boards_of_matches,
    by_board_points,
)
from ledger.rating.decimal_text import exact
from ledger.rating.rounding import half_up
from ledger.wording import Message

_THOUSANDTHS: Final = 1000


def each_by_game_points(each: Each) -> Each:
    """13: a tie-break with game points in place of match points (``:GP``)."""

    def by_boards(sheet: ScoreSheet, card: Card) -> Value:
        of = by_board_points(sheet)
        return each(of, of.cards[card.number])

    return by_boards


def among_by_game_points(among: Among) -> Among:
    """13: a tie-break of the tied with game points in place of match points (``:GP``)."""

    def by_boards(sheet: ScoreSheet, tied: Sequence[Card]) -> Mapping[int, Value] | None:
        of = by_board_points(sheet)
        return among(of, [of.cards[card.number] for card in tied])

    return by_boards


# 12 Boards


def board_points(sheet: ScoreSheet, card: Card) -> list[int]:
    """Returns what each board brought a team, from the first, in half points."""
    boards = boards_of_matches(sheet)
    found = [0] * boards
    for line in card.lines:
        for place, made in enumerate(_each_board(line, boards)):
            found[place] += made
    return found


def _each_board(line: CardLine, boards: int) -> list[int]:
    """12: by default counts as played; a bye of the pairing is a win on every board."""
    if line.how is How.ALLOCATED_BYE:
        return [WIN] * boards
    return [board.halves for board in line.boards]


def board_count(sheet: ScoreSheet, card: Card) -> Value:
    """12.1 BC: the number of each board times what it brought; the lower stands higher."""
    parts = tuple(_weighted(sheet, card))
    total = sum((part.amount for part in parts), Fraction(0))
    return Value(total, parts, order=-total)


def _weighted(sheet: ScoreSheet, card: Card) -> Iterator[Part]:
    boards = boards_of_matches(sheet)
    for line in card.lines:
        made = _each_board(line, boards)
        if any(made):
            count = sum(number * each for number, each in enumerate(made, start=1))
            yield Part(line.round, line.opponent, halves(count))


def unequal_game_points(_: ScoreSheet, tied: Sequence[Card]) -> Message | None:
    """12.1: board counts are compared among teams with equal game points only."""
    points = {sum(line.board_halves for line in card.lines) for card in tied}
    return Message.of("fide.unequal_game_points") if len(points) > 1 else None


def top_boards(sheet: ScoreSheet, card: Card) -> Value:
    """12.2 TBR: the points of board 1, of equal ones those of board 2, and so on."""
    return _one_after_the_other(sheet, board_points(sheet, card))


def bottom_boards(sheet: ScoreSheet, card: Card) -> Value:
    """12.3 BBE: the points of all boards but the last, then without the last two, and so on."""
    points = board_points(sheet, card)
    return _one_after_the_other(sheet, [sum(points[:end]) for end in range(len(points) - 1, 0, -1)])


def _one_after_the_other(sheet: ScoreSheet, points: Sequence[int]) -> Value:
    """Returns the first figure; it orders together with those behind it."""
    base = 1 + WIN * max(1, sheet.played) * max(1, boards_of_matches(sheet))
    order = Fraction(0)
    for figure in points:
        order = order * base + figure
    said = ", ".join(exact(halves(figure)) for figure in points)
    amount = halves(points[0]) if points else Fraction(0)
    return Value(amount, how=Message.of("fide.one_after_the_other", points=said), order=order)


# 13 Teams


def other_score(_: ScoreSheet, card: Card) -> Value:
    """13.1 MPvGP: game points, for places are by match points."""
    return Value.total(
        Part(line.round, line.opponent, halves(line.board_halves))
        for line in card.lines
        if line.board_halves
    )


def extended_sonneborn_berger(scores: str, results: str, reading: RoundReading, cut: Cut) -> Each:
    """13.2 ESB: the opponents' scores times what was made against them.

    ``scores`` and ``results`` are ``M`` for match points, ``G`` for game points.
    """

    def each(sheet: ScoreSheet, card: Card) -> Value:
        of_scores, of_results = (
            by_board_points(sheet) if kind == "G" else sheet for kind in (scores, results)
        )
        met = encounters(of_scores, of_scores.cards[card.number], reading)
        lines = rows(of_results, of_results.cards[card.number])
        made = [line.halves for line in lines]
        return products(list(zip(met, made, strict=True)), cut)

    return each


def strength_combination(reading: RoundReading, factor: int | None) -> Each:
    """13.4 SSSC: game points, and Buchholz by match points divided by a factor.

    Without one it is the most match points of the event by the most game points of a match, cut to
    a whole number; at least 1. Match points count two for a win here, as FIDE has it.
    """

    def each(sheet: ScoreSheet, card: Card) -> Value:
        boards = max(1, boards_of_matches(sheet))
        by = factor or max(1, WIN * sheet.rounds // boards)
        strength = buchholz(reading, Cut())(sheet, card).amount
        assert strength is not None
        points = halves(sum(line.board_halves for line in card.lines))
        total = points + 2 * strength / by
        how = Message.of(
            "fide.combination", points=exact(points), strength=exact(2 * strength), factor=by
        )
        return Value(Fraction(half_up(total * _THOUSANDTHS), _THOUSANDTHS), how=how, order=total)

    return each


# 13.3 Extended direct encounter

_Boards: TypeAlias = Callable[[ScoreSheet, Card], Value]
BEHIND: Final[Mapping[str, tuple[_Boards, ...]]] = {
    "EDE": (),
    "EDEBT": (board_count, top_boards),
    "EDEBB": (board_count, bottom_boards),
    "EDET": (top_boards,),
    "EDEB": (bottom_boards,),
}
"""13.3.2: what is asked of the match of two teams that direct encounters leave tied."""


def extended_direct_encounter(name: str, *, forfeits: bool) -> Among:
    """13.3 EDE: direct encounter by match points; where it parts nobody, by game points.

    Of exactly two teams that are still tied, the boards of their matches are asked. Where it parts
    some, it begins again among those who are still equal (13.3.3): the standings ask again.
    """
    by_matches = direct_encounter(forfeits=forfeits)
    by_games = among_by_game_points(by_matches)

    def among(sheet: ScoreSheet, tied: Sequence[Card]) -> Mapping[int, Value] | None:
        found = by_matches(sheet, tied)
        if _parts(found):
            return found
        found = by_games(sheet, tied)
        if _parts(found) or len(tied) != _TWO:
            return found
        own = [_between(card, tied, forfeits=forfeits) for card in tied]
        for asked in BEHIND[name]:
            of_boards = {card.number: asked(sheet, card) for card in own}
            if _parts(of_boards):
                return of_boards
        return found

    return among


_TWO: Final = 2


def _parts(found: Mapping[int, Value] | None) -> bool:
    """Whether values put at least one of the tied above another."""
    values = list((found or {}).values())
    return all(v.decides for v in values) and len({v.ordered_by for v in values}) > 1


def _between(card: Card, tied: Sequence[Card], *, forfeits: bool) -> Card:
    """Returns a card with the matches among the tied only."""
    numbers = {each.number for each in tied}
    counted = {How.PLAYED, How.FORFEIT} if forfeits else {How.PLAYED}
    lines = (line for line in card.lines if line.opponent in numbers and line.how in counted)
    return replace(card, lines=tuple(lines))
