"""What pages call the states, steps and fields of submissions, and the decisions they ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.wording import Message
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
LABELS: Final[Mapping[str, Message]] = {
    "as_correction": Message.of("submission.field_as_correction"),
    "black": Message.of("submission.field_black"),
    "ends_on": Message.of("submission.field_ends_on"),
    "file": Message.of("submission.field_file"),
    "list": Message.of("submission.field_list"),
    "name": Message.of("submission.field_name"),
    "partial": Message.of("submission.field_partial"),
    "rate_of_play": Message.of("submission.field_rate_of_play"),
    "rated_in": Message.of("submission.field_rated_in"),
    "rating_only": Message.of("submission.field_rating_only"),
    "reason": Message.of("submission.field_reason"),
    "result": Message.of("submission.field_result"),
    "round": Message.of("submission.field_round"),
    "starts_on": Message.of("submission.field_starts_on"),
    "tournament": Message.of("submission.field_tournament"),
    "what": Message.of("submission.field_what"),
    "white": Message.of("submission.field_white"),
}
"""What the forms call their fields."""
