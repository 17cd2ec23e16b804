"""The score of an all-play-all from which somebody withdrew."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.answers.titles import tournament_titles
from ledger.answers.tournaments import show_tournament
from ledger.errors import InputRefused, NotFound, Problem
from ledger.events.model import Dated
from ledger.events.personal import Identity
from ledger.events.tournaments import ResultRecorded
from ledger.identifiers import Seq
from ledger.intake.report_file import tournament_report
from ledger.operations import commands as c
from ledger.registrar.registrar import Registrar
from ledger.reports.tournaments import tournament_sheet
from ledger.results import Result
from ledger.service.ledger import Ledger
from ledger.terms import Rate, System
from ledger.views.past import PastLedger
from tests.laws.support import law
from tests.ledgers import PLAYERS_HEADER, do, held, import_text, request

FIRST, LAST = dt.date(2010, 7, 1), dt.date(2010, 7, 10)
Game = tuple[int, str, str, str]

# Rounds of the double all-play-all of four, with D's three games of the first half.
WITHOUT_D: tuple[Game, ...] = (
    (1, "B", "C", "1-0"), (2, "A", "B", "1-0"), (3, "C", "A", "0-1"),
    (4, "C", "B", "1/2-1/2"), (5, "B", "A", "1/2-1/2"), (6, "A", "C", "1-0"),
)  # fmt: skip
WITH_D: tuple[Game, ...] = ((1, "A", "D", "1-0"), (2, "D", "C", "1-0"), (3, "B", "D", "1-0"))


def table(ledger: Ledger) -> dict[str, dict[str, Any]]:
    facts = ledger.facts()
    record = ledger.register(["tournament:t"], facts.seq).tournaments["t"]
    return {
        row["id"]: row
        for row in tournament_sheet(record, facts, ledger.people(facts)).data()["players"]
    }


def points(ledger: Ledger) -> dict[str, str]:
    return {player: row["points"] for player, row in table(ledger).items()}


class TestDouble:
    """Half of 2(N - 1) games decides; what is due is awarded, two to whom nothing was played."""

    def test_two_of_six_are_fewer_than_half(self) -> None:
        ledger = held("ABCD", [*WITHOUT_D, *WITH_D[:2]], {"D": 3})
        assert points(ledger) == {"A": "3.5", "B": "2", "C": "0.5", "D": "0"}
        assert {player for player, row in table(ledger).items() if row["cancelled"]} == {"D"}

    def test_three_of_six_are_half(self) -> None:
        ledger = held("ABCD", [*WITHOUT_D, *WITH_D], {"D": 4})
        assert points(ledger) == {"A": "5.5", "B": "4", "C": "1.5", "D": "1"}
        assert [row["awarded"] for row in table(ledger).values()] == [1, 1, 1, 0]

    def test_two_games_are_due_to_whom_he_has_not_met(self) -> None:
        met_two = [*WITH_D[:2], (4, "D", "A", "0-1"), (5, "C", "D", "1-0")]
        ledger = held("ABCD", [*WITHOUT_D, *met_two], {"D": 6})
        assert [row["awarded"] for row in table(ledger).values()] == [0, 2, 0, 0]

    def test_an_announced_number_of_rounds_tells_before_anybody_met_twice(self) -> None:
        first_half = [*WITHOUT_D[:3], *WITH_D[:2]]
        assert table(held("ABCD", first_half, {"D": 3}, rounds=6))["D"]["cancelled"]
        assert not table(held("ABCD", first_half, {"D": 3}, rounds=3))["D"]["cancelled"]

    def test_a_game_to_break_a_tie_makes_no_second_cycle(self) -> None:
        tie_break = (4, "A", "B", "1-0")
        made = table(held("ABCD", [*WITHOUT_D[:3], tie_break, *WITH_D[:2]], {"D": 3}))
        assert [row["awarded"] for row in made.values()] == [0, 1, 0, 0]

    def test_a_title_report_leaves_out_the_games_of_who_is_cancelled(self) -> None:
        ledger = held("ABCD", [*WITHOUT_D, *WITH_D[:2]], {"D": 3})
        rows = {row.id: row for row in tournament_titles(ledger, "t", "ENF").rows}
        assert {player: (row.done.games, row.done.halves) for player, row in rows.items()} == {
            "A": (4, 7), "B": (4, 4), "C": (4, 1), "D": (0, 0),
        }  # fmt: skip

    def test_a_title_report_has_the_field_and_the_points_of_the_table(self) -> None:
        ledger = held("ABCD", [*WITHOUT_D, *WITH_D], {"D": 4})
        rows = {row.id: row.data("en") for row in tournament_titles(ledger, "t", "ENF").rows}
        assert {row["participants"] for row in rows.values()} == {4}
        assert {player: row["points"] for player, row in rows.items()} == points(ledger)
        assert {row["games"] for row in rows.values()} == {6}
        assert not any("unfinished" in row["fails"] for row in rows.values())


@law(25)
@given(
    players=st.integers(3, 6),
    cycles=st.integers(1, 3),
    results=st.lists(st.sampled_from(("1-0", "0-1", "1/2-1/2")), min_size=45, max_size=45),
    left_after=st.integers(0, 15),
)
def test_those_who_stay_share_every_point_among_them_and_take_what_is_due(
    players: int, cycles: int, results: list[str], left_after: int
) -> None:
    """However many cycles there are: nobody gains or loses by the order of rounds or by colours."""
    names = "ABCDEF"[:players]
    leaver, stayed = names[-1], names[:-1]
    pairs = [pair for _ in range(cycles) for pair in combinations(names, 2)]
    games = [
        (round_, *pair, result)
        for round_, (pair, result) in enumerate(zip(pairs, results, strict=False), start=1)
    ]
    his = [game for game in games if leaver in game]
    due = his[left_after:]
    ledger = held(names, [g for g in games if g not in due], {leaver: 900})
    among_them = cycles * len(stayed) * (len(stayed) - 1)  # in half points
    scores = {row["id"]: row for row in table(ledger).values()}
    total = sum(2 * Fraction(scores[player]["points"]) for player in stayed)
    if 2 * (len(his) - len(due)) < len(his):
        assert total == among_them
        assert scores[leaver]["points"] == "0"
    else:
        taken = [g for g in his if g not in due]
        against = sum(Result.parse(g[3]).halves[0] for g in taken)
        assert total == among_them + against + 2 * len(due)


@pytest.mark.parametrize("system", [System.SWISS, System.TEAM_SWISS, System.MATCH])
def test_no_other_system_awards_or_cancels(system: System) -> None:
    ledger = held("ABCD", [*WITHOUT_D, *WITH_D[:2]], {"D": 3})
    about = c.CorrectTournament(
        tournament="t", name="t", starts_on=FIRST, ends_on=LAST, system=system,
        rate_of_play=Rate.CLASSICAL,
    )  # fmt: skip
    do(ledger, about)
    assert points(ledger) == {"A": "4.5", "B": "2", "C": "0.5", "D": "1"}


class TestStrangers:
    """Somebody whose result another program recorded without an entry has no starting number."""

    def recorded(self) -> Ledger:
        ledger = held("ABC", [(1, "A", "B", "1-0")], {})
        import_text(ledger, PLAYERS_HEADER + "X,X,CHI,,,1500,,50\n", list_="ENF")
        played = ResultRecorded(black="X", result="1-0", round=2, tournament="t", white="A")

        def plan(registrar: Registrar) -> Sequence[Problem]:
            registrar.events.append(Dated(LAST, played))
            return ()

        ledger.append(["tournament:t", "player:A", "player:X"], plan, request())
        return ledger

    def test_nothing_is_laid_out_by_numbers_that_are_not_there(self) -> None:
        ledger = self.recorded()
        for question in (
            lambda: table(ledger),
            lambda: tournament_titles(ledger, "t", "ENF"),
            lambda: tournament_report(ledger, "t", "ENF"),
        ):
            with pytest.raises(InputRefused) as refusal:
                question()
            assert refusal.value.message.key == "tournament.never_entered"
            assert dict(refusal.value.message.values)["players"] == "X"

    def test_entering_them_as_the_message_says_is_enough(self) -> None:
        ledger = self.recorded()
        do(ledger, c.EnterPlayer(tournament="t", player="X"))
        assert points(ledger) == {"A": "2", "B": "0", "C": "0", "X": "0"}
        assert tournament_report(ledger, "t", "ENF")

    def test_they_are_known_by_the_id_that_stays(self) -> None:
        ledger = self.recorded()
        import_text(ledger, PLAYERS_HEADER + "Y,Yara,CHI,,,,,\n")
        do(ledger, c.MergePlayers(player="X", into="Y", on=LAST))
        do(ledger, c.EnterPlayer(tournament="t", player="Y"))
        assert points(ledger) == {"A": "2", "B": "0", "C": "0", "Y": "0"}


def test_a_crosstable_obeys_as_known_at() -> None:
    ledger = held("ABCD", WITHOUT_D, {})
    before, seq = show_tournament(ledger, "t"), ledger.facts().seq
    merged_into = c.RegisterPlayer(
        player="E", identity=Identity(name="E"), salt="0" * 32, federation=None, on=LAST
    )
    correction = c.CorrectResult(
        tournament="t", round=1, white="B", black="C", result=Result.parse("0-1")
    )
    do(
        ledger,
        correction,
        c.WithdrawPlayer(tournament="t", player="D", from_round=1),
        merged_into,
        c.MergePlayers(player="A", into="E", on=LAST),
    )
    now = show_tournament(ledger, "t")
    assert [row.id for row in now.players] == ["E", "B", "C", "D"]
    assert now.players[1].rounds["1"] == "3w0"
    assert now.players[3].withdrew_from == 1
    assert show_tournament(PastLedger(ledger, seq), "t") == before
    # In the middle of a commit nothing of it is known: the result was corrected in it.
    assert show_tournament(PastLedger(ledger, Seq(seq + 1)), "t") == before
    for unknown, at in (("t", 1), ("t", ledger.facts().seq + 9), ("u", ledger.facts().seq)):
        with pytest.raises(NotFound):
            show_tournament(PastLedger(ledger, Seq(at)), unknown)
