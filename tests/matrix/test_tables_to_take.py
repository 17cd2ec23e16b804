"""Tables to take along × formats: CSV and XLSX of one table have the same columns, in one order.

Every route of the site that gives a table for a spreadsheet is asked for both. A new one that is
in ``ADDRESSES`` for one format alone, or not at all, fails.
"""

from __future__ import annotations

import csv
import io
from typing import Final

import pytest
import python_calamine
from fastapi.testclient import TestClient

from ledger.forms.lists import SHEET
from ledger.lists.rating_list import ListRow
from ledger.reports.list_marks import RowMark
from ledger.service.ledger import Ledger
from ledger.wording import LANGUAGES, Message
from tests.matrix.states import make_history
from tests.web.access_table import routes
from tests.web.conftest import ORIGIN
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

FORMATS: Final = ("csv", "xlsx")
ADDRESSES: Final = {
    "/lists/{name}/{period}/{form}": (
        "/lists/ENF/2010-07/{form}",
        "/lists/ENF/2010-07/{form}?recalculated=true",
        "/lists/ENF/2010-08/{form}?q=A",
        "/lists/ENF/2010-07/{form}?federation=ZZZ",
    ),
    "/tournaments/{tournament:path}/standings.{form}": (
        "/tournaments/T1/standings.{form}",
        "/tournaments/desk/standings.{form}",
    ),
}
"""By the path of a route, what is asked of it. All data of a ledger is not here: both formats of
``/data`` are written from one table."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    folder = tmp_path_factory.mktemp("site")
    history = make_history()
    ledger = Ledger(history.parts["corrected"], clock=history.clock)
    app = create_app(Site(ledger, WebSettings(ledger="", origin=ORIGIN, cache=folder)))
    return TestClient(app, ORIGIN)


def test_every_route_of_a_spreadsheet_is_asked() -> None:
    endings = tuple(f"/{form}" for form in FORMATS)
    paths = {path for method, path in routes() if method == "GET"}
    forms = {f"{path.rpartition('/')[0]}/{{form}}" for path in paths if path.endswith(endings)}
    assert forms | {path for path in paths if path.endswith(".{form}")} == set(ADDRESSES)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("address", [each for of in ADDRESSES.values() for each in of])
def test_both_formats_have_the_same_table(site: TestClient, address: str, lang: str) -> None:
    answers = {
        form: site.get(address.format(form=form), headers={"accept-language": lang})
        for form in FORMATS
    }
    assert {answer.status_code for answer in answers.values()} == {200}
    titles, *lines = csv.reader(io.StringIO(answers["csv"].text))
    book = python_calamine.load_workbook(io.BytesIO(answers["xlsx"].content))
    heads, *rows = book.get_sheet_by_index(0).to_python()
    if address.startswith("/lists/"):
        assert titles == [column.name for column in SHEET]
        titles = [Message.of(f"column.{name}").within(lang) for name in titles]
    heads = heads[: len(titles)]
    assert heads == titles
    words = {"yes": True, "no": False, "0": ""}  # a player without a rating has 0 in CSV alone
    assert len(rows) == len(lines)
    for row, line in zip(rows, lines, strict=True):
        for cell, word in zip(row, line, strict=False):
            assert str(cell).removesuffix(".0") in (word, str(words.get(word, word))), (row, line)


def test_a_list_has_every_column_that_is_shown() -> None:
    shown = [each.name for each in SHEET]
    assert shown[: len(ListRow.__slots__)] == list(ListRow.__slots__)
    beside = {"born": "birth_date"}
    assert shown[len(ListRow.__slots__) :] == [
        beside.get(name, name) for name in RowMark.__slots__ if name != "recent"
    ]
