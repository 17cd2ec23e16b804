"""Finds tournaments whose recorded time control is of another rate of play than is recorded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ledger.events.catalogue import CATALOGUE
from ledger.events.tournaments import ReportDetails, TournamentCorrected, TournamentOpened
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Acceptance
from ledger.terms import Rate
from ledger.time_control import coded_time_control, rate_of_play_of
from ledger.views.view import LedgerView


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

    Of each tournament one event is read from the journal: no facts hold what only a report needs.
    """
    facts = view.facts()
    known = AsOf(facts, facts.seq)
    seqs = facts.tournaments.seq.copy()
    for correction in facts.recorded(TournamentCorrected):
        if known.holds(correction.seq):
            seqs[correction.index] = correction.seq
    counting = np.flatnonzero(known.tournaments.acceptance != Acceptance.ANNULLED)
    for seq in seqs[counting].tolist():
        (stored,) = view.journal.events(after=seq - 1, upto=seq)
        version = CATALOGUE.decode(stored.type, stored.version, stored.payload)
        assert isinstance(version, TournamentOpened | TournamentCorrected), "the facts say so"
        words, coded = time_control_texts(version.report)
        rate = rate_of_play_of(words, coded)
        if rate is not None and rate is not version.rate_of_play:
            text = coded or words or ""
            yield OtherRateOfPlay(version.tournament, text, version.rate_of_play, rate)


def time_control_texts(report: ReportDetails | None) -> tuple[str | None, str | None]:
    """Return the time control of a report in words (122), and as record 222 has it."""
    return (report.time_control, coded_time_control(report.records)) if report else (None, None)
