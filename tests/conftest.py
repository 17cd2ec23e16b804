"""Databases for the tests: in memory, SQLite, and a real PostgreSQL server."""

from __future__ import annotations

import gc
import os
import random
import shutil
import signal
import tempfile
from collections.abc import Generator, Iterator
from functools import partial
from pathlib import Path

import pytest
from filelock import FileLock

from ledger.journal.interface import Journal
from ledger.journal.stores.database import grant_roles, open_journal, upgrade
from ledger.journal.stores.memory import MemoryJournal
from ledger.journal.stores.roles import Roles
from tests import profile
from tests.postgres import READER, WRITER, PostgresServer

profile.register()


SLOW = (
    "faults/", "web/test_every_page.py", "project/test_site.py", "cli/test_backups.py",
    "cli/test_pages.py", "cli/test_killed.py", "web/jobs/", "web/test_serving.py", "cluster/",
    "web/test_killed_submissions.py", "web/test_desk_browser.py", "hostile/",
    "service/test_erased_bytes.py", "laws/", "benchmarks/", "examples/", "outside/",
    "intake/test_large_", "intake/test_workbook.py", "web/accounts/test_in_a_browser.py",
    "web/test_submission_pages.py",
    "web/test_printing.py", "web/test_long_words.py",
    "web/test_demonstration.py", "web/test_browser.py",
    "golden/test_report_json.py", "archive/", "derived/test_segments.py",
    "journal/test_concurrency.py", "journal/test_crash.py", "journal/test_walk.py",
    "journal/test_without_postgresql.py", "web/test_api_contract.py", "web/test_api_answers.py",
    "project/test_wheel.py", "project/test_without_arrow.py", "web/test_web_client.py",
    "proofs/test_page.py", "golden/test_release_0_1_0.py", "cli/test_loading.py",
    "cli/test_tournament_demo.py", "desk/test_simulator.py", "rating/test_kernel_sanitized.py",
    "reports/test_data_tables.py", "web/accounts/", "web/test_submissions.py",
    "web/test_api_submissions.py", "web/test_previews.py", "web/test_erasures.py",
    "web/test_erased_files.py", "web/test_erasing.py", "web/test_read_models.py",
    "web/test_api_writing.py", "cli/test_contract.py", "cli/test_archives.py",
    "cli/test_excerpts.py", "cli/test_desk.py", "cli/test_signing.py", "cli/test_erase.py",
    "cli/test_typed_numbers.py", "cli/test_accounts.py", "cli/test_standings.py",
    "cli/test_independent_witness.py", "journal/test_opening.py", "journal/test_damage.py",
    "desk/test_dutch.py", "desk/test_swiss_laws.py", "differential/", "proofs/test_script.py",
    "test_disk.py", "rating/test_first_ratings.py",
)  # fmt: skip
"""What ``--quick`` has no time for: many processes, a browser, long histories, or merely much work.

What takes longest comes first, so that it does not end last.
"""
MEMORY = Path("/dev/shm")  # noqa: S108 - a run makes a folder of its own there
ROOM = 2 << 30  # bytes; a run and its server take 400 MB
_CHANCES = 10**6
MADE_BETWEEN = 50_000  # objects, until the collector looks at those that are new


@pytest.hookimpl(tryfirst=True)  # before pytest chooses its own folder, which all runs share
def pytest_configure(config: pytest.Config) -> None:
    """Gives the run a folder of its own until it ends; ``--basetemp`` names one that stays.

    Workers get theirs below it. A shell starts what works in the background deaf to interruptions,
    and whatever the tests start would be so, too.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        os.environ.setdefault(profile.TURN, str(random.randrange(_CHANCES)))  # noqa: S311 - no secret
    if config.option.basetemp is None:
        made = tempfile.mkdtemp(prefix="rating-ledger-tests-", dir=_memory())
        config.option.basetemp = made
        for folder in (Path(made), _server_folder(Path(made))):
            config.add_cleanup(partial(shutil.rmtree, folder, ignore_errors=True))


def _memory() -> Path | None:
    """Returns where files lie in memory, if there is room and programs may be started there.

    A ledger waits at every commit until it is on disk; in memory it waits for nothing.
    """
    there = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM
    return MEMORY if there and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Has the collector of cycles leave alone what the collected tests hold until the end.

    Whatever forgets names or gives memory back looks for cycles among everything that is there. At
    seven hundred new objects, as Python has it, the collector takes a twelfth of the time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(MADE_BETWEEN)
        gc.enable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves out unread what ``-m "not slow"`` would leave out."""
    return _is_slow(collection_path) if config.option.markexpr == "not slow" else None


