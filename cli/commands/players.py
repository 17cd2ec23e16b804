"""``player``: the register of players."""

from __future__ import annotations

import datetime as dt
import secrets
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer
from pydantic import ValidationError

from cli.commands.record import Player
from cli.names import list_of, player_of, with_players
from cli.options import (
    Actor,
    As,
    Day,
    Db,
    DryRun,
    Format,
    ListName,
    Reason,
    ReceiptFormat,
    Receipts,
    day,
    sex_of,
)
from cli.output import emit, say, table
from cli.session import carry_out, opened, print_receipt, request
from cli.settings import language
from ledger.errors import InputRefused, NotFound

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.events.personal import Identity

app = typer.Typer(no_args_is_help=True)
_MOST_TYPED = 999_999  # a rating that is too high is refused with what is allowed

Federation = Annotated[
    Optional[str],  # noqa: UP045 - Typer evaluates it at run time
    typer.Option("--federation", help="Three letters, CHI."),
]
Sex = Annotated[
    Optional[str],  # noqa: UP045 - the same
    typer.Option("--sex", help="m or w."),
]
Born = Annotated[
    Optional[str],  # noqa: UP045 - the same
    typer.Option("--born", help="Birth date YYYY-MM-DD, or the year."),
]


def _identity(name: str, sex: str | None, born: str | None) -> Identity:
    from ledger.events.model import bad_value
    from ledger.events.personal import Identity

    try:
        return Identity.model_validate({"name": name, "sex": sex_of(sex), "birth_date": born})
    except ValidationError as error:
        raise bad_value(error) from error


