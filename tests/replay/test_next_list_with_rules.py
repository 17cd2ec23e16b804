"""Published periods stand and what is owed is right: under merges, floors and other lists."""

from __future__ import annotations

import datetime as dt
from typing import Literal

import pytest

from ledger.answers.lists import show
from ledger.answers.period_states import period_states
from ledger.answers.player_questions import explain, why_of
from ledger.errors import Conflict, InputRefused
from ledger.events.personal import Identity
from ledger.lists.publications import calculated
from ledger.operations import commands as c
from ledger.rating.postings import Reason
from ledger.reports.why import Cause
from ledger.results import Result
from ledger.service.ledger import Ledger
from ledger.service.lists import adjust_rating, define_list
from ledger.terms import Rate
from ledger.trust.verification import verify
from ledger.views.list_editions import require_period
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
    request,
)

Policy = Literal["next-list", "restate"]
BOTH: tuple[Policy, ...] = ("next-list", "restate")
YEAR = dt.date(2020, 1, 1)


def people(ledger: Ledger, *rows: str, list_: str | None = None) -> None:
    everybody = (("all", ""),)  # namesakes are two people, until they are merged
    import_text(ledger, PLAYERS_HEADER + "\n".join(rows) + "\n", list_=list_, decisions=everybody)


def rated(names: str, rating: int, games: int = 100) -> list[str]:
    return [f"{name},{name},CHI,,1990-01-01,{rating},,{games}" for name in names]


def event(
    ledger: Ledger, name: str, start: str, end: str, *games: str, rate: str = "classical"
) -> None:
    """Each game is ``round,white,black,result``."""
    rows = [f"{name},{name},{start},{end},swiss,{rate},," + g.replace(",", ",,", 1) for g in games]
    import_text(ledger, GAMES_HEADER + "\n".join(rows) + "\n")


def met(player: str, opponents: str, result: str) -> list[str]:
    return [f"{i},{player},{opponent},{result}" for i, opponent in enumerate(opponents, 1)]


def rating(ledger: Ledger, player: str, period: str, list_: str) -> int:
    return next(row.rating for row in show(ledger, list_, period).rows if row.id == player)


def test_a_corrected_year_of_birth_reaches_back_and_published_lists_stand() -> None:
    ledger = empty_ledger()
    define(ledger, "F", regulation="fide-standard", first_on=YEAR)
    people(ledger, *rated("AB", 1900), list_="F")
    event(ledger, "T", "2020-01-05", "2020-01-10", "1,A,B,1-0")
    publish_period(ledger, "2020-01", "F")
    born = Identity(name="A", sex=None, birth_date="2005-01-01")
    do(
        ledger,
        c.CorrectIdentity(
            player="A", identity=born, salt="0" * 32, federation="CHI", on=dt.date(2020, 2, 5)
        ),
    )
    assert (rating(ledger, "A", "2020-01", "F"), explain(ledger, "A", "F", "2020-01").k) == (
        1920,
        40,
    )
    assert [row.rating for row in show(ledger, "F", "2020-01", edition=1).rows] == [1910, 1890]
    assert not verify(ledger).findings


class TestOtherLists:
    def ledger(self, policy: Policy) -> Ledger:
        ledger = empty_ledger()
        define(ledger, "S", regulation="fide-standard", first_on=YEAR, rate_of_play=Rate.CLASSICAL)
        define(
            ledger, "R", regulation="fide-rapid", first_on=YEAR, policy=policy,
            parameters={"standard_list": "S"}, rate_of_play=None,
        )  # fmt: skip
        people(ledger, *rated("AB", 1900), list_="S")
        people(ledger, *rated("B", 1900), list_="R")
        return ledger

    def test_a_closed_period_keeps_the_rating_a_player_brought(self) -> None:
        ledger = self.ledger("next-list")
        event(ledger, "S1", "2020-01-05", "2020-01-10", "1,A,B,1-0")
        event(ledger, "R1", "2020-02-05", "2020-02-10", "1,A,B,1-0", rate="rapid")
        publish_period(ledger, "2020-01", "R")
        publish_period(ledger, "2020-02", "R")
        before = rating(ledger, "A", "2020-02", "R")
        correct = c.CorrectResult(
            tournament="S1", round=1, white="A", black="B", result=Result.parse("0-1")
        )
        do(ledger, correct)
        assert rating(ledger, "A", "2020-02", "R") == before
        states = [state.state for state in period_states(ledger, "R")]
        assert states[:2] == ["published", "published"]

    def test_only_a_game_that_the_list_rates_brings_a_player_in(self) -> None:
        ledger = self.ledger("restate")
        event(ledger, "S1", "2020-01-05", "2020-01-10", "1,A,B,1-0")
        assert [row.id for row in show(ledger, "R", "2020-01").rows] == ["B"]

    def test_a_list_that_begins_later_gives_nothing(self) -> None:
        ledger = empty_ledger()
        define(ledger, "S", regulation="fide-standard", first_on=dt.date(2022, 1, 1))
        define(
            ledger, "R", regulation="fide-rapid", first_on=YEAR, parameters={"standard_list": "S"}
        )
        people(ledger, *rated("B", 1900), list_="R")
        people(ledger, "A,Ana,,,,,,")
        event(ledger, "R1", "2020-01-05", "2020-01-10", "1,A,B,1-0", rate="rapid")
        assert explain(ledger, "A", "R", "2020-01").closing is None


