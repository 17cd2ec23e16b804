"""Why a rating differs between two lists: from the one to the other, cause by cause."""

from __future__ import annotations

from typing import Final

from ledger.forms.page import saying
from ledger.pictures.waterfall import RatingStep, hue_of, waterfall_picture
from ledger.reports.why import Why

_MOST: Final = 5  # causes beside each other: their names are long


def why_picture(made: Why, *, title: str, language: str, is_narrow: bool = False) -> str:
    """Draws a step for each cause."""
    say = saying(language)
    steps = [
        RatingStep(say(f"cause.{cause.value}"), "", points, hue_of(points))
        for cause, points in made.totals().items()
    ]
    return waterfall_picture(
        steps, (made.before, made.after), title=title, language=language, is_narrow=is_narrow,
        most=_MOST,
    )  # fmt: skip
