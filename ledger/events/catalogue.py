"""Reads stored payloads of any version: by (type, version) to one model, then upcast to the newest.

An upcaster is pure and goes one version up. A type or version that is not in the catalogue was
written by newer software: it is refused, never guessed.

Which events take others back, and which others they leave, is said here too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias, cast, get_args

from pydantic import ValidationError

from ledger.errors import DatabaseError, VerificationFailed
from ledger.events import accounts, desk, ladders, lists, players, tournaments
from ledger.events.lists import ListFactUndone
from ledger.events.model import Event
from ledger.events.players import PlayerFactUndone
from ledger.events.tournaments import TournamentFactUndone
from ledger.identifiers import Seq

AnyEvent: TypeAlias = (
    players.AnyPlayerEvent
    | tournaments.AnyTournamentEvent
    | desk.AnyDeskEvent
    | lists.AnyListEvent
    | ladders.AnyLadderEvent
    | accounts.AnyAccountEvent
)
"""Every event type in its newest version; one that stands in its chapter's union is read."""

Upcaster: TypeAlias = Callable[[Any], Event]


class Catalogue:
    """The event types this software knows, each in every version it was ever written in."""

    def __init__(
        self, models: Iterable[type[Event]], upcasters: Mapping[type[Event], Upcaster]
    ) -> None:
        self._models = {(model.TYPE, model.VERSION): model for model in models}
        self._upcasters = upcasters

    def decode(self, type_: str, version: int, payload: str) -> AnyEvent:
        """Returns the event in its newest version.

        Raises:
            DatabaseError: the type or version is unknown: newer software wrote it.
            VerificationFailed: the payload does not fit its own schema: it was tampered with.
        """
        return self.upcast(self.as_written(type_, version, payload))

    def as_written(self, type_: str, version: int, payload: str) -> Event:
        """Returns the event in the version in which it was written; raises as ``decode``."""
        model = self._models.get((type_, version))
        if model is None:
            raise DatabaseError("database.newer_event", type=type_, version=version)
        try:
            return model.model_validate_json(payload)
        except ValidationError as error:
            raise VerificationFailed(
                "verify.payload", type=type_, payload=payload[:200], why=error.errors()[0]["msg"]
            ) from error

    def upcast(self, event: Event) -> AnyEvent:
        """Returns an event in its newest version."""
        while upcast := self._upcasters.get(type(event)):
            event = upcast(event)
        return cast(AnyEvent, event)

    def models(self) -> list[type[Event]]:
        """Returns every model, in the order of type and version."""
        return [self._models[key] for key in sorted(self._models)]


_EARLIER: dict[type[Event], Upcaster] = {
    accounts.KeyBound1: accounts.with_algorithms,
    players.PlayerErased1: players.without_sources,
    accounts.KeyRevoked1: accounts.of_any_key,
    lists.ListPublished1: lists.with_rows_root,
}

CATALOGUE = Catalogue([*get_args(AnyEvent), *_EARLIER], _EARLIER)


def schema_text(model: type[Event]) -> str:
    """Returns the JSON Schema of one event type, formatted, with a last newline."""
    schema = model.model_json_schema()
    schema["$id"] = f"{model.TYPE}/{model.VERSION}"
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"


def schemas() -> Iterator[tuple[str, str]]:
    """Yields file name and JSON Schema of every type and version, for other readers."""
    for model in CATALOGUE.models():
        yield f"{model.TYPE}.v{model.VERSION}.json", schema_text(model)


FactUndone: TypeAlias = PlayerFactUndone | TournamentFactUndone | ListFactUndone
UNDOING: Final = frozenset(
    model.TYPE for model in (PlayerFactUndone, TournamentFactUndone, ListFactUndone)
)
"""The types of events that take others back."""


def undone_of(pairs: Iterable[tuple[Seq, Seq]]) -> Mapping[Seq, Seq]:
    """Returns which events are taken back, each with the seq of the event that does.

    ``pairs`` are the seqs of events that take back and of those that they name, by seq. One that is
    taken back itself takes nothing back.

    >>> dict(undone_of([(8, 3), (9, 8), (10, 4)]))
    {4: 10, 8: 9}
    """
    found: dict[Seq, Seq] = {}
    for seq, undoes in sorted(pairs, reverse=True):
        if seq not in found:
            found[undoes] = seq
    return found
