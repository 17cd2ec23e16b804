"""A player's statement: every line of the calculation in a period, what did not count, and why.

``explanation`` cuts it out of a calculated period.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Final, NamedTuple, Self, TypeAlias, TypeVar

from ledger.identifiers import PlayerId, PlayerIndex, Seq, TournamentId
from ledger.json_form import (
    EXACT,
    HALVES,
    HIDDEN,
    PARTS,
    After,
    Form,
    JsonForm,
    Key,
    derived,
    form_of,
)
from ledger.lists.people import People
from ledger.lists.rating_list import Basis
from ledger.rating.decimal_text import decimal, exact
from ledger.rating.postings import OwnReason, OwnStep, Reason, StepKind
from ledger.regulations.registry import regulations


@dataclass(frozen=True, slots=True)
class PersonRef(JsonForm):
    """A player as a report names one; both None for the opponent of a bye."""

    id: PlayerId | None
    name: str | None

    @classmethod
    def of(cls, people: People, player: PlayerIndex) -> Self:
        """Returns a player by index."""
        return cls(people.id(player), people.name(player))

    @property
    def surname(self) -> str:
        """What stands before the comma of the name; the id, where there is no name."""
        return (self.name or self.id or "").partition(",")[0]


def hundredths(value: Fraction) -> str:
    """Writes a quantity in hundredths with both decimals; exactly, where it has more."""
    scaled = value * 100
    return decimal(int(scaled), 2) if scaled.denominator == 1 else exact(value)


HUNDREDTHS: Final = Form(EXACT.schema, lambda value, _: hundredths(value))
REASON: Final = Form(
    form_of(str | None).schema, lambda reason, _: None if reason is Reason.NONE else reason.code
)
"""A reason for which something does not count; None where it counts."""
UNLESS_BYE: Final = Form(
    form_of(PersonRef | None).schema,
    lambda person, _: None if person.id is None else person.data(),
    (PersonRef,),
)
"""Who was met; None of a bye."""


@dataclass(frozen=True, slots=True)
class PostingLine(JsonForm):
    """One rated game; ``rating`` is the player's own in it.

    Exact quantities are fractions; ``expected`` and ``merit`` in hundredths. ``capped`` says that
    the real difference is greater than the one that counts; a statement lists the seqs of these.
    """

    seq: Seq
    tournament: TournamentId
    round: int
    rating: Annotated[int, HIDDEN]
    opponent: PersonRef
    opponent_rating: int
    difference: int
    capped: Annotated[bool, HIDDEN]
    expected: Annotated[Fraction, HUNDREDTHS]
    score: Fraction
    k: int
    merit: Annotated[Fraction, HUNDREDTHS]
    contribution: Fraction


@dataclass(frozen=True, slots=True)
class ExcludedLine(JsonForm):
    """One game that was not rated."""

    seq: Seq
    tournament: TournamentId
    round: int
    opponent: Annotated[PersonRef, UNLESS_BYE]
    score: Fraction
    reason: Annotated[Reason | OwnReason, REASON]
    clause: str


Pairing: TypeAlias = tuple[TournamentId, int, PlayerId | None]
Game: TypeAlias = tuple[TournamentId, int, PlayerId | None, int]
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


class BucketOpponent(NamedTuple):
    """An opponent in a newcomer's result, with the rating and the score against them."""

    person: Annotated[PersonRef, PARTS]
    rating: int
    halves: Annotated[int, Key("score"), HALVES]


def place_in_statement(line: PostingLine | ExcludedLine) -> tuple[str, int, Seq]:
    """Returns what the games of a statement are sorted by: tournament, round and seq."""
    return line.tournament, line.round, line.seq


@dataclass(frozen=True, slots=True)
class BucketLine(JsonForm):
    """One result of a newcomer, in this period or an earlier one; exact."""

    tournament: TournamentId
    games: int
    halves: Annotated[int, Key("points"), HALVES]
    opponents_mean: Fraction
    performance: Fraction | None
    period: str
    reason: Annotated[Reason | OwnReason, REASON]
    opponents: tuple[BucketOpponent, ...]


@dataclass(frozen=True, slots=True)
class StepLine(JsonForm):
    """What a rule gave or took as a whole, in a tournament or (None) in the period; exact."""

    tournament: TournamentId | None
    kind: StepKind | OwnStep
    clause: str
    points: Fraction


