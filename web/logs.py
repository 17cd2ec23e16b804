"""What the site writes down: a line of JSON for each answer and each failure.

No line holds a name, an id, an address, a query or what somebody typed: an answer is named by the
template of its route, a failure by its kind and the lines of the program it came from.
"""

from __future__ import annotations

import datetime as dt
import json
import logging
import traceback
from types import TracebackType
from typing import Any, Final

ACCESS: Final = logging.getLogger("rating_ledger.access")


class JsonLines(logging.Formatter):
    """Writes a record as a line of JSON; ``extra={"told": {…}}`` brings fields of its own."""

    def format(self, record: logging.LogRecord) -> str:
        """Returns the line."""
        at = dt.datetime.fromtimestamp(record.created, dt.UTC)
        line: dict[str, Any] = {"time": at.isoformat(timespec="milliseconds")}
        line["level"] = record.levelname.lower()
        told = getattr(record, "told", None)
        line |= told if told is not None else {"logger": record.name, "said": _said(record)}
        if record.exc_info and record.exc_info[0] is not None:
            line |= _failure(record.exc_info[0], record.exc_info[2])
        return json.dumps(line, ensure_ascii=False)


def _said(record: logging.LogRecord) -> str:
    """Returns the first line of what was said: others quote what a request held after it."""
    return record.getMessage().partition("\n")[0]


def _failure(kind: type[BaseException], frames: TracebackType | None) -> dict[str, Any]:
    """Returns what failed and where; the text of an exception may quote what is private."""
    at = [f"{each.filename}:{each.lineno} {each.name}" for each in traceback.extract_tb(frames)]
    return {"failure": f"{kind.__module__}.{kind.__qualname__}", "at": at}


CONFIG: Final[dict[str, Any]] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": JsonLines}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "loggers": {
        "rating_ledger": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "uvicorn": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        "uvicorn.error": {"level": "WARNING"},
        "uvicorn.access": {"level": "CRITICAL"},
    },
}
"""For ``logging.config.dictConfig``."""
