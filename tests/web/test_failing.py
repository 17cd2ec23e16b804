"""Where something the site needs fails, whole answers say so; and a site stays what it began as."""

from __future__ import annotations

import asyncio
import builtins
import io
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ledger.errors import DatabaseError
from ledger.service.ledger import Ledger
from tests.ledgers import empty_ledger
from tests.web.conftest import ORIGIN
from web import limits, rendering
from web.access import Account
from web.app import create_app
from web.limits import RequestLimit
from web.settings import WebSettings
from web.site import Site


def site_of(ledger: Ledger, cache: Path, identify: Any) -> TestClient:
    site = Site(ledger, WebSettings(ledger="", origin=ORIGIN, cache=cache))
    app = create_app(site, None, identify)
    return TestClient(app, base_url=ORIGIN, raise_server_exceptions=False)


@pytest.mark.parametrize(
    ("page", "status"), [("/", 503), ("/jobs", 503), ("/nothing/here", 404), ("/api/v1/me", 404)]
)
def test_an_office_that_fails_is_told_by_a_whole_page(
    demo_ledger: Ledger, tmp_path: Path, page: str, status: int
) -> None:
    asked: list[str] = []

    def fails(_request: object) -> Account | None:
        asked.append(page)
        raise DatabaseError("database.missing", url="x")

    answer = site_of(demo_ledger, tmp_path, fails).get(
        page, headers={"accept-language": "es", "cookie": "session=x"}
    )
    assert answer.status_code == status
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"
    assert len(asked) <= 1, "it is not tried again for the page that says so"
    if not page.startswith("/api/"):
        assert '<html lang="es"' in answer.text


def test_a_fault_while_somebody_is_identified_is_told_by_a_whole_page(
    demo_ledger: Ledger, tmp_path: Path
) -> None:
    def fails(_request: object) -> Account | None:
        with pytest.raises(RuntimeError):  # it would be run by the event loop, which must not wait
            asyncio.get_running_loop()
        raise ValueError("a bug")

    for page in ("/", "/nothing/here"):
        answer = site_of(demo_ledger, tmp_path, fails).get(page, headers={"cookie": "session=x"})
        assert answer.status_code == 500
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "<html" in answer.text


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/sign-in", b"application/x-www-form-urlencoded"), ("/sign-in/passkey", b"application/json")],
)
def test_who_stops_within_a_form_is_told_that_the_time_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, kind: bytes
) -> None:
    monkeypatch.setattr(limits, "SLOWEST_PART", 0.01)
    settings = WebSettings(ledger="", origin=ORIGIN, cache=tmp_path)
    app = RequestLimit(create_app(Site(empty_ledger(), settings)))
    parts = [{"type": "http.request", "body": b"a", "more_body": True}]
    sent: list[Any] = []

    async def receive() -> Any:
        if not parts:
            await asyncio.Event().wait()
        return parts.pop()

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"testserver"), (b"origin", ORIGIN.encode()), (b"content-type", kind)]
    scope = {
        "type": "http", "method": "POST", "path": path, "raw_path": path.encode(),
        "query_string": b"", "headers": [*headers, (b"content-length", b"100")], "root_path": "",
        "http_version": "1.1", "scheme": "http", "client": ("127.0.0.1", 1), "server": ("x", 1),
    }  # fmt: skip
    asyncio.run(asyncio.wait_for(app(scope, receive, send), 10))
    assert [each["status"] for each in sent if "status" in each] == [408]


def test_pages_are_what_they_were_at_the_start(
    demo_ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendering.templates.cache_clear()
    site = site_of(demo_ledger, tmp_path, lambda _: None)
    folder, really = str(Path(rendering.__file__).parent / "templates"), open

    def opened(file: Any, *said: Any, **named: Any) -> Any:
        assert not str(file).startswith(folder), "a template is read from the disk"
        return really(file, *said, **named)

    for module in (builtins, io):
        monkeypatch.setattr(module, "open", opened)
    for page in ("/", "/lists", "/players", "/nothing/here"):
        assert "<html" in site.get(page).text, page
