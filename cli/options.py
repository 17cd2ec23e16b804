"""Arguments and options that several commands take, declared once, and groups of them.

A group is a frozen dataclass. A command that has a parameter of its type takes all its fields, as
``cli.command`` registers it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from cli.values import sex_of
from ledger.age_groups import group_named

if TYPE_CHECKING:
    from ledger.reports.categories import Category
    from ledger.views.view import LedgerView


class Format(StrEnum):
    """How a reading command writes its data."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"


class FormFormat(StrEnum):
    """How a command writes what is also a form to print."""

    TABLE = "table"
    HTML = "html"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"


class ReceiptFormat(StrEnum):
    """How a writing command says what it recorded."""

    TABLE = "table"
    JSON = "json"


# Options.
Db: TypeAlias = Annotated[
    str | None,
    typer.Option("--db", help="Database: a file for SQLite, or a URL; to read also archive:DIR."),
]
As: TypeAlias = Annotated[Format, typer.Option("--format", help="How to write the data.")]
FormAs: TypeAlias = Annotated[
    FormFormat, typer.Option("--format", help="How to write the data; html is to be printed.")
]
Receipts: TypeAlias = Annotated[
    ReceiptFormat, typer.Option("--format", help="How to say what was recorded.")
]
DryRun: TypeAlias = Annotated[
    bool, typer.Option("--dry-run", help="Say what would be recorded; record nothing.")
]
Verbose: TypeAlias = Annotated[
    bool,
    typer.Option("--verbose", help="Name also seqs, types of events and digests of lists."),
]
Upto: TypeAlias = Annotated[
    int | None, typer.Option("--upto", help="The last event wanted (default: all).", min=0)
]
Actor: TypeAlias = Annotated[
    str | None, typer.Option("--actor", help="Who is acting (default: the user).")
]
Second: TypeAlias = Annotated[
    str | None,
    typer.Option("--second", help="The officer who agrees, where a published period is reached."),
]
SignWith: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--sign-with",
        help="A secret key that signs it (see 'key'): its file; may be repeated, for the second.",
    ),
]
Reason: TypeAlias = Annotated[str, typer.Option("--reason", help="Why, in a sentence.")]
NeededReason: TypeAlias = Annotated[
    str, typer.Option("--reason", help="Why, in a sentence; required.")
]
Key: TypeAlias = Annotated[
    str | None,
    typer.Option("--idempotency-key", help="Names this request: sent twice, recorded once."),
]
OfficeUrl: TypeAlias = Annotated[
    str | None, typer.Option("--office", help="Database of accounts (default: beside the ledger).")
]
ListName: TypeAlias = Annotated[
    str | None, typer.Option("--list", help="The rating list (default: the only one).")
]
SignNow: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--key",
        help="Sign a checkpoint now with this secret key (see 'key'): its file, or text.",
    ),
]
OutputFile: TypeAlias = Annotated[
    Path | None, typer.Option("--output", "-o", help="The file (default: standard output).")
]
AfterRound: TypeAlias = Annotated[
    int | None, typer.Option("--after", help="After this round (default: the last).", min=0)
]
RatingsOf: TypeAlias = Annotated[
    str | None, typer.Option("--list", help="Ratings of this list, in force on the first day.")
]
All: TypeAlias = Annotated[bool, typer.Option("--all", help="A table of all rows, not of 50.")]
Federations: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--federation", help="Only of this federation, CHI; may be repeated."),
]
OfSex: TypeAlias = Annotated[str | None, typer.Option("--sex", help="Only men (m) or women (w).")]
Search: TypeAlias = Annotated[
    str | None, typer.Option("--search", help="Only who may be meant by it, as in player find.")
]
RatedIn: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--rated-in",
        help="Rated in this period, whenever it ended: PERIOD of the only list, or LIST:PERIOD.",
    ),
]
Day: TypeAlias = Annotated[str | None, typer.Option("--on", help="Chess date, YYYY-MM-DD.")]
Edition: TypeAlias = Annotated[
    int | None, typer.Option("--edition", help="As published, this edition.", min=1)
]
Recalculated: TypeAlias = Annotated[
    bool,
    typer.Option("--recalculated", help="As known now, though an edition of the period is out."),
]
KnownAt: TypeAlias = Annotated[
    int | None,
    typer.Option("--as-known-at", help="Only what was known at this seq (default: all).", min=0),
]
Parameters: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--param", help="A parameter of the regulation, key=value; may be repeated."),
]
Control: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--control", help="A player of the control group; may be repeated."),
]
Full: TypeAlias = Annotated[
    bool, typer.Option("--full", help="Everything, not only what it comes to.")
]

