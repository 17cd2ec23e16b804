"""What a correction does, and what it never touches."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from ledger.answers.lists import regenerate, show
from ledger.answers.player_questions import why_of
from ledger.reports.why import Cause
from ledger.trust.verification import verify
from ledger.views.past import PastLedger
from tests.differential.independent import Event
from tests.differential.strategies import Federation, federations, games_csv
from tests.differential.support import LIST, publish_month, take
from tests.laws.support import PERIODS, correct_all, correct_one, filled, law, rows_of


@law(12)
@given(federations(most_players=10, corrections=(1, 5)))
def test_a_corrected_ledger_shows_what_one_that_was_right_at_first_shows(
    federation: Federation,
) -> None:
    ledger = filled(federation)
    correct_all(ledger, federation)
    assert rows_of(ledger) == rows_of(filled(federation, federation.corrected()))


@law(12)
@given(federations(most_players=10, corrections=(1, 5)))
def test_a_document_as_correction_does_what_single_corrections_do(federation: Federation) -> None:
    ledger = filled(federation)
    take(ledger, games_csv(*federation.corrected()), as_correction=True)
    assert rows_of(ledger) == rows_of(filled(federation, federation.corrected()))


@law(12)
@given(federations(most_players=10), st.data())
def test_a_document_as_correction_is_the_whole_report(
    federation: Federation, data: st.DataObject
) -> None:
    def without_some(event: Event) -> Event:
        kept = data.draw(st.sets(st.sampled_from(event.games), min_size=1))
        return replace(event, games=tuple(game for game in event.games if game in kept))

    right = [without_some(event) for event in federation.events]
    ledger = filled(federation)
    take(ledger, games_csv(*right), as_correction=True, partial=True)
    assert rows_of(ledger) == rows_of(filled(federation))
    take(ledger, games_csv(*right), as_correction=True)
    assert rows_of(ledger) == rows_of(filled(federation, right))
    assert take(ledger, games_csv(*right), as_correction=True).events == ()


@law(12)
@given(federations(most_players=8, most_events=3, corrections=(1, 3)))
def test_what_was_known_at_a_seq_stays_known(federation: Federation) -> None:
    ledger = filled(federation, federation.events[:1])
    shown = {}

    def note() -> None:
        seq = ledger.journal.head().seq
        for period in PERIODS:
            shown[seq, period] = show(ledger, LIST, period).document()

    note()
    for event in federation.events[1:]:
        take(ledger, games_csv(event))
        note()
    for place in range(len(federation.corrections)):
        correct_one(ledger, federation, place)
        note()
    for (seq, period), document in shown.items():
        assert show(PastLedger(ledger, seq), LIST, period).document() == document


@law(12)
@given(federations(most_players=8, most_events=3, corrections=(1, 3)))
def test_every_edition_comes_out_again_byte_for_byte(federation: Federation) -> None:
    ledger = filled(federation)
    published: dict[tuple[str, int | None], bytes] = {}

    def publish_all() -> None:
        for period in PERIODS:
            made = publish_month(ledger, period).list
            document = published.setdefault((period, made.edition), made.document())
            assert document == made.document()

    publish_all()
    for place in range(len(federation.corrections)):
        correct_one(ledger, federation, place)
        publish_all()
    for (period, edition), document in published.items():
        made, failure = regenerate(ledger, LIST, period, edition)
        assert failure is None
        assert made.document() == document
        assert show(ledger, LIST, period, edition=edition).document() == document
    assert not verify(ledger).findings


@law(8)
@given(federations(most_players=8, most_events=3, corrections=(1, 3)))
def test_the_causes_sum_to_the_difference(federation: Federation) -> None:
    ledger = filled(federation)
    ratings: dict[tuple[str, int | None], dict[str, int]] = {}
    for correction in (None, *range(len(federation.corrections))):
        if correction is not None:
            correct_one(ledger, federation, correction)
        for period in PERIODS:
            made = publish_month(ledger, period).list
            ratings[period, made.edition] = {row.id: row.rating for row in made.rows}
    for before, after in product(sorted(ratings, key=str), repeat=2):
        if before[0] > after[0]:
            continue
        for person in federation.people:
            told = why_of(ledger, person.id, LIST, before, after)
            rating = [ratings[which].get(person.id, 0) for which in (before, after)]
            assert [told.before, told.after] == rating
            assert sum(told.totals().values()) == rating[1] - rating[0]
            assert Cause.ADJUSTMENTS not in told.totals(), "nothing was adjusted"
            assert abs(told.totals().get(Cause.ROUNDING, Fraction(0))) <= len(PERIODS)
            if before == after:
                assert not told.parts
