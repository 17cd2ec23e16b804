"""Pictures within pages."""

from __future__ import annotations

from markupsafe import Markup


def within_page(drawn: str) -> Markup:
    """Returns a picture of ``ledger.pictures`` for a template: what it quotes is escaped there."""
    return Markup(drawn)  # noqa: S704 - see above
