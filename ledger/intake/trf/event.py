"""A report as an event to check: its rounds as a score sheet, and the rules that it declares.

Rules are those of TRF26 (142, 152, 162, 192, 202 or 212, 250, 260), or of the extensions that
programs write into TRF16 (XXR, XXC, XXS, XXA, XXP), and what comments of this one say.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from ledger.desk.checker import DeclaredEvent
from ledger.desk.pairing.proposal import PairingRules
from ledger.desk.pairing.registry import pairing_system
from ledger.desk.score_sheet import Card, CardLine, How, ScoreSheet
from ledger.desk.tie_breaks.registry import announced
from ledger.desk.tie_breaks.tie_break import TieBreak
from ledger.errors import InputRefused, Problem
from ledger.intake.trf.check import check
from ledger.intake.trf.desk_comments import BY_RATING, DeskComments, desk_comments
from ledger.intake.trf.layout import Rest
from ledger.intake.trf.pairings import granted, pairs
from ledger.intake.trf.points import Scoring, scoring_of, worth
from ledger.intake.trf.records import Cell, Record
from ledger.intake.trf.report import BOARD, FORFEIT, SHORT, Code, Player, RoundCell, TrfReport
from ledger.terms import Colour, PairingMethod, System

_CODE: Final = re.compile(r"\b(?:FIDE|BERGER|CUSTOM)_\w+", re.ASCII)
"""A code of FIDE's table of tournament types (TRF26, record 192); some files have it in 092."""
_NAMES: Final = (
    (re.compile(r"FIDE_DUTCH(?:_202[56])?(?:_BAKU)?|\bDUTCH\b"), PairingMethod.DUTCH),
    (
        re.compile(r"(?:BERGER|FIDE)_(?:DOUBLE)?ROUNDROBIN(?:_G[12])?|\bBERGER\b"),
        PairingMethod.BERGER,
    ),
)
_HOW: Final = {
    Code.HALF_BYE: How.HALF_BYE,
    Code.FULL_BYE: How.FULL_BYE,
    Code.ZERO_BYE: How.ZERO_BYE,
    Code.PAIRING_BYE: How.ALLOCATED_BYE,
}
_TIE_BREAKS: Final = ("212", "202")
_NUMBERS_BY: Final = {
    "entry": "check.numbers_by_entry",
    "hand": "check.numbers_by_hand",
    "lot": "check.numbers_by_lot",
    "varma": "check.numbers_by_varma",
}
_STANDARD: Final = {"WW": 2, "BW": 2, "FW": 2, "WD": 1, "BD": 1, "WL": 0, "BL": 0, "FL": 0}
_NUMBERS: Final = re.compile(r"\d+(?:\.\d)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class EventOnFile:
    """An event to check, its name and pairing system, and what of the file is not considered.

    ``system`` is what record 192 says, or 092 in a code, whether or not it can be paired here.
    ``lists_tie_breaks`` says that there is a list of tie-breaks, usable or not.
    """

    declared: DeclaredEvent
    name: str
    pairing: PairingMethod | None
    remarks: tuple[Problem, ...]
    system: str = ""
    lists_tie_breaks: bool = False


def event_on_file(report: TrfReport, pairing: PairingMethod | None = None) -> EventOnFile:
    """Returns a report as an event to check.

    ``pairing`` is its pairing system (default: that of record 192 or 092; None where they name
    none).

    Raises:
        InputRefused: the file is refused, is one of teams, or counts other points than 1, ½ and 0.
    """
    problems = check(report)
    if problems:
        raise InputRefused("check.refused", *problems, file="", count=len(problems))
    if report.of_teams or report.tournament.system is System.TEAM_SWISS:
        raise InputRefused("check.of_teams")
    scoring = scoring_of(report.records)
    if any(scoring[name] * 2 != halves for name, halves in _STANDARD.items()):
        raise InputRefused("check.other_points")
    comments = desk_comments(report)
    pairing = pairing or _pairing(report) or comments.pairing
    remarks: list[Problem] = []
    sheet = _sheet(report, scoring, pairing, comments.ratings)
    declared = DeclaredEvent(
        sheet=sheet,
        rules=replace(
            _rules(report, sheet, remarks),
            bye_lots=comments.bye_lots,
            cycles=comments.cycles,
            exchange_last_rounds=comments.exchange_last_rounds,
        ),
        pair=None if pairing is None else pairing_system(pairing),
        points={
            player.number: int(player.points * 2)
            for player in report.by_number.values()
            if player.points is not None and not report.abnormal_points
        },
        ranks={p.number: p.rank for p in report.by_number.values() if p.rank is not None},
        tie_breaks=_tie_breaks(report, sheet.system, comments.tie_breaks, remarks),
        by_rating=not report.national_ratings
        and pairing is not PairingMethod.BERGER
        and comments.numbers_by == BY_RATING,
        apart=frozenset(comments.apart),
        orders=comments.orders,
        ratings={number: report.by_number[number].rating for number in comments.ratings},
    )
    remarks += _believed(comments)
    remarks += (
        Problem.of("check.abnormal_points", each.line, 1, code="299")
        for each in report.abnormal_points
    )
    return EventOnFile(
        declared,
        report.tournament.name or "",
        pairing,
        tuple(remarks),
        system=_declared_system(report),
        lists_tie_breaks=any(_codes(text) for _, _, text in _texts(report, *_TIE_BREAKS)),
    )


def _believed(comments: DeskComments) -> Iterator[Problem]:
    """Yields what the file's own comments explain, and is believed."""
    if comments.ratings:
        yield Problem.of("check.pairing_ratings", count=len(comments.ratings))
    if comments.numbers_by != BY_RATING:
        yield Problem.of(_NUMBERS_BY[comments.numbers_by])
    if comments.apart:
        yield Problem.of("check.numbers_apart", numbers=", ".join(map(str, comments.apart)))
    for round_ in sorted(comments.orders):
        yield Problem.of("check.numbered_otherwise", round=round_)


def _texts(report: TrfReport, *codes: str) -> Iterator[tuple[Record, Cell, str]]:
    for record in report.records:
        if record.code in codes:
            cell = record.cell(Rest.TEXT)
            yield record, cell, cell.text.strip()


def _declared_system(report: TrfReport) -> str:
    """Return the code or name of the pairing system in 192, else in 092; "" for none.

    What 092 says in words without naming one (``Swiss-System``) is none.
    """
    for code in ("192", "092"):
        for _, _, text in _texts(report, code):
            patterns = (_CODE, *(pattern for pattern, _ in _NAMES))
            names = [name[0] for pattern in patterns if (name := pattern.search(text.upper()))]
            if names or (text and code == "192"):
                return names[0] if names else text
    return ""


def _pairing(report: TrfReport) -> PairingMethod | None:
    system = _declared_system(report)
    return next((method for pattern, method in _NAMES if pattern.fullmatch(system)), None)


# The rounds


def _sheet(
    report: TrfReport,
    scoring: Scoring,
    pairing: PairingMethod | None,
    ratings: Mapping[int, int],
) -> ScoreSheet:
    """Returns the rounds with a pairing; ``ratings`` are those for the pairing that are known."""
    played = max((pair.entry.round for pair in pairs(report)), default=0)
    byes = {(round_, member.number): code for code, round_, member in granted(report)}
    cards = {
        player.number: Card(
            number=player.number,
            player=player.name,
            lines=tuple(
                _line(report, player, round_, scoring, byes) for round_ in range(1, played + 1)
            ),
            rating=ratings.get(player.number, player.rating),
        )
        for player in sorted(report.by_number.values(), key=lambda each: each.number)
    }
    system = report.tournament.system or System.SWISS
    if pairing is not None:
        system = System.ROUND_ROBIN if pairing is PairingMethod.BERGER else System.SWISS
    return ScoreSheet(system, cards, max(report.tournament.rounds or 0, played), played)


def _line(
    report: TrfReport,
    player: Player,
    round_: int,
    scoring: Scoring,
    byes: Mapping[tuple[int, int], Code],
) -> CardLine:
    cell = player.entry(round_)
    if cell is not None and cell.opponent is not None:
        return _game(report, cell, cell.opponent)
    code = (cell.bye if cell else None) or byes.get((round_, player.number))
    if code is None:
        return CardLine(round_, How.UNPAIRED)
    return CardLine(round_, _HOW[code], _halves(worth(code, None, scoring)))


def _game(report: TrfReport, cell: RoundCell, opponent: int) -> CardLine:
    answer = report.by_number[opponent].entry(cell.round)
    colour = cell.colour or (answer.colour.other if answer and answer.colour else None)
    how, halves = How.OPEN, 0
    for codes, found in ((BOARD, How.PLAYED), (SHORT, How.PLAYED), (FORFEIT, How.FORFEIT)):
        if cell.code in codes:
            how, halves = found, codes[cell.code]
    return CardLine(cell.round, how, halves, opponent, colour)


def _halves(points: Decimal) -> int:
    return int(points * 2)


# The rules


def _rules(report: TrfReport, sheet: ScoreSheet, remarks: list[Problem]) -> PairingRules:
    return PairingRules(
        first_colour=_first_colour(report, sheet),
        forbidden=frozenset(_forbidden(report, sheet, remarks)),
        acceleration=_acceleration(report),
    )


def _first_colour(report: TrfReport, sheet: ScoreSheet) -> Colour:
    """Returns the colour that was drawn: as it is said, else that of the first game of round 1."""
    for _, _, text in _texts(report, "152", "XXC"):
        if text[:1].lower() in tuple(Colour):
            return Colour(text[:1].lower())
    lines = (card.line(1) for card in sheet.cards.values())
    return next((line.colour for line in lines if line and line.colour), Colour.WHITE)


def _forbidden(
    report: TrfReport, sheet: ScoreSheet, remarks: list[Problem]
) -> Iterator[frozenset[int]]:
    """Yields the pairs that must not meet; of those who may in some rounds a remark is made."""
    for record, cell, text in _texts(report, "260", "XXP"):
        numbers = [int(number) for number in _NUMBERS.findall(text)]
        if record.code == "260":
            first, last, *numbers = *numbers[:2], *numbers[2:]
            if first > 1 or (last or first) < sheet.rounds:
                remarks.append(Problem.of("check.not_considered", cell.line, 1, code=record.code))
                continue
        for place, one in enumerate(numbers):
            yield from (frozenset((one, other)) for other in numbers[place + 1 :])


def _acceleration(report: TrfReport) -> dict[int, dict[int, int]]:
    """Returns what is added for the pairing, in half points, by round and number."""
    added: dict[int, dict[int, int]] = {}
    for record, _, text in _texts(report, "250", "XXA"):
        values = _NUMBERS.findall(text)
        if record.code == "XXA":
            number, *points = values
            for round_, each in enumerate(points, start=1):
                if halves := _halves(Decimal(each)):
                    added.setdefault(round_, {})[int(number)] = halves
            continue
        # Match points, game points, first and last round, first and last number.
        _, game_points, *places = values
        first_round, last_round, first, last = map(int, places)
        for round_ in range(first_round, last_round + 1):
            for number in range(first, last + 1):
                added.setdefault(round_, {})[number] = _halves(Decimal(game_points))
    return added


def _tie_breaks(
    report: TrfReport, system: System, own: Sequence[str], remarks: list[Problem]
) -> tuple[TieBreak, ...] | None:
    """Returns the announced tie-breaks, without the points; None where there is no usable list.

    ``own`` are those of the file's comments, for there are no codes for all.
    """
    first_day = report.tournament.starts_on or dt.date.max
    for record, cell, text in _texts(report, *_TIE_BREAKS):
        codes = _codes(text)
        try:
            return announced(",".join(codes), first_day, system)
        except InputRefused:
            unknown = [code for code in codes if not _is_known(code, first_day, system)]
        key = "check.unknown_tie_breaks" if unknown else "check.not_considered"
        told = {"codes": ", ".join(unknown)} if unknown else {}
        remarks.append(Problem.of(key, cell.line, 1, code=record.code, **told))
    known = bool(own) and all(_is_known(code, first_day, system) for code in own)
    return announced(",".join(own), first_day, system) if known else None


def _codes(text: str) -> list[str]:
    """Returns the tie-breaks of a list, without the points."""
    return [code for code in re.split(r"[,\s]+", text) if code and code != "PTS"]


def _is_known(code: str, first_day: dt.date, system: System) -> bool:
    try:
        announced(code, first_day, system)
    except InputRefused:
        return False
    return True
