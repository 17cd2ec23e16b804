"""Jobs in the office: asked for once, taken by one, taken again from who is gone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from ledger.errors import Conflict, NotFound
from ledger.wording import Message
from tests.ledgers import NOW
from web.office.jobs import (
    KEPT_DAYS,
    LEASE,
    MOST_CLAIMS,
    MOST_WAITING,
    STUCK,
    Job,
    JobState,
    beat,
    cancel,
    claim,
    fail,
    finish,
    forget_old,
    give_back,
    is_stuck,
    job_of,
    jobs,
    known,
    last_done,
    start,
    stop,
)
from web.office.store import Office, open_office


@dataclass(slots=True)
class Time:
    """A clock that a test sets."""

    now: dt.datetime = field(default=NOW)

    def __call__(self) -> dt.datetime:
        return self.now

    def passes(self, seconds: int) -> None:
        self.now += dt.timedelta(seconds=seconds)


@pytest.fixture
def time() -> Time:
    """The office's clock."""
    return Time()


@pytest.fixture
def office(office_url: str, time: Time) -> Iterator[Office]:
    """An empty office."""
    opened = open_office(office_url, time)
    yield opened
    opened.close()


def claimed(office: Office, runner: str = "r1") -> Job:
    job = claim(office, runner)
    assert job is not None
    return job


def test_what_looks_at_what_is_stored_now_is_done_again(office: Office) -> None:
    first = start(office, "verification", {"seq": 7}, "ana")
    finish(office, claimed(office), "r1", {"ok": True})
    again = start(office, "verification", {"seq": 7}, "ana")
    assert again != first
    assert start(office, "verification", {"seq": 7}, "luis") == again
    assert claimed(office).id == again


def test_jobs_are_stuck_when_one_waits_and_nobody_does_any(office: Office, time: Time) -> None:
    assert not is_stuck(office)
    for number in range(2):
        start(office, "verification", {"seq": number})
    assert not is_stuck(office)
    time.passes(STUCK + 1)
    assert is_stuck(office)
    job = claimed(office)
    assert not is_stuck(office), "one is done, the other waits for its turn"
    time.passes(LEASE + 1)
    assert is_stuck(office), "who did it has gone"
    finish(office, job, "r1", None)
    finish(office, claimed(office), "r1", None)
    assert not is_stuck(office)


def test_settled_work_is_one_job_until_it_has_failed(office: Office, time: Time) -> None:
    def asked(seq: int, account: str | None = None) -> str:
        return start(office, "monitor", {"seq": seq}, account, is_settled=True)

    first = asked(7, "ana")
    assert asked(7, "luis") == first
    assert asked(8) != first
    job = claimed(office)
    assert job.id == first
    assert asked(7) == first
    finish(office, job, "r1", {"ok": True})
    assert asked(7) == first
    time.passes(1)
    other = claimed(office)
    fail(office, other, "r1", Message.of("web.bug"))
    again = asked(8)
    assert again != other.id
    newest = known(office, "monitor", {"seq": 8})
    assert newest is not None
    assert newest.id == again


def test_a_job_is_taken_by_one(office: Office) -> None:
    for number in range(5):
        start(office, "verification", {"seq": number})
    with ThreadPoolExecutor(4) as pool:
        taken = list(pool.map(lambda number: claim(office, f"r{number}"), range(20)))
    assert sorted(job.parameters["seq"] for job in taken if job) == [0, 1, 2, 3, 4]


def test_progress_and_result_are_told(office: Office) -> None:
    start(office, "verification", {"seq": 7}, "ana")
    job = claimed(office)
    assert beat(office, job, "r1", ("verify", 3, 9))
    seen = job_of(office, job.id)
    assert (seen.state, seen.what, seen.done, seen.total) == (JobState.RUNNING, "verify", 3, 9)
    assert seen.report("en").data()["progress"] == {"what": "verify", "done": 3, "total": 9}
    assert finish(office, job, "r1", {"figure": [1, None, "é"]})
    seen = job_of(office, job.id)
    assert (seen.state, seen.result, seen.is_over) == (
        JobState.DONE,
        {"figure": [1, None, "é"]},
        True,
    )
    assert last_done(office, "verification") == seen
    assert last_done(office, "other") is None


