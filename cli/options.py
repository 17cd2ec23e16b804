"""Options that many commands share, declared once."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum
from typing import Annotated, Optional, TypeAlias

import typer

from ledger.errors import InputRefused


class Format(StrEnum):
    """How a reading command writes its data."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"


class ReceiptFormat(StrEnum):
    """How a writing command says what it appended."""

    TABLE = "table"
    JSON = "json"


Db: TypeAlias = Annotated[
    Optional[str],  # noqa: UP045 - Typer evaluates it at run time on every supported Python
    typer.Option(
        "--db",
        help="Database: a file for SQLite, or a URL; to read also archive:DIR.",
        show_default=False,
    ),
]
As: TypeAlias = Annotated[Format, typer.Option("--format", help="How to write the data.")]
Receipts: TypeAlias = Annotated[
    ReceiptFormat, typer.Option("--format", help="How to say what was appended.")
]
DryRun: TypeAlias = Annotated[
    bool, typer.Option("--dry-run", help="Say what would be recorded; record nothing.")
]
Actor: TypeAlias = Annotated[
    Optional[str],  # noqa: UP045 - the same
    typer.Option("--actor", help="Who is acting (default: the user).", show_default=False),
]
Reason: TypeAlias = Annotated[str, typer.Option("--reason", help="Why, in a sentence.")]
NeededReason: TypeAlias = Annotated[
    str, typer.Option("--reason", help="Why, in a sentence; required.", show_default=False)
]
ListName: TypeAlias = Annotated[str, typer.Option("--list", help="The rating list.")]
Key: TypeAlias = Annotated[
    Optional[str],  # noqa: UP045 - the same
    typer.Option("--idempotency-key", help="Names this request: sent twice, recorded once."),
]
RatedIn: TypeAlias = Annotated[
    Optional[str],  # noqa: UP045 - the same
    typer.Option(
        "--rated-in",
        help="Rated in this period, whenever it ended: PERIOD of the only list, or LIST:PERIOD.",
    ),
]
Day: TypeAlias = Annotated[
    Optional[str],  # noqa: UP045 - the same
    typer.Option("--on", help="Chess date, YYYY-MM-DD.", show_default=False),
]


def day(text: str) -> dt.date:
    """Reads a date; raises ``InputRefused`` that quotes it."""
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise InputRefused("cli.no_date", value=text) from error
