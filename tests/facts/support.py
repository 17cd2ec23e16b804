"""When facts are the same: what can be asked of them has the same answers, at any basis."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.identifiers import PlayerIndex, Seq
from ledger.replay.timeline import Timeline

IN_TABLES = (
    "players", "tournaments", "announcements", "seeds", "ks", "supersession", "entered", "closed",
)  # fmt: skip
AS_THEY_ARE = (
    "seq", "names", "player_ids", "tournament_ids", "events", "rulings", "merges", "undone",
    "lists", "ladders", "accounts",
)  # fmt: skip


def same(one: Facts, other: Facts) -> bool:
    """Whether the facts are the same, whatever their blocks are."""
    return (
        all(getattr(one, name) == getattr(other, name) for name in AS_THEY_ARE)
        and all(equal(getattr(one, name), getattr(other, name)) for name in IN_TABLES)
        and pairings(one) == pairings(other)
        and same_effects(one, other)
        and known(one, one.seq) == known(other, other.seq)
    )


def same_at_every_basis(one: Facts, other: Facts) -> bool:
    """Whether the facts are the same, as known at any seq."""
    bases = range(one.seq + 1)
    return same(one, other) and all(known(one, seq) == known(other, seq) for seq in bases)


def equal(one: Any, other: Any) -> bool:
    """Whether two values made of columns are."""
    return all(
        np.array_equal(getattr(one, field.name), getattr(other, field.name))
        for field in dataclasses.fields(one)
    )


def pairings(facts: Facts) -> list[tuple[int, ...]]:
    """Returns what is recorded of all pairings, by seq."""
    found = [
        row
        for block in facts.blocks
        for row in zip(*(getattr(block.pairings(), n) for n in COLUMNS), strict=True)
    ]
    return sorted(tuple(map(int, row)) for row in found)


COLUMNS = ("seq", "tournament", "white", "black", "round", "code")


def same_effects(one: Facts, other: Facts) -> bool:
    """Whether all ranges of events reach equally far back."""
    return all(
        one.last_effect_upto(day) == other.last_effect_upto(day)
        for day in {*one.effects.day.tolist(), *other.effects.day.tolist()}
    ) and all(
        one.first_effect_between(*between) == other.first_effect_between(*between)
        for seq in range(0, one.seq + 1, 7)
        for between in ((Seq(seq), Seq(upto)) for upto in range(seq, one.seq + 1, 5))
    )


def known(facts: Facts, seq: int) -> list[Any]:
    """Returns what was known at a seq, to be compared."""
    at = AsOf(facts, Seq(seq))
    rows = at.games()
    games = sorted(
        zip(*(getattr(rows, name).tolist() for name in type(rows).__slots__), strict=True)
    )
    columns = dataclasses.astuple(at.tournaments)
    return [
        games,
        [column.tolist() for column in columns],
        [at.tournament(index) for index in range(len(facts.tournaments))],
        [at.player(index) for index in range(len(facts.players))],
        [at.identity(PlayerIndex(index)) for index in range(len(facts.players))],
        [at.federation(PlayerIndex(index)) for index in range(len(facts.players))],
        at.merged_into.tolist(),
        at.birth_years.tolist(),
        at.with_games.tolist(),
        [
            [getattr(table, field.name).tolist() for field in dataclasses.fields(table)]
            for name in facts.lists
            for table in (at.seeds(name), at.assigned_ks(name))
        ],
    ]


def periods(facts: Facts, seq: int) -> list[list[tuple[int, ...]]]:
    """Returns the games of every period of every list, as known at a seq."""
    at = AsOf(facts, Seq(seq))
    found = []
    for name, about in facts.lists.items():
        if about.adoptions[0].seq <= seq:
            timeline = Timeline(at, name)
            for period in timeline.periods(timeline.last_day):
                games = timeline.games(period)
                columns = (getattr(games, column).tolist() for column in type(games).__slots__)
                found.append(
                    [(timeline.earliest_start(period),), *sorted(zip(*columns, strict=True))]
                )
    return found
