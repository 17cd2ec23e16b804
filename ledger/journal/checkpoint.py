"""Checkpoints: the size and root of the tree on one page that can be kept elsewhere.

The text is a C2SP *tlog-checkpoint*: origin, number of events, root in base64; if it is signed, as
a C2SP *signed note* with Ed25519. A journal that was cut short or hashed anew can be told only by
holding it against such a page.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
from dataclasses import dataclass
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from ledger.errors import InputRefused, VerificationFailed
from ledger.journal.entries import Journal
from ledger.journal.merkle import CompactRange

_ED25519 = b"\x01"
_DASH = "— "
_LINES = 3


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A tree at a size. ``text`` is what is signed, ``signatures`` are the lines below it."""

    origin: str
    size: int
    root: bytes
    signatures: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The note's text, with its last newline."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"

    def note(self) -> str:
        """Returns the whole page."""
        if not self.signatures:
            return self.text
        return self.text + "\n" + "".join(f"{line}\n" for line in self.signatures)


def checkpoint(journal: Journal, origin: str) -> Checkpoint:
    """Returns the checkpoint of a journal as it is now; ``origin`` names the ledger."""
    head = journal.head()
    return Checkpoint(origin, head.seq, bytes.fromhex(head.root))


def signed(of: Checkpoint, name: str, key: Ed25519PrivateKey) -> Checkpoint:
    """Returns the checkpoint with a signature by a named key."""
    public = key.public_key().public_bytes_raw()
    line = base64.b64encode(key_id(name, public) + key.sign(of.text.encode())).decode()
    return Checkpoint(of.origin, of.size, of.root, (*of.signatures, f"{_DASH}{name} {line}"))


def key_id(name: str, public: bytes) -> bytes:
    """Returns the four bytes by which a signed note names a key."""
    return sha256(name.encode() + b"\n" + _ED25519 + public).digest()[:4]


def parse(text: str) -> Checkpoint:
    """Reads a page; raises ``InputRefused`` when it is none."""
    body, _, below = text.replace("\r\n", "\n").partition("\n\n")
    lines = body.rstrip("\n").split("\n")
    size, root = 0, b""
    if len(lines) >= _LINES and lines[1].isascii() and lines[1].isdigit():
        size = int(lines[1])
        with contextlib.suppress(binascii.Error):
            root = base64.b64decode(lines[2], validate=True)
    if len(root) != sha256().digest_size:
        raise InputRefused("verify.no_checkpoint", text=text[:80].replace("\n", " | "))
    signatures = tuple(line for line in below.split("\n") if line.startswith(_DASH))
    return Checkpoint(lines[0], size, root, signatures)


def verified_by(of: Checkpoint, name: str, public: bytes) -> bool:
    """Whether the page carries a valid signature of the named Ed25519 public key."""
    wanted = key_id(name, public)
    for line in of.signatures:
        signer, _, coded = line.removeprefix(_DASH).rpartition(" ")
        raw = base64.b64decode(coded)
        if signer == name and raw[:4] == wanted:
            try:
                Ed25519PublicKey.from_public_bytes(public).verify(raw[4:], of.text.encode())
            except InvalidSignature:
                return False
            return True
    return False


def check_against(journal: Journal, of: Checkpoint) -> None:
    """Holds a journal against a checkpoint, by the leaves that are stored.

    Raises:
        VerificationFailed: events are missing, or are not those the checkpoint was made of.
    """
    tree = CompactRange()
    for event in journal.events(upto=of.size):
        tree.append(bytes.fromhex(event.leaf_hash))
    if tree.size < of.size:
        raise VerificationFailed("verify.cut", size=of.size, seq=tree.size)
    if tree.root() != of.root:
        raise VerificationFailed("verify.rewritten", size=of.size)
