"""Commands about the rounds of a tournament: what can be recorded of a pairing, and what cannot."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from ledger.desk.teams import matches
from ledger.errors import Conflict, InputRefused
from ledger.events import tournaments as to
from ledger.events.model import Dated
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.identifiers import NO_EVENT
from ledger.operations.games import (
    AdjournGame,
    AdjudicateGame,
    AnnulResult,
    CorrectColours,
    CorrectResult,
    GiveBye,
    NewGame,
    OfPairing,
    RecordGame,
    RetypeResult,
)
from ledger.registrar import swiss
from ledger.registrar.deciders import decides
from ledger.registrar.register import Register
from ledger.registrar.tournaments import check_entered
from ledger.results import Bye, Result, Termination
from ledger.wording import Message

_MOST_HALVES = 2  # of a game that is decided for good


def _check_pairing(command: NewGame, register: Register, record: TournamentRecord) -> None:
    """Refuses a pairing of one player, of players who are not in, or of too late a round."""
    if command.white == command.black:
        raise command.refused("pairing.against_himself", player=command.white)
    for player in (command.white, command.black):
        check_entered(register, record, player)
    _check_round(command, record)
    if not command.anyway:
        _check_board(command, record)
    if command.anyway is not None:
        _check_published(command, record)


def _check_board(command: NewGame, record: TournamentRecord) -> None:
    """Refuses what is no board of a published round."""
    published = record.desk.rounds.get(command.round)
    if published is None:
        return
    if record.desk.teams:
        _check_match(command, record)
        return
    if _is_board(command, record):
        return
    there = published.board_of(command.white) or published.board_of(command.black)
    raise command.refused("desk.no_such_board", board=" - ".join(there) if there else "-")


def _is_board(command: NewGame, record: TournamentRecord) -> bool:
    """Whether it is a board of the published round, as it was sat."""
    published = record.desk.rounds.get(command.round)
    board = published.board_of(command.white) if published else None
    return board is not None and record.seated(command.round, board) == (
        command.white,
        command.black,
    )


def _check_match(command: NewGame, record: TournamentRecord) -> None:
    """Refuses a game to which the line-ups of no match come."""
    boards = [board for match in matches(record, command.round) for board in match.boards]
    for board in boards:
        seats = (board.black, board.white) if board.reversed else (board.white, board.black)
        if seats == (command.white, command.black):
            return
    there = next(
        (b for b in boards if not {command.white, command.black}.isdisjoint(b.seats)), None
    )
    raise command.refused("team.not_lined_up", board=there.described() if there else "-")


def _recorded(command: NewGame, record: TournamentRecord) -> PairingRecord | None:
    """Returns what is recorded of exactly this pairing; refuses another one of either."""
    there = record.pairings.get((command.round, command.white))
    other = record.pairings.get((command.round, command.black))
    if there and there is other and (there.white, there.black) == (command.white, command.black):
        return there
    for player, pairing in ((command.white, there), (command.black, other)):
        if pairing is not None:
            raise _paired_twice(player, pairing)
    return None


def _check_withdrawn(command: NewGame, record: TournamentRecord, result: Result) -> None:
    """A player who withdrew can only be absent."""
    if result.termination is not Termination.FORFEIT:
        for player in (command.white, command.black):
            _check_stays(record, player, command.round)


def _despite(
    command: NewGame, record: TournamentRecord, result: Result | None
) -> tuple[to.Breach, ...] | None:
    """Returns the rules that the pairing breaks, where they are asked for; may refuse it.

    A board of a published round is asked for none: the round was published despite them.
    """
    if not command.anyway and _is_board(command, record):
        return None
    said = PairingRecord(NO_EVENT, command.round, command.white, command.black, result)
    return swiss.despite(record, said, anyway=command.anyway)


@decides(RecordGame)
def record_game(command: RecordGame, register: Register, today: dt.date) -> Sequence[Dated]:
    """Refuses a pairing that cannot be, another result of it, and an impossible day."""
    record = register.known_tournament(command.tournament)
    _check_pairing(command, register, record)
    _check_open(record, as_correction=command.as_correction)
    _check_withdrawn(command, record, command.result)
    day = _day(command, record, today)
    before = _recorded(command, record)
    if before and before.status == "recorded":
        key = "pairing.recorded" if before.result == command.result else "pairing.other_result"
        raise command.refused(key, pairing=before.described())
    fields: dict[str, object] = {
        "despite": _despite(command, record, command.result),
        "result": str(command.result),
        "supersedes": before.seq if before else None,
    }
    model = to.GAME_MODELS[command.result.termination]
    if model is to.GameAdjudicated:
        fields["ruling"] = "definitive"
    return [Dated(day, command.event(model, **fields))]


def _day(command: RecordGame, record: TournamentRecord, today: dt.date) -> dt.date:
    """Returns the chess date of a game; refuses one outside the tournament or not yet come."""
    about = record.version
    day = command.played_on
    if day is None:
        day = about.ends_on
    elif not about.starts_on <= day <= about.ends_on:
        raise command.refused(
            "pairing.outside_dates", on=day, start=about.starts_on, end=about.ends_on
        )
    if (command.played_on or about.starts_on) > today:
        raise command.refused("pairing.in_future", on=command.played_on or about.starts_on)
    return day


@decides(AdjournGame)
def adjourn_game(command: AdjournGame, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses a pairing that cannot be, and one that is recorded."""
    record = register.known_tournament(command.tournament)
    _check_pairing(command, register, record)
    _check_open(record, as_correction=False)
    if before := _recorded(command, record):
        raise command.refused("pairing.recorded", pairing=before.described(), result="*")
    event = command.event(to.GameAdjourned, despite=_despite(command, record, None))
    return [Dated(record.version.ends_on, event)]


