"""Columns say of every pairing what the events themselves say."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import DatabaseError, VerificationFailed
from ledger.events import fast
from ledger.events import tournaments as to
from ledger.events.catalogue import CATALOGUE
from ledger.events.fast import DECODERS, PAIRING_TYPES
from ledger.events.model import Event
from ledger.facts.blocks import black_halves_of, ending_of, white_halves_of
from ledger.facts.builder import FactsBuilder
from ledger.facts.columns import Ending
from ledger.facts.page_fold import FoldedPages, PageFold, folded
from ledger.facts.tournament import TournamentRecord
from ledger.identifiers import Seq
from ledger.journal.records import StoredRow, columns_of
from ledger.results import Bye, Result, Termination

BOARD = ["0-0", "1-0", "0-1", "1/2-1/2", "1/2-0", "0-1/2"]
SHORT = [f"{result}s" for result in BOARD]
ADJUDICATED = [f"{result}a" for result in (*BOARD, "1-1", "1-1/2", "1/2-1")]
FORFEITS = ["+/-", "-/+", "-/-"]
ANY = [*BOARD, *SHORT, *(f"{result}a" for result in BOARD), *FORFEITS]

ids = st.sampled_from(["1", "Núñez", 'a"b', "back\\slash", "two words", "😀", "<&'>"])
rounds, seqs = st.integers(1, 999), st.integers(1, 2**40)
pair = {"black": ids, "round": rounds, "tournament": ids, "white": ids}
events: st.SearchStrategy[Event] = st.one_of(
    st.builds(
        to.ResultRecorded,
        result=st.sampled_from([*BOARD, *SHORT]),
        supersedes=st.none() | seqs,
        **pair,
    ),
    st.builds(
        to.ForfeitRecorded,
        result=st.sampled_from(FORFEITS),
        supersedes=st.none() | seqs,
        **pair,
    ),
    st.builds(
        to.ByeGiven, kind=st.sampled_from(Bye), player=ids, round=rounds, tournament=ids
    ),
    st.builds(to.GameAdjourned, **pair),
    st.builds(
        to.GameAdjudicated,
        result=st.sampled_from(ADJUDICATED),
        ruling=st.sampled_from(["temporary", "definitive"]),
        supersedes=st.none() | seqs,
        **pair,
    ),
    st.builds(to.ResultCorrected, result=st.sampled_from(ANY), supersedes=seqs, **pair),
    st.builds(
        to.RatingResultCorrected,
        result=st.none() | st.sampled_from(ANY),
        supersedes=seqs,
        **pair,
    ),
    st.builds(to.ResultAnnulled, supersedes=seqs, **pair | {"black": st.none() | ids}),
)  # fmt: skip

others: st.SearchStrategy[Event] = st.one_of(
    st.builds(to.PlayerEntered, player=ids, starting_number=rounds, tournament=ids),
    st.builds(to.PlayerWithdrew, player=ids, from_round=rounds, tournament=ids),
    st.builds(to.TournamentClosed, tournament=ids),
)

Entry = tuple[Any, ...]


def said(event: Any) -> Entry:
    """What the event says: supersedes, tournament, round, white, black, half points, ending."""
    if isinstance(event, to.ByeGiven):
        halves = event.kind.halves
        return 0, event.tournament, event.round, event.player, None, halves, 0, Ending.BYE
    supersedes = 0 if isinstance(event, to.GameAdjourned) else event.supersedes or 0
    where = (supersedes, event.tournament, event.round, event.white, event.black)
    if isinstance(event, to.GameAdjourned):
        return *where, 0, 0, Ending.ADJOURNED
    if isinstance(event, to.ResultAnnulled):
        return *where, 0, 0, Ending.ANNULLED
    if event.result is None:
        return *where, 0, 0, Ending.NOT_FOR_RATING
    result = Result.parse(event.result)
    if isinstance(event, to.GameAdjudicated) and event.ruling == "temporary":
        return *where, *result.halves, Ending.TEMPORARY
    ending = {
        Termination.PLAYED: Ending.PLAYED,
        Termination.SHORT: Ending.SHORT,
        Termination.FORFEIT: Ending.FORFEIT,
        Termination.ADJUDICATED: Ending.ADJUDICATED,
    }[result.termination]
    return *where, *result.halves, ending


def rows_of(given_: list[Event]) -> list[StoredRow]:
    day = "2025-01-01"
    return [
        (Seq(seq), "", 1, event.TYPE, event.VERSION, day, event.stream, event.canonical(), "")
        for seq, event in enumerate(given_, start=1)
    ]


def read(page: FoldedPages) -> list[Entry]:
    """Returns what a page says of every pairing, with ids instead of places."""
    pairings, players = page.pairings, [*page.players, None]
    earlier = dict(
        zip(page.supersession.seq.tolist(), page.supersession.earlier.tolist(), strict=True)
    )
    halves = white_halves_of(pairings.code), black_halves_of(pairings.code)
    rows = zip(
        pairings.seq.tolist(), pairings.tournament.tolist(), pairings.round.tolist(),
        pairings.white.tolist(), pairings.black.tolist(), *(column.tolist() for column in halves),
        ending_of(pairings.code).tolist(), strict=True,
    )  # fmt: skip
    return [
        (
            earlier.get(seq, 0), page.tournaments[its], round_, players[white], players[black],
            *scores, Ending(ending),
        )
        for seq, its, round_, white, black, *scores, ending in rows
    ]  # fmt: skip


@given(given_=st.lists(events, min_size=1, max_size=20))
def test_columns_say_what_the_events_say(given_: list[Event]) -> None:
    page = folded(rows_of(given_))
    assert page.pairings.seq.tolist() == list(range(1, len(given_) + 1))
    decoded = [CATALOGUE.decode(each.TYPE, each.VERSION, each.canonical()) for each in given_]
    assert read(page) == [said(event) for event in decoded]


@given(given_=st.lists(events | others, min_size=1, max_size=20), size=st.integers(1, 20))
def test_pages_are_folded_alike_whatever_their_size(given_: list[Event], size: int) -> None:
    rows = rows_of(given_)
    fold = PageFold()
    for start in range(0, len(rows), size):
        show(fold, rows[start : start + size])
    in_pages, at_once = fold.made(), whole(rows).made()
    assert read(in_pages) == read(at_once)
    assert entered(in_pages) == entered(at_once)
    closings = [event for event in given_ if isinstance(event, to.TournamentClosed)]
    assert in_pages.others == at_once.others
    assert [other[4] for other in at_once.others] == [event.canonical() for event in closings]


def entered(page: FoldedPages) -> list[tuple[int, str, int]]:
    """Returns the runs of entries: seq of the first, tournament, how many."""
    runs = page.entered
    its = [page.tournaments[place] for place in runs.tournament.tolist()]
    return list(zip(runs.seq.tolist(), its, runs.count.tolist(), strict=True))


def show(fold: PageFold, rows: list[StoredRow]) -> None:
    structs = (fast.read(*row[3:5], row[7]) for row in rows)
    fold.page(columns_of(rows), [each for each in structs if each is not None])


def whole(rows: list[StoredRow]) -> PageFold:
    fold = PageFold()
    show(fold, rows)
    return fold


@given(given_=st.lists(events, min_size=1, max_size=5))
def test_a_fold_travels_as_bytes(given_: list[Event]) -> None:
    fold = whole(rows_of(given_))
    again, made = PageFold.unpacked(fold.packed()), fold.made()
    assert read(again) == read(made)
    assert (again.first_seq, again.last_seq, again.players) == (
        made.first_seq, made.last_seq, made.players,
    )  # fmt: skip


def test_every_event_of_a_pairing_is_read_in_every_version() -> None:
    every = {(model.TYPE, model.VERSION) for model in CATALOGUE.models()}
    entry = (to.PlayerEntered.TYPE, to.PlayerEntered.VERSION)
    assert {key for key in every if key[0] in PAIRING_TYPES} | {entry} == set(DECODERS)
    # Everything with a round says what a pairing is, but for what concerns the standings only.
    with_round = {
        model.TYPE
        for model in CATALOGUE.models()
        if "round" in model.model_fields and not issubclass(model, to.StandingsEvent)
    }
    assert with_round == PAIRING_TYPES


SAMPLES = json.loads((Path(__file__).parents[1] / "events" / "pinned.json").read_text("utf-8"))


@pytest.mark.parametrize("type_", sorted(PAIRING_TYPES))
def test_every_event_of_a_pairing_is_folded(type_: str) -> None:
    """By pages, and into the record of its tournament: neither fold forgets one."""
    payload = SAMPLES[f"{type_}/1"]["payload"]
    one = (Seq(1), "", 1, type_, 1, "2025-01-01", "", payload, "")
    assert len(folded([one]).pairings) == 1
    its = fast.read(type_, 1, payload)
    assert isinstance(its, fast.FastPairing)
    opened = CATALOGUE.decode("tournament.opened", 1, SAMPLES["tournament.opened/1"]["payload"])
    assert isinstance(opened, to.TournamentOpened)
    record = TournamentRecord(opened)
    game = {"black": "b", "result": "1-0", "round": its.round, "tournament": "t"}
    before = fast.read("result.recorded", 1, json.dumps({**game, "white": its.white}))
    assert before is not None
    record.take_round(Seq(1), before, dt.date(2025, 1, 1))
    there = dict(record.pairings)
    record.take_round(Seq(2), its, dt.date(2025, 1, 1))
    assert record.pairings != there


GOOD = {"black": "b", "result": "1-0", "round": 1, "tournament": "t", "white": "w"}


def row(version: int, payload: str) -> StoredRow:
    return Seq(1), "", 1, "result.recorded", version, "2025-01-01", "tournament:t", payload, ""


@pytest.mark.parametrize(
    "payload",
    ["", "{}", "[]", json.dumps({**GOOD, "result": "2-0"}), json.dumps({**GOOD, "round": 0})],
)
def test_what_is_no_event_is_refused(payload: str) -> None:
    with pytest.raises(VerificationFailed):
        folded([row(1, payload)])


def test_a_newer_version_is_refused() -> None:
    with pytest.raises(DatabaseError):
        FactsBuilder().take_pages([[row(9, json.dumps(GOOD))]])
