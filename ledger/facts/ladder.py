"""A ladder folded from its events: the places, since when, and the challenges.

The registrar and the reports fold alike. A decision that was corrected holds where the first one
stood, so the places are those that the corrected history gives.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, assert_never

from ledger.challenge import (
    GAMES,
    MatchOutcome,
    Score,
    challenger_is_higher,
    outcome,
    rematch_from,
    score,
)
from ledger.events import ladders as la
from ledger.facts.tables import RecordedEvent
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.identifiers import Seq
from ledger.results import Result

Won: TypeAlias = Literal["challenged", "challenger", "drawn"]
LadderEntry: TypeAlias = RecordedEvent[la.AnyLadderEvent]
State: TypeAlias = Won | Literal["running", "withdrawn"]


@dataclass(frozen=True, slots=True)
class Challenge:
    """One challenge; ``ended_on`` is the day on which it was decided or withdrawn.

    ``decision`` is the seq of the last word on who won.
    """

    seq: Seq
    on: dt.date
    made: la.ChallengeMade
    state: State = "running"
    ended_on: dt.date | None = None
    decision: int | None = None

    @property
    def players(self) -> frozenset[str]:
        """The two."""
        return frozenset((self.made.challenger, self.made.challenged))

    @property
    def decided(self) -> bool:
        """Whether somebody won it, or it was drawn."""
        return self.state not in ("running", "withdrawn")

    @property
    def higher(self) -> str:
        """The higher rated of the two."""
        made = self.made
        if challenger_is_higher(made.challenger_rating, made.challenged_rating):
            return made.challenger
        return made.challenged

    def pairing(self, match: TournamentRecord, game: int) -> PairingRecord | None:
        """Returns what is recorded of a game of its match."""
        return match.pairings.get((game, match.survivors(self.higher)))

    def score(self, match: TournamentRecord, game: int) -> Score | None:
        """Returns a game's score as the match counts it; None: it has no final result yet."""
        pairing = self.pairing(match, game)
        if pairing is None or pairing.status != "recorded":
            return None
        if not isinstance(pairing.result, Result):
            return None
        higher_is_white = pairing.white == match.survivors(self.higher)
        return score(pairing.result.halves, higher_is_white=higher_is_white)

    def won_by_games(
        self, match: TournamentRecord, new: tuple[int, Score] | None = None
    ) -> Won | None:
        """Returns who won the match by what is recorded of its games; None while it is not over.

        ``new`` is a game that is about to be recorded, and its score.
        """
        scores = [
            new[1] if new and game == new[0] else self.score(match, game)
            for game in range(1, GAMES + 1)
        ]
        won = outcome(*scores)
        if won is None or won is MatchOutcome.DRAWN:
            return None if won is None else "drawn"
        by_challenger = (self.higher == self.made.challenger) == (won is MatchOutcome.HIGHER)
        return "challenger" if by_challenger else "challenged"


@dataclass(frozen=True, slots=True)
class Exchange:
    """A challenger took the place of the loser."""

    challenge: Challenge
    from_place: int
    to_place: int


