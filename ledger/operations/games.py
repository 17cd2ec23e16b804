"""What can be recorded of a game, or of a round without opponent."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal, Self

from ledger.identifiers import Seq
from ledger.operations.kinds import (
    ADJUDICATION,
    ANYWAY,
    BLACK,
    BYE,
    DAY,
    FLAG,
    FORFEIT,
    OF_CLOSED,
    PLAYER,
    RESULT,
    RESULT_OR_NONE,
    TEMPORARY,
    Black,
    Round,
    TournamentId,
    White,
)
from ledger.operations.operation import ARBITERS, Command, CommandFace, operation
from ledger.operations.participants import OfParticipant
from ledger.results import Bye, Result
from ledger.wording import Wording

if TYPE_CHECKING:
    from ledger.facts.ids import Stays


@dataclass(frozen=True, slots=True, kw_only=True)
class OfPairing(Command):
    """About a pairing, or a bye (``black`` None)."""

    tournament: TournamentId
    round: Round
    white: White
    black: Annotated[str | None, BLACK]

    def of_survivors(self, stays: Stays) -> Self:
        """Returns the command with the players' ids that stay."""
        black = None if self.black is None else stays(self.black)
        return replace(self, white=stays(self.white), black=black)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfGame(OfPairing):
    """About a game. The events that it comes to have the tournament's last day by default."""

    NAMES = ("tournament", "white", "black")

    black: Black


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame(OfGame):
    """A game that may not be recorded yet.

    ``anyway``: False, when an arbiter records by hand, refuses what breaks a rule of Swisses; True
    records it with the rules it breaks, and against a published round. None asks for no rule.
    """

    anyway: Annotated[bool | None, ANYWAY] = None


@operation(
    "record-result",
    ARBITERS,
    Wording("Record how a game ended.", "Registra cómo terminó una partida."),
    CommandFace(
        "record result",
        results=True,
    ),
)
@operation(
    "record-forfeit",
    ARBITERS,
    Wording(
        "Record that a game was not played: one side was absent, or both.",
        "Registra que una partida no se jugó: faltó un lado, o ambos.",
    ),
    CommandFace(
        "record forfeit",
        kinds={"result": FORFEIT},
        results=True,
    ),
    played_on=None,
    as_correction=False,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class RecordGame(NewGame):
    """Record how a pairing ended: played, short, by forfeit or adjudicated for good."""

    result: Annotated[Result, RESULT]
    played_on: Annotated[dt.date | None, DAY] = None
    as_correction: Annotated[bool, OF_CLOSED] = False


@operation(
    "adjourn-game",
    ARBITERS,
    Wording("Record that a game was interrupted.", "Registra que una partida se suspendió."),
    CommandFace("record adjournment"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class AdjournGame(NewGame):
    """Record that a game was interrupted."""


@operation(
    "adjudicate-game",
    ARBITERS,
    Wording(
        "Record that a game was decided off the board.",
        "Registra que una partida se decidió fuera del tablero.",
    ),
    CommandFace(
        "record adjudication",
        kinds={"result": ADJUDICATION},
    ),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class AdjudicateGame(NewGame):
    """Decide a game off the board, for the pairing only or for good."""

    result: Annotated[Result, RESULT]
    ruling: Annotated[Literal["temporary", "definitive"], TEMPORARY]


@operation(
    "give-bye",
    ARBITERS,
    Wording("Record a round without opponent.", "Registra una ronda sin rival."),
    CommandFace("record bye", order=("tournament", "round", "player", "kind")),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class GiveBye(OfParticipant):
    """Record a round without opponent; ``anyway`` as for a game."""

    round: Round
    kind: Annotated[Bye, BYE]
    as_correction: Annotated[bool, OF_CLOSED] = False
    anyway: Annotated[bool | None, ANYWAY] = None


@operation(
    "correct-result",
    ARBITERS,
    Wording(
        "Correct a result; what was recorded before stays in the history.",
        "Corrige un resultado; lo que se había registrado queda en la historia.",
    ),
    CommandFace("correct result", reasoned=False, results=True),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectResult(OfGame):
    """Replace what was recorded of a pairing.

    With ``rating_only`` the standings keep the old result; then ``result`` None rates it nowhere.
    Without a reason it can be a slip that is typed anew (``RetypeResult``).
    """

    NEEDS_REASON = True

    result: Annotated[Result | None, RESULT_OR_NONE]
    rating_only: Annotated[
        bool,
        FLAG.but(
            help=Wording(
                "The standings keep the old result ('none': unrated).",
                "La tabla conserva el resultado anterior ('none': sin evaluar).",
            ),
            label=Wording(
                "for the rating only: the standings keep the old result",
                "solo para el rating: la clasificación conserva el resultado anterior",
            ),
            option="--rating-only",
        ),
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RetypeResult(OfGame):
    """Type a result anew that was mistyped; ``supersedes`` is the seq of what was typed."""

    result: Result
    supersedes: Seq

    def names_head(self, _head_seq: Seq) -> bool:
        """Whether it holds at this head only: it is no slip where others have relied on it."""
        return True


@operation(
    "correct-colours",
    ARBITERS,
    Wording(
        "Say that a board was played with the colours reversed; each keeps the points made there.",
        "Dice que un tablero se jugó con los colores invertidos; cada uno conserva sus puntos.",
    ),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectColours(OfGame):
    """Say that a recorded game was played with the colours reversed: each keeps the points.

    ``white`` and ``black`` are as they are recorded. The game is struck and recorded anew.
    """

    NEEDS_REASON = True


@operation(
    "annul-result",
    ARBITERS,
    Wording("Annul a pairing.", "Anula una partida."),
    CommandFace("annul result", kinds={"black": BLACK.but(needed=True)}, destroys=True),
)
@operation(
    "annul-bye",
    ARBITERS,
    Wording("Annul a bye.", "Anula un bye."),
    CommandFace("annul bye", kinds={"white": PLAYER.but(metavar="player")}, destroys=True),
    black=None,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class AnnulResult(OfPairing):
    """Strike a pairing, or a bye (``black`` None), as never to have been recorded."""

    NEEDS_REASON = True
    NAMES = ("tournament",)
