"""C.07, articles 15 and 16, case by case; published figures are in ``tests/golden``."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import pytest

from ledger.desk.score_sheet import ScoreSheet
from ledger.desk.tie_breaks.fide.descriptors import fide_tie_break
from ledger.desk.tie_breaks.fide.unplayed_rounds import (
    RoundReading,
    adjusted_scores,
    edition_of,
    encounters,
)
from ledger.desk.tie_breaks.tie_break import Adjustment, Part, Value
from ledger.terms import System
from tests.desk.events import sheet_of

OF_2024, OF_2026 = dt.date(2026, 2, 28), dt.date(2026, 3, 1)


def value(sheet: ScoreSheet, number: int, code: str, on: dt.date = OF_2026) -> Value:
    each = fide_tie_break(code, on, sheet.system).each
    assert each is not None
    return each(sheet, sheet.cards[number])


def amount(sheet: ScoreSheet, number: int, code: str, on: dt.date = OF_2026) -> str:
    found = value(sheet, number, code, on).amount
    assert found is not None
    return str(float(found)).removesuffix(".0")


def voluntary(sheet: ScoreSheet, number: int) -> list[bool]:
    reading = RoundReading(edition_of(OF_2026))
    return [met.voluntary for met in encounters(sheet, sheet.cards[number], reading)]


class TestWhatIsVoluntary:
    """16.1: requested byes and losses by default."""

    def test_each_kind_of_round(self) -> None:
        sheet = sheet_of(
            "1-2 1-0, 3-4 +/-, 5 U, 6 F, 7 H, 8 Z, 9-10 -/-",
            players=11,
        )
        found = {number: voluntary(sheet, number)[0] for number in sheet.cards}
        assert found == {
            1: False, 2: False, 3: False, 4: True, 5: False, 6: False,
            7: True, 8: True, 9: True, 10: True, 11: True,
        }  # fmt: skip


class TestTheOpponentsScore:
    """16.3: requested byes after which every round was given up count as draws."""

    def test_a_bye_that_is_followed_by_a_game_counts_as_it_is(self) -> None:
        # 16.2.3: round 2 was a zero-point bye, round 3 was played.
        sheet = sheet_of("1-2 1-0", "1 Z", "1-2 1-0")
        assert adjusted_scores(sheet)[1] == 4

    def test_who_left_has_half_a_point_for_each_round(self) -> None:
        # 16.2.5, and 16.1.1: nothing is recorded after a withdrawal. 1 + ½ + ½.
        sheet = sheet_of("1-2 1-0", "2 U", "2 F", withdrawn={1: 2})
        assert adjusted_scores(sheet) == {1: 4, 2: 4}

    def test_a_loss_by_default_stays_a_loss_among_them(self) -> None:
        # 16.2.4: round 2 is 0; rounds 3 and 4 are 16.2.5 all the same. 1 + 0 + ½ + ½.
        sheet = sheet_of("1-2 1-0", "1-2 -/+", "1 Z, 2 U", "1 Z, 2 F")
        assert adjusted_scores(sheet)[1] == 4

    def test_a_win_by_default_ends_them(self) -> None:
        # The bye of round 1 is followed by a round that was not given up: it stays 0.
        sheet = sheet_of("1 Z, 2 U", "1-2 +/-", "1 Z, 2 U")
        assert adjusted_scores(sheet)[1] == 3

    def test_a_late_entry_keeps_zeros(self) -> None:
        sheet = sheet_of("1-2 1-0", "1-2 1-0", "3-1 1-0, 2 U")
        assert adjusted_scores(sheet)[3] == 2

    def test_the_part_says_so(self) -> None:
        sheet = sheet_of("1-2 1-0", "1 Z, 2 U")
        change = Adjustment(Fraction(1), Fraction(3, 2), "given_up_draws")
        said = Part(1, 1, Fraction(3, 2), note="adjusted", adjusted=change)
        assert value(sheet, 2, "BH").parts[0] == said
        assert change.message.within("en").startswith("adjusted from 1 to 1.5: rounds that were")

    def test_the_last_round_drawn_in_advance_is_said(self) -> None:
        part = value(sheet_of("1-2 1-0"), 2, "FB").parts[0]
        assert part.adjusted == Adjustment(Fraction(1), Fraction(1, 2), "drawn_in_advance")


class TestWhoStandsIn:
    """16.4: the participant's own score; since 2026 with limits."""

    LEADER = ("1-2 1-0", "1-3 1-0", "1-4 1-0", "1 U, 2-3 1-0")

    def test_own_score_until_2026(self) -> None:
        sheet = sheet_of(*self.LEADER)
        assert value(sheet, 1, "BH", OF_2024).parts[3] == Part(4, None, Fraction(4), note="virtual")

    def test_a_draw_in_every_round_at_most(self) -> None:
        # 16.4.2: four rounds, 2 points.
        sheet = sheet_of(*self.LEADER)
        part = value(sheet, 1, "BH").parts[3]
        assert part == Part(4, None, Fraction(2), note="virtual-draws")

    def test_the_limit_grows_with_the_rounds(self) -> None:
        # Between the rounds it is that of an event that ended there: 1 of 2 rounds.
        sheet = sheet_of("1 U, 2-3 1-0", "1-2 1-0", announced=9)
        assert value(sheet, 1, "BH").parts[0].amount == 1

    def test_the_scheduled_opponents_score_at_most(self) -> None:
        # 16.4.1: 2 lost by default in round 2 and left: 0 + 0 + ½ = ½, not 3 points of 1.
        sheet = sheet_of("1-3 1-0, 4-2 1-0", "1-2 +/-", "1-4 1-0", withdrawn={2: 3})
        part = value(sheet, 1, "BH").parts[1]
        assert part == Part(2, 2, Fraction(1, 2), note="virtual-scheduled")
        assert value(sheet, 1, "BH", OF_2024).parts[1].amount == 3

    def test_own_score_where_it_is_less(self) -> None:
        # 2 lost to 1 by default and has 0 of 2; 1 has 2.
        sheet = sheet_of("1-2 +/-", "1-3 1-0, 4-2 1-0")
        assert value(sheet, 2, "BH").parts[0] == Part(1, 1, Fraction(0), note="virtual")

    def test_times_the_points_in_sonneborn_berger(self) -> None:
        # Half a point for the bye, times 1 (= 2 rounds drawn; own score 1½).
        sheet = sheet_of("1 H, 2-3 1-0", "1-3 1-0")
        assert value(sheet, 1, "SB").parts[0].amount == Fraction(1, 2)
        assert value(sheet, 1, "SB", OF_2024).parts[0].amount == Fraction(3, 4)


