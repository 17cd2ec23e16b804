"""Players by name, wherever one is asked for; the only list and its newest period left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run_here

RUIZ, VASQUEZ = "3404510", {"3413446", "3413454"}


@pytest.fixture(autouse=True)
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return folder


def ids(*words: str) -> list[str]:
    done = run_here("player", *words, "--format", "json")
    assert done.code == 0, done.err
    return [player["id"] for player in done.json()["players"]]


@pytest.mark.parametrize("text", ["Ruiz", "LEONARDO ruíz", "ruiz zenteno, l", "Riuz", RUIZ])
def test_a_player_is_found_by_what_is_known_of_his_name(text: str) -> None:
    assert ids("find", text) == [RUIZ]


def test_nobody_found_is_said_with_the_text() -> None:
    done = run_here("player", "find", "Capablanca")
    assert (done.code, done.out) == (7, "")
    assert "'Capablanca'" in done.err


def test_the_list_of_players_and_its_filters() -> None:
    everybody = ids("list")
    assert len(everybody) == len(set(everybody)) > 10
    assert ids("list", "--federation", "chi") == everybody
    assert ids("list", "--federation", "ARG") == []
    assert set(ids("list", "--search", "vasquez")) == VASQUEZ
    assert run_here("player", "list", "--sex", "x").code == 4


def test_duplicates_are_suggested_until_they_are_merged() -> None:
    for id_, name in (("D1", "Muñoz Soto, Ana María"), ("D2", "Munoz, Ana")):
        assert run_here("player", "add", id_, name, "--born", "1985-07-01").code == 0
    pair = {"player": "D1", "other": "D2"}
    found = run_here("player", "duplicates", "--format", "json").json()["duplicates"]
    assert [{side: row[side]["id"] for side in pair} for row in found] == [pair]
    table = run_here("player", "duplicates", "--format", "csv").out.splitlines()
    assert table[1].startswith('D1,"Muñoz Soto, Ana María",')
    assert ',D2,"Munoz, Ana",' in table[1]
    assert run_here("player", "merge", "Munoz, Ana", "D1", "--reason", "one person").code == 0
    assert run_here("player", "duplicates", "--format", "json").json()["duplicates"] == []
    assert ids("find", "munoz") == ["D1"]


QUESTIONS = (
    ("explain", RUIZ),
    ("why", RUIZ, "--from", "2010-07"),
    ("history", RUIZ),
    ("log", "--player", RUIZ),
    ("player", "show", RUIZ),
    ("player", "titles", RUIZ),
    ("performance", RUIZ, "--tournament", "ymca-2010"),
)


@pytest.mark.parametrize("words", QUESTIONS, ids=lambda words: words[0])
def test_a_name_is_answered_as_the_id_and_says_who_is_meant(words: tuple[str, ...]) -> None:
    by_id = run_here(*words, "--format", "json")
    named = ["Ruiz Leonardo" if word == RUIZ else word for word in words]
    by_name = run_here(*named, "--format", "json")
    assert by_id.code == by_name.code == 0, by_name.err
    assert by_name.json() == by_id.json()
    assert f"'Ruiz Leonardo' is taken for {RUIZ}, Ruiz Zenteno, Leonardo Marcial" in by_name.err
    assert by_id.err == ""


@pytest.mark.parametrize("words", QUESTIONS, ids=lambda words: words[0])
def test_a_name_of_several_is_answered_with_the_candidates(words: tuple[str, ...]) -> None:
    done = run_here(*("vásquez" if word == RUIZ else word for word in words), "--format", "json")
    assert (done.code, done.out) == (4, "")
    told = json.loads(done.err)
    assert told["error"] == "player.several_fit"
    assert {detail["message"].split()[0] for detail in told["details"]} == VASQUEZ


def test_a_beginning_or_a_slip_is_no_name_but_shows_whom_it_comes_near() -> None:
    for near in ("Rui", "Ruis"):
        done = run_here("explain", near)
        assert done.code == 7
        assert f"{RUIZ}  Ruiz Zenteno, Leonardo Marcial, CHI, -" in done.err


def test_a_command_takes_names_and_records_ids() -> None:
    done = run_here("k", "assign", "zenteno ruiz", "20", "--on", "2010-09-01", "--format", "json")
    assert done.code == 0, done.err
    assert done.json()["events"][0]["payload"]["player"] == RUIZ


def test_in_a_tournament_its_participant_is_meant() -> None:
    assert run_here("player", "add", "N1", "Ruiz Núñez, Ana").code == 0
    assert run_here("explain", "ruiz").code == 4
    words = ("correct", "result", "ymca-2010", "2", "vizama", "ruiz", "1-0", "--reason", "sheet")
    done = run_here(*words, "--dry-run", "--format", "json")
    assert done.code == 0, done.err
    payload = done.json()["events"][0]["payload"]
    assert (payload["white"], payload["black"]) == ("3405958", RUIZ)


def test_who_is_nobody_at_all_is_refused_as_an_unknown_id() -> None:
    done = run_here("k", "assign", "Capablanca", "20", "--on", "2010-09-01")
    assert done.code == 7
    assert "there is no player 'Capablanca': register him" in done.err


@pytest.mark.parametrize(
    ("short", "long"),
    [
        (("list", "show"), ("list", "show", "ENF", "2010-07")),
        (("list", "show", "2010-08"), ("list", "show", "ENF", "2010-08")),
        (("list", "regenerate"), ("list", "regenerate", "ENF", "2010-07")),
        (("period", "list"), ("period", "list", "ENF")),
        (("live",), ("live", "ENF")),
        (("list", "monitor"), ("list", "monitor", "ENF")),
        (
            ("list", "diff", "2010-07@1", "2010-07"),
            ("list", "diff", "ENF", "2010-07@1", "2010-07"),
        ),
        (("explain", RUIZ), ("explain", RUIZ, "--list", "ENF", "--period", "2010-07")),
        (
            ("why", RUIZ, "--to", "2010-08"),
            ("why", RUIZ, "--list", "ENF", "--from", "2010-07", "--to", "2010-08"),
        ),
        (
            ("tournament", "titles", "ymca-2010"),
            ("tournament", "titles", "ymca-2010", "--list", "ENF"),
        ),
        (("publish", "2010-08", "--dry-run"), ("publish", "ENF", "2010-08", "--dry-run")),
    ],
    ids=" ".join,
)  # fmt: skip
def test_the_only_list_and_its_newest_period_may_be_left_out(
    short: tuple[str, ...], long: tuple[str, ...]
) -> None:
    assert run_here(*short) == run_here(*long)
    assert run_here(*short).code == 0


def test_of_several_lists_one_must_be_named() -> None:
    define = ("list", "define", "B", "--regulation", "enf-2010", "--calendar", "monthly")
    assert run_here(*define, "--first", "2010-07-01").code == 0
    for words in (("list", "show"), ("publish", "2010-08"), ("explain", RUIZ)):
        done = run_here(*words)
        assert (done.code, done.out) == (7, "")
        assert "B, ENF" in done.err


def test_what_is_no_period_is_looked_for_as_a_list() -> None:
    done = run_here("list", "show", "EFN")
    assert done.code == 7
    assert "'EFN'" in done.err
    assert "ENF" in done.err


def test_what_cannot_be_left_out_is_missing() -> None:
    assert run_here("publish").code == run_here("list", "diff", "2010-07").code == 2
    assert run_here("why", RUIZ, "--to", "2010-07").code == 7


@pytest.mark.parametrize(
    ("lang", "of_one", "of_all"),
    [
        ("en", "15, ENF, from 2010-07-01", "20, from 2010-09-01"),
        ("es", "15, ENF, desde 2010-07-01", "20, desde 2010-09-01"),
    ],
)
def test_the_ks_of_a_player_are_said_in_words(
    lang: str, of_one: str, of_all: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run_here("k", "assign", RUIZ, "20", "--on", "2010-09-01").code == 0
    done = run_here("player", "show", RUIZ, "--lang", lang)
    assert done.code == 0, done.err
    assert of_one in done.out
    assert of_all in done.out
    assert "{" not in done.out
