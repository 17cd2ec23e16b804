"""A tournament is announced, opened, played, reported and rated, and the calendar says how far."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from ledger.answers.tournament_calendar import (
    announced_tournament,
    reports_due,
    tournament_calendar,
)
from ledger.answers.tournaments import require_tournament
from ledger.errors import InputRefused
from ledger.events.tournaments import ReportDetails
from ledger.identifiers import Seq
from ledger.intake.documents import Document, Supplied
from ledger.intake.imports import import_document
from ledger.intake.report_file import tournament_report
from ledger.operations import commands as c
from ledger.reports.tournament_calendar import CalendarRow
from ledger.results import Result
from ledger.service.ledger import Ledger
from ledger.service.retractions import undo_commit
from ledger.terms import CalendarState, Rate, System
from ledger.views.federation import FederationRules
from ledger.views.past import PastLedger
from tests.ledgers import (
    GAMES_HEADER,
    NOW,
    about,
    define,
    do,
    import_text,
    ledger_of,
    publish_period,
    request,
)

TODAY = NOW.date()  # the first of January of 2026
DAY = dt.timedelta(days=1)


@pytest.fixture
def ledger() -> Ledger:
    return ledger_of("A,1800,,50", "B,1700,,50", first_on=TODAY)


def announce(
    tournament: str = "copa", start: dt.date = TODAY + 3 * DAY, days: int = 2, **others: object
) -> c.AnnounceTournament:
    said = {"name": tournament.title(), "rate_of_play": Rate.CLASSICAL, **others}
    return c.AnnounceTournament(
        tournament=tournament,
        starts_on=start,
        ends_on=start + (days - 1) * DAY,
        **said,  # type: ignore[arg-type]  # what a test says is of its field
    )


COPA = announce(
    time_control="90 min + 30 s", chief_arbiter="Paula Ávila", place="Talca", region="Maule Sur",
    federation="CHI", announced_by="Club Talca", rounds=1,
)  # fmt: skip


def rows(ledger: Ledger, **wanted: object) -> dict[str, CalendarRow]:
    wanted = {"since": dt.date(2000, 1, 1), "until": dt.date(2030, 1, 1)} | wanted
    found = tournament_calendar(ledger, **wanted)  # type: ignore[arg-type]  # as above
    return {row.tournament: row for row in found.tournaments}


def at(ledger: Ledger, day: dt.date) -> None:
    """Lets some time go by."""
    ledger.clock = lambda: dt.datetime.combine(day, dt.time(12), dt.UTC)


def refusal(ledger: Ledger, *commands: c.Command) -> str:
    with pytest.raises(InputRefused) as refused:
        do(ledger, *commands)
    return refused.value.message.key


def undo(ledger: Ledger, commit: int | None) -> None:
    assert commit is not None
    undo_commit(ledger, c.UndoCommit(commit=commit), request("wrong"))


def state(ledger: Ledger, tournament: str = "copa") -> str:
    return rows(ledger)[tournament].state.value


def open_and_enter(ledger: Ledger) -> None:
    do(ledger, c.OpenTournament(tournament="copa"))
    do(ledger, *(c.EnterPlayer(tournament="copa", player=player) for player in "AB"))


def play(ledger: Ledger, round_: int = 1) -> None:
    game = c.RecordGame(
        tournament="copa", round=round_, white="A", black="B", result=Result.parse("1-0")
    )
    do(ledger, game)


# How far it has come


def test_it_moves_on_by_itself_from_the_announcement_to_a_list(ledger: Ledger) -> None:
    do(ledger, COPA)
    assert state(ledger) == "announced"
    do(ledger, c.OpenTournament(tournament="copa"))
    assert state(ledger) == "announced"
    do(ledger, *(c.EnterPlayer(tournament="copa", player=player) for player in "AB"))
    row = rows(ledger)["copa"]
    assert (row.state, row.players, row.opened) == (CalendarState.REGISTRATION, 2, True)
    at(ledger, COPA.starts_on)
    assert state(ledger) == "playing"
    play(ledger)
    at(ledger, COPA.ends_on)
    assert state(ledger) == "playing"
    at(ledger, COPA.ends_on + 3 * DAY)
    row = rows(ledger)["copa"]
    assert (row.state, row.due_days, row.complete) == (CalendarState.PLAYED, 3, True)
    do(ledger, c.CloseTournament(tournament="copa", on=ledger.today))
    row = rows(ledger)["copa"]
    assert (row.state, row.due_days, row.complete) == (CalendarState.REPORTED, None, None)
    at(ledger, dt.date(2026, 2, 10))
    publish_period(ledger, "2026-01")
    row = rows(ledger)["copa"]
    assert (row.state, row.rated_in) == (CalendarState.RATED, ("ENF:2026-01",))
    assert row.stage.within("en") == "rated: ENF 2026-01"


def test_a_report_is_late_after_a_week_but_not_where_all_results_are_in(ledger: Ledger) -> None:
    do(ledger, replace(COPA, rounds=2), announce("nadie"))
    open_and_enter(ledger)
    at(ledger, COPA.starts_on)
    play(ledger)
    at(ledger, COPA.ends_on + 7 * DAY)
    assert {each.state.value for each in rows(ledger).values()} == {"played"}
    at(ledger, COPA.ends_on + 8 * DAY)
    assert {each.state.value for each in rows(ledger).values()} == {"late"}
    assert [row.complete for row in rows(ledger).values()] == [False, False]
    assert [row.tournament for row in reports_due(ledger, ledger.today)] == ["copa", "nadie"]
    assert "8 days" in rows(ledger)["nadie"].stage.within("en")
    do(ledger, c.AdjournGame(tournament="copa", round=2, white="A", black="B"))
    assert state(ledger) == "late"
    play(ledger, 2)
    assert (state(ledger), rows(ledger)["copa"].complete) == ("played", True)


def test_what_is_rejected_or_annulled_is_not_waited_for(ledger: Ledger) -> None:
    do(ledger, COPA)
    open_and_enter(ledger)
    at(ledger, COPA.ends_on + DAY)
    reject, annul = (
        c.RuleOnTournament(tournament="copa", ruling=ruling, on=ledger.today)
        for ruling in ("reject", "annul")
    )
    do(ledger, reject)
    assert state(ledger) == "rejected"
    do(ledger, annul)
    assert (state(ledger), reports_due(ledger, ledger.today)) == ("cancelled", [])


def test_a_tournament_is_rated_by_lists_of_its_rate_that_knew_it(ledger: Ledger) -> None:
    do(ledger, replace(COPA, rate_of_play=Rate.RAPID))
    define(ledger, "RAPID", regulation="fide-rapid", first_on=TODAY, rate_of_play=Rate.RAPID)
    define(ledger, "BLITZ", regulation="fide-blitz", first_on=TODAY, rate_of_play=Rate.BLITZ)
    open_and_enter(ledger)
    at(ledger, dt.date(2026, 2, 10))
    publish_period(ledger, "2026-01", "RAPID")
    publish_period(ledger, "2026-01", "BLITZ")
    play(ledger)  # too late for that list
    assert state(ledger) == "played"
    at(ledger, dt.date(2026, 3, 10))
    publish_period(ledger, "2026-02", "RAPID")
    assert rows(ledger)["copa"].rated_in == ("RAPID:2026-01",)


# What is announced


def test_what_is_announced_last_holds(ledger: Ledger) -> None:
    do(ledger, COPA)
    assert refusal(ledger, COPA) == "tournament.announced_so"
    moved = replace(COPA, starts_on=TODAY + 60 * DAY, ends_on=TODAY + 61 * DAY)
    receipt = do(ledger, moved)
    assert rows(ledger, until=TODAY + 30 * DAY) == {}
    assert rows(ledger)["copa"].starts_on == moved.starts_on
    before = PastLedger(ledger, Seq(receipt.first_seq - 1))
    assert rows(before)["copa"].starts_on == COPA.starts_on  # type: ignore[arg-type]  # a view
    undo(ledger, receipt.commit_id)
    assert rows(ledger)["copa"].starts_on == COPA.starts_on


def test_a_cancelled_one_is_seen_and_can_be_announced_again(ledger: Ledger) -> None:
    cancel = c.CancelTournament(tournament="copa")
    assert cancel.needs_reason
    assert refusal(ledger, cancel) == "tournament.not_announced"
    do(ledger, COPA)
    receipt = do(ledger, cancel)
    assert (state(ledger), rows(ledger)["copa"].announced) == ("cancelled", False)
    assert announced_tournament(ledger, "copa") is None
    assert refusal(ledger, cancel) == "tournament.cancelled_already"
    assert refusal(ledger, c.OpenTournament(tournament="copa")) == "tournament.was_cancelled"
    undo(ledger, receipt.commit_id)
    assert state(ledger) == "announced"
    do(ledger, cancel)
    do(ledger, COPA)
    assert state(ledger) == "announced"
    open_and_enter(ledger)
    assert refusal(ledger, cancel) == "tournament.cancels_open"
    assert refusal(ledger, COPA) == "tournament.open_already"


def test_days_that_cannot_be_are_refused(ledger: Ledger) -> None:
    assert refusal(ledger, announce(days=0)) == "tournament.ends_before_start"
    assert refusal(ledger, announce(start=dt.date(1026, 1, 1))) == "tournament.no_such_year"
    with pytest.raises(InputRefused) as refused:
        tournament_calendar(ledger, TODAY, TODAY - DAY)
    assert refused.value.message.key == "calendar.ends_before_start"


def test_an_announcement_is_taken_back_unless_others_stand_on_it(ledger: Ledger) -> None:
    announced = do(ledger, COPA)
    cancelled = do(ledger, c.CancelTournament(tournament="copa"))
    with pytest.raises(InputRefused) as refused:
        undo(ledger, announced.commit_id)
    assert [each.message.key for each in refused.value.details] == ["undo.later"]
    undo(ledger, cancelled.commit_id)
    undo(ledger, announced.commit_id)
    assert rows(ledger) == {}
    undo(ledger, ledger.journal.head().commit_id)
    assert state(ledger) == "announced"
    opened = do(ledger, c.OpenTournament(tournament="copa"))
    undo(ledger, opened.commit_id)  # what was announced before stands in no way of it
    assert (state(ledger), rows(ledger)["copa"].opened) == ("announced", False)


def test_the_calendar_is_cut_by_days_state_federation_and_region(ledger: Ledger) -> None:
    do(ledger, COPA, announce("otra", TODAY + 40 * DAY, federation="ARG"), announce("vieja",
        TODAY - 20 * DAY))  # fmt: skip
    usual = tournament_calendar(ledger)
    assert (usual.since, usual.until) == (TODAY, TODAY + 365 * DAY)
    assert [row.tournament for row in usual.tournaments] == ["copa", "otra"]
    late = tournament_calendar(ledger, state=CalendarState.LATE)
    assert [row.tournament for row in late.tournaments] == ["vieja"]
    assert [*rows(ledger, federation="arg")] == ["otra"]
    assert [*rows(ledger, region="sur maule")] == ["copa"]
    assert [*rows(ledger, region="norte")] == []
    assert [*rows(ledger, since=COPA.ends_on, until=COPA.ends_on)] == ["copa"]
    months = {month: [row.tournament for row in found] for month, found in usual.months()}
    assert months[dt.date(2026, 1, 1)] == ["copa"]
    assert months[dt.date(2026, 2, 1)] == ["otra"]
    assert len(months) == 13


# What opening takes over


def test_opening_takes_over_what_is_not_said_otherwise(ledger: Ledger) -> None:
    do(ledger, COPA)
    do(
        ledger,
        c.OpenTournament(
            tournament="copa", place="Curicó", report=ReportDetails(chief_arbiter="Luis Moreno")
        ),
    )
    version = require_tournament(ledger, "copa", ledger.facts().seq).version
    assert (version.name, version.place, version.rounds) == ("Copa", "Curicó", 1)
    assert (version.system, version.federation) == (System.SWISS, "CHI")
    assert version.report == ReportDetails(
        chief_arbiter="Luis Moreno", time_control="90 min + 30 s"
    )
    row = rows(ledger)["copa"]
    assert (row.region, row.announced_by, row.place) == ("Maule Sur", "Club Talca", "Curicó")


def test_what_was_not_announced_must_be_said(ledger: Ledger) -> None:
    with pytest.raises(InputRefused) as refused:
        do(ledger, c.OpenTournament(tournament="copa", name="Copa"))
    assert "start, end, rate of play" in refused.value.message.within("en")


def test_a_document_takes_over_what_it_does_not_say(ledger: Ledger) -> None:
    do(ledger, COPA)
    at(ledger, COPA.ends_on + DAY)
    text = GAMES_HEADER + "copa,La Copa,,,,,,1,,A,B,1-0\n"
    receipt = import_text(ledger, text)
    assert receipt.notes == ()
    version = require_tournament(ledger, "copa", receipt.last_seq).version
    assert (version.name, version.starts_on, version.place) == ("La Copa", COPA.starts_on, "Talca")
    assert version.report == ReportDetails(
        chief_arbiter="Paula Ávila", time_control="90 min + 30 s"
    )
    assert not import_text(ledger, text).events


def test_a_report_takes_over_what_it_does_not_say(ledger: Ledger) -> None:
    do(ledger, replace(COPA, tournament="informe"))
    at(ledger, COPA.ends_on + DAY)
    other = ledger_of("A,1800,,50", "B,1700,,50", first_on=TODAY)
    import_text(other, GAMES_HEADER + about("torneo", "2026-01-01", "A,B,1-0"))
    report = tournament_report(other, "torneo", None)
    supplied = Supplied(tournament="informe", name="Torneo")
    document = Document(name="report.trf", data=report, supplied=supplied)
    receipt = import_document(ledger, document, request())
    version = require_tournament(ledger, "informe", receipt.last_seq).version
    assert (version.name, version.place, version.rate_of_play) == (
        "Torneo", "Talca", Rate.CLASSICAL,
    )  # fmt: skip
    assert version.report is not None
    assert version.report.time_control == "90 min + 30 s"


# What was not announced


def unannounced(rule: str) -> Ledger:
    ledger = ledger_of("A,1800,,50", "B,1700,,50", first_on=TODAY)
    ledger.federation = FederationRules(unannounced=rule)
    return ledger


OPEN = c.OpenTournament(
    tournament="copa", name="Copa", starts_on=TODAY - 9 * DAY, ends_on=TODAY - 8 * DAY,
    rate_of_play=Rate.CLASSICAL,
)  # fmt: skip
DAYS = f"{OPEN.starts_on},{OPEN.ends_on}"
PLAIN = f"{GAMES_HEADER}otra,Otra,{DAYS},swiss,classical,,1,,A,B,1-0\n"


def test_what_was_not_announced_is_refused_where_the_federation_wants_it() -> None:
    ledger = unannounced("refuse")
    assert refusal(ledger, OPEN) == "tournament.unannounced"
    with pytest.raises(InputRefused) as refused:
        import_text(ledger, PLAIN)
    (problem,) = refused.value.details
    assert (problem.message.key, problem.line) == ("tournament.unannounced", 2)
    do(ledger, announce("otra", TODAY - 9 * DAY), announce(start=TODAY - 9 * DAY))
    assert do(ledger, OPEN).notes == ()
    assert import_text(ledger, PLAIN).events


def test_a_cancelled_one_counts_as_not_announced() -> None:
    ledger = unannounced("refuse")
    do(ledger, announce("otra", TODAY - 9 * DAY))
    do(ledger, c.CancelTournament(tournament="otra"))
    with pytest.raises(InputRefused) as refused:
        import_text(ledger, PLAIN)
    assert [each.message.key for each in refused.value.details] == ["tournament.was_cancelled"]


def test_what_was_not_announced_is_noted_where_the_federation_wants_it() -> None:
    ledger = unannounced("note")
    key = "tournament.not_announced_note"
    assert [each.message.key for each in do(ledger, OPEN).notes] == [key]
    assert [(each.message.key, each.line) for each in import_text(ledger, PLAIN).notes] == [
        (key, 2)
    ]
    assert import_text(ledger, PLAIN).notes == ()  # it is recorded by now
    do(ledger, announce("cuarta", TODAY - 9 * DAY))
    assert import_text(ledger, PLAIN.replace("otra,", "cuarta,")).notes == ()


def test_by_default_nobody_has_to_announce() -> None:
    ledger = unannounced("")
    assert do(ledger, OPEN).notes == ()
    assert import_text(ledger, PLAIN).notes == ()


def test_another_word_for_it_is_refused() -> None:
    with pytest.raises(InputRefused) as refused:
        FederationRules(unannounced="yes")
    assert refused.value.message.within("en").endswith("it may be note, refuse")
