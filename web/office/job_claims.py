"""Who has a job in hand, and what it came to there.

Whoever takes a job in hand says so with a text of its own (``runner``), and everything it writes
afterwards counts only as long as it has the job. One whose runner says nothing for ``LEASE``
seconds is anybody's again; so every kind of work must be one that may be begun twice.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, and_, not_, or_, select, update

from ledger.wording import LANGUAGES, Message
from web.office.jobs import Job, JobState, is_heard, job_in
from web.office.schema import JOBS
from web.office.store import Office

MOST_CLAIMS: Final = 3  # after so many beginnings a job has failed


def claim(office: Office, runner: str, without: Collection[str] = ()) -> Job | None:
    """Takes the next job in hand, of another kind than those ``without``; None where there is none.

    One that was begun too often has failed: what it does ends the process that does it.
    """
    if not _is_work(office, without):
        return None
    with office.writing() as connection:
        now = office.now()
        while True:
            row = connection.execute(_next(now, without)).mappings().first()
            if row is None:
                return None
            its = update(JOBS).where(JOBS.c.job == row["job"])
            if row["cancelled"]:
                connection.execute(its.values(state=JobState.CANCELLED, runner=None, ended_at=now))
            elif row["claims"] >= MOST_CLAIMS:
                said = _sentences(Message.of("jobs.gave_up", times=MOST_CLAIMS))
                failed = {"state": JobState.FAILED, "problem": said}
                connection.execute(its.values(failed | {"runner": None, "ended_at": now}))
            else:
                taken = {"state": JobState.RUNNING, "runner": runner, "beat_at": now}
                connection.execute(its.values(taken | {"claims": row["claims"] + 1}))
                return job_in(row)


def beat(office: Office, job: Job, runner: str, progress: tuple[str, int, int]) -> bool:
    """Says that a job is still in hand, and how far it is; False where it must not go on."""
    what, done, total = progress
    goes_on = _is_of(job, runner) & (JOBS.c.cancelled == 0)
    return _noted(office, goes_on, beat_at=office.now(), what=what, done=done, total=total)


def finish(office: Office, job: Job, runner: str, result: object) -> bool:
    """Says what a job came to; False where it was somebody else's by then."""
    return _end(office, job, runner, state=JobState.DONE, result=json.dumps(result))


def fail(office: Office, job: Job, runner: str, message: Message) -> bool:
    """Says why a job cannot be done; False where it was somebody else's by then."""
    return _end(office, job, runner, state=JobState.FAILED, problem=_sentences(message))


def stop(office: Office, job: Job, runner: str) -> bool:
    """Says that a job was cancelled, as somebody asked; False where it was somebody else's."""
    return _end(office, job, runner, state=JobState.CANCELLED)


def give_back(office: Office, job: Job, runner: str, *, is_counted: bool = True) -> bool:
    """Lets somebody else do a job; False where it was somebody else's by then.

    ``is_counted`` says that it was begun and did not end: too often, and it has failed.
    """
    claims = JOBS.c.claims if is_counted else JOBS.c.claims - 1
    its = _is_of(job, runner)
    return _noted(office, its, state=JobState.WAITING, runner=None, claims=claims)


def _end(office: Office, job: Job, runner: str, **how: object) -> bool:
    return _noted(office, _is_of(job, runner), runner=None, ended_at=office.now(), **how)


def _noted(office: Office, which: ColumnElement[bool], **said: object) -> bool:
    """Writes something down of a job; returns whether there was one such."""
    with office.writing() as connection:
        return connection.execute(update(JOBS).where(which).values(said)).rowcount == 1


def _is_work(office: Office, without: Collection[str]) -> bool:
    with office.reading() as connection:
        return connection.execute(_next(office.now(), without)).first() is not None


def _next(now: int, without: Collection[str]) -> Select[Any]:
    """Returns the query for the next job: it waits, or whoever had it is not heard of."""
    lost = and_(JOBS.c.state == JobState.RUNNING, not_(is_heard(now)))
    open_ = or_(JOBS.c.state == JobState.WAITING, lost)
    wanted = select(JOBS).where(open_, JOBS.c.kind.not_in(without))
    return wanted.order_by(JOBS.c.number).limit(1)


def _is_of(job: Job, runner: str) -> ColumnElement[bool]:
    """Returns what is true of a job as long as a runner has it in hand."""
    return and_(JOBS.c.job == job.id, JOBS.c.state == JobState.RUNNING, JOBS.c.runner == runner)


def _sentences(message: Message) -> str:
    return json.dumps({language: message.within(language) for language in LANGUAGES})
