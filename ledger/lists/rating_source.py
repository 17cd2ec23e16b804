"""What a rating is: official, a preview of a list to come, or a recalculation of one that is out.

Every answer that has a rating says which list it stands in and in which of the three states it is.
Without another word it is the official one: that of the newest edition.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import ClassVar, Final, Literal, TypeAlias

from ledger.events.lists import ListPublished
from ledger.json_form import JsonForm, derived
from ledger.wording import Message

RatingState: TypeAlias = Literal["published", "preview", "recalculated"]
"""Ratings of an edition, of a period without one, or other ratings of a period that has one.

``ledger.views.list_editions.state_as_known`` says which, of a period as known.
"""


_STATES: Final = {
    "published": "player.state_published",
    "preview": "player.state_preview",
    "recalculated": "player.state_recalculated",
}


@dataclass(frozen=True, slots=True)
class RatingSource(JsonForm):
    """The list that a rating stands in, and the rating's state."""

    list: str
    period: str
    edition: int | None
    in_force_on: dt.date
    state: RatingState

    @classmethod
    def of_edition(cls, edition: ListPublished) -> RatingSource:
        """Return the source of the ratings of an edition."""
        which = edition.list, edition.period, edition.edition
        return cls(*which, edition.published_on, "published")

    @property
    def label(self) -> Message:
        """What a face calls the state."""
        return Message.of(_STATES[self.state], on=self.in_force_on)


class AsKnown(JsonForm):
    """A report by the ratings of several periods, calculated from what is known now."""

    __slots__: ClassVar[tuple[str, ...]] = ()

    @property
    @derived
    def state(self) -> RatingState:
        """The state of its ratings."""
        return "recalculated"
