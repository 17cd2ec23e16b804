"""Cosignatures: a witness says that at a time a checkpoint was the newest, and that the log grew.

Source: https://c2sp.org/tlog-cosignature, the kind with Ed25519. The signed message is a header,
the time, and the text of the checkpoint.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Final

from ledger.errors import InputRefused
from ledger.journal.checkpoint import (
    SIGNATURE_BYTES,
    Checkpoint,
    Signature,
    Signer,
    check_order,
    is_signature,
    key_id_of,
    key_parts,
)

_KIND: Final = b"\x04"
_TIME_BYTES: Final = 8
_LATEST: Final = (1 << 63) - 1
_SHOWN: Final = 80


@dataclass(frozen=True, slots=True)
class Witness:
    """A witness's named public key: 32 bytes of Ed25519."""

    name: str
    public: bytes

    @property
    def key_id(self) -> bytes:
        """The four bytes by which a signature names its key."""
        return key_id_of(self.name, _KIND + self.public)

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{base64.b64encode(_KIND + self.public).decode()}"

    @classmethod
    def parse(cls, text: str) -> Witness:
        """Reads ``name+hash+base64``, a key of the kind 0x04.

        Raises:
            InputRefused: it is not of that form, or its hash does not fit.
            VerificationFailed: anybody can sign with it.
        """
        name, hash_, key = key_parts(text, text, _KIND)
        made = cls(name, key)
        if made.key_id.hex() != hash_:
            raise InputRefused("verify.checkpoint_key", key=text[:_SHOWN])
        check_order(name, key)
        return made

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


def witness_of(signer: Signer) -> Witness:
    """Returns the public key of whoever cosigns with a private one."""
    return Witness(signer.name, signer.verifier.public)


def cosign(of: Checkpoint, signer: Signer, time: int) -> Signature:
    """Returns a witness's signature; whoever calls it has seen that the log only grew."""
    made = signer.sign(message(of, time)).value
    return Signature(
        signer.name, witness_of(signer).key_id, time.to_bytes(_TIME_BYTES, "big") + made
    )
