"""What a federation settles for itself beside its lists: it is in settings, not in the ledger."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from ledger.errors import InputRefused
from ledger.views.accent import Accent
from ledger.wording import Wording

UNANNOUNCED: Final = ("note", "refuse")
"""What may be done about tournaments that were not announced, beside nothing."""


USUAL_CLAIM_DAYS: Final = 60
MOST_CLAIM_DAYS: Final = 3_650


@dataclass(frozen=True, slots=True)
class FederationRules:
    """How a federation numbers its players, and which age groups it has; "" is the usual.

    ``new_ids`` is as ``views.id_rule`` reads it, ``age_groups`` as ``ledger.age_groups``.
    ``unannounced`` says what is done about tournaments that are opened, or imported, and were not
    announced: ``refuse`` them, ``note`` them, or nothing ("").
    ``claim_days`` is how many days after a list went out somebody may say that it is wrong (0:
    always), ``claims_to`` whom to write to later.

    Raises:
        InputRefused: ``unannounced`` is none of these.
    """

    new_ids: str = ""
    age_groups: str = ""
    unannounced: str = ""
    claim_days: int = USUAL_CLAIM_DAYS
    claims_to: str = ""

    def __post_init__(self) -> None:
        """Refuses a word that says nothing."""
        if self.unannounced not in {"", *UNANNOUNCED}:
            allowed = ", ".join(UNANNOUNCED)
            raise InputRefused("calendar.bad_unannounced", value=self.unannounced, allowed=allowed)


_MEDIA_TYPES: Final = {".svg": "image/svg+xml", ".png": "image/png", ".webp": "image/webp"}
_LARGEST_LOGO: Final = 20_000  # bytes: it is on every page


@dataclass(frozen=True, slots=True)
class Logo:
    """The picture of a federation, square; ``sha256`` is its digest, in hexadecimal."""

    data: bytes
    media_type: str

    @property
    def sha256(self) -> str:
        """The digest of the picture."""
        return hashlib.sha256(self.data).hexdigest()

    @classmethod
    def read(cls, file: Path) -> Self:
        """Reads a file.

        Raises:
            InputRefused: it cannot be read, is too large, or none that browsers show everywhere.
        """
        media_type = _MEDIA_TYPES.get(file.suffix.lower())
        if media_type is None:
            allowed = ", ".join(_MEDIA_TYPES)
            raise InputRefused("serve.logo_kind", file=file, allowed=allowed)
        try:
            data = file.read_bytes()
        except OSError as error:
            raise InputRefused("serve.logo_unread", file=file, why=error.strerror) from error
        if len(data) > _LARGEST_LOGO:
            raise InputRefused("serve.logo_large", file=file, size=len(data), most=_LARGEST_LOGO)
        return cls(data, media_type)


@dataclass(frozen=True, slots=True)
class FederationFace:
    """How a federation is called on its site, in both languages: its name, a sentence, its logo.

    ``accent`` is the colour that leads on it, ``lists`` is how its lists are called, by their ids.
    ``contact`` is an e-mail address, a web address or words that say whom to write to,
    ``documentation`` the web address of the program's documentation; "" where neither is set.
    What is not said here the program says in its own words.
    """

    name: Wording | None = None
    words: Wording | None = None
    logo: Logo | None = None
    accent: Accent | None = None
    lists: Mapping[str, Wording] = field(default_factory=dict)
    contact: str = ""
    documentation: str = ""

    def list_name(self, name: str, language: str) -> str:
        """Returns how a list is called: as the ledger calls it, where nothing is said."""
        words = self.lists.get(name)
        return words.within(language) if words else name
