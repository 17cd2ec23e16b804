"""Administrators make accounts, grant and revoke roles; each is an event with actor and reason."""

from __future__ import annotations

import re

import pytest

from ledger.service.accounts import grant_role, revoke_all, revoke_role, rights_of
from ledger.terms import Role
from tests.ledgers import define, games, import_text, request
from tests.web.accounts.conftest import Person, Town, ceremony_in, code_of, secret_in
from tests.web.filling import form_of, forms_of
from web.accounts.identity import FRESH_SECONDS
from web.office.accounts import ENROLMENT_HOURS
from web.office.credentials import STEP_SECONDS

_LINK = re.compile(r"<code>http://localhost:8000/enrol/([\w-]+)</code>")


@pytest.fixture
def boss(town: Town) -> Person:
    """An administrator who has just signed in."""
    return town.person("boss", Role.ADMINISTRATOR)


def link_in(page: str) -> str:
    """Returns the code of the link that a page shows."""
    found = _LINK.search(page)
    assert found, page
    return found[1]


def created(boss: Person, account: str, role: str = "officer") -> str:
    """Makes an account; returns the code of its link."""
    typed = {"account": account, "role": role, "reason": "minutes of 3 May"}
    return link_in(boss.browser.post("/accounts", **typed).text)


def test_an_account_is_made_and_handed_over_by_a_link(town: Town, boss: Person) -> None:
    ana = town.browser().enrol("ana", created(boss, " Ana "))
    assert ana.browser.is_signed_in()
    assert len(ana.recovery) == 8
    *_, last = town.ledger.journal.commits()
    assert (last.actor, last.reason) == ("boss", "minutes of 3 May")
    types = [event.type for event in town.ledger.journal.events(after=last.first_seq - 1)]
    assert types == ["account.granted", "account.entrusted"]


def test_a_link_is_good_for_some_days_only(town: Town, boss: Person) -> None:
    link = created(boss, "ana")
    town.clock.pass_by(seconds=ENROLMENT_HOURS * 3600)
    assert town.browser().get(f"/enrol/{link}").status_code == 404


def test_opening_a_link_does_not_use_it(town: Town, boss: Person) -> None:
    link = created(boss, "ana")
    for _ in range(3):
        assert town.browser().get(f"/enrol/{link}").status_code == 200
    town.browser().enrol("ana", link)
    assert town.browser().get(f"/enrol/{link}").status_code == 404


@pytest.mark.parametrize("link", ["x", "a" * 43, "%00", "..%2f..", "é"])
def test_what_is_no_link_is_not_found(town: Town, link: str) -> None:
    assert town.browser().get(f"/enrol/{link}").status_code == 404


@pytest.mark.parametrize("password", ["short", "a" * 201, "aaaaaaaaaaaaaaaa", "my-ana-password"])
def test_a_weak_password_is_not_taken(town: Town, boss: Person, password: str) -> None:
    link = created(boss, "ana")
    answer = town.browser().post(f"/enrol/{link}/password", password=password)
    assert answer.status_code == 422
    assert f'action="/enrol/{link}/password"' in answer.text
    assert 'role="alert"' in answer.text
    assert password not in answer.text.partition("<form")[2]


def test_a_refused_new_password_leaves_the_form_of_the_own_account(boss: Person) -> None:
    answer = boss.browser.post("/account/password", password="my boss password")
    assert answer.status_code == 422
    assert "too easy to guess" in answer.text
    assert 'action="/account/password"' in answer.text
    whose = '<input name="username" value="boss" autocomplete="username" readonly hidden>'
    assert whose in answer.text  # for a password manager
    assert boss.browser.is_signed_in()


def test_a_password_waits_for_the_first_code(town: Town, boss: Person) -> None:
    link, ana = created(boss, "ana"), town.browser()
    page = ana.post(f"/enrol/{link}/password", password="correct horse battery").text
    assert "<svg" in page
    assert "style=" not in page
    ceremony = page.split('name="ceremony" value="')[1].split('"')[0]
    wrong = ana.post(f"/enrol/{link}/codes", ceremony=ceremony, first="000000")
    assert wrong.status_code == 422
    assert ceremony in wrong.text
    assert not ana.is_signed_in()


