"""How standings look: the table, and each value of a player opponent by opponent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from cli.output import excerpt, print_rest, say, table
from cli.settings import language
from cli.tables import Column, Kind

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.reports.standings import Standings, StandingsLine

_WORDS = {
    "blacks", "board-medians", "direct", "kashdan", "lots", "median", "opponents-ratings", "points",
    "rating-percentage", "solkoff", "sonneborn-berger",
}  # fmt: skip
_SAY_WHY_CUT = {"cut", "below-limit"}


def render_standings(made: Standings, out: Console, *, everything: bool) -> None:
    """Writes the places, and below them what must be known of the points."""
    out.print(title(made), style="bold")
    ratings = say("standings.of_list", list=made.list) if made.list else say("standings.of_report")
    if any(row.rating for row in made.rows):
        out.print(ratings)
    codes = [Column(code_name(code), Kind.DECIMAL) for code in made.codes]
    money = any(row.prize is not None for row in made.rows)
    prize = ["prize"] if money else []
    columns = ("rank", "number", "name", "federation", "rating", "points")
    written = table(*columns, *codes, "decided_by", *prize)
    above = True
    shown = excerpt(made.data()["rows"], everything=everything)
    for row, data in zip(made.rows, shown, strict=False):
        values = data["tie_breaks"].values()
        if above and row.cancelled:
            written.section()
            above = False
        decided = row.decided_by and row.decided_by != "points"
        written.add(
            None if row.cancelled else row.rank, row.number, _participant(row), row.federation,
            row.rating, data["points"],
            *values, code_name(row.decided_by or "") if decided else None,
            *([row.prize] if money else []),
        )  # fmt: skip
    out.print(written)
    print_rest(out, len(shown), len(made.rows))
    for code, why in made.not_used:
        out.print(say("standings.not_used", code=code_name(code), why=why))
    if made.announced and made.announced != made.codes:
        out.print(say("standings.not_announced", codes=_names(made.announced)))
    for replaced in made.replaced:
        names = _names(replaced.tie_breaks)
        out.print(say("standings.replaced", seq=replaced.seq, codes=names))
    for change in made.changes:
        out.print(" ".join(change.sentences(language())))
    for issued in made.issued:
        out.print(
            say("standings.issued" if issued.same else "standings.issued_other", seq=issued.seq)
        )
    if waiting := [str(row.number) for row in made.rows if row.temporary]:
        key = "standings.temporary_left_out" if made.final else "standings.temporary"
        out.print(say(key, numbers=", ".join(waiting)))


def _names(codes: Iterable[str]) -> str:
    return ", ".join(map(code_name, codes)) or "–"


def title(made: Standings) -> str:
    """Returns the heading of standings."""
    key = "standings.final" if made.final else "standings.after"
    return say(key, name=made.name, after=made.after, rounds=made.rounds)


def _participant(row: StandingsLine) -> str:
    if row.expelled:
        return say("standings.expelled", name=row.name)
    if row.withdrew_from is None:
        return row.name
    key = "cli.cancelled" if row.cancelled else "cli.withdrew"
    return say(key, name=row.name, round=row.withdrew_from)


def code_name(code: str) -> str:
    """Returns a tie-break's name in the user's language; a code of FIDE is its own name."""
    return say(f"column.{code.replace('-', '_')}") if code in _WORDS else code


def render_explained(about: dict[str, Any], out: Console) -> None:
    """Writes a player's row, and each value with the rounds it comes from."""
    row = about["player"]
    out.print(say("standings.player", **{**row, "after": about["after"]}), style="bold")
    if row["decided_by"]:
        out.print(say("standings.decided", by=code_name(row["decided_by"])))
    for value in about["values"]:
        key = "standings.value_again" if value["again"] else "standings.value"
        amount = "–" if value["value"] is None else value["value"]
        name = code_name(value["tie_break"])
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
    notes = [part["note"]] if part["note"] else []
    if not part["counted"] and part["note"] not in _SAY_WHY_CUT:
        notes.append("cut")
    return ", ".join(say(f"part.{note}") for note in notes)
