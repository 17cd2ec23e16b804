"""How a player's statement is cut out of a calculated period: line by line, then balanced."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np

from ledger.calendar import Period
from ledger.facts.columns import NOBODY, Column, Mask
from ledger.identifiers import PlayerIndex, Seq, TournamentId
from ledger.lists.people import People
from ledger.lists.rating_list import basis_of
from ledger.rating.newcomer_results import Results
from ledger.rating.player_state import UNRATED
from ledger.rating.postings import Calculation, NewcomerResult, OwnStep, Postings, StepKind
from ledger.regulations.interface import Regulation
from ledger.replay.late_results import Entitlement
from ledger.replay.period_input import PeriodInput
from ledger.replay.period_outcome import PeriodOutcome
from ledger.reports.statement import (
    BucketLine,
    BucketOpponent,
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
    place_in_statement,
)


def statement(
    outcome: PeriodOutcome, player: PlayerIndex, people: People, *, seq: Seq
) -> Statement:
    """Cuts a player's statement out of a calculated period."""
    return _PlayerLines(outcome, player, people).statement(seq)


def concerned(outcome: PeriodOutcome) -> Column:
    """Returns the indexes (ascending) of those to whom something happens in a period.

    The statements of all others differ in the player, the rating and K alone, among those who are
    rated and among those who are not.
    """
    calculation, owed = outcome.calculation, outcome.credits
    games = [outcome.games]
    marked = [
        calculation.postings.player, calculation.exclusions.player, outcome.newcomers.player,
        outcome.rated.opening.buckets.results.player, outcome.restarted,
        _column(step.player for step in calculation.steps),
        _column(step.index for step in outcome.steps_ordered),
        _column((*owed.first_ratings, *owed.restored)),
        np.flatnonzero(outcome.closing.rating != outcome.opening.rating),
    ]  # fmt: skip
    vectors = (
        outcome.ordered, outcome.paid, outcome.adjustment, outcome.lifted, outcome.removed,
        outcome.units,
    )  # fmt: skip
    marked += map(np.flatnonzero, vectors)
    for due in owed.entitlements:
        games.append(due.rated.inputs.games)
        for of in (due.before, due.calculation):
            marked += [of.postings.player, of.exclusions.player]
            marked.append(_column(step.player for step in of.steps))
    marked += [side[side != NOBODY] for each in games for side in (each.white, each.black)]
    into = outcome.timeline.known.merged_into
    return np.unique(into[np.concatenate([column.astype(np.int64) for column in marked])])


def _column(players: Iterable[int]) -> Column:
    return np.fromiter(players, dtype=np.int64)


