"""What is wrong with a document, and what is odd in it, in bounded memory whatever it holds.

A document of nothing but mistakes is not read to its end: the first thousand say enough. What is
odd is told by kind: of each kind so many are kept, and the rest is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from ledger.errors import InputRefused, Problem
from ledger.intake.documents import SourcePlace

MOST_PROBLEMS: Final = 1_000
"""So many problems of a document are named, and one more ends reading; and kept of what is odd."""
STOPPED: Final = "import.stopped"
"""The key of the refusal of a document that was not read to its end."""


@dataclass(slots=True)
class Problems:
    """Collects what is wrong with a document, of the name ``file``; ``MOST_PROBLEMS`` at most."""

    found: list[Problem] = field(default_factory=list)
    file: str = ""

    def add(self, place: SourcePlace, key: str, **values: object) -> None:
        """Notes one more problem; see ``take``."""
        self.take(Problem.of(key, place.line, place.column, **values))

    def take(self, problem: Problem) -> None:
        """Takes one more problem.

        Raises:
            InputRefused: so many were found before that it is not read further; with these.
        """
        if len(self.found) >= MOST_PROBLEMS:
            raise refused(self.file, self.found, is_stopped=True)
        self.found.append(problem)

    def take_all(self, problems: Iterable[Problem]) -> None:
        """Takes further problems, one by one; see ``take``."""
        for problem in problems:
            self.take(problem)


def refused(file: str, problems: Iterable[Problem], *, is_stopped: bool = False) -> InputRefused:
    """Returns the refusal of a document, its problems in the order of its lines.

    ``is_stopped`` says that it was not read to its end.
    """
    details = in_order(replace(each, file=file) for each in problems)
    values: dict[str, object] = {"file": file, "count": len(details)}
    if is_stopped:
        return InputRefused(STOPPED, *details, **values, line=details[-1].line)
    return InputRefused("import.refused", *details, **values)


def in_order(found: Iterable[Problem]) -> list[Problem]:
    """Returns problems by line and column."""
    return sorted(found, key=lambda each: (each.line, each.column))


class Oddities:
    """What is odd in a document and refuses nothing: of each kind ``MOST_PROBLEMS`` are kept."""

    def __init__(self) -> None:
        self._kept: list[Problem] = []
        self._counts: Counter[str] = Counter()

    def take(self, note: Problem) -> None:
        """Takes one more; it is counted only where many of its kind are kept."""
        key = note.message.key
        self._counts[key] += 1
        if self._counts[key] <= MOST_PROBLEMS:
            self._kept.append(note)

    def take_all(self, notes: Iterable[Problem]) -> None:
        """Takes further ones."""
        for note in notes:
            self.take(note)

    def __iter__(self) -> Iterator[Problem]:
        """Yields those that are kept by line and column, then how many are not."""
        yield from in_order(self._kept)
        more = sum(
            count - MOST_PROBLEMS for count in self._counts.values() if count > MOST_PROBLEMS
        )
        if more:
            yield Problem.of("import.more_notes", count=more, most=MOST_PROBLEMS)
