"""A player's statement: every line of his calculation in a period, and what did not count and why.

The lines are the very postings the list was summed from; nothing is calculated for the explanation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

import numpy as np

from ledger.facts.columns import NOBODY, Mask
from ledger.lists.people import People
from ledger.lists.rating_list import Basis, basis_of
from ledger.rating.decimal_text import decimal, exact, points
from ledger.rating.player_state import UNRATED
from ledger.rating.postings import Calculation, NewcomerResult, Postings, Reason, StepKind
from ledger.regulations.interface import Regulation
from ledger.replay.calculation import Given
from ledger.replay.late_results import Entitlement
from ledger.replay.period_outcome import PeriodOutcome


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

    Exact quantities are fractions; ``expected`` and ``merit`` in hundredths. ``capped`` says that
    the real difference is greater than the one that counts; a statement lists the seqs of these.
    """

    seq: int
    tournament: str
    round: int
    rating: int
    opponent: PersonRef
    opponent_rating: int
    difference: int
    capped: bool
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
class CreditedGame:
    """One game of a closed period: as it counts by now, and as the lists counted it so far.

    Either is None where the game does not count: a game that became known late was not counted
    before, one that was annulled is not counted now.
    """

    now: PostingLine | None
    before: PostingLine | None

    @property
    def line(self) -> PostingLine:
        """The game, as it counts by now where it does."""
        line = self.now or self.before
        assert line is not None, "it counts or it did"
        return line

    @property
    def entitled(self) -> Fraction:
        """What it is worth."""
        return self.now.contribution if self.now else Fraction(0)

    @property
    def credited(self) -> Fraction:
        """What the lists have given for it."""
        return self.before.contribution if self.before else Fraction(0)

    @property
    def points(self) -> Fraction:
        """What it adds to the next list."""
        return self.entitled - self.credited

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data."""
        return {
            **self.line.data(),
            "rating": self.line.rating,
            "capped": self.line.capped,
            "contribution": exact(self.entitled),
            "credited": exact(self.credited),
            "credit": exact(self.points),
        }


@dataclass(frozen=True, slots=True)
class CreditLine:
    """What an earlier list owed: exact points due by now, and given so far.

    ``games`` are those that make the difference, ``steps`` what rules give otherwise than they
    did, ``lifted`` the change of what kept the rating at 1, and ``rounding`` the rest: where every
    event is rounded by itself.
    """

    period: str | None
    entitled: Fraction
    credited: Fraction
    games: tuple[CreditedGame, ...] = ()
    steps: tuple[StepLine, ...] = ()
    lifted: int = 0

    @property
    def credit(self) -> Fraction:
        """What enters the list."""
        return self.entitled - self.credited

    @property
    def rounding(self) -> Fraction:
        """What neither games nor steps explain."""
        explained = sum((game.points for game in self.games), Fraction(self.lifted))
        explained += sum((step.points for step in self.steps), Fraction(0))
        return self.credit - explained if self.period is not None else Fraction(0)

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data; without a period it is about the first rating."""
        return {
            "period": self.period,
            "entitled": exact(self.entitled),
            "credited": exact(self.credited),
            "credit": exact(self.credit),
            "games": [game.data() for game in self.games],
            "steps": [step.data() for step in self.steps],
            "lifted": self.lifted,
            "rounding": exact(self.rounding),
        }


class Ordered(StrEnum):
    """What somebody decided that moves a rating."""

    POINTS = "points"
    LIST_STEP = "list-step"
    K = "k"
    RATED_IN = "rated-in"


