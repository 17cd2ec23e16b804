"""Small drafts to append: players, tournaments and games that mean nothing in particular."""

from __future__ import annotations

import datetime as dt
from functools import cache
from itertools import count
from typing import Any

from ledger.events.model import Dated, Event
from ledger.events.personal import Identity
from ledger.events.players import PlayerRegistered
from ledger.events.tournaments import ResultRecorded
from ledger.journal.interface import Journal
from ledger.journal.records import Commit, Draft, PersonalDocument

NOON = dt.datetime(2026, 1, 1, 12, 0, tzinfo=dt.UTC)
DAY = dt.date(2025, 12, 31)
BODY = "b" * 64
_keys = count(1)


@cache
def game(number: int, tournament: str = "club") -> ResultRecorded:
    """A game of its own, made once: tests of large commits ask for many on every store."""
    return ResultRecorded(
        black=f"b{number}", result="1-0", round=1, tournament=tournament, white=f"w{number}"
    )


def dated(*events: Event) -> tuple[Dated, ...]:
    return tuple(Dated(DAY, event) for event in events)


def draft(*events: Event, key: str = "", body: str = BODY, **others: Any) -> Draft:
    """A draft of the events; by default one game under a key of its own."""
    return Draft(
        events=dated(*(events or (game(1),))),
        personal=(),
        actor="Ana",
        reason="Ronda 1",
        idempotency_key=key or f"key {next(_keys)}",
        body_sha256=body,
        **others,
    )


def registration(player: str, name: str) -> tuple[PlayerRegistered, PersonalDocument]:
    """A player and the document that says who it is."""
    sealed = Identity(name=name, birth_date="1990").sealed(salt=player.encode().hex().zfill(32))
    event = PlayerRegistered(identity=sealed.digest(), player=player)
    return event, PersonalDocument(sealed.digest(), player, sealed.document())


def with_people(*players: str) -> Draft:
    """A draft that registers players."""
    made = [registration(player, f"Núñez, {player}") for player in players]
    return Draft(
        events=dated(*(event for event, _ in made)),
        personal=tuple(document for _, document in made),
        actor="Ana",
        reason="Altas",
        idempotency_key=f"key {next(_keys)}",
        body_sha256=BODY,
        source_name="players.csv",
        source_sha256="a" * 64,
    )


def append(journal: Journal, draft_: Draft) -> Commit:
    """Appends at the head, as nobody else is writing."""
    return journal.append(draft_, expected_seq=journal.head().seq, recorded_at=NOON)


def fill(journal: Journal) -> None:
    """Appends three commits: players 1 to 3, games 4 to 8, games 9 and 10."""
    append(journal, with_people("1", "2", "3"))
    append(
        journal,
        draft(*(game(n) for n in range(4, 9)), source_name="r1.csv", source_sha256="c" * 64),
    )
    append(journal, draft(game(9, "open"), game(10, "open")))
