"""Whom an id or a starting number means."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.answers.directory import participant_named, shortest


@dataclass(frozen=True)
class Row:
    id: str
    number: int | None


ROWS = (Row("2", 1), Row("1", 2), Row("C", 3), Row("D", None))


def test_an_id_is_meant_before_a_number() -> None:
    meant = [participant_named(ROWS, text) for text in ("1", "2", "3", "C", "4", "None")]
    assert meant == ["1", "2", "C", "C", None, None]


def test_what_is_written_shortest_means_the_same() -> None:
    written = shortest(ROWS)
    assert written == {"2": "2", "1": "1", "C": "3", "D": "D"}
    assert all(participant_named(ROWS, text) == id_ for id_, text in written.items())
