"""Takes a document in: read, held against the ledger, appended where new; all of it or nothing."""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import IO, Literal, TypeAlias, assert_never

from ledger.application.found import Found, refused
from ledger.application.games_file import GamesFile
from ledger.application.ledger import Ledger, Receipt, Request
from ledger.application.seeds import with_floors
from ledger.errors import InputRefused, NotFound, Problem
from ledger.events.personal import Sealed
from ledger.intake.copying import Copy
from ledger.intake.documents import PlayerSaid, TournamentSaid
from ledger.intake.fide_list import is_fide_list, read_fide_list
from ledger.intake.players_csv import read_players
from ledger.intake.reconcile import (
    Planned,
    PlayersIntake,
    plan_players,
    plan_tournament,
    unmentioned,
)
from ledger.intake.tabular import Problems
from ledger.intake.trf_document import read_trf
from ledger.journal.collector import collector_resting
from ledger.registrar.register import Register
from ledger.registrar.registrar import Registrar
from ledger.terms import Rate, System
from ledger.wording import Message

ALWAYS = dt.date.min
_STEP = 1000
_SUPPLIED = ("name", "starts_on", "ends_on", "system", "rate_of_play", "merit_hundredths")
_SALT_BYTES = 16


class Kind(StrEnum):
    """What a document is."""

    TRF = "trf"
    GAMES = "games"
    PLAYERS = "players"
    FIDE_LIST = "fide-list"


