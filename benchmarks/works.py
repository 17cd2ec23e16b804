"""The measured works of the ledger itself: what people wait for, one function each.

Every work runs alone in a process that has done nothing before. What it needs (a copy of the
ledger, figures of the history) is made ready before its watch runs; what a user would wait for,
from opening the ledger on, is inside it.
"""

from __future__ import annotations

import datetime as dt
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from sqlalchemy import create_engine

from benchmarks.bare_rows import insert, into_sqlite, stored
from benchmarks.desk import DESK
from benchmarks.histories import History, documents, first_of
from benchmarks.measuring import NotInstalledError, Place, Watch
from benchmarks.one_file import ONE_FILE
from benchmarks.pages import PAGES
from benchmarks.plan import REGULATIONS
from benchmarks.questions import QUESTIONS
from ledger.answers.list_figures import compare_regulations, monitor_of
from ledger.answers.lists import regenerate, show
from ledger.answers.player_questions import explain as explain_
from ledger.answers.publication_bounds import BOUNDS
from ledger.calendar import Calendar
from ledger.facts.columns import Column, Facts
from ledger.intake.imports import Document, import_document
from ledger.journal.stores.database import normalise, open_journal, upgrade
from ledger.journal.stores.schema import METADATA
from ledger.operations.commands import Command, CorrectResult, RecordGame, RuleOnTournament
from ledger.rating.game_sums import Summed, Sums, summed
from ledger.rating.postings import Games
from ledger.regulations.registry import adopted
from ledger.replay.opening_ratings import RatingsInForce
from ledger.replay.period_input import PeriodInput
from ledger.replay.period_outcome import PeriodOutcome
from ledger.replay.replay import replay
from ledger.replay.timeline import Timeline, last_period
from ledger.reports.impact import RatingShift
from ledger.results import Result
from ledger.service.ledger import Ledger, Request
from ledger.service.lists import define_list
from ledger.service.publications import publish, publish_with_earlier
from ledger.trust.verification import verify as verify_

LIST = "NAT"
NOW = dt.datetime(2026, 1, 1, 12, 0, tzinfo=dt.UTC)
_SPARE_ROUND = 50
_FIVE_YEARS = 60


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
    period = _period(History.read(place.history).months - 1)
    with _postgresql(place) as url:
        with watch.running():
            _import(place, url, watch)
        with _opened(url) as ledger, watch.then("first reader"):
            ledger.facts()
        with watch.then("list show, first"), _opened(url) as ledger:
            show(ledger, LIST, period)
        with watch.then("list show"), _opened(url) as ledger:
            show(ledger, LIST, period)
        with watch.then("explain"), _opened(url) as ledger:
            explain_(ledger, _target(place, "newest")["white"], LIST, period)


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
            import_document(
                ledger,
                Document(name=path.name, data=data, list=LIST),
                _request(""),
            )
        for path, correction in documents(place.history):
            with watch.running_part("corrections" if correction else "games"):
                document = Document(
                    name=path.name,
                    data=path.read_bytes(),
                    as_correction=correction,
                    partial=correction,
                )
                import_document(ledger, document, _request(""))
        head = ledger.journal.head()
        watch.figures |= {"events": head.seq, "commits": head.commit_id}


def raw_sqlite(place: Place, watch: Watch) -> None:
    """The same rows by ``executemany`` in one transaction: no hashes, no triggers, no reading."""
    into_sqlite(place.scratch / "raw.db", place.database, 1, watch)


def raw_postgresql(place: Place, watch: Watch) -> None:
    """The same into PostgreSQL."""
    with _postgresql(place) as url:
        engine = create_engine(normalise(url))
        METADATA.create_all(engine)
        engine.dispose()
        with psycopg.connect(url) as target, target.cursor() as cursor:
            for table, rows in stored(place.database):
                statement = insert(table, "%s")
                with watch.running():
                    cursor.executemany(statement.encode(), rows)
                watch.figures["rows"] = watch.figures.get("rows", 0) + len(rows)
            with watch.running():
                target.commit()


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


# The first to read it


