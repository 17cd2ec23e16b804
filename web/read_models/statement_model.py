"""The statements of a period as a file: of everybody who was registered, ready to be shown.

To most players nothing happens in a period, and what is said of them differs in name, rating and K
alone: one statement stands for all of those who are rated, and one for all who never were. Who fell
below a floor has a statement of their own.

Statements as texts in the files of read models: read back, each is the same value.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from ledger.answers.player_questions import explained
from ledger.facts.columns import Column
from ledger.identifiers import PlayerId, PlayerIndex, Seq
from ledger.lists.people import People
from ledger.rating.player_state import UNRATED
from ledger.replay.period_outcome import PeriodOutcome
from ledger.reports.explanation import concerned
from ledger.reports.statement import PersonRef, Statement
from ledger.views.list_editions import require_edition, require_period
from ledger.views.view import LedgerView
from web.read_models.connections import ReadConnections, file_to_write


def _written(value: Any) -> str:
    assert isinstance(value, Fraction), "of all that a statement holds msgspec lacks only these"
    return str(value)


def _read(kind: type, value: Any) -> Any:
    assert kind is Fraction, "the same"
    return Fraction(value)


_ENCODER: Final = msgspec.json.Encoder(enc_hook=_written)
_DECODER: Final = msgspec.json.Decoder(Statement, dec_hook=_read)


def statement_text(statement: Statement) -> bytes:
    """Returns a statement as a text."""
    return _ENCODER.encode(statement)


def statement_in(text: bytes) -> Statement:
    """Returns the statement that was written as a text."""
    return _DECODER.decode(text)


def known_at(statement: Statement, seq: Seq) -> Statement:
    """Returns a statement as known at another seq, between which nothing changes it."""
    return replace(statement, basis=replace(statement.basis, seq=seq))


_TABLES = """
CREATE TABLE quiet (is_rated INTEGER PRIMARY KEY, statement BLOB);
CREATE TABLE people (
    id TEXT PRIMARY KEY, name TEXT, rating INTEGER, k INTEGER, statement BLOB
) WITHOUT ROWID;
"""
_CHUNK = 10_000  # players whose names are read together


def write_statements(
    path: Path, view: LedgerView, name: str, period: str, edition: int | None
) -> None:
    """Writes the statements of an edition, or (None) of a period as known, into an empty file.

    Raises:
        NotFound: there is no such list, period or edition.
    """
    facts = view.facts_of(name)
    basis = facts.seq
    if edition is not None:
        basis = require_edition(facts, name, period, edition).basis_seq
    period_ = require_period(facts, name, period, basis)
    outcome = view.calculated(facts, name, basis, period_)
    people = view.people(facts, basis)
    with file_to_write(path, _TABLES) as connection:
        _Writing(connection, view, outcome, people, basis).write()


class _Writing:
    """The statements of a period on their way into a file."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        view: LedgerView,
        outcome: PeriodOutcome,
        people: People,
        basis: Seq,
    ) -> None:
        self._connection = connection
        self._view = view
        self._outcome = outcome
        self._people = people
        self._basis = basis

    def write(self) -> None:
        outcome = self._outcome
        known = outcome.timeline.known
        into = known.merged_into
        own = np.flatnonzero((into == np.arange(len(into))) & known.is_registered)
        is_concerned = np.zeros(len(into), dtype=np.bool_)
        is_concerned[concerned(outcome)] = True
        is_concerned |= outcome.lost
        self._people.names(own)  # those whom they met among them
        for start in range(0, len(own), _CHUNK):
            chunk = own[start : start + _CHUNK]
            self._insert(self._loud(chunk[is_concerned[chunk]]))
            self._insert(self._quiet(chunk[~is_concerned[chunk]]))
        quiet = own[~is_concerned[own]]
        for is_rated in (False, True):
            of_kind = quiet[(outcome.closing.rating[quiet] > UNRATED) == is_rated]
            if len(of_kind):
                text = statement_text(self._made(PlayerIndex(int(of_kind[0]))))
                self._connection.execute("INSERT INTO quiet VALUES (?, ?)", (is_rated, text))

    def _made(self, player: PlayerIndex) -> Statement:
        return explained(self._view, self._outcome, player, self._people, seq=self._basis)

    def _insert(self, rows: Iterator[tuple[object, ...]]) -> None:
        self._connection.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?)", rows)

    def _loud(self, players: Column) -> Iterator[tuple[object, ...]]:
        for statement in map(self._made, players.tolist()):
            yield statement.player.id, None, None, None, statement_text(statement)

    def _quiet(self, players: Column) -> Iterator[tuple[object, ...]]:
        ids, names = self._people.ids(players), self._people.names(players)
        figures = (self._outcome.closing.rating, self._outcome.k)
        ratings, ks = (column[players].tolist() for column in figures)
        for row in zip(ids, names, ratings, ks, strict=True):
            yield *row, None


class StatementModel(ReadConnections):
    """Statements that were written into a file; raises ``sqlite3.Error`` where it is damaged."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        with self.one() as connection:
            found = connection.execute("SELECT is_rated, statement FROM quiet").fetchall()
        self._quiet = {bool(is_rated): statement_in(text) for is_rated, text in found}

    def statement(self, player: str) -> Statement | None:
        """Returns what ``explain`` does; None of an id that was given up before."""
        with self.one() as connection:
            found = connection.execute(
                "SELECT name, rating, k, statement FROM people WHERE id = ?", (player,)
            ).fetchone()
        if found is None:
            return None
        name, rating, k, text = found
        if text is not None:
            return statement_in(text)
        person, shown = PersonRef(PlayerId(player), name), rating or None
        quiet = self._quiet[rating > UNRATED]
        return replace(quiet, player=person, opening=shown, closing=shown, k=k)
