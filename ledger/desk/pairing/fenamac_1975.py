"""The Swiss of the manual: Harkness as improved by FENAMAC (Chavarría 1975, EL SISTEMA SUIZO).

| article | what | where |
| --- | --- | --- |
| F 2, F 3 | numbers by rating | ``ledger.desk.starting_order`` |
| R III, I III, F 4 | bye | ``bye`` |
| F 5 | round 1 | ``pair``, ``colours_1975.first_round`` |
| R IV, I IV, F 8 | nobody meets twice | ``barred`` |
| R V, I V, F 6 | equal scores, halves, floaters | ``score_group.pair_group`` |
| R VIII, I VIII, F 6 | colours | ``colours_1975`` |
| F 7 | the practical system | ``practical_1975`` |

Absences, withdrawals and unfinished games (R VI, R VII, F 9, F 10) are facts that the round comes
with. Everywhere the higher rated is the one with the lower number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from ledger.desk.lots import drawn
from ledger.desk.pairing.matching import Barred
from ledger.desk.pairing.proposal import Board, NoPairing, Proposal, RoundToPair
from ledger.desk.pairing.score_group import (
    Colours,
    Group,
    PairedGroup,
    Remainder,
    first_round,
    pair_group,
)
from ledger.desk.score_sheet import Card, How
from ledger.rating.decimal_text import halves_text
from ledger.wording import Message


def pair(round_: RoundToPair) -> Proposal:
    """Pairs a round: the bye, then the score groups from the highest down (F 4 to F 8).

    Raises:
        NoPairing: the bye is left for nobody, or a second meeting cannot be avoided.
    """
    begun = Beginning.of(round_)
    paired: list[PairedGroup] = []
    groups = begun.groups
    while groups:
        (halves, own), *others = groups
        group = Group(halves, own, tuple(cards for _, cards in others))
        paired.append(pair_group(begun.remainder, begun.colours, group))
        groups = without(others, paired[-1].taken)
    return begun.proposal(paired)


ScoreGroups: TypeAlias = Sequence[tuple[int, tuple[int, ...]]]
"""Scores in half points and their cards in order, from the highest score down."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """A round whose bye is given: who is to be paired, in score groups.

    The bye and the steps to it come with it.
    """

    round: RoundToPair
    colours: Colours
    remainder: Remainder
    groups: ScoreGroups
    bye: int | None
    steps: tuple[Message, ...]

    @classmethod
    def of(cls, round_: RoundToPair) -> Beginning:
        """Gives the bye, and groups the others by score (F 6)."""
        scores = pairing_scores(round_)
        if not scores:
            raise NoPairing("desk.nobody_is_here", round=round_.round)
        remainder = Remainder(barred(round_))
        order = sorted(scores, key=lambda number: (-scores[number], number))
        number, steps = bye(round_, remainder, order) if len(order) % 2 else (None, ())
        players = [player for player in order if player != number]
        if number is None and not remainder.can_be_paired(players):
            raise impossible(round_, remainder.barred)
        groups = [
            (halves, tuple(cards))
            for halves, cards in groupby(players, key=lambda player: scores[player])
        ]
        colours = Colours.of(round_.round, round_.present)
        return cls(round_, colours, remainder, groups, number, steps)

    def proposal(self, paired: Sequence[PairedGroup]) -> Proposal:
        """Gives the colours, and puts the boards in the order of the pairs (R VIII, F 5, F 6)."""
        pairs = [pair for group in paired for pair in group.pairs]
        steps = [*self.steps, *(step for group in paired for step in group.steps)]
        if self.round.round == 1:
            boards = first_round(pairs, self.round.rules.first_colour)
            return Proposal(boards, self.bye, tuple(steps))
        given: list[Board] = []
        for one, other in pairs:
            board, why = self.colours.board(one, other)
            given.append(board)
            steps += [] if why is None else [why]
        return Proposal(tuple(given), self.bye, tuple(steps))


def bye(
    round_: RoundToPair, remainder: Remainder, order: Sequence[int]
) -> tuple[int, tuple[Message, ...]]:
    """Gives the bye: the lowest rated of the lowest score who had none (R III, I III, F 4, F 6).

    The next one upwards gets it where the others could not be paired without a second meeting.
    After round 1 it may be drawn among those of a score instead (R III). ``round_`` is one of
    an odd number of players, ``order`` are the players by score and number.

    Returns:
        Who has the bye, and the steps to it.

    Raises:
        NoPairing: everybody had a bye, or whoever gets it, the others cannot be paired.
    """
    scores = pairing_scores(round_)
    upwards = list(_upwards(round_, order, scores))
    had = [number for number in upwards if had_bye(round_.sheet.cards[number])]
    candidates = [number for number in upwards if number not in had]
    if not candidates:
        raise NoPairing("desk.nobody_left_for_the_bye", round=round_.round, players=len(order))
    number = next(remainder.omissions(order, candidates), None)
    if number is None:
        raise impossible(round_, remainder.barred)
    steps = []
    for passed in upwards[: upwards.index(number)]:
        key = "desk.had_bye" if passed in had else "desk.bye_passed"
        steps.append(Message.of(key, number=passed))
    key = "desk.bye_by_lot" if _by_lot(round_) else "desk.bye"
    return number, (*steps, Message.of(key, number=number, points=halves_text(scores[number])))


def _by_lot(round_: RoundToPair) -> bool:
    return round_.round > 1 and round_.rules.bye_lots is not None


def _upwards(round_: RoundToPair, order: Sequence[int], scores: Mapping[int, int]) -> Iterator[int]:
    """Yields who is asked for the bye: the lowest score first, in it the lowest rated or by lot."""
    if not _by_lot(round_):
        yield from reversed(order)
        return
    seed = f"{round_.rules.bye_lots}\n{round_.round}"
    for _, equal in groupby(reversed(order), key=lambda number: scores[number]):
        yield from map(int, drawn(seed, map(str, equal)))


def impossible(round_: RoundToPair, barred_: Barred) -> NoPairing:
    """Returns why a round cannot be paired, and what the arbiter can do."""
    players = len(barred_)
    for number in sorted(barred_):
        if players > 1 and players % 2 == 0 and barred_.keys() <= barred_[number]:
            return NoPairing("desk.has_met_everybody", round=round_.round, number=number)
    return NoPairing("desk.second_meeting", round=round_.round)


def without(groups: ScoreGroups, taken: frozenset[int]) -> ScoreGroups:
    """Returns the score groups without those who are paired."""
    left = [(halves, tuple(c for c in cards if c not in taken)) for halves, cards in groups]
    return [(halves, cards) for halves, cards in left if cards]


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
