"""An authenticator in software: what a telephone does when a passkey is made or used."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import Aaguid, AttestationObject, AttestedCredentialData, AuthenticatorData

FLAG = AuthenticatorData.FLAG
NONE = FLAG(0)


@dataclass
class Authenticator:
    """Holds one passkey; ``verifies`` says whether it asks for a finger or a number."""

    origin: str
    verifies: bool = True
    counter: int = 0
    id: bytes = field(default_factory=lambda: os.urandom(32))
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    user: bytes = b""

    def made(self, options: dict[str, Any]) -> dict[str, Any]:
        """Returns what a browser answers to the options of a registration."""
        said = options["publicKey"]
        self.user = websafe_decode(said["user"]["id"])
        make: Callable[[Any], ES256] = ES256.from_cryptography_key
        public = make(self.key.public_key())
        attested = AttestedCredentialData.create(Aaguid.NONE, self.id, public)
        data = self._data(said["rp"]["id"], FLAG.AT, attested)
        client = self._client("webauthn.create", said["challenge"])
        response = {
            "clientDataJSON": websafe_encode(client),
            "attestationObject": websafe_encode(AttestationObject.create("none", data, {})),
        }
        return self._answer(response)

    def used(self, options: dict[str, Any]) -> dict[str, Any]:
        """Returns what a browser answers to the options of a sign-in."""
        said = options["publicKey"]
        data = self._data(said["rpId"])
        client = self._client("webauthn.get", said["challenge"])
        signed = data + hashlib.sha256(client).digest()
        response = {
            "clientDataJSON": websafe_encode(client),
            "authenticatorData": websafe_encode(data),
            "signature": websafe_encode(self.key.sign(signed, ec.ECDSA(SHA256()))),
            "userHandle": websafe_encode(self.user),
        }
        return self._answer(response)

    def _data(
        self, host: str, flags: AuthenticatorData.FLAG = NONE, attested: bytes = b""
    ) -> AuthenticatorData:
        flags |= FLAG.UP | (FLAG.UV if self.verifies else NONE)
        about = hashlib.sha256(host.encode()).digest()
        made: AuthenticatorData = AuthenticatorData.create(about, flags, self.counter, attested)
        return made

    def _client(self, type_: str, challenge: str) -> bytes:
        said = {"type": type_, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps(said).encode()

    def _answer(self, response: dict[str, str]) -> dict[str, Any]:
        id_ = websafe_encode(self.id)
        return {
            "id": id_,
            "rawId": id_,
            "type": "public-key",
            "response": response,
            "clientExtensionResults": {},
        }
