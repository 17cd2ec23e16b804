"""Checkpoints and signed notes, against the example of the reference implementation in Go."""

from __future__ import annotations

import base64
import contextlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import InputRefused, VerificationFailed
from ledger.journal.checkpoint import (
    MOST_EVENTS,
    Checkpoint,
    Signature,
    Signer,
    Verifier,
    check_against,
    check_signature,
    make_checkpoint,
    parse,
)
from ledger.journal.interface import Journal
from ledger.journal.merkle import EMPTY_ROOT
from ledger.journal.stores.memory import MemoryJournal
from tests.journal.drafts import append, draft, fill

# golang.org/x/mod/sumdb/note, note_test.go
PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PRIVATE = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
LINE = (
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdng"
    "otpRZb6KE6RyyBwJnAM="
)
# https://c2sp.org/tlog-checkpoint
EXAMPLE = (
    "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
    "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q"
    "1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
)


@pytest.fixture
def filled() -> Journal:
    journal = MemoryJournal()
    fill(journal)
    return journal


def test_the_keys_of_the_reference_are_read_and_written() -> None:
    signer = Signer.parse(PRIVATE)
    assert signer.secret() == PRIVATE
    assert str(signer.verifier) == PUBLIC
    assert Verifier.parse(PUBLIC) == signer.verifier


def test_a_signature_is_that_of_the_reference() -> None:
    signature = Signer.parse(PRIVATE).sign(TEXT)
    assert signature.line == LINE
    assert Verifier.parse(PUBLIC).verify(signature.value, TEXT)
    assert not Verifier.parse(PUBLIC).verify(signature.value, TEXT.upper())


def test_the_example_of_the_specification_is_read() -> None:
    found = parse(EXAMPLE)
    assert (found.origin, found.size) == ("example.com/behind-the-sofa", 20852163)
    assert found.root.hex() == "0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62"
    assert [signature.name for signature in found.signatures] == ["example.com/behind-the-sofa"]
    assert found.note() == EXAMPLE


def test_an_unsigned_page_is_three_lines(filled: Journal) -> None:
    page = make_checkpoint(filled, "chess.example/ratings").note()
    root = base64.b64encode(bytes.fromhex(filled.head().root)).decode()
    assert page == f"chess.example/ratings\n10\n{root}\n"
    assert parse(page) == make_checkpoint(filled, "chess.example/ratings")
    assert parse(page.rstrip("\n")) == parse(page) == parse(page + "\n")
    assert parse(page.replace("\n", "\r\n")) == parse(page)
    check_against(filled, parse(page))


def test_an_empty_journal_has_a_checkpoint() -> None:
    page = make_checkpoint(MemoryJournal(), "club").note()
    assert parse(page) == Checkpoint("club", 0, EMPTY_ROOT)
    check_against(MemoryJournal(), parse(page))


def test_a_signed_page_says_who_signed(filled: Journal) -> None:
    signer = Signer.generate("chess.example/key")
    page = parse(make_checkpoint(filled, "club", signer).note())
    check_signature(page, signer.verifier)
    check_against(filled, page)
    other = replace(page, signatures=(Signer.parse(PRIVATE).sign(page.text), *page.signatures))
    check_signature(parse(other.note()), signer.verifier)


def test_an_unsigned_page_is_not_taken_for_a_signed_one(filled: Journal) -> None:
    page = make_checkpoint(filled, "club")
    with pytest.raises(VerificationFailed, match="no signature of PeterNeumann with the key c74f2"):
        check_signature(page, Verifier.parse(PUBLIC))
    impostor = Signer.generate("PeterNeumann")
    signed = make_checkpoint(filled, "club", impostor)
    with pytest.raises(VerificationFailed, match="no signature"):
        check_signature(signed, Verifier.parse(PUBLIC))


def test_a_changed_page_has_no_valid_signature(filled: Journal) -> None:
    signer = Signer.parse(PRIVATE)
    page = make_checkpoint(filled, "club", signer)
    for changed in (
        replace(page, size=9),
        replace(page, origin="other"),
        replace(page, root=bytes(32)),
        replace(page, extension=("more",)),
        replace(page, signatures=(Signature("PeterNeumann", signer.verifier.key_id, bytes(64)),)),
        replace(page, signatures=(Signature("PeterNeumann", signer.verifier.key_id, b"x"),)),
    ):
        with pytest.raises(VerificationFailed, match="does not fit"):
            check_signature(parse(changed.note()), signer.verifier)


