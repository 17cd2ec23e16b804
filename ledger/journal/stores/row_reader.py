"""Rows of a database, and its driver's errors as what they mean for the user.

Rows are read as a stream of pages of a fixed size, so that memory is bounded by the page.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from sqlalchemy import Connection, Engine, Select
from sqlalchemy.exc import DBAPIError, PendingRollbackError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ledger.errors import DatabaseError, Unreachable
from ledger.journal.records import Head, SealedSegment, SegmentHeading, SnapshotHeading
from ledger.journal.stores.schema import Bound

if TYPE_CHECKING:
    from ledger.journal.stores.postgres import PostgresDialect
    from ledger.journal.stores.sqlite import SqliteDialect

Dialect: TypeAlias = "SqliteDialect | PostgresDialect"
_Made = TypeVar("_Made")
_Small = TypeVar("_Small", Head, SegmentHeading, SealedSegment, SnapshotHeading)
PAGE_ROWS: Final = 500
_STORED_AS: Final = {"Seq": "int"}
"""Types that are other ones when the program runs."""
# Of a connection that is lost it tells more than once, with a traceback where nobody listens; what
# matters of that is raised too.
logging.getLogger("sqlalchemy").addHandler(logging.NullHandler())


class RowReader:
    """Reads rows of a database, each question on a connection that is given back after it."""

    def __init__(self, engine: Engine, dialect: Dialect) -> None:
        self._engine = engine
        self._dialect = dialect

    def _rows(
        self, wanted: Select[Any], made: Callable[..., _Made], bound: Bound = None
    ) -> Iterator[_Made]:
        """Yields what is made of the rows; the connection is given back at the end of them."""
        for page in self._pages(wanted, bound):
            yield from [made(*row) for row in page]

    def _pages(self, wanted: Select[Any], bound: Bound = None) -> Iterator[Sequence[Any]]:
        with self._reading() as connection:
            yield from self._dialect.pages(connection, wanted, PAGE_ROWS, bound)

    def _typed(self, made: type[_Small], *values: Any) -> _Small:
        """Returns a value whose fields have their types: a table made anew may hold anything."""
        for field, value in zip(fields(made), values, strict=True):
            if type(value).__name__ != _STORED_AS.get(str(field.type), field.type):
                why = f"{made.__name__}.{field.name}: {value!r:.80}"
                raise DatabaseError("database.malformed", url=self._dialect.shown, why=why)
        return made(*values)

    def _first(self, wanted: Select[Any]) -> Any:
        """Returns the first row; None, if there is none."""
        with self._reading() as connection:
            return connection.execute(wanted).first()

    def _value(self, wanted: Select[Any]) -> Any:
        """Returns the first column of the first row; None, if there is none."""
        row = self._first(wanted)
        return row[0] if row else None

    def _all(self, wanted: Select[Any]) -> Sequence[Any]:
        with self._reading() as connection:
            return connection.execute(wanted).all()

    def _reading(self) -> AbstractContextManager[Connection]:
        return connected(self._dialect, self._engine)


@contextmanager
def connected(dialect: Dialect, engine: Engine) -> Iterator[Connection]:
    """Gives a connection for reading; errors of the driver are translated.

    What goes wrong when it is given back takes nothing away from what was read.
    """
    with translated(dialect):
        connection = engine.connect()
    try:
        with translated(dialect):
            yield connection
    finally:
        with suppress(SQLAlchemyError, dialect.driver_error):
            connection.close()


@contextmanager
def translated(dialect: Dialect) -> Iterator[None]:
    """Turns a driver's error into what it means for the user."""
    try:
        yield
    except DBAPIError as error:
        raise dialect.meaning(error.orig or error) from error
    except dialect.driver_error as error:
        raise dialect.meaning(error) from error
    except PoolTimeout as error:
        raise Unreachable("database.too_many", url=dialect.shown, why=str(error)) from error
    except PendingRollbackError as error:  # asked once more, after the connection was lost
        why = "connection lost"
        raise Unreachable("database.no_connection", url=dialect.shown, why=why) from error
