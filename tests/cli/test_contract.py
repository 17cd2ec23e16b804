"""What other programs rely on: exit codes, streams, formats, the shape of JSON."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.running import COMMAND, run, start

RUIZ = "3404510"
EXPLAIN = ("explain", RUIZ, "--list", "ENF", "--period", "2010-07")
CORRECT = ("correct", "result", "ymca-2010", "5", "3400190", RUIZ, "1/2-1/2", "--reason", "sheet")


class TestExitCodes:
    @pytest.mark.parametrize(
        ("code", "words"),
        [
            (0, ("list", "show", "ENF", "2010-07")),
            (0, ("list", "show")),
            (2, ("publish",)),
            (2, ("list", "show", "ENF", "--format", "yaml")),
            (2, ("nonsense",)),
            (2, ("list", "show", "ENF", "2010-07", "--edition", "1", "--as-known-at", "3")),
            (4, ("import", "nothing.csv")),
            (4, ("record", "result", "ymca-2010", "1", "3407128", "3413446", "0-1")),
            (4, ("record", "result", "ymca-2010", "1", "3407128", "3413446", "2-0")),
            (4, ("player", "seed", RUIZ, "abc", "--list", "ENF", "--on", "2010-09-01")),
            (4, ("publish", "ENF", "2199-01")),
            (4, ("publish", "ENF", "2010-09")),
            (4, ("explain", "vásquez")),
            (7, ("explain", "nobody", "--list", "ENF", "--period", "2010-07")),
            (7, ("list", "show", "XXX")),
            (7, ("list", "show", "ENF", "2010-Q1")),
            (7, ("list", "regenerate", "ENF", "2010-07", "--edition", "2")),
            (7, ("publish", "XXX", "2010-07")),
            (7, ("publish", "ENF", "2010-Q1")),
            (7, ("record", "result", "none", "1", "3407128", "3413446", "0-1")),
            (7, ("tournament", "close", "none")),
            (7, ("tournament", "enter", "ymca-2010", "nobody")),
            (7, ("player", "seed", RUIZ, "1500", "--list", "XXX", "--on", "2010-09-01")),
            (7, ("player", "title", "nobody", "GM")),
            (7, ("ladder", "leave", "none", RUIZ)),
            (7, ("account", "revoke", "none", "officer", "--reason", "x")),
            (7, ("tournament", "show", "none")),
            (7, ("webhook", "withdraw", "9")),
            (7, ("claim", "show", "none")),
            (6, ("--db", "missing.db", "list", "list")),
            (6, ("--db", "oracle://host/db", "list", "list")),
        ],
    )
    def test_each_failure_has_its_code(
        self, folder: Path, code: int, words: tuple[str, ...]
    ) -> None:
        done = run(*words, cwd=folder)
        assert done.code == code, done
        if code:
            assert done.out == ""
            assert done.err
            assert "Traceback" not in done.err

    @pytest.mark.parametrize(
        "words",
        [
            ("list", "show", "ENF", "2010-07", "--format", "json"),
            ("--db", "missing.db", "list", "list"),
        ],
    )
    def test_the_installed_command_does_the_same(
        self, folder: Path, words: tuple[str, ...]
    ) -> None:
        assert start(*words, cwd=folder) == run(*words, cwd=folder)

    @pytest.mark.parametrize(("code", "words"), [(2, "nonsense"), (7, "list show XXX")])
    def test_a_refusal_that_nobody_reads_has_its_code_too(
        self, folder: Path, code: int, words: str
    ) -> None:
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "wb") as closed:
            done = subprocess.run([COMMAND, *words.split()], cwd=folder, stderr=closed, check=False)
        assert done.returncode == code

    def test_tampering_ends_with_three(self, folder: Path) -> None:
        with closing(sqlite3.connect(folder / "rating-ledger.db")) as database, database:
            database.execute("DROP TRIGGER events_no_update")
            database.execute("UPDATE events SET effective_on = '2010-01-01' WHERE seq = 50")
        done = run("verify", "--format", "json", cwd=folder)
        assert done.code == 3
        assert [finding["seq"] for finding in done.json()["findings"]] == [50, None]

    def test_a_changed_file_is_a_conflict_until_it_comes_as_a_correction(
        self, folder: Path
    ) -> None:
        file = folder / "ymca.csv"
        file.write_text(file.read_text().replace("3400190,3404510,1-0", "3400190,3404510,0-1"))
        answer = json.loads(run("import", "ymca.csv", "--format=json", cwd=folder).err)
        assert answer["error"] == "import.conflict"
        assert [(d["file"], d["line"], d["column"]) for d in answer["details"]] == [
            ("ymca.csv", 37, 12)
        ]
        conflict = run("import", "ymca.csv", cwd=folder)
        assert conflict.code == 5
        assert "3400190 - 3404510 1-0" in conflict.err
        assert "--as-correction" in conflict.err
        assert run("import", "ymca.csv", "--as-correction", cwd=folder).code == 4
        done = run("import", "ymca.csv", "--as-correction", "--reason", "sheet", cwd=folder)
        assert done.code == 0
        assert "1 result corrected" in done.out


class TestFormats:
    def test_explain_is_the_shape_that_was_promised(self, folder: Path) -> None:
        made = run(*EXPLAIN, "--format", "json", cwd=folder).json()
        assert made["player"] == {"id": RUIZ, "name": "Ruiz Zenteno, Leonardo Marcial"}
        assert set(made) >= {
            "player", "list", "period", "basis", "opening", "closing", "change", "change_exact",
            "rounding", "k", "games", "postings", "excluded", "provisional",
        }  # fmt: skip
        assert set(made["basis"]) == {"seq", "regulation", "regulation_digest"}
        assert set(made["postings"][0]) == {
            "seq", "tournament", "round", "opponent", "opponent_rating", "difference", "expected",
            "score", "k", "merit", "contribution",
        }  # fmt: skip
        assert made["change_exact"] == "2.25"
        assert made["provisional"] is None

    def test_a_newcomers_bucket(self, folder: Path) -> None:
        words = ("explain", "E-0009", "--list", "ENF", "--period", "2010-07", "--format", "json")
        made = run(*words, cwd=folder).json()
        assert made["provisional"]["games"] == 5
        assert made["provisional"]["needed"] == 9
        assert made["provisional"]["results"][0]["performance"] == "1545.6"
        assert made["closing"] is None

    def test_the_list_in_every_format_says_the_same(self, folder: Path) -> None:
        words = ("list", "show", "ENF", "2010-07", "--format")
        data = run(*words, "json", cwd=folder).json()
        assert set(data) == {
            "list", "period", "edition", "published_on", "basis", "digest", "in_force_on", "state",
            "rows",
        }  # fmt: skip
        lines = [json.loads(line) for line in run(*words, "jsonl", cwd=folder).out.splitlines()]
        assert lines == data["rows"]
        rows = list(csv.DictReader(io.StringIO(run(*words, "csv", cwd=folder).out)))
        assert [row["id"] for row in rows] == [row["id"] for row in data["rows"]]
        assert rows[0]["provisional"] == "no"

    def test_an_error_as_json(self, folder: Path) -> None:
        done = run("list", "show", "XXX", "--format", "json", cwd=folder)
        answer = json.loads(done.err)
        assert answer["error"] == "list.not_found"
        assert "XXX" in answer["message"]
        assert answer["details"] == []

    def test_the_bytes_of_a_list_have_the_published_digest(self, folder: Path) -> None:
        run(*CORRECT, cwd=folder)
        done = run("list", "regenerate", "ENF", "2010-07", cwd=folder)
        log = run("log", "--format", "jsonl", cwd=folder).out.splitlines()
        published = [e for line in log if (e := json.loads(line))["type"] == "list.published"]
        digest = hashlib.sha256(done.out.encode()).hexdigest()
        assert digest == published[0]["payload"]["output_sha256"]

    def test_nothing_is_coloured_in_a_pipe(self, folder: Path) -> None:
        assert "\x1b" not in run(*EXPLAIN, cwd=folder).out


class TestSettings:
    def test_the_database_may_stand_before_or_after_the_command(self, folder: Path) -> None:
        (folder / "rating-ledger.db").rename(folder / "other.db")
        assert run("--db", "other.db", "list", "list", cwd=folder).code == 0
        assert run("list", "list", "--db", "other.db", cwd=folder).code == 0
        assert run("list", "list", cwd=folder, RATING_LEDGER_DB="other.db").code == 0
        assert run("list", "list", cwd=folder).code == 6
        (folder / "rating-ledger.toml").write_text('db = "other.db"\nlang = "es"\n')
        assert "reglamento" in run("list", "list", cwd=folder).out

    def test_a_setting_that_is_written_wrong_is_found_by_its_line(self, folder: Path) -> None:
        for text, line in (("\ntime_zone = America/Santiago\n", 2), ("db = ", 1)):
            (folder / "rating-ledger.toml").write_text(text)
            refused = run("list", "list", cwd=folder)
            assert refused.code == 4
            assert f'at line {line}: write each setting as NAME = "text"' in refused.err

    def test_a_misspelt_setting_is_named_with_the_nearest_one(self, folder: Path) -> None:
        for name, meant in (("actr", "actor"), ("name", "federation_name"), ("zone", "time_zone")):
            (folder / "rating-ledger.toml").write_text(f'{name} = "ana"\n')
            refused = run("list", "list", cwd=folder)
            assert refused.code == 4
            assert f"sets '{name}', which is no setting: is {meant} meant?" in refused.err

    @pytest.mark.parametrize(
        ("environment", "words", "expected"),
        [
            ({"LC_ALL": "es_CL.UTF-8"}, (), "no hay una lista"),
            ({"LC_ALL": "C"}, (), "there is no list"),
            ({"LC_ALL": "C"}, ("--lang", "es"), "no hay una lista"),
        ],
    )
    def test_the_language(
        self, folder: Path, environment: dict[str, str], words: tuple[str, ...], expected: str
    ) -> None:
        done = run(*words, "list", "show", "XXX", cwd=folder, **environment)
        assert expected in done.err


class TestDryRun:
    def test_a_correction_is_previewed_with_its_cascade_and_nothing_is_recorded(
        self, folder: Path
    ) -> None:
        before = run("log", "--format", "json", cwd=folder).json()
        done = run(*CORRECT, "--dry-run", cwd=folder)
        assert done.code == 0
        assert "Rojas" in done.out
        assert "2010-08" in done.out
        assert run("log", "--format", "json", cwd=folder).json() == before


def test_the_whole_street(folder: Path) -> None:
    assert run(*CORRECT, cwd=folder).code == 0
    states = run("period", "list", "ENF", "--format", "json", cwd=folder).json()["periods"]
    assert [state["state"] for state in states] == ["restated", "open"]
    assert "edition 2" in run("publish", "ENF", "2010-07", cwd=folder).out
    again = run("publish", "ENF", "2010-07", cwd=folder)
    assert (again.code, again.out) == (0, "")
    for edition in "1", "2":
        assert (
            run("list", "regenerate", "ENF", "2010-07", "--edition", edition, cwd=folder).code == 0
        )
    moves = run("list", "diff", "ENF", "2010-07@1", "2010-07@2", "--format", "json", cwd=folder)
    assert {move["id"] for move in moves.json()["moves"]} == {"3400190", RUIZ}
    why = run("why", RUIZ, "--list", "ENF", "--from", "2010-07@1", "--to", "2010-07@2",
              "--format", "json", cwd=folder).json()  # fmt: skip
    assert why["difference"] == 4
    assert why["causes"] == {"corrections": "3.75", "rounding": "0.25"}
    assert run("verify", cwd=folder).code == 0
    page = run("checkpoint", cwd=folder)
    (folder / "page.txt").write_text(page.out)
    assert run("verify", "--checkpoint", "page.txt", cwd=folder).code == 0
    assert run("doctor", cwd=folder).code == 0


def test_the_demonstration_runs_in_a_new_folder_and_touches_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "bin" / "rating-ledger")])
    done = run("demo", "mi carpeta", cwd=tmp_path, PATH="")
    assert done.code == 0
    assert "2.25" in done.out
    assert "1546" in done.out
    follow_up(done.out.partition("Try next:\n")[2], tmp_path)
    assert run("demo", "mi carpeta", cwd=tmp_path).code == 4
    monkeypatch.setattr(sys, "argv", ["/elsewhere/rating-ledger"])
    spanish = run("--lang", "es", "demo", cwd=tmp_path, PATH="")
    assert "  /elsewhere/rating-ledger log " in spanish.out
    assert (tmp_path / "rating-ledger-demo" / "rating-ledger.db").exists()


def follow_up(said: str, folder: Path) -> None:
    """Pastes the commands that a demonstration says last, as a shell would take them."""
    commands = [shlex.split(line) for line in said.replace("\\\n", "").splitlines()]
    assert [words[1] for words in commands] == [
        "serve", "log", "explain", "list", "why", "tournament", "checkpoint", "verify", "import",
    ]  # fmt: skip
    assert {words[0] for words in commands} == {"./bin/rating-ledger"}
    for _, *words in commands[1:]:
        end = words.index(">") if ">" in words else len(words)
        done = run(*words[:end], cwd=folder)
        assert done.code == 0, done.err
        for file in words[end + 1 :]:
            (folder / file).write_text(done.out)


def test_replay_check_says_how_many_snapshots_hold(folder: Path) -> None:
    """Nothing is kept at first; after a question something is, and it is right."""
    assert run("segments", "--drop", cwd=folder).code == 0
    before = run("replay", "ENF", "--check", "--format", "json", cwd=folder)
    after = run("replay", "ENF", "--check", "--format", "json", cwd=folder)
    assert (before.code, after.code) == (0, 0), (before, after)
    first, second = (json.loads(ran.out)["lists"] for ran in (before, after))
    assert first == [{"list": "ENF", "snapshots": 0, "wrong": [], "thrown_away": 0}]
    assert second[0]["snapshots"] > 0
    assert second[0]["wrong"] == []
