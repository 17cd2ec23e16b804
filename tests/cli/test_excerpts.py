"""Tables are of 50 rows, and complete with --all; what programs read is always complete."""

from __future__ import annotations

import os
import pty
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.journal.records import StoredEvent
from ledger.journal.stores.sql import SqlJournal
from tests.cli.running import COMMAND, run_here
from tests.ledgers import GAMES_HEADER, PLAYERS_HEADER

PLAYERS, SHOWN = 60, 50


def _row(number: int) -> str:
    federation, sex = ("CHI", "ARG")[number % 2], "mw"[number % 3 == 0]
    return f'{number},"Soto {chr(65 + number % 26)}, Ana",{federation},{sex},,{1500 + number},,50\n'


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of 60 rated players, of whom two played, with a list for ten years."""
    place = tmp_path_factory.mktemp("long")
    rows = "".join(map(_row, range(1, PLAYERS + 1)))
    (place / "players.csv").write_text(PLAYERS_HEADER + rows)
    game = "t,T,2010-01-02,2010-01-03,swiss,classical,,1,2010-01-02,1,2,1-0\n"
    (place / "games.csv").write_text(GAMES_HEADER + game)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        for words in (
            ("init",),
            ("list", "define", "L", "--regulation", "enf-2010", "--calendar", "monthly",
             "--first", "2010-01-01"),
            ("import", "players.csv", "--list", "L"),
            ("import", "games.csv"),
            ("publish", "L", "2010-01"),
        ):  # fmt: skip
            done = run_here(*words)
            assert done.code == 0, done.err
    return place


@pytest.fixture(autouse=True)
def here(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(made)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


LISTS = {
    "list show": ("list", "show"),
    "list regenerate": ("list", "regenerate", "--format", "table"),
    "live": ("live",),
    "player list": ("player", "list"),
    "player find": ("player", "find", "soto"),
}


@pytest.mark.parametrize("words", LISTS.values(), ids=LISTS)
def test_a_table_has_fifty_rows_and_says_how_to_get_all(words: tuple[str, ...]) -> None:
    short, whole = run_here(*words).out, run_here(*words, "--all").out
    assert (short.count("Soto"), whole.count("Soto")) == (SHOWN, PLAYERS)
    assert "the first 50 of 60 rows; --all shows all" in short
    assert "--all" not in whole
    assert "50 de 60 filas" in run_here("--lang", "es", *words).out
    assert run_here(*words, "--format", "csv").out.count("Soto") == PLAYERS
    assert run_here(*words, "--format", "json").out.count("Soto") == PLAYERS


def test_of_what_goes_on_in_time_the_last_rows_are_shown() -> None:
    events = run_here("log", "--format", "jsonl").out.count("\n")
    shown = run_here("log").out
    assert f"the last 50 of {events} rows" in shown
    assert "list.published" in shown
    assert "list.defined" not in shown
    assert "list.defined" in run_here("log", "--all").out
    since = run_here("log", "--since", "11").out
    assert f"the last 50 of {events - 10} rows" in since
    assert run_here("log", "--since", str(events - 1)).out.count("\n") < SHOWN
    assert run_here("log", "--since", str(events + 1)).code == 0


def test_of_a_long_log_a_table_reads_the_end_only(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    events = SqlJournal.events

    def counted(
        self: SqlJournal, *, after: int = 0, upto: int | None = None
    ) -> Iterator[StoredEvent]:
        for event in events(self, after=after, upto=upto):
            read.append(event.seq)
            yield event

    monkeypatch.setattr(SqlJournal, "events", counted)
    for options in ((), ("--since", "11")):
        read.clear()
        assert "the last 50 of" in run_here("log", *options).out
        assert len(read) == SHOWN
    read.clear()
    run_here("log", "--all")
    assert len(read) > SHOWN


def _ranks(*options: str) -> list[tuple[int, str]]:
    done = run_here("list", "show", *options, "--format", "json")
    assert done.code == 0, done.err
    return [(row["rank"], row["id"]) for row in done.json()["rows"]]


def test_filters_leave_the_ranks_of_the_list() -> None:
    everybody = _ranks()
    assert everybody[0] == (1, "60")
    assert _ranks("--top", "3") == everybody[:3]
    assert _ranks("--federation", "CHI") == [row for row in everybody if int(row[1]) % 2 == 0]
    assert _ranks("--federation", "chi", "--federation", "ARG") == everybody
    assert _ranks("--sex", "f", "--top", "2") == [(1, "60"), (4, "57")]
    assert _ranks("--search", "ana soto b") == [row for row in everybody if int(row[1]) % 26 == 1]
    assert _ranks("--federation", "PER") == []


def test_the_active_are_those_the_list_says_are_active() -> None:
    rows = run_here("list", "show", "--format", "json").json()["rows"]
    assert _ranks("--active") == [(row["rank"], row["id"]) for row in rows if row["active"]]


def test_a_part_of_a_list_keeps_the_digest_of_the_whole() -> None:
    whole, part = (run_here("list", "show", *words, "--format", "json").json()
                   for words in ((), ("--top", "1")))  # fmt: skip
    assert {**part, "rows": whole["rows"]} == whole


def test_nobody_who_fits_is_said() -> None:
    assert "nobody on the list fits" in run_here("list", "show", "--federation", "PER").out


def _on_terminal(*words: str, **environment: str) -> str:
    """Runs the command on a terminal of 24 lines; returns what it wrote there."""
    inherited = {name: v for name, v in os.environ.items() if name not in ("PAGER", "NO_PAGER")}
    variables = {**inherited, "TERM": "xterm", "LINES": "24", "COLUMNS": "100", **environment}
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(COMMAND, [COMMAND, *words], variables)  # noqa: S606 - the program itself
    written = b""
    while True:
        try:
            part = os.read(terminal, 65_536)
        except OSError:  # its other end is closed
            break
        if not part:
            break
        written += part
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0, written
    return written.decode()


@pytest.fixture
def pager(tmp_path: Path) -> str:
    """A pager that tells how many lines it was given."""
    program = tmp_path / "pager.py"
    program.write_text("import sys\nprint('paged', len(sys.stdin.readlines()) > 50)\n")
    return f"{sys.executable} {program}"


def test_a_long_table_on_a_terminal_goes_to_the_pager(pager: str) -> None:
    written = _on_terminal("list", "show", PAGER=pager)
    assert "paged True" in written
    assert "Soto" not in written


@pytest.mark.parametrize(
    ("words", "environment"),
    [
        (("--no-pager", "list", "show"), {}),
        (("list", "show"), {"NO_PAGER": "1"}),
        (("list", "show"), {"PAGER": ""}),
        (("list", "show"), {"PAGER": "cat"}),
        (("list", "show"), {"PAGER": "no-such-program"}),
        (("list", "show", "--top", "3"), {}),
        (("list", "show", "--format", "csv"), {}),
    ],
    ids=str,
)
def test_without_a_pager(
    words: tuple[str, ...],
    environment: dict[str, str],
    pager: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"LINES": "24", "COLUMNS": "100", "PAGER": pager}.items():
        monkeypatch.setenv(name, value)
    assert "Soto" not in run_here("list", "show", terminal=True).out
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert "Soto" in run_here(*words, terminal=True).out


def test_what_is_piped_is_never_paged(pager: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", pager)
    assert run_here("list", "show").out.count("Soto") == SHOWN
