"""The rule of two: who may change what is published, and what reaches it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.calendar import Calendar
from ledger.errors import Conflict, InputRefused
from ledger.events.personal import Identity
from ledger.intake.imports import Document, import_document
from ledger.lists.reach import reached
from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.accounts import grant_role, revoke_all, revoke_role
from ledger.service.decisions import Decided
from ledger.service.ledger import Ledger, Receipt, Request, body_of
from ledger.service.operations import carry_out
from ledger.terms import Rate, Role
from ledger.trust.two_persons import both, check_name, needs_two_to_revoke, people_of
from tests.ledgers import (
    GAMES_HEADER,
    PLAYERS_HEADER,
    about,
    define,
    do,
    empty_ledger,
    import_text,
    publish_period,
    request,
    with_july_published,
    with_officers,
)

NAMES = st.text(" +ax", max_size=8) | st.text()
JULY, AUGUST = dt.date(2010, 7, 1), dt.date(2010, 8, 1)


@pytest.fixture
def ledger() -> Ledger:
    """July is published, and two officers can decide about it."""
    return with_officers(with_july_published(), "ana", "luis")


def asked(actor: str = "ana", second: str | None = None, *commands: c.Command) -> Request:
    return replace(request(), actor=actor, second=second, body=body_of(commands))


CORRECTED = c.CorrectResult(
    tournament="T1", round=1, white="A", black="B", result=Result.parse("0-1")
)
BACK = replace(CORRECTED, result=Result.parse("1-0"))
OF_AUGUST = replace(CORRECTED, tournament="T2")


def refusal_of(ledger: Ledger, command: c.Command, **who: str | None) -> str:
    head = ledger.journal.head()
    with pytest.raises(InputRefused) as refused:
        ledger.execute([command], asked(who.get("actor") or "ana", who.get("second"), command))
    assert ledger.journal.head() == head, "nothing was recorded"
    return refused.value.message.key


def actor_of(ledger: Ledger, receipt: Receipt) -> str:
    commit = ledger.journal.commit_by(receipt.last_seq)
    assert commit is not None
    return commit.actor


class TestWhoMayDecide:
    def test_a_published_period_needs_a_second_person(self, ledger: Ledger) -> None:
        assert refusal_of(ledger, CORRECTED) == "two.needed"

    def test_the_refusal_says_what_is_reached_and_what_to_do(self, ledger: Ledger) -> None:
        with pytest.raises(InputRefused) as refused:
            ledger.execute([CORRECTED], asked("ana", None, CORRECTED))
        assert "ENF 2010-07" in str(refused.value)
        assert "--second" in str(refused.value)

    def test_both_are_the_actors_of_the_commit(self, ledger: Ledger) -> None:
        receipt = ledger.execute([CORRECTED], asked("ana", "luis", CORRECTED))
        assert actor_of(ledger, receipt) == "ana + luis"

    def test_nobody_is_two_people(self, ledger: Ledger) -> None:
        assert refusal_of(ledger, CORRECTED, actor="ana", second="ana") == "two.same"
        assert refusal_of(ledger, CORRECTED, actor=" ANA ", second="ana") == "two.same"

    def test_a_letter_that_nobody_sees_makes_no_second_person(self, ledger: Ledger) -> None:
        for letter in "\u200b\u00ad\u034f\u3164\u2800\ufe0f\u200d\U000e0041":
            for name in (f"luis{letter}", f"lu{letter}is", letter):
                assert refusal_of(ledger, CORRECTED, actor=name, second="luis") == "two.unseen"
                assert refusal_of(ledger, OF_AUGUST, actor=name) == "two.unseen"

    def test_what_looks_like_an_account_is_none(self, ledger: Ledger) -> None:
        assert refusal_of(ledger, OF_AUGUST, actor="an\u0430") == "two.mixed"
        with_officers(ledger, "coca")
        assert refusal_of(ledger, OF_AUGUST, actor="\u0441\u043e\u0441\u0430") == "two.alike"
        assert refusal_of(ledger, OF_AUGUST, actor="lu\u0131s") == "two.alike"
        receipt = ledger.execute([OF_AUGUST], asked("\u0418\u0432\u0430\u043d", None, OF_AUGUST))
        assert actor_of(ledger, receipt) == "\u0418\u0432\u0430\u043d"

    def test_names_are_recorded_in_one_form(self, ledger: Ledger) -> None:
        receipt = ledger.execute([OF_AUGUST], asked(" \uff21na\u00a0 So\u0301lo ", None, OF_AUGUST))
        assert actor_of(ledger, receipt) == "Ana S\u00f3lo"
        assert refusal_of(ledger, CORRECTED, actor="\uff4cuis", second="luis") == "two.same"
        assert refusal_of(ledger, OF_AUGUST, actor="ghost \uff0b luis") == "two.plus"
        assert refusal_of(ledger, OF_AUGUST, actor="\u00a0") == "two.nameless"

    def test_the_first_of_two_is_an_account(self, ledger: Ledger) -> None:
        assert refusal_of(ledger, CORRECTED, actor="ghost", second="luis") == "two.no_account"
        receipt = ledger.execute([CORRECTED], asked("ANA", "luis", CORRECTED))
        assert actor_of(ledger, receipt) == "ana + luis", "as the accounts are called"

    def test_the_second_is_an_officer(self, ledger: Ledger) -> None:
        grant_role(ledger, "eva", Role.AUDITOR, request=request())
        for nobody in ("eva", "maria", ""):
            assert refusal_of(ledger, CORRECTED, second=nobody) == "two.no_officer"

    def test_a_preview_promises_nothing_with_a_second_who_is_none(self, ledger: Ledger) -> None:
        for second, key in (("eva", "two.no_officer"), ("ana", "two.same")):
            looked = replace(asked("ana", second, CORRECTED), dry_run=True)
            with pytest.raises(InputRefused) as refusal:
                ledger.execute([CORRECTED], looked)
            assert refusal.value.message.key == key

    def test_one_person_cannot_pass_for_two(self, ledger: Ledger) -> None:
        for name in ("ana + luis", "ghost +", "+ ghost", "ghost + ", "+"):
            assert refusal_of(ledger, OF_AUGUST, actor=name) == "two.plus"
            assert refusal_of(ledger, OF_AUGUST, actor=name, second="luis") == "two.plus"

    @given(NAMES, st.none() | NAMES)
    def test_who_they_are_is_read_from_the_actor(self, first: str, second: str | None) -> None:
        for name in filter(None, (first, second)):
            try:
                check_name(name)
            except InputRefused:
                return
        assert people_of(both(first, second)) == (first, second)

    def test_who_is_no_officer_any_more_agrees_to_nothing(self, ledger: Ledger) -> None:
        with_officers(ledger, "rosa")
        revoke_role(ledger, "luis", Role.OFFICER, request=request())
        assert refusal_of(ledger, CORRECTED, second="luis") == "two.no_officer"
        assert actor_of(ledger, ledger.execute([CORRECTED], asked("ana", "rosa"))) == "ana + rosa"

    def test_a_preview_needs_nobody_and_says_that_a_second_will_be_needed(
        self, ledger: Ledger
    ) -> None:
        receipt = do(ledger, CORRECTED, dry_run=True)
        assert [note.message.key for note in receipt.notes] == ["two.will_need"]
        assert do(ledger, OF_AUGUST, dry_run=True).notes == ()


class TestWhenItIsInForce:
    def test_one_person_decides_about_what_is_not_published(self, ledger: Ledger) -> None:
        receipt = ledger.execute([OF_AUGUST], asked("ana", None, OF_AUGUST))
        assert actor_of(ledger, receipt) == "ana"

    @pytest.mark.parametrize("officers", [(), ("ana",)])
    def test_it_needs_two_officers(self, officers: tuple[str, ...]) -> None:
        ledger = with_officers(with_july_published(), *officers)
        receipt = ledger.execute([CORRECTED], asked("ana", None, CORRECTED))
        assert actor_of(ledger, receipt) == "ana"

    def test_an_account_with_two_roles_is_one_officer(self) -> None:
        ledger = with_officers(with_july_published(), "ana")
        grant_role(ledger, "ana", Role.AUDITOR, request=request())
        assert ledger.execute([CORRECTED], asked("eva", None)).events

    def test_two_people_turn_it_off_and_one_turns_it_on(self, ledger: Ledger) -> None:
        off = c.SetTwoPersons(list="ENF", required=False)
        assert refusal_of(ledger, off) == "two.needed"
        ledger.execute([off], asked("ana", "luis", off))
        assert ledger.execute([CORRECTED], asked("ana", None)).events
        on = replace(off, required=True)
        ledger.execute([on], asked("ana", None, on))
        assert refusal_of(ledger, BACK) == "two.needed"

    def test_one_person_cannot_end_it_by_revoking_officers(self, ledger: Ledger) -> None:
        revoked = c.RevokeRole(account="luis", role=Role.OFFICER)
        assert refusal_of(ledger, revoked, actor="root") == "two.needed"
        assert refusal_of(ledger, revoked, actor="root", second="root") == "two.no_officer"
        grant_role(ledger, "luis", Role.AUDITOR, request=request())
        with pytest.raises(InputRefused, match="fewer than two officers"):
            revoke_all(ledger, "luis", asked("root"))
        grant_role(ledger, "root", Role.ADMINISTRATOR, request=request())
        receipt = revoke_role(ledger, "luis", Role.OFFICER, request=asked("root", "ana"))
        assert actor_of(ledger, receipt) == "root + ana"

    def test_as_long_as_two_are_left_one_person_revokes(self, ledger: Ledger) -> None:
        with_officers(ledger, "rosa")
        able = frozenset({"ana", "luis", "rosa"})
        assert needs_two_to_revoke(ledger.facts(), "rosa", able) is False
        revoke_role(ledger, "rosa", Role.OFFICER, request=asked("root"))
        assert needs_two_to_revoke(ledger.facts(), "luis", able) is True
        assert needs_two_to_revoke(ledger.facts(), "rosa", able) is False

    def test_who_cannot_sign_in_is_not_left_for_the_site(self, ledger: Ledger) -> None:
        with_officers(ledger, "rosa")
        able = frozenset({"ana", "luis"})
        assert needs_two_to_revoke(ledger.facts(), "luis", able) is True
        assert needs_two_to_revoke(ledger.facts(), "rosa", able) is False
        with pytest.raises(InputRefused, match="fewer than two officers who can sign in"):
            revoke_role(ledger, "luis", Role.OFFICER, able=able, request=asked("root"))
        revoke_role(ledger, "rosa", Role.OFFICER, able=able, request=asked("root"))

    def test_a_change_of_officers_in_one_commit_leaves_it_in_force(self, ledger: Ledger) -> None:
        change = [
            c.RevokeRole(account="luis", role=Role.OFFICER),
            c.GrantRole(account="eva", role=Role.OFFICER),
        ]
        assert ledger.execute(change, asked("root", None, *change)).events
        assert refusal_of(ledger, CORRECTED, second="luis") == "two.no_officer"

    def test_it_is_a_lists_own(self, ledger: Ledger) -> None:
        define(ledger, "OTHER", first_on=JULY)
        off = c.SetTwoPersons(list="ENF", required=False)
        ledger.execute([off], asked("ana", "luis", off))
        assert ledger.execute([CORRECTED], asked("ana", None)).events
        publish_period(ledger, "2010-07", "OTHER")
        assert refusal_of(ledger, BACK) == "two.needed"

    def test_it_is_turned_on_or_off_once_and_with_a_reason(self, ledger: Ledger) -> None:
        on = c.SetTwoPersons(list="ENF", required=True)
        assert refusal_of(ledger, on) == "two.on_already"
        with pytest.raises(InputRefused, match="reason"):
            ledger.execute([on], replace(asked(), reason=" "))


class TestWhatWasSeen:
    def test_what_was_seen_at_a_head_is_recorded_at_that_head_only(self, ledger: Ledger) -> None:
        head = ledger.journal.head().seq
        do(ledger, OF_AUGUST)
        with pytest.raises(Conflict) as moved:
            ledger.execute([CORRECTED], replace(asked("ana", "luis"), at_seq=head))
        assert moved.value.message.key == "database.moved_on"
        again = replace(asked("ana", "luis"), at_seq=ledger.journal.head().seq)
        assert ledger.execute([CORRECTED], again).events

    def test_the_same_request_again_is_answered_whatever_was_recorded_since(
        self, ledger: Ledger
    ) -> None:
        first = replace(asked("ana", "luis", CORRECTED), at_seq=ledger.journal.head().seq)
        receipt = ledger.execute([CORRECTED], first)
        do(ledger, OF_AUGUST)
        assert ledger.execute([CORRECTED], first).commit_id == receipt.commit_id


def imported(
    text: str, list_: str | None = None, on: dt.date | None = None
) -> Callable[[Ledger], Receipt]:
    def run(ledger: Ledger) -> Receipt:
        document = Document(name="file.csv", data=text.encode(), list=list_, on=on)
        return import_document(ledger, document, Request("t", "test", "", "", dry_run=True))

    return run


def commanded(*commands: c.Command) -> Callable[[Ledger], Receipt]:
    def run(ledger: Ledger) -> Receipt:
        return do(ledger, *commands, dry_run=True)

    return run


def identity(player: str, year: int, name: str = "New") -> c.CorrectIdentity:
    return c.CorrectIdentity(
        player=player, identity=Identity(name=name, birth_date=str(year)), salt="0" * 32,
        federation="CHI", on=AUGUST,
    )  # fmt: skip


def announced(tournament: str) -> c.AnnounceTournament:
    return c.AnnounceTournament(
        tournament=tournament, name=tournament, starts_on=JULY, ends_on=JULY,
        rate_of_play=Rate.CLASSICAL,
    )  # fmt: skip


def late(day: str, rate: str = "classical") -> str:
    return GAMES_HEADER + about("T3", day, "A,B,0-1", rate=rate)


REACHES = {
    "a result is corrected": commanded(CORRECTED),
    "a result is annulled": commanded(
        c.AnnulResult(tournament="T1", round=1, white="A", black="B")
    ),
    "a tournament is annulled": commanded(
        c.RuleOnTournament(tournament="T1", ruling="annul", on=AUGUST)
    ),
    "a report comes late": imported(late("2010-07-20")),
    "a K is of the published period": commanded(
        c.AssignK(player="A", list="ENF", k=10, on=JULY, as_correction=True)
    ),
    "a list shows the K of its first day": commanded(
        c.AssignK(player="A", list="ENF", k=10, on=AUGUST)
    ),
    "a rating is brought into the published period": commanded(
        c.SeedRating(
            player="D", list="ENF", rating=1900, games=50, source=None, on=dt.date(2010, 7, 5),
            as_correction=True,
        )
    ),
    "somebody was born in another year": commanded(identity("A", 1990)),
    "two ids are one person": commanded(c.MergePlayers(player="N", into="D", on=AUGUST)),
    "the rules change backwards": commanded(
        c.AdoptRegulation(
            list="ENF", regulation="enf-2010", parameters={"k_others": 20},
            regulation_digest="0" * 64, on=JULY, as_correction=True,
        )
    ),
}  # fmt: skip
DOES_NOT_REACH = {
    "a result of an open period is corrected": commanded(OF_AUGUST),
    "a report of an open period": imported(late("2010-08-20")),
    "a new player": imported(f"{PLAYERS_HEADER}E,E,CHI,,1990,,,\n"),
    "a rating brought into an open period": imported(
        f"{PLAYERS_HEADER}E,E,CHI,,1990,1700,40,50\n", "ENF", AUGUST
    ),
    "another name": commanded(identity("A", 1985, "Otro")),
    "another club": commanded(
        c.AffiliatePlayer(player="A", club="Norte", region=None, licensed_until=None, on=JULY)
    ),
    "a tournament is announced": commanded(announced("T9")),
    "a tournament is cancelled": commanded(announced("T9"), c.CancelTournament(tournament="T9")),
    "a title": commanded(c.AwardTitle(player="A", title="FM", on=JULY)),
    "a K of an open period": commanded(
        c.AssignK(player="A", list="ENF", k=10, on=dt.date(2010, 9, 1))
    ),
}


@pytest.mark.parametrize("what", REACHES)
def test_it_reaches_a_published_period(what: str) -> None:
    ledger = with_july_published()
    receipt = REACHES[what](ledger)
    found = reached(ledger.facts(), receipt.events)
    assert [(each.list, each.period) for each in found] == [("ENF", "2010-07")]


@pytest.mark.parametrize("what", [*REACHES, *DOES_NOT_REACH])
def test_to_take_back_and_to_bring_back_reaches_what_the_fact_did(what: str) -> None:
    ledger = with_july_published()
    events = (REACHES | DOES_NOT_REACH)[what](ledger).events
    ledger.append_decided(lambda _: Decided(events), request())
    for _ in range(3):
        before = ledger.facts()
        undo = c.UndoCommit(commit=ledger.journal.head().commit_id)
        receipt = carry_out(ledger, undo, request())
        found = reached(before, receipt.events)
        assert bool(found) == (what in REACHES), [dated.event for dated in receipt.events]


@pytest.mark.parametrize("what", DOES_NOT_REACH)
def test_it_does_not_reach_a_published_period(what: str) -> None:
    ledger = with_july_published()
    receipt = DOES_NOT_REACH[what](ledger)
    assert receipt.events
    assert reached(ledger.facts(), receipt.events) == []


@pytest.mark.parametrize("what", [*REACHES, *DOES_NOT_REACH])
def test_nothing_published_moves_that_is_not_reached(what: str) -> None:
    ledger = with_july_published()
    receipt = {**REACHES, **DOES_NOT_REACH}[what](ledger)
    assert receipt.shifts is not None
    moved = {shift.list for shift in receipt.shifts if shift.published}
    assert moved <= {each.list for each in reached(ledger.facts(), receipt.events)}


def test_a_late_report_that_is_rated_in_an_open_period_reaches_nothing() -> None:
    ledger = with_july_published()
    document = Document(name="file.csv", data=late("2010-07-20").encode())
    told = replace(
        document, supplied=replace(document.supplied, rated_in=c.RatedIn("ENF", "2010-08"))
    )
    receipt = import_document(ledger, told, Request("t", "test", "", "", dry_run=True))
    assert reached(ledger.facts(), receipt.events) == []
    assert not [shift for shift in receipt.shifts or () if shift.published]


def test_a_list_is_reached_by_tournaments_of_its_rate_of_play_only() -> None:
    ledger = with_july_published()
    define(ledger, "RAPID", regulation="fide-rapid", rate_of_play=Rate.RAPID)
    publish_period(ledger, "2010-07", "RAPID")
    receipt = imported(late("2010-07-20", "rapid"))(ledger)
    lists = {each.list for each in reached(ledger.facts(), receipt.events)}
    assert "RAPID" in lists
    classical = imported(late("2010-07-20"))(ledger)
    assert {each.list for each in reached(ledger.facts(), classical.events)} == {"ENF"}


def test_a_list_is_reached_by_what_moves_the_list_from_which_it_takes_ratings() -> None:
    ledger = with_july_published()
    define(
        ledger, "RAPID", regulation="fide-rapid", rate_of_play=Rate.RAPID,
        parameters={"standard_list": "ENF"},
    )  # fmt: skip
    publish_period(ledger, "2010-07", "RAPID")
    receipt = imported(late("2010-07-20"))(ledger)
    assert [each.list for each in reached(ledger.facts(), receipt.events)] == ["ENF", "RAPID"]


def test_what_comes_before_a_published_period_reaches_it() -> None:
    ledger = empty_ledger()
    define(ledger, calendar=Calendar.MONTHLY, first_on=dt.date(2010, 1, 1))
    import_text(ledger, f"{PLAYERS_HEADER}A,A,,,,1800,40,50\nB,B,,,,1800,40,50\n", list_="ENF")
    publish_period(ledger, "2010-07")
    receipt = imported(late("2010-03-20"))(ledger)
    assert [each.period for each in reached(ledger.facts(), receipt.events)] == ["2010-03"]
