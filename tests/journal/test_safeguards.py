"""Whatever keeps the ledger on PostgreSQL and was changed is named, and nothing that was not."""

from __future__ import annotations

import pytest
from psycopg import sql

from ledger.journal.stores.database import diagnose, grant_roles, open_journal, upgrade
from ledger.journal.stores.roles import Roles
from ledger.journal.stores.sql import SqlJournal
from ledger.journal.verify.check import check
from tests.journal.databases import as_superuser, connected
from tests.journal.drafts import append, draft, fill
from tests.postgres import READER, WRITER, PostgresServer

_EVIL = "CREATE SCHEMA evil; CREATE TABLE evil.commits (commit_id bigint); "
_IGNORING = "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; "

# Each change, and what is named; {db} is the database, {fk} a trigger by which a key is kept.
CHANGES = {
    # who owns
    "ALTER TABLE events OWNER TO clerk": "owner clerk on events",
    "ALTER TABLE personal OWNER TO clerk": "owner clerk on personal",
    "ALTER TABLE alembic_version OWNER TO clerk": "owner clerk on alembic_version",
    "ALTER TABLE writer_lock OWNER TO visitor": "owner visitor on writer_lock",
    "ALTER FUNCTION journal_refuse() OWNER TO clerk": "owner clerk on journal_refuse()",
    "ALTER FUNCTION journal_forget() OWNER TO clerk": "owner clerk on journal_forget()",
    # who may
    "GRANT UPDATE ON events TO clerk": "privilege UPDATE of clerk on events",
    "GRANT DELETE ON personal TO rating_ledger_writer":
        "privilege DELETE of rating_ledger_writer on personal",
    "GRANT TRUNCATE ON commits TO visitor": "privilege TRUNCATE of visitor on commits",
    "GRANT TRIGGER ON events TO clerk": "privilege TRIGGER of clerk on events",
    "GRANT REFERENCES ON personal TO clerk": "privilege REFERENCES of clerk on personal",
    "GRANT MAINTAIN ON events TO clerk": "privilege MAINTAIN of clerk on events",
    "GRANT INSERT ON signatures TO visitor": "privilege INSERT of visitor on signatures",
    "GRANT INSERT ON events TO rating_ledger_reader":
        "privilege INSERT of rating_ledger_reader on events",
    "GRANT UPDATE ON writer_lock TO rating_ledger_reader":
        "privilege UPDATE of rating_ledger_reader on writer_lock",
    "GRANT UPDATE ON alembic_version TO rating_ledger_writer":
        "privilege UPDATE of rating_ledger_writer on alembic_version",
    "GRANT SELECT ON personal TO visitor": "privilege SELECT of visitor on personal",
    "GRANT SELECT ON personal TO PUBLIC": "privilege SELECT of PUBLIC on personal",
    "GRANT INSERT ON events TO PUBLIC": "privilege INSERT of PUBLIC on events",
    "GRANT UPDATE (payload) ON events TO clerk": "privilege UPDATE (payload) of clerk on events",
    "GRANT SELECT (document) ON personal TO PUBLIC":
        "privilege SELECT (document) of PUBLIC on personal",
    "GRANT INSERT ON events TO rating_ledger_writer WITH GRANT OPTION":
        "privilege INSERT of rating_ledger_writer on events",
    "GRANT EXECUTE ON FUNCTION journal_forget() TO PUBLIC":
        "privilege EXECUTE of PUBLIC on journal_forget()",
    "REVOKE INSERT ON events FROM rating_ledger_writer":
        "missing privilege INSERT of rating_ledger_writer on events",
    "REVOKE SELECT ON personal FROM rating_ledger_reader":
        "missing privilege SELECT of rating_ledger_reader on personal",
    "REVOKE EXECUTE ON FUNCTION journal_forget() FROM rating_ledger_writer":
        "missing privilege EXECUTE of rating_ledger_writer on journal_forget()",
    "ALTER DEFAULT PRIVILEGES FOR ROLE rating_ledger_owner GRANT ALL ON TABLES TO clerk":
        "default privilege DELETE of clerk",
    "ALTER DEFAULT PRIVILEGES FOR ROLE rating_ledger_owner IN SCHEMA public "
    "GRANT SELECT ON TABLES TO PUBLIC": "default privilege SELECT of PUBLIC",
    # functions
    "ALTER FUNCTION journal_events_dense() RESET search_path": "function journal_events_dense()",
    "ALTER FUNCTION journal_commits_dense() SET search_path = pg_temp, public":
        "function journal_commits_dense()",
    "ALTER FUNCTION journal_refuse() SECURITY DEFINER": "function journal_refuse()",
    "ALTER FUNCTION journal_refuse() SET session_replication_role = replica":
        "function journal_refuse()",
    "ALTER FUNCTION journal_forget() SECURITY INVOKER": "function journal_forget()",
    "ALTER FUNCTION journal_forget() RESET lock_timeout": "function journal_forget()",
    "ALTER FUNCTION journal_forget() STRICT": "function journal_forget()",
    "ALTER FUNCTION journal_signatures_newest() IMMUTABLE": "function journal_signatures_newest()",
    "CREATE OR REPLACE FUNCTION journal_forget() RETURNS void LANGUAGE sql SECURITY DEFINER "
    "AS 'DELETE FROM personal'": "function journal_forget()",
    # triggers and keys
    'ALTER TABLE events DISABLE TRIGGER "{fk}"':
        "disabled foreign key events_commit_id_fkey on events",
    'ALTER TABLE events ENABLE REPLICA TRIGGER "{fk}"':
        "disabled foreign key events_commit_id_fkey on events",
    "ALTER TABLE commits DISABLE TRIGGER ALL":
        "disabled foreign key events_commit_id_fkey on commits",
    "ALTER TABLE events DROP CONSTRAINT events_commit_id_fkey; ALTER TABLE events "
    "ADD FOREIGN KEY (commit_id) REFERENCES commits NOT VALID":
        "constraint events_commit_id_fkey on events",
    "ALTER TABLE events ALTER CONSTRAINT events_commit_id_fkey DEFERRABLE INITIALLY DEFERRED":
        "constraint events_commit_id_fkey on events",
    "ALTER TABLE events ALTER CONSTRAINT events_commit_id_fkey NOT ENFORCED":
        "constraint events_commit_id_fkey on events",
    "ALTER TABLE events DROP CONSTRAINT events_commit_id_fkey; ALTER TABLE events "
    "ADD FOREIGN KEY (commit_id) REFERENCES commits ON DELETE CASCADE":
        "constraint events_commit_id_fkey on events",
    "CREATE TABLE notes (digest text REFERENCES personal)": "constraint notes_digest_fkey on notes",
    "CREATE SCHEMA other; CREATE TABLE other.notes (digest text REFERENCES personal)":
        "constraint notes_digest_fkey on other.notes",
    "ALTER TABLE events ALTER type DROP NOT NULL; "
    "ALTER TABLE events ADD CONSTRAINT loose NOT NULL type NOT VALID":
        "constraint that is not valid loose on events",
    _IGNORING + "CREATE TRIGGER extra BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION f()":
        "trigger extra on events",
    "CREATE RULE extra AS ON INSERT TO events DO INSTEAD NOTHING": "rule extra on events",
    # rows that are not seen
    "ALTER TABLE personal ENABLE ROW LEVEL SECURITY": "row level security on personal",
    "ALTER TABLE personal FORCE ROW LEVEL SECURITY": "forced row level security on personal",
    "CREATE POLICY mine ON events USING (true)": "policy mine on events",
    # columns
    "ALTER TABLE events ALTER payload SET DEFAULT ''": "default of column payload on events",
    "ALTER TABLE commits ALTER commit_id ADD GENERATED BY DEFAULT AS IDENTITY":
        "identity column commit_id on commits",
    "ALTER TABLE signatures ALTER signature TYPE varchar(9)": "column signature on signatures",
    'ALTER TABLE signatures ALTER account TYPE text COLLATE "default"':
        "column account on signatures",
    "ALTER TABLE personal ALTER document SET STATISTICS 100":
        "statistics of column document on personal",
    "CREATE STATISTICS names ON player, document FROM personal": "statistics names on personal",
    # tables
    "ALTER TABLE signatures SET UNLOGGED": "table signatures",
    "CREATE TABLE child () INHERITS (personal)": "inheriting table child on personal",
    "CREATE TABLE parent (document text NOT NULL); ALTER TABLE personal INHERIT parent":
        "parent table parent on personal",
    "CREATE TABLE whole (LIKE personal) PARTITION BY LIST (digest); "
    "ALTER TABLE whole ATTACH PARTITION personal DEFAULT": "parent table whole on personal",
    "CREATE TYPE kind AS (digest text, player text, document text); ALTER TABLE personal OF kind":
        "type of table kind on personal",
    # what stands beside them
    "CREATE DOMAIN word AS text": "type word",
    "CREATE CAST (text AS bigint) WITH INOUT AS ASSIGNMENT": "cast text as bigint",
    "CREATE FUNCTION f() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'; "
    "CREATE EVENT TRIGGER watch ON ddl_command_end EXECUTE FUNCTION f()": "event trigger watch",
    "CREATE SUBSCRIPTION others CONNECTION 'dbname={db}' PUBLICATION p "
    "WITH (connect = false, slot_name = NONE); INSERT INTO pg_subscription_rel "
    "SELECT oid, 'events'::regclass, 'r' FROM pg_subscription WHERE subname = 'others'":
        "subscription others on events",
    # what sessions look through
    _EVIL + "ALTER DATABASE {db} SET search_path = public, evil": "table evil.commits",
    _EVIL + "ALTER ROLE clerk IN DATABASE {db} SET search_path = evil, public":
        "table evil.commits",
    "CREATE SCHEMA clerk; CREATE TABLE clerk.events (seq bigint)": "table clerk.events",
    "ALTER DATABASE {db} SET search_path = public, pg_catalog":
        "setting search_path=public, pg_catalog of everybody",
    "ALTER DATABASE {db} SET session_replication_role = replica":
        "setting session_replication_role=replica of everybody",
    "ALTER ROLE clerk IN DATABASE {db} SET session_preload_libraries = 'plpgsql'":
        "setting session_preload_libraries=plpgsql of clerk",
}  # fmt: skip


