"""What a rating that is brought in leaves open, and what the K published with it says."""

from __future__ import annotations

import datetime as dt

import pytest

from ledger.answers.lists import regenerate, show
from ledger.calendar import Calendar
from ledger.errors import Conflict
from ledger.intake.imports import Document, import_document
from ledger.journal.interface import Journal
from ledger.operations.commands import MergePlayers, SeedRating
from ledger.service.ledger import Ledger, Request
from ledger.service.lists import adopt_regulation
from ledger.trust.verification import verify
from tests.ledgers import (
    GAMES_HEADER,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
    request,
)

HEADER = "id,name,birth_date,rating,games,published_k\n"
FIRST = dt.date(2024, 4, 1)


def a_list(
    regulation: str = "fide-standard", first_on: dt.date = FIRST, journal: Journal | None = None,
    calendar: Calendar = Calendar.MONTHLY,
) -> Ledger:  # fmt: skip
    ledger = empty_ledger(journal)
    define(ledger, "L", regulation=regulation, first_on=first_on, calendar=calendar)
    return ledger


def k_of(ledger: Ledger, player: str = "A", period: str | None = None) -> int:
    """The K of a player from the list of the period on."""
    (row,) = (row for row in show(ledger, "L", period).rows if row.id == player)
    return row.k


# FIDE's K stands in its list: 40, 20 or 10 since July 2014, before that 30 (25), 15, 10.
@pytest.mark.parametrize(
    ("regulation", "first_on", "row", "k"),
    [
        ("fide-standard", FIRST, "1990,2100,,20", 20),
        ("fide-standard", FIRST, "1990,2100,,40", 40),
        ("fide-standard", FIRST, "1990,2350,,10", 10),
        ("fide-standard", FIRST, "1990,2100,,", 20),
        ("fide-standard", FIRST, "1990,2100,0,", 40),
        ("fide-standard", FIRST, "1990,2100,29,", 40),
        ("fide-standard", FIRST, "1990,2100,30,", 20),
        ("fide-standard", FIRST, "1990,2100,5,20", 20),
        ("fide-standard", FIRST, "1990,2100,5,40", 40),
        ("fide-standard", FIRST, "1990,2350,80,10", 10),
        ("fide-standard", FIRST, "2010,2100,,40", 40),
        ("fide-standard", FIRST, "2010,2250,,20", 20),
        ("fide-standard", FIRST, "2010,2250,,", 40),
        ("fide-standard", FIRST, "1990,2100,,24", 20),
        ("fide-standard", dt.date(2012, 7, 1), "1990,2100,,30", 30),
        ("fide-standard", dt.date(2012, 7, 1), "1990,2100,,15", 15),
        ("fide-standard", dt.date(2012, 7, 1), "1990,2350,,10", 10),
        ("fide-standard", dt.date(2009, 7, 1), "1990,2100,,25", 25),
        ("fide-rapid", FIRST, "1990,2100,,20", 20),
        ("fide-rapid", FIRST, "1990,2100,,40", 40),
        ("enf-2010", dt.date(2010, 7, 1), "1990,2100,,30", 30),
        ("enf-2010", dt.date(2010, 7, 1), "1990,2100,,15", 15),
        ("enf-2010", dt.date(2010, 7, 1), "1990,2350,,10", 10),
        ("enf-2010", dt.date(2010, 7, 1), "1990,2100,,", 15),
        ("fenamac-1973", dt.date(1973, 1, 1), "1950,1900,,45", 45),
        ("fenamac-1973", dt.date(1973, 1, 1), "1950,1900,,30", 30),
        ("fenamac-1973", dt.date(1973, 1, 1), "1950,1900,,20", 20),
        ("fenamac-1973", dt.date(1973, 1, 1), "1950,1900,,", 20),
        ("uanl-1975", dt.date(1975, 1, 1), "1950,1800,,30", 25),  # a matter of the rating alone
    ],
)  # fmt: skip
def test_k_goes_on_from_what_was_published(
    regulation: str, first_on: dt.date, row: str, k: int
) -> None:
    ledger = a_list(regulation, first_on)
    import_text(ledger, f"{HEADER}A,Ana,{row}\n", list_="L")
    first = f"{first_on.year}-{first_on.month:02}"
    assert k_of(ledger, period=first) == k


def test_from_k_20_thirty_games_follow_and_from_k_40_none() -> None:
    """Nine games are won by each of two: the K of the one who was new stays, by 9 of 30."""
    ledger = a_list()
    import_text(
        ledger,
        HEADER
        + "A,Ana,1990,2100,,20\nB,Beto,1990,2100,,40\nC,Ciro,1990,2100,21,\nZ,Zoe,1990,2100,99,\n",
        list_="L",
    )
    rows = [
        f"T,T,2024-04-01,2024-04-27,swiss,classical,,{round_},,{player},Z,1-0\n"
        for place, player in enumerate("ABC")
        for round_ in range(9 * place + 1, 9 * place + 10)
    ]
    import_text(ledger, GAMES_HEADER + "".join(rows))
    rows_shown = {row.id: (row.change, row.k) for row in show(ledger, "L", "2024-04").rows}
    # 9 * K / 2; of the third 21 + 9 games are 30 from then on.
    assert rows_shown["A"] == (90, 20)
    assert rows_shown["B"] == (180, 40)
    assert rows_shown["C"] == (180, 20)


