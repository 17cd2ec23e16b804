"""Rating meanings × faces: official, recalculated and preview, wherever a rating is answered.

A ledger in which the three differ for one player: July is published, a result of it is corrected
since, and August, which is open, has games. Whatever answers with a rating is found in the schemas
of the API's answers: a field that nobody put into the table below fails.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.archives import make_ledger, open_ledger
from ledger.service.ledger import Ledger
from tests.cli.running import run_here
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    about,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
    with_july_published,
)
from tests.web.conftest import ORIGIN
from tests.web.support import read, text_of
from web.api.description import description
from web.app import create_app
from web.settings import WebSettings
from web.site import Site

PLAYER, LIST, OUT, OPEN = "A", "ENF", "2010-07", "2010-08"
BY_STATE = "the answer says its state; by default it is published"
CALCULATED = "the answer is calculated from what is known now, and says so"
PREVIEW = "the answer is a preview, and says so"
IN_FORCE = "of the list in force on the first day, as published"
COUNTED = "as counted in a statement or game, whose answer says its state"
DIFFERENCE = "of two lists, or of before and after a change, that the answer names"
NO_RATING = "no rating of a player"
FIELDS: dict[str, dict[str, str]] = {
    BY_STATE: {
        "HistoryLine": "restated", "ListRow": "rating", "ListedRating": "rating",
        "Person": "rating", "Statement": "closing first_rating opening",
    },
    CALCULATED: {
        "CareerGame": "opponent_rating", "CertificateGame": "rating", "GameLine": "opponent_rating",
        "PlayerTitleRow": "rating", "PreviewRow": "rating", "TitleRow": "rating",
        "WorksheetRow": "new_rating rating",
    },
    PREVIEW: {
        "ForecastGame": "opponent_rating", "ForecastScore": "most_rating rating",
        "LiveRow": "live published", "RatingForecast": "rating wanted_rating",
    },
    IN_FORCE: {
        "CardRow": "rating", "LadderChallenge": "ratings", "LadderPlace": "rating",
        "PairingCard": "rating", "ResultRow": "rating", "Seat": "rating", "StandingsLine": "rating",
    },
    COUNTED: {"CreditedGame": "opponent_rating rating", "PostingLine": "opponent_rating"},
    DIFFERENCE: {
        "CascadeCell": "after before", "LetterLine": "after before", "ListedPlayer": "rating",
        "Monitor": "after before", "MonitorLine": "after before", "Move": "after before",
        "RatingCauses": "after before", "RatingMove": "after before", "RatingShift": "after before",
    },
    NO_RATING: {
        "Crosstable": "after", "EventProgress": "after", "EventResults": "after",
        "ExplainedStandings": "after", "ListDescription": "published", "PrizeTable": "after",
        "PublicationCheck": "before", "ScoreForm": "after", "Standings": "after",
        "TeamTables": "after",
    },
}  # fmt: skip
SAYS_STATE = (BY_STATE, CALCULATED, PREVIEW, COUNTED)
STATES = {"published", "preview", "recalculated"}
_IS_RATING = re.compile("rating|^(official|live|restated|opening|closing|published|before|after)$")


def is_number(schema: dict[str, Any]) -> bool:
    parts = [*schema.get("anyOf", ()), schema.get("items", {})]
    return schema.get("type") == "integer" or any(map(is_number, filter(None, parts)))


def named_in(schema: Any) -> set[str]:
    return set(re.findall(r'components/schemas/([^"]+)"', json.dumps(schema)))


def says_state(schema: dict[str, Any]) -> bool:
    state = schema.get("properties", {}).get("state", {})
    kinds = [state, *state.get("anyOf", ())]
    return any(set(kind.get("enum", ())) == STATES for kind in kinds)


def answered() -> set[tuple[str, bool]]:
    """Returns every shape in an answer of a GET route, and whether it or one around says a state.

    A shape that is found both ways is there twice.
    """
    described = description()
    schemas = described["components"]["schemas"]
    found = set[tuple[str, bool]]()
    for operations in described["paths"].values():
        answer = operations.get("get", {}).get("responses", {}).get("200", {})
        left = [(name, False) for name in named_in(answer)]
        while left:
            name, is_said = left.pop()
            if name in schemas:
                is_said = is_said or says_state(schemas[name])
                if (name, is_said) not in found:
                    found.add((name, is_said))
                    left += [(below, is_said) for below in named_in(schemas[name])]
    return found


def test_every_field_with_a_rating_has_a_meaning() -> None:
    schemas = description()["components"]["schemas"]
    found = {
        (name, field)
        for name, _ in answered()
        for field, schema in schemas[name].get("properties", {}).items()
        if _IS_RATING.search(field) and is_number(schema)
    }
    known = {
        (name, field)
        for shapes in FIELDS.values()
        for name, fields in shapes.items()
        for field in fields.split()
    }
    assert found == known


def test_an_answer_says_the_state_of_its_ratings() -> None:
    found = answered()
    must = {name for meaning in SAYS_STATE for name in FIELDS[meaning]}
    assert {name for name, is_said in found if not is_said} & must == set()
    assert {name for name, _ in found} >= must


# The values


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("meanings")


@pytest.fixture(scope="module")
def ledger(folder: Path) -> Iterator[Ledger]:
    make_ledger(str(folder / "rating-ledger.db"))
    journal = open_ledger(str(folder / "rating-ledger.db"))
    ledger = with_july_published(journal)
    turned = c.CorrectResult(
        tournament="T1", round=1, white="A", black="B", result=Result.parse("0-1")
    )
    do(ledger, turned)
    import_text(ledger, GAMES_HEADER + about("T3", "2010-08-20", "A,B,1-0"))
    yield ledger
    journal.close()


@pytest.fixture(scope="module")
def site(ledger: Ledger, folder: Path) -> TestClient:
    settings = WebSettings(ledger="", origin=ORIGIN, cache=folder / "cache")
    return TestClient(create_app(Site(ledger, settings)), base_url=ORIGIN)


def api(site: TestClient, address: str) -> Any:
    answer = site.get(f"/api/v1{address}")
    assert answer.status_code == 200, (address, answer.text)
    return answer.json()


def of(rows: list[dict[str, Any]]) -> dict[str, Any]:
    (row,) = (row for row in rows if row["id"] == PLAYER)
    return row


@pytest.fixture(scope="module")
def figures(site: TestClient) -> tuple[int, int, int]:
    """The official, the recalculated and the preview rating of one player."""
    history = {line["period"]: line for line in api(site, "/players/A/ENF/history")["periods"]}
    (published,) = history[OUT]["published"]
    recalculated, preview = history[OUT]["restated"], history[OPEN]["restated"]
    assert (history[OUT]["state"], history[OPEN]["state"]) == ("recalculated", "preview")
    official = published["rating"]
    assert len({official, recalculated, preview}) == 3
    return official, recalculated, preview


def test_the_api_gives_the_official_rating_unless_another_is_asked_for(
    site: TestClient, figures: tuple[int, int, int]
) -> None:
    official, recalculated, preview = figures
    (rating,) = api(site, "/players/A")["ratings"]
    out = {"list": LIST, "period": OUT, "edition": 1, "in_force_on": "2010-08-01"}
    published = out | {"state": "published"}
    assert rating == published | {"rating": official, "provisional": False}
    row = of(api(site, "/players?search=A")["players"])
    assert published.items() <= row.items()
    assert row["rating"] == official
    for period, wanted, edition, state, figure in (
        (OUT, "", 1, "published", official),
        (f"{OUT}@1", "", 1, "published", official),
        (OUT, "?recalculated", None, "recalculated", recalculated),
        (OPEN, "", None, "preview", preview),
        (OPEN, "?recalculated=true", None, "preview", preview),
    ):
        rows = api(site, f"/lists/{LIST}/{period}{wanted}")
        assert (rows["edition"], rows["state"]) == (edition, state)
        assert of(rows["rows"])["rating"] == figure
        explained = api(site, f"/players/A/{LIST}/{period}{wanted}")
        assert (explained["edition"], explained["state"]) == (edition, state)
        assert explained["closing"] == figure
    live = api(site, f"/lists/{LIST}/live")
    assert live["state"] == "preview"
    assert (of(live["rows"])["published"], of(live["rows"])["live"]) == (official, preview)


OF_A_PERIOD = {
    "/lists/{list}/{period}": "?recalculated=true",
    "/players/{player}/{list}/{period}": "?recalculated=true",
    "/players/{player}/{list}/performance/{tournament}": "",
    "/tournaments/{tournament}/gains": "?list=ENF",
    "/tournaments/{tournament}/worksheet/{list}": "",
    "/tournaments/{tournament}/certificates/{player}": "?list=ENF",
}
"""By route whose answer says the state of one period's ratings as known: its query."""
OTHERWISE = {
    "/lists/{list}/live", "/players/{player}/{list}/forecast",  # of a list to come
    "/players/{player}/titles", "/players/{player}/{list}/career",
    "/tournaments/{tournament}/titles",
    "/players/{player}/{list}/against/{opponent}",  # by the ratings of several periods
}  # fmt: skip


