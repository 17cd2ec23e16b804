"""The measured works of the ledger itself: what people wait for, one function each.

Every work runs alone in a process that has done nothing before. What it needs (a copy of the
ledger, figures of the history) is made ready before its watch runs; what a user would wait for,
from opening the ledger on, is inside it.
"""

from __future__ import annotations

import datetime as dt
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from sqlalchemy import Table, create_engine

from benchmarks.histories import History, documents, first_of
from benchmarks.measuring import NotInstalledError, Place, Watch
from ledger.application.importing import Document, import_document
from ledger.application.ledger import Ledger, Request
from ledger.application.lists import define_list, publish, regenerate, show
from ledger.application.questions import explain as explain_
from ledger.application.verification import verify as verify_
from ledger.calendar import Calendar
from ledger.facts.columns import Facts
from ledger.journal.database import normalise, open_journal, upgrade
from ledger.journal.schema import COMMITS, EVENTS, METADATA, PERSONAL
from ledger.lists.published import calculated
from ledger.lists.rating_list import rating_list
from ledger.rating.kernel import post, sums
from ledger.rating.sheet import Calculation, Sides
from ledger.registrar.commands import Command, CorrectResult, RecordGame, RuleOnTournament
from ledger.replay.replay import PeriodOutcome, replay
from ledger.reports.impact import last_period
from ledger.results import Result

LIST = "NAT"
NOW = dt.datetime(2026, 1, 1, 12, 0, tzinfo=dt.UTC)
_PAGE = 20_000
_SPARE_ROUND = 50


# Making a ledger


def import_sqlite(place: Place, watch: Watch) -> None:
    """Everything from CSV into a new SQLite ledger: players, then the files of each month."""
    for path in _files(place):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    place.ledgers.mkdir(parents=True, exist_ok=True)
    with watch.running():
        _import(place, str(place.database), watch)
    watch.figures["bytes"] = place.database.stat().st_size


def import_postgresql(place: Place, watch: Watch) -> None:
    """The same into PostgreSQL, a server of this work's own; its memory is not counted."""
    with _postgresql(place) as url, watch.running():
        _import(place, url, watch)


def _import(place: Place, url: str, watch: Watch) -> None:
    with watch.running_part("make the database"):
        upgrade(url)
    with _opened(url) as ledger:
        define_list(
            ledger,
            LIST,
            regulation=place.regulation,
            parameters={},
            calendar=Calendar.MONTHLY,
            first_on=first_of(0),
            policy="restate",
            rate_of_play=None,
            closes_days_before=0,
            request=_request("define"),
        )
        with watch.running_part("players"):
            path = place.history / "players.csv"
            data = path.read_bytes()
            import_document(ledger, Document(name=path.name, data=data, list=LIST), _request(""))
        for path, correction in documents(place.history):
            with watch.running_part("corrections" if correction else "games"):
                document = Document(
                    name=path.name, data=path.read_bytes(), as_correction=correction
                )
                import_document(ledger, document, _request(""))
        head = ledger.journal.head()
        watch.figures |= {"events": head.seq, "commits": head.commit_id}


def raw_sqlite(place: Place, watch: Watch) -> None:
    """The same rows by ``executemany`` in one transaction: no hashes, no triggers, no reading."""
    path = place.scratch / "raw.db"
    url = normalise(str(path))
    engine = create_engine(url)
    METADATA.create_all(engine)
    engine.dispose()
    with closing(sqlite3.connect(path, isolation_level=None)) as target:
        target.execute("PRAGMA journal_mode = WAL")
        target.execute("PRAGMA synchronous = FULL")
        with watch.running():
            target.execute("BEGIN IMMEDIATE")
        for table, rows in _stored(place.database):
            statement = _insert(table, "?")
            with watch.running():
                target.executemany(statement, rows)
            watch.figures["rows"] = watch.figures.get("rows", 0) + len(rows)
        with watch.running():
            target.execute("COMMIT")


def raw_postgresql(place: Place, watch: Watch) -> None:
    """The same into PostgreSQL."""
    with _postgresql(place) as url:
        engine = create_engine(normalise(url))
        METADATA.create_all(engine)
        engine.dispose()
        with psycopg.connect(url) as target, target.cursor() as cursor:
            for table, rows in _stored(place.database):
                statement = _insert(table, "%s")
                with watch.running():
                    cursor.executemany(statement.encode(), rows)
                watch.figures["rows"] = watch.figures.get("rows", 0) + len(rows)
            with watch.running():
                target.commit()


