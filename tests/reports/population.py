"""Made-up people of several federations, and their names as other reports print them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from ledger.reports.candidates import PersonDescription


@dataclass(frozen=True)
class Naming:
    """How people of a federation are called: common names first; spellings that are exchanged."""

    families: Sequence[str]
    men: Sequence[str]
    women: Sequence[str]
    spellings: Sequence[tuple[str, str]]
    has_two_families: bool = False


_SYLLABLES: Final = tuple(f"{one}{other}" for one in "bcdfglmnprstvz" for other in "aeio")
_RARE: Final = 500  # further families of each
_RARE_GIVEN: Final = 80


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


NAMINGS: Final[Mapping[str, Naming]] = {
    "CHI": Naming(
        _words("González Muñoz Rojas Díaz Pérez Soto Contreras Silva Martínez Sepúlveda Morales"),
        _words("José Juan Luis Carlos Jorge Manuel Víctor Francisco Cristián Pedro Sebastián"),
        _words("María Ana Rosa Claudia Patricia Carolina Camila Daniela Paula Andrea"),
        (("z", "s"), ("ñ", "n"), ("v", "b"), ("á", "a"), ("é", "e")),
        has_two_families=True,
    ),
    "GER": Naming(
        _words("Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schäfer Köhler Groß"),
        _words("Peter Michael Thomas Andreas Wolfgang Jürgen Günter Stefan Christian Jörg"),
        _words("Anna Ursula Monika Petra Elisabeth Sabine Renate Helga Karin Brigitte"),
        (("ü", "ue"), ("ö", "oe"), ("ä", "ae"), ("ß", "ss"), ("tt", "t"), ("th", "t")),
    ),
    "RUS": Naming(
        _words("Ivanov Smirnov Kuznetsov Popov Vasiliev Petrov Sokolov Mikhailov Novikov Alexeev"),
        _words("Alexander Sergey Vladimir Dmitry Andrey Alexey Mikhail Evgeny Nikolay Yury"),
        _words("Elena Olga Tatiana Natalia Irina Svetlana Maria Ekaterina Yulia Ksenia"),
        (("ey", "ei"), ("Ev", "Yev"), ("x", "ks"), ("ry", "ri"), ("kh", "h"), ("Yu", "Iu")),
    ),
    "IND": Naming(
        _words("Kumar Singh Sharma Gupta Patel Shah Das Reddy Rao Nair Agarwal Joshi"),
        _words("Arun Vijay Rahul Amit Sanjay Rajesh Suresh Ramesh Karthik Abhishek"),
        _words("Priya Anjali Divya Kavya Lakshmi Meena Pooja Nisha Swati Deepa"),
        (("sh", "s"), ("v", "w"), ("ee", "i"), ("th", "t"), ("gg", "g")),
    ),
    "EGY": Naming(
        _words("Mohamed Ahmed Mahmoud Ibrahim Hassan Ali Hussein Mostafa Khaled Saleh Youssef"),
        _words("Omar Karim Amr Tarek Walid Sherif Adham Ziad Hazem Samy"),
        _words("Mona Amina Sara Nour Mariam Yasmin Fatma Heba Aya Khadija"),
        (("Mohamed", "Mohammad"), ("Ahmed", "Ahmad"), ("ou", "u"), ("ss", "s"), ("ei", "ay")),
    ),
}


@dataclass(frozen=True)
class Human:
    """Somebody, with the name in its parts; ``rating`` None: unrated."""

    families: tuple[str, ...]
    given: tuple[str, ...]
    year: int
    federation: str
    sex: str
    rating: int | None

    @property
    def name(self) -> str:
        """The name as a register has it."""
        return f"{' '.join(self.families)}, {' '.join(self.given)}"

    def told(self, name: str | None = None) -> PersonDescription:
        """Returns what a report tells of him, under his own or another name."""
        return PersonDescription(name or self.name, str(self.year), self.federation, self.sex)


class Population:
    """Makes people; some names are frequent, and half of the families are rare."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)  # noqa: S311 - made-up people, the same each time
        endings = ("", "s", "n", "r", "l", "z", "ski", "mann")
        self._families, self._given = {}, {}
        for federation, naming in NAMINGS.items():
            self._families[federation] = [*naming.families, *self._rare(_RARE, endings)]
            for sex, common in (("m", naming.men), ("w", naming.women)):
                self._given[federation, sex] = [
                    *common,
                    *self._rare(_RARE_GIVEN, "a" if sex == "w" else "o"),
                ]

    def _rare(self, count: int, endings: Sequence[str]) -> list[str]:
        chance = self.chance
        return [
            "".join(chance.choices(_SYLLABLES, k=3)).capitalize() + chance.choice(endings)
            for _ in range(count)
        ]

    def human(self) -> Human:
        """Returns one more of them."""
        chance = self.chance
        federation, naming = chance.choice([*NAMINGS.items()])
        sex = "w" if chance.random() < 0.15 else "m"
        families = [self._family(federation) for _ in range(2 if naming.has_two_families else 1)]
        return Human(
            tuple(families),
            tuple(
                dict.fromkeys(
                    self._of(self._given[federation, sex], 2 if chance.random() < 0.4 else 1)
                )
            ),
            int(chance.triangular(1935, 2012, 1995)),
            federation,
            sex,
            int(chance.gauss(1750, 280)) if chance.random() < 0.7 else None,
        )

    def _family(self, federation: str) -> str:
        return self._of(self._families[federation], 1)[0]

    def _of(self, names: Sequence[str], count: int) -> list[str]:
        weights = [1 / (place + 8) for place in range(len(names))]
        return self.chance.choices(names, weights, k=count)

    def reprinted(self, human: Human) -> tuple[str, str]:
        """Returns how the change is called, and the name as it is printed then."""
        ways = [way for way, change in _WAYS.items() if change(self, human) != human.name]
        way = self.chance.choice(ways)
        return way, _WAYS[way](self, human)

    def family_more_or_less(self, human: Human) -> str:
        """The second surname is left out, or one is added."""
        more = (*human.families, self._family(human.federation))
        return replace(human, families=human.families[:1] if human.families[1:] else more).name

    def initials(self, human: Human) -> str:
        """Given names are cut to initials."""
        return replace(human, given=tuple(f"{word[0]}." for word in human.given)).name

    def spelled(self, human: Human) -> str:
        """The name is transcribed otherwise, or loses its accents."""
        name = human.name
        for written, other in NAMINGS[human.federation].spellings:
            name = name.replace(written, other)
        return name

    def mistyped(self, human: Human) -> str:
        """A letter of the surname is missing."""
        first, *others = human.families
        at = self.chance.randrange(1, len(first) - 1)
        return replace(human, families=(first[:at] + first[at + 1 :], *others)).name

    def turned(self, human: Human) -> str:
        """The given names come first, without a comma."""
        return " ".join((*human.given, *human.families))

    def given_more_or_less(self, human: Human) -> str:
        """The second given name is left out, or one is added."""
        more = (*human.given, *self._of(self._given[human.federation, human.sex], 1))
        return replace(human, given=human.given[:1] if human.given[1:] else more).name

    def married(self, human: Human) -> str:
        """A woman has another surname."""
        other = (self._family(human.federation),)
        return replace(human, families=other if human.sex == "w" else human.families).name


_WAYS: Final[Mapping[str, Callable[[Population, Human], str]]] = {
    "another number of surnames": Population.family_more_or_less,
    "initials": Population.initials,
    "spelled otherwise": Population.spelled,
    "mistyped": Population.mistyped,
    "turned": Population.turned,
    "another number of given names": Population.given_more_or_less,
    "married": Population.married,
}
