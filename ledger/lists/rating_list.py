"""A rating list: its rows, the bytes that go out, and what differs between two.

The published document is UTF-8 text with LF line ends: lines that begin with ``#`` say what it is
and from which basis it can be calculated again, then come the rows as CSV with a header. Rows are
kept as columns, and made when they are read one by one.

The orders in which people look at a rating list, beside that of its ranks.
"""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cached_property
from operator import itemgetter, neg
from typing import Annotated, Any, ClassVar, Final, Self, TypeAlias, overload

import numpy as np

from ledger.exports.columns import as_text
from ledger.facts.arrays import Column
from ledger.facts.ids import alphabetical
from ledger.identifiers import Seq
from ledger.json_form import PARTS, SHA256, After, Form, JsonForm, derived, form_of
from ledger.lists.people import People, sort_key
from ledger.lists.rating_source import RatingState
from ledger.rating.player_state import UNRATED
from ledger.replay.period_outcome import PeriodOutcome


class RowOrder(StrEnum):
    """In which order rows are shown; among equals it is that of the ranks."""

    RANK = "rank"
    NAME = "name"
    GAIN = "gain"
    LOSS = "loss"
    GAMES = "games"


def ordered(rows: ListRows, order: RowOrder) -> list[int]:
    """Returns the places of all rows in an order.

    Those without a change (a first rating) come last, whether gains or losses are asked for.
    """
    places = range(len(rows))
    match order:
        case RowOrder.RANK:
            return list(places)
        case RowOrder.NAME:
            keys = list(map(sort_key, rows.published.name, rows.published.id))
            return sorted(places, key=keys.__getitem__)
        case RowOrder.GAIN | RowOrder.LOSS:
            sign = -1 if order is RowOrder.GAIN else 1
            changes = rows.published.change
            return sorted(places, key=lambda at: _first_known(changes[at], sign))
        case RowOrder.GAMES:
            games = rows.published.games
            return sorted(places, key=lambda at: -games[at])


def _first_known(change: int | None, sign: int) -> tuple[bool, int]:
    return (True, 0) if change is None else (False, sign * change)


Pick: TypeAlias = Callable[[Sequence[Any]], Sequence[Any]]
_FLAGS = ("provisional", "active")
_WORDS = ("no", "yes")


@dataclass(frozen=True)
class PublishedRows:
    """What is published of the players of a list: columns of the same length, in their order.

    The bytes that go out, their digests and the editions are made of these columns and of no
    others: one more would be another document. What is shown beside them is ``ListRows``.
    """

    rank: Sequence[int]
    id: Sequence[str]
    name: Sequence[str]
    federation: Sequence[str | None]
    rating: Sequence[int]
    provisional: Sequence[bool]
    games: Sequence[int]
    change: Sequence[int | None]
    k: Sequence[int]
    active: Sequence[bool]

    def __len__(self) -> int:
        return len(self.id)

    def __hash__(self) -> int:
        return hash(tuple(self.id))

    def columns(self) -> list[Sequence[Any]]:
        """Returns the columns in the order of ``PUBLISHED``."""
        return [getattr(self, name) for name in PUBLISHED]

    def picked(self, pick: Pick) -> PublishedRows:
        """Returns what is picked of every column."""
        return PublishedRows(*map(pick, self.columns()))

    def table(self) -> str:
        """Writes the columns as CSV: a header, LF line ends, ``yes``/``no``, nothing for None.

        Digests are made of these bytes: they never change.
        """
        return _written(PUBLISHED, map(_cells, PUBLISHED, self.columns()))

    def table_without_names(self) -> str:
        """Writes the rows as ``table`` does, but as if nobody had a name.

        Names have their part in rank and order, so those of a list without any are given: by
        rating, then games, then id.
        """
        bare = replace(self.by_figures, rank=range(1, len(self) + 1))
        names = tuple(name for name in PUBLISHED if name != "name")
        return _written(names, (_cells(name, getattr(bare, name)) for name in names))

    @cached_property
    def by_figures(self) -> PublishedRows:
        """The rows in an order that no name has a part in: by rating, then games, then id.

        It is the order of a list in which nobody has a name; their ranks are those of this list.
        """
        figures = list(zip(map(neg, self.rating), map(neg, self.games), self.id, strict=True))
        places = sorted(range(len(self)), key=figures.__getitem__)
        return self.picked(lambda column: [column[place] for place in places])


