"""The preview of a correction: what, why, before and after, the same as the command line says."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from ledger.journal.stores.database import open_journal
from ledger.operations import commands as c
from ledger.operations.commands import AssignK
from ledger.rating.decimal_text import with_sign
from ledger.results import Result
from ledger.service.ledger import Ledger
from ledger.wording.dates import period_in_words
from tests.cli.running import run
from tests.intake.trf.writing import file, player
from tests.ledgers import (
    GAMES_HEADER,
    NOW,
    PLAYERS_HEADER,
    about,
    do,
    import_text,
)
from tests.web.filling import form_of
from tests.web.submitting import CORRECTION, LATE, Staffed, staffed
from tests.web.support import text_of

CELLS = re.compile(r"<t[dh][^>]*>(.*?)</t[dh]>", re.DOTALL)
ROW = re.compile(r"<tr>(.*?)</tr>", re.DOTALL)


@pytest.fixture
def site(july_db: Path, tmp_path: Path) -> Iterator[Staffed]:
    """The site of a ledger in a file."""
    journal = open_journal(str(july_db))
    with staffed(Ledger(journal, lambda: NOW), tmp_path) as opened:
        yield opened
    journal.close()


def impact_of(page: str) -> list[tuple[str, ...]]:
    """Returns the rows of the table of who moves."""
    table = page.partition('<caption id="impact">')[2].partition("</table>")[0]
    body = table.partition("<tbody>")[2]
    rows = [CELLS.findall(row) for row in ROW.findall(body)]
    return [tuple(unescape(re.sub("<[^>]+>", "", cell)) for cell in row) for row in rows]


def said_by_command_line(db: Path, *words: str) -> Any:
    ran = run(*words, "--dry-run", "--format", "json", "--db", str(db), cwd=db.parent)
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def test_a_first_rating_is_no_change(site: Staffed) -> None:
    games = [f"N,{player},1-0" for player in "ABCD"] * 3
    rows = impact_of(site.eva.upload(GAMES_HEADER + about("T9", "2010-08-20", *games)).text)
    assert [row[3:6:2] for row in rows if row[0] == "N N"] == [("–", "first")]


class TestACorrection:
    def test_it_is_what_the_command_line_says(self, site: Staffed, july_db: Path) -> None:
        id_ = site.eva.drafted_correction()
        said = said_by_command_line(
            july_db, "correct", "result", "T1", "1", "A", "B", "0-1", "--reason", "score sheet"
        )
        assert said["impact"], "it moves somebody"
        assert site.eva.get(f"/submissions/{id_}/preview.json").json() == said

    def test_an_annulment_is_what_the_command_line_says(self, site: Staffed, july_db: Path) -> None:
        id_ = site.eva.drafted_correction(what="annul-result", result="")
        said = said_by_command_line(
            july_db, "annul", "result", "T1", "1", "A", "B", "--reason", "x"
        )
        assert site.eva.get(f"/submissions/{id_}/preview.json").json() == said

    def test_a_late_report_is_what_the_command_line_says(
        self, site: Staffed, july_db: Path
    ) -> None:
        id_ = site.eva.drafted(LATE)
        (july_db.parent / "games.csv").write_text(LATE, "utf-8")
        said = said_by_command_line(july_db, "import", "games.csv")
        assert site.eva.get(f"/submissions/{id_}/preview.json").json() == said

    def test_the_page_says_what_why_and_whom_it_moves(self, site: Staffed) -> None:
        id_ = site.eva.drafted_correction()
        page = site.eva.get(f"/submissions/{id_}").text
        impact = site.eva.get(f"/submissions/{id_}/preview.json").json()["impact"]
        shown = [(*row[:2], row[2].partition(",")[0], *row[3:]) for row in impact_of(page)]
        assert shown == [
            (
                f"{each['name']} {each['id']}", each["list"],
                period_in_words(each["period"], "en"), str(each["before"] or "–"),
                str(each["after"] or "–"), with_sign(each["points"]),
            )
            for each in impact
        ]  # fmt: skip
        assert "score sheet" in page
        assert "of published periods would move" in page
        assert '<svg xmlns="http://www.w3.org/2000/svg" class="chart"' in page

    def test_all_who_are_moved_are_counted_where_not_all_are_shown(
        self, site: Staffed, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        whole = site.eva.get(f"/submissions/{site.eva.drafted_correction()}").text
        said = re.findall(r"it moves [^.]*", whole)
        monkeypatch.setattr("web.submissions.previews.SHOWN", 1)
        cut = site.eva.get(f"/submissions/{site.eva.drafted_correction()}").text
        assert len(impact_of(cut)) == 1 < len(impact_of(whole))
        assert said == re.findall(r"it moves [^.]*", cut) != []

    def test_what_is_wrong_in_many_lines_is_said_once_with_its_places(self, site: Staffed) -> None:
        games = "".join(f"T3,Open,2010-08-20,2010-08-20,{n},A,B,7-7\n" for n in range(1, 42))
        header = "tournament,name,starts_on,ends_on,round,white,black,result\n"
        page = site.eva.get(f"/submissions/{site.eva.drafted(header + games)}").text
        (told,) = re.findall(r"<li>[^<]*7-7.*?</li>", page, re.DOTALL)
        first, _, others = told.partition("<details>")
        assert (
            first.index("7-7") < first.index("(41 times)") < first.index("line 2, column 8; line")
        )
        assert (first.count("column 8"), others.count("column 8")) == (5, 36)
        assert "<summary>and 36 other places</summary>" in others

    def test_it_is_recorded_by_two_as_it_was_seen(self, site: Staffed) -> None:
        id_ = site.ana.drafted_correction()
        seen = site.ana.get(f"/submissions/{id_}/preview.json").json()
        site.ana.step(id_, "hand-in")
        assert "It is recorded" in site.luis.step(id_, "accept").text
        assert site.actors[-1] == "ana + luis"
        commit = list(site.ledger.journal.commits())[-1]
        assert commit.reason == "score sheet"
        events = site.ledger.journal.events(after=commit.first_seq - 1, upto=commit.last_seq)
        assert [json.loads(event.payload) for event in events] == [
            event["payload"] for event in seen["events"]
        ]

    def test_a_tournament_is_annulled_by_two(self, site: Staffed) -> None:
        said = {"what": "annul-tournament", "round": "", "white": "", "black": "", "result": ""}
        id_ = site.ana.drafted_correction(**said)
        site.ana.step(id_, "hand-in")
        assert "It is recorded" in site.luis.step(id_, "accept").text
        assert site.ledger.register(["tournament:T1"], site.head).tournaments["T1"].annulled

    def test_a_commit_is_taken_back_from_its_page_by_two_and_says_so(self, site: Staffed) -> None:
        import_text(site.ledger, GAMES_HEADER + about("T4", "2010-08-30", "A,B,0-1"))
        number = site.ledger.journal.head().commit_id
        page = site.ana.get(f"/audit/commits/{number}")
        way = f"/corrections/new?what=undo-commit&amp;commit={number}"
        assert way in page.text
        assert way not in site.eva.get(f"/audit/commits/{number}").text
        filled = site.ana.get(way.replace("&amp;", "&"))
        assert f'name="commit" value="{number}"' in filled.text
        id_ = site.ana.drafted_correction(what="undo-commit", commit=str(number))
        site.ana.step(id_, "hand-in")
        assert "It is recorded" in site.luis.step(id_, "accept").text
        assert site.ana.get("/tournaments/T4").status_code == 404
        again = site.ana.get(f"/audit/commits/{number}").text
        assert f"Taken back by commit {number + 1}" in again
        assert way not in again
        assert "Bring back what it took back" in site.ana.get(f"/audit/commits/{number + 1}").text

    def test_the_page_that_takes_back_says_what_it_was_and_what_stands_in_the_way(
        self, site: Staffed
    ) -> None:
        import_text(site.ledger, GAMES_HEADER + about("T4", "2010-08-30", "A,B,0-1"))
        number = site.ledger.journal.head().commit_id
        way = f"/corrections/new?what=undo-commit&amp;commit={number}"
        for page in ("/tournaments/T4", "/tournaments/T4/rounds/1"):
            assert way in site.ana.get(page).text
            assert way not in site.eva.get(page).text
        page_ = text_of(site.ana.get(way.replace("&amp;", "&")).text)
        assert "1 tournament opened, 1 result recorded, 2 entries" in page_
        assert "Next you see whose ratings and which lists that moves" in page_
        later = c.CorrectResult(
            tournament="T4", round=1, white="A", black="B", result=Result.parse("1-0")
        )
        do(site.ledger, later)
        page = site.ana.get(way.replace("&amp;", "&")).text
        assert "cannot be taken back as it is" in page
        assert 'name="reason"' not in page
        assert f"/corrections/new?what=undo-commit&amp;commit={number + 1}" in page
        id_ = site.ana.drafted_correction(what="undo-commit", commit=str(number))
        draft = site.ana.get(f"/submissions/{id_}")
        assert f"Take commit {number} back: 1 tournament opened" in text_of(draft.text)
        assert f"Undo commit {number + 1} first" in draft.text
        assert "Next you see" not in draft.text
        assert not site.ana.offers(draft, "hand-in")

    def test_where_a_submission_was_accepted_an_officer_may_undo_it(self, site: Staffed) -> None:
        id_ = site.eva.drafted_correction()
        site.eva.step(id_, "hand-in")
        number = site.ledger.journal.head().commit_id + 1
        way = f"/corrections/new?what=undo-commit&amp;commit={number}"
        assert way in site.luis.step(id_, "accept").text
        assert way not in site.eva.get(f"/submissions/{id_}").text
        assert way in site.ana.get("/tournaments/T1").text

    def test_a_late_tournament_is_rated_in_an_open_period(self, site: Staffed) -> None:
        import_text(site.ledger, GAMES_HEADER + about("T4", "2010-08-30", "A,B,0-1"))
        nothing = {"round": "", "white": "", "black": "", "result": ""}
        id_ = site.eva.drafted_correction(
            what="accept-tournament", tournament="T4", rated_in="ENF:2010-09", **nothing
        )
        site.eva.step(id_, "hand-in")
        assert "It is recorded" in site.ana.step(id_, "accept").text

    @pytest.mark.parametrize(
        ("field", "value"),
        [("round", "99"), ("white", "X"), ("tournament", "T9")],
    )
    def test_what_cannot_be_so_says_why_and_is_not_handed_in(
        self, site: Staffed, field: str, value: str
    ) -> None:
        id_ = site.eva.drafted_correction(**{field: value})
        page = site.eva.get(f"/submissions/{id_}")
        assert "cannot be recorded" in page.text
        assert not site.eva.offers(page, "hand-in")

    @pytest.mark.parametrize(
        ("field", "value"), [("result", "2-0"), ("result", ""), ("round", "x"), ("white", "")]
    )
    def test_a_field_that_cannot_be_read_is_told_in_the_form(
        self, site: Staffed, field: str, value: str
    ) -> None:
        key = site.eva.hidden(site.eva.get("/corrections/new"), "/new")
        answer = site.eva.post("/corrections/new", {**key, **CORRECTION, field: value})
        assert answer.status_code == 422
        assert re.findall(r'id="(\w+)-problem"', answer.text) == [field]

    def test_it_needs_a_reason(self, site: Staffed) -> None:
        key = site.eva.hidden(site.eva.get("/corrections/new"), "/new")
        answer = site.eva.post("/corrections/new", {**key, **CORRECTION, "reason": " "})
        assert answer.status_code == 422
        assert 'value="0-1"' in answer.text, "what was typed stays"

    def test_the_game_can_be_chosen_from_its_round(self, site: Staffed) -> None:
        assert "T9" in site.eva.get("/corrections/new?tournament=T9").text
        page = site.eva.get("/corrections/new?tournament=T1&round=1").text
        link = re.search(r'href="(/corrections/new\?[^"]*white=A[^"]*)#decision"', page)
        assert link is not None
        chosen = site.eva.get(unescape(link[1])).text
        assert form_of(chosen, "/corrections/new").value("black") == "B"
        assert "A – B" in text_of(chosen), "whose game it is, and nobody types it"
        assert 'id="white"' not in chosen
        assert '<option value="correct-result" selected>' in chosen

    def test_a_tournament_is_found_by_its_name_and_a_game_by_one_of_its_players(
        self, site: Staffed
    ) -> None:
        import_text(site.ledger, GAMES_HEADER + about("cup-of-spring", "2010-08-30", "A,B,0-1"))
        fitting = site.eva.get("/corrections/new?tournament=spring").text
        assert "/corrections/new?tournament=cup-of-spring&amp;what=correct-result" in fitting
        assert "/corrections/new?tournament=T1" not in fitting
        assert "/corrections/new?tournament=T1" in site.eva.get("/corrections/new").text
        for one in "AB":
            address = f"/corrections/new?tournament=cup-of-spring&round=1&player={one}"
            form = form_of(site.eva.get(address).text, "/corrections/new")
            assert [form.value(each) for each in ("white", "black", "round")] == ["A", "B", "1"]

    def test_each_game_that_was_played_leads_to_its_correction(self, site: Staffed) -> None:
        way = "/corrections/new?tournament=T1&amp;round=1&amp;white=A&amp;black=B"
        for page in ("/tournaments/T1/rounds/1", "/players/A/ENF/2010-07"):
            assert way in site.ana.get(page).text
            assert "/corrections/new" not in site.aud.get(page).text

    def test_names_with_markup_are_shown_as_text(self, site: Staffed) -> None:
        page = site.eva.get("/corrections/new?tournament=T1&white=<script>alert(1)</script>").text
        assert "<script>alert" not in page


def test_a_title_says_what_is_to_be_done(site: Staffed) -> None:
    people = site.eva.upload(PLAYERS_HEADER + "8,Soto,CHI,,1990,,,\n9,Rojas,CHI,,,,,\n").text
    assert "<title>Register 2 players of games.csv" in people
    assert "<title>Record T3: 1 game" in site.eva.upload(LATE).text
    site.eva.drafted_correction()
    listed = text_of(site.eva.get("/submissions").text)
    assert "Correct a result: T1, round 1: A – B, 0–1" in listed
    assert "Bring in games.csv" in listed


def test_a_day_is_typed_as_people_write_it(site: Staffed) -> None:
    words = {"player": "A", "club": "Norte", "on": "23/7/2010"}
    id_ = site.ana.drafted_correction(what="affiliate-player", **words)
    assert site.ana.step(id_, "hand-in").status_code == 200
    site.luis.step(id_, "accept")
    (event,) = site.ledger.journal.events(after=site.head - 1)
    assert event.effective_on == "2010-07-23"
    games = site.eva.upload(LATE, on="5.7.2010")
    assert games.status_code == 200
    assert "write it as 2010-07-23 or 23/7/2010" in site.ana.post(
        "/corrections/new",
        {**site.ana.hidden(site.ana.get("/corrections/new"), "/new"), **words,
         "what": "affiliate-player", "on": "31/6/2010", "reason": "x"},
    ).text  # fmt: skip


class TestOtherLists:
    def test_each_list_moves_for_itself(self, site: Staffed) -> None:
        do(site.ledger, AssignK(player="D", list="ENF", k=10, on=dt.date(2010, 9, 1)))
        id_ = site.eva.drafted_correction()
        impact = site.eva.get(f"/submissions/{id_}/preview.json").json()["impact"]
        assert {(each["list"], each["period"], each["published"]) for each in impact} == {
            ("ENF", "2010-07", True), ("ENF", "2010-08", False),
        }  # fmt: skip


class TestALink:
    def link(self, site: Staffed, id_: str) -> str:
        page = site.eva.post(f"/submissions/{id_}/share").text
        found = re.search(r'href="http://testserver(/previews/[^"]+)"', page)
        assert found is not None
        return found[1]

    def test_it_shows_the_preview_to_who_has_it_and_nothing_can_be_done(
        self, site: Staffed
    ) -> None:
        id_ = site.eva.drafted_correction()
        answer = site.client.get(self.link(site, id_))
        assert answer.status_code == 200
        own = site.eva.get(f"/submissions/{id_}").text
        assert impact_of(answer.text) == impact_of(own) != []
        assert "score sheet" in answer.text
        assert "<form" not in answer.text
        assert f"/submissions/{id_}" not in answer.text

    def test_nobody_keeps_it_or_lists_it(self, site: Staffed) -> None:
        answer = site.client.get(self.link(site, site.eva.drafted_correction()))
        assert answer.headers["cache-control"] == "no-store"
        assert "noindex" in answer.headers["x-robots-tag"]
        assert '<meta name="robots" content="noindex' in answer.text
        assert answer.headers["referrer-policy"] == "no-referrer"

    def test_it_cannot_be_guessed_and_is_not_kept_as_it_is(
        self, site: Staffed, tmp_path: Path
    ) -> None:
        link = self.link(site, site.eva.drafted_correction())
        secret = link.rpartition("/")[2]
        assert len(secret) >= 43
        for other in ("x", secret[:-1], secret.upper(), secret + "x", "%00", "\udcff"):
            assert site.client.get(f"/previews/{other!r}").status_code == 404
            if other.isascii() and "%" not in other:
                assert site.client.get(f"/previews/{other}").status_code == 404
        kept = b"".join(path.read_bytes() for path in tmp_path.glob("office.db*"))
        assert secret.encode() not in kept

    def test_it_ends(self, site: Staffed, monkeypatch: pytest.MonkeyPatch) -> None:
        link = self.link(site, site.eva.drafted_correction())
        later = site.office.now() + 15 * 86_400
        monkeypatch.setattr(site.office, "now", lambda: later)
        assert site.client.get(link).status_code == 404

    def test_it_is_ended_by_who_made_it(self, site: Staffed) -> None:
        id_ = site.eva.drafted_correction()
        link = self.link(site, id_)
        assert site.ivan.post(f"/submissions/{id_}/unshare").status_code == 404
        assert site.client.get(link).status_code == 200
        site.eva.post(f"/submissions/{id_}/unshare")
        assert site.client.get(link).status_code == 404

    def test_it_ends_when_the_submission_is_withdrawn(self, site: Staffed) -> None:
        id_ = site.eva.drafted_correction()
        link = self.link(site, id_)
        site.eva.step(id_, "withdraw")
        assert site.client.get(link).status_code == 404

    def test_it_shows_what_was_accepted_as_it_was_seen(self, site: Staffed) -> None:
        id_ = site.eva.drafted_correction()
        link = self.link(site, id_)
        before = impact_of(site.client.get(link).text)
        site.eva.step(id_, "hand-in")
        site.ana.step(id_, "accept")
        answer = site.client.get(link)
        assert "accepted" in answer.text
        assert impact_of(answer.text) == before

    def test_only_those_concerned_make_one(self, site: Staffed) -> None:
        id_ = site.eva.drafted_correction()
        assert site.ivan.post(f"/submissions/{id_}/share").status_code == 404
        assert site.aud.post(f"/submissions/{id_}/share").status_code == 403
        assert site.ana.post(f"/submissions/{id_}/share").status_code == 200


def test_notes_of_one_kind_are_one_line_with_a_count(site: Staffed) -> None:
    players = (player(n, f"Nina {n}", points="3.5", fide=str(1000 + n)) for n in range(1, 41))
    about_it = ("012 Copa", "042 2010/08/01", "052 2010/08/02", "092 Swiss", "122 90 min")
    page = site.eva.upload(file(*about_it, *players)).text
    notes = page.partition("<h3>Notes</h3>")[2].partition("</ul>")[0]
    said = [line for line in notes.split("<li>") if "points declared" in line]
    assert len(said) == 1, notes
    assert "40 of this kind: also in lines 7, 8, 9, 10, 11, …" in said[0]
