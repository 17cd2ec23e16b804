"""What is handed in: a document, a decision about what is recorded, or the erasure of a person.

Each can be carried out. A content is kept as JSON. What is carried out when it is accepted is what
was previewed: both ask the same function.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
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
    ValidationError,
    model_validator,
)

from ledger.errors import InputRefused, Problem
from ledger.events.model import wrong_fields
from ledger.intake.document_copy import Copy
from ledger.intake.headings import as_mapped
from ledger.intake.imports import Document, DocumentKind, Supplied, import_document
from ledger.intake.trf.document import is_trf
from ledger.intake.workbook import SIGNATURE
from ledger.operations.commands import ErasePlayer, RatedIn
from ledger.operations.operation import Input, Operation
from ledger.service.erasures import check_reason, erase_player, record_erasure
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.service.operations import carry_out
from ledger.terms import DayOrder, Rate, System
from ledger.typed_values import day, merit_of
from ledger.views.list_editions import rated_in
from ledger.views.view import LedgerView
from ledger.wording import Message, Wording
from web.forms import FORMER_NAMES, HANDED_IN
from web.refusals import MOST_REASON
from web.settings import LARGEST_FILE

Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)]


def _typed_day(value: object) -> object:
    """Returns a day as it is typed; what is none is refused by the model."""
    text = _none_if_empty(value)
    try:
        return day(text.strip()) if isinstance(text, str) else text
    except InputRefused:
        return text


def _none_if_empty(value: object) -> object:
    """Reads a field of a form: one that was left empty says nothing."""
    return None if isinstance(value, str) and not value.strip() else value


MOST_GAMES: Final = 5_000
"""A file of more games takes long."""
_GAME_LETTERS: Final = 20  # of a report: two cells
SAME, APART = "same", "apart"
"""What is decided of a line in which somebody seems to stand again."""
_EMPTY = BeforeValidator(_none_if_empty)
OptionalDay = Annotated[dt.date | None, BeforeValidator(_typed_day)]
OptionalText = Annotated[Text | None, _EMPTY]


Names: TypeAlias = Mapping[tuple[str, str], str]
"""How players and tournaments are called, by what they are and by their ids."""


class SubmissionContent(BaseModel):
    """What every content says: why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    reason: Annotated[str, StringConstraints(strip_whitespace=True, max_length=MOST_REASON)] = ""

    @property
    def erases(self) -> str | None:
        """Returns the player whom it erases; None where it erases nobody."""
        return None

    @property
    def mentions(self) -> frozenset[tuple[str, str]]:
        """The players and tournaments that it is about: what they are, and their ids."""
        return frozenset()

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

    ``rated_in`` is ``LIST:PERIOD``, ``games`` how many there may be in it, ``rated_games`` how many
    were rated before a rating in it, ``decisions`` say who somebody in it is. ``columns`` say what
    stands under its headings, of which ``header`` is a digest; ``remembered`` is what the sender
    said of other headers, by their digests. See ``ledger.intake.documents.Document`` for the rest.
    """

    kind: Literal["document"] = "document"
    file: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    list: OptionalText = None
    tournament: OptionalText = None
    name: OptionalText = None
    starts_on: OptionalDay = None
    ends_on: OptionalDay = None
    rate_of_play: Annotated[Rate | None, _EMPTY] = None
    rated_in: OptionalText = None
    as_correction: bool = False
    partial: bool = False
    ids: Annotated[Literal["fide", "national"] | None, _EMPTY] = None
    document_kind: Annotated[DocumentKind | None, _EMPTY] = None
    encoding: OptionalText = None
    on: OptionalDay = None
    rated_games: Annotated[Annotated[int, Field(ge=0, le=100_000)] | None, _EMPTY] = None
    other_lists: OptionalText = None
    federations: OptionalText = None
    system: Annotated[System | None, _EMPTY] = None
    merit: OptionalText = None
    only_members: bool = False
    sheet: OptionalText = None
    dates: Annotated[DayOrder | None, _EMPTY] = None
    columns: dict[str, str] = {}
    header: str = ""
    remembered: dict[str, dict[str, str]] = {}
    decisions: dict[str, str] = {}
    same: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    games: int = 0

    def deciding(self, people: Mapping[str, str], lines: Mapping[str, str]) -> Self:
        """Returns it with further decisions: about people, and about lines of who stands twice."""
        known = {**dict.fromkeys(self.same, SAME), **dict.fromkeys(self.apart, APART), **lines}
        same = tuple(line for line, is_ in known.items() if is_ == SAME)
        apart = tuple(line for line, is_ in known.items() if is_ == APART)
        decisions = {**self.decisions, **people}
        return self.model_copy(update={"decisions": decisions, "same": same, "apart": apart})

    def undecided(self) -> Self:
        """Returns it with nobody decided."""
        return self.model_copy(update={"decisions": {}, "same": (), "apart": ()})

    def of_sheet(self, sheet: str | None) -> Self:
        """Returns it of another sheet of the same workbook: nothing is chosen in that yet."""
        about: dict[str, Any] = {"sheet": sheet, "dates": None, "columns": {}, "header": ""}
        return self.undecided().model_copy(update=about)

    def of_columns(self, columns: Mapping[str, str], header: str, dates: DayOrder | None) -> Self:
        """Returns it with what stands under its headings, and where the day stands in its dates."""
        about = {"columns": {**columns}, "header": header, "dates": dates}
        return self.model_copy(update=about)

    def knowing(self, remembered: Mapping[str, Mapping[str, str]]) -> Self:
        """Returns it with what the sender said of other headers."""
        return self.model_copy(update={"remembered": {**remembered}})

    def keeping(self, before: Self) -> Self:
        """Returns it with what was chosen and decided on the page of the same file."""
        kept = (
            "sheet", "dates", "columns", "header", "remembered", "decisions", "same", "apart"
        )  # fmt: skip
        return self.model_copy(update={name: getattr(before, name) for name in kept})

    @property
    def is_large(self) -> bool:
        """Whether it takes long."""
        return self.games > MOST_GAMES

    def without_words(self, called: str) -> Self:
        """Returns it likewise; names of files and tournaments are what people write, too."""
        unsaid = {"reason": "", "file": called, "name": None, "sheet": None}
        headings: dict[str, Any] = {"columns": {}, "remembered": {}}  # they may be anything
        return self.model_copy(update={**unsaid, **headings})

    @property
    def title(self) -> str:
        """What it is called in a list."""
        return self.file

    def in_words(self, _names: Names) -> Message:
        """Returns what is asked for."""
        return Message.of("submission.bring_in", file=self.file)

    def carried_out(self, ledger: Ledger, data: bytes, request: Request) -> Receipt:
        """Imports the file."""
        period = None if self.rated_in is None else rated_in(ledger, self.rated_in)
        return import_document(ledger, self.document(data, period), request)

    def document(self, data: bytes, period: RatedIn | None = None) -> Document:
        """Returns the file as it is imported, rated in a ``period``."""
        columns, ignored = as_mapped(self.columns.items())
        remembered = {header: (*one.items(),) for header, one in self.remembered.items()}
        return Document(
            name=self.file,
            data=data,
            kind=self.document_kind,
            list=self.list,
            other_lists=_words(self.other_lists),
            federations=_words(self.federations),
            on=self.on,
            games=self.rated_games,
            encoding=self.encoding,
            as_correction=self.as_correction,
            partial=self.partial,
            ids=self.ids,
            only_members=self.only_members,
            sheet=self.sheet,
            dates=self.dates,
            columns=columns,
            ignored=ignored,
            remembered=(*remembered.items(),),
            decisions=tuple(self.decisions.items()),
            same=self.same,
            apart=self.apart,
            most_text=LARGEST_FILE,
            supplied=Supplied(
                tournament=self.tournament,
                name=self.name,
                starts_on=self.starts_on,
                ends_on=self.ends_on,
                system=self.system,
                rate_of_play=self.rate_of_play,
                merit_hundredths=merit_of(self.merit),
                rated_in=period,
            ),
        )


def _words(text: str | None) -> tuple[str, ...]:
    """Returns words that are divided by commas."""
    return tuple(word for each in (text or "").split(",") if (word := each.strip()))


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
        content.check_names()
        return content

    def check_names(self) -> None:
        """Raise ``InputRefused`` where there is no such operation, or it has no such field."""
        operation = HANDED_IN.get(self.what)
        if operation is None:
            raise InputRefused("submission.no_operation", value=self.what, allowed=(*HANDED_IN,))
        unknown = sorted(self.words.keys() - operation.kinds.keys())
        if unknown:
            allowed = tuple(operation.kinds)
            raise InputRefused("submission.no_field", value=unknown[0], allowed=allowed)

    @property
    def operation(self) -> Operation:
        """What is asked for."""
        return HANDED_IN[self.what]

    @property
    def title(self) -> str:
        """What it is called in a list: ``open-2026, 3: 3407128 – 3404510, 1/2-1/2``."""
        about, others = self._about({})
        where = ", ".join(filter(None, (about["tournament"], about["round"])))
        return ", ".join(filter(None, (": ".join(filter(None, (where, about["player"]))), *others)))

    def _about(self, names: Names) -> tuple[Mapping[str, str], Sequence[str]]:
        """Returns where it is and about whom, in names where there are any, and what else it says.

        Where and whom are ``tournament``, ``round`` and ``player``; "" for what it does not say.
        """
        about: dict[str, list[str]] = {"tournament": [], "round": [], "player": []}
        others: list[str] = []
        for name, kind in self.operation.kinds.items():
            if (word := self.words.get(name)) and not kind.is_flag:
                part = about.get("round" if name == "round" else kind.names, others)
                part.append(names.get((kind.names, word), word))
        return {part: " – ".join(words) for part, words in about.items()}, others

    @property
    def mentions(self) -> frozenset[tuple[str, str]]:
        """The players and tournaments that it is about: what they are, and their ids."""
        named = ((kind.names, self.words.get(name)) for name, kind in self.operation.kinds.items())
        wanted = ("player", "tournament")
        return frozenset((what, id_) for what, id_ in named if id_ and what in wanted)

    @property
    def verb(self) -> Wording:
        """What is to be done: the operation's headline up to where it explains."""
        words = self.operation.headline
        short = (re.split(r"[;:,.]", text)[0] for text in (words.en, words.es))
        return Wording(*short)

    def in_words(self, names: Names) -> Message:
        """Returns what is asked for, with ``names`` for the ids that have one."""
        about, others = self._about(names)
        round_ = Message.of("page.round", round=about["round"]) if about["round"] else None
        where = tuple(filter(None, (about["tournament"], round_)))
        players = (about["player"],) if about["player"] else ()
        subject: tuple[object, ...] = (*where, *players)
        if where and players:
            subject = (Message.of("submission.do", what=where, about=players),)
        return Message.of("submission.do", what=self.verb, about=(*subject, *others))

    def read(self, today: dt.date) -> Input:
        """Returns the command; raises ``WordsRefused`` with what is wrong with each field."""
        return self.operation.read(self.words, today=today, salt=token_hex(16))

    def carried_out(self, ledger: Ledger, _data: bytes, request: Request) -> Receipt:
        """Records the operation."""
        command = self.read(ledger.today)
        # A digest of the body is kept for good: anybody could try out whether a name fits.
        personal = {name for name, kind in self.operation.kinds.items() if kind.personal}
        words = {name: word for name, word in self.words.items() if name not in personal}
        body = self.model_copy(update={"words": words}).model_dump_json()
        return carry_out(ledger, command, replace(request, body=body))