class TestMerges:
    @pytest.mark.parametrize("policy", BOTH)
    def test_a_tournament_that_began_before_finds_the_rating_of_the_id_that_stays(
        self, policy: Policy
    ) -> None:
        ledger = empty_ledger()
        define(ledger, "F", regulation="fide-standard", first_on=YEAR, policy=policy)
        people(ledger, "OLD,Ana,CHI,,1990-01-01,1900,,100", *rated("BC", 1900), list_="F")
        people(ledger, "NEW,Ana,CHI,,1990-01-01,,,")
        event(ledger, "T0", "2020-01-05", "2020-01-10", "1,OLD,C,1-0")
        event(ledger, "T1", "2020-01-25", "2020-02-10", "1,OLD,B,1-0")
        publish_period(ledger, "2020-01", "F")
        do(ledger, c.MergePlayers(player="OLD", into="NEW", on=dt.date(2020, 2, 5)))
        assert explain(ledger, "B", "F", "2020-02").closing == 1890
        assert explain(ledger, "NEW", "F", "2020-02").closing == 1920

    @pytest.mark.parametrize("policy", BOTH)
    def test_games_are_counted_once(self, policy: Policy) -> None:
        ledger = empty_ledger()
        define(ledger, policy=policy)
        people(ledger, "OLD,Ana,CHI,,1990-01-01,1500,10,100", *rated("BC", 1500), list_="ENF")
        people(ledger, "NEW,Ana,CHI,,1990-01-01,,,")
        event(ledger, "T0", "2010-07-05", "2010-07-10", "1,OLD,C,1-0", "2,OLD,B,1-0")
        publish_period(ledger, "2010-07")
        do(ledger, c.MergePlayers(player="OLD", into="NEW", on=dt.date(2010, 8, 5)))
        facts = ledger.facts()
        period = require_period(facts, "ENF", "2010-08")
        games = calculated(facts, "ENF", facts.seq, period).closing.games
        assert games[facts.player_index["NEW"]] == 102

    def test_what_a_given_up_rating_had_gained_is_not_owed_by_the_other(self) -> None:
        ledger = empty_ledger()
        define(ledger, policy="next-list")
        people(
            ledger, "OLD,Ana,CHI,,1990-01-01,1500,10,100", *rated("BCDEFGHIJK", 1500), list_="ENF"
        )
        people(ledger, "NEW,Ana,CHI,,1990-01-01,,,")
        event(ledger, "T0", "2010-07-05", "2010-07-10", *met("NEW", "BCDEFGHIJK", "1/2-1/2"))
        event(ledger, "T1", "2010-08-05", "2010-08-10", "1,OLD,C,1-0", "2,OLD,B,1-0")
        publish_period(ledger, "2010-07")
        publish_period(ledger, "2010-08")
        do(ledger, c.MergePlayers(player="OLD", into="NEW", on=dt.date(2010, 9, 5)))
        made = explain(ledger, "NEW", "ENF", "2010-09")
        (owed,) = made.credits
        assert made.opening == 1500
        assert not owed.credited
        assert made.closing == 1500 + owed.entitled


