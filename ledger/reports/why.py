"""Why a rating differs between two lists: the difference split by cause, exactly.

The way from one list to the other goes in two steps. First the earlier list is calculated again
with the later one's knowledge: what moves there is a *correction* of the player's own games, a *new
game* that was reported late, *opponents' ratings* (or the own one) that were corrected before, a
*rule or K*, or a list-wide *adjustment*. Then the periods between are walked forward: every
contribution is a new game. Ratings brought in, first ratings and rounding are causes of their own,
so that the causes sum to the difference.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import zip_longest
from typing import Annotated

from ledger.identifiers import PlayerId, PlayerIndex, Seq, TournamentId
from ledger.json_form import HIDDEN, PARTS, After, JsonForm, Key, derived
from ledger.lists.people import People
from ledger.rating.decimal_text import true_minus
from ledger.replay.period_outcome import PeriodOutcome
from ledger.reports.balance import AS_READ
from ledger.reports.explanation import statement
from ledger.reports.statement import (
    CreditLine,
    ExcludedLine,
    Game,
    Line,
    PostingLine,
    Statement,
    by_game,
    pairing_of,
)
from ledger.wording import Message


class Cause(StrEnum):
    """Why a rating moved."""

    NEW_GAMES = "new-games"
    CORRECTIONS = "corrections"
    RATINGS = "opponents-ratings"
    RULE_OR_K = "rule-or-k"
    FIRST_RATING = "first-rating"
    SEEDS = "seeds"
    ORDERED = "ordered"
    ADJUSTMENTS = "adjustments"
    KEPT = "kept-at-one"
    FLOOR = "floor"
    ROUNDING = "rounding"


@dataclass(frozen=True, slots=True)
class CausePart(JsonForm):
    """One cause in one period (and tournament, where it has one), in exact points.

    ``seqs`` are those of the last words on the games whose results are otherwise in the other list;
    either of the two may be the one that knew them.
    """

    cause: Cause
    period: str
    tournament: TournamentId | None
    points: Fraction
    seqs: Annotated[frozenset[Seq], HIDDEN] = frozenset()


@dataclass(frozen=True, slots=True)
class Why(JsonForm):
    """The split of a difference; the parts sum to ``after - before`` (0 stands for no rating)."""

    before: int
    after: int
    parts: tuple[CausePart, ...]

    @property
    @derived
    def difference(self) -> Annotated[int, After("after")]:
        """After less before."""
        return self.after - self.before

    @property
    @derived
    def causes(self) -> Annotated[Mapping[Cause, Fraction], After("difference")]:
        """The points of each cause."""
        return self.totals()

    def totals(self) -> dict[Cause, Fraction]:
        """Returns the points of each cause."""
        totals: dict[Cause, Fraction] = defaultdict(Fraction)
        for part in self.parts:
            totals[part.cause] += part.points
        return {cause: totals[cause] for cause in Cause if totals[cause]}


@dataclass(frozen=True, slots=True)
class RatingCauses(JsonForm):
    """Why a player's rating differs between two lists, each ``PERIOD`` or ``PERIOD@EDITION``."""

    player: PlayerId
    list: str
    since: Annotated[str, Key("from")]
    until: Annotated[str, Key("to")]
    why: Annotated[Why, PARTS]

    @property
    @derived
    def summary(self) -> Annotated[Message, After("to")]:
        """What the rating was, is, and the points of each cause, in a sentence."""
        before, after = self.why.before or "–", self.why.after or "–"
        parts = tuple(
            Message.of(
                "why.part", cause=Message.of(f"cause.{cause.value}"),
                points=true_minus(AS_READ.change(points)),
            )
            for cause, points in self.why.totals().items()
        )  # fmt: skip
        key = "why.summary" if parts else "why.unmoved"
        return Message.of(key, before=before, after=after, parts=parts)


def why(
    first: Iterable[PeriodOutcome],
    second: Iterable[PeriodOutcome],
    player: PlayerIndex,
    people: People,
    survivors: Callable[[str], str],
    rating: int = 0,
) -> Why:
    """Splits the difference between the last outcomes of two replays of the same list.

    Args:
        first: the outcomes up to the earlier period, at the earlier list's basis.
        second: the outcomes up to the later period, at the later list's basis; both begin with the
            same period, and before it they are the same.
        player: the player's index.
        people: names and ids, as known at the later basis.
        survivors: returns the id that stays, of one that may have been merged since: a game against
            it is the same game in both lists.
        rating: the player's, before the first of them (0: none).
    """
    parts: list[CausePart] = []
    before = after = rating
    steps = (_steps(outcomes, player, people, survivors, rating) for outcomes in (first, second))
    for was, now in zip_longest(*steps):
        after = now.statement.closing or 0
        if was is None:
            parts += _walked(now.statement)
        else:
            before = was.statement.closing or 0
            parts += _revised(was.statement, now.statement)
        parts += now.brought(was)
    made = Why(before, after, tuple(_merged(parts)))
    assert sum(part.points for part in parts) == after - before, "causes do not sum"
    return made


