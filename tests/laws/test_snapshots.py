"""A replay that begins at a snapshot ends where the full one ends, whatever became known since."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, replace

from hypothesis import given
from hypothesis import strategies as st

from ledger.calendar import Period
from ledger.errors import VerificationFailed
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts, Snapshots
from ledger.identifiers import Seq
from ledger.journal.interface import MOST_SNAPSHOTS, Journal
from ledger.journal.records import KeptSnapshot
from ledger.journal.stores.memory import MemoryJournal
from ledger.lists.publications import calculated
from ledger.rating.newcomer_results import OpponentColumns
from ledger.rating.player_state import VECTORS
from ledger.replay.opening_ratings import RatingsInForce
from ledger.replay.period_outcome import PeriodOutcome
from ledger.replay.replay import replay
from ledger.replay.snapshot import State, pack, unpack
from ledger.replay.timeline import Timeline, last_period
from ledger.service.ledger import Ledger
from ledger.trust.snapshot_check import Checked, check_lists, failure_of
from tests.differential.independent import Game, Rules
from tests.differential.strategies import Federation, federations
from tests.differential.support import GAMES_HEADER, LIST, PLAYERS_HEADER, correct, new_ledger, take
from tests.laws.support import correct_one, filled, law


def closing(outcome: PeriodOutcome) -> bytes:
    """Everything about where everybody stands after a period."""
    return pack(State(outcome.period, outcome.closing, RatingsInForce()))


def full(facts: Facts, basis: int, until: Period) -> list[PeriodOutcome]:
    """Every period, from the first one on, without anything kept."""
    known = AsOf(replace(facts, snapshots=Snapshots()), Seq(basis))
    return list(replay(Timeline(known, LIST), until))


@law(40)
@given(federations(), st.data())
def test_shortened_is_full(federation: Federation, data: st.DataObject) -> None:
    """At the head, after every correction, and at bases in the past."""
    journal = MemoryJournal()
    ledger = filled(federation, journal=journal)
    bases = [ledger.facts().seq]
    for place in (None, *range(len(federation.corrections))):
        if place is not None:
            correct_one(ledger, federation, place)
        if data.draw(st.booleans(), label="ask a new reader"):
            ledger = Ledger(journal, clock=ledger.clock)
        facts = ledger.facts()
        bases.append(facts.seq)
        basis = data.draw(st.sampled_from(bases), label="basis")
        for outcome in full(facts, basis, last_period(facts, LIST)):
            short = calculated(facts, LIST, basis, outcome.period)
            assert closing(short) == closing(outcome), outcome.period.name
            assert (short.units == outcome.units).all()
    assert journal.snapshots(LIST), "something was kept"


def small(journal: Journal) -> Ledger:
    """A ledger of three months on any store."""
    ledger = new_ledger(Rules(), journal=journal)
    players = "A,A,CHI,,,1800,,40\nB,B,CHI,,,1700,,40\nC,C,CHI,,,,,\n"
    take(ledger, PLAYERS_HEADER + players, seeds=True)
    for month in (7, 8, 9):
        about = f"T{month},T{month},2010-{month:02}-10,2010-{month:02}-10,swiss,classical,"
        lines = (f"{about},1,,A,B,1-0", f"{about},2,,B,C,0-1", f"{about},3,,C,A,1-0")
        take(ledger, GAMES_HEADER + "\n".join(lines) + "\n")
    return ledger


def test_a_replay_begins_at_the_last_good_one(journal: Journal) -> None:
    """Before what has changed: the month itself at the head, the first one after a correction."""
    ledger = small(journal)

    def begun(facts: Facts) -> str:
        until = last_period(facts, LIST)
        return next(replay(Timeline.at_head(facts, LIST), until, since=until)).period.name

    facts = ledger.facts()
    assert begun(facts) == "2010-07"
    calculated(facts, LIST, facts.seq, last_period(facts, LIST))
    assert begun(Ledger(journal, clock=ledger.clock).facts()) == "2010-09"
    late, early = (Game(1, "A", "B", "1-0"), "T9"), (Game(1, "A", "B", "1-0"), "T7")
    for (game, tournament), first in ((late, "2010-09"), (early, "2010-07")):
        correct(ledger, tournament, game, "0-1")
        assert begun(ledger.facts()) == first


def test_a_damaged_snapshot_is_thrown_away(journal: Journal) -> None:
    """Its bytes are not what they were: nobody reads it, and it is made again."""
    ledger = small(journal)
    facts = ledger.facts()
    until = last_period(facts, LIST)
    right = closing(calculated(facts, LIST, facts.seq, until))
    headings = journal.snapshots(LIST)
    assert headings, "something was kept"
    for heading in headings:
        data = journal.snapshot_data(heading)
        assert data is not None
        damaged = KeptSnapshot(**asdict(heading), data=data[:-1] + bytes([data[-1] ^ 1]))
        assert journal.keep_snapshots([damaged])
    told: list[str] = []
    reader = Ledger(journal, ledger.clock, notice=lambda message: told.append(message.key))
    facts = reader.facts()
    assert closing(calculated(facts, LIST, facts.seq, until)) == right
    assert told == ["verify.snapshots_made_again"]
    facts = Ledger(journal, clock=ledger.clock).facts()
    assert closing(calculated(facts, LIST, facts.seq, until)) == right
    for heading in journal.snapshots(LIST):
        data = journal.snapshot_data(heading)
        assert data is not None
        assert hashlib.sha256(data).hexdigest() == heading.sha256


def test_what_is_no_snapshot_at_all_is_not_used(journal: Journal) -> None:
    """Bytes that say nothing, with the digest that they have."""
    ledger = small(journal)
    facts = ledger.facts()
    until = last_period(facts, LIST)
    right = closing(calculated(facts, LIST, facts.seq, until))
    for heading in journal.snapshots(LIST):
        data = journal.snapshot_data(heading)
        assert data is not None
        half = data[: len(data) // 2]
        of = replace(heading, sha256=hashlib.sha256(half).hexdigest())
        assert journal.keep_snapshots([KeptSnapshot(**asdict(of), data=half)])
    assert check_lists(Ledger(journal, clock=ledger.clock), [LIST])[0].wrong
    facts = Ledger(journal, clock=ledger.clock).facts()
    assert closing(calculated(facts, LIST, facts.seq, until)) == right
    assert not check_lists(Ledger(journal, clock=ledger.clock), [LIST])[0].wrong


def test_of_other_rules_or_code_nothing_is_read(journal: Journal) -> None:
    """A snapshot with another key, or of another history, might as well not be there."""
    ledger = small(journal)
    facts = ledger.facts()
    until = last_period(facts, LIST)
    right = closing(calculated(facts, LIST, facts.seq, until))
    false: list[KeptSnapshot] = []
    for heading in journal.snapshots(LIST):
        data = journal.snapshot_data(heading)
        assert data is not None
        wrong = data[:-1] + bytes([data[-1] ^ 1])
        of = replace(heading, sha256=hashlib.sha256(wrong).hexdigest())
        false += [
            KeptSnapshot(**asdict(replace(of, key="another")), data=wrong),
            KeptSnapshot(**asdict(replace(of, root="00" * 32)), data=wrong),
        ]
    assert journal.drop_snapshots()
    assert journal.keep_snapshots(false)
    facts = Ledger(journal, clock=ledger.clock).facts()
    assert closing(calculated(facts, LIST, facts.seq, until)) == right


def test_what_other_code_kept_does_not_stand_in_the_way(journal: Journal) -> None:
    """The same place under another key: the own one is kept beside it."""
    ledger = small(journal)
    facts = ledger.facts()
    until = last_period(facts, LIST)
    calculated(facts, LIST, facts.seq, until)
    own = journal.snapshots(LIST)
    others = [KeptSnapshot(**asdict(replace(one, key="another")), data=b"") for one in own]
    assert journal.drop_snapshots()
    assert journal.keep_snapshots(others)
    facts = Ledger(journal, clock=ledger.clock).facts()
    calculated(facts, LIST, facts.seq, until)
    assert {one.key for one in journal.snapshots(LIST)} == {"another", *(one.key for one in own)}


def test_every_vector_comes_back() -> None:
    """Under the name it was packed by: none is taken for another."""
    ledger = small(MemoryJournal())
    take(ledger, f"{PLAYERS_HEADER}D,D,CHI,,,,,\n", seeds=True)
    about = "T,T,2010-09-12,2010-09-12,swiss,classical,"
    lines = (f"{about},1,,A,D,1-0", f"{about},2,,D,B,1-0", f"{about},3,,D,A,1/2-1/2")
    take(ledger, GAMES_HEADER + "\n".join(lines) + "\n")
    facts = ledger.facts()
    outcome = calculated(facts, LIST, facts.seq, last_period(facts, LIST))
    data = pack(State(outcome.period, outcome.closing, outcome.in_force))
    state = unpack(data, outcome.period, len(facts.players))
    assert state is not None
    for name in VECTORS:
        vector = getattr(outcome.closing, name)
        assert getattr(state.states, name).tolist() == vector.tolist(), name
    bucket, kept_bucket = outcome.closing.buckets, state.states.buckets
    assert len(bucket.results.opponents), "somebody waits for a rating"
    assert kept_bucket.periods.tolist() == bucket.periods.tolist()
    for old, new in zip(bucket.results.columns(), kept_bucket.results.columns(), strict=True):
        assert new.tolist() == old.tolist()
    for name in OpponentColumns.__slots__:
        met = getattr(bucket.results.opponents, name)
        assert getattr(kept_bucket.results.opponents, name).tolist() == met.tolist(), name
    assert outcome.closing.games.any()
    assert outcome.closing.recent
    for kept, played in zip(state.states.recent, outcome.closing.recent, strict=True):
        assert kept.day == played.day
        assert kept.players.tolist() == played.players.tolist()
        assert kept.games.tolist() == played.games.tolist()
    (days, ratings), (kept_days, kept_ratings) = (
        outcome.in_force.content(),
        state.in_force.content(),
    )
    assert days == kept_days
    assert [rating.tolist() for rating in kept_ratings] == [rating.tolist() for rating in ratings]


def test_only_the_newest_of_a_list_stay(journal: Journal) -> None:
    """What is kept does not grow without end, and lists do not push out each other's."""
    for list_ in ("A", "B"):
        for period in range(MOST_SNAPSHOTS + 5):
            made = KeptSnapshot(list_, period, 7, "key", "root", "sha256", b"data")
            assert journal.keep_snapshots([made])
    for list_ in ("A", "B"):
        kept = sorted(heading.period for heading in journal.snapshots(list_))
        assert kept == list(range(5, MOST_SNAPSHOTS + 5))
    assert journal.snapshot_data(journal.snapshots("A")[0]) == b"data"
    assert journal.drop_snapshots()
    assert not journal.snapshots("A")


def test_the_check_finds_a_false_one(journal: Journal) -> None:
    """One that has its digest and does not say what a full replay says."""
    ledger = small(journal)
    facts = ledger.facts()
    calculated(facts, LIST, facts.seq, last_period(facts, LIST))
    assert check_lists(Ledger(journal, clock=ledger.clock), [LIST]) == [Checked(LIST, 2, ())]
    heading = min(journal.snapshots(LIST), key=lambda kept: kept.period)
    data = journal.snapshot_data(heading)
    assert data is not None
    false = data[:-1] + bytes([data[-1] ^ 1])
    content = asdict(replace(heading, sha256=hashlib.sha256(false).hexdigest()))
    assert journal.keep_snapshots([KeptSnapshot(**content, data=false)])
    reader = Ledger(journal, clock=ledger.clock)
    checked = check_lists(reader, [LIST])
    assert checked[0].wrong[0] == "2010-08"
    assert isinstance(failure_of(checked), VerificationFailed)
    assert not journal.snapshots(LIST)
    assert failure_of(check_lists(Ledger(journal, clock=ledger.clock), [LIST])) is None
