"""Closed vocabularies, shared by events, documents and the faces."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Literal, TypeAlias

BoundName: TypeAlias = Literal["new", "gone", "moves"]
"""What can be out of the ordinary in a list, as it is called where it is acknowledged."""
RecordedSex: TypeAlias = Literal["m", "w"]
RecordedTitle: TypeAlias = Literal["GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM", "NM"]
SEXES: Final[Mapping[str, RecordedSex]] = {"m": "m", "w": "w", "f": "w"}
"""How they are recorded, by the letters that are typed or stand in documents."""


class DayOrder(StrEnum):
    """Where the day stands in a date whose year stands last."""

    DAY_FIRST = "day-first"
    MONTH_FIRST = "month-first"


class Rate(StrEnum):
    """Rate of play."""

    CLASSICAL = "classical"
    RAPID = "rapid"
    BLITZ = "blitz"


class System(StrEnum):
    """How a tournament pairs its players."""

    SWISS = "swiss"
    ROUND_ROBIN = "round-robin"
    MATCH = "match"
    TEAM_SWISS = "team-swiss"


class Colour(StrEnum):
    """The colour of the pieces, as reports write it."""

    WHITE = "w"
    BLACK = "b"

    @property
    def other(self) -> Colour:
        """The colour of the opponent."""
        return Colour.BLACK if self is Colour.WHITE else Colour.WHITE


class PairingMethod(StrEnum):
    """The rules by which the rounds of a tournament are paired."""

    FENAMAC_1975 = "fenamac-1975"
    PRACTICAL_1975 = "practical-1975"
    BERGER = "berger"
    TEAM_1975 = "team-1975"
    DUTCH = "dutch"


class TrfVersion(StrEnum):
    """The editions of FIDE's tournament report file."""

    TRF16 = "trf16"
    TRF26 = "trf26"


class PerformanceTable(StrEnum):
    """The editions of the table of differences: they differ at 0 and 100 per cent."""

    OF_1972 = "1972"
    OF_2022 = "2022"


class CalendarState(StrEnum):
    """How far a tournament of the calendar has come, from its announcement to a rating list."""

    ANNOUNCED = "announced"
    REGISTRATION = "registration"
    PLAYING = "playing"
    PLAYED = "played"
    LATE = "late"
    REPORTED = "reported"
    RATED = "rated"
    REJECTED = "rejected"
    CANCELLED = "cancelled"


class Role(StrEnum):
    """What an account may do: see ``docs/web.md``."""

    ARBITER = "arbiter"
    OFFICER = "officer"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"
