"""Tables as clubs of Chile, Mexico and Spain keep them: read, or refused by their headings."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace
from pathlib import Path

import pytest

from ledger.answers.directory import player_known
from ledger.errors import Conflict, InputRefused, LedgerError
from ledger.events.personal import identity_in
from ledger.intake.headings import PLAYERS
from ledger.intake.imports import Document, import_document
from ledger.intake.problems import MOST_PROBLEMS
from ledger.intake.table_forms import TableForms, days_in
from ledger.service.ledger import Ledger, Receipt
from ledger.terms import DayOrder
from tests.cli.running import run
from tests.growth import LARGER, MOST_GROWTH, growth
from tests.ledgers import GAMES_HEADER, define, empty_ledger, import_text, request
from tests.workbooks import workbook


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an empty ledger."""
    assert run("init", cwd=tmp_path).code == 0
    return tmp_path


def people(ledger: Ledger) -> dict[str, tuple[str, str | None, str | None]]:
    """Returns name, sex and birth date by id."""
    documents = ledger.journal.personal_documents()
    ids = {
        json.loads(event.payload)["identity"]: event.stream.partition(":")[2]
        for event in ledger.journal.events()
        if event.type == "player.registered"
    }
    read = {ids[digest]: identity_in(text) for digest, text in documents.items()}
    return {player: (each.name, each.sex, each.birth_date) for player, each in read.items()}


def taken(text: str, list_: str | None = None) -> tuple[Ledger, Receipt]:
    ledger = empty_ledger()
    define(ledger)
    return ledger, import_text(ledger, text, list_=list_)


def refusal_of(text: str) -> list[tuple[int, int, str]]:
    with pytest.raises(InputRefused) as refused:
        taken(text)
    return [(each.line, each.column, each.message.key) for each in refused.value.details]


def notes_of(receipt: Receipt, key: str) -> list[str]:
    return [str(note.message) for note in receipt.notes if note.message.key == key]


# Header and a row, and what is left out of it.
TABLES = {
    "Chile": (
        "Nº;RUT;ID FIDE;Apellidos y Nombres;Fed.;Sexo;F. Nac.;Club;Elo FIDE;Categoría",
        "1;12.345.678-5;3401234;Soto Pérez, Ana;CHI;F;23/07/1990;Torre;1850;Sub 20",
        "Nº, RUT, Categoría",
    ),
    "Mexico": (
        "No.;ID FIDE;Nombre completo;Estado;CURP;Género;Fecha de nacimiento (d/m/a);Elo;Título",
        "1;3401234;Soto Pérez, Ana;Nuevo León;SOPA900723;F;23/07/1990;1850;",
        "No., Estado, CURP, Título",
    ),
    "Spain": (
        "Cód. FEDA;Apellidos, Nombre;Federación autonómica;Sexo;Año;ELO FEDA;Club;Elo rápido",
        "3401234;Soto Pérez, Ana;Madrid;F;1990;1850;Torre;1700",
        "Federación autonómica, Elo rápido",
    ),
    "of several columns": (
        "Ranking;Código FIDE;Apellido Paterno;Apellido Materno;Nombres;Sexo;Fecha Nac.;Elo",
        "1;3401234;Soto;Pérez;Ana;F;1990-07-23;1850",
        "Ranking",
    ),
}


@pytest.mark.parametrize("table", TABLES)
def test_the_usual_tables_are_read_and_what_is_left_out_is_named_once(table: str) -> None:
    header, row, left_out = TABLES[table]
    ledger, receipt = taken(f"{header}\n{row}\n", "ENF")
    of_club = {"player.affiliated": 1} if "Club" in header else {}
    seeded = {"player.registered": 1, "player.rating-seeded": 1}
    assert receipt.counts == seeded | of_club
    assert '"rating":1850' in receipt.events[-1].event.canonical()
    name, sex, born = people(ledger)["3401234"]
    assert name == "Soto Pérez, Ana"
    assert (sex, born) == ("w", "1990" if table == "Spain" else "1990-07-23")
    (said,) = notes_of(receipt, "csv.left_out")
    assert said.endswith(f"not read: {left_out}")
    assert "12.345.678" not in str(ledger.journal.personal_documents())


