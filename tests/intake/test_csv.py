"""CSV documents: everything wrong at once, with line and column; the same again adds nothing."""

from __future__ import annotations

import datetime as dt
import io
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import Conflict, InputRefused, LedgerError
from ledger.events.players import RatingSeeded
from ledger.events.tournaments import TournamentOpened
from ledger.intake.csv_table import DocumentTable
from ledger.intake.headings import Heading, Headings
from ledger.intake.imports import Document, Supplied, import_document
from ledger.intake.problems import Problems
from ledger.operations.commands import RuleOnTournament
from ledger.service.ledger import Ledger, Request
from ledger.terms import Rate, System
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
)

ABOUT = "T,Torneo,2010-07-10,2010-07-12,swiss,rapid,"
PLAYERS = PLAYERS_HEADER + "A,Ana,CHI,w,1990-05-01,1500,15,40\nB,Beto,,,,1600,,\nC,Ciro,,,,,,\n"


@pytest.fixture
def ledger() -> Ledger:
    ledger = empty_ledger()
    define(ledger)
    import_text(ledger, PLAYERS, list_="ENF")
    return ledger


def refused(ledger: Ledger, text: str, list_: str | None = None) -> list[tuple[int, int, str]]:
    """Returns line, column and key of every problem of a document that is refused."""
    before = ledger.journal.head()
    with pytest.raises(LedgerError) as refusal:
        import_text(ledger, text, list_=list_)
    assert ledger.journal.head() == before
    return [(d.line, d.column, d.message.key) for d in refusal.value.details] or [
        (0, 0, refusal.value.message.key)
    ]


class TestPlayers:
    @pytest.mark.parametrize(
        ("row", "column", "key"),
        [
            (",Ana,,,,,,", 1, "csv.missing"),
            ("D,,,,,,,", 2, "csv.missing"),
            ("D,Dina,CHIL,,,,,", 3, "csv.no_federation"),
            ("D,Dina,,x,,,,", 4, "csv.no_sex"),
            ("D,Dina,,,1990-13-01,,,", 5, "csv.no_date"),
            ("D,Dina,,,,abc,,", 6, "csv.no_integer"),
            ("D,Dina,,,,-5,,", 6, "csv.no_integer"),
            ("D,Dina,,,,1500.5,,", 6, "csv.no_integer"),
            ("D,Dina,,,,99999,,", 6, "csv.no_integer"),
            (f"D,Dina,,,,{'1' * 5_000},,", 6, "csv.no_integer"),
            ("D,Dina,,,,١٥٠٠,,", 6, "csv.no_integer"),
            ("D,Dina,,,,１５００,,", 6, "csv.no_integer"),
            ("D,Dina,,,,150²,,", 6, "csv.no_integer"),
            ("D,Dina,,,١٩٩٠,,,", 5, "csv.no_date"),
            ("D,Dina,,,1990-0١-13,,,", 5, "csv.no_date"),
            (f"D,Dina,,,{'1' * 5_000},,,", 5, "csv.no_date"),
            ("D,Dina,,,,,x,", 7, "csv.no_integer"),
            ("D,Dina,,,,,,x", 8, "csv.no_integer"),
            ("D,Dina,,,,,,,9", 9, "csv.too_many_fields"),
        ],
    )
    def test_a_bad_field(self, row: str, column: int, key: str) -> None:
        assert (2, column, key) in refused(empty_ledger(), PLAYERS_HEADER + row + "\n")

    def test_everything_at_once(self) -> None:
        text = PLAYERS_HEADER + "D,,,,,,,\nE,Eva,,x,,,,\nD,Dina,,,,,,\nD,Dina,,,,,,\n"
        assert refused(empty_ledger(), text) == [
            (2, 2, "csv.missing"),
            (3, 4, "csv.no_sex"),
            (5, 1, "import.stands_twice"),
        ]

    @pytest.mark.parametrize(
        ("header", "key"),
        [
            ("id,rating\n", "csv.column_missing"),
            ("id,RUT,rating\n", "csv.column_among"),
            ("nome,tittel\n", "import.unknown_kind"),
            ("id,name,ello\n", "csv.unknown_column"),
            ("id,name,name\n", "csv.column_twice"),
            ("\n\n", "csv.empty"),
        ],
    )
    def test_a_bad_header(self, header: str, key: str) -> None:
        assert refused(empty_ledger(), header)[0][2] == key

    def test_the_same_file_again_adds_nothing(self, ledger: Ledger) -> None:
        head = ledger.journal.head()
        assert import_text(ledger, PLAYERS, list_="ENF").repeated
        assert not import_text(ledger, PLAYERS + "\n", list_="ENF").events
        assert ledger.journal.head() == head

    def test_other_content_is_a_conflict_until_it_is_a_correction(self, ledger: Ledger) -> None:
        text = PLAYERS.replace("Ana,", "Anna,").replace("1500,15,40", "1510,20,40")
        with pytest.raises(Conflict) as conflict:
            import_text(ledger, text, list_="ENF")
        assert [d.message.key for d in conflict.value.details] == [
            "import.other_identity",
            "import.other_k",
            "import.other_rating",
        ]
        receipt = import_text(ledger, text, list_="ENF", as_correction=True)
        assert [d.event.TYPE for d in receipt.events] == [
            "player.identity-corrected",
            "player.k-assigned",
            "player.rating-seeded",
        ]

    def test_a_correction_may_come_again_after_another(self, ledger: Ledger) -> None:
        other = PLAYERS.replace("Beto", "Betto")
        for text in (other, PLAYERS, other):
            assert import_text(ledger, text, list_="ENF", as_correction=True).events

    def test_seeds_are_in_force_on_the_lists_first_day_or_on_the_day_given(
        self, ledger: Ledger
    ) -> None:
        publish_period(ledger, "2010-07")
        text = PLAYERS_HEADER + "D,Dina,,,,1700,,\n"
        assert refused(ledger, text, "ENF") == [(2, 1, "list.closed")]
        document = Document(name="x.csv", data=text.encode(), list="ENF", on=dt.date(2010, 8, 1))
        receipt = import_document(ledger, document, Request("t", "", "", ""))
        seeds = [d for d in receipt.events if isinstance(d.event, RatingSeeded)]
        assert [d.effective_on for d in seeds] == [dt.date(2010, 8, 1)]


