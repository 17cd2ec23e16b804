"""What the questions about one view of a ledger share."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from ledger.answers.commits import commits_back
from ledger.answers.event_desk import is_closed
from ledger.answers.rounds import round_as_known
from ledger.answers.tournaments import require_tournament, show_tournament
from ledger.errors import InputRefused
from ledger.events.personal import Identity
from ledger.events.players import PlayerErased
from ledger.facts.columns import Facts
from ledger.identifiers import Seq
from ledger.intake.imports import Document, import_document
from ledger.journal.past import PastJournal
from ledger.journal.stores.memory import MemoryJournal
from ledger.operations import commands as c
from ledger.service.erasures import erase_player
from ledger.service.ledger import Ledger
from ledger.views import past
from ledger.views.past import KeptDocuments, PastLedger, known_on, newest_of
from tests.ledgers import NOW, PLAYERS_HEADER, empty_ledger, held, request


def test_a_tournament_is_read_once_for_all_questions_about_a_view(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ledger = held("ABCD", [(1, "A", "B", "1-0"), (1, "C", "D", "0-1")], {})
    read: list[list[str]] = []
    streams = PastJournal.streams

    def watched(self: PastJournal, names: Iterable[str], *, upto: int | None = None) -> object:
        read.append(list(names))
        return streams(self, read[-1], upto=upto)

    monkeypatch.setattr(PastJournal, "streams", watched)
    view = newest_of(ledger)
    record = require_tournament(view, "t", view.seq)
    assert show_tournament(view, "t").players[0].name == "A"
    assert round_as_known(view, "t", 1).round == 1
    assert not is_closed(view, "t")
    assert require_tournament(view, "t", view.seq) is record
    assert read == [["tournament:t"]] * 2, "whether there is one, then its events"
    assert require_tournament(view, "t", Seq(view.seq - 1)) is not record
    assert require_tournament(newest_of(ledger), "t", view.seq) is not record


def test_what_a_command_decides_is_not_taken_into_what_others_look_at() -> None:
    ledger = held("ABCD", [(1, "A", "B", "1-0")], {})
    view = PastLedger(ledger, ledger.journal.head().seq)
    record = require_tournament(view, "t", view.seq)
    assert view.register(["tournament:t"], view.seq).tournaments["t"] is not record


class TestDocuments:
    """Documents of persons that a view keeps."""

    stored = {f"{number}": f"document {number}" for number in range(10)}  # noqa: RUF012

    @pytest.fixture
    def read(self) -> list[list[str] | None]:
        """What was read, each time."""
        return []

    @pytest.fixture
    def documents(self, read: list[list[str] | None]) -> KeptDocuments:
        """Keeps some of those that are stored."""

        def stored(digests: Iterable[str] | None) -> dict[str, str]:
            wanted = None if digests is None else list(digests)
            read.append(wanted)
            return {key: self.stored[key] for key in wanted or self.stored if key in self.stored}

        return KeptDocuments(stored)

    def test_are_read_once_until_they_are_forgotten(
        self, documents: KeptDocuments, read: list[list[str] | None]
    ) -> None:
        assert documents(["1", "x"]) == {"1": "document 1"}
        assert documents(["1", "2", "x"]) == {"1": "document 1", "2": "document 2"}
        documents.forget()
        assert documents(["1"]) == {"1": "document 1"}
        assert read == [["1", "x"], ["2"], ["1"]]

    def test_of_everybody_are_not_kept(
        self, documents: KeptDocuments, read: list[list[str] | None]
    ) -> None:
        assert documents(None) == self.stored == documents(None)
        assert read == [None, None]

    def test_are_kept_of_so_many_only(
        self,
        documents: KeptDocuments,
        read: list[list[str] | None],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(past, "_DOCUMENTS", 3)
        for digests in (["1", "2"], ["3", "4"], ["3"], ["5", "6", "7", "8"], ["5"]):
            assert documents(digests) == {key: self.stored[key] for key in digests}
        assert read == [["1", "2"], ["3", "4"], ["5", "6", "7", "8"], ["5"]]

    def test_that_were_asked_for_before_an_erasure_do_not_come_back(self) -> None:
        def erased_meanwhile(digests: Iterable[str] | None) -> dict[str, str]:
            found = {key: there[key] for key in digests or () if key in there}
            there.clear()
            documents.forget()
            return found

        there = {"1": "Ana"}
        documents = KeptDocuments(erased_meanwhile)
        assert documents(["1"]) == {"1": "Ana"}
        assert documents(["1"]) == {}

    def test_that_others_look_at_do_not_go_when_too_many_are_kept(
        self, documents: KeptDocuments, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Interrupted(str):
            """The second time that it is looked for, others have asked for many."""

            __slots__ = ()

            def __hash__(self) -> int:
                looks.append(self)
                if len(looks) == 2:
                    documents(["2", "3", "4"])
                return super().__hash__()

        looks: list[str] = []
        monkeypatch.setattr(past, "_DOCUMENTS", 3)
        documents(["1"])
        assert documents([Interrupted("1")]) == {"1": "document 1"}

    def test_that_were_read_before_an_erasure_do_not_take_the_place_of_others(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def erased_meanwhile(digests: Iterable[str] | None) -> dict[str, str]:
            found = {key: there[key] for key in digests or () if key in there}
            if "1" in found:
                there.clear()
                documents.forget()
            return found

        there = {key: f"document {key}" for key in "123"}
        documents = KeptDocuments(erased_meanwhile)
        monkeypatch.setattr(past, "_DOCUMENTS", 2)
        documents(["2", "3"])
        assert documents(["1"]) == {"1": "document 1"}
        assert documents(["1", "2", "3"]) == {}


def test_who_was_erased_is_looked_for_once_for_a_page_of_commits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ledger = empty_ledger()
    for player in "AB":
        text = f"{PLAYERS_HEADER}{player},Perez {player},CHI,,,,,\n".encode()
        document = Document(name=f"perez_{player.lower()}.csv", data=text, decisions=(("all", ""),))
        import_document(ledger, document, request())
    erase_player(ledger, c.ErasePlayer(player="A", on=NOW.date()), request("a letter"))
    looked: list[type] = []
    recorded = Facts.recorded

    def counted(self: Facts, kind: type[Any]) -> Any:
        looked.append(kind)
        return recorded(self, kind)

    monkeypatch.setattr(Facts, "recorded", counted)
    view = newest_of(ledger)
    assert [each.source_name for each in commits_back(view)][1:3] == ["perez_b.csv", "***.csv"]
    assert looked == [PlayerErased]


def test_a_day_is_known_as_it_was_when_it_was_over() -> None:
    """Days are those of the clock's time zone, in which midnight is at 3 in the morning (UTC)."""
    chile = dt.timezone(dt.timedelta(hours=-3))
    now = dt.datetime(2026, 1, 1, 12, tzinfo=chile)
    journal = MemoryJournal()
    ledger = Ledger(journal, clock=lambda: now)
    ends = {}
    for number in range(1, 8):  # two commits a day, half an hour before midnight and after it
        for minutes in (-30, 30):
            now = dt.datetime(2026, 1, number, tzinfo=chile) + dt.timedelta(minutes=minutes)
            player = c.RegisterPlayer(
                player=f"P{number}{minutes}", identity=Identity(name=f"{number} {minutes}"),
                salt="0" * 32, federation=None, on=now.date(),
            )  # fmt: skip
            ledger.execute([player], replace(request(), idempotency_key=player.player))
            ends[now.date()] = journal.head().seq
    now = dt.datetime(2026, 2, 1, tzinfo=chile)
    found = {day: known_on(ledger, day) for day in ends}
    assert found == ends
    assert len(ends) == 8
    assert known_on(ledger, dt.date(2025, 12, 30)) == 0, "before the first commit"
    assert known_on(ledger, dt.date(2026, 1, 31)) == journal.head().seq
    for day in (now.date(), now.date() + dt.timedelta(days=1)):
        with pytest.raises(InputRefused) as refused:
            known_on(ledger, day)
        assert refused.value.message.key == "database.day_not_over"
