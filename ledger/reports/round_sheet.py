"""A round: who plays whom at which board, with the points before it; or what is recorded of it.

Chavarría 1975, EL SISTEMA SUIZO (notes on the forms): board, White with number and score, Black
likewise, result. Of a round that no desk published the pairings are there, in the order in which
they were recorded. Beside the sheet hangs the list of seats, by name.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, NamedTuple

from ledger.desk.score_sheet import How, ScoreSheet
from ledger.desk.teams import Match, MatchBoard, matches, participants_of, participants_sheet
from ledger.events.desk import WhyNotPaired
from ledger.facts.columns import Facts
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.identifiers import PlayerId, Seq, TournamentId
from ledger.json_form import HIDDEN, JsonForm, Key
from ledger.lists.people import People, sort_key
from ledger.rating.decimal_text import exact
from ledger.reports.desk_changes import round_breaches
from ledger.reports.statement import PersonRef
from ledger.reports.tournaments import Participants, require_entered
from ledger.results import Bye, Result
from ledger.terms import Colour
from ledger.wording import Message


@dataclass(frozen=True, slots=True)
class Seat(JsonForm):
    """A participant of a round, with the points before it."""

    number: int
    id: str
    name: str
    rating: int | None
    points: Fraction


@dataclass(frozen=True, slots=True)
class MatchGame(JsonForm):
    """A board of a match: who plays for the team named first and for the other one.

    Ids and names are None where nobody plays. ``colour`` is that of the first team's player. The
    points are None while there is no result; ``circled`` says that they were given without play,
    ``colours_reversed`` that the two sat with other colours than the line-ups gave them.
    ``corrected_by_seq`` is the event that corrected or struck the result; None: none did.
    """

    board: int
    colour: Colour
    white_team: str | None
    white_name: str | None
    black_team: str | None
    black_name: str | None
    points: tuple[Fraction, Fraction] | None
    circled: bool
    corrected_by_seq: Seq | None
    colours_reversed: bool


@dataclass(frozen=True, slots=True)
class BoardRow(JsonForm):
    """A board, with White and Black as they sat; the result in notation, None while there is none.

    ``colours_reversed`` says that they were published with the other colours.
    In an event of teams it is a match with its ``games``; the result is that of the boards.
    ``corrected_by_seq`` is the event that corrected or struck the result; None: none did, or it is
    a match.
    """

    board: int
    white: Seat
    black: Seat
    result: str | None
    corrected_by_seq: Seq | None
    colours_reversed: bool = False
    games: tuple[MatchGame, ...] = ()


class Venue(NamedTuple):
    """Where and on which days an event is played."""

    place: str | None
    first: dt.date
    last: dt.date


@dataclass(frozen=True, slots=True)
class AwayRow(JsonForm):
    """Who does not play a round, and why; ``half`` says that it is worth half a point."""

    number: int
    id: str
    name: str
    why: WhyNotPaired
    half: Annotated[bool, HIDDEN] = False


@dataclass(frozen=True, slots=True)
class RoundSheet(JsonForm):
    """A round, published or proposed.

    ``deviations`` are codes of the rules that it breaks, ``breaches`` say how; ``steps`` say how
    the pairing came to be, where the rules left more than one way.
    """

    tournament: TournamentId
    title: Annotated[str, Key("name")]
    round: int
    pairing: str
    engine: str
    by_hand: bool
    deviations: tuple[str, ...]
    boards: tuple[BoardRow, ...]
    bye: Seat | None
    not_paired: tuple[AwayRow, ...]
    steps: tuple[Message, ...] = ()
    breaches: Annotated[tuple[Message, ...], HIDDEN] = ()
    venue: Annotated[Venue | None, HIDDEN] = None

    @property
    def reversed_boards(self) -> tuple[str, ...]:
        """The boards that were played with other colours than published; of teams ``3.2``."""
        games = [(f"{row.board}.{game.board}", game) for row in self.boards for game in row.games]
        boards: list[tuple[str, BoardRow | MatchGame]] = [(str(b.board), b) for b in self.boards]
        return tuple(place for place, board in [*boards, *games] if board.colours_reversed)

    @property
    def corrected_by_seqs(self) -> set[Seq]:
        """The seqs by which results in it were corrected."""
        seqs = {board.corrected_by_seq for board in self.boards}
        seqs |= {game.corrected_by_seq for board in self.boards for game in board.games}
        return {seq for seq in seqs if seq is not None}


@dataclass(frozen=True, slots=True)
class Seats:
    """The participants of a tournament as the sheet of a round shows them.

    ``before`` is the score sheet after the round before, ``numbers`` are starting numbers by id.
    """

    before: ScoreSheet
    numbers: Mapping[str, int]
    participants: Participants

    def of(self, id_: str) -> Seat:
        """Returns a participant's seat."""
        card = self.before.cards[self.numbers[id_]]
        points = Fraction(card.halves, 2)
        return Seat(card.number, id_, self.participants.name(id_), card.rating, points)