class TestGames:
    @pytest.mark.parametrize(
        ("row", "column", "key"),
        [
            (f"{ABOUT},1,,A,B,2-0", 12, "csv.no_result"),
            (f"{ABOUT},1,,A,B,", 12, "csv.missing"),
            (f"{ABOUT},x,,A,B,1-0", 8, "csv.no_integer"),
            (f"{ABOUT},0,,A,B,1-0", 8, "csv.no_integer"),
            (f"{ABOUT},{'1' * 5_000},,A,B,1-0", 8, "csv.no_integer"),
            (f"{ABOUT},١,,A,B,1-0", 8, "csv.no_integer"),
            (f"{ABOUT},1,2010-07-0٣,A,B,1-0", 9, "csv.no_date"),
            (f"X,X,2010-07-01,2010-07-02,swiss,classical,{'1' * 5_000},1,,A,B,1-0", 7,
             "csv.no_hundredths"),
            ("X,X,2010-07-01,2010-07-02,swiss,classical,١,1,,A,B,1-0", 7, "csv.no_hundredths"),
            (f"{ABOUT},1,10.07.2010,A,B,1-0", 9, "csv.ambiguous_date"),
            (f"{ABOUT},1,2010-07-20,A,B,1-0", 12, "pairing.outside_dates"),
            (f"{ABOUT},1,,A,,1-0", 11, "csv.opponent_missing"),
            (f"{ABOUT},1,,A,B,U", 11, "csv.bye_needs_one"),
            (f"{ABOUT},1,,A,A,1-0", 12, "pairing.against_himself"),
            (f"{ABOUT},1,,A,X,1-0", 11, "player.unknown"),
            ("T,Torneo,2010-07-12,2010-07-10,swiss,rapid,,1,,A,B,1-0", 1,
             "tournament.ends_before_start"),
            ("T,Torneo,2010-07-10,2010-07-12,swiss,fast,,1,,A,B,1-0", 6, "csv.no_choice"),
            ("T,Torneo,2010-07-10,2010-07-12,knockout,rapid,,1,,A,B,1-0", 5, "csv.no_choice"),
            (f"{ABOUT}1.005,1,,A,B,1-0", 7, "csv.no_hundredths"),
            ("T,,,,,,,1,,A,B,1-0", 1, "import.incomplete"),
        ],
    )  # fmt: skip
    def test_a_bad_row(self, ledger: Ledger, row: str, column: int, key: str) -> None:
        assert (2, column, key) in refused(ledger, GAMES_HEADER + row + "\n")

    def test_a_date_that_cannot_be_read_is_not_missing_besides(self, ledger: Ledger) -> None:
        row = "T,Torneo,10-08-10,12-08-10,swiss,rapid,,1,,A,B,1-0"
        assert refused(ledger, GAMES_HEADER + row + "\n") == [
            (2, 3, "csv.no_date"),
            (2, 4, "csv.no_date"),
        ]
        row = "T,,10-08-10,2010-08-12,swiss,rapid,,1,,A,B,1-0"
        assert refused(ledger, GAMES_HEADER + row + "\n") == [
            (2, 1, "import.incomplete"),
            (2, 3, "csv.no_date"),
        ]

    def test_rows_that_contradict_each_other(self, ledger: Ledger) -> None:
        text = GAMES_HEADER + f"{ABOUT},1,,A,B,1-0\n{ABOUT},1,,B,C,1-0\n{ABOUT},1,,B,A,0-1\n"
        assert refused(ledger, text) == [
            (3, 12, "pairing.paired_twice"),
            (4, 12, "pairing.paired_twice"),
        ]
        text = GAMES_HEADER + f"{ABOUT},1,,A,B,1-0\n{ABOUT.replace('rapid', 'blitz')},2,,A,B,1-0\n"
        assert refused(ledger, text) == [(3, 6, "csv.contradicts")]

    def test_all_that_is_allowed(self, ledger: Ledger) -> None:
        rows = ("1,,A,B,½-½", "2,,B,A,1/2", "3,,A,,u", "3,,,B,H", "4,,A,B,-/-", "5,,A,B,1-0A")
        text = "\ufeff" + (GAMES_HEADER + "".join(f"{ABOUT},{row}\n" for row in rows[:5]))
        text = text.replace(",", ";").replace("rapid;", "Rapid;0,5")
        receipt = import_text(ledger, text)
        opened = receipt.events[0].event
        assert isinstance(opened, TournamentOpened)
        assert opened.merit_hundredths == 50
        assert refused(ledger, GAMES_HEADER + f"{ABOUT},{rows[5]}\n")[0][2] == "csv.no_result"

    def test_rounds_may_come_one_file_after_the_other(self, ledger: Ledger) -> None:
        first = import_text(ledger, GAMES_HEADER + f"{ABOUT},1,,A,B,1-0\n")
        second = import_text(ledger, GAMES_HEADER + "T,,,,,,,2,,B,C,1-0\nT,,,,,,,1,,A,B,1-0\n")
        assert [d.event.TYPE for d in second.events] == ["player.entered", "result.recorded"]
        assert second.first_seq == first.last_seq + 1

    def test_changed_pairings_as_a_correction(self, ledger: Ledger) -> None:
        import_text(ledger, GAMES_HEADER + f"{ABOUT},1,,A,B,1-0\n{ABOUT},1,,C,,U\n")
        changed = GAMES_HEADER + f"{ABOUT},1,,A,C,1-0\n{ABOUT},1,,B,,U\n"
        with pytest.raises(Conflict):
            import_text(ledger, changed)
        receipt = import_text(ledger, changed, as_correction=True)
        assert [d.event.TYPE for d in receipt.events] == [
            "result.annulled",
            "result.annulled",
            "result.recorded",
            "bye.given",
        ]

    def test_what_a_file_does_not_mention_is_told(self, ledger: Ledger) -> None:
        import_text(ledger, GAMES_HEADER + f"{ABOUT},1,,A,B,1-0\n{ABOUT},1,,C,,U\n")
        receipt = import_text(ledger, GAMES_HEADER + f"{ABOUT},1,,A,B,1-0\n")
        assert [note.message.key for note in receipt.notes] == ["import.unmentioned"]

    def test_a_correction_is_the_whole_report(self, ledger: Ledger) -> None:
        rows = [f"{ABOUT},1,,A,B,1-0", f"{ABOUT},2,,B,C,½-½", f"{ABOUT},2,,A,,U"]
        import_text(ledger, GAMES_HEADER + "\n".join(rows))
        right = GAMES_HEADER + f"{ABOUT},1,,A,B,0-1\n"
        receipt = import_text(ledger, right, as_correction=True)
        assert [d.event.TYPE for d in receipt.events] == [
            "result.corrected",
            "result.annulled",
            "result.annulled",
        ]
        struck = [dict(n.message.values) for n in receipt.notes if n.message.key == "import.struck"]
        assert [told["recorded"] for told in struck] == ["B - C 1/2-1/2", "A pairing-allocated"]
        assert import_text(ledger, right, as_correction=True).events == ()

    def test_what_is_missing_in_a_part_of_the_report_stays(self, ledger: Ledger) -> None:
        rows = [f"{ABOUT},1,,A,B,1-0", f"{ABOUT},2,,B,C,½-½", f"{ABOUT},2,,A,,U"]
        import_text(ledger, GAMES_HEADER + "\n".join(rows))
        right = GAMES_HEADER + f"{ABOUT},2,,B,C,1-0\n"
        receipt = import_text(ledger, right, as_correction=True, partial=True)
        assert [d.event.TYPE for d in receipt.events] == ["result.corrected"]
        assert [note.message.key for note in receipt.notes] == ["import.unmentioned"]

    def test_an_adjudication_is_told_from_a_played_game(self, ledger: Ledger) -> None:
        import_text(ledger, GAMES_HEADER + f"{ABOUT},1,,A,B,1-0a\n")
        played = GAMES_HEADER + f"{ABOUT},1,,A,B,1-0\n"
        receipt = import_text(ledger, played, as_correction=True)
        assert [d.event.TYPE for d in receipt.events] == ["result.corrected"]

    def test_nothing_of_an_annulled_tournament_comes_in_again(self, ledger: Ledger) -> None:
        text = GAMES_HEADER + f"{ABOUT},1,,A,B,1-0\n"
        import_text(ledger, text)
        do(ledger, RuleOnTournament(tournament="T", ruling="annul", on=dt.date(2010, 8, 1)))
        assert refused(ledger, text + "\n")[0][2] == "tournament.annulled"

    def test_what_cannot_be_read_does_not_hide_what_cannot_be_recorded(
        self, ledger: Ledger
    ) -> None:
        text = GAMES_HEADER + f"{ABOUT},1,,A,X,1-0\n{ABOUT},2,,A,B,2-0\n{ABOUT},3,,X,A,1-0\n"
        assert refused(ledger, text) == [(2, 11, "player.unknown"), (3, 12, "csv.no_result")]

    @pytest.mark.parametrize(
        "row",
        [ABOUT.replace("Torneo", "\x07"), "T,Torneo,2010-07-12,2010-07-10,swiss,rapid,"],
    )
    def test_of_a_tournament_that_is_refused_only_why_is_told(
        self, ledger: Ledger, row: str
    ) -> None:
        told = refused(ledger, GAMES_HEADER + f"{row},1,,A,B,1-0\n{row},2,,B,A,1-0\n")
        assert len(told) == 1
        assert told[0][:2] == (2, 1)

    SUPPLIED = Supplied(
        tournament="Z", name="Otro", rate_of_play=Rate.BLITZ, ends_on=dt.date(2010, 7, 12)
    )

    def supplied(
        self, ledger: Ledger, text: str, supplied: Supplied = SUPPLIED
    ) -> list[tuple[int, str]]:
        """Returns what is noted of a file that comes with more: line and sentence."""
        document = Document(name="g.csv", data=text.encode(), supplied=supplied, as_correction=True)
        receipt = import_document(ledger, document, Request("t", "why", "", ""))
        assert {note.file for note in receipt.notes} <= {"g.csv"}
        return [(note.line, str(note.message).partition(", ")[0]) for note in receipt.notes]

    TWO = (
        GAMES_HEADER + f"{ABOUT},1,,A,B,1-0\nU,Otro,2010-07-10,2010-07-11,swiss,rapid,,1,,A,B,1-0\n"
    )
    NOTED: Final = [
        (0, "the file says the id of each tournament itself"),
        (2, "tournament T: for name the file says Torneo; taken is Otro"),
        (2, "tournament T: for rate of play the file says rapid; taken is blitz"),
        (3, "tournament U: for last day the file says 2010-07-11; taken is 2010-07-12"),
        (3, "tournament U: for rate of play the file says rapid; taken is blitz"),
    ]

    def test_what_an_option_overrides_is_told_of_each_tournament(self, ledger: Ledger) -> None:
        assert self.supplied(ledger, self.TWO) == self.NOTED

    def test_likewise_of_tournaments_that_are_recorded(self, ledger: Ledger) -> None:
        import_text(ledger, self.TWO)
        assert self.supplied(ledger, self.TWO) == self.NOTED

    def test_nothing_is_told_of_what_the_file_says_as_well_or_leaves_open(
        self, ledger: Ledger
    ) -> None:
        text = GAMES_HEADER + "T,Torneo,2010-07-10,,swiss,rapid,,1,,A,B,1-0\n"
        more = Supplied(tournament="T", rate_of_play=Rate.RAPID, ends_on=dt.date(2010, 7, 12))
        assert self.supplied(ledger, text, more) == []

    WHOLE = Supplied(
        tournament="Z", name="Otro", starts_on=dt.date(2010, 7, 10), ends_on=dt.date(2010, 7, 12),
        system=System.ROUND_ROBIN, rate_of_play=Rate.BLITZ,
    )  # fmt: skip

    def test_a_table_without_the_tournament_is_of_the_one_that_is_supplied(
        self, ledger: Ledger
    ) -> None:
        text = "ronda;blancas;negras;resultado\n1;A;B;1-0\n2;B;A;0-1\n"
        with pytest.raises(InputRefused) as refusal:
            import_text(ledger, text)
        assert [each.message.key for each in refusal.value.details] == ["csv.tournament_missing"]
        assert self.supplied(ledger, text, self.WHOLE) == []
        assert ledger.facts().tournament_ids == ["Z"]
        about = "Z,Otro,2010-07-10,2010-07-12,round-robin,blitz,"
        same = GAMES_HEADER + f"{about},1,,A,B,1-0\n{about},2,,B,A,0-1\n"
        assert import_text(ledger, same).events == ()

    def test_so_are_rows_whose_tournament_is_left_open(self, ledger: Ledger) -> None:
        text = "torneo,ronda,blancas,negras,resultado\n,1,A,B,1-0\nZ,2,B,A,1-0\n"
        assert self.supplied(ledger, text, self.WHOLE) == []
        assert ledger.facts().tournament_ids == ["Z"]

    def test_a_corrected_tournament(self, ledger: Ledger) -> None:
        import_text(ledger, GAMES_HEADER + f"{ABOUT},1,,A,B,1-0\n")
        changed = GAMES_HEADER + f"{ABOUT.replace('2010-07-12', '2010-07-13')},1,,A,B,1-0\n"
        with pytest.raises(Conflict):
            import_text(ledger, changed)
        receipt = import_text(ledger, changed, as_correction=True)
        assert [d.event.TYPE for d in receipt.events] == ["tournament.corrected"]


