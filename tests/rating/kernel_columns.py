"""Drives the kernels with columns from a seed, valid and hostile; a process of its own.

``python -m tests.rating.kernel_columns LIBRARY MODE SEED CASES``, with ``-`` for no library. It
ends with a traceback as soon as a kernel is given what it should not be, is refused what it should
not be, or comes to something else than numpy's.
"""

from __future__ import annotations

import ctypes
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from ledger.errors import VerificationFailed
from ledger.facts.columns import NOBODY, AnyColumn
from ledger.facts.tables import NO_MERIT
from ledger.rating import c_kernel
from ledger.rating.bounds import MOST_PRODUCT, MOST_SUM, NO_LIMIT
from ledger.rating.expectation import Expectation
from ledger.rating.game_sums import Summed, by_numpy, fast_sums, summed
from ledger.rating.models import even, logistic
from ledger.rating.plain_games import GameRatings, PlainGames
from ledger.rating.postings import Games, Reason
from ledger.regulations.printed_tables import P_OF_D

INT32 = 2**31 - 1
INT64 = 2**63 - 1
GAME_COLUMNS = (
    "tournament", "white", "black", "white_halves", "black_halves", "reason",
)  # fmt: skip
PLAIN_COLUMNS = ("merit", "cap", "capped_below", "apart_beyond", "together")
Columns: TypeAlias = dict[str, AnyColumn]


@dataclass
class Case:
    """What the kernels are asked: columns by name, the lists' ratings, a model."""

    games: Columns
    plain: Columns
    list_of: AnyColumn
    ratings: list[AnyColumn]
    expectation: Callable[[], Expectation]

    def asked(self) -> tuple[Games, PlainGames, GameRatings]:
        """Returns the arguments of ``summed``; the first of the ratings are the period's."""
        rows = np.arange(len(self.games["white"]))
        games = Games(game=rows, round=rows, **self.games)
        plain = PlainGames(self.expectation(), **self.plain)
        return games, plain, GameRatings(self.ratings[0], self.ratings, self.list_of)


def valid(rng: random.Random) -> Case:
    """Returns columns that every kernel can be given."""
    players, tournaments = rng.choice((1, 2, 9, 200)), rng.choice((1, 3, 40))
    lists, rows = rng.randint(1, 3), rng.choice((0, 1, 2, 30, 300))

    def column(type_: str, length: int, *values: int) -> AnyColumn:
        return np.array([rng.choice(values) for _ in range(length)], dtype=type_)

    games = {
        "tournament": np.sort(column("i4", rows, *range(tournaments))),
        "white": column("i4", rows, *range(players)),
        "black": column("i4", rows, *range(NOBODY, players)),
        "white_halves": column("i1", rows, 0, 1, 2),
        "black_halves": column("i1", rows, 0, 1, 2),
        "reason": column("i1", rows, 0, 0, 0, 0, int(Reason.FORFEIT), max(Reason)),
    }
    plain = {
        "merit": column("i8", tournaments, NO_MERIT, 0, 50, 100, 10**6),
        "cap": column("i4", tournaments, 0, 350, 400, INT32),
        "capped_below": column("i4", tournaments, 0, 2650, INT32),
        "apart_beyond": column("i4", tournaments, 0, 400, INT32),
        "together": column("i1", tournaments, 0, 0, 1).astype(np.bool_),
    }
    list_of = column("i4", tournaments, *range(lists))
    points = (0, 1, 1200, 1549, 1900, 2300, 2650, 3900, NO_LIMIT)
    ratings = [column("i4", players, *points) for _ in range(lists)]
    return Case(games, plain, list_of, ratings, rng.choice((lambda: P_OF_D, logistic, even)))


# How columns may be stored without meaning anything else.


def _unaligned(column: AnyColumn) -> AnyColumn:
    data = b"\0" + column.tobytes()
    return np.frombuffer(data, dtype=column.dtype, offset=1)


def _strided(column: AnyColumn) -> AnyColumn:
    return np.repeat(column, 3)[::3]


def _wide(column: AnyColumn) -> AnyColumn:
    return column if column.dtype == np.bool_ else column.astype(np.int64)


def _foreign(column: AnyColumn) -> AnyColumn:
    return column.astype(column.dtype.newbyteorder(">"))


STORED = (_unaligned, _strided, _wide, _foreign)

# What no column may hold: for each its values beyond the bounds, given the case.


