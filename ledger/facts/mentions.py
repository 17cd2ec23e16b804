"""Where the events that name a player are: by the rows of pairings, and by who else was entered."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from ledger.facts.columns import NOBODY, Facts, Mask


@dataclass(frozen=True, slots=True)
class Mentions:
    """The streams in which events may name a player, and how many of these are about a pairing."""

    streams: Collection[str]
    pairings: int


def mentions(facts: Facts, player: str) -> Mentions:
    """Returns where a player is named, by the id that the events have.

    Whoever is paired was entered before. So where as many players were entered in a tournament as
    have pairings in it, and he is none of them, it does not know him.
    """
    index = facts.player_index[player]
    pairings, named = 0, _with_idle_players(facts)
    for block in facts.blocks:
        rows, directory = block.fetch(), block.directory
        his = np.flatnonzero((rows.white == index) | (rows.black == index))
        pairings += len(his)
        named[directory.tournament[np.searchsorted(directory.start, his, side="right") - 1]] = True
    streams = {f"player:{player}"}
    streams |= {f"tournament:{facts.tournament_ids[i]}" for i in np.flatnonzero(named).tolist()}
    streams |= {f"ladder:{name}" for name in facts.ladders}
    streams |= {
        f"player:{facts.player_ids[merge.player]}" for merge in facts.merges if merge.into == index
    }
    return Mentions(streams, pairings)


def _with_idle_players(facts: Facts) -> Mask:
    """Returns in which tournaments somebody may be entered who has no pairing.

    One whose pairings are in several blocks is not looked into, and may have somebody.
    """
    everywhere = len(facts.tournaments)
    entered = np.zeros(everywhere, dtype=np.int64)
    np.add.at(entered, facts.entered.tournament, facts.entered.count.astype(np.int64))
    paired = np.zeros(everywhere, dtype=np.int64)
    blocks = np.bincount(facts.entries.tournament, minlength=everywhere)
    for block in facts.blocks:
        rows, directory = block.fetch(), block.directory
        counts = np.diff(directory.start, append=np.int32(block.count))
        tournament = np.repeat(directory.tournament.astype(np.int64), counts)
        both = np.append(tournament, tournament) << 32 | np.append(rows.white, rows.black)
        who = np.unique(both[np.append(rows.white, rows.black) != NOBODY])
        paired += np.bincount(who >> 32, minlength=everywhere)
    idle: Mask = (blocks > 1) | (entered != paired)
    return idle
