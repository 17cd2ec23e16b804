"""Commands by programs: recorded once under a key, at the seq that was seen; or previewed.

They are made of the operations that are declared.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from functools import reduce
from operator import or_
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

from fastapi import Header, Request, Response
from fastapi.responses import JSONResponse
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    WithJsonSchema,
    create_model,
)
from pydantic_core import PydanticCustomError

from ledger.events.personal import Identity
from ledger.events.players import PlayerErased
from ledger.events.tournaments import ReportDetails
from ledger.identifiers import Seq
from ledger.operations.commands import OPERATIONS, ErasePlayer
from ledger.operations.kinds import FieldKind, Given
from ledger.operations.operation import Operation, kinds_of
from ledger.results import Result
from ledger.service import ledger as application
from ledger.service.ledger import Ledger, Receipt
from ledger.service.operations import carry_out
from ledger.service.receipts import ReceiptReport, recorded_data
from ledger.terms import Role
from web.access import Account, only, required_account, required_rights
from web.api.routing import SEQ_HEADER, ApiRoutes
from web.asked_view import site_of
from web.language import language_of
from web.office.store import office_of
from web.refusals import MOST_REASON, Forbidden
from web.submissions.mentions import mask_before, untie_erased

_MOST_SIGNS: Final = 300
_MOST_ENTRIES: Final = 1_000
_LARGEST: Final = 10**9
_MODELS: Final[Mapping[str, Any]] = {"identity": Identity, "report": ReportDetails | None}
"""Fields whose types take time to load: declarations name them, and no more."""
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _result(text: object) -> Result:
    if not isinstance(text, str):
        raise PydanticCustomError("value.no_text", "no text")
    try:
        return Result.parse(text)
    except ValueError as error:
        raise PydanticCustomError("value.no_result", "no result") from error


def _day(text: object) -> dt.date:
    if not isinstance(text, str) or not _DAY.fullmatch(text):
        raise PydanticCustomError("value.no_day", "no day")
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise PydanticCustomError("value.no_day", "no day") from error


_WORDS: Final = {
    dt.date: Annotated[dt.date, BeforeValidator(_day)],
    str: Annotated[str, Field(max_length=_MOST_SIGNS, strict=True)],
    int: Annotated[int, Field(ge=-_LARGEST, le=_LARGEST, strict=True)],
    bool: StrictBool,
    Result: Annotated[
        Result,
        BeforeValidator(_result),
        WithJsonSchema({"type": "string", "examples": ["1-0"], "maxLength": 20}),
    ],
}
"""How what commands are made of is read from JSON: nothing is taken for something else."""


@dataclass(frozen=True)
class ApiCommand:
    """An operation as programs give it."""

    operation: Operation

    @property
    def body(self) -> type[BaseModel]:
        """What a request says: the fields of the operation, and why.

        What holds from a day holds from today where nobody says from which.
        """
        hints = get_type_hints(self.operation.command, localns={"ReportDetails": ReportDetails})
        kinds = kinds_of(self.operation.command)
        body: dict[str, Any] = {}
        for each in fields(self.operation.command):
            kind = kinds.get(each.name)
            if each.name in self.operation.fixed or kind == Given("salt"):
                continue
            type_ = _typed(_MODELS.get(each.name, hints[each.name]))
            is_given = kind == Given("today") or (isinstance(kind, FieldKind) and kind.given)
            body[each.name] = (type_ | None, None) if is_given else (type_, _default(each))
        body["reason"] = (Annotated[str, Field(max_length=MOST_REASON, strict=True)], "")
        return create_model(
            "".join(word.capitalize() for word in self.operation.name.split("-")),
            __config__=ConfigDict(extra="forbid"),
            **body,
        )

    def made(self, body: BaseModel, today: dt.date) -> Any:
        """Returns the command; what holds from a day that nobody says holds from today.

        Raises:
            InputRefused: a text is none that can be typed in its place.
        """
        kinds = self.operation.kinds
        values = {name: getattr(body, name) for name in type(body).model_fields}
        del values["reason"]
        values = {name: _as_typed(kinds.get(name), value) for name, value in values.items()}
        return self.operation.made(values, today=today, salt=secrets.token_hex(16))


def _as_typed(kind: FieldKind | None, value: Any) -> Any:
    """Returns a text or a result as the kind of its field reads it; any other value as it is."""
    if kind is None or kind.is_flag:
        return value
    if isinstance(value, tuple):
        return tuple(kind.read(each) if isinstance(each, str) else each for each in value)
    return kind.read(str(value)) if type(value) in (str, Result) else value


def _default(field: Any) -> Any:
    return ... if field.default is MISSING else field.default


def _typed(value: Any) -> Any:
    """Returns a type with the limits of ``_WORDS`` in it."""
    if value in _WORDS:
        return _WORDS[value]
    origin, given = get_origin(value), get_args(value)
    if origin is tuple:
        inside = tuple(each if each is Ellipsis else _typed(each) for each in given)
        values: Any = tuple[inside]  # type: ignore[valid-type]
        return Annotated[values, Field(max_length=_MOST_ENTRIES)] if Ellipsis in given else values
    if origin is Sequence:
        return Annotated[tuple[_typed(given[0]), ...], Field(max_length=_MOST_ENTRIES)]  # type: ignore[misc]
    if origin is dict:
        return Annotated[dict[_typed(given[0]), _typed(given[1])], Field(max_length=100)]  # type: ignore[misc]
    if type(None) in given:
        return reduce(or_, map(_typed, given))
    return value


COMMANDS: Final[Sequence[ApiCommand]] = [*map(ApiCommand, OPERATIONS.values())]
"""The commands that programs may give."""


routes = ApiRoutes("commands")
previews = ApiRoutes("previews")
_SEEN: Final = re.compile(r'(?:W/)?"?([0-9]{1,18})"?')

IdempotencyKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key", pattern=r"^[!-~]{1,200}$",
        description="Yours, another one for each command: the same again is carried out once.",
        examples=["7f6b2c1e"],
    ),
]  # fmt: skip
IfMatch = Annotated[
    str | None,
    Header(
        alias="If-Match", pattern=r'^(\*|(W/)?"?[0-9]{1,18}"?)$',
        description="The seq that was seen: nothing is recorded after another one.",
        examples=['"124"'],
    ),
]  # fmt: skip


def _add(command: ApiCommand) -> None:
    """Adds the routes of a command: that which records it, and its preview."""
    model = command.body
    operation, by = command.operation, command.operation.by
    access = only(*by.roles, scope=by.scope, everywhere=by.everywhere)

    def record(
        request: Request, body: BaseModel, key: IdempotencyKey, seen: IfMatch = None
    ) -> Response:
        return _answered(request, command, body, key=key, seen=seen)

    def preview(request: Request, body: BaseModel) -> Response:
        return _answered(request, command, body)

    for endpoint, room, folder in ((record, routes, "commands"), (preview, previews, "previews")):
        endpoint.__annotations__["body"] = model
        endpoint.__doc__ = operation.says.en
        endpoint.__name__ = f"{folder}_{operation.name}".replace("-", "_")
        room.writes(f"/{folder}/{operation.name}", access, answer=ReceiptReport)(endpoint)


def _asked(
    account: Account, command: ApiCommand, body_: BaseModel, key: str | None, seen: str | None
) -> application.Request:
    """Returns what accompanies a command; without a key it is a preview."""
    # Its digest is kept for good: anybody could try out whether the name of an erased person fits.
    body = {
        "command": command.operation.name,
        **body_.model_dump(mode="json", exclude={"identity"}),
    }
    found = _SEEN.fullmatch(seen or "")
    return application.Request(
        actor=account.name,
        reason=getattr(body_, "reason", ""),
        idempotency_key=f"api:{account.name}:{key}" if key else "",
        body=json.dumps(body, sort_keys=True),
        dry_run=key is None,
        at_seq=Seq(int(found[1])) if found else None,
    )


def _carry_out(
    ledger: Ledger,
    account: Account,
    command: ApiCommand,
    body: BaseModel,
    request_: application.Request,
) -> Receipt:
    """Carries a command out, or says what it would come to; once under a key.

    Raises:
        Forbidden: it is of a tournament that is not the arbiter's, or was handed in.
    """
    before = None if request_.dry_run else ledger.repeated(request_)
    if before is not None:
        return before
    command_ = command.made(body, ledger.today)
    if request_.rights is not None and Role.ARBITER in command.operation.by.roles:
        request_ = replace(
            request_, rights=replace(request_.rights, tournament=command_.tournament)
        )
    if Role.OFFICER not in account.roles:
        if not account.may_arbitrate(command_.tournament):
            raise Forbidden
        account.check_open(ledger, command_.tournament)
    return carry_out(ledger, command_, request_)


def _answered(
    request: Request,
    command: ApiCommand,
    body: BaseModel,
    *,
    key: str | None = None,
    seen: str | None = None,
) -> Response:
    """Carries a command out; answers with the receipt and the seq after it."""
    account, language = required_account(request), language_of(request)
    request_ = replace(_asked(account, command, body, key, seen), rights=required_rights(request))
    site = site_of(request)
    erased = None
    if command.operation.command is ErasePlayer and not request_.dry_run:
        erased = body.model_dump()["player"]
        mask_before(office_of(request), site, erased, request_)

    def carried_out(ledger: Ledger) -> tuple[dict[str, Any], int]:
        receipt = _carry_out(ledger, account, command, body, request_)
        if PlayerErased.TYPE in receipt.counts:
            site.look_again()  # the name goes from all that the site keeps with the next question
        return recorded_data(ledger, receipt, language), ledger.journal.head().seq

    data, seq = (site.preview if request_.dry_run else site.record)(carried_out)
    if erased is not None:
        untie_erased(office_of(request), site, erased)
    return JSONResponse(data, headers={SEQ_HEADER: str(seq)})


for _command in COMMANDS:
    _add(_command)