def named(url: str) -> list[str]:
    """Returns what is named as it is not made, by whoever has a URL."""
    journal = open_journal(url)
    found = journal.foreign_objects()
    journal.close()
    return found


@pytest.mark.parametrize(("change", "name"), CHANGES.items(), ids=CHANGES.values())
def test_a_change_is_named_by_verify_and_doctor(postgres_url: str, change: str, name: str) -> None:
    """Also to who may only append or read, and who has a database that names things in quotes."""
    assert named(postgres_url) == []
    with connected(postgres_url) as driver:
        ((database, key),) = driver.execute(
            "SELECT current_database(), tgname FROM pg_trigger "
            "WHERE tgrelid = 'events'::regclass AND tgisinternal LIMIT 1"
        ).fetchall()
        driver.execute(change.format(db=database, fk=key))
    for url in (postgres_url, postgres_url.replace(WRITER, READER), as_superuser(postgres_url)):
        if "REVOKE SELECT" not in change or url != postgres_url.replace(WRITER, READER):
            assert name in named(url), url
    journal = open_journal(as_superuser(postgres_url))
    assert name in {dict(each.message.values).get("object") for each in check(journal).findings}
    journal.close()
    trouble = diagnose(as_superuser(postgres_url)).trouble
    assert trouble is not None
    with connected(postgres_url) as driver:
        if "SUBSCRIPTION" in change:  # else the database cannot be dropped
            driver.execute("DROP SUBSCRIPTION others")


