"""The pairing system that a report declares is read from 192 and from 092, or named as unknown."""

from __future__ import annotations

from itertools import product

import pytest

from ledger.intake.event_check import CheckedEvent, check_file
from ledger.terms import PairingMethod
from tests.intake.trf.writing import file, player

SYSTEMS = {
    **dict.fromkeys(
        map("".join, product(("FIDE_DUTCH",), ("", "_2025", "_2026"), ("", "_BAKU"))),
        PairingMethod.DUTCH,
    ),
    **dict.fromkeys(
        (
            "BERGER_ROUNDROBIN", "BERGER_ROUNDROBIN_G1", "BERGER_ROUNDROBIN_G2", "FIDE_ROUNDROBIN",
            "BERGER_DOUBLEROUNDROBIN", "FIDE_DOUBLEROUNDROBIN",
        ),
        PairingMethod.BERGER,
    ),
    **dict.fromkeys(
        (
            "FIDE_DUTCH_2017", "FIDE_DUBOV", "FIDE_BURSTEIN_BAKU", "CUSTOM_SWISS", "FIDE_SCHILLER",
            "BERGER_ROUNDROBIN_G3", "FIDE_DOUBLESWISS", "CUSTOM_KNOCKOUT",
        )
    ),
}  # fmt: skip
PLACES = ("192 {}", "092 {}", "092 Individual: {}", "092 Individual: Swiss-System ({})")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("code", SYSTEMS)
def test_a_code_is_read_wherever_it_stands(code: str, place: str) -> None:
    for spelling in (code, code.lower()):
        checked = checked_with(place.format(spelling))
        assert checked.pairing is SYSTEMS[code], spelling
        remarks = [remark.within("en") for remark in checked.remarks]
        is_named = any(code in remark.upper() for remark in remarks)
        assert is_named is (SYSTEMS[code] is None), remarks


@pytest.mark.parametrize(
    ("record", "pairing"),
    [
        ("092 Swiss Dutch", PairingMethod.DUTCH),
        ("092 Round robin (Berger)", PairingMethod.BERGER),
        ("092 Individual: Swiss-System", None),
        ("092 Individual: Round-Robin", None),
        ("192 something else", None),
    ],
)
def test_words_name_a_system_or_none(record: str, pairing: PairingMethod | None) -> None:
    assert checked_with(record).pairing is pairing


def checked_with(record: str) -> CheckedEvent:
    lines = (player(1, "Aguirre, Nora", "   2 w 1"), player(2, "Barrientos, Ciro", "   1 b 0"))
    return check_file(file("012 Open", "042 2026/03/04", record, *lines), "r.trf")
