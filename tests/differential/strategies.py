"""Small federations and their tournaments, by chance."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from hypothesis import strategies as st

from tests.differential.independent import Event, Game, Person, Rules
from tests.differential.support import GAMES_HEADER, PLAYERS_HEADER
from tests.profile import CHANCES

MONTHS = ((2010, 7), (2010, 8), (2010, 9))
ORDINARY = ("1-0", "0-1", "1/2-1/2")
ODD = (
    "+/-", "-/+", "-/-", "1-0s", "0-1s", "1/2-1/2s", "1-0a", "0-1a", "1/2-1/2a", "0-0", "1/2-0",
    "0-1/2",
)  # fmt: skip
KS = (None, None, 10, 15, 25, 30)
BYES = ("U", "F", "H", "Z")

RULES = (
    Rules(),
    Rules(),
    Rules(difference_rule=350),
    Rules(method="mean"),
    Rules(method="mean", difference_rule=350),
)
KIND_OF_RESULT = (*[ORDINARY] * 5, ODD)
LIKELY_DRAWS = (*ORDINARY, "1/2-1/2", "1/2-1/2a")


@dataclass(frozen=True)
class Federation:
    """Players, tournaments and rules, and what is corrected afterwards."""

    people: tuple[Person, ...]
    events: tuple[Event, ...]
    rules: Rules
    corrections: tuple[tuple[int, int, str], ...]

    def players_csv(self) -> str:
        """The document of the players."""
        lines = [
            f"{p.id},Player {p.id},CHI,,,{_cell(p.rating)},{_cell(p.k)},"
            f"{_cell(p.games if p.rating else None)}"
            for p in self.people
        ]
        return PLAYERS_HEADER + "".join(f"{line}\n" for line in lines)

    def corrected(self) -> tuple[Event, ...]:
        """The tournaments with the corrections in place."""
        events = list(self.events)
        for event, game, result in self.corrections:
            games = list(events[event].games)
            games[game] = replace(games[game], result=result)
            events[event] = replace(events[event], games=tuple(games))
        return tuple(events)


def games_csv(*events: Event) -> str:
    """The document of some tournaments."""
    lines = []
    for e in events:
        merit = "" if e.merit is None else f"{float(e.merit):.2f}"
        about = f"{e.id},Open {e.id},{e.starts_on},{e.ends_on},{e.system},{e.rate_of_play},{merit}"
        lines += [f"{about},{g.round},,{g.white},{g.black or ''},{g.result}" for g in e.games]
    return GAMES_HEADER + "".join(f"{line}\n" for line in lines)


def _cell(value: int | None) -> str:
    return "" if value is None else str(value)


def a_result(chance: Random) -> str:
    """Returns a result; one in six is an odd one."""
    return chance.choice(chance.choice(KIND_OF_RESULT))


@st.composite
def people(draw: st.DrawFn, *, least: int = 4, most: int = 14) -> tuple[Person, ...]:
    """Some players; about one in four is unrated."""
    count, chance = draw(st.integers(least, most)), draw(CHANCES)
    centre, spread = chance.choice((1500, 1800, 2380)), chance.choice((60, 250, 700))
    found = []
    for number in range(count):
        unrated = chance.randrange(4) == 0
        found.append(
            Person(
                id=f"P{number:02}",
                rating=None if unrated else centre + chance.randint(-spread, spread),
                k=chance.choice(KS),
                games=0 if unrated else chance.choice((0, 5, 27, 29, 30, 200)),
            )
        )
    return tuple(found)


def swiss_games(chance: Random, ids: list[str], rounds: int) -> tuple[Game, ...]:
    """Returns rounds paired by chance; nobody meets the same opponent twice."""
    met: set[frozenset[str]] = set()
    games = []
    for number in range(1, rounds + 1):
        order = chance.sample(ids, len(ids))
        for white, black in zip(order[::2], order[1::2], strict=False):
            if frozenset((white, black)) not in met:
                met.add(frozenset((white, black)))
                games.append(Game(number, white, black, a_result(chance)))
        if len(order) % 2:
            games.append(Game(number, order[-1], None, chance.choice(BYES)))
    return tuple(games)


def robin_games(
    chance: Random, ids: list[str], result: Callable[[Random], str]
) -> tuple[Game, ...]:
    """Returns games of which all play all, by the circle."""
    circle: list[str | None] = [*ids, *([None] if len(ids) % 2 else [])]
    games: list[Game] = []
    byes: list[Game] = []
    for number in range(1, len(circle)):
        for place in range(len(circle) // 2):
            white, black = circle[place], circle[-1 - place]
            if white is not None and black is not None:
                games.append(Game(number, white, black, result(chance)))
            elif white is not None or black is not None:
                byes.append(Game(number, white or black or "", None, chance.choice(BYES)))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return tuple(games + byes) if chance.random() < 0.5 else tuple(games)


def likely_draw(chance: Random) -> str:
    """Returns a result that is a draw more often than not."""
    return chance.choice(LIKELY_DRAWS)


@st.composite
def event(draw: st.DrawFn, name: str, persons: tuple[Person, ...]) -> Event:
    """One tournament of some of the players."""
    rounds, many = draw(st.integers(3, 7)), draw(st.integers(4, len(persons)))
    chance = draw(CHANCES)
    ids = chance.sample([p.id for p in persons], len(persons))
    system = draw(st.sampled_from(("swiss", "round-robin")))
    if system == "swiss":
        games = swiss_games(chance, ids, rounds)
    else:
        result = chance.choice((likely_draw, likely_draw, a_result))
        games = robin_games(chance, sorted(ids[:many]), result)
    year, month = draw(st.sampled_from(MONTHS))
    ends_on = dt.date(year, month, chance.randint(1, 30))
    return Event(
        id=name,
        starts_on=ends_on - dt.timedelta(days=chance.randint(0, 8)),
        ends_on=ends_on,
        system=system,
        rate_of_play=chance.choice(("classical", "rapid")),
        merit=chance.choice((None, None, Fraction(3, 4), Fraction(1, 2))),
        games=games,
    )


@st.composite
def round_robins(draw: st.DrawFn) -> Federation:
    """One round robin with two newcomers among players of very different strength."""
    ratings = draw(st.lists(st.integers(1200, 2500), min_size=4, max_size=8))
    chance = draw(CHANCES)
    persons = (
        *(Person(f"P{n}", rating, chance.choice(KS), 30) for n, rating in enumerate(ratings)),
        Person("Q0", None, None, 0),
        Person("Q1", None, None, 0),
    )
    ids = chance.sample([p.id for p in persons], len(persons))
    games = robin_games(chance, ids, likely_draw)
    day = dt.date(*MONTHS[0], 11)
    played = Event("T1", day, day, "round-robin", "rapid", None, games)
    return Federation(persons, (played,), Rules(), ())


@st.composite
def federations(
    draw: st.DrawFn,
    *,
    most_players: int = 14,
    most_events: int = 4,
    corrections: tuple[int, int] = (0, 2),
    all_rated: bool = False,
) -> Federation:
    """Everything together."""
    persons = draw(people(most=most_players))
    if all_rated:
        persons = tuple(p if p.rating else replace(p, rating=1600) for p in persons)
    events = tuple(
        draw(event(f"T{number}", persons))
        for number in range(1, draw(st.integers(1, most_events)) + 1)
    )
    rules = draw(st.sampled_from(RULES))
    games = [
        (e, g)
        for e, each in enumerate(events)
        for g, game in enumerate(each.games)
        if game.black is not None
    ]
    least, most = corrections
    chance = draw(CHANCES)
    places = chance.sample(games, min(len(games), draw(st.integers(least, most))))
    replaced = tuple((*place, a_result(chance)) for place in places)
    return Federation(persons, events, rules, replaced)
