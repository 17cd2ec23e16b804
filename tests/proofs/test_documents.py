"""What docs/proofs.md quotes is so, and its example is good for every implementation."""

from __future__ import annotations

import base64
import re
from hashlib import sha256
from pathlib import Path

import pytest

from ledger.proofs.contents import RowContent, read_content
from ledger.proofs.tlog_proof import read_tlog_proof
from ledger.wording import sentences
from tests.cli.running import run
from tests.proofs.forgeries import forged

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "proofs.md").read_text(encoding="utf-8")
FILES = DOCS / "proofs"


@pytest.mark.parametrize(
    "words",
    ["list.tlog-proof ENF-2010-07.txt", "row.tlog-proof", "growth.proof earlier.checkpoint"],
)
def test_the_example_holds(words: str) -> None:
    done = run("check", *words.split(), "--key", "ledger.key", cwd=FILES)
    assert done.code == 0, done.err


def test_the_worked_bytes_are_those_of_the_example() -> None:
    proof = read_tlog_proof((FILES / "list.tlog-proof").read_text())
    row = read_content(read_tlog_proof((FILES / "row.tlog-proof").read_text()).extra)
    assert isinstance(row, RowContent)
    leaf = sha256(b"\x00" + row.envelope.encode()).digest()
    quoted = [
        (FILES / "ledger.key").read_text().strip(),
        f"`index {proof.index}`",
        f"has {proof.checkpoint.size} events",
        f"the path has {len(proof.path)} hashes",
        f"has {len(row.envelope.encode())} bytes",
        f"{len(proof.checkpoint.text.encode())} bytes",
        row.envelope[:19],
        leaf.hex(),
        proof.path[0].hex()[:8],
        base64.b64encode(proof.path[0]).decode()[:8],
        sha256(b"\x01" + leaf + proof.path[0]).hexdigest(),
        proof.checkpoint.root.hex(),
        sha256((FILES / "ENF-2010-07.txt").read_bytes()).hexdigest(),
        sha256(b"\x00" + row.row.encode()).hexdigest(),
        f"from index {row.index} of 16",
    ]
    assert [text for text in quoted if text not in PAGE] == []


def test_every_word_of_a_refusal_is_in_the_table() -> None:
    said = set(re.findall(r"`(proof\.[a-z_]+)`", PAGE))
    assert said <= set(sentences("en"))
    assert {case.refused for case in forged()} <= said
