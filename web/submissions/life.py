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


class StepName(StrEnum):
    """What is done with a submission, as addresses call it."""

    MEND = "mend"
    HAND_IN = "hand-in"
    WITHDRAW = "withdraw"
    HAND_BACK = "hand-back"
    REFUSE = "refuse"
    ACCEPT = "accept"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class StepRule:
    """A step: the states in which it is taken, by whom, and the state to which it leads.

    Without the last the state stays. One that ``says_why`` needs a comment.
    """

    states: frozenset[SubmissionState]
    taker: Taker
    to: SubmissionState | None = None
    says_why: bool = False


LIFE: Final[Mapping[StepName, StepRule]] = {
    StepName.MEND: StepRule(
        frozenset({SubmissionState.DRAFT, SubmissionState.HANDED_BACK}),
        Taker.OWNER, SubmissionState.DRAFT,
    ),
    StepName.HAND_IN: StepRule(
        frozenset({SubmissionState.DRAFT}), Taker.OWNER, SubmissionState.HANDED_IN
    ),
    StepName.WITHDRAW: StepRule(OPEN, Taker.OWNER, SubmissionState.WITHDRAWN),
    StepName.HAND_BACK: StepRule(
        _AWAITING, Taker.OTHER, SubmissionState.HANDED_BACK, says_why=True
    ),
    StepName.REFUSE: StepRule(_AWAITING, Taker.OTHER, SubmissionState.REFUSED, says_why=True),
    StepName.ACCEPT: StepRule(_AWAITING, Taker.DECIDER, SubmissionState.ACCEPTED),
    StepName.BLANK: StepRule(CLOSED, Taker.DECIDER),
}  # fmt: skip
