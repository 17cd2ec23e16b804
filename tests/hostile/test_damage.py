"""Every command against every damage: the right answer, or a named failure, and never a trace.

Whoever damages the ledger has every right to its database. What cannot be found from inside, a
history that is hashed anew or cut off cleanly, is not among the damages: that a checkpoint tells.
"""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from ledger.derived import segments
from ledger.journal.envelope import envelope, header_digest
from ledger.journal.merkle import leaf_hash
from ledger.journal.records import Commit, StoredEvent
from tests.cli.running import Ran, run_here
from tests.hostile.ledgers import example

Damage = Callable[[sqlite3.Connection], object]
DB = "ledger.db"
LONGEST = 10.0  # seconds

EXPORT = "export archive taken --format json"
"""Its answer is not that of the undamaged ledger, and need not be."""
READING = (
    "list show ENF 2010-08 --format csv",
    "list show ENF 2010-07 --format json",
    "list regenerate ENF 2010-07",
    "explain 3404510 --list ENF --period 2010-08 --format json",
    "why 3404510 --list ENF --from 2010-07 --to 2010-08 --format json",
    "history 3404510 --list ENF --format json",
    "live ENF --format csv",
    "list monitor ENF --from 2010-07 --to 2010-08 --format json",
    "performance 3404510 --tournament ymca-2010 --list ENF --format json",
    "period list ENF --format json",
    "player show 3404510 --format json",
    "tournament list --format json",
    "tournament show ymca-2010 --format json",
    "tournament trf ymca-2010 --list ENF",
    "log --tournament ymca-2010 --format json",
    "log --player 3404510 --format json",
    "log --format jsonl",
    "replay ENF --format json",
    EXPORT,
)
PUBLISH = "publish ENF 2010-08"
AGAIN = "import turned.csv"
"""The same games in another order: there is nothing new in them."""
AFTERWARDS = {
    AGAIN: ("list", "show", "ENF", "2010-08", "--format", "csv"),
    PUBLISH: ("list", "regenerate", "ENF", "2010-08"),
}
"""What is asked after a command that writes."""
EVERY_OTHER = 2


