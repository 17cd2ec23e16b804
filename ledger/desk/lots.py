"""Lots that can be drawn again: a seed, which is recorded, decides the order.

The order is that of SHA-256 digests, the same on every machine and in every version. Nobody can
choose a seed for a wanted order without trying many: announce it before the names are known, or
take it from what nobody decides (Chavarría 1975, EL ROUND ROBIN, has numbers drawn before the
start; SISTEMAS DE DESEMPATE has lots at the very end).
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256


def drawn(seed: str, tickets: Iterable[str]) -> list[str]:
    """Returns tickets in the order in which they are drawn; the order they are given in is nothing.

    Args:
        seed: any text.
        tickets: different texts, such as the ids of players.

    >>> drawn("2026-05-01", ["ana", "eva", "leo"])
    ['ana', 'eva', 'leo']
    """
    return sorted(tickets, key=lambda ticket: (_digest(seed, ticket), ticket))


def _digest(seed: str, ticket: str) -> bytes:
    # The length keeps apart what the seed ends with and the ticket begins with.
    # A seed that is no text is refused where it is recorded, not here.
    return sha256(f"{len(seed)}:{seed}{ticket}".encode(errors="surrogatepass")).digest()
