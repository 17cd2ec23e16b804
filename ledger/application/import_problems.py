"""What is wrong with a document, gathered while it is taken in: all of it is said at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ledger.errors import Conflict, InputRefused, Problem
from ledger.intake.documents import TournamentSaid
from ledger.intake.reconciliation import Planned, missing
from ledger.registrar.register import Register
from ledger.registrar.registrar import Registrar
from ledger.wording import Message

_SAID_ONCE = {"player.unknown", "player.merged", "tournament.unknown", "tournament.not_entered"}


class ImportProblems:
    """What is wrong with a document, and where it says otherwise than the ledger."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.differences: list[Problem] = []
        self._said: set[Message] = set()

    def add(self, problem: Problem) -> None:
        """Notes a problem; that somebody is unknown is said once, where it is first true."""
        if problem.message.key in _SAID_ONCE and problem.message in self._said:
            return
        self._said.add(problem.message)
        self.problems.append(problem)

    def unready(self, said: TournamentSaid, register: Register) -> bool:
        """Notes why nothing of the tournament can be taken, if so."""
        lacking = missing(said, register)
        record = register.tournaments.get(said.tournament)
        message = None
        if lacking:
            message = Message.of(
                "import.incomplete", tournament=said.tournament, missing=", ".join(lacking)
            )
        elif record is not None and record.annulled:
            message = Message.of("tournament.annulled", tournament=said.tournament)
        if message is not None:
            self.add(Problem(message, said.place.line, said.place.column))
        return message is not None

    def take(self, planned: Planned, registrar: Registrar, *, as_correction: bool) -> None:
        """Lets the registrar take what is planned; notes why it cannot, or must not."""
        difference = planned.problem()
        if difference and not as_correction:
            self.differences.append(difference)
            return
        try:
            registrar.take(planned.command)
        except (InputRefused, Conflict) as error:
            self.add(Problem(error.message, planned.place.line, planned.place.column))

    def raise_any(self) -> None:
        """Refuses the document, if there is a reason to."""
        if self.problems:
            raise refused(self.file, self.problems)
        if self.differences:
            # What replaces a pairing and what is struck for it are one difference.
            details = _in_order(self.file, list(dict.fromkeys(self.differences)))
            raise Conflict("import.conflict", *details, file=self.file, count=len(details))


def refused(file: str, problems: Sequence[Problem]) -> InputRefused:
    """Returns the refusal of a document, its problems in the order of its lines."""
    details = _in_order(file, problems)
    return InputRefused("import.refused", *details, file=file, count=len(details))


def _in_order(file: str, problems: Sequence[Problem]) -> list[Problem]:
    named = [replace(problem, file=file) for problem in problems]
    return sorted(named, key=lambda problem: (problem.line, problem.column))
