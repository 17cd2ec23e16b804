"""Age groups by the calendar year: who is as old on its last day, whatever the birthday."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ledger.errors import InputRefused
from ledger.wording import Message

USUAL: Final = "U8, U10, U12, U14, U16, U18, U20, S50, S65"
"""FIDE's groups of youth and seniors, where a federation has no table of its own."""
OLDEST: Final = 999
_EVER_LIVED: Final = 130  # years
_BY_NAME: Final = re.compile(r"([USus])([0-9]{1,3})")
_BY_AGES: Final = re.compile(r"([^=,]*[^=,\s])\s*=\s*([0-9]{0,3})\s*-\s*([0-9]{0,3})")


@dataclass(frozen=True, slots=True)
class AgeGroup:
    """Who is at least and at most so many years old at the end of a calendar year.

    FIDE's U14 are those who have not reached the age of 14 before the year begins, S50 those who
    reach 50 in it: by the year, at most 14 and at least 50.
    """

    name: str
    least: int = 0
    most: int = OLDEST

    def birth_years(self, year: int) -> range:
        """Returns the years in which those were born who are of the group in a year."""
        return range(year - min(self.most, _EVER_LIVED), year - self.least + 1)

    @classmethod
    def parse(cls, text: str) -> AgeGroup:
        """Reads ``U14``, ``S50``, or a name with ages: ``Sub 12=-12``, ``Junior=15-18``.

        Raises:
            InputRefused: it is none.
        """
        text = text.strip()
        if by_name := _BY_NAME.fullmatch(text):
            age = int(by_name[2])
            is_young = by_name[1] in "Uu"
            return cls(text.upper(), 0, age) if is_young else cls(text.upper(), age)
        by_ages = _BY_AGES.fullmatch(text)
        if by_ages is None or not (by_ages[2] or by_ages[3]):
            raise InputRefused("category.bad_group", value=text)
        group = cls(by_ages[1], int(by_ages[2] or 0), int(by_ages[3] or OLDEST))
        if group.least > group.most:
            raise InputRefused("category.bad_group", value=text)
        return group


@lru_cache(maxsize=8)
def age_groups(table: str) -> tuple[AgeGroup, ...]:
    """Returns the groups of a table, with commas between them; FIDE's where it is empty.

    >>> [group.name for group in age_groups("Sub 12=-12, Junior=13-18, S60")]
    ['Sub 12', 'Junior', 'S60']

    Raises:
        InputRefused: one of them cannot be read, or two have one name.
    """
    groups = tuple(map(AgeGroup.parse, (table.strip() or USUAL).split(",")))
    names = [group.name.casefold() for group in groups]
    if len({*names}) < len(names):
        raise InputRefused("category.group_twice", value=table)
    return groups


def group_named(name: str, table: str) -> AgeGroup:
    """Returns the group of a table that has a name, in whatever case.

    Raises:
        InputRefused: there is none; it names those there are.
    """
    groups = age_groups(table)
    for group in groups:
        if group.name.casefold() == " ".join(name.split()).casefold():
            return group
    known = ", ".join(group.name for group in groups)
    raise InputRefused("category.no_group", value=name, known=known)


def group_in_words(name: str, language: str) -> str:
    """Returns a group by its name as people say it; a federation's own name stays.

    >>> [group_in_words(name, "en") for name in ("U14", "S65", "Junior")]
    ['Under 14', '65 and over', 'Junior']
    >>> group_in_words("U14", "es"), group_in_words("S65", "es")
    ('Sub 14', '65 y más')
    """
    by_name = _BY_NAME.fullmatch(name)
    if by_name is None:
        return name
    key = "category.under_age" if by_name[1] in "Uu" else "category.from_age"
    return Message.of(key, age=int(by_name[2])).within(language)


def narrowest_group(groups: Iterable[AgeGroup], age: int) -> AgeGroup | None:
    """Returns the group with the fewest ages of who is so old at the end of a year; None: none.

    >>> groups = age_groups("")
    >>> [group and group.name for group in (narrowest_group(groups, age) for age in (15, 40, 70))]
    ['U16', None, 'S65']
    """
    fitting = (group for group in groups if group.least <= age <= group.most)
    return min(fitting, key=lambda group: group.most - group.least, default=None)
