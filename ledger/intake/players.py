"""Reads players: from a table, or from FIDE's rating list as it is downloaded; one at a time.

The table is ``id,name,federation,sex,birth_date,rating,k,games,published_k,club,region,
licensed_until``. Only the name is
required: where the table has no ids, who is new gets one, and a decision names the line; a blank
rating is unrated; ``games`` are rated games before it, and ``published_k`` was
published with it. ``k`` is assigned: it holds whatever the regulation says. The columns may be
headed otherwise (see ``headings``). Further ids stand under ``fide_id``, ``national_id`` and
``club_id``, or in columns beside the id whose headings say whose they are.

FIDE's list is text of fixed width, or XML. The text's layout has changed over the years, so its
columns are taken from its header line. Of a player the list gives number, name, federation, sex,
birth year, and in each rate of play rating and K. Its number of games is that of the list's own
period, not of all before it, and is left aside.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from xml.parsers import expat

from pydantic import ValidationError

from ledger.dummies import is_dummy
from ledger.errors import DocumentRefused, InputRefused
from ledger.events.model import allowed
from ledger.events.personal import CLUB, FIDE, NATIONAL, Identity
from ledger.intake.csv_table import DocumentRow, DocumentTable, delimiter_of, rows
from ledger.intake.documents import PlayerSaid, RatingSaid, SourcePlace
from ledger.intake.headings import PLAYERS, Headings
from ledger.intake.problems import Problems
from ledger.intake.table_forms import TableForms
from ledger.operations.kinds import CLUB as CLUB_KIND
from ledger.terms import SEXES, DayOrder, Rate
from ledger.typed_values import integer_in

# Older headers write some labels without a blank between.
_LABELS = re.compile(r"ID [Nn]umber|Titl(?=Fed)|Fed|Games(?=Born)|\S+")
_MONTH = re.compile(r"[A-Za-z]{3}[0-9]{2}")
_HIGHEST = 4000
_TEXT_RATING = {Rate.CLASSICAL: "SRtng", Rate.RAPID: "RRtng", Rate.BLITZ: "BRtng"}
_XML_RATING = {Rate.CLASSICAL: "rating", Rate.RAPID: "rapid_rating", Rate.BLITZ: "blitz_rating"}
_TEXT_K = {Rate.CLASSICAL: "SK", Rate.RAPID: "RK", Rate.BLITZ: "BK"}
_XML_K = {Rate.CLASSICAL: "k", Rate.RAPID: "rapid_k", Rate.BLITZ: "blitz_k"}
_HIGHEST_K = 200
_XML = "<playerslist"
_HEAD_LINES = 20
_PIECE = 1 << 16
_SURVEYED = 500  # rows at once

Field = Callable[[str], str]
_Columns = tuple[str | None, str, str]
"""A list of the ledger, and the columns of the rating and the K that are its seeds."""


@dataclass(frozen=True, slots=True)
class WantedPlayers:
    """What is wanted of a list.

    Attributes:
        ratings: rates of play, and the list of the ledger whose seeds they are (None: of none);
            the first is the rating of the player, the others are his other ratings.
        federations: whose players, in capitals; all, where there are none.
    """

    ratings: tuple[tuple[Rate, str | None], ...] = ((Rate.CLASSICAL, None),)
    federations: frozenset[str] = frozenset()


def is_fide_list(text: str) -> bool:
    """Whether a document that begins so looks like a FIDE list."""
    head = text[:2000]
    first = head.lstrip().partition("\n")[0]
    is_text = first.lower().startswith("id number") and delimiter_of(first) not in first
    return is_text or _XML in head


def read_fide_list(
    lines: Iterable[str], wanted: WantedPlayers, problems: Problems
) -> Iterator[PlayerSaid]:
    """Yields what the list says of each player; what cannot be read is noted and left out.

    ``lines`` come with their ends.

    Raises:
        InputRefused: it is no such list, or has nobody of the federations.
    """
    lines = iter(lines)
    head = list(islice(lines, _HEAD_LINES))
    is_xml = any(_XML in line for line in head)
    names, ks = (_XML_RATING, _XML_K) if is_xml else (_TEXT_RATING, _TEXT_K)
    columns = [(list_, names[rate], ks[rate]) for rate, list_ in wanted.ratings]
    whole = chain(head, lines)
    fields = _xml(whole) if is_xml else _text(whole, [rate for rate, _ in wanted.ratings])
    players = (
        _player(SourcePlace(line=line), field, columns, problems)
        for line, field in fields
        if not wanted.federations or field("country").upper() in wanted.federations
    )
    nobody = True
    for said in _each_once(players, problems):
        nobody = False
        yield said
    if wanted.federations and nobody and not problems.found:
        raise InputRefused(
            "import.no_federation", federations=", ".join(sorted(wanted.federations))
        )


def _each_once(
    players: Iterable[PlayerSaid | None],
    problems: Problems,
    repeat: Callable[[PlayerSaid, int], None] | None = None,
) -> Iterator[PlayerSaid]:
    """Yields the players that could be read; who comes again is told, and left out."""
    seen: dict[str, int] = {}
    for said in players:
        if said is None:
            continue
        if said.player in seen and repeat is not None:
            repeat(said, seen[said.player])
            continue
        if said.player in seen:
            problems.add(said.place, "csv.player_twice", player=said.player, line=seen[said.player])
            continue
        seen[said.player] = said.place.line
        yield said


def _text(lines: Iterator[str], rates: Collection[Rate]) -> Iterator[tuple[int, Field]]:
    """Yields line number and fields by name of a list in text."""
    header = next(lines, "").rstrip("\r\n")
    if not header:
        raise DocumentRefused("csv.empty")
    columns = _columns(header)
    for rate in rates:
        if _TEXT_RATING[rate].lower() not in columns or "fed" not in columns:
            raise InputRefused("import.no_fide_columns", header=header[:120], rate=rate.value)
    named = {
        "fideid": columns.get("id number"),
        "country": columns["fed"],
        "birthday": columns.get("b-day", columns.get("born")),
    }
    slices: dict[str, slice | None] = {
        **columns,
        **{text: columns.get(text.lower()) for text in (*_TEXT_RATING.values(), *_TEXT_K.values())},
        **named,
    }
    for number, line in enumerate(lines, start=2):
        if line.strip():

            def field(name: str, line: str = line) -> str:
                column = slices.get(name)
                return line[column].strip() if column else ""

            yield number, field


def _columns(header: str) -> dict[str, slice]:
    """Returns where the columns of a list in text stand, by their labels in small letters."""
    labels = list(_LABELS.finditer(header))
    starts = [label.start() for label in labels] + [None]
    columns: dict[str, slice] = {}
    for place, label in enumerate(labels):
        name = _TEXT_RATING[Rate.CLASSICAL] if _MONTH.fullmatch(label[0]) else label[0]
        columns[name.lower()] = slice(starts[place], starts[place + 1])
    return columns


def _xml(lines: Iterable[str]) -> Iterator[tuple[int, Field]]:
    """Yields line number and fields by name of a list in XML.

    FIDE's files have no DOCTYPE, and entities are how a small file becomes an endless one.
    """
    players = _XmlPlayers()
    try:
        for piece in _pieces(lines):
            players.parser.Parse(piece, False)  # noqa: FBT003 - not the end
            while players.read:
                yield players.read.popleft()
        players.parser.Parse("", True)  # noqa: FBT003 - the end
    except expat.ExpatError as error:
        raise InputRefused("import.no_xml", why=error) from error


def _pieces(lines: Iterable[str]) -> Iterator[str]:
    """Yields lines, long ones in pieces: some programs write XML without a line end."""
    for line in lines:
        for start in range(0, len(line), _PIECE):
            yield line[start : start + _PIECE]


class _XmlPlayers:
    """Puts together the elements of players; ``read`` are those that have ended."""

    def __init__(self) -> None:
        self.read: deque[tuple[int, Field]] = deque()
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._begin
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._refuse
        self._line = 0
        self._fields: dict[str, str] = {}
        self._parts: list[str] = []

    def _begin(self, name: str, _: Mapping[str, str]) -> None:
        self._parts.clear()
        if name == "player":
            self._line, self._fields = self.parser.CurrentLineNumber, {}

    def _text(self, text: str) -> None:
        self._parts.append(text)

    def _end(self, name: str) -> None:
        fields = self._fields
        if name == "player":
            self.read.append((self._line, lambda name: fields.get(name, "")))
        else:
            fields.setdefault(name, "".join(self._parts).strip())
        self._parts.clear()

    def _refuse(self, *_: object) -> None:
        raise InputRefused("import.no_xml", why="DOCTYPE")


def _player(
    place: SourcePlace, field: Field, columns: Sequence[_Columns], problems: Problems
) -> PlayerSaid | None:
    """Reads one player, with his rating in each of the lists that ``columns`` name."""
    id_, name = field("fideid"), field("name")
    if not id_.isascii() or not id_.isdigit():
        problems.add(place, "import.no_fide_id", value=id_)
        return None
    ratings: list[RatingSaid] = []
    for list_, rating_column, k_column in columns:
        rating = _figure(place, field, rating_column, _HIGHEST, problems)
        k = _figure(place, field, k_column, _HIGHEST_K, problems)
        if rating is None or k is None:
            return None
        its_k = (k or None) if rating else None
        ratings.append(RatingSaid(list=list_, rating=rating or None, published_k=its_k))
    born = field("birthday")[:4]
    try:
        identity = Identity(
            name=name,
            sex=SEXES.get(field("sex").lower()),
            birth_date=born if born.isascii() and born.isdigit() and int(born) else None,
        )
    except ValidationError as error:
        problems.add(place, "csv.bad_identity", value=name, why=allowed(error.errors()[0]))
        return None
    return PlayerSaid(
        place=place,
        player=id_,
        identity=identity,
        federation=field("country").upper() or None,
        rating=ratings[0].rating,
        published_k=ratings[0].published_k,
        others=tuple(other for other in ratings[1:] if other.rating),
        issued={FIDE: id_},
    )


def _figure(
    place: SourcePlace, field: Field, column: str, most: int, problems: Problems
) -> int | None:
    """Returns the integer in a column, 0 for a blank; None, with a problem, if it is none."""
    written = field(column) or "0"
    figure = integer_in(written, least=0, most=most)
    if figure is None:
        problems.add(place, "csv.no_integer", column=column, value=written, least=0, most=most)
    return figure


def survey_players(
    lines: Iterable[str], headings: Headings = PLAYERS, order: DayOrder | None = None
) -> DocumentTable:
    """Returns the document's table after all of it was looked at: how it writes dates and sexes.

    ``lines`` come with their ends; ``order`` is what was said of its dates. Where it has neither
    column nothing but its header is read.

    Raises:
        InputRefused: the header itself cannot be used.
    """
    table = DocumentTable(lines, headings, Problems(), TableForms(order))
    columns, forms = table.columns, table.forms
    born, sex = columns.get("birth_date"), columns.get("sex")
    if sex is not None:
        forms.look_at_heading_of_sexes(table.header[sex])
    for page in table.pages(_SURVEYED) if (born, sex) != (None, None) else ():
        if born is not None:
            dates = [(fields[born], line) for line, fields in page if len(fields) > born]
            forms.look_at_dates([text for text, _ in dates], [line for _, line in dates])
        if sex is not None:
            forms.look_at_sexes({fields[sex] for _, fields in page if len(fields) > sex})
    return table


def read_players(
    lines: Iterable[str],
    problems: Problems,
    headings: Headings = PLAYERS,
    forms: TableForms | None = None,
    repeat: Callable[[PlayerSaid, int], None] | None = None,
) -> Iterator[PlayerSaid]:
    """Yields what the document says of each player; what cannot be read is noted and left out.

    ``lines`` come with their ends; ``forms`` is what ``survey_players`` found. ``repeat`` is told
    who comes again under an id, and the line before (None: that is a problem).

    Raises:
        InputRefused: the header itself cannot be used.
    """
    players = map(_player_in, rows(lines, headings, problems, forms))
    yield from _each_once(players, problems, repeat)


def _name_in(row: DocumentRow) -> str | None:
    """Returns the name; where family names stand in columns of their own, these before it."""
    given = row.required("name")
    parts = (row.text("family_name"), row.text("second_family_name"))
    family = " ".join(part for part in parts if part)
    return f"{family}, {given}" if given and family else given


def is_federation(text: str) -> bool:
    """Whether a text is the code of a federation: three letters."""
    return re.fullmatch(r"[A-Za-z]{3}", text) is not None


def _player_in(row: DocumentRow) -> PlayerSaid | None:
    is_made = not row.has("id")
    id_ = f" {row.line}" if is_made else row.required("id")  # no id begins with a blank
    erased_on = row.date("erased_on")
    name = id_ if erased_on else _name_in(row)
    written, born, federation = (
        row.text("sex"), row.date_or_year("birth_date"), row.text("federation"),
    )  # fmt: skip
    sex = None if written is None else row.forms.sex(written)
    if written is not None and sex is None:
        row.refuse("sex", row.forms.sex_refusal(written), value=written)
        return None
    if federation is not None and not is_federation(federation):
        row.refuse("federation", "csv.no_federation", value=federation)
        return None
    rating = row.integer("rating", least=0, most=4000)
    k, published_k = (row.integer(name, least=0, most=200) for name in ("k", "published_k"))
    games = row.integer("games", least=0, most=100_000)
    if id_ is None or name is None:
        return None
    issued = {issuer: row.text(f"{issuer}_id") for issuer in (FIDE, NATIONAL, CLUB)}
    ids = {issuer: each for issuer, each in issued.items() if each is not None}
    fide = ids.get(FIDE, "0")
    if not (fide.isascii() and fide.isdigit()):
        row.refuse("fide_id", "import.no_fide_id", value=fide)
        return None
    if is_dummy(name, born, ids):
        row.refuse("name", "csv.no_person", value=name)
        return None
    try:
        identity = Identity.model_validate({"name": name, "birth_date": born, "sex": sex})
        identity = identity.with_ids(ids) if ids else identity
    except ValidationError as error:
        row.refuse("name", "csv.bad_identity", value=name, why=allowed(error.errors()[0]))
        return None
    return PlayerSaid(
        place=row.place("name" if is_made else "id"),
        player=id_,
        number=row.line if is_made else None,
        is_made=is_made,
        identity=identity,
        federation=federation.upper() if federation else None,
        rating=rating or None,
        k=k,
        games=games,
        published_k=published_k,
        club=_body_in(row, "club"),
        region=_body_in(row, "region"),
        licensed_until=row.date("licensed_until"),
        erased_on=erased_on,
        issued=ids,
    )


def _body_in(row: DocumentRow, column: str) -> str | None:
    """Returns a club or region; empty where the document says that there is none."""
    text = row.text(column)
    return None if text is None else CLUB_KIND.read(text)
