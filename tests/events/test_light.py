"""What is read fast is what the models say: the same fields, in the same order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.events import light, light_players
from ledger.events.catalogue import CATALOGUE
from ledger.events.model import Event

MODELS = {(model.TYPE, model.VERSION): model for model in CATALOGUE.models()}
SAMPLES = json.loads((Path(__file__).parent / "pinned.json").read_text(encoding="utf-8"))
NAMED = {
    name: struct
    for name, struct in {**vars(light), **vars(light_players)}.items()
    if isinstance(struct, type) and issubclass(struct, msgspec.Struct) and name != "_Light"
}
DECODERS: dict[light.Key, Any] = {**light.DECODERS, **light_players.PLAYER_DECODERS}


def struct_of(model: type[Event]) -> Any:
    return NAMED[model.__name__]


@pytest.mark.parametrize("key", DECODERS, ids=str)
def test_a_struct_has_the_fields_of_its_model(key: light.Key) -> None:
    model = MODELS[key]
    fields = msgspec.structs.fields(struct_of(model))
    assert [field.encode_name for field in fields] == list(model.model_fields)
    for field in fields:
        assert field.required == model.model_fields[field.encode_name].is_required()


@pytest.mark.parametrize("key", DECODERS, ids=str)
def test_a_payload_comes_back_as_it_was(key: light.Key) -> None:
    payload = SAMPLES[f"{key[0]}/{key[1]}"]["payload"]
    read = DECODERS[key](payload)
    assert isinstance(read, struct_of(MODELS[key]))
    assert msgspec.json.encode(read).decode() == payload


@pytest.mark.parametrize("key", DECODERS, ids=str)
def test_a_field_that_is_missing_or_unknown_is_refused(key: light.Key) -> None:
    payload = json.loads(SAMPLES[f"{key[0]}/{key[1]}"]["payload"])
    for name, model_field in MODELS[key].model_fields.items():
        if model_field.is_required():
            without = {other: value for other, value in payload.items() if other != name}
            with pytest.raises(msgspec.ValidationError):
                DECODERS[key](json.dumps(without))
    with pytest.raises(msgspec.ValidationError):
        DECODERS[key](json.dumps({**payload, "extra": 1}))
