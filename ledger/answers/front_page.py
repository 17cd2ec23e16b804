"""What the first page says: what is played, what ended lately and who won, whom the top ten names.

Each question reads a few tournaments or players; none reads the register.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Final

import numpy as np

from ledger.answers.tournaments import (
    all_tournaments,
    require_tournament,
    tournament_standings,
)
from ledger.calendar import period_around
from ledger.desk.rounds import last_complete_round, open_boards
from ledger.desk.score_sheet import without_temporary
from ledger.desk.teams import participants_sheet
from ledger.events.lists import ListPublished
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Acceptance
from ledger.facts.tournament import TournamentRecord
from ledger.identifiers import TournamentId
from ledger.lists.publications import editions_in_order
from ledger.registrar.register import affiliation_on
from ledger.reports.held_titles import TitlesHeld
from ledger.reports.standings import is_final
from ledger.reports.tournaments import TournamentLine
from ledger.views.view import LedgerView

_RUNNING: Final = 2
_ENDED: Final = 3
_LOOKED_THROUGH: Final = 20  # tournaments, for boards that wait for a result


@dataclass(frozen=True, slots=True)
class RunningTournament:
    """A tournament that is played today: the round that was published last, and of how many.

    ``open_boards`` are those of that round that have no result yet.
    """

    tournament: str
    name: str
    round: int
    rounds: int | None
    open_boards: int


@dataclass(frozen=True, slots=True)
class EndedTournament:
    """A tournament that is over, with who won it; ``rounds`` were played."""

    tournament: str
    name: str
    ended_on: dt.date
    players: int
    winner: str
    points: Fraction
    rounds: int


@dataclass(frozen=True, slots=True)
class Winner:
    """Who stands first in a tournament, with how many points of so many rounds."""

    name: str
    points: Fraction
    rounds: int


@dataclass(frozen=True, slots=True)
class PlayerMark:
    """What stands beside a player's name: the highest title and the club, as they are today."""

    title: str | None
    club: str | None


@dataclass(frozen=True, slots=True)
class NextList:
    """When the next list is in force, and how many tournaments ended that it may rate."""

    on: dt.date
    days: int
    tournaments: int


def running_tournaments(
    view: LedgerView, among: Collection[str] | None = None, most: int = _RUNNING
) -> list[RunningTournament]:
    """Returns what is played today, the one that began last first.

    ``among`` are the ids of those that are looked for, None: all; at most so many are returned.
    """
    today = view.today
    found: list[RunningTournament] = []
    for line in all_tournaments(view):
        is_wanted = among is None or line.tournament in among
        if is_wanted and line.state == "open" and line.starts_on <= today <= line.ends_on:
            found += _running(view, line)
        if len(found) == most:
            break
    return found


def _running(view: LedgerView, line: TournamentLine) -> Iterator[RunningTournament]:
    """Yields how far a tournament is; nothing where no round of it is published."""
    record = view.tournament(line.tournament, view.facts().seq)
    if record is not None and record.known_rounds:
        round_ = record.known_rounds
        boards = sum(1 for _ in open_boards(record, round_))
        yield RunningTournament(line.tournament, line.name, round_, record.version.rounds, boards)


def tournaments_to_play(view: LedgerView) -> Mapping[str, Sequence[TournamentId]]:
    """Returns who has a board without a result in the last round published of what is played.

    They are ids of players, each with the tournaments; of many tournaments, those opened last.
    """
    facts, today = view.facts(), view.today.toordinal()
    about = AsOf(facts, facts.seq).tournaments
    played = (about.starts_on <= today) & (about.ends_on >= today)
    played &= about.acceptance == Acceptance.ACCEPTED
    played[facts.is_closed] = False
    found: dict[str, list[TournamentId]] = {}
    for index in np.flatnonzero(played)[-_LOOKED_THROUGH:].tolist():
        tournament = facts.tournament_ids[index]
        record = view.tournament(tournament, facts.seq)
        if record is not None and record.desk.last_round:
            for player in chain.from_iterable(open_boards(record, record.desk.last_round)):
                found.setdefault(player, []).append(tournament)
    return found


