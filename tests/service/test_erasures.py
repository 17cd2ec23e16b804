"""Erasing a person: the documents are gone, and everything else still verifies."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from ledger.answers.lists import regenerate
from ledger.errors import Conflict, InputRefused, LedgerError
from ledger.events.personal import Identity
from ledger.events.players import PlayerErased
from ledger.intake.imports import Document, import_document
from ledger.journal.stores.memory import MemoryJournal
from ledger.operations import commands as c
from ledger.proofs.check import check_proof
from ledger.proofs.policy import Policy
from ledger.service.erasures import Erasure, SoughtName, SoughtNames, erase_player
from ledger.service.ledger import Ledger
from ledger.trust.proofs import prove_player, signed_now
from ledger.trust.verification import Verification, verify
from tests.intake.trf.writing import good_with
from tests.journal.drafts import draft
from tests.ledgers import (
    GAMES_HEADER,
    NOW,
    PLAYERS_HEADER,
    about,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
    request,
    with_officers,
)
from tests.proofs.forgeries import LOG

DAY = dt.date(2026, 1, 1)
NAME = "Zyxwinski, Ana"


@pytest.fixture
def ledger() -> Ledger:
    """A, whose name is unlike any other, B and C play in July, which is published."""
    made = empty_ledger()
    define(made)
    rated = f'A,"{NAME}",CHI,w,1985-03-04,1800,40,50\nB,Bo,CHI,,1985,1800,40,50\nC,Cy,,,,1700,,\n'
    import_text(made, f"{PLAYERS_HEADER}{rated}", list_="ENF")
    import_text(made, GAMES_HEADER + about("T1", "2010-07-10", "A,B,1-0", "C,A,1/2-1/2"))
    publish_period(made, "2010-07")
    return made


def erase(ledger: Ledger, player: str = "A", **asked: object) -> Erasure:
    """Erases a player; ``asked`` are fields of the request."""
    its = replace(request("asked for by letter"), **asked)  # type: ignore[arg-type]
    return erase_player(ledger, c.ErasePlayer(player=player, on=DAY), its)


def correct(player: str, name: str) -> c.CorrectIdentity:
    identity = Identity(name=name)
    return c.CorrectIdentity(
        player=player, identity=identity, salt="5" * 32, federation=None, on=DAY
    )


def keys_of(found: Verification) -> list[str]:
    return [finding.message.key for finding in found.findings]


def names_in(ledger: Ledger) -> str:
    return "".join(ledger.journal.personal_documents().values())


class TestWhatIsGone:
    def test_every_document_the_player_ever_had(self, ledger: Ledger) -> None:
        do(ledger, correct("A", "Zyxwinski-Roe, Ana"))
        made = erase(ledger)
        assert "Zyxwinski" not in names_in(ledger)
        assert '"Bo"' in names_in(ledger)
        (event,) = [dated.event for dated in made.receipt.events]
        assert isinstance(event, PlayerErased)
        assert (made.documents, len(event.documents)) == (2, 2)

    def test_those_of_all_ids_of_the_person(self, ledger: Ledger) -> None:
        namesake = f'{PLAYERS_HEADER}A2,"{NAME} María",,,,,,\n'
        import_text(ledger, namesake, decisions=(("A2", ""),))
        do(ledger, c.MergePlayers(player="A2", into="A", on=DAY))
        made = erase(Ledger(ledger.journal, ledger.clock))
        assert made.players == ("A", "A2")
        assert "Zyxwinski" not in names_in(ledger)
        assert keys_of(verify(ledger)) == []

    def test_a_dry_run_takes_nothing_away(self, ledger: Ledger) -> None:
        head = ledger.journal.head()
        made = erase(ledger, dry_run=True)
        assert (made.documents, made.data("en")["destroyed"]) == (1, False)
        assert ledger.journal.head() == head
        assert NAME in names_in(ledger)

    def test_nobody_is_erased_twice(self, ledger: Ledger) -> None:
        erase(ledger)
        head = ledger.journal.head()
        again = erase(ledger)
        assert (again.receipt.events, again.documents) == ((), 0)
        assert ledger.journal.head() == head

    def test_the_same_request_again_is_the_same_erasure(self, ledger: Ledger) -> None:
        first = erase(ledger, idempotency_key="letter-7")
        again = erase(ledger, idempotency_key="letter-7")
        assert (again.receipt.repeated, again.receipt.last_seq) == (True, first.receipt.last_seq)
        with pytest.raises(Conflict):
            erase(ledger, "B", idempotency_key="letter-7")


class TestWhatIsSaidOfIt:
    def test_it_names_where_the_journal_holds_the_name(self, ledger: Ledger) -> None:
        award = c.AwardTitle(player="A", title="FM", on=DAY)
        ledger.execute([award], replace(request("for Ana Zyxwiński"), body="x"))
        import_text(
            ledger,
            GAMES_HEADER
            + about("T9", "2010-07-10", "B,C,1-0").replace("T9,T9", "T9,Copa Ana Zyxwinski"),
        )
        made = erase(ledger)
        found = [(each.seq is None, each.commit) for each in made.mentions]
        title, tournament = ledger.journal.head().commit_id - 2, ledger.journal.head().commit_id - 1
        assert found == [(True, title), (False, tournament)]
        told = " ".join(made.data("en")["beyond_reach"])
        assert f"commit {title}: its reason" in told
        assert "Zyxwi" not in told

    @pytest.mark.parametrize(
        "text",
        ["ymca-Ñandúzkowić Łübeckéz.csv", "friend of NANDUZKOWIC LUBECKEZ", "nanduzkowic-lubeckez",
         "Éva de la Lubeckez", '{"first":"Eva","last":"Nanduzkowic"}', "of eva, lubeckez"],
    )  # fmt: skip
    def test_two_words_of_a_name_are_enough(self, text: str) -> None:
        names = SoughtNames((SoughtName.of("Ñandúzkowić de la Łübeckéz, Éva María"),))
        assert names.are_in(text)

    @pytest.mark.parametrize(
        "text",
        ["Lubeckez", "de la Lubeckez", "Eva Maria", "Lubeckez Lubeckez", "nanduzkowiclubeckez",
         "Eva Soto\n" + "one of many\n" * 5 + "Lubeckez"],
    )  # fmt: skip
    def test_two_given_names_particles_and_words_far_apart_are_not(self, text: str) -> None:
        names = SoughtNames((SoughtName.of("Ñandúzkowić de la Łübeckéz, Éva María"),))
        assert not names.are_in(text)

    def test_of_a_short_name_all_words_are_looked_for(self) -> None:
        names = SoughtNames((SoughtName.of("Li, Wei"), SoughtName.of("Cher")))
        assert [names.are_in(text) for text in ("Wei Li", "wei", "cher", "")] == [
            True,
            False,
            True,
            False,
        ]

    @pytest.mark.parametrize("dry_run", [False, True])
    def test_a_reason_that_holds_the_name_is_refused(self, ledger: Ledger, dry_run: bool) -> None:  # noqa: FBT001
        head = ledger.journal.head()
        for reason in ("Ana Zyxwinski wrote to us", "ZYXWINSKI, ana: a letter"):
            with pytest.raises(InputRefused) as refused:
                erase(ledger, reason=reason, dry_run=dry_run)
            assert refused.value.message.key == "erasure.reason_names"
        assert ledger.journal.head() == head

    def test_it_names_what_was_recorded_for_good(self, ledger: Ledger) -> None:
        assert not erase(ledger, "B").is_described
        born = dt.date(1985, 3, 4)
        do(ledger, c.DescribePlayer(player="A", born_on=born, joined_on=None, sex=None, on=DAY))
        assert erase(ledger).is_described

    def test_it_speaks_spanish(self, ledger: Ledger) -> None:
        assert "listas impresas" in " ".join(erase(ledger).data("es")["beyond_reach"])


class TestWhoMay:
    def test_a_reason_is_needed(self, ledger: Ledger) -> None:
        with pytest.raises(InputRefused) as refused:
            erase(ledger, reason=" ")
        assert refused.value.message.key == "registrar.needs_reason"

    def test_it_takes_two_where_two_are_needed(self, ledger: Ledger) -> None:
        with_officers(ledger, "ana", "luis")
        with pytest.raises(InputRefused) as refused:
            erase(ledger, actor="ana")
        assert refused.value.message.key == "two.needed"
        assert NAME in names_in(ledger)
        erase(ledger, actor="ana", second="luis")
        assert NAME not in names_in(ledger)

    @pytest.mark.parametrize("player", ["X", "A2"])
    def test_only_a_player_who_takes_part(self, ledger: Ledger, player: str) -> None:
        import_text(ledger, f"{PLAYERS_HEADER}A2,Other,,,,,,\n")
        do(ledger, c.MergePlayers(player="A2", into="A", on=DAY))
        with pytest.raises(LedgerError) as refused:
            erase(ledger, player)
        assert refused.value.message.key in {"player.unknown", "player.merged"}


class TestAfterwards:
    def test_no_name_is_recorded_for_the_id_again(self, ledger: Ledger) -> None:
        erase(ledger)
        new = c.RegisterPlayer(
            player="A", identity=Identity(name=NAME), salt="6" * 32, federation=None, on=DAY
        )
        for command, key in (
            (new, "player.id_of_erased"),
            (correct("A", NAME), "player.erased"),
            (c.MergePlayers(player="C", into="A", on=DAY), "player.merge_erased"),
            (c.MergePlayers(player="A", into="C", on=DAY), "player.merge_erased"),
        ):
            with pytest.raises(InputRefused) as refused:
                do(ledger, command)
            assert refused.value.message.key == key

    def test_a_document_brings_no_name_back(self, ledger: Ledger) -> None:
        erase(ledger)
        import_text(ledger, f'{PLAYERS_HEADER}A,"{NAME}",CHI,w,1985-03-04,,,\n', as_correction=True)
        assert NAME not in names_in(ledger)
        assert keys_of(verify(ledger)) == []

    @pytest.mark.parametrize(("lang", "said"), [("en", "A first"), ("es", "el primero A")])
    def test_a_document_that_names_the_id_is_told_so(
        self, ledger: Ledger, lang: str, said: str
    ) -> None:
        table = f'{PLAYERS_HEADER}A,"{NAME}",CHI,w,1985-03-04,,,\n'
        assert not import_text(ledger, table).notes, "of one who is known it says nothing new"
        erase(ledger)
        for correct in (False, True):
            receipt = import_text(ledger, table, as_correction=correct)
            (note,) = receipt.notes
            assert (note.message.key, note.line) == ("import.erased", 2)
            assert said in note.message.within(lang)
            assert not receipt.events

    def test_a_report_that_names_the_id_is_told_so(self, ledger: Ledger) -> None:
        number, name = "990001", "Qwertzel, Eva"  # reports know no other ids
        import_text(ledger, f'{PLAYERS_HEADER}{number},"{name}",CHI,w,1985-03-04,,,\n')
        erase(ledger, number)
        report = Document(name="r.trf", data=good_with(f"{'Aguirre, Nora':<33}", f"{name:<33}"))
        notes = import_document(ledger, report, request()).notes
        assert "import.erased" in [note.message.key for note in notes]
        assert name not in names_in(ledger)

    def test_two_erased_ids_may_turn_out_to_be_one(self, ledger: Ledger) -> None:
        import_text(ledger, f"{PLAYERS_HEADER}A2,Other,,,,,,\n")
        erase(ledger)
        erase(ledger, "A2")
        do(ledger, c.MergePlayers(player="A2", into="A", on=DAY))
        assert keys_of(verify(ledger)) == []

    def test_games_of_the_id_are_rated_as_before(self, ledger: Ledger) -> None:
        erase(ledger)
        import_text(ledger, GAMES_HEADER + about("T2", "2010-08-10", "A,B,1-0"))
        publish_period(ledger, "2010-08")
        made, failure = regenerate(ledger, "ENF", "2010-08", None)
        assert failure is None
        assert {row.id: row.games for row in made.rows}["A"] == 1


class TestVerify:
    def test_all_is_well_and_it_says_who_is_gone(self, ledger: Ledger) -> None:
        erase(ledger)
        found = verify(ledger)
        assert keys_of(found) == []
        data = found.data("en")
        assert (data["ok"], data["erased"], data["lists_without_names"]) == (True, 1, 1)

    def test_a_document_that_is_gone_without_an_event_is_a_finding(self, ledger: Ledger) -> None:
        erase(ledger)
        journal = ledger.journal
        assert isinstance(journal, MemoryJournal)
        (lost,) = (d for d, text in journal.personal_documents().items() if '"Bo"' in text)
        del journal._personal[lost]
        found = verify(ledger)
        assert keys_of(found) == ["verify.personal_gone", "verify.list_digest"]
        assert (found.integrity.erased, found.integrity.lost) == (1, 1)

    def test_an_event_that_names_the_document_of_another_excuses_nothing(
        self, ledger: Ledger
    ) -> None:
        documents = ledger.journal.personal_documents()
        (other,) = (digest for digest, text in documents.items() if '"Bo"' in text)
        wrong = draft(PlayerErased(documents=(other,), player="A"))
        head = ledger.journal.head()
        ledger.journal.append(wrong, expected_seq=head.seq, recorded_at=ledger.clock())
        assert "verify.personal_gone" in keys_of(verify(ledger))

    def test_a_document_that_was_put_back_is_a_finding(self, ledger: Ledger) -> None:
        journal = ledger.journal
        assert isinstance(journal, MemoryJournal)
        before = dict(journal._personal)
        erase(ledger)
        journal._personal.update(before)
        assert keys_of(verify(ledger)) == ["verify.personal_back"]

    def test_wrong_figures_are_found_without_names(
        self, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        erase(ledger)
        monkeypatch.setattr(
            "ledger.lists.rating_list.RatingList.ratings_sha256", lambda _: "0" * 64
        )
        assert keys_of(verify(ledger)) == ["verify.list_digest"]


class TestLists:
    def test_a_list_is_made_again_without_the_name(self, ledger: Ledger) -> None:
        published = ledger.facts().lists["ENF"].publications[0][1]
        erase(ledger)
        made, failure = regenerate(ledger, "ENF", "2010-07", None)
        assert failure is None
        assert {row.id: row.name for row in made.rows} == {"A": "", "B": "Bo", "C": "Cy"}
        assert made.output_sha256() != published.output_sha256
        assert made.ratings_sha256() == published.ratings_sha256

    def test_as_known_before_the_erasure_there_is_no_name_either(self, ledger: Ledger) -> None:
        facts = ledger.facts()
        before = facts.seq
        erase(ledger)
        people = ledger.people(ledger.facts(), before)
        assert people.name(facts.player_index["A"]) == ""

    def test_every_row_of_a_published_list_stays_provable(self, ledger: Ledger) -> None:
        published = ledger.facts().lists["ENF"].publications[0][1]
        erase(ledger)
        page = signed_now(ledger, LOG, None)
        for player in "ABC":
            text = prove_player(ledger, player, published, page).text()
            proven = check_proof(text, Policy((LOG.verifier,)), int(NOW.timestamp()))
            assert proven.row is not None
            assert (proven.row["id"], "Zyx" in text) == (player, False)
