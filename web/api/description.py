"""The routes of the API, and its description of itself, OpenAPI 3.1: for programs.

The API for people: which routes there are, and what a problem means.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator
from functools import cache
from http import HTTPStatus
from importlib.metadata import version
from importlib.resources import files
from typing import Any, Final

from fastapi import Request, Response
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException

from ledger.json_form import schemas_of
from ledger.operations.commands import OPERATIONS
from ledger.questions.question import QUESTIONS
from ledger.wording import sentences
from web.access import PUBLIC, Routes
from web.api import (
    claims,
    command_routes,
    jobs,
    journal,
    lists,
    players,
    regulations,
    submission_intake,
    submissions,
    tournaments,
    webhooks,
)
from web.api.routing import JSON, PREFIX, ApiRoutes
from web.caching import asks_again
from web.language import language_of
from web.rendering import render

ROOMS: Final[tuple[ApiRoutes, ...]] = (
    lists.routes,
    players.routes,
    tournaments.routes,
    regulations.routes,
    regulations.ladder_routes,
    journal.correction_routes,
    journal.routes,
    command_routes.routes,
    command_routes.previews,
    submissions.routes,
    claims.routes,
    submission_intake.routes,
    jobs.routes,
    jobs.account_routes,
    webhooks.routes,
)


routes = Routes(PREFIX)
_ABOUT: Final = """\
Everything that the pages show, as the command line writes it in JSON, under the addresses of the
pages. Quantities that are no whole numbers are texts: decimals, or fractions.

* `?as-known-at=SEQ`, or `?as-known-on=DATE`, on what reads answers as it was known then, for ever
  the same.
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
    document = get_openapi(
        title="rating-ledger",
        version=version("rating-ledger"),
        description=_ABOUT,
        routes=[route for room in ROOMS for route in room.router.routes],
    )
    parts = document.setdefault("components", {})
    taken = parts.get("schemas", {})
    answers = schemas_of(set().union(*(room.answers for room in ROOMS)))
    assert not taken.keys() & answers.keys(), "two schemas have one name"
    parts["schemas"] = taken | answers
    parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    return document


manual_routes = Routes(PREFIX)


@manual_routes.get("", PUBLIC)
def manual(request: Request) -> Response:
    """Shows which routes there are."""
    asks_again(request, "manual")
    words = translations() if language_of(request) == "es" else {}
    return render(
        request, "manual.html", chapters=_chapters(), other=lambda text: words.get(text, text)
    )


@cache
def _chapters() -> dict[str, list[dict[str, Any]]]:
    """Returns the routes by what they are about: to describe them all takes a second."""
    chapters: dict[str, list[dict[str, Any]]] = {}
    for operation in operations(json.loads(described())):
        chapters.setdefault(operation["tags"][0], []).append(operation)
    return chapters


@cache
def translations() -> dict[str, str]:
    """Returns what the page says of the routes in Spanish, by the English texts in the code."""
    text = files(__package__).joinpath("manual_es.toml").read_text(encoding="utf-8")
    sections: dict[str, dict[str, str]] = tomllib.loads(text)
    faces = [*(each.says for each in OPERATIONS.values()), *(each.says for each in QUESTIONS)]
    declared = {says.en.partition("\n")[0]: says.es.partition("\n")[0] for says in faces}
    return sections["chapters"] | sections["routes"] | declared


@manual_routes.get("/problems/{key}", PUBLIC)
def problem_explained(request: Request, key: str) -> Response:
    """Shows what a problem says, and where it comes from."""
    texts = sentences(language_of(request))
    if key not in texts:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    asks_again(request, key)
    return render(request, "problem_explained.html", key=key, sentence=texts[key])


def operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields the routes of a description: method, path, what they say and take."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield {
                "method": method.upper(),
                "path": path,
                "says": operation["description"].partition("\n")[0],
                "words": [
                    each for each in operation.get("parameters", ()) if each["in"] == "query"
                ],
                "needs_token": "security" in operation,
                "tags": operation["tags"],
            }
