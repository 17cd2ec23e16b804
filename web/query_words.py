"""The words of a query: those that a route reads, and those of a request that its route does not.

The API refuses the latter. A page leaves them out and says so: who mistypes the word of a filter
would otherwise take all rows for those that were looked for. Words that other sites append to the
links to a page (``utm_source``) are left out in silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, get_args, get_origin

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic import BaseModel

from web.access import PUBLIC, access_of

MOST_SHOWN: Final = 80
"""Characters of a word that nobody knows."""
_MOST_WORDS: Final = 5
_EVERYWHERE: Final = frozenset({"lang"})  # what every page reads: see ``web.language``
_OWN: Final = frozenset({"again"})  # what nobody types: see ``web.kept_forms``
_TRACKING: Final = re.compile(
    "(utm|mtm|pk)_.*|(fb|g|d|tt|tw|y)clid|msclkid|[gw]braid|igshid|mc_[ce]id|_g[al]"
)


@dataclass(frozen=True, slots=True)
class WordsLeftOut:
    """What a page does not know of its address, and what it knows, each with commas between."""

    words: str
    known: str


def words_read(dependant: Dependant) -> tuple[set[str], set[str]]:
    """Returns the names that may stand in a query once, and those that may stand there often."""
    single: set[str] = set()
    several: set[str] = set()
    for each in _dependants(dependant):
        for field in each.query_params:
            kind = field.field_info.annotation
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                for name, inner in kind.model_fields.items():  # a query that is said by a model
                    is_tuple = get_origin(inner.annotation) is tuple
                    (several if is_tuple else single).add(inner.alias or name)
                continue
            is_list = any(get_origin(each) is list for each in (kind, *get_args(kind)))
            (several if is_list else single).add(field.alias)
    return single, several


def _dependants(dependant: Dependant) -> Iterator[Dependant]:
    yield dependant
    for each in dependant.dependencies:
        yield from _dependants(each)


def known_words(request: Request) -> frozenset[str] | None:
    """Returns what a page reads of its query; None where there is none, or it is not for everybody.

    A form that was sent, and the pages of who signed in, have words that they read themselves.
    """
    route = request.scope.get("route")
    if request.method not in {"GET", "HEAD"} or not isinstance(route, APIRoute):
        return None
    if access_of(route.endpoint) != PUBLIC:
        return None
    return _EVERYWHERE.union(*words_read(route.dependant))


def known_query(request: Request, known: frozenset[str] | None) -> dict[str, str]:
    """Returns what the address of a page asks, in words that are among those of ``known_words``."""
    words = request.query_params.items()
    return {name: value for name, value in words if known is None or name in known}


def words_left_out(request: Request, known: frozenset[str] | None) -> WordsLeftOut | None:
    """Returns which words of a query are not among those of ``known_words``; None without any.

    Those that other sites append are not named: nobody typed them.
    """
    if known is None:
        return None
    words = (name for name in request.query_params if not _TRACKING.fullmatch(name))
    unknown = [name[:MOST_SHOWN] for name in words if name not in known | _OWN]
    if not unknown:
        return None
    shown = [*unknown[:_MOST_WORDS], *(["…"] if unknown[_MOST_WORDS:] else [])]
    return WordsLeftOut(", ".join(shown), ", ".join(sorted(known)))
