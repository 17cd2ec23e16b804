"""Who takes part in an event, by name: its players, or its teams."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.facts.columns import Facts
from ledger.facts.tournament import TournamentRecord
from ledger.lists.people import People


@dataclass(frozen=True, slots=True)
class Participants:
    """The participants of a tournament, and the players of its teams."""

    record: TournamentRecord
    facts: Facts
    people: People

    def __post_init__(self) -> None:
        """Reads their names at once."""
        self.people.read(self.facts.player_index.of(self.record.entries))

    def name(self, id_: str) -> str:
        """Returns the name of a team or a player; that of an erased player is empty."""
        team = self.record.desk.teams.get(id_)
        return team.name if team else self.people.name(self.facts.player_index[id_]) or ""

    def federation(self, id_: str) -> str | None:
        """Returns the federation of a player, where it is known; teams have none."""
        if id_ in self.record.desk.teams:
            return None
        return self.people.federation(self.facts.player_index[id_])
