"""A change as it runs through lists and periods: who is moved first, and who through them later.

What moves in a period comes from games of that period or from ratings that moved before. So the
players stand in the order in which they are reached, and those moved most are shown.

A correction is such a change: what was recorded wrongly and holds otherwise now, by whom it was
said, and why.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Annotated, Any, Final

import numpy as np

from ledger.events import players as pl
from ledger.events import tournaments as to
from ledger.facts.arrays import NOBODY
from ledger.identifiers import PlayerId, PlayerIndex, Seq, TournamentId
from ledger.json_form import PARTS, JsonForm, Key, derived
from ledger.rating.player_state import UNRATED
from ledger.reports.impact import Moved, RatingShifts
from ledger.reports.late_reports import LateReport
from ledger.reports.statement import PersonRef

MOST_PLAYERS: Final = 20
"""So many players of a list are shown unless somebody asks for others."""


@dataclass(frozen=True, slots=True)
class CascadePeriod(JsonForm):
    """A period of a list in which somebody is moved: how many, and the sums of points up and down.

    First ratings, and ratings that are gone, are counted and not summed.
    """

    period: str
    published: bool
    players: int
    up: int
    down: int


@dataclass(frozen=True, slots=True)
class CascadeCell(JsonForm):
    """A player's rating after a period, before and after the change; None where there is none."""

    before: int | None
    after: int | None

    @property
    @derived
    def points(self) -> int | None:
        """After minus before, where both are ratings."""
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True, slots=True)
class CascadeRow(JsonForm):
    """A player with a cell for each period of the list, None where nothing moves.

    ``through`` is an opponent in the first of them whose rating was moved before; None for who is
    moved by what the change says itself.
    """

    id: PlayerId
    name: str
    cells: tuple[CascadeCell | None, ...]
    through: PersonRef | None = None

    @property
    def first(self) -> int:
        """The place of the first period in which something moves."""
        return next(place for place, cell in enumerate(self.cells) if cell is not None)

    @property
    def size(self) -> int:
        """By how much the player is moved at most; no rating counts as 0."""
        return max(abs((each.after or 0) - (each.before or 0)) for each in self.cells if each)


@dataclass(frozen=True, slots=True)
class CascadeOfList(JsonForm):
    """A list's part; ``players`` are all who are moved, ``rows`` those who are moved most.

    The rows are in the order in which the change reaches them.
    """

    list: str
    players: int
    periods: tuple[CascadePeriod, ...]
    rows: tuple[CascadeRow, ...]


@dataclass(frozen=True, slots=True)
class Cascade(JsonForm):
    """What a change moves, list by list; ``shifts`` counts ratings of a player after a period."""

    shifts: int
    lists: tuple[CascadeOfList, ...]

    def of_most(self, most: int) -> Cascade:
        """Returns the same with fewer players of each list: those who are moved most."""
        return replace(self, lists=tuple(_shortened(each, most) for each in self.lists))


def cascade(shifts: RatingShifts, most: int = MOST_PLAYERS) -> Cascade:
    """Returns what a change moves, with at most so many players of each list."""
    by_list = groupby(shifts.moved, key=lambda moved: moved.list)
    return Cascade(
        len(shifts), tuple(_of_list(name, list(moved), shifts, most) for name, moved in by_list)
    )


def _of_list(name: str, moved: Sequence[Moved], shifts: RatingShifts, most: int) -> CascadeOfList:
    players = np.unique(np.concatenate([each.players for each in moved]))
    reached = np.full(len(players), len(moved), dtype=np.int64)
    size = np.zeros(len(players), dtype=np.int64)
    for place, each in enumerate(moved):
        at = np.searchsorted(players, each.players)
        reached[at] = np.minimum(reached[at], place)
        size[at] = np.maximum(size[at], np.abs(each.after - each.before))
    largest = np.lexsort((players, reached, -size))[:most]
    shown = largest[np.lexsort((players[largest], -size[largest], reached[largest]))]
    rows = (
        CascadeRow(
            *shifts.person(player),
            tuple(_cell(each, player) for each in moved),
            _through(shifts, moved[place], player),
        )
        for player, place in zip(players[shown].tolist(), reached[shown].tolist(), strict=True)
    )
    return CascadeOfList(
        list=name,
        players=len(players),
        periods=tuple(_period(each) for each in moved),
        rows=tuple(rows),
    )


def _shortened(of: CascadeOfList, most: int) -> CascadeOfList:
    largest = sorted(range(len(of.rows)), key=lambda place: -of.rows[place].size)[:most]
    return replace(of, rows=tuple(of.rows[place] for place in sorted(largest)))


