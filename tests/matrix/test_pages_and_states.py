"""Page × state: every GET route of the site, in every state of a ledger, in both languages.

An address is made of the path of a route by ``VALUES``: a new parameter needs a line there. What an
address names is born at a seq of the history: before that its answer is 404, from then on 200.
``CASES`` has what is otherwise. A route that nobody declared is asked like all others.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import pytest
from fastapi import FastAPI, Request
from fastapi.routing import APIRoute

from ledger.service.ledger import Ledger
from ledger.service.publications import publish_restated
from ledger.terms import Role
from ledger.wording import LANGUAGES
from tests.ledgers import copied, do, request
from tests.matrix.states import History, corrected, make_history
from tests.web.access_table import routes, rows
from tests.web.conftest import ORIGIN
from tests.web.offices import new_office
from web.access import Account
from web.app import create_app
from web.assets import asset_path
from web.query_words import words_read
from web.settings import WebSettings
from web.site import Site

LEDGERS: Final = ("empty", "corrected", "erased, merged and undone people")
NEVER: Final = 10**9
"""A seq that no history reaches: what only an office, a witness or a secret would bring."""
VALUES: Final = {
    "name": "ENF", "list": "ENF", "period": "2010-07@1", "player": "A", "opponent": "B",
    "tournament": "T1", "number": "1", "round": "1", "commit": "3", "ladder": "Club", "page": "1",
    "regulation": "enf-2010", "key": "player.unknown", "what": "players", "form": "crosstable",
    "digest": "", "file": "none", "secret": "none", "code": "none", "id_": "none", "job": "none",
    "submission": "none", "account": "nobody", "webhook": "1", "path": "0/000",
}  # fmt: skip
"""By parameter; ``seq`` is that of a correction."""
OF_NOTHING: Final = frozenset(
    {"digest", "file", "secret", "code", "id_", "job", "submission", "account", "webhook", "path"}
)
"""Parameters that name what the site of these tests has not."""
UNBORN: Final = frozenset({"key", "regulation", "page", "form", "what"})
"""Parameters that name what no event begins."""


@dataclass(frozen=True)
class Case:
    """What is asked of a route, and from which seq on it is there, by a name in the history."""

    query: str = ""
    values: dict[str, str] = field(default_factory=dict)
    status: int = 200
    since: str = ""


_DESK: Final = {"tournament": "desk"}
_TEAMS: Final = {"tournament": "teams"}
_JULY: Final = {"period": "2010-07"}
CASES: Final[dict[str, Case]] = {
    "/logo": Case(since="never"),
    "/demo": Case(since="never"),
    "/checkpoint": Case(since="never"),
    "/proofs/checkpoint": Case(since="never"),
    "/account/claims": Case(since="never"),
    "/api/v1/verification": Case(since="never"),
    "/favicon.ico": Case(status=307),
    "/static/{digest}/{name}": Case(since="always"),
    "/sitemaps/{what}/{page}": Case(since="player"),
    "/claims/new": Case(),
    "/lists/{name}/diff": Case(since="first list"),
    "/lists/{name}/{period}/letters": Case(values=_JULY, since="first list"),
    "/lists/{name}/{period}/email": Case(values=_JULY, since="first list"),
    "/lists/{name}/{period}/publish": Case(values=_JULY),
    "/players/{player}/titles": Case("list=ENF"),
    "/players/{player}/card.png": Case(since="second list"),
    "/players/{player}/{name}": Case(status=307),
    "/players/{player}/{name}/why": Case(since="second list"),
    "/players/{player}/{name}/{period}": Case(values=_JULY, since="player"),
    "/proofs/events/{seq}": Case(since="never"),
    "/proofs/lists/{name}/{period}": Case(since="never"),
    "/proofs/lists/{name}/{period}/{player:path}": Case(since="never"),
    "/office/next": Case(since="name"),
    "/tournaments/{tournament:path}/standings.{form}": Case(values={"form": "csv"}),
    "/tournaments/{tournament:path}/teams": Case(values=_TEAMS),
    "/desk/{tournament:path}/numbers": Case(values=_DESK),
    "/desk/{tournament:path}/pair": Case(values=_DESK),
    "/desk/{tournament:path}/rounds/{number}": Case(values=_DESK),
    "/desk/{tournament:path}/teams": Case(values=_TEAMS),
    "/ladders/{ladder}": Case("on=2010-09-05"),
    "/api/v1/ladders/{ladder}": Case("on=2010-09-05"),
    "/api/v1/lists/{list}/periods/{period}/check": Case(values=_JULY, since="name"),
    "/api/v1/lists/{list}/periods/{period}/letters": Case(values=_JULY, since="first list"),
    "/api/v1/lists/{list}/diff": Case("before=2010-07@1&after=2010-07", since="first list"),
    "/api/v1/lists/{list}/comparison": Case("with=fide-1972"),
    "/api/v1/players/{player}/{list}/why": Case(since="second list"),
    "/api/v1/players/{player}/{list}/forecast": Case("opponent=B"),
    "/api/v1/players/{player}/{list}/{period}": Case(since="first list"),
    "/api/v1/tournaments/{tournament}/seats": Case(values=_DESK),
    "/api/v1/tournaments/{tournament}/rounds/{round}": Case(values=_DESK),
    "/api/v1/tournaments/{tournament}/teams": Case(values=_TEAMS),
    "/api/v1/tournaments/{tournament}/worksheet/{list}": Case(status=422),
    "/sign-in/oidc": Case(status=422),
    "/sign-in/oidc/callback": Case(status=422),
}


_ERROR: Final = re.compile(rb"<title>[45][0-9][0-9]|problems/web\.bug")


OF_THE_UNDONE: Final = frozenset(
    {
        "/erase/{player:path}",  # a person can be erased whose registration was taken back
        "/players/{player}/{name}/{period}",  # by the edition, which knew the player
    }
)
"""Routes that answer about a player whose registration was taken back."""


@dataclass(frozen=True)
class State:
    """A ledger with what is asked as known at; ``seq`` is the last that is known there."""

    ledger: str
    known: str
    seq: int


@dataclass
class Answer:
    """What a site answered."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


