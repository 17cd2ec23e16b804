"""Periods, late facts, merges, list-wide steps: what happens to ratings besides games."""

from __future__ import annotations

import datetime as dt

import pytest

from ledger.answers.lists import show
from ledger.answers.period_states import period_states
from ledger.answers.player_questions import explain, history_of, why_of
from ledger.calendar import Calendar
from ledger.errors import Conflict, InputRefused
from ledger.operations import commands as c
from ledger.reports.tournaments import tournament_sheet
from ledger.results import Result
from ledger.service.ledger import Ledger
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
)

PLAYERS = PLAYERS_HEADER + "A,A,,,,1500,20,50\nB,B,,,,1500,20,50\nC,C,,,,1500,20,50\nN,N,,,,,,\n"


def event(name: str, month: int, *games: str, day: int = 10) -> str:
    date = f"2010-{month:02}-{day:02}"
    about = f"{name},{name},{date},{date},swiss,classical,"
    return GAMES_HEADER + "".join(f"{about},{game}\n" for game in games)


def ledger_with(policy: str = "restate") -> Ledger:
    ledger = empty_ledger()
    define(ledger, policy=policy)  # type: ignore[arg-type]
    import_text(ledger, PLAYERS, list_="ENF")
    return ledger


def rating(ledger: Ledger, player: str, period: str) -> int:
    return next(row.rating for row in show(ledger, "ENF", period).rows if row.id == player)


def corrected(result: str) -> c.CorrectResult:
    return c.CorrectResult(
        tournament="T", round=1, white="A", black="B", result=Result.parse(result)
    )


class TestRestate:
    def test_history_is_recomputed_beside_the_published_list(self) -> None:
        ledger = ledger_with()
        import_text(ledger, event("T", 7, "1,,A,B,1-0"))
        publish_period(ledger, "2010-07")
        do(ledger, corrected("0-1"))
        assert show(ledger, "ENF", "2010-07", edition=1).rows[0].rating == 1510
        assert rating(ledger, "A", "2010-07") == 1490
        assert [state.state for state in period_states(ledger, "ENF")] == ["restated", "open"]
        line = history_of(ledger, "A", "ENF")[0]
        assert (line.published, line.restated) == (((1, 1510),), 1490)

    def test_a_late_tournament_belongs_to_its_own_period(self) -> None:
        ledger = ledger_with()
        publish_period(ledger, "2010-07")
        import_text(ledger, event("T", 7, "1,,A,B,1-0"))
        assert rating(ledger, "A", "2010-07") == 1510
        why = why_of(ledger, "A", "ENF", ("2010-07", 1), ("2010-08", None))
        assert {cause.value: int(p) for cause, p in why.totals().items()} == {"new-games": 10}


class TestNextList:
    def test_published_lists_stand_and_the_next_one_credits(self) -> None:
        ledger = ledger_with("next-list")
        import_text(ledger, event("T", 7, "1,,A,B,1-0"))
        publish_period(ledger, "2010-07")
        do(ledger, corrected("0-1"))
        assert rating(ledger, "A", "2010-07") == 1510
        made = explain(ledger, "A", "ENF", "2010-08")
        (credit,) = made.credits
        assert credit.period == "2010-07"
        assert [int(credit.entitled), int(credit.credited)] == [-10, 10]
        assert (made.opening, made.closing) == (1510, 1490)
        why = why_of(ledger, "A", "ENF", ("2010-07", 1), ("2010-08", None))
        assert {cause.value: int(p) for cause, p in why.totals().items()} == {"corrections": -20}

    def test_a_second_edition_is_refused(self) -> None:
        ledger = ledger_with("next-list")
        import_text(ledger, event("T", 7, "1,,A,B,1-0"))
        publish_period(ledger, "2010-07")
        do(ledger, corrected("0-1"))
        publish_period(ledger, "2010-07")  # nothing in it has changed: it stands
        assert [state.editions for state in period_states(ledger, "ENF")] == [1, 0]

    def test_the_ratings_are_those_of_the_tournaments_own_period(self) -> None:
        ledger = ledger_with("next-list")
        import_text(ledger, event("T", 7, "1,,A,C,1-0", "2,,A,C,1-0", "3,,A,C,1-0"))
        publish_period(ledger, "2010-07")
        assert rating(ledger, "A", "2010-07") == 1530
        import_text(ledger, event("L", 7, "1,,A,B,1-0"))
        assert explain(ledger, "A", "ENF", "2010-08").closing == 1540

    def test_a_late_result_of_a_newcomer_enters_his_bucket(self) -> None:
        ledger = ledger_with("next-list")
        rounds = [f"{n},,N,{o},1/2-1/2" for n, o in enumerate("ABCABC", start=1)]
        import_text(ledger, event("T", 7, *rounds))
        publish_period(ledger, "2010-07")
        import_text(ledger, event("L", 7, *rounds[:3]))
        made = explain(ledger, "N", "ENF", "2010-08")
        assert made.closing == 1500
        publish_period(ledger, "2010-08")
        row = "1,,N,A,1-0"
        with pytest.raises(Conflict):
            import_text(ledger, event("L", 7, row))
        import_text(ledger, event("L", 7, row), as_correction=True, partial=True)
        made = explain(ledger, "N", "ENF", "2010-09")
        (credit,) = made.credits
        assert credit.period is None
        assert credit.entitled - credit.credited == (made.closing or 0) - (made.opening or 0) == 4


