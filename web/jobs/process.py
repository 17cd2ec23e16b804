"""The process that does one job.

Its input says which. It ends when its input ends: then the site stops, or has died. Whatever it
writes into the office counts only as long as the job is in its hands.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, TextIO

from ledger.children import give_way, limit_process
from ledger.errors import LedgerError
from ledger.service.archives import open_ledger
from ledger.service.ledger import Ledger
from ledger.views.federation import FederationRules
from ledger.wording import Message
from web.jobs.kinds import KINDS, Assignment, JobLimits, Stopped, limits_of
from web.language import cause_of, error_for_site
from web.office.jobs import Job, beat, fail, finish, give_back, job_of, stop
from web.office.store import Office, open_office
from web.refusals import Forbidden
from web.settings import WebSettings

BEAT: Final = 1.0  # seconds between two words to the office
_GIVEN_BACK: Final = 75  # exit code: EX_TEMPFAIL
_BUG: Final = Message.of("web.bug")
_log = logging.getLogger("rating_ledger.jobs")


def order(settings: WebSettings, job: Job, runner: str) -> str:
    """Returns the line that tells this process what to do, and what it may use."""
    limits = limits_of(job)
    content = {
        "ledger": settings.ledger, "origin": settings.origin, "cache": str(settings.cache),
        "office": settings.office, "time_zone": settings.time_zone,
        "days_back": settings.days_back, "job": job.id, "runner": runner,
        "limits": None if limits is None else asdict(limits),
        "federation": asdict(settings.federation), "anywhere": settings.webhooks_anywhere,
    }  # fmt: skip
    return json.dumps(content)


def work(commands: TextIO) -> None:
    """Does the job that the first line names."""
    line = commands.readline()
    if not line:  # the site died before it said anything
        return
    content = json.loads(line)
    give_way()
    settings = WebSettings(
        ledger=content["ledger"], origin=content["origin"], cache=Path(content["cache"]),
        office=content["office"], time_zone=content["time_zone"], days_back=content["days_back"],
        federation=FederationRules(**content["federation"]),
        webhooks_anywhere=content["anywhere"],
    )  # fmt: skip
    try:
        with closing(open_office(content["office"])) as office:
            _work(office, job_of(office, content["job"]), content, settings, commands)
    except LedgerError as error:  # the office is away: whoever looks for jobs has it done again
        _log.error("a job could not say what became of it: %s", cause_of(error))
        sys.exit(_GIVEN_BACK)


def _work(
    office: Office, job: Job, content: Mapping[str, Any], settings: WebSettings, commands: TextIO
) -> None:
    """Does a job within its limits, while it is said that somebody has it in hand."""
    limits = JobLimits(**content["limits"]) if content["limits"] else None
    if limits is not None:
        limit_process(cpu_seconds=limits.seconds, data=limits.memory_mb << 20)
    hands = JobInHand(office, job, content["runner"])
    threading.Thread(target=hands.listen, args=(commands,), daemon=True).start()
    threading.Thread(target=hands.beat, daemon=True).start()
    _do(job, hands, settings, limits)


def _do(job: Job, hands: JobInHand, settings: WebSettings, limits: JobLimits | None) -> None:
    """Does a job and says what became of it."""
    try:
        with closing(open_ledger(settings.ledger)) as journal:
            ledger = Ledger(journal, settings.clock, progress=hands.progress)
            ledger.federation = settings.federation
            given = Assignment(ledger, hands.office, settings, job.parameters, job.account)
            result = KINDS[job.kind].do(given)
    except Stopped:
        stop(hands.office, job, hands.runner)
    except LedgerError as error:
        fail(hands.office, job, hands.runner, error_for_site(error).message)
    except Forbidden as error:
        fail(hands.office, job, hands.runner, error.why or Message.of("web.forbidden"))
    except MemoryError:
        message = Message.of("jobs.too_much_memory", most=limits.memory_mb) if limits else _BUG
        fail(hands.office, job, hands.runner, message)
    except Exception:  # noqa: BLE001 - the last resort
        _log.exception("a job of the kind %s failed", job.kind)
        fail(hands.office, job, hands.runner, _BUG)
    else:
        finish(hands.office, job, hands.runner, result)


class JobInHand:
    """Has a job in hand: tells how far it is, and hears when it is not to go on.

    ``office`` is where that stands, ``runner`` who has it in hand.
    """

    def __init__(self, office: Office, job: Job, runner: str) -> None:
        self.office = office
        self.runner = runner
        self._job = job
        self._progress = ("", 0, 0)
        self._is_stopped = False

    def progress(self, what: str, done: int, total: int) -> None:
        """Is told how far the work has come; raises ``Stopped`` where it is not to go on."""
        self._progress = (what, done, total)
        if self._is_stopped:
            raise Stopped

    def beat(self) -> None:
        """Says again and again that the job is in hand, until it is not to go on."""
        wait = threading.Event()
        while not self._is_stopped:
            try:
                if not beat(self.office, self._job, self.runner, self._progress):
                    self._is_stopped = True
            except LedgerError as error:  # an office that is locked for long is asked again
                _log.warning("a job could not say that it goes on: %s", cause_of(error))
            except Exception:  # noqa: BLE001 - who says nothing more loses the job
                _log.exception("a job could not say that it goes on")
            wait.wait(BEAT)

    def listen(self, commands: TextIO) -> None:
        """Waits until the site stops or has died; then somebody else is to do the job."""
        commands.read()
        with suppress(LedgerError):
            give_back(self.office, self._job, self.runner, is_counted=False)
        os._exit(_GIVEN_BACK)


if __name__ == "__main__":
    work(sys.stdin)
