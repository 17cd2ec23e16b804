"""Random events from a seed, paired round by round, to try engines and programs on.

The same plan gives the same event on every machine: whatever is drawn comes from SHA-256 of the
seed and of what is drawn. Results follow the expected score of FIDE's table of P(D); of what the
weaker player expects two thirds come from draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Final

from ledger.desk.pairing.proposal import (
    Board,
    NoPairing,
    PairingRules,
    PairingSystem,
    Proposal,
    RoundToPair,
)
from ledger.desk.rounds import baku
from ledger.desk.score_sheet import WIN, Card, CardLine, How, ScoreSheet
from ledger.desk.trf_text import points_text
from ledger.regulations.printed_tables import P_OF_D
from ledger.terms import Colour, System
from ledger.wording import Message

_FEWEST: Final = 2
_LOWEST, _SPREAD = 1_000, 800  # of the ratings: 1,000 and twice a draw up to 800
_ABSENT: Final = ((0, 0), (2, 0), (2, 0), (2, 0), (0, 2), (0, 2), (0, 2))
"""Scores of a forfeit in half points; of seven one has both absent."""
_UNUSUAL: Final = ((0, 0), (1, 0), (0, 1))
"""What an arbiter may rule after a game: both lose, or a draw for one and a loss for the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be simulated; shares are in thousandths.

    ``forfeits`` and ``unusual`` are shares of the boards (unusual: both lose, or one loses where
    the other draws), ``byes`` of the players a round who ask for a half-point or zero-point bye.
    ``baku`` accelerates by C.04.7, whatever ``rules`` add.
    """

    players: int
    rounds: int
    seed: str
    system: System = System.SWISS
    forfeits: int = 0
    byes: int = 0
    unusual: int = 0
    rules: PairingRules = field(default_factory=PairingRules)
    baku: bool = False

    def drawn(self, below: int, *what: object) -> int:
        """Returns a number from 0 that the seed and what it is for decide."""
        text = "|".join((str(len(self.seed)), self.seed, *map(str, what)))
        digest = sha256(text.encode(errors="surrogatepass")).digest()
        return int.from_bytes(digest[:8], "big") % below

    def happens(self, share: int, *what: object) -> bool:
        """Whether something happens that does in ``share`` of a thousand cases."""
        return self.drawn(1_000, *what) < share


@dataclass(frozen=True, slots=True)
class SimulatedEvent:
    """A random event: the rounds that could be paired, and what a report is to remark on."""

    sheet: ScoreSheet
    rules: PairingRules
    remarks: tuple[Message, ...]


def simulate(plan: Plan, pair: PairingSystem) -> SimulatedEvent:
    """Returns a random event; it ends early where a round has no pairing (the last remark)."""
    ratings = sorted((_rating(plan, n) for n in range(plan.players)), reverse=True)
    cards = {n: Card(n, str(n), rating=rating) for n, rating in enumerate(ratings, start=1)}
    sheet = ScoreSheet(plan.system, cards, plan.rounds, 0)
    rules = plan.rules
    if plan.baku:
        rules = replace(rules, acceleration=baku(cards.values(), plan.rounds))
    remarks: list[Message] = []
    for round_ in range(1, plan.rounds + 1):
        away = _away(plan, round_, list(cards))
        try:
            proposal = pair(RoundToPair(round_, sheet, frozenset(away), rules))
        except NoPairing as none:
            remarks.append(none.message)
            break
        lines = away | dict(_played(plan, round_, sheet, proposal))
        remarks += _remarks(proposal, lines)
        sheet = _with_round(sheet, round_, lines)
    return SimulatedEvent(sheet, rules, tuple(remarks))


def _rating(plan: Plan, place: int) -> int:
    return _LOWEST + sum(plan.drawn(_SPREAD, "rating", place, die) for die in range(2))


def _away(plan: Plan, round_: int, numbers: list[int]) -> dict[int, CardLine]:
    """Returns the byes that players ask for; at least two stay. An all-play-all has none."""
    if plan.system is System.ROUND_ROBIN:
        return {}
    asked = [n for n in numbers if plan.happens(plan.byes, "bye", round_, n)]
    away: dict[int, CardLine] = {}
    for number in asked[: max(0, len(numbers) - _FEWEST)]:
        half = plan.drawn(2, "kind", round_, number)
        away[number] = CardLine(round_, How.HALF_BYE if half else How.ZERO_BYE, half)
    return away


def _played(
    plan: Plan, round_: int, sheet: ScoreSheet, proposal: Proposal
) -> Iterator[tuple[int, CardLine]]:
    """Yields the lines of a round: both sides of each board, and the bye."""
    for board in proposal.boards:
        how, (white, black) = _result(plan, round_, sheet, board)
        yield board.white, CardLine(round_, how, white, board.black, Colour.WHITE)
        yield board.black, CardLine(round_, how, black, board.white, Colour.BLACK)
    if proposal.bye is not None:
        # In an all-play-all everybody rests once, for nothing.
        worth = 0 if plan.system is System.ROUND_ROBIN else WIN
        yield proposal.bye, CardLine(round_, How.ALLOCATED_BYE, worth)


def _result(
    plan: Plan, round_: int, sheet: ScoreSheet, board: Board
) -> tuple[How, tuple[int, int]]:
    """Returns how a board went, and the scores of White and Black in half points."""
    what = (round_, board.white, board.black)
    if plan.happens(plan.forfeits, "forfeit", *what):
        return How.FORFEIT, _ABSENT[plan.drawn(len(_ABSENT), "absent", *what)]
    if plan.happens(plan.unusual, "unusual", *what):
        return How.PLAYED, _UNUSUAL[plan.drawn(len(_UNUSUAL), "ruled", *what)]
    white, black = (sheet.cards[n].rating or _LOWEST for n in (board.white, board.black))
    expected = 10 * P_OF_D.one(white - black)
    draws = min(expected, 1_000 - expected) * 2 // 3
    rolled = plan.drawn(2_000, "result", *what)
    if rolled < 2 * expected - draws:
        return How.PLAYED, (2, 0)
    return How.PLAYED, (1, 1) if rolled < 2 * expected + draws else (0, 2)


def _remarks(proposal: Proposal, lines: dict[int, CardLine]) -> Iterator[Message]:
    """Yields what is unusual in a round: games that give less than a point."""
    for board in proposal.boards:
        white, black = lines[board.white], lines[board.black]
        if white.played and white.halves + black.halves < WIN:
            yield Message.of(
                "simulation.unusual",
                round=white.round,
                white=board.white,
                black=board.black,
                points=f"{points_text(white.halves)}-{points_text(black.halves)}",
            )


def _with_round(sheet: ScoreSheet, round_: int, lines: dict[int, CardLine]) -> ScoreSheet:
    """Returns the score sheet with a further round; who has no line was not paired."""
    cards = {
        number: replace(
            card, lines=(*card.lines, lines.get(number, CardLine(round_, How.UNPAIRED)))
        )
        for number, card in sheet.cards.items()
    }
    return ScoreSheet(sheet.system, cards, sheet.rounds, round_)
