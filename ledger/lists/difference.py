"""What differs between two lists: who entered, who left, who moved and by how much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ledger.json_form import JsonForm, fields_of
from ledger.lists.rating_list import RatingList


@dataclass(frozen=True, slots=True)
class Move(JsonForm):
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

    def json_fields(self) -> Mapping[str, object]:
        """Returns what its JSON form says."""
        return {"kind": self.kind, **fields_of(self), "points": self.points}


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
