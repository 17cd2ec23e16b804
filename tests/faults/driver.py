"""Lets commands fail at one file operation after the other: ``python -m tests.faults.driver``.

It is a process with the shim. Words: a folder with a ledger (see ``club``), a folder for copies,
how many runs, and a seed or the name of a job. Each run is a child that works in a copy of its own;
what it leaves is looked at by the same program without faults. Prints a line of JSON for each run.
"""

from __future__ import annotations

import errno
import gc
import json
import os
import pickle
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from tests.cli.running import Ran, run_here
from tests.faults.club import DATABASE, JOBS, Job, lists_in, state_of
from tests.faults.shim import Manner, arm, count

Made = TypeVar("Made")
ERRORS = (errno.ENOSPC, errno.EIO)
MANNERS = (Manner.ONCE, Manner.FROM_THEN_ON, Manner.SHORT, Manner.KILLED)
KILLED = -9


@dataclass(frozen=True, slots=True)
class Fault:
    """An operation of a job that fails, and how; 0 is none."""

    job: Job
    at: int = 0
    error: int = 0
    manner: Manner = Manner.ONCE


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run; ``wrong`` is what should not be, and empty where all is well."""

    job: str
    at: int
    of: int
    error: str
    manner: str
    code: int
    recorded: bool
    wrong: str
    said: str


def in_child(
    folder: Path, work: Callable[[], Made], environment: Mapping[str, str] | None = None
) -> Made | int:
    """Does some work in a child, in a folder; returns what it made, or the child's exit code."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os.chdir(folder)
        os.environ.update(RATING_LEDGER_STATE=str(folder / "state"), TMPDIR=str(folder / "tmp"))
        os.environ.update(environment or {})
        tempfile.tempdir = None
        made = work()
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(made, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        return code
    made_there: Made = pickle.loads(data)  # noqa: S301 - our own child
    return made_there


def looked(folder: Path, look: Callable[[], Made]) -> Made:
    """Returns what a child finds in a folder."""
    kept = in_child(folder, lambda: (look(),))
    assert isinstance(kept, tuple), f"it ended with {kept}"
    return kept[0]


def warm(folder: Path, copy: Path) -> None:
    """Does every job once in this process: what that loads is loaded for all children."""
    for job in JOBS:
        with chdir(shutil.copytree(folder, copy)):
            assert run_here(*job.words).code == 0, job.name
            assert not list(job.missing()), job.name
        shutil.rmtree(copy)
    gc.freeze()  # what a collector looks at is copied for each child


def failing(folder: Path, fault: Fault) -> tuple[Ran, int]:
    """Runs a command of which an operation fails; returns what it did, and how many there were."""

    def work() -> tuple[Ran, int]:
        arm(folder, fault.at, fault.error, fault.manner)
        done = run_here(*fault.job.words)
        made = count()
        arm(folder, 0)
        return done, made

    made = in_child(folder, work)
    return (Ran(made, "", ""), fault.at) if isinstance(made, int) else made


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a ledger: where it ends before and after a job, and the list of July."""

    before: int
    after: int
    published: bytes


def wrongs(folder: Path, db: str, job: Job, done: Ran, known: Known) -> Iterator[str]:
    """Yields what is wrong with what a run has left, looked at without faults."""
    if done.code not in {0, KILLED, *job.fails}:
        yield f"exit code {done.code}"
    if "Traceback" in done.err or (done.code > 0 and not done.err.strip()):
        yield "no clear error"
    verified = run_here("verify")
    if verified.code:
        yield f"verify: {verified.err}"
    head = state_of(db)
    if head not in {known.before, known.after}:
        yield f"the ledger ends at {head}, neither {known.before} nor {known.after}"
    if done.code == 0 and head != known.after:
        yield "acknowledged and lost"
    if done.code == 0:
        yield from job.missing()
    again = run_here(*job.words)
    if again.code:
        yield f"again: {again.code} {again.err}"
    if state_of(db) != known.after:
        yield "again it does not come to its end"
    yield from job.missing()
    if not job.erases and lists_in(db) != known.published:
        yield "a published list is not the one that went out"
    left = [path.name for path in (folder / "tmp").iterdir()]
    if left and done.code != KILLED:
        yield f"left in the folder of temporary files: {left}"


def by_chance(many: int, seed: str, operations: dict[str, int]) -> Iterator[Fault]:
    """Yields faults of all jobs in turn."""
    chance = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    for number in range(many):
        job = JOBS[number % len(JOBS)]
        at = chance.randint(1, operations[job.name])
        yield Fault(job, at, chance.choice(ERRORS), chance.choice(MANNERS))


def first_of(job: Job, many: int) -> Iterator[Fault]:
    """Yields a broken disk once at each of the first operations of one job."""
    for at in range(1, many + 1):
        yield Fault(job, at, errno.EIO)


def runs(folder: Path, copies: Path, many: int, chosen: str) -> Iterator[Outcome]:
    """Lets jobs fail; ``chosen`` is the name of one, or a seed for all of them."""
    warm(folder, copies / "warm")
    before = looked(folder, partial(state_of, DATABASE))
    place = Path(shutil.copytree(folder, copies / "published"))
    published = looked(place, partial(lists_in, DATABASE))
    operations, known = {}, {}
    named = [job for job in JOBS if job.name == chosen]
    for job in named or JOBS:
        place = Path(shutil.copytree(folder, copies / "whole"))
        done, operations[job.name] = failing(place, Fault(job))
        assert done.code == 0, (job.name, done)
        known[job.name] = Known(before, looked(place, partial(state_of, DATABASE)), published)
        shutil.rmtree(place)
    faults = first_of(named[0], many) if named else by_chance(many, chosen, operations)
    for number, fault in enumerate(faults):
        job = fault.job
        place = Path(shutil.copytree(folder, copies / str(number)))
        done, _ = failing(place, fault)
        found = in_child(place, partial(looked_at, place, DATABASE, job, done, known[job.name]))
        recorded, wrong = (False, [f"looking at it: {found}"]) if isinstance(found, int) else found
        yield Outcome(
            job.name, fault.at, operations[job.name], errno.errorcode[fault.error],
            fault.manner.name, done.code, recorded, "; ".join(wrong), done.err.strip(),
        )  # fmt: skip
        if not wrong:
            shutil.rmtree(place)


def looked_at(place: Path, db: str, job: Job, done: Ran, known: Known) -> tuple[bool, list[str]]:
    """Returns whether the work was recorded, and what is wrong."""
    recorded = state_of(db) == known.after != known.before
    return recorded, list(wrongs(place, db, job, done, known))


def told(line: dict[str, object]) -> None:
    sys.stdout.write(f"{json.dumps(line)}\n")
    sys.stdout.flush()


def main() -> None:
    _, folder, copies, many, seed = sys.argv
    tally: Counter[str] = Counter()
    for outcome in runs(Path(folder), Path(copies), int(many), seed):
        told(asdict(outcome))
        tally[f"{outcome.job} {outcome.code}"] += 1
    told({"tally": tally})


if __name__ == "__main__":
    main()
