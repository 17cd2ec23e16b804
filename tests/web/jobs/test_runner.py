"""Jobs are done by processes of their own, whatever dies on the way."""

from __future__ import annotations

import datetime as dt
import io
import json
import signal
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from ledger.errors import DatabaseError
from ledger.journal.interface import Journal
from ledger.service.archives import open_ledger
from ledger.service.ledger import Ledger
from ledger.trust.verification import verify
from tests.ledgers import NOW
from tests.web.jobs.conftest import awaited, awaited_of, is_over, is_running
from tests.web.serving import served
from web.jobs import process as working
from web.jobs import runner as running
from web.jobs.kinds import KINDS, Assignment, JobKind, Stopped
from web.jobs.process import JobInHand, order
from web.jobs.runner import Prefetch, Runner
from web.office import ceremonies, store
from web.office.ceremonies import SECONDS
from web.office.jobs import MOST_CLAIMS, JobState, cancel, claim, job_of, start
from web.office.schema import CEREMONIES
from web.office.store import Office, open_office
from web.settings import WebSettings


def test_a_verification_says_what_the_command_says(
    settings: WebSettings, office: Office, ledger_db: Path
) -> None:
    job = start(office, "verification", {})
    with Runner(settings, office):
        seen = awaited(office, job, is_over)
    assert seen.state is JobState.DONE, seen
    journal = open_ledger(str(ledger_db))
    expected = verify(Ledger(journal, lambda: NOW)).data("es")
    journal.close()
    assert seen.result["es"] == expected
    assert seen.result["seq"] > 0


def test_a_job_whose_process_is_killed_is_done_by_another(
    settings: WebSettings, office: Office
) -> None:
    job = start(office, "verification", {})
    with Runner(settings, office) as runner:
        awaited(office, job, lambda _: bool(runner._running))
        (one,) = runner._running
        one._process.kill()
        assert awaited(office, job, is_over).state is JobState.DONE


def test_jobs_are_given_back_when_the_site_stops(settings: WebSettings, office: Office) -> None:
    job = start(office, "verification", {})
    with Runner(settings, office):
        awaited(office, job, is_running)
    assert job_of(office, job).state in {JobState.WAITING, JobState.DONE}
    with Runner(settings, office):
        assert awaited(office, job, is_over).state is JobState.DONE


def test_a_job_whose_process_had_to_be_killed_is_given_back_too(
    settings: WebSettings, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.jobs.runner._PATIENCE", 0)
    job = start(office, "verification", {})
    with Runner(settings, office):
        awaited(office, job, is_running)
    assert job_of(office, job).state in {JobState.WAITING, JobState.DONE}


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM])
def test_a_job_outlives_the_site(
    office: Office, ledger_db: Path, tmp_path: Path, by: signal.Signals
) -> None:
    with served(ledger_db, log=tmp_path / "log") as site:
        job = start(office, "verification", {})
        awaited(office, job, is_running)
        site.stop(by)
    with served(ledger_db, log=tmp_path / "log"):
        assert awaited(office, job, is_over).state is JobState.DONE
    assert "Traceback" not in (tmp_path / "log").read_text("utf-8")


