"""Read models: the same answers as the application's, and nothing is lost when a file is."""

from __future__ import annotations

import errno
import gc
import io
import json
import os
import re
import resource
import sqlite3
import stat
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.age_groups import AgeGroup
from ledger.answers.directory import RowsAsked, RowsPage, Selection, members_listed, selected
from ledger.answers.lists import show
from ledger.derived import builder as derived_builder
from ledger.derived.store import DerivedStore, EntryKey
from ledger.errors import DatabaseError, NotFound
from ledger.journal.merkle import root_of
from ledger.journal.stores.database import open_journal
from ledger.lists.committed_rows import CommittedRows
from ledger.lists.rating_list import RatingList, RowOrder, ordered
from ledger.reports.categories import Category
from ledger.service.ledger import Ledger
from ledger.views.past import newest_of
from tests.forked import forked
from tests.ledgers import (
    NOW,
    PLAYERS_HEADER,
    define,
    empty_ledger,
    games,
    import_text,
    publish_period,
)
from tests.web.conftest import Browse
from tests.web.support import text_of
from web.read_models import builder, model_store
from web.read_models.answers import ShownList, statement_of
from web.read_models.builder import careers_key, keep, list_key, order_for
from web.read_models.career_model import CareerModel
from web.read_models.connections import ReadConnections
from web.read_models.list_model import ListModel, MarkedPage
from web.read_models.model_store import ModelStore
from web.read_models.rows_model import RowsModel, write_rows
from web.settings import WebSettings
from web.site import View

NAMES = (
    "García, Ana", "Garcia, Aña", "GARCIA Garcia, Ana", "Núñez-Łuczak, María",
    "O'Higgins, Bernardo",
    "<b>Soto</b>, Iván", "Soto, NEAR", "Soto, OR AND NOT", 'Pérez "Pepe", Luis', "-Rojas, *Ana*",
    "محمد, علي", "כהן, דוד", "Gonzales, José", "González, Jose", "Gonsalez, Jo", "李, 小龍", "a, a",
    "Ab, Abc", "abcd efgh", "Μάρκος, Ζωή", "Иванов, Пётр", "&amp;, x", "ß, Straße", "İ, Işık",
)  # fmt: skip
FEDERATIONS = ("CHI", "ARG", "")
WORDS = sorted({word for name in NAMES for word in name.replace(",", " ").split()})