def ended_tournaments(view: LedgerView) -> list[EndedTournament]:
    """Returns the tournaments that ended last and have standings, the last one first."""
    today = view.today
    over = [
        line
        for line in all_tournaments(view)
        if line.state == "closed" or (line.state == "open" and line.ends_on < today)
    ]
    over.sort(key=lambda line: line.ends_on, reverse=True)
    found: list[EndedTournament] = []
    for line in over[: 2 * _ENDED]:
        found += _with_winner(view, line)
        if len(found) == _ENDED:
            break
    return found


def _with_winner(view: LedgerView, line: TournamentLine) -> Iterator[EndedTournament]:
    """Yields a tournament with who won it; nothing where nobody has points."""
    first = winner_of(view, line.tournament)
    if first is not None:
        yield EndedTournament(
            line.tournament, line.name, line.ends_on, line.players, first.name, first.points,
            first.rounds,
        )  # fmt: skip


def winner_of(view: LedgerView, tournament: str) -> Winner | None:
    """Returns who stands first in a tournament; None where nobody has points.

    Only where several have the most points the tie-breaks are asked, and with them the ratings.
    """
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq)
    after = last_complete_round(record) if record.desk.last_round else None
    sheet = participants_sheet(record, after=after)
    if is_final(record, sheet):
        sheet = without_temporary(sheet)
    cards = [card for card in sheet.cards.values() if card.halves and not card.cancelled]
    most = max((card.halves for card in cards), default=0)
    first = [card.player for card in cards if card.halves == most]
    if not first:
        return None
    if len(first) > 1:
        first = [tournament_standings(view, tournament).rows[0].id]
    return Winner(_name(view, record, first[0]), Fraction(most, 2), sheet.played)


def _name(view: LedgerView, record: TournamentRecord, participant: str) -> str:
    """Returns how a player or a team is called; who was erased by the id."""
    if participant in record.desk.teams:
        return record.desk.teams[participant].name
    facts = view.facts()
    people, index = view.people(facts), facts.player_index[participant]
    people.read([index])
    return people.name(index) or participant


def player_marks(view: LedgerView, ids: Sequence[str]) -> dict[str, PlayerMark]:
    """Returns what stands beside the names of some players, by id."""
    facts = view.facts()
    known, today = AsOf(facts, facts.seq), view.today
    register = view.register([f"player:{id_}" for id_ in ids], facts.seq)
    titles, marks = TitlesHeld(known, today), {}
    for id_ in ids:
        club = affiliation_on(register.players[id_].affiliations, today)["club"]
        title = titles.of(facts.player_index[id_])
        marks[id_] = PlayerMark(title, str(club) if club else None)
    return marks


def period_before(view: LedgerView, edition: ListPublished) -> ListPublished | None:
    """Returns what stood published of the period before that of an edition when that was made."""
    editions = [each for _, each in editions_in_order(view.facts(), edition.list)]
    earlier = [
        each
        for each in editions[: editions.index(edition)]
        if each.period != edition.period and each.basis_seq <= edition.basis_seq
    ]
    return earlier[-1] if earlier else None


def next_list(view: LedgerView, name: str) -> NextList:
    """Returns when a list is in force next, as its calendar says today."""
    facts, today = view.facts(), view.today
    list_ = AsOf(facts, facts.seq).list(name)
    period = period_around(list_.segments, today)
    so_far = (
        line
        for line in all_tournaments(view)
        if period.starts_on <= line.ends_on <= today
        and line.state in {"open", "closed"}
        and list_.defined.rate_of_play in {None, line.rate_of_play}
    )
    return NextList(period.in_force_on, (period.in_force_on - today).days, sum(1 for _ in so_far))
