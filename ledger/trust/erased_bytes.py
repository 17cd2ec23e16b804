"""Bytes of erased people that are left in the files of a store, and their destruction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ledger.errors import DatabaseError
from ledger.views.view import LedgerView
from ledger.wording import Message

_WHY_LEFT: Final = {"database.full": "erasure.why_full", "database.locked": "erasure.why_held"}
"""Causes in other words where the erasure itself is recorded: those say that nothing was."""


def finish_erasures(view: LedgerView) -> Message | None:
    """Destroys what an interrupted erasure has left; returns why that could not be done.

    Names are gone from every answer already: what is left are bytes in the store's files.
    """
    return None if view.journal.is_scrubbed() else scrubbed(view)[0]


def scrubbed(view: LedgerView) -> tuple[Message | None, Sequence[Message]]:
    """Destroys what is left; returns why it is not all gone, and what the store does not reach."""
    try:
        return None, view.journal.scrub()
    except DatabaseError as error:
        message = error.message
        return Message(_WHY_LEFT.get(message.key, message.key), message.values), ()
