"""Takes a document in: read, held against the ledger, appended where new; all of it or nothing."""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ledger.application.ledger import Ledger, Receipt, Request
from ledger.errors import Conflict, InputRefused, NotFound, Problem
from ledger.events.personal import Sealed
from ledger.intake.documents import PlayerSaid, TournamentSaid
from ledger.intake.fide_list import is_fide_list, read_fide_list
from ledger.intake.games_csv import read_games
from ledger.intake.players_csv import read_players
from ledger.intake.reconcile import (
    Planned,
    PlayersIntake,
    missing,
    plan_players,
    plan_tournament,
)
from ledger.intake.tabular import Problems
from ledger.intake.text import decode
from ledger.intake.trf_document import read_trf
from ledger.registrar.register import Register
from ledger.registrar.registrar import Registrar
from ledger.terms import Rate, System
from ledger.wording import Message

ALWAYS = dt.date.min


class Kind(StrEnum):
    """What a document is."""

    TRF = "trf"
    GAMES = "games"
    PLAYERS = "players"
    FIDE_LIST = "fide-list"


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
    data: bytes
    kind: Kind | None = None
    list: str | None = None
    on: dt.date | None = None
    encoding: str | None = None
    as_correction: bool = False
    supplied: Supplied = Supplied()

    @property
    def sha256(self) -> str:
        """The digest of its bytes, in hexadecimal."""
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True, slots=True)
class Read:
    """A document after reading, with what was tolerated on the way."""

    players: Sequence[PlayerSaid]
    tournaments: Sequence[TournamentSaid]
    notes: tuple[Problem, ...] = ()

    @property
    def streams(self) -> list[str]:
        """The streams that must be known to take it in."""
        players = {player.player for player in self.players}
        for tournament in self.tournaments:
            players.update(player for _, player, _ in tournament.entries)
        names = [f"tournament:{tournament.tournament}" for tournament in self.tournaments]
        return [*names, *(f"player:{player}" for player in sorted(players)), "list:*"]


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
    read = read_document(document)
    request = _request(ledger, document, request)
    salts = secrets.token_hex

    def plan(registrar: Registrar) -> Sequence[Problem]:
        problems = list(_incomplete(read, registrar.register))
        differences: list[Problem] = []
        if not problems:
            planned = list(_planned(ledger, document, read, registrar.register, salts))
            for done, each in enumerate(planned, start=1):
                if done % 1000 == 0 or done == len(planned):
                    ledger.progress("import", done, len(planned))
                difference = each.problem()
                if difference and not document.as_correction:
                    differences.append(difference)
                    continue
                try:
                    registrar.take(each.command)
                except (InputRefused, Conflict) as error:
                    problems.append(Problem(error.message, each.place.line, each.place.column))
        if problems:
            raise refused(document, problems)
        if differences:
            details = _in_order(document, differences)
            raise Conflict("import.conflict", *details, file=document.name, count=len(details))
        return read.notes

    return ledger.append(read.streams, plan, request)


def read_document(document: Document) -> Read:
    """Reads a document without looking at a ledger; raises ``InputRefused`` with all problems."""
    text = decode(document.data, document.encoding).text
    problems = Problems()
    match document.kind or _kind_of(document, text):
        case Kind.PLAYERS:
            read = Read(read_players(text, problems), ())
        case Kind.GAMES:
            tournaments = [_completed(t, document.supplied) for t in read_games(text, problems)]
            read = Read((), tournaments)
        case Kind.FIDE_LIST:
            rate = document.supplied.rate_of_play or Rate.CLASSICAL
            read = Read(read_fide_list(text, rate, problems), ())
        case Kind.TRF:
            try:
                tournament, players, notes = read_trf(
                    document.data, document.encoding, document.supplied.tournament
                )
            except InputRefused as refusal:
                if not refusal.details:
                    raise
                raise refused(document, refusal.details) from refusal
            notes = tuple(replace(note, file=document.name) for note in notes)
            read = Read(players, [_completed(tournament, document.supplied)], notes)
    if problems.found:
        raise refused(document, problems.found)
    return read


def refused(document: Document, problems: Sequence[Problem]) -> InputRefused:
    """Returns the refusal of a document, its problems in the order of its lines."""
    details = _in_order(document, problems)
    return InputRefused("import.refused", *details, file=document.name, count=len(details))


def _in_order(document: Document, problems: Sequence[Problem]) -> list[Problem]:
    named = [replace(problem, file=document.name) for problem in problems]
    return sorted(named, key=lambda problem: (problem.line, problem.column))


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
    raise InputRefused("import.unknown_kind", file=document.name, first=first[:80])


def _completed(said: TournamentSaid, supplied: Supplied) -> TournamentSaid:
    """Puts in what the person who imports it said; that goes before what the document says."""
    given = {
        field: value
        for field in ("name", "starts_on", "ends_on", "system", "rate_of_play", "merit_hundredths")
        if (value := getattr(supplied, field)) is not None
    }
    return replace(said, **given)


def _request(ledger: Ledger, document: Document, request: Request) -> Request:
    how = f"{document.sha256} list={document.list} on={document.on} {document.supplied}"
    key = hashlib.sha256(how.encode()).hexdigest()
    if document.as_correction:
        # A correction may rightly come again after others: what it changes decides, not its bytes.
        key = f"{key}@{ledger.journal.head().seq}"
    return replace(
        request,
        idempotency_key=request.idempotency_key or f"import:{key}",
        body=how,
        source_name=document.name,
        source_sha256=document.sha256,
    )


def _incomplete(read: Read, register: Register) -> Iterator[Problem]:
    for said in read.tournaments:
        lacking = missing(said, register)
        if lacking:
            message = Message.of(
                "import.incomplete", tournament=said.tournament, missing=", ".join(lacking)
            )
            yield Problem(message, said.place.line, said.place.column)


def _planned(
    ledger: Ledger,
    document: Document,
    read: Read,
    register: Register,
    salt: Callable[[int], str],
) -> Iterator[Planned]:
    if read.players:
        identities = {
            digest: Sealed.model_validate_json(text).identity
            for digest, text in _personal(ledger, read.players, register).items()
        }
        how = _players_intake(ledger, document, read, register, salt)
        yield from plan_players(read.players, register, identities, how)
    for said in read.tournaments:
        yield from plan_tournament(said, register, as_correction=document.as_correction)


def _personal(ledger: Ledger, players: Sequence[PlayerSaid], register: Register) -> dict[str, str]:
    records = (register.players.get(player.player) for player in players)
    digests = [record.version.identity for record in records if record]
    return ledger.journal.personal_documents(digests) if digests else {}


def _players_intake(
    ledger: Ledger,
    document: Document,
    read: Read,
    register: Register,
    salt: Callable[[int], str],
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
        ks_on=seeds_on or ALWAYS,
        registered_on=ledger.today,
        as_correction=document.as_correction,
        salt=lambda: salt(16),
        source=document.name,
        # A tournament report only introduces players; the register is not corrected by it.
        only_new=bool(read.tournaments),
    )
