"""Commands about teams: entries and line-ups."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

from ledger.desk.rounds import announced
from ledger.desk.teams import against_rules, boards_of, lineup_of, match_of, reserves_of, team_of
from ledger.events import desk as de
from ledger.events import tournaments as to
from ledger.events.model import Dated
from ledger.facts.tournament import TournamentRecord
from ledger.operations.participants import EnterTeam, HandInLineup
from ledger.registrar.deciders import decides
from ledger.registrar.desk import check_exists, check_rounds_open
from ledger.registrar.register import Register
from ledger.terms import System


@decides(EnterTeam)
def enter_team(command: EnterTeam, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses a team of another system, one that is in, and players who cannot be its."""
    record = register.known_tournament(command.tournament)
    if record.version.system is not System.TEAM_SWISS:
        raise command.refused("team.other_system", system=record.version.system.value)
    _check_team(command, record)
    _check_players(command, register, record)
    taken = {team.number: id_ for id_, team in record.desk.teams.items()}
    number = command.starting_number or max(taken, default=0) + 1
    if number in taken:
        raise command.refused("tournament.number_taken", number=number, player=taken[number])
    event = command.event(de.TeamEntered, starting_number=number)
    day = record.version.starts_on
    return [*(Dated(day, one) for one in _entries(command, record)), Dated(day, event)]


def _check_team(command: EnterTeam, record: TournamentRecord) -> None:
    if command.team in record.desk.teams:
        raise command.refused("team.entered")
    if command.team in (*record.entries, *command.participants):
        raise command.refused("team.id_of_player")
    rules = announced(record)
    most = {"boards": boards_of(rules), "reserves": reserves_of(rules)}
    if len(command.participants) > sum(most.values()):
        raise command.refused("team.too_many_players", count=len(command.participants), **most)


def _check_players(command: EnterTeam, register: Register, record: TournamentRecord) -> None:
    for place, player in enumerate(command.participants):
        register.known_player(player)
        if player in command.participants[:place]:
            raise command.refused("team.player_twice", player=player)
        if (other := team_of(record.desk, player)) is not None:
            raise command.refused("team.of_other_team", player=player, team=other)


def _entries(command: EnterTeam, record: TournamentRecord) -> Iterator[to.PlayerEntered]:
    """Yields the entries of the players who are not in yet."""
    new = [player for player in command.participants if player not in record.entries]
    first = max(record.entries.values(), default=0) + 1
    for number, player in enumerate(new, start=first):
        yield to.PlayerEntered(player=player, starting_number=number, tournament=command.tournament)


@decides(HandInLineup)
def hand_in_lineup(command: HandInLineup, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses a line-up against the rules, and one of a match that has results."""
    record = register.known_tournament(command.tournament)
    check_rounds_open(record)
    if command.team not in record.desk.teams:
        raise command.not_found("team.unknown")
    check_exists(record, command.round)
    if why := against_rules(record.desk, command.team, command.participants):
        raise command.refused("team.no_lineup", why=why)
    _check_unplayed(command, record)
    boards = boards_of(record.desk.rules)
    whole = (*command.participants, *(None,) * (boards - len(command.participants)))
    before = record.desk.lineups.get((command.round, command.team))
    if before is not None and lineup_of(record.desk, command.round, command.team) == whole:
        raise command.refused("team.lineup_known")
    event = command.event(de.LineupHandedIn, participants=whole)
    return [Dated(record.version.ends_on, event)]


def _check_unplayed(command: HandInLineup, record: TournamentRecord) -> None:
    """Refuses a line-up of a match of which a board is recorded."""
    match = match_of(record, command.round, command.team)
    for board in match.boards if match else ():
        if board.game is not None:
            raise command.refused("team.results_there", pairing=board.game.described())
