"""The API says what the command line says, in the form that its description promises."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any
from unittest.mock import patch

import jsonschema_rs
import pytest
from fastapi.testclient import TestClient

from tests.cli.running import run_here
from tests.web.api import ASKED, BYTES, OF_OFFICE, OWN, address, words
from web.api.description import ROOMS, description

EVERY_PATH = [*ASKED, *OWN]


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    return description()


def said(db: Path, command: str, *more: str) -> str:
    with contextlib.chdir(db.parent), patch.dict(os.environ, {"RATING_LEDGER_LANG": "en"}):
        done = run_here(*words(command), *more)
    assert done.code == 0, done.err
    return done.out


@pytest.mark.parametrize("path", ASKED)
def test_an_answer_is_the_json_of_the_command(rich: TestClient, rich_db: Path, path: str) -> None:
    answer = rich.get(address(path))
    assert answer.status_code == 200, answer.text
    assert answer.json() == json.loads(said(rich_db, ASKED[path], "--format", "json"))


@pytest.mark.parametrize("path", BYTES)
def test_a_file_is_what_the_command_writes(rich: TestClient, rich_db: Path, path: str) -> None:
    assert rich.get(address(path)).text == said(rich_db, BYTES[path])


@pytest.mark.parametrize("path", EVERY_PATH)
def test_an_answer_has_the_form_that_is_promised(
    rich: TestClient, described: dict[str, Any], path: str
) -> None:
    operation = described["paths"][template_of(path, described)]["get"]
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    answer = rich.get(address(path))
    assert answer.status_code == 200, answer.text
    jsonschema_rs.validate(
        schema | {"components": described["components"]}, answer.json(), validate_formats=True
    )


def test_every_route_that_is_public_is_asked_here(described: dict[str, Any]) -> None:
    asked = {template_of(path, described) for path in (*EVERY_PATH, *BYTES, *OF_OFFICE)}
    public = {
        path
        for path, methods in described["paths"].items()
        if "get" in methods and "security" not in methods["get"]
    }
    assert public == asked


def test_every_answer_in_json_is_a_report_whose_types_are_its_schema(
    described: dict[str, Any],
) -> None:
    names = {each.schema_name() for room in ROOMS for each in room.answers}
    reports = {f"#/components/schemas/{name}" for name in names}
    answers = [
        content["schema"]
        for methods in described["paths"].values()
        for operation in methods.values()
        for kind, content in operation["responses"]["200"]["content"].items()
        if kind == "application/json"
    ]
    assert answers
    assert [
        each for each in answers if each.keys() != {"$ref"} or each["$ref"] not in reports
    ] == []


def test_every_schema_that_is_named_is_there(described: dict[str, Any]) -> None:
    text = json.dumps(described)
    named = {word.partition('"')[0] for word in text.split("#/components/schemas/")[1:]}
    assert named <= described["components"]["schemas"].keys()


def template_of(path: str, described: dict[str, Any]) -> str:
    """Returns the path of the description that an address has, the most exact one."""
    parts = address(path).partition("?")[0].split("/")
    fit: list[str] = [
        template
        for template in described["paths"]
        if len(template.split("/")) == len(parts)
        and all(
            one == other or one.startswith("{")
            for one, other in zip(template.split("/"), parts, strict=True)
        )
    ]
    return min(fit, key=lambda template: template.count("{"))
