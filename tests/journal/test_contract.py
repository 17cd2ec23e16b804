"""What every store does alike: in memory, on SQLite, on PostgreSQL."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import cast

import pytest

from ledger.calendar import Calendar
from ledger.errors import Conflict, DatabaseError
from ledger.events.ladders import LadderOpened
from ledger.events.lists import ListDefined
from ledger.events.model import Event
from ledger.events.players import PlayerRegistered
from ledger.events.tournaments import TournamentOpened
from ledger.identifiers import NO_EVENT, Seq
from ledger.journal.batch import Batch, pages_of
from ledger.journal.interface import HeadMoved, Journal
from ledger.journal.merkle import EMPTY_ROOT
from ledger.journal.past import PastJournal
from ledger.journal.records import Commit, Draft, Head, StoredRow, columns_of
from ledger.journal.stores import triggers
from ledger.journal.stores.memory import MemoryJournal
from ledger.journal.verify.check import check
from ledger.terms import Rate, System
from tests.journal.drafts import BODY, DAY, NOON, append, dated, draft, fill, game, with_people


def test_an_empty_journal_has_the_empty_tree(journal: Journal) -> None:
    assert journal.head() == Head(0, NO_EVENT, EMPTY_ROOT.hex())
    assert list(journal.events()) == []
    assert list(journal.commits()) == []
    assert journal.stream_names("") == []
    assert journal.personal_documents() == {}


def test_a_commit_says_who_why_when_and_from_what(journal: Journal) -> None:
    asked = draft(game(1), game(2), key="k", source_name="r1.csv", source_sha256="c" * 64)
    commit = append(journal, asked)
    assert (commit.commit_id, commit.first_seq, commit.last_seq) == (1, 1, 2)
    assert (commit.actor, commit.reason) == ("Ana", "Ronda 1")
    assert (commit.source_name, commit.source_sha256) == ("r1.csv", "c" * 64)
    assert commit.recorded_at == "2026-01-01T12:00:00.000000Z"
    assert list(journal.commits()) == [commit]
    assert journal.commit_with_key("k") == commit
    assert journal.commit_with_key("other") is None


def test_events_are_read_back_as_they_were_given(journal: Journal) -> None:
    append(journal, draft(game(1), key="k"))
    (event,) = journal.events()
    assert (event.seq, event.commit_id, event.type, event.version) == (1, 1, "result.recorded", 1)
    assert (event.stream, event.effective_on) == ("tournament:club", "2025-12-31")
    assert event.payload == game(1).canonical()


def test_a_store_says_whether_it_holds_events(journal: Journal) -> None:
    fill(journal)
    rows = [row for page in journal.pages() for row in page]
    for start, end in combinations(range(len(rows) + 1), 2):
        assert journal.holds(columns_of(rows[start:end]))
    for at, row in enumerate(rows):
        for place, value in enumerate(row):
            other = value + 1 if isinstance(value, int) else f"{value}x"
            changed = cast(StoredRow, (*row[:place], other, *row[place + 1 :]))
            assert not journal.holds(columns_of([*rows[:at], changed, *rows[at + 1 :]]))
    assert not journal.holds(columns_of([*rows, (Seq(11), *rows[-1][1:])]))
    assert not journal.holds(columns_of([*rows[:3], *rows[4:]]))


def test_every_store_gives_the_same_root(journal: Journal) -> None:
    reference = MemoryJournal()
    for one in (draft(game(1), game(2)), with_people("1", "2"), draft(game(3))):
        append(reference, one)
        append(journal, one)
    assert journal.head() == reference.head()
    assert list(journal.commits()) == list(reference.commits())
    assert list(journal.events()) == list(reference.events())
    assert journal.personal_documents() == reference.personal_documents()


def test_seqs_are_dense_over_commits(journal: Journal) -> None:
    fill(journal)
    assert [event.seq for event in journal.events()] == list(range(1, 11))
    assert [(c.first_seq, c.last_seq) for c in journal.commits()] == [(1, 3), (4, 8), (9, 10)]
    head = journal.head()
    assert (head.commit_id, head.seq) == (3, 10)
    assert head.root == list(journal.commits())[-1].root


@pytest.mark.parametrize(
    ("after", "upto", "expected"),
    [(0, None, range(1, 11)), (3, 7, range(4, 8)), (10, None, ()), (0, 0, ()), (8, 99, (9, 10))],
)
def test_events_are_read_from_and_up_to_a_seq(
    journal: Journal, after: int, upto: int | None, expected: range
) -> None:
    fill(journal)
    assert [event.seq for event in journal.events(after=after, upto=upto)] == list(expected)


def test_commits_are_read_after_one(journal: Journal) -> None:
    fill(journal)
    assert [commit.commit_id for commit in journal.commits(after=1)] == [2, 3]


def test_streams_are_read_together_in_order(journal: Journal) -> None:
    fill(journal)
    names = ["tournament:open", "player:2", "player:none"]
    assert [event.seq for event in journal.streams(names)] == [2, 9, 10]
    assert [event.seq for event in journal.streams(names, upto=9)] == [2, 9]
    assert list(journal.streams([])) == []


def test_which_streams_are_recorded(journal: Journal) -> None:
    fill(journal)
    assert journal.recorded(["tournament:open", "player:2", "player:none"]) == {
        "tournament:open",
        "player:2",
    }
    assert journal.recorded([]) == set()


@cache
def of_events_one_by_one(count: int) -> tuple[Draft, Draft, Journal]:
    """A small draft, one of so many events, and a journal in memory with both."""
    events = (game(number, 'größer "é" 😀') for number in range(count))
    first, large, reference = with_people("1"), draft(*events, key="large"), MemoryJournal()
    append(reference, first)
    append(reference, large)
    return first, large, reference


@pytest.mark.parametrize(
    ("limit", "count"), [(7, 2_050), pytest.param(10_000, 20_500, marks=pytest.mark.slow)]
)
def test_a_large_batch_is_stored_as_events_one_by_one_are(
    journal: Journal, limit: int, count: int
) -> None:
    first, small, reference = of_events_one_by_one(count)
    append(journal, first)
    told: list[tuple[str, int, int]] = []
    batch = Batch(lambda *how: told.append(how), limit)
    for page in pages_of(small.events):
        batch.extend(page)
    append(journal, replace(small, events=batch))
    assert journal.head() == reference.head()
    assert list(journal.events()) == list(reference.events())
    assert check(journal).findings == ()
    assert ("hash", count, count) in told


def test_a_large_batch_that_breaks_off_leaves_nothing(journal: Journal) -> None:
    fill(journal)
    before = journal.head(), list(journal.events())

    def stop(what: str, done: int, _total: int) -> None:
        if what == ("hash" if isinstance(journal, MemoryJournal) else "append") and done >= 10_000:
            raise KeyboardInterrupt

    batch = Batch(stop)
    for page in pages_of(dated(*(game(number) for number in range(20_500)))):
        batch.extend(page)
    with pytest.raises(KeyboardInterrupt):
        append(journal, replace(draft(key="large"), events=batch))
    assert (journal.head(), list(journal.events())) == before
    assert journal.commit_with_key("large") is None
    append(journal, draft(key="large"))


def test_very_many_streams_can_be_asked_for(journal: Journal) -> None:
    fill(journal)
    names = [f"player:{number}" for number in range(70_000)]
    assert [event.seq for event in journal.streams(names)] == [1, 2, 3]


def test_stream_names_are_sorted_by_code_point(journal: Journal) -> None:
    for name in ("ñu", "Zeta", "alfa", "a%", "a_b", "😀"):
        append(journal, draft(game(1, name), game(2, name)))
    append(journal, with_people("1"))
    assert journal.stream_names("tournament:") == [
        "tournament:Zeta",
        "tournament:a%",
        "tournament:a_b",
        "tournament:alfa",
        "tournament:ñu",
        "tournament:😀",
    ]
    assert journal.stream_names("tournament:a%") == ["tournament:a%"]
    assert journal.stream_names("list:") == []


def test_events_are_found_by_what_they_mention(journal: Journal) -> None:
    fill(journal)
    streams = journal.stream_names("")
    assert [event.seq for event in journal.mentioning('"w4"', streams)] == [4]
    assert [event.seq for event in journal.mentioning('"w4"', ["player:nobody"])] == []
    assert [event.seq for event in journal.mentioning('"W4"', streams)] == []
    assert [event.seq for event in journal.mentioning("w%", streams)] == []


def test_events_and_commits_are_found_by_their_numbers(journal: Journal) -> None:
    fill(journal)
    rows = [row for page in journal.pages() for row in page]
    assert journal.rows_at([9, 2, 70, 3]) == [rows[1], rows[2], rows[8]]
    assert [each.commit_id for each in journal.commits_at([3, 20, 1])] == [1, 3]
    assert (journal.rows_at([]), journal.commits_at([])) == ([], [])
    past = PastJournal(journal, 8)
    assert past.rows_at([2, 9]) == [rows[1]]
    assert [each.commit_id for each in past.commits_at([2, 3])] == [2]


def test_personal_documents_are_found_by_digest(journal: Journal) -> None:
    asked = with_people("1", "2", "3")
    append(journal, asked)
    every = {person.digest: person.document for person in asked.personal}
    assert journal.personal_documents() == every
    first = asked.personal[0]
    assert journal.personal_documents([first.digest, "0" * 64]) == {first.digest: first.document}
    assert journal.personal_documents([]) == {}


def test_a_personal_document_is_never_overwritten(journal: Journal) -> None:
    asked = with_people("1")
    append(journal, asked)
    before = journal.head()
    with pytest.raises(DatabaseError) as caught:
        append(journal, replace(asked, events=dated(game(1)), idempotency_key="other"))
    assert caught.value.message.key == "database.refused"
    assert journal.head() == before


BEGINNINGS = (
    PlayerRegistered(identity="0" * 64, player="7"),
    TournamentOpened(
        ends_on=DAY, name="Club", rate_of_play=Rate.CLASSICAL, starts_on=DAY,
        system=System.SWISS, tournament="club",
    ),
    ListDefined(calendar=Calendar.MONTHLY, first_on=DAY, list="ENF", policy="restate"),
    LadderOpened(ladder="club", list="ENF", players=("7",)),
)  # fmt: skip


def test_these_are_the_events_with_which_streams_begin() -> None:
    assert sorted(event.TYPE for event in BEGINNINGS) == sorted(triggers.BEGINNINGS)


@pytest.mark.parametrize("event", BEGINNINGS, ids=lambda event: event.TYPE)
def test_a_stream_begins_once(journal: Journal, event: Event) -> None:
    append(journal, draft(game(1), event, game(2)))
    before = journal.head()
    with pytest.raises(DatabaseError) as caught:
        append(journal, draft(game(3), event))
    assert caught.value.message.key == "database.begun_twice"
    assert event.stream in str(caught.value)
    assert "run 'rating-ledger verify'" in str(caught.value)
    assert journal.head() == before
    append(journal, draft(game(3)))


@pytest.mark.parametrize("size", [1, pytest.param(20_500, marks=pytest.mark.slow)])
def test_a_stream_begins_once_within_a_commit(journal: Journal, size: int) -> None:
    between = (game(number) for number in range(size))
    with pytest.raises(DatabaseError) as caught:
        append(journal, draft(BEGINNINGS[0], *between, BEGINNINGS[0]))
    assert caught.value.message.key == "database.begun_twice"
    assert "player:7" in str(caught.value)
    assert journal.head().seq == 0


def test_the_same_request_again_adds_nothing(journal: Journal) -> None:
    first = append(journal, draft(game(1), key="k"))
    append(journal, draft(game(2)))
    # Whatever the head, and whatever it was decided at.
    for expected in (0, 1, 2):
        again = journal.append(
            draft(game(1), key="k"), expected_seq=expected, recorded_at=NOON + dt.timedelta(days=1)
        )
        assert again == first
    assert journal.head().seq == 2


def test_the_same_key_for_something_else_is_a_conflict(journal: Journal) -> None:
    append(journal, draft(game(1), key="k"))
    with pytest.raises(Conflict) as caught:
        append(journal, draft(game(2), key="k", body="f" * 64))
    assert caught.value.message.key == "database.key_conflict"
    assert "'k'" in str(caught.value)
    assert "2026-01-01T12:00:00.000000Z" in str(caught.value)
    assert journal.head().seq == 1


def in_turn(journal: Journal, draft_: Draft) -> Commit:
    return journal.append_in_turn(lambda _: draft_, lambda: NOON)


def test_what_is_appended_in_a_turn_is_stored_as_else(journal: Journal) -> None:
    reference = MemoryJournal()
    for one in (draft(game(1), game(2)), with_people("1", "2"), draft(game(3))):
        assert in_turn(journal, one) == append(reference, one)
    assert list(journal.events()) == list(reference.events())
    assert list(journal.commits()) == list(reference.commits())
    assert journal.personal_documents() == reference.personal_documents()
    assert check(journal).findings == ()


def test_in_a_turn_the_draft_is_made_at_the_head_and_the_journal_can_be_read(
    journal: Journal,
) -> None:
    fill(journal)

    def draft_at(head: Head) -> Draft:
        assert head == journal.head()
        assert sum(1 for _ in journal.events()) == head.seq == 10
        assert journal.commit_with_key("k") is None
        return draft(game(11), key="k")

    assert journal.append_in_turn(draft_at, lambda: NOON).first_seq == 11


def test_a_turn_in_which_nothing_is_drafted_leaves_nothing_and_ends(journal: Journal) -> None:
    def draft_at(_: Head) -> Draft:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        journal.append_in_turn(draft_at, lambda: NOON)
    assert journal.head().seq == 0
    assert append(journal, draft()).first_seq == 1
    assert in_turn(journal, draft()).first_seq == 2


def test_in_a_turn_the_same_request_adds_nothing_and_another_is_a_conflict(
    journal: Journal,
) -> None:
    first = append(journal, draft(game(1), key="k"))
    assert in_turn(journal, draft(game(1), key="k")) == first
    with pytest.raises(Conflict) as caught:
        in_turn(journal, draft(game(2), key="k", body="f" * 64))
    assert caught.value.message.key == "database.key_conflict"
    assert journal.head().seq == 1


@pytest.mark.parametrize("expected", [0, 2, 99])
def test_whoever_decided_at_another_head_decides_again(journal: Journal, expected: int) -> None:
    append(journal, draft(game(1)))
    before = journal.head()
    with pytest.raises(HeadMoved):
        journal.append(draft(game(2)), expected_seq=expected, recorded_at=NOON)
    assert journal.head() == before


def test_a_large_commit_is_stored_whole(journal: Journal) -> None:
    many = draft(*(game(number, f"t{number % 7}") for number in range(12_345)))
    commit = append(journal, many)
    assert (commit.first_seq, commit.last_seq) == (1, 12_345)
    assert [event.seq for event in journal.events()] == list(range(1, 12_346))
    assert sum(1 for _ in journal.streams(["tournament:t0"])) == 1764
    found = check(journal)
    assert (found.events, found.findings) == (12_345, ())


def test_reading_sees_the_journal_as_it_was_when_it_began(journal: Journal) -> None:
    append(journal, draft(*(game(number) for number in range(3_000))))
    reading = journal.events()
    assert next(reading).seq == 1
    append(journal, draft(game(1)))
    assert sum(1 for _ in reading) == 2_999


def test_reading_can_be_broken_off(journal: Journal) -> None:
    fill(journal)
    for _ in range(100):
        assert next(iter(journal.events())).seq == 1
        assert next(iter(journal.commits())).commit_id == 1


def test_texts_of_every_script_are_stored(journal: Journal) -> None:
    name = 'Ñandú “Ⅷ” 東京 😀 \\ " \u2028'
    append(journal, draft(game(1, "東京 😀"), key=name, source_name=name))
    assert journal.commit_with_key(name) is not None
    assert check(journal).findings == ()


def test_a_sound_journal_has_no_findings(journal: Journal) -> None:
    fill(journal)
    told: list[tuple[str, int, int]] = []
    found = check(journal, lambda *progress: told.append(progress))
    assert found.findings == ()
    assert (found.commits, found.events, found.lost) == (3, 10, 0)
    assert found.root == journal.head().root
    assert told == [("verify", 10, 10)]
    assert journal.missing_triggers() == []


def test_what_is_appended_during_a_check_is_no_finding(journal: Journal) -> None:
    fill(journal)

    def busy(*_: object) -> None:
        append(journal, draft(game(1), game(2)))

    found = check(journal, busy)
    assert (found.commits, found.findings) == (3, ())


def test_the_body_of_a_draft_is_its_callers_business(journal: Journal) -> None:
    assert append(journal, draft(game(1))).body_sha256 == BODY


@pytest.mark.parametrize("back", [dt.timedelta(microseconds=1), dt.timedelta(days=800)])
def test_recorded_instants_never_go_back(journal: Journal, back: dt.timedelta) -> None:
    append(journal, draft())
    late = journal.append(draft(), expected_seq=1, recorded_at=NOON - back)
    assert late.recorded_at == "2026-01-01T12:00:00.000000Z"
    zone = dt.timezone(dt.timedelta(hours=-4))
    ahead = NOON.astimezone(zone) + dt.timedelta(seconds=1)
    assert journal.append(draft(), expected_seq=2, recorded_at=ahead).recorded_at > late.recorded_at
    assert check(journal).findings == ()


def test_events_of_some_types_are_counted_from_and_up_to_a_seq(journal: Journal) -> None:
    append(journal, with_people("1", "2"))
    append(journal, draft(game(1), game(2), key="games"))
    append(journal, with_people("3"))
    people, results = PlayerRegistered.TYPE, "result.recorded"
    assert journal.count_of([people]) == 3
    assert journal.count_of([people, results]) == 5
    assert journal.count_of([people], after=1) == 2
    assert journal.count_of([people], after=1, upto=4) == 1
    assert journal.count_of([results], after=4) == 0
    assert journal.count_of([]) == 0
    assert [*journal.type_counts().items()] == [(people, 3), (results, 2)]
    assert journal.type_counts(after=1, upto=4) == {people: 1, results: 2}
    assert [*journal.type_counts(after=2).items()] == [(results, 2), (people, 1)], "as recorded"
    assert journal.type_counts(after=5) == {}
