"""Random texts that let somebody in, and what is kept of them."""

from __future__ import annotations

import hashlib
import secrets

_BYTES = 32


def new_secret(prefix: str = "") -> str:
    """Returns a random text of 256 bits that stands well in a URL."""
    return prefix + secrets.token_urlsafe(_BYTES)


def digest_of(secret: str) -> bytes:
    """Returns what is kept of such a text: from a long random one nobody finds it again."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).digest()
