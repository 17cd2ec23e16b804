"""Derived statements × facts: what every face says of a tournament, in a table of states.

"Won by", "finished" and "closed" come from what is recorded. So each state is looked at on three
days: before the event, on its last day, and a year after. What is said is the same on all of them.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from html import unescape
from pathlib import Path
from typing import Final

import pytest
from fastapi.testclient import TestClient

from ledger.answers.event_results import event_summary
from ledger.answers.front_page import ended_tournaments, running_tournaments, winners_of
from ledger.answers.tournament_calendar import reports_due, tournament_calendar
from ledger.answers.tournaments import tournament_crosstable, tournament_standings
from ledger.forms.grid import crosstable_grid
from ledger.forms.page import saying
from ledger.forms.standings import standings_title
from ledger.identifiers import Seq
from ledger.journal.stores.memory import MemoryJournal
from ledger.operations import commands as c
from ledger.registrar.register import Register
from ledger.reports.tournaments import Stage
from ledger.results import Bye, Result
from ledger.service.desk import board_results, publish_round
from ledger.service.ledger import Ledger
from ledger.service.retractions import undo_commit
from ledger.terms import PairingMethod, Rate, System
from ledger.views.past import PastLedger
from tests.ledgers import (
    copied,
    do,
    empty_ledger,
    games,
    import_text,
    ledger_of,
    publish_period,
    request,
)
from tests.web.conftest import ORIGIN
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

FIRST: Final = dt.date(2010, 7, 10)
LAST: Final = dt.date(2010, 7, 12)
DAYS: Final = (FIRST - dt.timedelta(days=9), LAST, LAST + dt.timedelta(days=365))
ROUND_1: Final = ("A-B 1-0", "C-D 1-0")
ROUND_2: Final = ("A-C 1-0", "B-D 1-0")
ROUND_3: Final = ("A-D 1-0", "B-C 1-0")
DRAWN: Final = ("A-B 1/2-1/2", "C-D 1/2-1/2")


@cache
def club() -> Ledger:
    """Returns a ledger of four players with a published list, to make others from."""
    ledger = ledger_of(*(f"{player},1800,,50" for player in "ABCD"), first_on=dt.date(2010, 5, 1))
    publish_period(ledger, "2010-05")
    return ledger


def copied_club() -> Ledger:
    journal = club().journal
    assert isinstance(journal, MemoryJournal)
    return empty_ledger(copied(journal))


def opened(rounds: int | None = 3, *played: tuple[str, ...]) -> Ledger:
    """Returns a ledger with the tournament T of four players, entered by hand, and some rounds."""
    ledger = copied_club()
    do(
        ledger,
        c.OpenTournament(
            tournament="T", name="T", starts_on=FIRST, ends_on=LAST, system=System.SWISS,
            rate_of_play=Rate.CLASSICAL, rounds=rounds,
        ),
        *(c.EnterPlayer(tournament="T", player=player) for player in "ABCD"),
    )  # fmt: skip
    for round_, boards in enumerate(played, start=1):
        record(ledger, round_, *boards)
    return ledger


def record(ledger: Ledger, round_: int, *boards: str) -> None:
    for board in boards:
        players, result = board.split()
        white, black = players.split("-")
        do(
            ledger,
            c.RecordGame(
                tournament="T", round=round_, white=white, black=black, result=Result.parse(result)
            ),
        )


def imported(*rounds: tuple[str, ...]) -> Ledger:
    """Returns a ledger with the report of T, imported as a whole without a number of rounds."""
    ledger = copied_club()
    rows = (
        f"{round_},,{board[0]},{board[2]},{board[4:]}"
        for round_, boards in enumerate(rounds, start=1)
        for board in boards
    )
    import_text(ledger, games("T", *rows, day=LAST.isoformat()))
    return ledger


def at_desk(results: int) -> Ledger:
    """Returns a ledger in which T has one round, paired here, with so many of its two results."""
    ledger = opened(1)
    do(ledger, c.AnnounceRules(tournament="T", pairing=PairingMethod.FENAMAC_1975))
    publish_round(ledger, c.PairRound(tournament="T"), request())
    wins = [(board, Result.parse("1-0")) for board in range(1, results + 1)]
    return then(ledger, *board_results(ledger, "T", 1, wins))


def then(ledger: Ledger, *commands: c.Command) -> Ledger:
    """Carries out commands; returns the ledger."""
    do(ledger, *commands)
    return ledger


def closed(ledger: Ledger) -> Ledger:
    return then(ledger, c.CloseTournament(tournament="T", on=LAST, anyway=True))


def without_closing(ledger: Ledger) -> Ledger:
    """Closes T, and takes that back."""
    receipt = do(ledger, c.CloseTournament(tournament="T", on=LAST, anyway=True))
    assert receipt.commit_id is not None
    undo_commit(ledger, c.UndoCommit(commit=receipt.commit_id), request())
    return ledger


def without_round_3(ledger: Ledger) -> Ledger:
    games_ = (board.split()[0].split("-") for board in ROUND_3)
    return then(
        ledger,
        *(c.AnnulResult(tournament="T", round=3, white=one, black=two) for one, two in games_),
    )


WHOLE: Final = (ROUND_1, ROUND_2, ROUND_3)


@dataclass(frozen=True)
class State:
    """A state of T, with what is to be said of it; ``wins`` are the names of the winners."""

    make: Callable[[], Ledger]
    stage: Stage
    wins: str = ""


STATES: Final[dict[str, State]] = {
    "entered only": State(opened, "not-begun"),
    "one round of three": State(lambda: opened(3, ROUND_1), "running"),
    "two rounds of three, tied": State(lambda: opened(3, DRAWN, DRAWN[::-1]), "running"),
    "one game of the last round": State(
        lambda: opened(3, ROUND_1, ROUND_2, ROUND_3[:1]), "running"
    ),
    "all rounds": State(lambda: opened(3, *WHOLE), "finished", "A"),
    "all rounds, nobody said how many": State(lambda: opened(None, *WHOLE), "running"),
    "all rounds, one game adjourned": State(
        lambda: then(
            opened(3, ROUND_1, ROUND_2, ROUND_3[:1]),
            c.AdjournGame(tournament="T", round=3, white="B", black="C"),
        ),
        "running",
    ),
    "all rounds, one game adjudicated for the pairing": State(
        lambda: then(
            opened(3, ROUND_1, ROUND_2, ROUND_3[:1]),
            c.AdjournGame(tournament="T", round=3, white="B", black="C"),
            c.AdjudicateGame(
                tournament="T",
                round=3,
                white="B",
                black="C",
                result=Result.parse("1/2-1/2a"),
                ruling="temporary",
            ),
        ),
        "running",
    ),
    "closed": State(lambda: closed(opened(3, *WHOLE)), "closed", "A"),
    "closed early": State(lambda: closed(opened(3, ROUND_1, ROUND_2)), "closed", "A"),
    "closing taken back, rounds missing": State(
        lambda: without_closing(opened(3, ROUND_1, ROUND_2)), "running"
    ),
    "closing taken back, all rounds": State(
        lambda: without_closing(opened(3, *WHOLE)), "finished", "A"
    ),
    "last round annulled": State(lambda: without_round_3(opened(3, *WHOLE)), "running"),
    "imported": State(lambda: imported(*WHOLE), "finished", "A"),
    "imported, more rounds announced": State(
        lambda: then(
            imported(ROUND_1, ROUND_2),
            c.CorrectTournament(
                tournament="T",
                name="T",
                starts_on=LAST,
                ends_on=LAST,
                system=System.SWISS,
                rate_of_play=Rate.CLASSICAL,
                rounds=3,
            ),
        ),
        "running",
    ),
    "tie for the first place": State(lambda: opened(1, DRAWN), "finished", "A; B; C; D"),
    "tie parted by tie-breaks": State(
        lambda: imported(("A-B 1-0", "C-D 1-0"), ("B-C 1-0", "D-A 1-0")), "finished", "A; B; C; D"
    ),
    "the winner withdrew": State(
        lambda: then(
            opened(3, ROUND_1, ROUND_2, ("B-C 1/2-1/2",)),
            c.WithdrawPlayer(tournament="T", player="A", from_round=3),
            c.GiveBye(tournament="T", round=3, player="D", kind=Bye.ZERO),
        ),
        "finished",
        "A",
    ),
    "rejected": State(
        lambda: then(
            opened(3, *WHOLE), c.RuleOnTournament(tournament="T", ruling="reject", on=LAST)
        ),
        "rejected",
    ),
    "annulled": State(
        lambda: then(
            opened(3, *WHOLE), c.RuleOnTournament(tournament="T", ruling="annul", on=LAST)
        ),
        "annulled",
    ),
    "at the desk, a board open": State(lambda: at_desk(1), "running"),
    "at the desk, all boards": State(lambda: at_desk(2), "finished", "*"),
}


@pytest.mark.parametrize("name", STATES)
def test_every_face_says_what_is_recorded_on_whatever_day(name: str, tmp_path: Path) -> None:
    state = STATES[name]
    made = state.make()
    settings = WebSettings(ledger="", origin=ORIGIN, cache=tmp_path)
    for day, language in zip(DAYS, ("en", None, "es"), strict=True):
        ledger = Ledger(made.journal, clock=clock_of(day))
        names = checked_answers(ledger, state, day)
        if language is not None:
            site = TestClient(create_app(Site(ledger, settings)), ORIGIN)
            assert pages_say_winners(site, language) == bool(names)


@pytest.mark.parametrize("name", ["annulled", "rejected"])
def test_an_event_that_does_not_count_has_no_leader(name: str, tmp_path: Path) -> None:
    ledger = Ledger(STATES[name].make().journal, clock=clock_of(LAST))
    settings = WebSettings(ledger="", origin=ORIGIN, cache=tmp_path)
    said = page(TestClient(create_app(Site(ledger, settings)), ORIGIN), "/tournaments/T", "en")
    assert ">Leader<" not in said
    is_annulled = name == "annulled"
    standings, say = tournament_standings(ledger, "T"), saying("en")
    assert ("Final standings" in said) != is_annulled
    assert ("(annulled): standings after" in standings_title(standings, say)) == is_annulled
    table = crosstable_grid(tournament_crosstable(ledger, "T"), say)
    assert ("(annulled): crosstable" in table.title) == is_annulled


def clock_of(day: dt.date) -> Callable[[], dt.datetime]:
    return lambda: dt.datetime.combine(day, dt.time(12), dt.UTC)


def checked_answers(ledger: Ledger, state: State, day: dt.date) -> str:
    """Holds each answer about T against the table; returns the names of the winners."""
    summary, winners = event_summary(ledger, "T"), winners_of(ledger, "T")
    assert summary.stage == state.stage
    rows = tournament_standings(ledger, "T").rows
    of_standings = "; ".join(row.name for row in rows if row.rank == 1) if state.wins else ""
    names = of_standings if state.wins == "*" else state.wins
    assert of_standings == names
    assert "; ".join(row.name for row in summary.winners) == names
    assert ("; ".join(winners.names) if winners else "") == names
    ended = ended_tournaments(ledger)
    assert ["; ".join(each.winners.names) for each in ended] == [names] * bool(names)
    running = running_tournaments(ledger)
    assert bool(running) == (state.stage == "running" and day == LAST)
    (row,) = tournament_calendar(ledger, FIRST, LAST).tournaments
    is_over = state.stage in {"closed", "rejected", "annulled"} or row.state == "reported"
    assert bool(reports_due(ledger, day)) == (day > LAST and not is_over)
    return names


def pages_say_winners(site: TestClient, language: str) -> bool:
    """Returns whether the pages name winners; all of them agree."""
    won = {"en": ("Won by", "Winner"), "es": ("Ganó", "Primer lugar")}[language]
    cells = re.search(
        r'<td class="s">(?:<bdi>([^<]*)</bdi>)?</td><td class="n s">[^<]*</td></tr>',
        page(site, "/tournaments", language),
    )
    assert cells is not None
    said = {
        "/": f">{won[0]} " in page(site, "/", language),
        "/tournaments": bool(cells[1]),
        "/tournaments/T": f">{won[1]}<" in page(site, "/tournaments/T", language),
        "crosstable": f"<p>{won[0]} " in page(site, "/tournaments/T/crosstable", language),
    }
    assert len({*said.values()}) == 1, said
    return said["/"]


def page(site: TestClient, path: str, language: str) -> str:
    answer = site.get(path, params={"lang": language})
    assert answer.status_code == 200, (path, answer.text)
    return unescape(answer.text)


def test_a_past_state_is_told_by_what_was_known_then() -> None:
    ledger = opened(3, *WHOLE)
    before, then = Seq(ledger.facts().seq - 1), ledger.facts().seq
    assert event_summary(PastLedger(ledger, before), "T").stage == "running"
    assert winners_of(PastLedger(ledger, before), "T") is None
    closed(ledger)
    assert event_summary(PastLedger(ledger, then), "T").stage == "finished"
    assert event_summary(ledger, "T").stage == "closed"


def test_the_calendar_reads_each_event_once_until_something_is_recorded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ledger = opened(3, ROUND_1, ROUND_2)
    ledger.clock = clock_of(DAYS[-1])
    reads = list[set[str]]()
    read = ledger.register

    def register(streams: Iterable[str], upto: Seq) -> Register:
        reads.append({*streams})
        return read(reads[-1], upto)

    monkeypatch.setattr(ledger, "register", register)
    rows = tournament_calendar(ledger, FIRST, LAST).tournaments
    assert reads == [{"tournament:T"}]
    assert [row.complete for row in rows] == [False]
    assert reports_due(ledger, DAYS[-1]) == [*rows]
    assert tournament_calendar(ledger, LAST, DAYS[-1]).tournaments == rows
    assert set().union(*reads[1:]) == set()
    record(ledger, 3, *ROUND_3)
    reads.clear()
    (row,) = tournament_calendar(ledger, FIRST, LAST).tournaments
    assert row.complete
    assert reads == [{"tournament:T"}]
