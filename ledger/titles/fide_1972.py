"""FIDE 1972: results for the titles of grandmaster and international master.

Source: Chavarría, manual of tournaments and rating, Monterrey 1975, chapter on international
titles, which gives FIDE's annex 1 to circular letter 3, 1971/72. Read this module beside it: the
sections below are those of chapter III, article 1.

=========== ============================================== ====================================
article     what                                           where
=========== ============================================== ====================================
chapter II  titles by stages of the world championships    the module ``fide_1972_stages``
III I A     what an international tournament is            ``international``
III I B     categories by the mean                         ``category_of``, the table
III I C     the mean, and the unrated in it                ``Field.mean``
III I D     percentages by category                        ``PERCENT``, ``halves_needed``
III II      strength of the field, score, place            ``title_result``
III II      three results, or two, within three years      ``accumulation``
III III     team events, and any other                     ``individual_field``
III III     the games of the finals only                   ``individual_field`` of these, from the
                                                           round that is asked for on
=========== ============================================== ====================================

The table of categories and percentages is ``tables/fide_1972.csv``.

What the text does not say, and what is done here:

* I A: *titled* is who holds any title that is recorded. Limits for one federation are given from
  10 players on, so a smaller field fails by its size only. Where federations are not known, the
  condition fails if they could break the limit.
* I: an all-play-all of several cycles is one event of section I. Its participants are people, so
  each counts once in A, C and II, however often he is met; the percentage is of all games due.
* I: who withdrew before half of his games is no participant. Later he is one, and the games he did
  not play are wins for his opponents, as in the crosstable.
* I C: the mean is rounded to the nearest whole point, halves upwards, since the bands are of whole
  points. Below 2251 and above 2625 there is no category, and no result.
* I D: the score needed is the smallest multiple of half a point with at least the percentage.
* II: 80 per cent rated, and three grandmasters, are asked of each event, in case a) as in case b).
  *Three years* end before the third anniversary of the first day of the first event. Who holds the
  title of international master on the last day of the last of the events needs no places.
* III: places are those of the event's own table; a team event has none for a player.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from itertools import combinations

from ledger.rating.decimal_text import points
from ledger.rating.expectation import printed_table
from ledger.rating.rounding import half_up
from ledger.wording import Message

_PRINTED = printed_table("ledger.titles", "fide_1972.csv")


class Title(StrEnum):
    """The two titles."""

    GRANDMASTER = "GM"
    INTERNATIONAL_MASTER = "IM"


@dataclass(frozen=True, slots=True)
class Failure:
    """A condition that is not met: its name in data, and the sentence.

    ``plain`` is the sentence for people where that of the answers, which stays, has to be decoded.
    """

    condition: str
    message: Message
    plain: Message | None = None

    @property
    def told(self) -> Message:
        """The sentence for people."""
        return self.plain or self.message


@dataclass(frozen=True, slots=True)
class Participant:
    """One of the field. Without a rating it is None."""

    rating: int | None
    federation: str | None
    titles: frozenset[str]


@dataclass(frozen=True)
class Field:
    """All participants of a tournament, the candidate among them."""

    participants: tuple[Participant, ...]

    @property
    def size(self) -> int:
        """The number of participants."""
        return len(self.participants)

    def with_title(self, title: str | None = None) -> int:
        """Returns how many hold the title, or any."""
        return sum(bool(p.titles) if title is None else title in p.titles for p in self)

    def __iter__(self) -> Iterator[Participant]:
        return iter(self.participants)

    @cached_property
    def mean(self) -> Fraction:
        """I C: the mean rating; who has none counts as 2200."""
        return Fraction(sum(p.rating or UNRATED_COUNTS_AS for p in self), self.size)

    @cached_property
    def category(self) -> int | None:
        """I B: the category of the mean, or None outside the table."""
        return category_of(self.mean)


# I A. International tournaments

PLAYERS = 10
TITLED = Fraction(1, 3)
SMALL_FIELD = 12  # the last size with the narrower limit


def most_of_one_federation(players: int) -> int:
    """Returns how many may come from one federation: half and 1, above 12 players half and 2."""
    return (players + (2 if players <= SMALL_FIELD else 4)) // 2


def international(field: Field) -> list[Failure]:
    """Returns which conditions of an international tournament the field does not meet."""
    fails = []
    if field.size < PLAYERS:
        message = Message.of("title.players", players=field.size, needed=PLAYERS)
        fails.append(Failure("players", message))
    titled = field.with_title()
    if titled < TITLED * field.size:
        message = Message.of("title.titled", titled=titled, players=field.size)
        fails.append(Failure("titled", message))
    return fails if field.size < PLAYERS else fails + _federations(field)


def _federations(field: Field) -> list[Failure]:
    counts = Counter(p.federation for p in field)
    unknown = counts.pop(None, 0)
    federation, count = max(counts.items(), key=lambda c: (c[1], str(c[0])), default=("", 0))
    most = most_of_one_federation(field.size)
    if count > most:
        message = Message.of("title.federation", federation=federation, count=count, most=most)
        return [Failure("federation", message)]
    if count + unknown > most:
        message = Message.of("title.federation_unknown", count=unknown, most=most)
        return [Failure("federation-unknown", message)]
    return []


# I B. Categories

CATEGORIES = {int(row["category"]): (int(row["from"]), int(row["to"])) for row in _PRINTED}


def category_of(mean: Fraction) -> int | None:
    """Returns the category of a mean, or None outside the table.

    >>> category_of(Fraction(4501, 2)), category_of(Fraction(2275)), category_of(Fraction(2250))
    (1, 1, None)
    """
    counted = half_up(mean)
    fitting = (c for c, (first, last) in CATEGORIES.items() if first <= counted <= last)
    return next(fitting, None)


# I C. The mean

UNRATED_COUNTS_AS = 2200

# I D. Percentages

PERCENT = {
    title: {int(row["category"]): int(row[column]) for row in _PRINTED if row[column]}
    for title, column in (
        (Title.GRANDMASTER, "grandmaster"),
        (Title.INTERNATIONAL_MASTER, "international_master"),
    )
}


def halves_needed(percent: int | Fraction, games: int) -> int:
    """Returns the smallest score, in half points, with at least the percentage.

    >>> halves_needed(60, 10), halves_needed(60, 11)  # 6 points exactly; 6.6, so 7
    (12, 14)
    """
    return int(-(-percent * 2 * games // 100))


# II. What a result for a title is


@dataclass(frozen=True, slots=True)
class Rules:
    """What section II asks for one title."""

    games_of_two: int
    grandmasters: int


RULES = {Title.GRANDMASTER: Rules(25, 3), Title.INTERNATIONAL_MASTER: Rules(30, 0)}
RATED_PERCENT = 80
RESULTS, FEWER_RESULTS = 3, 2
YEARS = 3
PLACES = 3


@dataclass(frozen=True, slots=True)
class SharedPlace:
    """A place in the table: how many stand above, and how many share it, himself included."""

    above: int
    sharing: int

    @property
    def among_three(self) -> bool:
        """First alone or with at most two others, second alone or with one, third alone."""
        return self.above + self.sharing <= PLACES


@dataclass(frozen=True, slots=True)
class Performance:
    """What a candidate did: games that count for the score, the score, and those without result.

    ``played`` are his games over the board. Without a place of his own it is None.
    """

    games: int
    halves: int
    unfinished: int
    played: int
    place: SharedPlace | None
    titles: frozenset[str]


@dataclass(frozen=True, slots=True)
class TitleResult:
    """A performance held against one title; ``percent`` and ``needed`` (half points) if any."""

    title: Title
    percent: int | None
    needed: int | None
    fails: tuple[Failure, ...]

    @property
    def made(self) -> bool:
        """Whether it is a result for the title."""
        return not self.fails

    @property
    def made_by_a_master(self) -> bool:
        """Whether it is one for an international master, of whom no place is asked."""
        return all(fail.condition == "place" for fail in self.fails)


def title_result(title: Title, field: Field, done: Performance) -> TitleResult:
    """Holds a candidate's performance in a field against a title, condition by condition."""
    fails = [*international(field), *_strength(title, field)]
    percent = PERCENT[title].get(field.category) if field.category is not None else None
    needed = halves_needed(percent, done.games) if percent is not None and done.games else None
    if field.category is None:
        message = Message.of("title.no_category", mean=half_up(field.mean))
        fails.append(Failure("category", message))
    elif percent is None:
        first = min(PERCENT[title])
        message = Message.of("title.category", category=field.category, first=first)
        fails.append(Failure("category", message))
    if done.unfinished:
        fails.append(Failure("unfinished", Message.of("title.unfinished", count=done.unfinished)))
    if needed is not None and done.halves < needed:
        message = Message.of("title.score", made=points(done.halves), needed=points(needed))
        fails.append(Failure("score", message))
    fails += _place(title, done)
    return TitleResult(title, percent, needed, tuple(fails))


