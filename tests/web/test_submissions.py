"""From a report to the ledger by two people: handed in, looked at, decided, recorded once."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from ledger.operations.commands import OPERATIONS, CorrectResult, ErasePlayer, SetTwoPersons
from ledger.operations.kinds import PARAMETERS
from ledger.service.accounts import revoke_role
from ledger.service.erasures import erase_player
from ledger.terms import Role
from ledger.wording import Message
from tests.intake.trf.writing import file, player
from tests.ledgers import (
    GAMES_HEADER,
    NOW,
    PLAYERS_HEADER,
    about,
    empty_ledger,
    games,
    import_text,
    request,
    with_july_published,
    with_officers,
)
from tests.web.filling import form_of
from tests.web.submitting import CORRECTION, LATE, OF_AUGUST, ORIGIN, Staffed, staffed
from tests.web.support import text_of
from tests.workbooks import workbook
from web.access import Account
from web.forms import HANDED_IN, OTHERWISE
from web.jobs.kinds import KINDS, Assignment, record_submission
from web.limits import RequestLimit
from web.office.jobs import claim, fail, finish, stop
from web.office.schema import SUBMISSION_PREVIEWS
from web.office.submissions import SubmissionState, add, find, open_count
from web.settings import WebSettings
from web.submissions import contents, decisions, permissions
from web.submissions.life import LIFE, StepName, Taker
from web.submissions.names import names_in


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Staffed]:
    """July is published; ana and luis are officers."""
    with staffed(with_officers(with_july_published(), "ana", "luis"), tmp_path) as opened:
        yield opened


class TestTheWayOfAReport:
    def test_it_is_looked_at_handed_in_and_recorded_by_two(self, site: Staffed) -> None:
        head = site.head
        page = site.eva.upload(OF_AUGUST)
        assert "T3" in page.text
        assert site.head == head, "a draft records nothing"
        id_ = page.url.path.rpartition("/")[2]
        assert "handed in" in site.eva.step(id_, "hand-in").text
        assert site.head == head, "nor does handing in"
        done = site.luis.step(id_, "accept")
        assert "It is recorded" in done.text
        assert site.actors[-1] == "eva + luis"
        commit = list(site.ledger.journal.commits())[-1]
        assert (commit.idempotency_key, commit.source_name) == (f"submission:{id_}", "games.csv")
        assert "T3" in site.ledger.facts().tournament_index

    def test_every_problem_is_shown_at_its_line_and_column(self, site: Staffed) -> None:
        page = site.eva.upload(OF_AUGUST.replace("0-1", "7-1").replace("A,B", "X,B"))
        assert page.status_code == 200
        assert '<span class="soft">line 2, column 12</span>' in page.text
        assert not site.eva.offers(page, "hand-in")

    def test_of_very_many_problems_the_first_are_shown_and_the_rest_counted(
        self, site: Staffed
    ) -> None:
        lines = about("T3", "2010-08-20", *(f"A,X{number},1-0" for number in range(320)))
        id_ = site.eva.drafted(GAMES_HEADER + lines)
        page = site.eva.get(f"/submissions/{id_}")
        assert page.text.count('<span class="soft">line ') == 50
        assert '<a href="?all=1">Show all 320</a>' in page.text
        assert "more problems" not in page.text
        page = site.eva.get(f"/submissions/{id_}?all=1")
        assert page.text.count('<span class="soft">line ') == 300
        assert "And 20 more problems." in page.text

    def test_of_many_people_the_first_are_shown(self, site: Staffed) -> None:
        rows = "".join(f"N{n},Newcomer Number {n},CHI,,1990,,,\n" for n in range(400))
        id_ = site.eva.drafted(PLAYERS_HEADER + rows)
        page = site.eva.get(f"/submissions/{id_}")
        assert page.text.count("· <bdi>Newcomer") == 50
        assert "400 new people" in page.text
        assert '<a href="?all=1">Show all 400</a>' in page.text
        assert len(page.content) < 60_000
        assert site.eva.get(f"/submissions/{id_}?all=1").text.count("· <bdi>Newcomer") == 300

    def test_what_cannot_be_recorded_cannot_be_handed_in(self, site: Staffed) -> None:
        id_ = site.eva.drafted(OF_AUGUST.replace("0-1", "7-1"))
        refused = site.eva.post(f"/submissions/{id_}/hand-in", {"turn": "1"})
        assert refused.status_code == 422
        assert "draft" in site.eva.get(f"/submissions/{id_}").text

    def test_it_is_mended_and_handed_in_again(self, site: Staffed) -> None:
        id_ = site.eva.handed_in(OF_AUGUST)
        back = site.ana.step(id_, "hand-back", comment="who was White?")
        assert "who was White?" in back.text
        page = site.eva.get(f"/submissions/{id_}")
        first = page.text.index("who was White?")
        assert first < page.text.index("<dl") < page.text.rindex("who was White?")
        hidden = site.eva.hidden(page, "mend")
        mended = OF_AUGUST.replace("A,B,0-1", "B,A,1-0")
        assert site.eva.post(f"/submissions/{id_}/mend", hidden, mended).status_code == 200
        site.eva.step(id_, "hand-in")
        done = site.ana.step(id_, "accept")
        assert site.actors[-1] == "eva + ana"
        for word in ("draft", "handed in", "handed back", "who was White?", "mended", "accepted"):
            assert word in done.text
        games = site.ledger.register(["tournament:T3"], site.head).tournaments["T3"].each_pairing
        assert [game.white for game in games] == ["B"]

    def test_an_officers_own_is_decided_by_another(self, site: Staffed) -> None:
        id_ = site.ana.drafted(LATE)
        page = site.ana.get(f"/submissions/{id_}")
        assert "What you handed in yourself another officer decides." in page.text, "said before"
        site.ana.step(id_, "hand-in")
        page = site.ana.get(f"/submissions/{id_}")
        assert not site.ana.offers(page, "accept")
        digest = site.luis.hidden(site.luis.get(f"/submissions/{id_}"), "accept")
        assert site.ana.post(f"/submissions/{id_}/accept", digest).status_code == 422
        assert "It is recorded" in site.luis.step(id_, "accept").text
        assert site.actors[-1] == "ana + luis"

    @pytest.mark.parametrize(
        "path",
        [
            (), ("hand-in",), ("hand-in", "hand-back"), ("hand-in", "refuse"), ("withdraw",),
            ("hand-in", "accept"),
        ],
        ids="-".join,
    )  # fmt: skip
    def test_pages_and_programs_may_do_what_its_life_says(
        self, site: Staffed, path: Sequence[str]
    ) -> None:
        id_ = site.eva.drafted(OF_AUGUST)
        for step in path:
            who = site.eva if LIFE[StepName(step)].taker is Taker.OWNER else site.ana
            assert who.step(id_, step, comment="why").status_code == 200
        with site.office.reading() as connection:
            stands = find(connection, id_)
        assert stands is not None
        assert stands.state is (LIFE[StepName(path[-1])].to if path else SubmissionState.DRAFT)
        for who, takes in (
            (site.eva, {Taker.OWNER}),
            (site.ana, {Taker.OTHER, Taker.DECIDER}),
            (site.aud, set()),
        ):
            shown = who.get(f"/submissions/{id_}").text
            offered = {each for each in StepName if f'action="/submissions/{id_}/{each}"' in shown}
            meant = {
                step for step, move in LIFE.items()
                if stands.state in move.states and move.taker in takes
            }  # fmt: skip
            assert offered == meant, who.name
        for step in (
            StepName.HAND_IN,
            StepName.WITHDRAW,
            StepName.HAND_BACK,
            StepName.REFUSE,
            StepName.BLANK,
        ):
            if stands.state not in LIFE[step].states:
                said = {"turn": str(stands.turn), "comment": "why"}
                who = site.eva if LIFE[step].taker is Taker.OWNER else site.ana
                assert who.post(f"/submissions/{id_}/{step}", said).status_code == 409, step

    @pytest.mark.parametrize("is_off", [False, True])
    @pytest.mark.parametrize("step", ["hand-back", "refuse"])
    def test_who_handed_it_in_withdraws_it_and_says_nothing_of_it_to_himself(
        self, site: Staffed, step: str, *, is_off: bool
    ) -> None:
        if is_off:
            off = SetTwoPersons(list="ENF", required=False)
            site.ledger.execute([off], replace(request(), actor="ana", second="luis"))
        id_ = site.ana.handed_in(LATE)
        page = site.ana.get(f"/submissions/{id_}")
        assert not site.ana.offers(page, "hand-back")
        assert "Refuse for good" not in page.text
        said = site.ana.hidden(page, "withdraw") | {"comment": "not good"}
        refused = site.ana.post(f"/submissions/{id_}/{step}", said)
        assert refused.status_code == 422
        assert "you handed this in yourself" in refused.text
        assert "handed in" in site.ana.get(f"/submissions/{id_}").text
        assert "withdrawn" in site.ana.step(id_, "withdraw").text

    def test_what_is_decided_is_told_as_what_happened(self, site: Staffed) -> None:
        """And what is told of it says where to find what was recorded."""
        id_, other = site.eva.handed_in(LATE), site.ivan.drafted_correction()
        assert "would be recorded" in site.eva.get(f"/submissions/{id_}").text
        done = site.luis.step(id_, "accept").text
        commit = list(site.ledger.journal.commits())[-1].commit_id
        assert f'<a href="/audit/commits/{commit}">It is recorded' in done
        assert re.search(r"\d+ events were recorded; \d+ players? moved", text_of(done))
        assert "ratings of published periods moved." in done
        assert "would" not in text_of(done).partition("Preview")[2].partition("What was done")[0]
        site.ivan.step(other, "hand-in")
        gone = text_of(site.luis.step(other, "refuse", comment="it was not so").text)
        assert "would have been recorded; it would have moved" in gone
        assert "would be recorded" not in gone

    def test_where_the_rule_is_off_one_may_do_both(self, site: Staffed) -> None:
        off = SetTwoPersons(list="ENF", required=False)
        agreed = replace(request(), actor="ana", second="luis")
        site.ledger.execute([off], agreed)
        id_ = site.ana.handed_in(LATE)
        assert "It is recorded" in site.ana.step(id_, "accept").text
        assert site.actors[-1] == "ana"

    def test_it_is_refused_with_a_reason(self, site: Staffed) -> None:
        id_, head = site.eva.handed_in(OF_AUGUST), site.head
        assert site.ana.step(id_, "refuse", comment=" ").status_code == 422
        assert "no such event" in site.ana.step(id_, "refuse", comment="no such event").text
        assert site.head == head
        assert not site.ana.offers(site.ana.get(f"/submissions/{id_}"), "accept")

    def test_it_is_withdrawn_by_who_handed_it_in_and_its_file_is_gone(self, site: Staffed) -> None:
        id_ = site.eva.handed_in(OF_AUGUST)
        assert site.eva.get(f"/submissions/{id_}/file").content == OF_AUGUST.encode()
        assert site.ana.post(f"/submissions/{id_}/withdraw", {"turn": "2"}).status_code == 404
        assert "withdrawn" in site.eva.step(id_, "withdraw").text
        assert site.eva.get(f"/submissions/{id_}/file").status_code == 404

    def test_its_preview_goes_with_it(self, site: Staffed) -> None:
        id_ = site.eva.handed_in(LATE)
        assert "/players/A" in site.luis.get(f"/submissions/{id_}").text
        site.eva.step(id_, "withdraw")
        for person in (site.eva, site.luis):
            page = person.get(f"/submissions/{id_}").text
            assert "The file is not here any more" in page
            assert "<h2>Preview" not in page
            assert "/players/A" not in page
            assert person.get(f"/submissions/{id_}/preview.json").status_code == 404
        with site.office.reading() as connection:
            assert connection.execute(select(SUBMISSION_PREVIEWS)).all() == []

    def test_a_file_that_two_handed_in_stays_for_the_other_alone(self, site: Staffed) -> None:
        first, second = site.eva.drafted(OF_AUGUST), site.ivan.drafted(OF_AUGUST)
        site.eva.step(first, "withdraw")
        assert site.ivan.get(f"/submissions/{second}/file").content == OF_AUGUST.encode()
        assert site.eva.get(f"/submissions/{first}/file").status_code == 404
        assert f"/submissions/{first}/file" not in site.eva.get(f"/submissions/{first}").text

    def test_all_that_is_recorded_already_cannot_be_handed_in(self, site: Staffed) -> None:
        id_ = site.eva.drafted(GAMES_HEADER + about("T2", "2010-08-10", "A,B,1-0", "C,A,1/2-1/2"))
        page = site.eva.get(f"/submissions/{id_}")
        assert "recorded already" in page.text
        assert not site.eva.offers(page, "hand-in")

    def test_files_and_previews_are_thrown_away_long_after_the_decision(
        self, site: Staffed, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        done, open_ = site.eva.handed_in(OF_AUGUST), site.eva.handed_in(LATE.replace("T3", "T4"))
        site.ana.step(done, "accept")
        later = site.office.now() + 91 * 86_400
        monkeypatch.setattr(site.office, "now", lambda: later)
        site.ivan.drafted(OF_AUGUST.replace("T3", "T6"))
        assert site.eva.get(f"/submissions/{done}/file").status_code == 404
        page = site.eva.get(f"/submissions/{done}").text
        assert "It is recorded" in page
        assert "would be recorded" not in page
        assert site.eva.get(f"/submissions/{open_}/file").status_code == 200

    def test_nobody_has_more_than_some_open(
        self, site: Staffed, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(decisions, "MOST_OPEN", 1)
        first = site.eva.handed_in(OF_AUGUST)
        assert site.eva.upload(LATE).status_code == 422
        site.ivan.drafted(LATE)
        site.eva.step(first, "withdraw")
        site.eva.drafted(LATE)

    def test_looking_is_never_refused_since_the_oldest_look_gives_way(
        self, site: Staffed, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(decisions, "MOST_OPEN", 3)
        waiting = site.eva.handed_in(OF_AUGUST)
        looks = [site.eva.drafted_correction(reason=f"look {n}") for n in range(5)]
        pages = [site.eva.get(f"/submissions/{id_}") for id_ in (waiting, *looks)]
        withdrawn = [not site.eva.offers(page, "withdraw") for page in pages]
        assert (withdrawn[0], withdrawn[-1], sum(withdrawn)) == (False, False, 3)
        again = site.eva.drafted(LATE)
        assert site.eva.offers(site.eva.get(f"/submissions/{again}"), "hand-in")

    @pytest.mark.parametrize("state", [SubmissionState.DRAFT, SubmissionState.HANDED_IN])
    def test_two_that_come_together_share_the_room(
        self, site: Staffed, monkeypatch: pytest.MonkeyPatch, state: SubmissionState
    ) -> None:
        monkeypatch.setattr(decisions, "MOST_OPEN", 1)
        with site.office.reading() as connection:
            other = find(connection, site.ivan.drafted(LATE))
        assert other is not None
        others = iter([replace(other, id="other", account="eva", state=state)])
        make_room = decisions.SubmissionDesk._make_room

        def make_room_for_two(desk: decisions.SubmissionDesk, id_: str, account: str) -> None:
            make_room(desk, id_, account)
            with site.office.writing() as connection:
                for submission in others:
                    add(connection, submission, None)

        monkeypatch.setattr(decisions.SubmissionDesk, "_make_room", make_room_for_two)
        is_handed_in = state is SubmissionState.HANDED_IN
        assert site.eva.upload(OF_AUGUST).status_code == (422 if is_handed_in else 200)
        with site.office.reading() as connection:
            assert open_count(connection, "eva") == 1
            kept = find(connection, "other")
        assert kept is not None
        assert kept.state.is_open is is_handed_in

    def test_it_survives_a_restart(self, tmp_path: Path) -> None:
        ledger = with_officers(with_july_published(), "ana", "luis")
        with staffed(ledger, tmp_path) as before:
            id_ = before.eva.handed_in(OF_AUGUST)
        with staffed(ledger, tmp_path) as after:
            assert "It is recorded" in after.ana.step(id_, "accept").text


class TestWhoMaySeeAndDo:
    def test_content_is_read_only_for_an_officer_who_withdraws(
        self, site: Staffed, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with site.office.reading() as connection:
            submission = find(connection, site.eva.drafted(LATE))
        assert submission is not None
        reads = list[str]()

        def read(text: str) -> contents.AnyContent:
            reads.append(text)
            return contents.read_content(text)

        monkeypatch.setattr(permissions, "read_content", read)
        desk = decisions.SubmissionDesk(site.office, site.client.app.state.site)  # type: ignore[attr-defined]
        for name, role in product(("eva", "luis", "ivan"), Role):
            party = permissions.SubmissionParty(Account(name, frozenset({role})), desk)
            for step, state in product(StepName, SubmissionState):
                reads.clear()
                party.may(replace(submission, state=state), step)
                clears = step is StepName.WITHDRAW and state in LIFE[step].states
                is_needed = clears and name != "eva" and role is Role.OFFICER
                assert len(reads) == is_needed, (name, role, step, state)

    def test_an_arbiter_sees_his_own_only(self, site: Staffed) -> None:
        id_ = site.eva.handed_in(OF_AUGUST)
        assert "games.csv" in site.eva.get("/submissions").text
        assert "games.csv" not in site.ivan.get("/submissions").text
        for path in ("", "/file", "/preview.json"):
            assert site.ivan.get(f"/submissions/{id_}{path}").status_code == 404

    def test_an_auditor_sees_all_and_changes_nothing(self, site: Staffed) -> None:
        id_ = site.eva.handed_in(OF_AUGUST)
        assert "games.csv" in site.aud.get("/submissions").text
        page = site.aud.get(f"/submissions/{id_}")
        assert page.status_code == 200
        assert "<form" not in page.text.partition("<main")[2]
        for step in ("accept", "refuse", "hand-back", "withdraw", "mend", "hand-in", "share"):
            assert site.aud.post(f"/submissions/{id_}/{step}", {"turn": "2"}).status_code == 403

    def test_only_officers_decide(self, site: Staffed) -> None:
        id_ = site.eva.handed_in(OF_AUGUST)
        hidden = site.ana.hidden(site.ana.get(f"/submissions/{id_}"), "accept")
        for name in ("eva", "ivan", "adm"):
            person = getattr(site, name)
            for step in ("accept", "refuse", "hand-back"):
                assert person.post(f"/submissions/{id_}/{step}", hidden).status_code == 403
        assert site.client.post(
            f"/submissions/{id_}/accept", data=hidden, headers={"sec-fetch-site": "same-origin"},
            follow_redirects=False,
        ).headers["location"].startswith("/sign-in")  # fmt: skip

    def test_who_was_an_officer_when_the_page_was_shown_may_not_be_one_now(
        self, site: Staffed
    ) -> None:
        with_officers(site.ledger, "rosa")
        id_ = site.eva.handed_in(LATE)
        hidden = site.luis.hidden(site.luis.get(f"/submissions/{id_}"), "accept")
        revoke_role(site.ledger, "luis", Role.OFFICER, request=request())
        head = site.head
        answer = site.luis.post(f"/submissions/{id_}/accept", hidden)
        assert answer.status_code in {409, 422}
        assert site.head == head

    def test_what_is_shown_is_kept_nowhere(self, site: Staffed) -> None:
        id_ = site.eva.drafted(OF_AUGUST)
        for path in ("/submissions", f"/submissions/{id_}", f"/submissions/{id_}/file"):
            assert site.eva.get(path).headers["cache-control"] == "no-store"

    def test_another_site_cannot_decide(self, site: Staffed) -> None:
        id_ = site.eva.handed_in(OF_AUGUST)
        hidden = site.ana.hidden(site.ana.get(f"/submissions/{id_}"), "accept")
        foreign = {"x-account": "ana", "sec-fetch-site": "cross-site", "cookie": "a=b"}
        answer = site.client.post(f"/submissions/{id_}/accept", data=hidden, headers=foreign)
        assert answer.status_code == 403


class TestTwoAtOnce:
    def test_a_double_click_makes_one_draft(self, site: Staffed) -> None:
        key = site.eva.hidden(site.eva.get("/submissions/new"), "/new")
        first = site.eva.post("/submissions/new", key, OF_AUGUST)
        again = site.eva.post("/submissions/new", key, OF_AUGUST)
        assert first.url == again.url
        assert site.ivan.post("/submissions/new", key, OF_AUGUST).status_code == 422

    def test_a_form_that_brings_something_else_is_told_so_and_may_be_sent_again(
        self, site: Staffed
    ) -> None:
        key = site.eva.hidden(site.eva.get("/submissions/new"), "/new")
        first = site.eva.post("/submissions/new", key, OF_AUGUST)
        for said, sent in (({}, LATE), ({"name": "Copa"}, OF_AUGUST)):
            other = site.eva.post("/submissions/new", {**key, **said}, sent)
            assert other.status_code == 422
            assert "was handed over before" in other.text
            again = site.eva.hidden(other, "/new")
            assert again != key
            assert site.eva.post("/submissions/new", {**again, **said}, sent).url != first.url

    def test_likewise_of_a_decision(self, site: Staffed) -> None:
        key = site.eva.hidden(site.eva.get("/corrections/new"), "/new")
        first = site.eva.post("/corrections/new", {**key, **CORRECTION})
        assert site.eva.post("/corrections/new", {**key, **CORRECTION}).url == first.url
        said = {**CORRECTION, "result": "1/2-1/2"}
        other = site.eva.post("/corrections/new", {**key, **said})
        assert "was handed over before" in other.text
        assert site.eva.hidden(other, "/new") != key

    def test_a_double_click_records_once_and_the_page_says_so(self, site: Staffed) -> None:
        id_ = site.eva.handed_in(OF_AUGUST)
        hidden = site.ana.hidden(site.ana.get(f"/submissions/{id_}"), "accept")
        head = site.head
        first = site.ana.post(f"/submissions/{id_}/accept", hidden)
        recorded = site.head
        again = site.ana.post(f"/submissions/{id_}/accept", hidden)
        assert head < recorded == site.head
        assert "It is recorded" in first.text
        assert again.status_code == 409
        assert "It is recorded" in again.text

    def test_two_officers_at_once_record_once(self, site: Staffed) -> None:
        id_ = site.eva.handed_in(OF_AUGUST)
        hidden = site.ana.hidden(site.ana.get(f"/submissions/{id_}"), "accept")
        commits = len(site.actors)
        with ThreadPoolExecutor(4) as pool:
            people = [site.ana, site.luis] * 2
            answers = list(
                pool.map(lambda who: who.post(f"/submissions/{id_}/accept", hidden), people)
            )
        assert len(site.actors) == commits + 1
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
        assert all("It is recorded" in answer.text for answer in answers)

    def test_one_accepts_while_the_other_withdraws(self, site: Staffed) -> None:
        for number in range(6):
            file = OF_AUGUST.replace("T3", f"W{number}")
            id_ = site.eva.handed_in(file)
            hidden = site.ana.hidden(site.ana.get(f"/submissions/{id_}"), "accept")
            with ThreadPoolExecutor(2) as pool:
                accept = pool.submit(site.ana.post, f"/submissions/{id_}/accept", hidden)
                withdraw = pool.submit(site.eva.post, f"/submissions/{id_}/withdraw", hidden)
                answers = [accept.result(), withdraw.result()]
            is_there = f"W{number}" in site.ledger.facts().tournament_index
            page = site.ana.get(f"/submissions/{id_}").text
            assert ("It is recorded" in page) == is_there
            assert ("<b>withdrawn</b>" in page) != is_there
            assert sorted(answer.status_code for answer in answers) == [200, 409]

    def test_a_stale_form_changes_nothing_and_shows_what_is_so(self, site: Staffed) -> None:
        id_ = site.eva.handed_in(OF_AUGUST)
        hidden = site.ana.hidden(site.ana.get(f"/submissions/{id_}"), "hand-back")
        site.luis.step(id_, "hand-back", comment="mend it")
        late = site.ana.post(f"/submissions/{id_}/refuse", {**hidden, "comment": "two <b> words"})
        assert late.status_code == 409
        assert "<b>handed back</b>" in late.text
        assert "What you had written was not sent: two <b> words" in text_of(late.text)

    def test_a_comment_that_came_too_late_is_in_the_form_of_what_came_since(
        self, site: Staffed
    ) -> None:
        id_ = site.eva.handed_in(OF_AUGUST)
        hidden = site.ana.hidden(site.ana.get(f"/submissions/{id_}"), "hand-back")
        site.luis.step(id_, "hand-back", comment="mend it")
        page = site.eva.get(f"/submissions/{id_}")
        mended = OF_AUGUST.replace("0-1", "1-0")
        site.eva.post(f"/submissions/{id_}/mend", site.eva.hidden(page, "mend"), mended)
        site.eva.step(id_, "hand-in")
        late = site.ana.post(f"/submissions/{id_}/hand-back", {**hidden, "comment": 'say "why"'})
        form = form_of(late.text, f"/submissions/{id_}/hand-back")
        assert (late.status_code, form.value("comment")) == (409, 'say "why"')
        assert "was not sent" not in late.text
        done = site.ana.post(f"/submissions/{id_}/hand-back", dict(form.fields))
        assert 'say "why"' in text_of(done.text)

    def test_what_was_mended_too_late_or_wrongly_is_in_the_form_again(self, site: Staffed) -> None:
        id_ = site.eva.drafted_correction(reason="score sheet")
        address = f"/submissions/{id_}/mend"
        form = form_of(site.eva.get(f"/submissions/{id_}").text, address)
        assert form.value("reason") == "score sheet"
        first, late = (
            site.eva.post(address, {**dict(form.fields), "reason": said, "result": "1/2-1/2"})
            for said in ("protocol", 'a "second" look')
        )
        assert first.status_code == 200
        again = form_of(late.text, address)
        assert (late.status_code, again.value("reason")) == (409, 'a "second" look')
        assert "was not sent" not in late.text
        wrong = site.eva.post(address, {**dict(again.fields), "round": "x", "white": "C"})
        kept = form_of(wrong.text, address)
        assert (wrong.status_code, kept.value("white")) == (422, "C")
        done = site.eva.post(address, {**dict(kept.fields), "round": "1", "white": "A"})
        assert 'a "second" look' in text_of(done.text)

    def test_what_was_mended_after_it_was_handed_in_is_told(self, site: Staffed) -> None:
        id_ = site.eva.drafted_correction()
        form = form_of(site.eva.get(f"/submissions/{id_}").text, f"/submissions/{id_}/mend")
        site.eva.step(id_, "hand-in")
        late = site.eva.post(
            f"/submissions/{id_}/mend", {**dict(form.fields), "reason": "two <b> words"}
        )
        assert late.status_code == 409
        told = text_of(late.text)
        assert "What you had written was not sent:" in told
        assert "two <b> words" in told
        assert not site.eva.offers(late, "/mend")

    def test_a_report_that_was_mended_meanwhile_is_not_accepted_unseen(self, site: Staffed) -> None:
        id_ = site.eva.handed_in(OF_AUGUST)
        hidden = site.ana.hidden(site.ana.get(f"/submissions/{id_}"), "accept")
        site.ana.step(id_, "hand-back", comment="x")
        page = site.eva.get(f"/submissions/{id_}")
        mended = OF_AUGUST.replace("0-1", "1-0")
        site.eva.post(f"/submissions/{id_}/mend", site.eva.hidden(page, "mend"), mended)
        site.eva.step(id_, "hand-in")
        head = site.head
        assert site.ana.post(f"/submissions/{id_}/accept", hidden).status_code == 409
        assert site.head == head


class TestTheLedgerMoves:
    def test_what_comes_to_the_same_is_recorded(self, site: Staffed) -> None:
        id_ = site.eva.handed_in(OF_AUGUST)
        hidden = site.ana.hidden(site.ana.get(f"/submissions/{id_}"), "accept")
        import_text(site.ledger, f"{PLAYERS_HEADER}Z,Zoe,CHI,,1990,,,\n")
        assert "It is recorded" in site.ana.post(f"/submissions/{id_}/accept", hidden).text

    def test_what_comes_to_something_else_is_shown_first(self, site: Staffed) -> None:
        id_ = site.eva.handed_in(OF_AUGUST)
        hidden = site.ana.hidden(site.ana.get(f"/submissions/{id_}"), "accept")
        import_text(site.ledger, GAMES_HEADER + about("OTHER", "2010-08-05", "A,D,0-1", "B,D,1-0"))
        head = site.head
        answer = site.ana.post(f"/submissions/{id_}/accept", hidden)
        assert answer.status_code == 409
        assert site.head == head
        assert "What has changed since you looked" in answer.text
        assert " → " in answer.text.partition("What has changed")[2]
        again = site.ana.post(f"/submissions/{id_}/accept", site.ana.hidden(answer, "accept"))
        assert "It is recorded" in again.text

    def test_what_cannot_be_recorded_any_more_says_why(self, site: Staffed) -> None:
        id_ = site.eva.handed_in(OF_AUGUST)
        hidden = site.ana.hidden(site.ana.get(f"/submissions/{id_}"), "accept")
        import_text(site.ledger, OF_AUGUST.replace("0-1", "1-0"))
        answer = site.ana.post(f"/submissions/{id_}/accept", hidden)
        assert answer.status_code == 409
        assert "cannot be recorded" in answer.text
        assert not site.ana.offers(answer, "accept")


class TestLargeFiles:
    """What takes long is done by jobs, one after the other as the site's runner would."""

    @pytest.fixture(autouse=True)
    def _all_are_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(contents, "MOST_GAMES", 0)

    def done(self, site: Staffed) -> Any:
        """Does the next job; returns what it came to."""
        job = claim(site.office, "runner")
        assert job is not None, "nothing waits"
        settings = WebSettings(ledger="", origin=ORIGIN, cache=site.folder)
        given = Assignment(site.ledger, site.office, settings, job.parameters, job.account)
        result = KINDS[job.kind].do(given)
        assert finish(site.office, job, "runner", result)
        return result

    def test_it_is_looked_at_and_recorded_by_jobs(self, site: Staffed) -> None:
        id_ = site.eva.drafted(OF_AUGUST)
        page = site.eva.get(f"/submissions/{id_}")
        assert 'http-equiv="refresh"' in page.text
        assert not site.eva.offers(page, "hand-in")
        self.done(site)
        assert claim(site.office, "runner") is None, "looking again makes no other job"
        site.eva.step(id_, "hand-in")
        hidden = site.ana.hidden(site.ana.get(f"/submissions/{id_}"), "accept")
        head = site.head
        answers = [site.ana.post(f"/submissions/{id_}/accept", hidden) for _ in range(2)]
        assert {answer.url.path.rpartition("/")[0] for answer in answers} == {"/jobs"}
        assert site.head == head
        assert self.done(site)["recorded"]
        assert site.actors[-1] == "eva + ana"
        assert "It is recorded" in site.ana.get(f"/submissions/{id_}").text

    def test_while_it_is_recorded_the_office_is_free_and_nobody_takes_another_step(
        self, site: Staffed, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        id_ = site.eva.drafted(OF_AUGUST)
        self.done(site)
        site.eva.step(id_, "hand-in")
        page = site.ana.get(f"/submissions/{id_}")
        steps = {name: site.ana.hidden(page, name) for name in ("accept", "hand-back")}
        site.ana.post(f"/submissions/{id_}/accept", steps["accept"])
        carried_out = contents.DocumentContent.carried_out
        answers: list[httpx.Response] = []

        def slowly(self: contents.DocumentContent, *said: Any) -> Any:
            with site.office.writing():
                pass  # somebody signs in
            answers.append(
                site.ana.post(f"/submissions/{id_}/refuse", {**steps["hand-back"], "comment": "no"})
            )
            return carried_out(self, *said)

        monkeypatch.setattr(contents.DocumentContent, "carried_out", slowly)
        assert self.done(site)["recorded"]
        (refused,) = answers
        assert "it is being recorded" in refused.text
        assert "It is recorded" in site.ana.get(f"/submissions/{id_}").text
        assert site.actors[-1] == "eva + ana"

    def test_what_one_officer_has_recorded_another_is_told_of(self, site: Staffed) -> None:
        id_ = site.eva.drafted(OF_AUGUST)
        self.done(site)
        site.eva.step(id_, "hand-in")
        hidden = site.ana.hidden(site.ana.get(f"/submissions/{id_}"), "accept")
        job = site.ana.post(f"/submissions/{id_}/accept", hidden).url.path
        late = site.luis.post(f"/submissions/{id_}/accept", hidden)
        assert late.status_code == 422
        assert "it is being recorded" in late.text
        assert site.ana.post(f"/submissions/{id_}/accept", hidden).url.path == job
        head = site.head
        site.ana.post(f"{job}/cancel")
        assert claim(site.office, "runner") is None, "what is cancelled nobody does"
        assert site.head == head
        assert site.luis.step(id_, "accept").url.path not in {job, f"/submissions/{id_}"}
        assert self.done(site)["recorded"]
        assert site.actors[-1] == "eva + luis"

    @pytest.mark.parametrize("begun", [False, True])
    def test_a_preview_that_was_cancelled_is_made_when_somebody_says_so(
        self, site: Staffed, *, begun: bool
    ) -> None:
        id_ = site.eva.drafted(OF_AUGUST)
        page = site.eva.get(f"/submissions/{id_}").text
        job = re.findall(r'href="(/jobs/[\w-]+)"', page)[0]
        running = claim(site.office, "runner") if begun else None
        site.eva.post(f"{job}/cancel")
        for _ in range(2):  # looking does not begin it, nor does what is recorded meanwhile
            import_text(site.ledger, f"{PLAYERS_HEADER}Z{site.head},Z{site.head},CHI,,1990,,,\n")
            page_now = site.eva.get(f"/submissions/{id_}")
            assert "was cancelled" in page_now.text
            assert 'http-equiv="refresh"' not in page_now.text
        if running is not None:
            assert stop(site.office, running, "runner")
        assert claim(site.office, "runner") is None
        assert not site.aud.offers(site.aud.get(f"/submissions/{id_}"), "look")
        again = site.eva.step(id_, "look")
        assert 'http-equiv="refresh"' in again.text
        self.done(site)
        assert site.eva.offers(site.eva.get(f"/submissions/{id_}"), "hand-in")

    def test_of_a_preview_that_failed_it_is_said_why(self, site: Staffed) -> None:
        id_ = site.eva.drafted(OF_AUGUST)
        secret = re.findall(r"/previews/[\w-]+", site.eva.post(f"/submissions/{id_}/share").text)[0]
        job = claim(site.office, "runner")
        assert job is not None
        assert fail(site.office, job, "runner", Message.of("jobs.gave_up", times=3))
        page = site.eva.get(f"/submissions/{id_}")
        assert "could not be worked out" in page.text
        assert Message.of("jobs.gave_up", times=3).within("en") in text_of(page.text)
        assert site.eva.offers(page, "look")
        shared = site.eva.get(secret)
        assert "could not be worked out" in shared.text
        assert not site.eva.offers(shared, "look")

    def test_a_job_that_is_done_again_records_nothing_more(self, site: Staffed) -> None:
        id_ = site.eva.drafted(OF_AUGUST)
        self.done(site)
        site.eva.step(id_, "hand-in")
        hidden = site.ana.hidden(site.ana.get(f"/submissions/{id_}"), "accept")
        site.ana.post(f"/submissions/{id_}/accept", hidden)
        job = claim(site.office, "one that dies")
        assert job is not None
        settings = WebSettings(ledger="", origin=ORIGIN, cache=site.folder)
        given = Assignment(site.ledger, site.office, settings, job.parameters, job.account)
        record_submission(given)
        commits = site.actors
        record_submission(given)
        assert site.actors == commits

    def test_what_moved_meanwhile_is_shown_first(self, site: Staffed) -> None:
        id_ = site.eva.drafted(OF_AUGUST)
        self.done(site)
        site.eva.step(id_, "hand-in")
        hidden = site.ana.hidden(site.ana.get(f"/submissions/{id_}"), "accept")
        site.ana.post(f"/submissions/{id_}/accept", hidden)
        import_text(site.ledger, GAMES_HEADER + about("OTHER", "2010-08-05", "A,D,0-1", "B,D,1-0"))
        head = site.head
        assert not self.done(site)["recorded"]
        assert site.head == head
        assert site.ana.offers(site.ana.get(f"/submissions/{id_}"), "accept")

    @pytest.mark.parametrize(
        ("data", "games"),
        [
            (OF_AUGUST.encode(), 2),
            (OF_AUGUST.replace("\n", "\r").encode(), 2),
            (OF_AUGUST.replace("\n", "\r\n").encode(), 2),
            (OF_AUGUST.replace("\n", "\r").encode("utf-16"), 2),
            (b"012 Open\n001 " + b" " * 107, 6),
            (f"012 Open\n001 {' ' * 107}".encode("utf-16"), 6),
            (b"", 0),
        ],
        ids=["lf", "cr", "cr-lf", "utf-16", "trf", "trf-utf-16", "empty"],
    )
    def test_how_many_games_there_may_be_is_told_by_its_length(
        self, data: bytes, games: int
    ) -> None:
        assert contents.games_in(data) == games

    def test_programs_do_not_wait_for_it(self, site: Staffed) -> None:
        id_ = site.eva.drafted(OF_AUGUST)
        for path in (f"/submissions/{id_}/preview.json", f"/api/v1/submissions/{id_}/preview"):
            assert site.eva.get(path).status_code == 409, path


class TestWorkbooks:
    """What a workbook unfolds to is found out by jobs only, however small it is."""

    BOOK = workbook([("id", "name"), ("9", "Ana")])

    def test_a_page_does_not_wait_for_one(self, site: Staffed) -> None:
        id_ = site.eva.drafted(self.BOOK)
        assert 'http-equiv="refresh"' in site.eva.get(f"/submissions/{id_}").text
        job = claim(site.office, "runner")
        assert job is not None
        settings = WebSettings(ledger="", origin=ORIGIN, cache=site.folder)
        given = Assignment(site.ledger, site.office, settings, job.parameters, job.account)
        assert finish(site.office, job, "runner", KINDS[job.kind].do(given))
        assert site.eva.offers(site.eva.get(f"/submissions/{id_}"), "hand-in")

    def test_of_a_program_it_waits_for_a_job(self, site: Staffed) -> None:
        answer = site.client.post(
            "/api/v1/submissions/files?file=book.xlsx", content=self.BOOK,
            headers={
                "x-account": "eva", "sec-fetch-site": "same-origin", "idempotency-key": "1",
                "content-type": "application/octet-stream",
            },
        )  # fmt: skip
        assert answer.status_code == 200
        assert (answer.json()["state"], answer.json()["preview"]) == ("draft", None)
        assert answer.json()["job"]


class TestFiles:
    @pytest.mark.parametrize(
        "data",
        [b"%PDF-1.7", b"\x1f\x8b\x08\x00", b"\xd0\xcf\x11\xe0", b"a\0b", b"PK\x03\x04broken"],
        ids=["pdf", "gzip", "xls", "binary", "damaged"],
    )
    def test_what_is_no_document_is_not_kept(self, site: Staffed, data: bytes) -> None:
        answer = site.eva.upload(data)
        assert answer.status_code == 422
        assert "Nothing waits here." in site.eva.get("/submissions").text

    def test_an_empty_form_is_refused(self, site: Staffed) -> None:
        key = site.eva.hidden(site.eva.get("/submissions/new"), "/new")
        assert "choose a file" in site.eva.post("/submissions/new", key).text

    def test_a_fault_in_the_file_asks_for_the_mended_file_first(self, site: Staffed) -> None:
        page = site.eva.upload(OF_AUGUST.replace("0-1", "9-9")).text
        assert "What is wrong stands in the file itself" in page
        assert page.index('id="file"') < page.index("What the file does not say")

    def test_a_table_without_a_tournament_asks_for_all_of_it_at_once(self, site: Staffed) -> None:
        page = site.eva.upload("round,white,black,result\n1,A,B,1-0\n").text
        asked, _, more = page.partition("What the file does not say")
        for name in ("tournament", "name", "starts_on", "ends_on", "rate_of_play", "system"):
            assert f'name="{name}"' in asked, name
            assert f'name="{name}"' not in more, name

    def test_what_was_recorded_leads_to_its_tournament(self, site: Staffed) -> None:
        id_ = site.eva.handed_in(OF_AUGUST)
        tournament = 'href="/tournaments/'
        assert tournament not in site.ana.get(f"/submissions/{id_}").text
        site.ana.step(id_, "accept")
        assert tournament in site.ana.get(f"/submissions/{id_}").text

    def test_results_are_offered_in_words_that_name_the_board(self, site: Staffed) -> None:
        board = "what=correct-result&tournament=T1&round=1&white=A&black=B"
        page = site.ana.get(f"/corrections/new?{board}").text
        assert '<option value="1-0">A won</option>' in page
        assert '<option value="-/+">B won by forfeit</option>' in page
        assert '<option value="none">No result</option>' in page
        assert "White first: 1-0" in page
        assert "<dd>1–0</dd>" in page

    def test_what_was_typed_stays_in_the_form(self, site: Staffed) -> None:
        answer = site.eva.upload(b"%PDF", reason="Copa <Ñ> & Cía", rated_in="ENF:2010-08")
        assert "Copa &lt;Ñ&gt; &amp; Cía" in answer.text
        assert 'value="ENF:2010-08"' in answer.text

    def test_a_file_that_is_too_long_is_refused(self, site: Staffed) -> None:
        assert site.eva.upload(b"x" * 20_000_001).status_code == 422
        long = site.eva.upload(b"x" * 20_200_000)
        assert long.status_code == 413
        assert "The file is longer than 20 MB" in long.text

    def test_a_workbook_that_unfolds_to_too_much_is_refused(self, site: Staffed) -> None:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as book:
            for number in range(21):
                book.writestr(f"{number}.xml", b"0" * 10_000_000)
        answer = site.eva.upload(packed.getvalue())
        assert answer.status_code == 422
        assert "unfolds" in answer.text

    def test_the_name_of_a_file_is_shown_as_text(self, site: Staffed) -> None:
        key = site.eva.hidden(site.eva.get("/submissions/new"), "/new")
        name = "../../<script>\u202egpj.csv"
        page = site.eva.post("/submissions/new", key, OF_AUGUST, name)
        assert "<script>\\u202e" not in page.text
        assert "&lt;script&gt;" in page.text
        assert "../" not in page.text.partition("<h1>")[2].partition("</h1>")[0]

    def test_what_a_database_cannot_hold_is_written_out(self, site: Staffed) -> None:
        id_ = site.eva.drafted_correction(tournament="T1\0\ud800"[:3], reason="a\0b")
        assert site.eva.get(f"/submissions/{id_}").status_code == 200
        assert site.eva.get("/submissions").text.count("T1\\x00") == 1
        for wrong in ("%00", "a" * 17, "..%2f..", "%ff"):
            assert site.eva.get(f"/submissions/{wrong}").status_code == 404

    @pytest.mark.parametrize("field", ["starts_on", "rate_of_play", "as_correction"])
    def test_a_wrong_field_is_named(self, site: Staffed, field: str) -> None:
        answer = site.eva.upload(OF_AUGUST, **{field: "nonsense"})
        assert answer.status_code == 422
        assert field in answer.text

    def test_a_form_of_another_kind_is_refused(self, site: Staffed) -> None:
        headers = {"x-account": "eva", "sec-fetch-site": "same-origin"}
        answer = site.client.post("/submissions/new", json={"key": "x"}, headers=headers)
        assert answer.status_code == 415
        assert "multipart/form-data" in answer.text

    @pytest.mark.parametrize("in_parts", [False, True])
    def test_of_a_body_that_is_too_large_a_page_says_so_and_leads_back(
        self, site: Staffed, *, in_parts: bool
    ) -> None:
        app = site.client.app
        whole = b"x" * 2_001
        body = iter([whole[:1_000], whole[1_000:]]) if in_parts else whole
        client = TestClient(RequestLimit(app, largest_file=2_000, page=app), base_url=ORIGIN)
        headers = {
            "x-account": "eva", "sec-fetch-site": "same-origin",
            "referer": f"{ORIGIN}/submissions/new",
            "content-type": "multipart/form-data; boundary=x",
        }  # fmt: skip
        answer = client.post("/submissions/new", content=body, headers=headers)
        assert answer.status_code == 413
        assert "20 MB" in answer.text
        assert '<a class="button" href="/submissions/new">Back to the form</a>' in answer.text
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert (answer.headers["connection"], answer.headers["cache-control"]) == (
            "close", "no-store",
        )  # fmt: skip


class TestWhatAnOfficerFinds:
    def test_first_what_awaits_a_decision_and_no_drafts_of_others(self, site: Staffed) -> None:
        draft = site.eva.drafted(OF_AUGUST)
        own = site.ana.drafted(OF_AUGUST.replace("T3", "T4"))
        handed_in = site.eva.handed_in(OF_AUGUST.replace("T3", "T5"))
        found = {
            (name, path): {each for each in (draft, own, handed_in) if each in page.text}
            for name in ("ana", "eva")
            for path in ("/submissions", "/submissions?begun=true")
            if (page := getattr(site, name).get(path)).status_code == 200
        }
        assert found["ana", "/submissions"] == {handed_in}
        assert found["ana", "/submissions?begun=true"] == {own}
        assert found["eva", "/submissions"] == {draft, handed_in}

    def test_a_correction_with_names_and_the_result_that_stands(self, site: Staffed) -> None:
        id_ = site.eva.drafted_correction()
        site.eva.step(id_, "hand-in")
        page = site.ana.get(f"/submissions/{id_}").text
        assert "<title>Correct a result: T1, round 1: A – B, 1-0 → 0-1" in page
        assert "<dt>Recorded now</dt><dd><bdi>1–0</bdi></dd>" in page
        assert "A (A)" in page
        whole = '<span class="whole">{}</span>'
        assert f"{whole.format('1–0')} → {whole.format('0–1')}</bdi></h1>" in page
        assert f"{whole.format('0–1')}</bdi></a>" in site.ana.get("/submissions").text
        done = site.ana.step(id_, "accept").text
        assert "Recorded now" not in done, "by then it is the new one"
        assert "<title>Correct a result: T1, round 1: A – B, 1-0 → 0-1" in done
        assert "<dt>Recorded before</dt><dd><bdi>1–0</bdi></dd>" in done

    def test_an_annulled_result_is_still_told(self, site: Staffed) -> None:
        id_ = site.eva.drafted_correction(what="annul-result", result="")
        site.eva.step(id_, "hand-in")
        done = site.ana.step(id_, "accept").text
        assert "→" not in done.partition("<title>")[2].partition("</title>")[0]
        assert "<dt>Recorded before</dt><dd><bdi>1–0</bdi></dd>" in done

    def test_of_what_was_refused_only_what_was_asked_for_is_told(self, site: Staffed) -> None:
        id_ = site.eva.drafted_correction()
        site.eva.step(id_, "hand-in")
        page = site.ana.step(id_, "refuse", comment="no").text
        assert "<title>Correct a result: T1, round 1: A – B, 0-1" in page
        assert "Recorded " not in page.partition("<dl")[2].partition("</dl>")[0]


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ({"round": 3, "white": "A", "black": "B", "result": "1-0"}, "T/1, 3: A – B, 1-0"),
        ({"what": "annul-result", "round": 3, "white": "A"}, "T/1, 3: A"),
        ({"what": "annul-tournament"}, "T/1"),
        ({"what": "accept-tournament", "rated_in": "ENF:2010-08"}, "T/1, ENF:2010-08"),
    ],
)
def test_a_correction_is_called_in_a_list_by_what_it_is_about(
    said: dict[str, Any], title: str
) -> None:
    content = contents.OperationContent.model_validate(
        {"what": "result", "tournament": "T/1", **said}
    )
    assert content.title == title


