"""A forecast is what the ledger rates once the games are played: under every regulation."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

from ledger.answers.forecasts import forecast_of
from ledger.regulations import registry
from ledger.replay.timeline import Timeline
from ledger.reports.forecast import ForecastScore, RatingForecast
from ledger.reports.statement import Statement
from ledger.service.ledger import Ledger
from ledger.terms import Rate
from ledger.views.list_editions import require_period
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


RESULTS = ("0-1", "1/2-1/2", "1-0")
"""By the half points of White."""
BARRED = frozenset({"opponent-unrated", "no-merit", "other-rate-of-play"})
"""Why a game counts for no score, whatever its result."""


def results_of(
    ledger: Ledger, forecast: RatingForecast, before: Mapping[str, Statement], chance: Random
) -> list[int]:
    """Returns half points for each game of a forecast, in its order: draws where none counts.

    Where games are rated one by one any will do; else a score is made against the strongest, or
    against the weakest.
    """
    counting = [n for n, g in enumerate(forecast.games) if g.reason.code not in BARRED]
    halves = [1] * len(forecast.games)
    if is_plain(ledger, forecast):
        for number in counting:
            halves[number] = chance.randint(0, 2)
        return halves
    strength = [before[game.opponent.id or ""].opening or 0 for game in forecast.games]
    order = sorted(counting, key=lambda number: -strength[number])
    score = chance.randint(0, 2 * len(order))
    for number in order if chance.random() < 1 / 2 else reversed(order):
        halves[number] = min(2, score)
        score -= halves[number]
    return halves


def game_of(game: Game, player: str, halves: int) -> Game:
    """Returns a game in which a player makes so many half points."""
    return replace(game, result=RESULTS[halves if game.white == player else 2 - halves])


def is_plain(ledger: Ledger, forecast: RatingForecast) -> bool:
    """Whether the regulation rates games between two rated players one by one."""
    facts = ledger.facts_of(LIST)
    period = require_period(facts, LIST, forecast.period)
    return Timeline.at_head(facts, LIST).regulation(period).plain


def check(
    ledger: Ledger,
    forecast: RatingForecast,
    halves: Sequence[int],
    before: Statement,
    after: Statement,
) -> None:
    """Asserts that a forecast says of the real results what the ledger has made of them."""
    assert forecast.without == before.closing
    assert forecast.rating == after.opening
    if not forecast.scores:
        assert after.closing == before.closing
        return
    of_score = (
        each
        for game, each in zip(forecast.games, halves, strict=True)
        if game.reason.code not in BARRED
    )
    score: ForecastScore = forecast.scores[sum(of_score)]
    least, most = (score.change, score.rating), (score.most_change, score.most_rating)
    change = None if score.change is None else after.change_exact - before.change_exact
    if not is_plain(ledger, forecast):
        assert (change, after.closing) in (least, most)
        return
    assert (score.rating or 0) <= (after.closing or 0) <= (score.most_rating or 0)
    if change is not None and score.change is not None and score.most_change is not None:
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
    drawn = [Game(n, white, black, RESULTS[1]) for n, (white, black) in enumerate(seats, start=1)]
    before = statements_of(ledger, LIST, forecast.period)
    halves = results_of(ledger, forecast, before, chance)
    games = tuple(game_of(game, player, each) for game, each in zip(drawn, halves, strict=True))
    rate = registry.regulations()[regulation].RATE or Rate.CLASSICAL
    # As the made-up one is called: of tournaments that end on one day the ids decide the order.
    played = Event("1", last, last, "swiss", rate.value, None, games)
    import_text(ledger, games_csv(played))
    after = statements_of(ledger, LIST, forecast.period)[player]
    check(ledger, forecast, halves, before[player], after)


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
    assert sorted(game.opponent.id or "" for game in forecast.games) == sorted(map(str, opponents))
    before = statements_of(ledger, LIST, forecast.period)
    halves = results_of(ledger, forecast, before, chance)
    of_opponents = defaultdict[str, list[int]](list)
    for each, of_game in zip(forecast.games, halves, strict=True):
        of_opponents[each.opponent.id or ""].append(of_game)
    results = [
        game_of(game, player, of_opponents[opponent or ""].pop(0))
        for game, opponent in zip(left, opponents, strict=True)
    ]
    played = replace(played, games=(*games, *results))
    whole = ledger_under(regulation, federation, [*others, played])
    after = statements_of(whole, LIST, forecast.period)[player]
    check(ledger, forecast, halves, before[player], after)
