"""How letters to clubs look."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from cli.output import say, table
from cli.questions import Look
from cli.settings import language
from ledger.forms.letters import (
    LETTER_COLUMNS,
    letter_cells,
    letter_name,
    letter_notes,
    letters_page,
    letters_title,
)
from ledger.reports.letters import Letters

if TYPE_CHECKING:
    from rich.console import Console


def _letters(letters: Letters, out: Console) -> None:
    out.print(letters_title(letters, language()), style="bold")
    for letter in letters.letters:
        out.print(f"\n{letter_name(letter, say)}", style="bold")
        out.print(say(letter.sentence.key, **dict(letter.sentence.values)))
        table_ = table(*LETTER_COLUMNS)
        for line in letter.lines:
            table_.add(*letter_cells(line, say))
        if letter.lines:
            out.print(table_)
        for heading, notes in letter_notes(letters, letter, say):
            out.print(heading, style="bold")
            for note in notes:
                out.print(f"- {note}")


def _rows(letters: Letters) -> list[Mapping[str, Any]]:
    """Returns a row for each line, with its club."""
    return [
        {"club": letter.club, **line.data(language())}
        for letter in letters.letters
        for line in letter.lines
    ]


LOOKS: Final[Mapping[str, Look[Any]]] = {
    "list letters": Look(_letters, letters_page, _rows),
}
"""How answers look, by the words of their questions."""
