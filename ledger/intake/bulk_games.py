"""Reads the plain tournaments of a games document, straight from rows to payloads, a page at once.

The specification is ``games_csv``, ``tournament_reconciliation`` and the registrar: a test holds
the two ways against each other. Plain is a tournament that is new and whose rows need no closer
look: every field can be read, nothing is said twice, the registrar has nothing against it (see
``registrar.bulk_tournament``). Any other is ``NotPlain``, and left to the specification, which says
what is wrong with it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import chain, groupby
from typing import TypeAlias, TypeVar

from ledger.dummies import bye_for, is_dummy
from ledger.events.fast import Outcome, outcome
from ledger.events.tournaments import ByeGiven, ResultRecorded
from ledger.intake.csv_table import DocumentRow, DocumentTable, date_in
from ledger.intake.documents import SourcePlace, Supplied, TournamentSaid
from ledger.intake.games_csv import ABOUT, about_tournament, result_in
from ledger.intake.headings import GAMES
from ledger.intake.problems import Problems
from ledger.intake.table_forms import TableForms
from ledger.intake.tournament_reconciliation import missing, opening
from ledger.journal.batch import EventRow
from ledger.journal.spool import Spool
from ledger.registrar.bulk_tournament import BulkTournament, NotPlain
from ledger.registrar.register import Register
from ledger.registrar.swiss import notes_of
from ledger.results import BYE_OF_LETTER, Bye
from ledger.terms import System
from ledger.typed_values import integer_in
from ledger.wording import Message

Line: TypeAlias = tuple[int, list[str]]
"""The number of a line and its fields."""

Value = TypeVar("Value")
_BYE = ByeGiven.TYPE
_VERSION = ResultRecorded.VERSION  # and of all that is written here
_PAGE_ROWS = 500
_MOST_READ = 10_000  # different dates or results that are kept
_TOURNAMENT, _WHITE, _BLACK, _RESULT = map(
    GAMES.names.index, ("tournament", "white", "black", "result")
)
_DATES = tuple(map(GAMES.names.index, ("start", "end", "date")))


@dataclass(slots=True)
class Contents:
    """A games document by tournament, in the order of their first rows.

    ``rows`` keeps of each its lines: their numbers and fields; rows without a tournament are those
    of "". ``counts`` says how many they are. ``pick`` finds the columns of lines. ``named`` has the
    ids of those who are given by their names, ``unclear`` the lines of names that no member has for
    himself alone. ``dummies`` are names that stand for no opponent, with their lines: a game
    against one is a bye here.
    """

    pick: _Picked
    counts: dict[str, int] = field(default_factory=dict)
    players: set[str] = field(default_factory=set)
    named: dict[str, str] = field(default_factory=dict)
    unclear: dict[str, list[int]] = field(default_factory=dict)
    dummies: dict[str, list[int]] = field(default_factory=dict)
    rows: Spool = field(default_factory=Spool)

    @classmethod
    def of(
        cls,
        table: DocumentTable,
        named: Callable[[str], str | None],
        newcomers: Container[str] = (),
        is_dummy: Callable[[str], bool] = is_dummy,
        tournament: str = "",
    ) -> Contents:
        """Reads the document; ``named`` returns the id of whom a field means; None: it is doubtful.

        ``newcomers`` are the ids of those who are new, so far. Rows that name no tournament are
        those of ``tournament``. From here on the lines have ids where they had names.
        """
        pick = _Picked(table)
        found = cls(pick)
        counts, players = found.counts, dict[str, str]()
        for page in table.pages(_PAGE_ROWS):
            lines = [line for line, _ in page]
            columns = pick([fields for _, fields in page])
            for at in _DATES:
                table.forms.look_at_dates(columns[at], lines)
            # In order, so that the same people get the same ids.
            names = {*columns[_WHITE], *columns[_BLACK]} - players.keys() - found.dummies.keys()
            found.dummies |= {name: [] for name in sorted(names) if is_dummy(name)}
            found._put_byes(page, columns)
            for field_ in sorted(names - found.dummies.keys()):
                id_ = named(field_.strip())
                if id_ is None or id_ in newcomers:
                    found.unclear[field_.strip()] = []
                if id_ is not None and id_ != field_.strip():
                    found.named[field_] = id_
                players[field_] = id_ or field_.strip()
            found._note_unclear(lines, columns[_WHITE], columns[_BLACK])
            if found.named:
                pick.put_ids((fields for _, fields in page), found.named)
            at = 0
            for written, same in groupby(columns[_TOURNAMENT]):
                name, count = written.strip() or tournament, sum(1 for _ in same)
                counts[name] = counts.get(name, 0) + count
                found.rows.extend(page[at : at + count], name)
                at += count
        found.players = {*players.values()}
        return found

    def _put_byes(self, page: Sequence[Line], columns: Sequence[Sequence[str]]) -> None:
        """Puts byes in place of games against dummies; two dummies are left to be refused."""
        sides = zip(page, columns[_WHITE], columns[_BLACK], strict=True) if self.dummies else ()
        for (line, fields), *names in sides:
            is_person = [name not in self.dummies for name in names]
            if all(is_person):
                continue
            dummy = names[is_person.index(False)]
            self.dummies[dummy].append(line)
            self.pick.put_bye(fields, is_white=is_person[0])

    def _note_unclear(self, lines: Sequence[int], *columns: Sequence[str]) -> None:
        """Takes in on which lines of a page names are unclear."""
        for line, *fields in zip(lines, *columns, strict=True) if self.unclear else ():
            for name in {name.strip() for name in fields} & self.unclear.keys():
                self.unclear[name].append(line)

    def mentions(self, tournament: str, players: set[str]) -> bool:
        """Whether one of the players is named in a line of the tournament; reads its lines."""
        for page in self.rows.pages(tournament):
            columns = self.pick([fields for _, fields in page])
            named = map(str.strip, chain(columns[_WHITE], columns[_BLACK]))
            if not players.isdisjoint(named):
                return True
        return False


@dataclass(frozen=True, slots=True)
class Plain:
    """A plain tournament: what is said of it, its events, some at a time, and what is told."""

    said: TournamentSaid
    pages: Iterator[list[EventRow]]
    notes: list[Message]


class _Picked:
    """The columns of some rows in the order of ``GAMES``, "" where a row has none."""

    def __init__(self, table: DocumentTable) -> None:
        self._width = table.width
        # A column that is not there is the one behind the last.
        self._places = [table.columns.get(name, table.width) for name in GAMES.names]

    def __call__(self, rows: list[list[str]]) -> list[Sequence[str]]:
        """Returns the columns; what stands behind the last one is not seen."""
        width = self._width
        if set(map(len, rows)) != {width}:
            rows = [(fields + [""] * width)[:width] for fields in rows]
        columns = [*zip(*rows, strict=True), [""] * len(rows)]
        return [columns[place] for place in self._places]

    def put_bye(self, fields: list[str], *, is_white: bool) -> None:
        """Puts the bye of one player into a row with a game against a dummy."""
        place, at = (self._places[column] for column in (_RESULT, _BLACK if is_white else _WHITE))
        result = result_in(fields[place].strip()) if place < len(fields) else None
        fields[at] = ""
        if result is not None:
            fields[place] = bye_for(result, is_white=is_white).letter

    def put_ids(self, rows: Iterable[list[str]], ids: Mapping[str, str]) -> None:
        """Puts the ids of players into rows that have their names."""
        for fields in rows:
            for at in (self._places[_WHITE], self._places[_BLACK]):
                if at < len(fields):
                    fields[at] = ids.get(fields[at], fields[at])


class BulkGames:
    """Reads the plain tournaments of a document.

    ``tournaments`` are those that are not recorded yet, ``players`` those who can be entered.
    ``supplied`` goes before what the document says of a tournament; of a later day than ``today``
    nothing is recorded.
    """

    def __init__(
        self,
        table: DocumentTable,
        tournaments: Container[str],
        players: Container[str],
        supplied: Supplied,
        today: dt.date,
    ) -> None:
        self._table = table
        self._pick = _Picked(table)
        self._tournaments = tournaments
        self._players = players
        self._supplied = supplied
        self._today = today
        self._day = lru_cache(_MOST_READ)(partial(_day, table.forms))

    def events(self, tournament: str, pages: Iterable[list[Line]]) -> Plain:
        """Returns the events of a tournament as they are to be recorded.

        ``pages`` are its lines, all of them.

        Raises:
            NotPlain: it has to be looked at closely.
        """
        if tournament not in self._tournaments:
            raise NotPlain
        bulk, about, rounds = BulkTournament(tournament, self._players), dict[str, str](), Spool()
        line = 0
        for page in pages:
            line = line or page[0][0]
            self._take(bulk, about, rounds, [fields for _, fields in page])
        read = self._read(tournament, line, about)
        said = self._supplied.completed(read)
        if missing(said, Register()) or said.rated_in is not None:
            raise NotPlain
        command = opening(said)
        begun = [*bulk.opening(command, self._today)]
        assert command.ends_on is not None
        is_swiss = command.system is System.SWISS
        return Plain(
            said,
            _written(f"tournament:{tournament}", command.ends_on.isoformat(), begun, rounds),
            [
                *self._supplied.overridden(read),
                *notes_of(tournament, list(bulk.irregularities()) if is_swiss else ()),
            ],
        )

    def _take(
        self, bulk: BulkTournament, about: dict[str, str], rounds: Spool, rows: list[list[str]]
    ) -> None:
        """Takes some rows: what they say of the tournament, and the rounds as payloads."""
        if max(map(len, rows)) > self._table.width:
            raise NotPlain
        _, *abouts, round_, day, white, black, result = self._pick(rows)
        for column, texts in zip(ABOUT, abouts, strict=True):
            for value in {text.strip() for text in set(texts)} - {""}:
                if about.setdefault(column, value) != value:
                    raise NotPlain
        read = zip(
            map(_outcome, result),
            map(_round, round_),
            map(str.strip, white),
            map(str.strip, black),
            map(self._day, day),
            strict=True,
        )
        games, byes = [], []
        for outcome_, number, white_, black_, on in read:
            if outcome_ is None or number is None or on is None:
                raise NotPlain
            if outcome_.type != _BYE:
                if not white_ or not black_:
                    raise NotPlain
                payload = bulk.game(outcome_, number, white_, black_, on)
                games.append((outcome_.type, on, payload))
            elif (not white_) != (not black_):
                payload = bulk.bye(outcome_, number, white_ or black_)
                byes.append((outcome_.type, "", payload))
            else:
                raise NotPlain
        rounds.extend(games, "games")
        rounds.extend(byes, "byes")

    def _read(self, tournament: str, line: int, about: dict[str, str]) -> TournamentSaid:
        """Returns what the document says of a tournament; without its rounds."""
        problems = Problems()
        row = DocumentRow(line, [], self._table, problems)
        row = row.reading(about)
        read = about_tournament(tournament, SourcePlace(line=line), row)
        if problems.found:
            raise NotPlain
        return read


def _written(
    stream: str, ends_on: str, begun: list[EventRow], rounds: Spool
) -> Iterator[list[EventRow]]:
    """Yields the events, some at a time: the opening and the entries, games, byes."""
    yield begun
    for kind in ("games", "byes"):
        for page in rounds.pages(kind):
            yield [
                (type_, _VERSION, day or ends_on, stream, payload) for type_, day, payload in page
            ]


@lru_cache(_MOST_READ)
def _round(text: str) -> int | None:
    return integer_in(text.strip(), least=1, most=999)


def _day(forms: TableForms, text: str) -> str | None:
    stripped = text.strip()
    day = date_in(stripped) or forms.day(stripped)
    return day.isoformat() if day else None if stripped else ""


@lru_cache(_MOST_READ)
def _outcome(text: str) -> Outcome | None:
    stripped = text.strip()
    bye: Bye | None = BYE_OF_LETTER.get(stripped.upper())
    if bye is not None:
        return outcome(bye)
    result = result_in(stripped)
    return outcome(result) if result else None
