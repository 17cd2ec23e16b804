"""A players file of any size: as if it were decided whole, all or nothing, in little memory."""

from __future__ import annotations

import io
import secrets
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import DocumentRefused, InputRefused, LedgerError, Problem
from ledger.intake import players_file
from ledger.intake.entered_twice import LinesOfOne
from ledger.intake.import_problems import ImportProblems
from ledger.intake.imports import Document, import_document
from ledger.intake.players import read_players, survey_players
from ledger.intake.players_file import not_used, planned_players, players_intake
from ledger.intake.problems import Problems
from ledger.intake.recognition import Recognition, recorded_players
from ledger.journal.stores.database import open_journal
from ledger.journal.verify.check import check
from ledger.operations.commands import MergePlayers
from ledger.registrar.registrar import Registrar
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.service.people_meant import PeopleMeant
from ledger.service.seeds import with_notes
from tests.intake.importing import kill_imports, peak_of_import
from tests.ledgers import NOW, PLAYERS_HEADER, define, do, empty_ledger, import_text
from tests.profile import examples

BEFORE = PLAYERS_HEADER + "A,Ana,CHI,w,1990-05-01,1500,15,40\nB,Beto,,,,1600,,\nM,Mia,,,,,,\n"

rows = st.builds(
    "{},{},{},{},{},{},{},{}".format,
    st.sampled_from(["A", "B", "C", "D", "E", "F", "G", " A ", "M", "", "\x07"]),
    st.sampled_from(["Ana", "Beto", "Ciro", '"Díaz, Dina"', "", "\x07"]),
    st.sampled_from(["", "chi", "CHI", "ARG", "CHIL"]),
    st.sampled_from(["", "w", "F", "m", "x"]),
    st.sampled_from(["", "1990", "1990-05-01", "1990-13-01", "0000"]),
    st.sampled_from(["", "0", "900", "1500", "1600", "abc"]),
    st.sampled_from(["", "15", "20", "999"]),
    st.sampled_from(["", "40", "9,more"]),
)
new = st.integers(1, 9).map(lambda n: f"N{n},Nina {n},,,,1700,,")
files = st.lists(st.one_of(new, new, new, rows, st.just(",,,")), max_size=10)


def a_ledger() -> Ledger:
    ledger = empty_ledger()
    define(ledger)
    import_text(ledger, BEFORE, list_="ENF")
    do(ledger, MergePlayers(player="M", into="A", on=NOW.date()))
    return ledger


def imported(ledger: Ledger, text: str, list_: str | None, *, as_correction: bool) -> Receipt:
    document = Document(
        name="p.csv",
        data=io.BytesIO(text.encode()),
        list=list_,
        as_correction=as_correction,
    )
    return import_document(ledger, document, Request("t", "why", "", ""))


def as_commands(ledger: Ledger, text: str, list_: str | None, *, as_correction: bool) -> Receipt:
    """Imports the file in the plain way: all of it in memory, planned whole, then taken."""
    problems = Problems()
    forms = survey_players(io.StringIO(text, newline="")).forms
    lines = LinesOfOne(Document(name="p.csv", data=b""))
    read = read_players(io.StringIO(text, newline=""), problems, forms=forms, repeat=lines.repeat)
    said = [each for each in read if lines.admit(each)]
    twice = lines.pairs(said, lambda ids: recorded_players(ledger, ids))
    if problems.found:
        problems.take_all(Problem(each.message, each.later.line, 1) for each in twice)
    elif twice:
        PeopleMeant(twice=twice).require_decided("p.csv")
    if not said and not problems.found:
        raise DocumentRefused("csv.no_rows")

    def plan(registrar: Registrar) -> list[Problem]:
        found = ImportProblems("p.csv", as_correction=as_correction)
        register = registrar.register
        found.add_all(problems)
        if said:
            document = Document(name="p.csv", data=b"", as_correction=as_correction)
            how = players_intake(ledger, register, document, list_)
            for each in list(planned_players(ledger, said, register, how)):
                found.take(each, registrar)
        found.raise_any()
        rated = sum(each.rating is not None or each.games is not None for each in said)
        return list(not_used("p.csv", list_, rated))

    streams = [f"player:{each.player}" for each in said]
    request = Request("t", "why", "as commands", "")
    return with_notes(ledger, ledger.append([*streams, "list:*"], plan, request))


