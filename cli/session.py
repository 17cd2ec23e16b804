"""A ledger for one command: opened, told the clock, shown progress, closed again.

And what may be said shorter: a player by name, and the list, where the ledger has only one.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

import typer

from cli import settings
from cli.interruption import INTERRUPTION
from cli.output import console, note, progress, say, told
from cli.render.receipts import print_receipt
from cli.signing_keys import key_text
from ledger.errors import NotFound
from ledger.identifiers import Seq
from ledger.operations.operation import Command, Input, kinds_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cli.options import ReasonedWriteOptions, ViewOptions
    from ledger.answers.directory import Numbered
    from ledger.facts.tournament import TournamentRecord
    from ledger.journal.checkpoint import Signer
    from ledger.service.ledger import Ledger, Receipt, Request
    from ledger.views.view import LedgerView
    from ledger.wording import Message

Asked = TypeVar("Asked", bound="Input")


@contextmanager
def opened(db: str | None) -> Iterator[Ledger]:
    """Opens the ledger the flags and settings name."""
    from ledger.service.archives import open_ledger
    from ledger.service.ledger import Ledger

    def notice(message: Message) -> None:
        console(stderr=True).print(told(message))

    clock = settings.clock()
    url = settings.db(db)
    journal = open_ledger(url)
    settings.FLAGS.lacks_people = journal.lacks_people
    try:
        with progress() as tell:
            ledger = Ledger(journal, clock, progress=tell, notice=notice)
            ledger.federation = settings.federation()
            ledger.before_recording = INTERRUPTION.keys.setdefault(url, []).append
            yield ledger
    finally:
        journal.close()


@contextmanager
def viewed(options: ViewOptions) -> Iterator[LedgerView]:
    """Opens the ledger for a question, as it is known now, or was at the seq that is asked for."""
    with opened(options.db) as ledger:
        if options.as_known_at is None:
            yield ledger
            return
        from ledger.views.past import PastLedger

        yield PastLedger.upto(ledger, Seq(options.as_known_at))


@contextmanager
def opened_to_record(to: ReasonedWriteOptions) -> Iterator[Ledger]:
    """Opens the ledger for a command that records: what an interrupted erasure left goes first.

    A dry run destroys nothing.
    """
    with opened(to.db) as ledger:
        if not to.dry_run:
            _finish_erasures(ledger)
        yield ledger


def request(to: ReasonedWriteOptions, key: str | None = None) -> Request:
    """Returns what accompanies a command; without a key one is made."""
    from ledger.service.ledger import Request

    INTERRUPTION.is_by_requests = True
    return Request(
        actor=settings.actor(to.actor),
        reason=to.reason,
        idempotency_key=key or "",
        body="",
        dry_run=to.dry_run,
        second=to.second,
        signers=signers(to.sign_with),
    )


def signers(texts: Sequence[str] | None) -> tuple[Signer, ...]:
    """Returns the keys that were said, or that of the environment, to sign with."""
    named = settings.signing_keys(texts)
    if not named:
        return ()
    from ledger.journal.checkpoint import Signer

    return tuple(Signer.parse(key_text(each)) for each in named)


def typed_request(to: ReasonedWriteOptions) -> Request:
    """Returns what accompanies a command that is typed: typed twice, it is recorded twice."""
    return request(to, f"typed:{uuid.uuid4()}")


@dataclass(slots=True)
class Recording:
    """A ledger in which something is recorded, what accompanies it, and what came of it."""

    ledger: Ledger
    request: Request
    receipt: Receipt | None = None


@contextmanager
def recording(to: ReasonedWriteOptions, key: str | None = None) -> Iterator[Recording]:
    """Opens the ledger to record something, and prints the receipt that was put there."""
    from ledger.service.receipts import published_lists_reached

    request_ = request(to, key) if key else typed_request(to)
    with opened_to_record(to) as ledger:
        at = Recording(ledger, request_)
        yield at
        assert at.receipt is not None, "something was recorded"
        lists = published_lists_reached(ledger, at.receipt)
    print_receipt(at.receipt, to, lists)


def _finish_erasures(view: LedgerView) -> None:
    """Destroys what an interrupted erasure has left; notes why, where that cannot be done."""
    from ledger.trust.erased_bytes import finish_erasures

    trouble = finish_erasures(view)
    if trouble is not None:
        note("cli.erasure_unfinished", why=trouble)


def carry_out(to: ReasonedWriteOptions, *commands: Command, key: str | None = None) -> None:
    """Carries out commands, all or none, and prints what was recorded.

    They may name players by name.
    """
    from ledger.service.ledger import body_of

    with recording(to, key) as at:
        meant = [with_players(at.ledger, command) for command in commands]
        at.receipt = at.ledger.execute(meant, replace(at.request, body=body_of(meant)))


def player_of(view: LedgerView, text: str, among: Collection[str] | None = None) -> str:
    """Returns the id of the player whom an id or a name means, and notes whom a name meant.

    ``among`` are the ids of those who are meant rather than others of that name. Raises
    ``InputRefused`` or ``NotFound``, with candidates.
    """
    from ledger.answers.directory import person_named

    person = person_named(view, text, among)
    if person is None:
        return text
    note("cli.player_taken", text=text, id=person.id, name=person.name)
    return person.id


def participant_of(view: LedgerView, rows: Collection[Numbered], tournament: str, text: str) -> str:
    """Returns the id of the participant whom an id, a starting number or a name means.

    Raises ``InputRefused`` or ``NotFound``.
    """
    from ledger.answers.directory import participant_named

    found = participant_named(rows, text)
    if found is None:
        ids = {row.id for row in rows}
        found = player_of(view, text, ids)
        if found not in ids:
            raise NotFound("tournament.not_entered", player=text, tournament=tournament)
    return found


def with_players(view: LedgerView, command: Asked) -> Asked:
    """Returns a command with ids in place of names.

    In a tournament its players are meant rather than others of that name; the id of a team is no
    name. What nobody is called, and is like no name, stays as it is: the registrar knows what to
    say of it.
    """
    values = {
        name: text
        for name, kind in kinds_of(type(command)).items()
        if getattr(kind, "names", "") == "player"
        and isinstance(text := getattr(command, name), str)
    }
    known = view.journal.recorded({f"player:{text}" for text in values.values()})
    names = {role: text for role, text in values.items() if f"player:{text}" not in known}
    if not names:
        return command
    record = _tournament(view, getattr(command, "tournament", None))
    teams = record.desk.teams if record else ()
    names = {role: text for role, text in names.items() if text not in teams}
    among = record.entries if record else ()
    ids = {role: _id_or_text(view, text, among) for role, text in names.items()}
    return cast("Asked", replace(cast(Any, command), **ids))


def _id_or_text(view: LedgerView, text: str, among: Collection[str]) -> str:
    try:
        return player_of(view, text, among)
    except NotFound as error:
        if error.details:
            raise
        return text


def _tournament(view: LedgerView, tournament: str | None) -> TournamentRecord | None:
    if tournament is None:
        return None
    return view.tournament(tournament, view.journal.head().seq)


def list_of(view: LedgerView, name: str | None) -> str:
    """Returns the name of the list that is meant: the only one, where none is named.

    Raises:
        NotFound: there is no list, or there are several to choose from.
    """
    if name is not None:
        return name
    from ledger.views.list_editions import only_list

    return only_list(view.facts())


def list_and(view: LedgerView, *words: str | None) -> tuple[str, list[str | None]]:
    """Returns the list and the words after its name, as many as were given after the first.

    The name was left out, if the first word is no list's name but begins with a year, as a period
    does, and the last place is free: then every word moves one place to the right.
    """
    first, *rest = words
    lists = view.facts().lists
    is_period = first is not None and first[:4].isdigit() and first not in lists
    if is_period and rest and rest[-1] is None:
        return list_of(view, None), [first, *rest[:-1]]
    return list_of(view, first), rest


def needed(value: str | None, name: str) -> str:
    """Returns an argument; raises Typer's error where it is missing."""
    if value is None:
        raise typer.BadParameter(say("cli.missing", name=name))
    return value
