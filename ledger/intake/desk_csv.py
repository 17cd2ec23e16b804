"""Reads what an arbiter keeps in spreadsheets: the boards of a round, and entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import IO, Final

from ledger.errors import InputRefused
from ledger.exports.columns import ColumnType
from ledger.intake.csv_table import rows
from ledger.intake.document_copy import Copy
from ledger.intake.headings import Heading, Headings
from ledger.intake.problems import STOPPED, Problems, refused
from ledger.service.entries import EntryRow, entries_refused

_HIGHEST_RATING, _LAST_ROUND = 4_000, 999
_TYPED: Final = "player;pairing_rating;from_round\n"

BOARDS: Final = Headings(
    known=(
        Heading("white", "blancas", "blanco", "White's id"),
        Heading("black", "negras", "negro", "Black's id; blank for who has the bye"),
    ),
    required=("white", "black"),
    telling=("white", "black"),
)
"""The boards of a round, in order."""

ENTRIES: Final = Headings(
    known=(
        Heading("player", "jugador", "id,código,fide id,name,nombre", "an id, or a name"),
        Heading(
            "pairing_rating",
            "rating_de_pareo",
            "rating,elo",
            "for the pairing only",
            ColumnType.WHOLE,
        ),
        Heading(
            "from_round", "desde_ronda", "", "the first round of a late entry", ColumnType.WHOLE
        ),
    ),
    required=("player",),
    telling=("player",),
)
"""The entries of a tournament, in the order of the entry list."""


def read_boards(source: bytes | IO[bytes], name: str) -> tuple[list[tuple[str, str]], str | None]:
    """Reads the boards of a round.

    Returns:
        White and Black of each board, by id, in order; and who has the bye (no Black).

    Raises:
        InputRefused: with every problem, line and column.
    """
    boards: list[tuple[str, str]] = []
    byes: list[str] = []
    problems = Problems()
    with Copy(source) as copy, _checked(problems, name):
        _as_text(copy)
        for row in rows(copy.lines(), BOARDS, problems):
            white, black = row.required("white"), row.text("black")
            if white is None:
                continue
            if black is not None:
                boards.append((white, black))
            elif byes:
                row.refuse("black", "desk.one_bye", first=byes[0], second=white)
            else:
                byes.append(white)
    return boards, byes[0] if byes else None


def read_entries(source: bytes | IO[bytes], name: str) -> list[EntryRow]:
    """Reads the entries of a tournament, in their order.

    Raises:
        InputRefused: with every problem, line and column.
    """
    problems = Problems()
    with Copy(source) as copy, _checked(problems, name):
        _as_text(copy)
        return _entries(copy.lines(), problems)


def typed_entries(text: str) -> list[EntryRow]:
    """Reads entries as they are typed: the names of the columns may be left out.

    Raises:
        InputRefused: with every problem, at the line that was typed.
    """
    lines = [f"{line}\n" for line in text.splitlines()]
    first = next((line for line in lines if line.strip()), "").strip().casefold()
    if first.startswith(("player", "jugador")):
        return read_entries(text.encode(errors="replace"), "")
    problems = Problems()
    with _checked(problems, "", before=1):
        entries = _entries([_TYPED, *lines], problems)
    return [replace(entry, line=entry.line - 1) for entry in entries]


def _entries(lines: Iterable[str], problems: Problems) -> list[EntryRow]:
    entries: dict[str, EntryRow] = {}
    for row in rows(lines, ENTRIES, problems):
        player = row.required("player")
        rating = row.integer("pairing_rating", least=0, most=_HIGHEST_RATING)
        from_round = row.integer("from_round", least=1, most=_LAST_ROUND)
        if player is None:
            continue
        if player in entries:
            row.refuse("player", "desk.entered_twice", player=player)
        entries[player] = EntryRow(player, rating, from_round, row.line)
    return list(entries.values())


def _as_text(copy: Copy) -> None:
    """Makes text of a document: of a workbook, its first visible sheet."""
    if copy.is_workbook:
        copy.unfold(None)
    else:
        copy.decode(None)


@contextmanager
def _checked(problems: Problems, name: str, before: int = 0) -> Iterator[None]:
    """Refuses what is read within, where there are problems.

    ``before`` is how many lines stand before those that somebody typed.
    """
    is_stopped = False
    try:
        yield
    except InputRefused as refusal:
        if refusal.message.key != STOPPED:
            raise
        is_stopped = True
    if problems.found:
        found = [replace(each, line=each.line - before) for each in problems.found]
        if is_stopped and name:
            raise refused(name, found, is_stopped=True)
        raise entries_refused(found, name, len(found))
