"""The roles of PostgreSQL: who may own the tables, append to them, read them.

They are groups, which nobody logs in as; an administrator grants them to the users of the ledger.
The schema of the site's office is the writer's, with all that is in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from sqlalchemy import Connection, inspect

from ledger.errors import InputRefused
from ledger.journal.stores.objects import ON_POSTGRESQL
from ledger.journal.stores.schema import (
    COMMITS,
    EVENTS,
    PERSONAL,
    SEGMENTS,
    SIGNATURES,
    SNAPSHOTS,
    WRITER_LOCK,
)
from ledger.journal.stores.triggers import FORGETTING, postgresql_functions

# A server cuts names after 63 bytes.
_PREFIX = re.compile(r"[a-z_][a-z0-9_]{0,49}")
_APPENDED = (COMMITS, EVENTS, PERSONAL, SIGNATURES)
# They hold nothing that the events do not say, and are thrown away and made again.
_DISPOSABLE = (SEGMENTS, SNAPSHOTS)

OFFICE: Final = "office"
"""The schema in which a site keeps accounts, submissions and jobs beside the ledger."""


class Roles(NamedTuple):
    """The names of the three roles."""

    owner: str
    writer: str
    reader: str

    @classmethod
    def of(cls, prefix: str) -> Roles:
        """Returns the roles whose names begin with a prefix; raises ``InputRefused``."""
        if not _PREFIX.fullmatch(prefix):
            raise InputRefused("database.bad_prefix", prefix=prefix)
        return cls(f"{prefix}_owner", f"{prefix}_writer", f"{prefix}_reader")

    def grants(self) -> list[str]:
        """Returns the statements that give the roles to users, whose names are still to be put."""
        return [
            f"GRANT {self.writer} TO the_user_who_records;",
            f"GRANT {self.reader} TO the_user_who_reads;",
        ]

    def privileges(self) -> frozenset[tuple[str, str, str]]:
        """Returns what writer and reader may do: a table or function, the role, the privilege."""
        granted = {
            (table.name, role, "SELECT")
            for table in ON_POSTGRESQL
            for role in (self.writer, self.reader)
        }
        granted |= {(table.name, self.writer, "INSERT") for table in (*_APPENDED, *_DISPOSABLE)}
        granted |= {(table.name, self.writer, "DELETE") for table in _DISPOSABLE}
        granted |= {(WRITER_LOCK.name, self.writer, "UPDATE")}
        return frozenset(granted | {(f"{FORGETTING}()", self.writer, "EXECUTE")})


def make_roles(connection: Connection, roles: Roles) -> None:
    """Makes the roles, as far as they are not there, and gives them the tables and their rights.

    What everybody (PUBLIC) was granted on the tables is taken away, what single users were is not.
    Done again it comes to the same.

    Raises:
        DBAPIError: the user of the connection may not make roles, or does not own the tables.
    """
    schema = connection.exec_driver_sql("SELECT quote_ident(current_schema())").scalar()
    for role in roles:
        found = "SELECT 1 FROM pg_roles WHERE rolname = %(role)s"
        if connection.exec_driver_sql(found, {"role": role}).first() is None:
            connection.exec_driver_sql(f"CREATE ROLE {role} NOLOGIN")
    superuser = "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"
    if not connection.exec_driver_sql(superuser).scalar():
        # Only who belongs to a role gives something to it, or takes it back from it.
        connection.exec_driver_sql(f"GRANT {roles.owner}, {roles.writer} TO current_user")
    for statement in _statements(roles, schema):
        connection.exec_driver_sql(statement)
    _give_office(connection, roles.writer)


def _give_office(connection: Connection, writer: str) -> None:
    """Gives the schema of the office to the writer; it is made, so that a site can fill it."""
    if not inspect(connection).has_schema(OFFICE):
        connection.exec_driver_sql(f"CREATE SCHEMA {OFFICE}")
    connection.exec_driver_sql(f"ALTER SCHEMA {OFFICE} OWNER TO {writer}")
    connection.exec_driver_sql(f"REVOKE ALL ON SCHEMA {OFFICE} FROM PUBLIC")
    tables = "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = %(schema)s"
    for table in connection.exec_driver_sql(tables, {"schema": OFFICE}).scalars().all():
        connection.exec_driver_sql(f"ALTER TABLE {OFFICE}.{table} OWNER TO {writer}")
        connection.exec_driver_sql(f"REVOKE ALL ON {OFFICE}.{table} FROM PUBLIC")


def _statements(roles: Roles, schema: object) -> Iterator[str]:
    everyone = f"PUBLIC, {roles.writer}, {roles.reader}"
    yield f"GRANT USAGE, CREATE ON SCHEMA {schema} TO {roles.owner}"
    yield f"GRANT USAGE ON SCHEMA {schema} TO {roles.writer}, {roles.reader}"
    for function in postgresql_functions(str(schema)):
        yield f"ALTER FUNCTION {function}() OWNER TO {roles.owner}"
    yield f"REVOKE ALL ON FUNCTION {FORGETTING}() FROM {everyone}"
    for table in ON_POSTGRESQL:
        yield f"ALTER TABLE {table.name} OWNER TO {roles.owner}"
        yield f"REVOKE ALL ON {table.name} FROM {everyone}"
    for name, role, privilege in sorted(roles.privileges()):
        kind = "FUNCTION " if name.endswith("()") else ""
        yield f"GRANT {privilege} ON {kind}{name} TO {role}"
