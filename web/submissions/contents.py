"""What is handed in: a document, a decision about what is recorded, or the erasure of a person.

Each can be carried out. A content is kept as JSON. What is carried out when it is accepted is what
was previewed: both ask the same function of the application.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace
from secrets import token_hex
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    model_validator,
)

from ledger.application.erasures import check_reason, erase_player, record_erasure
from ledger.application.imports import Document, Supplied, import_document
from ledger.application.ledger import Ledger, Receipt, Request
from ledger.application.list_editions import rated_in
from ledger.application.operations import carry_out, meant
from ledger.application.view import LedgerView
from ledger.errors import InputRefused
from ledger.intake.document_copy import Copy
from ledger.intake.trf.document import is_trf
from ledger.intake.workbook import SIGNATURE
from ledger.operations.command import Input
from ledger.operations.commands import ErasePlayer
from ledger.operations.kinds import FieldKind
from ledger.operations.operation import Operation
from ledger.terms import Rate
from ledger.wording import Message
from web.forms import FORMER_NAMES, HANDED_IN
from web.refusals import MOST_REASON
from web.settings import LARGEST_FILE

Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)]


def _none_if_empty(value: object) -> object:
    """Reads a field of a form: one that was left empty says nothing."""
    return None if isinstance(value, str) and not value.strip() else value


MOST_GAMES: Final = 5_000
"""A file of more games takes long."""
_GAME_LETTERS: Final = 20  # of a report: two cells
_EMPTY = BeforeValidator(_none_if_empty)
OptionalText = Annotated[Text | None, _EMPTY]


class SubmissionContent(BaseModel):
    """What every content says: why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    reason: Annotated[str, StringConstraints(strip_whitespace=True, max_length=MOST_REASON)] = ""

    @property
    def erases(self) -> str | None:
        """Returns the player whom it erases; None where it erases nobody."""
        return None

    @property
    def is_large(self) -> bool:
        """Whether it takes long: one decision never does; what an erasure leaves comes later."""
        return False

    def check(self, view: LedgerView) -> None:
        """Refuses what may not be kept, before anything of it is; nothing, where all may."""

    def without_words(self, _called: str) -> Self:
        """Returns it without what somebody wrote; what needs a name is ``called`` something."""
        return self.model_copy(update={"reason": ""})


class DocumentContent(SubmissionContent):
    """A file with what is said of it; the file is kept by its digest.

    ``rated_in`` is ``LIST:PERIOD``, ``games`` how many there may be in it, ``decisions`` say who
    somebody in it is; see ``ledger.intake.documents.Document`` for the rest.
    """

    kind: Literal["document"] = "document"
    file: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    list: OptionalText = None
    tournament: OptionalText = None
    name: OptionalText = None
    starts_on: Annotated[dt.date | None, _EMPTY] = None
    ends_on: Annotated[dt.date | None, _EMPTY] = None
    rate_of_play: Annotated[Rate | None, _EMPTY] = None
    rated_in: OptionalText = None
    as_correction: bool = False
    partial: bool = False
    ids: Annotated[Literal["fide", "national"] | None, _EMPTY] = None
    decisions: dict[str, str] = {}
    games: int = 0

    def deciding(self, decisions: Mapping[str, str]) -> Self:
        """Returns it with further decisions about people."""
        return self.model_copy(update={"decisions": {**self.decisions, **decisions}})

    @property
    def is_large(self) -> bool:
        """Whether it takes long."""
        return self.games > MOST_GAMES

    def without_words(self, called: str) -> Self:
        """Returns it likewise; names of files and tournaments are what people write, too."""
        return self.model_copy(update={"reason": "", "file": called, "name": None})

    @property
    def title(self) -> str:
        """What it is called in a list."""
        return self.file

    def carried_out(self, ledger: Ledger, data: bytes, request: Request) -> Receipt:
        """Imports the file."""
        period = None if self.rated_in is None else rated_in(ledger, self.rated_in)
        document = Document(
            name=self.file,
            data=data,
            list=self.list,
            as_correction=self.as_correction,
            partial=self.partial,
            ids=self.ids,
            decisions=tuple(self.decisions.items()),
            most_text=LARGEST_FILE,
            supplied=Supplied(
                tournament=self.tournament,
                name=self.name,
                starts_on=self.starts_on,
                ends_on=self.ends_on,
                rate_of_play=self.rate_of_play,
                rated_in=period,
            ),
        )
        return import_document(ledger, document, request)


