"""Every statement that is made of a file is on the page on which it is accepted."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.intake.imports import DocumentKind
from ledger.terms import DayOrder, Rate, System
from tests.ledgers import GAMES_HEADER, PLAYERS_HEADER, import_text, with_july_published
from tests.web.submitting import OF_AUGUST, Staffed, staffed
from tests.web.support import text_of
from web.office import submissions as kept
from web.submissions.contents import DocumentContent, read_content
from web.submissions.names import LABELS

NOTES = {"header", "remembered", "games"}
"""What the program notes of a file, and nobody states."""
STATED = sorted(DocumentContent.model_fields.keys() - NOTES - {"kind", "file", "reason"})
VALUES: dict[str, Any] = {
    "rate_of_play": Rate.RAPID, "system": System.MATCH, "dates": DayOrder.DAY_FIRST,
    "ids": "national", "document_kind": DocumentKind.GAMES, "rated_games": 731,
    "starts_on": dt.date(2010, 8, 3),
    "ends_on": dt.date(2010, 8, 4), "on": dt.date(2010, 8, 5), "columns": {"Surname": "name"},
    "decisions": {"7": "B"}, "same": ("12",), "apart": ("13",), "rated_in": "ENF:2010-08",
    "list": "ENF",
    "merit": "1.25",
}  # fmt: skip
SHOWN = {
    "rate_of_play": "rapid", "system": "match", "dates": "the day first", "ids": "national",
    "document_kind": "a table of games", "rated_games": "731", "starts_on": "3 August 2010",
    "ends_on": "4 August 2010", "on": "5 August 2010", "columns": "Surname: name",
    "decisions": "7: B", "same": "12", "apart": "13", "rated_in": "ENF:2010-08", "list": "ENF",
}  # fmt: skip


def test_every_statement_of_a_file_is_shown_to_who_accepts_it(tmp_path: Path) -> None:
    values = {
        name: VALUES.get(
            name, True if DocumentContent.model_fields[name].annotation is bool else f"said-{name}"
        )
        for name in STATED
    }
    with staffed(with_july_published(), tmp_path) as site:
        id_ = site.eva.drafted(OF_AUGUST)
        with site.office.reading() as connection:
            seen = kept.find(connection, id_)
        assert seen is not None
        content = read_content(seen.content).model_copy(update=values)
        with site.office.writing() as connection:
            kept.mend(
                connection, seen, title="t", content=content.model_dump_json(), file=None, at=1
            )
        page = site.ana.get(f"/submissions/{id_}")
        assert page.status_code == 200, text_of(page.text)
        said = text_of(page.text[page.text.index('<dl class="facts">') : page.text.index("</dl>")])
        for name, value in values.items():
            assert LABELS[name].within("en") in said, name
            if value is not True:
                assert SHOWN.get(name, value) in said, (name, said)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staffed]:
    ledger = with_july_published()
    rows = "".join(f"L{n},Long {n},CHI,,1985,1800,40,50\n" for n in range(12))
    import_text(ledger, PLAYERS_HEADER + rows, list_="ENF", on=dt.date(2010, 8, 1))
    with staffed(ledger, tmp_path_factory.mktemp("site")) as opened:
        yield opened


@pytest.mark.parametrize("name", STATED)
@pytest.mark.parametrize("value", ["zzz", "a\x07b", "2026-02-30", "-1", "x" * 5_000])
def test_a_foreign_statement_is_refused_or_its_draft_can_be_withdrawn(
    site: Staffed, name: str, value: str
) -> None:
    head = site.head
    page = site.eva.upload(OF_AUGUST, reason="x", **{name: value})
    if page.status_code == 200:
        id_ = page.url.path.rpartition("/")[2]
        gone = site.eva.post(f"/submissions/{id_}/withdraw", {"turn": "1"})
        assert (gone.status_code, "withdrawn" in gone.text) == (200, True)
    else:
        assert page.status_code == 422, text_of(page.text)
    assert site.head == head


def test_what_accepts_a_file_stands_above_a_long_table_and_below(site: Staffed) -> None:
    about = "T4,T4,2010-08-21,2010-08-21,swiss,classical,,1,"
    games = "".join(f"{about},L{n},L{n + 1},1-0\n" for n in range(0, 12, 2))
    id_ = site.eva.drafted(GAMES_HEADER + games)
    page = site.eva.get(f"/submissions/{id_}").text
    assert page.count('<table class="fold">') == 1
    for account, step in (("eva", "hand-in"), ("ana", "accept")):
        page = getattr(site, account).get(f"/submissions/{id_}").text
        table, forms = page.index('<table class="fold">'), f'action="/submissions/{id_}/{step}"'
        assert page.count(forms) == 2, step
        assert page.index(forms) < table < page.rindex(forms)
        if step == "hand-in":
            site.eva.step(id_, step)
