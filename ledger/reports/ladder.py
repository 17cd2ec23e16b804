"""A ladder as a club shows it: the places, the running challenges, how places were exchanged."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from ledger.facts.columns import Facts
from ledger.facts.ladder import Challenge, Ladder, Won
from ledger.facts.tournament import TournamentRecord
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

    def name(player: str) -> str:
        return people.name(facts.player_index[player]) or ""

    places = [
        {
            "place": place,
            "id": player,
            "name": name(player),
            "rating": ratings.get(player),
            "since": ladder.since[player].isoformat(),
            "match": running.made.tournament if (running := ladder.running(player)) else None,
        }
        for place, player in enumerate(ladder.places, start=1)
    ]
    challenges = [
        {
            "seq": challenge.seq,
            "on": challenge.on.isoformat(),
            "challenger": challenge.made.challenger,
            "challenged": challenge.made.challenged,
            "ratings": [challenge.made.challenger_rating, challenge.made.challenged_rating],
            "override": challenge.made.override,
            "match": challenge.made.tournament,
            "games": _games(challenge, matches),
            "state": challenge.state,
            "by_games": _by_games(challenge, matches),
            "ended_on": challenge.ended_on.isoformat() if challenge.ended_on else None,
        }
        for challenge in ladder.challenges.values()
    ]
    exchanges = [
        {
            "on": exchange.challenge.ended_on.isoformat() if exchange.challenge.ended_on else None,
            "match": exchange.challenge.made.tournament,
            "winner": exchange.challenge.made.challenger,
            "loser": exchange.challenge.made.challenged,
            "from": exchange.from_place,
            "to": exchange.to_place,
        }
        for exchange in ladder.exchanges
    ]
    return {
        "ladder": ladder.opened.ladder,
        "list": ladder.opened.list,
        "opened_on": ladder.opened_on.isoformat(),
        "ratings_on": on.isoformat(),
        "seq": seq,
        "places": places,
        "challenges": challenges,
        "exchanges": exchanges,
    }


def _games(challenge: Challenge, matches: Mapping[str, TournamentRecord]) -> list[str]:
    record = matches[challenge.made.tournament]
    pairings = {pairing.round: pairing for pairing in record.pairings.values()}
    return [f"{round_}: {pairing.described()}" for round_, pairing in sorted(pairings.items())]


def _by_games(challenge: Challenge, matches: Mapping[str, TournamentRecord]) -> ByGames | None:
    record = matches[challenge.made.tournament]
    if challenge.state == "withdrawn":
        return None
    return "annulled" if record.annulled else challenge.won_by_games(record) or "running"
