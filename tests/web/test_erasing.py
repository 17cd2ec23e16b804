"""An officer erases a person at the site: once, confirmed, and no page shows the name again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path

import pytest

from ledger.journal.stores.database import open_journal
from ledger.operations.commands import MergePlayers
from tests.hidden_names import NAME, found_in
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    about,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
    with_officers,
)
from tests.web.filling import form_of
from tests.web.submitting import ORIGIN, Staffed, staffed
from tests.web.support import text_of
from tests.workbooks import workbook
from web import server
from web.office.schema import SUBMISSION_FILES
from web.settings import WebSettings

PAGE = "/erase/A"
PAGES = (
    "/players/A", "/players?q=Zyxwinska", "/lists/ENF/2010-07@1", "/lists/ENF",
    "/players/A/ENF/2010-07", "/tournaments/T1", "/tournaments/T1/crosstable",
    "/api/v1/players/A", "/api/v1/lists/ENF/2010-07@1",
)  # fmt: skip


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Staffed]:
    """A list with the name is published; ana is the only officer."""
    ledger = with_officers(empty_ledger(), "ana")
    define(ledger)
    said = f'A,"{NAME}",CHI,w,1985-03-04,1800,40,50\nB,Bo,CHI,,1985,1800,40,50\n'
    import_text(ledger, PLAYERS_HEADER + said, list_="ENF")
    import_text(ledger, GAMES_HEADER + about("T1", "2010-07-10", "A,B,1-0"))
    publish_period(ledger, "2010-07")
    with staffed(ledger, tmp_path) as opened:
        yield opened


def test_the_page_says_what_it_will_do_and_does_it_once(site: Staffed) -> None:
    assert f'href="{PAGE}"' in site.ana.get("/players/A").text
    assert "/erase/" not in site.eva.get("/players/A").text
    head = site.head
    page = site.ana.get(PAGE)
    assert "1 identity document of A would be destroyed" in page.text
    assert "printed lists" in page.text
    assert site.head == head, "to look records nothing"
    form = site.ana.hidden(page, PAGE) | {"reason": "a letter", "confirmed": "A"}
    done = site.ana.post(PAGE, form)
    assert "of A are destroyed" in done.text
    assert (site.head, site.actors[-1]) == (head + 1, "ana")
    assert site.ana.post(PAGE, form).status_code == 200
    assert site.head == head + 1, "pressed twice it is one"
    assert "This person was erased on" in site.eva.get("/players/A").text
    for place in ("/lists/ENF/2010-07@1", "/players", "/tournaments/T1"):
        assert "(erased)" in site.eva.get(place).text, place
        assert "(datos suprimidos)" in site.eva.get(f"{place}?lang=es").text, place


def test_only_a_confirmed_erasure_is_done(site: Staffed) -> None:
    form = site.ana.hidden(site.ana.get(PAGE), PAGE) | {"reason": "a letter"}
    head = site.head
    assert site.ana.post(PAGE, form | {"confirmed": "B"}).status_code == 422
    assert site.ana.post(PAGE, form | {"confirmed": "A", "reason": " "}).status_code == 422
    assert site.ana.get("/erase/nobody").status_code == 404
    assert site.head == head


def test_what_was_confirmed_stays_so_while_it_destroys_the_same(site: Staffed) -> None:
    page, said = site.ana.get(PAGE), {"reason": " ", "confirmed": "A"}
    assert form_of(page.text, PAGE).value("confirmed") == ""
    refused = site.ana.post(PAGE, site.ana.hidden(page, PAGE) | said)
    assert (refused.status_code, form_of(refused.text, PAGE).value("confirmed")) == (422, "A")
    unsure = site.ana.post(PAGE, site.ana.hidden(page, PAGE) | {"confirmed": "<a>"})
    assert form_of(unsure.text, PAGE).value("confirmed") == "<a>"
    import_text(site.ledger, "id,name\nC,Cee\n")
    do(site.ledger, MergePlayers(player="C", into="A", on=site.ledger.today))
    more = site.ana.post(PAGE, site.ana.hidden(refused, PAGE) | said)
    assert "2 identity documents of A, C would be destroyed" in more.text
    form = form_of(more.text, PAGE)
    assert form.value("confirmed") == ""
    done = site.ana.post(PAGE, dict(form.fields) | {"reason": "a letter", "confirmed": "A"})
    assert "are destroyed" in done.text


def test_a_reason_that_names_the_person_is_not_kept(site: Staffed) -> None:
    said = {"reason": f"wrote to us: {NAME}", "confirmed": "A"}
    head = site.head
    for is_alone in (True, False):
        if not is_alone:
            with_officers(site.ledger, "luis")
            head = site.head
        answer = site.ana.post(PAGE, site.ana.hidden(site.ana.get(PAGE), PAGE) | said)
        assert answer.status_code == 422
        assert "Say it without the name" in answer.text
        with site.office.reading() as connection:
            assert not connection.exec_driver_sql("SELECT * FROM submissions").all()
    assert site.head == head


def test_no_answer_shows_the_name_any_more(site: Staffed) -> None:
    before = site.head
    answers = {page: site.eva.get(page) for page in PAGES}
    assert {page for page, answer in answers.items() if answer.status_code != 200} == set()
    assert sum(bool(found_in(answer.content)) for answer in answers.values()) >= 6
    form = site.ana.hidden(site.ana.get(PAGE), PAGE) | {"reason": "a letter", "confirmed": "A"}
    site.ana.post(PAGE, form)
    for page in PAGES:
        answer = site.eva.get(page)
        assert answer.status_code in {200, 404}, page
        text = answer.content.replace(b"Zyxwinska", b"")  # what was asked for is repeated
        assert found_in(text) == [], page
        mark = "&" if "?" in page else "?"
        then = site.eva.get(f"{page}{mark}as-known-at={before}").content
        assert found_in(then.replace(b"Zyxwinska", b"")) == [], page


def test_a_site_that_starts_finishes_what_was_interrupted(sqlite_url: str, tmp_path: Path) -> None:
    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as driver:
        driver.execute("PRAGMA user_version = 1")
    journal = open_journal(sqlite_url)
    assert not journal.is_scrubbed()
    server._open_once(WebSettings(ledger=sqlite_url, origin=ORIGIN, cache=tmp_path))
    assert journal.is_scrubbed()
    journal.close()


def handed_in(site: Staffed, reason: str = "a letter") -> str:
    """Returns the id of an erasure that ana hands in from the person's page."""
    form = site.ana.hidden(site.ana.get(PAGE), PAGE) | {"reason": reason, "confirmed": "A"}
    page = site.ana.post(PAGE, form)
    assert page.status_code == 200, page.text
    return page.url.path.rpartition("/")[2]


