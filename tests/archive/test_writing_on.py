"""An archive is written on: only what is new is written, and at any time the folder opens."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from operator import attrgetter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ledger.archive import document_source, writer
from ledger.archive.document_source import DocumentsLost
from ledger.archive.journal import ArchiveJournal
from ledger.archive.manifest import NAME, read_manifest, unnamed_files
from ledger.archive.proof import prove
from ledger.archive.writer import write_archive
from ledger.errors import Conflict, DatabaseError, InputRefused, NotFound, VerificationFailed
from ledger.journal.interface import Journal
from ledger.journal.past import PastJournal
from ledger.journal.stores.database import open_journal
from ledger.journal.stores.memory import MemoryJournal
from ledger.journal.transfer import Transfer
from ledger.operations.commands import ErasePlayer
from ledger.service.erasures import erase_player
from ledger.service.ledger import Ledger
from ledger.trust.verification import verify
from ledger.wording import Message
from tests.archive.club import bytes_of, cut_small, everything, filled, restore
from tests.journal.drafts import append, draft, fill, game, with_people
from tests.ledgers import NOW, request, with_july_published

RELEASED = Path(__file__).parents[1] / "golden" / "release_0_1_0" / "archive"


def grow(journal: Journal, number: int, games: int = 3) -> None:
    """Appends some people and some games."""
    append(journal, with_people(f"p{number}", f"q{number}"))
    append(journal, draft(*(game(each, f"cup-{number}") for each in range(games))))


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> set[str]:
    """Returns the files that are new, gone or other ones, but the manifest and the lock."""
    names = before.keys() | after.keys()
    return {name for name in names if before.get(name) != after.get(name)} - {NAME, ".lock"}


class TestWhatIsNew:
    def test_only_that_is_written(self, journal: Journal, tmp_path: Path) -> None:
        fill(journal)
        write_archive(journal, tmp_path / "out")
        for number in range(3):
            before = bytes_of(tmp_path / "out")
            grow(journal, number)
            write_archive(journal, tmp_path / "out")
            new = changed(before, bytes_of(tmp_path / "out"))
            digits = f"{number + 2:06}"
            assert new == {f"{t}/{digits}.parquet" for t in ("commits", "events", "personal")}
        archive = ArchiveJournal(tmp_path / "out")
        prove(archive)
        assert everything(archive) == everything(journal)
        assert archive.head() == journal.head()
        assert unnamed_files(tmp_path / "out", archive.manifest) == []

    def test_nothing_is_written_where_nothing_is_new(self, tmp_path: Path) -> None:
        journal = filled().journal
        made = write_archive(journal, tmp_path / "out")
        before = bytes_of(tmp_path / "out")
        assert write_archive(journal, tmp_path / "out") == made
        assert bytes_of(tmp_path / "out") == before | {".lock": b""}

    def test_an_empty_archive_is_written_on(self, journal: Journal, tmp_path: Path) -> None:
        write_archive(journal, tmp_path / "out")
        fill(journal)
        write_archive(journal, tmp_path / "out")
        archive = ArchiveJournal(tmp_path / "out")
        prove(archive)
        assert everything(archive) == everything(journal)

    def test_it_holds_what_a_new_one_would(self, tmp_path: Path) -> None:
        whole = filled().journal
        for upto in (0, 40, 100, whole.head().seq):
            write_archive(PastJournal(whole, upto), tmp_path / "out")
        write_archive(whole, tmp_path / "new")
        on, new = ArchiveJournal(tmp_path / "out"), ArchiveJournal(tmp_path / "new")
        prove(on)
        assert everything(on) == everything(new)
        assert on.manifest.lists == new.manifest.lists
        assert on.manifest.identities == new.manifest.identities
        assert verify(Ledger(on, clock=lambda: NOW)).findings == ()

    def test_an_archive_of_the_first_release_is_written_on(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.undo()  # its files are as long as they really are
        folder = Path(shutil.copytree(RELEASED, tmp_path / "archive"))
        journal = MemoryJournal()
        restore(ArchiveJournal(folder), journal)
        grow(journal, 1)
        write_archive(journal, folder)
        archive = ArchiveJournal(folder)
        prove(archive)
        assert everything(archive)[:3] == everything(journal)[:3]
        assert (folder / "commits.parquet").is_file(), "what was written stays"

    def test_short_files_are_put_together_when_there_are_many(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(writer, "MOST_SHORT", 4)
        journal = MemoryJournal()
        fill(journal)
        for number in range(30):
            grow(journal, number, games=number % 7 + 1)
            manifest = write_archive(journal, tmp_path / "out")
            for _, parts in manifest.tables:
                assert sum(part.rows < 30 for part in parts) <= 4 + len(manifest.segments)
        archive = ArchiveJournal(tmp_path / "out")
        prove(archive)
        assert everything(archive) == everything(journal)
        assert unnamed_files(tmp_path / "out", archive.manifest) == []

    def test_it_begins_anew_within_a_long_commit(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A short file may begin in the middle of a commit, where no tree is known."""
        monkeypatch.setattr(writer, "MOST_SHORT", 1)
        journal = MemoryJournal()
        append(journal, draft(*(game(number) for number in range(70))))
        for number in range(3):
            write_archive(journal, tmp_path / "out")
            grow(journal, number)
        write_archive(journal, tmp_path / "out")
        archive = ArchiveJournal(tmp_path / "out")
        prove(archive)
        assert everything(archive) == everything(journal)


