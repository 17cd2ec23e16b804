"""A ledger that is recorded in: ``append``, ``execute``, ``seal`` and what stands before them."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Final
from unicodedata import category

from ledger.derived import segments
from ledger.errors import (
    Conflict,
    InputRefused,
    LedgerError,
    Outdated,
    Problem,
)
from ledger.events.fast import PAIRING_TYPES
from ledger.events.lists import ListPublished
from ledger.events.model import Dated
from ledger.events.players import PlayerErased
from ledger.events.tournaments import TournamentOpened
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.identifiers import Seq
from ledger.journal.batch import counts_of
from ledger.journal.envelope import instant
from ledger.journal.gc_pause import collector_resting
from ledger.journal.hashed_events import HashedEvents
from ledger.journal.interface import HeadMoved, Journal
from ledger.journal.records import Commit, Draft, Head, PersonalDocument
from ledger.letters import plain_name
from ledger.lists.people import People
from ledger.operations.commands import Command, OpenTournament
from ledger.registrar.registrar import Registrar
from ledger.reports.impact import RatingShifts, impact
from ledger.reports.late_reports import late_reports
from ledger.service.decisions import Decided, Decider, Decision, Dependencies
from ledger.spelling import folded
from ledger.trust.rights import RequiredRights
from ledger.trust.signers import SigningMeans, signing_for
from ledger.trust.two_persons import both, check_name, check_persons, person, why_two
from ledger.views.view import Clock, LedgerView
from ledger.wording import Message

if TYPE_CHECKING:
    from ledger.journal.checkpoint import Signer
    from ledger.service.people_meant import PeopleMeant
    from ledger.trust.passkeys import PasskeyOwner, PasskeySignature

_STREAM: Final = "tournament:"
_RACES = 3  # for the head, before a turn is asked for
_SHOWN = 20  # events of a conflicting request
_MOST_LOOKED_AT = 1_000  # events, to tell what all of them are about


def look_alikes(journal: Journal, commands: Iterable[Command]) -> Iterator[Message]:
    """Yields a warning for each tournament to be opened with an id that looks like another one's.

    They differ in capitals, accents, width or punctuation only.
    """
    opened = [command.tournament for command in commands if isinstance(command, OpenTournament)]
    known = journal.stream_names(_STREAM) if opened else []
    for tournament in opened:
        for other in (name.removeprefix(_STREAM) for name in known):
            if other != tournament and folded(other) == folded(tournament):
                yield Message.of("tournament.alike", tournament=tournament, other=other)


@dataclass(frozen=True, slots=True)
class Request:
    """What accompanies commands: who asks, why, under which key, from which document.

    ``body`` is what was asked for, as text: the same key with another body is a conflict.
    ``second`` is the officer who agrees, where two people must (see ``two_persons``). ``at_seq`` is
    the only head at which it may be recorded: what was seen there is what is agreed to. A dry run
    says what would move, unless ``with_impact`` is false. ``signers`` are the keys at hand, of the
    actor and the second; ``owner`` is who can sign with a passkey, ``proposed`` what the actor has
    signed before the second agreed. ``rights`` are what an account must be at the head at which it
    is recorded (None: nobody's account asks).
    """

    actor: str
    reason: str
    idempotency_key: str
    body: str
    source_name: str | None = None
    source_sha256: str | None = None
    dry_run: bool = False
    second: str | None = None
    at_seq: Seq | None = None
    with_impact: bool = True
    signers: tuple[Signer, ...] = ()
    owner: PasskeyOwner | None = None
    proposed: PasskeySignature | None = None
    rights: RequiredRights | None = None

    @property
    def body_sha256(self) -> str:
        """The digest of the body, in hexadecimal."""
        return hashlib.sha256(self.body.encode(errors="surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was appended, or would have been (``dry_run``). Nothing: no events, no commit.

    ``notes`` are what was tolerated or adjusted on the way. ``repeated`` says that the same
    request had been carried out before. ``hashed`` is with what the events are read back,
    ``people`` whom a document means, ``counts_before`` and ``about_before`` what a
    repeated request had recorded.
    """

    first_seq: Seq
    last_seq: Seq
    commit_id: int | None
    events: Sequence[Dated]
    notes: tuple[Problem, ...] = ()
    dry_run: bool = False
    repeated: bool = False
    shifts: RatingShifts | None = None
    hashed: HashedEvents | None = field(default=None, repr=False, compare=False)
    people: PeopleMeant | None = None
    counts_before: Mapping[str, int] | None = None
    about_before: str = ""

    def noted(self, notes: Iterable[Message | Problem]) -> Receipt:
        """Returns the receipt with more notes."""
        problems = (note if isinstance(note, Problem) else Problem(note) for note in notes)
        return replace(self, notes=(*self.notes, *problems))

    @property
    def counts(self) -> Mapping[str, int]:
        """How many events of each type are recorded, now or by the same request before."""
        return self.counts_before or counts_of(self.events)

    @property
    def about(self) -> str:
        """The id of the tournament, player or list that all is about; empty if of several."""
        if self.repeated or len(self.events) > _MOST_LOOKED_AT:
            return self.about_before
        return _only_id({dated.event.stream for dated in self.events})


def _only_id(streams: set[str]) -> str:
    """Returns the id that a single stream is about; empty where there are several."""
    return next(iter(streams)).partition(":")[2] if len(streams) == 1 else ""


Planner = Callable[[Registrar], Sequence[Problem]]


class _Answered(Exception):
    """Nothing is to be appended; the receipt says why."""

    def __init__(self, receipt: Receipt) -> None:
        super().__init__()
        self.receipt = receipt


def tell_nobody(_key: str) -> None:
    """Takes note of no request."""


class Ledger(LedgerView):
    """Everything that can be done with a journal, by several threads.

    ``before_recording`` is told the key of each request that is to record something.
    """

    before_recording: Callable[[str], object] = staticmethod(tell_nobody)

    @collector_resting()
    def seal(self, receipt: Receipt) -> None:
        """Reads a long batch back that was just recorded: it is checked and sealed for all readers.

        Whatever is wrong then the next reader will say: what was acknowledged is recorded.
        """
        written = receipt.hashed
        if written is not None and len(receipt.events) >= segments.LEAST_EVENTS:
            with self._lock, suppress(LedgerError):
                self._reader.read_back(self.journal.head(), written)

    def execute(self, commands: Sequence[Command], request: Request) -> Receipt:
        """Carries out commands, all of them or none.

        Raises:
            InputRefused: a command cannot be recorded.
            Conflict: it was recorded otherwise, or the request's key was used for another.
            DatabaseError: the journal cannot be written.
        """

        def plan(registrar: Registrar) -> Sequence[Problem]:
            for command in commands:
                registrar.take(command)
            return [
                Problem(message)
                for message in (*registrar.warnings, *look_alikes(self.journal, commands))
            ]

        self.require_reason(commands, request)
        streams = [stream for command in commands for stream in command.streams]
        return self.append(streams, plan, request)

    def require_reason(self, commands: Sequence[Command], request: Request) -> None:
        """Raises ``InputRefused`` where a command needs a reason and none is said."""
        if not request.reason.strip() and any(command.needs_reason for command in commands):
            raise InputRefused("registrar.needs_reason")

    def append(self, streams: Sequence[str], plan: Planner, request: Request) -> Receipt:
        """Lets a plan decide at the head and appends what it decided.

        ``streams`` are what the plan must know. It takes commands into the registrar that it is
        given, and returns notes.
        """

        def decide(head: Head) -> Decided:
            registrar = Registrar(self.register(streams, head.seq), head.seq, self.today)
            notes = plan(registrar)
            return Decided.by(registrar, Dependencies.on(streams), notes)

        return self.append_decided(decide, request)

    def append_decided(self, decide: Decider, request: Request) -> Receipt:
        """Appends what is decided at the head.

        When somebody else appended in between, it is decided again only if it depends on that.

        Raises:
            InputRefused, Conflict, NotFound: as the decider does, or the request's key was used
                for another, or it needs two people, or the head is not the one that was asked for.
            RightsLacking: the account that asks may not do it at the head.
            DatabaseError: the journal cannot be written, or others did not let it in time.
        """
        request = _with_names(request)
        if not request.dry_run:
            self.before_recording(request.idempotency_key)
        decision = Decision(self.journal, decide)

        def draft_at(head: Head) -> Draft:
            # After the head was read: a twin of this request that is not after it is found here.
            if (receipt := self.repeated(request)) is not None:
                raise _Answered(receipt)
            if request.rights is not None:
                request.rights.check(self.facts())
            if request.at_seq not in (None, head.seq):
                raise Outdated("database.moved_on", seen=request.at_seq, seq=head.seq)
            decided = decision.at(head)
            if request.dry_run and request.second is not None:
                check_persons(self.facts(), request.actor, request.second, decided.events)
            if request.dry_run or not decided.events:
                raise _Answered(self._not_appended(decided, head, request))
            notes_[:] = []
            if not self._has_accounts(request):
                return _draft(decided, request, hashed.append)
            named = _by_accounts(request, self.facts().accounts)
            draft, at = self._signed(_draft(decided, named, hashed.append), named, head)
            notes_[:] = [] if at is None else [at]
            return draft

        hashed: deque[HashedEvents] = deque(maxlen=1)  # at the last try
        notes_: list[dt.datetime] = []  # the instant, where it is signed already

        def clock() -> dt.datetime:
            notes_[:] = notes_ or [self.clock()]
            return notes_[0]

        try:
            commit = self._append(draft_at, clock)
        except _Answered as answered:
            return answered.receipt
        head, decided = decision.last
        repeated = commit.first_seq != head.seq + 1
        notes = decided.notes if repeated else (*decided.notes, *_clock_notes(commit, notes_[0]))
        receipt = Receipt(
            commit.first_seq, commit.last_seq, commit.commit_id, decided.events, notes,
            repeated=repeated, hashed=hashed.pop() if hashed and not repeated else None,
        )  # fmt: skip
        return receipt.noted(self._late_notes_of(decided.events, Seq(commit.first_seq - 1)))

    def _late_notes_of(self, events: Sequence[Dated], since: Seq) -> list[Message]:
        """Return what is said of new tournaments that no list rates any more.

        Facts are read for it only where a new one came with games, and a list went out before.
        """
        types = counts_of(events).keys()
        has_new_games = TournamentOpened.TYPE in types and not PAIRING_TYPES.isdisjoint(types)
        if not has_new_games or not self.journal.count_of([ListPublished.TYPE]):
            return []
        with suppress(LedgerError):  # it is recorded, whatever the reader finds
            return _late_notes(self.facts(), since)
        return []

    def _signed(
        self, draft: Draft, request: Request, head: Head
    ) -> tuple[Draft, dt.datetime | None]:
        """Returns a draft with what signs it, and its instant where that is signed already.

        Raises:
            InputRefused: it needs two people, or somebody's signature who has a key.
            SignatureAwaited: somebody is to sign it with a passkey first.
        """
        facts, actor, second = self.facts(), request.actor, request.second
        if request.owner is not None and request.owner.proposes:
            from ledger.trust.passkeys import await_proposal  # noqa: PLC0415 - cryptography

            await_proposal(request.owner, draft, head)
        check_persons(facts, actor, second, draft.events)
        means = SigningMeans(request.signers, request.owner, request.proposed)
        signing = signing_for(facts.accounts, actor, second, means)
        return signing.signed(self.journal, draft, head, self.clock)

    def _append(self, draft_at: Callable[[Head], Draft], clock: Clock) -> Commit:
        """Races for the head, some times, then takes a turn in which nobody else appends.

        What is drafted is hashed outside of the turn of others as long as the race can be won:
        nobody waits for a large import unless others would go on overtaking it.
        """
        for _ in range(_RACES):
            head = self.journal.head()
            draft = draft_at(head)
            try:
                return self.journal.append(draft, expected_seq=head.seq, recorded_at=clock())
            except HeadMoved:
                continue
        return self.journal.append_in_turn(draft_at, clock)

    def repeated(self, request: Request) -> Receipt | None:
        """Returns what a request came to that was carried out before; None where it was not.

        Raises:
            Conflict: another one was, under the same key.
        """
        known = self.journal.commit_with_key(request.idempotency_key)
        if known is None:
            return None
        if known.body_sha256 != request.body_sha256:
            raise self._key_conflict(known)
        bounds = {"after": known.first_seq - 1, "upto": known.last_seq}
        is_short = known.last_seq - known.first_seq < _MOST_LOOKED_AT
        streams = {event.stream for event in self.journal.events(**bounds)} if is_short else set()
        return Receipt(
            known.first_seq, known.last_seq, known.commit_id, (), repeated=True,
            counts_before=self.journal.type_counts(**bounds), about_before=_only_id(streams),
        )  # fmt: skip

    def _not_appended(self, decided: Decided, head: Head, request: Request) -> Receipt:
        """Returns what would have been appended at the head; of a dry run with its impact.

        Raises:
            DatabaseError: this user could not append it.
        """
        events = decided.events
        if request.dry_run and events:
            erasing = bool(counts_of(events)[PlayerErased.TYPE])
            self.journal.check_may_record(erasing=erasing)
        first, last = Seq(head.seq + 1), Seq(head.seq + len(events))
        receipt = Receipt(first, last, None, events, decided.notes, request.dry_run)
        if not request.dry_run or not request.with_impact:
            return receipt
        why = why_two(self.facts(), events, request.actor)
        noted = receipt if why is None else receipt.noted([Message.of("two.will_need", why=why)])
        before, after = self.tried(events)
        noted = noted.noted(_late_notes(after, before.seq))
        return replace(noted, shifts=self._impact(before, after, decided.personal))

    def _has_accounts(self, request: Request) -> bool:
        """Whether somebody could be a second person or sign, or is said to."""
        is_signed = request.second is not None or bool(request.signers)
        return is_signed or bool(self.journal.stream_names("account:"))

    def _key_conflict(self, known: Commit) -> Conflict:
        """Returns the refusal of a key that was used for something else, and what that was."""
        events = self.journal.events(after=known.first_seq - 1, upto=known.last_seq)
        recorded = [
            Problem(Message.of("database.key_recorded", type=event.type, payload=event.payload))
            for event in islice(events, _SHOWN)
        ]
        return Conflict(
            "database.key_conflict",
            *recorded,
            key=known.idempotency_key,
            commit=known.commit_id,
            recorded_at=known.recorded_at,
        )

    def _impact(
        self, before: Facts, after: Facts, personal: Sequence[PersonalDocument]
    ) -> RatingShifts:
        """Returns what events would move that made the facts after of those before."""
        new = {document.digest: document.document for document in personal}

        def documents(digests: Iterable[str] | None) -> dict[str, str]:
            return self.journal.personal_documents(digests) | new

        people = People(AsOf(after, after.seq), documents)
        return impact(before, after, people)


def _late_notes(facts: Facts, since: Seq) -> list[Message]:
    """Return what is said of tournaments that were reported too late, in events since a seq."""
    return [report.message for report in late_reports(AsOf(facts, facts.seq), since)]


def _draft(decided: Decided, request: Request, hashed: Callable[[HashedEvents], None]) -> Draft:
    """Returns what is to be appended, not signed; ``hashed`` takes its events when it is."""
    return Draft(
        events=decided.events,
        personal=decided.personal,
        actor=both(request.actor, request.second),
        reason=request.reason,
        idempotency_key=request.idempotency_key,
        body_sha256=request.body_sha256,
        source_name=request.source_name,
        source_sha256=request.source_sha256,
        hashed=hashed,
    )


def _with_names(request: Request) -> Request:
    """Returns a request with the names of people as they are recorded; refuses those that are none.

    ``_check_signs`` says what else is refused.
    """
    actor = plain_name(request.actor)
    second = None if request.second is None else plain_name(request.second)
    check_name(actor)
    _check_signs(actor, request.reason)
    return replace(request, actor=actor, second=second)


def _by_accounts(request: Request, accounts: Collection[str]) -> Request:
    """Returns a request with people spelled as their accounts are, so that each has one name."""
    names = (request.actor, request.second)
    actor, second = (
        name if name is None or person(name) not in accounts else person(name) for name in names
    )
    return replace(request, actor=actor or request.actor, second=second)


def _check_signs(*texts: str) -> None:
    """Refuses control characters: what is recorded for good should steer no terminal.

    Ends of lines and tabs are left: a letter that is quoted has them.
    """
    for text in texts:
        if any(category(sign) == "Cc" and sign not in "\n\t" for sign in text):
            raise InputRefused("registrar.control", text=text)


def _clock_notes(commit: Commit, now: dt.datetime) -> tuple[Problem, ...]:
    """Notes that a commit bears a later instant than the clock's, because that was set back."""
    if commit.recorded_at <= instant(now):
        return ()
    values = {"now": instant(now), "recorded_at": commit.recorded_at}
    return (Problem(Message.of("database.clock_back", **values)),)


def body_of(commands: Sequence[Command]) -> str:
    """Returns commands as text, to tell whether the same was asked for under the same key."""
    return json.dumps(
        [{"command": type(command).__name__, **asdict(command)} for command in commands],
        default=str,
        sort_keys=True,
    )
