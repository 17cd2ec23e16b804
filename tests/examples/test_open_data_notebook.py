"""The notebook over open data, its cells executed by DuckDB: the figures are the ledger's own."""

from __future__ import annotations

import ast
import datetime as dt
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from ledger.answers.corrections import corrections
from ledger.answers.lists import show
from ledger.answers.tournaments import all_tournaments
from ledger.events.tournaments import RatingResultCorrected, ResultAnnulled, ResultCorrected
from ledger.intake.data_package import write_data_package
from ledger.lists.publications import publications
from ledger.operations import commands as c
from ledger.service.ledger import Ledger
from ledger.views.past import newest_of
from tests.cluster.federation import filled
from tests.ledgers import NOW, do
from tests.web.serving import in_thread
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

NOTEBOOK = Path(__file__).parents[2] / "examples" / "open_data.ipynb"
OF_RESULTS = {each.TYPE for each in (RatingResultCorrected, ResultAnnulled, ResultCorrected)}
LISTS = ("ENF", "LATE")
SHOWN = 10


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    made = filled()
    day = dt.date(2024, 1, 1)
    do(
        made,
        *(
            c.AffiliatePlayer(player=f"p{n}", club="Club", region=None, licensed_until=None, on=day)
            for n in (1, 2, 3)
        ),
    )
    return made


@pytest.fixture(scope="module")
def folder(ledger: Ledger, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("open")
    write_data_package(newest_of(ledger), folder, "Ratings", "CC-BY-4.0")
    return folder


@pytest.fixture(params=["site", "folder"])
def address(request: Any, ledger: Ledger, folder: Path, tmp_path: Path) -> Iterator[str]:
    """Where the data are: on a site that is served, or in a folder."""
    if request.param == "folder":
        yield folder.as_uri()
        return
    with in_thread(
        lambda origin: create_app(
            Site(ledger, WebSettings(ledger="", origin=origin, cache=tmp_path, data=folder))
        )
    ) as origin:
        yield f"{origin}/data"


def executed(address: str) -> list[Any]:
    """Executes the cells; returns what each shows, rows of a table."""
    names: dict[str, Any] = {}
    shown = []
    for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            text = "".join(cell["source"]).replace("http://127.0.0.1:8000/data", address)
            parsed = ast.parse(text)
            last = parsed.body.pop()
            assert isinstance(last, ast.Expr), "a cell shows something"
            exec(compile(parsed, NOTEBOOK, "exec"), names)  # noqa: S102 - it is ours
            value = eval(compile(ast.Expression(last.value), NOTEBOOK, "eval"), names)  # noqa: S307
            shown.append(value.fetchall() if hasattr(value, "fetchall") else value)
    return shown


def newest(ledger: Ledger, name: str) -> list[Any]:
    """Returns the last edition of each period of a list, as it was published."""
    last = {each.period: each.edition for each in publications(ledger.facts(), name)}
    return [show(ledger, name, period, edition=edition) for period, edition in sorted(last.items())]


def test_its_figures_are_the_ledgers_own(
    ledger: Ledger, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    about, strongest, averages, climbs, clubs, busiest, white, corrected = executed(address)
    assert about[:2] == ("Ratings", str(ledger.facts().seq))
    lists = {name: newest(ledger, name) for name in LISTS}
    assert strongest == [
        (name, row.rank, row.id, row.name, row.rating)
        for name in LISTS
        for row in lists[name][-1].rows
        if row.rank <= SHOWN
    ]
    rated = {
        name: [(made, row) for made in lists[name] for row in made.rows if not row.provisional]
        for name in LISTS
    }
    assert averages == [
        (
            name, 2024, pytest.approx(fmean(row.rating for _, row in rated[name])),
            len({row.id for _, row in rated[name]}),
        )
        for name in LISTS
    ]  # fmt: skip
    for name in LISTS:
        ways: dict[str, list[int]] = {}
        for _, row in rated[name]:
            ways.setdefault(row.id, []).append(row.rating)
        found = [
            (id_, was, now, climb) for list_, _, id_, was, now, climb in climbs if list_ == name
        ]
        largest = sorted(ways.items(), key=lambda each: (each[1][0] - each[1][-1], each[0]))
        assert found == [(id_, way[0], way[-1], way[-1] - way[0]) for id_, way in largest[:SHOWN]]
    games = played(ledger)
    sides = Counter(side for pairing in games for side in pairing[:2])
    assert [(id_, count) for id_, _, count in busiest] == sorted(
        sides.items(), key=lambda each: (-each[1], each[0])
    )[:SHOWN]
    assert clubs == [("Club", sum(sides[f"p{n}"] for n in (1, 2, 3)), 3)]
    scores = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
    over_the_board = [scores[result] for *_, result in games if result in scores]
    assert white == [(2024, len(over_the_board), pytest.approx(fmean(over_the_board)))]
    items = [item for each in corrections(ledger) for item in each.items if item.type in OF_RESULTS]
    assert [(year, kind, results) for year, kind, results, *_ in corrected] == [
        (NOW.year, kind, count) for kind, count in sorted(Counter(i.type for i in items).items())
    ]


def played(ledger: Ledger) -> list[tuple[str, str, str]]:
    """Returns white, black and result of every game, as the tournaments have them."""
    seq = ledger.facts().seq
    records = (ledger.tournament(each.tournament, seq) for each in all_tournaments(ledger))
    return [
        (pairing.white, pairing.black, str(pairing.result))
        for record in records
        if record is not None
        for pairing in record.each_pairing
        if pairing.black is not None and pairing.result is not None
    ]