@decides(AdjudicateGame)
def adjudicate_game(
    command: AdjudicateGame, register: Register, _today: dt.date
) -> Sequence[Dated]:
    """Refuses a pairing that cannot be, another result of it, and too many points."""
    record = register.known_tournament(command.tournament)
    _check_pairing(command, register, record)
    before = _recorded(command, record)
    if before is None:
        _check_open(record, as_correction=False)
        _check_withdrawn(command, record, command.result)
    if before and before.status == "recorded":
        raise command.refused("pairing.other_result", pairing=before.described())
    if sum(command.result.halves) > _MOST_HALVES and command.ruling == "definitive":
        raise command.refused("pairing.too_many_points")
    event = command.event(
        to.GameAdjudicated,
        despite=_despite(command, record, command.result),
        result=str(command.result),
        supersedes=before.seq if before else None,
    )
    return [Dated(record.version.ends_on, event)]


@decides(GiveBye)
def give_bye(command: GiveBye, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses a player who is not in, has withdrawn, or is paired in the round."""
    record = register.known_tournament(command.tournament)
    check_entered(register, record, command.player)
    _check_round(command, record)
    _check_open(record, as_correction=command.as_correction)
    if command.anyway is not None:
        _check_published(command, record)
    if command.kind is not Bye.ZERO:
        _check_stays(record, command.player, command.round)
    if before := record.pairings.get((command.round, command.player)):
        raise _paired_twice(command.player, before)
    said = PairingRecord(NO_EVENT, command.round, command.player, None, command.kind)
    despite = swiss.despite(record, said, anyway=command.anyway)
    event = command.event(to.ByeGiven, despite=despite)
    return [Dated(record.version.ends_on, event)]


@decides(CorrectResult)
def correct_result(command: CorrectResult, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses a pairing that is not recorded, and a result that it has already."""
    record = register.known_tournament(command.tournament)
    before = _last_word(command, record)
    if command.rating_only:
        return [Dated(record.version.ends_on, _for_rating(command, before))]
    if command.result is None:
        raise command.refused("pairing.needs_result")
    if before.result == command.result and before.rating_result is None:
        raise _nothing_changes(command, before)
    # What is void holds no result that could be corrected: its file says what it is now.
    is_restored = command.tournament in register.restored
    model = to.ResultRetyped if is_restored else to.ResultCorrected
    event = command.event(model, result=str(command.result), supersedes=before.seq)
    return [Dated(record.version.ends_on, event)]


@decides(RetypeResult)
def retype_result(command: RetypeResult, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses what is another one by now or was relied on, and the result that it has."""
    record = register.known_tournament(command.tournament)
    before = _last_word(command, record)
    relied_on = record.closed or record.known_rounds > command.round
    if before.seq != command.supersedes or relied_on:
        pairing = before.described()
        raise Conflict("desk.board_changed", round=command.round, pairing=pairing)
    if before.result == command.result:
        raise _nothing_changes(command, before)
    event = command.event(to.ResultRetyped, result=str(command.result))
    return [Dated(record.version.ends_on, event)]


def _for_rating(command: CorrectResult, before: PairingRecord) -> to.RatingResultCorrected:
    if before.status != "recorded":
        raise command.refused("pairing.no_result_yet", pairing=before.described())
    counts = before.result if before.rating_result is None else before.rating_result
    if counts == (command.result if command.result is not None else ()):
        raise _nothing_changes(command, before)
    result = None if command.result is None else str(command.result)
    return command.event(to.RatingResultCorrected, result=result, supersedes=before.seq)


def _nothing_changes(command: CorrectResult | RetypeResult, before: PairingRecord) -> InputRefused:
    return command.refused("pairing.nothing_changes", pairing=before.described())


@decides(CorrectColours)
def correct_colours(
    command: CorrectColours, register: Register, _today: dt.date
) -> Sequence[Dated]:
    """Refuses a game that is not recorded or was not played, and one that is rated otherwise.

    What is rated with another result than the standings have would have to be said anew.
    """
    record = register.known_tournament(command.tournament)
    if (command.round, command.white) not in record.pairings:
        raise command.refused("pairing.no_game_to_turn")
    before = _last_word(command, record)
    if before.is_forfeit:
        raise command.refused("pairing.nobody_sat", pairing=before.described())
    if before.rating_result is not None:
        raise command.refused("pairing.turned_for_rating", pairing=before.described())
    day = record.version.ends_on
    struck = command.event(to.ResultAnnulled, supersedes=before.seq)
    return [Dated(day, struck), Dated(day, _turned(command, record, before))]


def _turned(
    command: CorrectColours, record: TournamentRecord, before: PairingRecord
) -> to.Recorded:
    """Returns what records the game with the other colours, of the same kind as it was."""
    assert before.black is not None, "a bye has no colours"
    assert not isinstance(before.result, Bye), "a bye has no colours"
    turned = replace(before, white=before.black, black=before.white)
    seats: dict[str, object] = {"white": turned.white, "black": turned.black}
    published = record.desk.rounds.get(command.round)
    board = published.board_of(command.white) if published else None
    if board is None or command.black not in board:
        seats["despite"] = swiss.despite(record, turned, anyway=True)
    if before.result is None:
        return command.event(to.GameAdjourned, **seats)
    model = to.GAME_MODELS[before.result.termination]
    if model is to.GameAdjudicated:
        seats["ruling"] = "temporary" if before.status == "temporary" else "definitive"
    return command.event(model, **seats, result=str(before.result.reversed))


@decides(AnnulResult)
def annul_result(command: AnnulResult, register: Register, _today: dt.date) -> Sequence[Dated]:
    """Refuses a pairing that is not recorded, and the bye of a published round."""
    record = register.known_tournament(command.tournament)
    before = _last_word(command, record)
    if command.black is None and record.desk.gave_bye(command.round, command.white):
        raise command.refused("desk.bye_published", player=command.white)
    event = command.event(to.ResultAnnulled, supersedes=before.seq)
    return [Dated(record.version.ends_on, event)]


def _last_word(command: OfPairing, record: TournamentRecord) -> PairingRecord:
    """Returns the pairing to be changed; refuses one that was annulled or never recorded."""
    white, black = command.white, command.black
    there = record.pairings.get((command.round, white))
    if there is not None and (there.white, there.black) == (white, black):
        return there
    annulled = (command.round, white, black) in record.annulled_pairings
    raise command.refused(
        "pairing.annulled" if annulled else "pairing.unknown",
        black=black or Message.of("value.no_opponent"),
        recorded=there.described() if there else Message.of("value.nothing"),
    )


def _check_round(command: NewGame | GiveBye, record: TournamentRecord) -> None:
    rounds = record.version.rounds
    if rounds is not None and command.round > rounds:
        raise command.refused("pairing.no_such_round", rounds=rounds)


def _check_published(command: NewGame | GiveBye, record: TournamentRecord) -> None:
    """Refuses by hand a round after the last published one, once the desk publishes rounds."""
    last = record.desk.last_round
    if 0 < last < command.round:
        key = "desk.bye_too_early" if isinstance(command, GiveBye) else "desk.result_too_early"
        raise command.refused(key, last=last)


def _check_open(record: TournamentRecord, *, as_correction: bool) -> None:
    if record.closed and not as_correction:
        raise InputRefused("tournament.closed", tournament=record.version.tournament)


def _check_stays(record: TournamentRecord, player: str, round_: int) -> None:
    """Refuses a round of a player who had withdrawn by then."""
    from_round = record.withdrawn.get(player)
    if from_round is not None and round_ >= from_round:
        raise InputRefused("pairing.withdrawn", player=player, from_round=from_round, round=round_)


def _paired_twice(player: str, pairing: PairingRecord) -> InputRefused:
    return InputRefused(
        "pairing.paired_twice", player=player, round=pairing.round, pairing=pairing.described()
    )