class TestTreatment:
    """Which rounds are rated, and what is said of those that are not."""

    @pytest.mark.parametrize(
        ("result", "reason"),
        [
            ("+/-", "forfeit"),
            ("-/-", "forfeit"),
            ("1-0s", "short"),
            ("1-0a", None),
            ("0-0", None),
            ("1/2-0", None),
        ],
    )
    def test_results(self, result: str, reason: str | None) -> None:
        ledger = ledger_with()
        import_text(ledger, event("T", 7, f"1,,A,B,{result}"))
        made = explain(ledger, "A", "ENF", "2010-07")
        assert [line.reason.code for line in made.excluded] == ([reason] if reason else [])
        assert len(made.postings) == (0 if reason else 1)

    def test_a_temporary_adjudication_waits_for_the_definitive_one(self) -> None:
        ledger = ledger_with()
        import_text(ledger, event("T", 7, "1,,A,B,1-0", "2,,A,C,1-0"))
        place = {"tournament": "T", "round": 3, "white": "B", "black": "C"}
        do(
            ledger,
            c.AdjudicateGame(**place, result=Result.parse("1-1a"), ruling="temporary"),  # type: ignore[arg-type]
        )
        made = explain(ledger, "B", "ENF", "2010-07")
        assert [line.reason.code for line in made.excluded] == ["temporary"]
        do(
            ledger,
            c.AdjudicateGame(**place, result=Result.parse("1-0a"), ruling="definitive"),  # type: ignore[arg-type]
        )
        made = explain(ledger, "B", "ENF", "2010-07")
        assert not made.excluded
        assert [line.round for line in made.postings] == [1, 3]

    def test_a_game_played_by_somebody_who_withdrew_later_is_rated(self) -> None:
        ledger = ledger_with()
        import_text(ledger, event("T", 7, "1,,A,B,1-0"))
        do(ledger, c.WithdrawPlayer(tournament="T", player="B", from_round=2))
        assert len(explain(ledger, "A", "ENF", "2010-07").postings) == 1

    def test_a_correction_for_the_rating_only(self) -> None:
        ledger = ledger_with()
        import_text(ledger, event("T", 7, "1,,A,B,1-0"))
        do(
            ledger,
            c.CorrectResult(
                tournament="T", round=1, white="A", black="B", result=None, rating_only=True
            ),
        )
        made = explain(ledger, "A", "ENF", "2010-07")
        assert [line.reason.code for line in made.excluded] == ["not-for-rating"]

    @pytest.mark.parametrize(
        ("ruling", "reason"),
        [("reject", "tournament-rejected"), ("annul", "tournament-annulled")],
    )
    def test_a_tournament_that_does_not_count(self, ruling: str, reason: str) -> None:
        ledger = ledger_with()
        import_text(ledger, event("T", 7, "1,,A,B,1-0"))
        do(ledger, c.RuleOnTournament(tournament="T", ruling=ruling, on=dt.date(2010, 8, 1)))  # type: ignore[arg-type]
        made = explain(ledger, "A", "ENF", "2010-07")
        assert [line.reason.code for line in made.excluded] == [reason]
        assert made.closing == 1500

    def test_blitz_has_no_merit_coefficient_unless_one_is_given(self) -> None:
        ledger = ledger_with()
        text = event("T", 7, "1,,A,B,1-0").replace("classical", "blitz")
        import_text(ledger, text)
        made = explain(ledger, "A", "ENF", "2010-07")
        assert [line.reason.code for line in made.excluded] == ["no-merit"]
        import_text(ledger, text.replace("T,T,", "U,U,").replace("blitz,", "blitz,0.25"))
        assert explain(ledger, "A", "ENF", "2010-07").change_exact * 4 == 10


