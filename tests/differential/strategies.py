"""Small federations and their tournaments, by chance."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from fractions import Fraction

from hypothesis import strategies as st

from tests.differential.independent import Event, Game, Person, Rules
from tests.differential.support import GAMES_HEADER, PLAYERS_HEADER

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
RESULTS = st.one_of(*[st.sampled_from(ORDINARY)] * 5, st.sampled_from(ODD))
LIKELY_DRAWS = st.sampled_from((*ORDINARY, "1/2-1/2", "1/2-1/2a"))


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


@st.composite
def people(draw: st.DrawFn, *, least: int = 4, most: int = 14) -> tuple[Person, ...]:
    """Some players; about one in four is unrated."""
    count = draw(st.integers(least, most))
    centre = draw(st.sampled_from((1500, 1800, 2380)))
    spread = draw(st.sampled_from((60, 250, 700)))
    found = []
    for number in range(count):
        unrated = draw(st.integers(0, 3)) == 0
        found.append(
            Person(
                id=f"P{number:02}",
                rating=None if unrated else centre + draw(st.integers(-spread, spread)),
                k=draw(st.sampled_from(KS)),
                games=0 if unrated else draw(st.sampled_from((0, 5, 27, 29, 30, 200))),
            )
        )
    return tuple(found)


@st.composite
def swiss_games(draw: st.DrawFn, ids: list[str]) -> tuple[Game, ...]:
    """Rounds paired by chance; nobody meets the same opponent twice."""
    met: set[frozenset[str]] = set()
    games = []
    for number in range(1, draw(st.integers(3, 7)) + 1):
        order = draw(st.permutations(ids))
        for white, black in zip(order[::2], order[1::2], strict=False):
            if frozenset((white, black)) not in met:
                met.add(frozenset((white, black)))
                games.append(Game(number, white, black, draw(RESULTS)))
        if len(order) % 2:
            games.append(Game(number, order[-1], None, draw(st.sampled_from(BYES))))
    return tuple(games)


@st.composite
def robin_games(
    draw: st.DrawFn, ids: list[str], results: st.SearchStrategy[str]
) -> tuple[Game, ...]:
    """All play all, by the circle."""
    circle: list[str | None] = [*ids, *([None] if len(ids) % 2 else [])]
    games: list[Game] = []
    byes: list[Game] = []
    for number in range(1, len(circle)):
        for place in range(len(circle) // 2):
            white, black = circle[place], circle[-1 - place]
            if white is not None and black is not None:
                games.append(Game(number, white, black, draw(results)))
            elif white is not None or black is not None:
                byes.append(Game(number, white or black or "", None, draw(st.sampled_from(BYES))))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return tuple(games + byes) if draw(st.booleans()) else tuple(games)


@st.composite
def event(draw: st.DrawFn, name: str, persons: tuple[Person, ...]) -> Event:
    """One tournament of some of the players."""
    ids = draw(st.permutations([p.id for p in persons]))
    system = draw(st.sampled_from(("swiss", "round-robin")))
    if system == "swiss":
        games = draw(swiss_games(list(ids)))
    else:
        games = draw(
            robin_games(
                sorted(ids[: draw(st.integers(4, len(ids)))]),
                draw(st.sampled_from((LIKELY_DRAWS, LIKELY_DRAWS, RESULTS))),
            )
        )
    year, month = draw(st.sampled_from(MONTHS))
    ends_on = dt.date(year, month, draw(st.integers(1, 30)))
    return Event(
        id=name,
        starts_on=ends_on - dt.timedelta(days=draw(st.integers(0, 8))),
        ends_on=ends_on,
        system=system,
        rate_of_play=draw(st.sampled_from(("classical", "rapid"))),
        merit=draw(st.sampled_from((None, None, Fraction(3, 4), Fraction(1, 2)))),
        games=games,
    )


@st.composite
def round_robins(draw: st.DrawFn) -> Federation:
    """One round robin with two newcomers among players of very different strength."""
    ratings = draw(st.lists(st.integers(1200, 2500), min_size=4, max_size=8))
    persons = (
        *(
            Person(f"P{n}", rating, draw(st.sampled_from(KS)), 30)
            for n, rating in enumerate(ratings)
        ),
        Person("Q0", None, None, 0),
        Person("Q1", None, None, 0),
    )
    games = draw(robin_games(draw(st.permutations([p.id for p in persons])), LIKELY_DRAWS))
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
    places = draw(st.lists(st.sampled_from(games), min_size=least, max_size=most, unique=True))
    replaced = tuple((*place, draw(RESULTS)) for place in places)
    return Federation(persons, events, rules, replaced)
