"""A stream begins once: a unique index over the events with which streams begin."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from ledger.errors import DatabaseError
from ledger.journal.stores.triggers import begins_once

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

# Not IN: SQLite would make a table of the list for every row that is inserted.
_BEGINNING = (
    "type = 'ladder.opened' OR type = 'list.defined' OR type = 'player.registered' "
    "OR type = 'tournament.opened'"
)
_TOLD = 10  # streams that a refusal names


def upgrade() -> None:
    """Makes the index and its trigger; refused where a stream has begun twice already."""
    connection = op.get_bind()
    begun_twice = (
        f"SELECT stream FROM events WHERE {_BEGINNING} "  # noqa: S608 - no value from outside
        f"GROUP BY stream HAVING count(*) > 1 ORDER BY stream LIMIT {_TOLD}"
    )
    if streams := connection.exec_driver_sql(begun_twice).scalars().all():
        raise DatabaseError("database.begun_twice_before", streams=", ".join(streams))
    where = sa.text(_BEGINNING)
    op.create_index(
        "events_beginning",
        "events",
        ["stream"],
        unique=True,
        sqlite_where=where,
        postgresql_where=where,
    )
    for statement in begins_once(connection.dialect.name):
        connection.exec_driver_sql(statement)


def downgrade() -> None:
    """There is no way back: what was recorded stays recorded."""
    raise RuntimeError("the journal cannot be downgraded")
