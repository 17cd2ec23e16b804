from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.histories import (
    FIRST_ID,
    History,
    columns_of,
    documents,
    skew,
    write_history,
)
from benchmarks.plan import SIZES
from benchmarks.works import LIST
from ledger.facts.as_of import AsOf
from ledger.facts.blocks import ending_of, white_halves_of
from ledger.facts.columns import Ending
from ledger.intake.imports import Document, import_document
from ledger.service.ledger import Request
from tests.ledgers import define, empty_ledger

TINY = SIZES["tiny"]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    write_history(SIZES["small"], 1, folder)
    return folder


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("again", 1), ("other", 2)):
        write_history(TINY, seed, tmp_path / name)
    assert _bytes(tmp_path / "one") == _bytes(tmp_path / "again")
    one, other = _bytes(tmp_path / "one"), _bytes(tmp_path / "other")
    assert one["games-2014-01.csv"] != other["games-2014-01.csv"]
    assert one["players.csv"] != other["players.csv"]


def test_a_history_is_of_its_size_and_shape(small: Path) -> None:
    history, size = History.read(small), SIZES["small"]
    assert size.games <= history.games <= size.games * 1.05
    assert history.forfeits > 0
    assert history.byes > 0
    assert history.corrections > 0
    columns = columns_of(small)
    assert set(np.unique(columns["month"])) == set(range(size.months))
    assert len(columns["white"]) == history.games - history.forfeits
    assert 0.2 < float((columns["halves"] == 1).mean()) < 0.5
    assert skew(small) > 0.25, "a tenth of the players sit at far more than a tenth of the boards"
    assert set(history.targets) == {"one-year", "ten-years", "newest"}


def test_players_meet_others_of_their_strength(small: Path) -> None:
    rating = np.zeros(SIZES["small"].players, dtype=np.int64)
    for line in (small / "players.csv").read_text(encoding="utf-8").splitlines()[1:]:
        cells = line.split(",")
        rating[int(cells[0]) - FIRST_ID] = int(cells[-3] or 0)
    columns = columns_of(small)
    white, black = rating[columns["white"]], rating[columns["black"]]
    apart = np.abs(white - black)[(white > 0) & (black > 0)]
    anybody = np.abs(np.subtract.outer(rating[rating > 0], rating[rating > 0]))
    assert apart.mean() < 0.75 * anybody.mean()


def test_it_imports_without_a_refusal_and_says_what_its_columns_say(small: Path) -> None:
    ledger = empty_ledger()
    define(ledger, LIST, first_on=History.read(small).day)
    asked = Request("tester", "test", "", "")
    players = (small / "players.csv").read_bytes()
    import_document(ledger, Document(name="players.csv", data=players, list=LIST), asked)
    for path, correction in documents(small):
        data = path.read_bytes()
        document = Document(name=path.name, data=data, as_correction=correction, partial=correction)
        assert import_document(ledger, document, asked).events
    facts = ledger.facts()
    games = AsOf(facts, facts.seq).games()
    played = ending_of(games.code) == Ending.PLAYED
    columns = columns_of(small)
    assert int(played.sum()) == len(columns["halves"])
    for halves in (0, 1, 2):
        found = int((white_halves_of(games.code)[played] == halves).sum())
        assert found == int((columns["halves"] == halves).sum())
