"""``explain``, ``why``, ``history``, ``log``: questions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from cli.commands.lists import Edition, edition_of
from cli.commands.record import Player
from cli.names import list_of, player_of
from cli.options import All, As, Db, Format, ListName
from cli.output import SHOWN, emit, excerpt, print_rest, say, signed, table
from cli.session import opened
from ledger.rating.decimal_text import exact

_LAST = 2**63 - 1  # what a database can be asked for
if TYPE_CHECKING:
    from rich.console import Console


def add_to(app: typer.Typer) -> None:
    """Adds the commands to the application."""
    app.command("explain")(explain)
    app.command("why")(why)
    app.command("history")(history)
    app.command("log")(log)


def explain(
    player: Player,
    list_: ListName = None,
    period: Annotated[
        Optional[str],  # noqa: UP045 - Typer evaluates it at run time
        typer.Option("--period", help="2011-01, 2011 … (default: the last one published)."),
    ] = None,
    edition: Edition = None,
    as_known_at: Annotated[
        Optional[int],  # noqa: UP045 - Typer evaluates it at run time
        typer.Option("--as-known-at", help="With what was known at this seq.", min=0),
    ] = None,
    exactly: Annotated[
        bool,
        typer.Option("--exact", help="Every quantity as it is: fractions, no rounded decimals."),
    ] = False,
    db: Db = None,
    as_: As = Format.TABLE,
) -> None:
    """Explain a player's period: every posting, what was excluded and why, the rounding."""
    from cli.statement import render_statement
    from ledger.application.lists import newest_period
    from ledger.application.player_questions import explain as ask

    with opened(db) as ledger:
        name, player = list_of(ledger, list_), player_of(ledger, player)
        period = period or newest_period(ledger, name)
        made = ask(ledger, player, name, period, edition=edition, as_known_at=as_known_at)
    data = made.data()
    emit(as_, data, data["postings"], lambda out: render_statement(made, out, exactly=exactly))


def why(
    player: Player,
    list_: ListName = None,
    from_: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--from", help="PERIOD or PERIOD@EDITION (default: the one before)."),
    ] = None,
    to: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--to", help="PERIOD or PERIOD@EDITION (default: the last one published)."),
    ] = None,
    db: Db = None,
    as_: As = Format.TABLE,
) -> None:
    """Split the difference between two lists by cause; the causes sum to the difference."""
    from ledger.application.lists import newest_period, period_before
    from ledger.application.player_questions import why_of

    with opened(db) as ledger:
        name, player = list_of(ledger, list_), player_of(ledger, player)
        to = to or newest_period(ledger, name)
        from_ = from_ or period_before(ledger, name, edition_of(to)[0])
        made = why_of(ledger, player, name, edition_of(from_), edition_of(to))
    data = {"player": player, "list": name, "from": from_, "to": to, **made.data()}

    def render(out: Console) -> None:
        title = say(
            "cli.why_title", player=player, before=made.before or "-", after=made.after or "-"
        )
        rows = table("cause", "period", "tournament", "points", right=("points",), title=title)
        for part in made.parts:
            rows.add_row(
                say(f"cause.{part.cause.value}"),
                part.period,
                part.tournament or "",
                signed(exact(part.points)),
            )
        rows.add_section()
        rows.add_row(say("cli.total"), "", "", signed(made.after - made.before), style="bold")
        out.print(rows)

    emit(as_, data, data["parts"], render)


def history(
    player: Player,
    list_: ListName = None,
    everything: All = False,
    db: Db = None,
    as_: As = Format.TABLE,
) -> None:
    """Show a player's ratings by period, published beside restated."""
    from ledger.application.player_questions import history_of

    with opened(db) as ledger:
        name, player = list_of(ledger, list_), player_of(ledger, player)
        lines = history_of(ledger, player, name)
    rows = [line.data() for line in lines]

    def render(out: Console) -> None:
        figures = ("restated", "change", "games")
        made = table("period", "published", *figures, right=figures)
        shown = excerpt(lines, everything=everything, last=True)
        for line in shown:
            editions = ", ".join(f"{_shown(r)} (@{e})" for e, r in line.published)
            made.add_row(
                line.period, editions, _shown(line.restated), signed(line.change), str(line.games)
            )
        out.print(made)
        print_rest(out, len(shown), len(lines), last=True)

    emit(as_, {"player": player, "list": name, "periods": rows}, rows, render)


def _shown(rating: int | None) -> str:
    if rating is None:
        return "-"
    return str(rating) if rating else say("cli.provisional")


def log(
    player: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--player", help="Only events about this player."),
    ] = None,
    tournament: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--tournament", help="Only events of this tournament."),
    ] = None,
    since: Annotated[
        int, typer.Option("--since", help="Only from this seq on.", min=1, max=_LAST)
    ] = 1,
    everything: All = False,
    db: Db = None,
    as_: As = Format.TABLE,
) -> None:
    """Show the events: who recorded them, when, why, from which document."""
    from ledger.application.player_questions import log_of

    # Of a long log a table needs the end only, and is not kept waiting for the rest.
    last = SHOWN if as_ is Format.TABLE and not everything else None
    with opened(db) as ledger:
        player = player and player_of(ledger, player)
        rows: list[dict[str, Any]] = log_of(
            ledger, player=player, tournament=tournament, since=since, last=last
        )
    of_all = player is None and tournament is None
    count = rows[-1]["seq"] - since + 1 if of_all and rows else len(rows)

    def render(out: Console) -> None:
        made = table(
            "seq", "type", "effective_on", "what", "recorded_at", "actor", "reason", "source",
            right=("seq",),
        )  # fmt: skip
        shown = excerpt(rows, everything=everything, last=True)
        for row in shown:
            made.add_row(
                str(row["seq"]),
                row["type"],
                row["effective_on"],
                " ".join(
                    f"{k}={v}" if not isinstance(v, dict) else f"{k}={json.dumps(v)}"
                    for k, v in row["payload"].items()
                    if k not in ("identity", "digest") and "sha256" not in k
                ),
                row["recorded_at"],
                row["actor"],
                row["reason"],
                row["source"] or "",
            )
        out.print(made)
        print_rest(out, len(shown), count, last=True)

    emit(as_, {"events": rows}, rows, render)
