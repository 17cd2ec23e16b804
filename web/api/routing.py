"""Routes of the API: who may use one is asked first, then what it is asked is read strictly.

Pages of long answers: after the last key of the page before, never by counting rows. What can be
asked in every place stands first.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from functools import wraps
from http import HTTPStatus
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, ClassVar, Final, Literal, get_type_hints
from urllib.parse import urlencode

from fastapi import Depends, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from ledger import identifiers
from ledger.identifiers import Seq
from ledger.json_form import JsonForm, Schema, ref
from ledger.wording import Message
from web.access import Access, Routes, WordRoute, access_of, check_access
from web.body_sizes import (
    LARGEST_BODY,
    body_too_large,
    file_too_large,
    measured,
)
from web.fields import media_type
from web.language import language_of
from web.problems import ProblemReport
from web.query_words import MOST_SHOWN, words_read
from web.settings import LARGEST_FILE

USUAL: Final = 100
"""Rows of a page, where nobody says how many."""
_MOST: Final = 1_000

ListName = Annotated[str, Path(alias="list", description="The list's name.", examples=["ENF"])]
PlayerId = Annotated[
    identifiers.PlayerId, Path(alias="player", description="The player's id.", examples=["3404510"])
]
TournamentId = Annotated[
    identifiers.TournamentId,
    Path(alias="tournament", description="The tournament's id.", examples=["ymca-2010"]),
]
PeriodWord = Annotated[
    str,
    Path(
        alias="period",
        description="A period, `2010-07`, or an edition of its list, `2010-07@1`.",
        examples=["2010-07", "2010-07@1"],
    ),
]
FromPeriod = Annotated[str | None, Query(alias="from", description="The first period.")]
ToPeriod = Annotated[str | None, Query(alias="to", description="The last period.")]
Control = Annotated[
    list[str] | None,
    Query(alias="control", description="Players of the control group (default: who is rated)."),
]
OfFederations = Annotated[
    list[str] | None, Query(description="Only of this federation; several are possible.")
]
Limit = Annotated[int, Query(ge=1, le=_MOST, description="Rows of a page.")]
InList = Annotated[
    str | None, Query(alias="list", description="A list (default: the only one there is).")
]
OfList = Annotated[str | None, Query(alias="list", description="The list whose ratings are shown.")]
AfterRound = Annotated[
    int | None,
    Query(alias="round", ge=0, le=999, description="After this round (default: the last)."),
]
Search = Annotated[
    str | None, Query(min_length=1, max_length=300, description="Words of a name, or an id.")
]
Language = Annotated[Literal["en", "es"] | None, Query(description="The language of sentences.")]


def name_next(
    request: Request,
    key: object,
    *,
    word: str = "after",
    known_at: Seq | None = None,
    edition: int | None = None,
) -> None:
    """Has the answer say in ``Link`` where the page after a key is; ``word`` is that of the query.

    ``known_at`` keeps all pages at one state of the ledger; without it the next one may hold what
    is recorded meanwhile. ``edition`` is that of the list, where the address names none.
    """
    words = [(name, text) for name, text in request.query_params.multi_items() if name != word]
    words.append((word, str(key)))
    if known_at is not None and "as-known-at" not in request.query_params:
        words.append(("as-known-at", str(known_at)))
    path = request.url.path if edition is None else f"{request.url.path}@{edition}"
    request.state.next_page = f'<{path}?{urlencode(words)}>; rel="next"'


PREFIX: Final = "/api/v1"
JSON: Final = "application/json"
PROBLEM: Final = "application/problem+json"
SEQ_HEADER: Final = "Ledger-Seq"
_IS_REFUSED: Final = re.compile(r";\s*q=0(\.0*)?\s*(;|$)")
_DEEPEST: Final = 20  # objects and lists in each other
_NEVER_IN_TEXT: Final = frozenset(map(chr, (*range(32), 127)))


class StrictRequest(Request):
    """A request whose JSON says nothing twice, and nothing that could not be recorded.

    Args:
        request: as it comes.
        most: so many bytes its body may have.
        refusal: says that it has more.
    """

    _said: Any

    def __init__(self, request: Request, most: int, refusal: Message) -> None:
        super().__init__(request.scope, request.receive)
        self._most = most
        self._refusal = refusal

    async def stream(self) -> AsyncGenerator[bytes, None]:
        """Yields its body; raises ``RequestRefused`` where it is too long."""
        async for chunk in measured(super().stream(), self._most, self._refusal):
            yield chunk

    async def json(self) -> Any:
        """Returns its body; raises ``RequestValidationError`` that says what is wrong with it."""
        if hasattr(self, "_said"):
            return self._said
        try:
            self._said = json.loads(
                (await self.body()).decode(),
                object_pairs_hook=_once,
                parse_constant=_no_number,
                parse_float=_no_number,
            )
            _check_texts(self._said)
        except (ValueError, RecursionError) as error:
            raise invalid("body", "value.no_json") from error
        return self._said


def invalid(where: str, key: str, **values: object) -> RequestValidationError:
    """Returns the refusal of what a request says somewhere, by the sentence that says why."""
    return RequestValidationError([_fault(where, key, **values)])


def _fault(where: str, key: str, **values: object) -> dict[str, object]:
    return {"loc": (where,), "msg": key, "type": key, "ctx": values}


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    twice = [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
    if twice:
        raise invalid("body", "value.twice", name=twice[0])
    return dict(pairs)


def _no_number(text: str) -> Any:
    raise invalid(text[:MOST_SHOWN], "value.no_whole_number")


def _check_texts(value: Any, depth: int = 0) -> None:
    if depth > _DEEPEST:
        raise invalid("body", "value.nested")
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, list):
        for each in value:
            _check_texts(each, depth + 1)
    elif isinstance(value, dict):
        for name, each in value.items():
            _check_text(name)
            _check_texts(each, depth + 1)


def _check_text(text: str) -> None:
    if not _NEVER_IN_TEXT.isdisjoint(text):
        raise invalid("body", "value.control_characters")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise invalid("body", "value.no_unicode") from error


class ApiRoute(WordRoute):
    """A route that asks who it is before it reads a body, and refuses words it does not know."""

    largest: ClassVar[int] = LARGEST_BODY
    """Bytes of a body."""
    refusal: ClassVar[Message] = body_too_large()
    """Says of a body that it is longer."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Returns the handler, with the checks before it."""
        answer = super().get_route_handler()
        single, several = words_read(self.dependant)
        takes_json = self.body_field is not None
        is_public = access_of(self.endpoint).everybody
        offered = offered_by(self.responses)

        async def checked(request: Request) -> Response:
            if not is_public:
                await run_in_threadpool(check_access, request, self.endpoint)
            _check_words(request, single, several)
            _check_accepted(request, offered)
            if takes_json and media_type(request.headers.get("content-type", "")) != JSON:
                raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, headers={"Accept": JSON})
            strict = StrictRequest(request, self.largest, self.refusal)
            if takes_json:
                await strict.json()  # here, since its refusals are told apart only here
            response = await answer(strict)
            view = getattr(request.state, "view", None)
            if view is not None and getattr(request.state, "settled", None) is None:
                response.headers[SEQ_HEADER] = str(view.seq)
            return response

        return checked


