"""What an account must be is asked at the head: a role that is revoked records nothing more."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from ledger.errors import RightsLacking
from ledger.events.accounts import AccountEntrusted, AccountGranted, AccountRevoked
from ledger.events.model import Dated, Event
from ledger.events.tournaments import TournamentClosed
from ledger.identifiers import Seq
from ledger.journal.records import Commit, Draft, Head
from ledger.operations import commands as c
from ledger.service.archives import open_ledger
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.terms import Rate, Role, System
from ledger.trust.rights import RequiredRights, is_handed_in
from tests.ledgers import NOW, do, empty_ledger, request

DAY = dt.date(2026, 1, 1)
_SECONDS = 30  # that are waited for another thread
OFFICER = RequiredRights(account="ana", roles=frozenset({Role.OFFICER}), since=Seq(10**6))
DESK = replace(OFFICER, roles=frozenset({Role.OFFICER, Role.ARBITER}))
OPEN = c.OpenTournament(
    tournament="t", name="T", starts_on=DAY, ends_on=DAY, system=System.SWISS,
    rate_of_play=Rate.CLASSICAL, rounds=3,
)  # fmt: skip
FLAG = c.FlagTournament(tournament="t", flags=("x",))


def with_accounts(ledger: Ledger) -> Ledger:
    """Makes a tournament, ana an officer, eva its arbiter, max an arbiter of all."""
    do(
        ledger, OPEN,
        c.GrantRole(account="root", role=Role.ADMINISTRATOR),
        c.GrantRole(account="ana", role=Role.OFFICER),
        c.GrantRole(account="eva", role=Role.ARBITER, tournament="t"),
        c.GrantRole(account="max", role=Role.ARBITER),
    )  # fmt: skip
    return ledger


def asked(rights: RequiredRights | None) -> Request:
    return replace(request(), actor="ana", rights=rights)


@pytest.fixture
def held(database_url: str) -> Iterator[Callable[[Event, RequiredRights], Receipt]]:
    """Holds a command at the writer's lock while another one records something."""
    with closing(open_ledger(database_url)) as mine, closing(open_ledger(database_url)) as others:
        ledger = with_accounts(Ledger(mine, lambda: NOW))

        def recorded(event: Event, rights: RequiredRights) -> Receipt:
            return _held(ledger, Ledger(others, lambda: NOW), event, rights)

        yield recorded


def _held(holder: Ledger, waiting: Ledger, event: Event, rights: RequiredRights) -> Receipt:
    """Records an event while a command that was drafted before it waits for the lock.

    Returns the receipt of the command; raises what it raises.
    """
    at_lock, outcome = threading.Event(), list[Receipt | Exception]()
    append = waiting.journal.append

    def waits(draft: Draft, *, expected_seq: int, recorded_at: dt.datetime) -> Commit:
        at_lock.set()
        return append(draft, expected_seq=expected_seq, recorded_at=recorded_at)

    def command() -> None:
        try:
            outcome.append(waiting.execute([FLAG], asked(rights)))
        except Exception as error:  # noqa: BLE001 - it is raised below
            outcome.append(error)

    thread = threading.Thread(target=command)

    def draft_at(_head: Head) -> Draft:
        thread.start()
        assert at_lock.wait(_SECONDS), "the command came to the lock"
        return Draft([Dated(DAY, event)], (), "root", "why", f"held:{rights}", "0" * 64)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(waiting.journal, "append", waits)
        holder.journal.append_in_turn(draft_at, lambda: NOW)
        thread.join(_SECONDS)
    (came,) = outcome
    if isinstance(came, Exception):
        raise came
    return came


LOST = "account.rights_lost"
REVOKED = AccountRevoked(account="ana", role=Role.OFFICER)
EVA = replace(DESK, account="eva", tournament="t")


