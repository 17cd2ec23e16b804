"""Parts of the players: of a club, a region, an age group, a sex, below a rating, with a licence.

Lists, searches, standings and prizes are all cut by the same ``Category``. ``clubs_on`` counts the
players of each club and region on a day.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ledger.age_groups import AgeGroup, group_named
from ledger.errors import InputRefused, Problem
from ledger.facts.arrays import Column, Mask
from ledger.facts.as_of import AsOf
from ledger.facts.tables import NO_YEAR, NOT_TOLD
from ledger.json_form import JsonForm
from ledger.lists.people import People
from ledger.spelling import folded
from ledger.terms import SEXES
from ledger.wording import Message

_SEXES: Final = {
    **SEXES,
    "women": "w", "mujeres": "w", "femenino": "w", "men": "m", "hombres": "m", "masculino": "m",
}  # fmt: skip
_UNDER: Final = re.compile(r"(?:<|under|below|menos de|bajo)\s*([0-9]{1,4})")
_OF_BODY: Final = re.compile(r"(club|region|región)\s+(.+)", re.IGNORECASE)
_LICENSED: Final = {"licensed", "con licencia"}
_SHOWN: Final = 10  # names that a refusal offers


@dataclass(frozen=True, slots=True)
class Category:
    """Who fits all that is said; nothing is said: everybody.

    ``club`` and ``region`` are names, or words of them; ``sex`` is ``m`` or ``w``; who is ``under``
    a rating has a lower one; ``licensed`` asks for a licence that has not run out.
    """

    club: str | None = None
    region: str | None = None
    group: AgeGroup | None = None
    sex: str | None = None
    under: int | None = None
    licensed: bool = False

    @classmethod
    def parse(cls, text: str, table: str) -> Category:
        """Reads conditions with commas between them, as they are announced.

        They are a name of an age group, ``w``, ``<1600`` or ``under 1600``, ``club Alekhine``,
        ``region Norte`` and ``licensed``; also in Spanish.

        Args:
            text: the conditions.
            table: of the age groups (see ``age_groups``).

        Raises:
            InputRefused: a condition is none, or two are of one kind.
        """
        conditions: dict[str, object] = {}
        for condition in filter(None, (part.strip() for part in text.split(","))):
            name, value = _condition(condition, table)
            if name in conditions:
                raise InputRefused("category.twice", value=text)
            conditions[name] = value
        return cls(**conditions)  # type: ignore[arg-type]  # each value is of its field

    @property
    def is_of_facts(self) -> bool:
        """Whether something is asked that only the facts tell: all but sex and rating."""
        return bool(self.club or self.region or self.group or self.licensed)

    def name(self, language: str) -> str:
        """Returns what it is called: ``U14, women, under 1600``; empty: everybody."""
        return ", ".join(self._conditions(language))

    def _conditions(self, language: str) -> Iterator[str]:
        if self.group is not None:
            yield self.group.name
        if self.sex is not None:
            yield Message.of("category.women" if self.sex == "w" else "category.men").within(
                language
            )
        if self.under is not None:
            yield Message.of("category.under", rating=self.under).within(language)
        yield from filter(None, (self.club, self.region))
        if self.licensed:
            yield Message.of("category.licensed").within(language)


EVERYBODY: Final = Category()


def _condition(text: str, table: str) -> tuple[str, object]:
    """Returns which field of a category a condition is of, and its value."""
    word = text.casefold()
    if word in _SEXES:
        return "sex", _SEXES[word]
    if word in _LICENSED:
        return "licensed", True
    if under := _UNDER.fullmatch(word):
        return "under", int(under[1])
    if body := _OF_BODY.fullmatch(text):
        return ("club" if body[1].casefold() == "club" else "region"), body[2]
    return "group", group_named(text, table)


def members(known: AsOf, category: Category, day: dt.date, players: Column) -> Mask:
    """Returns which of some players, by index, fit what the facts tell on a day.

    Sex and rating do not count here. Who was merged into another fits where that one does.
    """
    stays = known.merged_into[players]
    fitting = np.ones(len(stays), dtype=np.bool_)
    if category.group is not None:
        fitting &= _as_old(known.birth_years[stays], category.group, day.year)
    if category.club or category.region or category.licensed:
        of = known.affiliations(day)
        if category.club:
            fitting &= np.isin(of.club[stays], bodies_named(known, category.club))
        if category.region:
            fitting &= np.isin(of.region[stays], bodies_named(known, category.region))
        if category.licensed:
            fitting &= of.licensed_until[stays] >= day.toordinal()
    return fitting


def _as_old(birth_years: Column, group: AgeGroup, year: int) -> Mask:
    ages = year - birth_years.astype(np.int32)
    fitting: Mask = (birth_years != NO_YEAR) & (ages >= group.least) & (ages <= group.most)
    return fitting


def bodies_named(known: AsOf, text: str) -> Sequence[int]:
    """Returns the clubs or regions that a text names, by index.

    They have the name, without regard to case and accents; where none has, all its words in theirs.
    """
    names = [folded(name) for name in known.facts.body_names]
    wanted = folded(text)
    same = [at for at, name in enumerate(names) if name == wanted and name]
    if same or not wanted:
        return same
    words = {*wanted.split()}
    return [at for at, name in enumerate(names) if words <= {*name.split()}]


def require_bodies(known: AsOf, category: Category) -> None:
    """Raises ``InputRefused`` where a club or region is named that nobody was ever said to be of.

    Its details are some that there are.
    """
    for text in (category.club, category.region):
        if text is not None and not bodies_named(known, text):
            names = sorted(filter(None, known.facts.body_names), key=lambda name: _far(name, text))
            shown = [Problem(Message.of("category.body", body=name)) for name in names[:_SHOWN]]
            raise InputRefused("category.no_body", *shown, value=text)


def _far(name: str, text: str) -> tuple[int, str]:
    """Returns how far a name is from a text, by the letters that both begin their words with."""
    words, wanted = folded(name).split(), folded(text).split()
    near = sum(word[:3] == each[:3] for word in words for each in wanted)
    return -near, name


def of_category(
    known: AsOf,
    people: People,
    category: Category,
    day: dt.date,
    players: Sequence[int],
    ratings: Iterable[int | None],
) -> list[bool]:
    """Returns which of some players fit on a day.

    Args:
        known: what is known.
        people: names and sexes, as known then.
        category: what is asked.
        day: on which clubs are those of, and in whose calendar year people are as old.
        players: by index.
        ratings: of these players; None or 0 is none.
    """
    fitting = [True] * len(players)
    if category.is_of_facts:
        fitting = members(known, category, day, np.array(players, dtype=np.int32)).tolist()
    if category.under is not None:
        limits = ((rating or 0) for rating in ratings)
        fitting = [
            fits and 0 < rating < category.under
            for fits, rating in zip(fitting, limits, strict=True)
        ]
    if category.sex is not None:
        known_people = people.personal(np.array(players, dtype=np.int32))
        fitting = [
            fits and each.sex == category.sex
            for fits, each in zip(fitting, known_people, strict=True)
        ]
    return fitting


@dataclass(frozen=True, slots=True)
class ClubRow(JsonForm):
    """Players of one club in one region; None: of none, or nobody said.

    ``licensed`` are those whose licence has not run out.
    """

    club: str | None
    region: str | None
    players: int
    licensed: int


@dataclass(frozen=True, slots=True)
class Clubs(JsonForm):
    """The clubs and regions as they are on a day, by name; who is of neither is not counted."""

    on: dt.date
    clubs: tuple[ClubRow, ...]


def clubs_on(known: AsOf, day: dt.date) -> Clubs:
    """Returns the clubs and regions of a day."""
    names, of = known.facts.body_names, known.affiliations(day)
    columns = of.club.tolist(), of.region.tolist(), (of.licensed_until >= day.toordinal()).tolist()
    players, licensed = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for club, region, is_licensed in zip(*columns, strict=True):
        body = _name(names, club), _name(names, region)
        players[body] += 1
        licensed[body] += is_licensed
    rows = [
        ClubRow(club or None, region or None, players[club, region], licensed[club, region])
        for club, region in sorted(players)
        if club or region
    ]
    return Clubs(day, tuple(rows))


def _name(names: list[str], at: int) -> str:
    return "" if at == NOT_TOLD else names[at]