def _period(moved: Moved) -> CascadePeriod:
    rated = (moved.before != UNRATED) & (moved.after != UNRATED)
    points = (moved.after - moved.before)[rated]
    return CascadePeriod(
        period=moved.period,
        published=moved.published,
        players=len(moved.players),
        up=int(points[points > 0].sum()),
        down=int(points[points < 0].sum()),
    )


def _cell(moved: Moved, player: PlayerIndex) -> CascadeCell | None:
    place = int(np.searchsorted(moved.players, player))
    if place == len(moved.players) or moved.players[place] != player:
        return None
    before, after = int(moved.before[place]), int(moved.after[place])
    return CascadeCell(before or None, after or None)


def _through(shifts: RatingShifts, moved: Moved, player: PlayerIndex) -> PersonRef | None:
    """Returns through whom a player is moved in the first period that does."""
    opponent = int(moved.through[np.searchsorted(moved.players, player)])
    return None if opponent == NOBODY else PersonRef(*shifts.person(PlayerIndex(opponent)))


CORRECTING: Final = frozenset(
    model.TYPE
    for model in (
        to.ResultCorrected, to.RatingResultCorrected, to.ResultAnnulled, to.TournamentCorrected,
        to.TournamentAccepted, to.TournamentRejected, to.TournamentAnnulled,
        pl.PlayerIdentityCorrected, pl.PlayersMerged, pl.PlayerFactUndone, to.TournamentFactUndone,
    )
)  # fmt: skip
"""The types of events that change what held before."""


@dataclass(frozen=True, slots=True)
class CorrectedItem(JsonForm):
    """One thing that was corrected, by the event that did it.

    ``title`` is the tournament's name. ``players`` are the two of a pairing, the one of a bye or of
    an identity, or the one merged and the one who stays. ``was`` and ``now`` are results in
    notation, None where there is none: an annulled pairing has no result now, one that counts for
    no rating neither. ``played_on``, ``entered_at`` and ``entered_by`` are of what it replaces:
    its day, and the instant and the actor of its commit; None where it replaces nothing, or nobody
    told the day. An event that takes another back says which game the other was about, and what
    holds of it again.
    ``taken_back_by`` is the seq of the event that takes this one back; None: it holds.
    """

    seq: Seq
    type: str
    tournament: TournamentId | None
    title: str | None
    round: int | None
    players: tuple[PersonRef, ...]
    was: str | None
    now: str | None
    played_on: dt.date | None
    entered_at: str | None
    entered_by: str | None
    taken_back_by: Seq | None = None


@dataclass(frozen=True, slots=True)
class TakenBack(JsonForm):
    """The commit that took a correction back: its first such event, when, by whom and why."""

    seq: Seq
    recorded_at: str
    actor: str
    reason: str


@dataclass(frozen=True, slots=True)
class Correction(JsonForm):
    """The corrections of one commit; ``seq`` is that of the first, ``events`` how many there are.

    ``items`` are the first of them. Of the actor ``asked_by`` is who handed it in, ``decided_by``
    who agreed, or recorded it alone. ``taken_back`` says that none of it holds any more.
    """

    seq: Seq
    commit: int
    recorded_at: str
    actor: str
    reason: str
    source: str | None
    events: int
    items: tuple[CorrectedItem, ...]
    asked_by: str | None
    decided_by: str
    taken_back: TakenBack | None = None


@dataclass(frozen=True, slots=True)
class Corrections(JsonForm):
    """Some corrections, the newest first."""

    corrections: Sequence[Correction]


@dataclass(frozen=True, slots=True)
class LaterEdition(JsonForm):
    """An edition that went out after its period was corrected, and the instant of its commit."""

    list: str
    period: str
    edition: int
    recorded_at: str


@dataclass(frozen=True, slots=True)
class CorrectionReport(JsonForm):
    """A correction and whom its commit moved, in all lists and periods.

    ``known_before`` and ``known_after`` are the seqs between which it was recorded. ``editions``
    are, of each period that it moves, the first that went out later. ``late_reports`` are the
    tournaments it is about that a list does not rate.
    """

    correction: Annotated[Correction, PARTS]
    cascade: Annotated[Cascade, Key("moved")]
    known_before: Seq
    known_after: Seq
    editions: tuple[LaterEdition, ...]
    late_reports: tuple[LateReport, ...] = ()


def result_said(type_: str, payload: Mapping[str, Any]) -> str | None:
    """Returns the result that an event about a pairing says, in notation; None for none."""
    if type_ == to.ByeGiven.TYPE:
        return str(payload["kind"])
    said = payload.get("result")
    return None if said is None else str(said)
