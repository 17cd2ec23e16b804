"""Laws of the manual's Swiss, on events by chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.desk.pairing import fenamac_1975, practical_1975
from ledger.desk.pairing.proposal import NoPairing, PairingRules, PairingSystem, Proposal
from ledger.desk.score_sheet import How
from ledger.wording import Message
from tests.desk import literal_swiss
from tests.desk.swiss_events import FORFEITS, SCORES, SwissEvent, pairs
from tests.profile import examples

SYSTEMS = (fenamac_1975.pair, practical_1975.pair)
Found = tuple[literal_swiss.Pairs, int | None] | None
LITERAL: dict[PairingSystem, Callable[[literal_swiss.Facts], Found]] = {
    fenamac_1975.pair: literal_swiss.round_pairs,
    practical_1975.pair: literal_swiss.practical_pairs,
}
systems = pytest.mark.parametrize("system", SYSTEMS, ids=("fenamac", "practical"))


@dataclass(frozen=True)
class Luck:
    """An event by chance: how many players, who is away, and what they make of it."""

    players: int
    seed: int
    away: int = 0
    """Of a hundred players, in each round."""
    forfeits: int = 0
    """Of a hundred games."""
    forbidden: int = 0
    """How many pairs must not meet."""

    def event(self, system: PairingSystem) -> SwissEvent:
        chance = Random(self.seed)  # noqa: S311 - by chance, not secret
        numbers = range(1, self.players + 1)
        forbidden = frozenset(frozenset(chance.sample(numbers, 2)) for _ in range(self.forbidden))
        return SwissEvent.of(self.players, system, rules=PairingRules(forbidden=forbidden))

    def absent(self, round_: int) -> set[int]:
        chance = Random(f"{self.seed} away {round_}")  # noqa: S311 - by chance, not secret
        return {p for p in range(1, self.players + 1) if chance.randrange(100) < self.away}

    def results(self, proposal: Proposal, round_: int) -> list[str]:
        chance = Random(f"{self.seed} results {round_}")  # noqa: S311 - by chance, not secret
        return [
            chance.choice(list(FORFEITS if chance.randrange(100) < self.forfeits else SCORES))
            for _ in proposal.boards
        ]


def lucks(least: int, most: int, *, away: int = 0, forbidden: int = 0) -> st.SearchStrategy[Luck]:
    return st.builds(
        Luck,
        st.integers(least, most),
        st.integers(0, 10**9),
        st.integers(0, away),
        st.sampled_from((0, 10)),
        st.integers(0, forbidden),
    )


def check(event: SwissEvent, proposal: Proposal, absent: set[int]) -> None:
    """A round keeps the rules that nothing stands above."""
    here = event.cards.keys() - absent
    paired = Counter(number for pair in pairs(proposal) for number in pair)
    resting = set() if proposal.bye is None else {proposal.bye}
    assert paired.keys() | resting == here
    assert paired.total() == len(paired)
    assert not paired.keys() & resting
    assert len(resting) == len(here) % 2
    for one, other in pairs(proposal):
        met = [line for line in event.cards[one].lines if line.opponent == other]
        assert all(line.how is How.FORFEIT for line in met)
        assert frozenset((one, other)) not in event.rules.forbidden
    for number in resting:
        assert not any(line.how is How.ALLOCATED_BYE for line in event.cards[number].lines)


def play(event: SwissEvent, luck: Luck, rounds: int) -> None:
    """Plays rounds of an event, every one of which can be paired."""
    for round_ in range(1, rounds + 1):
        absent = luck.absent(round_)
        proposal = event.pair(absent)
        check(event, proposal, absent)
        event.record(proposal, luck.results(proposal, round_))


@systems
@examples(150)
@given(luck=lucks(3, 60))
def test_up_to_half_as_many_rounds_as_players_can_always_be_paired(
    system: PairingSystem, luck: Luck
) -> None:
    play(luck.event(system), luck, min(luck.players // 2, 12))


@systems
@examples(10)
@given(luck=lucks(150, 200, away=10))
def test_large_events_can_always_be_paired(system: PairingSystem, luck: Luck) -> None:
    play(luck.event(system), luck, 11)


@systems
@examples(300)
@given(luck=lucks(2, 10, away=15, forbidden=4))
def test_each_round_is_what_a_person_finds_who_tries_everything(
    system: PairingSystem, luck: Luck
) -> None:
    event = luck.event(system)
    for round_ in range(1, luck.players + 3):
        absent = luck.absent(round_)
        here = {number: card for number, card in event.cards.items() if number not in absent}
        facts = literal_swiss.Facts(round_, here, event.rules.forbidden)
        found = LITERAL[system](facts)
        if found is None:
            with pytest.raises(NoPairing):
                event.pair(absent)
            return
        proposal = event.pair(absent)
        check(event, proposal, absent)
        made, bye = found
        assert pairs(proposal) == literal_swiss.boards(facts, made)
        assert proposal.bye == bye
        event.record(proposal, luck.results(proposal, round_))


@systems
@examples(60)
@given(luck=lucks(3, 30, away=10), shuffle=st.randoms(use_true_random=False))
def test_the_order_of_the_entries_does_not_matter_and_a_round_is_paired_again_alike(
    system: PairingSystem, luck: Luck, shuffle: Random
) -> None:
    event = luck.event(system)
    play(event, luck, min(luck.players // 4, 5))
    to_pair = event.to_pair()
    order = list(event.cards)
    shuffle.shuffle(order)
    shuffled = replace(to_pair.sheet, cards={number: event.cards[number] for number in order})
    proposal = system(to_pair)
    assert system(replace(to_pair, sheet=shuffled)) == proposal
    assert system(event.to_pair()) == proposal


@systems
@examples(40)
@given(luck=lucks(3, 40, away=10, forbidden=10))
def test_every_step_is_told_in_every_language(system: PairingSystem, luck: Luck) -> None:
    event = luck.event(system)
    for round_ in range(1, 8):
        proposal, steps = told(event, luck.absent(round_))
        for step in steps:
            assert step.within("en") != step.within("es")
        if proposal is None:
            return
        event.record(proposal, luck.results(proposal, round_))


def told(event: SwissEvent, absent: set[int]) -> tuple[Proposal | None, tuple[Message, ...]]:
    """A round and its steps, or why there is none."""
    try:
        proposal = event.pair(absent)
    except NoPairing as refused:
        return None, (refused.message,)
    return proposal, proposal.steps
