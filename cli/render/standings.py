"""How standings look on a screen: the table, and each value opponent by opponent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli.output import excerpt, print_rest, say, table
from cli.settings import language
from cli.tables import Column, Kind
from ledger.forms.standings import (
    STANDINGS_COLUMNS,
    code_name,
    last_columns,
    standings_cells,
    standings_notes,
    standings_ratings,
    standings_title,
)

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.reports.standings import Standings

_SAY_WHY_CUT = {"cut", "below-limit"}


def render_standings(made: Standings, out: Console, *, everything: bool) -> None:
    """Writes the places, and below them what must be known of the points."""
    out.print(standings_title(made, say), style="bold")
    if ratings := standings_ratings(made, say):
        out.print(ratings)
    codes = [Column(code_name(code, say), Kind.DECIMAL, explained=True) for code in made.codes]
    written = table(*STANDINGS_COLUMNS, *codes, *last_columns(made))
    above = True
    shown = excerpt(made.rows, everything=everything)
    for line in shown:
        if above and line.cancelled:
            written.section()
            above = False
        written.add(*standings_cells(made, line, say))
    out.print(written)
    print_rest(out, len(shown), len(made.rows))
    for sentence in standings_notes(made, language()):
        out.print(sentence)


def render_explained(about: dict[str, Any], out: Console) -> None:
    """Writes a player's row, and each value with the rounds it comes from."""
    player = about["player"]
    out.print(say("standings.player", **{**player, "after": about["after"]}), style="bold")
    if player["decided_by"]:
        out.print(say("standings.decided", by=code_name(player["decided_by"], say)))
    for value in about["values"]:
        key = "standings.value_again" if value["again"] else "standings.value"
        amount = "–" if value["value"] is None else value["value"]
        name = code_name(value["tie_break"], say)
        out.print(say(key, code=name, value=amount, article=value["article"]), style="bold")
        if value["parts"]:
            written = table("round", "number", "name", "amount", "note")
            for part in value["parts"]:
                written.add(
                    part["round"], part["opponent"], part["name"], part["amount"], _note(part)
                )
            out.print(written)
        for sentence in filter(None, (value["how"], value["why"])):
            out.print(f"  {sentence}\n")


def _note(part: dict[str, Any]) -> str:
    """Returns what is special about a part, and that it was cut where that does not say so."""
    notes = [part["note"]] if part["note"] and part["note"] != "adjusted" else []
    if not part["counted"] and part["note"] not in _SAY_WHY_CUT:
        notes.append("cut")
    adjusted = [part["adjusted"]] if part["adjusted"] else []
    return ", ".join(adjusted + [say(f"part.{note}") for note in notes])