# Arguments.
Tournament: TypeAlias = Annotated[str, typer.Argument(help="The tournament's id.")]
Round: TypeAlias = Annotated[int, typer.Argument(metavar="ROUND", help="The round, from 1.", min=1)]
Player: TypeAlias = Annotated[str, typer.Argument(help="The player's id, or the name.")]
White: TypeAlias = Annotated[str, typer.Argument(help="White's id, or the name.")]
Black: TypeAlias = Annotated[str, typer.Argument(help="Black's id, or the name.")]
ONLY_LIST: Final = "The list's name (default: the only one)."
NameOfList: TypeAlias = Annotated[str | None, typer.Argument(help=ONLY_LIST)]


# Groups.
@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """What a command takes that only reads."""

    db: Db = None
    format: As = Format.TABLE

    @property
    def everything(self) -> bool:
        """Whether a table has all rows."""
        return True


@dataclass(frozen=True, kw_only=True)
class ViewOptions:
    """Which ledger a question is asked of, and as it was known when."""

    db: Db = None
    as_known_at: KnownAt = None


@dataclass(frozen=True, kw_only=True)
class QuestionOptions(ViewOptions):
    """What a question takes."""

    format: As = Format.TABLE

    @property
    def everything(self) -> bool:
        """Whether a table has all rows."""
        return True


@dataclass(frozen=True, kw_only=True)
class FormOptions(ViewOptions):
    """What a question takes that writes a form to print as well."""

    format: FormAs = FormFormat.TABLE


@dataclass(frozen=True, kw_only=True)
class ListingOptions(ViewOptions):
    """What a question takes that shows a table of the first rows or the last."""

    everything: All = False
    format: As = Format.TABLE


@dataclass(frozen=True, kw_only=True)
class FormListingOptions(ViewOptions):
    """What a question takes that shows a table of the first rows or a form to print."""

    everything: All = False
    format: FormAs = FormFormat.TABLE


@dataclass(frozen=True, kw_only=True)
class ReasonedWriteOptions:
    """What a command takes that records, where the reason must be said."""

    db: Db = None
    dry_run: DryRun = False
    format: Receipts = ReceiptFormat.TABLE
    actor: Actor = None
    second: Second = None
    sign_with: SignWith = None
    verbose: Verbose = False
    reason: NeededReason


@dataclass(frozen=True, kw_only=True)
class WriteOptions(ReasonedWriteOptions):
    """What every other command takes that records."""

    reason: Reason = ""


@dataclass(frozen=True, kw_only=True)
class CategoryOptions:
    """Which part of the players is asked for."""

    club: Annotated[
        str | None, typer.Option("--club", help="Only of this club, or words of its name.")
    ] = None
    region: Annotated[
        str | None, typer.Option("--region", help="Only of this region, or words of its name.")
    ] = None
    group: Annotated[
        str | None,
        typer.Option("--group", help="Only of this age group by the calendar year: U14, S50 …"),
    ] = None
    sex: OfSex = None
    licensed: Annotated[
        bool, typer.Option("--licensed", help="Only with a licence that has not run out.")
    ] = False

    def category(self, view: LedgerView) -> Category:
        """Returns it as answers ask for it.

        Raises:
            InputRefused: there is no such sex or age group, or nobody was ever of such a club.
        """
        from ledger.facts.as_of import AsOf
        from ledger.reports.categories import Category, require_bodies

        group = None
        if self.group is not None:
            group = group_named(self.group, view.federation.age_groups)
        category = Category(self.club, self.region, group, sex_of(self.sex), licensed=self.licensed)
        if category.club or category.region:
            facts = view.facts()
            require_bodies(AsOf(facts, facts.seq), category)
        return category


@dataclass(frozen=True, kw_only=True)
class RatedCategoryOptions(CategoryOptions):
    """The same, where everybody may have a rating."""

    under: Annotated[
        int | None,
        typer.Option("--under", help="Only with a rating under this one.", min=1, max=4000),
    ] = None

    def category(self, view: LedgerView) -> Category:
        """Returns it as answers ask for it; raises as that of the others."""
        return replace(CategoryOptions.category(self, view), under=self.under)
