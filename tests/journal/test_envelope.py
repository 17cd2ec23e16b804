"""What a leaf covers, judged by an independent implementation of RFC 8785."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from dataclasses import asdict, replace
from typing import Any

import pytest
import rfc8785
from hypothesis import given, reject
from hypothesis import strategies as st

from ledger.errors import InputRefused
from ledger.events.players import PlayerRegistered
from ledger.events.tournaments import TournamentOpened
from ledger.identifiers import NO_EVENT
from ledger.journal.envelope import (
    envelope,
    event_id,
    event_ids,
    event_leaf_hashes,
    header,
    header_digest,
    instant,
    not_before,
    seal,
)
from ledger.journal.merkle import EMPTY_ROOT, leaf_hash
from ledger.journal.records import Commit, Draft, Head, StoredEvent
from ledger.terms import Rate, System
from tests.journal.drafts import NOON, draft, game

EMPTY = Head(0, NO_EVENT, EMPTY_ROOT.hex())
texts = st.text(st.characters(exclude_categories=["Cs"]))
numbers = st.integers(0, 2**53 - 1)

commits = st.builds(
    Commit,
    commit_id=numbers,
    recorded_at=texts,
    actor=texts,
    reason=texts,
    source_name=st.none() | texts,
    source_sha256=st.none() | texts,
    idempotency_key=texts,
    body_sha256=texts,
    first_seq=numbers,
    last_seq=numbers,
    peaks=texts,
    root=texts,
)
events = st.builds(
    StoredEvent,
    seq=numbers,
    event_id=texts,
    commit_id=numbers,
    type=texts,
    version=numbers,
    effective_on=texts,
    stream=texts,
    payload=texts,
    leaf_hash=texts,
)


@given(commit=commits)
def test_a_header_is_canonical_json(commit: Commit) -> None:
    fields = {
        name: value
        for name, value in asdict(commit).items()
        if value is not None and name not in {"peaks", "root"}
    }
    assert header(commit) == rfc8785.dumps(fields)


@given(event=events)
def test_an_envelope_is_canonical_json(event: StoredEvent) -> None:
    fields = asdict(event)
    del fields["leaf_hash"], fields["commit_id"]
    assert envelope(event, "c" * 64) == rfc8785.dumps({**fields, "commit": "c" * 64})


@given(stored=st.lists(events, max_size=4))
def test_many_are_hashed_as_one_by_one(stored: list[StoredEvent]) -> None:
    named = [replace(event, event_id=f"{at:032x}") for at, event in enumerate(stored)]
    columns = [
        [getattr(event, name) for event in named]
        for name in (
            "seq", "event_id", "type", "version", "effective_on", "stream", "payload",
        )
    ]  # fmt: skip
    wanted = [leaf_hash(envelope(event, "c" * 64)) for event in named]
    assert event_leaf_hashes("c" * 64, *columns) == wanted
    assert event_ids("key", 3, 4) == [event_id("key", position) for position in range(3, 7)]


@given(
    name=st.from_regex(
        r"\A[^\s\x00-\x1f\x7f-\x9f](?:[ -~\u00a1-\u00ac\u0100-\u017f]{0,40}[!-~])?\Z"
    ),
    rounds=st.none() | st.integers(1, 999),
)
def test_a_payload_is_canonical_json(name: str, rounds: int | None) -> None:
    try:
        event = TournamentOpened(
            ends_on=dt.date(2026, 1, 3),
            name=name,
            rate_of_play=Rate.RAPID,
            rounds=rounds,
            starts_on=dt.date(2026, 1, 1),
            system=System.SWISS,
            tournament='a "b" \\ é 𝄞',
        )
    except ValueError:  # the event refuses some of them
        reject()
    payload = event.canonical()
    assert payload.encode() == rfc8785.dumps(json.loads(payload))


def sealed(drafted: Draft) -> tuple[Commit, list[StoredEvent]]:
    commit, hashed = seal(drafted, EMPTY, "", NOON)
    return commit, [StoredEvent(*row) for rows in hashed.pages() for row in rows]


def test_every_column_enters_the_leaf() -> None:
    commit, (event,) = sealed(draft())
    digest = header_digest(commit)
    for name, value in asdict(event).items():
        if name in {"leaf_hash", "commit_id"}:  # the former is the leaf, the latter in the header
            continue
        other: dict[str, Any] = {name: value + 1 if isinstance(value, int) else f"{value}."}
        assert leaf_hash(envelope(replace(event, **other), digest)).hex() != event.leaf_hash, name
    for name, value in asdict(commit).items():
        if name in {"peaks", "root"}:  # what follows from the leaves
            continue
        other = {name: value + 1 if isinstance(value, int) else f"{value}."}
        assert header_digest(replace(commit, **other)) != digest, name


def test_a_leaf_is_golden() -> None:
    """The format is for ever: a journal of today must verify in twenty years."""
    commit, (event,) = sealed(draft(game(7), key="golden"))
    assert header(commit).decode() == (
        '{"actor":"Ana","body_sha256":"' + "b" * 64 + '","commit_id":1,"first_seq":1,'
        '"idempotency_key":"golden","last_seq":1,"reason":"Ronda 1",'
        '"recorded_at":"2026-01-01T12:00:00.000000Z"}'
    )
    assert envelope(event, header_digest(commit)).decode() == (
        '{"commit":"' + header_digest(commit) + '","effective_on":"2025-12-31",'
        '"event_id":"'
        + event.event_id
        + '","payload":"{\\"black\\":\\"b7\\",\\"result\\":\\"1-0\\",'
        '\\"round\\":1,\\"tournament\\":\\"club\\",\\"white\\":\\"w7\\"}","seq":1,'
        '"stream":"tournament:club","type":"result.recorded","version":1}'
    )
    assert event.leaf_hash == GOLDEN_LEAF
    assert commit.root == GOLDEN_LEAF


GOLDEN_LEAF = "144f46090419588ad315aa9daf864035ab0b6d5c6c1f82beb9980ceda4de9e78"


def test_an_event_id_is_made_of_key_and_position() -> None:
    digest = hashlib.sha256(b"import:club\n3").hexdigest()
    assert event_id("import:club", 3) == digest[:32]


def test_an_instant_is_written_in_utc_with_microseconds() -> None:
    madrid = dt.timezone(dt.timedelta(hours=2))
    assert instant(dt.datetime(2026, 7, 1, 1, 2, 3, 4, madrid)) == "2026-06-30T23:02:03.000004Z"


@pytest.mark.parametrize("text", ["a\0b", "\udcff.csv"])
def test_what_is_no_text_is_refused(text: str) -> None:
    with pytest.raises(InputRefused, match="not text"):
        sealed(draft(source_name=text))


def test_an_identity_goes_by_its_digest_alone() -> None:
    event = PlayerRegistered(identity="d" * 64, player="1")
    assert "Ana" not in event.canonical()


@pytest.mark.parametrize("last", ["", "9999", "2026-01-01", "later", "9999-99-99T00:00:00Z"])
def test_what_is_no_instant_holds_none_back(last: str) -> None:
    assert not_before(NOON, last) == NOON
