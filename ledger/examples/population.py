"""The made-up people of a federation: names, clubs, ages, strengths, and how often they play.

Nobody in it exists. Two thousand people of eight regions, a quarter with English names, a fifth of
them women; a third are juniors, who become stronger, a seventh are over 60. The strong play more.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from ledger.examples.swiss import Real
from ledger.terms import RecordedTitle

PEOPLE: Final = 2000
FIRST_ID: Final = 10001
NEW_SHARE: Final = 0.2
"""Of all people: those who come in the course of the years, without a rating."""


def _words(text: str) -> list[str]:
    return text.split()


_MEN: Final = _words(
    "Rodrigo Tomás Felipe Esteban Diego Andrés Nicolás Hernán Luis Gabriel Matías Joaquín "
    "Ignacio Sebastián Cristóbal Álvaro Benjamín Bruno Camilo Daniel Eduardo Emilio Fernando "
    "Gonzalo Hugo Iván Javier Jorge Julián Lautaro Leonardo Marcelo Mauricio Octavio Pablo "
    "Rafael Renato Sergio Vicente Víctor"
)
_WOMEN: Final = _words(
    "Martina Antonia Catalina Daniela Elena Fernanda Florencia Gabriela Inés Isidora Javiera "
    "Josefina Laura Lucía Magdalena Manuela Paula Renata Rocío Sofía Valentina Verónica Ximena Zoe"
)
_SURNAMES: Final = _words(
    "Arancibia Quezada Bascuñán Larraín Villanueva Echeverría Zamora Ponce Godoy Saavedra Fuentes "
    "Sepúlveda Pino Ríos Luna Paz Cid Ortiz Mella Vega Aliaga Bravo Nieto Aguirre Barrios Cáceres "
    "Donoso Espinoza Figueroa Gallardo Henríquez Ibáñez Jara Kunstmann Lagos Medina Navarrete "
    "Olivares Pizarro Quiroga Riquelme Salinas Tapia Urrutia Valdés Yáñez Zúñiga Alarcón Beltrán "
    "Cornejo Durán Escobar Farías Garrido Hidalgo Iturra Leiva Mardones Núñez Oyarzún Peralta "
    "Rebolledo"
)
_ENGLISH_MEN: Final = _words(
    "Adam Arthur Benjamin Charles Dylan Edward Frank George Harry Ian Jack Kevin Liam Martin "
    "Nathan Oliver Peter Robert Samuel Thomas Walter William"
)
_ENGLISH_WOMEN: Final = _words(
    "Alice Amelia Charlotte Dorothy Emily Florence Grace Hannah Jane Katherine Lucy Mary Rose Sarah"
)
_ENGLISH_SURNAMES: Final = _words(
    "Ashworth Barlow Chadwick Dawson Ellison Fairbanks Gibson Hargreaves Ingram Jennings Kendall "
    "Langley Marlowe Norwood Oakley Prescott Radcliffe Stanhope Thornton Underwood Whitaker Yardley"
)
_CLUBS: Final = {
    "Torre Blanca": "Puerto Claro",
    "Universidad de Puerto Claro": "Puerto Claro",
    "Alfil Rey": "Puerto Claro",
    "Harbour Chess Club": "Puerto Claro",
    "Caballo Negro": "Valle Norte",
    "Peón Pasado": "Valle Norte",
    "Enroque Largo": "La Costa",
    "St George's": "La Costa",
    "Club Deportivo Mar": "La Costa",
    "Liceo 7": "Los Andes",
    "Gambito de Montaña": "Los Andes",
    "Tablero Sur": "Lagos del Sur",
    "Dama y Rey": "Lagos del Sur",
    "Círculo de Ajedrez": "Pampa Alta",
    "Jaque Perpetuo": "Pampa Alta",
    "New Bristol": "Islas",
    "Los Pinos": "Río Verde",
    "Casa de la Cultura": "Río Verde",
}
"""The clubs with their regions."""
_Titles: TypeAlias = tuple[tuple[int, RecordedTitle], ...]
_TITLES: Final[_Titles] = ((2450, "GM"), (2350, "IM"), (2260, "FM"), (2180, "CM"))
_WOMENS_TITLES: Final[_Titles] = ((2260, "WGM"), (2180, "WIM"), (2080, "WFM"), (1980, "WCM"))


@dataclass(frozen=True, slots=True)
class MadeUpPerson:
    """A person who does not exist. ``ratings`` are those of the first day, by rate of play."""

    id: str
    name: str
    sex: str
    born_on: dt.date
    club: str | None
    region: str
    title: RecordedTitle | None
    fide_id: str | None
    ratings: dict[str, int]
    games: int

    @property
    def salt(self) -> str:
        """The salt of the identity document: made up too, so that bytes are the same."""
        return hashlib.sha256(f"salt of {self.id}".encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Population:
    """The people, and columns in their order: see ``drawn_population``.

    ``month`` is when somebody comes, 0 for those of the first day; ``growth`` is by month.
    """

    people: list[MadeUpPerson]
    strength: Real
    growth: Real
    activity: Real
    month: np.ndarray[tuple[int], np.dtype[np.int64]]

    def strength_in(self, month: int) -> Real:
        """Returns how strong everybody is in a month."""
        return self.strength + self.growth * month


def drawn_population(random: np.random.Generator, first_on: dt.date, months: int) -> Population:
    """Draws the people of a federation whose first list is in force on a day."""
    count = PEOPLE
    is_woman = random.random(count) < 0.2
    age = _ages(random, count)
    strength = (
        np.where(age < 20, random.normal(1500, 190, count), random.normal(1790, 250, count))
        - np.where(is_woman, 60, 0)
        - np.where(age > 60, 90, 0)
    )
    strength = np.minimum(strength, 2480 + (strength - 2480) / 3)  # no world champion among them
    growth = np.where(age < 18, random.uniform(1, 9, count), random.normal(0, 0.6, count))
    is_new = (random.random(count) < NEW_SHARE) & (strength < 2000)
    month = np.where(is_new, random.integers(1, months, count), 0)
    born_on = [first_on - dt.timedelta(days=int(years * 365.25)) for years in age.tolist()]
    names = _names(random, is_woman.tolist())
    clubs = list(_CLUBS)
    club_of = random.integers(0, len(clubs) + 2, count).tolist()
    region_of = random.integers(0, len(clubs), count).tolist()
    noise = {rate: random.normal(0, 60, count) for rate in ("classical", "rapid", "blitz")}
    has = {
        "classical": random.random(count) < 0.93,
        "rapid": random.random(count) < 0.6,
        "blitz": random.random(count) < 0.4,
    }
    has_fide_id = random.random(count) < 0.6
    games = random.integers(30, 700, count).tolist()
    people = []
    for index, woman in enumerate(is_woman.tolist()):
        first = {rate: round(float(strength[index] + noise[rate][index])) for rate in noise}
        club = clubs[club_of[index]] if club_of[index] < len(clubs) else None
        people.append(
            MadeUpPerson(
                id=str(FIRST_ID + index),
                name=next(names),
                sex="w" if woman else "m",
                born_on=born_on[index],
                club=club,
                region=_CLUBS[club or clubs[region_of[index]]],
                title=_title(float(strength[index]), is_woman=woman),
                fide_id=str(9_400_000 + 7 * index) if has_fide_id[index] else None,
                ratings={
                    rate: points
                    for rate, points in first.items()
                    if not is_new[index] and has[rate][index] and points >= 1400
                },
                games=games[index],
            )
        )
    activity = random.lognormal(0.0, 0.9, count) * np.exp((strength - 1700) / 260)
    return Population(people, strength, growth, activity, month.astype(np.int64))


def _ages(random: np.random.Generator, count: int) -> Real:
    kind = random.random(count)
    junior, senior = random.uniform(8, 20, count), random.uniform(62, 84, count)
    adult = random.uniform(20, 62, count)
    return np.where(kind < 0.33, junior, np.where(kind < 0.47, senior, adult))


def _names(random: np.random.Generator, women: list[bool]) -> Iterator[str]:
    """Yields names, each once; in Spanish there are two surnames."""
    known = set[str]()
    for woman in women:
        while True:
            places = random.random(4).tolist()
            if places[3] < 0.25:
                given = _ENGLISH_WOMEN if woman else _ENGLISH_MEN
                surnames = [_at(_ENGLISH_SURNAMES, places[0])]
                second = "" if places[1] < 0.3 else f" {chr(65 + int(places[1] * 26))}."
            else:
                given, second = _WOMEN if woman else _MEN, ""
                surnames = [_at(_SURNAMES, places[0]), _at(_SURNAMES, places[1])]
            name = f"{' '.join(surnames)}, {_at(given, places[2])}{second}"
            if name not in known and len(set(surnames)) == len(surnames):
                break
        known.add(name)
        yield name


def _at(words: list[str], place: float) -> str:
    return words[int(place * len(words))]


def _title(strength: float, *, is_woman: bool) -> RecordedTitle | None:
    for kind in (_TITLES, _WOMENS_TITLES if is_woman else ()):
        for least, title in kind:
            if strength >= least:
                return title
    return None