@pytest.fixture(autouse=True)
def _small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "LEAST_EVENTS", 20)
    monkeypatch.setattr(segments, "MOST_EVENTS", 50)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a ledger, its user's vouchers, and what every command says of it."""
    folder = tmp_path_factory.mktemp("right")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("RATING_LEDGER_STATE", str(folder / "state"))
        patch.setattr(segments, "LEAST_EVENTS", 20)
        patch.setattr(segments, "MOST_EVENTS", 50)
        for name in ("players", "ymca", "agosto"):
            (folder / f"{name}.csv").write_bytes(example(f"{name}.csv"))
        head, first, *rows = example("ymca.csv").decode().splitlines()
        (folder / "turned.csv").write_text("\n".join([head, first, *reversed(rows), ""]))
        for words in (
            f"init --db {DB}",
            "list define ENF --regulation enf-2010 --calendar monthly --first 2010-07-01",
            "import players.csv --list ENF",
            "import ymca.csv",
            "publish ENF 2010-07",
            "import agosto.csv",
            "list show ENF 2010-08",
        ):
            done = run_here(*words.split(), *(() if "--db" in words else ("--db", DB)))
            assert done.code == 0, done.err
        with closing(sqlite3.connect(DB)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return folder


@pytest.fixture(scope="module")
def right(made: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What every command says of the ledger as it was recorded."""
    folder = tmp_path_factory.mktemp("asked") / "x"
    shutil.copytree(made, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("RATING_LEDGER_STATE", str(folder / "state"))
        patch.setattr(segments, "LEAST_EVENTS", 20)
        patch.setattr(segments, "MOST_EVENTS", 50)
        said = {}
        for words in READING:
            done = run_here(*words.split(), "--db", DB)
            assert done.code == 0, (words, done.err)
            said[words] = done.out
        for words, question in AFTERWARDS.items():
            assert run_here(*words.split(), "--db", DB).code == 0
            said[words] = run_here(*question, "--db", DB).out
    return said


@pytest.fixture(params=["vouched", "unknown"])
def folder(
    request: pytest.FixtureRequest, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A copy of the ledger: of the user who has made its segments, and of somebody else."""
    target = tmp_path / "ledger"
    shutil.copytree(made, target)
    if request.param == "unknown":
        shutil.rmtree(target / "state")
    monkeypatch.chdir(target)
    monkeypatch.setenv("RATING_LEDGER_STATE", str(target / "state"))
    return target


def statements(*texts: str) -> Damage:
    def done(connection: sqlite3.Connection) -> None:
        for text in texts:
            connection.execute(text)

    return done


def rehash(connection: sqlite3.Connection, seq: int, column: str, value: str) -> None:
    """Changes an event and hashes its leaf anew."""
    connection.execute(f"UPDATE events SET {column} = ? WHERE seq = ?", (value, seq))
    event = StoredEvent(
        *connection.execute("SELECT * FROM events WHERE seq = ?", (seq,)).fetchone()
    )
    row = connection.execute("SELECT * FROM commits WHERE commit_id = ?", (event.commit_id,))
    leaf = leaf_hash(envelope(event, header_digest(Commit(*row.fetchone())))).hex()
    connection.execute("UPDATE events SET leaf_hash = ? WHERE seq = ?", (leaf, seq))


def result_turned(connection: sqlite3.Connection) -> None:
    """Turns a result round, and hashes its leaf anew."""
    seq, payload = connection.execute(
        "SELECT seq, payload FROM events WHERE payload LIKE '%\"1-0\"%' LIMIT 1"
    ).fetchone()
    rehash(connection, seq, "payload", payload.replace('"1-0"', '"0-1"'))


def cache_forged(table: str, column: str, key: str) -> Damage:
    """Changes a byte in the middle of every row's data, and makes the digest again."""

    def done(connection: sqlite3.Connection) -> None:
        for rowid, data in connection.execute(f"SELECT rowid, {column} FROM {table}").fetchall():
            forged = bytearray(data)
            forged[len(forged) * 2 // 3] ^= 1
            digest = sha256(forged).hexdigest()
            connection.execute(
                f"UPDATE {table} SET {column} = ?, {key} = ? WHERE rowid = ?",
                (bytes(forged), digest, rowid),
            )

    return done


def index_without(column: str, value: str) -> Damage:
    """Leaves events out of the index, and makes the index look whole."""

    def done(connection: sqlite3.Connection) -> None:
        connection.execute("DROP INDEX events_stream")
        connection.execute(
            f"CREATE INDEX events_stream ON events (stream, seq) WHERE {column} <> '{value}'"
        )
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_schema SET sql = 'CREATE INDEX events_stream ON events (stream, seq)' "
            "WHERE name = 'events_stream'"
        )

    return done


TABLES = {"events": "seq", "commits": "commit_id", "personal": "rowid", "segments": "first_seq",
          "snapshots": "rowid"}  # fmt: skip
MISSING = {
    f"{table}: the {place} row is missing": statements(
        f"DELETE FROM {table} WHERE {key} = (SELECT {chosen} FROM {table})"
    )
    for table, key in TABLES.items()
    for place, chosen in (
        ("first", f"min({key})"),
        ("last", f"max({key})"),
        ("middle", f"min({key}) + (max({key}) - min({key})) / 2"),
    )
    if (table, place) != ("segments", "middle")
}
EMPTY = {f"{table} is empty": statements(f"DELETE FROM {table}") for table in TABLES}
EDITS = {
    text: statements(f"UPDATE {text}")
    for text in (
        "events SET payload = replace(payload, '\"1-0\"', '\"0-1\"')",
        "events SET payload = '{}' WHERE seq = 60",
        "events SET effective_on = '2010-02-30' WHERE seq > 40",
        "events SET effective_on = 'x'",
        "events SET stream = 'player:x' WHERE seq = 1",
        "events SET type = 'unknown' WHERE seq = 3",
        "events SET version = 99 WHERE seq = 3",
        "events SET seq = seq + 1000 WHERE seq = (SELECT max(seq) FROM events)",
        "events SET commit_id = 1 WHERE seq = 70",
        "events SET leaf_hash = 'x' WHERE seq = 70",
        "commits SET recorded_at = 'x'",
        "commits SET actor = 'Eva' WHERE commit_id = 2",
        "commits SET root = 'x' WHERE commit_id = (SELECT max(commit_id) FROM commits)",
        "commits SET peaks = 'x'",
        "commits SET last_seq = last_seq + 1000000000000",
        "commits SET last_seq = 0",
        "commits SET first_seq = -5 WHERE commit_id = 3",
        "commits SET commit_id = commit_id + 10 WHERE commit_id > 3",
        "personal SET player = 'x'",
        "personal SET document = replace(document, 'a', 'b')",
        "personal SET document = '{}'",
        "personal SET digest = 'x' WHERE rowid = 1",
        "segments SET first_seq = first_seq + 1000",
        "segments SET first_seq = -1 WHERE first_seq = 1",
        "segments SET last_seq = last_seq + 1",
        "segments SET last_seq = 1000000000000",
        "segments SET sealed_at = 7",
        "segments SET root = 'x'",
        "segments SET heading = x'00', rows = x'00'",
        "segments SET rows = heading",
        "snapshots SET data = x'00'",
        "snapshots SET basis = 1000000000000",
        "snapshots SET basis = 3",
        "snapshots SET period = period + 1",
        "snapshots SET period = 1000000000000",
        "snapshots SET list = 'X'",
        "snapshots SET root = 'x'",
    )
}
FORGED: dict[str, Damage] = {
    "a result turned, its leaf hashed anew": result_turned,
    "headings forged": cache_forged("segments", "heading", "sha256"),
    "snapshots forged": cache_forged("snapshots", "data", "sha256"),
    "a trigger that ignores events": statements(
        "CREATE TRIGGER z BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END"
    ),
    "a trigger that ignores commits": statements(
        "CREATE TRIGGER z BEFORE INSERT ON commits BEGIN SELECT RAISE(IGNORE); END"
    ),
    "a view": statements("CREATE VIEW more AS SELECT * FROM events"),
    "an index without a tournament": index_without("stream", "tournament:ymca-2010"),
    "an index without a player": index_without("stream", "player:3404510"),
    "an index without results": index_without("type", "result.recorded"),
    "an index without entries": index_without("type", "player.entered"),
    "a table of segments made anew": statements(
        "CREATE TABLE was AS SELECT * FROM segments",
        "DROP TABLE segments",
        "ALTER TABLE was RENAME TO segments",
        "UPDATE segments SET last_seq = 'x'",
    ),
    "no table of segments": statements("DROP TABLE segments"),
    "no table of snapshots": statements("DROP TABLE snapshots"),
}
DAMAGES = MISSING | EMPTY | EDITS | FORGED
HARMLESS = {
    "segments is empty",
    "snapshots is empty",
    "segments: the last row is missing",
    *(f"snapshots: the {place} row is missing" for place in ("first", "middle", "last")),
}
"""What may be gone at any time."""
NAMELESS = {
    "personal is empty",
    "personal SET digest = 'x' WHERE rowid = 1",
    *(f"personal: the {place} row is missing" for place in ("first", "middle", "last")),
}
"""Where documents are gone, as of erased people, answers lack names; ``verify`` tells."""
KEEPS_TRIGGERS = {"a trigger that ignores events", "a trigger that ignores commits", "a view"}


def damaged(damage: str) -> None:
    with closing(sqlite3.connect(DB)) as connection, connection:
        triggers: list[tuple[str, str]] = []
        if damage not in KEEPS_TRIGGERS:
            triggers = connection.execute(
                "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
            ).fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        DAMAGES[damage](connection)
        for _, sql in triggers:  # whoever did it hides it
            connection.execute(sql)


def asked(words: str, wrong: list[str]) -> Ran:
    """Runs a command; what no command may do goes to what is wrong."""
    started = time.process_time()
    done = run_here(*words.split(), "--db", DB)
    if time.process_time() - started > LONGEST:
        wrong.append(f"{words}: takes too long")
    if (
        done.code not in {0, 3, 4, 5, 6, 7}
        or "Traceback" in done.err
        or (done.code and not done.err)
    ):
        wrong.append(f"{words}: exit {done.code}: {done.err}")
    return done


@pytest.mark.parametrize("damage", DAMAGES)
def test_no_command_is_fooled(folder: Path, right: dict[str, str], damage: str) -> None:
    """Every damage meets every command, and both users: each user asks every other question."""
    damaged(damage)
    shutil.copy(DB, "damaged.db")
    turn = list(DAMAGES).index(damage) + (folder / "state").exists()
    wrong: list[str] = []
    for words in (*READING, AGAIN, PUBLISH)[turn % EVERY_OTHER :: EVERY_OTHER]:
        shutil.copy("damaged.db", DB)  # each by itself: readers repair
        done = asked(words, wrong)
        answers = done.code == 0
        if answers and words in AFTERWARDS:
            done = run_here(*AFTERWARDS[words], "--db", DB)
            answers = done.code == 0 or words == PUBLISH
        if answers and done.out != right[words] and words != EXPORT and damage not in NAMELESS:
            wrong.append(f"{words}: {done.out[:300]}")
    shutil.copy("damaged.db", DB)
    found = asked("verify --format json", wrong).code
    assert not wrong, "\n".join(wrong)
    assert found or damage in HARMLESS, damage
