"""What may be kept beside the events of a ledger, because it takes long to make."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Kept:
    """Where everybody stood after a period of a list, as known at a seq.

    ``period`` is the period's index, ``key`` names the rules and the code it was made by.
    """

    list: str
    period: int
    basis: int
    key: str


class Snapshots(Protocol):
    """A store of snapshots, for one ledger and history."""

    @property
    def head(self) -> int:
        """The seq of the basis whose snapshots are kept."""
        ...

    def find(self, list_: str) -> Sequence[Kept]:
        """Returns what is kept for a list, whatever made it."""
        ...

    def load(self, kept: Kept) -> bytes | None:
        """Returns a snapshot as it was kept; None where it is damaged or gone."""
        ...

    def keep(self, snapshots: Iterable[tuple[Kept, bytes]]) -> None:
        """Keeps snapshots, if that can be done at once."""
        ...


class NothingKept:
    """A store that is always empty."""

    head = -1

    def find(self, list_: str) -> Sequence[Kept]:
        """Nothing."""
        del list_
        return ()

    def load(self, kept: Kept) -> bytes | None:
        """Nothing."""
        del kept
        return None

    def keep(self, snapshots: Iterable[tuple[Kept, bytes]]) -> None:
        """Forgets them."""
        del snapshots
