"""What every face says of what was recorded, or would be, as JSON data."""

from __future__ import annotations

import json
from typing import Any

from ledger.application.ledger import Ledger, Receipt
from ledger.errors import Problem
from ledger.wording import visible


def problem_text(problem: Problem, language: str) -> str:
    """Returns a problem of a document as a line: ``file:line:column: sentence``."""
    said = problem.message.within(language)
    place = (visible(problem.file), problem.line, problem.column)
    where = ":".join(str(part) for part in place if part)
    return f"{where}: {said}" if where else said


def receipt_data(receipt: Receipt, language: str) -> dict[str, Any]:
    """Returns a receipt as JSON data; its notes are sentences of the language."""
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
        "notes": [problem_text(note, language) for note in receipt.notes],
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
