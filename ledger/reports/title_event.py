"""An event as title reports see it: who is in whose field, and what each participant did there.

The event of section I is the all-play-all, of however many cycles: its field is everybody who
counts, once. The games are those due with all others, one in each cycle, and any beyond. The score
is the crosstable's, by its rule on withdrawals: a player who withdrew before half of the games
counts neither in the field nor in the score; later, games that were not played are wins for the
opponents. Forfeits count, byes do not. In every other event (team, Swiss, match) section III holds:
each player has an own tournament, of the games against an opponent. Byes and forfeits are no part
of it. Points that were given for the pairing only count nowhere.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from ledger.desk.score_sheet import cycles, score_sheet, without_temporary
from ledger.facts.as_of import AsOf
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.identifiers import NO_EVENT, PlayerIndex
from ledger.reports.tournaments import Rounds, rounds_by_player
from ledger.terms import System
from ledger.titles.fide_1972 import (
    Failure,
    Field,
    Participant,
    Performance,
    SharedPlace,
    Title,
    TitleResult,
    individual_field,
    title_result,
)
from ledger.titles.fide_1972_stages import StageEvent, StageResult, stage_results, stages_of
from ledger.titles.norm_chance import NormChance, norm_chance
from ledger.wording import Message


class TitleEvent:
    """An event with what is known of its participants on the first day.

    ``ratings`` are those in force then, by id. Where ``finals_from`` is a round, section III counts
    the games from it on only.
    """

    def __init__(
        self,
        record: TournamentRecord,
        known: AsOf,
        ratings: Mapping[str, int],
        finals_from: int = 1,
    ) -> None:
        self.record = record
        self.known = known
        self.ratings = ratings
        self.finals_from = finals_from
        self.titles = titles_on(known, record.version.starts_on)
        self.rounds: Rounds = rounds_by_player(record)
        self.cards = {
            card.player: card for card in without_temporary(score_sheet(record)).cards.values()
        }
        self.cancelled = {player for player, card in self.cards.items() if card.cancelled}
        self.counted = [player for player in record.entries if player not in self.cancelled]
        self.scores = {player: self.cards[player].halves for player in self.counted}
        self.all_play_all = record.version.system is System.ROUND_ROBIN
        self._participants: dict[str, Participant] = {}

    def index(self, entered: str) -> PlayerIndex:
        """Returns the index under which the games of an entered id count."""
        return self.known.counts_as(self.known.facts.player_index[entered])

    def participant(self, entered: str) -> Participant:
        """Returns an entered player as one of a field."""
        if entered not in self._participants:
            index = self.index(entered)
            self._participants[entered] = Participant(
                rating=self.ratings.get(self.known.facts.player_ids[index]),
                federation=self.known.federation(index),
                titles=self.titles.get(index, frozenset()),
            )
        return self._participants[entered]

    # What was done

    def held(self, player: str, title: Title) -> tuple[Field, Performance, TitleResult]:
        """Returns a player's field, the performance in it, and its worth for a title."""
        field, done = self._done(player, [] if player in self.cancelled else self._faced(player))
        result = title_result(title, field, done)
        if fails := self._void(player):
            result = TitleResult(title, None, None, fails)
        return field, done, result

    def _done(self, player: str, faced: Sequence[PairingRecord]) -> tuple[Field, Performance]:
        """Returns a player's field and performance; ``faced`` counts where section III holds."""
        if self.all_play_all and player not in self.cancelled:
            return self._everybody, self._all_play_all(player)
        others = [other for pairing in faced if (other := pairing.opponent(player))]
        opponents = [self.participant(other) for other in others]
        field = individual_field(self.participant(player), opponents)
        return field, self._own_tournament(player, faced)

    @cached_property
    def _everybody(self) -> Field:
        """Section I: the field of the all-play-all."""
        return Field(tuple(map(self.participant, self.counted)))

    @cached_property
    def _cycles(self) -> int:
        """How many times each pair of the all-play-all is to meet."""
        return cycles(self.record)

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
            other: max(0, self._cycles - games_against[other])
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
            halves=sum(pairing.halves(player) for pairing in faced if not _open(pairing)),
            unfinished=sum(map(_open, faced)),
            played=sum(map(_played, faced)),
            place=self._place(player),
            titles=self.participant(player).titles,
        )

    def _faced(self, player: str) -> list[PairingRecord]:
        """Returns the games that count against opponents who count, by round."""
        return [
            pairing
            for round_, pairing in sorted(self.rounds[player].items())
            if (_open(pairing) or _played(pairing))
            and pairing.opponent(player) not in self.cancelled
            and round_ >= self.finals_from
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

    # Chapter II

    @cached_property
    def stage(self) -> StageEvent:
        """What the event was a stage of."""
        unfinished = sum(self.in_stage(player).unfinished for player in self.counted)
        return StageEvent.of(self.record.flags, len(self.counted), -(-unfinished // 2))

    def results_of_stage(self, player: str) -> list[StageResult]:
        """Returns what the stage was for a player, article by article."""
        if not stages_of(self.record.flags) or self._void(player):
            return []
        return stage_results(self.stage, self.in_stage(player))

    def in_stage(self, player: str) -> Performance:
        """Returns a player's performance; rounds to come are games without a result."""
        _, done = self._done(player, self._faced(player) + self._paired(player))
        to_come = 0 if self.all_play_all else self._rounds_left(player, self.last_round + 1)
        return replace(done, unfinished=done.unfinished + to_come)

    # While it goes on

    def chance(self, player: str, title: Title) -> NormChance:
        """Returns which result for a title a player can still make."""
        if fails := self._void(player):
            return NormChance(TitleResult(title, None, None, fails), 0, 0)
        if self._over:
            _, done, result = self.held(player, title)
            return NormChance(result, done.halves, 0)
        field, done = self._done(player, self._faced(player) + self._paired(player))
        return norm_chance(
            title,
            field,
            done,
            unknown=0 if self.all_play_all else self._rounds_left(player, self._first(player)),
            score=self.scores[player],
            others=[score for other, score in self.scores.items() if other != player],
        )

    @cached_property
    def _over(self) -> bool:
        """Whether no game is due or to come."""
        return not any(
            self._done(player, self._faced(player) + self._paired(player))[1].unfinished
            or (not self.all_play_all and self._rounds_left(player, self._first(player)))
            for player in self.counted
        )

    def _paired(self, player: str) -> list[PairingRecord]:
        """Returns the boards of published rounds of which nothing is recorded yet."""
        boards = (
            (round_, published.board_of(player))
            for round_, published in sorted(self.record.desk.rounds.items())
            if (round_, player) not in self.record.pairings
        )
        return [PairingRecord(NO_EVENT, round_, *board, None) for round_, board in boards if board]

    @cached_property
    def last_round(self) -> int:
        """The last round that is published, or of which something is recorded."""
        return self.record.known_rounds

    def _first(self, player: str) -> int:
        """Returns the first round that is to come for a player.

        It may be the last one, while nothing is recorded of the player: where results are recorded
        without a pairing, and in a match of teams, whose boards are not published.
        """
        last, record = self.last_round, self.record
        published = last in record.desk.rounds and not record.desk.teams
        reported = published or (last, player) in record.pairings
        return last + 1 if reported or not last else last

    def _rounds_left(self, player: str, first: int) -> int:
        """Returns how many rounds from this one on will bring a player an unknown opponent."""
        record = self.record
        if record.closed or player in {*record.withdrawn, *record.desk.expelled}:
            return 0
        absent = record.desk.absences
        rounds = range(first, (record.version.rounds or 0) + 1)
        return sum((round_, player) not in absent for round_ in rounds)

    def points(self, player: str) -> int:
        """Returns a player's score in the event, in half points."""
        return self.cards[player].halves


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
            player = known.counts_as(PlayerIndex(award.index))
            held[player] = held.get(player, frozenset()) | {award.event.title}
    return held