def _word(value: object) -> str:
    if isinstance(value, list | tuple):
        return "\n".join(map(str, value))
    return "true" if value is True else str(value)


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

    @property
    def mentions(self) -> frozenset[tuple[str, str]]:
        """The person."""
        return frozenset({("player", self.player)})

    def in_words(self, names: Names) -> Message:
        """Returns what is asked for; who is erased has no name any more."""
        name = names.get(("player", self.player))
        if name is None:
            return Message.of("erasure.title", player=self.player)
        return Message.of("erasure.title_named", name=name, player=self.player)

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


class UnreadableContent(SubmissionContent):
    """What was kept and cannot be read any more: an operation, field or value of another version.

    ``kept`` is its JSON. It is never carried out: it is shown, and withdrawn, handed back or
    refused.
    """

    kind: Literal["unreadable"] = "unreadable"
    kept: str

    def without_words(self, _called: str) -> Self:
        """Return it without what somebody wrote: without anything."""
        return self.model_copy(update={"kept": ""})

    @property
    def title(self) -> str:
        """Its name in a list."""
        return str(self.in_words({}))

    def in_words(self, _names: Names) -> Message:
        """Return what is asked for: nobody can tell."""
        return Message.of("submission.unreadable")

    def carried_out(self, _ledger: Ledger, _data: bytes, _request: Request) -> Receipt:
        """Refuse it, with everything that cannot be read."""
        try:
            _checked(self.kept)
        except InputRefused as error:
            raise InputRefused("submission.cannot_be_read", *error.details) from error
        raise InputRefused("submission.cannot_be_read")


