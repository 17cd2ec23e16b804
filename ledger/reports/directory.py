"""The directory: the players of a ledger as people look for them, by name.

Who was merged into another is not in it, who was erased stands in it without a name. Names are
compared as ``ledger.spelling`` says. What is answered takes time in proportion to the players, and
none to their games.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from ledger.facts.as_of import AsOf
from ledger.facts.columns import Column
from ledger.identifiers import PlayerId
from ledger.json_form import JsonForm
from ledger.lists.people import People, Personal, Printed
from ledger.reports.birth_dates import birth_difference
from ledger.spelling import folded, is_similar, is_slip, transcribed

WHOLE: Final = 0
BEGINNING: Final = 1
SLIP: Final = 2
SAME_BIRTH_DATE: Final = "birth_date"
SAME_NAME: Final = "name"
_YEAR = len("1990")
_FEW: Final = 20  # namesakes
_ANY_WORD = ""


@dataclass(frozen=True, slots=True)
class Person(JsonForm):
    """A player of the register. ``birth_date`` is an ISO date or a year; what is unknown is None.

    An erased person has neither name, sex nor birth date.
    """

    id: PlayerId
    name: str | None
    federation: str | None
    sex: str | None
    birth_date: str | None


class LikePair(NamedTuple):
    """Two places that may be one person, who came first before the other.

    ``reason`` is ``birth_date`` where that is the same, ``name`` where nothing says otherwise, else
    how the birth dates differ (``BirthDifference``).
    """

    one: int
    other: int
    reason: str

    @property
    def reason_key(self) -> str:
        """The key of the reason in words."""
        return f"alike.{self.reason}"

    @property
    def is_born_otherwise(self) -> bool:
        """Whether the birth dates say that they are two."""
        return self.reason not in {SAME_BIRTH_DATE, SAME_NAME}


class PlayerDirectory:
    """The players as known at a basis, in order of registration; a *place* is one of them."""

    def __init__(
        self,
        ids: Sequence[str],
        federations: Sequence[str | None],
        personal: Sequence[Personal],
        others: Mapping[str, Sequence[Personal]] = MappingProxyType({}),
    ) -> None:
        """``others`` are the documents of ids that were given up, by the id that stays."""
        self._ids = ids
        self._federations = federations
        self._personal = personal
        self._others = others

    @classmethod
    def of(cls, known: AsOf, people: People) -> PlayerDirectory:
        """Makes the directory of everybody who is registered at the basis and not merged away."""
        into = known.merged_into
        own = into == np.arange(len(into))
        players: Column = np.flatnonzero(own & known.is_registered).astype(np.int32)
        given_up: Column = np.flatnonzero(~own & known.is_registered).astype(np.int32)
        others: dict[str, list[Personal]] = {}
        for stays, other in zip(people.ids(into[given_up]), people.personal(given_up), strict=True):
            others.setdefault(stays, []).append(other)
        columns = people.ids(players), people.federations(players), people.personal(players)
        return cls(*columns, others)

    def __len__(self) -> int:
        return len(self._ids)

    def __getitem__(self, place: int) -> Person:
        """Returns the player at a place."""
        personal = self._personal[place]
        return Person(
            id=PlayerId(self._ids[place]),
            name=personal.name or None,
            federation=self._federations[place],
            sex=personal.sex,
            birth_date=personal.birth_date,
        )

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {id_: place for place, id_ in enumerate(self._ids)}

    def place_of(self, id_: str) -> int | None:
        """Returns the place of the player with an id of this ledger; None: nobody has it."""
        return self._places.get(id_)

    def documents(self, place: int) -> Sequence[Personal]:
        """Returns what is known of the player at a place, under the id that stays first."""
        return [self._personal[place], *self._others.get(self._ids[place], ())]

    @cached_property
    def issued(self) -> Mapping[str, Sequence[tuple[str, int]]]:
        """Who is known under an id that somebody else gave: issuer and place, by the id."""
        found: dict[str, list[tuple[str, int]]] = {}
        for place, personal in enumerate(self._personal):
            if personal.ids or self._others:
                for each in (issued for known in self.documents(place) for issued in known.ids):
                    found.setdefault(each.id, []).append((each.issuer, place))
        return found

    def ids_of_two(self) -> Iterator[tuple[str, str, int, int]]:
        """Yields the ids that one issuer gave to two players: issuer, id, and the two places."""
        for id_, holders in self.issued.items():
            first: dict[str, int] = {}
            for issuer, place in holders:
                if (other := first.setdefault(issuer, place)) != place:
                    yield issuer, id_, other, place

    @cached_property
    def printed(self) -> Sequence[tuple[Printed, int]]:
        """How senders print names, as persons decided, each with the place of who is meant."""
        return [
            (each, place)
            for place, personal in enumerate(self._personal)
            if personal.printed or self._others
            for known in self.documents(place)
            for each in known.printed
        ]

    @cached_property
    def _lines(self) -> list[str]:
        """The names, folded."""
        return folded("\n".join([each.name for each in self._personal])).split("\n")

    # Looking for one

    def find(self, text: str) -> list[int]:
        """Returns the places of everybody whose name or id the text may mean, the best first.

        Every word of the text must be a word of the name, its beginning, or one typing error away
        from it; these are ranked in this order, names without further words first, equals by name
        and id. The id itself comes before all.
        """
        by_id = [self._ids.index(text)] if text in self._ids else []
        by_id += dict.fromkeys(at for _, at in self.issued.get(text, ()) if at not in by_id)
        return by_id + [place for _, place in self._ranked(text) if place not in by_id]

    def near(self, text: str) -> list[int]:
        """Return the places of all whose names have words that are written like those of a text.

        Words are alike that are transcribed in the same way, or one typing error apart then.
        """
        spellings = [transcribed(word) for word in folded(text).split()]
        vocabulary = set("\n".join(self._lines).split())
        plain = {word: transcribed(word) for word in vocabulary}
        alike = [
            {word for word, as_heard in plain.items() if of == as_heard or is_slip(of, as_heard)}
            for of in spellings
        ]
        if not alike or not all(alike):
            return []
        names = ((at, set(line.split())) for at, line in enumerate(self._lines))
        return [at for at, words in names if all(words & likes for likes in alike)]

    def named(self, text: str) -> list[int]:
        """Returns the places of all whom the text names: each of its words is in the name.

        Where it is somebody's whole name, those who have further names are left out.
        """
        fitting = [(rank, at) for rank, at in self._ranked(text) if rank.worst == WHOLE]
        whole = [place for rank, place in fitting if not rank.further]
        return whole or [place for _, place in fitting]

    def _ranked(self, text: str) -> list[tuple[_Rank, int]]:
        asked = folded(text).split()
        if not asked:
            return []
        vocabulary = set("\n".join(self._lines).split())
        grades = [_grades(word, vocabulary) for word in asked]
        rarest = min(grades, key=len)
        found = []
        for place, line in enumerate(self._lines):
            words = line.split()
            if not rarest.keys().isdisjoint(words) and (rank := _rank(words, grades)):
                found.append((rank, place))
        return sorted(found, key=lambda each: (each[0], self._lines[each[1]], self._ids[each[1]]))

    # Listing

    def listed(
        self,
        *,
        federations: Iterable[str] = (),
        sex: str | None = None,
        born: str | None = None,
        search: str | None = None,
        among: Iterable[str] | None = None,
    ) -> list[int]:
        """Returns the places of those whom all filters let through, by name, then by id.

        Args:
            federations: codes, of which it must be one; none let everybody through.
            sex: ``m`` or ``w``.
            born: how the birth date begins: a year, a month of it, or the day.
            search: as for ``find``; the order stays the one by name.
            among: ids, of which it must be one; None lets everybody through.
        """
        codes, ids = frozenset(federations), None if among is None else frozenset(among)
        places: Iterable[int] = range(len(self)) if search is None else self.find(search)
        kept = [
            place
            for place in places
            if (not codes or self._federations[place] in codes)
            and (sex is None or self._personal[place].sex == sex)
            and (ids is None or self._ids[place] in ids)
            and (born is None or (self._personal[place].birth_date or "").startswith(born))
        ]
        return sorted(kept, key=lambda place: (self._lines[place], self._ids[place]))

    # Finding who is registered twice

    def duplicates(self) -> list[LikePair]:
        """Returns pairs that may be one person, ascending.

        They have the same birth date and similar names (``ledger.spelling.is_similar``). Where only
        the year is known, or nothing, too many have the same one: their names must have the same
        words, at least two where nothing is known, and nothing known may say otherwise but a birth
        date. Of many namesakes all are held against the first of them. Nobody is in a pair with
        whom a person told him apart from.
        """
        words = [line.split() for line in self._lines]
        by_name: dict[tuple[str, ...], list[int]] = {}
        by_date: dict[str, list[int]] = {}
        for place, personal in enumerate(self._personal):
            by_name.setdefault(tuple(sorted(words[place])), []).append(place)
            date = personal.birth_date
            if date and len(date) > _YEAR:
                by_date.setdefault(date, []).append(place)
        pairs: dict[tuple[int, int], str] = {}
        for name, places in by_name.items():
            for pair in _held_together(places) if name else ():
                if self._share_a_year(*pair):
                    pairs[pair] = SAME_BIRTH_DATE
                elif len(name) > 1 and self._may_be_one(*pair):
                    pairs[pair] = self._difference(*pair) or SAME_NAME
        for places in by_date.values():
            if len(places) > 1:
                pairs |= dict.fromkeys(_similar(places, words), SAME_BIRTH_DATE)
        found = (
            LikePair(one, other, reason) for (one, other), reason in pairs.items() if words[one]
        )
        return sorted(each for each in found if not self._are_told_apart(each.one, each.other))

    def _share_a_year(self, one: int, other: int) -> bool:
        """Whether of both the same year of birth is known, and no day."""
        born, other_born = (self._personal[place].birth_date for place in (one, other))
        return born is not None and born == other_born and len(born) == _YEAR

    def _may_be_one(self, one: int, other: int) -> bool:
        """Whether federation, sex and ids say nothing else, as far as both are known."""
        known = [
            (self._federations[one], self._federations[other]),
            (self._personal[one].sex, self._personal[other].sex),
        ]
        if self._difference(one, other) is not None:
            ids, others = (
                {each.issuer: each.id for known in self.documents(place) for each in known.ids}
                for place in (one, other)
            )
            known += [(ids[issuer], others[issuer]) for issuer in ids.keys() & others.keys()]
        return all(None in both or both[0] == both[1] for both in known)

    def _difference(self, one: int, other: int) -> str | None:
        """Returns how the birth dates of two differ; None: they need not."""
        born, other_born = (self._personal[place].birth_date for place in (one, other))
        return birth_difference(born, other_born)

    def _are_told_apart(self, one: int, other: int) -> bool:
        """Whether a person decided that two are two people."""
        return any(
            self._ids[another] in known.apart
            for place, another in ((one, other), (other, one))
            for known in self.documents(place)
        )


def _held_together(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yields pairs of namesakes: all of a few, of many each with the first."""
    if len(places) <= _FEW:
        yield from combinations(places, 2)
    else:
        yield from ((places[0], other) for other in places[1:])


