"""What a site is told when it starts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """The settings of a site.

    ``origin`` is how browsers call it: scheme, host and port (``https://ratings.example.org``).
    ``cache`` is a folder for what can be made again at any time. ``office`` is the URL of the
    database of accounts, sessions, submissions and jobs; without one nobody can sign in.
    """

    ledger: str
    origin: str
    cache: Path
    office: str | None = None

    @property
    def host(self) -> str:
        """The host of the origin, without a port."""
        return urlsplit(self.origin).hostname or ""

    @property
    def is_secure(self) -> bool:
        """Whether browsers come by HTTPS."""
        return self.origin.startswith("https://")
