"""Ledgers for tests: in memory, with a clock that stands still, filled from CSV text."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import count
from typing import Literal

from ledger.answers.publication_bounds import BOUNDS
from ledger.calendar import Calendar
from ledger.identifiers import PlayerIndex
from ledger.intake.imports import Document, import_document
from ledger.journal.interface import Journal
from ledger.journal.stores.memory import MemoryJournal
from ledger.lists.publications import calculated
from ledger.operations import commands as c
from ledger.reports.explanation import statement
from ledger.reports.statement import Statement
from ledger.results import Result
from ledger.service.accounts import grant_role
from ledger.service.ledger import Ledger, Receipt, Request, body_of
from ledger.service.lists import define_list
from ledger.service.publications import publish_with_earlier
from ledger.terms import Rate, Role, System
from ledger.views.list_editions import require_period

NOW = dt.datetime(2026, 1, 1, 12, 0, tzinfo=dt.UTC)
GAMES_HEADER = "tournament,name,start,end,system,rate_of_play,merit,round,date,white,black,result\n"
PLAYERS_HEADER = "id,name,federation,sex,birth_date,rating,k,games\n"
_keys = count(1)


def empty_ledger(journal: Journal | None = None) -> Ledger:
    """Returns a ledger on the journal, by default on a new one in memory."""
    return Ledger(journal or MemoryJournal(), clock=lambda: NOW)


def copied(journal: MemoryJournal) -> MemoryJournal:
    """Returns a journal with the same records, to go on with."""
    made = MemoryJournal()
    for name, value in vars(journal).items():
        if isinstance(value, list | dict):  # of records, which never change
            setattr(made, name, value.copy())
    return made


def request(reason: str = "test", *, dry_run: bool = False) -> Request:
    """Returns a request of its own."""
    return Request("tester", reason, f"test:{next(_keys)}", "", dry_run=dry_run)


def define(
    ledger: Ledger,
    name: str = "ENF",
    *,
    calendar: Calendar = Calendar.MONTHLY,
    first_on: dt.date = dt.date(2010, 7, 1),
    policy: Literal["restate", "next-list"] = "restate",
    parameters: Mapping[str, int | str] | None = None,
    regulation: str = "enf-2010",
    rate_of_play: Rate | None = None,
) -> Receipt:
    """Defines a list, by default under ENF 2010."""
    return define_list(
        ledger,
        name,
        regulation=regulation,
        parameters=parameters or {},
        calendar=calendar,
        first_on=first_on,
        policy=policy,
        rate_of_play=rate_of_play,
        closes_days_before=0,
        request=request(),
    )


def import_text(
    ledger: Ledger,
    text: str,
    *,
    list_: str | None = None,
    as_correction: bool = False,
    partial: bool = False,
    name: str = "file.csv",
    on: dt.date | None = None,
    decisions: tuple[tuple[str, str], ...] = (),
) -> Receipt:
    """Imports a document given as text."""
    document = Document(
        name=name, data=text.encode(), list=list_, as_correction=as_correction, partial=partial,
        on=on, decisions=decisions,
    )  # fmt: skip
    return import_document(ledger, document, Request("tester", "test", "", ""))


def do(ledger: Ledger, *commands: c.Command, dry_run: bool = False) -> Receipt:
    """Carries out commands under a key of their own."""
    asked = Request("tester", "test", f"test:{next(_keys)}", body_of(commands), dry_run=dry_run)
    return ledger.execute(commands, asked)


def publish_period(ledger: Ledger, period: str, name: str = "ENF") -> None:
    """Publishes a period, and those before it that have no list yet."""
    said = Request("tester", "test", "", "")
    for _ in publish_with_earlier(ledger, name, period, said, acknowledged=BOUNDS):
        pass


def statements_of(ledger: Ledger, name: str, period: str) -> dict[str, Statement]:
    """Returns what ``explain`` tells everybody of a period, as known now, calculated once.

    It does not say who gave an order, as ``explain`` does.
    """
    facts = ledger.facts()
    outcome = calculated(facts, name, facts.seq, require_period(facts, name, period, facts.seq))
    counts_as, people = outcome.timeline.known.merged_into, ledger.people(facts)
    return {
        id_: statement(outcome, PlayerIndex(int(counts_as[player])), people, seq=facts.seq)
        for player, id_ in enumerate(facts.player_ids)
    }


def games(name: str, *pairings: str, day: str = "2010-07-10", system: str = "swiss") -> str:
    """Returns a document of a tournament; a pairing is ``round,date,white,black,result``."""
    about = f"{name},{name},{day},{day},{system},classical,"
    return GAMES_HEADER + "".join(f"{about},{pairing}\n" for pairing in pairings)


def ledger_of(*players: str, **defined: object) -> Ledger:
    """Returns a ledger with the list ENF and its players, each given as ``id,rating,k,games``."""
    ledger = empty_ledger()
    define(ledger, **defined)  # type: ignore[arg-type]
    people = "".join(
        f"{p.split(',')[0]},{p.split(',')[0]},,,,{p.split(',', 1)[1]}\n" for p in players
    )
    import_text(ledger, PLAYERS_HEADER + people, list_="ENF")
    return ledger


def held(
    players: str,
    games: Sequence[tuple[int, str, str, str]],
    withdrawn: dict[str, int],
    rounds: int | None = None,
) -> Ledger:
    """Returns a ledger with the all-play-all ``t`` of ten days in July 2010.

    Args:
        players: one letter each, all rated 1500.
        games: round, white, black, result.
        withdrawn: the round from which a player plays no more.
        rounds: how many were announced.
    """
    ledger = ledger_of(*(f"{player},1500,,50" for player in players))
    do(
        ledger,
        c.OpenTournament(
            tournament="t", name="t", starts_on=dt.date(2010, 7, 1), ends_on=dt.date(2010, 7, 10),
            system=System.ROUND_ROBIN, rate_of_play=Rate.CLASSICAL, rounds=rounds,
        ),
        *(c.EnterPlayer(tournament="t", player=player) for player in players),
        *(
            c.RecordGame(
                tournament="t", round=round_, white=white, black=black, result=Result.parse(result)
            )
            for round_, white, black, result in games
        ),
        *(
            c.WithdrawPlayer(tournament="t", player=player, from_round=round_)
            for player, round_ in withdrawn.items()
        ),
    )  # fmt: skip
    return ledger


def begin_tournament(ledger: Ledger, tournament: str, day: dt.date, rounds: int = 3) -> None:
    """Opens a tournament of a day for A, B and C, of which the first round is played."""
    do(
        ledger,
        c.OpenTournament(
            tournament=tournament, name=tournament, starts_on=day, ends_on=day,
            system=System.SWISS, rate_of_play=Rate.CLASSICAL, rounds=rounds,
        ),
        *(c.EnterPlayer(tournament=tournament, player=player) for player in "ABC"),
        c.RecordGame(
            tournament=tournament, round=1, white="A", black="B", result=Result.parse("1-0")
        ),
    )  # fmt: skip


def about(tournament: str, day: str, *games: str, rate: str = "classical") -> str:
    """Returns the lines of a tournament of a day: white, black and result of each game."""
    return "".join(
        f"{tournament},{tournament},{day},{day},swiss,{rate},,{round_},,{game}\n"
        for round_, game in enumerate(games, start=1)
    )


def with_july_published(journal: Journal | None = None) -> Ledger:
    """Returns a ledger: A, B and C play in July, which is published, and in August, which is not.

    D has a rating and does not play, N has none. Without a journal it is made in memory, once.
    """
    if journal is None:
        return empty_ledger(copied(_july()))
    ledger = empty_ledger(journal)
    define(ledger)
    rated = "".join(f"{player},{player},CHI,,1985,1800,40,50\n" for player in "ABCD")
    import_text(ledger, f"{PLAYERS_HEADER}{rated}", list_="ENF")
    import_text(ledger, f"{PLAYERS_HEADER}N,N,CHI,,,,,\n")
    import_text(ledger, GAMES_HEADER + about("T1", "2010-07-10", "A,B,1-0", "C,A,1/2-1/2"))
    publish_period(ledger, "2010-07")
    import_text(ledger, GAMES_HEADER + about("T2", "2010-08-10", "A,B,1-0", "C,A,1/2-1/2"))
    return ledger


@cache
def _july() -> MemoryJournal:
    journal = MemoryJournal()
    with_july_published(journal)
    return journal


def with_officers(ledger: Ledger, *names: str) -> Ledger:
    """Makes accounts officers; returns the ledger."""
    for name in names:
        grant_role(ledger, name, Role.OFFICER, request=request())
    return ledger
