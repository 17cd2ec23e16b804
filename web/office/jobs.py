"""Jobs: what is to be done, how far it has come, what it came to.

A job is named by what it does: asked for again while it waits or runs, it is the same one. One that
was done answers as well where its result is settled by what it was told, as a study's is by its
seq; a verification looks at what is stored now, and is done again. Who does them says so in
``web.office.job_claims``.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    and_,
    delete,
    func,
    insert,
    select,
    update,
)

from ledger.errors import Conflict, NotFound
from ledger.json_form import INSTANT, JsonForm
from web.instants import iso_moment
from web.office.schema import JOBS
from web.office.store import Office

LEASE: Final = 15  # seconds
STUCK: Final = 60  # seconds
MOST_WAITING: Final = 50  # of one account, or of everybody who has none
KEPT_DAYS: Final = 30  # a job that has ended
_DAY: Final = 86_400


class JobState(StrEnum):
    """How far a job is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


_ALIVE: Final = (JobState.WAITING, JobState.RUNNING)


@dataclass(frozen=True, slots=True)
class JobProgress(JsonForm):
    """How far a job is with what it does."""

    what: str | None
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class JobReport(JsonForm):
    """A job as programs see it."""

    job: str
    kind: str
    account: str | None
    state: JobState
    created_at: Annotated[str, INSTANT]
    ended_at: Annotated[str | None, INSTANT]
    progress: JobProgress
    problem: str | None


