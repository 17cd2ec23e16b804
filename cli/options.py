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
ListName: TypeAlias = Annotated[
    Optional[str],  # noqa: UP045 - the same
    typer.Option("--list", help="The rating list (default: the only one).", show_default=False),
]
All: TypeAlias = Annotated[bool, typer.Option("--all", help="A table of all rows, not of 50.")]
Federations: TypeAlias = Annotated[
    Optional[list[str]],  # noqa: UP045 - the same
    typer.Option("--federation", help="Only of this federation, CHI; may be repeated."),
]
OfSex: TypeAlias = Annotated[
    Optional[str],  # noqa: UP045 - the same
    typer.Option("--sex", help="Only men (m) or women (w)."),
]
Search: TypeAlias = Annotated[
    Optional[str],  # noqa: UP045 - the same
    typer.Option("--search", help="Only who may be meant by it, as in player find."),
]
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


_SEXES = {"m": "m", "w": "w", "f": "w"}


def sex_of(text: str | None) -> str | None:
    """Returns ``m`` or ``w`` (also for f); raises ``InputRefused`` for anything else."""
    if text is None:
        return None
    sex = _SEXES.get(text.lower())
    if sex is None:
        raise InputRefused("cli.no_sex", value=text)
    return sex


def codes_of(federations: list[str] | None) -> tuple[str, ...]:
    """Returns codes of federations in capitals, as they are recorded."""
    return tuple(code.upper() for code in federations or ())


def day(text: str) -> dt.date:
    """Reads a date; raises ``InputRefused`` that quotes it."""
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise InputRefused("cli.no_date", value=text) from error
