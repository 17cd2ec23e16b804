"""Sealed segments: the same facts as from the events, and never trusted when they are not."""

from __future__ import annotations

import dataclasses
import datetime as dt
import hashlib
import zlib
from collections.abc import Iterator

import numpy as np
import pytest
from filelock import FileLock
from hypothesis import given
from hypothesis import strategies as st

from ledger.application import sealing
from ledger.application.ledger import Ledger
from ledger.application.sealing import seal, unsealed
from ledger.application.verification import verify
from ledger.events.personal import Identity
from ledger.facts.columns import Facts
from ledger.facts.fold import FactsBuilder
from ledger.journal.database import open_journal
from ledger.journal.entries import Journal
from ledger.journal.memory import MemoryJournal
from ledger.registrar import commands as c
from ledger.results import Result
from ledger.terms import Rate, System
from tests.differential.strategies import Federation, federations
from tests.journal.databases import connected
from tests.laws.support import correct_all, filled, law
from tests.ledgers import NOW, do


@pytest.fixture(autouse=True)
def _small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealing, "LEAST_EVENTS", 10)
    monkeypatch.setattr(sealing, "MOST_EVENTS", 25)


def same(one: Facts, other: Facts) -> bool:
    for field in dataclasses.fields(Facts):
        left, right = getattr(one, field.name), getattr(other, field.name)
        if field.name == "games":
            columns = dataclasses.fields(left)
            if not all(
                np.array_equal(getattr(left, f.name), getattr(right, f.name)) for f in columns
            ):
                return False
        elif isinstance(left, np.ndarray):
            if not np.array_equal(left, right):
                return False
        elif left != right:
            return False
    return True


def from_events(journal: Journal) -> Facts:
    return FactsBuilder().take_stored(journal.events()).facts()


def reopened(ledger: Ledger) -> Ledger:
    return Ledger(ledger.journal, clock=lambda: NOW)


@given(federations(corrections=(0, 4)), st.data())
@law(40)
def test_facts_from_segments_are_those_from_the_events(
    federation: Federation, data: st.DataObject
) -> None:
    """Sealed at any moment, corrections before and after included."""
    ledger = filled(federation)
    ledger.facts()
    if data.draw(st.booleans()):
        reopened(ledger).facts()
    correct_all(ledger, federation)
    again = reopened(ledger)
    assert same(again.facts(), from_events(ledger.journal))
    assert same(reopened(ledger).facts(), from_events(ledger.journal))
    assert not verify(again).findings


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
    do(made, *people, open_, *entries, *games)
    return made


def _identity(number: int) -> Identity:
    return Identity(name=f"Player {number}", sex=None, birth_date=None)


def test_a_long_tail_is_sealed_in_pieces_and_read_again(ledger: Ledger) -> None:
    ledger.facts()
    ranges = [(s.first_seq, s.last_seq) for s in ledger.journal.segments()]
    head = ledger.journal.head()
    assert ranges[0] == (1, 25)
    assert ranges[-1][1] == head.seq
    assert {(s.sealed_at, s.root) for s in ledger.journal.segments()} == {(head.seq, head.root)}
    builder, upto = unsealed(ledger.journal)
    assert upto == head.seq
    assert same(builder.facts(), from_events(ledger.journal))


def test_a_short_tail_is_read_from_the_events(ledger: Ledger) -> None:
    ledger.facts()
    sealed = ledger.journal.head().seq
    wrong = c.CorrectResult(
        tournament="T", round=1, white="P0", black="P1", result=Result.parse("0-1")
    )
    do(ledger, wrong)
    again = reopened(ledger)
    assert same(again.facts(), from_events(ledger.journal))
    assert max(s.last_seq for s in ledger.journal.segments()) == sealed


def test_segments_can_be_thrown_away(ledger: Ledger) -> None:
    before = ledger.facts()
    assert ledger.journal.drop_segments()
    assert list(ledger.journal.segments()) == []
    assert same(reopened(ledger).facts(), before)
    assert list(ledger.journal.segments())


def test_a_segment_is_kept_once(ledger: Ledger) -> None:
    ledger.facts()
    kept = list(ledger.journal.segments())
    builder = FactsBuilder().take_stored(ledger.journal.events())
    assert seal(ledger.journal, builder, 0, ledger.journal.head()) == ledger.journal.head().seq
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
        return tuple(
            c.RegisterPlayer(
                player=f"P{i}", identity=_identity(i), salt="0" * 32, federation=None,
                on=dt.date(2010, 7, 1),
            )
            for i in range(40)
        )  # fmt: skip

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
        assert same(opened.facts(), from_events(opened.journal))
        assert not verify(opened).findings  # made again

    def test_verify_finds_one_that_says_something_else(self, opened: Ledger) -> None:
        (first, *_) = opened.journal.segments()
        other = zlib.compress(zlib.decompress(first.data).replace(b"P3", b"Q3"))
        sha256 = hashlib.sha256(other).hexdigest()
        lie = dataclasses.replace(first, data=other, sha256=sha256)
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


def test_memory_keeps_segments_too() -> None:
    journal = MemoryJournal()
    assert list(journal.segments()) == []
    assert journal.drop_segments()
    assert journal.root_at(1) is None
