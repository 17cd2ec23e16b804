"""What a player must score: games to come, tried on a list."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import Final, NamedTuple

import numpy as np

from ledger.answers.tournaments import listed_tournament, require_tournament
from ledger.calendar import Period
from ledger.errors import InputRefused, NotFound
from ledger.events.model import Dated
from ledger.events.players import PlayerRegistered, RatingSeeded
from ledger.events.tournaments import ResultRecorded, TournamentOpened
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Acceptance, Facts
from ledger.facts.tables import RATES
from ledger.facts.tournament import TournamentRecord
from ledger.identifiers import PlayerId, Seq, TournamentId
from ledger.lists.publications import calculated, editions_in_order
from ledger.replay.timeline import Timeline
from ledger.reports.forecast import NOTHING_WANTED, RatingForecast, Wanted, rating_forecast
from ledger.terms import Rate, System
from ledger.views.view import LedgerView

MOST_GAMES: Final = 40
"""So many games to come are tried at once."""
_OFFERED: Final = 30  # tournaments among which the player's are looked for, the newest
_NO_DOCUMENT: Final = "0" * 64
_DRAWN: Final = "1/2-1/2"


class _Game(NamedTuple):
    """A game to come, White's id first.

    ``earlier`` is the seq of what is recorded of one that was adjourned.
    """

    round: int
    players: tuple[str, str]
    earlier: Seq | None = None


@dataclass(frozen=True, slots=True)
class _Event:
    """Where games to come are played: recorded, or (``opened``) one that is made up."""

    id: TournamentId
    on: dt.date
    period: Period
    games: tuple[_Game, ...] = ()
    rounds: int = 0
    opened: TournamentOpened | None = None


def forecast_of(
    view: LedgerView,
    player: str,
    name: str,
    opponents: Sequence[str] = (),
    ratings: Sequence[int] = (),
    *,
    tournament: str | None = None,
    wanted: Wanted = NOTHING_WANTED,
) -> RatingForecast:
    """Returns what games to come would do to a player's rating in a list.

    Without a tournament they are those of a Swiss on the last day of the period after the list that
    was published last.

    Args:
        view: what is recorded.
        player: the id of who plays them.
        name: the list.
        opponents: their ids; who is met twice stands there twice.
        ratings: opponents of whom only a rating is told.
        tournament: where they are played: whom the player has yet to meet there is added.
        wanted: what is to be reached.

    Raises:
        NotFound: no such player, list, tournament or opponent, or the player is not entered.
        InputRefused: nobody is to be met, or too many are.
    """
    if wanted.rating is not None and wanted.change is not None:
        raise InputRefused("forecast.wanted_twice", rating=wanted.rating, change=wanted.change)
    if (count_ := len(opponents) + len(ratings)) > MOST_GAMES:
        raise InputRefused("forecast.too_many", count=count_, most=MOST_GAMES)
    facts = view.facts_of(name)
    stays = facts.player_ids[AsOf(facts, facts.seq).counts_as(view.player_index(facts, player))]
    event = _made_up(facts, name) if tournament is None else _event(view, name, tournament, stays)
    free = (f"{number}" for number in count(1) if f"{number}" not in facts.player_index)
    strangers = list(islice(free, len(ratings)))
    others = [*_opponents(view, facts, stays, opponents), *strangers]
    added = [
        _Game(event.rounds + number, (stays, each)) for number, each in enumerate(others, start=1)
    ]
    games = [*event.games, *added]
    if not games:
        raise InputRefused("forecast.nobody")
    rated = list(zip(strangers, ratings, strict=True))
    recorded, tried = view.tried(_events(event, name, rated, games))
    outcome = calculated(tried, name, tried.seq, event.period)
    index = outcome.timeline.known.counts_as(recorded.player_index[stays])
    return rating_forecast(outcome, index, recorded, view.people(recorded), wanted)


class TournamentToCome(NamedTuple):
    """A tournament in which somebody is entered, and that the next list or a later one rates."""

    id: TournamentId
    name: str


def tournaments_to_come(view: LedgerView, player: str, name: str) -> list[TournamentToCome]:
    """Returns the tournaments that a forecast may be asked for, the last first.

    Raises ``NotFound`` for no such player or list.
    """
    facts = view.facts_of(name)
    known = AsOf(facts, facts.seq)
    wanted = known.list(name).defined.rate_of_play
    since = _next_period(facts, name).rates_from_on.toordinal()
    columns = known.tournaments
    open_ = (columns.ends_on >= since) & (columns.acceptance == Acceptance.ACCEPTED)
    if wanted is not None:
        open_ &= columns.rate == RATES.index(wanted)
    stays = facts.player_ids[known.counts_as(view.player_index(facts, player))]
    found = [facts.tournament_ids[index] for index in np.flatnonzero(open_)[-_OFFERED:].tolist()]
    records = [require_tournament(view, each, facts.seq) for each in found]
    return [
        TournamentToCome(each.version.tournament, each.version.name)
        for each in reversed(records)
        if stays in each.entries and not each.closed
    ]


def _opponents(
    view: LedgerView, facts: Facts, player: str, ids: Sequence[str]
) -> Iterator[PlayerId]:
    """Yields the ids that stay of opponents."""
    known = AsOf(facts, facts.seq)
    for id_ in ids:
        found = facts.player_ids[known.counts_as(view.player_index(facts, id_))]
        if found == player:
            raise InputRefused("forecast.oneself", player=id_)
        yield found


def _made_up(facts: Facts, name: str) -> _Event:
    """Returns a Swiss on the last day of the period after the list that was published last."""
    timeline, period = Timeline.at_head(facts, name), _next_period(facts, name)
    id_ = next(TournamentId(f"{n}") for n in count(1) if f"{n}" not in facts.tournament_index)
    on = period.closes_on
    rate = timeline.list.defined.rate_of_play or timeline.regulation(period).RATE or Rate.CLASSICAL
    opened = TournamentOpened(
        tournament=id_, name=id_, starts_on=on, ends_on=on, rate_of_play=rate, system=System.SWISS
    )
    return _Event(id_, on, period, opened=opened)


def _next_period(facts: Facts, name: str) -> Period:
    """Returns the period after the list that was published last; without one the last known."""
    timeline = Timeline.at_head(facts, name)
    editions = editions_in_order(facts, name)
    return timeline.period_at(editions[-1][0].index + 1) if editions else timeline.last_period


def _event(view: LedgerView, name: str, tournament: str, player: str) -> _Event:
    """Returns a tournament that is recorded, with whom a player has yet to meet there."""
    record = require_tournament(view, tournament, view.facts().seq)
    if player not in record.entries:
        raise NotFound("forecast.not_entered", player=player, tournament=tournament)
    listed = listed_tournament(view, tournament, name)
    rate = listed.timeline.list.defined.rate_of_play
    if rate not in (None, record.version.rate_of_play):
        raise InputRefused("forecast.other_rate", tournament=tournament, list=name, rate=rate)
    games = tuple(_to_come(record, player))
    rounds = max([record.known_rounds, *(game.round for game in games)])
    return _Event(record.version.tournament, record.version.ends_on, listed.period, games, rounds)


def _to_come(record: TournamentRecord, player: str) -> Iterator[_Game]:
    """Yields the games of a player that have no result yet, in an all-play-all all that are due."""
    faced = {player}
    for round_ in range(1, record.known_rounds + 1):
        pairing = record.pairings.get((round_, player))
        published = record.desk.rounds.get(round_)
        board = published.board_of(player) if published is not None else None
        if pairing is not None and pairing.black is not None:
            faced |= {*pairing.players}
            if pairing.result is None:
                yield _Game(round_, (pairing.white, pairing.black), pairing.seq)
        elif pairing is None and board is not None:
            faced |= {*board}
            yield _Game(round_, board)
    if record.version.system is System.ROUND_ROBIN and record.left_from(player) is None:
        due = [
            one for one, _ in record.by_number if one not in faced and record.left_from(one) is None
        ]
        for number, other in enumerate(due, start=record.known_rounds + 1):
            yield _Game(number, (player, other))


def _events(
    event: _Event, name: str, strangers: Sequence[tuple[str, int]], games: Sequence[_Game]
) -> Iterator[Dated]:
    """Yields what would be recorded if the games were played, and drawn."""
    for id_, rating in strangers:
        player = PlayerId(id_)
        starts_on = event.period.starts_on
        yield Dated(starts_on, PlayerRegistered(player=player, identity=_NO_DOCUMENT))
        yield Dated(starts_on, RatingSeeded(player=player, list=name, rating=rating))
    if event.opened is not None:
        yield Dated(event.on, event.opened)
    for game in games:
        white, black = map(PlayerId, game.players)
        result = ResultRecorded(
            tournament=event.id, round=game.round, white=white, black=black, result=_DRAWN,
            supersedes=game.earlier,
        )  # fmt: skip
        yield Dated(event.on, result)
