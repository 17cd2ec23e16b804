"""A rating list: its rows, the bytes that go out, and what differs between two.

The published document is UTF-8 text with LF line ends: lines that begin with ``#`` say what it is
and from which basis it can be calculated again, then come the rows as CSV with a header. Rows are
kept as columns, and made when they are read one by one.
"""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import neg
from typing import Any, overload

import numpy as np

from ledger.exports.columns import as_text
from ledger.facts.arrays import Column
from ledger.facts.ids import alphabetical
from ledger.json_form import JsonForm
from ledger.lists.people import People, sort_key
from ledger.rating.player_state import UNRATED
from ledger.replay.period_outcome import PeriodOutcome

COLUMNS = (
    "rank", "id", "name", "federation", "rating", "provisional", "games", "change", "k", "active",
)  # fmt: skip
_TEXTS = ("id", "name")
_FLAGS = ("provisional", "active")
_WORDS = ("no", "yes")


@dataclass(frozen=True, slots=True)
class ListRow(JsonForm):
    """One player of a list.

    A provisional player has the rating 0. ``games`` were rated in the period, or entered a
    provisional bucket; ``change`` is closing minus opening in points (None for a first rating),
    ``k`` the one in force from this list on.
    """

    rank: int
    id: str
    name: str
    federation: str | None
    rating: int
    provisional: bool
    games: int
    change: int | None
    k: int
    active: bool


class ListRows(Sequence[ListRow]):
    """The players of a list in their order; two are equal if all rows are.

    ``columns`` are the values by column, all of the same length.
    """

    def __init__(self, columns: Mapping[str, Sequence[Any]]) -> None:
        self._columns = tuple(columns[name] for name in COLUMNS)
        self._count = len(self._columns[0])

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[ListRow]:
        return map(ListRow, *self._columns)

    @overload
    def __getitem__(self, place: int) -> ListRow: ...

    @overload
    def __getitem__(self, place: slice) -> ListRows: ...

    def __getitem__(self, place: int | slice) -> ListRow | ListRows:
        chosen: list[Any] = [column[place] for column in self._columns]
        if isinstance(place, slice):
            return ListRows(dict(zip(COLUMNS, chosen, strict=True)))
        return ListRow(*chosen)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ListRows):
            return NotImplemented
        return self._columns == other._columns

    def __hash__(self) -> int:
        return hash(tuple(self._columns[COLUMNS.index("id")]))

    def at(self, places: Sequence[int]) -> ListRows:
        """Returns the rows at some places."""
        chosen = [[column[place] for place in places] for column in self._columns]
        return ListRows(dict(zip(COLUMNS, chosen, strict=True)))

    def column(self, name: str) -> Sequence[Any]:
        """Returns the values of a column, in the order of the rows."""
        return self._columns[COLUMNS.index(name)]

    def data(self) -> list[dict[str, Any]]:
        """Returns the rows as JSON data, keys in the order of ``COLUMNS``."""
        return [dict(zip(COLUMNS, row, strict=True)) for row in zip(*self._columns, strict=True)]

    def table(self, names: Sequence[str] = COLUMNS) -> str:
        """Writes columns as CSV: a header, LF line ends, ``yes``/``no``, nothing for None.

        Digests are made of these bytes: they never change.
        """
        return _written(names, [_cells(self, name) for name in names])

    def table_without_names(self) -> str:
        """Writes the rows as ``table`` does, but as if nobody had a name.

        Names have their part in rank and order, so those of a list without any are given: by
        rating, then games, then id.
        """
        names = tuple(column for column in COLUMNS if column != "name")
        others = (_cells(self.by_figures, name) for name in names[1:])
        return _written(names, [range(1, self._count + 1), *others])

    @cached_property
    def by_figures(self) -> ListRows:
        """The rows in an order that no name has a part in: by rating, then games, then id.

        It is the order of a list in which nobody has a name; their ranks are those of this list.
        """
        rating, games = (map(neg, self.column(name)) for name in ("rating", "games"))
        figures = list(zip(rating, games, self.column("id"), strict=True))
        return self.at(sorted(range(self._count), key=figures.__getitem__))

    def sheet(self) -> str:
        """Writes all columns as ``table`` does, but no cell that a spreadsheet would execute."""
        return _written(
            COLUMNS,
            [
                [as_text(text) for text in self.column(name)]
                if name in _TEXTS
                else _cells(self, name)
                for name in COLUMNS
            ],
        )


def _cells(rows: ListRows, name: str) -> Sequence[Any]:
    """Returns the values of a column as a table has them."""
    values = rows.column(name)
    return [_WORDS[value] for value in values] if name in _FLAGS else values


