"""Values that forms, addresses and headers bring, with the bounds that all of them have."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import Depends, Form, Path, Query, Request
from pydantic import BeforeValidator
from pydantic.fields import FieldInfo

from ledger.identifiers import Seq
from web.forms import TypedForm
from web.paths import path_sent
from web.refusals import MOST_REASON

LARGEST: Final = 2**53
"""Of numbers: browsers and JSON count exactly as far."""
MOST_FIELDS: Final = 2_000
"""Of a form."""
MOST_TYPED: Final = 300
"""Characters of a field."""
Typed = Annotated[str, Form(max_length=MOST_TYPED)]
"""A field that somebody types into."""
_SECRET: Final[dict[str, Any]] = {"format": "password"}
Secret = Annotated[str, Form(max_length=MOST_TYPED, json_schema_extra=_SECRET)]
"""A field for a password or a code, or for what stands for one: its form is not kept."""
Reason = Annotated[str, Form(max_length=MOST_REASON)]
"""A field that says why."""
Number = Annotated[int, Path(ge=1, le=LARGEST)]
"""The number of a commit, in a path."""
EventSeq = Annotated[Seq, Path(ge=1, le=LARGEST)]
"""The seq of an event, in a path."""
After = Annotated[int, Query(ge=0, le=LARGEST)]
"""Where a page begins: after this number."""
Recalculated = Annotated[
    bool,
    BeforeValidator(lambda text: text == "" or text),  # ?recalculated
    Query(description="The period as known now, though an edition of it is out."),
]
"""Whether not the published list is asked for, but its recalculation."""
Before = Annotated[int | None, Query(ge=1, le=LARGEST)]
"""Where a page begins that goes backwards: before this number."""


async def _filled(request: Request) -> TypedForm:
    form = await request.form(max_files=0, max_fields=MOST_FIELDS)
    # No command line can say a NUL, and no PostgreSQL keeps one.
    texts = ((name, text.replace("\0", "")) for name, text in form.multi_items()
             if isinstance(text, str))  # fmt: skip
    return TypedForm.of_pairs(texts, path_sent(request.scope))


Filled = Annotated[TypedForm, Depends(_filled)]
"""The form that was sent, with all its fields."""


def media_type(header: str) -> str:
    """Returns of which kind something is, by a header; what that says besides is left out.

    >>> media_type("Text/CSV; charset=utf-8")
    'text/csv'
    """
    return header.partition(";")[0].strip().lower()


def is_secret(field: FieldInfo) -> bool:
    """Whether a field of a form is a ``Secret``."""
    return field.json_schema_extra == _SECRET
