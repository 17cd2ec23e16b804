"""A ledger as tables for other programs: its players and games, and those of a list.

Players and games stand under the headings by which ``import`` reads them; see
``reports.data_tables`` for the tables of a list.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, assert_never

import numpy as np

from ledger.events.personal import Identity, identity_in
from ledger.events.players import PlayerErased
from ledger.exports.columns import ExportColumn, ExportTable, Page, need_arrow, text_column
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Column as Vector
from ledger.facts.columns import Facts
from ledger.facts.tables import NOT_TOLD
from ledger.facts.tournament import TournamentRecord
from ledger.identifiers import Seq, TournamentId
from ledger.intake import headings
from ledger.lists.publications import calculated
from ledger.rating.decimal_text import decimal
from ledger.rating.player_state import UNRATED, PlayerStates
from ledger.replay.timeline import last_period
from ledger.reports import data_tables
from ledger.results import Bye
from ledger.views.view import LedgerView

if TYPE_CHECKING:
    import pyarrow as pa

PLAYERS: Final = tuple(
    heading.column(optional=heading.english != "id")
    for heading in (*headings.PLAYERS.known, headings.ERASED_ON)
    if heading.english not in {"k", "published_k"}
)
"""A row for each player, in the order of registration.

Ids that were merged and players whose registration was taken back are left out. Rating and games
are the newest in the list; empty: unrated. Club, region and licence are those of today; empty:
none. An erased player has neither these nor a name, but ``erased_on``.
"""

DAY_OF_GAME: Final = "the day of the game, where it was told; else the tournament's last day"
GAMES: Final = tuple(
    replace(each.column(optional=False), says=DAY_OF_GAME)
    if each.english == "date"
    else each.column(optional=each.english in {"merit", "black"})
    for each in headings.GAMES.known
)
"""A row for each pairing of a tournament that was not annulled, as recorded last.

