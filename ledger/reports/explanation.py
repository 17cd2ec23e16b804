"""How a player's statement is cut out of a calculated period: line by line, then balanced."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ledger.facts.columns import NOBODY, Mask
from ledger.lists.people import People
from ledger.lists.rating_list import basis_of
from ledger.rating.player_state import UNRATED
from ledger.rating.postings import Calculation, NewcomerResult, OwnStep, Postings, StepKind
from ledger.regulations.interface import Regulation
from ledger.replay.calculation import PeriodInput
from ledger.replay.late_results import Entitlement
from ledger.replay.period_outcome import PeriodOutcome
from ledger.reports.statement import (
    BucketLine,
    CreditedGame,
    CreditLine,
    ExcludedLine,
    Instruction,
    Ordered,
    PersonRef,
    PostingLine,
    Statement,
    StepLine,
    by_game,
)


def statement(outcome: PeriodOutcome, player: int, people: People, *, seq: int) -> Statement:
    """Cuts a player's statement out of a calculated period."""
    opening = int(outcome.opening.rating[player]) or None
    closing = int(outcome.closing.rating[player]) or None
    calculation = outcome.rated.calculation_of(player)
    change_exact = Fraction(int(outcome.units[player]), outcome.rated.scale)
    credits_ = _credits(outcome, player, people)
    owed = sum((line.credit for line in credits_), Fraction(0))
    first = outcome.first_rated.get(player)
    postings = _postings(outcome.rated.inputs, calculation, player, people, _ids(outcome))
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
        steps=_steps_of(outcome.regulation, calculation, player, _ids(outcome)),
        excluded=_excluded(outcome, calculation, player, people),
        bucket=_bucket(outcome, player, people),
        not_computable=_not_computable(outcome, player, people),
        needed=outcome.regulation.games_for_first_rating(outcome.period.in_force_on),
        first_games=outcome.regulation.first_games,
        orders=_orders(outcome, calculation, player),
        starts_anew=player in outcome.restarted,
    )
    total = (opening or made.first_rating or 0) + change_exact + made.rounding
    total += owed + made.adjustment + made.lifted + made.removed
    assert total == (closing or 0), f"the statement of {made.player.id} does not balance"
    return made


def _k(postings: tuple[PostingLine, ...], at_the_start: int) -> int:
    """Returns the K of the games; the one at the start, where they differ or there are none.

    A regulation may reduce K for a period with many games.
    """
    used = {line.k for line in postings}
    return used.pop() if len(used) == 1 else at_the_start


def _ids(outcome: PeriodOutcome) -> Sequence[str]:
    """The tournaments' ids, by index."""
    return outcome.timeline.known.facts.tournament_ids


def _postings(
    inputs: PeriodInput, calculation: Calculation, player: int, people: People, ids: Sequence[str]
) -> tuple[PostingLine, ...]:
    """Returns a player's rated games of a calculation, by tournament and round."""
    mine = calculation.postings.rows(calculation.postings.player == player)
    mine = mine.rows(np.lexsort((mine.game, mine.round, mine.tournament)))
    capped = _capped(inputs, mine)
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


def _capped(inputs: PeriodInput, postings: Postings) -> Mask:
    """Returns which postings count the greatest difference there is instead of a greater one."""
    if not inputs.regulation.plain:
        return np.zeros(len(postings), dtype=np.bool_)
    starts_on = inputs.tournaments.starts_on[postings.tournament].astype(np.int64)
    cap = inputs.regulation.differences(starts_on).cap
    real = np.abs(postings.rating - postings.opponent_rating)
    capped: Mask = (np.abs(postings.difference) == cap) & (real > cap)
    return capped