def _beyond(case: Case, name: str) -> Sequence[int]:
    players, tournaments = len(case.ratings[0]), len(case.plain["merit"])
    narrow = (-2, -INT32 - 1, INT32)
    known: dict[str, Sequence[int]] = {
        "white": (-1, players, *narrow),
        "black": (players, *narrow),
        "tournament": (-1, tournaments, *narrow),
        "white_halves": (-1, 3, 127, -128, 256, 2**32),
        "black_halves": (-1, 3, 127, -128, 256, 2**32),
        "reason": (-1, 128, 256, -128),
        "merit": (NO_MERIT - 1, -INT64 - 1, INT64, MOST_PRODUCT + 1),
        "cap": (-1, -INT32 - 1, INT32 + 1, INT64, 2**32),
        "capped_below": (-1, INT32 + 1, -INT64),
        "apart_beyond": (-1, INT32 + 1, -INT64),
        "list_of": (-1, len(case.ratings), INT32, 2**32),
        "rating": (-1, NO_LIMIT + 1, INT32, -INT32 - 1, 2**32),
    }
    return known[name]


def _with_a_value_beyond(rng: random.Random, case: Case, name: str, column: AnyColumn) -> AnyColumn:
    if not len(column) or name == "together":
        return _of_another_length(rng, case, name, column)
    made = column.astype(np.int64)
    made[rng.randrange(len(made))] = rng.choice(_beyond(case, name))
    narrow = column.dtype
    return made.astype(narrow) if (made == made.astype(narrow)).all() else made


def _of_another_length(rng: random.Random, case: Case, name: str, column: AnyColumn) -> AnyColumn:
    if name == "rating" and len(case.ratings) == 1:  # there are as many players as ratings
        return _of_another_shape(rng, case, name, column)
    longer = np.concatenate((column, column, np.zeros(1, dtype=column.dtype)))
    return longer if rng.random() < 0.5 or not len(column) else column[:-1]


def _of_another_shape(rng: random.Random, case: Case, name: str, column: AnyColumn) -> AnyColumn:
    del rng, case, name
    return column.reshape(-1, 1)


def _of_another_kind(rng: random.Random, case: Case, name: str, column: AnyColumn) -> AnyColumn:
    del case
    kinds = ("f8", "f4", "O", "U", "M8[s]", "c16") + (("i1",) if name == "together" else ("?",))
    kind = rng.choice(kinds)
    return column.astype(np.int64).astype(kind) if kind.startswith("M8") else column.astype(kind)


DAMAGES = (
    _with_a_value_beyond, _with_a_value_beyond, _with_a_value_beyond,
    _of_another_length, _of_another_shape, _of_another_kind,
)  # fmt: skip


def hostile(rng: random.Random) -> Case:
    """Returns columns of which one is damaged."""
    case = valid(rng)
    damage = rng.choice(DAMAGES)
    name = rng.choice((*GAME_COLUMNS, *PLAIN_COLUMNS, "list_of", "rating"))
    if name == "rating":
        place = rng.randrange(len(case.ratings))
        case.ratings[place] = damage(rng, case, name, case.ratings[place])
    elif name == "list_of":
        case.list_of = damage(rng, case, name, case.list_of)
    else:
        columns = case.games if name in case.games else case.plain
        columns[name] = damage(rng, case, name, columns[name])
    return case


def stored_otherwise(rng: random.Random, case: Case) -> Case:
    """Returns the same columns in memory as they might come from elsewhere."""
    return replace(
        case,
        games={name: rng.choice(STORED)(column) for name, column in case.games.items()},
        plain={name: rng.choice(STORED)(c) for name, c in case.plain.items()},
        list_of=rng.choice(STORED)(case.list_of),
        ratings=[rng.choice(STORED)(column) for column in case.ratings],
    )


# The largest of everything, and the smallest.


def _case(
    players: int,
    tournaments: int,
    rows: Sequence[tuple[int, ...]],
    merit: int = 100,
    expectation: Callable[[], Expectation] = lambda: P_OF_D,
    points: tuple[int, int] = (1200, 2300),
) -> Case:
    """Returns a case of games given as tournament, white, black and half points of both."""
    columns = np.array(rows, dtype=np.int64).reshape(-1, 5).T
    types = ("i4", "i4", "i4", "i1", "i1")
    games = dict(
        zip(GAME_COLUMNS, (c.astype(t) for c, t in zip(columns, types, strict=True)), strict=False)
    )
    games["reason"] = np.zeros(len(rows), dtype="i1")
    plain = {
        "merit": np.full(tournaments, merit),
        **{name: np.full(tournaments, INT32, dtype="i4") for name in PLAIN_COLUMNS[1:4]},
        "together": np.zeros(tournaments, dtype=np.bool_),
    }
    list_of = np.zeros(tournaments, dtype="i4")
    rating = np.where(np.arange(players) % 2, *points).astype(np.int32)
    return Case(games, plain, list_of, [rating], expectation)