class FileRoute(ApiRoute):
    """A route whose body is a file."""

    largest = LARGEST_FILE
    refusal = file_too_large()


def _check_words(request: Request, single: set[str], several: set[str]) -> None:
    counted = Counter(name for name, _ in request.query_params.multi_items())
    known = single | several
    allowed = tuple(sorted(known))
    unknown = [name for name in counted if name not in known]
    if unknown:
        raise RequestValidationError(
            [_fault(name[:MOST_SHOWN], "value.no_such_word", allowed=allowed) for name in unknown]
        )
    for name, count in counted.items():
        if count > 1 and name not in several:
            raise invalid(name, "value.several")
    if not _NEVER_IN_TEXT.isdisjoint("".join(map(str, request.path_params.values()))):
        raise HTTPException(HTTPStatus.NOT_FOUND)
    for name, value in request.query_params.items():
        if not _NEVER_IN_TEXT.isdisjoint(value):
            raise invalid(name, "value.control_characters")


def _check_accepted(request: Request, offered: Sequence[str]) -> None:
    """Refuses a request that accepts nothing that the route answers with."""
    ranges_ = request.headers.get("accept", "").split(",")
    ranges = [each for each in ranges_ if each.strip()] or ["*/*"]
    wanted = {media_type(each) for each in ranges if not _IS_REFUSED.search(each)}
    for kind in offered:
        if {kind, f"{kind.partition('/')[0]}/*", "*/*"} & wanted:
            return
    raise HTTPException(HTTPStatus.NOT_ACCEPTABLE)


def offered_by(responses: Mapping[int | str, Mapping[str, Any]]) -> list[str]:
    """Returns the media types of what a route answers with when all is well."""
    return [kind for code, response in responses.items() if int(code) < HTTPStatus.BAD_REQUEST
            for kind in response.get("content", ())] or [JSON]  # fmt: skip


_REQUEST: Final = "of_answer"
"""The request, where a route's own function does not ask for it."""
_TEXT: Final[Schema] = {"type": "string"}
_REFUSALS: Final = {
    401: "who asks has no token, or one that is not valid any more",
    403: "the account may not do this",
    404: "there is nothing of that name",
    406: "it is answered in another form only",
    409: "it was recorded otherwise, the key was used for something else, or it takes too long",
    412: "the ledger is not at the seq any more that was seen",
    413: "the body is too large",
    415: "the body must be of another media type",
    422: "what is asked cannot be understood or recorded",
    429: "too many requests",
    500: "what is recorded does not verify, or the program failed",
    503: "the database cannot be used now, or another study or the list is being calculated: ask "
    "again, for a list that is no edition with `as-known-at`",
}


