"""A proof that a later checkpoint continues an earlier one: nothing was taken away or changed.

The file is what *tlog-witness* (https://c2sp.org/tlog-witness) sends to a witness: ``old`` with
the size of the earlier tree, the hashes, an empty line, the later checkpoint. Whoever checks it
has kept the earlier one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ledger.errors import VerificationFailed
from ledger.journal.checkpoint import Checkpoint
from ledger.journal.merkle import consistent
from ledger.proofs.lines import hashes, number, refused, signed_page, split, written

OLD: Final = "old "


@dataclass(frozen=True, slots=True)
class ConsistencyProof:
    """The size of the earlier tree, the hashes (RFC 9162, 2.1.4), and the later checkpoint."""

    earlier: int
    path: tuple[bytes, ...]
    checkpoint: Checkpoint

    def text(self) -> str:
        """Returns the file."""
        lines = [f"{OLD}{self.earlier}", *written(self.path), ""]
        return "\n".join(lines) + "\n" + self.checkpoint.note()

    def check(self, earlier: Checkpoint) -> None:
        """Checks that the later tree continues the earlier one; signatures are not looked at.

        Raises:
            VerificationFailed: it does not, or this is about other checkpoints.
        """
        later = self.checkpoint
        if earlier.origin != later.origin:
            raise VerificationFailed("proof.other_log", origin=earlier.origin, other=later.origin)
        if earlier.size != self.earlier:
            raise VerificationFailed("proof.other_size", size=earlier.size, said=self.earlier)
        if earlier.size > later.size:
            raise VerificationFailed("proof.shrunk", size=earlier.size, later=later.size)
        is_empty = earlier.size == 0 and not self.path
        if not is_empty and not consistent(
            earlier.root, earlier.size, later.root, later.size, self.path
        ):
            values = {"size": earlier.size, "later": later.size}
            raise VerificationFailed("proof.inconsistent", **values)


def read_consistency_proof(text: str) -> ConsistencyProof:
    """Reads a file; what it says is not checked yet.

    Raises:
        VerificationFailed: a line is not what the format says, to the byte.
    """
    lines, page = split(text)
    if not lines[0].startswith(OLD):
        raise refused(1, "proof.a_proof", lines[0])
    earlier = number(lines[0].removeprefix(OLD), 1)
    path = hashes(lines[1:], 2)
    return ConsistencyProof(earlier, path, signed_page(page))