def test_a_heading_that_nobody_knows_is_named_in_the_language_of_the_reader(folder: Path) -> None:
    (folder / "socios.csv").write_text(
        "Código;Nome;Nombre;Padrino;Elo\n7;x;Ana;Leo;1500\n", "utf-8"
    )
    spanish = run("import", "socios.csv", "--lang", "es", cwd=folder)
    assert spanish.code == 4
    assert "socios.csv:1:2: columna desconocida 'Nome'" in spanish.err
    assert "socios.csv:1:4: columna desconocida 'Padrino'" in spanish.err
    known = "se conocen código, nombre, federación, sexo, nacimiento, elo, factor k, partidas"
    assert known in spanish.err.replace("\n", " ")
    english = run("import", "socios.csv", "--lang", "en", cwd=folder)
    assert "known are id, name, federation, sex, birth_date, rating" in english.err
    again = run("import", "socios.csv", "--lang", "es", "--ignore-column", "Nome",
                "--ignore-column", "Padrino", cwd=folder)  # fmt: skip
    assert again.code == 0, again.err


@pytest.mark.parametrize("header", ["Apellidos;Padrino;Elo", "Apellidos\tPadrino\tElo"])
def test_a_table_without_names_is_refused_by_its_headings_at_once(header: str) -> None:
    found = refusal_of(f"{header}\nSoto;Leo;1500\n")
    assert found == [(1, 1, "csv.column_missing"), (1, 2, "csv.unknown_column")]


def test_of_a_spreadsheet_too(folder: Path) -> None:
    rows = [["Nombres y Apellidos", "Padrino"], ["Ana Soto", "Leo"]]
    (folder / "socios.xlsx").write_bytes(workbook(rows))
    done = run("import", "socios.xlsx", "--lang", "es", cwd=folder)
    assert done.code == 4
    assert "socios.xlsx!Hoja 1:1:2: columna desconocida 'Padrino'" in done.err
    ignored = run("import", "socios.xlsx", "--map", "Padrino=-", cwd=folder)
    assert ignored.code == 0, ignored.err


def test_a_heading_is_mapped_to_its_column_or_left_out(folder: Path) -> None:
    text = "Cód=Socio;Quién;Padrino;Elo;Fuerza\n7;Ana;Leo;1500;1600\n"
    (folder / "socios.csv").write_text(text, "utf-8")
    maps = ("cod = socio=código", "Quién=name", "Padrino=-", "fuerza=rating")
    words = [word for each in maps for word in ("--map", each)]
    done = run("import", "socios.csv", "--format", "json", "--lang", "en", *words, cwd=folder)
    assert done.code == 0, done.err
    (event,) = json.loads(done.out)["events"]
    assert event["payload"]["player"] == "7"
    assert "column is not read: Elo" in done.out
    again = run("import", "socios.csv", *words, cwd=folder)
    assert "nothing was added" in again.out


@pytest.mark.parametrize(
    ("maps", "says"),
    [
        (("Padrino",), "'Padrino' says of no heading what stands under it"),
        (("=id",), "'=id' says of no heading"),
        (("Padrino=",), "'Padrino=' says of no heading"),
        (("Padrino=patron",), "there is no column 'patron' to be headed 'Padrino'"),
        (("Padrino=id", "Nombre=id"), "two are given: 'Padrino' and 'Nombre'"),
        (("Otra=id",), "the header has no 'Otra' for the column 'id'"),
        (("Otra=-",), "no column 'Otra' to ignore; its headings are id, Nombre, Padrino"),
    ],
)
def test_what_cannot_be_mapped_is_refused_with_what_to_write(
    folder: Path, maps: tuple[str, ...], says: str
) -> None:
    (folder / "socios.csv").write_text("id;Nombre;Padrino\n7;Ana;Leo\n", "utf-8")
    words = [word for each in maps for word in ("--map", each)]
    done = run("import", "socios.csv", "--lang", "en", *words, cwd=folder)
    assert (done.code, says in done.err) == (4, True), done.err


