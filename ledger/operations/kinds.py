"""The kinds of what people type: how each is read and written, what it is called, what it names."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated, Any, Final, TypeAlias

from ledger.errors import InputRefused
from ledger.results import BYE_OF_LETTER, Bye, Result, Termination
from ledger.terms import SEXES, Rate, System
from ledger.typed_values import amounts_of, birth_date_of, day, integer_in, result_of
from ledger.wording import Message, Wording

MOST_ROUNDS: Final = 10_000
_NO_WORDS: Final = Wording("", "")
_LONGEST_ISSUED_ID: Final = 40  # signs, as ``events.personal.IssuedId`` has it
_ISSUERS: Final = {"fide": "fide", "national": "national", "nacional": "national", "club": "club"}
NO_BODY: Final = "-"
"""How it is typed that a player is of no club, or of no region."""
_CODE: Final = 3  # letters of a federation
_BYES: Final = {bye.value: bye for bye in Bye}


@dataclass(frozen=True, slots=True)
class FieldKind:
    """What the faces know of a field; one that differs is ``KIND.but(…)``.

    Attributes:
        help: says it on the command line.
        label: names it in forms, in submissions and in refusals; else its help does.
        option: how it is typed on the command line; an argument in its place, where it has none.
        metavar: how an argument is called in usage, where that is not its name.
        query: what an address calls it, where that is not the name of the parameter.
        type: what the command line takes: a number, a flag, or a text that ``read`` reads.
        least: of a number.
        most: likewise.
        read: reads typed words; raises ``InputRefused`` that quotes them.
        needed: whether it must be typed, where its type and default do not tell.
        given: what the program takes where nothing is typed: ``today``.
        names: what is named by it, by an id: a ``player``, a ``tournament``, a ``list``, a
            ``period``, a ``regulation``; a face may offer these, and take a name for an id.
        offers: words that a form offers; others may be typed, unless it ``is_choice``.
        is_choice: whether it is one of ``offers``.
        several: whether several of them may be typed.
        personal: whether it may say who somebody is: no digest of it is kept.
        signs: so many characters a form takes.
        parts: the kinds of its parts by name, where it has any; ``built`` puts them together.
        built: makes the value of its parts.
    """

    help: Wording = _NO_WORDS
    label: Wording | None = None
    option: str = ""
    metavar: str | None = None
    query: str = ""
    type: type = str
    least: int | None = None
    most: int | None = None
    read: Callable[[str], Any] = str
    needed: bool | None = None
    given: str = ""
    names: str = ""
    offers: tuple[str, ...] = ()
    is_choice: bool = False
    several: bool = False
    personal: bool = False
    signs: int = 200
    parts: Mapping[str, FieldKind] = field(default_factory=dict)
    built: Callable[..., Any] = dict

    @property
    def called(self) -> Wording:
        """What forms and refusals call it."""
        return self.label or Wording(self.help.en.rstrip("."), self.help.es.rstrip("."))

    @property
    def is_flag(self) -> bool:
        """Whether it is said by a tick."""
        return self.type is bool

    @property
    def is_number(self) -> bool:
        """Whether it is a whole number."""
        return self.type is int

    def but(self, **others: Any) -> FieldKind:
        """Returns the kind with what a field has of its own."""
        return replace(self, **others)

    def one_of(self, words: Mapping[str, Any]) -> FieldKind:
        """Return the kind limited to some words; ``words`` say what each means."""

        def read(text: str) -> Any:
            if text not in words:
                raise InputRefused("value.no_word", value=text, allowed=", ".join(words))
            return words[text]

        return self.but(read=read, offers=tuple(words), is_choice=True)


@dataclass(frozen=True, slots=True)
class Given:
    """A value that nobody types: what the program gives, ``today`` or a ``salt``."""

    what: str


def labels_of(kinds: Mapping[str, FieldKind | Given]) -> Mapping[str, Wording]:
    """Returns the labels of some fields and of their parts; none where only a help is declared."""
    labels: dict[str, Wording] = {}
    for name, kind in kinds.items():
        if isinstance(kind, FieldKind):
            labels |= labels_of(kind.parts)
            if kind.label:
                labels[name] = kind.label
    return labels


# How words are read and written.


def number_from(least: int, most: int) -> Callable[[str], int]:
    """Returns what reads a whole number within bounds (inclusive)."""

    def read(text: str) -> int:
        number = integer_in(text, least=least, most=most)
        if number is None:
            raise InputRefused("arbiter.no_number", value=text, least=least, most=most)
        return number

    return read


def choice_of(
    words: Mapping[str, Any], help_: Wording, label: Wording | None = None, **others: Any
) -> FieldKind:
    """Returns the kind of a field that is one of some words; ``words`` say what each means."""
    return FieldKind(help_, label, **others).one_of(words)


def values_of(words: type[StrEnum]) -> Mapping[str, StrEnum]:
    """Returns the words of an enumeration by what is typed for each."""
    return {each.value: each for each in words}


def _result_or_none(text: str) -> Result | None:
    return None if text == "none" else result_of(text)


def _adjudicated(text: str) -> Result:
    return result_of(text.removesuffix("a") + "a")


def _forfeit(text: str) -> Result:
    result = result_of(text)
    if result.termination is not Termination.FORFEIT:
        raise InputRefused("value.no_forfeit", value=text)
    return result


def _bye(text: str) -> Bye:
    chosen = BYE_OF_LETTER.get(text.upper()) or _BYES.get(text.lower())
    if chosen is None:
        allowed = ", ".join([*BYE_OF_LETTER, *_BYES])
        raise InputRefused("value.no_bye", value=text, allowed=allowed)
    return chosen


def _body(text: str) -> str:
    return "" if text == NO_BODY else " ".join(text.split())


def _category_prizes(text: str) -> tuple[str, tuple[int, ...]]:
    """Returns conditions and amounts of ``CONDITIONS: AMOUNTS``."""
    conditions, colon, amounts = text.rpartition(":")
    if not colon or not conditions.strip():
        raise InputRefused("category.no_prizes", value=text)
    return " ".join(conditions.split()), tuple(amounts_of(amounts) or ())


def _federation(text: str) -> str:
    return text.upper() if len(text) == _CODE else text


def _issued(text: str) -> str:
    """Returns an id with its issuer as ``issuer=id``; the issuer in the letters it is kept in."""
    issuer, equals, id_ = (part.strip() for part in text.partition("="))
    issuer = _ISSUERS.get(issuer.lower(), issuer.upper())
    is_code = len(issuer) == _CODE and issuer.isalpha() and not issuer.startswith("XX")
    is_known = issuer in _ISSUERS.values() or is_code
    if not equals or not is_known or not issuer.isascii():
        raise InputRefused("value.no_issued_id", value=text)
    if issuer == _ISSUERS["fide"] and id_ and not (id_.isascii() and id_.isdigit()):
        raise InputRefused("import.no_fide_id", value=id_)
    if len(id_) > _LONGEST_ISSUED_ID:
        why = Message.of("value.too_long", most=_LONGEST_ISSUED_ID)
        raise InputRefused("value.quoted", value=text, why=why)
    return f"{issuer}={id_}"


_FLAGS: Final = {"": False, "false": False, "true": True}


def _flag(text: str) -> bool:
    if text not in _FLAGS:
        raise InputRefused("value.no_tick", value=text)
    return _FLAGS[text]


def sex_of(text: str) -> str:
    """Returns ``m`` or ``w`` (also for f); raises ``InputRefused`` for anything else."""
    sex = SEXES.get(text.lower())
    if sex is None:
        raise InputRefused("value.no_sex", value=text)
    return sex


def _identity(**parts: Any) -> Any:
    """Returns who a player is; raises ``InputRefused`` for what cannot be recorded."""
    from pydantic import ValidationError  # noqa: PLC0415 - it takes time to load

    from ledger.events.model import bad_value  # noqa: PLC0415 - the same
    from ledger.events.personal import Identity  # noqa: PLC0415 - the same

    ids = dict(word.split("=", 1) for word in parts.pop("ids", None) or ())
    try:
        return Identity.model_validate(parts).with_ids(ids)
    except ValidationError as error:
        raise bad_value(error, labels_of(IDENTITY.parts)) from error


# The kinds.

TOURNAMENT: Final = FieldKind(
    Wording("The tournament's id.", "El id del torneo."),
    Wording("Tournament (id)", "Torneo (id)"),
    names="tournament",
)
ROUND: Final = FieldKind(
    Wording("The round, from 1.", "La ronda, desde 1."),
    Wording("Round", "Ronda"),
    metavar="ROUND",
    type=int,
    least=1,
    read=number_from(1, MOST_ROUNDS),
    signs=5,
)
FROM_ROUND: Final = ROUND.but(
    help=Wording("From this round on.", "Desde esta ronda."),
    label=Wording("From round", "Desde la ronda"),
    option="--from-round",
)
AFTER_ROUND: Final = ROUND.but(
    help=Wording(
        "After this round (default: the last).", "Tras esta ronda (por defecto: la última)."
    ),
    option="--after",
    query="round",
    least=0,
)
TIE_BREAKS: Final = FieldKind(
    Wording(
        "Tie-breaks in their order: median,solkoff; of FIDE BH/C1,SB (default: habit).",
        "Desempates en su orden: median,solkoff; de la FIDE BH/C1,SB (por defecto: la costumbre).",
    ),
    option="--tie-breaks",
    query="tie-breaks",
)
PLAYER: Final = FieldKind(
    Wording("The player's id, or the name.", "El id del jugador, o el nombre."),
    Wording("Player (id)", "Jugador (id)"),
    names="player",
)
WHITE: Final = PLAYER.but(
    help=Wording("White's id, or the name.", "El id de las blancas, o el nombre."),
    label=Wording("White (id)", "Blancas (id)"),
)
BLACK: Final = PLAYER.but(
    help=Wording("Black's id, or the name.", "El id de las negras, o el nombre."),
    label=Wording("Black (id)", "Negras (id)"),
)
RESULT: Final = FieldKind(
    Wording("1-0, 0-1, 1/2-1/2, 1-0s …", "1-0, 0-1, 1/2-1/2, 1-0s …"),
    Wording("Result", "Resultado"),
    metavar="RESULT",
    read=result_of,
    offers=("1-0", "1/2-1/2", "0-1", "+/-", "-/+", "-/-"),
    signs=20,
)
FORFEIT: Final = RESULT.but(
    help=Wording("+/-, -/+ or -/-", "+/-, -/+ o -/-"), read=_forfeit, offers=("+/-", "-/+", "-/-")
)
ADJUDICATION: Final = RESULT.but(
    help=Wording("1-0, 0-1, 1/2-1/2 …", "1-0, 0-1, 1/2-1/2 …"),
    read=_adjudicated,
    offers=("1-0", "1/2-1/2", "0-1"),
)
RESULT_OR_NONE: Final = RESULT.but(
    help=Wording("1-0, +/-, … or 'none'", "1-0, +/-, … o 'none' (ninguno)"),
    read=_result_or_none,
    needed=True,
    offers=(*RESULT.offers, "none"),
)
BYE: Final = FieldKind(
    Wording("U, F, H or Z (or half, full, …)", "U, F, H o Z (o half, full, …)"),
    Wording("Kind of bye", "Clase de bye"),
    read=_bye,
    offers=tuple(_BYES),
    signs=20,
)
FLAG: Final = FieldKind(type=bool, read=_flag)
TEMPORARY: Final = FLAG.but(
    help=Wording("For the pairing only; not rated yet.", "Solo para el pareo; aún no se evalúa."),
    option="--temporary",
    read=lambda text: "temporary" if _flag(text) else "definitive",
)
ANYWAY: Final = FLAG.but(
    help=Wording(
        "It was so, though it is against the rules of a Swiss.",
        "Fue así, aunque va contra las reglas de un suizo.",
    ),
    option="--anyway",
)
OF_CLOSED: Final = FLAG.but(
    help=Wording("Also where the tournament is closed.", "También donde el torneo está cerrado."),
    option="--as-correction",
)
INTO_CLOSED: Final = FLAG.but(
    help=Wording("Even where it changes a closed period.", "Aunque cambie un período cerrado."),
    option="--as-correction",
)
DAY: Final = FieldKind(
    Wording("Chess date, YYYY-MM-DD.", "Fecha de ajedrez, AAAA-MM-DD."),
    Wording("Day (YYYY-MM-DD)", "Día (AAAA-MM-DD)"),
    option="--on",
    read=day,
    signs=10,
)
NUMBER: Final = FieldKind(
    Wording("Starting number (default: the next).", "Número inicial (por defecto: el siguiente)."),
    Wording("Starting number", "Número inicial"),
    option="--number",
    type=int,
    least=1,
    read=number_from(1, 9_999),
    signs=4,
)
ROUNDS: Final = FieldKind(
    Wording("How many rounds it has.", "Cuántas rondas tiene."),
    Wording("Rounds", "Rondas"),
    option="--rounds",
    type=int,
    least=1,
    read=number_from(1, 999),
    signs=3,
)
TOURNAMENT_NAME: Final = FieldKind(
    Wording("Its name.", "Su nombre."),
    Wording("Name of the tournament", "Nombre del torneo"),
    option="--name",
)
FIRST_DAY: Final = DAY.but(
    help=Wording("First day, YYYY-MM-DD.", "Primer día, AAAA-MM-DD."),
    label=Wording("First day (YYYY-MM-DD)", "Primer día (AAAA-MM-DD)"),
    option="--start",
)
LAST_DAY: Final = DAY.but(
    help=Wording("Last day, YYYY-MM-DD.", "Último día, AAAA-MM-DD."),
    label=Wording("Last day (YYYY-MM-DD)", "Último día (AAAA-MM-DD)"),
    option="--end",
)
RATE_OF_PLAY: Final = choice_of(
    values_of(Rate),
    Wording("How fast is played.", "Con qué ritmo se juega."),
    Wording("Rate of play", "Ritmo de juego"),
    option="--rate-of-play",
    type=Rate,
)
SYSTEM: Final = choice_of(
    values_of(System),
    Wording("How it is paired (default: swiss).", "Cómo se parea (por defecto: swiss)."),
    Wording("System (default: swiss)", "Sistema (por defecto: swiss)"),
    option="--system",
    type=System,
)
TIME_CONTROL: Final = FieldKind(
    Wording("The time control in words.", "El ritmo de juego en palabras."),
    Wording("Time control (90 min + 30 s)", "Control de tiempo (90 min + 30 s)"),
    option="--time-control",
)
CHIEF_ARBITER: Final = FieldKind(
    Wording("Its chief arbiter.", "Su árbitro principal."),
    Wording("Chief arbiter", "Árbitro principal"),
    option="--arbiter",
)
PLACE: Final = FieldKind(
    Wording("Where it is played.", "Dónde se juega."),
    Wording("Place", "Lugar"),
    option="--place",
)
REGION_OF_EVENT: Final = FieldKind(
    Wording("Region, or state, where it is played.", "Región, o estado, donde se juega."),
    Wording("Region", "Región"),
    option="--region",
    signs=100,
)
ANNOUNCED_BY: Final = FieldKind(
    Wording("The club or federation that announces it.", "El club o federación que lo anuncia."),
    Wording("Announced by", "Anunciado por"),
    option="--by",
)
PAIRING_RATING: Final = FieldKind(
    Wording("A rating for the pairing only.", "Un rating solo para el pareo."),
    Wording("Rating for the pairing only", "Rating solo para el pareo"),
    option="--pairing-rating",
    type=int,
    least=0,
    read=number_from(0, 9_999),
    signs=4,
)
PERIOD: Final = FieldKind(
    Wording(
        "Rated in this period, whenever it ended: PERIOD of the only list, or LIST:PERIOD.",
        "Evaluado en este período, termine cuando termine: PERÍODO de la única lista, o"
        " LISTA:PERÍODO.",
    ),
    Wording("Rated in the period (LIST:PERIOD)", "Calculado en el período (LISTA:PERÍODO)"),
    option="--rated-in",
    names="period",
)
LIST: Final = FieldKind(
    Wording(
        "The rating list (default: the only one).", "La lista de ratings (por defecto: la única)."
    ),
    Wording("List", "Lista"),
    option="--list",
    names="list",
    needed=False,
)
OF_LIST: Final = LIST.but(
    help=Wording(
        "The list's name (default: the only one).", "El nombre de la lista (por defecto: la única)."
    ),
    option="",
    metavar="NAME",
)
NEW_LIST: Final = FieldKind(
    Wording("The list's name.", "El nombre de la lista."),
    Wording("Name of the list", "Nombre de la lista"),
    metavar="NAME",
    signs=40,
)
REGULATION: Final = FieldKind(
    Wording("Its id; see: regulation list.", "Su id; vea: regulation list."),
    Wording("Regulation", "Reglamento"),
    option="--regulation",
    names="regulation",
    signs=60,
)
PARAMETERS: Final = FieldKind(
    Wording(
        "A parameter of the regulation, key=value; may be repeated.",
        "Un parámetro del reglamento, clave=valor; se puede repetir.",
    ),
    Wording("Parameters of the regulation", "Parámetros del reglamento"),
    option="--param",
    several=True,
)
CLOSES_DAYS_BEFORE: Final = FieldKind(
    Wording("Closing before the end.", "Días que cierra antes del final."),
    Wording(
        "Closes so many days before the end of a period",
        "Cierra tantos días antes del final de un período",
    ),
    option="--closes-days-before",
    type=int,
    least=0,
    most=27,
    read=number_from(0, 27),
    signs=2,
)
NAME: Final = FieldKind(
    Wording("Lastname, Firstname", "Apellido, Nombre"),
    Wording("Name", "Nombre"),
    needed=True,
    personal=True,
)
FEDERATION: Final = FieldKind(
    Wording("Three letters, CHI.", "Tres letras, CHI."),
    Wording("Federation", "Federación"),
    option="--federation",
    read=_federation,
    signs=3,
)
SEX: Final = FieldKind(
    Wording("m or w.", "m o w (mujer)."),
    Wording("Sex (F or M)", "Sexo (F o M)"),
    option="--sex",
    read=sex_of,
    offers=("F", "M"),
    is_choice=True,
    personal=True,
    signs=1,
)
BORN: Final = FieldKind(
    Wording("Birth date YYYY-MM-DD, or the year.", "Fecha de nacimiento AAAA-MM-DD, o el año."),
    Wording("Born", "Nacimiento"),
    option="--born",
    read=birth_date_of,
    personal=True,
    signs=10,
)
CLUB: Final = FieldKind(
    Wording("The club; - is none.", "El club; - es ninguno."),
    Wording("Club (- is none)", "Club (- es ninguno)"),
    option="--club",
    read=_body,
    signs=100,
)
REGION: Final = FieldKind(
    Wording("The region, or state; - is none.", "La región, o estado; - es ninguna."),
    Wording("Region (- is none)", "Región (- es ninguna)"),
    option="--region",
    read=_body,
    signs=100,
)
LICENSED_UNTIL: Final = DAY.but(
    help=Wording(
        "Last day of the licence or membership, YYYY-MM-DD.",
        "Último día de la licencia o afiliación, AAAA-MM-DD.",
    ),
    label=Wording("Licensed until (YYYY-MM-DD)", "Licencia hasta (AAAA-MM-DD)"),
    option="--licensed-until",
)
ISSUED_IDS: Final = FieldKind(
    Wording(
        "Another id of the player, ISSUER=ID: fide, national, club or a federation, as"
        " fide=3401234; may be repeated.",
        "Otro id del jugador, QUIÉN=ID: fide, national, club o una federación, como fide=3401234;"
        " se puede repetir.",
    ),
    Wording("Other ids (fide=3401234)", "Otros ids (fide=3401234)"),
    option="--id",
    read=_issued,
    several=True,
    personal=True,
    signs=60,
)
IDENTITY: Final = FieldKind(
    parts={"name": NAME, "sex": SEX, "birth_date": BORN, "ids": ISSUED_IDS},
    built=_identity,
    personal=True,
)
TEAM: Final = FieldKind(
    Wording("The team's id.", "El id del equipo."),
    Wording("Short name of the team", "Nombre corto del equipo"),
    metavar="TEAM",
)
RATINGS_OF: Final = Wording(
    "Ratings of this list, in force on the first day.",
    "Ratings de esta lista, en vigor el primer día.",
)
PROGRAMS: Final = FieldKind()
"""What only programs say: no form has it, and no command made of a declaration."""

CATEGORY_PRIZES: Final = FieldKind(
    Wording(
        "CONDITIONS: AMOUNTS, as 'U14: 100,50' or 'women, under 1800: 80'; conditions are an age"
        " group, women or men, under a rating, club NAME, region NAME, licensed; may be repeated.",
        "CONDICIONES: MONTOS, como 'U14: 100,50' o 'mujeres, bajo 1800: 80'; son condiciones un"
        " grupo de edad, mujeres u hombres, bajo un rating, club NOMBRE, región NOMBRE, con"
        " licencia; se puede repetir.",
    ),
    Wording("Prizes by category (U14: 100,50)", "Premios por categoría (U14: 100,50)"),
    metavar="PRIZES",
    read=_category_prizes,
    several=True,
    signs=200,
)
K: Final = FieldKind(
    Wording("The coefficient, 0 to 200.", "El coeficiente, de 0 a 200."),
    Wording("K", "K"),
    type=int,
    least=0,
    most=200,
    read=number_from(0, 200),
    signs=3,
)
RULING: Final = FieldKind(
    Wording("accept, reject, annul, close or reopen.", "accept, reject, annul, close o reopen."),
)

TournamentId: TypeAlias = Annotated[str, TOURNAMENT]
PlayerId: TypeAlias = Annotated[str, PLAYER]
White: TypeAlias = Annotated[str, WHITE]
Black: TypeAlias = Annotated[str, BLACK]
Round: TypeAlias = Annotated[int, ROUND]
Today: TypeAlias = Annotated[dt.date, Given("today")]
Salt: TypeAlias = Annotated[str, Given("salt")]
