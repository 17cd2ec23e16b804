"""All-play-all tournaments: which are complete, and those in which some players have no rating."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ledger.facts.arrays import Column
from ledger.facts.tables import ALL_PLAY_ALL
from ledger.rating.bounds import NO_LIMIT
from ledger.rating.player_state import UNRATED
from ledger.rating.postings import Reason, Sides, each_tournament
from ledger.rating.rounding import half_away_from_zero, whole_percent


def complete_round_robins(sides: Sides) -> Iterator[Sides]:
    """Yields the sides of each tournament in which everybody played everybody, equally often.

    Byes of an odd field and annulled pairings are not games of it; a tournament in which any other
    game was not played out is not complete.
    """
    all_play_all = sides.system == ALL_PLAY_ALL
    if not all_play_all.any():
        return
    no_games = np.isin(sides.reason, (Reason.BYE, Reason.ANNULLED))
    for games in each_tournament(sides.rows(all_play_all & ~no_games)):
        if not (games.reason != Reason.NONE).any() and _everybody_met(games):
            yield games


def _everybody_met(games: Sides) -> bool:
    players = len(np.unique(games.player))
    pairs = np.stack((games.player, games.opponent))
    kinds, counts = np.unique(pairs, axis=1, return_counts=True)
    return kinds.shape[1] == players * (players - 1) and len(set(counts.tolist())) == 1


_RATED_SHARE = Fraction(1, 3)
_SMALL_FIELD = 10
RATED_AT_LEAST = 4


@dataclass(frozen=True, slots=True)
class GroupRules:
    """What a text says of an all-play-all in which some have no rating.

    ``d_of_p`` has D(p) by whole per cent, where it is defined. ``performance`` gives Ru from a
    mean, the half points, the games and the number of opponents. Nobody counts as more than
    ``difference_rule`` points away (``NO_LIMIT``: means are not corrected).
    """

    d_of_p: Mapping[int, int]
    performance: Callable[[Fraction, int, int, int], Fraction]
    difference_rule: int = NO_LIMIT


class MixedRoundRobin:
    """One complete all-play-all in which some players have no rating; every figure is exact.

    n is the number of opponents, however often they met: a player is one of the n + 1 whose mean is
    Ra, and R = Ra + D(p) n / (n + 1) follows from Rc = (Ra (n + 1) - R) / n. Points and percentages
    are those of all ``games``.

    Args:
        sides: the sides of a complete all-play-all.
        ratings: everybody's rating in it (``UNRATED``: none), somebody's at least.
        rules: what the text says.
    """

    def __init__(self, sides: Sides, ratings: Mapping[int, int], rules: GroupRules) -> None:
        self.sides = sides
        self.tournament = int(sides.tournament[0])
        players = np.unique(sides.player).tolist()
        self.halves = {p: int(sides.halves[sides.player == p].sum()) for p in players}
        self.games = len(sides) // len(players)
        self.opponents = len(players) - 1
        self.rated = {p: Fraction(ratings[p]) for p in players if ratings[p] > UNRATED}
        self.unrated = [p for p in players if p not in self.rated]
        self._rules = rules

    @property
    def enough_rated(self) -> bool:
        """Whether a third of the players are rated, and 4 where fewer than 10 play."""
        players, rated = len(self.halves), len(self.rated)
        return Fraction(rated, players) >= _RATED_SHARE and (
            players >= _SMALL_FIELD or rated >= RATED_AT_LEAST
        )

    def d_of_p(self, player: int) -> int | None:
        """D(p) of a player's percentage; None where the table has none."""
        return self._rules.d_of_p.get(whole_percent(self.halves[player], self.games))

    @cached_property
    def mean(self) -> Fraction:
        """Ra, the tournament's mean: that of the rated, less their mean D(p) n / (n + 1)."""
        found = [self.d_of_p(player) for player in self.rated]
        differences = [difference for difference in found if difference is not None]
        assert len(differences) == len(found) > 0, "the tournament was accepted for its D(p)"
        of_rated = sum(self.rated.values(), Fraction(0)) / len(self.rated)
        mean_difference = Fraction(sum(differences), len(differences))
        return of_rated - mean_difference * self.opponents / (self.opponents + 1)

    @cached_property
    def first_ru(self) -> dict[int, Fraction]:
        """Ru of the newcomers from Ra."""
        return {player: self._ru(player, self.mean) for player in self.unrated}

    def _ru(self, player: int, mean: Fraction) -> Fraction:
        return self._rules.performance(mean, self.halves[player], self.games, self.opponents)

    @cached_property
    def corrected_means(self) -> dict[int, Fraction]:
        """Ra for each newcomer, corrected by the difference rule, all newcomers at first Ru."""
        first = self.first_ru
        everybody = self.rated | first
        return {p: self.mean + self._correction(p, ru, everybody) for p, ru in first.items()}

    @cached_property
    def ru(self) -> dict[int, Fraction]:
        """The final Ru of the newcomers."""
        return {player: self._ru(player, mean) for player, mean in self.corrected_means.items()}

    def opponents_mean(self, player: int) -> Fraction:
        """Rc of a rated player, corrected by the difference rule, newcomers at their final Ru."""
        own = self.rated[player]
        rc = (self.mean * (self.opponents + 1) - own) / self.opponents
        return rc + self._correction(player, own, self.rated | self.ru)

    def differences(self, sides: Sides) -> Column:
        """Returns D of rated players' sides: from the corrected mean of all their opponents."""
        d = {p: half_away_from_zero(r - self.opponents_mean(p)) for p, r in self.rated.items()}
        return np.array([d[player] for player in sides.player.tolist()], dtype=np.int64)

    def _correction(self, player: int, own: Fraction, ratings: dict[int, Fraction]) -> Fraction:
        """What the mean changes when nobody counts as further away than the rule says."""
        rule = self._rules.difference_rule
        total = Fraction(0)
        for opponent, rating in ratings.items():
            if opponent != player and abs(own - rating) > rule:
                total += (own - rule if rating < own else own + rule) - rating
        return total / self.opponents
