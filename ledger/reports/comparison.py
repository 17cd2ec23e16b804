"""What if: the same events under another regulation, beside the list as it is.

Both sides are replayed from the list's first period with what is known now, whatever the list's
policy for late facts: the list's own with the
regulations it adopted, the other with one regulation throughout; the ratings brought in, the Ks
assigned and the list-wide steps are the same. Nothing is recorded.

Looked at are the periods from one to another: the ratings at the start of the first and at the end
of the last, and the games between. Both predict the *same games*: those played whose two players
are rated under both at the start of the game's period, whether or not a regulation rates them. The
prediction is read twice:

* by a common yardstick, the logistic model at the difference of the ratings at the period's start:
  it judges the ratings;
* by the expected score with which each regulation rated the side, for the sides that both rated: it
  judges the ratings together with the regulation's own model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ledger.errors import InputRefused
from ledger.facts.columns import Column, Mask
from ledger.lists.people import People
from ledger.rating.models import MILLIONTHS, draw_probability, logistic
from ledger.rating.sheet import Calculation, Reason, Sides
from ledger.rating.standing import UNRATED
from ledger.regulations.interface import Regulation
from ledger.replay.replay import PeriodOutcome
from ledger.reports.measures import Summary, histogram
from ledger.reports.prediction import Predictions, Quality

Rows: TypeAlias = list[dict[str, Any]]
# What was played, even where a regulation comes too late for it.
_PLAYED = (Reason.NONE, Reason.LATE_REPORT)


@dataclass(frozen=True, slots=True)
class PlayerDifference:
    """A player's ratings at the end; None where he has none under that regulation."""

    id: str
    name: str
    own: int | None
    other: int | None

    @property
    def points(self) -> int | None:
        """By how much the other regulation rates him higher, where both do."""
        return None if self.own is None or self.other is None else self.other - self.own

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data."""
        return {
            "id": self.id,
            "name": self.name,
            "own": self.own,
            "other": self.other,
            "difference": self.points,
        }


@dataclass(frozen=True, slots=True)
class Change:
    """A group's ratings at the start and at the end, under one regulation."""

    group: str
    side: str
    start: Summary
    end: Summary

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data."""
        return {
            "group": self.group,
            "regulation": self.side,
            "start": self.start.data(),
            "end": self.end.data(),
        }

    def rows(self) -> list[dict[str, Any]]:
        """Returns it as two rows of JSON data, at the start and at the end."""
        heading = {"group": self.group, "regulation": self.side}
        return [
            {**heading, "when": "start", **self.start.data()},
            {**heading, "when": "end", **self.end.data()},
        ]


@dataclass(frozen=True, slots=True)
class Judgement:
    """How good the predictions of one regulation were, by one way of reading them."""

    by: str
    side: str
    quality: Quality

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data, without the bands."""
        return {"by": self.by, "regulation": self.side, **self.quality.data()}

    def band_rows(self) -> list[dict[str, Any]]:
        """Returns the calibration as JSON data, a row for each band."""
        heading = {"by": self.by, "regulation": self.side}
        return [{**heading, **band.data()} for band in self.quality.bands]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A list under its own regulation and under another.

    ``changes`` are those of everybody rated and of the control group, ``judgements`` those by the
    common yardstick and by the posted expected scores; each under ``own`` and ``other``.
    """

    list: str
    since: str
    until: str
    own: str
    other: str
    players: tuple[PlayerDifference, ...]
    changes: tuple[Change, ...]
    control: tuple[str, ...]
    games: int
    judgements: tuple[Judgement, ...]

    @property
    def differences(self) -> Sequence[int]:
        """The differences of those whom both rate."""
        return [player.points for player in self.players if player.points is not None]

    def distribution(self) -> Rows:
        """Returns the differences by bands, both ends included."""
        return [
            {"from": first, "to": last, "players": count}
            for first, last, count in histogram(self.differences)
        ]

    def calibration(self) -> Rows:
        """Returns the calibrations, a row for each band."""
        return [row for judgement in self.judgements for row in judgement.band_rows()]

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data."""
        return {
            "list": self.list,
            "from": self.since,
            "to": self.until,
            "own": self.own,
            "other": self.other,
            "control": list(self.control),
            "games": self.games,
            "differences": Summary.of(self.differences).data(),
            "distribution": self.distribution(),
            "inflation": [change.data() for change in self.changes],
            "quality": [judgement.data() for judgement in self.judgements],
            "calibration": self.calibration(),
            "players": [player.data() for player in self.players],
        }


SIDES = ("own", "other")


def called(regulation: str, parameters: Mapping[str, int | str]) -> str:
    """Returns how a regulation with parameters is called; ``fide-rapid (standard_list=S)``."""
    given = ", ".join(f"{name}={value}" for name, value in sorted(parameters.items()))
    return f"{regulation} ({given})" if given else regulation


