"""Jobs: what is to be done, how far it has come, what it came to.

A job is named by what it does: asked for again while it waits or runs, it is the same one. One that
was done answers as well where its result is settled by what it was told, as a study's is by its
seq; a verification looks at what is stored now, and is done again.

Who has a job in hand, and what it came to there.

Whoever takes a job in hand says so with a text of its own (``runner``), and everything it writes
afterwards counts only as long as it has the job. One whose runner says nothing for ``LEASE``
seconds is anybody's again; so every kind of work must be one that may be begun twice.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    and_,
    delete,
    func,
    insert,
    not_,
    or_,
    select,
    update,
)

from ledger.errors import Conflict, NotFound
from ledger.json_form import INSTANT, JsonForm
from ledger.wording import LANGUAGES, Message
from web.language import iso_moment
from web.office.schema import JOBS
from web.office.store import Office, plain_id

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
            statement = update(JOBS).where(JOBS.c.job == row["job"])
            if row["cancelled"]:
                connection.execute(
                    statement.values(state=JobState.CANCELLED, runner=None, ended_at=now)
                )
            elif row["claims"] >= MOST_CLAIMS:
                problem_ = _sentences(Message.of("jobs.gave_up", times=MOST_CLAIMS))
                failed = {"state": JobState.FAILED, "problem": problem_}
                connection.execute(statement.values(failed | {"runner": None, "ended_at": now}))
            else:
                taken = {"state": JobState.RUNNING, "runner": runner, "beat_at": now}
                connection.execute(statement.values(taken | {"claims": row["claims"] + 1}))
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
    condition = _is_of(job, runner)
    return _noted(office, condition, state=JobState.WAITING, runner=None, claims=claims)


def _end(office: Office, job: Job, runner: str, **how: object) -> bool:
    return _noted(office, _is_of(job, runner), runner=None, ended_at=office.now(), **how)


def _noted(office: Office, which: ColumnElement[bool], **value: object) -> bool:
    """Writes something down of a job; returns whether there was one such."""
    with office.writing() as connection:
        return connection.execute(update(JOBS).where(which).values(value)).rowcount == 1


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
    text = json.dumps(parameters, sort_keys=True)
    key = _key(kind, text)
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
        id_ = plain_id(secrets.token_urlsafe(16))
        now = office.now()
        last = connection.scalar(select(func.max(JOBS.c.number))) or 0
        connection.execute(
            insert(JOBS).values(
                number=last + 1, job=id_, kind=kind, key=key, parameters=text, account=account,
                state=JobState.WAITING, cancelled=0, claims=0, what="", done=0, total=0,
                created_at=now, beat_at=now,
            )
        )  # fmt: skip
        return id_


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


def failed(office: Office, kind: str) -> Job | None:
    """Return the last job of a kind without parameters, if it has failed; None otherwise."""
    last = known(office, kind, {})
    return last if last is not None and last.state is JobState.FAILED else None


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
        statement = update(JOBS).where(JOBS.c.job == job)
        waiting = statement.where(JOBS.c.state == JobState.WAITING)
        ended = {"state": JobState.CANCELLED, "cancelled": 1, "ended_at": office.now()}
        connection.execute(waiting.values(ended))
        connection.execute(statement.where(JOBS.c.state == JobState.RUNNING).values(cancelled=1))


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