def _insert(table: Table, mark: str) -> str:
    marks = ", ".join(mark for _ in table.columns)
    return f"INSERT INTO {table.name} ({', '.join(table.columns.keys())}) VALUES ({marks})"


def _stored(path: Path) -> Iterator[tuple[Table, list[tuple[Any, ...]]]]:
    """Yields the rows of a ledger page by page, so that no history is too long."""
    with closing(sqlite3.connect(path)) as source:
        for table in (COMMITS, EVENTS, PERSONAL):
            names = ", ".join(table.columns.keys())
            rows = source.execute(f"SELECT {names} FROM {table.name} ORDER BY 1")
            while page := rows.fetchmany(_PAGE):
                yield table, page


@contextmanager
def _postgresql(place: Place) -> Iterator[str]:
    """Gives an empty database on a server that ends with the work."""
    try:
        from tests.postgres import PostgresServer
    except ImportError as error:
        raise NotInstalledError(str(error)) from error
    server = PostgresServer(place.scratch / "postgresql")
    try:
        yield server.url(server.create())
    finally:
        server.stop()


# Adding to it


def append_one(place: Place, watch: Watch) -> None:
    """One game more, in a tournament of the newest month, by a command."""
    game = _target(place, "newest")
    command = RecordGame(
        tournament=game["tournament"],
        round=_SPARE_ROUND,
        white=game["white"],
        black=game["black"],
        result=Result.parse("1-0"),
    )
    with _copied(place) as url, watch.running(), _opened(url) as ledger:
        receipt = ledger.execute([command], _request("append"))
        watch.figures = {"events": len(receipt.events)}


