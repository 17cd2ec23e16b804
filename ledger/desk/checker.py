"""Checks the rounds of an event against its rules: pairs each one again, adds up, orders anew.

A round is paired from the rounds before it as they are in the event: what was changed by hand in
one round is named there, and again wherever later rounds would have been other ones for it.

A round paired by other starting numbers than the participants have now.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from ledger.desk.pairing import dutch
from ledger.desk.pairing.proposal import (
    Board,
    NoPairing,
    PairingRules,
    PairingSystem,
    Proposal,
    RoundToPair,
)
from ledger.desk.score_sheet import Card, CardLine, How, ScoreSheet
from ledger.desk.standings import standings
from ledger.desk.tie_breaks.tie_break import TieBreak
from ledger.desk.trf_text import points_text
from ledger.terms import Colour, System
from ledger.wording import Message


def as_numbered(to_pair: RoundToPair, order: Sequence[int]) -> RoundToPair:
    """Returns a round with the numbers by which it was paired.

    ``order`` are the present numbers from number 1 on; who is not in it stands behind.
    """
    numbers = _earlier_numbers(to_pair, order)
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
    present = {then: now for now, then in _earlier_numbers(to_pair, order).items()}
    boards = (Board(present[board.white], present[board.black]) for board in proposal.boards)
    bye = None if proposal.bye is None else present[proposal.bye]
    return Proposal(tuple(boards), bye, proposal.steps)


def _earlier_numbers(to_pair: RoundToPair, order: Sequence[int]) -> Mapping[int, int]:
    """Returns the number of each participant then, by the present one."""
    others = [number for number in to_pair.sheet.cards if number not in frozenset(order)]
    return {number: then for then, number in enumerate((*order, *others), start=1)}


def _card(card: Card, numbers: Mapping[int, int]) -> Card:
    lines = (
        line if line.opponent is None else replace(line, opponent=numbers[line.opponent])
        for line in card.lines
    )
    return replace(card, number=numbers[card.number], lines=tuple(lines))


_ONCE: Final = 1


class DeviationKind(StrEnum):
    """What kind of a difference it is: the key of the sentence that names it."""

    SECOND_MEETING = "check.second_meeting"
    FORBIDDEN_PAIR = "check.forbidden_pair"
    SECOND_BYE = "check.second_bye"
    TWO_BYES = "check.two_byes"
    ABSOLUTE_COLOURS = "check.absolute_colours"
    COLOURS = "check.colours"
    PLAYED_COLOURS = "check.played_colours"
    PAIR = "check.pair"
    BYE = "check.bye"
    NO_PAIRING = "check.no_pairing"
    POINTS = "check.points"
    RANKS = "check.ranks"
    NUMBERS = "check.starting_numbers"

    @property
    def code(self) -> str:
        """The kind as programs are told it, ``second-meeting``."""
        return self.value.removeprefix("check.").replace("_", "-")


@dataclass(frozen=True, slots=True)
class Deviation:
    """Something in an event that its rules have otherwise; ``round`` is 0 for the whole of it."""

    kind: DeviationKind
    round: int
    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredEvent:
    """An event as somebody declares it.

    ``points`` (half points) and ``ranks`` are by number, without those that are not declared.
    ``pair`` is None where no pairing system is announced, ``tie_breaks`` where no list is.
    ``by_rating`` says that numbers are to follow the ratings, but for those in ``apart``.
    ``orders`` are by round the numbers in the order by which it was paired, where numbers were
    given anew since. ``ratings`` are those for tie-breaks, where a rating was for the pairing only.
    """

    sheet: ScoreSheet
    rules: PairingRules = field(default_factory=PairingRules)
    pair: PairingSystem | None = None
    points: Mapping[int, int] = field(default_factory=dict)
    ranks: Mapping[int, int] = field(default_factory=dict)
    tie_breaks: Sequence[TieBreak] | None = None
    by_rating: bool = True
    apart: Collection[int] = ()
    orders: Mapping[int, Sequence[int]] = field(default_factory=dict)
    ratings: Mapping[int, int | None] = field(default_factory=dict)

    @property
    def table(self) -> ScoreSheet:
        """The sheet that places are made of: with the ratings that count for tie-breaks."""
        cards = self.sheet.cards.items()
        shown = {n: replace(card, rating=self.ratings.get(n, card.rating)) for n, card in cards}
        return replace(self.sheet, cards=shown)


def check(declared: DeclaredEvent) -> Iterator[Deviation]:
    """Yields each deviation: numbers first, then round by round, then points and ranks.

    Raises:
        EngineMissing, EngineFailed: a round could not be paired again for it.
    """
    if declared.by_rating:
        yield from _numbers(declared)
    rounds = range(1, declared.sheet.played + 1)
    found = [round_of(declared.sheet, declared.rules, round_) for round_ in rounds]
    yield from check_rounds(found, declared.pair, declared.orders)
    yield from _points(declared)
    yield from _ranks(declared)


# A round


@dataclass(frozen=True, slots=True)
class FoundRound:
    """A round as it is in an event.

    ``boards`` are White and Black, and whether the colours are known; ``byes`` are allocated ones.
    """

    boards: tuple[tuple[int, int, bool], ...]
    byes: tuple[int, ...]


def round_of(sheet: ScoreSheet, rules: PairingRules, round_: int) -> tuple[RoundToPair, FoundRound]:
    """Returns a round as it was to be paired, and as it is in the event.

    Absent is who has neither an opponent nor a pairing-allocated bye in it.
    """
    before = ScoreSheet(
        sheet.system,
        {number: _before(card, round_) for number, card in sheet.cards.items()},
        sheet.rounds,
        round_ - 1,
    )
    boards, byes, absent = [], [], set()
    for number, card in sheet.cards.items():
        line = card.line(round_)
        if line is not None and line.how is How.ALLOCATED_BYE:
            byes.append(number)
        elif line is None or not line.paired or line.opponent is None:
            absent.add(number)
        elif line.colour is Colour.WHITE or (line.colour is None and number < line.opponent):
            boards.append((number, line.opponent, line.colour is not None))
    found = FoundRound(tuple(boards), tuple(byes))
    return RoundToPair(round_, before, frozenset(absent), rules), found


def _before(card: Card, round_: int) -> Card:
    return replace(card, lines=tuple(line for line in card.lines if line.round < round_))


def check_rounds(
    rounds: Sequence[tuple[RoundToPair, FoundRound]],
    pair: PairingSystem | None,
    orders: Mapping[int, Sequence[int]] = MappingProxyType({}),
) -> Iterator[Deviation]:
    """Yields what is wrong with each round by itself, then how it differs from its pairing.

    ``orders`` are as those of ``DeclaredEvent``.
    """
    asked = [to_pair for to_pair, found in rounds if found.boards or found.byes]
    paired = [] if pair is None else _paired_as_numbered(asked, pair, orders)
    proposals = dict(zip(map(id, asked), paired, strict=pair is not None))
    for to_pair, found in rounds:
        yield from _absolute(to_pair, found, pair)
        proposal = proposals.get(id(to_pair))
        if isinstance(proposal, NoPairing):
            yield _in_round(DeviationKind.NO_PAIRING, to_pair, count=len(found.boards))
        elif proposal is not None:
            yield from _compared(to_pair, found, proposal)


def _paired_as_numbered(
    rounds: Sequence[RoundToPair], pair: PairingSystem, orders: Mapping[int, Sequence[int]]
) -> Iterator[Proposal | NoPairing]:
    """Yields the rounds as they are paired by the numbers of their time."""
    then = [
        as_numbered(each, orders[each.round]) if each.round in orders else each for each in rounds
    ]
    for to_pair, proposal in zip(rounds, _paired(then, pair), strict=True):
        order = orders.get(to_pair.round)
        if order is None or isinstance(proposal, NoPairing):
            yield proposal
        else:
            yield as_now(proposal, to_pair, order)


def _paired(rounds: Sequence[RoundToPair], pair: PairingSystem) -> list[Proposal | NoPairing]:
    if pair is dutch.pair:
        return dutch.pair_rounds(rounds)
    proposals: list[Proposal | NoPairing] = []
    for to_pair in rounds:
        try:
            proposals.append(pair(to_pair))
        except NoPairing as none:
            proposals.append(none)
    return proposals


def _absolute(
    to_pair: RoundToPair, found: FoundRound, pair: PairingSystem | None
) -> Iterator[Deviation]:
    """Yields what no pairing may have: C.04.3 2.1 (C1 to C3), and the manual's I IV (a), R III."""
    cards, of_tables = to_pair.sheet.cards, to_pair.sheet.system is System.ROUND_ROBIN
    for one, other, _ in found.boards:
        values = {"one": one, "other": other}
        met = next((line for line in cards[one].games if line.opponent == other), None)
        if met is not None and not of_tables:
            yield _in_round(DeviationKind.SECOND_MEETING, to_pair, before=met.round, **values)
        if frozenset((one, other)) in to_pair.rules.forbidden:
            yield _in_round(DeviationKind.FORBIDDEN_PAIR, to_pair, **values)
        if pair is dutch.pair and _absolute_colours(to_pair, one, other):
            yield _in_round(DeviationKind.ABSOLUTE_COLOURS, to_pair, **values)
    for number in found.byes if not of_tables else ():
        before = next(filter(_barring(pair), cards[number].lines), None)
        if before is not None:
            yield _in_round(DeviationKind.SECOND_BYE, to_pair, number=number, before=before.round)
    if len(found.byes) > _ONCE:
        numbers = ", ".join(map(str, found.byes))
        yield _in_round(DeviationKind.TWO_BYES, to_pair, numbers=numbers)


