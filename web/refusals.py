"""Why a request is turned away for whose it is; jobs, which answer no requests, know it too.

Reasons and comments, with the bound that all of them have.
"""

from __future__ import annotations

from typing import Final

from ledger.errors import InputRefused
from ledger.operations import programs
from ledger.wording import Message

MOST_REASON: Final = programs.MOST_REASON
"""Characters of a reason or a comment, wherever one is said; what is longer is refused."""


def fitting_reason(text: str) -> str:
    """Returns a reason without blanks around it; raises ``InputRefused`` for one that is too long.

    For what no schema has read.
    """
    fitting = text.strip()
    if len(fitting) > MOST_REASON:
        raise InputRefused("web.long_reason", length=len(fitting), most=MOST_REASON)
    return fitting


class SignInNeeded(Exception):
    """Nobody signed in, and the route is not for everybody."""


class SignInAgain(SignInNeeded):
    """Somebody signed in too long ago for what they want to do."""


class Forbidden(Exception):
    """Who signed in may not use the route; ``why`` says more than that, where there is more."""

    def __init__(self, why: Message | None = None) -> None:
        super().__init__(why)
        self.why = why
