"""What takes back what was recorded: a whole commit, or that two ids are one person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ledger.operations.kinds import PLAYER, FieldKind, PlayerId, Today, number_from
from ledger.operations.operation import Command, CommandFace, Input, officers, operation
from ledger.wording import Wording

MOST_COMMITS = 10**9


@operation(
    "undo-commit",
    officers("lists"),
    Wording(
        "Take back all that a commit recorded, as if it had never been."
        "\n\nWith --dry-run, say whom it would move.",
        "Retira todo lo que registró un commit, como si nunca hubiera sido."
        "\n\nCon --dry-run, dice a quiénes movería.",
    ),
    CommandFace("undo", destroys=True),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class UndoCommit(Input):
    """Take back all that a commit recorded. Undone itself, it brings all of it back."""

    NEEDS_REASON = True

    commit: Annotated[
        int,
        FieldKind(
            Wording("The number of the commit; see: log.", "El número del commit; véase: log."),
            Wording("Number of the commit", "Número del commit"),
            metavar="COMMIT",
            type=int,
            least=1,
            read=number_from(1, MOST_COMMITS),
            signs=10,
        ),
    ]


@operation(
    "split-player",
    officers("players"),
    Wording(
        "Take back that an id was given up for another: what came under each goes back to it.",
        "Retira que un id se abandonó por otro: lo que vino con cada uno vuelve a él.",
    ),
    CommandFace("player split", destroys=True),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class SplitPlayer(Input):
    """Take a merge back. What was recorded since under the id that stayed stays there."""

    NEEDS_REASON = True

    player: Annotated[
        str,
        PLAYER.but(
            help=Wording("The id that was given up.", "El id que se abandonó."),
            label=Wording("Id that was given up", "Id que se abandonó"),
            names="",
        ),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class RestorePlayer(Command):
    """Bring a player back whose registration was taken back; nothing is said of the name."""

    NAMES = ("player",)

    player: PlayerId
    on: Today


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreTournament(Command):
    """Bring a tournament back that was taken back with the commit that opened it."""

    NAMES = ("tournament",)

    tournament: str
