"""FIDE's list: columns by the header, whatever its year, and XML."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest

from ledger.errors import InputRefused, LedgerError
from ledger.events.players import RatingSeeded
from ledger.intake.documents import PlayerSaid
from ledger.intake.imports import Document, import_document
from ledger.intake.players import WantedPlayers, is_fide_list, read_fide_list
from ledger.intake.problems import Problems
from ledger.journal.batch import of_type
from ledger.service.ledger import Ledger, Receipt
from ledger.terms import Rate
from tests.ledgers import define, empty_ledger, request


def read(text: str, rate: Rate, problems: Problems) -> list[PlayerSaid]:
    wanted = WantedPlayers(((rate, None),))
    return list(read_fide_list(text.splitlines(keepends=True), wanted, problems))


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
    ruiz = read(text, rate, problems)[0]
    assert is_fide_list(text)
    assert not problems.found
    assert (ruiz.player, ruiz.rating, ruiz.federation) == ("3404510", rating, "CHI")
    assert (ruiz.published_k, ruiz.k) == (k, None), "what was published is not assigned"
    assert ruiz.games is None, "the list's games are those of one month"
    assert (ruiz.identity.sex, ruiz.identity.birth_date) == ("m", "1985")


@pytest.mark.parametrize("text", [TEXT, XML], ids=["text", "xml"])
def test_each_list_takes_the_k_of_its_rate_of_play(text: str) -> None:
    wanted = WantedPlayers(((Rate.CLASSICAL, "STD"), (Rate.RAPID, "RPD")))
    ruiz = next(read_fide_list(text.splitlines(keepends=True), wanted, Problems()))
    assert (ruiz.rating, ruiz.published_k) == (2105, 20)
    assert [(o.list, o.rating, o.published_k) for o in ruiz.others] == [("RPD", 1990, 40)]


def test_unrated_and_unborn_are_unknown() -> None:
    nadie = read(TEXT, Rate.CLASSICAL, Problems())[1]
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
    (player,) = read(text, Rate.CLASSICAL, Problems())
    assert (player.player, player.rating, player.federation) == ("100013", 2611, "RUS")
    assert player.identity.birth_date == "1980"


def test_bad_lines_are_noted() -> None:
    problems = Problems()
    text = TEXT + "\n" + line("x", "Nobody", "CHI", "M", "1500", "", "")
    text += "\n" + line("3404510", "Again", "CHI", "M", "15x", "", "")
    text += "\n" + line("3404511", "Never", "CHI", "M", "1500", "", "", k="2x")
    read(text, Rate.CLASSICAL, problems)
    assert [(p.line, p.message.key) for p in problems.found] == [
        (4, "import.no_fide_id"),
        (5, "csv.no_integer"),
        (6, "csv.no_integer"),
    ]


@pytest.mark.parametrize("rating", ["1" * 5_000, "١٥٠٠", "150²", "4001"])
def test_a_rating_that_is_no_number_is_noted(rating: str) -> None:
    problems = Problems()
    player = f"<player><fideid>1</fideid><name>Ana</name><rating>{rating}</rating></player>"
    assert not read(f"<playerslist>{player}</playerslist>", Rate.CLASSICAL, problems)
    assert [problem.message.key for problem in problems.found] == ["csv.no_integer"]


@pytest.mark.parametrize("text", ["<!DOCTYPE x><playerslist/>", "<playerslist><player>"])
def test_bad_xml(text: str) -> None:
    with pytest.raises(InputRefused):
        read(text, Rate.CLASSICAL, Problems())


def test_a_list_without_the_rating_asked_for() -> None:
    with pytest.raises(InputRefused):
        read("ID number Name Fed Jan06\n", Rate.BLITZ, Problems())


def listed(count: int) -> str:
    rows = (
        line(str(100 + number), f"Player {number}", "CHI" if number % 3 else "ARG", "M",
             str(2000 + number), str(1900 + number) if number % 2 else "", "1980")
        for number in range(count)
    )  # fmt: skip
    return "\n".join([HEADER, *rows]) + "\n"


def three_lists() -> Ledger:
    ledger = empty_ledger()
    for name, regulation in (
        ("STD", "fide-standard"),
        ("RPD", "fide-rapid"),
        ("BLZ", "fide-blitz"),
    ):
        define(ledger, name, regulation=regulation, first_on=dt.date(2025, 1, 1))
    return ledger


def seeds(receipt: Receipt) -> set[tuple[str, str, int]]:
    return {
        (event.list, event.player, event.rating)
        for _, event in of_type(receipt.events, RatingSeeded)
    }


def test_all_lines_of_a_long_list() -> None:
    assert len(read(listed(100), Rate.CLASSICAL, Problems())) == 100


def test_each_list_takes_the_ratings_of_its_rate_of_play() -> None:
    document = Document(name="f.txt", data=TEXT.encode(), list="STD", other_lists=("RPD", "BLZ"))
    ledger = three_lists()
    receipt = import_document(ledger, document, request())
    assert seeds(receipt) == {("STD", "3404510", 2105), ("RPD", "3404510", 1990)}
    ks = {event.list: event.k for _, event in of_type(receipt.events, RatingSeeded)}
    assert ks == {"STD": 20, "RPD": 40}
    assert (
        import_document(ledger, replace(document, on=dt.date(2025, 1, 1)), request()).events == ()
    )


def test_one_list_takes_the_ratings_of_its_rate_of_play() -> None:
    document = Document(name="f.xml", data=XML.encode(), list="RPD")
    assert seeds(import_document(three_lists(), document, request())) == {("RPD", "3404510", 1990)}


@pytest.mark.parametrize("federations", [("CHI",), ("arg",), ("ARG", "CHI"), ()])
def test_players_of_some_federations(federations: tuple[str, ...]) -> None:
    document = Document(name="f.txt", data=listed(30).encode(), federations=federations)
    wanted = {"CHI": 20, "ARG": 10}
    count = sum(wanted[federation.upper()] for federation in federations or wanted)
    receipt = import_document(empty_ledger(), document, request())
    assert receipt.counts == {"player.registered": count}


def test_faults_of_other_federations_do_not_matter() -> None:
    text = listed(3) + line("x", "Nobody", "URS", "M", "y", "", "") + "\n"
    document = Document(name="f.txt", data=text.encode(), federations=("CHI",))
    assert import_document(empty_ledger(), document, request()).counts == {"player.registered": 2}


def fide(**options: Any) -> Document:
    return replace(Document(name="f", data=TEXT.encode(), list="STD"), **options)


@pytest.mark.parametrize(
    ("document", "key"),
    [
        (fide(federations=("CH",)), "import.no_federation"),
        (fide(data=b"id,name\n1,A\n", federations=("CHI", "ARG")), "import.only_of_fide_list"),
        (fide(data=b"id,name\n1,A\n", federations=("Chile",)), "csv.no_federation"),
        (fide(data=b"id,name,fed\n1,A,\n", federations=("CHI",)), "import.federation_in_table"),
        (fide(other_lists=("ENF",)), "import.list_without_rate"),
        (fide(other_lists=("X",)), "list.not_found"),
    ],
)
def test_what_cannot_be_wanted(document: Document, key: str) -> None:
    ledger = three_lists()
    define(ledger)
    with pytest.raises(LedgerError) as refused:
        import_document(ledger, document, request())
    assert refused.value.message.key == key


def test_xml_on_one_line() -> None:
    text = XML.replace("\n", "").replace("</player>", "</player>" + " " * 70_000)
    assert [each.player for each in read(text, Rate.RAPID, Problems())] == ["3404510"]


def test_an_entity_is_not_expanded() -> None:
    player = "<player><fideid>1</fideid><name>&a;</name></player>"
    text = f'<!DOCTYPE p [<!ENTITY a "aaaa">]><playerslist>{player}</playerslist>'
    with pytest.raises(InputRefused):
        read(text, Rate.CLASSICAL, Problems())
