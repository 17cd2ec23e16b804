"""What is handed in: a document, a decision about what is recorded, or the erasure of a person.

Each can be carried out. A content is kept as JSON. What is carried out when it is accepted is what
was previewed: both ask the same function of the application.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from enum import StrEnum
from typing import Annotated, Final, Literal, Self, TypeAlias, assert_never

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, TypeAdapter

from ledger.application.erasures import check_reason, erase_player, record_erasure
from ledger.application.imports import Document, Supplied, import_document
from ledger.application.ledger import Ledger, Receipt, Request
from ledger.application.list_editions import rated_in
from ledger.errors import InputRefused
from ledger.intake.document_copy import Copy
from ledger.intake.trf.document import is_trf
from ledger.intake.workbook import SIGNATURE
from ledger.operations.commands import (
    AnnulResult,
    Command,
    CorrectResult,
    ErasePlayer,
    RuleOnTournament,
)
from ledger.results import Result
from ledger.terms import Rate
from ledger.wording import Message
from web.reasons import MOST_REASON
from web.settings import LARGEST_FILE

Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)]


def _none_if_empty(value: object) -> object:
    """Reads a field of a form: one that was left empty says nothing."""
    return None if isinstance(value, str) and not value.strip() else value


MOST_GAMES: Final = 5_000
"""A file of more games takes long."""
_GAME_LETTERS: Final = 20  # of a report: two cells
_EMPTY = BeforeValidator(_none_if_empty)
Round = Annotated[int, Field(ge=1, le=10_000)]
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

    def check(self, ledger: Ledger) -> None:
        """Refuses what may not be kept, before anything of it is; nothing, where all may."""

    def without_words(self, _called: str) -> Self:
        """Returns it without what somebody wrote; what needs a name is ``called`` something."""
        return self.model_copy(update={"reason": ""})


class DocumentContent(SubmissionContent):
    """A file with what is said of it; the file is kept by its digest.

    ``rated_in`` is ``LIST:PERIOD``, ``games`` how many there may be in it; see
    ``ledger.intake.documents.Document`` for the rest.
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
    games: int = 0

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


class Deciding(StrEnum):
    """What may be decided about what is recorded."""

    RESULT = "result"
    ANNUL_RESULT = "annul-result"
    ANNUL_TOURNAMENT = "annul-tournament"
    ACCEPT_TOURNAMENT = "accept-tournament"
    REJECT_TOURNAMENT = "reject-tournament"


class CorrectionContent(SubmissionContent):
    """A decision about a result, or about a whole tournament.

    ``black`` is absent for a bye; ``result`` is in the notation of documents, ``none`` with
    ``rating_only`` takes a game out of the rating.
    """

    kind: Literal["correction"] = "correction"
    what: Deciding
    tournament: Annotated[Text, StringConstraints(min_length=1)]
    round: Annotated[Round | None, _EMPTY] = None
    white: OptionalText = None
    black: OptionalText = None
    result: OptionalText = None
    rating_only: bool = False
    rated_in: OptionalText = None

    @property
    def title(self) -> str:
        """What it is called in a list: ``open-2026, 3: 3407128 – 3404510, 1/2-1/2``."""
        where = self.tournament if self.round is None else f"{self.tournament}, {self.round}"
        players = " – ".join(filter(None, (self.white, self.black)))
        about = (f"{where}: {players}" if players else where, self.result, self.rated_in)
        return ", ".join(filter(None, about))

    def carried_out(self, ledger: Ledger, _data: bytes, request: Request) -> Receipt:
        """Records the decision."""
        body = self.model_dump_json()
        return ledger.execute([self._command(ledger)], replace(request, body=body))

    def _command(self, ledger: Ledger) -> Command:
        match self.what:
            case Deciding.RESULT:
                round_, white, black = self._game()
                if black is None:
                    raise _lacking("submission.field_black")
                return CorrectResult(
                    tournament=self.tournament,
                    round=round_,
                    white=white,
                    black=black,
                    result=self._result(),
                    rating_only=self.rating_only,
                )
            case Deciding.ANNUL_RESULT:
                round_, white, black = self._game()
                return AnnulResult(
                    tournament=self.tournament, round=round_, white=white, black=black
                )
            case Deciding.ANNUL_TOURNAMENT:
                return self._ruling(ledger, "annul")
            case Deciding.ACCEPT_TOURNAMENT:
                return self._ruling(ledger, "accept")
            case Deciding.REJECT_TOURNAMENT:
                return self._ruling(ledger, "reject")
            case _:
                assert_never(self.what)

    def _ruling(self, ledger: Ledger, ruling: Literal["annul", "accept", "reject"]) -> Command:
        period = None if self.rated_in is None else rated_in(ledger, self.rated_in)
        return RuleOnTournament(
            tournament=self.tournament,
            ruling=ruling,
            on=ledger.today,
            rated_in=period,
            as_correction=period is not None,
        )

    def _game(self) -> tuple[int, str, str | None]:
        if self.round is None:
            raise _lacking("submission.field_round")
        if self.white is None:
            raise _lacking("submission.field_white")
        return self.round, self.white, self.black

    def _result(self) -> Result | None:
        if self.result is None:
            raise _lacking("submission.field_result")
        if self.result == "none":
            return None
        try:
            return Result.parse(self.result)
        except ValueError as error:
            raise InputRefused("csv.no_result", value=self.result) from error


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

    def command(self, ledger: Ledger) -> ErasePlayer:
        """Returns what is asked for."""
        return ErasePlayer(player=self.player, on=ledger.today)

    def check(self, ledger: Ledger) -> None:
        """Refuses a reason that names the person, before anything of it is kept."""
        check_reason(ledger, self.command(ledger), self.reason)

    def carried_out(self, ledger: Ledger, _data: bytes, request: Request) -> Receipt:
        """Records the erasure, or says what it would destroy and what is beyond reach.

        What is left in the files is destroyed by ``finish_erasures``.
        """
        asked = replace(request, body=f"erase {self.player}")
        command = self.command(ledger)
        if not asked.dry_run:
            return record_erasure(ledger, command, asked)
        made = erase_player(ledger, command, asked)
        if not made.receipt.events:
            return made.receipt
        told = {"count": made.documents, "players": ", ".join(made.players)}
        would = Message.of("erasure.would_destroy", **told)
        return made.receipt.noted([would, *made.beyond_reach()])


def _lacking(field: str) -> InputRefused:
    """Returns the refusal of a decision that does not say what it needs to."""
    return InputRefused("submission.lacks", field=Message.of(field))


AnyContent: TypeAlias = DocumentContent | CorrectionContent | ErasureContent
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
