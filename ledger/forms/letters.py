"""Letters to clubs as pages to print, and as e-mails."""

from __future__ import annotations

from email.message import EmailMessage
from typing import Final

from ledger.forms.page import PageCell, PrintedPage, Say, row, saying
from ledger.rating.decimal_text import signed
from ledger.reports.letters import Letter, LetterLine, Letters

LETTER_COLUMNS: Final = ("name", "id", "before", "after", "change", "games")
_KINDS: Final = ("name", "", "", "", "", "")


def letters_page(letters: Letters, language: str) -> PrintedPage:
    """Returns letters as a page to print, each with its heading."""
    say = saying(language)
    parts: list[str] = []
    for letter in letters.letters:
        parts += [PageCell(letter_name(letter, say)).html("h2"), *_body(letter, say)]
    return PrintedPage(letters_title(letters, say), parts, language)


def letters_title(letters: Letters, say: Say) -> str:
    """Returns the heading of letters."""
    return say("letter.title", list=letters.list, period=letters.period, day=letters.in_force_on)


def letter_name(letter: Letter, say: Say) -> str:
    """Returns to whom a letter goes."""
    return letter.club or say("letter.no_club_said")


def letter_cells(line: LetterLine, say: Say) -> list[object]:
    """Returns a row: ``LETTER_COLUMNS``."""
    change = line.change
    first = say("letter.first") if line.before is None and line.after is not None else None
    return [
        line.name,
        line.id,
        say("player.provisional") if line.before is None else line.before,
        say("player.provisional") if line.after is None else line.after,
        first if change is None else signed(change),
        line.games,
    ]


def letter_email(letters: Letters, letter: Letter, language: str) -> EmailMessage:
    """Returns a letter as an e-mail that has no address yet: as text, and as a page."""
    say = saying(language)
    email = EmailMessage()
    email["Subject"] = f"{letter_name(letter, say)}: {letters_title(letters, say)}"
    email["X-Unsent"] = "1"  # opened by mail programs as a draft
    rows = [
        "  ".join(str(cell) for cell in letter_cells(line, say) if cell is not None)
        for line in letter.lines
    ]
    email.set_content("\n".join((_sentence(letter, language), "", *rows, "")))
    page = PrintedPage(
        f"{letter_name(letter, say)}: {letters_title(letters, say)}", _body(letter, say), language
    )
    email.add_alternative(page.html(), subtype="html")
    return email


def _sentence(letter: Letter, language: str) -> str:
    return letter.sentence.within(language)


def _body(letter: Letter, say: Say) -> list[str]:
    heading = [
        PageCell(say(f"column.{column}"), kind=kind)
        for column, kind in zip(LETTER_COLUMNS, _KINDS, strict=True)
    ]
    rows = [
        row(PageCell(cell, kind=kind) for cell, kind in zip(cells, _KINDS, strict=True))
        for cells in (letter_cells(line, say) for line in letter.lines)
    ]
    sentence = PageCell(say(letter.sentence.key, **dict(letter.sentence.values)), kind="about")
    if not rows:
        return [sentence.html("p")]
    return [
        sentence.html("p"), "<table>", "<thead>", row(heading, tag="th"), "</thead>", "<tbody>",
        *rows, "</tbody>", "</table>",
    ]  # fmt: skip
