"""The rounds of an event at the desk: who sits where, a round's sheets, teams and their tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ledger.answers.tournaments import no_round, pairing_ratings, require_round, require_tournament
from ledger.desk.teams import (
    matches,
    participants_sheet,
)
from ledger.errors import InputRefused, NotFound
from ledger.facts.tournament import TournamentRecord
from ledger.reports.pairing_cards import PairingCard, pairing_cards
from ledger.reports.round_sheet import (
    RoundResults,
    RoundSheet,
    SeatList,
    published_round,
    round_results,
    seat_list,
)
from ledger.reports.team_tables import TeamTables, team_tables
from ledger.reports.tournaments import Participants, require_entered
from ledger.views.view import LedgerView

BoardNumber: TypeAlias = int | tuple[int, int]
"""A board of a round; in an event of teams the match and its board."""


def seats_at(record: TournamentRecord, round_: int, board: BoardNumber) -> tuple[str, str]:
    """Returns White and Black of a board of a published round, as they sat.

    Raises:
        NotFound: there is no such board.
        InputRefused: a match is not named or there is none, or somebody is missing at the board.
    """
    tournament, published = record.version.tournament, record.desk.rounds[round_]
    place = board if isinstance(board, int) else board[0]
    if not 1 <= place <= len(published.boards):
        raise NotFound(
            "desk.no_board", tournament=tournament, round=round_, board=place,
            boards=len(published.boards),
        )  # fmt: skip
    if isinstance(board, int):
        if record.desk.teams:
            raise InputRefused("team.no_match_named", tournament=tournament)
        return record.seated(round_, published.boards[place - 1])
    if not record.desk.teams:
        raise InputRefused("team.no_teams", tournament=tournament)
    return _seats_of_match(record, round_, place, board[1])


def _seats_of_match(
    record: TournamentRecord, round_: int, place: int, board: int
) -> tuple[str, str]:
    boards = next(each for each in matches(record, round_) if each.place == place).boards
    if not 1 <= board <= len(boards):
        raise NotFound("team.no_board", match=place, board=board, boards=len(boards))
    seat = boards[board - 1]
    if seat.white is None or seat.black is None:
        raise InputRefused("team.lost_by_default", match=place, board=board)
    return record.seated(round_, (seat.white, seat.black))


def team_players(view: LedgerView, tournament: str, team: str) -> Sequence[str]:
    """Returns the players of a team, by id; none where there is no such team.

    Raises:
        NotFound: no such tournament.
    """
    record = require_tournament(view, tournament, view.journal.head().seq)
    team_ = record.desk.teams.get(team)
    return team_.players if team_ else ()


def round_sheet(
    view: LedgerView, tournament: str, round_: int | None = None, *, list_: str | None = None
) -> RoundSheet:
    """Returns the sheet of a published round, by default of the last one.

    Raises:
        NotFound: no such tournament, list or published round.
    """
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq)
    number = record.desk.last_round if round_ is None else round_
    if number not in record.desk.rounds:
        raise NotFound("desk.not_published", tournament=tournament, round=number or 1)
    ratings = pairing_ratings(view, facts, record, list_)
    return published_round(record, number, ratings, facts, view.people(facts))


def seats_of_round(view: LedgerView, tournament: str, round_: int | None = None) -> SeatList:
    """Returns where everybody sits in a published round, by default in the last one, by name.

    Raises as ``round_sheet`` does.
    """
    return seat_list(round_sheet(view, tournament, round_))


def round_as_known(view: LedgerView, tournament: str, round_: int) -> RoundSheet | RoundResults:
    """Returns a round: its sheet where the desk published it, else what is recorded of it.

    Raises:
        NotFound: no such tournament, or nothing is known of the round.
        InputRefused: something is recorded of players who were never entered.
    """
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq)
    if round_ in record.desk.rounds:
        return round_sheet(view, tournament, round_)
    results = round_results(record, round_, facts, view.people(facts))
    if not results.pairings:
        raise no_round(record, round_)
    return results


def tournament_cards(
    view: LedgerView,
    tournament: str,
    *,
    after: int | None = None,
    list_: str | None = None,
) -> list[PairingCard]:
    """Returns the pairing cards of all participants, by number.

    Raises:
        NotFound: no such tournament or list, or no such round yet.
        InputRefused: something is recorded of players who were never entered.
    """
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq)
    require_entered(record)
    require_round(record, after)
    ratings = pairing_ratings(view, facts, record, list_)
    sheet = participants_sheet(record, ratings, after=after)
    return pairing_cards(Participants(record, facts, view.people(facts)), sheet)


def team_tables_of(view: LedgerView, tournament: str, *, after: int | None = None) -> TeamTables:
    """Returns the tables of an event of teams.

    Raises:
        NotFound: no such tournament, or no such round yet.
        InputRefused: it is no event of teams.
    """
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq)
    if not record.desk.teams:
        raise InputRefused("team.none", tournament=tournament)
    require_round(record, after)
    return team_tables(Participants(record, facts, view.people(facts)), after)
