"""Submissions as they are kept, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from ledger.identifiers import Seq
from web.office import submissions as kept
from web.office.store import Office, open_office
from web.office.submissions import (
    OPEN,
    KeptPreview,
    Submission,
    SubmissionState,
    SubmittedFile,
)

FILE = SubmittedFile("a" * 64, b"\0\xff" * 1000)
FIRST = Submission(
    id="first", kind="document", state=SubmissionState.DRAFT, account="eva", turn=1, version=1,
    title="Ñuñoa", content='{"file":"Ñuñoa"}', sha256=FILE.sha256, made_at=10, changed_at=10,
    decided_by=None, commit_id=None,
)  # fmt: skip


@pytest.fixture
def office(office_url: str) -> Iterator[Office]:
    opened = open_office(office_url)
    with opened.writing() as connection:
        kept.add(connection, FIRST, FILE)
    yield opened
    opened.close()


def test_what_is_added_is_found_with_its_file(office: Office) -> None:
    with office.reading() as connection:
        assert kept.find(connection, "first") == FIRST
        assert kept.find(connection, "other") is None
        assert kept.data_of(connection, FIRST) == FILE.data
        assert [(step.number, step.what) for step in kept.steps(connection, "first")] == [
            (1, "draft")
        ]


def test_a_step_is_taken_once_by_who_saw_the_turn(office: Office) -> None:
    handed_in = {"state": SubmissionState.HANDED_IN, "account": "eva", "at": 20}
    with office.writing() as connection:
        assert kept.take_step(connection, FIRST, **handed_in)  # type: ignore[arg-type]
        assert not kept.take_step(connection, FIRST, **handed_in)  # type: ignore[arg-type]
        found = kept.find(connection, "first")
    assert found is not None
    assert (found.turn, found.state, found.changed_at) == (2, SubmissionState.HANDED_IN, 20)


def test_they_are_listed_by_who_changed_last_page_by_page(office: Office) -> None:
    with office.writing() as connection:
        for number in range(5):
            other = replace(FIRST, id=f"n{number}", changed_at=20 + number // 2, account="ivan")
            kept.add(connection, other, None)
    with office.reading() as connection:
        every = kept.listed(connection, states=OPEN, limit=100)
        assert [each.id for each in every] == ["n4", "n3", "n2", "n1", "n0", "first"]
        paged, before = [], None
        while page := kept.listed(connection, states=OPEN, before=before, limit=2):
            paged += page
            before = page[-1].changed_at, page[-1].id
        assert paged == every
        assert kept.listed(connection, account="eva", states=OPEN, limit=9) == [FIRST]
        assert kept.listed(connection, states=frozenset(SubmissionState) - OPEN, limit=9) == []
        assert kept.open_count(connection, "ivan") == 5


def test_of_previews_the_newest_are_kept(office: Office) -> None:
    with office.writing() as connection:
        for seq in range(1, 13):
            kept.keep_preview(connection, FIRST, KeptPreview(1, Seq(seq), f"{seq:064x}", "{}"))
            kept.keep_preview(connection, FIRST, KeptPreview(1, Seq(seq), "again", "{}"))
    with office.reading() as connection:
        last = kept.last_preview(connection, FIRST)
        assert last == KeptPreview(1, Seq(12), f"{12:064x}", "{}")
        assert kept.preview_at(connection, FIRST, Seq(12)) == last
        assert kept.preview_at(connection, FIRST, Seq(4)) is None
        assert kept.preview_at(connection, FIRST, Seq(5)) is not None
        assert kept.preview_at(connection, replace(FIRST, version=2), Seq(12)) is None
        assert kept.preview_seen(connection, FIRST, f"{12:064x}") == last


def test_a_link_ends_with_its_time_and_with_all_others(office: Office) -> None:
    with office.writing() as connection:
        kept.share(connection, FIRST, b"1", 100)
        kept.share(connection, FIRST, b"2", 200)
        assert kept.links(connection, FIRST, 150) == [200]
        assert kept.shared(connection, b"1", 99) == FIRST
        assert kept.shared(connection, b"1", 100) is None
        assert kept.shared(connection, b"3", 0) is None
        kept.unshare(connection, FIRST)
        assert kept.shared(connection, b"2", 0) is None


def test_what_is_old_and_decided_is_forgotten_but_what_others_use(office: Office) -> None:
    done = {"state": SubmissionState.REFUSED, "account": "ana", "at": 20}
    with office.writing() as connection:
        kept.keep_preview(connection, FIRST, KeptPreview(1, Seq(1), "d", "{}"))
        kept.take_step(connection, FIRST, **done)  # type: ignore[arg-type]
        kept.forget_old(connection, 20)
        assert kept.last_preview(connection, FIRST) is not None
        twin = replace(FIRST, id="twin", changed_at=30)
        kept.add(connection, twin, FILE)
        kept.forget_old(connection, 21)
        assert kept.last_preview(connection, FIRST) is None
        assert kept.data_of(connection, twin) == FILE.data
        kept.take_step(connection, twin, **{**done, "at": 40})  # type: ignore[arg-type]
        kept.forget_old(connection, 41)
        assert kept.data_of(connection, twin) == b""


def test_of_what_is_withdrawn_nothing_is_kept_though_others_have_the_same_file(
    office: Office,
) -> None:
    gone = {"state": SubmissionState.WITHDRAWN, "account": "eva", "at": 20}
    seen = KeptPreview(1, Seq(1), "d", "{}")
    with office.writing() as connection:
        twin = replace(FIRST, id="twin")
        kept.add(connection, twin, FILE)
        kept.keep_preview(connection, FIRST, seen)
        kept.share(connection, FIRST, b"1", 10**12)
        kept.take_step(connection, FIRST, **gone)  # type: ignore[arg-type]
        kept.forget_old(connection, 0)
        assert kept.shared(connection, b"1", 0) is None
        assert kept.last_preview(connection, FIRST) is None
        kept.keep_preview(connection, FIRST, seen)  # a job was making it
        assert kept.last_preview(connection, FIRST) is None
        now = kept.find(connection, "first")
        assert now is not None
        assert (kept.has_file(connection, now), kept.data_of(connection, now)) == (False, b"")
        assert kept.data_of(connection, twin) == FILE.data
