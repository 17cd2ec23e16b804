"""Where hosts of webhooks are: in the public internet, or nothing goes there."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from ledger.errors import InputRefused
from ledger.trust.witnesses import in_time

_TUNNELS: Final = tuple(
    map(ipaddress.ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16"))
)
"""An address in these holds another one: NAT64, Teredo, 6to4."""
_SECONDS: Final = 3.0  # for an answer where a host is


def check_host(url: str, *, anywhere: bool) -> None:
    """Refuses an address whose host is not of the public internet now.

    One that nobody knows now may be known later: each delivery looks again.

    Raises:
        InputRefused: it is not, and nobody allowed it.
    """
    with suppress(OSError, ValueError):  # what is no address at all is refused as that
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or 443
        if host is not None and not anywhere:
            in_time(lambda: address_of(host, port, anywhere=False), _SECONDS)


def address_of(host: str, port: int, *, anywhere: bool) -> str:
    """Returns an address of a host; all that it has must be of the public internet.

    Raises:
        InputRefused: one is not, and nobody allowed it.
        OSError: it has none.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(each[4][0]) for each in found]
    for each in addresses:
        if not anywhere and not is_public(each):
            raise InputRefused("webhook.not_public", host=host, address=each)
    return addresses[0]


def is_public(address: str) -> bool:
    """Whether an address is of the public internet, and leads to no other one inside.

    >>> [is_public(each) for each in ("93.184.215.14", "10.0.0.1", "::1", "::ffff:127.0.0.1")]
    [True, False, False, False]
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if any(ip in network for network in _TUNNELS):
            return False
        ip = ip.ipv4_mapped or ip
    return ip.is_global and not ip.is_multicast
