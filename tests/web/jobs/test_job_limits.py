"""A preview that takes too much says so, and jobs of other kinds have their turn meanwhile."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.service.archives import open_ledger
from ledger.service.ledger import Ledger
from ledger.wording import LANGUAGES
from tests.intake.trf.writing import file, player
from tests.ledgers import NOW
from tests.web.jobs.conftest import awaited, is_over
from web.jobs import kinds
from web.jobs import runner as running
from web.jobs.kinds import KINDS, OF_A_LOOK, JobKind, JobLimits, limits_of
from web.jobs.process import order
from web.jobs.runner import AT_ONCE, Runner
from web.office.jobs import Job, JobState, claim, is_stuck, job_of, start
from web.office.store import Office
from web.office.submissions import SubmittedFile
from web.settings import WebSettings
from web.site import Site
from web.submissions.contents import MOST_GAMES, DocumentContent
from web.submissions.decisions import SubmissionDesk
from web.submissions.previews import PreviewAwaited

UNIT = Path(__file__).parents[3] / "docs" / "deploy" / "rating-ledger.service"
PATIENCE = 300.0  # seconds: what is limited is the time of computing


@pytest.fixture
def desk(settings: WebSettings, office: Office) -> Iterator[SubmissionDesk]:
    """The desk of the site."""
    journal = open_ledger(settings.ledger)
    yield SubmissionDesk(office, Site(Ledger(journal, lambda: NOW), settings))
    journal.close()


def report(players: int, rounds: int) -> str:
    """Returns a report of so many players who all meet the same opponent in every round."""
    games = ("   2 w 1", "   1 b 0")
    lines = (
        player(number, f"Nina {number}").ljust(89) + f"  {games[number == 2]}" * rounds
        for number in range(1, players + 1)
    )
    return file("012 Copa", *lines).decode()


def looked_at(desk: SubmissionDesk, text: str) -> str:
    """Hands in a text as a large file; returns the job that looks at it."""
    content = DocumentContent(file="copa.trf", games=MOST_GAMES + 1)
    draft = desk.draft("a" * 16, "ana", content, SubmittedFile.of(text.encode()))
    with pytest.raises(PreviewAwaited) as waits:
        desk.preview(draft)
    return waits.value.job.id


def ended(
    settings: WebSettings, office: Office, job: str, limits: JobLimits,
    monkeypatch: pytest.MonkeyPatch,
) -> Job:  # fmt: skip
    """Has a look done that may use so much; returns it when it is over."""
    monkeypatch.setattr("tests.web.jobs.conftest.PATIENCE", PATIENCE)
    monkeypatch.setitem(KINDS, "look", JobKind(kinds.make_preview, limits=limits))
    with Runner(settings, office):
        return awaited(office, job, is_over)


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (JobLimits(memory_mb=250, seconds=200), "it needs more than 250 MB of memory"),
        (JobLimits(memory_mb=1_000, seconds=3), "it needs more than 3 seconds of computing"),
    ],
    ids=["memory", "time"],
)
def test_a_look_that_takes_too_much_fails_in_plain_words_at_its_first_try(
    settings: WebSettings, office: Office, desk: SubmissionDesk, limits: JobLimits, said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    job = looked_at(desk, report(1_500, 900))
    seen = ended(settings, office, job, limits, monkeypatch)
    assert seen.state is JobState.FAILED
    assert seen.problem is not None
    assert seen.problem.keys() == set(LANGUAGES)
    assert seen.problem["en"].startswith(said)
    assert "divide the file" in seen.problem["en"]
    assert "divida el archivo" in seen.problem["es"]
    with office.reading() as connection:
        assert connection.exec_driver_sql("SELECT claims FROM jobs").scalar_one() == 1


def test_a_look_within_its_limits_is_made(
    settings: WebSettings, office: Office, desk: SubmissionDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = looked_at(desk, "id,name\n1,Ana\n2,Beto\n")
    assert ended(settings, office, job, OF_A_LOOK, monkeypatch).state is JobState.DONE
    assert desk.preview(desk.found("a" * 16)).can_be_recorded


def test_only_looks_at_files_of_strangers_are_limited() -> None:
    assert {name for name, kind in KINDS.items() if kind.limits} == {"look"}
    assert KINDS["look"].limits == OF_A_LOOK


def test_a_job_that_no_kind_does_is_left_to_its_process(
    settings: WebSettings, office: Office
) -> None:
    """A later version began it; that process says that it cannot be done."""
    job = job_of(office, start(office, "tomorrow", {}))
    assert limits_of(job) is None
    assert '"limits": null' in order(settings, job, "r1")


class _Waits:
    """Stands for a process that does not end."""

    def __init__(self, _settings: WebSettings, job: Job, runner: str) -> None:
        self.job = job
        self.runner = runner

    def has_ended(self) -> bool:
        return False


def test_slow_jobs_of_one_kind_keep_no_other_kind_waiting(
    settings: WebSettings, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "_Running", _Waits)
    looks = [start(office, "look", {"submission": str(n), "version": 1}, "ana") for n in range(3)]
    others = [start(office, kind, {}) for kind in ("verification", "record")]
    runner: Any = Runner(settings, office)
    runner._look()
    runner._look()
    states = {job: job_of(office, job).state for job in (*looks, *others)}
    assert [job for job in states if states[job] is JobState.RUNNING] == [looks[0], *others]
    assert len(runner._running) == AT_ONCE
    assert not is_stuck(office)


def test_when_one_of_a_kind_is_over_the_next_has_its_turn(office: Office) -> None:
    first, second = (start(office, "look", {"n": n}) for n in range(2))
    claimed = claim(office, "r1")
    assert claimed is not None
    assert claimed.id == first
    assert claim(office, "r2", {"look"}) is None
    later = claim(office, "r2", {"verification"})
    assert later is not None
    assert later.id == second


def test_the_unit_of_systemd_goes_on_when_a_job_took_too_much() -> None:
    unit = dict(re.findall(r"^(\w+)=(.*)$", UNIT.read_text("utf-8"), re.MULTILINE))
    assert unit["OOMPolicy"] == "continue"
    gigabytes = re.fullmatch(r"(\d+)G", unit["MemoryMax"])
    assert gigabytes is not None
    assert OF_A_LOOK.memory_mb <= int(gigabytes[1]) * 1024 / 2
