"""The root over a list's rows: as the text says it, the same after an erasure, and verified."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256

import pytest
import rfc8785

from ledger.answers.lists import regenerate, show
from ledger.errors import NotFound
from ledger.journal.interface import Journal
from ledger.journal.merkle import includes, leaf_hash, root_of
from ledger.lists.committed_rows import CommittedRows, committed_rows
from ledger.lists.people import People
from ledger.lists.rating_list import rating_list
from ledger.operations.commands import PublishList
from ledger.service.ledger import Ledger
from ledger.trust.verification import verify
from ledger.views.list_editions import require_period
from tests.ledgers import (
    PLAYERS_HEADER,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
    with_july_published,
)

PEOPLE = '1,"Abad, Ana",CHI,,,2000,,50\n2,"Ábaco ""El Rey""",,,,2000,,50\n3,Cid,ARG,,,,,\n'


def committed(ledger: Ledger, period: str = "2010-07") -> CommittedRows:
    made, _ = regenerate(ledger, "ENF", period, 1)
    return committed_rows(made.rows.published, ledger.people(ledger.facts(), made.basis.seq))


def published_root(ledger: Ledger) -> str | None:
    return ledger.facts().lists["ENF"].publications[0][1].rows_root


@pytest.fixture
def club() -> Ledger:
    ledger = empty_ledger()
    define(ledger)
    import_text(ledger, PLAYERS_HEADER + PEOPLE, list_="ENF")
    publish_period(ledger, "2010-07")
    return ledger


def test_a_leaf_is_the_row_as_canonical_json_with_the_identity_for_the_name(club: Ledger) -> None:
    found = committed(club)
    for row in show(club, "ENF", "2010-07", edition=1).rows:
        said = row.data()
        del said["rank"], said["name"]
        (digest,) = (
            event["identity"]
            for event in (json.loads(e.payload) for e in club.journal.events())
            if event.get("player") == row.id and "identity" in event
        )
        said["identity"] = digest
        present = {name: value for name, value in said.items() if value is not None}
        assert found.row(row.id).text.encode() == rfc8785.dumps(present)


def test_the_root_is_that_of_rfc_9162_over_the_rows_by_rating_games_and_id(club: Ledger) -> None:
    found = committed(club)
    assert list(found.ids) == sorted(found.ids)
    first, second = (sha256(b"\x00" + text.encode()).digest() for text in found.texts)
    assert root_of(found.leaves()) == sha256(b"\x01" + first + second).digest()
    assert published_root(club) == root_of(found.leaves()).hex()


def test_the_leaves_are_the_same_where_no_name_is_read(club: Ledger) -> None:
    made, _ = regenerate(club, "ENF", "2010-07", 1)
    facts, basis = club.facts(), made.basis.seq
    outcome = club.calculated(facts, "ENF", basis, require_period(facts, "ENF", "2010-07", basis))
    nameless = People(outcome.timeline.known, lambda _: {})
    bare = rating_list(outcome, nameless, seq=basis, edition=1)
    assert not any(bare.rows.column("name"))
    assert [*bare.rows.column("id")] != [*made.rows.column("id")]
    assert committed_rows(bare.rows.published, nameless) == committed(club)


def test_every_row_is_provable_alone(journal: Journal) -> None:
    ledger = with_july_published(journal)
    found = committed(ledger)
    root = root_of(found.leaves())
    for player in found.ids:
        row = found.row(player)
        assert includes(root, len(found.ids), row.index, leaf_hash(row.text.encode()), row.path)
        assert row.root() == root.hex()
        assert replace(row, index=row.index - 1).root() != root.hex()
        assert replace(row, path=row.path[1:]).root() is None
    with pytest.raises(NotFound):
        found.row("nobody")


def test_nobody_is_missed_when_a_person_is_erased(club: Ledger) -> None:
    before = committed(club)
    documents = club.journal.personal_documents()
    (digest,) = (digest for digest, text in documents.items() if "Abad" in text)
    del club.journal._personal[digest]  # type: ignore[attr-defined]
    ledger = Ledger(club.journal, club.clock)
    assert [row.id for row in regenerate(ledger, "ENF", "2010-07", 1)[0].rows][-1] == "1"
    assert committed(ledger) == before


def test_another_root_is_found() -> None:
    ledger = with_july_published()
    made = show(ledger, "ENF", "2010-08")
    command = PublishList(
        list="ENF",
        period="2010-08",
        edition=1,
        basis_seq=made.basis.seq,
        regulation=made.basis.regulation,
        regulation_digest=made.basis.regulation_digest,
        row_count=len(made.rows),
        output_sha256=replace(made, edition=1).output_sha256(),
        ratings_sha256=made.ratings_sha256(),
        rows_root="0" * 64,
    )
    do(ledger, command)
    (finding,) = verify(ledger).findings
    assert finding.message.key == "verify.list_value"
    assert "rows_root 0000" in str(finding.message)
