"""What can be recorded of a rating list."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from ledger.calendar import Calendar, ListCalendar
from ledger.errors import Conflict
from ledger.identifiers import Seq
from ledger.operations.kinds import (
    CLOSES_DAYS_BEFORE,
    DAY,
    FLAG,
    INTO_CLOSED,
    LIST,
    NEW_LIST,
    OF_LIST,
    PARAMETERS,
    RATE_OF_PLAY,
    REGULATION,
    FieldKind,
    choice_of,
    number_from,
    values_of,
)
from ledger.operations.operation import Command, CommandFace, Input, officers, operation
from ledger.terms import BoundName, Rate
from ledger.wording import Wording

_HIGHEST: Final = 4_000
_LARGEST_SHARE: Final = 1_000_000


CALENDARS: Final = choice_of(
    values_of(ListCalendar),
    Wording(
        "fide: as FIDE's through the years.", "fide: como los de la FIDE a través de los años."
    ),
    Wording("Calendar", "Calendario"),
    option="--calendar",
    type=ListCalendar,
)
CALENDAR: Final = choice_of(
    values_of(Calendar),
    Wording("monthly, quarterly …", "monthly, quarterly … (mensual, trimestral …)"),
    Wording("Calendar", "Calendario"),
    type=Calendar,
)
ONLY_OF_RATE: Final = RATE_OF_PLAY.but(
    help=Wording(
        "Only tournaments of this rate (default: all).",
        "Solo torneos de este ritmo (por defecto: todos).",
    ),
    label=Wording("Only tournaments of this rate of play", "Solo torneos de este ritmo"),
)
POLICY: Final = choice_of(
    {word: word for word in ("restate", "next-list")},
    Wording(
        "Late facts: restate (as usual), or next-list.",
        "Hechos tardíos: restate (recalcular, lo usual) o next-list (lista siguiente).",
    ),
    Wording("Late facts (restate or next-list)", "Hechos tardíos (restate o next-list)"),
    option="--policy",
)
SWITCH: Final = choice_of(
    {"on": True, "off": False},
    Wording("on, or off.", "on (sí), u off (no)."),
    Wording("Two people (on or off)", "Dos personas (on u off)"),
    metavar="on|off",
)
ACKNOWLEDGED: Final = FieldKind(
    Wording(
        "It may be so: new, gone (players above 5 %), or moves (beyond 200 points); may be"
        " repeated.",
        "Puede ser así: new (nuevos) o gone (jugadores que faltan, sobre 5 %), o moves (cambios de"
        " más de 200 puntos); se puede repetir.",
    ),
    Wording("Seen and right: new, gone, moves", "Visto y correcto: new, gone, moves"),
    option="--acknowledge",
    several=True,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfList(Command):
    NAMES = ("list",)

    list: str


@operation(
    "define-list",
    officers("lists"),
    Wording(
        "Define a rating list; several may live on the same events.",
        "Define una lista de ratings; varias pueden vivir de los mismos eventos.",
    ),
    CommandFace("list define"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class NewList(Input):
    """A list that is to be: its regulation is looked up, FIDE's calendar is several."""

    list: Annotated[str, NEW_LIST]
    regulation: Annotated[str, REGULATION]
    calendar: Annotated[ListCalendar, CALENDARS]
    first_on: Annotated[
        dt.date,
        DAY.but(
            help=Wording("First day of the first period.", "Primer día del primer período."),
            label=Wording(
                "First day of the first period (YYYY-MM-DD)",
                "Primer día del primer período (AAAA-MM-DD)",
            ),
            option="--first",
        ),
    ]
    rate_of_play: Annotated[Rate | None, ONLY_OF_RATE] = None
    parameters: Annotated[tuple[str, ...], PARAMETERS] = ()
    policy: Annotated[Literal["restate", "next-list"], POLICY] = "restate"
    closes_days_before: Annotated[int, CLOSES_DAYS_BEFORE] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DefineList(_OfList):
    """Define a rating list and adopt its first regulation."""

    regulation: str
    parameters: dict[str, int | str]
    regulation_digest: str
    calendar: Calendar
    first_on: dt.date
    policy: Literal["restate", "next-list"]
    rate_of_play: Rate | None
    closes_days_before: int = 0


