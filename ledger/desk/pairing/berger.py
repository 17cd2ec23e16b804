"""All-play-all: the tables of Chavarría 1975, EL ROUND ROBIN, by their formula, for any number.

Numbers are drawn by lot before the start. White is named first. The printed tables go from 3-4 to
19-20 players; the formula gives each of them pair by pair, and so do the Berger tables of today
(C.05, annex 1).
"""

from __future__ import annotations

from dataclasses import dataclass

from ledger.desk.pairing.proposal import Board, NoPairing, Proposal, RoundToPair
from ledger.terms import System
from ledger.wording import Message


@dataclass(frozen=True, slots=True)
class BergerTables:
    """The rounds of an all-play-all.

    With ``exchange_last_rounds`` the last two rounds of a cycle that another one follows change
    places, so that nobody has one colour three times running (C.05, annex 1); the manual has no
    such rule.
    """

    players: int
    cycles: int = 1
    exchange_last_rounds: bool = False

    @property
    def table(self) -> int:
        """The number of players of the table: that of players, or the next even one."""
        return self.players + self.players % 2

    @property
    def rounds_each(self) -> int:
        """The rounds of a cycle."""
        return max(0, self.table - 1)

    @property
    def rounds(self) -> int:
        """The rounds of all cycles."""
        return self.cycles * self.rounds_each

    def pairs(self, round_: int) -> tuple[tuple[int, int], ...]:
        """Returns White and Black of each board of a round, as the table has them.

        In a second cycle the colours are reversed. Of an odd number nobody has the highest number
        of the table.

        Args:
            round_: from 1 to ``rounds``.
        """
        cycle, before = divmod(round_ - 1, self.rounds_each)
        in_cycle = before + 1
        if (
            self.exchange_last_rounds
            and cycle + 1 < self.cycles
            and in_cycle > self.rounds_each - 2
        ):
            in_cycle = 2 * self.rounds_each - 1 - in_cycle
        pairs = _row(self.table, max(1, in_cycle))
        return tuple(pair[::-1] for pair in pairs) if cycle % 2 else pairs

    def games(self, round_: int) -> tuple[tuple[int, int], ...]:
        """Returns the boards of a round that are played: without who rests."""
        return tuple(pair for pair in self.pairs(round_) if max(pair) <= self.players)

    def resting(self, round_: int) -> int | None:
        """Returns who rests: who would play the highest number, which nobody has."""
        if self.players == self.table:
            return None
        return next(min(pair) for pair in self.pairs(round_) if max(pair) > self.players)


def _row(players: int, round_: int) -> tuple[tuple[int, int], ...]:
    """Returns a round of the table of an even number of players.

    >>> _row(6, 2)
    ((6, 4), (5, 3), (1, 2))
    """
    others, odd = players - 1, round_ % 2
    at = (round_ + 1) // 2 if odd else (round_ + players) // 2
    first = (at, players) if odd else (players, at)
    steps = range(1, players // 2)
    return (first, *(((at - 1 + k) % others + 1, (at - 1 - k) % others + 1) for k in steps))


def pair(round_: RoundToPair) -> Proposal:
    """Pairs a round by the table: the n-th number of those who were entered is number n of it.

    Who was to play somebody who withdrew or was expelled is not paired: the game is cancelled or
    awarded. The bye is that of the table.

    Raises:
        NoPairing: nobody is there, or the tables have no such round.
    """
    numbers = sorted(round_.sheet.cards)
    event = round_robin(round_)
    if len(numbers) < 2:  # noqa: PLR2004 - a game has two players
        raise NoPairing("desk.nobody_is_here", round=round_.round)
    if round_.round > event.rounds:
        values = {"players": len(numbers), "rounds": event.rounds}
        raise NoPairing("desk.everybody_has_met", round=round_.round, **values)
    boards, steps = [], []
    for white, black in event.games(round_.round):
        board = Board(numbers[white - 1], numbers[black - 1])
        missing = sorted(board.numbers & round_.absent)
        if not missing:
            boards.append(board)
        elif len(missing) == 1:
            (left,) = board.numbers - round_.absent
            steps.append(Message.of("desk.opponent_absent", number=left, opponent=missing[0]))
    resting = event.resting(round_.round)
    bye = None if resting is None else numbers[resting - 1]
    return Proposal(tuple(boards), None if bye in round_.absent else bye, tuple(steps))


def without_opponent(round_: RoundToPair) -> set[int]:
    """Returns who has no game in a round of an all-play-all, because the opponent is not there."""
    numbers, event = sorted(round_.sheet.cards), round_robin(round_)
    if round_.sheet.system is not System.ROUND_ROBIN or round_.round > event.rounds:
        return set()
    games = ({numbers[one - 1] for one in pair} for pair in event.games(round_.round))
    return set().union(*(game - round_.absent for game in games if game & round_.absent))


def round_robin(round_: RoundToPair) -> BergerTables:
    """Returns the tables of an event: its cycles, or as many as its rounds make room for."""
    single = BergerTables(len(round_.sheet.cards))
    rules = round_.rules
    cycles = rules.cycles or max(1, round_.sheet.rounds // max(1, single.rounds_each))
    return BergerTables(single.players, cycles, rules.exchange_last_rounds)
