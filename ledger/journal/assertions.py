"""Signatures by passkeys: what a WebAuthn assertion says, and whether it is good.

An authenticator signs what it says of itself (for which site, that its owner was there and proved
it) and the digest of what the browser says (which challenge, asked by which page). The challenge is
the SHA-256 of the text that is signed. A text stands in one assertion only: nobody but the owner of
the passkey makes another one.

Source: W3C Web Authentication Level 2, sections 5.8.1, 6.1 and 7.2; RFC 5280 for the public key.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from hashlib import sha256
from typing import Any, Final
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.types import PublicKeyTypes
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_der_public_key,
)

from ledger.journal.checkpoint import decoded, is_sound

_PARTS: Final = 3
_BETWEEN: Final = "."
_DIGEST_BYTES: Final = 32
_MOST_SAID: Final = 10_000  # bytes of what a browser says; it says some hundred
_LEAST_BYTES: Final = 37  # of what an authenticator says: a digest, the flags, a counter of four
_PRESENT: Final = 0x01
_VERIFIED: Final = 0x04
_ATTESTED: Final = 0x40
_RSA_BITS: Final = range(2048, 8193)
_COSE_KIND: Final = 1
_COSE_ALGORITHM: Final = 3
_COSE_CURVE: Final = -1
_RS256: Final = -257
_HERE: Final = "localhost"  # which browsers trust without HTTPS


@dataclass(frozen=True, slots=True)
class Assertion:
    """What an authenticator says and signs, with what the browser says, as bytes."""

    authenticator_data: bytes
    client_data: bytes
    signature: bytes

    def __str__(self) -> str:
        """The three in base64, with points between them, as the ledger stores them."""
        return _BETWEEN.join(base64.b64encode(part).decode() for part in astuple(self))


def parse_assertion(text: str) -> Assertion | None:
    """Reads an assertion as it is stored; None where it is none."""
    parts = [decoded(part) for part in text.split(_BETWEEN)]
    return Assertion(*parts) if len(parts) == _PARTS and all(parts) else None


def challenge_of(text: str) -> bytes:
    """Returns the challenge with which a passkey signs a text."""
    return sha256(text.encode()).digest()


def passkey_public(key: str) -> PublicKeyTypes | None:
    """Reads the public key of a passkey, in base64; None where it is none that signs commits.

    It is a SubjectPublicKeyInfo in DER, in its only spelling: of ES256 (P-256), of EdDSA (Ed25519),
    or of RS256 (RSA of 2048 bits at least).
    """
    raw = decoded(key)
    try:
        public = load_der_public_key(raw)
    except (ValueError, UnsupportedAlgorithm):
        return None
    match public:
        case ec.EllipticCurvePublicKey(curve=ec.SECP256R1()):
            pass
        case Ed25519PublicKey() if is_sound(public.public_bytes_raw()):
            pass
        case rsa.RSAPublicKey() if public.key_size in _RSA_BITS and public.public_numbers().n % 2:
            pass
        case _:
            return None
    spelt = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return public if spelt == raw else None


def coded_passkey(public: Mapping[int, Any]) -> str | None:
    """Returns the public key of a passkey in base64, as events name it; None: it signs no commits.

    Args:
        public: it, as an authenticator gives it: a COSE key (RFC 9053).
    """
    try:
        made = _read_cose(public)
    except (KeyError, TypeError, ValueError):  # an authenticator may say anything
        return None
    if made is None:
        return None
    spelt = made.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    key = base64.b64encode(spelt).decode()
    return key if passkey_public(key) is not None else None


def _read_cose(public: Mapping[int, Any]) -> PublicKeyTypes | None:
    match public.get(_COSE_KIND), public.get(_COSE_CURVE):
        case 2, 1:
            x, y = (int.from_bytes(public[at]) for at in (-2, -3))
            return ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
        case 1, 6:
            return Ed25519PublicKey.from_public_bytes(public[-2])
        case 3, _ if public.get(_COSE_ALGORITHM) == _RS256:
            exponent, modulus = (int.from_bytes(public[at]) for at in (-2, -1))
            return rsa.RSAPublicNumbers(exponent, modulus).public_key()
        case _:
            return None


def is_asserted(said: str, key: str, relying_party: str, text: str) -> bool:
    """Whether the owner of a passkey signed a text, at a page of the site for which it was made.

    Args:
        said: the assertion that is to prove it, as it is stored.
        key: the public key of the passkey, in base64.
        relying_party: the host for which it was made.
        text: what was to be signed.
    """
    public, assertion = passkey_public(key), parse_assertion(said)
    return (
        public is not None
        and assertion is not None
        and _is_for(assertion.authenticator_data, relying_party)
        and _is_asked_by(assertion.client_data, relying_party, challenge_of(text))
        and _is_signature(public, assertion)
    )


def _is_for(said: bytes, relying_party: str) -> bool:
    """Whether an authenticator used a passkey of the site, and its owner was there and proved it.

    What it says when a passkey is made, is none.
    """
    if len(said) < _LEAST_BYTES or said[:_DIGEST_BYTES] != sha256(relying_party.encode()).digest():
        return False
    flags = said[_DIGEST_BYTES]
    return bool(flags & _PRESENT and flags & _VERIFIED and not flags & _ATTESTED)


def _is_asked_by(client_data: bytes, relying_party: str, challenge: bytes) -> bool:
    """Whether a browser was asked for the challenge by a page of the site, in no foreign frame."""
    if len(client_data) > _MOST_SAID:
        return False
    try:
        said: Any = json.loads(client_data, object_pairs_hook=_named_once)
        origin = urlsplit(said["origin"])
        asked = said["challenge"]
        is_get = said["type"] == "webauthn.get"
        host = origin.hostname
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False
    is_safe = origin.scheme == "https" or (origin.scheme == "http" and host == _HERE)
    is_framed = said.get("crossOrigin", False) is not False or "topOrigin" in said
    expected = base64.urlsafe_b64encode(challenge).decode().rstrip("=")
    return is_get and is_safe and host == relying_party and not is_framed and asked == expected


def _named_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Returns an object of JSON; raises ``ValueError`` where it says something twice."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a name stands twice")
    return made


def _is_signature(public: PublicKeyTypes, assertion: Assertion) -> bool:
    """Whether the signature is one of the key, of what both said."""
    signed = assertion.authenticator_data + sha256(assertion.client_data).digest()
    try:
        match public:
            case ec.EllipticCurvePublicKey():
                public.verify(assertion.signature, signed, ec.ECDSA(SHA256()))
            case rsa.RSAPublicKey():
                public.verify(assertion.signature, signed, padding.PKCS1v15(), SHA256())
            case Ed25519PublicKey():
                public.verify(assertion.signature, signed)
            case _:
                return False
    except InvalidSignature:
        return False
    return True
