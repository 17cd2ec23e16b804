"""Dask as the engine: a cluster of this machine's processes, or one that is there already.

Functions are tasks: Dask calls one again elsewhere when its worker was lost, and gives up when
three workers in a row were. Shards are actors, which Dask does not bring back, so this does: a new
shard on any worker is told everything and asked the same again. Asking an actor goes to its worker
directly, without the scheduler: a period costs a message there and back.

The processes of a cluster on this machine are isolated (see ``children``), and keep their files in
a private folder: Dask puts the folder it keeps files in at the head of ``sys.path``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

from ledger.children import isolated
from ledger.cluster.shards import Asked, Shard, ShardPlace, Shards, Share
from ledger.errors import DatabaseError, InputRefused

if TYPE_CHECKING:
    from distributed import Client

Part = TypeVar("Part")
Result = TypeVar("Result")

_CONNECT_SECONDS = 30
_ATTEMPTS = 5
_SETTINGS = {
    "distributed.admin.log-format": "%(message)s",
    "distributed.worker.multiprocessing-method": "spawn",
    "distributed.worker.profile.enabled": False,
    # Dask's own gives memory back after every array: half of the time goes into getting it again.
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 1 << 28,
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": 1 << 28,
}


class OnDask:
    """Calls functions on the workers of a cluster."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def map(self, function: Callable[[Part], Result], parts: Sequence[Part]) -> Iterator[Result]:
        """Yields the result for each part, in their order; what a function raises is raised."""
        futures = self.client.map(function, parts, pure=False)
        for future in futures:
            yield future.result()

    def shards(self, place: ShardPlace) -> Shards:
        """Puts a shard of players on every worker."""
        return ShardsOnDask(self.client, place)


class ShardsOnDask:
    """A shard on every worker of a cluster, made again when its worker is lost."""

    def __init__(self, client: Client, place: ShardPlace) -> None:
        self._client = client
        self._place = place
        self.lost = 0
        workers = sorted(client.scheduler_info(n_workers=-1)["workers"])
        self._count = len(workers)
        self._made = [self._submitted(number, worker) for number, worker in enumerate(workers)]
        self._shards = [made.result() for made in self._made]

    def _submitted(self, number: int, worker: str | None = None) -> Any:
        """Returns the future of a shard, which holds it."""
        return self._client.submit(
            Shard, self._place, number, self._count,
            actor=True, pure=False, workers=worker,
            allow_other_workers=worker is not None,
        )  # fmt: skip

    def sums(self, asked: Asked, again: Callable[[], Asked]) -> list[Share]:
        """Asks every shard; whose worker is lost is made again on another."""
        answers = [self._asked(number, asked) for number in range(self._count)]
        return [self._answer(number, answer, again) for number, answer in enumerate(answers)]

    def _asked(self, number: int, asked: Asked) -> Any:
        """Returns what will have the answer; None, if the shard is known to be lost."""
        try:
            return self._shards[number].sums(asked)
        except RuntimeError:  # Dask's word for an actor that is gone
            return None

    def _answer(self, number: int, answer: Any, again: Callable[[], Asked]) -> Share:
        for _ in range(_ATTEMPTS):
            try:
                if answer is not None:
                    share: Share = answer.result()
                    return share
            except OSError:  # its worker cannot be reached
                pass
            self.lost += 1
            self._made[number] = self._submitted(number)
            self._shards[number] = self._made[number].result()
            answer = self._asked(number, again())
        raise DatabaseError("replay.workers_lost", attempts=_ATTEMPTS)


@contextmanager
def on_dask(workers: int | None = None, scheduler: str | None = None) -> Iterator[OnDask]:
    """Gives an engine on a cluster: one of processes on this machine, or the one at an address.

    Args:
        workers: how many processes; by default as many as there are processors.
        scheduler: where a cluster is, ``tcp://host:8786``; its workers have this software and
            reach the ledger under the same name.

    Raises:
        InputRefused: Dask is not installed, there is no cluster with workers at the address, or
            this Python's options do not let its children be isolated.
    """
    try:
        import dask
        import distributed
    except ImportError as error:
        raise InputRefused("replay.no_dask") from error
    connected: Any = distributed.Client  # without types
    with ExitStack() as stack:
        stack.enter_context(dask.config.set(_SETTINGS))
        cluster = stack.enter_context(_processes(workers)) if scheduler is None else scheduler
        try:
            client = stack.enter_context(
                connected(cluster, timeout=_CONNECT_SECONDS, direct_to_workers=True)
            )
        except (OSError, ValueError) as error:
            raise InputRefused("replay.no_cluster", scheduler=scheduler, why=error) from error
        if not client.scheduler_info(n_workers=-1)["workers"]:
            raise InputRefused("replay.no_workers", scheduler=scheduler)
        yield OnDask(client)


@contextmanager
def _processes(workers: int | None) -> Iterator[Any]:
    """Gives a cluster of isolated processes on this machine, for as long as it lives."""
    import dask
    import distributed

    if sys.flags.ignore_environment and not (sys.flags.safe_path and sys.flags.no_user_site):
        raise InputRefused("replay.not_isolated")
    of_processes: Any = distributed.LocalCluster  # without types
    with (
        isolated(),
        TemporaryDirectory(prefix="rating-ledger-", ignore_cleanup_errors=True) as folder,
        dask.config.set({"temporary-directory": folder}),
        of_processes(
            n_workers=workers, threads_per_worker=1, processes=True,
            host="127.0.0.1", dashboard_address="127.0.0.1:0",
            worker_dashboard_address="127.0.0.1:0", silence_logs="CRITICAL",
        ) as cluster,
    ):  # fmt: skip
        yield cluster
