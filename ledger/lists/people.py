"""Names beside ids, and the order of names in a list.

``People`` is the only place where identity documents meet calculated figures.

The order of names is one for every language, machine and version of Python: published bytes depend
on it, so no locale has a say. Surnames come first (what stands before the comma), then given names,
both without case, accents and punctuation; where that is the same, the name as it is written, by
code point. Letters are folded in the blocks below, everything else counts by its code point. Of
these blocks every code point is assigned since Unicode 7.0 or earlier, and Unicode's stability
policy forbids other decompositions and case foldings of what is assigned: so ``unicodedata`` of any
later Python says the same.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import cache

import msgspec
import numpy as np

from ledger.events.personal import identity_in
from ledger.facts.as_of import AsOf
from ledger.facts.columns import NOBODY, Column
from ledger.identifiers import PlayerId, PlayerIndex

Documents = Callable[[Iterable[str] | None], Mapping[str, str]]
"""Brings identity documents by their digests; all there are, when not asked for some."""

# Of more than this share of the players, names for a list are read in order: all there are.
_FEW = 1 / 10


class Issued(msgspec.Struct, frozen=True):
    """An id by which somebody else knows a player (see ``events.personal.IssuedId``)."""

    id: str
    issuer: str


class Printed(msgspec.Struct, frozen=True):
    """How a sender prints a player's name (see ``events.personal.PrintedName``)."""

    name: str
    sender: str
    birth_date: str | None = None
    id: str | None = None


class Personal(msgspec.Struct, frozen=True):
    """What is read of an identity document; ``birth_date`` is an ISO date or a year."""

    name: str
    sex: str | None = None
    birth_date: str | None = None
    ids: tuple[Issued, ...] = ()
    printed: tuple[Printed, ...] = ()
    apart: tuple[str, ...] = ()


NAMELESS = Personal("")
"""What is known of an erased person."""

_read = msgspec.json.Decoder(Personal).decode


class People:
    """Players as they were known at a basis. An erased person keeps the id and has no name.

    Names are read for those who are asked for. Whoever shows some one after the other asks for all
    of them before (``read``): else each is a question of its own.
    """

    def __init__(self, known: AsOf, documents: Documents) -> None:
        """``documents`` is asked when a name is needed."""
        self._known = known
        self._documents = documents
        # By digest; None where there is none any more.
        self._found: dict[str, str | None] = {}

    def read(self, players: Iterable[int]) -> None:
        """Reads the documents of some players, by index, and of nobody else, at once."""
        there = [player for player in players if player != NOBODY]
        self._find(self._known.identities(np.array(there, dtype=np.int64)))

    def id(self, player: PlayerIndex) -> PlayerId | None:
        """Returns the id of a player by index; None for nobody (a bye)."""
        return None if player == NOBODY else self._known.facts.player_ids[player]

    def ids(self, players: Column) -> list[PlayerId]:
        """Returns the ids of many players at once."""
        ids = self._known.facts.player_ids
        return [ids[player] for player in players.tolist()]

    def identities(self, ids: Iterable[str]) -> list[str]:
        """Returns the digests of players' identity documents, which outlive them, by their ids."""
        players = self._known.facts.player_index.of(ids)
        return self._known.identities(np.array(players, dtype=np.int64))

    def name(self, player: PlayerIndex) -> str | None:
        """Returns the name, "" for an erased person, None for nobody."""
        if player == NOBODY:
            return None
        identity = self._known.identity(player)
        if identity is None:
            return ""
        self._find([identity])
        name = _personal(self._found.get(identity)).name
        if not name.isprintable():
            _require_names([self._found.get(identity)])
        return name

    def names(self, players: Column) -> list[str]:
        """Returns the names of the players of a list; see ``personal``."""
        return [personal.name for personal in self.personal(players)]

    def personal(self, players: Column) -> list[Personal]:
        """Returns name, sex and birth date of the players of a list.

        Those of a good part of all players are read together with everybody's.
        """
        identities = self._known.identities(players)
        found = self._found
        if len({*identities} - found.keys()) <= _FEW * len(self._known.facts.players):
            self._find(identities)
        else:
            found |= dict.fromkeys(identities)
            found |= self._documents(None)
        read = [_personal(found.get(digest)) for digest in identities]
        if not "".join([personal.name for personal in read]).isprintable():
            _require_names(found.get(digest) for digest in identities)
        return read

    def federation(self, player: PlayerIndex) -> str | None:
        """Returns the federation's code, where it is known."""
        return self._known.federation(player)

    def federations(self, players: Column) -> list[str | None]:
        """Returns the federations of many players at once."""
        return self._known.federations(players)

    def _find(self, digests: Iterable[str]) -> None:
        """Sees to it that documents are there, as far as there are any; "" is nobody's digest."""
        new = [digest for digest in digests if digest and digest not in self._found]
        if new:
            self._found |= dict.fromkeys(new)
            self._found |= self._documents(new)


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


# Latin with its supplements and extensions A and B, Cyrillic, Latin Extended Additional.
_BLOCKS = (range(0x0250), range(0x0400, 0x0530), range(0x1E00, 0x1F00))
_ACCENTS = range(0x0300, 0x0370)
# Letters that Unicode does not decompose, and that lists print among those they are made of.
_LETTERS = {"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i"}
# Lower than every character of a name; and higher: who has no name comes last.
_END = "\x00"
_NAMELESS = "\U0010ffff"


def sort_key(name: str, id_: str) -> str:
    """Returns what a player is sorted by: the name ("" for an erased person), then the id.

    >>> names = "Perez Soto, Ana", "Pérez, Zoe", "", "PEREZ, Ana", "Peña, Eva"
    >>> sorted(names, key=lambda name: sort_key(name, "1"))
    ['Peña, Eva', 'PEREZ, Ana', 'Pérez, Zoe', 'Perez Soto, Ana', '']
    """
    if not name:
        return f"{_NAMELESS}{id_}"
    surname, _, first_names = name.partition(",")
    return _END.join((_folded(surname), _folded(first_names), name, id_))


def _folded(text: str) -> str:
    return " ".join(text.translate(_table()).split())


@cache
def _table() -> dict[int, str]:
    """Returns what stands for each character that does not stand for itself."""
    table = dict.fromkeys(_ACCENTS, "")
    for point in (point for block in _BLOCKS for point in block):
        table[point] = "".join(_letters_of(chr(point)))
    return table


def _letters_of(character: str) -> Iterable[str]:
    for part in unicodedata.normalize("NFKD", character).casefold():
        if part in _LETTERS:
            yield _LETTERS[part]
        elif ord(part) not in _ACCENTS:
            yield part if part.isalnum() else " "
