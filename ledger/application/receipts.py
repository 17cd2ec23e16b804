"""What every face says of what was recorded, or would be, as JSON data."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from ledger.application.ledger import Ledger, Receipt
from ledger.errors import Problem
from ledger.wording import Message

_EACH: Final = frozenset({"import.struck"})
"""What is undone by a document: each is told."""
_SHOWN: Final = 5
"""So many lines are named of the further notes of a kind."""


def notes_of_kinds(notes: Iterable[Problem]) -> list[Problem]:
    """Returns notes for people: of a document one of each kind, with the count of all.

    Notes that are about no document stay as they are, and those of what it undoes. A kind is a
    sentence, whatever it quotes; a receipt as JSON has every note.
    """
    kinds: dict[object, list[Problem]] = {}
    for place, note in enumerate(notes):
        is_one = not note.file or note.message.key in _EACH
        kind = place if is_one else (note.file, _kind(note.message))
        kinds.setdefault(kind, []).append(note)
    return [_with_count(same) for same in kinds.values()]


def _kind(message: Message) -> tuple[str, ...]:
    """Returns the keys of a message and of those within it."""
    within = (value for _, value in message.values if isinstance(value, Message))
    return (message.key, *(key for each in within for key in _kind(each)))


def _with_count(same: list[Problem]) -> Problem:
    """Returns the first of some notes of a kind, with their count and where the next ones are."""
    first, *others = same
    if not others:
        return first
    values: dict[str, object] = {"first": first.message, "count": len(same)}
    lines = [line for line in dict.fromkeys(each.line for each in others) if line != first.line]
    if not lines:
        return replace(first, message=Message.of("import.of_kind_here", **values))
    more = ["…"] if len(lines) > _SHOWN else []
    named = ", ".join([*map(str, lines[:_SHOWN]), *more])
    return replace(first, message=Message.of("import.of_kind", lines=named, **values))


def receipt_data(receipt: Receipt, language: str) -> dict[str, Any]:
    """Returns a receipt as JSON data; its notes are sentences of the language, each of them."""
    recorded = bool(receipt.events) or receipt.repeated
    return {
        "first_seq": receipt.first_seq if recorded else None,
        "last_seq": receipt.last_seq if recorded else None,
        "commit": receipt.commit_id,
        "dry_run": receipt.dry_run,
        "repeated": receipt.repeated,
        "events": [
            {
                "type": dated.event.TYPE,
                "effective_on": dated.effective_on.isoformat(),
                "payload": json.loads(dated.event.canonical()),
            }
            for dated in receipt.events
        ],
        "notes": [note.within(language) for note in receipt.notes],
        "impact": None if receipt.shifts is None else [shift.data() for shift in receipt.shifts],
    }


def recorded_data(ledger: Ledger, receipt: Receipt, language: str) -> dict[str, Any]:
    """Returns a receipt as JSON data; of a request that came again, with what it had recorded."""
    data = receipt_data(receipt, language)
    if receipt.repeated:
        events = ledger.journal.events(after=receipt.first_seq - 1, upto=receipt.last_seq)
        data["events"] = [
            {
                "type": event.type,
                "effective_on": event.effective_on,
                "payload": json.loads(event.payload),
            }
            for event in events
        ]
    return data