# Installations as there are


def quiet(url: str) -> SqlJournal:
    """Returns the journal of a database in which nothing is to be named."""
    assert named(url) == []
    found = diagnose(url)
    assert (found.trouble, found.facts["foreign_objects"]) == (None, "-")
    return open_journal(url)


def test_one_without_roles_is_quiet(postgres_server: PostgresServer) -> None:
    """It belongs to who made it, and others have what they need, one by one."""
    name = postgres_server.create()
    url = postgres_server.url(name)
    upgrade(url)
    quiet(url).close()
    roles = Roles(f"none_{name}", f"writes_{name}", f"reads_{name}")
    with connected(url) as driver:
        for role in (roles.writer, roles.reader):
            driver.execute(f"CREATE ROLE {role} LOGIN")
            driver.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}")
        driver.execute(f"GRANT INSERT ON commits, events, personal TO {roles.writer}")
        driver.execute(f"GRANT UPDATE ON writer_lock TO {roles.writer}")
        driver.execute(f"GRANT EXECUTE ON FUNCTION journal_forget() TO {roles.writer}")
        driver.execute(f"ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO {roles.reader}")
        driver.execute("ANALYZE; ALTER TABLE events SET (autovacuum_vacuum_scale_factor = 0.01)")
        driver.execute(f"CREATE PUBLICATION p_{name} FOR ALL TABLES")
    for user in ("postgres", roles.writer, roles.reader):
        quiet(postgres_server.url(name, user)).close()
    journal = quiet(postgres_server.url(name, roles.writer))
    fill(journal)
    assert check(journal).findings == ()
    journal.close()
    with connected(url) as driver:
        driver.execute(f"DROP OWNED BY {roles.writer}, {roles.reader}")
        driver.execute(f"DROP ROLE {roles.writer}, {roles.reader}")
    postgres_server.drop(name)