@dataclass(frozen=True, slots=True)
class CreditedGame(JsonForm):
    """One game of a closed period: as it counts by now, and as the lists counted it so far.

    Either is None where the game does not count: a game that became known late was not counted
    before, one that was annulled is not counted now.
    """

    now: Annotated[PostingLine | None, HIDDEN]
    before: Annotated[PostingLine | None, HIDDEN]

    @property
    @derived
    def line(self) -> Annotated[PostingLine, PARTS]:
        """The game, as it counts by now where it does."""
        line = self.now or self.before
        assert line is not None, "it counts or it did"
        return line

    @property
    @derived
    def rating(self) -> int:
        """The player's own in it."""
        return self.line.rating

    @property
    @derived
    def capped(self) -> bool:
        """Whether the real difference is greater than the one that counts."""
        return self.line.capped

    @property
    @derived
    def entitled(self) -> Annotated[Fraction, Key("contribution")]:
        """What it is worth."""
        return self.now.contribution if self.now else Fraction(0)

    @property
    @derived
    def credited(self) -> Fraction:
        """What the lists have given for it."""
        return self.before.contribution if self.before else Fraction(0)

    @property
    @derived
    def points(self) -> Annotated[Fraction, Key("credit")]:
        """What it adds to the next list."""
        return self.entitled - self.credited


@dataclass(frozen=True, slots=True)
class CreditLine(JsonForm):
    """What an earlier list owed: exact points due by now, and given so far.

    ``games`` are those that make the difference, ``steps`` what rules give otherwise than they
    did, ``lifted`` the change of what kept the rating at 1, and ``rounding`` the rest: where every
    event is rounded by itself. Without a period it is about the first rating.
    """

    period: str | None
    entitled: Fraction
    credited: Fraction
    games: tuple[CreditedGame, ...] = ()
    steps: tuple[StepLine, ...] = ()
    lifted: int = 0

    @property
    @derived
    def credit(self) -> Annotated[Fraction, After("credited")]:
        """What enters the list."""
        return self.entitled - self.credited

    @property
    @derived
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
    seq: Seq
    value: int | str
    tournament: TournamentId | None = None
    actor: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ProvisionalBucket(JsonForm):
    """A newcomer's bucket; see ``Statement``."""

    games: int
    results: tuple[BucketLine, ...]
    needed: int
    first_games: int
    not_computable: tuple[BucketLine, ...]


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
    bucket: Annotated[tuple[BucketLine, ...] | None, HIDDEN]
    not_computable: Annotated[tuple[BucketLine, ...], HIDDEN]
    needed: Annotated[int, HIDDEN]
    first_games: Annotated[int, HIDDEN]
    orders: tuple[Instruction, ...] = ()
    starts_anew: Annotated[bool, HIDDEN] = False
    was_rated: Annotated[bool, HIDDEN] = False

    @property
    @derived
    def change(self) -> Annotated[int | None, After("closing")]:
        """Closing minus opening, where both are ratings."""
        if self.opening is None or self.closing is None:
            return None
        return self.closing - self.opening

    @property
    def lines(self) -> Sequence[PostingLine | ExcludedLine]:
        """The games, rated or not, by tournament and round."""
        lines: Sequence[PostingLine | ExcludedLine] = (*self.postings, *self.excluded)
        return sorted(lines, key=place_in_statement)

    @property
    def tournaments(self) -> set[TournamentId]:
        """The tournaments that it names."""
        late = [game.line for credit in self.credits for game in credit.games]
        steps = [*self.steps, *(step for credit in self.credits for step in credit.steps)]
        results = [*(self.bucket or ()), *self.not_computable]
        lines = [*self.lines, *late, *steps, *results]
        return {line.tournament for line in lines if line.tournament is not None}

    @property
    def seqs(self) -> set[Seq]:
        """The seqs of all games, those included that an earlier list owed."""
        late = (game.line for credit in self.credits for game in credit.games)
        return {line.seq for line in (*self.lines, *late)}

    @property
    def shows_merit(self) -> bool:
        """Whether merit is shown: the regulation has a coefficient, or a game another than 1."""
        regulation = regulations().get(self.basis.regulation)
        late = (game.line for credit in self.credits for game in credit.games)
        return (regulation is not None and regulation.has_merit_coefficient()) or any(
            line.merit != 1 for line in (*self.postings, *late)
        )

    @property
    @derived
    def capped(self) -> Annotated[tuple[int, ...], After("postings")]:
        """The seqs of the games whose difference is greater than the one that counts."""
        return tuple(line.seq for line in self.postings if line.capped)

    @property
    @derived
    def provisional(self) -> Annotated[ProvisionalBucket | None, After("excluded")]:
        """A newcomer's bucket, as its JSON form says it."""
        if self.bucket is None:
            return None
        games = sum(line.games for line in self.bucket)
        about = self.needed, self.first_games
        return ProvisionalBucket(games, self.bucket, *about, self.not_computable)