@cache
def crowd() -> tuple[Ledger, RatingList]:
    """Returns a ledger of players with such names, and its list."""
    ledger = empty_ledger()
    define(ledger)
    lines = ""
    for number in range(3 * len(NAMES)):
        name = NAMES[number % len(NAMES)].replace('"', '""')
        rating = "" if number % 5 == 0 else str(1500 + number % 7)
        sex = ("m", "w", "")[number % 3]
        federation = FEDERATIONS[number // 2 % 3]
        born, club = 1990 + number % 9, ("Norte", "Sur", "-")[number % 3]
        lines += (
            f'{number + 1},"{name}",{federation},{sex},{born},{rating},,{"" if not rating else 50}'
            f",{club}\n"
        )
    import_text(ledger, f"{PLAYERS_HEADER.strip()},club\n{lines}", list_="ENF")
    played = [f"1,,{n},{n + 1},{'1-0' if n % 4 else '1/2-1/2'}" for n in range(2, 60, 3)]
    import_text(ledger, games("t", *played))
    return ledger, show(ledger, "ENF", "2010-07")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> ListModel:
    ledger, _ = crowd()
    folder = DerivedStore(tmp_path_factory.mktemp("models"))
    return ListModel(keep(ledger, list_key(ledger, "ENF", "2010-07", None), folder))


def chain(answers: object, asked: RowsAsked) -> list[str]:
    """Returns the ids of all pages of an answer, one after the other."""
    ids: list[str] = []
    after: int | None = asked.after
    while after is not None:
        page = answers(RowsAsked(asked.selection, asked.order, after, asked.limit))  # type: ignore[operator]
        assert isinstance(page, RowsPage)
        assert len(page.rows) <= asked.limit
        ids += page.rows.column("id")
        assert page.after is None or page.after > after
        after = page.after
    return ids


texts = st.one_of(
    st.text(max_size=12),
    st.lists(
        st.sampled_from(WORDS).flatmap(
            lambda word: st.integers(0, len(word)).map(lambda end: word[:end])
        ),
        max_size=4,
    ).map(" ".join),
    st.sampled_from(WORDS).flatmap(
        lambda word: st.tuples(st.integers(0, len(word)), st.sampled_from("aezñ")).map(
            lambda at: word[: at[0]] + at[1] + word[at[0] + 1 :]
        )
    ),
    st.sampled_from(['"', "*", "NEAR(a b)", "a OR b", "-a", "names:a", "^a", "\x00", "a\nb", "17"]),
)


def unmarked(page: MarkedPage) -> RowsPage:
    """Returns a page without what stands beside its rows, as the application has it."""
    return RowsPage(page.rows, page.after)


def page_of(ledger: Ledger, made: RatingList, asked: RowsAsked) -> RowsPage:
    """Returns a page of a list by looking at all of it: what a read model has to answer."""
    fitting = set(selected(ledger, made, asked.selection).column("id"))
    ids, places = made.rows.column("id"), ordered(made.rows, asked.order)
    found = [
        (number, place)
        for number, place in enumerate(places, 1)
        if number > asked.after and ids[place] in fitting
    ]
    kept = found[: asked.limit]
    rows = made.rows.at([place for _, place in kept])
    return RowsPage(rows, kept[-1][0] if len(found) > len(kept) else None)


selections = st.builds(
    Selection,
    federations=st.sampled_from([(), ("CHI",), ("ARG", "XXX")]),
    category=st.builds(
        Category,
        club=st.sampled_from([None, "norte", "x"]),
        group=st.sampled_from([None, AgeGroup("U14", most=14)]),
        sex=st.sampled_from([None, "m", "w"]),
        under=st.sampled_from([None, 1504]),
    ),
    search=st.none() | texts,
    active=st.booleans(),
    provisional=st.sampled_from([None, True, False]),
)


@given(
    st.builds(
        RowsAsked, selections, st.sampled_from(RowOrder), st.integers(0, 80), st.integers(1, 60)
    )
)
def test_a_chain_of_pages_is_what_the_application_answers(
    model: ListModel, asked: RowsAsked
) -> None:
    ledger, made = crowd()
    expected = chain(lambda each: page_of(ledger, made, each), asked)
    category, members = asked.selection.category, None
    if category.is_of_facts:
        members = members_listed(ledger, "ENF", "2010-07", category)
    assert chain(lambda each: unmarked(model.page(each, members)), asked) == expected


@given(texts)
def test_a_search_finds_the_rows_of_the_application(model: ListModel, text: str) -> None:
    ledger, made = crowd()
    asked = RowsAsked(Selection(search=text), limit=1000)
    assert unmarked(model.page(asked)) == page_of(ledger, made, asked)


def test_a_search_that_many_may_mean_and_few_do_goes_on_page_by_page(tmp_path: Path) -> None:
    ledger = empty_ledger()
    define(ledger)
    people = "".join(f"{n},Aa{n:04} Bb,,,,1500,,50\n" for n in range(1, 2501))
    import_text(ledger, PLAYERS_HEADER + people + "9000,Zz Aa Ab,,,,1400,,50\n", list_="ENF")
    folder = DerivedStore(tmp_path)
    kept = ListModel(keep(ledger, list_key(ledger, "ENF", "2010-07", None), folder))
    asked = RowsAsked(Selection(search="a a"))
    assert len(kept.page(asked).rows) == 0
    assert chain(kept.page, asked) == ["9000"]


def test_all_who_begin_alike_are_found_be_they_few_or_many(tmp_path: Path) -> None:
    ledger = empty_ledger()
    define(ledger)
    people = [f"Ma{n:02}, Ana" for n in range(15)] + [f"Mo{n:02}, Ana" for n in range(18)]
    lines = "".join(f'{n},"{name}",,,,1500,,50\n' for n, name in enumerate(people, 1))
    import_text(ledger, PLAYERS_HEADER + lines, list_="ENF")
    key = list_key(ledger, "ENF", "2010-07", None)
    kept, made = (
        ListModel(keep(ledger, key, DerivedStore(tmp_path))),
        show(ledger, "ENF", "2010-07"),
    )
    for text, count in (("ma", 15), ("ma0 an", 10), ("mo", 18), ("m", 33), ("mu", 0)):
        asked = RowsAsked(Selection(search=text))
        assert unmarked(kept.page(asked)) == page_of(ledger, made, asked)
        assert len(kept.page(asked).rows) == count


def test_the_document_and_the_heading_are_those_of_the_list(model: ListModel) -> None:
    _, made = crowd()
    assert model.heading == made.heading()
    assert model.document_heading == made.document_heading()
    assert model.count == len(made.rows)
    assert model.federations == ["ARG", "CHI"]


# Files


def published() -> Ledger:
    ledger = empty_ledger()
    define(ledger)
    people = "".join(f"{n},Player {n},CHI,,,{1500 + n},,50\n" for n in range(1, 9))
    import_text(ledger, PLAYERS_HEADER + people, list_="ENF")
    import_text(ledger, games("t", "1,,1,2,1-0", "1,,3,4,1-0"))
    publish_period(ledger, "2010-07")
    return ledger


def store_of(tmp_path: Path) -> ModelStore:
    return ModelStore(WebSettings(ledger="", origin="http://testserver", cache=tmp_path))


def view_of(ledger: Ledger) -> View:
    return View(newest_of(ledger), None)


def files(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "models").rglob("*.entry"))


