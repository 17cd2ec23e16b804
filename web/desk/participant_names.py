"""Names of participants in what the desk tells: decisions know ids, an arbiter knows people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.reports.event_desk import EventDesk
from ledger.results import result_in_words
from ledger.wording import Message, Wording

_PEOPLE: Final = frozenset({"player", "players", "opponent", "white", "black"})
_PAIRING: Final = "pairing"  # as PairingRecord.described writes it


def named(message: Message | Wording, event: EventDesk | None) -> Message | Wording:
    """Returns a sentence with the names of an event and its participants beside their ids."""
    if event is None or isinstance(message, Wording):
        return message
    names = {each.id: each.name for each in event.entries if each.name and each.name != each.id}
    values = {name: _named(name, value, names) for name, value in message.values}
    if values.get("tournament") == event.tournament:
        values["tournament"] = event.name
    return Message.of(message.key, **values)


def _named(name: str, value: object, names: Mapping[str, str]) -> object:
    match value:
        case tuple():
            return tuple(_named(name, each, names) for each in value)
        case str() if name in _PEOPLE and value in names:
            return f"{names[value]} ({value})"
        case str() if name == _PAIRING:
            return " ".join(names.get(word, result_in_words(word)) for word in value.split(" "))
        case _:
            return value
