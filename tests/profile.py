"""How much the tests try: ``RATING_LEDGER_TESTS`` is ``quick``, the default, or ``thorough``.

A release is thorough. In the quick profile properties are tried on fewer examples, pages that are
alike are looked at in turn (``share``), and where all tests are asked for, of those that take long
(``long_tests.txt``) a fifth is taken by chance; whoever names tests gets them all.

Hostile input is made from a seed that is always the same, unless ``RATING_LEDGER_SEED`` is set to
another whole number; it is named when a test fails. Hypothesis chooses anew every time, and prints
what repeats a failure.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

PROFILE = os.environ.get("RATING_LEDGER_TESTS", "quick")
_SEED = int(os.environ.get("RATING_LEDGER_SEED", "2010"))
_EXAMPLES = 100  # of a property that does not say how many
_LEAST_EXAMPLES = 2
_QUICK_SHARE = 5
TURNS = 5
"""A run takes one of so many long tests."""
LONG = frozenset(Path(__file__).with_name("long_tests.txt").read_text("utf-8").split())
"""The tests that take more than a second, by their ids without what they are tried with."""
TURN = "RATING_LEDGER_TURN"
"""Names the chance by which long tests take turns; it is drawn where all tests are asked for."""
_T = TypeVar("_T")
assert PROFILE in ("thorough", "quick"), f"RATING_LEDGER_TESTS={PROFILE}: thorough or quick"


CHANCES = st.integers(0, 2**32 - 1).map(random.Random)
"""For what fills an example, when its size was drawn, which shrinks.

Where each figure of many is drawn by itself, that takes longer than the property.
"""


def register() -> None:
    """Makes the profile of this run the one that every property begins with."""
    settings.register_profile(
        PROFILE,
        max_examples=_examples(_EXAMPLES),
        deadline=None,
        print_blob=True,
        database=None,
        derandomize=False,
        phases=(Phase.explicit, Phase.generate, Phase.shrink),
        suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
    )
    settings.load_profile(PROFILE)


def examples(thorough: int) -> settings:
    """Returns the settings of a property that is tried on so many examples.

    In the quick profile they are a fifth of them, and at least two.
    """
    return settings(max_examples=_examples(thorough))


def _examples(thorough: int) -> int:
    return count(thorough, max(_LEAST_EXAMPLES, thorough // _QUICK_SHARE))


def count(thorough: int, quick: int) -> int:
    """Returns how many cases to make in the profile of this run."""
    return thorough if PROFILE == "thorough" else quick


def share(things: Sequence[_T], way: str, ways: Sequence[str]) -> Sequence[_T]:
    """Returns what to look at in one of several ways: everything, or in the quick profile a share.

    The shares are made in turn, and those of all ways together are everything.

    Args:
        things: what is looked at.
        way: the one that is asked for.
        ways: all of them.
    """
    return things if PROFILE == "thorough" else things[ways.index(way) :: len(ways)]


def this_turn(tests: Iterable[str]) -> AbstractSet[str] | None:
    """Returns which long tests have their turn in this run, of all by their ids; None for all."""
    turn = os.environ.get(TURN)
    if turn is None or PROFILE == "thorough":
        return None
    everything = set(tests)
    long = sorted(each for each in everything if each.partition("[")[0] in LONG)
    chance = random.Random(turn)  # noqa: S311 - to be repeated, not to be secret
    return set(chance.sample(long, -(-len(long) // TURNS))) | (everything - set(long))


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
