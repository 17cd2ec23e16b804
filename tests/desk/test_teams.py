"""Teams as participants: matches from their boards, colours, byes, strength, line-ups."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.desk.pairing.registry import pairing_system
from ledger.desk.rounds import last_complete_round, not_paired, open_boards, round_to_pair
from ledger.desk.score_sheet import Card, How, ScoreSheet, without_temporary
from ledger.desk.teams import (
    against_rules,
    match_of,
    matches,
    participants_of,
    participants_sheet,
    strengths,
)
from ledger.events import desk as de
from ledger.events import tournaments as to
from ledger.results import Bye
from ledger.terms import Colour, PairingMethod
from tests.desk.team_events import TeamEvent


def sheet_of(event: TeamEvent) -> ScoreSheet:
    return participants_sheet(event.record)


def card(event: TeamEvent, team: str) -> Card:
    return next(card for card in sheet_of(event).cards.values() if card.player == team)


def test_a_match_is_won_by_the_sum_of_its_boards() -> None:
    event = TeamEvent("AB")
    event.round("A-B 1½01")
    line = card(event, "A").lines[0]
    assert (line.halves, line.board_halves, line.colour) == (2, 5, Colour.WHITE)
    assert [board.halves for board in line.boards] == [2, 1, 0, 2]
    other = card(event, "B").lines[0]
    assert (other.halves, other.board_halves, other.colour) == (0, 3, Colour.BLACK)


def test_odd_boards_have_the_colour_of_board_1_and_even_ones_the_other() -> None:
    event = TeamEvent("AB", boards=3)
    event.round("A-B 111")
    colours = [board.colour for board in card(event, "A").lines[0].boards]
    assert colours == [Colour.WHITE, Colour.BLACK, Colour.WHITE]
    games = [(board.white, board.black) for board in next(matches(event.record, 1)).boards]
    assert games == [("A1", "B1"), ("B2", "A2"), ("A3", "B3")]


def test_a_match_is_open_until_all_its_boards_have_a_result() -> None:
    event = TeamEvent("AB")
    event.round("A-B 11.1")
    line = card(event, "A").lines[0]
    assert (line.how, line.halves, line.board_halves) == (How.OPEN, 0, 6)
    assert list(open_boards(event.record, 1)) == [("A3", "B3")]
    assert last_complete_round(event.record) == 0
    assert participants_of(event.record).pairings == {}


def test_who_is_missing_loses_the_board_and_the_others_play() -> None:
    event = TeamEvent("AB", reserves=0)
    event.round("A-B 1½½.", lineups={"A": ["A1", "A2", "A3", None]})
    line = card(event, "A").lines[0]
    assert (line.how, line.halves, line.board_halves) == (How.PLAYED, 1, 4)
    assert [board.how for board in line.boards] == [How.PLAYED] * 3 + [How.FORFEIT]
    assert not list(open_boards(event.record, 1))
    assert (1, "B4") not in event.record.pairings


def test_a_team_that_does_not_come_is_absent_unannounced() -> None:
    event = TeamEvent("ABCD")
    event.round("A-B ++++", "C-D 1111")
    assert card(event, "B").lines[0].how is How.FORFEIT
    assert not_paired(event.record, 2) == {"B": "absent-before"}
    assert round_to_pair(event.record, 2).absent == {2}


def test_both_absent_have_lost() -> None:
    event = TeamEvent("AB")
    event.round("A-B ####")
    assert [card(event, team).lines[0].halves for team in "AB"] == [0, 0]


@pytest.mark.parametrize(("worth", "halves", "boards"), [(None, 2, 5), (1, 1, 4), (0, 0, 0)])
def test_a_bye_is_a_won_match_with_half_of_the_boards_and_a_half(
    worth: int | None, halves: int, boards: int
) -> None:
    event = TeamEvent("ABC", bye_halves=worth)
    event.round("A-B 1111", bye="C")
    line = card(event, "C").lines[0]
    assert (line.halves, line.board_halves, line.boards) == (halves, boards, ())


def test_an_absence_announced_is_worth_what_was_said() -> None:
    event = TeamEvent("AB")
    event.take(de.AbsenceAnnounced(tournament="T", player="B", round=1, kind=Bye.HALF))
    assert not_paired(event.record, 1) == {"B": "announced"}


def test_who_withdrew_and_who_was_expelled_is_not_paired() -> None:
    event = TeamEvent("ABCD")
    event.take(to.PlayerWithdrew(tournament="T", player="B", from_round=2))
    event.take(de.PlayerExpelled(tournament="T", player="C", from_round=2))
    assert not_paired(event.record, 2) == {"B": "withdrawn", "C": "expelled"}


def test_strength_is_the_mean_of_the_regular_players() -> None:
    event = TeamEvent("AB", boards=2)
    ratings = {"A1": 2000, "A2": 1901, "A3": 2700, "B1": 1800}
    assert strengths(event.record, ratings) == {"A": Fraction(3901, 2), "B": Fraction(1800)}
    event.take(de.EntryDescribed(tournament="T", player="B2", pairing_rating=1600))
    assert strengths(event.record, ratings)["B"] == 1700


def test_numbers_are_those_of_the_teams_and_the_players_keep_theirs() -> None:
    event = TeamEvent("AB")
    players = dict(event.record.entries)
    event.take(de.NumbersAssigned(tournament="T", participants=("B", "A"), basis="hand"))
    assert participants_of(event.record).entries == {"B": 1, "A": 2}
    assert event.record.entries == players


def test_temporary_points_count_in_no_final_standings() -> None:
    event = TeamEvent("AB")
    event.round("A-B 11½.")
    event.take(
        to.GameAdjudicated(
            tournament="T", round=1, white="B4", black="A4", result="1-1a", ruling="temporary"
        )
    )
    sheet = sheet_of(event)
    assert sheet.halves == {1: 2, 2: 0}
    final = without_temporary(sheet).cards[1].lines[0]
    assert (final.how, final.halves, final.board_halves) == (How.OPEN, 0, 5)


def test_the_same_facts_are_the_same_round() -> None:
    event = TeamEvent("ABCDE")
    event.round("A-B 1111", "C-D ½½½½", bye="E")
    assert round_to_pair(event.record, 2) == round_to_pair(event.record, 2)
    assert match_of(event.record, 1, "E") is None


# Line-ups

ACCEPTED = ["1234", "234R", "134R", "124R", "12R4", "123R", "123-", "234-", "12-4", "12R-"]
REFUSED = {
    "2134": "team.order_changed",
    "R234": "team.reserve_too_high",
    "1R34": "team.reserve_too_high",
    "-234": "team.others_move_up",
    "1-34": "team.others_move_up",
    "23R4": "team.others_move_up",
    "12R3": "team.others_move_up",
    "1224": "team.player_twice",
    "1234R": "team.too_many_boards",
    "12X4": "team.not_of_team",
    "----": "team.nobody_plays",
}


def refusal(lineup: str) -> str | None:
    event = TeamEvent("A")
    names = {"R": "A5", "-": None, "X": "B1"}
    players = [names.get(one, f"A{one}") for one in lineup]
    message = against_rules(event.record.desk, "A", players)
    return message.key if message else None


@pytest.mark.parametrize("lineup", ACCEPTED)
def test_line_ups_that_the_text_allows(lineup: str) -> None:
    assert refusal(lineup) is None


@pytest.mark.parametrize("lineup", REFUSED)
def test_line_ups_that_it_does_not_allow(lineup: str) -> None:
    assert refusal(lineup) == REFUSED[lineup]


@given(st.data(), st.integers(1, 6))
def test_whoever_is_missing_there_is_a_line_up(data: st.DataObject, boards: int) -> None:
    """The regular players who came in their order, then reserves where they may play."""
    event = TeamEvent("A", boards=boards, reserves=2)
    regulars = [f"A{n}" for n in range(1, boards + 1)]
    came = [p for p in regulars if data.draw(st.booleans(), label=p)]
    lineup: list[str | None] = [*came]
    reserves = [f"A{boards + 1}", f"A{boards + 2}"]
    while len(lineup) < boards:
        may = len(lineup) + 1 > boards - max(1, boards // 2)
        lineup.append(reserves.pop(0) if may and reserves else None)
    expected = None if any(lineup) else "team.nobody_plays"
    message = against_rules(event.record.desk, "A", lineup)
    assert (message.key if message else None) == expected


# Laws

_SIGNS = st.sampled_from("1½0+-")


@given(st.lists(st.text(_SIGNS, min_size=4, max_size=4), min_size=2, max_size=2))
def test_what_the_boards_of_a_match_bring_adds_up(results: list[str]) -> None:
    event = TeamEvent("ABCD")
    event.round(f"A-B {results[0]}", f"C-D {results[1]}")
    for match in matches(event.record, 1):
        assert sum(match.halves) == 8
        assert match.result is not None
        assert sum(match.result.halves) == 2
        for team in match.teams:
            assert len(match.halves_of(team)) == 4


@given(st.text(_SIGNS, min_size=4, max_size=4))
def test_every_board_is_a_game_of_two_players(results: str) -> None:
    event = TeamEvent("AB")
    event.round(f"A-B {results}")
    games = event.record.each_pairing
    assert len(games) == 4
    played = sum(game.has_game_result for game in games)
    assert played == sum(sign in "1½0" for sign in results)


@given(st.data(), st.integers(4, 9))
def test_no_two_teams_meet_twice_and_nobody_has_two_byes(data: st.DataObject, count: int) -> None:
    event = TeamEvent("ABCDEFGHI"[:count], boards=2, rounds=3)
    met: set[frozenset[str]] = set()
    byes: list[str] = []
    for round_ in range(1, 1 + count // 2):
        to_pair = round_to_pair(event.record, round_)
        proposal = pairing_system(PairingMethod.TEAM_1975)(to_pair)
        ids = {number: id_ for id_, number in participants_of(event.record).entries.items()}
        pairs = [(ids[board.white], ids[board.black]) for board in proposal.boards]
        assert met.isdisjoint(map(frozenset, pairs))
        met |= set(map(frozenset, pairs))
        bye = None if proposal.bye is None else ids[proposal.bye]
        byes += [] if bye is None else [bye]
        results = st.text(st.sampled_from("1½0"), min_size=2, max_size=2)
        said = [f"{white}-{black} {data.draw(results)}" for white, black in pairs]
        event.round(*said, bye=bye)
    assert len(byes) == len(set(byes)) == (count // 2 if count % 2 else 0)
