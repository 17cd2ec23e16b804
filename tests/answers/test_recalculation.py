"""Which commits are named as the causes of a recalculation."""

from __future__ import annotations

from typing import Any

from ledger.answers.corrections import recalculation
from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.ledger import Ledger, Receipt
from ledger.service.retractions import undo_commit
from tests.ledgers import do, publish_period, request, with_july_published


def correct(ledger: Ledger, round_: int, white: str, black: str, result: str) -> Receipt:
    game: dict[str, Any] = {"tournament": "T1", "round": round_, "white": white, "black": black}
    return do(ledger, c.CorrectResult(**game, result=Result.parse(result)))


def undo(ledger: Ledger, receipt: Receipt) -> Receipt:
    assert receipt.commit_id is not None
    return undo_commit(ledger, c.UndoCommit(commit=receipt.commit_id), request("a mistake"))


def causes(ledger: Ledger) -> tuple[list[int], bool]:
    """Returns the commits that are named, the newest first, and whether there are more."""
    told = recalculation(ledger, "ENF", "2010-07")
    return [cause.commit for cause in told.causes], told.has_more


def test_commits_that_leave_nothing_are_no_causes() -> None:
    ledger = with_july_published()
    first = correct(ledger, 1, "A", "B", "0-1").commit_id
    taken_back = correct(ledger, 2, "C", "A", "1-0")
    retraction = undo(ledger, taken_back)
    assert causes(ledger) == ([first], False)
    undo(ledger, retraction)
    assert causes(ledger) == ([taken_back.commit_id, first], False)


def test_the_retraction_of_what_an_edition_contains_is_a_cause() -> None:
    ledger = with_july_published()
    correction = correct(ledger, 1, "A", "B", "0-1")
    publish_period(ledger, "2010-07")
    retraction = undo(ledger, correction)
    assert causes(ledger) == ([retraction.commit_id], False)


def test_earlier_causes_than_those_named_are_announced() -> None:
    ledger = with_july_published()
    results = ("0-1", "1/2-1/2", "1-0", "0-1")
    made = [correct(ledger, 1, "A", "B", result).commit_id for result in results]
    assert causes(ledger) == (made[:0:-1], True)
