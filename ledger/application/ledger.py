"""A ledger: a journal, a clock, and the facts at its head.

Ids of tournaments that people take for each other: ``club-2026`` and ``Club 2026``.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from threading import RLock
from typing import TYPE_CHECKING, Final, TypeVar
from unicodedata import category

from ledger.application import segments
from ledger.application.decisions import Decided, Decider, Decision, Dependencies
from ledger.application.facts_reader import FactsReader
from ledger.application.outcomes import Calculate
from ledger.application.registers import read_register
from ledger.application.rights import RequiredRights
from ledger.application.segments import Notice, say_nothing
from ledger.application.signers import SigningMeans, signing_for
from ledger.application.snapshots import JournalSnapshots
from ledger.application.two_persons import both, check_name, check_persons, person, why_two
from ledger.errors import (
    Conflict,
    DatabaseError,
    InputRefused,
    LedgerError,
    NotFound,
    Outdated,
    Problem,
    VerificationFailed,
)
from ledger.events.model import Dated
from ledger.events.players import PlayerErased, PlayerIdentityCorrected, PlayerRegistered
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.facts.tournament import TournamentRecord
from ledger.journal.batch import counts_of
from ledger.journal.envelope import instant
from ledger.journal.gc_pause import collector_resting
from ledger.journal.hashed_events import HashedEvents
from ledger.journal.interface import HeadMoved, Journal
from ledger.journal.records import Commit, Draft, Head, PersonalDocument, Progress, no_progress
from ledger.journal.tree_hashes import tree_of_user
from ledger.journal.verify.event_check import CheckedCommits, EventCheck
from ledger.journal.vouchers import Vouchers, vouchers_of_user
from ledger.letters import plain_name
from ledger.lists.people import People
from ledger.lists.publications import calculated, require_list
from ledger.operations.commands import Command, OpenTournament
from ledger.registrar.register import Register
from ledger.registrar.registrar import Registrar
from ledger.reports.impact import RatingShifts, impact
from ledger.spelling import folded
from ledger.wording import Message

if TYPE_CHECKING:
    from ledger.application.passkeys import PasskeyOwner, PasskeySignature
    from ledger.journal.checkpoint import Signer

_STREAM: Final = "tournament:"


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


Clock = Callable[[], dt.datetime]
_DOCUMENTED = (PlayerRegistered.TYPE, PlayerIdentityCorrected.TYPE)  # each with a document
_RACES = 3  # for the head, before a turn is asked for
_SHOWN = 20  # events of a conflicting request
_LOOKS = 10  # at a file that changes under the reader

Answer = TypeVar("Answer")


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
    at_seq: int | None = None
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
    request had been carried out before. ``hashed`` is with what the events are read back.
    """

    first_seq: int
    last_seq: int
    commit_id: int | None
    events: Sequence[Dated]
    notes: tuple[Problem, ...] = ()
    dry_run: bool = False
    repeated: bool = False
    shifts: RatingShifts | None = None
    hashed: HashedEvents | None = field(default=None, repr=False, compare=False)

    def noted(self, notes: Iterable[Message | Problem]) -> Receipt:
        """Returns the receipt with more notes."""
        problems = (note if isinstance(note, Problem) else Problem(note) for note in notes)
        return replace(self, notes=(*self.notes, *problems))

    @property
    def counts(self) -> dict[str, int]:
        """How many events there are of each type."""
        return counts_of(self.events)


Planner = Callable[[Registrar], Sequence[Problem]]


class _Answered(Exception):
    """Nothing is to be appended; the receipt says why."""

    def __init__(self, receipt: Receipt) -> None:
        super().__init__()
        self.receipt = receipt


def tell_nobody(_key: str) -> None:
    """Takes note of no request."""


