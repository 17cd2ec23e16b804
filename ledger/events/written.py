"""The events a large file is full of, written as text: what their models would write, at once.

A model costs ten times as much as its text. The texts are those of the models' ``canonical``, which
a test holds them against; whoever writes them has made sure that the models would accept them.
Ids are given in quotes (see ``quoted``), so that each is put in quotes once.
"""

from __future__ import annotations

from dataclasses import dataclass
from json.encoder import encode_basestring as quoted
from typing import assert_never

from ledger.events.tournaments import (
    ByeGiven,
    ForfeitRecorded,
    GameAdjudicated,
    PlayerEntered,
    ResultRecorded,
)
from ledger.results import Bye, Result, Termination

__all__ = ["Outcome", "entry", "outcome", "quoted"]

ENTERED = PlayerEntered.TYPE
BYE = ByeGiven.TYPE
FORFEIT = ForfeitRecorded.TYPE
VERSION = 1
"""Of all events that are written here."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game or a bye is written: the event's type, and what stands around its parts.

    ``halves`` is what it gives each player, in half points.
    """

    type: str
    head: str
    halves: tuple[int, ...]
    ruling: str = ""

    @property
    def is_forfeit(self) -> bool:
        """Whether a game was not played."""
        return self.type == FORFEIT

    def game(self, round_: int, tournament: str, white: str, black: str) -> str:
        """Returns the payload of a game."""
        return (
            f'{{"black":{black},{self.head}"round":{round_}{self.ruling},'
            f'"tournament":{tournament},"white":{white}}}'
        )

    def bye(self, round_: int, tournament: str, player: str) -> str:
        """Returns the payload of a bye."""
        return f'{{{self.head}"player":{player},"round":{round_},"tournament":{tournament}}}'


def outcome(result: Result | Bye) -> Outcome:
    """Returns how the result is written."""
    if isinstance(result, Bye):
        return Outcome(ByeGiven.TYPE, f'"kind":"{result.value}",', (result.halves,))
    head = f'"result":"{result}",'
    match result.termination:
        case Termination.PLAYED | Termination.SHORT:
            return Outcome(ResultRecorded.TYPE, head, result.halves)
        case Termination.FORFEIT:
            return Outcome(ForfeitRecorded.TYPE, head, result.halves)
        case Termination.ADJUDICATED:
            return Outcome(GameAdjudicated.TYPE, head, result.halves, ',"ruling":"definitive"')
        case _:
            assert_never(result.termination)


def entry(player: str, starting_number: int, tournament: str) -> str:
    """Returns the payload of a player's entry."""
    return f'{{"player":{player},"starting_number":{starting_number},"tournament":{tournament}}}'
