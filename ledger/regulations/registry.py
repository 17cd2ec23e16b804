"""Finds a regulation by its id."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.errors import NotFound
from ledger.regulations.enf_2010 import Enf2010
from ledger.regulations.interface import Regulation, read_parameters

REGULATIONS: dict[str, type[Regulation]] = {regulation.ID: regulation for regulation in (Enf2010,)}


def adopted(regulation_id: str, parameters: Mapping[str, int | str]) -> Regulation:
    """Returns the regulation with its parameters.

    Raises:
        NotFound: there is no regulation of that id.
        InputRefused: a parameter is unknown or does not fit.
    """
    found = REGULATIONS.get(regulation_id)
    if found is None:
        known = ", ".join(sorted(REGULATIONS))
        raise NotFound("regulation.unknown", regulation=regulation_id, known=known)
    return found(read_parameters(found.PARAMETERS, parameters))
