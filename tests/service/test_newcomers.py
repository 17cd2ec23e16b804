"""Newcomers: registered where they play, under an id by the federation's rule, then confirmed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import Conflict, InputRefused, NotFound
from ledger.events.personal import Identity
from ledger.operations import commands as c
from ledger.service.accounts import grant_role
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.service.newcomers import unconfirmed_players
from ledger.service.operations import carry_out
from ledger.service.retractions import undo_commit
from ledger.terms import Rate, Role, System
from ledger.views.federation import FederationRules
from ledger.views.id_rule import IdRule
from tests.ledgers import (
    NOW,
    PLAYERS_HEADER,
    do,
    empty_ledger,
    import_text,
    request,
)

DAY = NOW.date()


@pytest.fixture
def ledger() -> Ledger:
    made = empty_ledger()
    import_text(made, PLAYERS_HEADER + '101,"Soto Pérez, Ana María",CHI,w,1990,,,\n')
    do(made, c.OpenTournament(
        tournament="t", name="Open", starts_on=DAY, ends_on=DAY, system=System.SWISS,
        rate_of_play=Rate.CLASSICAL,
    ))  # fmt: skip
    return made


def newcomer(name: str = "Lagos, Nina", *, anyway: bool = False) -> c.RegisterNewcomer:
    return c.RegisterNewcomer(
        tournament="t", identity=Identity(name=name, birth_date="1990", sex="w"), salt="0" * 32,
        federation="CHI", on=DAY, anyway=anyway,
    )  # fmt: skip


def ids(receipt: Receipt) -> list[str]:
    return [each.event.player for each in receipt.events if each.event.TYPE == "player.registered"]  # type: ignore[attr-defined]


def test_a_newcomer_is_registered_and_entered_in_one_commit(ledger: Ledger) -> None:
    receipt = carry_out(ledger, newcomer(), request())
    assert receipt.counts == {"player.registered": 1, "player.entered": 1}
    assert ids(receipt) == ["N00001"]
    assert ids(carry_out(ledger, newcomer("Tapia, Eva"), request())) == ["N00002"]
    assert receipt.commit_id is not None
    undo_commit(ledger, c.UndoCommit(commit=receipt.commit_id), request())
    assert ids(carry_out(ledger, newcomer("Vidal, Inés"), request())) == ["N00003"]


def test_the_federation_says_how_ids_are_made(ledger: Ledger) -> None:
    ledger.federation = FederationRules(new_ids="CHI-###%")
    assert ids(carry_out(ledger, newcomer(), request())) == ["CHI-0018"]
    ledger.federation = FederationRules(new_ids="no counter")
    with pytest.raises(InputRefused) as refusal:
        carry_out(ledger, newcomer("Tapia, Eva"), request())
    assert refusal.value.message.key == "player.bad_id_rule"


def registered(name: str, **ids: str) -> c.RegisterPlayer:
    identity = Identity(name=name).with_ids(ids)
    return c.RegisterPlayer(identity=identity, salt="0" * 32, federation="CHI", on=DAY)


def test_who_is_added_without_an_id_gets_one_by_the_rule_if_there_is_one(ledger: Ledger) -> None:
    with pytest.raises(InputRefused) as refusal:
        carry_out(ledger, registered("Lagos, Nina"), request())
    assert refusal.value.message.key == "player.needs_id"
    ledger.federation = FederationRules(new_ids="CHI-###")
    receipt = carry_out(ledger, registered("Lagos, Nina", fide="3400001"), request())
    assert ids(receipt) == ["CHI-001"]
    assert [each.message.key for each in receipt.notes] == ["player.newcomer"]
    assert ids(carry_out(ledger, registered("Tapia, Eva"), request())) == ["CHI-002"]
    with pytest.raises(InputRefused) as refusal:
        carry_out(ledger, registered("Vidal, Inés", fide="3400001"), request())
    assert refusal.value.message.key == "player.id_of_other"


def test_who_may_be_a_member_is_asked_about(ledger: Ledger) -> None:
    with pytest.raises(Conflict) as refusal:
        carry_out(ledger, newcomer("Soto, Ana"), request())
    assert refusal.value.message.key == "player.newcomer_known"
    assert "101" in str(refusal.value)
    assert ids(carry_out(ledger, newcomer("Soto, Ana", anyway=True), request())) == ["N00001"]


def test_a_tournament_that_is_not_there_registers_nobody(ledger: Ledger) -> None:
    head = ledger.journal.head()
    with pytest.raises((NotFound, InputRefused)):
        carry_out(ledger, c.RegisterNewcomer(
            tournament="u", identity=Identity(name="Lagos, Nina"), salt="0" * 32,
            federation=None, on=DAY,
        ), request())  # fmt: skip
    assert ledger.journal.head() == head


def test_what_an_arbiter_registers_waits_for_an_officer(ledger: Ledger) -> None:
    grant_role(ledger, "ana", Role.OFFICER, request=request())
    grant_role(ledger, "eva", Role.ARBITER, request=request())
    asked = Request("eva", "", "k1", "")
    (id_,) = ids(carry_out(ledger, newcomer(), asked))
    carry_out(ledger, newcomer("Tapia, Eva"), Request("ana", "", "k2", ""))
    assert [(each.player.id, each.by) for each in unconfirmed_players(ledger).players] == [
        (id_, "eva")
    ]
    carry_out(ledger, c.ConfirmPlayer(player=id_), Request("ana", "", "k3", ""))
    assert unconfirmed_players(ledger).players == []


def test_where_nobody_has_an_account_nobody_waits(ledger: Ledger) -> None:
    carry_out(ledger, newcomer(), request())
    assert unconfirmed_players(ledger).players == []


@given(
    before=st.text("AB-", max_size=3), width=st.integers(1, 6), check=st.booleans(),
    numbers=st.lists(st.integers(1, 10**6), max_size=6),
)  # fmt: skip
def test_the_next_id_is_never_one_that_was_given(
    before: str, width: int, *, check: bool, numbers: list[int]
) -> None:
    rule = IdRule.parse(f"{before}{'#' * width}{'%' * check}")
    given_ids = {rule.id_of(number) for number in numbers}
    unused = rule.unused(given_ids)
    following = [next(unused) for _ in range(3)]
    assert given_ids.isdisjoint(following)
    assert len({*following}) == 3
    assert following[0] == rule.id_of(max(numbers, default=0) + 1)


@pytest.mark.parametrize("player", ["nobody", "\u2028,", "", "x" * 2000])
def test_an_id_that_is_nobodys_is_refused_whatever_it_looks_like(
    ledger: Ledger, player: str
) -> None:
    for command in (c.ConfirmPlayer(player=player), c.LinkPlayer(player=player, ids=("fide=1",))):
        with pytest.raises((InputRefused, NotFound)):
            carry_out(ledger, command, request())
