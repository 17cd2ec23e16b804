"""Programs record: with a token, once under a key, at the seq that was seen, or not at all."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from typing import Any, Final, cast

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient
from httpx2 import Response

from ledger.operations import commands as c
from ledger.operations.programs import COMMANDS, ProgramCommand
from ledger.results import Result
from ledger.service.accounts import grant_role
from ledger.service.ledger import Ledger
from ledger.service.receipts import receipt_data
from ledger.terms import PairingMethod, Rate, Role, System
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    define,
    do,
    empty_ledger,
    import_text,
    request,
)
from tests.web.api import address
from tests.web.conftest import Browse
from web.access import Account
from web.api.routing import SEQ_HEADER

GAMES: Final = "".join(
    f"t,T,2010-07-03,2010-07-04,swiss,classical,,{round_},,{white},{black},{result}\n"
    for round_, white, black, result in (
        (1, "1", "2", "1-0"), (1, "3", "4", "0-1"), (2, "1", "3", "1/2-1/2"),
    )
)  # fmt: skip
SCOPES: Final = frozenset(each.operation.by.scope for each in COMMANDS)
ACCOUNTS: Final = {
    "officer": Account("ana", frozenset({Role.OFFICER}), by_token=True, scopes=SCOPES),
    "other": Account("luis", frozenset({Role.OFFICER}), by_token=True, scopes=SCOPES),
    "arbiter": Account("eva", frozenset({Role.ARBITER}), by_token=True, scopes=SCOPES),
    "limited": Account(
        "leo", frozenset({Role.ARBITER}), by_token=True, scopes=SCOPES,
        tournaments=frozenset({"mine"}),
    ),
    "auditor": Account("max", frozenset({Role.AUDITOR}), by_token=True, scopes=SCOPES),
    "narrow": Account(
        "ana", frozenset({Role.OFFICER}), by_token=True, scopes=frozenset({"ladders"})
    ),
}  # fmt: skip
Give = Callable[..., Response]
WRONG: Final[dict[str, Any]] = {
    "tournament": "t",
    "round": 1,
    "white": "1",
    "black": "2",
    "result": "0-1",
}
CORRECTION: Final[dict[str, Any]] = {**WRONG, "reason": "score sheet"}


def identify(asked: Request) -> Account | None:
    return ACCOUNTS.get(asked.headers.get("authorization", "").removeprefix("Bearer "))


@pytest.fixture
def ledger() -> Ledger:
    made = empty_ledger()
    define(made)
    players = "".join(f"{n},Player {n},CHI,,,1800,,30\n" for n in "1234")
    import_text(made, PLAYERS_HEADER + players, list_="ENF")
    import_text(made, GAMES_HEADER + GAMES)
    return made


@pytest.fixture
def site(browse: Browse, ledger: Ledger) -> TestClient:
    made = browse(ledger)
    cast(FastAPI, made.app).state.identify = identify
    return made


@pytest.fixture
def give(site: TestClient) -> Give:
    def given(
        command: str, said: Any, *, who: str = "officer", key: str | None = "1", **more: str
    ) -> Response:
        headers = {"authorization": f"Bearer {who}", **more}
        if key is not None:
            headers["idempotency-key"] = key
        return site.post(address(f"/commands/{command}"), json=said, headers=headers)

    return given


def head(ledger: Ledger) -> int:
    return ledger.journal.head().seq


# Recording


def test_a_correction_is_recorded_with_the_account_as_actor(give: Give, ledger: Ledger) -> None:
    before = head(ledger)
    answer = give("correct-result", CORRECTION)
    assert answer.status_code == 200, answer.text
    said = answer.json()
    assert (said["first_seq"], said["last_seq"]) == (before + 1, before + 1) == (head(ledger),) * 2
    assert answer.headers[SEQ_HEADER] == str(head(ledger))
    assert answer.headers["cache-control"] == "no-store"
    *_, commit = ledger.journal.commits()
    assert (commit.actor, commit.reason) == ("ana", "score sheet")
    (event,) = said["events"]
    assert event["type"] == "result.corrected"
    assert event["payload"]["white"] == "1"


def test_the_same_again_is_carried_out_once_and_answered_alike(give: Give, ledger: Ledger) -> None:
    first = give("correct-result", CORRECTION).json()
    recorded = head(ledger)
    define(ledger, "LATER")
    again = give("correct-result", CORRECTION).json()
    assert head(ledger) == recorded + 2
    assert again == first | {"repeated": True}


def test_an_answer_that_was_lost_is_had_again_though_the_seq_is_another_by_now(
    give: Give, ledger: Ledger
) -> None:
    seen = {"if-match": f'"{head(ledger)}"'}
    first = give("correct-result", CORRECTION, **seen)
    again = give("correct-result", CORRECTION, **seen)
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json()["commit"] == first.json()["commit"]


def test_a_key_stands_for_one_command_of_one_account(give: Give, ledger: Ledger) -> None:
    assert give("correct-result", CORRECTION).status_code == 200
    recorded = head(ledger)
    for other in (CORRECTION | {"result": "1/2-1/2"}, CORRECTION | {"reason": "else"}):
        assert give("correct-result", other).status_code == 409
    assert give("record-result", WRONG).status_code == 409
    assert head(ledger) == recorded
    draw = CORRECTION | {"result": "1/2-1/2"}
    assert give("correct-result", draw, who="other").status_code == 200
    assert head(ledger) == recorded + 1


@pytest.mark.parametrize("key", [None, "", " ", "a b", "x" * 201])
def test_a_command_needs_a_key(give: Give, ledger: Ledger, key: str | None) -> None:
    before = head(ledger)
    assert give("correct-result", CORRECTION, key=key).status_code == 422
    assert head(ledger) == before


def test_nothing_is_recorded_where_something_was_recorded_since(give: Give, ledger: Ledger) -> None:
    seen = head(ledger)
    define(ledger, "LATER")
    recorded = head(ledger)
    late = give("correct-result", CORRECTION, **{"if-match": f'"{seen}"'})
    assert late.status_code == 412
    assert head(ledger) == recorded
    for now in (f'"{recorded}"', str(recorded), "*"):
        assert give("correct-result", CORRECTION, **{"if-match": now}).status_code == 200
    assert head(ledger) == recorded + 1


@pytest.mark.parametrize("seen", ["x", '"1', "-1", "1, 2", "9" * 30])
def test_what_was_seen_is_a_seq(give: Give, seen: str) -> None:
    answer = give("correct-result", CORRECTION, **{"if-match": seen})
    assert answer.status_code in {412, 422}


def test_a_preview_records_nothing_and_says_what_a_dry_run_says(
    site: TestClient, ledger: Ledger
) -> None:
    before = head(ledger)
    answer = site.post(
        address("/previews/correct-result"),
        json=CORRECTION,
        headers={"authorization": "Bearer officer"},
    )
    assert answer.status_code == 200, answer.text
    assert head(ledger) == before
    command = c.CorrectResult(
        **{name: value for name, value in WRONG.items() if name != "result"},
        result=Result.parse("0-1"),
    )
    dry = ledger.execute([command], request("score sheet", dry_run=True))
    assert answer.json() == receipt_data(dry, "en")
    assert {shift["id"] for shift in answer.json()["impact"]} >= {"1", "2"}


def test_a_player_without_an_id_gets_one_by_the_rule_if_there_is_one(
    give: Give, ledger: Ledger
) -> None:
    said = {"identity": {"name": "Roe, Ana"}, "federation": None}
    refused = give("register-player", said)
    assert refused.status_code == 422, refused.text
    assert refused.json()["type"] == "/api/v1/problems/player.needs_id"
    given = give("register-player", said | {"player": "N1"})
    assert given.status_code == 200, given.text
    assert ledger.journal.recorded(["player:N1"])


def test_a_value_that_cannot_be_recorded_is_named_by_what_the_body_calls_it(give: Give) -> None:
    said = {"player": "new", "identity": {"name": "Roe, Ana"}, "federation": "Chile"}
    refused = give("register-player", said)
    assert refused.status_code == 422, refused.text
    assert refused.json()["detail"].startswith("'federation': 'Chile' cannot be recorded")


def test_what_is_kept_of_a_request_does_not_tell_whether_a_name_fits(give: Give) -> None:
    """Its digest is kept for good: it has no salt, and the person may be erased."""
    said = {"player": "new", "identity": {"name": "Roe, Ana"}, "federation": None}
    first = give("register-player", said, key="k")
    assert first.status_code == 200, first.text
    again = give("register-player", said | {"identity": {"name": "Poe, Eva"}}, key="k")
    assert again.json()["commit"] == first.json()["commit"]
    assert again.json()["repeated"]


def test_a_period_is_published_and_the_same_again_publishes_nothing(
    give: Give, ledger: Ledger
) -> None:
    said = {"list": "ENF", "period": "2010-07"}
    first = give("publish", said)
    assert first.status_code == 200, first.text
    assert first.json()["events"][0]["type"] == "list.published"
    recorded = head(ledger)
    assert give("publish", said).json()["commit"] == first.json()["commit"]
    unchanged = give("publish", said, key="2").json()
    assert (unchanged["first_seq"], unchanged["events"]) == (None, [])
    assert head(ledger) == recorded


def test_an_event_that_is_not_over_is_named_unless_it_is_published_anyway(
    give: Give, ledger: Ledger
) -> None:
    day = dt.date(2010, 7, 20)
    opened = c.OpenTournament(
        tournament="desk", name="Desk", starts_on=day, ends_on=day, system=System.SWISS,
        rate_of_play=Rate.CLASSICAL,
    )  # fmt: skip
    do(ledger, opened, c.AnnounceRules(tournament="desk", pairing=PairingMethod.FENAMAC_1975))
    said = {"list": "ENF", "period": "2010-07"}
    refused = give("publish", said)
    assert refused.status_code == 422
    assert "desk (Desk) is not closed" in refused.text
    done = give("publish", said | {"anyway": True}, key="2")
    assert (done.status_code, done.json()["notes"]) == (200, ["desk (Desk) is not closed"])


def test_a_published_period_needs_two_people_here_too(give: Give, ledger: Ledger) -> None:
    assert give("publish", {"list": "ENF", "period": "2010-07"}).status_code == 200
    for officer in ("ana", "luis"):
        grant_role(ledger, officer, Role.OFFICER, request=request())
    before = head(ledger)
    refused = give("correct-result", CORRECTION, key="2")
    assert refused.status_code == 422
    assert "two.needed" in refused.json()["type"]
    assert head(ledger) == before


def test_a_tournament_is_run_from_its_opening_to_its_close(give: Give) -> None:
    steps: list[tuple[str, dict[str, Any]]] = [
        ("open-tournament", {
            "tournament": "m", "name": "M", "starts_on": "2010-08-01", "ends_on": "2010-08-02",
            "system": "swiss", "rate_of_play": "classical", "rounds": 2,
        }),
        *(("enter-player", {"tournament": "m", "player": n}) for n in "1234"),
        ("announce-rules", {"tournament": "m", "pairing": "fenamac-1975", "rounds": 4}),
        ("announce-rounds", {"tournament": "m", "rounds": 5}),
        ("change-rounds", {"tournament": "m", "rounds": 4, "reason": "the hall closes"}),
        ("number-participants", {"tournament": "m", "order": list("1234")}),
        ("pair-round", {"tournament": "m"}),
        ("record-boards", {"tournament": "m", "round": 1, "results": {"1": "1-0", "2": "0-1"}}),
        ("correct-colours", {
            "tournament": "m", "round": 1, "white": "1", "black": "3", "reason": "both say so",
        }),
        ("publish-standings", {"tournament": "m"}),
        ("pair-round", {"tournament": "m"}),
        ("withdraw-round", {"tournament": "m", "round": 2, "reason": "fire alarm"}),
        ("close-tournament", {"tournament": "m", "anyway": True, "reason": "fire alarm"}),
    ]  # fmt: skip
    for number, (command, said) in enumerate(steps):
        answer = give(command, said, who="arbiter", key=str(number))
        assert answer.status_code == 200, (command, answer.text)
        assert answer.json()["events"], command
    late = WRONG | {"tournament": "m", "reason": "x"}
    assert give("correct-result", late, who="arbiter", key="late").status_code == 403


# Who may


def asked_by(site: TestClient, path: str, who: str | None) -> Response:
    headers = {"idempotency-key": "1"} | ({"authorization": f"Bearer {who}"} if who else {})
    return site.post(path, json={"unknown": 1}, headers=headers)


GIVEN: Final = [(folder, each) for folder in ("commands", "previews") for each in COMMANDS]


@pytest.mark.parametrize(("folder", "command"), GIVEN)
def test_who_may_give_a_command(
    site: TestClient, ledger: Ledger, folder: str, command: ProgramCommand
) -> None:
    before, path = head(ledger), address(f"/{folder}/{command.operation.name}")
    stranger = asked_by(site, path, None)
    assert stranger.status_code == asked_by(site, path, "nobody").status_code == 401
    assert stranger.headers["www-authenticate"] == "Bearer"
    assert stranger.headers["content-type"] == "application/problem+json"
    arbiters = 422 if Role.ARBITER in command.operation.by.roles else 403
    assert asked_by(site, path, "arbiter").status_code == arbiters
    assert asked_by(site, path, "auditor").status_code == 403
    assert asked_by(site, path, "narrow").status_code == (
        422 if command.operation.by.scope == "ladders" else 403
    )
    assert asked_by(site, path, "officer").status_code == 422
    assert head(ledger) == before


def test_who_may_not_is_told_so_before_a_body_is_read(site: TestClient) -> None:
    for body in (b"{", b"\xff", b""):
        answer = site.post(address("/commands/publish"), content=body)
        assert answer.status_code == 401


def test_an_arbiter_works_at_the_tournaments_that_are_his(give: Give, ledger: Ledger) -> None:
    opened = {
        "tournament": "mine", "name": "M", "starts_on": "2010-08-01", "ends_on": "2010-08-02",
        "system": "swiss", "rate_of_play": "classical",
    }  # fmt: skip
    assert give("open-tournament", opened, who="arbiter").status_code == 200
    mine, other = ({"tournament": name, "player": "1"} for name in ("mine", "t"))
    assert give("enter-player", mine, who="limited").status_code == 200
    before = head(ledger)
    assert give("enter-player", other, who="limited", key="2").status_code == 403
    another = opened | {"tournament": "x"}
    assert give("open-tournament", another, who="limited", key="3").status_code == 403
    assert head(ledger) == before


# What is refused


SLIPS: Final[tuple[dict[str, Any], ...]] = (
    {"colour": "white"}, {"round": "1"}, {"round": True}, {"round": 1.0}, {"round": 10**30},
    {"round": None}, {"white": 1}, {"white": ["1"]}, {"result": "2-0"}, {"result": {}},
    {"rating_only": "yes"}, {"white": "x" * 301}, {"white": "1\u0000"}, {"reason": "x" * 2_001},
    {"reason": "line\nbreak"}, {"reason": ""},
)  # fmt: skip


@pytest.mark.parametrize("said", [*(CORRECTION | slip for slip in SLIPS), {}, [], "x", 1])
def test_what_makes_no_sense_is_refused(give: Give, ledger: Ledger, said: Any) -> None:
    before = head(ledger)
    answer = give("correct-result", said)
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert head(ledger) == before


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 422),
        (b"", "application/json", 422),
        (b"\xff", "application/json", 422),
        (b'{"reason": NaN}', "application/json", 422),
        (b'{"reason": "a", "reason": "b"}', "application/json", 422),
        (b'{"reason": "\\ud800"}', "application/json", 422),
        (b'{"round": ' + b"9" * 5_000 + b"}", "application/json", 422),
        (b"[" * 100_000, "application/json", 422),
        (b'{"a":' * 20_000, "application/json", 422),
        (b'"' + b"x" * (1 << 20) + b'"', "application/json", 413),
        (json.dumps(CORRECTION).encode(), "text/plain", 415),
        (json.dumps(CORRECTION).encode(), "application/x-www-form-urlencoded", 415),
        (json.dumps(CORRECTION).encode(), "", 415),
        (json.dumps(CORRECTION).encode(), "application/json; charset=utf-8", 200),
    ],
)
def test_a_body_is_json_that_says_nothing_twice(
    site: TestClient, body: bytes, kind: str, status: int
) -> None:
    headers = {"authorization": "Bearer officer", "idempotency-key": "1", "content-type": kind}
    answer = site.post(address("/commands/correct-result"), content=body, headers=headers)
    assert answer.status_code == status, answer.text[:300]


def test_a_body_without_a_length_is_measured_too(site: TestClient) -> None:
    headers = {
        "authorization": "Bearer officer", "idempotency-key": "1",
        "content-type": "application/json",
    }  # fmt: skip
    long = (b" " * 65_536 for _ in range(32))
    answer = site.post(address("/commands/correct-result"), content=long, headers=headers)
    assert answer.status_code == 413
    assert answer.json()["type"] == "/api/v1/problems/web.large_body"
    assert "128 KiB" in answer.json()["detail"]


def test_the_past_cannot_be_changed(site: TestClient) -> None:
    headers = {"authorization": "Bearer officer", "idempotency-key": "1"}
    path = address("/commands/correct-result?as-known-at=3")
    assert site.post(path, json=CORRECTION, headers=headers).status_code == 422


def test_a_refusal_of_the_ledger_says_what_to_do(give: Give) -> None:
    answer = give("correct-result", CORRECTION | {"white": "nobody"}, **{"accept-language": "es"})
    assert answer.status_code == 422
    assert answer.json()["detail"]
    assert answer.json()["type"].startswith("/api/v1/problems/")


def test_a_page_of_another_site_gives_no_command(site: TestClient, ledger: Ledger) -> None:
    before = head(ledger)
    for more in ({"sec-fetch-site": "cross-site"}, {"origin": "https://elsewhere.example"}):
        headers = {"authorization": "Bearer officer", "idempotency-key": "1", **more}
        answer = site.post(address("/commands/correct-result"), json=CORRECTION, headers=headers)
        assert answer.status_code == 403
    assert head(ledger) == before