@app.command("add")
def add(
    player: Annotated[str, typer.Argument(help="The player's new id.")],
    name: Annotated[str, typer.Argument(help="Lastname, Firstname")],
    federation: Federation = None,
    sex: Sex = None,
    born: Born = None,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Register a player."""
    from ledger.registrar.commands import RegisterPlayer

    command = RegisterPlayer(
        player=player,
        identity=_identity(name, sex, born),
        salt=secrets.token_hex(16),
        federation=federation.upper() if federation else None,
        on=_today(),
    )
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


@app.command("correct")
def correct(
    player: Player,
    name: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--name", help="Lastname, Firstname"),
    ] = None,
    federation: Federation = None,
    sex: Sex = None,
    born: Born = None,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Correct who a player is; what is not said stays as it is."""
    from ledger.registrar.commands import CorrectIdentity

    known = _known(db, player)
    player = known["id"]
    said = {"name": name, "sex": sex, "birth_date": born, "federation": federation}
    if all(value in (None, known[field]) for field, value in said.items()):
        raise InputRefused("player.nothing_changes", player=player)
    command = CorrectIdentity(
        player=player,
        identity=_identity(name or known["name"], sex or known["sex"], born or known["birth_date"]),
        salt=secrets.token_hex(16),
        federation=federation or known["federation"],
        on=_today(),
    )
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


@app.command("merge")
def merge(
    player: Annotated[str, typer.Argument(help="The id that is given up, or the name.")],
    into: Annotated[str, typer.Argument(help="The id that stays, or the name.")],
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Say that two ids are one person."""
    from ledger.registrar.commands import MergePlayers

    command = MergePlayers(player=player, into=into, on=_today())
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


@app.command("title")
def title(
    player: Player,
    title: Annotated[str, typer.Argument(help="GM, IM, FM, CM, WGM …")],
    on: Day = None,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Record a title."""
    from ledger.registrar.commands import AwardTitle

    command = AwardTitle(player=player, title=title, on=day(on) if on else _today())
    carry_out(db, [command], actor=actor, reason=reason, dry_run=dry_run, as_=as_)


@app.command("seed")
def seed(
    player: Player,
    rating: Annotated[str, typer.Argument(help="The rating brought in.")],
    on: Annotated[str, typer.Option("--on", help="In force on this day, YYYY-MM-DD.")],
    list_: ListName = None,
    games: Annotated[
        Optional[int],  # noqa: UP045 - Typer evaluates it at run time
        typer.Option(
            "--games", help="Rated games before it (default: established).", min=0, max=100_000
        ),
    ] = None,
    published_k: Annotated[
        Optional[int],  # noqa: UP045 - the same
        typer.Option("--published-k", help="The K published with it.", min=0, max=200),
    ] = None,
    source: Annotated[
        Optional[str],  # noqa: UP045 - the same
        typer.Option("--source", help="Where it comes from."),
    ] = None,
    as_correction: Annotated[
        bool, typer.Option("--as-correction", help="Even where it changes a closed period.")
    ] = False,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Bring in a rating from outside."""
    import uuid

    from ledger.application.seeds import seed_rating
    from ledger.intake.csv_table import integer_in
    from ledger.registrar.commands import SeedRating

    points = integer_in(rating, least=0, most=_MOST_TYPED)
    if points is None:
        raise InputRefused("player.rating_no_number", value=rating)
    asked = request(actor, reason, dry_run=dry_run, key=f"typed:{uuid.uuid4()}")
    with opened(db) as ledger:
        command = SeedRating(
            player=player,
            list=list_of(ledger, list_),
            rating=points,
            games=games,
            k=published_k,
            source=source,
            on=day(on),
            as_correction=as_correction,
        )
        receipt = seed_rating(ledger, with_players(ledger, command), asked)
    print_receipt(receipt, as_)


@app.command("adjust")
def adjust(
    player: Player,
    points: Annotated[int, typer.Option("--points", help="The step, --points=-12.")],
    on: Annotated[str, typer.Option("--on", help="From the period that starts then or next.")],
    list_: ListName = None,
    as_correction: Annotated[
        bool, typer.Option("--as-correction", help="Even where it changes a closed period.")
    ] = False,
    db: Db = None,
    dry_run: DryRun = False,
    as_: Receipts = ReceiptFormat.TABLE,
    actor: Actor = None,
    reason: Reason = "",
) -> None:
    """Move a player's rating by a step that no game explains; the reason must be said."""
    import uuid

    from ledger.application.lists import adjust_rating
    from ledger.registrar.commands import AdjustRating

    asked = request(actor, reason, dry_run=dry_run, key=f"typed:{uuid.uuid4()}")
    with opened(db) as ledger:
        command = AdjustRating(
            player=player,
            list=list_of(ledger, list_),
            points=points,
            on=day(on),
            as_correction=as_correction,
        )
        receipt = adjust_rating(ledger, with_players(ledger, command), asked)
    print_receipt(receipt, as_)


@app.command("show")
def show(player: Player, db: Db = None, as_: As = Format.TABLE) -> None:
    """Show what is known of a player."""
    data = _known(db, player)

    def render(out: Console) -> None:
        made = table("what", "value")
        for name, value in data.items():
            if name not in {"k", "ratings"}:
                made.add_row(say(f"column.{name}"), "" if value is None else _text(value))
        for assigned in [_assigned(k) for k in data["k"]] or [""]:
            made.add_row(say("column.k"), assigned)
        for rating in data["ratings"]:
            made.add_row(
                f"{rating['list']} {rating['period']}",
                say("cli.provisional") if rating["provisional"] else str(rating["rating"]),
            )
        out.print(made)

    emit(as_, data, [data], render)


@app.command("titles")
def titles(player: Player, list_: ListName = None, db: Db = None, as_: As = Format.TABLE) -> None:
    """Show a player's results for the titles GM and IM, and what they come to in three years."""
    from cli.titles import render_player
    from ledger.application.titles import player_titles

    with opened(db) as ledger:
        name, player = list_of(ledger, list_), player_of(ledger, player)
        found = player_titles(ledger, player, name)
    rows = [row.event_data(language()) for row in found.rows]
    progress = [progress.data() for progress in found.progress]
    data = {"player": player, "list": name, "titles": progress, "results": rows}
    emit(as_, data, rows, lambda out: render_player(found, out))


def _text(value: Any) -> str:
    return ", ".join(str(v) for v in value) if isinstance(value, list) else str(value)


def _assigned(k: dict[str, Any]) -> str:
    """Returns a K that was assigned, with its list, if it is of one only, and its first day."""
    key = "cli.k_from" if k["list"] is None else "cli.k_in_list_from"
    return say(key, k=k["k"], list=k["list"], since=k["from"])


def _known(db: str | None, player: str) -> dict[str, Any]:
    """Returns what is known of a player; raises ``NotFound``."""
    with opened(db) as ledger:
        from ledger.application.lists import standings_of
        from ledger.events.personal import identity_in

        player = player_of(ledger, player)
        register = ledger.register([f"player:{player}"], ledger.facts().seq)
        record = register.players.get(player)
        if record is None:
            raise NotFound("player.not_found", player=player)
        documents = ledger.journal.personal_documents([record.version.identity])
        text = documents.get(record.version.identity)
        identity = identity_in(text) if text else None
        return {
            "id": player,
            "name": identity.name if identity else None,
            "federation": record.version.federation,
            "sex": identity.sex if identity else None,
            "birth_date": identity.birth_date if identity else None,
            "titles": sorted(record.titles),
            "merged_into": register.survivors(player) if record.merged_into else None,
            "k": [
                {"list": k.list, "from": on.isoformat(), "k": k.k}
                for on, k in sorted(record.ks, key=lambda k: k[0])
            ],
            "ratings": standings_of(ledger, player),
        }


def _today() -> dt.date:
    return dt.datetime.now(dt.UTC).date()
