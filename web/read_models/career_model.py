"""What is known at one seq of every player's career, as a file; and how the periods stand.

A history is kept as the periods in which something happens: in all others the rating is the one of
the period before, and nothing was played. Editions are kept where they differ from what is known.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ledger.application.directory import rating_in_list
from ledger.application.ledger import Ledger
from ledger.application.lists import require_period
from ledger.application.people_pages import PlayedTournament, everybody_on_ladders
from ledger.application.period_states import PeriodState, PeriodStates
from ledger.application.player_questions import explained
from ledger.application.registers import survivors_at
from ledger.calendar import Period
from ledger.facts.as_of import AsOf
from ledger.facts.columns import NOBODY, Column, Facts
from ledger.lists.publications import beside_published, publications
from ledger.rating.player_state import UNRATED
from ledger.replay.period_outcome import PeriodOutcome
from ledger.replay.timeline import last_period
from ledger.reports.live_list import HistoryLine
from ledger.reports.statement import Statement
from web.read_models.connections import ReadConnections, file_to_write
from web.read_models.statement_text import statement_of, statement_text

_NOT_LISTED = -1
_NO_CHANGE = np.iinfo(np.int32).min  # there is none: the player had no rating before
_TABLES = """
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
CREATE TABLE tournaments (
    number INTEGER PRIMARY KEY, id TEXT, name TEXT, starts_on TEXT, ends_on TEXT
);
CREATE TABLE buckets (
    list TEXT, player TEXT, statement BLOB, PRIMARY KEY (list, player)
) WITHOUT ROWID;
CREATE TABLE merged (player TEXT PRIMARY KEY, into_player TEXT) WITHOUT ROWID;
CREATE TABLE places (
    player TEXT, ladder TEXT, place INTEGER, PRIMARY KEY (player, ladder)
) WITHOUT ROWID;
"""


def write_careers(path: Path, ledger: Ledger) -> None:
    """Writes what is known of everybody's career into an empty file."""
    facts = ledger.facts()
    with file_to_write(path, _TABLES) as connection:
        for name in sorted(facts.lists):
            states = PeriodStates(facts, name)
            last = _Histories(facts, name, connection).write(states)
            connection.executemany(
                "INSERT INTO periods VALUES (?, ?, ?, ?, ?, ?)",
                (
                    (name, each.period.index, each.period.name, each.state, each.editions,
                     each.games)
                    for each in states.states()
                ),
            )  # fmt: skip
            _write_buckets(connection, ledger, last)
        _write_played(connection, facts)
        _write_tournaments(connection, facts)
        stays = survivors_at(facts, facts.seq)
        given_up = {facts.player_ids[merge.player] for merge in facts.merges}
        rows = ((player, stays(player)) for player in sorted(given_up))
        connection.executemany("INSERT INTO merged VALUES (?, ?)", rows)
        stand = ((stays(id_), ladder, place) for ladder, place, id_ in everybody_on_ladders(ledger))
        connection.executemany("INSERT INTO places VALUES (?, ?, ?)", stand)
        connection.execute("CREATE INDEX merged_into ON merged (into_player)")


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

    def write(self, states: PeriodStates) -> PeriodOutcome:
        """Writes all periods, and tells how they stand; returns the last one."""
        facts, name = self._facts, self._name
        published = publications(facts, name)
        until = last_period(facts, name)
        ratings: dict[str, tuple[Period, Column]] = {}
        for outcome, editions in beside_published(facts, name, published, until):
            now = _ratings(outcome)
            self._happened(outcome, now)
            states.take(outcome)
            for publication, then in editions:
                states.take_edition(publication, then)
                made = self._editions.setdefault(publication.period, [])
                made.append((publication.edition, _ratings(then)))
            ratings[outcome.period.name] = outcome.period, now
            for period in [period for period in self._editions if period in ratings]:
                self._differ(*ratings[period], self._editions.pop(period))
            self._before = now
        return outcome

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


