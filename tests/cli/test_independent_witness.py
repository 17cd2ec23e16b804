"""A witness and a reader of tiles that are not ours (``requirements/witness.txt``) on the example.

What the protocols say was written down by others, and so were these programs: what they accept and
what they refuse does not rest on how we read the texts.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import run

NAME = "chess.example/ratings"
POLICY = "rating-ledger.policy"


def _aics(program: str, *words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", program, *words],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture
def log_key(folder: Path) -> str:
    return run("key", NAME, "secret.key", cwd=folder).out.strip()


@pytest.fixture
def witness_key(folder: Path, tmp_path: Path, log_key: str) -> Iterator[str]:
    """The public key of a witness that runs, knows the log, and has to cosign by the policy."""
    place = tmp_path / "witness"
    place.mkdir()
    named = ("--name", "w1.example/w", "--listen", "127.0.0.1:0")
    made = _aics("aics_witness", "init", *named, folder=place)
    assert made.returncode == 0, made.stderr
    key = made.stdout.strip()
    added = _aics("aics_witness", "add-log", "--origin", NAME, "--vkey", log_key, folder=place)
    assert added.returncode == 0, added.stderr
    with subprocess.Popen(
        [sys.executable, "-m", "aics_witness", "serve"], cwd=place, text=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        said = (line.partition("listening on ")[2] for line in process.stderr)
        address = next(filter(None, said)).split()[0]
        assert run("witness", "add", key, address, cwd=folder).code == 0
        policy = folder / POLICY
        witnessed = policy.read_text().replace("none", "w1.example/w")
        policy.write_text(f"log {log_key}\n{witnessed}")
        yield key
        process.terminate()
        process.stderr.read()


def _asked(folder: Path) -> str:
    """Has the page of the ledger as it is cosigned; returns what was said."""
    done = run("witness", "ask", "page", "--key", "secret.key", cwd=folder)
    assert done.code == 0, done.err
    exported = run("export", "tiles", "tiles", "--checkpoint", "page", cwd=folder)
    assert exported.code == 0, exported.err
    return done.out


def test_it_cosigns_a_ledger_that_grows_and_no_other_history(
    folder: Path, tmp_path: Path, log_key: str, witness_key: str
) -> None:
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    assert "cosigned by w1.example/w at 20" in _asked(folder)
    shutil.copy(folder / "page", folder / "earlier")
    checked = run("verify", "--checkpoint", "page", "--policy", POLICY, cwd=folder)
    assert checked.code == 0, checked.err
    assert run("publish", "ENF", "2010-08", cwd=folder).code == 0
    _asked(folder)

    trusted = (
        "--log-key", log_key, "--origin", NAME, "--witness-key", witness_key, "--quorum", "1",
    )  # fmt: skip
    page = _aics("aics_tlog", "verify-checkpoint", "--note", "page", *trusted, folder=folder)
    assert page.returncode == 0, page.stdout + page.stderr
    grown = (*trusted, "--tiles", "tiles", "--old-checkpoint", "earlier")
    consistent = _aics("aics_tlog", "verify-consistency", *grown, folder=folder)
    assert consistent.returncode == 0, consistent.stdout + consistent.stderr

    add = ("player", "add", "9", "Somebody, Else", "--reason", "another history")
    for words in (add, ("publish", "ENF", "2010-08")):
        assert run(*words, cwd=other).code == 0
    refused = run("witness", "ask", "page", "--key", "secret.key", cwd=other)
    assert refused.code == 3
    assert "histories" in refused.out + refused.err


def test_its_reader_finds_every_event_in_the_tiles_and_sees_a_changed_one(
    folder: Path, log_key: str, witness_key: str
) -> None:
    assert witness_key
    _asked(folder)
    size = int((folder / "page").read_text().split("\n")[1])
    words = ("verify-inclusion", "--log-key", log_key, "--tiles", "tiles", "--index")
    for index in range(0, size, 20):
        found = _aics("aics_tlog", *words, str(index), folder=folder)
        assert found.returncode == 0, found.stdout + found.stderr
    (tile,) = (folder / "tiles" / "tile" / "0").rglob(str(size))
    data = bytearray(tile.read_bytes())
    data[32 * 20] ^= 1
    tile.write_bytes(data)
    changed = _aics("aics_tlog", *words, "20", folder=folder)
    assert changed.returncode != 0
    assert "Traceback" not in changed.stderr
