"""Careers on their way into a file: all of them, or what is new since they were in another one.

A period before the first that anything new can decide on is as it was (``Facts.effects``); so is
whatever is said of tournaments and people that no new event names. All else is written anew.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from ledger.answers.careers import NewestRanks
from ledger.answers.people_pages import (
    everybody_corrected,
    everybody_on_ladders,
    everybody_played,
    numbered_tournaments,
)
from ledger.answers.period_states import PeriodStates
from ledger.answers.player_questions import statements_without_rating
from ledger.events.lists import ListPublished
from ledger.events.players import PlayerFactUndone, PlayerIdentityCorrected
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Column, Facts
from ledger.identifiers import NO_EVENT, Seq
from ledger.lists.publications import period_of
from ledger.replay.replay import by_itself
from ledger.replay.timeline import Timeline
from ledger.reports.careers import games_rated, packed, period_note
from ledger.reports.histories import PeriodHistory, everybody, histories
from ledger.views.list_editions import newest_editions
from ledger.views.registers import survivors_at
from ledger.views.view import LedgerView
from web.read_models.connections import file_to_write
from web.read_models.statement_model import known_at, statement_text

_TABLES: Final = """
CREATE TABLE periods (
    list TEXT, period INTEGER, name TEXT, state TEXT, editions INTEGER, games INTEGER,
    PRIMARY KEY (list, period)
) WITHOUT ROWID;
CREATE TABLE editions (
    list TEXT, period INTEGER, edition INTEGER, PRIMARY KEY (list, period, edition)
) WITHOUT ROWID;
CREATE TABLE happened (
    list TEXT, player TEXT, period INTEGER, rating INTEGER, change INTEGER, games INTEGER,
    lost INTEGER, PRIMARY KEY (list, player, period)
) WITHOUT ROWID;
CREATE TABLE differs (
    list TEXT, player TEXT, period INTEGER, edition INTEGER, rating INTEGER,
    PRIMARY KEY (list, player, period, edition)
) WITHOUT ROWID;
CREATE TABLE played (
    player TEXT, tournament INTEGER, PRIMARY KEY (player, tournament)
) WITHOUT ROWID;
CREATE TABLE corrected (
    player TEXT, tournament INTEGER, seq INTEGER, PRIMARY KEY (player, tournament)
) WITHOUT ROWID;
CREATE TABLE tournaments (
    number INTEGER PRIMARY KEY, id TEXT, name TEXT, starts_on TEXT, ends_on TEXT
);
CREATE TABLE buckets (
    list TEXT, player TEXT, statement BLOB, PRIMARY KEY (list, player)
) WITHOUT ROWID;
CREATE TABLE merged (player TEXT PRIMARY KEY, into_player TEXT) WITHOUT ROWID;
CREATE TABLE notes (list TEXT, period INTEGER, note BLOB, PRIMARY KEY (list, period)) WITHOUT ROWID;
CREATE TABLE rated (
    list TEXT, player TEXT, period INTEGER, games BLOB, PRIMARY KEY (list, player, period)
) WITHOUT ROWID;
CREATE TABLE ranks (
    list TEXT, kind TEXT, of TEXT, rating INTEGER, reached INTEGER,
    PRIMARY KEY (list, kind, of, rating)
) WITHOUT ROWID;
CREATE TABLE newest (
    list TEXT PRIMARY KEY, rows INTEGER, published_on TEXT, year INTEGER, following TEXT
) WITHOUT ROWID;
CREATE TABLE people (number INTEGER PRIMARY KEY, id TEXT);
CREATE TABLE places (
    player TEXT, ladder TEXT, place INTEGER, PRIMARY KEY (player, ladder)
) WITHOUT ROWID;
"""
_BY_PERIOD: Final = ("periods", "editions", "happened", "differs", "notes", "rated")


@dataclass(frozen=True, slots=True)
class FormerCareers:
    """The file of the careers that were known at a seq of the same past, with the same names."""

    path: Path
    seq: Seq


def write_careers(path: Path, view: LedgerView, former: FormerCareers | None = None) -> None:
    """Writes what is known of everybody's career into an empty file.

    What nothing new can change is taken from ``former``, while everybody counts as then.
    """
    facts = view.facts()
    since = NO_EVENT
    if former is not None and _counts_as_then(facts, former.seq) and _copied(former.path, path):
        since = former.seq
    with file_to_write(path, "" if since else _TABLES) as connection:
        _CareerWriting(connection, view, since).write()
        if not since:
            connection.execute("CREATE INDEX people_id ON people (id)")
            connection.execute("CREATE INDEX merged_into ON merged (into_player)")


def _counts_as_then(facts: Facts, seq: Seq) -> bool:
    """Whether nobody was merged into another since, or parted again."""
    then, now = (AsOf(facts, at).merged_into for at in (seq, facts.seq))
    return bool((then == now).all())


def _copied(former: Path, path: Path) -> bool:
    try:
        shutil.copyfile(former, path)
    except OSError:  # thrown away meanwhile
        path.write_bytes(b"")
        return False
    return True


class _CareerWriting:
    """Careers on their way into a file that says what was known at a seq; ``NO_EVENT``: nothing."""

    def __init__(self, connection: sqlite3.Connection, view: LedgerView, since: Seq) -> None:
        self._execute = connection.execute
        self._execute_many = connection.executemany
        self._view = view
        self._facts = view.facts()
        self._known = AsOf(self._facts, self._facts.seq)
        self._since = since
        upto = self._facts.seq
        events = view.journal.events(after=since, upto=upto) if since else iter(())
        self._new = {(event.stream, event.type) for event in events}
        index = self._facts.tournament_index
        numbers = {index[id_] for id_ in self._new_of("tournament") if id_ in index}
        self._new_tournaments = sorted(numbers)
        types = {type_ for _, type_ in self._new}
        self._is_of_identities = bool(types & {PlayerIdentityCorrected.TYPE, PlayerFactUndone.TYPE})

    def write(self) -> None:
        for name in sorted(self._facts.lists):
            if not self._is_apart(name):
                self._write_list(name)
        self._write_tournaments()
        self._write_people()

    def _write_list(self, name: str) -> None:
        """Writes how the periods of a list stand, and what they say of its players."""
        facts = self._facts
        states, edition = PeriodStates(facts, name), newest_editions(self._view).get(name)
        newest = None if edition is None else NewestRanks(facts, edition)
        takers = [states] if newest is None else [states, newest]
        timeline = Timeline.at_head(facts, name)
        reached, was_last = self._first_reached(timeline), self._last_written(name)
        first = self._first_written(timeline, states, min(reached, was_last + 1))
        moved = self._forget_from(name, first, reached)
        players, before = everybody(facts), None
        since = timeline.period_at(first - 1) if first else None
        until = timeline.last_period
        for each in histories(facts, name, players, until, *takers, since=since):
            if each.period.index >= first:
                is_out = each.period.name in states.editions
                found = self._write_period(each, before, players, is_out=is_out)
                moved |= found if each.period.index >= reached else set()
            before = each
        assert before is not None, "a list has a period"
        self._execute_many(
            "INSERT INTO periods VALUES (?, ?, ?, ?, ?, ?)",
            (
                (name, each.period.index, each.period.name, each.state, each.editions, each.games)
                for each in states.states()
                if each.period.index >= first
            ),
        )
        self._execute(
            "UPDATE periods SET state = 'closed' WHERE list = :list AND state = 'open'"
            " AND period < (SELECT max(period) FROM editions WHERE list = :list)",
            {"list": name},
        )
        if newest is not None:
            self._write_newest(name, newest)
        is_same = reached and was_last == until.index and not self._may_say_otherwise(name)
        self._write_buckets(before, moved if is_same else None)

    def _is_apart(self, name: str) -> bool:
        """Whether new events are about tournaments alone that a list does not rate, nor did."""
        kinds = {stream.partition(":")[0] for stream, _ in self._new}
        now = Timeline(self._known, name)
        if kinds != {"tournament"} or not by_itself(now):
            return False
        then = Timeline(AsOf(self._facts, self._since), name)
        numbers = np.array(self._new_tournaments, dtype=np.int64)
        return all(bool((each.rated_in(numbers) < 0).all()) for each in (then, now))

    def _first_reached(self, timeline: Timeline) -> int:
        """Returns the index of the first period that new events can decide on, or one behind it."""
        facts, since = self._facts, self._since
        if facts.lists[timeline.name].seq > since or not by_itself(timeline):
            return 0
        day = facts.first_effect_between(since, facts.seq)
        periods = timeline.periods(timeline.last_period.closes_on)
        reached = (each.index for each in periods if each.in_force_on.toordinal() >= day)
        return next(reached, len(periods))

    def _last_written(self, name: str) -> int:
        """Returns the index of the last period of a list in the file, -1 where it has none."""
        wanted = "SELECT coalesce(max(period), -1) FROM periods WHERE list = ?"
        last: int = self._execute(wanted, (name,)).fetchone()[0]
        return last

    def _first_written(self, timeline: Timeline, states: PeriodStates, first: int) -> int:
        """Returns the first period to be written: not behind those that are published newly.

        The newest is among them: of its ranks the groups are as known now. So are, where people may
        be of another federation, those that may differ from the list as published.
        """
        facts, name = self._facts, timeline.name
        out = [each for seq, each in facts.lists[name].publications if seq > self._since]
        out += filter(None, [newest_editions(self._view).get(name)])
        if self._is_of_identities:
            last = [editions[-1] for editions in states.editions.values()]
            out += [each for each in last if not states.is_untouched(each)]
        found = (period_of(facts, name, each.period) for each in out)
        return min(first, timeline.last_period.index, *(each.index for each in found if each))

    def _forget_from(self, name: str, first: int, reached: int) -> set[str]:
        """Removes the periods from one on; returns who is named in those from ``reached`` on."""
        moved = set()
        for table in ("happened", "rated"):
            wanted = f"SELECT player FROM {table} WHERE list = ? AND period >= ?"  # noqa: S608 - names
            moved |= {player for (player,) in self._execute(wanted, (name, reached))}
        for table in _BY_PERIOD:
            self._execute(f"DELETE FROM {table} WHERE list = ? AND period >= ?", (name, first))  # noqa: S608
        return moved

    def _write_period(
        self, each: PeriodHistory, before: PeriodHistory | None, players: Column, *, is_out: bool
    ) -> set[str]:
        """Writes a period of those to whom something happens in it; returns their ids."""
        ids, outcome, period = self._facts.player_ids, each.outcome, each.period.index
        name = outcome.timeline.name
        happened = [(ids[players[at]], of) for at, of in each.news(before)]
        self._execute_many(
            "INSERT INTO happened VALUES (?, ?, ?, ?, ?, ?, ?)",
            ((name, player, period, *figures) for player, figures in happened),
        )
        self._execute_many(
            "INSERT INTO editions VALUES (?, ?, ?)",
            ((name, period, edition) for edition, _ in each.editions),
        )
        self._execute_many(
            "INSERT INTO differs VALUES (?, ?, ?, ?, ?)",
            (
                (name, ids[players[at]], period, edition, rating)
                for edition, at, rating in each.published_otherwise()
            ),
        )
        games = games_rated(outcome)
        note = msgspec.json.encode(period_note(outcome, games, is_out=is_out))
        self._execute("INSERT INTO notes VALUES (?, ?, ?)", (name, period, note))
        rated = [(ids[one], of) for one, of in packed(games)]
        self._execute_many(
            "INSERT INTO rated VALUES (?, ?, ?, ?)",
            ((name, player, period, of) for player, of in rated),
        )
        return {player for player, _ in (*happened, *rated)}

    def _write_newest(self, name: str, newest: NewestRanks) -> None:
        for table in ("newest", "ranks"):
            self._execute(f"DELETE FROM {table} WHERE list = ?", (name,))  # noqa: S608 - names
        self._execute("INSERT INTO newest VALUES (?, ?, ?, ?, ?)", (name, *newest.about()))
        rows = ((name, *row) for row in newest.ranks)
        self._execute_many("INSERT INTO ranks VALUES (?, ?, ?, ?, ?)", rows)

    # Who has no rating

    def _may_say_otherwise(self, name: str) -> bool:
        """Whether new events may say something else of a list, or of what people are called."""
        of_list = {type_ for stream, type_ in self._new if stream == f"list:{name}"}
        return self._is_of_identities or bool(of_list - {ListPublished.TYPE})

    def _write_buckets(self, last: PeriodHistory, moved: set[str] | None) -> None:
        """Writes the statements of the last period of who has no rating yet; of some (None: all).

        Of the others the same is said as before, as known at another seq.
        """
        name = last.outcome.timeline.name
        if moved is None:
            self._execute("DELETE FROM buckets WHERE list = ?", (name,))
        else:
            index = self._facts.player_index
            stays = map(self._known.counts_as, index.of(self._new_of("player")))
            moved |= {self._facts.player_ids[each] for each in stays}
            gone = ((name, player) for player in moved)
            self._execute_many("DELETE FROM buckets WHERE list = ? AND player = ?", gone)
        waiting = statements_without_rating(self._view, last.outcome, moved)
        rows = (
            (name, each.player.id, statement_text(known_at(each, NO_EVENT))) for each in waiting
        )
        self._execute_many("INSERT INTO buckets VALUES (?, ?, ?)", rows)

    # What is of no list

    def _new_of(self, kind: str) -> Iterator[str]:
        """Yields the ids of a kind that new events are about."""
        parted = (stream.partition(":") for stream, _ in self._new)
        return (id_ for of, _, id_ in parted if of == kind)

    def _write_tournaments(self) -> None:
        """Writes what there is of tournaments, who played in them, whose games were corrected."""
        numbers = self._new_tournaments if self._since else None
        if numbers is not None:
            for place in ("tournaments WHERE number", "played WHERE tournament",
                          "corrected WHERE tournament"):  # fmt: skip
                wanted = f"DELETE FROM {place} IN (SELECT value FROM json_each(?))"  # noqa: S608
                self._execute(wanted, (json.dumps(numbers),))
        self._execute_many(
            "INSERT OR IGNORE INTO played VALUES (?, ?)", everybody_played(self._view, numbers)
        )
        self._execute_many(
            "INSERT INTO corrected VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET seq = max(seq, excluded.seq)",
            everybody_corrected(self._view, numbers),
        )
        self._execute_many(
            "INSERT INTO tournaments VALUES (?, ?, ?, ?, ?)",
            (
                (number, of.tournament, of.name, of.starts_on, of.ends_on)
                for number, of in numbered_tournaments(self._view, numbers)
            ),
        )

    def _write_people(self) -> None:
        """Writes who there is, who was merged into whom, and the places on ladders."""
        facts, ids = self._facts, self._facts.player_ids
        (count,) = self._execute("SELECT coalesce(max(number), -1) + 1 FROM people").fetchone()
        people = enumerate(ids[count:], start=count)
        self._execute_many("INSERT INTO people VALUES (?, ?)", people)
        stays = survivors_at(facts, facts.seq)
        self._execute("DELETE FROM merged")
        given_up = {ids[merge.player] for merge in facts.merges}
        rows = ((one, stays(one)) for one in sorted(given_up) if stays(one) != one)
        self._execute_many("INSERT INTO merged VALUES (?, ?)", rows)
        self._execute("DELETE FROM places")
        stand = everybody_on_ladders(self._view)
        self._execute_many(
            "INSERT INTO places VALUES (?, ?, ?)",
            ((stays(id_), ladder, place) for ladder, place, id_ in stand),
        )
