"""What is known at one seq of every player's career, as a file; and how the periods stand.

A history is kept as the periods in which something happens: in all others the rating is the one of
the period before, and nothing was played. Editions are kept where they differ from what is known.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np

from ledger.application.ledger import Ledger
from ledger.application.lists import PeriodState, period_states, require_period
from ledger.calendar import Period
from ledger.facts.as_of import AsOf
from ledger.facts.columns import NOBODY, Column, Facts
from ledger.lists.publications import beside_published, publications
from ledger.rating.player_state import UNRATED
from ledger.replay.period_outcome import PeriodOutcome
from ledger.replay.timeline import last_period
from ledger.reports.live_list import HistoryLine
from web.read_models.connections import ReadConnections

_NOT_LISTED = -1
_NO_CHANGE = np.iinfo(np.int32).min  # there is none: the player had no rating before
_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE periods (
    list TEXT, period INTEGER, name TEXT, state TEXT, editions INTEGER, games INTEGER,
    PRIMARY KEY (list, period)
) WITHOUT ROWID;
CREATE TABLE editions (
    list TEXT, period INTEGER, edition INTEGER, PRIMARY KEY (list, period, edition)
) WITHOUT ROWID;
CREATE TABLE happened (
    list TEXT, player TEXT, period INTEGER, rating INTEGER, change INTEGER, games INTEGER,
    PRIMARY KEY (list, player, period)
) WITHOUT ROWID;
CREATE TABLE differs (
    list TEXT, player TEXT, period INTEGER, edition INTEGER, rating INTEGER,
    PRIMARY KEY (list, player, period, edition)
) WITHOUT ROWID;
CREATE TABLE played (
    player TEXT, tournament INTEGER, PRIMARY KEY (player, tournament)
) WITHOUT ROWID;
BEGIN;
"""


def write_careers(path: Path, ledger: Ledger) -> None:
    """Writes what is known of everybody's career into an empty file."""
    facts = ledger.facts()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(_TABLES)
        for name in sorted(facts.lists):
            states = period_states(ledger, name)
            connection.executemany(
                "INSERT INTO periods VALUES (?, ?, ?, ?, ?, ?)",
                (
                    (name, each.period.index, each.period.name, each.state, each.editions,
                     each.games)
                    for each in states
                ),
            )  # fmt: skip
            _Histories(facts, name, connection).write()
        _write_played(connection, facts)
        connection.execute("COMMIT")


class _Histories:
    """The histories of a list's players on their way into a file."""

    def __init__(self, facts: Facts, name: str, connection: sqlite3.Connection) -> None:
        self._facts = facts
        self._name = name
        self._connection = connection
        into = AsOf(facts, facts.seq).merged_into
        self._own = into == np.arange(len(into))
        self._before = np.full(len(into), _NOT_LISTED, dtype=np.int32)
        self._editions: dict[str, list[tuple[int, Column]]] = {}

    def write(self) -> None:
        facts, name = self._facts, self._name
        published = publications(facts, name)
        until = last_period(facts, name)
        ratings: dict[str, tuple[Period, Column]] = {}
        for outcome, editions in beside_published(facts, name, published, until):
            now = _ratings(outcome)
            self._happened(outcome, now)
            for publication, then in editions:
                made = self._editions.setdefault(publication.period, [])
                made.append((publication.edition, _ratings(then)))
            ratings[outcome.period.name] = outcome.period, now
            for period in [period for period in self._editions if period in ratings]:
                self._differ(*ratings[period], self._editions.pop(period))
            self._before = now

    def _happened(self, outcome: PeriodOutcome, now: Column) -> None:
        """Writes who does not merely keep the rating of the period before."""
        count = len(now)
        opening = outcome.opening.rating[:count]
        has_change = (now > UNRATED) & (opening != UNRATED)
        change = np.where(has_change, now - opening, _NO_CHANGE)
        games = outcome.rated_games[:count]
        usual = np.where(now > UNRATED, 0, _NO_CHANGE)
        found = self._own & ((now != self._before) | (change != usual) | (games != 0))
        players = np.flatnonzero(found)
        values = (column[players].tolist() for column in (now, change, games))
        rows = zip(self._ids(players), *values, strict=True)
        self._connection.executemany(
            "INSERT INTO happened VALUES (?, ?, ?, ?, ?, ?)",
            (
                (self._name, id_, outcome.period.index, _rating(rating),
                 None if moved == _NO_CHANGE else moved, played)
                for id_, rating, moved, played in rows
            ),
        )  # fmt: skip

    def _differ(self, period: Period, now: Column, editions: list[tuple[int, Column]]) -> None:
        """Writes whose rating in an edition is not the one that is known now."""
        for edition, then in editions:
            self._connection.execute(
                "INSERT INTO editions VALUES (?, ?, ?)", (self._name, period.index, edition)
            )
            players = np.flatnonzero(self._own & (then != now))
            rows = zip(self._ids(players), then[players].tolist(), strict=True)
            self._connection.executemany(
                "INSERT INTO differs VALUES (?, ?, ?, ?, ?)",
                ((self._name, id_, period.index, edition, _rating(rating)) for id_, rating in rows),
            )

    def _ids(self, players: Column) -> Iterator[str]:
        ids = self._facts.player_ids
        return (ids[player] for player in players.tolist())


