"""A journal as it was at a seq answers as the journal did when it ended there."""

from __future__ import annotations

import pytest

from ledger.answers.lists import show
from ledger.answers.tournaments import show_tournament
from ledger.errors import DatabaseError, NotFound
from ledger.identifiers import NO_EVENT, Seq
from ledger.journal.interface import Journal
from ledger.journal.past import PastJournal
from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.ledger import Ledger
from ledger.views.past import PastLedger, newest_of
from tests.journal.drafts import draft
from tests.ledgers import (
    GAMES_HEADER,
    NOW,
    PLAYERS_HEADER,
    define,
    empty_ledger,
    import_text,
    request,
)

_PLAYERS = PLAYERS_HEADER + "1,Ana,CHI,w,,2000,,\n2,Luis,CHI,m,,1900,,\n"
_GAMES = (
    GAMES_HEADER
    + "open,Open,2010-07-02,2010-07-03,match,classical,1,1,2010-07-02,1,2,1-0\n"
    + "open,,,,,,,2,2010-07-03,2,1,1/2-1/2\n"
)


def _filled(journal: Journal) -> tuple[Ledger, int]:
    """Returns a ledger in which a result was corrected, and the last seq before."""
    ledger = empty_ledger(journal)
    define(ledger)
    import_text(ledger, _PLAYERS, list_="ENF")
    import_text(ledger, _GAMES)
    before = journal.head().seq
    corrected = c.CorrectResult(
        tournament="open", round=1, white="1", black="2", result=Result.parse("0-1")
    )
    ledger.execute([corrected], request())
    return ledger, before


def test_the_past_is_what_the_journal_was(journal: Journal) -> None:
    ledger, before = _filled(journal)
    past = PastJournal(journal, before)
    assert past.head().seq == past.last_event() == before
    assert [event.seq for event in past.events()] == list(range(1, before + 1))
    assert [commit.last_seq for commit in past.commits()][-1] == before
    assert max(event.seq for event in past.streams(["tournament:open"])) <= before
    assert past.stream_names("tournament:") == ["tournament:open"]
    assert PastJournal(journal, 2).stream_names("tournament:") == []
    assert PastJournal(journal, 2).recorded(["list:ENF", "player:1"]) == {"list:ENF"}
    last = next(iter(journal.commits(after=past.head().commit_id)))
    assert journal.commit_with_key(last.idempotency_key) == last
    assert past.commit_with_key(last.idempotency_key) is None
    corrections = "result.corrected", "result.recorded"
    assert journal.count_of(corrections) == past.count_of(corrections) + 1
    assert ledger.facts().seq == before + 1


def test_a_ledger_of_the_past_answers_as_it_did_then(journal: Journal) -> None:
    ledger, before = _filled(journal)
    past = PastLedger(ledger, Seq(before))
    assert show_tournament(past, "open") != show_tournament(ledger, "open")
    then, now = (show(each, "ENF", "2010-07").rows for each in (past, ledger))
    assert then != now


def test_the_newest_state_does_not_move_while_it_is_asked(journal: Journal) -> None:
    ledger, _ = _filled(journal)
    newest = newest_of(ledger)
    seq = newest.seq
    define(ledger, "OTHER")
    assert newest.facts().seq == seq
    assert newest.facts().lists.keys() == {"ENF"}
    assert newest_of(ledger).facts().lists.keys() == {"ENF", "OTHER"}


def test_the_middle_of_a_commit_stands_for_the_commit_before(journal: Journal) -> None:
    ledger, before = _filled(journal)
    first = next(commit for commit in journal.commits() if commit.last_seq == before).first_seq
    assert PastLedger(ledger, Seq(before - 1)).seq == first - 1
    assert PastLedger(ledger, NO_EVENT).facts().seq == 0


def test_nothing_is_recorded_in_the_past(journal: Journal) -> None:
    ledger, before = _filled(journal)
    past = PastLedger(ledger, Seq(before))
    assert not hasattr(past, "append_decided")
    with pytest.raises(DatabaseError, match="in the past"):
        past.journal.append(draft(), expected_seq=before, recorded_at=NOW)
    assert journal.head().seq == before + 1


@pytest.mark.parametrize("beyond", [1, 10**9])
def test_the_future_is_not_there(journal: Journal, beyond: int) -> None:
    ledger, _ = _filled(journal)
    with pytest.raises(NotFound, match="there is no seq"):
        PastLedger(ledger, Seq(ledger.journal.head().seq + beyond))
