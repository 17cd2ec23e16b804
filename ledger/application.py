"""The ledger as a library: what programs of others may call, wherever it is made.

These names stay as ``docs/api.md`` says; the modules that they come from may be rearranged.
"""

from __future__ import annotations

from ledger.answers.lists import regenerate, show
from ledger.answers.player_questions import explain, history_of
from ledger.intake.imports import Document, import_document
from ledger.intake.tables import Export, table_of
from ledger.service.archives import open_ledger
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.service.lists import define_list
from ledger.service.publications import publish
from ledger.trust.verification import verify

__all__ = [
    "Document",
    "Export",
    "Ledger",
    "Receipt",
    "Request",
    "define_list",
    "explain",
    "history_of",
    "import_document",
    "open_ledger",
    "publish",
    "regenerate",
    "show",
    "table_of",
    "verify",
]
