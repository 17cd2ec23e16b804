"""The life of a submission: each step, in which states it is taken, by whom, to which it leads.

The desk refuses by this table, pages offer by it, and the API answers by it who comes late.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import Final

from web.office.submissions import CLOSED, OPEN, SubmissionState

_AWAITING: Final = frozenset({SubmissionState.HANDED_IN})


class Taker(Enum):
    """Who takes a step."""

    OWNER = auto()  # who handed it in
    OTHER = auto()  # an officer who did not
    DECIDER = auto()  # an officer


class Step(StrEnum):
    """What is done with a submission, as addresses call it."""

    MEND = "mend"
    HAND_IN = "hand-in"
    WITHDRAW = "withdraw"
    HAND_BACK = "hand-back"
    REFUSE = "refuse"
    ACCEPT = "accept"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class Move:
    """A step: the states in which it is taken, by whom, and the state to which it leads.

    Without the last the state stays. One that ``says_why`` needs a comment.
    """

    states: frozenset[SubmissionState]
    taker: Taker
    to: SubmissionState | None = None
    says_why: bool = False


LIFE: Final[Mapping[Step, Move]] = {
    Step.MEND: Move(
        frozenset({SubmissionState.DRAFT, SubmissionState.HANDED_BACK}),
        Taker.OWNER, SubmissionState.DRAFT,
    ),
    Step.HAND_IN: Move(
        frozenset({SubmissionState.DRAFT}), Taker.OWNER, SubmissionState.HANDED_IN
    ),
    Step.WITHDRAW: Move(OPEN, Taker.OWNER, SubmissionState.WITHDRAWN),
    Step.HAND_BACK: Move(_AWAITING, Taker.OTHER, SubmissionState.HANDED_BACK, says_why=True),
    Step.REFUSE: Move(_AWAITING, Taker.OTHER, SubmissionState.REFUSED, says_why=True),
    Step.ACCEPT: Move(_AWAITING, Taker.DECIDER, SubmissionState.ACCEPTED),
    Step.BLANK: Move(CLOSED, Taker.DECIDER),
}  # fmt: skip
