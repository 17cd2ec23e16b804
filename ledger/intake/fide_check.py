"""Whether FIDE's rating server would take a report: a file, or a recorded tournament as written."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import IO, Annotated, Final

from ledger.errors import InputRefused, LedgerError, Problem, VerificationFailed
from ledger.intake.document_copy import Copy
from ledger.intake.problems import in_order
from ledger.intake.report_file import tournament_report
from ledger.intake.trf.check import check
from ledger.intake.trf.fide_rules import FideVerdict, fide_verdict
from ledger.intake.trf.parse import parse
from ledger.json_form import HIDDEN, JsonForm, Key, derived
from ledger.views.view import LedgerView
from ledger.wording import Message

_FIRST: Final = 4  # places of one cause that are named
_TOGETHER: Final = {
    "check.fide_no_id": ("check.fide_no_ids", "{number} {name}"),
    "check.fide_no_rank": ("check.fide_no_ranks", "{number} {name}"),
    "check.fide_open": ("check.fide_open_games", "{round}: {one} – {other}"),
}
"""What is said of many of one cause, and how each of the first is named, by what is said of one."""


@dataclass(frozen=True, slots=True)
class ReportPlace(JsonForm):
    """A sentence about a place in the report; None where it is about the whole."""

    line: int | None
    column: int | None
    sentence: Message

    @classmethod
    def of(cls, problem: Problem) -> ReportPlace:
        """Returns it of a problem."""
        return cls(problem.line or None, problem.column or None, problem.message)


@dataclass(frozen=True, slots=True)
class FideCheck(JsonForm):
    """Why FIDE's server would refuse a report, and what it would warn of."""

    event: str
    found: Annotated[FideVerdict, HIDDEN]

    @property
    @derived
    def refusals(self) -> Annotated[tuple[ReportPlace, ...], Key("refusals")]:
        """Each reason for which it would be refused."""
        return tuple(map(ReportPlace.of, in_order(self.found.refusals)))

    @property
    @derived
    def remarks(self) -> Annotated[tuple[ReportPlace, ...], Key("remarks")]:
        """What it would warn of."""
        return tuple(map(ReportPlace.of, in_order(self.found.remarks)))

    def failure(self) -> LedgerError | None:
        """Returns what a command ends with; None where it would be taken."""
        if count := len(self.found.refusals):
            return VerificationFailed("check.fide_refused", event=self.event, count=count)
        return None


def fide_check_of_file(source: bytes | IO[bytes], name: str, today: dt.date) -> FideCheck:
    """Checks a report file (TRF16 or TRF26); what is wrong with its form is a refusal, too.

    Raises:
        InputRefused: it is no report.
    """
    try:
        with Copy(source) as copy:
            copy.decode(None)
            report = parse(copy.text())
    except InputRefused as refusal:
        if not refusal.details:
            raise
        return FideCheck(name, FideVerdict(refusal.details, ()))
    faults = check(report)
    verdict = fide_verdict(report, today)
    broken = {fault.line for fault in faults}  # what follows from a fault is not told as well
    refusals = [each for each in verdict.refusals if not each.line or each.line not in broken]
    found = FideVerdict((*faults, *_by_cause(refusals)), verdict.remarks)
    return FideCheck(report.tournament.name or name, found)


def _by_cause(problems: Sequence[Problem]) -> Iterator[Problem]:
    """Yields problems, those of one cause as one: how many there are, and where the first are."""
    causes: dict[str, list[Problem]] = {}
    for each in problems:
        causes.setdefault(each.message.key, []).append(each)
    for key, found in causes.items():
        together = _TOGETHER.get(key)
        if together is None or len(found) == 1:
            yield from found
            continue
        many, where = together
        places = [where.format(**dict(each.message.values)) for each in found[:_FIRST]]
        more = "; …" if len(found) > _FIRST else ""
        first = found[0]
        about = {"count": len(found), "first": "; ".join(places) + more}
        yield replace(first, message=Message.of(many, **about))


def fide_check_of_tournament(view: LedgerView, tournament: str, list_: str | None) -> FideCheck:
    """Checks a tournament as ``tournament trf`` writes it, with the ratings of a list.

    Raises:
        NotFound: no such tournament or list.
    """
    written = tournament_report(view, tournament, list_)
    return FideCheck(tournament, fide_check_of_file(written, tournament, view.today).found)
