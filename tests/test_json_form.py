"""What a report says and the schema of it come from the same types."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple

import jsonschema_rs
import pytest

from ledger.json_form import (
    EXACT,
    HALVES,
    HIDDEN,
    PARTS,
    After,
    Form,
    InPlace,
    JsonForm,
    Key,
    derived,
    form_of,
    schemas_of,
)
from ledger.wording import Message


class Colour(StrEnum):
    WHITE = "w"
    BLACK = "b"


class Meeting(NamedTuple):
    round: int
    score: Annotated[int, Key("points"), HALVES]


@dataclass(frozen=True, slots=True)
class Named(JsonForm):
    id: str
    name: str | None


@dataclass(frozen=True, slots=True)
class Player(Named):
    born_on: dt.date | None
    colours: Sequence[Colour]


@dataclass(frozen=True, slots=True)
class Line(JsonForm):
    player: Annotated[Player, InPlace(Named)]
    opponent: Annotated[Named | None, PARTS]
    kept_back: Annotated[str, HIDDEN]
    since: Annotated[dt.date, Key("from")]
    gains: Mapping[Colour, Fraction]
    meetings: tuple[Meeting, ...]
    state: Literal["open", "closed"]
    whole: Player | None
    why: Message | None
    mean: Annotated[Fraction | None, Form(EXACT.schema, lambda value, _: f"{float(value):.1f}")]

    @property
    @derived
    def round(self) -> Annotated[int, After("from")]:
        """The first."""
        return self.meetings[0].round

    @property
    @derived
    def points(self) -> Fraction:
        """All of them."""
        return sum(self.gains.values(), Fraction(0))


ANA = Player("1", "Ana", dt.date(1990, 1, 2), [Colour.WHITE])
LINE = Line(
    player=ANA,
    opponent=Named("2", None),
    kept_back="hidden",
    since=dt.date(2010, 7, 1),
    gains={Colour.BLACK: Fraction(1, 3), Colour.WHITE: Fraction(-1, 2)},
    meetings=(Meeting(3, 1),),
    state="open",
    whole=ANA,
    why=Message.of("player.provisional"),
    mean=Fraction(8531, 6),
)


def test_a_report_says_its_fields_where_and_as_their_types_have_it() -> None:
    data = LINE.data("en")
    assert data == {
        "id": "2", "name": None, "from": "2010-07-01", "round": 3,
        "gains": {"b": "1/3", "w": "-0.5"}, "meetings": [{"round": 3, "points": "0.5"}],
        "state": "open",
        "whole": {"id": "1", "name": "Ana", "born_on": "1990-01-02", "colours": ["w"]},
        "why": "provisional", "mean": "1421.8", "points": "-1/6",
    }  # fmt: skip
    assert list(data)[:4] == ["id", "name", "from", "round"]
    assert list(data)[-1] == "points"


def test_what_is_missing_is_none_key_by_key() -> None:
    bare = Line(ANA, None, "", LINE.since, {}, LINE.meetings, "closed", None, None, None)
    data = bare.data()
    assert [data[key] for key in ("id", "name", "whole", "why", "mean")] == [None] * 5


@pytest.mark.parametrize("wrong", [{"id": 7}, {"state": "done"}, {"kept_back": ""}, {"points": 1}])
def test_the_schema_fits_what_is_said_and_nothing_else(wrong: dict[str, Any]) -> None:
    schemas = schemas_of([Line])
    assert set(schemas) == {"Line", "Player"}  # what stands in its place has none of its own
    schema = {"$ref": "#/components/schemas/Line", "components": {"schemas": schemas}}
    data = LINE.data("en")
    jsonschema_rs.validate(schema, data, validate_formats=True)
    with pytest.raises(jsonschema_rs.ValidationError):
        jsonschema_rs.validate(schema, data | wrong, validate_formats=True)
    for key in data:
        with pytest.raises(jsonschema_rs.ValidationError):
            jsonschema_rs.validate(schema, {name: data[name] for name in data if name != key})


def test_a_sentence_needs_a_language_and_not_everything_has_a_form() -> None:
    with pytest.raises(TypeError, match="in a language only"):
        LINE.data()
    with pytest.raises(TypeError, match="bytes has no JSON form"):
        form_of(bytes)
