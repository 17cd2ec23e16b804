"""Half a century of knock-out tournaments, rated twice: by the ledger, and by plain Python.

Who loses is out, so that most have one or two games in a tournament; careers last some years, and
every year brings players with a rating and players without. The games go the way of any import:
CSV, events, replay under ENF 2010. Beside that stands the same rules in dictionaries and fractions,
with the formulas and tables of ``tests/differential``, which know nothing of the ledger. At the end
of every year all ratings must be equal::

    benchmarks/.venv/bin/python -m benchmarks.independent
"""

from __future__ import annotations

import argparse
import datetime as dt
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.histories import GAMES_HEADER, PLAYERS_HEADER
from ledger.calendar import Calendar
from ledger.examples.swiss import Real, Whole
from ledger.intake.imports import Document, import_document
from ledger.journal.stores.database import open_journal, upgrade
from ledger.replay.replay import replay
from ledger.replay.timeline import Timeline, last_period
from ledger.service.ledger import Ledger, Request
from ledger.service.lists import define_list
from tests.differential.independent import (
    HALF,
    Achieved,
    expected,
    half_away,
    half_up,
    mean,
    performance,
)

FIRST_YEAR = 1968
LIST = "ENF"
NOW = dt.datetime(2026, 1, 1, 12, 0, tzinfo=dt.UTC)
_FIRST_ID = 100_000
_MONTHS = 12
_FIELDS = (32, 64, 128)
_CAREER = (2, 16)  # years
_THERE_AT_FIRST = 0.12
_KNOWN = 0.45  # come with a rating
_WALKOVERS = 0.01
_LONGEST = 4_000
_K_NEW, _K, _K_TOP = 30, 15, 10
_NEW_BELOW, _TOP_FROM = 30, 2400
_COMPUTABLE, _FOR_FIRST = 3, 9


@dataclass(frozen=True, slots=True)
class Game:
    """A game or walkover; there are no draws."""

    round: int
    white: int
    black: int
    result: str


@dataclass(frozen=True, slots=True)
class KnockOut:
    """A tournament."""

    id: str
    starts_on: dt.date
    ends_on: dt.date
    games: Sequence[Game]


@dataclass(frozen=True, slots=True)
class Players:
    """Everybody; ``first`` and ``last`` are years of the history, from 0 on."""

    strength: Real
    first: Whole
    last: Whole
    rating: Whole
    games: Whole


@dataclass(frozen=True, slots=True)
class Compared:
    """What was found equal."""

    games: int
    tournaments: int
    years: int
    ratings: int
    import_seconds: float
    replay_seconds: float


# The history


def made_players(count: int, years: int, random: np.random.Generator) -> Players:
    """Draws who plays, when, and with what rating they come (0: none)."""
    strength = random.normal(1950, 230, count)
    first = np.where(
        random.random(count) < _THERE_AT_FIRST, 0, random.integers(0, years, count)
    ).astype(np.int64)
    known = random.random(count) < _KNOWN
    rating = np.clip(np.rint(strength + random.normal(0, 80, count)), 1200, 2700)
    return Players(
        strength,
        first,
        first + random.integers(*_CAREER, count),
        np.where(known, rating, 0).astype(np.int64),
        np.where(known, random.integers(0, 120, count), 0),
    )


def tournaments(
    players: Players, games: int, years: int, random: np.random.Generator
) -> Iterator[KnockOut]:
    """Yields the tournaments in order of months until so many games are played."""
    played, months = 0, years * _MONTHS
    for month in range(months):
        year, of_year = divmod(month, _MONTHS)
        active = np.flatnonzero((players.first <= year) & (players.last >= year))
        number = 0
        while played < games * (month + 1) // months:
            number += 1
            id_ = f"k{month:03}-{number:03}"
            starts_on = dt.date(FIRST_YEAR + year, of_year + 1, int(random.integers(1, 21)))
            size = int(random.choice([size for size in _FIELDS if size <= len(active)]))
            made = _knock_out(random.choice(active, size, replace=False), players.strength, random)
            yield KnockOut(id_, starts_on, starts_on + dt.timedelta(days=made[-1].round), made)
            played += len(made)


