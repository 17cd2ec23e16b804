"""Alembic's environment for the office: on the connection that the site gives."""

from __future__ import annotations

from alembic import context

from web.office.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    transactional_ddl=False,
)
context.run_migrations()
