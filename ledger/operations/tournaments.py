"""What can be recorded of a tournament as a whole: what it is, its rules, its rounds."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self

from ledger.operations.kinds import (
    AFTER_ROUND,
    ANNOUNCED_BY,
    CATEGORY_PRIZES,
    CHIEF_ARBITER,
    FEDERATION,
    FIRST_DAY,
    FLAG,
    INTO_CLOSED,
    LAST_DAY,
    LIST,
    PERIOD,
    PLACE,
    PLAYER,
    PROGRAMS,
    RATE_OF_PLAY,
    RATINGS_OF,
    REGION_OF_EVENT,
    ROUND,
    ROUNDS,
    RULING,
    SYSTEM,
    TIE_BREAKS,
    TIME_CONTROL,
    TOURNAMENT_NAME,
    FieldKind,
    Round,
    Today,
    TournamentId,
)
from ledger.operations.operation import ARBITERS, Command, CommandFace, Input, officers, operation
from ledger.results import Result
from ledger.terms import PairingMethod, Rate, System
from ledger.wording import Wording

if TYPE_CHECKING:
    from ledger.events.tournaments import ReportDetails
    from ledger.facts.ids import Stays
else:
    ReportDetails = Any  # it takes time to load


_WHOLE: Final[dict[str, Any]] = {"rated_in": None, "as_correction": False}
"""What no ruling says but that by which a tournament is rated in a period."""


@operation(
    "announce-tournament",
    replace(ARBITERS, everywhere=True),
    Wording(
        "Announce a tournament before it is opened; it replaces what was announced of it before."
        "\n\nWhat is announced stands in the calendar, for everybody. To open or import the"
        " tournament takes it over. What you write cannot be erased later.",
        "Anuncia un torneo antes de abrirlo; reemplaza lo que se anunció de él antes."
        "\n\nLo anunciado está en el calendario, para todos. Abrir o importar el torneo lo toma."
        " Lo que escriba no se puede borrar después.",
    ),
    CommandFace("tournament announce"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class AnnounceTournament(Command):
    """Announce a tournament: what it is, when and where, and who announces it."""

    NAMES = ("tournament",)

    tournament: TournamentId
    name: Annotated[str, TOURNAMENT_NAME]
    starts_on: Annotated[dt.date, FIRST_DAY]
    ends_on: Annotated[dt.date, LAST_DAY]
    rate_of_play: Annotated[Rate, RATE_OF_PLAY]
    system: Annotated[System, SYSTEM] = System.SWISS
    rounds: Annotated[int | None, ROUNDS] = None
    time_control: Annotated[str | None, TIME_CONTROL] = None
    chief_arbiter: Annotated[str | None, CHIEF_ARBITER] = None
    place: Annotated[str | None, PLACE] = None
    region: Annotated[str | None, REGION_OF_EVENT] = None
    federation: Annotated[str | None, FEDERATION] = None
    announced_by: Annotated[str | None, ANNOUNCED_BY] = None


@operation(
    "cancel-tournament",
    replace(ARBITERS, everywhere=True),
    Wording(
        "Say that an announced tournament is not played; it stays in the calendar as cancelled."
        "\n\nTo announce it anew says that it is played after all.",
        "Dice que un torneo anunciado no se juega; queda en el calendario como cancelado."
        "\n\nAnunciarlo de nuevo dice que se juega de todos modos.",
    ),
    CommandFace("tournament cancel"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class CancelTournament(Command):
    """Say that a tournament that was announced is not played."""

    NEEDS_REASON = True
    NAMES = ("tournament",)

    tournament: TournamentId


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutTournament(Command):
    """What is known of a tournament itself."""

    NAMES = ("tournament",)

    tournament: str
    merit_hundredths: int | None = None
    rounds: int | None = None
    place: str | None = None
    federation: str | None = None
    report: ReportDetails | None = None


@operation(
    "open-tournament",
    replace(ARBITERS, everywhere=True),
    Wording("Open a tournament.", "Abre un torneo."),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTournament(AboutTournament):
    """Open a tournament; what is not said is as it was announced."""

    name: str | None = None
    starts_on: dt.date | None = None
    ends_on: dt.date | None = None
    system: System | None = None
    rate_of_play: Rate | None = None


@operation(
    "correct-tournament",
    ARBITERS,
    Wording(
        "Correct what was said of a tournament itself; what is not said stays.",
        "Corrige lo dicho de un torneo mismo; lo que no se dice queda.",
    ),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectTournament(AboutTournament):
    """Replace what is known of the tournament itself."""

    NEEDS_REASON = True

    name: str
    starts_on: dt.date
    ends_on: dt.date
    system: System
    rate_of_play: Rate


@dataclass(frozen=True, slots=True)
class RatedIn:
    """The period of a list in which a tournament is rated, whenever it ended."""

    list: str
    period: str


@operation(
    "rule-on-tournament",
    officers("tournaments"),
    Wording(
        "Accept a tournament for rating, or reject or annul it.",
        "Acepta un torneo para el rating, o lo rechaza o lo anula.",
    ),
)
@operation(
    "accept-tournament",
    officers("tournaments"),
    Wording(
        "Rate a tournament again that was rejected, or in another period than it ended in.",
        "Vuelve a evaluar un torneo rechazado, o lo evalúa en otro período que el de su término.",
    ),
    CommandFace("tournament accept"),
    ruling="accept",
)
@operation(
    "reject-tournament",
    officers("tournaments"),
    Wording(
        "Do not rate a tournament; its results stand.",
        "No evalúa un torneo; sus resultados quedan.",
    ),
    CommandFace("tournament reject", reasoned=True, destroys=True),
    ruling="reject",
    **_WHOLE,
)
@operation(
    "reopen-tournament",
    officers("tournaments"),
    Wording(
        "Take back that the report of a tournament is complete: its rounds go on.",
        "Retira que el informe de un torneo está completo: sus rondas siguen.",
    ),
    CommandFace("tournament reopen", reasoned=True),
    ruling="reopen",
    **_WHOLE,
)
@operation(
    "annul-tournament",
    officers("tournaments"),
    Wording(
        "Annul a tournament: results, standings and rating, for good.",
        "Anula un torneo: resultados, tabla y rating, para siempre.",
    ),
    CommandFace("annul tournament", reasoned=True, destroys=True),
    ruling="annul",
    **_WHOLE,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOnTournament(Command):
    """Close, reopen, accept, reject or annul it; accepted, it may be ``rated_in`` a period."""

    tournament: TournamentId
    ruling: Annotated[Literal["close", "reopen", "accept", "reject", "annul"], RULING]
    on: Today
    rated_in: Annotated[RatedIn | None, PERIOD] = None
    as_correction: Annotated[
        bool,
        FLAG.but(
            help=Wording(
                "Also where that period is published.", "También donde ese período está publicado."
            ),
            option="--as-correction",
        ),
    ] = False

    @property
    def streams(self) -> tuple[str, ...]:
        """The tournament, and the list of a period."""
        own = f"tournament:{self.tournament}"
        return (own, f"list:{self.rated_in.list}") if self.rated_in else (own,)

    @property
    def needs_reason(self) -> bool:
        """For what takes something back, and a correction."""
        return self.ruling in ("reopen", "reject", "annul") or self.as_correction


@operation(
    "close-tournament",
    ARBITERS,
    Wording(
        "Say that the report is complete: later results are corrections.",
        "Dice que el informe está completo: los resultados posteriores son correcciones.",
    ),
    CommandFace("tournament close"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class CloseTournament(Command):
    """Say that the report is complete; with ``anyway`` though rounds or results are missing."""

    NAMES = ("tournament",)

    tournament: TournamentId
    on: Today
    anyway: Annotated[
        bool,
        FLAG.but(
            help=Wording(
                "Though rounds or results are missing; say why.",
                "Aunque falten rondas o resultados; diga por qué.",
            ),
            option="--anyway",
        ),
    ] = False

    @property
    def needs_reason(self) -> bool:
        """Where something is missing."""
        return self.anyway


@operation(
    "flag-tournament",
    officers("tournaments"),
    Wording(
        "Record by what words a list's rules know a tournament; it replaces those it has.",
        "Registra con qué palabras las reglas de una lista reconocen un torneo; reemplaza las que"
        " tiene.",
    ),
    CommandFace("tournament flag"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class FlagTournament(Command):
    """Record the words by which a list's rules know a kind of tournament; replaces all of them."""

    NEEDS_REASON = True
    NAMES = ("tournament",)

    tournament: TournamentId
    flags: Annotated[
        tuple[str, ...],
        FieldKind(
            Wording(
                "Words in small letters; none takes them away.",
                "Palabras en minúsculas; ninguna las quita.",
            ),
            Wording("Words for what it was", "Palabras de lo que fue"),
            several=True,
            needed=False,
        ),
    ]