PUBLISHED = tuple(field.name for field in fields(PublishedRows))
"""The names of the columns, as they stand in the published document."""


@dataclass(frozen=True, slots=True)
class ListRow(JsonForm):
    """One player of a list, as shown: what is published of him comes first.

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


@dataclass(frozen=True)
class ListRows(Sequence[ListRow]):
    """The players of a list in their order, as they are shown on pages, in tables and in JSON.

    A column that is shown and not published is a field here, beside ``published``, and of ``ROW``.
    Two are equal if all that is shown is; whether an edition is another one, ``published`` tells.
    """

    ROW: ClassVar[type[ListRow]] = ListRow

    published: PublishedRows

    def __len__(self) -> int:
        return len(self.published)

    def __hash__(self) -> int:
        return hash(self.published)

    def __iter__(self) -> Iterator[ListRow]:
        return map(self.ROW, *map(self.column, self.names))

    @overload
    def __getitem__(self, place: int) -> ListRow: ...

    @overload
    def __getitem__(self, place: slice) -> Self: ...

    def __getitem__(self, place: int | slice) -> ListRow | Self:
        if isinstance(place, slice):
            return self._picked(itemgetter(place))
        return self.ROW(*(self.column(name)[place] for name in self.names))

    def at(self, places: Sequence[int]) -> Self:
        """Returns the rows at some places."""
        return self._picked(lambda column: [column[place] for place in places])

    def _picked(self, pick: Pick) -> Self:
        shown = [field.name for field in fields(self) if field.name != "published"]
        others: dict[str, Any] = {name: pick(getattr(self, name)) for name in shown}
        return replace(self, published=self.published.picked(pick), **others)

    @classmethod
    def of_columns(cls, columns: Mapping[str, Sequence[Any]]) -> Self:
        """Returns rows from all that is shown, by the names of the columns."""
        published = PublishedRows(**{name: columns[name] for name in PUBLISHED})
        shown = {name: column for name, column in columns.items() if name not in PUBLISHED}
        return cls(published, **shown)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns that are shown, in their order."""
        return tuple(field.name for field in fields(self.ROW))

    def column(self, name: str) -> Sequence[Any]:
        """Returns the values of a column that is shown, in the order of the rows."""
        column: Sequence[Any] = getattr(self.published if name in PUBLISHED else self, name)
        return column

    def data(self) -> list[dict[str, Any]]:
        """Returns the rows as JSON data, keys in the order of ``names``."""
        columns = map(self.column, self.names)
        return [dict(zip(self.names, row, strict=True)) for row in zip(*columns, strict=True)]

    def sheet(self) -> str:
        """Writes all that is shown as CSV; see ``sheet_text``."""
        return sheet_text({name: self.column(name) for name in self.names})


def sheet_text(columns: Mapping[str, Sequence[Any]]) -> str:
    """Writes columns as ``PublishedRows.table`` does, but nothing a spreadsheet would execute."""
    return _written(list(columns), map(_harmless, columns, columns.values()))


def _cells(name: str, column: Sequence[Any]) -> Sequence[Any]:
    """Returns the values of a column as a table has them."""
    return [_WORDS[value] for value in column] if name in _FLAGS else column


def _harmless(name: str, column: Sequence[Any]) -> Sequence[Any]:
    """Returns the same; texts as no spreadsheet would execute them."""
    return [as_text(cell) if isinstance(cell, str) else cell for cell in _cells(name, column)]


