"""Reads what an arbiter keeps in spreadsheets: the boards of a round, and entries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, Final

from ledger.errors import InputRefused
from ledger.exports.columns import ColumnType
from ledger.intake.csv_table import Problems, rows
from ledger.intake.document_copy import Copy
from ledger.intake.headings import Heading, Headings

_HIGHEST_RATING, _LAST_ROUND = 4_000, 999

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


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry: who, as written, and what the pairing needs; the line of a file, 0 for none."""

    player: str
    pairing_rating: int | None
    from_round: int | None
    line: int = 0


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
    with Copy(source) as copy:
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
    _check(problems, name)
    return boards, byes[0] if byes else None


def read_entries(source: bytes | IO[bytes], name: str) -> list[EntryRow]:
    """Reads the entries of a tournament, in their order.

    Raises:
        InputRefused: with every problem, line and column.
    """
    entries: dict[str, EntryRow] = {}
    problems = Problems()
    with Copy(source) as copy:
        _as_text(copy)
        for row in rows(copy.lines(), ENTRIES, problems):
            player = row.required("player")
            rating = row.integer("pairing_rating", least=0, most=_HIGHEST_RATING)
            from_round = row.integer("from_round", least=1, most=_LAST_ROUND)
            if player is None:
                continue
            if player in entries:
                row.refuse("player", "desk.entered_twice", player=player)
            entries[player] = EntryRow(player, rating, from_round, row.line)
    _check(problems, name)
    return list(entries.values())


def _as_text(copy: Copy) -> None:
    """Makes text of a document: of a workbook, its first visible sheet."""
    if copy.is_workbook:
        copy.unfold(None)
    else:
        copy.decode(None)


def _check(problems: Problems, name: str) -> None:
    if problems.found:
        raise InputRefused("import.refused", *problems.found, file=name, count=len(problems.found))
