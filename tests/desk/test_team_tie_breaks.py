"""Tie-breaks of teams: laws that tie them to those of players, and small cases."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.desk.score_sheet import ScoreSheet
from ledger.desk.standings import standings
from ledger.desk.teams import participants_sheet
from ledger.desk.tie_breaks.fide.descriptors import fide_tie_break
from ledger.desk.tie_breaks.manual_1975 import board_medians, habit, median
from ledger.desk.tie_breaks.registry import announced
from ledger.desk.tie_breaks.tie_break import TieBreak
from ledger.terms import System
from tests.desk.team_events import TeamEvent

OF_2026 = dt.date(2026, 3, 1)
PAIRINGS = (("A-B", "C-D"), ("D-A", "B-C"), ("A-C", "D-B"))


def code(text: str) -> TieBreak:
    return fide_tie_break(text, OF_2026, System.TEAM_SWISS)


def amount(tie_break: TieBreak, sheet: ScoreSheet, number: int) -> Fraction | None:
    assert tie_break.each is not None
    return tie_break.each(sheet, sheet.cards[number]).amount


def played(boards: int, results: list[str]) -> ScoreSheet:
    """Four teams, three rounds, all against all."""
    event = TeamEvent("ABCD", boards=boards, rounds=3)
    said = iter(results)
    for round_ in PAIRINGS:
        event.round(*(f"{match} {next(said)}" for match in round_))
    return participants_sheet(event.record)


def results(boards: int) -> st.SearchStrategy[list[str]]:
    match = st.text(st.sampled_from("1½0"), min_size=boards, max_size=boards)
    return st.lists(match, min_size=6, max_size=6)


@given(results(1))
def test_with_one_board_a_team_is_a_player(said: list[str]) -> None:
    sheet = played(1, said)
    for number, card in sheet.cards.items():
        own = amount(code("SB"), sheet, number)
        for text in ("EMMSB", "EMGSB", "EGMSB", "EGGSB", "SB:GP", "SB:MP"):
            assert amount(code(text), sheet, number) == own
        assert amount(code("BH:GP"), sheet, number) == amount(code("BH"), sheet, number)
        assert amount(code("MPvGP"), sheet, number) == Fraction(card.halves, 2)
        assert board_medians(sheet, card).amount == median(sheet, card).amount


@given(results(3))
def test_what_the_boards_of_all_teams_bring(said: list[str]) -> None:
    sheet = played(3, said)
    points = [amount(code("MPvGP"), sheet, number) or 0 for number in sheet.cards]
    assert sum(points) == 6 * 3
    assert sum(sheet.halves.values()) == 2 * 6


def test_the_sum_of_the_medians_of_the_boards() -> None:
    """Each board is a row of its own, whoever plays there; in three rounds one is left of each."""
    sheet = played(2, ["11", "½½", "10", "1½", "01", "½0"])
    value = board_medians(sheet, sheet.cards[1])
    assert len(value.parts) == 6
    assert sum(part.counted for part in value.parts) == 2
    assert value.amount == sum((part.amount for part in value.parts if part.counted), Fraction(0))


def test_a_bye_is_a_win_on_every_board_for_article_12() -> None:
    event = TeamEvent("ABC", boards=2)
    event.round("A-B 1½", bye="C")
    sheet = participants_sheet(event.record)
    assert amount(code("BC"), sheet, 1) == 1 + Fraction(2, 2)
    assert amount(code("BC"), sheet, 3) == 1 + 2
    assert amount(code("TBR"), sheet, 3) == 1
    assert amount(code("BBE"), sheet, 2) == 0


def test_board_counts_are_of_teams_with_equal_game_points() -> None:
    event = TeamEvent("ABCD", boards=2)
    event.round("A-B 11", "C-D 1½")
    sheet = participants_sheet(event.record)
    places = {place.card.player: place for place in standings(sheet, [code("BC")])}
    assert [places[team].rank for team in "ABCD"] == [1, 3, 1, 3]
    why = places["A"].values["BC"].why
    assert why is not None
    assert why.key == "fide.unequal_game_points"


@pytest.mark.parametrize(("rounds", "first"), [(5, "solkoff"), (9, "median")])
def test_with_five_rounds_solkoff_comes_first(rounds: int, first: str) -> None:
    assert habit(System.TEAM_SWISS, rounds)[0] == first


def test_the_codes_are_announced_as_others() -> None:
    found = announced("solkoff, board-medians, ede, bh:gp/c1", OF_2026, System.TEAM_SWISS)
    assert [each.code for each in found] == ["solkoff", "board-medians", "EDE", "BH:GP/C1"]
