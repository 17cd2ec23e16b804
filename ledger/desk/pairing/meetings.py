"""Who has met, who must not meet, and with which score each is paired."""

from __future__ import annotations

from ledger.desk.pairing.matching import Barred
from ledger.desk.pairing.proposal import RoundToPair
from ledger.desk.score_sheet import Card, How

_SAT_DOWN = frozenset((How.PLAYED, How.OPEN))
_GIVEN_A_POINT = frozenset((How.ALLOCATED_BYE, How.FULL_BYE))


def barred(round_: RoundToPair) -> Barred:
    """Returns with whom each card that is there must not be paired, itself included.

    Nobody meets twice (Manual, R IV); a game that was not played is no meeting. An adjourned game
    is one.
    """
    found = {card.number: {card.number, *opponents(card)} for card in round_.present}
    for pair in round_.rules.forbidden:
        for number in pair & found.keys():
            found[number] |= pair
    return found


def opponents(card: Card) -> frozenset[int]:
    """Returns who was met over the board."""
    return frozenset(
        line.opponent for line in card.lines if line.how in _SAT_DOWN and line.opponent is not None
    )


def had_bye(card: Card) -> bool:
    """Whether a round without opponent gave a point: nobody gets a second one (I III).

    A win by forfeit is none; half and zero points are leave that was asked for.
    """
    return any(line.how in _GIVEN_A_POINT for line in card.lines)


def pairing_scores(round_: RoundToPair) -> dict[int, int]:
    """Returns the score with which each who is there is paired, in half points."""
    added = round_.rules.acceleration.get(round_.round, {})
    return {card.number: card.halves + added.get(card.number, 0) for card in round_.present}