def test_a_model_is_made_once_and_found_again(tmp_path: Path) -> None:
    ledger = published()
    first = ShownList(store_of(tmp_path), view_of(ledger), "ENF", "2010-07", 1)
    made = files(tmp_path)
    again = ShownList(store_of(tmp_path), view_of(ledger), "ENF", "2010-07", 1)
    assert files(tmp_path) == made
    assert len(made) == 1
    assert "".join(again.document()) == "".join(first.document())
    assert "".join(again.document()).encode() == show(ledger, "ENF", "2010-07").document()


@pytest.mark.parametrize("harm", ["flip", "truncate", "empty", "foreign"])
def test_a_damaged_model_is_thrown_away_and_made_again(tmp_path: Path, harm: str) -> None:
    ledger = published()
    ShownList(store_of(tmp_path), view_of(ledger), "ENF", "2010-07", 1)
    (path,) = files(tmp_path)
    whole = path.read_bytes()
    middle = len(whole) // 2
    path.write_bytes(
        {
            "flip": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
            "truncate": whole[:middle],
            "empty": b"",
            "foreign": b"SQLite format 3\x00" + bytes(5000),
        }[harm]
    )
    shown = ShownList(store_of(tmp_path), view_of(ledger), "ENF", "2010-07", 1)
    assert "".join(shown.document()).encode() == show(ledger, "ENF", "2010-07").document()
    assert files(tmp_path)[0].read_bytes() == whole


def test_a_model_that_is_damaged_while_it_is_open_is_made_again(tmp_path: Path) -> None:
    ledger = published()
    store = store_of(tmp_path)
    shown = ShownList(store, view_of(ledger), "ENF", "2010-07", 1)
    (path,) = files(tmp_path)
    path.write_bytes(b"no database" * 500)
    expected = page_of(ledger, show(ledger, "ENF", "2010-07"), RowsAsked())
    assert unmarked(shown.page(RowsAsked())) == expected
    edition = ShownList(store, view_of(ledger), "ENF", "2010-07", 1)
    assert unmarked(edition.page(RowsAsked())) == expected


