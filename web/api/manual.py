"""The API for people: which routes there are, and what a problem means."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from typing import Any

from fastapi import Request, Response
from starlette.exceptions import HTTPException

from ledger.operations.commands import OPERATIONS
from ledger.wording import sentences
from web.access import PUBLIC, Routes
from web.api.description import description
from web.api.routing import PREFIX
from web.caching import asks_again
from web.language import language_of
from web.rendering import render

routes = Routes(PREFIX)


@routes.get("", PUBLIC)
def manual(request: Request) -> Response:
    """Shows which routes there are."""
    made = description()
    asks_again(request, f"manual {made['info']['version']}")
    chapters: dict[str, list[dict[str, Any]]] = {}
    for operation in operations(made):
        chapters.setdefault(operation["tags"][0], []).append(operation)
    said = translations() if language_of(request) == "es" else {}
    return render(
        request, "manual.html", chapters=chapters, other=lambda text: said.get(text, text)
    )


@cache
def translations() -> dict[str, str]:
    """Returns what the page says of the routes in Spanish, by the English texts in the code."""
    text = files(__package__).joinpath("manual_es.toml").read_text(encoding="utf-8")
    sections: dict[str, dict[str, str]] = tomllib.loads(text)
    declared = {each.says.en.partition("\n")[0]: each.says.es for each in OPERATIONS.values()}
    return sections["chapters"] | sections["routes"] | declared


@routes.get("/problems/{key}", PUBLIC)
def problem_explained(request: Request, key: str) -> Response:
    """Shows what a problem says, and where it comes from."""
    said = sentences(language_of(request))
    if key not in said:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    asks_again(request, key)
    return render(request, "problem_explained.html", key=key, sentence=said[key])


def operations(made: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields the routes of a description: method, path, what they say and take."""
    for path, methods in made["paths"].items():
        for method, said in methods.items():
            yield {
                "method": method.upper(),
                "path": path,
                "says": said["description"].partition("\n")[0],
                "words": [each for each in said.get("parameters", ()) if each["in"] == "query"],
                "needs_token": "security" in said,
                "tags": said["tags"],
            }