@dataclass(frozen=True, slots=True)
class _Step:
    """One period on the way: the statement, and what was brought in before it, in points."""

    statement: Statement
    seeded: int

    def brought(self, before: _Step | None) -> list[CausePart]:
        """Returns what was brought in and ordered, beyond what was known to be before."""
        period = self.statement.period
        seeded = self.seeded - (before.seeded if before else 0)
        ordered = self.statement.ordered - (before.statement.ordered if before else 0)
        given_back = self.statement.given_back - (before.statement.given_back if before else 0)
        return [
            CausePart(Cause.SEEDS, period, None, Fraction(seeded)),
            CausePart(Cause.ORDERED, period, None, Fraction(ordered)),
            CausePart(Cause.CORRECTIONS, period, None, Fraction(given_back)),
        ]


def _steps(
    outcomes: Iterable[PeriodOutcome],
    player: PlayerIndex,
    people: People,
    survivors: Callable[[str], str],
    closing: int,
) -> Iterator[_Step]:
    """Yields the player's statements, each under the id that counted at its basis."""
    for outcome in outcomes:
        known = outcome.timeline.known
        counts_as = known.counts_as(player)
        made = _renamed(statement(outcome, counts_as, people, seq=known.seq), survivors)
        brought = (made.opening or 0) - made.ordered - made.given_back - closing
        yield _Step(made, brought)
        closing = made.closing or 0


def _renamed(of: Statement, survivors: Callable[[str], str]) -> Statement:
    """Returns a statement that names the opponents by the ids that stay."""

    def stays(line: Line) -> Line:
        id_ = line.opponent.id
        opponent = replace(line.opponent, id=None if id_ is None else PlayerId(survivors(id_)))
        return replace(line, opponent=opponent)

    return replace(
        of,
        postings=tuple(stays(line) for line in of.postings),
        excluded=tuple(stays(line) for line in of.excluded),
    )


def _walked(now: Statement) -> list[CausePart]:
    """The parts of a period that lies between the two lists."""
    period = now.period
    parts = [CausePart(Cause.FIRST_RATING, period, None, Fraction(now.first_rating or 0))]
    parts += [
        CausePart(Cause.NEW_GAMES, period, line.tournament, line.contribution)
        for line in now.postings
    ]
    parts += [
        CausePart(Cause.NEW_GAMES, period, line.tournament, line.points) for line in now.steps
    ]
    parts.append(CausePart(Cause.ROUNDING, period, None, now.rounding))
    parts.append(CausePart(Cause.FLOOR, period, None, Fraction(now.removed)))
    return parts + _owed(now)


def _owed(now: Statement) -> list[CausePart]:
    parts = [part for line in now.credits for part in _credit(line, now.period)]
    parts.append(CausePart(Cause.ADJUSTMENTS, now.period, None, Fraction(now.adjustment)))
    parts.append(CausePart(Cause.KEPT, now.period, None, Fraction(now.lifted)))
    return parts


def _credit(line: CreditLine, period: str) -> list[CausePart]:
    """What an earlier list owed: game by game, as if the earlier list had been revised."""
    if line.period is None:
        return [CausePart(Cause.CORRECTIONS, period, None, line.credit)]
    parts = []
    for game in line.games:
        if game.now and game.before:
            parts += _line_revised(game.before, game.now, period)
        else:
            cause = Cause.NEW_GAMES if game.now else Cause.CORRECTIONS
            parts.append(CausePart(cause, period, game.line.tournament, game.points))
    cause = (
        Cause.NEW_GAMES if all(game.before is None for game in line.games) else Cause.CORRECTIONS
    )
    parts += [CausePart(cause, period, step.tournament, step.points) for step in line.steps]
    parts.append(CausePart(Cause.KEPT, period, None, Fraction(line.lifted)))
    return [*parts, CausePart(Cause.ROUNDING, period, None, line.rounding)]


