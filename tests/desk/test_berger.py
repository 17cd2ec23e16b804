from __future__ import annotations

from collections import Counter
from itertools import combinations, groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.desk.pairing import berger
from ledger.desk.pairing.berger import BergerTables
from ledger.desk.pairing.proposal import NoPairing, PairingRules, RoundToPair
from ledger.desk.score_sheet import Card, ScoreSheet
from ledger.terms import System
from tests.desk.swiss_events import pairs
from tests.profile import examples

numbers_of_players = st.integers(2, 60)


def colours(event: BergerTables, player: int) -> str:
    """The colours of a player's games, in order."""
    games = [pair for r in range(1, event.rounds + 1) for pair in event.games(r)]
    return "".join("WB"[pair.index(player)] for pair in games if player in pair)


def longest_run(text: str) -> int:
    return max((len(list(run)) for _, run in groupby(text)), default=0)


@examples(60)
@given(numbers_of_players, st.integers(1, 3), st.booleans())
def test_everybody_meets_everybody_once_a_cycle(
    players: int,
    cycles: int,
    exchanged: bool,  # noqa: FBT001
) -> None:
    event = BergerTables(players, cycles, exchanged)
    met: Counter[frozenset[int]] = Counter()
    for round_ in range(1, event.rounds + 1):
        games = event.games(round_)
        seated = [player for pair in games for player in pair]
        resting = event.resting(round_)
        assert sorted(seated + ([] if resting is None else [resting])) == list(
            range(1, players + 1)
        )
        met.update(map(frozenset, games))
    assert met == {frozenset(pair): cycles for pair in combinations(range(1, players + 1), 2)}


@examples(30)
@given(numbers_of_players)
def test_colours_of_a_single_cycle(players: int) -> None:
    event = BergerTables(players)
    for player in range(1, players + 1):
        given_ = colours(event, player)
        assert longest_run(given_) <= 2
        if players % 2 == 0:
            assert given_.count("W") - given_.count("B") == (1 if player <= players // 2 else -1)


@examples(30)
@given(st.integers(3, 40))
def test_a_double_cycle_gives_everybody_both_colours_against_everybody(players: int) -> None:
    for exchanged in (False, True):
        event = BergerTables(players, 2, exchanged)
        games = Counter(pair for r in range(1, event.rounds + 1) for pair in event.games(r))
        assert set(games.values()) == {1}
        assert len(games) == players * (players - 1)


@examples(30)
@given(st.integers(2, 20).map(lambda half: 2 * half))
def test_exchange_last_rounds_spare_everybody_a_third_game_of_a_colour(players: int) -> None:
    for exchanged, most in ((False, 3), (True, 2)):
        event = BergerTables(players, 2, exchanged)
        runs = [longest_run(colours(event, player)) for player in range(1, players + 1)]
        assert max(runs) == most


def test_the_two_conventions_of_a_double_cycle() -> None:
    plain, exchanged = BergerTables(6, 2), BergerTables(6, 2, exchange_last_rounds=True)
    for one, other in ((1, 1), (4, 5), (5, 4), (6, 6), (9, 9), (10, 10)):
        assert exchanged.pairs(one) == plain.pairs(other)
    assert plain.pairs(6) == ((6, 1), (5, 2), (4, 3))


def to_pair(
    players: int,
    round_: int,
    *,
    rounds: int = 0,
    absent: frozenset[int] = frozenset(),
    rules: PairingRules | None = None,
) -> RoundToPair:
    # The numbers need not begin with 1 nor be without gaps.
    cards = {10 * number: Card(10 * number, f"P{number}") for number in range(players, 0, -1)}
    sheet = ScoreSheet(System.ROUND_ROBIN, cards, rounds, round_ - 1)
    return RoundToPair(round_, sheet, absent, rules or PairingRules())


def test_a_round_is_that_of_the_table() -> None:
    proposal = berger.pair(to_pair(7, 2))
    assert pairs(proposal) == [(60, 40), (70, 30), (10, 20)]
    assert proposal.bye == 50


def test_who_was_to_play_an_absent_player_has_no_game() -> None:
    proposal = berger.pair(to_pair(6, 1, absent=frozenset((20,))))
    assert pairs(proposal) == [(10, 60), (30, 40)]
    assert [str(step) for step in proposal.steps] == ["50 has no game: 20 is not there"]
    assert berger.pair(to_pair(5, 1, absent=frozenset((10,)))).bye is None
    assert not berger.pair(to_pair(6, 1, absent=frozenset((20, 50)))).steps


def test_a_second_cycle_is_announced_by_the_rounds() -> None:
    assert pairs(berger.pair(to_pair(4, 4, rounds=6))) == [(40, 10), (30, 20)]
    rules = PairingRules(exchange_last_rounds=True)
    assert pairs(berger.pair(to_pair(4, 2, rounds=6, rules=rules))) == [(20, 40), (30, 10)]
    with pytest.raises(NoPairing, match="the tables for 4 players have 3 rounds, not 4"):
        berger.pair(to_pair(4, 4, rounds=3))


def test_nobody_plays_alone() -> None:
    for players in (0, 1):
        with pytest.raises(NoPairing, match="nobody is here"):
            berger.pair(to_pair(players, 1))
