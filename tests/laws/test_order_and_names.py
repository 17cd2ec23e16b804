"""What must not matter: the order of games and documents, who is called what, and repetition."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.differential.strategies import Federation, federations, games_csv
from tests.differential.support import new_ledger, take
from tests.laws.support import PERIODS, filled, law, rows_of


@law(12)
@given(federations(most_players=10, corrections=(0, 0)), st.randoms(use_true_random=False))
def test_the_order_of_games_and_documents_does_not_matter(
    federation: Federation, chance: Random
) -> None:
    expected = rows_of(filled(federation))
    events = [
        replace(event, games=tuple(chance.sample(event.games, len(event.games))))
        for event in federation.events
    ]
    chance.shuffle(events)
    people = tuple(chance.sample(federation.people, len(federation.people)))
    ledger = new_ledger(federation.rules)
    take(ledger, replace(federation, people=people).players_csv(), seeds=True)
    for event in events:
        take(ledger, games_csv(event))
    assert rows_of(ledger) == expected


@law(12)
@given(federations(most_players=10, corrections=(0, 0)), st.data())
def test_other_ids_change_nothing_but_the_ids(federation: Federation, data: st.DataObject) -> None:
    ids = [person.id for person in federation.people]
    other = dict(zip(ids, data.draw(st.permutations(ids)), strict=True))
    events = tuple(
        replace(
            event,
            games=tuple(
                replace(game, white=other[game.white], black=other.get(game.black or ""))
                for game in event.games
            ),
        )
        for event in federation.events
    )
    people = tuple(replace(person, id=other[person.id]) for person in federation.people)
    renamed = rows_of(filled(replace(federation, people=people, events=events)))
    first = rows_of(filled(federation))
    for period in PERIODS:
        by_id = {
            row.id: (row.rating, row.provisional, row.games, row.change, row.k)
            for row in renamed[period]
        }
        assert by_id == {
            other[row.id]: (row.rating, row.provisional, row.games, row.change, row.k)
            for row in first[period]
        }
        shown = [(-row.rating, -row.games, row.name, row.id) for row in renamed[period]]
        assert shown == sorted(shown)


@law(12)
@given(federations(most_players=8, most_events=3, corrections=(0, 0)))
def test_a_document_taken_twice_adds_nothing(federation: Federation) -> None:
    ledger = filled(federation)
    head, rows = ledger.journal.head(), rows_of(ledger)
    assert not take(ledger, federation.players_csv(), seeds=True).events
    assert not take(ledger, games_csv(*federation.events)).events
    for event in reversed(federation.events):
        turned = replace(event, games=tuple(reversed(event.games)))
        assert not take(ledger, games_csv(turned)).events, "the same games in other bytes"
    assert ledger.journal.head() == head
    assert rows_of(ledger) == rows
