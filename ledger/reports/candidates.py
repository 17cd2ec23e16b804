"""Who of the players somebody may be, whose name is printed otherwise than it is recorded.

A candidate is weighed as records of two registers are linked (Fellegi and Sunter, JASA 64, 1969):
each thing that is told speaks for one person by log2 of how often it agrees so where two records
are of one person, over how often it does by chance among the players. So a rare surname says more
than a common one, and the more players there are, the more must agree. Nobody is taken for somebody
by it: it says whom to ask about, the likeliest first.

Names are compared word by word in any order (``ledger.spelling``): a word may be cut to its
initial or its beginning, be spelled or transcribed otherwise; surnames may be left out, added or
changed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, lru_cache
from heapq import nsmallest
from itertools import chain, product
from math import e, inf, log2
from typing import Any, Final, NamedTuple

from rapidfuzz.distance import OSA

from ledger.reports.birth_dates import BirthDifference, birth_difference
from ledger.spelling import folded, sound, transcribed

LEAST_BITS: Final = -0.5
"""Who is less likely than this is not asked about: seven to ten."""
_PARTICLES: Final = frozenset({
    "al", "am", "an", "bin", "da", "das", "de", "dei", "del", "della", "den", "der", "di", "do",
    "dos", "du", "e", "el", "ibn", "la", "las", "le", "les", "los", "mc", "st", "te", "ten", "ter",
    "van", "vom", "von", "y", "zu", "zum", "zur",
})  # fmt: skip
"""Little words of surnames: they are written or not."""
_BEGINNING: Final = 3  # letters to which a word may be cut
_LETTERS_AN_ERROR: Final = 4
_YEAR: Final = len("1990")

# How often it is so where two records are of one person.
_LEFT_OUT: Final = log2(0.15 / 0.5)
_MOST_NEAR: Final = 500  # players who are looked at for one person
_MOST_LEFT_OUT: Final = 2  # words: more say no more
_CHANGED: Final = {"w": log2(0.06), None: log2(0.03), "m": log2(0.015)}
_GIVEN_CHANGED: Final = log2(0.004)
_YEARS_AGREE: Final = {0: 0.985, 1: 0.005}
"""By years between them; who is farther away is somebody else, unless the name is the same."""
_BIRTH_DIFFERS: Final = {
    BirthDifference.DAY_AND_MONTH: log2(0.004 * 80 * 365),
    BirthDifference.ONE_DIGIT: log2(0.006 * 80 * 365 / 25),
    BirthDifference.YEAR_ALONE: log2(0.01),
    BirthDifference.OTHER: log2(0.002),
}
"""What a birth date that says otherwise says of two records with the same name, in bits."""
_FEW: Final = 20  # namesakes of other birth dates who are asked about
_FEDERATION_AGREES: Final = 0.97
_SEX_AGREES: Final = 0.99
_CLUB_AGREES: Final = 0.85  # people move
_RATING_SPREAD: Final = 90.0
"""By how much ratings of one person differ, as a standard deviation; of two ``_WIDER`` so much."""
_WIDER: Final = 4
_MOST_OF_RATING: Final = 2.0
_WORDS, _INITIALS, _YEARS, _FEDERATIONS, _SEXES, _CLUBS = 1_000, 20, 80, 20, 2, 50
"""Of how many kinds each thing is, about."""
_BY_CHANCE: Final = 0.001
"""How often a word is like another one by chance, however rare both are."""


@dataclass(frozen=True, slots=True)
class PersonDescription:
    """What is told of somebody, or known; None where nothing is.

    ``birth_date`` is an ISO date or a year, ``sex`` is ``m`` or ``w``, ``club`` is folded.
    """

    name: str
    birth_date: str | None = None
    federation: str | None = None
    sex: str | None = None
    club: str | None = None

    @property
    def year(self) -> int | None:
        """The year of birth."""
        return int(self.birth_date[:_YEAR]) if self.birth_date else None


@dataclass(frozen=True, slots=True)
class Likeness:
    """One of the players by its place, and in bits how much speaks for it: 0 is even odds.

    ``birth`` says how the birth date of one with the same name differs.
    """

    place: int
    bits: float
    birth: BirthDifference | None = None


class Candidates:
    """Players, by what is known of each, to be looked through for somebody.

    It takes time in proportion to them once, then for each person in proportion to those who have
    a word in common that sounds alike. ``ratings`` brings theirs, where they are asked for (None:
    unrated).
    """

    def __init__(
        self,
        players: Sequence[PersonDescription],
        ratings: Callable[[], Sequence[int | None]] = lambda: (),
    ) -> None:
        self._players = players
        self._ask_ratings = ratings
        self._names = _names_of([each.name for each in players])

    # What is looked up

    @cached_property
    def _by_sound(self) -> Mapping[tuple[str, int | None], Sequence[int]]:
        """Places by how a word sounds and the year of birth."""
        places: dict[tuple[str, int | None], list[int]] = defaultdict(list)
        for place, (name, player) in enumerate(zip(self._names, self._players, strict=True)):
            for key in name.sounds:
                places[key, player.year].append(place)
        return places

    @cached_property
    def _years_of(self) -> Mapping[str, Sequence[int | None]]:
        """The years in which somebody was born who has a word that sounds so."""
        years: dict[str, list[int | None]] = defaultdict(list)
        for key, year in self._by_sound:
            years[key].append(year)
        return years

    @cached_property
    def _by_name(self) -> Mapping[tuple[str, ...], Sequence[int]]:
        """Places by the words of a name, in order of the alphabet."""
        places: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for place, name in enumerate(self._names):
            places[name.key].append(place)
        return places

    @cached_property
    def _having(self) -> Counter[str]:
        """How many players have a word."""
        return Counter(chain.from_iterable({*name.words} for name in self._names))

    @cached_property
    def _having_transcribed(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for word, count in self._having.items():
            found[transcribed(word)] += count
        return found

    @cached_property
    def _having_initial(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for word, count in self._having.items():
            found[word[0]] += count
        return found

    @cached_property
    def _years(self) -> Counter[int | None]:
        return Counter(each.year for each in self._players)

    @cached_property
    def _federations(self) -> Counter[str | None]:
        return Counter(each.federation for each in self._players)

    @cached_property
    def _sexes(self) -> Counter[str | None]:
        return Counter(each.sex for each in self._players)

    @cached_property
    def _clubs(self) -> Counter[str | None]:
        return Counter(each.club for each in self._players)

    # What is asked

    def of(self, person: PersonDescription, rating: int | None = None) -> list[Likeness]:
        """Returns the players who may be the one of whom this is told, the likeliest first.

        Who has the same name, and nothing known that says otherwise but a birth date, always may.
        """
        (name,) = _names_of([person.name])
        if not (self._players and name.words):
            return []
        even = -log2(len(self._players))
        born_otherwise = self._born_otherwise(name, person)
        found = []
        for place in self._near(name, person.year).difference(born_otherwise):
            known = self._players[place]
            is_same = name.key == self._names[place].key and _agree(person, known)
            bits = even + self._of_names(name, self._names[place], person.sex or known.sex)
            if bits + self._most_of_others <= LEAST_BITS and not is_same:
                continue
            bits += self._others(person, known)
            if rating is not None and bits > LEAST_BITS - _MOST_OF_RATING:
                bits += self._of_ratings(rating, place)
            if is_same:
                bits = max(bits, LEAST_BITS)
            if bits >= LEAST_BITS:
                found.append(Likeness(place, round(bits, 1)))
        dateless = replace(person, birth_date=None)
        for place, difference in born_otherwise.items():
            known = self._players[place]
            bits = even + self._of_names(name, self._names[place], person.sex or known.sex)
            bits += self._others(dateless, known) + _BIRTH_DIFFERS[difference]
            bits += 0 if rating is None else self._of_ratings(rating, place)
            found.append(Likeness(place, round(bits, 1), difference))
        return sorted(found, key=lambda each: (-each.bits, each.place))

    def _born_otherwise(
        self, name: _Name, person: PersonDescription
    ) -> Mapping[int, BirthDifference]:
        """Returns who has the same name of several words and another birth date, and nothing else.

        Of many it is those whose birth date is the likeliest slip.
        """
        found: dict[int, BirthDifference] = {}
        for place in self._by_name.get(name.key, ()) if len(name.words) > 1 else ():
            known = self._players[place]
            difference = birth_difference(person.birth_date, known.birth_date)
            if difference is not None and _agree_otherwise(person, known):
                found[place] = difference
        if len(found) > _FEW:
            return dict(nsmallest(_FEW, found.items(), key=lambda each: -_BIRTH_DIFFERS[each[1]]))
        return found

    def _near(self, name: _Name, year: int | None) -> set[int]:
        """Returns who has a word that sounds alike, and was not born in quite another year.

        What so many have that it says little is left aside; who has the same name never is.
        """
        pools = []
        for key in name.sounds:
            years = self._years_of.get(key, ())
            if year is not None:
                years = (year - 1, year, year + 1, None)
            pools.append([self._by_sound.get((key, each), ()) for each in years])
        namesakes = self._by_name.get(name.key, ())
        near = {at for at in namesakes if self._is_near(self._players[at].year, year)}
        for pool in sorted(pools, key=lambda each: sum(map(len, each))):
            if len(near) + sum(map(len, pool)) > _MOST_NEAR:
                break
            near.update(chain.from_iterable(pool))
        return near

    @staticmethod
    def _is_near(one: int | None, other: int | None) -> bool:
        return one is None or other is None or abs(one - other) in _YEARS_AGREE

    @cached_property
    def _most_of_others(self) -> float:
        """How much can speak for somebody beside the name."""
        kinds: list[tuple[Counter[Any], int]] = [
            (self._years, _YEARS), (self._federations, _FEDERATIONS), (self._sexes, _SEXES)
        ]  # fmt: skip
        kinds += [(self._clubs, _CLUBS)] if len(self._clubs) > 1 else []
        rarest = [self._share(min(found.values()), many) for found, many in kinds]
        return _MOST_OF_RATING - sum(map(log2, rarest))

    def _share(self, count: int, kinds: int) -> float:
        """Returns how frequent it is, where so many players have it of one of several kinds.

        A small register tells little of that: it is as if some more players had each kind.
        """
        return (count + 0.5) / (len(self._players) + kinds / 2)

    def _of_names(self, one: _Name, other: _Name, sex: str | None) -> float:
        """Returns what two names say, as the best pairs of their words do."""
        pairs = [
            (way.bits(again=False) + rarity, at, other_at, way)
            for at, word in enumerate(one.words)
            for other_at, another in enumerate(other.words)
            if (found := self._word(word, another)) is not None
            for way, rarity in (found,)
        ]
        left, left_of_other = {*range(len(one.words))}, {*range(len(other.words))}
        ways: set[_Way] = set()
        bits = 0.0
        for pair_bits, at, other_at, way in sorted(pairs, key=lambda each: -each[0]):
            if at in left and other_at in left_of_other:
                left.remove(at)
                left_of_other.remove(other_at)
                bits += pair_bits
                if way in ways:
                    bits += way.bits(again=True) - way.bits(again=False)
                ways.add(way)
        left = {at for at in left if one.words[at] not in _PARTICLES}
        left_of_other = {at for at in left_of_other if other.words[at] not in _PARTICLES}
        changed = min(len(left), len(left_of_other))
        if changed and "".join(one.words) == "".join(other.words):  # words are put together
            shares = (self._share(self._having[word], _WORDS) for word in other.words)
            return _Way.TRANSCRIBED.bits(again=False) - sum(map(log2, shares))
        if _has_number(one, left) and _has_number(other, left_of_other):
            return -inf
        more = max(len(left), len(left_of_other)) - changed
        given = min(one.given(left), other.given(left_of_other))
        bits += given * _GIVEN_CHANGED + (changed - given) * _CHANGED[sex]
        return bits + min(more, _MOST_LEFT_OUT) * _LEFT_OUT

    def _word(self, one: str, other: str) -> tuple[_Way, float] | None:
        """Returns how two words may be one, and how rare they are in bits; None: they are none."""
        way = _way(one, other)
        if way is None:
            return None
        if way is _Way.SAME:
            share = self._share(self._having[other], _WORDS)
        elif way is _Way.INITIAL:  # a name has several words, of which one is meant
            share = min(self._share(self._having_initial[one[0]], _INITIALS), 0.5) / 2
        else:
            share = self._share(self._having_transcribed[transcribed(other)], _WORDS)
            share += 0 if way is _Way.TRANSCRIBED else _BY_CHANCE
        return way, -log2(share)

    def _others(self, person: PersonDescription, known: PersonDescription) -> float:
        """Returns what is said by the rest that is told and known."""
        bits = 0.0
        if person.year is not None and known.year is not None:
            agrees = _YEARS_AGREE[abs(person.year - known.year)]
            bits += log2(agrees / self._share(self._years[person.year], _YEARS))
        if person.federation is not None and known.federation is not None:
            share = self._share(self._federations[known.federation], _FEDERATIONS)
            is_same = person.federation == known.federation
            bits += log2(_FEDERATION_AGREES / share if is_same else (1 - _FEDERATION_AGREES))
        if person.sex is not None and known.sex is not None:
            share = self._share(self._sexes[known.sex], _SEXES)
            bits += log2(_SEX_AGREES / share if person.sex == known.sex else 1 - _SEX_AGREES)
        if person.club and known.club:
            share = self._share(self._clubs[known.club], _CLUBS)
            bits += log2(_CLUB_AGREES / share if person.club == known.club else 1 - _CLUB_AGREES)
        return bits

    @cached_property
    def _ratings(self) -> Sequence[int | None]:
        return self._ask_ratings() or [None] * len(self._players)

    def _of_ratings(self, rating: int, place: int) -> float:
        """Returns what two ratings say: a normal distribution over one four times as wide."""
        known = self._ratings[place]
        if known is None:
            return 0.0
        away = (rating - known) / _RATING_SPREAD
        return _MOST_OF_RATING - away * away / 2 * (1 - 1 / _WIDER**2) * log2(e)


def _agree(person: PersonDescription, known: PersonDescription) -> bool:
    """Whether birth date, federation and sex say nothing else, as far as both are known."""
    is_same_day = birth_difference(person.birth_date, known.birth_date) is None
    return is_same_day and _agree_otherwise(person, known)


def _agree_otherwise(person: PersonDescription, known: PersonDescription) -> bool:
    """Whether federation and sex say nothing else, as far as both are known."""
    pairs = ((person.federation, known.federation), (person.sex, known.sex))
    return all(None in pair or pair[0] == pair[1] for pair in pairs)


class _Way(Enum):
    """How a word is written in another record of the same person: how often so, and once more.

    Who transcribes or cuts one word of a name mostly does so with all.
    """

    SAME = 0.9, 0.9
    TRANSCRIBED = 0.06, 0.5
    INITIAL = 0.06, 0.8
    CUT = 0.02, 0.1
    MISSPELLED = 0.03, 0.03
    BADLY_MISSPELLED = 0.01, 0.01

    def bits(self, *, again: bool) -> float:
        """Returns what that says, without how rare the word is."""
        return log2(self.value[again])


@lru_cache(maxsize=1 << 17)
def _way(one: str, other: str) -> _Way | None:
    """Returns how a word is written as the other one; None where they are not one word."""
    if one == other:
        return _Way.SAME
    if not (one.isalpha() and other.isalpha()):
        return None
    shorter = min(len(one), len(other))
    if shorter == 1:
        return _Way.INITIAL if one[0] == other[0] else None
    plain, plain_other = transcribed(one), transcribed(other)
    if plain == plain_other:
        return _Way.TRANSCRIBED
    if shorter >= _BEGINNING and (one.startswith(other) or other.startswith(one)):
        return _Way.CUT
    most = max(len(plain), len(plain_other)) // _LETTERS_AN_ERROR
    errors = OSA.distance(plain, plain_other, score_cutoff=most)
    if errors > most:
        return None
    return _Way.MISSPELLED if errors == 1 else _Way.BADLY_MISSPELLED


class _Name(NamedTuple):
    """The words of a name, and how many of them, the first ones, stand before its comma."""

    words: Sequence[str]
    family: int

    @property
    def key(self) -> tuple[str, ...]:
        """Its words, in whatever order they were."""
        return tuple(sorted(self.words))

    @property
    def sounds(self) -> set[str]:
        """How its words sound, also put together; an initial has no sound."""
        own = {sound(word) for word in self.words if len(word) > 1 and word not in _PARTICLES}
        if self.family > 1:
            own.add(sound(*self.words[: self.family]))
        if len(self.words) - self.family > 1:
            own.add(sound(*self.words[self.family :]))
        return own

    def given(self, places: Iterable[int]) -> int:
        """Returns how many of some words are given names for sure."""
        return sum(place >= self.family for place in places) if self.family else 0


def _names_of(names: Sequence[str]) -> list[_Name]:
    """Returns the words of names, folded all at once."""
    parts = [name.partition(",") for name in names]
    family, given = (
        [line.split() for line in folded("\n".join(each[part] for each in parts)).split("\n")]
        for part in (0, 2)
    )
    return [
        _Name([*before, *behind], len(before) if behind else 0)
        for before, behind in zip(family, given, strict=True)
    ]


def _has_number(name: _Name, places: Iterable[int]) -> bool:
    """Whether one of some words is a number, or has one in it: that is no slip of a name."""
    return any(not name.words[place].isalpha() for place in places)


def share_a_word(one: str, other: str) -> bool:
    """Whether two names have a word in common, however it is written; one of signs has any."""
    words, others = (name.words for name in _names_of([one, other]))
    pairs = product(words, others)
    return not (words and others) or any(_way(*pair) is not None for pair in pairs)
