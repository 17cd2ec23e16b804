"""What can be recorded of a player."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

from ledger.errors import InputRefused
from ledger.identifiers import Seq
from ledger.operations.kinds import (
    CLUB,
    DAY,
    FEDERATION,
    FLAG,
    IDENTITY,
    INTO_CLOSED,
    ISSUED_IDS,
    LICENSED_UNTIL,
    LIST,
    PLAYER,
    REGION,
    SEX,
    FieldKind,
    K,
    PlayerId,
    Salt,
    Today,
    number_from,
)
from ledger.operations.operation import Command, CommandFace, Input, officers, operation
from ledger.terms import RecordedTitle
from ledger.typed_values import integer_in
from ledger.wording import Wording

if TYPE_CHECKING:
    from ledger.events.personal import Identity
    from ledger.journal.records import PersonalDocument
else:
    Identity = Any  # it takes time to load


_MOST_TYPED: Final = 999_999  # a rating that is too high is refused with what is allowed


def _rating(text: str) -> int:
    points = integer_in(text, least=0, most=_MOST_TYPED)
    if points is None:
        raise InputRefused("player.rating_no_number", value=text)
    return points


def _points(text: str) -> int:
    points = integer_in(text.removeprefix("-"), least=0, most=_MOST_TYPED)
    if points is None:
        raise InputRefused("arbiter.no_number", value=text, least=-_MOST_TYPED, most=_MOST_TYPED)
    return -points if text.startswith("-") else points


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutPlayer(Command):
    """Who a player is. ``salt``: 32 random hexadecimal digits for the identity document."""

    NAMES = ("player",)

    player: PlayerId
    identity: Annotated[Identity, IDENTITY]
    salt: Salt
    federation: Annotated[str | None, FEDERATION]
    on: Today

    @property
    def birth_year(self) -> int | None:
        """The year of birth, where it is known."""
        born = self.identity.birth_date
        return int(born[:4]) if born else None

    def personal(self) -> PersonalDocument:
        """Returns the identity document."""
        from ledger.journal.records import PersonalDocument  # noqa: PLC0415 - it takes time to load

        sealed = self.identity.sealed(self.salt)
        return PersonalDocument(sealed.digest(), self.player, sealed.document())


@operation(
    "register-player",
    officers("players"),
    Wording(
        "Register a player; without an id it is the next one by the federation's rule.",
        "Registra un jugador; sin id recibe el siguiente por la regla de la federación.",
    ),
    CommandFace("player add"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterPlayer(AboutPlayer):
    """Give a person an id; where it is empty, the next one by the federation's rule."""

    player: Annotated[
        str,
        PLAYER.but(
            help=Wording(
                "The player's new id (default: by the federation's rule, new_ids).",
                "El nuevo id del jugador (por defecto: por la regla de la federación, new_ids).",
            ),
            label=Wording("New id (empty: by the rule)", "Nuevo id (vacío: por la regla)"),
            names="",
        ),
    ] = ""


