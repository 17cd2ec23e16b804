"""The kinds of what is said in questions, beside those of operations."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Final, TypeAlias

from ledger.errors import InputRefused
from ledger.operations.kinds import (
    AFTER_ROUND,
    DAY,
    LIST,
    PLAYER,
    RATINGS_OF,
    ROUND,
    TIE_BREAKS,
    FieldKind,
    PlayerId,
    TournamentId,
    number_from,
)
from ledger.terms import CalendarState, PerformanceTable
from ledger.typed_values import integer_in
from ledger.wording import Wording

__all__ = [
    "AfterRound",
    "ClubAsked",
    "DayAsked",
    "FederationAsked",
    "FinalsFrom",
    "FinalsOf",
    "FromDay",
    "GainWanted",
    "ListArgument",
    "ListMeant",
    "MostMoved",
    "OpponentId",
    "OpponentRatings",
    "OpponentsAsked",
    "OwnList",
    "PerformanceTableAsked",
    "PeriodArgument",
    "PlayerId",
    "PlayerOption",
    "RatingWanted",
    "RatingsOf",
    "RegionAsked",
    "RoundShown",
    "SameK",
    "SeqOfCorrection",
    "StateAsked",
    "TieBreaks",
    "ToDay",
    "TournamentId",
    "TournamentMeant",
    "TournamentOption",
]

HIGHEST_RATING: Final = 4000
_LONGEST_NUMBER: Final = 15  # digits; what JSON keeps exactly


def tournament_and_round(text: str) -> tuple[str, int]:
    """Reads ``TOURNAMENT:ROUND``; raises ``InputRefused`` that quotes it."""
    tournament, _, digits = text.rpartition(":")
    number = integer_in(digits, least=1, most=10**_LONGEST_NUMBER)
    if number is None or not tournament:
        raise InputRefused("value.no_round", value=text)
    return tournament, number


ListMeant: TypeAlias = Annotated[str, LIST]
OwnList: TypeAlias = Annotated[str | None, LIST]
"""A list that what is asked of is rated in; without one that is found."""
ListArgument: TypeAlias = Annotated[
    str,
    LIST.but(
        help=Wording(
            "The list's name (default: the only one).",
            "El nombre de la lista (por defecto: la única).",
        ),
        option="",
        query="list",
    ),
]
PERIOD: Final = FieldKind(
    Wording("The period, 2010-07.", "El período, 2010-07."), metavar="PERIOD", query="period"
)
PeriodArgument: TypeAlias = Annotated[str, PERIOD]
RatingsOf: TypeAlias = Annotated[str | None, LIST.but(help=RATINGS_OF)]
DayAsked: TypeAlias = Annotated[
    dt.date | None,
    DAY.but(
        help=Wording("On this day (default: today).", "En este día (por defecto: hoy)."),
        query="on",
    ),
]
FromDay: TypeAlias = Annotated[
    dt.date | None,
    DAY.but(
        help=Wording(
            "Of this day or later (default: this month; of reports due: the last year).",
            "De este día o después (por defecto: este mes; de informes pendientes: el último año).",
        ),
        option="--from",
        query="from",
    ),
]
ToDay: TypeAlias = Annotated[
    dt.date | None,
    DAY.but(
        help=Wording(
            "Of this day or before (default: a year later).",
            "De este día o antes (por defecto: un año después).",
        ),
        option="--to",
        query="to",
    ),
]
StateAsked: TypeAlias = Annotated[
    CalendarState | None,
    FieldKind(
        Wording("Only how far they have come so.", "Solo los que han llegado hasta ahí."),
        option="--state",
        type=CalendarState,
        read=CalendarState,
    ),
]
FederationAsked: TypeAlias = Annotated[
    str | None,
    FieldKind(
        Wording("Only of this federation, three letters.", "Solo de esta federación, tres letras."),
        option="--federation",
    ),
]
ClubAsked: TypeAlias = Annotated[
    str | None,
    FieldKind(
        Wording("Only to this club; - is none.", "Solo a este club; - es ninguno."),
        option="--club",
        read=lambda text: "" if text == "-" else text,
    ),
]
OpponentId: TypeAlias = Annotated[
    str,
    PLAYER.but(
        help=Wording("The opponent's id, or the name.", "El id del rival, o el nombre."),
        query="opponent",
    ),
]
PlayerOption: TypeAlias = Annotated[
    str | None,
    FieldKind(
        Wording("Only about this player.", "Solo sobre este jugador."),
        option="--player",
        names="player",
    ),
]
RegionAsked: TypeAlias = Annotated[
    str | None,
    FieldKind(
        Wording(
            "Only in this region, or words of its name.",
            "Solo en esta región, o palabras de su nombre.",
        ),
        option="--region",
    ),
]
SeqOfCorrection: TypeAlias = Annotated[
    int,
    FieldKind(
        Wording("The seq of any of its events.", "El seq de cualquiera de sus eventos."),
        metavar="SEQ",
        type=int,
        least=1,
    ),
]
MostMoved: TypeAlias = Annotated[
    int,
    FieldKind(
        Wording("Players of each list, the most moved.", "Jugadores de cada lista, los que más."),
        option="--most",
        type=int,
        least=1,
        most=1_000,
    ),
]
AfterRound: TypeAlias = Annotated[int | None, AFTER_ROUND]
RoundShown: TypeAlias = Annotated[
    int | None,
    ROUND.but(
        help=Wording("The round (default: the last).", "La ronda (por defecto: la última)."),
        query="round",
    ),
]
TieBreaks: TypeAlias = Annotated[str | None, TIE_BREAKS]
FinalsFrom: TypeAlias = Annotated[
    int | None,
    FieldKind(
        Wording(
            "Count the games from this round on only; of teams and Swiss events with finals.",
            "Cuenta solo las partidas desde esta ronda; de equipos y suizos con finales.",
        ),
        option="--finals-from",
        query="finals-from",
        type=int,
        least=1,
    ),
]
FinalsOf: TypeAlias = Annotated[
    tuple[tuple[str, int], ...],
    FieldKind(
        Wording(
            "TOURNAMENT:ROUND: count its games from that round on only. Several are possible.",
            "TORNEO:RONDA: cuenta solo sus partidas desde esa ronda. Se puede repetir.",
        ),
        option="--finals",
        read=tournament_and_round,
        several=True,
    ),
]
SameK: TypeAlias = Annotated[
    int | None,
    FieldKind(
        Wording(
            "Everybody's K (default: k_established of the list, or 20).",
            "El K de todos (por defecto: k_established de la lista, o 20).",
        ),
        option="--k",
        type=int,
        least=0,
        most=200,
    ),
]
TournamentOption: TypeAlias = Annotated[
    str,
    FieldKind(
        Wording("The tournament's id.", "El id del torneo."),
        option="--tournament",
        names="tournament",
    ),
]
TournamentMeant: TypeAlias = Annotated[
    str | None,
    FieldKind(
        Wording(
            "The tournament in which they are played; whom the player has yet to meet is added.",
            "El torneo en que se juegan; se agregan los rivales que faltan.",
        ),
        option="--tournament",
        names="tournament",
    ),
]
OpponentsAsked: TypeAlias = Annotated[
    tuple[str, ...],
    FieldKind(
        Wording(
            "An opponent; may be repeated.",
            "Un rival; se puede repetir.",
        ),
        option="--opponent",
        query="opponent",
        names="player",
        several=True,
    ),
]
OpponentRatings: TypeAlias = Annotated[
    tuple[int, ...],
    FieldKind(
        Wording(
            "An opponent of whom only the rating is known, 1850; may be repeated.",
            "Un rival del que solo se conoce el rating, 1850; se puede repetir.",
        ),
        option="--opponent-rating",
        query="opponent-rating",
        read=number_from(1, HIGHEST_RATING),
        several=True,
    ),
]
RatingWanted: TypeAlias = Annotated[
    int | None,
    FieldKind(
        Wording("The rating to be reached in the list.", "El rating por alcanzar en la lista."),
        option="--rating",
        query="rating",
        type=int,
        least=1,
        most=HIGHEST_RATING,
    ),
]
GainWanted: TypeAlias = Annotated[
    int | None,
    FieldKind(
        Wording("The points to be gained in these games.", "Los puntos por ganar en ellas."),
        option="--gain",
        query="gain",
        type=int,
        least=0,
        most=HIGHEST_RATING,
    ),
]
PerformanceTableAsked: TypeAlias = Annotated[
    PerformanceTable,
    FieldKind(
        Wording(
            "The table of D(p): of 2022 (800 at 0 and 100 %), or of 1972.",
            "La tabla de D(p): la de 2022 (800 con 0 y 100 %), o la de 1972.",
        ),
        option="--table",
        type=PerformanceTable,
        read=PerformanceTable,
    ),
]
