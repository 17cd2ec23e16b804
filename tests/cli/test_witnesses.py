"""``witness``: the file that names them stays as people wrote it; a page gets cosignatures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.witnesses.witness import HonestWitness, listening

NAME = "chess.example/ratings"


@pytest.fixture
def key(folder: Path) -> str:
    return run("key", NAME, "secret.key", cwd=folder).out.strip()


@pytest.fixture
def witness(key: str) -> HonestWitness:
    return HonestWitness("witness.example/w1", {NAME: key})


@pytest.fixture
def address(witness: HonestWitness) -> Iterator[str]:
    with listening(witness) as url:
        yield url


def test_witnesses_are_named_and_the_rest_of_the_file_stays(
    folder: Path, witness: HonestWitness, key: str
) -> None:
    file = folder / "rating-ledger.policy"
    url = "https://witness.example"
    assert run("witness", "add", witness.key, url, cwd=folder).code == 0
    assert "nobody has to have cosigned" in run("witness", "list", cwd=folder).out
    other = HonestWitness("witness.example/w2", {}, b"v" * 32)
    file.write_text(f"# ours\nlog {key}\n" + file.read_text().replace("none", witness.name))
    assert run("witness", "add", other.key, url, cwd=folder).code == 0
    lines = file.read_text().splitlines()
    assert lines[:2] == ["# ours", f"log {key}"]
    assert lines[-1] == f"quorum {witness.name}"
    listed = run("witness", "list", "--format", "json", cwd=folder).json()
    assert [each["witness"] for each in listed["witnesses"]] == [witness.name, other.name]
    assert (
        f"must have cosigned: {witness.name} (at least 1)" in run("witness", "list", cwd=folder).out
    )
    before = file.read_text()
    for words in (("remove", witness.name), ("remove", "nobody"), ("add", other.key, url),
                  ("add", key, url), ("add", other.key, "file:///x")):  # fmt: skip
        refused = run("witness", *words, cwd=folder)
        assert refused.code != 0
        assert refused.err
        assert file.read_text() == before
    assert run("witness", "remove", other.name, cwd=folder).code == 0
    assert other.name not in file.read_text()


def test_a_page_is_cosigned_and_verified_by_the_policy(
    folder: Path, witness: HonestWitness, address: str, key: str
) -> None:
    run("witness", "add", witness.key, address, cwd=folder)
    file = folder / "rating-ledger.policy"
    file.write_text(f"log {key}\n" + file.read_text().replace("none", witness.name))
    done = run("witness", "ask", "page", "--key", "secret.key", cwd=folder)
    assert done.code == 0, done.err
    assert f"cosigned by {witness.name} at 20" in done.out
    verify = ("verify", "--checkpoint", "page", "--policy", "rating-ledger.policy")
    found = run(*verify, "--format", "json", cwd=folder)
    assert (found.code, found.json()["signature"]) == (0, "checked")
    proof = run("prove", "event", "5", "--checkpoint", "page", "-o", "a.proof", cwd=folder)
    assert proof.code == 0, proof.err
    checked = run(
        "check", "a.proof", "--policy", "rating-ledger.policy", "--format", "json", cwd=folder
    )
    assert [each["witness"] for each in checked.json()["cosigned"]] == [witness.name]
    assert run("export", "tiles", "tiles", "--checkpoint", "page", cwd=folder).code == 0
    assert (folder / "tiles" / "checkpoint").read_bytes() == (folder / "page").read_bytes()
    lines = (folder / "page").read_text().splitlines(keepends=True)
    (folder / "page").write_text("".join(lines[:-1]))
    refused = run(*verify, cwd=folder)
    assert (refused.code, "too few witnesses" in refused.err) == (3, True)


def test_an_older_page_stays_where_too_few_cosign_a_newer_one(
    folder: Path, witness: HonestWitness, address: str
) -> None:
    run("witness", "add", witness.key, address, cwd=folder)
    file = folder / "rating-ledger.policy"
    file.write_text(file.read_text().replace("none", witness.name))
    ask = ("witness", "ask", "page", "--key", "secret.key")
    assert run(*ask, cwd=folder).code == 0
    before = (folder / "page").read_text()
    assert run("publish", "ENF", "2010-08", cwd=folder).code == 0
    witness.before = lambda _: (500, "text/plain", b"broken")
    done = run(*ask, cwd=folder)
    assert done.code == 3
    assert "broken" in done.out
    assert (folder / "page").read_text() == before
    done = run("witness", "ask", "page", cwd=folder)
    assert done.code == 0  # the page has a cosignature already
    witness.before = lambda _: None
    assert run(*ask, cwd=folder).code == 0
    assert (folder / "page").read_text() != before


def test_a_policy_without_a_page_is_not_passed_over(folder: Path, witness: HonestWitness) -> None:
    run("witness", "add", witness.key, "https://witness.example", cwd=folder)
    done = run("verify", "--policy", "rating-ledger.policy", cwd=folder)
    assert done.code == 4
    assert "--checkpoint" in done.err