class TestCuts:
    """14 and 16.5."""

    def test_the_voluntary_round_goes_first(self) -> None:
        # Opponents 1, 0 and 3 points; the bye brings 2 (four draws): it is cut, and not the 0.
        sheet = sheet_of(
            "1-3 1-0, 2-4 1-0", "1-4 1-0, 2-3 1-0", "1 Z, 2-4 1-0", "2-1 0-1, 3-4 1-0",
        )  # fmt: skip
        parts = value(sheet, 1, "BH/C1").parts
        assert [part.amount for part in parts] == [1, 0, 2, 3]
        assert [part.counted for part in parts] == [True, True, False, True]
        assert parts[2].note == "virtual-draws"

    def test_then_the_lowest(self) -> None:
        sheet = sheet_of(
            "1-3 1-0, 2-4 1-0", "1-4 1-0, 2-3 1-0", "1 Z, 2-4 1-0", "2-1 0-1, 3-4 1-0",
        )  # fmt: skip
        cut = [part for part in value(sheet, 1, "BH/C2").parts if not part.counted]
        assert [(part.round, part.note) for part in cut] == [(2, "cut"), (3, "virtual-draws")]

    def test_a_bye_that_was_allocated_is_no_voluntary_round(self) -> None:
        sheet = sheet_of("1 U, 2-3 1-0", "1-3 1-0, 2 F", "1-2 1-0, 3 U")
        cut = [part.round for part in value(sheet, 1, "BH/C1").parts if not part.counted]
        assert cut == [2]

    def test_sonneborn_berger_cuts_the_weakest_opponent(self) -> None:
        # 14.1.1: the product with the lowest score goes, though that with 2 is 0.
        sheet = sheet_of("1-2 0-1, 3-4 1-0", "1-3 1-0, 2-4 1-0", "1-4 1-0, 2-3 1-0")
        parts = value(sheet, 1, "SB/C1").parts
        assert [part.counted for part in parts] == [True, True, False]

    def test_sonneborn_berger_takes_the_higher_of_the_two(self) -> None:
        # 16.5.1: the bye brings 0, less than the product with the weakest opponent (4 has ½).
        sheet = sheet_of(
            "1-4 1-0, 2-3 ½", "1 Z, 4-2 ½, 3 U", "1-2 1-0, 3-4 1-0",
        )  # fmt: skip
        cut = [part.round for part in value(sheet, 1, "SB/C1").parts if not part.counted]
        assert cut == [1]

    def test_the_highest_are_cut_whatever_they_are(self) -> None:
        sheet = sheet_of("1-2 1-0, 3-4 1-0", "1-3 1-0, 2-4 1-0", "1 Z, 2-3 1-0", "1-4 ½, 2 U")
        cut = {part.round for part in value(sheet, 1, "BH/M1").parts if not part.counted}
        assert cut == {1, 3}  # the bye, and 2 with 3 points

    def test_more_cuts_than_rounds_leave_nothing(self) -> None:
        sheet = sheet_of("1-2 1-0")
        assert value(sheet, 1, "BH/C2").amount == 0


