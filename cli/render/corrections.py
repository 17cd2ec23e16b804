"""How a correction looks: what was wrong, who decided it, and whom it moved, list by list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from cli.output import say, table
from cli.questions import Look, Rows
from cli.settings import language
from ledger.rating.decimal_text import signed
from ledger.reports.cascade import CascadeCell, CorrectionReport
from ledger.reports.correction_words import lead_of, title_of

if TYPE_CHECKING:
    from rich.console import Console


def render_correction(found: CorrectionReport, out: Console) -> None:
    """Writes a correction in sentences, and below them a table for each list that it moves."""
    correction = found.correction
    title = title_of(correction).within(language())
    out.print(title[:1].upper() + title[1:])
    out.print(lead_of(found).within(language()))
    for late in found.late_reports:
        out.print(late.message.within(language()))
    people = [say("story.asked", by=correction.asked_by)] if correction.asked_by else []
    people.append(say("story.decided", by=correction.decided_by))
    out.print(" ".join([f"{correction.recorded_at[:10]}:", *people, correction.reason]))
    for of_list in found.cascade.lists:
        periods = [period.period for period in of_list.periods]
        table_ = table("id", "name", "period", "before", "after", "points", title=of_list.list)
        for row in of_list.rows:
            for period, cell in zip(periods, row.cells, strict=True):
                if cell is not None:
                    table_.add(row.id, row.name, period, cell.before, cell.after, _points(cell))
        out.print(table_)


def _points(cell: CascadeCell) -> str:
    return signed(cell.points) or ""


def shifts_of(found: CorrectionReport) -> Rows:
    """Returns a row for each rating that is moved, for a spreadsheet."""
    return list(_shifts(found))


def _shifts(found: CorrectionReport) -> Iterator[Mapping[str, Any]]:
    for of_list in found.cascade.lists:
        for row in of_list.rows:
            for period, cell in zip(of_list.periods, row.cells, strict=True):
                if cell is not None:
                    yield {
                        "list": of_list.list, "period": period.period, "id": row.id,
                        "name": row.name, "before": cell.before, "after": cell.after,
                        "points": cell.points,
                    }  # fmt: skip


LOOKS: Final[Mapping[str, Look[Any]]] = {
    "correction show": Look(render_correction, csv=shifts_of),
}
"""How answers look, by the words of their questions."""
