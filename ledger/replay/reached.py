"""What changed words about games move: only the players they reach, period after period.

Ratings are rounded, so most of what one game changes is gone after some months. Beside a replay as
it was, only those are calculated again whose opening is another one, those they meet, and those
whose games have changed; the others' figures cannot differ. Where nobody differs any more and no
later game has changed, nothing later differs.

Whoever meets somebody with another rating in plain games only is not calculated from all his games:
each of those games is taken out of his sum as it counted, and put in as it counts now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ledger.calendar import Period
from ledger.facts.as_of import ALL_PLAY_ALL
from ledger.facts.columns import NOBODY, Column, Facts, Mask
from ledger.rating.first_ratings import Buckets
from ledger.rating.game_sums import Summed, Sums
from ledger.rating.player_state import UNRATED, VECTORS, Played, PlayerStates
from ledger.rating.postings import Games, Reason
from ledger.replay.calculation import Given
from ledger.replay.late_results import Credits
from ledger.replay.opening_ratings import RatingsInForce
from ledger.replay.period_close import moved_by_order, settle
from ledger.replay.remembered import Remembered, plain_sums, rows_of
from ledger.replay.timeline import Timeline, games_of

_NONE = np.zeros(0, dtype=np.int64)
_NO_BUCKETS = Buckets.empty()
# Where no rule asks for the ratings that were in force.
_NOT_ASKED_FOR = RatingsInForce()


@dataclass(frozen=True, slots=True)
class Differing:
    """Who stands otherwise: players in ascending order, and where, by their place among them.

    Their buckets are by player, beside the standing, which has none, nor recent games. ``met`` are
    the periods of the last year in which somebody has other rated games, by the day (ordinal) from
    which their lists are in force: who, and how many he has now.
    """

    players: Column
    standing: PlayerStates
    buckets: Buckets
    met: Mapping[int, tuple[Column, Column]]

    def __len__(self) -> int:
        """How many they are, without those of whom only the recent games differ."""
        return len(self.players)

    def over(self, standing: PlayerStates) -> PlayerStates:
        """Returns the standing of everybody with theirs put in."""
        made = standing.copy()
        for name in VECTORS:
            getattr(made, name)[self.players] = getattr(self.standing, name)
        buckets = standing.buckets.without(self.players).with_those_of(self.buckets)
        recent = tuple(self._over_played(played) for played in standing.recent)
        return replace(made, recent=recent, buckets=buckets)

    def _over_played(self, played: Played) -> Played:
        if played.day not in self.met:
            return played
        players, games = self.met[played.day]
        some = np.flatnonzero(games)
        return played.with_those_of(players, Played.made(played.day, some, games[some]))


class OutOfReach(Exception):
    """What has changed cannot be followed from player to player: everything must be replayed."""


def changed_tournaments(before: Facts, after: Facts) -> Column:
    """Returns the tournaments of which something is known otherwise (indexes, ascending).

    Raises:
        OutOfReach: more has changed than words about tournaments and their games.
    """
    same = all(
        len(getattr(before, name)) == len(getattr(after, name))
        for name in ("players", "seeds", "ks", "merges", "ordered_steps", "player_corrections")
    )
    parts = ("segments", "adoptions", "adjustments", "publications")
    same = same and before.lists.keys() == after.lists.keys()
    if not same or any(
        len(getattr(before.lists[name], part)) != len(getattr(facts, part))
        for name, facts in after.lists.items()
        for part in parts
    ):
        raise OutOfReach
    seq = before.seq
    changed = _as_a_whole(after, seq)
    for block in after.blocks:
        if block.last_seq > seq:
            rows = np.flatnonzero(block.fetch().seq + np.int64(block.first_seq) > seq)
            entries = np.searchsorted(block.directory.start, rows, side="right") - 1
            changed += block.directory.tournament[entries].tolist()
    return np.unique(np.array(changed, dtype=np.int64))


def can_be_followed(timeline: Timeline) -> bool:
    """Whether what changes in a list can be followed at all, by its rules and its policy."""
    return timeline.list.defined.policy == "restate" and all(
        rules.plain is not None and not rules.EVENT_BY_EVENT and rules.enters_from is None
        for rules in timeline.regulations()
    )


def _as_a_whole(facts: Facts, seq: int) -> list[int]:
    """Returns the tournaments of which, after a seq, something is said that is not of one game."""
    corrected = [tournament for at, tournament, _ in facts.tournament_corrections if at > seq]
    return corrected + [ruling.tournament for ruling in facts.rulings if ruling.seq > seq]


@dataclass(frozen=True, slots=True)
class _Anew:
    """Who is calculated anew in a period: from all their games, or with some games exchanged.

    ``whole`` marks the former, by player; the last one is nobody. ``rows`` are those of their games
    and of the games, not plain, that are calculated for others. Of those who have games
    ``exchanged`` there are the sums of their plain games as they count now, all of them.
    """

    whole: Mask
    rows: Column
    exchanged: Sums


@dataclass(frozen=True, slots=True)
class _Excerpt:
    """Some players of a period (ascending), and some of its games, with players by their place."""

    period: Period
    players: Column
    games: Games

    def given(self, timeline: Timeline, in_force: RatingsInForce) -> Given:
        """Returns what they are calculated with; the ratings are by place as well."""
        made = Given.of(timeline, self.period, in_force, self.games, whole=False)
        return replace(made, particulars=made.particulars.of(self.players))


class Reach:
    """Follows what has changed through the periods of a list.

    Args:
        was: the list as it was calculated before.
        now: the same list with what has changed.
        changed: the tournaments of which something is known otherwise.

    Raises:
        OutOfReach: the list's rules look at more than the players of a game.
    """

    def __init__(self, was: Timeline, now: Timeline, changed: Column) -> None:
        if not can_be_followed(now):
            raise OutOfReach
        rules = now.regulations()
        self._by_tournament = any(each.RATINGS_OF == "tournament" for each in rules)
        self._by_report = any(each.report_within_lists is not None for each in rules)
        self._now = now
        self._known_before = was.known.seq
        self._changed = changed
        self._as_a_whole = bool(_as_a_whole(now.known.facts, was.known.seq))
        known = changed[changed < len(was.known.facts.tournaments)]
        self._touched = {*was.rated_in(known).tolist(), *now.rated_in(changed).tolist()}
        self._players = len(now.known.facts.players)
        self._all_play_alls = now.known.tournaments.system == ALL_PLAY_ALL
        # By player his place among those that are looked at just now; the last one is nobody.
        self._place = np.full(self._players + 1, NOBODY, dtype=np.int32)
        # Ratings in force that are others than they were: by the day from which they hold.
        self._in_force: dict[int, tuple[Column, Column]] = {}
        # See ``Differing``.
        self._met: dict[int, tuple[Column, Column]] = {}
        self.differing = self._nobody()

    def _nobody(self) -> Differing:
        return Differing(_NONE, PlayerStates.empty(0), _NO_BUCKETS, dict(self._met))

    def follow(self, past: Iterable[Remembered]) -> Iterator[tuple[Remembered, Differing]]:
        """Yields periods with who stands otherwise after each, until nothing differs any more.

        ``past`` are the periods as they were calculated, from one on that nothing before differs.
        """
        before: Remembered | None = None
        for then in past:
            opening = self._opening(then, before)
            self.differing = self._closing(then, opening)
            yield then, self.differing
            before = then
            done = not (len(self.differing) or self._in_force or self._met)
            if done and then.period.index >= max(self._touched, default=-1):
                return

    def _opening(self, then: Remembered, before: Remembered | None) -> Differing:
        """Returns who stands otherwise at the start of a period: seeds and orders put in."""
        differing = self.differing
        if not len(differing):
            return differing
        assert before is not None, "nobody differs before the first period"
        players, period, known = differing.players, then.period, self._now.known
        seeded = then.opening.seeded_on[players] != before.closing.seeded_on[players]
        if not known.facts.ordered_steps and not seeded.any():
            return differing
        ordered = self._now.ordered(period, before.period, known.seq)
        if not ordered[players].any() and not seeded.any():
            return differing
        standing = differing.over(before.closing)
        standing = self._now.seeded(standing, period, before.period, known.seq)
        standing, _ = moved_by_order(standing, ordered)
        made = replace(standing, recent=()).of(players)
        return self._otherwise(then.opening, players, made, standing.buckets)

    def _closing(self, then: Remembered, opening: Differing) -> Differing:
        """Returns who stands otherwise after a period."""
        period = then.period
        days, _ = then.in_force.content()
        self._in_force = {day: self._in_force[day] for day in days if day in self._in_force}
        if self._by_tournament and len(opening):
            self._in_force[period.starts_on.toordinal()] = (
                opening.players,
                opening.standing.rating,
            )
        of_a_year = {played.day for played in then.closing.recent}
        self._met = {day: met for day, met in self._met.items() if day in of_a_year}
        concerned = self._marked(opening.players, *self._others_in_force())
        if period.index in self._touched:
            if not then.in_force.reaches(self._now.earliest_start(period)):
                raise OutOfReach
            games = self._games_now(then)
            for each in (games, then.games):
                changed = np.flatnonzero(np.isin(each.tournament, self._changed))
                concerned = concerned | self._playing(each, changed)
            theirs = self._with_all_play_alls(games, rows_of(games, concerned))
            whole = concerned | self._playing(games, theirs)
            anew = _Anew(whole, rows_of(games, whole), _NO_SUMS)
            return self._calculated(then, opening, games, anew)
        if not concerned.any():
            return self._nobody()
        anew = self._anew(then, opening, concerned)
        return self._calculated(then, opening, then.games, anew)

    def _others_in_force(self) -> list[Column]:
        """Returns whose ratings in force are others than they were, day by day."""
        return [players for players, _ in self._in_force.values()]

    def _marked(self, *players: Column) -> Mask:
        """Marks players, in a mask of its own; the last one, nobody, is never marked."""
        marked = np.zeros(self._players + 1, dtype=np.bool_)
        for some in players:
            marked[some] = True
        marked[NOBODY] = False
        return marked

    def _playing(self, games: Games, rows: Column) -> Mask:
        """Marks those who play in the games of some rows."""
        return self._marked(games.white[rows], games.black[rows])

    def _games_now(self, then: Remembered) -> Games:
        """Returns the games of a period of which something is known otherwise.

        Those of other tournaments are as they were, and where all that was said is of single games,
        nothing else need be read.
        """
        now = self._now
        if self._by_report:
            return now.games(then.period)
        known, facts, was = now.known, now.known.facts, then.games
        tournament = facts.entries.tournament[known.entries]
        chosen = np.isin(tournament, self._changed)
        chosen[chosen] = now.rated_in(tournament[chosen]) == then.period.index
        if self._as_a_whole:
            games = games_of(known, known.games(known.entries[chosen]))
            kept = ~np.isin(was.tournament, self._changed)
        else:
            seq = self._known_before
            new = np.array([block.last_seq > seq for block in facts.blocks], dtype=np.bool_)
            chosen &= new[facts.entries.block[known.entries]]
            games = games_of(known, known.games(known.entries[chosen]))
            games = games.rows(games.game > seq)
            pairs = facts.supersession
            kept = ~np.isin(was.game, pairs.earlier[pairs.seq > seq])
        return Games.joined([was.rows(kept), games]).cut()

    def _anew(self, then: Remembered, opening: Differing, concerned: Mask) -> _Anew:
        """Returns who is calculated anew in a period whose games are the same.

        Others see of a player his rating, and nothing else. Where it is another one, his plain
        games are exchanged, for him and those he meets, and his other games that count are
        calculated again. ``concerned`` are those who stand otherwise or are seen otherwise.
        """
        seen = self._seen_otherwise(then, opening)
        gained, not_plain = self._exchanged(then, opening, seen)
        concerned = concerned | self._marked(gained.players)
        whole = self._whole(then, opening, concerned, seen, not_plain)
        theirs = _of_players(then.plain, np.flatnonzero(concerned & ~whole))
        more = _of_players(gained, theirs.players)
        exchanged = Sums(theirs.players, theirs.per_k + more.per_k, theirs.games + more.games)
        rows = _either(len(then.games), then.rows_of(whole), not_plain)
        return _Anew(whole, rows, exchanged)

    def _exchanged(self, then: Remembered, opening: Differing, seen: Mask) -> tuple[Sums, Column]:
        """Exchanges the plain games of those who are seen otherwise.

        Returns what everybody's sums gain, and the rows of the games that count and are not plain,
        as things were or as they are: all of theirs.
        """
        games, was_rating = then.games, then.opening.rating
        # Whether a game of an all-play-all is plain depends on who plays in the others.
        rows = self._with_all_play_alls(games, then.rows_of(seen))
        some = self._excerpt(then.period, games.rows(rows), _NONE)
        players, rating = some.players, was_rating[some.players]
        was = plain_sums(some.given(self._now, self._in_force_then(then, players)), rating)
        rating = rating.copy()
        _put(rating, players, opening.players, opening.standing.rating)
        now = plain_sums(some.given(self._now, self._in_force_now(then, players)), rating)
        not_plain = rows[_either(len(rows), was.others, now.others)]
        not_plain = not_plain[games.reason[not_plain] == Reason.NONE]
        return _difference(now.sums, was.sums, players), not_plain

    def _whole(
        self,
        then: Remembered,
        opening: Differing,
        concerned: Mask,
        seen: Mask,
        not_plain: Column,
    ) -> Mask:
        """Marks those of whom all games are calculated, and none exchanged.

        Args:
            then: the period as it was.
            opening: who stands otherwise at its start.
            concerned: who stands otherwise, is seen otherwise, or has games exchanged.
            seen: who is seen otherwise.
            not_plain: the rows of the games of those that count and are not plain.
        """
        # Without a rating, then or now: none of his games was plain, or none is.
        without = then.opening.rating[opening.players] == UNRATED
        without |= opening.standing.rating == UNRATED
        unrated = self._marked(opening.players[without])
        # Their opponents in games that are not plain: their results are made of all such games.
        met = self._playing(then.games, not_plain)
        # Games that counted are not in the sums in which plain ones are exchanged.
        had_others = concerned & self._marked(then.apart)
        # Without those who are seen otherwise for speed only: of them all other games are
        # calculated in any case.
        return unrated | (met | had_others) & ~seen

    def _seen_otherwise(self, then: Remembered, opening: Differing) -> Mask:
        """Marks whose rating is another one: at the start of a period, or in force in it."""
        another = then.opening.rating[opening.players] != opening.standing.rating
        return self._marked(opening.players[another], *self._others_in_force())

    def _calculated(
        self, then: Remembered, opening: Differing, games: Games, anew: _Anew
    ) -> Differing:
        """Calculates players anew; returns who of them stands otherwise after a period.

        ``games`` are all games of the period as they are now.
        """
        rows = self._with_all_play_alls(games, anew.rows)
        exchanged = anew.exchanged
        reached = _either(self._players, np.flatnonzero(anew.whole), exchanged.players)
        some = self._excerpt(then.period, games.rows(rows), reached)
        given = some.given(self._now, self._in_force_now(then, some.players))
        standing = self._put_in(then.opening, opening, some.players)
        plain = plain_sums(given, standing.rating)
        per_k, count = (np.zeros(len(some.players), dtype=np.int64) for _ in range(2))
        # The exchanged sums are put over those of an excerpt of the same players' games: theirs are
        # of all their plain games.
        for sums, places in (
            (plain.sums, plain.sums.players),
            (exchanged, self._place[exchanged.players]),
        ):
            per_k[places], count[places] = sums.per_k, sums.games
        places = self._place[reached]
        theirs = Sums(places, per_k[places], count[places])
        summed = Summed(plain.others, lambda: theirs)
        closing = settle(given, standing, Credits.none(standing), summed).closing
        self._compare_met(then, reached, closing.recent[-1].by_player(len(some.players))[places])
        buckets = _by_player(closing.buckets, some.players, then.period.index)
        closing = replace(closing, recent=()).of(places)
        return self._otherwise(then.closing, reached, closing, buckets)

    def _compare_met(self, then: Remembered, players: Column, games: Column) -> None:
        """Keeps who of some players has other rated games in a period than he had."""
        played = then.closing.recent[-1]
        others = np.flatnonzero(games != played.of(players).by_player(len(players)))
        if len(others):
            self._met[played.day] = players[others], games[others]

    def _with_all_play_alls(self, games: Games, rows: Column) -> Column:
        """Adds the other games of the all-play-alls of which there are some."""
        tournaments = games.tournament[rows]
        together = self._all_play_alls[tournaments]
        if not together.any():
            return rows
        played = np.zeros(len(self._all_play_alls), dtype=np.bool_)
        played[tournaments[together]] = True
        return np.union1d(rows, np.flatnonzero(played[games.tournament]))

    def _excerpt(self, period: Period, games: Games, players: Column) -> _Excerpt:
        """Returns games with all who play in them, and players beside them, by their place."""
        marked = np.zeros(self._players + 1, dtype=np.bool_)
        marked[players] = True
        marked[games.white] = True
        marked[games.black] = True
        among = np.flatnonzero(marked[:-1])
        self._place[among] = np.arange(len(among), dtype=np.int32)
        white, black = self._place[games.white], self._place[games.black]
        return _Excerpt(period, among, games.with_(white=white, black=black).cut())

    def _in_force_then(self, then: Remembered, players: Column) -> RatingsInForce:
        """Returns the ratings in force as they were, of some players, by place."""
        if not self._by_tournament:
            return _NOT_ASKED_FOR
        days, ratings = then.in_force.content()
        of_players = [rating[players] for rating in ratings]
        return RatingsInForce.of(days, of_players, complete=then.in_force.complete)

    def _in_force_now(self, then: Remembered, players: Column) -> RatingsInForce:
        """Returns the same with those put in that are others now."""
        made = self._in_force_then(then, players)
        for day, rating in zip(*made.content(), strict=True):
            if day in self._in_force:
                _put(rating, players, *self._in_force[day])
        return made

    def _put_in(self, was: PlayerStates, differing: Differing, players: Column) -> PlayerStates:
        """Returns where some players stand, by place, with those put in who stand otherwise.

        Among them are all who do. Recent games are left out: no rule for a rating looks at them.
        """
        made = replace(was, recent=()).of(players)
        places = self._place[differing.players]
        for name in VECTORS:
            getattr(made, name)[places] = getattr(differing.standing, name)
        as_they_were = np.zeros(self._players, dtype=np.bool_)
        as_they_were[players] = True
        as_they_were[differing.players] = False
        buckets = _of_those(was.buckets, as_they_were).with_those_of(differing.buckets)
        if not len(buckets):
            return made
        results = buckets.results
        by_place = results.achieved.with_(player=self._place[results.player].astype(np.int64))
        return replace(made, buckets=replace(buckets, results=replace(results, achieved=by_place)))

    def _otherwise(
        self, was: PlayerStates, players: Column, now: PlayerStates, buckets: Buckets
    ) -> Differing:
        """Returns who of some players stands otherwise than he did.

        Args:
            was: where everybody stood.
            players: who is asked for.
            now: where they stand, by their place among them.
            buckets: buckets by player, theirs among them.
        """
        asked = np.zeros(self._players, dtype=np.bool_)
        asked[players] = True
        self._place[players] = np.arange(len(players), dtype=np.int32)
        old, new = _of_those(was.buckets, asked), _of_those(buckets, asked)
        differs = np.zeros(len(players), dtype=np.bool_)
        differs[self._place[old.unlike(new)]] = True
        for name in VECTORS:
            differs |= getattr(was, name)[players] != getattr(now, name)
        asked[players] = differs
        chosen = np.flatnonzero(differs)
        theirs = _of_those(new, asked)
        return Differing(players[chosen], now.of(chosen), theirs, dict(self._met))


_NO_SUMS = Sums(_NONE, _NONE, _NONE)


def _put(rating: Column, players: Column, others: Column, ratings: Column) -> None:
    """Puts the ratings of others (ascending) into those of some players, where they are among them.

    Args:
        rating: by place among the players; it is changed.
        players: in ascending order.
        others: who has another rating, in ascending order.
        ratings: theirs.
    """
    if len(players):
        place = np.minimum(np.searchsorted(players, others), len(players) - 1)
        there = players[place] == others
        rating[place[there]] = ratings[there]


def _difference(one: Sums, other: Sums, players: Column) -> Sums:
    """Returns what sums are more than others, by player; those are by place among the players."""
    per_k, games = (np.zeros(len(players), dtype=np.int64) for _ in range(2))
    per_k[one.players], games[one.players] = one.per_k, one.games
    per_k[other.players] -= other.per_k
    games[other.players] -= other.games
    which = np.flatnonzero((per_k != 0) | (games != 0))
    return Sums(players[which], per_k[which], games[which])


def _either(count: int, one: Column, other: Column) -> Column:
    """Returns which of so many are among the ones or the others, in ascending order."""
    among = np.zeros(count, dtype=np.bool_)
    among[one] = True
    among[other] = True
    return np.flatnonzero(among)


def _of_players(sums: Sums, players: Column) -> Sums:
    """Returns the sums of some players; those of somebody without any are 0."""
    per_k, games = (np.zeros(len(players), dtype=np.int64) for _ in range(2))
    if len(sums.players):
        place = np.minimum(np.searchsorted(sums.players, players), len(sums.players) - 1)
        there = sums.players[place] == players
        per_k[there], games[there] = sums.per_k[place[there]], sums.games[place[there]]
    return Sums(players, per_k, games)


def _of_those(buckets: Buckets, marked: Mask) -> Buckets:
    """Returns the buckets of marked players."""
    rows = np.flatnonzero(marked[buckets.results.player])
    if not len(rows):
        return _NO_BUCKETS
    return Buckets(buckets.results.rows(rows), buckets.periods[rows])


def _by_player(buckets: Buckets, players: Column, period: int) -> Buckets:
    """Returns buckets by place as buckets by player.

    The opponents of this period's results are places as well, those of earlier ones are not.
    """
    if not len(buckets):
        return _NO_BUCKETS
    results = buckets.results
    of_now = np.flatnonzero(np.repeat(buckets.periods == period, results.met_counts))
    opponent = results.opponents.opponent.copy()
    opponent[of_now] = players[opponent[of_now]]
    return buckets.renumbered(players[results.player], opponent)
