"""The letters of a list at the command line and on its page."""

from __future__ import annotations

import email
import email.policy
from pathlib import Path

from fastapi.testclient import TestClient

from tests.cli.running import run


def test_letters_are_kept_as_drafts_once(demo_db: Path, tmp_path: Path) -> None:
    words = ("list", "emails", "2010-07", "letters", "--db", str(demo_db))
    ran = run(*words, cwd=tmp_path)
    assert (ran.code, ran.out) == (0, "1 letter to be sent: letters\n")
    (file,) = (tmp_path / "letters").iterdir()
    read = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
    assert (read["X-Unsent"], read["To"]) == ("1", None)
    assert "in force from 1 August 2010" in read["Subject"]
    again = run(*words, cwd=tmp_path)
    assert (again.code, "letters" in again.err) == (4, True), "what is there is not overwritten"


def test_a_letter_is_a_page_to_print(demo_db: Path, tmp_path: Path) -> None:
    ran = run("list", "letters", "2010-07", "--format", "html", "--db", str(demo_db), cwd=tmp_path)
    assert ran.code == 0
    assert "<h2>Of no club</h2>" in ran.out


def test_the_page_of_a_list_leads_to_its_letters(demo: TestClient) -> None:
    assert 'href="/lists/ENF/2010-07/letters"' in demo.get("/lists/ENF/2010-07@1").text
    page = demo.get("/lists/ENF/2010-07/letters").text
    assert 'href="/lists/ENF/2010-07/letters?club="' in page
    letter = demo.get("/lists/ENF/2010-07/letters?club=").text
    assert "Of no club" in letter
    assert 'href="/lists/ENF/2010-07/letters"' in letter
    sent = demo.get("/lists/ENF/2010-07/email?club=")
    assert sent.headers["content-type"].startswith("message/rfc822")
    assert "X-Unsent: 1" in sent.text
    assert demo.get("/lists/ENF/2010-07/letters?club=Nobody").status_code == 404
    assert demo.get("/lists/ENF/2010-09/letters").status_code == 404
