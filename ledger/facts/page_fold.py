"""What is gleaned of events while somebody else reads them anyway: enough to fold them.

Who verifies a ledger reads every payload; it need not be read again for the fold. Another process
may do it, without knowing any event before its own: ids are places among those it has met, and get
their index when the fold takes them, in order.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TypeVar

import msgspec
import numpy as np

from ledger.events import tournaments as to
from ledger.events.light import Light, PlayerEntered
from ledger.facts.arrays import NOBODY, Column, ColumnTable
from ledger.facts.blocks import Words, coded
from ledger.facts.entry_runs import EntryRuns
from ledger.facts.pairings import PAIRING_TYPES, scores, unpacked
from ledger.facts.segment import OtherEvent, Supersession
from ledger.journal.records import StoredRow

WITHOUT_FACTS = frozenset(
    (event.TYPE, event.VERSION) for event in (to.PlayerEntered, to.PlayerWithdrew)
)
"""Events that are in no table and no record of the facts, by type and version.

Of those that enter players the facts know how many there are.
"""


_ENTERED = to.PlayerEntered.TYPE
_TABLES = ("words", "supersession", "entered")
_AS_THEY_ARE = ("first_seq", "last_seq", "tournaments", "players", "others")

T = TypeVar("T", bound=ColumnTable)


@dataclass(frozen=True, slots=True)
class FoldedPages:
    """What a range of events says.

    ``words`` and ``supersession`` are of pairings, ``entered`` are runs of entries; tournaments and
    players in them are places in the lists of ids. ``others`` are all other events that facts are
    made of.
    """

    first_seq: int
    last_seq: int
    words: Words
    supersession: Supersession
    entered: EntryRuns
    tournaments: list[str]
    players: list[str]
    others: list[OtherEvent]

    def tournament_indexes(self, index: Mapping[str, int]) -> Column:
        """Returns the index of each of the tournaments; ``NOBODY`` where it has none yet."""
        return np.array([index.get(id_, NOBODY) for id_ in self.tournaments], dtype=np.int32)

    def player_indexes(self, index: Mapping[str, int]) -> Column:
        """Returns the index of each of the players, and of nobody, as the last one."""
        return np.array([*(index[id_] for id_ in self.players), NOBODY], dtype=np.int32)


class PageFold:
    """Is shown the events of a range in order, a page at a time."""

    def __init__(self) -> None:
        self._range = (0, 0)
        self._tournaments = _Places()
        self._players = _Players({None: NOBODY})
        self._columns = {
            name: array("q")
            for name in (
                "seq", "supersedes", "tournament", "white", "black", "round", "score",
                "entered.seq", "entered.tournament",
            )
        }  # fmt: skip
        self._others: list[OtherEvent] = []

    def page(self, rows: Sequence[StoredRow], light: Sequence[Light]) -> None:
        """Takes stored events, and those of them that were read by structs."""
        self._range = (self._range[0] or rows[0][0], rows[-1][0])
        types: Sequence[str] = [row[3] for row in rows]
        if PAIRING_TYPES.issuperset(types):
            seqs = [row[0] for row in rows]
        else:
            self._others += (
                (seq, type_, version, day, payload)
                for seq, _, _, type_, version, day, _, payload, _ in rows
                if type_ not in PAIRING_TYPES and (type_, version) not in WITHOUT_FACTS
            )
            its = [row for row in rows if row[3] in PAIRING_TYPES]
            seqs, types = [row[0] for row in its], [row[3] for row in its]
        said = [each for each in light if not isinstance(each, PlayerEntered)]
        if len(said) < len(light):
            entered = [each for each in light if isinstance(each, PlayerEntered)]
            self._extend("entered.seq", [row[0] for row in rows if row[3] == _ENTERED])
            of = map(self._tournaments.__getitem__, [each.tournament for each in entered])
            self._extend("entered.tournament", of)
        self._extend("seq", seqs)
        self._extend("supersedes", [each.supersedes or 0 for each in said])
        self._extend(
            "tournament", map(self._tournaments.__getitem__, [each.tournament for each in said])
        )
        self._extend("white", map(self._players.__getitem__, [each.white for each in said]))
        self._extend("black", map(self._players.__getitem__, [each.black for each in said]))
        self._extend("round", [each.round for each in said])
        results, rulings = [each.result for each in said], [each.ruling for each in said]
        self._extend("score", scores(types, results, rulings))

    def _extend(self, name: str, values: Iterable[int]) -> None:
        self._columns[name].extend(values)

    def packed(self) -> bytes:
        """Returns what was gleaned as bytes."""
        made = self.made()
        said = {name: getattr(made, name) for name in _AS_THEY_ARE}
        tables = {name: _columns(getattr(made, name)) for name in _TABLES}
        return msgspec.msgpack.encode(said | tables)

    @staticmethod
    def unpacked(data: bytes) -> FoldedPages:
        """Returns what was gleaned, of bytes that ``packed`` made."""
        said = msgspec.msgpack.decode(data)
        return FoldedPages(
            words=_table(Words, said["words"]),
            supersession=_table(Supersession, said["supersession"]),
            entered=_table(EntryRuns, said["entered"]),
            others=[tuple(other) for other in said["others"]],
            **{name: said[name] for name in _AS_THEY_ARE if name != "others"},
        )

    def made(self) -> FoldedPages:
        """Returns what was gleaned."""
        column = {
            name: np.frombuffer(values, dtype=np.int64) for name, values in self._columns.items()
        }
        words = Words.narrowed(
            column["seq"],
            column["tournament"],
            column["white"],
            column["black"],
            column["round"],
            coded(*unpacked(column["score"])),
        )
        later = np.flatnonzero(column["supersedes"])
        return FoldedPages(
            *self._range,
            words,
            Supersession(words.seq[later], column["supersedes"][later]),
            EntryRuns.one_by_one(
                column["entered.seq"], column["entered.tournament"].astype(np.int32)
            ),
            list(self._tournaments),
            [player for player in self._players if player is not None],
            self._others,
        )


def _columns(table: ColumnTable) -> list[tuple[str, bytes]]:
    columns = (getattr(table, field.name) for field in fields(table))
    return [(column.dtype.str, column.tobytes()) for column in columns]


def _table(kind: type[T], columns: Sequence[tuple[str, bytes]]) -> T:
    return kind(*(np.frombuffer(data, dtype=type_) for type_, data in columns))


class _Places(dict[str, int]):
    """Texts to their places, in the order in which they are met."""

    def __missing__(self, text: str) -> int:
        place = self[text] = len(self)
        return place


class _Players(dict[str | None, int]):
    """The same for players; nobody is there from the beginning and takes no place."""

    def __missing__(self, id_: str | None) -> int:
        place = self[id_] = len(self) - 1
        return place
