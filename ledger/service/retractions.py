"""Takes back what commits recorded: everything of one, or that two ids are one person.

Nothing is erased: an event says of another one that it never held, and whoever reads what is known
leaves that out. What others stand on is not taken away under them: the later ones are named. No
place is filled twice: without the events, or again with them, the ledger may have no conflict
(``registrar.conflicts``) that it has not before. The conflict names what fills the place.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ledger.answers.commits import numbered_commit, recorded_in_words
from ledger.errors import InputRefused, Problem
from ledger.events import desk as de
from ledger.events import tournaments as to
from ledger.events.catalogue import CATALOGUE, UNDOING, FactUndone
from ledger.events.fast import PAIRING_TYPES
from ledger.events.ladders import LadderJoined, LadderLeft, LadderOpened
from ledger.events.lists import ListDefined, ListFactUndone, ListPublished, TwoPersonsSet
from ledger.events.model import AccountEvent, Dated, LadderEvent
from ledger.events.players import (
    PlayerErased,
    PlayerFactUndone,
    PlayerIdentityCorrected,
    PlayerRegistered,
    PlayersMerged,
)
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.facts.mentions import with_anybody
from ledger.identifiers import Seq
from ledger.journal.records import Commit, Head, StoredEvent
from ledger.operations.retractions import SplitPlayer, UndoCommit
from ledger.service.conflicts import LedgerState, state_without, tournaments_of_merges
from ledger.service.decisions import Decided
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.views.registers import ids_of
from ledger.views.view import LedgerView
from ledger.wording import Message

_MOST_NAMED: Final = 20
_MODELS: Final[Mapping[str, type[FactUndone]]] = {
    "list": ListFactUndone,
    "player": PlayerFactUndone,
    "tournament": to.TournamentFactUndone,
}
_ANNOUNCING: Final = frozenset({to.TournamentAnnounced.TYPE, to.TournamentCancelled.TYPE})
_NO_OBSTACLES: Final = UNDOING | {PlayerErased.TYPE}
"""What stands whatever is taken back before it: an erased id stays erased."""
_BEGINNINGS: Final = frozenset({PlayerRegistered.TYPE, to.TournamentOpened.TYPE})
_BEFORE: Final = _ANNOUNCING | {PlayerRegistered.TYPE}
"""What came before the event that begins a stream, or begins it, when that is brought back."""
NEVER: Final[Mapping[str, str]] = {
    **{
        model.TYPE: key
        for model in CATALOGUE.models()
        for base, key in ((AccountEvent, "undo.account"), (LadderEvent, "undo.ladder"))
        if issubclass(model, base)
    },
    LadderJoined.TYPE: "undo.ladder_joined",
    LadderLeft.TYPE: "undo.ladder_left",
    LadderOpened.TYPE: "undo.ladder_opened",
    PlayerErased.TYPE: "undo.erased",
    ListDefined.TYPE: "undo.list_defined",
    ListPublished.TYPE: "undo.published",
    TwoPersonsSet.TYPE: "undo.say_otherwise",
    de.StandingsPublished.TYPE: "undo.published",
    de.RoundWithdrawn.TYPE: "undo.round_withdrawn",
}
"""The types of events that are not taken back, with the sentence that says why and what to do."""


def why_final(types: Iterable[str]) -> Message | None:
    """Returns why a commit with events of these types cannot be undone; None: it can be undone."""
    return next((Message.of(NEVER[type_]) for type_ in types if type_ in NEVER), None)


_OF_PAIRING: Final = frozenset(
    model.TYPE
    for model in (
        de.RulesAnnounced, de.EntryDescribed, de.NumbersAssigned, de.AbsenceAnnounced,
        de.AbsenceExcused, de.PlayerExpelled, de.TeamEntered, de.LineupHandedIn,
        to.PlayerWithdrew, to.PlayerReturned,
    )
)  # fmt: skip
"""What rounds are paired from: it stands once a later round is paired."""
_IDENTIFYING: Final = {PlayerIdentityCorrected.TYPE, PlayersMerged.TYPE, PlayerFactUndone.TYPE}
"""What may give a player an id that somebody else has by now, when it is taken back."""


def undo_commit(ledger: Ledger, command: UndoCommit, request: Request) -> Receipt:
    """Takes back all that a commit recorded and that holds still.

    Raises:
        NotFound: there is no such commit.
        InputRefused: something of it cannot be taken back, later facts stand on it, or no reason is
            said; with everything that stands in the way.
    """
    _require_reason(request)

    def decide(head: Head) -> Decided:
        commit = numbered_commit(ledger, command.commit)
        counts = ledger.journal.type_counts(after=commit.first_seq - 1, upto=commit.last_seq)
        note = Message.of("undo.had_recorded", what=recorded_in_words(counts))
        return Decided(_Undoing(ledger, head, commit).events(None), notes=(Problem(note),))

    return ledger.append_decided(decide, request)


def split_player(ledger: Ledger, command: SplitPlayer, request: Request) -> Receipt:
    """Takes back that an id was given up for another, with the ratings that were let go for it.

    Raises:
        NotFound: nobody has the id.
        InputRefused: it was not given up, or no reason is said.
    """
    _require_reason(request)

    def decide(head: Head) -> Decided:
        facts = ledger.facts()
        index = ledger.player_index(facts, command.player)
        undone = facts.undone_at(head.seq)
        merged = [m.seq for m in facts.merges if m.player == index and m.seq not in undone]
        if not merged:
            raise InputRefused("player.not_merged", player=command.player)
        _, commit = ledger.event_check().read(merged[-1])
        undoing, seqs = _Undoing(ledger, head, commit), _of_merge(ledger, merged[-1], commit)
        return Decided(undoing.events(seqs, "player.split_stands", player=command.player))

    return ledger.append_decided(decide, request)


def retraction(view: LedgerView, head: Head, *seqs: Seq) -> Sequence[Dated]:
    """Returns what takes back events of one commit at a head.

    Raises:
        InputRefused: they cannot be taken back; with everything that stands in the way.
    """
    _, commit = view.event_check().read(seqs[0])
    return _Undoing(view, head, commit).events(seqs)


def _of_merge(view: LedgerView, merge: Seq, commit: Commit) -> set[Seq]:
    """Returns what was recorded for a merge: itself, and the ratings taken back just before it."""
    found = {merge}
    recorded = [*view.journal.events(after=commit.first_seq - 1, upto=merge - 1)]
    for event in reversed([*view.event_check().checked(recorded)]):
        if event.type != PlayerFactUndone.TYPE:
            break
        found.add(event.seq)
    return found


def obstacles_to(view: LedgerView, commit: Commit) -> Sequence[Message]:
    """Returns what stands in the way of taking a commit back now; nothing, where nothing does."""
    try:
        _Undoing(view, view.journal.head(), commit).events(None)
    except InputRefused as refusal:
        return [each.message for each in refusal.details] or [refusal.message]
    return ()


def taken_back_by(view: LedgerView, commit: Commit) -> list[int]:
    """Returns the numbers of the commits that took back what a commit recorded, in order."""
    undone = view.facts().undone_at(view.journal.head().seq)
    seqs = {by for seq, by in undone.items() if commit.first_seq <= seq <= commit.last_seq}
    return sorted({view.event_check().read(seq)[1].commit_id for seq in sorted(seqs)[:_MOST_NAMED]})


def _require_reason(request: Request) -> None:
    if not request.reason.strip():
        raise InputRefused("registrar.needs_reason")


@dataclass(slots=True)
class _Chosen:
    """What is to be taken back: the events, and what they began, which then never was."""

    events: list[StoredEvent] = field(default_factory=list)
    tournaments: dict[str, StoredEvent] = field(default_factory=dict)
    players: set[str] = field(default_factory=set)

    @property
    def streams(self) -> dict[str, list[StoredEvent]]:
        """The events by their streams."""
        found = defaultdict[str, list[StoredEvent]](list)
        for event in self.events:
            found[event.stream].append(event)
        return dict(found)


class _Undoing:
    """Finds what taking a commit back records at a head, and what stands in its way."""

    def __init__(self, view: LedgerView, head: Head, commit: Commit) -> None:
        self._view = view
        self._head = head
        self._commit = commit
        self._facts: Facts = view.facts()
        self._known = AsOf(self._facts, head.seq)
        self._after = LedgerState(view, self._known, head.seq)  # until it is known without what
        self._problems: list[Message] = []

    def events(
        self, seqs: Collection[Seq] | None, refusal: str = "undo.stands", **values: object
    ) -> Sequence[Dated]:
        """Returns what is to be recorded; ``seqs`` are those to be taken back (None: all).

        ``refusal`` is the key of the message, with its values, where something stands in the way.
        """
        chosen = self._chosen(seqs)
        if not chosen.events and not chosen.tournaments:
            raise InputRefused("undo.already", commit=self._commit.commit_id)
        taken = [*chosen.events, *chosen.tournaments.values()]
        self._after = state_without(self._view, self._known, self._head.seq, taken)
        self._check(chosen)
        if self._problems:
            problems = map(Problem, self._problems[:_MOST_NAMED])
            raise InputRefused(refusal, *problems, commit=self._commit.commit_id, **values)
        return [_undone(event) for event in sorted(taken, key=lambda each: -each.seq)]

    def _chosen(self, seqs: Collection[Seq] | None) -> _Chosen:
        """Reads what of the commit holds; of what it began only the beginning is needed."""
        chosen = _Chosen()
        opened = set[str]()
        for event in self._of_commit():
            if seqs is not None and event.seq not in seqs:
                continue
            is_held = self._known.holds(event.seq)
            if event.type == to.TournamentOpened.TYPE:
                opened.add(event.stream)
                if is_held:
                    chosen.tournaments[event.stream] = event
            elif is_held and event.stream not in opened:
                chosen.events.append(event)
        return chosen

    def _of_commit(self) -> Iterator[StoredEvent]:
        """Yields the events of the commit, in order."""
        commit = self._commit
        events = self._view.journal.events(after=commit.first_seq - 1, upto=commit.last_seq)
        return self._view.event_check().checked(events)

    # What stands in the way

    def _check(self, chosen: _Chosen) -> None:
        left = np.flatnonzero(self._known.is_registered & ~self._after.known.is_registered)
        chosen.players = {self._facts.player_ids[player] for player in left.tolist()}
        keys = dict.fromkeys(NEVER[event.type] for event in chosen.events if event.type in NEVER)
        self._problems += map(Message.of, keys)
        self._check_alone([*chosen.tournaments, *(f"player:{id_}" for id_ in chosen.players)])
        self._check_unpaired(chosen)
        self._check_conflicts(chosen)
        undoing = {
            stream: events
            for stream, events in chosen.streams.items()
            if any(event.type in UNDOING for event in events)
        }
        self._check_last(undoing)
        for stream, events in chosen.streams.items():
            kind, _, id_ = stream.partition(":")
            if kind == "tournament" and stream not in undoing:
                self._check_tournament(id_, events)

    def _check_conflicts(self, chosen: _Chosen) -> None:
        """Finds the conflicts that there will be and are not there yet."""
        about = {
            "tournaments": ids_of("tournament", chosen.streams)
            | tournaments_of_merges(self._view, self._known, self._after.known),
            "lists": ids_of("list", chosen.streams),
        }
        with_ids = any(event.type in _IDENTIFYING for event in chosen.events)
        if conflicts := [*self._after.conflicts(**about, with_ids=with_ids)]:
            now = LedgerState(self._view, self._known, self._head.seq)
            known = [*now.conflicts(**about, with_ids=with_ids)]
            self._problems += (message for message in conflicts if message not in known)

    def _is_of_commit(self, seq: Seq) -> bool:
        return self._commit.first_seq <= seq <= self._commit.last_seq

    def _of_others(self, streams: Collection[str]) -> Iterator[StoredEvent]:
        """Yields what others recorded in streams, holds and will hold, but for what takes back."""
        events = self._view.journal.streams(sorted(streams), upto=self._head.seq)
        for event in self._view.event_check().checked(events) if streams else ():
            is_theirs = not self._is_of_commit(event.seq) and event.type not in _NO_OBSTACLES
            if is_theirs and self._known.holds(event.seq) and self._after.known.holds(event.seq):
                yield event

    def _check_alone(self, streams: Collection[str]) -> None:
        """Finds what others recorded of what the commit began."""
        for event in self._of_others(streams):
            if event.type not in _BEFORE:
                self._later(event)

    def _later(self, event: StoredEvent) -> None:
        values = {"seq": event.seq, "type": event.type, "commit": event.commit_id}
        self._problems.append(Message.of("undo.later", stream=event.stream, **values))

    def _check_last(self, streams: Mapping[str, Sequence[StoredEvent]]) -> None:
        """Find what was recorded since something was taken back and may contradict it.

        Of pairings that come back beside other pairings the conflicts of the state tell.
        """
        first = {stream: min(each.seq for each in events) for stream, events in streams.items()}
        paired = {stream for stream, events in streams.items() if all(map(_is_of_pairing, events))}
        for event in self._of_others(streams):
            is_beside = event.stream in paired and event.type in PAIRING_TYPES
            if event.seq > first[event.stream] and not is_beside:
                self._later(event)
        for stream, events in streams.items():
            if self._is_void(stream) and not any(map(_brings_back, events)):
                self._problems.append(Message.of("undo.needed", stream=stream))

    def _is_void(self, stream: str) -> bool:
        """Whether the beginning of a stream is taken back."""
        kind, _, id_ = stream.partition(":")
        facts, known = self._facts, self._known
        match kind:
            case "player":
                return not known.is_registered[facts.player_index[id_]]
            case "tournament":
                index = facts.tournament_index.get(id_)  # None: it was only announced
                return index is not None and not known.is_open[index]
            case _:
                return False

    def _check_unpaired(self, chosen: _Chosen) -> None:
        """Finds tournaments of others in which somebody plays or is entered who never was."""
        facts = self._facts
        indexes = [facts.player_index[player] for player in sorted(chosen.players)]
        if not indexes:
            return
        apart = {*chosen.tournaments, *chosen.streams}  # these are looked at as they will be
        voided = {facts.tournament_index.get(id_.partition(":")[2]) for id_ in apart}
        known = self._known
        for games in known.games_by_block():
            plays = np.isin(games.white, indexes) | np.isin(games.black, indexes)
            for tournament in np.unique(games.tournament[plays]).tolist():
                if tournament not in voided:
                    self._plays(facts.tournament_ids[tournament])
        # Who was entered and has no game is in one of the streams that may name anybody.
        for stream in sorted(with_anybody(facts) - apart):
            kind, _, id_ = stream.partition(":")
            named: Collection[str] = ()
            if kind == "tournament" and known.is_open[facts.tournament_index[id_]]:
                record = self._view.tournament(id_, self._head.seq)
                named = record.entries if record is not None else ()
            elif kind == "ladder":
                named = facts.ladders[id_].known(self._head.seq).since
            if not chosen.players.isdisjoint(named):
                self._plays(id_)

    def _plays(self, tournament: str) -> None:
        message = Message.of("undo.plays", tournament=tournament)
        if message not in self._problems:
            self._problems.append(message)

    def _check_tournament(self, id_: str, events: Sequence[StoredEvent]) -> None:
        """Finds what others recorded of a tournament because of some events."""
        self._check_announcements(events)
        events = [event for event in events if event.type not in _ANNOUNCING]
        if not events:
            return
        self._name_superseding(events)
        record = None if self._problems else self._after.record(id_)
        if record is None:
            return
        for event in events:
            is_paired_from = event.type in _OF_PAIRING
            later = [round_ for round_, each in record.desk.rounds.items() if each.seq > event.seq]
            if later and (is_paired_from or event.type in PAIRING_TYPES):
                values = {"seq": event.seq, "type": event.type, "round": min(later)}
                key = "undo.paired" if is_paired_from else "undo.paired_from"
                self._problems.append(Message.of(key, tournament=id_, **values))
            if event.type == de.RoundPublished.TYPE:
                published = CATALOGUE.decode(event.type, event.version, event.payload)
                assert isinstance(published, de.RoundPublished)
                if (round_ := published.round) in {number for number, _ in record.pairings}:
                    self._problems.append(Message.of("undo.round", tournament=id_, round=round_))

    def _check_announcements(self, events: Sequence[StoredEvent]) -> None:
        """Names what others cancelled of some announcements."""
        seqs = {event.seq for event in events}
        for each in self._facts.recorded(to.TournamentCancelled):
            is_theirs = self._known.holds(each.seq) and not self._is_of_commit(each.seq)
            if is_theirs and each.event.announcement in seqs:
                self._later(self._view.event_check().read(each.seq)[0])

    def _name_superseding(self, events: Sequence[StoredEvent]) -> None:
        """Names what was said of pairings in the place of some events."""
        pairs, known = self._facts.supersession, self._known
        in_place = np.isin(pairs.earlier, [event.seq for event in events])
        for seq in pairs.seq[in_place & known.holding(pairs.seq)].tolist():
            if not self._is_of_commit(seq):
                self._later(self._view.event_check().read(seq)[0])


def _brings_back(event: StoredEvent) -> bool:
    """Whether to take an event back is to let a player or a tournament begin again."""
    return _type_undone(event) in _BEGINNINGS


def _is_of_pairing(event: StoredEvent) -> bool:
    """Return whether an event takes a pairing back."""
    return _type_undone(event) in PAIRING_TYPES


def _type_undone(event: StoredEvent) -> str:
    """Return the type of the event that an event takes back; "" where it takes none back."""
    decoded = CATALOGUE.decode(event.type, event.version, event.payload)
    return getattr(decoded, "what", "")


def _undone(event: StoredEvent) -> Dated:
    """Returns what takes an event back, from the day on from which it held."""
    kind, _, id_ = event.stream.partition(":")
    content = {kind: id_, "undoes": event.seq, "what": event.type}
    day = dt.date.fromisoformat(event.effective_on)
    return Dated(day, _MODELS[kind].model_validate(content))
