"""The pairing systems by the names under which they are announced."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.desk.pairing import berger, dutch, fenamac_1975, practical_1975
from ledger.desk.pairing.proposal import PairingSystem
from ledger.errors import NotFound
from ledger.terms import PairingMethod

SYSTEMS: Final[Mapping[str, PairingSystem]] = {
    PairingMethod.BERGER: berger.pair,
    PairingMethod.DUTCH: dutch.pair,
    PairingMethod.FENAMAC_1975: fenamac_1975.pair,
    PairingMethod.PRACTICAL_1975: practical_1975.pair,
    # Teams are paired as players are, by the mean rating of theirs (see ``ledger.desk.teams``):
    # EL SISTEMA SUIZO EN TORNEOS POR EQUIPOS, 2 and 5 of its five ways.
    PairingMethod.TEAM_1975: fenamac_1975.pair,
}


def pairing_system(name: str) -> PairingSystem:
    """Returns a pairing system by its name.

    Raises:
        NotFound: there is none of that name; the message names those that there are.
    """
    if name not in SYSTEMS:
        raise NotFound("desk.unknown_system", name=name, known=", ".join(sorted(SYSTEMS)))
    return SYSTEMS[name]
