"""A rating and its change as people read them: who fell below a floor is unrated.

In rows such a player has the rating 0 and, as the change, all that was lost. That is no result of
games, and is written as what it is: unrated, from the rating before. In later periods there is no
change, and it is still unrated: provisional is who has no rating yet.
"""

from __future__ import annotations

from typing import Final

from ledger.forms.page import Say
from ledger.rating.decimal_text import signed

UNRATED: Final = 0  # in rows; player_state, which has it too, loads numpy


def became_unrated(rating: int | None, change: int | None) -> bool:
    """Whether a rating was lost: it is 0, and was not before.

    >>> became_unrated(0, -1402), became_unrated(0, None), became_unrated(1402, -7)
    (True, False, False)
    """
    return rating == UNRATED and bool(change)


def rating_text(rating: int | None, say: Say, *, lost: bool) -> object:
    """Returns a rating, or the word for one that is not there; None where nobody is listed.

    ``lost`` says that one that is not there was there before.
    """
    if rating == UNRATED:
        return say("player.unrated" if lost else "player.provisional")
    return rating


def change_text(rating: int | None, change: int | None, say: Say) -> str:
    """Returns a change with its sign; of who became unrated the rating before; empty for none."""
    if change is not None and became_unrated(rating, change):
        return say("player.from_rating", rating=-change)
    return signed(change)
