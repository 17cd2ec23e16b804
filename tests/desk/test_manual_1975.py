"""The tie-breaks of the manual of 1975, case by case; its own examples are in ``tests/golden``."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ledger.desk.score_sheet import ScoreSheet
from ledger.desk.standings import StandingsRow, standings
from ledger.desk.tie_breaks import manual_1975 as m
from ledger.desk.tie_breaks.registry import announced, codes, habitual
from ledger.desk.tie_breaks.tie_break import Value
from ledger.errors import InputRefused
from ledger.terms import System
from ledger.wording import LANGUAGES
from tests.desk.events import NINE, event, rated, sheet_of


def amounts(sheet: ScoreSheet, code: str) -> dict[int, Fraction | None]:
    each = m.BY_CODE[code].each
    assert each is not None
    return {number: each(sheet, card).amount for number, card in sheet.cards.items()}


def direct(sheet: ScoreSheet, *numbers: int) -> dict[int, Fraction | None]:
    found = m.direct(sheet, [sheet.cards[number] for number in numbers])
    return {number: value.amount for number, value in found.items()}


def order(sheet: ScoreSheet, tie_breaks: str) -> list[tuple[int, int, str | None]]:
    places = standings(sheet, announced(tie_breaks))
    return [(place.rank, place.card.number, place.decided_by) for place in places]


def value(places: list[StandingsRow], number: int, code: str) -> Value:
    return next(place for place in places if place.card.number == number).values[code]


class TestAdjustedScore:
    """Half a point for every game that was not played."""

    def test_defaults_and_byes_of_any_kind(self) -> None:
        sheet = sheet_of("1-2 +/-, 3-4 -/-, 5 U, 6 F, 7 H, 8 Z")
        assert set(m.adjusted_scores(sheet).values()) == {1}

    def test_a_late_entry_and_every_round_after_leaving(self) -> None:
        sheet = sheet_of("1-2 1-0", "1-3 0-1", "3-1 ½", withdrawn={2: 2})
        assert m.adjusted_scores(sheet) == {1: 3, 2: 2, 3: 4}

    def test_a_game_without_a_result_yet(self) -> None:
        assert m.adjusted_scores(sheet_of("1-2 *")) == {1: 1, 2: 1}

    def test_a_round_without_a_game_is_none_in_an_all_play_all(self) -> None:
        sheet = sheet_of("2-3 1-0", "3-1 ½", "1-2 1-0", system=System.ROUND_ROBIN)
        assert m.adjusted_scores(sheet) == {1: 3, 2: 2, 3: 1}

    def test_games_that_are_due_with_who_left_an_all_play_all(self) -> None:
        sheet = sheet_of(
            "1-2 1-0, 3-4 1-0", "1-3 ½, 4-2 1-0", "2-3 0-1",
            system=System.ROUND_ROBIN, withdrawn={4: 3},
        )  # fmt: skip
        assert sheet.halves == {1: 5, 2: 0, 3: 5, 4: 2}
        assert m.adjusted_scores(sheet) == {1: 4, 2: 0, 3: 5, 4: 3}

    def test_who_is_cancelled_stands_in_no_row(self) -> None:
        sheet = sheet_of(
            "1-2 1-0, 3-4 1-0", "1-3 ½", "2-3 0-1", system=System.ROUND_ROBIN, withdrawn={4: 2}
        )
        assert sheet.cards[4].cancelled
        assert m.adjusted_scores(sheet) == {1: 3, 2: 0, 3: 3, 4: 0}
        assert amounts(sheet, "solkoff")[3] == Fraction(3, 2)
        assert amounts(sheet, "kashdan")[3] == 6


class TestMedian:
    """The highest and the lowest are cut, by the rounds of the event."""

    @pytest.mark.parametrize(
        ("announced", "kept"), [(4, 2), (8, 2), (9, 0), (12, 0), (13, 0), (None, 2)]
    )
    def test_cuts_by_the_rounds_that_were_announced(self, announced: int | None, kept: int) -> None:
        sheet = sheet_of(*NINE, announced=announced)
        parts = m.median(sheet, sheet.cards[6]).parts
        assert sum(part.counted for part in parts) == kept

    def test_a_game_that_was_not_played_is_cut_first(self) -> None:
        sheet = sheet_of("1-2 1-0, 3-4 1-0, 5 U", "5-1 0-1, 3-2 1-0, 4 U", "1-3 ½, 2-5 0-1, 4 U")
        cut = [part for part in m.median(sheet, sheet.cards[4]).parts if not part.counted]
        assert {(part.round, part.note) for part in cut} == {(1, "cut"), (2, "unplayed")}

    def test_of_one_round_nothing_is_left(self) -> None:
        assert set(amounts(sheet_of("1-2 1-0"), "median").values()) == {0}


class TestDirect:
    """The result between the tied."""

    def test_of_two(self) -> None:
        sheet = sheet_of("1-2 0-1", "1-2 ½")
        assert direct(sheet, 1, 2) == {1: Fraction(1, 2), 2: Fraction(3, 2)}

    def test_of_two_who_did_not_meet_over_the_board(self) -> None:
        sheet = sheet_of("1-2 +/-, 3-4 ½")
        assert direct(sheet, 1, 2) == {1: None, 2: None}
        assert direct(sheet, 1, 3) == {1: None, 3: None}

    def test_of_three_only_if_all_met(self) -> None:
        sheet = sheet_of("1-2 1-0", "2-3 1-0")
        assert direct(sheet, 1, 2, 3) == {1: None, 2: None, 3: None}
        sheet = sheet_of("1-2 1-0", "2-3 1-0", "3-1 ½")
        assert direct(sheet, 3, 1, 2) == {1: Fraction(3, 2), 2: Fraction(1), 3: Fraction(1, 2)}

    def test_it_is_asked_again_among_those_it_leaves_tied(self) -> None:
        # 2 points each; among them 1 has 2, the others 1½, 1½ and 1; 2 beat 3.
        sheet = sheet_of(
            "1-2 1-0, 3-4 1-0", "1-3 ½, 2-4 ½", "1-4 ½, 2-3 1-0",
            "1-5 0-1, 2-6 ½, 3-7 ½, 4-8 1-0",
        )  # fmt: skip
        assert order(sheet, "direct")[:4] == [
            (1, 1, None), (2, 2, "direct"), (3, 3, "direct"), (4, 4, "direct"),
        ]  # fmt: skip
        places = standings(sheet, announced("direct"))
        found = [value(places, number, "direct") for number in (1, 2, 3, 4)]
        assert [each.amount for each in found] == [2, Fraction(3, 2), Fraction(3, 2), 1]
        assert [each.again and each.again.amount for each in found] == [None, 1, 0, None]

    def test_those_who_drew_share_the_place(self) -> None:
        assert order(sheet_of("1-2 ½"), "direct") == [(1, 1, None), (1, 2, None)]


class TestBlacksAndKashdan:
    """Games that were not played have no colour and give nothing."""

    def test_black_without_play_is_no_black(self) -> None:
        sheet = sheet_of("1-2 1-0, 3-4 +/-", "2-1 ½, 3-4 0-0a")
        assert amounts(sheet, "blacks") == {1: 1, 2: 1, 3: 0, 4: 1}

    def test_both_may_lose(self) -> None:
        sheet = sheet_of("1-2 0-0a, 3-4 -/-, 5 U", "5-1 ½, 2-3 1-0")
        assert amounts(sheet, "kashdan") == {1: 3, 2: 5, 3: 1, 4: 0, 5: 2}


class TestRatings:
    """Sums of ratings and percentages above the norm."""

    def test_nobody_has_a_value_while_somebody_is_not_rated(self) -> None:
        sheet = rated(event("1-2 ½, 3-4 ½"), 1800, 1700, None, 1600)
        for code in ("opponents-ratings", "rating-percentage"):
            assert set(amounts(sheet, code).values()) == {None}
            assert [row[0] for row in order(sheet, code)] == [1, 1, 1, 1]
            assert order(sheet, f"{code},blacks")[0] == (1, 2, None)

    def test_who_is_cancelled_need_not_be_rated(self) -> None:
        played = event(
            "1-2 1-0, 3-4 1-0", "1-3 ½", "2-3 0-1", system=System.ROUND_ROBIN, withdrawn={4: 2}
        )
        assert amounts(rated(played, 1800, 1700, 1600), "opponents-ratings") == {
            1: 3300, 2: 3400, 3: 3500, 4: None,
        }  # fmt: skip

    def test_more_than_seven_points_apart_is_not_equal(self) -> None:
        won = "1-3 1-0, 2-4 1-0"
        near, far = (
            rated(event(won), 1807, 1800, 1600, 1650),
            rated(event(won), 1808, 1800, 1600, 1650),
        )
        assert order(near, "opponents-ratings")[:2] == [(1, 2, None), (2, 1, "opponents-ratings")]
        assert order(far, "opponents-ratings")[:2] == [(1, 1, None), (1, 2, None)]
        refused = value(standings(far, announced("opponents-ratings")), 1, "opponents-ratings")
        assert refused.amount == 1600
        assert refused.why is not None
        assert "7 points" in str(refused.why)

    def test_games_that_were_not_played_make_sums_unequal(self) -> None:
        sheet = rated(event("1-3 1-0, 2-4 +/-"), 1800, 1800, 1600, 1650)
        assert order(sheet, "opponents-ratings")[:2] == [(1, 1, None), (1, 2, None)]

    def test_a_percentage_ignores_what_was_not_played(self) -> None:
        # 1 made 50 % against 1900: -100 expects 36. The default of round 2 is nothing.
        sheet = rated(event("1-2 ½", "1-3 +/-"), 1800, 1900, 1000)
        assert amounts(sheet, "rating-percentage") == {1: 14, 2: -14, 3: None}

    def test_rounding(self) -> None:
        # D14: the mean of 1800 and 1801 is half a point above 1800: -½ is -1; 1 of 4 is 25.
        sheet = rated(event("1-2 ½", "1-3 0-1"), 1800, 1800, 1801)
        how = m.rating_percentage(sheet, sheet.cards[1]).how
        assert how is not None
        assert dict(how.values)["difference"] == -1


class TestLots:
    """Whoever knows the seed draws the same."""

    def test_they_part_whoever_is_left(self) -> None:
        sheet = sheet_of("1-2 ½, 3-4 ½, 5-6 ½")
        first, second = order(sheet, "lots:a"), order(sheet, "lots:b")
        assert [row[0] for row in first] == [1, 2, 3, 4, 5, 6]
        assert first != second
        assert first == order(sheet, "lots:a")

    def test_a_draw_among_some_is_the_draw_among_all(self) -> None:
        among_all = [number for _, number, _ in order(sheet_of("1-2 ½, 3-4 ½"), "lots:a")]
        some = order(sheet_of("1-2 ½, 3-4 1-0"), "lots:a")
        assert [n for n in among_all if n < 3] == [n for _, n, _ in some if n < 3]


class TestRegistry:
    """Lists as they are announced."""

    def test_a_list_in_its_order(self) -> None:
        assert [each.code for each in announced(" solkoff,median ,")] == ["solkoff", "median"]
        assert announced("") == ()

    @pytest.mark.parametrize(
        ("text", "key"),
        [
            ("solkof", "tiebreak.unknown"),
            ("Solkoff", "tiebreak.unknown"),
            ("lots", "tiebreak.no_seed"),
            ("median,median", "tiebreak.twice"),
            ("lots:1,lots:2", "tiebreak.twice"),
        ],
    )
    def test_what_is_refused(self, text: str, key: str) -> None:
        with pytest.raises(InputRefused) as refusal:
            announced(text)
        assert refusal.value.message.key == key

    def test_an_unknown_code_is_answered_with_those_there_are(self) -> None:
        with pytest.raises(InputRefused, match=r"median.*board-medians, lots:SEED"):
            announced("x")
        assert len(codes()) >= 9

    @pytest.mark.parametrize(
        ("system", "rounds", "found"),
        [
            (System.SWISS, 9, "median solkoff sonneborn-berger"),
            (System.SWISS, 6, "solkoff median sonneborn-berger"),
            (System.TEAM_SWISS, 5, "solkoff median sonneborn-berger"),
            (System.ROUND_ROBIN, 9, "sonneborn-berger"),
            (System.MATCH, 8, ""),
        ],
    )
    def test_the_habit_of_the_text(self, system: System, rounds: int, found: str) -> None:
        assert " ".join(each.code for each in habitual(system, rounds)) == found

    @pytest.mark.parametrize("code", [*m.BY_CODE, m.BOARD_MEDIANS.code])
    def test_where_a_rule_stands_is_said_in_the_language_of_the_page(self, code: str) -> None:
        article = {**m.BY_CODE, m.BOARD_MEDIANS.code: m.BOARD_MEDIANS}[code].article
        english, spanish = (m.article_in_words(article, language) for language in LANGUAGES)
        assert english.startswith("manual of 1975, ")
        assert spanish.startswith("manual de 1975, ")
