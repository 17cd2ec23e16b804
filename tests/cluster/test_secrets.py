"""Dask writes its tasks into the logs of workers: no URL of a database is among them."""

from __future__ import annotations

import pickle
from functools import partial

from ledger.cluster.shards import ShardPlace
from ledger.identifiers import Seq
from ledger.service.replays import WantedList, facts_at

URL = "postgresql://ana:hunter-2@host/club"


def test_a_task_does_not_show_the_database() -> None:
    for task in (
        WantedList(URL, Seq(10), "ENF", "2010-07"),
        ShardPlace(partial(facts_at, URL, 10), "ENF"),
    ):
        assert "hunter-2" not in repr(task)
        assert "ENF" in repr(task)
        assert "hunter-2" in repr(pickle.dumps(task))  # it goes to the worker all the same
