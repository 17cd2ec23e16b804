"""A tournament that is said to be rated in another period than the one in which it ended."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest
from hypothesis import given

from ledger.answers.list_figures import performance_of
from ledger.answers.lists import show
from ledger.answers.period_states import period_states
from ledger.answers.player_questions import explain
from ledger.answers.tournaments import tournament_worksheet
from ledger.errors import Conflict, InputRefused, LedgerError, NotFound
from ledger.events.tournaments import TournamentAccepted
from ledger.intake.imports import Document, Supplied, import_document
from ledger.operations import commands as c
from ledger.reports.statement import Ordered
from ledger.service.ledger import Ledger, Request
from ledger.terms import PerformanceTable, Rate
from ledger.trust.verification import verify
from ledger.views.list_editions import rated_in
from ledger.views.past import PastLedger
from tests.differential.strategies import Federation, federations, games_csv
from tests.differential.support import LIST, new_ledger, take
from tests.laws.support import PERIODS, law
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
)

TODAY = dt.date(2026, 1, 1)
PEOPLE = PLAYERS_HEADER + "A,A,,,,1500,20,50\nB,B,,,,1500,20,50\n"
LATE = GAMES_HEADER + "late,late,2010-07-05,2010-07-10,swiss,classical,,1,,A,B,1-0\n"


def ledger_with(*lists: str, policy: str = "restate") -> Ledger:
    ledger = empty_ledger()
    for name in lists or ("ENF",):
        define(ledger, name, policy=policy)  # type: ignore[arg-type]
        import_text(ledger, PEOPLE, list_=name)
    return ledger


def ruling(period: str, list_: str = "ENF", *, as_correction: bool = False) -> c.RuleOnTournament:
    return c.RuleOnTournament(
        tournament="late", ruling="accept", on=TODAY, rated_in=c.RatedIn(list_, period),
        as_correction=as_correction,
    )  # fmt: skip


def import_late(ledger: Ledger, period: str, *, as_correction: bool = False) -> int:
    """Imports the event as one of a period; returns how many events were appended."""
    document = Document(
        name="late.csv", data=LATE.encode(), as_correction=as_correction,
        supplied=Supplied(rated_in=rated_in(ledger, period)),
    )  # fmt: skip
    receipt = import_document(ledger, document, Request("tester", "test", "", ""))
    return 0 if receipt.repeated else len(receipt.events)


def rated(ledger: Ledger, list_: str = "ENF") -> dict[str, int]:
    """The periods in which A's game was rated, and his rating after each."""
    found = {}
    for period in ("2010-07", "2010-08", "2010-09"):
        made = explain(ledger, "A", list_, period)
        if made.postings:
            found[period] = made.closing or 0
    return found


@pytest.mark.parametrize("policy", ["restate", "next-list"])
def test_at_import(policy: str) -> None:
    ledger = ledger_with(policy=policy)
    publish_period(ledger, "2010-07")
    import_late(ledger, "2010-09")
    assert rated(ledger) == {"2010-09": 1510}
    assert not explain(ledger, "A", "ENF", "2010-08").credits
    assert [state.state for state in period_states(ledger, "ENF")] == ["published", "open", "open"]
    assert not verify(ledger).findings


def test_the_same_import_again_adds_nothing_and_another_period_is_a_conflict() -> None:
    ledger = ledger_with()
    import_late(ledger, "2010-08")
    assert import_late(ledger, "ENF:2010-08") == 0
    with pytest.raises(Conflict):
        import_late(ledger, "2010-09")
    assert import_late(ledger, "2010-09", as_correction=True) == 1
    assert rated(ledger) == {"2010-09": 1510}


def test_of_a_tournament_that_is_recorded() -> None:
    ledger = ledger_with()
    import_text(ledger, LATE)
    before = ledger.journal.head().seq
    do(ledger, ruling("2010-08"))
    assert rated(ledger) == {"2010-08": 1510}
    assert explain(PastLedger(ledger, before), "A", "ENF", "2010-07").closing == 1510
    do(ledger, ruling("2010-07"))
    assert rated(ledger) == {"2010-07": 1510}


def test_the_preview_says_what_moves() -> None:
    ledger = ledger_with()
    import_text(ledger, LATE)
    shifts = do(ledger, ruling("2010-08"), dry_run=True).shifts or ()
    assert {(shift.period, shift.id, shift.after - shift.before) for shift in shifts} == {
        ("2010-07", "A", -10), ("2010-07", "B", 10),
    }  # fmt: skip


