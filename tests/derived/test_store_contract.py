"""Of every kind of entry: whatever becomes of it, no answer changes, and no name stays."""

from __future__ import annotations

import dataclasses
import datetime as dt
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ledger.answers.lists import show
from ledger.answers.people_pages import PeopleAsked
from ledger.derived import segments, tree_hashes
from ledger.derived.store import DerivedStore, EntryKey, EntryKind, EntryPlace
from ledger.facts.segment import digest, pack, unpack
from ledger.journal.records import KeptSnapshot, SealedSegment
from ledger.journal.stores.memory import MemoryJournal
from ledger.operations.commands import ErasePlayer
from ledger.service.erasures import erase_player
from ledger.service.ledger import Ledger
from ledger.trust.snapshot_check import check_lists
from ledger.trust.verification import verify
from ledger.views.past import documents_gone, newest_of
from tests.facts.support import known
from tests.ledgers import (
    NOW,
    PLAYERS_HEADER,
    copied,
    define,
    empty_ledger,
    games,
    import_text,
    publish_period,
    request,
)
from tests.trust.test_proof import forge_snapshots
from web.read_models import builder
from web.read_models.answers import (
    Careers,
    ShownList,
    committed_row,
    people_of,
    statement_of,
)
from web.read_models.model_store import ModelStore
from web.settings import WebSettings
from web.site import View

NAME = "Zzyzx, Quillfeather"
ALL_KINDS = pytest.mark.parametrize("kind", EntryKind, ids=lambda kind: kind.word)


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "LEAST_EVENTS", 10)
    monkeypatch.setattr(segments, "MOST_EVENTS", 25)
    monkeypatch.setattr(tree_hashes, "BLOCK", 8)
    monkeypatch.setattr(builder, "_AT_ONCE", 0)


@dataclass(frozen=True)
class World:
    """A journal with what is kept beside it, and one user's folders."""

    journal: MemoryJournal
    folder: Path

    @property
    def ledger(self) -> Ledger:
        """A process that knows nothing but what is kept."""
        return Ledger(self.journal, lambda: NOW, store=DerivedStore(self.folder / "state"))

    def asked(self, kind: EntryKind) -> object:
        """Returns what a new process answers by entries of a kind."""
        return QUESTIONS[kind](self.ledger, self.folder)

    def bare(self, folder: Path) -> World:
        """Returns the same journal with nothing beside it, and an empty folder."""
        journal = copied(self.journal)
        journal.drop_segments()
        journal.drop_snapshots()
        return World(journal, folder)

    def places(self, kind: EntryKind) -> list[Path]:
        """Returns the folders of entries of a kind."""
        root = self.folder / ("cache" if kind.place is EntryPlace.FILE_WITH_NAMES else "state")
        names = {EntryPlace.DATABASE: "vouchers", EntryPlace.FILE: "trees"}
        return [*root.rglob(names.get(kind.place, "[0-9]"))]

    def files(self, kind: EntryKind) -> list[Path]:
        """Returns the files and vouchers of a kind, if no other one was asked for."""
        return [path for folder in self.places(kind) for path in folder.iterdir()]

    def contents(self, kind: EntryKind) -> list[SealedSegment | KeptSnapshot]:
        """Returns what of a kind lies beside the events."""
        kept: dict[EntryKind, Mapping[Any, SealedSegment | KeptSnapshot]] = {
            EntryKind.SEGMENT: self.journal._segments,
            EntryKind.SNAPSHOT: self.journal._snapshots,
        }
        return [*kept.get(kind, {}).values()]

    def keep(self, content: SealedSegment | KeptSnapshot) -> None:
        """Keeps something beside the events, in the place of what is there."""
        if isinstance(content, SealedSegment):
            self.journal._segments[content.first_seq] = content
        else:
            self.journal._snapshots[content.name] = content


def filled(result: str = "1-0") -> MemoryJournal:
    """A journal of some months, with an edition and a person whose name stands nowhere else."""
    ledger = empty_ledger()
    define(ledger)
    people = "".join(f"{n},Player {n},CHI,,,{1500 + n},,50\n" for n in range(1, 9))
    import_text(ledger, f'{PLAYERS_HEADER}{people}gone,"{NAME}",CHI,m,1990,1700,,50\n', list_="ENF")
    import_text(ledger, games("t", f"1,,gone,2,{result}", "1,,3,4,1-0", "2,,gone,3,1-0"))
    publish_period(ledger, "2010-07")
    for month in (8, 9):
        import_text(ledger, games(f"u{month}", "1,,1,gone,1-0", day=f"2010-{month:02}-10"))
    journal = ledger.journal
    assert isinstance(journal, MemoryJournal)
    journal.drop_segments()
    journal.drop_snapshots()
    return journal


def site_of(ledger: Ledger, folder: Path) -> tuple[ModelStore, View]:
    newest = newest_of(ledger)
    settings = WebSettings(ledger="", origin="http://testserver", cache=folder / "cache")
    return ModelStore(settings), View(newest, None, gone=documents_gone(newest) or 0)


