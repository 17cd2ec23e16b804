"""Checkpoints: the size and root of the tree on one page that can be kept elsewhere.

The text is a C2SP *tlog-checkpoint* (https://c2sp.org/tlog-checkpoint): origin, number of events,
root in base64. If it is signed, it is a C2SP *signed note* (https://c2sp.org/signed-note) with
Ed25519. A journal that was cut short or hashed anew can be told only by holding it against such a
page. A page without a signature serves as well, as long as nobody else can change it.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import ClassVar, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from ledger.errors import InputRefused, VerificationFailed
from ledger.journal.interface import Journal
from ledger.journal.merkle import HASH_BYTES, CompactRange

ED25519 = b"\x01"
"""The kind of a key that signs a text as it is (C2SP signed-note)."""

_PRIME = 2**255 - 19
_CURVE = -121665 * pow(121666, -1, _PRIME) % _PRIME  # d in RFC 8032
_TORSION = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
# The y of every point of small order: of the order 1, 2, 4, and twice 8.
_SMALL_ORDER = {1, _PRIME - 1, 0, _TORSION, _PRIME - _TORSION}
_KEY_BYTES = 32
_KEY_ID_BYTES = 4
SIGNATURE_BYTES = 64
"""How long a signature of Ed25519 is."""

MOST_EVENTS = 2**53 - 1
"""The greatest number in a checkpoint or a proof: more no program that reads JSON can count."""

_DASH = "— "
_LINES = 3
_PRIVATE = "PRIVATE+KEY+"
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Signature:
    """A line below a page: the key's name, its id (four bytes) and the signature's bytes."""

    name: str
    key_id: bytes
    value: bytes

    @property
    def line(self) -> str:
        """The line as it is written, without a newline."""
        return f"{_DASH}{self.name} {base64.b64encode(self.key_id + self.value).decode()}"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A tree at a size. ``extension`` are further lines of the text that mean nothing to us."""

    origin: str
    size: int
    root: bytes
    signatures: tuple[Signature, ...] = ()
    extension: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What is signed, with its last newline."""
        root = base64.b64encode(self.root).decode()
        return "".join(f"{line}\n" for line in (self.origin, self.size, root, *self.extension))

    def note(self) -> str:
        """Returns the whole page; without a signature it is the text alone."""
        if not self.signatures:
            return self.text
        return self.text + "\n" + "".join(f"{signature.line}\n" for signature in self.signatures)


@dataclass(frozen=True, slots=True)
class NamedKey:
    """A named public key: 32 bytes of Ed25519, in texts behind the byte of its kind."""

    KIND: ClassVar[bytes]

    name: str
    public: bytes

    @property
    def key_id(self) -> bytes:
        """The four bytes by which a signature names its key."""
        return key_id_of(self.name, self.KIND + self.public)

    def __str__(self) -> str:
        coded = base64.b64encode(self.KIND + self.public).decode()
        return f"{self.name}+{self.key_id.hex()}+{coded}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads ``name+hash+base64``.

        Raises:
            InputRefused: it is not of that form, of another kind, or its hash does not fit.
            VerificationFailed: anybody can sign with it.
        """
        name, hash_, key = key_parts(text, text, cls.KIND)
        made = cls(name, key)
        if made.key_id.hex() != hash_:
            raise InputRefused("verify.checkpoint_key", key=text[:_SHOWN])
        check_order(name, key)
        return made


class Verifier(NamedKey):
    """A key that signs a text as it is."""

    __slots__ = ()
    KIND = ED25519

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads a public key, or the private one to which it belongs; raises as ``NamedKey``."""
        if text.startswith(_PRIVATE):
            own = Signer.parse(text).verifier
            return cls(own.name, own.public)
        return super().parse(text)

    def verify(self, signature: bytes, text: str) -> bool:
        """Whether the signature is this key's, of the text."""
        return is_signature(self.public, signature, text)


