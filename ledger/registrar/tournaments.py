"""Decides commands about tournaments: what can be recorded of a round, and what cannot."""

from __future__ import annotations

import datetime as dt
from typing import assert_never

from ledger.calendar import Period
from ledger.errors import InputRefused
from ledger.events import tournaments as to
from ledger.events.model import Dated
from ledger.registrar import commands as c
from ledger.registrar import swiss
from ledger.registrar.lists import known as known_list
from ledger.registrar.players import known as known_player
from ledger.registrar.players import leaves_closed_lists
from ledger.registrar.register import ListRecord, PairingRecord, Register, TournamentRecord
from ledger.results import Bye, Result, Termination


def decide(register: Register, command: c.TournamentCommand, today: dt.date) -> list[Dated]:
    """Returns the events of a command about a tournament; raises ``InputRefused``."""
    match command:
        case c.CorrectTournament():
            return _correct_tournament(register, command)
        case c.OpenTournament():
            return _open(register, command)
        case c.EnterPlayer():
            return _enter(register, command)
        case c.RecordGame():
            return _record(register, command, today)
        case c.AdjournGame():
            return _adjourn(register, command)
        case c.AdjudicateGame():
            return _adjudicate(register, command)
        case c.CorrectResult():
            return _correct(register, command)
        case c.AnnulResult():
            return _annul(register, command)
        case c.GiveBye():
            return _give_bye(register, command)
        case c.WithdrawPlayer():
            return _withdraw(register, command)
        case c.RuleOnTournament():
            return _rule(register, command)
        case _:
            assert_never(command)


def known(register: Register, tournament: str) -> TournamentRecord:
    """Returns the record of a tournament that is not annulled; raises ``InputRefused``."""
    record = register.tournaments.get(tournament)
    if record is None:
        raise InputRefused("tournament.unknown", tournament=tournament)
    if record.annulled:
        raise InputRefused("tournament.annulled", tournament=tournament)
    return record


# The tournament itself

# Before the first tournament of the game, and beyond any calendar: a slip of the keyboard.
_FIRST_YEAR, _LAST_YEAR = 1800, 2199


def _check_dates(command: c.AboutTournament) -> None:
    for day in (command.starts_on, command.ends_on):
        if not _FIRST_YEAR <= day.year <= _LAST_YEAR:
            raise InputRefused("tournament.no_such_year", on=day)
    if command.ends_on < command.starts_on:
        raise InputRefused(
            "tournament.ends_before_start", start=command.starts_on, end=command.ends_on
        )


def _open(register: Register, command: c.OpenTournament) -> list[Dated]:
    if command.tournament in register.tournaments:
        raise InputRefused("tournament.open_already", tournament=command.tournament)
    _check_dates(command)
    return [Dated(command.starts_on, version(to.TournamentOpened, command))]


def version(
    model: type[to.TournamentOpened | to.TournamentCorrected], command: c.AboutTournament
) -> to.TournamentOpened | to.TournamentCorrected:
    """Returns what the command says of the tournament, as an event."""
    return model(
        ends_on=command.ends_on,
        federation=command.federation,
        merit_hundredths=command.merit_hundredths,
        name=command.name,
        place=command.place,
        rate_of_play=command.rate_of_play,
        report=command.report,
        rounds=command.rounds,
        starts_on=command.starts_on,
        system=command.system,
        tournament=command.tournament,
    )


def _correct_tournament(register: Register, command: c.CorrectTournament) -> list[Dated]:
    record = known(register, command.tournament)
    _check_dates(command)
    event = version(to.TournamentCorrected, command)
    if event.model_dump() == record.version.model_dump():
        raise InputRefused("tournament.nothing_changes", tournament=command.tournament)
    return [Dated(command.starts_on, event)]


def _rule(register: Register, command: c.RuleOnTournament) -> list[Dated]:
    record = known(register, command.tournament)
    name = command.tournament
    match command.ruling:
        case "close":
            if record.closed:
                raise InputRefused("tournament.closed_already", tournament=name)
            return [Dated(command.on, to.TournamentClosed(tournament=name))]
        case "accept" if command.rated_in is not None:
            return [_put_into(register, record, command, command.rated_in)]
        case "accept" if command.as_correction:
            raise InputRefused("tournament.corrects_no_period", tournament=name)
        case "accept":
            if not record.rejected:
                raise InputRefused("tournament.accepted_already", tournament=name)
            return [Dated(command.on, to.TournamentAccepted(tournament=name))]
        case "reject":
            if record.rejected:
                raise InputRefused("tournament.rejected_already", tournament=name)
            return [Dated(command.on, to.TournamentRejected(tournament=name))]
        case "annul":
            return [Dated(command.on, to.TournamentAnnulled(tournament=name))]
        case _:
            assert_never(command.ruling)