@dataclass(slots=True)
class Ladder:
    """A ladder as known at a seq: ``places[0]`` is place 1; ``since`` by player."""

    opened: la.LadderOpened
    opened_on: dt.date
    places: list[str] = field(default_factory=list)
    since: dict[str, dt.date] = field(default_factory=dict)
    challenges: dict[int, Challenge] = field(default_factory=dict)
    exchanges: list[Exchange] = field(default_factory=list)

    def place(self, player: str) -> int | None:
        """Returns a player's place, from 1; None for one who is not on the ladder."""
        return self.places.index(player) + 1 if player in self.places else None

    def running(self, player: str) -> Challenge | None:
        """Returns the challenge that keeps a player busy."""
        found = (c for c in self.challenges.values() if c.state == "running")
        return next((c for c in found if player in c.players), None)

    def of_match(self, tournament: str) -> Challenge | None:
        """Returns the challenge whose match the tournament is."""
        found = (c for c in self.challenges.values() if c.made.tournament == tournament)
        return next(found, None)

    def between(self, one: str, other: str) -> Challenge | None:
        """Returns the last challenge of the two, but for those that were withdrawn."""
        both = frozenset((one, other))
        found = [c for c in self.challenges.values() if c.players == both]
        return next((c for c in reversed(found) if c.state != "withdrawn"), None)

    def barred_until(self, one: str, other: str) -> dt.date | None:
        """Returns the first day on which the two may meet again; None where they never met."""
        both = frozenset((one, other))
        days = [
            rematch_from(c.ended_on)
            for c in self.challenges.values()
            if c.decided and c.ended_on is not None and c.players == both
        ]
        return max(days, default=None)

    def nearest(self, challenger: str, on: dt.date) -> str | None:
        """Returns the next one above whom the player can challenge on the day.

        Passed over are players of another match, and those whom a rematch has to wait for.
        """
        above = self.places[: self.places.index(challenger)]
        for player in reversed(above):
            until = self.barred_until(challenger, player)
            if self.running(player) is None and (until is None or until <= on):
                return player
        return None

    def arrange(self, places: list[str], on: dt.date) -> None:
        """Gives the players these places, from the day on where one is new to them."""
        before = {player: place for place, player in enumerate(self.places)}
        self.since = {
            player: self.since[player] if before.get(player) == place else on
            for place, player in enumerate(places)
        }
        self.places = places


@dataclass(slots=True)
class LadderFacts:
    """What is recorded of one ladder, in order of seq."""

    seq: Seq
    opened_on: dt.date
    opened: la.LadderOpened
    entries: list[LadderEntry] = field(default_factory=list)

    def copy(self) -> LadderFacts:
        """Returns what was taken so far; later entries do not change it."""
        return LadderFacts(self.seq, self.opened_on, self.opened, list(self.entries))

    def known(self, seq: Seq | None = None) -> Ladder:
        """Returns the ladder as it was known at a seq (default: by now)."""
        entries = [entry for entry in self.entries if seq is None or entry.seq <= seq]
        last_words = {
            entry.event.challenge: entry
            for entry in entries
            if isinstance(entry.event, la.ChallengeDecided)
        }
        ladder = Ladder(self.opened, self.opened_on)
        ladder.arrange(list(self.opened.players), self.opened_on)
        for entry in entries:
            _take(ladder, entry, last_words)
        return ladder


def _take(ladder: Ladder, entry: LadderEntry, last_words: dict[Seq, LadderEntry]) -> None:
    event = entry.event
    places = list(ladder.places)
    match event:
        case la.LadderOpened():
            pass
        case la.LadderJoined():
            places.insert(event.place - 1, event.player)
        case la.LadderLeft():
            places.remove(event.player)
        case la.ChallengeMade():
            ladder.challenges[entry.seq] = Challenge(entry.seq, entry.from_on, event)
        case la.ChallengeDecided():
            if not ladder.challenges[event.challenge].decided:
                places = _decide(ladder, event.challenge, last_words[event.challenge])
        case la.ChallengeWithdrawn():
            challenge = ladder.challenges[event.challenge]
            ladder.challenges[event.challenge] = replace(
                challenge, state="withdrawn", ended_on=entry.from_on
            )
        case _:
            assert_never(event)
    ladder.arrange(places, entry.from_on)


def _decide(ladder: Ladder, seq: Seq, last_word: LadderEntry) -> list[str]:
    """Ends a challenge as its last word has it; returns the places after it."""
    event = last_word.event
    assert isinstance(event, la.ChallengeDecided)
    challenge = replace(
        ladder.challenges[seq],
        state=event.outcome,
        ended_on=last_word.from_on,
        decision=last_word.seq,
    )
    ladder.challenges[seq] = challenge
    places = list(ladder.places)
    if event.outcome == "challenger":
        winner, loser = challenge.made.challenger, challenge.made.challenged
        low, high = places.index(winner), places.index(loser)
        places[low], places[high] = loser, winner
        ladder.exchanges.append(Exchange(challenge, low + 1, high + 1))
    return places
