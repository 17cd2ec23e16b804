"""What the columns of a table of players or games are taken for, before anything of it is read."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from ledger.errors import DocumentRefused, InputRefused
from ledger.intake.csv_table import delimiter_of, fields_of
from ledger.intake.document_copy import Copy
from ledger.intake.documents import Document, DocumentKind
from ledger.intake.headings import GAMES, PLAYERS, Headings, as_mapped, folded
from ledger.intake.players import is_fide_list
from ledger.intake.trf.document import is_trf
from ledger.json_form import JsonForm
from ledger.terms import DayOrder
from ledger.wording import Wording

TABLES: Final[Mapping[DocumentKind, Headings]] = {
    DocumentKind.GAMES: GAMES, DocumentKind.PLAYERS: PLAYERS
}  # fmt: skip
_QUOTED: Final = 80  # characters of a first line
_SAMPLE: Final = 60  # characters of a cell


@dataclass(frozen=True, slots=True)
class TableColumn(JsonForm):
    """A column of a table: its heading, what it is taken for, and the first that stands in it.

    ``column`` is the name of one, ``-`` where it is not read, None where nobody knows it.
    """

    heading: str
    column: str | None
    sample: str


@dataclass(frozen=True, slots=True)
class SeenTable(JsonForm):
    """A table as it would be read: its kind, its columns, the sheet of a workbook and the others.

    ``header`` is a digest of its headings: the next table of a sender is known by it. Of a sheet
    that is no table there is no kind: another may be. ``dates`` is what was said of their order.
    """

    kind: DocumentKind | None
    header: str
    columns: Sequence[TableColumn]
    sheet: str | None = None
    others: Sequence[str] = ()
    dates: DayOrder | None = None


def seen_table(document: Document) -> SeenTable | None:
    """Returns what a table would be read as; None where it is none, or cannot be read at all."""
    with suppress(InputRefused), Copy(document.data) as copy:
        sheet = None
        if copy.is_workbook:
            sheet = copy.unfold(document.sheet, document.most_text)
        else:
            copy.decode(document.encoding)
        seen = _seen(as_remembered(document, copy), copy)
        if sheet is not None:
            return replace(seen, sheet=sheet.name, others=sheet.others)
        return seen if seen.kind else None
    return None


def _seen(document: Document, copy: Copy) -> SeenTable:
    """Returns a table without its sheet; without columns where nobody knows what it is."""
    header, first = _first_rows(copy)
    digest, kind = digest_of_header(header), document.kind
    with suppress(InputRefused):
        kind = kind or kind_of(document, copy)
    if kind is None or kind not in TABLES:
        return SeenTable(None, digest, ())
    known = TABLES[kind]
    with suppress(InputRefused):  # a column that there is not
        known = known.told(document.columns, document.ignored)
    taken = zip(header, known.taken(header), [*first, *("" for _ in header)], strict=False)
    columns = [
        TableColumn(written.strip(), column, cell.strip()[:_SAMPLE])
        for written, column, cell in taken
        if written.strip()
    ]
    return SeenTable(kind, digest, columns, dates=document.dates)


def column_names(kind: DocumentKind) -> list[tuple[str, Wording]]:
    """Returns what a column of such a table can be: names, and what they are called."""
    return [(each.english, each.name) for each in TABLES[kind].all]


def as_remembered(document: Document, copy: Copy) -> Document:
    """Returns a document with what is remembered of its header, where nothing else is said."""
    if document.columns or document.ignored or not document.remembered:
        return document
    header, _ = _first_rows(copy)
    choices = dict(document.remembered).get(digest_of_header(header), ())
    columns, ignored = as_mapped(choices)
    return replace(document, columns=columns, ignored=ignored)


def digest_of_header(header: Iterable[str]) -> str:
    """Returns the digest of a header, by what counts of its headings."""
    words = "\n".join(folded(written) for written in header if written.strip())
    return hashlib.sha256(words.encode(errors="surrogatepass")).hexdigest()


def _first_rows(copy: Copy) -> tuple[list[str], list[str]]:
    """Returns the header of a table and the first row below it."""
    lines = (line for line in copy.lines() if line.strip())
    first = next(lines, "")
    rows = csv.reader(lines, delimiter=delimiter_of(first))
    with suppress(csv.Error):
        return fields_of(first), next(rows, [])
    return fields_of(first), []


def kind_of(document: Document, copy: Copy) -> DocumentKind:
    """Returns what a document is, by how it begins.

    Raises:
        InputRefused: nobody can tell.
    """
    text = copy.head()
    if not copy.is_workbook:
        if is_fide_list(text):
            return DocumentKind.FIDE_LIST
        if is_trf(text):
            return DocumentKind.TRF
    first = next((line for line in text.splitlines() if line.strip()), "")
    kinds: dict[DocumentKind, Headings] = {}
    for kind, headings in TABLES.items():
        with suppress(InputRefused):  # the user named a column of the other kind
            kinds[kind] = headings.told(document.columns, document.ignored)
    if not kinds:
        PLAYERS.told(document.columns, document.ignored)
    if not first:
        raise DocumentRefused("csv.empty")
    return _kind_of_table(document.name, first, kinds)


def _kind_of_table(file: str, first: str, kinds: Mapping[DocumentKind, Headings]) -> DocumentKind:
    """Returns the kind that a table is of by its header, the first line.

    It is the only one whose telling columns are there; where that is none, or several, the one to
    which more headings belong that the other has not. Its refusal names those unknown, or missing.
    """
    header = fields_of(first)
    kinds_ = [kind for kind, headings in kinds.items() if headings.recognise(header)]
    if len(kinds_) == 1:
        return kinds_[0]
    familiar = {kind: len(headings.familiar(header)) for kind, headings in kinds.items()}
    most = max(familiar.values())
    likely = [kind for kind, count in familiar.items() if count == most]
    if not most:
        raise InputRefused("import.unknown_kind", file=file, first=first[:_QUOTED])
    if len(likely) > 1 or len(header) == 1:
        headings = ", ".join(written.strip() for written in header if written.strip())
        raise InputRefused("import.unknown_table", file=file, headings=headings[:_QUOTED])
    return likely[0]
