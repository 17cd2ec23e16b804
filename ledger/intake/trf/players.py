"""Reads players and teams: one kind of record each into the values of ``report``.

001 with its rounds and national ratings are players, 013 (TRF16) and 310 (TRF26) teams. 240 (byes),
299 (points) and 330 (forfeits) name players or teams by number. Abnormal points and forfeited
matches of teams change standings, never a rating: they are read, kept and reported. Other records
of TRF26 (acceleration, prohibited pairings, …) stay as lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from ledger.intake.trf.cells import Notes
from ledger.intake.trf.days import Days
from ledger.intake.trf.header import MOST_ROUNDS
from ledger.intake.trf.layout import (
    ByeField,
    ForfeitField,
    MemberNumber,
    PlayerField,
    PointsField,
    RoundField,
    Team26Field,
    TeamField,
)
from ledger.intake.trf.records import Cell, Record
from ledger.intake.trf.report import (
    AbnormalPoints,
    Code,
    ForfeitedMatch,
    GrantedByes,
    Member,
    NationalRating,
    Player,
    RoundCell,
    Team,
)
from ledger.terms import Colour

MOST_PLAYERS: Final = 9999
_TITLES: Final = {
    "GM": "GM", "IM": "IM", "FM": "FM", "CM": "CM",
    "WGM": "WGM", "WIM": "WIM", "WFM": "WFM", "WCM": "WCM",
    # Older files have one letter, or two for the women's titles.
    "G": "GM", "M": "IM", "F": "FM", "C": "CM", "WG": "WGM", "WM": "WIM", "WF": "WFM", "WC": "WCM",
}  # fmt: skip
MOST_TEAMS: Final = 999
_COLOURS: Final = {colour.value: colour for colour in Colour}
_CODES: Final = {code.value: code for code in Code}
_GRANTED: Final = {"F": Code.FULL_BYE, "H": Code.HALF_BYE, "Z": Code.ZERO_BYE}
_ABNORMAL: Final = frozenset(("", "W", "D", "L", "F", "H", "Z", "+", "-"))
_FORFEITS: Final = ("+-", "-+", "--")


def read_player(record: Record, days: Days, notes: Notes) -> Player | None:
    """Reads a 001 record; None where its start number cannot be read."""
    number = _start_number(record, notes)
    name_cell = record.cell(PlayerField.NAME)
    name = notes.text(name_cell)
    if not name_cell.text:
        notes.refuse(name_cell, "trf.no_name")
    player = Player(
        number=number or 0,
        name=name or "",
        sex=_sex(record.cell(PlayerField.SEX), notes),
        title=_title(record.cell(PlayerField.TITLE), notes),
        rating=notes.number(record.cell(PlayerField.RATING)) or None,
        federation=notes.federation(record.cell(PlayerField.FEDERATION)),
        fide_id=_fide_id(record.cell(PlayerField.FIDE_NUMBER), notes),
        birth=days.birth(record.cell(PlayerField.BIRTH), notes),
        points=notes.points(record.cell(PlayerField.POINTS)),
        rank=notes.number(record.cell(PlayerField.RANK)),
        rounds=tuple(_entry(record, at, notes) for at in range(len(record.groups))),
        line=record.line,
    )
    return player if number else None


def read_national_rating(record: Record, notes: Notes) -> NationalRating | None:
    """Reads a national rating record; None where its start number cannot be read."""
    number = _start_number(record, notes)
    rating = notes.number(record.cell(PlayerField.RATING)) or None
    if number is None:
        return None
    return NationalRating(
        federation=record.code,
        number=number,
        rating=rating,
        national_id=record.cell(PlayerField.FIDE_NUMBER).text or None,
        line=record.line,
    )


def national_duplicates(found: Iterable[NationalRating], notes: Notes) -> None:
    """Notes players with two national ratings in one federation."""
    seen: dict[tuple[str, int], NationalRating] = {}
    for each in found:
        first = seen.setdefault((each.federation, each.number), each)
        if first is not each:
            cell = Cell(text=str(each.number), line=each.line, column=PlayerField.NUMBER.first)
            notes.refuse(cell, "trf.number_twice", first=first.line)


def _start_number(record: Record, notes: Notes) -> int | None:
    cell = record.cell(PlayerField.NUMBER)
    if not cell.text:
        notes.refuse(cell, "trf.no_start_number")
    return notes.number(cell, least=1, most=MOST_PLAYERS)


def _sex(cell: Cell, notes: Notes) -> Literal["m", "w"] | None:
    match cell.text.lower():
        case "":
            return None
        case "m":
            return "m"
        case "w":
            return "w"
        case "f":
            notes.tolerate(cell, "trf.sex_f")
            return "w"
        case _:
            notes.tolerate(cell, "trf.no_sex")
            return None


def _title(cell: Cell, notes: Notes) -> str | None:
    title = _TITLES.get(cell.text.upper())
    if cell.text and title is None:
        notes.tolerate(cell, "trf.no_title")
    elif title is not None and title != cell.text:
        notes.tolerate_all(cell, "trf.old_title", read=title)
    return title


def _fide_id(cell: Cell, notes: Notes) -> str | None:
    """Returns the FIDE number without leading zeros; 0 and blank are none."""
    if not cell.text.isascii() or not cell.text.isdigit():
        if cell.text:
            notes.refuse(cell, "trf.no_fide_number")
        return None
    return cell.text.lstrip("0") or None


def _entry(record: Record, at: int, notes: Notes) -> RoundCell:
    """Reads one round of a player; ``at`` counts rounds from 0."""
    opponent_cell = record.cell(RoundField.OPPONENT, at)
    colour_cell = record.cell(RoundField.COLOUR, at)
    code_cell = record.cell(RoundField.RESULT, at)
    before = len(notes.faults.found)
    opponent = notes.number(opponent_cell, most=MOST_PLAYERS) or None
    colour = code = None
    if colour_cell.text not in ("", "-"):
        colour = _COLOURS.get(colour_cell.text.lower())
        if colour is None:
            notes.refuse(colour_cell, "trf.no_colour")
    if code_cell.text:
        code = _CODES.get(code_cell.text.upper())
        if code is None:
            notes.refuse(code_cell, "trf.no_result")
    return RoundCell(
        round=at + 1,
        opponent=opponent,
        colour=colour,
        code=code,
        line=record.line,
        column=opponent_cell.column,
        readable=len(notes.faults.found) == before,
    )


def read_team(record: Record, notes: Notes) -> Team | None:
    """Reads a 013 record (TRF16); None where it has no name."""
    cell = record.cell(TeamField.NAME)
    name = _required_name(cell, notes)
    players = _members(record.repeated(MemberNumber.OF_TEAM), notes)
    return Team(name=name, number=None, players=players, line=record.line) if name else None


def read_team26(record: Record, notes: Notes) -> Team | None:
    """Reads a 310 record (TRF26); None where it has no number or name."""
    number = notes.number(record.cell(Team26Field.NUMBER), least=1, most=MOST_TEAMS)
    if not record.cell(Team26Field.NUMBER).text:
        notes.refuse(record.cell(Team26Field.NUMBER), "trf.no_start_number")
    name = _required_name(record.cell(Team26Field.NAME), notes)
    players = _members(record.repeated(MemberNumber.OF_TEAM26), notes)
    if number is None or name is None:
        return None
    return Team(name=name, number=number, players=players, line=record.line)


def read_granted_byes(record: Record, notes: Notes) -> GrantedByes | None:
    """Reads a 240 record; None where its kind or round cannot be read."""
    kind = record.cell(ByeField.TYPE)
    code = _GRANTED.get(kind.text.upper())
    if code is None:
        notes.refuse(kind, "trf.no_bye_type")
    round_ = _round(record.cell(ByeField.ROUND), notes)
    numbers = _members(record.repeated(MemberNumber.OF_BYE), notes)
    if code is None or round_ is None:
        return None
    return GrantedByes(code=code, round=round_, numbers=numbers, line=record.line)


def read_abnormal_points(record: Record, notes: Notes) -> AbnormalPoints | None:
    """Reads a 299 record; None where its type is none."""
    type_ = record.cell(PointsField.TYPE)
    if type_.text.upper() not in _ABNORMAL:
        notes.refuse(type_, "trf.no_points_type")
        return None
    # Round 000, or none, means all rounds.
    round_ = notes.number(record.cell(PointsField.ROUND), most=MOST_ROUNDS) or None
    return AbnormalPoints(
        type=type_.text.upper(),
        match_points=notes.points(record.cell(PointsField.MATCH_POINTS)),
        points=notes.points(record.cell(PointsField.POINTS)),
        round=round_,
        numbers=_members(record.repeated(MemberNumber.OF_POINTS), notes),
        line=record.line,
    )


def read_forfeited_match(record: Record, notes: Notes) -> ForfeitedMatch | None:
    """Reads a 330 record; None where any of its fields cannot be read."""
    type_ = record.cell(ForfeitField.TYPE)
    if type_.text not in _FORFEITS:
        notes.refuse(type_, "trf.no_forfeit_type")
    round_ = _round(record.cell(ForfeitField.ROUND), notes)
    white = _members([record.cell(ForfeitField.WHITE)], notes)
    black = _members([record.cell(ForfeitField.BLACK)], notes)
    if type_.text not in _FORFEITS or round_ is None or not white or not black:
        return None
    return ForfeitedMatch(
        type=type_.text, round=round_, white=white[0], black=black[0], line=record.line
    )


def _required_name(cell: Cell, notes: Notes) -> str | None:
    if not cell.text:
        notes.refuse(cell, "trf.no_name")
    return notes.text(cell)


def _round(cell: Cell, notes: Notes) -> int | None:
    if not cell.text:
        notes.refuse(cell, "trf.no_round")
    return notes.number(cell, least=1, most=MOST_ROUNDS)


def _members(cells: Iterable[Cell], notes: Notes) -> tuple[Member, ...]:
    """Returns the numbers in the cells; 0000 and blank are none."""
    numbers = ((cell, notes.number(cell)) for cell in cells)
    return tuple(
        Member(number=number, line=cell.line, column=cell.column)
        for cell, number in numbers
        if number
    )