def publish_some(place: Place, watch: Watch) -> None:
    """Publishes the first month, the middle one and the last but one, for the works below."""
    months = History.read(place.history).months
    with _opened(str(place.database)) as ledger, watch.running():
        for month in sorted({0, months // 2, months - 2}):
            publish(ledger, LIST, _period(month), _request(""))


def publish_next(place: Place, watch: Watch) -> None:
    """The list of the newest month, all others behind it."""
    period = _period(History.read(place.history).months - 1)
    with _copied(place) as url, watch.running(), _opened(url) as ledger:
        made = publish(ledger, LIST, period, _request(""))
        watch.figures = {"rows": len(made.list.rows)}


# Replaying


def replay_cold(place: Place, watch: Watch) -> None:
    """From the stored events to the newest list: read, folded, replayed, its rows made."""
    with watch.running(), _opened(str(place.database)) as ledger:
        with watch.running_part("read and fold the events"):
            facts = ledger.facts()
        with watch.running_part("replay the periods"):
            outcome = _newest(facts)
        with watch.running_part("make the list"):
            made = rating_list(outcome, ledger.people(facts), seq=facts.seq, edition=None)
        watch.figures = {**_figures(outcome), "rows": len(made.rows)}


def replay_warm(place: Place, watch: Watch) -> None:
    """The same with the facts in memory, the second time."""
    with _opened(str(place.database)) as ledger:
        facts = ledger.facts()
        _newest(facts)
        with watch.running():
            outcome = _newest(facts)
        watch.figures = _figures(outcome)


def kernel(place: Place, watch: Watch) -> None:
    """The kernel alone: expected scores, contributions and their sums, of every rated game."""
    with _opened(str(place.database)) as ledger:
        facts = ledger.facts()
    sides = 0
    for outcome in replay(facts, LIST, facts.seq, last_period(facts, LIST)):
        calculation = outcome.calculation
        given = _sides(calculation)
        expectation = outcome.regulation.expectation  # type: ignore[attr-defined]
        with watch.running():
            postings = post(
                given,
                opponent_rating=calculation.postings.opponent_rating,
                difference=calculation.postings.difference,
                k=calculation.postings.k,
                expectation=expectation,
            )
            sums(calculation, len(facts.players))
        same = postings.contribution == calculation.postings.contribution
        assert same.all(), "what is measured is what was calculated"
        sides += len(postings)
    watch.figures = {"games": sides // 2}


def _sides(calculation: Calculation) -> Sides:
    """Returns the sides that were posted; what the kernel does not look at is left empty."""
    made = calculation.postings
    none = np.zeros(len(made), dtype=np.int64)
    return Sides(
        made.game, made.tournament, made.round, made.player, made.opponent,
        made.score * 2 // calculation.scale, made.merit, none, none, none, none, none, none, none,
    )  # fmt: skip


def _newest(facts: Facts) -> PeriodOutcome:
    return calculated(facts, LIST, facts.seq, last_period(facts, LIST))


def _figures(outcome: PeriodOutcome) -> dict[str, Any]:
    rating = outcome.closing.rating
    return {"rated": int((rating > 0).sum()), "points": int(rating.sum())}


# Correcting, without recording it


def correct_one_year(place: Place, watch: Watch) -> None:
    """What one wrong result of a year ago would move, list by list."""
    _dry_run(place, watch, _correction(_target(place, "one-year")))


def correct_ten_years(place: Place, watch: Watch) -> None:
    """The same for a result of ten years ago, or of the first month of a shorter history."""
    _dry_run(place, watch, _correction(_target(place, "ten-years")))


def annul_ten_years(place: Place, watch: Watch) -> None:
    """The same for a whole tournament annulled, as far back."""
    game = _target(place, "ten-years")
    on = dt.date.fromisoformat(game["ends_on"])
    command = RuleOnTournament(tournament=game["tournament"], ruling="annul", on=on)
    _dry_run(place, watch, command)


def _correction(game: dict[str, Any]) -> Command:
    return CorrectResult(
        tournament=game["tournament"],
        round=game["round"],
        white=game["white"],
        black=game["black"],
        result=Result.parse("0-1"),
    )


def _dry_run(place: Place, watch: Watch, command: Command) -> None:
    with watch.running(), _opened(str(place.database)) as ledger:
        receipt = ledger.execute([command], _request("dry", dry_run=True))
        shifts = receipt.shifts or ()
        watch.figures = {"shifts": len(shifts), "players": len({shift.id for shift in shifts})}


# Asking


def explain(place: Place, watch: Watch) -> None:
    """One player's statement of the newest month."""
    history = History.read(place.history)
    player = _target(place, "newest")["white"]
    with watch.running(), _opened(str(place.database)) as ledger:
        said = explain_(ledger, player, LIST, _period(history.months - 1))
        watch.figures = {"games": len(said.postings)}


def list_show(place: Place, watch: Watch) -> None:
    """The newest published list."""
    with watch.running(), _opened(str(place.database)) as ledger:
        watch.figures = {"rows": len(show(ledger, LIST, None).rows)}


def list_regenerate(place: Place, watch: Watch) -> None:
    """The list published for the middle month, byte for byte."""
    period = _period(History.read(place.history).months // 2)
    with watch.running(), _opened(str(place.database)) as ledger:
        made, failure = regenerate(ledger, LIST, period, None)
        assert failure is None
        watch.figures = {"rows": len(made.rows)}


def verify(place: Place, watch: Watch) -> None:
    """Everything: hashes, tree, triggers, personal documents, and every published list."""
    with watch.running(), _opened(str(place.database)) as ledger:
        found = verify_(ledger)
    assert not found.findings
    watch.figures = {"events": found.integrity.events, "lists": found.lists}


def _target(place: Place, name: str) -> dict[str, Any]:
    return History.read(place.history).targets[name]


def _period(month: int) -> str:
    return f"{first_of(month):%Y-%m}"


def _request(key: str, *, dry_run: bool = False) -> Request:
    return Request("benchmark", "to be measured", key, key, dry_run=dry_run)


@contextmanager
def _opened(url: str) -> Iterator[Ledger]:
    journal = open_journal(url)
    try:
        yield Ledger(journal, clock=lambda: NOW)
    finally:
        journal.close()


@contextmanager
def _copied(place: Place) -> Iterator[str]:
    """Gives a copy of the ledger that may be written to, with whatever it keeps beside itself."""
    for path in _files(place):
        (shutil.copytree if path.is_dir() else shutil.copy)(path, place.scratch / path.name)
    yield str(place.scratch / place.database.name)


def _files(place: Place) -> list[Path]:
    return sorted(place.ledgers.glob(f"{place.database.name}*"))


WORKS: dict[str, Callable[[Place, Watch], None]] = {
    "import-sqlite": import_sqlite,
    "raw-sqlite": raw_sqlite,
    "import-postgresql": import_postgresql,
    "raw-postgresql": raw_postgresql,
    "publish-some": publish_some,
    "append-one": append_one,
    "publish-next": publish_next,
    "replay-cold": replay_cold,
    "replay-warm": replay_warm,
    "kernel": kernel,
    "correct-one-year": correct_one_year,
    "correct-ten-years": correct_ten_years,
    "annul-ten-years": annul_ten_years,
    "explain": explain,
    "list-show": list_show,
    "list-regenerate": list_regenerate,
    "verify": verify,
}
