"""The Swiss of teams: Chavarría 1975, EL SISTEMA SUIZO EN TORNEOS POR EQUIPOS.

Teams are paired as players are, by the mean rating of their players: which of several with equal
points meets the leader follows from strength and colours (2 and 5 of the five ways of the text). A
round comes with teams as its participants, their match points as scores and the means as ratings
(see ``ledger.desk.teams``); colours are those of board 1.
"""

from __future__ import annotations

from ledger.desk.pairing import fenamac_1975
from ledger.desk.pairing.proposal import Proposal, RoundToPair


def pair(round_: RoundToPair) -> Proposal:
    """Pairs a round of teams by the manual's Swiss.

    Raises:
        NoPairing: the bye is left for nobody, or a second meeting cannot be avoided.
    """
    return fenamac_1975.pair(round_)
