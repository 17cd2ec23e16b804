"""What can be recorded of a participant of a tournament: of a player, or of a team."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Self

from ledger.operations.kinds import (
    BYE,
    FEDERATION,
    FLAG,
    FROM_ROUND,
    IDENTITY,
    NAME,
    NUMBER,
    PAIRING_RATING,
    PLAYER,
    TEAM,
    PlayerId,
    Round,
    Salt,
    Today,
    TournamentId,
)
from ledger.operations.operation import ARBITERS, Command, CommandFace, Input, operation
from ledger.results import Bye
from ledger.wording import Wording

if TYPE_CHECKING:
    from ledger.events.personal import Identity
    from ledger.facts.ids import Stays
else:
    Identity = Any  # it takes time to load


@dataclass(frozen=True, slots=True, kw_only=True)
class OfParticipant(Command):
    """About one player of a tournament."""

    NAMES = ("tournament", "player")

    tournament: TournamentId
    player: PlayerId

    def of_survivors(self, stays: Stays) -> Self:
        """Returns the command with the player's id that stays."""
        return replace(self, player=stays(self.player))


@operation(
    "enter-player",
    ARBITERS,
    Wording("Record that a player takes part.", "Registra que un jugador participa."),
    CommandFace("record entry"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class EnterPlayer(OfParticipant):
    """Let a player take part; without a starting number, with the next one."""

    starting_number: Annotated[int | None, NUMBER] = None


@operation(
    "withdraw-player",
    ARBITERS,
    Wording("Record that a player left the tournament.", "Registra que un jugador dejó el torneo."),
    CommandFace("record withdrawal", destroys=True),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawPlayer(OfParticipant):
    """Record that a player leaves from a round on."""

    from_round: Annotated[
        int,
        FROM_ROUND.but(
            help=Wording("The first round he does not play.", "La primera ronda que no juega."),
            option="",
            metavar=None,
        ),
    ]


@operation(
    "describe-entry",
    ARBITERS,
    Wording(
        "Say of an entry what the pairing needs; what is not named stays as it was.",
        "Dice de una inscripción lo que el pareo necesita; lo que no se nombra queda como estaba.",
    ),
    CommandFace("tournament describe-entry"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class DescribeEntry(OfParticipant):
    """Say what the pairing needs of an entry: its rating for pairing, its first round.

    None leaves what was said before.
    """

    pairing_rating: Annotated[int | None, PAIRING_RATING] = None
    from_round: Annotated[
        int | None,
        FROM_ROUND.but(
            help=Wording(
                "The first round of a late entry.", "La primera ronda de una inscripción tardía."
            )
        ),
    ] = None


@operation(
    "announce-absence",
    ARBITERS,
    Wording(
        "Record an absence that was announced before the round is paired.",
        "Registra una ausencia avisada antes de parear la ronda.",
    ),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class AnnounceAbsence(OfParticipant):
    """Record that a participant will miss a round and said so in time; None takes it back."""

    round: Round
    kind: Annotated[
        Bye | None,
        BYE.but(
            label=Wording(
                "Half or zero; empty: plays after all", "Half o zero; vacío: juega de todos modos"
            ),
            needed=False,
        ),
    ] = Bye.ZERO


@operation(
    "excuse-absence",
    ARBITERS,
    Wording(
        "Let a participant go on who missed a round unannounced.",
        "Deja seguir a un participante que faltó sin aviso a una ronda.",
    ),
    CommandFace("tournament excuse"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class ExcuseAbsence(OfParticipant):
    """Let a participant go on, from a round on: one who missed a round unannounced, or two."""

    NEEDS_REASON = True

    from_round: Annotated[int, FROM_ROUND]


@operation(
    "expel-player",
    ARBITERS,
    Wording(
        "Expel a participant: nobody is paired with him from that round on.",
        "Expulsa a un participante: desde esa ronda no se parea con nadie.",
    ),
    CommandFace("tournament expel", destroys=True),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class ExpelPlayer(OfParticipant):
    """Expel a participant from a round on."""

    NEEDS_REASON = True

    from_round: Annotated[int, FROM_ROUND]


@operation(
    "return-player",
    ARBITERS,
    Wording(
        "Let a participant play again who withdrew or was expelled.",
        "Deja jugar de nuevo a un participante que se retiró o fue expulsado.",
    ),
    CommandFace("tournament return"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnPlayer(OfParticipant):
    """Let a participant play again who withdrew or was expelled, from a round on.

    Without a round it is the next one; where no round was paired without him, he never left.
    """

    NEEDS_REASON = True

    from_round: Annotated[
        int | None,
        FROM_ROUND.but(
            help=Wording(
                "From this round on (default: the next one).",
                "Desde esta ronda (por defecto: la siguiente).",
            )
        ),
    ] = None


@operation(
    "enter-team",
    ARBITERS,
    Wording(
        "Enter a team with its players, in the order of the boards.",
        "Inscribe un equipo con sus jugadores, en el orden de los tableros.",
    ),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class EnterTeam(Command):
    """Let a team take part, with its players in the order of the boards, reserves last.

    Those who are no players of the event yet are entered with it. Without a starting number it has
    the next one. ``pairing_rating`` is the director's estimate of its strength.
    """

    tournament: TournamentId
    team: Annotated[str, TEAM]
    name: Annotated[
        str,
        NAME.but(
            help=Wording(
                "The team's name (default: its id).", "El nombre del equipo (por defecto: su id)."
            ),
            personal=False,
        ),
    ]
    participants: Annotated[
        tuple[str, ...],
        PLAYER.but(
            help=Wording(
                "Ids or names, from board 1; reserves last.",
                "Ids o nombres, desde el tablero 1; los suplentes al final.",
            ),
            label=Wording(
                "Ids or names from board 1, one a line, reserves last",
                "Ids o nombres desde el tablero 1, uno por línea, los suplentes al final",
            ),
            several=True,
        ),
    ]
    pairing_rating: Annotated[
        int | None,
        PAIRING_RATING.but(
            help=Wording(
                "Its strength for the pairing (default: the mean).",
                "Su fuerza para el pareo (por defecto: el promedio).",
            )
        ),
    ] = None
    starting_number: Annotated[int | None, NUMBER] = None

    @property
    def streams(self) -> tuple[str, ...]:
        """The tournament, and its players."""
        return (f"tournament:{self.tournament}", *(f"player:{one}" for one in self.participants))

    def of_survivors(self, stays: Stays) -> Self:
        """Returns the command with the players' ids that stay."""
        return replace(self, participants=tuple(map(stays, self.participants)))


@operation(
    "hand-in-lineup",
    ARBITERS,
    Wording(
        "Hand in who plays for a team in a round (without one: its regular players).",
        "Entrega quién juega por un equipo en una ronda (sin ella: sus jugadores de planta).",
    ),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class HandInLineup(Command):
    """Say who plays for a team in a round, from board 1; it replaces an earlier line-up."""

    tournament: TournamentId
    team: Annotated[str, TEAM]
    round: Round
    participants: Annotated[
        tuple[str | None, ...],
        PLAYER.but(
            help=Wording(
                "Ids or names, from board 1; a dot where nobody plays.",
                "Ids o nombres, desde el tablero 1; un punto donde no juega nadie.",
            ),
            label=Wording(
                "Ids or names from board 1, one a line; a dot where nobody plays",
                "Ids o nombres desde el tablero 1, uno por línea; un punto donde nadie juega",
            ),
            read=lambda text: None if text == "." else text,
            several=True,
        ),
    ]

    @property
    def streams(self) -> tuple[str, ...]:
        """The tournament."""
        return (f"tournament:{self.tournament}",)

    def of_survivors(self, stays: Stays) -> Self:
        """Returns the command with the players' ids that stay."""
        seats = (None if one is None else stays(one) for one in self.participants)
        return replace(self, participants=tuple(seats))


@operation(
    "register-newcomer",
    ARBITERS,
    Wording(
        "Register somebody at a tournament, under an id by the federation's rule, and enter him.",
        "Registra a alguien en un torneo, con un id por la regla de la federación, y lo inscribe.",
    ),
    CommandFace("tournament newcomer"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterNewcomer(Input):
    """Register somebody where he plays; an officer says later whether he is who he is said to be.

    ``anyway``: though the name fits a member, it is somebody else.
    """

    tournament: TournamentId
    identity: Annotated[Identity, IDENTITY]
    salt: Salt
    federation: Annotated[str | None, FEDERATION]
    on: Today
    from_round: Annotated[int | None, FROM_ROUND] = None
    anyway: Annotated[
        bool,
        FLAG.but(
            help=Wording(
                "Though the name fits a member, it is somebody else.",
                "Aunque el nombre se parece al de un miembro, es otra persona.",
            ),
            option="--anyway",
        ),
    ] = False
