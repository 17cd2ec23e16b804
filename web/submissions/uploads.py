"""Forms and files as they come: read no further than they may be long, looked at before kept."""

from __future__ import annotations

import io
import zipfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import PurePath
from typing import Annotated, Final

from fastapi import Depends, Request
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import FormParser, MultiPartException, MultiPartParser

from ledger.errors import InputRefused
from ledger.intake.document_copy import Copy
from ledger.intake.workbook import SIGNATURE
from ledger.wording import visible
from web.body_sizes import (
    LARGEST_BODY,
    LARGEST_WITH_FILE,
    file_too_large,
    measured,
)
from web.fields import media_type
from web.forms import TypedForm
from web.kept_forms import keep_fields
from web.office.submissions import SubmittedFile
from web.paths import path_sent
from web.settings import LARGEST_FILE

MOST_UNFOLDED: Final = 200_000_000
"""So many bytes a workbook may say that it unfolds to."""
_MOST_PARTS: Final = 10_000  # of a workbook
_FIELDS: Final = 300
_NAME_LETTERS: Final = 120


@dataclass(frozen=True, slots=True)
class SentForm:
    """A form: what was ``typed``, and what was chosen as its file."""

    typed: TypedForm
    upload: UploadFile | None

    @property
    def encoding(self) -> str | None:
        """The encoding that is said of the file."""
        return self.typed.texts.get("encoding", "").strip() or None

    def file(self) -> tuple[str, SubmittedFile] | None:
        """Returns the name of the file, and the file; None where none was chosen.

        It is read in the encoding that the form says, if it says one.

        Raises:
            InputRefused: it is too long, no text and no workbook, or it unfolds to too much.
        """
        if self.upload is None or not self.upload.filename:
            return None
        data = self.upload.file.read(LARGEST_FILE + 1)
        check_file(data, self.encoding)
        name = PurePath(self.upload.filename.replace("\\", "/")).name
        return visible(name)[-_NAME_LETTERS:] or "-", SubmittedFile.of(data)


async def read_form(request: Request) -> AsyncIterator[SentForm]:
    """Gives a form, with a file at most; closes it in the end.

    Raises:
        HTTPException: it is too long, or no form.
    """
    body = measured(request.stream(), LARGEST_WITH_FILE, file_too_large())
    kind = media_type(request.headers.get("content-type", ""))
    parser: MultiPartParser | FormParser
    match kind:
        case "multipart/form-data":
            parser = MultiPartParser(
                request.headers, body, max_files=1, max_fields=_FIELDS,
                max_part_size=LARGEST_BODY,
            )  # fmt: skip
        case "application/x-www-form-urlencoded":
            parser = FormParser(request.headers, body)
        case _:
            forms = "multipart/form-data, application/x-www-form-urlencoded"
            raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, headers={"Accept": forms})
    try:
        form = await parser.parse()
    except (MultiPartException, KeyError, UnicodeError) as error:
        raise HTTPException(HTTPStatus.BAD_REQUEST) from error
    try:
        typed = TypedForm.of_pairs(form.multi_items(), path_sent(request.scope))
        keep_fields(request, typed.pairs)
        upload = form.get("file")
        yield SentForm(typed, upload if isinstance(upload, UploadFile) else None)
    finally:
        await form.close()


Form = Annotated[SentForm, Depends(read_form)]
"""The form that is sent."""


def check_file(data: bytes, encoding: str | None = None) -> None:
    """Refuses a file that is no document, before it is kept; see ``SentForm.file``."""
    if len(data) > LARGEST_FILE:
        sentence = file_too_large()
        raise InputRefused(sentence.key, **dict(sentence.values))
    if data.startswith(SIGNATURE):
        _check_workbook(data)
        return
    with Copy(data) as copy:
        copy.decode(encoding)


def _check_workbook(data: bytes) -> None:
    """Refuses what says of itself that it is too much; who lies is stopped when it is read."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            parts = packed.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise InputRefused("submission.damaged") from error
    if len(parts) > _MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNFOLDED:
        raise InputRefused("submission.unfolds", most=MOST_UNFOLDED // 1_000_000)
