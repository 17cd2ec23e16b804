"""The triggers that make the journal append-only in the database itself.

Commits and events refuse every change, and every insert that does not continue them densely or
begins a stream again: that also stops ``INSERT OR REPLACE``, which passes SQLite's delete triggers.
A signature stands with its commit or never, and does not change either.
Personal documents may be deleted (a person is erased) but neither changed nor overwritten. On
PostgreSQL the triggers are ENABLE ALWAYS, so that ``session_replication_role`` does not pass them,
and they run once for a statement, so that a large COPY costs one look. Their functions look for
tables where the ledger's stand, whatever the session looks through (``TriggerFunction``), and an
owner's function alone deletes documents (``FORGETTING``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from typing import Any, Final, NamedTuple

_REFUSAL = "the journal is append-only"

# A commit comes before its events and continues both tables; an event is of the newest commit.
_SQLITE = {
    "commits_no_update": "BEFORE UPDATE ON commits",
    "commits_no_delete": "BEFORE DELETE ON commits",
    "commits_dense": """BEFORE INSERT ON commits WHEN
  NEW.commit_id IS NOT (SELECT coalesce(max(commit_id), 0) + 1 FROM commits)
  OR NEW.first_seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM events)
  OR NEW.first_seq <> coalesce(
    (SELECT last_seq + 1 FROM commits ORDER BY commit_id DESC LIMIT 1), NEW.first_seq)
  OR NEW.last_seq < NEW.first_seq""",
    "commits_same_key": """BEFORE INSERT ON commits WHEN EXISTS
  (SELECT 1 FROM commits WHERE idempotency_key = NEW.idempotency_key)""",
    "events_no_update": "BEFORE UPDATE ON events",
    "events_no_delete": "BEFORE DELETE ON events",
    "events_dense": """BEFORE INSERT ON events WHEN
  NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM events)
  OR NEW.commit_id IS NOT (SELECT max(commit_id) FROM commits)
  OR NEW.seq > (SELECT last_seq FROM commits WHERE commit_id = NEW.commit_id)""",
    "personal_no_update": "BEFORE UPDATE ON personal",
    "personal_no_overwrite": """BEFORE INSERT ON personal WHEN EXISTS
  (SELECT 1 FROM personal WHERE digest = NEW.digest)""",
}

# Of revision 0005. Not IN: SQLite would make a table of the list for every row.
_SQLITE_BEGINS_ONCE = {
    "events_begin_once": """BEFORE INSERT ON events WHEN
  (NEW.type = 'ladder.opened' OR NEW.type = 'list.defined'
    OR NEW.type = 'player.registered' OR NEW.type = 'tournament.opened')
  AND EXISTS (SELECT 1 FROM events WHERE stream = NEW.stream
    AND (type = 'ladder.opened' OR type = 'list.defined' OR type = 'player.registered'
      OR type = 'tournament.opened'))"""
}

# Of revision 0006.
_SQLITE_SIGNED = {
    "signatures_no_update": "BEFORE UPDATE ON signatures",
    "signatures_no_delete": "BEFORE DELETE ON signatures",
    "signatures_of_newest": """BEFORE INSERT ON signatures WHEN
  NEW.commit_id IS NOT (SELECT max(commit_id) FROM commits)
  OR EXISTS (SELECT 1 FROM signatures
    WHERE commit_id = NEW.commit_id AND account = NEW.account)""",
}

_FUNCTIONS = {
    "journal_refuse": f"""
BEGIN
  RAISE EXCEPTION '{_REFUSAL}' USING ERRCODE = 'restrict_violation';
END
""",
    "journal_commits_dense": f"""
DECLARE
  one record;
BEGIN
  FOR one IN SELECT * FROM added LOOP
    IF (SELECT count(*) FROM added) <> 1
      OR one.commit_id <> (SELECT max(commit_id) FROM commits)
      OR one.commit_id <> coalesce(
        (SELECT max(commit_id) FROM commits WHERE commit_id < one.commit_id), 0) + 1
      OR one.first_seq <> coalesce(
        (SELECT last_seq FROM commits WHERE commit_id = one.commit_id - 1), 0) + 1
      OR one.first_seq <> (SELECT coalesce(max(seq), 0) + 1 FROM events)
      OR one.last_seq < one.first_seq
    THEN
      RAISE EXCEPTION '{_REFUSAL}' USING ERRCODE = 'restrict_violation';
    END IF;
  END LOOP;
  RETURN NULL;
END
""",
    "journal_events_dense": f"""