class _PlayerLines:
    """The lines of one player in a calculated period."""

    def __init__(self, outcome: PeriodOutcome, player: PlayerIndex, people: People) -> None:
        self._outcome = outcome
        self._player = player
        self._people = people
        self._ids = outcome.timeline.known.facts.tournament_ids
        self._calculation = outcome.rated.calculation_of(player)

    def statement(self, seq: Seq) -> Statement:
        """Puts the lines together, and checks that they balance; ``seq`` is the basis."""
        outcome, player = self._outcome, self._player
        opening = int(outcome.opening.rating[player]) or None
        closing = int(outcome.closing.rating[player]) or None
        change_exact = Fraction(int(outcome.units[player]), outcome.rated.scale)
        credits_ = self._credits()
        owed = sum((line.credit for line in credits_), Fraction(0))
        first = outcome.first_rated.get(player)
        postings = self._postings(outcome.rated.inputs, self._calculation)
        made = Statement(
            player=self._person(player),
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
            steps=self._steps(outcome.regulation, self._calculation),
            excluded=self._excluded(),
            bucket=self._bucket(),
            not_computable=self._not_computable(),
            needed=outcome.regulation.games_for_first_rating(outcome.period.in_force_on),
            first_games=outcome.regulation.first_games,
            orders=self._orders(),
            starts_anew=player in outcome.restarted,
            was_rated=bool(outcome.opening.peak[player]),
        )
        whole = (opening or made.first_rating or 0) + made.adjustment + made.lifted + made.removed
        total = whole + change_exact + made.rounding + owed
        assert total == (closing or 0), f"the statement of {made.player.id} does not balance"
        return made

    # Games

    def _postings(self, inputs: PeriodInput, calculation: Calculation) -> tuple[PostingLine, ...]:
        """Returns the rated games of a calculation, by tournament and round."""
        found = np.flatnonzero(calculation.postings.player == self._player)
        if not len(found):
            return ()
        mine = calculation.postings.rows(found)
        capped = _capped(inputs, mine)
        self._people.read(mine.opponent.tolist())
        lines = (
            PostingLine(
                seq=Seq(int(mine.game[i])),
                tournament=self._ids[mine.tournament[i]],
                round=int(mine.round[i]),
                rating=int(mine.rating[i]),
                opponent=self._person(PlayerIndex(int(mine.opponent[i]))),
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
        return tuple(sorted(lines, key=place_in_statement))

    def _excluded(self) -> tuple[ExcludedLine, ...]:
        """Returns the games that were not rated; of closed periods those known late."""
        lines = self._excluded_of(self._outcome.rated.inputs, self._calculation)
        for due in self._outcome.credits.entitlements:
            late = due.rated.calculation_of(self._player)
            its = self._excluded_of(due.rated.inputs, late)
            lines += [line for line in its if line.seq > due.known_before]
        return tuple(sorted(lines, key=place_in_statement))

    def _excluded_of(self, inputs: PeriodInput, calculation: Calculation) -> list[ExcludedLine]:
        mine = calculation.exclusions.rows(calculation.exclusions.player == self._player)
        self._people.read(mine.opponent.tolist())
        return [
            ExcludedLine(
                seq=Seq(int(mine.game[i])),
                tournament=self._ids[mine.tournament[i]],
                round=int(mine.round[i]),
                opponent=self._person(PlayerIndex(int(mine.opponent[i]))),
                score=Fraction(int(mine.halves[i]), 2),
                reason=(reason := inputs.regulation.reason(int(mine.reason[i]))),
                clause=inputs.regulation.clause_of(reason),
            )
            for i in range(len(mine))
        ]

    def _steps(self, regulation: Regulation, calculation: Calculation) -> tuple[StepLine, ...]:
        return tuple(
            StepLine(
                tournament=None if step.tournament == NOBODY else self._ids[step.tournament],
                kind=step.kind,
                clause=regulation.clause_of_step(step.kind),
                points=Fraction(step.units, calculation.units),
            )
            for step in calculation.steps
            if step.player == self._player
        )

    # A newcomer's results

    def _bucket(self) -> tuple[BucketLine, ...] | None:
        """Results that a first rating waits for or was made of, all first games included.

        None for a player whose rating goes on from what it was.
        """
        outcome, player = self._outcome, self._player
        before = outcome.rated.opening.buckets.of_those(np.array([player]))
        if outcome.opening.rating[player] != UNRATED and not len(before):
            return None
        mine = self._results
        if not len(before) and not len(mine):
            return ()
        filled = before.filled(mine, outcome.period.index)
        since = outcome.regulation.results_since(outcome.period.in_force_on).toordinal()
        counted = filled.rows(filled.results.achieved.ends_on >= since)
        return tuple(
            self._result(result, outcome.timeline.period_at(index))
            for index, result in counted.get(player)
        )

    def _not_computable(self) -> tuple[BucketLine, ...]:
        return tuple(
            self._result(result, self._outcome.period)
            for result in self._results
            if not result.computable
        )

    @cached_property
    def _results(self) -> Results:
        """Their results of the period, while they are newcomers."""
        newcomers = self._outcome.newcomers
        return newcomers.rows(newcomers.player == self._player)

    def _result(self, result: NewcomerResult, period: Period) -> BucketLine:
        self._people.read(faced.opponent for faced in result.opponents)
        return BucketLine(
            period=period.name,
            tournament=self._ids[result.tournament],
            games=result.games,
            halves=result.halves,
            opponents_mean=result.opponents_mean,
            performance=result.performance,
            reason=self._outcome.regulation.reason(result.reason),
            opponents=tuple(
                BucketOpponent(
                    self._person(PlayerIndex(faced.opponent)), faced.rating, faced.halves
                )
                for faced in result.opponents
            ),
        )

    # What earlier lists owe

    def _credits(self) -> tuple[CreditLine, ...]:
        owed, player = self._outcome.credits, self._player
        # A rating is given back with all that was owed.
        if self._outcome.opening.rating[player] == UNRATED or player in owed.restored:
            return ()
        lines = [self._credit(due) for due in owed.entitlements if self._is_owed(due)]
        if player in owed.first_ratings:
            entitled, credited = owed.first_ratings[player]
            lines.append(CreditLine(None, Fraction(entitled), Fraction(credited)))
        return tuple(lines)

    def _is_owed(self, due: Entitlement) -> bool:
        """Whether a closed period owes the player something, or rates a game late."""
        player = self._player
        if due.entitled.total.of(player) != due.credited.total.of(player):
            return True
        postings = due.rated.calculation_of(player).postings
        return bool(((postings.player == player) & (postings.game > due.known_before)).any())

    def _credit(self, due: Entitlement) -> CreditLine:
        inputs, player = due.rated.inputs, self._player
        calculation = due.rated.calculation_of(player)
        now, before = (by_game(self._postings(inputs, of)) for of in (calculation, due.before))
        games = [CreditedGame(now.get(key), before.get(key)) for key in {**before, **now}]
        changed = [game for game in games if game.points or game.before != game.now]
        changed.sort(key=lambda game: place_in_statement(game.line))
        return CreditLine(
            period=due.period.name,
            entitled=due.entitled.total.of(player),
            credited=due.credited.total.of(player),
            games=tuple(changed),
            steps=_steps_due(
                self._steps(inputs.regulation, due.before),
                self._steps(inputs.regulation, calculation),
            ),
            lifted=int(due.entitled.lifted[player] - due.credited.lifted[player]),
        )

    # What was ordered

    def _orders(self) -> tuple[Instruction, ...]:
        """Returns what was ordered: points, list-wide steps, an assigned K, a period."""
        outcome, player, timeline = self._outcome, self._player, self._outcome.timeline
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
        if assigned is not None and self._counts(assigned[1]):
            orders.append(Instruction(Ordered.K, *assigned))
        for tournament in outcome.tournaments_of(player):
            if (said := timeline.period_said(tournament)) is not None:
                seq, period = said
                orders.append(Instruction(Ordered.RATED_IN, seq, period, self._ids[tournament]))
        return tuple(orders)

    def _counts(self, k: int) -> bool:
        """Whether a K is that of a game, or would be, were it not limited by the games."""
        outcome, postings = self._outcome, self._calculation.postings
        of_games = postings.k[postings.player == self._player]
        limited = outcome.regulation.plain and outcome.k_of(self._player) == k
        return bool((of_games == k).any()) or (limited and bool(len(of_games)))

    def _person(self, player: PlayerIndex) -> PersonRef:
        return PersonRef.of(self._people, player)


def _k(postings: tuple[PostingLine, ...], at_the_start: int) -> int:
    """Returns the K of the games; the one at the start, where they differ or there are none.

    A regulation may reduce K for a period with many games.
    """
    used = {line.k for line in postings}
    return used.pop() if len(used) == 1 else at_the_start


def _capped(inputs: PeriodInput, postings: Postings) -> Mask:
    """Returns which postings count the greatest difference there is instead of a greater one."""
    if not inputs.regulation.plain:
        return np.zeros(len(postings), dtype=np.bool_)
    starts_on = inputs.tournaments.starts_on[postings.tournament].astype(np.int64)
    cap = inputs.regulation.differences(starts_on).cap
    real = np.abs(postings.rating - postings.opponent_rating)
    capped: Mask = (np.abs(postings.difference) == cap) & (real > cap)
    return capped


def _steps_due(before: Sequence[StepLine], now: Sequence[StepLine]) -> tuple[StepLine, ...]:
    """Returns by how much each step is another one now."""
    points = defaultdict[tuple[TournamentId | None, StepKind | OwnStep, str], Fraction](Fraction)
    for sign, steps in ((-1, before), (1, now)):
        for step in steps:
            points[step.tournament, step.kind, step.clause] += sign * step.points
    return tuple(StepLine(*key, owed) for key, owed in points.items() if owed)