class TestTablesWithoutIds:
    TABLE = "\ufeffN°;Apellidos y Nombres;F. Nac.\n1;Soto Pérez, Ana;23/07/1990\n2;Rojas, Luis;\n"

    def test_who_is_new_gets_an_id_by_the_rule_of_the_federation(self, folder: Path) -> None:
        (folder / "rating-ledger.toml").write_text('new_ids = "CHI####"\n', "utf-8")
        (folder / "p.csv").write_text(self.TABLE, "utf-8")
        done = run("import", "p.csv", "--lang", "en", cwd=folder)
        assert done.code == 0, done.err
        assert "2 new people get ids by the federation's rule, CHI0001 to CHI0002" in done.err
        assert "If the column N° holds their ids, say it: --map HEADING=id" in done.err
        listed = json.loads(run("player", "list", "--format", "json", cwd=folder).out)
        names = {row["id"]: row["name"] for row in listed["players"]}
        assert names == {"CHI0001": "Soto Pérez, Ana", "CHI0002": "Rojas, Luis"}

    def test_without_a_rule_by_the_usual_one(self) -> None:
        ledger, receipt = taken("Nombre;Elo\nAna;1500\n")
        assert [*people(ledger)] == ["N00001"]
        (note,) = notes_of(receipt, "import.ids_by_rule")
        assert "1 new person gets an id" in note

    def test_the_next_table_of_the_sender_knows_them_by_their_names(self) -> None:
        ledger, _ = taken(self.TABLE)
        receipt = import_text(ledger, self.TABLE + "3;Díaz, Eva;1999-01-01\n")
        assert receipt.counts == {"player.registered": 1}
        assert people(ledger)["N00003"][0] == "Díaz, Eva"

    def test_of_another_sender_each_is_to_be_decided(self, folder: Path) -> None:
        (folder / "p.csv").write_text(self.TABLE, "utf-8")
        assert run("import", "p.csv", cwd=folder).code == 0
        (folder / "q.csv").write_text(self.TABLE + "3;Díaz, Eva;1999\n", "utf-8")
        words = ("import", "q.csv", "--lang", "en", "--actor", "leo")
        refused = run(*words, cwd=folder)
        assert refused.code == 5
        assert "Say it of each: --as 2=N00001 for a member, --new 2" in refused.err
        done = run(*words, "--as", "2=N00001", "--new", "3", cwd=folder)
        assert done.code == 0, done.err
        listed = json.loads(run("player", "list", "--format", "json", cwd=folder).out)
        assert [row["id"] for row in listed["players"]].count("N00004") == 1

    def test_an_id_of_a_player_is_no_line_of_a_table(self) -> None:
        """Whoever has the id 2 is not in line 2."""
        ledger, _ = taken("id;Nombre\n2;Leo\n")
        import_text(ledger, "Nombre\tElo\nAna\t\n")
        assert {player: name for player, (name, *_) in people(ledger).items()} == {
            "2": "Leo", "N00001": "Ana"
        }  # fmt: skip


def test_a_column_to_ignore_that_there_is_not_is_named(folder: Path) -> None:
    (folder / "p.csv").write_text("id,name,Padrino\n7,Ana,Leo\n", "utf-8")
    refused = run("import", "p.csv", "--ignore-column", "Padrin0", cwd=folder)
    assert refused.code == 4
    assert "no column 'Padrin0' to ignore; its headings are id, name, Padrino" in refused.err


def test_of_two_ratings_the_user_says_which_is_read(folder: Path) -> None:
    (folder / "p.csv").write_text("id;Nombre;Elo;Elo FIDE\n7;Ana;1500;1600\n", "utf-8")
    done = run("import", "p.csv", "--lang", "es", cwd=folder)
    assert done.code == 4
    assert "dos veces la columna 'elo': 'Elo' y 'Elo FIDE'" in done.err
    for column in ("elo=Elo FIDE", "rating=Elo FIDE"):
        words = ("import", "p.csv", "--lang", "en", "--dry-run", "--columns", column)
        told = run(*words, cwd=folder)
        assert told.code == 0, told.err
        assert "column is not read: Elo\n" in told.err.replace("1 ", "")


