"""Where a site listens, and how browsers call it."""

from __future__ import annotations

import errno
import ipaddress
import socket
from typing import Final

from ledger.errors import InputRefused
from web.settings import origin_of

_REFUSALS: Final = {
    errno.EADDRINUSE: "serve.port_taken",
    errno.EACCES: "serve.port_forbidden",
    errno.EADDRNOTAVAIL: "serve.no_address",
}


def listen(host: str, port: int) -> socket.socket:
    """Returns a socket that is bound to an address; port 0 is any that is free.

    Raises:
        InputRefused: the address is none of this machine's, is taken or may not be used.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, ValueError) as error:
        raise InputRefused("serve.no_address", host=host) from error
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
    except OSError as error:
        bound.close()
        key = _REFUSALS.get(error.errno or 0)
        if key is None:
            raise
        raise InputRefused(key, host=host, port=port) from error
    return bound


def address_of(bound: socket.socket) -> str:
    """Returns where a socket listens, as a program on this machine calls it."""
    host, port = bound.getsockname()[:2]
    return f"http://{_shown(host)}:{port}"


def origin_for(bound: socket.socket, host: str, text: str | None, *, insecure: bool) -> str:
    """Returns how browsers call a site.

    Args:
        bound: where it listens.
        host: how that was said.
        text: the origin, if one was said.
        insecure: it may be public without HTTPS.

    Raises:
        InputRefused: it cannot be known, or would be public without HTTPS.
    """
    address, port = bound.getsockname()[:2]
    listens = ipaddress.ip_address(address.partition("%")[0])
    if text is None and listens.is_unspecified:
        raise InputRefused("serve.needs_origin", host=host)
    origin = origin_of(text or f"http://{_shown(host)}:{port}")
    if not (listens.is_loopback or insecure or origin.startswith("https://")):
        raise InputRefused("serve.needs_https", host=host)
    return origin


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def proxy_of(text: str) -> str:
    """Returns an address, or a network, whose word on others is believed.

    Raises:
        InputRefused: it is neither; not everybody can be believed either.
    """
    try:
        network = ipaddress.ip_network(text)
    except ValueError as error:
        raise InputRefused("serve.bad_proxy", proxy=text) from error
    if network.prefixlen == 0:
        raise InputRefused("serve.bad_proxy", proxy=text)
    return str(network.network_address) if network.num_addresses == 1 else str(network)