_Whole: TypeAlias = Literal[Kind.TRF, Kind.PLAYERS, Kind.FIDE_LIST]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A file to be imported, and how.

    ``list`` makes the ratings of a players document seeds of that list, in force ``on`` (default:
    the list's first day); of a tournament report, the ratings of the players it introduces.
    """

    name: str
    data: bytes | IO[bytes]
    kind: Kind | None = None
    list: str | None = None
    on: dt.date | None = None
    encoding: str | None = None
    as_correction: bool = False
    supplied: Supplied = Supplied()


@dataclass(frozen=True, slots=True)
class Read:
    """A document after reading: what was tolerated on the way, and what could not be read."""

    players: Sequence[PlayerSaid]
    tournaments: Sequence[TournamentSaid]
    notes: tuple[Problem, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def streams(self) -> list[str]:
        """The streams that must be known to take it in."""
        players = {player.player for player in self.players}
        for tournament in self.tournaments:
            players.update(player for _, player, _ in tournament.entries)
        names = [f"tournament:{tournament.tournament}" for tournament in self.tournaments]
        return [*names, *(f"player:{player}" for player in sorted(players)), "list:*"]


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
        copy.decode(document.encoding)
        kind = document.kind or _kind_of(document, copy.head())
        if kind is Kind.GAMES:
            return _import_games(ledger, document, copy, request)
        return _import_whole(ledger, document, kind, copy, request)


def _import_games(ledger: Ledger, document: Document, copy: Copy, request: Request) -> Receipt:
    """Takes in what may be too large for memory."""
    games = GamesFile(
        document.name,
        copy,
        lambda said: _completed(said, document.supplied),
        as_correction=document.as_correction,
    )
    asked = _request(ledger, document, copy, request)
    return ledger.append_decided(lambda head: games.decide(ledger, head), asked)


def _import_whole(
    ledger: Ledger, document: Document, kind: _Whole, copy: Copy, request: Request
) -> Receipt:
    """Takes in a report, or people: they have to be known whole."""
    read = _read_whole(document, kind, copy)
    request = _request(ledger, document, copy, request)

    def plan(registrar: Registrar) -> Sequence[Problem]:
        found = Found(document.name)
        for problem in read.problems:
            found.add(problem)
        ready = [said for said in read.tournaments if not found.unready(said, registrar.register)]
        planned = list(_planned(ledger, document, replace(read, tournaments=ready), registrar))
        for done, each in enumerate(planned, start=1):
            if done % _STEP == 0 or done == len(planned):
                ledger.progress("import", done, len(planned))
            found.take(each, registrar, as_correction=document.as_correction)
        found.raise_any()
        return (*read.notes, *_unmentioned(document, read, registrar.register))

    return with_floors(ledger, ledger.append(read.streams, plan, request))


def _unmentioned(document: Document, read: Read, register: Register) -> list[Problem]:
    """Returns notes of what is recorded in a round of the document that it does not mention."""
    return [
        Problem(message, said.place.line, 0, document.name)
        for said in read.tournaments
        for message in unmentioned(said, register)
    ]


def _read_whole(document: Document, kind: _Whole, copy: Copy) -> Read:
    """Reads a document without looking at a ledger.

    Raises:
        InputRefused: nothing of it can be read; with all problems.
    """
    problems = Problems()
    try:
        read = _read(document, kind, copy, problems)
    except InputRefused as refusal:
        if not refusal.details:
            raise
        raise refused(document.name, refusal.details) from refusal
    if not problems.found and not read.players and not read.tournaments:
        raise InputRefused("csv.no_rows")
    return replace(read, problems=tuple(problems.found))


def _read(document: Document, kind: _Whole, copy: Copy, problems: Problems) -> Read:
    match kind:
        case Kind.PLAYERS:
            players = read_players(copy.text(), problems)
            return Read(players, (), tuple(_not_used(document, players)))
        case Kind.FIDE_LIST:
            rate = document.supplied.rate_of_play or Rate.CLASSICAL
            players = read_fide_list(copy.text(), rate, problems)
            return Read(players, (), tuple(_not_used(document, players)))
        case Kind.TRF:
            tournament, players, notes = read_trf(
                copy.data(), document.encoding, document.supplied.tournament
            )
            notes = (*notes, *_not_used(document, players), *_overridden(tournament, document))
            named = tuple(replace(note, file=document.name) for note in notes)
            return Read(players, [_completed(tournament, document.supplied)], named)
        case _:
            assert_never(kind)


def _overridden(said: TournamentSaid, document: Document) -> Iterator[Problem]:
    """Returns notes of what the file says and an option says otherwise: the option holds."""
    for field in _SUPPLIED:
        given, found = getattr(document.supplied, field), getattr(said, field)
        made_up = field == "name" and found == said.tournament
        if given is not None and found not in (None, given) and not made_up:
            message = Message.of("import.overridden", field=field, said=found, given=given)
            yield Problem(message, said.place.line)


def _not_used(document: Document, players: Sequence[PlayerSaid]) -> Iterator[Problem]:
    """Returns a note where ratings are given and no list is named for them."""
    count = sum(player.rating is not None or player.games is not None for player in players)
    if document.list is None and count:
        yield Problem(Message.of("import.ratings_not_used", count=count), file=document.name)


def _kind_of(document: Document, text: str) -> Kind:
    if is_fide_list(text):
        return Kind.FIDE_LIST
    first = next((line for line in text.splitlines() if line.strip()), "")
    if first[:3].isdigit() or first.startswith(("#", "XX")) or first[:4].strip().isdigit():
        return Kind.TRF
    columns = {name.strip().strip('"').lower() for name in first.replace(";", ",").split(",")}
    if {"white", "black"} <= columns:
        return Kind.GAMES
    if {"id", "name"} <= columns:
        return Kind.PLAYERS
    if not first:
        raise InputRefused("csv.empty")
    raise InputRefused("import.unknown_kind", file=document.name, first=first[:80])


def _completed(said: TournamentSaid, supplied: Supplied) -> TournamentSaid:
    """Puts in what the person who imports it said; that goes before what the document says."""
    given = {field: value for field in _SUPPLIED if (value := getattr(supplied, field)) is not None}
    return replace(said, **given)


def _request(ledger: Ledger, document: Document, copy: Copy, request: Request) -> Request:
    if document.as_correction and not request.reason.strip():
        raise InputRefused("registrar.needs_reason")
    how = f"{copy.sha256} list={document.list} on={document.on} {document.supplied}"
    key = hashlib.sha256(how.encode()).hexdigest()
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


def _planned(
    ledger: Ledger, document: Document, read: Read, registrar: Registrar
) -> Iterator[Planned]:
    register = registrar.register
    if read.players:
        identities = {
            digest: Sealed.model_validate_json(text).identity
            for digest, text in _personal(ledger, read.players, register).items()
        }
        how = _players_intake(ledger, document, read, register)
        yield from plan_players(read.players, register, identities, how)
    for said in read.tournaments:
        yield from plan_tournament(said, register, as_correction=document.as_correction)


def _personal(ledger: Ledger, players: Sequence[PlayerSaid], register: Register) -> dict[str, str]:
    records = (register.players.get(player.player) for player in players)
    digests = [record.version.identity for record in records if record]
    return ledger.journal.personal_documents(digests) if digests else {}


def _first_open_day(register: Register) -> dt.date:
    """Returns the day from which a K without a date holds: from always, or since the last list."""
    closed = (list_.last_closed() for list_ in register.lists.values())
    return max((period.in_force_on for period in closed if period), default=ALWAYS)


def _players_intake(
    ledger: Ledger,
    document: Document,
    read: Read,
    register: Register,
) -> PlayersIntake:
    seeds_on = document.on
    if document.list is not None:
        record = register.lists.get(document.list)
        if record is None:
            known = ", ".join(sorted(register.lists)) or "-"
            raise NotFound("list.not_found", list=document.list, known=known)
        seeds_on = seeds_on or record.defined.first_on
    return PlayersIntake(
        list=document.list,
        seeds_on=seeds_on,
        ks_on=seeds_on or _first_open_day(register),
        registered_on=ledger.today,
        as_correction=document.as_correction,
        salt=lambda: secrets.token_hex(_SALT_BYTES),
        source=document.name,
        # A tournament report only introduces players; the register is not corrected by it.
        only_new=bool(read.tournaments),
    )
