"""What a table holds is told from its headings, as one kind or as none."""

from __future__ import annotations

from itertools import permutations

import pytest

from ledger.errors import InputRefused
from ledger.intake.headings import GAMES, PLAYERS, Headings, folded
from ledger.service.ledger import Ledger
from tests.ledgers import empty_ledger, import_text


def _words(headings: Headings) -> dict[str, str]:
    """Returns everything that may head a column, by what counts of it."""
    columns = (*headings.known, *headings.parts)
    words = [*headings.beside, *(word for each in columns for word in each.words)]
    return {folded(word): word for word in words}


_PLAYERS, _GAMES = _words(PLAYERS), _words(GAMES)
_OF_PLAYERS = [word for key, word in _PLAYERS.items() if key not in _GAMES]
LACKING = {"csv.column_missing", "csv.column_among", "csv.tournament_missing"}
PLAYERS_ONLY = ({"csv.column_twice"}, {"csv.unknown_column"})
_OF_GAMES = [word for key, word in _GAMES.items() if key not in _PLAYERS]


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    return empty_ledger()


def refusal(ledger: Ledger, *headings: str) -> InputRefused:
    with pytest.raises(InputRefused) as refused:
        import_text(ledger, ";".join(headings) + "\n")
    return refused.value


def kind_of(ledger: Ledger, *headings: str) -> str:
    """Returns of which kind a table is, by what it lacks; "" where nobody knows."""
    refused = refusal(ledger, *headings)
    lacks_nothing = {each.message.key for each in refused.details} in PLAYERS_ONLY
    if refused.message.key == "csv.no_rows" or lacks_nothing:
        return "players"  # they need one column, and games five
    lacking = [each.message for each in refused.details if each.message.key in LACKING]
    columns = {str(dict(message.values)["column"]) for message in lacking}
    kinds = {"name": "players", "round": "games", "tournament": "games"}
    return " ".join(sorted({kind for column, kind in kinds.items() if column in columns}))


@pytest.mark.parametrize(
    ("headings", "kind"),
    [
        ("RUT;Nombre", "players"),
        ("Nombre;Club", "players"),
        ("Apellidos;Nombre;Categoría", "players"),
        ("Nombre;RUT;Club;Fecha", "players"),
        ("Torneo;Nombre", "games"),
        ("Mesa;Blancas;Negras", "games"),
        ("Nombre", ""),
        ("Nombre;Observaciones", ""),
        ("Nº;Nombre;Elo;Rd", ""),
        ("ID;Fecha", ""),
        ("Nome;Titel", ""),
    ],
)
def test_a_table_of_few_columns(ledger: Ledger, headings: str, kind: str) -> None:
    assert kind_of(ledger, *headings.split(";")) == kind


def test_a_heading_of_one_kind_decides_beside_a_name(ledger: Ledger) -> None:
    assert {kind_of(ledger, "Nombre", word) for word in _OF_PLAYERS} == {"players"}
    assert {kind_of(ledger, "Nombre", word) for word in _OF_GAMES} == {"games"}


def test_two_headings_of_different_kinds_decide_nothing(ledger: Ledger) -> None:
    without_ids = (word for word in _OF_PLAYERS if not PLAYERS.recognise(["Nombre", word]))
    for pair in zip(without_ids, _OF_GAMES, strict=False):
        for headings in permutations((*pair, "Nombre")):
            refused = refusal(ledger, *headings)
            assert refused.message.key == "import.unknown_table"
            assert ", ".join(headings) in str(refused)


def test_what_cannot_be_told_is_refused_with_the_ways_on(ledger: Ledger) -> None:
    message = refusal(ledger, "Nº", "Nombre", "Elo", "Rd").message
    english, spanish = message.within("en"), message.within("es")
    for text in (english, spanish):
        assert "(Nº, Nombre, Elo, Rd)" in text
        assert "--kind players" in text
        assert "--kind games" in text
        assert "--template" in text


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_that_begins_as_a_list_of_fide_is_a_table(separator: str) -> None:
    text = "ID Number;Name;Fed\n7;Ana;CHI\n".replace(";", separator)
    assert import_text(empty_ledger(), text).counts == {"player.registered": 1}
