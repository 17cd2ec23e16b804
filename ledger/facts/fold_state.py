"""What the fold has made of the events so far: it grows, is cut, and shows as facts."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

import numpy as np

from ledger.errors import VerificationFailed
from ledger.events.players import PlayerIdentityCorrected, PlayersMerged
from ledger.events.tournaments import TournamentCorrected
from ledger.facts.arrays import ColumnTable, Growing, Narrow
from ledger.facts.blocks import Block, BlockRows, GrowingBlocks
from ledger.facts.columns import AwardedTitle, Facts, ListFacts, Merge, OrderedStep, Ruling
from ledger.facts.effects import Effects
from ledger.facts.entry_runs import ClosedReports, EntryRuns
from ledger.facts.ids import Ids, Texts
from ledger.facts.ladder import LadderFacts
from ledger.facts.segment import Content, OtherEvent, Supersession, digest
from ledger.facts.tables import EVERY_LIST, AssignedKs, PlayerTable, Seeds, Tournaments

T = TypeVar("T", bound=ColumnTable)


@dataclass
class FoldState:
    """The facts as they grow; see ``Facts`` for what they are.

    ``birth_years`` and ``last_days`` are as last said, by index; ``others`` are the events that no
    table holds, in order of seq; ``given_up`` are those who were merged into others, by index.
    """

    seq: int = 0
    effects: list[Effects] = field(default_factory=list)
    blocks: GrowingBlocks = field(default_factory=GrowingBlocks)
    supersession: Growing[Supersession] = field(default_factory=lambda: Growing(Supersession))
    of_players: Ids = field(default_factory=Ids)
    players: Growing[PlayerTable] = field(default_factory=lambda: Growing(PlayerTable))
    birth_years: array[int] = field(default_factory=lambda: array("i"))
    of_tournaments: Ids = field(default_factory=Ids)
    tournaments: Growing[Tournaments] = field(default_factory=lambda: Growing(Tournaments))
    tournament_names: Texts = field(default_factory=Texts)
    tournament_places: Texts = field(default_factory=Texts)
    last_days: array[int] = field(default_factory=lambda: array("i"))
    seeds: Growing[Seeds] = field(default_factory=lambda: Growing(Seeds))
    ks: Growing[AssignedKs] = field(default_factory=lambda: Growing(AssignedKs))
    entered: Growing[EntryRuns] = field(default_factory=lambda: Growing(EntryRuns))
    closed: Growing[ClosedReports] = field(default_factory=lambda: Growing(ClosedReports))
    names: list[str] = field(default_factory=list)
    others: list[OtherEvent] = field(default_factory=list)
    player_corrections: list[tuple[int, int, PlayerIdentityCorrected]] = field(default_factory=list)
    tournament_corrections: list[tuple[int, int, TournamentCorrected]] = field(default_factory=list)
    rulings: list[Ruling] = field(default_factory=list)
    ordered_steps: list[OrderedStep] = field(default_factory=list)
    titles: list[AwardedTitle] = field(default_factory=list)
    merges: list[Merge] = field(default_factory=list)
    given_up: set[int] = field(default_factory=set)
    lists: dict[str, ListFacts] = field(default_factory=dict)
    ladders: dict[str, LadderFacts] = field(default_factory=dict)

    def fork(self) -> FoldState:
        """Returns the same, to grow on its own."""
        grown: dict[str, Any] = {one.name: getattr(self, one.name) for one in fields(self)}
        return FoldState(**{name: _forked(value) for name, value in grown.items()})

    def facts(self) -> Facts:
        """Returns what there is; what comes later does not change it."""
        return Facts(
            seq=self.seq,
            players=self.players.table(),
            tournaments=self.tournaments.table(),
            seeds=self.seeds.table(),
            ks=self.ks.table(),
            entered=self.entered.table().between(1, self.seq),
            closed=self.closed.table(),
            names=list(self.names),
            player_corrections=list(self.player_corrections),
            tournament_corrections=list(self.tournament_corrections),
            rulings=list(self.rulings),
            blocks=self.blocks.blocks(self.last_days_now()),
            supersession=self.supersession.table(),
            effects=self._all_effects(),
            ordered_steps=list(self.ordered_steps),
            titles=list(self.titles),
            merges=list(self.merges),
            lists={name: facts.copy() for name, facts in self.lists.items()},
            ladders={name: facts.copy() for name, facts in self.ladders.items()},
            of_players=self.of_players,
            of_tournaments=self.of_tournaments,
            tournament_names=self.tournament_names,
            tournament_places=self.tournament_places,
        )

    def check_ids(self) -> None:
        """Raises ``VerificationFailed`` when a player or a tournament was begun a second time."""
        for kind, ids, table in (
            ("player", self.of_players, self.players),
            ("tournament", self.of_tournaments, self.tournaments),
        ):
            twice = ids.repeated()
            if twice is not None:
                seq = int(table.table().seq[twice])
                raise opened_twice(seq, f"{kind}:{ids.read()[twice]}")

    def last_days_now(self) -> Narrow:
        """Returns the last day of every tournament (ordinal), as last said."""
        return np.array(self.last_days, dtype=np.int32)

    def name(self, list_: str) -> int:
        """Returns the position of a list's name."""
        if list_ not in self.names:
            self.names.append(list_)
        return self.names.index(list_)

    # Segments

    def content(self, first_seq: int, last_seq: int) -> tuple[Content, bytes]:
        """Returns what a segment of a range of events says, and its rows."""

        def cut(growing: Growing[T]) -> T:
            table = growing.table()
            return table.rows(table.places(first_seq, last_seq))

        block = self.block(first_seq, last_seq)
        rows = block.fetch().packed()
        his = self.players.table().places(first_seq, last_seq)
        its = self.tournaments.table().places(first_seq, last_seq)
        seeds, ks = cut(self.seeds), cut(self.ks)
        names = sorted(self.names[n] for n in {*seeds.list.tolist(), *ks.list.tolist()} if n >= 0)
        position = np.array(
            [names.index(n) if n in names else EVERY_LIST for n in self.names] + [EVERY_LIST],
            dtype=np.int16,
        )
        start, end = (bisect_left(self.others, seq, key=_seq) for seq in (first_seq, last_seq + 1))
        content = Content(
            first_seq=first_seq,
            last_seq=last_seq,
            row_count=block.count,
            rows_sha256=digest(rows),
            directory=block.directory,
            supersession=cut(self.supersession),
            effects=self._all_effects().between(first_seq, last_seq),
            players=cut(self.players),
            tournaments=cut(self.tournaments),
            seeds=replace(seeds, list=position[seeds.list]),
            ks=replace(ks, list=position[ks.list]),
            entered=self.entered.table().between(first_seq, last_seq),
            closed=cut(self.closed),
            names=names,
            texts={
                "players": self.of_players.packed(his),
                "tournaments": self.of_tournaments.packed(its),
                "names": self.tournament_names.packed(its),
                "places": self.tournament_places.packed(its),
            },
            others=self.others[start:end],
        )
        return content, rows

    def extend(self, content: Content, fetch: Callable[[], BlockRows]) -> None:
        """Adds what a segment says, but for its ``others``; ``fetch`` brings its rows."""
        assert content.first_seq == self.seq + 1, "segments follow each other"
        self.blocks.append_sealed(_sealed(content, fetch))
        self.supersession.extend(content.supersession)
        self.effects.append(content.effects)
        self.players.extend(content.players)
        self.of_players.extend(content.texts["players"], len(content.players))
        self.birth_years.frombytes(content.players.birth_year.astype(np.intc).tobytes())
        self.tournaments.extend(content.tournaments)
        count = len(content.tournaments)
        self.of_tournaments.extend(content.texts["tournaments"], count)
        self.tournament_names.extend(content.texts["names"], count)
        self.tournament_places.extend(content.texts["places"], count)
        self.last_days.frombytes(content.tournaments.ends_on.astype(np.intc).tobytes())
        names = np.array([*map(self.name, content.names), EVERY_LIST], dtype=np.int16)
        self.seeds.extend(replace(content.seeds, list=names[content.seeds.list]))
        self.ks.extend(replace(content.ks, list=names[content.ks.list]))
        self.entered.extend(content.entered)
        self.closed.extend(content.closed)
        self.others += content.others
        self.seq = content.last_seq

    def give_away(self, content: Content, fetch: Callable[[], BlockRows]) -> None:
        """Leaves the rows of a range of events to the segment that holds them now."""
        self.blocks.replace(_sealed(content, fetch), self.seq)

    def block(self, first_seq: int, last_seq: int) -> Block:
        """Returns the block of a range of events, in the order that its last event gives it."""
        last_days = self.tournaments.table().ends_on.copy()
        for seq, tournament, event in self.tournament_corrections:
            if seq <= last_seq:
                last_days[tournament] = event.ends_on.toordinal()
        return Block.of(first_seq, last_seq, self.blocks.between(first_seq, last_seq), last_days)

    def _all_effects(self) -> Effects:
        if len(self.effects) > 1:
            self.effects = [Effects.joined(self.effects)]
        return Effects.joined(self.effects)


def opened_twice(seq: int, stream: str) -> VerificationFailed:
    """Returns the failure of an event that begins what there is already."""
    return VerificationFailed("verify.opened_twice", seq=seq, stream=stream)


def merged_again(seq: int, event: PlayersMerged) -> VerificationFailed:
    """Returns the failure of a merge of an id that is given up, or of one into itself."""
    return VerificationFailed("verify.merged", seq=seq, player=event.player, into=event.into)


def _sealed(content: Content, fetch: Callable[[], BlockRows]) -> Block:
    return Block(
        content.first_seq, content.last_seq, content.row_count, content.directory, fetch,
        sealed=True,
    )  # fmt: skip


def _seq(other: OtherEvent) -> int:
    return other[0]


def _forked(value: Any) -> Any:
    match value:
        case Growing() | GrowingBlocks() | Texts():
            return value.fork()
        case array() | list():
            return value[:]
        case set():
            return set(value)
        case dict():
            return {name: facts.copy() for name, facts in value.items()}
        case _:
            return value
