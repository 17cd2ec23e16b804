"""Regulations article by article, and ladders."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from fastapi import Path, Query, Request

from ledger.answers.commits import last_recorded_on
from ledger.answers.regulations import Adoptions, adoptions, regulation_list, regulation_sheet
from ledger.reports.ladder import LadderReport
from ledger.reports.regulations import Regulations, RegulationSheet
from ledger.service.ladders import LadderNames, show_ladder
from web.access import PUBLIC
from web.api.routing import ApiRoutes, ListName
from web.asked_view import Asked
from web.language import language_of

routes = ApiRoutes("regulations")
ladder_routes = ApiRoutes("ladders")
RegulationId = Annotated[
    str, Path(alias="regulation", description="The regulation's id.", examples=["enf-2010"])
]


@routes.reads("/regulations", PUBLIC)
def regulations(request: Request, _view: Asked) -> Regulations:
    """Every regulation that a list can adopt."""
    sheets, _ = regulation_list()
    return Regulations([sheet.within(language_of(request)).row() for sheet in sheets])


@routes.reads("/regulations/{regulation}", PUBLIC)
def regulation_described(
    request: Request, _view: Asked, regulation: RegulationId
) -> RegulationSheet:
    """A regulation article by article: parameters, tables, dated figures, digest."""
    return regulation_sheet(regulation).within(language_of(request))


@routes.reads("/regulations/{regulation}/lists/{list}", PUBLIC)
def adopted(request: Request, view: Asked, regulation: RegulationId, name: ListName) -> Adoptions:
    """When a list adopted a regulation, and with which parameters."""
    found = Adoptions(regulation, name, view.ask(adoptions, regulation, name))
    return found.within(language_of(request))


@ladder_routes.reads("/ladders", PUBLIC)
def ladders(view: Asked) -> LadderNames:
    """The names of the ladders."""
    return LadderNames(view.ask(lambda ledger: sorted(ledger.facts().ladders)))


@ladder_routes.reads("/ladders/{ladder}", PUBLIC)
def ladder_shown(
    view: Asked,
    ladder: Annotated[str, Path(description="The ladder's name.")],
    on: Annotated[
        dt.date | None,
        Query(
            description="Ratings in force on this day (default: of the last commit).",
            examples=["2010-09-01"],
        ),
    ] = None,
) -> LadderReport:
    """A ladder: places, challenges, exchanges."""
    return view.ask(show_ladder, ladder, on=on or view.ask(last_recorded_on))
