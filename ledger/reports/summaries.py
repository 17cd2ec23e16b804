"""A statement in a few sentences: what changed, by which games, and what was not rated, and why.

The sentences are chosen by rule. A game is against a stronger player where the opponent's rating in
it is higher than the player's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Final

from ledger.json_form import PARAGRAPH, PARTS, After, JsonForm, derived
from ledger.lists.rating_source import RatingSource
from ledger.rating.decimal_text import score_text, with_sign
from ledger.reports.balance import AS_READ, beginning
from ledger.reports.statement import PostingLine, Statement
from ledger.wording import Message, Wording

_DRAW: Final = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class StatementReport(JsonForm):
    """A statement and of which list it is, and before its figures what it comes to in words."""

    statement: Annotated[Statement, PARTS]
    source: Annotated[RatingSource, PARTS]

    @classmethod
    def schema_name(cls) -> str:
        """Returns the name that its schema had before there was a summary."""
        return Statement.__name__

    @property
    @derived
    def summary(self) -> Annotated[Sequence[Message], PARAGRAPH, After("basis")]:
        """Its sentences, the one that answers first."""
        return summary(self.statement)


def summary(statement: Statement) -> list[Message]:
    """Returns the sentences, the one that answers first."""
    return [*_answer(statement), *_games(statement), *_others(statement), *_not_rated(statement)]


def _answer(statement: Statement) -> Iterator[Message]:
    if statement.closing is None and statement.opening is None:
        bucket = statement.provisional
        if bucket and not statement.was_rated and bucket.needed > bucket.games:
            missing = bucket.needed - bucket.games
            yield Message.of("summary.provisional", games=bucket.games, missing=missing)
        else:
            yield Message.of("summary.as_said", sentence=beginning(statement))
    elif statement.closing is None:
        yield Message.of("summary.lost", rating=statement.opening)
    elif statement.opening is None:
        games = statement.provisional.games if statement.provisional else 0
        key = "summary.first_of_games" if games else "summary.first"
        yield Message.of(key, rating=statement.closing, games=games)


def _games(statement: Statement) -> Iterator[Message]:
    if statement.opening is None or statement.closing is None:
        return
    change = with_sign(statement.change) if statement.change else "±0"
    if not statement.postings:
        yield Message.of("summary.no_games", change=change)
        return
    scored = score_text(sum((line.score for line in statement.postings), Fraction(0)))
    expected = AS_READ.mean(sum((line.expected for line in statement.postings), Fraction(0)))
    named = {"change": change, "points": scored, "expected": expected}
    yield Message.of("summary.scored", **named, games=len(statement.postings))
    kinds = Counter(filter(None, map(_kind, statement.postings)))
    parts = tuple(Message.of(key, count=kinds[key]) for key in _KINDS if kinds[key])
    if parts:
        yield Message.of("summary.met", parts=parts)


_KINDS: Final = (
    "summary.beat_stronger", "summary.drew_stronger", "summary.drew_weaker", "summary.lost_weaker",
)  # fmt: skip


def _kind(line: PostingLine) -> str | None:
    """Returns what a game was that went otherwise than its ratings say; None for any other."""
    if line.opponent_rating > line.rating and line.score >= _DRAW:
        return "summary.beat_stronger" if line.score > _DRAW else "summary.drew_stronger"
    if line.opponent_rating < line.rating and line.score <= _DRAW:
        return "summary.lost_weaker" if line.score < _DRAW else "summary.drew_weaker"
    return None


def _others(statement: Statement) -> Iterator[Message]:
    """Yields what moved the rating beside its games."""
    if statement.opening is None or statement.closing is None:
        return
    steps = sum((step.points for step in statement.steps), Fraction(0))
    if steps:
        yield Message.of("summary.steps", points=AS_READ.change(steps))
    owed = sum((credit.credit for credit in statement.credits), Fraction(0))
    if owed:
        yield Message.of("summary.owed", points=AS_READ.change(owed))
    if statement.adjustment:
        yield Message.of("summary.adjusted", points=AS_READ.change(statement.adjustment))


def _not_rated(statement: Statement) -> Iterator[Message]:
    reasons: dict[Message | Wording, int] = {}
    for line in statement.excluded:
        if line.opponent.id is not None:  # a bye is no game
            reason = line.reason.message
            reasons[reason] = reasons.get(reason, 0) + 1
    for reason, count in reasons.items():
        yield Message.of("summary.not_rated", count=count, reason=reason)
