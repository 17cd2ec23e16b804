"""What is tolerated is said, one by one, and refuses nothing."""

from __future__ import annotations

import pytest

from ledger.intake.trf.check import adjustments, check
from ledger.wording import LANGUAGES
from tests.intake.trf.writing import GOOD, file, good_with, pairing, parse, player, team


def tolerated(data: bytes) -> list[tuple[str, int, int]]:
    report = parse(data)
    assert check(report) == []
    noted = adjustments(report)
    for each in noted:
        assert all(each.message.within(language) for language in LANGUAGES)
    return [(each.message.key.removeprefix("trf."), each.line, each.column) for each in noted]


def test_nothing_is_said_of_the_good_file() -> None:
    assert tolerated(GOOD.encode()) == []


@pytest.mark.parametrize(
    ("old", "new", "key", "line", "column"),
    [
        ("042 2011/03/04", "042 04/03/2011", "foreign_date", 4, 5),
        ("052 2011/03/06", "052 2011-3-6", "foreign_date", 5, 5),
        ("1978/00/00", "1978.00.00", "birth_without_day", 13, 70),
        ("1978/00/00", "1978/05/00", "birth_without_day", 13, 70),
        ("1990/05/17", "17.05.1990", "foreign_date", 12, 70),
        ("032 GUA", "032 gua", "federation_in_small_letters", 3, 5),
        ("032 GUA", "032 Guatemala", "no_federation", 3, 5),
        ("HON", "502", "no_federation", 16, 54),
        ("001    3 w", "001    3 f", "sex_f", 14, 10),
        ("001    3 w", "001    3 x", "no_sex", 14, 10),
        ("CM  Barrientos", "m   Barrientos", "old_title", 13, 11),
        ("CM  Barrientos", "MN  Barrientos", "no_title", 13, 11),
        ("062 6", "062 7", "players_differ", 6, 5),
        (" 0.5    5", " 1.5    5", "points_differ", 14, 81),
        (" 0.5    5", " 0,5    5", "decimal_comma", 14, 81),
        ("XXR 3", "101 Algo", "unknown_record", 11, 1),
        ("XXR 3", "DAT 0001 EMAIL x", "unknown_record", 11, 1),
        ("0000 - H", "0000 w H", "colour_without_opponent", 13, 117),
        ("0000 - Z", "0000 - -", "result_without_opponent", 16, 119),
        ("0000 - U", "0000   +", "result_without_opponent", 15, 119),
        ("0000 - U", "0000 - 1", "result_without_opponent", 15, 119),
        ("0000 - H", "0000 - =", "result_without_opponent", 13, 119),
        ("0000 - Z", "0000   0", "result_without_opponent", 16, 119),
        ("0000 - H", "       D", "result_without_opponent", 13, 119),
        ("1978/00/00", "1978.  .  ", "birth_without_day", 13, 70),
        ("1978/00/00", "    .  .  ", "birth_without_day", 13, 70),
        ("042 2011/03/04", "042 March 4, 2011", "foreign_date", 4, 5),
        ("11/03/04  11/03/05", "11-3-4    11/03/05", "foreign_round_date", 10, 92),
        ("XXR 3", "XXR 3\t", "tabs_at_end", 11, 1),
        ("XXR 3", "1234567890123", "ruler", 11, 1),
        ("XXR 3", "         1         2", "ruler", 11, 1),
        ("XXR 3", "01234567890123", "ruler", 11, 1),
        ("XXR 3", "0         1         2", "ruler", 11, 1),
        ("XXR 3", "DDD SSSS sTTT NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN", "ruler", 11, 1),
        ("   1 b 0", "   1 - 0", "colour_open", 13, 97),
        ("   3 w +", "   3   +", "colour_open", 13, 107),
    ],
)
def test_an_oddity_is_reported(old: str, new: str, key: str, line: int, column: int) -> None:
    data = GOOD.replace(old, new, 1).encode()
    assert old in GOOD
    assert tolerated(data) == [(key, line, column)]


