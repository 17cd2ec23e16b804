"""Calculation sheets for tests: games by hand, without a ledger around them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np

from ledger.facts.columns import Column
from ledger.facts.tables import RATES, SYSTEMS
from ledger.rating.kernel import units_of
from ledger.rating.player_state import NO_K, Particulars, PlayerStates
from ledger.rating.postings import Calculation, Sides
from ledger.regulations.interface import Regulation
from ledger.replay.calculation import with_limited_k
from ledger.replay.opening_ratings import filled
from ledger.terms import Rate, System

DAY = dt.date(2020, 1, 10)


@dataclass(frozen=True)
class Game:
    """One game of the two players by index; ``halves`` are white's half points."""

    white: int
    black: int
    halves: int
    tournament: int = 0
    round: int = 1
    system: System = System.SWISS
    rate: Rate = Rate.CLASSICAL
    starts_on: dt.date = DAY
    ends_on: dt.date = DAY


def sides_of_games(games: Iterable[Game], *, merit: int = 100) -> Sides:
    """Returns both sides of every game, without ratings."""
    rows = []
    for number, game in enumerate(games):
        for player, opponent, halves in (
            (game.white, game.black, game.halves),
            (game.black, game.white, 2 - game.halves),
        ):
            rows.append(
                {
                    "game": number,
                    "tournament": game.tournament,
                    "round": game.round,
                    "player": player,
                    "opponent": opponent,
                    "halves": halves,
                    "merit": merit,
                    "system": SYSTEMS.index(game.system),
                    "rate": RATES.index(game.rate),
                    "starts_on": game.starts_on.toordinal(),
                    "ends_on": game.ends_on.toordinal(),
                    "rating": 0,
                    "opponent_rating": 0,
                    "reason": 0,
                }
            )
    columns = {f.name: np.array([row[f.name] for row in rows], np.int64) for f in fields(Sides)}
    return Sides(**columns)


def states_of(
    ratings: Sequence[int], *, games: Sequence[int] | int = 100, peaks: Sequence[int] | None = None
) -> PlayerStates:
    """Returns the states of players with these ratings (0: unrated) and rated games."""
    states = PlayerStates.empty(len(ratings))
    states.rating[:] = ratings
    states.games[:] = games
    states.peak[:] = ratings if peaks is None else peaks
    states.listed[:] = states.rating > 0
    return states


def particulars_of(
    players: int,
    *,
    on: dt.date = DAY,
    birth_years: Sequence[int] | int = 0,
    assigned_k: Sequence[int] | int = NO_K,
) -> Particulars:
    """Returns what else is known of players."""
    ks, years = (np.zeros(players, dtype=np.int64) for _ in range(2))
    ks[:], years[:] = assigned_k, birth_years
    return Particulars.of_ages(on, ks, years)


def all_play_all(points: Sequence[int]) -> list[tuple[int, int, int]]:
    """Returns games of an all-play-all in which everybody makes so many whole points.

    A game is white, black, and white's half points. One after the other wins against those who have
    least to make, as long as he has points to make, and loses to the others.
    """
    left = dict(enumerate(points))
    games = []
    while len(left) > 1:
        player = max(left, key=lambda p: (left[p], p))
        wins = left.pop(player)
        for place, opponent in enumerate(sorted(left, key=lambda p: (left[p], p))):
            won = place < wins
            left[opponent] -= not won
            games.append((player, opponent, 2 * won))
    assert not any(left.values()), "no all-play-all ends like that"
    return games


def calculation(
    regulation: Regulation, sides: Sides, states: PlayerStates, particulars: Particulars
) -> Calculation:
    """Returns sides as calculated, K limited by the number of games."""
    k = regulation.k(states, particulars)
    made = regulation.calculate(sides, states, particulars, k)
    games = np.bincount(made.postings.player, minlength=len(k))
    return with_limited_k(made, k, regulation.limited(k, games, particulars.on))


def calculated(
    regulation: Regulation,
    games: Iterable[Game],
    states: PlayerStates,
    particulars: Particulars | None = None,
) -> tuple[Calculation, Column]:
    """Returns simultaneous games as calculated, and everybody's change in whole points."""
    known = particulars_of(len(states.rating)) if particulars is None else particulars
    sides = filled(sides_of_games(games), states.rating)
    made = calculation(regulation, sides, states, known)
    return made, regulation.change(units_of(made, len(states.rating)), made.units)
