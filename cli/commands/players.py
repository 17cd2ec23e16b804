"""``player`` and ``k``: the register of players, and their coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.command import command
from cli.files import reading, writing
from cli.operations import offer
from cli.options import (
    CategoryOptions,
    Federations,
    ListingOptions,
    Player,
    QuestionOptions,
    ReasonedWriteOptions,
    Search,
    WriteOptions,
)
from cli.output import emit, excerpt, named, print_rest, print_rows, say, table, write
from cli.questions import ask
from cli.session import player_of, recording, viewed
from cli.settings import language
from cli.values import codes_of, sex_of, today
from ledger.errors import InputRefused, NotFound
from ledger.forms.page import rating_text
from ledger.operations.kinds import IDENTITY
from ledger.operations.players import (
    AdjustRating,
    AffiliatePlayer,
    AssignK,
    AwardTitle,
    ConfirmPlayer,
    CorrectIdentity,
    DescribePlayer,
    LinkPlayer,
    MergePlayers,
    RegisterPlayer,
    SeedRating,
    TellApart,
)
from ledger.operations.retractions import SplitPlayer
from ledger.questions import players as questions
from ledger.typed_values import birth_date_of

if TYPE_CHECKING:
    from rich.console import Console

    from ledger.events.personal import Identity
    from ledger.reports.directory import LikePair, PlayerDirectory
    from ledger.views.view import LedgerView

_MOST_TYPED = 999_999  # a rating that is too high is refused with what is allowed
_COLUMNS = ("id", "name", "federation", "sex", "birth_date")

Federation = Annotated[str | None, typer.Option("--federation", help="Three letters, CHI.")]
Sex = Annotated[str | None, typer.Option("--sex", help="m or w.")]
Born = Annotated[str | None, typer.Option("--born", help="Birth date YYYY-MM-DD, or the year.")]


def _identity(name: str, sex: str | None, born: str | None) -> Identity:
    birth_date = None if born is None else birth_date_of(born)
    return IDENTITY.built(name=name, sex=sex_of(sex), birth_date=birth_date)  # type: ignore[no-any-return]  # a kind makes anything


def _new_salt() -> str:
    from secrets import token_hex

    return token_hex(16)


offer("register-player", RegisterPlayer)


@command("player correct")
def correct(
    player: Player,
    name: Annotated[str | None, typer.Option("--name", help="Lastname, Firstname")] = None,
    federation: Federation = None,
    sex: Sex = None,
    born: Born = None,
    *,
    to: WriteOptions,
) -> None:
    """Correct who a player is; what is not said stays as it is."""
    from ledger.answers.directory import player_known
    from ledger.service.operations import carry_out

    with recording(to) as at:
        known = player_known(at.ledger, player_of(at.ledger, player))
        values = {"name": name, "sex": sex, "birth_date": born, "federation": federation}
        if all(value in (None, getattr(known, field)) for field, value in values.items()):
            raise InputRefused("player.nothing_changes", player=known.id)
        command_ = CorrectIdentity(
            player=known.id,
            identity=_identity(name or known.name or "", sex, born),
            salt=_new_salt(),
            federation=federation,
            on=today(),
        )
        at.receipt = carry_out(at.ledger, command_, at.request)


offer("confirm-player", ConfirmPlayer)
offer("link-player", LinkPlayer)
offer("merge-players", MergePlayers)
offer("split-player", SplitPlayer)
offer("tell-apart", TellApart)
offer("award-title", AwardTitle)
offer("describe-player", DescribePlayer)
offer("affiliate-player", AffiliatePlayer)
offer("seed-rating", SeedRating)
offer("adjust-rating", AdjustRating)
offer("assign-k", AssignK)


@command("player show")
def show(player: Player, *, options: QuestionOptions) -> None:
    """Show what is known of a player."""
    from cli.tables import Kind
    from ledger.answers.directory import player_known

    with viewed(options) as view:
        id_ = player_of(view, player)
        known = player_known(view, id_)
    data = known.data()

    def render(out: Console) -> None:
        table_ = table("what", "value", value=Kind.TEXT)
        for name, value in data.items():
            if name not in {"affiliations", "described", "ids", "k", "ratings"}:
                several = isinstance(value, list)
                shown = named(value) if name == "name" else value
                table_.add(say(f"column.{name}"), ", ".join(value) if several else shown)
        for other in known.ids:
            table_.add(other.label.within(language()), other.id)
        if described := data["described"]:
            words = {name: value or "-" for name, value in described.items()}
            table_.add(say("cli.described_heading"), say("cli.described", **words))
        for assigned in [_assigned(k) for k in data["k"]] or [""]:
            table_.add(say("column.k"), assigned)
        for each in known.ratings:
            rating = rating_text(each.rating, say, lost=each.lost)
            state = each.source.label.within(language())
            table_.add(f"{each.list} {each.period}", f"{rating} ({state})")
        out.print(table_)

    emit(options.format, data, [data], render)


ask(questions.titles_of_player, "tournaments")
ask(questions.career, "careers")
ask(questions.against, "careers")
ask(questions.clubs)


@command("player find")
def find(
    text: Annotated[str, typer.Argument(help="Words of a name, or how they begin; or an id.")],
    *,
    options: ListingOptions,
) -> None:
    """Find players by name: accents, case, commas and order do not matter; the best fits first.

    One wrong, missing or exchanged letter in a longer word is forgiven.
    """
    from ledger.answers.directory import directory_of

    with viewed(options) as view:
        directory = directory_of(view)
        places = directory.find(text)
        if not places:
            raise NotFound("player.not_found", player=text)
        _emit_players(view, directory, places, options)


@command("player list")
def list_players(
    federation: Federations = None,
    born: Annotated[
        str | None, typer.Option("--born", help="Only of this year, month or day: 1985, 1985-07 …")
    ] = None,
    search: Search = None,
    *,
    of: CategoryOptions,
    options: ListingOptions,
) -> None:
    """List the players, by name; clubs, regions, licences and ages are those of today."""
    from ledger.answers.directory import directory_of, members_today

    with viewed(options) as view:
        category, directory = of.category(view), directory_of(view)
        places = directory.listed(
            federations=codes_of(federation),
            sex=category.sex,
            born=born,
            search=search,
            among=members_today(view, category) if category.is_of_facts else None,
        )
        _emit_players(view, directory, places, options)


@command("player unconfirmed")
def unconfirmed(*, options: ListingOptions) -> None:
    """List newcomers whom arbiters registered, and no officer has confirmed."""
    from ledger.service.newcomers import unconfirmed_players

    with viewed(options) as view:
        answer = unconfirmed_players(view)

    def rows() -> list[dict[str, Any]]:
        return [
            each.player.data() | {"by": each.by, "commit": each.commit} for each in answer.players
        ]

    def render(out: Console) -> None:
        if not answer.players:
            out.print(say("player.nobody_unconfirmed"))
            return
        table_ = table(*_COLUMNS, "actor", "commit")
        for each in answer.players:
            data = each.player.data()
            cells = [data["id"], data["name"] or "", *(data[column] for column in _COLUMNS[2:])]
            table_.add(*cells, each.by, each.commit)
        out.print(table_)

    emit(options.format, answer.data, rows, render)


@command("player duplicates")
def duplicates(
    undecided: Annotated[
        Path | None,
        typer.Option(
            "--undecided",
            help="Write the pairs to fill in, CSV or XLSX, for player merge-decided.",
        ),
    ] = None,
    *,
    options: ListingOptions,
) -> None:
    """Suggest who is registered twice: a similar name, and the same birth date.

    Also the same name where a birth date is missing or another one, and nothing else tells them
    apart; who are two people is said by player apart.
    """
    from ledger.answers.directory import directory_of, registered_twice

    with viewed(options) as view:
        directory = directory_of(view)
        pairs = registered_twice(view, directory)
    if undecided is not None:
        _write_pairs(undecided, directory, pairs)
        return

    def rows() -> list[dict[str, Any]]:
        return [
            {
                "player": directory[pair.one].data(),
                "other": directory[pair.other].data(),
                "reason": pair.reason,
            }
            for pair in pairs
        ]

    def render(out: Console) -> None:
        if not pairs:
            out.print(say("cli.no_duplicates"))
            return
        table_ = table(*_COLUMNS, "reason")
        shown = excerpt(pairs, everything=options.everything)
        for pair in shown:
            table_.add(*_cells(directory, pair.one), say(pair.reason_key))
            table_.add(*_cells(directory, pair.other), "")
            table_.section()
        out.print(table_)
        print_rest(out, len(shown), len(pairs))
        out.print(say("cli.merge_duplicates"))

    def flat() -> list[dict[str, Any]]:
        return [
            row["player"]
            | {f"other_{field}": value for field, value in row["other"].items()}
            | {"reason": row["reason"]}
            for row in rows()
        ]

    emit(options.format, lambda: {"duplicates": rows()}, flat, render)


def _write_pairs(file: Path, directory: PlayerDirectory, pairs: Sequence[LikePair]) -> None:
    """Writes pairs that may be one person as a decision sheet."""
    from ledger.intake.decision_sheets import PAIRS, write_sheet

    def about(place: int) -> tuple[object, ...]:
        person = directory[place]
        return person.id, person.name, person.birth_date, person.federation

    cells = [("", "", *about(pair.one), *about(pair.other)) for pair in pairs]
    with writing(file) as out:
        write_sheet(out, file.name, PAIRS, cells, language())
    write(say("cli.undecided_pairs", count=len(cells), file=file))


@command("player merge-decided", destroys=True)
def merge_decided(
    file: Annotated[str, typer.Argument(help="A sheet of player duplicates --undecided.")],
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Though some look like two people, they are one.")
    ] = False,
    *,
    to: ReasonedWriteOptions,
) -> None:
    """Merge the pairs that a filled-in sheet names, all or none; a decision is the id that stays.

    Yes means the first of the two; two means that they are two people.
    """
    from ledger.intake.decision_sheets import pairs_decided
    from ledger.service.identities import kept_apart
    from ledger.service.merges import merge_all

    with recording(to) as at:
        with reading(file) as data:
            pairs = pairs_decided(data, file)
        if not pairs:
            raise InputRefused("decision.none", file=file)
        apart = kept_apart(
            at.ledger, [(each.player, each.into) for each in pairs if not each.is_one]
        )
        merges = [
            MergePlayers(
                player=each.player, into=each.into, seeds_of=each.seeds_of, anyway=anyway,
                on=at.ledger.today,
            )
            for each in pairs
            if each.is_one
        ]  # fmt: skip
        at.receipt = merge_all(at.ledger, merges, at.request, besides=apart)


def _emit_players(
    view: LedgerView, directory: PlayerDirectory, places: Sequence[int], options: ListingOptions
) -> None:
    from ledger.answers.directory import found_players

    def data() -> dict[str, Any]:
        return found_players(view, [directory[place] for place in places]).data()

    def render(out: Console) -> None:
        print_rows(
            out,
            table(*_COLUMNS),
            places,
            lambda place: _cells(directory, place),
            everything=options.everything,
        )
        if not places:
            out.print(say("player.nobody_fits"))

    emit(options.format, data, lambda: data()["players"], render)


def _cells(directory: PlayerDirectory, place: int) -> list[str | None]:
    data = directory[place].data()
    return [data["id"], data["name"] or "", *(data[column] for column in _COLUMNS[2:])]


def _assigned(k: dict[str, Any]) -> str:
    """Returns a K that was assigned, with its list, if it is of one only, and its first day."""
    key = "player.k_from" if k["list"] is None else "player.k_in_list_from"
    return say(key, k=k["k"], list=k["list"], since=k["from"])
