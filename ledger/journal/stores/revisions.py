"""At which revision a database is, whether this program knows it, and how it gets to the newest."""

from __future__ import annotations

from importlib import resources

from sqlalchemy import Connection

from ledger.errors import DatabaseError
from ledger.journal.stores.schema import REVISIONS

NEWEST = REVISIONS[-1]
_TABLE = "alembic_version"
_RECORDED = f"SELECT version_num FROM {_TABLE}"  # noqa: S608 - our own name


def has_revision(connection: Connection, schema: str = "") -> bool:
    """Whether there is a place where the revision is written down.

    On PostgreSQL it is looked for in the schema, by default where tables are found. SQLAlchemy's
    own question of it costs as much as all else at an opening.
    """
    place = f"{schema}.{_TABLE}" if schema else _TABLE
    asked = {
        "sqlite": f"PRAGMA table_info({_TABLE})",
        "postgresql": f"SELECT 1 WHERE to_regclass('{place}') IS NOT NULL",
    }
    return connection.exec_driver_sql(asked[connection.dialect.name]).first() is not None


def recorded_revision(connection: Connection) -> str | None:
    """Returns the revision that is written down in a database that has a place for it."""
    found = connection.exec_driver_sql(_RECORDED).scalar()
    return None if found is None else str(found)


def migrate(connection: Connection, package: str) -> None:
    """Runs the migrations of a package, by Alembic, within the connection's transaction."""
    from alembic import command  # noqa: PLC0415 - importing Alembic takes most of a second
    from alembic.config import Config  # noqa: PLC0415 - the same

    config = Config()
    with resources.as_file(resources.files(package)) as folder:
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def check_revision(url: str, revision: str | None, *, may_be_older: bool = False) -> None:
    """Raises ``DatabaseError`` unless a revision is the newest that this program knows.

    Args:
        url: the database as messages name it.
        revision: its own; None where it is no ledger yet.
        may_be_older: whether one before the newest will do.
    """
    if revision is None:
        raise DatabaseError("database.not_initialised", url=url)
    if revision not in REVISIONS:
        raise DatabaseError("database.newer", url=url, revision=revision, known=NEWEST)
    if revision != NEWEST and not may_be_older:
        raise DatabaseError("database.older", url=url, revision=revision, known=NEWEST)
