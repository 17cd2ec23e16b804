"""Tells the plain games of a period from all others, and sums them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ledger.facts.columns import NOBODY, Column, Mask
from ledger.facts.known import ALL_PLAY_ALL, NO_MERIT, TournamentColumns
from ledger.rating.plain import Sums, sums_of
from ledger.rating.sheet import Games, Reason
from ledger.rating.standing import UNRATED
from ledger.regulations.interface import PlainGames
from ledger.replay.in_force import RatingsOf


@dataclass(frozen=True, slots=True)
class Summed:
    """The sums of a period's plain games, and the rows of the others."""

    sums: Sums
    others: Column


def summed(
    rules: PlainGames,
    games: Games,
    tournaments: TournamentColumns,
    rating: Column,
    in_force: RatingsOf | None,
) -> Summed:
    """Sums the plain games of a period.

    Plain is a game that counts, in which both are rated and no other rule of the regulation looks
    at. An all-play-all with somebody unrated is calculated as a whole, and so none of its games is.

    Args:
        rules: the regulation's rule for plain games.
        games: all games of the period.
        tournaments: the tournaments, by index.
        rating: everybody's rating at the start of the period.
        in_force: looks up the ratings the games are rated with; None: those of the period's start.
    """
    white, black = games.white.astype(np.intp), games.black.astype(np.intp)
    merit = rules.merits(tournaments)[games.tournament]
    own = rating[white] if in_force is None else in_force(white)
    opponent = rating[black] if in_force is None else in_force(black)
    rated = (own > UNRATED) & (opponent > UNRATED)
    if in_force is not None:
        rated &= (rating[white] > UNRATED) & (rating[black] > UNRATED)
    plain = rated & (games.reason == Reason.NONE) & (merit != NO_MERIT)
    mixed = _of_mixed_all_play_alls(games, tournaments, rated)
    if mixed is not None:
        plain &= ~mixed
    starts_on = tournaments.starts_on[games.tournament]
    apart = rules.apart(own, opponent, starts_on)
    if apart is not None:
        plain &= ~apart
    others = np.flatnonzero(~plain)
    # Cheaper than leaving them out: the others are summed for somebody who is not there.
    white[others] = black[others] = len(rating)
    made = sums_of(
        len(rating),
        (white, black),
        (games.white_halves, games.black_halves),
        (
            rules.difference(own, opponent, starts_on),
            rules.difference(opponent, own, starts_on),
        ),
        merit,
        rules.expectation,
    )
    return Summed(made, others)


def _of_mixed_all_play_alls(
    games: Games, tournaments: TournamentColumns, rated: Mask
) -> Mask | None:
    """Which games are of an all-play-all in which not everybody is rated; None: none is."""
    mixed = np.zeros(len(tournaments.system), dtype=np.bool_)
    mixed[games.tournament[~rated & (games.black != NOBODY)]] = True
    mixed &= tournaments.system == ALL_PLAY_ALL
    return mixed[games.tournament] if mixed.any() else None
