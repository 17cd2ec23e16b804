"""Tables that are handed in: their columns, sheets and doubles are decided on the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.answers.directory import player_known
from tests.ledgers import (
    PLAYERS_HEADER,
    define,
    empty_ledger,
    import_text,
    publish_period,
    with_officers,
)
from tests.web.browser import chromium, context_of, overhang, unfold, violations
from tests.web.submitting import ORIGIN, Staffed, staffed
from tests.web.support import text_of
from tests.workbooks import workbook
from web.jobs.kinds import KINDS, Assignment
from web.office.jobs import claim, finish
from web.settings import WebSettings

TABLE = (
    "\ufeffN°;Apellidos y Nombres;Padrino;Puntaje;F. Nac.;Club\n"
    "1;Rojas, Luis;Leo;1850;03/04/1990;Torre\n2;Luis Rojas;;1700;1990;Alfil\n"
    "3;Díaz, Eva;;1500;23/07/1991;\n"
)
_CHOSEN = re.compile(
    r'<select name="(column:[^"]+)"(?:(?!</select>).)*?<option value="([^"]*)" selected', re.DOTALL
)
_LINES = re.compile(r'name="(line:\d+)" value="([^"]+)"')


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Staffed]:
    made = empty_ledger()
    define(made)
    import_text(made, PLAYERS_HEADER + "A,Ana,,,,,,\n")
    with staffed(with_officers(made, "ana", "luis"), tmp_path) as opened:
        yield opened


def columns(site: Staffed, id_: str) -> dict[str, str]:
    """Returns what the page takes each heading for."""
    page = site.eva.get(f"/submissions/{id_}").text
    return {name.removeprefix("column:"): column for name, column in _CHOSEN.findall(page)}


def looked_at(site: Staffed) -> None:
    """Lets a job make the preview of a workbook."""
    job = claim(site.office, "runner")
    assert job is not None
    settings = WebSettings(ledger="", origin=ORIGIN, cache=site.folder)
    given = Assignment(site.ledger, site.office, settings, job.parameters, job.account)
    assert finish(site.office, job, "runner", KINDS[job.kind].do(given))


PROPOSED = {
    "N°": "-", "Apellidos y Nombres": "name", "F. Nac.": "birth_date", "Club": "club",
}  # fmt: skip
CHOSEN = {"Padrino": "-", "Puntaje": "rating"}


def choose(site: Staffed, id_: str, **more: str) -> str:
    """Says what stands under the headings that nobody knows."""
    chosen = {f"column:{heading}": column for heading, column in (PROPOSED | CHOSEN).items()}
    page = site.eva.step(id_, "columns", **chosen, **more)
    assert page.status_code == 200, page.text
    return page.text


def test_the_order_of_dates_can_be_said_where_the_columns_are_chosen(site: Staffed) -> None:
    id_ = site.eva.drafted("id,Nombre,F. Nac.\n1,A,03/04/1990\n")
    page = text_of(site.eva.get(f"/submissions/{id_}").text)
    assert "say the order where the columns are chosen" in page
    assert "Dates such as 03/07/2010" in page
    said = {"column:id": "id", "column:Nombre": "name", "column:F. Nac.": "birth_date"}
    page = site.eva.step(id_, "columns", **said, dates="day-first").text
    assert "read as was said, the day first" in text_of(page)
    assert site.eva.step(id_, "columns", **said, dates="year-first").status_code == 422
    assert site.eva.step(id_, "hand-in").status_code == 200
    site.ana.step(id_, "accept")
    assert player_known(site.ledger, "1").birth_date == "1990-04-03"


def test_a_table_of_games_alone_is_put_right_beside_the_file(site: Staffed) -> None:
    import_text(site.ledger, PLAYERS_HEADER + "B,Eva,,,,,,\n")
    id_ = site.eva.drafted("Ronda;Blancas;Negras;Resultado\n1;A;B;1-0\n", reason="a match")
    page = site.eva.get(f"/submissions/{id_}").text
    assert "say the tournament's id here" in text_of(page).replace("’", "'")
    assert page.index('name="tournament"') < page.index("What the file does not say")
    words = {"reason": "a match", "tournament": "cup", "name": "Cup", "system": "match",
             "starts_on": "2010-07-10", "ends_on": "2010-07-10"}  # fmt: skip
    page = text_of(site.eva.step(id_, "mend", **words).text)
    assert "The tournament cup is new, and the file does not say: rate of play" in page
    page = text_of(site.eva.step(id_, "mend", **words, rate_of_play="rapid").text)
    assert "Record Cup: 1 game" in page


def test_next_years_table_is_asked_since_when_its_ratings_hold(site: Staffed) -> None:
    publish_period(site.ledger, "2010-07")
    id_ = site.eva.drafted("id,Nombre,Elo\n8,Nuevo,1500\n", list="ENF", reason="next year")
    page = site.eva.get(f"/submissions/{id_}").text
    assert "give 2010-08-01 or later" in text_of(page)
    assert page.index('name="on"') < page.index("What the file does not say")
    mended = site.eva.step(id_, "mend", reason="next year", list="ENF", on="2010-08-01")
    assert site.eva.offers(mended, "hand-in")


def test_columns_are_proposed_chosen_and_remembered(site: Staffed) -> None:
    id_ = site.eva.drafted(TABLE, list="ENF")
    assert columns(site, id_) == PROPOSED
    assert "2 headings are not known" in site.eva.get(f"/submissions/{id_}").text
    assert "unknown column" in site.eva.get(f"/submissions/{id_}").text.lower()
    choose(site, id_)
    assert columns(site, id_) == PROPOSED | CHOSEN
    next_ = site.eva.drafted(TABLE + "4;Mora, Pía;x;1400;;\n", list="ENF")
    assert columns(site, next_) == PROPOSED | CHOSEN
    of_another = site.ivan.drafted(TABLE, list="ENF")
    assert "2 headings are not known" in site.ivan.get(f"/submissions/{of_another}").text
    other_header = site.eva.drafted(TABLE.replace("Padrino", "Madrina"))
    assert columns(site, other_header) == PROPOSED


def test_who_stands_twice_is_decided_on_the_page_and_recorded(site: Staffed) -> None:
    id_ = site.eva.drafted(TABLE, list="ENF")
    page = choose(site, id_)
    assert _LINES.findall(page) == [("line:3", "same"), ("line:3", "apart")]
    assert not site.eva.offers(site.eva.get(f"/submissions/{id_}"), "hand-in")
    site.eva.step(id_, "people", **{"line:3": "same"})
    assert site.eva.step(id_, "hand-in").status_code == 200
    page = site.ana.get(f"/submissions/{id_}").text
    assert "Apellidos y Nombres" in page  # who decides sees what was read as what
    site.ana.step(id_, "accept")
    listed = site.ana.get("/players?q=Rojas").text
    assert "N00001" in listed
    assert "Luis Rojas" not in listed


def test_the_page_keeps_nobody_out_and_fits_a_phone(site: Staffed) -> None:
    id_ = site.eva.drafted(TABLE, list="ENF")
    pages = [site.eva.get(f"/submissions/{id_}").text, choose(site, id_)]
    style = site.eva.get(re.findall(r'href="([^"]+/style\.css)"', pages[0])[0]).text
    linked = re.compile(r'<link rel="stylesheet"[^>]*>')
    with chromium() as browser, context_of(browser).new_page() as page:
        for text in pages:
            page.set_content(linked.sub(lambda _: f"<style>{style}</style>", text))
            unfold(page)
            assert violations(page) == []
            assert overhang(page) == 0


def test_the_same_id_twice_can_be_left_out(site: Staffed) -> None:
    id_ = site.eva.drafted("id,name\n7,Pía\n7,Pía Mora\n")
    page = site.eva.get(f"/submissions/{id_}").text
    assert _LINES.findall(page) == [("line:3", "same")]
    decided = site.eva.step(id_, "people", **{"line:3": "same"})
    assert site.eva.offers(decided, "hand-in")


def test_another_sheet_of_a_workbook_is_chosen(site: Staffed) -> None:
    book = workbook([["Nombre", "Elo"], ["Pía", 1500]], sheet="socios", first="Acta")
    id_ = site.eva.drafted(book)
    looked_at(site)
    page = site.eva.get(f"/submissions/{id_}")
    assert '<option value="Acta" selected>' in page.text
    site.eva.step(id_, "columns", sheet="socios")
    looked_at(site)
    assert columns(site, id_) == {"Nombre": "name", "Elo": "rating"}
    assert site.eva.offers(site.eva.get(f"/submissions/{id_}"), "hand-in")


def test_a_file_in_another_encoding_is_read_as_it_is_said(site: Staffed) -> None:
    text = "id;Nombre\n7;Ñandú\n".encode("utf-16-le")
    assert site.eva.upload(text).status_code == 422
    id_ = site.eva.drafted(text, encoding="utf-16-le")
    assert site.eva.offers(site.eva.get(f"/submissions/{id_}"), "hand-in")


def test_what_is_said_of_a_file_is_taken(site: Staffed) -> None:
    id_ = site.eva.drafted("id;Nombre;Elo\n7;Pía;1500\n", list="ENF", rated_games="30",
                           on="2010-07-01", document_kind="players")  # fmt: skip
    site.eva.step(id_, "hand-in")
    site.ana.step(id_, "accept")
    event = [*site.ledger.journal.events()][-1]
    assert '"games":30' in event.payload
    refused = site.eva.upload("id;Nombre\n7;Pía\n", rated_games="many")
    assert refused.status_code == 422


def test_programs_map_headings_and_decide_lines(site: Staffed) -> None:
    path = "/api/v1/submissions/files?file=p.csv&list=ENF&map=Padrino%3D-&map=Puntaje%3Drating"
    headers = {
        "x-account": "eva", "content-type": "application/octet-stream", "Idempotency-Key": "k"
    }  # fmt: skip
    data = TABLE.encode()
    refused = site.client.post(path, content=data, headers=headers)
    assert refused.json()["type"].endswith("/import.twice"), refused.text
    answer = site.client.post(f"{path}&same=3", content=data, headers=headers)
    assert answer.json()["state"] == "handed-in", answer.text
    wrong = site.client.post(f"{path}&map=Padrino", content=data, headers=headers)
    assert wrong.json()["type"].endswith("/import.no_mapping")
