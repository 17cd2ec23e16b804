"""The same replays under PySpark, for those who have a Spark cluster and no wish for another.

PySpark is not installed with the ledger; nothing here needs it before it is called. Every executor
needs the ledger installed and sees the archive under the same path. From a clone::

    pip install pyspark
    spark-submit --master spark://HOST:7077 examples/spark.py /shared/2026-07

An engine is anything that calls a function for every part and brings the results in order; Spark
does no more here. It is no good for one list over many workers: a job a period costs about 0.2 s.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from ledger.archive.journal import ArchiveJournal
from ledger.cluster.shards import ShardPlace, Shards, ShardsHere
from ledger.replay.timeline import last_period
from ledger.service.replays import WantedList, facts_at, replay_list

Part = TypeVar("Part")
Result = TypeVar("Result")


class OnSpark:
    """Calls functions on the executors of a Spark context."""

    def __init__(self, context: Any) -> None:
        self._context = context

    def map(self, function: Callable[[Part], Result], parts: Sequence[Part]) -> Iterator[Result]:
        """Yields the result for each part, in their order; Spark repeats what was lost."""
        yield from self._context.parallelize(parts, max(1, len(parts))).map(function).collect()

    def shards(self, place: ShardPlace) -> Shards:
        """Makes one shard in the driver: executors cannot be asked one by one."""
        return ShardsHere(place, 1)


def main(folder: Path) -> None:
    """Replays all lists of an archive side by side."""
    from pyspark import SparkContext  # type: ignore[import-not-found]  # noqa: PLC0415

    engine = OnSpark(SparkContext.getOrCreate())
    url, seq = f"archive:{folder.absolute()}", ArchiveJournal(folder).head().seq
    facts = facts_at(url, seq)
    wanted = [WantedList(url, seq, name, last_period(facts, name).name) for name in facts.lists]
    for made in engine.map(replay_list, wanted):
        print(made.data())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
