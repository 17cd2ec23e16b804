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

A comparison of two regulations in sentences: what it comes to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np

from ledger.errors import InputRefused
from ledger.facts.columns import NOBODY, Column, Mask
from ledger.identifiers import PlayerId, PlayerIndex
from ledger.json_form import EXACT_TEXT, HIDDEN, PARTS, After, JsonForm, Key, derived
from ledger.lists.people import People
from ledger.rating.decimal_text import with_sign
from ledger.rating.models import MILLIONTHS, draw_probability, logistic
from ledger.rating.player_state import UNRATED
from ledger.rating.postings import Games, Postings, Reason
from ledger.regulations.interface import Regulation
from ledger.replay.period_outcome import PeriodOutcome
from ledger.reports.measures import HistogramBand, Summary, fixed, histogram
from ledger.reports.prediction import (
    PLACES,
    Advantage,
    Band,
    PairedErrors,
    Predictions,
    Quality,
)
from ledger.wording import Message


def verdict_of(made: Comparison) -> Iterator[Message]:
    """Yields who predicts better, by how much and how sure; the inflation; the differences."""
    yield _predictions(made)
    rises = made.inflation()
    if rises is not None:
        own_rise, other_rise = (with_sign(fixed(rise)) for rise in rises)
        yield Message.of(
            "study.inflates", players=len(made.control), own=made.own, own_rise=own_rise,
            other=made.other, other_rise=other_rise,
        )  # fmt: skip
    summary = made.differences
    if summary.count:
        data = summary.data()
        yield Message.of(
            "study.differ", players=summary.count, mean=with_sign(data["mean"]),
            spread=data["spread"], least=with_sign(data["least"]), most=with_sign(data["most"]),
        )  # fmt: skip


def _predictions(made: Comparison) -> Message:
    advantage, (own, other) = made.advantage, made.judged(YARDSTICK)
    if not advantage.games:
        return Message.of("study.predicts_nothing")
    figures = advantage.data()
    better = SIDES[1 if advantage.better is None else advantage.better]
    worse = SIDES[1 - SIDES.index(better)]
    brier = {"own": fixed(own.brier, PLACES), "other": fixed(other.brier, PLACES)}
    sides = {"own": made.own, "other": made.other}
    return Message.of(
        "study.predicts_alike" if advantage.better is None else "study.predicts_better",
        better=sides[better], worse=sides[worse], games=made.games,
        brier=brier[better], against=brier[worse],
        by=(figures["brier"] or "").lstrip("-"), margin=figures["margin"] or "?",
    )  # fmt: skip


# What was played, even where a regulation comes too late for it.
_PLAYED = (Reason.NONE, Reason.LATE_REPORT)


@dataclass(frozen=True, slots=True)
class PlayerDifference(JsonForm):
    """A player's ratings at the end; None where there is none under that regulation."""

    id: PlayerId
    name: str
    own: int | None
    other: int | None

    @property
    @derived
    def points(self) -> Annotated[int | None, Key("difference")]:
        """By how much the other regulation rates the player higher, where both do."""
        return None if self.own is None or self.other is None else self.other - self.own


class ComparedPlayers:
    """Everybody who is rated at the end under one of the regulations, or both.

    ``own`` and ``other`` are everybody's ratings under either, by player index.
    """

    def __init__(self, own: Column, other: Column, people: People) -> None:
        self._people = people
        self._rated = np.flatnonzero((own > UNRATED) | (other > UNRATED))
        self._own, self._other = own[self._rated], other[self._rated]
        both = (self._own > UNRATED) & (self._other > UNRATED)
        self._points = np.where(both, self._other - self._own, 0)
        self._both = both

    @property
    def differences(self) -> Column:
        """By how many points the other regulation rates those higher whom both rate."""
        return self._points[self._both]

    def all(self) -> list[PlayerDifference]:
        """Returns all of them: the largest differences first, then by id; those with none last."""
        return self._made(np.arange(len(self._rated)))

    def largest(self, count: int) -> list[PlayerDifference]:
        """Returns the first of them: at most so many, rated differently."""
        size = np.abs(self._points)
        if len(size) > count:
            size[size < np.partition(size, -count)[-count]] = 0
        return self._made(np.flatnonzero(size))[:count]

    def _made(self, places: Column) -> list[PlayerDifference]:
        players = self._rated[places]
        rows = zip(
            self._people.ids(players), self._people.names(players),
            self._own[places].tolist(), self._other[places].tolist(), strict=True,
        )  # fmt: skip
        found = [PlayerDifference(id_, name, own or None, other or None)
                 for id_, name, own, other in rows]  # fmt: skip
        found.sort(key=lambda each: (each.points is None, -abs(each.points or 0), each.id))
        return found


