"""Corrections: what was recorded wrongly and holds otherwise now, by whom it was said, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from ledger.events import players as pl
from ledger.events import tournaments as to
from ledger.json_form import PARTS, JsonForm, Key
from ledger.reports.cascade import Cascade
from ledger.reports.statement import PersonRef

CORRECTING: Final = frozenset(
    model.TYPE
    for model in (
        to.ResultCorrected, to.RatingResultCorrected, to.ResultAnnulled, to.TournamentCorrected,
        to.TournamentAccepted, to.TournamentRejected, to.TournamentAnnulled,
        pl.PlayerIdentityCorrected, pl.PlayersMerged, pl.PlayerFactUndone, to.TournamentFactUndone,
    )
)  # fmt: skip
"""The types of events that change what held before."""


@dataclass(frozen=True, slots=True)
class CorrectedItem(JsonForm):
    """One thing that was corrected, by the event that did it.

    ``title`` is the tournament's name. ``players`` are the two of a pairing, the one of a bye or of
    an identity, or the one merged and the one who stays. ``was`` and ``now`` are results in
    notation, None where there is none: an annulled pairing has no result now, one that counts for
    no rating neither.
    """

    seq: int
    type: str
    tournament: str | None
    title: str | None
    round: int | None
    players: tuple[PersonRef, ...]
    was: str | None
    now: str | None


@dataclass(frozen=True, slots=True)
class Correction(JsonForm):
    """The corrections of one commit; ``seq`` is that of the first, ``events`` how many there are.

    ``items`` are the first of them.
    """

    seq: int
    commit: int
    recorded_at: str
    actor: str
    reason: str
    source: str | None
    events: int
    items: tuple[CorrectedItem, ...]


@dataclass(frozen=True, slots=True)
class Corrections(JsonForm):
    """Some corrections, the newest first."""

    corrections: Sequence[Correction]


@dataclass(frozen=True, slots=True)
class CorrectionReport(JsonForm):
    """A correction and whom its commit moved, in all lists and periods."""

    correction: Annotated[Correction, PARTS]
    cascade: Annotated[Cascade, Key("moved")]


def result_said(type_: str, payload: Mapping[str, Any]) -> str | None:
    """Returns the result that an event about a pairing says, in notation; None for none."""
    if type_ == to.ByeGiven.TYPE:
        return str(payload["kind"])
    said = payload.get("result")
    return None if said is None else str(said)