@pytest.mark.parametrize(
    ("data", "key"),
    [(b"PK\x03\x04rest", "workbook.no_zip"), (b"id,name\n\x00", "text.binary"), (b"", None)],
)
def test_files_that_are_no_text(data: bytes, key: str | None) -> None:
    with pytest.raises(InputRefused) as refusal:
        import_document(empty_ledger(), Document(name="x", data=data), Request("t", "", "", ""))
    assert key is None or refusal.value.message.key == key


@pytest.mark.parametrize(
    "data", [b"\xff\xfe\x00", b"\xfe\xff\x00", b"\xef\xbb\xbfid,name\nz,A\xff\n"]
)
def test_bad_bytes_behind_a_byte_order_mark(data: bytes) -> None:
    with pytest.raises(InputRefused):
        import_document(empty_ledger(), Document(name="x", data=data), Request("t", "", "", ""))


def test_a_year_that_agrees_is_no_other_birth_date(ledger: Ledger) -> None:
    receipt = import_text(ledger, PLAYERS.replace("1990-05-01", "1990"), list_="ENF")
    assert receipt.events == ()


def player(n: int, name: str, rating: int, fide: int, points: str, rank: int, round_: str) -> str:
    """Returns a 001 record with one round."""
    return (
        f"001 {n:>4}      {name:<33} {rating:>4} {'':3} {fide:>11} {'':10} {points:>4} {rank:>4}"
        f"  {round_}\n"
    )