def comparison(
    outcomes: Iterable[tuple[PeriodOutcome, PeriodOutcome]],
    since: int,
    people: People,
    control: Sequence[int] | None,
    other: str,
) -> Comparison:
    """Compares two replays of the same list, period by period.

    Args:
        outcomes: each period under the list's own regulation and under the other, from the first.
        since: the index of the first period that is looked at.
        people: names and ids, as known at the replays' basis.
        control: the players of the control group, by index; None: all who are rated at the start
            and at the end under both.
        other: how the other regulation is called.

    Raises:
        InputRefused: somebody of the control group is not rated throughout.
    """
    games = _Games()
    named: dict[str, None] = {}
    first = last = None
    for pair in outcomes:
        if pair[0].period.index < since:
            continue
        first = first or pair
        last = pair
        games.take(pair)
        adoption = pair[0].timeline.adoption(pair[0].period)
        named[called(adoption.regulation, adoption.parameters)] = None
    assert first is not None
    assert last is not None, "the last period does not lie before the first"
    openings = [outcome.opening.rating for outcome in first]
    closings = [outcome.closing.rating for outcome in last]
    fixed = fixed_players([*openings, *closings], control, people)
    return Comparison(
        list=last[0].timeline.name,
        since=first[0].period.name,
        until=last[0].period.name,
        own=", ".join(named),
        other=other,
        players=_players(closings[0], closings[1], people),
        changes=tuple(
            Change(
                group, side, Summary.of_rated(opening[chosen]), Summary.of_rated(closing[chosen])
            )
            for group, chosen in (("all", slice(None)), ("control", fixed))
            for side, opening, closing in zip(SIDES, openings, closings, strict=True)
        ),
        control=tuple(people.id(player) or "" for player in fixed.tolist()),
        games=games.count,
        judgements=games.judgements(),
    )


def fixed_players(
    ratings: Sequence[Column], control: Sequence[int] | None, people: People
) -> Column:
    """Returns a control group: the players asked for, or all who are rated each time.

    Raises:
        InputRefused: somebody asked for is not rated each time.
    """
    rated: Mask = np.logical_and.reduce([rating > UNRATED for rating in ratings])
    if control is None:
        return np.flatnonzero(rated)
    missing = [people.id(player) or "" for player in control if not rated[player]]
    if missing:
        raise InputRefused("study.control_unrated", players=", ".join(missing))
    return np.unique(np.array(control, dtype=np.int64))


class _Games:
    """The predictions of both sides, gathered period by period."""

    def __init__(self) -> None:
        self.count = 0
        self._yardstick = (Predictions(), Predictions())
        self._posted = (Predictions(), Predictions())

    def take(self, pair: tuple[PeriodOutcome, PeriodOutcome]) -> None:
        sides = _of_both(pair)
        self.count += len(np.unique(sides.game))
        for predictions, outcome in zip(self._yardstick, pair, strict=True):
            rating = outcome.opening.rating
            expected = logistic().of(rating[sides.player] - rating[sides.opponent])
            predictions.add(expected, logistic().scale, sides.halves)
        rows = _posted_by_both(pair[0].calculation, pair[1].calculation)
        for predictions, outcome, chosen in zip(self._posted, pair, rows, strict=True):
            calculation = outcome.calculation
            mine = calculation.postings.rows(chosen)
            scale = calculation.scale
            draws = _draws(outcome.regulation, mine.difference) if scale == MILLIONTHS else None
            predictions.add(mine.expected, scale, 2 * mine.score // scale, draws)

    def judgements(self) -> tuple[Judgement, ...]:
        return tuple(
            Judgement(by, side, predictions.quality())
            for by, both in (("yardstick", self._yardstick), ("posted", self._posted))
            for side, predictions in zip(SIDES, both, strict=True)
        )


def _of_both(pair: tuple[PeriodOutcome, PeriodOutcome]) -> Sides:
    """Returns the sides of the games whose two players are rated under both at the start."""
    own = pair[0]
    sides = own.timeline.sides(own.period)
    sides = sides.rows(np.isin(sides.reason, _PLAYED))
    rated: Mask = np.logical_and.reduce([o.opening.rating > UNRATED for o in pair])
    return sides.rows(rated[sides.player] & rated[sides.opponent])


def _posted_by_both(own: Calculation, other: Calculation) -> tuple[Column, Column]:
    """Returns the rows, in each calculation's postings, of the sides that both posted."""
    players = 1 + max(
        int(calculation.postings.player.max(initial=0)) for calculation in (own, other)
    )
    keys = [c.postings.game * players + c.postings.player for c in (own, other)]
    _, rows, others = np.intersect1d(keys[0], keys[1], return_indices=True)
    return rows.astype(np.int64), others.astype(np.int64)


def _draws(regulation: Regulation, differences: Column) -> Column | None:
    """Returns the probabilities of draws, where the regulation's model has them, in millionths."""
    parameters = regulation.parameters.model_dump()
    if parameters.get("expectation") != "normal-draw":
        return None
    by_difference = draw_probability(int(parameters["draw_margin"]))
    last = len(by_difference) - 1
    draws: Column = by_difference[np.minimum(np.abs(differences), last)]
    return draws


def _players(own: Column, other: Column, people: People) -> tuple[PlayerDifference, ...]:
    """Returns everybody rated, the largest differences first, then by id; who has one last."""
    found = [
        PlayerDifference(
            people.id(player) or "",
            people.name(player) or "",
            int(own[player]) or None,
            int(other[player]) or None,
        )
        for player in np.flatnonzero((own > UNRATED) | (other > UNRATED)).tolist()
    ]
    return tuple(
        sorted(found, key=lambda each: (each.points is None, -abs(each.points or 0), each.id))
    )
