"""Reads games: one row a game, ``tournament,name,…,round,date,white,black,result``.

The tournament's own columns may be given on its first row only. A row with one player and a bye
code (``U F H Z``) for a result is a round without opponent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ledger.intake.csv_table import DocumentRow
from ledger.intake.documents import ByeSaid, GameSaid, SourcePlace, TournamentSaid
from ledger.results import BYE_OF_LETTER, Result
from ledger.terms import Rate, System

ABOUT = ("name", "start", "end", "system", "rate_of_play", "merit")
RATES = {
    **{rate.value: rate for rate in Rate},
    "standard": Rate.CLASSICAL,
    "clásico": Rate.CLASSICAL,
    "clasico": Rate.CLASSICAL,
    "rápido": Rate.RAPID,
    "rapido": Rate.RAPID,
    "relámpago": Rate.BLITZ,
    "relampago": Rate.BLITZ,
}
SYSTEMS = {
    **{system.value: system for system in System},
    "suizo": System.SWISS,
    "todos contra todos": System.ROUND_ROBIN,
    "encuentro": System.MATCH,
    "suizo por equipos": System.TEAM_SWISS,
}


@dataclass(slots=True)
class _Draft:
    """A tournament while its rows are being read; ``about`` holds each column as first given."""

    place: SourcePlace
    about: dict[str, str] = field(default_factory=dict)
    row: DocumentRow | None = None
    entries: dict[str, SourcePlace] = field(default_factory=dict)
    games: list[GameSaid] = field(default_factory=list)
    byes: list[ByeSaid] = field(default_factory=list)


def tournaments_of(rows_: Iterable[DocumentRow], unnamed: str = "") -> list[TournamentSaid]:
    """Puts rows together to tournaments; what cannot be read is noted and left out.

    Rows that name no tournament are those of ``unnamed``, where that is supplied.
    """
    drafts: dict[str, _Draft] = {}
    for row in rows_:
        tournament = row.text("tournament") or unnamed or row.required("tournament")
        if tournament is not None:
            draft = drafts.setdefault(tournament, _Draft(row.place("tournament")))
            _about(draft, row)
            _round(draft, row)
    return [_tournament(name, draft) for name, draft in drafts.items()]


def _about(draft: _Draft, row: DocumentRow) -> None:
    """Takes the tournament's columns of a row; they may not contradict an earlier row."""
    if draft.row is None:
        draft.row = row
    for column in ABOUT:
        value = row.text(column)
        if value is None:
            continue
        before = draft.about.setdefault(column, value)
        if before != value:
            row.refuse(column, "csv.contradicts", value=value, before=before)


def _round(draft: _Draft, row: DocumentRow) -> None:
    round_ = row.integer("round", least=1, most=999) if row.required("round") else None
    result = row.required("result")
    played_on = row.date("date")
    white, black = row.text("white"), row.text("black")
    if round_ is None or result is None:
        return
    if result.upper() in BYE_OF_LETTER:
        if (white is None) == (black is None):
            row.refuse("black", "csv.bye_needs_one", result=result)
            return
        column = "white" if white else "black"
        player = white or black or ""
        draft.entries.setdefault(player, row.place(column))
        kind = BYE_OF_LETTER[result.upper()]
        place = row.place(column)
        draft.byes.append(ByeSaid(place=place, round=round_, player=player, kind=kind))
        return
    if white is None or black is None:
        row.refuse("black" if white else "white", "csv.opponent_missing", result=result)
        return
    read = result_in(result)
    if read is None:
        row.refuse("result", "csv.no_result", value=result)
        return
    draft.entries.setdefault(white, row.place("white"))
    draft.entries.setdefault(black, row.place("black"))
    draft.games.append(
        GameSaid(
            place=row.place("result"),
            round=round_,
            white=white,
            black=black,
            result=read,
            played_on=played_on,
        )
    )


def _tournament(name: str, draft: _Draft) -> TournamentSaid:
    row = draft.row
    assert row is not None, "a draft begins with its first row"
    said = about_tournament(name, draft.place, row.reading(draft.about))
    return replace(
        said,
        entries=tuple((place, player, None) for player, place in draft.entries.items()),
        games=tuple(draft.games),
        byes=tuple(draft.byes),
    )


def about_tournament(name: str, place: SourcePlace, about: DocumentRow) -> TournamentSaid:
    """Reads the tournament's own columns; without its rounds."""
    read = {
        "start": (start := about.date("start")),
        "end": (end := about.date("end")),
        "system": (system := about.choice("system", SYSTEMS)),
        "rate_of_play": (rate := about.choice("rate_of_play", RATES)),
    }
    return TournamentSaid(
        place=place,
        tournament=name,
        name=about.text("name"),
        starts_on=start,
        ends_on=end,
        system=system,
        rate_of_play=rate,
        unread=tuple(each for each in read if read[each] is None and about.text(each)),
        merit_hundredths=about.hundredths("merit"),
        whole=False,
        adjudications=True,
    )


def result_in(text: str) -> Result | None:
    """Reads a result, ``1-0``; None when it is none (see ``Result.parse``)."""
    try:
        return Result.parse(text)
    except ValueError:
        return None
