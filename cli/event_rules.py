"""The options by which the rules of an event are announced."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any, Final, Literal

import typer

from ledger.errors import InputRefused
from ledger.operations.tournaments import AnnounceRules
from ledger.terms import PairingMethod

_A_PAIR: Final = 2


@dataclass(frozen=True, kw_only=True)
class RulesOptions:
    """The rules of an event but for its pairing system."""

    tie_breaks: Annotated[
        str,
        typer.Option(
            "--tie-breaks",
            help="Tie-breaks in their order: median,solkoff or BH/C1,SB"
            " (default with dutch: BH/C1,BH,SB,PS,DE,WIN,BWG).",
        ),
    ] = ""
    first_colour: Annotated[
        Literal["white", "black", "lot"],
        typer.Option("--first-colour", help="The colour of number 1 in round 1; lot draws it."),
    ] = "white"
    lot: Annotated[
        str | None,
        typer.Option("--lot", help="A seed from which lots are drawn; announce it early."),
    ] = None
    bye_by_lot: Annotated[
        bool,
        typer.Option("--bye-by-lot", help="After round 1 draw the bye among the lowest score."),
    ] = False
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

    def fields(
        self, tournament: str, pairing: PairingMethod, *, are_changed: bool
    ) -> dict[str, Any]:
        """Returns what a command of the registrar says of them; see ``RulesSaid.fields``."""
        from ledger.intake.event_rules import RulesSaid

        pairs = tuple(_pair(text) for text in self.forbid or ())
        typed = {each.name: getattr(self, each.name) for each in fields(RulesSaid)}
        rules = RulesSaid(**typed | {"forbid": pairs})
        return rules.fields(tournament, pairing, are_changed=are_changed)


@dataclass(frozen=True, kw_only=True)
class AnnouncementOptions(RulesOptions):
    """The rules of an event, where something else may be said without them."""

    pairing: Annotated[
        PairingMethod | None,
        typer.Option("--pairing", help="How rounds are paired; other rules need it."),
    ] = None

    def announcement(
        self, tournament: str, kind: type[AnnounceRules] | None = None, rounds: int | None = None
    ) -> list[AnnounceRules]:
        """Returns the command that announces them; none where no rules are said.

        Raises:
            InputRefused: rules are said without a pairing system.
        """
        if self.pairing is not None:
            kind = kind or AnnounceRules
            fields = self.fields(tournament, self.pairing, are_changed=kind.NEEDS_REASON)
            return [kind(**fields, rounds=rounds)]
        if self != AnnouncementOptions():
            raise InputRefused("cli.rules_without_pairing")
        return []


def _pair(text: str) -> tuple[str, str]:
    ids = [id_.strip() for id_ in text.split(",")]
    if len(ids) != _A_PAIR or not all(ids):
        raise typer.BadParameter(text, param_hint="--forbid")
    return ids[0], ids[1]