def _steep() -> Expectation:
    """A model with the greatest figures there may be, in a table of one difference."""
    return Expectation(np.array([MOST_PRODUCT // 2, MOST_PRODUCT]), scale=MOST_PRODUCT)


def extremes() -> list[Case]:
    """Returns what is admitted and lies at the bounds."""
    last, far = 1_000_000, 200_000
    most = MOST_PRODUCT // 100
    many = 100
    return [
        _case(0, 0, []),
        _case(1, 1, []),
        _case(1, 1, [(0, 0, 0, 2, 0)]),
        _case(1, 1, [(0, 0, NOBODY, 2, 0)]),
        _case(2, 1, [(0, 1, 0, 2, 0)]),
        _case(last, far, [(far - 1, last - 1, last - 2, 2, 0)] * 30),
        _case(last, far, [(0, 0, last - 1, 2, 2), (far - 1, last - 1, 0, 0, 0)]),
        _case(2, 1, [(0, 0, 1, 2, 0)], merit=most),
        _case(2, 1, [(0, 0, 1, 0, 2)] * many, merit=MOST_SUM // many // 100),
        _case(2, 1, [(0, 1, 1, 2, 2)] * many, merit=MOST_SUM // many // 100),
        _case(2, 1, [(0, 0, 1, 2, 2)] * 10, merit=1, expectation=_steep),
        _case(2, 1, [(0, 0, 1, 2, 2)], points=(1, NO_LIMIT)),
        _case(2, 1, [(0, 0, 1, 2, 2)], points=(0, NO_LIMIT), expectation=even),
    ]


def said(made: Summed) -> tuple[list[tuple[int, ...]], list[int]]:
    """Returns the sums by player and the other games' rows, as they can be compared."""
    columns = (made.sums.players, made.sums.per_k, made.sums.games)
    return sorted(zip(*(c.tolist() for c in columns), strict=True)), made.others.tolist()


def through_the_door(rng: random.Random, cases: int) -> str:
    """Asks for sums of valid and of hostile columns; each is refused, or right."""
    refused = 0
    for number in range(cases):
        if number % 2:
            case = hostile(rng)
            try:
                summed(*case.asked())
            except VerificationFailed:
                refused += 1
            else:
                raise AssertionError(f"case {number} was let in")
        else:
            case = valid(rng)
            right = said(by_numpy(*case.asked()))
            for each in (case, stored_otherwise(rng, case)):
                assert said(summed(*each.asked())) == right, f"case {number}"
    return f"{refused} refused, {cases - refused} right"


def behind_the_door() -> str:
    """Gives the kernels themselves what lies at the bounds."""
    cases = extremes()
    for number, case in enumerate(cases):
        right = said(by_numpy(*case.asked()))
        assert said(summed(*case.asked())) == right, f"extreme {number}"
        if c_kernel.kernel() is not None:
            assert said(fast_sums(*case.asked())) == right, f"extreme {number}"
    return f"{len(cases)} right"


def out_of_bounds() -> str:
    """Gives the compiled kernel an index that there is none of: a sanitizer ends the process."""
    case = valid(random.Random(1))  # noqa: S311 - it is to be the same again
    case.games = {name: np.zeros(1, dtype=c.dtype) for name, c in case.games.items()}
    case.games["white"][0] = 1_000_000
    return str(said(fast_sums(*case.asked())))


def main(library: str, mode: str, seed: str, cases: str) -> None:
    """Runs a mode and prints what came of it."""
    if library != "-":
        kernel = c_kernel.Kernel(ctypes.CDLL(library))
        c_kernel.kernel = lambda: kernel  # type: ignore[assignment]
    else:
        c_kernel.kernel = lambda: None  # type: ignore[assignment]
    rng = random.Random(int(seed))  # noqa: S311 - it is to be the same again
    modes: dict[str, Callable[[], Any]] = {
        "door": lambda: through_the_door(rng, int(cases)),
        "behind": behind_the_door,
        "control": out_of_bounds,
    }
    sys.stdout.write(f"{modes[mode]()}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
