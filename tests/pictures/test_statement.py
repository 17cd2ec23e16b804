"""The drawing of a statement, the small bars beside figures, and the picture of a link."""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ledger.pictures.bars import gain_bar, result_bar
from ledger.pictures.card import CardWords, rating_card
from ledger.pictures.dotted_text import can_be_dotted, dotted
from ledger.pictures.statement import statement_picture
from ledger.reports.histories import EditionRating, HistoryLine
from ledger.reports.statement import Statement
from tests.ledgers import games, import_text, ledger_of, statements_of

BAR = re.compile(r'<rect x="([-0-9.]+)" y="([-0-9.]+)" width="([0-9.]+)" height="([0-9.]+)" rx="2"')


def statements(rounds: int = 2) -> dict[str, Statement]:
    """Returns the statements of a month in which a wins and loses in turn, and q does not play."""
    ledger = ledger_of("a,1500,,50", "b<i>,1600,,50", "q,1500,,50")
    results = ("1-0", "0-1")
    boards = [f"{each},,a,b<i>,{results[each % 2]}" for each in range(1, rounds + 1)]
    import_text(ledger, games("t", *boards))
    return statements_of(ledger, "ENF", "2010-07")


@pytest.mark.parametrize("is_narrow", [False, True])
def test_a_bar_is_as_long_as_its_points(is_narrow: bool) -> None:  # noqa: FBT001 - a case
    made = statements()["a"]
    picture = statement_picture(made, title="t", language="en", is_narrow=is_narrow) or ""
    sides = [float(each[2 if is_narrow else 3]) for each in BAR.findall(picture)]
    points = [abs(float(line.contribution)) for line in made.postings]
    points += [abs(float(made.rounding))] if made.rounding else []
    longest = max(points)
    assert len(sides) == len(points)
    for side, expected in zip(sides, points, strict=True):
        assert side == pytest.approx(max(2.0, max(sides) * expected / longest), abs=0.2)
    assert f">{made.opening}</text>" in picture
    assert f">{made.closing}</text>" in picture
    assert "<i>" not in picture


def test_many_games_get_a_row_each_on_a_wide_page_too() -> None:
    made = statements(rounds=12)["a"]
    picture = statement_picture(made, title="t", language="es") or ""
    assert 'width="1120" height="300"' not in picture
    assert picture.count("ganó") == picture.count("perdió") == 6


def test_who_did_not_play_has_nothing_to_be_drawn() -> None:
    assert statement_picture(statements()["q"], title="t", language="en") is None


def test_the_parts_of_a_bar_are_the_parts_of_the_games() -> None:
    picture = result_bar(4, 2, 2, "WDL")
    assert re.findall(r'width="([0-9.]+)" height="12.0"', picture) == ["47.0", "23.0", "23.0"]
    letters = re.findall(r'<text[^>]* class="([a-z]+)"[^>]*>([WDL])<', picture)
    assert letters == [("on", "W"), ("on", "D"), ("ink", "L")]
    assert 'class="good"' in gain_bar(Fraction(5), Fraction(10))
    assert 'class="bad"' in gain_bar(Fraction(-5), Fraction(10))
    assert 'width="0.0"' in gain_bar(Fraction(0), Fraction(0))


@pytest.mark.parametrize("won", [0, 1, 2, 9, 40])
@pytest.mark.parametrize("drawn", [0, 1, 2, 9, 40])
@pytest.mark.parametrize("lost", [0, 1, 2, 9, 40])
def test_every_part_of_a_bar_with_room_is_named(won: int, drawn: int, lost: int) -> None:
    letters = re.findall(r">([WDL])</text>", result_bar(won, drawn, lost, "WDL"))
    games = won + drawn + lost
    record = zip("WDL", (won, drawn, lost), strict=True)
    assert letters == [letter for letter, count in record if games and count / games >= 1 / 8]


def test_a_card_is_a_picture_of_the_official_ratings() -> None:
    words = CardWords("Núñez, Ana", "Standard, October 2026", "January 2026", "October 2026")
    lines = [HistoryLine(str(each), (EditionRating(1, each),), 0, 0, 0) for each in (1500, 1600)]
    unrated = HistoryLine("x", (EditionRating(1, 0),), 0, 0, 0)
    assert rating_card(lines[:1], words) is None
    assert rating_card([*lines[:1], unrated], words) is None
    picture = rating_card(lines, words) or b""
    (length,) = struct.unpack(">I", picture[33:37])
    rows = zlib.decompress(picture[41 : 41 + length])
    width = 1 + 3 * 1200
    assert len(rows) == 630 * width
    last = rows[190 * width + 1 + 3 * 1120 :][:3]  # the newest rating, at the upper right
    first = rows[540 * width + 1 + 3 * 180 :][:3]
    assert (tuple(last), tuple(first)) == ((23, 80, 158), (23, 80, 158))


def test_a_card_says_who_where_and_when() -> None:
    lines = [HistoryLine(str(each), (EditionRating(1, each),), 0, 0, 0) for each in (1500, 1600)]
    words = CardWords("Núñez, Ana", "Standard", "January", "October")
    changed = [
        replace(words, name="other"), replace(words, where="other"),
        replace(words, first="other"), replace(words, last="other"),
    ]  # fmt: skip
    assert len({rating_card(lines, each) for each in [words, *changed]}) == 5


def test_letters_of_dots_have_their_accents_and_other_scripts_are_told() -> None:
    assert not np.array_equal(dotted("Núñez", 1), dotted("Nunez", 1))
    assert dotted("Ab", 2).shape == (24, 24)
    assert can_be_dotted("Þor") is False
    assert can_be_dotted("Iván Łukasz O’Brien-Šafářová, 3") is True
    assert can_be_dotted("Иван") is False
