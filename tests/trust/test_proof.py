"""What is proof believes no snapshot; an edition that does not replay has a next one."""

from __future__ import annotations

import datetime as dt
import hashlib
from dataclasses import asdict, replace
from typing import Any

import pytest

from ledger.answers.lists import regenerate, show
from ledger.calendar import Calendar
from ledger.derived.store import DerivedStore
from ledger.errors import VerificationFailed
from ledger.journal.interface import Journal
from ledger.journal.records import KeptSnapshot
from ledger.journal.stores.memory import MemoryJournal
from ledger.lists.committed_rows import rows_root
from ledger.operations.commands import CorrectResult, PublishList, SetCalendar
from ledger.replay.replay import replay
from ledger.replay.snapshot import State, pack, unpack
from ledger.replay.timeline import Timeline, last_period
from ledger.results import Result
from ledger.service.ledger import Ledger, Request
from ledger.service.publications import PublishedList, publish_with_earlier
from ledger.trust.snapshot_check import Checked, check_lists, failure_of
from ledger.trust.verification import verify
from ledger.wording import Message
from tests.ledgers import NOW, PLAYERS_HEADER, define, do, empty_ledger, import_text

MONTHS = (7, 8, 9)
PLAYERS = "A,Ana,CHI,,,1800,,40\nB,Beto,CHI,,,1700,,40\nC,Cora,CHI,,,,,\n"
GAMES = "tournament,name,start,end,system,rate_of_play,merit,round,date,white,black,result\n"


def filled(journal: Journal | None = None, policy: str = "restate") -> Ledger:
    """A ledger of three months."""
    ledger = empty_ledger(journal)
    define(ledger, policy="next-list" if policy == "next-list" else "restate")
    import_text(ledger, PLAYERS_HEADER + PLAYERS, list_="ENF")
    for month in MONTHS:
        about = f"T{month},T{month},2010-{month:02}-10,2010-{month:02}-10,swiss,classical,"
        lines = (f"{about},1,,A,B,1-0", f"{about},2,,B,C,0-1", f"{about},3,,C,A,1-0")
        import_text(ledger, GAMES + "\n".join(lines) + "\n")
    return ledger


def again(ledger: Ledger, told: list[Message] | None = None) -> Ledger:
    """Another process on the same journal."""
    heard: list[Message] = [] if told is None else told
    return Ledger(ledger.journal, clock=lambda: NOW, notice=heard.append)


def out(ledger: Ledger, period: str = "2010-09") -> PublishedList:
    """Publishes a period, and those before it that have no list yet."""
    *_, last = publish_with_earlier(ledger, "ENF", period, Request("tester", "test", "", ""))
    return last


def forge_snapshots(ledger: Ledger) -> None:
    """Gives everybody a hundred points in what is kept, with the digest that it then has."""
    journal = ledger.journal
    facts = ledger.facts()
    periods = {
        outcome.period.index: outcome.period
        for outcome in replay(Timeline.at_head(facts, "ENF"), last_period(facts, "ENF"))
    }
    headings = journal.snapshots("ENF")
    assert headings, "something was kept"
    for heading in headings:
        data = journal.snapshot_data(heading)
        assert data is not None
        state = unpack(data, periods[heading.period], len(facts.players))
        assert state is not None
        states = state.states.copy()
        states.rating[states.rating > 0] += 100
        false = pack(State(state.before, states, state.in_force))
        of = replace(heading, sha256=hashlib.sha256(false).hexdigest())
        assert journal.keep_snapshots([KeptSnapshot(**asdict(of), data=false)])


def publication(ledger: Ledger) -> PublishList:
    """Returns the command that publishes the last month as it is."""
    made = show(ledger, "ENF", "2010-09")
    return PublishList(
        list="ENF",
        period="2010-09",
        edition=1,
        basis_seq=ledger.facts().seq,
        regulation=made.basis.regulation,
        regulation_digest=made.basis.regulation_digest,
        row_count=len(made.rows),
        output_sha256=replace(made, edition=1).output_sha256(),
        ratings_sha256=made.ratings_sha256(),
        rows_root=rows_root(made.rows.published, ledger.people(ledger.facts())),
    )