@dataclass(frozen=True, slots=True)
class Instruction:
    """A decision behind a statement: who made it and why is told by the commit of its event.

    ``value`` is in points, a K, or the period in which the ``tournament`` is rated. ``actor`` and
    ``reason`` are empty until somebody has looked them up.
    """

    kind: Ordered
    seq: int
    value: int | str
    tournament: str | None = None
    actor: str = ""
    reason: str = ""

    def data(self) -> dict[str, Any]:
        """Returns it as JSON data."""
        return {
            "kind": self.kind.value,
            "seq": self.seq,
            "value": self.value,
            "tournament": self.tournament,
            "actor": self.actor,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Statement:
    """One player's period, balanced.

    opening (or first rating) + contributions + steps + credits + rounding + adjustment + lifted +
    removed = closing: what an earlier list owed is rounded together with the games of this one. The
    opening includes what was ``ordered`` for the player, and what was
    ``given_back`` because he had not fallen below the floor after all; ``lifted`` keeps it at 1,
    ``removed`` is what he had when he fell below it. ``opening`` and ``closing`` are None for a
    player without a rating. For a newcomer ``bucket`` is what his provisional bucket holds after
    the period (or held when it became a first rating; or what a rating is made of that is
    calculated anew over the ``first_games``), ``not_computable`` the results of the period that
    never enter it. ``needed`` are the games that a first rating needs.
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
    first_games: int
    orders: tuple[Instruction, ...] = ()

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
                "first_games": self.first_games,
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
            "capped": [line.seq for line in self.postings if line.capped],
            "steps": [line.data() for line in self.steps],
            "excluded": [line.data() for line in self.excluded],
            "provisional": provisional,
            "orders": [order.data() for order in self.orders],
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
    credits_ = _credits(outcome, player, people)
    owed = sum((line.credit for line in credits_), Fraction(0))
    first = outcome.first_rated.get(player)
    postings = _postings(outcome.rated.given, his, player, people, _ids(outcome))
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
        rounding=int(outcome.change[player]) + int(outcome.paid[player]) - change_exact - owed,
        credits=credits_,
        adjustment=int(outcome.adjustment[player]),
        lifted=int(outcome.lifted[player]),
        removed=int(outcome.removed[player]),
        first_rating=None if first is None else first.rating,
        k=_k(postings, outcome.k_of(player)),
        games=int(outcome.rated_games[player]),
        postings=postings,
        steps=_steps_of(outcome.regulation, his, player, _ids(outcome)),
        excluded=_excluded(outcome, his, player, people),
        bucket=_bucket(outcome, player, people),
        not_computable=_not_computable(outcome, player, people),
        needed=outcome.regulation.games_for_first_rating(outcome.period.in_force_on),
        first_games=outcome.regulation.first_games,
        orders=_orders(outcome, his, player),
    )
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


def _ids(outcome: PeriodOutcome) -> Sequence[str]:
    """The tournaments' ids, by index."""
    return outcome.timeline.known.facts.tournament_ids


def _postings(
    given: Given, calculation: Calculation, player: int, people: People, ids: Sequence[str]
) -> tuple[PostingLine, ...]:
    """Returns a player's rated games of a calculation, by tournament and round."""
    mine = calculation.postings.rows(calculation.postings.player == player)
    mine = mine.rows(np.lexsort((mine.game, mine.round, mine.tournament)))
    capped = _capped(given, mine)
    return tuple(
        PostingLine(
            seq=int(mine.game[i]),
            tournament=ids[mine.tournament[i]],
            round=int(mine.round[i]),
            rating=int(mine.rating[i]),
            opponent=_person(people, int(mine.opponent[i])),
            opponent_rating=int(mine.opponent_rating[i]),
            difference=int(mine.difference[i]),
            capped=bool(capped[i]),
            expected=Fraction(int(mine.expected[i]), calculation.scale),
            score=Fraction(int(mine.score[i]), calculation.scale),
            k=int(mine.k[i]),
            merit=Fraction(int(mine.merit[i]), 100),
            contribution=Fraction(int(mine.contribution[i]), calculation.units),
        )
        for i in range(len(mine))
    )


def _capped(given: Given, postings: Postings) -> Mask:
    """Returns which postings count the greatest difference there is instead of a greater one."""
    if not given.regulation.plain:
        return np.zeros(len(postings), dtype=np.bool_)
    starts_on = given.tournaments.starts_on[postings.tournament].astype(np.int64)
    cap = given.regulation.differences(starts_on).cap
    real = np.abs(postings.rating - postings.opponent_rating)
    capped: Mask = (np.abs(postings.difference) == cap) & (real > cap)
    return capped


def _excluded(
    outcome: PeriodOutcome, his: Calculation, player: int, people: People
) -> tuple[ExcludedLine, ...]:
    """Returns the games that were not rated; of closed periods those that became known late."""
    lines = _excluded_of(outcome.rated.given, his, player, people, _ids(outcome))
    for due in outcome.credits.entitlements:
        late = due.rated.calculation_of(player)
        its = _excluded_of(due.rated.given, late, player, people, _ids(outcome))
        lines += [line for line in its if line.seq > due.known_before]
    return tuple(sorted(lines, key=lambda line: (line.tournament, line.round, line.seq)))


def _excluded_of(
    given: Given, calculation: Calculation, player: int, people: People, ids: Sequence[str]
) -> list[ExcludedLine]:
    mine = calculation.exclusions.rows(calculation.exclusions.player == player)
    return [
        ExcludedLine(
            seq=int(mine.game[i]),
            tournament=ids[mine.tournament[i]],
            round=int(mine.round[i]),
            opponent=_person(people, int(mine.opponent[i])),
            score=Fraction(int(mine.halves[i]), 2),
            reason=Reason(int(mine.reason[i])),
            clause=given.regulation.clause_of(Reason(int(mine.reason[i]))),
        )
        for i in range(len(mine))
    ]


def _steps_of(
    regulation: Regulation, calculation: Calculation, player: int, ids: Sequence[str]
) -> tuple[StepLine, ...]:
    return tuple(
        StepLine(
            tournament=None if step.tournament == NOBODY else ids[step.tournament],
            kind=step.kind,
            clause=regulation.clause_of_step(step.kind),
            points=Fraction(step.units, calculation.units),
        )
        for step in calculation.steps
        if step.player == player
    )


def _bucket(outcome: PeriodOutcome, player: int, people: People) -> tuple[BucketLine, ...] | None:
    """Results that a first rating waits for or was made of in the period, all first games included.

    None for a player whose rating goes on from what it was.
    """
    before = outcome.rated.opening.buckets.of_those(np.array([player]))
    if outcome.opening.rating[player] != UNRATED and not len(before):
        return None
    mine = outcome.newcomers.rows(outcome.newcomers.player == player)
    filled = before.filled(mine, outcome.period.index)
    since = outcome.regulation.results_since(outcome.period.in_force_on).toordinal()
    counted = filled.rows(filled.results.achieved.ends_on >= since)
    timeline = outcome.timeline
    return tuple(
        _line(outcome, result, timeline.period_at(index).name, people)
        for index, result in counted.get(player)
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


def _credits(outcome: PeriodOutcome, player: int, people: People) -> tuple[CreditLine, ...]:
    given_back = player in outcome.credits.restored  # with all that was owed
    if outcome.opening.rating[player] == UNRATED or given_back:
        return ()
    lines = [
        _credit(due, player, people, _ids(outcome))
        for due in outcome.credits.entitlements
        if _concerns(due, player)
    ]
    if player in outcome.credits.first_ratings:
        entitled, credited = outcome.credits.first_ratings[player]
        lines.append(CreditLine(None, Fraction(entitled), Fraction(credited)))
    return tuple(lines)


def _concerns(due: Entitlement, player: int) -> bool:
    """Whether a closed period owes a player something, or tells late of a game he was rated for."""
    if due.entitled.total.of(player) != due.credited.total.of(player):
        return True
    postings = due.rated.calculation_of(player).postings
    return bool(((postings.player == player) & (postings.game > due.known_before)).any())


def _credit(due: Entitlement, player: int, people: People, ids: Sequence[str]) -> CreditLine:
    given, regulation = due.rated.given, due.rated.given.regulation
    his = due.rated.calculation_of(player)
    now, before = (
        {
            (line.tournament, line.round, line.opponent.id): line
            for line in _postings(given, calculation, player, people, ids)
        }
        for calculation in (his, due.before)
    )
    games = (CreditedGame(now.get(key), before.get(key)) for key in {**before, **now})
    return CreditLine(
        period=due.period.name,
        entitled=due.entitled.total.of(player),
        credited=due.credited.total.of(player),
        games=tuple(
            sorted(
                (game for game in games if game.points or game.before != game.now),
                key=lambda game: (game.line.tournament, game.line.round, game.line.seq),
            )
        ),
        steps=_steps_due(
            _steps_of(regulation, due.before, player, ids),
            _steps_of(regulation, his, player, ids),
        ),
        lifted=int(due.entitled.lifted[player] - due.credited.lifted[player]),
    )


def _steps_due(before: Sequence[StepLine], now: Sequence[StepLine]) -> tuple[StepLine, ...]:
    """Returns by how much each step is another one now."""
    points = defaultdict[tuple[str | None, StepKind, str], Fraction](Fraction)
    for sign, steps in ((-1, before), (1, now)):
        for step in steps:
            points[step.tournament, step.kind, step.clause] += sign * step.points
    return tuple(StepLine(*key, owed) for key, owed in points.items() if owed)


def _orders(outcome: PeriodOutcome, his: Calculation, player: int) -> tuple[Instruction, ...]:
    """Returns who is to be asked: for ordered points, list-wide steps, an assigned K, a period."""
    timeline = outcome.timeline
    orders = [
        Instruction(Ordered.POINTS, step.seq, step.points)
        for step in outcome.steps_ordered
        if int(timeline.known.merged_into[step.player]) == player
    ]
    orders += [
        Instruction(Ordered.LIST_STEP, seq, int(outcome.adjustment[player]))
        for seq, event in timeline.list.adjustments
        if event.period == outcome.period.name and outcome.adjustment[player]
    ]
    assigned = timeline.k_assigned(player, outcome.period.starts_on)
    if assigned is not None and _counts(outcome, his, player, k=assigned[1]):
        orders.append(Instruction(Ordered.K, *assigned))
    for tournament in outcome.tournaments_of(player):
        if (said := timeline.period_said(tournament)) is not None:
            seq, period = said
            orders.append(Instruction(Ordered.RATED_IN, seq, period, _ids(outcome)[tournament]))
    return tuple(orders)


def _counts(outcome: PeriodOutcome, his: Calculation, player: int, *, k: int) -> bool:
    """Whether a K is that of a game, or would be, were it not limited by the number of games."""
    postings = his.postings
    of_games = postings.k[postings.player == player]
    limited = outcome.regulation.plain and outcome.k_of(player) == k
    return bool((of_games == k).any()) or (limited and bool(len(of_games)))


def _person(people: People, player: int) -> PersonRef:
    return PersonRef(people.id(player), people.name(player))
