"""Why a request is turned away for whose it is; jobs, which answer no requests, know it too."""

from __future__ import annotations

from ledger.wording import Message


class SignInNeeded(Exception):
    """Nobody signed in, and the route is not for everybody."""


class SignInAgain(SignInNeeded):
    """Somebody signed in too long ago for what they want to do."""


class Forbidden(Exception):
    """Who signed in may not use the route; ``why`` says more than that, where there is more."""

    def __init__(self, why: Message | None = None) -> None:
        super().__init__(why)
        self.why = why
