"""An event of teams: matches, their boards, and the teams as participants.

Chavarría 1975, EL SISTEMA SUIZO EN TORNEOS POR EQUIPOS: the team is the unit. A match won is worth
a point, a drawn one half, by the sum of its boards. A team's colour is that of board 1; odd boards
have it, even boards the other (D17). Who is missing loses the board by default, the others play. A
bye is a won match, with half of the boards and a half for board points (D18).

Every board is a game of two players and recorded as any other. ``participants_of`` makes of a
tournament one whose participants are the teams, so that pairing, score sheet, standings and forms
need not know what a participant is.

Each captain hands in the list of every round. The order of the regular players does not change. Who
is missing on one of the first boards makes the others move up ("correr"), and the reserve comes in
behind; on the last boards (3 and 4 of four) a reserve may also take the place of who is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Final

from ledger.desk.score_sheet import WIN, Card, CardLine, How, ScoreSheet, bye_of, score_sheet
from ledger.events.desk import RulesAnnounced
from ledger.facts.desk import DeskRecord, EnteredTeam
from ledger.facts.tournament import PairingRecord, Status, TournamentRecord
from ledger.identifiers import NO_EVENT, Seq
from ledger.rating.rounding import half_up
from ledger.results import Result, Termination
from ledger.terms import Colour
from ledger.wording import Message

BOARDS: Final = 4
RESERVES: Final = 1
"""Boards of a match and reserves of a team where no others are announced: the text's examples."""


def boards_of(rules: RulesAnnounced | None) -> int:
    """Returns the boards of a match."""
    return (rules.team_boards if rules else None) or BOARDS


def reserves_of(rules: RulesAnnounced | None) -> int:
    """Returns how many reserves a team may have."""
    announced = rules.team_reserves if rules else None
    return RESERVES if announced is None else announced


def lineup_of(desk: DeskRecord, round_: int, team: str) -> tuple[str | None, ...]:
    """Returns who plays for a team in a round, from board 1; None where nobody does.

    Without a line-up handed in they are the regular players in their order.
    """
    boards = boards_of(desk.rules)
    said = desk.lineups.get((round_, team)) or desk.teams[team].players[:boards]
    return (*said, *(None,) * (boards - len(said)))[:boards]


def team_of(desk: DeskRecord, player: str) -> str | None:
    """Returns the team of a player."""
    return next((id_ for id_, team in desk.teams.items() if player in team.players), None)


_BYE_BOARDS: Final = {2: 1, 1: 1, 0: 0}  # half points of each board; D18: a won one has one more

# Matches


@dataclass(frozen=True, slots=True)
class MatchBoard:
    """A board of a match: who has White and Black, None who is missing; what is recorded of it.

    They are those of the line-ups, also where the two sat with the colours reversed.
    """

    white: str | None
    black: str | None
    game: PairingRecord | None

    @property
    def seats(self) -> tuple[str, ...]:
        """Who sits there."""
        return tuple(one for one in (self.white, self.black) if one is not None)

    def described(self) -> str:
        """Describes who sits there: ``12 - 34``, ``12 - `` where Black is missing."""
        return f"{self.white or ''} - {self.black or ''}"

    @property
    def halves(self) -> tuple[int, int]:
        """White's and Black's half points; who sits alone has won by default."""
        if self.white is None or self.black is None:
            return WIN * (self.white is not None), WIN * (self.black is not None)
        game = self.game
        return (0, 0) if game is None else (game.halves(self.white), game.halves(self.black))

    @property
    def reversed(self) -> bool:
        """Whether the two sat with the colours reversed."""
        return self.game is not None and self.game.white == self.black

    @property
    def how(self) -> How:
        """How it went."""
        if self.white is None or self.black is None:
            return How.FORFEIT
        if self.game is None or self.game.result is None:
            return How.OPEN
        return How.FORFEIT if self.game.is_forfeit else How.PLAYED

    @property
    def temporary(self) -> bool:
        """Whether it has a result for the pairing only."""
        return self.game is not None and self.game.status == "temporary"


