"""Every commit of a long history can be asked to be undone: it is, or a refusal says why not."""

from __future__ import annotations

import pytest

from ledger.errors import InputRefused
from ledger.operations.retractions import UndoCommit
from ledger.service.ledger import Ledger
from ledger.service.retractions import undo_commit
from ledger.wording import Message
from tests.ledgers import NOW, copied, request
from tests.matrix.states import History, make_history


@pytest.fixture(scope="module")
def history() -> History:
    """A history with publications, corrections, the desk, ladders, and people who are gone."""
    return make_history()


def test_each_commit_is_undone_or_refused_with_the_reason(history: History) -> None:
    refused: dict[int, list[Message]] = {}
    undone = []
    for journal in history.parts.values():
        ledger = Ledger(copied(journal), clock=lambda: NOW)
        for commit in [*journal.commits()]:
            try:
                undo = UndoCommit(commit=commit.commit_id)
                receipt = undo_commit(ledger, undo, request("by mistake", dry_run=True))
            except InputRefused as refusal:
                details = [problem.message for problem in refusal.details]
                refused[commit.commit_id] = details or [refusal.message]
            else:
                assert receipt.events, commit.commit_id
                undone.append(commit.commit_id)
    assert undone
    assert "undo.list_defined" in {message.key for message in refused[1]}
    assert all(
        message.within("en") and message.within("es") for of in refused.values() for message in of
    )