def _written(names: Sequence[str], columns: Sequence[Sequence[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(zip(*columns, strict=True))
    return out.getvalue()


# The list


@dataclass(frozen=True, slots=True)
class Basis(JsonForm):
    """From what an answer was calculated: the events up to ``seq`` under a regulation."""

    seq: int
    regulation: str
    regulation_digest: str


@dataclass(frozen=True)
class RatingList:
    """A list over a period. ``edition`` is None for one that was not published as it is."""

    list: str
    period: str
    edition: int | None
    published_on: dt.date
    basis: Basis
    rows: ListRows

    def document(self) -> bytes:
        """Returns the bytes that go out."""
        return (self.document_heading() + self.rows.table()).encode()

    def document_heading(self) -> str:
        """Returns the lines that stand before the rows in the bytes that go out."""
        return (
            f"# rating list {self.list}, period {self.period}, edition {self.edition or '-'}\n"
            f"# in force from {self.published_on.isoformat()}\n"
            f"# basis: events up to seq {self.basis.seq}, regulation {self.basis.regulation} "
            f"{self.basis.regulation_digest}\n"
            f"# {len(self.rows)} players\n"
        )

    def output_sha256(self) -> str:
        """Returns the digest of the bytes that go out, in hexadecimal."""
        return self._output_sha256

    @cached_property
    def _output_sha256(self) -> str:
        return hashlib.sha256(self.document()).hexdigest()

    def ratings_sha256(self) -> str:
        """Returns the digest of the rows as if nobody had a name, in hexadecimal.

        It is the same before and after a person is erased, and where names are left out.
        """
        return hashlib.sha256(self.rows.table_without_names().encode()).hexdigest()

    def data(self, rows: ListRows | None = None) -> dict[str, Any]:
        """Returns the list as JSON data, with some of its rows if they are given."""
        return self.heading() | {"rows": (self.rows if rows is None else rows).data()}

    def heading(self) -> dict[str, Any]:
        """Returns the list as JSON data, without its rows."""
        return {
            "list": self.list,
            "period": self.period,
            "edition": self.edition,
            "published_on": self.published_on.isoformat() if self.edition else None,
            "basis": self.basis.data(),
            "digest": self.output_sha256() if self.edition else None,
        }


def figures_sha256(outcome: PeriodOutcome) -> str:
    """Returns a digest of what the rows of a list say beside names, by player index.

    Of two outcomes from the same facts it is the same where ``ratings_sha256`` of their lists is,
    and takes a hundredth of the time: nothing is sorted or written.
    """
    known, opening, closing = outcome.timeline.known, outcome.opening, outcome.closing
    own = known.merged_into == np.arange(len(known.merged_into))
    listed = np.flatnonzero(own & closing.listed[: len(own)].astype(np.bool_))
    columns = (
        listed, closing.rating, opening.rating, outcome.counted_games, outcome.next_k,
        outcome.active.astype(np.bool_), known.federation_codes,
    )  # fmt: skip
    digest = hashlib.sha256()
    for column in columns:
        said = column if column is listed else column[listed]
        digest.update(f"{said.dtype.str} {len(said)} ".encode() + said.tobytes())
    return digest.hexdigest()


def basis_of(outcome: PeriodOutcome, seq: int) -> Basis:
    """Returns the basis of a calculated period."""
    event = outcome.timeline.adoption(outcome.period)
    return Basis(seq, event.regulation, event.digest)


def ranked(
    outcome: PeriodOutcome, games: Column, people: People
) -> tuple[Column, list[str], list[str]]:
    """Returns who has a place after a period, in order: players by index, their ids and names.

    By rating from the highest; of equal ratings more games come first, as in FIDE's lists of
    January 1996 and January 2008, then the name (see ``sort_key``), last the id.

    ``games`` are everybody's games that count for the order, by player index.
    """
    closing, into = outcome.closing, outcome.timeline.known.merged_into
    listed = np.flatnonzero(
        closing.listed[: len(into)].astype(np.bool_) & (into == np.arange(len(into)))
    )
    ids, names = people.ids(listed), people.names(listed)
    by_name = alphabetical(list(map(sort_key, names, ids)) if any(names) else ids)
    rating = closing.rating[listed].astype(np.int64)
    order = np.lexsort((by_name, -games[listed].astype(np.int64), -rating))
    places = order.tolist()
    return listed[order], [ids[place] for place in places], [names[place] for place in places]


def rating_list(
    outcome: PeriodOutcome, people: People, *, seq: int, edition: int | None
) -> RatingList:
    """Makes the list of a calculated period, in the order of ``ranked``."""
    opening, closing = outcome.opening, outcome.closing
    players, ids, names = ranked(outcome, outcome.counted_games, people)
    rating, before = closing.rating[players], opening.rating[players]
    change = (rating - before).tolist()
    for place in np.flatnonzero(before <= UNRATED).tolist():
        change[place] = None
    rows = ListRows(
        {
            "rank": range(1, len(players) + 1),
            "id": ids,
            "name": names,
            "federation": people.federations(players),
            "rating": rating.tolist(),
            "provisional": (rating == UNRATED).tolist(),
            "games": outcome.counted_games[players].tolist(),
            "change": change,
            "k": outcome.next_k[players].tolist(),
            "active": outcome.active[players].astype(np.bool_).tolist(),
        }
    )
    return RatingList(
        list=outcome.timeline.name,
        period=outcome.period.name,
        edition=edition,
        published_on=outcome.period.in_force_on,
        basis=basis_of(outcome, seq),
        rows=rows,
    )


# What differs between two lists


@dataclass(frozen=True, slots=True)
class Move(JsonForm):
    """One player who is not the same in both lists; None where there is no rating in it."""

    JSON = "kind id name before after points"

    id: str
    name: str
    before: int | None
    after: int | None

    @property
    def kind(self) -> str:
        """``entered``, ``left`` or ``moved``."""
        if self.before is None:
            return "entered"
        return "left" if self.after is None else "moved"

    @property
    def points(self) -> int | None:
        """By how much, where both are ratings."""
        return None if self.before is None or self.after is None else self.after - self.before


def difference(before: RatingList, after: RatingList) -> list[Move]:
    """Returns the moves from one list to another: entered, left, then moved, each by id."""
    old = {row.id: row for row in before.rows}
    new = {row.id: row for row in after.rows}
    moves = [
        Move(
            id_,
            (new.get(id_) or old[id_]).name,
            old[id_].rating or None if id_ in old else None,
            new[id_].rating or None if id_ in new else None,
        )
        for id_ in sorted(old.keys() | new.keys())
    ]
    order = ("entered", "left", "moved")
    changed = [move for move in moves if move.before != move.after]
    return sorted(changed, key=lambda move: (order.index(move.kind), move.id))
