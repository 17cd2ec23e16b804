"""Late facts in odd orders: merges, seeds, corrected newcomers, new calendars, other bases."""

from __future__ import annotations

import datetime as dt

import pytest

from ledger.answers.lists import compare, show
from ledger.answers.player_questions import explain, history_of, why_of
from ledger.calendar import Calendar
from ledger.errors import InputRefused, NotFound
from ledger.identifiers import Seq
from ledger.operations import commands as c
from ledger.reports.why import Cause
from ledger.results import Result
from ledger.service.ledger import Ledger
from ledger.service.publications import publish
from ledger.trust.verification import verify
from ledger.views.past import PastLedger
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

PLAYERS = PLAYERS_HEADER + "".join(
    f"{row},,\n" for row in ("A,A,,,,1800", "B,B,,,,1900", "C,C,,,,2000", "M,M,,,,", "N,N,,,,")
)
AUGUST = dt.date(2010, 8, 1)


def event(name: str, month: int, *games: str) -> str:
    about = f"{name},{name},2010-{month:02}-10,2010-{month:02}-10,swiss,classical,"
    return GAMES_HEADER + "".join(f"{about},{game}\n" for game in games)


def newcomer(name: str, month: int, count: int) -> str:
    return event(name, month, *(f"{n},,N,{'ABC'[n % 3]},1/2-1/2" for n in range(1, count + 1)))


def ledger_with(policy: str = "restate") -> Ledger:
    ledger = empty_ledger()
    define(ledger, policy=policy)  # type: ignore[arg-type]
    import_text(ledger, PLAYERS, list_="ENF")
    return ledger


def seed(player: str, rating: int, on: dt.date, *, as_correction: bool = False) -> c.SeedRating:
    return c.SeedRating(
        player=player, list="ENF", rating=rating, games=0, source=None, on=on,
        as_correction=as_correction,
    )  # fmt: skip


def win(tournament: str, round_: int, white: str, black: str) -> c.CorrectResult:
    return c.CorrectResult(
        tournament=tournament, round=round_, white=white, black=black, result=Result.parse("1-0")
    )


def test_a_k_from_the_day_a_list_comes_into_force_is_no_tampering() -> None:
    ledger = ledger_with()
    import_text(ledger, event("T", 7, "1,,A,B,1-0"))
    publish_period(ledger, "2010-07")
    do(ledger, c.AssignK(player="A", k=40, list=None, on=AUGUST))
    assert not verify(ledger).findings
    assert show(ledger, "ENF", "2010-07", edition=1).rows != show(ledger, "ENF", "2010-07").rows


class TestNextList:
    def test_a_merge_carries_the_rating_to_the_id_that_stays(self) -> None:
        ledger = ledger_with("next-list")
        import_text(ledger, event("T", 7, "1,,A,B,1-0"))
        publish_period(ledger, "2010-07")
        before = {row.id: row.rating for row in show(ledger, "ENF", "2010-07").rows}
        do(ledger, c.MergePlayers(player="A", into="M", on=AUGUST))
        after = {row.id: row.rating for row in show(ledger, "ENF", "2010-08").rows}
        assert after == {"M": before["A"], "B": before["B"], "C": before["C"]}

    def test_two_corrections_of_one_first_rating(self) -> None:
        ledger = ledger_with("next-list")
        import_text(ledger, newcomer("T", 7, 5))
        publish_period(ledger, "2010-07")
        import_text(ledger, newcomer("U", 8, 5))
        publish_period(ledger, "2010-08")
        first = show(ledger, "ENF", "2010-08")
        do(ledger, win("T", 1, "N", "B"), win("U", 1, "N", "B"))
        made = explain(ledger, "N", "ENF", "2010-09")
        restated = ledger_with()
        import_text(restated, newcomer("T", 7, 5))
        import_text(restated, newcomer("U", 8, 5))
        do(restated, win("T", 1, "N", "B"), win("U", 1, "N", "B"))
        assert made.opening == next(row.rating for row in first.rows if row.id == "N")
        right = explain(restated, "N", "ENF", "2010-08").closing
        assert made.closing == right

    def test_an_annulled_game_is_remembered_while_too_few_remain(self) -> None:
        ledger = ledger_with("next-list")
        import_text(ledger, newcomer("T", 7, 4))
        publish_period(ledger, "2010-07")
        import_text(ledger, newcomer("U", 8, 5))
        publish_period(ledger, "2010-08")
        do(ledger, c.AnnulResult(tournament="T", round=2, white="N", black="C"))
        import_text(ledger, event("U", 8, "6,,N,A,1-0"))
        restated = ledger_with()
        import_text(restated, newcomer("T", 7, 4))
        import_text(restated, newcomer("U", 8, 5))
        do(restated, c.AnnulResult(tournament="T", round=2, white="N", black="C"))
        import_text(restated, event("U", 8, "6,,N,A,1-0"))
        right = explain(restated, "N", "ENF", "2010-08").closing
        assert explain(ledger, "N", "ENF", "2010-09").closing == right

    def test_a_late_result_does_not_override_a_rating_brought_in(self) -> None:
        ledger = ledger_with("next-list")
        import_text(ledger, newcomer("T", 7, 8))
        publish_period(ledger, "2010-07")
        do(ledger, seed("N", 1500, AUGUST))
        publish_period(ledger, "2010-08")
        import_text(ledger, event("T", 7, "9,,N,A,1-0"))
        assert explain(ledger, "N", "ENF", "2010-09").closing == 1500

    def test_a_corrected_seed_leaves_what_was_earned_since(self) -> None:
        ledger = ledger_with("next-list")
        import_text(ledger, event("T", 7, "1,,A,B,1-0"))
        publish_period(ledger, "2010-07")
        earned = (explain(ledger, "A", "ENF", "2010-07").closing or 0) - 1800
        do(ledger, seed("A", 1820, dt.date(2010, 7, 1), as_correction=True))
        assert explain(ledger, "A", "ENF", "2010-08").closing == 1820 + earned

    def test_games_of_a_list_are_never_negative(self) -> None:
        ledger = ledger_with("next-list")
        import_text(ledger, event("T", 7, "1,,A,B,1-0"))
        publish_period(ledger, "2010-07")
        do(ledger, c.AnnulResult(tournament="T", round=1, white="A", black="B"))
        rows = show(ledger, "ENF", "2010-08").rows
        assert {row.games for row in rows} == {0}
        assert {row.id: row.rating for row in rows} == {"A": 1800, "B": 1900, "C": 2000}


