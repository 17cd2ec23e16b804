"""Webhooks from the command line: announced, listed, tried again, withdrawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run

URL = "https://club.example.org/x"


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A folder with an empty ledger."""
    assert run("init", cwd=tmp_path).code == 0
    return tmp_path


def test_a_hook_is_announced_listed_resumed_and_withdrawn(club: Path) -> None:
    made = run("webhook", "announce", URL, "--subject", "lists", "--actor", "ana", cwd=club)
    assert made.code == 0, made.err
    assert "rlw_" in made.err
    assert "rlw_" not in made.out
    hook = made.out.strip()
    (row,) = run("webhook", "list", "--format", "json", cwd=club).json()["webhooks"]
    assert (row["webhook"], row["url"], row["subjects"]) == (hook, URL, ["lists"])
    assert (row["created_by"], row["failures"], row["disabled_at"]) == ("ana", 0, None)
    assert URL in run("webhook", "list", cwd=club).out
    assert run("webhook", "deliveries", hook, "--format", "json", cwd=club).json() == {
        "deliveries": []
    }
    assert run("webhook", "resume", hook, cwd=club).code == 0
    assert URL in run("webhook", "withdraw", hook, cwd=club).out
    gone = run("webhook", "withdraw", hook, cwd=club)
    assert (gone.code, "'webhook announce URL' makes one" in gone.err) == (7, True)
    assert run("webhook", "list", "--format", "json", cwd=club).json() == {"webhooks": []}


def test_what_cannot_be_announced_is_refused(club: Path) -> None:
    plain = run("webhook", "announce", "http://club.example.org/x", cwd=club)
    assert plain.code == 4
    assert "'http://club.example.org/x' is no address" in plain.err
    subject = run("webhook", "announce", URL, "--subject", "weather", cwd=club)
    assert subject.code == 4
    assert "corrections, lists, tournaments" in subject.err
    inside = {"RATING_LEDGER_WEBHOOKS": "anywhere"}
    assert run("webhook", "announce", "http://127.0.0.1:9/x", cwd=club, **inside).code == 0
    wrong = run("webhook", "announce", URL, cwd=club, RATING_LEDGER_WEBHOOKS="maybe")
    assert wrong.code == 4
    assert "'maybe'" in wrong.err