@pytest.mark.parametrize("policy", BOTH)
def test_who_fell_below_the_floor_begins_again_with_late_results(policy: Policy) -> None:
    ledger = empty_ledger()
    define(ledger, "F", regulation="fide-standard", first_on=YEAR, policy=policy)
    people(ledger, *rated("BCDEFGHIJK", 1060), list_="F")
    people(ledger, "N,N,CHI,,1990-01-01,,,")
    event(ledger, "T0", "2020-01-05", "2020-01-10", *met("N", "BCDEFG", "1/2-1/2"))
    event(ledger, "T1", "2020-02-05", "2020-02-10", *met("N", "BCDEFG", "0-1"))
    event(ledger, "T2", "2020-03-05", "2020-03-10", *met("N", "BCD", "1/2-1/2"))
    for period in ("2020-01", "2020-02", "2020-03"):
        publish_period(ledger, period, "F")
    assert rating(ledger, "N", "2020-02", "F") == 0
    event(ledger, "T3", "2020-03-15", "2020-03-20", *met("N", "EFG", "1/2-1/2"))
    shown = "2020-04" if policy == "next-list" else "2020-03"
    assert rating(ledger, "N", shown, "F") > 1000


@pytest.mark.parametrize("policy", BOTH)
def test_points_that_kept_a_rating_at_1_are_given_once(policy: Policy) -> None:
    """Event by event: 100 points less 200 are 1, then 200 more; one loss less is not enough."""
    ledger = empty_ledger()
    define(ledger, "H", regulation="harkness-games", first_on=YEAR, policy=policy)
    people(ledger, "A,A,CHI,,1990-01-01,100,,0", *rated("BCDE", 1500), list_="H")
    event(ledger, "T0", "2020-01-02", "2020-01-03", *met("A", "BCDE", "0-1"))
    event(ledger, "T1", "2020-01-05", "2020-01-06", *met("A", "BCDE", "1-0"))
    publish_period(ledger, "2020-01", "H")
    assert rating(ledger, "A", "2020-01", "H") == 201
    won = c.CorrectResult(
        tournament="T0", round=1, white="A", black="B", result=Result.parse("1-0")
    )
    do(ledger, won)
    assert explain(ledger, "A", "H", "2020-02").closing == 201


def test_how_many_games_are_needed_is_a_question_of_the_day() -> None:
    ledger = empty_ledger()
    define(ledger, "F", regulation="fide-standard", first_on=dt.date(2010, 1, 1))
    people(ledger, *rated("BCDEGH", 1900), list_="F")
    people(ledger, "N,N,CHI,,,,,")
    event(ledger, "T", "2010-01-05", "2010-01-10", *met("N", "BCDEGH", "1-0"))
    made = explain(ledger, "N", "F", "2010-01")
    assert (made.needed, made.closing, sum(line.games for line in made.bucket or ())) == (
        9,
        None,
        6,
    )


def test_fides_calendar_has_its_own_closing_dates() -> None:
    with pytest.raises(InputRefused) as refused:
        define_list(
            empty_ledger(), "F", regulation="fide-standard", parameters={}, calendar="fide",
            first_on=YEAR, policy="restate", rate_of_play=None, closes_days_before=3,
            request=request(),
        )  # fmt: skip
    assert refused.value.message.key == "list.fide_closes_itself"


class TestTheFloor:
    def fallen(self) -> Ledger:
        """B, 1405, lost three games to A and is below the floor of the published list."""
        ledger = empty_ledger()
        first_on = dt.date(2024, 4, 1)
        define(ledger, "N", regulation="fide-standard", first_on=first_on, policy="next-list")
        people(ledger, "A,A,,,,1700,,100", "B,B,,,,1405,,100", list_="N")
        event(ledger, "x1", "2024-04-02", "2024-04-05", *(f"{i},A,B,1-0" for i in (1, 2, 3)))
        publish_period(ledger, "2024-04", "N")
        return ledger

    def test_a_rating_that_did_not_fall_by_what_is_known_later_is_given_back(self) -> None:
        ledger = self.fallen()
        assert rating(ledger, "B", "2024-04", "N") == 0  # 3 x 20 x 0.15 less are 1396
        won = c.CorrectResult(
            tournament="x1", round=1, white="A", black="B", result=Result.parse("0-1")
        )
        do(ledger, won)
        made = explain(ledger, "B", "N", "2024-05")
        assert (made.given_back, made.opening, made.closing) == (1416, 1416, 1416)
        found = why_of(ledger, "B", "N", ("2024-04", 1), ("2024-05", None))
        assert found.totals() == {Cause.CORRECTIONS: 1416}
        assert explain(ledger, "B", "N", "2024-04", edition=1).removed == -1396

    def test_it_is_given_back_to_the_id_that_stays(self) -> None:
        ledger = self.fallen()
        people(ledger, "NEW,B,,,,,,")
        do(ledger, c.MergePlayers(player="B", into="NEW", on=dt.date(2024, 5, 2)))
        publish_period(ledger, "2024-05", "N")
        won = c.CorrectResult(
            tournament="x1", round=1, white="A", black="B", result=Result.parse("0-1")
        )
        do(ledger, won)
        assert explain(ledger, "NEW", "N", "2024-06").closing == 1416

    def test_what_is_not_enough_waits(self) -> None:
        ledger = self.fallen()
        drawn = c.CorrectResult(
            tournament="x1", round=1, white="A", black="B", result=None, rating_only=True
        )
        do(ledger, drawn)
        assert explain(ledger, "B", "N", "2024-05").closing is None  # 1399 by now