class OperationContent(SubmissionContent):
    """An operation by its name, with its fields as they were typed."""

    kind: Literal["correction"] = "correction"
    what: str
    words: dict[str, str]

    @model_validator(mode="before")
    @classmethod
    def _of_fields(cls, kept: Any) -> Any:
        """Reads what was kept before 0.2: the fields of corrections beside ``what``."""
        if not isinstance(kept, dict) or "words" in kept:
            return kept
        own = {name: kept[name] for name in ("kind", "what", "reason") if name in kept}
        typed = {name: _word(value) for name, value in kept.items() if value not in (None, False)}
        words = {name: word for name, word in typed.items() if name not in own}
        own["what"] = FORMER_NAMES.get(kept.get("what", ""), kept.get("what"))
        if own["what"] == "accept-tournament" and "rated_in" in words:
            words["as_correction"] = "true"  # it was so by itself
        return own | {"words": words}

    @classmethod
    def of_fields(cls, what: str, reason: str, values: Mapping[str, object]) -> Self:
        """Returns what programs ask for by an operation's name and its fields.

        Raises:
            InputRefused: no such operation, or it has no such field.
        """
        content = cls.model_validate({"what": what, "reason": reason, **values})
        operation = HANDED_IN.get(content.what)
        if operation is None:
            raise InputRefused("submission.no_operation", value=what, allowed=tuple(HANDED_IN))
        unknown = sorted(content.words.keys() - operation.kinds.keys())
        if unknown:
            allowed = tuple(operation.kinds)
            raise InputRefused("submission.no_field", value=unknown[0], allowed=allowed)
        return content

    @property
    def operation(self) -> Operation:
        """What is asked for."""
        return HANDED_IN[self.what]

    @property
    def title(self) -> str:
        """What it is called in a list: ``open-2026, 3: 3407128 – 3404510, 1/2-1/2``."""
        typed = [
            (kind, self.words[name])
            for name, kind in self.operation.kinds.items()
            if self.words.get(name) and not kind.is_flag
        ]
        where = ", ".join(word for kind, word in typed if _says_where(kind))
        players = " – ".join(word for kind, word in typed if kind.names == "player")
        others = [word for kind, word in typed if not (_says_where(kind) or kind.names == "player")]
        return ", ".join(filter(None, (": ".join(filter(None, (where, players))), *others)))

    def read(self, today: dt.date) -> Input:
        """Returns the command; raises ``WordsRefused`` with what is wrong with each field."""
        return self.operation.read(self.words, today=today, salt=token_hex(16))

    def carried_out(self, ledger: Ledger, _data: bytes, request: Request) -> Receipt:
        """Records the operation."""
        command = meant(ledger, self.read(ledger.today))
        # A digest of the body is kept for good: anybody could try out whether a name fits.
        personal = {name for name, kind in self.operation.kinds.items() if kind.personal}
        words = {name: word for name, word in self.words.items() if name not in personal}
        body = self.model_copy(update={"words": words}).model_dump_json()
        return carry_out(ledger, command, replace(request, body=body))


def _word(value: object) -> str:
    if isinstance(value, list | tuple):
        return "\n".join(map(str, value))
    return "true" if value is True else str(value)


def _says_where(kind: FieldKind) -> bool:
    """Whether a field says in which tournament, or in which round."""
    return kind.names == "tournament" or kind.is_number


class ErasureContent(SubmissionContent):
    """The erasure of a person, by the id alone: nothing that is kept of it says a name."""

    kind: Literal["erasure"] = "erasure"
    player: Annotated[Text, StringConstraints(min_length=1)]

    @property
    def erases(self) -> str:
        """Returns the player whom it erases."""
        return self.player

    @property
    def title(self) -> str:
        """What it is called in a list."""
        return self.player

    def command(self, view: LedgerView) -> ErasePlayer:
        """Returns what is asked for."""
        return ErasePlayer(player=self.player, on=view.today)

    def check(self, view: LedgerView) -> None:
        """Refuses a reason that names the person, before anything of it is kept."""
        check_reason(view, self.command(view), self.reason)

    def carried_out(self, ledger: Ledger, _data: bytes, request: Request) -> Receipt:
        """Records the erasure, or says what it would destroy and what is beyond reach.

        What is left in the files is destroyed by ``finish_erasures``.
        """
        request_ = replace(request, body=f"erase {self.player}")
        command = self.command(ledger)
        if not request_.dry_run:
            return record_erasure(ledger, command, request_)
        erasure = erase_player(ledger, command, request_)
        if not erasure.receipt.events:
            return erasure.receipt
        values = {"count": erasure.documents, "players": ", ".join(erasure.players)}
        would = Message.of("erasure.would_destroy", **values)
        return erasure.receipt.noted([would, *erasure.beyond_reach()])


AnyContent: TypeAlias = DocumentContent | OperationContent | ErasureContent
_READER: TypeAdapter[AnyContent] = TypeAdapter(Annotated[AnyContent, Field(discriminator="kind")])


def read_content(text: str) -> AnyContent:
    """Returns a content that was kept."""
    return _READER.validate_json(text)


def games_in(data: bytes) -> int:
    """Returns how many games a file may have: by its lines, in a report by its length.

    Lines are those that the reader of the file will find. What a workbook holds is not known before
    it is unfolded: it may always have too many.

    Raises:
        InputRefused: it is no text.
    """
    if data.startswith(SIGNATURE):
        return MOST_GAMES + 1
    with Copy(data) as copy:
        copy.decode(None)
        text = copy.text()
        if is_trf(copy.head()):
            return len(text) // _GAME_LETTERS
    return text.count("\n") + text.count("\r") - text.count("\r\n")
