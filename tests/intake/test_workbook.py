"""Spreadsheets in: cells as what they mean, places as the sheet has them, hostile ones refused."""

from __future__ import annotations

import datetime as dt
import io
import itertools
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ledger.errors import InputRefused
from ledger.intake.document_copy import Copy
from ledger.intake.imports import Document, import_document
from ledger.intake.workbook import MEMORY_MB, SECONDS
from ledger.service.ledger import Ledger, Receipt
from tests.intake.importing import peak_and_refusal
from tests.ledgers import define, empty_ledger, import_text, request
from tests.workbooks import raw_workbook, workbook

HEAD = ("id", "name", "birth_date", "rating", "games")
ABOUT = ("T", "Torneo", dt.date(2010, 7, 3), dt.date(2010, 7, 4), "swiss", "rapid", 0.75)
GAMES = ("tournament", "name", "start", "end", "system", "rate_of_play", "merit", "round", "date",
         "white", "black", "result")  # fmt: skip


def lines(data: bytes, sheet: str | None = None) -> list[list[str]]:
    with Copy(data) as copy:
        copy.unfold(sheet)
        return [line.rstrip("\n").split("\t") for line in copy.lines()]


def take(
    ledger: Ledger, data: bytes, *, sheet: str | None = None, list_: str | None = None
) -> Receipt:
    document = Document(name="book.xlsx", data=data, sheet=sheet, list=list_)
    return import_document(ledger, document, request())


def test_cells_are_what_they_mean() -> None:
    row = [
        "Ñandú",
        2105,
        0.5,
        0.1 + 0.2,
        dt.date(1985, 3, 2),
        True,
        "½",
        ("=10+20", 30),
        ("=A1", "x"),
    ]
    assert lines(workbook([row])) == [
        ["Ñandú", "2105", "0.5", "0.3", "1985-03-02", "TRUE", "½", "30", "x"]
    ]


def test_a_cell_of_several_lines_is_one_line() -> None:
    assert lines(workbook([["a\nb\tc", "d"], ["e"]])) == [["a b c", "d"], ["e", ""]]


def test_empty_rows_and_columns_before_the_data_count() -> None:
    assert lines(workbook([[], [], [None, "id"]])) == [[""], [""], ["", "id"]]


def test_players_are_what_they_would_be_as_csv() -> None:
    from_sheet, from_text = empty_ledger(), empty_ledger()
    for ledger in (from_sheet, from_text):
        define(ledger)
    book = workbook([HEAD, (3404510, "Ruiz, Leo", dt.date(1985, 3, 2), 2105, ("=10+20", 30))])
    text = ",".join(HEAD) + '\n3404510,"Ruiz, Leo",1985-03-02,2105,30\n'
    made = take(from_sheet, book, list_="ENF")
    wanted = import_text(from_text, text, list_="ENF", name="book.xlsx!Hoja 1")
    assert made.counts == wanted.counts == {"player.registered": 1, "player.rating-seeded": 1}
    assert made.events[-1] == wanted.events[-1]


def test_games_are_what_they_would_be_as_csv() -> None:
    ledger = empty_ledger()
    import_text(ledger, "id,name\n1,A\n2,B\n")
    book = workbook(
        [GAMES, (*ABOUT, 1, dt.date(2010, 7, 3), 1, 2, "½-½"), ("T", *[""] * 6, 2, "", 2, "", "H")]
    )
    assert take(ledger, book).counts["result.recorded"] == 1
    text = (
        ",".join(GAMES)
        + "\nT,Torneo,2010-07-03,2010-07-04,swiss,rapid,0.75,1,2010-07-03,1,2,1/2-1/2\n"
        "T,,,,,,,2,,2,,H\n"
    )
    assert import_text(ledger, text).events == ()


def test_the_same_workbook_again_adds_nothing() -> None:
    ledger, book = empty_ledger(), workbook([("id", "name"), ("1", "Ana")])
    assert len(take(ledger, book).events) == 1
    assert take(ledger, book).events == ()


def test_problems_name_sheet_row_and_column() -> None:
    book = workbook([[], [None, *HEAD], [None, 1, "Ana", "ayer", "2x"], [], [None, "", "Beto"]])
    with pytest.raises(InputRefused) as refused:
        take(empty_ledger(), book)
    assert {(p.file, p.line, p.column, p.message.key) for p in refused.value.details} == {
        ("book.xlsx!Hoja 1", 3, 4, "csv.no_date"),
        ("book.xlsx!Hoja 1", 3, 5, "csv.no_integer"),
        ("book.xlsx!Hoja 1", 5, 2, "csv.missing"),
    }


def test_other_sheets_are_noted_unless_one_is_named() -> None:
    book = workbook([("id", "name"), ("1", "Ana")], sheet="Socios", others=("Cuotas",))
    (note,) = take(empty_ledger(), book).notes
    assert (note.message.key, dict(note.message.values)["others"]) == ("workbook.others", "Cuotas")
    assert take(empty_ledger(), book, sheet="Socios").notes == ()
    with pytest.raises(InputRefused) as refused:
        take(empty_ledger(), book, sheet="Nadie")
    assert dict(refused.value.message.values) == {"sheet": "Nadie", "known": "Socios, Cuotas"}