def facts_known(ledger: Ledger, _: Path) -> object:
    facts = ledger.facts()
    return known(facts, facts.seq), show(ledger, "ENF", "2010-07").ratings_sha256()


def period_shown(ledger: Ledger, _: Path) -> object:
    return [show(ledger, "ENF", f"2010-{month:02}").ratings_sha256() for month in (10, 9, 10)]


def paths_proved(ledger: Ledger, _: Path) -> object:
    head = ledger.journal.head()
    leaves = [bytes.fromhex(event.leaf_hash) for event in ledger.journal.events()]
    root = bytes.fromhex(head.root)
    return [ledger.tree.proved(place, head.seq, root, leaf) for place, leaf in enumerate(leaves)]


def list_shown(ledger: Ledger, folder: Path) -> object:
    shown = ShownList(*site_of(ledger, folder), "ENF", "2010-07", 1)
    return "".join(shown.document())


def statement_shown(ledger: Ledger, folder: Path) -> object:
    return statement_of(*site_of(ledger, folder), "gone", "ENF", "2010-07", 1)


def row_committed(ledger: Ledger, folder: Path) -> object:
    store, view = site_of(ledger, folder)
    ((_, edition),) = ledger.facts().lists["ENF"].publications
    return committed_row(store, view, "2", edition)


def people_shown(ledger: Ledger, folder: Path) -> object:
    return people_of(*site_of(ledger, folder), PeopleAsked())


def career_shown(ledger: Ledger, folder: Path) -> object:
    careers = Careers(*site_of(ledger, folder))
    return careers.known("gone"), careers.tournaments("gone"), careers.history("gone", "ENF")


QUESTIONS: dict[EntryKind, Callable[[Ledger, Path], object]] = {
    EntryKind.SEGMENT: facts_known,
    EntryKind.SNAPSHOT: period_shown,
    EntryKind.TREE: paths_proved,
    EntryKind.LIST: list_shown,
    EntryKind.STATEMENTS: statement_shown,
    EntryKind.ROWS: row_committed,
    EntryKind.PEOPLE: people_shown,
    EntryKind.CAREERS: career_shown,
}
"""What is answered by each kind; one that is missing here fails every test below."""


@pytest.fixture
def world(kind: EntryKind, tmp_path: Path) -> World:
    """One in which entries of the kind were made and used."""
    world = World(filled(), tmp_path / "one")
    world.asked(kind)
    world.asked(kind)
    assert world.files(kind), "it is kept"
    assert bool(world.contents(kind)) == (kind.place is EntryPlace.DATABASE)
    return world


@pytest.fixture
def right(kind: EntryKind, world: World, tmp_path: Path) -> object:
    """What is answered where nothing was kept before."""
    return world.bare(tmp_path / "bare").asked(kind)


def keys_of(kind: EntryKind, world: World) -> set[EntryKey]:
    """Returns the keys under which entries of a kind are looked for."""
    keys: set[EntryKey] = set()
    with pytest.MonkeyPatch.context() as patch:
        for name in ("find", "note"):
            patch.setattr(DerivedStore, name, _noting(getattr(DerivedStore, name), keys.add))
        world.asked(kind)
    return {key for key in keys if key.kind is kind}


def _noting(look: Callable[..., Any], note: Callable[[EntryKey], None]) -> Callable[..., Any]:
    def looked(store: DerivedStore, key: EntryKey) -> object:
        note(key)
        return look(store, key)

    return looked


@ALL_KINDS
def test_what_is_kept_is_used(kind: EntryKind, world: World, right: object) -> None:
    before = {path: path.stat().st_ino for path in world.files(kind)}
    assert world.asked(kind) == right
    assert {path: path.stat().st_ino for path in world.files(kind)} == before


@ALL_KINDS
def test_deleted_it_is_made_again(kind: EntryKind, world: World, right: object) -> None:
    files = len(world.files(kind))
    shutil.rmtree(world.folder)
    world.journal.drop_segments()
    world.journal.drop_snapshots()
    assert world.asked(kind) == right
    assert world.asked(kind) == right
    assert len(world.files(kind)) == files