def looked_at_again(
    journal: Journal,
    look: Callable[[], Answer],
    is_doubtful: Callable[[Answer], bool] = lambda _: False,
) -> Answer:
    """Returns what a look at a journal comes to; one that finds fault may have seen a torn state.

    That happens to who may not write to the folder of a SQLite file, while another one does. So it
    is looked at again, for as long as the file changes and a few times at most.
    """
    for _ in range(_LOOKS):
        try:
            answer = look()
        except (VerificationFailed, DatabaseError):
            if not journal.reopened():
                raise
        else:
            if not (is_doubtful(answer) and journal.reopened()):
                return answer
    return look()


class Ledger:
    """Everything that can be done with a journal, by several threads.

    Args:
        journal: where it is stored.
        clock: tells the instant at which something is recorded, in the federation's time zone.
        progress: is told what is being done, how far it has come, and of how much.
        notice: is told what was damaged and is made again, though the answers are right.
        vouchers: tell which segments and snapshots are believed; by default those of the user.

    ``calculated`` brings one period of a list for questions about it; a face that answers many may
    put one in its place that keeps some. ``times_asked`` is how often the facts were asked for,
    ``checked_commits`` are those whose events need not be hashed again. ``before_recording`` is
    told the key of each request that is to record something.
    """

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        progress: Progress = no_progress,
        notice: Notice = say_nothing,
        vouchers: Vouchers | None = None,
    ) -> None:
        self.journal = journal
        self.clock = clock
        self.progress = progress
        self.notice = notice
        self.vouchers = vouchers or vouchers_of_user()
        self.tree = tree_of_user(journal)
        self.calculated: Calculate = calculated
        self._reader = FactsReader(journal, self.vouchers, notice, progress)
        self.checked_commits = CheckedCommits()
        # Of what is made when it is first asked for: nothing is recorded while it is held.
        self._lock = RLock()
        self._facts: Facts | None = None
        # The same as they were read, without snapshots: others are of another history.
        self._read: Facts | None = None
        self._documents = (0, 0)
        self.times_asked = 0
        self.before_recording: Callable[[str], object] = tell_nobody

    @property
    def today(self) -> dt.date:
        """The day on which commands are decided, in the time zone of the clock."""
        return self.clock().date()

    # Reading

    def facts(self) -> Facts:
        """Returns the facts at the head; only what is new since the last call is read.

        Every event is checked before it is believed, or was when this user sealed it.

        Raises:
            VerificationFailed: an event or a commit is not what was recorded.
            DatabaseError: the journal cannot be read.
        """
        self.times_asked += 1
        with self._lock:
            return looked_at_again(self.journal, self._facts_at_head)

    def _facts_at_head(self) -> Facts:
        head = self.journal.head()
        facts = self._reader.read(head).facts()
        if self._facts is None or self._read is not facts:
            kept = JournalSnapshots(
                self.journal, head, self._reader.root_at, self.vouchers, self.notice
            )
            self._read, self._facts = facts, replace(facts, snapshots=kept)
        return self._facts

    @collector_resting()
    def seal(self, receipt: Receipt) -> None:
        """Reads a long batch back that was just recorded: it is checked and sealed for all readers.

        Whatever is wrong then the next reader will say: what was acknowledged is recorded.
        """
        written = receipt.hashed
        if written is not None and len(receipt.events) >= segments.LEAST_EVENTS:
            with self._lock, suppress(LedgerError):
                self._reader.read_back(self.journal.head(), written)

    def people(self, facts: Facts, seq: int | None = None) -> People:
        """Returns names and ids as known at the seq (default: the facts' own)."""
        known = AsOf(facts, facts.seq if seq is None else seq)
        return People(known, self.journal.personal_documents)

    def player_index(self, facts: Facts, player: str, basis: int | None = None) -> int:
        """Returns a player's index; under which one his games count depends on the basis.

        Raises:
            NotFound: nobody was registered under the id, at the basis (default: by now).
        """
        index = facts.player_index.get(player)
        known = AsOf(facts, facts.seq if basis is None else basis)
        if index is None or known.player(index) is None:
            raise NotFound("player.not_found", player=player)
        return index

    def facts_of(self, name: str) -> Facts:
        """Returns the facts at the head; raises ``NotFound`` when no list has the name."""
        facts = self.facts()
        require_list(facts, name)
        return facts

    def register(self, streams: Iterable[str], upto: int) -> Register:
        """Returns the register of the streams at a seq; ``list:*`` stands for all of that kind.

        It is the caller's own: what is decided is taken into it.

        Raises:
            VerificationFailed: an event is not what was recorded, or, as far as the facts were read
                by now, the index of the streams lacks some.
        """

        def known(is_of_tournament: bool) -> Facts | None:  # noqa: FBT001 - its only argument
            return self.facts() if is_of_tournament else self._facts

        return read_register(self.journal, self.event_check(), streams, upto, known)

    def tournament(self, tournament: str, upto: int) -> TournamentRecord | None:
        """Returns a tournament as known at a seq; None where it was not open yet.

        It is only to be looked at: others may have the same one. Raises as ``register`` does.
        """
        return self.register([f"tournament:{tournament}"], upto).tournaments.get(tournament)

    def event_check(self) -> EventCheck:
        """Returns what checks the events of a question."""
        return EventCheck(self.journal, self.checked_commits)

    def has_facts(self) -> bool:
        """Returns whether the facts were read, and not forgotten since."""
        return self._facts is not None

    def forget(self) -> None:
        """Lets go of the facts and the commits that were checked: they are read again.

        For a face that runs for long, and for one under which another history was put.
        """
        self.checked_commits.clear()
        with self._lock:
            self._reader = FactsReader(self.journal, self.vouchers, self.notice, self.progress)
            self._facts = self._read = None

    def documents_recorded(self) -> tuple[int, int]:
        """Returns a seq, and how many documents about people had been recorded up to it."""
        head = self.journal.head().seq
        seq, count = self._documents
        if seq == 0 or seq > head:  # at first; or another ledger was put in its place
            facts = self.facts()
            corrected = len(facts.recorded(PlayerIdentityCorrected))
            self._documents = facts.seq, len(facts.players) + corrected
            return self._documents
        if seq < head:
            count += self.journal.count_of(_DOCUMENTED, after=seq, upto=head)
            self._documents = head, count
        return head, count

    # Writing

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
        return Receipt(
            commit.first_seq, commit.last_seq, commit.commit_id, decided.events, notes,
            repeated=repeated, hashed=hashed.pop() if hashed and not repeated else None,
        )  # fmt: skip

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
            from ledger.application.passkeys import await_proposal  # noqa: PLC0415 - cryptography

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
        return Receipt(known.first_seq, known.last_seq, known.commit_id, (), repeated=True)

    def _not_appended(self, decided: Decided, head: Head, request: Request) -> Receipt:
        """Returns what would have been appended at the head; of a dry run with its impact.

        Raises:
            DatabaseError: this user could not append it.
        """
        events = decided.events
        if request.dry_run and events:
            erasing = bool(counts_of(events)[PlayerErased.TYPE])
            self.journal.check_may_record(erasing=erasing)
        first, last = head.seq + 1, head.seq + len(events)
        receipt = Receipt(first, last, None, events, decided.notes, request.dry_run)
        if not request.dry_run or not request.with_impact:
            return receipt
        why = why_two(self.facts(), events, request.actor)
        noted = receipt if why is None else receipt.noted([Message.of("two.will_need", why=why)])
        return replace(noted, shifts=self._impact(events, decided.personal))

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
        self, events: Sequence[Dated], personal: Sequence[PersonalDocument]
    ) -> RatingShifts:
        """Returns what the events would move; the facts at the head stay as they are."""
        with self._lock:
            before, fork = self.facts(), self._reader.builder.fork()
        after = replace(fork.take(events).facts(), snapshots=before.snapshots)
        new = {document.digest: document.document for document in personal}

        def documents(digests: Iterable[str] | None) -> dict[str, str]:
            return self.journal.personal_documents(digests) | new

        people = People(AsOf(after, after.seq), documents)
        return impact(before, after, people)


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
