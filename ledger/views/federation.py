"""What a federation settles for itself beside its lists: it is in settings, not in the ledger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ledger.errors import InputRefused

UNANNOUNCED: Final = ("note", "refuse")
"""What may be done about tournaments that were not announced, beside nothing."""


@dataclass(frozen=True, slots=True)
class FederationRules:
    """How a federation numbers its players, and which age groups it has; "" is the usual.

    ``new_ids`` is as ``views.id_rule`` reads it, ``age_groups`` as ``ledger.age_groups``.
    ``unannounced`` says what is done about tournaments that are opened, or imported, and were not
    announced: ``refuse`` them, ``note`` them, or nothing ("").

    Raises:
        InputRefused: ``unannounced`` is none of these.
    """

    new_ids: str = ""
    age_groups: str = ""
    unannounced: str = ""

    def __post_init__(self) -> None:
        """Refuses a word that says nothing."""
        if self.unannounced not in {"", *UNANNOUNCED}:
            allowed = ", ".join(UNANNOUNCED)
            raise InputRefused("calendar.bad_unannounced", value=self.unannounced, allowed=allowed)
