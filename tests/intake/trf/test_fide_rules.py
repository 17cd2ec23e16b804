"""Whether FIDE's rating server would take a report, reason by reason."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest

from ledger.intake.fide_check import fide_check_of_file
from tests.cli.running import run
from tests.intake.trf.writing import file, player

TODAY = dt.date(2025, 3, 20)
DATES = "132".ljust(91) + "25/03/01  25/03/02"
HEAD = (
    "012 Open", "022 Rancagua", "032 CHI", "042 2025/03/01", "052 2025/03/02",
    "092 Individual: Swiss-System", "102 IA Soto, Ana (3401234)", "112 Rojas, Luis 3409999",
    "122 90 min + 30 sec", DATES, "142 2",
)  # fmt: skip
PLAYERS = tuple(
    player(
        number, f"Jara, {name}", *rounds, sex="m", rating=rating, federation="CHI",
        fide=f"340{number}", birth="1990/01/01", points="1.0", rank=str(number),
    )
    for number, name, rating, rounds in (
        (1, "Aldo", "2450", ("   2 w 1", "   3 b 0")),
        (2, "Beto", "1900", ("   1 b 0", "   4 w 1")),
        (3, "Ciro", "1500", ("   4 w =", "   1 w 1")),
        (4, "Dino", "", ("   3 b =", "   2 b 0")),
    )
)  # fmt: skip
GOOD = (*HEAD[:8], "122 100 min + 30 sec", *HEAD[9:])  # 130 minutes for 60 moves


def refusals(*lines: str, today: dt.date = TODAY) -> list[tuple[str, int | None]]:
    found = fide_check_of_file(file(*lines), "o.trf", today)
    return [(each.sentence.key, each.line) for each in found.refusals]


def told(*lines: str) -> str:
    found = fide_check_of_file(file(*lines), "o.trf", TODAY)
    return "\n".join(str(each.sentence) for each in found.refusals)


def instead(old: str, new: str | None) -> list[str]:
    lines = [*GOOD, *PLAYERS]
    place = next(at for at, line in enumerate(lines) if line.startswith(old))
    return [*lines[:place], *(() if new is None else (new,)), *lines[place + 1 :]]


def test_a_good_report_is_taken() -> None:
    found = fide_check_of_file(file(*GOOD, *PLAYERS), "o.trf", TODAY)
    assert (found.refusals, found.remarks, found.failure()) == ((), (), None)


@pytest.mark.parametrize("code", ["012", "022", "032", "042", "052", "102", "132"])
def test_each_record_that_is_mandatory_is_asked_for(code: str) -> None:
    assert ("check.fide_record", None) in refusals(*instead(code, None))


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("122", None, "check.fide_no_tempo"),
        ("122", "122 by the clock", "check.fide_tempo"),
        ("122", "122 2 min", "check.fide_too_fast"),
        ("102", "102 IA Soto, Ana", "check.fide_arbiter"),
        ("112", "112 Rojas, Luis", "check.fide_arbiter"),
        ("132", "132".ljust(91) + "25/03/01", "check.fide_no_day"),
        ("132", "132".ljust(91) + "25/03/02  25/03/01", "trf.no_short_date"),
        ("132", "132".ljust(91) + "25/03/01  25/03/03", "trf.no_short_date"),
        ("142", "142 5", "check.fide_rounds"),
    ],
)
def test_each_reason_is_named(old: str, new: str | None, key: str) -> None:
    assert {found for found, _ in refusals(*instead(old, new))} == {key}


def test_a_player_without_number_or_rank_is_named_with_the_place() -> None:
    lines = instead("001    2", PLAYERS[1].replace("3402", "    ").replace("1.0    2", "1.0     "))
    assert refusals(*lines) == [("check.fide_no_id", 13), ("check.fide_no_rank", 13)]
    assert "number 2, Jara, Beto, has no FIDE number" in told(*lines)


def test_many_players_without_a_number_are_one_reason_with_the_first_places() -> None:
    numberless = [each.replace("3401", "    ").replace("3402", "    ") for each in PLAYERS]
    assert refusals(*GOOD, *numberless) == [("check.fide_no_ids", 12)]
    assert "2 players have no FIDE number; the first by number: 1 " in told(*GOOD, *numberless)


def test_games_that_are_too_fast_are_counted_by_the_higher_rating_and_the_day() -> None:
    assert told(*HEAD, *PLAYERS) == ""  # 120 minutes
    slower = instead("122", "122 60 min + 30 sec")
    assert told(*slower) == (
        "2 games are too fast to be rated: 90 minutes for 60 moves, and with a player of 2400 or"
        " more it takes 120; the first is Jara, Aldo - Jara, Beto in round 1 (B.02 1.1)"
    )
    fast = instead("122", "122 60 min")
    assert [key for key, _ in refusals(*fast)] == ["check.fide_fast_games"] * 2
    old = [
        line.replace("25/03", "23/03").replace("2025/", "2023/")
        for line in instead("122", "122 60 min")
    ]
    on = dt.date(2023, 3, 20)
    assert [key for key, _ in refusals(*old, today=on)] == ["check.fide_fast_games"] * 2


def test_more_than_twelve_hours_a_day_are_refused() -> None:
    lines = [each.replace("25/03/01  25/03/02", "25/03/01  25/03/01") for each in GOOD]
    assert refusals(*lines, *PLAYERS) == []  # eight hours and forty minutes
    lines = [each.replace("100 min", "180 min") for each in lines]
    assert refusals(*lines, *PLAYERS) == [("check.fide_long_day", 10)]


@pytest.mark.parametrize(
    ("today", "key"),
    [
        (dt.date(2025, 3, 1), ["check.fide_not_over"]),
        (dt.date(2025, 5, 29), []),
        (dt.date(2025, 5, 30), ["check.fide_too_late"]),
    ],
)
def test_it_is_over_and_not_too_late(today: dt.date, key: list[str]) -> None:
    assert [found for found, _ in refusals(*GOOD, *PLAYERS, today=today)] == key


def test_a_long_event_is_reported_by_the_month_and_ends_after_ninety_days() -> None:
    long = instead("052", "052 2025/05/01")
    found = fide_check_of_file(file(*long), "o.trf", TODAY)
    assert found.failure() is None  # a part of it, and rounds are still to be played
    assert [each.sentence.key for each in found.remarks] == ["check.fide_monthly"]
    assert refusals(*instead("052", "052 2025/06/01")) == [("check.fide_too_long", 5)]


def test_faults_of_the_form_and_open_games_are_refusals_too() -> None:
    lines = [each.replace("   2 w 1", "   2 w  ") for each in (*GOOD, *PLAYERS)]
    lines = [each.replace("   1 b 0", "   1 b  ") for each in lines]
    assert [key for key, _ in refusals(*lines)] == ["check.fide_open"]
    assert any(key.startswith("trf.") for key, _ in refusals(*GOOD, PLAYERS[0]))


def test_what_it_warns_of_is_a_remark() -> None:
    nameless = [each.replace("Jara, Aldo", "Jara Aldo ") for each in (*GOOD, *PLAYERS)]
    found = fide_check_of_file(file(*nameless), "o.trf", TODAY)
    assert found.failure() is None
    assert [each.sentence.key for each in found.remarks] == ["check.fide_name"]


def test_the_command_ends_with_three_and_needs_no_ledger(tmp_path: Path) -> None:
    (tmp_path / "o.trf").write_bytes(file(*instead("102", None)))
    words = ("tournament", "check", "o.trf", "--fide", "--lang", "en")
    refused = run(*words, "--format", "json", cwd=tmp_path)
    assert refused.code == 3
    report = json.loads(refused.out)
    assert report["event"] == "Open"
    assert report["refusals"][0] == {
        "line": None, "column": None,
        "sentence": "the record 102 (chief arbiter) is missing,"
        " which the format calls mandatory for rating",
    }  # fmt: skip
    assert "FIDE's server would refuse the report" in refused.err


def test_a_recorded_tournament_is_checked_as_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "o.trf").write_bytes(file(*GOOD, *PLAYERS))
    assert run("init", cwd=tmp_path).code == 0
    imported = run("import", "o.trf", "--tournament", "open", cwd=tmp_path)
    assert imported.code == 0, imported.err
    found = run("tournament", "check", "open", "--fide", "--format", "json", cwd=tmp_path)
    sentences = [each["sentence"] for each in json.loads(found.out)["refusals"]]
    assert all("2025-03-02" in each for each in sentences), sentences  # of a past event
    unknown = run("tournament", "check", "nowhere", "--fide", cwd=tmp_path)
    assert unknown.code == 7
