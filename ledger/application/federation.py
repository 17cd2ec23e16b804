"""What a federation settles for itself beside its lists: it is in settings, not in the ledger."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FederationRules:
    """How a federation numbers its players, and which age groups it has; "" is the usual.

    ``new_ids`` is as ``application.id_rule`` reads it, ``age_groups`` as ``ledger.age_groups``.
    """

    new_ids: str = ""
    age_groups: str = ""
