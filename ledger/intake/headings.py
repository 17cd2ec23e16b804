"""The columns of players and games, by the words that head them: English, Spanish, or the user's.

Case, accents, blanks and signs do not matter: ``Fecha de nacimiento``, ``fecha_nacimiento`` and
``FECHA NACIMIENTO`` head the same column. An empty document with a header is a template.

What spreadsheets have beside what the ledger records of people and games.

Such a column is left out, and that is said once: numbers that only count rows, ids of the state
(never to be recorded), where somebody lives or plays, ratings of another rate of play. Headings of
Chile (AJEFECH and its clubs), Mexico (FENAMAC), Spain (FEDA and its federations), and of the
programs that arbiters use there. Any other unknown heading is refused.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from pathlib import PurePath
from typing import Final

from ledger.errors import InputRefused, Problem
from ledger.exports.columns import ColumnType, ExportColumn
from ledger.exports.files import Workbook
from ledger.intake.problems import Problems
from ledger.lists.rating_list import ListRow
from ledger.wording import Wording


def _headings(text: str) -> tuple[str, ...]:
    """Returns headings that are written with commas between them."""
    return tuple(" ".join(heading.split()) for heading in text.split(","))


_ROWS: Final = _headings("""
    nº, n°, no, nro, núm, num, #, item, orden, correlativo, pos, posición, lugar, puesto,
    ranking, rk, rank, número inicial, nº ini, no ini, ini, start no, sno
""")
_STATE_IDS: Final = _headings("""
    rut, run, rut/run, dni, nie, nif, dni/nie, curp, rfc, cédula, ci, pasaporte, documento,
    documento de identidad, nº documento, tipo documento, passport
""")
_PLACES: Final = _headings("""
    entidad, equipo, team, asociación, liga, delegación, federación autonómica, fed
    autonómica, provincia, estado, ciudad, city, localidad, municipio, comuna, domicilio,
    dirección, address, colegio, escuela, nacionalidad, procedencia, origen, sede
""")
_PERSONAL: Final = _headings("""
    categoría, cat, categ, category, subcategoría, grupo, gr, título, tít, title, tit, wtit,
    otit, título fide, edad, age, email, e-mail, mail, correo, correo electrónico, teléfono,
    tel, fono, celular, móvil, phone, licencia, nº licencia, tipo licencia, fecha alta,
    fecha inscripción, inscripción, observaciones, obs, notas, comentarios, notes, remarks,
    activo, vigente, situación, estado civil, foto, flag, tutor, apoderado
""")
_OTHER_RATINGS: Final = _headings("""
    rápido, rapid, elo rápido, elo rápidas, elo rapid, rapid rating, rating rápido, rpd,
    fide rápido, elo fide rápido, elo fide rapid, relámpago, blitz, elo blitz, blitz rating,
    rating blitz, elo relámpago, blz, elo fide blitz, fide blitz, k rápido, k blitz
""")
BESIDE_PLAYERS: Final = _ROWS + _STATE_IDS + _PLACES + _PERSONAL + _OTHER_RATINGS
"""Headings of lists of people that are left out."""

_OF_A_GAME: Final = _headings("""
    mesa, tablero, board, partida, hora, time, elo blancas, elo negras, elo blanco, elo
    negro, white elo, black elo, título blancas, título negras, eco, apertura, opening,
    jugadas, moves, observaciones, obs, comentarios, notas, nombre blancas, nombre negras,
    nombre blanco, nombre negro, white name, black name
