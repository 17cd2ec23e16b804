"""What a publication commits to of its rows: a Merkle tree, so that one row can be proved alone.

A leaf is the row as canonical JSON (RFC 8785): its figures, the player's id, and the salted digest
of the identity document in the place of the name. What depends on names is left out, the rank
among equals too, and the leaves stand by rating, games and id: so the root is the same after
somebody was erased, and every other row stays provable. What is absent has no key.

``{"active":true,"change":5,"federation":"CHI","games":9,"id":"3404510","identity":"<digest>",
"k":15,"provisional":false,"rating":2000}``
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from json.encoder import encode_basestring as quoted

from ledger.errors import NotFound
from ledger.journal.merkle import includes, inclusion_proof, leaf_hash, leaf_hashes, root_of
from ledger.lists.people import People
from ledger.lists.rating_list import ListRows

_WORDS = ("false", "true")


@dataclass(frozen=True, slots=True)
class CommittedRows:
    """The rows of a list as leaves: players' ids and texts, in the order of the tree."""

    ids: Sequence[str]
    texts: Sequence[str]

    def root(self) -> str:
        """Returns the root over all rows, in hexadecimal."""
        return root_of(self._leaves()).hex()

    def index(self, player: str) -> int:
        """Returns the index (from 0) of a player's leaf; raises ``NotFound`` without one."""
        try:
            return self.ids.index(player)
        except ValueError:
            raise NotFound("proof.not_listed", player=player) from None

    def path(self, index: int) -> list[bytes]:
        """Returns the hashes beside the way from a leaf to the root."""
        return inclusion_proof(self._leaves(), index)

    def leads_to(self, root: str, index: int, path: Sequence[bytes]) -> bool:
        """Whether a path leads from a leaf to a root, in hexadecimal."""
        leaf = leaf_hash(self.texts[index].encode())
        return includes(bytes.fromhex(root), len(self.texts), index, leaf, path)

    def _leaves(self) -> list[bytes]:
        return leaf_hashes(map(str.encode, self.texts))


def committed_rows(rows: ListRows, people: People) -> CommittedRows:
    """Returns the leaves of a list; ``people`` as they were known at its basis."""
    column = rows.by_figures.column
    ids = column("id")
    # What many rows have in common is written once.
    before = map(cache(_before), column("active"), column("change"), column("federation"))
    after = map(cache(_after), column("k"), column("provisional"))
    figures = zip(
        before, column("games"), map(quoted, ids), people.identities(ids), after, column("rating"),
        strict=True,
    )  # fmt: skip
    texts = [
        f'{said}"games":{games},"id":{id_},"identity":"{identity}",{told}"rating":{rating}}}'
        for said, games, id_, identity, told, rating in figures
    ]
    return CommittedRows(ids, texts)


def _before(active: bool, change: int | None, federation: str | None) -> str:  # noqa: FBT001
    """Returns what stands before a player's games."""
    changed = "" if change is None else f'"change":{change},'
    belongs = "" if federation is None else f'"federation":{quoted(federation)},'
    return f'{{"active":{_WORDS[active]},{changed}{belongs}'


def _after(k: int, provisional: bool) -> str:  # noqa: FBT001
    """Returns what stands between a player's identity and rating."""
    return f'"k":{k},"provisional":{_WORDS[provisional]},'
