"""Submissions from the command line: what is open at the site, and what was done."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ledger.journal.stores.database import open_journal, upgrade
from tests.cli.running import run
from tests.ledgers import with_july_published, with_officers
from tests.web.submitting import OF_AUGUST, Person, staffed


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A folder with a ledger, at whose site eva handed in one report, and drafted another."""
    upgrade(str(tmp_path / "rating-ledger.db"))
    journal = open_journal(str(tmp_path / "rating-ledger.db"))
    ledger = with_officers(with_july_published(journal), "ana", "luis")
    with staffed(ledger, tmp_path) as site:
        eva: Person = site.eva
        (tmp_path / "accepted").write_text(eva.handed_in(OF_AUGUST), "utf-8")
        site.ana.step((tmp_path / "accepted").read_text("utf-8"), "accept")
        eva.drafted(OF_AUGUST.replace("T3", "T4"))
    journal.close()
    return tmp_path


OFFICE = ("--office", "sqlite:///office.db")


def test_the_open_ones_are_listed_and_those_that_are_done(club: Path) -> None:
    said = json.loads(run("submission", "list", *OFFICE, "--format", "json", cwd=club).out)
    assert [(each["state"], each["by"]) for each in said["submissions"]] == [("draft", "eva")]
    done = run("submission", "list", "--done", *OFFICE, "--format", "json", cwd=club)
    (accepted,) = json.loads(done.out)["submissions"]
    assert (accepted["state"], accepted["decided_by"]) == ("accepted", "ana")
    assert accepted["commit"]


def test_every_step_of_one_is_shown(club: Path) -> None:
    id_ = (club / "accepted").read_text("utf-8")
    said = json.loads(run("submission", "show", id_, *OFFICE, "--format", "json", cwd=club).out)
    assert [step["what"] for step in said["steps"]] == ["draft", "handed-in", "accepted"]
    assert "handed-in" in run("submission", "show", id_, *OFFICE, cwd=club).out


def test_one_that_is_not_there_is_not_found(club: Path) -> None:
    missing = run("submission", "show", "x", *OFFICE, cwd=club)
    assert missing.code == 7
    assert "there is no submission 'x': 'submission list' names those" in missing.err
