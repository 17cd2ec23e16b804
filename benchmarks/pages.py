"""A player's page of the site as a work: the first that somebody asks for, and then others.

The site runs in this process and is asked as a server asks it, without a network. Whoever asks
first waits until everybody's careers are made from the ledger and kept; whoever comes later is
answered from these. The site is an extra, and is loaded by this work alone.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, Final

from benchmarks.histories import History
from benchmarks.measuring import NotInstalledError, Place, Watch
from ledger.journal.stores.database import open_journal
from ledger.service.ledger import Ledger

if TYPE_CHECKING:
    from fastapi import FastAPI

_TIMES: Final = 20
_OK: Final = 200


def _page_of_player(place: Place, watch: Watch) -> None:
    """A player's page that nobody asked for before, and then twenty times more.

    ``of_first`` is what one of these takes of the first: a ratio within one process.
    """
    with _opened(place) as site, watch.running():
        with watch.running_part("first"):
            body = asyncio.run(_asked(site, _player(place), 1))
        with watch.running_part("others"):
            again = asyncio.run(_asked(site, _player(place), _TIMES))
    assert again == body, "they say the same"
    share = watch.parts["others"] / _TIMES / watch.parts["first"]
    watch.figures = {"bytes": len(body), "of_first": round(share, 4)}


def _player(place: Place) -> str:
    player: str = History.read(place.history).targets["newest"]["white"]
    return player


@contextmanager
def _opened(place: Place) -> Iterator[FastAPI]:
    """Gives a site of the ledger with nothing kept, whose templates are compiled.

    Raises:
        NotInstalledError: the extra of the site is not there.
    """
    try:
        from web.app import create_app
        from web.rendering import compile_pages
        from web.settings import WebSettings
        from web.site import Site
    except ModuleNotFoundError as error:
        raise NotInstalledError(str(error)) from error
    compile_pages()
    noon = dt.datetime(2026, 1, 1, 12, 0, tzinfo=dt.UTC)
    with closing(open_journal(str(place.database))) as journal:
        settings = WebSettings(ledger="", origin="http://127.0.0.1", cache=place.scratch)
        yield create_app(Site(Ledger(journal, clock=lambda: noon), settings))


async def _asked(site: FastAPI, player: str, times: int) -> bytes:
    """Returns a player's page, asked for so many times, one after the other."""
    body = b""
    for _ in range(times):
        body = await _page(site, f"/players/{player}")
    return body


async def _page(site: FastAPI, path: str) -> bytes:
    parts: list[bytes] = []

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        assert message.get("status", _OK) == _OK, message
        parts.append(message.get("body", b""))

    await site(
        {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET",
            "scheme": "http", "path": path, "raw_path": path.encode(), "query_string": b"",
            "root_path": "", "headers": [(b"host", b"127.0.0.1")],
            "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80),
        },
        receive, send,
    )  # fmt: skip
    return b"".join(parts)


PAGES: dict[str, Callable[[Place, Watch], None]] = {"page-player": _page_of_player}