def _knock_out(field_: Whole, strength: Real, random: np.random.Generator) -> list[Game]:
    made, left, round_ = [], field_, 0
    while len(left) > 1:
        round_ += 1
        white, black = left[0::2], left[1::2]
        expectation = 1 / (1 + np.power(10.0, (strength[black] - strength[white]) / 400))
        won = random.random(len(white)) < expectation
        walkover = random.random(len(white)) < _WALKOVERS
        for one, other, first, absent in zip(
            white.tolist(), black.tolist(), won.tolist(), walkover.tolist(), strict=True
        ):
            result = ("+/-" if first else "-/+") if absent else ("1-0" if first else "0-1")
            made.append(Game(round_, one, other, result))
        left = np.where(won, white, black)
    return made


# Through the ledger


def imported(ledger: Ledger, players: Players, played: Sequence[KnockOut], years: int) -> None:
    """Imports everything, year by year: first the players who come, then the tournaments."""
    define_list(
        ledger,
        LIST,
        regulation="enf-2010",
        parameters={},
        calendar=Calendar.MONTHLY,
        first_on=dt.date(FIRST_YEAR, 1, 1),
        policy="restate",
        rate_of_play=None,
        closes_days_before=0,
        request=Request("benchmark", "to be compared", "define", ""),
    )
    of_year: dict[int, list[KnockOut]] = defaultdict(list)
    for each in played:
        of_year[each.ends_on.year].append(each)
    for year in range(years):
        on = dt.date(FIRST_YEAR + year, 1, 1)
        new = np.flatnonzero(players.first == year).tolist()
        if new:
            _take(ledger, f"players-{on.year}.csv", PLAYERS_HEADER, _player_lines(players, new), on)
        lines = [line for each in of_year[on.year] for line in _game_lines(each)]
        _take(ledger, f"games-{on.year}.csv", GAMES_HEADER, lines, None)


def _take(ledger: Ledger, name: str, header: str, lines: Sequence[str], on: dt.date | None) -> None:
    data = (header + "".join(lines)).encode()
    document = Document(name=name, data=data, list=LIST if on else None, on=on)
    import_document(ledger, document, Request("benchmark", "to be compared", "", ""))


def _player_lines(players: Players, chosen: Sequence[int]) -> list[str]:
    return [
        f'{_FIRST_ID + player},"Player {player:06}, K.",CHI,,,'
        + (
            f"{players.rating[player]},,{players.games[player]}\n"
            if players.rating[player]
            else ",,\n"
        )
        for player in chosen
    ]


def _game_lines(each: KnockOut) -> Iterator[str]:
    about = f"{each.id},Cup {each.id},{each.starts_on},{each.ends_on},match,classical,,"
    for game in each.games:
        pairing = f"{_FIRST_ID + game.white},{_FIRST_ID + game.black}"
        yield f"{about}{game.round},,{pairing},{game.result}\n"
        about = f"{each.id},,,,,,,"


def ratings_of(ledger: Ledger) -> Iterator[tuple[int, dict[int, int]]]:
    """Yields each year and the ratings at its end, by player."""
    facts = ledger.facts()
    ids = np.array([int(id_) - _FIRST_ID for id_ in facts.player_ids])
    for outcome in replay(Timeline.at_head(facts, LIST), last_period(facts, LIST)):
        if outcome.period.closes_on.month == _MONTHS:
            rating = outcome.closing.rating
            rated = np.flatnonzero(rating)
            found = dict(zip(ids[rated].tolist(), rating[rated].tolist(), strict=True))
            yield outcome.period.closes_on.year, found


# Beside it


@dataclass(slots=True)
class Standing:
    """Where everybody stands, by player."""

    rating: dict[int, int] = field(default_factory=dict)
    games: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    best: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    buckets: dict[int, list[Achieved]] = field(default_factory=lambda: defaultdict(list))


def calculated(
    players: Players, played: Sequence[KnockOut], years: int
) -> Iterator[tuple[int, dict[int, int]]]:
    """Yields each year and the ratings at its end, by player; knows nothing of the ledger."""
    of_month: dict[tuple[int, int], list[KnockOut]] = defaultdict(list)
    for each in played:
        of_month[each.ends_on.year, each.ends_on.month].append(each)
    at = Standing()
    for year in range(FIRST_YEAR, FIRST_YEAR + years):
        for player in np.flatnonzero(players.first == year - FIRST_YEAR).tolist():
            if players.rating[player]:
                at.rating[player] = at.best[player] = int(players.rating[player])
                at.games[player] = int(players.games[player])
        for month in range(1, _MONTHS + 1):
            _month(of_month[year, month], at)
        yield year, dict(at.rating)


