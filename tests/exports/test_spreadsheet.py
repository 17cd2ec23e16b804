"""What spreadsheets execute: shown as text where people open it, recorded and hashed as it is."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from operator import add
from pathlib import Path
from typing import Any

import pytest

from ledger.exports.columns import as_text, is_formula
from ledger.forms.lists import sheet_columns
from ledger.intake.imports import Document, import_document
from ledger.lists.rating_list import PUBLISHED, ListRows, PublishedRows, sheet_text
from ledger.reports.list_marks import RowMark
from ledger.service.ledger import Ledger
from tests.cli.running import begin_ledger, run_here
from tests.intake.trf.writing import GOOD
from tests.ledgers import GAMES_HEADER, PLAYERS_HEADER, empty_ledger, import_text, request

FORMULA = "=HYPERLINK(0)"
PLAYERS = PLAYERS_HEADER + f'A,"{FORMULA}",CHI,,,1500,,20\nB,Berta,CHI,,,1600,,20\n'


@pytest.mark.parametrize("text", ["=1+1", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1",
                                  "\r=1", "-", "+/-", "-1,2,3", "+٣"])  # fmt: skip
def test_a_formula_gets_an_apostrophe(text: str) -> None:
    assert is_formula(text)
    assert as_text(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "-3.5", "+12", "-0,5", "-8531/6", "Ana", "1-0", " =1", "'=1"])
def test_everything_else_stays(text: str) -> None:
    assert as_text(text) == text


def rows(**values: object) -> ListRows:
    row = dict.fromkeys(PUBLISHED, 0) | {"change": -4, "federation": None} | values
    columns: dict[str, Any] = {name: [value] for name, value in row.items()}
    return ListRows(PublishedRows(**columns))


def test_a_sheet_differs_from_the_digested_table_in_formulas_and_marks_only() -> None:
    harmless, harmful = rows(id="A", name="Ana"), rows(id="-A", name=FORMULA)
    assert harmless.sheet() == harmless.published.table()
    assert harmful.published.table().splitlines()[1] == f"0,-A,{FORMULA},,0,no,0,-4,0,no"
    assert harmful.sheet().splitlines()[1] == f"0,'-A,'{FORMULA},,0,no,0,-4,0,no"
    marked = sheet_text(sheet_columns(harmful, [RowMark("GM", FORMULA, 1980)]))
    ends = (",title,club,birth_date", f",GM,'{FORMULA},1980")
    assert marked.splitlines() == list(map(add, harmful.sheet().splitlines(), ends))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a ledger in which a player of a published list is called by a formula."""
    monkeypatch.chdir(tmp_path)
    Path("players.csv").write_text(PLAYERS, encoding="utf-8")
    return begin_ledger(
        tmp_path,
        ("publish", "ENF", "2010-07"),
    )


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "words",
    [
        ("list", "show", "ENF"),
        ("live", "ENF"),
        ("player", "show", "A"),
        ("list", "regenerate", "ENF", "2010-07"),
    ],
)
def test_no_csv_for_people_holds_a_formula(words: tuple[str, ...]) -> None:
    rows_ = csv.reader(io.StringIO(run_here(*words, "--format", "csv").out))
    cells = [cell for row in rows_ for cell in row]
    assert f"'{FORMULA}" in cells
    assert not any(map(is_formula, cells))


@pytest.mark.usefixtures("here")
def test_published_bytes_and_json_are_as_recorded() -> None:
    made = run_here("list", "regenerate", "ENF", "2010-07")
    assert f",{FORMULA}," in made.out
    assert hashlib.sha256(made.out.encode()).hexdigest() in made.err
    shown = json.loads(run_here("list", "show", "ENF", "--format", "json").out)
    assert FORMULA in {row["name"] for row in shown["rows"]}


def notes(ledger: Ledger, text: str) -> list[tuple[int, str]]:
    told = import_text(ledger, text).notes
    return [(note.line, str(note.message)) for note in told
            if note.message.key == "import.formulas"]  # fmt: skip


def test_an_import_notes_all_formulas_of_players_at_once() -> None:
    many = "".join(f"P{i},=F{i},,,,,,\n" for i in range(3_000))
    ((line, message),) = notes(empty_ledger(), PLAYERS_HEADER + "A,Ana,,,,,,\n" + many)
    assert line == 3
    assert "3000" in message
    assert "'=F0'" in message
    assert notes(empty_ledger(), PLAYERS_HEADER + "A,Ana,,,,,,\n") == []


@pytest.mark.parametrize("played_on", ["", "2010-07-01"])
def test_an_import_notes_formulas_of_tournaments(played_on: str) -> None:
    ledger = empty_ledger()
    import_text(ledger, PLAYERS)
    about = "2010-07-01,2010-07-02,swiss,classical,"
    text = (
        f"{GAMES_HEADER}X,Harmless,{about},1,{played_on},A,B,1-0\n"
        f"+X,@Y,{about},1,{played_on},A,B,1-0\n"
    )
    ((line, message),) = notes(ledger, text)
    assert line == 3
    assert "2 names" in message


def test_an_import_notes_formulas_of_reports_and_of_fides_list() -> None:
    report = GOOD.replace("Torneo de los Volcanes", "=Torneo de los Volcanes")
    document = Document(name="report.txt", data=report.encode())
    told = import_document(empty_ledger(), document, request())
    assert "import.formulas" in {note.message.key for note in told.notes}
    player = "<player><fideid>1</fideid><name>=Ana</name></player>"
    assert notes(empty_ledger(), f"<playerslist>{player}</playerslist>")
