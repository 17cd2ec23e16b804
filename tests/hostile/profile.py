"""How much hostile input the tests make: ``RATING_LEDGER_TESTS`` is ``thorough`` or ``quick``.

Every test makes its input from a seed of its own. It is always the same unless
``RATING_LEDGER_SEED`` is set to another whole number, and is named when a test fails.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager

PROFILE = os.environ.get("RATING_LEDGER_TESTS", "thorough")
_SEED = int(os.environ.get("RATING_LEDGER_SEED", "2010"))
assert PROFILE in ("thorough", "quick"), f"RATING_LEDGER_TESTS={PROFILE}: thorough or quick"


def count(full: int, quick: int) -> int:
    """Returns how many cases to make in the profile of this run."""
    return full if PROFILE == "thorough" else quick


@contextmanager
def seeded(part: int) -> Iterator[random.Random]:
    """Gives the random numbers of one part of a test; a failure names the seed.

    Args:
        part: which part of the test it is; each has a sequence of its own.
    """
    chance = random.Random(f"{_SEED}:{part}")  # noqa: S311 - to be repeated, not to be secret
    try:
        yield chance
    except BaseException as error:
        error.add_note(f"part {part}; repeat it with RATING_LEDGER_SEED={_SEED}")
        raise
