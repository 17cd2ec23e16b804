"""Pages to print: HTML without scripts, fonts or files from elsewhere; words that all of them have.

In rows who fell below a floor has the rating 0 and, as the change, all that was lost. That is no
result of games, and is written as what it is: unrated, from the rating before. In later periods
there is no change, and it is still unrated: provisional is who has no rating yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from html import escape
from typing import Final, Self, TypeAlias

from ledger.identifiers import Seq
from ledger.rating.decimal_text import score_text, signed
from ledger.wording import Message, revealed

STYLE: Final = """
@page { size: A4; margin: 11mm; @bottom-right { content: counter(page) " / " counter(pages) } }
body {
  font: 11pt/1.35 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  color: #111;
  margin: 2em;
  font-variant-numeric: tabular-nums;
}
h1 { font-size: 20pt; line-height: 1.2; margin: 0 0 1mm }
h2 { font-size: 14pt; margin: 5mm 0 2mm; break-after: avoid }
a { color: inherit }
p { margin: 1.5mm 0 }
.about { color: #444; margin: 0 0 3mm }
table { border-collapse: collapse; margin: 3mm 0 }
table:has(th:nth-child(12)) { font-size: 9pt }
table:has(th:nth-child(17)) { font-size: 7.5pt }
table:has(th:nth-child(12)) :is(th, td) { padding-inline: .35em }
th, td { border-bottom: 1px solid #bbb; padding: .25em .6em }
th, td { text-align: center; white-space: nowrap }
thead th { border-bottom: 1.5px solid #111; font-weight: 600; font-size: .85em }
thead th::first-letter { text-transform: uppercase }
td.name, th.name { text-align: left }
td.figure, th.figure { text-align: right }
td.figure:last-child { font-weight: 700 }
td.said, th.said { text-align: left; white-space: normal }
tr:has(> td.said:last-child) > td { padding-block: .12em }
td.own { background: #ddd }
tr.apart td { border-top: 3px double #555 }
td.note { text-align: left; white-space: normal; border: 0 }
sup { line-height: 0 }
.circled { display: inline-block; min-width: 1.2em; border: 1px solid; border-radius: 50% }
table.wall { width: 100%; table-layout: fixed; font-size: 14pt }
table.wall :is(td, th) { padding: .6mm .8mm }
table.wall td { height: 7.6mm }
table.wall td.name { font-size: 12pt; line-height: 1.1; white-space: normal }
table.wall .board { width: 12mm }
table.wall td.board { font-size: 17pt; font-weight: 700 }
table.wall thead th { font-size: 8.5pt; font-weight: 400; color: #444; padding-inline: .3mm }
table.wall .points { width: 11mm }
table.wall .result { width: 17mm; border: 1.5px solid #111 }
table.wall th.result { border-width: 0 0 1.5px }
table.wall .colour { width: 20mm }
@media print {
  body { margin: 0 }
  table.seats, .seats tbody { display: block }
  .seats thead, .seats .other { display: none }
  .seats tbody { columns: 2; column-gap: 8mm }
  .seats tr { display: grid; grid-template-columns: 1fr 12mm 18mm; align-items: center }
  .seats tr { border-bottom: 1px solid #bbb; min-height: 9mm }
  .seats tr td { border: 0; height: auto }
  .seats td.colour { font-size: 10pt }
  .seats .alone .other { display: block; grid-column: 2 / -1; grid-row: 1 }
  thead { display: table-header-group }
  tr { break-inside: avoid }
}
"""

Say: TypeAlias = Callable[..., str]
"""Returns the sentence of a key, with the values that are named."""


def saying(language: str) -> Say:
    """Returns what says the sentences of a language."""
    return partial(_said, language)


def _said(language: str, key: str, /, **values: object) -> str:
    return Message.of(key, **values).within(language)


class Circled(str):
    """A text with a circle around it: points without play."""

    __slots__ = ()


class Linked(str):
    """A text that leads to an address."""

    __slots__ = ("address",)
    address: str

    def __new__(cls, text: str, address: str) -> Self:
        """Makes it of the text and where it leads."""
        made = super().__new__(cls, text)
        made.address = address
        return made


class Raised(str):
    """A small letter behind a word; of a result the mark that it was corrected."""

    __slots__ = ()


def result_words(result: object, corrected_by_seq: Seq | None, say: Say) -> list[object]:
    """Returns a result as words: of one that was corrected, with the mark behind it."""
    return [result, *([] if corrected_by_seq is None else [corrected_mark(say)])]


def corrected_mark(say: Say) -> Raised:
    """Returns what stands behind a result that was corrected."""
    return Raised(say("page.corrected_letter"))


def corrected_note(seqs: Iterable[Seq | None], say: Say) -> list[str]:
    """Returns the line below a form: which events corrected results in it; nothing without any."""
    known = sorted({seq for seq in seqs if seq is not None})
    return [say("correction.marked", seqs=", ".join(map(str, known)))] if known else []


def joined(words: Iterable[object], write: Callable[[object], str], between: str = " ") -> str:
    """Joins the words of a cell, None left out; a mark follows its word at once."""
    made = ""
    for word in words:
        if word is not None:
            made += between if made and not isinstance(word, Raised) else ""
            made += write(word)
    return made


class PageCell:
    """A cell of a table: its words, which are escaped, points in halves, and a class."""

    def __init__(self, *words: object, kind: str = "") -> None:
        self._words = words
        self._kind = kind

    def html(self, tag: str) -> str:
        """Returns it as HTML."""
        kind = f' class="{self._kind}"' if self._kind else ""
        return f"<{tag}{kind}>{joined(self._words, _word)}</{tag}>"


def _word(word: object) -> str:
    text = escape(revealed(score_text(word) if isinstance(word, Fraction) else str(word)))
    match word:
        case Circled():
            return f'<span class="circled">{text}</span>'
        case Linked():
            return f'<a href="{escape(word.address)}">{text}</a>'
        case Raised():
            return f"<sup>{text}</sup>"
        case _:
            return text


def row(cells: Iterable[PageCell], *, tag: str = "td", kind: str = "") -> str:
    """Returns a row of a table."""
    opened = f'<tr class="{kind}">' if kind else "<tr>"
    return opened + "".join(cell.html(tag) for cell in cells) + "</tr>"


def table(headings: Iterable[PageCell], rows: Iterable[str]) -> list[str]:
    """Returns a table of rows; its headings stand again on each sheet of paper."""
    head = row(headings, tag="th")
    return ["<table>", "<thead>", head, "</thead>", "<tbody>", *rows, "</tbody>", "</table>"]


@dataclass(frozen=True, slots=True)
class PrintedPage:
    """A page to print: its title, which is text, and below it its parts, which are HTML."""

    title: str
    parts: Sequence[str]
    language: str

    @property
    def body(self) -> str:
        """What stands below the title, as HTML."""
        return "\n".join(self.parts)

    def html(self) -> str:
        """Returns it as a file that stands alone."""
        return "\n".join((
            "<!DOCTYPE html>",
            f'<html lang="{self.language}">',
            f'<head><meta charset="utf-8"><title>{escape(self.title)}</title>',
            f"<style>{STYLE}</style></head>",
            f"<body><h1>{escape(self.title)}</h1>",
            *self.parts,
            "</body></html>",
        ))  # fmt: skip


UNRATED: Final = 0  # in rows; player_state, which has it too, loads numpy


def became_unrated(rating: int | None, change: int | None) -> bool:
    """Whether a rating was lost: it is 0, and was not before.

    >>> became_unrated(0, -1402), became_unrated(0, None), became_unrated(1402, -7)
    (True, False, False)
    """
    return rating == UNRATED and bool(change)


def rating_text(rating: int | None, say: Say, *, lost: bool) -> object:
    """Returns a rating, or the word for one that is not there; None where nobody is listed.

    ``lost`` says that one that is not there was there before.
    """
    if rating == UNRATED:
        return say("player.unrated" if lost else "player.provisional")
    return rating


def change_text(rating: int | None, change: int | None, say: Say) -> str:
    """Returns a change with its sign; of who became unrated the rating before; empty for none."""
    if change is not None and became_unrated(rating, change):
        return say("player.from_rating", rating=-change)
    return signed(change)
