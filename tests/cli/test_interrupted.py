"""Ctrl-C ends every command with 130, and what it says of what was recorded is true."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from cli import main
from ledger.journal.stores.database import open_journal
from tests import profile
from tests.cli.interrupting import NEVER, interrupted
from tests.cli.running import COMMAND, run
from tests.ledgers import PLAYERS_HEADER

PLAYERS = 600  # more than one page of rows
WHILE_LOADING = """
import signal, sys

MODULE = sys.argv.pop(1)

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == MODULE:
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from cli.program import main
main()
"""


def commits(url: str) -> list[str]:
    """Returns the commits as they are told."""
    journal = open_journal(url)
    try:
        return [
            f"{each.last_seq - each.first_seq + 1} players (rating-ledger undo {each.commit_id})"
            for each in journal.commits()
        ]
    finally:
        journal.close()


def _moment(moments: int, share: float) -> int:
    """Returns a moment after a share of them; towards the end, around the commit, they are denser.

    In the last hundred all is said, and the process only has to end.
    """
    return int((moments - 100) * (1 - (1 - share) ** 2))


def imports(folder: Path, url: str, count: int) -> list[tuple[str, ...]]:
    """Returns commands that import as many files, of other players each."""
    for number in range(count):
        rows = (f"{number}-{one},Player {number}x{one},CHI,,,,,\n" for one in range(PLAYERS))
        (folder / f"{number}.csv").write_text(PLAYERS_HEADER + "".join(rows), encoding="utf-8")
    return [("--db", url, "import", f"{number}.csv") for number in range(count)]


def test_at_any_moment_of_an_import(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    first, second, *others = imports(tmp_path, database_url, profile.count(150, 30))
    *_, whole = interrupted([(NEVER, first), (NEVER, second)])
    assert whole.code == 0, whole.err
    moments = [_moment(whole.moments, at / len(others)) for at in range(1, len(others) + 1)]
    everything = interrupted([*zip(moments, others, strict=True)])
    recorded = iter(commits(database_url)[2:])
    outcomes = []
    for ended in everything:
        assert ended.code == 130, ended
        said = ended.err.splitlines()[-1]
        outcomes.append(said != "interrupted; nothing was recorded")
        if outcomes[-1]:
            assert said == f"interrupted; what was recorded before that stays: {next(recorded)}"
    assert next(recorded, None) is None, "more was recorded than was told"
    assert outcomes == sorted(outcomes), "once recorded, it stays recorded"
    assert not outcomes[0]
    assert outcomes[-1]
    assert run("--db", database_url, "verify", cwd=tmp_path).code == 0


def test_a_process_that_waits_for_its_file(sqlite_url: str, tmp_path: Path) -> None:
    words = [COMMAND, "--db", sqlite_url, "import", "-", "--format", "json"]
    process = subprocess.Popen(
        words, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    process.stdin.write(b"id,name\n" * 50_000)  # more than a pipe holds: it is read
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out) == (130, b"")
    assert b'"error": "cli.interrupted_before"' in err
    assert commits(sqlite_url) == []


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("cli.commands.init", ["init"]),
        ("ledger.intake.imports", ["import", "players.csv"]),
    ],
)
def test_while_the_program_loads(module: str, words: list[str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WHILE_LOADING, module, *words],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (130, "interrupted; nothing was recorded\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [("list", "show"), ("import", "players.csv")])
def test_before_the_command_begins(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "commands_for", interrupt)
    ended = run(*words, cwd=tmp_path)
    assert (ended.code, ended.err) == (130, "interrupted; nothing was recorded\n")


def test_a_demonstration_ends_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (ended,) = interrupted([(1, ("demo", "there"))])
    assert ended.code == 130
    assert ended.out.count("$ rating-ledger") == 2  # init, and the first that records


def test_an_interruption_leaves_nothing_locked(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLAlchemy closes the connection of a statement that was interrupted."""
    monkeypatch.chdir(tmp_path)
    (words,) = imports(tmp_path, sqlite_url, 1)

    def interrupt(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("INSERT INTO events"):
            event.remove(Engine, "after_cursor_execute", interrupt)
            raise KeyboardInterrupt

    event.listen(Engine, "after_cursor_execute", interrupt)
    ended = run(*words, cwd=tmp_path)
    assert (ended.code, ended.err) == (130, "interrupted; nothing was recorded\n")
    assert run(*words, cwd=tmp_path).code == 0
