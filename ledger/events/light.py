"""The events a large ledger is full of, read fast: a struct for each type and version.

A model of Pydantic takes nine times as long to read as a struct of msgspec. What a struct accepts,
and writes again as it was, is the canonical text of an event of its type, but for the form of its
texts: ids and results are any text here. That is enough for who believes what is stored (it was
validated when it was appended), and half of the work for who does not (``verify.rules``).

The structs are named like the models, in the same order of fields; a test holds them against each
other. All of them have the same attributes: ``white`` is the one player of a bye or an entry,
``result`` the kind of a bye.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import DecodeError, Meta, Struct, field
from msgspec.json import Decoder

from ledger.errors import VerificationFailed
from ledger.events import tournaments as to
from ledger.events.catalogue import CATALOGUE

_Round = Annotated[int, Meta(ge=1, le=999)]
_Seq = Annotated[int, Meta(ge=1)]
_Despite = Annotated[tuple[to.Breach, ...], Meta(min_length=1)] | None


class _Light(Struct, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Holds nothing that could lead back to itself: the collector need not look."""


class ResultRecorded(_Light, kw_only=True):
    """A game was played."""

    ruling: ClassVar[None] = None
    black: str
    despite: _Despite = None
    result: str
    round: _Round
    supersedes: _Seq | None = None
    tournament: str
    white: str


class ForfeitRecorded(_Light, kw_only=True):
    """A game was not played."""

    ruling: ClassVar[None] = None
    black: str
    despite: _Despite = None
    result: str
    round: _Round
    supersedes: _Seq | None = None
    tournament: str
    white: str


class ByeGiven(_Light, kw_only=True):
    """A player had no opponent."""

    black: ClassVar[None] = None
    ruling: ClassVar[None] = None
    supersedes: ClassVar[None] = None
    despite: _Despite = None
    result: str = field(name="kind")
    white: str = field(name="player")
    round: _Round
    tournament: str


class GameAdjourned(_Light, kw_only=True):
    """A game was interrupted."""

    result: ClassVar[None] = None
    ruling: ClassVar[None] = None
    supersedes: ClassVar[None] = None
    black: str
    despite: _Despite = None
    round: _Round
    tournament: str
    white: str


class GameAdjudicated(_Light, kw_only=True):
    """A game was decided off the board."""

    black: str
    despite: _Despite = None
    result: str
    round: _Round
    ruling: Literal["temporary", "definitive"]
    supersedes: _Seq | None = None
    tournament: str
    white: str


class ResultCorrected(_Light, kw_only=True):
    """What was recorded of a pairing was wrong."""

    ruling: ClassVar[None] = None
    black: str
    result: str
    round: _Round
    supersedes: _Seq
    tournament: str
    white: str


class RatingResultCorrected(_Light, kw_only=True):
    """A pairing counts with this result, or not at all, for the rating only."""

    ruling: ClassVar[None] = None
    black: str
    result: str | None = None
    round: _Round
    supersedes: _Seq
    tournament: str
    white: str


class ResultAnnulled(_Light, kw_only=True):
    """A pairing never counted."""

    result: ClassVar[None] = None
    ruling: ClassVar[None] = None
    black: str | None = None
    round: _Round
    supersedes: _Seq
    tournament: str
    white: str


class PlayerEntered(_Light, kw_only=True):
    """A player takes part."""

    black: ClassVar[None] = None
    result: ClassVar[None] = None
    ruling: ClassVar[None] = None
    white: str = field(name="player")
    starting_number: Annotated[int, Meta(ge=1, le=9999)]
    tournament: str


Pairing: TypeAlias = (
    ResultRecorded
    | ForfeitRecorded
    | ByeGiven
    | GameAdjourned
    | GameAdjudicated
    | ResultCorrected
    | RatingResultCorrected
    | ResultAnnulled
)
Key: TypeAlias = tuple[str, int]
"""Type and version of an event."""

PAIRING_DECODERS: dict[Key, Callable[[str], Pairing]] = {
    (to.ResultRecorded.TYPE, 1): Decoder(ResultRecorded).decode,
    (to.ForfeitRecorded.TYPE, 1): Decoder(ForfeitRecorded).decode,
    (to.ByeGiven.TYPE, 1): Decoder(ByeGiven).decode,
    (to.GameAdjourned.TYPE, 1): Decoder(GameAdjourned).decode,
    (to.GameAdjudicated.TYPE, 1): Decoder(GameAdjudicated).decode,
    (to.ResultCorrected.TYPE, 1): Decoder(ResultCorrected).decode,
    (to.RatingResultCorrected.TYPE, 1): Decoder(RatingResultCorrected).decode,
    (to.ResultAnnulled.TYPE, 1): Decoder(ResultAnnulled).decode,
}
"""Everything that is said of a pairing, in every version."""

Light: TypeAlias = Pairing | PlayerEntered

DECODERS: dict[Key, Callable[[str], Light]] = {
    **PAIRING_DECODERS,
    (to.PlayerEntered.TYPE, 1): Decoder(PlayerEntered).decode,
}


def read(type_: str, version: int, payload: str) -> Light | None:
    """Returns a stored event; None where there is no struct for it.

    Raises:
        VerificationFailed: the payload is no event of its type.
    """
    decode = DECODERS.get((type_, version))
    if decode is None:
        return None
    try:
        return decode(payload)
    except DecodeError as error:
        CATALOGUE.decode(type_, version, payload)  # says what is wrong with it
        raise VerificationFailed(
            "verify.payload", type=type_, payload=payload[:200], why=str(error)
        ) from error


def of(
    event: to.ResultRecorded
    | to.ForfeitRecorded
    | to.ByeGiven
    | to.GameAdjourned
    | to.GameAdjudicated
    | to.ResultCorrected
    | to.RatingResultCorrected
    | to.ResultAnnulled
    | to.PlayerEntered,
) -> Light:
    """Returns an event as a struct."""
    return DECODERS[event.TYPE, event.VERSION](event.canonical())
