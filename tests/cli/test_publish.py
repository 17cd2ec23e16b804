"""Publishing in order: no period is passed over by mistake."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.running import run_here


@pytest.fixture(autouse=True)
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


def published() -> dict[str, int]:
    rows = run_here("period", "list", "--format", "json").json()["periods"]
    return {row["period"]: row["editions"] for row in rows if row["editions"]}


def commits() -> list[int]:
    events = run_here("log", "--format", "json").json()["events"]
    return [event["commit"] for event in events if event["type"] == "list.published"]


def test_a_period_is_not_passed_over() -> None:
    done = run_here("publish", "ENF", "2010-10")
    assert (done.code, done.out) == (4, "")
    assert "(2): 2010-08, 2010-09." in done.err
    assert "--also-earlier" in done.err
    assert published() == {"2010-07": 1}


def test_many_periods_are_named_by_the_first_and_the_last() -> None:
    done = run_here("publish", "ENF", "2011-12")
    assert "(16): 2010-08, 2010-09 … 2011-11." in done.err


@pytest.mark.parametrize("option", [(), ("--also-earlier",)])
def test_a_period_that_has_not_ended_publishes_nothing(option: tuple[str, ...]) -> None:
    done = run_here("publish", "ENF", "2199-01", *option)
    assert done.code == 4
    assert "2199-01 closes on 2199-01-31" in done.err
    assert published() == {"2010-07": 1}


def test_earlier_periods_are_published_in_order_each_by_its_own_commit() -> None:
    done = run_here("publish", "2010-10", "--also-earlier", "--format", "json")
    assert done.code == 0, done.err
    assert [made["events"][0]["payload"]["period"] for made in done.json()] == [
        "2010-08",
        "2010-09",
        "2010-10",
    ]
    assert published() == {"2010-07": 1, "2010-08": 1, "2010-09": 1, "2010-10": 1}
    assert len(set(commits())) == len(commits()) == 4
    again = run_here("publish", "2010-10", "--also-earlier")
    assert (again.code, again.out) == (0, "")
    assert "nothing has changed since" in again.err
    assert run_here("verify").code == 0


def test_lists_that_are_others_by_now_go_out_again_in_one_commit() -> None:
    assert run_here("publish", "ENF", "2010-08").code == 0
    none = run_here("publish", "ENF", "--restated")
    assert (none.code, none.out) == (0, "")
    assert "no published list would be different" in none.err
    game = ("ymca-2010", "2", "3405958", "3404510")
    assert run_here("correct", "result", *game, "1-0", "--reason", "sheet").code == 0
    looked = run_here("publish", "--restated", "--check", "--format", "json").json()
    both = [("2010-07", 2), ("2010-08", 2)]
    assert [(each["period"], each["edition"]) for each in looked] == both
    table = run_here("publish", "--restated", "--check").out
    assert ("Earlier lists" in table, "False" in table) == (False, False)
    tried = run_here("publish", "ENF", "--restated", "--dry-run").out
    assert tried.count("Would publish") == 2
    assert ("moved" in tried, "no rating would move" in tried) == (True, False)
    assert published() == {"2010-07": 1, "2010-08": 1}
    done = run_here("publish", "ENF", "--restated")
    assert done.code == 0, done.err
    assert "Published ENF 2010-07, edition 2" in done.out
    assert "Published ENF 2010-08, edition 2" in done.out
    assert published() == {"2010-07": 2, "2010-08": 2}
    assert len(commits()) == 4
    assert len(set(commits())) == 3
    assert run_here("verify").code == 0
    assert run_here("publish", "ENF", "2010-07").err.startswith("ENF 2010-07 stands as edition 2")
    for words in (
        "ENF 2010-07",
        "2010-07",
        "2010-07 --check",
        "--also-earlier",
        "--acknowledge new",
    ):
        mixed = run_here("publish", *words.split(), "--restated")
        assert (mixed.code, "leave out the period" in mixed.err) == (2, True)


def test_a_dry_run_of_several_publishes_none() -> None:
    done = run_here("publish", "2010-09", "--also-earlier", "--dry-run", "--verbose")
    assert done.code == 0, done.err
    assert done.out.count("list published") == 2
    seqs = re.findall(r"^seq (\d+) to", done.out, re.MULTILINE)
    assert int(seqs[1]) == int(seqs[0]) + 1
    periods = re.findall(r"^Would publish ENF (\S+), edition 1", done.out, re.MULTILINE)
    assert periods == ["2010-08", "2010-09"]
    assert published() == {"2010-07": 1}


def test_an_empty_list_is_said_to_be_empty() -> None:
    define = ("list", "define", "B", "--regulation", "enf-2010", "--calendar", "monthly")
    assert run_here(*define, "--first", "2009-01-01", "--rate-of-play", "rapid").code == 0
    done = run_here("publish", "B", "2009-01")
    assert done.code == 0
    assert "the list B 2009-01 is empty" in done.err
    assert "the list is empty" in run_here("list", "show", "B").out


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "Error: PERIOD is missing\n"), ("es", "Error: falta PERIOD\n")]
)
def test_a_period_is_asked_for_in_words_of_ours(lang: str, said: str) -> None:
    done = run_here("publish", "--lang", lang)
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith(said)
    assert "Invalid" not in done.err


@pytest.mark.parametrize("words", [("period", "check"), ("list", "letters")])
def test_the_list_stands_before_the_period_and_may_be_left_out(words: tuple[str, str]) -> None:
    usual = run_here(*words, "ENF", "2010-07", "--format", "json")
    assert usual.code == 0, usual.err
    for form in (("2010-07",), ("2010-07", "--list", "ENF")):
        assert run_here(*words, *form, "--format", "json").out == usual.out
    missing = run_here(*words, "ENF")
    assert (missing.code, "PERIOD" in missing.err) == (2, True)
    assert "--list" not in run_here(*words, "--help").out


def test_letters_are_kept_by_list_period_and_folder(folder: Path) -> None:
    forms = (("ENF", "2010-07", "a"), ("2010-07", "b"), ("2010-07", "c", "--list", "ENF"))
    for words in forms:
        done = run_here("list", "emails", *words)
        assert done.code == 0, done.err
    kept = [sorted(each.name for each in (folder / name).iterdir()) for name in "abc"]
    assert kept[0] == kept[1] == kept[2] != []
