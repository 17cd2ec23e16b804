"""C.07, the other tie-breaks case by case, and the codes as they are announced."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import pytest

from ledger.desk.score_sheet import Card, CardLine, How, ScoreSheet
from ledger.desk.standings import standings
from ledger.desk.tie_breaks import manual_1975
from ledger.desk.tie_breaks.fide.descriptors import CODES, fide_tie_break
from ledger.desk.tie_breaks.registry import announced, codes, is_of_ratings
from ledger.errors import InputRefused
from ledger.regulations.printed_tables import P_OF_D
from ledger.terms import System
from tests.desk.events import NINE, event, rated, sheet_of
from tests.desk.test_fide_unplayed_rounds import OF_2024, OF_2026, amount, value

OF_TEAMS = {
    "BC", "TBR", "BBE", "MPVGP", "SSSC", "EMMSB", "EMGSB", "EGMSB", "EGGSB",
    "EDE", "EDET", "EDEB", "EDEBT", "EDEBB",
}  # fmt: skip
OPEN = (
    "1-4 1-0, 2-5 ½, 3-6 0-1",
    "6-1 +/-, 4-2 0-1, 5-3 1-0",
    "2-6 ½, 1 H, 3-4 1-0, 5 U",
    "1-2 1-0, 6-5 -/-, 3 F, 4 Z",
)


class TestOwnRecord:
    """Article 7, over an open tournament of four rounds."""

    @pytest.mark.parametrize(
        ("code", "expected"),
        [
            ("WIN", "2 1 2 0 2 2"),  # 3 with a full bye, 5 with an allocated one, 6 by default
            ("WON", "2 1 1 0 1 1"),
            ("BPG", "0 2 1 2 1 2"),  # not 1 and 5, who were absent with Black
            ("BWG", "0 1 0 0 0 1"),
            ("PS", "6 6 3 0 7 8"),
            ("PS/C1", "5 5.5 3 0 6.5 7"),
            ("PS/C2", "4 4 3 0 5 5"),
            ("REP", "2 4 4 3 3 3"),
            ("STD", "2.5 2 2 0 2.5 2.5"),
        ],
    )
    def test_values(self, code: str, expected: str) -> None:
        sheet = sheet_of(*OPEN)
        assert " ".join(amount(sheet, number, code) for number in sheet.cards) == expected

    def test_what_both_lose_is_no_draw_but_equal(self) -> None:
        # 7.7 over the board: as many points as the opponent are ½, whatever they are.
        sheet = sheet_of("1-2 0-0, 3-4 1/2-0, 5-6 -/-")
        assert [amount(sheet, n, "STD") for n in sheet.cards] == ["0.5", "0.5", "1", "0", "0", "0"]

    def test_pairing_numbers_are_shown_as_they_are(self) -> None:
        sheet = sheet_of("1-2 ½")
        for code, first in (("TPN", 1), ("TPN/R", 2)):
            places = standings(sheet, announced(code))
            assert [place.card.number for place in places] == [first, 3 - first]
            assert places[0].values[code].amount == first


class TestKoya:
    """9.2 and 14.5."""

    TABLE = ("1-4 1-0, 2-3 ½", "4-3 1-0, 1-2 1-0", "2-4 1-0, 3-1 1-0")

    def test_the_limit_by_half_points(self) -> None:
        # Of 3 games half is 1.5: 1 has 2; 2 and 3 have 1.5; 4 has 1.
        sheet = sheet_of(*self.TABLE, system=System.ROUND_ROBIN)
        assert [amount(sheet, n, "KS") for n in sheet.cards] == ["1", "0.5", "1.5", "1"]
        assert [amount(sheet, n, "KS/L+1") for n in sheet.cards] == ["0", "0", "1", "0"]
        assert [amount(sheet, n, "KS/L-1") for n in sheet.cards] == ["2", "1.5", "1.5", "1"]

    def test_what_does_not_count_is_marked(self) -> None:
        sheet = sheet_of(*self.TABLE, system=System.ROUND_ROBIN)
        notes = {part.opponent: part.note for part in value(sheet, 1, "KS").parts}
        assert notes == {4: "below-limit", 2: "", 3: ""}


class TestDirectEncounter:
    """Article 6."""

    @staticmethod
    def order(sheet: ScoreSheet, code: str = "DE") -> list[tuple[int, int]]:
        return [(place.rank, place.card.number) for place in standings(sheet, announced(code))]

    def test_games_by_default_are_left_out(self) -> None:
        sheet = sheet_of("1-2 -/+, 3-4 1-0", "1-3 1-0, 4-2 1-0", "1-4 0-1, 2-3 0-1")
        tied = [number for number, halves in sheet.halves.items() if halves == 2]
        assert tied == [1, 2]
        assert self.order(sheet)[2:] == [(3, 1), (3, 2)]
        assert self.order(sheet, "DE/P")[2:] == [(3, 2), (4, 1)]

    def test_of_several_games_the_mean_counts(self) -> None:
        # 6.1.2: 1 made 1½ of 2 games with 2, that is ¾ and ¼.
        sheet = sheet_of("1-2 1-0, 3 U", "2-1 ½, 3 U", "3-1 1-0, 2 U", "2-3 1-0, 1 U")
        among = fide_tie_break("DE", OF_2026, System.SWISS).among
        assert among is not None
        found = among(sheet, list(sheet.cards.values())) or {}
        assert [found[number].amount for number in (1, 2, 3)] == [
            Fraction(3, 4), Fraction(5, 4), Fraction(1),
        ]  # fmt: skip

    def test_who_never_met_stay_equal_and_are_told_why(self) -> None:
        sheet = sheet_of("1-3 1-0, 2-4 1-0")
        first = standings(sheet, announced("DE"))[0]
        assert self.order(sheet)[:2] == [(1, 1), (1, 2)]
        assert first.values["DE"].why is not None

    def test_a_certain_place_and_others_that_are_not(self) -> None:
        # 1 made 3; 2 made 1½, which 4 reaches with a win in the game that is missing.
        sheet = tied({(1, 2): 2, (1, 3): 2, (1, 4): 2, (2, 3): 2, (2, 4): 1})
        assert self.order(sheet) == [(1, 1), (2, 2), (2, 3), (2, 4)]

    def test_a_second_certain_place(self) -> None:
        # 2 made 2; 3 and 4 reach 1.
        sheet = tied({(1, 2): 2, (1, 3): 2, (1, 4): 2, (2, 3): 2, (2, 4): 2})
        assert self.order(sheet) == [(1, 1), (2, 2), (3, 3), (3, 4)]
        values = {place.card.number: place.values["DE"] for place in standings(sheet, DE)}
        assert values[2].how is not None
        assert values[2].how.within("en").startswith("rank 2 among the tied")
        assert values[3].again is not None


DE = announced("DE")


def tied(games: dict[tuple[int, int], int]) -> ScoreSheet:
    """Returns players with six points each, from the half points of games among them."""
    lines: dict[int, list[CardLine]] = {}
    for round_, ((one, other), halves) in enumerate(games.items(), start=1):
        lines.setdefault(one, []).append(CardLine(round_, How.PLAYED, halves, other))
        lines.setdefault(other, []).append(CardLine(round_, How.PLAYED, 2 - halves, one))
    cards = {
        number: Card(
            number, str(number),
            (*played, CardLine(20, How.FULL_BYE, 12 - sum(line.halves for line in played))),
        )
        for number, played in lines.items()
    }  # fmt: skip
    return ScoreSheet(System.SWISS, cards, 20, 20)


class TestRatings:
    """Article 10."""

    EVENT = ("1-2 1-0, 3-4 ½", "3-1 0-1, 4-2 1-0", "1-4 +/-, 2-3 ½")

    def sheet(self, *ratings: int | None) -> ScoreSheet:
        return rated(event(*self.EVENT), *(ratings or (2000, 1901, 1800, 1701)))

    def test_the_mean_is_rounded_up_from_the_half(self) -> None:
        # 1901 and 1800: 1850½. The win by default does not count.
        assert amount(self.sheet(), 1, "ARO") == "1851"

    def test_all_points(self) -> None:
        # dp is 800 for 100 %; PD reaches 1 from a difference of 736.
        assert amount(self.sheet(), 1, "TPR") == "2651"
        assert amount(self.sheet(), 1, "PTP") == str(1901 + 736)

    def test_no_points(self) -> None:
        sheet = rated(event("1-2 0-1", "1-3 0-1, 2 U"), 1800, 1750, 1700)
        assert amount(sheet, 1, "PTP") == "900"
        assert amount(sheet, 1, "TPR") == str(1725 - 800)

    def test_the_lowest_rating_that_reaches_the_score(self) -> None:
        # 3: ½ of 3 games against 1701, 2000 and 1901 is 1 point; by PD game by game.
        found = value(self.sheet(), 3, "PTP").amount
        assert found is not None
        sums = [
            sum(P_OF_D.one(int(found) + step - rating) for rating in (1701, 2000, 1901))
            for step in (-1, 0)
        ]
        assert sums[0] < 100 <= sums[1]

    def test_nobody_met_over_the_board(self) -> None:
        sheet = rated(event("1-2 +/-, 3-4 1-0"), 2000, 1900, 1800, 1700)
        found = {code: amount(sheet, 1, code) for code in ("ARO", "TPR", "PTP", "APRO", "AOB")}
        assert set(found.values()) == {"0"}

    @pytest.mark.parametrize("code", ["ARO", "TPR", "PTP", "APRO", "APPO", "RTNG"])
    def test_everybody_must_be_rated(self, code: str) -> None:
        sheet = self.sheet(2000, None, 1800, None)
        refused = value(sheet, 1, code)
        assert refused.amount is None
        assert refused.why is not None
        assert dict(refused.why.values) == {"count": 2, "first": 2}

    def test_or_a_rating_is_announced(self) -> None:
        sheet = self.sheet(2000, None, 1800, None)
        assert amount(sheet, 1, "ARO/U1400") == "1600"
        assert amount(sheet, 2, "RTNG/U1400") == "1400"

    def test_own_ratings_either_way(self) -> None:
        sheet = rated(event("1-2 ½"), 1900, 2000)
        for code, first in (("RTNG", 2), ("RTNG/R", 1)):
            assert standings(sheet, announced(code))[0].card.number == first


class TestCodes:
    """The list as it is announced."""

    def test_the_edition_by_the_first_day(self) -> None:
        assert fide_tie_break("BH", OF_2024, System.SWISS).article == "FIDE C.07 (2024-08) 8.1"
        assert fide_tie_break("BH", OF_2026, System.SWISS).article == "FIDE C.07 (2026-03) 8.1"
        assert fide_tie_break("BH", dt.date(1990, 1, 1), System.SWISS).article.endswith("08) 8.1")

    def test_small_letters_and_hyphens(self) -> None:
        found = announced("bh-c1, sb/c1/p, KS-L-1, ks/l+2")
        assert [tie_break.code for tie_break in found] == ["BH/C1", "SB/C1/P", "KS/L-1", "KS/L+2"]

    def test_every_code_is_known(self) -> None:
        for code in CODES:
            made = fide_tie_break(code, OF_2026, System.TEAM_SWISS)
            assert (made.each is None) != (made.among is None)
            assert code in codes()

    @pytest.mark.parametrize("code", sorted({*CODES, *manual_1975.BY_CODE} - OF_TEAMS))
    def test_with_other_ratings_those_of_ratings_alone_have_other_values(self, code: str) -> None:
        (tie_break,) = announced(code)
        found = []
        for ratings in (range(1500, 1590, 10), range(2000, 1100, -100)):
            sheet = rated(event(*NINE), *ratings)
            cards = [*sheet.cards.values()]
            if tie_break.each is not None:
                found.append([tie_break.each(sheet, card).amount for card in cards])
            elif tie_break.among is not None:
                values = tie_break.among(sheet, cards) or {}
                found.append([values[each].amount for each in sorted(values)])
        assert (found[0] != found[1]) is is_of_ratings(tie_break)

    @pytest.mark.parametrize(
        ("code", "key"),
        [
            ("BH/C0", "fide.modifier"), ("BH/C", "fide.modifier"), ("BH/R", "fide.modifier"),
            ("BH/C1/C2", "fide.modifier_twice"), ("BH/C1/M1", "fide.modifier_twice"),
            ("WIN/C1", "fide.modifier"), ("SB/M1", "fide.modifier"), ("KS/L0", "fide.modifier"),
            ("BH:", "fide.unknown_code"), ("BH//C1", "fide.unknown_code"),
            ("BH:MP", "fide.for_teams"), ("EMMSB", "fide.for_teams"), ("EDE", "fide.for_teams"),
            ("BH:GP", "fide.for_teams"), ("board-medians", "fide.for_teams"),
            ("BUCHHOLZ", "tiebreak.unknown"),
        ],
    )  # fmt: skip
    def test_refused(self, code: str, key: str) -> None:
        with pytest.raises(InputRefused) as refused:
            announced(code)
        assert refused.value.message.key == key
        for language in ("en", "es"):
            assert code.strip("/:") in refused.value.message.within(language)

    @pytest.mark.parametrize("code", ["BH/C1", "FB", "AOB"])
    @pytest.mark.parametrize("system", [System.ROUND_ROBIN, System.MATCH])
    def test_not_in_a_round_robin(self, code: str, system: System) -> None:
        with pytest.raises(InputRefused) as refused:
            announced(code, OF_2026, system)
        assert refused.value.message.key == "fide.not_in_round_robin"

    def test_teams_by_match_points(self) -> None:
        sheet = sheet_of("1-2 1-0, 3-4 ½", "3-1 0-1, 2-4 1-0", system=System.TEAM_SWISS)
        assert amount(sheet, 1, "BH:MP") == amount(sheet, 1, "BH")
        assert amount(sheet, 1, "EMMSB:MP/C1") == amount(sheet, 1, "SB/C1")
