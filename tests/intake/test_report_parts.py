"""A long event is reported part by part: some rounds, with the ratings of their first day."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from ledger.answers.lists import rating_on
from ledger.errors import InputRefused
from ledger.intake.fide_check import fide_check_of_file
from ledger.intake.report_file import tournament_report
from ledger.service.ledger import Ledger
from tests.cli.running import run
from tests.intake.trf.writing import parse
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    about,
    define,
    empty_ledger,
    import_text,
)

PEOPLE = "1,Ana,CHI,w,1990,1500,,90\n2,Beto,CHI,m,1985,1600,,90\n3,Ciro,CHI,m,1985,1700,,90\n"
LONG = "L,Liga,2010-07-01,2010-09-20,round-robin,classical,"
ROUNDS = (
    "1,2010-07-02,1,2,1-0", "1,,3,,U", "2,2010-08-15,2,3,1-0", "2,,1,,U", "3,2010-08-16,3,1,0-1",
    "3,,2,,U", "4,2010-09-20,2,1,1-0",
)  # fmt: skip


@pytest.fixture
def ledger() -> Ledger:
    made = empty_ledger()
    define(made)
    import_text(made, PLAYERS_HEADER + PEOPLE, list_="ENF")
    import_text(made, GAMES_HEADER + about("J", "2010-07-10", "1,2,1-0", "3,2,1-0"))
    import_text(made, GAMES_HEADER + "".join(f"{LONG},{row}\n" for row in ROUNDS))
    return made


def test_a_part_has_its_own_days_rounds_points_and_ratings(ledger: Ledger) -> None:
    text = tournament_report(ledger, "L", "ENF", None, "2-3")
    part = parse(text)
    said = part.tournament
    assert (said.starts_on, said.ends_on) == (dt.date(2010, 8, 15), dt.date(2010, 8, 16))
    assert said.round_dates == (None, dt.date(2010, 8, 15), dt.date(2010, 8, 16))
    played = {
        player.number: [(each.round, each.opponent) for each in player.rounds if each.opponent]
        for player in part.players
    }
    assert played == {1: [(3, 3)], 2: [(2, 3)], 3: [(2, 2), (3, 1)]}
    assert [str(player.points) for player in part.players] == ["2.0", "2.0", "0.0"]
    in_force = rating_on(ledger, "ENF", dt.date(2010, 8, 15))
    assert in_force != rating_on(ledger, "ENF", dt.date(2010, 7, 1))
    assert {str(each.number): each.rating for each in part.players} == in_force
    assert b"### rounds 2-3 of L: a part of the event" in text


def test_the_whole_has_the_ratings_of_the_first_day_and_one_round_is_a_part(ledger: Ledger) -> None:
    whole = parse(tournament_report(ledger, "L", "ENF"))
    assert [each.rating for each in whole.players] == [1500, 1600, 1700]
    last = parse(tournament_report(ledger, "L", "ENF", None, "4")).tournament
    assert (last.starts_on, last.ends_on) == (dt.date(2010, 9, 20), dt.date(2010, 9, 20))


def test_a_part_is_what_fide_asks_for_of_a_long_event(ledger: Ledger) -> None:
    def keys(data: bytes, today: dt.date) -> set[str]:
        found = fide_check_of_file(data, "l.trf", today)
        return {each.sentence.key for each in (*found.refusals, *found.remarks)}

    whole = keys(tournament_report(ledger, "L", "ENF"), dt.date(2010, 9, 21))
    part = keys(tournament_report(ledger, "L", "ENF", None, "2-3"), dt.date(2010, 9, 1))
    assert "check.fide_monthly" in whole
    assert whole - part == {"check.fide_monthly"}
    assert part <= whole


@pytest.mark.parametrize("rounds", ["0", "3-2", "4-5", "one", "1-", "-2", "1-2-3", "９"])
def test_what_are_no_rounds_of_it_is_refused(ledger: Ledger, rounds: str) -> None:
    with pytest.raises(InputRefused) as refused:
        tournament_report(ledger, "L", None, None, rounds)
    assert f"'{rounds}' are no rounds that can be reported" in str(refused.value)
    assert "results are recorded of 1, 2, 3, 4" in str(refused.value)


def test_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(PLAYERS_HEADER + PEOPLE, "utf-8")
    (tmp_path / "g.csv").write_text(
        GAMES_HEADER + "".join(f"{LONG},{row}\n" for row in ROUNDS), "utf-8"
    )
    for words in (("init",), ("import", "p.csv"), ("import", "g.csv")):
        assert run(*words, cwd=tmp_path).code == 0
    written = run("tournament", "trf", "L", "--rounds", "2-3", cwd=tmp_path)
    assert "042 2010/08/15" in written.out
    (tmp_path / "part.trf").write_text(written.out, "utf-8")
    again = run("import", "part.trf", cwd=tmp_path)
    assert again.code == 5  # a part says otherwise than the whole: it changes nothing silently
