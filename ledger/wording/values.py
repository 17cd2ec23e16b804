"""What is wrong with a value, in our sentences: from what Pydantic found wrong with it.

Pydantic tells an error by its type and its context. One that our own code found has a key of the
section ``value`` as its type, and the values of the sentence as its context.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ledger.wording import Message, places_of, sentences

_OWN: Final = "value."
_KEYS: Final[Mapping[str, str]] = {
    "enum": "value.not_one_of",
    "extra_forbidden": "value.not_asked",
    "greater_than_equal": "value.too_small",
    "int_parsing_size": "value.too_long_number",
    "less_than_equal": "value.too_large",
    "literal_error": "value.not_one_of",
    "missing": "value.missing",
    "string_pattern_mismatch": "value.no_form",
    "string_too_long": "value.too_long",
    "string_too_short": "value.too_short",
    "string_unicode": "value.no_unicode",
    "too_long": "value.too_many",
    "too_short": "value.too_few",
}
_STARTS: Final[Mapping[str, str]] = {
    "bool_": "value.no_flag",
    "bytes_": "value.no_text",
    "date_": "value.no_day",
    "dict_": "value.no_object",
    "int_": "value.no_whole_number",
    "json_": "value.no_json",
    "list_": "value.no_list",
    "model_": "value.no_object",
    "string_": "value.no_text",
    "tuple_": "value.no_list",
}
"""Several types of errors of one kind of value."""
_VALUES: Final[Mapping[str, str]] = {
    "expected": "allowed", "ge": "least", "le": "most", "max_length": "most",
    "min_length": "least",
}  # fmt: skip
"""What sentences call what Pydantic calls otherwise."""


def wrong_value(error: Mapping[str, Any]) -> Message:
    """Returns what is wrong with a value.

    Args:
        error: an error of ``pydantic.ValidationError.errors()``.

    >>> str(wrong_value({"type": "less_than_equal", "ctx": {"le": 3}}))
    'at most 3'
    """
    kind: str = error["type"]
    told: Mapping[str, Any] = error.get("ctx") or {}
    if kind.startswith(_OWN) and kind in sentences("en"):
        return Message.of(kind, **told)
    starts = (key for start, key in _STARTS.items() if kind.startswith(start))
    key = _KEYS.get(kind) or next(starts, "value.other")
    said = {_VALUES.get(name, name): _listed(name, value) for name, value in told.items()}
    if not places_of(key) <= said.keys():
        return Message.of("value.other")
    return Message.of(key, **{name: said[name] for name in places_of(key)})


def _listed(name: str, value: object) -> object:
    """Returns a value of a context: words that may be said in no language's sentence."""
    return value.replace(" or ", ", ") if name == "expected" and isinstance(value, str) else value