def test_of_one_list_and_not_of_the_others() -> None:
    ledger = ledger_with("ENF", "CLUB")
    import_text(ledger, LATE)
    do(ledger, ruling("2010-08"))
    assert rated(ledger, "ENF") == {"2010-08": 1510}
    assert rated(ledger, "CLUB") == {"2010-07": 1510}


def test_an_event_that_ended_before_the_list_began() -> None:
    ledger = empty_ledger()
    define(ledger, first_on=dt.date(2010, 8, 1))
    import_text(ledger, PEOPLE, list_="ENF")
    import_text(ledger, LATE)
    assert show(ledger, "ENF", "2010-08").rows[0].rating == 1500
    do(ledger, ruling("2010-09"))
    assert explain(ledger, "A", "ENF", "2010-09").closing == 1510


def test_its_performance_and_worksheet_are_by_the_ratings_of_that_period() -> None:
    ledger = ledger_with()
    import_text(ledger, LATE.replace("swiss", "round-robin"))
    import_text(ledger, LATE.replace("late,late", "own,own"))
    do(ledger, ruling("2010-08"))
    performance = performance_of(ledger, "B", "late", "ENF", PerformanceTable.OF_1972)
    assert (performance.period, [game.rating for game in performance.games]) == ("2010-08", [1510])
    sheet = tournament_worksheet(ledger, "late", "ENF")
    assert (sheet.period, [row.rating for row in sheet.rows]) == ("2010-08", [1510, 1490])


def test_its_performance_when_it_ended_before_the_list_began() -> None:
    ledger = empty_ledger()
    define(ledger, first_on=dt.date(2010, 8, 1))
    import_text(ledger, PEOPLE, list_="ENF")
    import_text(ledger, LATE)
    do(ledger, ruling("2010-09"))
    assert performance_of(ledger, "A", "late", "ENF", PerformanceTable.OF_1972).period == "2010-09"


def test_results_corrected_afterwards_follow() -> None:
    ledger = ledger_with(policy="next-list")
    import_late(ledger, "2010-08")
    publish_period(ledger, "2010-08")
    annul = c.AnnulResult(tournament="late", round=1, white="A", black="B")
    do(ledger, annul)
    (credit,) = explain(ledger, "A", "ENF", "2010-09").credits
    assert (credit.period, int(credit.credit)) == ("2010-08", -10)


def test_who_said_so_is_told() -> None:
    ledger = ledger_with()
    import_late(ledger, "2010-08")
    (order,) = explain(ledger, "A", "ENF", "2010-08").orders[-1:]
    assert (order.kind, order.value, order.tournament) == (Ordered.RATED_IN, "2010-08", "late")
    assert (order.actor, order.reason) == ("tester", "test")


