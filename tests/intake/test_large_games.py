"""A games file of any size: as if every row were a command, all or nothing, in little memory."""

from __future__ import annotations

import hashlib
import io
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import InputRefused, LedgerError, Problem
from ledger.events.personal import Identity
from ledger.intake.csv_table import rows
from ledger.intake.games_csv import tournaments_of
from ledger.intake.headings import GAMES
from ledger.intake.import_problems import ImportProblems
from ledger.intake.imports import Document, import_document
from ledger.intake.problems import Problems
from ledger.intake.tournament_reconciliation import plan_tournament
from ledger.journal import spool
from ledger.journal.stores.database import open_journal
from ledger.journal.stores.memory import MemoryJournal
from ledger.journal.verify.check import check
from ledger.operations.commands import Command, MergePlayers, RegisterPlayer
from ledger.registrar.registrar import Registrar
from ledger.service.ledger import Ledger, Receipt, Request
from tests.intake.importing import kill_imports, peak_of_import
from tests.ledgers import GAMES_HEADER, NOW, copied, do, empty_ledger
from tests.profile import examples

ABOUT = "Torneo,2010-07-10,2010-07-12,swiss,rapid,"
PLAYERS = ("A", "B", "C", 'D "x"', "E")
BEFORE = GAMES_HEADER + f"R,{ABOUT},1,,A,B,1-0\nR,,,,,,,1,,C,E,½-½\n"

abouts = st.sampled_from(
    [ABOUT, ",,,,,", ",,,,,", ABOUT, "Otro,,,,,", ",2010-07-12,2010-07-10,,,", ",,2030-01-01,,,",
     "\x07,,,,,", ",x,,,,", ",,,,,0.5", ",,,,fast,"]
)  # fmt: skip
good = st.builds(
    "{},{},{},{},{},{},{}".format,
    st.sampled_from("TTUVR"),
    st.just(ABOUT),
    st.integers(1, 9),
    st.sampled_from(["", "2010-07-11"]),
    st.sampled_from("ABCE"),
    st.sampled_from(["A", "B", '"D ""x"""', "E"]),
    st.sampled_from(["1-0", "½-½", "0-1s", "+/-", "1-1a", " 0:1 "]),
)
byes = st.builds(
    "{},{},{},,{},,{}".format,
    st.sampled_from("TTUVR"), st.just(ABOUT), st.integers(1, 9), st.sampled_from("ABCE"),
    st.sampled_from("ufHZ"),
)  # fmt: skip
bad = st.builds(
    "{},{},{},{},{},{},{}".format,
    st.sampled_from(["T", "U", "", " T ", "R", "\x07"]),
    abouts,
    st.sampled_from(["1", "2", "0", "x", "", "03"]),
    st.sampled_from(["", "2010/7/11", "2010-07-13", "x", "2031-01-01"]),
    st.sampled_from(["A", "B", "X", "M", "", " C "]),
    st.sampled_from(["A", "B", "X", "M", "", "E"]),
    st.sampled_from(["1-0", "2-0", "", "u", "1-0,more", '1-0"']),
)
files = st.lists(st.one_of(good, good, good, byes, bad, st.just(",,,")), max_size=12)


def a_ledger() -> Ledger:
    return empty_ledger(copied(_begun()))


@cache
def _begun() -> MemoryJournal:
    journal = MemoryJournal()
    ledger = empty_ledger(journal)
    people: list[Command] = [
        RegisterPlayer(
            player=player, identity=Identity(name=player), salt=f"{number:032x}", federation=None,
            on=NOW.date(),
        )
        for number, player in enumerate((*PLAYERS, "M"))
    ]  # fmt: skip
    do(ledger, *people, MergePlayers(player="M", into="A", on=NOW.date()))
    imported(ledger, BEFORE)
    return journal


def imported(ledger: Ledger, text: str, *, as_correction: bool = False) -> Receipt:
    document = Document(name="g.csv", data=io.BytesIO(text.encode()), as_correction=as_correction)
    return import_document(ledger, document, Request("t", "why", "", ""))


def as_commands(ledger: Ledger, text: str, *, as_correction: bool = False) -> Receipt:
    """Imports the file in the plain way: all of it in memory, every row a command."""
    problems = Problems()
    table = rows(io.StringIO(text, newline=""), GAMES, problems)
    read = [replace(said, whole=as_correction) for said in tournaments_of(table)]
    if not read and not problems.found:
        raise InputRefused("csv.no_rows")

    def plan(registrar: Registrar) -> list[Problem]:
        found = ImportProblems("g.csv", as_correction=as_correction)
        register = registrar.register
        found.add_all(problems)
        notes: list[Problem] = []
        for said in read:
            if found.unready(said, register):
                continue
            day = ledger.today
            for each in list(plan_tournament(said, register, day, as_correction=as_correction)):
                notes += found.take(each, registrar)
            notes += found.notes(said, registrar)
        found.raise_any()
        return notes

    streams = [stream for said in read for stream in said.streams]
    return ledger.append(streams, plan, Request("t", "why", "as commands", ""))


