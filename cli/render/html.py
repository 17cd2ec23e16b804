"""Pages to print: HTML without scripts, fonts or files from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from cli.settings import language

_STYLE: Final = """
@page { margin: 15mm }
body { font-family: Georgia, serif; color: #111; margin: 2em }
table { border-collapse: collapse; margin: 1em 0 }
th, td { border: 1px solid #555; padding: .25em .5em; text-align: center }
th { background: #eee }
td.name, th.name { text-align: left }
td.own { background: #ccc }
tr.apart td { border-top: 3px double #555 }
.circled { display: inline-block; min-width: 1.2em; border: 1px solid; border-radius: 50% }
"""


class Circled(str):
    """A text with a circle around it: points without play."""

    __slots__ = ()


class PageCell:
    """A cell of a table: its words, which are escaped, and a class."""

    def __init__(self, *words: object, kind: str = "") -> None:
        self._words = [word for word in words if word is not None]
        self._kind = kind

    def html(self, tag: str) -> str:
        """Returns it as HTML."""
        kind = f' class="{self._kind}"' if self._kind else ""
        return f"<{tag}{kind}>{' '.join(map(_word, self._words))}</{tag}>"


def _word(word: object) -> str:
    text = escape(str(word))
    return f'<span class="circled">{text}</span>' if isinstance(word, Circled) else text


def row(cells: Iterable[PageCell], *, tag: str = "td", kind: str = "") -> str:
    """Returns a row of a table."""
    opened = f'<tr class="{kind}">' if kind else "<tr>"
    return opened + "".join(cell.html(tag) for cell in cells) + "</tr>"


def page(title: str, parts: Sequence[str]) -> str:
    """Returns a page with a title above its parts, which are HTML already."""
    return "\n".join((
        "<!DOCTYPE html>",
        f'<html lang="{language()}">',
        f'<head><meta charset="utf-8"><title>{escape(title)}</title>',
        f"<style>{_STYLE}</style></head>",
        f"<body><h1>{escape(title)}</h1>",
        *parts,
        "</body></html>",
    ))  # fmt: skip
