"""A list of a ledger as tables for other programs (see ``reports.data_tables``)."""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

from ledger.application.ledger import Ledger
from ledger.exports.columns import ExportColumn, ExportTable
from ledger.reports import data_tables


class Export(StrEnum):
    """What a table is about."""

    RATINGS = "ratings"
    POSTINGS = "postings"
    LISTS = "lists"

    @property
    def columns(self) -> tuple[ExportColumn, ...]:
        """Its columns, in their order."""
        match self:
            case Export.RATINGS:
                return data_tables.RATINGS
            case Export.POSTINGS:
                return data_tables.POSTINGS
            case Export.LISTS:
                return data_tables.ROWS
            case _:
                assert_never(self)


def table_of(ledger: Ledger, export: Export, name: str) -> ExportTable:
    """Returns a table of a list, as known now; its pages are calculated when they are read.

    Raises:
        NotFound: there is no such list.
    """
    facts = ledger.facts()
    ledger.require_list(facts, name)
    match export:
        case Export.RATINGS:
            return data_tables.ratings_table(facts, name)
        case Export.POSTINGS:
            return data_tables.postings_table(facts, name)
        case Export.LISTS:
            return data_tables.rows_table(facts, name, lambda seq: ledger.people(facts, seq))
        case _:
            assert_never(export)