def first_reader(place: Place, watch: Watch) -> None:
    """Opens the ledger for the first time after the import: reads all events, and seals them."""
    with watch.running(), _opened(str(place.database)) as ledger:
        watch.figures = {"events": ledger.facts().seq}


def publish_some(place: Place, watch: Watch) -> None:
    """Publishes every month but the last, for the works below."""
    months = History.read(place.history).months
    with _opened(str(place.database)) as ledger, watch.running():
        made = publish_with_earlier(
            ledger, LIST, _period(months - 2), _request(""), acknowledged=BOUNDS
        )
        watch.figures = {"lists": sum(1 for _ in made)}


def first_show(place: Place, watch: Watch) -> None:
    """Shows the newest published list: whoever asks for one period leaves snapshots behind."""
    list_show(place, watch)


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


def publish_next(place: Place, watch: Watch) -> None:
    """The list of the newest month, all others behind it."""
    period = _period(History.read(place.history).months - 1)
    with _copied(place) as url, watch.running(), _opened(url) as ledger:
        made = publish(ledger, LIST, period, _request(""), acknowledged=BOUNDS)
        watch.figures = {"rows": len(made.list.rows)}


# Replaying


def replay_cold(place: Place, watch: Watch) -> None:
    """From the stored ledger to everybody's newest rating, every period from the first."""
    with watch.running(), _opened(str(place.database)) as ledger:
        with watch.running_part("open the ledger"):
            facts = ledger.facts()
        with watch.running_part("replay the periods"):
            outcome = _newest(facts, place)
    watch.figures = _figures(outcome)


def replay_warm(place: Place, watch: Watch) -> None:
    """The same with the facts in memory, the second time; the games are read again."""
    with _opened(str(place.database)) as ledger:
        facts = ledger.facts()
        _newest(facts, place)
        with watch.running():
            outcome = _newest(facts, place)
    watch.figures = _figures(outcome)


def _newest(facts: Facts, place: Place) -> PeriodOutcome:
    """Replays the list from its first period; returns the newest one."""
    newest = None
    for outcome in _outcomes(facts, place):
        newest = outcome
    assert newest is not None, "a list has at least its first period"
    return newest


def _outcomes(facts: Facts, place: Place) -> Iterator[PeriodOutcome]:
    under = adopted(place.regulation, {}) if place.defined else None
    return replay(Timeline.at_head(facts, LIST, under), last_period(facts, LIST))


def _figures(outcome: PeriodOutcome) -> dict[str, Any]:
    rating = outcome.closing.rating
    return {"rated": int((rating > 0).sum()), "points": int(rating.sum())}


def kernel(place: Place, watch: Watch) -> None:
    """The kernel alone: ratings looked up, expected scores, contributions, sums.

    It is given the plain games of every month, dealt to their sides, and the ratings in force.
    """
    with _opened(str(place.database)) as ledger:
        dealt = [_Dealt.of(outcome) for outcome in _outcomes(ledger.facts(), place)]
    for month in dealt:
        ready = month.as_just_calculated()
        with watch.running():
            made = ready.summed().sums
        assert month.is_right(made), "what is measured is what was calculated"
    watch.figures = {"games": sum(len(month.games) for month in dealt)}


@dataclass(frozen=True, slots=True)
class _Dealt:
    """The plain games of a month, and what they were summed to."""

    games: Games
    given: PeriodInput
    rating: Column
    right: Sums

    @classmethod
    def of(cls, outcome: PeriodOutcome) -> _Dealt:
        """Leaves the other games of a period that was calculated out."""
        given, rating = outcome.rated.inputs, outcome.rated.opening.rating
        whole = cls(given.games, given, rating, Sums(rating, rating, rating)).summed()
        plain = np.setdiff1d(np.arange(len(given.games)), whole.others)
        return cls(given.games.rows(plain).cut(), given, rating, whole.sums)

    def as_just_calculated(self) -> _Dealt:
        """Writes its ratings anew, as the month before does in a replay: they are at hand then."""
        days, ratings = self.given.in_force.content()
        made = RatingsInForce.of(days, [rating.copy() for rating in ratings], complete=True)
        given = replace(self.given, in_force=made)
        return replace(self, rating=self.rating.copy(), given=given)

    def summed(self) -> Summed:
        """Sums them again."""
        given = replace(self.given, games=self.games)
        assert given.plain_games is not None, "a regulation with plain games"
        return summed(self.games, given.plain_games, given.game_ratings(self.rating))

    def is_right(self, made: Sums) -> bool:
        """Whether sums are those that the replay came to."""
        names = ("players", "per_k", "games")
        return all(np.array_equal(getattr(made, n), getattr(self.right, n)) for n in names)


