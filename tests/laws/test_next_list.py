"""The policy *next-list*: published lists stand, and what they owe is paid in the next one."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from hypothesis import given

from ledger.answers.lists import regenerate, show
from ledger.regulations.interface import Regulation
from ledger.reports.statement import Statement
from ledger.service.ledger import Ledger
from tests.differential.strategies import Federation, federations, games_csv
from tests.differential.support import LIST, publish_month
from tests.laws.support import PERIODS, correct_all, correct_one, filled, law
from tests.laws.test_every_regulation import Settings, every, rate_of, recorded, worlds
from tests.ledgers import define, empty_ledger, import_text, statements_of


def _publish(ledger: Ledger, period: str) -> bytes:
    made = publish_month(ledger, period)
    assert made.receipt is not None
    return made.list.document()


@law(12)
@given(federations(most_players=9, corrections=(1, 4)))
def test_published_lists_stand(federation: Federation) -> None:
    ledger = filled(federation, policy="next-list")
    published = {PERIODS[0]: _publish(ledger, PERIODS[0])}
    correct_all(ledger, federation)
    published[PERIODS[1]] = _publish(ledger, PERIODS[1])
    for period, document in published.items():
        made, failure = regenerate(ledger, LIST, period, 1)
        assert failure is None
        assert made.document() == document
        assert show(ledger, LIST, period).rows == made.rows


@law(12)
@given(federations(most_players=9, corrections=(1, 4)))
def test_statements_with_credits_balance(federation: Federation) -> None:
    ledger = filled(federation, policy="next-list")
    for place, period in enumerate(PERIODS):
        _publish(ledger, period)
        if place < len(federation.corrections):
            correct_one(ledger, federation, place)
    told = [statements_of(ledger, LIST, period) for period in PERIODS]
    for person in federation.people:
        last = person.rating
        for of_period in told:
            said = of_period[person.id]
            assert said.opening == last
            last = said.closing
            if said.opening is not None:
                paid = sum(line.credit for line in said.credits)
                exact = sum(line.contribution for line in said.postings)
                assert said.opening + exact + said.rounding + paid == said.closing


@law(12)
@given(federations(most_players=9, corrections=(1, 4), all_rated=True))
def test_all_that_is_credited_is_all_that_was_due(federation: Federation) -> None:
    """Whenever the corrections come: July is paid what July would have been worth."""
    ledger = filled(federation, policy="next-list")
    half = len(federation.corrections) // 2
    for place, period in enumerate(PERIODS):
        _publish(ledger, period)
        wanted = (range(half), range(half, len(federation.corrections)), range(0))[place]
        for correction in wanted:
            correct_one(ledger, federation, correction)
    told = [statements_of(ledger, LIST, period) for period in PERIODS]
    in_time = statements_of(filled(federation, federation.corrected()), LIST, PERIODS[0])
    for person in federation.people:
        credited: dict[str | None, Fraction] = defaultdict(Fraction)
        for of_period in told:
            for line in of_period[person.id].credits:
                credited[line.period] += line.credit
                assert sum(game.points for game in line.games) + line.lifted == line.credit
        given_, due = told[0][person.id], in_time[person.id]
        was_worth, is_worth = (said.change_exact + said.lifted for said in (given_, due))
        assert was_worth + credited[PERIODS[0]] == is_worth
        assert not credited[None]


def _begun(
    regulation: type[Regulation],
    federation: Federation,
    settings: Settings,
    policy: Literal["restate", "next-list"] = "next-list",
) -> Ledger:
    ledger = empty_ledger()
    define(ledger, LIST, regulation=regulation.ID, parameters=settings, policy=policy)
    import_text(ledger, federation.players_csv(), list_=LIST)
    return ledger


@every
def test_with_nothing_late_both_policies_give_the_same(regulation: type[Regulation]) -> None:
    @law(2)
    @given(worlds(regulation))
    def holds(world: tuple[Federation, Settings]) -> None:
        federation, settings = world
        ledger = _begun(regulation, federation, settings)
        for period in PERIODS:
            due = [e for e in federation.events if f"{e.ends_on:%Y-%m}" == period]
            if due:
                import_text(ledger, games_csv(*due))
            _publish(ledger, period)
        restated = recorded(regulation, federation, settings)
        for period in PERIODS:
            assert show(ledger, LIST, period).rows == show(restated, LIST, period).rows

    holds()


@every
def test_late_events_are_credited_with_all_they_are_worth(regulation: type[Regulation]) -> None:
    """Whatever comes late, the lists together give what July alone would have given in time."""

    @law(2)
    @given(federations(most_players=7, most_events=3, all_rated=True))
    def holds(drawn: Federation) -> None:
        rate = rate_of(regulation).value
        july = dt.date(2010, 7, 20)
        events = tuple(
            replace(e, rate_of_play=rate, starts_on=july, ends_on=july) for e in drawn.events
        )
        federation = replace(drawn, events=events)
        # However late a report is, here it counts.
        settings: Settings = {
            name: 0 for name in regulation.PARAMETERS.model_fields if name == "report_within_lists"
        }
        ledger = _begun(regulation, federation, settings)
        for place, period in enumerate(PERIODS):
            _publish(ledger, period)
            for event in events[place : place + 1] if place < len(PERIODS) - 1 else events[place:]:
                import_text(ledger, games_csv(event))
        told = [statements_of(ledger, LIST, period) for period in (*PERIODS, "2010-10")]
        in_time = statements_of(recorded(regulation, federation, settings), LIST, PERIODS[0])
        for person in federation.people:
            said = [of_period[person.id] for of_period in told]
            if any(each.removed for each in said):
                continue  # below the floor meanwhile: the rating is given back whole, not credited
            given_ = sum((line.credit for each in said for line in each.credits), Fraction(0))
            assert given_ == _worth(regulation, in_time[person.id])
            for each in said:
                for line in each.credits:
                    assert regulation.EVENT_BY_EVENT or not line.rounding

    holds()


def _worth(regulation: type[Regulation], due: Statement) -> Fraction:
    """What the games of a period are worth: rounded only where every event is, by itself."""
    exact = due.change_exact + due.lifted
    return exact + due.rounding if regulation.EVENT_BY_EVENT else exact


@law(6)
@given(federations(most_players=9, corrections=(1, 4)))
def test_asked_along_the_way_or_anew_it_is_the_same(federation: Federation) -> None:
    ledger = filled(federation, policy="next-list")
    for place, period in enumerate(PERIODS):
        _publish(ledger, period)
        if place < len(federation.corrections):
            correct_one(ledger, federation, place)
        anew = empty_ledger(ledger.journal)
        for each in PERIODS:
            assert show(ledger, LIST, each).rows == show(anew, LIST, each).rows
