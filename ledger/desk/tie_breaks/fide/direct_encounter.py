"""C.07, article 6: direct encounter, the only tie-break of the games of the tied alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ledger.desk.score_sheet import Card, CardLine, How, ScoreSheet
from ledger.desk.tie_breaks.fide.unplayed_rounds import is_swiss
from ledger.desk.tie_breaks.tie_break import Among, Part, Value
from ledger.wording import Message

_LAST = Fraction(-1)  # below every sum of points


@dataclass(slots=True)
class _TiedRow:
    """What a participant made against the other tied; ``missing`` games were not played."""

    number: int
    win: int
    parts: list[Part] = field(default_factory=list)
    missing: int = 0

    @property
    def points(self) -> Fraction:
        return sum((part.amount for part in self.parts), Fraction(0))

    @property
    def at_best(self) -> Fraction:
        return self.points + Fraction(self.win * self.missing, 2)


def direct_encounter(*, forfeits: bool = False) -> Among:
    """6 DE: the standings of the games among the tied.

    They rank the tied where all have met (6.2). Else only who is alone at the top whatever the
    missing games bring is ranked, then who is so behind, and so on (6.3; in a round robin that is
    not over as well). Article 6 is applied again among those who are still equal: the standings
    ask again.

    Games by default are left out in a Swiss, unless ``forfeits`` (/P, 6.1.1).
    """

    def among(sheet: ScoreSheet, tied: Sequence[Card]) -> Mapping[int, Value]:
        by_default = forfeits or not is_swiss(sheet)
        table = _standings_of(tied, sheet.win, by_default=by_default)
        if not any(row.missing for row in table):
            return {row.number: Value(row.points, tuple(row.parts)) for row in table}
        return _certain(table)

    return among


def _certain(table: Sequence[_TiedRow]) -> dict[int, Value]:
    """6.3: returns the ranks that no outcome of the missing games could change."""
    rest = sorted(table, key=lambda row: (row.points, row.at_best), reverse=True)
    values: dict[int, Value] = {}
    while rest and all(rest[0].points > other.at_best for other in rest[1:]):
        first, *rest = rest
        how = Message.of("fide.certain_rank", rank=len(values) + 1)
        values[first.number] = Value(first.points, tuple(first.parts), how=how)
    missing = Message.of("fide.games_missing", count=len(table))
    some_are_certain = bool(values)
    for row in rest:
        parts = tuple(row.parts)
        if some_are_certain:
            values[row.number] = Value(row.points, parts, how=missing, order=_LAST)
        else:
            values[row.number] = Value(row.points, parts, why=missing)
    return values


def _standings_of(tied: Sequence[Card], win: int, *, by_default: bool) -> list[_TiedRow]:
    """6.1: the separate standings; 6.1.2: of several games of a pair the mean counts."""
    numbers = {card.number for card in tied}
    table = []
    for card in tied:
        games: dict[int, list[CardLine]] = defaultdict(list)
        for line in card.lines:
            if line.opponent in numbers and _counts(line, by_default=by_default):
                assert line.opponent is not None
                games[line.opponent].append(line)
        row = _TiedRow(card.number, win, missing=len(numbers) - 1 - len(games))
        for opponent, lines in games.items():
            row.parts += (
                Part(line.round, opponent, Fraction(line.halves, 2 * len(lines))) for line in lines
            )
        table.append(row)
    return table


def _counts(line: CardLine, *, by_default: bool) -> bool:
    return line.how is How.PLAYED or (by_default and line.how in (How.FORFEIT, How.AWARDED))
