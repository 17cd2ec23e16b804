"""Out of any store and into any other, everything is what it was."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import astuple, replace
from pathlib import Path

import pytest

from ledger.answers.lists import regenerate
from ledger.archive.journal import ArchiveJournal
from ledger.archive.manifest import NAME
from ledger.archive.proof import prove
from ledger.archive.writer import write_archive
from ledger.errors import Conflict, DatabaseError, InputRefused, VerificationFailed
from ledger.journal.interface import HeadMoved, Journal
from ledger.journal.records import Commit, StoredEvent
from ledger.journal.stores.database import open_journal, upgrade
from ledger.journal.stores.memory import MemoryJournal
from ledger.journal.verify.walk import Walk
from ledger.lists.rating_list import RatingList
from ledger.service import archives
from ledger.service.ledger import Ledger
from ledger.trust.verification import verify
from tests.archive.club import bytes_of, everything, filled, restore
from tests.journal.drafts import append, draft, fill, game
from tests.ledgers import NOW, empty_ledger

EDITIONS = (("2010-07", 1), ("2010-07", 2), ("2010-08", 1))


def ledger_on(journal: Journal) -> Ledger:
    return Ledger(journal, clock=lambda: NOW)


def lasting(files: dict[str, bytes]) -> dict[str, bytes]:
    """Returns the files that every store makes alike: segments are not taken over."""
    return {
        name: data
        for name, data in files.items()
        if name != NAME and not name.startswith("segments/")
    }


def test_everything_is_restored_on_every_store(journal: Journal, folder: Path) -> None:
    archive = ArchiveJournal(folder)
    assert restore(archive, journal)
    assert not list(journal.segments()), "a stranger's are not taken over"
    assert everything(journal)[:-1] == everything(archive)[:-1]
    assert journal.head() == archive.head()
    ledger_on(journal).facts()
    assert list(journal.segments()), "they are made of the events"
    assert verify(ledger_on(journal)).findings == ()


def test_every_store_is_archived_alike(journal: Journal, tmp_path: Path, folder: Path) -> None:
    restore(ArchiveJournal(folder), journal)
    write_archive(journal, tmp_path / "again")
    made, given = bytes_of(tmp_path / "again"), bytes_of(folder)
    assert lasting(made) == lasting(given)


def test_what_was_recorded_on_every_store_is_archived(journal: Journal, tmp_path: Path) -> None:
    ledger = filled(journal)
    write_archive(journal, tmp_path / "out")
    archive = ArchiveJournal(tmp_path / "out")
    assert everything(archive) == everything(journal)
    assert len(archive.manifest.events) > 3
    assert len(list(archive.segments())) > 1
    prove(archive)
    assert verify(ledger_on(archive)).findings == ()
    for period, edition in EDITIONS:
        shown = regenerate(ledger_on(archive), "ENF", period, edition)
        assert shown == regenerate(ledger, "ENF", period, edition)
        assert shown[1] is None


def test_the_columns_of_the_tables_are_restored_to_the_letter(
    sqlite_url: str, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.db", Path(sqlite_url.removeprefix("sqlite:///"))
    upgrade(str(first))
    journal = open_journal(str(first))
    filled(journal)
    write_archive(journal, tmp_path / "out")
    journal.close()
    journal = open_journal(sqlite_url)
    restore(ArchiveJournal(tmp_path / "out"), journal)
    journal.close()
    for table in "commits", "events", "personal":
        rows = []
        for file in first, second:
            with sqlite3.connect(file) as database:
                rows.append(set(database.execute(f"SELECT * FROM {table}")))
            database.close()
        assert rows[0] == rows[1], table
        assert rows[0]


def test_an_empty_ledger_is_an_archive_too(journal: Journal, tmp_path: Path) -> None:
    write_archive(journal, tmp_path / "out")
    archive = ArchiveJournal(tmp_path / "out")
    prove(archive)
    assert archive.head() == journal.head()
    assert everything(archive) == ([], [], {}, [])
    assert not restore(archive, journal)


class TestReading:
    """What ``tests/journal/test_contract.py`` asks of a store, as far as it is read."""

    @pytest.fixture
    def both(self, tmp_path: Path) -> tuple[MemoryJournal, ArchiveJournal]:
        """A journal of 93 events and its archive."""
        journal = MemoryJournal()
        fill(journal)
        for name in ("ñu", "Zeta", "a%", "a_b", "😀"):
            append(journal, draft(*(game(number, name) for number in range(16))))
        append(journal, draft(*(game(number) for number in range(3)), key="last"))
        write_archive(journal, tmp_path / "out")
        return journal, ArchiveJournal(tmp_path / "out")

    @pytest.mark.parametrize(
        ("after", "upto"),
        [(0, None), (0, 0), (3, 7), (29, 30), (29, 31), (30, 60), (59, 93), (92, 99), (93, None)],
    )
    def test_events_from_and_up_to_a_seq(
        self, both: tuple[MemoryJournal, ArchiveJournal], after: int, upto: int | None
    ) -> None:
        journal, archive = both
        wanted = list(journal.events(after=after, upto=upto))
        assert list(archive.events(after=after, upto=upto)) == wanted
        rows = [row for page in archive.pages(after=after, upto=upto) for row in page]
        assert [StoredEvent(*row) for row in rows] == wanted

    def test_streams(self, both: tuple[MemoryJournal, ArchiveJournal]) -> None:
        journal, archive = both
        names = ["tournament:club", "tournament:😀", "player:none"]
        assert list(archive.streams(names)) == list(journal.streams(names))
        assert list(archive.streams(names, upto=80)) == list(journal.streams(names, upto=80))
        assert list(archive.streams([])) == []
        assert archive.recorded(names) == {"tournament:club", "tournament:😀"}
        assert archive.recorded([]) == set()
        assert archive.stream_names("tournament:a") == ["tournament:a%", "tournament:a_b"]
        assert archive.stream_names("") == journal.stream_names("")

    def test_what_is_mentioned(self, both: tuple[MemoryJournal, ArchiveJournal]) -> None:
        journal, archive = both
        for text in ('"w4"', '"W4"', "w%", "😀"):
            streams = journal.stream_names("")
            assert list(archive.mentioning(text, streams)) == list(
                journal.mentioning(text, streams)
            )
            assert not list(archive.mentioning(text, ["player:none"]))

    def test_commits(self, both: tuple[MemoryJournal, ArchiveJournal]) -> None:
        journal, archive = both
        for after in (-(2**62), 0, 3, 9, 99):
            assert list(archive.commits(after=after)) == list(journal.commits(after=after))
        assert archive.commit_with_key("last") == journal.commit_with_key("last")
        assert archive.commit_with_key("none") is None
        assert archive.root_at(10) == journal.root_at(10) is not None
        assert archive.root_at(9) is None

    def test_people(self, both: tuple[MemoryJournal, ArchiveJournal]) -> None:
        journal, archive = both
        one = next(iter(journal.personal_documents()))
        assert archive.personal_documents() == journal.personal_documents()
        assert archive.personal_documents([one, "0" * 64]) == journal.personal_documents([one])
        assert archive.personal_documents([]) == {}

    def test_nothing_is_written(self, both: tuple[MemoryJournal, ArchiveJournal]) -> None:
        _, archive = both
        with pytest.raises(DatabaseError, match="only read"):
            append(archive, draft())
        with pytest.raises(DatabaseError, match="only read"):
            archive.restore(Walk((), ()), ())
        assert not archive.drop_segments()
        assert archive.missing_triggers() == []


class TestWithoutPeople:
    def test_the_documents_are_left_out_and_counted(self, tmp_path: Path) -> None:
        journal = filled().journal
        manifest = write_archive(journal, tmp_path / "out", personal=False)
        assert manifest.missing_identities == len(journal.personal_documents()) > 0
        assert not list((tmp_path / "out").glob("personal*"))
        every = b"".join(bytes_of(tmp_path / "out").values())
        assert "Ruiz" in "".join(journal.personal_documents().values())
        assert b"Ruiz" not in every
        target = MemoryJournal()
        made = archives.import_archive(ledger_on(target), tmp_path / "out")
        assert made.data()["personal_missing"] == manifest.missing_identities
        assert target.personal_documents() == {}
        assert target.head() == journal.head()

    def test_nobody_is_missed_where_the_manifest_says_so(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        journal = filled().journal
        manifest = write_archive(journal, tmp_path / "out", personal=False)
        archive = ArchiveJournal(tmp_path / "out")
        found = verify(ledger_on(archive))
        assert (found.findings, found.lists) == ((), len(EDITIONS))
        assert found.left_out == found.integrity.lost == manifest.identities
        monkeypatch.setattr(RatingList, "ratings_sha256", lambda _: "0" * 64)
        wrong = verify(ledger_on(archive)).findings
        assert [finding.message.key for finding in wrong] == ["verify.list_digest"] * len(EDITIONS)
        assert "its replay gives 0000" in str(wrong[0].message)

    def test_a_restored_ledger_misses_them(self, tmp_path: Path) -> None:
        write_archive(filled().journal, tmp_path / "out", personal=False)
        target = MemoryJournal()
        restore(ArchiveJournal(tmp_path / "out"), target)
        found = verify(ledger_on(target))
        assert (found.left_out, found.findings[0].message.key) == (0, "verify.personal_gone")

    def test_a_lost_document_is_missed_in_an_archive(self, tmp_path: Path) -> None:
        journal = MemoryJournal()
        filled(journal)
        del journal._personal[next(iter(journal.personal_documents()))]
        write_archive(journal, tmp_path / "out")
        found = verify(ledger_on(ArchiveJournal(tmp_path / "out")))
        assert (found.left_out, found.integrity.lost) == (0, 1)
        assert found.findings[0].message.key == "verify.personal_gone"

    def test_who_was_erased_is_missing_and_the_rest_is_there(self, tmp_path: Path) -> None:
        journal = MemoryJournal()
        filled(journal)
        erased = next(iter(journal.personal_documents()))
        del journal._personal[erased]
        manifest = write_archive(journal, tmp_path / "out")
        assert manifest.missing_identities == 1
        target = MemoryJournal()
        restore(ArchiveJournal(tmp_path / "out"), target)
        assert target.personal_documents() == journal.personal_documents()


class TestIntoALedger:
    def test_twice_is_once(self, journal: Journal, folder: Path) -> None:
        archive = ArchiveJournal(folder)
        assert restore(archive, journal)
        before = everything(journal)
        assert not restore(archive, journal)
        assert everything(journal) == before

    def test_with_another_history_it_is_refused(self, journal: Journal, folder: Path) -> None:
        fill(journal)
        before = everything(journal)
        with pytest.raises(Conflict) as conflict:
            restore(ArchiveJournal(folder), journal)
        assert conflict.value.message.key == "archive.other_history"
        assert everything(journal) == before

    def test_that_goes_on_it_is_refused(self, journal: Journal, folder: Path) -> None:
        restore(ArchiveJournal(folder), journal)
        append(journal, draft())
        with pytest.raises(Conflict):
            restore(ArchiveJournal(folder), journal)

    def test_somebody_else_was_faster(self, journal: Journal, folder: Path) -> None:
        fill(journal)
        archive = ArchiveJournal(folder)
        with pytest.raises(HeadMoved):
            journal.restore(Walk(archive.commits(), archive.pages()), ())

    @pytest.mark.parametrize("where", ["commits", "people"])
    def test_interrupted_nothing_is_stored(
        self, journal: Journal, folder: Path, where: str
    ) -> None:
        archive = ArchiveJournal(folder)
        before = everything(journal)

        def until(values: object, last: int) -> object:
            for done, value in enumerate(values):  # type: ignore[arg-type,var-annotated]
                if done == last:
                    raise KeyboardInterrupt
                yield value

        pages = archive.pages()
        history = Walk(
            archive.commits(),
            until(pages, 10) if where == "commits" else pages,  # type: ignore[arg-type]
        )
        people = archive.personal()
        with pytest.raises(KeyboardInterrupt):
            journal.restore(
                history,
                until(people, 3) if where == "people" else people,  # type: ignore[arg-type]
            )
        assert everything(journal) == before
        assert restore(archive, journal)

    def test_a_dry_run_proves_and_stores_nothing(self, folder: Path) -> None:
        ledger = empty_ledger()
        made = archives.import_archive(ledger, folder, dry_run=True)
        assert not made.done
        assert ledger.journal.head().seq == 0


class TestAnUnsoundHistory:
    """A store takes nothing that is not what its hashes say, wherever it comes from."""

    @pytest.fixture
    def history(self) -> tuple[list[Commit], list[StoredEvent]]:
        journal = MemoryJournal()
        fill(journal)
        return list(journal.commits()), list(journal.events())

    @pytest.mark.parametrize(
        ("at", "changed", "key"),
        [
            (4, {"payload": "{}"}, "verify.leaf"),
            (4, {"effective_on": "2020-01-01"}, "verify.leaf"),
            (4, {"leaf_hash": "0" * 64}, "verify.leaf"),
            (4, {"event_id": "0" * 32}, "verify.leaf"),
            (4, {"commit_id": 1}, "verify.column"),
            (4, {"seq": 4}, "verify.leaf"),
            (4, {"seq": 6}, "verify.seq_missing"),
        ],
    )
    def test_an_event_that_was_changed(
        self,
        journal: Journal,
        history: tuple[list[Commit], list[StoredEvent]],
        at: int,
        changed: dict[str, object],
        key: str,
    ) -> None:
        commits, events = history
        events[at] = replace(events[at], **changed)  # type: ignore[arg-type]
        self.refused(journal, commits, events, key)

    @pytest.mark.parametrize(
        ("changed", "key"),
        [
            ({"actor": "Eva"}, "verify.leaf"),
            ({"recorded_at": "2020-01-01T00:00:00.000000Z"}, "verify.leaf"),
            ({"root": "0" * 64}, "verify.root"),
            ({"peaks": ""}, "verify.root"),
            ({"commit_id": 3}, "verify.commit_missing"),
            ({"first_seq": 5}, "verify.commit_range"),
            ({"last_seq": 9}, "verify.leaf"),
        ],
    )
    def test_a_commit_that_was_changed(
        self,
        journal: Journal,
        history: tuple[list[Commit], list[StoredEvent]],
        changed: dict[str, object],
        key: str,
    ) -> None:
        commits, events = history
        commits[1] = replace(commits[1], **changed)  # type: ignore[arg-type]
        self.refused(journal, commits, events, key)

    def test_what_is_left_out_or_added(
        self, journal: Journal, history: tuple[list[Commit], list[StoredEvent]]
    ) -> None:
        commits, events = history
        self.refused(journal, commits, events[:-1], "verify.seq_missing")
        self.refused(journal, commits, [*events[:5], *events[6:]], "verify.seq_missing")
        self.refused(journal, commits[:-1], events, "verify.orphan")
        self.refused(journal, [commits[0], *commits[2:]], events, "verify.commit_missing")

    def refused(
        self, journal: Journal, commits: list[Commit], events: list[StoredEvent], key: str
    ) -> None:
        with pytest.raises(VerificationFailed) as failure:
            journal.restore(Walk(commits, [[*map(astuple, events)]]), ())
        assert failure.value.message.key == key
        assert journal.head().seq == 0
        assert list(journal.events()) == []


class TestExport:
    def test_a_folder_with_something_in_it_is_not_touched(self, tmp_path: Path) -> None:
        (tmp_path / "note.txt").write_text("mine")
        for place in (tmp_path, tmp_path / "note.txt"):
            with pytest.raises(InputRefused):
                write_archive(MemoryJournal(), place)
        assert [path.name for path in tmp_path.iterdir()] == ["note.txt"]

    def test_an_empty_folder_is_used(self, tmp_path: Path) -> None:
        (tmp_path / "out").mkdir()
        write_archive(MemoryJournal(), tmp_path / "out")
        assert (tmp_path / "out" / NAME).exists()

    def test_interrupted_it_leaves_nothing(self, tmp_path: Path) -> None:
        def stop(*_: object) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            write_archive(filled().journal, tmp_path / "out", progress=stop)
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize(("number", "key"), [(28, "archive.full"), (5, "archive.cannot_write")])
    def test_a_disk_that_fails_leaves_nothing(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, key: str
    ) -> None:
        def fails(_descriptor: int) -> None:
            raise OSError(number, "no")

        journal = filled().journal
        monkeypatch.setattr("os.fsync", fails)
        with pytest.raises(DatabaseError) as error:
            write_archive(journal, tmp_path / "out")
        assert error.value.message.key == key
        assert list(tmp_path.iterdir()) == []

    def test_a_ledger_that_was_changed_is_not_archived(self, tmp_path: Path) -> None:
        journal = MemoryJournal()
        filled(journal)
        journal._events[50] = replace(journal._events[50], effective_on="2010-01-01")
        with pytest.raises(VerificationFailed) as failure:
            write_archive(journal, tmp_path / "out")
        assert dict(failure.value.message.values)["seq"] == 51
        assert list(tmp_path.iterdir()) == []

    def test_segments_that_the_ledger_would_not_read_are_left_out(self, tmp_path: Path) -> None:
        journal = MemoryJournal()
        filled(journal)
        last = list(journal.segments())[-1]
        journal._segments[last.first_seq] = replace(last, heading=b"x")
        write_archive(journal, tmp_path / "out")
        there = list(ArchiveJournal(tmp_path / "out").segments())
        assert there == list(journal.segments())[:-1]

    def test_what_is_appended_meanwhile_is_not_in_it(self, tmp_path: Path) -> None:
        journal = MemoryJournal()
        filled(journal)
        before = journal.head()
        seen: list[int] = []

        def busy(_what: str, done: int, _total: int) -> None:
            if not seen:
                append(journal, draft())
            seen.append(done)

        write_archive(journal, tmp_path / "out", progress=busy)
        archive = ArchiveJournal(tmp_path / "out")
        prove(archive)
        assert archive.head() == before != journal.head()

    def test_the_manifest_names_every_published_list(self, folder: Path) -> None:
        said = json.loads((folder / NAME).read_text(encoding="utf-8"))
        assert [(one["period"], one["edition"]) for one in said["lists"]] == [
            ("2010-07", 1),
            ("2010-08", 1),
            ("2010-07", 2),
        ]
        assert set(said["lists"][0]) == {
            "seq", "list", "period", "edition", "published_on", "basis", "row_count",
            "output_sha256", "ratings_sha256", "rows_root",
        }  # fmt: skip
