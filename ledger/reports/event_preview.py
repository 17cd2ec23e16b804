"""An event while it goes on: what each player has gained so far, and which norm is still possible.

A preview: games to come decide. What was gained is what the replay of the list's period posted for
the event: the games, and what rules gave or took in it as a whole. Games that have no final result,
and those adjudicated for the pairing only, are not rated yet. Norms are those of
``titles/norm_chance``, for titles that the player does not hold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Annotated, Final

import numpy as np

from ledger.facts.columns import Column
from ledger.identifiers import Seq, TournamentId, TournamentIndex
from ledger.json_form import HALVES, PARTS, After, Form, JsonForm, Key, derived, form_of
from ledger.lists.people import People
from ledger.lists.rating_source import RatingState
from ledger.rating.player_state import UNRATED
from ledger.rating.postings import Calculation
from ledger.rating.rounding import half_up
from ledger.replay.period_outcome import PeriodOutcome
from ledger.reports.title_event import TitleEvent
from ledger.titles.fide_1972 import Failure, Title
from ledger.titles.norm_chance import NormChance

WHOLE_POINTS: Final = Form(form_of(int).schema, lambda value, _: half_up(value))


@dataclass(frozen=True, slots=True)
class EventGain(JsonForm):
    """What a player has gained so far, exactly; ``rounds`` are the sums after each rated game.

    ``steps`` is the part that no single game gave. Of a newcomer ``performance`` is what the
    results are worth as they are; the gain is 0.
    """

    games: Annotated[int, Key("rated_games")]
    rounds: Annotated[Mapping[int, Fraction], Key("after_rounds")]
    steps: Fraction
    performance: Annotated[Fraction | None, WHOLE_POINTS]

    @property
    @derived
    def points(self) -> Annotated[Fraction, Key("gain"), After("rated_games")]:
        """All of it."""
        return (list(self.rounds.values()) or [Fraction(0)])[-1] + self.steps


@dataclass(frozen=True, slots=True)
class PreviewRow(JsonForm):
    """One participant; ``halves`` without points for the pairing only, ``rating`` None for none."""

    number: int
    id: str
    name: str
    rating: int | None
    halves: Annotated[int, Key("points"), HALVES]
    gain: Annotated[EventGain, PARTS]
    norms: tuple[NormChance, ...]


@dataclass(frozen=True, slots=True)
class EventPreview(JsonForm):
    """An event as it stands, by starting number; ``period`` of the list would rate it."""

    tournament: TournamentId
    name: str
    list: str
    period: str
    seq: Seq
    round: int
    rounds: int
    rows: Annotated[tuple[PreviewRow, ...], Key("players")]
    state: RatingState

    @property
    @derived
    def preview(self) -> Annotated[bool, After("")]:
        """That it is one."""
        return True

    def ruled_out(self, title: Title) -> Sequence[Failure]:
        """Returns what rules a title out for everybody who does not hold it."""
        fails = [norm.fails for row in self.rows for norm in row.norms if norm.title is title]
        first = fails[0] if fails else ()
        return [fail for fail in first if all(fail in others for others in fails)]


def event_preview(
    event: TitleEvent,
    outcome: PeriodOutcome,
    tournament: TournamentIndex,
    people: People,
    *,
    seq: Seq,
    state: RatingState,
) -> EventPreview:
    """Makes the preview.

    ``event`` is the tournament, and who holds which title. ``outcome`` is the period of the list
    that would rate it, as known at ``seq``, ``state`` that of its ratings.
    """
    about = event.record.version
    indexes = {player: event.index(player) for player in event.record.entries}
    people.read(indexes.values())
    gains = event_gains(outcome.calculation, tournament)
    ratings = _ratings(outcome, list(indexes.values()))
    rows = tuple(
        PreviewRow(
            number=number,
            id=people.id(indexes[player]) or "",
            name=people.name(indexes[player]) or "",
            rating=ratings[indexes[player]],
            halves=event.points(player),
            gain=gains.get(indexes[player], _NOTHING),
            norms=tuple(_norms(event, player)),
        )
        for player, number in event.record.by_number
    )
    return EventPreview(
        tournament=about.tournament,
        name=about.name,
        list=outcome.timeline.name,
        period=outcome.period.name,
        seq=seq,
        round=event.last_round,
        rounds=max(about.rounds or 0, event.last_round),
        rows=rows,
        state=state,
    )


def _norms(event: TitleEvent, player: str) -> Iterator[NormChance]:
    """Yields the titles that a player does not hold; the higher one has the lower in it."""
    held = event.participant(player).titles
    for title in Title:
        if title in held:
            return
        yield event.chance(player, title)


def _ratings(outcome: PeriodOutcome, players: Sequence[int]) -> dict[int, int | None]:
    """Returns ratings at the start of the period, by index."""
    opening: Column = outcome.opening.rating
    return {p: None if opening[p] == UNRATED else int(opening[p]) for p in players}


_NOTHING = EventGain(0, {}, Fraction(0), None)


def event_gains(made: Calculation, tournament: TournamentIndex) -> dict[int, EventGain]:
    """Returns what each player gains in a tournament by a period as calculated, by index."""
    mine = made.postings.rows(made.postings.tournament == tournament)
    mine = mine.rows(np.lexsort((mine.game, mine.round)))
    games: Mapping[int, list[tuple[int, int]]] = defaultdict(list)
    steps: Mapping[int, list[int]] = defaultdict(list)
    columns = (mine.player, mine.round, mine.contribution)
    for player, round_, units in zip(*(each.tolist() for each in columns), strict=True):
        games[player].append((round_, units))
    for step in made.steps:
        if step.tournament == tournament:
            steps[step.player].append(step.units)
    worth = {r.player: r.performance for r in made.newcomers if r.tournament == tournament}
    return {
        player: EventGain(
            games=len(games[player]),
            rounds=dict(_sums(games[player], made.units)),
            steps=Fraction(sum(steps[player]), made.units),
            performance=worth.get(player),
        )
        for player in sorted({*games, *steps, *worth})
    }


def _sums(games: Sequence[tuple[int, int]], units: int) -> Iterator[tuple[int, Fraction]]:
    """Yields what all games up to a round come to, for each round with games."""
    sums = accumulate(contribution for _, contribution in games)
    after = dict(zip((round_ for round_, _ in games), sums, strict=True))
    yield from ((round_, Fraction(so_far, units)) for round_, so_far in after.items())