async def asked(app: FastAPI, address: str, role: Role | None, tag: str = "") -> Answer:
    """Returns the answer to a request; a client that measures nothing is a third of the time."""
    path, _, query = address.partition("?")
    headers = {
        "host": urlsplit(ORIGIN).netloc,
        "x-role": role.value if role else "",
        "if-none-match": tag,
    }
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET",
        "scheme": "http", "path": unquote(path), "raw_path": path.encode(), "root_path": "",
        "query_string": query.encode(), "client": ("127.0.0.1", 1), "server": ("site", 80),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items() if value],
    }  # fmt: skip
    answer, messages = Answer(), iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> Any:
        for message in messages:
            return message
        return await asyncio.get_running_loop().create_future()  # nobody hangs up

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            answer.status = int(message["status"])
            answer.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            answer.body += message.get("body", b"")

    await app(scope, receive, send)
    return answer


@cache
def history() -> History:
    return make_history()


@pytest.fixture(scope="module")
def apps(tmp_path_factory: pytest.TempPathFactory) -> dict[str, FastAPI]:
    """The site of each ledger; who asks has the role that the request says."""
    folder = tmp_path_factory.mktemp("sites")

    def identify(request: Request) -> Account | None:
        role = request.headers.get("x-role")
        return Account("ana", frozenset({Role(role)})) if role else None

    made = {}
    for at, name in enumerate(LEDGERS):
        cache_ = folder / str(at)
        cache_.mkdir()
        site = Site(
            Ledger(history().parts[name], clock=history().clock),
            WebSettings(ledger="", origin=ORIGIN, cache=cache_),
        )
        made[name] = create_app(site, new_office(cache_), identify)
    return made


def states() -> Iterator[State]:
    """Yields the newest state of each ledger, then past ones of the last: by seq and by day."""
    for name in LEDGERS:
        yield State(name, "", history().heads[name])
    for seq in sorted({at for out in history().published for at in (out - 1, out)}):
        yield State(LEDGERS[-1], f"as-known-at={seq}", seq)
    yield State(LEDGERS[-1], f"as-known-on={history().first_day}", history().heads["first day"])


def address_of(path: str, case: Case, values: dict[str, str]) -> str:
    """Returns an address of a route; raises ``KeyError`` for a parameter that nobody declared."""
    if path.startswith("/static/"):
        return asset_path("style.css")
    named = VALUES | {"seq": str(history().correction)} | case.values | values
    return re.sub(r"\{(\w+)(:path)?\}", lambda found: named[found[1]], path)


def born(path: str, case: Case) -> int:
    """Returns the seq from which on the address of a route is answered by what it names."""
    if case.since:
        return history().born[case.since]
    parameters = re.findall(r"\{(\w+)", path)
    if not OF_NOTHING.isdisjoint(parameters):
        return NEVER
    born_at = history().born
    places = [
        born_at.get(case.values.get(each, each), born_at[each])
        for each in parameters
        if each not in UNBORN
    ]
    return max(places, default=0)


def role_for(path: str) -> Role | None:
    """Returns a role that may read a route; None where everybody may."""
    who = rows()["GET", path].who
    if "everybody" in who:
        return None
    return next(
        (role for role in (Role.OFFICER, Role.ADMINISTRATOR) if role.value in who), Role.OFFICER
    )


def readable() -> dict[str, APIRoute]:
    """Returns the routes that are read, by path."""
    return {path: route for (method, path), route in routes().items() if method == "GET"}


def takes_a_state(route: APIRoute) -> bool:
    return "as-known-at" in words_read(route.dependant)[0]


def wrong(answer: Answer, expected: int) -> str:
    """Says what is wrong with an answer; empty: nothing is."""
    kind = answer.headers.get("content-type", "")
    if answer.status != expected:
        return f"{answer.status} for {expected}: {plain(answer)}"
    if answer.status == 200 and _ERROR.search(answer.body):
        return f"an error page: {plain(answer)}"
    if answer.status == 200 and kind.startswith("application/json"):
        json.loads(answer.body)
    return ""


def plain(answer: Answer) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", answer.body.decode(errors="replace")).split())[-400:]


