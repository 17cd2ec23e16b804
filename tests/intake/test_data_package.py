"""Open data as files that describe themselves: what is in them, and what is not."""

from __future__ import annotations

import csv
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ledger.errors import InputRefused, NotFound
from ledger.intake.data_package import DESCRIPTION, read_data_package, write_data_package
from ledger.operations.players import ErasePlayer
from ledger.service.erasures import erase_player
from ledger.service.ledger import Ledger
from ledger.views.past import newest_of
from tests.ledgers import NOW, empty_ledger, games, import_text, request, with_july_published


@pytest.fixture
def ledger() -> Ledger:
    return with_july_published()


def described(folder: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((folder / DESCRIPTION).read_text("utf-8"))
    return data


def test_every_file_is_what_the_package_says(ledger: Ledger, tmp_path: Path) -> None:
    folder = tmp_path / "open"
    package = write_data_package(newest_of(ledger), folder, "Ratings", "CC-BY-4.0")
    assert read_data_package(folder) == package
    assert {each.name for each in folder.iterdir()} == {
        DESCRIPTION, *(each.path for each in package.resources),
    }  # fmt: skip
    assert (package.seq, package.root) == (ledger.facts().seq, ledger.journal.head().root)
    for each in package.resources:
        data = (folder / each.path).read_bytes()
        assert (len(data), sha256(data).hexdigest()) == (each.bytes, each.sha256)
        if each.format == "parquet":
            assert pq.read_table(folder / each.path).num_rows == each.rows
        else:
            header, *rows = csv.reader(data.decode().splitlines())
            assert len(rows) == each.rows
            (said,) = (one for one in described(folder)["resources"] if one["name"] == each.name)
            assert [field["name"] for field in said["schema"]["fields"]] == header


def test_the_same_state_gives_the_same_bytes(ledger: Ledger, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second, second):
        write_data_package(newest_of(ledger), folder, "Ratings", "CC-BY-4.0")
    for file in first.iterdir():
        assert file.read_bytes() == (second / file.name).read_bytes()


def test_files_of_the_state_before_go(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    before = write_data_package(newest_of(ledger), tmp_path, "Ratings", "CC-BY-4.0")
    import_text(ledger, games("V", "1,,A,B,0-1", day="2010-08-12"))
    package = write_data_package(newest_of(ledger), tmp_path, "Ratings", "Our own")
    assert {each.name for each in tmp_path.iterdir()} == {
        DESCRIPTION, "notes.txt", *(each.path for each in package.resources),
    }  # fmt: skip
    assert not {each.path for each in before.resources} & {each.path for each in package.resources}
    assert described(tmp_path)["licenses"] == [{"name": "Our own", "title": "Our own"}]


def test_who_is_erased_has_no_name_in_it(ledger: Ledger, tmp_path: Path) -> None:
    import_text(
        ledger,
        'id,name,federation,sex,birth_date,rating,k,games\nZ,"Zapata, Luz",,w,1990-05-17,,,\n',
    )
    import_text(ledger, games("V", "1,,Z,B,0-1", day="2010-08-12"))
    erase_player(ledger, ErasePlayer(player="Z", on=NOW.date()), request())
    write_data_package(newest_of(ledger), tmp_path, "Ratings", "CC-BY-4.0")
    texts = [each.read_bytes() for each in tmp_path.iterdir() if each.suffix != ".parquet"]
    assert not any(word in text for text in texts for word in (b"Zapata", b"1990", b"05-17"))
    assert any(b'"Z"' in text for text in texts)


def test_what_is_no_package_is_refused(ledger: Ledger, tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="nothing is recorded yet"):
        write_data_package(newest_of(empty_ledger()), tmp_path, "Ratings", "CC-BY-4.0")
    assert read_data_package(tmp_path) is None
    package = write_data_package(newest_of(ledger), tmp_path, "Ratings", "CC-BY-4.0")
    with pytest.raises(NotFound, match="no file secret"):
        package.resource("secret")
    outside = (tmp_path / DESCRIPTION).read_text().replace(package.resources[0].path, "../secret")
    for text in ("{}", "[", outside):
        (tmp_path / DESCRIPTION).write_text(text)
        with pytest.raises(InputRefused, match="does not describe open data"):
            read_data_package(tmp_path)
