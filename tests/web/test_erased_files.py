"""A name that came in by every door is in no file that the program has written, once erased."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ledger.errors import DatabaseError
from ledger.events.personal import Identity
from ledger.intake.imports import Document, import_document
from ledger.journal.stores.database import open_journal
from ledger.operations import commands as c
from ledger.service.erasures import erase_player
from ledger.service.retractions import undo_commit
from ledger.trust.verification import verify
from tests.cli.running import run
from tests.hidden_names import NAME, files_with
from tests.intake.trf.writing import good_with
from tests.ledgers import (
    GAMES_HEADER,
    NOW,
    PLAYERS_HEADER,
    about,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
    request,
    with_officers,
)
from tests.web import submitting
from tests.web.submitting import Staffed, staffed
from tests.workbooks import workbook
from web.office.player_ties import tie_player, tied_players
from web.office.submissions import SubmissionState
from web.submissions.contents import ErasureContent
from web.submissions.decisions import SubmissionDesk
from web.submissions.life import StepName

REPORT = good_with(f"{'Aguirre, Nora':<33}", f"{NAME:<33}")
ID = "990001"  # as FIDE's numbers are: reports know no others
SAID = f'{ID},"{NAME}",CHI,w,1985-03-04,1800,40,50\nB,Bo,CHI,,1985,1800,40,50\n'
FACES = ("page", "api", "decision", "command")
CALLED = "Zyxwińska-Čanáry_Ána"
PAGES = (
    f"/players/{ID}", "/players", "/players?q=Zyxwinska", "/lists/ENF/2010-07@1",
    "/lists/ENF/2010-08", f"/players/{ID}/ENF/2010-07", "/tournaments/T1",
    "/monitor/ENF", "/api/v1/players",
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where all files of the program are: database, office, cache, log."""
    return tmp_path


@pytest.fixture
def site(sqlite_url: str, folder: Path) -> Iterator[Staffed]:
    """A site over a database, and a log, that have seen the name; ana is the only officer."""
    log = logging.FileHandler(folder / "site.log")
    logging.getLogger().addHandler(log)
    ledger = with_officers(empty_ledger(open_journal(sqlite_url)), "ana")
    define(ledger)
    with staffed(ledger, folder) as opened:
        yield opened
    ledger.journal.close()
    logging.getLogger().removeHandler(log)
    log.close()


def bring_in(site: Staffed) -> None:
    """Lets the name come in as a table, a report, a workbook, typed, and handed in."""
    ledger = site.ledger
    import_text(ledger, PLAYERS_HEADER + SAID, list_="ENF")
    import_document(ledger, Document(name="r.trf", data=REPORT), request())
    rows = [PLAYERS_HEADER.strip().split(","), [ID, f"{NAME} X", "CHI", "w", "1985-03-04"]]
    book = workbook([[*row, *([""] * (8 - len(row)))] for row in rows])
    import_document(
        ledger, Document(name="p.xlsx", data=book, list="ENF", as_correction=True), request()
    )
    said = Identity(name=f"{NAME} Y", birth_date="1985-03-04")
    correction = c.CorrectIdentity(
        player=ID, identity=said, salt="7" * 32, federation="CHI", on=ledger.today
    )
    do(ledger, correction)
    import_text(ledger, GAMES_HEADER + about("T1", "2010-07-10", f"{ID},B,1-0"))
    publish_period(ledger, "2010-07")
    new = GAMES_HEADER + about("T5", "2010-08-20", f"B,{ID},0-1")
    id_ = site.eva.handed_in(f"{new}")
    site.ana.step(id_, "accept")
    other = REPORT.replace(b"Torneo de los Volcanes", b"Torneo de las Lagunas")
    site.eva.step(site.eva.drafted(other), "withdraw")
    for page in PAGES:
        assert site.eva.get(page).status_code == 200, page


def test_no_file_of_the_program_holds_it(site: Staffed, folder: Path) -> None:
    bring_in(site)
    before = files_with(folder)
    held = {Path(path).name.partition("-wal")[0] for path in before}
    assert {"ledger.db", "office.db"} <= held, before
    assert [path for path in before if Path(path).parent != folder], "read models hold it too"
    page = site.ana.get(f"/erase/{ID}")
    form = site.ana.hidden(page, f"/erase/{ID}") | {"reason": "a letter", "confirmed": ID}
    assert "are destroyed" in site.ana.post(f"/erase/{ID}", form).text
    for each in PAGES:
        assert site.eva.get(each.replace("?q=Zyxwinska", "")).status_code == 200
    assert files_with(folder) == {}
    assert verify(site.ledger).findings == ()


def erase(site: Staffed) -> None:
    """Erases the person, past the site."""
    erasure = c.ErasePlayer(player=ID, on=site.ledger.today)
    erase_player(site.ledger, erasure, request(reason="a letter"))