class TestWhy:
    def test_ratings_brought_in_are_a_cause(self) -> None:
        ledger = ledger_with()
        publish_period(ledger, "2010-07")
        do(ledger, seed("N", 1700, AUGUST), seed("A", 1950, AUGUST))
        for player, points in (("N", 1700), ("A", 150)):
            why = why_of(ledger, player, "ENF", ("2010-07", 1), ("2010-08", None))
            assert why.totals() == {Cause.SEEDS: points}

    def test_backwards_is_refused(self) -> None:
        with pytest.raises(InputRefused):
            why_of(ledger_with(), "A", "ENF", ("2010-08", None), ("2010-07", None))

    def test_somebody_who_was_merged_since(self) -> None:
        ledger = ledger_with()
        import_text(ledger, event("T", 7, "1,,A,B,1-0"))
        publish_period(ledger, "2010-07")
        closing = explain(ledger, "A", "ENF", "2010-07").closing
        do(ledger, c.MergePlayers(player="A", into="M", on=AUGUST))
        assert explain(ledger, "A", "ENF", "2010-07", edition=1).closing == closing
        assert explain(ledger, "A", "ENF", "2010-07").closing == closing
        why = why_of(ledger, "A", "ENF", ("2010-07", 1), ("2010-08", None))
        assert (why.before, why.after) == (closing, closing)
        assert history_of(ledger, "A", "ENF")[0].published == ((1, closing),)


class TestBasis:
    @pytest.mark.parametrize("seq", [0, 1, 9999])
    def test_a_seq_that_cannot_be_asked_for(self, seq: int) -> None:
        with pytest.raises(NotFound):
            explain(PastLedger(ledger_with(), Seq(seq)), "A", "ENF", "2010-07")

    def test_a_period_that_the_calendar_did_not_have_then(self) -> None:
        ledger = ledger_with()
        then = ledger.journal.head().seq
        set_calendar = c.SetCalendar(
            list="ENF",
            calendar=Calendar.QUARTERLY,
            closes_days_before=0,
            on=dt.date(2010, 10, 1),
        )
        import_text(ledger, event("T", 7, "1,,A,B,1-0"))
        import_text(ledger, event("U", 11, "1,,A,B,1-0"))
        assert do(ledger, set_calendar, dry_run=True).shifts is not None
        do(ledger, set_calendar)
        assert show(ledger, "ENF", "2010-Q4").period == "2010-Q4"
        with pytest.raises(NotFound):
            show(PastLedger(ledger, then), "ENF", "2010-Q4")

    def test_a_new_player_is_part_of_the_impact(self) -> None:
        ledger = ledger_with()
        receipt = do(ledger, seed("M", 1500, dt.date(2010, 7, 1)), dry_run=True)
        assert receipt.shifts is not None
        assert {(shift.id, shift.after) for shift in receipt.shifts} == {("M", 1500)}


class TestDays:
    @pytest.mark.parametrize("first_on", [dt.date(2200, 1, 1), dt.date(999, 1, 1)])
    def test_a_list_does_not_begin_in_another_millennium(self, first_on: dt.date) -> None:
        with pytest.raises(InputRefused):
            define(empty_ledger(), first_on=first_on)

    def test_calendars_do_not_jump_over_each_other(self) -> None:
        ledger = ledger_with()

        def set_calendar(calendar: Calendar, on: dt.date) -> c.SetCalendar:
            return c.SetCalendar(list="ENF", calendar=calendar, closes_days_before=0, on=on)

        do(ledger, set_calendar(Calendar.QUARTERLY, dt.date(2011, 7, 1)))
        with pytest.raises(InputRefused):
            do(ledger, set_calendar(Calendar.ANNUAL, dt.date(2011, 1, 1)))


def test_a_rating_is_never_lost_by_losing_games() -> None:
    ledger = empty_ledger()
    define(ledger)
    import_text(ledger, PLAYERS_HEADER + "L,L,,,,5,40,\nO,O,,,,5,40,\n", list_="ENF")
    import_text(ledger, event("T", 7, "1,,L,O,0-1"))
    made = explain(ledger, "L", "ENF", "2010-07")
    assert (made.closing, made.lifted) == (1, 16)


def test_under_next_list_a_published_list_stands_whatever_a_name_becomes() -> None:
    ledger = ledger_with("next-list")
    publish_period(ledger, "2010-07")
    again = publish(ledger, "ENF", "2010-07", request())
    assert again.receipt is None
    assert compare(ledger, "ENF", "2010-07@1", "2010-07").moves == []
