"""The fold of pages of stored events into columns, without any event before them.

Ids are places among those that the pages name; the builder gives them their index, when it takes
the columns in order. So a verification, which reads every payload anyway, folds in the same pass,
and a second process can fold a range of its own.

Payloads are believed: they were validated when they were appended, and ``verify`` holds every
stored one against its model.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import compress
from typing import Any, TypeAlias, TypeVar

import msgspec
import numpy as np

from ledger.errors import VerificationFailed
from ledger.events import tournaments as to
from ledger.events.catalogue import CATALOGUE
from ledger.events.fast import DECODERS, PAIRING_TYPES, FastEvent, Key
from ledger.facts.arrays import NOBODY, Column, ColumnTable, column_types
from ledger.facts.blocks import PairingRows, coded
from ledger.facts.columns import Ending
from ledger.facts.runs import EntryRuns
from ledger.facts.segment import OtherEvent
from ledger.facts.tables import Supersession
from ledger.identifiers import NO_EVENT, Seq
from ledger.journal.records import EventColumns, StoredRow, columns_of
from ledger.results import Bye, Result, Termination

_NOT_OTHERS: frozenset[Key] = frozenset(DECODERS) | {
    (model.TYPE, model.VERSION)
    for model in CATALOGUE.models()
    if issubclass(model, to.StandingsEvent)
}
"""Events that are folded here, or of which the facts make nothing."""

_ENTERED = to.PlayerEntered.TYPE
_FAST_TYPES = PAIRING_TYPES | {_ENTERED}
_TABLES = ("pairings", "supersession", "entered")
_AS_THEY_ARE = ("first_seq", "last_seq", "tournaments", "players", "others")

T = TypeVar("T", bound=ColumnTable)


@dataclass(frozen=True, slots=True)
class FoldedPages:
    """What a range of events says.

    ``entered`` are runs of entries. Tournaments and players in the columns are places in the lists
    of ids. ``others`` are all other events that facts are made of.
    """

    first_seq: Seq
    last_seq: Seq
    pairings: PairingRows
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
        self._range = (NO_EVENT, NO_EVENT)
        self._tournaments = _Places()
        self._players = _Players({None: NOBODY})
        self._columns = {
            name: array("q")
            for name in (
                "seq", "supersedes", "tournament", "white", "black", "round", "code",
                "entered.seq", "entered.tournament",
            )
        }  # fmt: skip
        self._others: list[OtherEvent] = []

    def page(self, columns: EventColumns, fast: Sequence[FastEvent]) -> None:
        """Takes the next events, and those of them that are read into structs, in order."""
        seqs, _, _, types, versions, days, _, payloads, _ = columns
        self._range = (self._range[0] or seqs[0], seqs[-1])
        pairings: Sequence[Any] = fast
        if not PAIRING_TYPES.issuperset(types):
            if not _NOT_OTHERS.issuperset(zip(types, versions, strict=True)):
                its = zip(seqs, types, versions, days, payloads, strict=True)
                self._others += [event for event in its if event[1:3] not in _NOT_OTHERS]
            of_fast = [*filter(_FAST_TYPES.__contains__, types)]
            entered = [*compress(fast, map(_ENTERED.__eq__, of_fast))]
            self._extend("entered.seq", compress(seqs, map(_ENTERED.__eq__, types)))
            of = map(self._tournaments.__getitem__, [each.tournament for each in entered])
            self._extend("entered.tournament", of)
            pairings = [*compress(fast, map(PAIRING_TYPES.__contains__, of_fast))]
            seqs = [*compress(seqs, map(PAIRING_TYPES.__contains__, types))]
            types = [*filter(PAIRING_TYPES.__contains__, types)]
        self._extend("seq", seqs)
        self._extend("supersedes", [each.supersedes or 0 for each in pairings])
        of = map(self._tournaments.__getitem__, [each.tournament for each in pairings])
        self._extend("tournament", of)
        self._extend("white", map(self._players.__getitem__, [each.white for each in pairings]))
        self._extend("black", map(self._players.__getitem__, [each.black for each in pairings]))
        self._extend("round", [each.round for each in pairings])
        results, rulings = [each.result for each in pairings], [each.ruling for each in pairings]
        how = zip(types, results, rulings, strict=True)
        self._extend("code", map(_CODES.__getitem__, how))

    def _extend(self, name: str, values: Iterable[int]) -> None:
        self._columns[name].extend(array("q", [*values]))  # of a list an array is made at once

    def packed(self) -> bytes:
        """Returns what was folded as bytes."""
        made = self.made()
        said = {name: getattr(made, name) for name in _AS_THEY_ARE}
        tables = {name: _columns(getattr(made, name)) for name in _TABLES}
        return msgspec.msgpack.encode(said | tables)

    @staticmethod
    def unpacked(data: bytes) -> FoldedPages:
        """Returns what was folded, of bytes that ``packed`` made."""
        said = msgspec.msgpack.decode(data)
        return FoldedPages(
            pairings=_table(PairingRows, said["pairings"]),
            supersession=_table(Supersession, said["supersession"]),
            entered=_table(EntryRuns, said["entered"]),
            others=[tuple(other) for other in said["others"]],
            **{name: said[name] for name in _AS_THEY_ARE if name != "others"},
        )

    def made(self) -> FoldedPages:
        """Returns what was folded."""
        column = {
            name: np.frombuffer(values, dtype=np.int64) for name, values in self._columns.items()
        }
        pairings = PairingRows.typed(*(column[name] for name in column_types(PairingRows)))
        later = np.flatnonzero(column["supersedes"])
        return FoldedPages(
            *self._range,
            pairings,
            Supersession(pairings.seq[later], column["supersedes"][later]),
            EntryRuns.one_by_one(
                column["entered.seq"], column["entered.tournament"].astype(np.int32)
            ),
            list(self._tournaments),
            [player for player in self._players if player is not None],
            self._others,
        )


def folded(rows: Sequence[StoredRow]) -> FoldedPages:
    """Returns what one page of stored events says.

    Raises:
        DatabaseError: a version is unknown: newer software wrote it.
        VerificationFailed: a payload is no event of its type.
    """
    columns = columns_of(rows)
    _, _, _, types, versions, _, _, payloads, _ = columns
    decoders = map(DECODERS.get, zip(types, versions, strict=True))
    fold = PageFold()
    try:
        its = zip(decoders, payloads, strict=True)
        fold.page(columns, [decode(payload) for decode, payload in its if decode is not None])
    except (msgspec.DecodeError, KeyError, ValueError) as error:
        for event in zip(types, versions, payloads, strict=True):
            CATALOGUE.decode(*event)  # says what is wrong with the first bad one
        about = {"type": types[0], "payload": payloads[0][:200], "why": str(error)}
        raise VerificationFailed("verify.payload", **about) from error
    return fold.made()


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


# How pairings ended

_ENDINGS = {
    Termination.PLAYED: Ending.PLAYED,
    Termination.SHORT: Ending.SHORT,
    Termination.FORFEIT: Ending.FORFEIT,
    Termination.ADJUDICATED: Ending.ADJUDICATED,
}
_WITHOUT_RESULT = {
    to.GameAdjourned.TYPE: Ending.ADJOURNED,
    to.ResultAnnulled.TYPE: Ending.ANNULLED,
    to.RatingResultCorrected.TYPE: Ending.NOT_FOR_RATING,
}
_Said: TypeAlias = tuple[str, str | None, str | None]


class _Codes(dict[_Said, int]):
    """Type, result and ruling of events to the code of blocks; each is read once."""

    def __missing__(self, how: _Said) -> int:
        code = self[how] = int(coded(*np.array(_score(*how))))
        return code


def _score(type_: str, result: str | None, ruling: str | None) -> tuple[int, int, Ending]:
    """Returns white's and black's half points, and how the pairing ended."""
    if result is None:
        if type_ not in _WITHOUT_RESULT:
            raise ValueError(f"nothing says how {type_} without a result ends a pairing")
        return 0, 0, _WITHOUT_RESULT[type_]
    if type_ == to.ByeGiven.TYPE:
        return Bye(result).halves, 0, Ending.BYE
    read = Result.parse(result)
    ending = Ending.TEMPORARY if ruling == "temporary" else _ENDINGS[read.termination]
    return *read.halves, ending


_CODES = _Codes()
