"""Two lines of one game become one result; a round without opponent becomes a bye."""

from __future__ import annotations

import pytest

from ledger.intake.trf.pairings import byes, pairings
from ledger.results import Bye
from tests.intake.trf.writing import GOOD, IDS, file, pairing, parse, player


def test_the_good_file_gives_its_games_and_forfeits() -> None:
    found = pairings(parse(GOOD.encode()), IDS)
    assert [
        (p.round, int(p.white), int(p.black), str(p.result), p.place.line, p.place.column)
        for p in found
    ] == [
        (1, 1, 2, "1-0", 12, 92),
        (1, 3, 4, "1/2-1/2", 14, 92),
        (1, 5, 6, "0-1", 16, 92),
        (2, 2, 3, "+/-", 13, 102),
        (2, 4, 5, "1-0s", 15, 102),
        (2, 6, 1, "0-1", 17, 102),
        (3, 1, 3, "1/2-0", 12, 112),
    ]


def test_the_good_file_gives_its_byes_and_no_absence() -> None:
    found = byes(parse(GOOD.encode()), IDS)
    assert [(b.round, int(b.player), b.kind, b.place.line, b.place.column) for b in found] == [
        (3, 2, Bye.HALF, 13, 112),
        (3, 4, Bye.PAIRING_ALLOCATED, 15, 112),
        (3, 5, Bye.ZERO, 16, 112),
    ]


@pytest.mark.parametrize(
    ("white", "black", "result"),
    [
        ("1", "0", "1-0"),
        ("0", "1", "0-1"),
        ("=", "=", "1/2-1/2"),
        ("0", "0", "0-0"),
        ("=", "0", "1/2-0"),
        ("0", "=", "0-1/2"),
        ("+", "-", "+/-"),
        ("-", "+", "-/+"),
        ("-", "-", "-/-"),
        ("W", "L", "1-0s"),
        ("d", "d", "1/2-1/2s"),
        ("l", "W", "0-1s"),
        ("L", "L", "0-0s"),
    ],
)
def test_both_halves_make_one_result(white: str, black: str, result: str) -> None:
    (with_white_first,) = pairings(parse(pairing([f"   2 w {white}"], [f"   1 b {black}"])), IDS)
    assert (int(with_white_first.white), str(with_white_first.result)) == (1, result)
    (with_white_second,) = pairings(parse(pairing([f"   2 B {black}"], [f"   1 W {white}"])), IDS)
    assert (int(with_white_second.white), str(with_white_second.result)) == (2, result)
    assert with_white_second.place.line == 2


@pytest.mark.parametrize(
    ("first", "second", "white"),
    [("-", "-", 1), (" ", "-", 1), ("w", "-", 1), ("-", "b", 1), ("b", "-", 2), (" ", "w", 2)],
)
def test_an_open_colour_is_the_other_one_or_white_for_the_lower_number(
    first: str, second: str, white: int
) -> None:
    (found,) = pairings(parse(pairing([f"   2 {first} +"], [f"   1 {second} -"])), IDS)
    assert int(found.white) == white
    assert str(found.result) == ("+/-" if white == 1 else "-/+")


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("H", Bye.HALF),
        ("f", Bye.FULL),
        ("U", Bye.PAIRING_ALLOCATED),
        ("z", Bye.ZERO),
        ("+", Bye.FULL),
        ("-", Bye.ZERO),
    ],
)
def test_a_code_without_opponent_is_a_bye(code: str, kind: Bye) -> None:
    for opponent in "0000", "   0", "    ":
        (found,) = byes(parse(file(player(1, "Aguirre, Nora", f"{opponent} - {code}"))), IDS)
        assert found.kind is kind


def test_a_blank_round_is_no_bye() -> None:
    (found,) = byes(
        parse(file(player(1, "Aguirre, Nora", "0000 -  ", "        ", "0000 - H"))), IDS
    )
    assert found.round == 3


def test_byes_of_240_records_are_taken_where_the_line_is_blank() -> None:
    data = file(
        player(1, "Aguirre, Nora", "0000 - H"),
        player(2, "Barrientos, Ciro"),
        "240 H   1    1    2",
        "240 F   3    2",
    )
    assert [
        (b.round, int(b.player), b.kind, b.place.line, b.place.column)
        for b in byes(parse(data), IDS)
    ] == [
        (1, 1, Bye.HALF, 1, 92),
        (1, 2, Bye.HALF, 3, 16),
        (3, 2, Bye.FULL, 4, 11),
    ]


def test_byes_of_teams_are_no_byes_of_players() -> None:
    data = file(player(1), "310   1 Los Cerros".ljust(73) + "   1", "240 H   1    1")
    assert byes(parse(data), IDS) == []


def test_of_results_that_do_not_fit_there_is_no_pairing() -> None:
    assert pairings(parse(pairing(["   2 w 1"], ["   1 b 1"])), IDS) == []
    assert pairings(parse(pairing(["   2 w 1"], ["   1 w 0"])), IDS) == []
    assert pairings(parse(pairing(["   2 w 1"], ["   1 b"])), IDS) == []
