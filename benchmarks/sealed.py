"""Makes a ledger that consists of sealed segments alone, for sizes whose events take too long.

The tournaments are those of ``histories``; what a reader would have packed of their events is
written at once, month by month, through the journal's own ``keep_segment``. The events themselves
are not there: such a ledger can be replayed, but neither verified nor added to. One made-up commit
holds them all, so that the segments have a root to name.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import numpy as np
from sqlalchemy import create_engine

from benchmarks.histories import (
    FIRST_ID,
    History,
    Players,
    Tournament,
    first_of,
    made_players,
    tournaments,
)
from benchmarks.plan import REGULATIONS, SIZES, Size
from benchmarks.works import LIST, NOW
from ledger.calendar import Calendar
from ledger.derived.segments import MOST_EVENTS, Link, vouch
from ledger.derived.store import store_of_user
from ledger.examples.swiss import Whole
from ledger.facts import tables
from ledger.facts.arrays import NEVER, NOBODY
from ledger.facts.blocks import Block, BlockRows, GameDirectory, PairingRows, coded
from ledger.facts.columns import Ending
from ledger.facts.runs import Effects, EntryRuns
from ledger.facts.segment import Content, OtherEvent, digest, pack
from ledger.facts.tables import ClosedReports, Supersession
from ledger.journal.envelope import peaks_text
from ledger.journal.interface import Journal
from ledger.journal.merkle import CompactRange
from ledger.journal.records import SealedSegment
from ledger.journal.stores.database import normalise, open_journal, upgrade
from ledger.journal.stores.schema import COMMITS, EVENTS
from ledger.journal.stores.triggers import sqlite_triggers
from ledger.service.ledger import Ledger, Request
from ledger.service.lists import define_list
from ledger.terms import Rate, System

_PLAYED = 3  # codes from here on are forfeits
_FULL = 2  # a bye's half points


def write_sealed(size: Size, seed: int, folder: Path) -> History:
    """Writes a ledger of a size into a folder, with the figures of its history."""
    path = folder / "ledgers" / f"{REGULATIONS[0]}.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(seed)
    players = made_players(size, random)
    history = History(size.name, seed, size.players, 0, size.months)
    upgrade(str(path))
    with closing(open_journal(str(path))) as journal, tempfile.TemporaryDirectory(dir=folder) as to:
        defined = _defined(journal)
        segments = _Segments(Path(to))
        segments.write(segments.content(len(defined), others=defined))
        _players(segments, players)
        _months(segments, size, players, random, history)
        tree = _tree(segments.seq)
        _commit(str(path), len(defined) + 1, tree)
        link: Link | None = None
        for segment in segments.sealed(tree.root().hex()):
            assert journal.keep_segment(segment)
            link = Link.behind(link, segment.last_seq, segment.sha256)
        assert link is not None, "a ledger has events"
        # Nobody else would believe them: there are no events that they could be made of.
        vouch(journal, store_of_user(), link, tree, {})
    about = json.dumps(asdict(history), indent=1, sort_keys=True) + "\n"
    (folder / "history.json").write_text(about, encoding="utf-8")
    return history


def _defined(journal: Journal) -> list[OtherEvent]:
    """Defines the list, and returns the events as a segment has them."""
    define_list(
        Ledger(journal, clock=lambda: NOW),
        LIST,
        regulation=REGULATIONS[0],
        parameters={},
        calendar=Calendar.MONTHLY,
        first_on=first_of(0),
        policy="restate",
        rate_of_play=None,
        closes_days_before=0,
        request=Request("benchmark", "to be measured", "define", "define"),
    )
    return [(e.seq, e.type, e.version, e.effective_on, e.payload) for e in journal.events()]


def _tree(size: int) -> CompactRange:
    """Returns a tree of so many events, made up."""
    return CompactRange(size, [sha256(b"%d" % peak).digest() for peak in range(size.bit_count())])


def _commit(url: str, first_seq: int, tree: CompactRange) -> None:
    """Writes the commit of all events that are not there, and the last one of them."""
    commit = {
        "commit_id": 2, "recorded_at": NOW.isoformat(), "actor": "benchmark", "reason": "made up",
        "idempotency_key": "made up", "body_sha256": "0" * 64, "first_seq": first_seq,
        "last_seq": tree.size, "peaks": peaks_text(tree), "root": tree.root().hex(),
    }  # fmt: skip
    event = {
        "seq": tree.size, "event_id": "made up", "commit_id": 2, "type": "made.up", "version": 1,
        "effective_on": "", "stream": "", "payload": "", "leaf_hash": "",
    }  # fmt: skip
    engine = create_engine(normalise(url))
    with engine.begin() as connection:
        connection.execute(COMMITS.insert(), commit)
        connection.exec_driver_sql("DROP TRIGGER events_dense")
        connection.execute(EVENTS.insert(), event)
        connection.exec_driver_sql(sqlite_triggers()["events_dense"])
    engine.dispose()


class _Segments:
    """Segments one after the other, put aside in a folder until the last one is known."""

    def __init__(self, folder: Path) -> None:
        self.seq = 0
        self._folder = folder
        self._ranges: list[tuple[int, int]] = []

    def write(self, content: Content, rows: bytes = b"") -> None:
        """Puts a segment aside."""
        for name, data in (("heading", pack(content)), ("rows", rows)):
            (self._folder / f"{content.first_seq}.{name}").write_bytes(data)
        self._ranges.append((content.first_seq, content.last_seq))
        self.seq = content.last_seq

    def sealed(self, root: str) -> Iterator[SealedSegment]:
        """Yields all of them, as sealed at the last event, under its root."""
        for first, last in self._ranges:
            heading, rows = (
                (self._folder / f"{first}.{name}").read_bytes() for name in ("heading", "rows")
            )
            yield SealedSegment(first, last, self.seq, root, digest(heading), heading, rows)

    def content(
        self,
        events: int,
        *,
        days: Whole | None = None,
        players: tables.PlayerTable | None = None,
        seeds: tables.Seeds | None = None,
        others: Sequence[OtherEvent] = (),
        ids: bytes = b"",
    ) -> Content:
        """Returns what a segment of the next events says, if there are no games among them."""
        first, nothing = self.seq + 1, np.zeros(0, dtype=np.int32)
        return Content(
            first_seq=first,
            last_seq=self.seq + events,
            row_count=0,
            rows_sha256=digest(b""),
            directory=GameDirectory(nothing, nothing, nothing.astype(np.int64)),
            supersession=Supersession.of(()),
            entered=EntryRuns.of(()),
            affiliations=tables.Affiliations.of(()),
            bodies=tables.Bodies.of(()),
            closed=ClosedReports.of(()),
            effects=Effects.of(first, np.full(events, NEVER) if days is None else days),
            players=players or tables.PlayerTable.of(()),
            tournaments=tables.Tournaments.of(()),
            seeds=seeds or tables.Seeds.of(()),
            ks=tables.AssignedKs.of(()),
            names=[LIST] if seeds else [],
            texts={"players": ids, "tournaments": b"", "names": b"", "places": b"", "bodies": b""},
            others=list(others),
        )


def _players(segments: _Segments, players: Players) -> None:
    """Registers everybody, and brings in the ratings of those who have one."""
    for chosen in _pieces(np.arange(len(players.born))):
        registered = tables.PlayerTable(
            segments.seq + 1 + np.arange(len(chosen)),
            players.born[chosen].astype(np.int16),
            np.full(len(chosen), b"CHI"),
            np.zeros(len(chosen), dtype="V32"),
        )
        ids = "\n".join(map(str, (FIRST_ID + chosen).tolist())).encode()
        segments.write(segments.content(len(chosen), players=registered, ids=ids))
    for chosen in _pieces(np.flatnonzero(players.rating)):
        day = np.full(len(chosen), first_of(0).toordinal(), dtype=np.int32)
        seeds = tables.Seeds(
            segments.seq + 1 + np.arange(len(chosen)),
            day,
            np.zeros(len(chosen), dtype=np.int16),
            chosen.astype(np.int32),
            players.rating[chosen].astype(np.int16),
            players.games[chosen].astype(np.int32),
            np.full(len(chosen), tables.NOT_TOLD, dtype=np.int16),
        )
        segments.write(segments.content(len(chosen), days=day.astype(np.int64), seeds=seeds))


def _pieces(column: Whole) -> Iterator[Whole]:
    bounds = [*range(0, len(column), MOST_EVENTS), len(column)]
    yield from (column[start:end] for start, end in pairwise(bounds))


def _months(
    segments: _Segments,
    size: Size,
    players: Players,
    random: np.random.Generator,
    history: History,
) -> None:
    """Plays the tournaments and packs them, as many together as a segment holds."""
    last_days: list[int] = []
    waiting: list[Tournament] = []
    events = 0
    for each in tournaments(size, players, random):
        new = 1 + len(each.code) + len(each.byes)
        if events + new > MOST_EVENTS:
            segments.write(*_packed(segments, waiting, last_days))
            waiting, events = [], 0
        waiting.append(each)
        events += new
        history.tournaments += 1
        history.games += len(each.code)
        history.forfeits += int((each.code >= _PLAYED).sum())
        history.byes += len(each.byes)
    segments.write(*_packed(segments, waiting, last_days))


def _packed(
    segments: _Segments, played: Sequence[Tournament], last_days: list[int]
) -> tuple[Content, bytes]:
    """Returns the segment of some tournaments, each opened and then reported."""
    first_index = len(last_days)
    starts = [each.starts_on.toordinal() for each in played]
    ends = [each.ends_on.toordinal() for each in played]
    last_days += ends
    counts = np.array([1 + len(each.code) + len(each.byes) for each in played])
    opened = segments.seq + 1 + np.cumsum(counts) - counts
    days = np.repeat(np.array(ends), counts)
    days[opened - segments.seq - 1] = NEVER
    pairings = PairingRows.joined(
        [
            _pairings(each, seq + 1, index)
            for index, (each, seq) in enumerate(
                zip(played, opened.tolist(), strict=True), first_index
            )
        ]
    )
    content = segments.content(int(counts.sum()), days=days)
    block = Block.of(
        content.first_seq, content.last_seq, pairings, np.array(last_days, dtype=np.int32)
    )
    rows = block.fetch().packed()
    assert BlockRows.unpacked(rows).seq.size == len(pairings)
    count = len(played)
    texts = {
        "players": b"",
        "tournaments": "\n".join(each.id for each in played).encode(),
        "names": "\n".join(f"Open {each.id}" for each in played).encode(),
        "places": b"\n" * (count - 1),
        "bodies": b"",
    }
    said = tables.Tournaments(
        opened,
        np.array(starts, dtype=np.int32),
        np.array(ends, dtype=np.int32),
        np.full(count, tables.RATES.index(Rate.CLASSICAL), dtype=np.int8),
        np.full(count, tables.SYSTEMS.index(System.SWISS), dtype=np.int8),
        np.full(count, tables.NO_MERIT, dtype=np.int16),
        np.full(count, tables.NO_ROUNDS, dtype=np.int16),
        np.zeros(count, dtype="S3"),
    )
    made = replace(
        content, row_count=len(pairings), rows_sha256=digest(rows), directory=block.directory,
        tournaments=said, texts=texts,
    )  # fmt: skip
    return made, rows


def _pairings(each: Tournament, first_seq: int, index: int) -> PairingRows:
    """Returns what is said of a tournament's pairings."""
    games, byes = len(each.code), np.array(each.byes, dtype=np.int64).reshape(-1, 2)
    forfeited = each.code >= _PLAYED
    white_halves = np.where(forfeited, (each.code - _PLAYED) * 2, each.code)
    white_halves = np.append(white_halves, np.full(len(byes), _FULL))
    black_halves = np.append(2 - white_halves[:games], np.zeros(len(byes), dtype=np.int64))
    ending = np.append(
        np.where(forfeited, Ending.FORFEIT, Ending.PLAYED), np.full(len(byes), Ending.BYE)
    )
    count = games + len(byes)
    return PairingRows.typed(
        np.arange(first_seq, first_seq + count),
        np.full(count, index),
        np.append(each.white, byes[:, 1]),
        np.append(each.black, np.full(len(byes), NOBODY)),
        np.append(each.round, byes[:, 0]),
        coded(white_halves, black_halves, ending),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Writes one ledger: ``python -m benchmarks.sealed thirty-million 1 folder``."""
    parser = argparse.ArgumentParser(description="writes a ledger of sealed segments alone")
    parser.add_argument("size", choices=[name for name, size in SIZES.items() if size.sealed])
    parser.add_argument("seed", type=int)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args(arguments)
    write_sealed(SIZES[given.size], given.seed, given.folder)


if __name__ == "__main__":
    main()