def _written(names: Sequence[str], columns: Iterable[Sequence[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(zip(*columns, strict=True))
    return out.getvalue()


SHOWN_ROWS: Final = Form(form_of(Sequence[ListRow]).schema, lambda rows, _: rows.data(), (ListRow,))

# The list


@dataclass(frozen=True, slots=True)
class Basis(JsonForm):
    """From what an answer was calculated: the events up to ``seq`` under a regulation."""

    seq: Seq
    regulation: str
    regulation_digest: str


@dataclass(frozen=True, slots=True)
class ListHeading(JsonForm):
    """What is said of a list above its rows; of one that was not published no day and no digest."""

    list: str
    period: str
    edition: int | None
    published_on: dt.date | None
    basis: Basis
    digest: Annotated[str | None, SHA256]
    in_force_on: dt.date
    state: RatingState

    @classmethod
    def of_data(cls, data: dict[str, Any]) -> ListHeading:
        """Returns what was written as JSON data."""
        on, basis = data["published_on"], Basis(**data["basis"])
        in_force_on = dt.date.fromisoformat(data["in_force_on"])
        read = {"published_on": on and in_force_on, "basis": basis, "in_force_on": in_force_on}
        return cls(**{**data, **read})


@dataclass(frozen=True, slots=True)
class ShownRows(JsonForm):
    """Some rows of a list, with its heading."""

    heading: Annotated[ListHeading, PARTS]
    rows: Annotated[ListRows, SHOWN_ROWS]


@dataclass(frozen=True)
class RatingList:
    """A list over a period. ``edition`` is None for one that was not published as it is.

    ``lost`` are the ids of those who have no rating any more, ``state_as_known`` is the state of
    the ratings of one without an edition. Both are shown, and never published.
    """

    list: str
    period: str
    edition: int | None
    published_on: dt.date
    basis: Basis
    rows: ListRows
    lost: frozenset[str] = frozenset()
    state_as_known: RatingState = "preview"

    @property
    def state(self) -> RatingState:
        """The state of its ratings."""
        return self.state_as_known if self.edition is None else "published"

    def document(self) -> bytes:
        """Returns the bytes that go out."""
        return (self.document_heading() + self.rows.published.table()).encode()

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
        return hashlib.sha256(self.rows.published.table_without_names().encode()).hexdigest()

    def shown(self, rows: ListRows | None = None) -> ShownRows:
        """Returns the list as it is shown, with some of its rows if they are given."""
        return ShownRows(self.heading(), self.rows if rows is None else rows)

    def heading(self) -> ListHeading:
        """Returns the list without its rows."""
        return ListHeading(
            list=self.list,
            period=self.period,
            edition=self.edition,
            published_on=self.published_on if self.edition else None,
            basis=self.basis,
            digest=self.output_sha256() if self.edition else None,
            in_force_on=self.published_on,
            state=self.state,
        )


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


def basis_of(outcome: PeriodOutcome, seq: Seq) -> Basis:
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
    outcome: PeriodOutcome, people: People, *, seq: Seq, edition: int | None
) -> RatingList:
    """Makes the list of a calculated period, in the order of ``ranked``."""
    opening, closing = outcome.opening, outcome.closing
    players, ids, names = ranked(outcome, outcome.counted_games, people)
    rating, before = closing.rating[players], opening.rating[players]
    change = (rating - before).tolist()
    for place in np.flatnonzero(before <= UNRATED).tolist():
        change[place] = None
    published = PublishedRows(
        rank=range(1, len(players) + 1),
        id=ids,
        name=names,
        federation=people.federations(players),
        rating=rating.tolist(),
        provisional=(rating == UNRATED).tolist(),
        games=outcome.counted_games[players].tolist(),
        change=change,
        k=outcome.next_k[players].tolist(),
        active=outcome.active[players].astype(np.bool_).tolist(),
    )
    return RatingList(
        list=outcome.timeline.name,
        period=outcome.period.name,
        edition=edition,
        published_on=outcome.period.in_force_on,
        basis=basis_of(outcome, seq),
        rows=ListRows(published),
        lost=frozenset(ids[place] for place in np.flatnonzero(outcome.lost[players]).tolist()),
    )


# What differs between two lists


@dataclass(frozen=True, slots=True)
class Move(JsonForm):
    """One player who is not the same in both lists; None where there is no rating in it."""

    id: str
    name: str
    before: int | None
    after: int | None

    @property
    @derived
    def kind(self) -> Annotated[str, After("")]:
        """``entered``, ``left`` or ``moved``."""
        if self.before is None:
            return "entered"
        return "left" if self.after is None else "moved"

    @property
    @derived
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
