"""Every fault of a file is found where it stands, and nothing else is said of it.

The files are named by their fault; each is the good file with that one fault in it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.intake.trf.cells import Notes
from ledger.intake.trf.check import check
from ledger.intake.trf.records import Cell
from ledger.wording import LANGUAGES
from tests.intake.trf.writing import GOOD, file, good_with, pairing, parse, player, text_of

FILES = Path(__file__).parent / "files"
FAULTS: dict[str, list[tuple[str, int, int]]] = {
    # One line, or one field of it.
    "line_shifted": [("outside_columns", 14, 53)],
    "name_too_long": [("outside_columns", 14, 48)],
    "no_record": [("no_record", 4, 1)],
    "record_twice": [("record_twice", 2, 1)],
    "mistyped_001": [("like_player", 17, 1)],
    "start_number_blank": [("no_start_number", 17, 5)],
    "start_number_no_number": [("no_number", 17, 5)],
    "name_missing": [("no_name", 12, 15)],
    "rating_no_number": [("no_number", 12, 49)],
    "fide_number_no_number": [("no_fide_number", 12, 58)],
    "birth_impossible": [("no_date", 12, 70)],
    "points_no_number": [("no_points", 12, 81)],
    "colour_unknown": [("no_colour", 12, 97)],
    "result_unknown": [("no_result", 12, 99)],
    "start_date_impossible": [("no_date", 4, 5)],
    "ends_before_it_starts": [("ends_before_start", 5, 5)],
    "round_date_impossible": [("no_short_date", 10, 102)],
    "rounds_announced_twice": [("rounds_contradict", 11, 5)],
    # The players among one another.
    "no_players": [("no_players", 1, 1)],
    "start_number_twice": [
        ("unknown_opponent", 12, 102),
        ("unknown_opponent", 16, 92),
        ("number_twice", 17, 5),
    ],
    "start_number_missing": [
        ("unknown_opponent", 12, 102),
        ("unknown_opponent", 16, 92),
        ("number_missing", 17, 5),
        ("names_another", 17, 92),
        ("names_another", 17, 102),
    ],
    "team_of_an_unknown_player": [("unknown_number", 18, 47)],
    # The rounds.
    "both_white": [("same_colour", 12, 97)],
    "both_win": [("results_do_not_fit", 12, 99)],
    "win_against_draw": [("results_do_not_fit", 12, 99)],
    "forfeit_win_against_win": [("results_do_not_fit", 13, 109)],
    "result_missing_on_one_side": [("result_missing", 13, 99)],
    "bye_with_opponent": [("bye_with_opponent", 12, 99)],
    "game_without_opponent": [("no_opponent", 15, 119)],
    "plays_himself": [("names_another", 14, 92), ("plays_himself", 15, 92)],
    "unknown_opponent": [("unknown_opponent", 12, 92), ("names_another", 13, 92)],
    "opponent_names_nobody": [("names_nobody", 13, 102)],
    "opponent_names_another": [("names_another", 13, 102), ("names_another", 14, 102)],
    "round_beyond_the_last": [("too_many_rounds", 16, 122)],
}


def found(data: bytes) -> list[tuple[str, int, int]]:
    problems = check(parse(data))
    return [(each.message.key.removeprefix("trf."), each.line, each.column) for each in problems]


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_where_it_stands(name: str) -> None:
    data = (FILES / f"{name}.trf").read_bytes()
    assert found(data) == FAULTS[name]
    assert parse(data).written() == text_of(data)
    for problem in check(parse(data)):
        assert all(problem.message.within(language) for language in LANGUAGES)


def test_every_file_has_its_fault_said_here() -> None:
    assert {file.stem for file in FILES.glob("*.trf")} == {"good", *FAULTS}


def test_the_good_file_has_none() -> None:
    assert found(GOOD.encode()) == []
    assert (FILES / "good.trf").read_text(encoding="utf-8") == GOOD


def test_all_faults_are_found_at_once() -> None:
    data = good_with("   2 w 1", "   2 w 7").decode().replace("1990/05/17", "1990/15/17").encode()
    assert found(data) == [("no_date", 12, 70), ("no_result", 12, 99)]


def test_the_message_quotes_what_is_wrong() -> None:
    (problem,) = check(parse((FILES / "both_win.trf").read_bytes()))
    assert str(problem.message) == (
        "the results 1/1 of 1 and 2 in round 1 do not fit together (the other on line 13)"
    )
    assert "los resultados 1/1 de 1 y 2" in problem.message.within("es")


@pytest.mark.parametrize("codes", ["1=", "11", "==1", "+1", "+0", "++", "W0", "WD", "DD1", "-0"])
def test_results_that_do_not_fit_are_refused(codes: str) -> None:
    data = pairing([f"   2 w {codes[0]}"], [f"   1 b {codes[-1]}"])
    expected = [("results_do_not_fit", 1, 99)]
    assert found(data) == expected


@pytest.mark.parametrize(
    "codes", ["10", "==", "00", "=0", "0=", "+-", "--", "WL", "DD", "LL", "dl"]
)
def test_results_that_fit_are_accepted(codes: str) -> None:
    assert found(pairing([f"   2 w {codes[0]}"], [f"   1 b {codes[1]}"])) == []


@pytest.mark.parametrize("number", ["1" * 5_000, "0" * 5_000, "٣", "²"])
def test_a_number_of_too_many_or_other_digits_is_refused(number: str) -> None:
    notes = Notes()
    assert notes.number(Cell(text=number, line=1, column=1)) is None
    assert [fault.message.key for fault in notes.faults.found] == ["trf.no_number"]


def test_numbers_may_stand_in_any_order() -> None:
    assert found(file(player(3), player(1), player(2))) == []


def test_a_gap_is_one_problem_however_wide() -> None:
    data = file(player(1), player(900), player(2))
    assert found(data) == [("number_missing", 2, 5)]
    assert "3-899" in str(check(parse(data))[0].message)


def test_both_black_is_refused_too() -> None:
    assert found(pairing(["   2 b 1"], ["   1 b 0"])) == [("same_colour", 1, 97)]


def test_blank_rounds_beyond_the_last_are_no_rounds() -> None:
    data = file("142 1", player(1, "A", "   2 w 1") + " " * 10, player(2, "B", "   1 b 0", "0000"))
    assert found(data) == []


def test_the_rounds_of_a_shifted_line_are_not_held_against_others() -> None:
    line = player(2, "B", "   1 b 0")
    shifted = line[:60] + " " + line[60:]
    assert found(file(player(1, "A", "   2 w 1"), shifted)) == [("outside_columns", 2, 96)]


@pytest.mark.parametrize(
    ("line", "key", "column"),
    [
        ("240 X   1    1", "no_bye_type", 5),
        ("240 H        1", "no_round", 7),
        ("240 H   4    1", "too_many_rounds", 7),
        ("240 H   2    9", "unknown_number", 11),
        ("240 H   1    1", "bye_contradicts", 11),
        ("240 H   x    1", "no_number", 7),
        ("240 H   2     1", "outside_columns", 15),
        ("299 Q       1.0        1", "no_points_type", 5),
        ("299 W       x.0    1   1", "no_points", 13),
        ("330 ++   1   1   2", "no_forfeit_type", 5),
        ("330 +-       1   2", "no_round", 8),
        ("310     Los Cerros", "no_start_number", 5),
        ("310   1", "no_name", 9),
        ("013", "no_name", 5),
        ("ESP    7", "unknown_number", 5),
        ("XXR9", "outside_columns", 4),
        ("012Torneo", "outside_columns", 4),
        ("012 Tor\tneo", "control_character", 5),
        ("012 " + "T" * 301, "too_long", 5),
        ("OOI" + player(3, "Cordero, Ana", "   1 w 1")[3:], "like_player", 1),
    ],
)
def test_records_beside_the_players_are_checked(line: str, key: str, column: int) -> None:
    rounds = "   2 w 1", "        ", "   2 b 0"
    answers = "   1 b 0", "        ", "   1 w 1"
    data = pairing(rounds, answers, "142 3", line)
    assert (key, 4, column) in found(data)


def test_two_240_records_that_contradict_each_other_are_refused() -> None:
    data = file(player(1), "240 H   1    1", "240 F   1    1")
    assert found(data) == [("bye_contradicts", 3, 11)]


def test_a_national_rating_given_twice_is_refused() -> None:
    national = "GUA    1" + " " * 40 + "1800"
    assert found(file(player(1), national, national)) == [("number_twice", 3, 5)]


def test_control_characters_are_not_quoted_as_they_are() -> None:
    (problem,) = check(parse(file(player(1, "Agu\x1b[31m"))))
    assert "\x1b" not in str(problem.message)


def test_there_is_a_last_round_even_where_none_is_announced() -> None:
    rounds = [""] * 999 + ["0000 - H"]
    assert found(file(player(1, "Aguirre, Nora", *rounds))) == [("too_many_rounds", 1, 10082)]
