"""C.07, article 10: tie-breaks of ratings, for players.

Only games over the board count, in round robins as well (15.2). They are refused where somebody
is not rated, unless a rating that stands for none was announced (``/U1400``). The tables dp(p) and
PD(D) are those of B.02, 8.1.

What the text leaves open: p is rounded to a whole per cent, halves up; who met nobody over the
board has 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Final

from ledger.desk.score_sheet import Card, CardLine, ScoreSheet
from ledger.desk.tie_breaks.fide.modifiers import (
    Contribution,
    Cut,
    cut_note,
    mean_of,
    whole,
)
from ledger.desk.tie_breaks.tie_break import Each, Part, Value
from ledger.rating.rounding import half_up, whole_percent
from ledger.regulations.fide_first_ratings import DP
from ledger.regulations.printed_tables import P_OF_D
from ledger.wording import Message

_BEYOND: Final = 800  # 10.3: below the lowest opponent for no points at all
_HUNDREDTHS: Final = P_OF_D.scale
_CERTAIN: Final = len(P_OF_D.higher)  # points of difference: from there the table has no more rows


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of an event; ``substitute`` was announced for who has none."""

    substitute: int | None = None

    def of(self, card: Card) -> int:
        """Returns a participant's rating; everybody has one (see ``lacking``)."""
        rating = self.substitute if card.rating is None else card.rating
        assert rating is not None
        return rating

    def lacking(self, sheet: ScoreSheet) -> Message | None:
        """10: returns why ratings cannot be used; None where everybody has one."""
        if self.substitute is not None:
            return None
        unrated = sheet.cached(
            "fide unrated",
            (
                (n, 0)
                for n, card in sheet.cards.items()
                if card.rating is None and not card.cancelled
            ),
        )
        if not unrated:
            return None
        return Message.of("fide.unrated", count=len(unrated), first=min(unrated))


@dataclass(frozen=True, slots=True)
class _Results:
    """What a player made over the board, and against which ratings."""

    lines: tuple[CardLine, ...]
    ratings: tuple[int, ...]

    @property
    def halves(self) -> int:
        return sum(line.halves for line in self.lines)


def _results(sheet: ScoreSheet, card: Card, ratings: Ratings) -> _Results:
    lines = tuple(line for line in card.lines if line.played)
    met = (sheet.cards[line.opponent] for line in lines if line.opponent is not None)
    return _Results(lines, tuple(ratings.of(opponent) for opponent in met))


def average_rating(ratings: Ratings, cut: Cut) -> Each:
    """10.1 ARO: the opponents' mean rating in whole points, halves up."""

    def each(sheet: ScoreSheet, card: Card) -> Value:
        made = _results(sheet, card, ratings)
        places = cut.places([Contribution(rating, rating) for rating in made.ratings])
        parts = _of_opponents(made.lines, made.ratings, places)
        return _rounded_mean(parts)

    return _if_rated(ratings, each)


def performance_rating(ratings: Ratings) -> Each:
    """10.2 TPR: ARO and the difference dp of the share of points."""

    def each(sheet: ScoreSheet, card: Card) -> Value:
        made = _results(sheet, card, ratings)
        parts = _of_opponents(made.lines, made.ratings)
        if not parts:
            return Value(whole(0))
        percent = whole_percent(made.halves, len(parts))
        mean = half_up(mean_of(parts))
        how = Message.of("fide.performance", mean=mean, percent=percent, points=DP[percent])
        return Value(whole(mean + DP[percent]), parts, how=how)

    return _if_rated(ratings, each)


def perfect_performance(ratings: Ratings) -> Each:
    """10.3 PTP: the lowest rating from which as many points were to be expected.

    Game by game by the whole table PD; without points it lies 800 below the lowest opponent.
    """

    def each(sheet: ScoreSheet, card: Card) -> Value:
        made = _results(sheet, card, ratings)
        if not made.ratings:
            return Value(whole(0))
        parts = _of_opponents(made.lines, made.ratings)
        how = Message.of("fide.perfect", games=len(parts))
        return Value(whole(_perfect(made.halves, made.ratings)), parts, how=how)

    return _if_rated(ratings, each)


def _perfect(halves: int, ratings: Sequence[int]) -> int:
    """10.3: returns the lowest whole rating whose expected score reaches the score."""
    if halves == 0:
        return min(ratings) - _BEYOND
    wanted = halves * _HUNDREDTHS
    lowest, reached = min(ratings) - _CERTAIN, max(ratings) + _CERTAIN
    while reached - lowest > 1:  # the score is not reached at the lowest
        middle = (lowest + reached) // 2
        if 2 * sum(_expected(middle - rating) for rating in ratings) >= wanted:
            reached = middle
        else:
            lowest = middle
    return reached


@cache
def _expected(difference: int) -> int:
    """Returns the expected score of a game in hundredths (B.02, 8.1.2)."""
    return P_OF_D.one(difference)


def average_of_opponents(ratings: Ratings, figure: Callable[[Ratings], Each]) -> Each:
    """10.4 APRO, 10.5 APPO: the opponents' mean TPR or PTP in whole points, halves up."""
    of_one = figure(ratings)
    name = f"fide {figure.__name__} {ratings.substitute}"

    def figures(sheet: ScoreSheet) -> Mapping[int, int]:
        return sheet.cached(
            name, ((n, _whole(of_one(sheet, card))) for n, card in sheet.cards.items())
        )

    def each(sheet: ScoreSheet, card: Card) -> Value:
        of_all = figures(sheet)
        lines = tuple(line for line in card.lines if line.played)
        met = [of_all[line.opponent] for line in lines if line.opponent is not None]
        return _rounded_mean(_of_opponents(lines, met))

    return _if_rated(ratings, each)


def own_rating(ratings: Ratings, *, reversed_: bool) -> Each:
    """10.6 RTNG: the higher rating first, or the lower one (/R)."""

    def each(_sheet: ScoreSheet, card: Card) -> Value:
        rating = Fraction(ratings.of(card))
        return Value(rating, order=-rating if reversed_ else None)

    return _if_rated(ratings, each)


def _if_rated(ratings: Ratings, each: Each) -> Each:
    def of_rated(sheet: ScoreSheet, card: Card) -> Value:
        why = ratings.lacking(sheet)
        return Value(None, why=why) if why else each(sheet, card)

    return of_rated


def _of_opponents(
    lines: Sequence[CardLine], figures: Sequence[int], cut: frozenset[int] | set[int] = frozenset()
) -> tuple[Part, ...]:
    """Returns a part for each game: a figure of the opponent."""
    return tuple(
        Part(line.round, line.opponent, whole(figure), place not in cut,
             cut_note("", counted=place not in cut))
        for place, (line, figure) in enumerate(zip(lines, figures, strict=True))
    )  # fmt: skip


def _rounded_mean(parts: Sequence[Part]) -> Value:
    games = sum(part.counted for part in parts)
    how = Message.of("fide.rounded_mean", games=games)
    return Value(whole(half_up(mean_of(parts))), tuple(parts), how=how)


def _whole(value: Value) -> int:
    assert value.amount is not None
    return int(value.amount)
