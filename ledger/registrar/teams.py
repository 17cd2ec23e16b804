"""Commands about teams: entries and line-ups."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from ledger.desk.rounds import announced
from ledger.desk.teams import against_rules, boards_of, lineup_of, match_of, reserves_of, team_of
from ledger.events import desk as de
from ledger.events import tournaments as to
from ledger.events.model import Dated
from ledger.facts.ids import Stays
from ledger.facts.tournament import TournamentRecord
from ledger.registrar.desk import check_exists, check_rounds_open
from ledger.registrar.register import Register
from ledger.registrar.registrar import Command
from ledger.terms import System


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterTeam(Command):
    """Let a team take part, with its players in the order of the boards, reserves last.

    Those who are no players of the event yet are entered with it. Without a starting number it has
    the next one. ``pairing_rating`` is the director's estimate of its strength.
    """

    tournament: str
    team: str
    name: str
    participants: tuple[str, ...]
    pairing_rating: int | None = None
    starting_number: int | None = None

    @property
    def streams(self) -> tuple[str, ...]:
        """The tournament, and its players."""
        return (f"tournament:{self.tournament}", *(f"player:{one}" for one in self.participants))

    def of_survivors(self, stays: Stays) -> Self:
        """Returns the command with the players' ids that stay."""
        return replace(self, participants=tuple(map(stays, self.participants)))

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a team of another system, one that is in, and players who cannot be its."""
        record = register.known_tournament(self.tournament)
        if record.version.system is not System.TEAM_SWISS:
            raise self.refused("team.other_system", system=record.version.system.value)
        self._check_team(record)
        self._check_players(register, record)
        taken = {team.number: id_ for id_, team in record.desk.teams.items()}
        number = self.starting_number or max(taken, default=0) + 1
        if number in taken:
            raise self.refused("tournament.number_taken", number=number, player=taken[number])
        event = self.said(de.TeamEntered, starting_number=number)
        day = record.version.starts_on
        return [*(Dated(day, one) for one in self._entries(record)), Dated(day, event)]

    def _check_team(self, record: TournamentRecord) -> None:
        if self.team in record.desk.teams:
            raise self.refused("team.entered")
        if self.team in (*record.entries, *self.participants):
            raise self.refused("team.id_of_player")
        rules = announced(record)
        most = {"boards": boards_of(rules), "reserves": reserves_of(rules)}
        if len(self.participants) > sum(most.values()):
            raise self.refused("team.too_many_players", count=len(self.participants), **most)

    def _check_players(self, register: Register, record: TournamentRecord) -> None:
        for place, player in enumerate(self.participants):
            register.known_player(player)
            if player in self.participants[:place]:
                raise self.refused("team.player_twice", player=player)
            if (other := team_of(record.desk, player)) is not None:
                raise self.refused("team.of_other_team", player=player, team=other)

    def _entries(self, record: TournamentRecord) -> Iterator[to.PlayerEntered]:
        """Yields the entries of the players who are not in yet."""
        new = [player for player in self.participants if player not in record.entries]
        first = max(record.entries.values(), default=0) + 1
        for number, player in enumerate(new, start=first):
            yield to.PlayerEntered(
                player=player, starting_number=number, tournament=self.tournament
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInLineup(Command):
    """Say who plays for a team in a round, from board 1; it replaces an earlier line-up."""

    tournament: str
    team: str
    round: int
    participants: tuple[str | None, ...]

    @property
    def streams(self) -> tuple[str, ...]:
        """The tournament."""
        return (f"tournament:{self.tournament}",)

    def of_survivors(self, stays: Stays) -> Self:
        """Returns the command with the players' ids that stay."""
        there = (None if one is None else stays(one) for one in self.participants)
        return replace(self, participants=tuple(there))

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a line-up against the rules, and one of a match that has results."""
        record = register.known_tournament(self.tournament)
        check_rounds_open(record)
        if self.team not in record.desk.teams:
            raise self.refused("team.unknown")
        check_exists(record, self.round)
        if why := against_rules(record.desk, self.team, self.participants):
            raise self.refused("team.no_lineup", why=why)
        self._check_unplayed(record)
        boards = boards_of(record.desk.rules)
        whole = (*self.participants, *(None,) * (boards - len(self.participants)))
        before = record.desk.lineups.get((self.round, self.team))
        if before is not None and lineup_of(record.desk, self.round, self.team) == whole:
            raise self.refused("team.lineup_known")
        event = self.said(de.LineupHandedIn, participants=whole)
        return [Dated(record.version.ends_on, event)]

    def _check_unplayed(self, record: TournamentRecord) -> None:
        """Refuses a line-up of a match of which a board is recorded."""
        match = match_of(record, self.round, self.team)
        for board in match.boards if match else ():
            if board.game is not None:
                raise self.refused("team.results_there", pairing=board.game.described())