""")
BESIDE_GAMES: Final = _ROWS + _OF_A_GAME
"""Headings of lists of games that are left out: the players are known by their ids."""


NOT_READ: Final = "-"
"""What is said of a column that nobody wants read."""
TOURNAMENT: Final = "tournament"
"""The column of games that may be missing where the id of their tournament is supplied."""
_ID: Final = "id"
_ISSUERS: Final = (
    ("fide", "fide_id"), ("nacional", "national_id"), ("national", "national_id"),
    ("feda", "national_id"),
)  # fmt: skip
"""What says whose ids stand in one of several columns of ids, and how that column is called."""
_IN_PARENTHESES: Final = re.compile(r"\([^()]*\)")
_LITTLE: Final = frozenset({"de", "del", "of", "the", "la", "el"})
"""Words that headings have or have not."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What may stand over a column.

    Attributes:
        english: its name, the one in messages and in the documentation.
        spanish: its name in Spanish.
        others: what else it is called, divided by commas.
        says: what stands in it, in English.
        kind: what a cell of a spreadsheet holds.
    """

    english: str
    spanish: str
    others: str = ""
    says: str = ""
    kind: ColumnType = ColumnType.TEXT

    def within(self, language: str) -> str:
        """Returns the name in a language, ``en`` or ``es``."""
        return self.spanish if language == "es" else self.english

    @property
    def name(self) -> Wording:
        """Its name in the language of whoever reads a message."""
        return Wording(en=self.english, es=self.spanish)

    @property
    def names(self) -> tuple[str, str]:
        """Its names in both languages, folded."""
        return folded(self.english), folded(self.spanish)

    @property
    def words(self) -> tuple[str, ...]:
        """Everything that it is called."""
        return (self.english, self.spanish, *filter(None, self.others.split(",")))

    def column(self, *, optional: bool) -> ExportColumn:
        """Returns the column of a table that is written; ``optional``: cells may be empty."""
        return ExportColumn(self.english, self.kind, self.says, optional=optional)


@dataclass(frozen=True, slots=True)
class Headings:
    """The columns that a document may have.

    Attributes:
        known: all of them, in the order of a template.
        required: the names of those that must be there.
        telling: the names of those by which a document of the kind is known.
        parts: what some documents have in several columns, as the names of a person.
        issued: ids that others gave, where a document has several columns of ids.
        beside: what documents of the kind often have and nobody reads; that is said.
        aside: what documents of the kind have beside them and nobody reads, where the header has
            all of ``sign``; among these may be known ones.
        sign: words that tell such a document.
        headers: those as they stand in the document, by the name of the column, where the user
            said so.
        ignored: headers, as they stand, of columns that the user does not want read.
    """

    known: tuple[Heading, ...]
    required: tuple[str, ...]
    telling: tuple[str, ...]
    parts: tuple[Heading, ...] = ()
    issued: tuple[Heading, ...] = ()
    beside: tuple[str, ...] = ()
    aside: frozenset[str] = frozenset()
    sign: frozenset[str] = frozenset()
    headers: Mapping[str, str] = field(default_factory=dict)
    ignored: Collection[str] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in the order of a template."""
        return tuple(heading.english for heading in self.known)

    def told(self, headers: Iterable[tuple[str, str]], ignored: Collection[str]) -> Headings:
        """Returns the same with what the user said of the header; see ``headers``, ``ignored``.

        Raises:
            InputRefused: a column is named that there is not, or two headers for one.
        """
        headers_of: dict[str, str] = {}
        for name, header in headers:
            heading = next((each for each in self.all if folded(name) in each.names), None)
            if heading is None:
                allowed = tuple(self.wordings.values())
                raise InputRefused(
                    "csv.no_such_column", column=name, header=header, allowed=allowed
                )
            first = headers_of.setdefault(heading.english, header)
            if folded(first) != folded(header):
                raise InputRefused(
                    "csv.mapped_twice", column=heading.name, first=first, second=header
                )
        return replace(self, headers=headers_of, ignored=tuple(ignored))

    def without(self, name: str) -> Headings:
        """Returns the same for documents in which a required column may be missing."""
        return replace(self, required=tuple(each for each in self.required if each != name))

    @property
    def all(self) -> tuple[Heading, ...]:
        """Everything that can stand in a column of it."""
        return self.known + self.parts + self.issued

    @property
    def wordings(self) -> Mapping[str, Wording]:
        """What refusals call the columns, by name: in the language of whoever reads them."""
        return {heading.english: heading.name for heading in self.all}

    def recognise(self, header: Sequence[str]) -> bool:
        """Whether the header has the telling columns; unknown ones do not matter."""
        return {*self.telling} <= {name for _, name, _ in self._named(header)}

    def taken(self, header: Sequence[str]) -> list[str | None]:
        """Returns what each column is taken for: a name, ``-`` where it is not read, None: unknown.

        Of two that are taken for the same one only the first is.
        """
        issuers, found = self._issuers(header), dict[int, str | None]()
        for at, name, _ in self._named(header):
            column = issuers.get(at, name)
            found[at] = None if column in found.values() else column
        return [found.get(at, NOT_READ) for at in range(len(header))]

    def beside_id(self, header: Sequence[str]) -> tuple[str, ...]:
        """Returns the headings that are not read and may be of ids, in a header without any."""
        rows = _folded_words(_ROWS)
        left_out = self.left_out(header)
        return tuple(heading for heading in left_out if _looked_up(heading, rows))

    def familiar(self, header: Sequence[str]) -> frozenset[int]:
        """Returns the places of the columns that such a document may have, read or left out."""
        left_out = set(self.left_out(header))
        known = {at for at, name, _ in self._named(header) if name}
        return frozenset(
            known | {at for at, written in enumerate(header) if written.strip() in left_out}
        )

    def left_out(self, header: Sequence[str]) -> tuple[str, ...]:
        """Returns the headings of columns that are usual, and not read (see ``beside``)."""
        silent, usual = self._silent(header), self._left_out()
        return tuple(
            written.strip()
            for written in header
            if folded(written) not in silent and _looked_up(written, usual)
        )

    def columns(self, header: Sequence[str], line: int) -> dict[str, int]:
        """Returns the place of each column that the header has (from 0).

        ``line`` is where it stands, for messages.

        Raises:
            InputRefused: a column is missing, there twice, or unknown; with all of them.
        """
        columns: dict[str, int] = {}
        wrong = Problems()
        names = self.wordings
        allowed = tuple(names.values())

        def add(at: int, key: str, **values: object) -> None:
            wrong.take(Problem.of(key, line, at + 1, **values))

        issuers = self._issuers(header)
        for at, heading, written in self._named(header):
            name = issuers.get(at, heading)
            if name is None:
                add(at, "csv.unknown_column", column=written, allowed=allowed)
            elif name in columns:
                first = header[columns[name]].strip()
                add(at, "csv.column_twice", column=names[name], first=first, second=written)
            else:
                columns[name] = at
        present = {folded(written) for written in header}
        for name, written in self.headers.items():
            if folded(written) not in present:
                add(0, "csv.no_such_header", column=names[name], header=written)
        for written in self.ignored:
            if folded(written) not in present:
                headings = ", ".join(filter(None, map(str.strip, header)))
                add(0, "csv.nothing_to_ignore", header=written, headings=headings)
        missing = [name for name in self.required if name not in {*columns, *self.headers}]
        others = (each.strip() for at, each in enumerate(header) if at not in columns.values())
        headings = ", ".join(filter(None, others))
        for name in missing:
            if name == TOURNAMENT:
                add(0, "csv.tournament_missing", column=names[name])
            elif headings and not wrong.found:
                add(0, "csv.column_among", column=names[name], headings=headings)
            else:
                add(0, "csv.column_missing", column=names[name])
        if wrong.found:
            raise InputRefused("csv.bad_header", *wrong.found)
        return columns

    def _issuers(self, header: Sequence[str]) -> dict[int, str]:
        """Returns which columns hold ids of others, by place: of several those that say whose.

        A single one is the own, whatever it is called; so is the first where all say whose.
        """
        ids = [(at, written) for at, name, written in self._named(header) if name == _ID]
        signs = {
            at: name for at, written in ids for sign, name in _ISSUERS if sign in folded(written)
        }
        if len(signs) == len(ids):
            signs = dict(sorted(signs.items())[1:])
        return signs if self.issued else {}

    def _named(self, header: Sequence[str]) -> Iterator[tuple[int, str | None, str]]:
        """Yields place, column (None: unknown) and text of every header that is to be read."""
        by_word, silent, usual = _by_word(self.all), self._silent(header), self._left_out()
        columns = {folded(written): name for name, written in self.headers.items()}
        for at, written in enumerate(header):
            word = folded(written)
            # Spreadsheets leave empty columns at the end.
            if not written.strip() or word in silent:
                continue
            if word in columns or not _looked_up(written, usual):
                yield at, columns.get(word) or _looked_up(written, by_word), written.strip()

    def _silent(self, header: Sequence[str]) -> frozenset[str]:
        """Returns the columns that nobody wants read, or reads in such a document, folded."""
        silent = frozenset(map(folded, self.ignored))
        if self.sign and self.sign <= set(map(folded, header)):
            silent |= self.aside - set(map(folded, self.headers.values()))
        return silent

    def _left_out(self) -> Mapping[str, str]:
        """Returns the words of columns that are left out: usual ones, and of what is told."""
        others = tuple(each for each in self.all if each.english in self.headers)
        columns = set(map(folded, self.headers.values()))
        words = {**_folded_words(self.beside), **_by_word(others)}
        return {word: name for word, name in words.items() if word not in columns}