def published_round(
    record: TournamentRecord,
    round_: int,
    ratings: Mapping[str, int],
    facts: Facts,
    people: People,
    steps: Sequence[Message] = (),
) -> RoundSheet:
    """Returns the sheet of a round that is published, with the results so far."""
    published = record.desk.rounds[round_]
    event = published.event
    before = participants_sheet(record, ratings, after=round_ - 1)
    numbers = participants_of(record).entries
    participants = Participants(record, facts, people)
    seats = Seats(before, numbers, participants)
    if record.desk.teams:
        boards = [_match(match, seats) for match in matches(record, round_)]
    else:
        boards = [
            _board(record, round_, board, place, seats)
            for place, board in enumerate(published.boards, start=1)
        ]
    away = [
        AwayRow(
            numbers[player], player, participants.name(player), why,
            half=record.desk.absences.get((round_, player)) is Bye.HALF,
        )
        for player, why in ((record.stays(one), why) for one, why in event.not_paired or ())
    ]  # fmt: skip
    return RoundSheet(
        tournament=record.version.tournament,
        title=record.version.name,
        round=round_,
        pairing=event.pairing.value,
        engine=event.engine,
        by_hand=bool(event.by_hand),
        deviations=event.deviations or (),
        boards=tuple(boards),
        bye=None if published.bye is None else seats.of(published.bye),
        not_paired=tuple(away),
        steps=tuple(steps),
        breaches=tuple(round_breaches(participants_of(record), round_)),
        venue=Venue(record.version.place, record.version.starts_on, record.version.ends_on),
    )


def _board(
    record: TournamentRecord, round_: int, board: tuple[str, str], place: int, seats: Seats
) -> BoardRow:
    white, black = seated = record.seated(round_, board)
    return BoardRow(
        board=place,
        white=seats.of(white),
        black=seats.of(black),
        result=_result(record, round_, seated),
        corrected_by_seq=record.corrected_by(round_, white, black),
        colours_reversed=seated != board,
    )


def _match(match: Match, seats: Seats) -> BoardRow:
    one, other = (exact(Fraction(halves, 2)) for halves in match.halves)
    numbers = range(1, len(match.boards) + 1)
    games = tuple(_game(match, number, seats.participants) for number in numbers)
    said = f"{one}-{other}" if any(game.points for game in games) else None
    white, black = map(seats.of, match.teams)
    return BoardRow(match.place, white, black, said, None, games=games)


def _game(match: Match, number: int, participants: Participants) -> MatchGame:
    board = match.boards[number - 1]
    team = match.teams[0]
    first = match.of_white(number) == team
    players = (board.white, board.black) if first else (board.black, board.white)
    white, black = (None if one is None else participants.name(one) for one in players)
    made = board.halves if first else board.halves[::-1]
    is_open = board.how is How.OPEN
    return MatchGame(
        board=number,
        colour=match.colour_of(team, number),
        white_team=players[0],
        white_name=white,
        black_team=players[1],
        black_name=black,
        points=None if is_open else (Fraction(made[0], 2), Fraction(made[1], 2)),
        circled=board.how is How.FORFEIT,
        corrected_by_seq=_corrected(participants.record, match.round, board),
        colours_reversed=board.reversed,
    )


def _corrected(record: TournamentRecord, round_: int, board: MatchBoard) -> Seq | None:
    if board.white is None:
        return None
    return record.corrected_by(round_, board.white, board.black)


def _result(record: TournamentRecord, round_: int, board: tuple[str, str]) -> str | None:
    """Returns the result of a board, as it was sat; None too where others met."""
    there = record.pairings.get((round_, board[0]))
    if there is None or (there.white, there.black) != board or there.result is None:
        return None
    return str(there.result)