def test_every_route_that_says_a_state_is_asked() -> None:
    described = description()
    schemas, paths = described["components"]["schemas"], described["paths"]
    found = {
        path.removeprefix("/api/v1")
        for path, operations in paths.items()
        for name in named_in(operations.get("get", {}).get("responses", {}).get("200", {}))
        if name in schemas and says_state(schemas[name])
    }
    assert found == OF_A_PERIOD.keys() | OTHERWISE


@pytest.mark.parametrize("state", sorted(STATES))
def test_all_answers_about_a_period_as_known_say_one_state(state: str, tmp_path: Path) -> None:
    ledger = empty_ledger()
    define(ledger)
    rated = "".join(f"{player},{player},CHI,,1985,1800,40,50\n" for player in "ABC")
    import_text(ledger, PLAYERS_HEADER + rated, list_="ENF")
    games = about("T9", "2010-07-10", "A,B,1-0", "C,A,1/2-1/2", "B,C,1-0")
    import_text(ledger, GAMES_HEADER + games.replace("swiss", "round-robin"))
    if state != "preview":
        publish_period(ledger, OUT)
    if state == "recalculated":
        turned = Result.parse("0-1")
        do(ledger, c.CorrectResult(tournament="T9", round=1, white="A", black="B", result=turned))
    names = {"list": LIST, "period": OUT, "player": PLAYER, "tournament": "T9"}
    settings = WebSettings(ledger="", origin=ORIGIN, cache=tmp_path / "cache")
    with TestClient(create_app(Site(ledger, settings)), base_url=ORIGIN) as site:
        found = {
            path: api(site, path.format(**names) + query)["state"]
            for path, query in OF_A_PERIOD.items()
        }
    assert found == dict.fromkeys(OF_A_PERIOD, state)


