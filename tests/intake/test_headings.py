"""Headings: English, Spanish, the user's own; a published list is a list of players."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ledger.answers.lists import show
from ledger.errors import InputRefused
from ledger.intake.headings import GAMES, PLAYERS, Headings, folded
from ledger.intake.imports import Document, import_document
from ledger.service.ledger import Receipt
from tests.ledgers import GAMES_HEADER, PLAYERS_HEADER, define, empty_ledger, import_text, request

LISTED = "rank,id,name,federation,rating,provisional,games,change,k,active"


def take(
    text: str, *, columns: Mapping[str, str] | None = None, ignored: tuple[str, ...] = ()
) -> Receipt:
    ledger = empty_ledger()
    define(ledger)
    document = Document(
        name="f.csv",
        data=text.encode(),
        list="ENF",
        columns=tuple((columns or {}).items()),
        ignored=ignored,
    )
    return import_document(ledger, document, request())


@pytest.mark.parametrize("headings", [PLAYERS, GAMES], ids=["players", "games"])
def test_no_word_heads_two_columns(headings: Headings) -> None:
    columns = (*headings.known, *headings.parts)
    words = [(folded(word), each.english) for each in columns for word in each.words]
    words += [(folded(word), "") for word in headings.beside]
    assert len({word for word, _ in words}) == len(set(words))


@pytest.mark.parametrize(
    "header",
    [
        "id;name;federation;sex;birth_date;rating;games",
        "Código;Nombre;Federación;Sexo;Nacimiento;Elo;Partidas",
        "CODIGO;NOMBRE;FED;SEXO;FECHA DE NACIMIENTO;ELO;PARTIDAS",
        "ID FIDE;Apellidos y nombre;País;Género;Fecha nacimiento;ELO;Número de partidas",
    ],
)
def test_players_in_english_and_spanish(header: str) -> None:
    receipt = take(f"{header}\n7;Ana;CHI;w;1990;1500;20\n")
    assert receipt.counts == {"player.registered": 1, "player.rating-seeded": 1}
    assert [type(dated.event).__name__ for dated in receipt.events] == [
        "PlayerRegistered", "RatingSeeded",
    ]  # fmt: skip


def test_games_in_spanish() -> None:
    ledger = empty_ledger()
    import_text(ledger, "Código;Nombre\n1;Ana\n2;Beto\n")
    spanish = (
        "Torneo;Nombre;Inicio;Término;Sistema;Ritmo;Mérito;Ronda;Fecha;Blancas;Negras;Resultado\n"
        "T;Copa;2010-07-01;2010-07-02;Todos contra todos;clásico;;1;;1;2;½-½\n"
    )
    assert import_text(ledger, spanish).counts["result.recorded"] == 1
    english = GAMES_HEADER + "T,Copa,2010-07-01,2010-07-02,round-robin,classical,,1,,1,2,1/2-1/2\n"
    assert import_text(ledger, english).events == ()


def test_the_user_says_what_a_column_is() -> None:
    text = "Cod;Socio;Fuerza;Cuota\n7;Ana;1500;pagada\n"
    columns = {"id": "cod", "name": "Socio", "rating": "FUERZA"}
    receipt = take(text, columns=columns, ignored=("cuota",))
    assert receipt.counts == {"player.registered": 1, "player.rating-seeded": 1}


def test_what_the_user_says_goes_before_what_a_word_means() -> None:
    receipt = take(
        "id;name;elo;nuevo\n7;Ana;1500;1510\n", columns={"rating": "nuevo"}, ignored=("elo",)
    )
    assert '"rating":1510' in str(receipt.events[-1].event.canonical())


def test_a_column_that_there_is_not() -> None:
    with pytest.raises(InputRefused) as refused:
        take("id;name;Elo\n7;Ana;1500\n", columns={"raiting": "Elo"})
    assert refused.value.message.key == "csv.no_such_column"


def test_a_header_that_is_not_there() -> None:
    with pytest.raises(InputRefused) as refused:
        take("id;name\n7;Ana\n", columns={"rating": "Fuerza"})
    assert [(p.line, p.message.key) for p in refused.value.details] == [(1, "csv.no_such_header")]


def test_a_column_that_nobody_knows_is_not_lost() -> None:
    with pytest.raises(InputRefused) as refused:
        take("id;name;Padrino\n7;Ana;Norte\n")
    assert [(p.line, p.column, p.message.key) for p in refused.value.details] == [
        (1, 3, "csv.unknown_column")
    ]


def test_two_headers_of_one_column() -> None:
    with pytest.raises(InputRefused) as refused:
        take("id;name;Elo;Rating\n7;Ana;1500;1600\n")
    assert [(p.column, p.message.key) for p in refused.value.details] == [(4, "csv.column_twice")]


def test_the_header_of_a_published_list_is_known() -> None:
    ledger = empty_ledger()
    define(ledger)
    import_text(ledger, PLAYERS_HEADER + "7,Ana,CHI,,,1500,,20\n", list_="ENF")
    assert show(ledger, "ENF", "2010-07").rows.published.table().splitlines()[0] == LISTED


def test_of_a_published_list_games_and_k_are_of_its_period() -> None:
    receipt = take(f"{LISTED}\n1,7,Ana,CHI,1500,no,9,4,10,yes\n")
    assert receipt.counts == {"player.registered": 1, "player.rating-seeded": 1}
    assert '"games":9' not in receipt.events[-1].event.canonical()
