"""Questions about players: the statement of a period, the history, and why a rating moved."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import merge
from itertools import takewhile
from typing import Annotated, Any

import numpy as np

from ledger.answers.commits import source_of_commit
from ledger.calendar import Period
from ledger.errors import InputRefused, NotFound, VerificationFailed
from ledger.events.fast import PAIRING_TYPES
from ledger.events.tournaments import PlayerEntered
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.facts.mentions import mentions
from ledger.identifiers import PlayerId, PlayerIndex, Seq
from ledger.journal.records import Commit, StoredEvent
from ledger.json_form import INSTANT, ISO_DAY, RECORDED, SHA256, JsonForm
from ledger.lists.people import People
from ledger.lists.publications import calculated, last_shared
from ledger.rating.player_state import UNRATED
from ledger.replay.period_outcome import PeriodOutcome
from ledger.replay.replay import replay
from ledger.replay.timeline import Timeline, last_period
from ledger.reports.explanation import statement
from ledger.reports.histories import HistoryLine, history
from ledger.reports.statement import Instruction, Statement
from ledger.reports.why import RatingCauses, Why, why
from ledger.trust.signers import signers_between
from ledger.typed_values import edition_of
from ledger.views.list_editions import lists_compared, require_edition, require_period
from ledger.views.registers import survivors_at
from ledger.views.view import LedgerView


def explain(
    view: LedgerView,
    player: str,
    name: str,
    period_name: str,
    *,
    edition: int | None = None,
) -> Statement:
    """Returns a player's statement of a period, as known now, or to an edition."""
    facts = view.facts()
    basis = facts.seq
    if edition is not None:
        basis = require_edition(facts, name, period_name, edition).basis_seq
    period = require_period(facts, name, period_name, basis)
    index = view.player_index(facts, player, basis)
    outcome = view.calculated(facts, name, basis, period)
    counts_as = outcome.timeline.known.counts_as(index)
    return explained(view, outcome, counts_as, view.people(facts, basis), seq=basis)


def explained(
    view: LedgerView, outcome: PeriodOutcome, player: PlayerIndex, people: People, *, seq: Seq
) -> Statement:
    """Returns the statement of a player, by index, whose period is calculated already.

    ``outcome`` and ``people`` are as known at ``seq``, ``player`` is one that counts as itself.
    """
    statement_ = statement(outcome, player, people, seq=seq)
    return (
        replace(statement_, orders=_signed(view, statement_.orders))
        if statement_.orders
        else statement_
    )


def statements_without_rating(
    view: LedgerView, last: PeriodOutcome, among: Iterable[str] | None = None
) -> Iterator[Statement]:
    """Yields the statements of those who are in a list and have no rating in it yet.

    ``last`` is the list's last period, as known now. Of some players, by id, or (None) of all.
    """
    facts = view.facts()
    people = view.people(facts)
    into, closing = last.timeline.known.merged_into, last.closing
    waiting = closing.listed[into].astype(np.bool_) & (closing.rating[into] == UNRATED)
    waiting &= into == np.arange(len(into))
    # Whom they met are read with them: of some, who plays at the same time is among these.
    if among is None:
        people.names(np.flatnonzero(closing.listed))
    else:
        wanted = np.zeros(len(into), dtype=np.bool_)
        wanted[facts.player_index.of(among)] = True
        people.names(np.flatnonzero(wanted))
        waiting &= wanted
    players = np.flatnonzero(waiting).tolist()
    if players:
        _ = last.calculation  # once: else the games of each are looked for among all
    for player in map(PlayerIndex, players):
        yield explained(view, last, player, people, seq=facts.seq)


def _signed(view: LedgerView, orders: Sequence[Instruction]) -> tuple[Instruction, ...]:
    """Returns orders with who gave them and why, as their commits say."""
    check = view.event_check()
    signed = []
    for order in orders:
        _, commit = check.read(order.seq)
        signed.append(replace(order, actor=commit.actor, reason=commit.reason))
    return tuple(signed)