def test_a_young_player_of_k_40_is_new_only_where_nothing_else_explains_it() -> None:
    ledger = a_list(first_on=dt.date(2024, 1, 1))
    import_text(ledger, HEADER + "A,Ana,2006,2100,,40\nB,Beto,1990,2100,,40\n", list_="L")
    assert k_of(ledger, "A", "2024-02") == 40
    assert (k_of(ledger, "A", "2024-12"), k_of(ledger, "B", "2024-12")) == (20, 40)


def test_what_follows_is_the_lists_own_and_outlasts_it() -> None:
    """A K of 10 says under every later regulation that 2400 was reached."""
    ledger = a_list("fide-standard", dt.date(2024, 1, 1))
    import_text(ledger, HEADER + "A,Ana,1990,2300,,10\nB,Beto,1990,2300,,\n", list_="L")
    adopt_regulation(
        ledger, "L", regulation="enf-2010", parameters={}, on=dt.date(2024, 3, 1),
        as_correction=False, request=request(),
    )  # fmt: skip
    assert (k_of(ledger, "A", "2024-03"), k_of(ledger, "B", "2024-03")) == (10, 15)
    adopt_regulation(
        ledger, "L", regulation="fenamac-1973", parameters={}, on=dt.date(2024, 4, 1),
        as_correction=False, request=request(),
    )  # fmt: skip
    assert k_of(ledger, "B", "2024-04") == 20, "established is more games than any rule calls few"


def test_a_late_seed_makes_good_what_the_first_said(journal: Journal) -> None:
    ledger = a_list(journal=journal)
    import_text(ledger, HEADER + "A,Ana,1990,2100,,40\nB,Beto,1990,2100,50,\n", list_="L")
    publish_period(ledger, "2024-04", "L")
    seed = SeedRating(
        player="A", list="L", rating=2100, games=None, k=20, source=None, on=FIRST,
        as_correction=True,
    )  # fmt: skip
    do(ledger, seed)
    assert (k_of(ledger, "A", "2024-04"), k_of(ledger, "A", "2024-05")) == (20, 20)
    assert regenerate(ledger, "L", "2024-04", 1)[1] is None
    assert not verify(ledger).findings


def test_a_merged_id_brings_its_past() -> None:
    ledger = a_list()
    import_text(ledger, HEADER + "A,Ana,1990,2100,,40\nB,Ana,2010,,,\n", list_="L")
    do(ledger, MergePlayers(player="A", into="B", on=dt.date(2024, 4, 1)))
    assert k_of(ledger, "B", "2024-04") == 40


class TestImport:
    def take(
        self, ledger: Ledger, text: str, games: int | None, *, correct: bool = False
    ) -> list[str]:
        document = Document(
            name="players.csv", data=text.encode(), list="L", games=games, as_correction=correct
        )
        receipt = import_document(ledger, document, Request("tester", "test", "", ""))
        return [note.message.within("en") for note in receipt.notes]

    def test_the_note_counts_and_names_the_option(self) -> None:
        text = (
            HEADER + "A,Ana,,2100,,\nB,Beto,,2100,,20\nC,Ciro,,2100,7,\nD,Dora,,,,\nE,Eva,,1900,,\n"
        )
        ledger = a_list()
        (note,) = self.take(ledger, text, None)
        assert note.startswith("of 2 players nobody told how many rated games")
        assert "--games" in note
        assert not self.take(a_list(), text, 0)

    def test_games_of_whom_the_file_does_not_say(self) -> None:
        ledger = a_list()
        text = HEADER + "A,Ana,1990,2100,,\nB,Beto,1990,2100,,20\nC,Ciro,1990,2100,50,\n"
        self.take(ledger, text, 0)
        assert [k_of(ledger, player, "2024-04") for player in "ABC"] == [40, 20, 20]

    def test_what_was_left_open_is_told_later_as_a_correction(self) -> None:
        ledger = a_list()
        text = HEADER + "A,Ana,1990,2100,,\n"
        self.take(ledger, text, None)
        head = ledger.journal.head()
        with pytest.raises(Conflict) as conflict:
            self.take(ledger, text, 0)
        assert "2100 (?), the file says 2100 (0)" in str(conflict.value.details[0].message)
        self.take(ledger, text, 0, correct=True)
        assert ledger.journal.head().seq == head.seq + 1
        assert k_of(ledger, period="2024-04") == 40
        self.take(ledger, text + "\n", None)
        assert ledger.journal.head().seq == head.seq + 1, "who says nothing contradicts nobody"