@dataclass(frozen=True, slots=True, order=True)
class _Rank:
    """How well a name fits what was asked for; the least is the best.

    ``worst`` and ``total`` are of the grades of its words, ``further`` counts words of the name
    that were not asked for.
    """

    worst: int
    total: int
    further: int


def _grades(asked: str, vocabulary: Iterable[str]) -> dict[str, int]:
    """Returns the words that an asked word may mean, each with how well it fits."""
    found = {}
    for word in vocabulary:
        if word.startswith(asked):
            found[word] = WHOLE if len(word) == len(asked) else BEGINNING
        elif is_slip(word, asked):
            found[word] = SLIP
    return found


def _rank(words: Sequence[str], grades: Sequence[Mapping[str, int]]) -> _Rank | None:
    """Returns how well a name's words fit, each for one asked word at most; None if they do not."""
    left = list(words)
    grades_of_words = []
    for meant in sorted(grades, key=len):
        fitting = [word for word in left if word in meant]
        if not fitting:
            return None
        best = min(fitting, key=meant.__getitem__)
        left.remove(best)
        grades_of_words.append(meant[best])
    return _Rank(max(grades_of_words), sum(grades_of_words), len(left))


def _similar(places: Sequence[int], words: Sequence[Sequence[str]]) -> Iterator[tuple[int, int]]:
    """Yields the pairs of some places, ascending, whose names are similar.

    Such names have a word in common, or are one word each.
    """
    by_word: dict[str, list[int]] = {}
    for place in places:
        for word in words[place] if len(words[place]) > 1 else (*words[place], _ANY_WORD):
            by_word.setdefault(word, []).append(place)
    for sharing in by_word.values():
        for one, other in combinations(sharing, 2) if len(sharing) > 1 else ():
            if one != other and is_similar(words[one], words[other]):
                yield one, other
