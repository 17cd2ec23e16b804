"""Who gets which prize of an event: those by place, and those of categories."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from ledger.identifiers import TournamentId
from ledger.json_form import JsonForm
from ledger.reports.standings import Standings


@dataclass(frozen=True, slots=True)
class PrizeRow(JsonForm):
    """A prize that somebody gets, in the smallest unit of the currency.

    ``category`` are the conditions as they were announced, empty for the prizes by place; ``rank``
    is the place among all.
    """

    category: str
    rank: int
    number: int
    id: str
    name: str
    points: Fraction
    prize: int


@dataclass(frozen=True, slots=True)
class PrizeTable(JsonForm):
    """The prizes of an event after a round; they are decided where its standings are ``final``."""

    tournament: TournamentId
    name: str
    after: int
    final: bool
    prizes: tuple[PrizeRow, ...]


def prize_table(standings: Standings) -> PrizeTable:
    """Returns who gets what, by category in the order of its announcement, then by place."""
    return PrizeTable(
        tournament=standings.tournament,
        name=standings.name,
        after=standings.after,
        final=standings.final,
        prizes=tuple(_rows(standings)),
    )


def _rows(standings: Standings) -> Iterator[PrizeRow]:
    for award in standings.awards:
        for line in standings.rows:
            amount = award.amounts.get(line.number, 0)
            if amount:
                yield PrizeRow(
                    category=award.category,
                    rank=line.rank,
                    number=line.number,
                    id=line.id,
                    name=line.name,
                    points=line.points,
                    prize=amount,
                )
