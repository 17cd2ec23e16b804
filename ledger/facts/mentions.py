"""Where the events that name a player are: by the rows of pairings, and by who else was entered."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ledger.facts.arrays import Column, Mask
from ledger.facts.columns import NOBODY, Facts

_PLAYER_BITS = 32


@dataclass(frozen=True, slots=True)
class Mentions:
    """Streams in which events may name a player, and what they have to bring.

    ``paired`` are those of tournaments in which he has ``pairings`` (so many events, together), and
    was entered; ``others`` those that may name him for any other reason, his own among them.
    """

    paired: frozenset[str]
    pairings: int
    others: frozenset[str]


def mentions(facts: Facts, player: str) -> Mentions:
    """Returns where a player is named, by the id that the events have.

    Whoever is paired was entered before. So where as many players were entered in a tournament as
    have pairings in it, and he is none of them, it does not know him.
    """
    index = facts.player_index[player]
    everywhere = len(facts.tournaments)
    pairings, paired = 0, np.zeros(everywhere, dtype=np.bool_)
    for block in facts.blocks:
        rows, directory = block.fetch(), block.directory
        his = np.flatnonzero((rows.white == index) | (rows.black == index))
        pairings += len(his)
        paired[directory.tournament[np.searchsorted(directory.start, his, side="right") - 1]] = True
    merged = {facts.player_ids[m.player] for m in facts.merges if m.into == index}
    others = with_anybody(facts).union(f"player:{id_}" for id_ in {player, *merged})
    return Mentions(_streams(facts, paired) - others, pairings, others)


def with_anybody(facts: Facts) -> frozenset[str]:
    """Returns the streams that may name anybody: rows of pairings do not tell whom."""
    ladders = (f"ladder:{name}" for name in facts.ladders)
    return _streams(facts, _with_idle_players(facts)).union(ladders)


def _streams(facts: Facts, chosen: Mask) -> frozenset[str]:
    ids = facts.tournament_ids
    return frozenset(f"tournament:{ids[place]}" for place in np.flatnonzero(chosen).tolist())


def _with_idle_players(facts: Facts) -> Mask:
    """Returns in which tournaments somebody may be entered under an id that has no pairing there.

    Who was merged may be entered under one id and paired under another: nothing is sure there.
    """
    everywhere = len(facts.tournaments)
    paired = np.zeros(everywhere, dtype=np.int64)
    in_several = np.bincount(facts.directory.tournament, minlength=everywhere) > 1
    merged = np.zeros(len(facts.players), dtype=np.bool_)
    merged[[player for merge in facts.merges for player in (merge.player, merge.into)]] = True
    uncertain: Mask = np.zeros(everywhere, dtype=np.bool_)
    left = []
    for block in facts.blocks:
        rows, directory = block.fetch(), block.directory
        counts = np.diff(directory.start, append=np.int32(block.count))
        who = _paired(np.repeat(directory.tournament, counts), rows.white, rows.black)
        tournament = who >> _PLAYER_BITS
        uncertain[tournament[merged[who & (1 << _PLAYER_BITS) - 1]]] = True
        left.append(who[in_several[tournament]])
        paired += np.bincount(tournament[~in_several[tournament]], minlength=everywhere)
    if left:
        several = np.unique(np.concatenate(left)) >> _PLAYER_BITS
        paired += np.bincount(several, minlength=everywhere)
    uncertain |= facts.entries_recorded != paired
    return uncertain


def _paired(tournament: Column, white: Column, black: Column) -> Column:
    """Returns who has a pairing in which tournament, once each: both in one number."""
    player = np.append(white, black)
    both = np.append(tournament, tournament).astype(np.int64) << _PLAYER_BITS | player
    return np.unique(both[player != NOBODY])
