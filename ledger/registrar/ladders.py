"""Decides commands about ladders: who may challenge whom, and when a match is over.

The rules are those of Chavarria, manual of tournaments and rating, Monterrey 1975, chapter
CLASIFICACION, after FENAMAC's Estatutos, Reglamentos of 1973; the match itself is in
``ledger.challenge``.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import assert_never

from ledger.challenge import GAMES, MatchOutcome, Score, outcome, score, too_far
from ledger.errors import InputRefused
from ledger.events import ladders as la
from ledger.events import tournaments as to
from ledger.events.model import Dated, Event
from ledger.facts.ladders import Challenge, Ladder, State, Won
from ledger.registrar import commands as c
from ledger.registrar import tournaments
from ledger.registrar.lists import known as known_list
from ledger.registrar.players import known as known_player
from ledger.registrar.register import PairingRecord, Register, TournamentRecord
from ledger.results import Result
from ledger.terms import System
from ledger.wording import Message


def decide(register: Register, command: c.LadderCommand, today: dt.date) -> list[Dated]:
    """Returns the events of a command about a ladder; raises ``InputRefused``."""
    match command:
        case c.OpenLadder():
            return _open(register, command, today)
        case c.JoinLadder():
            return _join(register, command, today)
        case c.LeaveLadder():
            return _leave(register, command, today)
        case c.MakeChallenge():
            return _challenge(register, command, today)
        case c.RecordChallengeGame():
            return _record_game(register, command, today)
        case c.SettleChallenge():
            return _settle(register, command, today)
        case c.WithdrawChallenge():
            return _withdraw(register, command, today)
        case _:
            assert_never(command)


def known(register: Register, name: str) -> Ladder:
    """Returns a ladder as it stands; raises ``InputRefused`` where there is none."""
    facts = register.ladders.get(name)
    if facts is None:
        raise InputRefused("ladder.unknown", ladder=name)
    return facts.known()


def _at(ladder: Ladder, on: dt.date, today: dt.date) -> None:
    """Refuses a day before the ladder, or one that has not come."""
    if on < ladder.opened_on:
        raise InputRefused(
            "ladder.before_opened", on=on, ladder=ladder.opened.ladder, first=ladder.opened_on
        )
    _has_come(on, today)


def _has_come(on: dt.date, today: dt.date) -> None:
    if on > today:
        raise InputRefused("pairing.in_future", on=on)


# The ladder itself


def _open(register: Register, command: c.OpenLadder, today: dt.date) -> list[Dated]:
    if command.ladder in register.ladders:
        raise InputRefused("ladder.open_already", ladder=command.ladder)
    known_list(register, command.list)
    _has_come(command.on, today)
    for index, player in enumerate(command.players):
        known_player(register, player)
        if player in command.players[:index]:
            raise InputRefused("ladder.twice", player=player)
        _rated(player, command.ratings.get(player), command.list, command.on)
    players = command.players
    if not command.as_given:
        # Of equals, he who is named first is placed first.
        players = tuple(sorted(players, key=lambda player: -command.ratings[player]))
    event = la.LadderOpened(ladder=command.ladder, list=command.list, players=players)
    return [Dated(command.on, event)]


def _rated(player: str, rating: int | None, list_: str, on: dt.date) -> int:
    if rating is None:
        raise InputRefused("ladder.unrated", player=player, list=list_, on=on)
    return rating


def _join(register: Register, command: c.JoinLadder, today: dt.date) -> list[Dated]:
    ladder = known(register, command.ladder)
    known_player(register, command.player)
    _at(ladder, command.on, today)
    there = ladder.place(command.player)
    if there is not None:
        raise InputRefused(
            "ladder.on_already", player=command.player, ladder=command.ladder, place=there
        )
    _rated(command.player, command.rating, ladder.opened.list, command.on)
    bottom = len(ladder.places) + 1
    place = bottom if command.place is None else command.place
    if place > bottom:
        raise InputRefused(
            "ladder.no_such_place", place=place, ladder=command.ladder, bottom=bottom
        )
    event = la.LadderJoined(ladder=command.ladder, place=place, player=command.player)
    return [Dated(command.on, event)]


def _leave(register: Register, command: c.LeaveLadder, today: dt.date) -> list[Dated]:
    ladder = known(register, command.ladder)
    _place(ladder, command.player)
    _at(ladder, command.on, today)
    _free(ladder, command.player)
    event = la.LadderLeft(ladder=command.ladder, player=command.player)
    return [Dated(command.on, event)]


def _place(ladder: Ladder, player: str) -> int:
    place = ladder.place(player)
    if place is None:
        raise InputRefused("ladder.not_on", player=player, ladder=ladder.opened.ladder)
    return place


def _free(ladder: Ladder, player: str) -> None:
    """Refuses a player who plays another match."""
    running = ladder.running(player)
    if running is not None:
        (opponent,) = running.players - {player}
        raise InputRefused(
            "ladder.busy", player=player, opponent=opponent, match=running.made.tournament
        )


# Challenges


def _challenge(register: Register, command: c.MakeChallenge, today: dt.date) -> list[Dated]:
    ladder = known(register, command.ladder)
    for player in (command.challenger, command.challenged):
        known_player(register, player)
        _place(ladder, player)
    _at(ladder, command.on, today)
    _may_challenge(ladder, command)
    list_ = ladder.opened.list
    challenger_rating = _rated(command.challenger, command.challenger_rating, list_, command.on)
    challenged_rating = _rated(command.challenged, command.challenged_rating, list_, command.on)
    far = too_far(challenger_rating, challenged_rating)
    if far == (command.override is None):
        raise InputRefused(
            "ladder.too_far" if far else "ladder.no_override_needed",
            challenger=command.challenger,
            challenger_rating=challenger_rating,
            challenged=command.challenged,
            challenged_rating=challenged_rating,
        )
    event = la.ChallengeMade(
        challenged=command.challenged,
        challenged_rating=challenged_rating,
        challenger=command.challenger,
        challenger_rating=challenger_rating,
        ladder=command.ladder,
        override=command.override,
        tournament=command.tournament,
    )
    return [Dated(command.on, event), *_match(register, command)]


def _may_challenge(ladder: Ladder, command: c.MakeChallenge) -> None:
    """Refuses a challenge of anybody but the nearest above with whom a match can be played."""
    challenger, challenged = command.challenger, command.challenged
    from_place, to_place = _place(ladder, challenger), _place(ladder, challenged)
    if to_place >= from_place:
        raise InputRefused(
            "ladder.not_above",
            challenger=challenger,
            from_place=from_place,
            challenged=challenged,
            to_place=to_place,
        )
    for player in (challenger, challenged):
        _free(ladder, player)
    until = ladder.barred_until(challenger, challenged)
    if until is not None and command.on < until:
        raise InputRefused(
            "ladder.rematch", challenger=challenger, challenged=challenged, until=until
        )
    nearest = ladder.nearest(challenger, command.on)
    assert nearest is not None, "the challenged himself is free"
    if challenged != nearest:
        raise InputRefused(
            "ladder.not_nearest",
            challenger=challenger,
            challenged=challenged,
            nearest=nearest,
            place=ladder.place(nearest),
        )


def _match(register: Register, command: c.MakeChallenge) -> list[Dated]:
    """Returns the events that open the match: a tournament of two players and two games."""
    opening = c.OpenTournament(
        tournament=command.tournament,
        name=command.name,
        starts_on=command.on,
        ends_on=command.ends_on,
        system=System.MATCH,
        rate_of_play=command.rate_of_play,
        rounds=GAMES,
    )
    players = (command.challenger, command.challenged)
    return [
        *tournaments.decide(register, opening, command.on),
        *(
            Dated(
                command.on,
                to.PlayerEntered(
                    player=player, starting_number=number, tournament=command.tournament
                ),
            )
            for number, player in enumerate(players, start=1)
        ),
    ]


def _of_match(ladder: Ladder, tournament: str) -> Challenge:
    """Returns the challenge of a match; refuses one that was withdrawn or never made."""
    challenge = ladder.of_match(tournament)
    if challenge is None:
        raise InputRefused("ladder.no_match", match=tournament, ladder=ladder.opened.ladder)
    if challenge.state == "withdrawn":
        raise InputRefused("ladder.withdrawn", match=tournament, on=challenge.ended_on)
    return challenge


def _since(challenge: Challenge, on: dt.date, today: dt.date) -> None:
    if on < challenge.on:
        raise InputRefused(
            "ladder.before_challenge", on=on, match=challenge.made.tournament, first=challenge.on
        )
    _has_come(on, today)


def _said(state: State) -> Message:
    return Message.of(f"state.{state}")


def _pairing(record: TournamentRecord, challenge: Challenge, game: int) -> PairingRecord | None:
    return record.pairings.get((game, record.survivors(challenge.higher)))


def _score(record: TournamentRecord, challenge: Challenge, game: int) -> Score | None:
    """Returns a game's score as the match counts it; None where it has no final result yet."""
    pairing = _pairing(record, challenge, game)
    if pairing is None or pairing.status != "recorded" or not isinstance(pairing.result, Result):
        return None
    higher_is_white = pairing.white == record.survivors(challenge.higher)
    return score(pairing.result.halves, higher_is_white=higher_is_white)