class TestWhoStandsTwice:
    TABLE = (
        "Nombre;F. Nac.;Club;Sexo\nSoto, Ana;1990-07-23;Torre;F\nRojas, Luis;1985;;H\n"
        "Ana Soto;1990;Alfil;F\nLuis Rojas;1986;;H\nROJAS, Luis;;Peón;H\nROJAS, Luis;;;F\n"
    )

    @pytest.fixture
    def folder(self, folder: Path) -> Path:
        (folder / "p.csv").write_text(self.TABLE, "utf-8")
        return folder

    def test_both_lines_are_shown_side_by_side_and_nothing_is_recorded(self, folder: Path) -> None:
        refused = run("import", "p.csv", "--lang", "en", cwd=folder)
        assert refused.code == 5
        assert "2 people seem to stand twice in p.csv; nothing was recorded" in refused.err
        assert (
            "p.csv:4: this seems to be who stands in line 2: "
            "there Soto, Ana, 1990-07-23, w, Torre; here Ana Soto, 1990, w, Alfil"
        ) in refused.err
        assert "p.csv:6: this seems to be who stands in line 3" in refused.err

    def test_each_line_is_left_out_or_somebody_else(self, folder: Path) -> None:
        words = ("import", "p.csv", "--lang", "en", "--same", "4", "--apart", "6")
        done = run(*words, cwd=folder)
        assert done.code == 0, done.err
        assert "1 line is left out, of people who stand in a line before: 4" in done.err
        listed = json.loads(run("player", "list", "--format", "json", cwd=folder).out)
        assert len(listed["players"]) == 5
        assert "nothing was added" in run(*words, cwd=folder).out

    def test_or_all_of_them(self, folder: Path) -> None:
        assert run("import", "p.csv", "--same", "all", cwd=folder).code == 0
        listed = json.loads(run("player", "list", "--format", "json", cwd=folder).out)
        assert len(listed["players"]) == 4

    def test_two_of_one_name_stay_two_in_the_next_table_of_the_sender(self, folder: Path) -> None:
        words = ("import", "p.csv", "--apart", "all")
        assert run(*words, cwd=folder).code == 0
        (folder / "p.csv").write_text(self.TABLE + "Díaz, Eva;;;F\n", "utf-8")
        done = run(*words, cwd=folder)
        assert done.code == 0, done.err
        listed = json.loads(run("player", "list", "--format", "json", cwd=folder).out)
        assert len(listed["players"]) == 7

    def test_a_line_in_which_nobody_stands_twice_cannot_be_decided(self, folder: Path) -> None:
        refused = run("import", "p.csv", "--lang", "en", "--same", "5", cwd=folder)
        assert refused.code == 4
        assert "in line 5 of p.csv nobody stands for the second time" in refused.err
        assert "these lines are to be decided: 4, 6" in refused.err

    def test_in_a_table_with_ids_by_the_id_or_by_name_and_birth_date(self) -> None:
        rows = "1;Soto, Ana;1990-07-23\n2;Soto, Ana;1990-07-23\n1;Soto, A.;\n3;Soto, Ana;1990\n"
        with pytest.raises(Conflict) as refused:
            taken(f"id;Nombre;F. Nac.\n{rows}")
        assert [each.line for each in refused.value.details] == [3, 4]

    def test_members_of_one_name_and_birth_date_are_two(self) -> None:
        ledger, _ = taken("id;Nombre;F. Nac.\n1;Soto, Ana;1990-07-23\n")
        second = "id;Nombre;F. Nac.\n2;Soto, Ana;1990-07-23\n"
        document = Document(name="q.csv", data=second.encode(), decisions=(("2", ""),))
        import_document(ledger, document, request())
        both = "id;Nombre;F. Nac.;Club\n1;Soto, Ana;1990-07-23;Torre\n2;Soto, Ana;1990-07-23;\n"
        assert import_text(ledger, both).counts == {"player.affiliated": 1}

    def test_a_table_of_one_person_over_and_over_is_not_read_to_its_end(self) -> None:
        with pytest.raises(InputRefused) as refused:
            taken("Nombre;Elo\n" + "Soto, Ana;\n" * (MOST_PROBLEMS + 9))
        assert refused.value.message.key == "import.many_twice"


