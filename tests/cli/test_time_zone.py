"""The federation's time zone, as the settings say it: today is a day of it."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.cli.running import Ran, run

EAST, WEST = "Etc/GMT-14", "Etc/GMT+12"  # 26 hours apart: never on the same day
FILE = "rating-ledger.toml"


def awarded(folder: Path, **environment: str) -> Ran:
    """Records something that holds from today."""
    return run("player", "title", "3404510", "FM", "--format", "json", cwd=folder, **environment)


def days(zone: str) -> set[str]:
    """Returns the day that it is in a zone."""
    return {dt.datetime.now(ZoneInfo(zone)).date().isoformat()}


@pytest.mark.parametrize("zone", [EAST, WEST])
@pytest.mark.parametrize("is_in_file", [True, False])
def test_what_holds_from_today_holds_from_the_federations_day(
    folder: Path, zone: str, *, is_in_file: bool
) -> None:
    other = WEST if zone == EAST else EAST
    (folder / FILE).write_text(f'time_zone = "{zone if is_in_file else other}"\n')
    before = days(zone)
    done = awarded(folder, **({} if is_in_file else {"RATING_LEDGER_TIME_ZONE": zone}))
    assert done.code == 0, done.err
    (event,) = done.json()["events"]
    assert event["effective_on"] in before | days(zone)


@pytest.mark.parametrize("words", [("publish", "ENF", "2010-08"), ("serve", "--port", "0")])
def test_what_is_no_time_zone_is_refused(folder: Path, words: tuple[str, ...]) -> None:
    (folder / FILE).write_text('time_zone = "America/Santigo"\n')
    done = run(*words, cwd=folder)
    assert (done.code, done.out) == (4, "")
    assert "'America/Santigo' is no time zone" in done.err
    assert "as America/Santiago" in done.err
