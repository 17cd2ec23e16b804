"""``player find``, ``player list``, ``player duplicates``: the players by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from cli.commands import players
from cli.options import All, As, Db, Federations, Format, OfSex, Search, codes_of, sex_of
from cli.output import emit, excerpt, print_rest, say, table
from cli.session import opened

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.reports.directory import PlayerDirectory

_COLUMNS = ("id", "name", "federation", "sex", "birth_date")


def add_to(_application: typer.Typer) -> None:
    """Adds the commands to those of players."""
    players.app.command("find")(find)
    players.app.command("list")(list_)
    players.app.command("duplicates")(duplicates)


def find(
    text: Annotated[str, typer.Argument(help="Words of a name, or how they begin; or an id.")],
    everything: All = False,
    db: Db = None,
    as_: As = Format.TABLE,
) -> None:
    """Find players by name: accents, case, commas and order do not matter; the best fits first.

    One wrong, missing or exchanged letter in a longer word is forgiven.
    """
    from ledger.application.directory import directory_of
    from ledger.errors import NotFound

    with opened(db) as ledger:
        directory = directory_of(ledger)
    places = directory.find(text)
    if not places:
        raise NotFound("player.not_found", player=text)
    _emit_players(directory, places, as_, everything=everything)


def list_(
    federation: Federations = None,
    sex: OfSex = None,
    born: Annotated[
        Optional[str],  # noqa: UP045 - Typer evaluates it at run time
        typer.Option("--born", help="Only of this year, month or day: 1985, 1985-07 …"),
    ] = None,
    search: Search = None,
    everything: All = False,
    db: Db = None,
    as_: As = Format.TABLE,
) -> None:
    """List the players, by name."""
    from ledger.application.directory import directory_of

    codes, only = codes_of(federation), sex_of(sex)
    with opened(db) as ledger:
        directory = directory_of(ledger)
    places = directory.listed(federations=codes, sex=only, born=born, search=search)
    _emit_players(directory, places, as_, everything=everything)


def _emit_players(
    directory: PlayerDirectory, places: Sequence[int], as_: Format, *, everything: bool
) -> None:
    def data() -> list[dict[str, Any]]:
        return [directory[place].data() for place in places]

    def render(out: Console) -> None:
        made = table(*_COLUMNS)
        shown = excerpt(places, everything=everything)
        for place in shown:
            made.add_row(*_cells(directory[place].data()))
        out.print(made)
        if not places:
            out.print(say("cli.nobody_fits"), markup=False)
        print_rest(out, len(shown), len(places))

    emit(as_, lambda: {"players": data()}, data, render)


def duplicates(everything: All = False, db: Db = None, as_: As = Format.TABLE) -> None:
    """Suggest who is registered twice: the same birth date and a similar name."""
    from ledger.application.directory import directory_of

    with opened(db) as ledger:
        directory = directory_of(ledger)
    pairs = directory.duplicates()

    def rows() -> list[dict[str, Any]]:
        return [
            {"player": directory[one].data(), "other": directory[other].data()}
            for one, other in pairs
        ]

    def render(out: Console) -> None:
        if not pairs:
            out.print(say("cli.no_duplicates"), markup=False)
            return
        made = table(*_COLUMNS)
        shown = excerpt(pairs, everything=everything)
        for pair in shown:
            for place in pair:
                made.add_row(*_cells(directory[place].data()))
            made.add_section()
        out.print(made)
        print_rest(out, len(shown), len(pairs))
        out.print(say("cli.merge_duplicates"), markup=False)

    def flat() -> list[dict[str, Any]]:
        return [
            row["player"] | {f"other_{field}": value for field, value in row["other"].items()}
            for row in rows()
        ]

    emit(as_, lambda: {"duplicates": rows()}, flat, render)


def _cells(player: dict[str, Any]) -> list[str]:
    return [player[column] or "" for column in _COLUMNS]