def refusals(*codes: int) -> dict[int | str, dict[str, Any]]:
    """Returns the descriptions of problems by their numbers."""
    content = {PROBLEM: {"schema": ref(ProblemReport.__name__)}}
    return {code: {"description": _REFUSALS[code], "content": content} for code in codes}


def _named(route: APIRoute) -> str:
    return route.name


async def _language(lang: Language = None) -> str | None:
    """Lets every route be asked in a language; ``web.language`` reads it."""
    return lang


class ApiRoutes(Routes):
    """Routes of the API; what their functions return is the answer, and its type the schema.

    Where a function makes the response itself, ``answer`` names the type; without one the answer
    is a text of a ``media_type``.

    Args:
        tag: the chapter of the description in which they stand.
    """

    def __init__(self, tag: str) -> None:
        super().__init__(PREFIX, in_api=True)
        self._tag = tag
        self.answers: set[type[JsonForm]] = {ProblemReport}
        """What the routes answer with."""

    def reads(
        self, path: str, access: Access, *, answer: type[JsonForm] | None = None,
        media_type: str = JSON, refused: Sequence[int] = (), **settings: Any,
    ) -> Callable[[Any], Any]:  # fmt: skip
        """Adds a route that reads; ``refused`` are statuses that few routes answer with."""
        codes = (404, 406, 422, 500, 503, *refused) + (() if access.everybody else (401, 403))

        def add(function: Any) -> Any:
            schema = self._schema(function, answer) if media_type == JSON else _TEXT
            if media_type != JSON:
                settings.setdefault("response_class", Response)  # it says nothing of JSON
            responses: dict[int | str, dict[str, Any]] = {304: {"description": "known"}}
            responses[200] = _success("the answer", schema, media_type)
            responses |= refusals(*codes)
            self.get(path, access, responses=responses, **settings)(_answering(function))
            return function

        return add

    def writes(
        self, path: str, access: Access, *, answer: type[JsonForm] | None = None,
        takes_file: bool = False, **settings: Any,
    ) -> Callable[[Any], Any]:  # fmt: skip
        """Adds a route that records something, or says what it would come to."""
        codes = (401, 403, 404, 406, 409, 412, 413, 415, 422, 429, 500, 503)
        if takes_file:
            settings["route_class_override"] = FileRoute

        def add(function: Any) -> Any:
            schema = self._schema(function, answer)
            responses: dict[int | str, dict[str, Any]] = {}
            responses[200] = _success("what was recorded, or would be", schema, JSON)
            responses |= refusals(*codes)
            self.post(path, access, responses=responses, **settings)(_answering(function))
            return function

        return add

    def _schema(self, function: Callable[..., Any], answer: type[JsonForm] | None) -> Schema:
        report = answer or get_type_hints(function)["return"]
        self.answers.add(report)
        return ref(report.schema_name())

    def _add(
        self, path: str, access: Access, methods: Sequence[str], settings: dict[str, Any]
    ) -> Callable[[Any], Any]:
        ours = {
            "route_class_override": ApiRoute, "response_class": JSONResponse, "tags": [self._tag],
            "response_model": None, "generate_unique_id_function": _named,
            "dependencies": [Depends(_language)],
        }  # fmt: skip
        if not access.everybody:
            more = settings.pop("openapi_extra", {})
            ours["openapi_extra"] = {"security": [{"token": []}], **more}
        return super()._add(path, access, methods, ours | settings)


def _answering(function: Callable[..., Any]) -> Callable[..., Response]:
    """Returns a function that answers with the report that another one returns.

    It is asked what that one is, and for the request.
    """
    hints = get_type_hints(function, include_extras=True)
    if hints["return"] is Response:
        return function
    parameters = [
        each.replace(annotation=hints.get(each.name, each.annotation))
        for each in signature(function).parameters.values()
    ]
    request_name = next((each.name for each in parameters if each.annotation is Request), None)
    if request_name is None:
        parameter = Parameter(_REQUEST, Parameter.KEYWORD_ONLY, annotation=Request)
        parameters.append(parameter)

    @wraps(function)
    def answer(**given: Any) -> Response:
        request = given[request_name] if request_name else given.pop(_REQUEST)
        response = JSONResponse(function(**given).data(language_of(request)))
        if link := getattr(request.state, "next_page", None):
            response.headers["Link"] = link
        return response

    answer.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return answer


def _success(description: str, schema: Mapping[str, Any], media_type: str) -> dict[str, Any]:
    headers = {
        "ETag": {"schema": {"type": "string"}, "description": "of the answer, for If-None-Match"},
        SEQ_HEADER: {"schema": {"type": "integer"}, "description": "the last seq that is known"},
    }
    return {
        "description": description,
        "content": {media_type: {"schema": schema}},
        "headers": headers,
    }