def test_who_it_is_about_is_named_until_they_are_erased() -> None:
    ledger = with_july_published()
    import_text(ledger, 'id,name,sex,birth_date\n77,"Soto, Ana",w,1990\n')
    import_text(ledger, games("T/1", "1,,A,77,1-0").replace("T/1,T/1,", "T/1,Copa Sur,"))
    asked = contents.OperationContent(
        what="annul-result", words={"tournament": "T/1", "round": "1", "white": "A", "black": "77"}
    )
    erasure = contents.ErasureContent(player="77")
    gone = contents.OperationContent(what="affiliate-player", words={"player": "X", "club": "Sur"})

    def words() -> list[str]:
        names = names_in(ledger, (asked, erasure, gone))
        return [each.in_words(names).within("en") for each in (asked, erasure, gone)]

    before = words()
    assert "Copa Sur, round 1: A – Soto, Ana" in before[0]
    assert before[1:] == ["Erase the person Soto, Ana (id 77)", f"{gone.verb}: X, Sur"]
    erase_player(ledger, ErasePlayer(player="77", on=ledger.today), request())
    after = words()
    assert "Copa Sur, round 1: A – 77" in after[0]
    assert after[1] == "Erase the person with the id 77"


def test_of_what_is_no_erasure_any_reason_may_be_kept() -> None:
    words = {"tournament": "T1"}
    decision = contents.OperationContent(what="correct-result", words=words, reason="A")
    file = contents.DocumentContent(file="A.csv", reason="A")
    for content in (decision, file):
        content.check(empty_ledger())


