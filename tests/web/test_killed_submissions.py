"""A server killed at any point of a submission: one commit or none, and the page says which."""

from __future__ import annotations

from pathlib import Path

import httpx2 as httpx
import pytest

from tests.web.killing import POINTS, KilledSite
from tests.web.submitting import OF_AUGUST, Person


@pytest.fixture
def site(july_db: Path, tmp_path: Path) -> KilledSite:
    return KilledSite(str(july_db), tmp_path)


def draft(people: dict[str, Person], form: dict[str, str]) -> httpx.Response:
    return people["eva"].post("/submissions/new", form, OF_AUGUST)


def ends(send: object) -> None:
    """The connection is lost while a request is answered."""
    with pytest.raises(httpx.TransportError):
        send()  # type: ignore[operator]


DRAFTING = ("before a draft is kept", "before a draft is committed", "before a draft is answered")
LOOKING = ("before a preview is made", "before a preview is kept")
STEPPING = ("before a step is taken", "before a step is committed", "before a step is answered")
ACCEPTING = ("before the ledger records", "after the ledger recorded", *STEPPING)


def test_every_point_is_tried() -> None:
    assert {*DRAFTING, *LOOKING, *STEPPING, *ACCEPTING} == {*POINTS}


@pytest.mark.slow
@pytest.mark.parametrize("point", [*DRAFTING, *LOOKING])
def test_killed_while_a_file_is_handed_over(site: KilledSite, point: str) -> None:
    with site.running() as people:
        form = people["eva"].hidden(people["eva"].get("/submissions/new"), "/new")
        site.kill_at(point)
        ends(lambda: draft(people, form))
    site.spare()
    with site.running() as people:
        assert draft(people, form).status_code == 200
        listed = people["eva"].get("/submissions").text
        assert listed.count("games.csv") == 1, "sent again it is the same draft"
    assert site.commits == []


@pytest.mark.slow
@pytest.mark.parametrize("point", STEPPING)
def test_killed_while_it_is_handed_in(site: KilledSite, point: str) -> None:
    with site.running() as people:
        eva = people["eva"]
        id_ = eva.drafted(OF_AUGUST)
        hidden = eva.hidden(eva.get(f"/submissions/{id_}"), "hand-in")
        site.kill_at(point)
        ends(lambda: eva.post(f"/submissions/{id_}/hand-in", hidden))
    site.spare()
    with site.running() as people:
        again = people["eva"].post(f"/submissions/{id_}/hand-in", hidden)
        assert "<b>handed in</b>" in again.text
        assert again.text.count("<div>handed in ·") == 1
    assert site.commits == []


@pytest.mark.slow
@pytest.mark.parametrize("point", ACCEPTING)
def test_killed_while_it_is_accepted(site: KilledSite, point: str) -> None:
    with site.running() as people:
        id_ = people["eva"].handed_in(OF_AUGUST)
        page = people["ana"].get(f"/submissions/{id_}")
        hidden = people["ana"].hidden(page, "accept")
        site.kill_at(point)
        ends(lambda: people["ana"].post(f"/submissions/{id_}/accept", hidden))
    site.spare()
    recorded = site.commits
    assert recorded in ([], [(f"submission:{id_}", "eva + ana")])
    with site.running() as people:
        page = people["ana"].get(f"/submissions/{id_}")
        assert ("It is recorded" in page.text) == bool(recorded), "the page says which"
        assert people["ana"].offers(page, "accept") != bool(recorded)
        if recorded:
            late = people["eva"].post(f"/submissions/{id_}/withdraw", hidden)
            assert "It is recorded" in late.text
        again = people["ana"].post(f"/submissions/{id_}/accept", hidden)
        assert "It is recorded" in again.text
        assert again.text.count("<div>accepted ·") == 1
    assert site.commits == [(f"submission:{id_}", "eva + ana")]