def _put_into(
    register: Register, record: TournamentRecord, command: c.RuleOnTournament, said: c.RatedIn
) -> Dated:
    """Puts a tournament into a period of a list, one that can rate it.

    Neither that period nor the one that rated it till now may be out, unless it is a correction.
    """
    list_, name = known_list(register, said.list), command.tournament
    period = list_.period(said.period)
    if period is None:
        raise InputRefused("list.no_period", list=said.list, period=said.period)
    rate = list_.defined.rate_of_play
    if rate not in (None, record.version.rate_of_play):
        raise InputRefused(
            "tournament.not_of_list", tournament=name, list=said.list,
            rate=record.version.rate_of_play.value, rates=rate,
        )  # fmt: skip
    if period.closes_on < record.version.ends_on:
        raise InputRefused(
            "tournament.rated_before_end", tournament=name, period=period.name,
            closes=period.closes_on, ends=record.version.ends_on,
        )  # fmt: skip
    if record.rated_in.get(said.list) == period.name and not record.rejected:
        raise InputRefused(
            "tournament.rated_in_already", tournament=name, list=said.list, period=period.name
        )
    first = min(period, _leaves(list_, record) or period, key=lambda changed: changed.index)
    leaves_closed_lists(list_, first.starts_on, as_correction=command.as_correction)
    event = to.TournamentAccepted(tournament=name, list=said.list, period=period.name)
    return Dated(command.on, event)


def _leaves(list_: ListRecord, record: TournamentRecord) -> Period | None:
    """Returns the period that a tournament is taken out of, if a list went out that rated it."""
    rated = None if record.rejected else list_.rates(record)
    return rated if rated is not None and list_.knew(record, rated) else None


# Its players


def _enter(register: Register, command: c.EnterPlayer) -> list[Dated]:
    record = known(register, command.tournament)
    known_player(register, command.player)
    if command.player in record.entries:
        raise InputRefused(
            "tournament.entered", player=command.player, tournament=command.tournament
        )
    taken = {number: player for player, number in record.entries.items()}
    number = command.starting_number or max(taken, default=0) + 1
    if number in taken:
        raise InputRefused("tournament.number_taken", number=number, player=taken[number])
    event = to.PlayerEntered(
        player=command.player, starting_number=number, tournament=command.tournament
    )
    return [Dated(record.version.starts_on, event)]


def _withdraw(register: Register, command: c.WithdrawPlayer) -> list[Dated]:
    record = known(register, command.tournament)
    _entered(register, record, command.player)
    if command.player in record.withdrawn:
        raise InputRefused(
            "tournament.withdrawn",
            player=command.player,
            tournament=command.tournament,
            round=record.withdrawn[command.player],
        )
    for (round_, player), pairing in record.pairings.items():
        if player == command.player and round_ >= command.from_round and _played(pairing):
            raise InputRefused(
                "tournament.played_after_withdrawal",
                player=player,
                round=round_,
                from_round=command.from_round,
            )
    event = to.PlayerWithdrew(
        from_round=command.from_round, player=command.player, tournament=command.tournament
    )
    return [Dated(record.version.ends_on, event)]


def _played(pairing: PairingRecord) -> bool:
    return isinstance(pairing.result, Result) and pairing.result.termination is Termination.PLAYED


def _entered(register: Register, record: TournamentRecord, player: str) -> None:
    known_player(register, player)
    if player not in record.entries:
        raise InputRefused(
            "tournament.not_entered", player=player, tournament=record.version.tournament
        )


# Its rounds


def _check_pairing(
    register: Register, record: TournamentRecord, command: c.RecordGame | c.AdjournGame
    | c.AdjudicateGame
) -> None:  # fmt: skip
    """Refuses a pairing of one player, of players who are not in, or of too late a round."""
    if command.white == command.black:
        raise InputRefused("pairing.against_himself", player=command.white, round=command.round)
    for player in (command.white, command.black):
        _entered(register, record, player)
    _check_round(record, command.round)


def _check_round(record: TournamentRecord, round_: int) -> None:
    rounds = record.version.rounds
    if rounds is not None and round_ > rounds:
        raise InputRefused(
            "pairing.no_such_round",
            round=round_,
            rounds=rounds,
            tournament=record.version.tournament,
        )