def _absolute_colours(to_pair: RoundToPair, one: int, other: int) -> bool:
    """Whether two have the same absolute preference, and none is a topscorer (C3)."""
    wanted = [dutch.absolute_preference(to_pair.sheet.cards[number]) for number in (one, other)]
    return (
        wanted[0] is not None
        and wanted[0] is wanted[1]
        and not any(dutch.is_topscorer(to_pair, number) for number in (one, other))
    )


def _barring(pair: PairingSystem | None) -> Callable[[CardLine], bool]:
    """Returns which rounds bar from the bye: in 1975 (D3) a win by forfeit does not."""
    if pair is dutch.pair:
        return dutch.bars_from_bye
    return lambda line: line.how is How.ALLOCATED_BYE


def _compared(to_pair: RoundToPair, found: FoundRound, proposal: Proposal) -> Iterator[Deviation]:
    """Yields the pairs, colours and byes that the rules have otherwise."""
    by_rules = {number: board for board in proposal.boards for number in board.numbers}
    for white, black, coloured in found.boards:
        board = by_rules.get(white)
        if board is None or black not in board.numbers:
            values = {
                "one": white,
                "other": black,
                "for_one": _opponent(board, white, proposal),
                "for_other": _opponent(by_rules.get(black), black, proposal),
            }
            yield _in_round(DeviationKind.PAIR, to_pair, **values)
        elif coloured and board.white != white:
            yield _in_round(DeviationKind.COLOURS, to_pair, white=board.white, black=board.black)
    bye = () if proposal.bye is None else (proposal.bye,)
    if bye != found.byes and len(found.byes) <= _ONCE:
        number = found.byes[0] if found.byes else "-"
        by_them = proposal.bye if proposal.bye is not None else "-"
        yield _in_round(DeviationKind.BYE, to_pair, number=number, by_rules=by_them)


