"""A rating list: its rows, and the bytes that go out.

The published document is UTF-8 text with LF line ends: lines that begin with ``#`` say what it is
and from which basis it can be calculated again, then come the rows as CSV with a header.
"""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
from dataclasses import dataclass
from typing import Any

from ledger.lists.people import People
from ledger.rating.standing import UNRATED
from ledger.replay.replay import PeriodOutcome

COLUMNS = (
    "rank", "id", "name", "federation", "rating", "provisional", "games", "change", "k", "active",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Basis:
    """From what an answer was calculated: the events up to ``seq`` under a regulation."""

    seq: int
    regulation: str
    regulation_digest: str

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data."""
        return {
            "seq": self.seq,
            "regulation": self.regulation,
            "regulation_digest": self.regulation_digest,
        }


@dataclass(frozen=True, slots=True)
class Row:
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

    def data(self) -> dict[str, Any]:
        """Returns the row as JSON data, keys in the order of ``COLUMNS``."""
        return {column: getattr(self, column) for column in COLUMNS}


@dataclass(frozen=True, slots=True)
class RatingList:
    """A list over a period. ``edition`` is None for one that was not published as it is."""

    list: str
    period: str
    edition: int | None
    published_on: dt.date
    basis: Basis
    rows: tuple[Row, ...]

    def document(self) -> bytes:
        """Returns the bytes that go out."""
        heading = (
            f"# rating list {self.list}, period {self.period}, edition {self.edition or '-'}\n"
            f"# in force from {self.published_on.isoformat()}\n"
            f"# basis: events up to seq {self.basis.seq}, regulation {self.basis.regulation} "
            f"{self.basis.regulation_digest}\n"
            f"# {len(self.rows)} players\n"
        )
        return (heading + table(self.rows, COLUMNS)).encode()

    def output_sha256(self) -> str:
        """Returns the digest of the bytes that go out, in hexadecimal."""
        return hashlib.sha256(self.document()).hexdigest()

    def ratings_sha256(self) -> str:
        """Returns the digest of the rows without names, in hexadecimal."""
        columns = tuple(column for column in COLUMNS if column != "name")
        return hashlib.sha256(table(self.rows, columns).encode()).hexdigest()

    def data(self) -> dict[str, Any]:
        """Returns the list as JSON data."""
        return {
            "list": self.list,
            "period": self.period,
            "edition": self.edition,
            "published_on": self.published_on.isoformat() if self.edition else None,
            "basis": self.basis.data(),
            "digest": self.output_sha256() if self.edition else None,
            "rows": [row.data() for row in self.rows],
        }


def table(rows: tuple[Row, ...], columns: tuple[str, ...]) -> str:
    """Writes rows as CSV: a header, LF line ends, ``yes``/``no``, nothing for what is absent."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(getattr(row, column)) for column in columns])
    return out.getvalue()


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value)


def basis_of(outcome: PeriodOutcome, seq: int) -> Basis:
    """Returns the basis of a calculated period."""
    event = outcome.timeline.adoption(outcome.period)
    return Basis(seq, event.regulation, event.digest)


def rating_list(
    outcome: PeriodOutcome, people: People, *, seq: int, edition: int | None
) -> RatingList:
    """Makes the list of a calculated period: by rating from the highest, then by id."""
    opening, closing = outcome.opening, outcome.closing
    k = outcome.next_k
    active = outcome.active
    games = outcome.games_met
    into = outcome.timeline.known.merged_into
    entries = [
        (int(closing.rating[player]), people.id(player) or "", player)
        for player in range(len(into))
        if closing.listed[player] and into[player] == player
    ]
    entries.sort(key=lambda entry: (-entry[0], entry[1]))
    rows = tuple(
        Row(
            rank=rank,
            id=id_,
            name=people.name(player) or "",
            federation=people.federation(player),
            rating=rating,
            provisional=rating == UNRATED,
            games=int(games[player]),
            change=rating - int(opening.rating[player])
            if opening.rating[player] > UNRATED
            else None,
            k=int(k[player]),
            active=bool(active[player]),
        )
        for rank, (rating, id_, player) in enumerate(entries, start=1)
    )
    return RatingList(
        list=outcome.timeline.name,
        period=outcome.period.name,
        edition=edition,
        published_on=outcome.period.in_force_on,
        basis=basis_of(outcome, seq),
        rows=rows,
    )
