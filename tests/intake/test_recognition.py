"""Whom a document means: by an id, by an earlier decision, or somebody decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from ledger.answers.directory import player_known
from ledger.errors import Conflict, InputRefused, NotFound
from ledger.intake.imports import Document, Supplied, import_document
from ledger.intake.report_file import tournament_report
from ledger.operations.commands import LinkPlayer, MergePlayers, UndoCommit
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.service.operations import carry_out
from ledger.service.people_meant import PeopleMeant
from ledger.service.receipts import receipt_data
from ledger.service.retractions import undo_commit
from ledger.terms import Rate, TrfVersion
from ledger.views.federation import FederationRules
from tests.intake.trf.writing import file, player
from tests.ledgers import PLAYERS_HEADER, do, empty_ledger, import_text, request

MEMBERS = """\
101,"Soto Pérez, Ana María",CHI,w,1990,,,
102,"González, Juan",CHI,m,1985,,,
103,"Muñoz Rojas, Pedro",CHI,m,1970,,,
"""


@dataclass
class Line:
    """Somebody in a report."""

    name: str
    year: int
    sex: str = "m"
    number: str = ""

    def written(self, at: int) -> str:
        """Returns the record, with a game against the next one."""
        other = at + 1 if at % 2 else at - 1
        result = "1" if at % 2 else "0"
        return player(
            at,
            self.name,
            f"{other:4} {'w' if at % 2 else 'b'} {result}",
            sex=self.sex,
            federation="CHI",
            fide=self.number,
            birth=f"{self.year}/00/00",
        )


ANA = Line("Soto, Ana", 1990, "w")
JUAN = Line("Gonzales, J.", 1985)
NINA = Line("Lagos, Nina", 2001, "w")
SAUL = Line("Tapia, Saúl", 1999)


def report(*lines: Line, name: str = "Open") -> bytes:
    players = (line.written(at) for at, line in enumerate(lines, 1))
    return file(f"012 {name}", "042 2025/01/02", "052 2025/01/02", "092 Swiss", *players)


def take(
    ledger: Ledger,
    data: bytes,
    *decisions: tuple[str, str],
    ids: str | None = None,
    sender: str = "club",
    dry_run: bool = False,
    as_correction: bool = False,
) -> Receipt:
    supplied = Supplied(rate_of_play=Rate.CLASSICAL)
    document = Document(
        name="r.trf", data=data, supplied=supplied, decisions=decisions, ids=ids,
        as_correction=as_correction,
    )  # fmt: skip
    return import_document(ledger, document, Request(sender, "why", "", "", dry_run=dry_run))


def meant(receipt: Receipt) -> PeopleMeant:
    assert receipt.people is not None
    return receipt.people


def members(receipt: Receipt) -> dict[str, tuple[str, str]]:
    return {each.who: (each.id, each.by) for each in meant(receipt).members}


def doubtful(receipt: Receipt) -> dict[str, list[str]]:
    return {each.who: [one.id for one in each.candidates] for each in meant(receipt).doubtful}


@pytest.fixture
def ledger() -> Ledger:
    made = empty_ledger()
    import_text(made, PLAYERS_HEADER + MEMBERS)
    return made


def names(ledger: Ledger, player: str) -> Sequence[str]:
    return [f"{each.issuer} {each.id}" for each in player_known(ledger, player).ids]


class TestReports:
    """Players of a report."""

    def test_a_preview_lists_members_new_ones_and_doubtful_ones(self, ledger: Ledger) -> None:
        known = Line("Munoz, Pedro", 1970, number="103")
        receipt = take(ledger, report(ANA, JUAN, NINA, known), dry_run=True)
        assert members(receipt) == {"4": ("103", "id")}
        assert [(each.who, each.id) for each in meant(receipt).new] == [("3", "open-2025-01-02#3")]
        assert doubtful(receipt) == {"1": ["101"], "2": ["102"]}
        data = receipt_data(receipt, "en")
        (first, _) = data["doubtful"]
        assert (first["name"], first["birth_date"], first["why"]) == (
            "Soto, Ana", "1990", "similar"
        )  # fmt: skip
        assert first["candidates"][0]["name"] == "Soto Pérez, Ana María"

    def test_nothing_is_recorded_before_each_is_decided(self, ledger: Ledger) -> None:
        head = ledger.journal.head()
        with pytest.raises(Conflict) as refusal:
            take(ledger, report(ANA, JUAN, NINA, SAUL), ("1", "101"))
        assert refusal.value.message.key == "import.doubtful"
        assert [each.line for each in refusal.value.details] == [6]
        assert ledger.journal.head() == head

    def test_who_is_a_member_gets_no_new_id(self, ledger: Ledger) -> None:
        receipt = take(ledger, report(ANA, JUAN, NINA, SAUL), ("1", "101"), ("2", "102"))
        assert members(receipt) == {"1": ("101", "decision"), "2": ("102", "decision")}
        record = ledger.tournament("open-2025-01-02", ledger.journal.head().seq)
        assert record is not None
        assert {"101", "102"} < record.entries.keys()
        assert player_known(ledger, "101").name == "Soto Pérez, Ana María"

    def test_who_is_decided_to_be_new_is(self, ledger: Ledger) -> None:
        receipt = take(ledger, report(ANA, NINA), ("1", ""))
        assert [each.id for each in meant(receipt).new] == [
            "open-2025-01-02#1", "open-2025-01-02#2"
        ]  # fmt: skip

    def test_all_may_be_new(self, ledger: Ledger) -> None:
        receipt = take(ledger, report(ANA, JUAN), ("all", ""))
        assert len(meant(receipt).new) == 2

    def test_the_only_one_needs_not_be_named(self, ledger: Ledger) -> None:
        assert members(take(ledger, report(ANA, NINA), ("", "101")))["1"] == ("101", "decision")
        with pytest.raises(InputRefused, match="1, 2"):
            take(ledger, report(ANA, JUAN, name="Other"), ("", "101"), sender="other")

    def test_a_decision_is_remembered_for_the_next_report_of_the_sender(
        self, ledger: Ledger
    ) -> None:
        take(ledger, report(ANA, JUAN), ("1", "101"), ("2", ""))
        again = take(ledger, report(ANA, JUAN, name="Second"))
        assert members(again) == {
            "1": ("101", "printed"), "2": ("open-2025-01-02#2", "printed")
        }  # fmt: skip

    def test_of_another_sender_it_is_asked(self, ledger: Ledger) -> None:
        take(ledger, report(ANA, NINA), ("1", "101"))
        other = take(ledger, report(ANA, SAUL, name="Second"), sender="other", dry_run=True)
        assert doubtful(other) == {"1": ["101"]}

    def test_the_same_report_again_and_corrected_by_somebody_else_is_understood(
        self, ledger: Ledger
    ) -> None:
        take(ledger, report(ANA, NINA), ("1", "101"))
        assert take(ledger, report(ANA, NINA) + b"\n").events == ()
        renamed = take(
            ledger, report(ANA, NINA, name="Open") + b"022 Here\n",
            sender="officer", as_correction=True,
        )  # fmt: skip
        assert renamed.counts == {"tournament.corrected": 1}

    def test_an_id_whose_holder_is_called_otherwise_is_asked_about(self, ledger: Ledger) -> None:
        wrong = Line("Tapia, Saúl", 1999, number="103")
        receipt = take(ledger, report(wrong, NINA), dry_run=True)
        assert doubtful(receipt) == {"1": ["103"]}
        assert meant(receipt).doubtful[0].why == "other_name"
        new = take(ledger, report(wrong, NINA), ("1", ""))
        assert next(each.id for each in meant(new).new) == "open-2025-01-02#1"
        nina = ("2", "open-2025-01-02#2")
        same = take(ledger, report(wrong, NINA, name="Other"), ("1", "103"), nina)
        assert members(same)["1"] == ("103", "decision")

    def test_what_was_decided_of_a_wrong_id_is_remembered_too(self, ledger: Ledger) -> None:
        wrong = Line("Tapia, Saúl", 1999, number="103")
        take(ledger, report(wrong, NINA), ("1", ""))
        assert take(ledger, report(wrong, NINA) + b"022 Here\n", as_correction=True).events
        by_other = take(
            ledger, report(wrong, NINA) + b"022 There\n", sender="officer", as_correction=True
        )
        assert members(by_other)["1"] == ("open-2025-01-02#1", "printed")

    def test_decisions_about_nobody_are_refused(self, ledger: Ledger) -> None:
        for decision, error, key in (
            (("9", "101"), InputRefused, "import.decision_of_nobody"),
            (("1", "999"), NotFound, "import.no_member"),
        ):
            with pytest.raises(error) as refusal:
                take(ledger, report(ANA, NINA), decision)
            assert refusal.value.message.key == key

    def test_undone_it_is_forgotten(self, ledger: Ledger) -> None:
        receipt = take(ledger, report(ANA, NINA), ("1", "101"))
        assert receipt.commit_id is not None
        undo_commit(ledger, UndoCommit(commit=receipt.commit_id), request())
        assert doubtful(take(ledger, report(ANA, NINA, name="Again"), dry_run=True)) == {
            "1": ["101"]
        }


class TestIds:
    """Several ids of one person."""

    def link(self, ledger: Ledger, player: str, *ids: str) -> Receipt:
        return carry_out(ledger, LinkPlayer(player=player, ids=ids), request())

    def test_a_fide_number_finds_the_member(self, ledger: Ledger) -> None:
        self.link(ledger, "101", "fide=3400001")
        line = Line("Soto, Ana", 1990, "w", "3400001")
        assert members(take(ledger, report(line, NINA), ids="fide"))["1"] == ("101", "issued")

    def test_a_decision_keeps_the_number(self, ledger: Ledger) -> None:
        line = Line("Soto, Ana", 1990, "w", "3400001")
        take(ledger, report(line, NINA), ("1", "101"))
        assert names(ledger, "101") == ["fide 3400001"]

    def test_who_has_another_number_is_somebody_else(self, ledger: Ledger) -> None:
        self.link(ledger, "101", "fide=3400001")
        line = Line("Soto, Ana", 1990, "w", "3499999")
        receipt = take(ledger, report(line, NINA), ids="fide")
        assert [each.id for each in meant(receipt).new] == ["3499999", "open-2025-01-02#2"]
        assert names(ledger, "3499999") == ["fide 3499999"]

    def test_a_national_number_is_not_taken_for_one_of_fide(self, ledger: Ledger) -> None:
        self.link(ledger, "103", "national=103")
        line = Line("Zúñiga, Eva", 2002, "w", "103")
        receipt = take(ledger, report(line, NINA), ids="fide")
        assert [each.id for each in meant(receipt).new] == [
            "open-2025-01-02#1", "open-2025-01-02#2"
        ]  # fmt: skip

    def test_nobody_gets_an_id_of_somebody_else(self, ledger: Ledger) -> None:
        self.link(ledger, "101", "fide=3400001")
        with pytest.raises(InputRefused) as refusal:
            self.link(ledger, "102", "fide=3400001")
        assert refusal.value.message.key == "player.id_of_other"

    def test_an_empty_one_is_taken_away(self, ledger: Ledger) -> None:
        self.link(ledger, "101", "fide=3400001", "MEX=7")
        self.link(ledger, "101", "fide=")
        assert names(ledger, "101") == ["MEX 7"]

    def test_who_is_merged_keeps_the_ids_of_both(self, ledger: Ledger) -> None:
        self.link(ledger, "101", "fide=3400001")
        self.link(ledger, "102", "national=9")
        do(ledger, MergePlayers(player="102", into="101", on=ledger.today))
        assert names(ledger, "101") == ["ledger 102", "fide 3400001", "national 9"]

    def test_reports_have_each_number_where_it_belongs(self, ledger: Ledger) -> None:
        take(ledger, report(ANA, NINA), ("1", "101"))
        self.link(ledger, "101", "fide=3400001", "national=101")
        text = tournament_report(ledger, "open-2025-01-02", None, TrfVersion.TRF26).decode()
        lines = text.splitlines()
        ana = next(line for line in lines if line.startswith("001    1"))
        assert ana[57:68].strip() == "3400001"
        assert "### rating-ledger player 1 101" in lines
        national = next(line for line in lines if line.startswith("CHI    1"))
        assert national[57:68].strip() == "101"

    def test_and_are_read_back_as_the_same_people(self, ledger: Ledger) -> None:
        take(ledger, report(ANA, NINA), ("1", "101"))
        self.link(ledger, "101", "fide=3400001", "national=101")
        text = tournament_report(ledger, "open-2025-01-02", None, TrfVersion.TRF26)
        assert take(ledger, text).events == ()
        foreign = b"".join(
            line for line in text.splitlines(keepends=True) if not line.startswith(b"###")
        )
        nina = ("2", "open-2025-01-02#2")
        receipt = take(ledger, foreign.replace(b"012 Open", b"012 More"), nina, ids="national")
        assert members(receipt)["1"] == ("101", "id")

    def test_a_table_brings_them(self, ledger: Ledger) -> None:
        table = 'id,name,fide_id,Código nacional\n101,"Soto Pérez, Ana María",3400001,55\n'
        receipt = import_text(ledger, table)
        assert receipt.counts == {"player.identity-corrected": 1}
        assert names(ledger, "101") == ["fide 3400001", "national 55"]
        assert import_text(ledger, table + "\n").events == ()
        with pytest.raises(Conflict):
            import_text(ledger, table.replace("3400001", "3400002"))

    def test_by_the_federations_rule_new_people_of_a_report_have_their_number_as_fides(
        self, ledger: Ledger
    ) -> None:
        ledger.federation = FederationRules(new_ids="CHI###")
        nina = Line("Lagos, Nina", 2001, "w", "3400001")
        receipt = take(ledger, report(nina, SAUL))
        assert [each.id for each in meant(receipt).new] == ["CHI001", "CHI002"]
        assert names(ledger, "CHI001") == ["fide 3400001"]
        assert names(ledger, "CHI002") == []
        assert take(ledger, report(nina, SAUL) + b"\n").events == ()
        again = take(ledger, report(nina, SAUL, name="Second"), sender="other", dry_run=True)
        assert members(again) == {"1": ("CHI001", "issued")}
        text = tournament_report(ledger, "open-2025-01-02", None, TrfVersion.TRF26)
        assert b"3400001" in text
        assert take(ledger, text).events == ()


class TestTables:
    """Players of a table."""

    TABLE = PLAYERS_HEADER + 'X,"SOTO PEREZ Ana María",CHI,w,1990,,,\n'

    def test_a_decision_is_remembered_for_the_id_of_the_sender(self, ledger: Ledger) -> None:
        document = Document(name="p.csv", data=self.TABLE.encode(), decisions=(("X", "101"),))
        import_document(ledger, document, Request("club", "", "", ""))
        again = Document(name="p.csv", data=self.TABLE.encode() + b"\n")
        assert import_document(ledger, again, Request("club", "", "", "")).events == ()
        other = Document(name="p.csv", data=self.TABLE.replace("X,", "Z,").encode())
        with pytest.raises(Conflict):
            import_document(ledger, other, Request("club", "", "", ""))

    def test_namesakes_are_asked_about(self, ledger: Ledger) -> None:
        table = PLAYERS_HEADER + 'X,"SOTO PEREZ Ana María",CHI,w,1990,,,\n'
        with pytest.raises(Conflict) as refusal:
            import_text(ledger, table)
        assert refusal.value.message.key == "import.doubtful"

    def test_a_decision_joins_without_a_difference(self, ledger: Ledger) -> None:
        table = PLAYERS_HEADER + 'X,"SOTO PEREZ Ana María",CHI,w,1990,,30,\n'
        document = Document(name="p.csv", data=table.encode(), decisions=(("X", "101"),))
        receipt = import_document(ledger, document, Request("club", "", "", ""))
        assert receipt.counts == {"player.identity-corrected": 1, "player.k-assigned": 1}
        assert player_known(ledger, "101").name == "Soto Pérez, Ana María"