def row_of(*texts: str) -> str:
    cells = (f'<c t="inlineStr"><is><t>{text}</t></is></c>' for text in texts)
    return f"<row>{''.join(cells)}</row>"


def many(form: str, count: int) -> Iterator[str]:
    yield row_of("id", "name")
    for first in range(2, count + 2, 10_000):
        yield "".join(form.format(row=row) for row in range(first, first + 10_000))


def corner() -> bytes:
    last = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    return raw_workbook([row_of("id", "name"), last])


def long_text() -> bytes:
    return raw_workbook(
        ["<row><c t='inlineStr'><is><t>", *["a" * (1 << 16)] * (66 << 8), "</t></is></c></row>"]
    )


def shared_text() -> bytes:
    rows = many('<row r="{row}"><c r="A{row}" t="s"><v>0</v></c></row>', 100_000)
    return raw_workbook(rows, strings=f"<si><t>{'a' * 32_000}</t></si>")


@pytest.mark.parametrize("bomb", [corner, long_text, shared_text], ids=lambda bomb: bomb.__name__)
def test_a_bomb_is_refused(bomb: Callable[[], bytes]) -> None:
    data = bomb()
    assert len(data) < 2_000_000
    with pytest.raises(InputRefused) as refused:
        take(empty_ledger(), data)
    assert refused.value.message.key == "workbook.too_much"
    assert dict(refused.value.message.values) == {"memory": MEMORY_MB, "seconds": SECONDS}


def repeated(rows: int) -> bytes:
    """Returns a small workbook whose every row shows the same long text."""
    cells = many('<row r="{row}"><c r="A{row}" t="s"><v>0</v></c></row>', 10_000)
    begun = itertools.islice(cells, 1)
    some = (f'<row r="{at}"><c r="A{at}" t="s"><v>0</v></c></row>' for at in range(2, rows + 2))
    return raw_workbook([*begun, *some], strings=f"<si><t>{'a' * 32_000}</t></si>")


def test_a_sheet_of_more_text_than_a_file_may_have_is_refused(
    tmp_path: Path, sqlite_url: str
) -> None:
    data, most = repeated(3_200), 2_000_000
    assert len(data) < 80_000
    document = Document(name="book.xlsx", data=data, most_text=most)
    with pytest.raises(InputRefused) as refused:
        import_document(empty_ledger(), document, request())
    assert refused.value.message.key == "workbook.too_long"
    assert "more than 2 MB of text" in str(refused.value)
    peaks = []
    for number, (book, key) in enumerate(
        ((workbook([("id", "name")]), "csv.no_rows"), (data, "workbook.too_long"))
    ):
        file = tmp_path / f"{number}.xlsx"
        file.write_bytes(book)
        peak, refusal = peak_and_refusal(sqlite_url, file)
        assert refusal == key
        peaks.append(peak)
    # Kilobytes, of the process that is not limited; it took 1 GB.
    assert peaks[1] - peaks[0] < 50_000, peaks


def test_as_much_text_as_a_file_may_have_is_read() -> None:
    data = workbook([("id", "name"), ("1", "Ana" * 10)])
    text = "id\tname\n1\t" + "Ana" * 10 + "\n"
    with Copy(data) as copy:
        copy.unfold(None, len(text))
        assert copy.text() == text
        with pytest.raises(InputRefused):
            copy.unfold(None, len(text) - 1)


@pytest.mark.parametrize("form", ['<row r="{row}"/>', '<row r="{row}"><c r="H{row}" s="1"/></row>'])
def test_a_million_empty_rows_are_nothing(form: str) -> None:
    with pytest.raises(InputRefused) as refused:
        take(empty_ledger(), raw_workbook(many(form, 1_000_000)))
    assert refused.value.message.key == "csv.no_rows"


@pytest.mark.parametrize("cell", ["XFD1800", "GS2", "T1048576"])
def test_cells_far_off_are_refused_before_the_area_between_is_read(cell: str) -> None:
    row = cell.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    far = f'<row r="{row}"><c r="{cell}"><v>1</v></c></row>'
    data = raw_workbook([row_of("id", "name"), far])
    assert len(data) < 10_000
    with pytest.raises(InputRefused) as refused:
        take(empty_ledger(), data)
    assert refused.value.message.key == "workbook.too_wide"
    assert dict(refused.value.message.values)["rows"] == row


def test_two_hundred_columns_are_read() -> None:
    data = raw_workbook([row_of("id"), '<row r="2"><c r="GR2"><v>1</v></c></row>'])
    assert [len(line) for line in lines(data)] == [200, 200]


def zipped(**members: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (raw_workbook([], more={"xl/vbaProject.bin": "x"}), "workbook.macros"),
        (zipped(lista="ID Number"), "workbook.not_one"),
        (workbook([["id"]])[:-30], "workbook.no_zip"),
        (b"PK\x03\x04", "workbook.no_zip"),
        (raw_workbook([], more={"xl/workbook.xml": "<workbook"}), "workbook.damaged"),
        (raw_workbook(["<<"]), "workbook.damaged"),
    ],
)  # fmt: skip
def test_what_is_no_workbook_is_refused(data: bytes, key: str) -> None:
    with pytest.raises(InputRefused) as refused:
        take(empty_ledger(), data)
    assert refused.value.message.key == key
