"""Handing in by programs: a file or a correction, mended where it was handed back, or withdrawn."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any, Final, Literal

from fastapi import Depends, Query, Request
from pydantic import BaseModel, ConfigDict, Field, StrictBool
from starlette.exceptions import HTTPException

from ledger.errors import Conflict, InputRefused, NotFound
from ledger.intake.headings import mapping_of
from ledger.intake.imports import DocumentKind
from ledger.service.ledger import Ledger, Receipt
from ledger.service.ledger import Request as LedgerRequest
from ledger.terms import DayOrder, Rate, System
from web.access import Account, only, required_account
from web.api.command_routes import IdempotencyKey
from web.api.routing import ApiRoutes
from web.api.submission_answers import (
    SCOPE,
    SubmissionId,
    SubmissionSeen,
    SubmissionTurn,
    seen_report,
    step_taken,
    stepped,
)
from web.asked_view import site_of
from web.fields import media_type
from web.forms import HANDED_IN
from web.office.store import plain_id
from web.office.submissions import Submission, SubmissionState, SubmittedFile
from web.refusals import MOST_REASON
from web.submissions.contents import (
    AnyContent,
    DocumentContent,
    ErasureContent,
    OperationContent,
    games_in,
)
from web.submissions.life import StepName
from web.submissions.permissions import DECIDE, HAND_IN, desk_of, party_of
from web.submissions.previews import PreviewAwaited, SubmissionMoved
from web.submissions.uploads import check_file

routes = ApiRoutes("submissions")
_HAND_IN: Final = only(*HAND_IN, scope=SCOPE)
_ERASE: Final = only(*DECIDE, scope=SCOPE)
_BYTES: Final = "application/octet-stream"
_ID_SIGNS: Final = 16
_MOST_DECIDED: Final = 1_000
_IDS: Final = "Whose the ids in it are."
_AS: Final = "Who in it is which member, WHO=ID: WHO is the starting number, or the id in the file."
_NEW: Final = "Who in it is a new person, WHO as for `as`; `all`: everybody who is doubtful."
_KIND: Final = "What it is; by its content, where nothing is said."
_ON: Final = "The day from which ratings, clubs, regions and licences in it hold."
_RATED_GAMES: Final = "Rated games before a rating, where the file does not say."
_OTHER_LISTS: Final = "Of FIDE's list: further lists, with commas, each of its rate of play."
_FEDERATIONS: Final = (
    "FIDE's list: only players of these, with commas; a table without the column: of whom all are."
)
_ONLY_MEMBERS: Final = "Register nobody new; who is doubtful is left out."
_SHEET: Final = "Of a workbook: the sheet; the first that is visible, where nothing is said."
_DATES: Final = "Where the day stands in dates of a table as 03/07/2010; default: as they decide."
_MAP: Final = "What stands under a heading, HEADING=COLUMN; `-` leaves the column out."
_SAME: Final = "A line of who stands in a line before, which is left out; `all`: all such."
_APART: Final = "A line of another person than the one before; `all`: all such."
_MOST_COLUMNS: Final = 200
_RATINGS: Final = "The ratings in it are seeds of this list."
_TAKES_BYTES: Final = {
    "requestBody": {
        "required": True,
        "content": {_BYTES: {"schema": {"type": "string", "format": "binary"}}},
    }
}

_JSON_TYPES: Final = {bool: "boolean", int: "integer"}

Word = Annotated[str, Field(min_length=1, max_length=300, strict=True)]
WordNumber = Annotated[int, Field(strict=True)]
Text = Annotated[str | None, Field(max_length=300)]


def _kebab(name: str) -> str:
    return name.replace("_", "-")


def _with_fields(schema: dict[str, Any]) -> None:
    """Puts the fields that operations have into a schema; each operation has some of them."""
    kinds = {name: kind for each in HANDED_IN.values() for name, kind in each.kinds.items()}
    for name, kind in kinds.items():
        one: dict[str, Any] = {"type": _JSON_TYPES.get(kind.type, "string")}
        schema["properties"][name] = {"type": "array", "items": one} if kind.several else one
    schema["additionalProperties"] = False


class CorrectionHandedIn(BaseModel):
    """An operation by its name, with the fields that its command has; ``result`` may be ``none``.

    A game with the result ``none`` is taken out of the rating.
    """

    model_config = ConfigDict(extra="allow", json_schema_extra=_with_fields)
    __pydantic_extra__: dict[str, Word | WordNumber | StrictBool | tuple[Word, ...] | None]

    what: Annotated[str, Field(examples=["correct-result"])]
    reason: Annotated[str, Field(min_length=1, max_length=MOST_REASON, strict=True)]

    @property
    def content(self) -> OperationContent:
        """What is handed in; raises ``InputRefused`` for what it cannot be."""
        return OperationContent.of_fields(self.what, self.reason, self.__pydantic_extra__)


class CorrectionMended(SubmissionTurn, CorrectionHandedIn):
    """Another decision in the place of one that was handed back."""

    model_config = ConfigDict(extra="allow")


class ErasureHandedIn(BaseModel):
    """The erasure of a person; the reason is recorded for good, so it names nobody."""

    model_config = ConfigDict(extra="forbid")

    player: Word
    reason: Annotated[str, Field(min_length=1, max_length=MOST_REASON, strict=True)]

    @property
    def content(self) -> ErasureContent:
        """What is handed in."""
        return ErasureContent.model_validate(self.model_dump(exclude={"turn"}))


class ErasureMended(ErasureHandedIn, SubmissionTurn):
    """Another erasure in the place of one that was handed back."""


class FileHandedIn(BaseModel):
    """What is said of a file; ``list`` is whose seeds the ratings in it are."""

    model_config = ConfigDict(alias_generator=_kebab, populate_by_name=True)

    file: Annotated[str, Field(min_length=1, max_length=120, description="What it is called.")]
    list: Annotated[str | None, Field(max_length=300, description=_RATINGS)] = None
    tournament: Text = None
    name: Text = None
    starts_on: Annotated[dt.date | None, Field(description="The first day.")] = None
    ends_on: Annotated[dt.date | None, Field(description="The last day.")] = None
    rate_of_play: Rate | None = None
    rated_in: Text = None
    reason: Annotated[str, Field(max_length=MOST_REASON)] = ""
    as_correction: bool = False
    partial: bool = False
    ids: Annotated[Literal["fide", "national"] | None, Field(description=_IDS)] = None
    document_kind: Annotated[DocumentKind | None, Field(alias="kind", description=_KIND)] = None
    encoding: Text = None
    on: Annotated[dt.date | None, Field(description=_ON)] = None
    rated_games: Annotated[int | None, Field(ge=0, le=100_000, description=_RATED_GAMES)] = None
    other_lists: Annotated[str | None, Field(max_length=300, description=_OTHER_LISTS)] = None
    federations: Annotated[str | None, Field(max_length=300, description=_FEDERATIONS)] = None
    system: System | None = None
    merit: Text = None
    only_members: Annotated[bool, Field(description=_ONLY_MEMBERS)] = False
    sheet: Annotated[str | None, Field(max_length=300, description=_SHEET)] = None
    dates: Annotated[DayOrder | None, Field(description=_DATES)] = None
    maps: Annotated[
        tuple[str, ...], Field(alias="map", max_length=_MOST_COLUMNS, description=_MAP)
    ] = ()
    same: Annotated[tuple[str, ...], Field(max_length=_MOST_DECIDED, description=_SAME)] = ()
    apart: Annotated[tuple[str, ...], Field(max_length=_MOST_DECIDED, description=_APART)] = ()
    is_member: Annotated[
        tuple[str, ...], Field(alias="as", max_length=_MOST_DECIDED, description=_AS)
    ] = ()
    is_new: Annotated[
        tuple[str, ...], Field(alias="new", max_length=_MOST_DECIDED, description=_NEW)
    ] = ()

    def content(self, data: bytes) -> DocumentContent:
        """Returns what is handed in with a file; raises ``InputRefused`` for one that is none."""
        check_file(data, self.encoding)
        if self.as_correction and not self.reason:
            raise InputRefused("registrar.needs_reason")
        decisions = dict.fromkeys(self.is_new, "")
        for word in self.is_member:
            who, _, id_ = word.partition("=")
            if not (who and id_):
                raise InputRefused("value.no_decision", value=word)
            decisions[who] = id_
        columns = dict(map(mapping_of, self.maps))
        about = self.model_dump(exclude={"turn", "is_member", "is_new", "maps"})
        games = games_in(data, self.encoding)
        return DocumentContent(**about, columns=columns, decisions=decisions, games=games)


class FileMended(FileHandedIn):
    """Another file in the place of one that was handed back."""

    turn: Annotated[int, Field(ge=1, le=10**9, description="As it was seen.")]


@routes.writes("/submissions/corrections", _HAND_IN)
def hand_in_correction(
    request: Request, body: CorrectionHandedIn, key: IdempotencyKey
) -> SubmissionSeen:
    """Hands in a decision about a result or a tournament, for somebody else to accept."""
    return _handed_in(request, key, body.content, None)


@routes.writes("/submissions/erasures", _ERASE)
def hand_in_erasure(request: Request, body: ErasureHandedIn, key: IdempotencyKey) -> SubmissionSeen:
    """Hands in the erasure of a person, for another officer to accept; nobody can undo it."""
    return _handed_in(request, key, body.content, None)


async def _file(request: Request) -> bytes:
    """Reads a file as it comes; its route says how long it may be."""
    kind = media_type(request.headers.get("content-type", ""))
    if kind != _BYTES:
        raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, headers={"Accept": _BYTES})
    return await request.body()


@routes.writes(
    "/submissions/files",
    _HAND_IN,
    takes_file=True,
    openapi_extra=_TAKES_BYTES,
)
def hand_in_file(
    request: Request,
    key: IdempotencyKey,
    data: Annotated[bytes, Depends(_file)],
    about: Annotated[FileHandedIn, Query()],
) -> SubmissionSeen:
    """Hands in a report, games or players, for somebody else to accept.

    What is wrong with the file is told by line and column; then nothing is handed in. What is large
    stays a draft until a job has made its preview; then `hand-in` hands it in.
    """
    return _handed_in(request, key, about.content(data), SubmittedFile.of(data))


# What was handed in already


@routes.writes("/submissions/{submission}/mend/correction", _HAND_IN)
def mend_correction(request: Request, id_: SubmissionId, body: CorrectionMended) -> SubmissionSeen:
    """Puts another decision in the place of an own one that is a draft, or was handed back."""
    return _mended(request, id_, body.turn, body.content, None)


@routes.writes("/submissions/{submission}/mend/erasure", _ERASE)
def mend_erasure(request: Request, id_: SubmissionId, body: ErasureMended) -> SubmissionSeen:
    """Puts another erasure in the place of an own one that is a draft, or was handed back."""
    return _mended(request, id_, body.turn, body.content, None)


@routes.writes(
    "/submissions/{submission}/mend/file",
    _HAND_IN,
    takes_file=True,
    openapi_extra=_TAKES_BYTES,
)
def mend_file(
    request: Request,
    id_: SubmissionId,
    data: Annotated[bytes, Depends(_file)],
    about: Annotated[FileMended, Query()],
) -> SubmissionSeen:
    """Puts another file in the place of an own one that is a draft, or was handed back."""
    return _mended(request, id_, about.turn, about.content(data), SubmittedFile.of(data))


@routes.writes("/submissions/{submission}/hand-in", _HAND_IN)
def hand_draft_in(request: Request, id_: SubmissionId, body: SubmissionTurn) -> SubmissionSeen:
    """Hands an own draft in: what was mended, or was large."""
    return step_taken(request, party_of(request).own(id_), body.turn, StepName.HAND_IN)


@routes.writes("/submissions/{submission}/withdraw", _HAND_IN)
def withdraw_submission(
    request: Request, id_: SubmissionId, body: SubmissionTurn
) -> SubmissionSeen:
    """Takes an own submission back that is not decided yet."""
    seen = party_of(request).found(id_, StepName.WITHDRAW)
    return step_taken(request, seen, body.turn, StepName.WITHDRAW)


# What they come to


def _mended(
    request: Request, id_: str, turn: int, content: AnyContent, file: SubmittedFile | None
) -> SubmissionSeen:
    """Mends a submission of the same kind; it is a draft then.

    Raises:
        Conflict: it is of another kind, or somebody took a step since.
    """
    party = party_of(request)
    seen = party.own(id_)
    if seen.kind != content.kind:
        raise Conflict("submission.other_kind")

    def is_same(now: Submission) -> bool:
        return now.is_of(content.model_dump_json(), file)

    step = partial(party.desk.mend, seen, turn, content, file)
    return stepped(request, seen, turn, StepName.MEND, step, is_same)


def _handed_in(
    request: Request, key: str, content: AnyContent, file: SubmittedFile | None
) -> SubmissionSeen:
    """Drafts a submission and hands it in; under the same key again it is the same one.

    Raises:
        InputRefused, NotFound: it could not be recorded; nothing is kept.
        Conflict: something else was handed in under the key.
    """
    account, desk = required_account(request), desk_of(request)
    id_ = _id_of(account.name, key)
    try:
        submission = desk.found(id_)
    except NotFound:
        if not content.is_large:  # else a job looks at it
            site_of(request).preview(_try, content, file, account)
        submission = desk.draft(id_, account.name, content, file)
    if not submission.is_of(content.model_dump_json(), file):
        raise Conflict("api.key_used")
    if submission.state is SubmissionState.DRAFT:
        with suppress(SubmissionMoved, PreviewAwaited):  # by the same request, or it takes long
            desk.take(StepName.HAND_IN, submission, submission.turn, account.name)
    return seen_report(request, desk.found(id_))


def _try(ledger: Ledger, content: AnyContent, file: SubmittedFile | None, account: Account) -> None:
    """Refuses what could not be recorded, or is recorded already."""
    request_ = LedgerRequest(
        actor=account.name, reason=content.reason, idempotency_key="", body="", dry_run=True
    )
    receipt: Receipt = content.carried_out(ledger, file.data if file else b"", request_)
    if receipt.people is not None:
        receipt.people.require_decided(getattr(content, "file", ""))
    if not receipt.events:
        raise InputRefused("submission.nothing_new")


def _id_of(account: str, key: str) -> str:
    """Returns the id under which an account hands something in by a key."""
    digest = hashlib.sha256(f"{account}:{key}".encode()).digest()
    return plain_id(base64.urlsafe_b64encode(digest).decode()[:_ID_SIGNS])
