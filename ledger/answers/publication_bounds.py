"""What is out of the ordinary in a list that is to go out, and must be acknowledged first."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ledger.calendar import Period, period_at
from ledger.errors import InputRefused, Problem
from ledger.facts.arrays import Column, Mask
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.json_form import JsonForm
from ledger.rating.player_state import UNRATED
from ledger.terms import BoundName
from ledger.views.list_editions import editions_of, require_period
from ledger.views.view import LedgerView
from ledger.wording import Message

BOUNDS: Final[Sequence[BoundName]] = ("new", "gone", "moves")
"""What is out of the ordinary, as it is called where it is acknowledged."""
_SHARE: Final = 5  # per cent of the players of the list before
_FEW: Final = 10  # players: of a small list a few are many per cent
_FAR: Final = 200  # points


@dataclass(frozen=True, slots=True)
class ExceededBound(JsonForm):
    """Something that is out of the ordinary, and must be acknowledged: how many, above what."""

    bound: BoundName
    count: int
    limit: int

    @property
    def message(self) -> Message:
        """What it is, as a sentence."""
        return Message.of(_SENTENCES[self.bound], count=self.count, limit=self.limit)


_SENTENCES: Final = {"new": "bound.new", "gone": "bound.gone", "moves": "bound.moves"}


def require_acknowledged(
    view: LedgerView, name: str, period_name: str, acknowledged: Collection[str]
) -> None:
    """Raises ``InputRefused`` where a bound is exceeded that nobody acknowledged.

    A period that went out before is compared with its last edition, and no more with the list
    before it.
    """
    for each in acknowledged:
        if each not in BOUNDS:
            raise InputRefused("value.no_word", value=each, allowed=", ".join(BOUNDS))
    facts = view.facts()
    period = require_period(facts, name, period_name)
    if editions_of(facts, name, period_name) or not period.index:
        return
    exceeded = [
        each
        for each in ListSteps(view, facts, name, period).exceeded()
        if each.bound not in acknowledged
    ]
    if exceeded:
        bounds = ", ".join(each.bound for each in exceeded)
        details = [Problem(each.message) for each in exceeded]
        raise InputRefused(
            "list.unacknowledged", *details, list=name, period=period_name, bounds=bounds
        )


class ListSteps:
    """A period beside the list that it replaces, by player index.

    That is its own last edition, else the period before; before the first nobody was listed.
    """

    def __init__(self, view: LedgerView, facts: Facts, name: str, period: Period) -> None:
        self.now = view.calculated(facts, name, facts.seq, period)
        closing = self.now.closing
        self.is_listed: Mask = closing.listed.astype(np.bool_)
        self.after: Column = closing.rating
        self.was_listed = np.zeros_like(self.is_listed)
        self.before = np.zeros_like(self.after)
        earlier = None
        if editions := editions_of(facts, name, period.name):
            earlier = view.calculated(facts, name, editions[-1].basis_seq, period)
        elif period.index:
            segments = AsOf(facts, facts.seq).list(name).segments
            earlier = view.calculated(facts, name, facts.seq, period_at(segments, period.index - 1))
        if earlier is not None:
            self.was_listed = earlier.closing.listed.astype(np.bool_)
            self.before = earlier.closing.rating

    @property
    def new(self) -> Column:
        """Who is on the list and was not on the one before."""
        return np.flatnonzero(self.is_listed & ~self.was_listed)

    @property
    def gone(self) -> Column:
        """The other way round."""
        return np.flatnonzero(self.was_listed & ~self.is_listed)

    @property
    def moved(self) -> Column:
        """By how much the rating of each moves who has one in both lists."""
        both = (self.before != UNRATED) & (self.after != UNRATED)
        moved: Column = np.where(both, self.after - self.before, 0)
        return moved

    def exceeded(self) -> Iterator[ExceededBound]:
        """Yields what is out of the ordinary."""
        everybody = int(np.count_nonzero(self.was_listed))
        if not everybody:
            return
        limit = max(_FEW, everybody * _SHARE // 100)
        if (count := len(self.new)) > limit:
            yield ExceededBound("new", count, limit)
        if (count := len(self.gone)) > limit:
            yield ExceededBound("gone", count, limit)
        if count := int(np.count_nonzero(np.abs(self.moved) > _FAR)):
            yield ExceededBound("moves", count, _FAR)
