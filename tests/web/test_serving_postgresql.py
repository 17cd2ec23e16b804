"""``serve`` on PostgreSQL: two workers, accounts, a report to its rating, an archive beside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import httpx2 as httpx
import pytest

from ledger.service.archives import open_ledger
from tests.cli.running import run
from tests.cli.test_roles import MADE, RUIZ
from tests.ledgers import GAMES_HEADER, about
from tests.postgres import WRITER, PostgresServer
from tests.web.enrolment import enrolled
from tests.web.serving import Served, served
from tests.web.submitting import Person

PAGES = (
    "/", "/lists/ENF", "/lists/ENF/2010-07@1", "/players?q=a", f"/players/{RUIZ}",
    f"/players/{RUIZ}/ENF/2010-07", "/tournaments/ymca-2010", "/tournaments/agosto-2010/crosstable",
    "/audit", "/api/v1/lists/ENF", f"/players/{RUIZ}?as-known-at=60",
)  # fmt: skip
REPORT = GAMES_HEADER + about("copa", "2010-08-28", f"{RUIZ},3400190,1-0")
ERASED = "3414078"
_WAIT = 120  # seconds


@dataclass(frozen=True)
class PostgresSite:
    """A site of two workers over PostgreSQL: the ledger's URL, and the process."""

    url: str
    running: Served

    def visitor(self) -> httpx.Client:
        """Returns a browser; each of its requests may come to another worker."""
        headers = {"sec-fetch-site": "same-origin", "connection": "close"}
        return httpx.Client(base_url=self.running.origin, headers=headers, timeout=_WAIT)

    def person(self, account: str, role: str, folder: Path) -> Person:
        """Makes an account by the command line; its owner takes it and signs in anew."""
        return enrolled(account, role, folder, self.running.origin, self.visitor, "--db", self.url)


@pytest.fixture(scope="module")
def site(
    postgres_server: PostgresServer,
    postgres_template: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[PostgresSite]:
    """The site of the example, served by who may only append; the office as docs/web.md says."""
    folder, name = tmp_path_factory.mktemp("site"), postgres_server.create(postgres_template)
    url = postgres_server.url(name, WRITER)
    assert run("example", ".", cwd=folder).code == 0
    for words in MADE[:-1]:
        assert run("--db", url, *words, cwd=folder).code == 0, words
    log = folder / "log"
    with served(url, "--workers", "2", "--cache", str(folder / "cache"), log=log) as it:
        yield PostgresSite(url, it)
        assert it.stop() == 0
    assert "Traceback" not in log.read_text("utf-8")
    postgres_server.drop(name)


def test_a_report_becomes_a_rating_by_two_people_over_two_workers(
    site: PostgresSite, tmp_path: Path
) -> None:
    eva = site.person("eva", "arbiter", tmp_path)
    ana = site.person("ana", "officer", tmp_path)
    site.person("luis", "officer", tmp_path)
    id_ = eva.handed_in(REPORT)
    assert "handed in" in ana.get("/submissions").text
    accepted = ana.step(id_, "accept")
    assert "recorded" in accepted.text
    with closing(open_ledger(site.url)) as journal:
        *_, commit = journal.commits()
        assert commit.actor == "eva + ana"
    for _ in range(6):  # whichever worker answers
        assert "copa" in site.visitor().get("/tournaments").text


def test_two_officers_erase_somebody_at_the_site(site: PostgresSite, tmp_path: Path) -> None:
    """The site may only append: the owner's function destroys the name."""
    zoe = site.person("zoe", "officer", tmp_path)
    max_ = site.person("max", "officer", tmp_path)
    with closing(open_ledger(site.url)) as journal:
        before = journal.personal_count()
    page = zoe.get(f"/erase/{ERASED}")
    assert "would be destroyed" in page.text
    key = zoe.hidden(page, f"/erase/{ERASED}")
    said = {"reason": "asked by letter", "confirmed": ERASED}
    handed_in = zoe.post(f"/erase/{ERASED}", {**key, **said})
    assert handed_in.status_code == 200, handed_in.text
    accepted = max_.step(handed_in.url.path.rpartition("/")[2], "accept")
    assert accepted.status_code == 200, accepted.text
    with closing(open_ledger(site.url)) as journal:
        *_, last = journal.events()
        assert (last.type, last.stream) == ("player.erased", f"player:{ERASED}")
        assert journal.personal_count() == before - 1


def test_an_archive_is_served_beside_it_with_the_same_answers(
    site: PostgresSite, tmp_path: Path
) -> None:
    archive = tmp_path / "archive"
    assert run("--db", site.url, "export", "archive", str(archive), cwd=tmp_path).code == 0
    with served(f"archive:{archive}", log=tmp_path / "archive.log") as beside:
        with httpx.Client(base_url=beside.origin, timeout=_WAIT) as there:
            for page in (*PAGES, "/lists/ENF/2010-07@1/bytes"):
                here = [site.visitor().get(page) for _ in range(3)]
                assert {each.status_code for each in here} == {200}, page
                assert {main_of(each) for each in here} == {main_of(there.get(page))}, page
            assert there.get("/desk").status_code == 404
        assert beside.stop() == 0


CLAIMS = re.compile(
    r'<section id="wrong">.*?</section>|<a class="small" href="/claims/new.*?</a>', re.DOTALL
)
"""How a statement leads to a claim, which an archive does not take."""


def main_of(answer: httpx.Response) -> str:
    """Returns what a page says but for claims; who may sign in stands in its head."""
    found = re.search(r"<main.*</main>", answer.text, re.DOTALL)
    text = CLAIMS.sub("", found[0]) if found else answer.text
    return re.sub(r"\s+(?=<)|\s+$", "", text) if found else text
