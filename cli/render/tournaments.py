"""How a tournament looks: round by round, its worksheet, and what it comes to for titles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from cli.output import print_notes, say, table, told
from cli.questions import Look
from cli.settings import language
from ledger.forms.grid import round_word
from ledger.forms.page import corrected_note, joined, result_words
from ledger.rating.decimal_text import exact, points, signed
from ledger.rating.rounding import half_up
from ledger.titles.fide_1972 import FEWER_RESULTS, RESULTS, RULES, YEARS, Title

if TYPE_CHECKING:
    from rich.console import Console

    from cli.tables import Table
    from ledger.answers.titles import PlayerTitles
    from ledger.reports.event_preview import EventPreview
    from ledger.reports.titles import StageRow, TitleProgress, TitleReport, TitleRow
    from ledger.reports.tournament_calendar import TournamentCalendar
    from ledger.reports.tournaments import TournamentPlayer, TournamentSheet
    from ledger.reports.worksheet import Worksheet
    from ledger.titles.norm_chance import NormChance

_WORKSHEET = (
    "rating", "points", "percent", "d_of_p", "adjusted_d", "rp", "difference_from_mean", "pe",
    "n_times_p", "expected_score", "above_expectation", "change", "new_rating",
)  # fmt: skip
_RESULTS = (
    "mean", "category", "aim", "percent", "games", "needed", "points", "made", "fails",
)  # fmt: skip
_IN_DATA = {"rp": "performance", "difference_from_mean": "difference", "pe": "expected"}


def render_sheet(sheet: TournamentSheet, out: Console) -> None:
    """Writes the players of a tournament by starting number, with their rounds."""
    from cli.tables import Column

    about = sheet.tournament
    out.print(f"{about.name} · {about.starts_on} – {about.ends_on}")
    if about.annulled:
        out.print(say("state.annulled"), style="bold red")
    for list_, period in about.rated_in.items():
        out.print(say("cli.rated_in", list=list_, period=period))
    if about.flags:
        out.print(say("cli.flags", flags=", ".join(about.flags)))
    rounds = [str(number) for number in range(1, sheet.rounds + 1)]
    table_ = table("number", "id", "name", *map(Column, rounds), "points")
    for row in sheet.players:
        results = (_round(row, number) for number in rounds)
        table_.add(row.number, row.id, _participant(row), *results, exact(row.points))
    out.print(table_)
    seqs = (seq for row in sheet.players for seq in row.corrected.values())
    print_notes(out, corrected_note(seqs, say))
    if won := [f"{row.number} +{row.awarded}" for row in sheet.players if row.awarded]:
        out.print(say("cli.awarded", players=", ".join(won)))
    for change in about.changes:
        out.print(" ".join(change.sentences(language())))


def _round(row: TournamentPlayer, number: str) -> str:
    """Returns what a participant did in a round."""
    word = round_word(row.rounds.get(number, ""), say)
    return joined(result_words(word, row.corrected.get(number), say), str)


def _participant(row: TournamentPlayer) -> str:
    """Returns a participant's name, and from which round the player withdrew."""
    if row.withdrew_from is None:
        return row.name
    key = "standings.cancelled" if row.cancelled else "standings.withdrew"
    return say(key, name=row.name, round=row.withdrew_from)


def render_worksheet(found: Worksheet, out: Console) -> None:
    """Writes the sheet; what stands in parentheses is for comparison and enters nothing."""
    sheet = found.data()
    out.print(say("worksheet.title", **sheet), style="bold")
    table_ = table("place", "id", "name", *_WORKSHEET)
    for row in sheet["rows"]:
        cells = {name: row[_IN_DATA.get(name, name)] for name in _WORKSHEET}
        if row["rating"] is not None and cells["rp"]:
            cells["rp"] = f"({cells['rp']})"
        cells["change"] = signed(cells["change"])
        table_.add(row["place"], row["id"], row["name"], *cells.values())
    out.print(table_)
    if sheet["mean_adjusted_d"] is not None:
        out.print(say("worksheet.below", **sheet))


def render_event(found: TitleReport, out: Console, *, everything: bool) -> None:
    """Writes an event's report, a row for each participant and title, and what its stage gave.

    Without ``everything`` it is who made a result or was near; then it says how many others are.
    """
    shown = found.rows if everything else found.near
    table_ = table("number", "id", "name", "titles", "rating", *_RESULTS)
    for row in shown:
        table_.add(row.number, row.id, row.name, " ".join(row.titles), row.rating, *_cells(row))
    if shown:
        out.print(table_)
    if len(shown) < len(found.rows):
        key = "title.near" if shown else "title.none_near"
        out.print(say(key, shown=len(shown), rows=len(found.rows)))
    if found.stages:
        out.print(_stages(found.stages))