class TestAdministration:
    def test_merged_ids_are_one_player(self) -> None:
        ledger = ledger_with()
        import_text(ledger, event("T", 7, "1,,A,B,1-0"))
        import_text(ledger, event("U", 7, "2,,N,B,1-0"))
        do(ledger, c.MergePlayers(player="N", into="A", on=dt.date(2010, 8, 1)))
        assert {row.id for row in show(ledger, "ENF", "2010-07").rows} == {"A", "B", "C"}
        assert [line.round for line in explain(ledger, "N", "ENF", "2010-07").postings] == [1, 2]

    def test_ids_that_cannot_be_one_person_are_not_merged(self) -> None:
        ledger = ledger_with()
        import_text(ledger, event("T", 7, "1,,A,B,1-0", "1,,N,C,1-0"))
        for player, key in (("N", "player.merge_two"), ("C", "player.merge_two")):
            with pytest.raises(InputRefused) as refusal:
                do(ledger, c.MergePlayers(player=player, into="A", on=dt.date(2010, 8, 1)))
            assert refusal.value.message.key == key
        other = ledger_with()
        with pytest.raises(InputRefused) as refusal:
            do(other, c.MergePlayers(player="B", into="A", on=dt.date(2010, 8, 1)))
        assert refusal.value.message.key == "player.merge_seeds"

    def test_the_last_word_on_a_k_holds_wherever_it_was_said(self) -> None:
        ledger = ledger_with()
        do(ledger, c.AssignK(player="A", k=25, list=None, on=dt.date(2010, 8, 1)))
        do(ledger, c.AssignK(player="A", k=10, list="ENF", on=dt.date(2010, 9, 1)))
        ks = [explain(ledger, "A", "ENF", f"2010-{month:02}").k for month in (7, 8, 9)]
        assert ks == [20, 25, 10]

    @pytest.mark.parametrize("share", [(-1, 5), (6, 5)])
    def test_a_step_goes_neither_back_nor_too_far(self, share: tuple[int, int]) -> None:
        step = c.AdjustList(
            list="ENF",
            period="2010-07",
            below=2000,
            pivot=2000,
            numerator=share[0],
            denominator=share[1],
        )
        with pytest.raises(InputRefused):
            do(ledger_with(), step)

    def test_a_list_wide_step(self) -> None:
        ledger = ledger_with()
        step = c.AdjustList(
            list="ENF", period="2010-07", below=2000, pivot=2000, numerator=2, denominator=5
        )
        do(ledger, step)
        assert rating(ledger, "A", "2010-07") == 1700
        made = explain(ledger, "A", "ENF", "2010-07")
        assert (made.adjustment, made.opening, made.closing) == (200, 1500, 1700)

    def test_another_regulation_from_a_day_on(self) -> None:
        ledger = ledger_with()
        import_text(ledger, event("T", 7, "1,,A,B,1-0"))
        import_text(ledger, event("U", 8, "1,,A,B,1-0"))
        command = c.AdoptRegulation(
            list="ENF",
            regulation="enf-2010",
            parameters={"merit_classical": 50},
            regulation_digest="0" * 64,
            on=dt.date(2010, 8, 1),
        )
        do(ledger, command)
        assert explain(ledger, "A", "ENF", "2010-07").change_exact == 10
        assert explain(ledger, "A", "ENF", "2010-08").postings[0].merit * 2 == 1

    def test_another_calendar_from_a_day_on(self) -> None:
        ledger = ledger_with()
        import_text(ledger, event("T", 10, "1,,A,B,1-0"))
        do(
            ledger,
            c.SetCalendar(
                list="ENF",
                calendar=Calendar.QUARTERLY,
                closes_days_before=0,
                on=dt.date(2010, 10, 1),
            ),
        )
        assert [state.period.name for state in period_states(ledger, "ENF")] == [
            "2010-07",
            "2010-08",
            "2010-09",
            "2010-Q4",
        ]
        with pytest.raises(InputRefused):
            do(
                ledger,
                c.SetCalendar(
                    list="ENF",
                    calendar=Calendar.MONTHLY,
                    closes_days_before=0,
                    on=dt.date(2010, 11, 1),
                ),
            )

    def test_a_k_holds_from_the_next_period_on(self) -> None:
        ledger = ledger_with()
        import_text(ledger, event("T", 7, "1,,A,B,1-0", day=20))
        import_text(ledger, event("U", 8, "1,,A,B,1-0"))
        do(ledger, c.AssignK(player="A", k=40, list="ENF", on=dt.date(2010, 7, 15)))
        assert explain(ledger, "A", "ENF", "2010-07").k == 20
        assert explain(ledger, "A", "ENF", "2010-08").k == 40

    def test_k_by_the_rule_where_none_is_assigned(self) -> None:
        ledger = empty_ledger()
        define(ledger)
        seeds = (
            "new,new,,,,1500,,29\nold,old,,,,1500,,30\ntop,top,,,,2400,,900\nboth,both,,,,2450,,5\n"
        )
        import_text(ledger, PLAYERS_HEADER + seeds, list_="ENF")
        rows = {row.id: row.k for row in show(ledger, "ENF", "2010-07").rows}
        assert rows == {"new": 30, "old": 15, "top": 10, "both": 30}


