"""FIDE 8.2: players without a rating, and the all-play-alls in which some have none.

Source: FIDE Handbook B.02, see ``fide``. The figures are by the day on which a tournament started;
a pooled result is calculated by those of its latest tournament.

* *8.2.1*: "a zero score in the first event is disregarded". What is disregarded leaves nothing
  behind, so the first event is the first that counts: zeros before it, one or several, are none,
  and after it every score counts. Who has no result waiting any more (a rating fell below the
  floor, results grew older than 26 months) begins anew.
* *Results pooled for a first rating*: an all-play-all has its n/(n+1) in proportion to its games.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from ledger.facts.arrays import is_among
from ledger.facts.columns import Column, Mask
from ledger.rating.bounds import NO_LIMIT
from ledger.rating.first_ratings import Buckets
from ledger.rating.kernel import Performances
from ledger.rating.newcomer_results import Results
from ledger.rating.postings import Reason, Sides
from ledger.rating.ratios import Ratios, groups, linear
from ledger.rating.round_robin import (
    RATED_AT_LEAST,
    GroupRules,
    MixedRoundRobin,
    complete_round_robins,
)
from ledger.rating.rounding import half_away_from_zero, whole_percent
from ledger.regulations import fide_figures as figures
from ledger.regulations.printed_tables import D_OF_P

# 8.1.1: dp by the percentage; 800 at the ends, where the older table leaves it undefined.
DP = {0: -800, 100: 800} | D_OF_P

# 8.2.1 Which results count


def newcomers_results(
    events: Performances, round_robins: Mapping[int, FideRoundRobin], waiting: Column
) -> Results:
    """8.2.1: every unrated player's result of each event; his first event is looked at first.

    Args:
        events: the unrated players' sides of games that count, by player and tournament.
        round_robins: the all-play-alls with unrated players, by tournament.
        waiting: who has a result in his bucket already.
    """
    starts_on = figures.first_day_alike(events.starts_on)
    few = events.games < figures.EVENT_GAMES.at(starts_on)
    pointless = events.halves < figures.EVENT_HALVES.at(starts_on)
    enough = ~few & ~pointless
    # Since 2011 only a player's first event must bring something (8.2.1): in time, all after
    # the first that did are computable.
    later = is_among(events.player, waiting) | _one_before(events, enough)
    free = later & (figures.ONLY_FIRST_EVENT.at(starts_on) == 1)
    reasons = np.select(
        (free, few, pointless), (Reason.NONE, Reason.TOO_FEW_GAMES, Reason.NO_POINTS),
        Reason.NONE,
    )  # fmt: skip
    means, group = _of_groups(events, round_robins)
    scores = (events.halves, events.games, group, starts_on)
    return events.results(
        means=means, performances=linear(_performance, means, *scores), reasons=reasons, group=group
    )


def _one_before(events: Performances, enough: Mask) -> Mask:
    """Which events have one of the same player before them that brought enough.

    Events go by their days; of those on the same days a zero comes first.
    """
    order = np.lexsort((events.halves, events.starts_on, events.ends_on, events.player))
    before: Column = np.cumsum(enough[order]) - enough[order]
    starts = groups(events.player[order])
    counts = np.diff(np.append(starts, len(order)))
    found = np.zeros(len(order), dtype=np.bool_)
    found[order] = before > np.repeat(before[starts], counts)
    return found


# 8.2.2, 8.2.3 Ra, Ru


def performance(mean: Fraction, halves: int, games: int, day: dt.date, group: int = 0) -> Fraction:
    """8.2.2 and 8.2.3: Ru by the rules of a day, before it is rounded; exact.

    ``group`` is the number of opponents where the mean is that of a whole all-play-all.

    >>> performance(Fraction(9507, 5), 6, 5, dt.date(2024, 3, 1))
    Fraction(13457, 7)
    """
    imagined = figures.IMAGINED_DRAWS.on(day)
    ra = (mean * games + imagined * figures.IMAGINED_RATING) / (games + imagined)
    bonus = Fraction(figures.BONUS_TENTHS.on(day), 10)
    if bonus and halves >= games:
        return ra + bonus * (halves - games)
    dp = DP[whole_percent(halves + imagined, games + imagined)]
    return ra + (dp * _share(group) if halves < games else dp)


def _performance(mean: Fraction, halves: int, games: int, group: int, day: int) -> Fraction:
    """The same with the day as an ordinal."""
    return performance(mean, halves, games, dt.date.fromordinal(day), group)


def _share(group: int) -> Fraction:
    """n/(n+1) of a group, 1 of none."""
    return Fraction(group, group + 1) if group else Fraction(1)


# 7.1.4, 8.2.3 Results pooled for a first rating


def pooled_ratings(ready: Buckets, days: Column) -> Column:
    """8.2 over all results of each player as if they were one event: Ru in whole points.

    Args:
        ready: the buckets of players with enough games.
        days: by player, the day (ordinal) whose rules hold: that of his latest event.
    """
    games = ready.sums(ready.results.games)
    if not len(games):
        return games
    results = ready.results
    total = results.means.weighted_sums(results.games, ready.starts)
    means = total.times(Ratios.divided(np.ones_like(games), games))
    halves = ready.sums(results.achieved.halves)
    nobody = np.zeros_like(games)
    ru = linear(_performance, means, halves, games, nobody, figures.first_day_alike(days))
    ru = _with_groups(ru, means, ready, halves < games)
    return np.minimum(ru.half_away_from_zero(), figures.MAXIMUM.at(days))


def _with_groups(ru: Ratios, means: Ratios, buckets: Buckets, below: Mask) -> Ratios:
    """Returns Ru of pooled results with n/(n+1) below 50 % for all-play-alls among them.

    Of several events it is the mean of what each has, weighted by its games: 1 without a group.

    Args:
        ru: as if no event were an all-play-all; a row for each player of the buckets.
        means: Ra.
        buckets: the results.
        below: who scored less than 50 %.
    """
    group, games = buckets.results.achieved.group, buckets.results.games
    made = Ratios(ru.numerators.copy(), ru.denominators.copy())
    for row in np.flatnonzero(below & (buckets.sums(group) > 0)).tolist():
        start = int(buckets.starts[row])
        rows = range(start, start + int(buckets.counts[row]))
        share = sum((games[i] * _share(int(group[i])) for i in rows), Fraction(0))
        share /= int(sum(games[i] for i in rows))
        mean, pooled = means[row], ru[row]
        assert mean is not None
        assert pooled is not None
        exact = mean + (pooled - mean) * share
        made.numerators[row], made.denominators[row] = exact.as_integer_ratio()
    return made


# 8.2.2 until 2021: all-play-alls with unrated players


def mixed_round_robins(sides: Sides) -> dict[int, FideRoundRobin]:
    """8.2.2 until 2021: the all-play-alls with unrated players, by tournament."""
    of_its_kind = sides.rows(figures.ROUND_ROBIN.at(sides.starts_on) == 1)
    found = (FideRoundRobin.of(games) for games in complete_round_robins(of_its_kind))
    return {table.tournament: table for table in found if table}


def among(round_robins: Mapping[int, object], tournaments: Column) -> Mask:
    """Which tournaments, in a column of them, are these."""
    return is_among(tournaments, np.array(sorted(round_robins), dtype=np.int64))


def _of_groups(
    events: Performances, round_robins: Mapping[int, FideRoundRobin]
) -> tuple[Ratios, Column]:
    """Returns the means that count for newcomers' results, and of how many opponents a group."""
    means = events.opponents_means
    made = Ratios(means.numerators.copy(), means.denominators.copy())
    group = np.zeros(len(events), dtype=np.int64)
    for row in np.flatnonzero(among(round_robins, events.tournament)).tolist():
        table = round_robins[int(events.tournament[row])]
        mean = table.corrected_means.get(int(events.player[row]), table.mean)
        made.numerators[row], made.denominators[row] = mean.as_integer_ratio()
        group[row] = table.opponents
    return made, group


