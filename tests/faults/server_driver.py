"""Lets the server die while commands run: ``python -m tests.faults.server_driver``.

It is a process with the shim. Words: an empty folder, how many runs, and a seed. Each run is a
child that works on databases of its own; at one of the messages that it sends to the server, the
server or its connection dies. Then the server is started again on its files, and what is left is
looked at by the same program. Prints a line of JSON for each run.
"""

from __future__ import annotations

import random
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from tests.cli.running import Ran, run_here
from tests.faults import club
from tests.faults.club import JOBS, Job, lists_in, state_of
from tests.faults.driver import Known, in_child, looked, looked_at, told, warm
from tests.faults.mortal_server import Death, MortalServer
from tests.faults.shim import Moment, at_message, messages

WITH_DATABASE = (*JOBS, Job("verify", ("verify",)))


@dataclass(frozen=True, slots=True)
class Cut:
    """A message of a job at which something dies; 0 is none."""

    job: Job
    at: int = 0
    when: Moment = Moment.BEFORE
    death: Death = Death.KILLED


@dataclass(frozen=True, slots=True)
class DeathOutcome:
    """What came of a run; ``wrong`` is what should not be, and empty where all is well."""

    job: str
    at: int
    of: int
    when: str
    death: str
    code: int
    recorded: bool
    wrong: str
    said: str


class Bench:
    """Databases of a server, and copies of a folder, to run jobs on.

    Args:
        server: it runs.
        folder: empty.
    """

    def __init__(self, server: MortalServer, folder: Path) -> None:
        self.server, self._folder = server, folder
        self._template = server.create()
        club.make(folder / "club", server.url(self._template))
        club.make(folder / "in-files")
        warm(folder / "in-files", folder / "warm")

    def run(self, cut: Cut, known: Known | None = None) -> tuple[Ran, int, Known, list[str]]:
        """Runs a job on new databases.

        Args:
            cut: what dies.
            known: what the job comes to; None where it is to be found out, and nothing dies.

        Returns:
            What it did, how many messages it sent, what is known of it, and what is wrong.
        """
        name = self.server.create(self._template)
        new = self.server.create() if cut.job.names_new else None
        db = self.server.url(name)
        job = cut.job.on(db, self.server.url(new or name))
        place = Path(shutil.copytree(self._folder / "club", self._folder / "place"))
        environment = {"RATING_LEDGER_DB": db}
        done, sent = self._dying(place, environment, replace(cut, job=job))
        self.server.start()
        wrong: list[str] = []
        if known is None:
            before = looked(place, partial(state_of, self.server.url(self._template)))
            known = Known(before, looked(place, partial(state_of, db)), b"")
        else:
            work = partial(looked_at, place, db, job, done, known)
            found = in_child(place, work, environment)
            wrong = [f"looking at it: {found}"] if isinstance(found, int) else found[1]
        shutil.rmtree(place)
        for made in filter(None, (name, new)):
            self.server.drop(made)
        return done, sent, known, wrong

    def published(self) -> bytes:
        """Returns the list of July as it went out."""
        work = partial(lists_in, self.server.url(self._template))
        return looked(self._folder / "club", work)

    def _dying(self, place: Path, environment: dict[str, str], cut: Cut) -> tuple[Ran, int]:
        def die(_socket: int) -> None:
            self.server.die(cut.death)

        def work() -> tuple[Ran, int]:
            at_message(cut.at, cut.when, die)
            done = run_here(*cut.job.words)
            return done, messages()

        made = in_child(place, work, environment)
        assert not isinstance(made, int), f"the program itself ended with {made}"
        return made


def runs(bench: Bench, many: int, seed: str) -> Iterator[DeathOutcome]:
    """Lets the server die at messages by chance, in all jobs in turn."""
    published = bench.published()
    chance = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    sent, known = {}, {}
    for number in range(many):
        job = WITH_DATABASE[number % len(WITH_DATABASE)]
        if job.name not in sent:
            done, sent[job.name], its, _ = bench.run(Cut(job))
            assert done.code == 0, (job.name, done)
            known[job.name] = Known(its.before, its.after, published)
        at = chance.randint(1, sent[job.name])
        cut = Cut(job, at, chance.choice(list(Moment)), chance.choice(list(Death)))
        done, _, _, wrong = bench.run(cut, known[job.name])
        yield DeathOutcome(
            job.name, at, sent[job.name], cut.when.name, cut.death.name, done.code,
            known[job.name].before != known[job.name].after, "; ".join(wrong), done.err.strip(),
        )  # fmt: skip


def main() -> None:
    _, folder, many, seed = sys.argv
    tally: Counter[str] = Counter()
    place = Path(folder)
    with closing(MortalServer(place.with_name(f"{place.name}-postgresql"))) as server:
        for outcome in runs(Bench(server, place), int(many), seed):
            told(asdict(outcome))
            tally[f"{outcome.job} {outcome.code}"] += 1
    told({"tally": tally})


if __name__ == "__main__":
    main()