def _in_round(
    record: TournamentRecord, round_: int, white: str, black: str
) -> PairingRecord | None:
    """Returns what is recorded of exactly this pairing; refuses another one of either player."""
    there = record.pairings.get((round_, white))
    other = record.pairings.get((round_, black))
    if there is not None and there is other and (there.white, there.black) == (white, black):
        return there
    for player, pairing in ((white, there), (black, other)):
        if pairing is not None:
            raise InputRefused(
                "pairing.paired_twice", player=player, round=round_, pairing=described(pairing)
            )
    return None


def described(pairing: PairingRecord) -> str:
    """Describes what is recorded of a pairing, in notation: ``12 - 34 1-0``, ``12 half``."""
    if pairing.black is None:
        return f"{pairing.white} {pairing.result}"
    return f"{pairing.white} - {pairing.black} {pairing.result or '*'}"


def _open_for(record: TournamentRecord, *, as_correction: bool) -> None:
    if record.closed and not as_correction:
        raise InputRefused("tournament.closed", tournament=record.version.tournament)


def _record(register: Register, command: c.RecordGame, today: dt.date) -> list[Dated]:
    record = known(register, command.tournament)
    _check_pairing(register, record, command)
    _open_for(record, as_correction=command.as_correction)
    _check_withdrawn(record, command)
    day = _day(record, command, today)
    before = _in_round(record, command.round, command.white, command.black)
    if before and before.status == "recorded":
        key = "pairing.recorded" if before.result == command.result else "pairing.other_result"
        raise InputRefused(
            key, round=command.round, pairing=described(before), result=command.result
        )
    supersedes = before.seq if before else None
    breaches = _despite(record, command, command.result)
    return [Dated(day, _game_event(command, supersedes, breaches))]


def _despite(
    record: TournamentRecord,
    command: c.RecordGame | c.AdjournGame | c.AdjudicateGame,
    result: Result | None,
) -> tuple[to.Breach, ...] | None:
    """Returns the rules that a pairing breaks, where they are asked for; may refuse it."""
    said = PairingRecord(0, command.round, command.white, command.black, result)
    return swiss.despite(record, said, anyway=command.anyway)


def _game_event(
    command: c.RecordGame, supersedes: int | None, despite: tuple[to.Breach, ...] | None
) -> to.ResultRecorded | to.ForfeitRecorded | to.GameAdjudicated:
    place = {
        "black": command.black,
        "despite": despite,
        "result": str(command.result),
        "round": command.round,
        "supersedes": supersedes,
        "tournament": command.tournament,
        "white": command.white,
    }
    match command.result.termination:
        case Termination.PLAYED | Termination.SHORT:
            return to.ResultRecorded.model_validate(place)
        case Termination.FORFEIT:
            return to.ForfeitRecorded.model_validate(place)
        case Termination.ADJUDICATED:
            return to.GameAdjudicated.model_validate({**place, "ruling": "definitive"})
        case _:
            assert_never(command.result.termination)


def _check_withdrawn(record: TournamentRecord, command: c.RecordGame | c.AdjudicateGame) -> None:
    """A player who withdrew can only be absent."""
    if command.result.termination is Termination.FORFEIT:
        return
    for player in (command.white, command.black):
        from_round = record.withdrawn.get(player)
        if from_round is not None and command.round >= from_round:
            raise InputRefused(
                "pairing.withdrawn", player=player, from_round=from_round, round=command.round
            )


def _day(record: TournamentRecord, command: c.RecordGame, today: dt.date) -> dt.date:
    """Returns the chess date of a game; refuses one outside the tournament or not yet come."""
    about = record.version
    day = command.played_on
    if day is None:
        day = about.ends_on
    elif not about.starts_on <= day <= about.ends_on:
        raise InputRefused(
            "pairing.outside_dates", on=day, start=about.starts_on, end=about.ends_on
        )
    if (command.played_on or about.starts_on) > today:
        raise InputRefused("pairing.in_future", on=command.played_on or about.starts_on)
    return day


def _adjourn(register: Register, command: c.AdjournGame) -> list[Dated]:
    record = known(register, command.tournament)
    _check_pairing(register, record, command)
    _open_for(record, as_correction=False)
    before = _in_round(record, command.round, command.white, command.black)
    if before:
        raise InputRefused(
            "pairing.recorded", round=command.round, pairing=described(before), result="*"
        )
    event = to.GameAdjourned(
        black=command.black,
        despite=_despite(record, command, None),
        round=command.round,
        tournament=command.tournament,
        white=command.white,
    )
    return [Dated(record.version.ends_on, event)]


