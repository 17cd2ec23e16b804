"""Reads the tournament's own records: TRF16 012-132, TRF26 142, 192 and 222, and XXR.

The system (092 and 192) and the rate of play (122 and 222) are told from words, where that can be.
The rate of play follows from the time each player has for 60 moves (FIDE Laws of Chess, Appendices
A and B): 60 minutes or more is classical, 10 or less blitz, anything between rapid.
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

MOST_ROUNDS: Final = 999
_NOTHING: Final = Cell(text="", line=0, column=0)
_MOVES: Final = 60
_CLASSICAL_FROM: Final = 60 * 60  # seconds
_BLITZ_TO: Final = 10 * 60  # seconds
_LONGEST_MINUTES: Final = 180  # a bare "5400+30" says seconds, and a bare "90+30" minutes

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
_WORDS: Final = (
    (Rate.BLITZ, re.compile(r"blitz|rel[aá]mpago", re.IGNORECASE)),
    (Rate.RAPID, re.compile(r"rapid|r[aá]pid[oa]|activ[eo]", re.IGNORECASE)),
    (Rate.CLASSICAL, re.compile(r"standard|classical|cl[aá]sic[oa]", re.IGNORECASE)),
)
_SAID: Final = re.compile(r"rate of play: (classical|rapid|blitz)", re.IGNORECASE)
_STANDARD: Final = re.compile("standard", re.IGNORECASE)
_CLOCK: Final = re.compile(r"\b([0-9]):([0-5][0-9])\b", re.ASCII)
_MOVES_IN: Final = re.compile(r"\b[2-6][0-9]\s*/\s*((?:[6-9]|1[0-9])[0-9])\b", re.ASCII)
_HOURS: Final = re.compile(r"([0-9]{1,2})\s*h", re.IGNORECASE)
_MINUTES: Final = re.compile(r"([0-9]{1,3})\s*(?:min|m\b|['´′](?!['´′]))", re.IGNORECASE)
_SECONDS: Final = re.compile(r"([0-9]{1,3})\s*(?:sec|seg|s\b|[\"″]|['´′]{2})", re.IGNORECASE)
_BARE: Final = re.compile(r"([0-9]{1,3})\s*\+\s*([0-9]{1,3})")
_ALONE: Final = re.compile(r"[6-9]0|1[0-8][05]", re.ASCII)  # minutes: nothing else has as many
_PERIOD: Final = re.compile(r"(?:(\d{1,3})/)?(\d{1,6})(?:\+(\d{1,4}))?", re.ASCII)


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
        rate_of_play=rate_of_play_of(time_control, of.get("222", _NOTHING).text, type_),
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


def rate_of_play_of(words: str | None, coded: str | None, type_: str | None = None) -> Rate | None:
    r"""Returns the rate of play of a tournament.

    Args:
        words: record 122, free text.
        coded: record 222, for example ``40/6000+30:900+30``; goes before the words.
        type_: record 092: goes before both where it says ``rate of play: rapid``, and where these
            do not tell a word like ``rapid`` in it does. ``Standard`` in it tells nothing: that is
            what a program calls a kind of Swiss.

    >>> rate_of_play_of("15' + 10\"", None)
    <Rate.RAPID: 'rapid'>
    """
    said = _SAID.search(type_ or "")
    if said:
        return Rate(said[1].lower())
    seconds = seconds_told(words, coded)
    if seconds is None:
        typed = _STANDARD.sub("", type_ or "")
        return _named(words or "") or _named(typed)
    if seconds >= _CLASSICAL_FROM:
        return Rate.CLASSICAL
    return Rate.BLITZ if seconds <= _BLITZ_TO else Rate.RAPID


def seconds_told(words: str | None, coded: str | None) -> int | None:
    """Returns the seconds that each player has for 60 moves; None where nothing tells it."""
    seconds = _coded_seconds(coded or "")
    return _told_seconds(words or "") if seconds is None else seconds


def _named(words: str) -> Rate | None:
    return next((rate for rate, word in _WORDS if word.search(words)), None)


def _coded_seconds(coded: str) -> int | None:
    """Returns the seconds for 60 moves of a coded time control; None for unequal sides."""
    left, total = _MOVES, 0
    for period in coded.strip().split(":"):
        found = _PERIOD.fullmatch(period)
        if not found:
            return None
        moves = min(int(found[1] or left), left)
        total += int(found[2]) + int(found[3] or 0) * moves
        left -= moves
        if left == 0:
            break
    return total


def _told_seconds(words: str) -> int | None:
    """Returns the seconds for 60 moves of a time control in words; None where it does not tell."""
    minutes = sum(60 * int(hours) for hours in _HOURS.findall(words))
    minutes += sum(60 * int(hours) + int(rest) for hours, rest in _CLOCK.findall(words))
    minutes += sum(int(each) for each in _MINUTES.findall(words))
    # "40/120": forty moves in as many minutes.
    minutes = minutes or sum(int(each) for each in _MOVES_IN.findall(words))
    if minutes:
        return 60 * minutes + _MOVES * sum({int(each) for each in _SECONDS.findall(words)})
    if _ALONE.fullmatch(words.strip()):
        return 60 * int(words)
    bare = _BARE.fullmatch(words.strip())
    if bare and int(bare[1]) <= _LONGEST_MINUTES:
        return 60 * int(bare[1]) + _MOVES * int(bare[2])
    return None
