"""FIDE by date on a ledger: which list's ratings count, floors, late reports, other lists."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import pytest

from ledger.answers.lists import show
from ledger.answers.player_questions import explain, why_of
from ledger.calendar import Calendar, fide_calendar, period_named, periods
from ledger.errors import InputRefused, NotFound
from ledger.lists.rating_list import ListRow
from ledger.operations import commands as c
from ledger.rating.postings import Reason
from ledger.reports.why import Cause
from ledger.service.ledger import Ledger
from ledger.service.lists import define_list
from ledger.terms import Rate
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    do,
    empty_ledger,
    import_text,
    publish_period,
    request,
)


def fide_list(
    ledger: Ledger,
    first_on: str,
    *,
    name: str = "FIDE",
    regulation: str = "fide-standard",
    rate: Rate = Rate.CLASSICAL,
    **parameters: int | str,
) -> None:
    define_list(
        ledger, name, regulation=regulation, parameters=parameters, calendar="fide",
        first_on=dt.date.fromisoformat(first_on), policy="restate", rate_of_play=rate,
        closes_days_before=0, request=request(),
    )  # fmt: skip


def players(ledger: Ledger, *rows: str, list_: str = "FIDE") -> None:
    import_text(ledger, PLAYERS_HEADER + "\n".join(rows) + "\n", list_=list_)


def event(name: str, start: str, end: str, *games: str, rate: str = "classical") -> str:
    """A Swiss tournament as CSV; a game is ``round,white,black,result``."""
    rows = []
    for game in games:
        round_, white, black, result = game.split(",")
        rows.append(f"{name},{name},{start},{end},swiss,{rate},,{round_},,{white},{black},{result}")
    return "\n".join(rows) + "\n"


def row(ledger: Ledger, period: str, player: str, list_: str = "FIDE") -> ListRow:
    return next(r for r in show(ledger, list_, period).rows if r.id == player)


class TestWhichRatingsCount:
    def test_a_tournament_is_rated_with_the_list_in_force_on_its_first_day(self) -> None:
        """It starts on 31 October, ends in November: October's ratings, November's period."""
        ledger = empty_ledger()
        fide_list(ledger, "2025-10-01")
        players(ledger, "A,Ana,,,,2100,,100", "B,Ben,,,,2000,,100", "C,Cid,,,,1900,,100")
        october = event("oct", "2025-10-05", "2025-10-07", "1,C,A,1-0")
        over_the_month = event("over", "2025-10-31", "2025-11-02", "1,B,A,1/2-1/2")
        import_text(ledger, GAMES_HEADER + october + over_the_month)
        assert row(ledger, "2025-10", "A").rating == 2085  # D 200, PD .76, K 20
        made = explain(ledger, "A", "FIDE", "2025-11")
        assert made.opening == 2085
        assert [(p.opponent_rating, p.difference) for p in made.postings] == [(2000, 100)]
        assert made.change_exact == Fraction("-2.8")
        assert made.closing == 2082

    def test_who_is_rated_meanwhile_counts_for_himself_only(self) -> None:
        ledger = empty_ledger()
        fide_list(ledger, "2025-10-01")
        rated = [f"R{i},Rated {i},,,,1800,,100" for i in range(6)]
        players(ledger, "N,New,,,,,,", *rated)
        first = event(
            "first", "2025-10-01", "2025-10-05", *(f"{i},N,R{i},1/2-1/2" for i in range(1, 6))
        )
        long = event("long", "2025-10-20", "2025-11-20", "1,N,R0,1-0")
        import_text(ledger, GAMES_HEADER + first + long)
        assert row(ledger, "2025-10", "N").rating == 1800
        newcomer = explain(ledger, "N", "FIDE", "2025-11")
        assert [(p.opponent_rating, p.difference) for p in newcomer.postings] == [(1800, 0)]
        opponent = explain(ledger, "R0", "FIDE", "2025-11")
        assert [line.reason for line in opponent.excluded] == [Reason.OPPONENT_UNRATED]
        assert opponent.change == 0


class TestTheList:
    def test_below_the_floor_a_player_is_unrated_and_may_come_back(self) -> None:
        ledger = empty_ledger()
        fide_list(ledger, "2024-05-01")
        players(ledger, "L,Low,,,,1401,,5", *(f"R{i},Rated {i},,,,1800,,100" for i in range(5)))
        import_text(ledger, GAMES_HEADER + event("one", "2024-05-02", "2024-05-03", "1,L,R0,0-1"))
        fallen = row(ledger, "2024-05", "L")
        assert (fallen.rating, fallen.provisional) == (0, True)
        made = explain(ledger, "L", "FIDE", "2024-05")
        assert (made.change_exact, made.removed, made.closing) == (Fraction("-3.2"), -1398, None)
        causes = why_of(ledger, "L", "FIDE", ("2024-05", None), ("2024-05", None))
        assert causes.after == 0
        back = event(
            "two", "2024-06-02", "2024-06-09", *(f"{i + 1},L,R{i},1/2-1/2" for i in range(5))
        )
        import_text(ledger, GAMES_HEADER + back)
        assert row(ledger, "2024-06", "L").rating == 1800
        assert explain(ledger, "L", "FIDE", "2024-06").first_rating == 1800
        whole = why_of(ledger, "L", "FIDE", ("2024-05", None), ("2024-06", None))
        assert whole.totals() == {Cause.FIRST_RATING: 1800}

    def test_the_uplift_of_march_2024_comes_before_the_new_floor(self) -> None:
        ledger = empty_ledger()
        fide_list(ledger, "2024-02-01")
        players(
            ledger,
            "A,Ana,,,,1000,,50",
            "B,Ben,,,,1999,,50",
            "C,Cid,,,,2000,,50",
            "D,Dee,,,,1501,,50",
        )
        do(
            ledger,
            c.AdjustList(
                list="FIDE", period="2024-02", below=2000, pivot=2000, numerator=2, denominator=5
            ),
        )
        ratings = {r.id: r.rating for r in show(ledger, "FIDE", "2024-02").rows}
        assert ratings == {"A": 1400, "B": 1999, "C": 2000, "D": 1701}

    def test_activity_is_shown(self) -> None:
        ledger = empty_ledger()
        fide_list(ledger, "2023-01-01")
        players(ledger, "A,Ana,,,,2100,,100", "B,Ben,,,,2000,,100", "S,Sam,,,,2000,,100")
        import_text(ledger, GAMES_HEADER + event("one", "2023-03-01", "2023-03-02", "1,A,B,1-0"))
        import_text(ledger, GAMES_HEADER + event("far", "2024-06-01", "2024-06-02", "1,A,B,1-0"))
        assert row(ledger, "2023-11", "S").active  # his rating came less than a year ago
        assert not row(ledger, "2024-01", "S").active
        assert row(ledger, "2024-02", "A").active
        assert not row(ledger, "2024-04", "A").active
        assert row(ledger, "2024-06", "A").active

    def test_a_report_after_the_third_list_is_not_rated(self) -> None:
        def rated_after(published: tuple[str, ...]) -> bool:
            ledger = empty_ledger()
            fide_list(ledger, "2024-01-01")
            players(ledger, "A,Ana,,,,2100,,100", "B,Ben,,,,2000,,100")
            for period in published:
                publish_period(ledger, period, "FIDE")
            import_text(
                ledger, GAMES_HEADER + event("late", "2024-01-02", "2024-01-03", "1,B,A,1-0")
            )
            made = explain(ledger, "A", "FIDE", "2024-01")
            reasons = {line.reason for line in made.excluded}
            assert reasons <= {Reason.LATE_REPORT}
            return not reasons

        assert rated_after(("2024-01", "2024-02"))
        assert not rated_after(("2024-01", "2024-02", "2024-03"))

    def test_a_corrected_base_is_an_event_with_a_reason(self) -> None:
        """FIDE rated a player from 2053 though its list before had 2052."""
        ledger = empty_ledger()
        fide_list(ledger, "2025-10-01")
        opponents = {"1675": "1-0", "2310": "0-1", "1653": "1-0", "1884": "1-0", "2218": "0-1"}
        players(
            ledger, "P,Player,,,,2052,,200", *(f"R{r},Rated {r},,,,{r},,200" for r in opponents)
        )
        do(ledger, c.AdjustRating(player="P", list="FIDE", points=1, on=dt.date(2025, 11, 1)))
        games = [f"{i},P,R{r},{result}" for i, (r, result) in enumerate(opponents.items(), 1)]
        import_text(ledger, GAMES_HEADER + event("open", "2025-11-07", "2025-11-09", *games))
        made = explain(ledger, "P", "FIDE", "2025-11")
        assert (made.ordered, made.opening, made.closing) == (1, 2053, 2053)
        assert made.change_exact == Fraction("-0.2")
        found = why_of(ledger, "P", "FIDE", ("2025-10", None), ("2025-11", None))
        assert found.totals()[Cause.ORDERED] == 1
        assert found.after - found.before == 1


class TestRapid:
    def test_who_has_only_a_standard_rating_enters_with_it(self) -> None:
        ledger = empty_ledger()
        fide_list(ledger, "2024-05-01")
        fide_list(
            ledger, "2024-05-01", name="RAPID", regulation="fide-rapid", rate=Rate.RAPID,
            standard_list="FIDE",
        )  # fmt: skip
        players(ledger, "A,Ana,,,,2100,,100", "B,Ben,,,,2000,,100")
        players(ledger, "B,Ben,,,,2050,,100", list_="RAPID")
        import_text(
            ledger, GAMES_HEADER + event("r", "2024-05-04", "2024-05-04", "1,A,B,1-0", rate="rapid")
        )
        made = explain(ledger, "A", "RAPID", "2024-05")
        assert made.opening == 2100
        assert [(p.opponent_rating, p.difference, p.k) for p in made.postings] == [(2050, 50, 40)]
        assert [p.opponent_rating for p in explain(ledger, "B", "RAPID", "2024-05").postings] == [
            2100
        ]
        assert explain(ledger, "A", "FIDE", "2024-05").postings == ()

    def test_the_list_of_standard_ratings_must_exist_and_be_another(self) -> None:
        ledger = empty_ledger()
        with pytest.raises(NotFound):
            fide_list(ledger, "2024-05-01", name="R", regulation="fide-rapid", standard_list="NONE")
        with pytest.raises(InputRefused) as refused:
            fide_list(ledger, "2024-05-01", name="R", regulation="fide-rapid", standard_list="R")
        assert refused.value.message.key == "list.enters_from_itself"


class TestCalendar:
    def test_the_lists_of_fide(self) -> None:
        segments = fide_calendar(dt.date(1972, 1, 1))
        in_force = {p.in_force_on.isoformat() for p in periods(segments, dt.date(2013, 1, 1))}
        lists = "1973-01 1981-01 1981-07 2000-07 2000-10 2009-07 2009-09 2009-11 2012-07 2012-08"
        for month in lists.split():
            assert f"{month}-01" in in_force, month
        assert not {"1980-07-01", "2000-04-01", "2009-10-01", "2012-06-01"} & in_force

    def test_the_closing_date_of_a_month(self) -> None:
        period = period_named(fide_calendar(dt.date(2024, 1, 1)), "2024-03")
        assert period is not None
        assert period.closes_on == dt.date(2024, 3, 29)

    def test_a_list_follows_it_through_the_years(self) -> None:
        ledger = empty_ledger()
        fide_list(ledger, "2009-01-01")
        kinds = [segment.calendar for _, segment in ledger.facts().lists["FIDE"].segments]
        assert kinds == [Calendar.QUARTERLY, Calendar.TWO_MONTHLY, Calendar.MONTHLY]
