"""Finds tournaments whose recorded time control is of another rate of play than is recorded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ledger.events.tournaments import ReportDetails
from ledger.terms import Rate
from ledger.time_control import rate_of_play_of
from ledger.views.view import LedgerView

_CODED = "222"


@dataclass(frozen=True, slots=True)
class OtherRateOfPlay:
    """A tournament that is recorded as ``recorded``, while its ``time_control`` makes it ``read``.

    ``CorrectTournament`` with the rate that was read mends it, if the time control is right.
    """

    tournament: str
    time_control: str
    recorded: Rate
    read: Rate


def other_rates_of_play(view: LedgerView) -> Iterator[OtherRateOfPlay]:
    """Yield the tournaments whose time control reads otherwise than their recorded rate of play.

    Every tournament is read from the journal: no facts hold what only a report needs.
    """
    facts = view.facts()
    for tournament in facts.tournament_ids:
        record = view.tournament(tournament, facts.seq)
        if record is None or record.annulled:
            continue
        words, coded = time_control_texts(record.version.report)
        rate, recorded = rate_of_play_of(words, coded), record.version.rate_of_play
        if rate is not None and rate is not recorded:
            yield OtherRateOfPlay(tournament, coded or words or "", recorded, rate)


def time_control_texts(report: ReportDetails | None) -> tuple[str | None, str | None]:
    """Return the time control of a report in words (122), and as record 222 has it."""
    if report is None:
        return None, None
    coded = [record for record in report.records or () if record.startswith(_CODED)]
    return report.time_control, coded[0].removeprefix(_CODED).strip() if coded else None
