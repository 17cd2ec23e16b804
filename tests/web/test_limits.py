"""Who sends too much or too slowly is turned away."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from tests.forked import ROOT
from web import limits
from web.body_sizes import LARGEST_BODY, LARGEST_WITH_FILE
from web.limits import RequestLimit
from web.settings import LARGEST_FILE


async def _length(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


SITE = RequestLimit(Starlette(routes=[Route("/", _length, methods=["GET", "POST"])]), largest=1000)


def parts(*sizes: int) -> Iterator[bytes]:
    for size in sizes:
        yield b"x" * size


def test_a_body_within_the_limit_arrives() -> None:
    client = TestClient(SITE)
    assert client.post("/", content=b"x" * 1000).text == "1000"
    assert client.post("/", content=parts(400, 600)).text == "1000"
    assert client.get("/").text == "0"


def test_a_larger_one_does_not_whether_it_says_so_or_not() -> None:
    client = TestClient(SITE)
    assert client.post("/", content=b"x" * 1001).status_code == 413
    assert client.post("/", content=parts(400, 601)).status_code == 413


def test_only_where_files_are_handed_in_a_body_may_be_large() -> None:
    paths = ("/submissions/new", "/submissions", "/submissionsx", "/sign-in/passkey")
    routes = [Route(path, _length, methods=["POST"]) for path in paths]
    client = TestClient(RequestLimit(Starlette(routes=routes), largest=1000, largest_file=2000))
    answers = [client.post(path, content=b"x" * 1001).status_code for path in paths]
    assert answers == [200, 200, 413, 413]
    assert "20 MB" in client.post("/submissions", content=b"x" * 2001).text
    assert "128 KiB" in client.post("/sign-in/passkey", content=b"x" * 1001).text


@pytest.mark.parametrize("page", ["docs/web.md", "docs/es/web.md"])
def test_the_documentation_names_the_limits_that_a_refusal_names(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    (row,) = (line for line in text.splitlines() if line.startswith(("| body |", "| cuerpo |")))
    assert f"{LARGEST_BODY // 1024} KiB" in row
    assert f"{LARGEST_FILE // 1_000_000} MB" in row
    assert LARGEST_WITH_FILE == LARGEST_BODY + LARGEST_FILE


@pytest.mark.parametrize("said", ["-1", "1e3", "", "½", "²", "9" * 5000])
def test_nonsense_about_its_length_is_turned_away(said: str) -> None:
    answer = TestClient(SITE).post(
        "/", content=parts(1), headers={b"Content-Length": said.encode()}
    )
    assert answer.status_code == 413


def test_who_stops_sending_is_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SLOWEST_PART", 0.01)
    sent: list[Any] = []

    async def receive() -> Any:
        if sent:
            await asyncio.Event().wait()
        sent.append("head")
        return {"type": "http.request", "body": b"x", "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": "POST", "path": "/", "raw_path": b"/", "query_string": b"",
        "headers": [], "root_path": "", "http_version": "1.1", "scheme": "http",
    }  # fmt: skip
    asyncio.run(asyncio.wait_for(SITE(scope, receive, send), 5))
    assert [each["status"] for each in sent[1:] if "status" in each] == [408]


def test_a_long_head_is_turned_away_however_it_is_long() -> None:
    client = TestClient(SITE)
    assert client.get("/", headers={"X-Long": "x" * 10_000}).status_code == 200
    assert client.get("/", headers={"X-Long": "x" * 17_000}).status_code == 431
    assert client.get("/", headers={f"X-{n}": "x" * 100 for n in range(170)}).status_code == 431
    assert client.get(f"/?{'x' * 17_000}").status_code == 431
