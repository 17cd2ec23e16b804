"""What a report says of rounds: pairs of lines, pairings with one result each, and byes.

TRF16 stores results per player. Asymmetric pairs are legal where an arbiter ruled so: both absent
(-/-), both lose (0/0), a draw for one and a loss for the other (=/0); two players never score more
than one point together. Ask ``check`` first: of lines that contradict each other nothing is given
here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """A game or a forfeit: start numbers, and the place of the round in White's line."""

    round: int
    white: int
    black: int
    result: Result
    line: int
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeEntry:
    """A round without opponent, and where the file says so."""

    round: int
    number: int
    kind: Bye
    line: int
    column: int


def pairings(report: TrfReport) -> list[Pairing]:
    """Returns the pairings with a result, by round, then in the order of White's lines."""
    found = []
    for pair in pairs(report):
        first_is_white = white_first(pair)
        if first_is_white is None or pair.entry.code is None or pair.answer.code is None:
            continue
        sides = [(pair.first, pair.entry), (pair.second, pair.answer)]
        (white, entry), (black, answer) = sides if first_is_white else reversed(sides)
        assert entry.code is not None, "narrowed above, before the sides were put in order"
        assert answer.code is not None, "the same"
        result = combined(entry.code, answer.code)
        if result is not None:
            found.append(
                Pairing(
                    round=entry.round,
                    white=white.number,
                    black=black.number,
                    result=result,
                    line=entry.line,
                    column=entry.column,
                )
            )
    return sorted(found, key=lambda each: (each.round, each.line))


def byes(report: TrfReport) -> list[ByeEntry]:
    """Returns the byes, by round, then by line: those of the players' lines, then those of 240.

    A blank round is an absence and no bye. A bye of 240 that a player's line has too counts once.
    """
    found = {(each.round, each.number): each for each in _of_lines(report)}
    for code, round_, member in granted(report):
        bye = ByeEntry(
            round=round_,
            number=member.number,
            kind=_BYES[code],
            line=member.line,
            column=member.column,
        )
        found.setdefault((round_, member.number), bye)
    return sorted(found.values(), key=lambda each: (each.round, each.line, each.column))


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


def _of_lines(report: TrfReport) -> Iterator[ByeEntry]:
    for player in report.by_number.values():
        for entry in player.rounds:
            if entry.bye is not None:
                yield ByeEntry(
                    round=entry.round,
                    number=player.number,
                    kind=_BYES[entry.bye],
                    line=entry.line,
                    column=entry.column,
                )
