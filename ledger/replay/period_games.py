"""The games of a period as a calculation reads them: rows, games, sides, and which are plain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ledger.facts.as_of import AsOf, TournamentColumns
from ledger.facts.blocks import (
    CODES,
    Block,
    BlockRows,
    black_halves_of,
    ending_of,
    white_halves_of,
)
from ledger.facts.columns import NOBODY, Acceptance, AnyColumn, Column, Ending
from ledger.facts.game_rows import GameRows
from ledger.facts.tables import ALL_PLAY_ALL
from ledger.rating.plain_games import PlainGames
from ledger.rating.postings import Games, Reason, Sides
from ledger.regulations.interface import Regulation

_ENDING_REASONS = {
    Ending.SHORT: Reason.SHORT,
    Ending.FORFEIT: Reason.FORFEIT,
    Ending.BYE: Reason.BYE,
    Ending.ADJOURNED: Reason.ADJOURNED,
    Ending.TEMPORARY: Reason.TEMPORARY,
    Ending.NOT_FOR_RATING: Reason.NOT_FOR_RATING,
    Ending.ANNULLED: Reason.ANNULLED,
}
_REASON_OF_ENDING = np.zeros(16, dtype=np.int8)
for _ending, _reason in _ENDING_REASONS.items():
    _REASON_OF_ENDING[_ending] = _reason
# What a code of the rows stands for.
_REASON_OF_CODE = _REASON_OF_ENDING[ending_of(CODES)]
_WHITE_HALVES = white_halves_of(CODES)
_BLACK_HALVES = black_halves_of(CODES)
_REASON_OF_ACCEPTANCE = np.zeros(len(Acceptance), dtype=np.int8)
_REASON_OF_ACCEPTANCE[Acceptance.REJECTED] = Reason.TOURNAMENT_REJECTED
_REASON_OF_ACCEPTANCE[Acceptance.ANNULLED] = Reason.TOURNAMENT_ANNULLED


class RowCache:
    """Fetches the rows of blocks, and lets go of them when no later period needs them.

    Args:
        blocks: all of them.
        block: for each entry of a directory the position of its block, in order.
        period: for each entry the index of the period that rates it (negative: none).
    """

    def __init__(self, blocks: Sequence[Block], block: Column, period: Column) -> None:
        self.period = period
        self._blocks = blocks
        # Of the type of the periods: ``at`` is many times slower where it must convert.
        self._needed_until = np.full(len(blocks), -1, dtype=period.dtype)
        np.maximum.at(self._needed_until, block, period)
        self._rows: dict[int, BlockRows] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def fetch(self, block: int) -> BlockRows:
        """Returns the rows of a block, by its position."""
        if block not in self._rows:
            self._rows[block] = self._blocks[block].fetch()
        return self._rows[block]

    def forget(self, period: int) -> None:
        """Forgets what no period after this one needs."""
        for block in [b for b in self._rows if self._needed_until[b] <= period]:
            del self._rows[block]


def plain_games_of(regulation: Regulation, tournaments: TournamentColumns) -> PlainGames:
    """Returns what a regulation that has plain games says of each tournament's.

    An all-play-all with somebody unrated is calculated as a whole, and so none of its games is
    plain.
    """
    count = len(tournaments.system)
    # Wide, as those of the sides that are calculated one by one: both must come to the same.
    wide = {name: getattr(tournaments, name).astype(np.int64) for name in ("merit", "rate")}
    counted = regulation.differences(tournaments.starts_on.astype(np.int64))

    def points(values: AnyColumn | int) -> AnyColumn:
        """Differences as the kernel takes them; what is beyond its numbers is no limit at all."""
        within = np.clip(values, 0, np.iinfo(np.int32).max)
        return np.ascontiguousarray(np.broadcast_to(within, count), dtype=np.int32)

    return PlainGames(
        expectation=regulation.expectation,
        merit=np.ascontiguousarray(regulation.merits(replace(tournaments, **wide)), dtype=np.int64),
        cap=points(counted.cap),
        capped_below=points(counted.capped_below),
        apart_beyond=points(counted.apart_beyond),
        together=tournaments.system == ALL_PLAY_ALL,
    )


def games_of(known: AsOf, rows: GameRows) -> Games:
    """Returns known games with what excludes them whatever the regulation."""
    reason = _REASON_OF_CODE[rows.code]
    reason[rows.white == rows.black] = Reason.SAME_PERSON
    not_accepted = _REASON_OF_ACCEPTANCE[known.tournaments.acceptance]
    if not_accepted.any():
        void = not_accepted[rows.tournament]
        reason = np.where(void != Reason.NONE, void, reason)
    return Games(
        game=rows.game,
        tournament=rows.tournament,
        round=rows.round,
        white=rows.white,
        black=rows.black,
        white_halves=_WHITE_HALVES[rows.code],
        black_halves=_BLACK_HALVES[rows.code],
        reason=reason,
    )


def sides_of(tournaments: TournamentColumns, games: Games) -> Sides:
    """Returns both sides of games (a bye has one), sorted by game, white first."""
    in_order = np.argsort(games.game, kind="stable")
    sides = 1 + (games.black[in_order] != NOBODY)
    of_game = games.rows(np.repeat(in_order, sides))
    is_white = np.zeros(int(sides.sum()), dtype=np.bool_)
    is_white[np.cumsum(sides) - sides] = True

    def column(name: str) -> Column:
        match name:
            case "player":
                made = np.where(is_white, of_game.white, of_game.black)
            case "opponent":
                made = np.where(is_white, of_game.black, of_game.white)
            case "halves":
                made = np.where(is_white, of_game.white_halves, of_game.black_halves)
            case "rating" | "opponent_rating":
                made = np.zeros(len(is_white), dtype=np.int64)
            case "game" | "tournament" | "round" | "reason":
                made = getattr(of_game, name)
            case _:
                made = getattr(tournaments, name)[of_game.tournament]
        return made.astype(np.int64, copy=False)

    return Sides.made(column)
