"""Addresses as pictures that a telephone reads."""

from __future__ import annotations

import segno
from markupsafe import Markup


def picture(address: str, scale: int = 5) -> Markup:
    """Returns an address as a QR code: an SVG that stands in a page."""
    code = segno.make(address, error="m", micro=False)
    # segno writes it from figures alone.
    return Markup(code.svg_inline(scale=scale, dark="#000", light="#fff", svgclass="qr"))  # noqa: S704
