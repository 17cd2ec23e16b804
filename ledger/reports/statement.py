"""A player's statement: every line of the calculation in a period, what did not count, and why.

``explanation`` cuts it out of a calculated period.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias, TypeVar

from ledger.json_form import JsonForm, fields_of
from ledger.lists.rating_list import Basis
from ledger.rating.decimal_text import decimal, exact, points
from ledger.rating.postings import OwnReason, OwnStep, Reason, StepKind


@dataclass(frozen=True, slots=True)
class PersonRef(JsonForm):
    """A player as a report names one; both None for the opponent of a bye."""

    id: str | None
    name: str | None


@dataclass(frozen=True, slots=True)
class PostingLine(JsonForm):
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

    def json_fields(self) -> dict[str, object]:
        """Returns its fields, but for the own rating; a statement lists the capped ones."""
        shown = fields_of(self) | {
            "expected": hundredths(self.expected),
            "merit": hundredths(self.merit),
        }
        del shown["rating"], shown["capped"]
        return shown


@dataclass(frozen=True, slots=True)
class ExcludedLine(JsonForm):
    """One game that was not rated."""

    seq: int
    tournament: str
    round: int
    opponent: PersonRef
    score: Fraction
    reason: Reason | OwnReason
    clause: str

    def json_fields(self) -> dict[str, object]:
        """Returns its fields; of a bye no opponent."""
        opponent = None if self.opponent.id is None else self.opponent
        return fields_of(self) | {"opponent": opponent}


Pairing: TypeAlias = tuple[str, int, str | None]
Game: TypeAlias = tuple[str, int, str | None, int]
Line = TypeVar("Line", PostingLine, ExcludedLine, PostingLine | ExcludedLine)


def pairing_of(line: PostingLine | ExcludedLine) -> Pairing:
    """Returns the tournament, the round and the opponent of a line."""
    return line.tournament, line.round, line.opponent.id


def by_game(lines: Sequence[Line]) -> dict[Game, Line]:
    """Returns lines by their pairings, numbered: a round may have several with one opponent."""
    found: dict[Game, Line] = {}
    times: Counter[Pairing] = Counter()
    for line in lines:
        pairing: Pairing = pairing_of(line)
        found[*pairing, times[pairing]] = line
        times[pairing] += 1
    return found


@dataclass(frozen=True, slots=True)
class BucketLine(JsonForm):
    """One result of a newcomer, in this period or an earlier one; exact."""

    period: str
    tournament: str
    games: int
    halves: int
    opponents_mean: Fraction
    performance: Fraction | None
    reason: Reason | OwnReason
    opponents: tuple[tuple[PersonRef, int, int], ...]

    def json_fields(self) -> dict[str, object]:
        """Returns what its JSON form says."""
        return {
            "tournament": self.tournament,
            "games": self.games,
            "points": points(self.halves),
            "opponents_mean": self.opponents_mean,
            "performance": self.performance,
            "period": self.period,
            "reason": None if self.reason is Reason.NONE else self.reason,
            "opponents": [
                {**person.data(), "rating": rating, "score": points(halves)}
                for person, rating, halves in self.opponents
            ],
        }


@dataclass(frozen=True, slots=True)
class StepLine(JsonForm):
    """What a rule gave or took as a whole, in a tournament or (None) in the period; exact."""

    tournament: str | None
    kind: StepKind | OwnStep
    clause: str
    points: Fraction


@dataclass(frozen=True, slots=True)
class CreditedGame(JsonForm):
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

    def json_fields(self) -> dict[str, object]:
        """Returns what its JSON form says."""
        return {
            **self.line.json_fields(),
            "rating": self.line.rating,
            "capped": self.line.capped,
            "contribution": self.entitled,
            "credited": self.credited,
            "credit": self.points,
        }


@dataclass(frozen=True, slots=True)
class CreditLine(JsonForm):
    """What an earlier list owed: exact points due by now, and given so far.

    ``games`` are those that make the difference, ``steps`` what rules give otherwise than they
    did, ``lifted`` the change of what kept the rating at 1, and ``rounding`` the rest: where every
    event is rounded by itself. Without a period it is about the first rating.
    """

    JSON = "period entitled credited credit games steps lifted rounding"

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


class Ordered(StrEnum):
    """What somebody decided that moves a rating."""

    POINTS = "points"
    LIST_STEP = "list-step"
    K = "k"
    RATED_IN = "rated-in"


@dataclass(frozen=True, slots=True)
class Instruction(JsonForm):
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


@dataclass(frozen=True, slots=True)
class Statement(JsonForm):
    """One player's period, balanced.

    opening (or first rating) + contributions + steps + credits + rounding + adjustment + lifted +
    removed = closing: what an earlier list owed is rounded together with the games of this one. The
    opening includes what was ``ordered`` for the player, and what was
    ``given_back`` because the player had not fallen below the floor; ``lifted`` keeps it at 1,
    ``removed`` is the rating that fell below it, or that the regulation took away
    (``starts_anew``). ``opening`` and ``closing`` are None for a
    player without a rating; ``was_rated`` says that there was one in an earlier period. For
    a newcomer ``bucket`` is what the provisional bucket holds after the period (or held when it
    became a first rating; or what a rating is made of that is calculated anew over the
    ``first_games``), ``not_computable`` the results of the period that never enter it. ``needed``
    are the games that a first rating needs.
    """

    JSON = """
        player list period basis ordered given_back opening closing change change_exact rounding
        credits adjustment lifted removed first_rating k games postings capped steps excluded
        provisional orders
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
    starts_anew: bool = False
    was_rated: bool = False

    @property
    def change(self) -> int | None:
        """Closing minus opening, where both are ratings."""
        if self.opening is None or self.closing is None:
            return None
        return self.closing - self.opening

    @property
    def lines(self) -> Sequence[PostingLine | ExcludedLine]:
        """The games, rated or not, by tournament and round."""
        lines: Sequence[PostingLine | ExcludedLine] = (*self.postings, *self.excluded)
        return sorted(lines, key=lambda line: (line.tournament, line.round))

    @property
    def seqs(self) -> set[int]:
        """The seqs of all games, those included that an earlier list owed."""
        late = (game.line for credit in self.credits for game in credit.games)
        return {line.seq for line in (*self.lines, *late)}

    @property
    def capped(self) -> tuple[int, ...]:
        """The seqs of the games whose difference is greater than the one that counts."""
        return tuple(line.seq for line in self.postings if line.capped)

    @property
    def provisional(self) -> Mapping[str, object] | None:
        """What its JSON form says of a newcomer's bucket."""
        if self.bucket is None:
            return None
        return {
            "games": sum(line.games for line in self.bucket),
            "results": self.bucket,
            "needed": self.needed,
            "first_games": self.first_games,
            "not_computable": self.not_computable,
        }


def hundredths(value: Fraction) -> str:
    """Writes a quantity in hundredths with both decimals; exactly, where it has more."""
    scaled = value * 100
    return decimal(int(scaled), 2) if scaled.denominator == 1 else exact(value)