def history_of(view: LedgerView, player: str, name: str) -> list[HistoryLine]:
    """Returns a player's ratings by period, published beside restated."""
    facts = view.facts_of(name)
    index = view.player_index(facts, player)
    return history(facts, name, index, last_period(facts, name))


def why_of(
    view: LedgerView,
    player: str,
    name: str,
    before: tuple[str, int | None],
    after: tuple[str, int | None],
) -> Why:
    """Splits the difference of a player's rating between two lists by cause.

    Each list is a period and an edition; without an edition it is the last published one, and the
    period as known now where none was published.
    """
    facts = view.facts_of(name)
    index = view.player_index(facts, player)
    timelines = [_asked(facts, name, which) for which in (before, after)]
    first, second = (period for _, period in timelines)
    if first.index > second.index:
        raise InputRefused("list.why_backwards", before=before[0], after=after[0])
    earliest = min(timeline.known.seq for timeline, _ in timelines)
    shared = last_shared(facts, name, (earliest, facts.seq), first)
    start = calculated(facts, name, facts.seq, shared) if shared else None
    rating = 0
    if start is not None:
        rating = int(start.closing.rating[start.timeline.known.merged_into[index]])
    earlier, later = (_from(*each, start) for each in timelines)
    people, survivors = view.people(facts), survivors_at(facts, facts.seq)
    return why(earlier, later, index, people, survivors, rating)


def why_between(
    view: LedgerView, player: str, name: str, before: str | None, after: str | None
) -> RatingCauses:
    """Returns ``why_of`` a rating differs between the two lists of ``lists_compared``."""
    before, after = lists_compared(view, name, before, after)
    split = why_of(view, player, name, edition_of(before), edition_of(after))
    return RatingCauses(PlayerId(player), name, before, after, split)


def _from(
    timeline: Timeline, until: Period, after: PeriodOutcome | None
) -> Iterator[PeriodOutcome]:
    """Yields the periods behind one that is the same (None: from the first) up to a last one."""
    first = after.period.index + 1 if after else 0
    if first <= until.index:
        for outcome in replay(timeline, until, after=after.state if after else None):
            if outcome.period.index >= first:
                yield outcome


def _asked(facts: Facts, name: str, which: tuple[str, int | None]) -> tuple[Timeline, Period]:
    """Returns a list as it is asked for: as known at its basis, up to a period."""
    period_name, edition = which
    published = any(e.period == period_name for _, e in facts.lists[name].publications)
    basis = facts.seq
    if published or edition is not None:
        basis = require_edition(facts, name, period_name, edition).basis_seq
    return Timeline(AsOf(facts, basis), name), require_period(facts, name, period_name, basis)


def log_of(
    view: LedgerView,
    *,
    player: str | None,
    tournament: str | None,
    since: int,
    first: int | None = None,
    last: int | None = None,
) -> list[EventReport]:
    """Returns events with the commit they came by: who, when, why, from what.

    A player's log holds what names the player, by any id that was merged; not what happened to
    the tournaments.

    Args:
        view: what is recorded.
        player: only what names this one; None for everybody.
        tournament: only what happened to it; None for all.
        since: the first seq.
        first: no more events than these, the first ones; None for all.
        last: no more events than these, the last ones, are read where the log is of everything;
            None for all.
    """
    facts, named = view.facts(), set[str]()
    if player is not None:
        view.player_index(facts, player)
        named |= survivors_at(facts, facts.seq).same_person(player)
    if tournament is not None:
        if tournament not in facts.tournament_index:
            raise NotFound("tournament.unknown", tournament=tournament)
        view.register([f"tournament:{tournament}"], facts.seq)  # that none is missing
        events = view.journal.streams([f"tournament:{tournament}"])
    elif player is not None:
        events = _naming_any(view, facts, named)
    else:
        since = max(1, since, facts.seq - last + 1 if last is not None else 1)
        upto = facts.seq if first is None else min(facts.seq, since + first - 1)
        events = _dense(view.journal.events(after=since - 1, upto=upto), since, upto)
    check = view.event_check()
    rows: list[tuple[StoredEvent, dict[str, Any], Commit]] = []
    for event in check.checked(events):
        if len(rows) == first:
            break
        payload = json.loads(event.payload)
        if event.seq >= since and (player is None or named & _players(payload)):
            rows.append((event, payload, check.commit(event.commit_id, event.seq)))
    if not rows:
        return []
    signed = signers_between(view.journal, rows[0][2].commit_id, rows[-1][2].commit_id)
    return [_reported(view, *row, signed_by=signed.get(row[2].commit_id, [])) for row in rows]