class TestForeBuchholz:
    """8.3: the games of the last round are drawn."""

    def test_a_game_that_is_not_over_changes_nothing(self) -> None:
        before = sheet_of("1-2 1-0, 3-4 1-0", "1-3 *, 2-4 *")
        after = sheet_of("1-2 1-0, 3-4 1-0", "1-3 0-1, 2-4 +/-")
        for number in range(1, 5):
            assert amount(before, number, "FB") == amount(after, number, "FB")

    def test_who_was_not_paired_keeps_the_points(self) -> None:
        # 3 has the bye of the last round and 1 point; 1 and 2 drew there.
        sheet = sheet_of("1-3 1-0, 2 U", "1-2 1-0, 3 U")
        assert [amount(sheet, number, "FB") for number in (1, 2, 3)] == ["2.5", "2.5", "2.5"]

    def test_between_the_rounds_it_is_buchholz(self) -> None:
        sheet = sheet_of("1-2 1-0, 3-4 1-0", "1-3 1-0, 2-4 1-0", announced=5)
        assert amount(sheet, 1, "FB") == amount(sheet, 1, "BH")

    def test_the_mean_of_the_opponents(self) -> None:
        # Over the board only: 2 met 1 (2 points so far), and 3 by default.
        sheet = sheet_of("1-2 1-0, 3-4 1-0", "1-4 1-0, 2-3 +/-")
        assert value(sheet, 2, "AOB").amount == value(sheet, 1, "BH").amount
        assert value(sheet, 2, "AOB/F").amount == value(sheet, 1, "FB").amount


class TestForfeitsAsGames:
    """The modifier /P."""

    def test_the_scheduled_opponent_counts(self) -> None:
        sheet = sheet_of("1-2 +/-, 3-4 1-0", "1-3 1-0, 2-4 1-0")
        assert value(sheet, 1, "BH/P").parts[0] == Part(1, 2, Fraction(1))
        assert amount(sheet, 1, "SB/P") == "2"

    def test_it_is_no_voluntary_round_then(self) -> None:
        sheet = sheet_of("1-2 +/-, 3-4 1-0", "1-3 1-0, 2-4 1-0")
        cut = [part.round for part in value(sheet, 2, "BH/C1/P").parts if not part.counted]
        assert cut == [2]


class TestRoundRobins:
    """15.2: games by default are regular games, with exceptions since 2026."""

    EVENT = ("1-4 +/-, 2-3 1-0", "4-3 0-1, 1-2 ½", "2-4 1-0, 3-1 0-1")

    def sheet(self) -> ScoreSheet:
        return sheet_of(*self.EVENT, system=System.ROUND_ROBIN)

    def test_nobody_stands_in(self) -> None:
        # 4 has 0; 1 and 2 drew.
        assert amount(self.sheet(), 1, "SB") == str(2.5 / 2 + 1)
        assert [part.note for part in value(self.sheet(), 4, "SB").parts] == ["", "", ""]

    def test_a_win_by_default_is_a_game_won(self) -> None:
        for on in (OF_2024, OF_2026):
            assert amount(self.sheet(), 1, "WON", on) == "2"

    @pytest.mark.parametrize(("on", "black", "elected"), [(OF_2024, "2", "3"), (OF_2026, "1", "2")])
    def test_a_loss_by_default_is_none_since_2026(
        self, on: dt.date, black: str, elected: str
    ) -> None:
        assert amount(self.sheet(), 4, "BPG", on) == black
        assert amount(self.sheet(), 4, "REP", on) == elected

    def test_to_rest_is_no_round(self) -> None:
        sheet = sheet_of("1-2 1-0, 3 U", "2-3 1-0, 1 Z", "3-1 ½", system=System.ROUND_ROBIN)
        assert amount(sheet, 3, "SB") == str(1.5 / 2)
        assert amount(sheet, 1, "REP") == "2"
        # Half of what can be made in two games is 1.
        assert amount(sheet, 3, "KS") == "0.5"

    def test_games_that_are_due_with_who_left_are_won_by_default(self) -> None:
        sheet = sheet_of(
            "1-4 1-0, 2-3 1-0", "4-3 1-0, 1-2 ½", "3-1 0-1",
            system=System.ROUND_ROBIN, withdrawn={4: 3},
        )  # fmt: skip
        assert amount(sheet, 2, "SB") == str(2.5 / 2 + 0 + 1)
        assert amount(sheet, 2, "WIN") == "2"

    def test_who_is_cancelled_counts_for_nobody(self) -> None:
        sheet = sheet_of(
            "1-4 1-0, 2-3 1-0", "1-2 ½", "3-1 0-1",
            system=System.ROUND_ROBIN, withdrawn={4: 2},
        )  # fmt: skip
        assert [part.opponent for part in value(sheet, 1, "SB").parts] == [2, 3]
