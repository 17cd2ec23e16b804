"""Cosignatures: a witness says that at a time a checkpoint was the newest, and that the log grew.

Source: https://c2sp.org/tlog-cosignature, the kind with Ed25519. The signed message is a header,
the time, and the text of the checkpoint.
"""

from __future__ import annotations

from typing import Final

from ledger.journal.checkpoint import (
    SIGNATURE_BYTES,
    Checkpoint,
    NamedKey,
    Signature,
    is_signature,
)

_TIME_BYTES: Final = 8
_LATEST: Final = (1 << 63) - 1


class Witness(NamedKey):
    """A witness's key, of the kind 0x04."""

    __slots__ = ()
    KIND = b"\x04"

    def time_of(self, signature: Signature, of: Checkpoint) -> int | None:
        """Returns when a checkpoint was cosigned, in seconds since 1970 (UTC).

        None, if the signature is not this witness's, of this checkpoint.
        """
        time = int.from_bytes(signature.value[:_TIME_BYTES], "big")
        made = signature.value[_TIME_BYTES:]
        is_right = time <= _LATEST and is_signature(self.public, made, message(of, time))
        return time if is_right else None


def claimed_time(line: Signature) -> int | None:
    """Returns when a line says that a checkpoint was cosigned, in seconds since 1970 (UTC).

    None, if it is not as long as a cosignature. Nothing is checked: that needs the witness's key.
    """
    if len(line.value) != _TIME_BYTES + SIGNATURE_BYTES:
        return None
    return int.from_bytes(line.value[:_TIME_BYTES], "big")


def message(of: Checkpoint, time: int) -> str:
    """Returns what a witness signs."""
    return f"cosignature/v1\ntime {time}\n{of.text}"
