"""A games document of any size: read once, decided tournament by tournament, never whole.

In memory are the ids of players and tournaments, one tournament that is not plain, and the
document's problems. Everything else is on shelves, its lines first, then the events they become,
until these are appended in one commit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator
from dataclasses import replace
from itertools import islice

from ledger.application.decided_parts import DecidedParts
from ledger.application.decisions import Decided, Dependencies, changed, ids_of
from ledger.application.formulas import Formulas
from ledger.application.import_problems import ImportProblems, refused
from ledger.application.ledger import Ledger
from ledger.errors import InputRefused, Problem
from ledger.intake.bulk_games import BulkGames, Complete, Contents
from ledger.intake.csv_table import DocumentTable, Problems
from ledger.intake.document_copy import Copy
from ledger.intake.documents import TournamentSaid
from ledger.intake.games_csv import tournaments_of
from ledger.intake.headings import Headings
from ledger.intake.reconciliation import (
    irregular,
    plan_rating_period,
    plan_tournament,
    unmentioned,
)
from ledger.journal.records import Head
from ledger.registrar.bulk_tournament import NotPlain, in_good_standing
from ledger.registrar.registrar import Registrar

_STEP = 1000
_ASKED = 10_000  # streams at once


class GamesFile:
    """A games document after the first look at it.

    Args:
        ledger: where it goes.
        name: what messages call it.
        copy: its text.
        headings: what its columns are called.
        complete: puts in what the person who imports it said.
        as_correction: where it differs from the ledger, it is right.
        rated_in_lists: the lists of which ``complete`` names a period.

    Raises:
        InputRefused: it has no usable header, or no rows.
    """

    def __init__(
        self,
        ledger: Ledger,
        name: str,
        copy: Copy,
        headings: Headings,
        complete: Complete,
        *,
        as_correction: bool,
        rated_in_lists: Container[str] = (),
    ) -> None:
        self._ledger = ledger
        self._name = name
        self._formulas = Formulas()
        self._complete = self._looked_at(complete)
        self._as_correction = as_correction
        self._problems = Problems()
        try:
            self._table = DocumentTable(copy.lines(), headings, self._problems)
            self._contents = Contents.of(self._table)
        except InputRefused as refusal:
            if not refusal.details:
                raise
            raise refused(name, refusal.details) from refusal
        if not self._problems.found and not self._contents.counts:
            raise InputRefused("csv.no_rows")
        mentioned: dict[str, Container[str]] = {
            "tournament": self._contents.counts,
            "player": self._contents.players,
            "list": rated_in_lists,
        }
        self._depends_on = Dependencies(mentioned)
        self._parts = DecidedParts(ledger.progress)
        self._new, self._standing = set[str](), set[str]()
        self._head: Head | None = None

    def decide(self, head: Head) -> Decided:
        """Decides the document at a head: at a later one only the tournaments that it concerns.

        Raises:
            InputRefused: with every problem of the file, line and column.
            Conflict: with every difference.
        """
        found, parts, tell = ImportProblems(self._name), self._parts, self._ledger.progress
        for problem in self._problems.found:
            found.add(problem)
        concerned, plain = self._concerned(head), self._plain()
        done, total, before = 0, sum(self._contents.counts.values()), 0
        for tournament, count in self._contents.counts.items():
            if concerned(tournament):
                self._decide(tournament, plain, head, before, found)
            before += parts.count(tournament)
            done += count
            if done // _STEP > (done - count) // _STEP or done == total:
                tell("import", done, total)
        found.raise_any()
        self._head = head
        made = parts.decided(self._depends_on)
        return replace(made, notes=(*made.notes, *self._formulas.notes(self._name)))

    def _looked_at(self, complete: Complete) -> Complete:
        """Returns the same, which also shows every tournament to the collector of formulas."""

        def completed(said: TournamentSaid) -> TournamentSaid:
            whole = complete(said)
            self._formulas.look_at_tournament(whole)
            return whole

        return completed

    def _concerned(self, head: Head) -> Callable[[str], bool]:
        """Looks up what has changed since the last decision; returns which tournaments it concerns.

        At first that is everything.
        """
        if self._head is None:
            self._look_up(self._contents.counts, self._contents.players, head)
            return lambda _: True
        streams = changed(self._ledger.journal, self._depends_on, self._head, head)
        tournaments, players = ids_of("tournament", streams), ids_of("player", streams)
        self._look_up(tournaments, players, head)

        def concerned(tournament: str) -> bool:
            if tournament in tournaments or self._parts.is_tied(tournament):
                return True
            return bool(players) and self._contents.mentions(tournament, players)

        return concerned

    def _look_up(self, tournaments: Collection[str], players: Collection[str], head: Head) -> None:
        """Notes which of the tournaments are not recorded yet, and which players can be entered."""
        journal = self._ledger.journal
        self._new.update(tournaments)
        for streams in _some(f"tournament:{tournament}" for tournament in tournaments):
            self._new -= ids_of("tournament", journal.recorded(streams))
        self._new.discard("")
        self._standing.difference_update(players)
        for streams in _some(f"player:{player}" for player in players if self._new):
            self._standing |= in_good_standing(journal.streams(streams, upto=head.seq))

    def _plain(self) -> BulkGames:
        """Returns what reads the new tournaments that nothing is wrong with."""
        return BulkGames(self._table, self._new, self._standing, self._complete, self._ledger.today)

    def _decide(
        self, tournament: str, plain: BulkGames, head: Head, before: int, found: ImportProblems
    ) -> None:
        """Decides one tournament, which comes after so many events of the document."""
        lines = self._contents.rows
        try:
            made = plain.events(tournament, lines.pages(tournament))
            notes = [Problem(note, made.line, 0, self._name) for note in made.notes]
            self._parts.put(tournament, made.pages, notes)
        except NotPlain:
            self._decide_closely(tournament, head, before, found)

    def _decide_closely(
        self, tournament: str, head: Head, before: int, found: ImportProblems
    ) -> None:
        """Reads one tournament, holds it against the ledger and lets the registrar decide it."""
        problems, notes = Problems(), list[Problem]()
        rows = self._contents.rows.rows(tournament)
        read = tournaments_of(self._table.row(line, fields, problems) for line, fields in rows)
        said = [self._complete(each) for each in read]
        for problem in problems.found:
            found.add(problem)
        streams = [stream for each in said for stream in each.streams]
        register = self._ledger.register(streams, head.seq)
        registrar = Registrar(register, head.seq + before, self._ledger.today)
        for each in said:
            if not found.unready(each, register):
                correct = self._as_correction
                planned_of_it = [
                    *plan_tournament(each, register, as_correction=correct),
                    *plan_rating_period(each, register, self._ledger.today, as_correction=correct),
                ]
                for planned in planned_of_it:
                    found.take(planned, registrar, as_correction=correct)
                    notes += planned.notes(self._name)
            told = [*unmentioned(each, register), *irregular(each, register, registrar.first_seq)]
            notes += [Problem(message, each.place.line, 0, self._name) for message in told]
        self._parts.put_taken(tournament, registrar, notes)


def _some(streams: Iterable[str]) -> Iterator[list[str]]:
    """Yields the streams, as many at a time as can be asked for at once."""
    streams = iter(streams)
    while some := list(islice(streams, _ASKED)):
        yield some