def test_a_header_of_many_unknown_headings_is_read_no_further_than_a_thousand() -> None:
    def look(count: int) -> None:
        header = ["id", "name", "rank", *(f"x{n}" for n in range(count))]
        PLAYERS.left_out(header)
        PLAYERS.familiar(header)
        with pytest.raises(InputRefused) as refused:
            PLAYERS.columns(header, 1)
        assert len(refused.value.details) == MOST_PROBLEMS

    assert growth(look, 4_000, LARGER * 4_000) < MOST_GROWTH


class TestSexes:
    @pytest.mark.parametrize(
        ("written", "read"),
        [
            ("H M", "m w"),
            ("h m M", "m w w"),
            ("M F", "m w"),
            ("m w", "m w"),
            ("H F", "m w"),
            ("Varón Mujer H M", "m w m w"),
            ("Masculino M", "m m"),
            ("Hombre Mujer M", "m w w"),
            ("Masculino Femenino M", "m w m"),
        ],
    )
    def test_a_letter_means_what_the_whole_file_shows(self, written: str, read: str) -> None:
        rows = "".join(f"{n};P{n};{sex}\n" for n, sex in enumerate(written.split()))
        ledger, _ = taken(f"id;Nombre;Sexo\n{rows}")
        found = people(ledger)
        assert [found[str(n)][1] for n in range(len(found))] == read.split()

    @pytest.mark.parametrize(
        ("heading", "read"),
        [
            ("sex", "m"),
            ("Gender", "m"),
            ("Sexo (M/F)", "m"),
            ("Sexo (H/M)", "w"),
            ("Sex (h, m)", "w"),
        ],
    )
    def test_the_letter_alone_means_what_the_heading_shows(self, heading: str, read: str) -> None:
        ledger, _ = taken(f"id;Nombre;{heading}\n1;A;M\n2;B;\n")
        assert [people(ledger)[player][1] for player in "12"] == [read, None]

    @pytest.mark.parametrize("heading", ["Sexo", "Género", "sx"])
    @pytest.mark.parametrize("others", ["", "2;B;Mujer\n", "2;B;Varón\n"])
    def test_the_letter_alone_is_refused_where_nothing_decides(
        self, heading: str, others: str
    ) -> None:
        text = f"id;Nombre;{heading}\n1;A;M\n{others}"
        assert refusal_of(text) == [(2, 3, "csv.sex_undecided")]
        with pytest.raises(InputRefused) as refused:
            taken(text)
        assert "write H for men and F for women, or head the column 'sex'" in str(refused.value)

    def test_a_file_of_both_languages_is_refused_with_what_to_do(self) -> None:
        text = "id;Nombre;Sexo\n1;A;H\n2;B;M\n3;C;F\n"
        assert refusal_of(text) == [(3, 3, "csv.sex_open")]
        with pytest.raises(InputRefused) as refused:
            taken(text)
        assert "write m and w throughout, or H and M" in str(refused.value)


