"""A games document of any size: read once, decided tournament by tournament, never whole.

In memory are the ids of players and tournaments, one tournament that is not plain, and the
document's problems. Everything else is in spools, its lines first, then the events they become,
until these are appended in one commit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator
from dataclasses import replace
from itertools import islice

from ledger.errors import DocumentRefused, Problem
from ledger.events.catalogue import AnyEvent
from ledger.events.model import Dated
from ledger.identifiers import Seq
from ledger.intake.bulk_games import BulkGames, Contents
from ledger.intake.csv_table import DocumentTable
from ledger.intake.document_copy import Copy
from ledger.intake.documents import Document
from ledger.intake.games_csv import tournaments_of
from ledger.intake.headings import GAMES, TOURNAMENT
from ledger.intake.import_problems import (
    Formulas,
    ImportProblems,
    naming,
    restored,
    same_games,
)
from ledger.intake.people_by_name import PeopleByName
from ledger.intake.problems import Problems
from ledger.intake.table_forms import TableForms
from ledger.intake.tournament_reconciliation import plan_tournament
from ledger.journal.records import Head
from ledger.registrar.bulk_tournament import NotPlain, players_to_be_entered
from ledger.registrar.registrar import Registrar, unannounced
from ledger.service.decisions import Decided, DecidedParts, Dependencies, changed
from ledger.service.ledger import Ledger, Request
from ledger.views.registers import ids_of
from ledger.wording import Message

_STEP = 1000
_ASKED = 10_000  # streams at once
_PEOPLE = ("people",)  # the part of those who are new
_FEW = 20  # tournaments
_FEW_GAMES = 5_000


class GamesFile:
    """A games document after the first look at it; ``people`` are those new and those doubtful.

    Raises:
        InputRefused: it has no usable header, or no rows; a decision is about nobody in it.
        Conflict: names in it are those of several players, or of nobody, and this is no preview.
    """

    def __init__(self, ledger: Ledger, document: Document, copy: Copy, request: Request) -> None:
        self._ledger = ledger
        self._rule = ledger.federation.unannounced
        self._document = document
        self._formulas = Formulas()
        self._problems = Problems()
        headings = GAMES.told(document.columns, document.ignored)
        tournament = document.supplied.tournament
        if tournament is not None:
            headings = headings.without(TOURNAMENT)
        with naming(document.name):
            forms = TableForms(document.dates)
            self._table = DocumentTable(copy.lines(), headings, self._problems, forms)
            names = PeopleByName(ledger, document, request.actor)
            self._contents = Contents.of(
                self._table, names.id_of, names.newcomers, names.is_dummy, tournament or ""
            )
        if not self._problems.found and not self._contents.counts:
            raise DocumentRefused("csv.no_rows")
        self.people = names.meant(self._contents.unclear)
        if not (self._problems.found or request.dry_run):
            self.people.require_decided(document.name)
        self._registrations = names.registrations(self.people)
        self._registered: list[tuple[Seq, Dated]] = []
        rated_in = document.supplied.rated_in
        mentioned: dict[str, Container[str]] = {
            "tournament": self._contents.counts,
            "player": self._contents.players,
            "list": (rated_in.list,) if rated_in else (),
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
        document, parts, tell = self._document, self._parts, self._ledger.progress
        found = ImportProblems(document.name, as_correction=document.as_correction)
        found.add_all(self._problems)
        if self.people.doubtful:  # a preview: of whom its games are is not known
            found.raise_any()
            return Decided((), notes=(*self.people.notes(document.name),))
        self._register(head, found)
        concerned = self._concerned(head)
        bulk = BulkGames(
            self._table, self._new, self._standing, document.supplied, self._ledger.today
        )
        done, total = 0, sum(self._contents.counts.values())
        before = parts.count(_PEOPLE)
        for tournament, count in self._contents.counts.items():
            if concerned(tournament):
                self._decide(tournament, bulk, head, before, found)
            before += parts.count(tournament)
            done += count
            if done // _STEP > (done - count) // _STEP or done == total:
                tell("import", done, total)
        found.raise_any()
        self._head = head
        decided_ = parts.decided(self._depends_on)
        notes = (
            *self._table.notes(document.name),
            *self._id_not_taken(),
            *self._by_name(),
            *self._dummies(),
            *self._same_games(head),
            *decided_.notes,
            *self._formulas.notes(document.name),
        )
        return replace(decided_, notes=notes)

    def _register(self, head: Head, found: ImportProblems) -> None:
        """Registers those who are new, before anything else of the document."""
        if not self._registrations:
            return
        register = self._ledger.register(
            [f"player:{each.id}" for each in self.people.new], head.seq
        )
        registrar = Registrar(register, head.seq, self._ledger.today)
        for each in self._registrations:
            found.take(each, registrar)
        self._parts.put_taken(_PEOPLE, registrar)
        self._registered = [
            (Seq(seq), dated) for seq, dated in enumerate(registrar.events, registrar.first_seq)
        ]

    def _id_not_taken(self) -> Iterator[Problem]:
        """Yields a note where a tournament's id is supplied, and the table says another itself."""
        document = self._document
        given = document.supplied.tournament
        if given is not None and self._contents.counts.keys() - {given}:
            first, *_ = self._contents.counts
            message = Message.of("import.id_not_taken", given=given, first=first)
            yield Problem(message, file=document.name)

    def _by_name(self) -> Iterator[Problem]:
        """Yields a note where players who are known are given by their names."""
        named, unclear = self._contents.named, self._contents.unclear
        if known := {id_ for name, id_ in named.items() if name.strip() not in unclear}:
            message = Message.of("import.by_name", count=len(known))
            yield Problem(message, file=self._document.name)

    def _dummies(self) -> Iterator[Problem]:
        """Yields a note of each name that stands for no opponent, at its first line."""
        for name, lines in self._contents.dummies.items():
            message = Message.of("csv.dummy", name=name.strip(), count=len(lines))
            yield Problem(message, lines[0], file=self._document.name)

    def _same_games(self, head: Head) -> Iterator[Problem]:
        """Yields a note of each new tournament whose games are recorded of another one.

        In a file of so many that no person made it nobody looks for that.
        """
        counts = self._contents.counts
        if head.seq == 0 or len(counts) > _FEW or sum(counts.values()) > _FEW_GAMES:
            return
        recorded = self._ledger.journal.recorded([f"tournament:{each}" for each in counts])
        known = ids_of("tournament", recorded)
        for tournament in (each for each in counts if each not in known):
            lines = self._contents.rows.rows(tournament)
            for each in tournaments_of(self._table.rows(lines, Problems()), tournament):
                yield from same_games(self._ledger, each, self._document.name, is_table=True)

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
        if self._rule == "refuse":
            self._new.clear()  # what is new was not announced: it is looked at closely
        self._standing.difference_update(players)
        for streams in _some(f"player:{player}" for player in players if self._new):
            self._standing |= players_to_be_entered(journal.streams(streams, upto=head.seq))
        self._standing |= {each.id for each in self.people.new}

    def _decide(
        self, tournament: str, bulk: BulkGames, head: Head, before: int, found: ImportProblems
    ) -> None:
        """Decides one tournament, which comes after so many events of the document."""
        try:
            plain = bulk.events(tournament, self._contents.rows.pages(tournament))
            noted = [unannounced(tournament)] if self._rule == "note" else []
            at = plain.said.place.line
            notes = [Problem(each, at, 0, found.file) for each in (*noted, *plain.notes)]
            self._parts.put(tournament, plain.pages, notes)
            self._formulas.look_at_tournament(plain.said)
        except NotPlain:
            self._decide_closely(tournament, head, before, found)

    def _decide_closely(
        self, tournament: str, head: Head, before: int, found: ImportProblems
    ) -> None:
        """Reads one tournament, holds it against the ledger and lets the registrar decide it."""
        document, today = self._document, self._ledger.today
        notes = list[Problem]()
        lines = self._contents.rows.rows(tournament)
        read = tournaments_of(self._table.rows(lines, found.problems), tournament)
        supplied = document.supplied
        rows = [supplied.completed(each) for each in read]
        streams = [stream for each in rows for stream in each.streams]
        register = self._ledger.register(streams, head.seq)
        for seq, dated in self._registered:
            event: AnyEvent = dated.event  # type: ignore[assignment]  # deciders make no others
            register.take(seq, event, dated.effective_on)
        registrar = Registrar(register, Seq(head.seq + before), today)
        for as_read, completed in zip(read, rows, strict=True):
            back = restored(registrar, completed, found.file)
            # What was taken back never was: the file says what it is now.
            correct = document.as_correction or bool(back)
            each = replace(completed, whole=correct and not document.partial)
            notes += back
            self._formulas.look_at_tournament(each)
            overridden = supplied.overridden(as_read)
            notes += (Problem(message, each.place.line, 0, found.file) for message in overridden)
            if not found.unready(each, register):
                for planned in list(plan_tournament(each, register, today, as_correction=correct)):
                    notes += found.take(planned, registrar, as_correction=correct)
            notes += found.notes(each, registrar)
        self._parts.put_taken(tournament, registrar, notes)


def _some(streams: Iterable[str]) -> Iterator[list[str]]:
    """Yields the streams, as many at a time as can be asked for at once."""
    streams = iter(streams)
    while some := list(islice(streams, _ASKED)):
        yield some
