"""Takes the dummies out of a report: a game against a player called BYE is a bye."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from ledger.dummies import is_dummy
from ledger.errors import Problem
from ledger.intake.trf.layout import PlayerField
from ledger.intake.trf.report import AS_BYE, BYES, Code, Player, RoundCell, TrfReport

_ALLOCATED: Final = {
    **AS_BYE,
    **{code: code for code in BYES},
    **dict.fromkeys((Code.WIN, Code.SHORT_WIN, Code.FORFEIT_WIN), Code.PAIRING_BYE),
}


def without_dummies(report: TrfReport, people: Collection[str] = ()) -> TrfReport:
    """Return a report with byes for games against dummies, which are no players of it any more.

    A FIDE number or a birth date makes a person of a player with such a name, and so does being
    one of ``people``, who are named by starting number.
    """
    counts = Counter(player.number for player in report.players)
    dummies = tuple(
        player
        for player in report.players
        if is_dummy(player.name, player.birth, player.fide_id)
        and counts[player.number] == 1  # else the number is a fault
        and str(player.number) not in people
    )
    if not dummies:
        return report
    numbers = {dummy.number for dummy in dummies}

    def with_byes(player: Player) -> Player:
        return replace(player, rounds=tuple(_bye(cell, numbers) for cell in player.rounds))

    players = tuple(with_byes(each) for each in report.players if each.number not in numbers)
    notes = (*report.tolerated, *_notes(report, dummies))
    return replace(report, players=players, dummies=dummies, tolerated=notes)


def _bye(cell: RoundCell, dummies: Collection[int]) -> RoundCell:
    if cell.opponent not in dummies or not cell.readable:
        return cell
    code = cell.code and _ALLOCATED[cell.code]
    return replace(cell, opponent=None, colour=None, code=code)


def _notes(report: TrfReport, dummies: Collection[Player]) -> Iterator[Problem]:
    """Yield a note of each dummy with the number of rounds against it."""
    for dummy in dummies:
        cells = (cell for player in report.players for cell in player.rounds)
        count = sum(cell.opponent == dummy.number for cell in cells)
        values = {"number": dummy.number, "name": dummy.name, "count": count}
        yield Problem.of("trf.dummy", dummy.line, PlayerField.NAME.first, **values)