class TestPeople:
    @pytest.mark.parametrize("most_short", [64, 1])
    def test_whoever_no_event_erased_stays_when_the_ledger_has_lost_him(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most_short: int
    ) -> None:
        ledger = with_july_published()
        journal = ledger.journal
        assert isinstance(journal, MemoryJournal)
        write_archive(journal, tmp_path / "out")
        append(journal, with_people("p1"))
        write_archive(journal, tmp_path / "out")
        before = journal.personal_documents()
        lost, erased, *_ = sorted(journal.personal(), key=lambda each: each.digest)
        del journal._personal[lost.digest]
        erase_player(ledger, ErasePlayer(player=erased.player, on=NOW.date()), request("asked"))
        monkeypatch.setattr(writer, "MOST_SHORT", most_short)
        for _ in range(2):
            with pytest.raises(DocumentsLost) as told:
                write_archive(journal, tmp_path / "out")
            assert told.value.message.key == "archive.documents_kept"
            assert lost.digest in str(told.value.message)
        archive = ArchiveJournal(tmp_path / "out")
        prove(archive)
        assert archive.head() == journal.head(), "what is new is there as well"
        del before[erased.digest]
        assert archive.personal_documents() == before
        assert verify(Ledger(archive, clock=lambda: NOW)).findings == ()
        journal._personal[lost.digest] = lost
        write_archive(journal, tmp_path / "out")

    def test_a_new_archive_of_a_ledger_that_has_lost_some_says_so(self, tmp_path: Path) -> None:
        journal = with_july_published().journal
        assert isinstance(journal, MemoryJournal)
        lost = next(journal.personal())
        del journal._personal[lost.digest]
        told: list[Message] = []
        write_archive(journal, tmp_path / "out", notice=told.append)
        assert [each.key for each in told] == ["archive.documents_lost"]
        assert lost.digest in str(told[0])

    def test_somebody_erased_goes_though_another_comes_while_it_is_written(
        self, tmp_path: Path
    ) -> None:
        ledger = with_july_published()
        person = next(ledger.journal.personal())
        write_archive(ledger.journal, tmp_path / "out")
        erase_player(ledger, ErasePlayer(player=person.player, on=NOW.date()), request("x"))
        told: list[int] = []

        def busy(_what: str, done: int, _total: int) -> None:
            if not told:
                append(ledger.journal, with_people("p1"))
            told.append(done)

        write_archive(ledger.journal, tmp_path / "out", progress=busy)
        archive = ArchiveJournal(tmp_path / "out")
        assert archive.personal_documents([person.digest]) == {}
        assert verify(Ledger(archive, clock=lambda: NOW)).findings == ()

    def test_whoever_an_event_erased_is_not_taken_in_again(self, tmp_path: Path) -> None:
        ledger = with_july_published()
        journal = ledger.journal
        assert isinstance(journal, MemoryJournal)
        write_archive(journal, tmp_path / "out")
        person = next(journal.personal())
        erase_player(ledger, ErasePlayer(player=person.player, on=NOW.date()), request("asked"))
        kept = write_archive(journal, tmp_path / "out")
        archive = ArchiveJournal(tmp_path / "out")
        assert (kept.missing_identities, archive.personal_documents([person.digest])) == (1, {})
        assert not any(
            person.digest in str(pq.read_table(path).to_pylist())
            for path in (tmp_path / "out" / "personal").iterdir()
        )
        journal._personal[person.digest] = person  # somebody puts it there again
        restored = MemoryJournal()
        Transfer(journal).into(restored)
        assert restored.head() == journal.head()
        assert restored.personal_documents([person.digest]) == {}

    @pytest.mark.parametrize("is_new", [True, False])
    def test_whoever_is_erased_while_it_is_written_is_not_missed_in_it(
        self, tmp_path: Path, *, is_new: bool
    ) -> None:
        ledger = with_july_published()
        person = next(ledger.journal.personal())
        if not is_new:
            write_archive(ledger.journal, tmp_path / "out")
        append(ledger.journal, with_people("p1"))
        told: list[int] = []

        def busy(_what: str, done: int, _total: int) -> None:
            if not told:
                erase_player(ledger, ErasePlayer(player=person.player, on=NOW.date()), request("x"))
            told.append(done)

        write_archive(ledger.journal, tmp_path / "out", progress=busy)
        archive = ArchiveJournal(tmp_path / "out")
        prove(archive)
        assert verify(Ledger(archive, clock=lambda: NOW)).findings == ()
        assert everything(archive)[:3] == everything(ledger.journal)[:3]
        assert unnamed_files(tmp_path / "out", archive.manifest) == []

    def test_nor_where_another_was_erased_before(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(document_source, "_DOCUMENTS", 1)  # asked for one after the other
        ledger = with_july_published()
        first, *_, last = sorted(ledger.journal.personal(), key=attrgetter("digest"))

        def erase(player: str) -> None:
            erase_player(ledger, ErasePlayer(player=player, on=NOW.date()), request(player))

        erase(last.player)
        told: list[int] = []

        def busy(_what: str, done: int, _total: int) -> None:
            if not told:
                erase(first.player)
            told.append(done)

        write_archive(ledger.journal, tmp_path / "out", progress=busy)
        assert ArchiveJournal(tmp_path / "out").head() == ledger.journal.head()

    def test_left_out_once_they_stay_out(self, tmp_path: Path) -> None:
        journal = filled().journal
        write_archive(journal, tmp_path / "out", personal=False)
        grow(journal, 1)
        with pytest.raises(InputRefused) as refused:
            write_archive(journal, tmp_path / "out")
        assert refused.value.message.key == "archive.has_no_people"
        write_archive(journal, tmp_path / "out", personal=False)
        assert ArchiveJournal(tmp_path / "out").manifest.personal is None
        write_archive(journal, tmp_path / "named")
        with pytest.raises(InputRefused) as refused:
            write_archive(journal, tmp_path / "named", personal=False)
        assert refused.value.message.key == "archive.has_people"

    def test_their_new_files_are_for_the_owner_alone(self, tmp_path: Path) -> None:
        journal = filled().journal
        write_archive(journal, tmp_path / "out")
        grow(journal, 1)
        write_archive(journal, tmp_path / "out")
        modes = {path.stat().st_mode & 0o777 for path in (tmp_path / "out/personal").iterdir()}
        assert modes == {0o600}


class TestRefused:
    def test_another_ledger(self, folder: Path) -> None:
        other = MemoryJournal()
        fill(other)
        self.refused(other, folder)

    def test_an_earlier_state(self, folder: Path) -> None:
        self.refused(PastJournal(filled().journal, 40), folder)

    def test_a_ledger_whose_tree_was_changed(self, folder: Path) -> None:
        journal = MemoryJournal()
        restore(ArchiveJournal(folder), journal)
        last = journal._commits[-1]
        object.__setattr__(last, "peaks", " ".join(reversed(last.peaks.split())))
        append(journal, draft())
        before = bytes_of(folder)
        with pytest.raises(VerificationFailed):
            write_archive(journal, folder)
        assert bytes_of(folder) == before | {".lock": b""}

    @pytest.mark.parametrize("file", ["events/000002", "commits/000001", "personal/000001"])
    def test_a_damaged_file_is_named(self, folder: Path, file: str) -> None:
        journal = MemoryJournal()
        restore(ArchiveJournal(folder), journal)
        path = folder / f"{file}.parquet"
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
        grow(journal, 1)
        with pytest.raises(VerificationFailed, match=f"{path.parent.name}/{path.name}"):
            write_archive(journal, folder)

    def test_while_somebody_else_writes(self, folder: Path) -> None:
        journal = MemoryJournal()
        restore(ArchiveJournal(folder), journal)
        grow(journal, 1)
        met: list[str] = []

        def at_once(*_: object) -> None:
            if not met:
                with pytest.raises(DatabaseError) as refused:
                    write_archive(journal, folder)
                met.append(refused.value.message.key)

        write_archive(journal, folder, progress=at_once)
        assert met == ["archive.busy"]
        prove(ArchiveJournal(folder))

    def refused(self, journal: Journal, folder: Path) -> None:
        before = bytes_of(folder)
        with pytest.raises(Conflict) as conflict:
            write_archive(journal, folder)
        assert conflict.value.message.key == "archive.other_ledger"
        assert bytes_of(folder) == before | {".lock": b""}

    def test_files_of_others_stay(self, folder: Path) -> None:
        journal = MemoryJournal()
        restore(ArchiveJournal(folder), journal)
        grow(journal, 1)
        (folder / "notes.txt").write_text("mine")
        (folder / "events" / "mine.parquet").write_text("mine")
        (folder / "events" / "000077.parquet").write_text("nobody finished this one")
        write_archive(journal, folder)
        assert unnamed_files(folder, read_manifest(folder)) == ["events/mine.parquet", "notes.txt"]

    def test_a_folder_that_leads_elsewhere_is_not_followed(
        self, folder: Path, tmp_path: Path
    ) -> None:
        journal = MemoryJournal()
        write_archive(journal, tmp_path / "out")
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "elsewhere" / "000001.parquet").write_text("mine")
        (tmp_path / "out" / "events").symlink_to(tmp_path / "elsewhere")
        grow(journal, 1)
        with pytest.raises(DatabaseError):
            write_archive(journal, tmp_path / "out")
        assert (tmp_path / "elsewhere" / "000001.parquet").read_text() == "mine"


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> tuple[MemoryJournal, Path]:
    """A ledger and its archive, written three times."""
    place, journal = tmp_path_factory.mktemp("upto") / "out", MemoryJournal()
    with pytest.MonkeyPatch.context() as patch:
        cut_small(patch)
        filled(journal)
        write_archive(PastJournal(journal, 60), place)
        write_archive(journal, place)
        grow(journal, 1)
        write_archive(journal, place)
    return journal, place