def _ratings(outcome: PeriodOutcome) -> Column:
    """Returns everybody's rating as the list of a period shows it, by player index."""
    into = outcome.timeline.known.merged_into
    closing = outcome.closing
    listed = closing.listed[into].astype(np.bool_)
    return np.where(listed, closing.rating[into], _NOT_LISTED).astype(np.int32)


def _rating(rating: int) -> int | None:
    return None if rating == _NOT_LISTED else rating


def _write_played(connection: sqlite3.Connection, facts: Facts) -> None:
    """Writes in which tournaments everybody has games."""
    ids = facts.player_ids
    for games in AsOf(facts, facts.seq).games_by_block():
        sides = [np.stack([side, games.tournament]) for side in (games.white, games.black)]
        pairs = np.unique(np.concatenate(sides, axis=1), axis=1)
        pairs = pairs[:, pairs[0] != NOBODY]
        rows = zip(*pairs.tolist(), strict=True)
        connection.executemany(
            "INSERT OR IGNORE INTO played VALUES (?, ?)",
            ((ids[player], tournament) for player, tournament in rows),
        )


class CareerModel:
    """Careers that were written into a file; raises ``sqlite3.Error`` where it is damaged."""

    def __init__(self, path: Path) -> None:
        self._connections = ReadConnections(path)
        with self._connections.one() as connection:
            connection.execute("SELECT count(*) FROM periods")
        self.path = path

    def history(self, player: str, name: str) -> list[HistoryLine]:
        """Returns what ``history_of`` does, of a player who was not merged into another."""
        of = (name, player)
        with self._connections.one() as connection:
            ask = connection.execute
            periods = ask("SELECT period, name FROM periods WHERE list = ?", (name,)).fetchall()
            editions = ask("SELECT period, edition FROM editions WHERE list = ?", (name,))
            published: dict[int, list[int]] = {}
            for period, edition in editions:
                published.setdefault(period, []).append(edition)
            wanted = "SELECT period, rating, change, games FROM happened"
            happened = {
                period: (rating, change, games)
                for period, rating, change, games in ask(
                    f"{wanted} WHERE list = ? AND player = ?", of
                )
            }
            wanted = "SELECT period, edition, rating FROM differs WHERE list = ? AND player = ?"
            differs = {(period, edition): rating for period, edition, rating in ask(wanted, of)}
        lines = []
        rating: int | None = None
        for period, said in periods:
            rating, change, games = happened.get(period, (rating, 0 if rating else None, 0))
            shown = tuple(
                (edition, differs.get((period, edition), rating))
                for edition in published.get(period, ())
            )
            lines.append(HistoryLine(said, shown, rating, change, games))
        return [line for line in lines if line.has_a_place]

    def tournaments(self, player: str) -> list[int]:
        """Returns the tournaments in which a player has games, by index."""
        with self._connections.one() as connection:
            found = connection.execute("SELECT tournament FROM played WHERE player = ?", (player,))
            return [tournament for (tournament,) in found]

    def states(self, ledger: Ledger, name: str) -> list[PeriodState]:
        """Returns what ``period_states`` does; the ledger is the one that it was made from."""
        facts = ledger.facts_of(name)
        wanted = "SELECT name, state, editions, games FROM periods WHERE list = ?"
        with self._connections.one() as connection:
            rows = connection.execute(wanted, (name,)).fetchall()
        return [
            PeriodState(require_period(facts, name, period), state, editions, games)
            for period, state, editions, games in rows
        ]

    def close(self) -> None:
        """Closes what nobody uses."""
        self._connections.close()
