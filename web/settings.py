"""What a site is told when it starts: where it listens, how browsers call it, its folder."""

from __future__ import annotations

import datetime as dt
import errno
import hashlib
import ipaddress
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Self
from urllib.parse import urlsplit

from ledger.errors import InputRefused
from ledger.service.replays import everywhere
from ledger.service.time_zone import UTC, clock_of
from ledger.views.federation import FederationFace, FederationRules

_PORTS: Final = {"http": 80, "https": 443}

LARGEST_FILE: Final = 20_000_000
"""Bytes of a file that is handed in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OidcSettings:
    """Another site that says who somebody is (OpenID Connect); ``name`` is what people call it."""

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    name: str

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Self | None:
        """Returns what the variables ``RATING_LEDGER_OIDC_*`` say; None where there are none.

        Raises:
            InputRefused: one is missing, or the issuer is not called by HTTPS.
        """
        words = ("ISSUER", "CLIENT_ID", "CLIENT_SECRET", "NAME")
        words_ = {word: environment.get(f"RATING_LEDGER_OIDC_{word}", "") for word in words}
        if not any(words_.values()):
            return None
        missing = [f"RATING_LEDGER_OIDC_{word}" for word in words[:3] if not words_[word]]
        if missing:
            raise InputRefused("access.oidc_missing", names=", ".join(missing))
        issuer = urlsplit(words_["ISSUER"])
        if issuer.scheme != "https" or not issuer.hostname:
            raise InputRefused("access.oidc_issuer", issuer=words_["ISSUER"])
        return cls(
            issuer=words_["ISSUER"],
            client_id=words_["CLIENT_ID"],
            client_secret=words_["CLIENT_SECRET"],
            name=words_["NAME"] or issuer.hostname,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """The settings of a site.

    ``origin`` is how browsers call it: scheme, host and port (``https://ratings.example.org``).
    ``cache`` is a folder for what can be made again at any time. ``office`` is the URL of the
    database of accounts, sessions, submissions and jobs; without one nobody can sign in.
    ``oidc`` is another site whose word is taken for who somebody is.
    ``proxies`` are addresses or networks that are believed when they say whose request they hand
    on. ``metrics_token`` opens the metrics to others than this machine. ``demo`` shows the steps
    of the demonstration. ``checkpoint`` is the file of the signed page to which proofs lead.
    ``data`` is a folder of open data that somebody else writes, ``data_licence`` the name of the
    licence of those that the site makes; it gives none where ``has_data`` is False.
    ``time_zone`` is the name of the federation's: in it a day is over. ``federation`` is what else
    it settles for itself, ``face`` how it is called. ``days_back`` are the days by which today is
    behind the machine's. ``webhooks_anywhere`` lets webhooks go to
    addresses inside, and by http.
    """

    ledger: str
    origin: str
    cache: Path
    office: str | None = None
    oidc: OidcSettings | None = None
    proxies: tuple[str, ...] = ()
    metrics_token: str | None = None
    demo: bool = False
    checkpoint: Path | None = None
    data: Path | None = None
    data_licence: str | None = None
    has_data: bool = True
    time_zone: str = UTC
    federation: FederationRules = field(default_factory=FederationRules)
    face: FederationFace = field(default_factory=FederationFace)
    webhooks_anywhere: bool = False
    days_back: int = 0

    @property
    def host(self) -> str:
        """The host of the origin, without a port."""
        return urlsplit(self.origin).hostname or ""

    @property
    def makes_data(self) -> bool:
        """Whether the site makes its open data itself: Arrow, which writes them, is an extra."""
        return self.has_data and self.data is None and find_spec("pyarrow") is not None

    @property
    def data_folder(self) -> Path | None:
        """Where open data are, or are to be; None where none are given."""
        if not self.makes_data:
            return self.data
        return self.folder_of("data")

    @property
    def clock(self) -> Callable[[], dt.datetime]:
        """The clock of the ledger: it says which day is today."""
        return clock_of(self.time_zone, self.days_back)

    def folder_of(self, kind: str) -> Path:
        """The folder in the cache for what is made of this ledger.

        Sites of one user share the cache, and ledgers in two folders are often called alike.
        """
        return self.cache / kind / hashlib.sha256(everywhere(self.ledger).encode()).hexdigest()[:16]

    @property
    def is_secure(self) -> bool:
        """Whether browsers come by HTTPS."""
        return self.origin.startswith("https://")


def origin_of(text: str) -> str:
    """Returns an origin as browsers write it.

    >>> origin_of("https://Ratings.example.org:443/")
    'https://ratings.example.org'

    Raises:
        InputRefused: it is none.
    """
    refusal = InputRefused("serve.bad_origin", origin=text)
    try:
        parts = urlsplit(text)
        port, host = parts.port, (parts.hostname or "").encode("idna").decode()
    except ValueError as error:
        raise refusal from error
    more = parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc
    if parts.scheme not in _PORTS or not host or more or not _is_plain(host):
        raise refusal
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}" + (
        "" if port in {None, _PORTS[parts.scheme]} else f":{port}"
    )


def _is_plain(host: str) -> bool:
    """Whether a host is letters, digits and what stands between them in names and addresses."""
    return all(each.isalnum() or each in "-.:" for each in host) and host.isascii()


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
