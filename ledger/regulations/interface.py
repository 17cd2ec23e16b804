"""What a regulation offers to the replay, and how its parameters are read and digested."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from ledger.errors import InputRefused, Problem
from ledger.events.players import MOST_GAMES
from ledger.facts.columns import Column, Mask
from ledger.rating.dated_figures import NO_LIMIT, DatedFigure
from ledger.rating.expectation import Expectation
from ledger.rating.first_ratings import Buckets
from ledger.rating.player_state import NO_K, UNRATED, Particulars, PlayerStates
from ledger.rating.postings import Calculation, NewcomerResult, Reason, Sides, StepKind
from ledger.rating.rounding import column_half_away_from_zero
from ledger.terms import Rate
from ledger.wording import Message

__all__ = ["NO_K", "Clause", "Contradiction", "Parameters", "Regulation", "read_parameters"]

_SHOWN = 60  # characters of a value that is refused


class Contradiction(ValueError):
    """Parameters that do not go together; raised by the validators of a model, with a sentence."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


class Parameters(BaseModel):
    """The figures a federation may set when it adopts the regulation; each names its clause.

    A field's ``description`` is the clause; ``json_schema_extra={"unit": …}`` may say the unit.
    ``ADDED_LATER`` names those that a released regulation got afterwards. Their defaults decide
    nothing that was not so before, hence they enter the digest only where they were set.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    ADDED_LATER: ClassVar[frozenset[str]] = frozenset()

    def tables_read(self) -> dict[str, str]:
        """Returns the digests of further tables that these parameters make the regulation read."""
        return {}

    def decisive(self) -> dict[str, object]:
        """Returns every parameter that the digest covers."""
        fields = type(self).model_fields
        return {
            name: value
            for name, value in self.model_dump().items()
            if name not in self.ADDED_LATER or value != fields[name].default
        }


@dataclass(frozen=True, slots=True)
class Clause:
    """One article of the text and where it is implemented (or why it is not)."""

    article: str
    says: str
    where: str


@dataclass(frozen=True, slots=True)
class Past:
    """What may lie behind a rating that is brought in: so many rated games, and so high a peak.

    Without figures it is that of an established player: more games than any rule calls few.
    """

    games: int = MOST_GAMES
    peak: int = UNRATED


class Regulation(ABC):
    """A rating system as adopted: its rules with the parameters of the adoption.

    A released regulation never changes its behaviour; a repaired rule is a new one, with a new id.

    The games a regulation is asked to calculate are simultaneous: those of a period, or, where
    ``EVENT_BY_EVENT``, those of one tournament after the other (by its last day). The sides carry
    the ratings they are to be rated with: those at the start of the period, or of the list in force
    when the tournament started (``RATINGS_OF``); event by event, those after the event before.

    ``RATE`` is the only rate of play it rates, if there is one. ``DATED`` lists the figures that
    the text itself changed from a day on, ``WORKED_EXAMPLE`` is one of the source's own, in
    Markdown; both are for readers and decide nothing. ``BEFORE`` names the regulation whose text
    was in force before a day: a list that begins earlier is told so, and is rated nevertheless.
    """

    ID: ClassVar[str]
    TITLE: ClassVar[str]
    SOURCE: ClassVar[str]
    COVERAGE: ClassVar[tuple[Clause, ...]]
    TABLES: ClassVar[tuple[str, ...]]
    TABLES_IN: ClassVar[str] = "ledger.regulations"
    PARAMETERS: ClassVar[type[Parameters]]
    DATED: ClassVar[tuple[DatedFigure, ...]] = ()
    WORKED_EXAMPLE: ClassVar[str] = ""
    RATE: ClassVar[Rate | None] = None
    EVENT_BY_EVENT: ClassVar[bool] = False
    RATINGS_OF: ClassVar[Literal["period", "tournament"]] = "period"
    BEFORE: ClassVar[tuple[dt.date, str] | None] = None

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters

    @classmethod
    def table_sha256(cls, name: str) -> str:
        """Returns the digest of one of its tables."""
        data = resources.files(cls.TABLES_IN).joinpath("tables", name).read_bytes()
        return hashlib.sha256(data).hexdigest()

    def digest(self) -> str:
        """Returns the SHA-256 of what decides a result: id, every parameter, every table."""
        read = {name: self.table_sha256(name) for name in self.TABLES}
        read |= self.parameters.tables_read()
        content = {"id": self.ID, "parameters": self.parameters.decisive(), "tables": read}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @abstractmethod
    def k(self, standing: PlayerStates, particulars: Particulars) -> Column:
        """Returns everybody's K by where he stands on a day."""

    def pasts(self) -> Sequence[Past]:
        """What may lie behind a rating that is brought in, as far as K depends on it.

        The likeliest comes first. From a K that was published with the rating follows the first
        past under which ``k`` gives that K, and from any other K nothing.
        """
        return (Past(),)

    @abstractmethod
    def calculate(
        self, sides: Sides, standing: PlayerStates, particulars: Particulars, k: Column
    ) -> Calculation:
        """Rates simultaneous games.

        Every side ends up in the result: posted, excluded, or part of a newcomer's result.

        Args:
            sides: the games, from both sides, with the ratings to be used.
            standing: where everybody stands before them.
            particulars: what else is known of the players at the start of the period.
            k: everybody's K before them, who plays in them; that of others is not told.
        """

    @abstractmethod
    def first_rating(self, results: Sequence[NewcomerResult], on: dt.date) -> int | None:
        """Returns the first rating that computable results give, or None while they do not.

        ``on`` is the day from which the list with it would be in force.
        """

    @abstractmethod
    def games_for_first_rating(self, on: dt.date) -> int:
        """How many games a provisional bucket needs for a list in force from the day."""

    @abstractmethod
    def clause_of(self, reason: Reason) -> str:
        """Names the article that excludes a game for the reason, or ``ledger`` where none does."""

    def clause_of_step(self, kind: StepKind) -> str:
        """Names the article behind a step; only for the kinds the regulation takes."""
        raise AssertionError(f"{self.ID} takes no step of the kind {kind.code}")

    def change(self, units: Column, scale: int) -> Column:
        """Rounds exact changes to whole points, once; ``scale`` units are a point."""
        return column_half_away_from_zero(units, scale)

    def first_ratings(self, buckets: Buckets, on: dt.date) -> tuple[Mask, Column]:
        """Returns who of those with a bucket gets a first rating, and which; see ``first_rating``.

        Both columns have a row for each player of the buckets, in their order.
        """
        found = [
            self.first_rating([result for _, result in bucket], on) for _, bucket in buckets.items()
        ]
        reached = np.array([rating is not None for rating in found], dtype=np.bool_)
        return reached, np.array([rating or 0 for rating in found], dtype=np.int64)

    @property
    def first_games(self) -> int:
        """Over how many games a first rating is calculated anew; 0: it is calculated once.

        Until then the results stay in the bucket of a player who has a rating. ``calculate`` gives
        his games as a newcomer's result, and what they move as a step.
        """
        return 0

    def results_since(self, on: dt.date) -> dt.date:
        """From which day an event must have ended to count for a list in force from a day."""
        del on
        return dt.date.min

    @property
    def plain(self) -> PlainGames | None:
        """How games between two rated players are rated one by one; None: they are not.

        What is plain is summed game by game at great speed, the same as ``calculate`` would.
        """
        return None

    def limited(self, k: Column, games: Column, on: dt.date) -> Column:
        """Returns players' K by how many games of the period count; as it is, without a limit."""
        del games, on
        return k

    def floor(self, on: dt.date) -> int:
        """The lowest rating a list in force from the day shows; below it a player is unrated."""
        del on
        return 1

    def active(self, standing: PlayerStates, on: dt.date) -> Mask:
        """Who is active in the list in force from the day; everybody where the rules are silent."""
        del on
        return np.ones(len(standing.rating), dtype=np.bool_)

    @property
    def enters_from(self) -> str | None:
        """The list whose rating a player brings who has none here; None: no list's."""
        return None

    @property
    def report_within_lists(self) -> int | None:
        """By which list after its end a tournament must be known to be rated; None: no limit."""
        return None


