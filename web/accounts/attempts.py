"""How often one may try to sign in: from an address, and for an account.

Whoever tries others' accounts must not keep their people out. So a browser in which somebody has
signed in before is counted by itself alone, whatever comes from its address; and passkeys, which
cannot be guessed, are counted apart from passwords, so many that only what they leave is bounded.
"""

from __future__ import annotations

import ipaddress
from typing import Final

from fastapi import Request
from limits import RateLimitItem
from limits.strategies import FixedWindowRateLimiter

from web.office.attempts import (
    OF_ACCOUNT,
    OF_ADDRESS,
    PASSKEYS_OF_ADDRESS,
    STARTS_OF_BROWSER,
    AttemptCounts,
    counted_as,
    is_unlocked,
)
from web.office.store import Office, digest_of

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
            device: the secret of a browser in which the account was signed in to before; what
                comes from its address does not concern it.
        """
        of_account = self._limiter.hit(OF_ACCOUNT, *_counted_as(account, device))
        if device is not None:
            return of_account
        from_there = self._limiter.hit(OF_ADDRESS, "address", address)
        return of_account and (from_there or is_unlocked(self._limiter, account))

    def allow_passkey(self, address: str, device: str | None) -> bool:
        """Whether a sign-in by a passkey may begin.

        Args:
            address: from where.
            device: the secret of a browser in which any account was signed in to before.
        """
        return self._allow_start(PASSKEYS_OF_ADDRESS, "passkeys", address, device)

    def allow_identity(self, address: str, device: str | None) -> bool:
        """Whether a sign-in at another site may begin; the arguments are those of a passkey's."""
        return self._allow_start(OF_ADDRESS, "others", address, device)

    def _allow_start(
        self, most: RateLimitItem, kind: str, address: str, device: str | None
    ) -> bool:
        if device is not None:
            return self._limiter.hit(STARTS_OF_BROWSER, *_counted_as("", device))
        return self._limiter.hit(most, kind, address)

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
