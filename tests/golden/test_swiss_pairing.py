"""The Swiss of Chavarría 1975: the examples of the text, and an event worked by hand.

The event has nine players and four rounds: only the results are given, every board follows from
the rules. It shows the bye of the lowest rated, the player with the bye among the winners,
exchanges for a meeting and for a colour, colours by their number and by the parity of the round, a
leader for whom another one comes up, and one who comes up being exchanged.
"""

from __future__ import annotations

import json
from pathlib import Path

from ledger.desk.pairing import fenamac_1975
from tests.desk.swiss_events import SwissEvent, after_colours, pairs

SOURCE = json.loads((Path(__file__).parent / "data" / "swiss_pairing.json").read_text("utf-8"))

ROUNDS = (
    ("1-5 1-0, 6-2 1-0, 3-7 1-0, 8-4 ½", 9),
    ("9-1 1-0, 6-3 1-0, 4-2 ½, 5-8 0-1", 7),
    ("9-6 ½, 1-8 1-0, 2-3 0-1, 7-4 0-1", 5),
    ("6-1 ½, 3-9 1-0, 4-5 ½, 8-7 ½", 2),
)
FINAL = {6: 6, 3: 6, 9: 5, 1: 5, 4: 5, 8: 4, 2: 3, 7: 3, 5: 3}  # in half points


def test_the_first_round_of_a_hundred_players() -> None:
    proposal = SwissEvent.of(100, fenamac_1975.pair).pair()
    first = SOURCE["first_round_100_players"]["first_boards_white_black"]
    assert [list(pair) for pair in pairs(proposal)[: len(first)]] == first
    assert pairs(proposal)[-1] == (100, 50)
    assert proposal.bye is None


def test_the_colours_of_the_second_round() -> None:
    example = SOURCE["colour_example_rule_6"]
    due = {int(number): colour for number, colour in example["due_colour"].items()}
    assert sorted(due) == example["score_group"]
    event = SwissEvent(fenamac_1975.pair, after_colours(due), played=example["round"] - 1)
    proposal = event.pair()
    assert [list(pair) for pair in pairs(proposal)] == example["pairings_white_black"]
    first, second = map(str, proposal.steps)
    assert first == "12 changes places with 11: 1 and 11 are due the same colour (F 6)"
    assert second.startswith("9 and 19 are due the same colour, as often: in an even round")


def test_an_event_of_four_rounds() -> None:
    event = SwissEvent.of(9, fenamac_1975.pair, rounds=4)
    for boards, bye in ROUNDS:
        proposal = event.pair()
        given = [board.split() for board in boards.split(", ")]
        assert [f"{white}-{black}" for white, black in pairs(proposal)] == [b for b, _ in given]
        assert proposal.bye == bye
        event.record(proposal, [result for _, result in given])
    assert event.halves == FINAL