def test_a_journal_may_have_grown_since(filled: Journal) -> None:
    page = make_checkpoint(filled, "club")
    append(filled, draft())
    check_against(filled, page)


def test_a_cut_journal_is_told(filled: Journal) -> None:
    page = make_checkpoint(filled, "club")
    shorter = MemoryJournal()
    with pytest.raises(VerificationFailed) as caught:
        check_against(shorter, page)
    assert caught.value.message.key == "verify.cut"


def test_another_history_is_told(filled: Journal) -> None:
    page = replace(make_checkpoint(filled, "club"), root=bytes(32))
    with pytest.raises(VerificationFailed) as caught:
        check_against(filled, page)
    assert caught.value.message.key == "verify.rewritten"


@pytest.mark.parametrize(
    "page",
    [
        "",
        "club",
        "club\n10\n",
        "club\n10\nnot base64\n",
        "club\n10\n" + base64.b64encode(bytes(31)).decode() + "\n",
        "club\n010\n" + base64.b64encode(bytes(32)).decode() + "\n",
        "club\n-1\n" + base64.b64encode(bytes(32)).decode() + "\n",
        "club\n١\n" + base64.b64encode(bytes(32)).decode() + "\n",
        " \n1\n" + base64.b64encode(bytes(32)).decode() + "\n",
        EXAMPLE.replace("— ", "- "),
        EXAMPLE.replace("— example.com/behind-the-sofa", "— "),
        EXAMPLE.replace("Az3g", "é"),
        EXAMPLE + "more\n",
        EXAMPLE.replace("CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=", "CsUY\n"),
    ],
)
def test_what_is_no_checkpoint_is_refused(page: str) -> None:
    with pytest.raises(InputRefused) as caught:
        parse(page)
    assert caught.value.message.key == "verify.no_checkpoint"


@pytest.mark.parametrize(
    "key",
    [
        "",
        "PeterNeumann",
        PUBLIC[:-1],
        PUBLIC.replace("c74f20a3", "c74f20a4"),
        PUBLIC.replace("Peter", "Peter "),
        PUBLIC.replace("+AR", "+ZR"),
        PUBLIC.replace("PeterNeumann", ""),
    ],
)
def test_what_is_no_key_is_refused(key: str) -> None:
    with pytest.raises(InputRefused) as caught:
        Verifier.parse(key)
    assert caught.value.message.key == "verify.checkpoint_key"


@pytest.mark.parametrize("key", [PUBLIC, PRIVATE[:-1], PRIVATE.replace("c74f20a3", "00000000")])
def test_a_private_key_is_not_quoted_when_it_is_refused(key: str) -> None:
    with pytest.raises(InputRefused) as caught:
        Signer.parse(key)
    assert "AYEKFALV" not in str(caught.value)


@pytest.mark.parametrize("name", ["", "a b", "a+b"])
def test_a_key_has_a_name(name: str) -> None:
    with pytest.raises(InputRefused):
        Signer.generate(name)


@pytest.mark.parametrize("origin", ["", " ", "two\nlines"])
def test_an_origin_is_one_line(origin: str) -> None:
    with pytest.raises(InputRefused):
        make_checkpoint(MemoryJournal(), origin)


lines = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1)


@given(
    page=st.builds(
        Checkpoint,
        origin=lines.filter(str.strip),
        size=st.integers(0, MOST_EVENTS),
        root=st.binary(min_size=32, max_size=32),
        signatures=st.just((Signer.parse(PRIVATE).sign(TEXT),)) | st.just(()),
        extension=st.lists(lines, max_size=3).map(tuple),
    )
)
def test_what_is_written_is_read_back(page: Checkpoint) -> None:
    assert parse(page.note()) == page


@given(text=st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (parse, Verifier.parse, Signer.parse):
        with contextlib.suppress(InputRefused):
            read(text)