@operation(
    "set-calendar",
    officers("lists"),
    Wording(
        "Change a list's calendar from a day on.", "Cambia el calendario de una lista desde un día."
    ),
    CommandFace("list calendar"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class SetCalendar(_OfList):
    """Change a list's calendar from a day on."""

    list: Annotated[str, LIST.but(help=NEW_LIST.help, option="", metavar="NAME", needed=True)]
    calendar: Annotated[Calendar, CALENDAR]
    on: Annotated[
        dt.date,
        DAY.but(
            help=Wording(
                "From the period that starts on this day.",
                "Desde el período que comienza ese día.",
            )
        ),
    ]
    closes_days_before: Annotated[int, CLOSES_DAYS_BEFORE] = 0


@operation(
    "adopt-regulation",
    officers("lists"),
    Wording(
        "Change a list's regulation, or its parameters, from a day on.",
        "Cambia el reglamento de una lista, o sus parámetros, desde un día.",
    ),
    CommandFace("list adopt"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class NewRegulation(Input):
    """A regulation that a list is to follow from a day on; it is looked up."""

    list: Annotated[str | None, OF_LIST]
    regulation: Annotated[str, REGULATION]
    on: Annotated[
        dt.date,
        DAY.but(
            help=Wording(
                "From the periods that start on or after it.",
                "Desde los períodos que comienzan ese día o después.",
            )
        ),
    ]
    parameters: Annotated[tuple[str, ...], PARAMETERS] = ()
    as_correction: Annotated[bool, INTO_CLOSED] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AdoptRegulation(_OfList):
    """Change a list's regulation, or its parameters, from a day on."""

    regulation: str
    parameters: dict[str, int | str]
    regulation_digest: str
    on: dt.date
    as_correction: bool = False


@operation(
    "adjust-list",
    officers("lists"),
    Wording(
        "Order a list-wide step after the calculation of a period.",
        "Ordena un ajuste de toda la lista tras el cálculo de un período.",
    ),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustList(_OfList):
    """Order a list-wide step after the calculation of a period."""

    list: Annotated[str, LIST]
    period: Annotated[str, FieldKind(label=Wording("Period", "Período"), signs=20)]
    below: Annotated[
        int,
        FieldKind(
            label=Wording("Ratings below this one", "Ratings bajo este"),
            read=number_from(1, _HIGHEST),
            signs=4,
        ),
    ]
    pivot: Annotated[
        int,
        FieldKind(
            label=Wording("move towards", "se mueven hacia"),
            read=number_from(0, _HIGHEST),
            signs=4,
        ),
    ]
    numerator: Annotated[
        int,
        FieldKind(
            label=Wording("by a share of the way: 2 of 2/5", "por una parte del camino: 2 de 2/5"),
            read=number_from(1, _LARGEST_SHARE),
            signs=7,
        ),
    ]
    denominator: Annotated[
        int,
        FieldKind(
            label=Wording("and 5 of 2/5", "y 5 de 2/5"),
            read=number_from(1, _LARGEST_SHARE),
            signs=7,
        ),
    ]
    as_correction: Annotated[bool, INTO_CLOSED] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishList(_OfList):
    """Record that a list went out, with the digests of what went out."""

    period: str
    edition: int
    basis_seq: Seq
    regulation: str
    regulation_digest: str
    row_count: int
    output_sha256: str
    ratings_sha256: str
    rows_root: str

    def names_head(self, head_seq: Seq) -> bool:
        """A list goes out of everything that is known, not of what was known a moment ago."""
        if self.basis_seq != head_seq:
            raise Conflict("list.overtaken", list=self.list, period=self.period)
        return True


@operation(
    "set-two-persons",
    officers("lists"),
    Wording(
        "Say whether what reaches a published period of a list needs two people; at first it does.",
        "Dice si lo que alcanza un período publicado de una lista necesita dos personas; al"
        " principio, sí.",
    ),
    CommandFace("list two-persons"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class SetTwoPersons(_OfList):
    """Say whether what reaches a published period of a list needs two people."""

    NEEDS_REASON = True

    list: Annotated[str, LIST.but(help=NEW_LIST.help, option="", metavar="NAME", needed=True)]
    required: Annotated[bool, SWITCH]


@operation(
    "publish",
    officers("lists"),
    Wording("Publish a period of a list.", "Publica un período de una lista."),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class PublishPeriod(Input):
    """A period that is to be published; ``anyway``, also with events that are not over."""

    list: Annotated[str, LIST]
    period: Annotated[str, FieldKind(label=Wording("Period", "Período"))]
    anyway: Annotated[
        bool,
        FLAG.but(
            help=Wording(
                "Also with events that are not over at the desk.",
                "También con torneos que no han terminado en la mesa.",
            ),
            option="--anyway",
        ),
    ] = False
    acknowledged: Annotated[tuple[BoundName, ...], ACKNOWLEDGED] = ()
