"""Signatures as they are stored, beside a walk through the commits."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter

from ledger.errors import VerificationFailed
from ledger.journal.records import CommitSignature


class SignaturesInTurn:
    """Signatures by commit, for who goes through the commits once."""

    def __init__(self, signatures: Iterable[CommitSignature]) -> None:
        self._groups = groupby(signatures, key=attrgetter("commit_id"))
        self._next = self._taken()

    def _taken(self) -> tuple[int, list[CommitSignature]] | None:
        for number, its in self._groups:
            return number, list(its)
        return None

    def of(self, commit_id: int) -> list[CommitSignature]:
        """Returns those of the next commit.

        Raises:
            VerificationFailed: there are some of a commit that is not there.
        """
        if self._next is None or self._next[0] > commit_id:
            return []
        number, its = self._next
        if number < commit_id:
            raise VerificationFailed("signing.stray_commit", commit=number)
        self._next = self._taken()
        return its

    def end(self) -> None:
        """Raises ``VerificationFailed`` where there are more than commits."""
        if self._next is not None:
            raise VerificationFailed("signing.stray_commit", commit=self._next[0])
