"""What the manual's Swiss does on each conflict, case by case (Chavarría 1975)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from ledger.desk.pairing import fenamac_1975, practical_1975
from ledger.desk.pairing.proposal import NoPairing, PairingRules, Proposal
from ledger.desk.score_sheet import Card, CardLine, How
from ledger.terms import Colour
from tests.desk.swiss_events import SwissEvent, pairs

COLOURS = {"W": Colour.WHITE, "B": Colour.BLACK, "-": None}


def card(
    number: int,
    halves: int,
    *,
    met: Sequence[int] = (),
    colours: str = "",
    how: How | None = None,
) -> Card:
    """A card with a score; whom it has met, which colours it had, and how one round more was."""
    rounds = max(len(met), len(colours))
    lines = [
        CardLine(
            at + 1,
            How.PLAYED,
            opponent=met[at] if at < len(met) else 1000 + number,
            colour=COLOURS[colours[at]] if at < len(colours) else None,
        )
        for at in range(rounds)
    ]
    lines.append(CardLine(rounds + 1, how or How.UNPAIRED, halves))
    return Card(number, f"P{number}", tuple(lines))


def pair(
    *cards: Card, round_: int = 3, absent: Sequence[int] = (), rules: PairingRules | None = None
) -> Proposal:
    event = SwissEvent(
        fenamac_1975.pair,
        {card.number: card for card in cards},
        played=round_ - 1,
        rules=rules or PairingRules(),
    )
    return event.pair(absent)


def keys(proposal: Proposal) -> list[str]:
    return [step.key.removeprefix("desk.") for step in proposal.steps]


def met(proposal: Proposal) -> set[frozenset[int]]:
    return {board.numbers for board in proposal.boards}


# R III: an odd number of players


def test_the_bye_goes_to_the_lowest_rated_of_the_lowest_score() -> None:
    proposal = pair(card(1, 0), card(2, 2), card(3, 2), card(4, 0), card(5, 4))
    assert proposal.bye == 4


def test_nobody_gets_a_second_bye_and_the_group_above_is_asked() -> None:
    rested = How.ALLOCATED_BYE
    proposal = pair(
        card(1, 4), card(2, 2), card(3, 2), card(4, 2, how=rested), card(5, 2, how=rested)
    )
    assert proposal.bye == 3
    assert keys(proposal)[:3] == ["had_bye", "had_bye", "bye"]


def test_a_win_by_forfeit_does_not_bar_a_bye_and_leave_does_not_either() -> None:
    for how in (How.FORFEIT, How.HALF_BYE, How.ZERO_BYE):
        assert pair(card(1, 4), card(2, 2), card(3, 1, how=how)).bye == 3
    assert pair(card(1, 4), card(2, 2), card(3, 1, how=How.FULL_BYE)).bye == 2


def test_who_must_play_so_that_the_others_can_gets_no_bye() -> None:
    proposal = pair(card(1, 4, met=[2]), card(2, 2, met=[1]), card(3, 0))
    assert proposal.bye == 2
    assert keys(proposal)[:2] == ["bye_passed", "bye"]


def test_the_bye_may_be_drawn_among_the_lowest_score_after_round_one() -> None:
    cards = [card(1, 2), card(2, 2), *(card(n, 0) for n in range(3, 10))]
    drawn = {
        pair(*cards, rules=PairingRules(bye_lots=f"seed {n}"), round_=3).bye for n in range(40)
    }
    assert drawn == set(range(3, 10))
    rules = PairingRules(bye_lots="seed")
    assert keys(pair(*cards, rules=rules))[0] == "bye_by_lot"
    assert pair(*cards, rules=rules, round_=1).bye == 9


def test_one_player_alone_has_the_bye() -> None:
    assert pair(card(1, 0)) == replace(pair(card(1, 0)), boards=(), bye=1)


# F 5: the first round


def test_the_first_colour_is_a_parameter() -> None:
    rules = PairingRules(first_colour=Colour.BLACK)
    assert pairs(pair(*(card(n, 0) for n in range(1, 7)), round_=1, rules=rules)) == [
        (4, 1),
        (2, 5),
        (6, 3),
    ]


# F 6: groups, floaters, halves, exchanges


def test_the_highest_rated_of_the_next_group_comes_up_to_the_last_place() -> None:
    proposal = pair(card(3, 4), card(4, 4), card(5, 4), card(1, 2), card(2, 2), card(6, 2))
    assert met(proposal) == {frozenset((3, 5)), frozenset((4, 1)), frozenset((2, 6))}
    assert keys(proposal)[0] == "comes_up"


def test_who_cannot_be_fitted_in_is_passed_over_for_the_next() -> None:
    # 1 has met both of the group; without halves it could not play anybody else either.
    proposal = pair(card(3, 4, met=[1]), card(1, 2, met=[3]), card(2, 2), card(6, 2))
    assert met(proposal) == {frozenset((3, 2)), frozenset((1, 6))}
    assert keys(proposal)[:2] == ["floaters_passed", "comes_up"]


def test_who_has_met_the_card_opposite_takes_the_next_lower() -> None:
    proposal = pair(
        card(1, 2, met=[4, 5]), card(2, 2), card(3, 2), card(4, 2), card(5, 2), card(6, 2)
    )
    assert met(proposal) == {frozenset((1, 6)), frozenset((2, 5)), frozenset((3, 4))}
    assert [step for step in keys(proposal) if step.startswith("exchange")] == ["exchange_met"]


def test_an_exchange_leaves_the_pairs_that_follow_possible() -> None:
    # 1 could take 4, but then 3 would be left to meet 5 or 6 once more.
    proposal = pair(
        card(1, 2), card(2, 2), card(3, 2, met=[5, 6]), card(4, 2), card(5, 2), card(6, 2)
    )
    assert met(proposal) == {frozenset((1, 5)), frozenset((2, 6)), frozenset((3, 4))}
    assert "exchange_rest" in keys(proposal)


def test_halves_give_way_where_they_would_repeat_a_meeting() -> None:
    proposal = pair(card(1, 2, met=[3, 4]), card(2, 2), card(3, 2), card(4, 2))
    assert met(proposal) == {frozenset((1, 2)), frozenset((3, 4))}
    assert keys(proposal)[0] == "no_halves"


def test_inside_a_group_the_nearest_to_the_card_opposite_is_tried_the_lower_first() -> None:
    # 1 has met all of the lower half (4, 5, 6): 3 is one place away from 4, then comes 2.
    proposal = pair(
        card(1, 2, met=[4, 5, 6]), card(2, 2), card(3, 2), card(4, 2), card(5, 2), card(6, 2)
    )
    assert met(proposal) == {frozenset((1, 3)), frozenset((2, 5)), frozenset((4, 6))}


def test_the_score_goes_before_the_halves() -> None:
    # Among themselves all of one score can be paired, so nobody comes up for better halves.
    proposal = pair(
        card(1, 4, met=[3, 4]), card(2, 4), card(3, 4), card(4, 4), card(5, 2), card(6, 2)
    )
    assert met(proposal) == {frozenset((1, 2)), frozenset((3, 4)), frozenset((5, 6))}


# I V: somebody has met all of his score


def test_a_leader_who_met_the_next_two_takes_one_of_the_group_after() -> None:
    # After eight rounds: 7½, two with 7 whom the leader has met, then the group of 6½.
    leader = card(1, 15, met=[2, 3])
    seconds = [card(2, 14, met=[1]), card(3, 14, met=[1])]
    others = [card(number, 13) for number in (4, 5, 6)]
    proposal = pair(leader, *seconds, *others, round_=9)
    assert met(proposal) == {frozenset((1, 4)), frozenset((2, 3)), frozenset((5, 6))}


def test_if_the_next_two_have_met_too_they_go_to_the_group_after() -> None:
    leader = card(1, 15, met=[2, 3])
    seconds = [card(2, 14, met=[1, 3]), card(3, 14, met=[1, 2])]
    others = [card(number, 13) for number in (4, 5, 6)]
    proposal = pair(leader, *seconds, *others, round_=9)
    assert met(proposal) == {frozenset((1, 4)), frozenset((2, 5)), frozenset((3, 6))}
    assert keys(proposal)[0] == "joined"


# R VIII, I VIII: colours


@pytest.mark.parametrize(
    ("one", "other", "round_", "white"),
    [
        ("B", "W", 2, 1),  # each gets what is due
        ("W", "B", 2, 2),
        ("", "W", 2, 1),  # one without a due
        ("", "B", 2, 2),
        ("WBWW", "BWBW", 5, 2),  # both are due Black; 1 has had it less
        ("BWBB", "WBWB", 5, 1),
        ("B", "B", 2, 2),  # as often: in an even round the higher rated has Black
        ("W", "W", 3, 1),
        ("", "", 2, 2),  # nothing due
        ("", "", 3, 1),
    ],
)
def test_colours(one: str, other: str, round_: int, white: int) -> None:
    proposal = pair(card(1, 2, colours=one), card(2, 2, colours=other), round_=round_)
    assert proposal.boards[0].white == white


def test_the_colour_of_a_game_by_forfeit_counts_and_a_bye_has_none() -> None:
    played = CardLine(1, How.PLAYED, 2, 9, Colour.WHITE)
    forfeit = Card(1, "P1", (played, CardLine(2, How.FORFEIT, 2, 8, Colour.BLACK)))
    rested = Card(2, "P2", (played, CardLine(2, How.ALLOCATED_BYE, 2)))
    assert pairs(pair(forfeit, rested)) == [(1, 2)]  # due White, and due Black from round 1


def test_no_exchange_for_a_colour_breaks_up_a_score() -> None:
    proposal = pair(
        card(1, 4, colours="W"), card(2, 4, colours="W"), card(3, 2, colours="B"),
        card(4, 2, colours="B"),
    )  # fmt: skip
    assert met(proposal) == {frozenset((1, 2)), frozenset((3, 4))}


# F 9, F 10: absences, unfinished games


def test_a_game_that_was_not_played_is_no_meeting() -> None:
    line = CardLine(1, How.FORFEIT, 2, 2, Colour.WHITE)
    other = CardLine(1, How.FORFEIT, 0, 1, Colour.BLACK)
    assert met(pair(Card(1, "P1", (line,)), Card(2, "P2", (other,)))) == {frozenset((1, 2))}


def test_who_is_absent_is_not_paired_and_gives_nobody_a_point() -> None:
    proposal = pair(*(card(number, 2) for number in range(1, 6)), absent=[2])
    assert met(proposal) == {frozenset((1, 4)), frozenset((3, 5))}
    assert proposal.bye is None


def test_temporary_points_count_for_the_pairing() -> None:
    adjourned = [
        Card(n, f"P{n}", (CardLine(1, How.OPEN, 2, 3 - n, Colour.WHITE, temporary=True),))
        for n in (1, 2)
    ]
    proposal = pair(*adjourned, card(3, 2), card(4, 2), card(5, 0), card(6, 0), round_=2)
    assert met(proposal) == {frozenset((1, 3)), frozenset((2, 4)), frozenset((5, 6))}


def test_who_is_kept_apart_does_not_meet() -> None:
    rules = PairingRules(forbidden=frozenset((frozenset((1, 3)),)))
    proposal = pair(*(card(number, 2) for number in range(1, 5)), rules=rules)
    assert met(proposal) == {frozenset((1, 4)), frozenset((2, 3))}


def test_virtual_points_group_for_the_pairing_only() -> None:
    rules = PairingRules(acceleration={1: {1: 2, 2: 2}})
    proposal = pair(*(card(number, 0) for number in range(1, 5)), round_=1, rules=rules)
    assert pairs(proposal) == [(1, 2), (4, 3)]


# Nothing works


def test_what_cannot_be_paired_is_refused_with_what_to_do() -> None:
    rested = [card(number, 2, how=How.ALLOCATED_BYE) for number in (1, 2, 3)]
    with pytest.raises(NoPairing, match=r"3 players are here.*had a bye already.*by hand"):
        pair(*rested)
    with pytest.raises(NoPairing, match=r"1 has met everybody.*give 1 leave"):
        pair(card(1, 2, met=[2]), card(2, 2, met=[1]))
    trio = [card(n, 2, met=[m for m in (2, 3, 4) if m != n]) for n in (2, 3, 4)]
    with pytest.raises(NoPairing, match="without a second meeting"):
        pair(card(1, 2), *trio)
    with pytest.raises(NoPairing, match="nobody is here"):
        pair(card(1, 2), absent=[1])


# F 7: the practical system


def practical(*cards: Card) -> Proposal:
    event = SwissEvent(practical_1975.pair, {card.number: card for card in cards}, played=2)
    return event.pair()


def test_the_practical_system_pairs_from_both_ends() -> None:
    # Groups of 3, 2, 2, 3: the first takes 6 from the second, the last takes 9 from the third;
    # what is left over in the middle, 7 and 8, is paired at the end.
    proposal = practical(
        *(card(n, 6) for n in (1, 2, 3)), *(card(n, 4) for n in (6, 7)),
        *(card(n, 2) for n in (8, 9)), *(card(n, 0) for n in (4, 5, 10)),
    )  # fmt: skip
    assert [board.numbers for board in proposal.boards] == [
        {1, 3}, {2, 6}, {7, 8}, {9, 5}, {4, 10},
    ]  # fmt: skip
    assert "comes_down" in keys(proposal)


def test_where_nothing_floats_both_systems_are_one() -> None:
    cards = [card(n, halves) for n, halves in enumerate((4, 4, 2, 2, 2, 2, 0, 0), start=1)]
    assert practical(*cards) == pair(*cards)
