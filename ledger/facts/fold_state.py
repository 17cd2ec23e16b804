"""What the fold has made of the events so far: it grows, is cut, and shows as facts."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from operator import itemgetter
from typing import Any

import numpy as np

from ledger.errors import VerificationFailed
from ledger.events.catalogue import undone_of
from ledger.events.players import PlayersMerged
from ledger.events.tournaments import TournamentCorrected
from ledger.facts.arrays import Column, Growing
from ledger.facts.blocks import Block, BlockRows, GrowingBlocks
from ledger.facts.columns import Facts, Records
from ledger.facts.ids import Ids, Texts
from ledger.facts.runs import Effects, EntryRuns
from ledger.facts.segment import Content, OtherEvent, digest
from ledger.facts.tables import (
    EVERY_LIST,
    TABLES,
    Affiliations,
    Announcements,
    AssignedKs,
    Bodies,
    ClosedReports,
    PlayerTable,
    Seeds,
    Supersession,
    Tournaments,
)
from ledger.identifiers import NO_EVENT, PlayerIndex, Seq, TournamentIndex


@dataclass
class FoldState:
    """The facts as they grow; see ``Facts`` for what they are.

    ``birth_years`` and ``last_days`` are as last said, by index, ``first_days`` the earliest last
    day that was ever said of a tournament; ``others`` are the events that no table holds, in order
    of seq; ``given_up`` are those who were merged into others, by index (None: to be found anew).
    """

    seq: Seq = NO_EVENT
    effects: list[Effects] = field(default_factory=list)
    blocks: GrowingBlocks = field(default_factory=GrowingBlocks)
    supersession: Growing[Supersession] = field(default_factory=lambda: Growing(Supersession))
    of_players: Ids[PlayerIndex] = field(default_factory=Ids)
    players: Growing[PlayerTable] = field(default_factory=lambda: Growing(PlayerTable))
    birth_years: array[int] = field(default_factory=lambda: array("i"))
    of_tournaments: Ids[TournamentIndex] = field(default_factory=Ids)
    tournaments: Growing[Tournaments] = field(default_factory=lambda: Growing(Tournaments))
    tournament_names: Texts = field(default_factory=Texts)
    tournament_places: Texts = field(default_factory=Texts)
    last_days: array[int] = field(default_factory=lambda: array("i"))
    first_days: array[int] = field(default_factory=lambda: array("i"))
    announcements: Growing[Announcements] = field(default_factory=lambda: Growing(Announcements))
    seeds: Growing[Seeds] = field(default_factory=lambda: Growing(Seeds))
    ks: Growing[AssignedKs] = field(default_factory=lambda: Growing(AssignedKs))
    affiliations: Growing[Affiliations] = field(default_factory=lambda: Growing(Affiliations))
    of_bodies: Ids[int] = field(default_factory=Ids)
    bodies: Growing[Bodies] = field(default_factory=lambda: Growing(Bodies))
    entered: Growing[EntryRuns] = field(default_factory=lambda: Growing(EntryRuns))
    closed: Growing[ClosedReports] = field(default_factory=lambda: Growing(ClosedReports))
    others: list[OtherEvent] = field(default_factory=list)
    records: Records = field(default_factory=Records)
    given_up: set[int] | None = None

    def fork(self) -> FoldState:
        """Returns the same, to grow on its own."""
        grown: dict[str, Any] = {one.name: getattr(self, one.name) for one in fields(self)}
        return FoldState(**{name: _forked(value) for name, value in grown.items()})

    def facts(self) -> Facts:
        """Returns what there is; what comes later does not change it."""
        return Facts(
            seq=self.seq,
            blocks=self.blocks.blocks(self.last_days_now()),
            effects=self._all_effects(),
            of_players=self.of_players,
            of_tournaments=self.of_tournaments,
            of_bodies=self.of_bodies,
            tournament_names=self.tournament_names,
            tournament_places=self.tournament_places,
            announcements=self.announcements.table(),
            **self._tables(),
            **self.records.copied(),
        )

    def check_ids(self) -> None:
        """Raises ``VerificationFailed`` when a player or a tournament was begun a second time."""
        for kind, ids, table in (
            ("player", self.of_players, self.players),
            ("tournament", self.of_tournaments, self.tournaments),
        ):
            twice = ids.repeated()
            if twice is not None:
                seq = Seq(int(table.table().seq[twice]))
                raise opened_twice(seq, f"{kind}:{ids.read()[twice]}")

    def last_days_now(self) -> Column:
        """Returns the last day of every tournament (ordinal), as last said."""
        return np.array(self.last_days, dtype=np.int32)

    def name(self, list_: str) -> int:
        """Returns the position of a list's name."""
        names = self.records.names
        if list_ not in names:
            names.append(list_)
        return names.index(list_)

    def body(self, name: str, seq: Seq) -> int:
        """Returns the position of a club or region; one that is new is first named by the event."""
        if name not in self.of_bodies.index:
            self.of_bodies.append(name)
            self.bodies.append(seq)
        return self.of_bodies.index[name]

    # Segments

    def content(self, first_seq: int, last_seq: int) -> tuple[Content, bytes]:
        """Returns what a segment of a range of events says, and its rows."""
        tables = self._tables()
        for name in TABLES.keys() - {"entered"}:
            tables[name] = tables[name].rows(tables[name].places(first_seq, last_seq))
        tables["entered"] = tables["entered"].between(first_seq, last_seq)
        used = {*tables["seeds"].list.tolist(), *tables["ks"].list.tolist()} - {EVERY_LIST}
        all_names = self.records.names
        names = sorted(all_names[n] for n in used)
        position = [names.index(n) if n in names else EVERY_LIST for n in all_names]
        block = self.block(first_seq, last_seq)
        rows = block.fetch().packed()
        his = self.players.table().places(first_seq, last_seq)
        its = self.tournaments.table().places(first_seq, last_seq)
        theirs = self.bodies.table().places(first_seq, last_seq)
        start, end = (
            bisect_left(self.others, seq, key=itemgetter(0)) for seq in (first_seq, last_seq + 1)
        )
        content = Content(
            first_seq=first_seq,
            last_seq=last_seq,
            row_count=block.count,
            rows_sha256=digest(rows),
            directory=block.directory,
            effects=self._all_effects().between(first_seq, last_seq),
            names=names,
            texts={
                "players": self.of_players.packed(his),
                "tournaments": self.of_tournaments.packed(its),
                "names": self.tournament_names.packed(its),
                "places": self.tournament_places.packed(its),
                "bodies": self.of_bodies.packed(theirs),
            },
            others=self.others[start:end],
            **_renamed(tables, position),
        )
        return content, rows

    def extend(self, content: Content, fetch: Callable[[], BlockRows]) -> None:
        """Adds what a segment says, but for its ``others``; ``fetch`` brings its rows."""
        assert content.first_seq == self.seq + 1, "segments follow each other"
        self.blocks.append_sealed(_sealed(content, fetch))
        tables = {name: getattr(content, name) for name in TABLES}
        for name, table in _renamed(tables, [self.name(list_) for list_ in content.names]).items():
            getattr(self, name).extend(table)
        self.effects.append(content.effects)
        self.of_players.extend(content.texts["players"], len(content.players))
        self.birth_years.frombytes(content.players.birth_year.astype(np.intc).tobytes())
        count = len(content.tournaments)
        self.of_tournaments.extend(content.texts["tournaments"], count)
        self.tournament_names.extend(content.texts["names"], count)
        self.tournament_places.extend(content.texts["places"], count)
        self.of_bodies.extend(content.texts["bodies"], len(content.bodies))
        for days in (self.last_days, self.first_days):
            days.frombytes(content.tournaments.ends_on.astype(np.intc).tobytes())
        self.others += content.others
        self.seq = Seq(content.last_seq)

    def _tables(self) -> dict[str, Any]:
        """Returns all tables by name."""
        tables: dict[str, Any] = {name: getattr(self, name).table() for name in TABLES}
        tables["entered"] = tables["entered"].between(1, self.seq)  # runs that go on joined
        return tables

    def give_away(self, content: Content, fetch: Callable[[], BlockRows]) -> None:
        """Leaves the rows of a range of events to the segment that holds them now."""
        self.blocks.replace(_sealed(content, fetch), self.seq)

    def block(self, first_seq: int, last_seq: int) -> Block:
        """Returns the block of a range of events, in the order that its last event gives it."""
        last_days = self.tournaments.table().ends_on.copy()
        for correction in self.records.recorded(TournamentCorrected):
            if correction.seq <= last_seq:
                last_days[correction.index] = correction.event.ends_on.toordinal()
        return Block.of(first_seq, last_seq, self.blocks.between(first_seq, last_seq), last_days)

    def day_of(self, seq: Seq) -> int:
        """Returns the earliest chess date (ordinal) that an event that was taken can affect."""
        return self._all_effects().earliest(seq - 1, seq)

    def merged_away(self) -> set[int]:
        """Returns who was merged into others and not split again, by index, to be added to."""
        if self.given_up is None:
            undone = undone_of((each.seq, each.undoes) for each in self.records.undone)
            merges = self.records.merges
            self.given_up = {merge.player for merge in merges if merge.seq not in undone}
        return self.given_up

    def _all_effects(self) -> Effects:
        if len(self.effects) > 1:
            self.effects = [Effects.joined(self.effects)]
        return Effects.joined(self.effects)


