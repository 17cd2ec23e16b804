"""Decision sheets: what a person is to decide, as CSV or XLSX; written, and read when filled in.

Who somebody in a document is has a row for each candidate; that two ids are one person, a row for
each pair. The column of the decision is empty. What a spreadsheet leaves of the other columns does
not matter, but for those that say whom the row is about.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import IO, Final

from ledger.errors import DocumentRefused, InputRefused
from ledger.exports.columns import ColumnType, as_text, is_formula
from ledger.exports.files import Workbook
from ledger.intake.csv_table import DocumentRow, rows
from ledger.intake.document_copy import Copy
from ledger.intake.documents import MOST_TEXT
from ledger.intake.headings import Heading, Headings
from ledger.intake.problems import Problems, refused

NEW: Final = "new"
_NEW: Final = frozenset({NEW, "nuevo", "nueva"})
_TWO: Final = frozenset({"two", "dos"})
_YES: Final = frozenset({"yes", "y", "x", "sí", "si", "s", "1"})
_ABOUT: Final = (
    Heading("name", "nombre"),
    Heading("birth_date", "nacimiento"),
    Heading("federation", "federación"),
)

PEOPLE: Final = Headings(
    known=(
        Heading("decision", "decisión", "", "the id of the member, or new"),
        Heading("who", "quién"),
        *_ABOUT,
        Heading("rating", "elo", kind=ColumnType.WHOLE),
        Heading("candidate", "candidato"),
        Heading("candidate_name", "nombre_candidato"),
        Heading("candidate_birth_date", "nacimiento_candidato"),
        Heading("candidate_federation", "federación_candidato"),
        Heading("likely", "probable", kind=ColumnType.WHOLE),
    ),
    required=("decision", "who"),
    telling=("decision", "who"),
)
"""Who somebody in a document is."""

PAIRS: Final = Headings(
    known=(
        Heading("decision", "decisión", "", "the id that stays of one person; two: two people"),
        Heading("seeds_of", "rating_de", "", "whose rating brought in holds, where both have one"),
        Heading("player", "jugador"),
        *_ABOUT,
        Heading("other", "otro"),
        Heading("other_name", "nombre_otro"),
        Heading("other_birth_date", "nacimiento_otro"),
        Heading("other_federation", "federación_otro"),
    ),
    required=("decision", "player", "other"),
    telling=("decision", "player", "other"),
)
"""Which two ids are one person, or two people."""


@dataclass(frozen=True, slots=True)
class PairDecided:
    """Two ids of one person: ``into`` stays; ``seeds_of`` says whose rating brought in holds.

    Or those of two people, where they are not ``is_one``.
    """

    player: str
    into: str
    seeds_of: str | None
    is_one: bool = True


def write_sheet(
    out: IO[bytes], file: str, headings: Headings, cells: Iterable[Sequence[object]], language: str
) -> int:
    """Writes a sheet; returns how many rows it has.

    ``file`` is what it is called: ``.csv`` or ``.xlsx``.

    Raises:
        InputRefused: it is called otherwise.
    """
    titles = [each.within(language) for each in headings.known]
    made = [*cells]
    match PurePath(file).suffix.lower():
        case ".csv":
            text = io.StringIO()
            writer = csv.writer(text, lineterminator="\r\n")
            writer.writerow(titles)
            writer.writerows([_cell(each) for each in row] for row in made)
            out.write(text.getvalue().encode("utf-8-sig"))  # spreadsheets want the mark
        case ".xlsx":
            columns = [each.column(optional=True) for each in headings.known]
            with Workbook(out, "decisions", columns, titles) as book:
                book.add(made)
        case _:
            raise InputRefused("export.no_template", file=file)
    return len(made)


def _cell(value: object) -> object:
    return as_text(value) if isinstance(value, str) else value


def _plain(text: str | None) -> str | None:
    """Returns what was written, without what keeps a spreadsheet from executing it."""
    is_kept = text is not None and text.startswith("'") and is_formula(text[1:])
    return text[1:] if text is not None and is_kept else text


def people_decided(data: IO[bytes], file: str) -> list[tuple[str, str]]:
    """Returns who in a document is which member, by id, or "" for a new person, as decided.

    Raises:
        InputRefused: it is no such sheet, or decides of somebody in two ways.
    """
    found: dict[str, str] = {}
    problems = Problems()
    for row in _rows(data, file, PEOPLE, problems):
        who, decision = _plain(row.required("who")), row.text("decision")
        if who is None or decision is None:
            continue
        id_ = "" if decision.casefold() in _NEW else decision
        if decision.casefold() in _YES:  # this candidate
            id_ = _plain(row.required("candidate")) or ""
        if found.setdefault(who, id_) != id_:
            row.refuse("decision", "decision.decided_twice", who=who)
    _raise_any(file, problems)
    return [*found.items()]


def pairs_decided(data: IO[bytes], file: str) -> list[PairDecided]:
    """Returns which pairs are one person, or two, as decided; raises ``InputRefused`` likewise."""
    found: list[PairDecided] = []
    problems = Problems()
    for row in _rows(data, file, PAIRS, problems):
        player, other = (_plain(row.required(name)) for name in ("player", "other"))
        decision, seeds_of = row.text("decision"), row.text("seeds_of")
        if player is None or other is None or decision is None:
            continue
        if decision.casefold() in _TWO:
            found.append(PairDecided(player, other, None, is_one=False))
            continue
        stays = player if decision.casefold() in _YES else decision
        if stays not in (player, other):
            row.refuse("decision", "decision.none_of_two", value=decision, one=player, other=other)
            continue
        given_up = other if stays == player else player
        found.append(PairDecided(given_up, stays, seeds_of))
    _raise_any(file, problems)
    return found


def _rows(
    data: IO[bytes], file: str, headings: Headings, problems: Problems
) -> Iterator[DocumentRow]:
    with Copy(data) as copy:
        if copy.is_workbook:
            copy.unfold(None, MOST_TEXT)
        else:
            copy.decode(None)
        try:
            yield from rows(copy.lines(), headings, problems)
        except DocumentRefused as error:
            error.file = file
            raise


def _raise_any(file: str, problems: Problems) -> None:
    if problems.found:
        raise refused(file, problems.found)
