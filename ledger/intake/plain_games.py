"""Reads the plain tournaments of a games document, straight from rows to payloads.

Plain is a tournament whose rows need nobody's attention: every field can be read, nothing is said
twice, the registrar has nothing against it (see ``registrar.newcomer``). Its rows become payloads
as they come, on a shelf; nothing of it is kept but the last row's say. All others are left out:
``games_csv`` reads them whole, and says what is wrong with them.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Generic, TypeVar, cast

from ledger.events.written import VERSION, Outcome, outcome
from ledger.intake.documents import Place, TournamentSaid
from ledger.intake.games_csv import ABOUT, COLUMNS, about_tournament
from ledger.intake.reconcile import missing, opening
from ledger.intake.tabular import Problems, Row, Table, date_in, integer_in
from ledger.journal.batch import EventRow
from ledger.journal.shelf import Shelf
from ledger.registrar.newcomer import Newcomer, NotPlain
from ledger.registrar.register import Register
from ledger.results import BYE_OF_LETTER, Bye, Result

Complete = Callable[[TournamentSaid], TournamentSaid]
Value = TypeVar("Value")
_MOST_READ = 10_000  # different dates or results; then they are read anew


@dataclass(slots=True)
class Contents:
    """What a first look at a games document finds: the rows of each tournament, the players."""

    rows: Counter[str] = field(default_factory=Counter)
    players: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, table: Table) -> Contents:
        """Looks through the document; rows without a tournament are those of ""."""
        found = cls()
        rows, players = found.rows, found.players
        pick = Picked(table)
        for _, fields in table.records():
            picked = pick(fields)
            rows[picked[0].strip()] += 1
            players.update(picked[9:11])
        found.players = {player.strip() for player in players}
        return found


class Picked:
    """The fields of a row in the order of ``COLUMNS``, "" where there is none."""

    def __init__(self, table: Table) -> None:
        self._width = table.width
        # A column that is not there is the field behind the last one.
        self._pick = itemgetter(*(table.columns.get(name, table.width) for name in COLUMNS))

    def __call__(self, fields: list[str]) -> tuple[str, ...]:
        """Returns the fields of a row."""
        short = self._width + 1 - len(fields)
        picked: tuple[str, ...] = self._pick(fields + [""] * short if short > 0 else fields)
        return picked


@dataclass(slots=True)
class _Lane:
    """A tournament while its rows come in."""

    newcomer: Newcomer
    line: int
    left: int
    said: tuple[str, ...] = ()
    about: dict[str, str] = field(default_factory=dict)


class _Read(dict[str, Value | None], Generic[Value]):
    """What texts mean, each read once."""

    def __init__(self, read: Callable[[str], Value | None]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, text: str) -> Value | None:
        if len(self) >= _MOST_READ:
            self.clear()
        value = self[text] = self._read(text)
        return value


class PlainGames:
    """The plain tournaments of a document.

    Args:
        table: its rows, from the beginning.
        contents: what the first look at it found.
        players: who can be entered.
        complete: puts in what the person who imports it said.
        today: nothing is recorded of a later day.
    """

    def __init__(
        self,
        table: Table,
        contents: Contents,
        players: Container[str],
        complete: Complete,
        today: dt.date,
    ) -> None:
        self._table = table
        self._contents = contents
        self._players = players
        self._complete = complete
        self._today = today
        self._shelf = Shelf()
        self._lanes: dict[str, _Lane] = {}
        self._outcomes = _Read(_outcome)
        self._days = _Read(_day)
        self._rounds = _Read(_round)
        self._ends_on: dict[str, str] = {}
        self.others: set[str] = set()

    def read(self, others: Container[str], tell: Callable[[int], None]) -> None:
        """Reads the document; afterwards ``others`` are the tournaments that were left out.

        Args:
            others: tournaments to leave out: they are recorded already.
            tell: is told how many rows were read.
        """
        pick, left_out, width = Picked(self._table), self.others, self._table.width
        for done, (line, fields) in enumerate(self._table.records(), start=1):
            tell(done)
            row = pick(fields)
            name = row[0].strip()
            if name in left_out:
                continue
            if not name or name in others or len(fields) > width:
                self._leave_out(name)
                continue
            lane = self._lanes.get(name)
            if lane is None:
                newcomer = Newcomer(name, self._players)
                lane = self._lanes[name] = _Lane(newcomer, line, self._contents.rows[name])
            try:
                self._take(lane, row)
                lane.left -= 1
                if not lane.left:
                    self._end(lane)
            except NotPlain:
                self._leave_out(name)

    def events(self, tournament: str) -> Iterator[list[EventRow]]:
        """Yields the events of a plain tournament, page by page, as they are to be recorded."""
        stream, ends_on = f"tournament:{tournament}", self._ends_on[tournament]
        yield from cast(Iterator[list[EventRow]], self._shelf.pages((tournament, "opening")))
        for kind in ("games", "byes"):
            for page in self._shelf.pages((tournament, kind)):
                yield [
                    (type_, VERSION, day or ends_on, stream, payload)
                    for type_, day, payload in page
                ]

    def _take(self, lane: _Lane, row: tuple[str, ...]) -> None:
        round_text, day_text, white, black, result = row[7:]
        name = lane.newcomer.tournament
        said = row[1:7]
        if said != lane.said:
            self._about(lane, said)
        round_, day, outcome_ = (
            self._rounds[round_text],
            self._days[day_text],
            self._outcomes[result],
        )
        white, black = white.strip(), black.strip()
        if round_ is None or outcome_ is None or day is None:
            raise NotPlain
        if outcome_.type != "bye.given":
            if not white or not black:
                raise NotPlain
            payload = lane.newcomer.game(outcome_, round_, white, black, day)
            self._shelf.put((outcome_.type, day, payload), (name, "games"))
        else:
            if (not white) == (not black):
                raise NotPlain
            payload = lane.newcomer.bye(outcome_, round_, white or black)
            self._shelf.put((outcome_.type, "", payload), (name, "byes"))

    def _about(self, lane: _Lane, said: tuple[str, ...]) -> None:
        for column, text in zip(ABOUT, said, strict=True):
            value = text.strip()
            if value and lane.about.setdefault(column, value) != value:
                raise NotPlain
        lane.said = said

    def _end(self, lane: _Lane) -> None:
        """Takes the opening and the entries, once the tournament cannot be named again."""
        name, problems = lane.newcomer.tournament, Problems()
        row = Row(lane.line, [], self._table.columns, problems).reading(lane.about)
        said = self._complete(about_tournament(name, Place(line=lane.line), row))
        if problems.found or missing(said, Register()):
            raise NotPlain
        command = opening(said)
        self._shelf.extend(lane.newcomer.opening(command, self._today), (name, "opening"))
        self._ends_on[name] = command.ends_on.isoformat()
        del self._lanes[name]

    def _leave_out(self, name: str) -> None:
        self.others.add(name)
        self._lanes.pop(name, None)
        for kind in ("games", "byes"):
            self._shelf.drop((name, kind))


def _round(text: str) -> int | None:
    return integer_in(text.strip(), least=1, most=999)


def _day(text: str) -> str | None:
    stripped = text.strip()
    day = date_in(stripped)
    return day.isoformat() if day else None if stripped else ""


def _outcome(text: str) -> Outcome | None:
    stripped = text.strip()
    bye: Bye | None = BYE_OF_LETTER.get(stripped.upper())
    if bye is not None:
        return outcome(bye)
    try:
        return outcome(Result.parse(stripped))
    except ValueError:
        return None
