"""Random events as report files, for trying engines and programs."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Final

from ledger.desk.event_records import system_code
from ledger.desk.pairing.registry import pairing_system
from ledger.desk.score_sheet import ScoreSheet
from ledger.desk.simulator import Plan, simulate
from ledger.desk.standings import standings
from ledger.desk.tie_breaks.registry import announced
from ledger.desk.trf_text import FileNotes, trf_text
from ledger.terms import PairingMethod, System, TrfVersion

_TYPES: Final = {
    System.SWISS: "Individual: Swiss-System",
    System.ROUND_ROBIN: "Individual: Round-Robin",
}
_TIE_BREAKS: Final = {System.SWISS: "BH/C1,BH,SB", System.ROUND_ROBIN: "SB,WIN"}
_DAY: Final = dt.date(2026, 3, 1)
"""The day of every simulated event: the rules of 2026 are in force."""


@dataclass(frozen=True, slots=True)
class SimulatedReport:
    """A report file, and how many of the rounds could be paired."""

    text: str
    rounds: int


def simulated_report(
    plan: Plan, pairing: PairingMethod, version: TrfVersion = TrfVersion.TRF26
) -> SimulatedReport:
    """Returns a random event as a report file.

    What deviates from plain rounds stands in it as ``###``: results that an arbiter ruled, and why
    an event ended early.

    Raises:
        NotFound: there is no such pairing system for players.
        EngineMissing, EngineFailed: the pairing system gave no answer.
    """
    event = simulate(plan, pairing_system(pairing))
    notes = FileNotes(
        heading=tuple(_heading(plan, pairing, version)),
        comments=(_described(plan, pairing), *map(str, event.remarks)),
        ranks=_ranks(event.sheet),
        code=system_code(pairing, _DAY, baku=plan.baku),
    )
    return SimulatedReport(trf_text(event.sheet, event.rules, notes, version), event.sheet.played)


def system_of(pairing: PairingMethod) -> System:
    """Returns how a tournament of a pairing system is played."""
    return System.ROUND_ROBIN if pairing is PairingMethod.BERGER else System.SWISS


def _heading(plan: Plan, pairing: PairingMethod, version: TrfVersion) -> list[tuple[str, str]]:
    heading = [
        ("012", f"Simulation {plan.seed} ({pairing})"),
        ("042", f"{_DAY:%Y/%m/%d}"),
        ("052", f"{_DAY:%Y/%m/%d}"),
        ("062", str(plan.players)),
        ("072", str(plan.players)),
        ("092", _TYPES[plan.system]),
        ("122", "90 minutes + 30 seconds"),
    ]
    if version is TrfVersion.TRF26:
        heading.append(("212", f"PTS,{_TIE_BREAKS[plan.system]}"))
    return heading


def _described(plan: Plan, pairing: PairingMethod) -> str:
    shares = f"forfeits {plan.forfeits}, byes {plan.byes}, unusual {plan.unusual} in a thousand"
    baku = ", accelerated" if plan.baku else ""
    return f"simulated: seed {plan.seed}, {pairing}, {shares}{baku}"


def _ranks(sheet: ScoreSheet) -> dict[int, int]:
    places = standings(sheet, announced(_TIE_BREAKS[sheet.system], system=sheet.system))
    return {place.card.number: place.rank for place in places}
