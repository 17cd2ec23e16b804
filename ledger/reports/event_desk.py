"""A tournament as its arbiter works on it: who is in, how far it is, the boards of a round."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from ledger.desk.rounds import next_round, not_paired, open_boards
from ledger.desk.teams import lineup_of, matches, participants_of, participants_ratings
from ledger.desk.tie_breaks.registry import habitual
from ledger.events.desk import RulesAnnounced, WhyNotPaired
from ledger.facts.tournament import Status, TournamentRecord
from ledger.identifiers import Seq, TournamentId
from ledger.json_form import HIDDEN, JsonForm, Key
from ledger.reports.tournaments import Participants
from ledger.results import Bye
from ledger.terms import Rate, System


@dataclass(frozen=True, slots=True)
class DeskEntry(JsonForm):
    """A participant; ``away`` says why the next round is not for him.

    ``half_byes`` are those of the absences that are worth half a point. The rating is the one for
    the pairing. Rounds are None where nothing is said of them.
    """

    number: int
    id: str
    name: str
    rating: int | None
    from_round: int | None
    withdrawn_from: int | None
    expelled_from: int | None
    excused_from: int | None
    absences: tuple[int, ...]
    half_byes: Annotated[frozenset[int], HIDDEN]
    away: WhyNotPaired | None


@dataclass(frozen=True, slots=True)
class DeskTeam(JsonForm):
    """A team with the ids of its players in the order of the boards, reserves last.

    ``lineup`` is who plays the next round, ``.`` where nobody does.
    """

    number: int
    id: str
    name: str
    players: tuple[str, ...]
    lineup: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeskBoard(JsonForm):
    """A board of a published round, with what is recorded of it; White and Black as they sat.

    In an event of teams ``match`` is its match. ``seq`` is that of the last word on it; None where
    nothing is recorded, and where others met than was published. The result is in notation.
    """

    board: int
    match: int | None
    white: str
    white_name: str
    black: str
    black_name: str
    seq: Seq | None
    status: Status | None
    result: str | None

    @property
    def place(self) -> str:
        """Its number as people write it; of teams ``3.2``, match and board."""
        return str(self.board) if self.match is None else f"{self.match}.{self.board}"

    @property
    def seats(self) -> str:
        """The ids of White and Black."""
        return f"{self.white} {self.black}"

    @property
    def is_open(self) -> bool:
        """Whether it waits for a result."""
        return self.status is None or self.status == "adjourned"


@dataclass(frozen=True, slots=True)
class EventDesk(JsonForm):
    """A tournament at its arbiter's desk.

    ``rules`` are None while none were announced. ``open_boards`` are those without a result in
    published rounds; ``standings_are_out`` says that those after the last one were published, and
    no result has changed since. ``rounds`` is how many it has, None where that was not said;
    ``recorded_rounds`` and ``games`` are those of which something is recorded, published or not.
    """

    tournament: TournamentId
    name: str
    starts_on: Annotated[dt.date, Key("start")]
    ends_on: Annotated[dt.date, Key("end")]
    system: System
    rate_of_play: Rate
    place: str | None
    rounds: int | None
    closed: bool
    rejected: bool
    rules: Annotated[RulesAnnounced | None, HIDDEN]
    last_round: int
    next_round: int
    recorded_rounds: Annotated[int, HIDDEN]
    games: Annotated[int, HIDDEN]
    open_boards: int
    standings_are_out: Annotated[bool, HIDDEN]
    entries: tuple[DeskEntry, ...]
    teams: tuple[DeskTeam, ...]

    @property
    def tie_breaks(self) -> tuple[str, ...]:
        """The codes that standings go by: those announced, else those of habit."""
        if self.rules is not None and self.rules.tie_breaks:
            return self.rules.tie_breaks
        return tuple(each.code for each in habitual(self.system, self.rounds or self.last_round))

    @property
    def namesakes(self) -> frozenset[str]:
        """The ids of participants whose name another one has, too: the name alone tells nobody."""
        count = Counter(each.name for each in self.entries)
        return frozenset(each.id for each in self.entries if count[each.name] > 1)

    @property
    def came_with_results(self) -> bool:
        """Whether results are recorded and nothing was paired here: it came as a report or file."""
        return self.rules is None and not self.last_round and self.games > 0

    @property
    def all_paired(self) -> bool:
        """Whether all its rounds are published: no other one is paired."""
        return self.rounds is not None and self.last_round >= self.rounds

    @property
    def is_over(self) -> bool:
        """Whether all its rounds are published, and all boards have a result."""
        return self.all_paired and not self.open_boards


def event_desk_of(participants: Participants, ratings: Mapping[str, int]) -> EventDesk:
    """Returns a tournament as its arbiter works on it; ratings are those for the pairing, by id."""
    record = participants.record
    about, next_ = record.version, next_round(record)
    rounds = range(1, record.desk.last_round + 1)
    return EventDesk(
        tournament=about.tournament,
        name=about.name,
        starts_on=about.starts_on,
        ends_on=about.ends_on,
        system=about.system,
        rate_of_play=about.rate_of_play,
        place=about.place,
        rounds=about.rounds,
        closed=record.closed,
        rejected=record.rejected,
        rules=record.desk.rules,
        last_round=record.desk.last_round,
        next_round=next_,
        recorded_rounds=record.last_round,
        games=sum(pairing.black is not None for pairing in record.each_pairing),
        open_boards=sum(1 for round_ in rounds for _ in open_boards(record, round_)),
        standings_are_out=any(
            standings.after == record.desk.last_round
            and all(each.seq < seq for each in record.each_pairing)
            for seq, standings in record.desk.standings[-1:]
        ),
        entries=tuple(_entries(participants, ratings, next_)),
        teams=tuple(_teams(record, next_)),
    )


def _entries(
    participants: Participants, ratings: Mapping[str, int], next_: int
) -> Iterator[DeskEntry]:
    record = participants.record
    desk, away = record.desk, not_paired(record, next_)
    strength = participants_ratings(record, ratings)
    absences, halves = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
    for (round_, one), kind in desk.absences.items():
        absences[one].append(round_)
        if kind is Bye.HALF:
            halves[one].append(round_)
    for id_, number in sorted(participants_of(record).entries.items(), key=lambda each: each[1]):
        described = desk.descriptions.get(id_)
        yield DeskEntry(
            number=number,
            id=id_,
            name=participants.name(id_),
            rating=strength.get(id_),
            from_round=described.said.from_round if described else None,
            withdrawn_from=record.withdrawn.get(id_),
            expelled_from=desk.expelled.get(id_),
            excused_from=desk.excused.get(id_),
            absences=tuple(sorted(absences.get(id_, ()))),
            half_byes=frozenset(halves.get(id_, ())),
            away=away.get(id_),
        )


def _teams(record: TournamentRecord, next_: int) -> Iterator[DeskTeam]:
    for id_, team in sorted(record.desk.teams.items(), key=lambda each: each[1].number):
        lineup = tuple(one or "." for one in lineup_of(record.desk, next_, id_))
        yield DeskTeam(team.number, id_, team.name, team.players, lineup)


def desk_boards(participants: Participants, round_: int) -> list[DeskBoard]:
    """Returns the boards of a published round at which games are played, in order."""
    record = participants.record
    if record.desk.teams:
        return [
            _board(participants, round_, (board.white, board.black), number, match.place)
            for match in matches(record, round_)
            for number, board in enumerate(match.boards, start=1)
            if board.white is not None and board.black is not None
        ]
    return [
        _board(participants, round_, published, number)
        for number, published in enumerate(record.desk.rounds[round_].boards, start=1)
    ]


def _board(
    participants: Participants,
    round_: int,
    published: tuple[str, str],
    number: int,
    match: int | None = None,
) -> DeskBoard:
    record = participants.record
    seats = record.seated(round_, published)
    there = record.pairings.get((round_, seats[0]))
    said = there if there is not None and (there.white, there.black) == seats else None
    return DeskBoard(
        board=number,
        match=match,
        white=seats[0],
        white_name=participants.name(seats[0]),
        black=seats[1],
        black_name=participants.name(seats[1]),
        seq=said.seq if said else None,
        status=said.status if said else None,
        result=None if said is None or said.result is None else str(said.result),
    )