def next_month(place: Place, watch: Watch) -> None:
    """The newest month, calculated in a process that has the ledger open.

    It begins at the snapshot of the month before, and leaves snapshots of its own afterwards.
    """
    with _opened(str(place.database)) as ledger:
        facts = ledger.facts()
        newest = last_period(facts, LIST)
        with watch.running():
            outcomes = replay(Timeline.at_head(facts, LIST), newest, since=newest)
            outcome = next(outcomes)
        assert outcome.period == newest, "the month before was kept"
        with watch.then("keep snapshots"):
            assert not list(outcomes)
    watch.figures = _figures(outcome)


# Correcting, without recording it


def correct_one_year(place: Place, watch: Watch) -> None:
    """What one wrong result of a year ago would move, list by list; by a command."""
    _dry_run(place, watch, _correction(_target(place, "one-year")))


def correct_ten_years(place: Place, watch: Watch) -> None:
    """The same for a result of ten years ago, or of the first month of a shorter history."""
    _dry_run(place, watch, _correction(_target(place, "ten-years")))


def annul_ten_years(place: Place, watch: Watch) -> None:
    """The same for a whole tournament annulled, as far back."""
    _dry_run(place, watch, _annulment(_target(place, "ten-years")))


def _correction(game: dict[str, Any]) -> Command:
    return CorrectResult(
        tournament=game["tournament"],
        round=game["round"],
        white=game["white"],
        black=game["black"],
        result=Result.parse("0-1"),
    )


def _annulment(game: dict[str, Any]) -> Command:
    on = dt.date.fromisoformat(game["ends_on"])
    return RuleOnTournament(tournament=game["tournament"], ruling="annul", on=on)


def _dry_run(place: Place, watch: Watch, command: Command) -> None:
    with watch.running(), _opened(str(place.database)) as ledger:
        receipt = ledger.execute([command], _request("dry", dry_run=True))
    watch.figures = _moved(receipt.shifts or ())


def _moved(shifts: Iterable[RatingShift]) -> dict[str, Any]:
    ids = [shift.id for shift in shifts]
    return {"shifts": len(ids), "players": len(set(ids))}


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


def compare(place: Place, watch: Watch) -> None:
    """The last five years under another regulation, with the verdict."""
    months = History.read(place.history).months
    other = next(name for name in REGULATIONS if name != place.regulation)
    with watch.running(), _opened(str(place.database)) as ledger:
        made = compare_regulations(
            ledger, LIST, regulation=other, parameters={},
            since=_period(max(0, months - _FIVE_YEARS)), until=_period(months - 1),
        )  # fmt: skip
        watch.figures = {"games": made.games, "largest": len(made.verdict.largest)}


def monitor(place: Place, watch: Watch) -> None:
    """All months: the control group, and where the points come from."""
    with watch.running(), _opened(str(place.database)) as ledger:
        made = monitor_of(ledger, LIST, since=None, until=None)
        watch.figures = {"periods": len(made.lines), "sources": len(made.sources)}


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
    **ONE_FILE,
    "import-postgresql": import_postgresql,
    "raw-postgresql": raw_postgresql,
    "first-reader": first_reader,
    "publish-some": publish_some,
    "first-show": first_show,
    "append-one": append_one,
    "replay-cold": replay_cold,
    "replay-warm": replay_warm,
    "kernel": kernel,
    "next-month": next_month,
    "publish-next": publish_next,
    "correct-one-year": correct_one_year,
    "correct-ten-years": correct_ten_years,
    "annul-ten-years": annul_ten_years,
    "explain": explain,
    "list-show": list_show,
    "list-regenerate": list_regenerate,
    "compare": compare,
    "monitor": monitor,
    **QUESTIONS,
    **PAGES,
    **DESK,
    "verify": verify,
}