def is_signature(public: bytes, signature: bytes, text: str) -> bool:
    """Whether a signature is one of Ed25519 of the text, with the key of 32 bytes."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text.encode())
    except InvalidSignature:
        return False
    return True


def key_id_of(name: str, key: bytes) -> bytes:
    """Returns the id of a key that begins with the byte of its kind."""
    return sha256(name.encode() + b"\n" + key).digest()[:_KEY_ID_BYTES]


def check_order(name: str, public: bytes) -> None:
    """Raises ``VerificationFailed`` for a key with which anybody can sign (small order)."""
    if _y_of(public) % _PRIME in _SMALL_ORDER:
        raise VerificationFailed("proof.small_order", name=name)


def is_sound(public: bytes) -> bool:
    """Whether bytes are a key with which its owner can sign, and nobody else.

    They are a point of the curve in its only spelling (RFC 8032, 5.1.3), not of small order.
    """
    y = _y_of(public)
    if len(public) != _KEY_BYTES or y >= _PRIME or y in _SMALL_ORDER:
        return False
    square = (y * y - 1) * pow(_CURVE * y * y + 1, -1, _PRIME) % _PRIME
    return pow(square, (_PRIME - 1) // 2, _PRIME) == 1


def _y_of(public: bytes) -> int:
    return int.from_bytes(public, "little") & (1 << 255) - 1


@dataclass(frozen=True, slots=True)
class Signer:
    """A named private key: the 32 bytes of its Ed25519 seed, which no message ever quotes."""

    name: str
    seed: bytes

    @classmethod
    def generate(cls, name: str) -> Signer:
        """Makes a new key; the name is neither empty nor holds blanks or a plus."""
        if not _is_name(name):
            raise InputRefused("verify.checkpoint_key", key=name)
        return cls(name, Ed25519PrivateKey.generate().private_bytes_raw())

    @classmethod
    def parse(cls, text: str) -> Signer:
        """Reads ``PRIVATE+KEY+name+hash+base64``.

        Raises:
            InputRefused: it is not of that form, of another algorithm, or its hash does not fit;
                or it is a public key, with which nobody can sign.
        """
        shown = f"{text[: len(_PRIVATE)]}…"
        if not text.startswith(_PRIVATE):
            if _is_public(text):
                raise InputRefused("verify.public_cannot_sign", key=text[:_SHOWN])
            raise InputRefused("verify.checkpoint_key", key=shown)
        name, hash_, seed = key_parts(text.removeprefix(_PRIVATE), shown)
        made = cls(name, seed)
        if made.verifier.key_id.hex() != hash_:
            raise InputRefused("verify.checkpoint_key", key=shown)
        return made

    @property
    def verifier(self) -> Verifier:
        """The public key that goes with it."""
        key = Ed25519PrivateKey.from_private_bytes(self.seed)
        return Verifier(self.name, key.public_key().public_bytes_raw())

    def secret(self) -> str:
        """Returns the key as it is kept; who has it can sign."""
        coded = base64.b64encode(ED25519 + self.seed).decode()
        return f"{_PRIVATE}{self.name}+{self.verifier.key_id.hex()}+{coded}"

    def sign(self, text: str) -> Signature:
        """Signs a text that ends with a newline."""
        key = Ed25519PrivateKey.from_private_bytes(self.seed)
        return Signature(self.name, self.verifier.key_id, key.sign(text.encode()))


def _is_public(text: str) -> bool:
    try:
        Verifier.parse(text)
    except InputRefused:
        return False
    return True


def _is_name(name: str) -> bool:
    return bool(name) and "+" not in name and not any(sign.isspace() for sign in name)


def key_parts(text: str, shown: str, kind: bytes = ED25519) -> tuple[str, str, bytes]:
    """Returns name, hash and key of ``name+hash+base64``, a key of a kind.

    Raises:
        InputRefused: it is not of that form, or of another kind.
    """
    name, _, rest = text.partition("+")
    hash_, _, coded = rest.partition("+")
    raw = decoded(coded)
    if not _is_name(name) or raw[:1] != kind or len(raw) != 1 + _KEY_BYTES:
        raise InputRefused("verify.checkpoint_key", key=shown[:_SHOWN])
    return name, hash_, raw[1:]


def decoded(text: str) -> bytes:
    """Reads base64; what is none is read as nothing."""
    try:
        raw = base64.b64decode(text, validate=True)
    except ValueError:
        return b""
    # Python accepts stray bits at the end; a page has one spelling.
    return raw if base64.b64encode(raw).decode() == text else b""


def make_checkpoint(journal: Journal, origin: str, signer: Signer | None = None) -> Checkpoint:
    """Returns the checkpoint of a journal as it is now.

    ``origin`` names the ledger, for example ``chess.example/ratings``; one line. ``signer`` signs
    it; without one the page says so by having no signature.
    """
    if not origin.strip() or len(origin.splitlines()) != 1:
        raise InputRefused("verify.no_checkpoint", text=origin[:_SHOWN])
    head = journal.head()
    bare = Checkpoint(origin, head.seq, bytes.fromhex(head.root))
    return replace(bare, signatures=(signer.sign(bare.text),)) if signer else bare


def parse(page: str) -> Checkpoint:
    """Reads a page, signed or not; its signatures are not verified yet.

    Raises:
        InputRefused: it is no checkpoint.
    """
    text, _, below = page.replace("\r\n", "\n").partition("\n\n")
    lines = text.removesuffix("\n").split("\n")
    signatures = [_signature(line) for line in below.splitlines()]
    known = tuple(signature for signature in signatures if signature is not None)
    if len(lines) >= _LINES and len(known) == len(signatures):
        origin, size, coded, *extension = lines
        root = decoded(coded)
        count = whole_number(size)
        if origin.strip() and count is not None and len(root) == HASH_BYTES and all(extension):
            return Checkpoint(origin, count, root, known, tuple(extension))
    raise InputRefused("verify.no_checkpoint", text=page[:_SHOWN].replace("\n", " | "))


def whole_number(text: str) -> int | None:
    """Reads a number without a leading zero, at most ``MOST_EVENTS``; None: it is none."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MOST_EVENTS))):
        return None
    found = int(text)
    return found if str(found) == text and found <= MOST_EVENTS else None


