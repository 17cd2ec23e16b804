"""What was known at a ``seq``: the facts cut there, with the last word on every game.

This is where the second axis of time lives. Nothing downstream needs to know of supersession,
versions or merges any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from ledger.calendar import Segment
from ledger.events.administration import ListAdjusted, ListDefined
from ledger.facts.columns import (
    NOBODY,
    Acceptance,
    Adoption,
    AssignedK,
    AwardedTitle,
    Column,
    Facts,
    GameColumns,
    ListFacts,
    PlayerVersion,
    Seed,
    TournamentVersion,
)
from ledger.terms import Rate, System

RATES = tuple(Rate)
SYSTEMS = tuple(System)
NO_MERIT = -1


@dataclass(frozen=True, slots=True)
class TournamentColumns:
    """One row for each tournament, by its index.

    ``starts_on`` and ``ends_on`` are ordinals of chess dates, ``rate`` and ``system`` positions in
    ``RATES`` and ``SYSTEMS``, ``merit`` hundredths (``NO_MERIT``: the regulation's own),
    ``acceptance`` as in ``Acceptance``.
    """

    starts_on: Column
    ends_on: Column
    rate: Column
    system: Column
    merit: Column
    acceptance: Column


@dataclass(frozen=True, slots=True)
class KnownList:
    """One rating list as it was defined at the basis."""

    defined: ListDefined
    segments: tuple[Segment, ...]
    adoptions: tuple[Adoption, ...]
    adjustments: tuple[tuple[int, ListAdjusted], ...]


class Known:
    """The facts as they were known at a seq; everything in it is final for that basis."""

    def __init__(self, facts: Facts, seq: int) -> None:
        self.facts = facts
        self.seq = seq

    @cached_property
    def merged_into(self) -> Column:
        """For each player of the facts, the index under which his games count."""
        into: Column = np.arange(len(self.facts.player_ids), dtype=np.int64)
        for merge in self.facts.merges:
            if merge.seq <= self.seq:
                into[into == merge.player] = into[merge.into]
        return into

    @cached_property
    def games(self) -> GameColumns:
        """The last word on every pairing, players merged, sorted by seq."""
        all_ = self.facts.games
        superseded = (all_.superseded_by > 0) & (all_.superseded_by <= self.seq)
        rows = np.flatnonzero((all_.seq <= self.seq) & ~superseded)
        into = np.append(self.merged_into, NOBODY)
        return GameColumns(
            seq=all_.seq[rows],
            superseded_by=all_.superseded_by[rows],
            tournament=all_.tournament[rows],
            round=all_.round[rows],
            white=into[all_.white[rows]],
            black=into[all_.black[rows]],
            white_halves=all_.white_halves[rows],
            black_halves=all_.black_halves[rows],
            ending=all_.ending[rows],
        )

    @cached_property
    def tournaments(self) -> TournamentColumns:
        """The tournaments, as last corrected by then; those not yet opened are void."""
        count = len(self.facts.tournament_ids)
        starts_on, ends_on, rate, system, merit, acceptance = (
            np.zeros(count, np.int64) for _ in range(6)
        )
        for index in range(count):
            version = self.tournament(index)
            if version is None:
                acceptance[index] = Acceptance.ANNULLED
                continue
            starts_on[index] = version.starts_on.toordinal()
            ends_on[index] = version.ends_on.toordinal()
            rate[index] = RATES.index(version.rate_of_play)
            system[index] = SYSTEMS.index(version.system)
            given = version.merit_hundredths
            merit[index] = NO_MERIT if given is None else given
            last = _last(self.facts.acceptances[index], self.seq)
            acceptance[index] = Acceptance.ANNULLED if last is None else last
        return TournamentColumns(starts_on, ends_on, rate, system, merit, acceptance)

    def tournament(self, index: int) -> TournamentVersion | None:
        """Returns what was last said of a tournament by then, or None before it was opened."""
        return _last(self.facts.tournament_versions[index], self.seq)

    def player(self, index: int) -> PlayerVersion | None:
        """Returns what was last said of a player by then, or None before he was registered."""
        return _last(self.facts.player_versions[index], self.seq)

    @cached_property
    def birth_years(self) -> Column:
        """The year in which each player was born, as last said by then; 0 where it is not known."""
        versions = (self.player(index) for index in range(len(self.facts.player_ids)))
        years = [version.birth_year or 0 if version else 0 for version in versions]
        return np.array(years, dtype=np.int64)

    @cached_property
    def reported_at(self) -> Column:
        """The seq at which each tournament became known."""
        firsts = [versions[0][0] for versions in self.facts.tournament_versions]
        return np.array(firsts, dtype=np.int64)

    @cached_property
    def tournament_order(self) -> Column:
        """The place of each tournament by its id: what no order of recording can change."""
        ids = self.facts.tournament_ids
        order = np.empty(len(ids), dtype=np.int64)
        order[sorted(range(len(ids)), key=ids.__getitem__)] = np.arange(len(ids))
        return order

    @cached_property
    def seeds(self) -> list[Seed]:
        """Ratings brought in, in the order in which they hold: by day, then by seq."""
        known = (seed for seed in self.facts.seeds if seed.seq <= self.seq)
        return sorted(known, key=lambda seed: (seed.from_on, seed.seq))

    @cached_property
    def assigned_ks(self) -> list[AssignedK]:
        """Assigned Ks, in the order in which they hold: by day, then by seq."""
        known = (k for k in self.facts.assigned_ks if k.seq <= self.seq)
        return sorted(known, key=lambda k: (k.from_on, k.seq))

    @cached_property
    def titles(self) -> list[AwardedTitle]:
        """Titles awarded, in the order in which they hold: by day, then by seq."""
        known = (title for title in self.facts.titles if title.seq <= self.seq)
        return sorted(known, key=lambda title: (title.from_on, title.seq))

    def list(self, name: str) -> KnownList:
        """Returns a list as it was defined by then; the caller knows that it was."""
        facts: ListFacts = self.facts.lists[name]
        return KnownList(
            defined=facts.defined,
            segments=tuple(
                sorted(
                    (segment for seq, segment in facts.segments if seq <= self.seq),
                    key=lambda segment: segment.from_on,
                )
            ),
            adoptions=tuple(
                sorted(
                    (adoption for adoption in facts.adoptions if adoption.seq <= self.seq),
                    key=lambda adoption: (adoption.from_on, adoption.seq),
                )
            ),
            adjustments=tuple(pair for pair in facts.adjustments if pair[0] <= self.seq),
        )


T = TypeVar("T")


def _last(versions: Sequence[tuple[int, T]], seq: int) -> T | None:
    found = None
    for known_from, version in versions:
        if known_from > seq:
            break
        found = version
    return found