@dataclass(frozen=True, slots=True)
class Change(JsonForm):
    """A group's ratings at the start and at the end, under one regulation."""

    group: str
    side: Annotated[str, Key("regulation")]
    start: Summary
    end: Summary


@dataclass(frozen=True, slots=True)
class ChangeRow(JsonForm):
    """One end of a change; ``when`` is ``start`` or ``end``."""

    group: str
    side: Annotated[str, Key("regulation")]
    when: str
    summary: Annotated[Summary, PARTS]


@dataclass(frozen=True, slots=True)
class Judgement(JsonForm):
    """How good the predictions of one regulation were, by one way of reading them."""

    by: str
    side: Annotated[str, Key("regulation")]
    quality: Annotated[Quality, PARTS]


@dataclass(frozen=True, slots=True)
class CalibrationRow(JsonForm):
    """A band of a judgement."""

    by: str
    side: Annotated[str, Key("regulation")]
    band: Annotated[Band, PARTS]


@dataclass(frozen=True, slots=True)
class BothSides(JsonForm):
    """A figure under either regulation, as it is written; None where there is none."""

    own: Annotated[str | None, EXACT_TEXT]
    other: Annotated[str | None, EXACT_TEXT]


@dataclass(frozen=True, slots=True)
class Verdict(JsonForm):
    """What a comparison comes to; ``better`` is None for no telling difference."""

    better: str | None
    brier: BothSides
    advantage: Advantage
    inflation: BothSides
    largest: tuple[PlayerDifference, ...]


@dataclass(frozen=True, slots=True)
class Comparison(JsonForm):
    """A list under its own regulation and under another.

    ``changes`` are those of everybody rated and of the control group, ``judgements`` those by the
    common yardstick and by the posted expected scores; each under ``own`` and ``other``.
    """

    list: str
    since: Annotated[str, Key("from")]
    until: Annotated[str, Key("to")]
    own: str
    other: str
    players: Annotated[ComparedPlayers, HIDDEN]
    control: tuple[str, ...]
    games: int
    changes: Annotated[tuple[Change, ...], Key("inflation")]
    judgements: Annotated[tuple[Judgement, ...], Key("quality")]
    advantage: Annotated[Advantage, HIDDEN]

    @property
    @derived
    def verdict(self) -> Annotated[Verdict, After("games")]:
        """What it comes to."""
        rises = self.inflation() or (None, None)
        own, other = self.judged(YARDSTICK)
        better = self.advantage.better
        return Verdict(
            better=None if better is None else SIDES[better],
            brier=BothSides(fixed(own.brier, PLACES), fixed(other.brier, PLACES)),
            advantage=self.advantage,
            inflation=BothSides(fixed(rises[0]), fixed(rises[1])),
            largest=tuple(self.players.largest(LARGEST)),
        )

    @property
    @derived
    def differences(self) -> Annotated[Summary, After("verdict")]:
        """The differences of those whom both rate."""
        return Summary.of(self.players.differences)

    @property
    @derived
    def distribution(self) -> Annotated[Sequence[HistogramBand], After("differences")]:
        """The differences by bands."""
        return histogram(self.players.differences.tolist())

    def judged(self, by: str) -> tuple[Quality, Quality]:
        """Returns how good the predictions of both were, by one way of reading them."""
        own, other = (each.quality for each in self.judgements if each.by == by)
        return own, other

    def inflation(self) -> tuple[Fraction, Fraction] | None:
        """Returns by how much the control group's mean rose under both; None: it is empty."""
        rises = [
            each.end.mean - each.start.mean
            for each in self.changes
            if each.group == "control" and each.start.mean is not None and each.end.mean is not None
        ]
        return (rises[0], rises[1]) if rises else None

    @property
    @derived
    def calibration(self) -> Sequence[CalibrationRow]:
        """The calibrations, a row for each band."""
        return [
            CalibrationRow(each.by, each.side, band)
            for each in self.judgements
            for band in each.quality.bands
        ]

    @property
    @derived
    def everybody(self) -> Annotated[Sequence[PlayerDifference], Key("players")]:
        """All who are compared (see ``ComparedPlayers.all``)."""
        return self.players.all()

    @property
    def change_rows(self) -> Sequence[ChangeRow]:
        """The changes, a row for each start and each end."""
        return [
            ChangeRow(each.group, each.side, when, summary)
            for each in self.changes
            for when, summary in (("start", each.start), ("end", each.end))
        ]


