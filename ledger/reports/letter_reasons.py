"""Why a period moved ratings, in a line for each player: summed by columns for all at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np

from ledger.facts.arrays import Column, Mask
from ledger.rating.decimal_text import exact, points, with_sign
from ledger.replay.period_outcome import PeriodOutcome
from ledger.wording import Message


def reasons_of(outcome: PeriodOutcome, players: Column) -> Mapping[int, Sequence[Message]]:
    """Returns why each of some players, by index, stands where a period leaves them."""
    found = defaultdict[int, list[Message]](list)
    chosen = np.zeros(len(outcome.closing.rating), dtype=np.bool_)
    chosen[players] = True
    for player in players.tolist():
        found[player] += _others(outcome, player)
    for player, sentence in (*_of_games(outcome, chosen), *_of_results(outcome, chosen)):
        found[player].append(sentence)
    for step in outcome.calculation.steps:
        if chosen[step.player]:
            gain = _gain(Fraction(step.units, outcome.calculation.units))
            sentence = Message.of("letter.step", what=step.kind.message, points=gain)
            found[step.player].append(sentence)
    return found


def _of_games(outcome: PeriodOutcome, chosen: Mask) -> Iterator[tuple[int, Message]]:
    """Yields players with what the rated games of a tournament came to."""
    calculation = outcome.calculation
    lines = calculation.postings.rows(chosen[calculation.postings.player])
    if not len(lines):
        return
    names = outcome.timeline.known.tournament_names
    order = np.lexsort((lines.tournament, lines.player))
    lines = lines.rows(order)
    is_first = np.ones(len(lines), dtype=np.bool_)
    is_first[1:] = np.diff(lines.player) | np.diff(lines.tournament)
    starts = np.flatnonzero(is_first)
    columns = (
        lines.player[starts], lines.tournament[starts], np.diff(np.append(starts, len(lines))),
        np.add.reduceat(lines.score, starts), np.add.reduceat(lines.contribution, starts),
    )  # fmt: skip
    for player, tournament, count, score, units in zip(*map(list, columns), strict=True):
        sentence = Message.of(
            "letter.games",
            tournament=names[tournament],
            count=int(count),
            score=exact(Fraction(int(score), calculation.scale)),
            points=_gain(Fraction(int(units), calculation.units)),
        )
        yield int(player), sentence


def _of_results(outcome: PeriodOutcome, chosen: Mask) -> Iterator[tuple[int, Message]]:
    """Yields players without a rating with what they achieved in a tournament."""
    names = outcome.timeline.known.tournament_names
    achieved = outcome.newcomers.achieved
    achieved = achieved.rows(chosen[achieved.player])
    columns = (achieved.player, achieved.tournament, achieved.games, achieved.halves)
    for player, tournament, count, halves in zip(*(c.tolist() for c in columns), strict=True):
        yield (
            player,
            Message.of(
                "letter.result", tournament=names[tournament], count=count, score=points(halves)
            ),
        )


def _others(outcome: PeriodOutcome, player: int) -> Iterator[Message]:
    """Yields what beside games moved a player's rating in the period."""
    if first := outcome.first_rated.get(player):
        yield Message.of("letter.first_rating", rating=first.rating, count=first.games)
    if paid := int(outcome.paid[player]):
        yield Message.of("letter.late", points=with_sign(paid))
    if adjusted := int(outcome.adjustment[player]):
        yield Message.of("letter.adjusted", points=with_sign(adjusted))
    if lifted := int(outcome.lifted[player]):
        yield Message.of("letter.lifted", points=with_sign(lifted))
    if outcome.removed[player]:
        yield Message.of("letter.removed", rating=-int(outcome.removed[player]))


def _gain(value: Fraction) -> str:
    return with_sign(exact(value))
