"""Letters to clubs as pages to print, and as e-mails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from email.message import EmailMessage
from typing import Final
from urllib.parse import quote

from ledger.forms.page import Linked, PageCell, PrintedPage, Say, row, saying, table
from ledger.rating.decimal_text import signed
from ledger.reports.letters import Letter, LetterLine, Letters
from ledger.wording import Message
from ledger.wording.dates import day_in_words, period_in_words

LETTER_COLUMNS: Final = ("name", "before", "after", "change", "games", "id", "reason")
_KINDS: Final = ("name", "", "", "", "", "", "said")


def letters_page(letters: Letters, language: str, site: str | None = None) -> PrintedPage:
    """Returns letters as a page to print, each with its heading.

    Names lead to statements where a ``site`` is named: its address, empty for a page of its own.
    """
    say = saying(language)
    parts: list[str] = []
    for letter in letters.letters:
        parts += [
            PageCell(letter_name(letter, say)).html("h2"),
            *_body(letters, letter, language, site),
        ]
    return PrintedPage(letters_title(letters, language), parts, language)


def letters_title(letters: Letters, language: str) -> str:
    """Returns the heading of letters."""
    period = period_in_words(letters.period, language)
    day = day_in_words(letters.in_force_on, language)
    return saying(language)("letter.title", list=letters.list, period=period, day=day)


def letter_name(letter: Letter, say: Say) -> str:
    """Returns to whom a letter goes."""
    return letter.only_player or letter.club or say("letter.no_club_said")


def letter_cells(line: LetterLine, say: Say) -> list[object]:
    """Returns a row: ``LETTER_COLUMNS``."""
    change = line.change
    first = say("letter.first") if line.before is None and line.after is not None else None
    return [
        line.name,
        say("player.provisional") if line.before is None else line.before,
        say("player.provisional") if line.after is None else line.after,
        first if change is None else signed(change),
        line.games,
        line.id,
        reasons_text(line.reasons, say),
    ]


def reasons_text(reasons: Iterable[Message], say: Say) -> str:
    """Returns reasons as a line."""
    return "; ".join(say(each.key, **dict(each.values)) for each in reasons)


def letter_notes(letters: Letters, letter: Letter, say: Say) -> Iterator[tuple[str, list[str]]]:
    """Yields what stands below the table, each with its heading: who left, and what waits."""
    if letter.left:
        yield say("letter.left"), [each.name or each.id or "" for each in letter.left]
    waiting = [
        f"{each.name or each.id}: {reasons_text(each.reasons, say)}" for each in letter.waiting
    ]
    waiting += [say(each.key, **dict(each.values)) for each in letters.unfinished]
    if waiting:
        yield say("letter.waiting"), waiting


def letter_email(
    letters: Letters, letter: Letter, language: str, site: str | None = None
) -> EmailMessage:
    """Returns a letter as an e-mail that has no address yet: as text, and as a page."""
    say = saying(language)
    email = EmailMessage()
    email["Subject"] = f"{letter_name(letter, say)}: {letters_title(letters, language)}"
    email["X-Unsent"] = "1"  # opened by mail programs as a draft
    rows = [
        "  ".join(str(cell) for cell in letter_cells(line, say) if cell is not None)
        for line in letter.lines
    ]
    for heading, notes in letter_notes(letters, letter, say):
        rows += ["", heading, *notes]
    email.set_content("\n".join((letter.sentence.within(language), "", *rows, "")))
    page = PrintedPage(
        f"{letter_name(letter, say)}: {letters_title(letters, language)}",
        _body(letters, letter, language, site),
        language,
    )
    email.add_alternative(page.html(), subtype="html")
    return email


def _body(letters: Letters, letter: Letter, language: str, site: str | None) -> list[str]:
    say = saying(language)
    sentence = PageCell(letter.sentence.within(language), kind="about")
    parts = [sentence.html("p")]
    if letter.lines:
        heading = [
            PageCell(say(f"column.{column}"), kind=kind)
            for column, kind in zip(LETTER_COLUMNS, _KINDS, strict=True)
        ]
        rows = [
            row(PageCell(cell, kind=kind) for cell, kind in zip(cells, _KINDS, strict=True))
            for cells in (_linked(letters, line, say, site) for line in letter.lines)
        ]
        parts += table(heading, rows)
    for heading_, notes in letter_notes(letters, letter, say):
        parts.append(PageCell(heading_).html("h3"))
        parts += ["<ul>", *(PageCell(note).html("li") for note in notes), "</ul>"]
    return parts


def _linked(letters: Letters, line: LetterLine, say: Say, site: str | None) -> list[object]:
    """Returns a row whose name leads to the statement, where there is a site."""
    name, *others = letter_cells(line, say)
    if site is None:
        return [name, *others]
    words = "/".join(quote(each, safe="") for each in (line.id, letters.list, letters.period))
    address = f"{site}/players/{words}?edition={letters.edition}"
    return [Linked(line.name or line.id, address), *others]
