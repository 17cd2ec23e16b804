"""Alembic's environment: inside the ledger on the connection it gives, by hand on ``-x url=…``."""

from __future__ import annotations

import os

from alembic import context
from sqlalchemy import Connection

from ledger.journal.stores.database import dialect_of
from ledger.journal.stores.schema import METADATA


def migrate(connection: Connection) -> None:
    """Runs the migrations on a connection whose transaction is somebody else's business."""
    context.configure(connection=connection, target_metadata=METADATA, transactional_ddl=False)
    context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    migrate(given)
else:
    arguments = context.get_x_argument(as_dictionary=True)
    url = arguments.get("url") or os.environ.get("RATING_LEDGER_DB") or "rating-ledger.db"
    dialect = dialect_of(url)
    engine = dialect.engine(create=True)
    try:
        with engine.connect() as opened:
            dialect.make_durable(opened)
        with dialect.migrating(engine) as opened:
            migrate(opened)
    finally:
        engine.dispose()
