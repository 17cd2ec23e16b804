"""What pages call the states and steps of submissions, and the decisions they ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from web.submissions.contents import Deciding

STATES: Final[Mapping[str, str]] = {
    "draft": "submission.draft",
    "handed-in": "submission.handed_in",
    "handed-back": "submission.handed_back",
    "accepted": "submission.accepted",
    "refused": "submission.refused",
    "withdrawn": "submission.withdrawn",
    "mended": "submission.mended",
}
"""What is said of a state, or of a step."""
DECISIONS: Final[Mapping[Deciding, str]] = {
    Deciding.RESULT: "submission.decide_result",
    Deciding.ANNUL_RESULT: "submission.decide_annul_result",
    Deciding.ANNUL_TOURNAMENT: "submission.decide_annul_tournament",
    Deciding.ACCEPT_TOURNAMENT: "submission.decide_accept",
    Deciding.REJECT_TOURNAMENT: "submission.decide_reject",
}
