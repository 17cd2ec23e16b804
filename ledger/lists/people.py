"""Names beside ids: the only place where identity documents meet calculated figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import msgspec

from ledger.events.personal import identity_in
from ledger.facts.as_of import AsOf
from ledger.facts.columns import NOBODY, Column

Documents = Callable[[Iterable[str] | None], Mapping[str, str]]
"""Brings identity documents by their digests; all there are, when not asked for some."""

# Whoever has asked for so many, one by one, gets all: a search costs as much as fifty documents.
_ONE_BY_ONE = 50
# Who asks for more than this share of the players at once gets all: they are read in order.
_FEW = 1 / 10


class Personal(msgspec.Struct, frozen=True):
    """What is read of an identity document; ``birth_date`` is an ISO date or a year."""

    name: str
    sex: str | None = None
    birth_date: str | None = None


NAMELESS = Personal("")
"""What is known of an erased person."""

_read = msgspec.json.Decoder(Personal).decode


class People:
    """Players as they were known at a basis. An erased person keeps the id and has no name."""

    def __init__(self, known: AsOf, documents: Documents) -> None:
        """``documents`` is asked when a name is needed, for as few as that takes."""
        self._known = known
        self._documents = documents
        # By digest; None where there is none any more.
        self._found: dict[str, str | None] = {}
        self._asked = 0

    def id(self, player: int) -> str | None:
        """Returns the id of a player by index; None for nobody (a bye)."""
        return None if player == NOBODY else self._known.facts.player_ids[player]

    def ids(self, players: Column) -> list[str]:
        """Returns the ids of many players at once."""
        ids = self._known.facts.player_ids
        return [ids[player] for player in players.tolist()]

    def name(self, player: int) -> str | None:
        """Returns the name, "" for an erased person, None for nobody."""
        if player == NOBODY:
            return None
        identity = self._known.identity(player)
        if identity is None:
            return ""
        if identity not in self._found and self._asked <= _ONE_BY_ONE:
            self._asked += 1
            self._find([identity] if self._asked <= _ONE_BY_ONE else None)
        name = _personal(self._found.get(identity)).name
        if not name.isprintable():
            _require_names([self._found.get(identity)])
        return name

    def names(self, players: Column) -> list[str]:
        """Returns the names of many players at once."""
        return [personal.name for personal in self.personal(players)]

    def personal(self, players: Column) -> list[Personal]:
        """Returns name, sex and birth date of many players at once."""
        identities = self._known.identities(players)
        found = self._found
        new = [digest for digest in identities if digest and digest not in found]
        if new and self._asked <= _ONE_BY_ONE:
            if len(new) <= _FEW * len(self._known.facts.players):
                self._find(new)
            else:
                self._asked = _ONE_BY_ONE + 1
                self._find(None)
        read = [_personal(found.get(digest)) for digest in identities]
        if not "".join([personal.name for personal in read]).isprintable():
            _require_names(found.get(digest) for digest in identities)
        return read

    def federation(self, player: int) -> str | None:
        """Returns the federation's code, where it is known."""
        return self._known.federation(player)

    def federations(self, players: Column) -> list[str | None]:
        """Returns the federations of many players at once."""
        return self._known.federations(players)

    def _find(self, digests: list[str] | None) -> None:
        self._found |= dict.fromkeys(digests or ())
        self._found |= self._documents(digests)


def _personal(document: str | None) -> Personal:
    try:
        return NAMELESS if document is None else _read(document)
    except msgspec.MsgspecError:
        _require_names([document])
        raise


def _require_names(documents: Iterable[str | None]) -> None:
    """Raises ``VerificationFailed`` when a document is none that this program writes."""
    for document in documents:
        if document is not None:
            identity_in(document)
