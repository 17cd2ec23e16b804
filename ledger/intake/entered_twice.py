"""People who stand twice in one table: noticed while it is read, and not taken twice.

Somebody stands twice whose id does; in a table without ids whoever has the name of somebody before,
unless birth date or sex differ; in one with ids who has also the same birth date and is no member
yet. Of each later line a person says whether it is the *same* person, then the line is left out,
or stands *apart*.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final

from ledger.errors import InputRefused, Problem
from ledger.events.personal import Identity
from ledger.intake.documents import Document, PlayerSaid
from ledger.intake.problems import MOST_PROBLEMS
from ledger.service.people_meant import EnteredTwice, LineOfPerson, listed
from ledger.spelling import folded
from ledger.wording import Message

EVERY_LINE: Final = "all"
_FULL: Final = len("2010-07-23")


class LinesOfOne:
    """The lines of a table that seem to be of somebody before; ``document`` says of which what.

    ``repeat`` is told who comes again under an id, ``admit`` is asked of everybody else.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._by_birth: dict[int, int] = {}  # of a register no more is kept than a line
        self._by_name: dict[str, list[tuple[int, Identity]]] = {}
        self._later: list[tuple[int, PlayerSaid]] = []  # with the line before
        self._left_out: list[int] = []
        self._apart = set[int]()

    def repeat(self, player: PlayerSaid, line: int) -> None:
        """Takes in who stands under the same id in a line before."""
        if self._is_decided(self._document.same, player):
            self._left_out.append(player.place.line)
        else:
            self._ask(player, line)

    def admit(self, player: PlayerSaid) -> bool:
        """Whether somebody is to be taken: not who is decided to be the same as one before."""
        line = self._line_before(player)
        if line is None:
            return True
        if self._is_decided(self._document.same, player):
            self._left_out.append(player.place.line)
            return False
        if self._is_decided(self._document.apart, player):
            self._apart.add(player.place.line)
        else:
            self._ask(player, line)
        return True

    def _ask(self, player: PlayerSaid, line: int) -> None:
        if len(self._later) == MOST_PROBLEMS:
            values = {"file": self._document.name, "most": MOST_PROBLEMS, "line": player.place.line}
            raise InputRefused("import.many_twice", **values)
        self._later.append((line, player))

    def _line_before(self, player: PlayerSaid) -> int | None:
        """Returns the line before of whoever may be the same person; None where there is none."""
        identity, line = player.identity, player.place.line
        name, born = folded(identity.name), identity.birth_date or ""
        if not player.is_made:
            if len(born) < _FULL:
                return None
            before = self._by_birth.setdefault(hash((name, born)), line)
            return None if before == line else before
        known = self._by_name.setdefault(" ".join(sorted(name.split())), [])
        fitting = (before for before, each in known if _may_be(each, identity))
        first = next(fitting, None)
        known.append((line, identity))
        return first

    @staticmethod
    def _is_decided(lines: Collection[str], player: PlayerSaid) -> bool:
        return EVERY_LINE in lines or str(player.place.line) in lines

    def pairs(
        self,
        players: Iterable[PlayerSaid],
        recorded: Callable[[Collection[str]], Collection[str]],
    ) -> list[EnteredTwice]:
        """Returns who is to be decided, beside the line before.

        Args:
            players: all that were taken, once more.
            recorded: which of some ids are those of members.

        Raises:
            InputRefused: a line was decided in which nobody stands twice.
        """
        lines = {line for line, _ in self._later}
        first = {each.place.line: each for each in players if each.place.line in lines}
        both = [(first[line], later) for line, later in self._later if line in first]
        members = recorded([each.player for pair in both for each in pair if not each.is_made])
        found = [
            EnteredTwice(_shown(one), _shown(other))
            for one, other in both
            if one.player == other.player or not {one.player, other.player} <= {*members}
        ]
        self._require_used(found)
        return found

    def _require_used(self, found: Collection[EnteredTwice]) -> None:
        known = {*map(str, self._left_out), *map(str, self._apart)}
        for line in (*self._document.same, *self._document.apart):
            if line not in {EVERY_LINE, *known}:
                lines = ", ".join(str(each.later.line) for each in found) or "-"
                raise InputRefused(
                    "import.nobody_twice", line=line, file=self._document.name, lines=lines
                )

    def notes(self) -> Iterator[Problem]:
        """Yields a note of the lines that are left out."""
        if self._left_out:
            lines = self._left_out
            message = Message.of("import.lines_left_out", count=len(lines), lines=listed(lines))
            yield Problem(message, lines[0], 0, self._document.name)


def _may_be(one: Identity, other: Identity) -> bool:
    """Whether nothing that is said of two people of one name tells them apart."""
    born, later = one.birth_date or "", other.birth_date or ""
    is_other = one.sex and other.sex and one.sex != other.sex
    return not is_other and (born.startswith(later) or later.startswith(born))


def _shown(player: PlayerSaid) -> LineOfPerson:
    identity = player.identity
    return LineOfPerson(
        player.place.line, None if player.is_made else player.player, identity.name,
        identity.birth_date, player.federation, identity.sex, player.club, player.rating,
    )  # fmt: skip
