"""Commands by programs: recorded once under a key, at the seq that was seen; or previewed.

They are made of the operations that are declared.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Annotated, Any, Final

from fastapi import Header, Request, Response
from fastapi.responses import JSONResponse
from pydantic import (
    BaseModel,
)

from ledger.events.players import PlayerErased
from ledger.identifiers import Seq
from ledger.operations.commands import ErasePlayer
from ledger.operations.programs import COMMANDS, ProgramCommand
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
from web.refusals import Forbidden
from web.submissions.mentions import mask_before, untie_erased

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


def _add(command: ProgramCommand) -> None:
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
    account: Account, command: ProgramCommand, body_: BaseModel, key: str | None, seen: str | None
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
    command: ProgramCommand,
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
    command: ProgramCommand,
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
