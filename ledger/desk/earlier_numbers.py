"""A round paired by other starting numbers than the participants have now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ledger.desk.pairing.proposal import Board, Proposal, RoundToPair
from ledger.desk.score_sheet import Card


def as_numbered(to_pair: RoundToPair, order: Sequence[int]) -> RoundToPair:
    """Returns a round with the numbers by which it was paired.

    ``order`` are the present numbers from number 1 on; who is not in it stands behind.
    """
    numbers = _numbers(to_pair, order)
    sheet, rules = to_pair.sheet, to_pair.rules
    cards = [_card(card, numbers) for card in sheet.cards.values()]
    added = rules.acceleration.items()
    return replace(
        to_pair,
        sheet=type(sheet)(
            sheet.system,
            {card.number: card for card in sorted(cards, key=lambda card: card.number)},
            sheet.rounds,
            sheet.played,
        ),
        absent=frozenset(numbers[number] for number in to_pair.absent),
        rules=replace(
            rules,
            forbidden=frozenset(frozenset(map(numbers.__getitem__, p)) for p in rules.forbidden),
            acceleration={r: {numbers[n]: more for n, more in of.items()} for r, of in added},
        ),
    )


def as_now(proposal: Proposal, to_pair: RoundToPair, order: Sequence[int]) -> Proposal:
    """Returns what was proposed for ``as_numbered`` with the present numbers."""
    present = {then: now for now, then in _numbers(to_pair, order).items()}
    boards = (Board(present[board.white], present[board.black]) for board in proposal.boards)
    bye = None if proposal.bye is None else present[proposal.bye]
    return Proposal(tuple(boards), bye, proposal.steps)


def _numbers(to_pair: RoundToPair, order: Sequence[int]) -> Mapping[int, int]:
    """Returns the number of each participant then, by the present one."""
    others = [number for number in to_pair.sheet.cards if number not in frozenset(order)]
    return {number: then for then, number in enumerate((*order, *others), start=1)}


def _card(card: Card, numbers: Mapping[int, int]) -> Card:
    lines = (
        line if line.opponent is None else replace(line, opponent=numbers[line.opponent])
        for line in card.lines
    )
    return replace(card, number=numbers[card.number], lines=tuple(lines))