def _revised(before: Statement, now: Statement) -> list[CausePart]:
    """The parts by which one period's statement changed, known earlier and known later."""
    if before.opening is None or now.opening is None:
        return _first_rating_revised(before, now)
    parts = _postings_revised(before, now) + _steps_revised(before, now)
    parts.append(CausePart(Cause.ROUNDING, now.period, None, now.rounding - before.rounding))
    parts.append(CausePart(Cause.FLOOR, now.period, None, Fraction(now.removed - before.removed)))
    parts += [replace(part, points=-part.points) for part in _owed(before)]
    return parts + _owed(now)


def _first_rating_revised(before: Statement, now: Statement) -> list[CausePart]:
    """Returns what moved a newcomer's closing beyond what moved the opening."""
    moved = ((now.closing or 0) - (now.opening or 0)) - (
        (before.closing or 0) - (before.opening or 0)
    )
    same_results = _scores(before) == _scores(now) and before.opening == now.opening
    cause = Cause.RATINGS if same_results else Cause.CORRECTIONS
    return [CausePart(cause, now.period, None, Fraction(moved))]


def _scores(of: Statement) -> list[tuple[TournamentId, int, int]]:
    return [(line.tournament, line.games, line.halves) for line in of.bucket or ()]


def _postings_revised(before: Statement, now: Statement) -> list[CausePart]:
    old, new = by_game(before.postings), by_game(now.postings)
    parts = []
    for key in sorted(old.keys() | new.keys(), key=str):
        was, is_ = old.get(key), new.get(key)
        tournament = key[0]
        if was is None and is_ is not None:
            was_excluded = pairing_of(is_) in map(pairing_of, before.excluded)
            cause = Cause.CORRECTIONS if was_excluded else Cause.NEW_GAMES
            seqs = _last_word(is_, before.excluded)
            parts.append(CausePart(cause, now.period, tournament, is_.contribution, seqs))
        elif is_ is None and was is not None:
            seqs = _last_word(was, now.excluded)
            part = CausePart(Cause.CORRECTIONS, now.period, tournament, -was.contribution, seqs)
            parts.append(part)
        elif was is not None and is_ is not None:
            parts += _line_revised(was, is_, now.period)
    return parts


def _last_word(line: PostingLine, excluded: Iterable[ExcludedLine]) -> frozenset[Seq]:
    """Returns the seq of the last word on a game that one list counts, and the other may name."""
    words = (its.seq for its in excluded if pairing_of(its) == pairing_of(line))
    return frozenset({max([line.seq, *words])})


def _steps_revised(before: Statement, now: Statement) -> list[CausePart]:
    """What rules gave as a whole moves with the player's results, or with ratings where not."""
    cause = Cause.RATINGS if _results(before) == _results(now) else Cause.CORRECTIONS
    gone = [CausePart(cause, now.period, line.tournament, -line.points) for line in before.steps]
    return gone + [CausePart(cause, now.period, line.tournament, line.points) for line in now.steps]


def _results(of: Statement) -> dict[Game, Fraction]:
    lines: list[PostingLine | ExcludedLine] = [*of.postings, *of.excluded]
    return {game: line.score for game, line in by_game(lines).items()}


def _line_revised(was: PostingLine, is_: PostingLine, period: str) -> list[CausePart]:
    """Splits K·CM·(W - P(D)) after less before: first K and CM, then the score, then P(D).

    What the regulation of a package gives beyond the product goes with P(D).
    """
    k_times_merit, k_times_merit_before = is_.k * is_.merit, was.k * was.merit
    by = {
        Cause.RULE_OR_K: (k_times_merit - k_times_merit_before) * (was.score - was.expected),
        Cause.CORRECTIONS: k_times_merit * (is_.score - was.score),
    }
    by[Cause.RATINGS] = is_.contribution - was.contribution - sum(by.values())
    seqs = {Cause.CORRECTIONS: frozenset({max(is_.seq, was.seq)})}
    return [
        CausePart(cause, period, is_.tournament, points, seqs.get(cause, frozenset()))
        for cause, points in by.items()
    ]


def _merged(parts: list[CausePart]) -> list[CausePart]:
    """Sums the parts of the same cause, period and tournament; drops what is nothing."""
    total: dict[tuple[Cause, str, TournamentId | None], Fraction] = defaultdict(Fraction)
    seqs: dict[tuple[Cause, str, TournamentId | None], frozenset[Seq]] = defaultdict(frozenset)
    for part in parts:
        key = part.cause, part.period, part.tournament
        total[key] += part.points
        seqs[key] |= part.seqs
    return [CausePart(*key, points, seqs[key]) for key, points in total.items() if points]
