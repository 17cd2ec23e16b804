"""``prove`` and ``check``: a proof goes out, and is checked where there is no ledger."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from tests.cli.running import Ran, run
from tests.proofs.forgeries import CASES, Case

NAME = "chess.example/ratings"
BYTES = 4_000


@pytest.fixture
def club(folder: Path) -> Path:
    """The example, with a key to sign checkpoints."""
    made = run("key", NAME, "secret.key", cwd=folder)
    (folder / "public.key").write_text(made.out)
    return folder


def prove(folder: Path, *words: str) -> Path:
    """Makes a proof and takes it, with the public key, to a folder without a ledger."""
    away = folder / "away"
    away.mkdir(exist_ok=True)
    (away / "public.key").write_text((folder / "public.key").read_text())
    done = run("prove", *words, "--key", "secret.key", "-o", "away/a.proof", cwd=folder)
    assert done.code == 0, done.err
    return away


def check(away: Path, *words: str) -> Ran:
    return run("check", "a.proof", *words, "--key", "public.key", cwd=away)


def test_an_event_is_proved_with_who_recorded_it(club: Path) -> None:
    done = check(prove(club, "event", "5"), "--format", "json")
    said = done.json()
    assert (said["kind"], said["seq"], said["signed_by"]) == ("event", 5, NAME)
    assert said["commit"]["recorded_at"]
    assert len((club / "away" / "a.proof").read_bytes()) < BYTES


def test_what_was_recorded_without_a_reason_is_told_so(club: Path) -> None:
    said = check(prove(club, "event", "5")).out
    assert ", without a reason\n" in said
    assert "reason:" not in said


def test_a_list_is_proved_and_its_file_is_held_against_it(club: Path) -> None:
    away = prove(club, "list", "ENF", "2010-07")
    (away / "ENF.txt").write_text(run("list", "regenerate", "ENF", "2010-07", cwd=club).out)
    done = check(away, "ENF.txt")
    assert done.code == 0
    assert "ENF 2010-07, edition 1, was published by event" in done.out
    assert "to the byte" in done.out
    (away / "ENF.txt").write_text("1 Somebody 2800\n")
    done = check(away, "ENF.txt")
    assert (done.code, done.out) == (3, "")
    assert "this file is not ENF 2010-07, edition 1" in done.err


def test_a_row_is_proved_alone_and_without_a_name(club: Path) -> None:
    words = ("--list", "ENF", "--period", "2010-07")
    away = prove(club, "player", "3404510", *words)
    said = check(away, "--format", "json").json()
    row = next(
        row
        for row in run("list", "show", "ENF", "2010-07", "--format", "json", cwd=club).json()[
            "rows"
        ]
        if row["id"] == "3404510"
    )
    shared = ("id", "rating", "games", "change", "k", "active", "federation", "provisional")
    assert {name: said["row"][name] for name in shared} == {name: row[name] for name in shared}
    assert row["name"].split(",")[0] not in json.dumps(said)
    assert len((away / "a.proof").read_bytes()) < BYTES
    named = run("prove", "player", row["name"], *words, "--key", "secret.key", cwd=club)
    assert named.code == 0, named.err
    nobody = run("prove", "player", "99", *words, "--key", "secret.key", cwd=club)
    assert nobody.code == 7


def test_a_later_checkpoint_continues_an_earlier_one(club: Path) -> None:
    page = run("checkpoint", "--key", "secret.key", "--origin", NAME, cwd=club).out
    (club / "old.page").write_text(page)
    assert run("publish", "ENF", "2010-08", cwd=club).code == 0
    away = prove(club, "consistency", "old.page")
    (away / "old.page").write_text(page)
    done = check(away, "old.page")
    assert (done.code, "are those of the earlier one" in done.out) == (0, True)
    assert check(away).code == 4
    size = page.split("\n")[1]
    by_size = run("prove", "consistency", size, "--key", "secret.key", cwd=club)
    assert by_size.out.split("\n")[0] == f"old {size}"
    backwards = run("prove", "consistency", "5", "3", "--key", "secret.key", cwd=club)
    assert (backwards.code, "became shorter" in backwards.err) == (4, True)


def test_pages_of_the_same_key_are_of_the_same_ledger(club: Path) -> None:
    page = run("checkpoint", "--key", "secret.key", cwd=club).out
    assert page.startswith(f"{NAME}\n")
    assert run("checkpoint", cwd=club).out.startswith("rating-ledger\n")
    (club / "old.page").write_text(page)
    away = prove(club, "consistency", "old.page")
    (away / "old.page").write_text(page)
    (away / "policy").write_text(f"log {(club / 'public.key').read_text().strip()}\nquorum none\n")
    assert check(away, "old.page").code == 0
    done = run("check", "a.proof", "old.page", "--policy", "policy", cwd=away)
    assert (done.code, done.err) == (0, "")


def test_a_page_that_is_named_otherwise_is_not_led_from(club: Path) -> None:
    named = ("--key", "secret.key", "--origin", "rating-ledger")
    (club / "old.page").write_text(run("checkpoint", *named, cwd=club).out)
    done = run("prove", "consistency", "old.page", "--key", "secret.key", cwd=club)
    assert (done.code, done.out) == (4, "")
    assert "different ledgers" in done.err
    assert run("prove", "consistency", "old.page", *named, cwd=club).code == 0


def test_nothing_leads_to_a_page_without_a_signature(club: Path) -> None:
    (club / "bare.page").write_text(run("checkpoint", cwd=club).out)
    for words in (
        "event 1 --checkpoint bare.page",
        "list ENF 2010-07 --checkpoint bare.page",
        "player 3404510 --list ENF --period 2010-07 --checkpoint bare.page",
        "consistency 5 bare.page",
        "consistency bare.page --key secret.key --origin rating-ledger",
    ):
        done = run("prove", *words.split(), cwd=club)
        assert (done.code, done.out) == (4, ""), words
        assert "is not signed" in done.err


@pytest.mark.parametrize(
    "words",
    [
        "prove event 5 --checkpoint a.page --key secret.key",
        "prove event 5 --checkpoint a.page --origin other",
        "prove consistency 5 10 --checkpoint a.page",
        "prove consistency 5 a.page --key secret.key",
        "prove consistency 5 a.page --origin other",
        "prove consistency 5 a.page --checkpoint a.page",
        "export tiles tiles --checkpoint a.page --key secret.key",
    ],
)
def test_what_leads_to_two_pages_is_refused(club: Path, words: str) -> None:
    (club / "a.page").write_text(run("checkpoint", "--key", "secret.key", cwd=club).out)
    done = run(*words.split(), cwd=club)
    assert (done.code, done.out) == (4, "")
    assert "two checkpoints are named" in done.err


def test_a_proof_leads_to_a_page_that_was_given_away(club: Path) -> None:
    page = run("checkpoint", "--key", "secret.key", cwd=club).out
    (club / "old.page").write_text(page)
    assert run("publish", "ENF", "2010-08", cwd=club).code == 0
    done = run("prove", "list", "ENF", "2010-07", "--checkpoint", "old.page", cwd=club)
    assert done.out.endswith(f"\n\n{page}")
    late = run("prove", "list", "ENF", "2010-08", "--checkpoint", "old.page", cwd=club)
    assert (late.code, "came later" in late.err) == (4, True)


def test_a_page_of_another_ledger_is_refused(club: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for words in (
        ("init",),
        ("player", "add", "1", "Ana"),
        ("player", "add", "2", "Eva"),
        ("checkpoint", "--key", str(club / "secret.key")),
    ):
        done = run(*words, cwd=other)
        assert done.code == 0, done.err
    (club / "other.page").write_text(done.out)
    for line in ("event 1 --checkpoint other.page", "consistency 1 other.page"):
        made = run("prove", *line.split(), cwd=club)
        assert (made.code, "history was rewritten" in made.err) == (3, True)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("prove event 1", 4),
        ("prove event 9999 --key secret.key", 7),
        ("prove list ENF 2010-07 --edition 9 --key secret.key", 7),
        ("prove list NONE 2010-07 --key secret.key", 7),
        ("prove event 1 --key public.key", 4),
        ("prove event 1 --checkpoint public.key", 3),
        ("prove consistency 9999 --key secret.key", 4),
        ("prove consistency 5 9999 --key secret.key", 7),
        ("prove consistency no.page --key secret.key", 4),
        ("prove event 1 --key secret.key -o missing/a.proof", 4),
        ("check public.key", 4),
        ("check missing --key public.key", 4),
        ("check public.key --key public.key", 3),
        ("check secret.key --policy public.key", 4),
    ],
)
def test_what_cannot_be_done_says_so(club: Path, words: str, code: int) -> None:
    done = run(*words.split(), cwd=club)
    assert done.code == code, done.err
    assert done.err
    assert not done.out


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_check_says_of_each_proof_whether_it_holds(tmp_path: Path, case: Case) -> None:
    words = given(case, tmp_path)
    done = run("check", *words, "--format", "json", cwd=tmp_path)
    assert done.code == (3 if case.refused else 0), done.err
    assert (json.loads(done.err)["error"] if case.refused else "") == case.refused


@pytest.mark.parametrize(
    ("number", "code", "why"),
    [
        (errno.ENOSPC, 6, "no space left"),
        (errno.EACCES, 4, "this user may not"),
        (errno.EIO, 4, "no"),
    ],
)
def test_a_full_disk_is_not_a_wrong_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, code: int, why: str
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(number, "no")

    monkeypatch.setattr("cli.commands.maintenance.open_new", refuse)
    done = run("key", "chess.example/x", "secret.key", cwd=tmp_path)
    assert done.code == code
    assert done.err.startswith("secret.key cannot be written: ")
    assert why in done.err


def given(case: Case, folder: Path) -> list[str]:
    """Writes the files of a case; returns the words that name them."""
    words = ["a.proof"]
    (folder / "a.proof").write_bytes(case.proof.encode(errors="surrogateescape"))
    if case.document is not None:
        (folder / "document").write_bytes(case.document)
        words.append("document")
    if case.key:
        words += ["--key", case.key]
    if case.policy:
        (folder / "policy").write_text(case.policy)
        words += ["--policy", "policy"]
    return words


def test_every_row_stays_provable_when_somebody_is_erased(club: Path) -> None:
    words = ("--list", "ENF", "--period", "2010-07")
    before = {}
    for player in ("3404510", "3405958"):
        before[player] = check(prove(club, "player", player, *words), "--format", "json").json()
    erased = run("player", "erase", "3405958", "--reason", "asked for it", cwd=club)
    assert erased.code == 0, erased.err
    assert run("verify", cwd=club).code == 0
    for player, then in before.items():
        now = check(prove(club, "player", player, *words), "--format", "json").json()
        assert now["row"] == then["row"]
        assert now["payload"] == then["payload"]
