"""Offices beside ledgers that jobs are done on."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from web.office.jobs import Job, JobState, job_of
from web.office.store import Office, office_beside, open_office
from web.settings import WebSettings

PATIENCE = 300.0  # seconds: a job gives way to whoever else works on the machine
_T = TypeVar("_T")


@pytest.fixture
def ledger_db(demo_db: Path, tmp_path: Path) -> Path:
    """A copy of the shipped example."""
    return Path(shutil.copy(demo_db, tmp_path / "ledger.db"))


@pytest.fixture
def settings(ledger_db: Path, tmp_path: Path) -> WebSettings:
    """A site over it, with an office; no job is begun by itself."""
    place = office_beside(str(ledger_db))
    return WebSettings(
        ledger=str(ledger_db), origin="http://x", cache=tmp_path / "cache", office=place,
        has_data=False,
    )  # fmt: skip


@pytest.fixture
def office(settings: WebSettings) -> Iterator[Office]:
    """Its office."""
    assert settings.office is not None
    opened = open_office(settings.office)
    yield opened
    opened.close()


def awaited(office: Office, job: str, is_there: Callable[[Job], bool]) -> Job:
    """Returns a job as soon as something is true of it."""
    return awaited_of(lambda: job_of(office, job), is_there)


def awaited_of(look: Callable[[], _T], is_there: Callable[[_T], bool]) -> _T:
    """Returns what is seen as soon as something is true of it."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        seen = look()
        if is_there(seen):
            return seen
        time.sleep(0.02)
    raise AssertionError(f"it is still {look()}")


def is_over(job: Job) -> bool:
    return job.is_over


def is_running(job: Job) -> bool:
    return job.state is JobState.RUNNING