def _strength(title: Title, field: Field) -> list[Failure]:
    """II. What is asked of the field beside section I."""
    fails = []
    rated = sum(p.rating is not None for p in field)
    if rated * 100 < RATED_PERCENT * field.size:
        message = Message.of("title.rated", rated=rated, players=field.size, percent=RATED_PERCENT)
        fails.append(Failure("rated", message))
    grandmasters, needed = field.with_title(Title.GRANDMASTER), RULES[title].grandmasters
    if grandmasters < needed:
        message = Message.of("title.grandmasters", count=grandmasters, needed=needed)
        fails.append(Failure("grandmasters", message))
    return fails


def _place(title: Title, done: Performance) -> list[Failure]:
    """II A. A grandmaster-to-be without the title of international master needs a place, too."""
    if title is not Title.GRANDMASTER or done.titles & set(Title):
        return []
    if done.place is None:
        return [Failure("place", Message.of("title.no_place"))]
    if done.place.among_three:
        return []
    place, sharing = done.place.above + 1, done.place.sharing
    plain = Message.of("title.plain_place", place=place)
    if sharing > 1:
        plain = Message.of("title.plain_place_shared", place=place, sharing=sharing)
    said = Message.of("title.place", place=place, sharing=sharing)
    return [Failure("place", said, plain)]


