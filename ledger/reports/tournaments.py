"""The tournaments of a ledger, a line for each, by the facts alone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from ledger.facts.as_of import RATES, SYSTEMS, AsOf
from ledger.facts.blocks import ending_of
from ledger.facts.columns import Acceptance, Column, Ending, Facts
from ledger.json_form import JsonForm
from ledger.terms import Rate, System

State: TypeAlias = Literal["open", "closed", "rejected", "annulled"]


@dataclass(frozen=True, slots=True)
class TournamentLine(JsonForm):
    """A tournament as last corrected.

    ``players`` were entered, ``pairings`` are the games and byes that were not annulled; a report
    that is complete is ``closed``.
    """

    tournament: str
    name: str
    starts_on: dt.date
    ends_on: dt.date
    system: System
    rate_of_play: Rate
    players: int
    pairings: int
    state: State

    def json_fields(self) -> Mapping[str, object]:
        """Returns what its JSON form says."""
        return {
            "tournament": self.tournament,
            "name": self.name,
            "start": self.starts_on,
            "end": self.ends_on,
            "system": self.system,
            "rate_of_play": self.rate_of_play,
            "players": self.players,
            "pairings": self.pairings,
            "state": self.state,
        }


def tournament_lines(facts: Facts) -> list[TournamentLine]:
    """Returns all tournaments, by id."""
    known = AsOf(facts, facts.seq)
    about = known.tournaments
    columns = zip(
        facts.tournament_ids,
        known.tournament_names,
        map(dt.date.fromordinal, about.starts_on.tolist()),
        map(dt.date.fromordinal, about.ends_on.tolist()),
        [SYSTEMS[place] for place in about.system.tolist()],
        [RATES[place] for place in about.rate.tolist()],
        _entered(facts).tolist(),
        _pairings(known).tolist(),
        _states(facts, about.acceptance),
        strict=True,
    )
    return sorted((TournamentLine(*line) for line in columns), key=lambda line: line.tournament)


def _entered(facts: Facts) -> Column:
    """Returns how many players were entered in each tournament."""
    counts = np.zeros(len(facts.tournaments), dtype=np.int64)
    np.add.at(counts, facts.entered.tournament, facts.entered.count.astype(np.int64))
    return counts


def _pairings(known: AsOf) -> Column:
    """Returns how many pairings of each tournament hold."""
    everywhere = len(known.facts.tournaments)
    counts = np.zeros(everywhere, dtype=np.int64)
    for games in known.games_by_block():
        holding = games.tournament[ending_of(games.code) != Ending.ANNULLED]
        counts += np.bincount(holding, minlength=everywhere)
    return counts


def _states(facts: Facts, acceptance: Column) -> list[State]:
    """Returns how each tournament stands; what does not count is not said to be closed."""
    closed = np.zeros(len(facts.tournaments), dtype=np.bool_)
    closed[facts.closed.tournament] = True
    said: dict[int, State] = {Acceptance.REJECTED: "rejected", Acceptance.ANNULLED: "annulled"}
    return [
        said.get(ruling, "closed" if complete else "open")
        for ruling, complete in zip(acceptance.tolist(), closed.tolist(), strict=True)
    ]
