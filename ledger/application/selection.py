"""A part of a rating list: who is asked for, with the rank that he has among all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ledger.application.ledger import Ledger
from ledger.lists.people import Personal
from ledger.lists.rating_list import RatingList
from ledger.lists.rows import ListRows
from ledger.reports.directory import PlayerDirectory


@dataclass(frozen=True, slots=True)
class Selection:
    """Who is asked for; what is empty or None asks for nobody in particular.

    ``federations`` are codes, ``sex`` is ``m`` or ``w``, ``search`` as for
    ``PlayerDirectory.find``; ``top`` is how many of those who fit, from the highest rating down.
    """

    federations: tuple[str, ...] = ()
    sex: str | None = None
    search: str | None = None
    active: bool = False
    top: int | None = None


def selected(ledger: Ledger, made: RatingList, wanted: Selection) -> ListRows:
    """Returns the rows of a list that are asked for, in their order and with their ranks."""
    rows = made.rows
    if wanted == Selection(top=wanted.top):
        return rows[: wanted.top]
    federations, active = rows.column("federation"), rows.column("active")
    personal = _personal(ledger, made) if wanted.sex else None
    places: Iterable[int] = range(len(rows))
    if wanted.search is not None:
        people = [Personal(name) for name in rows.column("name")]
        places = sorted(PlayerDirectory(rows.column("id"), federations, people).find(wanted.search))
    fitting = [
        place
        for place in places
        if (not wanted.federations or federations[place] in wanted.federations)
        and (not wanted.active or active[place])
        and (personal is None or personal[place].sex == wanted.sex)
    ]
    return rows.at(fitting[: wanted.top])


def _personal(ledger: Ledger, made: RatingList) -> list[Personal]:
    """Returns what is known of everybody on a list, at its basis."""
    facts = ledger.facts()
    players = [facts.player_index[player] for player in made.rows.column("id")]
    people = ledger.people(facts, made.basis.seq)
    return people.personal(np.array(players, dtype=np.int32))
