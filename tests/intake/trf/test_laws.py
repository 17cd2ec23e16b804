"""Laws of reading and writing: what is written is what was read, and nothing makes it stumble."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import InputRefused
from ledger.intake.trf.check import adjustments, check
from ledger.intake.trf.pairings import byes, pairings
from ledger.wording import LANGUAGES
from tests.intake.trf.writing import GOOD, IDS, parse, player, text_of
from tests.profile import examples

GAMES = {
    "10": "1-0", "01": "0-1", "==": "1/2-1/2", "00": "0-0", "=0": "1/2-0", "0=": "0-1/2",
    "WL": "1-0s", "LW": "0-1s", "DD": "1/2-1/2s", "LL": "0-0s", "+-": "+/-", "-+": "-/+",
    "--": "-/-",
}  # fmt: skip
BYES = {"H": "half", "F": "full", "U": "pairing-allocated", "Z": "zero"}
DRESSES = [
    ("utf-8", b""),
    ("utf-8", codecs.BOM_UTF8),
    ("utf-16-le", codecs.BOM_UTF16_LE),
]
NAMES = st.text(alphabet="abcÁñüÖ,.' -", min_size=1, max_size=33).filter(
    lambda n: n.strip(" ") == n
)
EXTRAS = st.sampled_from(
    [
        "012 Copa Ñandú",
        "022 Cobán ",
        "###",
        "# nota",
        "",
        "  ",
        "XXC white1",
        "122 90'+30\"",
        "172 IND FIDE",
        "102 Castillo, Rebeca",
        "112 Uno",
        "112 Dos",
        "XXA    1  1.0",
        "802   1 GUA",
    ]
)


@dataclass
class Generated:
    """A file and what was put into it."""

    data: bytes
    games: set[tuple[int, int, int, str]] = field(default_factory=set)
    byes: set[tuple[int, int, str]] = field(default_factory=set)


@st.composite
def tournaments(draw: st.DrawFn) -> Generated:
    count = draw(st.integers(1, 9))
    rounds: dict[int, list[str]] = {number: [] for number in range(1, count + 1)}
    made = Generated(b"")
    for round_ in range(1, draw(st.integers(0, 5)) + 1):
        order = draw(st.permutations(list(rounds)))
        paired = 2 * draw(st.integers(0, count // 2))
        for white, black in zip(order[:paired:2], order[1:paired:2], strict=True):
            codes = draw(st.sampled_from(sorted(GAMES)))
            written = codes if draw(st.booleans()) else codes.lower()
            rounds[white].append(f"{black:>4} w {written[0]}")
            rounds[black].append(f"{white:>4} b {written[1]}")
            made.games.add((round_, white, black, GAMES[codes]))
        for number in order[paired:]:
            code = draw(st.sampled_from("HFUZ "))
            opponent = "0000 -" if code != " " else draw(st.sampled_from(["0000 -", "      "]))
            rounds[number].append(f"{opponent} {code}")
            if code != " ":
                made.byes.add((round_, number, BYES[code]))
    lines = [
        player(
            number,
            draw(NAMES),
            *rounds[number],
            sex=draw(st.sampled_from("mw ")),
            title=draw(st.sampled_from(["", "GM", "WFM"])),
            rating=draw(st.sampled_from(["", "0", "1500", "2400"])),
            federation=draw(st.sampled_from(["", "GUA"])),
            birth=draw(st.sampled_from(["", "1990/05/17", "1978/00/00"])),
            points=draw(st.sampled_from(["", "0.0", "11.5"])),
            rank=draw(st.sampled_from(["", "1", "9999"])),
        )
        + " " * draw(st.integers(0, 3))
        for number in draw(st.permutations(list(rounds)))
    ]
    lines[:0] = draw(st.lists(EXTRAS, max_size=4, unique_by=lambda line: line[:3] or line))
    newline = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    text = newline.join(lines) + draw(st.sampled_from(["", newline]))
    encoding, bom = draw(st.sampled_from(DRESSES))
    made.data = bom + text.encode(encoding)
    return made


@given(tournaments())
def test_what_was_read_is_written_byte_for_byte(made: Generated) -> None:
    report = parse(made.data)
    assert check(report) == []
    assert report.written() == text_of(made.data)
    # Not because the lines were kept: the layout writes them the same from their cells.
    assert all(record.found is None for record in report.records)


@given(tournaments())
def test_what_was_put_in_is_read(made: Generated) -> None:
    report = parse(made.data)
    games = {(p.round, int(p.white), int(p.black), str(p.result)) for p in pairings(report, IDS)}
    assert games == made.games
    assert {(b.round, int(b.player), b.kind.value) for b in byes(report, IDS)} == made.byes


def survives(data: bytes) -> None:
    """Asserts that a file is read, checked and written back, or refused as no text."""
    try:
        report = parse(data)
    except InputRefused:
        return
    for problem in check(report) + adjustments(report):
        assert problem.line >= 1
        assert problem.column >= 1
        assert all(problem.message.within(language) for language in LANGUAGES)
    pairings(report, IDS)
    byes(report, IDS)
    assert report.written() == text_of(data)


CHARACTERS = st.sampled_from("0129 wb-+=HUZx#½²٣ñ\t\r\n\x1b\x85\u2028\u00a0PK/.,") | st.characters(
    exclude_categories=["Cs"]
)


@examples(300)
@given(st.data())
def test_a_mutated_file_is_read_or_refused(data: st.DataObject) -> None:
    text = GOOD + "240 H   2    6\n299 W   1.0         1    1\n330 +-   1   1   2\nGUA    1\n"
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text)))
        match data.draw(st.sampled_from(["insert", "delete", "replace", "line", "cut"])):
            case "insert":
                text = text[:at] + data.draw(CHARACTERS) + text[at:]
            case "delete":
                text = text[:at] + text[at + 1 :]
            case "replace":
                text = text[:at] + data.draw(CHARACTERS) + text[at + 1 :]
            case "line":
                lines = text.split("\n")
                line = data.draw(st.sampled_from(lines))
                lines.insert(data.draw(st.integers(0, len(lines))), line)
                text = "\n".join(lines)
            case "cut":
                text = text[:at]
    survives(text.encode())


@examples(300)
@given(st.data())
def test_mutated_bytes_are_read_or_refused(data: st.DataObject) -> None:
    octets = bytearray(GOOD.encode())
    for _ in range(data.draw(st.integers(1, 5))):
        octets[data.draw(st.integers(0, len(octets) - 1))] = data.draw(st.integers(0, 255))
    survives(bytes(octets))


@given(st.lists(st.text(alphabet="01239XRA #wb", max_size=20) | st.text(max_size=110), max_size=8))
def test_any_lines_are_read_or_refused(lines: list[str]) -> None:
    survives("\n".join(lines).encode("utf-8", errors="replace"))


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-8-sig", "utf-16"])
def test_the_good_file_comes_back_in_every_dress(newline: str, encoding: str) -> None:
    data = GOOD.replace("\n", newline).encode(encoding)
    report = parse(data)
    assert check(report) == []
    assert report.written() == text_of(data)
    assert {record.end for record in report.records} == {newline}
    assert len(pairings(report, IDS)) == 7
    assert len(byes(report, IDS)) == 3


@pytest.mark.parametrize("encoding", ["cp850", "mac-roman", "iso-8859-15"])
def test_the_good_file_comes_back_in_an_encoding_that_was_asked_for(encoding: str) -> None:
    data = GOOD.encode(encoding)
    report = parse(data, encoding)
    assert report.by_number[3].name == "Castañeda Ordóñez, Inés"
    assert report.written() == text_of(data, encoding) == GOOD


def test_line_ends_may_be_mixed() -> None:
    data = GOOD.encode().replace(b"\n", b"\r\n", 5)
    assert check(parse(data)) == []
    assert parse(data).written() == text_of(data)


def test_a_foreign_alignment_comes_back_as_it_was() -> None:
    line = player(1, "Aguirre, Nora", "2    w 1").replace(" Aguirre, Nora ", "  Aguirre, Nora")
    data = (line + "\n" + player(2, "Barrientos, Ciro", "0001 b 0") + "\n").encode()
    report = parse(data)
    assert check(report) == []
    assert report.by_number[1].name == "Aguirre, Nora"
    assert [record.found is None for record in report.records] == [False, True]
    assert report.written() == text_of(data)
