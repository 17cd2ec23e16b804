"""A games document of any size: read once, decided tournament by tournament, never whole.

In memory are the ids of players and tournaments, one tournament that is not plain, and the
document's problems. Everything else is on shelves, its lines first, then the events they become,
until these are appended in one commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from ledger.application.formulas import Formulas
from ledger.application.found import Found, refused
from ledger.application.ledger import Decided, Ledger
from ledger.errors import InputRefused, Problem
from ledger.intake.copying import Copy
from ledger.intake.documents import TournamentSaid
from ledger.intake.games_csv import COLUMNS, REQUIRED, tournaments_of
from ledger.intake.plain_games import Complete, Contents, PlainGames
from ledger.intake.reconcile import plan_tournament, unmentioned
from ledger.intake.tabular import Problems, Table
from ledger.journal.batch import Batch, row_of
from ledger.journal.entries import Head, Journal
from ledger.registrar.newcomer import NotPlain, in_good_standing
from ledger.registrar.registrar import Registrar

_STEP = 1000
_ASKED = 10_000  # streams at once


class GamesFile:
    """A games document after the first look at it.

    Args:
        name: what messages call it.
        copy: its text.
        complete: puts in what the person who imports it said.
        as_correction: where it differs from the ledger, it is right.

    Raises:
        InputRefused: it has no usable header, or no rows.
    """

    def __init__(self, name: str, copy: Copy, complete: Complete, *, as_correction: bool) -> None:
        self._name = name
        self._formulas = Formulas()
        self._complete = self._looked_at(complete)
        self._as_correction = as_correction
        self._problems = Problems()
        try:
            self._table = Table(copy.lines(), self._problems, required=REQUIRED, allowed=COLUMNS)
            self._contents = Contents.of(self._table)
        except InputRefused as refusal:
            if not refusal.details:
                raise
            raise refused(name, refusal.details) from refusal
        if not self._problems.found and not self._contents.counts:
            raise InputRefused("csv.no_rows")

    def decide(self, ledger: Ledger, head: Head) -> Decided:
        """Decides the document at a head; it can be done again at a later one.

        Raises:
            InputRefused: with every problem of the file, line and column.
            Conflict: with every difference.
        """
        found, batch, notes = Found(self._name), Batch(ledger.progress), list[Problem]()
        for problem in self._problems.found:
            found.add(problem)
        contents, plain = self._contents, self._plain(ledger, head)
        done, total = 0, sum(contents.counts.values())
        for tournament, count in contents.counts.items():
            try:
                pages = plain.events(tournament, contents.rows.pages(tournament))
            except NotPlain:
                registrar = self._other(ledger, head, len(batch), tournament, found, notes)
                pages = iter([[row_of(dated) for dated in registrar.events]])
            for page in pages:
                batch.extend(page)
            done += count
            if done // _STEP > (done - count) // _STEP or done == total:
                ledger.progress("import", done, total)
        found.raise_any()
        return Decided(batch or (), notes=(*notes, *self._formulas.notes(self._name)))

    def _looked_at(self, complete: Complete) -> Complete:
        """Returns the same, which also shows every tournament to the collector of formulas."""

        def completed(said: TournamentSaid) -> TournamentSaid:
            whole = complete(said)
            self._formulas.look_at_tournament(whole)
            return whole

        return completed

    def _new(self, journal: Journal) -> set[str]:
        """Returns the tournaments that are not recorded yet."""
        new = set(self._contents.counts) - {""}
        for streams in _some(f"tournament:{tournament}" for tournament in self._contents.counts):
            new -= {stream.partition(":")[2] for stream in journal.recorded(streams)}
        return new

    def _plain(self, ledger: Ledger, head: Head) -> PlainGames:
        """Returns what reads the new tournaments that nothing is wrong with."""
        new, standing = self._new(ledger.journal), set[str]()
        for streams in _some(f"player:{player}" for player in self._contents.players if new):
            standing |= in_good_standing(ledger.journal.streams(streams, upto=head.seq))
        return PlainGames(self._table, new, standing, self._complete, ledger.today)

    def _other(
        self,
        ledger: Ledger,
        head: Head,
        decided: int,
        tournament: str,
        found: Found,
        notes: list[Problem],
    ) -> Registrar:
        """Reads one tournament, holds it against the ledger and lets the registrar decide it."""
        problems = Problems()
        rows = self._contents.rows.rows(tournament)
        read = tournaments_of(self._table.row(line, fields, problems) for line, fields in rows)
        said = [self._complete(each) for each in read]
        for problem in problems.found:
            found.add(problem)
        streams = [stream for each in said for stream in each.streams]
        register = ledger.register(streams, head.seq)
        registrar = Registrar(register, head.seq + decided, ledger.today)
        for each in said:
            if not found.unready(each, register):
                correct = self._as_correction
                for planned in list(plan_tournament(each, register, as_correction=correct)):
                    found.take(planned, registrar, as_correction=correct)
            notes += [
                Problem(message, each.place.line, 0, self._name)
                for message in unmentioned(each, register)
            ]
        return registrar


def _some(streams: Iterable[str]) -> Iterator[list[str]]:
    """Yields the streams, as many at a time as can be asked for at once."""
    streams = iter(streams)
    while some := list(islice(streams, _ASKED)):
        yield some