def test_what_is_not_published_is_made_anew_when_something_is_recorded(tmp_path: Path) -> None:
    ledger = published()
    store = store_of(tmp_path)
    before = ShownList(store, view_of(ledger), "ENF", "2010-08")
    import_text(ledger, games("u", "1,,5,6,1-0", day="2010-08-10"))
    after = ShownList(store, view_of(ledger), "ENF", "2010-08")
    expected = page_of(ledger, show(ledger, "ENF", "2010-08"), RowsAsked())
    assert unmarked(after.page(RowsAsked())) == expected
    assert unmarked(before.page(RowsAsked())) != expected


def test_an_edition_that_nothing_changed_since_is_the_list_as_known_now(tmp_path: Path) -> None:
    ledger = published()
    import_text(ledger, games("u", "1,,5,6,1-0", day="2010-08-10"))
    assert list_key(ledger, "ENF", "2010-07", None) == list_key(ledger, "ENF", "2010-07", 1)
    assert show(ledger, "ENF", "2010-07").edition == 1
    import_text(ledger, games("v", "1,,7,8,1-0", day="2010-07-12"))
    assert not list_key(ledger, "ENF", "2010-07", None).is_settled
    store, view = store_of(tmp_path), view_of(ledger)
    assert ShownList(store, view, "ENF", "2010-07").heading.edition == 1
    shown = ShownList(store, view, "ENF", "2010-07", recalculated=True)
    assert shown.heading == show(ledger, "ENF", "2010-07").heading()
    assert shown.heading.state == "recalculated"


def test_what_every_commit_outdates_is_not_made_again_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    now = [0.0]

    def make(told: str) -> None:
        made.append(json.loads(told)["kind"])
        now[0] += 10.0

    monkeypatch.setattr(builder, "_AT_ONCE", 0)
    monkeypatch.setattr(derived_builder, "monotonic", lambda: now[0])
    monkeypatch.setattr(derived_builder, "Thread", _AtOnce)
    monkeypatch.setattr(model_store, "made_beside", make)
    settings = WebSettings(ledger="beside", origin="http://testserver", cache=tmp_path)
    store, ledger = ModelStore(settings), published()

    def ask() -> None:
        view = view_of(ledger)
        assert store.model(view, careers_key(newest_of(ledger)), CareerModel) is None
        edition = list_key(newest_of(ledger), "ENF", "2010-07", 1)
        assert store.model(view, edition, ListModel) is None

    ask()
    ask()
    assert made == ["CAREERS", "LIST", "LIST"]
    now[0] += 40.0  # thrice as long as it took, and more
    ask()
    assert made == ["CAREERS", "LIST", "LIST", "CAREERS", "LIST"]


def test_one_that_cannot_be_made_is_not_tried_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried: list[str] = []
    now = [0.0]

    def fail(told: str) -> str:
        tried.append(told)
        now[0] += 10.0
        return "Traceback (most recent call last):\nsqlite3.OperationalError: of García, Ana\n"

    monkeypatch.setattr(builder, "_AT_ONCE", 0)
    monkeypatch.setattr(derived_builder, "monotonic", lambda: now[0])
    monkeypatch.setattr(derived_builder, "Thread", _AtOnce)
    monkeypatch.setattr(model_store, "made_beside", fail)
    settings = WebSettings(ledger="beside", origin="http://testserver", cache=tmp_path)
    store, view = ModelStore(settings), view_of(published())
    edition = view.ask(list_key, "ENF", "2010-07", 1)
    for _ in range(3):
        assert store.model(view, edition, ListModel) is None
    assert len(tried) == 1
    now[0] += 40.0  # thrice as long as it took, and more
    assert store.model(view, edition, ListModel) is None
    assert len(tried) == 2
    assert [each.message for each in caplog.records] == [
        "a read model could not be made: sqlite3.OperationalError"
    ] * 2


def _made_on_a_full_disk(url: str, folder: Path) -> None:
    with closing(open_journal(url)) as journal:
        ledger = Ledger(journal, lambda: NOW)
        key = list_key(ledger, "ENF", "2010-07", 1)
        order = order_for(url, ledger.facts().seq, key, DerivedStore(folder))
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, most))  # bytes of a file; a model has more
    builder._end_with_site = lambda: None
    sys.stdin = io.StringIO(f"{order}\n")
    with pytest.raises(SystemExit, match=r"^SQLITE_"):
        builder.main()