class TestDates:
    def test_one_date_decides_for_all_others(self) -> None:
        text = "id;Nombre;F. Nac.\n1;A;03/04/1990\n2;B;23.07.1991\n3;C;5-6-1992\n4;D;1993\n"
        ledger, _ = taken(text)
        born = [people(ledger)[str(n)][2] for n in range(1, 5)]
        assert born == ["1990-04-03", "1991-07-23", "1992-06-05", "1993"]

    def test_month_first_where_the_file_shows_it(self) -> None:
        ledger, _ = taken("id,name,born\n1,A,03/04/1990\n2,B,07/23/1991\n")
        assert people(ledger)["1"][2] == "1990-03-04"

    @pytest.mark.parametrize("more", ["", "2;B;23/07/1991\n3;C;07/23/1991\n"])
    def test_where_nothing_decides_it_is_refused_with_what_to_do(self, more: str) -> None:
        text = f"id;Nombre;F. Nac.\n1;A;03/04/1990\n{more}4;D;05/05/1992\n"
        assert refusal_of(text) == [(2, 3, "csv.ambiguous_date")]
        with pytest.raises(InputRefused) as refused:
            taken(text)
        assert "can be any of 1990-04-03 / 1990-03-04" in str(refused.value)
        assert "write it as 2010-07-23" in str(refused.value)

    @pytest.mark.parametrize(
        ("order", "born"),
        [(DayOrder.DAY_FIRST, "1990-04-03"), (DayOrder.MONTH_FIRST, "1990-03-04")],
    )
    def test_where_nothing_decides_it_can_be_said_and_is_noted_once(
        self, order: DayOrder, born: str
    ) -> None:
        text = "id;Nombre;F. Nac.\n1;A;03/04/1990\n2;B;05/05/1992\n3;C;01/02/1993\n"
        ledger = empty_ledger()
        document = Document(name="t.csv", data=text.encode(), dates=order)
        receipt = import_document(ledger, document, request())
        assert people(ledger)["1"][2] == born
        (note,) = receipt.notes
        assert (note.message.key, note.line) == ("csv.order_taken", 2)
        assert "2 dates can be read in two ways" in note.message.within("en")

    def test_an_order_that_was_said_holds_for_every_date(self) -> None:
        text = "id;Nombre;F. Nac.\n1;A;03/04/1990\n2;B;23/04/1992\n"
        document = Document(name="t.csv", data=text.encode(), dates=DayOrder.MONTH_FIRST)
        with pytest.raises(InputRefused) as refused:
            import_document(empty_ledger(), document, request())
        assert [each.message.key for each in refused.value.details] == ["csv.other_order"]
        assert "no date with the month first" in str(refused.value)
        document = replace(document, dates=DayOrder.DAY_FIRST)
        assert import_document(empty_ledger(), document, request()).notes == ()

    def test_two_orders_of_sure_days_are_read_and_noted(self) -> None:
        rows = ["13/02/2010", "02/14/2010", "05/05/1990", "02/15/2010", "1990-03-04", "1991"]
        born = "".join(f"{n};P{n};{date}\n" for n, date in enumerate(rows, start=1))
        ledger, receipt = taken(f"id;Nombre;F. Nac.\n{born}")
        assert people(ledger)["2"][2] == "2010-02-14"
        (note,) = [note for note in receipt.notes if note.message.key == "csv.two_orders"]
        assert note.line == 2
        assert str(note.message) == (
            "dates stand in two orders: 1 has the day first, as '13/02/2010' (line 2), and 2 have"
            " the month first, as '02/14/2010' (line 3). Each can be one day only, and is read as"
            " that"
        )

    def test_of_games_too(self) -> None:
        ledger = empty_ledger()
        import_text(ledger, "id,name\nA,Ana\nB,Beto\n")
        game = "T;Copa;13/07/2010;07/14/2010;swiss;rapid;;1;;A;B;1-0\n"
        receipt = import_text(ledger, GAMES_HEADER.replace(",", ";") + game)
        (note,) = notes_of(receipt, "csv.two_orders")
        assert "1 has the day first, as '13/07/2010' (line 2), and 1 has the month" in note

    def test_one_order_is_no_note(self) -> None:
        _, receipt = taken("id;Nombre;F. Nac.\n1;A;13/02/2010\n2;B;03/02/2010\n3;C;4.4.1990\n")
        assert receipt.notes == ()

    @pytest.mark.parametrize("date", ["31/02/1990", "1/1/90", "23/13/1990", "1/2-1990", "٣/7/1990"])
    def test_what_is_no_date_is_refused(self, date: str) -> None:
        assert refusal_of(f"id;Nombre;F. Nac.\n1;A;{date}\n") == [(2, 3, "csv.no_date")]

    @pytest.mark.parametrize("fault", ["", "T;;;;;;;2;03/07/2010;A;B;2-0\n"])
    def test_of_games_plain_or_looked_at_closely(self, fault: str) -> None:
        """The decision of the whole file holds for a tournament and for its games."""
        ledger = empty_ledger()
        import_text(ledger, "id,name\nA,Ana\nB,Beto\n")
        header = GAMES_HEADER.replace(",", ";")
        rows = "T;Copa;03/07/2010;04/07/2010;swiss;rapid;;1;03/07/2010;A;B;1-0\n"
        other = "U;Otra;13/07/2010;13/07/2010;swiss;rapid;;1;;A;B;1-0\n"
        if fault:
            with pytest.raises(InputRefused) as refused:
                import_text(ledger, header + rows + fault + other)
            assert [each.message.key for each in refused.value.details] == ["csv.no_result"]
            return
        receipt = import_text(ledger, header + rows + other)
        opened = [d for d in receipt.events if d.event.TYPE == "tournament.opened"]
        assert '"starts_on":"2010-07-03"' in opened[0].event.canonical()
        games = [d for d in receipt.events if d.event.TYPE == "result.recorded"]
        assert games[0].effective_on == dt.date(2010, 7, 3)
        assert refusal_of(header + rows) == [(2, 9, "csv.ambiguous_date")]  # once for all


