"""The events of players that a large ledger has many of, read fast: as ``light`` reads pairings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import DecodeError, Struct
from msgspec.json import Decoder

from ledger.errors import VerificationFailed
from ledger.events import players as pl
from ledger.events.catalogue import CATALOGUE
from ledger.events.light import Key


class _Light(Struct, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Holds nothing that could lead back to itself: the collector need not look."""


class PlayerRegistered(_Light, kw_only=True):
    """A player got an id of this ledger."""

    birth_year: int | None = None
    federation: str | None = None
    identity: str
    player: str


class KAssigned(_Light, kw_only=True):
    """The player's K from the effective date on."""

    k: int
    list: str | None = None
    player: str


class RatingSeeded(_Light, kw_only=True):
    """A rating brought in from outside."""

    games: int | None = None
    k: int | None = None
    list: str
    player: str
    rating: int
    source: str | None = None


LightPlayer: TypeAlias = PlayerRegistered | KAssigned | RatingSeeded

PLAYER_DECODERS: dict[Key, Callable[[str], LightPlayer]] = {
    (pl.PlayerRegistered.TYPE, 1): Decoder(PlayerRegistered).decode,
    (pl.KAssigned.TYPE, 1): Decoder(KAssigned).decode,
    (pl.RatingSeeded.TYPE, 1): Decoder(RatingSeeded).decode,
}
"""Every version of them."""


def read_player(type_: str, version: int, payload: str) -> LightPlayer | None:
    """Returns a stored event; None where there is no struct for it.

    Raises:
        VerificationFailed: the payload is no event of its type.
    """
    decode = PLAYER_DECODERS.get((type_, version))
    if decode is None:
        return None
    try:
        return decode(payload)
    except DecodeError as error:
        CATALOGUE.decode(type_, version, payload)  # says what is wrong with it
        raise VerificationFailed(
            "verify.payload", type=type_, payload=payload[:200], why=str(error)
        ) from error