_DOUBLE_FIELD = 6


class FideRoundRobin(MixedRoundRobin):
    """6.3, 8.2.2 until 2021: an all-play-all with unrated players, by the rules of its first day.

    Ra = Rar - dpa n/(n+1), with the mean of the rated players and of their dp; below 50 % a
    newcomer has Ra + dp n/(n+1).
    """

    def __init__(self, sides: Sides) -> None:
        """Takes the sides of a complete all-play-all, with the ratings they are rated with."""
        day = int(sides.starts_on[0])
        alike = int(figures.first_day_alike(sides.starts_on[:1])[0])
        self._day = dt.date.fromordinal(day)
        cap = figures.GROUP_CAP.on(self._day)
        self.corrected = cap != NO_LIMIT
        ratings = dict(zip(sides.player.tolist(), sides.rating.tolist(), strict=True))

        def ru(mean: Fraction, halves: int, games: int, opponents: int) -> Fraction:
            return _performance(mean, halves, games, opponents, alike)

        super().__init__(sides, ratings, GroupRules(DP, ru, cap))

    @classmethod
    def of(cls, sides: Sides) -> FideRoundRobin | None:
        """Returns the tournament where its newcomers are rated as a group, else None.

        A third must be rated, 4 of fewer than 10, in a double one 4 of at least 6 players. Where
        the rated count over all games every newcomer has brought what 8.2.1 asks for: else his
        games are disregarded, and what is left is no all-play-all.
        """
        table = cls(sides)
        if not (table.unrated and table.rated and table.enough_rated and table._fit_for_cycles()):
            return None
        least = figures.EVENT_HALVES.on(table._day) if table.whole else 0
        return table if all(table.halves[p] >= least for p in table.unrated) else None

    def _fit_for_cycles(self) -> bool:
        """6.32: a double one has at least 6 players, 4 of them rated."""
        players = len(self.halves)
        return self.games == self.opponents or (
            players >= _DOUBLE_FIELD and len(self.rated) >= RATED_AT_LEAST
        )

    @property
    def whole(self) -> bool:
        """Whether the rated are rated over all their games."""
        return figures.GROUP_WHOLE.on(self._day) == 1

    def counted(self, sides: Sides) -> Column:
        """Returns the opponents' ratings of sides, newcomers at their final Ru in whole points."""
        ru = {player: half_away_from_zero(ru) for player, ru in self.ru.items()}
        opponents = zip(sides.opponent.tolist(), sides.opponent_rating.tolist(), strict=True)
        return np.array([ru.get(opponent, rating) for opponent, rating in opponents], np.int64)