def publish_wrongly(ledger: Ledger, *, ratings: bool) -> None:
    """Records an edition with digests that nothing replays to."""
    command = replace(publication(ledger), output_sha256="0" * 64)
    do(ledger, replace(command, ratings_sha256="0" * 64) if ratings else command)


def test_nobody_begins_at_a_forged_snapshot(journal: Journal) -> None:
    """Its digest is right, and who made it has no voucher for it."""
    ledger = filled(journal)
    out(ledger, "2010-08")
    right = show(ledger, "ENF", "2010-09")
    forge_snapshots(ledger)
    found = verify(again(ledger)).findings
    assert {finding.message.key for finding in found} == {"verify.snapshot_unlike"}
    assert len(found) == len(journal.snapshots("ENF"))
    assert failure_of(check_lists(again(ledger), ["ENF"]))
    show(ledger, "ENF", "2010-09")
    forge_snapshots(ledger)
    assert show(again(ledger), "ENF", "2010-09").rows == right.rows
    forge_snapshots(ledger)
    assert out(again(ledger)).list.rows == right.rows
    assert not verify(again(ledger)).findings, "they were made again on the way"


def test_verify_vouches_for_what_another_user_has_made(journal: Journal) -> None:
    """Not used at first; once they were held against the events they are."""
    ledger = filled(journal)
    right = show(ledger, "ENF", "2010-09")
    kept = journal.snapshots("ENF")
    store = DerivedStore()
    other = Ledger(journal, ledger.clock, store=store)
    assert not other.facts().snapshots.find("ENF")
    assert not verify(other).findings
    after = Ledger(journal, ledger.clock, store=store)
    assert len(after.facts().snapshots.find("ENF")) == len(kept)
    assert show(after, "ENF", "2010-09").rows == right.rows


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"basis": 3}, "verify.snapshot_foreign"),
        ({"root": "0" * 64}, "verify.snapshot_foreign"),
        ({"period": 10**6}, "verify.snapshot_foreign"),
        ({"period": -1}, "verify.snapshot_foreign"),
        ({"list": "X"}, "verify.snapshot_foreign"),
        ({"sha256": "0" * 64}, "verify.snapshot_damaged"),
    ],
)
def test_verify_names_what_was_added_from_outside(
    journal: Journal, change: dict[str, Any], key: str
) -> None:
    ledger = filled(journal)
    right = show(ledger, "ENF", "2010-09")
    heading = journal.snapshots("ENF")[0]
    data = journal.snapshot_data(heading)
    assert data is not None
    assert journal.keep_snapshots([KeptSnapshot(**(asdict(heading) | change), data=data)])
    assert [finding.message.key for finding in verify(again(ledger)).findings] == [key]
    assert show(again(ledger), "ENF", "2010-09").rows == right.rows


def test_snapshots_of_periods_that_another_calendar_lacks_are_of_this_ledger() -> None:
    ledger = filled()
    about = "T3,T3,2011-03-10,2011-03-10,swiss,classical,"
    import_text(ledger, f"{GAMES}{about},1,,A,B,1-0\n")
    out(ledger, "2010-08")
    show(ledger, "ENF", "2011-03")
    kept = len(ledger.journal.snapshots("ENF"))
    annual = SetCalendar(
        list="ENF", calendar=Calendar.ANNUAL, closes_days_before=0, on=dt.date(2011, 1, 1)
    )
    do(ledger, annual)
    assert not verify(again(ledger)).findings
    made, failure = regenerate(ledger, "ENF", "2010-08", 1)
    assert failure is None
    assert made.rows
    assert len(ledger.journal.snapshots("ENF")) == kept > 1


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"row_count": 4}, "row_count"),
        ({"regulation_digest": "0" * 64}, "regulation_digest"),
        ({"regulation": "fide-standard"}, "regulation"),
    ],
)
def test_what_a_publication_says_of_its_list_is_held_against_the_replay(
    change: dict[str, Any], what: str
) -> None:
    ledger = filled()
    do(ledger, replace(publication(ledger), **change))
    findings = verify(again(ledger)).findings
    assert [finding.message.key for finding in findings] == ["verify.list_value"]
    assert dict(findings[0].message.values)["what"] == what