@dataclass(frozen=True)
class Match:
    """Two teams in a round: the first has White on the odd boards, the other on the even ones."""

    round: int
    place: int
    teams: tuple[str, str]
    boards: tuple[MatchBoard, ...]

    def of_white(self, board: int) -> str:
        """Returns the team that has White on a board, from 1."""
        return self.teams[0 if board % 2 else 1]

    def colour_of(self, team: str, board: int) -> Colour:
        """Returns the colour that a team had on a board, from 1, as it was sat."""
        has_white = (self.of_white(board) == team) != self.boards[board - 1].reversed
        return Colour.WHITE if has_white else Colour.BLACK

    def halves_of(self, team: str) -> tuple[int, ...]:
        """Returns what each board brought a team, in half points."""
        return tuple(
            board.halves[0 if self.of_white(number) == team else 1]
            for number, board in enumerate(self.boards, start=1)
        )

    @cached_property
    def halves(self) -> tuple[int, int]:
        """The sums of the boards of both teams, in half points."""
        one, other = self.teams
        return sum(self.halves_of(one)), sum(self.halves_of(other))

    @property
    def result(self) -> Result | None:
        """How it ended: a win, a draw or a loss by the sum of the boards; None while one is open.

        A match of which no board was played is won, or lost by both, by default.
        """
        if any(board.how is How.OPEN for board in self.boards):
            return None
        one, other = self.halves
        won = WIN // 2 + (one > other) - (one < other)
        if all(board.how is How.FORFEIT for board in self.boards):
            if one != other:
                return Result(won, WIN - won, Termination.FORFEIT)
            if not one:
                return Result(0, 0, Termination.FORFEIT)
        return Result(won, WIN - won, Termination.PLAYED)

    @property
    def status(self) -> Status:
        """``temporary`` while a board has a result for the pairing only."""
        return "temporary" if any(board.temporary for board in self.boards) else "recorded"


def matches(record: TournamentRecord, round_: int) -> Iterator[Match]:
    """Yields the matches of a published round of teams, in order."""
    published = record.desk.rounds.get(round_)
    for place, teams in enumerate(published.boards if published else (), start=1):
        lineups = [lineup_of(record.desk, round_, team) for team in teams]
        boards = [
            _board(record, round_, *(pair if number % 2 else pair[::-1]))
            for number, pair in enumerate(zip(*lineups, strict=True), start=1)
        ]
        yield Match(round_, place, teams, tuple(boards))


def _board(
    record: TournamentRecord, round_: int, white: str | None, black: str | None
) -> MatchBoard:
    if white is None or black is None:
        return MatchBoard(white, black, None)
    there = record.pairings.get((round_, white))
    is_it = there is not None and {there.white, there.black} == {white, black}
    return MatchBoard(white, black, there if is_it else None)


def match_of(record: TournamentRecord, round_: int, team: str) -> Match | None:
    """Returns the match of a team in a round."""
    return next((m for m in matches(record, round_) if team in m.teams), None)


# Teams as participants


def participants_of(record: TournamentRecord) -> TournamentRecord:
    """Returns a tournament as its pairing sees it: of teams the teams take part, else the players.

    A team's matches are its pairings; their seqs are numbers of their own. What is announced of a
    team (absence, withdrawal, expulsion) stands under its id, as that of a player does.
    """
    if not record.desk.teams:
        return record
    found: dict[tuple[int, str], PairingRecord] = {}
    for seq, pairing in enumerate(_pairings(record), start=1):
        found |= {(pairing.round, team): replace(pairing, seq=Seq(seq)) for team in pairing.players}
    return replace(
        record,
        entries={id_: team.number for id_, team in record.desk.teams.items()},
        pairings=found,
        annulled_pairings={},
        desk=replace(record.desk, teams={}, lineups={}),
    )


def _pairings(record: TournamentRecord) -> Iterator[PairingRecord]:
    """Yields the matches that are over, and the byes."""
    desk = record.desk
    for round_, published in sorted(desk.rounds.items()):
        for match in matches(record, round_):
            if result := match.result:
                yield PairingRecord(NO_EVENT, round_, *match.teams, result, match.status)
        if published.bye is not None:
            yield PairingRecord(NO_EVENT, round_, published.bye, None, bye_of(desk.rules))
        for team, why in published.event.not_paired or ():
            if why == "announced" and (round_, team) in desk.absences:
                yield PairingRecord(NO_EVENT, round_, team, None, desk.absences[round_, team])


def strengths(record: TournamentRecord, ratings: Mapping[str, int]) -> dict[str, Fraction]:
    """Returns the strength of the teams by id: the mean rating of their regular players (D16).

    Reserves do not count, nor who has no rating. The director's estimate stands in its place where
    there is one.

    Args:
        record: the tournament; what it says of an entry stands in place of a rating.
        ratings: of the players, by id.
    """
    boards = boards_of(record.desk.rules)
    said = ((player, of.said.pairing_rating) for player, of in record.desk.descriptions.items())
    known = {**ratings, **{player: rating for player, rating in said if rating is not None}}
    found = ((id_, _strength(team, known, boards)) for id_, team in record.desk.teams.items())
    return {id_: strength for id_, strength in found if strength is not None}


