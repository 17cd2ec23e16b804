"""What the questions about one view of a ledger share."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from ledger.application import past
from ledger.application.desk import round_as_known
from ledger.application.event_desk import is_closed
from ledger.application.past import KeptDocuments, PastLedger, newest_of
from ledger.application.tournaments import require_tournament, show_tournament
from ledger.journal.past import PastJournal
from tests.ledgers import held


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
    assert require_tournament(view, "t", view.seq - 1) is not record
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