def _excluded(
    outcome: PeriodOutcome, calculation: Calculation, player: int, people: People
) -> tuple[ExcludedLine, ...]:
    """Returns the games that were not rated; of closed periods those that became known late."""
    lines = _excluded_of(outcome.rated.inputs, calculation, player, people, _ids(outcome))
    for due in outcome.credits.entitlements:
        late = due.rated.calculation_of(player)
        its = _excluded_of(due.rated.inputs, late, player, people, _ids(outcome))
        lines += [line for line in its if line.seq > due.known_before]
    return tuple(sorted(lines, key=lambda line: (line.tournament, line.round, line.seq)))


def _excluded_of(
    inputs: PeriodInput, calculation: Calculation, player: int, people: People, ids: Sequence[str]
) -> list[ExcludedLine]:
    mine = calculation.exclusions.rows(calculation.exclusions.player == player)
    return [
        ExcludedLine(
            seq=int(mine.game[i]),
            tournament=ids[mine.tournament[i]],
            round=int(mine.round[i]),
            opponent=_person(people, int(mine.opponent[i])),
            score=Fraction(int(mine.halves[i]), 2),
            reason=(reason := inputs.regulation.reason(int(mine.reason[i]))),
            clause=inputs.regulation.clause_of(reason),
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
        reason=outcome.regulation.reason(result.reason),
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
    """Whether a closed period owes a player something, or rates a game of the player late."""
    if due.entitled.total.of(player) != due.credited.total.of(player):
        return True
    postings = due.rated.calculation_of(player).postings
    return bool(((postings.player == player) & (postings.game > due.known_before)).any())


def _credit(due: Entitlement, player: int, people: People, ids: Sequence[str]) -> CreditLine:
    given, regulation = due.rated.inputs, due.rated.inputs.regulation
    calculation = due.rated.calculation_of(player)
    now, before = (
        by_game(_postings(given, made, player, people, ids)) for made in (calculation, due.before)
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
            _steps_of(regulation, calculation, player, ids),
        ),
        lifted=int(due.entitled.lifted[player] - due.credited.lifted[player]),
    )


def _steps_due(before: Sequence[StepLine], now: Sequence[StepLine]) -> tuple[StepLine, ...]:
    """Returns by how much each step is another one now."""
    points = defaultdict[tuple[str | None, StepKind | OwnStep, str], Fraction](Fraction)
    for sign, steps in ((-1, before), (1, now)):
        for step in steps:
            points[step.tournament, step.kind, step.clause] += sign * step.points
    return tuple(StepLine(*key, owed) for key, owed in points.items() if owed)


def _orders(
    outcome: PeriodOutcome, calculation: Calculation, player: int
) -> tuple[Instruction, ...]:
    """Returns what was ordered: points, list-wide steps, an assigned K, a period."""
    timeline = outcome.timeline
    orders = [
        Instruction(Ordered.POINTS, step.seq, step.event.points)
        for step in outcome.steps_ordered
        if int(timeline.known.merged_into[step.index]) == player
    ]
    orders += [
        Instruction(Ordered.LIST_STEP, seq, int(outcome.adjustment[player]))
        for seq, event in timeline.list.adjustments
        if event.period == outcome.period.name and outcome.adjustment[player]
    ]
    assigned = timeline.k_assigned(player, outcome.period.starts_on)
    if assigned is not None and _counts(outcome, calculation, player, k=assigned[1]):
        orders.append(Instruction(Ordered.K, *assigned))
    for tournament in outcome.tournaments_of(player):
        if (said := timeline.period_said(tournament)) is not None:
            seq, period = said
            orders.append(Instruction(Ordered.RATED_IN, seq, period, _ids(outcome)[tournament]))
    return tuple(orders)


def _counts(outcome: PeriodOutcome, calculation: Calculation, player: int, *, k: int) -> bool:
    """Whether a K is that of a game, or would be, were it not limited by the number of games."""
    postings = calculation.postings
    of_games = postings.k[postings.player == player]
    limited = outcome.regulation.plain and outcome.k_of(player) == k
    return bool((of_games == k).any()) or (limited and bool(len(of_games)))


def _person(people: People, player: int) -> PersonRef:
    return PersonRef(people.id(player), people.name(player))