@pytest.mark.parametrize("sign", ".-")
def test_another_separator_is_no_adjustment(sign: str) -> None:
    for date in ("2011/03/04", "2011/03/06", "1990/05/17", "11/03/04", "11/03/05", "11/03/06"):
        assert tolerated(GOOD.replace(date, date.replace("/", sign)).encode()) == []


def test_dates_and_titles_in_another_form_are_noted_once_and_counted() -> None:
    data = file(
        "042 04/03/2011", "052 13/03/2011",
        player(1, birth="17.05.1990", title="  g"), player(2, "B", birth="18.05.1990", title=" wg"),
    )  # fmt: skip
    report = parse(data)
    assert tolerated(data) == [("foreign_date", 1, 5), ("old_title", 3, 11)]
    dates, titles = (str(each.message) for each in adjustments(report))
    assert "4 dates are not written" in dates
    assert "'g' was read as GM; 2 titles are" in titles


@pytest.mark.parametrize("birth", ["0000/00/00", "1978/00/00", "1978", "1978/12/01", ""])
def test_customary_births_are_not_reported(birth: str) -> None:
    assert tolerated(file(player(1, birth=birth))) == []


def test_a_forfeit_without_colours_is_not_reported() -> None:
    assert tolerated(pairing(["   2 - +"], ["   1 - -"])) == []


def test_a_game_without_colours_is_reported() -> None:
    assert tolerated(pairing(["   2 - 1"], ["   1   0"])) == [("colour_open", 1, 97)]


def test_a_pairing_without_a_result_is_reported() -> None:
    assert tolerated(pairing(["   2 w"], ["   1 b"])) == [("pairing_without_result", 1, 99)]


def test_records_of_trf26_that_change_standings_only_are_reported() -> None:
    data = file(
        player(1, "Aguirre, Nora"),
        team(1, "Los Cerros", 1),
        "240 H   1    1",
        "299 W   2.0         1    1    2",
        "330 +-   1   1   2",
    )
    expected = [("team_bye", 3, 1), ("abnormal_points", 4, 1), ("forfeited_match", 5, 1)]
    assert tolerated(data) == expected


def test_points_in_another_scoring_system_are_summed_in_it() -> None:
    three_for_a_win = good_with("XXR 3", "XXR 3\nXXS W=3 D=1 PAB=3").decode()
    for old, new in (("2.5    1", "7.0    1"), ("1.5    3", "4.0    3"), ("0.5    5", "1.0    5")):
        three_for_a_win = three_for_a_win.replace(old, new)
    for old, new in (("2.5    2", "7.0    2"), ("1.0    4", "3.0    4")):
        three_for_a_win = three_for_a_win.replace(old, new)
    assert tolerated(three_for_a_win.encode()) == []
    in_trf26 = three_for_a_win.replace("XXS W=3 D=1 PAB=3", "162  W 3.0    D 1.0    L 0.0")
    assert tolerated(in_trf26.encode()) == []


def test_points_in_another_scoring_system_may_have_a_comma() -> None:
    data = file("162  W 3,0    D 1,0    L 0,0", player(1, "A", "0000 - F", points="3.0"))
    assert tolerated(data) == []


def test_a_ruler_and_tabs_are_noted_once() -> None:
    rulers = ("         1         2", "12345678901234567890", "DDD SSSS sTTT NNN")
    lines = (player(1) + "\t", player(2, "Barrientos, Ciro") + " \t ")
    assert tolerated(file(*rulers, *lines)) == [("ruler", 1, 1), ("tabs_at_end", 4, 1)]


def test_a_bye_of_240_counts_for_the_points() -> None:
    assert tolerated(file(player(1, points="0.5"), "240 H   1    1")) == []
    (differs,) = tolerated(file(player(1, points="0.5"), "240 F   1    1"))
    assert differs == ("points_differ", 1, 81)
