"""What an arbiter decided at the desk of a tournament, folded from its events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from ledger.events import desk as de
from ledger.facts.ids import Stays
from ledger.identifiers import Seq
from ledger.results import Bye


@dataclass(frozen=True, slots=True)
class PublishedRound:
    """A round as it was published, under the ids that stay after merges."""

    seq: Seq
    boards: tuple[tuple[str, str], ...]
    bye: str | None
    event: de.RoundPublished
    _by_participant: dict[str, tuple[str, str]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Finds each participant's board."""
        found = {one: board for board in self.boards for one in board}
        object.__setattr__(self, "_by_participant", found)

    def board_of(self, participant: str) -> tuple[str, str] | None:
        """Returns White and Black of the board at which somebody sits."""
        return self._by_participant.get(participant)

    def place_of(self, participant: str) -> int | None:
        """Returns the number of the board at which somebody sits, from 1."""
        board = self.board_of(participant)
        return None if board is None else self.boards.index(board) + 1


@dataclass(frozen=True, slots=True)
class UndoneRound:
    """A round as it had been published, and the seq of the event that withdrew it."""

    seq: Seq
    published: PublishedRound


@dataclass(frozen=True, slots=True)
class DescribedEntry:
    """What was said last of an entry, with the seq of the event."""

    seq: Seq
    said: de.EntryDescribed


@dataclass(frozen=True, slots=True)
class EnteredTeam:
    """A team as it was entered: its players in the order of the boards, reserves last."""

    name: str
    number: int
    players: tuple[str, ...]
    pairing_rating: int | None = None


@dataclass(frozen=True, slots=True)
class Announcement:
    """Rules as they were announced, with the seq of the event."""

    seq: Seq
    rules: de.RulesAnnounced


@dataclass(slots=True)
class DeskRecord:
    """The desk of one tournament so far.

    ``announcements`` are in order; the last one holds. ``descriptions`` are of entries, by player.
    ``absences`` are by round and participant, ``excused`` and ``expelled`` say from which round on.
    ``prizes`` are those of categories, each announcement with its seq; the last one holds.
    ``undone`` are rounds that were withdrawn. ``lineups`` are by round and team. ``numbers`` is how
    the participants were numbered last, by the event ``numbered_at``; None while they have those of
    their entry.
    ``rated_anew``: ratings for the pairing were set anew after round 1, which is done once.
    """

    announcements: list[Announcement] = field(default_factory=list)
    prizes: list[tuple[Seq, de.PrizesAnnounced]] = field(default_factory=list)
    descriptions: dict[str, DescribedEntry] = field(default_factory=dict)
    absences: dict[tuple[int, str], Bye] = field(default_factory=dict)
    excused: dict[str, int] = field(default_factory=dict)
    expelled: dict[str, int] = field(default_factory=dict)
    rounds: dict[int, PublishedRound] = field(default_factory=dict)
    undone: list[UndoneRound] = field(default_factory=list)
    standings: list[tuple[Seq, de.StandingsPublished]] = field(default_factory=list)
    teams: dict[str, EnteredTeam] = field(default_factory=dict)
    lineups: dict[tuple[int, str], tuple[str | None, ...]] = field(default_factory=dict)
    numbers: de.NumbersAssigned | None = None
    numbered_at: int = 0
    rated_anew: bool = False

    @property
    def rules(self) -> de.RulesAnnounced | None:
        """The rules in force; None where none were announced."""
        return self.announcements[-1].rules if self.announcements else None

    @property
    def category_prizes(self) -> Sequence[de.CategoryPrizes]:
        """The prizes of categories in force."""
        return self.prizes[-1][1].prizes if self.prizes else ()

    @property
    def last_round(self) -> int:
        """The last round that is published; 0 for none."""
        return max(self.rounds, default=0)

    def gave_bye(self, round_: int, participant: str) -> bool:
        """Whether the pairing of a published round gave somebody the bye."""
        published = self.rounds.get(round_)
        return published is not None and published.bye == participant

    def take(self, seq: Seq, event: de.AnyDeskEvent, stays: Stays) -> None:
        """Takes the next event, and the ids that stay; players' numbers are the tournament's."""
        match event:
            case de.RulesAnnounced():
                self.announcements.append(Announcement(seq, event))
            case de.PrizesAnnounced():
                self.prizes.append((seq, event))
            case de.EntryDescribed():
                self.descriptions[stays(event.player)] = DescribedEntry(seq, event)
            case de.NumbersAssigned():
                self.numbers, self.numbered_at = event, seq
                self.rated_anew |= event.basis == "first-round"
                for number, one in enumerate(event.participants, start=1):
                    if one in self.teams:
                        self.teams[one] = replace(self.teams[one], number=number)
            case de.AbsenceAnnounced():
                self._take_absence((event.round, stays(event.player)), event.kind)
            case de.AbsenceExcused():
                self.excused[stays(event.player)] = event.from_round
            case de.PlayerExpelled():
                self.expelled[stays(event.player)] = event.from_round
            case de.RoundPublished():
                self.rounds[event.round] = _published(seq, event, stays)
            case de.RoundWithdrawn():
                self.undone.append(UndoneRound(seq, self.rounds.pop(event.round)))
            case de.StandingsPublished():
                self.standings.append((seq, event))
            case de.TeamEntered():
                players = tuple(map(stays, event.participants))
                rating = event.pairing_rating
                self.teams[event.team] = EnteredTeam(
                    event.name, event.starting_number, players, rating
                )
            case de.LineupHandedIn():
                lineup = (None if one is None else stays(one) for one in event.participants)
                self.lineups[event.round, event.team] = tuple(lineup)
            case _:
                assert_never(event)

    def _take_absence(self, place: tuple[int, str], kind: Bye | None) -> None:
        if kind is None:
            self.absences.pop(place, None)
        else:
            self.absences[place] = kind

    def rename(self, stays: Stays) -> None:
        """Puts the ids that stay in place of others."""
        self.descriptions = {stays(one): said for one, said in self.descriptions.items()}
        self.absences = {
            (round_, stays(one)): kind for (round_, one), kind in self.absences.items()
        }
        self.excused = {stays(one): round_ for one, round_ in self.excused.items()}
        self.expelled = {stays(one): round_ for one, round_ in self.expelled.items()}
        self.rounds = {
            round_: replace(
                there,
                boards=tuple((stays(white), stays(black)) for white, black in there.boards),
                bye=None if there.bye is None else stays(there.bye),
            )
            for round_, there in self.rounds.items()
        }
        self.teams = {
            id_: replace(team, players=tuple(map(stays, team.players)))
            for id_, team in self.teams.items()
        }
        self.lineups = {
            place: tuple(None if one is None else stays(one) for one in lineup)
            for place, lineup in self.lineups.items()
        }


def _published(seq: Seq, event: de.RoundPublished, stays: Stays) -> PublishedRound:
    boards = tuple((stays(white), stays(black)) for white, black in event.boards)
    bye = None if event.bye is None else stays(event.bye)
    return PublishedRound(seq, boards, bye, event)
