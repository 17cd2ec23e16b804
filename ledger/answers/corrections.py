"""What was corrected, by whom and why, and whom each correction moved.

They are found in the facts, so that no more events are read than are shown. Whom one moved is
calculated when it is asked for: two replays, from the last period that both states share.
"""

from __future__ import annotations

import datetime as dt
import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, starmap
from operator import itemgetter
from typing import Any, Final

import numpy as np

from ledger.answers.commits import source_of_commit
from ledger.calendar import Period
from ledger.errors import NotFound
from ledger.events.catalogue import CATALOGUE, UNDOING
from ledger.events.lists import ListPublished
from ledger.events.personal import identity_in
from ledger.events.players import PlayerIdentityCorrected, PlayerRegistered, PlayerVersion
from ledger.events.tournaments import (
    TournamentCorrected,
    TournamentFactUndone,
    TournamentVersion,
)
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Column, Facts
from ledger.identifiers import PlayerId, Seq
from ledger.journal.records import Commit, StoredEvent
from ledger.journal.verify.event_check import EventCheck
from ledger.lists.people import People
from ledger.lists.reach import reaches
from ledger.reports.cascade import (
    CORRECTING,
    MOST_PLAYERS,
    Cascade,
    CorrectedItem,
    Correction,
    CorrectionReport,
    LaterEdition,
    TakenBack,
    cascade,
    result_said,
)
from ledger.reports.impact import impact_between
from ledger.reports.late_reports import late_reports
from ledger.reports.statement import PersonRef
from ledger.trust.two_persons import people_of
from ledger.views.list_editions import require_edition, require_period
from ledger.views.view import LedgerView

PAGE: Final = 25
FEW: Final = 3
"""So many items of a correction stand in a list of corrections."""
_TRIED: Final = 10  # commits
_READ: Final = 2_000  # events of commits; after so many no further commit is tried
_LARGE: Final = 1_000  # events of a commit
MOST: Final = 200
"""So many stand in the report of one."""


def corrections(
    view: LedgerView, *, before: int | None = None, limit: int = PAGE, most: int = FEW
) -> list[Correction]:
    """Returns corrections, the newest first: a commit is one, however much it corrects.

    They are those before the seq ``before`` (None: the newest), at most ``limit``; of each ``most``
    items.

    Raises:
        VerificationFailed: an event is not what was recorded.
    """
    found: list[Correction] = []
    reading = _Reading.of(view)
    seqs = _changing(view.facts())
    left = seqs if before is None else seqs[: np.searchsorted(seqs, before)]
    while len(left) and len(found) < limit:
        if reading.same_people.holds(Seq(int(left[-1]))):
            left = left[:-1]
            continue
        first = reading.commit(Seq(int(left[-1]))).first_seq
        start = int(np.searchsorted(left, first))
        row = reading.correction(left[start:], most)
        if row is not None:
            found.append(row)
        left = left[:start]
    return found


def all_corrections(view: LedgerView) -> Iterator[Correction]:
    """Yield every correction with all its items, the oldest first; they are read as they are taken.

    Raises:
        VerificationFailed: an event is not what was recorded.
    """
    reading, seqs = _Reading.of(view), _changing(view.facts())
    while len(seqs):
        commit = reading.commit(Seq(int(seqs[0])))
        count = int(np.searchsorted(seqs, commit.last_seq, side="right"))
        correction = reading.correction(seqs[:count], count)
        if correction is not None:
            yield correction
        seqs = seqs[count:]


def correction_report(view: LedgerView, seq: Seq, most: int = MOST_PLAYERS) -> CorrectionReport:
    """Returns the correction by the commit of an event, and whom it moved.

    ``seq`` is that of any event of the commit. Of each list at most ``most`` players are told of.

    Raises:
        NotFound: the commit corrects nothing, or there is none.
        VerificationFailed: an event is not what was recorded.
    """
    facts = view.facts()
    correction = None
    if 1 <= seq <= facts.seq:
        reading = _Reading.of(view)
        commit = reading.commit(seq)
        first, last = commit.first_seq, commit.last_seq
        correction = reading.correction_by(commit)
    if correction is None:
        raise NotFound("correction.none", seq=seq)
    before, after = AsOf(facts, Seq(first - 1)), AsOf(facts, last)
    shifts = impact_between(before, after, view.people(facts))
    moved = cascade(shifts, most)
    editions = tuple(reading.editions(moved, last))
    late = tuple(late_reports(after, before.seq))
    return CorrectionReport(correction, moved, before.seq, last, editions, late)


