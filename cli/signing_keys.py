"""Keys that are given on the command line: their text, or the file that has it."""

from __future__ import annotations

from pathlib import Path

from ledger.errors import InputRefused

_KEY_PARTS = "+"  # stands between the parts of every key


def key_text(said: str) -> str:
    """Returns a key that was said, or read from the file that was said.

    Raises:
        InputRefused: it is a file that cannot be read, or neither a file nor like a key.
    """
    try:
        return Path(said).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        if isinstance(error, OSError) and _KEY_PARTS in said:
            return said.strip()
        raise InputRefused("cli.no_file", file=said, why=error) from error
