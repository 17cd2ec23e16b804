"""What an arbiter sees of his tournaments, and what was recorded of a board meanwhile."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ledger.answers.commits import commit_of
from ledger.answers.tournaments import pairing_ratings, require_tournament
from ledger.errors import NotFound
from ledger.events.tournaments import TournamentReopened
from ledger.identifiers import TournamentId
from ledger.journal.records import Commit
from ledger.reports.event_desk import DeskBoard, EventDesk, desk_boards, event_desk_of
from ledger.reports.round_sheet import RoundSheet, published_round
from ledger.reports.tournaments import (
    Participants,
    TournamentLine,
    require_entered,
    tournament_lines,
)
from ledger.spelling import folded
from ledger.trust.rights import is_handed_in
from ledger.views.view import LedgerView


@dataclass(frozen=True, slots=True)
class RoundDesk:
    """A published round at the desk: its sheet, and the boards with what is recorded of them."""

    sheet: RoundSheet
    boards: tuple[DeskBoard, ...]

    @property
    def playing(self) -> int:
        """How many boards have no result that stands."""
        return sum(each.status != "recorded" for each in self.boards)

    @property
    def done(self) -> int:
        """How many boards have a result, be it for pairing alone."""
        return sum(bool(each.result) for each in self.boards)

    def board(self, place: str) -> DeskBoard:
        """Returns a board; raises ``NotFound`` where there is none."""
        for each in self.boards:
            if each.place == place:
                return each
        raise NotFound(
            "desk.no_board", tournament=self.sheet.tournament, round=self.sheet.round, board=place,
            boards=len(self.sheet.boards),
        )  # fmt: skip


def tournaments_at_desk(
    view: LedgerView, among: Collection[str] | None, search: str = ""
) -> list[TournamentLine]:
    """Returns tournaments whose name or id holds a text: open ones first, then the latest.

    ``among`` are the ids of those that may be seen; None for all. ``search`` is the text; accents
    and case do not matter.
    """
    wanted = folded(search)
    fitting = [
        line
        for line in tournament_lines(view.facts())
        if (among is None or line.tournament in among)
        and wanted in folded(f"{line.name} {line.tournament}")
    ]
    latest = sorted(fitting, key=lambda line: line.starts_on, reverse=True)
    return sorted(latest, key=lambda line: line.state != "open")


def is_closed(view: LedgerView, tournament: str) -> bool:
    """Whether a tournament's report was handed in; one that is unknown is open."""
    return is_handed_in(view.facts(), tournament)


def reopenings(view: LedgerView) -> dict[str, Commit]:
    """Returns the tournaments whose report an officer handed back and nobody has handed in since.

    Each id with the commit of the last time, which says who it was, when and why.
    """
    facts = view.facts()
    undone = facts.undone_at(facts.seq)
    seqs = {
        facts.tournament_ids[each.index]: each.seq
        for each in facts.recorded(TournamentReopened)
        if each.seq not in undone and not facts.is_closed[each.index]
    }
    return {tournament: commit_of(view, seq) for tournament, seq in seqs.items()}


def event_desk(view: LedgerView, tournament: str, *, rated: bool = False) -> EventDesk:
    """Returns a tournament as its arbiter works on it.

    ``rated``: entries have ratings of the list, too; in a large list that takes a while.

    Raises:
        NotFound: no such tournament.
        InputRefused: something is recorded of players who were never entered.
    """
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq)
    require_entered(record)
    ratings = pairing_ratings(view, facts, record) if rated else {}
    return event_desk_of(Participants(record, facts, view.people(facts)), ratings)


def open_board_of(view: LedgerView, tournament: str, player: str) -> DeskBoard | None:
    """Returns the board without a result at which somebody sits in the last published round.

    Raises:
        NotFound: no such tournament.
    """
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq)
    if not record.desk.last_round:
        return None
    participants = Participants(record, facts, view.people(facts))
    boards = desk_boards(participants, record.desk.last_round)
    return next((b for b in boards if b.is_open and player in (b.white, b.black)), None)


@dataclass(frozen=True, slots=True)
class GameToPlay:
    """A game of the last published round that has no result, and how the tournament is called."""

    tournament: TournamentId
    name: str
    round: int
    board: DeskBoard


def games_to_play(
    view: LedgerView, player: str, tournaments: Sequence[TournamentId]
) -> list[GameToPlay]:
    """Returns the games that a player is to play in some tournaments; raises ``NotFound``."""
    found = []
    for tournament in tournaments:
        about = require_tournament(view, tournament, view.facts().seq)
        board = open_board_of(view, tournament, player)
        if board is not None:
            found.append(GameToPlay(tournament, about.version.name, about.desk.last_round, board))
    return found


def round_desk(view: LedgerView, tournament: str, round_: int) -> RoundDesk:
    """Returns a published round, without ratings, with what is recorded of its boards.

    Raises:
        NotFound: no such tournament, or the round is not published.
    """
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq)
    if round_ not in record.desk.rounds:
        raise NotFound("desk.not_published", tournament=tournament, round=round_)
    people = view.people(facts)
    sheet = published_round(record, round_, {}, facts, people)
    return RoundDesk(sheet, tuple(desk_boards(Participants(record, facts, people), round_)))
