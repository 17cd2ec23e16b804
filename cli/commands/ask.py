"""``explain``, ``why``, ``history``, ``log``: questions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from cli.commands.lists import Edition, edition_of
from cli.commands.record import Player
from cli.options import As, Db, Format, ListName
from cli.output import emit, say, signed, table
from cli.session import opened
from ledger.rating.exact import exact

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
    list_: ListName,
    period: Annotated[str, typer.Option("--period", help="2011-01, 2011-Q1, 2011 …")],
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
    from ledger.application.questions import explain as ask

    with opened(db) as ledger:
        made = ask(ledger, player, list_, period, edition=edition, as_known_at=as_known_at)
    data = made.data()
    emit(as_, data, data["postings"], lambda out: render_statement(made, out, exactly=exactly))


def why(
    player: Player,
    list_: ListName,
    from_: Annotated[str, typer.Option("--from", help="PERIOD or PERIOD@EDITION")],
    to: Annotated[str, typer.Option("--to", help="PERIOD or PERIOD@EDITION")],
    db: Db = None,
    as_: As = Format.TABLE,
) -> None:
    """Split the difference between two lists by cause; the causes sum to the difference."""
    from ledger.application.questions import why_of

    with opened(db) as ledger:
        made = why_of(ledger, player, list_, edition_of(from_), edition_of(to))
    data = {"player": player, "list": list_, "from": from_, "to": to, **made.data()}

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


def history(player: Player, list_: ListName, db: Db = None, as_: As = Format.TABLE) -> None:
    """Show a player's ratings by period, published beside restated."""
    from ledger.application.questions import history_of

    with opened(db) as ledger:
        lines = history_of(ledger, player, list_)
    rows = [line.data() for line in lines]

    def render(out: Console) -> None:
        figures = ("restated", "change", "games")
        made = table("period", "published", *figures, right=figures)
        for line in lines:
            editions = ", ".join(f"{_shown(r)} (@{e})" for e, r in line.published)
            made.add_row(
                line.period, editions, _shown(line.restated), signed(line.change), str(line.games)
            )
        out.print(made)

    emit(as_, {"player": player, "list": list_, "periods": rows}, rows, render)


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
    db: Db = None,
    as_: As = Format.TABLE,
) -> None:
    """Show the events: who recorded them, when, why, from which document."""
    from ledger.application.questions import log_of

    with opened(db) as ledger:
        rows: list[dict[str, Any]] = log_of(
            ledger, player=player, tournament=tournament, since=since
        )

    def render(out: Console) -> None:
        made = table(
            "seq", "type", "effective_on", "what", "recorded_at", "actor", "reason", "source",
            right=("seq",),
        )  # fmt: skip
        for row in rows:
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

    emit(as_, {"events": rows}, rows, render)