@dataclass(frozen=True, slots=True)
class EventReport(JsonForm):
    """An event with the commit that it came by, and the accounts that signed it."""

    seq: Seq
    type: str
    version: int
    effective_on: Annotated[str, ISO_DAY]
    stream: str
    payload: Annotated[dict[str, Any], RECORDED]
    commit: int
    recorded_at: Annotated[str, INSTANT]
    actor: str
    reason: str
    source: str | None
    source_sha256: Annotated[str | None, SHA256]
    event_id: str
    leaf_hash: Annotated[str, SHA256]
    signed_by: Sequence[str]


@dataclass(frozen=True, slots=True)
class EventReports(JsonForm):
    """Some events, by seq."""

    events: Sequence[EventReport]


def _reported(
    view: LedgerView,
    event: StoredEvent,
    payload: dict[str, Any],
    commit: Commit,
    *,
    signed_by: Sequence[str],
) -> EventReport:
    return EventReport(
        seq=event.seq,
        type=event.type,
        version=event.version,
        effective_on=event.effective_on,
        stream=event.stream,
        payload=payload,
        commit=commit.commit_id,
        recorded_at=commit.recorded_at,
        actor=commit.actor,
        reason=commit.reason,
        source=source_of_commit(view, commit),
        source_sha256=commit.source_sha256,
        event_id=event.event_id,
        leaf_hash=event.leaf_hash,
        signed_by=signed_by,
    )


def _naming_any(view: LedgerView, facts: Facts, players: set[str]) -> Iterator[StoredEvent]:
    """Yields, in order and once, the events that ``_naming`` does for any of some ids."""
    last = 0
    found = (_naming(view, facts, player) for player in sorted(players))
    for event in merge(*found, key=lambda event: event.seq):
        if event.seq > last:
            yield event
            last = event.seq


def _naming(view: LedgerView, facts: Facts, player: str) -> Iterator[StoredEvent]:
    """Yields the events whose payload holds a player's id, and perhaps some more.

    The index that brings them may be damaged.

    Raises:
        VerificationFailed: there are fewer than the facts know of.
    """
    mentioned = mentions(facts, player)
    view.register(mentioned.others, facts.seq)  # that none is missing
    left, unentered = mentioned.pairings, set(mentioned.paired)
    text = json.dumps(player, ensure_ascii=False)
    found = view.journal.mentioning(text, mentioned.paired | mentioned.others)
    for event in takewhile(lambda event: event.seq <= facts.seq, found):
        if player in _players(json.loads(event.payload)):
            left -= event.type in PAIRING_TYPES
            if event.type == PlayerEntered.TYPE:
                unentered.discard(event.stream)
        yield event
    if left or unentered:
        stream = min(unentered, default=f"player:{player}")
        raise VerificationFailed("verify.stream", stream=stream)


def _dense(events: Iterator[StoredEvent], first: int, last: int) -> Iterator[StoredEvent]:
    """Yields events; raises ``VerificationFailed`` when one is missing between two seqs."""
    expected = first
    for event in events:
        if event.seq != expected:
            break
        yield event
        expected += 1
    if expected <= last:
        values = {"expected": expected, "last": expected, "commit": "-"}
        raise VerificationFailed("verify.seq_missing", **values)


def _players(payload: dict[str, Any]) -> set[object]:
    roles = ("player", "white", "black", "into", "challenger", "challenged")
    return {payload.get(role) for role in roles} | set(payload.get("players", ()))