def stored(ledger: Ledger) -> tuple[list[tuple[str, str, str, str]], dict[str, str]]:
    events = ledger.journal.events()
    written = [(e.type, e.effective_on, e.stream, e.payload) for e in events]
    return written, ledger.journal.personal_documents()


@pytest.mark.parametrize("as_correction", [False, True])
@examples(300)
@given(lines=files, list_=st.sampled_from(["ENF", None, "none"]), page=st.sampled_from([1, 3, 999]))
def test_pages_are_decided_as_the_whole_is(
    lines: list[str], list_: str | None, page: int, *, as_correction: bool
) -> None:
    text = PLAYERS_HEADER + "".join(f"{line}\n" for line in lines)
    with pytest.MonkeyPatch.context() as patch:
        results: list[object] = []
        contents = []
        for way in (as_commands, imported):
            # The same salts for both: then everything that is stored is the same.
            salts = count()
            patch.setattr(players_file, "_PAGE_ROWS", page)
            patch.setattr(Recognition, "is_needed", lambda *_: False)  # of namesakes, too
            patch.setattr(secrets, "token_hex", lambda _, salts=salts: f"{next(salts):032x}")
            ledger = a_ledger()
            try:
                receipt = way(ledger, text, list_, as_correction=as_correction)
            except LedgerError as error:
                results.append((type(error), error.message, error.details))
            else:
                results.append((tuple(receipt.events), receipt.counts, receipt.notes))
            contents.append(stored(ledger))
    assert results[0] == results[1]
    assert contents[0] == contents[1]


def large(players: int, fault: str = "") -> str:
    """Returns new players, every second with a rating."""
    lines = (f"N{n},Nina {n},CHI,,1990,{1500 if n % 2 else ''},,\n" for n in range(players))
    return PLAYERS_HEADER + "".join(lines) + fault


def test_a_refused_large_file_stores_nothing(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players_file, "_PAGE_ROWS", 500)
    journal = open_journal(database_url)
    ledger = Ledger(journal, clock=lambda: NOW)
    fault = "N7,Nina,,,,,,\nX,Xenia,CHIL,,,,,\nY,Yara,,,,,,x\n"
    with pytest.raises(InputRefused) as refusal:
        imported(ledger, large(600, fault), None, as_correction=False)
    assert [(d.line, d.column, d.message.key) for d in refusal.value.details] == [
        (602, 1, "import.stands_twice"),
        (603, 3, "csv.no_federation"),
        (604, 8, "csv.no_integer"),
    ]
    assert (journal.head().seq, journal.personal_documents()) == (0, {})
    receipt = imported(ledger, large(600), None, as_correction=False)
    assert (receipt.commit_id, receipt.counts) == (1, {"player.registered": 600})
    assert [str(note.message) for note in receipt.notes] == [
        "ratings and games of 300 players are not used: name the list they belong to with --list"
    ]
    assert imported(ledger, large(600), None, as_correction=False).repeated
    assert not imported(ledger, large(600) + "\n", None, as_correction=False).events
    integrity = check(journal)
    assert (integrity.findings, integrity.lost) == ((), 0)
    journal.close()


def test_a_killed_import_stores_nothing(database_url: str, tmp_path: Path) -> None:
    file = tmp_path / "p.csv"
    file.write_text(large(6_000))
    kill_imports(database_url, file)
    journal = open_journal(database_url)
    assert (journal.head().commit_id, journal.personal_documents()) == (0, {})
    journal.close()


def test_memory_hardly_grows_with_the_file(sqlite_url: str, tmp_path: Path) -> None:
    peaks = []
    for number, players in enumerate((6_000, 20_000)):
        file = tmp_path / f"{number}.csv"
        name = ("Nina", "Olga")[number]  # nobody is asked about
        file.write_text(large(players).replace("\nN", f"\nM{number}-").replace("Nina", name))
        peaks.append(peak_of_import(sqlite_url, file))
    # Kilobytes: about 600 bytes a player, for ids and documents; all objects would be 3,500.
    assert peaks[1] - peaks[0] < 20_000, peaks