def test_a_report_too_late_for_a_closed_list_is_said_in_the_next_one() -> None:
    ledger = empty_ledger()
    define(ledger, "N", regulation="fide-standard", first_on=YEAR, policy="next-list")
    people(ledger, *rated("AB", 1900), list_="N")
    for period in ("2020-01", "2020-02", "2020-03"):
        publish_period(ledger, period, "N")
    event(ledger, "late", "2020-01-05", "2020-01-10", "1,A,B,1-0")
    (line,) = explain(ledger, "A", "N", "2020-04").excluded
    assert (line.tournament, line.reason) == ("late", Reason.LATE_REPORT)


class TestOrders:
    def ledger(self, policy: Policy) -> Ledger:
        ledger = empty_ledger()
        define(ledger, "N", regulation="fide-standard", first_on=YEAR, policy=policy)
        people(ledger, *rated("AB", 1900), list_="N")
        people(ledger, "U,U,,,,,,")
        event(ledger, "T", "2020-01-05", "2020-01-10", "1,A,B,1-0")
        publish_period(ledger, "2020-01", "N")
        return ledger

    def order(self, period: str) -> c.AdjustList:
        return c.AdjustList(
            list="N", period=period, below=2000, pivot=2000, numerator=2, denominator=5,
            as_correction=True,
        )  # fmt: skip

    def test_a_closed_period_that_stands_takes_no_list_wide_step(self) -> None:
        with pytest.raises(InputRefused) as refused:
            do(self.ledger("next-list"), self.order("2020-01"))
        assert refused.value.message.key == "list.adjust_stands"
        do(self.ledger("restate"), self.order("2020-01"))

    def test_the_same_order_twice_is_a_conflict(self) -> None:
        ledger = self.ledger("restate")
        do(ledger, self.order("2020-02"))
        with pytest.raises(Conflict):
            do(ledger, self.order("2020-02"))
        step = c.AdjustRating(player="A", list="N", points=-5, on=dt.date(2020, 2, 1))
        do(ledger, step)
        with pytest.raises(Conflict):
            do(ledger, step)

    def test_who_is_not_rated_cannot_be_moved(self) -> None:
        step = c.AdjustRating(player="U", list="N", points=-5, on=dt.date(2020, 2, 1))
        with pytest.raises(InputRefused) as refused:
            adjust_rating(self.ledger("restate"), step, request())
        assert refused.value.message.key == "player.not_rated_in"

    def test_what_an_order_for_later_moves_can_be_previewed(self) -> None:
        receipt = do(self.ledger("restate"), self.order("2020-06"), dry_run=True)
        assert {(shift.period, shift.id) for shift in receipt.shifts or ()} == {
            ("2020-06", "A"), ("2020-06", "B"),
        }  # fmt: skip

    def test_a_regulation_of_one_rate_of_play_gives_it_to_the_list(self) -> None:
        ledger = empty_ledger()
        define(ledger, "R", regulation="fide-rapid", first_on=YEAR)
        assert ledger.facts().lists["R"].defined.rate_of_play is Rate.RAPID
        with pytest.raises(InputRefused) as refused:
            define(ledger, "X", regulation="fide-rapid", first_on=YEAR, rate_of_play=Rate.BLITZ)
        assert refused.value.message.key == "list.other_rate"