def kept_of(site: Staffed, id_: str) -> str:
    """Returns all that the office keeps of a submission, and of what was seen of it."""
    with site.office.reading() as connection:
        rows = [
            connection.exec_driver_sql(f"SELECT * FROM {table}").all()
            for table in ("submissions", "submission_steps", "submission_previews")
        ]
    return "\n".join(str(row) for row in chain.from_iterable(rows) if id_ in row)


def test_where_two_are_needed_one_hands_it_in_and_another_accepts(site: Staffed) -> None:
    with_officers(site.ledger, "luis")
    head = site.head
    assert "takes two officers" in site.ana.get(PAGE).text
    id_ = handed_in(site)
    page = site.luis.get(f"/submissions/{id_}")
    assert "1 identity document of A would be destroyed" in page.text
    assert "printed lists" in page.text
    assert site.ana.get(f"/submissions/{id_}").text.count("another officer decides") == 1
    assert not site.ana.offers(site.ana.get(f"/submissions/{id_}"), "accept")
    assert (site.head, found_in(kept_of(site, id_).encode())) == (head, [])
    accept = site.luis.hidden(page, "accept")
    done = site.luis.post(f"/submissions/{id_}/accept", accept)
    assert "accepted" in done.text
    assert (site.head, site.actors[-1]) == (head + 1, "ana + luis")
    assert [each.idempotency_key for each in site.ledger.journal.commits()][-1] == (
        f"submission:{id_}"
    )
    assert site.ledger.journal.is_scrubbed()
    assert site.luis.post(f"/submissions/{id_}/accept", accept).status_code == 409
    assert site.head == head + 1
    for address in (f"/submissions/{id_}", "/submissions?done=true", *PAGES):
        text = site.luis.get(address).text.replace("Zyxwinska", "")
        assert found_in(text.encode()) == [], address
    after = site.luis.get(f"/submissions/{id_}").text
    assert "printed lists" in after, "it still says what is beyond reach"
    assert found_in(kept_of(site, id_).encode()) == []
    assert "luis" in kept_of(site, id_)


