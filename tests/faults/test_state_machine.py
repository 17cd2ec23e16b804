"""Whatever is done to a ledger, in whatever order, what it acknowledged is there.

It is recorded, corrected, published, merged and erased; backed up, restored, moved between both
databases, opened anew, and killed at any statement. The checker looks after every step.
``RATING_LEDGER_HISTORIES`` says how many histories each database gets; Hypothesis chooses them anew
every time and prints what repeats a failure.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import Engine, event

from ledger.answers.publication_bounds import BOUNDS
from ledger.errors import Conflict, InputRefused, NotFound
from ledger.intake.imports import Document, import_document
from ledger.journal.stores.database import open_journal
from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.archives import import_archive
from ledger.service.backups import back_up, copy_ledger
from ledger.service.erasures import erase_player
from ledger.service.ledger import Ledger, Receipt, Request, body_of
from ledger.service.publications import publish_with_earlier
from tests import profile
from tests.faults.checker import Checker
from tests.ledgers import GAMES_HEADER, NOW, about, with_july_published
from tests.postgres import PostgresServer

HISTORIES = int(os.environ.get("RATING_LEDGER_HISTORIES", profile.count(20, 2)))
STEPS = 12
KINDS = ("sqlite", "postgresql")
PLAYERS = st.sampled_from("ABCD")
RESULTS = st.sampled_from(("1-0", "0-1", "1/2-1/2"))
MONTHS = st.integers(7, 10)
DAY = NOW.date()
DONE: Counter[str] = Counter()


class Places:
    """Where new ledgers go."""

    def __init__(
        self, folder: Path, file: Path, server: PostgresServer, template: str, kind: str
    ) -> None:
        self.folder, self.kind = folder, kind
        self._file, self._server, self._template = file, server, template
        self._numbers = count()
        self._made: list[str] = []

    def url(self, kind: str) -> str:
        """Returns the URL of an empty ledger on a database."""
        if kind == "sqlite":
            return f"sqlite:///{shutil.copy(self._file, self.path('ledger.db'))}"
        name = self._server.create(self._template)
        self._made.append(name)
        return self._server.url(name)  # as its owner, who may erase

    def path(self, name: str) -> Path:
        """Returns a path that is not there yet."""
        return self.folder / f"{next(self._numbers)}-{name}"

    def drop(self) -> None:
        """Removes the databases of the server."""
        while self._made:
            self._server.drop(self._made.pop())


class History(RuleBasedStateMachine):
    """A ledger that things happen to."""

    def __init__(self, places: Places) -> None:
        super().__init__()
        self.places = places
        self.url = places.url(places.kind)
        self.ledger = opened(self.url)
        self.checker = Checker()
        self.backup = places.path("backup")
        self.numbers = count(1)
        self.erased: set[str] = set()
        with_july_published(self.ledger.journal)
        for commit in self.ledger.journal.commits():
            self.take(Receipt(commit.first_seq, commit.last_seq, commit.commit_id, ()))

    def take(self, receipt: Receipt) -> None:
        """Tells the checker what came back."""
        if receipt.commit_id is not None:
            commit = next(iter(self.ledger.journal.commits(after=receipt.commit_id - 1)))
            self.checker.take(receipt, commit.idempotency_key)

    def request(self, *commands: c.Command) -> Request:
        return Request("tester", "test", f"history {next(self.numbers)}", body_of(commands))

    def do(self, command: c.Command) -> None:
        """Carries out a command twice: the second time nothing is added."""
        with self.perhaps_refused(type(command).__name__):
            asked = self.request(command)
            self.take(self.ledger.execute([command], asked))
            self.take(self.ledger.execute([command], asked))

    @contextmanager
    def perhaps_refused(self, what: str) -> Iterator[None]:
        """What is refused has recorded nothing."""
        head = self.ledger.journal.head()
        try:
            yield
            DONE[what] += 1
        except (InputRefused, Conflict, NotFound):
            DONE[f"{what} refused"] += 1
            assert self.ledger.journal.head() == head

    @rule(month=MONTHS, result=RESULTS)
    def import_games(self, month: int, result: str) -> None:
        name = f"N{next(self.numbers)}"
        text = GAMES_HEADER + about(name, f"2010-{month:02}-12", f"A,B,{result}", f"C,D,{result}")
        document = Document(name=f"{name}.csv", data=text.encode())
        with self.perhaps_refused("import"):
            self.take(import_document(self.ledger, document, Request("tester", "test", "", "")))

    @rule(tournament=st.sampled_from(("T1", "T2")), result=RESULTS)
    def correct(self, tournament: str, result: str) -> None:
        self.do(
            c.CorrectResult(
                tournament=tournament, round=1, white="A", black="B", result=Result.parse(result)
            )
        )

    @rule(tournament=st.sampled_from(("T1", "T2")))
    def annul(self, tournament: str) -> None:
        self.do(c.AnnulResult(tournament=tournament, round=2, white="C", black="A"))

    @rule(month=MONTHS)
    def publish(self, month: int) -> None:
        with self.perhaps_refused("publish"):
            asked = Request("tester", "test", "", "")
            for made in publish_with_earlier(
                self.ledger, "ENF", f"2010-{month:02}", asked, acknowledged=BOUNDS
            ):
                if made.receipt is not None:
                    self.take(made.receipt)
                self.checker.take_list(made.list)

    @rule(player=PLAYERS, into=PLAYERS)
    def merge(self, player: str, into: str) -> None:
        self.do(c.MergePlayers(player=player, into=into, on=DAY))

    @precondition(lambda self: len(self.erased) < 2)
    @rule(player=PLAYERS)
    def erase(self, player: str) -> None:
        command = c.ErasePlayer(player=player, on=DAY)
        with self.perhaps_refused("erase"):
            done = erase_player(self.ledger, command, self.request(command))
            assert done.trouble is None, done.trouble
            self.take(done.receipt)
            self.checker.nameless = True
            self.erased |= set(done.players)

    @rule()
    def restore_a_backup(self) -> None:
        """Goes on with what a backup, written on each time, gives back."""
        DONE["backup and restore"] += 1
        back_up(self.ledger, self.backup)
        self._go_on(self.places.kind, lambda new: import_archive(new, self.backup / "ledger"))

    @rule(kind=st.sampled_from(KINDS))
    def move(self, kind: str) -> None:
        DONE[f"move to {kind}"] += 1
        old = self.ledger
        self._go_on(kind, lambda new: copy_ledger(old, new))

    def _go_on(self, kind: str, fill: Callable[[Ledger], object]) -> None:
        url = self.places.url(kind)
        new = opened(url)
        fill(new)
        assert new.journal.head() == self.ledger.journal.head()
        self.ledger.journal.close()
        self.url, self.ledger = url, new

    @rule()
    def open_anew(self) -> None:
        self.ledger.journal.close()
        self.ledger = opened(self.url)

    @rule(last=st.integers(1, 50), player=PLAYERS)
    def kill(self, last: int, player: str) -> None:
        """Kills a process at a statement, and asks for the same again."""
        day = next(self.numbers)
        command = c.AssignK(player=player, list="ENF", k=10 + day % 30, on=NOW.date())
        asked = self.request(command)
        child = os.fork()
        if not child:
            self._die_at(last, command, asked)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        with self.perhaps_refused("kill"):
            head = self.ledger.journal.head().seq
            receipt = self.ledger.execute([command], asked)
            self.take(receipt)
            DONE["killed after the commit" if receipt.last_seq <= head else "killed before it"] += 1

    def _die_at(self, last: int, command: c.Command, asked: Request) -> None:
        """Dies at a statement, or at the end of the work, whatever happens."""
        seen = count(1)

        def die(*_: object) -> None:
            if next(seen) == last:
                os.kill(os.getpid(), signal.SIGKILL)

        try:
            event.listen(Engine, "before_cursor_execute", die)
            opened(self.url).execute([command], asked)
        finally:
            os.kill(os.getpid(), signal.SIGKILL)

    @invariant()
    def holds(self) -> None:
        self.checker.check(self.ledger)
        people = self.ledger.journal.personal()
        assert not {person.player for person in people} & self.erased

    def teardown(self) -> None:
        self.ledger.journal.close()
        self.places.drop()


def opened(url: str) -> Ledger:
    return Ledger(open_journal(url), clock=lambda: NOW)


@pytest.mark.parametrize("kind", KINDS)
def test_any_history(
    kind: str,
    tmp_path: Path,
    sqlite_template: Path,
    postgres_server: PostgresServer,
    postgres_template: str,
) -> None:
    DONE.clear()
    places = Places(tmp_path, sqlite_template, postgres_server, postgres_template, kind)
    run_state_machine_as_test(
        partial(History, places),  # type: ignore[arg-type]  # whatever makes one will do
        settings=settings(max_examples=HISTORIES, stateful_step_count=STEPS),
    )
    sys.stdout.write(f"{kind}: {dict(DONE)}\n")
    assert DONE