def _strength(team: EnteredTeam, ratings: Mapping[str, int], boards: int) -> Fraction | None:
    if team.pairing_rating is not None:
        return Fraction(team.pairing_rating)
    rated = [ratings[player] for player in team.players[:boards] if player in ratings]
    return Fraction(sum(rated), len(rated)) if rated else None


def participants_ratings(record: TournamentRecord, ratings: Mapping[str, int]) -> dict[str, int]:
    """Returns the ratings of the participants by id: those of teams are whole, halves up."""
    if not record.desk.teams:
        return dict(ratings)
    return {team: half_up(mean) for team, mean in strengths(record, ratings).items()}


# The score sheet of teams


def participants_sheet(
    record: TournamentRecord, ratings: Mapping[str, int] | None = None, *, after: int | None = None
) -> ScoreSheet:
    """Returns the score sheet of the participants; see ``score_sheet``.

    The lines of teams have the boards of their matches. ``ratings`` are those of the players.
    """
    of_participants = participants_ratings(record, ratings or {})
    sheet = score_sheet(participants_of(record), of_participants, after=after)
    if not record.desk.teams:
        return sheet
    found = {
        (round_, team): match
        for round_ in record.desk.rounds
        for match in matches(record, round_)
        for team in match.teams
    }
    boards = boards_of(record.desk.rules)
    cards = {
        number: replace(
            card, lines=tuple(_with_boards(line, card, found, boards) for line in card.lines)
        )
        for number, card in sheet.cards.items()
    }
    return ScoreSheet(sheet.system, cards, sheet.rounds, sheet.played)


def _with_boards(
    line: CardLine, card: Card, found: Mapping[tuple[int, str], Match], boards: int
) -> CardLine:
    """Returns a line with the boards of its match; D18: of a bye there are only their points."""
    match = found.get((line.round, card.player)) if line.paired else None
    if match is None:
        return replace(line, board_halves=_BYE_BOARDS[line.halves] * boards + (line.halves == WIN))
    halves = match.halves_of(card.player)
    lines = tuple(
        CardLine(
            round=line.round,
            how=board.how,
            halves=made,
            opponent=line.opponent,
            colour=match.colour_of(card.player, number),
            temporary=board.temporary,
        )
        for number, (board, made) in enumerate(zip(match.boards, halves, strict=True), start=1)
    )
    return replace(line, board_halves=sum(halves), boards=lines)


def reserve_boards(boards: int) -> range:
    """Returns the boards on which reserves play: the last half of them, board 1 where it is alone.

    >>> list(reserve_boards(4)), list(reserve_boards(5)), list(reserve_boards(1))
    ([3, 4], [4, 5], [1])
    """
    return range(boards - max(1, boards // 2) + 1, boards + 1)


def against_rules(
    desk: DeskRecord, team: str, participants: Sequence[str | None]
) -> Message | None:
    """Says which rule a line-up breaks; None where it breaks none.

    ``desk`` has the rules and the team, ``participants`` those who play, from board 1; None where
    nobody does.
    """
    boards = boards_of(desk.rules)
    seated = [one for one in participants if one is not None]
    players = desk.teams[team].players
    if len(participants) > boards:
        return Message.of("team.too_many_boards", count=len(participants), boards=boards)
    for place, player in enumerate(seated):
        if player not in players:
            return Message.of("team.not_of_team", player=player, team=team)
        if player in seated[:place]:
            return Message.of("team.player_twice", player=player)
    if not seated:
        return Message.of("team.nobody_plays", team=team)
    return _out_of_order(participants, players[:boards], boards)


def _out_of_order(
    participants: Sequence[str | None], regulars: Sequence[str], boards: int
) -> Message | None:
    own = {player: board for board, player in enumerate(regulars, start=1)}
    last = 0
    for player in participants:
        if player in own:
            assert player is not None
            if own[player] < last:
                return Message.of("team.order_changed", player=player, before=regulars[last - 1])
            last = own[player]
    moved = any(own[p] != board for board, p in enumerate(participants, start=1) if p in own)
    for board, player in enumerate(participants, start=1):
        if player in own:
            continue
        behind = next((one for one in participants[board:] if one in own), None)
        if player is not None and board not in reserve_boards(boards):
            first = reserve_boards(boards).start
            return Message.of("team.reserve_too_high", player=player, board=board, first=first)
        if behind is not None and (moved or board not in reserve_boards(boards)):
            return Message.of("team.others_move_up", board=board, player=behind)
    return None
