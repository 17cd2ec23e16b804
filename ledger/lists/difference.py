"""What differs between two lists: who entered, who left, who moved and by how much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ledger.lists.rating_list import RatingList


@dataclass(frozen=True, slots=True)
class Move:
    """One player who is not the same in both lists; None where he has no rating in it."""

    id: str
    name: str
    before: int | None
    after: int | None

    @property
    def kind(self) -> str:
        """``entered``, ``left`` or ``moved``."""
        if self.before is None:
            return "entered"
        return "left" if self.after is None else "moved"

    @property
    def points(self) -> int | None:
        """By how much, where both are ratings."""
        return None if self.before is None or self.after is None else self.after - self.before

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data."""
        return {
            "kind": self.kind,
            "id": self.id,
            "name": self.name,
            "before": self.before,
            "after": self.after,
            "points": self.points,
        }


def difference(before: RatingList, after: RatingList) -> list[Move]:
    """Returns the moves from one list to another: entered, left, then moved, each by id."""
    old = {row.id: row for row in before.rows}
    new = {row.id: row for row in after.rows}
    moves = [
        Move(
            id_,
            (new.get(id_) or old[id_]).name,
            old[id_].rating or None if id_ in old else None,
            new[id_].rating or None if id_ in new else None,
        )
        for id_ in sorted(old.keys() | new.keys())
    ]
    order = ("entered", "left", "moved")
    changed = [move for move in moves if move.before != move.after]
    return sorted(changed, key=lambda move: (order.index(move.kind), move.id))
