"""``correction``: what was corrected, why, and whom it moved."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.command import command
from cli.options import QuestionOptions
from cli.output import emit, table
from cli.questions import ask
from cli.session import viewed
from cli.settings import language
from ledger.questions import corrections


@command("correction list")
def list_(
    last: Annotated[
        int, typer.Option("--last", help="So many, the newest ones.", min=1, max=1_000)
    ] = 25,
    *,
    options: QuestionOptions,
) -> None:
    """List the corrections, the newest first: what was wrong, who decided it, and why."""
    from ledger.answers.corrections import corrections as corrections_of
    from ledger.reports.cascade import Corrections
    from ledger.reports.correction_words import title_of

    with viewed(options) as view:
        found = corrections_of(view, limit=last)
    table_ = table("seq", "recorded_at", "actor", "what", "reason")
    for each in found:
        title = title_of(each).within(language())
        table_.add(each.seq, each.recorded_at[:10], each.actor, title, each.reason)
    data = Corrections(found).data(language())
    emit(options.format, data, data["corrections"], lambda out: out.print(table_))


ask(corrections.correction_moved, "corrections")
