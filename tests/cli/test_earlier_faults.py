"""``doctor`` names what earlier versions recorded wrongly, and proposes commands that mend it."""

from __future__ import annotations

import datetime as dt
import shlex
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from ledger.events.model import Dated
from ledger.events.players import PlayerFactUndone
from ledger.events.tournaments import TournamentFactUndone
from ledger.journal.stores.database import open_journal
from ledger.service.decisions import Decided
from ledger.service.ledger import Ledger, Request
from tests.cli.running import begin_ledger, run

DAY = dt.date(2010, 7, 3)
UNDOING_MODELS: dict[str, type[PlayerFactUndone | TournamentFactUndone]] = {
    "player": PlayerFactUndone,
    "tournament": TournamentFactUndone,
}
NOW = dt.datetime(2026, 1, 1, 12, 0, tzinfo=dt.UTC)
PLAYERS = (
    "id,name,rating,k\nA,Soto Ana,1800,15\nB,Rojas Luis,1800,15\nC,Vera Eva,1800,15\nX,Soto A,,\n"
)
GAMES = (
    "tournament,name,start,end,system,rate_of_play,round,white,black,result\n"
    "T,T,2010-07-01,2010-07-03,swiss,classical,1,A,B,1-0\n"
    "U,U,2010-07-05,2010-07-06,swiss,classical,1,X,B,1-0\n"
    "U,,,,,,1,C,,F\n"
)
REPORT = """012 Club
042 2010/07/08
052 2010/07/09
092 Individual: Swiss
122 40/75 + 15 min + 30 s
001    1      Lagos, Nora                                            1990        1.0    1     2 w 1
001    2      Parra, Juan                                            1991        0.0    2     1 b 0
"""


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A folder with a ledger of four players and two tournaments."""
    folder = tmp_path / "ledger"
    folder.mkdir()
    (folder / "players.csv").write_text(PLAYERS)
    (folder / "games.csv").write_text(GAMES)
    return begin_ledger(folder, ("import", "games.csv"))


def take_back_unchecked(folder: Path, type_: str) -> None:
    """Take back the last event of a type as an earlier version did: without a check."""
    journal = open_journal(str(folder / "rating-ledger.db"))
    stored = [event for event in journal.events() if event.type == type_][-1]
    kind, _, id_ = stored.stream.partition(":")
    content = {kind: id_, "undoes": stored.seq, "what": type_}
    undone = Dated(DAY, UNDOING_MODELS[kind].model_validate(content))
    unchecked = Ledger(journal, clock=lambda: NOW)
    request = Request("earlier", "without a check", f"undo {stored.seq}", "")
    unchecked.append_decided(lambda _head: Decided((undone,)), request)
    journal.close()


def done(folder: Path, *lines: str) -> None:
    """Run command lines that must succeed."""
    for line in lines:
        ran = run(*shlex.split(line), cwd=folder)
        assert ran.code == 0, (line, ran.err)


def bring_a_game_back(folder: Path) -> None:
    """Annul a game, record it again, and take back the annulment; then play on."""
    done(folder, "annul result T 1 A B --reason error", "record result T 1 A B 0-1")
    take_back_unchecked(folder, "result.annulled")
    done(folder, "record entry T C", "record result T 2 A C 1-0")


def give_an_id_to_two(folder: Path) -> None:
    """Take an id from a player, give it to another one, and give it back to the first."""
    done(folder, "player link A --id fide=3400001")
    take_back_unchecked(folder, "player.identity-corrected")
    done(folder, "player link X --id fide=3400001")
    take_back_unchecked(folder, "player.fact-undone")


def split_with_results(folder: Path) -> None:
    """Split two ids after the one that stayed has played under the entry of the other."""
    done(folder, "player merge X A --reason same", "record result U 2 A C 1-0")
    take_back_unchecked(folder, "players.merged")
    done(folder, "record entry T C")


def leave_a_name_of_the_erased(folder: Path) -> None:
    """Erase a player and put the identity document back, as where an undo had kept it."""
    with closing(sqlite3.connect(folder / "rating-ledger.db")) as database:
        query = "SELECT digest, player, document FROM personal WHERE player = 'C'"
        documents = database.execute(query).fetchall()
        done(folder, "player erase C --reason letter")
        into = "INSERT INTO personal (digest, player, document) VALUES (?, ?, ?)"
        database.executemany(into, documents)
        database.commit()


def read_a_time_control_wrongly(folder: Path) -> None:
    """Import a classical tournament as a rapid one."""
    (folder / "report.trf").write_text(REPORT)
    done(folder, "import report.trf --tournament V --rate-of-play rapid --new all")


FAULTS: dict[str, Callable[[Path], None]] = {
    "two pairings in a round": bring_a_game_back,
    "one id of two players": give_an_id_to_two,
    "results without an entry": split_with_results,
    "a name of an erased player": leave_a_name_of_the_erased,
    "a time control read as another": read_a_time_control_wrongly,
}


def reported(folder: Path) -> list[tuple[str, list[str]]]:
    """Return each fault that ``doctor`` reports: its message and commands."""
    ran = run("doctor", "--format", "json", cwd=folder)
    assert ran.code == 0, ran.err
    return [(fault["message"], fault["commands"]) for fault in ran.json()["recorded_faults"]]


@pytest.mark.parametrize("kind", FAULTS)
def test_each_command_that_is_proposed_mends_the_fault(ledger: Path, kind: str) -> None:
    assert reported(ledger) == []
    FAULTS[kind](ledger)
    (message, commands), *others = reported(ledger)
    assert not others
    assert commands, message
    for number, line in enumerate(commands):
        folder = Path(shutil.copytree(ledger, ledger.parent / f"mended-{number}"))
        assert message in run("doctor", cwd=folder).out.replace("\n", " ")
        program, *words = shlex.split(line)
        assert program == "rating-ledger"
        tried = run(*words, "--reason", "doctor", "--dry-run", cwd=folder)
        assert tried.code == 0, (line, tried.err)
        assert reported(folder), "a dry run records nothing"
        mended = run(*words, "--reason", "doctor", cwd=folder)
        assert mended.code == 0, (line, mended.err)
        assert reported(folder) == []
        assert run("verify", cwd=folder).code == 0


def test_faults_are_told_in_spanish_and_change_no_exit_code(ledger: Path) -> None:
    bring_a_game_back(ledger)
    told = run("--lang", "es", "doctor", cwd=ledger)
    assert told.code == 0, told.err
    assert "T, ronda 1" in told.out


def test_a_damaged_ledger_is_told_beside_the_table(ledger: Path) -> None:
    with closing(sqlite3.connect(ledger / "rating-ledger.db")) as database:
        query = "SELECT digest, player, document FROM personal WHERE player = 'A'"
        digest, player, document = database.execute(query).fetchone()
        database.execute("DELETE FROM personal WHERE player = 'A'")
        altered = (digest, player, document.replace("Soto Ana", "Soto Eva"))
        into = "INSERT INTO personal (digest, player, document) VALUES (?, ?, ?)"
        database.execute(into, altered)
        database.commit()
    ran = run("doctor", cwd=ledger)
    assert ran.code == 3, ran.err
    assert "free_disk_bytes" in ran.out
    assert "verify" in ran.err
