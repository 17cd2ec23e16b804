"""Texts that a spreadsheet would execute when it opens them in a CSV file, and how they are shown.

A cell that begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return is taken for a
formula (OWASP, "CSV injection"). An apostrophe before it makes it a text. Numbers stay numbers.
"""

from __future__ import annotations

import re
from typing import Final

_BEGINNINGS: Final = ("=", "+", "-", "@", "\t", "\r")
_NUMBER: Final = re.compile(r"[-+][0-9]+([.,][0-9]+)?(/[0-9]+)?")


def is_formula(text: str) -> bool:
    """Whether a spreadsheet takes the text for a formula, and it is no number.

    >>> is_formula("=1+1"), is_formula("-3.5"), is_formula("Ana")
    (True, False, False)
    """
    return text.startswith(_BEGINNINGS) and not _NUMBER.fullmatch(text)


def as_text(text: str) -> str:
    """Returns the text as a cell that no spreadsheet executes.

    >>> as_text("@SUM(A1)"), as_text("-8531/6")
    ("'@SUM(A1)", '-8531/6')
    """
    return f"'{text}" if is_formula(text) else text
