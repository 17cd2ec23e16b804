"""What every face says of what was recorded, or would be, as JSON data."""

from __future__ import annotations

import json
from typing import Any

from ledger.application.ledger import Ledger, Receipt


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
