"""Sealed segments: the same facts as from the events, and never trusted when they are not."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Iterator

import pytest
from filelock import FileLock
from hypothesis import given
from hypothesis import strategies as st

from ledger.derived import facts_reader, segments
from ledger.derived.facts_reader import FactsReader
from ledger.derived.store import DerivedStore
from ledger.events.personal import Identity
from ledger.facts.builder import FactsBuilder
from ledger.facts.segment import digest, pack, unpack
from ledger.identifiers import Seq
from ledger.journal.interface import Journal
from ledger.journal.stores.database import open_journal
from ledger.journal.stores.memory import MemoryJournal
from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.ledger import Ledger
from ledger.terms import Rate, System
from ledger.trust.verification import verify
from tests.differential.strategies import Federation, federations
from tests.facts.strategies import corrections, later_words, learn
from tests.facts.support import known, periods, same, same_at_every_basis
from tests.journal.crasher import crash
from tests.journal.databases import connected
from tests.laws.support import filled, law
from tests.ledgers import NOW, do


@pytest.fixture(autouse=True)
def _small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "LEAST_EVENTS", 10)
    monkeypatch.setattr(segments, "MOST_EVENTS", 25)


def from_events(journal: Journal) -> FactsBuilder:
    return FactsBuilder().take_pages(journal.pages())


def reopened(ledger: Ledger) -> Ledger:
    return Ledger(ledger.journal, clock=lambda: NOW)


@given(federations(corrections=(0, 4)), st.data())
@law(40)
def test_facts_from_segments_are_those_from_the_events(
    federation: Federation, data: st.DataObject
) -> None:
    """Sealed at any moments, whatever is learnt before and after; at every basis."""
    ledger = filled(federation)
    ledger.facts()
    if data.draw(st.booleans()):
        reopened(ledger).facts()
    learn(ledger, data.draw(later_words(federation)))
    if data.draw(st.booleans()):
        reopened(ledger).facts()
    learn(ledger, corrections(federation))
    again = reopened(ledger)
    events = from_events(ledger.journal).facts()
    assert same(again.facts(), events)
    assert same_at_every_basis(reopened(ledger).facts(), events)
    for seq in range(events.seq % 5, events.seq + 1, 5):
        assert periods(again.facts(), seq) == periods(events, seq)
    assert not verify(again).findings


@given(federations(), st.data())
@law(20)
def test_what_is_tried_out_disturbs_nothing(federation: Federation, data: st.DataObject) -> None:
    ledger = filled(federation)
    facts = ledger.facts()
    before = known(facts, facts.seq)
    learn(ledger, data.draw(later_words(federation)), dry_run=True)
    assert ledger.facts() is facts
    assert known(facts, facts.seq) == before
    assert learn(ledger, data.draw(later_words(federation))) or ledger.facts() is facts
    assert known(facts, facts.seq) == before
    assert same(ledger.facts(), from_events(ledger.journal).facts())


@pytest.fixture
def ledger(journal: Journal) -> Ledger:
    """A small federation on every kind of journal."""
    made = Ledger(journal, clock=lambda: NOW)
    people = [
        c.RegisterPlayer(
            player=f"P{i}",
            identity=_identity(i),
            salt="0" * 32,
            federation=None,
            on=dt.date(2010, 7, 1),
        )
        for i in range(8)
    ]
    do(made, *people, *_tournament())
    return made


def _tournament() -> tuple[c.Command, ...]:
    open_ = c.OpenTournament(
        tournament="T", name="T", starts_on=dt.date(2010, 7, 2), ends_on=dt.date(2010, 7, 9),
        system=System.SWISS, rate_of_play=Rate.CLASSICAL,
    )  # fmt: skip
    games = [
        c.RecordGame(
            tournament="T", round=r, white=f"P{i}", black=f"P{i + 1}", result=Result.parse("1-0")
        )
        for r in range(1, 6)
        for i in range(0, 8, 2)
    ]
    entries = [c.EnterPlayer(tournament="T", player=f"P{i}") for i in range(8)]
    return (open_, *entries, *games)


def _identity(number: int) -> Identity:
    return Identity(name=f"Player {number}", sex=None, birth_date=None)


def test_a_long_tail_is_sealed_in_pieces_and_read_again(ledger: Ledger) -> None:
    ledger.facts()
    ranges = [(s.first_seq, s.last_seq) for s in ledger.journal.segments()]
    head = ledger.journal.head()
    assert ranges[0] == (1, 25)
    assert ranges[-1][1] == head.seq
    assert {(s.sealed_at, s.root) for s in ledger.journal.segments()} == {(head.seq, head.root)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(ledger.journal), "pages", None)  # no event is read
        facts = reopened(ledger).facts()
    assert same(facts, from_events(ledger.journal).facts())


def test_who_was_here_before_takes_over_what_others_have_sealed_since(ledger: Ledger) -> None:
    here = reopened(ledger)
    held = here.facts()
    register(ledger, range(100, 140))
    ledger.facts()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(ledger.journal), "pages", None)  # no event is read
        facts = here.facts()
    assert same(facts, from_events(ledger.journal).facts())
    assert held.seq < facts.seq
    register(ledger, range(200, 202))
    assert same(here.facts(), from_events(ledger.journal).facts())


def test_who_was_here_before_reads_the_events_that_another_user_has_sealed(ledger: Ledger) -> None:
    here = Ledger(ledger.journal, clock=lambda: NOW, store=DerivedStore())
    here.facts()
    register(ledger, range(100, 140))
    ledger.facts()
    assert same(here.facts(), from_events(ledger.journal).facts())


def test_who_was_here_before_goes_on_where_others_seal_in_another_way(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = reopened(ledger)
    here.facts()
    builder = here._reader.builder
    register(ledger, range(100, 140))
    ledger.facts()
    monkeypatch.setattr(facts_reader, "unpack", lambda _: None)
    assert same(here.facts(), from_events(ledger.journal).facts())
    assert here._reader.builder is builder, "it read everything again"


def test_a_short_tail_is_read_from_the_events(ledger: Ledger) -> None:
    ledger.facts()
    sealed = ledger.journal.head().seq
    wrong = c.CorrectResult(
        tournament="T", round=1, white="P0", black="P1", result=Result.parse("0-1")
    )
    do(ledger, wrong)
    again = reopened(ledger)
    assert same(again.facts(), from_events(ledger.journal).facts())
    assert max(s.last_seq for s in ledger.journal.segments()) == sealed


def test_a_short_last_segment_is_made_again_with_what_follows(ledger: Ledger) -> None:
    ledger.facts()
    before = [(s.first_seq, s.last_seq) for s in ledger.journal.segments()]
    assert before[-1][1] - before[-1][0] < 24
    held = reopened(ledger).facts()
    register(ledger, range(100, 110))
    reopened(ledger).facts()
    after = [(s.first_seq, s.last_seq) for s in ledger.journal.segments()]
    assert [first for first, _ in after][: len(before)] == [first for first, _ in before]
    assert all(last - first == 24 for first, last in after[:-1])
    assert after[-1][1] == ledger.journal.head().seq
    # Who has opened the short one makes its rows again from the events, and throws nothing away.
    facts = from_events(ledger.journal).facts()
    assert periods(held, held.seq) == periods(facts, held.seq)
    assert [(s.first_seq, s.last_seq) for s in ledger.journal.segments()] == after


def register(ledger: Ledger, numbers: range) -> None:
    for i in numbers:
        do(
            ledger,
            c.RegisterPlayer(
                player=f"P{i}", identity=_identity(i), salt="0" * 32, federation=None,
                on=dt.date(2010, 7, 1),
            ),
        )  # fmt: skip


def test_segments_can_be_thrown_away(ledger: Ledger) -> None:
    before = ledger.facts()
    assert ledger.journal.drop_segments()
    assert list(ledger.journal.segments()) == []
    assert same(reopened(ledger).facts(), before)
    assert list(ledger.journal.segments())


def test_a_segment_is_kept_once(ledger: Ledger) -> None:
    ledger.facts()
    kept = list(ledger.journal.segments())
    FactsReader(ledger.journal, DerivedStore()).read(ledger.journal.head())
    assert list(ledger.journal.segments()) == kept


class TestDamaged:
    """On both databases: found, not trusted, made again."""

    @pytest.fixture
    def url(self, database_url: str, ledger_commands: tuple[c.Command, ...]) -> str:
        journal = open_journal(database_url)
        made = Ledger(journal, clock=lambda: NOW)
        do(made, *ledger_commands)
        made.facts()
        assert list(journal.segments())
        journal.close()
        return database_url

    @pytest.fixture
    def ledger_commands(self) -> tuple[c.Command, ...]:
        people = (
            c.RegisterPlayer(
                player=f"P{i}", identity=_identity(i), salt="0" * 32, federation=None,
                on=dt.date(2010, 7, 1),
            )
            for i in range(40)
        )  # fmt: skip
        return (*people, *_tournament())

    @pytest.fixture
    def opened(self, url: str) -> Iterator[Ledger]:
        journal = open_journal(url)
        yield Ledger(journal, clock=lambda: NOW)
        journal.close()

    @pytest.mark.parametrize(
        "damage",
        [
            "UPDATE segments SET root = 'x'",
            "UPDATE segments SET sha256 = 'x' WHERE first_seq = 26",
            "DELETE FROM segments WHERE first_seq = 1",
            "UPDATE segments SET sealed_at = 7",
        ],
    )
    def test_the_events_are_read_instead(self, url: str, opened: Ledger, damage: str) -> None:
        tamper_segments(url, damage)
        assert same(opened.facts(), from_events(opened.journal).facts())
        assert not verify(opened).findings  # made again

    @pytest.mark.parametrize(
        "damage",
        [
            "UPDATE segments SET rows = heading",
            "UPDATE segments SET rows = heading WHERE first_seq = 51",
            "DELETE FROM segments",
        ],
    )
    def test_rows_that_are_not_what_they_were_are_made_again(
        self, url: str, opened: Ledger, damage: str
    ) -> None:
        facts = opened.facts()
        tamper_segments(url, damage)
        events = from_events(opened.journal).facts()
        assert known(facts, facts.seq) == known(events, events.seq)
        assert list(opened.journal.segments()) == []
        assert same(reopened(opened).facts(), events)
        assert list(opened.journal.segments())
        assert not verify(opened).findings

    def test_verify_finds_rows_that_say_something_else(self, opened: Ledger) -> None:
        segments = list(opened.journal.segments())
        rows = bytearray(segments[-1].rows)
        rows[-1] ^= 1
        opened.journal.drop_segments()
        for segment in segments[:-1]:
            assert opened.journal.keep_segment(segment)
        content = unpack(segments[-1].heading)
        assert content is not None
        heading = pack(dataclasses.replace(content, rows_sha256=digest(bytes(rows))))
        lie = dataclasses.replace(
            segments[-1], heading=heading, rows=bytes(rows), sha256=digest(heading)
        )
        assert opened.journal.keep_segment(lie)
        keys = [finding.message.key for finding in verify(opened).findings]
        assert keys == ["verify.segment"]
        # And it is not believed, with its rows or without them.
        facts = opened.facts()
        assert same(facts, from_events(opened.journal).facts())
        opened.journal.drop_segments()
        assert same(facts, from_events(opened.journal).facts())

    def test_verify_finds_one_that_says_something_else(self, opened: Ledger) -> None:
        (first, *_) = opened.journal.segments()
        other = first.heading.replace(b"P3", b"Q3")
        lie = dataclasses.replace(first, heading=other, sha256=digest(other))
        opened.journal.drop_segments()
        assert opened.journal.keep_segment(lie)
        keys = [finding.message.key for finding in verify(opened).findings]
        assert keys == ["verify.segment"]


def tamper_segments(url: str, statement: str) -> None:
    with connected(url) as driver:
        driver.execute(statement)


def test_nobody_waits_for_a_segment(sqlite_url: str) -> None:
    """While somebody writes, a reader answers, and leaves the sealing."""
    journal = open_journal(sqlite_url, lock_timeout=0.1)
    made = Ledger(journal, clock=lambda: NOW)
    do(
        made,
        *(
            c.RegisterPlayer(
                player=f"P{i}", identity=_identity(i), salt="0" * 32, federation=None,
                on=dt.date(2010, 7, 1),
            )
            for i in range(30)
        ),
    )  # fmt: skip
    with FileLock(f"{sqlite_url.removeprefix('sqlite:///')}.lock"):
        assert len(reopened(made).facts().player_ids) == 30
        assert not journal.drop_segments()
        assert list(journal.segments()) == []
    reopened(made).facts()
    assert list(journal.segments())
    journal.close()


def test_who_is_killed_while_he_seals_leaves_a_ledger_that_is_right(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = open_journal(sqlite_url)
    made = Ledger(journal, clock=lambda: NOW)
    monkeypatch.setattr(segments, "LEAST_EVENTS", 1_000)
    register(made, range(30))
    do(made, *_tournament())
    crash(sqlite_url, "seal", "7", "8", "9", "10", "11", "12", "commit")
    assert len(list(journal.segments())) < 3  # as far as they came
    monkeypatch.setattr(segments, "LEAST_EVENTS", 10)
    events = from_events(journal).facts()
    assert same(reopened(made).facts(), events)
    assert same(reopened(made).facts(), events)
    assert not verify(made).findings
    journal.close()


def test_a_ledger_that_no_segment_can_be_kept_of_is_read_all_the_same(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = from_events(ledger.journal).facts()
    monkeypatch.setattr(type(ledger.journal), "keep_segment", lambda *_: False)
    for number in range(3):
        register(ledger, range(200 + 10 * number, 210 + 10 * number))
        events = from_events(ledger.journal).facts()
        assert same(ledger.facts(), events)
    monkeypatch.undo()
    register(ledger, range(300, 301))
    assert same(ledger.facts(), from_events(ledger.journal).facts())


def test_memory_keeps_segments_too() -> None:
    journal = MemoryJournal()
    assert list(journal.segments()) == []
    assert journal.drop_segments()
    assert journal.root_at(1) is None


def _of(result: str) -> MemoryJournal:
    journal = MemoryJournal()
    made = Ledger(journal, clock=lambda: NOW)
    register(made, range(8))
    do(made, *_tournament())
    wrong = c.CorrectResult(
        tournament="T", round=1, white="P0", black="P1", result=Result.parse(result)
    )
    do(made, wrong)
    return journal


def test_who_was_here_before_begins_anew_where_the_history_is_another() -> None:
    """A file that was put in the place of another, as long as that one or shorter."""
    other = _of("1/2-1/2")
    for later in range(2):
        journal = _of("0-1")
        ledger = Ledger(journal, clock=lambda: NOW)
        if later:
            register(ledger, range(100, 140))
        ledger.facts()
        vars(journal).update(vars(other))
        assert same(ledger.facts(), from_events(other).facts())


def test_a_root_is_known_of_commits_that_were_walked_to() -> None:
    journal = _of("0-1")
    ledger = Ledger(journal, clock=lambda: NOW)
    facts = ledger.facts()
    reader = ledger._reader
    *_, before, last = journal.commits()
    assert reader.root_at(last.last_seq) == last.root
    assert reader.root_at(before.last_seq) == before.root
    assert reader.root_at(before.last_seq - 1) is None
    assert reader.root_at(facts.seq + 1) is None
    again = reopened(ledger)
    again.facts()
    behind = dataclasses.replace(before, last_seq=Seq(before.last_seq - 3), root="0" * 64)
    journal._commits[0] = behind
    assert again._reader.root_at(behind.last_seq) is None