def _is_slow(path: Path) -> bool:
    return _place(path) < len(SLOW)


def _place(path: Path) -> int:
    """Returns where ``SLOW`` names a file or its folder, or how much it names."""
    here = Path(__file__).parent
    place = path.relative_to(here).as_posix() if path.is_relative_to(here) else ""
    return next((n for n, slow in enumerate(SLOW) if f"{place}/".startswith(slow)), len(SLOW))


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by mark
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks as slow what is in ``SLOW``, and what needs a PostgreSQL server; slow files come first.

    Of what takes long only those stay that have their turn.

    A process that has nothing left to do takes over from the end of another's: no long test is the
    last one, while the others wait.
    """
    for item in items:
        chosen = getattr(item, "callspec", None)  # of a parametrized test
        kinds = [kind for kind in chosen.params.values() if isinstance(kind, str)] if chosen else []
        server = "postgres_server" in getattr(item, "fixturenames", ()) or "postgresql" in kinds
        if server or _is_slow(item.path):
            item.add_marker(pytest.mark.slow)
    ids = {item: item.nodeid.removeprefix("tests/") for item in items}
    if (chosen_ids := profile.this_turn(ids.values())) is not None:
        config.hook.pytest_deselected(items=[item for item in items if ids[item] not in chosen_ids])
        items[:] = [item for item in items if ids[item] in chosen_ids]
    items.sort(key=lambda item: _place(item.path))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says how the long tests of this run are asked for again, and how all are."""
    if (turn := os.environ.get(profile.TURN)) and profile.PROFILE != "thorough":
        terminalreporter.write_line(
            f"a fifth of the long tests, by chance: {profile.TURN}={turn} takes them again, "
            "RATING_LEDGER_TESTS=thorough all"
        )


@pytest.fixture(scope="session", autouse=True)
def _state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder for vouchers of the tests' own, for the processes that they start as well."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RATING_LEDGER_STATE", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The folder of this run, the same in all of its processes."""
    own = tmp_path_factory.getbasetemp()
    return own if worker_id == "master" else own.parent


@pytest.fixture(scope="session")
def postgres_server(run_folder: Path) -> Iterator[PostgresServer]:
    """A server that all processes of the test run share."""
    server = PostgresServer(_server_folder(run_folder))
    yield server
    server.stop()


def _server_folder(run: Path) -> Path:
    """Returns a folder for the server beside the run's, which no other user may enter."""
    return run.with_name(f"{run.name}-postgresql")


@pytest.fixture(scope="session")
def postgres_template(postgres_server: PostgresServer, run_folder: Path) -> str:
    """A database with empty tables and the least privileges, to make others from."""
    with FileLock(run_folder / "roles.lock"):  # they are those of the whole server
        name = postgres_server.create()
        upgrade(postgres_server.url(name))
        roles = Roles.of("rating_ledger")
        grant_roles(postgres_server.url(name), roles)
        postgres_server.login(WRITER, roles.writer)
        postgres_server.login(READER, roles.reader)
    return name


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with empty tables, to make others from."""
    path = tmp_path_factory.mktemp("template") / "template.db"
    upgrade(str(path))
    return path


@pytest.fixture
def postgres_url(postgres_server: PostgresServer, postgres_template: str) -> Iterator[str]:
    """An empty ledger on PostgreSQL, as somebody sees it who may only append."""
    name = postgres_server.create(postgres_template)
    yield postgres_server.url(name, WRITER)
    postgres_server.drop(name)


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """An empty ledger in a file."""
    return f"sqlite:///{shutil.copy(sqlite_template, tmp_path / 'ledger.db')}"


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder that everybody can get to, unlike ``tmp_path``."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """An empty ledger in either database."""
    name = "sqlite_url" if request.param == "sqlite" else "postgres_url"
    url: str = request.getfixturevalue(name)
    return url


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def journal(request: pytest.FixtureRequest) -> Iterator[Journal]:
    """An empty journal of every kind."""
    if request.param == "memory":
        yield MemoryJournal()
        return
    name = "sqlite_url" if request.param == "sqlite" else "postgres_url"
    opened = open_journal(request.getfixturevalue(name))
    yield opened
    opened.close()
