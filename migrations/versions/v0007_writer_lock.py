"""PostgreSQL: a lock that only writers can take, functions that cannot be misled, an eraser.

The lock is that of an empty table. The functions of the triggers look for tables where the ledger's
stand. Documents are deleted by a function of their owner, which erases what the newest commit says.
Whoever could append before, can do all of it now.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import Connection

from ledger.journal.stores.triggers import forgetting_statements

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_GRANTED = """
SELECT DISTINCT a.privilege_type, quote_ident(r.rolname) FROM pg_class c
CROSS JOIN aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee
WHERE c.oid = 'events'::regclass AND a.grantee <> c.relowner
"""
_SCHEMA = """
SELECT quote_ident(nspname) FROM pg_namespace n JOIN pg_class c ON n.oid = c.relnamespace
WHERE c.oid = 'events'::regclass
"""
_OWNER = (
    "SELECT quote_ident(pg_get_userbyid(relowner)) FROM pg_class WHERE oid = 'events'::regclass"
)


def upgrade() -> None:
    """Makes them; SQLite has a lock of its own, and whoever may write there may erase."""
    connection = op.get_bind()
    if connection.dialect.name != "postgresql":
        return
    schema = _scalar(connection, _SCHEMA)
    for statement in forgetting_statements(schema):
        connection.exec_driver_sql(statement)
    for privilege, role in connection.exec_driver_sql(_GRANTED).all():
        if privilege == "SELECT":
            connection.exec_driver_sql(f"GRANT SELECT ON writer_lock TO {role}")
        if privilege == "INSERT":
            connection.exec_driver_sql(f"GRANT UPDATE ON writer_lock TO {role}")
            connection.exec_driver_sql(f"GRANT EXECUTE ON FUNCTION journal_forget() TO {role}")
    owner = _scalar(connection, _OWNER)
    connection.exec_driver_sql(f"ALTER TABLE writer_lock OWNER TO {owner}")
    connection.exec_driver_sql(f"ALTER FUNCTION journal_forget() OWNER TO {owner}")


def downgrade() -> None:
    """There is no way back: what was recorded stays recorded."""
    raise RuntimeError("the journal cannot be downgraded")


def _scalar(connection: Connection, query: str) -> str:
    return str(connection.exec_driver_sql(query).scalar_one())
