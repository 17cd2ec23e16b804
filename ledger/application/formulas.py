"""Names and ids of a document that a spreadsheet would execute: noted, never refused."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.errors import Problem
from ledger.intake.documents import PlayerSaid, SourcePlace, TournamentSaid
from ledger.spreadsheet import is_formula
from ledger.wording import Message


class Formulas:
    """Collects them, each once; one note tells of all."""

    def __init__(self) -> None:
        self._found: dict[str, SourcePlace] = {}

    def look_at_player(self, said: PlayerSaid) -> None:
        """Takes in what a document says of a player."""
        self._look_at(said.place, said.player, said.identity.name)

    def look_at_tournament(self, said: TournamentSaid) -> None:
        """Takes in what a document says of a tournament."""
        self._look_at(said.place, said.tournament, said.name, said.city)

    def notes(self, file: str) -> Iterator[Problem]:
        """Yields a note of how many there are, at the first one; nothing where there is none."""
        for text, place in self._found.items():
            message = Message.of("import.formulas", count=len(self._found), first=text)
            yield Problem(message, place.line, place.column, file)
            return

    def _look_at(self, place: SourcePlace, *texts: str | None) -> None:
        for text in texts:
            if text is not None and is_formula(text):
                self._found.setdefault(text, place)