def test_every_page_answers_in_every_state(apps: dict[str, FastAPI]) -> None:
    found = asyncio.run(faults(apps))
    assert found == [], "declare it in CASES, or mend the page:\n" + "\n".join(found)


async def faults(apps: dict[str, FastAPI]) -> list[str]:
    """Returns what is answered otherwise than declared."""
    found = []
    for path, route in readable().items():
        case, role = CASES.get(path, Case()), role_for(path)
        address = address_of(path, case, {})
        for state in states():
            if state.known and not takes_a_state(route):
                continue
            expected = case.status if state.seq >= born(path, case) else 404
            for language in LANGUAGES:
                words = "&".join(filter(None, (case.query, state.known, f"lang={language}")))
                query = "" if path.startswith("/static/") else f"?{words}"
                answer = await asked(apps[state.ledger], address + query, role)
                if fault := wrong(answer, expected):
                    found.append(f"{state.ledger}: {address}{query}: {fault}")
            tag = answer.headers.get("etag", "")
            if tag and not state.known and answer.status == 200:
                again = await asked(apps[state.ledger], address + query, role, tag)
                if again.status != 304:
                    found.append(f"{state.ledger}: {address}{query}: {again.status} for 304")
        if role is not None:
            stranger = await asked(apps[LEDGERS[-1]], address, None)
            expected = 401 if path.startswith("/api/") else 303
            if stranger.status != expected:
                found.append(f"a stranger at {address}: {stranger.status} for {expected}")
    return found


def test_what_depends_on_the_day_is_asked_for_anew_on_another_day(
    apps: dict[str, FastAPI],
) -> None:
    today = history().clock.now

    def let_days_pass() -> None:
        history().clock.now += dt.timedelta(days=304)

    found = asyncio.run(stale_answers(apps[LEDGERS[-1]], [let_days_pass]))
    history().clock.now = today
    assert found == [], "the day belongs into the validator"


def test_what_depends_on_later_commits_is_asked_for_anew_after_them(tmp_path: Path) -> None:
    journal = copied(history().parts["second list published"])
    ledger = Ledger(journal, clock=history().clock)
    site = Site(ledger, WebSettings(ledger="", origin=ORIGIN, cache=tmp_path))

    def correct_a_result() -> None:
        do(ledger, corrected("T1"))

    def publish_again() -> None:
        publish_restated(ledger, "ENF", request())

    changes = [correct_a_result, publish_again]
    found = asyncio.run(stale_answers(create_app(site), changes, *OF_AN_EDITION))
    assert found == [], "an answer that shows later commits is not settled by its edition"


OF_AN_EDITION: Final = ("/lists/ENF/2010-07?recalculated=true", "/players/A/ENF/2010-07?edition=1")


async def stale_answers(
    app: FastAPI, changes: Sequence[Callable[[], None]], *others: str
) -> list[str]:
    """Returns the addresses that answer 304 after a change, though they would answer otherwise.

    ``others`` are addresses beside one of each route.
    """
    addresses = [
        f"{address_of(path, case, {})}?{case.query}"
        for path in readable()
        for case in [CASES.get(path, Case())]
        if role_for(path) is None and case.since != "never"
    ]
    answers = {address: await asked(app, address, None) for address in (*addresses, *others)}
    found = []
    for change in changes:
        change()
        for address, answer in answers.items():
            answers[address] = later = await asked(app, address, None)
            tag = answer.headers.get("etag", "")
            if tag and (await asked(app, address, None, tag)).status == 304:
                is_same = without_state(later) == without_state(answer)
                found += [] if is_same else [f"{address} after {change.__name__}"]
    return found


def without_state(answer: Answer) -> bytes:
    """Returns a body without the line that says of which state it is: that stays true."""
    return re.sub(rb"<p>As known on .*", b"", answer.body)


def test_pages_of_people_who_are_gone_and_of_events_at_the_desk_answer(
    apps: dict[str, FastAPI],
) -> None:
    found = asyncio.run(faults_of_others(apps))
    assert found == [], "declare it in CASES, or mend the page:\n" + "\n".join(found)


async def faults_of_others(apps: dict[str, FastAPI]) -> list[str]:
    """Returns errors of the pages of others: erased, merged, undone, of the desk, of teams."""
    found, last = [], LEDGERS[-1]
    for path, route in readable().items():
        case, role = CASES.get(path, Case()), role_for(path)
        for name, values in (("player", "XMU"), ("tournament", ("desk", "teams"))):
            if f"{{{name}" not in path:
                continue
            for value in values:
                address = address_of(path, case, {name: value})
                for known in ("", f"as-known-at={history().undone_at - 1}"):
                    if known and not takes_a_state(route):
                        continue
                    query = "&".join(filter(None, (case.query, known)))
                    answer = await asked(apps[last], f"{address}?{query}", role)
                    is_gone = value == "U" and not known and path not in OF_THE_UNDONE
                    if answer.status not in ({404, 307} if is_gone else {200, 303, 307, 404, 422}):
                        found.append(f"{address}?{query}: {answer.status}: {plain(answer)}")
    return found
