"""A player's statement: every line of his calculation in a period, and what did not count and why.

The lines are the very postings the list was summed from; nothing is calculated for the explanation.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ledger.facts.columns import NOBODY
from ledger.lists.people import People
from ledger.lists.rating_list import Basis, basis_of
from ledger.rating.exact import decimal, exact, points
from ledger.rating.sheet import Calculation, Exclusions, NewcomerResult, Reason, StepKind
from ledger.rating.standing import UNRATED
from ledger.replay.replay import PeriodOutcome


@dataclass(frozen=True, slots=True)
class PersonRef:
    """A player as a report names him."""

    id: str | None
    name: str | None

    def data(self) -> dict[str, Any] | None:
        """Returns it as JSON data; None for nobody (a bye)."""
        return None if self.id is None else {"id": self.id, "name": self.name}


@dataclass(frozen=True, slots=True)
class PostingLine:
    """One rated game; ``rating`` is the player's own in it.

    Exact quantities are fractions; ``expected`` and ``merit`` in hundredths.
    """

    seq: int
    tournament: str
    round: int
    rating: int
    opponent: PersonRef
    opponent_rating: int
    difference: int
    expected: Fraction
    score: Fraction
    k: int
    merit: Fraction
    contribution: Fraction

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data."""
        return {
            "seq": self.seq,
            "tournament": self.tournament,
            "round": self.round,
            "opponent": self.opponent.data(),
            "opponent_rating": self.opponent_rating,
            "difference": self.difference,
            "expected": hundredths(self.expected),
            "score": exact(self.score),
            "k": self.k,
            "merit": hundredths(self.merit),
            "contribution": exact(self.contribution),
        }


@dataclass(frozen=True, slots=True)
class ExcludedLine:
    """One game that was not rated."""

    seq: int
    tournament: str
    round: int
    opponent: PersonRef
    score: Fraction
    reason: Reason
    clause: str

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data."""
        return {
            "seq": self.seq,
            "tournament": self.tournament,
            "round": self.round,
            "opponent": self.opponent.data(),
            "score": exact(self.score),
            "reason": self.reason.code,
            "clause": self.clause,
        }


@dataclass(frozen=True, slots=True)
class BucketLine:
    """One result of a newcomer, in this period or an earlier one; exact."""

    period: str
    tournament: str
    games: int
    halves: int
    opponents_mean: Fraction
    performance: Fraction | None
    reason: Reason
    opponents: tuple[tuple[PersonRef, int, int], ...]

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data."""
        return {
            "tournament": self.tournament,
            "games": self.games,
            "points": points(self.halves),
            "opponents_mean": exact(self.opponents_mean),
            "performance": None if self.performance is None else exact(self.performance),
            "period": self.period,
            "reason": None if self.reason is Reason.NONE else self.reason.code,
            "opponents": [
                {**(person.data() or {}), "rating": rating, "score": points(halves)}
                for person, rating, halves in self.opponents
            ],
        }


@dataclass(frozen=True, slots=True)
class CreditLine:
    """What an earlier list owed: whole points due by now, and given so far."""

    period: str | None
    entitled: int
    credited: int

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data; without a period it is about the first rating."""
        return {
            "period": self.period,
            "entitled": self.entitled,
            "credited": self.credited,
            "credit": self.entitled - self.credited,
        }


@dataclass(frozen=True, slots=True)
class StepLine:
    """What a rule gave or took as a whole, in a tournament or (None) in the period; exact."""

    tournament: str | None
    kind: StepKind
    clause: str
    points: Fraction

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data."""
        return {
            "tournament": self.tournament,
            "kind": self.kind.code,
            "clause": self.clause,
            "points": exact(self.points),
        }


