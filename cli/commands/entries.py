"""``tournament``: rules of an event, entries, numbers, absences, expulsions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import typer

from cli.command import command
from cli.options import Player, ReasonedWriteOptions, Tournament, WriteOptions
from cli.session import carry_out, opened, player_of
from cli.values import amounts_of, halves_of
from ledger.terms import PairingMethod

if TYPE_CHECKING:
    from ledger.registrar.commands import AnnounceRules, Command

_A_PAIR = 2
Pairing: TypeAlias = Annotated[
    PairingMethod, typer.Option("--pairing", help="The system by which rounds are paired.")
]


@dataclass(frozen=True, kw_only=True)
class RulesOptions:
    """The rules of an event but for its pairing system."""

    tie_breaks: Annotated[
        str,
        typer.Option("--tie-breaks", help="Tie-breaks in their order: median,solkoff or BH/C1,SB."),
    ] = ""
    first_colour: Annotated[
        Literal["white", "black"],
        typer.Option("--first-colour", help="The colour of number 1 in round 1."),
    ] = "white"
    lot: Annotated[
        str | None,
        typer.Option("--lot", help="A seed from which lots are drawn; announce it early."),
    ] = None
    bye_points: Annotated[
        str | None, typer.Option("--bye-points", help="What a bye is worth: 1, 0.5 or 0.")
    ] = None
    cycles: Annotated[
        int | None,
        typer.Option("--cycles", help="How often all meet (all-play-all).", min=1),
    ] = None
    exchange_last_rounds: Annotated[
        bool,
        typer.Option(
            "--exchange-last-rounds",
            help="Double all-play-all: the last two rounds of the first half change places.",
        ),
    ] = False
    forbid: Annotated[
        list[str] | None,
        typer.Option("--forbid", help="Two ids that must not meet, A,B; may be repeated."),
    ] = None
    acceleration: Annotated[
        Literal["baku"] | None, typer.Option("--acceleration", help="Points for the pairing.")
    ] = None
    prizes: Annotated[
        str | None, typer.Option("--prizes", help="Prizes by place: 1000,500,300, whole units.")
    ] = None
    team_boards: Annotated[
        int | None, typer.Option("--team-boards", help="Boards of a team's match.", min=1)
    ] = None
    team_reserves: Annotated[
        int | None, typer.Option("--team-reserves", help="Reserves of a team.", min=0)
    ] = None

    def fields(self, tournament: str, pairing: PairingMethod) -> dict[str, Any]:
        """Returns what a command of the registrar says of them."""
        codes = tuple(filter(None, (code.strip() for code in self.tie_breaks.split(","))))
        return {
            "tournament": tournament,
            "pairing": pairing,
            "tie_breaks": codes,
            "first_colour": self.first_colour,
            "lot_seed": self.lot,
            "bye_halves": None if self.bye_points is None else halves_of(self.bye_points),
            "cycles": self.cycles,
            "exchange_last_rounds": self.exchange_last_rounds or None,
            "forbidden": tuple(_pair(text) for text in self.forbid or ()) or None,
            "acceleration": self.acceleration,
            "prizes": None if self.prizes is None else tuple(amounts_of(self.prizes) or ()),
            "team_boards": self.team_boards,
            "team_reserves": self.team_reserves,
        }


def _pair(text: str) -> tuple[str, str]:
    ids = [id_.strip() for id_ in text.split(",")]
    if len(ids) != _A_PAIR or not all(ids):
        raise typer.BadParameter(text, param_hint="--forbid")
    return ids[0], ids[1]


@command("tournament rules")
def rules(
    tournament: Tournament, pairing: Pairing, *, said: RulesOptions, to: WriteOptions
) -> None:
    """Announce the rules of an event; once a round is published a change needs a reason."""
    from ledger.registrar.commands import AnnounceRules, ChangeRules

    kind: type[AnnounceRules] = ChangeRules if to.reason.strip() else AnnounceRules
    carry_out(to, kind(**said.fields(tournament, pairing)))


@command("tournament enter")
def enter(
    tournament: Tournament,
    players: Annotated[list[str], typer.Argument(help="Ids or names.")],
    from_round: Annotated[
        int | None, typer.Option("--from-round", help="The first round of a late entry.", min=1)
    ] = None,
    pairing_rating: Annotated[
        int | None,
        typer.Option("--pairing-rating", help="A rating for the pairing only.", min=0),
    ] = None,
    *,
    to: WriteOptions,
) -> None:
    """Enter players, in this order; with what the pairing needs of them."""
    from ledger.registrar.commands import DescribeEntry, EnterPlayer

    with opened(to.db) as ledger:
        ids = [player_of(ledger, player) for player in players]
    said: list[Command] = [EnterPlayer(tournament=tournament, player=player) for player in ids]
    if from_round is not None or pairing_rating is not None:
        said += [
            DescribeEntry(
                tournament=tournament,
                player=player,
                from_round=from_round,
                pairing_rating=pairing_rating,
            )
            for player in ids
        ]
    carry_out(to, *said)


@command("tournament describe-entry")
def describe_entry(
    tournament: Tournament,
    player: Player,
    from_round: Annotated[
        int | None, typer.Option("--from-round", help="The first round of a late entry.", min=1)
    ] = None,
    pairing_rating: Annotated[
        int | None,
        typer.Option("--pairing-rating", help="A rating for the pairing only.", min=0),
    ] = None,
    *,
    to: WriteOptions,
) -> None:
    """Say of an entry what the pairing needs; it replaces what was said before."""
    from ledger.registrar.commands import DescribeEntry

    said = DescribeEntry(
        tournament=tournament, player=player, from_round=from_round, pairing_rating=pairing_rating
    )
    carry_out(to, said)


FromRound: TypeAlias = Annotated[
    int, typer.Option("--from-round", help="From this round on.", min=1, show_default=False)
]


@command("tournament absent")
def absent(
    tournament: Tournament,
    player: Player,
    round_: Annotated[int, typer.Argument(metavar="ROUND", help="The round, from 1.", min=1)],
    half: Annotated[
        bool, typer.Option("--half", help="The round is worth half a point (default: none).")
    ] = False,
    *,
    to: WriteOptions,
) -> None:
    """Record an absence that was announced before the round is paired."""
    from ledger.registrar.commands import AnnounceAbsence
    from ledger.results import Bye

    kind = Bye.HALF if half else Bye.ZERO
    carry_out(to, AnnounceAbsence(tournament=tournament, player=player, round=round_, kind=kind))


@command("tournament excuse")
def excuse(
    tournament: Tournament, player: Player, from_round: FromRound, *, to: ReasonedWriteOptions
) -> None:
    """Let a participant go on who missed a round unannounced."""
    from ledger.registrar.commands import ExcuseAbsence

    carry_out(to, ExcuseAbsence(tournament=tournament, player=player, from_round=from_round))


@command("tournament expel")
def expel(
    tournament: Tournament, player: Player, from_round: FromRound, *, to: ReasonedWriteOptions
) -> None:
    """Expel a participant: nobody is paired with him from that round on."""
    from ledger.registrar.commands import ExpelPlayer

    carry_out(to, ExpelPlayer(tournament=tournament, player=player, from_round=from_round))


@command("tournament numbers")
def numbers(
    tournament: Tournament,
    players: Annotated[
        list[str] | None, typer.Argument(help="All ids, from number 1 (default: by rating).")
    ] = None,
    lot: Annotated[
        str | None, typer.Option("--lot", help="Draw them by lot, from this seed.")
    ] = None,
    list_: Annotated[
        str | None, typer.Option("--list", help="Ratings of this list, in force on the first day.")
    ] = None,
    *,
    to: WriteOptions,
) -> None:
    """Give all participants starting numbers anew."""
    from ledger.application.desk import numbering

    with opened(to.db) as ledger:
        said = numbering(ledger, tournament, order=players, seed=lot, list_=list_)
    carry_out(to, said)
