"""Ledgers for these tests: in memory unless said otherwise, under a clock that stands still."""

from __future__ import annotations

import datetime as dt
from itertools import count
from typing import Literal

from ledger.answers.publication_bounds import BOUNDS
from ledger.calendar import Calendar
from ledger.intake.imports import Document, import_document
from ledger.journal.interface import Journal
from ledger.journal.stores.memory import MemoryJournal
from ledger.operations.commands import Command, CorrectResult
from ledger.results import Result
from ledger.service.ledger import Ledger, Receipt, Request, body_of
from ledger.service.lists import define_list
from ledger.service.publications import PublishedList, publish_with_earlier
from tests.differential.independent import Game, Rules

NOW = dt.datetime(2026, 1, 1, 12, 0, tzinfo=dt.UTC)
GAMES_HEADER = "tournament,name,start,end,system,rate_of_play,merit,round,date,white,black,result\n"
PLAYERS_HEADER = "id,name,federation,sex,birth_date,rating,k,games\n"
LIST = "ENF"
_keys = count(1)


def new_ledger(
    rules: Rules,
    *,
    journal: Journal | None = None,
    policy: Literal["restate", "next-list"] = "restate",
) -> Ledger:
    """Returns a ledger with a monthly list from July 2010."""
    ledger = Ledger(journal or MemoryJournal(), clock=lambda: NOW)
    define_list(
        ledger,
        LIST,
        regulation="enf-2010",
        parameters={"method": rules.method, "difference_rule": rules.difference_rule},
        calendar=Calendar.MONTHLY,
        first_on=dt.date(2010, 7, 1),
        policy=policy,
        rate_of_play=None,
        closes_days_before=0,
        request=_request(""),
    )
    return ledger


def take(
    ledger: Ledger,
    text: str,
    *,
    seeds: bool = False,
    as_correction: bool = False,
    partial: bool = False,
) -> Receipt:
    """Imports a document."""
    document = Document(
        name="file.csv",
        data=text.encode(),
        list=LIST if seeds else None,
        as_correction=as_correction,
        partial=partial,
    )
    return import_document(ledger, document, Request("tester", "test", "", ""))


def do(ledger: Ledger, *commands: Command) -> Receipt:
    """Carries out commands."""
    return ledger.execute(commands, _request(body_of(commands)))


def correct(ledger: Ledger, tournament: str, game: Game, result: str) -> None:
    """Corrects the result of a game, if it is another one."""
    assert game.black is not None, "a bye has no result to correct"
    if game.result != result:
        command = CorrectResult(
            tournament=tournament,
            round=game.round,
            white=game.white,
            black=game.black,
            result=Result.parse(result),
        )
        do(ledger, command)


def publish_month(ledger: Ledger, period: str) -> PublishedList:
    """Publishes a period, and those before it that have no list yet."""
    said = Request("tester", "test", "", "")
    *_, last = publish_with_earlier(ledger, LIST, period, said, acknowledged=BOUNDS)
    return last


def _request(body: str) -> Request:
    return Request("tester", "test", f"test:{next(_keys)}", body)
