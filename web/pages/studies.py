"""Studies of a list: where its points come from, and what it would be under another regulation.

What is calculated at once is kept (``web.calculations``). One that takes long is made by a job,
which somebody who signed in has to ask for; then everybody sees what it came to.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import Form, Query, Request, Response
from fastapi.responses import RedirectResponse

from ledger.answers.list_figures import whole_window
from ledger.answers.regulations import regulation_list, regulation_sheet
from ledger.errors import NotFound
from ledger.views.list_editions import period_names
from ledger.views.view import LedgerView
from web.access import PUBLIC, SIGNED_IN, Routes, account_of, required_account
from web.asked_view import Asked
from web.calculations import study_of
from web.language import language_of
from web.office.jobs import JobState, known, start
from web.office.store import office_if_any, office_of
from web.rendering import link, render
from web.site import View
from web.studies import address_of_study, comparison_shown, monitor_shown

routes = Routes()
_COLUMNS: Final = (
    "mean", "rated", "active", "newcomers", "brought_in", "removed",
)  # fmt: skip
_Period = Annotated[str, Query(max_length=40)]
_Parameters = Annotated[str, Query(max_length=500)]


@routes.get("/monitor/{name}", PUBLIC)
def monitor(
    request: Request, view: Asked, name: str, since: _Period = "", until: _Period = "",
    active: bool = False,  # noqa: FBT001, FBT002 - it stands in the query
) -> Response:  # fmt: skip
    """Shows a list's health by period."""
    wanted = _asked(view, name, since, until) | {"active": active}
    return _shown(request, view, "monitor", monitor_shown, wanted, columns=_COLUMNS)


@routes.get("/compare/{name}/{regulation}", PUBLIC)
def compare(
    request: Request, view: Asked, name: str, regulation: str, since: _Period = "",
    until: _Period = "", param: _Parameters = "",
    other: Annotated[str, Query(alias="with", max_length=100)] = "",
) -> Response:  # fmt: skip
    """Shows a list beside what it would be under another regulation.

    ``param`` has its parameters, ``name=value`` with blanks between; ``with``, which a form sends,
    is the regulation of the page that is shown instead.
    """
    if other and other != regulation:
        words = {"since": since or None, "until": until or None}
        return RedirectResponse(link(request, ("compare", name, other), **words))
    sheet = regulation_sheet(regulation)
    wanted = _asked(view, name, since, until) | {"regulation": regulation, "param": param}
    return _shown(request, view, "compare", comparison_shown, wanted, sheet=sheet,
                  regulations=[each.id for each in regulation_list()[0]])  # fmt: skip


@routes.post("/studies", SIGNED_IN)
def have_it_made(
    request: Request, view: Asked, kind: Annotated[str, Form()],
    list_: Annotated[str, Form(alias="list", max_length=100)],
    since: Annotated[str, Form(max_length=40)], until: Annotated[str, Form(max_length=40)],
    regulation: Annotated[str, Form(max_length=100)] = "",
    param: Annotated[str, Form(max_length=500)] = "",
    active: Annotated[bool, Form()] = False,  # noqa: FBT002 - it stands in the form
) -> Response:  # fmt: skip
    """Has a study made that takes long."""
    if kind not in {"monitor", "compare"}:
        raise NotFound("jobs.not_found", job=kind)
    wanted = _asked(view, list_, since, until)
    wanted |= (
        {"regulation": regulation, "param": param} if kind == "compare" else {"active": active}
    )
    account = required_account(request)
    start(office_of(request), kind, wanted, account.name, is_settled=True)
    # The study's page shows how far the job is; the job may be that of somebody else who asked.
    return RedirectResponse(address_of_study(kind, wanted), HTTPStatus.SEE_OTHER)


def _asked(view: View, name: str, since: str, until: str) -> dict[str, Any]:
    """Returns what is asked for, as a job is told it."""
    first, last = view.recall(whole_window, name)
    return {"list": name, "since": since or first, "until": until or last, "seq": view.seq,
            "gone": view.gone}  # fmt: skip


def _shown(
    request: Request, view: View, kind: str,
    make: Callable[[LedgerView, dict[str, Any]], dict[str, Any]], wanted: dict[str, Any],
    **values: Any,
) -> Response:  # fmt: skip
    """Returns a study, or says that somebody has to have it made."""
    data = study_of(request, view, make, wanted)
    if data is not None:
        return _page(request, view, kind, data, wanted, values)
    office = office_if_any(request)
    job = known(office, kind, wanted) if office is not None else None
    if job is not None and job.state is JobState.DONE:
        return _page(request, view, kind, job.result, wanted, values)
    answer = render(
        request, "study_long.html", kind=kind, asked=wanted, job=job,
        command=_command(kind, wanted),
        may_ask=office is not None and account_of(request) is not None,
    )  # fmt: skip
    request.state.view = None  # it is another one as soon as the job is done: nobody keeps it
    return answer


def _page(
    request: Request, view: View, kind: str, data: dict[str, Any], board: dict[str, Any],
    values: Any,
) -> Response:  # fmt: skip
    language = language_of(request)
    return render(
        request, f"{kind}.html", data=data, picture=data["pictures"][language],
        periods=view.recall(period_names, board["list"]), asked=board, **values,
    )  # fmt: skip


def _command(kind: str, wanted: dict[str, Any]) -> str:
    """Returns the command that says the same."""
    if kind == "monitor":
        return f"monitor {wanted['list']} --from {wanted['since']} --to {wanted['until']}"
    return (
        f"regulation compare {wanted['list']} --with {wanted['regulation']}"
        f" --from {wanted['since']} --to {wanted['until']}"
    )