AnyContent: TypeAlias = DocumentContent | OperationContent | ErasureContent | UnreadableContent
_READER: TypeAdapter[AnyContent] = TypeAdapter(Annotated[AnyContent, Field(discriminator="kind")])


def read_content(text: str) -> AnyContent:
    """Return a content that was kept; what this version cannot read is ``UnreadableContent``."""
    try:
        return _checked(text)
    except InputRefused:
        return UnreadableContent(kept=text)


def _checked(text: str) -> AnyContent:
    """Return a content that was kept; raise ``InputRefused`` with all that cannot be read."""
    try:
        content = _READER.validate_json(text)
        if isinstance(content, OperationContent):
            content.check_names()
    except ValidationError as error:
        raise InputRefused("submission.cannot_be_read", *wrong_fields(error.errors())) from error
    except InputRefused as error:
        raise InputRefused("submission.cannot_be_read", Problem(error.message)) from error
    return content


def games_in(data: bytes, encoding: str | None = None) -> int:
    """Returns how many games a file may have: by its lines, in a report by its length.

    Lines are those that the reader of the file will find. What a workbook holds is not known before
    it is unfolded: it may always have too many.

    Raises:
        InputRefused: it is no text.
    """
    if data.startswith(SIGNATURE):
        return MOST_GAMES + 1
    with Copy(data) as copy:
        copy.decode(encoding)
        text = copy.text()
        if is_trf(copy.head()):
            return len(text) // _GAME_LETTERS
    return text.count("\n") + text.count("\r") - text.count("\r\n")