@dataclass(frozen=True, slots=True)
class Statement:
    """One player's period, balanced.

    opening (or first rating) + contributions + steps + rounding + credits + adjustment + lifted +
    removed = closing. The opening includes what was ``ordered`` for the player, and what was
    ``given_back`` because he had not fallen below the floor after all; ``lifted`` keeps it at 1,
    ``removed`` is what he had when he fell below it. ``opening`` and ``closing`` are None for a
    player without a rating. For a newcomer ``bucket`` is what his provisional bucket holds after
    the period (or held when it became a first rating), ``not_computable`` the results of the period
    that never enter it.
    """

    player: PersonRef
    list: str
    period: str
    basis: Basis
    ordered: int
    given_back: int
    opening: int | None
    closing: int | None
    change_exact: Fraction
    rounding: Fraction
    credits: tuple[CreditLine, ...]
    adjustment: int
    lifted: int
    removed: int
    first_rating: int | None
    k: int
    games: int
    postings: tuple[PostingLine, ...]
    steps: tuple[StepLine, ...]
    excluded: tuple[ExcludedLine, ...]
    bucket: tuple[BucketLine, ...] | None
    not_computable: tuple[BucketLine, ...]
    needed: int

    @property
    def change(self) -> int | None:
        """Closing minus opening, where both are ratings."""
        if self.opening is None or self.closing is None:
            return None
        return self.closing - self.opening

    def data(self) -> dict[str, Any]:
        """Returns the statement as JSON data."""
        provisional = None
        if self.bucket is not None:
            provisional = {
                "games": sum(line.games for line in self.bucket),
                "results": [line.data() for line in self.bucket],
                "needed": self.needed,
                "not_computable": [line.data() for line in self.not_computable],
            }
        return {
            "player": self.player.data(),
            "list": self.list,
            "period": self.period,
            "basis": self.basis.data(),
            "ordered": self.ordered,
            "given_back": self.given_back,
            "opening": self.opening,
            "closing": self.closing,
            "change": self.change,
            "change_exact": exact(self.change_exact),
            "rounding": exact(self.rounding),
            "credits": [line.data() for line in self.credits],
            "adjustment": self.adjustment,
            "lifted": self.lifted,
            "removed": self.removed,
            "first_rating": self.first_rating,
            "k": self.k,
            "games": self.games,
            "postings": [line.data() for line in self.postings],
            "steps": [line.data() for line in self.steps],
            "excluded": [line.data() for line in self.excluded],
            "provisional": provisional,
        }


def hundredths(value: Fraction) -> str:
    """Writes a quantity in hundredths with both decimals; exactly, where it has more."""
    scaled = value * 100
    return decimal(int(scaled), 2) if scaled.denominator == 1 else exact(value)


def statement(outcome: PeriodOutcome, player: int, people: People, *, seq: int) -> Statement:
    """Cuts a player's statement out of a calculated period."""
    opening = int(outcome.opening.rating[player]) or None
    closing = int(outcome.closing.rating[player]) or None
    his = outcome.rated.calculation_of(player)
    change_exact = Fraction(int(outcome.units[player]), outcome.rated.scale)
    credits_ = _credits(outcome, player)
    first = outcome.first_rated.get(player)
    postings = _postings(outcome, his, player, people)
    made = Statement(
        player=PersonRef(people.id(player), people.name(player)),
        list=outcome.timeline.name,
        period=outcome.period.name,
        basis=basis_of(outcome, seq),
        ordered=int(outcome.ordered[player]),
        given_back=outcome.credits.restored.get(player, 0),
        opening=opening,
        closing=closing,
        change_exact=change_exact,
        rounding=int(outcome.change[player]) - change_exact,
        credits=credits_,
        adjustment=int(outcome.adjustment[player]),
        lifted=int(outcome.lifted[player]),
        removed=int(outcome.removed[player]),
        first_rating=None if first is None else first.rating,
        k=_k(postings, outcome.k_of(player)),
        games=int(outcome.rated_games[player]),
        postings=postings,
        steps=_steps(outcome, his, player),
        excluded=_excluded(outcome, his, player, people),
        bucket=_bucket(outcome, player, people) if opening is None else None,
        not_computable=_not_computable(outcome, player, people),
        needed=outcome.regulation.games_for_first_rating(outcome.period.in_force_on),
    )
    owed = sum(line.entitled - line.credited for line in credits_)
    total = (opening or made.first_rating or 0) + change_exact + made.rounding
    total += owed + made.adjustment + made.lifted + made.removed
    assert total == (closing or 0), f"the statement of {made.player.id} does not balance"
    return made


def _k(postings: tuple[PostingLine, ...], at_the_start: int) -> int:
    """The K his games were rated with; the one at the start, where they differ or there are none.

    A regulation may reduce K for a period with many games.
    """
    used = {line.k for line in postings}
    return used.pop() if len(used) == 1 else at_the_start