def test_a_failure_is_told_in_every_language(office: Office) -> None:
    start(office, "verification", {})
    job = claimed(office)
    assert fail(office, job, "r1", Message.of("player.not_found", player="7"))
    seen = job_of(office, job.id)
    assert seen.state is JobState.FAILED
    assert seen.report("en").problem == Message.of("player.not_found", player="7").within("en")
    assert seen.report("es").problem == Message.of("player.not_found", player="7").within("es")


def test_who_says_nothing_loses_the_job(office: Office, time: Time) -> None:
    start(office, "verification", {})
    lost = claimed(office, "r1")
    time.passes(LEASE)
    assert claim(office, "r2") is None
    time.passes(1)
    assert claimed(office, "r2").id == lost.id
    assert not beat(office, lost, "r1", ("verify", 1, 2))
    assert not finish(office, lost, "r1", "wrong")
    assert not fail(office, lost, "r1", Message.of("web.bug"))
    assert not give_back(office, lost, "r1")
    assert finish(office, lost, "r2", "right")
    assert job_of(office, lost.id).result == "right"


def test_a_word_now_and_then_keeps_the_job(office: Office, time: Time) -> None:
    start(office, "verification", {})
    job = claimed(office)
    for _ in range(3):
        time.passes(LEASE)
        assert beat(office, job, "r1", ("verify", 1, 2))
    assert claim(office, "r2") is None


def test_what_ends_its_process_again_and_again_has_failed(office: Office) -> None:
    job = start(office, "verification", {})
    for _ in range(MOST_CLAIMS):
        give_back(office, claimed(office), "r1")
    assert claim(office, "r1") is None
    seen = job_of(office, job)
    assert seen.state is JobState.FAILED
    assert seen.problem is not None
    assert str(MOST_CLAIMS) in seen.problem["en"]


def test_to_stop_the_site_counts_for_nothing(office: Office) -> None:
    start(office, "verification", {})
    for _ in range(MOST_CLAIMS + 2):
        assert give_back(office, claimed(office), "r1", is_counted=False)
    assert claim(office, "r1") is not None


def test_what_waits_is_cancelled_at_once(office: Office) -> None:
    job = start(office, "verification", {})
    cancel(office, job)
    assert job_of(office, job).state is JobState.CANCELLED
    assert claim(office, "r1") is None
    assert start(office, "verification", {}) != job


def test_what_runs_is_cancelled_at_its_next_word(office: Office) -> None:
    start(office, "verification", {})
    job = claimed(office)
    cancel(office, job.id)
    assert job_of(office, job.id).is_being_cancelled
    assert not beat(office, job, "r1", ("verify", 1, 2))
    assert stop(office, job, "r1")
    assert job_of(office, job.id).state is JobState.CANCELLED


def test_what_is_to_be_cancelled_is_not_taken_again(office: Office, time: Time) -> None:
    start(office, "verification", {})
    job = claimed(office)
    cancel(office, job.id)
    time.passes(LEASE + 1)
    assert claim(office, "r2") is None
    assert job_of(office, job.id).state is JobState.CANCELLED


def test_what_is_done_cannot_be_cancelled(office: Office) -> None:
    start(office, "verification", {})
    job = claimed(office)
    finish(office, job, "r1", 1)
    cancel(office, job.id)
    assert job_of(office, job.id).state is JobState.DONE
    assert not job_of(office, job.id).is_being_cancelled


def test_nobody_may_have_too_much_waiting(office: Office) -> None:
    for number in range(MOST_WAITING):
        start(office, "verification", {"seq": number}, "ana")
    with pytest.raises(Conflict):
        start(office, "verification", {"seq": -1}, "ana")
    assert start(office, "verification", {"seq": -1}, "luis")


def test_jobs_are_listed_by_account(office: Office, time: Time) -> None:
    first = start(office, "verification", {"seq": 1}, "ana")
    time.passes(1)
    second = start(office, "verification", {"seq": 2}, "luis")
    assert [job.id for job in jobs(office)] == [second, first]
    assert [job.id for job in jobs(office, "ana")] == [first]


def test_old_jobs_are_forgotten_but_not_those_that_wait(office: Office, time: Time) -> None:
    old = start(office, "verification", {"seq": 1})
    finish(office, claimed(office), "r1", 1)
    waits = start(office, "verification", {"seq": 2})
    time.passes(KEPT_DAYS * 86_400 + 1)
    forget_old(office)
    assert [job.id for job in jobs(office)] == [waits]
    with pytest.raises(NotFound):
        job_of(office, old)