@ALL_KINDS
def test_deleted_between_reading_and_use_it_is_made_again(
    kind: EntryKind, world: World, right: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = DerivedStore.find
    deleted: list[object] = []

    def found(store: DerivedStore, key: EntryKey) -> Path | None:
        path = find(store, key)
        if path is not None and not deleted:
            deleted.append(path)
            path.unlink()
        return path

    def dropped(take: Callable[..., Any]) -> Callable[..., Any]:
        def taken(journal: MemoryJournal, *which: Any) -> Any:
            if not deleted:
                deleted.append(which)
                journal.drop_segments()
                journal.drop_snapshots()
                shutil.rmtree(world.folder)
            return take(journal, *which)

        return taken

    if kind.place is EntryPlace.DATABASE:
        name = {EntryKind.SEGMENT: "segment_rows", EntryKind.SNAPSHOT: "snapshot_data"}[kind]
        monkeypatch.setattr(MemoryJournal, name, dropped(getattr(MemoryJournal, name)))
    else:
        monkeypatch.setattr(DerivedStore, "find", found)
    assert world.asked(kind) == right
    assert deleted


@ALL_KINDS
@pytest.mark.parametrize("harm", ["empty", "half", "other"])
def test_torn_it_is_made_again(kind: EntryKind, world: World, right: object, harm: str) -> None:
    def harmed(content: bytes) -> bytes:
        half = content[: len(content) // 2]
        return {"empty": b"", "half": half, "other": half + bytes(len(half))}[harm]

    for content in world.contents(kind):
        if isinstance(content, SealedSegment):
            world.keep(dataclasses.replace(content, rows=harmed(content.rows)))
        else:
            world.keep(dataclasses.replace(content, data=harmed(content.data)))
    if kind.place is not EntryPlace.DATABASE:
        for path in world.files(kind):
            path.write_bytes(harmed(path.read_bytes()))
    assert world.asked(kind) == right
    assert world.asked(kind) == right


@ALL_KINDS
def test_a_torn_voucher_is_none(kind: EntryKind, world: World, right: object) -> None:
    if kind.place is EntryPlace.DATABASE:
        for path in world.files(kind):
            path.write_bytes(b"\xff" + path.read_bytes()[:7])
    assert world.asked(kind) == right
    assert verify(world.ledger).findings == ()


@ALL_KINDS
def test_one_of_an_older_format_is_not_looked_for(
    kind: EntryKind, world: World, right: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(world.folder)
    newest = kind.format
    monkeypatch.setattr(kind, "format", newest - 1)
    world.asked(kind)
    older = {path.name for path in world.files(kind)}
    if kind.place is not EntryPlace.DATABASE:
        for path in world.files(kind):
            path.write_bytes(b"as it was once")
    monkeypatch.setattr(kind, "format", newest)
    assert world.asked(kind) == right
    assert {path.name for path in world.files(kind)} - older


@ALL_KINDS
def test_one_that_somebody_else_made_is_not_believed(
    kind: EntryKind, world: World, right: object
) -> None:
    keys = keys_of(kind, world)
    for content in world.contents(kind):
        if isinstance(content, SealedSegment):
            world.keep(forged(content))
    if kind is EntryKind.SNAPSHOT:
        forge_snapshots(world.ledger)
    if kind.place is EntryPlace.DATABASE:
        assert world.asked(kind) == right
        assert check_lists(world.ledger, ["ENF"])[0].wrong == ()
        return
    for folder in world.places(kind):
        store = DerivedStore(folder.parent, int(folder.name) if folder.name.isdecimal() else 0)
        for key in keys:
            store.keep(key, lambda path: path.write_bytes(b"wrong" * 100))
        if kind is not EntryKind.TREE:  # which is held against a recorded root even here
            folder.chmod(0o777)
    before = {path: path.read_bytes() for path in world.files(kind)}
    assert world.asked(kind) == right
    if kind is not EntryKind.TREE:
        assert {path: path.read_bytes() for path in world.files(kind)} == before


def forged(segment: SealedSegment) -> SealedSegment:
    """Returns a segment whose rows say something else, with all digests that it then has."""
    rows = bytearray(segment.rows)
    if rows:
        rows[-1] ^= 1
    content = unpack(segment.heading)
    assert content is not None
    heading = pack(dataclasses.replace(content, rows_sha256=digest(bytes(rows))))
    return dataclasses.replace(segment, heading=heading, rows=bytes(rows), sha256=digest(heading))


@ALL_KINDS
def test_one_of_another_history_is_not_used(kind: EntryKind, world: World, right: object) -> None:
    other = World(filled(result="0-1"), world.folder)
    theirs = other.bare(world.folder.with_name("theirs")).asked(kind)
    assert other.asked(kind) == theirs
    mine = world.contents(kind)
    for content in other.contents(kind):
        world.keep(content)
    assert world.asked(kind) == right
    for content in mine:
        other.keep(content)
    assert other.asked(kind) == theirs


@ALL_KINDS
def test_after_an_erasure_no_name_stays(kind: EntryKind, world: World, tmp_path: Path) -> None:
    erasure = ErasePlayer(player="gone", on=dt.date(2010, 12, 1))
    erase_player(world.ledger, erasure, request(reason="a letter"))
    right = world.bare(tmp_path / "after").asked(kind)
    assert world.asked(kind) == right
    assert world.asked(kind) == right
    assert "Quillfeather" not in str(right)
    for path in world.folder.rglob("*"):
        assert path.is_dir() or b"quillfeather" not in path.read_bytes().lower(), path