def test_regenerating_finds_what_was_published_wrongly(journal: Journal) -> None:
    ledger = filled(journal)
    right = show(ledger, "ENF", "2010-09")
    publish_wrongly(ledger, ratings=True)
    made, failure = regenerate(again(ledger), "ENF", "2010-09", 1)
    assert failure is not None
    assert failure.message.key == "verify.list_digest"
    assert made.rows == right.rows
    told: list[Message] = []
    remedy = out(again(ledger, told)).list
    assert (remedy.edition, remedy.rows) == (2, right.rows)
    assert [message.key for message in told] == ["list.does_not_replay"]


def test_regenerating_finds_the_right_bytes_beside_a_forged_snapshot(journal: Journal) -> None:
    ledger = filled(journal)
    published = out(ledger).list
    show(ledger, "ENF", "2010-09")
    forge_snapshots(ledger)
    made, failure = regenerate(again(ledger), "ENF", "2010-09", 1)
    assert failure is None
    assert made.document() == published.document()


def test_a_forged_snapshot_makes_no_edition_look_wrong(journal: Journal) -> None:
    """Publishing asks the events themselves before it takes an edition for wrong."""
    ledger = filled(journal)
    published = out(ledger).list
    show(ledger, "ENF", "2010-09")
    forge_snapshots(ledger)
    told: list[Message] = []
    stands = out(again(ledger, told))
    assert stands.receipt is None
    assert stands.list.document() == published.document()
    assert not told


def test_damaged_snapshots_are_not_counted_as_right(journal: Journal) -> None:
    ledger = filled(journal)
    show(ledger, "ENF", "2010-09")
    headings = journal.snapshots("ENF")
    for heading in headings:
        data = journal.snapshot_data(heading)
        assert data is not None
        damaged = KeptSnapshot(**asdict(heading), data=data[:-1] + bytes([data[-1] ^ 1]))
        assert journal.keep_snapshots([damaged])
    told: list[Message] = []
    checked = check_lists(again(ledger, told), ["ENF"])
    assert checked == [Checked("ENF", 0, (), thrown_away=len(headings))]
    assert checked[0].data()["thrown_away"] == len(headings)
    assert failure_of(checked) is None
    assert [message.key for message in told] == ["verify.snapshots_made_again"]
    assert "were thrown away" in str(told[0])


@pytest.mark.parametrize("ratings", [False, True])
def test_after_a_wrong_publication_the_next_edition_goes_out(*, ratings: bool) -> None:
    """The wrong one is named, and found for ever; the next one is sound and stands."""
    ledger = filled()
    publish_wrongly(ledger, ratings=ratings)
    told: list[Message] = []
    published = out(again(ledger, told))
    assert published.receipt is not None
    assert published.list.edition == 2
    (message,) = told
    assert message.key == "list.does_not_replay"
    values = dict(message.values)
    assert (values["edition"], values["next"], values["published"]) == (1, 2, "0" * 64)
    for language in ("en", "es"):
        assert "verify" in message.within(language)
    assert regenerate(again(ledger), "ENF", "2010-09", 2)[1] is None
    assert len(verify(again(ledger)).findings) == 1
    told.clear()
    assert out(again(ledger, told)).receipt is None
    assert not told


def test_where_editions_stand_a_wrong_one_is_said() -> None:
    ledger = filled(policy="next-list")
    publish_wrongly(ledger, ratings=True)
    with pytest.raises(VerificationFailed) as failed:
        out(again(ledger))
    assert failed.value.message.key == "verify.list_digest"


def test_without_names_ratings_tell_whether_an_edition_stands() -> None:
    ledger = filled()
    out(ledger)
    journal = ledger.journal
    assert isinstance(journal, MemoryJournal)
    journal._personal.clear()
    told: list[Message] = []
    assert out(again(ledger, told)).receipt is None
    correction = CorrectResult(
        tournament="T9", round=1, white="A", black="B", result=Result.parse("0-1")
    )
    do(ledger, correction)
    corrected = out(again(ledger, told)).list
    assert corrected.edition == 2
    assert out(again(ledger, told)).receipt is None
    assert not told
