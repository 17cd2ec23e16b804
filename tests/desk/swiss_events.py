"""Events of a Swiss that are played round by round, for the tests of pairings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from ledger.desk.pairing.proposal import PairingRules, PairingSystem, Proposal, RoundToPair
from ledger.desk.score_sheet import Card, CardLine, How, ScoreSheet
from ledger.terms import Colour, System

SCORES = {"1-0": (2, 0), "0-1": (0, 2), "½": (1, 1)}
FORFEITS = {"+-": (2, 0), "-+": (0, 2), "--": (0, 0)}


@dataclass
class SwissEvent:
    """Players 1 to n and what their rounds were so far."""

    system: PairingSystem
    cards: dict[int, Card]
    rounds: int = 9
    played: int = 0
    rules: PairingRules = field(default_factory=PairingRules)

    @classmethod
    def of(cls, players: int, system: PairingSystem, **values: object) -> SwissEvent:
        cards = {number: Card(number, f"P{number}") for number in range(1, players + 1)}
        return cls(system, cards, **values)  # type: ignore[arg-type]

    def to_pair(self, absent: Iterable[int] = ()) -> RoundToPair:
        sheet = ScoreSheet(System.SWISS, self.cards, self.rounds, self.played)
        return RoundToPair(self.played + 1, sheet, frozenset(absent), self.rules)

    def pair(self, absent: Iterable[int] = ()) -> Proposal:
        return self.system(self.to_pair(absent))

    def record(self, proposal: Proposal, results: Iterable[str]) -> None:
        """Writes a round on the cards; who is neither paired nor resting has nothing there."""
        self.played += 1
        lines = {number: CardLine(self.played, How.UNPAIRED) for number in self.cards}
        for board, result in zip(proposal.boards, results, strict=True):
            how = How.PLAYED if result in SCORES else How.FORFEIT
            white, black = (SCORES | FORFEITS)[result]
            lines[board.white] = CardLine(self.played, how, white, board.black, Colour.WHITE)
            lines[board.black] = CardLine(self.played, how, black, board.white, Colour.BLACK)
        if proposal.bye is not None:
            lines[proposal.bye] = CardLine(self.played, How.ALLOCATED_BYE, 2)
        self.cards = {
            number: replace(card, lines=(*card.lines, lines[number]))
            for number, card in self.cards.items()
        }

    @property
    def halves(self) -> Mapping[int, int]:
        return {number: card.halves for number, card in self.cards.items()}


def pairs(proposal: Proposal) -> list[tuple[int, int]]:
    """White and Black of each board."""
    return [(board.white, board.black) for board in proposal.boards]


def after_colours(
    colours: Mapping[int, str], halves: Mapping[int, int] | None = None
) -> dict[int, Card]:
    """Cards of players with one round behind them, against opponents of another world.

    Args:
        colours: ``W`` or ``B``, or nothing, by number: what is due in the next round.
        halves: the scores, where they are not one point.
    """
    last = {"W": Colour.BLACK, "B": Colour.WHITE, "": None}
    return {
        number: Card(
            number,
            f"P{number}",
            (CardLine(1, How.PLAYED, (halves or {}).get(number, 2), 1000 + number, last[due]),),
        )
        for number, due in colours.items()
    }