SIDES = ("own", "other")
YARDSTICK, POSTED = "yardstick", "posted"
# So many differences belong to the verdict.
LARGEST = 10


def called(regulation: str, parameters: Mapping[str, int | str]) -> str:
    """Returns how a regulation with parameters is called; ``fide-rapid (standard_list=S)``."""
    values = ", ".join(f"{name}={value}" for name, value in sorted(parameters.items()))
    return f"{regulation} ({values})" if values else regulation


def comparison(
    outcomes: Iterable[tuple[PeriodOutcome, PeriodOutcome]],
    since: int,
    people: People,
    control: Sequence[PlayerIndex] | None,
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
        players=ComparedPlayers(closings[0], closings[1], people),
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
        advantage=games.advantage(),
    )


def fixed_players(
    ratings: Sequence[Column], control: Sequence[PlayerIndex] | None, people: People
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
        self._errors = PairedErrors()

    def take(self, pair: tuple[PeriodOutcome, PeriodOutcome]) -> None:
        self._take_yardstick(pair)
        postings = [outcome.rated.postings for outcome in pair]
        rows = _posted_by_both(*postings)
        for predictions, outcome, of, chosen in zip(
            self._posted, pair, postings, rows, strict=True
        ):
            mine, scale = of.rows(chosen), outcome.rated.apart.scale
            draws = _draws(outcome.regulation, mine.difference) if scale == MILLIONTHS else None
            predictions.add(mine.expected, scale, 2 * mine.score // scale, draws)

    def _take_yardstick(self, pair: tuple[PeriodOutcome, PeriodOutcome]) -> None:
        games = _of_both(pair)
        self.count += len(games)
        model, errors = logistic(), []
        for predictions, outcome in zip(self._yardstick, pair, strict=True):
            rating = outcome.opening.rating
            difference = rating[games.white] - rating[games.black]
            error = np.zeros(len(games), dtype=np.int64)
            for side, halves in (
                (difference, games.white_halves),
                (-difference, games.black_halves),
            ):
                expected = model.of(side)
                predictions.add(expected, model.scale, halves)
                error += (halves * np.int64(model.scale // 2) - expected) ** 2
            errors.append(error)
        self._errors.add(games.white, games.black, errors[0] - errors[1], model.scale)

    def judgements(self) -> tuple[Judgement, ...]:
        return tuple(
            Judgement(by, side, predictions.quality())
            for by, both in ((YARDSTICK, self._yardstick), (POSTED, self._posted))
            for side, predictions in zip(SIDES, both, strict=True)
        )

    def advantage(self) -> Advantage:
        return self._errors.advantage()


def _of_both(pair: tuple[PeriodOutcome, PeriodOutcome]) -> Games:
    """Returns the games whose two players are rated under both at the start."""
    games = pair[0].games
    played = np.isin(games.reason, _PLAYED) & (games.black != NOBODY)
    rated: Mask = np.logical_and.reduce([o.opening.rating > UNRATED for o in pair])
    return games.rows(played & rated[games.white] & rated[games.black])


def _posted_by_both(own: Postings, other: Postings) -> tuple[Column, Column]:
    """Returns the rows of the sides that both posted, in the same order."""
    players = 1 + max(int(postings.player.max(initial=0)) for postings in (own, other))
    mine, theirs = (postings.game * players + postings.player for postings in (own, other))
    in_order, others = np.argsort(mine), np.argsort(theirs)
    mine, theirs = mine[in_order], theirs[others]
    if not len(theirs):
        return others, others
    places = np.minimum(np.searchsorted(theirs, mine), len(theirs) - 1)
    both = theirs[places] == mine
    return in_order[both], others[places[both]]


def _draws(regulation: Regulation, differences: Column) -> Column | None:
    """Returns the probabilities of draws, where the regulation's model has them, in millionths."""
    parameters = regulation.parameters.model_dump()
    if parameters.get("expectation") != "normal-draw":
        return None
    by_difference = draw_probability(int(parameters["draw_margin"]))
    last = len(by_difference) - 1
    draws: Column = by_difference[np.minimum(np.abs(differences), last)]
    return draws
