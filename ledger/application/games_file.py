"""A games document of any size: looked through, decided tournament by tournament, never whole.

Three times it is read: for what it contains, for its plain tournaments, and, where there are any,
for the others, each of which is read, held against the ledger and decided as a whole. In memory are
the ids of players and tournaments, the tournaments that are not at their last row yet (who is in,
who is paired), one tournament that is not plain, and the document's problems. Everything else is on
shelves until it is appended in one commit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from ledger.application.found import Found, refused
from ledger.application.ledger import Decided, Ledger
from ledger.errors import InputRefused, Problem
from ledger.intake.copying import Copy
from ledger.intake.games_csv import COLUMNS, REQUIRED, tournaments_of
from ledger.intake.plain_games import Complete, Contents, Picked, PlainGames
from ledger.intake.reconcile import plan_tournament, unmentioned
from ledger.intake.tabular import Problems, Table
from ledger.journal.batch import Batch, row_of
from ledger.journal.entries import Head
from ledger.journal.shelf import Row, Shelf
from ledger.registrar.newcomer import in_good_standing
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
        self._copy = copy
        self._complete = complete
        self._as_correction = as_correction
        self._problems = Problems()
        try:
            self._contents = Contents.of(self._table(self._problems))
        except InputRefused as refusal:
            if not refusal.details:
                raise
            raise refused(name, refusal.details) from refusal
        if not self._problems.found and not self._contents.rows:
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
        plain = self._plain(ledger, head)
        rows = self._rows(plain.others)
        for tournament in self._contents.rows:
            if tournament not in plain.others:
                for page in plain.events(tournament):
                    batch.extend(page)
                continue
            registrar = self._other(ledger, head, len(batch), rows.rows(tournament), found, notes)
            batch.extend([row_of(dated) for dated in registrar.events])
        found.raise_any()
        return Decided(batch or (), notes=tuple(notes))

    def _plain(self, ledger: Ledger, head: Head) -> PlainGames:
        """Reads the tournaments that are not recorded yet and that nothing is wrong with."""
        contents, journal = self._contents, ledger.journal
        standing: set[str] = set()
        for streams in _some(f"player:{player}" for player in contents.players):
            standing |= in_good_standing(journal.streams(streams, upto=head.seq))
        recorded: set[str] = set()
        for streams in _some(f"tournament:{tournament}" for tournament in contents.rows):
            recorded |= {stream.partition(":")[2] for stream in journal.recorded(streams)}
        total = contents.rows.total()

        def tell(done: int) -> None:
            if done % _STEP == 0 or done == total:
                ledger.progress("import", done, total)

        table = self._table(Problems())
        plain = PlainGames(table, contents, standing, self._complete, ledger.today)
        plain.read(recorded, tell)
        return plain

    def _rows(self, tournaments: Collection[str]) -> Shelf:
        """Returns the rows of some tournaments."""
        shelf = Shelf()
        if tournaments:
            table = self._table(Problems())
            pick = Picked(table)
            for line, fields in table.records():
                name = pick(fields)[0].strip()
                if name in tournaments:
                    shelf.put((line, fields), name)
        return shelf

    def _other(
        self,
        ledger: Ledger,
        head: Head,
        decided: int,
        rows: Iterable[Row],
        found: Found,
        notes: list[Problem],
    ) -> Registrar:
        """Reads one tournament, holds it against the ledger and lets the registrar decide it."""
        problems = Problems()
        table = self._table(Problems())
        read = tournaments_of(table.row(line, fields, problems) for line, fields in rows)
        said = [self._complete(tournament) for tournament in read]
        for problem in problems.found:
            found.add(problem)
        streams = [stream for tournament in said for stream in tournament.streams]
        register = ledger.register(streams, head.seq)
        registrar = Registrar(register, head.seq + decided, ledger.today)
        for tournament in said:
            if not found.unready(tournament, register):
                correct = self._as_correction
                for planned in list(plan_tournament(tournament, register, as_correction=correct)):
                    found.take(planned, registrar, as_correction=correct)
            notes += [
                Problem(message, tournament.place.line, 0, self._name)
                for message in unmentioned(tournament, register)
            ]
        return registrar

    def _table(self, problems: Problems) -> Table:
        return Table(self._copy.lines(), problems, required=REQUIRED, allowed=COLUMNS)


def _some(streams: Iterable[str]) -> Iterator[list[str]]:
    """Yields the streams, as many at a time as can be asked for at once."""
    streams = iter(streams)
    while some := list(islice(streams, _ASKED)):
        yield some
