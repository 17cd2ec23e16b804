"""``export archive``, ``import archive`` and ``--db archive:DIR``, as a person uses them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import run

RUIZ = "3404510"
QUESTIONS = (
    ("list", "show", "ENF", "2010-07", "--format", "json"),
    ("list", "regenerate", "ENF", "2010-07"),
    ("explain", RUIZ, "--list", "ENF", "--period", "2010-07", "--format", "json"),
    ("history", RUIZ, "--list", "ENF", "--format", "json"),
    ("player", "show", RUIZ, "--format", "json"),
    ("tournament", "show", "ymca-2010", "--format", "json"),
    ("tournament", "list", "--format", "json"),
    ("log", "--format", "jsonl"),
    ("log", "--player", RUIZ, "--format", "jsonl"),
    ("list", "list", "--format", "json"),
    ("checkpoint",),
)


@pytest.fixture(scope="session")
def archived_once(made_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = Path(shutil.copytree(made_once, tmp_path_factory.mktemp("archived") / "work"))
    done = run("export", "archive", "A", cwd=folder)
    assert done.code == 0, done
    return folder


@pytest.fixture
def archived(archived_once: Path, tmp_path: Path) -> Path:
    """The folder of the example, with an archive A in it."""
    return Path(shutil.copytree(archived_once, tmp_path / "work"))


def test_every_question_is_answered_alike(archived: Path) -> None:
    for words in QUESTIONS:
        asked, offline = (run(*words, *db, cwd=archived) for db in ((), ("--db", "archive:A")))
        assert asked.code == 0, asked
        assert offline == asked, words
    assert run("--db", "A", "list", "list", cwd=archived).code == 0, "the folder itself"
    assert run("list", "list", cwd=archived, RATING_LEDGER_DB="archive:A").code == 0


def test_out_and_in_again(archived: Path) -> None:
    assert run("init", "--db", "new.db", cwd=archived).code == 0
    trial = run("import", "archive", "A", "--db", "new.db", "--dry-run", cwd=archived)
    assert (trial.code, "could be restored" in trial.out) == (0, True)
    done = run("import", "archive", "A", "--db", "new.db", "--format", "json", cwd=archived).json()
    assert (done["done"], done["personal_missing"]) == (True, 0)
    again = run("--db", "new.db", "import", "archive", "A", "--format", "json", cwd=archived)
    assert again.json() == done | {"done": False}
    verified = run("verify", "--format", "json", "--db", "new.db", cwd=archived).json()
    assert verified == run("verify", "--format", "json", cwd=archived).json()
    assert verified == run("verify", "--format", "json", "--db", "archive:A", cwd=archived).json()
    assert verified["root"] == done["root"]
    assert run("publish", "ENF", "2010-08", "--db", "new.db", cwd=archived).code == 0


def test_an_archive_holds_against_an_earlier_checkpoint(archived: Path) -> None:
    (archived / "note").write_text(run("checkpoint", cwd=archived).out)
    assert run("verify", "--db", "archive:A", "--checkpoint", "note", cwd=archived).code == 0


def test_it_says_that_it_holds_personal_data(archived: Path) -> None:
    told = run("export", "archive", "B", cwd=archived).err
    assert "names and birth dates" in told
    assert run("export", "archive", "C", "--without-personal", cwd=archived).err.startswith("16 ")
    shown = run("explain", RUIZ, "--list", "ENF", "--period", "2010-07", "--db", "C", cwd=archived)
    assert shown.code == 0
    assert RUIZ in shown.out
    assert "Ruiz" not in shown.out
    verified = run("verify", "--db", "archive:C", cwd=archived)
    assert verified.code == 0
    assert "16 identity documents were left out on purpose" in verified.out
    data = run("verify", "--db", "C", "--format", "json", cwd=archived).json()
    assert (data["ok"], data["erased"], data["left_out"], data["lists"]) == (True, 0, 16, 1)
    # Nothing in a database says why they are not there.
    assert run("init", "--db", "new.db", cwd=archived).code == 0
    assert run("import", "archive", "C", "--db", "new.db", cwd=archived).code == 0
    restored = run("verify", "--db", "new.db", cwd=archived)
    assert restored.code == 3
    assert "16 identity documents are gone" in restored.out


def test_init_says_what_an_archive_is(archived: Path) -> None:
    told = run("init", "--db", "archive:none", cwd=archived).err
    assert "an archive cannot be initialised; 'rating-ledger export archive' makes one" in told
    assert "no se puede inicializar" in run("--lang", "es", "init", "--db", "A", cwd=archived).err


def test_files_that_are_none_of_an_archive_are_named(archived: Path) -> None:
    for name in (".DS_Store", "events/.hidden", "events/000002.parquet", "notes/of/me.txt"):
        path = archived / "A" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"PAR1")
    told = "A holds 2 files that its manifest does not name"
    names = "never read: 'events/000002.parquet', 'notes/of/me.txt'."
    assert run("init", "--db", "new.db", cwd=archived).code == 0
    for words in (
        ("verify", "--db", "archive:A"),
        ("verify", "--db", "archive:A", "--format", "json"),
        ("import", "archive", "A", "--db", "new.db", "--dry-run"),
        ("import", "archive", "A", "--db", "new.db"),
        ("import", "archive", "A", "--db", "new.db"),
    ):
        done = run(*words, cwd=archived)
        assert done.code == 0, done
        assert told in done.err
        assert names in done.err
        assert told not in done.out
    assert not run("list", "list", "--db", "archive:A", cwd=archived).err


def test_the_name_of_a_foreign_file_cannot_steer_the_terminal(archived: Path) -> None:
    for name in (b"a\nb", b"\x1b[2Jc", b"\xff"):
        (archived / "A" / os.fsdecode(name)).write_bytes(b"")
    done = run("verify", "--db", "archive:A", cwd=archived)
    assert done.code == 0, done
    assert r"'\x1b[2Jc', 'a\nb', '\udcff'" in " ".join(done.err.split())
    assert "\x1b" not in done.err


@pytest.mark.parametrize("scheme", ["ARCHIVE:", "Archive:"])
def test_the_word_archive_in_any_case(archived: Path, scheme: str) -> None:
    asked = run("list", "list", "--db", f"{scheme}A", cwd=archived)
    assert asked == run("list", "list", "--db", "archive:A", cwd=archived)
    assert asked.code == 0
    assert run("init", "--db", f"{scheme}new", cwd=archived).code == 4
    assert run("publish", "ENF", "2010-08", "--db", f"{scheme}A", cwd=archived).code == 6
    assert not list(archived.glob(f"{scheme}*"))


def test_publishing_goes_on_without_names(archived: Path) -> None:
    """The bytes hold names, and cannot be made again; the ratings are the published ones."""
    assert run("export", "archive", "C", "--without-personal", cwd=archived).code == 0
    assert run("init", "--db", "new.db", cwd=archived).code == 0
    assert run("import", "archive", "C", "--db", "new.db", cwd=archived).code == 0
    stands = run("publish", "ENF", "2010-07", "--db", "new.db", cwd=archived)
    assert (stands.code, "stands as edition 1" in stands.err + stands.out) == (0, True), stands
    game = ("ymca-2010", "5", "3400190", "3404510", "1/2-1/2")
    corrected = run("correct", "result", *game, "--reason", "typo", "--db", "new.db", cwd=archived)
    assert corrected.code == 0, corrected
    done = run("publish", "ENF", "2010-07", "--db", "new.db", cwd=archived)
    assert (done.code, "edition 2" in done.err + done.out) == (0, True), done
    assert "verify" not in done.err


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (2, ("export", "archive")),
        (2, ("import", "archive")),
        (4, ("export", "archive", ".")),
        (4, ("export", "archive", "players.csv")),
        (6, ("export", "archive", "none/there")),
        (6, ("import", "archive", "none")),
        (6, ("import", "archive", ".")),
        (6, ("import", "archive", "A", "--db", "none.db")),
        (6, ("list", "list", "--db", "archive:none")),
        (4, ("init", "--db", "archive:A")),
        (4, ("init", "--db", "A")),
        (4, ("init", "--db", "archive:none")),
        (6, ("doctor", "--db", "archive:none")),
        (6, ("publish", "ENF", "2010-08", "--db", "archive:A")),
        (6, ("player", "add", "X", "Eva", "--db", "archive:A")),
        (0, ("doctor", "--db", "archive:A")),
        (0, ("import", "archive", "A")),
        (0, ("publish", "ENF", "2010-08", "--db", "archive:A", "--dry-run")),
    ],
)
def test_exit_codes(archived: Path, code: int, words: tuple[str, ...]) -> None:
    before = sorted(path.name for path in archived.iterdir())
    done = run(*words, cwd=archived)
    assert done.code == code, done
    assert "Traceback" not in done.err
    assert sorted(path.name for path in archived.iterdir()) == before


def test_a_refusal_says_what_to_do(archived: Path) -> None:
    refused = run("publish", "ENF", "2010-08", "--db", "archive:A", cwd=archived)
    assert "rating-ledger import archive A" in refused.err
    spanish = run("--lang", "es", "publish", "ENF", "2010-08", "--db", "archive:A", cwd=archived)
    assert "solo se lee" in spanish.err


def test_another_history_is_a_conflict(archived: Path) -> None:
    assert run("publish", "ENF", "2010-08", cwd=archived).code == 0
    done = run("import", "archive", "A", "--format", "json", cwd=archived)
    assert done.code == 5
    assert json.loads(done.err)["error"] == "archive.other_history"


def test_a_changed_file_ends_with_three(archived: Path) -> None:
    path = archived / "A" / "events" / "000001.parquet"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    for words in (("verify",), ("list", "show", "ENF")):
        done = run(*words, "--db", "archive:A", cwd=archived)
        assert done.code == 3
        assert "A/events/000001.parquet" in done.err
    assert run("init", "--db", "new.db", cwd=archived).code == 0
    assert run("import", "archive", "A", "--db", "new.db", cwd=archived).code == 3
    assert "looked at 0 commits" in run("verify", "--db", "new.db", cwd=archived).out


def test_no_other_command_loads_arrow(archived: Path) -> None:
    code = (
        "import sys\nfrom cli.main import main\n"
        "for words in ['--help'], ['list', 'show', 'ENF']:\n"
        "    try:\n        main(words)\n"
        "    except SystemExit as done:\n        assert not done.code\n"
        "    assert 'pyarrow' not in sys.modules, words\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=archived, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_file_called_archive_is_a_file(archived: Path) -> None:
    (archived / "archive").write_bytes((archived / "agosto.csv").read_bytes())
    assert run("import", "./archive", cwd=archived).code == 0


def test_an_archive_is_written_on_and_restored_as_it_was(archived: Path) -> None:
    before = run("export", "archive", "A", "--format", "json", cwd=archived).json()
    assert before["done"] is False
    assert run("publish", "ENF", "2010-08", cwd=archived).code == 0
    after = run("export", "archive", "A", "--format", "json", cwd=archived).json()
    assert (after["done"], after["events"] > before["events"]) == (True, True)
    assert run("verify", "--db", "archive:A", cwd=archived).code == 0
    assert run("init", "--db", "old.db", cwd=archived).code == 0
    words = ("import", "archive", "A", "--upto", str(before["events"]), "--db", "old.db")
    trial = run(*words, "--dry-run", "--format", "json", cwd=archived).json()
    done = run(*words, "--format", "json", cwd=archived).json()
    assert (trial["root"], trial["done"]) == (before["root"], False)
    assert (done["root"], done["done"]) == (before["root"], True)
    assert run("verify", "--db", "old.db", cwd=archived).code == 0
    beyond = run(*words[:3], "--upto", "9999", "--db", "old.db", cwd=archived)
    assert (beyond.code, "9999" in beyond.err) == (7, True)
