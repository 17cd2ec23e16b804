"""An event for whoever audits it: as it is stored, and the proof that it came by its commit.

A commit holds the root of the tree after it. That an event is in that tree is shown by its leaf and
the hashes beside its way to the root (RFC 9162, 2.1.3).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ledger.application.ledger import Ledger
from ledger.journal.records import Commit, StoredEvent
from ledger.json_form import JsonForm


@dataclass(frozen=True, slots=True)
class Inclusion(JsonForm):
    """That an event is in the tree after its commit, in hexadecimal.

    ``path`` are the hashes beside the way from the leaf to the root, from below. ``holds`` says
    whether they come to the root; where no path does, there is none.
    """

    root: str
    size: int
    index: int
    path: tuple[str, ...]
    holds: bool


@dataclass(frozen=True, slots=True)
class AuditedEvent(JsonForm):
    """An event as it is stored, the commit that it came by, and its proof.

    ``payload`` is the canonical text that was hashed, ``said`` the same as JSON data.
    """

    event: StoredEvent
    commit: Commit
    said: dict[str, Any]
    inclusion: Inclusion


def audited_event(ledger: Ledger, seq: int) -> AuditedEvent:
    """Returns an event with its proof.

    Raises:
        NotFound: there is no such seq.
        VerificationFailed: it is not what was recorded.
    """
    event, commit = ledger.event_check().read(seq)
    return AuditedEvent(event, commit, json.loads(event.payload), _inclusion(ledger, event, commit))


def _inclusion(ledger: Ledger, event: StoredEvent, commit: Commit) -> Inclusion:
    size, index = commit.last_seq, event.seq - 1
    root, leaf = bytes.fromhex(commit.root), bytes.fromhex(event.leaf_hash)
    path = ledger.tree.proved(index, size, root, leaf)
    steps = tuple(step.hex() for step in path or ())
    return Inclusion(commit.root, size, index, steps, path is not None)
