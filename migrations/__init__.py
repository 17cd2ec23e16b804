"""Alembic's migrations of the journal's tables. Revisions are numbered; a later one is larger."""
