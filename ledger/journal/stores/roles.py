"""The roles of PostgreSQL: who may own the tables, append to them, read them.

They are groups, which nobody logs in as; an administrator grants them to the users of the ledger.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Connection

from ledger.errors import InputRefused
from ledger.journal.stores.objects import TABLES
from ledger.journal.stores.schema import (
    COMMITS,
    EVENTS,
    PERSONAL,
    SEGMENTS,
    SIGNATURES,
    SNAPSHOTS,
)
from ledger.journal.stores.triggers import postgresql_functions

# A server cuts names after 63 bytes.
_PREFIX = re.compile(r"[a-z_][a-z0-9_]{0,49}")
_APPENDED = (COMMITS, EVENTS, PERSONAL, SIGNATURES)
# They hold nothing that the events do not say, and are thrown away and made again.
_DISPOSABLE = (SEGMENTS, SNAPSHOTS)


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
        connection.exec_driver_sql(f"GRANT {roles.owner} TO current_user")
    for statement in _statements(roles, schema):
        connection.exec_driver_sql(statement)


def _statements(roles: Roles, schema: object) -> Iterator[str]:
    everyone = f"PUBLIC, {roles.writer}, {roles.reader}"
    yield f"GRANT USAGE, CREATE ON SCHEMA {schema} TO {roles.owner}"
    yield f"GRANT USAGE ON SCHEMA {schema} TO {roles.writer}, {roles.reader}"
    for function in postgresql_functions():
        yield f"ALTER FUNCTION {function}() OWNER TO {roles.owner}"
    for table in TABLES:
        yield f"ALTER TABLE {table.name} OWNER TO {roles.owner}"
        yield f"REVOKE ALL ON {table.name} FROM {everyone}"
        yield f"GRANT SELECT ON {table.name} TO {roles.writer}, {roles.reader}"
    for table in _APPENDED:
        yield f"GRANT INSERT ON {table.name} TO {roles.writer}"
    for table in _DISPOSABLE:
        yield f"GRANT INSERT, DELETE ON {table.name} TO {roles.writer}"
