"""Statements that were written into a file are those that the application gives."""

from __future__ import annotations

import datetime as dt
from contextlib import suppress
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal
from unittest.mock import patch

import pytest
from hypothesis import event as said
from hypothesis import example, given
from hypothesis import strategies as st

from ledger.answers.player_questions import explain
from ledger.errors import LedgerError
from ledger.journal.stores.memory import MemoryJournal
from ledger.lists.publications import publications
from ledger.regulations.interface import Regulation
from ledger.replay.timeline import Timeline
from ledger.service.ledger import Ledger
from ledger.views.outcomes import KeptOutcomes
from ledger.views.past import newest_of
from tests.differential.strategies import Federation, federations
from tests.differential.support import LIST, publish_month
from tests.laws.histories import REGULATIONS, History
from tests.laws.support import PERIODS, correct_one, filled, law
from tests.laws.test_every_regulation import Settings, every, recorded, worlds
from tests.laws.test_why import oddly_corrected
from tests.ledgers import publish_period
from tests.web.test_read_models import store_of, view_of
from web.read_models import builder
from web.read_models.answers import statement_of
from web.read_models.builder import list_key


def hold_statements_against_the_application(ledger: Ledger) -> None:
    """Compares everybody's statements, of each edition and as known now, with those of models."""
    newest = newest_of(ledger)
    editions = [(each.period, each.edition) for each in publications(ledger.facts(), LIST)]
    with TemporaryDirectory() as folder, patch.object(builder, "_AT_ONCE", 0):
        store, view = store_of(Path(folder)), view_of(ledger)
        for period, edition in [*editions, *((period, None) for period in PERIODS)]:
            for player in ledger.facts().player_ids:
                made = statement_of(store, view, player, LIST, period, edition)
                assert made == explain(newest, player, LIST, period, edition=edition)
        asked = [*editions, *((period, None) for period in PERIODS)]
        lists = {list_key(newest, LIST, *which) for which in asked}
        assert len(list(Path(folder).rglob("*.entry"))) == len(lists)


@law(6)
@given(federations(most_players=9, corrections=(0, 3)), st.sampled_from(["restate", "next-list"]))
def test_a_statement_that_was_kept_is_the_one_that_is_calculated(
    federation: Federation, policy: str
) -> None:
    ledger = filled(federation, policy="restate" if policy == "restate" else "next-list")
    for place, period in enumerate(PERIODS):
        publish_month(ledger, period)
        if place < len(federation.corrections):
            correct_one(ledger, federation, place)
    hold_statements_against_the_application(ledger)


@pytest.mark.parametrize("policy", ["restate", "next-list"])
@law(12)
@given(regulation=st.sampled_from(REGULATIONS), seed=st.integers(0, 2**32))
@example(regulation="fide-standard", seed=894653)  # one player below the floor, one never rated
def test_a_model_is_right_whatever_is_recorded_while_it_is_found(
    regulation: str, policy: Literal["restate", "next-list"], seed: int
) -> None:
    history = History.begun(MemoryJournal(), regulation, seed, policy)
    ledger, chance = history.ledger, history.chance
    until = history.first + dt.timedelta(days=300)
    periods = Timeline.at_head(ledger.facts(), LIST).periods(until)
    asked = [period.name for period in chance.sample(periods, 3)]
    with TemporaryDirectory() as folder, patch.object(builder, "_AT_ONCE", 0):
        store = store_of(Path(folder))
        for _ in range(8):
            chance.choice((history.learn, partial(oddly_corrected, history), lambda: None))()
            if chance.randrange(3) == 0:
                with suppress(LedgerError):  # where published lists stand there is no second one
                    publish_period(ledger, chance.choice(periods[:-1]).name, LIST)
            ledger.calculated = KeptOutcomes(len(asked))
            view, newest = view_of(ledger), newest_of(ledger)
            for player, period in product(ledger.facts().player_ids, asked):
                made = statement_of(store, view, player, LIST, period, None)
                assert made == explain(newest, player, LIST, period)
        said(f"{len(list(Path(folder).rglob('*.model')))} models")


@every
def test_of_every_regulation(regulation: type[Regulation]) -> None:
    @law(2)
    @given(worlds(regulation))
    def holds(world: tuple[Federation, Settings]) -> None:
        ledger = recorded(regulation, *world)
        publish_month(ledger, PERIODS[-1])
        hold_statements_against_the_application(ledger)

    holds()
