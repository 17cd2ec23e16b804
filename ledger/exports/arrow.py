"""Arrow, which reads and writes Parquet: the largest library of all, and so an extra."""

from __future__ import annotations

from importlib.util import find_spec

from ledger.errors import InputRefused


def need_arrow() -> None:
    """Is called before anything that reads or writes an archive, or a table as a file.

    Raises:
        InputRefused: Arrow (``pyarrow``) is not installed; says how it is.
    """
    if find_spec("pyarrow") is None:
        raise InputRefused("export.no_arrow")
