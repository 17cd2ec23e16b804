"""How often one may try to sign in: from an address, and for an account.

Whoever tries others' accounts must not keep their people out. So a browser in which somebody has
signed in before is counted by itself, and passkeys, which cannot be guessed, by the address alone.
"""

from __future__ import annotations

import ipaddress
from typing import Final

from fastapi import Request
from limits.strategies import FixedWindowRateLimiter

from web.office.attempts import OF_ACCOUNT, OF_ADDRESS, AttemptCounts, counted_as
from web.office.digests import digest_of
from web.office.store import Office

_NETWORK_BITS: Final = 64  # of an address of version 6 that belong to one customer


class Attempts:
    """Counts attempts, before they are made."""

    def __init__(self, office: Office) -> None:
        self._limiter = FixedWindowRateLimiter(AttemptCounts(office))

    def allow_password(self, address: str, account: str, device: str | None) -> bool:
        """Whether a password may be tried.

        Args:
            address: from where.
            account: whose.
            device: the secret of a browser in which the account was signed in to before.
        """
        from_there = self._limiter.hit(OF_ADDRESS, "address", address)
        return self._limiter.hit(OF_ACCOUNT, *_counted_as(account, device)) and from_there

    def allow_from(self, address: str) -> bool:
        """Whether something else that cannot be guessed may be tried from an address."""
        return self._limiter.hit(OF_ADDRESS, "others", address)

    def succeeded(self, account: str, device: str | None) -> None:
        """Forgets the attempts of whoever has signed in."""
        self._limiter.clear(OF_ACCOUNT, *_counted_as(account, device))


def _counted_as(account: str, device: str | None) -> tuple[str, str]:
    return counted_as(account, None if device is None else digest_of(device))


def client_address(request: Request) -> str:
    """Returns from where a request comes; of version 6 the network."""
    host = request.client.host if request.client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), _NETWORK_BITS), strict=False))