def _looked_up(written: str, words: Mapping[str, str]) -> str | None:
    """Returns what a heading stands for, with or without what it has in parentheses."""
    return words.get(folded(written)) or words.get(folded(_IN_PARENTHESES.sub("", written)))


@lru_cache
def _by_word(known: Sequence[Heading]) -> Mapping[str, str]:
    """Returns the columns by what they may be called, folded; of two the first."""
    return {folded(word): heading.english for heading in known[::-1] for word in heading.words}


@lru_cache
def _folded_words(words: tuple[str, ...]) -> Mapping[str, str]:
    return {folded(word): word for word in words}


def folded(heading: str) -> str:
    """Returns what counts of a heading: letters and digits, without accents, case, little words.

    >>> folded(" Fecha de Nacimiento "), folded("birth_date"), folded("RÁPIDO")
    ('fechanacimiento', 'birthdate', 'rapido')
    """
    plain = unicodedata.normalize("NFKD", heading)
    letters = "".join(
        each if each.isalnum() else " " for each in plain if not unicodedata.combining(each)
    )
    words = letters.casefold().split()
    return "".join(word for word in words if word not in _LITTLE) or "".join(words) or heading


def mapping_of(written: str) -> tuple[str, str]:
    """Reads ``HEADING=COLUMN``; a heading may hold the sign itself.

    Raises:
        InputRefused: one of them is missing.
    """
    heading, _, column = written.rpartition("=")
    if not (heading.strip() and column.strip()):
        raise InputRefused("import.no_mapping", value=written)
    return heading, column.strip()


