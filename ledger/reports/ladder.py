"""A ladder as a club shows it: the places, the running challenges, how places were exchanged."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from ledger.facts.columns import Facts
from ledger.facts.ladder import Challenge, Exchange, Ladder, Won
from ledger.facts.tournament import TournamentRecord
from ledger.identifiers import Seq
from ledger.json_form import JsonForm, Key
from ledger.lists.people import People

ByGames: TypeAlias = Won | Literal["annulled", "running"]


@dataclass(frozen=True, slots=True)
class LadderPlace(JsonForm):
    """A place, with the rating of the day and the match that is running about it."""

    place: int
    id: str
    name: str
    rating: int | None
    since: dt.date
    match: str | None


@dataclass(frozen=True, slots=True)
class LadderChallenge(JsonForm):
    """A challenge: ``running``, won by either side, ``drawn`` or ``withdrawn``.

    Its games are written ``1: 3404510 - 3405958 1-0``. ``by_games`` is what it would be by them as
    they are recorded now, and ``annulled`` where the match is; None: given up.
    """

    seq: Seq
    on: dt.date
    challenger: str
    challenged: str
    ratings: tuple[int | None, int | None]
    override: str | None
    match: str
    games: Sequence[str]
    state: str
    by_games: str | None
    ended_on: dt.date | None


@dataclass(frozen=True, slots=True)
class PlaceExchange(JsonForm):
    """An exchange of places, by the match that brought it."""

    on: dt.date | None
    match: str
    winner: str
    loser: str
    from_place: Annotated[int, Key("from")]
    to_place: Annotated[int, Key("to")]


@dataclass(frozen=True, slots=True)
class LadderReport(JsonForm):
    """A ladder as known at ``seq``, with the ratings of a day."""

    ladder: str
    list: str
    opened_on: dt.date
    ratings_on: dt.date
    seq: Seq
    places: Sequence[LadderPlace]
    challenges: Sequence[LadderChallenge]
    exchanges: Sequence[PlaceExchange]


def ladder_report(
    ladder: Ladder,
    matches: Mapping[str, TournamentRecord],
    facts: Facts,
    people: People,
    ratings: Mapping[str, int],
    *,
    seq: Seq,
    on: dt.date,
) -> LadderReport:
    """Returns the ladder, with the ratings in force on a day."""
    return LadderReport(
        ladder=ladder.opened.ladder,
        list=ladder.opened.list,
        opened_on=ladder.opened_on,
        ratings_on=on,
        seq=seq,
        places=list(_places(ladder, facts, people, ratings)),
        challenges=[_challenge(each, matches) for each in ladder.challenges.values()],
        exchanges=[_exchange(each) for each in ladder.exchanges],
    )


def _places(
    ladder: Ladder, facts: Facts, people: People, ratings: Mapping[str, int]
) -> Iterator[LadderPlace]:
    people.read(facts.player_index.of(ladder.places))
    for place, player in enumerate(ladder.places, start=1):
        running = ladder.running(player)
        yield LadderPlace(
            place=place,
            id=player,
            name=people.name(facts.player_index[player]) or "",
            rating=ratings.get(player),
            since=ladder.since[player],
            match=running.made.tournament if running else None,
        )


def _challenge(challenge: Challenge, matches: Mapping[str, TournamentRecord]) -> LadderChallenge:
    made = challenge.made
    match = matches[made.tournament]
    games = {pairing.round: pairing.described() for pairing in match.each_pairing}
    return LadderChallenge(
        seq=challenge.seq,
        on=challenge.on,
        challenger=made.challenger,
        challenged=made.challenged,
        ratings=(made.challenger_rating, made.challenged_rating),
        override=made.override,
        match=made.tournament,
        games=[f"{game}: {described}" for game, described in sorted(games.items())],
        state=challenge.state,
        by_games=_by_games(challenge, match),
        ended_on=challenge.ended_on,
    )


def _exchange(exchange: Exchange) -> PlaceExchange:
    made = exchange.challenge.made
    return PlaceExchange(
        on=exchange.challenge.ended_on,
        match=made.tournament,
        winner=made.challenger,
        loser=made.challenged,
        from_place=exchange.from_place,
        to_place=exchange.to_place,
    )


def _by_games(challenge: Challenge, match: TournamentRecord) -> ByGames | None:
    if challenge.state == "withdrawn":
        return None
    return "annulled" if match.annulled else challenge.won_by_games(match) or "running"
