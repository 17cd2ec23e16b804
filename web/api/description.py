"""The API's description of itself, OpenAPI 3.1: for programs that make clients and tests."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib.metadata import version
from typing import Any, Final

from fastapi import Request, Response
from fastapi.openapi.utils import get_openapi

from ledger.json_form import schemas_of
from web.access import PUBLIC, Routes
from web.api.rooms import ROOMS
from web.api.routing import JSON, PREFIX
from web.caching import asks_again

routes = Routes(PREFIX)
_ABOUT: Final = """\
Everything that the pages show, as the command line writes it in JSON, under the addresses of the
pages. Quantities that are no whole numbers are texts: decimals, or fractions.

* `?as-known-at=SEQ` on what reads answers as it was known then, for ever the same.
* `ETag` and `If-None-Match`: 304 when nothing was recorded since. `Ledger-Seq` names the state that
  an answer is of.
* Long answers come in pages: `Link: <…>; rel="next"` names the next one.
* A refusal is a problem of RFC 9457 in the language asked for; its `type` explains it.
* What records something needs a token with a scope, an `Idempotency-Key`, and takes `If-Match` with
  the seq that was seen.
"""


@routes.get("/openapi.json", PUBLIC)
def openapi(request: Request) -> Response:
    """Answers with the description."""
    text = described()
    asks_again(request, hashlib.sha256(text.encode()).hexdigest())
    return Response(text, media_type=JSON)


@cache
def described() -> str:
    """Returns the description as JSON."""
    return json.dumps(description(), ensure_ascii=False)


def description() -> dict[str, Any]:
    """Returns the description."""
    made = get_openapi(
        title="rating-ledger",
        version=version("rating-ledger"),
        description=_ABOUT,
        routes=[route for room in ROOMS for route in room.router.routes],
    )
    parts = made.setdefault("components", {})
    taken = parts.get("schemas", {})
    answers = schemas_of(set().union(*(room.answers for room in ROOMS)))
    assert not taken.keys() & answers.keys(), "two schemas have one name"
    parts["schemas"] = taken | answers
    parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    return made