def as_mapped(
    choices: Iterable[tuple[str, str]],
) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Returns columns with their headings, and headings that are not read, as a document has them.

    ``choices`` are headings with what stands under them, ``-`` where that is not to be read.
    """
    choices = tuple(choices)
    columns = tuple((column, heading) for heading, column in choices if column != NOT_READ)
    return columns, tuple(heading for heading, column in choices if column == NOT_READ)


ERASED_ON: Final = Heading(
    "erased_on",
    "suprimido_el",
    "",
    "the day on which the person was erased; such a row has no name",
    ColumnType.DAY,
)
"""A column of exported players that nobody fills in by hand."""
_TAKEN: Final = frozenset({"id", "name", "federation", "rating"})  # of a published list
PLAYERS: Final = Headings(
    known=(
        Heading(
            "id",
            "código",
            "fide id,id fide,id number,fide,número fide,fide number,número,identificador,cod,"
            "código fide,cod fide,nº fide,num fide,ficha fide,fideid,id nacional,código nacional,"
            "cod nacional,national id,código feda,cod feda,id feda,nº feda,id jugador,player id",
            "the player's id in the ledger, as the FIDE number",
        ),
        Heading(
            "name",
            "nombre",
            "nombres,jugador,jugadora,player,apellido y nombre,apellidos y nombre,"
            "apellido y nombres,"
            "apellidos y nombres,apellidos nombre,apellidos nombres,apellido nombre,"
            "nombre y apellido,nombre y apellidos,nombres y apellidos,nombre apellidos,"
            "nombre completo,nombre jugador,full name,player name,deportista,ajedrecista,"
            "given name,first name",
            "family name, given name",
        ),
        Heading("federation", "federación", "fed,país,country", "three letters, as CHI"),
        Heading("sex", "sexo", "género,gender,sx", "m or w; in Spanish h or m"),
        Heading(
            "birth_date",
            "nacimiento",
            "born,birth,birthday,b-day,bday,birth year,date birth,dob,fecha nacimiento,"
            "año nacimiento,"
            "fecha nac,fec nac,fec nacimiento,f nac,f nacimiento,nac,fn,año nac,año",
            "a date or a year",
        ),
        Heading(
            "rating",
            "elo",
            "rtg,rating inicial,elo fide,rating fide,fide rating,fide elo,elo nacional,rtg nac,"
            "rating nacional,elo feda,elo fenamac,elo chile,elo estándar,elo std,elo standard,"
            "elo clásico,standard,std,elo actual",
            "blank: unrated",
            ColumnType.WHOLE,
        ),
        Heading("k", "factor k", "coeficiente k", "assigns K", ColumnType.WHOLE),
        Heading(
            "games",
            "partidas",
            "número partidas,games played",
            "rated games before the rating",
            ColumnType.WHOLE,
        ),
        Heading("published_k", "k_publicado", "", "the K published with the rating"),
        Heading("club", "club", "nombre club,club name,club ajedrez", "the club; - is none"),
        Heading(
            "region",
            "región",
            "comunidad autónoma,autonomía,ccaa,state",
            "the region, or state; - is none",
        ),
        Heading(
            "licensed_until",
            "licencia_hasta",
            "licencia vigente hasta,vigencia licencia,vencimiento licencia,vence licencia,"
            "license until,membership until,member until",
            "the last day of the licence or membership",
            ColumnType.DAY,
        ),
    ),
    required=("name",),
    telling=("id", "name"),
    parts=(
        Heading(
            "family_name",
            "apellidos",
            "apellido,surname,last name,family name,primer apellido,apellido paterno,paterno,"
            "apellido 1",
        ),
        Heading("second_family_name", "segundo apellido", "apellido materno,materno,apellido 2"),
        Heading("club_id", "club_id", "id club,código club,nº socio,número socio,socio"),
        ERASED_ON,
    ),
    issued=(Heading("fide_id", "fide_id"), Heading("national_id", "id_nacional")),
    beside=BESIDE_PLAYERS,
    # A published list has the games and the K of its period, which are not those of a seed.
    aside=frozenset(folded(each.name) for each in fields(ListRow) if each.name not in _TAKEN)
    | {"list", "period", "edition", "inforceon"},
    sign=frozenset({"rank", "provisional", "change", "active"}),
)
"""A players' document; or a published list, of which id, name, federation and rating are read."""

