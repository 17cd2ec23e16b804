"""What a report says of rounds: pairs of lines, pairings with one result each, and byes.

TRF16 stores results per player. Asymmetric pairs are legal where an arbiter ruled so: both absent
(-/-), both lose (0/0), a draw for one and a loss for the other (=/0); two players never score more
than one point together. Ask ``check`` first: of lines that contradict each other nothing is given
here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ledger.intake.documents import ByeSaid, GameSaid, SourcePlace
from ledger.intake.trf.report import (
    BOARD,
    FORFEIT,
    SHORT,
    Code,
    Member,
    Player,
    RoundCell,
    TrfReport,
)
from ledger.results import Bye, Result, Termination
from ledger.terms import Colour

_POINT: Final = 2  # in half points
_KINDS: Final = (
    (BOARD, Termination.PLAYED),
    (SHORT, Termination.SHORT),
    (FORFEIT, Termination.FORFEIT),
)
_BYES: Final = {
    Code.HALF_BYE: Bye.HALF,
    Code.FULL_BYE: Bye.FULL,
    Code.PAIRING_BYE: Bye.PAIRING_ALLOCATED,
    Code.ZERO_BYE: Bye.ZERO,
}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players who name each other in a round, the lower start number first."""

    first: Player
    second: Player
    entry: RoundCell
    answer: RoundCell


def pairs(report: TrfReport) -> Iterator[Pair]:
    """Yields the pairs whose lines can be read, in the order of the players' lines and rounds."""
    for player in report.by_number.values():
        for entry in player.rounds:
            if not entry.readable or entry.opponent is None or entry.opponent <= player.number:
                continue
            other = report.by_number.get(entry.opponent)
            answer = other.entry(entry.round) if other else None
            if other and answer and answer.readable and answer.opponent == player.number:
                yield Pair(player, other, entry, answer)


def combined(white: Code, black: Code) -> Result | None:
    """Returns two players' codes as one result; None where they do not fit together.

    >>> str(combined(Code.DRAW, Code.LOSS)), str(combined(Code.SHORT_DRAW, Code.SHORT_DRAW))
    ('1/2-0', '1/2-1/2s')
    """
    for codes, termination in _KINDS:
        if white in codes and black in codes:
            halves = codes[white], codes[black]
            return Result(*halves, termination) if sum(halves) <= _POINT else None
    return None


def white_first(pair: Pair) -> bool | None:
    """Whether the first player has White; None where both have one colour.

    One colour left open is the other one; where both are, the lower start number has White.
    """
    if pair.entry.colour is not None and pair.entry.colour is pair.answer.colour:
        return None
    return pair.entry.colour is Colour.WHITE or (
        pair.entry.colour is None and pair.answer.colour is not Colour.WHITE
    )


def pairings(report: TrfReport, ids: Mapping[int, str]) -> list[GameSaid]:
    """Returns the pairings with a result, by round, then in the order of White's lines.

    The place is that of the round in White's line; ``ids`` are the players', by start number.
    """
    days = dict(enumerate(report.tournament.round_dates, start=1))
    found = []
    for pair in pairs(report):
        sides = (pair.first, pair.entry), (pair.second, pair.answer)
        (white, entry), (black, answer) = sides if white_first(pair) else sides[::-1]
        if white_first(pair) is None or entry.code is None or answer.code is None:
            continue
        result = combined(entry.code, answer.code)
        if result is not None:
            game = GameSaid(
                place=SourcePlace(line=entry.line, column=entry.column),
                round=entry.round,
                white=ids[white.number],
                black=ids[black.number],
                result=result,
                played_on=days.get(entry.round),
            )
            found.append(game)
    return sorted(found, key=lambda each: (each.round, each.place.line))


def byes(report: TrfReport, ids: Mapping[int, str]) -> list[ByeSaid]:
    """Returns the byes, by round, then by line: those of the players' lines, then those of 240.

    A blank round is an absence and no bye. A bye of 240 that a player's line has too counts once.
    """
    found: dict[tuple[int, int], ByeSaid] = {}

    def add(code: Code, round_: int, number: int, at: RoundCell | Member) -> None:
        place = SourcePlace(line=at.line, column=at.column)
        bye = ByeSaid(place=place, round=round_, player=ids[number], kind=_BYES[code])
        found.setdefault((round_, number), bye)

    for player in report.by_number.values():
        for entry in player.rounds:
            if entry.bye is not None:
                add(entry.bye, entry.round, player.number, entry)
    for code, round_, member in granted(report):
        add(code, round_, member.number, member)
    return sorted(found.values(), key=lambda each: (each.round, each.place.line, each.place.column))


def granted(report: TrfReport) -> Iterator[tuple[Code, int, Member]]:
    """Yields the byes of 240 records to players whose line is blank: kind, round and player."""
    if report.of_teams:
        return
    for record in report.granted_byes:
        for member in record.numbers:
            player = report.by_number.get(member.number)
            entry = player.entry(record.round) if player else None
            if player and (entry is None or entry.blank):
                yield record.code, record.round, member
