"""A private copy says of a document's bytes what reading them whole says, whatever its size."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import InputRefused, Problem
from ledger.intake import document_copy
from ledger.intake.document_copy import Copy

ENCODINGS = (None, "utf-8", "utf-8-sig", "utf-16", "utf-16-be", "cp1252", "latin-1", "ascii",
             "hex", "nonsense", "shift_jis")  # fmt: skip
pieces = st.one_of(
    st.sampled_from([b"\r", b"\n", b"\r\n", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\x81", b"\xc3"]),
    st.text("aé€𝄞,\n\r").map(str.encode),
    st.text("añÉ”\n").map(lambda text: text.encode("cp1252")),
    st.text("aé\n").map(lambda text: text.encode("utf-16-le")),
    st.binary(max_size=4),
)

Said = tuple[str, tuple[Problem, ...]] | str


def copied(data: bytes, encoding: str | None) -> Said:
    with Copy(io.BytesIO(data)) as copy:
        assert copy.data() == data
        try:
            copy.decode(encoding)
        except InputRefused as refusal:
            return str(refusal.message), refusal.details
        assert copy.text() == copy.text()
        return copy.text()


@given(
    data=st.lists(pieces, max_size=12).map(b"".join).filter(len),
    encoding=st.sampled_from(ENCODINGS),
    block=st.integers(1, 5),
)
def test_the_size_of_pieces_does_not_matter(data: bytes, encoding: str | None, block: int) -> None:
    whole = copied(data, encoding)
    before, document_copy._BLOCK = document_copy._BLOCK, block  # type: ignore[misc]
    try:
        assert copied(data, encoding) == whole
    finally:
        document_copy._BLOCK = before  # type: ignore[misc]


def test_the_place_of_a_bad_byte_far_into_a_large_file() -> None:
    data = b"abc\r\n" * 1_000_000 + b"ab\x81"
    with Copy(io.BytesIO(data)) as copy, pytest.raises(InputRefused) as refusal:
        copy.decode(None)
    (problem,) = refusal.value.details
    assert (problem.line, problem.column) == (1_000_001, 3)
    assert ("byte", "0x81") in problem.message.values


def test_the_encoding_of_a_large_file_is_decided_on_all_of_it() -> None:
    data = "Núñez\n".encode() * 300_000 + b"Pe\xf1a\n"
    with Copy(io.BytesIO(data)) as copy, pytest.raises(InputRefused) as refusal:
        copy.decode(None)
    (problem,) = refusal.value.details
    assert refusal.value.message.key == "text.wrong_byte"
    assert (problem.line, problem.column) == (300_001, 3)


def test_the_head_goes_down_to_the_first_line_that_is_not_blank() -> None:
    with Copy(b"\n" * 100_000 + b"id,name\n" + b"1,Ana\n" * 100_000) as copy:
        copy.decode(None)
        assert copy.head() == "\n" * 100_000 + "id,name\n"
        assert len(copy.text()) == 700_008


def test_lines_may_be_read_again_after_a_reading_was_broken_off() -> None:
    with Copy(b"a\nb\nc\n") as copy:
        copy.decode(None)
        lines = copy.lines()
        assert next(lines) == "a\n"
        del lines
        assert list(copy.lines()) == ["a\n", "b\n", "c\n"]
