"""Closed vocabularies of tournaments, shared by events, documents and the faces."""

from __future__ import annotations

from enum import StrEnum


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


class TrfVersion(StrEnum):
    """The editions of FIDE's tournament report file."""

    TRF16 = "trf16"
    TRF26 = "trf26"
