"""Names beside ids: the only place where identity documents meet calculated figures."""

from __future__ import annotations

import json
from collections.abc import Mapping

from ledger.facts.columns import NOBODY
from ledger.facts.known import Known


class People:
    """Players as they were known at a basis. An erased person keeps the id and has no name."""

    def __init__(self, known: Known, documents: Mapping[str, str]) -> None:
        """``documents`` maps the digests of identity documents to their text."""
        self._known = known
        self._documents = documents

    def id(self, player: int) -> str | None:
        """Returns the id of a player by index; None for nobody (a bye)."""
        return None if player == NOBODY else self._known.facts.player_ids[player]

    def name(self, player: int) -> str | None:
        """Returns the name, "" for an erased person, None for nobody."""
        if player == NOBODY:
            return None
        identity = self._known.identity(player)
        document = None if identity is None else self._documents.get(identity)
        return "" if document is None else str(json.loads(document)["name"])

    def federation(self, player: int) -> str | None:
        """Returns the federation's code, where it is known."""
        return self._known.federation(player)