def render_player(found: PlayerTitles, out: Console) -> None:
    """Writes a player's events, a row for each title, and below what they come to."""
    table_ = table("tournament", "end", *_RESULTS)
    for result in found.results:
        table_.add(result.tournament, result.end, *_cells(result.row))
    if found.results:
        out.print(table_)
    if found.stages:
        out.print(_stages(found.stages))
    for progress in found.progress:
        out.print(_progress(progress))


def _cells(row: TitleRow) -> Iterator[object]:
    """Yields the cells of ``_RESULTS``."""
    yield from (row.mean_counted, row.category, row.title.value, row.percent, row.games)
    yield from (_score(row.needed), points(row.halves))
    yield from (say("title.made") if row.is_made else "", row.told(language()))


def _score(halves: int | None) -> str | None:
    return None if halves is None else points(halves)


def _stages(rows: Sequence[StageRow]) -> Table:
    """Returns what stages of the world championships gave, a row for each article."""
    columns = (
        "tournament",
        "number",
        "name",
        "article",
        "aim",
        "needed",
        "points",
        "made",
        "fails",
    )
    table_ = table(*columns, title=say("title.stages"))
    for row in rows:
        mark = say("title.made") if row.is_made else ""
        table_.add(row.tournament, row.number, row.name, row.article, row.title.value,
                 _score(row.needed), points(row.halves), mark,
                 "; ".join(told(each) for each in row.why))  # fmt: skip
    return table_


def render_preview(found: EventPreview, out: Console) -> None:
    """Writes an event as it stands: gains, norms, and what rules a norm out for everybody."""
    title = say(
        "preview.title", name=found.name, round=found.round, rounds=found.rounds,
        list=found.list, period=found.period, seq=found.seq,
    )  # fmt: skip
    newcomers = any(row.gain.performance is not None for row in found.rows)
    columns = ["number", "name", "rating", "points", "rated_games", "gain"]
    columns += ["ru"] if newcomers else []
    table_ = table(*columns, "norm_gm", "norm_im", title=title)
    for row in found.rows:
        gain = row.gain
        cells = [row.number, row.name or row.id, row.rating, points(row.halves), gain.games]
        cells += [signed(exact(gain.points)) if gain.games or gain.points else ""]
        if newcomers:
            cells += ["" if gain.performance is None else half_up(gain.performance)]
        norms = {norm.title: _norm(norm) for norm in row.norms}
        table_.add(*cells, *(norms.get(aim, "") for aim in Title))
    out.print(table_)
    for aim in Title:
        if fails := found.ruled_out(aim):
            why = "; ".join(fail.message.within(language()) for fail in fails)
            out.print(say("preview.ruled_out", title=aim.value, why=why))
    out.print(say("preview.note"))


def _norm(norm: NormChance) -> str:
    """Returns the points that are needed of the games left, or that nothing can come of it."""
    if norm.to_make is None:
        return "-"
    if not norm.left:
        return say("title.made")
    return say("preview.to_make", points=points(norm.to_make), left=norm.left)


def _progress(progress: TitleProgress) -> str:
    values = {
        "title": progress.title.value,
        "results": progress.results,
        "games": progress.games,
        "years": YEARS,
        "events": ", ".join(progress.tournaments),
    }
    if progress.held_from:
        return say("title.held", title=progress.title.value, since=progress.held_from)
    if stage := progress.stage:
        return say(
            "title.by_stage", title=progress.title.value, event=stage.tournament,
            article=stage.article, on=stage.on,
        )  # fmt: skip
    if progress.fulfilled:
        return say("title.fulfilled", on=progress.fulfilled_on, **values)
    games = RULES[progress.title].games_of_two
    key = "title.not_fulfilled" if progress.results else "title.no_result"
    return say(key, needed=RESULTS, fewer=FEWER_RESULTS, with_games=games, **values)


def render_calendar(calendar: TournamentCalendar, out: Console) -> None:
    """Writes the tournaments of a calendar, and how far each has come."""
    from cli.tables import Kind

    table_ = table(
        "start", "end", "tournament", "name", "place", "rate_of_play", "rounds", "players", "state",
        place=Kind.NAME,
    )  # fmt: skip
    for row in calendar.tournaments:
        table_.add(
            row.starts_on, row.ends_on, row.tournament, row.name, row.place,
            say(f"rate.{row.rate_of_play.value}"), row.rounds, row.players or None,
            told(row.stage),
        )  # fmt: skip
    out.print(table_)


LOOKS: Final[Mapping[str, Look[Any]]] = {
    "player titles": Look(render_player),
    "tournament calendar": Look(render_calendar),
    "tournament live": Look(render_preview),
    "tournament show": Look(render_sheet),
    "tournament titles": Look(render_event),
    "tournament worksheet": Look(render_worksheet),
}
"""How answers look, by the words of their questions."""
