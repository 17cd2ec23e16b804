"""A result that was mistyped is typed anew by the same person, and nothing says that it was."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from itertools import count

import pytest

from ledger.answers.commits import events_of, numbered_commit
from ledger.answers.corrections import corrections
from ledger.answers.tournaments import require_tournament, show_tournament
from ledger.errors import Conflict, InputRefused
from ledger.events.personal import Identity
from ledger.facts.as_of import AsOf
from ledger.facts.tournament import PairingRecord
from ledger.operations.commands import (
    AnnounceRules,
    CloseTournament,
    Command,
    CorrectResult,
    EnterPlayer,
    OpenTournament,
    PairRound,
    RegisterPlayer,
    RetypeResult,
)
from ledger.results import Result
from ledger.service.boards import SOON, BoardAsked, take_back, typed_boards
from ledger.service.ledger import Request, body_of
from ledger.service.operations import carry_out
from ledger.terms import PairingMethod, Rate, System
from tests.ledgers import empty_ledger

DAY = dt.date(2025, 6, 1)
BEGAN = dt.datetime(2025, 6, 1, 12, tzinfo=dt.UTC)
_keys = count()


class Hall:
    """Four players in a Swiss of three rounds, its first one published; a clock that can be set."""

    def __init__(self) -> None:
        self.now = BEGAN
        self.ledger = empty_ledger()
        self.ledger.clock = lambda: self.now
        players = [f"P{number}" for number in range(1, 5)]
        identity = Identity(name="Soto, Ana")
        self.do(
            *(
                RegisterPlayer(
                    player=player, identity=identity, salt="0" * 32, federation=None, on=DAY
                )
                for player in players
            ),
            OpenTournament(
                tournament="T", name="Open", starts_on=DAY, ends_on=DAY, system=System.SWISS,
                rate_of_play=Rate.CLASSICAL, rounds=3,
            ),
            *(EnterPlayer(tournament="T", player=player) for player in players),
            AnnounceRules(
                tournament="T", pairing=PairingMethod.FENAMAC_1975, tie_breaks=("median",)
            ),
        )  # fmt: skip
        self.pair()

    def asking(self, actor: str = "ana", reason: str = "") -> Request:
        """Returns what accompanies a request."""
        return Request(actor, reason, f"slip:{next(_keys)}", "")

    def do(self, *commands: Command, actor: str = "ana", reason: str = "") -> None:
        """Records commands."""
        asking = self.asking(actor, reason)
        self.ledger.execute(commands, replace(asking, body=body_of(commands)))

    def pair(self) -> None:
        """Pairs the next round."""
        carry_out(self.ledger, PairRound(tournament="T", round=None, list=None), self.asking())

    def type(self, board: int, result: str, actor: str = "ana", round_: int = 1) -> None:
        """Types the result of a board."""
        typed = [(board, Result.parse(result))]
        self.do(*typed_boards(self.ledger, "T", round_, typed, actor), actor=actor)

    def seats(self, board: int, round_: int = 1) -> tuple[str, str]:
        """Returns White and Black of a board."""
        record = require_tournament(self.ledger, "T", self.ledger.journal.head().seq)
        return record.desk.rounds[round_].boards[board - 1]

    def pairing(self, board: int = 1) -> PairingRecord:
        """Returns what is recorded at a board of round 1."""
        record = require_tournament(self.ledger, "T", self.ledger.journal.head().seq)
        return record.pairings[1, self.seats(board)[0]]

    def correct(self, result: str, actor: str = "ana", reason: str = "") -> None:
        """Corrects the result of board 1."""
        white, black = self.seats(1)
        command = CorrectResult(
            tournament="T", round=1, white=white, black=black, result=Result.parse(result)
        )
        carry_out(self.ledger, command, self.asking(actor, reason))

    def take_back(self, seen: int, board: int = 1, actor: str = "ana") -> None:
        """Takes back what was typed at a board of round 1."""
        take_back(self.ledger, BoardAsked("T", 1, board), seen, self.asking(actor))

    def last_type(self) -> str:
        """Returns the type of the event that was recorded last."""
        head = self.ledger.journal.head()
        return events_of(self.ledger, numbered_commit(self.ledger, head.commit_id))[-1].type


@pytest.fixture
def hall() -> Hall:
    return Hall()


def test_before_the_round_is_complete_who_typed_it_types_it_anew(hall: Hall) -> None:
    hall.type(1, "1-0")
    hall.now += dt.timedelta(hours=2)
    hall.type(1, "0-1")
    assert hall.last_type() == "result.retyped"
    assert str(hall.pairing().result) == "0-1"
    assert hall.pairing().corrected_by_seq is None
    record = require_tournament(hall.ledger, "T", hall.ledger.journal.head().seq)
    assert [str(each.pairing.result) for each in record.replaced] == ["1-0"]
    assert not corrections(hall.ledger)
    sheet = show_tournament(hall.ledger, "T")
    assert not any(player.corrected for player in sheet.players)
    assert not sheet.tournament.changes


def test_a_correction_without_a_reason_is_the_same_slip(hall: Hall) -> None:
    hall.type(1, "1-0")
    hall.correct("1/2-1/2")
    assert hall.last_type() == "result.retyped"


def test_with_a_reason_it_is_a_correction(hall: Hall) -> None:
    hall.type(1, "1-0")
    hall.correct("1/2-1/2", reason="the scoresheets say so")
    assert hall.last_type() == "result.corrected"
    assert hall.pairing().corrected_by_seq


@pytest.mark.parametrize(("minutes", "is_slip"), [(10, True), (11, False)])
def test_when_the_round_is_complete_ten_minutes_are_left(
    hall: Hall, minutes: int, *, is_slip: bool
) -> None:
    assert dt.timedelta(minutes=10) == SOON
    hall.type(2, "1-0")
    hall.type(1, "1-0")
    hall.now += dt.timedelta(minutes=minutes)
    if is_slip:
        hall.type(1, "0-1")
        assert hall.last_type() == "result.retyped"
        return
    with pytest.raises(InputRefused, match="is recorded, not 0-1"):
        hall.type(1, "0-1")
    with pytest.raises(InputRefused, match="reason"):
        hall.correct("0-1")


def test_what_somebody_else_typed_is_no_slip(hall: Hall) -> None:
    hall.type(1, "1-0", actor="eva")
    with pytest.raises(InputRefused, match="reason"):
        hall.correct("0-1")
    assert str(hall.pairing().result) == "1-0"


def test_what_was_relied_on_is_no_slip(hall: Hall) -> None:
    hall.type(1, "1-0")
    hall.type(2, "1-0")
    hall.pair()
    with pytest.raises(InputRefused, match="reason"):
        hall.correct("0-1")


def test_what_was_handed_in_is_no_slip(hall: Hall) -> None:
    hall.type(1, "1-0")
    hall.do(CloseTournament(tournament="T", on=DAY, anyway=True), reason="over")
    with pytest.raises(InputRefused, match="reason"):
        hall.correct("0-1")


def test_a_correction_is_not_typed_anew(hall: Hall) -> None:
    hall.type(1, "1-0")
    hall.correct("0-1", reason="the scoresheets say so")
    with pytest.raises(InputRefused, match="reason"):
        hall.correct("1/2-1/2")


def test_what_is_another_one_by_now_is_a_conflict(hall: Hall) -> None:
    hall.type(1, "1-0")
    white, black = hall.seats(1)
    seen = hall.pairing().seq
    hall.type(1, "0-1")
    slip = RetypeResult(
        tournament="T", round=1, white=white, black=black, result=Result.parse("1/2-1/2"),
        supersedes=seen,
    )  # fmt: skip
    with pytest.raises(Conflict):
        hall.do(slip)


def test_what_is_rated_is_what_was_typed_at_last(hall: Hall) -> None:
    hall.type(1, "1-0")
    hall.type(1, "0-1")
    at_once = Hall()
    at_once.type(1, "0-1")
    rated = [
        AsOf(each.ledger.facts(), each.ledger.journal.head().seq).games()
        for each in (hall, at_once)
    ]
    assert rated[0].code.tolist() == rated[1].code.tolist()
    assert len(rated[0].code) == 1


def test_what_was_tapped_is_taken_back_and_nothing_was_corrected(hall: Hall) -> None:
    hall.type(1, "1-0")
    hall.type(1, "0-1")
    hall.take_back(hall.pairing().seq)
    assert hall.last_type() == "tournament.fact-undone"
    assert str(hall.pairing().result) == "1-0", "as it was before"
    hall.take_back(hall.pairing().seq)
    record = require_tournament(hall.ledger, "T", hall.ledger.journal.head().seq)
    assert not record.pairings
    assert not corrections(hall.ledger)
    hall.type(1, "1/2-1/2")
    assert str(hall.pairing().result) == "1/2-1/2"
    assert not show_tournament(hall.ledger, "T").tournament.changes


def test_it_is_taken_back_by_who_tapped_it_as_it_was_seen_and_before_the_next_round(
    hall: Hall,
) -> None:
    hall.type(1, "1-0")
    seen = hall.pairing().seq
    with pytest.raises(InputRefused, match="no slip any more"):
        hall.take_back(seen, actor="eva")
    hall.type(1, "0-1")
    with pytest.raises(Conflict, match="was recorded meanwhile"):
        hall.take_back(seen)
    hall.correct("1-0", reason="the scoresheets say so")
    with pytest.raises(InputRefused, match="no slip any more"):
        hall.take_back(hall.pairing().seq)
    hall.type(2, "1-0")
    hall.pair()
    with pytest.raises(InputRefused, match="no slip any more"):
        hall.take_back(hall.pairing(2).seq, board=2)
