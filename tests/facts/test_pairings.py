"""Columns say of every pairing what the events themselves say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import DatabaseError, VerificationFailed
from ledger.events import tournaments as to
from ledger.events.catalogue import CATALOGUE
from ledger.events.light import PAIRING_DECODERS
from ledger.events.model import Event
from ledger.facts.columns import NOBODY, Ending
from ledger.facts.pairings import PAIRING_TYPES, Pairings, pairings
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

Entry = tuple[int, str, int, str, str | None, int, int, Ending]


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


def read(given_: list[Event]) -> Pairings:
    return pairings(
        range(1, len(given_) + 1),
        [event.TYPE for event in given_],
        [event.VERSION for event in given_],
        [event.canonical() for event in given_],
    )


@given(given_=st.lists(events, max_size=20))
def test_columns_say_what_the_events_say(given_: list[Event]) -> None:
    found = read(given_)
    assert found.seq.tolist() == list(range(1, len(given_) + 1))
    rows = zip(
        found.supersedes.tolist(), found.tournament, found.round.tolist(), found.white,
        found.black, found.white_halves.tolist(), found.black_halves.tolist(),
        found.ending.tolist(), strict=True,
    )  # fmt: skip
    decoded = [CATALOGUE.decode(each.TYPE, each.VERSION, each.canonical()) for each in given_]
    assert list(rows) == [said(event) for event in decoded]


@given(given_=st.lists(events, max_size=5))
def test_ids_become_indexes(given_: list[Event]) -> None:
    found = read(given_)
    names = sorted({*found.tournament, *found.white, *(found.black)} - {None}, key=str)
    index = {str(name): at for at, name in enumerate(names)}
    tournament, white, black = found.indexed(index, index)
    assert [names[at] for at in tournament] == found.tournament
    assert [names[at] for at in white] == found.white
    assert [None if at == NOBODY else names[at] for at in black] == found.black


def test_every_event_of_a_pairing_is_read_in_every_version() -> None:
    every = {(model.TYPE, model.VERSION) for model in CATALOGUE.models()}
    assert {key for key in every if key[0] in PAIRING_TYPES} == set(PAIRING_DECODERS)
    # Everything with a round is about a pairing, but for who leaves after it.
    with_round = {model.TYPE for model in CATALOGUE.models() if "round" in model.model_fields}
    assert with_round == PAIRING_TYPES


def test_no_events_are_no_rows() -> None:
    assert read([]).ending.tolist() == []


GOOD = {"black": "b", "result": "1-0", "round": 1, "tournament": "t", "white": "w"}


@pytest.mark.parametrize(
    "payload",
    ["", "{}", "[]", json.dumps({**GOOD, "result": "2-0"}), json.dumps({**GOOD, "round": 0})],
)
def test_what_is_no_event_is_refused(payload: str) -> None:
    with pytest.raises(VerificationFailed):
        pairings([1], ["result.recorded"], [1], [payload])


def test_a_newer_version_is_refused() -> None:
    with pytest.raises(DatabaseError):
        pairings([1], ["result.recorded"], [9], [json.dumps(GOOD)])
