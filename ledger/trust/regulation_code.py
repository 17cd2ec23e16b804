"""The code that computed a list, beside the code that does now."""

from __future__ import annotations

from ledger.errors import LedgerError
from ledger.events.lists import RegulationAdopted
from ledger.facts.as_of import AsOf
from ledger.facts.columns import Facts
from ledger.regulations import registry
from ledger.regulations.calculations import calculates_alike
from ledger.regulations.code import CodeOrigin, code_of
from ledger.views.view import LedgerView
from ledger.wording import Message


def recorded_code(event: RegulationAdopted) -> CodeOrigin | None:
    """Returns the code that an adoption recorded, if it did."""
    if event.code is None or event.distribution is None:
        return None
    return CodeOrigin(event.distribution, event.version, event.code)


def notice_other_code(view: LedgerView, facts: Facts, name: str) -> None:
    """Tells the ledger's ``notice`` of each adoption that this program calculates otherwise.

    That is no failure: whether the figures are those that were published, the bytes tell.
    """
    for adoption in AsOf(facts, facts.seq).list(name).adoptions:
        event, then = adoption.event, recorded_code(adoption.event)
        now = _code_there(event.regulation)
        if then and now and not calculates_alike(event.regulation, then, now):
            view.notice(
                Message.of(
                    "regulation.other_code",
                    list=name,
                    regulation=event.regulation,
                    since=adoption.from_on,
                    then=str(then),
                    now=str(now),
                )
            )


def _code_there(regulation_id: str) -> CodeOrigin | None:
    try:
        return code_of(registry.found(regulation_id))
    except LedgerError:
        return None  # whoever asks it to calculate is told
