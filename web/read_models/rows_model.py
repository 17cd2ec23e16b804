"""The rows that an edition commits to, as a file: each of them is proved in milliseconds.

Nothing in it is believed: a row is proved only where its path leads to the root that was published.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ledger.journal.merkle import HASH_BYTES, inclusion_proof, leaf_hashes, root_of
from ledger.lists.committed_rows import CommittedRow, CommittedRows, not_listed
from web.read_models.connections import ReadConnections, file_to_write

_TABLES = """
CREATE TABLE rows (place INTEGER PRIMARY KEY, id TEXT, text TEXT);
CREATE TABLE tree (size INTEGER, groups BLOB);
"""
_GROUP: Final = 256
"""So many leaves are a subtree, the last one may be smaller: its root stands for them above."""


def write_rows(path: Path, rows: CommittedRows) -> None:
    """Writes the leaves of a list, in the order of the tree, into an empty file."""
    leaves = rows.leaves()
    groups = (root_of(leaves[at : at + _GROUP]) for at in range(0, len(leaves), _GROUP))
    with file_to_write(path, _TABLES) as connection:
        numbered = zip(range(len(leaves)), rows.ids, rows.texts, strict=True)
        connection.executemany("INSERT INTO rows VALUES (?, ?, ?)", numbered)
        connection.execute("INSERT INTO tree VALUES (?, ?)", (len(leaves), b"".join(groups)))
        connection.execute("CREATE INDEX rows_id ON rows (id)")


class RowsModel(ReadConnections):
    """Leaves that were written into a file; raises ``sqlite3.Error`` where it is damaged."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        with self.one() as connection:
            ((self._size, joined),) = connection.execute("SELECT size, groups FROM tree")
        starts = range(0, len(joined), HASH_BYTES)
        self._groups = [joined[at : at + HASH_BYTES] for at in starts]

    def row(self, player: str) -> CommittedRow:
        """Returns a player's leaf with its path; raises ``NotFound`` without one."""
        with self.one() as connection:
            found = connection.execute("SELECT place FROM rows WHERE id = ?", (player,)).fetchone()
            if found is None:
                raise not_listed(player)
            group, at = divmod(found[0], _GROUP)
            start = group * _GROUP
            found_ = connection.execute(
                "SELECT text FROM rows WHERE place BETWEEN ? AND ? ORDER BY place",
                (start, start + _GROUP - 1),
            )
            texts = [text for (text,) in found_]
        leaves = leaf_hashes(map(str.encode, texts))
        path = [*inclusion_proof(leaves, at), *inclusion_proof(self._groups, group)]
        return CommittedRow(texts[at], found[0], self._size, tuple(path))
