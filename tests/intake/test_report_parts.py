"""A long event is reported part by part: some rounds, with the ratings of their first day."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from ledger.answers.lists import rating_on
from ledger.answers.tournaments import require_tournament
from ledger.errors import InputRefused
from ledger.intake.fide_check import fide_check_of_file
from ledger.intake.report_file import report_parts, tournament_report
from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.desk import board_results, publish_round
from ledger.service.ledger import Ledger
from ledger.terms import PairingMethod, Rate, System
from tests.cli.running import run
from tests.intake.trf.writing import parse
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    about,
    define,
    do,
    empty_ledger,
    import_text,
    request,
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


def test_each_month_has_the_ratings_in_force_at_its_first_round_calculated_by_hand() -> None:
    """FIDE B.02 of 2024-03-01: ratings are those of the list in force; 8.3 by Table 8.1.2, K 20.

    July's open: Ana, 1500, beats Beto, 1600 (D 100, .36): +12.8. Ciro, 1700, beats Beto (D 100,
    .64): +7.2. Beto: -12.8 - 7.2 = -20. On 1 August they have 1513, 1580 and 1707. August's: Ana
    draws with Ciro (D 194, .25): +5; on 1 September 1518, 1580 and 1702.
    """
    made = empty_ledger()
    define(made, "STD", regulation="fide-standard", first_on=dt.date(2024, 7, 1))
    import_text(made, PLAYERS_HEADER + PEOPLE, list_="STD")
    import_text(made, GAMES_HEADER + about("J", "2024-07-10", "1,2,1-0", "3,2,1-0"))
    import_text(made, GAMES_HEADER + about("A", "2024-08-10", "1,3,1/2-1/2"))
    league = "L,Liga,2024-07-02,2024-09-20,round-robin,classical,"
    days = ("2024-07-02", "2024-08-15", "2024-08-16", "2024-09-20")
    rows = (f"{league},{round_},{day},1,2,1-0\n" for round_, day in enumerate(days, start=1))
    import_text(made, GAMES_HEADER + "".join(rows))
    parts = report_parts(made, "L")
    assert [(part.first, part.last) for part in parts] == [(1, 1), (2, 3), (4, 4)]
    in_force = [
        [each.rating for each in parse(_of_part(made, part.first, part.last)).players]
        for part in parts
    ]
    assert in_force == [[1500, 1600], [1513, 1580], [1518, 1580]]


def _of_part(ledger: Ledger, first: int, last: int) -> bytes:
    """Returns the report of some rounds, as the desk fetches it: no list is named."""
    return tournament_report(ledger, "L", None, None, f"{first}-{last}")


def test_at_the_desk_a_round_was_played_on_the_day_of_its_first_result() -> None:
    now = dt.datetime(2024, 7, 2, 20, tzinfo=dt.UTC)
    made = empty_ledger()
    made.clock = lambda: now
    define(made, "STD", regulation="fide-standard", first_on=dt.date(2024, 7, 1))
    import_text(made, PLAYERS_HEADER + PEOPLE, list_="STD")
    import_text(made, GAMES_HEADER + about("J", "2024-07-01", "1,2,1-0", "3,2,1-0"))
    do(
        made,
        c.OpenTournament(
            tournament="L", name="Liga", starts_on=dt.date(2024, 7, 2),
            ends_on=dt.date(2024, 8, 30), system=System.SWISS, rate_of_play=Rate.CLASSICAL,
            rounds=2,
        ),
        c.AnnounceRules(tournament="L", pairing=PairingMethod.FENAMAC_1975),
        *(c.EnterPlayer(tournament="L", player=str(player)) for player in (1, 2)),
    )  # fmt: skip
    publish_round(made, c.PairRound(tournament="L"), request())
    do(made, *board_results(made, "L", 1, [(1, Result.parse("1-0"))]))
    record = require_tournament(made, "L", made.journal.head().seq)
    ((white, black),) = record.desk.rounds[1].boards
    now = dt.datetime(2024, 8, 5, 20, tzinfo=dt.UTC)
    by_hand = c.PairRound(tournament="L", boards=[(black, white)], bye=None)
    publish_round(made, by_hand, request())
    # As a program says it, that gives no day: it is the one on which it was recorded.
    do(made, c.RecordGame(
        tournament="L", round=2, white=black, black=white, result=Result.parse("1-0")
    ))  # fmt: skip
    whole = parse(tournament_report(made, "L", None))
    assert whole.tournament.round_dates[0] == dt.date(2024, 7, 2)
    assert [each.rating for each in whole.players] == [1600, 1500]
    july, august = report_parts(made, "L")
    assert (july.starts_on, august.starts_on) == (dt.date(2024, 7, 2), dt.date(2024, 8, 5))
    in_force = {each.name: each.rating for each in parse(_of_part(made, 2, 2)).players}
    assert in_force == {"Ana": 1513, "Beto": 1580}


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
