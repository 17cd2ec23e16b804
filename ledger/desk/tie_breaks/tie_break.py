"""What a tie-break is: a value for each participant, with the rounds that it comes from.

The explanation is the calculation: an amount is the sum of its parts, which say opponent by
opponent what was given, what was cut and what stood in for a game that was not played; where it is
no sum, ``how`` says what is made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from ledger.desk.score_sheet import WIN, Card, CardLine, How, ScoreSheet
from ledger.rating.decimal_text import exact
from ledger.wording import Message


@dataclass(frozen=True, slots=True)
class Adjustment:
    """An opponent's score that counts otherwise than it was made: both in points.

    ``rule`` says by what, as the end of a key ``part.by_*``.
    """

    made: Fraction
    counts: Fraction
    rule: str

    @classmethod
    def between(cls, made: int, counts: int, rule: str) -> Adjustment | None:
        """Returns the adjustment of a score in half points; None where it counts as it is."""
        return cls(Fraction(made, 2), Fraction(counts, 2), rule) if made != counts else None

    @property
    def message(self) -> Message:
        """Says from what to what, and by which rule."""
        rule = Message.of(f"part.by_{self.rule}")
        return Message.of(
            "part.adjusted_from", made=exact(self.made), counts=exact(self.counts), rule=rule
        )


@dataclass(frozen=True, slots=True)
class Part:
    """What a round gave to a value, in points (or what else the tie-break counts).

    ``counted`` is false where it was cut. ``note`` says what is special about it, as the end of a
    key ``part.*`` ("" for nothing): ``cut``, ``virtual``, ``unplayed``, ``adjusted`` …. Where the
    opponent's score was adjusted, ``adjusted`` is from what to what.
    """

    round: int
    opponent: int | None
    amount: Fraction
    counted: bool = True
    note: str = ""
    adjusted: Adjustment | None = None


@dataclass(frozen=True, slots=True)
class Value:
    """What a tie-break gives a participant; the greater one stands higher.

    ``amount`` is None where there is none. ``why`` says why it decides nothing, with an amount or
    without one. ``how`` says how the amount comes from the parts, where it is not their sum.
    ``again`` is the value when the tie-break was asked again among those who were still tied.
    ``order`` is what orders the tied where the greater amount does not stand higher.
    """

    amount: Fraction | None
    parts: tuple[Part, ...] = ()
    why: Message | None = None
    how: Message | None = None
    again: Value | None = None
    order: Fraction | None = None

    @classmethod
    def total(cls, parts: Iterable[Part]) -> Value:
        """Returns the sum of the parts that count."""
        parts = tuple(parts)
        return cls(_sum([part.amount for part in parts if part.counted]), parts)

    @property
    def decides(self) -> bool:
        """Whether it may order the tied."""
        return self.amount is not None and self.why is None

    @property
    def ordered_by(self) -> Fraction | None:
        """What orders the tied, the greatest first; None where nothing does."""
        return self.amount if self.order is None else self.order


def _sum(amounts: Sequence[Fraction]) -> Fraction:
    """Returns an exact sum; whole numbers over 4 are added as such, for they are most of all."""
    quarters = 0
    for amount in amounts:
        scale, rest = divmod(4, amount.denominator)
        if rest:
            return sum(amounts, Fraction(0))
        quarters += amount.numerator * scale
    return Fraction(quarters, 4)


Each: TypeAlias = Callable[[ScoreSheet, Card], Value]
"""A tie-break that looks at one participant: the value is the same whoever is tied."""

Among: TypeAlias = Callable[[ScoreSheet, Sequence[Card]], Mapping[int, Value] | None]
"""A tie-break of the tied: values by number; None where it cannot be used among them."""

Unfair: TypeAlias = Callable[[ScoreSheet, Sequence[Card]], Message | None]
"""Says why values cannot be compared among the tied; None where they can."""


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A tie-break by its code, as it is announced.

    Exactly one of ``each`` and ``among`` is there. ``again``: where it parts some of the tied, it
    is asked again among those who are still tied. ``unfair`` is the condition of an ``each`` that
    compares only some. ``article`` is where the rule stands.
    """

    code: str
    article: str
    each: Each | None = None
    among: Among | None = None
    again: bool = False
    unfair: Unfair | None = None


# Score sheets of the boards of teams: their points together, and each board by itself


def boards_of_matches(sheet: ScoreSheet) -> int:
    """Returns how many boards a match has; 0 where the participants are no teams."""
    lines = (line for card in sheet.cards.values() for line in card.lines)
    return max((len(line.boards) for line in lines), default=0)


def by_board_points(sheet: ScoreSheet) -> ScoreSheet:
    """Returns the sheet whose scores are the points of the boards (FIDE C.07 11.1: game points)."""
    return sheet.derived("board points", _by_board_points)


def _by_board_points(sheet: ScoreSheet) -> ScoreSheet:
    win = WIN * max(1, boards_of_matches(sheet))
    return _made(sheet, lambda line: replace(line, halves=line.board_halves), win)


def of_board(sheet: ScoreSheet, board: int) -> ScoreSheet:
    """Returns the sheet of a board, from 1: a team meets on it the same teams, whoever plays."""
    return sheet.derived(
        f"board {board}", lambda of: _made(of, lambda line: _board(line, board), WIN)
    )


def _board(line: CardLine, board: int) -> CardLine:
    """Returns a line of a board; without a match the board was not played, and brings nothing."""
    if len(line.boards) < board:
        return replace(line, halves=0, how=How.UNPAIRED if line.paired else line.how)
    return line.boards[board - 1]


def _made(sheet: ScoreSheet, change: Callable[[CardLine], CardLine], win: int) -> ScoreSheet:
    cards = {
        number: replace(card, lines=tuple(map(change, card.lines)))
        for number, card in sheet.cards.items()
    }
    return ScoreSheet(sheet.system, cards, sheet.rounds, sheet.played, win)
