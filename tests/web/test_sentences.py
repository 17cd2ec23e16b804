"""What the site tells somebody to do can be done on the site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import web
from ledger.calendar import Calendar
from ledger.wording import LANGUAGES, Message, places_of, sentences
from tests.ledgers import GAMES_HEADER, with_july_published, with_officers
from tests.web.submitting import Staffed, staffed
from tests.web.support import text_of
from web.language import for_site

OPTION = re.compile(r"(?<![\w-])--[a-z]")
COMMAND = re.compile(
    r"['(](?:(?:account|annul|correct|export|list|player|record|regulation|tournament) [a-z]+"
    r"|backup')|\baccount (?:create|grant|list|reset|revoke)\b"
)
MET_ON_THE_SITE = ("account", "balance", "breach", "browse", "desk", "erasure", "import", "ladder",
                   "list", "pairing", "player", "proof", "registrar", "regulation", "standings",
                   "team", "tournament", "trf", "two", "value", "workbook")  # fmt: skip
OF_THE_COMMAND_LINE = {
    "import.only_of_fide_list", "ladder.disagrees", "ladder.game_missing_now", "proof.needs_key",
    "proof.needs_signer", "proof.one_page", "two.nameless", "two.no_account", "two.plus",
}  # fmt: skip
FOR_WHO_RUNS_THE_SITE = {"proof.no_page"}
UNSAID = GAMES_HEADER + "T9,,,,,,,1,,A,B,1-0\n"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Staffed]:
    with staffed(with_officers(with_july_published(), "ana", "luis"), tmp_path) as opened:
        yield opened


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("section", MET_ON_THE_SITE)
def test_no_sentence_of_the_site_names_an_option_or_a_command_to_type(
    section: str, language: str
) -> None:
    keys = {key for key in sentences("en") if key.startswith(f"{section}.")}
    keys -= OF_THE_COMMAND_LINE | FOR_WHO_RUNS_THE_SITE
    said = {key: sentences(language)[for_site(Message.of(key)).key] for key in keys}
    for typed in (OPTION, COMMAND):
        assert {key: text for key, text in said.items() if typed.search(text)} == {}


def test_a_sentence_of_the_site_stands_beside_one_of_the_command_line_and_quotes_no_more() -> None:
    whole = {key.replace(".", "_"): key for key in sentences("en")}
    for key in (key for key in sentences("en") if key.startswith("site.")):
        told = whole[key.removeprefix("site.")]
        assert places_of(key) <= places_of(told), key
        assert for_site(Message.of(told)).key == key


TEMPLATES = sorted((Path(web.__file__).parent / "templates").glob("*.html"))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_no_page_shows_a_sentence_of_the_command_line_with_an_option(template: Path) -> None:
    keys = re.findall(r"""say\(["'](cli\.[a-z_]+)["']""", template.read_text(encoding="utf-8"))
    assert [key for key in keys if OPTION.search(sentences("en")[key])] == []


def test_a_parameter_that_is_none_is_told_as_it_is_typed_into_the_page(demo: TestClient) -> None:
    said = text_of(demo.get("/compare/ENF/elo-linear?param=x").text)
    assert "'x' is no parameter; write key=value" in said


def test_a_message_within_a_message_is_put_into_words_of_the_site() -> None:
    inner = Message.of("registrar.needs_reason")
    outer = Message.of("two.needed", why=inner, actor="ana")
    assert str(for_site(outer)).startswith("this changes what was recorded: say why: it needs")


def test_what_a_report_lacks_is_named_in_words_and_can_be_said_where_it_is_told(
    site: Staffed,
) -> None:
    """Most programs write no rate of play, and some no days."""
    page = site.eva.upload(UNSAID)
    said = text_of(page.text)
    assert "the file does not say: name, start, end, system, rate of play. Say it here" in said
    fields = page.text.index('id="rate_of_play"')
    assert page.text.rindex("<details", 0, fields) == page.text.rindex("<details open", 0, fields)
    assert '<option value="rapid">rapid</option>' in page.text
    spanish = site.eva.get(f"{page.url.path}?lang=es").text
    assert "el archivo no dice: nombre, inicio, fin, sistema, ritmo. Indíquelo aquí" in text_of(
        spanish
    )
    assert '<option value="rapid">rápido</option>' in spanish


def test_the_desk_says_that_it_is_recorded_and_not_how_it_is_stored(site: Staffed) -> None:
    page = text_of(site.ana.get("/desk/T1?recorded=5-7").text)
    assert "Recorded." in page
    assert "seq" not in page


def test_headings_and_what_is_said_of_a_list_are_words_of_the_language(demo: TestClient) -> None:
    page = demo.get("/lists/ENF?lang=es").text
    assert "<h2>Períodos</h2>" in page
    assert "calendario cada mes" in text_of(page)
    assert "monthly" not in text_of(page)
    assert "<h2>Ronda 2" in demo.get("/tournaments/ymca-2010/rounds/2?lang=es").text


def test_what_events_say_is_said_in_the_language(demo: TestClient) -> None:
    page = text_of(demo.get("/audit/log?tournament=ymca-2010&lang=es").text)
    for word in ("classical", "swiss", "round-robin", "pairing-allocated"):
        assert word not in page


def test_the_page_of_an_earlier_state_says_which(demo: TestClient) -> None:
    page = demo.get("/players/3404510?as-known-at=101").text
    assert "You see what was known on" in page
    assert "and as known then" in page
    assert "as known now" not in page


def test_the_headings_of_a_statement_are_words(demo: TestClient) -> None:
    for language, words in (
        ("en", "Score Expected Score − expected K Merit Gain"),
        ("es", "Puntos Esperado Puntos − esperado K Mérito Variación"),
    ):
        assert words in text_of(demo.get(f"/players/3404510/ENF/2010-07?lang={language}").text)


def test_where_somebody_stands_is_one_sentence(demo: TestClient) -> None:
    page = demo.get("/tournaments/ymca-2010/places/3404510?lang=es").text
    assert "puntos: 2; está debajo del anterior por: puntos" in text_of(page)


@pytest.mark.parametrize("calendar", Calendar)
def test_every_calendar_has_words(calendar: Calendar) -> None:
    assert Message.of(f"often.{calendar.value.replace('-', '_')}").within("es")
