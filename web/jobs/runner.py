"""Has jobs done while the site is up, each by a process of its own, and forgets what is over.

Has read models and open data made ahead: when the site starts, and after a publication.
"""

from __future__ import annotations

import logging
import secrets
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from typing import Final, Self

from ledger.children import environment, interpreter
from ledger.errors import LedgerError
from ledger.events.lists import ListPublished
from ledger.journal.interface import Journal
from ledger.service.archives import open_ledger
from ledger.wording import Message
from web.jobs.kinds import limits_of
from web.jobs.open_data import DataWatch
from web.jobs.process import order
from web.jobs.webhooks import DeliveryWatch
from web.language import cause_of
from web.office import ceremonies
from web.office.jobs import Job, claim, fail, forget_old, give_back, start
from web.office.store import Office
from web.settings import WebSettings

LONG: Final = 20_000  # events; of a shorter ledger models are made while somebody waits
EVERY: Final = 2.0  # seconds between two looks at the head
_MOST: Final = 1_000  # events that are looked at; more may well be a publication


class Prefetch:
    """Asks for read models as a job, for a ledger of ``long`` events or more."""

    def __init__(self, office: Office, long: int = LONG) -> None:
        self._office = office
        self._long = long
        self._seen: int | None = None

    def look_at(self, journal: Journal) -> None:
        """Asks for the models if a list was published since the last time, or it is the first."""
        seen, head = self._seen, journal.head().seq
        self._seen = head
        if head >= self._long and head != seen and _is_published(journal, seen, head):
            start(self._office, "read_models", {"seq": head})


def _is_published(journal: Journal, seen: int | None, head: int) -> bool:
    if seen is None or head - seen > _MOST:
        return True
    new = journal.events(after=seen, upto=head)
    return any(event.type == ListPublished.TYPE for event in new)


AT_ONCE: Final = 3
"""So many jobs run side by side, each of another kind: one kind does not keep others waiting."""
_ONE_THREAD: Final = {"OPENBLAS_NUM_THREADS": "1"}  # no job multiplies matrices; each has memory
_PAUSE: Final = 0.5  # seconds between two looks
_PATIENCE: Final = 10  # seconds for a process to end
_log = logging.getLogger("rating_ledger.jobs")


class Runner:
    """Has jobs done, within ``with``; at its end those that run are given back.

    ``at_once`` is how many run side by side at most.
    """

    def __init__(self, settings: WebSettings, office: Office, at_once: int = AT_ONCE) -> None:
        self._settings = settings
        self._office = office
        self._at_once = at_once
        self._watches = Prefetch(office), DataWatch(settings, office), DeliveryWatch(office)
        self._next = 0.0
        self._running: list[_Running] = []
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="jobs", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            self._try(partial(forget_old, self._office))
            while not self._ends.wait(_PAUSE):
                self._try(partial(ceremonies.forget_old, self._office))
                self._try(self._watch)
                self._try(self._look)
        finally:
            for each in self._running:
                if not each.end():
                    self._try(partial(self._give_back, each))

    def _try(self, step: Callable[[], None]) -> None:
        """Takes a step; whatever goes wrong is written down, and jobs are done all the same."""
        try:
            step()
        except LedgerError as error:  # the office is locked, full or away: later perhaps not
            _log.warning("jobs wait: %s", cause_of(error))
        except Exception:  # noqa: BLE001 - the thread must go on, or no job is done any more
            _log.exception("jobs wait")

    def _watch(self) -> None:
        """Looks, now and then, whether what was recorded asks for a job."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + EVERY
        with closing(open_ledger(self._settings.ledger)) as journal:
            for watch in self._watches:
                self._try(partial(watch.look_at, journal))

    def _look(self) -> None:
        """Sees who has ended, and begins what waits."""
        for each in [each for each in self._running if each.has_ended()]:
            self._running.remove(each)
            self._settle(each)
        while len(self._running) < self._at_once:
            runner = secrets.token_urlsafe(16)
            job = claim(self._office, runner, {each.job.kind for each in self._running})
            if job is None:
                return
            try:
                self._running.append(_Running(self._settings, job, runner))
            except Exception as error:  # perhaps no process is to be had: the job is not at fault
                give_back(self._office, job, runner, is_counted=not isinstance(error, OSError))
                raise

    def _give_back(self, ended: _Running) -> None:
        """Gives back a job whose process was ended here: that is no fault of the job's."""
        give_back(self._office, ended.job, ended.runner, is_counted=False)

    def _settle(self, ended: _Running) -> None:
        """Says what becomes of a job whose process is gone, unless that said how it ended."""
        limits = limits_of(ended.job)
        if limits is not None and ended.is_out_of_time():
            message = Message.of("jobs.too_long", most=limits.seconds)
            fail(self._office, ended.job, ended.runner, message)
        else:
            give_back(self._office, ended.job, ended.runner)


class _Running:
    """A process that does a job.

    ``runner`` is who it is for the office.
    """

    def __init__(self, settings: WebSettings, job: Job, runner: str) -> None:
        self.job = job
        self.runner = runner
        self._process = subprocess.Popen(  # noqa: S603 - this very Python
            [*interpreter(), "-m", "web.jobs.process"],
            stdin=subprocess.PIPE, text=True, env=environment() | _ONE_THREAD,
        )  # fmt: skip
        assert self._process.stdin is not None
        with suppress(OSError):  # it died already: has_ended() will say so
            self._process.stdin.write(order(settings, job, runner) + "\n")
            self._process.stdin.flush()

    def has_ended(self) -> bool:
        """Whether the process is gone."""
        if self._process.poll() is None:
            return False
        self._hang_up()
        return True

    def is_out_of_time(self) -> bool:
        """Whether the system ended it, as it computed for longer than it may."""
        code = self._process.returncode
        return code < 0 and code == -signal.SIGXCPU

    def end(self) -> bool:
        """Ends the process; False where it had to be killed, and could not give its job back."""
        self._hang_up()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            return False
        return True

    def _hang_up(self) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