@pytest.mark.parametrize("as_correction", [False, True])
@examples(400)
@given(lines=files, limit=st.sampled_from([1, 3, 10_000]))
def test_rows_are_decided_as_commands_are(
    lines: list[str], limit: int, *, as_correction: bool
) -> None:
    text = GAMES_HEADER + "".join(f"{line}\n" for line in lines)
    small, reference = a_ledger(), a_ledger()
    refusal: LedgerError | None = None
    expected: Receipt | None = None
    try:
        expected = as_commands(reference, text, as_correction=as_correction)
    except LedgerError as error:
        refusal = error
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spool, "LIMIT", limit)
        if expected is None:
            assert refusal is not None
            with pytest.raises(type(refusal)) as caught:
                imported(small, text, as_correction=as_correction)
            assert (caught.value.message, caught.value.details) == (
                refusal.message,
                refusal.details,
            )
            assert small.journal.head().seq == a_ledger().journal.head().seq
            return
        receipt = imported(small, text, as_correction=as_correction)
    assert tuple(receipt.events) == tuple(expected.events)
    assert receipt.notes == expected.notes
    assert receipt.counts == expected.counts
    stored = [[(e.type, e.effective_on, e.stream, e.payload) for e in ledger.journal.events()]
              for ledger in (small, reference)]  # fmt: skip
    assert stored[0] == stored[1]


@pytest.mark.parametrize(
    "text",
    [
        GAMES_HEADER.replace("round", '"round"x') + f"T,{ABOUT},1,,A,B,1-0\n",
        GAMES_HEADER.replace("round", "rund") + f"T,{ABOUT},1,,A,B,1-0\n",
        GAMES_HEADER + "\n\n",
        "white,black\n1,2\n",
        GAMES_HEADER.replace("\n", "\r") + f"T,{ABOUT},1,,A,B,1-0\rT,,,,,,,1,,A,B,1-0\r",
        GAMES_HEADER + f'T,{ABOUT},1,,A,B,1-0\nT,,,,,,,2,,A,"B\nT,,,,,,,3,,A,B,1-0\n',
    ],
)
def test_what_is_wrong_with_a_file_as_csv(text: str) -> None:
    refusals: list[list[tuple[int, int, str]]] = []
    for way in (imported, as_commands):
        with pytest.raises(InputRefused) as refusal:
            way(a_ledger(), text)
        details = refusal.value.details
        refusals.append(sorted((d.line, d.column, str(d.message)) for d in details))
    assert refusals[0] == refusals[1]


def large(rows_: int, *, interleaved: bool = False, fault: str = "") -> str:
    """Returns games of tournaments of 100 rows among four players."""
    lines = [
        f"L{number // 100},{ABOUT},{number % 100 // 2 + 1},,"
        + ("A,B,1-0" if number % 2 else "C,E,0-1")
        for number in range(rows_)
    ]
    if interleaved:
        lines.sort(key=lambda line: hashlib.sha256(line.encode()).digest())
    return GAMES_HEADER + "".join(f"{line}\n" for line in lines) + fault


def test_tournaments_in_any_order_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "LIMIT", 2_000)
    ledger, reference = a_ledger(), a_ledger()
    text = large(5_000, interleaved=True)
    imported(ledger, text)
    as_commands(reference, text)
    assert [e.payload for e in ledger.journal.events()] == [
        e.payload for e in reference.journal.events()
    ]
    assert check(ledger.journal).findings == ()


def test_a_large_file_again_adds_nothing() -> None:
    ledger = a_ledger()
    text = large(12_000)
    first = imported(ledger, text)
    assert imported(ledger, text).repeated
    again = imported(ledger, text + "\n")
    assert (len(again.events), again.commit_id, again.notes) == (0, None, ())
    assert ledger.journal.head().seq == first.last_seq


def test_a_refused_large_file_stores_nothing(database_url: str) -> None:
    with_players(database_url)
    journal = open_journal(database_url)
    ledger = Ledger(journal, clock=lambda: NOW)
    before = journal.head()
    fault = "L3,,,,,,,1,,A,B,1-0\nL5,,,,,,,60,,A,X,1-0\nZ,,,,,,,60,,A,B,1-0\n"
    with pytest.raises(InputRefused) as refusal:
        imported(ledger, large(12_000, fault=fault))
    assert [(d.line, d.column, d.message.key) for d in refusal.value.details] == [
        (12_002, 12, "pairing.recorded"),
        (12_003, 11, "player.unknown"),
        (12_004, 1, "import.incomplete"),
    ]
    assert journal.head() == before
    assert imported(ledger, large(12_000)).commit_id == before.commit_id + 1
    assert check(journal).findings == ()
    journal.close()


def with_players(url: str) -> None:
    journal = open_journal(url)
    people = [
        RegisterPlayer(player=p, identity=Identity(name=p), salt=p.encode().hex().zfill(32),
                       federation=None, on=NOW.date())
        for p in PLAYERS
    ]  # fmt: skip
    do(Ledger(journal, clock=lambda: NOW), *people)
    journal.close()


def test_a_killed_import_stores_nothing(database_url: str, tmp_path: Path) -> None:
    with_players(database_url)
    file = tmp_path / "g.csv"
    file.write_text(large(12_000))
    kill_imports(database_url, file)
    journal = open_journal(database_url)
    assert journal.head().commit_id == 1
    assert sum(1 for _ in journal.events()) == len(PLAYERS)
    journal.close()
    journal = open_journal(database_url)
    imported(Ledger(journal, clock=lambda: NOW), large(12_000))
    assert check(journal).findings == ()
    assert journal.head().commit_id == 2
    journal.close()


def test_memory_does_not_grow_with_the_file(sqlite_url: str, tmp_path: Path) -> None:
    with_players(sqlite_url)
    peaks = []
    for number, rows_ in enumerate((11_000, 40_000)):
        file = tmp_path / f"{number}.csv"
        file.write_text(large(rows_).replace("\nL", f"\nM{number}-"))
        peaks.append(peak_of_import(sqlite_url, file))
    # Kilobytes. A record for every row would be 100 megabytes more.
    assert peaks[1] - peaks[0] < 15_000, peaks
