"""Reports on the command line: a file in, what it lacks said, the report out, and in again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run_here
from tests.intake.trf.writing import GOOD, file, player


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RATING_LEDGER_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("RATING_LEDGER_DB", str(tmp_path / "ledger.db"))
    assert run_here("init").code == 0
    return tmp_path


def test_what_a_report_needs_is_said_and_comes_back() -> None:
    days = ("--start", "2011-03-04", "--end", "2011-03-06")
    opened = run_here("tournament", "open", "T", "--name", "Copa", *days, "--rate-of-play", "rapid",
                      "--place", "Cobán", "--federation", "GUA")  # fmt: skip
    assert opened.code == 0
    said = ("--arbiter", "Castillo, Rebeca", "--deputy", "Uno", "--deputy", "Dos", "--time-control",
            "15 min + 10 sec", "--reason", "for the report")  # fmt: skip
    assert run_here("tournament", "correct", "T", *said).code == 0
    report = run_here("tournament", "trf", "T").out
    for line in ("022 Cobán", "032 GUA", "102 Castillo, Rebeca", "112 Uno", "112 Dos",
                 "122 15 min + 10 sec", "092 Individual: Swiss-System"):  # fmt: skip
        assert line in report.splitlines()
    kept = run_here("tournament", "correct", "T", "--arbiter", "Otra", "--reason", "a slip")
    assert kept.code == 0
    assert "112 Uno" in run_here("tournament", "trf", "T").out.splitlines()


def test_a_report_comes_back_from_the_command_line(folder: Path) -> None:
    (folder / "good.trf").write_text(GOOD, encoding="utf-8")
    assert run_here("import", "good.trf").code == 0
    for version in ("trf16", "trf26"):
        out = run_here("tournament", "trf", "torneo-de-los-volcanes-2011-03-04",
                       "--version", version)  # fmt: skip
        (folder / "own.trf").write_text(out.out, encoding="utf-8")
        again = run_here("import", "own.trf")
        assert (again.code, "nothing new" in again.out) == (0, True)
    assert run_here("tournament", "trf", "T", "--version", "trf17").code == 2


def test_ambiguous_days_are_refused_with_what_to_do_in_both_languages(folder: Path) -> None:
    lines = ("012 Copa", "042 04/03/2011", "052 06/03/2011", player(1))
    (folder / "copa.trf").write_bytes(file(*lines))
    refused = run_here("import", "copa.trf", "--rate-of-play", "rapid")
    assert refused.code == 4
    assert "copa.trf:2:5" in refused.err
    assert "2011-03-04 / 2011-04-03" in refused.err
    spanish = run_here("--lang", "es", "import", "copa.trf", "--rate-of-play", "rapid")
    assert "nada en el archivo lo decide" in spanish.err
    days = ("--start", "2011-03-04", "--end", "2011-03-06")
    assert run_here("import", "copa.trf", "--rate-of-play", "rapid", *days).code == 0


def test_a_tournament_without_a_name_is_named_after_its_file(folder: Path) -> None:
    lines = ("042 2011/03/04", "052 2011/03/04", "092 Swiss Blitz", player(1))
    (folder / "club_7.trf").write_bytes(file(*lines))
    taken = run_here("import", "club_7.trf")
    assert (taken.code, "named after the file, club_7" in taken.err) == (0, True)
    assert "012 club_7" in run_here("tournament", "trf", "club-7-2011-03-04").out
    (folder / "own.trf").write_text(run_here("tournament", "trf", "club-7-2011-03-04").out)
    assert "nothing new" in run_here("import", "own.trf").out


@pytest.mark.parametrize(
    "option", [("--arbiter", "A\tB"), ("--time-control", "x" * 301), ("--federation", "Chile")]
)
def test_what_cannot_be_recorded_is_refused(option: tuple[str, str]) -> None:
    days = ("--start", "2011-03-04", "--end", "2011-03-06")
    opened = run_here("tournament", "open", "T", "--name", "Copa", *days, "--rate-of-play", "rapid",
                      *option)  # fmt: skip
    assert (opened.code, "Traceback" in opened.err) == (4, False)
