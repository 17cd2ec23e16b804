"""Whom a document means, as it is told: members, new people, and those who are doubtful."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from ledger.errors import Conflict, Problem
from ledger.json_form import JsonForm
from ledger.privacy import mask
from ledger.wording import Message

_QUESTIONS: Final = {
    "similar": "import.doubtful_similar",
    "other_name": "import.doubtful_other_name",
    "birth_date": "import.doubtful_birth_date",
    "several": "import.doubtful_several",
    "near": "import.doubtful_near",
    "nobody": "import.doubtful_nobody",
}
"""What is asked, by why somebody is doubtful."""
_YEAR: Final = len("1990")
_NUMBERS_SHOWN: Final = 10


def listed(numbers: Sequence[object]) -> str:
    """Returns numbers as they are listed in a sentence; of many the first."""
    more = ", …" if len(numbers) > _NUMBERS_SHOWN else ""
    return ", ".join(map(str, numbers[:_NUMBERS_SHOWN])) + more


@dataclass(frozen=True, slots=True)
class KnownMember(JsonForm):
    """Somebody in a document who is a member; ``by`` says how that is known.

    ``id`` is the own one, ``issued`` one that somebody else gave, ``printed`` a decision about an
    earlier document of the sender, ``decision`` one about this.
    """

    who: str
    line: int
    name: str
    id: str
    by: str


@dataclass(frozen=True, slots=True)
class Newcomer(JsonForm):
    """Somebody in a document who is new, and the id that is given."""

    who: str
    line: int
    name: str
    id: str


@dataclass(frozen=True, slots=True)
class Candidate(JsonForm):
    """A member who may be meant; ``likely`` is how likely it is, in percent.

    ``birth`` says how the birth date of one with the same name differs (``BirthDifference``).
    ``club`` is today's, ``rating`` the highest in any list, ``last_played_on`` the last day of the
    last tournament with a game.
    """

    id: str
    name: str | None
    federation: str | None
    birth_date: str | None
    sex: str | None
    likely: int
    birth: str | None = None
    club: str | None = None
    rating: int | None = None
    last_played_on: dt.date | None = None


@dataclass(frozen=True, slots=True)
class Doubtful(JsonForm):
    """Somebody in a document of whom a person decides: new, or one of the candidates.

    ``who`` names him in a decision: the starting number, or the id in the document. ``why`` is
    ``similar`` where the name fits members, ``birth_date`` where it is theirs and the birth date is
    not, ``other_name`` where the id is a member's and the name is not; of a name in a table of
    games, which stands on ``lines``, ``several`` where several have it, ``near`` where somebody is
    called nearly so, ``nobody`` where no one is.
    """

    who: str
    line: int
    name: str
    id: str | None
    birth_date: str | None
    federation: str | None
    sex: str | None
    rating: int | None
    why: str
    candidates: Sequence[Candidate]
    club: str | None = None
    lines: Sequence[int] = ()

    @property
    def message(self) -> Message:
        """What is asked, in a line."""
        shown = "; ".join(
            f"{each.id} {each.name or '-'}, {each.federation or '-'},"
            f" {(mask('birth_date', each.birth_date) or '-')[: None if each.birth else _YEAR]}"
            for each in self.candidates
        )
        about = {"who": self.who, "name": self.name, "id": self.id, "birth_date": self.birth_date}
        about["lines"] = listed(self.lines)
        return Message.of(_QUESTIONS[self.why], **about, candidates=shown)

    @property
    def sheet_rows(self) -> Iterator[tuple[object, ...]]:
        """The rows of a decision sheet: one for each candidate (see ``intake.decision_sheets``).

        Of whom nobody is a candidate it has one, too.
        """
        about = self.who, self.name, self.birth_date, self.federation, self.rating
        if not self.candidates:
            yield ("", *about, None, None, None, None, None)
        for each in self.candidates:
            yield ("", *about, each.id, each.name, each.birth_date, each.federation, each.likely)


@dataclass(frozen=True, slots=True)
class LineOfPerson(JsonForm):
    """What a line of a table says of somebody who may stand in it twice."""

    line: int
    id: str | None
    name: str
    birth_date: str | None
    federation: str | None
    sex: str | None
    club: str | None
    rating: int | None

    def __str__(self) -> str:
        parts = (
            self.id, self.name, self.birth_date, self.federation, self.sex, self.club, self.rating
        )  # fmt: skip
        return ", ".join(str(part) for part in parts if part)


@dataclass(frozen=True, slots=True)
class EnteredTwice(JsonForm):
    """Two lines of a table that seem to be of one person, of which the later is to be decided."""

    first: LineOfPerson
    later: LineOfPerson

    @property
    def message(self) -> Message:
        """Both, side by side."""
        first, later = str(self.first), str(self.later)
        return Message.of("import.stands_twice", line=self.first.line, first=first, later=later)


@dataclass(slots=True)
class PeopleMeant(JsonForm):
    """Whom a document means: members, new people, and those of whom somebody has to decide.

    ``twice`` are people who seem to stand in it in two lines.
    """

    members: list[KnownMember] = field(default_factory=list)
    new: list[Newcomer] = field(default_factory=list)
    doubtful: list[Doubtful] = field(default_factory=list)
    twice: list[EnteredTwice] = field(default_factory=list)

    @property
    def questions(self) -> set[Message]:
        """What is asked of who is to be decided."""
        return {each.message for each in self.twice} | {each.message for each in self.doubtful}

    def require_decided(self, file: str, *, only_members: bool = False) -> None:
        """Raises ``Conflict`` where somebody is doubtful, or seems to stand in it twice.

        With ``only_members`` who is doubtful is left out, and nobody has to decide.
        """
        if self.twice:
            details = [Problem(each.message, each.later.line, 0, file) for each in self.twice]
            line = self.twice[0].later.line
            raise Conflict("import.twice", *details, file=file, count=len(details), line=line)
        if self.doubtful and not only_members:
            details = [Problem(each.message, each.line, 0, file) for each in self.doubtful]
            count, first = len(details), self.doubtful[0]
            key = "import.doubtful_names" if first.lines else "import.doubtful"
            best = first.candidates[0].id if first.candidates else "ID"
            raise Conflict(key, *details, file=file, count=count, who=first.who, id=best)

    def notes(self, file: str) -> Iterator[Problem]:
        """Yields what is told of who is to be decided, in a preview, and of ids that were made."""
        yield from (Problem(each.message, each.later.line, 0, file) for each in self.twice)
        yield from (Problem(each.message, each.line, 0, file) for each in self.doubtful)
        without_id = [each for each in self.new if each.id != each.who and "#" in each.id]
        if without_id:
            numbers = listed([each.who for each in without_id])
            values = {"count": len(without_id), "numbers": numbers, "id": without_id[0].id}
            yield Problem(Message.of("import.made_ids", **values), without_id[0].line, 0, file)
