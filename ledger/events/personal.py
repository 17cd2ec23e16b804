"""Personal data, kept beside the events and bound to them by a digest.

An identity document holds a name, sex and birth date, the ids by which others know the person, how
reports print the name, who somebody else is, and a random salt. The event holds only the
SHA-256 of its canonical text. Deleting the document erases the person: the digest in the event
still verifies, and without the salt nobody can find out by trying names whose it was.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterable, Mapping
from typing import Annotated, Final, Literal

from pydantic import BaseModel, Field, StringConstraints, ValidationError, field_validator

from ledger.errors import VerificationFailed
from ledger.events.model import CANONICAL, Line

BirthDate = Annotated[str, StringConstraints(pattern=r"^\d{4}(-\d{2}-\d{2})?$")]
Issuer = Annotated[str, StringConstraints(pattern=r"^(fide|national|club|[A-Z]{3})$")]
FIDE: Final = "fide"
NATIONAL: Final = "national"
CLUB: Final = "club"


class IssuedId(BaseModel):
    """An id that somebody else gave to the player.

    ``issuer`` is ``fide``, ``national`` (the own federation), ``club``, or the code of another
    federation. It lies with the name, not in an event: an id by which others know a person leads to
    the name, and must be erasable as that is.
    """

    model_config = CANONICAL

    id: Annotated[Line, StringConstraints(min_length=1, max_length=40)]
    issuer: Issuer


class PrintedName(BaseModel):
    """How reports of a sender print the player's name, as a person decided.

    ``birth_date`` and ``id`` are what they print with it.
    """

    model_config = CANONICAL

    birth_date: BirthDate | None = None
    id: Line | None = None
    name: Line
    sender: Line


class Identity(BaseModel):
    """Who a player is. ``birth_date`` is an ISO date, or a year where that is all we know.

    ``ids`` are in the order of their issuers, one each; ``printed`` in the order of decisions;
    ``apart`` are ids of this ledger, in order, of whom a person decided that it is somebody else.
    """

    model_config = CANONICAL

    apart: Annotated[tuple[Line, ...], Field(min_length=1)] | None = None
    birth_date: BirthDate | None = None
    ids: Annotated[tuple[IssuedId, ...], Field(min_length=1)] | None = None
    name: Line
    printed: Annotated[tuple[PrintedName, ...], Field(min_length=1)] | None = None
    sex: Literal["m", "w"] | None = None

    @field_validator("birth_date")
    @classmethod
    def _is_a_day(cls, date: str | None) -> str | None:
        if date is not None and not date.isascii():
            raise ValueError(date)
        if date is not None and len(date) > len("1990"):
            dt.date.fromisoformat(date)
        return date

    @field_validator("apart", "ids", "printed", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value

    @field_validator("ids")
    @classmethod
    def _in_order(cls, ids: tuple[IssuedId, ...] | None) -> tuple[IssuedId, ...] | None:
        issuers = [each.issuer for each in ids or ()]
        if len(set(issuers)) < len(issuers):
            raise ValueError(", ".join(issuers))
        return tuple(sorted(ids, key=lambda each: each.issuer)) if ids else None

    def sealed(self, salt: str) -> SealedIdentity:
        """Returns the identity as a document with a salt of 32 hexadecimal digits."""
        return SealedIdentity(salt=salt, **dict(self))

    def id_of(self, issuer: str) -> str | None:
        """Returns the id that somebody gave to the player, if any."""
        return next((each.id for each in self.ids or () if each.issuer == issuer), None)

    def with_ids(self, ids: Mapping[str, str]) -> Identity:
        """Returns the identity with further ids by issuer; "" takes one away."""
        known = {each.issuer: each.id for each in self.ids or ()} | dict(ids)
        left = [IssuedId(id=id_, issuer=issuer) for issuer, id_ in known.items() if id_]
        return Identity.model_validate(dict(self) | {"ids": left or None})

    def with_printed(self, printed: PrintedName) -> Identity:
        """Returns the identity with one more way in which a sender prints the name."""
        known = self.printed or ()
        if printed in known:
            return self
        return Identity.model_validate(dict(self) | {"printed": (*known, printed)})

    def apart_from(self, players: Iterable[str]) -> Identity:
        """Returns the identity of whom a person decided that he is none of some players."""
        known = sorted({*(self.apart or ()), *players})
        if len(known) == len(self.apart or ()):
            return self
        return Identity.model_validate(dict(self) | {"apart": tuple(known)})


class SealedIdentity(BaseModel):
    """An identity document: fields in alphabetical order, so that its JSON is canonical."""

    model_config = CANONICAL

    apart: tuple[Line, ...] | None = None
    birth_date: BirthDate | None = None
    ids: tuple[IssuedId, ...] | None = None
    name: Line
    printed: tuple[PrintedName, ...] | None = None
    salt: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
    sex: Literal["m", "w"] | None = None

    @property
    def identity(self) -> Identity:
        """What it says of the person."""
        # Not checked again: it was when it was sealed, and this document was when it was read.
        own = {name: value for name, value in self if name != "salt"}
        return Identity.model_construct(**own)

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
