"""A worker that is killed costs time, and nothing else."""

from __future__ import annotations

import os
import signal
import time
from functools import partial
from pathlib import Path

import pytest

from ledger.cluster.dask import OnDask, ShardsOnDask
from ledger.cluster.shards import Coordinator, ShardPlace
from ledger.replay.replay import replay
from ledger.replay.timeline import Timeline, last_period
from ledger.service.replays import Replayed, WantedList, facts_at, replay_list
from tests.cluster.test_shards import assert_same, outcomes


def kill_one(engine: OnDask) -> None:
    """Kills one of the worker processes that the fixture started."""
    pids: dict[str, int] = engine.client.run(os.getpid)
    os.kill(min(pids.values()), signal.SIGKILL)


@pytest.mark.parametrize(("name", "after"), [("ENF", 0), ("FIDE", 3)])
def test_a_shard_is_killed_between_two_periods(
    dask: OnDask, archived: Path, name: str, after: int
) -> None:
    load = partial(facts_at, f"archive:{archived}", facts_at(str(archived), 0).seq)
    facts = load()
    shards = dask.shards(ShardPlace(load, name))
    assert isinstance(shards, ShardsOnDask)
    made = []
    timeline = Timeline.at_head(facts, name)
    for outcome in replay(timeline, timeline.last_period, summing=Coordinator(shards)):
        made.append(outcome)
        if len(made) == after + 1:
            kill_one(dask)
    assert_same(made, outcomes(facts, name))
    assert shards.lost >= 1


def slowly(wanted: WantedList) -> Replayed:
    """Replays a list, slowly enough to be killed meanwhile."""
    time.sleep(0.2)
    return replay_list(wanted)


def test_a_worker_is_killed_while_it_replays_lists(dask: OnDask, archived: Path) -> None:
    url = f"archive:{archived}"
    facts = facts_at(url, 0)
    wanted = [
        WantedList(url, facts.seq, name, last_period(facts, name).name)
        for name in facts.lists
        for _ in range(4)
    ]
    replayed = dask.map(slowly, wanted)
    made = [next(replayed)]
    kill_one(dask)
    made += replayed
    assert [each.data() for each in made] == [replay_list(each).data() for each in wanted]
