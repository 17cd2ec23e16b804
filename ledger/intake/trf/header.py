"""Reads the tournament's own records: TRF16 012-132, TRF26 142, 192 and 222, and XXR.

The system (092 and 192) and the rate of play (122 and 222) are told from words, where that can be.
The rate of play follows from the time control (see ``ledger.time_control``); one that is not
understood whole tells none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ledger.intake.trf.cells import Notes
from ledger.intake.trf.dates import Course
from ledger.intake.trf.layout import ONCE, Rest
from ledger.intake.trf.records import Cell, Record
from ledger.intake.trf.report import Tournament
from ledger.terms import Rate, System
from ledger.time_control import named_rates, rate_of_play_of

MOST_ROUNDS: Final = 999
_NOTHING: Final = Cell(text="", line=0, column=0)

_INDIVIDUAL: Final = re.compile(r"individual", re.IGNORECASE)
_TEAM: Final = re.compile(r"team|equipo|mannschaft", re.IGNORECASE)
_SYSTEMS: Final = (
    (
        System.ROUND_ROBIN,
        re.compile(
            r"round.?robin|all.?play.?all|berger|tod[oa]s contra tod[oa]s|rundenturnier",
            re.IGNORECASE,
        ),
    ),
    (
        System.SWISS,
        re.compile(
            r"swiss|suizo|schweizer|dutch|dubov|burstein|\blim\b|baku|team type|olympiad",
            re.IGNORECASE,
        ),
    ),
    # A league plays all against all, unless the text says that it is a Swiss.
    (System.ROUND_ROBIN, re.compile(r"\bliga\b|\bleague\b", re.IGNORECASE)),
    (System.MATCH, re.compile(r"\bmatch\b|\bduelo\b", re.IGNORECASE)),
)
_SAID: Final = re.compile(r"rate of play: (classical|rapid|blitz)", re.IGNORECASE)
_STANDARD: Final = re.compile("standard", re.IGNORECASE)


def read_tournament(records: Iterable[Record], course: Course, notes: Notes) -> Tournament:
    """Reads the tournament from a file's records; what is wrong or odd is noted.

    ``records`` are all of the file; ``course`` says what its dates mean.
    """
    found: dict[str, Record] = {}
    deputies: list[Cell] = []
    for record in records:
        if record.code == "112":
            deputies.append(record.cell(Rest.TEXT))
        if record.code in ONCE and record.code in found:
            cell = Cell(text=record.code, line=record.line, column=1)
            notes.refuse(cell, "trf.record_twice", first=found[record.code].line)
        elif record.code in ONCE:
            found[record.code] = record
    of = {code: record.cell(Rest.TEXT) for code, record in found.items() if code != "132"}
    if course.start and course.end and course.end < course.start and "052" in of:
        notes.refuse(of["052"], "trf.ends_before_start", start=course.start.isoformat())
    type_ = notes.text(of.get("092", _NOTHING))
    time_control = notes.text(of.get("122", _NOTHING))
    return Tournament(
        name=notes.text(of.get("012", _NOTHING)),
        city=notes.text(of.get("022", _NOTHING)),
        federation=notes.federation(of.get("032", _NOTHING)),
        starts_on=course.start,
        ends_on=course.end,
        players=_declared_players(of.get("062", _NOTHING)),
        type=type_,
        system=system_of(type_, of.get("192", _NOTHING).text),
        time_control=time_control,
        rate_of_play=rate_of_play_in(time_control, of.get("222", _NOTHING).text, type_),
        chief_arbiter=notes.text(of.get("102", _NOTHING)),
        deputies=tuple(filter(None, map(notes.text, deputies))),
        rounds=_rounds(of.get("142", _NOTHING), of.get("XXR", _NOTHING), notes),
        round_dates=course.rounds,
    )


def _rounds(standard: Cell, extension: Cell, notes: Notes) -> int | None:
    """Returns the rounds announced by 142, or by XXR; two that differ are a fault."""
    announced = notes.number(standard, least=1, most=MOST_ROUNDS)
    extended = notes.number(extension, least=1, most=MOST_ROUNDS)
    if announced and extended and announced != extended:
        notes.refuse(extension, "trf.rounds_contradict", announced=announced, line=standard.line)
    return announced or extended


def _declared_players(cell: Cell) -> int | None:
    """Returns the number of players of 062; other texts (``52 (41)``) say nothing."""
    text = cell.text.strip(" ")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= len("9999") else None


def system_of(type_: str | None, coded: str | None) -> System | None:
    """Returns the system that 092 and 192 name; None for one the ledger has no word for.

    Where 092 says ``Individual``, it is told by that alone.
    """
    texts = (type_,) if _INDIVIDUAL.search(type_ or "") else (type_, coded)
    text = " ".join(filter(None, texts)).replace("_", " ")
    system = next((system for system, word in _SYSTEMS if word.search(text)), None)
    if not _TEAM.search(text):
        return system
    return System.TEAM_SWISS if system is System.SWISS else None


def rate_of_play_in(words: str | None, coded: str | None, type_: str | None) -> Rate | None:
    """Return the rate of play of a tournament; None where nobody can tell it.

    Args:
        words: record 122, free text.
        coded: record 222, for example ``40/6000+30:900+30``; goes before the words.
        type_: record 092: goes before both where it says ``rate of play: rapid``, and where these
            do not tell a word like ``rapid`` in it does. ``Standard`` in it tells nothing: that is
            what a program calls a kind of Swiss.
    """
    typed = _SAID.search(type_ or "")
    if typed:
        return Rate(typed[1].lower())
    rates = named_rates(_STANDARD.sub("", type_ or ""))
    return rate_of_play_of(words, coded) or (rates.pop() if len(rates) == 1 else None)
