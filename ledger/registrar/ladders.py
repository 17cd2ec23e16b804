"""Commands about ladders and their challenges, and what they come to.

The rules are those of Chavarria, manual of tournaments and rating, Monterrey 1975, chapter
CLASIFICACION, after FENAMAC's Estatutos, Reglamentos of 1973; the match itself is in
``ledger.challenge``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ledger.challenge import GAMES, outcome, score, too_far
from ledger.errors import InputRefused
from ledger.events import ladders as la
from ledger.events import tournaments as to
from ledger.events.model import Dated, Event
from ledger.facts.ladder import Challenge, Ladder, State, Won
from ledger.facts.tournament import TournamentRecord
from ledger.registrar.pairings import RecordGame
from ledger.registrar.register import Register
from ledger.registrar.registrar import Command
from ledger.registrar.tournaments import OpenTournament
from ledger.results import Result
from ledger.terms import Rate, System
from ledger.wording import Message


def _check_day(ladder: Ladder, on: dt.date, today: dt.date) -> None:
    """Refuses a day before the ladder, or one that has not come."""
    if on < ladder.opened_on:
        raise InputRefused(
            "ladder.before_opened", on=on, ladder=ladder.opened.ladder, first=ladder.opened_on
        )
    _check_come(on, today)


def _check_come(on: dt.date, today: dt.date) -> None:
    if on > today:
        raise InputRefused("pairing.in_future", on=on)


def _rated(player: str, rating: int | None, list_: str, on: dt.date) -> int:
    if rating is None:
        raise InputRefused("ladder.unrated", player=player, list=list_, on=on)
    return rating


def _place(ladder: Ladder, player: str) -> int:
    place = ladder.place(player)
    if place is None:
        raise InputRefused("ladder.not_on", player=player, ladder=ladder.opened.ladder)
    return place


def _check_free(ladder: Ladder, player: str) -> None:
    """Refuses a player who plays another match."""
    running = ladder.running(player)
    if running is not None:
        (opponent,) = running.players - {player}
        raise InputRefused(
            "ladder.busy", player=player, opponent=opponent, match=running.made.tournament
        )


# The ladder itself


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLadder(Command):
    """Open a club's ladder of a list; ``ratings`` are those in force on the day.

    The players are placed by their ratings, or, ``as_given``, in the order in which they are named.
    """

    ladder: str
    list: str
    players: tuple[str, ...]
    ratings: Mapping[str, int]
    on: dt.date
    as_given: bool = False

    @property
    def streams(self) -> tuple[str, ...]:
        """The ladder, the list and the players."""
        players = (f"player:{player}" for player in self.players)
        return (f"ladder:{self.ladder}", f"list:{self.list}", *players)

    def decide(self, register: Register, today: dt.date) -> Sequence[Dated]:
        """Refuses a name that is taken, a player named twice, and one without a rating."""
        if self.ladder in register.ladders:
            raise self.refused("ladder.open_already")
        register.known_list(self.list)
        _check_come(self.on, today)
        for index, player in enumerate(self.players):
            register.known_player(player)
            if player in self.players[:index]:
                raise self.refused("ladder.twice", player=player)
            _rated(player, self.ratings.get(player), self.list, self.on)
        players = self.players
        if not self.as_given:
            # Of equals, the one named first is placed first.
            players = tuple(sorted(players, key=lambda player: -self.ratings[player]))
        return [Dated(self.on, self.said(la.LadderOpened, players=players))]


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinLadder(Command):
    """Put a player on a ladder: on a place, or (``place`` None) at the bottom."""

    NAMES = ("ladder", "player")

    ladder: str
    player: str
    rating: int | None
    place: int | None
    on: dt.date

    def decide(self, register: Register, today: dt.date) -> Sequence[Dated]:
        """Refuses a player who is on the ladder or has no rating, and a place below the bottom."""
        ladder = register.known_ladder(self.ladder)
        register.known_player(self.player)
        _check_day(ladder, self.on, today)
        there = ladder.place(self.player)
        if there is not None:
            raise self.refused("ladder.on_already", place=there)
        _rated(self.player, self.rating, ladder.opened.list, self.on)
        bottom = len(ladder.places) + 1
        place = bottom if self.place is None else self.place
        if place > bottom:
            raise self.refused("ladder.no_such_place", place=place, bottom=bottom)
        return [Dated(self.on, self.said(la.LadderJoined, place=place))]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveLadder(Command):
    """Take a player off a ladder."""

    NAMES = ("ladder",)

    ladder: str
    player: str
    on: dt.date

    def decide(self, register: Register, today: dt.date) -> Sequence[Dated]:
        """Refuses a player who is not on the ladder, or plays a match."""
        ladder = register.known_ladder(self.ladder)
        _place(ladder, self.player)
        _check_day(ladder, self.on, today)
        _check_free(ladder, self.player)
        return [Dated(self.on, self.said(la.LadderLeft))]


# Challenges


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeChallenge(Command):
    """Challenge a player above to a match, which is opened with it as a tournament.

    The ratings are those of the ladder's list on the day. ``override`` says who authorized a match
    of players too far apart, and why.
    """

    ladder: str
    challenger: str
    challenged: str
    challenger_rating: int | None
    challenged_rating: int | None
    tournament: str
    name: str
    on: dt.date
    ends_on: dt.date
    rate_of_play: Rate
    override: str | None = None

    @property
    def players(self) -> tuple[str, str]:
        """The two."""
        return self.challenger, self.challenged

    @property
    def streams(self) -> tuple[str, ...]:
        """The ladder, the match and both players."""
        players = (f"player:{player}" for player in self.players)
        return (f"ladder:{self.ladder}", f"tournament:{self.tournament}", *players)

    def decide(self, register: Register, today: dt.date) -> Sequence[Dated]:
        """Refuses all but the nearest above, and ratings too far apart without an override."""
        ladder = register.known_ladder(self.ladder)
        for player in self.players:
            register.known_player(player)
            _place(ladder, player)
        _check_day(ladder, self.on, today)
        self._check_nearest(ladder)
        list_ = ladder.opened.list
        challenger_rating = _rated(self.challenger, self.challenger_rating, list_, self.on)
        challenged_rating = _rated(self.challenged, self.challenged_rating, list_, self.on)
        far = too_far(challenger_rating, challenged_rating)
        if far == (self.override is None):
            raise self.refused(
                "ladder.too_far" if far else "ladder.no_override_needed",
                challenger_rating=challenger_rating,
                challenged_rating=challenged_rating,
            )
        return [Dated(self.on, self.said(la.ChallengeMade)), *self._match(register)]

    def _check_nearest(self, ladder: Ladder) -> None:
        """Refuses anybody but the nearest above with whom a match can be played."""
        from_place, to_place = _place(ladder, self.challenger), _place(ladder, self.challenged)
        if to_place >= from_place:
            raise self.refused("ladder.not_above", from_place=from_place, to_place=to_place)
        for player in self.players:
            _check_free(ladder, player)
        until = ladder.barred_until(self.challenger, self.challenged)
        if until is not None and self.on < until:
            raise self.refused("ladder.rematch", until=until)
        nearest = ladder.nearest(self.challenger, self.on)
        assert nearest is not None, "the challenged is free"
        if self.challenged != nearest:
            raise self.refused("ladder.not_nearest", nearest=nearest, place=ladder.place(nearest))

    def _match(self, register: Register) -> list[Dated]:
        """Returns the events that open the match: a tournament of two players and two games."""
        opening = OpenTournament(
            tournament=self.tournament,
            name=self.name,
            starts_on=self.on,
            ends_on=self.ends_on,
            system=System.MATCH,
            rate_of_play=self.rate_of_play,
            rounds=GAMES,
        )
        entries = [
            to.PlayerEntered(player=player, starting_number=number, tournament=self.tournament)
            for number, player in enumerate(self.players, start=1)
        ]
        opened = opening.decide(register, self.on)
        return [*opened, *(Dated(self.on, entry) for entry in entries)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordChallengeGame(Command):
    """Record a game of a challenge's match, and, where that ends it, who won the match."""

    NAMES = ("ladder", "tournament", "white", "black")

    ladder: str
    tournament: str
    game: int
    white: str
    black: str
    result: Result
    played_on: dt.date
    as_correction: bool = False

    def decide(self, register: Register, today: dt.date) -> Sequence[Dated]:
        """Refuses what ``RecordGame`` does, and a second game that is not due."""
        challenge = _challenge(register.known_ladder(self.ladder), self.tournament)
        record = register.known_tournament(self.tournament)
        if self.game == GAMES:
            _check_second_game(record, challenge)
        game = RecordGame(
            tournament=self.tournament,
            round=self.game,
            white=self.white,
            black=self.black,
            result=self.result,
            played_on=self.played_on,
            as_correction=self.as_correction,
        )
        # A match lasts until its last game: longer, where that came later than was agreed.
        longer = _version(record, max(record.version.ends_on, self.played_on), GAMES)
        room = Register(register.survivors)
        room.players = register.players
        room.tournaments = {self.tournament: replace(record, version=longer)}
        decided = [*game.decide(room, today)]
        played = score(self.result.halves, higher_is_white=self.white == challenge.higher)
        won = challenge.won_by_games(record, (self.game, played))
        if won is not None:
            games = max(self.game, record.last_round)
            # It ended on the day of its last game.
            last_day = self.played_on if self.game == games else longer.ends_on
            longer = _version(record, last_day, games)
        if longer.model_dump() != record.version.model_dump():
            decided.insert(0, Dated(longer.starts_on, longer))
        if won is not None:
            decided += _ended(record, challenge, won, self.played_on)
        return decided


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfChallenge(Command):
    NAMES = ("ladder", "tournament")

    ladder: str
    tournament: str
    on: dt.date

    def _known(self, register: Register, today: dt.date) -> Challenge:
        """Returns the challenge; refuses a day before it, or one that has not come."""
        challenge = _challenge(register.known_ladder(self.ladder), self.tournament)
        if self.on < challenge.on:
            raise self.refused("ladder.before_challenge", match=self.tournament, first=challenge.on)
        _check_come(self.on, today)
        return challenge


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleChallenge(_OfChallenge):
    """Decide a challenge by the results recorded of its match, however they were recorded."""

    as_correction: bool = False

    def decide(self, register: Register, today: dt.date) -> Sequence[Dated]:
        """Refuses a match that is not over, and another decision but as a correction."""
        challenge = self._known(register, today)
        record = register.known_tournament(self.tournament)
        won = challenge.won_by_games(record)
        if won is None:
            raise self.refused("ladder.not_over", match=self.tournament)
        if won == challenge.state:
            raise self.refused("ladder.settled", match=self.tournament, outcome=_said(won))
        if challenge.decided and not self.as_correction:
            raise self.refused(
                "ladder.settled_otherwise",
                match=self.tournament,
                before=_said(challenge.state),
                outcome=_said(won),
            )
        return _ended(record, challenge, won, self.on)


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawChallenge(_OfChallenge):
    """Give a challenge up before its match is over."""

    def decide(self, register: Register, today: dt.date) -> Sequence[Dated]:
        """Refuses a challenge that is decided."""
        challenge = self._known(register, today)
        if challenge.decided:
            outcome_ = _said(challenge.state)
            raise self.refused("ladder.settled", match=self.tournament, outcome=outcome_)
        events: list[Event] = [la.ChallengeWithdrawn(challenge=challenge.seq, ladder=self.ladder)]
        record = register.tournaments[self.tournament]
        if not record.closed and not record.annulled:
            events.append(to.TournamentClosed(tournament=self.tournament))
        return [Dated(self.on, event) for event in events]