GAMES: Final = Headings(
    known=(
        Heading(TOURNAMENT, "torneo", "id torneo", "the tournament's id"),
        Heading("name", "nombre", "nombre torneo,tournament name", "its name"),
        Heading(
            "start",
            "inicio",
            "desde,comienzo,fecha inicio,start date,starts on",
            "its first day",
            ColumnType.DAY,
        ),
        Heading(
            "end",
            "término",
            "hasta,fin,fecha término,fecha fin,end date,ends on",
            "its last day",
            ColumnType.DAY,
        ),
        Heading(
            "system", "sistema", "", "swiss, round-robin, match or team-swiss", ColumnType.WORD
        ),
        Heading(
            "rate_of_play",
            "ritmo",
            "ritmo juego,modalidad",
            "classical, rapid or blitz",
            ColumnType.WORD,
        ),
        Heading("merit", "mérito", "cm,coeficiente mérito", "its merit coefficient"),
        Heading("round", "ronda", "rd", "the round's number", ColumnType.WHOLE),
        Heading("date", "fecha", "día,day", "the day it was played", ColumnType.DAY),
        Heading("white", "blancas", "blanco", "a player's id"),
        Heading("black", "negras", "negro", "a player's id"),
        Heading("result", "resultado", "res", "as 1-0, 1/2-1/2, +/-; U F H Z for a bye"),
    ),
    required=(TOURNAMENT, "round", "white", "black", "result"),
    telling=("white", "black"),
    beside=BESIDE_GAMES,
)
"""A games document; the tournament's own columns may be filled in on its first row only."""


def empty_document(kind: str, file: str, language: str) -> bytes:
    """Returns an empty document to be filled in.

    ``kind`` is ``players`` or ``games``, ``language`` that of its header (``en``, ``es``), ``file``
    what it is to be called: ``.csv`` or ``.xlsx``.

    Raises:
        InputRefused: the file is to be something else.
    """
    headings = {"players": PLAYERS, "games": GAMES}[kind].known
    titles = [each.within(language) for each in headings]
    match PurePath(file).suffix.lower():
        case ".csv":
            text = io.StringIO()
            csv.writer(text, lineterminator="\r\n").writerow(titles)
            return text.getvalue().encode("utf-8-sig")  # spreadsheets want the mark
        case ".xlsx":
            # Texts, so that a spreadsheet leaves ``1-0`` and ``007`` as they are typed.
            texts = (
                replace(h, kind=ColumnType.TEXT) if h.kind is ColumnType.WORD else h
                for h in headings
            )
            columns, out = [each.column(optional=True) for each in texts], io.BytesIO()
            with Workbook(out, kind, columns, titles):
                pass
            return out.getvalue()
        case _:
            raise InputRefused("export.no_template", file=file)