@pytest.mark.parametrize(
    ("address", "rows"),
    [
        ("/tournaments/T3/standings?list=ENF", "rows"),
        ("/tournaments/T3/results", "rows"),
        ("/tournaments/T3/cards?list=ENF", "cards"),
    ],
)
def test_an_event_shows_the_list_in_force_as_published(
    site: TestClient, figures: tuple[int, int, int], address: str, rows: str
) -> None:
    assert of(api(site, address)[rows])["rating"] == figures[0]


def test_pages_show_the_official_rating_unless_another_is_asked_for(
    site: TestClient, figures: tuple[int, int, int]
) -> None:
    official, recalculated, preview = map(str, figures)
    for address, shown in (
        (f"/lists/{LIST}/{OUT}", official),
        (f"/lists/{LIST}/{OUT}?recalculated", recalculated),
        (f"/lists/{LIST}/{OPEN}", preview),
    ):
        page = site.get(address).text
        assert re.findall(rf'href="/players/A/{LIST}/[^"]*">([0-9]+)<', page) == [shown], address
        path, _, query = address.partition("?")
        table = csv.DictReader(site.get(f"{path}/csv?{query}").text.splitlines())
        assert of(list(table))["rating"] == shown, address
        assert of(site.get(f"{path}/json?{query}").json()["rows"])["rating"] == int(shown)
    for address, shown, hidden in (
        (f"/players/A/{LIST}/{OUT}", official, (recalculated,)),
        (f"/players/A/{LIST}/{OUT}?recalculated=true", recalculated, (official,)),
        ("/feeds/players/A", official, (recalculated, preview)),
    ):
        page = read(site, address)
        assert shown in page, address
        assert not [figure for figure in hidden if re.search(rf"\b{figure}\b", page)], address
    rows = site.get("/players?q=A", headers={"HX-Request": "true"})  # else it opens the player
    assert rows.status_code == 200
    assert re.findall(r"\b(?:{}|{}|{})\b".format(*figures), text_of(rows.text)) == [official]
    head = site.get("/players/A").text
    (card,) = re.findall(r'<meta property="og:description" content="([^"]*)"', head) or [""]
    assert official in card
    assert preview not in card


def test_the_command_line_shows_the_official_rating_unless_another_is_asked_for(
    ledger: Ledger, folder: Path, figures: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    head = str(ledger.facts().seq)

    def said(*words: str) -> Any:
        done = run_here(*words, "--format", "json")
        assert done.code == 0, done.err
        return json.loads(done.out)

    (rating,) = said("player", "show", PLAYER)["ratings"]
    assert (rating["rating"], rating["state"]) == (figures[0], "published")
    assert of(said("player", "find", "A")["players"])["rating"] == figures[0]
    for words, figure, state in (
        ((), figures[0], "published"),
        (("--recalculated",), figures[1], "recalculated"),
        (("--as-known-at", head), figures[1], "recalculated"),
    ):
        rows = said("list", "show", LIST, OUT, *words)
        assert (of(rows["rows"])["rating"], rows["state"]) == (figure, state)
        explained = said("explain", PLAYER, "--list", LIST, "--period", OUT, *words)
        assert (explained["closing"], explained["state"]) == (figure, state)
    assert "--recalculated" in run_here("list", "show", LIST, OUT).err
    explain = ("explain", PLAYER, "--list", LIST, "--period", OUT)
    assert "--recalculated" in run_here(*explain).err
    assert run_here(*explain, "--edition", "1").err == ""
    for period, text in (
        (("--period", OUT), "edition 1, official, in force from 2010-08-01"),
        (("--period", OUT, "--recalculated"), "recalculated, not official"),
        (("--period", OPEN), "preview, not official"),
    ):
        heading = text.split(",")[0] if period[1:] == (OUT,) else text
        list_ = run_here("list", "show", LIST, *period[1:])
        assert (list_.code, f", {heading}, in force" in list_.out) == (0, True)
        statement = run_here("explain", PLAYER, "--list", LIST, *period)
        assert (statement.code, statement.out.startswith(f"{text}\n")) == (0, True)
