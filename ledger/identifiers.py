"""Seqs and ids as types of their own, so that the type check tells them apart.

A ``Seq`` is no index, no round and no number of a commit. It is born where an event is read or
stored: from an event's fields, a commit, the journal's head, a column of seqs, a number that
somebody typed. Where the journal, an archive or a segment counts events it is a plain number.

An id is born where an event is read, and facts, rows and reports have it. What somebody typed, or
a document says, is a word (``str``) until it is found in the ledger: so commands, questions and
whatever looks one up take words, and refuse one that is not there. Of a score sheet, where teams
may take part, ``player`` is the id of a participant, and a plain text too.

An index is born where an id is looked up in the facts, or a column of indices is read one by one.
Columns themselves, and the kernels and regulations that calculate with them, have plain numbers.
"""

from __future__ import annotations

from typing import Final, NewType

Seq = NewType("Seq", int)
"""The place of an event in its ledger, from 1."""

NO_EVENT: Final = Seq(0)
"""In place of a seq: the head of an empty ledger, a pairing that is not recorded."""

PlayerId = NewType("PlayerId", str)
"""The id of a player, as the federation gives it."""

TournamentId = NewType("TournamentId", str)
"""The id of a tournament, as it was announced or opened."""

PlayerIndex = NewType("PlayerIndex", int)
"""The place of a player among those of the facts, in the order of registration, from 0."""

TournamentIndex = NewType("TournamentIndex", int)
"""The place of a tournament among those of the facts, in the order of opening, from 0."""
