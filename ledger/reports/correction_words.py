"""A correction in words: what was wrong, and whom it moved; names stand as people say them."""

from __future__ import annotations

from typing import Final

from ledger.rating.decimal_text import signed
from ledger.reports.cascade import (
    CascadeRow,
    CorrectedItem,
    Correction,
    CorrectionReport,
)
from ledger.reports.statement import PersonRef
from ledger.results import Result, Termination
from ledger.wording import Message

_NAMED: Final = 2  # of those who are moved


def title_of(correction: Correction) -> Message:
    """Returns what was wrong; of several things the first, and how many there are."""
    first = _title(correction.items[0])
    if correction.events == 1:
        return first
    return Message.of("story.several", count=correction.events, first=first)


def _title(item: CorrectedItem) -> Message:
    players = list(dict.fromkeys(map(_family, item.players)))
    about = " – ".join(players) or item.title or item.tournament or ""
    was, now = _ending(item.was), _ending(item.now)
    if item.type == "result.corrected" and was and now and was != now:
        return Message.of("story.was_now", was=was, now=now, about=about)
    kind = Message.of(f"correction.{item.type.replace('.', '_').replace('-', '_')}")
    return Message.of("story.of_kind", kind=kind, about=about) if about else kind


def _ending(result: str | None) -> Message | None:
    """Returns how a game ended; None for what is no result of a game."""
    try:
        read = Result.parse(result or "")
    except ValueError:
        return None
    if read.termination is Termination.FORFEIT:
        return Message.of("story.forfeit", result=str(read))
    if not read.standard:
        return Message.of("story.ruled", result=str(read))
    white, black = read.halves
    if white == black:
        return Message.of("story.draw")
    return Message.of("story.white" if white > black else "story.black")


def lead_of(report: CorrectionReport) -> Message:
    """Returns whom it moved, and by how much: two of them by name, the others counted."""
    if not report.cascade.lists:
        return Message.of("picture.nothing_moves")
    of_list = max(report.cascade.lists, key=lambda each: each.players)
    parties = [each.id for each in report.correction.items[0].players]
    direct = [row for row in of_list.rows if row.id in parties]
    named = sorted(direct, key=lambda row: parties.index(row.id)) or of_list.rows[:_NAMED]
    moves = ", ".join(f"{_spoken(row)} {_points(row)}" for row in named)
    others = [row.size for row in of_list.rows if row not in named]
    if not others:
        return Message.of("story.moved", list=of_list.list, moves=moves)
    return Message.of(
        "story.moved_more", list=of_list.list, moves=moves, most=max(others),
        count=of_list.players - len(named),
    )  # fmt: skip


def _points(row: CascadeRow) -> str:
    cells = [cell for cell in row.cells if cell is not None]
    largest = max(cells, key=lambda cell: abs(cell.points or 0))
    return signed(largest.points) or f"{largest.before or '–'} → {largest.after or '–'}"


def _family(person: PersonRef) -> str:
    return (person.name or person.id or "").partition(",")[0]


def _spoken(row: CascadeRow) -> str:
    """Returns a name as it is said: ``Soto, Ana`` as ``Ana Soto``."""
    family, _, given = (row.name or row.id).partition(",")
    return f"{given.strip()} {family}".strip()