@dataclass(frozen=True, slots=True)
class PairedPlayer(JsonForm):
    """A player of a pairing, with the starting number."""

    number: int
    player: PersonRef


@dataclass(frozen=True, slots=True)
class PairingRow(JsonForm):
    """A pairing; without ``black`` it is a bye, whose ``result`` is its letter.

    ``result`` is in notation, None while there is none; ``temporary`` says that it is for the
    pairing only. ``for_rating`` is what counts for rating where that is another result: empty where
    none does, None where it is the same. ``corrected_by_seq`` is the event that corrected it; None:
    none did.
    """

    white: PairedPlayer
    black: PairedPlayer | None
    result: str | None
    temporary: bool
    for_rating: str | None
    corrected_by_seq: Seq | None


@dataclass(frozen=True, slots=True)
class RoundResults(JsonForm):
    """A round; ``on`` is the day of its first result, None where it has none."""

    tournament: TournamentId
    title: Annotated[str, Key("name")]
    round: int
    on: dt.date | None
    pairings: tuple[PairingRow, ...]


def round_results(
    record: TournamentRecord, round_: int, facts: Facts, people: People
) -> RoundResults:
    """Returns a round as it is recorded, byes last; without pairings where none is.

    Raises:
        InputRefused: something is recorded of players who were never entered.
    """
    require_entered(record)

    def paired(player: str) -> PairedPlayer:
        name = people.name(facts.player_index[player])
        return PairedPlayer(record.entries[player], PersonRef(PlayerId(player), name or None))

    its = [pairing for pairing in record.each_pairing if pairing.round == round_]
    people.read(facts.player_index.of(player for each in its for player in each.players))
    rows = (
        PairingRow(
            white=paired(pairing.white),
            black=None if pairing.black is None else paired(pairing.black),
            result=_written(pairing.result),
            temporary=pairing.status == "temporary",
            for_rating=_for_rating(pairing),
            corrected_by_seq=record.correction_of(pairing),
        )
        for pairing in sorted(its, key=lambda each: (each.black is None, each.seq))
    )
    return RoundResults(
        tournament=record.version.tournament,
        title=record.version.name,
        round=round_,
        on=record.days.get(round_),
        pairings=tuple(rows),
    )


def _written(result: Result | Bye | None) -> str | None:
    if result is None:
        return None
    return result.letter if isinstance(result, Bye) else str(result)


def _for_rating(pairing: PairingRecord) -> str | None:
    return None if pairing.rating_result is None else str(pairing.rating_result or "")


@dataclass(frozen=True, slots=True)
class SeatRow(JsonForm):
    """Where a participant sits: the board, the colour and the opponent; a bye has none of them.

    Of teams it is a match, in which the boards have both colours.
    """

    name: str
    number: int
    id: str
    board: int | None
    colour: Colour | None
    opponent: str | None


@dataclass(frozen=True, slots=True)
class SeatList(JsonForm):
    """Everybody who plays in a round, or has the bye, by name."""

    tournament: TournamentId
    name: str
    round: int
    seats: tuple[SeatRow, ...]
    venue: Annotated[Venue | None, HIDDEN] = None


def seat_list(sheet: RoundSheet) -> SeatList:
    """Returns the seats of a round, by name, then by starting number."""
    rows = sorted(_rows(sheet), key=lambda each: (sort_key(each.name, each.id), each.number))
    return SeatList(sheet.tournament, sheet.title, sheet.round, tuple(rows), sheet.venue)


def _rows(sheet: RoundSheet) -> Iterator[SeatRow]:
    for board in sheet.boards:
        of_team = bool(board.games)
        yield _row(board, board.white, board.black, None if of_team else Colour.WHITE)
        yield _row(board, board.black, board.white, None if of_team else Colour.BLACK)
    if sheet.bye is not None:
        yield SeatRow(_name(sheet.bye), sheet.bye.number, sheet.bye.id, None, None, None)


def _row(board: BoardRow, seat: Seat, opponent: Seat, colour: Colour | None) -> SeatRow:
    other = f"{opponent.number} {_name(opponent)}"
    return SeatRow(_name(seat), seat.number, seat.id, board.board, colour, other)


def _name(seat: Seat) -> str:
    return seat.name or seat.id