def test_forms_that_saw_nothing_read_only_what_is_sure() -> None:
    forms = TableForms()
    assert forms.day("05/05/1990") == dt.date(1990, 5, 5)
    assert forms.day("23/07/1990") == dt.date(1990, 7, 23)
    assert forms.day("03/07/1990") is None
    assert len(days_in("03/07/1990")) == 2
    assert (forms.sex("M"), forms.sex("H"), forms.sex("x")) == (None, "m", None)


CALLED = """id,name
N1,"Núñez Soto, Ana"
N5,"Soto Núñez, Ana"
N2,"Pérez, Juan"
N3,"Lobos, Eva"
N4,"Lobos, Eva"
"""
GAMES = "Ronda;Blancas;Negras;Resultado;Torneo;Nombre;Inicio;Fin;Sistema;Ritmo\n"
CUP = "Copa;Copa de Invierno;2010-07-03;2010-07-03;swiss;rapid\n"


def seats(receipt: Receipt) -> list[tuple[str, str]]:
    """Returns White and Black of the games that were recorded."""
    games = (each.event for each in receipt.events if each.event.TYPE == "result.recorded")
    read = [json.loads(each.canonical()) for each in games]
    return [(each["white"], each["black"]) for each in read]


def test_games_name_players_of_whom_there_is_one() -> None:
    ledger = empty_ledger()
    import_text(ledger, CALLED, decisions=(("all", ""),))
    first = f"1;Nunez Soto, Ana;Juan Pérez;1-0;{CUP}2;Pérez, Juan ;N3;0-1;{CUP}"
    receipt = import_text(ledger, GAMES + first)
    assert [str(each.message) for each in receipt.notes] == [
        "2 players are given by name, not by id; the register has one of each name"
    ]
    assert seats(receipt) == [("N1", "N2"), ("N2", "N3")]
    assert "Juan" not in "".join(each.payload for each in ledger.journal.events())
    later = import_text(ledger, GAMES + first + f"3;N3;Núñez Soto Ana;1-0;{CUP}")
    assert seats(later) == [("N3", "N1")], "what is recorded already is looked at closely"
    with_new = f"4;Juan Pérez;Lagos, Nina;1-0;{CUP}"
    receipt = import_text(ledger, GAMES + first + with_new, decisions=(("all", ""),))
    (known,) = (each.message for each in receipt.notes if each.message.key == "import.by_name")
    assert dict(known.values) == {"count": 2}, "who is new is not in the register"


def test_one_federation_may_be_said_of_a_whole_table() -> None:
    ledger = empty_ledger()
    document = Document(name="t.csv", data=b"id,name\n1,A\n2,B\n", federations=("chi",))
    import_document(ledger, document, request())
    assert [player_known(ledger, id_).federation for id_ in "12"] == ["CHI", "CHI"]


def test_games_name_nobody() -> None:
    ledger = empty_ledger()
    import_text(ledger, CALLED, decisions=(("all", ""),))
    with pytest.raises(Conflict) as refused:
        import_text(ledger, GAMES + f"1;Nadie, Nunca;N1;1-0;{CUP}")
    assert refused.value.message.key == "import.doubtful_names"
    (nobody,) = refused.value.details
    assert (nobody.message.key, nobody.line) == ("import.doubtful_nobody", 2)
    assert '--new "Nadie, Nunca"' in refused.value.message.within("en")


NEWCOMERS = (
    f"1;Zapata, Rosa;N1;1-0;{CUP}1;Arce, Luz;Peres, Juan;1-0;{CUP}"
    f"2;rosa ZAPATA;Arce, Luz;1-0;{CUP}2;Peres, Juan;N1;1-0;{CUP}"
)