def test_an_operation_of_a_player_is_handed_in_and_a_field_that_cannot_be_read_is_named(
    site: Staffed,
) -> None:
    key = site.eva.hidden(site.eva.get("/corrections/new?what=register-player"), "/new")
    typed = {"player": "P9", "name": "Rojas, Eva", "sex": "x", "reason": "new", **key}
    refused = site.eva.post("/corrections/new", typed)
    assert refused.status_code == 422
    assert 'aria-describedby="sex-problem"' in refused.text
    assert 'aria-describedby="name-problem"' not in refused.text
    page = site.eva.post("/corrections/new", typed | {"sex": "w", "federation": "chi"})
    assert page.status_code == 200, page.text
    id_ = page.url.path.rpartition("/")[2]
    site.eva.step(id_, "hand-in")
    assert "It is recorded" in site.ana.step(id_, "accept").text
    record = site.ledger.register(["player:P9"], site.head).players["P9"]
    assert record.version.federation == "CHI"


def test_what_was_kept_before_is_read() -> None:
    kept = (
        '{"reason":"why","kind":"correction","what":"result","tournament":"T1","round":3,'
        '"white":"A","black":"B","result":"none","rating_only":true,"rated_in":null}'
    )
    content = contents.read_content(kept)
    assert isinstance(content, contents.OperationContent)
    assert content.read(NOW.date()) == CorrectResult(
        tournament="T1", round=3, white="A", black="B", result=None, rating_only=True
    )


