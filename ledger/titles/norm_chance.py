"""Which result for a title is still possible while an event goes on, and what is needed for it.

A preview, no new rule: the games left are taken to be won, and the best that can come of them is
held against ``fide_1972``. Opponents who are not known yet are taken to be as strong as the field
so far, rated, titled, and each of another federation. So what is said to be out of reach cannot be
reached; what is said to be possible may still fail by opponents or by the place.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from ledger.json_form import HALVES, HIDDEN, SENTENCES, After, JsonForm, Key, derived
from ledger.rating.rounding import half_up
from ledger.titles.fide_1972 import (
    Failure,
    Field,
    Participant,
    Performance,
    SharedPlace,
    Title,
    TitleResult,
    title_result,
)
from ledger.wording import Message

_WIN = 2  # half points


@dataclass(frozen=True, slots=True)
class NormChance(JsonForm):
    """A result for a title that is still to be made, or was; scores in half points.

    ``best`` is the result if all of the ``left`` games are won; ``halves`` were made already.
    """

    best: Annotated[TitleResult, HIDDEN]
    halves: Annotated[int, Key("points"), HALVES]
    left: int

    @property
    @derived
    def title(self) -> Annotated[Title, Key("for"), After("")]:
        """The title."""
        return self.best.title

    @property
    @derived
    def possible(self) -> Annotated[bool, After("for")]:
        """Whether nothing rules it out."""
        return self.best.made

    @property
    @derived
    def needed(self) -> Annotated[int | None, HALVES, After("possible")]:
        """The score that is needed, in half points."""
        return self.best.needed

    @property
    @derived
    def to_make(self) -> Annotated[int | None, HALVES]:
        """The half points that the games left must give; None where none would do."""
        if not self.possible or self.best.needed is None:
            return None
        return max(0, self.best.needed - self.halves)

    @property
    def fails(self) -> tuple[Failure, ...]:
        """What rules it out."""
        return self.best.fails

    @property
    @derived
    def failed(self) -> Annotated[Sequence[str], Key("fails")]:
        """The conditions that rule it out."""
        return [fail.condition for fail in self.fails]

    @property
    @derived
    def why(self) -> Annotated[Sequence[Message], SENTENCES]:
        """The same as sentences."""
        return [fail.message for fail in self.fails]


def norm_chance(
    title: Title,
    field: Field,
    done: Performance,
    *,
    unknown: int,
    score: int,
    others: Collection[int],
) -> NormChance:
    """Returns what is still possible.

    Args:
        title: the title.
        field: who is known to be met, the candidate among them.
        done: so far, without points of games that have no final result.
        unknown: games to come against opponents who are not known yet.
        score: the player's score in the event, in half points; for places.
        others: the scores of the others likewise.
    """
    left = done.unfinished + unknown
    won = _WIN * left
    # The place, if nobody else wins another point.
    place = SharedPlace(sum(other > score + won for other in others), 1)
    best = replace(
        done,
        games=done.games + unknown,
        halves=done.halves + won,
        unfinished=0,
        place=None if done.place is None else place,
    )
    return NormChance(title_result(title, _filled(field, unknown), best), done.halves, left)


def _filled(field: Field, unknown: int) -> Field:
    """Returns a field with opponents whom nothing is known of, the best there could be."""
    titles, rating = frozenset({str(Title.GRANDMASTER)}), half_up(field.mean)
    guests = (Participant(rating, f"({n})", titles) for n in range(1, unknown + 1))
    return Field((*field, *guests))