def test_nobody_accepts_the_own_erasure_and_what_is_refused_erases_nobody(site: Staffed) -> None:
    with_officers(site.ledger, "luis")
    head, id_ = site.head, handed_in(site)
    accept = site.luis.hidden(site.luis.get(f"/submissions/{id_}"), "accept")
    assert site.ana.post(f"/submissions/{id_}/accept", accept).status_code == 422
    assert site.aud.post(f"/submissions/{id_}/accept", accept).status_code == 403
    site.luis.step(id_, "hand-back", comment="which letter?")
    mend = site.ana.hidden(site.ana.get(f"/submissions/{id_}"), "mend")
    mended = site.ana.post(f"/submissions/{id_}/mend", mend | {"reason": "letter of May"})
    assert "letter of May" in mended.text
    site.ana.step(id_, "hand-in")
    site.luis.step(id_, "refuse", comment="withdrawn by the person")
    assert site.head == head
    assert found_in(site.eva.get("/players/A").content)


def test_where_bytes_are_left_the_submission_says_so(
    site: Staffed, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_officers(site.ledger, "luis")
    id_ = handed_in(site)
    monkeypatch.setattr(type(site.ledger.journal), "is_scrubbed", lambda _self: False)
    done = site.luis.step(id_, "accept")
    assert "may be left in the files of the database" in done.text
    assert 'href="/erase/A"' in done.text
    page = site.ana.get(PAGE)
    assert "Erase for good" in page.text, "to erase again takes one"
    form = site.ana.hidden(page, PAGE) | {"reason": "a letter", "confirmed": "A"}
    head = site.head
    assert "no identity document is left" in site.ana.post(PAGE, form).text
    assert site.head == head


NEW = f"{GAMES_HEADER}{about('T9', '2010-08-20', 'A,B,0-1')}"


@pytest.mark.parametrize("officers", [("ana",), ("ana", "luis")])
def test_what_awaits_its_decision_with_the_name_is_told(
    site: Staffed, officers: tuple[str, ...]
) -> None:
    with_officers(site.ledger, *officers[1:])
    named = site.eva.drafted(f'{PLAYERS_HEADER}A,"{NAME.upper()}",CHI,w,,,,\n')
    other = site.eva.handed_in(NEW)
    book = site.eva.drafted(workbook([["player", "name"], ["B", "Bo"]]))
    gone = site.eva.drafted(f'{PLAYERS_HEADER}A,"{NAME}",CHI,,,,,\n')
    site.eva.step(gone, "withdraw")
    before = site.ana.get(PAGE).text
    if officers == ("ana",):
        form = site.ana.hidden(site.ana.get(PAGE), PAGE) | {"reason": "a letter", "confirmed": "A"}
        answers = [before, site.ana.post(PAGE, form).text]
    else:
        id_ = handed_in(site)
        answers = [before, site.luis.get(f"/submissions/{id_}").text]
        answers.append(site.luis.step(id_, "accept").text)
    for text in answers:
        said = text_of(text)
        assert f"submission {named} of eva awaits its decision and seems to hold the name" in said
        assert f"submission {book} of eva awaits its decision with a file that was not" in said
        assert f'<a href="/submissions/{named}">{named}</a>' in text
        assert other not in text
        assert gone not in text


def test_what_came_after_the_preview_and_holds_the_name_is_told_before_the_decision(
    site: Staffed,
) -> None:
    with_officers(site.ledger, "luis")
    id_ = handed_in(site)
    page = f"/submissions/{id_}"
    assert "seems to hold the name" not in site.luis.get(page).text
    named = site.eva.drafted(f'{PLAYERS_HEADER}A,"{NAME}",CHI,w,,,,\n')
    assert f'<a href="/submissions/{named}">{named}</a>' in site.luis.get(page).text


def test_a_file_that_was_thrown_away_is_not_led_to(site: Staffed) -> None:
    gone = site.eva.drafted(NEW)
    assert f'href="/submissions/{gone}/file"' in site.eva.get(f"/submissions/{gone}").text
    with site.office.writing() as connection:
        connection.execute(SUBMISSION_FILES.delete())
    page = site.eva.get(f"/submissions/{gone}").text
    assert f'href="/submissions/{gone}/file"' not in page
    assert "The file is not here any more" in page


@pytest.mark.parametrize("where", ["comment", "file", "reason"])
def test_words_that_stay_are_told_before_and_after(site: Staffed, where: str) -> None:
    key = site.eva.hidden(site.eva.get("/submissions/new"), "/new")
    reason = {"reason": f"from {NAME}"} if where == "reason" else {}
    file = f"{NAME}.csv" if where == "file" else "games.csv"
    page = site.eva.post("/submissions/new", {**key, **reason}, NEW, file_name=file)
    id_ = page.url.path.rpartition("/")[2]
    site.eva.step(id_, "hand-in")
    comment = f"{NAME} did not play" if where == "comment" else "no"
    site.ana.step(id_, "refuse", comment=comment)
    page = site.ana.get(PAGE)
    form = site.ana.hidden(page, PAGE) | {"reason": "a letter", "confirmed": "A"}
    told = f"submission {id_} of eva seems to hold the name in its title, its reason or a comment"
    for text in map(text_of, (page.text, site.ana.post(PAGE, form).text)):
        assert told in text
        assert "awaits its decision and" not in text


@pytest.mark.parametrize("where", ["comment", "file", "reason"])
def test_words_of_what_is_decided_are_taken_away_by_an_officer(
    site: Staffed, tmp_path: Path, where: str
) -> None:
    key = site.eva.hidden(site.eva.get("/submissions/new"), "/new")
    reason = {"reason": f"from {NAME}"} if where == "reason" else {}
    file = f"{NAME}.csv" if where == "file" else "games.csv"
    page = site.eva.post("/submissions/new", {**key, **reason}, NEW, file_name=file)
    id_ = page.url.path.rpartition("/")[2]
    site.eva.step(id_, "hand-in")
    here = f"/submissions/{id_}"
    assert not site.ana.offers(site.ana.get(here), "blank"), "it awaits its decision"
    assert site.ana.post(f"{here}/blank", {"turn": "2"}).status_code == 409
    site.ana.step(id_, "refuse", comment=f"{NAME} did not play" if where == "comment" else "no")
    assert not site.eva.offers(site.eva.get(here), "blank")
    head = site.head
    done = site.ana.step(id_, "blank")
    assert "title, reason and comments taken away · ana" in text_of(done.text)
    assert not site.ana.offers(done, "blank")
    assert (found_in(kept_of(site, id_).encode()), site.head) == ([], head)
    assert id_ not in site.ana.get(PAGE).text
    office = [each for each in tmp_path.iterdir() if "office" in each.name and each.is_file()]
    assert office
    assert [found_in(each.read_bytes()) for each in office] == [[] for _ in office]
