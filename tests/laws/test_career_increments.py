"""Careers made from those of before are those that are made anew, whatever was recorded since."""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, TypeAlias

import pytest
from hypothesis import event as said
from hypothesis import given
from hypothesis import strategies as st

from ledger.calendar import Calendar
from ledger.derived.store import DerivedStore
from ledger.errors import LedgerError
from ledger.events.personal import Identity
from ledger.journal.stores.memory import MemoryJournal
from ledger.operations import commands as c
from ledger.replay.timeline import Timeline
from ledger.service.ledger import Request
from ledger.service.operations import carry_out
from ledger.terms import Rate, Role
from ledger.views.past import documents_gone, newest_of
from tests.differential.support import LIST, do
from tests.laws.histories import PLAYERS, REGULATIONS, History
from tests.laws.support import law
from tests.laws.test_why import oddly_corrected
from tests.ledgers import define, publish_period
from web.read_models import builder
from web.read_models.builder import careers_key, keep
from web.read_models.career_writer import write_careers

_keys = count()
Act: TypeAlias = Callable[[History], object]


def _on(history: History) -> dt.date:
    return history.first + dt.timedelta(days=history.chance.randint(0, 300))


def publish(history: History) -> None:
    periods = Timeline.at_head(history.ledger.facts(), LIST).periods(_on(history))
    publish_period(history.ledger, periods[-1].name, LIST)


def take_back(history: History) -> None:
    last = history.ledger.journal.head().commit_id
    commit = max(last - history.chance.choice((0, 0, 1, 2, 9)), 1)
    request = Request("officer", "by mistake", f"increment:{next(_keys)}", "")
    carry_out(history.ledger, c.UndoCommit(commit=commit), request)


def erase(history: History) -> None:
    player = history.chance.choice(PLAYERS)
    request = Request("officer", "asked for it", f"increment:{next(_keys)}", "")
    carry_out(history.ledger, c.ErasePlayer(player=player, on=history.first), request)


def set_calendar(history: History) -> None:
    calendar, on = history.chance.choice([*Calendar]), _on(history).replace(day=1)
    do(history.ledger, c.SetCalendar(list=LIST, calendar=calendar, on=on))


def rename(history: History) -> None:
    born = history.chance.choice((None, "1990", "1950"))
    identity = Identity(name=f"Another {next(_keys)}", birth_date=born)
    player, day = history.chance.choice(PLAYERS), dt.date(2010, 7, 1)
    do(history.ledger, c.CorrectIdentity(
        player=player, federation=None, salt="0" * 32, on=day, identity=identity
    ))  # fmt: skip


def affiliate(history: History) -> None:
    club = history.chance.choice(("Norte", "Sur", ""))
    do(history.ledger, c.AffiliatePlayer(
        player=history.chance.choice(PLAYERS), club=club, region=None, licensed_until=None,
        on=_on(history),
    ))  # fmt: skip


def rate_elsewhere(history: History) -> None:
    periods = Timeline.at_head(history.ledger.facts(), LIST).periods(_on(history))
    rated_in = c.RatedIn(list=LIST, period=periods[-1].name)
    name = history.chance.choice([*history.events])
    do(history.ledger, c.RuleOnTournament(
        tournament=name, ruling="accept", on=history.first, rated_in=rated_in
    ))  # fmt: skip


def open_ladder(history: History) -> None:
    players = tuple(history.chance.sample(PLAYERS, 3))
    do(history.ledger, c.OpenLadder(
        ladder=f"ladder{next(_keys)}", list=LIST, players=players,
        ratings=dict.fromkeys(players, 1500), on=history.first, as_given=True,
    ))  # fmt: skip


def enter(history: History) -> None:
    tournament = history.chance.choice([*history.events])
    player = history.chance.choice(PLAYERS)
    do(history.ledger, c.EnterPlayer(tournament=tournament, player=player, starting_number=None))


def grant(history: History) -> None:
    account = f"account{next(_keys)}"
    do(
        history.ledger,
        c.GrantRole(account=account, role=Role.ARBITER, tournament=None),
    )


def define_other(history: History) -> None:
    rate = history.chance.choice((None, *Rate))
    name = f"L{next(_keys)}"
    define(history.ledger, name, regulation="fide-standard", rate_of_play=rate)


ACTS: tuple[Act, ...] = (
    *[History.learn] * 6, *[publish] * 3, *[take_back] * 3, oddly_corrected, erase, set_calendar,
    rename, affiliate, rate_elsewhere, open_ladder, enter, grant,
    define_other,
)  # fmt: skip


def content(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Returns the rows of each table of a file."""
    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {
            name: sorted(connection.execute(f"SELECT * FROM {name}").fetchall(), key=repr)
            for (name,) in tables.fetchall()
        }


@pytest.mark.parametrize("policy", ["restate", "next-list"])
@law(12)
@given(regulation=st.sampled_from(REGULATIONS), seed=st.integers(0, 2**32))
def test_the_increment_is_the_whole(
    policy: Literal["restate", "next-list"], regulation: str, seed: int
) -> None:
    history = History.begun(MemoryJournal(), regulation, seed, policy)
    ledger, chance = history.ledger, history.chance
    with TemporaryDirectory() as folder:
        for _ in range(10):
            acts = [chance.choice(ACTS) for _ in range(chance.choice((0, 1, 1, 1, 4)))]
            for act in acts:
                with suppress(LedgerError):
                    act(history)
            now = newest_of(ledger)
            store = DerivedStore(Path(folder) / "store", documents_gone(now) or 0)
            key = careers_key(now)
            made = store.find(key)
            former = builder.former_careers(now, store)
            said("there" if made else "from former" if former else "whole")
            made = made or keep(now, key, store)
            whole = Path(folder) / "whole"
            whole.write_bytes(b"")
            write_careers(whole, now)
            names = [act.__name__ for act in acts]
            found, wanted = content(made), content(whole)
            for table in wanted:
                assert found[table] == wanted[table], (table, names)