Games that are adjourned have no result and no row. Of a bye the one player is White, and the result
is its letter. An empty merit is the regulation's.
"""
_PAGE_ROWS: Final = 5_000
_TOURNAMENTS: Final = 100


class Export(StrEnum):
    """What a table of a list is about."""

    RATINGS = "ratings"
    POSTINGS = "postings"
    LISTS = "lists"

    @property
    def columns(self) -> tuple[ExportColumn, ...]:
        """Its columns, in their order."""
        match self:
            case Export.RATINGS:
                return data_tables.RATINGS
            case Export.POSTINGS:
                return data_tables.POSTINGS
            case Export.LISTS:
                return data_tables.ROWS
            case _:
                assert_never(self)


def table_of(view: LedgerView, export: Export, name: str) -> ExportTable:
    """Returns a table of a list, as known now; its pages are calculated when they are read.

    Raises:
        NotFound: there is no such list.
        InputRefused: what writes tables is not installed.
    """
    need_arrow()
    facts = view.facts_of(name)
    match export:
        case Export.RATINGS:
            return data_tables.ratings_table(facts, name)
        case Export.POSTINGS:
            return data_tables.postings_table(facts, name)
        case Export.LISTS:
            return data_tables.rows_table(facts, name, lambda seq: view.people(facts, seq))
        case _:
            assert_never(export)


def players_table(view: LedgerView, list_: str | None) -> ExportTable:
    """Returns the players as known now (see ``PLAYERS``).

    Without a list nobody has a rating.

    Raises:
        NotFound: there is no such list.
        InputRefused: as for ``table_of``.
    """
    need_arrow()
    facts = view.facts() if list_ is None else view.facts_of(list_)
    states = None
    if list_ is not None:
        states = calculated(facts, list_, facts.seq, last_period(facts, list_)).closing
    return ExportTable("players", PLAYERS, _pages(view, facts, states))


def games_table(view: LedgerView) -> ExportTable:
    """Returns the games of all tournaments, as recorded now (see ``GAMES``).

    Raises:
        InputRefused: as for ``table_of``.
    """
    need_arrow()
    return ExportTable("games", GAMES, _games(view, view.facts()))


def _games(view: LedgerView, facts: Facts) -> Iterator[Page]:
    names = facts.tournament_ids
    for start in range(0, len(names), _TOURNAMENTS):
        yield recorded_games(view, facts, names[start : start + _TOURNAMENTS])


def recorded_games(view: LedgerView, facts: Facts, tournaments: Sequence[TournamentId]) -> Page:
    """Returns the games of some tournaments (see ``GAMES``), event by event."""
    streams = [f"tournament:{name}" for name in tournaments]
    days = {
        event.seq: dt.date.fromisoformat(event.effective_on)
        for event in view.journal.streams(streams, upto=facts.seq)
    }
    register = view.register(streams, facts.seq)
    rows = [row for each in register.tournaments.values() for row in _rows(each, days)]
    cells = zip(*rows, strict=True) if rows else ([] for _ in GAMES)
    page = {column.name: list(cells_) for column, cells_ in zip(GAMES, cells, strict=True)}
    for name in ("system", "rate_of_play"):
        page[name] = text_column(page[name]).dictionary_encode()
    for name in ("merit", "black"):
        page[name] = text_column(page[name])
    return page


def _rows(record: TournamentRecord, days: Mapping[Seq, dt.date]) -> Iterator[tuple[Any, ...]]:
    """Yields the rows of a tournament; ``days`` are those of its events, by seq."""
    about = record.version
    merit = about.merit_hundredths
    about_ = (
        about.tournament, about.name, about.starts_on, about.ends_on, about.system.value,
        about.rate_of_play.value, None if merit is None else decimal(merit, 2),
    )  # fmt: skip
    for pairing in () if record.annulled else record.each_pairing:
        result = pairing.result
        if result is not None:
            written = result.letter if isinstance(result, Bye) else str(result)
            day = days[pairing.seq]
            yield (*about_, pairing.round, day, pairing.white, pairing.black, written)


def _pages(view: LedgerView, facts: Facts, states: PlayerStates | None) -> Iterator[Page]:
    known = AsOf(facts, facts.seq)
    of = known.affiliations(view.today)
    names = {at: name for at, name in enumerate(facts.body_names) if name}
    into = known.merged_into
    players = np.flatnonzero((into == np.arange(len(into))) & known.is_registered)
    erasures = facts.recorded(PlayerErased)
    erased_on = {erasure.index: erasure.from_on for erasure in reversed(erasures)}
    for start in range(0, len(players), _PAGE_ROWS):
        page = players[start : start + _PAGE_ROWS]
        people = _identities(view, known.identities(page))
        days = [erased_on.get(player) for player in page.tolist()]
        is_held = np.array([day is None for day in days])
        club, region, licensed_until = (
            np.where(is_held, column[page], NOT_TOLD).tolist()
            for column in (of.club, of.region, of.licensed_until)
        )
        yield {
            "id": [facts.player_ids[player] for player in page.tolist()],
            "name": text_column([each.name if each else None for each in people]),
            "federation": text_column(known.federations(page)),
            "sex": text_column([each.sex if each else None for each in people]),
            "birth_date": text_column([each.birth_date if each else None for each in people]),
            "rating": _figures(states, "rating", page),
            "games": _figures(states, "games", page),
            "club": text_column([names.get(at) for at in club]),
            "region": text_column([names.get(at) for at in region]),
            "licensed_until": [_day(at) for at in licensed_until],
            "erased_on": days,
        }


def _identities(view: LedgerView, digests: Sequence[str]) -> list[Identity | None]:
    """Returns who is meant; None for an erased person."""
    documents = view.journal.personal_documents(digests)
    return [identity_in(documents[digest]) if digest in documents else None for digest in digests]


def _day(ordinal: int) -> dt.date | None:
    return None if ordinal == NOT_TOLD else dt.date.fromordinal(ordinal)


def _figures(states: PlayerStates | None, name: str, players: Vector) -> pa.Array:
    """Returns a figure of those who have a rating."""
    import pyarrow as pa  # noqa: PLC0415 - whoever needs Arrow loads it

    if states is None:
        return pa.nulls(len(players), pa.int64())
    unrated = states.rating[players] == UNRATED
    return pa.array(getattr(states, name)[players], mask=unrated)