def _postings(
    outcome: PeriodOutcome, calculation: Calculation, player: int, people: People
) -> tuple[PostingLine, ...]:
    mine = calculation.postings.rows(calculation.postings.player == player)
    mine = mine.rows(np.lexsort((mine.game, mine.round, mine.tournament)))
    ids = outcome.timeline.known.facts.tournament_ids
    return tuple(
        PostingLine(
            seq=int(mine.game[i]),
            tournament=ids[mine.tournament[i]],
            round=int(mine.round[i]),
            rating=int(mine.rating[i]),
            opponent=_person(people, int(mine.opponent[i])),
            opponent_rating=int(mine.opponent_rating[i]),
            difference=int(mine.difference[i]),
            expected=Fraction(int(mine.expected[i]), calculation.scale),
            score=Fraction(int(mine.score[i]), calculation.scale),
            k=int(mine.k[i]),
            merit=Fraction(int(mine.merit[i]), 100),
            contribution=Fraction(int(mine.contribution[i]), calculation.units),
        )
        for i in range(len(mine))
    )


def _excluded(
    outcome: PeriodOutcome, calculation: Calculation, player: int, people: People
) -> tuple[ExcludedLine, ...]:
    all_ = calculation.exclusions
    mine = all_.rows(all_.player == player)
    for due in outcome.credits.entitlements:
        # What was reported too late for a closed list is said in the next one.
        late = due.rated.calculation_of(player).exclusions
        said = (late.player == player) & (late.game > due.known_before)
        mine = Exclusions.joined([mine, late.rows(said & (late.reason == Reason.LATE_REPORT))])
    mine = mine.rows(np.lexsort((mine.game, mine.round, mine.tournament)))
    ids = outcome.timeline.known.facts.tournament_ids
    return tuple(
        ExcludedLine(
            seq=int(mine.game[i]),
            tournament=ids[mine.tournament[i]],
            round=int(mine.round[i]),
            opponent=_person(people, int(mine.opponent[i])),
            score=Fraction(int(mine.halves[i]), 2),
            reason=Reason(int(mine.reason[i])),
            clause=outcome.regulation.clause_of(Reason(int(mine.reason[i]))),
        )
        for i in range(len(mine))
    )


def _steps(outcome: PeriodOutcome, calculation: Calculation, player: int) -> tuple[StepLine, ...]:
    ids = outcome.timeline.known.facts.tournament_ids
    return tuple(
        StepLine(
            tournament=None if step.tournament == NOBODY else ids[step.tournament],
            kind=step.kind,
            clause=outcome.regulation.clause_of_step(step.kind),
            points=Fraction(step.units, calculation.units),
        )
        for step in calculation.steps
        if step.player == player
    )


def _bucket(outcome: PeriodOutcome, player: int, people: People) -> tuple[BucketLine, ...]:
    first = outcome.first_rated.get(player)
    filled = first.bucket if first else outcome.closing.buckets.get(player)
    timeline = outcome.timeline
    return tuple(
        _line(outcome, result, timeline.period_at(index).name, people) for index, result in filled
    )


def _not_computable(outcome: PeriodOutcome, player: int, people: People) -> tuple[BucketLine, ...]:
    return tuple(
        _line(outcome, result, outcome.period.name, people)
        for result in outcome.newcomers.rows(outcome.newcomers.player == player)
        if not result.computable
    )


def _line(
    outcome: PeriodOutcome, result: NewcomerResult, period: str, people: People
) -> BucketLine:
    return BucketLine(
        period=period,
        tournament=outcome.timeline.known.facts.tournament_ids[result.tournament],
        games=result.games,
        halves=result.halves,
        opponents_mean=result.opponents_mean,
        performance=result.performance,
        reason=result.reason,
        opponents=tuple(
            (_person(people, met.opponent), met.rating, met.halves) for met in result.opponents
        ),
    )


def _credits(outcome: PeriodOutcome, player: int) -> tuple[CreditLine, ...]:
    lines = [
        CreditLine(e.period.name, int(e.entitled[player]), int(e.credited[player]))
        for e in outcome.credits.entitlements
        if e.entitled[player] != e.credited[player]
    ]
    if player in outcome.credits.first_ratings:
        lines.append(CreditLine(None, *outcome.credits.first_ratings[player]))
    given_back = player in outcome.credits.restored  # with all that was owed
    owed = outcome.opening.rating[player] > UNRATED and not given_back
    return tuple(lines) if owed else ()


def _person(people: People, player: int) -> PersonRef:
    return PersonRef(people.id(player), people.name(player))
