"""``explain``, ``why``, ``history``, ``log``, ``performance``, ``forecast``, ``live``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.command import command
from cli.options import (
    Edition,
    Format,
    ListingOptions,
    ListName,
    Player,
    QuestionOptions,
    Recalculated,
)
from cli.output import SHOWN, emit, emit_report, note, print_notes, print_rows, say, table
from cli.questions import ask
from cli.session import list_of, player_of, viewed
from cli.settings import language
from ledger.forms.page import change_text, corrected_mark, corrected_note, rating_text
from ledger.questions import lists, players
from ledger.rating.decimal_text import exact, signed

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.reports.histories import HistoryLine

_LAST = 2**63 - 1  # what a database can be asked for
_OF_DIGESTS = ("digest", "sha256", "root")  # in the names of fields
_SECONDS = len("2010-07-23T19:05:12")


@command("explain")
def explain(
    player: Player,
    list_: ListName = None,
    period: Annotated[
        str | None,
        typer.Option("--period", help="2011-01, 2011 … (default: the last one published)."),
    ] = None,
    edition: Edition = None,
    recalculated: Recalculated = False,
    exactly: Annotated[
        bool,
        typer.Option("--exact", help="Every quantity as it is: fractions, no rounded decimals."),
    ] = False,
    *,
    options: QuestionOptions,
) -> None:
    """Explain a player's period: every posting, what was excluded and why, the rounding.

    It is the statement of the newest edition; of a period without one, and with --recalculated or
    --as-known-at, what is or was known.
    """
    from cli.render.statement import render_statement
    from ledger.answers.corrections import correcting_seqs
    from ledger.answers.player_questions import explain as statement_of
    from ledger.reports.summaries import StatementReport
    from ledger.views.list_editions import (
        edition_shown,
        newest_period,
        source_of,
        state_as_known,
    )

    with viewed(options) as view:
        is_named = edition is not None
        name, player = list_of(view, list_), player_of(view, player)
        period = period or newest_period(view, name)
        as_known = recalculated or (options.as_known_at is not None and edition is None)
        edition = edition_shown(view, name, period, edition, recalculated=as_known)
        statement = statement_of(view, player, name, period, edition=edition)
        source = source_of(view, name, period, edition)
        corrected = correcting_seqs(view, statement.seqs)
        is_newest = edition is not None and not is_named
        is_other = is_newest and state_as_known(view, name, period) == "recalculated"
    show = partial(render_statement, statement, corrected=corrected, exactly=exactly, source=source)
    emit_report(options, StatementReport(statement, source), "postings", lambda _, out: show(out))
    if is_other:
        note("cli.recalculation_differs", list=name, period=period)


@command("why")
def why(
    player: Player,
    list_: ListName = None,
    from_: Annotated[
        str | None,
        typer.Option("--from", help="PERIOD or PERIOD@EDITION (default: the one before)."),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option("--to", help="PERIOD or PERIOD@EDITION (default: the last one published)."),
    ] = None,
    *,
    options: QuestionOptions,
) -> None:
    """Split the difference between two lists by cause; the causes sum to the difference."""
    from ledger.answers.corrections import correcting_seqs
    from ledger.answers.player_questions import why_between

    with viewed(options) as view:
        name, player = list_of(view, list_), player_of(view, player)
        causes = why_between(view, player, name, from_, to)
        split = causes.why
        corrected = correcting_seqs(view, {seq for part in split.parts for seq in part.seqs})
    data = causes.data(language())

    def render(out: Console) -> None:
        title = say(
            "why.title", player=player, before=split.before or "-", after=split.after or "-"
        )
        rows = table("cause", "period", "tournament", "points", title=title)
        for part in split.parts:
            cause = say(f"cause.{part.cause.value}")
            if corrected.intersection(part.seqs):
                cause = f"{cause} {corrected_mark(say)}"
            rows.add(cause, part.period, part.tournament, signed(exact(part.points)))
        rows.section()
        moved = split.after - split.before
        difference = change_text(split.after, moved, say)
        rows.add(say("why.difference"), "", "", difference, style="bold")
        out.print(rows)
        print_notes(out, corrected_note(corrected, say))

    emit(options.format, data, data["parts"], render)


@command("history")
def history(player: Player, list_: ListName = None, *, options: ListingOptions) -> None:
    """Show a player's ratings by period, published beside restated."""
    from cli.tables import Kind
    from ledger.answers.player_questions import history_of

    with viewed(options) as view:
        name, player = list_of(view, list_), player_of(view, player)
        lines = history_of(view, player, name)
    rows = [line.data() for line in lines]

    before = dict(zip((line.period for line in lines[1:]), lines, strict=False))

    def cells(line: HistoryLine) -> Iterator[object]:
        # Of who became unrated no change is told: it is all that the period before had.
        earlier = before.get(line.period)
        lost = -(earlier.restated or 0) if earlier and line.restated == 0 else None
        change = line.change if lost is None else lost
        yield line.period
        is_lost = line.lost or bool(earlier and earlier.restated)
        ratings = ((_shown(rating, lost=is_lost), edition) for edition, rating in line.published)
        yield ", ".join(f"{rating} (@{edition})" for rating, edition in ratings)
        yield _shown(line.restated, lost=is_lost)
        yield from (change_text(line.restated, change, say), line.games)

    def render(out: Console) -> None:
        columns = ("period", "published", "restated", "change", "games")
        table_ = table(*columns, published=Kind.TEXT)
        print_rows(out, table_, lines, cells, everything=options.everything, last=True)

    emit(options.format, {"player": player, "list": name, "periods": rows}, rows, render)