def test_a_period_that_was_handed_in_before_reaches_published_lists_by_itself() -> None:
    kept = (
        '{"reason":"","kind":"correction","what":"accept-tournament","tournament":"T1",'
        '"rated_in":"ENF:2010-07"}'
    )
    content = contents.read_content(kept)
    assert isinstance(content, contents.OperationContent)
    assert content.words == {
        "tournament": "T1", "rated_in": "ENF:2010-07", "as_correction": "true"
    }  # fmt: skip


def test_every_operation_can_be_handed_in_or_has_a_reason() -> None:
    others = OPERATIONS.keys() - HANDED_IN.keys()
    assert others == OTHERWISE.keys() | {name for name in OPERATIONS if OPERATIONS[name].unfilled}


@pytest.mark.parametrize("name", HANDED_IN)
def test_the_form_of_an_operation_shows_each_of_its_fields(site: Staffed, name: str) -> None:
    page = site.eva.get(f"/corrections/new?what={name}").text
    for field, kind in HANDED_IN[name].kinds.items():
        id_ = r"parameter:\w+" if kind == PARAMETERS else field
        assert re.search(rf'<(input|textarea|select)[^>]* id="{id_}"', page), field


def test_what_a_report_does_not_say_is_asked_for_on_the_page(site: Staffed) -> None:
    """One problem, and its fields stand before all others."""
    report = file("012 Open", player(1, "Quispe", "   2 w 1"), player(2, "Ojeda", "   1 b 0"))
    id_ = site.eva.drafted(report)
    page = site.eva.get(f"/submissions/{id_}").text
    form = page[page.index(f'action="/submissions/{id_}/mend"') :]
    names = re.findall(r'<(?:input|select) id="\w+" name="(\w+)"', form)
    assert names[:3] == ["starts_on", "ends_on", "rate_of_play"]
    assert sorted(names) == sorted({*names})
    days = {"starts_on": "2025-01-02", "ends_on": "2025-01-04"}
    mended = site.eva.step(id_, "mend", **days, rate_of_play="classical")
    assert site.eva.offers(mended, "hand-in")