def look_at(site: Staffed, submission: str) -> None:
    """Has the site asked, so that it forgets names."""
    for each in (f"/submissions/{submission}", "/players"):
        assert site.eva.get(each).status_code == 200, each


@pytest.mark.parametrize("decision", ["withdraw", "refuse", "accept"])
def test_what_awaited_its_decision_goes_with_it(site: Staffed, folder: Path, decision: str) -> None:
    import_text(site.ledger, PLAYERS_HEADER + SAID, list_="ENF")
    id_ = site.eva.handed_in(REPORT.decode())
    another = site.eva.handed_in(GAMES_HEADER + about("T6", "2010-08-21", f"B,{ID},0-1"))
    erase(site)
    look_at(site, id_)
    assert {Path(path).name.partition("-wal")[0] for path in files_with(folder)} == {"office.db"}
    who = site.eva if decision == "withdraw" else site.ana
    assert who.step(id_, decision, comment="it names somebody").status_code == 200
    assert files_with(folder) == {}
    assert site.ana.step(another, "accept").status_code == 200


@pytest.mark.parametrize("awaits", [True, False])
def test_what_was_mended_away_is_gone(site: Staffed, folder: Path, *, awaits: bool) -> None:
    import_text(site.ledger, PLAYERS_HEADER + SAID, list_="ENF")
    id_ = site.eva.drafted(REPORT)
    if awaits:
        site.eva.step(id_, "hand-in")
    erase(site)
    look_at(site, id_)
    assert files_with(folder) != {}, "it is for whoever decides"
    if awaits:
        site.ana.step(id_, "hand-back", comment="it names somebody")
    hidden = site.eva.hidden(site.eva.get(f"/submissions/{id_}"), "mend")
    other = GAMES_HEADER + about("T6", "2010-08-21", "B,D,0-1")
    assert site.eva.post(f"/submissions/{id_}/mend", hidden, other).status_code == 200
    look_at(site, id_)
    assert files_with(folder) == {}