def test_roles_are_granted_and_revoked(town: Town, boss: Person) -> None:
    ana = town.browser().enrol("ana", created(boss, "ana"))
    done = boss.browser.post("/accounts/ana/grant", role="auditor", reason="elected")
    assert done.headers["location"] == "/accounts/ana"
    assert rights_of(town.ledger, "ana").roles == {Role.OFFICER, Role.AUDITOR}
    ana.sign_in()
    boss.browser.post("/accounts/ana/revoke", role="officer", reason="term is over")
    assert rights_of(town.ledger, "ana").roles == {Role.AUDITOR}
    assert not ana.browser.is_signed_in()
    assert "auditor" in boss.browser.get("/accounts/ana").text


def test_a_reason_is_needed(town: Town, boss: Person) -> None:
    created(boss, "ana")
    for reason in ({}, {"reason": "  "}):
        answer = boss.browser.post("/accounts/ana/grant", role="auditor", **reason)
        assert answer.status_code == 422
    assert rights_of(town.ledger, "ana").roles == {Role.OFFICER}


def test_a_refused_form_is_shown_again_as_it_was_filled_in(boss: Person) -> None:
    created(boss, "ana")
    typed = {"role": "auditor", "reason": "elected <in> May", "tournament": ""}
    kept = ('value="elected &lt;in&gt; May"', '<option value="auditor" selected>')
    for name, said in (
        ("Ana Luisa", "an account&#39;s name is made of small letters"),
        ("ana", "There is an account ana already"),
    ):
        answer = boss.browser.post("/accounts", account=name, **typed)
        assert answer.status_code in {409, 422}
        assert said.lower() in answer.text.lower()
        assert all(each in answer.text for each in (*kept, f'value="{name}"'))
    answer = boss.browser.post("/accounts/ana/grant", **typed | {"tournament": "T9"})
    assert answer.status_code == 422
    assert all(each in answer.text for each in (*kept, 'value="T9"'))
    for form in ("revoke", "reset"):
        answer = boss.browser.post(f"/accounts/boss/{form}", role="administrator", reason=" ")
        assert 'action="/accounts/boss/grant"' in answer.text
        assert answer.status_code == 422


@pytest.mark.parametrize("tournament", [None, "open"])
def test_a_role_that_somebody_else_revoked_meanwhile_keeps_the_reason_in_its_form(
    town: Town, boss: Person, tournament: str | None
) -> None:
    import_text(town.ledger, "id,name\nA,A\nB,B\n")
    import_text(town.ledger, games("open", "1,2010-07-10,A,B,1-0"))
    grant_role(town.ledger, "ana", Role.AUDITOR, request=request())
    grant_role(town.ledger, "ana", Role.ARBITER, tournament=tournament, request=request())
    said = {"role": "arbiter", "tournament": tournament or ""}
    here = "/accounts/ana/revoke"
    form = form_of(boss.browser.get("/accounts/ana").text, here, **said)
    revoke_role(town.ledger, "ana", Role.ARBITER, tournament=tournament, request=request())
    refused = boss.browser.post(here, **dict(form.filled({"reason": "moved <away>"})))
    assert (refused.status_code, "does not have the role" in refused.text) == (422, True)
    again = form_of(refused.text, here, **said)
    assert again.value("reason") == "moved <away>"
    assert form_of(refused.text, here, role="auditor").value("reason") == ""
    assert len(keys_of(refused.text)) == len(set(keys_of(refused.text)))
    grant_role(town.ledger, "ana", Role.ARBITER, tournament=tournament, request=request())
    assert boss.browser.post(here, **dict(again.fields)).status_code == 303
    *_, last = town.ledger.journal.commits()
    assert (last.actor, last.reason) == ("boss", "moved <away>")
    assert not [each for each in forms_of(boss.browser.get("/accounts/ana").text)
                if each.value("role") == "arbiter" and each.action == here]  # fmt: skip