class TestRefused:
    @pytest.mark.parametrize(
        ("said", "key"),
        [
            (ruling("2010-06"), "list.no_period"),
            (ruling("2010-Q4"), "list.no_period"),
            (ruling("2010-09", "NONE"), "list.unknown"),
            (ruling("2010-08"), "list.closed"),
        ],
    )
    def test_impossible_periods(self, said: c.RuleOnTournament, key: str) -> None:
        ledger = ledger_with()
        import_text(ledger, LATE)
        publish_period(ledger, "2010-08")
        with pytest.raises(LedgerError) as refused:
            do(ledger, said)
        assert refused.value.message.key == key

    def test_a_published_period_needs_a_correction(self) -> None:
        ledger = ledger_with()
        import_text(ledger, LATE)
        publish_period(ledger, "2010-08")
        do(ledger, ruling("2010-08", as_correction=True))
        assert rated(ledger) == {"2010-08": 1510}

    @pytest.mark.parametrize("policy", ["restate", "next-list"])
    def test_what_a_published_list_counted_is_taken_out_as_a_correction(self, policy: str) -> None:
        ledger = ledger_with(policy=policy)
        import_text(ledger, LATE)
        publish_period(ledger, "2010-07")
        with pytest.raises(InputRefused) as refused:
            do(ledger, ruling("2010-09"))
        assert refused.value.message.key == "list.closed"
        do(ledger, ruling("2010-09", as_correction=True))
        assert rated(ledger)["2010-09"] == 1510

    def test_nor_out_of_a_published_period_it_was_put_into(self) -> None:
        ledger = ledger_with()
        import_late(ledger, "2010-08")
        publish_period(ledger, "2010-08")
        with pytest.raises(InputRefused) as refused:
            do(ledger, ruling("2010-09"))
        assert refused.value.message.key == "list.closed"

    def test_a_later_list_has_counted_it_too(self) -> None:
        ledger = ledger_with()
        publish_period(ledger, "2010-07")
        import_text(ledger, LATE)
        publish_period(ledger, "2010-08")
        with pytest.raises(InputRefused) as refused:
            do(ledger, ruling("2010-09"))
        assert refused.value.message.key == "list.closed"

    def test_what_came_too_late_for_the_published_list_is_in_none_yet(self) -> None:
        ledger = ledger_with()
        publish_period(ledger, "2010-07")
        import_text(ledger, LATE)
        do(ledger, ruling("2010-09"))
        assert rated(ledger) == {"2010-09": 1510}

    def test_a_correction_of_no_period(self) -> None:
        ledger = ledger_with()
        import_text(ledger, LATE)
        do(ledger, c.RuleOnTournament(tournament="late", ruling="reject", on=TODAY))
        with pytest.raises(InputRefused) as refused:
            do(
                ledger,
                c.RuleOnTournament(
                    tournament="late", ruling="accept", on=TODAY, as_correction=True
                ),
            )
        assert refused.value.message.key == "tournament.corrects_no_period"

    def test_a_period_that_closes_before_the_end(self) -> None:
        ledger = ledger_with()
        import_text(ledger, LATE.replace("2010-07-10", "2010-08-10"))
        with pytest.raises(InputRefused) as refused:
            do(ledger, ruling("2010-07"))
        assert refused.value.message.key == "tournament.rated_before_end"

    def test_the_same_again(self) -> None:
        ledger = ledger_with()
        import_text(ledger, LATE)
        do(ledger, ruling("2010-08"))
        with pytest.raises(InputRefused) as refused:
            do(ledger, ruling("2010-08"))
        assert refused.value.message.key == "tournament.rated_in_already"

    def test_a_list_of_another_rate_of_play(self) -> None:
        ledger = ledger_with()
        define(ledger, "RAPID", rate_of_play=Rate.RAPID)
        import_text(ledger, LATE)
        with pytest.raises(InputRefused) as refused:
            do(ledger, ruling("2010-08", "RAPID"))
        assert refused.value.message.key == "tournament.not_of_list"

    @pytest.mark.parametrize(
        ("text", "error"),
        [("2010-08", NotFound), ("X:2010-08", NotFound), ("ENF:2010-Q3", NotFound)],
    )
    def test_what_names_no_period_of_a_list(self, text: str, error: type[LedgerError]) -> None:
        with pytest.raises(error):
            rated_in(ledger_with("ENF", "CLUB"), text)

    def test_people_are_not_rated_in_a_period(self) -> None:
        ledger = ledger_with()
        supplied = Supplied(rated_in=c.RatedIn("ENF", "2010-08"))
        document = Document(name="people.csv", data=PEOPLE.encode(), supplied=supplied)
        with pytest.raises(InputRefused) as refused:
            import_document(ledger, document, Request("tester", "test", "", ""))
        assert refused.value.message.key == "import.rated_in_of_people"


def test_what_was_recorded_before_is_the_same_to_the_byte() -> None:
    assert TournamentAccepted(tournament="T").canonical() == '{"tournament":"T"}'
    with pytest.raises(ValueError, match="a period is one of a list"):
        TournamentAccepted(tournament="T", period="2010-08")


@law(8)
@given(federations(most_players=8))
def test_it_is_as_if_it_had_ended_there(federation: Federation) -> None:
    """Under a regulation that rates with the ratings of the period, whatever the events are."""
    september = dt.date(2010, 9, 20)
    ledger, moved = (new_ledger(federation.rules) for _ in range(2))
    for each in (ledger, moved):
        take(each, federation.players_csv(), seeds=True)
    for event in federation.events:
        take(ledger, games_csv(event))
        put = c.RuleOnTournament(
            tournament=event.id, ruling="accept", on=TODAY, rated_in=c.RatedIn(LIST, "2010-09")
        )
        if f"{event.ends_on:%Y-%m}" != "2010-09":
            do(ledger, put)
        take(moved, games_csv(replace(event, starts_on=september, ends_on=september)))
    for period in PERIODS:
        assert show(ledger, LIST, period).rows == show(moved, LIST, period).rows
