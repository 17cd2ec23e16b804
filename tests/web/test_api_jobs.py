"""Programs see jobs, have everything verified, and see the accounts: as pages do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import jsonschema_rs
import pytest

from ledger.service.accounts import grant_role
from ledger.terms import Role
from ledger.trust.verification import verify
from tests.ledgers import request, with_july_published, with_officers
from tests.web.api import address, components
from tests.web.submitting import Staffed, staffed
from web.office.jobs import Job, claim, finish, jobs, start


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Staffed]:
    """July is published; ana and luis are officers."""
    with staffed(with_officers(with_july_published(), "ana", "luis"), tmp_path) as opened:
        yield opened


def asked(site: Staffed, path: str, who: str | None, schema: str | None = None) -> httpx2.Response:
    headers = {} if who is None else {"x-account": who}
    answer = site.client.get(address(path), headers=headers)
    if schema is not None:
        assert answer.status_code == 200, answer.text
        named = {"$ref": f"#/components/schemas/{schema}"}
        described = components()
        jsonschema_rs.validate(named | described, answer.json(), validate_formats=True)
    return answer


def told(site: Staffed, path: str, who: str) -> httpx2.Response:
    headers = {"x-account": who, "sec-fetch-site": "same-origin"}
    return site.client.post(address(path), json={}, headers=headers)


def done(site: Staffed) -> Job:
    """Does the verification that waits, as its job does."""
    job = claim(site.office, "here")
    assert job is not None
    found = verify(site.ledger)
    said: dict[str, Any] = {language: found.data(language) for language in ("en", "es")}
    finish(site.office, job, "here", {"seq": site.head, "verified_at": 1_300_000_000, **said})
    return job


def test_a_verification_is_begun_followed_and_read(site: Staffed) -> None:
    assert asked(site, "/verification", None).status_code == 404
    begun = told(site, "/jobs/verification", "aud")
    assert (begun.status_code, begun.json()["state"]) == (200, "waiting")
    id_ = begun.json()["job"]
    assert told(site, "/jobs/verification", "ana").json()["job"] == id_
    done(site)
    followed = asked(site, f"/jobs/{id_}", "aud", "JobReport").json()
    assert (followed["state"], followed["account"]) == ("done", "aud")
    found = asked(site, "/verification", None, "LastVerification")
    expected = verify(site.ledger).data("en")
    assert found.json() == {
        "seq": site.head, "verified_at": "2011-03-13T07:06:40+00:00", **expected
    }  # fmt: skip
    assert found.headers["cache-control"] == "no-store"


def test_everybody_sees_their_own_jobs_and_officials_all(site: Staffed) -> None:
    id_ = start(site.office, "monitor", {"list": "ENF"}, "eva")
    for who, count in (("eva", 1), ("ivan", 0), ("ana", 1), ("aud", 1)):
        assert len(asked(site, "/jobs", who, "Jobs").json()["jobs"]) == count, who
        status = 200 if count else 404
        assert asked(site, f"/jobs/{id_}", who).status_code == status, who
    assert told(site, f"/jobs/{id_}/cancel", "ivan").status_code == 404
    assert told(site, f"/jobs/{id_}/cancel", "aud").status_code == 404
    assert told(site, f"/jobs/{id_}/cancel", "eva").json()["state"] == "cancelled"
    assert [job.is_over for job in jobs(site.office)] == [True]


def test_an_administrator_sees_the_accounts(site: Staffed) -> None:
    grant_role(site.ledger, "max", Role.ARBITER, tournament="T1", request=request("arbiter"))
    listed = asked(site, "/accounts", "adm", "Accounts").json()["accounts"]
    assert [each["account"] for each in listed] == ["ana", "eva", "ivan", "luis", "max"]
    found = asked(site, "/accounts/max", "adm", "AccountReport").json()
    assert [(each["role"], each["tournament"]) for each in found["grants"]] == [("arbiter", "T1")]
    assert asked(site, "/accounts/nobody", "adm").status_code == 404
    assert asked(site, "/accounts", "ana").status_code == 403
