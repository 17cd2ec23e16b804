"""FENAMAC and UANL against a calculation of their own: newcomers first, anew until 16 games."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.answers.lists import show
from ledger.answers.player_questions import explain
from ledger.operations.commands import CorrectResult
from ledger.results import Result
from ledger.service.ledger import Ledger
from tests.differential.tables import D_OF_P, P_OF_D
from tests.laws.support import law
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
)

PLAYERS = "ABCDEF"
PERIODS = ("1975-07", "1975-08", "1975-09", "1975-10")
POINTS = {"1-0": Fraction(1), "0-1": Fraction(0), "1/2-1/2": Fraction(1, 2)}
REGULATIONS = pytest.mark.parametrize("regulation", ["fenamac-1973", "uanl-1975"])
Event = list[tuple[str, str, str]]


@dataclass
class Book:
    """The ratings as somebody keeps them who has the chapter and a pencil."""

    regulation: str
    ratings: dict[str, int]
    games: dict[str, int] = field(default_factory=dict)
    first: dict[str, list[tuple[int, Fraction]]] = field(default_factory=dict)

    def rate(self, event: Event) -> None:
        """Rates one event, newcomers first."""
        before = dict(self.ratings)
        for player in PLAYERS:
            if player not in before:
                self._first_games(player, event, before)
        met = {**self.ratings, **before}
        for player in before:
            if player in self.first:
                self._first_games(player, event, met)
            else:
                self._by_games(player, event, met)

    def _first_games(self, player: str, event: Event, met: dict[str, int]) -> None:
        played = [(met[o], points) for o, points in games_of(player, event) if o in met]
        so_far = self.first.get(player, []) + played
        if not played:
            return
        self.first[player] = so_far
        points = sum((won for _, won in so_far), Fraction(0))
        percent = int(100 * points / len(so_far))
        if percent in D_OF_P:
            mean = Fraction(sum(opponent for opponent, _ in so_far), len(so_far))
            self.ratings[player] = max(1, nearest(mean + D_OF_P[percent]))
            self.games[player] = len(so_far)
            if len(so_far) >= 16:
                del self.first[player]

    def _by_games(self, player: str, event: Event, met: dict[str, int]) -> None:
        played = [(met[o], points) for o, points in games_of(player, event) if o in met]
        own = met[player]
        gained = sum((points - expected(own - other) for other, points in played), Fraction(0))
        self.ratings[player] = max(1, own + nearest(self._k(own) * gained))
        self.games[player] = self.games.get(player, 0) + len(played)

    def _k(self, rating: int) -> int:
        if self.regulation == "uanl-1975":
            return 20 if rating >= 1900 else 25 if rating >= 1700 else 30
        if rating > 2400:
            return 20
        return 45 if rating <= 2200 else 30  # nobody reaches a hundred games here


def games_of(player: str, event: Event) -> Iterator[tuple[str, Fraction]]:
    for white, black, result in event:
        if player == white:
            yield black, POINTS[result]
        elif player == black:
            yield white, 1 - POINTS[result]


def expected(difference: int) -> Fraction:
    share = next((share for last, share in P_OF_D if abs(difference) <= last), 100)
    return Fraction(share if difference >= 0 else 100 - share, 100)


def nearest(value: Fraction) -> int:
    whole = int(abs(value) + Fraction(1, 2))
    return whole if value >= 0 else -whole


@st.composite
def events(draw: st.DrawFn) -> list[Event]:
    pairs = st.sampled_from([(a, b) for a in PLAYERS for b in PLAYERS if a != b])
    game = st.tuples(pairs, st.sampled_from(tuple(POINTS)))
    drawn = draw(st.lists(st.lists(game, min_size=1, max_size=14), min_size=1, max_size=4))
    return [[(*pair, result) for pair, result in event] for event in drawn]


SEEDS = st.fixed_dictionaries(
    {"A": st.integers(1500, 2450), "B": st.integers(1500, 2450), "C": st.integers(1500, 2450)}
)


def csv_of(number: int, event: Event) -> str:
    on = f"1975-{7 + number:02}-10"
    about = f"T{number},T{number},{on},{on},swiss,classical,"
    rows = [f"{about},{n},,{w},{b},{r}" for n, (w, b, r) in enumerate(event, start=1)]
    return GAMES_HEADER + "\n".join(rows) + "\n"


def ledger_of(regulation: str, seeds: dict[str, int], policy: str) -> Ledger:
    ledger = empty_ledger()
    assert policy in ("restate", "next-list")
    define(
        ledger, regulation=regulation, first_on=dt.date(1975, 7, 1),
        policy="restate" if policy == "restate" else "next-list",
    )  # fmt: skip
    rows = (f"{player},{player},,,,{seeds.get(player, '')},,0\n" for player in PLAYERS)
    import_text(ledger, PLAYERS_HEADER + "".join(rows), list_="ENF")
    return ledger


def ratings(ledger: Ledger, period: str) -> dict[str, int]:
    return {row.id: row.rating for row in show(ledger, "ENF", period).rows if row.rating}


@REGULATIONS
def test_every_list_is_that_of_the_book(regulation: str) -> None:
    @law(25)
    @given(SEEDS, events())
    def holds(seeds: dict[str, int], played: list[Event]) -> None:
        ledger = ledger_of(regulation, seeds, "restate")
        for number in reversed(range(len(played))):
            import_text(ledger, csv_of(number, played[number]))
        book = Book(regulation, dict(seeds))
        for period, event in zip(PERIODS, played, strict=False):
            book.rate(event)
            assert ratings(ledger, period) == book.ratings
            for player in PLAYERS:
                said = explain(ledger, player, "ENF", period)
                assert said.closing == book.ratings.get(player)

    holds()


@REGULATIONS
def test_a_published_first_rating_is_set_right_in_the_next_list(regulation: str) -> None:
    """Of newcomers, all of whose opponents are seeded: what is owed is what is missing."""

    @law(12)
    @given(SEEDS, st.data())
    def holds(seeds: dict[str, int], data: st.DataObject) -> None:
        game = st.tuples(st.sampled_from("ABC"), st.sampled_from(tuple(POINTS)))
        played: list[Event] = [
            [("D", *each) for each in data.draw(st.lists(game, min_size=2, max_size=5))]
            for _ in range(3)
        ]
        # One half point of each event is sure, so that there is a percentage with a D(P).
        for event in played:
            event[0] = ("D", event[0][1], "1/2-1/2")
        ledger = ledger_of(regulation, seeds, "next-list")
        for number, event in enumerate(played):
            import_text(ledger, csv_of(number, event))
        publish_period(ledger, PERIODS[0])
        publish_period(ledger, PERIODS[1])
        wrong = data.draw(st.integers(0, 1))
        place = data.draw(st.integers(1, len(played[wrong]) - 1))
        _, opponent, _ = played[wrong][place]
        right = data.draw(st.sampled_from(tuple(POINTS)))
        if played[wrong][place][2] != right:
            do(
                ledger,
                CorrectResult(
                    tournament=f"T{wrong}", round=place + 1, white="D", black=opponent,
                    result=Result.parse(right),
                ),
            )  # fmt: skip
        # The opponents' ratings of closed lists stand, as they were met.
        results = [list(event) for event in played]
        results[wrong][place] = ("D", opponent, right)
        before = [dict(seeds), ratings(ledger, PERIODS[0]), ratings(ledger, PERIODS[1])]
        met = [
            (before[number][o], POINTS[result])
            for number, event in enumerate(results)
            for _, o, result in event
        ]
        book = Book(regulation, {})
        book.first["D"] = met[:-1]
        last = results[-1][-1]
        book._first_games("D", [last], {last[1]: met[-1][0]})
        assert ratings(ledger, PERIODS[2])["D"] == book.ratings["D"]

    holds()