def test_an_auditor_reads_who_has_which_role_and_changes_none(town: Town) -> None:
    kim = town.person("kim", Role.AUDITOR)
    page = kim.browser.get("/accounts").text
    assert "<bdi>kim</bdi>" in page
    assert 'action="/accounts"' not in page
    assert 'href="/accounts/kim"' not in page
    own = kim.browser.get("/account").text
    assert 'id="keys"' not in own
    assert 'value="accounts"' in own
    assert 'value="players"' not in own
    arbiter = town.person("eva", Role.ARBITER).browser.get("/account").text
    assert "Make a passkey first" in arbiter


def test_an_administrator_is_told_what_can_be_done_on_the_site(boss: Person) -> None:
    created(boss, "ana")
    said = {"role": "officer", "reason": "again"}
    answer = boss.browser.post("/accounts/ana/grant?lang=es", **said).text
    assert "la cuenta ana ya tiene el rol de oficial de rating" in answer
    assert "account grant" not in boss.browser.post("/accounts", account="ana", **said).text


def test_the_last_administrator_does_not_go(boss: Person) -> None:
    answer = boss.browser.post("/accounts/boss/revoke", role="administrator", reason="tired")
    assert answer.status_code == 422
    assert "last administrator" in answer.text
    assert boss.browser.is_signed_in()


def test_who_never_took_the_account_is_no_administrator_who_stays(town: Town, boss: Person) -> None:
    link = created(boss, "ana", "administrator")
    said = {"role": "administrator", "reason": "tired"}
    answer = boss.browser.post("/accounts/boss/revoke", **said)
    assert answer.status_code == 422
    assert "last administrator who can sign in" in answer.text
    assert boss.browser.is_signed_in()
    town.browser().enrol("ana", link)
    assert boss.browser.post("/accounts/boss/revoke", **said).status_code == 303
    assert rights_of(town.ledger, "boss").roles == frozenset()


def test_who_never_took_the_account_is_no_officer_to_agree(town: Town, boss: Person) -> None:
    define(town.ledger)
    for name in ("ana", "luis"):
        town.browser().enrol(name, created(boss, name))
    link = created(boss, "eva")
    said = {"role": "officer", "reason": "moved away"}
    assert "--second" in boss.browser.get("/accounts/ana").text
    assert "--second" not in boss.browser.get("/accounts/eva").text
    answer = boss.browser.post("/accounts/ana/revoke", **said)
    assert answer.status_code == 422
    assert "fewer than two officers who can sign in" in answer.text
    town.browser().enrol("eva", link)
    assert boss.browser.post("/accounts/ana/revoke", **said).status_code == 303


@pytest.mark.parametrize("step", ["grant", "revoke"])
def test_who_changes_the_own_roles_is_told_why_to_sign_in_again(
    town: Town, boss: Person, step: str
) -> None:
    assert (
        boss.browser.post("/accounts/boss/grant", role="auditor", reason="too").status_code == 303
    )
    boss.sign_in()
    assert "were changed" not in town.browser().get("/sign-in").text
    role = "auditor" if step == "revoke" else "arbiter"
    done = boss.browser.post(f"/accounts/boss/{step}", role=role, reason="elected")
    there = boss.browser.get(done.headers["location"])
    assert there.headers["location"] == "/sign-in?next=%2Faccounts%2Fboss"
    for lang, said in (("en", "roles of your account"), ("es", "roles de su cuenta")):
        page = boss.browser.get(there.headers["location"], **{"accept-language": lang}).text
        assert said in page
    town.clock.pass_by(seconds=STEP_SECONDS)
    assert boss.sign_in().status_code == 303
    assert "were changed" not in boss.browser.get("/sign-in").text


def test_a_name_is_taken_once(boss: Person) -> None:
    created(boss, "ana")
    typed = {"account": "ana", "role": "auditor", "reason": "again"}
    assert boss.browser.post("/accounts", **typed).status_code == 409


def keys_of(page: str) -> list[str]:
    return re.findall(r'name="key" value="([^"]+)"', page)


def test_every_form_has_a_key_of_its_own(boss: Person) -> None:
    created(boss, "ana")
    keys = keys_of(boss.browser.get("/accounts/ana").text)
    assert len(keys) == len(set(keys)) >= 3


