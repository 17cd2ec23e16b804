"""What every statement owes its reader: nothing missing, nothing over, and it adds up."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from hypothesis import given

from tests.differential.independent import Rules
from tests.differential.strategies import Federation, federations
from tests.differential.support import LIST
from tests.laws.support import PERIODS, correct_all, filled, law, statements
from tests.ledgers import games, import_text, ledger_of, statements_of


@law(12)
@given(federations(most_players=9, most_events=3))
def test_opening_and_contributions_and_rounding_make_the_closing(federation: Federation) -> None:
    ledger = filled(federation)
    correct_all(ledger, federation)
    for said in statements(ledger, federation):
        contributions = sum((line.contribution for line in said.postings), Fraction(0))
        assert said.change_exact == contributions
        assert abs(said.rounding) <= Fraction(1, 2)
        if said.opening is not None:
            assert said.opening + contributions + said.rounding == said.closing
        else:
            assert not said.postings


@law(12)
@given(federations(most_players=9, most_events=3))
def test_a_period_opens_where_the_one_before_closed(federation: Federation) -> None:
    ledger = filled(federation)
    told = [statements_of(ledger, LIST, period) for period in PERIODS]
    for person in federation.people:
        said = [of_period[person.id] for of_period in told]
        assert said[0].opening == person.rating
        for before, after in pairwise(said):
            assert after.opening == before.closing


def test_games_stand_in_one_order_whatever_was_recorded_first() -> None:
    ledger = ledger_of("11,1800,,50", "12,1700,,50")
    for name in ("Zonal", "Abierto"):
        import_text(ledger, games(name, "2,,12,11,0-1", "1,,11,12,1-0"))
    statement = statements_of(ledger, "ENF", "2010-07")["11"]
    order = [(line.tournament, line.round) for line in statement.postings]
    assert order == [("Abierto", 1), ("Abierto", 2), ("Zonal", 1), ("Zonal", 2)]
    assert [*statement.lines] == [*statement.postings]


@law(12)
@given(federations(most_players=9, most_events=3, corrections=(0, 0)))
def test_every_game_is_posted_or_excluded_or_in_a_newcomers_result(federation: Federation) -> None:
    ledger = filled(federation)
    for period in PERIODS:
        year, month = (int(part) for part in period.split("-"))
        due: Counter[tuple[str, str, int]] = Counter()
        for event in federation.events:
            if (event.ends_on.year, event.ends_on.month) == (year, month):
                for game in event.games:
                    due.update(
                        (who, event.id, game.round) for who in (game.white, game.black) if who
                    )
        told: Counter[tuple[str, str, int]] = Counter()
        met: Counter[tuple[str, str]] = Counter()
        statements = statements_of(ledger, LIST, period)
        for person in federation.people:
            said = statements[person.id]
            told.update((person.id, line.tournament, line.round) for line in said.postings)
            told.update((person.id, line.tournament, line.round) for line in said.excluded)
            for line in (*(said.bucket or ()), *said.not_computable):
                if line.period == period:
                    met[person.id, line.tournament] += line.games
        assert not told - due
        rest: Counter[tuple[str, str]] = Counter()
        for (who, tournament, _), times in (due - told).items():
            rest[who, tournament] += times
        assert not rest - met


@law(12)
@given(federations(most_players=9, most_events=3, corrections=(0, 0), all_rated=True))
def test_among_equals_in_k_what_one_gains_the_other_loses(federation: Federation) -> None:
    people = tuple(replace(person, k=15) for person in federation.people)
    for rules in (Rules(), Rules(difference_rule=350)):
        ledger = filled(replace(federation, people=people, rules=rules))
        total: dict[int, Fraction] = defaultdict(Fraction)
        score: dict[int, Fraction] = defaultdict(Fraction)
        for said in statements(ledger, federation):
            for line in said.postings:
                total[line.seq] += line.contribution
                score[line.seq] += line.score
        assert all(not total[game] for game in total if score[game] == 1)
