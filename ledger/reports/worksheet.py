"""The worksheet of an all-play-all: 16 steps, 14 columns, each rounded as it is written down.

Source: Elo, Annex 1 to FIDE Circular No. 4, 1972-73. The columns are those that the regulation of
1972 calculates with, by its own arithmetic; any tournament in which everybody played everybody has
one, whatever the regulation of the list. All are rated with one K.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ledger.errors import InputRefused
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Acceptance, Column
from ledger.json_form import JsonForm
from ledger.lists.people import People
from ledger.rating.decimal_text import decimal, points
from ledger.rating.player_state import UNRATED
from ledger.rating.round_robin import complete_round_robins
from ledger.rating.rounding import half_away_from_zero
from ledger.regulations.fide_1972_events import AllPlayAll, Arithmetic
from ledger.regulations.printed_tables import P_OF_D
from ledger.replay.period_games import games_of, sides_of
from ledger.wording import Message


@dataclass(frozen=True, slots=True)
class RatedColumns(JsonForm):
    """Columns 8 to 14, of a rated player: Ro - Ra, Pe, N Pe, We, W - We, the change, and Rn."""

    difference: int
    expected: Fraction
    product: Fraction
    expected_score: Fraction
    above: Fraction
    change: int
    new: int

    def json_fields(self) -> Mapping[str, object]:
        """Returns what their JSON form says."""
        return {
            "difference": self.difference,
            "expected": decimal(int(self.expected * 100), 2),
            "n_times_p": _tenths(self.product),
            "expected_score": _tenths(self.expected_score),
            "above_expectation": _tenths(self.above),
            "change": self.change,
            "new_rating": self.new,
        }


_NOT_RATED: dict[str, Any] = dict.fromkeys(
    ("difference", "expected", "n_times_p", "expected_score", "above_expectation", "change")
)


@dataclass(frozen=True, slots=True)
class WorksheetRow(JsonForm):
    """One player. Without a rating before it, the performance is the new one (step 16).

    ``d_of_p``, ``adjusted`` and ``performance`` are None at 0 and 100 %.
    """

    place: int
    id: str
    name: str
    rating: int | None
    halves: int
    percent: Fraction
    d_of_p: int | None
    adjusted: int | None
    performance: int | None
    rated: RatedColumns | None

    def json_fields(self) -> Mapping[str, object]:
        """Returns what its JSON form says."""
        of_rated = _NOT_RATED | {"new_rating": self.performance}
        return {
            "place": self.place,
            "id": self.id,
            "name": self.name,
            "rating": self.rating,
            "points": points(self.halves),
            "percent": self.percent,
            "d_of_p": self.d_of_p,
            "adjusted_d": self.adjusted,
            "performance": self.performance,
            **(self.rated.json_fields() if self.rated else of_rated),
        }


@dataclass(frozen=True, slots=True)
class Worksheet(JsonForm):
    """The sheet: its top line, its rows by score, and the mean adjusted D(P) of the rated below."""

    tournament: str
    name: str
    list: str
    period: str
    players: int
    games_each: int
    rated: int
    rated_mean: int
    mean_adjusted_d: int | None
    group_mean: int
    k: int
    rows: tuple[WorksheetRow, ...]


def worksheet(
    known: AsOf, tournament: int, rating: Column, people: People, *, on: tuple[str, str], k: int
) -> Worksheet:
    """Fills the worksheet of a tournament.

    ``tournament`` is an index, ``rating`` everybody's before it, ``on`` the list and the period
    whose ratings these are, ``k`` everybody's.

    Raises:
        InputRefused: it does not count, not everybody played everybody, or too few players are
            rated for a mean.
    """
    id_ = known.facts.tournament_ids[tournament]
    group = _group(known, tournament, rating)
    order = sorted(group.halves, key=lambda p: (-group.halves[p], people.name(p) or "", p))
    version = known.tournament(tournament)
    return Worksheet(
        tournament=id_,
        name=version.name if version else "",
        list=on[0],
        period=on[1],
        players=group.players,
        games_each=group.games,
        rated=len(group.rated),
        rated_mean=int(group.rated_mean),
        mean_adjusted_d=None if group.mean_adjusted is None else int(group.mean_adjusted),
        group_mean=int(group.mean),
        k=k,
        rows=tuple(
            _row(group, place, player, people, k) for place, player in enumerate(order, start=1)
        ),
    )


def _group(known: AsOf, tournament: int, rating: Column) -> AllPlayAll:
    """Returns the tournament as the regulation sees it."""
    id_ = known.facts.tournament_ids[tournament]
    acceptance = Acceptance(int(known.tournaments.acceptance[tournament]))
    if acceptance is not Acceptance.ACCEPTED:
        state = Message.of(f"state.{acceptance.name.lower()}")
        raise InputRefused("worksheet.not_accepted", tournament=id_, state=state)
    games = games_of(known, known.games_of_tournament(tournament))
    sides = next(complete_round_robins(sides_of(known.tournaments, games)), None)
    if sides is None:
        raise InputRefused("worksheet.not_complete", tournament=id_)
    arithmetic = Arithmetic()
    players = np.unique(sides.player)
    rated = int((rating[players] > UNRATED).sum())
    if not rated or (rated < len(players) and rated < arithmetic.rated):
        raise InputRefused(
            "worksheet.too_few_rated", tournament=id_, rated=rated, needed=arithmetic.rated
        )
    group = AllPlayAll.of(sides, rating, arithmetic)
    if group is None:
        raise InputRefused("worksheet.undetermined", tournament=id_)
    return group


def _row(group: AllPlayAll, place: int, player: int, people: People, k: int) -> WorksheetRow:
    halves = group.halves[player]
    adjusted, performance = group.adjusted(player), group.performance(player)
    ro = group.rated.get(player)
    return WorksheetRow(
        place=place,
        id=people.id(player) or "",
        name=people.name(player) or "",
        rating=ro,
        halves=halves,
        percent=group.arithmetic.percent(halves, group.games),
        d_of_p=group.d_of_p(player),
        adjusted=None if adjusted is None else int(adjusted),
        performance=None if performance is None else int(performance),
        rated=None if ro is None else _rated(group, ro, halves, k),
    )


def _rated(group: AllPlayAll, ro: int, halves: int, k: int) -> RatedColumns:
    """Steps 9 to 15."""
    columns = group.columns(ro, P_OF_D)
    expected_score = Fraction(columns.expected_score, P_OF_D.scale)
    above = Fraction(halves, 2) - expected_score
    change = half_away_from_zero(k * above)
    return RatedColumns(
        difference=columns.difference,
        expected=Fraction(columns.expected, P_OF_D.scale),
        product=Fraction(columns.written, P_OF_D.scale),
        expected_score=expected_score,
        above=above,
        change=change,
        new=ro + change,
    )


def _tenths(value: Fraction) -> str:
    return decimal(int(value * 10), 1)
