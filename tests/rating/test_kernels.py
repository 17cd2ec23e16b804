"""The compiled kernel and numpy's: the sums of the rule game by game, the same games left over."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hatch_build import compiled as compile_
from ledger.facts.columns import NOBODY
from ledger.facts.tables import NO_MERIT
from ledger.rating import c_kernel
from ledger.rating.bounds import NO_LIMIT
from ledger.rating.expectation import Expectation
from ledger.rating.game_sums import Summed, by_numpy, fast_sums, summed
from ledger.rating.models import logistic
from ledger.rating.plain_games import GameRatings, PlainGames
from ledger.rating.postings import Games, Reason
from ledger.regulations.printed_tables import P_OF_D

PLAYERS = 7
# Without a compiler there is one of them, and the set-up says so.
KERNELS = (by_numpy, fast_sums) if c_kernel.kernel() else (by_numpy,)
RATINGS = st.lists(
    st.sampled_from((0, 0, 1, 1200, 1549, 1551, 1900, 1901, 2300, 2649, 2650, 3900)),
    min_size=PLAYERS, max_size=PLAYERS,
)  # fmt: skip
TOURNAMENTS = st.lists(
    st.tuples(
        st.sampled_from((NO_MERIT, 0, 50, 100, 1000)),
        st.sampled_from((350, 400, NO_LIMIT)),
        st.sampled_from((2650, NO_LIMIT)),
        st.sampled_from((400, 599, NO_LIMIT)),
        st.booleans(),
        st.integers(0, 1),
    ),
    min_size=1, max_size=4,
)  # fmt: skip
GAMES = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.integers(0, PLAYERS - 1), st.integers(NOBODY, PLAYERS - 1),
        st.integers(0, 2), st.integers(0, 2),
        st.sampled_from((Reason.NONE,) * 4 + (Reason.FORFEIT,)),
    ),
    max_size=30,
)  # fmt: skip


@given(
    games=GAMES, tournaments=TOURNAMENTS, rating=RATINGS, before=RATINGS,
    expectation=st.sampled_from((P_OF_D, logistic())),
)  # fmt: skip
def test_every_kernel_says_what_the_rule_says(
    games: list[tuple[int, ...]],
    tournaments: list[tuple[int, ...]],
    rating: list[int],
    before: list[int],
    expectation: Expectation,
) -> None:
    rows = [
        (game[0] % len(tournaments), *game[1:4], *game[4:]) for game in games if game[1] != game[2]
    ]
    rows = [row if row[2] != NOBODY else (*row[:5], int(Reason.BYE)) for row in rows]
    which, white, black, white_halves, black_halves, reason = (
        np.array(sorted(rows), dtype=np.int32).reshape(-1, 6).T
    )
    made = Games(
        game=np.arange(len(which)), tournament=which, round=which, white=white, black=black,
        white_halves=white_halves.astype(np.int8), black_halves=black_halves.astype(np.int8),
        reason=reason.astype(np.int8),
    )  # fmt: skip
    merit, cap, below, beyond, together, which_list = np.array(tournaments, dtype=np.int64).T
    plain = PlainGames(expectation, merit, cap, below, beyond, together.astype(np.bool_))
    opening = np.array(rating, dtype=np.int32)
    in_force = [np.array(before, dtype=np.int32), opening]
    for lists, of in ((in_force, which_list), ([opening], np.zeros_like(which_list))):
        asked = made, plain, GameRatings(opening, lists, of)
        right = _by_the_rule(*asked)
        for kernel in (summed, *KERNELS):
            assert _said(kernel(*asked)) == right
            assert _said(kernel(*asked)) == right, "nothing is left behind"


def _by_the_rule(
    games: Games, on: PlainGames, given_ratings: GameRatings
) -> tuple[list[tuple[int, ...]], list[int]]:
    """The sums and the other games' rows, game by game."""
    opening, in_force, list_of = given_ratings.opening, given_ratings.lists, given_ratings.list_of
    rows = list(
        zip(
            *(
                getattr(games, name).tolist()
                for name in ("tournament", "white", "black", "white_halves", "black_halves")
            ),
            games.reason.tolist(),
            strict=True,
        )
    )

    def rated(which: int, player: int) -> bool:
        return bool(opening[player] and in_force[list_of[which]][player])

    mixed = {
        row[0]
        for row in rows
        if row[2] != NOBODY and not (rated(row[0], row[1]) and rated(row[0], row[2]))
    }
    sums: dict[int, list[int]] = {}
    others = []
    for place, (which, white, black, by_white, by_black, reason) in enumerate(rows):
        if reason != Reason.NONE:
            others += [place] if on.together[which] else []
            continue
        ratings = in_force[list_of[which]]
        ahead = int(ratings[white]) - int(ratings[black])
        if (
            on.merit[which] == NO_MERIT
            or (on.together[which] and which in mixed)
            or not (rated(which, white) and rated(which, black))
            or abs(ahead) > on.apart_beyond[which]
        ):
            others.append(place)
            continue
        for player, halves, difference in ((white, by_white, ahead), (black, by_black, -ahead)):
            if ratings[player] < on.capped_below[which]:
                cap = int(on.cap[which])
                difference = max(-cap, min(cap, difference))  # noqa: PLW2901 - as it counts
            score = halves * on.expectation.scale // 2
            made = sums.setdefault(player, [0, 0])
            made[0] += int(on.merit[which]) * (score - on.expectation.one(difference))
            made[1] += 1
    return sorted((player, *made) for player, made in sums.items()), others


