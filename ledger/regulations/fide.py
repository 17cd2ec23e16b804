"""FIDE's rating regulations (B.02) by their dates: standard, rapid and blitz.

Source: FIDE Handbook B.02, FIDE Rating Regulations in force from 1 July 2017, 1 January 2022 and
1 March 2024 (with the change of 8.3.1 of 1 October 2025), and FIDE Rapid and Blitz Rating
Regulations. The sections follow the text of 2024, article by article; what changed over the years
is in ``fide_figures``, each value with its date.

The rules of a tournament are those in force when it **started**, and so are the ratings used, of
both players. K, the limit of K * n, the floor and inactivity belong to the list.

What the texts leave open, and what is done here:

* *8.3.1, 2022*: "a player may benefit from only one upgrade" in a tournament. Taken, as FIDE's
  Qualification Commission explained it, as: one game of each player, that with the greatest
  difference, is capped; in all others the real difference counts. With ``one_upgrade =
  higher-rated`` only the higher rated player is restricted, as the words can also be read.
* *The annual lists, until 1980*, were made by Elo's rules of 1972: ``fide-1972``. A list under this
  regulation that begins earlier is rated by what is known of later years, and says so when it is
  defined; it may adopt ``fide-1972`` first, and this one from 1 January 1981 on.
* *8.2.1*: "a zero score in the first event is disregarded". What is disregarded leaves nothing
  behind, so the first event is the first that counts: zeros before it, one or several, are none,
  and after it every score counts. Who has no result waiting any more (a rating fell below the
  floor, results grew older than 26 months) begins anew.
* *8.3.3*: between 2014 and 2017 the higher K of the young ended with the 18th birthday; only the
  year of birth is known here, so the end of that year is taken throughout.
* *Before 2008* changes were calculated from the mean of the opponents; here game by game, but in
  the all-play-alls with unrated players of before July 2009, of which the whole calculation is
  known: the means are corrected, so that nobody counts as more than 350 points away.
* *All-play-alls with unrated players, July 2009 to June 2017*: the rated count over all games, one
  by one, newcomers at their Ru. Which texts say so, and what is inferred, see ``fide_figures``.
* *Results pooled for a first rating*: an all-play-all has its n/(n+1) in proportion to its games.
* *Rapid and blitz ratings were raised* in October 2022 to the standard rating less 100: that is a
  rating brought in for each player concerned, not a rule.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from ledger.facts.arrays import is_among
from ledger.facts.as_of import NO_MERIT, RATES
from ledger.facts.columns import Column, Mask
from ledger.rating.dated_figures import NO_LIMIT, DatedFigure
from ledger.rating.expectation import Expectation
from ledger.rating.first_ratings import Buckets, Results
from ledger.rating.game_sums import counted_difference
from ledger.rating.kernel import Performances, post
from ledger.rating.player_state import NO_K, UNKNOWN_YEAR, UNRATED, Particulars, PlayerStates
from ledger.rating.postings import (
    Calculation,
    Exclusions,
    Postings,
    Reason,
    Sides,
    each_tournament,
)
from ledger.rating.ratios import Ratios, groups, linear
from ledger.rating.round_robin import (
    RATED_AT_LEAST,
    GroupRules,
    MixedRoundRobin,
    complete_round_robins,
)
from ledger.rating.rounding import half_away_from_zero, whole_percent
from ledger.regulations import fide_figures as figures
from ledger.regulations import interface
from ledger.regulations.interface import (
    Clause,
    Differences,
    Events,
    InColumns,
    Past,
    PlainGames,
)
from ledger.regulations.model_choice import WithModel
from ledger.regulations.printed_tables import D_OF_P, P_OF_D
from ledger.terms import Rate

# 8.1.1: dp by the percentage; 800 at the ends, where the older table leaves it undefined.
DP = {0: -800, 100: 800} | D_OF_P
# 8.1.2: PD by the difference.
PD = P_OF_D

MERIT = 100  # FIDE weighs all games of a list equally; hundredths


class Parameters(WithModel):
    """What a federation may set; 0 stands for the value of the date."""

    EXPECTED_IN = "8.1.2"

    one_upgrade: Literal["each-player", "higher-rated"] = Field(
        "each-player", description="8.3.1 of 2022, whom it restricts"
    )
    floor: int = Field(0, ge=0, le=4000, description="7.2.1; 0: by date")
    first_rating_games: int = Field(0, ge=0, le=1000, description="7.1.4; 0: by date")
    report_within_lists: int = Field(3, ge=0, le=120, description="9.1; 0: no limit")


class Fide(InColumns):
    """The articles that all rates of play have in common."""

    SOURCE = (
        "FIDE Handbook B.02: FIDE Rating Regulations of 1 July 2017, 1 January 2022 and "
        "1 March 2024 with the change of 1 October 2025, and milestones before them"
    )
    TABLES = ("d_of_p.csv", "p_of_d.csv")
    PARAMETERS: ClassVar[type[interface.Parameters]] = Parameters
    RATINGS_OF = "tournament"
    RATE: ClassVar[Rate]  # each has one
    CAP: ClassVar[DatedFigure] = figures.CAP
    UNCAPPED_FROM: ClassVar[DatedFigure] = figures.UNCAPPED_FROM

    parameters: Parameters  # narrows the type

    def calculate(
        self, sides: Sides, standing: PlayerStates, particulars: Particulars, k: Column
    ) -> Calculation:
        """Rates a period; the sides bring the ratings in force when their tournament started."""
        del particulars
        sides = self._rateable(self._of_this_rate(sides))
        played = sides.rows(sides.reason == Reason.NONE)
        rated = standing.rating[played.player] > UNRATED
        against_rated = played.opponent_rating > UNRATED
        round_robins = self._round_robins(sides)
        for_first = ~rated & (against_rated | _in(round_robins, played.tournament))
        whole = {t: table for t, table in round_robins.items() if table.whole}
        over_all = rated & (played.rating > UNRATED) & _in(whole, played.tournament)
        of_newcomers = Performances(played.rows(for_first))
        newcomers = self._newcomers(of_newcomers, round_robins, standing)
        against_unrated = played.rows(~against_rated & ~for_first & ~over_all)
        not_played = sides.rows(sides.reason != Reason.NONE)
        exclusions = [
            Exclusions.of(not_played, not_played.reason),
            _excluded(against_unrated, Reason.OPPONENT_UNRATED),
            of_newcomers.excluded(newcomers.achieved.reason),
        ]
        return Calculation(
            postings=Postings.joined(
                [
                    self._change(played.rows(rated & against_rated & ~over_all), standing, k),
                    *self._changes_over_all(played.rows(over_all), whole, k),
                ]
            ),
            exclusions=Exclusions.joined(exclusions),
            newcomers=newcomers,
            units=MERIT * self.expectation.scale,
            scale=self.expectation.scale,
        )

    def _of_this_rate(self, sides: Sides) -> Sides:
        other = (self.merits(sides) == NO_MERIT) & (sides.reason == Reason.NONE)
        return sides.with_(
            merit=np.full(len(sides), MERIT, np.int64),
            reason=np.where(other, Reason.OTHER_RATE_OF_PLAY, sides.reason),
        )

    def merits(self, of: Events) -> Column:
        """Every rate of play has its own list; the others' games are not rated in this one."""
        return np.where(of.rate == RATES.index(self.RATE), MERIT, NO_MERIT)

    def _rateable(self, sides: Sides) -> Sides:
        """Excludes what an article leaves unrated: in standard chess only unplayed games (5.1)."""
        return sides

    # 7.1.4 First ratings

    def games_for_first_rating(self, on: dt.date) -> int:
        """7.1.4: the number of the day, unless the federation set one."""
        return self.parameters.first_rating_games or figures.GAMES.on(on)

    def results_since(self, on: dt.date) -> dt.date:
        """7.1.4: results are pooled over consecutive periods of at most 26 months."""
        return _months_before(on, figures.MONTHS.on(on))

    def first_ratings(self, buckets: Buckets, on: dt.date) -> tuple[Mask, Column]:
        """8.2 over all results as if they were one event, by the rules of the latest."""
        days = np.maximum.reduceat(buckets.results.achieved.starts_on, buckets.starts)
        games = buckets.sums(buckets.results.games)
        enough = games >= (self.parameters.first_rating_games or figures.GAMES.at(days))
        first = np.zeros_like(games)
        ready, days, games = buckets.of_players(enough), days[enough], games[enough]
        if len(ready):
            results = ready.results
            total = results.means.weighted_sums(results.games, ready.starts)
            means = total.times(Ratios.divided(np.ones_like(games), games))
            halves = ready.sums(results.achieved.halves)
            nobody = np.zeros_like(games)
            ru = linear(_performance, means, halves, games, nobody, figures.first_day_alike(days))
            ru = _with_groups(ru, means, ready, halves < games)
            first[enough] = np.minimum(ru.half_away_from_zero(), figures.MAXIMUM.at(days))
        return enough & (first >= self.floor(on)), first

    # 7.2 The list

    def floor(self, on: dt.date) -> int:
        """7.2.1: who falls below is shown as unrated, and treated like any other unrated player."""
        return self.parameters.floor or figures.FLOOR.on(on)

    def active(self, standing: PlayerStates, on: dt.date) -> Mask:
        """7.2.2: active is who played a rated game within a year; before, four."""
        enough = standing.games_within_a_year(on) >= figures.ACTIVE_GAMES.on(on)
        active: Mask = enough | standing.seeded_within_a_year(on)
        return active

    # 8.1 Expectation

    @property
    def expectation(self) -> Expectation:
        """8.1.2: the table PD, or the model that was chosen instead."""
        return self.parameters.model_or(PD)

    # 8.2 Players without a rating

    def _newcomers(
        self,
        events: Performances,
        round_robins: Mapping[int, FideRoundRobin],
        standing: PlayerStates,
    ) -> Results:
        """Every unrated player's result of each event; his first event is looked at first."""
        starts_on = figures.first_day_alike(events.starts_on)
        few = events.games < figures.EVENT_GAMES.at(starts_on)
        pointless = events.halves < figures.EVENT_HALVES.at(starts_on)
        enough = ~few & ~pointless
        # Since 2011 only a player's first event must bring something (8.2.1): in time, all after
        # the first that did are computable.
        later = is_among(events.player, standing.buckets.players) | _one_before(events, enough)
        free = later & (figures.ONLY_FIRST_EVENT.at(starts_on) == 1)
        reasons = np.select(
            (free, few, pointless), (Reason.NONE, Reason.TOO_FEW_GAMES, Reason.NO_POINTS),
            Reason.NONE,
        )  # fmt: skip
        means, group = _of_groups(events, round_robins)
        scores = (events.halves, events.games, group, starts_on)
        return events.results(
            means=means,
            performances=linear(_performance, means, *scores),
            reasons=reasons,
            group=group,
        )

    def _round_robins(self, sides: Sides) -> dict[int, FideRoundRobin]:
        """8.2.2 until 2021: the all-play-alls with unrated players, by tournament."""
        of_its_kind = sides.rows(figures.ROUND_ROBIN.at(sides.starts_on) == 1)
        found = (FideRoundRobin.of(games) for games in complete_round_robins(of_its_kind))
        return {table.tournament: table for table in found if table}

    # 8.3 Rated players

    @property
    def plain(self) -> PlainGames:
        """Two rated players need nobody else."""
        return self

    def _change(self, sides: Sides, standing: PlayerStates, k: Column) -> Postings:
        """8.3.1, 8.3.2: K * (W - PD) of every game.

        8.2.4: who was unrated when the tournament started and is rated by now counts with the
        rating of now, for himself only.
        """
        own = np.where(sides.rating > UNRATED, sides.rating, standing.rating[sides.player])
        difference = own - sides.opponent_rating
        once = self._only_one(own, sides.opponent_rating, sides.starts_on)
        others = sides.rows(once)
        counts = self.difference(own, sides.opponent_rating, sides.starts_on)
        counts[once] = np.where(
            self._capped_once(others, difference[once]), counts[once], difference[once]
        )
        return post(
            sides.with_(rating=own),
            opponent_rating=sides.opponent_rating,
            difference=counts,
            k=k[sides.player],
            expectation=self.expectation,
        )

    def _changes_over_all(
        self, sides: Sides, round_robins: Mapping[int, FideRoundRobin], k: Column
    ) -> Iterator[Postings]:
        """8.3 until 2017: the rated of all-play-alls over all games, newcomers at their Ru."""
        for games in each_tournament(sides):
            table = round_robins[int(games.tournament[0])]
            opponents = table.counted(games)
            if table.corrected:
                difference = table.differences(games)
            else:
                difference = self.difference(games.rating, opponents, games.starts_on)
            yield post(
                games,
                opponent_rating=opponents,
                difference=difference,
                k=k[games.player],
                expectation=self.expectation,
            )

    def difference(self, own: Column, opponents: Column, starts_on: Column) -> Column:
        """8.3.1: a difference of more than 400 points counts as 400, for whom it does."""
        capped_below = self.UNCAPPED_FROM.at(starts_on)
        return counted_difference(own, opponents, self.CAP.at(starts_on), capped_below)

    def differences(self, starts_on: Column) -> Differences:
        """8.3.1: the cap, and for whom. Where only one game is capped, those that may be, apart."""
        cap = self.CAP.at(starts_on)
        return Differences(
            cap,
            capped_below=self.UNCAPPED_FROM.at(starts_on),
            apart_beyond=np.where(figures.ONE_GAME_ONLY.at(starts_on) == 1, cap, NO_LIMIT),
        )

    def _only_one(self, own: Column, opponents: Column, starts_on: Column) -> Mask:
        """8.3.1, 2022: of the games with a greater difference, one of each player is capped."""
        restricted = figures.ONE_GAME_ONLY.at(starts_on) == 1
        greater: Mask = np.abs(own - opponents) > self.CAP.at(starts_on)
        greater &= restricted
        return greater

    def _capped_once(self, sides: Sides, difference: Column) -> Mask:
        """8.3.1, 2022: in which of these games of a player in a tournament it is capped."""
        capped = _greatest(sides, difference)
        if self.parameters.one_upgrade == "higher-rated":
            capped |= difference < 0
        return capped

    def limited(self, k: Column, games: Column, on: dt.date) -> Column:
        """8.3.3: K * n is at most 700."""
        least: Column = np.minimum(k, figures.K_TIMES_GAMES.on(on) // np.maximum(games, 1))
        return least

    def k(self, standing: PlayerStates, particulars: Particulars) -> Column:
        """8.3.3: K as assigned; else 10 for ever once 2400 was published, 40, 40, 20."""
        on = particulars.on
        new = (standing.games < figures.K_NEW_BELOW_GAMES) & (particulars.assigned_k == NO_K)
        top = standing.peak >= figures.K_TOP_FROM
        until_age = figures.K_YOUNG_UNTIL_AGE.on(on)
        young = (
            (particulars.birth_year != UNKNOWN_YEAR)
            & (on.year - particulars.birth_year <= until_age)
            & (standing.peak < figures.K_YOUNG_BELOW)
        )
        rule: Column = np.where(new | young, figures.K_NEW.on(on), figures.K_OTHERS.on(on))
        # Until 2014 a new player kept the higher K also above 2400.
        rule = np.where(top & ~(new & (until_age == 0)), figures.K_TOP.on(on), rule)
        return np.where(particulars.assigned_k != NO_K, particulars.assigned_k, rule)

    def pasts(self) -> Sequence[Past]:
        """8.3.3: from K 20 follow 30 games (and 2300 of the young), from K 10 also 2400."""
        games = figures.K_NEW_BELOW_GAMES
        peaks = UNRATED, figures.K_YOUNG_BELOW, figures.K_TOP_FROM
        return *(Past(games, peak) for peak in peaks), Past(0)

    # 9. Reports

    @property
    def report_within_lists(self) -> int | None:
        """9.1: a report that misses the third list after the end of the event is not rated."""
        return self.parameters.report_within_lists or None

    def clause_of(self, reason: Reason) -> str:
        """The article behind an exclusion."""
        return _CLAUSES.get(reason, "ledger")


_CLAUSES = {
    Reason.SHORT: "FIDE B.02 5.1",
    Reason.FORFEIT: "FIDE B.02 5.1",
    Reason.BYE: "FIDE B.02 5.1",
    Reason.OTHER_RATE_OF_PLAY: "FIDE B.02 1, rate of play",
    Reason.OPPONENT_UNRATED: "FIDE B.02 8.3",
    Reason.TOO_FEW_GAMES: "FIDE B.02 8.2.1",
    Reason.NO_POINTS: "FIDE B.02 8.2.1",
    Reason.LATE_REPORT: "FIDE B.02 9.1",
    Reason.DIFFERENCE_TOO_LARGE: "FIDE B.02 (rapid, blitz) 7.3.1",
}


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


def _in(round_robins: Mapping[int, object], tournaments: Column) -> Mask:
    """Which tournaments, in a column of them, are these."""
    return is_among(tournaments, np.array(sorted(round_robins), dtype=np.int64))


def _of_groups(
    events: Performances, round_robins: Mapping[int, FideRoundRobin]
) -> tuple[Ratios, Column]:
    """Returns the means that count for newcomers' results, and of how many opponents a group."""
    means = events.opponents_means
    made = Ratios(means.numerators.copy(), means.denominators.copy())
    group = np.zeros(len(events), dtype=np.int64)
    for row in np.flatnonzero(_in(round_robins, events.tournament)).tolist():
        table = round_robins[int(events.tournament[row])]
        mean = table.corrected_means.get(int(events.player[row]), table.mean)
        made.numerators[row], made.denominators[row] = mean.as_integer_ratio()
        group[row] = table.opponents
    return made, group


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


def _share(group: int) -> Fraction:
    """n/(n+1) of a group, 1 of none."""
    return Fraction(group, group + 1) if group else Fraction(1)


def _performance(mean: Fraction, halves: int, games: int, group: int, day: int) -> Fraction:
    """The same with the day as an ordinal."""
    return performance(mean, halves, games, dt.date.fromordinal(day), group)


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

    def differences(self, sides: Sides) -> Column:
        """Returns D of rated players' sides: from the corrected mean of all their opponents."""
        d = {
            player: half_away_from_zero(rating - self.opponents_mean(player))
            for player, rating in self.rated.items()
        }
        return np.array([d[player] for player in sides.player.tolist()], dtype=np.int64)


def _greatest(sides: Sides, difference: Column) -> Mask:
    """The one game of each player in each tournament with the greatest difference."""
    order = np.lexsort(
        (sides.game, sides.round, -np.abs(difference), sides.tournament, sides.player)
    )
    player, tournament = sides.player[order], sides.tournament[order]
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = (np.diff(player) != 0) | (np.diff(tournament) != 0)
    greatest = np.zeros(len(order), dtype=np.bool_)
    greatest[order[first]] = True
    return greatest


def _too_large(own: Column, opponents: Column, starts_on: Column) -> Mask:
    """Rapid 7.3.1: 600 points and more are not rated if one of the two is above 2600."""
    best = np.maximum(own, opponents) > figures.NOT_RATED_ABOVE
    too_large: Mask = np.abs(own - opponents) >= figures.NOT_RATED_FROM.at(starts_on)
    return too_large & best


def _excluded(sides: Sides, reason: Reason) -> Exclusions:
    return Exclusions.of(sides, np.full(len(sides), reason, dtype=np.int64))


def _months_before(day: dt.date, months: int) -> dt.date:
    """The first day of the month so many months before."""
    total = day.year * 12 + day.month - 1 - months
    return dt.date(total // 12, total % 12 + 1, 1)


_COMMON = (
    Clause("5.1", "unplayed games are not rated; a game in which both moved is", "Fide.calculate"),
    Clause("7.1.3", "closing date of a list", "not covered: it belongs to the list's calendar"),
    Clause("7.1.4", "games for a first rating, 26 months", "Fide.first_ratings"),
    Clause("7.2.1", "floor: below it unrated", "Fide.floor"),
    Clause("7.2.2", "inactivity", "Fide.active"),
    Clause("8.1.1", "table of dp", "DP"),
    Clause("8.1.2", "table of PD", "PD"),
    Clause("8.2.1", "a zero score in the first event is disregarded", "Fide._newcomers"),
    Clause("8.2.2", "Ra, with two imagined opponents since 2024", "performance"),
    Clause("8.2.2 until 2021", "newcomers of an all-play-all", "FideRoundRobin, MixedRoundRobin"),
    Clause("8.3 until 2017", "the rated of an all-play-all over all games", "_changes_over_all"),
    Clause("6.33 of 2003", "national championships with 3 rated players", "not covered"),
    Clause("8.2.3", "Ru and its maximum", "Fide.first_ratings"),
    Clause("8.2.4", "rated meanwhile: for himself only", "Fide._change"),
    Clause(
        "8.3.1", "cap of the difference, for whom and how often", "Fide.difference, _capped_once"
    ),
    Clause("8.3.2", "change of a game", "kernel.post"),
    Clause("8.3.3", "K and the limit of K * n", "Fide.k, limited"),
    Clause("8.3.4", "the change of a period is rounded once, 0.5 away from 0", "Regulation.change"),
    Clause("9.1", "reports in time for the third list", "Fide.report_within_lists"),
    Clause("0.2, 1-4, 6", "which events FIDE registers", "not covered: accept or reject them"),
)


class FideStandard(Fide):
    """Standard chess."""

    ID = "fide-standard"
    TITLE = "FIDE standard ratings, by date"
    RATE = Rate.CLASSICAL
    BEFORE = (dt.date(1981, 1, 1), "fide-1972")
    COVERAGE = (
        *_COMMON,
        Clause("until 1980", "the annual lists", "not covered: they are those of fide-1972"),
    )
    DATED = figures.STANDARD


class WithStandardList(Parameters):
    """Rapid and blitz: who has no rating there plays with his standard rating."""

    standard_list: str = Field(
        "", max_length=40, description="rapid and blitz 7.2.1, the list of standard ratings"
    )


class FideRapid(Fide):
    """Rapid chess: 10 to 60 minutes for 60 moves. The articles are numbered one lower (7 for 8)."""

    ID = "fide-rapid"
    TITLE = "FIDE rapid ratings, by date"
    RATE = Rate.RAPID
    PARAMETERS = WithStandardList
    COVERAGE = (
        *_COMMON,
        Clause("rapid and blitz 7.2.1", "standard rating instead of none", "FideRapid.enters_from"),
        Clause(
            "rapid and blitz 7.3.1", "too large a difference is not rated", "FideRapid._rateable"
        ),
        Clause("rapid and blitz 7.3.3", "one K for all until 2022", "FideRapid.k"),
    )
    CAP = figures.RAPID_CAP
    UNCAPPED_FROM = figures.RAPID_UNCAPPED_FROM
    DATED = figures.RAPID

    parameters: WithStandardList

    @property
    def enters_from(self) -> str | None:
        """7.2.1: the list of standard ratings, where the federation names one."""
        return self.parameters.standard_list or None

    def _rateable(self, sides: Sides) -> Sides:
        both = (sides.rating > UNRATED) & (sides.opponent_rating > UNRATED)
        too_large = _too_large(sides.rating, sides.opponent_rating, sides.starts_on)
        excluded = too_large & both & (sides.reason == Reason.NONE)
        reason = np.where(excluded, Reason.DIFFERENCE_TOO_LARGE, sides.reason)
        return sides.with_(reason=reason)

    def differences(self, starts_on: Column) -> Differences:
        """Apart are also those that may be too large to be rated at all (7.3.1)."""
        of_all = super().differences(starts_on)
        rated = figures.NOT_RATED_FROM.at(starts_on) - 1
        return replace(of_all, apart_beyond=np.minimum(of_all.apart_beyond, rated))

    def k(self, standing: PlayerStates, particulars: Particulars) -> Column:
        """7.3.3: as in standard chess; until September 2022 one K for all."""
        one = figures.RAPID_K.on(particulars.on)
        if not one:
            return super().k(standing, particulars)
        assigned = particulars.assigned_k
        return np.where(assigned != NO_K, assigned, one)


class FideBlitz(FideRapid):
    """Blitz: 3 to 10 minutes for 60 moves; the rules of rapid chess."""

    ID = "fide-blitz"
    TITLE = "FIDE blitz ratings, by date"
    RATE = Rate.BLITZ
