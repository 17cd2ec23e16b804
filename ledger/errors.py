"""Every failure a user can act on, on one page.

::

    LedgerError                    exit code
    ├── VerificationFailed             3     a digest or hash is not the recorded one
    ├── InputRefused                   4     a document or command that cannot be accepted
    │   ├── DocumentRefused            4     a document as a whole, for no place in it
    │   └── RightsLacking              4     an account that may not do it, or not any more
    ├── Conflict                       5     the same thing again with other content
    │   └── Outdated                   5     the ledger is not at the seq any more that was seen
    ├── DatabaseError                  6     the database is missing, locked, full, too new …
    │   └── Unreachable                6     its server cannot be asked now, whatever it holds
    ├── NotFound                       7     nothing has that name
    ├── NothingChecked                 8     a check had nothing to hold anything against
    └── Interrupted                  130     somebody pressed Ctrl-C

An error carries a *keyed* message (see ``ledger.wording``), never a finished sentence: the faces
choose the language. Its values quote the offending input. Anything else that is raised is our own
bug and ends with exit code 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ledger.wording import Message, visible


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a document, at a place in it (1-based; 0 where there is none)."""

    message: Message
    line: int = 0
    column: int = 0
    file: str = ""

    @classmethod
    def of(cls, key: str, line: int = 0, column: int = 0, /, **values: object) -> Problem:
        """Returns a problem with a keyed message."""
        return cls(Message.of(key, **values), line, column)

    def within(self, language: str) -> str:
        """Returns it as a line in a language: ``file:line:column: sentence``."""
        said = self.message.within(language)
        where = ":".join(str(part) for part in (visible(self.file), self.line, self.column) if part)
        return f"{where}: {said}" if where else said

    def data(self, language: str) -> dict[str, str | int | None]:
        """Returns it as JSON data, with its sentence in a language."""
        return {
            "file": self.file or None,
            "line": self.line or None,
            "column": self.column or None,
            "message": self.message.within(language),
        }


class LedgerError(Exception):
    """Something the user can act on; ``message`` says what it is and what to do."""

    exit_code: ClassVar[int]

    def __init__(self, key: str, /, *details: Problem, **values: object) -> None:
        self.message = Message.of(key, **values)
        self.details = details
        super().__init__(key)

    def within(self, language: str) -> str:
        """Returns its message in a language."""
        return self.message.within(language)

    def __str__(self) -> str:
        lines = [str(self.message)]
        lines += [
            f"  {d.line}:{d.column} {d.message}" if d.line else f"  {d.message}"
            for d in self.details
        ]
        return "\n".join(lines)


class VerificationFailed(LedgerError):
    """Recorded and recomputed hashes or digests differ."""

    exit_code = 3


class InputRefused(LedgerError):
    """A document or command that cannot be accepted; ``details`` holds all its problems."""

    exit_code = 4


class DocumentRefused(InputRefused):
    """A document as a whole, for no place in it; ``file`` is its name, where a face has set it."""

    file: str = ""

    def within(self, language: str) -> str:
        """Returns its message in a language, with the file before it where there is one."""
        return Problem(self.message, file=self.file).within(language)


class RightsLacking(InputRefused):
    """The account in whose name something is to be recorded may not do it, or not any more."""


class Conflict(LedgerError):
    """The same thing was recorded before with other content; ``details`` is the difference."""

    exit_code = 5


class Outdated(Conflict):
    """Something was recorded after the seq at which somebody decided what to ask for."""


class DatabaseError(LedgerError):
    """The database cannot be used as it is."""

    exit_code = 6


class Unreachable(DatabaseError):
    """The database's server is away: that says nothing of what it holds."""


class NotFound(LedgerError):
    """No player, tournament, list, period or edition of that name."""

    exit_code = 7


class NothingChecked(LedgerError):
    """A check found no difference because it had nothing to hold anything against."""

    exit_code = 8


class Interrupted(LedgerError):
    """A command was interrupted; the message says what it has recorded all the same."""

    exit_code = 130
