"""The worksheet of an all-play-all: 16 steps, 14 columns, each rounded as it is written down.

Source: Elo, Annex 1 to FIDE Circular No. 4, 1972-73. The columns are those that the regulation of
1972 calculates with, by its own arithmetic; any tournament in which everybody played everybody has
one, whatever the regulation of the list. All are rated with one K.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ledger.errors import InputRefused
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Acceptance, Column
from ledger.identifiers import PlayerIndex, TournamentId, TournamentIndex
from ledger.json_form import JsonForm
from ledger.lists.people import People
from ledger.lists.rating_source import RatingState
from ledger.rating.decimal_text import decimal, points
from ledger.rating.player_state import UNRATED
from ledger.rating.round_robin import complete_round_robins
from ledger.rating.rounding import half_away_from_zero
from ledger.regulations.fide_1972_events import AllPlayAll, Arithmetic
from ledger.regulations.printed_tables import P_OF_D
from ledger.replay.period_games import games_of, sides_of
from ledger.wording import Message

_OF_RATED = (
    "difference", "expected", "n_times_p", "expected_score", "above_expectation", "change",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class WorksheetRow(JsonForm):
    """One player. Without a rating before it, the performance is the new one (step 16).

    ``d_of_p``, ``adjusted_d`` and ``performance`` are None at 0 and 100 %, columns 8 to 13 for a
    player without a rating: Ro - Ra, Pe, N Pe, We, W - We, the change.
    """

    place: int
    id: str
    name: str
    rating: int | None
    points: str
    percent: Fraction
    d_of_p: int | None
    adjusted_d: int | None
    performance: int | None
    difference: int | None
    expected: str | None
    n_times_p: str | None
    expected_score: str | None
    above_expectation: str | None
    change: int | None
    new_rating: int | None


@dataclass(frozen=True, slots=True)
class Worksheet(JsonForm):
    """The sheet: its top line, its rows by score, and the mean adjusted D(P) of the rated below."""

    tournament: TournamentId
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
    state: RatingState


def worksheet(
    known: AsOf,
    tournament: TournamentIndex,
    rating: Column,
    people: People,
    *,
    on: tuple[str, str],
    k: int,
    state: RatingState,
) -> Worksheet:
    """Fills the worksheet of a tournament.

    ``tournament`` is an index, ``rating`` everybody's before it, ``on`` the list and the period
    whose ratings these are and ``state`` theirs, ``k`` everybody's.

    Raises:
        InputRefused: it does not count, not everybody played everybody, or too few players are
            rated for a mean.
    """
    id_ = known.facts.tournament_ids[tournament]
    group = _group(known, tournament, rating)
    people.read(group.halves)
    order = sorted(
        map(PlayerIndex, group.halves), key=lambda p: (-group.halves[p], people.name(p) or "", p)
    )
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
        state=state,
        rows=tuple(
            _row(group, place, player, people, k) for place, player in enumerate(order, start=1)
        ),
    )


def _group(known: AsOf, tournament: TournamentIndex, rating: Column) -> AllPlayAll:
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


def _row(
    group: AllPlayAll, place: int, player: PlayerIndex, people: People, k: int
) -> WorksheetRow:
    halves = group.halves[player]
    adjusted, performance = group.adjusted(player), group.performance(player)
    rp = None if performance is None else int(performance)
    ro = group.rated.get(player)
    columns: dict[str, Any] = dict.fromkeys(_OF_RATED) | {"new_rating": rp}
    if ro is not None:
        columns = _rated(group, ro, halves, k)
    return WorksheetRow(
        place=place,
        id=people.id(player) or "",
        name=people.name(player) or "",
        rating=ro,
        points=points(halves),
        percent=group.arithmetic.percent(halves, group.games),
        d_of_p=group.d_of_p(player),
        adjusted_d=None if adjusted is None else int(adjusted),
        performance=rp,
        **columns,
    )


def _rated(group: AllPlayAll, ro: int, halves: int, k: int) -> dict[str, Any]:
    """Returns columns 8 to 14 of a rated player (steps 9 to 15)."""
    columns, scale = group.columns(ro, P_OF_D), P_OF_D.scale
    expected_score = Fraction(columns.expected_score, scale)
    above = Fraction(halves, 2) - expected_score
    change = half_away_from_zero(k * above)
    return {
        "difference": columns.difference,
        "expected": decimal(columns.expected * 100 // scale, 2),
        "n_times_p": _tenths(Fraction(columns.written, scale)),
        "expected_score": _tenths(expected_score),
        "above_expectation": _tenths(above),
        "change": change,
        "new_rating": ro + change,
    }


def _tenths(value: Fraction) -> str:
    return decimal(int(value * 10), 1)