def won_by_games(record: TournamentRecord, challenge: Challenge) -> Won | None:
    """Returns who won the match by what is recorded of its games; None while it is not over."""
    games = [_score(record, challenge, n) for n in range(1, GAMES + 1)]
    return _winner(challenge, outcome(*games))


def _winner(challenge: Challenge, won: MatchOutcome | None) -> Won | None:
    match won:
        case None:
            return None
        case MatchOutcome.DRAWN:
            return "drawn"
        case MatchOutcome.HIGHER | MatchOutcome.LOWER:
            higher = challenge.higher == challenge.made.challenger
            return "challenger" if higher == (won is MatchOutcome.HIGHER) else "challenged"
        case _:
            assert_never(won)


def _record_game(register: Register, command: c.RecordChallengeGame, today: dt.date) -> list[Dated]:
    ladder = known(register, command.ladder)
    challenge = _of_match(ladder, command.tournament)
    record = tournaments.known(register, command.tournament)
    if command.game == GAMES:
        _needs_second_game(record, challenge)
    game = c.RecordGame(
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
    decided = tournaments.decide(room, game, today)
    won = _won_with(record, challenge, command)
    if won is not None:
        longer = _version(record, _last_day(record, command), _games(record, command))
    if longer.model_dump() != record.version.model_dump():
        decided.insert(0, Dated(longer.starts_on, longer))
    if won is not None:
        decided += _ended(record, challenge, won, command.played_on)
    return decided


def _needs_second_game(record: TournamentRecord, challenge: Challenge) -> None:
    """Refuses a second game before the first, or after the first has ended the match."""
    first = _pairing(record, challenge, 1)
    played = _score(record, challenge, 1)
    if first is None or played is None:
        raise InputRefused("ladder.first_game_missing", match=record.version.tournament)
    if outcome(played) is not None:
        raise InputRefused(
            "ladder.match_over",
            match=record.version.tournament,
            winner=challenge.higher,
            pairing=tournaments.described(first),
        )


def _won_with(
    record: TournamentRecord, challenge: Challenge, command: c.RecordChallengeGame
) -> Won | None:
    """Returns who has won the match once the game is recorded; None while it is not over."""
    played = score(command.result.halves, higher_is_white=command.white == challenge.higher)
    games = [
        played if n == command.game else _score(record, challenge, n) for n in range(1, GAMES + 1)
    ]
    return _winner(challenge, outcome(*games))


def _games(record: TournamentRecord, command: c.RecordChallengeGame) -> int:
    return max([command.game, *(round_ for round_, _ in record.pairings)])


def _last_day(record: TournamentRecord, command: c.RecordChallengeGame) -> dt.date:
    """Returns the day on which the match ended: that of its last game."""
    if command.game == _games(record, command):
        return command.played_on
    return max(record.version.ends_on, command.played_on)


def _version(record: TournamentRecord, ends_on: dt.date, rounds: int) -> to.TournamentCorrected:
    known_ = record.version.model_dump()
    return to.TournamentCorrected.model_validate({**known_, "ends_on": ends_on, "rounds": rounds})


def _ended(
    record: TournamentRecord,
    challenge: Challenge,
    won: Won,
    on: dt.date,
) -> list[Dated]:
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


def _settle(register: Register, command: c.SettleChallenge, today: dt.date) -> list[Dated]:
    ladder = known(register, command.ladder)
    challenge = _of_match(ladder, command.tournament)
    record = tournaments.known(register, command.tournament)
    _since(challenge, command.on, today)
    won = won_by_games(record, challenge)
    if won is None:
        raise InputRefused("ladder.not_over", match=command.tournament)
    if won == challenge.state:
        raise InputRefused("ladder.settled", match=command.tournament, outcome=_said(won))
    if challenge.decided and not command.as_correction:
        raise InputRefused(
            "ladder.settled_otherwise",
            match=command.tournament,
            before=_said(challenge.state),
            outcome=_said(won),
        )
    return _ended(record, challenge, won, command.on)


def _withdraw(register: Register, command: c.WithdrawChallenge, today: dt.date) -> list[Dated]:
    ladder = known(register, command.ladder)
    challenge = _of_match(ladder, command.tournament)
    _since(challenge, command.on, today)
    if challenge.decided:
        raise InputRefused(
            "ladder.settled", match=command.tournament, outcome=_said(challenge.state)
        )
    events: list[Event] = [la.ChallengeWithdrawn(challenge=challenge.seq, ladder=command.ladder)]
    record = register.tournaments[command.tournament]
    if not record.closed and not record.annulled:
        events.append(to.TournamentClosed(tournament=command.tournament))
    return [Dated(command.on, event) for event in events]
