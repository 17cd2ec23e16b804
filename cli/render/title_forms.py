"""How the data for the forms of today look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from cli.output import say, table
from cli.questions import Look
from cli.settings import language
from ledger.forms.title_forms import (
    GAME_COLUMNS,
    certificate_facts,
    certificate_page,
    certificate_title,
    event_facts,
    form_facts,
    game_cells,
    report_form_page,
)
from ledger.reports.title_forms import Certificate, EventForm

if TYPE_CHECKING:
    from rich.console import Console


def _certificate(found: Certificate, out: Console) -> None:
    out.print(certificate_title(found, say), style="bold")
    _facts((*event_facts(found.event, language()), *certificate_facts(found, say)), out)
    table_ = table(*GAME_COLUMNS)
    for game in found.games:
        table_.add(*game_cells(game))
    out.print(table_)


def _report_form(found: EventForm, out: Console) -> None:
    out.print(say("certificate.report", name=found.event.name), style="bold")
    _facts((*event_facts(found.event, language()), *form_facts(found, say)), out)


def _facts(facts: Iterable[tuple[str, object]], out: Console) -> None:
    for name, value in facts:
        out.print(f"{name}: {'' if value is None else value}")


LOOKS: Final[Mapping[str, Look[Any]]] = {
    "tournament certificate": Look(_certificate, certificate_page),
    "tournament report-form": Look(_report_form, report_form_page),
}
"""How answers look, by the words of their questions."""
