"""Letters to clubs as pages to print, and as e-mails."""

from __future__ import annotations

from email.message import EmailMessage
from typing import Final

from ledger.forms.page import PageCell, PrintedPage, Say, row, saying
from ledger.rating.decimal_text import signed
from ledger.reports.letters import Letter, LetterLine, Letters
from ledger.wording.dates import day_in_words, period_in_words

LETTER_COLUMNS: Final = ("name", "before", "after", "change", "games", "id")
_KINDS: Final = ("name", "", "", "", "", "")


def letters_page(letters: Letters, language: str) -> PrintedPage:
    """Returns letters as a page to print, each with its heading."""
    say = saying(language)
    parts: list[str] = []
    for letter in letters.letters:
        parts += [PageCell(letter_name(letter, say)).html("h2"), *_body(letter, say)]
    return PrintedPage(letters_title(letters, language), parts, language)


def letters_title(letters: Letters, language: str) -> str:
    """Returns the heading of letters."""
    period = period_in_words(letters.period, language)
    day = day_in_words(letters.in_force_on, language)
    return saying(language)("letter.title", list=letters.list, period=period, day=day)


def letter_name(letter: Letter, say: Say) -> str:
    """Returns to whom a letter goes."""
    return letter.club or say("letter.no_club_said")


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
    ]


def letter_email(letters: Letters, letter: Letter, language: str) -> EmailMessage:
    """Returns a letter as an e-mail that has no address yet: as text, and as a page."""
    say = saying(language)
    email = EmailMessage()
    email["Subject"] = f"{letter_name(letter, say)}: {letters_title(letters, language)}"
    email["X-Unsent"] = "1"  # opened by mail programs as a draft
    rows = [
        "  ".join(str(cell) for cell in letter_cells(line, say) if cell is not None)
        for line in letter.lines
    ]
    email.set_content("\n".join((_sentence(letter, language), "", *rows, "")))
    page = PrintedPage(
        f"{letter_name(letter, say)}: {letters_title(letters, language)}",
        _body(letter, say),
        language,
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
