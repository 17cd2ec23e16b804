"""How the results of an event look, and its course: everybody's place after each round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from cli.output import say, table
from cli.questions import Look, Rows
from cli.settings import language
from cli.tables import Column, Kind
from ledger.forms.results import list_sentence
from ledger.forms.standings import code_name, name_in_title
from ledger.rating.decimal_text import exact, signed

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.reports.event_results import EventProgress, EventResults


def _results(found: EventResults, out: Console) -> None:
    about = found.summary
    annulled = about.state == "annulled"
    key = "standings.final" if about.final and not annulled else "standings.after"
    name = name_in_title(about.name, say, annulled=annulled)
    out.print(say(key, name=name, after=about.after, rounds=about.rounds), style="bold")
    for each in about.lists:
        out.print(list_sentence(each, about.games, language()))
    codes = list(found.rows[0].tie_breaks) if found.rows else []
    columns = [Column(code_name(code, say), Kind.DECIMAL, explained=True) for code in codes]
    written = table(
        "rank", "title", "name", "club", "rating", "points", *columns, "performance", "gain",
        "prize", "note",
    )  # fmt: skip
    for row in found.rows:
        amounts = (row.tie_breaks[code] for code in codes)
        written.add(
            None if row.cancelled else row.rank,
            row.title,
            row.name or row.id,
            row.club,
            row.rating,
            exact(row.points),
            *(None if amount is None else exact(amount) for amount in amounts),
            row.performance,
            None if row.gain is None else signed(exact(row.gain)),
            row.prize,
            ", ".join(each.within(language()) for each in row.first_of),
        )
    out.print(written)


def _results_as_rows(found: EventResults) -> Rows:
    rows = []
    for row in found.data(language())["rows"]:
        amounts = row.pop("tie_breaks")
        rows.append(row | {"first_of": ", ".join(row["first_of"])} | amounts)
    return rows


def _progress(found: EventProgress, out: Console) -> None:
    rounds = [Column(str(number), Kind.FIGURE) for number in range(1, found.after + 1)]
    start = Column(say("standings.start"), Kind.FIGURE)
    written = table("rank", "number", "name", "points", start, *rounds)
    for row in found.rows:
        written.add(row.rank, row.number, row.name or row.id, exact(row.points), *row.places)
    out.print(written)


def _places_as_rows(found: EventProgress) -> Rows:
    return [
        row | {str(after): place for after, place in enumerate(row.pop("places"))}
        for row in found.data()["rows"]
    ]


LOOKS: Final[Mapping[str, Look[Any]]] = {
    "tournament results": Look(_results, csv=_results_as_rows),
    "tournament progress": Look(_progress, csv=_places_as_rows),
}
"""How answers look, by the words of their questions."""