def given(settings: WebSettings, office: Office, kind: str) -> tuple[str, io.StringIO]:
    """Has a kind begun in this process; returns the job and what its process is told."""
    job = start(office, kind, {})
    claimed = claim(office, "r1")
    assert claimed is not None
    return job, io.StringIO(order(settings, claimed, "r1") + "\n")


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job may be done in this process: nobody listens whether the site stops."""
    monkeypatch.setattr(JobInHand, "listen", lambda _self, _told: None)
    monkeypatch.setattr("os.nice", lambda _by: None)


@pytest.mark.usefixtures("here")
def test_a_cancelled_job_stops_at_its_next_word(
    settings: WebSettings, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    words: list[str] = []

    def goes_on(work: Assignment) -> None:
        cancel(work.office, job)
        while True:
            work.ledger.progress("verify", len(words), 0)
            words.append("one more")

    monkeypatch.setitem(KINDS, "verification", JobKind(goes_on))
    job, told = given(settings, office, "verification")
    monkeypatch.setattr(working, "BEAT", 0.01)
    working.work(told)
    assert job_of(office, job).state is JobState.CANCELLED
    assert words


@pytest.mark.usefixtures("here")
def test_a_fault_of_the_program_is_written_down_without_its_words(
    settings: WebSettings, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_work: Assignment) -> None:
        raise ValueError("Ana, born in 1990")

    monkeypatch.setitem(KINDS, "verification", JobKind(fails))
    job, told = given(settings, office, "verification")
    working.work(told)
    seen = job_of(office, job)
    assert seen.state is JobState.FAILED
    assert "Ana" not in json.dumps(seen.problem)


@pytest.mark.usefixtures("here")
def test_a_job_has_the_federations_clock(
    settings: WebSettings, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    zones: list[dt.tzinfo | None] = []
    kind = JobKind(lambda work: zones.append(work.ledger.clock().tzinfo))
    monkeypatch.setitem(KINDS, "verification", kind)
    _, told = given(replace(settings, time_zone="America/Santiago"), office, "verification")
    working.work(told)
    assert zones == [ZoneInfo("America/Santiago")]


@pytest.mark.parametrize("fault", [OSError("no process to be had"), ValueError("a bug")])
def test_jobs_go_on_after_whatever_went_wrong(
    settings: WebSettings, office: Office, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    begun = running._Running.__init__
    faults = [fault] * (MOST_CLAIMS - 1)

    def fails(self: running._Running, *said: Any) -> None:
        if faults:
            raise faults.pop()
        begun(self, *said)

    monkeypatch.setattr(running._Running, "__init__", fails)
    monkeypatch.setattr(running, "_PAUSE", 0.01)
    job = start(office, "read_models", {})
    with Runner(settings, office) as runner:
        assert awaited(office, job, is_over).state is JobState.DONE
        assert runner._thread.is_alive()


def test_jobs_are_done_also_where_nobody_looks_ahead(
    settings: WebSettings, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_self: Prefetch, _journal: Journal) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr(Prefetch, "look_at", fails)
    job = start(office, "read_models", {})
    with Runner(settings, office):
        assert awaited(office, job, is_over).state is JobState.DONE


def test_a_job_says_again_that_it_goes_on_after_whatever_went_wrong(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(office, "read_models", {})
    job = claim(office, "r1")
    assert job is not None
    words = [ValueError("a bug"), DatabaseError("database.locked", url="x")]

    def said(*_said: Any) -> bool:
        if words:
            raise words.pop()
        return False

    monkeypatch.setattr(working, "beat", said)
    monkeypatch.setattr(working, "BEAT", 0.01)
    hands = JobInHand(office, job, "r1")
    hands.beat()
    with pytest.raises(Stopped):
        hands.progress("models", 1, 2)


def test_to_be_stopped_is_no_error_that_a_kind_could_catch() -> None:
    assert not issubclass(Stopped, Exception)


def test_what_was_begun_and_never_ended_is_thrown_away(
    settings: WebSettings, office: Office
) -> None:
    now = office.now()
    with office.writing() as connection:
        ceremonies.begin(connection, "signature", {"of": "Quillfeather"}, now - SECONDS)
        ceremonies.begin(connection, "signature", {"of": "Soto"}, now)

    def left() -> list[str]:
        with office.reading() as connection:
            return list(connection.scalars(select(CEREMONIES.c.data)))

    with Runner(settings, office):
        assert awaited_of(left, lambda seen: len(seen) < 2) == ['{"of": "Soto"}']


def test_an_office_that_is_locked_is_asked_again(
    settings: WebSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert settings.office is not None
    monkeypatch.setattr(store, "_SECONDS", 1)  # of waiting for the lock
    with closing(open_office(settings.office)) as office:
        with office.writing(), Runner(settings, office):
            pass  # it ends, although it could not write
        job = start(office, "verification", {})
        with Runner(settings, office):
            assert awaited(office, job, is_over).state is JobState.DONE
