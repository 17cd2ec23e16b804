"""``rating-ledger replay``: the same figures here and on a cluster, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.archive.manifest import read_manifest
from ledger.cluster.dask import OnDask
from ledger.errors import DatabaseError, InputRefused
from ledger.identifiers import Seq
from ledger.service.replays import WantedList, replay_list, replay_lists
from tests.cli.running import run, start
from tests.cluster.federation import LISTS, filled


def test_the_digest_is_that_of_the_published_list(archived: Path, tmp_path: Path) -> None:
    published = [p for p in read_manifest(archived).lists if p.list == "LATE"][-1]
    done = run(
        "replay", "LATE", "--period", published.period, "--db", f"archive:{archived}",
        "--format", "json", cwd=tmp_path,
    )  # fmt: skip
    assert done.code == 0, done.err
    (made,) = done.json()["lists"]
    assert (made["list"], made["period"]) == ("LATE", published.period)
    assert made["ratings_sha256"] == published.ratings_sha256
    assert made["postings"] > made["players"] > 0


def test_here_and_on_a_cluster(dask: OnDask, archived: Path, tmp_path: Path) -> None:
    words = ("replay", "ENF", "--db", str(archived), "--format", "json")
    here = run(*words, cwd=tmp_path)
    address = dask.client.scheduler_info()["address"]
    there = run(*words, "--engine", "dask", "--scheduler", address, cwd=tmp_path)
    assert (there.code, there.out) == (0, here.out), there.err


def test_many_lists_side_by_side(dask: OnDask, archived: Path) -> None:
    ledger = filled()
    here = replay_lists(ledger, "not opened", LISTS)
    there = replay_lists(ledger, f"archive:{archived}", LISTS, engine=dask)
    assert [each.data() for each in there] == [each.data() for each in here]
    assert len({each.ratings_sha256 for each in there}) == len(LISTS)


def test_a_table_says_how_fast(archived: Path, tmp_path: Path) -> None:
    done = run("replay", "--db", str(archived), cwd=tmp_path)
    assert done.code == 0, done.err
    assert "games/s" in done.out
    assert all(name in done.out for name in LISTS)


def test_without_dask_it_says_what_to_install(archived: Path, tmp_path: Path) -> None:
    stub = tmp_path / "stub" / "distributed"
    stub.mkdir(parents=True)
    (stub / "__init__.py").write_text("raise ImportError('not here')\n", encoding="utf-8")
    words = ("replay", "ENF", "--db", str(archived), "--engine", "dask")
    done = start(*words, cwd=tmp_path, PYTHONPATH=str(stub.parent))
    assert done.code == InputRefused.exit_code
    assert "pip install 'rating-ledger[dask]'" in done.err


@pytest.mark.parametrize(
    "words",
    [
        ("--workers", "2"),
        ("--engine", "dask", "--workers", "2", "--scheduler", "tcp://127.0.0.1:1"),
        ("--engine", "ray"),
        ("--engine", "dask", "--workers", "0"),
    ],
)
def test_what_makes_no_sense_is_a_usage_error(
    archived: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    assert run("replay", "ENF", "--db", str(archived), *words, cwd=tmp_path).code == 2


def test_a_list_that_is_not_there(archived: Path, tmp_path: Path) -> None:
    assert run("replay", "NONE", "--db", str(archived), cwd=tmp_path).code == 7


def test_a_worker_that_sees_an_older_ledger(dask: OnDask, archived: Path) -> None:
    """Whoever is behind says so, instead of calculating from less."""
    seq = read_manifest(archived).head.seq
    wanted = WantedList(f"archive:{archived}", Seq(seq + 1), "ENF", "2024-03")
    with pytest.raises(DatabaseError) as failed:
        list(dask.map(replay_list, [wanted]))
    assert failed.value.message.key == "replay.behind"