def _adjudicate(register: Register, command: c.AdjudicateGame) -> list[Dated]:
    record = known(register, command.tournament)
    _check_pairing(register, record, command)
    before = _in_round(record, command.round, command.white, command.black)
    if before is None:
        _open_for(record, as_correction=False)
        _check_withdrawn(record, command)
    if before and before.status == "recorded":
        raise InputRefused(
            "pairing.other_result",
            round=command.round,
            pairing=described(before),
            result=command.result,
        )
    if sum(command.result.halves) > 2 and command.ruling == "definitive":  # noqa: PLR2004 - halves
        raise InputRefused("pairing.too_many_points", result=command.result)
    event = to.GameAdjudicated(
        black=command.black,
        despite=_despite(record, command, command.result),
        result=str(command.result),
        round=command.round,
        ruling=command.ruling,
        supersedes=before.seq if before else None,
        tournament=command.tournament,
        white=command.white,
    )
    return [Dated(record.version.ends_on, event)]


def _give_bye(register: Register, command: c.GiveBye) -> list[Dated]:
    record = known(register, command.tournament)
    _entered(register, record, command.player)
    _check_round(record, command.round)
    _open_for(record, as_correction=command.as_correction)
    from_round = record.withdrawn.get(command.player)
    if from_round is not None and command.round >= from_round and command.kind is not Bye.ZERO:
        raise InputRefused(
            "pairing.withdrawn", player=command.player, from_round=from_round, round=command.round
        )
    before = record.pairings.get((command.round, command.player))
    if before:
        raise InputRefused(
            "pairing.paired_twice",
            player=command.player,
            round=command.round,
            pairing=described(before),
        )
    said = PairingRecord(0, command.round, command.player, None, command.kind)
    event = to.ByeGiven(
        despite=swiss.despite(record, said, anyway=command.anyway),
        kind=command.kind,
        player=command.player,
        round=command.round,
        tournament=command.tournament,
    )
    return [Dated(record.version.ends_on, event)]


# Changes to what was recorded


def _last_word(
    record: TournamentRecord, round_: int, white: str, black: str | None
) -> PairingRecord:
    """Returns the pairing to be changed; refuses one that was annulled or never recorded."""
    there = record.pairings.get((round_, white))
    if there is not None and (there.white, there.black) == (white, black):
        return there
    key = "pairing.unknown"
    if (round_, white, black) in record.annulled_pairings:
        key = "pairing.annulled"
    raise InputRefused(
        key,
        tournament=record.version.tournament,
        round=round_,
        white=white,
        black=black or "-",
        recorded=described(there) if there else "-",
    )


def _correct(register: Register, command: c.CorrectResult) -> list[Dated]:
    record = known(register, command.tournament)
    before = _last_word(record, command.round, command.white, command.black)
    if command.rating_only:
        return [Dated(record.version.ends_on, _for_rating(record, command, before))]
    if command.result is None:
        raise InputRefused("pairing.needs_result")
    if before.result == command.result and before.rating_result is None:
        raise InputRefused(
            "pairing.nothing_changes", round=command.round, pairing=described(before)
        )
    event = to.ResultCorrected(
        black=command.black,
        result=str(command.result),
        round=command.round,
        supersedes=before.seq,
        tournament=command.tournament,
        white=command.white,
    )
    return [Dated(record.version.ends_on, event)]


def _for_rating(
    record: TournamentRecord, command: c.CorrectResult, before: PairingRecord
) -> to.RatingResultCorrected:
    if before.status != "recorded":
        raise InputRefused("pairing.no_result_yet", round=command.round, pairing=described(before))
    counts = before.result if before.rating_result is None else before.rating_result
    if counts == (command.result if command.result is not None else ()):
        raise InputRefused(
            "pairing.nothing_changes", round=command.round, pairing=described(before)
        )
    return to.RatingResultCorrected(
        black=command.black,
        result=None if command.result is None else str(command.result),
        round=command.round,
        supersedes=before.seq,
        tournament=record.version.tournament,
        white=command.white,
    )


def _annul(register: Register, command: c.AnnulResult) -> list[Dated]:
    record = known(register, command.tournament)
    before = _last_word(record, command.round, command.white, command.black)
    event = to.ResultAnnulled(
        black=command.black,
        round=command.round,
        supersedes=before.seq,
        tournament=command.tournament,
        white=command.white,
    )
    return [Dated(record.version.ends_on, event)]
