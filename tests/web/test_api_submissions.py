"""Programs hand in and decide by the steps of the desk: two people, one commit."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import jsonschema_rs
import pytest

from ledger.derived import segments
from ledger.operations.commands import UndoCommit
from ledger.service.ledger import Ledger
from ledger.service.operations import carry_out
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    import_text,
    request,
    with_july_published,
    with_officers,
)
from tests.web.api import address, components
from tests.web.submitting import LATE, OF_AUGUST, Staffed, staffed
from web.office.erasures import forget_names
from web.office.jobs import jobs
from web.office.submissions import Submission, last_preview
from web.settings import LARGEST_FILE
from web.submissions import contents, records
from web.submissions.decisions import SubmissionDesk
from web.submissions.previews import SubmissionPreview, made_preview

CORRECTION = {
    "what": "result", "tournament": "T1", "round": 1, "white": "A", "black": "B",
    "result": "0-1", "reason": "score sheet",
}  # fmt: skip


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Staffed]:
    """July is published; ana and luis are officers."""
    with staffed(with_officers(with_july_published(), "ana", "luis"), tmp_path) as opened:
        yield opened


def headers(who: str, key: str | None = None) -> dict[str, str]:
    said = {"x-account": who, "sec-fetch-site": "same-origin"}
    return said if key is None else said | {"idempotency-key": key}


def hand_in(
    site: Staffed, file: str | bytes, *, who: str = "eva", key: str = "1", **words: str
) -> httpx2.Response:
    sent = file.encode() if isinstance(file, str) else file
    return site.client.post(
        address("/submissions/files"),
        params={"file": "games.csv", **words},
        content=sent,
        headers=headers(who, key) | {"content-type": "application/octet-stream"},
    )


def seen(site: Staffed, id_: str, who: str = "luis") -> dict[str, Any]:
    answer = site.client.get(address(f"/submissions/{id_}"), headers=headers(who))
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    found: dict[str, Any] = answer.json()
    schema = {"$ref": "#/components/schemas/SubmissionSeen"}
    jsonschema_rs.validate(schema | components(), found)
    return found


def step(site: Staffed, id_: str, name: str, who: str = "luis", **said: Any) -> httpx2.Response:
    path = address(f"/submissions/{id_}/{name}")
    return site.client.post(path, json=said, headers=headers(who))


def test_a_file_is_handed_in_by_one_and_accepted_by_another(site: Staffed) -> None:
    head = site.head
    made = hand_in(site, OF_AUGUST).json()
    assert (made["state"], made["account"], site.head) == ("handed-in", "eva", head)
    found = seen(site, made["submission"])
    previewed = site.client.get(
        address(f"/submissions/{made['submission']}/preview"), headers=headers("luis")
    ).json()
    assert previewed["dry_run"]
    assert {event["type"] for event in previewed["events"]} >= {"tournament.opened"}
    accept = {"turn": found["turn"], "digest": found["preview"]["digest"]}
    done = step(site, made["submission"], "accept", **accept)
    assert (done.status_code, done.json()["state"]) == (200, "accepted")
    assert site.actors[-1] == "eva + luis"
    recorded = site.head
    again = step(site, made["submission"], "accept", **accept)
    assert (again.status_code, again.json()) == (200, done.json())
    assert site.head == recorded
    assert step(site, made["submission"], "accept", "ana", **accept).status_code == 409


def test_an_erasure_is_handed_in_by_one_officer_and_accepted_by_another(site: Staffed) -> None:
    path, said = address("/submissions/erasures"), {"player": "A", "reason": "a letter"}
    for who, status in (("eva", 403), ("aud", 403), ("ana", 200)):
        made = site.client.post(path, json=said, headers=headers(who, "1"))
        assert made.status_code == status, made.text
    id_ = made.json()["submission"]
    assert (made.json()["state"], made.json()["kind"]) == ("handed-in", "erasure")
    again = site.client.post(path, json=said, headers=headers("ana", "1"))
    assert again.json() == made.json()
    found = seen(site, id_)
    assert "1 identity document of A would be destroyed" in found["preview"]["notes"][1]
    back = step(site, id_, "hand-back", turn=found["turn"], comment="why?").json()
    mended = step(
        site, id_, "mend/erasure", "ana", turn=back["turn"], player="A", reason="a letter of May"
    ).json()
    assert step(site, id_, "hand-in", "ana", turn=mended["turn"]).status_code == 200
    found = seen(site, id_)
    accept = {"turn": found["turn"], "digest": found["preview"]["digest"]}
    head = site.head
    assert step(site, id_, "accept", "ana", **accept).status_code == 422
    done = step(site, id_, "accept", **accept)
    assert (done.status_code, done.json()["state"]) == (200, "accepted"), done.text
    assert (site.head, site.actors[-1]) == (head + 1, "ana + luis")
    assert seen(site, id_)["preview"]["notes"] == found["preview"]["notes"]
    nothing = site.client.post(path, json=said, headers=headers("ana", "2"))
    assert (nothing.status_code, nothing.json()["type"].rpartition("/")[2]) == (
        422, "submission.nothing_new",
    )  # fmt: skip


def test_the_page_of_an_erasure_is_shown_when_nobody_is_there_any_more(site: Staffed) -> None:
    import_text(site.ledger, f"{PLAYERS_HEADER}Z,Roe,CHI,,,,,\n")
    commit = site.ledger.journal.head().commit_id
    path, said = address("/submissions/erasures"), {"player": "Z", "reason": "a letter"}
    made = site.client.post(path, json=said, headers=headers("ana", "1"))
    by_two = replace(request(), actor="ana", second="luis")
    carry_out(site.ledger, UndoCommit(commit=commit), by_two)
    page = site.ana.get(f"/submissions/{made.json()['submission']}")
    assert page.status_code == 200


def test_an_erasure_whose_reason_names_the_person_is_not_kept(site: Staffed) -> None:
    path = address("/submissions/erasures")
    import_text(site.ledger, f'{PLAYERS_HEADER}Z,"Quexington, Ana",CHI,,,,,\n')
    said = {"player": "Z", "reason": "from Ana Quexington"}
    answer = site.client.post(path, json=said, headers=headers("ana", "1"))
    assert answer.status_code == 422
    assert answer.json()["type"].endswith("erasure.reason_names")
    with site.office.reading() as connection:
        assert not connection.exec_driver_sql("SELECT * FROM submissions").all()


def test_the_same_again_under_a_key_is_the_same_submission(site: Staffed) -> None:
    first = hand_in(site, OF_AUGUST).json()
    assert hand_in(site, OF_AUGUST).json() == first
    assert hand_in(site, OF_AUGUST + "\n").status_code == 409
    assert hand_in(site, OF_AUGUST, reason="else").status_code == 409
    other = hand_in(site, OF_AUGUST, who="ivan").json()
    assert other["submission"] != first["submission"]
    listed = site.client.get(address("/submissions"), headers=headers("eva")).json()
    assert [each["submission"] for each in listed["submissions"]] == [first["submission"]]
    assert step(site, first["submission"], "withdraw", "eva", turn=first["turn"]).status_code == 200
    assert hand_in(site, OF_AUGUST).json()["state"] == "withdrawn"


def test_what_is_wrong_with_a_file_is_told_by_line_and_column(site: Staffed) -> None:
    answer = hand_in(site, OF_AUGUST.replace("0-1", "7-1").replace("A,B", "X,B"))
    assert answer.status_code == 422
    assert (2, 12) in {(each["line"], each["column"]) for each in answer.json()["details"]}
    listed = site.client.get(address("/submissions"), headers=headers("eva")).json()
    assert listed["submissions"] == []


def test_nobody_accepts_alone_what_he_handed_in(site: Staffed) -> None:
    made = hand_in(site, LATE, who="luis").json()
    found = seen(site, made["submission"])
    accept = {"turn": found["turn"], "digest": found["preview"]["digest"]}
    assert step(site, made["submission"], "accept", "luis", **accept).status_code == 422
    assert step(site, made["submission"], "accept", "ana", **accept).status_code == 200


def test_only_what_was_seen_is_accepted(site: Staffed) -> None:
    made = hand_in(site, OF_AUGUST).json()
    head = site.head
    moved = step(site, made["submission"], "accept", turn=made["turn"], digest="0" * 64)
    assert moved.status_code == 412, moved.text
    digest = made["preview"]["digest"]
    late = step(site, made["submission"], "accept", turn=made["turn"] + 1, digest=digest)
    assert late.status_code == 409
    assert site.head == head


@pytest.mark.parametrize(("name", "state"), [("refuse", "refused"), ("hand-back", "handed-back")])
def test_an_officer_says_why_not(site: Staffed, name: str, state: str) -> None:
    made = hand_in(site, OF_AUGUST).json()
    said = {"turn": made["turn"], "comment": "who was White?"}
    assert step(site, made["submission"], name, "eva", **said).status_code == 403
    assert step(site, made["submission"], name, turn=made["turn"]).status_code == 422
    for _ in range(2):
        done = step(site, made["submission"], name, **said)
        assert (done.status_code, done.json()["state"]) == (200, state)


@pytest.mark.parametrize("name", ["refuse", "hand-back"])
def test_an_officers_own_is_not_for_the_same_officer_to_refuse(site: Staffed, name: str) -> None:
    made = hand_in(site, OF_AUGUST, who="ana").json()
    said = {"turn": made["turn"], "comment": "it was wrong"}
    refused = step(site, made["submission"], name, "ana", **said)
    assert refused.status_code == 422
    assert refused.json()["type"].endswith("/submission.own_step")
    gone = step(site, made["submission"], "withdraw", "ana", turn=made["turn"])
    assert gone.json()["state"] == "withdrawn"


def test_a_correction_of_a_published_period_goes_the_same_way(site: Staffed) -> None:
    made = site.client.post(
        address("/submissions/corrections"), json=CORRECTION, headers=headers("eva", "1")
    )
    assert made.status_code == 200, made.text
    assert made.json()["preview"]["reaches_published"]
    accept = {"turn": made.json()["turn"], "digest": made.json()["preview"]["digest"]}
    assert step(site, made.json()["submission"], "accept", **accept).status_code == 200
    assert site.actors[-1] == "eva + luis"


def test_a_submission_of_others_is_as_if_it_were_not_there(site: Staffed) -> None:
    made = hand_in(site, OF_AUGUST).json()
    path = address(f"/submissions/{made['submission']}")
    assert site.client.get(path, headers=headers("ivan")).status_code == 404
    assert step(site, made["submission"], "withdraw", "ivan", turn=1).status_code == 404
    assert step(site, made["submission"], "withdraw", "luis", turn=1).status_code == 404
    assert site.client.get(path, headers=headers("aud")).status_code == 200


def test_files_that_are_none_are_refused(site: Staffed) -> None:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/workbook.xml", b"\0" * 250_000_000)
    for file, status in (
        (b"", 422), (b"\x00\x01", 422), (bomb.getvalue(), 422), (b"x" * (LARGEST_FILE + 1), 413),
    ):  # fmt: skip
        assert hand_in(site, file).status_code == status
    assert hand_in(site, OF_AUGUST, unknown="1").status_code == 422
    answer = site.client.post(
        address("/submissions/files?file=x"), content=b"x", headers=headers("eva", "1")
    )
    assert answer.status_code == 415
    assert "application/octet-stream" in answer.json()["detail"]


@pytest.mark.parametrize("in_parts", [False, True])
def test_a_file_that_is_too_long_is_refused_as_every_problem_is(
    site: Staffed, *, in_parts: bool
) -> None:
    """Also where the server would take the body, because forms with a file have more in them."""
    long = b"x" * 21_000_000
    sent: Any = (long[n : n + 2**20] for n in range(0, len(long), 2**20)) if in_parts else long
    said = headers("eva", "1") | {"content-type": "application/octet-stream"}
    answer = site.client.post(address("/submissions/files?file=x"), content=sent, headers=said)
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["type"] == "/api/v1/problems/submission.too_large"
    assert problem["detail"].startswith("the file is longer than 20 MB")


def test_a_stranger_is_told_to_sign_in_however_long_the_file_is(site: Staffed) -> None:
    said = {"content-type": "application/octet-stream", "idempotency-key": "1"}
    path = address("/submissions/files?file=x")
    answer = site.client.post(path, content=b"x" * 20_000_001, headers=said)
    assert answer.status_code == 401


# Mending, and what takes long


def test_a_long_comment_is_kept_whole_or_refused(site: Staffed) -> None:
    made = hand_in(site, OF_AUGUST).json()
    id_, turn, words = made["submission"], made["turn"], "why " * 499 + "no?"
    assert step(site, id_, "hand-back", turn=turn, comment=words + "!!").status_code == 422
    assert words not in site.ana.get(f"/submissions/{id_}").text
    assert step(site, id_, "hand-back", turn=turn, comment=words).status_code == 200
    assert words in site.ana.get(f"/submissions/{id_}").text


def test_what_a_file_does_not_say_is_said_beside_it(site: Staffed) -> None:
    file = GAMES_HEADER + "T9,,,,swiss,,,1,,A,B,1-0\n"
    assert hand_in(site, file).status_code == 422
    said = {"name": "Open", "starts-on": "2010-08-03", "ends-on": "2010-08-04"}
    made = hand_in(site, file, key="2", **said, **{"rate-of-play": "classical"})
    assert made.status_code == 200, made.text
    path = address(f"/submissions/{made.json()['submission']}/preview")
    (opened,) = [
        event["payload"]
        for event in site.client.get(path, headers=headers("luis")).json()["events"]
        if event["type"] == "tournament.opened"
    ]
    assert (opened["name"], opened["starts_on"], opened["ends_on"]) == tuple(said.values())


def test_what_was_handed_back_is_mended_and_handed_in_again(site: Staffed) -> None:
    made = hand_in(site, OF_AUGUST).json()
    back = step(site, made["submission"], "hand-back", turn=made["turn"], comment="who?").json()
    mended = OF_AUGUST.replace("0-1", "1-0")
    for _ in range(2):
        draft = mend(site, made["submission"], mended, turn=back["turn"])
        assert (draft.status_code, draft.json()["state"]) == (200, "draft")
    other = mend(site, made["submission"], OF_AUGUST, turn=back["turn"])
    assert other.status_code == 409
    turn = draft.json()["turn"]
    for _ in range(2):
        again = step(site, made["submission"], "hand-in", "eva", turn=turn)
        assert (again.status_code, again.json()["state"]) == (200, "handed-in")
    accept = {"turn": again.json()["turn"], "digest": again.json()["preview"]["digest"]}
    assert step(site, made["submission"], "accept", **accept).status_code == 200
    assert site.actors[-1] == "eva + luis"


def mend(
    site: Staffed, id_: str, file: str, who: str = "eva", **words: str | int
) -> httpx2.Response:
    return site.client.post(
        address(f"/submissions/{id_}/mend/file"),
        params={"file": "games.csv", **words},
        content=file.encode(),
        headers=headers(who) | {"content-type": "application/octet-stream"},
    )


def test_only_who_handed_it_in_mends_it_and_only_what_may_be(site: Staffed) -> None:
    made = hand_in(site, OF_AUGUST).json()
    assert mend(site, made["submission"], OF_AUGUST, turn=made["turn"]).status_code == 409
    assert mend(site, made["submission"], OF_AUGUST, "luis", turn=2).status_code == 404
    back = step(site, made["submission"], "hand-back", turn=made["turn"], comment="who?").json()
    correction = CORRECTION | {"turn": back["turn"]}
    wrong = step(site, made["submission"], "mend/correction", "eva", **correction)
    assert (wrong.status_code, seen(site, made["submission"])["state"]) == (409, "handed-back")


def test_a_correction_is_mended_by_a_correction(site: Staffed) -> None:
    made = site.client.post(
        address("/submissions/corrections"), json=CORRECTION, headers=headers("eva", "1")
    ).json()
    back = step(site, made["submission"], "hand-back", turn=made["turn"], comment="who?").json()
    said = CORRECTION | {"turn": back["turn"], "reason": "score sheet, signed"}
    draft = step(site, made["submission"], "mend/correction", "eva", **said)
    assert (draft.status_code, draft.json()["state"]) == (200, "draft"), draft.text
    again = step(site, made["submission"], "hand-in", "eva", turn=draft.json()["turn"])
    assert again.json()["state"] == "handed-in"


def test_a_preview_that_an_erasure_overtook_is_not_kept(
    site: Staffed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "MOST_GAMES", 0)
    made = hand_in(site, OF_AUGUST).json()
    desk = SubmissionDesk(site.office, site.client.app.state.site, is_job=True)  # type: ignore[attr-defined]
    submission = desk.found(made["submission"])

    def overtaken(ledger: Ledger, of: Submission, data: bytes) -> SubmissionPreview:
        seen = made_preview(ledger, of, data)
        forget_names(site.office, 1)
        return seen

    with monkeypatch.context() as slow:
        slow.setattr(records, "made_preview", overtaken)
        desk.preview(submission)
    with site.office.reading() as connection:
        assert last_preview(connection, submission) is None
    desk.preview(submission)
    with site.office.reading() as connection:
        assert last_preview(connection, submission) is not None


def test_a_large_file_is_looked_at_by_a_job(site: Staffed, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as large:
        large.setattr(contents, "MOST_GAMES", 0)
        made = hand_in(site, OF_AUGUST).json()
        assert (made["state"], made["preview"]) == ("draft", None)
        assert [job.id for job in jobs(site.office)] == [made["job"]]
        early = step(site, made["submission"], "hand-in", "eva", turn=made["turn"])
        assert early.status_code == 409
        desk = SubmissionDesk(site.office, site.client.app.state.site, is_job=True)  # type: ignore[attr-defined]
        desk.preview(desk.found(made["submission"]))  # as the job does
        done = step(site, made["submission"], "hand-in", "eva", turn=made["turn"]).json()
        assert (done["state"], done["job"]) == ("handed-in", None)
        accept = {"turn": done["turn"], "digest": done["preview"]["digest"]}
        begun = step(site, made["submission"], "accept", **accept).json()
        assert (begun["state"], begun["job"]) == ("handed-in", jobs(site.office)[0].id)
        large.setattr(segments, "LEAST_EVENTS", 1)
        said = jobs(site.office)[0].parameters
        desk.accept(said["submission"], said["turn"], said["account"], said["digest"])
    assert site.ledger.journal.seals()[-1][0] == site.head, "readers do not wait until they read it"
