"""Reasons and comments, with the bound that all of them have."""

from __future__ import annotations

from typing import Final

from ledger.errors import InputRefused

MOST_REASON: Final = 2_000
"""Characters of a reason or a comment, wherever one is said; what is longer is refused."""


def fitting_reason(text: str) -> str:
    """Returns a reason without blanks around it; raises ``InputRefused`` for one that is too long.

    For what no schema has read.
    """
    said = text.strip()
    if len(said) > MOST_REASON:
        raise InputRefused("web.long_reason", length=len(said), most=MOST_REASON)
    return said
