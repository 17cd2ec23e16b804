"""A column more that is shown changes no edition, no digest, no proof and no read model."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given

from ledger.answers.directory import RowsAsked
from ledger.answers.lists import regenerate, show
from ledger.lists import rating_list
from ledger.lists.rating_list import PUBLISHED, ListRow, ListRows, PublishedRows
from ledger.reports.list_marks import ListMarks, RowMark
from ledger.trust.verification import verify
from tests.differential.strategies import Federation, federations
from tests.differential.support import LIST, publish_month
from tests.laws.support import PERIODS, filled, law
from web.read_models.list_model import ListModel, write_list


@dataclasses.dataclass(frozen=True, slots=True)
class WiderRow(ListRow):
    """A row with a column that is shown and not published."""

    note: str


@dataclasses.dataclass(frozen=True)
class WiderRows(ListRows):
    """Rows of which the column says something else each time."""

    ROW: ClassVar[type[ListRow]] = WiderRow

    note: Sequence[str]


@contextmanager
def one_column_more() -> Iterator[None]:
    """Has every list shown with another column, which is not the same twice."""
    made = 0

    def wider(published: PublishedRows) -> WiderRows:
        nonlocal made
        made += 1
        return WiderRows(published, [f"{made}:{place}" for place in range(len(published))])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rating_list, "ListRows", wider)
        yield


@law(12)
@given(federations(most_players=9))
def test_a_shown_column_more_changes_nothing_that_is_published(federation: Federation) -> None:
    ledger = filled(federation)
    published = [publish_month(ledger, period).list for period in PERIODS]
    head = ledger.journal.head()
    with one_column_more():
        for period, before in zip(PERIODS, published, strict=True):
            again = publish_month(ledger, period)
            assert again.receipt is None
            made, failure = regenerate(ledger, LIST, period, 1)
            shown = show(ledger, LIST, period)
            for each in (again.list, made, shown):
                assert each.edition == 1
                assert each.document() == before.document()
                assert each.output_sha256() == before.output_sha256()
                assert each.ratings_sha256() == before.ratings_sha256()
            assert failure is None
            assert shown.rows != before.rows or not before.rows
            rows = shown.rows.data()
            assert [list(row) for row in rows] == [[*PUBLISHED, "note"]] * len(rows)
            assert shown.rows.sheet().splitlines()[0] == ",".join([*PUBLISHED, "note"])
            assert [dataclasses.asdict(row) for row in shown.rows[:2]] == rows[:2]
            assert shown.rows.at([0]).data() == rows[:1] if rows else not shown.rows
        assert not verify(ledger).findings
    assert ledger.journal.head() == head


def _unmarked(count: int) -> ListMarks:
    return ListMarks([RowMark()] * count, [None] * count)


@law(4)
@given(federations(most_players=9))
def test_a_read_model_is_written_and_read_all_the_same(federation: Federation) -> None:
    ledger = filled(federation)
    publish_month(ledger, PERIODS[0])
    before = show(ledger, LIST, PERIODS[0])
    with one_column_more(), tempfile.TemporaryDirectory() as folder:
        made = show(ledger, LIST, PERIODS[0])
        write_list(Path(folder, "list"), made, _unmarked(len(made.rows)))
        model = ListModel(Path(folder, "list"))
        page = model.page(RowsAsked(limit=1_000))
        model.close()
    assert page.rows.data() == before.rows.data()
    assert page.rows.published.table() == before.rows.published.table()


def test_what_is_published_stays() -> None:
    """The columns of the published bytes: a digest of every list that went out depends on them."""
    assert PUBLISHED == (
        "rank", "id", "name", "federation", "rating", "provisional", "games", "change", "k",
        "active",
    )  # fmt: skip
    assert tuple(field.name for field in dataclasses.fields(ListRow))[: len(PUBLISHED)] == PUBLISHED
