"""FIDE 1972: the titles that come of the stages of the world championships.

Source: Chavarría, manual of tournaments and rating, Monterrey 1975, chapter on international
titles, chapter II of FIDE's annex 1 to circular letter 3, 1971/72. Read this module beside it:
``RULES`` has the articles in their order. Chapter III is in ``fide_1972``.

What an event was a stage of is recorded as a flag of the tournament, by the words of ``Stage``; how
many of it went on to the next stage as the flag ``qualifying-6``.

What the text does not say, and what is done here:

* Article 1 A, 2 A, 2 B: champion is who stands first alone when all games have a result. Of a match
  that is drawn the ledger does not know who was champion before: nobody becomes one by it.
* 1 B a, 2 C a: the right to take part comes with a place among those that qualify. Where more share
  the last of these places than it has room for, a play-off decides, and the ledger says so.
  Without the flag that says how many, nobody is said to qualify.
* 1 B b, 2 C b and c: the points possible are a point for each game that is due in an all-play-all,
  and for each game played in any other event (a match that was decided early, a Swiss).
* 2 C: *any other player* is anybody; who qualifies fulfils a) already.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from ledger.rating.decimal_text import exact, points
from ledger.titles.fide_1972 import Failure, Performance, Title, halves_needed
from ledger.wording import Message


class Stage(StrEnum):
    """What an event was, by the word of its flag."""

    WORLD_CHAMPIONSHIP = "world-championship"
    INTERZONAL = "interzonal"
    CANDIDATES = "candidates-quarter-final"
    WOMEN = "womens-world-championship"
    JUNIORS = "world-junior-championship"
    ZONAL = "zonal"


QUALIFYING = "qualifying-"
"""The flag that says how many qualify for the next stage begins so."""
JUNIORS_AT_LEAST = 10


class Claim(StrEnum):
    """What an article asks beside the stage."""

    CHAMPION = "champion"
    QUALIFIED = "qualified"
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class StageRule:
    """An article: who of a stage becomes what; ``percent`` of the points where a score is asked."""

    article: str
    stage: Stage
    title: Title
    claim: Claim
    percent: Fraction | None = None


_GM, _IM = Title.GRANDMASTER, Title.INTERNATIONAL_MASTER

RULES = (
    StageRule("II 1 A", Stage.WORLD_CHAMPIONSHIP, _GM, Claim.CHAMPION),
    StageRule("II 1 B a", Stage.INTERZONAL, _GM, Claim.QUALIFIED),
    StageRule("II 1 B b", Stage.CANDIDATES, _GM, Claim.SCORE, Fraction(40)),
    StageRule("II 2 A", Stage.WOMEN, _IM, Claim.CHAMPION),
    StageRule("II 2 B", Stage.JUNIORS, _IM, Claim.CHAMPION),
    StageRule("II 2 C a", Stage.ZONAL, _IM, Claim.QUALIFIED),
    StageRule("II 2 C b", Stage.ZONAL, _IM, Claim.SCORE, Fraction(200, 3)),
    StageRule("II 2 C c", Stage.INTERZONAL, _IM, Claim.SCORE, Fraction(100, 3)),
)


@dataclass(frozen=True, slots=True)
class StageEvent:
    """An event that was a stage: its participants, games without a result, and who go on."""

    stages: frozenset[Stage]
    participants: int
    unfinished: int
    qualifying: int | None

    @classmethod
    def of(cls, flags: Iterable[str], participants: int, unfinished: int) -> StageEvent:
        """Reads the flags of a tournament.

        >>> StageEvent.of(("interzonal", "qualifying-6"), 24, 0).qualifying
        6
        """
        words = set(flags)
        numbers = [word.removeprefix(QUALIFYING) for word in words if word.startswith(QUALIFYING)]
        qualifying = next((int(each) for each in sorted(numbers) if each.isdecimal()), None)
        return cls(stages_of(words), participants, unfinished, qualifying)


def stages_of(flags: Collection[str]) -> frozenset[Stage]:
    """Returns what an event was a stage of, by the flags of its tournament."""
    return frozenset(stage for stage in Stage if stage in flags)


@dataclass(frozen=True, slots=True)
class StageResult:
    """What an event was for one participant by one article; ``needed`` are half points, if any."""

    rule: StageRule
    needed: int | None
    fails: tuple[Failure, ...]

    @property
    def made(self) -> bool:
        """Whether the title comes of it."""
        return not self.fails


def stage_results(event: StageEvent, done: Performance) -> list[StageResult]:
    """Holds what a participant did against the articles of the event's stages."""
    return [_stage_result(rule, event, done) for rule in RULES if rule.stage in event.stages]


def _stage_result(rule: StageRule, event: StageEvent, done: Performance) -> StageResult:
    if rule.percent is not None:
        needed = halves_needed(rule.percent, done.games)
        return StageResult(rule, needed, tuple(_score(rule.percent, needed, done)))
    fails = [] if not event.unfinished else [_unfinished(event.unfinished)]
    fails += _champion(done) if rule.claim is Claim.CHAMPION else _qualified(event, done)
    if rule.stage is Stage.JUNIORS and event.participants < JUNIORS_AT_LEAST:
        message = Message.of("title.players", players=event.participants, needed=JUNIORS_AT_LEAST)
        fails.append(Failure("players", message))
    return StageResult(rule, None, tuple(fails))


def _unfinished(count: int) -> Failure:
    return Failure("unfinished", Message.of("title.unfinished", count=count))


def _score(percent: Fraction, needed: int, done: Performance) -> Iterable[Failure]:
    """1 B b, 2 C b and c: at least the share of the points that were possible."""
    if done.unfinished:
        yield _unfinished(done.unfinished)
    if not done.games:
        yield Failure("score", Message.of("title.no_games"))
    elif done.halves < needed:
        said = {"made": points(done.halves), "needed": points(needed), "percent": exact(percent)}
        yield Failure("score", Message.of("title.share", **said))


def _champion(done: Performance) -> list[Failure]:
    """1 A, 2 A, 2 B: the first place alone."""
    if done.place is None or done.place.above:
        return [Failure("champion", Message.of("title.champion"))]
    if done.place.sharing > 1:
        sharing = done.place.sharing
        return [Failure("shared", Message.of("title.champion_shared", sharing=sharing))]
    return []


def _qualified(event: StageEvent, done: Performance) -> list[Failure]:
    """1 B a, 2 C a: a place among those that give the right to the next stage."""
    if event.qualifying is None:
        return [Failure("qualifying-unknown", Message.of("title.qualifying_unknown"))]
    places, place = event.qualifying, done.place
    if place is None or place.above >= places:
        return [Failure("qualified", Message.of("title.qualified", places=places))]
    if place.above + place.sharing > places:
        said = {"sharing": place.sharing, "places": places - place.above}
        return [Failure("shared", Message.of("title.qualified_shared", **said))]
    return []
