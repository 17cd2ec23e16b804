"""``undo``: what a commit recorded is taken back."""

from __future__ import annotations

from cli.operations import offer
from ledger.operations.retractions import UndoCommit

offer("undo-commit", UndoCommit)
