"""Paths of pages and the words they are made of, which may hold anything, a slash too."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any
from urllib.parse import quote, unquote


def path_of(*words: object) -> str:
    """Returns the path of a page by its words.

    >>> path_of("players", "a/b", 3)
    '/players/a%2Fb/3'
    """
    return "".join(f"/{path_word(str(word))}" for word in words)


def path_word(word: str) -> str:
    """Returns a word as it stands in a path; most are ids, in which there is nothing to quote.

    >>> path_word("3404510"), path_word("a/b"), path_word("2015-11@1")
    ('3404510', 'a%2Fb', '2015-11%401')
    """
    return word if word.isascii() and word.isalnum() else quote(word, safe="")


def words_sent(scope: MutableMapping[str, Any]) -> list[str]:
    """Returns the words of the path of a request, decoded."""
    sent = scope.get("raw_path") or quote(scope["path"]).encode()
    return [unquote(word) for word in sent.decode("latin-1").split("/")[1:]]


def path_sent(scope: MutableMapping[str, Any]) -> str:
    """Returns the path of a request as ``path_of`` writes it, whatever it holds.

    It is an address of this site: what begins with two slashes would be one of another.
    """
    return "/" + path_of(*words_sent(scope)).lstrip("/")
