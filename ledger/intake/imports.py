"""Takes a document in: read, held against the ledger, appended where new; all of it or nothing.

Each kind of document has a module of its own: ``games_file``, ``players_file``, ``report_file``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import assert_never

from ledger.errors import DocumentRefused, InputRefused, Problem
from ledger.events.catalogue import UNDOING
from ledger.intake.document_copy import Copy
from ledger.intake.documents import Document, DocumentKind, Supplied
from ledger.intake.games_file import GamesFile
from ledger.intake.players_file import PlayersFile
from ledger.intake.report_file import ReportFile
from ledger.intake.table_columns import as_remembered, kind_of
from ledger.journal.gc_pause import collector_resting
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.service.seeds import with_notes
from ledger.views.view import LedgerView
from ledger.wording import Message

__all__ = ["Document", "DocumentKind", "Supplied", "import_document"]


@collector_resting()
def import_document(ledger: Ledger, document: Document, request: Request) -> Receipt:
    """Imports a document.

    The same document again adds nothing. A document that says something else than what is recorded
    is a conflict, unless it comes ``as_correction``.

    Key, body and source of the request are filled in here.

    Raises:
        InputRefused: with every problem of the file, line and column.
        Conflict: with every difference.
    """
    with Copy(document.data) as copy, _naming(document.name):
        notes: tuple[Problem, ...] = ()
        source = document.name
        if copy.is_workbook:
            document, notes = _unfolded(document, copy)
        else:
            copy.decode(document.encoding)
        document = as_remembered(document, copy)
        request_ = _request(ledger, document, copy, request, source)
        receipt = _imported(ledger, document, copy, request_)
        return replace(receipt, notes=(*notes, *receipt.notes))


@contextmanager
def _naming(file: str) -> Iterator[None]:
    """Has every problem of a document name it, also those of whoever reads it and knows no name."""
    try:
        yield
    except InputRefused as error:
        error.details = tuple(replace(each, file=each.file or file) for each in error.details)
        raise


def _imported(ledger: Ledger, document: Document, copy: Copy, request_: Request) -> Receipt:
    kind = document.kind or kind_of(document, copy)
    is_of_table = kind is DocumentKind.PLAYERS and len(document.federations) == 1
    is_filtered = document.federations and not is_of_table
    if kind is not DocumentKind.FIDE_LIST and (document.other_lists or is_filtered):
        raise InputRefused("import.only_of_fide_list", kind=kind)
    if (
        kind in {DocumentKind.PLAYERS, DocumentKind.FIDE_LIST}
        and document.supplied.rated_in is not None
    ):
        raise InputRefused("import.rated_in_of_people", file=document.name)
    match kind:
        case DocumentKind.GAMES:
            games = GamesFile(ledger, document, copy, request_)
            receipt = ledger.append_decided(games.decide, request_)
            is_told = games.people.new or games.people.doubtful
            return replace(receipt, people=games.people if is_told else None)
        case DocumentKind.PLAYERS | DocumentKind.FIDE_LIST:
            people = PlayersFile.read(ledger, document, kind, copy, request_)
            receipt = with_notes(ledger, ledger.append_decided(people.decide, request_))
            return replace(receipt, people=people.people)
        case DocumentKind.TRF:
            report = ReportFile(ledger, document, copy, request_)
            receipt = with_notes(ledger, ledger.append(report.streams, report.plan, request_))
            return replace(receipt, people=report.people)
        case _:
            assert_never(kind)


def _unfolded(document: Document, copy: Copy) -> tuple[Document, tuple[Problem, ...]]:
    """Takes a sheet of a workbook for the document; returns that, and a note of other sheets.

    Messages call it by the workbook and the sheet, as spreadsheets do.
    """
    if document.kind in {DocumentKind.TRF, DocumentKind.FIDE_LIST}:
        raise DocumentRefused("workbook.other_kind", kind=document.kind)
    sheet = copy.unfold(document.sheet, document.most_text)
    named = replace(document, name=f"{document.name}!{sheet.name}")
    if document.sheet is not None or not sheet.others:
        return named, ()
    message = Message.of("workbook.others", sheet=sheet.name, others=", ".join(sheet.others))
    return named, (Problem(message, file=document.name),)


def _was_undone(view: LedgerView, key: str) -> bool:
    """Whether something of the commit under a key was taken back: then it may come again."""
    commit = view.journal.commit_with_key(key)
    if commit is None or not view.journal.count_of(UNDOING, after=commit.last_seq):
        return False
    facts = view.facts()
    return any(commit.first_seq <= seq <= commit.last_seq for seq in facts.undone_at(facts.seq))


def _request(
    view: LedgerView, document: Document, copy: Copy, request: Request, source: str
) -> Request:
    if document.as_correction and not request.reason.strip():
        raise InputRefused("registrar.needs_reason")
    how = f"{copy.sha256} list={document.list} on={document.on} {document.supplied}"
    if document.games is not None:
        how += f" games={document.games}"
    if document.partial:
        how += " partial"
    if document.supplied.rated_in is not None:
        how += f" {document.supplied.rated_in}"
    if document.sheet or document.columns or document.ignored:
        how += f" {document.sheet} {document.columns} {document.ignored}"
    if document.dates is not None:
        how += f" dates={document.dates}"
    if document.other_lists or document.federations:
        how += f" {document.other_lists} {document.federations}"
    if document.kind is not None:
        how += f" kind={document.kind}"
    if document.ids is not None:
        how += f" ids={document.ids}"
    if document.only_members:
        how += " only members"
    if document.decisions:
        how += f" decisions={document.decisions}"
    if document.same or document.apart:
        how += f" same={document.same} apart={document.apart}"
    if document.encoding is not None:
        how += f" encoding={document.encoding}"
    key = hashlib.sha256(how.encode(errors="surrogatepass")).hexdigest()
    if document.as_correction or _was_undone(view, f"import:{key}"):
        # A correction may rightly come again after others: what it changes decides, not its bytes.
        key = f"{key}@{view.journal.head().seq}"
    return replace(
        request,
        idempotency_key=request.idempotency_key or f"import:{key}",
        body=how,
        source_name=source,
        source_sha256=copy.sha256,
    )
