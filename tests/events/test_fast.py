"""What is read and written fast is what the models read and write."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from ledger.errors import VerificationFailed
from ledger.events import fast
from ledger.events.catalogue import CATALOGUE
from ledger.events.players import KAssigned, PlayerRegistered, RatingSeeded
from ledger.events.tournaments import PlayerEntered, TournamentClosed, TournamentOpened
from ledger.results import Bye, Result

MODELS = {(model.TYPE, model.VERSION): model for model in CATALOGUE.models()}
SAMPLES = json.loads((Path(__file__).parent / "pinned.json").read_text(encoding="utf-8"))
OF_TABLES = (PlayerRegistered, KAssigned, RatingSeeded, TournamentOpened, TournamentClosed)
DECODERS: dict[fast.Key, Any] = {
    **fast.DECODERS,
    **{(model.TYPE, model.VERSION): fast.reader(model) for model in OF_TABLES},
}
EVERY = pytest.mark.parametrize("key", DECODERS, ids=str)


def sample(key: fast.Key) -> str:
    payload: str = SAMPLES[f"{key[0]}/{key[1]}"]["payload"]
    return payload


@EVERY
def test_a_struct_has_the_fields_of_its_model(key: fast.Key) -> None:
    model = MODELS[key]
    fields = msgspec.structs.fields(DECODERS[key](sample(key)))
    assert [field.encode_name for field in fields] == list(model.model_fields)
    for field in fields:
        about = model.model_fields[field.encode_name]
        assert field.required == about.is_required()
        assert field.required or field.default == about.default


@EVERY
def test_no_model_has_rules_that_a_struct_cannot_have(key: fast.Key) -> None:
    rules = MODELS[key].__pydantic_decorators__
    assert not {**rules.validators, **rules.field_validators, **rules.model_validators}


@EVERY
def test_a_payload_comes_back_as_it_was(key: fast.Key) -> None:
    assert msgspec.json.encode(DECODERS[key](sample(key))).decode() == sample(key)


def as_data(value: Any) -> Any:
    return value.model_dump() if isinstance(value, BaseModel) else msgspec.to_builtins(value)


@EVERY
def test_the_values_are_those_of_the_model(key: fast.Key) -> None:
    event, struct = CATALOGUE.decode(*key, sample(key)), DECODERS[key](sample(key))
    for field in msgspec.structs.fields(struct):
        value = getattr(event, field.encode_name)
        assert as_data(getattr(struct, field.name)) == as_data(value)


@EVERY
def test_a_field_that_is_missing_or_unknown_is_refused(key: fast.Key) -> None:
    payload = json.loads(sample(key))
    refused = (msgspec.ValidationError, VerificationFailed)
    for name, model_field in MODELS[key].model_fields.items():
        if model_field.is_required():
            without = {other: value for other, value in payload.items() if other != name}
            with pytest.raises(refused):
                DECODERS[key](json.dumps(without))
    with pytest.raises(refused):
        DECODERS[key](json.dumps({**payload, "extra": 1}))


def bounds() -> list[tuple[fast.Key, str, Any]]:
    """Values just outside of what the schemas allow."""
    found: list[tuple[fast.Key, str, Any]] = []
    for key in DECODERS:
        for name, about in MODELS[key].model_json_schema()["properties"].items():
            for one in about.get("anyOf", [about]):
                found += [(key, name, one["minimum"] - 1)] if "minimum" in one else []
                found += [(key, name, one["maximum"] + 1)] if "maximum" in one else []
                found += [(key, name, [])] if "minItems" in one else []
    return found


@pytest.mark.parametrize(("key", "name", "value"), bounds(), ids=str)
def test_what_is_out_of_bounds_is_refused(key: fast.Key, name: str, value: Any) -> None:
    payload = json.dumps({**json.loads(sample(key)), name: value})
    with pytest.raises((msgspec.ValidationError, VerificationFailed)):
        DECODERS[key](payload)


def test_bounds_are_looked_for() -> None:
    assert {name for _, name, _ in bounds()} >= {"despite", "round", "supersedes", "rating", "k"}


@pytest.mark.parametrize("key", fast.DECODERS, ids=str)
def test_all_of_a_tournament_have_the_same_attributes(key: fast.Key) -> None:
    payload = json.loads(sample(key))
    struct: Any = fast.DECODERS[key](sample(key))
    assert struct.MODEL is MODELS[key]
    assert struct.white == payload.get("white", payload.get("player"))
    assert struct.result == payload.get("result", payload.get("kind"))
    for name in ("black", "ruling", "supersedes"):
        assert getattr(struct, name) == payload.get(name)


def test_an_event_becomes_a_struct() -> None:
    event = PlayerEntered(player="A", starting_number=3, tournament="T")
    struct = fast.of(event)
    assert isinstance(struct, fast.FastEntry)
    assert (struct.white, struct.starting_number, struct.tournament) == ("A", 3, "T")


# Texts

SCORES = ("0", "1/2", "1")
WRITTEN = [f"{white}-{black}{sign}" for white, black, sign in product(SCORES, SCORES, ("", *"sa"))]
FORFEITS = ["+/-", "-/+", "-/-"]
marks = st.characters(exclude_categories=["C", "Z"]) | st.sampled_from('"\\/é😀%')
ids = st.builds("{}{}{}".format, marks, st.text(marks | st.just(" "), max_size=100), marks)


def parsed(text: str) -> Result | None:
    try:
        return Result.parse(text)
    except ValueError:
        return None


RESULTS = [result for result in map(parsed, WRITTEN + FORFEITS) if result is not None]


def assert_canonical(type_: str, payload: str) -> None:
    assert CATALOGUE.decode(type_, 1, payload).canonical() == payload


@pytest.mark.parametrize("result", [*RESULTS, *Bye], ids=str)
@given(white=ids, black=ids, tournament=ids, round_=st.integers(1, 999))
def test_a_round(
    result: Result | Bye, white: str, black: str, tournament: str, round_: int
) -> None:
    how = fast.outcome(result)
    if isinstance(result, Bye):
        payload = how.bye(round_, fast.quoted(tournament), fast.quoted(white))
    else:
        named = map(fast.quoted, (tournament, white, black))
        payload = how.game(round_, *named)
    assert_canonical(how.type, payload)


@given(player=ids, tournament=ids, number=st.integers(1, 9999))
def test_an_entry(player: str, tournament: str, number: int) -> None:
    payload = fast.entry(fast.quoted(player), number, fast.quoted(tournament))
    assert_canonical("player.entered", payload)