def test_a_double_click_is_one_commit(town: Town, boss: Person) -> None:
    (key,) = keys_of(boss.browser.get("/accounts").text)
    new = {"account": "ana", "role": "officer", "reason": "elected", "key": key}
    first, second = (boss.browser.post("/accounts", **new) for _ in range(2))
    link = link_in(first.text)
    assert (second.status_code, "/enrol/" in second.text) == (200, False)
    assert "was made already, on 1 March 2026, 12:00" in second.text
    assert town.browser().get(f"/enrol/{link}").status_code == 200
    town.browser().enrol("ana", link)
    for step in ("grant", "revoke"):
        asked = {"role": "auditor", "reason": "elected", "key": f"{step}-1", "tournament": " "}
        answers = [boss.browser.post(f"/accounts/ana/{step}", **asked) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [303, 303], step
    reasons = [commit.reason for commit in town.ledger.journal.commits()][-3:]
    assert reasons == ["elected"] * 3


def test_a_link_that_was_lost_is_made_anew_on_purpose(town: Town, boss: Person) -> None:
    asked = {"account": "ana", "role": "officer", "reason": "elected", "key": "k"}
    lost = link_in(boss.browser.post("/accounts", **asked).text)
    page = boss.browser.post("/accounts", **asked).text
    assert 'action="/accounts/ana/reset"' in page
    (key,) = keys_of(page)
    made = boss.browser.post("/accounts/ana/reset", reason="elected", key=key).text
    assert town.browser().get(f"/enrol/{lost}").status_code == 404
    town.browser().enrol("ana", link_in(made))


def test_the_page_of_an_account_tells_of_the_link_that_awaits_its_owner(
    town: Town, boss: Person
) -> None:
    link = created(boss, "ana")
    page = boss.browser.get("/accounts/ana").text
    assert "made on 1 March 2026, 12:00, not used yet, good until 4 March 2026, 12:00" in page
    town.browser().enrol("ana", link)
    assert "not used yet" not in boss.browser.get("/accounts/ana").text


def test_a_link_ends_with_the_sessions_and_with_the_last_role(town: Town, boss: Person) -> None:
    link = created(boss, "ana")
    boss.browser.post("/accounts/ana/sessions/end")
    assert town.browser().get(f"/enrol/{link}").status_code == 404
    link = created(boss, "luis")
    boss.browser.post("/accounts/luis/grant", role="auditor", reason="elected")
    for role, status in (("officer", 200), ("auditor", 404)):
        boss.browser.post("/accounts/luis/revoke", role=role, reason="an error")
        assert town.browser().get(f"/enrol/{link}").status_code == status
    boss.browser.post("/accounts/luis/grant", role="auditor", reason="elected")
    assert town.browser().get(f"/enrol/{link}").status_code == 404


def test_a_link_is_void_where_the_last_role_was_revoked_past_the_site(
    town: Town, boss: Person
) -> None:
    link = created(boss, "ana")
    revoke_all(town.ledger, "ana", request())
    answer = town.browser().get(f"/enrol/{link}")
    assert answer.status_code == 404
    assert "has no role any more" in answer.text


def test_a_form_that_comes_again_takes_no_account_from_its_owner(town: Town, boss: Person) -> None:
    created(boss, "ana")
    commits = len(list(town.ledger.journal.commits()))
    asked = {"reason": "lost telephone", "key": "k"}
    page = boss.browser.post("/accounts/ana/reset", **asked).text
    ana = town.browser().enrol("ana", link_in(page))
    again = boss.browser.post("/accounts/ana/reset", **asked)
    assert again.status_code == 409
    assert "handed over already" in again.text
    assert ana.browser.is_signed_in()
    assert len(list(town.ledger.journal.commits())) == commits + 1
    other = boss.browser.post("/accounts/ana/grant", role="auditor", reason="x", key="k")
    assert other.status_code == 409, "another command under the same key"


def test_whoever_lost_every_way_in_is_given_another(town: Town, boss: Person) -> None:
    ana = town.browser().enrol("ana", created(boss, "ana"))
    page = boss.browser.post("/accounts/ana/reset", reason="lost telephone").text
    assert not ana.browser.is_signed_in()
    assert ana.sign_in(town.browser()).status_code == 422
    again = town.browser().enrol("ana", link_in(page))
    assert again.browser.is_signed_in()
    *_, last = town.ledger.journal.commits()
    assert (last.actor, last.reason) == ("boss", "lost telephone")


def test_sessions_are_ended_by_an_administrator(town: Town, boss: Person) -> None:
    ana = town.browser().enrol("ana", created(boss, "ana"))
    boss.browser.post("/accounts/ana/sessions/end")
    assert not ana.browser.is_signed_in()


def test_who_signed_in_long_ago_proves_again_who_they_are(town: Town, boss: Person) -> None:
    created(boss, "ana")
    town.clock.pass_by(seconds=FRESH_SECONDS)
    assert boss.browser.get("/accounts/ana").status_code == 200
    refused = boss.browser.client.post(
        "/accounts/ana/grant",
        data={"role": "auditor", "reason": "elected"},
        headers={"referer": "http://localhost:8000/accounts/ana"},
    )
    assert refused.headers["location"].startswith("/sign-in?next=%2Fagain%2F")
    assert rights_of(town.ledger, "ana").roles == {Role.OFFICER}
    assert "prove once more" in boss.browser.get(refused.headers["location"]).text
    assert boss.sign_in(next="/accounts/ana").headers["location"] == "/accounts/ana"
    boss.browser.post("/accounts/ana/grant", role="auditor", reason="elected")
    assert rights_of(town.ledger, "ana").roles == {Role.OFFICER, Role.AUDITOR}


def test_a_page_of_another_site_is_no_page_to_go_back_to(town: Town, boss: Person) -> None:
    town.clock.pass_by(seconds=FRESH_SECONDS)
    for referer in ("https://evil.example/x", "http://localhost:8000.evil/x", "x"):
        answer = boss.browser.client.post(
            "/accounts/boss/sessions/end", headers={"referer": referer}
        )
        assert answer.headers["location"] == "/sign-in?next=%2F"


def test_a_new_password_ends_every_other_session(town: Town, boss: Person) -> None:
    other = town.browser()
    boss.sign_in(other)
    before = boss.browser.client.cookies["session"]
    page = boss.browser.post("/account/password", password="another good password").text
    first = code_of(secret_in(page), town.clock)
    done = boss.browser.post("/account/codes", ceremony=ceremony_in(page), first=first)
    assert done.status_code == 200
    assert boss.browser.is_signed_in()
    assert boss.browser.client.cookies["session"] != before
    assert not other.is_signed_in()
    assert boss.sign_in(town.browser()).status_code == 422


def test_an_arbiter_is_limited_to_a_tournament(town: Town, boss: Person) -> None:
    import_text(town.ledger, "id,name\nA,A\nB,B\n")
    import_text(town.ledger, games("open", "1,2010-07-10,A,B,1-0"))
    typed = {"account": "ana", "role": "arbiter", "tournament": "open", "reason": "appointed"}
    link = link_in(boss.browser.post("/accounts", **typed).text)
    ana = town.browser().enrol("ana", link)
    assert "/tournaments/open" in ana.browser.get("/account").text
    answer = boss.browser.post(
        "/accounts/ana/revoke", role="arbiter", tournament="open", reason="done"
    )
    assert answer.status_code == 303
    assert rights_of(town.ledger, "ana").roles == frozenset()


def test_what_is_typed_stands_in_no_page_as_markup(town: Town, boss: Person) -> None:
    for path in ("/accounts/%3Cscript%3E", "/enrol/%3Cscript%3E"):
        assert "<script>" not in boss.browser.get(path).text
    answer = town.browser().post("/sign-in", account="<script>", password="x", code="1")
    assert "<script>" not in answer.text


def test_the_page_says_who_has_to_agree_before_the_rule_of_two_ends(
    town: Town, boss: Person
) -> None:
    define(town.ledger)
    created(boss, "ana")
    assert "--second" not in boss.browser.get("/accounts/ana").text
    created(boss, "luis")
    assert "account revoke ana officer" in boss.browser.get("/accounts/ana").text
    refused = boss.browser.post("/accounts/ana/revoke", role="officer", reason="alone")
    assert refused.status_code == 422
    assert "fewer than two officers" in refused.text
    assert rights_of(town.ledger, "ana").roles == {Role.OFFICER}
