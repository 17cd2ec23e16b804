"""The players of a ledger as a table, under the headings by which ``import`` reads players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from ledger.application.ledger import Ledger
from ledger.events.personal import Identity, identity_in
from ledger.exports.columns import Column, Kind, Page, Table
from ledger.facts.columns import Column as Vector
from ledger.facts.columns import Facts
from ledger.facts.known import Known
from ledger.lists.published import calculated
from ledger.rating.standing import UNRATED, Standing
from ledger.reports.impact import last_period

if TYPE_CHECKING:
    import pyarrow as pa

PLAYERS: Final = (
    Column("id", Kind.TEXT, "the player's id"),
    Column("name", Kind.TEXT, "the name; empty: erased", optional=True),
    Column("federation", Kind.TEXT, "the federation", optional=True),
    Column("sex", Kind.TEXT, "m or w", optional=True),
    Column("birth_date", Kind.TEXT, "a date or a year", optional=True),
    Column("rating", Kind.WHOLE, "the newest rating in the list; none: unrated", optional=True),
    Column("games", Kind.WHOLE, "rated games in the list so far; none: unrated", optional=True),
)
"""A row for each player, in the order of registration; ids that were merged are left out."""
_PAGE_ROWS: Final = 5_000


def players_table(ledger: Ledger, list_: str | None) -> Table:
    """Returns the players as known now (see ``PLAYERS``).

    Args:
        ledger: whose they are.
        list_: whose ratings they have; None: nobody has any.

    Raises:
        NotFound: there is no such list.
    """
    facts = ledger.facts()
    standing = None
    if list_ is not None:
        ledger.require_list(facts, list_)
        standing = calculated(facts, list_, facts.seq, last_period(facts, list_)).closing
    return Table("players", PLAYERS, _pages(ledger, facts, standing))


def _pages(ledger: Ledger, facts: Facts, standing: Standing | None) -> Iterator[Page]:
    known = Known(facts, facts.seq)
    into = known.merged_into
    players = np.flatnonzero(into == np.arange(len(into)))
    for start in range(0, len(players), _PAGE_ROWS):
        page = players[start : start + _PAGE_ROWS]
        people = _identities(ledger, known.identities(page))
        yield {
            "id": [facts.player_ids[player] for player in page.tolist()],
            "name": _texts([each.name if each else None for each in people]),
            "federation": _texts(known.federations(page)),
            "sex": _texts([each.sex if each else None for each in people]),
            "birth_date": _texts([each.birth_date if each else None for each in people]),
            "rating": _figures(standing, "rating", page),
            "games": _figures(standing, "games", page),
        }


def _identities(ledger: Ledger, digests: Sequence[str]) -> list[Identity | None]:
    """Returns who is meant; None for an erased person."""
    documents = ledger.journal.personal_documents(digests)
    return [identity_in(documents[digest]) if digest in documents else None for digest in digests]


def _texts(texts: Sequence[str | None]) -> pa.Array:
    import pyarrow as pa  # noqa: PLC0415 - whoever needs Arrow loads it

    return pa.array(texts, pa.string())


def _figures(standing: Standing | None, name: str, players: Vector) -> pa.Array:
    """Returns a figure of those who have a rating."""
    import pyarrow as pa  # noqa: PLC0415 - as above

    if standing is None:
        return pa.nulls(len(players), pa.int64())
    unrated = standing.rating[players] == UNRATED
    return pa.array(getattr(standing, name)[players], mask=unrated)
