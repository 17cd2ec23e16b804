"""The tables of open data: what everybody reads on the pages, and nothing else of anybody.

Rows of lists and who the people in them are, tournaments, games, and the results that were said
otherwise later. Of people there are id, name, federation, title, club and year of birth, as on the
page of a list; who was erased is an id with a federation. What anybody wrote, and who recorded
something, is in none. A table is the same whenever it is made at the same seq.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice, starmap
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ledger.answers.corrections import all_corrections
from ledger.events import tournaments as to
from ledger.exports.columns import ColumnType, ExportColumn, ExportTable, Page, text_column, words
from ledger.facts.as_of import AsOf
from ledger.facts.blocks import black_halves_of, ending_of, white_halves_of
from ledger.facts.columns import Acceptance, AnyColumn, Column, Ending, Facts
from ledger.facts.game_rows import GameRows
from ledger.facts.tables import NO_MERIT, RATES, SYSTEMS
from ledger.identifiers import PlayerIndex
from ledger.intake.tables import GAMES, Export, recorded_games, table_of
from ledger.journal.records import StoredEvent
from ledger.rating.decimal_text import decimal
from ledger.reports.cascade import CorrectedItem, Correction, result_said
from ledger.reports.held_titles import TitlesHeld
from ledger.results import Bye, Result, Termination
from ledger.views.view import LedgerView

if TYPE_CHECKING:
    import pyarrow as pa

_TEXT, _WORD, _WHOLE, _DAY = (
    ColumnType.TEXT, ColumnType.WORD, ColumnType.WHOLE, ColumnType.DAY,
)  # fmt: skip

PLAYERS: Final = (
    ExportColumn("id", _TEXT, "the player's id, as in lists"),
    ExportColumn("counts_as", _TEXT, "the id that stays, where two were one; else the same"),
    ExportColumn(
        "name", _TEXT, "family name, given name; empty: erased, or taken back", optional=True
    ),
    ExportColumn("federation", _WORD, "the federation", optional=True),
    ExportColumn("title", _WORD, "the highest title, as GM", optional=True),
    ExportColumn("club", _WORD, "the club", optional=True),
    ExportColumn("birth_year", _WHOLE, "the year of birth", optional=True),
)
"""A row for each id in a published list, as known now."""

TOURNAMENTS: Final = (
    ExportColumn("tournament", _TEXT, "the tournament's id, as in games"),
    ExportColumn("name", _TEXT, "its name"),
    ExportColumn("place", _TEXT, "where it is played", optional=True),
    ExportColumn("federation", _WORD, "of which federation it is", optional=True),
    ExportColumn("start", _DAY, "its first day"),
    ExportColumn("end", _DAY, "its last day"),
    ExportColumn("system", _WORD, "swiss, round-robin, match or team-swiss"),
    ExportColumn("rate_of_play", _WORD, "classical, rapid or blitz"),
    ExportColumn("rounds", _WHOLE, "how many rounds; none: not announced", optional=True),
    ExportColumn("players", _WHOLE, "how many players were entered"),
    ExportColumn("accepted", ColumnType.FLAG, "whether it counts for ratings"),
)
"""A row for each tournament that was not annulled."""

CORRECTIONS: Final = (
    ExportColumn("correction", _WHOLE, "its correction: the page is /corrections/CORRECTION"),
    ExportColumn("seq", _WHOLE, "the event that corrects"),
    ExportColumn("recorded_on", _DAY, "the day on which it was recorded, in UTC"),
    ExportColumn(
        "kind", _WORD,
        "the type of the event: result.corrected, result.corrected-for-rating (the standings keep"
        " the old result), result.annulled, players.merged …",
    ),
    ExportColumn("tournament", _TEXT, "the tournament's id", optional=True),
    ExportColumn("round", _WHOLE, "the round of a game", optional=True),
    ExportColumn("date", _DAY, "the day of a game, where it was told", optional=True),
    ExportColumn("white", _TEXT, "White, or whom another correction is about", optional=True),
    ExportColumn("black", _TEXT, "Black, or who stays of two who were merged", optional=True),
    ExportColumn("was", _WORD, "the result that was recorded before", optional=True),
    ExportColumn("now", _WORD, "the result from then on; none: it does not count", optional=True),
)  # fmt: skip
"""A row for everything that the corrections of the site correct, the first first."""

_FOR_RATING: Final = to.RatingResultCorrected.TYPE
_BYES: Final = {bye.value: bye.letter for bye in Bye}
_TOURNAMENTS: Final = 100
_ROWS: Final = 5_000
_1970: Final = dt.date(1970, 1, 1).toordinal()
_WITHOUT_RESULT: Final = (Ending.ADJOURNED, Ending.ANNULLED)
_TERMINATIONS: Final = {
    Ending.PLAYED: Termination.PLAYED,
    Ending.SHORT: Termination.SHORT,
    Ending.FORFEIT: Termination.FORFEIT,
    Ending.ADJUDICATED: Termination.ADJUDICATED,
    Ending.TEMPORARY: Termination.ADJUDICATED,
}


def lists_table(view: LedgerView, ids: set[str]) -> ExportTable:
    """Returns the published rows of all lists, one list after the other.

    ``ids`` takes the ids of those who are in a page as soon as it is read.
    """
    tables = [table_of(view, Export.LISTS, name) for name in sorted(view.facts().lists)]

    def pages() -> Iterator[Page]:
        for page in chain.from_iterable(table.pages for table in tables):
            ids.update(page["id"].dictionary.to_pylist())  # type: ignore[attr-defined] # Arrow's
            yield page

    return ExportTable("lists", Export.LISTS.columns, pages())


# People and tournaments


def players_of_lists(view: LedgerView, ids: Collection[str], day: dt.date) -> ExportTable:
    """Returns who has one of some ids (see ``PLAYERS``); titles and clubs are those of a day."""
    return ExportTable("players", PLAYERS, _people(view, ids, day))


def _people(view: LedgerView, ids: Collection[str], day: dt.date) -> Iterator[Page]:
    facts = view.facts()
    known, people = AsOf(facts, facts.seq), view.people(facts)
    clubs, titles = known.affiliations(day).club, TitlesHeld(known, day)
    index = facts.player_index
    rows: Column = np.sort(np.array([index[id_] for id_ in ids], dtype=np.int32))
    for start in range(0, len(rows), _ROWS):
        players = rows[start : start + _ROWS]
        now = known.merged_into[players]
        personal = people.personal(now)
        shown = [
            (about.name, titles.of(PlayerIndex(at)), facts.body_names[club] if club >= 0 else None)
            if about.name else (None, None, None)
            for about, at, club in zip(personal, now.tolist(), clubs[now].tolist(), strict=True)
        ]  # fmt: skip
        names, held, clubs_ = zip(*shown, strict=True)
        yield {
            "id": people.ids(players),
            "counts_as": people.ids(now),
            "name": text_column(names),
            "federation": _words(known.federations(now)),
            "title": _words(held),
            "club": _words([club or None for club in clubs_]),
            "birth_year": [
                int(about.birth_date[:4]) if about.birth_date else None for about in personal
            ],
        }


def tournaments_table(view: LedgerView) -> ExportTable:
    """Returns the tournaments as known now (see ``TOURNAMENTS``)."""
    return ExportTable("tournaments", TOURNAMENTS, _tournaments(view.facts()))


def _tournaments(facts: Facts) -> Iterator[Page]:
    known = AsOf(facts, facts.seq)
    acceptance = known.tournaments.acceptance
    kept = np.flatnonzero(acceptance != Acceptance.ANNULLED)
    for start in range(0, len(kept), _ROWS):
        rows = kept[start : start + _ROWS]
        versions = [each for at in rows.tolist() if (each := known.tournament(at)) is not None]
        assert len(versions) == len(rows), "what is not open counts as annulled"
        yield {
            "tournament": [each.tournament for each in versions],
            "name": [each.name for each in versions],
            "place": text_column([each.place for each in versions]),
            "federation": _words([each.federation for each in versions]),
            "start": [each.starts_on for each in versions],
            "end": [each.ends_on for each in versions],
            "system": _words([each.system.value for each in versions]),
            "rate_of_play": _words([each.rate_of_play.value for each in versions]),
            "rounds": [each.rounds for each in versions],
            "players": facts.entry_counts[rows].tolist(),
            "accepted": acceptance[rows] == Acceptance.ACCEPTED,
        }


# Games


def bulk_games_table(view: LedgerView) -> ExportTable:
    """Returns what ``tables.games_table`` does, by tournament, round and seq, in columns.

    The journal is asked only what the columns do not have: the day, and what a bye was. A
    tournament in which a result counts for the rating only is made event by event.
    """
    return ExportTable("games", GAMES, _games(view, view.facts()))


def _games(view: LedgerView, facts: Facts) -> Iterator[Page]:
    known, check = AsOf(facts, facts.seq), view.event_check()
    counts = known.tournaments.acceptance != Acceptance.ANNULLED
    of_places = facts.directory.tournament[known.places]
    texts = _GameTexts(known)
    for start in range(0, len(counts), _TOURNAMENTS):
        wanted = (of_places >= start) & (of_places < start + _TOURNAMENTS) & counts[of_places]
        rows = known.games(known.places[wanted])
        rows = rows.rows(~np.isin(ending_of(rows.code), _WITHOUT_RESULT))
        stored = starmap(StoredEvent, view.journal.rows_at(rows.game.tolist()))
        events = {event.seq: event for event in check.checked(stored)}
        for_rating = [seq for seq, event in events.items() if event.type == _FOR_RATING]
        special = np.unique(rows.tournament[np.isin(rows.game, for_rating)])
        rows = rows.rows(~np.isin(rows.tournament, special))
        order = np.lexsort((rows.game, rows.round, rows.tournament))
        yield texts.page(rows, order, [events[seq] for seq in rows.game[order].tolist()])
        if len(special):
            ids = [facts.tournament_ids[at] for at in special.tolist()]
            yield recorded_games(view, facts, ids)


class _GameTexts:
    """What the columns of games stand for, made once for all pages."""

    def __init__(self, known: AsOf) -> None:
        self._about = known.tournaments
        self._players = text_column(known.facts.player_ids)
        self._ids = text_column(known.facts.tournament_ids)
        self._names = text_column(known.tournament_names)
        self._rates = text_column([rate.value for rate in RATES])
        self._systems = text_column([system.value for system in SYSTEMS])

    def page(self, rows: GameRows, order: Column, events: Sequence[StoredEvent]) -> Page:
        """Returns rows in an order as ``GAMES``; ``events`` are in that order."""
        about, at = self._about, rows.tournament[order]
        black = rows.black[order]
        return {
            "tournament": self._ids.take(at),
            "name": self._names.take(at),
            "start": _days(about.starts_on[at]),
            "end": _days(about.ends_on[at]),
            "system": words(about.system[at], self._systems),
            "rate_of_play": words(about.rate[at], self._rates),
            "merit": _merits(about.merit[at]),
            "round": rows.round[order],
            "date": np.array([event.effective_on for event in events], dtype="datetime64[D]"),
            "white": self._players.take(rows.white[order]),
            "black": self._players.take(words(black, self._players).indices),
            "result": _results(rows.code[order], events),
        }


def _days(ordinals: Column) -> AnyColumn:
    return (ordinals.astype(np.int64) - _1970).astype("datetime64[D]")


def _merits(merits: Column) -> pa.Array:
    found, at = np.unique(merits, return_inverse=True)
    texts = text_column(
        [None if merit == NO_MERIT else decimal(merit, 2) for merit in found.tolist()]
    )
    return texts.take(at)


def _results(codes: AnyColumn, events: Sequence[StoredEvent]) -> pa.Array:
    """Returns results in notation; of a bye its letter, which stands in the event alone."""
    found, at = np.unique(codes, return_inverse=True)
    texts = [_result_of(code) for code in found]
    column = text_column(texts).take(at).to_pylist()
    for place in np.flatnonzero(ending_of(codes) == Ending.BYE).tolist():
        column[place] = _result(events[place])
    return text_column(column)


def _result_of(code: AnyColumn) -> str | None:
    """Returns what a code says of a game; None for a bye."""
    termination = _TERMINATIONS.get(Ending(int(ending_of(code))))
    if termination is None:
        return None
    return str(Result(int(white_halves_of(code)), int(black_halves_of(code)), termination))


# Corrections


def corrections_table(view: LedgerView) -> ExportTable:
    """Returns what was corrected (see ``CORRECTIONS``)."""
    return ExportTable("corrections", CORRECTIONS, _corrections(view))


def _corrections(view: LedgerView) -> Iterator[Page]:
    known = AsOf(view.facts(), view.facts().seq)
    rows = (
        _corrected(known, correction, item)
        for correction in all_corrections(view)
        for item in correction.items
    )
    while some := list(islice(rows, _ROWS)):
        cells = zip(*some, strict=True)
        page: dict[str, Any] = {
            column.name: list(cells_) for column, cells_ in zip(CORRECTIONS, cells, strict=True)
        }
        texts = {name: text_column(page[name]) for name in ("tournament", "white", "black")}
        yield page | texts | {name: _words(page[name]) for name in ("kind", "was", "now")}


def _corrected(known: AsOf, correction: Correction, item: CorrectedItem) -> tuple[Any, ...]:
    facts, ids = known.facts, [each.id for each in item.players if each.id]
    if item.round is not None:  # a game is that of the ids that stay
        ids = [facts.player_ids[known.counts_as(facts.player_index[id_])] for id_ in ids]
    white, black, *_ = (*ids, None, None)
    return (
        correction.seq, item.seq, dt.date.fromisoformat(correction.recorded_at[:10]), item.type,
        item.tournament, item.round, item.played_on, white, black,
        _BYES.get(item.was or "", item.was), _BYES.get(item.now or "", item.now),
    )  # fmt: skip


def _result(event: StoredEvent) -> str | None:
    """Returns the result that an event says, of a bye its letter; None for none."""
    result = result_said(event.type, json.loads(event.payload))
    return _BYES.get(result or "", result)


def _words(texts: Sequence[str | None]) -> pa.Array:
    return text_column(texts).dictionary_encode()
