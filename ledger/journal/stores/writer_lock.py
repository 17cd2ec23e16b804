"""The one writer's lock on PostgreSQL: who may take it, for how long, and who has it.

It is that of a table, which takes the right to change the table. An advisory lock anybody could
take who may connect: a reader could stop all recording. Reading never waits for it, nor does
``pg_dump``; a standby refuses it, as it refuses all writing.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection

STANDSTILL_SECONDS: Final = 600
"""So long a writer may stand still, or one statement take, until the server ends its session."""

# A client whose machine is gone is noticed after two minutes.
_KEEPALIVES: Final = {"idle": 60, "interval": 10, "count": 6}


def limit_writing(connection: Connection, patience: float, standstill: float) -> None:
    """Sets, for a transaction, how long it waits for locks, and may stand still; both in seconds.

    Whatever the server, the database or the user has set otherwise, a commit reaches the disk (or,
    where the server waits for a standby, that) before it is acknowledged.
    """
    longest = int(standstill * 1000)
    limits = {
        "lock_timeout": int(patience * 1000),
        "idle_in_transaction_session_timeout": longest,
        "statement_timeout": longest,
        "quote_all_identifiers": "off",  # else definitions are worded in another way
        **{f"tcp_keepalives_{name}": value for name, value in _KEEPALIVES.items()},
    }
    connection.exec_driver_sql(
        "; ".join(f"SET LOCAL {name} = {value}" for name, value in limits.items())
        + "; SELECT set_config('synchronous_commit', 'on', true)"
        " WHERE current_setting('synchronous_commit') IN ('off', 'local')"
    )


def holders(connection: Connection, table: str, *, reading: bool = False) -> str:
    """Returns who has a table locked, for a message; empty where nobody has it any more.

    Args:
        connection: of anybody; the server shows the addresses of one's own sessions only.
        table: its name.
        reading: whether those who only read it are meant, too.
    """
    rows = connection.exec_driver_sql(
        "SELECT DISTINCT a.pid, a.usename, a.application_name FROM pg_locks l"
        " JOIN pg_stat_activity a ON a.pid = l.pid AND a.pid <> pg_backend_pid()"
        " AND a.datname = current_database()"
        " WHERE l.relation = to_regclass(%(table)s) AND l.granted"
        " AND (%(reading)s OR l.mode <> 'AccessShareLock') ORDER BY a.pid",
        {"table": table, "reading": reading},
    )
    return ", ".join(
        f"{user} ({program or '-'}, process {process} of the server)"
        for process, user, program in rows
    )


def end_standstill(connection: Connection, table: str, standstill: float) -> bool:
    """Ends the session that has a table locked and stands still in the middle of a COPY.

    There the server waits for its client without a limit. Only sessions of the same user are seen
    so closely, and can be ended. Returns whether one was ended.
    """
    ended = connection.exec_driver_sql(
        "SELECT bool_or(pg_terminate_backend(a.pid, 5000)) FROM pg_locks l"
        " JOIN pg_stat_activity a ON a.pid = l.pid AND a.datname = current_database()"
        " WHERE l.relation = to_regclass(%(table)s) AND l.granted AND l.mode = 'ExclusiveLock'"
        " AND a.state = 'active' AND a.wait_event = 'ClientRead' AND a.usename = current_user"
        " AND a.query LIKE 'COPY %%' AND clock_timestamp() - a.query_start"
        " > make_interval(secs => %(standstill)s)",
        {"table": table, "standstill": float(standstill)},
    )
    return bool(ended.scalar())
