from __future__ import annotations

import pytest

from ledger.desk.pairing import fenamac_1975
from ledger.desk.pairing.registry import SYSTEMS, pairing_system
from ledger.errors import NotFound


def test_systems_are_known_by_the_names_of_their_modules() -> None:
    assert pairing_system("fenamac-1975") is fenamac_1975.pair
    assert pairing_system("team-1975") is fenamac_1975.pair  # teams are paired as players are
    for name, system in SYSTEMS.items() - {("team-1975", fenamac_1975.pair)}:
        assert system.__module__.endswith(f".{name.replace('-', '_')}")


def test_an_unknown_system_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(NotFound, match=r"called knock-out; there are: berger, .*fenamac-1975"):
        pairing_system("knock-out")
