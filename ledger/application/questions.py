"""Questions about players: the statement of a period, the history, and why a rating moved."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from heapq import merge
from typing import Any

from ledger.application.ledger import Ledger
from ledger.application.lists import require_edition, require_period
from ledger.application.registers import survivors_at
from ledger.errors import InputRefused, NotFound, VerificationFailed
from ledger.facts.columns import Facts
from ledger.journal.entries import Journal, StoredEvent
from ledger.journal.event_check import EventCheck
from ledger.lists.published import calculated
from ledger.replay.replay import PeriodOutcome, replay
from ledger.reports.history import HistoryLine, history
from ledger.reports.impact import last_period
from ledger.reports.statement import Order, Statement, statement
from ledger.reports.why import Why, why


def explain(
    ledger: Ledger,
    player: str,
    name: str,
    period_name: str,
    *,
    edition: int | None = None,
    as_known_at: int | None = None,
) -> Statement:
    """Returns a player's statement of a period, as known now, at a seq, or to an edition."""
    facts = ledger.facts()
    basis = facts.seq if as_known_at is None else as_known_at
    if edition is not None:
        basis = require_edition(ledger, facts, name, period_name, edition).basis_seq
    period = require_period(ledger, facts, name, period_name, basis)
    index = ledger.player_index(facts, player, basis)
    outcome = calculated(facts, name, basis, period)
    counts_as = int(outcome.timeline.known.merged_into[index])
    made = statement(outcome, counts_as, ledger.people(facts, basis), seq=basis)
    return replace(made, orders=_signed(ledger, made.orders))


def _signed(ledger: Ledger, orders: Sequence[Order]) -> tuple[Order, ...]:
    """Returns orders with who gave them and why, as their commits say."""
    check = EventCheck(ledger.journal)
    signed = []
    for order in orders:
        (event,) = check.checked(ledger.journal.events(after=order.seq - 1, upto=order.seq))
        commit = check.commit(event.commit_id, event.seq)
        signed.append(replace(order, actor=commit.actor, reason=commit.reason))
    return tuple(signed)


def history_of(ledger: Ledger, player: str, name: str) -> list[HistoryLine]:
    """Returns a player's ratings by period, published beside restated."""
    facts = ledger.facts()
    index = ledger.player_index(facts, player)
    ledger.require_list(facts, name)
    return history(facts, name, index, last_period(facts, name))


def why_of(
    ledger: Ledger,
    player: str,
    name: str,
    before: tuple[str, int | None],
    after: tuple[str, int | None],
) -> Why:
    """Splits the difference of a player's rating between two lists by cause.

    Each list is a period and an edition; without an edition it is the last published one, and the
    period as known now where none was published.
    """
    facts = ledger.facts()
    index = ledger.player_index(facts, player)
    first = _outcomes(ledger, facts, name, before)
    second = _outcomes(ledger, facts, name, after)
    if len(first) > len(second):
        raise InputRefused("list.why_backwards", before=before[0], after=after[0])
    return why(first, second, index, ledger.people(facts), survivors_at(facts, facts.seq))


def _outcomes(
    ledger: Ledger, facts: Facts, name: str, which: tuple[str, int | None]
) -> list[PeriodOutcome]:
    period_name, edition = which
    ledger.require_list(facts, name)
    published = any(e.period == period_name for _, e in facts.lists[name].publications)
    basis = facts.seq
    if published or edition is not None:
        basis = require_edition(ledger, facts, name, period_name, edition).basis_seq
    period = require_period(ledger, facts, name, period_name, basis)
    return list(replay(facts, name, basis, period))


def log_of(
    ledger: Ledger, *, player: str | None, tournament: str | None, since: int
) -> list[dict[str, Any]]:
    """Returns events as JSON data with the commit they came by: who, when, why, from what.

    A player's log holds what names him, by any id that he went by before a merge; what happened to
    tournaments he was in is not his.
    """
    facts, named = ledger.facts(), set[str]()
    if tournament is not None:
        if tournament not in facts.tournament_index:
            raise NotFound("tournament.unknown", tournament=tournament)
        ledger.register([f"tournament:{tournament}"], facts.seq)  # that none is missing
        events = ledger.journal.streams([f"tournament:{tournament}"])
    elif player is not None:
        ledger.player_index(facts, player)
        named |= survivors_at(facts, facts.seq).same_person(player)
        events = _mentioning(ledger.journal, named)
    else:
        events = ledger.journal.events(after=since - 1)
    if tournament is None and player is None:
        events = _dense(events, max(1, since), facts.seq)
    check = EventCheck(ledger.journal)
    rows = []
    for event in check.checked(events):
        payload = json.loads(event.payload)
        is_named = player is None or named & _players(payload)
        if event.seq < since or not is_named:
            continue
        commit = check.commit(event.commit_id, event.seq)
        rows.append(
            {
                "seq": event.seq,
                "type": event.type,
                "version": event.version,
                "effective_on": event.effective_on,
                "stream": event.stream,
                "payload": payload,
                "commit": commit.commit_id,
                "recorded_at": commit.recorded_at,
                "actor": commit.actor,
                "reason": commit.reason,
                "source": commit.source_name,
                "source_sha256": commit.source_sha256,
                "event_id": event.event_id,
                "leaf_hash": event.leaf_hash,
            }
        )
    return rows


def _mentioning(journal: Journal, players: set[str]) -> Iterator[StoredEvent]:
    """Yields, in order and once, the events that may name one of the players."""
    last = 0
    texts = (json.dumps(player, ensure_ascii=False) for player in sorted(players))
    for event in merge(*map(journal.mentioning, texts), key=lambda event: event.seq):
        if event.seq > last:
            yield event
            last = event.seq


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