@dataclass(frozen=True, slots=True)
class RecalculationCause:
    """A commit that reaches a published period; ``correction`` is the seq of its page, if any."""

    commit: int
    recorded_at: str
    reason: str
    correction: Seq | None


@dataclass(frozen=True, slots=True)
class Recalculation:
    """What made a period another one than its newest edition: the newest commits that reach it.

    ``has_more`` says that there may be earlier ones.
    """

    edition: ListPublished
    causes: Sequence[RecalculationCause]
    has_more: bool


def recalculation(view: LedgerView, name: str, period_name: str, most: int = FEW) -> Recalculation:
    """Return the newest commits, at most ``most``, that reach a period since its newest edition.

    Of the commits since then that affect a day up to the period's end, the last ten are tried, and
    fewer if they are large. A commit that was taken back since then is left out, and so is the
    commit that did it.

    Raises:
        NotFound: there is no such list, period or edition.
        VerificationFailed: an event is not what was recorded.
    """
    facts, reading = view.facts_of(name), _Reading.of(view)
    edition = require_edition(facts, name, period_name, None)
    period = require_period(facts, name, period_name)
    day = period.in_force_on.toordinal()
    without_effect = _without_effect_since(facts, edition.basis_seq)
    causes: list[RecalculationCause] = []
    seq, read = facts.last_effect_upto(day), 0
    for _ in range(_TRIED):
        if seq <= edition.basis_seq or len(causes) > most or read >= _READ:
            break
        commit = reading.commit(seq)
        seqs = range(commit.first_seq, commit.last_seq + 1)
        read += min(len(seqs), _LARGE)
        if not without_effect.issuperset(seqs) and _reaches(view, commit, name, period):
            correction = reading.correction_by(commit, FEW)
            about = commit.commit_id, commit.recorded_at, commit.reason
            causes.append(
                RecalculationCause(*about, None if correction is None else correction.seq)
            )
        seq = facts.last_effect_upto(day, before=commit.first_seq)
    has_more = len(causes) > most or seq > edition.basis_seq
    return Recalculation(edition, causes[:most], has_more)


def _without_effect_since(facts: Facts, basis: Seq) -> set[Seq]:
    """Return the events that were taken back, and those that took back an event after a basis."""
    undoing = {undone.seq for undone in facts.undone if undone.undoes > basis}
    return undoing.union(facts.undone_at(facts.seq))


def _reaches(view: LedgerView, commit: Commit, name: str, period: Period) -> bool:
    """Return whether a commit can reach a period of a list; a large one is not looked into."""
    first, last = commit.first_seq, commit.last_seq
    if last - first > _LARGE:
        return True
    events = view.event_check().checked(view.journal.events(after=first - 1, upto=last))
    rows = ((e.type, e.version, e.effective_on, e.stream, e.payload) for e in events)
    return reaches(AsOf(view.facts(), Seq(first - 1)), rows, name, period)


def correcting_seqs(view: LedgerView, seqs: Iterable[Seq]) -> frozenset[Seq]:
    """Returns those of some seqs of pairings that corrected what was recorded before.

    Only events that stand in place of others are read: no more than were corrected among them. They
    are not checked here, but by ``correction_report``.
    """
    later = view.facts().supersession.seq
    wanted = np.array([*seqs], dtype=np.int64)
    found = wanted[np.searchsorted(later, wanted) < np.searchsorted(later, wanted, side="right")]
    rows = view.journal.rows_at(found.tolist()) if len(found) else ()
    events = starmap(StoredEvent, rows)
    return frozenset(event.seq for event in events if event.type in CORRECTING)


def _changing(facts: Facts) -> Column:
    """Returns the seqs of events that may correct something, in order.

    Among them are results of adjourned games and slips that were taken back, which do not.
    """
    few = [merge.seq for merge in facts.merges]
    few += [undone.seq for undone in facts.undone]
    few += [ruling.seq for ruling in facts.rulings]
    few += [change.seq for change in facts.recorded(TournamentCorrected)]
    few += [change.seq for change in facts.recorded(PlayerIdentityCorrected)]
    return np.unique(np.concatenate([facts.supersession.seq, np.array(few, dtype=np.int64)]))