def _shown(rating: int | None, *, lost: bool) -> object:
    return "-" if rating is None else rating_text(rating, say, lost=lost)


@command("log")
def log(
    player: Annotated[
        str | None, typer.Option("--player", help="Only events about this player.")
    ] = None,
    tournament: Annotated[
        str | None, typer.Option("--tournament", help="Only events of this tournament.")
    ] = None,
    since: Annotated[
        int, typer.Option("--since", help="Only from this seq on.", min=1, max=_LAST)
    ] = 1,
    *,
    options: ListingOptions,
) -> None:
    """Show the events: who recorded them, when, why, from which document."""
    from cli.tables import Kind
    from ledger.answers.player_questions import log_of

    # Of a long log a table needs the end only, and is not kept waiting for the rest.
    last = SHOWN if options.format is Format.TABLE and not options.everything else None
    with viewed(options) as view:
        player = player and player_of(view, player)
        found = log_of(view, player=player, tournament=tournament, since=since, last=last)
    rows = [event.data() for event in found]
    of_all = player is None and tournament is None
    count = rows[-1]["seq"] - since + 1 if of_all and rows else len(rows)
    is_signed = any(row["signed_by"] for row in rows)
    columns = (
        *(
            "seq",
            "commit",
            "type",
            "effective_on",
            "what",
            "recorded_at",
            "actor",
            "reason",
            "source",
        ),
        *(("signed_by",) if is_signed else ()),
    )

    def cells(row: dict[str, Any]) -> Iterator[object]:
        values = row | {
            "what": _payload(row["payload"]),
            "recorded_at": f"{row['recorded_at'][:_SECONDS].replace('T', ' ')}Z",
            "signed_by": ", ".join(row["signed_by"]),
        }
        yield from (values[column] for column in columns)

    def render(out: Console) -> None:
        table_ = table(*columns, what=Kind.LONG, reason=Kind.LONG)
        print_rows(out, table_, rows, cells, everything=options.everything, last=True, count=count)

    emit(options.format, {"events": rows}, rows, render)


def _payload(payload: dict[str, Any]) -> str:
    """Returns what an event says, but for digests."""
    return " ".join(
        f"{name}={json.dumps(value) if isinstance(value, dict) else value}"
        for name, value in payload.items()
        if name != "identity" and not any(word in name for word in _OF_DIGESTS)
    )


ask(players.performance, "studies")
ask(players.forecast, "studies")
ask(lists.live_ratings, "studies")
