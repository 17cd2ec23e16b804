"""What is noted of a file: for people a line for each kind, for programs every note."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ledger.errors import Problem
from ledger.service.receipts import notes_of_kinds
from ledger.wording import Message
from tests.cli.running import run
from tests.intake.trf.writing import file, player

ABOUT = ("012 Copa", "042 2010/07/01", "052 2010/07/02", "092 Swiss", "122 90 min")
COUNT = 60


def report(birth: str = "") -> bytes:
    """Returns a report of players whose declared points are wrong, of two of them the title too."""
    titles = {3: "XX", 9: "YY"}
    players = (
        player(n, f"Nina {n}", points="3.5", birth=birth, fide=str(1000 + n),
               title=titles.get(n, ""))
        for n in range(1, COUNT + 1)
    )  # fmt: skip
    return file(*ABOUT, *players)


def noted(folder: Path, *options: str) -> list[str]:
    """Returns the notes that an import prints."""
    done = run("import", "copa.trf", *options, cwd=folder)
    assert done.code == 0, done.err
    return [line for line in done.err.splitlines() if line.startswith("note")]


def test_notes_of_one_kind_are_one_line_with_a_count(folder: Path) -> None:
    (folder / "copa.trf").write_bytes(report())
    points, titles = noted(folder, "--dry-run", "--lang", "en")
    assert points == (
        "note: copa.trf:6:81: player 1 has 3.5 points declared, but his results give 0.0; the "
        f"results count ({COUNT} of this kind: also in lines 7, 8, 9, 10, 11, …)"
    )
    assert titles.endswith("was left out (2 of this kind: also in line 14)")


def test_in_json_every_note_is_told(folder: Path) -> None:
    (folder / "copa.trf").write_bytes(report())
    done = run("import", "copa.trf", "--dry-run", "--format", "json", cwd=folder)
    notes = json.loads(done.out)["notes"]
    assert len(notes) == COUNT + 2
    assert notes[0].startswith("copa.trf:6:81: player 1 has 3.5 points declared")
    assert notes[-1].startswith(f"copa.trf:{COUNT + 5}:81: player {COUNT} ")


def test_a_year_that_is_read_as_it_stands_is_no_note(folder: Path) -> None:
    (folder / "copa.trf").write_bytes(file(*ABOUT, player(1, fide="1001", birth="1978")))
    assert noted(folder, "--dry-run", "--lang", "en") == []
    (folder / "copa.trf").write_bytes(file(*ABOUT, player(1, fide="1001", birth="1978.00")))
    (note,) = noted(folder, "--dry-run", "--lang", "en")
    assert "the birth date '1978.00' was read as 1978" in note


def test_a_kind_is_a_sentence_of_one_file() -> None:
    def note(why: str, line: int, name: str = "f") -> Problem:
        said = Message.of("import.irregular", tournament="T", why=Message.of(why), count=1)
        return Problem(said, line, 0, name)

    one, other = "breach.second_bye", "breach.second_meeting"
    same = [note(one, 1), note(other, 1), note(one, 1), note(one, 4), note(one, 1, "g")]
    keys = [(each.message.key, each.file) for each in notes_of_kinds(same)]
    assert keys == [
        ("import.of_kind_in_line", "f"), ("import.irregular", "f"), ("import.irregular", "g"),
    ]  # fmt: skip
    alike = [note(one, 1), note(one, 1)]
    assert [each.message.key for each in notes_of_kinds(alike)] == ["import.of_kind_here"]


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_is_noted_of_no_file_stays_as_it_is(language: str) -> None:
    notes = [Problem.of("disk.full"), Problem.of("disk.full")]
    assert notes_of_kinds(notes) == notes
    told = notes_of_kinds([Problem(Message.of("trf.ruler", found="x"), n, 0, "f") for n in (1, 2)])
    assert told[0].within(language).endswith(
        "(2 of this kind: also in line 2)" if language == "en"
        else "(2 de esta clase: también en la línea 2)"
    )  # fmt: skip