class InColumns(Regulation):
    """A regulation whose rule for first ratings is written for many players at once.

    It is never asked about no buckets at all.
    """

    @abstractmethod
    def first_ratings(self, buckets: Buckets, on: dt.date) -> tuple[Mask, Column]:
        """Returns who of those with a bucket gets a first rating, and which."""

    def first_rating(self, results: Sequence[NewcomerResult], on: dt.date) -> int | None:
        """Returns what the rule gives one player."""
        bucket = tuple((0, result) for result in results)
        reached, ratings = self.first_ratings(Buckets.of({0: bucket}), on)
        return int(ratings[0]) if reached[0] else None


class Events(Protocol):
    """What decides how much a tournament's games count: columns by side or by tournament."""

    @property
    def merit(self) -> Column:
        """Hundredths (``NO_MERIT``: none is given)."""

    @property
    def rate(self) -> Column:
        """The position in ``known.RATES``."""


@dataclass(frozen=True, slots=True)
class Differences:
    """How differences count, in points: for each of some tournaments, or the same for all.

    More than ``cap`` counts as that for whoever has less than ``capped_below``. Games with more
    than ``apart_beyond`` are not plain: another rule may look at them, and they are calculated side
    by side.
    """

    cap: Column | int = NO_LIMIT
    capped_below: Column | int = NO_LIMIT
    apart_beyond: Column | int = NO_LIMIT