def _said(made: Summed) -> tuple[list[tuple[int, ...]], list[int]]:
    sums = made.sums
    rows = zip(sums.players.tolist(), sums.per_k.tolist(), sums.games.tolist(), strict=True)
    return sorted(rows), made.others.tolist()


def test_the_kernel_is_compiled_where_there_is_a_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here the set-up did it, or could not; without a compiler nothing is left."""
    source = tmp_path / "game_sums.c"
    source.write_bytes(c_kernel.SOURCE.read_bytes())
    monkeypatch.setattr(c_kernel, "SOURCE", source)
    made = compile_(source)
    assert made == c_kernel.library()
    assert (made is None) == (c_kernel.kernel() is None)
    for compiler in ("no-such-compiler", "true", "false", '"unbalanced', "  "):
        monkeypatch.setenv("CC", compiler)
        assert compile_(source) is None
        assert [path.name for path in tmp_path.iterdir()] == ["game_sums.c"], (
            "nothing stale is left"
        )


def test_a_damaged_library_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "game_sums.c"
    source.write_bytes(c_kernel.SOURCE.read_bytes())
    monkeypatch.setattr(c_kernel, "SOURCE", source)
    made = compile_(source)
    if made is None:
        return
    data = made.read_bytes()
    for damaged in (
        data[:-1],
        data[: len(data) // 2],
        b"",
        data.replace(b"\x00\x00", b"\x00\x01", 1),
    ):
        made.write_bytes(damaged)
        assert c_kernel.library() is None
    made.write_bytes(data)
    assert c_kernel.library() == made
    source.write_bytes(source.read_bytes() + b"/* changed */")
    assert c_kernel.library() is None, "it was made from another source"


def test_without_a_library_everything_is_summed_by_numpy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "game_sums.so"
    broken.write_bytes(b"no library")
    monkeypatch.setattr(c_kernel, "library", lambda: broken)
    assert c_kernel.kernel.__wrapped__() is None
    monkeypatch.setattr(c_kernel, "kernel", lambda: None)
    none = np.zeros(0, dtype=np.int32)
    games = Games(*(none for _ in Games.__slots__))
    zero = np.zeros(1, dtype=np.int64)
    plain = PlainGames(P_OF_D, zero, zero, zero, zero, np.zeros(1, dtype=np.bool_))
    assert _said(summed(games, plain, GameRatings.at_start(none, 1))) == ([], [])
