"""Reads FIDE's rating list as it is downloaded: text of fixed width, or XML.

The text's layout has changed over the years, so its columns are taken from its header line. Of a
player the list gives number, name, federation, sex, birth year, and of one rate of play rating and
K. Its number of games is that of the list's own period, not of all before it, and is left aside.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from xml.etree import ElementTree as ET

from pydantic import ValidationError

from ledger.errors import InputRefused
from ledger.events.personal import Identity
from ledger.intake.documents import Place, PlayerSaid
from ledger.intake.tabular import Problems, integer_in
from ledger.terms import Rate

# Older headers write some labels without a blank between.
_LABELS = re.compile(r"ID [Nn]umber|Titl(?=Fed)|Fed|Games(?=Born)|\S+")
_MONTH = re.compile(r"[A-Za-z]{3}[0-9]{2}")
_HIGHEST = 4000
_TEXT_RATING = {Rate.CLASSICAL: "SRtng", Rate.RAPID: "RRtng", Rate.BLITZ: "BRtng"}
_XML_RATING = {Rate.CLASSICAL: "rating", Rate.RAPID: "rapid_rating", Rate.BLITZ: "blitz_rating"}
_TEXT_K = {Rate.CLASSICAL: "SK", Rate.RAPID: "RK", Rate.BLITZ: "BK"}
_XML_K = {Rate.CLASSICAL: "k", Rate.RAPID: "rapid_k", Rate.BLITZ: "blitz_k"}
_HIGHEST_K = 200
_SEXES = {"M": "m", "F": "w", "W": "w"}
_XML = "<playerslist"

Field = Callable[[str], str]


def is_fide_list(text: str) -> bool:
    """Whether a document looks like a FIDE list."""
    head = text[:2000]
    return head.lstrip().lower().startswith("id number") or _XML in head


def read_fide_list(text: str, rate: Rate, problems: Problems) -> list[PlayerSaid]:
    """Reads the whole list; what cannot be read is noted and left out.

    Args:
        text: the document.
        rate: whose ratings are wanted.
        problems: takes what is wrong.
    """
    xml = _XML in text[:2000]
    fields = _xml(text) if xml else _text(text, rate)
    columns = (_XML_RATING[rate], _XML_K[rate]) if xml else (_TEXT_RATING[rate], _TEXT_K[rate])
    players: list[PlayerSaid] = []
    seen: dict[str, int] = {}
    for line, field in fields:
        said = _player(Place(line=line), field, columns, problems)
        if said is None:
            continue
        if said.player in seen:
            problems.add(said.place, "csv.player_twice", player=said.player, line=seen[said.player])
            continue
        seen[said.player] = line
        players.append(said)
    return players


def _text(text: str, rate: Rate) -> Iterator[tuple[int, Field]]:
    """Yields line number and fields by name of a list in text."""
    lines = text.splitlines()
    if not lines:
        raise InputRefused("csv.empty")
    labels = list(_LABELS.finditer(lines[0]))
    starts = [label.start() for label in labels] + [None]
    columns: dict[str, slice] = {}
    for place, label in enumerate(labels):
        name = _TEXT_RATING[Rate.CLASSICAL] if _MONTH.fullmatch(label[0]) else label[0]
        columns[name.lower()] = slice(starts[place], starts[place + 1])
    if _TEXT_RATING[rate].lower() not in columns or "fed" not in columns:
        raise InputRefused("import.no_fide_columns", header=lines[0][:120], rate=rate.value)
    named = {
        "fideid": "id number",
        "country": "fed",
        "birthday": "b-day" if "b-day" in columns else "born",
    }
    for number, line in enumerate(lines[1:], start=2):
        if line.strip():

            def field(name: str, line: str = line) -> str:
                column = columns.get(named.get(name, name).lower())
                return line[column].strip() if column else ""

            yield number, field


def _xml(text: str) -> Iterator[tuple[int, Field]]:
    """Yields a count (from 1) and fields by name of a list in XML."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        # FIDE's files have none, and entities are how a small file becomes an endless one.
        raise InputRefused("import.no_xml", why="DOCTYPE")
    try:
        root = ET.fromstring(text)  # noqa: S314 - no entities: refused above
    except ET.ParseError as error:
        raise InputRefused("import.no_xml", why=str(error)) from error
    for count, player in enumerate(root.iter("player"), start=1):

        def field(name: str, player: ET.Element = player) -> str:
            return (player.findtext(name) or "").strip()

        yield count, field


def _player(
    place: Place, field: Field, columns: tuple[str, str], problems: Problems
) -> PlayerSaid | None:
    """Reads one player; ``columns`` are those of the rating and of the K published with it."""
    id_, name = field("fideid"), field("name")
    if not id_.isascii() or not id_.isdigit():
        problems.add(place, "import.no_fide_id", value=id_)
        return None
    figures: list[int] = []
    for column, most in zip(columns, (_HIGHEST, _HIGHEST_K), strict=True):
        written = field(column) or "0"
        figure = integer_in(written, least=0, most=most)
        if figure is None:
            problems.add(place, "csv.no_integer", column=column, value=written, least=0, most=most)
            return None
        figures.append(figure)
    rating, k = figures
    born = field("birthday")[:4]
    try:
        identity = Identity.model_validate(
            {
                "name": name,
                "sex": _SEXES.get(field("sex").upper()),
                "birth_date": born if born.isascii() and born.isdigit() and int(born) else None,
            }
        )
    except ValidationError as error:
        problems.add(place, "csv.bad_identity", value=name, why=error.errors()[0]["msg"])
        return None
    return PlayerSaid(
        place=place,
        player=id_,
        identity=identity,
        federation=field("country").upper() or None,
        rating=rating or None,
        published_k=(k or None) if rating else None,
    )