def _opponent(board: Board | None, number: int, proposal: Proposal) -> object:
    """Returns whom a participant meets by the rules."""
    if board is not None:
        return board.black if board.white == number else board.white
    key = "check.the_bye" if proposal.bye == number else "check.nobody"
    return Message.of(key)


# The whole event


def _numbers(declared: DeclaredEvent) -> Iterator[Deviation]:
    """Yields neighbours in the starting order of whom the lower has the higher rating (C.04.2)."""
    cards = declared.sheet.cards.items()
    in_order = (card for number, card in cards if number not in declared.apart)
    for upper, lower in pairwise(in_order):
        if (lower.rating or 0) > (upper.rating or 0):
            yield _difference(
                DeviationKind.NUMBERS,
                upper=upper.number,
                lower=lower.number,
                upper_rating=upper.rating or 0,
                lower_rating=lower.rating or 0,
            )


def _points(declared: DeclaredEvent) -> Iterator[Deviation]:
    for number, points in declared.points.items():
        card = declared.sheet.cards[number]
        if points != card.halves:
            yield _difference(
                DeviationKind.POINTS,
                number=number,
                declared=points_text(points),
                points=points_text(card.halves),
            )


def _ranks(declared: DeclaredEvent) -> Iterator[Deviation]:
    """Yields who is declared at a place that is another one's; who ties may stand in any order."""
    if not declared.ranks:
        return
    places = standings(declared.table, declared.tie_breaks or ())
    listed = [place for place in places if place.card.number in declared.ranks]
    rank = {place.card.number: place.rank for place in listed}
    order = list(rank)
    said = sorted(order, key=lambda number: (declared.ranks[number], order.index(number)))
    moved = [one for one, other in zip(said, order, strict=True) if rank[one] != rank[other]]
    # One wrong figure moves everybody below: those who stand in a place of their own are right.
    wrong = [one for one in moved if declared.ranks[one] not in _own_places(rank, one)]
    for number in wrong or moved:
        yield _difference(
            DeviationKind.RANKS,
            number=number,
            declared=declared.ranks[number],
            rank=rank[number],
            points=points_text(declared.sheet.cards[number].halves),
        )


def _own_places(rank: Mapping[int, int], number: int) -> range:
    """Returns the places that are shared by those of a participant's rank."""
    first = rank[number]
    return range(first, first + sum(other == first for other in rank.values()))


def _in_round(kind: DeviationKind, to_pair: RoundToPair, **values: object) -> Deviation:
    return _difference(kind, to_pair.round, round=to_pair.round, **values)


def _difference(kind: DeviationKind, at: int = 0, /, **values: object) -> Deviation:
    return Deviation(kind, at, Message.of(kind.value, **values))
