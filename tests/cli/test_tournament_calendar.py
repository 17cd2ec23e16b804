"""The calendar at the command line, and the federation's word on what was not announced."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run

DAYS = ("--start", "2131-01-04", "--end", "2131-01-05", "--rate-of-play", "rapid")
REFUSED = 4


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    assert run("init", cwd=tmp_path).code == 0
    return tmp_path


def words(folder: Path, *typed: str) -> tuple[int, str]:
    ran = run("tournament", *typed, cwd=folder)
    return ran.code, ran.out + ran.err


def test_it_is_announced_shown_opened_and_cancelled(folder: Path) -> None:
    for id_ in ("copa", "otra"):
        assert words(folder, "announce", id_, "--name", id_.title(), *DAYS, "--rounds", "7")[0] == 0
    code, told = words(folder, "cancel", "otra")
    assert (code, "--reason" in told) == (2, True)
    assert words(folder, "cancel", "otra", "--reason", "no hall")[0] == 0
    assert words(folder, "open", "copa", "--place", "Talca")[0] == 0
    between = ("--from", "2131-01-01", "--to", "2131-01-31")
    code, told = words(folder, "calendar", *between)
    assert [line.split()[-1] for line in told.splitlines() if "2131" in line] == [
        "announced", "cancelled",
    ]  # fmt: skip
    assert "2131-01-04 2131-01-05 copa Copa Talca" in " ".join(told.split())
    code, told = words(folder, "calendar", *between, "--state", "cancelled", "--format", "json")
    assert [row["tournament"] for row in json.loads(told)["tournaments"]] == ["otra"]
    assert words(folder, "calendar", "--state", "gone")[0] == 2


@pytest.mark.parametrize("rule", ["refuse", "note", "nothing"])
def test_the_settings_say_what_is_done_about_what_was_not_announced(
    folder: Path, rule: str
) -> None:
    (folder / "rating-ledger.toml").write_text(f'unannounced = "{rule}"\n', encoding="utf-8")
    code, told = words(folder, "open", "copa", "--name", "Copa", *DAYS)
    match rule:
        case "refuse":
            assert (code, "tournament announce copa" in told) == (REFUSED, True)
        case "note":
            assert (code, "copa was not announced" in told) == (0, True)
        case _:
            assert (code, "it may be note, refuse" in told) == (REFUSED, True)
