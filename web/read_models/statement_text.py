"""Statements as texts in the files of read models: read back, each is the same value."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import msgspec

from ledger.reports.statement import Statement


def _written(value: Any) -> str:
    assert isinstance(value, Fraction), "of all that a statement holds msgspec lacks only these"
    return str(value)


def _read(kind: type, value: Any) -> Any:
    assert kind is Fraction, "the same"
    return Fraction(value)


_ENCODER: Final = msgspec.json.Encoder(enc_hook=_written)
_DECODER: Final = msgspec.json.Decoder(Statement, dec_hook=_read)


def statement_text(made: Statement) -> bytes:
    """Returns a statement as a text."""
    return _ENCODER.encode(made)


def statement_in(text: bytes) -> Statement:
    """Returns the statement that was written as a text."""
    return _DECODER.decode(text)
