"""Titles: what each participant of an event needed and made, and a player's results together.

The event of section I is the all-play-all, of however many cycles: its field is everybody who
counts, once. The games are those due with all others, one in each cycle, and any beyond. The score
is the crosstable's, by its rule on withdrawals: a player who withdrew before half of the games
counts neither in the field nor in the score; later, games that were not played are wins for the
opponents. Forfeits count, byes do not. In every other event (team, Swiss, match) section III holds:
each player has an own tournament, of the games against an opponent. Byes and forfeits are no part
of it.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ledger.desk.score_sheet import cycles, score_sheet
from ledger.facts.as_of import AsOf
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.json_form import JsonForm
from ledger.lists.people import People
from ledger.rating.decimal_text import exact, points
from ledger.rating.rounding import half_up
from ledger.reports.tournaments import Rounds, rounds_by_player
from ledger.terms import System
from ledger.titles.fide_1972 import (
    Accumulation,
    Failure,
    Field,
    Made,
    Participant,
    Performance,
    SharedPlace,
    Title,
    TitleResult,
    accumulation,
    individual_field,
    title_result,
)
from ledger.wording import Message


@dataclass(frozen=True, slots=True)
class TitleRow:
    """One participant of one event, held against one title."""

    event: TournamentRecord
    player: int
    number: int
    name: str
    id: str
    rating: int | None
    field: Field
    done: Performance
    result: TitleResult

    @property
    def made(self) -> Made:
        """The result, as it counts together with others."""
        about = self.event.version
        return Made(
            event=about.tournament,
            starts_on=about.starts_on,
            ends_on=about.ends_on,
            games=self.done.played,
            with_place=self.result.made,
        )

    def why(self, language: str) -> str:
        """Returns the conditions that fail, in words."""
        return "; ".join(fail.message.within(language) for fail in self.result.fails)

    def event_data(self, language: str) -> dict[str, Any]:
        """Returns it as JSON data, with the event."""
        about = self.event.version
        return {
            "tournament": about.tournament,
            "tournament_name": about.name,
            "start": about.starts_on.isoformat(),
            "end": about.ends_on.isoformat(),
            "played": self.done.played,
            **self.data(language),
        }

    def data(self, language: str) -> dict[str, Any]:
        """Returns it as JSON data."""
        result, needed = self.result, self.result.needed
        return {
            "number": self.number,
            "id": self.id,
            "name": self.name,
            "titles": sorted(self.done.titles),
            "rating": self.rating,
            "participants": self.field.size,
            "mean": exact(self.field.mean),
            "mean_counted": half_up(self.field.mean),
            "category": self.field.category,
            "for": result.title.value,
            "percent": result.percent,
            "games": self.done.games,
            "needed": None if needed is None else points(needed),
            "points": points(self.done.halves),
            "made": result.made,
            "fails": [fail.condition for fail in result.fails],
            "why": self.why(language),
        }


def title_rows(
    record: TournamentRecord,
    known: AsOf,
    ratings: Mapping[str, int],
    people: People,
    player: int | None = None,
) -> list[TitleRow]:
    """Returns a row for each participant and title, by starting number.

    ``ratings`` are those in force on its first day, by id; ``player`` is the index (the one that
    counts) whose rows alone are wanted.
    """
    event = _Event(record, known, ratings)
    rows = []
    for entered, number in record.by_number:
        index = event.index(entered)
        if player not in (None, index):
            continue
        for title in Title:
            field, done, result = event.held(entered, title)
            rows.append(
                TitleRow(
                    event=record,
                    player=index,
                    number=number,
                    name=people.name(index) or "",
                    id=people.id(index) or "",
                    rating=event.participant(entered).rating,
                    field=field,
                    done=done,
                    result=result,
                )
            )
    return rows


class _Event:
    """An event with what is known of its participants on the first day."""

    def __init__(self, record: TournamentRecord, known: AsOf, ratings: Mapping[str, int]) -> None:
        self.record = record
        self.known = known
        self.ratings = ratings
        self.titles = titles_on(known, record.version.starts_on)
        self.rounds: Rounds = rounds_by_player(record)
        cards = score_sheet(record).cards.values()
        self.cancelled = {card.player for card in cards if card.cancelled}
        self.counted = [player for player in record.entries if player not in self.cancelled]
        self.scores = {card.player: card.halves for card in cards if not card.cancelled}
        self.all_play_all = record.version.system is System.ROUND_ROBIN
        self.cycles = cycles(record)

    def index(self, entered: str) -> int:
        """Returns the index under which the games of an entered id count."""
        return int(self.known.merged_into[self.known.facts.player_index[entered]])

    def participant(self, entered: str) -> Participant:
        """Returns an entered player as one of a field."""
        index = self.index(entered)
        return Participant(
            rating=self.ratings.get(self.known.facts.player_ids[index]),
            federation=self.known.federation(index),
            titles=self.titles.get(index, frozenset()),
        )

    def held(self, player: str, title: Title) -> tuple[Field, Performance, TitleResult]:
        """Returns a player's field, the performance in it, and its worth for a title."""
        if self.all_play_all and player not in self.cancelled:
            field = Field(tuple(map(self.participant, self.counted)))
            done = self._all_play_all(player)
        else:
            faced = [] if player in self.cancelled else self._faced(player)
            others = [other for pairing in faced if (other := pairing.opponent(player))]
            opponents = [self.participant(other) for other in others]
            field = individual_field(self.participant(player), opponents)
            done = self._own_tournament(player, faced)
        result = title_result(title, field, done)
        if fails := self._void(player):
            result = TitleResult(title, None, None, fails)
        return field, done, result

    def _void(self, player: str) -> tuple[Failure, ...]:
        """Returns why nothing of it can count, if so."""
        if self.record.annulled:
            return (Failure("annulled", Message.of("title.annulled")),)
        if player in self.cancelled:
            return (Failure("cancelled", Message.of("title.cancelled")),)
        return ()

    def _all_play_all(self, player: str) -> Performance:
        """Section I: all others are opponents; no game is due with a player who withdrew."""
        pairings = [
            pairing
            for pairing in self.rounds[player].values()
            if pairing.black is not None and pairing.opponent(player) not in self.cancelled
        ]
        games_against = Counter(pairing.opponent(player) for pairing in pairings)
        missing = {
            other: max(0, self.cycles - games_against[other])
            for other in self.counted
            if other != player
        }
        withdrawn = self.record.withdrawn
        due = sum(
            count for other, count in missing.items() if not {player, other} & withdrawn.keys()
        )
        return Performance(
            games=len(pairings) + sum(missing.values()),
            halves=self.scores[player] - self._byes(player),
            unfinished=due + sum(map(_open, pairings)),
            played=sum(map(_played, pairings)),
            place=self._place(player),
            titles=self.participant(player).titles,
        )

    def _own_tournament(self, player: str, faced: Sequence[PairingRecord]) -> Performance:
        """Section III: the games against an opponent, and no others."""
        return Performance(
            games=len(faced),
            halves=sum(pairing.halves(player) for pairing in faced),
            unfinished=sum(map(_open, faced)),
            played=sum(map(_played, faced)),
            place=self._place(player),
            titles=self.participant(player).titles,
        )

    def _faced(self, player: str) -> list[PairingRecord]:
        """Returns the games against opponents who count, by round."""
        return [
            pairing
            for _, pairing in sorted(self.rounds[player].items())
            if (_open(pairing) or _played(pairing))
            and pairing.opponent(player) not in self.cancelled
        ]

    def _byes(self, player: str) -> int:
        """Returns what rounds without an opponent gave, in half points."""
        pairings = self.rounds[player].values()
        return sum(p.halves(player) for p in pairings if p.black is None)

    def _place(self, player: str) -> SharedPlace | None:
        if self.record.version.system is System.TEAM_SWISS or player in self.cancelled:
            return None
        own = self.scores[player]
        above = sum(other > own for other in self.scores.values())
        return SharedPlace(above, sum(other == own for other in self.scores.values()))


