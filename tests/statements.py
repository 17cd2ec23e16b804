"""What a database is asked: the SQL statements of a block of code, on every engine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event


@contextmanager
def statements() -> Iterator[list[str]]:
    """Gives a list that takes the statements of all threads, in their order.

    The few that a driver is asked past SQLAlchemy (the head, the commit of a seq) are not in it.
    """
    found: list[str] = []

    def take(_connection: Any, _cursor: Any, statement: str, *_others: Any) -> None:
        found.append(" ".join(statement.split()))

    event.listen(Engine, "before_cursor_execute", take)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", take)
