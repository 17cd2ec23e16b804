"""Small bars beside figures: how games ended, and what was gained. The figures say the same."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from ledger.pictures.svg import Hue, bar, line, text

_WIDTH, _HEIGHT = 96, 12
_MIDDLE: Final = _WIDTH / 2
_PARTS: Final = ((Hue.INK, Hue.ON), (Hue.SOFT, Hue.ON), (Hue.FAINT, Hue.INK))
_LETTER, _SIZE, _BASELINE = 12, 10, 9.6


def result_bar(won: int, drawn: int, lost: int, letters: str) -> str:
    """Draws how many games were won, drawn and lost, as parts of all.

    ``letters`` name the three parts; one stands on each part that has room for it.
    """
    games = max(1, won + drawn + lost)
    shapes, x = [], 0.0
    parts = zip((won, drawn, lost), _PARTS, letters, strict=True)
    for count, (hue, ink), letter in parts:
        width = _WIDTH * count / games
        shapes += [bar((x, 0), (max(width - 1, 0), _HEIGHT), hue=hue)] if count else []
        if width >= _LETTER:
            shapes.append(text(x + width / 2, _BASELINE, letter, size=_SIZE, hue=ink, bold=True))
        x += width
    return _small(shapes)


def gain_bar(gain: Fraction, most: Fraction) -> str:
    """Draws a gain to the right, a loss to the left; ``most`` reaches the edge."""
    width = float(abs(gain) / most) * _MIDDLE if most else 0.0
    x = _MIDDLE if gain > 0 else _MIDDLE - width
    hue = Hue.GOOD if gain > 0 else Hue.BAD
    return _small(
        [bar((x, 0), (width, _HEIGHT), hue=hue), line(_MIDDLE, 0, _MIDDLE, _HEIGHT, hue=Hue.SOFT)]
    )


def _small(shapes: list[str]) -> str:
    """Returns a picture that nobody has to hear."""
    size = f'width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    return f'<svg class="chart" {size} aria-hidden="true">{"".join(shapes)}</svg>'
