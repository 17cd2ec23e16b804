"""What a rating is: official, a preview of a list to come, or a recalculation of one that is out.

Every answer that has a rating says which list it stands in and in which of the three states it is.
Without another word it is the official one: that of the newest edition.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import ClassVar, Final, Literal, TypeAlias

from ledger.calendar import Period
from ledger.events.lists import ListPublished
from ledger.json_form import JsonForm, derived
from ledger.wording import Message

RatingState: TypeAlias = Literal["published", "preview", "recalculated"]
"""Ratings of an edition, of a period without an edition, or of a period that has one, as known."""


_STATES: Final = {
    "published": "player.state_published",
    "preview": "player.state_preview",
    "recalculated": "player.state_recalculated",
}


def rating_state(edition: int | None, *, has_editions: bool) -> RatingState:
    """Return the state of the ratings of an edition; without one they are calculated as known."""
    if edition is not None:
        return "published"
    return "recalculated" if has_editions else "preview"


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

    @classmethod
    def as_known(cls, name: str, period: Period, *, has_editions: bool) -> RatingSource:
        """Return the source of a period's ratings that are calculated from what is known."""
        state = rating_state(None, has_editions=has_editions)
        return cls(name, period.name, None, period.in_force_on, state)

    @property
    def label(self) -> Message:
        """What a face calls the state."""
        return Message.of(_STATES[self.state], on=self.in_force_on)


class AsKnown(JsonForm):
    """A report whose ratings are calculated from what is known now, whatever was published."""

    __slots__: ClassVar[tuple[str, ...]] = ()

    @property
    @derived
    def state(self) -> RatingState:
        """The state of its ratings."""
        return "recalculated"