def _challenge(ladder: Ladder, tournament: str) -> Challenge:
    """Returns the challenge of a match; refuses one that was withdrawn or never made."""
    challenge = ladder.of_match(tournament)
    if challenge is None:
        raise InputRefused("ladder.no_match", match=tournament, ladder=ladder.opened.ladder)
    if challenge.state == "withdrawn":
        raise InputRefused("ladder.withdrawn", match=tournament, on=challenge.ended_on)
    return challenge


def _said(state: State) -> Message:
    return Message.of(f"state.{state}")


def _check_second_game(record: TournamentRecord, challenge: Challenge) -> None:
    """Refuses a second game before the first, or after the first has ended the match."""
    first, played = challenge.pairing(record, 1), challenge.score(record, 1)
    if first is None or played is None:
        raise InputRefused("ladder.first_game_missing", match=record.version.tournament)
    if outcome(played) is not None:
        raise InputRefused(
            "ladder.match_over",
            match=record.version.tournament,
            winner=challenge.higher,
            pairing=first.described(),
        )


def _version(record: TournamentRecord, ends_on: dt.date, rounds: int) -> to.TournamentCorrected:
    known = record.version.model_dump()
    return to.TournamentCorrected.model_validate({**known, "ends_on": ends_on, "rounds": rounds})


def _ended(record: TournamentRecord, challenge: Challenge, won: Won, on: dt.date) -> list[Dated]:
    """Returns the decision, where it is not the one that stands, and the end of the match."""
    made = challenge.made
    events: list[Event] = []
    if challenge.state != won:
        events.append(
            la.ChallengeDecided(
                challenge=challenge.seq,
                ladder=made.ladder,
                outcome=won,
                supersedes=challenge.decision,
            )
        )
    if not record.closed:
        events.append(to.TournamentClosed(tournament=made.tournament))
    return [Dated(on, event) for event in events]