@pytest.mark.parametrize("is_recorded", [False, True])
def test_who_plays_under_an_unknown_name_can_be_a_new_person(*, is_recorded: bool) -> None:
    """In a tournament that is new, and in one that is recorded and looked at closely."""
    ledger = empty_ledger()
    import_text(ledger, CALLED, decisions=(("all", ""),))
    if is_recorded:
        import_text(ledger, GAMES + f"3;N3;N4;1-0;{CUP}")
    decided = (("Zapata, Rosa", ""), ("Arce, Luz", ""), ("Peres, Juan", "N2"))
    receipt = import_text(ledger, GAMES + NEWCOMERS, decisions=decided)
    new = {each.name: each.id for each in receipt.people.new} if receipt.people else {}
    assert sorted(new) == ["Arce, Luz", "Zapata, Rosa"]
    luz, rosa = new["Arce, Luz"], new["Zapata, Rosa"]
    assert player_known(ledger, rosa).name == "Zapata, Rosa"
    assert seats(receipt) == [(rosa, "N1"), (luz, "N2"), (rosa, luz), ("N2", "N1")]
    assert "Zapata" not in "".join(each.payload for each in ledger.journal.events())
    again = import_text(ledger, GAMES + NEWCOMERS, decisions=(*decided, ("all", "")))
    assert again.events == (), "whom the sender said to be new is known by now"


def test_all_who_are_doubtful_in_games_can_be_new() -> None:
    ledger = empty_ledger()
    import_text(ledger, CALLED, decisions=(("all", ""),))
    receipt = import_text(ledger, GAMES + NEWCOMERS, decisions=(("all", ""),))
    assert receipt.people is not None
    assert len(receipt.people.new) == 3, "also who is called nearly as a member is"


DOUBTFUL = (
    f"1;Lobos, Eva;N1;1-0;{CUP}1;Peres, Juan;N5;1-0;{CUP}"
    f"2;N5;Lobos, Eva;1-0;{CUP}2;N1;Peres, Juan;1-0;{CUP}"
)


def test_all_doubtful_names_of_games_are_asked_about_at_once() -> None:
    ledger = empty_ledger()
    import_text(ledger, CALLED, decisions=(("all", ""),))
    with pytest.raises(Conflict) as refused:
        import_text(ledger, GAMES + DOUBTFUL)
    assert refused.value.message.key == "import.doubtful_names"
    lobos, peres = refused.value.details
    assert (lobos.message.key, lobos.line) == ("import.doubtful_several", 2)
    assert "Lobos, Eva (lines 2, 4)" in lobos.message.within("en")
    assert "N3 " in lobos.message.within("en")
    assert "N4 " in lobos.message.within("en")
    assert (peres.message.key, peres.line) == ("import.doubtful_near", 3)
    assert "N2 Pérez, Juan" in peres.message.within("en")
    preview = import_document(
        ledger,
        Document(name="g.csv", data=(GAMES + DOUBTFUL).encode()),
        request(dry_run=True),
    )
    assert preview.people is not None
    assert [each.who for each in preview.people.doubtful] == ["Lobos, Eva", "Peres, Juan"]
    assert preview.events == ()


def test_doubtful_names_of_games_are_decided_by_the_name() -> None:
    ledger = empty_ledger()
    import_text(ledger, CALLED, decisions=(("all", ""),))
    decided = (("LOBOS, eva", "N4"), ("Peres, Juan", "N2"))
    receipt = import_text(ledger, GAMES + DOUBTFUL, decisions=decided)
    assert seats(receipt) == [("N4", "N1"), ("N2", "N5"), ("N5", "N4"), ("N1", "N2")]
    for decision, key in (
        (("Lobos, Eva", "N9"), "import.no_member"),
        (("Nadie, Nunca", "N1"), "import.decision_of_nobody"),
        (("", "N1"), "import.decision_of_whom"),
    ):
        with pytest.raises(LedgerError) as refused:
            import_text(ledger, GAMES + DOUBTFUL, decisions=(decision,))
        assert refused.value.message.key == key
