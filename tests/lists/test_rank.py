"""The order of a list: rating, games in the period, name, id; whatever is known of names."""

from __future__ import annotations

import datetime as dt
import hashlib
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.answers.lists import regenerate, show
from ledger.events.personal import Identity
from ledger.journal.interface import Journal
from ledger.lists import people
from ledger.lists.people import sort_key
from ledger.operations.commands import CorrectIdentity
from ledger.service.ledger import Ledger
from ledger.trust.verification import verify
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
)  # fmt: skip

FIRST = dt.date(1995, 7, 1)


def filled(journal: Journal | None, *people: str) -> Ledger:
    """Returns a ledger with players, each ``id,name,rating``, all of 50 games."""
    ledger = empty_ledger(journal)
    define(ledger, first_on=FIRST)
    rows = [person.rsplit(",", 1) for person in people]
    text = "".join(f"{who},CHI,,,{rating},,50\n" for who, rating in rows)
    import_text(ledger, PLAYERS_HEADER + text, list_="ENF")
    return ledger


def shown(ledger: Ledger, period: str = "1995-07") -> list[tuple[int, str]]:
    return [(row.rank, row.id) for row in show(ledger, "ENF", period).rows]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ('"Kramnik, Vladimir"', '"Kasparov, Garry"'),  # FIDE's list of January 1996: both 2775
        ('"Kramnik, Vladimir"', '"Anand, Viswanathan"'),  # and of January 2008: both 2799
    ],
)
def test_more_games_come_first(first: str, second: str) -> None:
    """Each of the two drew with somebody of his own rating, who drew more than once with him."""
    ledger = filled(None, f"2,{first},2775", f"1,{second},2775", '8,"A, A",2775', '9,"B, B",2775')
    about = ",,1995-07-01,1995-07-09,swiss,classical,,"
    ledger_games = ["1,,2,8,1/2-1/2", "2,,2,9,1/2-1/2", "3,,2,8,1/2-1/2", "1,,1,9,1/2-1/2"]
    text = "".join(f"T,T{about[1:]}{game}\n" for game in ledger_games)
    import_text(ledger, GAMES_HEADER + text)
    rows = show(ledger, "ENF", "1995-07").rows
    assert [(r.rank, r.id, r.rating, r.games) for r in rows] == [
        (1, "2", 2775, 3), (2, "8", 2775, 2), (3, "9", 2775, 2), (4, "1", 2775, 1),
    ]  # fmt: skip


class TestNames:
    def test_surnames_then_given_names_then_ids(self) -> None:
        ledger = filled(
            None, '1,"Perez Soto, Ana",2000', '2,"Pérez, Zoe",2000', '3,"PEREZ, Ana",2000',
            "4,Zúñiga,2100", '6,"Ñuñez, Eva",2000', '5,"Ñuñez, Eva",2000', '7,"Nunez, Iris",2000',
        )  # fmt: skip
        assert shown(ledger) == list(enumerate("4567321", start=1))

    def test_as_known_at_the_basis(self, journal: Journal) -> None:
        ledger = filled(journal, '1,"Abad, Ana",2000', '2,"Bravo, Eva",2000')
        publish_period(ledger, "1995-07")
        identity = Identity(name="Zurita, Ana")
        correct = CorrectIdentity(
            player="1", identity=identity, salt="0" * 32, federation="CHI", on=FIRST
        )
        do(ledger, correct)
        assert shown(ledger, "1995-08") == [(1, "2"), (2, "1")]
        made, failure = regenerate(ledger, "ENF", "1995-07", 1)
        assert failure is None
        assert made.rows.column("name") == ["Abad, Ana", "Bravo, Eva"]

    def test_an_erased_person_is_last_among_equals(self) -> None:
        ledger = filled(None, '1,"Abad, Ana",2000', '2,"Bravo, Eva",2000', '3,"Cid, Eli",1999')
        publish_period(ledger, "1995-07")
        published = ledger.facts().lists["ENF"].publications[0][1]
        erase(ledger, "Abad, Ana")
        made, _ = regenerate(ledger, "ENF", "1995-07", 1)
        assert [row.id for row in made.rows] == ["2", "1", "3"]
        assert made.output_sha256() != published.output_sha256
        assert made.ratings_sha256() == published.ratings_sha256
        assert "verify.personal_gone" in {
            finding.message.key for finding in verify(ledger).findings
        }


def erase(ledger: Ledger, name: str) -> None:
    """Takes away what the ledger knows of a person, as an erasure does."""
    documents = ledger.journal.personal_documents()
    (digest,) = (digest for digest, text in documents.items() if name in text)
    del ledger.journal._personal[digest]  # type: ignore[attr-defined]


class TestCollation:
    def test_the_folded_letters_are_pinned(self) -> None:
        """Published bytes hang on them: no later Python may fold otherwise."""
        table = repr(sorted(people._table().items()))
        expected = "1cc549ee2ebca24814fabea5538e5728ebaf4d3c0fcfc5661c65a57a0208b93e"
        assert hashlib.sha256(table.encode()).hexdigest() == expected

    @pytest.mark.parametrize(
        ("name", "like"),
        [
            ("ÁÉÍÓÚÜÑÇ", "aeiouunc"), ("Øst Åse", "ost ase"), ("Łódź", "lodz"), ("Weiß", "weiss"),
            ("Þór Æ", "thor ae"), ("O'Brien-Ng", "o brien ng"), ("Ёлкин", "елкин"),
            ("N\u0303uño", "nuno"), ("  Van  der Berg. ", "van der berg"), ("馬", "馬"),
        ],
    )  # fmt: skip
    def test_folds(self, name: str, like: str) -> None:
        assert sort_key(name, "1").split("\x00")[0] == like

    @given(st.lists(st.text(min_size=1, max_size=8), max_size=6), st.randoms())
    def test_the_order_is_one(self, names: list[str], chance: Random) -> None:
        people = [(name, str(place)) for place, name in enumerate(names)]
        mixed = chance.sample(people, len(people))
        assert sorted(mixed, key=lambda who: sort_key(*who)) == sorted(
            people, key=lambda who: sort_key(*who)
        )