def test_one_in_a_schema_of_its_own_is_quiet(postgres_server: PostgresServer) -> None:
    name = postgres_server.create()
    with connected(postgres_server.url(name)) as driver:
        driver.execute('CREATE SCHEMA "Chess Club"')
        driver.execute(f'ALTER DATABASE {name} SET search_path = "Chess Club"')
        driver.execute(f"ALTER DATABASE {name} SET quote_all_identifiers = on")
    url = postgres_server.url(name)
    upgrade(url)
    grant_roles(url, Roles.of("rating_ledger"))
    journal = quiet(url)
    fill(journal)
    assert check(journal).findings == ()
    journal.close()
    postgres_server.drop(name)


def test_one_that_was_restored_by_another_user_is_quiet(postgres_server: PostgresServer) -> None:
    """Everything belongs to another one than before, as after ``pg_restore --no-owner``."""
    name = postgres_server.create()
    url = postgres_server.url(name)
    upgrade(url)
    with connected(url) as driver:
        driver.execute(f"CREATE ROLE new_{name} LOGIN SUPERUSER")
        for table in ("commits", "events", "personal", "signatures", "segments", "snapshots",
                      "writer_lock", "alembic_version"):  # fmt: skip
            driver.execute(f"ALTER TABLE {table} OWNER TO new_{name}")
        for function in ("refuse", "commits_dense", "events_dense", "signatures_newest", "forget"):
            driver.execute(f"ALTER FUNCTION journal_{function}() OWNER TO new_{name}")
    journal = quiet(postgres_server.url(name, f"new_{name}"))
    append(journal, draft())
    journal.close()
    postgres_server.drop(name)
    postgres_server.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(f"new_{name}")))


def test_roles_that_became_others_are_named(postgres_server: PostgresServer) -> None:
    name = postgres_server.create()
    url = postgres_server.url(name)
    upgrade(url)
    roles = Roles.of(f"r_{name}")
    grant_roles(url, roles)
    quiet(url).close()
    with connected(url) as driver:
        driver.execute(f"GRANT {roles.owner} TO {roles.writer}")
        driver.execute(f"GRANT {roles.writer} TO {roles.reader}")
        driver.execute(f"ALTER ROLE {roles.reader} BYPASSRLS")
    assert named(url) == [
        f"membership {roles.reader} in {roles.owner}",
        f"membership {roles.reader} in {roles.writer}",
        f"membership {roles.writer} in {roles.owner}",
        f"role that may do everything {roles.reader}",
    ]
    with connected(url) as driver:
        driver.execute("DROP OWNED BY " + ", ".join(roles) + " CASCADE")
        driver.execute("DROP ROLE " + ", ".join(roles))
    postgres_server.drop(name)