class _SamePeople:
    """Which identities say the same again: only how others know or print a person is added.

    That corrects nothing: it was decided when a document was taken in. What is read for it is not
    checked, but whatever is shown. Of who was erased nobody knows what was said: nothing is shown.
    """

    def __init__(self, view: LedgerView) -> None:
        self._view = view
        facts = view.facts()
        recorded = facts.recorded(PlayerIdentityCorrected)
        self._players = {each.seq: facts.player_ids[each.index] for each in recorded}
        self._seqs = [*self._players]
        self._known: dict[Seq, bool] = {}

    def holds(self, seq: Seq) -> bool:
        """Whether an event is such a one; those around it are looked up with it."""
        if seq not in self._players:
            return False
        if seq not in self._known:
            start = bisect_left(self._seqs, seq) // MOST * MOST
            self._look_up(self._seqs[start : start + MOST])
        return self._known.setdefault(seq, False)

    def _look_up(self, seqs: Sequence[Seq]) -> None:
        streams = {f"player:{self._players[seq]}" for seq in seqs}
        versions: dict[str, list[tuple[Seq, PlayerVersion]]] = {}
        for event in self._view.journal.streams(streams, upto=seqs[-1]):
            if event.type in (PlayerRegistered.TYPE, PlayerIdentityCorrected.TYPE):
                version = CATALOGUE.decode(event.type, event.version, event.payload)
                assert isinstance(version, PlayerVersion), "both are of that kind"
                versions.setdefault(event.stream, []).append((event.seq, version))
        digests = {version.identity for each in versions.values() for _, version in each}
        documents = self._view.journal.personal_documents(digests)
        for known in versions.values():
            for (_, before), (seq, after) in pairwise(known):
                self._known[seq] = _who(before, documents) == _who(after, documents)


