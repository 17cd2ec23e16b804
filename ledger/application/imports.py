"""Takes a document in: read, held against the ledger, appended where new; all of it or nothing."""

from __future__ import annotations

import dataclasses
import datetime as dt
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import IO, Literal, TypeAlias, assert_never

from ledger.application.formulas import Formulas
from ledger.application.games_file import GamesFile
from ledger.application.import_problems import ImportProblems, refused
from ledger.application.ledger import Ledger, Receipt, Request
from ledger.application.lists import rating_on
from ledger.application.players_file import (
    PlayersFile,
    intake,
    is_rated,
    not_used,
    planned_players,
)
from ledger.application.seeds import with_notes
from ledger.errors import InputRefused, Problem
from ledger.intake.csv_table import Problems, fields_of
from ledger.intake.document_copy import Copy
from ledger.intake.documents import PlayerSaid, TournamentSaid
from ledger.intake.fide_list import WantedPlayers, is_fide_list, read_fide_list
from ledger.intake.headings import GAMES, PLAYERS
from ledger.intake.players_csv import read_players
from ledger.intake.reconciliation import (
    Planned,
    PlayersIntake,
    irregular,
    plan_rating_period,
    plan_tournament,
    unmentioned,
)
from ledger.intake.trf.document import is_trf, read_trf
from ledger.intake.trf.report import ReportOptions
from ledger.journal.gc_pause import collector_resting
from ledger.registrar.commands import RatedIn
from ledger.registrar.register import Register
from ledger.registrar.registrar import Registrar
from ledger.terms import Rate, System
from ledger.wording import Message

_STEP = 1000
_SUPPLIED = (
    "name", "starts_on", "ends_on", "system", "rate_of_play", "merit_hundredths", "rated_in",
)  # fmt: skip


class DocumentKind(StrEnum):
    """What a document is."""

    TRF = "trf"
    GAMES = "games"
    PLAYERS = "players"
    FIDE_LIST = "fide-list"


_People: TypeAlias = Literal[DocumentKind.PLAYERS, DocumentKind.FIDE_LIST]


