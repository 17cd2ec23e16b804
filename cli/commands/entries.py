"""``tournament``: rules of an event, entries, numbers, absences, expulsions, teams and line-ups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from cli.command import command
from cli.event_rules import AnnouncementOptions
from cli.files import reading
from cli.operations import offer
from cli.options import Player, RatingsOf, Round, Tournament, WriteOptions
from cli.output import console, note
from cli.questions import ask
from cli.session import carry_out, opened, player_of, recording
from ledger.errors import InputRefused
from ledger.operations.operation import Command
from ledger.operations.participants import (
    AnnounceAbsence,
    DescribeEntry,
    EnterTeam,
    ExcuseAbsence,
    ExpelPlayer,
    HandInLineup,
    RegisterNewcomer,
    ReturnPlayer,
)
from ledger.operations.tournaments import (
    AnnounceRounds,
    AnnounceRules,
    ChangeRounds,
    ChangeRules,
    NumberParticipants,
)
from ledger.questions import tournaments as questions
from ledger.results import Bye

if TYPE_CHECKING:
    from ledger.service.entries import EntryRow
    from ledger.views.view import LedgerView


@command("tournament rules")
def rules(
    tournament: Tournament,
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", help="How many rounds it has: alone, all else stays.", min=1),
    ] = None,
    *,
    options: AnnouncementOptions,
    to: WriteOptions,
) -> None:
    """Announce the rules of an event; once a round is published a change needs a reason."""
    for_reason = bool(to.reason.strip())
    rules = ChangeRules if for_reason else AnnounceRules
    announced: list[Command] = [*options.announcement(tournament, rules, rounds)]
    if rounds is not None and not announced:
        kind = ChangeRounds if for_reason else AnnounceRounds
        announced.append(kind(tournament=tournament, rounds=rounds))
    if not announced:
        raise InputRefused("cli.no_rules")
    carry_out(to, *announced)


@dataclass(frozen=True, kw_only=True)
class EntryOptions:
    """What the pairing needs of an entry; the fields have the names of ``DescribeEntry``."""

    from_round: Annotated[
        int | None, typer.Option("--from-round", help="The first round of a late entry.", min=1)
    ] = None
    pairing_rating: Annotated[
        int | None, typer.Option("--pairing-rating", help="A rating for the pairing only.", min=0)
    ] = None


@command("tournament enter")
def enter(
    tournament: Tournament,
    players: Annotated[list[str] | None, typer.Argument(help="Ids or names.")] = None,
    file: Annotated[
        str | None,
        typer.Option("--file", metavar="FILE", help="The entry list, CSV or XLSX; - is stdin."),
    ] = None,
    *,
    about: EntryOptions,
    to: WriteOptions,
) -> None:
    """Enter players, in this order; with what the pairing needs of them."""
    from ledger.service.entries import EntryRow, entry_commands

    if not players and file is None:
        raise InputRefused("cli.nobody_to_enter")
    with opened(to.db) as ledger:
        rows = [EntryRow(player_of(ledger, player), None, None) for player in players or ()]
        if file is not None:
            rows += _of_file(ledger, file)
    for_all = [
        replace(
            row,
            from_round=row.from_round or about.from_round,
            pairing_rating=(
                about.pairing_rating if row.pairing_rating is None else row.pairing_rating
            ),
        )
        for row in rows
    ]
    carry_out(to, *entry_commands(tournament, for_all))


def _of_file(view: LedgerView, file: str) -> Sequence[EntryRow]:
    """Returns the entries of a file with the players' ids; refuses it with every problem."""
    from ledger.intake.desk_csv import read_entries
    from ledger.service.entries import entries_meant

    with reading(file) as source:
        entries = read_entries(source, file)
    meant = entries_meant(view, entries, file)
    for text, person in meant.taken:
        note("cli.player_taken", text=text, id=person.id, name=person.name)
    return meant.rows


