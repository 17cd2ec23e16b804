"""A ladder as a club shows it: the places, the running challenges, how places were exchanged."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from ledger.facts.columns import Facts
from ledger.facts.ladder import Challenge, Exchange, Ladder, Won
from ledger.facts.tournament import TournamentRecord
from ledger.json_form import to_data
from ledger.lists.people import People

ByGames: TypeAlias = Won | Literal["annulled", "running"]


def ladder_report(
    ladder: Ladder,
    matches: Mapping[str, TournamentRecord],
    facts: Facts,
    people: People,
    ratings: Mapping[str, int],
    *,
    seq: int,
    on: dt.date,
) -> dict[str, Any]:
    """Returns the ladder as JSON data, with the ratings in force on a day.

    A challenge is ``running``, won by the ``challenger`` or the ``challenged``, ``drawn`` or
    ``withdrawn``; its games are written ``1: 3404510 - 3405958 1-0``. ``by_games`` is what it would
    be by them as they are recorded now, and ``annulled`` where the match is; null: given up.
    """
    data: dict[str, Any] = to_data(
        {
            "ladder": ladder.opened.ladder,
            "list": ladder.opened.list,
            "opened_on": ladder.opened_on,
            "ratings_on": on,
            "seq": seq,
            "places": list(_places(ladder, facts, people, ratings)),
            "challenges": [_challenge(each, matches) for each in ladder.challenges.values()],
            "exchanges": [_exchange(each) for each in ladder.exchanges],
        }
    )
    return data


def _places(
    ladder: Ladder, facts: Facts, people: People, ratings: Mapping[str, int]
) -> Iterator[dict[str, object]]:
    people.read(facts.player_index.of(ladder.places))
    for place, player in enumerate(ladder.places, start=1):
        running = ladder.running(player)
        yield {
            "place": place,
            "id": player,
            "name": people.name(facts.player_index[player]) or "",
            "rating": ratings.get(player),
            "since": ladder.since[player],
            "match": running.made.tournament if running else None,
        }


def _challenge(challenge: Challenge, matches: Mapping[str, TournamentRecord]) -> dict[str, object]:
    made = challenge.made
    match = matches[made.tournament]
    games = {pairing.round: pairing.described() for pairing in match.each_pairing}
    return {
        "seq": challenge.seq,
        "on": challenge.on,
        "challenger": made.challenger,
        "challenged": made.challenged,
        "ratings": [made.challenger_rating, made.challenged_rating],
        "override": made.override,
        "match": made.tournament,
        "games": [f"{game}: {described}" for game, described in sorted(games.items())],
        "state": challenge.state,
        "by_games": _by_games(challenge, match),
        "ended_on": challenge.ended_on,
    }


def _exchange(exchange: Exchange) -> dict[str, object]:
    made = exchange.challenge.made
    return {
        "on": exchange.challenge.ended_on,
        "match": made.tournament,
        "winner": made.challenger,
        "loser": made.challenged,
        "from": exchange.from_place,
        "to": exchange.to_place,
    }


def _by_games(challenge: Challenge, match: TournamentRecord) -> ByGames | None:
    if challenge.state == "withdrawn":
        return None
    return "annulled" if match.annulled else challenge.won_by_games(match) or "running"