@operation(
    "announce-rounds",
    ARBITERS,
    Wording(
        "Say how many rounds a tournament has, before its first one.",
        "Dice cuántas rondas tiene un torneo, antes de la primera.",
    ),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class AnnounceRounds(Command):
    """Say how many rounds an event has, before its first one."""

    NAMES = ("tournament",)

    tournament: TournamentId
    rounds: Annotated[int, ROUNDS]


@operation(
    "change-rounds",
    ARBITERS,
    Wording(
        "Shorten or extend a tournament that has begun.", "Acorta o alarga un torneo empezado."
    ),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRounds(AnnounceRounds):
    """Shorten or extend an event that has begun: for a reason."""

    NEEDS_REASON = True


@operation(
    "announce-rules",
    ARBITERS,
    Wording("Announce the rules of the pairing.", "Anuncia las reglas del pareo."),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class AnnounceRules(Command):
    """Announce the rules of an event, before its first round.

    ``rounds`` None leaves their number as it is.
    """

    NAMES = ("tournament",)

    tournament: str
    pairing: PairingMethod
    tie_breaks: tuple[str, ...] = ()
    first_colour: Literal["white", "black"] = "white"
    lot_seed: str | None = None
    acceleration: Literal["baku"] | None = None
    bye_by_lot: bool | None = None
    bye_halves: int | None = None
    cycles: int | None = None
    exchange_last_rounds: bool | None = None
    forbidden: tuple[tuple[str, str], ...] | None = None
    prizes: tuple[int, ...] | None = None
    team_boards: int | None = None
    team_reserves: int | None = None
    rounds: int | None = None


@operation(
    "change-rules",
    ARBITERS,
    Wording("Change announced rules of the pairing.", "Cambia reglas anunciadas del pareo."),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRules(AnnounceRules):
    """Change the rules of an event after they were relied on: for a reason, shown for ever."""

    NEEDS_REASON = True


@operation(
    "announce-prizes",
    ARBITERS,
    Wording(
        "Announce the prizes of categories, before the first round; they replace those announced."
        "\n\nNobody gets two prizes: the greatest is kept, the others go to the next.",
        "Anuncia los premios de categorías, antes de la primera ronda; reemplazan los anunciados."
        "\n\nNadie recibe dos premios: se queda con el mayor, los demás pasan al siguiente.",
    ),
    CommandFace("tournament announce-prizes"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncePrizes(Command):
    """Announce the prizes of categories, as conditions and amounts; none takes them all back."""

    NAMES = ("tournament",)

    tournament: TournamentId
    prizes: Annotated[tuple[tuple[str, tuple[int, ...]], ...], CATEGORY_PRIZES]
    as_correction: Annotated[
        bool,
        INTO_CLOSED.but(
            help=Wording(
                "Even after the first round, for a reason.",
                "También después de la primera ronda, con un motivo.",
            )
        ),
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignNumbers(Command):
    """Give all participants starting numbers anew: 1, 2, … in this order."""

    NAMES = ("tournament",)

    tournament: str
    participants: tuple[str, ...]
    basis: Literal["rating", "lot", "hand", "varma", "first-round"]
    seed: str | None = None

    def of_survivors(self, stays: Stays) -> Self:
        """Returns the command with the players' ids that stay."""
        return replace(self, participants=tuple(map(stays, self.participants)))


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishRound(Command):
    """Publish a round: its boards by id, in order, and what they were paired from."""

    NAMES = ("tournament",)

    tournament: str
    round: int
    boards: tuple[tuple[str, str], ...]
    bye: str | None = None
    engine: str
    input_sha256: str
    by_hand: bool | None = None

    @property
    def needs_reason(self) -> bool:
        """Where the arbiter paired it."""
        return bool(self.by_hand)


@operation(
    "pair-round",
    ARBITERS,
    Wording(
        "Pair the next round and publish it; a preview only shows it.",
        "Parea la próxima ronda y la publica; una vista previa solo la muestra.",
    ),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class PairRound(Input):
    """A round to be paired: ``round`` None for the next one.

    ``boards`` are those of the arbiter, by id, with the ``bye``; without them the announced system
    pairs. ``list`` has the ratings for the pairing (default: the list that rates the tournament).
    ``shown`` is the digest of what was shown (``proposal_sha256``): only that is published.
    """

    tournament: TournamentId
    round: Annotated[int | None, ROUND] = None
    boards: Annotated[Sequence[tuple[str, str]] | None, PROGRAMS] = None
    bye: Annotated[str | None, PROGRAMS] = None
    list: Annotated[str | None, LIST.but(help=RATINGS_OF, names="")] = None
    shown: Annotated[str | None, PROGRAMS] = None


@operation(
    "record-boards",
    ARBITERS,
    Wording("Record results by board.", "Registra resultados por tablero."),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class RecordBoards(Input):
    """Results of a published round by board, of teams by match and board: ``{"3.2": "1-0"}``."""

    tournament: TournamentId
    round: Round
    results: Annotated[dict[str, Result], PROGRAMS]


@operation(
    "number-participants",
    ARBITERS,
    Wording(
        "Give all participants starting numbers anew.",
        "Da números iniciales nuevos a todos los participantes.",
    ),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class NumberParticipants(Input):
    """How all participants are to be numbered: one way, by rating where none is said.

    ``order`` has all ids, from number 1. ``lot`` and ``varma`` are seeds of plain lots and of the
    Varma tables. ``after_first_round`` sets provisional ratings anew first. ``list`` has the
    ratings (default: the list that rates the tournament).
    """

    tournament: TournamentId
    order: Annotated[
        Sequence[str],
        PLAYER.but(
            help=Wording(
                "All ids, from number 1 (default: by rating).",
                "Todos los ids, desde el número 1 (por defecto: por rating).",
            ),
            several=True,
        ),
    ] = ()
    lot: Annotated[
        str | None,
        FieldKind(
            Wording("Draw them by lot, from this seed.", "Los sortea con esta semilla."),
            option="--lot",
        ),
    ] = None
    varma: Annotated[
        str | None,
        FieldKind(
            Wording(
                "Draw them by the Varma tables: players of one federation do not meet at the end.",
                "Los sortea con las tablas de Varma: los de una federación no se enfrentan al"
                " final.",
            ),
            option="--varma",
        ),
    ] = None
    after_first_round: Annotated[
        bool,
        FLAG.but(
            help=Wording(
                "Rate by round 1 who is in no official list, then number all by rating.",
                "Da rating por la ronda 1 a quien no está en lista oficial; luego numera a todos"
                " por rating.",
            ),
            option="--after-first-round",
        ),
    ] = False
    list: Annotated[str | None, LIST.but(help=RATINGS_OF, names="")] = None


@operation(
    "publish-standings",
    ARBITERS,
    Wording(
        "Record that standings went out, by their digest.",
        "Registra que una clasificación se publicó, por su resumen.",
    ),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsToPublish(Input):
    """Standings that are to be published; see ``tournament_standings``."""

    tournament: TournamentId
    after: Annotated[int | None, AFTER_ROUND] = None
    tie_breaks: Annotated[str | None, TIE_BREAKS] = None
    list: Annotated[str | None, LIST.but(help=RATINGS_OF, names="")] = None


@operation(
    "withdraw-round",
    ARBITERS,
    Wording(
        "Take back a published round of which nothing is recorded.",
        "Retira una ronda publicada de la que no consta nada.",
    ),
    CommandFace("tournament withdraw-round", destroys=True),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawRound(Command):
    """Take back a published round of which nothing was recorded yet."""

    NEEDS_REASON = True
    NAMES = ("tournament",)

    tournament: TournamentId
    round: Round


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishStandings(Command):
    """Record that standings went out, and by which rows."""

    NAMES = ("tournament",)

    tournament: str
    after: int
    tie_breaks: tuple[str, ...]
    rows_sha256: str
