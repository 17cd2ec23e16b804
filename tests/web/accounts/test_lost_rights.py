"""A role that is revoked while a form waits to be recorded: nothing is, and the page says so."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from httpx2 import Response

from ledger.journal.records import Commit, Draft
from ledger.operations.commands import CloseTournament
from ledger.service.accounts import entrust_account, revoke_role
from ledger.service.ledger import Ledger
from ledger.terms import Role
from tests.ledgers import do, request, with_july_published
from tests.web.accounts.conftest import Person, Town
from tests.web.accounts.test_tokens import made
from tests.web.submitting import OF_AUGUST
from tests.web.submitting import Person as Visitor
from web.refusals import Forbidden
from web.submissions.decisions import SubmissionDesk

DAY = dt.date(2026, 3, 1)
OPENED = {"name": "T", "tournament": "t", "start": "2026-03-01", "rounds": "3", "reason": "-"}


@contextmanager
def overtaken(ledger: Ledger, others: Callable[[], object]) -> Iterator[None]:
    """Has others record something between the draft of the next commit and its turn."""
    append, came = ledger.journal.append, [others]

    def raced(draft: Draft, *, expected_seq: int, recorded_at: dt.datetime) -> Commit:
        while came:
            came.pop()()
        return append(draft, expected_seq=expected_seq, recorded_at=recorded_at)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ledger.journal, "append", raced)
        yield
        assert not came, "something was to be recorded"


def revoking(town: Town, person: Person, role: Role) -> Callable[[], object]:
    return lambda: revoke_role(town.ledger, person.account, role, request=request())


def assert_only(town: Town, type_: str, answer: Response) -> None:
    """Asserts that a form was turned away, and that nothing came after an event of a type."""
    *_, last = town.ledger.journal.events()
    assert last.type == type_
    assert answer.status_code == 403
    assert "nothing was recorded" in answer.text.lower()


def test_an_administrator_makes_nobody_an_officer_any_more(town: Town) -> None:
    town.person("root", Role.ADMINISTRATOR)
    pat = town.person("pat", Role.ADMINISTRATOR)
    with overtaken(town.ledger, revoking(town, pat, Role.ADMINISTRATOR)):
        answer = pat.browser.post("/accounts/pat/grant", role="officer", reason="coup", key="k")
    assert_only(town, "account.revoked", answer)
    assert not pat.browser.is_signed_in()


def test_an_arbiter_opens_nothing_any_more(town: Town) -> None:
    eva = town.person("eva", Role.ARBITER)
    with overtaken(town.ledger, revoking(town, eva, Role.ARBITER)):
        answer = eva.browser.post("/desk/new", key="k", **OPENED)
    assert_only(town, "account.revoked", answer)


def test_a_program_records_nothing_any_more(town: Town) -> None:
    ana = town.person("ana", Role.OFFICER)
    headers = {"authorization": f"Bearer {made(ana, 'players')}", "idempotency-key": "k"}
    body = {"player": "A", "identity": {"name": "Ana"}, "federation": None}
    client = town.browser().client
    with overtaken(town.ledger, revoking(town, ana, Role.OFFICER)):
        answer = client.post("/api/v1/commands/register-player", json=body, headers=headers)
    assert_only(town, "account.revoked", answer)
    assert answer.json()["type"] == "/api/v1/problems/account.rights_lost"


def test_whose_account_is_given_to_somebody_else_records_nothing_any_more(town: Town) -> None:
    ana = town.person("ana", Role.OFFICER)
    with overtaken(town.ledger, lambda: entrust_account(town.ledger, "ana", "link", request())):
        answer = ana.browser.post("/desk/new", key="k", **OPENED)
    assert_only(town, "account.entrusted", answer)


def test_what_was_handed_in_meanwhile_an_officer_decides(town: Town) -> None:
    eva = town.person("eva", Role.ARBITER)
    assert eva.browser.post("/desk/new", key="k", **OPENED).status_code == 303
    closing = CloseTournament(tournament="t", on=DAY, anyway=True)
    with overtaken(town.ledger, lambda: do(town.ledger, closing)):
        answer = eva.browser.post("/desk/t/close", key="k", anyway="1", reason="x")
    *_, last = town.ledger.journal.events()
    assert (last.type, answer.status_code) == ("tournament.closed", 403)
    assert "an officer decides" in answer.text


@pytest.fixture
def office_town(town: Town) -> Town:
    """The same with a published list: A, B and C play in it."""
    source = with_july_published().journal
    for name, value in vars(source).items():
        if isinstance(value, list | dict):
            setattr(town.ledger.journal, name, value.copy())
    return town


def officer(town: Town, *others: str) -> tuple[Visitor, Callable[[], object]]:
    """Returns ana, an officer beside others, and what revokes her role."""
    for other in others:
        town.link(other, Role.OFFICER)
    ana = town.person("ana", Role.OFFICER)
    return Visitor(ana.browser.client, "ana"), revoking(town, ana, Role.OFFICER)


def handed_in(town: Town) -> str:
    """Returns the id of what an arbiter handed in."""
    eva = town.person("eva", Role.ARBITER)
    return Visitor(eva.browser.client, "eva").handed_in(OF_AUGUST)


def sent(visitor: Visitor, page: str, **said: str) -> Response:
    """Sends the form of a page to its own address."""
    return visitor.post(page, {**visitor.hidden(visitor.get(page), page), **said})


def test_an_officer_publishes_nothing_any_more(office_town: Town) -> None:
    ana, revoked = officer(office_town, "luis", "mar")
    with overtaken(office_town.ledger, revoked):
        answer = sent(ana, "/lists/ENF/2010-08/publish")
    assert_only(office_town, "account.revoked", answer)


def test_an_officer_erases_nobody_any_more(office_town: Town) -> None:
    ana, revoked = officer(office_town)
    with overtaken(office_town.ledger, revoked):
        answer = sent(ana, "/erase/N", confirmed="N", reason="a letter")
    assert_only(office_town, "account.revoked", answer)


def test_an_officer_accepts_nothing_any_more(office_town: Town) -> None:
    town = office_town
    submission = handed_in(town)
    ana, revoked = officer(town, "luis", "mar")
    with overtaken(town.ledger, revoked):
        answer = ana.step(submission, "accept")
    assert_only(town, "account.revoked", answer)


def test_a_job_accepts_nothing_for_who_is_no_officer_any_more(office_town: Town) -> None:
    town = office_town
    submission = handed_in(town)
    _, revoked = officer(town, "luis", "mar")
    desk = SubmissionDesk(town.office, town.app.state.site, is_job=True)
    revoked()
    seen = desk.found(submission)
    with pytest.raises(Forbidden) as forbidden:
        desk.accept(submission, seen.turn, "ana", desk.preview(seen).digest)
    assert forbidden.value.why is not None
    assert forbidden.value.why.key == "account.rights_lost"
    *_, last = town.ledger.journal.events()
    assert last.type == "account.revoked"
