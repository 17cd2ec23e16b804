"""Reads the players: 001 records with their rounds, and national rating records (TRF26)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from ledger.intake.trf.cells import Notes
from ledger.intake.trf.days import Days
from ledger.intake.trf.layout import PlayerField, RoundField
from ledger.intake.trf.records import Cell, Record
from ledger.intake.trf.report import Code, Colour, NationalRating, Player, RoundCell

MOST_PLAYERS: Final = 9999
_TITLES: Final = {
    "GM": "GM", "IM": "IM", "FM": "FM", "CM": "CM",
    "WGM": "WGM", "WIM": "WIM", "WFM": "WFM", "WCM": "WCM",
    # Older files have one letter, or two for the women's titles.
    "G": "GM", "M": "IM", "F": "FM", "C": "CM", "WG": "WGM", "WM": "WIM", "WF": "WFM", "WC": "WCM",
}  # fmt: skip


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
    before = len(notes.faults)
    opponent = notes.number(opponent_cell, most=MOST_PLAYERS) or None
    colour = None
    if colour_cell.text not in ("", "-"):
        try:
            colour = Colour(colour_cell.text.lower())
        except ValueError:
            notes.refuse(colour_cell, "trf.no_colour")
    code = None
    if code_cell.text:
        try:
            code = Code(code_cell.text.upper())
        except ValueError:
            notes.refuse(code_cell, "trf.no_result")
    return RoundCell(
        round=at + 1,
        opponent=opponent,
        colour=colour,
        code=code,
        line=record.line,
        column=opponent_cell.column,
        readable=len(notes.faults) == before,
    )