def _write_buckets(connection: sqlite3.Connection, ledger: Ledger, last: PeriodOutcome) -> None:
    """Writes the statements of those who have no rating in the last period of a list yet."""
    facts = ledger.facts()
    people = ledger.people(facts)
    into = last.timeline.known.merged_into
    waiting = (_ratings(last) == UNRATED) & (into == np.arange(len(into)))
    connection.executemany(
        "INSERT INTO buckets VALUES (?, ?, ?)",
        (
            (made.list, made.player.id, statement_text(made))
            for player in np.flatnonzero(waiting).tolist()
            for made in [explained(ledger, last, player, people, seq=facts.seq)]
        ),
    )


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


def _write_tournaments(connection: sqlite3.Connection, facts: Facts) -> None:
    """Writes what a player's page says of a tournament."""
    known = AsOf(facts, facts.seq)
    versions = map(known.tournament, range(len(facts.tournament_ids)))
    connection.executemany(
        "INSERT INTO tournaments VALUES (?, ?, ?, ?, ?)",
        (
            (number, of.tournament, of.name, of.starts_on.isoformat(), of.ends_on.isoformat())
            for number, of in enumerate(versions)
            if of is not None
        ),
    )


class CareerModel(ReadConnections):
    """Careers that were written into a file; raises ``sqlite3.Error`` where it is damaged."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        with self.one() as connection:
            self._last_periods: list[tuple[str, str]] = connection.execute(
                "SELECT list, name FROM periods AS its WHERE period ="
                " (SELECT max(period) FROM periods WHERE list = its.list) ORDER BY list"
            ).fetchall()

    def history(self, player: str, name: str) -> list[HistoryLine]:
        """Returns what ``history_of`` does, of a player who was not merged into another."""
        of = (name, player)
        with self.one() as connection:
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

    def tournaments(self, player: str) -> list[PlayedTournament]:
        """Returns what ``tournaments_played`` does, of a player who was not merged into another."""
        with self.one() as connection:
            found = connection.execute(
                "SELECT id, name, starts_on, ends_on FROM played"
                " JOIN tournaments ON number = tournament WHERE player = ?"
                " ORDER BY ends_on DESC, id DESC",
                (player,),
            )
            return [PlayedTournament(*row) for row in found]

    def ratings(self, player: str) -> list[dict[str, object]]:
        """Returns what ``ratings_in_lists`` does, of a player who was not merged into another."""
        ratings = []
        with self.one() as connection:
            for name, period in self._last_periods:
                found = connection.execute(
                    "SELECT rating FROM happened WHERE list = ? AND player = ?"
                    " ORDER BY period DESC LIMIT 1",
                    (name, player),
                ).fetchone()
                if found is not None and found[0] is not None:
                    ratings.append(rating_in_list(name, period, found[0]))
        return ratings

    def bucket(self, player: str, name: str) -> Statement | None:
        """Returns the statement of the last period of a list; None, where the player is rated."""
        with self.one() as connection:
            wanted = "SELECT statement FROM buckets WHERE list = ? AND player = ?"
            found = connection.execute(wanted, (name, player)).fetchone()
        return None if found is None else statement_of(found[0])

    def merged(self, player: str) -> tuple[str, bool]:
        """Returns the id under which a player counts, and whether there is another one beside it.

        An id that nobody has counts as itself.
        """
        with self.one() as connection:
            wanted = "SELECT into_player FROM merged WHERE player = ? OR into_player = ?"
            found = connection.execute(wanted, (player, player)).fetchone()
        return (player, False) if found is None else (found[0], True)

    def places(self, player: str) -> list[tuple[str, int]]:
        """Returns what ``places_on_ladders`` does, of a player who was not merged into another."""
        with self.one() as connection:
            wanted = "SELECT ladder, place FROM places WHERE player = ? ORDER BY ladder"
            return connection.execute(wanted, (player,)).fetchall()

    def states(self, ledger: Ledger, name: str) -> list[PeriodState]:
        """Returns what ``period_states`` does; the ledger is the one that it was made from."""
        facts = ledger.facts_of(name)
        wanted = "SELECT name, state, editions, games FROM periods WHERE list = ?"
        with self.one() as connection:
            rows = connection.execute(wanted, (name,)).fetchall()
        return [
            PeriodState(require_period(facts, name, period), state, editions, games)
            for period, state, editions, games in rows
        ]
