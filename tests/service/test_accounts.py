"""Roles of accounts are granted and revoked as events, with a reason, and hold at every seq."""

from __future__ import annotations

import pytest

from ledger.errors import InputRefused, LedgerError, NotFound
from ledger.identifiers import Seq
from ledger.service.accounts import (
    accounts,
    grant_role,
    require_account,
    revoke_all,
    revoke_role,
    rights_of,
)
from ledger.service.ledger import Ledger
from ledger.terms import Role
from ledger.views.past import PastLedger
from tests.ledgers import empty_ledger, games, import_text, ledger_of, request


def granted(*grants: tuple[str, Role]) -> Ledger:
    ledger = empty_ledger()
    for account, role in grants:
        grant_role(ledger, account, role, request=request())
    return ledger


def key_of(error: pytest.ExceptionInfo[LedgerError]) -> str:
    return error.value.message.key


def test_an_account_has_the_roles_that_it_was_granted() -> None:
    ledger = granted(("ana", Role.OFFICER), ("ana", Role.AUDITOR), ("luis", Role.OFFICER))
    assert rights_of(ledger, "ana").roles == {Role.OFFICER, Role.AUDITOR}
    assert rights_of(ledger, "nobody").roles == frozenset()
    assert [each.account for each in accounts(ledger)] == ["ana", "luis"]


def test_a_role_that_was_revoked_is_gone_and_can_be_granted_again() -> None:
    ledger = granted(("ana", Role.OFFICER))
    receipt = revoke_role(ledger, "ana", Role.OFFICER, request=request())
    assert rights_of(ledger, "ana").roles == frozenset()
    assert rights_of(ledger, "ana").revoked == receipt.last_seq
    grant_role(ledger, "ana", Role.OFFICER, request=request())
    assert rights_of(ledger, "ana").roles == {Role.OFFICER}
    assert rights_of(ledger, "ana").revoked == receipt.last_seq


def test_what_was_granted_at_a_seq_is_known_for_ever() -> None:
    ledger = granted(("ana", Role.OFFICER))
    revoke_role(ledger, "ana", Role.OFFICER, request=request())
    assert rights_of(PastLedger(ledger, Seq(1)), "ana").roles == {Role.OFFICER}
    assert rights_of(PastLedger(ledger, Seq(2)), "ana").roles == frozenset()


def test_an_arbiter_may_be_limited_to_tournaments() -> None:
    ledger = ledger_of("A,1500,,50", "B,1500,,50")
    import_text(ledger, games("open", "1,2010-07-10,A,B,1-0"))
    grant_role(ledger, "ana", Role.ARBITER, tournament="open", request=request())
    assert rights_of(ledger, "ana").roles == {Role.ARBITER}
    assert rights_of(ledger, "ana").tournaments == frozenset({"open"})
    grant_role(ledger, "ana", Role.ARBITER, request=request())
    assert rights_of(ledger, "ana").tournaments is None
    revoke_role(ledger, "ana", Role.ARBITER, request=request())
    assert rights_of(ledger, "ana").tournaments == frozenset({"open"})
    assert require_account(ledger, "ana").data()["grants"] == [
        {"role": "arbiter", "tournament": "open", "since_seq": 11, "since_on": "2026-01-01"}
    ]


@pytest.mark.parametrize(
    ("role", "tournament", "key"),
    [
        (Role.OFFICER, "open", "account.not_limited"),
        (Role.ARBITER, "no-such", "tournament.unknown"),
        (Role.OFFICER, None, "account.granted_already"),
    ],
)
def test_what_makes_no_sense_is_not_granted(role: Role, tournament: str | None, key: str) -> None:
    ledger = granted(("ana", Role.OFFICER))
    with pytest.raises(LedgerError) as refusal:
        grant_role(ledger, "ana", role, tournament=tournament, request=request())
    assert key_of(refusal) == key


@pytest.mark.parametrize(
    "name", ["", "Ana", "ana luis", "ana + luis", "a" * 41, "-ana", "año", "a\n"]
)
def test_an_account_is_named_by_a_handle(name: str) -> None:
    with pytest.raises(InputRefused) as refusal:
        grant_role(empty_ledger(), name, Role.OFFICER, request=request())
    assert key_of(refusal) == "registrar.bad_value"


def test_what_was_not_granted_cannot_be_revoked() -> None:
    ledger = granted(("ana", Role.OFFICER))
    with pytest.raises(InputRefused) as refusal:
        revoke_role(ledger, "ana", Role.AUDITOR, request=request())
    assert key_of(refusal) == "account.not_granted"
    with pytest.raises(NotFound):
        revoke_role(ledger, "luis", Role.OFFICER, request=request())
    with pytest.raises(NotFound):
        revoke_all(ledger, "luis", request())


def test_the_last_administrator_stays() -> None:
    ledger = granted(("ana", Role.ADMINISTRATOR), ("ana", Role.OFFICER))
    with pytest.raises(InputRefused) as refusal:
        revoke_role(ledger, "ana", Role.ADMINISTRATOR, request=request())
    assert key_of(refusal) == "account.last_administrator"
    with pytest.raises(InputRefused):
        revoke_all(ledger, "ana", request())
    assert rights_of(ledger, "ana").roles == {Role.ADMINISTRATOR, Role.OFFICER}
    grant_role(ledger, "luis", Role.ADMINISTRATOR, request=request())
    revoke_all(ledger, "ana", request())
    assert rights_of(ledger, "ana").roles == frozenset()


def test_two_administrators_who_revoke_one_another_at_once_do_not_both_succeed() -> None:
    ledger = granted(("ana", Role.ADMINISTRATOR), ("luis", Role.ADMINISTRATOR))
    other = Ledger(ledger.journal, ledger.clock)
    other.facts()
    revoke_role(ledger, "ana", Role.ADMINISTRATOR, request=request())
    with pytest.raises(InputRefused):
        revoke_role(other, "luis", Role.ADMINISTRATOR, request=request())


def test_no_reason_no_grant() -> None:
    with pytest.raises(InputRefused) as refusal:
        grant_role(empty_ledger(), "ana", Role.OFFICER, request=request(" "))
    assert key_of(refusal) == "registrar.needs_reason"
