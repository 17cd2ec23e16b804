"""An administrator announces webhooks by a page or a program, and sees what they answered."""

from __future__ import annotations

import re

import pytest

from ledger.identifiers import Seq
from ledger.terms import Role
from ledger.wording import Message
from tests.web.accounts.conftest import Person, Town
from tests.web.accounts.test_tokens import made
from tests.web.support import text_of
from web.office import webhooks
from web.office.jobs import JobState, claim, fail, jobs, start
from web.office.store import Office

URL = "https://club.example.org/ratings"


@pytest.fixture
def boss(town: Town) -> Person:
    """An administrator who has just signed in."""
    return town.person("boss", Role.ADMINISTRATOR)


def office_of(town: Town) -> Office:
    office = town.app.state.office
    assert isinstance(office, Office)
    return office


def announced(town: Town) -> list[webhooks.Webhook]:
    with office_of(town).reading() as connection:
        return list(webhooks.webhooks(connection))


def test_a_hook_is_announced_its_secret_shown_once_and_withdrawn(town: Town, boss: Person) -> None:
    page = boss.browser.post("/webhooks", url=f" {URL} ", subject="lists").text
    (hook,) = announced(town)
    assert (hook.url, [*hook.subjects], hook.created_by) == (URL, ["lists"], "boss")
    assert hook.seq == town.ledger.journal.head().seq
    assert re.findall(r"rlw_[\w-]+", page) == [hook.secret]
    again = boss.browser.get("/webhooks").text
    assert hook.secret not in again
    assert URL in again
    boss.browser.post(f"/webhooks/{hook.id}/withdraw")
    assert announced(town) == []
    assert boss.browser.post(f"/webhooks/{hook.id}/withdraw").status_code == 404


@pytest.mark.parametrize("host", ["10.0.0.7", "[::1]", "localhost"])
def test_an_address_inside_is_refused_when_it_is_announced(
    town: Town, boss: Person, host: str
) -> None:
    answer = boss.browser.post("/webhooks", url=f"https://{host}/x")
    assert answer.status_code == 422
    assert "which is not of the public internet" in text_of(answer.text)
    assert announced(town) == []


@pytest.mark.parametrize("url", ["http://club.example.org/", "ftp://x", "<b>", ""])
def test_what_is_no_address_is_refused_and_stays_in_the_form(
    town: Town, boss: Person, url: str
) -> None:
    answer = boss.browser.post("/webhooks", url=url)
    assert answer.status_code == 422
    assert "is no address for a webhook" in text_of(answer.text)
    assert announced(town) == []


def test_the_page_says_what_was_answered_and_that_a_hook_is_disabled(
    town: Town, boss: Person
) -> None:
    boss.browser.post("/webhooks", url=URL)
    (hook,) = announced(town)
    office = office_of(town)
    with office.writing() as connection:
        for at, code in ((0, 503), (webhooks.PATIENCE, None)):
            tried = webhooks.Delivery(
                hook.delivery_id(1), Seq(1), "lists", office.now() + at, code, "it is away"
            )
            webhooks.note(connection, hook, tried)
    said = text_of(boss.browser.get("/webhooks").text)
    assert "503" in said
    assert "it is away" in said
    assert "it failed for five days. Nothing is lost" in said
    boss.browser.post(f"/webhooks/{hook.id}/resume")
    assert announced(town)[0].disabled_at is None


def test_programs_do_the_same_and_see_no_secret(town: Town, boss: Person) -> None:
    client = town.browser().client
    headers = {"authorization": f"Bearer {made(boss, 'accounts')}"}
    path = "/api/v1/webhooks"
    answer = client.post(path, headers=headers, json={"url": URL, "subjects": ["tournaments"]})
    assert answer.status_code == 200, answer.text
    (hook,) = announced(town)
    assert answer.json()["secret"] == hook.secret
    listed = client.get(path, headers=headers).json()["webhooks"]
    assert listed == [{name: each for name, each in answer.json().items() if name != "secret"}]
    assert client.get(f"{path}/{hook.id}/deliveries", headers=headers).json() == {"deliveries": []}
    assert client.post(f"{path}/{hook.id}/resume", headers=headers, json={}).status_code == 200
    assert client.post(f"{path}/{hook.id}/withdraw", headers=headers, json={}).status_code == 200
    assert client.get(f"{path}/{hook.id}/deliveries", headers=headers).status_code == 404
    twice = [client.post(path, headers=headers, json={"url": URL}).status_code for _ in range(2)]
    assert twice == [200, 409]


def test_nobody_else_sees_them(town: Town) -> None:
    ana = town.person("ana", Role.OFFICER)
    assert ana.browser.get("/webhooks").status_code == 403
    assert ana.browser.post("/webhooks", url=URL).status_code == 403
    assert town.browser().get("/webhooks").status_code in {401, 303, 403}


def test_deliveries_that_failed_are_told_to_officers_and_begun_again_by_an_administrator(
    town: Town, boss: Person
) -> None:
    office = office_of(town)
    start(office, webhooks.JOB, {})
    job = claim(office, "runner")
    assert job is not None
    told = "Deliveries failed"
    luis = town.person("luis", Role.OFFICER)
    assert told not in text_of(boss.browser.get("/webhooks").text)
    assert told not in text_of(luis.browser.get("/office").text)
    fail(office, job, "runner", Message.of("web.bug"))
    assert told in text_of(boss.browser.get("/webhooks").text)
    assert told in text_of(luis.browser.get("/office").text)
    boss.browser.post("/webhooks/deliveries")
    assert [each.state for each in jobs(office)] == [JobState.WAITING, JobState.FAILED]
    assert told not in text_of(boss.browser.get("/webhooks").text)
