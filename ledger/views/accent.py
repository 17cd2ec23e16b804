"""The colour that leads on a federation's site: read from a word, and made fit to be read.

Contrast and luminance are those of WCAG 2.2. The grounds are those of the site's style.
"""

from __future__ import annotations

import re
from colorsys import rgb_to_hls
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

from ledger.errors import InputRefused

_FORM: Final = re.compile(r"#[0-9a-fA-F]{6}")
_LEAST_CONTRAST: Final = 4.5  # WCAG 2.2, 1.4.3 (AA)
_DARK_CONTRAST: Final = 6.0  # in the dark the colour is made, so it is made to be read well
_LINEAR: Final = 0.04045  # up to here sRGB is a line
_STEPS: Final = 20  # of a twentieth, from one colour to another
_NEAR: Final = 15 / 360  # of a turn: hues that are taken for one another
_COLOURFUL: Final = 0.2  # from here on a hue is seen


class Rgb(NamedTuple):
    """Red, green and blue, each from 0 to 255."""

    red: int
    green: int
    blue: int

    @classmethod
    def of(cls, text: str) -> Self:
        """Reads ``#`` and six hexadecimal digits."""
        return cls(*bytes.fromhex(text[1:]))

    def __str__(self) -> str:
        """The colour as style sheets say it."""
        return f"#{bytes(self).hex()}"

    def towards(self, other: Rgb, share: float) -> Rgb:
        """Returns what lies between two colours; a share of 1 is the other."""
        return Rgb(*(round(a + (b - a) * share) for a, b in zip(self, other, strict=True)))

    @property
    def hue(self) -> float:
        """Its place on the circle of colours, from 0 to 1."""
        red, green, blue = (each / 255 for each in self)
        return rgb_to_hls(red, green, blue)[0]

    @property
    def luminance(self) -> float:
        """How light it is, from 0 to 1 (WCAG 2.2, relative luminance)."""
        red, green, blue = (
            part / 12.92 if part <= _LINEAR else ((part + 0.055) / 1.055) ** 2.4
            for part in (each / 255 for each in self)
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    def contrast(self, other: Rgb) -> float:
        """Returns the contrast of two colours, from 1 to 21."""
        low, high = sorted((self.luminance, other.luminance))
        return (high + 0.05) / (low + 0.05)

    def is_taken_for(self, other: Rgb) -> bool:
        """Whether its hue is that of another; a grey has none."""
        distance = abs(self.hue - other.hue)
        chroma = (max(self) - min(self)) / 255
        return chroma >= _COLOURFUL and min(distance, 1 - distance) < _NEAR


BLACK: Final = Rgb(0, 0, 0)
WHITE: Final = Rgb.of("#ffffff")
LIGHT_GROUNDS: Final = (WHITE, Rgb.of("#f5f5f2"))
"""``surface`` and ``sunk`` of the style."""
DARK_GROUNDS: Final = (Rgb.of("#14171a"), Rgb.of("#1d2125"))
SIGNALS: Final = (Rgb.of("#12703c"), Rgb.of("#b3261e"))
"""``good`` and ``bad`` of the style: a rating gained, a rating lost."""


class Tones(NamedTuple):
    """A colour on pages that are light, or dark: itself, what is written on it, and its ground."""

    accent: Rgb
    on_accent: Rgb
    accent_sunk: Rgb

    @classmethod
    def over(cls, surface: Rgb, accent: Rgb, on_accent: Rgb) -> Self:
        """Makes the ground of it over a surface."""
        return cls(accent, on_accent, surface.towards(accent, 0.1))

    def least_contrast(self, grounds: tuple[Rgb, ...]) -> float:
        """Returns the contrast where it is worst to read."""
        return min(self.accent.contrast(each) for each in (*grounds, *self[1:]))


@dataclass(frozen=True, slots=True)
class Accent:
    """The colour that leads, on light pages and on dark ones."""

    light: Tones
    dark: Tones

    @classmethod
    def read(cls, text: str) -> Self:
        """Reads ``#17509e``, the colour on light pages; that on dark ones is made from it.

        Raises:
            InputRefused: it is no colour, too pale to be read, or the colour of a gain or a loss.
        """
        if not _FORM.fullmatch(text):
            raise InputRefused("serve.accent_form", value=text)
        colour = Rgb.of(text)
        if any(colour.is_taken_for(signal) for signal in SIGNALS):
            raise InputRefused("serve.accent_signal", value=text)
        readable = _first_readable(colour, BLACK, LIGHT_GROUNDS, WHITE, _LEAST_CONTRAST)
        if readable.accent != colour:
            raise InputRefused("serve.accent_pale", value=text, darker=str(readable.accent))
        on_dark = colour.towards(BLACK, 0.7)
        return cls(readable, _first_readable(colour, WHITE, DARK_GROUNDS, on_dark, _DARK_CONTRAST))


def _first_readable(
    colour: Rgb, end: Rgb, grounds: tuple[Rgb, Rgb], on_accent: Rgb, least: float
) -> Tones:
    """Returns the tones of the first colour towards black or white that has a contrast."""
    tones = (
        Tones.over(grounds[0], colour.towards(end, step / _STEPS), on_accent)
        for step in range(_STEPS + 1)
    )
    return next(each for each in tones if each.least_contrast(grounds) >= least)
