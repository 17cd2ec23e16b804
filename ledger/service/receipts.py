"""What every face says of what was recorded, or would be, as JSON data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

from ledger.answers.commits import recorded_in_words
from ledger.errors import LedgerError, Problem
from ledger.events.model import Dated
from ledger.identifiers import Seq
from ledger.json_form import ANYTHING, ISO_DAY, Form, JsonForm, form_of
from ledger.lists.reach import Reached, reached
from ledger.reports.impact import RatingShift
from ledger.service.ledger import Receipt
from ledger.service.retractions import why_final
from ledger.views.view import LedgerView
from ledger.wording import Message

_EACH: Final = frozenset(
    {
        "import.struck",
        "import.doubtful_similar",
        "import.doubtful_other_name",
        "import.stands_twice",
    }
)
"""What is undone by a document, and who is to be decided: each is told."""
LINES: Final = Form(
    form_of(Sequence[str]).schema,
    lambda notes, language: [note.within(language) for note in notes],
)
"""Notes as lines of a language."""
_MOST_LOOKED_AT: Final = 1_000  # events
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
    key = "import.of_kind_in_line" if len(lines) == 1 else "import.of_kind"
    more = ["…"] if len(lines) > _SHOWN else []
    named = ", ".join([*map(str, lines[:_SHOWN]), *more])
    return replace(first, message=Message.of(key, lines=named, **values))


def published_lists_reached(view: LedgerView, receipt: Receipt) -> Sequence[Reached]:
    """Returns the published lists that a short commit may change, each with its first period.

    A long one is not looked at: nobody waits for it. What is wrong with the ledger the next reader
    says; the commit is recorded.
    """
    if receipt.dry_run or not 0 < len(receipt.events) <= _MOST_LOOKED_AT:
        return ()
    before = Seq(receipt.first_seq - 1)
    with suppress(LedgerError):
        return reached(view.facts_since(before), receipt.events, before)
    return ()


@dataclass(frozen=True, slots=True)
class RecordedFact(JsonForm):
    """An event as a receipt has it."""

    type: str
    effective_on: Annotated[str, ISO_DAY]
    payload: Annotated[dict[str, Any], ANYTHING]

    @classmethod
    def of(cls, dated: Dated) -> RecordedFact:
        """Returns what is recorded of an event."""
        event, on = dated.event, dated.effective_on.isoformat()
        return cls(event.TYPE, on, json.loads(event.canonical()))


@dataclass(frozen=True, slots=True)
class ReceiptReport(JsonForm):
    """What was recorded, or (``dry_run``) would be; without seqs where that is nothing.

    ``recorded`` says it in words. ``undo`` is the number by which it is undone, null where it
    cannot be; then ``final`` says why. ``impact`` is whom a dry run would move.
    """

    first_seq: Seq | None
    last_seq: Seq | None
    commit: int | None
    dry_run: bool
    repeated: bool
    recorded: Message | None
    undo: int | None
    final: Message | None
    events: Sequence[RecordedFact]
    notes: Annotated[Sequence[Problem], LINES]
    impact: Sequence[RatingShift] | None

    @classmethod
    def of(cls, receipt: Receipt, events: Sequence[RecordedFact] | None = None) -> ReceiptReport:
        """Returns what a receipt says; ``events`` are others than its own."""
        recorded, final = bool(receipt.counts), why_final(receipt.counts)
        if events is None:
            events = [RecordedFact.of(dated) for dated in receipt.events]
        return cls(
            first_seq=receipt.first_seq if recorded else None,
            last_seq=receipt.last_seq if recorded else None,
            commit=receipt.commit_id,
            dry_run=receipt.dry_run,
            repeated=receipt.repeated,
            recorded=recorded_in_words(receipt.counts, receipt.about) if recorded else None,
            undo=receipt.commit_id if final is None else None,
            final=final,
            events=events,
            notes=receipt.notes,
            impact=None if receipt.shifts is None else list(receipt.shifts),
        )


def receipt_data(receipt: Receipt, language: str) -> dict[str, Any]:
    """Returns a receipt as JSON data; its notes are sentences of the language, each of them."""
    people = receipt.people.data(language) if receipt.people is not None else {}
    return ReceiptReport.of(receipt).data(language) | people


def recorded_data(view: LedgerView, receipt: Receipt, language: str) -> dict[str, Any]:
    """Returns a receipt as JSON data; of a request that came again, with what it had recorded."""
    if not receipt.repeated:
        return receipt_data(receipt, language)
    events = view.journal.events(after=receipt.first_seq - 1, upto=receipt.last_seq)
    facts = [
        RecordedFact(each.type, each.effective_on, json.loads(each.payload)) for each in events
    ]
    return ReceiptReport.of(receipt, facts).data(language)
