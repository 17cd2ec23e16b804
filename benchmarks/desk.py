"""What an arbiter waits for at the desk: a round paired, standings with every tie-break.

The event is simulated from the history's seed, nine rounds with forfeits and byes. Rounds are
measured one by one, as parts by their number. Among the figures, ``computing`` are the seconds of
the round (or of the standings) that took the most of them, with those of the engine's process.
Where a history has fewer players than an event would, the event has those.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec

from benchmarks.histories import History
from benchmarks.measuring import NotInstalledError, Place, Watch
from ledger.desk.pairing.proposal import PairingSystem, Proposal, RoundToPair
from ledger.desk.pairing.registry import pairing_system
from ledger.desk.simulator import Plan, SimulatedEvent, simulate
from ledger.desk.standings import standings
from ledger.desk.tie_breaks.registry import announced, codes
from ledger.errors import InputRefused
from ledger.terms import PairingMethod

ROUNDS = 9
PLAYERS, PLAYERS_DUTCH = 1_000, 200
_PER_MILLE = 20  # forfeits, and byes


def _simulated(place: Place, players: int, pair: PairingSystem) -> SimulatedEvent:
    history = History.read(place.history)
    plan = Plan(
        players=min(players, history.players),
        rounds=ROUNDS,
        seed=str(history.seed),
        forfeits=_PER_MILLE,
        byes=_PER_MILLE,
    )
    event = simulate(plan, pair)
    assert event.sheet.played == ROUNDS, "every round has a pairing"
    return event


def _watched(pair: PairingSystem, watch: Watch) -> PairingSystem:
    """Returns a pairing system that is measured round by round."""

    def measured(to_pair: RoundToPair) -> Proposal:
        before = _computed()
        with watch.running(), watch.running_part(f"round {to_pair.round}"):
            proposal = pair(to_pair)
        computed = _computed() - before
        watch.figures["computing"] = max(computed, watch.figures.get("computing", 0.0))
        return proposal

    return measured


def _computed() -> float:
    """Returns the seconds this process has computed, and those it has waited for."""
    return sum(os.times()[:4])


def _fenamac(place: Place, watch: Watch) -> None:
    """Nine rounds by FENAMAC's Swiss of 1975."""
    pair = pairing_system(PairingMethod.FENAMAC_1975)
    event = _simulated(place, PLAYERS, _watched(pair, watch))
    watch.figures["players"] = len(event.sheet.cards)


def _dutch(place: Place, watch: Watch) -> None:
    """Nine rounds by FIDE's Dutch system."""
    if find_spec("gacrux") is None:
        raise NotInstalledError("gacrux")
    pair = pairing_system(PairingMethod.DUTCH)
    event = _simulated(place, PLAYERS_DUTCH, _watched(pair, watch))
    watch.figures["players"] = len(event.sheet.cards)


def _tie_breaks(place: Place, watch: Watch) -> None:
    """The standings after nine rounds by every tie-break for single players."""
    event = _simulated(place, PLAYERS, pairing_system(PairingMethod.FENAMAC_1975))
    tie_breaks = announced(",".join(filter(_for_players, codes())))
    before = _computed()
    with watch.running():
        made = standings(event.sheet, tie_breaks)
    watch.figures["computing"] = _computed() - before
    assert len(made) == len(event.sheet.cards), "everybody has a place"
    watch.figures |= {"players": len(made), "tie_breaks": len(tie_breaks)}


def _for_players(code: str) -> bool:
    try:
        announced(code)
    except InputRefused:
        return False
    return True


DESK: dict[str, Callable[[Place, Watch], None]] = {
    "desk-rounds": _fenamac,
    "desk-tie-breaks": _tie_breaks,
    "desk-dutch": _dutch,
}