DECLARE
  all_added record;
  newest record;
BEGIN
  SELECT count(*) AS rows, min(seq) AS first, max(seq) AS last,
    min(commit_id) AS lowest, max(commit_id) AS highest INTO all_added FROM added;
  SELECT commit_id, last_seq INTO newest FROM commits ORDER BY commit_id DESC LIMIT 1;
  IF all_added.rows > 0 AND (
    all_added.first <> coalesce(
      (SELECT max(seq) FROM events WHERE seq < all_added.first), 0) + 1
    OR all_added.last <> (SELECT max(seq) FROM events)
    OR all_added.rows <> all_added.last - all_added.first + 1
    OR all_added.lowest IS DISTINCT FROM newest.commit_id
    OR all_added.highest IS DISTINCT FROM newest.commit_id
    OR all_added.last > newest.last_seq
  ) THEN
    RAISE EXCEPTION '{_REFUSAL}' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END
""",
}

_FUNCTIONS_SIGNED = {
    "journal_signatures_newest": f"""
BEGIN
  IF EXISTS (SELECT 1 FROM added
    WHERE commit_id IS DISTINCT FROM (SELECT max(commit_id) FROM commits))
  THEN
    RAISE EXCEPTION '{_REFUSAL}' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END
"""
}

FORGETTING: Final = "journal_forget"
"""The function, of revision 0007, by which whoever may only append erases somebody.

It deletes the documents that the erasures of the newest commit name, and writes their table anew:
what looks like a change of type makes the server copy every row. It does not wait for readers for
longer than a second or two; the server's look for deadlocks, after a second, ends an autovacuum.
"""

_FORGET: Final = """
BEGIN
  LOCK TABLE personal IN ACCESS EXCLUSIVE MODE;
  DELETE FROM personal WHERE digest IN (
    SELECT jsonb_array_elements_text(e.payload::jsonb -> 'documents')
    FROM (SELECT * FROM commits ORDER BY commit_id DESC LIMIT 1) AS newest
    JOIN events e ON e.seq BETWEEN newest.first_seq AND newest.last_seq
    WHERE e.type = 'player.erased');
  ALTER TABLE personal ALTER COLUMN document SET STATISTICS 0;
  ALTER TABLE personal ALTER COLUMN document TYPE text USING (document || '');