def _open(pairing: PairingRecord) -> bool:
    """Whether a game has no final result yet."""
    return pairing.result is None or pairing.status == "temporary"


def _played(pairing: PairingRecord) -> bool:
    return pairing.has_game_result and not _open(pairing)


def titles_on(known: AsOf, day: dt.date) -> dict[int, frozenset[str]]:
    """Returns the titles each player holds on a day, by index; those of merged ids together."""
    held: dict[int, frozenset[str]] = {}
    for award in known.titles:
        if award.from_on <= day:
            player = int(known.merged_into[award.index])
            held[player] = held.get(player, frozenset()) | {award.event.title}
    return held


def title_from(known: AsOf, player: int, title: Title) -> dt.date | None:
    """Returns since when a player holds a title, or None."""
    days = (
        award.from_on
        for award in known.titles
        if award.event.title == title and known.merged_into[award.index] == player
    )
    return min(days, default=None)


@dataclass(frozen=True, slots=True)
class TitleProgress(JsonForm):
    """A player's results for one title together; since when it is held, if so."""

    held_from: dt.date | None
    together: Accumulation

    def json_fields(self) -> Mapping[str, object]:
        """Returns what its JSON form says."""
        together, results = self.together, self.together.results
        return {
            "for": together.title,
            "held_from": self.held_from,
            "fulfilled": together.fulfilled,
            "fulfilled_on": results[-1].ends_on if together.fulfilled else None,
            "results": len(results),
            "games": together.games,
            "tournaments": [made.event for made in results],
        }


def progress_of(known: AsOf, player: int, title: Title, rows: Sequence[TitleRow]) -> TitleProgress:
    """Returns how near a player's results come to a title."""
    made = [row.made for row in rows if row.result.title is title and row.result.made_by_a_master]
    master_from = title_from(known, player, Title.INTERNATIONAL_MASTER)
    return TitleProgress(title_from(known, player, title), accumulation(title, made, master_from))