def _who(version: PlayerVersion, documents: Mapping[str, str]) -> object:
    """Returns who somebody is, without how others know or print the person."""
    text = documents.get(version.identity)
    identity = identity_in(text) if text else None
    name = identity and (identity.name, identity.sex, identity.birth_date)
    return name, version.birth_year, version.federation


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads events of a ledger and checks them."""

    view: LedgerView
    known: AsOf
    check: EventCheck
    people: People
    same_people: _SamePeople
    undone: Mapping[Seq, Seq]

    @classmethod
    def of(cls, view: LedgerView) -> _Reading:
        facts = view.facts()
        known, undone = AsOf(facts, facts.seq), facts.undone_at(facts.seq)
        return cls(view, known, view.event_check(), view.people(facts), _SamePeople(view), undone)

    def commit(self, seq: Seq) -> Commit:
        """Returns the commit that an event came by."""
        return self.check.read(seq)[1]

    def correction_by(self, commit: Commit, most: int = MOST) -> Correction | None:
        """Return the correction that a commit made; None where it corrects nothing."""
        seqs = _changing(self.view.facts())
        bounds = commit.first_seq, commit.last_seq + 1
        corrected = seqs[slice(*np.searchsorted(seqs, bounds).tolist())]
        return self.correction(corrected, most) if len(corrected) else None

    def correction(self, seqs: Column, most: int) -> Correction | None:
        """Returns the correction of a commit by the seqs in question; None if there is none.

        Of very many no more are looked at than are shown: they are of one kind.
        """
        looked_at = seqs[: max(most, MOST)].tolist()
        read = map(self.check.read, looked_at)
        events = [
            event
            for event, commit in read
            if event.type in CORRECTING
            and not _is_slip(event, commit)
            and not self.same_people.holds(event.seq)
        ]
        if not events:
            return None
        index = self.view.facts().player_index
        subjects = [self._subject(event)[0] for event in events[:most]]
        named = [_players_in(json.loads(subject.payload)) for subject in subjects]
        self.people.read(index.of(player for players in named for player in players))
        commit = self.check.commit(events[0].commit_id, events[0].seq)
        first, second = people_of(commit.actor)
        return Correction(
            seq=events[0].seq,
            commit=commit.commit_id,
            recorded_at=commit.recorded_at,
            actor=commit.actor,
            reason=commit.reason,
            source=source_of_commit(self.view, commit),
            events=len(events) + len(seqs) - len(looked_at),
            items=tuple(self._item(event) for event in events[:most]),
            asked_by=first if second else None,
            decided_by=second or first,
            taken_back=self._taken_back(events),
        )

    def _taken_back(self, events: Sequence[StoredEvent]) -> TakenBack | None:
        """Return what took all of some events back; None while one of them holds."""
        seqs = [self.undone.get(event.seq) for event in events]
        if None in seqs:
            return None
        event, commit = self.check.read(min(filter(None, seqs)))
        return TakenBack(event.seq, commit.recorded_at, commit.actor, commit.reason)

    def editions(self, moved: Cascade, seq: Seq) -> Iterator[LaterEdition]:
        """Yields the first edition of each period that is moved which went out after a seq."""
        for of_list in moved.lists:
            out = self.view.facts().lists[of_list.list].publications
            wanted = {each.period for each in of_list.periods}
            for at, edition in out[bisect_right(out, seq, key=itemgetter(0)) :]:
                if edition.period in wanted:
                    wanted.remove(edition.period)
                    commit = self.commit(Seq(at))
                    yield LaterEdition(
                        edition.list, edition.period, edition.edition, commit.recorded_at
                    )

    def _item(self, event: StoredEvent) -> CorrectedItem:
        subject, is_undoing = self._subject(event)
        payload = json.loads(subject.payload)
        earlier = payload.get("supersedes")
        version = self._version(payload.get("tournament"), event.seq)
        was = played_on = entered_at = entered_by = None
        now = result_said(subject.type, payload)
        if earlier is not None:
            before, commit = self.check.read(earlier)
            was = result_said(before.type, json.loads(before.payload))
            played_on = dt.date.fromisoformat(before.effective_on)
            if version and version.starts_on < version.ends_on == played_on:
                played_on = None  # the day of a result whose day nobody told
            entered_at, entered_by = commit.recorded_at, commit.actor
        if is_undoing:
            commit = self.commit(subject.seq)
            was, now = now, was
            entered_at, entered_by = commit.recorded_at, commit.actor
        return CorrectedItem(
            seq=event.seq,
            type=event.type,
            tournament=payload.get("tournament"),
            title=None if version is None else version.name,
            round=payload.get("round"),
            players=tuple(self._players(payload)),
            was=was,
            now=now,
            played_on=played_on,
            entered_at=entered_at,
            entered_by=entered_by,
            taken_back_by=self.undone.get(event.seq),
        )

    def _subject(self, event: StoredEvent) -> tuple[StoredEvent, bool]:
        """Return what an event is about, and whether the event takes that back.

        That is the event itself, or what it takes back; who takes back a retraction records the
        first event anew.
        """
        is_undoing = False
        while event.type in UNDOING:
            event = self.check.read(Seq(json.loads(event.payload)["undoes"]))[0]
            is_undoing = not is_undoing
        return event, is_undoing

    def _version(self, tournament: str | None, seq: Seq) -> TournamentVersion | None:
        """Returns a tournament as known now; one that was taken back, as known before."""
        if tournament is None:
            return None
        facts = self.known.facts
        index = facts.tournament_index[tournament]
        return self.known.tournament(index) or AsOf(facts, Seq(seq - 1)).tournament(index)

    def _players(self, payload: dict[str, Any]) -> Iterator[PersonRef]:
        index = self.view.facts().player_index
        for player in _players_in(payload):
            yield PersonRef(PlayerId(player), self.people.name(index[player]) or None)


def _is_slip(event: StoredEvent, commit: Commit) -> bool:
    """Whether something typed at the desk was taken back at once: then no reason was asked."""
    is_undone = event.type == TournamentFactUndone.TYPE and not commit.reason
    return is_undone and json.loads(event.payload)["what"] not in UNDOING


def _players_in(payload: Mapping[str, Any]) -> list[str]:
    """Returns the ids of those whom an event names."""
    roles = ("white", "black", "player", "into")
    return [player for role in roles if (player := payload.get(role))]