offer("register-newcomer", RegisterNewcomer)
offer("describe-entry", DescribeEntry)


@command("tournament absent")
def absent(
    tournament: Tournament,
    player: Player,
    round_: Round,
    half: Annotated[
        bool, typer.Option("--half", help="The round is worth half a point (default: none).")
    ] = False,
    undo: Annotated[bool, typer.Option("--undo", help="The participant plays after all.")] = False,
    *,
    to: WriteOptions,
) -> None:
    """Record an absence that was announced before the round is paired."""
    announced = Bye.HALF if half else Bye.ZERO
    kind = None if undo else announced
    carry_out(to, AnnounceAbsence(tournament=tournament, player=player, round=round_, kind=kind))


offer("excuse-absence", ExcuseAbsence)
offer("expel-player", ExpelPlayer)
offer("return-player", ReturnPlayer)


@command("tournament numbers")
def numbers(
    tournament: Tournament,
    players: Annotated[
        list[str] | None, typer.Argument(help="All ids, from number 1 (default: by rating).")
    ] = None,
    lot: Annotated[
        str | None, typer.Option("--lot", help="Draw them by lot, from this seed.")
    ] = None,
    varma: Annotated[
        str | None,
        typer.Option(
            "--varma",
            metavar="SEED",
            help="Draw them by the Varma tables: players of one federation do not meet at the end.",
        ),
    ] = None,
    after_first_round: Annotated[
        bool,
        typer.Option(
            "--after-first-round",
            help="Rate by round 1 who is in no official list, then number all by rating.",
        ),
    ] = False,
    list_: RatingsOf = None,
    *,
    to: WriteOptions,
) -> None:
    """Give all participants starting numbers anew; with --dry-run they are only shown."""
    from ledger.service.starting_numbers import give_numbers

    command_ = NumberParticipants(
        tournament=tournament,
        order=players or (),
        lot=lot,
        varma=varma,
        after_first_round=after_first_round,
        list=list_,
    )
    with recording(to) as at:
        at.receipt, given = give_numbers(at.ledger, command_, at.request)
    if to.format.value != "json":
        from cli.render.desk import render_numbers

        render_numbers(given, console())


_MISSING = "."
Team: TypeAlias = Annotated[str, typer.Argument(metavar="TEAM", help="The team's id.")]


@command("tournament team")
def team(
    tournament: Tournament,
    team_: Team,
    players: Annotated[
        list[str], typer.Argument(help="Ids or names, from board 1; reserves last.")
    ],
    name: Annotated[
        str | None, typer.Option("--name", help="The team's name (default: its id).")
    ] = None,
    pairing_rating: Annotated[
        int | None,
        typer.Option(
            "--pairing-rating", help="Its strength for the pairing (default: the mean).", min=0
        ),
    ] = None,
    *,
    to: WriteOptions,
) -> None:
    """Enter a team with its players, in the order of the boards."""
    with opened(to.db) as ledger:
        ids = tuple(player_of(ledger, player) for player in players)
    command_ = EnterTeam(
        tournament=tournament,
        team=team_,
        name=name or team_,
        participants=ids,
        pairing_rating=pairing_rating,
    )
    carry_out(to, command_)


@command("tournament lineup")
def lineup(
    tournament: Tournament,
    team_: Team,
    round_: Round,
    players: Annotated[
        list[str],
        typer.Argument(help="Ids or names, from board 1; a dot where nobody plays."),
    ],
    *,
    to: WriteOptions,
) -> None:
    """Hand in who plays for a team in a round (without one: its regular players)."""
    from ledger.answers.rounds import team_players

    with opened(to.db) as ledger:
        among = team_players(ledger, tournament, team_)
        ids = tuple(
            None if player == _MISSING else player_of(ledger, player, among) for player in players
        )
    carry_out(to, HandInLineup(tournament=tournament, team=team_, round=round_, participants=ids))


ask(questions.team_results, "desk")
