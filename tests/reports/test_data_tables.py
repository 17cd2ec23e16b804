"""Tables for other programs: the same figures as lists, statements and publications."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ledger.answers.lists import regenerate, show
from ledger.errors import NotFound
from ledger.exports.columns import batch
from ledger.intake.tables import Export, table_of
from ledger.lists.publications import publications
from ledger.lists.rating_list import PUBLISHED as LISTED
from ledger.rating.decimal_text import exact
from ledger.replay.replay import replay
from ledger.replay.timeline import Timeline, last_period
from ledger.service.ledger import Ledger
from tests.cluster.federation import LISTS, filled
from tests.ledgers import statements_of


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    return filled()


def rows(ledger: Ledger, export: Export, name: str) -> list[dict[str, Any]]:
    table = table_of(ledger, export, name)
    return [row for page in table.pages for row in batch(table.columns, page).to_pylist()]


def periods(ledger: Ledger, name: str) -> list[str]:
    facts = ledger.facts()
    outcomes = replay(Timeline.at_head(facts, name), last_period(facts, name))
    return [outcome.period.name for outcome in outcomes]


@pytest.mark.parametrize("name", LISTS)
def test_ratings_are_those_of_the_lists_as_known_now(ledger: Ledger, name: str) -> None:
    found = rows(ledger, Export.RATINGS, name)
    for period in periods(ledger, name):
        shown = show(ledger, name, period).rows
        assert {
            (row["player"], row["rating"] or 0, row["games"], row["k"], row["active"])
            for row in found
            if row["period"] == period
        } == {(row.id, row.rating, row.games, row.k, row.active) for row in shown}


@pytest.mark.parametrize("name", LISTS)
def test_postings_are_those_of_the_statements(ledger: Ledger, name: str) -> None:
    found = rows(ledger, Export.POSTINGS, name)
    assert found
    for period in periods(ledger, name):
        of_period = [row for row in found if row["period"] == period]
        statements = statements_of(ledger, name, period)
        for player in {row["player"] for row in of_period}:
            stated = statements[player].data()["postings"]
            assert [
                (row["seq"], row["tournament"], row["round"], row["opponent"],
                 row["opponent_rating"], row["difference"], row["k"],
                 exact(Fraction(row["score"], row["scale"])),
                 exact(Fraction(row["contribution"], row["units"])))
                for row in sorted(of_period, key=lambda row: row["seq"])
                if row["player"] == player
            ] == [
                (line["seq"], line["tournament"], line["round"], line["opponent"]["id"],
                 line["opponent_rating"], line["difference"], line["k"], line["score"],
                 line["contribution"])
                for line in sorted(stated, key=lambda line: line["seq"])
            ]  # fmt: skip


@pytest.mark.parametrize("name", ["ENF", "LATE"])
def test_the_rows_of_lists_are_those_that_were_published(ledger: Ledger, name: str) -> None:
    found = rows(ledger, Export.LISTS, name)
    published = publications(ledger.facts(), name)
    assert published
    for each in published:
        made, failure = regenerate(ledger, name, each.period, each.edition)
        assert failure is None
        assert [
            {column: row[column] for column in LISTED}
            for row in found
            if (row["period"], row["edition"]) == (each.period, each.edition)
        ] == made.rows.data()
    assert len(found) == sum(each.row_count for each in published)


@pytest.mark.parametrize("export", list(Export))
def test_a_list_that_is_not_there(ledger: Ledger, export: Export) -> None:
    with pytest.raises(NotFound):
        table_of(ledger, export, "X")


def test_pages_are_calculated_when_they_are_read(ledger: Ledger) -> None:
    pages = iter(table_of(ledger, Export.RATINGS, "ENF").pages)
    first = next(pages)
    assert np.asarray(first["games"]).sum() == sum(
        row.games for row in show(ledger, "ENF", periods(ledger, "ENF")[0]).rows
    )