class TestUpto:
    def test_at_every_seq_it_is_the_ledger_as_it_was(
        self, twice: tuple[MemoryJournal, Path]
    ) -> None:
        journal, folder = twice
        for upto in range(journal.head().seq + 1):
            restored, past = MemoryJournal(), PastJournal(journal, upto)
            restore(ArchiveJournal(folder, upto), restored, upto=upto)
            assert restored.head() == past.head()
            assert list(restored.commits()) == list(past.commits())
            assert list(restored.events()) == list(past.events())
            named = {event.payload for event in restored.events()}
            assert all(
                any(digest in payload for payload in named)
                for digest in restored.personal_documents()
            )

    def test_everybody_known_then_is_there(self, twice: tuple[MemoryJournal, Path]) -> None:
        journal, folder = twice
        restored = MemoryJournal()
        last = journal.head().seq
        restore(ArchiveJournal(folder, last), restored, upto=last)
        assert restored.personal_documents() == journal.personal_documents()

    def test_a_seq_that_is_not_there(self, twice: tuple[MemoryJournal, Path]) -> None:
        journal, folder = twice
        upto = journal.head().seq + 1
        with pytest.raises(NotFound):
            restore(ArchiveJournal(folder, upto), MemoryJournal(), upto=upto)

    @pytest.mark.parametrize("table", ["commits", "events", "personal"])
    @pytest.mark.parametrize("how", ["changed", "cut off", "gone"])
    def test_a_damaged_file_is_named_and_the_state_before_it_restores(
        self, twice: tuple[MemoryJournal, Path], tmp_path: Path, table: str, how: str
    ) -> None:
        journal, source = twice
        folder = Path(shutil.copytree(source, tmp_path / "copy"))
        part = {str(name): parts for name, parts in read_manifest(folder).tables}[table][-1]
        path, data = folder / part.file, bytearray((folder / part.file).read_bytes())
        data[len(data) // 2] ^= 1
        path.unlink()
        if how != "gone":
            path.write_bytes(data if how == "changed" else data[:-9])
        with pytest.raises(VerificationFailed, match=part.file):
            restore(ArchiveJournal(folder), MemoryJournal())
        upto, restored = part.first_seq - 1, MemoryJournal()
        restore(ArchiveJournal(folder, upto), restored, upto=upto)
        assert restored.head() == PastJournal(journal, upto).head()


class TestInterrupted:
    def test_it_is_as_it_was(self, folder: Path) -> None:
        def stop(*_: object) -> None:
            raise KeyboardInterrupt

        journal = MemoryJournal()
        restore(ArchiveJournal(folder), journal)
        grow(journal, 1)
        before = bytes_of(folder)
        with pytest.raises(KeyboardInterrupt):
            write_archive(journal, folder, progress=stop)
        assert bytes_of(folder) == before | {".lock": b""}

    @pytest.mark.parametrize(("number", "key"), [(28, "archive.full"), (5, "archive.cannot_write")])
    def test_a_disk_that_fails_at_any_step(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, number: int, key: str
    ) -> None:
        journal = MemoryJournal()
        restore(ArchiveJournal(folder), journal)
        grow(journal, 1)
        before = ArchiveJournal(folder).head()
        sync, steps, keys = os.fsync, 0, set[str]()
        while ArchiveJournal(folder).head() == before:
            left = steps

            def fails(descriptor: int) -> None:
                nonlocal left
                left -= 1
                if left < 0:
                    raise OSError(number, "no")
                sync(descriptor)

            monkeypatch.setattr("os.fsync", fails)
            keys.add(self.tried(journal, folder))
            monkeypatch.setattr("os.fsync", sync)
            prove(ArchiveJournal(folder))
            steps += 1
        assert steps > 5
        assert keys == {key}, "at the last step, too, when all of it is there"
        write_archive(journal, folder)
        assert everything(ArchiveJournal(folder))[:3] == everything(journal)[:3]

    def tried(self, journal: Journal, folder: Path) -> str:
        """Returns why it cannot be written; nothing, where it can."""
        try:
            write_archive(journal, folder)
        except DatabaseError as error:
            return error.message.key
        return ""


# Each child writes on a copy of its own, and its N-th look at a file is the last thing it does.
KILLED = """
import gc, os, shutil, signal, sys
from itertools import count
from operator import attrgetter
from pathlib import Path
from ledger.archive.writer import write_archive
from ledger.journal.stores.database import open_journal

database, folder, copies = sys.argv[1:]
WATCHED = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir"}
seen, last, watched = count(1), 0, ""

def killed(event, given):
    if watched and event in WATCHED and watched in str(given[0]) and next(seen) == last:
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(killed)
write_archive(open_journal(database), Path(shutil.copytree(folder, f"{folder}-warm")))
gc.freeze()
for last in range(1, 400):
    place = Path(shutil.copytree(folder, f"{copies}/{last}"))
    child = os.fork()
    if not child:
        journal = open_journal(database)
        watched = str(place)
        write_archive(journal, place)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(code, flush=True)
    if code != -signal.SIGKILL:
        break
"""


def test_killed_at_any_step_the_folder_opens_and_the_next_run_ends_the_work(
    sqlite_url: str, tmp_path: Path
) -> None:
    journal = open_journal(sqlite_url)
    filled(journal)
    write_archive(journal, tmp_path / "out")
    before = journal.head()
    grow(journal, 1)
    (tmp_path / "copies").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", KILLED, sqlite_url, tmp_path / "out", tmp_path / "copies"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    codes = [int(line) for line in done.stdout.split()]
    assert codes == [-signal.SIGKILL] * (len(codes) - 1) + [0], done.stderr
    assert len(codes) > 20
    heads = []
    for copy in sorted((tmp_path / "copies").iterdir(), key=lambda path: int(path.name)):
        archive = ArchiveJournal(copy)
        prove(archive)
        heads.append(archive.head())
        write_archive(journal, copy)
        made = ArchiveJournal(copy)
        assert made.head() == journal.head()
        assert unnamed_files(copy, made.manifest) == []
        assert not (copy / ".partial").exists()
    after = heads.index(journal.head())
    assert heads == [before] * after + [journal.head()] * (len(heads) - after)
    journal.close()


def test_while_somebody_appends(database_url: str, tmp_path: Path) -> None:
    """Every state that is archived is one that the ledger was in."""
    journal, other = open_journal(database_url), open_journal(database_url)
    fill(journal)
    stop = threading.Event()

    def busy() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            grow(other, number)

    thread = threading.Thread(target=busy)
    thread.start()
    try:
        for _ in range(6):
            manifest = write_archive(journal, tmp_path / "out")
            assert journal.root_at(manifest.head.seq) == manifest.head.root
    finally:
        stop.set()
        thread.join()
    archive = ArchiveJournal(tmp_path / "out")
    prove(archive)
    write_archive(journal, tmp_path / "out")
    assert everything(ArchiveJournal(tmp_path / "out"))[:3] == everything(journal)[:3]
    other.close()
    journal.close()
