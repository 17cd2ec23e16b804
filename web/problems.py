"""Failures as answers: a page for people, a problem of RFC 9457 for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from ledger.errors import (
    Conflict,
    DatabaseError,
    InputRefused,
    LedgerError,
    NotFound,
    NothingChecked,
    Outdated,
    Problem,
    VerificationFailed,
)
from ledger.events.model import wrong_fields
from ledger.identifiers import Seq
from ledger.json_form import JsonForm, data_of
from ledger.wording import Message, sentences
from web.access import account_of
from web.asked_view import FORMER
from web.caching import NotModified
from web.calculations import RETRY_SECONDS
from web.destinations import page_before
from web.kept_forms import sign_in_with_form
from web.language import error_for_site, for_site, language_of, problem_for_site
from web.read_models.answers import BeingMade
from web.refusals import Forbidden, SignInNeeded
from web.rendering import render
from web.turns import Busy

_STATUS: dict[type[LedgerError], HTTPStatus] = {
    VerificationFailed: HTTPStatus.INTERNAL_SERVER_ERROR,
    InputRefused: HTTPStatus.UNPROCESSABLE_ENTITY,
    Outdated: HTTPStatus.PRECONDITION_FAILED,  # before what it is a kind of
    Conflict: HTTPStatus.CONFLICT,
    DatabaseError: HTTPStatus.SERVICE_UNAVAILABLE,
    NotFound: HTTPStatus.NOT_FOUND,
    NothingChecked: HTTPStatus.UNPROCESSABLE_ENTITY,
}
_PREFIX = "/api/"


class RequestRefused(HTTPException):
    """Refuses a request by a status, with the sentence that says why."""

    def __init__(self, status: HTTPStatus, message: Message) -> None:
        super().__init__(status, message.key)
        self.message = message


@dataclass(frozen=True, slots=True)
class Detail(JsonForm):
    """One thing that is wrong with a document, and where."""

    file: str | None
    line: int | None
    column: int | None
    message: str


@dataclass(frozen=True, slots=True)
class ProblemReport(JsonForm):
    """A refusal for programs (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    details: Annotated[list[dict[str, Any]], data_of(Sequence[Detail])]


def status_of(error: LedgerError | None) -> HTTPStatus:
    """Returns the status of an answer that refuses something; None: it refuses nothing."""
    if error is None:
        return HTTPStatus.OK
    return next(status for kind, status in _STATUS.items() if isinstance(error, kind))


def form_status(error: LedgerError | None) -> HTTPStatus:
    """Returns the status of a form that is shown again, with what was wrong about it."""
    if error is None:
        return HTTPStatus.OK
    own_fault = isinstance(error, DatabaseError)  # and of nothing that was filled in
    return HTTPStatus.SERVICE_UNAVAILABLE if own_fault else HTTPStatus.UNPROCESSABLE_ENTITY


def status_title(status: HTTPStatus) -> Message:
    """Returns what a status is called."""
    key = f"status.of_{status.value}"
    return Message.of(key if key in sentences("en") else "status.other")


def failure_data(request: Request, error: LedgerError | None) -> dict[str, Any] | None:
    """Returns a failure as a page shows it beside a form; None where there is none."""
    if error is None:
        return None
    language, error = language_of(request), error_for_site(error)
    return {
        "message": for_site(error.message).within(language),
        "details": [problem_for_site(each).data(language) for each in error.details],
    }


def answer_failures(app: FastAPI) -> None:
    """Lets an application answer every failure."""
    app.add_exception_handler(LedgerError, _ledger_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(Busy, _busy)
    app.add_exception_handler(BeingMade, _being_made)
    app.add_exception_handler(NotModified, _not_modified)
    app.add_exception_handler(SignInNeeded, _sign_in)
    app.add_exception_handler(Forbidden, _forbidden)


def problem(
    request: Request,
    status: HTTPStatus,
    message: Message,
    details: tuple[Problem, ...] = (),
    again: Mapping[str, object] | None = None,
) -> Response:
    """Returns a failure as an answer: a page, or for programs JSON.

    ``again`` are the words of the query with which the same page is worth being asked for again.
    """
    language = language_of(request)
    details_ = [problem_for_site(each).data(language) for each in details]
    if is_by_program(request):
        return _for_programs(status, message, details_, language)
    with suppress(LedgerError):  # whose request it was, the page can do without
        account_of(request)
    sentence = for_site(message).within(language)
    values: dict[str, Any] = {"message": sentence, "details": details_, "again": again}
    if status is HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        values["back"] = page_before(request)
    return render(request, "problem.html", status.value, number=status.value, **values)


def refusal(request: Request, status: HTTPStatus, message: Message) -> Response:
    """Returns a failure before it is known what is asked: a sentence, or for programs JSON."""
    language = language_of(request)
    if is_by_program(request):
        return _for_programs(status, message, [], language)
    return PlainTextResponse(message.within(language), status)


def is_by_program(request: Request) -> bool:
    """Whether a program asks, by the API, and no page."""
    return request.url.path.startswith(_PREFIX)


def _coded(message: Message) -> Message:
    """Returns a refusal of a field by its code, which programs write, and not by its label."""
    values = dict(message.values)
    if not {"code", "field"} <= values.keys():
        return message
    return Message.of(message.key, **values | {"field": f"'{values['code']}'"})


def _for_programs(
    status: HTTPStatus, message: Message, details: list[dict[str, Any]], language: str
) -> Response:
    report = ProblemReport(
        type=f"{_PREFIX}v1/problems/{message.key}",
        title=status_title(status).within(language),
        status=status.value,
        detail=for_site(_coded(message)).within(language),
        details=details,
    )
    return JSONResponse(report.data(), status, media_type="application/problem+json")


def _ledger_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, LedgerError)
    if FORMER in request.scope and isinstance(error, NotFound):  # it came later
        return _being_made(request, BeingMade(None))
    error = error_for_site(error)
    return problem(request, status_of(error), error.message, error.details)


def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = HTTPStatus(error.status_code)
    key = "web.no_page" if status is HTTPStatus.NOT_FOUND else "web.refused"
    why = status_title(status)
    wanted = (error.headers or {}).get("Accept")
    if wanted is not None:
        why = Message.of("web.wanted", why=why, wanted=wanted)
    message = Message.of(key, path=request.url.path, why=why)
    if isinstance(error, RequestRefused):
        message = error.message
    answer = problem(request, status, message)
    answer.headers.update(error.headers or {})
    return answer


def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    wrong = wrong_fields(error.errors())
    return problem(request, HTTPStatus.UNPROCESSABLE_ENTITY, Message.of("web.bad_request"), wrong)


def _busy(request: Request, error: Exception) -> Response:
    assert isinstance(error, Busy)
    return _soon(problem(request, HTTPStatus.SERVICE_UNAVAILABLE, Message.of(error.key)))


_SAID_OF_NEWEST: Final = ("view", "settled", "same_until", "is_immutable")


class _Former(Response):
    """Answers a request once more, from the state at a former seq, by the route that it has."""

    def __init__(self, seq: Seq) -> None:
        super().__init__()
        self._seq = seq

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        for name in _SAID_OF_NEWEST:
            scope["state"].pop(name, None)
        route: Route = scope["route"]
        await route.handle({**scope, FORMER: self._seq}, receive, send)


def _being_made(request: Request, error: Exception) -> Response:
    """Answers with what there was before, which says as known when; or that it is soon there."""
    assert isinstance(error, BeingMade)
    if error.former is not None and not is_by_program(request):
        return _Former(error.former)
    again = {} if error.seq is None else {"as_known_at": error.seq}
    message = Message.of("browse.list_being_made")
    return _soon(problem(request, HTTPStatus.SERVICE_UNAVAILABLE, message, again=again))


def _soon(answer: Response) -> Response:
    answer.headers["Retry-After"] = str(RETRY_SECONDS)
    return answer


def _not_modified(_request: Request, _error: Exception) -> Response:
    return Response(status_code=HTTPStatus.NOT_MODIFIED)


async def _sign_in(request: Request, _error: Exception) -> Response:
    if is_by_program(request) or request.app.state.office is None:
        return await run_in_threadpool(_no_sign_in, request)
    try:
        return await sign_in_with_form(request)
    except LedgerError as error:  # nobody answers what goes wrong in an answer to a failure
        return await run_in_threadpool(_ledger_error, request, error)


def _no_sign_in(request: Request) -> Response:
    """Answers who is not signed in, where there is no page to sign in at."""
    if is_by_program(request):
        answer = problem(request, HTTPStatus.UNAUTHORIZED, Message.of("web.token_needed"))
        answer.headers["WWW-Authenticate"] = "Bearer"
        return answer
    return problem(request, HTTPStatus.NOT_FOUND, Message.of("access.no_office"))


def _forbidden(request: Request, error: Exception) -> Response:
    assert isinstance(error, Forbidden)
    return problem(request, HTTPStatus.FORBIDDEN, error.why or Message.of("web.forbidden"))


def bug(request: Request) -> Response:
    """Answers where the program itself failed."""
    return problem(request, HTTPStatus.INTERNAL_SERVER_ERROR, Message.of("web.bug"))
