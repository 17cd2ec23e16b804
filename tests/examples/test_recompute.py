"""The script that calculates a list again from open data: every change that the files can tell."""

from __future__ import annotations

import datetime as dt
import runpy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ledger.answers.lists import show
from ledger.intake.data_package import write_data_package
from ledger.operations.commands import CorrectResult
from ledger.regulations.printed_tables import P_OF_D
from ledger.results import Result
from ledger.service.ledger import Ledger
from ledger.terms import Rate
from ledger.views.past import newest_of
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    about,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
)

EXAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "recompute.py"))
MONTHS = ("2024-03", "2024-04", "2024-05")
RATED = range(40)
RESULTS = ("1-0", "0-1", "1/2-1/2", "1-0", "+/-", "1-0s")


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    """Three months by FIDE's rules: ratings far apart, newcomers, forfeits, blitz."""
    ledger, random = empty_ledger(), Random(7)  # noqa: S311 - the same every time
    define(
        ledger, "FIDE", regulation="fide-standard", first_on=dt.date(2024, 3, 1),
        rate_of_play=Rate.CLASSICAL,
    )  # fmt: skip
    people = "".join(
        f"p{n},P{n},,,{1950 + n},{random.randint(1450, 2720)},,{random.choice((5, 50))}\n"
        for n in RATED
    )
    import_text(ledger, PLAYERS_HEADER + people, list_="FIDE")
    import_text(ledger, PLAYERS_HEADER + "".join(f"n{n},N{n},,,,,,\n" for n in range(4)))
    players = [*(f"p{n}" for n in RATED), *(f"n{n}" for n in range(4))]
    for month in MONTHS:
        for number, rate in enumerate(("classical", "classical", "blitz")):
            lines = []
            for _ in range(9):
                random.shuffle(players)
                lines.append(f"{players[0]},{players[1]},{random.choice(RESULTS)}")
                lines.append(f"{players[2]},{players[3]},{random.choice(RESULTS)}")
            import_text(
                ledger,
                GAMES_HEADER + about(f"t{month}-{number}", f"{month}-1{number}", *lines, rate=rate),
            )
        publish_period(ledger, month, "FIDE")
    return ledger


def recompute(ledger: Ledger, folder: Path, period: str, **how: bool) -> Any:
    write_data_package(newest_of(ledger), folder, "Ratings", "CC0-1.0")
    return EXAMPLE["recompute"](folder, "FIDE", period, "classical", **how)


@pytest.mark.parametrize("period", MONTHS[1:])
def test_every_change_of_a_rated_player_comes_out(
    ledger: Ledger, tmp_path: Path, period: str
) -> None:
    found = recompute(ledger, tmp_path, period)
    rows = show(ledger, "FIDE", period, edition=1).rows
    assert {id_: out for id_, (out, _) in found.items()} == {
        row.id: row.change for row in rows if row.change is not None
    }
    assert sum(out != 0 for out, _ in found.values()) > 10
    assert [id_ for id_, (out, change) in found.items() if out != change] == []


def test_the_first_list_is_refused(ledger: Ledger, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="2024-03 is the first list of FIDE"):
        recompute(ledger, tmp_path, MONTHS[0])


def test_what_was_corrected_since_comes_out_with_the_result_before(
    ledger: Ledger, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    period = MONTHS[-1]
    sheet = newest_of(ledger).tournament(f"t{period}-0", ledger.facts().seq)
    assert sheet is not None
    round_, white, black = next(
        (key[0], each.white, each.black)
        for key, each in sheet.pairings.items()
        if each.black
        and each.result == Result.parse("1-0")
        and "n" not in f"{each.white}{each.black}"
    )
    turned = CorrectResult(
        tournament=f"t{period}-0", round=round_, white=white, black=black,
        result=Result.parse("0-1"),
    )  # fmt: skip
    do(ledger, turned)
    now = recompute(ledger, tmp_path, period)
    assert {id_ for id_, (out, change) in now.items() if out != change} == {white, black}
    then = recompute(ledger, tmp_path, period, corrected=False)
    assert all(out == change for out, change in then.values())
    EXAMPLE["main"](str(tmp_path), "FIDE", period, "classical")
    assert "2 more with the results before a later correction." in capsys.readouterr().out


def test_the_expected_scores_are_those_of_the_printed_table() -> None:
    for difference in range(800):
        for own, other in ((2700, 2700 - difference), (2700, 2700 + difference)):
            printed = P_OF_D.one(own - other)
            assert EXAMPLE["expected"](own, other, "2026-01-01") == printed, difference
            capped = P_OF_D.one(max(min(own - other, 400), -400))
            assert EXAMPLE["expected"](own, other, "2025-01-01") == capped, difference