@dataclass(frozen=True, slots=True, kw_only=True)
class Supplied:
    """What a tournament document may leave out and the person who imports it knows."""

    tournament: str | None = None
    name: str | None = None
    starts_on: dt.date | None = None
    ends_on: dt.date | None = None
    system: System | None = None
    rate_of_play: Rate | None = None
    merit_hundredths: int | None = None
    rated_in: RatedIn | None = dataclasses.field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A file to be imported, and how.

    ``list`` makes the ratings of a players document seeds of that list, in force ``on`` (default:
    the list's first day); of a tournament report, the ratings of the players it introduces
    (default: the day since when the list is in force with which the tournament began).
    ``games`` were rated before the ratings of whom it does not say how many.

    ``as_correction``: where it differs from what is recorded, it is right. A tournament report, and
    games that come as a correction, are all there is to the tournaments they name: what is recorded
    of these and not in the file is annulled; not so where the document is ``partial``.

    ``sheet`` names the one to be read of a workbook (default: the first that is visible).
    ``columns`` are names of columns of players or games with their headers, ``ignored`` headers of
    columns that are not to be read. Of FIDE's list ``other_lists`` take the ratings of their rates
    of play as seeds too, and ``federations`` are those whose players are wanted (none: all).
    """

    name: str
    data: bytes | IO[bytes]
    kind: DocumentKind | None = None
    list: str | None = None
    on: dt.date | None = None
    games: int | None = None
    encoding: str | None = None
    as_correction: bool = False
    partial: bool = False
    supplied: Supplied = Supplied()
    sheet: str | None = None
    columns: tuple[tuple[str, str], ...] = ()
    ignored: tuple[str, ...] = ()
    other_lists: tuple[str, ...] = ()
    federations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Read:
    """A tournament report after reading, and what was tolerated on the way."""

    players: Sequence[PlayerSaid]
    tournament: TournamentSaid
    notes: tuple[Problem, ...]

    @property
    def streams(self) -> list[str]:
        """The streams that must be known to take it in."""
        players = {player.player for player in self.players}
        players.update(player for _, player, _ in self.tournament.entries)
        name = f"tournament:{self.tournament.tournament}"
        return [name, *(f"player:{player}" for player in sorted(players)), "list:*"]


@collector_resting()
def import_document(ledger: Ledger, document: Document, request: Request) -> Receipt:
    """Imports a document.

    The same document again adds nothing. A document that says something else than what is recorded
    is a conflict, unless it comes ``as_correction``.

    Args:
        ledger: where it goes.
        document: the file.
        request: who imports it and why; key, body and source are filled in here.

    Raises:
        InputRefused: with every problem of the file, line and column.
        Conflict: with every difference.
    """
    with Copy(document.data) as copy:
        asked = _request(ledger, document, copy, request)
        notes: tuple[Problem, ...] = ()
        if copy.is_workbook:
            document, notes = _unfolded(document, copy)
        else:
            copy.decode(document.encoding)
        receipt = _imported(ledger, document, copy, asked)
        return replace(receipt, notes=(*notes, *receipt.notes))


def _imported(ledger: Ledger, document: Document, copy: Copy, asked: Request) -> Receipt:
    kind = document.kind or _kind_of(document, copy)
    if kind is not DocumentKind.FIDE_LIST and (document.other_lists or document.federations):
        raise InputRefused("import.only_of_fide_list", kind=kind)
    if (
        kind in {DocumentKind.PLAYERS, DocumentKind.FIDE_LIST}
        and document.supplied.rated_in is not None
    ):
        raise InputRefused("import.rated_in_of_people", file=document.name)
    match kind:
        case DocumentKind.GAMES:
            return _import_games(ledger, document, copy, asked)
        case DocumentKind.PLAYERS | DocumentKind.FIDE_LIST:
            return _import_people(ledger, document, kind, copy, asked)
        case DocumentKind.TRF:
            return _import_report(ledger, document, copy, asked)
        case _:
            assert_never(kind)


def _unfolded(document: Document, copy: Copy) -> tuple[Document, tuple[Problem, ...]]:
    """Takes a sheet of a workbook for the document; returns that, and a note of other sheets.

    Messages call it by the workbook and the sheet, as spreadsheets do.
    """
    if document.kind in {DocumentKind.TRF, DocumentKind.FIDE_LIST}:
        raise InputRefused("workbook.other_kind", kind=document.kind)
    sheet = copy.unfold(document.sheet)
    named = replace(document, name=f"{document.name}!{sheet.name}")
    if document.sheet is not None or not sheet.others:
        return named, ()
    said = Message.of("workbook.others", sheet=sheet.name, others=", ".join(sheet.others))
    return named, (Problem(said, file=document.name),)


def _import_games(ledger: Ledger, document: Document, copy: Copy, asked: Request) -> Receipt:
    """Takes in what may be too large for memory."""
    games = GamesFile(
        ledger,
        document.name,
        copy,
        GAMES.told(dict(document.columns), document.ignored),
        lambda said: _completed(said, document),
        as_correction=document.as_correction,
        rated_in_lists=(rated_in.list,) if (rated_in := document.supplied.rated_in) else (),
    )
    return ledger.append_decided(games.decide, asked)


def _import_people(
    ledger: Ledger, document: Document, kind: _People, copy: Copy, asked: Request
) -> Receipt:
    """Takes in people, who may be too many for memory."""
    problems = Problems()
    people = PlayersFile(
        ledger,
        document.name,
        _people(ledger, document, kind, copy, problems),
        problems,
        list_=document.list,
        on=document.on,
        as_correction=document.as_correction,
        other_lists=document.other_lists,
        games=document.games,
    )
    decided = ledger.append_decided(people.decide, asked)
    return with_notes(ledger, decided)


def _people(
    ledger: Ledger, document: Document, kind: _People, copy: Copy, problems: Problems
) -> Iterator[PlayerSaid]:
    """Yields what a document says of people."""
    if kind is DocumentKind.PLAYERS:
        headings = PLAYERS.told(dict(document.columns), document.ignored)
        yield from read_players(copy.lines(), problems, headings)
    else:
        yield from read_fide_list(copy.lines(), _wanted(ledger, document), problems)


def _wanted(ledger: Ledger, document: Document) -> WantedPlayers:
    """Returns what is wanted of FIDE's list: each list of the ledger takes its own rate of play.

    Raises:
        NotFound: there is no such list.
        InputRefused: several lists are named, and one has no rate of play.
    """
    lists = [name for name in (document.list, *document.other_lists) if name is not None]
    facts = ledger.facts() if lists else None
    rates = []
    for name in lists:
        assert facts is not None, "they are read where a list is named"
        ledger.require_list(facts, name)
        rate = facts.lists[name].defined.rate_of_play
        if rate is None and document.other_lists:
            raise InputRefused("import.list_without_rate", list=name)
        rates.append(rate)
    first = document.supplied.rate_of_play or (rates[0] if rates else None) or Rate.CLASSICAL
    others = zip(rates[1:], lists[1:], strict=True)
    return WantedPlayers(
        ratings=((first, document.list), *((rate, name) for rate, name in others if rate)),
        federations=frozenset(federation.upper() for federation in document.federations),
    )


def _import_report(ledger: Ledger, document: Document, copy: Copy, asked: Request) -> Receipt:
    """Takes in a tournament report: it has to be known whole."""
    read = _read_report(document, copy)

    def plan(registrar: Registrar) -> Sequence[Problem]:
        found = ImportProblems(document.name)
        unready = found.unready(read.tournament, registrar.register)
        planned = list(_planned(ledger, document, read, registrar, unready=unready))
        for done, each in enumerate(planned, start=1):
            if done % _STEP == 0 or done == len(planned):
                ledger.progress("import", done, len(planned))
            found.take(each, registrar, as_correction=document.as_correction)
        found.raise_any()
        told = [note for each in planned for note in each.notes(document.name)]
        later = _rated_later(ledger, document, read, registrar.register)
        return (*read.notes, *told, *_told(document, read, registrar), *later)

    return with_notes(ledger, ledger.append(read.streams, plan, asked))


def _told(document: Document, read: Read, registrar: Registrar) -> list[Problem]:
    """Returns notes of what is recorded and not mentioned, and of what breaks a Swiss's rules."""
    said, register = read.tournament, registrar.register
    messages = [*unmentioned(said, register), *irregular(said, register, registrar.first_seq)]
    return [Problem(message, said.place.line, 0, document.name) for message in messages]


def _rated_later(
    ledger: Ledger, document: Document, read: Read, register: Register
) -> list[Problem]:
    """Returns a note of who has a rating in the report, and in the list only from a later day.

    A later report, imported before, brought it; what it says is not moved to an earlier day.
    """
    name, said = document.list, read.tournament
    day = _seeds_on(document, read, register)
    if name is None or day is None:
        return []

    def is_later(player: str) -> bool:
        record = register.players.get(player)
        days = [on for on, seed in (record.seeds if record else ()) if seed.list == name]
        return bool(days) and min(days) > day

    players = [register.survivors(player.player) for player in read.players if player.rating]
    later = [player for player in players if is_later(player)]
    rated = rating_on(ledger, name, day) if later else {}
    later = [player for player in later if player not in rated]
    if not later:
        return []
    first, *_ = later
    message = Message.of(
        "import.rated_later", count=len(later), list=name, first=first, on=day.isoformat()
    )
    return [Problem(message, said.place.line, 0, document.name)]


def _read_report(document: Document, copy: Copy) -> Read:
    """Reads a report without looking at a ledger.

    Raises:
        InputRefused: it cannot be read; with all problems.
    """
    try:
        tournament, players, notes = read_trf(copy.text(), _given(document.supplied), document.name)
    except InputRefused as refusal:
        if not refusal.details:
            raise
        raise refused(document.name, refusal.details) from refusal
    rated = sum(map(is_rated, players))
    completed = _completed(tournament, document)
    formulas = Formulas()
    formulas.look_at_tournament(completed)
    for player in players:
        formulas.look_at_player(player)
    notes = (
        *notes,
        *not_used(document.name, document.list, rated),
        *_overridden(tournament, document),
        *formulas.notes(document.name),
    )
    named = tuple(replace(note, file=document.name) for note in notes)
    return Read(players, completed, named)


def _given(supplied: Supplied) -> ReportOptions:
    """Returns what is supplied and decides how a report is read."""
    return ReportOptions(
        tournament=supplied.tournament,
        name=supplied.name,
        starts_on=supplied.starts_on,
        ends_on=supplied.ends_on,
    )


def _overridden(said: TournamentSaid, document: Document) -> Iterator[Problem]:
    """Returns notes of what the file says and an option says otherwise: the option holds."""
    for field in _SUPPLIED:
        given, found = getattr(document.supplied, field), getattr(said, field)
        made_up = field == "name" and found == said.tournament
        if given is not None and found not in (None, given) and not made_up:
            message = Message.of("import.overridden", field=field, said=found, given=given)
            yield Problem(message, said.place.line)


def _kind_of(document: Document, copy: Copy) -> DocumentKind:
    text = copy.head()
    if not copy.is_workbook:
        if is_fide_list(text):
            return DocumentKind.FIDE_LIST
        if is_trf(text):
            return DocumentKind.TRF
    first = next((line for line in text.splitlines() if line.strip()), "")
    header = fields_of(first)
    for kind, headings in ((DocumentKind.GAMES, GAMES), (DocumentKind.PLAYERS, PLAYERS)):
        if replace(headings, given=dict(document.columns)).recognise(header):
            return kind
    if not first:
        raise InputRefused("csv.empty")
    raise InputRefused("import.unknown_kind", file=document.name, first=first[:80])


def _completed(said: TournamentSaid, document: Document) -> TournamentSaid:
    """Puts in what the person who imports it said; that goes before what the document says."""
    supplied = document.supplied
    given = {field: value for field in _SUPPLIED if (value := getattr(supplied, field)) is not None}
    whole = (said.whole or document.as_correction) and not document.partial
    return replace(said, **given, whole=whole)


def _request(ledger: Ledger, document: Document, copy: Copy, request: Request) -> Request:
    if document.as_correction and not request.reason.strip():
        raise InputRefused("registrar.needs_reason")
    how = f"{copy.sha256} list={document.list} on={document.on} {document.supplied}"
    if document.games is not None:
        how += f" games={document.games}"
    if document.partial:
        how += " partial"
    if document.supplied.rated_in is not None:
        how += f" {document.supplied.rated_in}"
    if document.sheet or document.columns or document.ignored:
        how += f" {document.sheet} {document.columns} {document.ignored}"
    if document.other_lists or document.federations:
        how += f" {document.other_lists} {document.federations}"
    key = hashlib.sha256(how.encode(errors="surrogatepass")).hexdigest()
    if document.as_correction:
        # A correction may rightly come again after others: what it changes decides, not its bytes.
        key = f"{key}@{ledger.journal.head().seq}"
    return replace(
        request,
        idempotency_key=request.idempotency_key or f"import:{key}",
        body=how,
        source_name=document.name,
        source_sha256=copy.sha256,
    )


def _with_ratings(
    ledger: Ledger, document: Document, read: Read, register: Register, how: PlayersIntake
) -> PlayersIntake:
    """Returns how a report's ratings are taken in: in force when its tournament begins.

    Ratings in force earlier would be moved, or removed by a floor, before a game was played.
    """
    name, how = document.list, replace(how, games=document.games)
    day = _seeds_on(document, read, register)
    if name is None or day is None:
        return how
    ratings = cache(lambda: rating_on(ledger, name, day))
    return replace(how, seeds_on=day, ks_on=day, has_rating=lambda player: player in ratings())


def _seeds_on(document: Document, read: Read, register: Register) -> dt.date | None:
    """Returns from which day a report's ratings are in force; None, where no list takes them."""
    if document.list is None:
        return None
    list_ = register.lists[document.list]
    record = register.tournaments.get(read.tournament.tournament)
    starts_on = read.tournament.starts_on or (record.version.starts_on if record else None)
    day = document.on
    if day is None and starts_on is not None:
        day = list_.in_force_since(starts_on)
    return day or list_.defined.first_on


def _planned(
    ledger: Ledger, document: Document, read: Read, registrar: Registrar, *, unready: bool
) -> Iterator[Planned]:
    """Yields what a report asks for; of the tournament nothing while that cannot be taken."""
    register = registrar.register
    if read.players:
        how = intake(
            ledger,
            register,
            document.name,
            document.list,
            document.on,
            as_correction=document.as_correction,
            # A tournament report only introduces players; the register is not corrected by it.
            only_new=True,
        )
        how = _with_ratings(ledger, document, read, register, how)
        yield from planned_players(ledger, read.players, register, how)
    if not unready:
        correct = document.as_correction
        yield from plan_tournament(read.tournament, register, as_correction=correct)
        yield from plan_rating_period(
            read.tournament, register, ledger.today, as_correction=correct
        )
