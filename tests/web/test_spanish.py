"""A Spanish reader is refused in Spanish: by pages, by problems, and before either is asked."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any, Final

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from pydantic import BaseModel, TypeAdapter, ValidationError

from ledger.operations.programs import COMMANDS
from ledger.service.ledger import Ledger
from ledger.terms import Role
from ledger.wording.values import wrong_value
from tests.web.api import address
from tests.web.conftest import Browse
from web.access import Account
from web.api.description import description, operations, translations
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

SCOPES: Final = frozenset(each.operation.by.scope for each in COMMANDS)
ANA: Final = Account("ana", frozenset({Role.OFFICER}), by_token=True, scopes=SCOPES)
GIVEN: Final = {"tournament": "t", "round": 1, "white": "1", "black": "2", "result": "1-0"}
LANGUAGES: Final = ("en", "es")


def identify(_request: Request) -> Account | None:
    return ANA


@pytest.fixture
def site(browse: Browse, demo_ledger: Ledger) -> TestClient:
    made = browse(demo_ledger)
    app = made.app
    assert isinstance(app, FastAPI)
    app.state.identify = identify
    return made


def test_the_page_of_the_api_is_in_spanish(site: TestClient) -> None:
    shown = set[str]()
    for each in operations(description()):
        shown |= {each["says"], each["tags"][0]}
    assert shown == set(translations())
    page = unescape(site.get("/api/v1?lang=es").text)
    assert all(translations()[each] in page for each in shown)
    assert not [each for each in shown if f"<dd>{each}" in page]


def told(problem: dict[str, Any]) -> list[str]:
    """Returns the sentences of a problem."""
    return [problem["title"], problem["detail"], *(each["message"] for each in problem["details"])]


def differ(english: list[str], spanish: list[str]) -> None:
    assert len(english) == len(spanish)
    for one, other in zip(english, spanish, strict=True):
        assert one != other, one
        assert "of type" not in other


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/lists/NONE",
        "/lists/ENF/2010-07?after=-1",
        "/lists/ENF/2010-07?after=x",
        "/lists/ENF/2010-07?limit=5000",
        "/lists/ENF/2010-07?active=perhaps",
        "/lists/ENF/2010-07?sex=x",
        "/lists/ENF/2010-07?search=",
        "/lists/ENF/2010-07?nonsense=1",
        "/lists/ENF/2010-07?sex=m&sex=w",
        "/lists/ENF/2010-07?search=%00",
        "/lists/ENF/2010-07@x",
        "/lists/ENF/comparison",
        "/ladders/none?on=x",
        "/checkpoint?origin=a%20b",
    ],
)
def test_what_cannot_be_read_is_refused_in_spanish(site: TestClient, path: str) -> None:
    english, spanish = (
        site.get(address(path), headers={"Accept-Language": language}) for language in LANGUAGES
    )
    assert english.status_code >= 400
    differ(told(english.json()), told(spanish.json()))


@pytest.mark.parametrize(
    "body",
    [
        "{",
        "[]",
        "{}",
        '{"tournament": "t", "tournament": "u"}',
        '{"round": 1.5}',
        '{"tournament": "\\ud800"}',
        '{"tournament": "a\\u0000b"}',
        "[" * 60 + "]" * 60,
    ],
)
def test_a_body_that_cannot_be_read_is_refused_in_spanish(site: TestClient, body: str) -> None:
    english, spanish = (
        site.post(
            address("/commands/record-result"), content=body,
            headers={
                "Accept-Language": language, "Content-Type": "application/json",
                "Idempotency-Key": "k", "Authorization": "Bearer x",
            },
        )
        for language in LANGUAGES
    )  # fmt: skip
    assert english.status_code == 422
    differ(told(english.json()), told(spanish.json()))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("round", "1"), ("round", True), ("round", 10**30), ("tournament", 7), ("result", 5),
        ("result", "7-1"), ("tournament", "x" * 301), ("more", 1),
    ],
)  # fmt: skip
def test_a_wrong_field_is_told_in_spanish(site: TestClient, field: str, value: object) -> None:
    english, spanish = (
        site.post(
            address("/commands/record-result"), json=GIVEN | {field: value},
            headers={
                "Accept-Language": language, "Idempotency-Key": "k", "Authorization": "Bearer x",
            },
        )
        for language in LANGUAGES
    )  # fmt: skip
    assert english.status_code == 422
    differ(told(english.json()), told(spanish.json()))
    assert [each["message"].partition(":")[0] for each in spanish.json()["details"]] == [
        f"'{field}'"
    ]


@pytest.mark.parametrize("path", ["/nothing", "/lists/ENF/2010-07?after=-1", "/lists/NONE"])
def test_a_page_of_a_refusal_is_spanish(site: TestClient, path: str) -> None:
    page = site.get(path, headers={"Accept-Language": "es"})
    assert 'lang="es"' in page.text
    for english in ("Not found", "Unprocessable", "Input should"):
        assert english not in page.text


@pytest.mark.parametrize("path", ["/submissions/new", "/api/v1/submissions/files"])
def test_who_is_turned_away_at_once_reads_why(site: TestClient, path: str) -> None:
    elsewhere = {"Sec-Fetch-Site": "cross-site", "Host": "evil.example", "Accept-Language": "es"}
    for left_out, sentence in (("Host", "otro sitio"), ("Sec-Fetch-Site", "nombre del sitio")):
        said = {name: value for name, value in elsewhere.items() if name != left_out}
        answer = site.post(path, headers=said)
        text = answer.json()["detail"] if path.startswith("/api/") else answer.text
        assert sentence in text


class Everything(BaseModel, extra="forbid"):
    """A value of every kind."""

    number: int
    flag: bool
    texts: list[str]
    more: dict[str, str]


def test_whatever_pydantic_finds_has_a_sentence_of_ours() -> None:
    wrong = {"number": "x", "flag": "x", "texts": "x", "more": "x", "none": 1}
    with pytest.raises(ValidationError) as refused:
        Everything.model_validate(wrong)
    keys = [wrong_value(each).key for each in refused.value.errors()]
    assert keys == [
        "value.no_whole_number", "value.no_flag", "value.no_list", "value.no_object",
        "value.not_asked",
    ]  # fmt: skip
    with pytest.raises(ValidationError) as refused:
        TypeAdapter(complex).validate_python("x")
    assert wrong_value(refused.value.errors()[0]).key == "value.other"


def test_the_language_that_somebody_switches_to_stays(demo: TestClient) -> None:
    """Whatever the browser likes; back again too, and where the browser has the page already."""
    opened = {"Sec-Fetch-Dest": "document", "Accept-Language": "en"}

    def language(path: str, **headers: str) -> str:
        return str(re.findall(r'<html lang="(..)"', demo.get(path, headers=opened | headers).text))

    assert language("/lists") == "['en']"
    first = demo.get("/?lang=es", headers=opened)
    cookie = first.headers["set-cookie"]
    assert cookie.startswith("lang=es; Max-Age=31536000; Path=/; HttpOnly; SameSite=lax")
    assert language("/lists") == language("/players") == "['es']"
    assert "set-cookie" not in demo.get("/?lang=es", headers=opened).headers
    assert language("/lists?lang=en") == language("/lists") == "['en']"
    again = demo.get("/?lang=es", headers=opened | {"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    assert language("/lists") == "['es']"


def test_what_a_page_or_a_program_asks_for_switches_no_language(demo: TestClient) -> None:
    for headers in ({}, {"Sec-Fetch-Dest": "empty"}, {"Sec-Fetch-Dest": "image"}):
        assert "set-cookie" not in demo.get("/?lang=es", headers=headers).headers
    wrong = demo.get("/?lang=xx", headers={"Sec-Fetch-Dest": "document"})
    assert "set-cookie" not in wrong.headers


def test_by_https_no_other_host_can_set_the_language(demo_ledger: Ledger, tmp_path: Path) -> None:
    settings = WebSettings(ledger="", origin="https://ratings.example", cache=tmp_path / "cache")
    site = TestClient(create_app(Site(demo_ledger, settings)), base_url=settings.origin)
    answer = site.get("/?lang=es", headers={"Sec-Fetch-Dest": "document"})
    assert answer.headers["set-cookie"].startswith("__Host-lang=es; ")
    assert answer.headers["set-cookie"].endswith("; Secure")
    assert '<html lang="es">' in site.get("/lists", headers={"Accept-Language": "en"}).text
