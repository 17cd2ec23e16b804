"""The kinds of jobs. A room that brings one names it in ``KINDS``.

What a kind does may be begun twice: a process may die, or be stopped, at any point. It is given
what it is to do as JSON and returns JSON. One that records something does so under an idempotency
key of its own; then the journal, not the state of the job, says whether it was recorded: a job that
is cancelled at the last moment may have been.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, urlencode

from ledger.application.ledger import Ledger
from ledger.application.verification import verify
from ledger.wording import LANGUAGES
from web.office.jobs import Job
from web.office.store import Office
from web.pages.study_work import study
from web.read_models.ahead import make_ahead
from web.settings import WebSettings
from web.submissions.work import look, record


@dataclass(frozen=True, slots=True)
class Work:
    """What a job is done with.

    ``ledger`` is opened for this job alone. What is told to ``ledger.progress`` stands on the
    job's page; ``Stopped`` is raised there when the job is not to go on.
    """

    ledger: Ledger
    office: Office
    settings: WebSettings
    parameters: Mapping[str, Any]
    account: str | None


class Stopped(BaseException):
    """The job is not to go on: it was cancelled, or the site stops. Not to be caught by a kind."""


def verification(work: Work) -> dict[str, Any]:
    """Verifies everything, as ``verify`` does; says so in every language."""
    head = work.ledger.journal.head().seq
    found = verify(work.ledger)
    said = {language: found.data(language) for language in LANGUAGES}
    return {"seq": head, "verified_at": work.office.now(), **said}


def monitor(work: Work) -> dict[str, Any]:
    """Makes the monitor of a long list."""
    return study(work.ledger, "monitor", work.parameters)


def comparison(work: Work) -> dict[str, Any]:
    """Makes the comparison of a long list under another regulation."""
    return study(work.ledger, "compare", work.parameters)


def _monitor(job: Job) -> str:
    said = job.parameters
    asked = {"since": said["since"], "until": said["until"], "as-known-at": said["seq"]}
    asked |= {"active": "true"} if said["active"] else {}
    return f"/monitor/{quote(said['list'], safe='')}?{urlencode(asked)}"


def _comparison(job: Job) -> str:
    said = job.parameters
    asked = {name: said[name] for name in ("since", "until", "param")}
    path = f"/compare/{quote(said['list'], safe='')}/{quote(said['regulation'], safe='')}"
    return f"{path}?{urlencode(asked | {'as-known-at': said['seq']})}"


def read_models(work: Work) -> dict[str, int]:
    """Makes the read models that are missing."""
    return {"made": make_ahead(work.ledger, work.settings, work.ledger.progress)}


def _submission(job: Job) -> str:
    return f"/submissions/{job.parameters['submission']}"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of job.

    ``do`` does it and returns what it came to, as JSON. ``shown_at`` is the page that shows it;
    None where the job's own page says enough.
    """

    do: Callable[[Work], Any]
    shown_at: Callable[[Job], str] | None = None


KINDS: Final[dict[str, Kind]] = {
    "compare": Kind(comparison, _comparison),
    "look": Kind(look, _submission),
    "monitor": Kind(monitor, _monitor),
    "read_models": Kind(read_models),
    "record": Kind(record, _submission),
    "verification": Kind(verification, lambda _job: "/audit"),
}
"""By name; each has a sentence ``job.NAME``."""
