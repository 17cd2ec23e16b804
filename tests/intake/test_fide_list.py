"""FIDE's list: columns by the header, whatever its year, and XML."""

from __future__ import annotations

import pytest

from ledger.errors import InputRefused
from ledger.intake.fide_list import is_fide_list, read_fide_list
from ledger.intake.tabular import Problems
from ledger.terms import Rate

HEADER = (
    "ID Number      Name                                                         "
    "Fed Sex Tit  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)


def line(
    id_: str, name: str, fed: str, sex: str, standard: str, rapid: str, born: str, k: str = "20"
) -> str:
    return (
        f"{id_:<15}{name:<61}{fed:<4}{sex:<4}{'':<5}{'':<5}{'':<15}{'':<4}"
        f"{standard:<6}{'4':<4}{k:<3}{rapid:<6}{'0':<4}{'40':<3}{'':<6}{'':<4}{'':<3}{born:<6}"
    )


TEXT = "\n".join(
    [
        HEADER,
        line("3404510", "Ruiz Zenteno, Leonardo", "CHI", "M", "2105", "1990", "1985"),
        line("3499999", "Nadie, Ana", "CHI", "F", "0", "", "0000"),
    ]
)
XML = """<?xml version="1.0"?><playerslist>
<player><fideid>3404510</fideid><name>Ruiz Zenteno, Leonardo</name><country>CHI</country>
<sex>M</sex><rating>2105</rating><games>4</games><k>20</k><rapid_rating>1990</rapid_rating>
<rapid_k>40</rapid_k><birthday>1985</birthday></player>
</playerslist>"""


@pytest.mark.parametrize("text", [TEXT, XML], ids=["text", "xml"])
@pytest.mark.parametrize(
    ("rate", "rating", "k"), [(Rate.CLASSICAL, 2105, 20), (Rate.RAPID, 1990, 40)]
)
def test_a_player(text: str, rate: Rate, rating: int, k: int) -> None:
    problems = Problems()
    ruiz = read_fide_list(text, rate, problems)[0]
    assert is_fide_list(text)
    assert not problems.found
    assert (ruiz.player, ruiz.rating, ruiz.federation) == ("3404510", rating, "CHI")
    assert (ruiz.published_k, ruiz.k) == (k, None), "what was published is not assigned"
    assert ruiz.games is None, "the list's games are those of one month"
    assert (ruiz.identity.sex, ruiz.identity.birth_date) == ("m", "1985")


def test_unrated_and_unborn_are_unknown() -> None:
    nadie = read_fide_list(TEXT, Rate.CLASSICAL, Problems())[1]
    assert nadie.published_k is None
    assert (nadie.rating, nadie.identity.birth_date, nadie.identity.sex) == (None, None, "w")


def test_an_older_layout() -> None:
    header = "ID number Name                            TitlFed  Jan06 GamesBorn  Flag"
    row = list(" " * len(header))
    for label, value in {
        "ID": "100013", "Name": "Ivanov, Ivan", "Titl": "g", "Fed": "RUS", "Jan06": "2611",
        "Born": "1980",
    }.items():  # fmt: skip
        at = header.index(label)
        row[at : at + len(value)] = value
    text = f"{header}\n{''.join(row)}\n"
    (player,) = read_fide_list(text, Rate.CLASSICAL, Problems())
    assert (player.player, player.rating, player.federation) == ("100013", 2611, "RUS")
    assert player.identity.birth_date == "1980"


def test_bad_lines_are_noted() -> None:
    problems = Problems()
    text = TEXT + "\n" + line("x", "Nobody", "CHI", "M", "1500", "", "")
    text += "\n" + line("3404510", "Again", "CHI", "M", "15x", "", "")
    text += "\n" + line("3404511", "Never", "CHI", "M", "1500", "", "", k="2x")
    read_fide_list(text, Rate.CLASSICAL, problems)
    assert [(p.line, p.message.key) for p in problems.found] == [
        (4, "import.no_fide_id"),
        (5, "csv.no_integer"),
        (6, "csv.no_integer"),
    ]


@pytest.mark.parametrize("rating", ["1" * 5_000, "١٥٠٠", "150²", "4001"])
def test_a_rating_that_is_no_number_is_noted(rating: str) -> None:
    problems = Problems()
    player = f"<player><fideid>1</fideid><name>Ana</name><rating>{rating}</rating></player>"
    assert not read_fide_list(f"<playerslist>{player}</playerslist>", Rate.CLASSICAL, problems)
    assert [problem.message.key for problem in problems.found] == ["csv.no_integer"]


@pytest.mark.parametrize("text", ["<!DOCTYPE x><playerslist/>", "<playerslist><player>"])
def test_bad_xml(text: str) -> None:
    with pytest.raises(InputRefused):
        read_fide_list(text, Rate.CLASSICAL, Problems())


def test_a_list_without_the_rating_asked_for() -> None:
    with pytest.raises(InputRefused):
        read_fide_list("ID number Name Fed Jan06\n", Rate.BLITZ, Problems())
