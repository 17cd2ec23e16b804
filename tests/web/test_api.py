"""The API: pages of long answers, what is kept, what is refused, who may read from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from ledger.terms import Role
from tests.ledgers import PLAYERS_HEADER, define, empty_ledger, import_text
from tests.web.api import address
from tests.web.conftest import Browse
from tests.web.test_lists import named
from web.access import Account
from web.api.routing import SEQ_HEADER


def chained(site: TestClient, path: str, key: str) -> Iterator[Any]:
    """Yields the rows of all pages, each after the one before."""
    where: str | None = address(path)
    while where is not None:
        answer = site.get(where)
        assert answer.status_code == 200, answer.text
        yield from answer.json()[key]
        where = answer.links.get("next", {}).get("url")


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("/lists/ENF/2010-08?limit=", "rows"),
        ("/lists/ENF/2010-07@1?limit=", "rows"),
        ("/lists/ENF/2010-08?federation=CHI&limit=", "rows"),
        ("/players?limit=", "players"),
        ("/players?search=a&limit=", "players"),
        ("/tournaments?limit=", "tournaments"),
        ("/corrections?limit=", "corrections"),
        ("/commits?limit=", "commits"),
        ("/events?limit=", "events"),
        ("/events?player=3404510&limit=", "events"),
        ("/events?tournament=ymca-2010&limit=", "events"),
    ],
)
def test_pages_one_after_the_other_are_the_whole(rich: TestClient, path: str, key: str) -> None:
    whole = rich.get(address(f"{path}1000")).json()[key]
    assert len(whole) > 2
    assert list(chained(rich, f"{path}{max(2, len(whole) // 3)}", key)) == whole


def test_a_word_that_may_stand_often_stands_often(rich: TestClient) -> None:
    two = rich.get(address("/lists/ENF/monitor?control=3404510&control=3407128"))
    assert two.status_code == 200, two.text
    one = rich.get(address("/lists/ENF/monitor?control=3404510")).json()
    assert two.json() != one


def test_the_pages_of_an_answer_are_of_one_state(browse: Browse) -> None:
    ledger = empty_ledger()
    import_text(ledger, PLAYERS_HEADER + "".join(f"{n},Name {n},,,,,,\n" for n in "2468"))
    site = browse(ledger)
    first = site.get(address("/players?limit=2"))
    import_text(ledger, PLAYERS_HEADER + "".join(f"{n},Name {n},,,,,,\n" for n in "13579"))
    second = site.get(first.links["next"]["url"])
    assert [each["id"] for each in second.json()["players"]] == ["6", "8"]
    assert "next" not in second.links


def test_who_follows_the_events_misses_none(browse: Browse) -> None:
    ledger = empty_ledger()
    define(ledger, "A")
    site = browse(ledger)
    seen: list[int] = []
    for name in ("B", "C", "D"):
        after = seen[-1] if seen else 0
        seen += [each["seq"] for each in chained(site, f"/events?limit=1&after={after}", "events")]
        define(ledger, name)
    seen += [each["seq"] for each in chained(site, f"/events?after={seen[-1]}", "events")]
    assert seen == list(range(1, site.get(address("/head")).json()["seq"] + 1))


def test_an_answer_is_as_it_was_known_at_a_seq_and_never_changes(browse: Browse) -> None:
    ledger = empty_ledger()
    define(ledger, "A")
    site = browse(ledger)
    before = site.get(address("/lists?as-known-at=2"))
    define(ledger, "B")
    after = site.get(address("/lists?as-known-at=2"))
    assert [each["list"] for each in after.json()["lists"]] == ["A"]
    assert after.content == before.content
    assert after.headers["cache-control"] == "public, no-cache"
    assert after.headers[SEQ_HEADER] == "2"
    assert len(site.get(address("/lists")).json()["lists"]) == 2


def test_the_newest_is_answered_with_304_until_something_is_recorded(browse: Browse) -> None:
    ledger = empty_ledger()
    define(ledger, "A")
    site = browse(ledger)
    known = {"if-none-match": site.get(address("/lists")).headers["etag"]}
    assert site.get(address("/lists"), headers=known).status_code == 304
    define(ledger, "B")
    assert site.get(address("/lists"), headers=known).status_code == 200


@pytest.mark.parametrize("path", ["/lists/ENF/2010-07@1", "/lists/ENF/2010-07@1/bytes"])
def test_an_edition_never_changes(rich: TestClient, path: str) -> None:
    answer = rich.get(address(path))
    assert answer.headers["cache-control"] == "public, no-cache"
    known = {"if-none-match": answer.headers["etag"]}
    assert rich.get(address(path), headers=known).status_code == 304
    newest = rich.get(address(path.replace("@1", "")))
    assert newest.headers["cache-control"] == "public, no-cache"


def test_a_refusal_is_a_problem_in_the_language_that_is_asked_for(demo: TestClient) -> None:
    english = demo.get(address("/lists/NONE"))
    assert english.status_code == 404
    assert english.headers["content-type"] == "application/problem+json"
    assert english.headers["cache-control"] == "no-store"
    assert english.json()["detail"] == "there is no list 'NONE'; defined are: ENF"
    for spanish in (
        demo.get(address("/lists/NONE?lang=es")),
        demo.get(address("/lists/NONE"), headers={"accept-language": "es"}),
    ):
        assert spanish.json()["detail"].startswith("no hay una lista")
        assert spanish.json()["type"] == english.json()["type"]


def test_the_type_of_a_problem_is_a_page_that_explains_it(demo: TestClient) -> None:
    kind = demo.get(address("/lists/NONE")).json()["type"]
    page = demo.get(kind)
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert "list.not_found" in page.text
    assert demo.get(address("/problems/no.such")).status_code == 404


def test_the_page_for_people_is_made_once_and_leads_to_its_chapters(
    demo: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = demo.get("/api/v1").text
    monkeypatch.setattr("web.api.description.description", dict)
    page = demo.get("/api/v1").text
    assert page == first
    chapters = re.findall(r'<a href="#([^"]*)">', page)
    assert {"lists", "players", "corrections"} <= set(chapters)
    assert all(f'<h2 id="{chapter}">' in page for chapter in chapters if chapter != "content")


def test_the_page_for_people_has_every_route(demo: TestClient) -> None:
    page = demo.get(address("")).text
    described = demo.get(address("/openapi.json"))
    assert described.headers["cache-control"] == "public, no-cache"
    for path in described.json()["paths"]:
        assert path in page
    assert "Para programas" in demo.get(address("?lang=es")).text


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/lists?x=1", 422),
        ("/lists/ENF/2010-07?limit=1&limit=2", 422),
        ("/lists/ENF/2010-07?limit=0", 422),
        ("/lists/ENF/2010-07?limit=1001", 422),
        ("/lists/ENF/2010-07?limit=1e3", 422),
        ("/lists/ENF/2010-07?after=" + "9" * 30, 422),
        ("/lists/ENF/2010-07?after=" + "9" * 5000, 422),
        ("/lists/ENF/2010-07?active=perhaps", 422),
        ("/lists/ENF/2010-07?sex=x", 422),
        ("/lists/ENF/2010-07?lang=fr", 422),
        ("/lists/ENF/2010-07?as-known-at=" + "9" * 30, 404),
        ("/lists/ENF/2010-07?search=%00", 422),
        ("/lists/ENF/2010-07?search=", 422),
        ("/lists/ENF/2010-07@x", 422),
        ("/lists/ENF/2010-07@0", 422),
        ("/lists/ENF/2010-07@99999999999999999999", 422),
        ("/lists/ENF/9999-99", 404),
        ("/lists/%00", 404),
        ("/lists/..%2f..%2fetc%2fpasswd", 404),
        ("/lists/../../../etc/passwd", 404),
        ("/players/%f0%28%8c%28", 404),
        ("/players/" + "9" * 5000, 404),
        ("/commits/0", 422),
        ("/commits/999999", 404),
        ("/events/999999", 404),
        ("/events/" + "9" * 30, 422),
        ("/events?after=-1", 422),
        ("/events?tournament=none", 404),
        ("/tournaments/ymca-2010/standings?round=1000", 422),
        ("/tournaments/ymca-2010/standings?tie-breaks=nonsense", 422),
        ("/tournaments/ymca-2010/rounds/1", 404),
        ("/ladders/none?on=2010-01-01", 404),
        ("/ladders/none?on=2010-02-30", 422),
        ("/none", 404),
    ],
)
def test_what_makes_no_sense_is_refused(demo: TestClient, path: str, status: int) -> None:
    answer = demo.get(address(path))
    assert answer.status_code == status, answer.text
    if answer.url.path.startswith(address("")):
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "what may be asked is"), ("es", "se puede pedir")]
)
def test_a_word_that_is_not_asked_is_refused_with_those_that_are(
    demo: TestClient, lang: str, said: str
) -> None:
    problems = demo.get(address(f"/players?q=a&lang={lang}&name=b")).json()["details"]
    known = (
        "after, as-known-at, as-known-on, club, federation, group, lang, licensed, limit, "
        "region, search, sex"
    )
    for problem, word in zip(problems, ("q", "name"), strict=True):
        assert problem["message"].startswith(f"'{word}': ")
        assert problem["message"].endswith(f"{said} {known}")


def test_words_of_a_name_may_be_any_text(demo: TestClient) -> None:
    for text in ("'", '"', "%", "_", "*", "NEAR(", "-", "\u202e", "é", "<b>", "a" * 300, "😀"):
        for path in ("/players", "/lists/ENF/2010-07", "/tournaments"):
            assert demo.get(address(path), params={"search": text}).status_code == 200, text


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"search": "ymca"}, ["ymca-2010"]),
        ({"search": "mca"}, []),  # as on the page: a word begins so
        ({"until": "2010-07-31"}, ["ymca-2010"]),
        ({"since": "2010-08-01"}, ["agosto-2010"]),
        ({"state": "annulled"}, []),
        ({}, ["agosto-2010", "ymca-2010"]),
    ],
)
def test_tournaments_are_looked_for_as_on_the_page(
    demo: TestClient, asked: dict[str, str], found: list[str]
) -> None:
    answer = demo.get(address("/tournaments"), params=asked).json()
    assert [each["tournament"] for each in answer["tournaments"]] == found


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE"])
def test_what_can_only_be_read_cannot_be_changed(demo: TestClient, method: str) -> None:
    answer = demo.request(method, address("/lists"), headers={"authorization": "Bearer x"})
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET"


def test_head_says_what_get_says_without_its_body(demo: TestClient) -> None:
    known, asked = demo.get(address("/lists")), demo.head(address("/lists"))
    assert (asked.status_code, asked.content) == (200, b"")
    assert asked.headers["etag"] == known.headers["etag"]


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        ("application/json", 200), ("application/*;q=0.5", 200), ("*/*", 200), ("", 200),
        ("text/html", 406), ("text/html, application/json;q=0.1", 200),
        ("application/json;q=0", 406), ("application/json; q=0.0, */*;q=0", 406),
    ],
)  # fmt: skip
def test_an_answer_has_the_form_that_is_accepted(
    demo: TestClient, accept: str, status: int
) -> None:
    assert demo.get(address("/lists"), headers={"accept": accept}).status_code == status


def test_pages_of_other_sites_may_read_what_is_public(demo: TestClient) -> None:
    elsewhere = {"origin": "https://elsewhere.example"}
    for path in ("/lists", "/lists/NONE"):
        answer = demo.get(address(path), headers=elsewhere)
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in answer.headers
    assert "access-control-allow-origin" not in demo.get("/", headers=elsewhere).headers


@pytest.mark.parametrize("secret", [{"cookie": "session=x"}, {"authorization": "Bearer x"}])
def test_what_is_asked_with_a_secret_is_not_for_other_sites(
    demo: TestClient, secret: dict[str, str]
) -> None:
    asked = secret | {"origin": "https://elsewhere.example"}
    answer = demo.get(address("/lists"), headers=asked)
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(("method", "status"), [("GET", 204), ("POST", 405), ("DELETE", 405)])
def test_a_page_of_another_site_may_only_read(demo: TestClient, method: str, status: int) -> None:
    asked = {"origin": "https://elsewhere.example", "access-control-request-method": method}
    answer = demo.options(address("/lists"), headers=asked)
    assert answer.status_code == status
    assert ("access-control-allow-origin" in answer.headers) == (status == 204)
    assert "authorization" not in answer.headers.get("access-control-allow-headers", "").lower()


@pytest.mark.parametrize(
    ("roles", "told"),
    [(None, "1985"), ({Role.ARBITER}, "1985"), ({Role.OFFICER}, "1985-03-04")],
)
def test_the_day_of_birth_is_not_public(browse: Browse, roles: set[Role] | None, told: str) -> None:
    ledger = empty_ledger()
    import_text(ledger, PLAYERS_HEADER + "1,Ana,CHI,,1985-03-04,,,\n")
    site = browse(ledger)
    account = None if roles is None else Account("a", frozenset(roles))
    cast(FastAPI, site.app).state.identify = lambda _: account
    assert site.get(address("/players/1")).json()["birth_date"] == told
    assert site.get(address("/players")).json()["players"][0]["birth_date"] == told


def test_rows_come_in_the_order_and_the_choice_of_the_pages(browse: Browse) -> None:
    rich, path = browse(named()), address("/lists/ENF/2010-07?limit=1000")
    every = rich.get(path).json()["rows"]
    provisional = rich.get(path, params={"state": "provisional"}).json()["rows"]
    rated = rich.get(path, params={"state": "rated", "sort": "gain"}).json()["rows"]
    assert {row["id"] for row in every} == {row["id"] for row in (*provisional, *rated)}
    assert provisional
    assert all(row["rating"] is None or row["provisional"] for row in provisional)
    changes = [row["change"] for row in rated if row["change"] is not None]
    assert changes == sorted(changes, reverse=True)
    first = rich.get(address("/lists/ENF/2010-07?sort=name&limit=1"))
    assert "sort=name" in first.headers["link"]
    second = rich.get(first.headers["link"].partition(">")[0].removeprefix("<")).json()["rows"]
    assert second[0]["id"] == rich.get(path, params={"sort": "name"}).json()["rows"][1]["id"]


def test_players_are_chosen_by_sex_as_on_their_page(browse: Browse) -> None:
    rich = browse(named())
    women = rich.get(address("/players?sex=w&limit=1000")).json()["players"]
    everybody = rich.get(address("/players?limit=1000")).json()["players"]
    assert women == [each for each in everybody if each["sex"] == "w"]
    assert 0 < len(women) < len(everybody)


def test_a_comparison_takes_parameters_and_refuses_those_that_are_none(rich: TestClient) -> None:
    path = address("/lists/ENF/comparison?with=elo-linear")
    usual = rich.get(path).json()
    assert rich.get(f"{path}&param=constant=20").json() != usual
    assert rich.get(f"{path}&param=nonsense").status_code == 422
    assert rich.get(f"{path}&param=constant=1&param=constant=2").status_code == 422


def test_a_ladder_has_by_default_the_ratings_of_the_last_commit(rich: TestClient) -> None:
    at_once = rich.get(address("/ladders/Club"))
    assert at_once.status_code == 200
    day = rich.get(address("/commits?limit=1000")).json()["commits"][-1]["recorded_at"][:10]
    assert at_once.json() == rich.get(address(f"/ladders/Club?on={day}")).json()