class TestReports:
    """Tournament reports that come with more, or less, than the ledger wants."""

    REPORT = (
        "012 Copa\n042 2010/07/10\n052 2010/07/10\n092 Swiss\n"
        + player(1, "Nora", 1500, 11, "1.0", 1, "   2 w 1")
        + player(2, "Saul", 1600, 12, "0.0", 2, "   1 b 0")
    )

    def report(self, ledger: Ledger, text: str, **more: object) -> list[str]:
        supplied = Supplied(tournament="R", rate_of_play=Rate.RAPID, **more)  # type: ignore[arg-type]
        self.receipt = import_document(
            ledger,
            Document(name="r.trf", data=text.encode(), list=self.list, supplied=supplied),
            Request("t", "", "", ""),
        )
        return [note.message.key for note in self.receipt.notes]

    list: str | None = None

    def test_ratings_that_are_not_used_are_told_and_may_come_later(self, ledger: Ledger) -> None:
        assert "import.ratings_not_used" in self.report(ledger, self.REPORT)
        self.list = "ENF"
        self.report(ledger, self.REPORT)
        assert [d.event.TYPE for d in self.receipt.events] == ["player.rating-seeded"] * 2

    def test_what_an_option_overrides_is_told(self, ledger: Ledger) -> None:
        assert "import.overridden" in self.report(ledger, self.REPORT, name="Otra")

    def test_two_players_with_one_fide_number_are_one_problem(self, ledger: Ledger) -> None:
        with pytest.raises(InputRefused) as refusal:
            self.report(ledger, self.REPORT.replace(" 12 ", " 11 "))
        assert [(d.line, d.message.key) for d in refusal.value.details] == [(6, "csv.player_twice")]


LETTERS = Headings(tuple(Heading(name, name) for name in "abc"), required=("a",), telling=("a",))
fields = st.text(st.sampled_from('ab \r\n"\u2028'), max_size=4)


@given(written=st.lists(st.lists(fields, max_size=3), max_size=8), size=st.integers(1, 4))
def test_rows_have_the_same_numbers_one_by_one_and_in_pages(
    written: list[list[str]], size: int
) -> None:
    lines = [",".join(f'"{text.replace(chr(34), chr(34) * 2)}"' for text in row) for row in written]
    text = "\n".join(["a,b,c", *lines])

    def table() -> DocumentTable:
        lines = io.StringIO(text, newline="")
        return DocumentTable(lines, LETTERS, Problems())

    pages = list(table().pages(size))
    assert [row for page in pages for row in page] == list(table().records())
    assert all(len(page) <= size for page in pages)
