"""Names by the words they hold: the same answers as ``ledger.reports.directory``, by an index.

The index is FTS5 over words that ``ledger.spelling`` has folded already, so its tokenizer has
nothing to do but to split at blanks, and no word has a sign that the query language knows. It finds
everybody who may be meant. What it cannot say, that each word asked for needs a word of its own in
the name, the directory itself decides, for the few who were found.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from ledger.lists.people import Personal
from ledger.reports.directory import PlayerDirectory
from ledger.spelling import folded, is_slip

_HOW = "content='', detail=none, columnsize=0, prefix='1 2 3', tokenize='ascii'"
_TABLES = (
    f"CREATE VIRTUAL TABLE names USING fts5(words, {_HOW})",
    "CREATE TABLE vocabulary (word TEXT PRIMARY KEY, backwards TEXT NOT NULL) WITHOUT ROWID",
)
_INDEX = "CREATE INDEX vocabulary_backwards ON vocabulary (backwards, word)"
_AFTER_ALL = "\U0010ffff"
_LONG = 4  # letters of a word in which a slip is forgiven
_MOST_WORDS = 8  # of a search text that the index is asked for; all are looked at in the end
_MOST_BEGINNINGS = 16  # words that begin alike and are asked for one by one


def write_names(connection: sqlite3.Connection, names: Iterable[tuple[int, str]]) -> None:
    """Writes the index into an empty file, of names by row numbers."""
    for table in _TABLES:
        connection.execute(table)
    words: set[str] = set()

    def lines() -> Iterable[tuple[int, str]]:
        for row, name in names:
            line = folded(name)
            words.update(line.split())
            yield row, line

    connection.executemany("INSERT INTO names (rowid, words) VALUES (?, ?)", lines())
    connection.executemany(
        "INSERT INTO vocabulary VALUES (?, ?)", ((word, word[::-1]) for word in sorted(words))
    )
    connection.execute(_INDEX)


def query_of(connection: sqlite3.Connection, text: str) -> str | None:
    """Returns the query of FTS5 that finds everybody whom a text may mean; None: nobody."""
    words = sorted(set(folded(text).split()), key=lambda word: (-len(word), word))
    if not words:
        return None
    return " AND ".join(
        "(" + " OR ".join([*_beginning(connection, word), *_slips(connection, word)]) + ")"
        for word in words[:_MOST_WORDS]
    )


def meant(text: str, ids: Sequence[str], names: Sequence[str]) -> set[int]:
    """Returns the places of those, among a few, whose name or id a text may mean."""
    people = [Personal(name) for name in names]
    return set(PlayerDirectory(ids, [None] * len(ids), people).find(text))


def _beginning(connection: sqlite3.Connection, word: str) -> list[str]:
    """Returns what to ask the index for, of the words of names that begin with a word.

    Asked for by their beginning, the index collects everybody they stand for before it gives the
    first; asked for one by one, it gives as many as are taken. Where they are too many for that,
    the beginning is asked for.
    """
    found = connection.execute(
        "SELECT word FROM vocabulary WHERE word >= ? AND word < ? LIMIT ?",
        (word, word + _AFTER_ALL, _MOST_BEGINNINGS + 1),
    ).fetchall()
    if len(found) > _MOST_BEGINNINGS:
        return [f'"{word}" *']
    return [f'"{other}"' for (other,) in found or [(word,)]]


def _slips(connection: sqlite3.Connection, word: str) -> list[str]:
    """Returns what to ask the index for, of the words of names that are one typing error away.

    The error is in one half of the word: then the other half is the same.
    """
    if len(word) < _LONG:
        return []
    half = len(word) // 2
    beginning, end = word[:half], word[: half - len(word) : -1]
    sizes = (len(word) - 1, len(word) + 1)
    found = connection.execute(
        "SELECT word FROM vocabulary WHERE word >= ? AND word < ? AND length(word) BETWEEN ? AND ?"
        " UNION SELECT word FROM vocabulary"
        " WHERE backwards >= ? AND backwards < ? AND length(word) BETWEEN ? AND ?",
        (beginning, beginning + _AFTER_ALL, *sizes, end, end + _AFTER_ALL, *sizes),
    )
    return [f'"{other}"' for (other,) in found if is_slip(other, word)]
