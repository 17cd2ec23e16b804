"""A passkey in software: what an authenticator and a browser say when they are asked to sign."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypeAlias

from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ledger.journal.assertions import Assertion, challenge_of
from ledger.trust.passkeys import PasskeySignature

Secret: TypeAlias = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey | Ed25519PrivateKey
HOST = "ratings.example"


def made_secret() -> ec.EllipticCurvePrivateKey:
    """Returns a secret key as most authenticators make them."""
    return ec.generate_private_key(ec.SECP256R1())


@dataclass
class SoftPasskey:
    """A passkey; the rest is what is said when it is used, and what a forger says otherwise."""

    secret: Secret = field(default_factory=made_secret)
    host: str = HOST
    origin: str = f"https://{HOST}"
    flags: int = 0b101  # its owner is there, and proved it
    kind: str = "webauthn.get"
    more: dict[str, object] = field(default_factory=dict)

    @property
    def public(self) -> str:
        """The public key as the ledger names it."""
        spelt = self.secret.public_key().public_bytes(
            Encoding.DER, PublicFormat.SubjectPublicKeyInfo
        )
        return base64.b64encode(spelt).decode()

    def asserted(self, text: str) -> Assertion:
        """Returns what is said when a text is to be signed."""
        data = sha256(self.host.encode()).digest() + bytes([self.flags]) + bytes(4)
        challenge = base64.urlsafe_b64encode(challenge_of(text)).decode().rstrip("=")
        said = {"type": self.kind, "challenge": challenge, "origin": self.origin, **self.more}
        client = json.dumps(said).encode()
        return Assertion(data, client, self._signature(data + sha256(client).digest()))

    def signature(self, account: str, text: str) -> PasskeySignature:
        """Returns that an account signed a text."""
        return PasskeySignature(account, self.public, str(self.asserted(text)))

    def _signature(self, data: bytes) -> bytes:
        match self.secret:
            case Ed25519PrivateKey():
                return self.secret.sign(data)
            case rsa.RSAPrivateKey():
                return self.secret.sign(data, padding.PKCS1v15(), SHA256())
            case _:
                return self.secret.sign(data, ec.ECDSA(SHA256()))
