"""What can be asked of corrections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.identifiers import Seq
from ledger.questions.kinds import MostMoved, SeqOfCorrection
from ledger.questions.question import question

if TYPE_CHECKING:
    from ledger.reports.cascade import CorrectionReport
    from ledger.views.view import LedgerView


@question(
    "correction show",
    "/corrections/{seq}",
    answer_in="ledger.reports.cascade",
    rows="items",
    es="Muestra una corrección: qué estaba mal, quién la decidió y a quiénes movió.",
)
def correction_moved(
    view: LedgerView, seq: SeqOfCorrection, most: MostMoved = 20
) -> CorrectionReport:
    """Show a correction: what was wrong, who decided it, and whom it moved in which lists."""
    from ledger.answers.corrections import correction_report

    return correction_report(view, Seq(seq), most)
