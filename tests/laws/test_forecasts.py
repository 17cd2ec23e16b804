"""A forecast is what the ledger rates once the games are played: under every regulation."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

from ledger.answers.forecasts import forecast_of
from ledger.regulations import registry
from ledger.reports.forecast import ForecastScore, RatingForecast
from ledger.reports.statement import Statement
from ledger.service.ledger import Ledger
from ledger.terms import Rate
from tests.differential.independent import Event, Game
from tests.differential.strategies import ORDINARY, Federation, federations, games_csv
from tests.differential.support import LIST
from tests.laws.support import law
from tests.ledgers import define, empty_ledger, import_text, statements_of
from tests.profile import CHANCES

every = pytest.mark.parametrize("regulation", registry.regulations())


def ledger_under(regulation: str, federation: Federation, events: Sequence[Event]) -> Ledger:
    """Returns a ledger that knows the players, and some events of a rate that is rated."""
    rate = registry.regulations()[regulation].RATE
    if rate is not None:
        events = [replace(each, rate_of_play=rate.value) for each in events]
    ledger = empty_ledger()
    define(ledger, LIST, regulation=regulation)
    import_text(ledger, federation.players_csv(), list_=LIST)
    import_text(ledger, games_csv(*events))
    return ledger


def score_of(games: Sequence[Game], player: str, counting: set[str]) -> int:
    """Returns the half points of a player against those whose games count."""
    halves = {"1-0": (2, 0), "1/2-1/2": (1, 1), "0-1": (0, 2)}
    return sum(
        halves[game.result][0 if game.white == player else 1]
        for game in games
        if {game.white, game.black} & counting
    )


def check(
    forecast: RatingForecast, games: Sequence[Game], before: Statement, after: Statement
) -> None:
    """Asserts that a forecast says of the real results what the ledger has made of them."""
    player = forecast.player.id or ""
    assert forecast.without == before.closing
    assert forecast.rating == after.opening
    barred = {"opponent-unrated", "no-merit", "other-rate-of-play"}
    counting = {g.opponent.id or "" for g in forecast.games if g.reason.code not in barred}
    if not forecast.scores:
        assert after.closing == before.closing
        return
    score: ForecastScore = forecast.scores[score_of(games, player, counting)]
    ratings = sorted((score.rating or 0, score.most_rating or 0))
    assert ratings[0] <= (after.closing or 0) <= ratings[1]
    if score.change is not None and score.most_change is not None:
        change = after.change_exact - before.change_exact
        assert score.change <= change <= score.most_change


@every
@law(12)
@given(federation=federations(most_players=8, most_events=3, corrections=(0, 0)), chance=CHANCES)
def test_games_of_nobody_s_tournament(
    regulation: str, federation: Federation, chance: Random
) -> None:
    ledger = ledger_under(regulation, federation, federation.events)
    player = chance.choice(federation.people).id
    others = [person.id for person in federation.people if person.id != player]
    opponents = [chance.choice(others) for _ in range(chance.randint(1, 6))]
    forecast = forecast_of(ledger, player, LIST, opponents)
    year, month = map(int, forecast.period.split("-"))
    last = (dt.date(year, month, 28) + dt.timedelta(days=4)).replace(day=1) - dt.timedelta(days=1)
    seats = [chance.sample([player, other], 2) for other in opponents]
    games = tuple(
        Game(number, white, black, chance.choice(ORDINARY))
        for number, (white, black) in enumerate(seats, start=1)
    )
    rate = registry.regulations()[regulation].RATE or Rate.CLASSICAL
    played = Event("Z", last, last, "swiss", rate.value, None, games)
    before = statements_of(ledger, LIST, forecast.period)[player]
    import_text(ledger, games_csv(played))
    check(forecast, games, before, statements_of(ledger, LIST, forecast.period)[player])


@every
@law(12)
@given(federation=federations(most_players=8, most_events=3, corrections=(0, 0)), chance=CHANCES)
def test_games_that_a_tournament_has_left(
    regulation: str, federation: Federation, chance: Random
) -> None:
    played = chance.choice(federation.events)
    paired = [game for game in played.games if game.black and game.result in ORDINARY]
    if not paired:
        return
    player = chance.choice(paired).white
    own = [game for game in paired if player in (game.white, game.black)]
    left = own[chance.randrange(len(own)) :]
    games = tuple(game for game in played.games if game not in left)
    others = [each for each in federation.events if each is not played]
    if not any(player in (game.white, game.black) for game in games):
        return
    ledger = ledger_under(regulation, federation, [*others, replace(played, games=games)])
    opponents = [game.black if game.white == player else game.white for game in left]
    named = [] if played.system == "round-robin" else [each or "" for each in opponents]
    forecast = forecast_of(ledger, player, LIST, named, tournament=played.id)
    assert {game.opponent.id for game in forecast.games} == {*opponents}
    whole = ledger_under(regulation, federation, [*others, played])
    before = statements_of(ledger, LIST, forecast.period)[player]
    check(forecast, left, before, statements_of(whole, LIST, forecast.period)[player])