def test_clocks_that_differ_keep_no_file(
    site: Staffed, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_text(site.ledger, PLAYERS_HEADER + SAID, list_="ENF")
    monkeypatch.setattr(submitting, "NOW", NOW + dt.timedelta(minutes=5))
    id_ = site.eva.handed_in(REPORT.decode())
    site.ledger.clock = lambda: NOW + dt.timedelta(minutes=4)  # of the machine that erases
    erase(site)
    look_at(site, id_)
    site.ana.step(id_, "refuse", comment="no")
    look_at(site, id_)
    assert files_with(folder) == {}


@dataclass(frozen=True)
class Told:
    """What somebody who erases a person is told."""

    is_done: bool
    text: str


def told_of(site: Staffed, folder: Path, face: str) -> Told:
    """Has the person erased by one of the ways there are."""
    if face == "page":
        form = site.ana.hidden(site.ana.get(f"/erase/{ID}"), f"/erase/{ID}")
        form |= {"reason": "a letter", "confirmed": ID}
        page = site.ana.post(f"/erase/{ID}", form)
        return Told("are destroyed" in page.text and page.status_code == 200, page.text)
    if face == "api":
        headers = {"x-account": "ana", "sec-fetch-site": "same-origin"}
        headers["idempotency-key"] = "erasure-1"
        said = {"player": ID, "reason": "a letter"}
        answer = site.client.post("/api/v1/commands/erase-player", json=said, headers=headers)
        return Told(answer.status_code == 200, answer.text)
    if face == "decision":
        desk = SubmissionDesk(site.office, site.client.app.state.site)  # type: ignore[attr-defined]
        made = desk.draft("e" * 16, "ana", ErasureContent(reason="a letter", player=ID), None)
        if made.state is SubmissionState.DRAFT:
            desk.take(StepName.HAND_IN, made, made.turn, "ana")
        page = site.ana.step(made.id, "accept")
        is_accepted = desk.found(made.id).state is SubmissionState.ACCEPTED
        return Told(is_accepted and page.status_code == 200, page.text)
    words = ("player", "erase", ID, "--reason", "a letter", "--db", "ledger.db")
    place = folder / "ledger-office.db"
    if not place.is_symlink():
        place.symlink_to("office.db")
    done = run(*words, cwd=folder)
    return Told(done.code == 0, done.err)


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("is_undone", [False, True])
def test_every_face_erases_also_whose_registration_was_undone(
    site: Staffed, folder: Path, face: str, *, is_undone: bool
) -> None:
    import_text(site.ledger, PLAYERS_HEADER + SAID, list_="ENF")
    with site.office.writing() as connection:
        tie_player(connection, "pia", ID, {ID}, 0)
    if is_undone:
        commit = site.ledger.journal.head().commit_id
        undo_commit(site.ledger, c.UndoCommit(commit=commit), request())
        assert site.ana.get(f"/players/{ID}").status_code == 404
    assert told_of(site, folder, face).is_done
    assert site.ana.get("/players").status_code == 200
    with site.office.reading() as connection:
        assert tied_players(connection) == {}
    assert files_with(folder) == {}
    assert verify(site.ledger).findings == ()


class TestFilesNamedAfterSomebody:
    """Of a file that is called after who is erased every page shows its kind alone."""

    PAGES = ("/submissions", "/audit", "/api/v1/commits", "/corrections")

    @pytest.fixture
    def handed_in(self, site: Staffed) -> dict[str, str]:
        """Submissions of such files by what became of them."""
        import_text(site.ledger, PLAYERS_HEADER + SAID, list_="ENF")
        made = {}
        for number, step in enumerate(("accept", "refuse", "withdraw", "stay", "other")):
            file = GAMES_HEADER + about(f"T{number}", "2010-08-20", f"B,{ID},0-1")
            name = "games of August.csv" if step == "other" else f"{CALLED} {number}.csv"
            hidden = site.eva.hidden(site.eva.get("/submissions/new"), "/new")
            page = site.eva.post("/submissions/new", hidden, file, file_name=name)
            made[step] = id_ = page.url.path.rpartition("/")[2]
            assert site.eva.step(id_, "hand-in").status_code == 200
            if step in {"accept", "refuse", "withdraw"}:
                who = site.eva if step == "withdraw" else site.ana
                assert who.step(id_, step, comment="so be it").status_code == 200
        return made

    @pytest.mark.parametrize("face", FACES)
    def test_they_are_masked_wherever_somebody_is_erased(
        self, site: Staffed, folder: Path, handed_in: dict[str, str], face: str
    ) -> None:
        pages = (*self.PAGES, *(f"/submissions/{id_}" for id_ in handed_in.values()))
        assert any("Zyxwi" in site.ana.get(page).text for page in pages), "they were shown before"
        seq = site.head
        assert told_of(site, folder, face).is_done
        for page in (*pages, f"/audit?as-known-at={seq}"):
            assert "Zyxwi" not in site.ana.get(page).text, page
        assert "***.csv" in site.ana.get("/submissions").text
        assert "games of August.csv" in site.ana.get(f"/submissions/{handed_in['other']}").text
        assert site.ana.step(handed_in["stay"], "accept").status_code == 200
        assert site.ana.step(handed_in["other"], "accept").status_code == 200
        *_, one, other = site.ledger.journal.commits()
        assert (one.source_name, other.source_name) == ("***.csv", "games of August.csv")
        assert verify(site.ledger).findings == ()

    @pytest.mark.parametrize("face", FACES)
    def test_nothing_is_recorded_while_they_cannot_be_masked(
        self, site: Staffed, folder: Path, handed_in: dict[str, str], face: str,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        def busy(*_said: object, **_named: object) -> None:
            raise DatabaseError("database.locked", url="office.db")

        seq = site.head
        with monkeypatch.context() as broken:
            broken.setattr("web.office.erasures.rename", busy)
            told = told_of(site, folder, face)
        assert "nothing was recorded" in told.text
        assert (told.is_done, site.head) == (False, seq)
        assert NAME in site.ana.get(f"/players/{ID}").text
        assert told_of(site, folder, face).is_done
        for page in (*self.PAGES, *(f"/submissions/{id_}" for id_ in handed_in.values())):
            assert "Zyxwi" not in site.ana.get(page).text, page

    def test_who_is_killed_after_recording_leaves_none(
        self, site: Staffed, folder: Path, handed_in: dict[str, str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        class Killed(BaseException):
            pass

        def killed(_newest: object) -> None:
            raise Killed

        seq = site.head
        with monkeypatch.context() as broken:
            broken.setattr("ledger.views.past.documents_gone", killed)
            with pytest.raises(Killed):
                told_of(site, folder, "command")
        assert site.head == seq + 1, "it is recorded"
        for page in (*self.PAGES, *(f"/submissions/{id_}" for id_ in handed_in.values())):
            assert "Zyxwi" not in site.ana.get(page).text, page

    def test_who_may_not_erase_masks_nothing(
        self, site: Staffed, handed_in: dict[str, str]
    ) -> None:
        form = site.ana.hidden(site.ana.get(f"/erase/{ID}"), f"/erase/{ID}")
        form |= {"reason": f"{NAME} asks for it", "confirmed": ID}
        assert site.ana.post(f"/erase/{ID}", form).status_code == 422
        assert "Zyxwi" in site.ana.get("/submissions").text
