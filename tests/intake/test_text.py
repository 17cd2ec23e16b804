"""Bytes to text: byte order mark, UTF-8, cp1252, or the encoding that was asked for."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import InputRefused
from ledger.intake.document_copy import Copy

MARKS = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "cp1252": b"",
}


def decode(data: bytes, encoding: str | None = None) -> str:
    with Copy(data) as copy:
        copy.decode(encoding)
        return copy.text()


@pytest.mark.parametrize(
    ("data", "text", "encoding", "bom"),
    [
        (b"Pena\n", "Pena\n", "utf-8", b""),
        ("Peña\n".encode(), "Peña\n", "utf-8", b""),
        ("Peña\n".encode("latin-1"), "Peña\n", "cp1252", b""),
        ("5½ – Peña".encode("cp1252"), "5½ – Peña", "cp1252", b""),
        (codecs.BOM_UTF8 + "Peña".encode(), "Peña", "utf-8", codecs.BOM_UTF8),
        (
            codecs.BOM_UTF16_LE + "Peña".encode("utf-16-le"),
            "Peña",
            "utf-16-le",
            codecs.BOM_UTF16_LE,
        ),
        (
            codecs.BOM_UTF16_BE + "Peña".encode("utf-16-be"),
            "Peña",
            "utf-16-be",
            codecs.BOM_UTF16_BE,
        ),
        (b"", "", "utf-8", b""),
    ],
)
def test_the_encoding_is_found_out(data: bytes, text: str, encoding: str, bom: bytes) -> None:
    assert decode(data) == text
    assert bom + text.encode(encoding) == data


@pytest.mark.parametrize(
    ("data", "asked", "text"),
    [
        ("Peña".encode("cp850"), "cp850", "Peña"),
        ("Peña".encode("latin-1"), "ISO-8859-1", "Peña"),
        (codecs.BOM_UTF8 + b"a", "utf-8", "a"),
        (b"a", "utf-8-sig", "a"),
        (codecs.BOM_UTF16_BE + "ñ".encode("utf-16-be"), "utf-16", "ñ"),
        ("ñ".encode("utf-16-le"), "utf-16", "ñ"),
        ("ñ".encode("utf-16-le"), "utf-16-le", "ñ"),
    ],
)
def test_the_encoding_that_is_asked_for_is_used(data: bytes, asked: str, text: str) -> None:
    assert decode(data, asked) == text


def test_a_byte_of_no_character_is_shown_at_its_line_and_column() -> None:
    data = "uno\r\nPeña ".encode("cp1252") + b"\x81\n"
    with pytest.raises(InputRefused) as refused:
        decode(data)
    (problem,) = refused.value.details
    assert refused.value.message.key == "text.undecodable"
    assert (problem.line, problem.column) == (2, 6)
    assert "0x81" in str(problem.message)


def test_one_wrong_byte_does_not_make_another_encoding_of_a_thousand_lines() -> None:
    lines = ["Núñez, José\n".encode()] * 1_001
    lines[700] = b"Pe\xf1a, Ana\n"
    with pytest.raises(InputRefused) as refused:
        decode(b"".join(lines))
    (problem,) = refused.value.details
    assert refused.value.message.key == "text.wrong_byte"
    assert (problem.line, problem.column) == (701, 3)
    assert "name the encoding" in str(refused.value.message)


@pytest.mark.parametrize(
    ("utf8", "other", "is_cp1252"), [(0, 1, True), (1, 9, True), (1, 8, False), (2, 17, False)]
)
def test_of_ten_places_one_may_read_as_utf_8_in_a_file_of_cp1252(
    utf8: int, other: int, *, is_cp1252: bool
) -> None:
    """É before a closing quote is a character of UTF-8 by chance."""
    data = "CAFÉ” ".encode("cp1252") * utf8 + "ñ ".encode("cp1252") * other
    assert data.count("É”".encode("cp1252").decode().encode()) == utf8
    if is_cp1252:
        assert decode(data) == "CAFÉ” " * utf8 + "ñ " * other
    else:
        with pytest.raises(InputRefused):
            decode(data)


def test_an_encoding_that_is_named_is_not_guessed() -> None:
    data = "Núñez ".encode() + b"Pe\xf1a"
    assert decode(data, "latin-1") == "NÃºÃ±ez Peña"


def test_columns_count_characters_where_bytes_are_wider() -> None:
    with pytest.raises(InputRefused) as refused:
        decode("ññ\rñ".encode() + b"\xff", "utf-8")
    (problem,) = refused.value.details
    assert refused.value.message.key == "text.other_encoding"
    assert (problem.line, problem.column) == (2, 2)


@pytest.mark.parametrize("asked", ["klingon", "rot13", "hex", "undefined", "a\0b", ""])
def test_an_encoding_of_no_text_is_refused(asked: str) -> None:
    with pytest.raises(InputRefused) as refused:
        decode(b"a\xff", asked)
    assert refused.value.message.key == "text.unknown_encoding"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"PK\x03\x04\x14\x00\x06\x00", ".xlsx"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", ".xls"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"%PDF-1.4\n", "PDF"),
    ],
)
@pytest.mark.parametrize("asked", [None, "latin-1"])
def test_a_file_of_another_kind_is_named(data: bytes, kind: str, asked: str | None) -> None:
    with pytest.raises(InputRefused) as refused:
        decode(data, asked)
    assert kind in str(refused.value.message)


@pytest.mark.parametrize("asked", [None, "utf-8", "latin-1"])
def test_a_nul_byte_is_refused_where_it_stands(asked: str | None) -> None:
    with pytest.raises(InputRefused) as refused:
        decode(b"one\ntw\0o", asked)
    (problem,) = refused.value.details
    assert refused.value.message.key == "text.binary"
    assert (problem.line, problem.column) == (2, 3)


@given(st.binary(max_size=60))
def test_bytes_are_decoded_and_come_back_or_are_refused(data: bytes) -> None:
    try:
        text = decode(data)
    except InputRefused:
        return
    assert any(
        data in (bom + text.encode(encoding, "replace"), text.encode(encoding, "replace"))
        for encoding, bom in MARKS.items()
    )