def signature_lines(text: str) -> tuple[Signature, ...]:
    """Reads lines of signatures; what is none is passed over."""
    found = (_signature(line) for line in text.split("\n"))
    return tuple(line for line in found if line is not None)


def _signature(line: str) -> Signature | None:
    name, _, coded = line.removeprefix(_DASH).partition(" ")
    raw = decoded(coded)
    if not line.startswith(_DASH) or not _is_name(name) or len(raw) <= _KEY_ID_BYTES:
        return None
    return Signature(name, raw[:_KEY_ID_BYTES], raw[_KEY_ID_BYTES:])


def check_signature(of: Checkpoint, verifier: Verifier) -> None:
    """Checks that the page is signed by the key; signatures of other keys are passed over.

    Raises:
        VerificationFailed: it is not, or the signature is not of this text.
    """
    named = (verifier.name, verifier.key_id)
    ours = [one for one in of.signatures if (one.name, one.key_id) == named]
    if not ours:
        key = verifier.key_id.hex()
        raise VerificationFailed("verify.checkpoint_unsigned", name=verifier.name, key=key)
    if not all(verifier.verify(one.value, of.text) for one in ours):
        raise VerificationFailed("verify.checkpoint_signature", name=verifier.name)


def _leaf(stored: str) -> bytes:
    try:
        return bytes.fromhex(stored)
    except ValueError:
        return b""


def check_against(journal: Journal, of: Checkpoint) -> None:
    """Holds a journal against a checkpoint, by the leaves that are stored.

    That the leaves are those of the events is what ``verify.check`` finds out. The journal may have
    grown since. Who signed the page is not looked at (see ``check_signature``).

    Raises:
        VerificationFailed: events are missing, or they are not those the checkpoint was made of.
    """
    tree = CompactRange()
    for page in journal.pages(upto=of.size):
        tree.extend([_leaf(leaf_hash) for *_, leaf_hash in page])
    if tree.size < of.size:
        raise VerificationFailed("verify.cut", size=of.size, seq=tree.size)
    if tree.root() != of.root:
        raise VerificationFailed("verify.rewritten", size=of.size)
