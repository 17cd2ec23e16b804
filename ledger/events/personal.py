"""Personal data, kept beside the events and bound to them by a digest.

An identity document holds a name, sex and birth date, and a random salt. The event holds only the
SHA-256 of its canonical text. Deleting the document erases the person: the digest in the event
still verifies, and without the salt nobody can find out by trying names whose it was.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, StringConstraints, ValidationError, field_validator

from ledger.errors import VerificationFailed
from ledger.events.model import CANONICAL, Line

BirthDate = Annotated[str, StringConstraints(pattern=r"^\d{4}(-\d{2}-\d{2})?$")]


class Identity(BaseModel):
    """Who a player is. ``birth_date`` is an ISO date, or a year where that is all we know."""

    model_config = CANONICAL

    birth_date: BirthDate | None = None
    name: Line
    sex: Literal["m", "w"] | None = None

    @field_validator("birth_date")
    @classmethod
    def _is_a_day(cls, date: str | None) -> str | None:
        if date is not None and not date.isascii():
            raise ValueError(date)
        if date is not None and len(date) > len("1990"):
            dt.date.fromisoformat(date)
        return date

    def sealed(self, salt: str) -> SealedIdentity:
        """Returns the identity as a document with a salt of 32 hexadecimal digits."""
        return SealedIdentity(birth_date=self.birth_date, name=self.name, salt=salt, sex=self.sex)


class SealedIdentity(BaseModel):
    """An identity document: fields in alphabetical order, so that its JSON is canonical."""

    model_config = CANONICAL

    birth_date: BirthDate | None = None
    name: Line
    salt: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
    sex: Literal["m", "w"] | None = None

    @property
    def identity(self) -> Identity:
        """What it says of the person."""
        # Not checked again: it was when it was sealed, and this document was when it was read.
        return Identity.model_construct(birth_date=self.birth_date, name=self.name, sex=self.sex)

    def document(self) -> str:
        """Returns the canonical text that is stored."""
        return self.model_dump_json(exclude_none=True)

    def digest(self) -> str:
        """Returns the SHA-256 of the document, in hexadecimal."""
        return hashlib.sha256(self.document().encode()).hexdigest()


def identity_in(document: str) -> Identity:
    """Returns what an identity document says of the person.

    Raises:
        VerificationFailed: it is no identity document.
    """
    try:
        return SealedIdentity.model_validate_json(document).identity
    except ValidationError as error:
        digest = hashlib.sha256(document.encode()).hexdigest()
        raise VerificationFailed("verify.document", digest=digest) from error


def require_digests(documents: Mapping[str, str]) -> None:
    """Raises ``VerificationFailed`` unless every document is the one that its digest names."""
    for digest, document in documents.items():
        is_text = isinstance(document, str)  # a table made anew may hold anything
        if not is_text or hashlib.sha256(document.encode()).hexdigest() != digest:
            raise VerificationFailed("verify.document_changed", digest=digest)