# II. Three results, or two with enough games, within three years


@dataclass(frozen=True, slots=True)
class Made:
    """A result for a title: the event, its first and last day, and the games played.

    ``with_place`` is whether it counts for who is no international master.
    """

    event: str
    starts_on: dt.date
    ends_on: dt.date
    games: int
    with_place: bool = True


@dataclass(frozen=True, slots=True)
class Accumulation:
    """The results that fulfil the rule, or those within three years that come nearest to it."""

    title: Title
    results: tuple[Made, ...]
    fulfilled: bool

    @property
    def games(self) -> int:
        """The games of these results together."""
        return sum(made.games for made in self.results)


def accumulation(
    title: Title, results: Sequence[Made], master_from: dt.date | None
) -> Accumulation:
    """Returns when a player's results first suffice for the title, or how near they have come.

    He is an international master since ``master_from`` (None: he is not).
    """
    nearest: tuple[Made, ...] = ()
    results = sorted(results, key=lambda made: (made.ends_on, made.starts_on, made.event))
    for number, last in enumerate(results, start=1):
        is_master = master_from is not None and master_from <= last.ends_on
        counting = [
            made
            for made in results[:number]
            if last.ends_on < _years_later(made.starts_on) and (is_master or made.with_place)
        ]
        if last not in counting:
            continue
        for count in FEWER_RESULTS, RESULTS:
            for chosen in combinations(counting, count):
                if chosen[-1] is last and suffices(title, chosen):
                    return Accumulation(title, chosen, fulfilled=True)
        nearest = max(nearest, tuple(counting), key=lambda some: (len(some), _games(some)))
    return Accumulation(title, nearest, fulfilled=False)


def suffices(title: Title, results: Sequence[Made]) -> bool:
    """Whether as many results with as many games are enough, all within three years."""
    enough = len(results) >= FEWER_RESULTS and _games(results) >= RULES[title].games_of_two
    return enough or len(results) >= RESULTS


def _games(results: Sequence[Made]) -> int:
    return sum(made.games for made in results)


def _years_later(day: dt.date) -> dt.date:
    """Returns the third anniversary of a day; 29 February has it on 1 March."""
    try:
        return day.replace(year=day.year + YEARS)
    except ValueError:
        return dt.date(day.year + YEARS, 3, 1)


# III. Team events, and any other that is not the tournament of section I


def individual_field(candidate: Participant, opponents: Sequence[Participant]) -> Field:
    """Returns the tournament a player has had for himself: games + 1 participants.

    There is an opponent for each game, so one met twice counts as two. Of a preliminary group and
    a final the games of the final may count alone: then their opponents alone are given.
    """
    return Field((candidate, *opponents))