@pytest.mark.parametrize(
    ("event", "rights", "key"),
    [
        (REVOKED, OFFICER, LOST),
        (AccountEntrusted(account="ana", way="link"), replace(OFFICER, since=Seq(5)), LOST),
        (AccountRevoked(account="eva", role=Role.ARBITER, tournament="t"), EVA, LOST),
        (AccountRevoked(account="max", role=Role.ARBITER), replace(EVA, account="max"),
         LOST),
        (TournamentClosed(tournament="t"), EVA, "web.handed_in"),
        (TournamentClosed(tournament="t"), replace(EVA, account="max"), "web.handed_in"),
    ],
)  # fmt: skip
def test_what_is_taken_while_a_command_waits_for_the_lock_records_nothing(
    held: Callable[[Event, RequiredRights], Receipt], database_url: str, event: Event,
    rights: RequiredRights, key: str,
) -> None:  # fmt: skip
    with pytest.raises(RightsLacking) as refused:
        held(event, rights)
    assert refused.value.message.key == key
    with closing(open_ledger(database_url)) as journal:
        *_, last = journal.events()
        assert last.type == event.TYPE, "nothing came after it"


@pytest.mark.parametrize(
    ("event", "rights"),
    [
        (AccountRevoked(account="max", role=Role.ARBITER), OFFICER),
        (AccountGranted(account="ana", role=Role.AUDITOR), OFFICER),
        (TournamentClosed(tournament="t"), replace(DESK, tournament="t")),
        (AccountRevoked(account="max", role=Role.ARBITER), EVA),
    ],
)
def test_what_concerns_somebody_else_does_not_stop_it(
    held: Callable[[Event, RequiredRights], Receipt], event: Event, rights: RequiredRights
) -> None:
    receipt = held(event, rights)
    assert (receipt.repeated, len(receipt.events)) == (False, 1)


@pytest.mark.parametrize(
    "rights",
    [
        replace(OFFICER, account="nobody"),
        replace(OFFICER, account="eva"),
        replace(DESK, account="eva", everywhere=True),
        replace(DESK, account="eva", tournament="other"),
        replace(DESK, account="root", tournament="t"),
    ],
)
def test_who_never_had_the_role_records_nothing_either(rights: RequiredRights) -> None:
    ledger = with_accounts(empty_ledger())
    before = ledger.journal.head()
    for dry_run in (False, True):
        with pytest.raises(RightsLacking):
            ledger.execute([FLAG], replace(asked(rights), dry_run=dry_run))
    assert ledger.journal.head() == before


@pytest.mark.parametrize(
    "rights",
    [
        OFFICER, DESK, replace(DESK, account="max"), replace(DESK, account="max", everywhere=True),
        replace(DESK, account="max", tournament="other"), EVA, replace(DESK, account="eva"),
        replace(OFFICER, account="root", roles=frozenset()),
    ],
)  # fmt: skip
def test_who_has_it_records(rights: RequiredRights) -> None:
    ledger = with_accounts(empty_ledger())
    assert ledger.execute([FLAG], asked(rights)).commit_id == 2


def test_a_role_that_was_taken_and_given_again_is_another_sign_in() -> None:
    ledger = with_accounts(empty_ledger())
    signed_in = replace(OFFICER, since=ledger.journal.head().seq)
    do(ledger, c.RevokeRole(account="ana", role=Role.OFFICER))
    do(ledger, c.GrantRole(account="ana", role=Role.OFFICER))
    with pytest.raises(RightsLacking):
        ledger.execute([FLAG], asked(signed_in))
    again = replace(OFFICER, since=ledger.journal.head().seq)
    assert ledger.execute([FLAG], asked(again)).commit_id is not None


def test_what_was_recorded_before_is_answered_though_the_role_is_gone() -> None:
    ledger = with_accounts(empty_ledger())
    once = asked(OFFICER)
    first = ledger.execute([FLAG], once)
    do(ledger, c.RevokeRole(account="ana", role=Role.OFFICER))
    again = ledger.execute([FLAG], once)
    assert (again.repeated, again.commit_id) == (True, first.commit_id)


def test_a_tournament_is_handed_in_when_its_report_is_complete() -> None:
    ledger = with_accounts(empty_ledger())
    assert not is_handed_in(ledger.facts(), "t")
    assert not is_handed_in(ledger.facts(), "unknown")
    do(ledger, c.CloseTournament(tournament="t", on=DAY, anyway=True))
    assert is_handed_in(ledger.facts(), "t")
