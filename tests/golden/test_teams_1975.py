"""The examples of the manual's chapter on teams: a team's row, round sheets, moving up."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from typing import Any

from ledger.desk.teams import against_rules, matches, participants_sheet
from ledger.terms import Colour
from tests.desk.team_events import TeamEvent

DATA: dict[str, Any] = json.loads(
    (Path(__file__).parent / "data" / "teams_1975.json").read_text(encoding="utf-8")
)
SIGNS = {"1": "1", "0.5": "½", "0": "0"}
SCORES = {"4-0": "1111", "3-1": "11½½", "2-2": "½1½0"}


def test_the_row_of_enrocados() -> None:
    """4-0, 3-1, 2-2, 2-2, 2-2: match points 1, 2, 2½, 3, 3½ and 13 boards."""
    about = DATA["enrocados"]
    opponents = [f"O{number}" for number in about["opponents"]]
    event = TeamEvent(["E", *opponents])
    for opponent, colour, score in zip(opponents, about["colours"], about["boards"], strict=True):
        signs = SCORES[score]
        if colour == "N":
            mirrored = signs.translate(str.maketrans("10", "01"))
            event.round(f"{opponent}-E {mirrored}")
        else:
            event.round(f"E-{opponent} {signs}")
    card = participants_sheet(event.record).cards[1]
    running = [str(Fraction(halves, 2)) for halves in accumulate(ln.halves for ln in card.lines)]
    assert [str(Fraction(points)) for points in about["match_points"]] == running
    assert Fraction(sum(ln.board_halves for ln in card.lines), 2) == Fraction(about["total_boards"])
    colours = {Colour.WHITE: "B", Colour.BLACK: "N"}
    assert "".join(colours[ln.colour] for ln in card.lines if ln.colour) == about["colours"]
    boards = [f"{ln.board_halves / 2:g}-{4 - ln.board_halves / 2:g}" for ln in card.lines]
    assert boards == about["boards"]


def test_the_round_sheets_add_up() -> None:
    for said in (DATA["first_round"], DATA["third_round"]):
        event = TeamEvent("AB")
        event.round("A-B " + "".join(SIGNS[board[0]] for board in said["boards"]))
        [match] = matches(event.record, 1)
        assert [str(Fraction(h, 2)) for h in match.halves] == [
            str(Fraction(points)) for points in said["result"]
        ]
        assert match.result is not None
        assert [str(Fraction(h, 2)) for h in match.result.halves] == [
            str(Fraction(points)) for points in said["match_points"]
        ]
        for (one, _, _, other), halves in zip(said["boards"], match.halves_of("A"), strict=True):
            assert (Fraction(one), Fraction(other)) == (
                Fraction(halves, 2),
                1 - Fraction(halves, 2),
            )


def test_the_others_move_up_and_the_reserve_comes_in_behind() -> None:
    """Round 3 of CARLOS TORRE: board 1 was missing, the reserve played board 4."""
    first, third = (
        [row[1] for row in DATA[key]["boards"]] for key in ("first_round", "third_round")
    )
    regulars, reserve = first, third[-1]
    players = {name: f"A{place}" for place, name in enumerate([*regulars, reserve], start=1)}
    assert third == [*regulars[1:], reserve]
    desk = TeamEvent("A").record.desk
    assert against_rules(desk, "A", [players[name] for name in third]) is None


def test_the_printed_individual_table_is_that_of_the_matches() -> None:
    """Rounds 1, 2 and 4 of ENROCADOS agree with its matches: 4, 3 and 2 boards."""
    about = DATA["individual"]
    printed = [said.split() for said in about["players"].values()][:4]
    event = TeamEvent("ABCD")
    for opponent, column in zip("BCD", zip(*printed, strict=True), strict=True):
        event.round(f"A-{opponent} " + "".join(column))
    for place, round_ in enumerate(about["rounds"], start=1):
        [match] = matches(event.record, place)
        score = DATA["enrocados"]["boards"][round_ - 1]
        assert Fraction(match.halves[0], 2) == Fraction(score[0])
    totals = [
        sum(board.halves for line in card.lines for board in line.boards[place : place + 1])
        for card in [participants_sheet(event.record).cards[1]]
        for place in range(4)
    ]
    assert [str(Fraction(total, 2)) for total in totals] == ["2", "2", "2", "3"]
