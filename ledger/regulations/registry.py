"""Finds a regulation by its id: those of this package, and those that others bring.

A package outside adds a regulation by an entry point of the group ``rating_ledger.regulations``
that names a subclass of ``Regulation``. Its id begins with the package's name and a dot: so it can
never be one of this package's, and a ledger that adopted it tells which package it needs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.metadata import EntryPoint, entry_points
from inspect import isabstract

from ledger.errors import LedgerError, NotFound, VerificationFailed
from ledger.rating.postings import FIRST_OWN, LAST_OWN
from ledger.regulations.description import read_parameters
from ledger.regulations.early_systems import EloLinear, HarknessGames, HarknessPercentage
from ledger.regulations.enf_2010 import Enf2010
from ledger.regulations.fenamac_1973 import Fenamac1973, Uanl1975
from ledger.regulations.fide import FideStandard
from ledger.regulations.fide_1972 import Fide1972
from ledger.regulations.fide_rapid import FideBlitz, FideRapid
from ledger.regulations.interface import Regulation
from ledger.regulations.translations import quoted_text
from ledger.wording import Wording

ENTRY_POINTS = "rating_ledger.regulations"
# What a list may adopt, as the event of it says.
_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,60}")
_EXPLAINED = re.compile(r" \(|, ")
_SAID = ("ID", "TITLE", "SOURCE", "COVERAGE", "PARAMETERS")
OWN: dict[str, type[Regulation]] = {
    regulation.ID: regulation
    for regulation in (
        Enf2010,
        FideStandard,
        FideRapid,
        FideBlitz,
        Fide1972,
        Fenamac1973,
        Uanl1975,
        HarknessPercentage,
        HarknessGames,
        EloLinear,
    )
}


@dataclass(frozen=True, slots=True)
class Outside:
    """What other packages bring: usable regulations by id, each one's package, what is broken.

    ``broken`` are the failures, each with the package whose entry point it is about.
    """

    regulations: dict[str, type[Regulation]]
    packages: dict[str, str]
    broken: tuple[tuple[str, LedgerError], ...]


def regulations() -> dict[str, type[Regulation]]:
    """Returns every usable regulation by its id: the package's own first, then the others by id."""
    return OWN | outside().regulations


def short_title(id_: str) -> Wording:
    """Returns what pages call a regulation: its title without what explains it.

    The id where the regulation is not here.

    >>> print(short_title("enf-2010"), "-", short_title("fide-standard").within("es"))
    ENF 2010 - Ratings clásicos de la FIDE
    """
    known = regulations().get(id_)
    title = Wording(id_, id_) if known is None else quoted_text(known.TITLE)
    return Wording(*(_EXPLAINED.split(text, maxsplit=1)[0] for text in (title.en, title.es)))


@cache
def outside() -> Outside:
    """Returns the regulations of other packages; an entry point that cannot be used stops none."""
    usable: dict[str, tuple[EntryPoint, type[Regulation]]] = {}
    broken: list[tuple[str, LedgerError]] = []
    claimed: set[str] = set()
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
        try:
            regulation = _loaded(point)
        except LedgerError as error:
            broken.append((_package(point), error))
            continue
        if regulation.ID in OWN or regulation.ID in claimed:
            taken = _unusable(point, f"the id {regulation.ID} is taken")
            broken.append((_package(point), taken))
            usable.pop(regulation.ID, None)  # of two that claim an id neither is to be trusted
        else:
            usable[regulation.ID] = point, regulation
        claimed.add(regulation.ID)
    return Outside(
        regulations={name: regulation for name, (_, regulation) in sorted(usable.items())},
        packages={name: _package(point) for name, (point, _) in usable.items()},
        broken=tuple(broken),
    )


def _loaded(point: EntryPoint) -> type[Regulation]:
    """Returns what an entry point names, if it can be used as a regulation."""
    try:
        regulation = point.load()
    except Exception as error:
        # Whatever goes wrong in a package we do not know is its author's to hear.
        raise _unusable(point, f"{type(error).__name__}: {error}") from error
    if not (isinstance(regulation, type) and issubclass(regulation, Regulation)):
        raise _unusable(point, "it names no subclass of ledger.regulations.interface.Regulation")
    if absent := [name for name in _SAID if not hasattr(regulation, name)]:
        raise _unusable(point, f"it does not say its {', '.join(absent)}")
    if isabstract(regulation):
        missing = ", ".join(sorted(regulation.__abstractmethods__))
        raise _unusable(point, f"it has no {missing}")
    prefix = f"{_package(point)}."
    if regulation.ID not in OWN and not (
        regulation.ID.startswith(prefix) and _ID.fullmatch(regulation.ID)
    ):
        why = f"its id must be '{prefix}' and a name in small letters, not '{regulation.ID}'"
        raise _unusable(point, why)
    numbers = [reason.number for reason in regulation.REASONS]
    if len(set(numbers)) < len(numbers) or not all(FIRST_OWN <= n <= LAST_OWN for n in numbers):
        why = f"its REASONS need a number each, {FIRST_OWN} to {LAST_OWN}, not {numbers}"
        raise _unusable(point, why)
    return regulation


def _package(point: EntryPoint) -> str:
    """Returns the normalized name of the package that has an entry point."""
    return re.sub(r"[-_.]+", "-", point.dist.name if point.dist else "").lower()


def _unusable(point: EntryPoint, why: str) -> LedgerError:
    return VerificationFailed(
        "regulation.bad_entry_point",
        name=point.name,
        value=point.value,
        package=_package(point),
        why=why,
    )


def found(regulation_id: str) -> type[Regulation]:
    """Returns the regulation of that id.

    Raises:
        NotFound: there is none; its package is named, where its id names one.
        VerificationFailed: its package is there, but cannot be used.
    """
    regulation = OWN.get(regulation_id) or outside().regulations.get(regulation_id)
    if regulation is not None:
        return regulation
    package, of_package, _ = regulation_id.partition(".")
    for broken, error in outside().broken:
        if of_package and broken == package:
            raise error
    known = ", ".join(sorted(regulations()))
    if of_package:
        raise NotFound(
            "regulation.no_package", regulation=regulation_id, package=package, known=known
        )
    raise NotFound("regulation.unknown", regulation=regulation_id, known=known)


def adopted(regulation_id: str, parameters: Mapping[str, int | str]) -> Regulation:
    """Returns the regulation with its parameters; of equal ones the same, which never changes.

    Raises:
        NotFound: there is no regulation of that id.
        InputRefused: a parameter is unknown or does not fit.
    """
    said = sorted((name, str(value)) for name, value in parameters.items())
    return _set(found(regulation_id), tuple(said))


@lru_cache
def _set(regulation: type[Regulation], parameters: tuple[tuple[str, str], ...]) -> Regulation:
    return regulation(read_parameters(regulation.PARAMETERS, dict(parameters)))
