"""Regulations for readers: which there are, what each says, and what a list adopted of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated

from ledger.calendar import first_from
from ledger.errors import InputRefused, LedgerError, NotFound
from ledger.events.lists import RegulationAdopted
from ledger.facts.as_of import AsOf
from ledger.facts.tables import RecordedEvent
from ledger.identifiers import Seq
from ledger.json_form import After, JsonForm, Key, derived
from ledger.regulations import registry
from ledger.regulations.code import CodeOrigin, code_of
from ledger.regulations.description import Parameters, read_parameters
from ledger.regulations.interface import Regulation
from ledger.reports.regulations import RegulationSheet, sheet, text_of, translations
from ledger.trust.regulation_code import recorded_code
from ledger.views.view import LedgerView


def regulation_list() -> tuple[list[RegulationSheet], list[LedgerError]]:
    """Returns every regulation that can be adopted, and what of other packages cannot be used."""
    sheets = [sheet(regulation) for regulation in registry.regulations().values()]
    return sheets, [error for _, error in registry.outside().broken]


def regulation_sheet(regulation_id: str) -> RegulationSheet:
    """Returns a regulation for readers; raises ``NotFound``."""
    return sheet(registry.found(regulation_id))


@dataclass(frozen=True, slots=True)
class Difference(JsonForm):
    """A parameter that a list set otherwise than the default."""

    parameter: str
    default: str | None
    adopted: str
    clause: str


@dataclass(frozen=True, slots=True)
class AdoptionSheet(JsonForm):
    """A regulation as a list adopted it, from a day on (until the next adoption, if there is one).

    ``period`` is the first that follows it. ``computed`` is the digest as this software computes
    it; None: it refuses these parameters. The same of the code: ``recorded_code`` is None in older
    adoptions, ``computing_code`` where there are no sources.
    """

    since: dt.date
    until: dt.date | None
    period: Annotated[str, Key("from_period")]
    seq: Seq
    recorded: Annotated[str, Key("recorded_digest")]
    computed: Annotated[str | None, Key("computed_digest")]
    recorded_code: CodeOrigin | None
    computing_code: CodeOrigin | None
    differences: tuple[Difference, ...]

    @property
    @derived
    def same(self) -> Annotated[bool, After("computed_digest")]:
        """Whether this software calculates what the list adopted."""
        return self.recorded == self.computed

    @property
    @derived
    def same_code(self) -> Annotated[bool | None, After("computing_code")]:
        """Whether the code is that of the adoption; None where either is not known."""
        if self.recorded_code is None or self.computing_code is None:
            return None
        return self.recorded_code.sha256 == self.computing_code.sha256


@dataclass(frozen=True, slots=True)
class Adoptions(JsonForm):
    """How a list adopted a regulation, each time it did."""

    regulation: str
    list: str
    adoptions: Sequence[AdoptionSheet]

    def within(self, language: str) -> Adoptions:
        """Returns it with the articles of parameters in one of ``LANGUAGES``."""
        texts = translations(self.regulation, language)
        shown = [
            replace(
                each,
                differences=tuple(
                    replace(line, clause=texts.get(line.clause, line.clause))
                    for line in each.differences
                ),
            )
            for each in self.adoptions
        ]
        return replace(self, adoptions=shown)


def adoptions(view: LedgerView, regulation_id: str, name: str) -> list[AdoptionSheet]:
    """Returns how a list adopted a regulation, each time it did.

    Raises:
        NotFound: there is no such regulation or list, or the list never adopted it.
    """
    regulation = registry.found(regulation_id)
    facts = view.facts_of(name)
    of = AsOf(facts, facts.seq).list(name)
    last_words = list({each.from_on: each for each in of.adoptions}.values())
    untils = [after.from_on for _, after in pairwise(last_words)]
    found = [
        _adoption(regulation, adoption, until, first_from(of.segments, adoption.from_on).name)
        for adoption, until in zip(last_words, [*untils, None], strict=True)
        if adoption.event.regulation == regulation_id
    ]
    if not found:
        names = ", ".join(dict.fromkeys(each.event.regulation for each in last_words))
        raise NotFound("regulation.not_adopted", list=name, regulation=regulation_id, adopted=names)
    return found


def adopters(view: LedgerView, regulation_id: str) -> dict[str, list[AdoptionSheet]]:
    """Returns the lists that adopted a regulation, by name, each with how it did."""
    lists = view.facts().lists
    return {
        name: adoptions(view, regulation_id, name)
        for name in sorted(lists)
        if any(each.event.regulation == regulation_id for each in lists[name].adoptions)
    }


def _adoption(
    regulation: type[Regulation],
    adoption: RecordedEvent[RegulationAdopted],
    until: dt.date | None,
    period: str,
) -> AdoptionSheet:
    event = adoption.event
    computed: str | None = None
    values: dict[str, object] = dict(event.parameters)
    try:
        parameters = read_parameters(regulation.PARAMETERS, event.parameters)
    except InputRefused:
        pass  # what it refuses is shown as it was recorded
    else:
        computed = regulation(parameters).digest()
        values = parameters.model_dump()
    return AdoptionSheet(
        since=adoption.from_on,
        until=until,
        period=period,
        seq=adoption.seq,
        differences=tuple(_differences(regulation.PARAMETERS, values)),
        recorded=event.digest,
        computed=computed,
        recorded_code=recorded_code(event),
        computing_code=code_of(regulation),
    )


def _differences(model: type[Parameters], values: dict[str, object]) -> list[Difference]:
    found = []
    for name, value in values.items():
        field = model.model_fields.get(name)
        default = None if field is None or field.is_required() else text_of(field.default)
        if text_of(value) != default:
            clause = "" if field is None else field.description or ""
            found.append(Difference(name, default, text_of(value), clause))
    return found