def opened_twice(seq: Seq, stream: str) -> VerificationFailed:
    """Returns the failure of an event that begins what there is already."""
    return VerificationFailed("verify.opened_twice", seq=seq, stream=stream)


def merged_again(seq: Seq, event: PlayersMerged) -> VerificationFailed:
    """Returns the failure of a merge of an id that is given up, or of one into itself."""
    return VerificationFailed("verify.merged", seq=seq, player=event.player, into=event.into)


def _sealed(content: Content, fetch: Callable[[], BlockRows]) -> Block:
    return Block(
        content.first_seq, content.last_seq, content.row_count, content.directory, fetch,
        sealed=True,
    )  # fmt: skip


def _renamed(tables: dict[str, Any], position: list[int]) -> dict[str, Any]:
    """Returns tables that refer to lists by their positions among other names."""
    at = np.array([*position, EVERY_LIST], dtype=np.int16)
    seeds, ks = tables["seeds"], tables["ks"]
    of_lists = {"seeds": replace(seeds, list=at[seeds.list]), "ks": replace(ks, list=at[ks.list])}
    return tables | of_lists


def _forked(value: Any) -> Any:
    match value:
        case Growing() | GrowingBlocks() | Texts():
            return value.fork()
        case array() | list():
            return value[:]
        case Records():
            return Records(**value.copied())
        case set():
            return set(value)
        case _:
            return value
