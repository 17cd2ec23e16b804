"""Seqs and ids as types of their own, so that the type check tells them apart.

A ``Seq`` is no index, no round and no number of a commit. It is born where an event is read or
stored: from an event's fields, a commit, the journal's head, a column of seqs, a number that
somebody typed.
"""

from __future__ import annotations

from typing import Final, NewType

Seq = NewType("Seq", int)
"""The place of an event in its ledger, from 1."""

NO_EVENT: Final = Seq(0)
"""In place of a seq: the head of an empty ledger, a pairing that is not recorded."""
