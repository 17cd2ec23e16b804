"""What a publication commits to of its rows: a Merkle tree, so that one row can be proved alone.

A leaf is the row as canonical JSON (RFC 8785): its figures, the player's id, and the salted digest
of the identity document in the place of the name. What depends on names is left out, the rank
among equals too, and the leaves stand by rating, games and id: so the root is the same after
somebody was erased, and every other row stays provable. What is absent has no key.

``{"active":true,"change":5,"federation":"CHI","games":9,"id":"3404510","identity":"<digest>",
"k":15,"provisional":false,"rating":2000}``
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from json.encoder import encode_basestring as quoted

from ledger.errors import NotFound
from ledger.journal.merkle import inclusion_proof, leaf_hash, leaf_hashes, proven_root, root_of
from ledger.lists.people import People
from ledger.lists.rating_list import PublishedRows

_WORDS = ("false", "true")


@dataclass(frozen=True, slots=True)
class CommittedRows:
    """The rows of a list as leaves: players' ids and texts, in the order of the tree."""

    ids: Sequence[str]
    texts: Sequence[str]

    def row(self, player: str) -> CommittedRow:
        """Returns a player's leaf; raises ``NotFound`` without one."""
        try:
            index = self.ids.index(player)
        except ValueError:
            raise not_listed(player) from None
        path = inclusion_proof(self.leaves(), index)
        return CommittedRow(self.texts[index], index, len(self.texts), tuple(path))

    def leaves(self) -> list[bytes]:
        """Returns the hashes of all leaves."""
        return leaf_hashes(map(str.encode, self.texts))


@dataclass(frozen=True, slots=True)
class CommittedRow:
    """One leaf of ``size``: its text, its index (from 0), and the hashes on its way to the root."""

    text: str
    index: int
    size: int
    path: tuple[bytes, ...]

    def root(self) -> str | None:
        """Returns the root to which its path leads, in hexadecimal; None where it leads to none."""
        leaf = leaf_hash(self.text.encode())
        root = proven_root(self.size, self.index, leaf, self.path)
        return None if root is None else root.hex()


def not_listed(player: str) -> NotFound:
    """Returns what is said of a player who is not in the list."""
    return NotFound("proof.not_listed", player=player)


def committed_rows(rows: PublishedRows, people: People) -> CommittedRows:
    """Returns the leaves of a list; ``people`` as they were known at its basis."""
    return CommittedRows(rows.by_figures.id, [*_texts(rows, people)])


def rows_root(rows: PublishedRows, people: People) -> str:
    """Returns the root over the same leaves, in hexadecimal; no more than one text is held."""
    return root_of(leaf_hashes(map(str.encode, _texts(rows, people)))).hex()


def _texts(rows: PublishedRows, people: People) -> Iterator[str]:
    """Returns the texts of the leaves, in the order of the tree, one after the other."""
    rows = rows.by_figures
    # What many rows have in common is written once.
    before = map(cache(_before), rows.active, rows.change, rows.federation)
    after = map(cache(_after), rows.k, rows.provisional)
    figures = zip(
        before, rows.games, map(quoted, rows.id), people.identities(rows.id), after, rows.rating,
        strict=True,
    )  # fmt: skip
    return (
        f'{said}"games":{games},"id":{id_},"identity":"{identity}",{told}"rating":{rating}}}'
        for said, games, id_, identity, told, rating in figures
    )


def _before(active: bool, change: int | None, federation: str | None) -> str:  # noqa: FBT001
    """Returns what stands before a player's games."""
    changed = "" if change is None else f'"change":{change},'
    belongs = "" if federation is None else f'"federation":{quoted(federation)},'
    return f'{{"active":{_WORDS[active]},{changed}{belongs}'


def _after(k: int, provisional: bool) -> str:  # noqa: FBT001
    """Returns what stands between a player's identity and rating."""
    return f'"k":{k},"provisional":{_WORDS[provisional]},'
