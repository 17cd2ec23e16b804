"""How standings look: the table, and each value of a player opponent by opponent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from cli.output import excerpt, print_rest, say, table
from cli.render.html import PageCell, page, row
from cli.settings import language
from cli.tables import Column, Kind
from ledger.rating.decimal_text import exact

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
    if ratings := _ratings(made):
        out.print(ratings)
    codes = [Column(code_name(code), Kind.DECIMAL) for code in made.codes]
    columns = ("rank", "number", "name", "federation", "rating", "points")
    written = table(*columns, *codes, "decided_by", *(["prize"] if _has_prizes(made) else []))
    above = True
    shown = excerpt(made.rows, everything=everything)
    for line in shown:
        if above and line.cancelled:
            written.section()
            above = False
        written.add(*_cells(made, line))
    out.print(written)
    print_rest(out, len(shown), len(made.rows))
    for sentence in _notes(made):
        out.print(sentence)


def standings_html(made: Standings) -> str:
    """Returns the standings as a page to print: everybody, and what must be known of the points."""
    keys = ("rank", "number", "name", "federation", "rating", "points")
    headings = [PageCell(say(f"column.{key}"), kind=key) for key in keys]
    headings += map(PageCell, map(code_name, made.codes))
    headings += [PageCell(say(f"column.{key}")) for key in ("decided_by", "prize")]
    if not _has_prizes(made):
        headings.pop()
    lines = [row(headings, tag="th")]
    below = False
    for line in made.rows:
        apart = line.cancelled and not below
        below |= apart
        cells = (
            PageCell(cell, kind="name" if at == keys.index("name") else "")
            for at, cell in enumerate(_cells(made, line))
        )
        lines.append(row(cells, kind="apart" if apart else ""))
    ratings = _ratings(made)
    above = [PageCell(ratings).html("p")] if ratings else []
    notes = [PageCell(sentence).html("p") for sentence in _notes(made)]
    return page(title(made), [*above, "<table>", *lines, "</table>", *notes])


def _ratings(made: Standings) -> str | None:
    """Returns whose ratings are shown; None where there are none."""
    if not any(line.rating for line in made.rows):
        return None
    return say("standings.of_list", list=made.list) if made.list else say("standings.of_report")


def _has_prizes(made: Standings) -> bool:
    return any(line.prize is not None for line in made.rows)


def _cells(made: Standings, line: StandingsLine) -> list[object]:
    """Returns the cells of a row; the prize where somebody has one."""
    decided = line.decided_by and line.decided_by != "points"
    amounts = (line.tie_breaks[code] for code in made.codes)
    return [
        None if line.cancelled else line.rank,
        line.number,
        _participant(line),
        line.federation,
        line.rating,
        exact(line.points),
        *(None if amount is None else exact(amount) for amount in amounts),
        code_name(line.decided_by or "") if decided else None,
        *([line.prize] if _has_prizes(made) else []),
    ]


def _notes(made: Standings) -> Iterator[str]:
    """Yields what must be known of the points and the places."""
    for code, why in made.not_used:
        yield say("standings.not_used", code=code_name(code), why=why)
    if made.announced and made.announced != made.codes:
        yield say("standings.not_announced", codes=_names(made.announced))
    for replaced in made.replaced:
        names = _names(replaced.tie_breaks)
        yield say("standings.replaced", seq=replaced.seq, codes=names)
    for change in made.changes:
        yield " ".join(change.sentences(language()))
    for issued in made.issued:
        yield say("standings.issued" if issued.same else "standings.issued_other", seq=issued.seq)
    if waiting := [str(line.number) for line in made.rows if line.temporary]:
        key = "standings.temporary_left_out" if made.final else "standings.temporary"
        yield say(key, numbers=", ".join(waiting))


def _names(codes: Iterable[str]) -> str:
    return ", ".join(map(code_name, codes)) or "–"


def title(made: Standings) -> str:
    """Returns the heading of standings."""
    key = "standings.final" if made.final else "standings.after"
    return say(key, name=made.name, after=made.after, rounds=made.rounds)


def _participant(line: StandingsLine) -> str:
    if line.expelled:
        return say("standings.expelled", name=line.name)
    if line.withdrew_from is None:
        return line.name
    key = "cli.cancelled" if line.cancelled else "cli.withdrew"
    return say(key, name=line.name, round=line.withdrew_from)


def code_name(code: str) -> str:
    """Returns a tie-break's name in the user's language; a code of FIDE is its own name."""
    return say(f"column.{code.replace('-', '_')}") if code in _WORDS else code


def render_explained(about: dict[str, Any], out: Console) -> None:
    """Writes a player's row, and each value with the rounds it comes from."""
    player = about["player"]
    out.print(say("standings.player", **{**player, "after": about["after"]}), style="bold")
    if player["decided_by"]:
        out.print(say("standings.decided", by=code_name(player["decided_by"])))
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
