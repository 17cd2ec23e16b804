"""Events are canonical, known by type and version for ever, and refuse what they do not know."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import ClassVar

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import DatabaseError, VerificationFailed
from ledger.events.accounts import KeyBound
from ledger.events.catalogue import CATALOGUE, Catalogue, schema_text
from ledger.events.lists import ListPublished
from ledger.events.model import Event, PlayerEvent, PlayerId
from ledger.events.tournaments import ResultRecorded

PINNED = Path(__file__).parent / "pinned.json"
PIN = "python -m tests.events.test_catalogue"


def _digests(model: type[Event], payload: str) -> dict[str, str]:
    """Returns the digests that are kept beside a sample."""
    kept = {"sha256": payload, "schema_sha256": schema_text(model)}
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in kept.items()}


def add_digests() -> None:
    """Adds the digests that a new sample lacks, and puts the samples in order; changes no other."""
    samples: dict[str, dict[str, str]] = json.loads(PINNED.read_text(encoding="utf-8"))
    for model in CATALOGUE.models():
        sample = samples.get(f"{model.TYPE}/{model.VERSION}")
        if sample is not None:
            sample |= _digests(model, sample["payload"]) | sample
    text = json.dumps(dict(sorted(samples.items())), indent=1, ensure_ascii=False)
    PINNED.write_text(f"{text}\n", encoding="utf-8")


@pytest.mark.parametrize("model", CATALOGUE.models(), ids=lambda model: model.TYPE)
class TestEveryType:
    def pinned(self, model: type[Event]) -> dict[str, str]:
        name = f"{model.TYPE}/{model.VERSION}"
        there: dict[str, str] = json.loads(PINNED.read_text(encoding="utf-8")).get(name, {})
        what_to_do = f"give {name} a payload in tests/events/pinned.json, then {PIN}"
        assert there.keys() == {"payload", *_digests(model, "")}, what_to_do
        return there

    def sample(self, model: type[Event]) -> str:
        return self.pinned(model)["payload"]

    def test_a_payload_of_this_version_is_read_for_ever(self, model: type[Event]) -> None:
        pinned = self.pinned(model)
        event = CATALOGUE.decode(model.TYPE, model.VERSION, pinned["payload"])
        canonical = event.canonical().encode()
        assert hashlib.sha256(canonical).hexdigest() == pinned["sha256"]

    def test_its_schema_never_changes(self, model: type[Event]) -> None:
        pinned = self.pinned(model)
        assert hashlib.sha256(schema_text(model).encode()).hexdigest() == pinned["schema_sha256"]

    def test_its_payload_is_rfc_8785(self, model: type[Event]) -> None:
        payload = self.sample(model)
        assert rfc8785.dumps(json.loads(payload)) == payload.encode()

    def test_it_refuses_more_than_it_knows(self, model: type[Event]) -> None:
        more = json.dumps({**json.loads(self.sample(model)), "extra": 1})
        with pytest.raises(VerificationFailed):
            CATALOGUE.decode(model.TYPE, model.VERSION, more)


@given(white=st.text(min_size=1, max_size=40), black=st.text(min_size=1, max_size=40))
def test_whatever_an_event_accepts_is_canonical_and_comes_back(white: str, black: str) -> None:
    try:
        event = ResultRecorded(black=black, result="1-0", round=1, tournament="T", white=white)
    except ValueError:
        return
    payload = event.canonical()
    assert rfc8785.dumps(json.loads(payload)) == payload.encode()
    assert CATALOGUE.decode(event.TYPE, event.VERSION, payload) == event


@pytest.mark.parametrize(("type_", "version"), [("player.teleported", 1), ("bye.given", 2)])
def test_an_unknown_type_or_version_needs_newer_software(type_: str, version: int) -> None:
    with pytest.raises(DatabaseError) as refusal:
        CATALOGUE.decode(type_, version, "{}")
    assert refusal.value.message.key == "database.newer_event"


class NicknameGiven(PlayerEvent):
    TYPE: ClassVar[str] = "player.nicknamed"
    player: PlayerId


class NicknameGiven2(PlayerEvent):
    TYPE: ClassVar[str] = "player.nicknamed"
    VERSION: ClassVar[int] = 2
    language: str
    player: PlayerId


def test_old_versions_are_upcast_one_step_at_a_time() -> None:
    def upcast(old: NicknameGiven) -> NicknameGiven2:
        return NicknameGiven2(language="es", player=old.player)

    catalogue = Catalogue([NicknameGiven, NicknameGiven2], {NicknameGiven: upcast})
    old: Event = catalogue.decode("player.nicknamed", 1, '{"player":"A"}')
    assert old == NicknameGiven2(language="es", player="A")


def test_a_class_whose_json_would_not_be_canonical_cannot_be_defined() -> None:
    with pytest.raises(AssertionError, match="alphabetical"):

        class Unordered(PlayerEvent):
            TYPE: ClassVar[str] = "player.unordered"
            player: PlayerId
            language: str


def test_an_edition_of_version_1_committed_to_no_rows() -> None:
    payload = json.loads(PINNED.read_text(encoding="utf-8"))["list.published/1"]["payload"]
    event = CATALOGUE.decode("list.published", 1, payload)
    assert isinstance(event, ListPublished)
    assert event.rows_root is None
    with pytest.raises(VerificationFailed):
        CATALOGUE.decode("list.published", 2, payload)


def test_a_key_of_version_1_is_one_in_a_file() -> None:
    pinned = json.loads(PINNED.read_text(encoding="utf-8"))
    event = CATALOGUE.decode("key.bound", 1, pinned["key.bound/1"]["payload"])
    assert isinstance(event, KeyBound)
    assert (event.algorithm, event.relying_party) == ("ed25519", None)
    for type_ in ("key.bound", "key.revoked"):
        with pytest.raises(VerificationFailed):
            CATALOGUE.decode(type_, 1, pinned[f"{type_}/2"]["payload"])


if __name__ == "__main__":
    add_digests()