END
"""
_FORGET_PATIENCE: Final = "1500ms"

_ADDED = "REFERENCING NEW TABLE AS added"
# Trigger name to its table, its moment and its function.
_POSTGRESQL = {
    "commits_no_change": ("commits", "BEFORE DELETE OR UPDATE OR TRUNCATE", "journal_refuse"),
    "commits_dense": ("commits", "AFTER INSERT", "journal_commits_dense"),
    "events_no_change": ("events", "BEFORE DELETE OR UPDATE OR TRUNCATE", "journal_refuse"),
    "events_dense": ("events", "AFTER INSERT", "journal_events_dense"),
    "personal_no_change": ("personal", "BEFORE UPDATE OR TRUNCATE", "journal_refuse"),
}
_POSTGRESQL_SIGNED = {
    "signatures_no_change": ("signatures", "BEFORE DELETE OR UPDATE OR TRUNCATE", "journal_refuse"),
    "signatures_of_newest": ("signatures", "AFTER INSERT", "journal_signatures_newest"),
}


def sqlite_triggers() -> dict[str, str]:
    """Returns trigger name to the statement that creates it, as SQLite keeps it."""
    return _sqlite_statements(_SQLITE | _SQLITE_BEGINS_ONCE | _SQLITE_SIGNED)


def _sqlite_statements(triggers: dict[str, str]) -> dict[str, str]:
    return {
        name: f"CREATE TRIGGER {name} {when} BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
        for name, when in triggers.items()
    }


class TriggerFunction(NamedTuple):
    """A function of the ledger on PostgreSQL, as its catalogue has it; settings are sorted."""

    source: str
    returns: str
    as_owner: bool
    settings: tuple[str, ...]


def postgresql_functions(schema: str) -> dict[str, TriggerFunction]:
    """Returns the name of each function, none of which has an argument, to what it is.

    ``schema`` is where the tables stand, quoted where it must be.
    """
    path = f"search_path={_path(schema)}"
    made = {
        name: TriggerFunction(source, "trigger", as_owner=False, settings=(path,))
        for name, source in (_FUNCTIONS | _FUNCTIONS_SIGNED).items()
    }
    waits = f"lock_timeout={_FORGET_PATIENCE}"
    made[FORGETTING] = TriggerFunction(_FORGET, "void", as_owner=True, settings=(waits, path))
    return made


def _path(schema: str) -> str:
    """Returns where functions look: what a session made for itself comes last."""
    return f"pg_catalog, {schema}, pg_temp"


def postgresql_triggers() -> dict[str, tuple[str, str, str]]:
    """Returns trigger name to its table, its definition and the name of its function.

    The definition is the statement that creates it from ``BEFORE`` or ``AFTER`` on.
    """
    return _postgresql_definitions(_POSTGRESQL | _POSTGRESQL_SIGNED)


def _postgresql_definitions(
    triggers: Mapping[str, tuple[str, str, str]],
) -> dict[str, tuple[str, str, str]]:
    made = {}
    for name, (table, moment, function) in triggers.items():
        added = f" {_ADDED}" if moment == "AFTER INSERT" else ""
        rest = f"{added} FOR EACH STATEMENT EXECUTE FUNCTION {function}()"
        made[name] = (table, f"{moment} ON {table}{rest}", function)
    return made


def statements(dialect: str) -> list[str]:
    """Returns what creates the triggers of revision 0001 on ``sqlite`` or ``postgresql``."""
    if dialect == "sqlite":
        return list(_sqlite_statements(_SQLITE).values())
    return _postgresql_statements(_FUNCTIONS, _POSTGRESQL)


def signed_statements(dialect: str) -> list[str]:
    """Returns what creates the triggers of revision 0006."""
    if dialect == "sqlite":
        return list(_sqlite_statements(_SQLITE_SIGNED).values())
    return _postgresql_statements(_FUNCTIONS_SIGNED, _POSTGRESQL_SIGNED)


def _postgresql_statements(
    functions: Mapping[str, str], triggers: Mapping[str, tuple[str, str, str]]
) -> list[str]:
    made = [
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $body${body}$body$"
        for name, body in functions.items()
    ]
    for name, (table, definition, _) in _postgresql_definitions(triggers).items():
        made.append(f"CREATE TRIGGER {name} {definition}")
        made.append(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")
    return made


def forgetting_statements(schema: str) -> list[str]:
    """Returns what makes revision 0007 on PostgreSQL, of tables that stand in a schema."""
    path = _path(schema)
    return [
        *(f"ALTER FUNCTION {name}() SET search_path = {path}" for name in _FUNCTIONS),
        *(f"ALTER FUNCTION {name}() SET search_path = {path}" for name in _FUNCTIONS_SIGNED),
        f"CREATE TABLE {schema}.writer_lock ()",
        (
            f"CREATE FUNCTION {schema}.{FORGETTING}() RETURNS void LANGUAGE plpgsql "
            f"SECURITY DEFINER SET search_path = {path} SET lock_timeout = '{_FORGET_PATIENCE}' "
            f"AS $body${_FORGET}$body$"
        ),
        f"REVOKE ALL ON FUNCTION {FORGETTING}() FROM PUBLIC",
        "ALTER TABLE personal ALTER COLUMN document SET STATISTICS 0",
    ]


def begins_once(dialect: str) -> list[str]:
    """Returns what creates the triggers of revision 0005; on PostgreSQL the index is enough."""
    return list(_sqlite_statements(_SQLITE_BEGINS_ONCE).values()) if dialect == "sqlite" else []


# The events with which a stream begins: each stream has at most one of them

BEGINNINGS: Final = ("ladder.opened", "list.defined", "player.registered", "tournament.opened")
"""Their types; those of other events continue a stream."""

# Not IN: SQLite would make a table of the list for every row that is inserted.
IS_BEGINNING: Final = " OR ".join(f"type = '{name}'" for name in BEGINNINGS)
"""The same as a condition in SQL."""


def beginnings(rows: Iterable[tuple[Any, ...]]) -> list[tuple[str, int]]:
    """Returns stream and seq of those of some stored rows that begin a stream."""
    return [(stream, seq) for seq, _, _, type_, _, _, stream, _, _ in rows if type_ in BEGINNINGS]


def begun_again(made: Iterable[tuple[str, int]], begun: MutableMapping[str, int]) -> str | None:
    """Returns the first stream that begins a second time; None, if there is none.

    Args:
        made: stream and seq of new events that begin one.
        begun: stream to seq of what began before, of which the new ones may be a part; the new
            ones up to the first bad one are added.
    """
    for stream, seq in made:
        if begun.setdefault(stream, seq) != seq:
            return stream
    return None
