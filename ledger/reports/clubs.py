"""The clubs and regions of a day, with how many players each has."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass

from ledger.facts.as_of import AsOf
from ledger.facts.tables import NOT_TOLD
from ledger.json_form import JsonForm


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