@operation(
    "correct-player",
    officers("players"),
    Wording(
        "Correct who a player is; what is not said stays as it is.",
        "Corrige quién es un jugador; lo que no se dice queda como está.",
    ),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectIdentity(AboutPlayer):
    """Replace what is known of a person."""

    NEEDS_REASON = True


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifyPlayer(AboutPlayer):
    """Add to what is known of a person how others know it; name and birth date stay."""


@operation(
    "link-player",
    officers("players"),
    Wording(
        "Say under which other id a player is known; an empty one is taken away (fide=).",
        "Dice bajo qué otro id se conoce a un jugador; uno vacío se quita (fide=).",
    ),
    CommandFace("player link"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPlayer(Input):
    """Say under which ids others know a player: ``ISSUER=ID``."""

    player: PlayerId
    ids: Annotated[tuple[str, ...], ISSUED_IDS.but(needed=True)]


@operation(
    "tell-apart",
    officers("players"),
    Wording(
        "Say that two ids are two people: they are not suggested as one any more.",
        "Dice que dos ids son dos personas: no se vuelven a sugerir como una.",
    ),
    CommandFace("player apart"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class TellApart(Input):
    """Say that two ids are two people."""

    player: PlayerId
    other: Annotated[
        str,
        PLAYER.but(
            help=Wording("The other person's id, or the name.", "El id del otro, o el nombre."),
            label=Wording("Id of the other person", "Id de la otra persona"),
        ),
    ]


@operation(
    "confirm-player",
    officers("players"),
    Wording(
        "Say that a newcomer whom an arbiter registered is who he is said to be.",
        "Dice que un jugador nuevo que registró un árbitro es quien se dice que es.",
    ),
    CommandFace("player confirm"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmPlayer(Input):
    """Say that a newcomer is who he was said to be."""

    player: PlayerId


@operation(
    "erase-player",
    officers("players"),
    Wording(
        "Destroy a person's name, sex and birth date for good; notes say what is beyond reach.",
        "Destruye para siempre el nombre, el sexo y la fecha de nacimiento de una persona; las"
        " notas dicen qué queda fuera de alcance.",
    ),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class ErasePlayer(Command):
    """Destroy what is known of a person: every identity document, under all ids of the person."""

    NEEDS_REASON = True
    NAMES = ("player",)

    player: PlayerId
    on: Today

    def names_head(self, _head_seq: Seq) -> bool:
        """Whether it holds at this head only: later others may be known to be the same person."""
        return True


@operation(
    "merge-players",
    officers("players"),
    Wording("Say that two ids are one person.", "Dice que dos ids son una persona."),
    CommandFace("player merge", reasoned=False, destroys=True),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class MergePlayers(Command):
    """Say that two ids are one person; ``player`` is given up for ``into``.

    Where both brought ratings into a list, those of ``seeds_of`` hold, and the others never did.
    """

    NEEDS_REASON = True

    player: Annotated[
        str,
        PLAYER.but(
            help=Wording(
                "The id that is given up, or the name.", "El id que se abandona, o el nombre."
            ),
            label=Wording("Id that is given up", "Id que se abandona"),
        ),
    ]
    into: Annotated[
        str,
        PLAYER.but(
            help=Wording("The id that stays, or the name.", "El id que queda, o el nombre."),
            label=Wording("Id that stays", "Id que queda"),
        ),
    ]
    on: Today
    seeds_of: Annotated[
        str | None,
        PLAYER.but(
            help=Wording(
                "Whose rating brought in holds, where both have one in a list: one of the two.",
                "De quién vale el rating traído, si ambos tienen uno en una lista: uno de los dos.",
            ),
            label=Wording(
                "Whose rating brought in holds, where both have one (id)",
                "De quién vale el rating traído, si ambos tienen uno (id)",
            ),
            option="--seeds-of",
        ),
    ] = None
    anyway: Annotated[
        bool,
        FLAG.but(
            help=Wording(
                "Though they look like two people, they are one.",
                "Aunque parecen dos personas, son una.",
            ),
            option="--anyway",
        ),
    ] = False

    @property
    def streams(self) -> tuple[str, ...]:
        """Both ids; ``tournament:*`` stands for all tournaments, where they may have met."""
        return (f"player:{self.player}", f"player:{self.into}", "tournament:*", "ladder:*")


@operation(
    "assign-k",
    officers("players"),
    Wording(
        "Give a player a K, in force from a day on.", "Da un K a un jugador, en vigor desde un día."
    ),
    CommandFace("k assign"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class AssignK(Command):
    """Give a player a K from a day on; in one list or (``list`` None) in all."""

    player: PlayerId
    k: Annotated[int, K]
    list: Annotated[
        str | None,
        LIST.but(
            help=Wording(
                "In this list only (default: in all).",
                "Solo en esta lista (por defecto: en todas).",
            ),
            names="",
        ),
    ]
    on: Annotated[
        dt.date, DAY.but(help=Wording("From which day, YYYY-MM-DD.", "Desde qué día, AAAA-MM-DD."))
    ]
    as_correction: Annotated[bool, INTO_CLOSED] = False

    @property
    def streams(self) -> tuple[str, ...]:
        """The player and the list; ``list:*`` stands for all lists."""
        return (f"player:{self.player}", f"list:{self.list or '*'}")


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfRating(Command):
    """Moves a player's rating in a list, from a day on."""

    NAMES = ("player", "list")

    player: PlayerId
    list: Annotated[str, LIST]
    on: Annotated[dt.date, DAY]
    as_correction: Annotated[bool, INTO_CLOSED] = False


@operation(
    "seed-rating",
    officers("players"),
    Wording("Bring in a rating from outside.", "Trae un rating de fuera."),
    CommandFace("player seed", order=("player", "rating")),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class SeedRating(_OfRating):
    """Bring in a rating from outside, in force on a day.

    ``games`` rated before it and the ``k`` published with it are None where nobody told.
    """

    rating: Annotated[
        int,
        FieldKind(
            Wording("The rating brought in.", "El rating que se trae."),
            Wording("Rating", "Rating"),
            read=_rating,
            signs=6,
        ),
    ]
    on: Annotated[
        dt.date,
        DAY.but(
            help=Wording("In force on this day, YYYY-MM-DD.", "En vigor en este día, AAAA-MM-DD.")
        ),
    ]
    games: Annotated[
        int | None,
        FieldKind(
            Wording(
                "Rated games before it (default: established).",
                "Partidas evaluadas antes de él (por defecto: establecido).",
            ),
            Wording("Rated games before it", "Partidas evaluadas antes"),
            option="--games",
            type=int,
            least=0,
            most=100_000,
            read=number_from(0, 100_000),
        ),
    ]
    source: Annotated[
        str | None,
        FieldKind(
            Wording("Where it comes from.", "De dónde viene."),
            Wording("Source", "Procedencia"),
            option="--source",
        ),
    ]
    k: Annotated[
        int | None,
        K.but(
            help=Wording("The K published with it.", "El K publicado con él."),
            option="--published-k",
        ),
    ] = None


@operation(
    "adjust-rating",
    officers("players"),
    Wording(
        "Move a player's rating by a step that no game explains; the reason must be said.",
        "Mueve el rating de un jugador en un paso que ninguna partida explica; hay que decir por"
        " qué.",
    ),
    CommandFace("player adjust", reasoned=False),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustRating(_OfRating):
    """Move one player's rating by a step that no game explains, from a day on."""

    NEEDS_REASON = True

    points: Annotated[
        int,
        FieldKind(
            Wording("The step, --points=-12.", "El paso, --points=-12."),
            Wording("Points (-12)", "Puntos (-12)"),
            option="--points",
            type=int,
            read=_points,
            signs=6,
        ),
    ]
    on: Annotated[
        dt.date,
        DAY.but(
            help=Wording(
                "From the period that starts then or next.",
                "Desde el período que comienza entonces, o el próximo.",
            )
        ),
    ]


@operation(
    "award-title",
    officers("players"),
    Wording("Record a title.", "Registra un título."),
    CommandFace("player title"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class AwardTitle(Command):
    """Record a title."""

    NAMES = ("player",)

    player: PlayerId
    title: Annotated[
        RecordedTitle,
        FieldKind(
            Wording("GM, IM, FM, CM, WGM …", "GM, IM, FM, CM, WGM …"),
            Wording("Title (GM, IM, FM …)", "Título (GM, IM, FM …)"),
        ),
    ]
    on: Annotated[dt.date, DAY.but(given="today")]


@operation(
    "describe-player",
    officers("players"),
    Wording(
        "Record for good what a list's rules ask of a player; it replaces what was said before."
        "\n\nUnlike names and birth dates of documents it cannot be erased: record what a rule"
        " needs.",
        "Registra para siempre lo que las reglas de una lista preguntan de un jugador; reemplaza lo"
        " dicho antes.\n\nA diferencia de los nombres y fechas de los documentos no se puede"
        " borrar: registra lo que una regla necesita.",
    ),
    CommandFace("player describe"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class DescribePlayer(Command):
    """Record for good what a list's rules ask of a player: days of birth and of joining, sex.

    It replaces all that was recorded so before; ``sex`` is m or w.
    """

    NEEDS_REASON = True  # also where nothing was said before: it cannot be erased
    NAMES = ("player",)

    player: PlayerId
    born_on: Annotated[
        dt.date | None,
        DAY.but(
            help=Wording("Day of birth, YYYY-MM-DD.", "Día de nacimiento, AAAA-MM-DD."),
            option="--born",
            personal=True,
        ),
    ]
    joined_on: Annotated[
        dt.date | None,
        DAY.but(
            help=Wording("Day of joining the federation.", "Día de ingreso a la federación."),
            option="--joined",
        ),
    ]
    sex: Annotated[str | None, SEX]
    on: Today


@operation(
    "affiliate-player",
    officers("players"),
    Wording(
        "Say of which club and region a player is, and until when licensed, from a day on; what is"
        " not said stays as it is.",
        "Dice de qué club y región es un jugador, y hasta cuándo tiene licencia, desde un día; lo"
        " que no se dice queda como está.",
    ),
    CommandFace("player affiliate"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class AffiliatePlayer(Command):
    """Say of which club and region a player is from a day on, and how long a licence runs.

    What is None stays as it is; an empty club or region is none.
    """

    NAMES = ("player",)

    player: PlayerId
    club: Annotated[str | None, CLUB]
    region: Annotated[str | None, REGION]
    licensed_until: Annotated[dt.date | None, LICENSED_UNTIL]
    on: Annotated[
        dt.date,
        DAY.but(
            help=Wording(
                "From which day, YYYY-MM-DD (default: today).",
                "Desde qué día, AAAA-MM-DD (por defecto: hoy).",
            ),
            given="today",
        ),
    ]