def test_a_full_disk_ends_a_builder_by_a_word_and_leaves_nothing(
    july_db: Path, tmp_path: Path
) -> None:
    maker = forked(_made_on_a_full_disk, str(july_db), tmp_path / "models")
    maker.join()
    assert maker.exitcode == 0
    assert [each for each in (tmp_path / "models").rglob("*") if each.is_file()] == []


def test_a_site_whose_disk_is_full_lives_on(
    browse: Browse, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    site = browse(published())
    monkeypatch.setattr(Path, "replace", full)
    assert "Player 1" in site.get("/players/1").text
    assert site.get("/lists/ENF/2010-07").status_code == 503
    assert "Player 8" in site.get("/players?q=8").text
    assert {each.message for each in caplog.records if each.name == "rating_ledger.web"} == {
        "a read model could not be made: No space left on device"
    }
    monkeypatch.undo()
    assert site.get("/lists/ENF/2010-07").status_code == 200


_BUILDER = """
import threading
from web.read_models import builder

def open_for_ever(path):
    with open(path, "w") as told:
        told.write("begun")
        told.flush()
        threading.Event().wait()

builder.open_ledger = open_for_ever
builder.main()
"""
_SITE = """
import json, sys
from web.read_models import model_store

model_store.interpreter = lambda: [sys.executable, "-c", sys.argv[2]]
model_store.made_beside(json.dumps({"ledger": sys.argv[1]}))
"""


def test_who_makes_a_model_beside_ends_when_the_site_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "told"
    os.mkfifo(path)
    command = [sys.executable, "-c", _SITE, str(path), _BUILDER]
    with subprocess.Popen(command) as site, path.open(encoding="ascii") as told:
        assert told.read(5) == "begun"
        site.kill()
        assert told.read() == ""  # it holds the other end as long as it lives


def test_a_model_that_cannot_be_made_is_not_waited_for() -> None:
    said = model_store.made_beside(json.dumps({"ledger": "/nowhere.db", "seq": 1}))
    assert said is not None
    assert "nowhere" in said


def test_who_makes_a_model_comes_after_those_who_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []
    order = json.dumps({"ledger": "/nowhere.db", "seq": 1})
    monkeypatch.setattr("os.nice", steps.append)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{order}\n"))
    monkeypatch.setattr(builder, "_end_with_site", lambda: None)
    with pytest.raises(DatabaseError):
        builder.main()
    assert sum(steps) > 0


class _AtOnce:
    """Stands for a thread whose work is done before it is waited for."""

    def __init__(self, target: Callable[..., None], args: tuple[Any, ...], **_: object) -> None:
        self._work = partial(target, *args)

    def start(self) -> None:
        self._work()


def test_few_connections_stay_open_when_many_have_asked(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE rows (number INTEGER)")
    connections = ReadConnections(path)
    with ExitStack() as asking:
        many = [asking.enter_context(connections.one()) for _ in range(20)]
    is_open = [each for each in many if _answers(each)]
    assert len(is_open) == 4
    connections.close()
    assert not any(map(_answers, many))


def _answers(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("SELECT count(*) FROM rows")
    except sqlite3.ProgrammingError:
        return False
    return True


def test_statements_of_the_past_are_kept_of_editions_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builder, "_AT_ONCE", 0)
    ledger, store = published(), store_of(tmp_path)
    past = View(newest_of(ledger), None, asked_for=ledger.facts().seq)
    as_known = statement_of(store, past, "1", "ENF", "2010-09", None)
    assert files(tmp_path) == []
    assert statement_of(store, view_of(ledger), "1", "ENF", "2010-09", None) == as_known
    assert len(files(tmp_path)) == 1
    statement_of(store, past, "1", "ENF", "2010-07", 1)
    assert len(files(tmp_path)) == 2


def _make(folder: Path) -> None:
    ShownList(store_of(folder), view_of(published()), "ENF", "2010-07", 1)


@pytest.mark.slow  # starts two
def test_two_processes_that_make_the_same_model_do_not_hinder_each_other(tmp_path: Path) -> None:
    makers = [forked(_make, tmp_path) for _ in range(2)]
    for maker in makers:
        maker.join()
    assert [maker.exitcode for maker in makers] == [0, 0]
    ledger = published()
    shown = ShownList(store_of(tmp_path), view_of(ledger), "ENF", "2010-07", 1)
    assert "".join(shown.document()).encode() == show(ledger, "ENF", "2010-07").document()
    assert all(path.suffix == ".entry" for path in files(tmp_path))


def test_nobody_else_may_read_the_models(tmp_path: Path) -> None:
    ShownList(store_of(tmp_path), view_of(published()), "ENF", "2010-07", 1)
    (path,) = files(tmp_path)
    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.stat().st_mode & 0o077 == 0


def test_until_a_model_is_there_pages_answer_and_nobody_keeps_what_is_missing(
    browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = published()
    site = browse(ledger)
    monkeypatch.setattr(ModelStore, "model", lambda *_: None)
    then = f"/players/1?as-known-at={ledger.facts().seq}"
    for address in ("/players/1", then, "/lists/ENF"):
        answer = site.get(address)
        assert answer.status_code == 200
        assert "being calculated" in answer.text
        assert answer.headers["cache-control"] == "no-store"
        assert "etag" not in answer.headers
    monkeypatch.undo()
    assert "being calculated" not in site.get("/players/1").text


def test_a_list_that_is_being_made_is_asked_for_again_as_known_at_the_same_seq(
    browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = published()
    site, head = browse(ledger), ledger.facts().seq
    monkeypatch.setattr(builder, "_AT_ONCE", 0)
    monkeypatch.setattr(ModelStore, "model", lambda *_: None)
    addresses = {
        "/lists/ENF/2010-07@1?q=player&sort=name": "/lists/ENF/2010-07%401?q=player&amp;sort=name",
        "/lists/ENF/2010-08": f"/lists/ENF/2010-08?as-known-at={head}",
        "/players?q=8": f"/players?q=8&amp;as-known-at={head}",
    }
    for address, again in addresses.items():
        answer = site.get(address)
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0
        assert f'href="{again}"' in answer.text
    for address in ("/lists/ENF/2010-07/csv", "/api/v1/lists/ENF/2010-07", "/api/v1/players"):
        answer = site.get(address)
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0
    monkeypatch.undo()
    assert "Player 8" in site.get(f"/players?q=8&as-known-at={head}").text
    import_text(ledger, games("u", "1,,5,6,1-0", day="2010-08-10"))
    assert f"as-known-at={head}" in site.get(f"/lists/ENF/2010-08?as-known-at={head}").text


def test_while_a_list_is_being_made_the_former_state_is_shown_as_of_when_it_was(
    browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = published()
    site, head = browse(ledger), ledger.facts().seq
    addresses = ("/lists/ENF/2010-08?sort=name", "/players?q=player")
    before = {address: text_of(site.get(address).text) for address in addresses}
    monkeypatch.setattr(builder, "_AT_ONCE", 0)
    monkeypatch.setattr(ModelStore, "model", _only_former(head))
    import_text(ledger, games("u", "1,,5,6,1-0", day="2010-08-10"))
    import_text(ledger, PLAYERS_HEADER + "88,Player 88,CHI,,1990,,,\n")
    for address in addresses:
        answer = site.get(address)
        assert answer.status_code == 200
        assert "What was recorded since is being made ready" in answer.text
        assert answer.headers["cache-control"] == "no-store"
        assert f"as-known-at={head}" in answer.text, "the page says as known at which seq it is"
        assert "Player 88" not in answer.text
        there = text_of(answer.text).replace(
            re.findall(r"You see what was known on .*? Look again", text_of(answer.text))[0], ""
        )
        assert there.split() == before[address].split()
    for address in (
        "/lists/ENF/2010-08/csv", "/api/v1/players", "/lists/ENF/2010-09",
        f"/players?as-known-at={ledger.journal.head().seq}",
    ):  # fmt: skip
        assert site.get(address).status_code == 503, address
    monkeypatch.undo()
    page = site.get("/players?q=player").text
    assert "Player 88" in page
    assert "being made ready" not in page


def test_an_edition_that_came_later_is_not_missing_in_the_former_state(
    browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = published()
    site, head = browse(ledger), ledger.facts().seq
    assert site.get("/lists/ENF/2010-08").status_code == 200
    monkeypatch.setattr(builder, "_AT_ONCE", 0)
    monkeypatch.setattr(ModelStore, "model", _only_former(head))
    publish_period(ledger, "2010-08")
    assert site.get("/lists/ENF/2010-08").status_code == 200
    assert site.get("/lists/ENF/2010-08@1").status_code == 503


def _only_former(head: int) -> Callable[..., object]:
    model = ModelStore.model

    def found(store: ModelStore, view: View, key: EntryKey, of: type[ReadConnections]) -> object:
        return model(store, view, key, of) if view.seq <= head else None

    return found


@pytest.mark.parametrize("size", [1, 2, 255, 256, 257, 700, 1024])
def test_a_row_of_a_model_has_the_path_that_it_has_without_one(tmp_path: Path, size: int) -> None:
    ids = [f"p{number:04}" for number in range(size)]
    rows = CommittedRows(ids, [f'{{"id":"{player}"}}' for player in ids])
    write_rows(tmp_path / "rows", rows)
    model = RowsModel(tmp_path / "rows")
    for player in {*ids[::97], *ids[254:258], ids[-1]}:
        assert model.row(player) == rows.row(player)
        assert model.row(player).root() == root_of(rows.leaves()).hex()
    with pytest.raises(NotFound):
        model.row("nobody")


def test_a_folder_that_others_may_write_to_is_not_used_and_lists_are_shown_all_the_same(
    browse: Browse, caplog: pytest.LogCaptureFixture
) -> None:
    ledger = empty_ledger()
    define(ledger)
    import_text(ledger, PLAYERS_HEADER + "A,A,CHI,,1985,1800,40,50\n", list_="ENF")
    publish_period(ledger, "2010-07")
    site = browse(ledger)
    folder = site.app.state.site.settings.folder_of("models") / "0"  # type: ignore[attr-defined]
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    for address in ("/lists/ENF/2010-07@1", "/players/A/ENF/2010-07", "/players"):
        answer = site.get(address)
        assert answer.status_code == 200, text_of(answer.text)
    assert "others may write" in caplog.text
    assert "chmod" in caplog.text
    assert not [*folder.iterdir()]


def test_the_temporary_folder_is_private_and_keeps_no_name_of_who_is_erased_nor_outlives_the_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    instead = tmp_path / "instead"
    instead.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(instead))
    settings = WebSettings(ledger="", origin="http://testserver", cache=tmp_path / "cache")
    store, ledger = ModelStore(settings), published()
    folder = settings.folder_of("models") / "0"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    view = View(newest_of(ledger), None, gone=0)
    key = view.ask(list_key, "ENF", "2010-07", 1)
    assert store.model(view, key, ListModel) is not None
    (made,) = instead.iterdir()
    assert [stat.S_IMODE(each.stat().st_mode) for each in (made, made / "0")] == [0o700, 0o700]
    assert [*(made / "0").iterdir()]
    later = View(newest_of(ledger), None, gone=1)
    assert store.model(later, key, ListModel) is not None
    assert [each.name for each in made.iterdir()] == ["1"]
    assert not [*(made / "1").iterdir()], "the site's own folder is used again"
    store.close()
    assert not [*instead.iterdir()]


def test_the_temporary_folder_goes_without_a_word_with_a_store_that_nobody_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    store, ledger = store_of(tmp_path / "cache"), published()
    folder = store._settings.folder_of("models") / "0"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    view = View(newest_of(ledger), None, gone=0)
    store.make_ready(view, view.ask(list_key, "ENF", "2010-07", 1))
    assert len([*tmp_path.glob("rating-ledger-models-*")]) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        del store
        gc.collect()
    assert not [*tmp_path.glob("rating-ledger-models-*")]
