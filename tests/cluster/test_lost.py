"""A worker that is killed costs time, and nothing else."""

from __future__ import annotations

import os
import signal
import time
from functools import partial
from pathlib import Path

import pytest

from ledger.application.replays import facts_at
from ledger.archive.journal import ArchiveJournal
from ledger.cluster.coordinator import Coordinator
from ledger.cluster.dask import OnDask, ShardsOnDask
from ledger.cluster.proving import Commits, Proved, commits_of, prove_commits
from ledger.cluster.shards import ShardPlace
from ledger.replay.replay import replay
from ledger.replay.timeline import last_period
from tests.cluster.test_shards import assert_same, outcomes


def kill_one(engine: OnDask) -> None:
    """Kills one of the worker processes that the fixture started."""
    pids: dict[str, int] = engine.client.run(os.getpid)
    os.kill(min(pids.values()), signal.SIGKILL)


@pytest.mark.parametrize(("name", "after"), [("ENF", 0), ("FIDE", 3)])
def test_an_owner_is_killed_between_two_periods(
    dask: OnDask, archived: Path, name: str, after: int
) -> None:
    load = partial(facts_at, f"archive:{archived}", facts_at(str(archived), 0).seq)
    facts = load()
    owners = dask.owners(ShardPlace(load, name))
    assert isinstance(owners, ShardsOnDask)
    made = []
    for outcome in replay(
        facts, name, facts.seq, last_period(facts, name), summing=Coordinator(owners)
    ):
        made.append(outcome)
        if len(made) == after + 1:
            kill_one(dask)
    assert_same(made, outcomes(facts, name))
    assert owners.lost >= 1


def slowly(part: Commits) -> Proved:
    """Proves a part, slowly enough to be killed meanwhile."""
    time.sleep(0.2)
    return prove_commits(part)


def test_a_worker_is_killed_while_it_proves(dask: OnDask, archived: Path) -> None:
    parts = commits_of(ArchiveJournal(archived))
    proved = dask.map(slowly, parts)
    made = [next(proved)]
    kill_one(dask)
    made += proved
    assert made == list(map(prove_commits, parts))
