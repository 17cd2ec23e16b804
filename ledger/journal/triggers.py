"""The triggers that make the journal append-only in the database itself.

Commits and events refuse every change, and every insert that does not continue them densely: that
also stops ``INSERT OR REPLACE``, which passes SQLite's delete triggers. Personal documents may be
deleted (a person is erased) but neither changed nor overwritten. On PostgreSQL the triggers are
ENABLE ALWAYS, so that ``session_replication_role`` does not pass them.
"""

from __future__ import annotations

_REFUSAL = "the journal is append-only"

_KEYS = {"commits": "commit_id", "events": "seq"}


def sqlite_triggers() -> dict[str, str]:
    """Returns trigger name to the statement that creates it."""
    made = {}
    for table, key in _KEYS.items():
        for action in ("UPDATE", "DELETE"):
            name = f"{table}_no_{action.lower()}"
            made[name] = _sqlite(name, f"BEFORE {action} ON {table}", "")
        name = f"{table}_dense"
        last = f"(SELECT coalesce(max({key}), 0) + 1 FROM {table})"
        made[name] = _sqlite(name, f"BEFORE INSERT ON {table}", f" WHEN NEW.{key} IS NOT {last}")
    made["events_same_id"] = _sqlite(
        "events_same_id",
        "BEFORE INSERT ON events",
        " WHEN EXISTS (SELECT 1 FROM events WHERE event_id = NEW.event_id)",
    )
    made["commits_same_key"] = _sqlite(
        "commits_same_key",
        "BEFORE INSERT ON commits",
        " WHEN EXISTS (SELECT 1 FROM commits WHERE idempotency_key = NEW.idempotency_key)",
    )
    made["personal_no_update"] = _sqlite("personal_no_update", "BEFORE UPDATE ON personal", "")
    made["personal_no_overwrite"] = _sqlite(
        "personal_no_overwrite",
        "BEFORE INSERT ON personal",
        " WHEN EXISTS (SELECT 1 FROM personal WHERE digest = NEW.digest)",
    )
    return made


def _sqlite(name: str, when: str, condition: str) -> str:
    return f"CREATE TRIGGER {name} {when}{condition} BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"


POSTGRESQL_FUNCTIONS = {
    "journal_refuse": f"""
BEGIN
  RAISE EXCEPTION '{_REFUSAL}' USING ERRCODE = 'restrict_violation';
END
""",
    **{
        f"journal_{table}_dense": f"""
BEGIN
  IF NEW.{key} IS DISTINCT FROM (SELECT coalesce(max({key}), 0) + 1 FROM {table}) THEN
    RAISE EXCEPTION '{_REFUSAL}' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
"""
        for table, key in _KEYS.items()
    },
}


def postgresql_triggers() -> dict[str, tuple[str, str]]:
    """Returns trigger name to its table and the statement that creates it."""
    made = {}
    for table in _KEYS:
        made[f"{table}_no_change"] = (
            table,
            (
                f"CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table} "
                "FOR EACH ROW EXECUTE FUNCTION journal_refuse()"
            ),
        )
        made[f"{table}_no_truncate"] = (
            table,
            (
                f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION journal_refuse()"
            ),
        )
        made[f"{table}_dense"] = (
            table,
            (
                f"CREATE TRIGGER {table}_dense BEFORE INSERT ON {table} "
                f"FOR EACH ROW EXECUTE FUNCTION journal_{table}_dense()"
            ),
        )
    made["personal_no_update"] = (
        "personal",
        (
            "CREATE TRIGGER personal_no_update BEFORE UPDATE ON personal "
            "FOR EACH ROW EXECUTE FUNCTION journal_refuse()"
        ),
    )
    return made


def statements(dialect: str) -> list[str]:
    """Returns what creates all triggers on ``sqlite`` or ``postgresql``."""
    if dialect == "sqlite":
        return list(sqlite_triggers().values())
    made = [
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $body${body}$body$"
        for name, body in POSTGRESQL_FUNCTIONS.items()
    ]
    for name, (table, statement) in postgresql_triggers().items():
        made += [statement, f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}"]
    return made
