"""A proof that an event is in the tree of a checkpoint, as C2SP *tlog-proof* writes it.

Source: https://c2sp.org/tlog-proof. ``extra`` is data that the checkpoint does not sign; here it
holds what the leaf is made of (see ``contents``).
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Final

from ledger.journal.checkpoint import Checkpoint, decoded
from ledger.proofs.lines import hashes, number, refused, signed_page, split, written

FIRST_LINE: Final = "c2sp.org/tlog-proof@v1"
_EXTRA, _INDEX = "extra ", "index "


@dataclass(frozen=True, slots=True)
class TlogProof:
    """The leaf's index from 0, the hashes beside its way to the root from below, the checkpoint."""

    index: int
    path: tuple[bytes, ...]
    checkpoint: Checkpoint
    extra: bytes = b""

    def text(self) -> str:
        """Returns the file."""
        lines = [FIRST_LINE, f"{_INDEX}{self.index}", *written(self.path), ""]
        if self.extra:
            lines.insert(1, _EXTRA + base64.b64encode(self.extra).decode())
        return "\n".join(lines) + "\n" + self.checkpoint.note()


def read_tlog_proof(text: str) -> TlogProof:
    """Reads a file; what it says is not checked yet.

    Raises:
        VerificationFailed: a line is not what the format says, to the byte.
    """
    lines, page = split(text)
    if lines[0] != FIRST_LINE:
        raise refused(1, "proof.a_proof", lines[0])
    extra = b""
    if lines[1:] and lines[1].startswith(_EXTRA):
        extra = decoded(lines[1].removeprefix(_EXTRA))
        if not extra:
            raise refused(2, "proof.encoded", lines[1])
    at = 2 if extra else 1
    said = lines[at] if lines[at:] else ""
    if not said.startswith(_INDEX):
        raise refused(at + 1, "proof.an_index", said)
    index = number(said.removeprefix(_INDEX), at + 1)
    path = hashes(lines[at + 1 :], at + 2)
    return TlogProof(index, path, signed_page(page), extra)
