"""Commands about the rounds of a tournament: what can be recorded of a pairing, and what cannot."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

from ledger.desk.teams import matches
from ledger.errors import InputRefused
from ledger.events import tournaments as to
from ledger.events.model import Dated
from ledger.facts.ids import Stays
from ledger.facts.tournament import PairingRecord, TournamentRecord
from ledger.registrar import swiss
from ledger.registrar.register import Register
from ledger.registrar.registrar import Command
from ledger.registrar.tournaments import OfParticipant, check_entered
from ledger.results import Bye, Result, Termination

_MOST_HALVES = 2  # of a game that is decided for good


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfPairing(Command):
    """About a game. The events that it comes to have the tournament's last day by default."""

    NAMES = ("tournament", "white", "black")

    tournament: str
    round: int
    white: str
    black: str

    def of_survivors(self, stays: Stays) -> Self:
        """Returns the command with the players' ids that stay."""
        return replace(self, white=stays(self.white), black=stays(self.black))


@dataclass(frozen=True, slots=True, kw_only=True)
class _NewPairing(_OfPairing):
    """A game that may not be recorded yet.

    ``anyway``: False, when an arbiter records by hand, refuses what breaks a rule of Swisses; True
    records it with the rules it breaks, and against a published round. None asks for no rule.
    """

    anyway: bool | None = None

    def _check_pairing(self, register: Register, record: TournamentRecord) -> None:
        """Refuses a pairing of one player, of players who are not in, or of too late a round."""
        if self.white == self.black:
            raise self.refused("pairing.against_himself", player=self.white)
        for player in (self.white, self.black):
            check_entered(register, record, player)
        _check_round(self, record)
        if not self.anyway:
            self._check_board(record)
        if self.anyway is not None:
            _check_published(self, record)

    def _check_board(self, record: TournamentRecord) -> None:
        """Refuses what is no board of a published round."""
        published = record.desk.rounds.get(self.round)
        if published is None:
            return
        if record.desk.teams:
            self._check_match(record)
            return
        if self._is_board(record):
            return
        there = published.board_of(self.white) or published.board_of(self.black)
        raise InputRefused(
            "desk.no_such_board", tournament=self.tournament, round=self.round, white=self.white,
            black=self.black, board=" - ".join(there) if there else "-",
        )  # fmt: skip

    def _is_board(self, record: TournamentRecord) -> bool:
        """Whether it is a board of the published round, as it was sat."""
        published = record.desk.rounds.get(self.round)
        board = published.board_of(self.white) if published else None
        return board is not None and record.seated(self.round, board) == (self.white, self.black)

    def _check_match(self, record: TournamentRecord) -> None:
        """Refuses a game to which the line-ups of no match come."""
        boards = [board for match in matches(record, self.round) for board in match.boards]
        for board in boards:
            seats = (board.black, board.white) if board.reversed else (board.white, board.black)
            if seats == (self.white, self.black):
                return
        there = next((b for b in boards if not {self.white, self.black}.isdisjoint(b.seats)), None)
        raise self.refused("team.not_lined_up", board=there.described() if there else "-")

    def _recorded(self, record: TournamentRecord) -> PairingRecord | None:
        """Returns what is recorded of exactly this pairing; refuses another one of either."""
        there = record.pairings.get((self.round, self.white))
        other = record.pairings.get((self.round, self.black))
        if there and there is other and (there.white, there.black) == (self.white, self.black):
            return there
        for player, pairing in ((self.white, there), (self.black, other)):
            if pairing is not None:
                raise _paired_twice(player, pairing)
        return None

    def _check_withdrawn(self, record: TournamentRecord, result: Result) -> None:
        """A player who withdrew can only be absent."""
        if result.termination is not Termination.FORFEIT:
            for player in (self.white, self.black):
                _check_stays(record, player, self.round)

    def _despite(
        self, record: TournamentRecord, result: Result | None
    ) -> tuple[to.Breach, ...] | None:
        """Returns the rules that the pairing breaks, where they are asked for; may refuse it.

        A board of a published round is asked for none: the round was published despite them.
        """
        if not self.anyway and self._is_board(record):
            return None
        said = PairingRecord(0, self.round, self.white, self.black, result)
        return swiss.despite(record, said, anyway=self.anyway)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordGame(_NewPairing):
    """Record how a pairing ended: played, short, by forfeit or adjudicated for good."""

    result: Result
    played_on: dt.date | None = None
    as_correction: bool = False

    def decide(self, register: Register, today: dt.date) -> Sequence[Dated]:
        """Refuses a pairing that cannot be, another result of it, and an impossible day."""
        record = register.known_tournament(self.tournament)
        self._check_pairing(register, record)
        _check_open(record, as_correction=self.as_correction)
        self._check_withdrawn(record, self.result)
        day = self._day(record, today)
        before = self._recorded(record)
        if before and before.status == "recorded":
            key = "pairing.recorded" if before.result == self.result else "pairing.other_result"
            raise self.refused(key, pairing=before.described())
        fields: dict[str, object] = {
            "despite": self._despite(record, self.result),
            "result": str(self.result),
            "supersedes": before.seq if before else None,
        }
        model = to.GAME_MODELS[self.result.termination]
        if model is to.GameAdjudicated:
            fields["ruling"] = "definitive"
        return [Dated(day, self.said(model, **fields))]

    def _day(self, record: TournamentRecord, today: dt.date) -> dt.date:
        """Returns the chess date of a game; refuses one outside the tournament or not yet come."""
        about = record.version
        day = self.played_on
        if day is None:
            day = about.ends_on
        elif not about.starts_on <= day <= about.ends_on:
            raise self.refused(
                "pairing.outside_dates", on=day, start=about.starts_on, end=about.ends_on
            )
        if (self.played_on or about.starts_on) > today:
            raise self.refused("pairing.in_future", on=self.played_on or about.starts_on)
        return day


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjournGame(_NewPairing):
    """Record that a game was interrupted."""

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a pairing that cannot be, and one that is recorded."""
        record = register.known_tournament(self.tournament)
        self._check_pairing(register, record)
        _check_open(record, as_correction=False)
        if before := self._recorded(record):
            raise self.refused("pairing.recorded", pairing=before.described(), result="*")
        event = self.said(to.GameAdjourned, despite=self._despite(record, None))
        return [Dated(record.version.ends_on, event)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjudicateGame(_NewPairing):
    """Decide a game off the board, for the pairing only or for good."""

    result: Result
    ruling: Literal["temporary", "definitive"]

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a pairing that cannot be, another result of it, and too many points."""
        record = register.known_tournament(self.tournament)
        self._check_pairing(register, record)
        before = self._recorded(record)
        if before is None:
            _check_open(record, as_correction=False)
            self._check_withdrawn(record, self.result)
        if before and before.status == "recorded":
            raise self.refused("pairing.other_result", pairing=before.described())
        if sum(self.result.halves) > _MOST_HALVES and self.ruling == "definitive":
            raise self.refused("pairing.too_many_points")
        event = self.said(
            to.GameAdjudicated,
            despite=self._despite(record, self.result),
            result=str(self.result),
            supersedes=before.seq if before else None,
        )
        return [Dated(record.version.ends_on, event)]


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveBye(OfParticipant):
    """Record a round without opponent; ``anyway`` as for a game."""

    round: int
    kind: Bye
    as_correction: bool = False
    anyway: bool | None = None

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a player who is not in, has withdrawn, or is paired in the round."""
        record = register.known_tournament(self.tournament)
        check_entered(register, record, self.player)
        _check_round(self, record)
        _check_open(record, as_correction=self.as_correction)
        if self.anyway is not None:
            _check_published(self, record)
        if self.kind is not Bye.ZERO:
            _check_stays(record, self.player, self.round)
        if before := record.pairings.get((self.round, self.player)):
            raise _paired_twice(self.player, before)
        said = PairingRecord(0, self.round, self.player, None, self.kind)
        despite = swiss.despite(record, said, anyway=self.anyway)
        event = self.said(to.ByeGiven, despite=despite)
        return [Dated(record.version.ends_on, event)]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectResult(_OfPairing):
    """Replace what was recorded of a pairing.

    With ``rating_only`` the standings keep the old result; then ``result`` None rates it nowhere.
    """

    NEEDS_REASON = True

    result: Result | None
    rating_only: bool = False

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a pairing that is not recorded, and a result that it has already."""
        record = register.known_tournament(self.tournament)
        before = _last_word(self, record)
        if self.rating_only:
            return [Dated(record.version.ends_on, self._for_rating(before))]
        if self.result is None:
            raise self.refused("pairing.needs_result")
        if before.result == self.result and before.rating_result is None:
            raise self._nothing_changes(before)
        event = self.said(to.ResultCorrected, result=str(self.result), supersedes=before.seq)
        return [Dated(record.version.ends_on, event)]

    def _for_rating(self, before: PairingRecord) -> to.RatingResultCorrected:
        if before.status != "recorded":
            raise self.refused("pairing.no_result_yet", pairing=before.described())
        counts = before.result if before.rating_result is None else before.rating_result
        if counts == (self.result if self.result is not None else ()):
            raise self._nothing_changes(before)
        result = None if self.result is None else str(self.result)
        return self.said(to.RatingResultCorrected, result=result, supersedes=before.seq)

    def _nothing_changes(self, before: PairingRecord) -> InputRefused:
        return self.refused("pairing.nothing_changes", pairing=before.described())


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectColours(_OfPairing):
    """Say that a recorded game was played with the colours reversed: each keeps the points.

    ``white`` and ``black`` are as they are recorded. The game is struck and recorded anew.
    """

    NEEDS_REASON = True

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a game that is not recorded or was not played, and one that is rated otherwise.

        What is rated with another result than the standings have would have to be said anew.
        """
        record = register.known_tournament(self.tournament)
        if (self.round, self.white) not in record.pairings:
            raise self.refused("pairing.no_game_to_turn")
        before = _last_word(self, record)
        if before.is_forfeit:
            raise self.refused("pairing.nobody_sat", pairing=before.described())
        if before.rating_result is not None:
            raise self.refused("pairing.turned_for_rating", pairing=before.described())
        day = record.version.ends_on
        struck = self.said(to.ResultAnnulled, supersedes=before.seq)
        return [Dated(day, struck), Dated(day, self._turned(record, before))]

    def _turned(self, record: TournamentRecord, before: PairingRecord) -> to.Recorded:
        """Returns what records the game with the other colours, of the same kind as it was."""
        assert before.black is not None, "a bye has no colours"
        assert not isinstance(before.result, Bye), "a bye has no colours"
        turned = replace(before, white=before.black, black=before.white)
        seats: dict[str, object] = {"white": turned.white, "black": turned.black}
        published = record.desk.rounds.get(self.round)
        board = published.board_of(self.white) if published else None
        if board is None or self.black not in board:
            seats["despite"] = swiss.despite(record, turned, anyway=True)
        if before.result is None:
            return self.said(to.GameAdjourned, **seats)
        model = to.GAME_MODELS[before.result.termination]
        if model is to.GameAdjudicated:
            seats["ruling"] = "temporary" if before.status == "temporary" else "definitive"
        return self.said(model, **seats, result=str(before.result.reversed))


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnulResult(Command):
    """Strike a pairing, or a bye (``black`` None), as never to have been recorded."""

    NEEDS_REASON = True
    NAMES = ("tournament",)

    tournament: str
    round: int
    white: str
    black: str | None

    def of_survivors(self, stays: Stays) -> Self:
        """Returns the command with the players' ids that stay."""
        black = None if self.black is None else stays(self.black)
        return replace(self, white=stays(self.white), black=black)

    def decide(self, register: Register, _today: dt.date) -> Sequence[Dated]:
        """Refuses a pairing that is not recorded, and the bye of a published round."""
        record = register.known_tournament(self.tournament)
        before = _last_word(self, record)
        if self.black is None and record.desk.gave_bye(self.round, self.white):
            raise self.refused("desk.bye_published", player=self.white)
        event = self.said(to.ResultAnnulled, supersedes=before.seq)
        return [Dated(record.version.ends_on, event)]


def _last_word(command: _OfPairing | AnnulResult, record: TournamentRecord) -> PairingRecord:
    """Returns the pairing to be changed; refuses one that was annulled or never recorded."""
    white, black = command.white, command.black
    there = record.pairings.get((command.round, white))
    if there is not None and (there.white, there.black) == (white, black):
        return there
    annulled = (command.round, white, black) in record.annulled_pairings
    raise command.refused(
        "pairing.annulled" if annulled else "pairing.unknown",
        black=black or "-",
        recorded=there.described() if there else "-",
    )


def _check_round(command: _NewPairing | GiveBye, record: TournamentRecord) -> None:
    rounds = record.version.rounds
    if rounds is not None and command.round > rounds:
        raise command.refused("pairing.no_such_round", rounds=rounds)


def _check_published(command: _NewPairing | GiveBye, record: TournamentRecord) -> None:
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
