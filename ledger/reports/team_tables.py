"""The tables of an event of teams: a row a team, and a row a player by board.

Chavarría 1975, EL SISTEMA SUIZO EN TORNEOS POR EQUIPOS: the team table has in each round how the
boards ended, the colour and the opponent, with the match points so far; the individual table has
each player's results on his board, reserves last, and decides the prizes of the boards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, groupby

from ledger.desk.score_sheet import Card, CardLine, How, ScoreSheet
from ledger.desk.teams import Match, boards_of, matches, participants_sheet
from ledger.facts.tournament import TournamentRecord
from ledger.identifiers import TournamentId
from ledger.json_form import JsonForm
from ledger.reports.tournaments import Participants
from ledger.terms import Colour


@dataclass(frozen=True, slots=True)
class TeamCell(JsonForm):
    """A round of a team.

    ``boards`` are its board points and the opponent's, None without a match; ``points`` the match
    points so far, ``board_points`` those of the boards so far. ``how`` is a word of ``How``.
    """

    round: int
    how: How
    boards: tuple[Fraction, Fraction] | None
    colour: Colour | None
    opponent: int | None
    points: Fraction
    board_points: Fraction


@dataclass(frozen=True, slots=True)
class TeamRow(JsonForm):
    """A team with its rounds, in order."""

    number: int
    id: str
    name: str
    rounds: tuple[TeamCell, ...]
    points: Fraction
    board_points: Fraction


@dataclass(frozen=True, slots=True)
class IndividualResult(JsonForm):
    """What a board brought a player; ``circled`` says that it was given without play."""

    round: int
    board: int
    points: Fraction
    circled: bool


@dataclass(frozen=True, slots=True)
class IndividualRow(JsonForm):
    """A player of a team; ``board`` is None for a reserve. ``games`` counts those played."""

    team: int
    board: int | None
    id: str
    name: str
    results: tuple[IndividualResult, ...]
    points: Fraction
    games: int


@dataclass(frozen=True, slots=True)
class BoardPrize(JsonForm):
    """A player's place among those of the same board of all teams; reserves have their own."""

    board: int | None
    place: int
    team: int
    id: str
    name: str
    points: Fraction
    games: int


@dataclass(frozen=True, slots=True)
class TeamTables(JsonForm):
    """Both tables after a round, and the best of each board."""

    tournament: TournamentId
    name: str
    after: int
    teams: tuple[TeamRow, ...]
    players: tuple[IndividualRow, ...]
    prizes: tuple[BoardPrize, ...]


def team_tables(participants: Participants, after: int | None = None) -> TeamTables:
    """Makes the tables of an event of teams.

    Args:
        participants: the tournament and its names.
        after: the last round that counts (default: all).
    """
    record = participants.record
    sheet = participants_sheet(record, after=after)
    players = tuple(_players(participants, sheet))
    return TeamTables(
        tournament=record.version.tournament,
        name=record.version.name,
        after=sheet.played,
        teams=tuple(_team(participants, sheet, card) for card in sheet.cards.values()),
        players=players,
        prizes=tuple(board_prizes(players)),
    )


# The team table


def _team(participants: Participants, sheet: ScoreSheet, card: Card) -> TeamRow:
    points = accumulate(line.halves for line in card.lines)
    boards = accumulate(line.board_halves for line in card.lines)
    cells = (
        TeamCell(
            round=line.round,
            how=line.how,
            boards=_boards(sheet, card, line),
            colour=line.colour,
            opponent=line.opponent,
            points=Fraction(halves, 2),
            board_points=Fraction(of_boards, 2),
        )
        for line, halves, of_boards in zip(card.lines, points, boards, strict=True)
    )
    total = sum(line.board_halves for line in card.lines)
    return TeamRow(
        number=card.number,
        id=card.player,
        name=participants.name(card.player),
        rounds=tuple(cells),
        points=Fraction(card.halves, 2),
        board_points=Fraction(total, 2),
    )


def _boards(sheet: ScoreSheet, card: Card, line: CardLine) -> tuple[Fraction, Fraction] | None:
    """Returns what the boards of a match brought both teams."""
    if line.opponent is None:
        return None
    facing = sheet.cards[line.opponent].line(line.round)
    assert facing is not None, f"{card.player} has an opponent who has no such round"
    return Fraction(line.board_halves, 2), Fraction(facing.board_halves, 2)


# The individual table


def _players(participants: Participants, sheet: ScoreSheet) -> Iterator[IndividualRow]:
    """Yields the players of the teams by number, in the order of the boards."""
    record = participants.record
    results = _results(record, sheet.played)
    boards = boards_of(record.desk.rules)
    for card in sheet.cards.values():
        for place, player in enumerate(record.desk.teams[card.player].players, start=1):
            own = tuple(results.get(player, ()))
            yield IndividualRow(
                team=card.number,
                board=place if place <= boards else None,
                id=player,
                name=participants.name(player),
                results=own,
                points=sum((each.points for each in own), Fraction(0)),
                games=sum(not each.circled for each in own),
            )


def _results(record: TournamentRecord, after: int) -> Mapping[str, list[IndividualResult]]:
    found: dict[str, list[IndividualResult]] = {}
    for round_ in range(1, after + 1):
        for match in matches(record, round_):
            for player, result in _of_match(match):
                found.setdefault(player, []).append(result)
    return found


def _of_match(match: Match) -> Iterator[tuple[str, IndividualResult]]:
    """Yields what each board brought who sat there; a board without a result nothing."""
    for number, board in enumerate(match.boards, start=1):
        if board.how is How.OPEN:
            continue
        circled = board.how is How.FORFEIT
        for player, halves in zip((board.white, board.black), board.halves, strict=True):
            if player is not None:
                yield (
                    player,
                    IndividualResult(match.round, number, Fraction(halves, 2), circled),
                )


def _prize(row: IndividualRow, place: int) -> BoardPrize:
    return BoardPrize(row.board, place, row.team, row.id, row.name, row.points, row.games)


def board_prizes(players: tuple[IndividualRow, ...]) -> Iterator[BoardPrize]:
    """Yields the players of each board by their points; reserves are a board of their own.

    The text says no more than that the table decides. Of equal points those made over the board
    stand higher, then fewer games. Who is equal then shares the place.
    """

    def board(row: IndividualRow) -> tuple[bool, int]:
        return row.board is None, row.board or 0

    def key(row: IndividualRow) -> tuple[Fraction, Fraction, int]:
        played = (each.points for each in row.results if not each.circled)
        return -row.points, -sum(played, Fraction(0)), row.games

    for _, rows in groupby(sorted(players, key=board), key=board):
        ordered = sorted((row for row in rows if row.results), key=key)
        place = 0
        for _, equal in groupby(ordered, key=key):
            sharing = list(equal)
            yield from (_prize(row, place + 1) for row in sharing)
            place += len(sharing)