class PlainGames(Protocol):
    """The rule for games between two rated players that concerns nobody else.

    ``contribution = K * CM * (W - P(D))`` for each of the two. ``calculate`` must come to the same
    for such games, and of no games at all it makes the same in every period of a year.
    """

    @property
    def expectation(self) -> Expectation:
        """The model that turns D into an expected score."""

    def merits(self, of: Events) -> Column:
        """Returns CM in hundredths; ``NO_MERIT`` where the games are not rated like that."""

    def differences(self, starts_on: Column) -> Differences:
        """Returns how D counts in tournaments that started on the days (ordinals)."""


def read_parameters(model: type[Parameters], given: Mapping[str, int | str]) -> Parameters:
    """Reads parameters as typed or recorded.

    Raises:
        InputRefused: an unknown name, a value that does not fit or values that contradict each
            other, each quoted with what is allowed and the clause.
    """
    try:
        return model.model_validate_strings({name: str(value) for name, value in given.items()})
    except ValidationError as error:
        problems = [_problem(model, found) for found in error.errors()]
    first, *others = problems
    raise InputRefused(first.key, *map(Problem, others), **dict(first.values))


def _problem(model: type[Parameters], found: ErrorDetails) -> Message:
    """Says what is wrong with one parameter, or with several together."""
    if not found["loc"]:
        return Message.of("regulation.contradiction", why=_why(found))
    name = str(found["loc"][0])
    if found["type"] == "extra_forbidden":
        known = ", ".join(model.model_fields) or "-"
        return Message.of("regulation.unknown_parameter", name=name[:_SHOWN], known=known)
    clause = model.model_fields[name].description or ""
    if found["type"] == "missing":
        return Message.of("regulation.missing_parameter", name=name, clause=clause)
    own_rule = "error" in found.get("ctx", {})
    return Message.of(
        "regulation.bad_parameter",
        name=name,
        value=str(found["input"])[:_SHOWN],
        clause=clause,
        why=_why(found) if own_rule else _allowed(model.model_json_schema()["properties"][name]),
    )


def _why(found: ErrorDetails) -> Message | str:
    """What a rule of the regulation says itself."""
    error = found.get("ctx", {}).get("error", found["msg"])
    return error.message if isinstance(error, Contradiction) else str(error)


def _allowed(schema: Mapping[str, Any]) -> Message:
    """Says which values a parameter may have, by its JSON schema."""
    kinds = [each for each in schema.get("anyOf", [schema]) if each.get("type") != "null"]
    match kinds[0]:
        case {"enum": words}:
            return Message.of("regulation.allowed_words", words=", ".join(map(str, words)))
        case {"const": word}:
            return Message.of("regulation.allowed_words", words=str(word))
        case {"type": "boolean"}:
            return Message.of("regulation.allowed_words", words="true, false")
        case {"type": "integer", "minimum": least, "maximum": most}:
            return Message.of("regulation.allowed_numbers", least=least, most=most)
        case {"type": "string", "maxLength": most}:
            return Message.of("regulation.allowed_text", most=most)
        case {"pattern": pattern}:
            return Message.of("regulation.allowed_pattern", pattern=str(pattern))
        case _:
            return Message.of("regulation.allowed_elsewhere")
