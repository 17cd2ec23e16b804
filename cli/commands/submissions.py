"""``submission``: what was handed in on the site, for who runs it."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.command import command
from cli.office import office_of
from cli.options import OfficeUrl, ReadOptions
from cli.output import emit, table
from cli.session import opened
from ledger.errors import NotFound

if TYPE_CHECKING:
    from ledger.views.view import LedgerView
    from web.office.submissions import Submission

_MOST = 1_000
Done = Annotated[bool, typer.Option("--done", help="Those that are decided or withdrawn.")]


@command("submission list")
def list_(done: Done = False, office: OfficeUrl = None, *, options: ReadOptions) -> None:
    """List what was handed in on the site and is not decided yet, the last changed first."""
    from web.office import submissions as kept

    states = frozenset(kept.SubmissionState) - kept.OPEN if done else kept.OPEN
    with (
        opened(options.db) as ledger,
        office_of(options.db, office) as kept_office,
        kept_office.reading() as connection,
    ):
        found = kept.listed(connection, states=states, limit=_MOST)
        rows = [_row(ledger, each) for each in found]
    shown = ("submission", "state", "by", "decided_by", "at", "title")
    table_ = table("id", "state", "actor", "decided_by", "recorded_at", "name")
    for row in rows:
        table_.add(*(row[name] for name in shown))
    emit(options.format, {"submissions": rows}, rows, lambda out: out.print(table_))


@command("submission show")
def show(
    submission: Annotated[str, typer.Argument(help="Its id.")],
    office: OfficeUrl = None,
    *,
    options: ReadOptions,
) -> None:
    """Show what is asked for in a submission, and every step that was taken."""
    from web.office import submissions as kept

    with (
        opened(options.db) as ledger,
        office_of(options.db, office) as kept_office,
        kept_office.reading() as connection,
    ):
        found = kept.find(connection, submission)
        if found is None:
            raise NotFound("submission.not_found", submission=submission)
        row = _row(ledger, found)
        steps = [
            {"at": _when(each.at), "by": each.account, "what": each.what, "comment": each.comment}
            for each in kept.steps(connection, submission)
        ]
    table_ = table("recorded_at", "actor", "state", "note", title=f"{row['title']}: {row['state']}")
    for step in steps:
        table_.add(step["at"], step["by"], step["what"], step["comment"])
    emit(options.format, {**row, "steps": steps}, steps, lambda out: out.print(table_))


def _row(view: LedgerView, each: Submission) -> dict[str, Any]:
    """Returns a submission as JSON data; the journal says whether it is recorded."""
    commit = view.journal.commit_with_key(each.key) if each.state.is_open else None
    return {
        "submission": each.id,
        "kind": each.kind,
        "title": each.title,
        "state": each.state.value if commit is None else "accepted",
        "by": each.account,
        "decided_by": each.decided_by,
        "commit": each.commit_id if commit is None else commit.commit_id,
        "at": _when(each.changed_at),
        "sha256": each.sha256,
    }


def _when(at: int) -> str:
    return dt.datetime.fromtimestamp(at, dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