def test_two_lists_may_live_on_the_same_events() -> None:
    ledger = ledger_with()
    define(ledger, "MEAN", parameters={"method": "mean"}, calendar=Calendar.QUARTERLY)
    import_text(ledger, PLAYERS, list_="MEAN")
    import_text(ledger, event("T", 7, "1,,A,B,1-0"))
    assert rating(ledger, "A", "2010-07") == 1510
    assert show(ledger, "MEAN", "2010-Q3").rows[0].rating == 1510


class TestCrosstable:
    """Scores of an all-play-all from which somebody withdrew, by the rule of the manual."""

    def scores(self, withdrew_after: int) -> dict[str, str]:
        ledger = empty_ledger()
        define(ledger)
        import_text(ledger, PLAYERS_HEADER + "".join(f"{p},{p},,,,1500,,\n" for p in "ABCDE"))
        rounds = [
            ("A", "B", "1-0"), ("A", "C", "1-0"), ("A", "D", "0-1"), ("B", "C", "1-0"),
            ("B", "D", "1-0"), ("B", "E", "1-0"), ("C", "D", "1-0"), ("C", "E", "1-0"),
            ("D", "E", "1-0"),
        ]  # fmt: skip
        games = [g for n, g in enumerate(rounds) if "A" not in g or n < withdrew_after]
        rows = [f"{n},,{w},{b},{r}" for n, (w, b, r) in enumerate(games, start=1)]
        text = event("T", 7, *rows, "9,,A,,Z").replace("swiss", "round-robin")
        import_text(ledger, text)
        do(ledger, c.WithdrawPlayer(tournament="T", player="A", from_round=9))
        facts = ledger.facts()
        record = ledger.register(["tournament:T"], facts.seq).tournaments["T"]
        table = tournament_sheet(record, facts, ledger.people(facts)).data()
        assert table["players"][0]["withdrew_from"] == 9
        return {row["id"]: row["points"] for row in table["players"]}

    def test_before_half_of_the_games_his_games_count_for_nobody(self) -> None:
        assert self.scores(1) == {"A": "0", "B": "3", "C": "2", "D": "1", "E": "0"}

    def test_later_the_rest_are_wins_for_the_others(self) -> None:
        assert self.scores(2) == {"A": "2", "B": "3", "C": "2", "D": "2", "E": "1"}