def _month(ending: Sequence[KnockOut], at: Standing) -> None:
    """Rates the tournaments that end in a month, all with the ratings before it."""
    gained: dict[int, int] = defaultdict(int)
    counted: dict[int, int] = defaultdict(int)
    waiting: set[int] = set()
    for each in ending:
        for player, met in _met(each).items():
            rated = [(at.rating[other], score) for other, score in met if other in at.rating]
            if player in at.rating:
                own = at.rating[player]
                gained[player] += sum(100 * score - _share(own - other) for other, score in rated)
                counted[player] += len(rated)
                continue
            score = Fraction(sum(score for _, score in rated))
            if len(rated) >= _COMPUTABLE and score >= HALF:
                strength = mean(Fraction(other) for other, _ in rated)
                ru = performance(strength, score, len(rated))
                at.buckets[player].append(Achieved(each.id, len(rated), ru))
                waiting.add(player)
    for player, hundredths in gained.items():
        at.rating[player] += half_away(Fraction(_k(player, at) * hundredths, 100))
        at.games[player] += counted[player]
        at.best[player] = max(at.best[player], at.rating[player])
    for player in waiting:
        bucket = at.buckets[player]
        games = sum(result.games for result in bucket)
        if games >= _FOR_FIRST:
            total = sum((r.performance * r.games for r in bucket), Fraction(0))
            at.rating[player] = at.best[player] = half_up(total / games)
            at.games[player] = games
            del at.buckets[player]


def _met(each: KnockOut) -> dict[int, list[tuple[int, int]]]:
    """Returns everybody's opponents in games that were played, with the score."""
    met: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for game in each.games:
        if game.result in {"1-0", "0-1"}:
            won = int(game.result == "1-0")
            met[game.white].append((game.black, won))
            met[game.black].append((game.white, 1 - won))
    return met


_SHARES = [int(100 * expected(difference)) for difference in range(_LONGEST)]


def _share(difference: int) -> int:
    """Returns the expected score in hundredths."""
    return _SHARES[difference] if difference >= 0 else 100 - _SHARES[-difference]


def _k(player: int, at: Standing) -> int:
    if at.games[player] < _NEW_BELOW:
        return _K_NEW
    return _K_TOP if at.best[player] >= _TOP_FROM else _K


# Both


def compared(path: Path, players: int, games: int, years: int, seed: int = 1) -> Compared:
    """Makes a history, imports it into a new ledger, and holds every year against the other.

    Raises:
        AssertionError: a rating is not the same.
    """
    random = np.random.default_rng(seed)
    everybody = made_players(players, years, random)
    played = list(tournaments(everybody, games, years, random))
    upgrade(str(path))
    with closing(open_journal(str(path))) as journal:
        ledger = Ledger(journal, clock=lambda: NOW)
        start = perf_counter()
        imported(ledger, everybody, played, years)
        done = perf_counter()
        here = dict(ratings_of(ledger))
        replayed = perf_counter()
    ratings = 0
    for year, there in calculated(everybody, played, years):
        wrong = [p for p in {*here[year], *there} if here[year].get(p) != there.get(p)]
        assert not wrong, f"{year}: {len(wrong)} of {len(there)} ratings, player {min(wrong)}"
        ratings += len(there)
    return Compared(
        sum(len(each.games) for each in played), len(played), years, ratings,
        done - start, replayed - done,
    )  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Compares, and says what was equal."""
    parser = argparse.ArgumentParser(description="knock-out tournaments, rated twice")
    parser.add_argument("--players", type=int, default=25_000)
    parser.add_argument("--games", type=int, default=900_000)
    parser.add_argument("--years", type=int, default=57)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "knock-out.db"
        found = compared(path, given.players, given.games, given.years, given.seed)
    print(
        f"{found.games:,} games of {found.tournaments:,} tournaments, imported in "
        f"{found.import_seconds:.1f} s, replayed in {found.replay_seconds:.1f} s: all "
        f"{found.ratings:,} ratings at the ends of {found.years} years are equal"
    )


if __name__ == "__main__":
    main()
