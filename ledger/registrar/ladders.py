"""Commands about ladders and their challenges, and what they come to.

The rules are those of Chavarria, manual of tournaments and rating, Monterrey 1975, chapter
CLASIFICACION, after FENAMAC's Estatutos, Reglamentos of 1973; the match itself is in
``ledger.challenge``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from ledger.challenge import GAMES, outcome, score, too_far
from ledger.errors import InputRefused, NotFound
from ledger.events import ladders as la
from ledger.events import tournaments as to
from ledger.events.model import Dated, Event
from ledger.facts.ladder import Challenge, Ladder, State, Won
from ledger.facts.tournament import TournamentRecord
from ledger.operations.games import RecordGame
from ledger.operations.ladders import (
    JoinLadder,
    LeaveLadder,
    MakeChallenge,
    OpenLadder,
    RecordChallengeGame,
    SettleChallenge,
    WithdrawChallenge,
)
from ledger.operations.tournaments import OpenTournament
from ledger.registrar.deciders import decides
from ledger.registrar.pairings import record_game
from ledger.registrar.register import Register
from ledger.registrar.tournaments import opened_tournament
from ledger.terms import System
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


@decides(OpenLadder)
def open_ladder(command: OpenLadder, register: Register, today: dt.date) -> Sequence[Dated]:
    """Refuses a name that is taken, a player named twice, and one without a rating."""
    if command.ladder in register.ladders:
        raise command.refused("ladder.open_already")
    register.known_list(command.list)
    _check_come(command.on, today)
    for index, player in enumerate(command.players):
        register.known_player(player)
        if player in command.players[:index]:
            raise command.refused("ladder.twice", player=player)
        _rated(player, command.ratings.get(player), command.list, command.on)
    players = command.players
    if not command.as_given:
        # Of equals, the one named first is placed first.
        players = tuple(sorted(players, key=lambda player: -command.ratings[player]))
    return [Dated(command.on, command.event(la.LadderOpened, players=players))]


@decides(JoinLadder)
def join_ladder(command: JoinLadder, register: Register, today: dt.date) -> Sequence[Dated]:
    """Refuses a player who is on the ladder or has no rating, and a place below the bottom."""
    ladder = register.known_ladder(command.ladder)
    register.known_player(command.player)
    _check_day(ladder, command.on, today)
    there = ladder.place(command.player)
    if there is not None:
        raise command.refused("ladder.on_already", place=there)
    _rated(command.player, command.rating, ladder.opened.list, command.on)
    bottom = len(ladder.places) + 1
    place = bottom if command.place is None else command.place
    if place > bottom:
        raise command.refused("ladder.no_such_place", place=place, bottom=bottom)
    return [Dated(command.on, command.event(la.LadderJoined, place=place))]


@decides(LeaveLadder)
def leave_ladder(command: LeaveLadder, register: Register, today: dt.date) -> Sequence[Dated]:
    """Refuses a player who is not on the ladder, or plays a match."""
    ladder = register.known_ladder(command.ladder)
    _place(ladder, command.player)
    _check_day(ladder, command.on, today)
    _check_free(ladder, command.player)
    return [Dated(command.on, command.event(la.LadderLeft))]


# Challenges


@decides(MakeChallenge)
def make_challenge(command: MakeChallenge, register: Register, today: dt.date) -> Sequence[Dated]:
    """Refuses all but the nearest above, and ratings too far apart without an override."""
    ladder = register.known_ladder(command.ladder)
    for player in command.players:
        register.known_player(player)
        _place(ladder, player)
    _check_day(ladder, command.on, today)
    _check_nearest(command, ladder)
    list_ = ladder.opened.list
    challenger_rating = _rated(command.challenger, command.challenger_rating, list_, command.on)
    challenged_rating = _rated(command.challenged, command.challenged_rating, list_, command.on)
    far = too_far(challenger_rating, challenged_rating)
    if far == (command.override is None):
        raise command.refused(
            "ladder.too_far" if far else "ladder.no_override_needed",
            challenger_rating=challenger_rating,
            challenged_rating=challenged_rating,
        )
    return [Dated(command.on, command.event(la.ChallengeMade)), *_match(command, register)]


def _check_nearest(command: MakeChallenge, ladder: Ladder) -> None:
    """Refuses anybody but the nearest above with whom a match can be played."""
    from_place, to_place = _place(ladder, command.challenger), _place(ladder, command.challenged)
    if to_place >= from_place:
        raise command.refused("ladder.not_above", from_place=from_place, to_place=to_place)
    for player in command.players:
        _check_free(ladder, player)
    until = ladder.barred_until(command.challenger, command.challenged)
    if until is not None and command.on < until:
        raise command.refused("ladder.rematch", until=until)
    nearest = ladder.nearest(command.challenger, command.on)
    assert nearest is not None, "the challenged is free"
    if command.challenged != nearest:
        raise command.refused("ladder.not_nearest", nearest=nearest, place=ladder.place(nearest))


def _match(command: MakeChallenge, register: Register) -> list[Dated]:
    """Returns the events that open the match: a tournament of two players and two games."""
    opening = OpenTournament(
        tournament=command.tournament,
        name=command.name,
        starts_on=command.on,
        ends_on=command.ends_on,
        system=System.MATCH,
        rate_of_play=command.rate_of_play,
        rounds=GAMES,
    )
    entries = [
        to.PlayerEntered(player=player, starting_number=number, tournament=command.tournament)
        for number, player in enumerate(command.players, start=1)
    ]
    return [opened_tournament(opening, register), *(Dated(command.on, entry) for entry in entries)]


@decides(RecordChallengeGame)
def record_challenge_game(
    command: RecordChallengeGame, register: Register, today: dt.date
) -> Sequence[Dated]:
    """Refuses what ``RecordGame`` does, and a second game that is not due."""
    challenge = _challenge(register.known_ladder(command.ladder), command.tournament)
    record = register.known_tournament(command.tournament)
    if command.game == GAMES:
        _check_second_game(record, challenge)
    game = RecordGame(
        tournament=command.tournament,
        round=command.game,
        white=command.white,
        black=command.black,
        result=command.result,
        played_on=command.played_on,
        as_correction=command.as_correction,
    )
    # A match lasts until its last game: longer, where that came later than was agreed.
    longer = _version(record, max(record.version.ends_on, command.played_on), GAMES)
    room = Register(register.survivors)
    room.players = register.players
    room.tournaments = {command.tournament: replace(record, version=longer)}
    decided = [*record_game(game, room, today)]
    played = score(command.result.halves, higher_is_white=command.white == challenge.higher)
    won = challenge.won_by_games(record, (command.game, played))
    if won is not None:
        games = max(command.game, record.last_round)
        # It ended on the day of its last game.
        last_day = command.played_on if command.game == games else longer.ends_on
        longer = _version(record, last_day, games)
    if longer.model_dump() != record.version.model_dump():
        decided.insert(0, Dated(longer.starts_on, longer))
    if won is not None:
        decided += _ended(record, challenge, won, command.played_on)
    return decided


def _known(
    command: SettleChallenge | WithdrawChallenge, register: Register, today: dt.date
) -> Challenge:
    """Returns the challenge; refuses a day before it, or one that has not come."""
    challenge = _challenge(register.known_ladder(command.ladder), command.tournament)
    if command.on < challenge.on:
        raise command.refused(
            "ladder.before_challenge", match=command.tournament, first=challenge.on
        )
    _check_come(command.on, today)
    return challenge


@decides(SettleChallenge)
def settle_challenge(
    command: SettleChallenge, register: Register, today: dt.date
) -> Sequence[Dated]:
    """Refuses a match that is not over, and another decision but as a correction."""
    challenge = _known(command, register, today)
    record = register.known_tournament(command.tournament)
    won = challenge.won_by_games(record)
    if won is None:
        raise command.refused("ladder.not_over", match=command.tournament)
    if won == challenge.state:
        raise command.refused("ladder.settled", match=command.tournament, outcome=_said(won))
    if challenge.decided and not command.as_correction:
        raise command.refused(
            "ladder.settled_otherwise",
            match=command.tournament,
            before=_said(challenge.state),
            outcome=_said(won),
        )
    return _ended(record, challenge, won, command.on)


@decides(WithdrawChallenge)
def withdraw_challenge(
    command: WithdrawChallenge, register: Register, today: dt.date
) -> Sequence[Dated]:
    """Refuses a challenge that is decided."""
    challenge = _known(command, register, today)
    if challenge.decided:
        outcome_ = _said(challenge.state)
        raise command.refused("ladder.settled", match=command.tournament, outcome=outcome_)
    events: list[Event] = [la.ChallengeWithdrawn(challenge=challenge.seq, ladder=command.ladder)]
    record = register.tournaments[command.tournament]
    if not record.closed and not record.annulled:
        events.append(to.TournamentClosed(tournament=command.tournament))
    return [Dated(command.on, event) for event in events]


def _challenge(ladder: Ladder, tournament: str) -> Challenge:
    """Returns the challenge of a match; refuses one that was withdrawn or never made."""
    challenge = ladder.of_match(tournament)
    if challenge is None:
        raise NotFound("ladder.no_match", match=tournament, ladder=ladder.opened.ladder)
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
