"""A file of nothing but mistakes: after a thousand of them reading stops, and no memory is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.errors import Conflict, InputRefused, LedgerError
from ledger.intake.desk_csv import read_boards, read_entries, typed_entries
from ledger.intake.problems import MOST_PROBLEMS
from ledger.wording import LANGUAGES
from tests.intake.importing import peak_and_refusal
from tests.ledgers import GAMES_HEADER, PLAYERS_HEADER, define, empty_ledger, import_text
from tests.workbooks import workbook

MANY = 200_000
_ABOUT = "Copa,2010-07-01,2010-07-02,swiss,classical,"


def players(count: int) -> str:
    """Returns players with wrong birth dates."""
    return PLAYERS_HEADER + "".join(f"N{n},Nina,CHI,w,soon,,,\n" for n in range(count))


def games(count: int) -> str:
    """Returns games of one tournament with wrong results."""
    rows = (f"T,{_ABOUT},{n % 900 + 1},,A{n},B{n},2-0\n" for n in range(count))
    return GAMES_HEADER + "".join(rows)


def tournaments(count: int) -> str:
    """Returns as many tournaments of one game each, whose players are unknown."""
    rows = (f"T{n},{_ABOUT},1,,A{n},B{n},1-0\n" for n in range(count))
    return GAMES_HEADER + "".join(rows)


def fide_list(count: int) -> str:
    """Returns FIDE's list with numbers that are none."""
    header = "ID Number      Name             Fed  Sex Tit  SRtng SGm SK  B-day Flag\n"
    return header + "".join(f"X{n:<14}Nina             CHI  F        1500  0   20  1990\n"
                            for n in range(count))  # fmt: skip


def refusal_of(work: Callable[[], object]) -> LedgerError:
    with pytest.raises((InputRefused, Conflict)) as refused:
        work()
    return refused.value


@pytest.mark.parametrize("wrong", [players, games, tournaments, fide_list])
def test_reading_stops_after_a_thousand_problems(wrong: Callable[[int], str]) -> None:
    refusal = refusal_of(lambda: import_text(empty_ledger(), wrong(MOST_PROBLEMS + 200)))
    assert (refusal.message.key, len(refusal.details)) == ("import.stopped", MOST_PROBLEMS)
    assert {each.file for each in refusal.details} == {"file.csv"}
    last = refusal.details[-1].line
    assert last <= MOST_PROBLEMS + 1
    said = [refusal.within(language) for language in LANGUAGES]
    assert said[0].startswith(f"file.csv: 1000 problems down to line {last}, where reading stopped")
    assert said[1].startswith(f"file.csv: 1000 problemas hasta la línea {last}")


@pytest.mark.parametrize("wrong", [players, games, tournaments, fide_list])
def test_fewer_are_all_said(wrong: Callable[[int], str]) -> None:
    refusal = refusal_of(lambda: import_text(empty_ledger(), wrong(MOST_PROBLEMS // 2 - 1)))
    assert refusal.message.key == "import.refused"
    each_row = 2 if wrong is tournaments else 1
    assert len(refusal.details) == each_row * (MOST_PROBLEMS // 2 - 1)


@pytest.mark.parametrize("wrong", [players, games, fide_list])
def test_a_document_of_just_a_thousand_is_read_to_its_end(wrong: Callable[[int], str]) -> None:
    refusal = refusal_of(lambda: import_text(empty_ledger(), wrong(MOST_PROBLEMS)))
    assert (refusal.message.key, len(refusal.details)) == ("import.refused", MOST_PROBLEMS)
    refusal = refusal_of(lambda: import_text(empty_ledger(), wrong(MOST_PROBLEMS + 1)))
    assert (refusal.message.key, len(refusal.details)) == ("import.stopped", MOST_PROBLEMS)


@pytest.mark.parametrize("wrong", [players, games, tournaments, fide_list])
def test_of_many_mistakes_no_memory_is_lost(
    wrong: Callable[[int], str], tmp_path: Path, sqlite_url: str
) -> None:
    peaks = []
    for count in (MOST_PROBLEMS + 1, MANY):
        file = tmp_path / f"{count}.csv"
        file.write_text(wrong(count))
        peak, refusal = peak_and_refusal(sqlite_url, file)
        assert refusal == "import.stopped"
        peaks.append(peak)
    # Kilobytes. All problems of so many lines took 683,000; ids of games and players remain.
    assert peaks[1] - peaks[0] < 120_000, peaks


def test_a_long_cell_is_not_kept_whole_in_its_problem() -> None:
    text = PLAYERS_HEADER + f"N1,Nina,CHI,w,{'1' * 100_000},,,\n"
    refusal = refusal_of(lambda: import_text(empty_ledger(), text))
    assert len(str(dict(refusal.details[0].message.values)["value"])) == 1_000


def test_differences_are_counted_and_the_first_thousand_are_listed() -> None:
    ledger = empty_ledger()
    define(ledger)
    count = MOST_PROBLEMS + 20

    def rated(rating: int) -> str:
        return PLAYERS_HEADER + "".join(f"N{n},Nina,CHI,w,,{rating},,\n" for n in range(count))

    import_text(ledger, rated(1500), list_="ENF")
    refusal = refusal_of(lambda: import_text(ledger, rated(1600), list_="ENF"))
    assert (refusal.message.key, len(refusal.details)) == ("import.conflict", MOST_PROBLEMS)
    assert f"otherwise in {count} places" in str(refusal.message)


def test_of_the_boards_and_entries_of_an_arbiter_too() -> None:
    lines = "x,,x\n" * (MOST_PROBLEMS + 5)
    entries = "player,from_round\n" + lines.replace(",,x", ",x")
    boards = "white,black\n" + lines.replace("x,,x", "x,")
    for read in (
        lambda: read_entries(entries.encode(), "e.csv"),
        lambda: read_boards(boards.encode(), "e.csv"),
        lambda: read_entries(workbook([["player"], *[["x"]] * (MOST_PROBLEMS + 5)]), "e.csv"),
    ):
        refusal = refusal_of(read)
        assert (refusal.message.key, len(refusal.details)) == ("import.stopped", MOST_PROBLEMS)
        assert str(refusal.message).startswith("e.csv: 1000 problems")
    typed = refusal_of(lambda: typed_entries("x\n" * (MOST_PROBLEMS + 5)))
    assert typed.message.key == "desk.list_refused"
    assert [typed.details[at].line for at in (0, -1)] == [2, MOST_PROBLEMS + 1]
