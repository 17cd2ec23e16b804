"""Rating lists: periods, rows, published bytes, differences, and what is studied of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import Depends, Query, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from ledger.answers.directory import RowsAsked, Selection
from ledger.answers.list_figures import compare_regulations, monitor_of, whole_window
from ledger.answers.lists import ListDescription, ListDifference, compare, described_list
from ledger.errors import InputRefused
from ledger.lists.rating_list import RowOrder, ShownRows
from ledger.questions import lists as questions
from ledger.reports.comparison import Comparison
from ledger.reports.monitor import Monitor
from ledger.typed_values import edition_of, parameters_of
from ledger.views.list_editions import edition_state, published_edition
from ledger.views.view import LedgerView
from web.access import PUBLIC
from web.api.questions import add_question
from web.api.routing import (
    USUAL,
    ApiRoutes,
    Control,
    FromPeriod,
    Limit,
    ListName,
    OfFederations,
    PeriodWord,
    Search,
    ToPeriod,
    name_next,
)
from web.asked_view import Asked, RatedCategoryAsked
from web.caching import settled_by
from web.calculations import replayed, study_of
from web.fields import LARGEST, Recalculated
from web.read_models.answers import ShownList, digest_headers, shown_list
from web.read_models.model_store import store_of
from web.site import View

routes = ApiRoutes("lists")
CSV = "text/csv"
_WHICH = "PERIOD or PERIOD@EDITION."


add_question(routes, questions.agenda)
add_question(routes, questions.publication_check)
add_question(routes, questions.list_letters)
add_question(routes, questions.lists)


@routes.reads("/lists/{list}", PUBLIC)
def list_described(view: Asked, name: ListName) -> ListDescription:
    """One list: its regulation, calendar and policy, and how many editions went out."""
    return view.ask(described_list, name)


add_question(routes, questions.periods)
add_question(routes, questions.live_ratings)


@routes.reads("/lists/{list}/diff", PUBLIC)
def differences(
    request: Request,
    view: Asked,
    name: ListName,
    before: Annotated[str, Query(description=_WHICH, examples=["2010-07@1"])],
    after: Annotated[str, Query(description=_WHICH, examples=["2010-07@2"])],
) -> ListDifference:
    """Who entered, who left and who moved between two published lists."""
    return replayed(request, view, name, compare, name, before, after)


@routes.reads("/lists/{list}/monitor", PUBLIC, answer=Monitor)
def monitor(
    request: Request,
    view: Asked,
    name: ListName,
    since: FromPeriod = None,
    until: ToPeriod = None,
    control: Control = None,
    *,
    active: Annotated[bool, Query(description="The pool is the active players only.")] = False,
) -> Response:
    """The control group's mean, and where the list's points come from and go, exactly."""
    window = {"since": since, "until": until, "control": control or (), "active_only": active}
    return _studied(request, view, _monitored, {"list": name, "window": window})


@routes.reads("/lists/{list}/comparison", PUBLIC, answer=Comparison)
def comparison(
    request: Request,
    view: Asked,
    name: ListName,
    other: Annotated[
        str, Query(alias="with", description="The other regulation's id.", examples=["elo-linear"])
    ],
    since: FromPeriod = None,
    until: ToPeriod = None,
    control: Control = None,
    param: Annotated[
        list[str] | None,
        Query(description="Its parameters, `name=value` each."),
    ] = None,
) -> Response:
    """The list beside what it would be under another regulation; by default all its periods."""
    first, last = view.recall(whole_window, name)
    window = {"since": since or first, "until": until or last, "control": control or ()}
    wanted = {"list": name, "with": other, "param": param or [], "window": window}
    return _studied(request, view, _compared, wanted)


async def _rows_asked(
    category: RatedCategoryAsked,
    search: Search = None,
    federation: OfFederations = None,
    *,
    active: Annotated[bool, Query(description="Only the active.")] = False,
    state: Annotated[
        Literal["rated", "provisional"] | None, Query(description="Only with a rating, or without.")
    ] = None,
    sort: Annotated[RowOrder, Query(description="In which order.")] = RowOrder.RANK,
    after: Annotated[
        int, Query(ge=0, le=LARGEST, description="The place of the last row that is known.")
    ] = 0,
    limit: Limit = USUAL,
) -> RowsAsked:
    """Returns which rows of a list are asked for; it only reads the address, without a thread."""
    codes = tuple(code.upper() for code in federation or ())
    provisional = None if state is None else state == "provisional"
    wanted = Selection(codes, category, search, active=active, provisional=provisional)
    return RowsAsked(wanted, sort, after=after, limit=limit)


@routes.reads("/lists/{list}/{period}", PUBLIC)
def rows_of_list(
    request: Request,
    view: Asked,
    name: ListName,
    period: PeriodWord,
    wanted: Annotated[RowsAsked, Depends(_rows_asked)],
    *,
    recalculated: Recalculated = False,
) -> ShownRows:
    """A list with some of its rows, as published: of the newest edition, or with `@EDITION`.

    A period without an edition is a `preview`. With `recalculated` it is the period as known now.
    Who is left out by a filter leaves the others their rank.
    """
    which, category = edition_of(period), wanted.selection.category
    shown = shown_list(request, view, name, *which, category, recalculated=recalculated)
    page = shown.page(wanted)
    if page.after is not None:
        edition = None if recalculated or which[1] else shown.heading.edition
        known_at = None if which[1] or edition else view.seq
        name_next(request, page.after, known_at=known_at, edition=edition)
    return ShownRows(shown.heading, page.rows)


@routes.reads("/lists/{list}/{period}/bytes", PUBLIC, media_type=CSV)
def bytes_of_edition(request: Request, view: Asked, name: ListName, period: PeriodWord) -> Response:
    """The very bytes that were published: CSV with a heading, of the last edition or `@EDITION`.

    The header `Ledger-Published-Sha256` is their digest, `Ledger-Sha256` that of what is given:
    another one only where people were erased since, whose names are left out.
    """
    which = edition_of(period)
    published = view.ask(published_edition, name, *which)
    if which[1] is not None:
        settled_by(request, view.recall(edition_state, name, which[0], which[1]))
    shown = ShownList(store_of(request), view, name, which[0], published.edition)
    parts = (part.encode() for part in shown.document())
    headers = digest_headers(shown, published.output_sha256)
    return StreamingResponse(parts, media_type=f"{CSV}; charset=utf-8", headers=headers)


def _studied(
    request: Request, view: View, make: Callable[[LedgerView, dict[str, Any]], dict[str, Any]],
    wanted: dict[str, Any],
) -> Response:  # fmt: skip
    """Answers with a study; raises ``InputRefused`` where it takes too long for who asks."""
    data = study_of(request, view, make, wanted)
    if data is None:
        raise InputRefused("study.takes_long", list=wanted["list"])
    return JSONResponse(data)


def _monitored(view: LedgerView, wanted: dict[str, Any]) -> dict[str, Any]:
    return monitor_of(view, wanted["list"], **wanted["window"]).data()


def _compared(view: LedgerView, wanted: dict[str, Any]) -> dict[str, Any]:
    comparison_ = compare_regulations(
        view, wanted["list"], regulation=wanted["with"],
        parameters=parameters_of(wanted["param"]), **wanted["window"],
    )  # fmt: skip
    return comparison_.data()
