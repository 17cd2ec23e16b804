"""What the first page says: what is played, what ended lately and who won, whom the top ten names.

Each question reads a few tournaments or players; none reads the register.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, islice
from typing import Final

import numpy as np

from ledger.answers.tournaments import (
    all_tournaments,
    require_tournament,
    tournament_standings,
)
from ledger.calendar import period_around
from ledger.desk.rounds import is_finished, last_complete_round, open_boards
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
from ledger.reports.tournaments import TournamentLine, names_winners
from ledger.views.view import LedgerView

_RUNNING: Final = 2
_ENDED: Final = 3
_LOOKED_THROUGH: Final = 20  # tournaments, for boards that wait for a result


@dataclass(frozen=True, slots=True)
class RunningTournament:
    """An unfinished tournament of today: the round that was published last, and of how many.

    ``open_boards`` are those of that round that have no result yet.
    """

    tournament: str
    name: str
    round: int
    rounds: int | None
    open_boards: int


@dataclass(frozen=True, slots=True)
class EndedTournament:
    """A finished tournament with its winners."""

    tournament: str
    name: str
    ended_on: dt.date
    players: int
    winners: Winners


@dataclass(frozen=True, slots=True)
class Winners:
    """The participants who share the first place of a finished tournament, with their points.

    ``rounds`` is the number of rounds that were played.
    """

    names: tuple[str, ...]
    points: Fraction
    rounds: int


@dataclass(frozen=True, slots=True)
class PlayerMark:
    """What stands beside a player's name: the highest title and the club, as they are today."""

    title: str | None
    club: str | None


@dataclass(frozen=True, slots=True)
class NextList:
    """When the next list is in force, and how many tournaments of its days have results."""

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
    """Yield how far a tournament is; nothing before its first round and once it is finished."""
    record = view.tournament(line.tournament, view.facts().seq)
    if record is not None and record.known_rounds and not is_finished(record):
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
    """Return the finished tournaments with winners that ended last, the last one first."""
    lines = [line for line in all_tournaments(view) if line.pairings]
    lines.sort(key=lambda line: line.ends_on, reverse=True)
    ended = (
        EndedTournament(line.tournament, line.name, line.ends_on, line.players, winners)
        for line in lines[:_LOOKED_THROUGH]
        if (winners := winners_of(view, line.tournament)) is not None
    )
    return [*islice(ended, _ENDED)]


def winners_of(view: LedgerView, tournament: str) -> Winners | None:
    """Return the winners of a tournament: everybody in the first place of its final standings.

    None where it is not finished, does not count, or nobody has points. Only where several have the
    most points the tie-breaks are asked, and with them the ratings.
    """
    facts = view.facts()
    record = require_tournament(view, tournament, facts.seq)
    after = last_complete_round(record) if record.desk.last_round else None
    sheet = without_temporary(participants_sheet(record, after=after))
    cards = [card for card in sheet.cards.values() if card.halves and not card.cancelled]
    if not cards or not names_winners(record, sheet.played):
        return None
    most = max(card.halves for card in cards)
    ids = [card.player for card in cards if card.halves == most]
    if len(ids) > 1:
        ids = [row.id for row in tournament_standings(view, tournament).rows if row.rank == 1]
    names = tuple(_name(view, record, id_) for id_ in ids)
    return Winners(names, Fraction(most, 2), sheet.played)


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
        if line.pairings
        and period.rates_from_on <= line.ends_on <= period.closes_on
        and line.state in {"open", "closed"}
        and list_.defined.rate_of_play in {None, line.rate_of_play}
    )
    return NextList(period.in_force_on, (period.in_force_on - today).days, sum(1 for _ in so_far))