@dataclass(frozen=True, slots=True)
class Jobs(JsonForm):
    """Some jobs, the newest first."""

    jobs: Sequence[JobReport]


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it is now.

    ``what``, ``done`` and ``total`` are its progress, as ``Ledger.progress`` is told it; ``result``
    is what its kind returns, as JSON; ``problem`` is a sentence in every language. Instants are
    seconds since 1970.
    """

    id: str
    kind: str
    parameters: Mapping[str, Any]
    account: str | None
    state: JobState
    is_being_cancelled: bool
    what: str
    done: int
    total: int
    created_at: int
    ended_at: int | None
    result: Any
    problem: Mapping[str, str] | None

    @property
    def is_over(self) -> bool:
        """Whether nothing more becomes of it."""
        return self.state not in _ALIVE

    @property
    def is_given_up(self) -> bool:
        """Whether it comes to nothing: it failed, or was cancelled, or stops since it is to be."""
        stops = self.is_being_cancelled and not self.is_over
        return stops or self.state in {JobState.FAILED, JobState.CANCELLED}

    def report(self, language: str) -> JobReport:
        """Returns how far it is, with its problem in a language."""
        return JobReport(
            job=self.id,
            kind=self.kind,
            account=self.account,
            state=self.state,
            created_at=iso_moment(self.created_at),
            ended_at=None if self.ended_at is None else iso_moment(self.ended_at),
            progress=JobProgress(self.what or None, self.done, self.total),
            problem=self.problem[language] if self.problem else None,
        )


def start(
    office: Office,
    kind: str,
    parameters: Mapping[str, Any],
    account: str | None = None,
    *,
    is_settled: bool = False,
    check: Callable[[Connection], None] | None = None,
) -> str:
    """Has something done; returns the id of the job, an older one where it is the same work.

    Args:
        office: where the jobs are.
        kind: what is to be done (``web.jobs.kinds``).
        parameters: the same, exactly, as JSON data.
        account: who asks; None is the site itself.
        is_settled: whether one that was done answers, whatever has happened since.
        check: raises what refuses another job, while nobody can begin one.

    Raises:
        Conflict: too much waits already that this account asked for.
    """
    said = json.dumps(parameters, sort_keys=True)
    key = _key(kind, said)
    answering = (*_ALIVE, JobState.DONE) if is_settled else _ALIVE
    with office.writing() as connection:
        known = connection.scalar(
            select(JOBS.c.job)
            .where(JOBS.c.key == key, JOBS.c.state.in_(answering))
            .where(JOBS.c.cancelled == 0)
            .order_by(JOBS.c.number.desc())
        )
        if known is not None:
            return str(known)
        if check is not None:
            check(connection)
        _refuse_too_many(connection, account)
        made = secrets.token_urlsafe(16)
        now = office.now()
        last = connection.scalar(select(func.max(JOBS.c.number))) or 0
        connection.execute(
            insert(JOBS).values(
                number=last + 1, job=made, kind=kind, key=key, parameters=said, account=account,
                state=JobState.WAITING, cancelled=0, claims=0, what="", done=0, total=0,
                created_at=now, beat_at=now,
            )
        )  # fmt: skip
        return made


def job_of(office: Office, job: str) -> Job:
    """Returns a job; raises ``NotFound`` where none has the id."""
    with office.reading() as connection:
        row = connection.execute(select(JOBS).where(JOBS.c.job == job)).mappings().first()
    if row is None:
        raise NotFound("jobs.not_found", job=job)
    return job_in(row)


def jobs(office: Office, account: str | None = None, most: int = 50) -> Sequence[Job]:
    """Returns the newest jobs, of one account or of all."""
    wanted = select(JOBS).order_by(JOBS.c.number.desc()).limit(most)
    if account is not None:
        wanted = wanted.where(JOBS.c.account == account)
    with office.reading() as connection:
        return [job_in(row) for row in connection.execute(wanted).mappings()]


def known(office: Office, kind: str, parameters: Mapping[str, Any]) -> Job | None:
    """Returns the newest job that does, or did, some work; None where nobody asked for it."""
    return _newest(office, JOBS.c.key == _key(kind, json.dumps(parameters, sort_keys=True)))


def alive(connection: Connection, kind: str) -> list[Job]:
    """Returns the jobs of a kind that wait or run: what they do is not over."""
    wanted = select(JOBS).where(JOBS.c.kind == kind, JOBS.c.state.in_(_ALIVE))
    return [job_in(row) for row in connection.execute(wanted).mappings()]


def last_done(office: Office, kind: str) -> Job | None:
    """Returns the job of a kind that was done last; None where there is none."""
    return _newest(office, and_(JOBS.c.kind == kind, JOBS.c.state == JobState.DONE))


def is_stuck(office: Office) -> bool:
    """Whether a job has waited for ``STUCK`` seconds while nobody does any: nobody is there."""
    now = office.now()
    waits = and_(JOBS.c.state == JobState.WAITING, JOBS.c.created_at < now - STUCK)
    runs = and_(JOBS.c.state == JobState.RUNNING, is_heard(now))
    with office.reading() as connection:
        if connection.execute(select(JOBS.c.job).where(waits).limit(1)).first() is None:
            return False
        return connection.execute(select(JOBS.c.job).where(runs).limit(1)).first() is None


def cancel(office: Office, job: str) -> None:
    """Has a job not be done, or not go on; one that has ended stays as it is."""
    with office.writing() as connection:
        its = update(JOBS).where(JOBS.c.job == job)
        waiting = its.where(JOBS.c.state == JobState.WAITING)
        ended = {"state": JobState.CANCELLED, "cancelled": 1, "ended_at": office.now()}
        connection.execute(waiting.values(ended))
        connection.execute(its.where(JOBS.c.state == JobState.RUNNING).values(cancelled=1))


def forget_old(office: Office) -> None:
    """Forgets jobs that ended long ago."""
    before = office.now() - KEPT_DAYS * _DAY
    with office.writing() as connection:
        connection.execute(delete(JOBS).where(JOBS.c.ended_at < before))


def is_heard(now: int) -> ColumnElement[bool]:
    """Returns what is true of a job whose runner was heard of.

    One who was in the future died before the clock was set right.
    """
    return JOBS.c.beat_at.between(now - LEASE, now + LEASE)


def _newest(office: Office, which: ColumnElement[bool]) -> Job | None:
    wanted = select(JOBS).where(which).order_by(JOBS.c.number.desc()).limit(1)
    with office.reading() as connection:
        row = connection.execute(wanted).mappings().first()
    return None if row is None else job_in(row)


def _refuse_too_many(connection: Connection, account: str | None) -> None:
    whose = JOBS.c.account.is_(None) if account is None else JOBS.c.account == account
    waiting = select(func.count()).where(whose, JOBS.c.state == JobState.WAITING)
    if (connection.scalar(waiting) or 0) >= MOST_WAITING:
        raise Conflict("jobs.too_many", most=MOST_WAITING)


def _key(kind: str, parameters: str) -> str:
    return hashlib.sha256(f"{kind} {parameters}".encode()).hexdigest()


def job_in(row: RowMapping) -> Job:
    """Returns the job of a row."""
    return Job(
        id=row["job"],
        kind=row["kind"],
        parameters=json.loads(row["parameters"]),
        account=row["account"],
        state=JobState(row["state"]),
        is_being_cancelled=bool(row["cancelled"]),
        what=row["what"],
        done=row["done"],
        total=row["total"],
        created_at=row["created_at"],
        ended_at=row["ended_at"],
        result=None if row["result"] is None else json.loads(row["result"]),
        problem=None if row["problem"] is None else json.loads(row["problem"]),
    )
