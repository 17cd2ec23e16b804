"""What an account with a bound passkey records at the site is signed first."""

from __future__ import annotations

import asyncio
import datetime as dt
import html
import re
from dataclasses import dataclass, replace
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import select

from ledger.journal.checkpoint import Signer
from ledger.journal.records import Commit, CommitSignature
from ledger.journal.signatures import public_key
from ledger.operations.commands import ErasePlayer
from ledger.service.accounts import bind_key, grant_role
from ledger.service.erasures import erase_player
from ledger.service.ledger import Request
from ledger.terms import Role
from ledger.trust.verification import verify
from tests.ledgers import NOW, PLAYERS_HEADER, request
from tests.web.accounts.authenticator import Authenticator
from tests.web.accounts.conftest import ORIGIN, Browser, Person, Town
from tests.web.accounts.test_passkeys import register
from tests.web.accounts.test_two_people import HIDDEN, REPORT, with_players
from tests.web.filling import form_of, forms_of
from tests.web.support import text_of
from tests.workbooks import workbook
from web import signature_requests
from web.office.ceremonies import SECONDS, SIGNATURE
from web.office.credentials import remove_passkey
from web.office.schema import CEREMONIES, SUBMISSION_SIGNATURES

_HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


@dataclass
class Signatory:
    """Somebody whose account signs with a passkey."""

    person: Person
    key: Authenticator

    @property
    def browser(self) -> Browser:
        return self.person.browser

    def awaited(self, path: str, **typed: str) -> str:
        """Sends a form that is to be signed; returns the address of the page for that."""
        sent = self.browser.post(path, **typed)
        assert sent.status_code == 303, text_of(sent.text)
        where: str = sent.headers["location"]
        assert where.startswith("/sign/"), where
        return where

    def sign(self, where: str, key: Authenticator | None = None) -> Response:
        """Signs as the script of the page does."""
        options = self.browser.client.post(f"{where}/begin", json={}).json()
        body = {"ceremony": options["ceremony"], "answer": (key or self.key).used(options)}
        return self.browser.client.post(where, json=body)

    def again(self, where: str) -> Response:
        """Sends the form again that stands on the page, as its script does once it is signed."""
        page = self.browser.get(where).text
        (form,) = [each for each in forms_of(page) if "signed=" in each.action]
        return self.browser.post(html.unescape(form.action), **dict(form.fields))

    def record(self, path: str, **typed: str) -> Response:
        """Sends a form, signs it, and sends it again."""
        where = self.awaited(path, **typed)
        page = self.browser.get(where).text
        assert self.sign(where).status_code == 200
        (form,) = [each for each in forms_of(page) if "signed=" in each.action]
        return self.browser.post(html.unescape(form.action), **dict(form.fields))


def signatory(town: Town, account: str, *roles: Role) -> Signatory:
    """Makes an account whose owner makes a passkey and binds it."""
    person, key = town.person(account, *roles), Authenticator(ORIGIN)
    assert register(person.browser, key, "/account/passkeys").status_code == 200
    assert bind(person.browser, key).status_code == 303
    return Signatory(person, key)


def bind(browser: Browser, key: Authenticator) -> Response:
    return browser.post("/account/keys/bind", passkey=key.id.hex(), reason="mine", key="k")


def commits(town: Town) -> list[Commit]:
    return list(town.ledger.journal.commits())


def signatures(town: Town) -> list[CommitSignature]:
    return list(town.ledger.journal.signatures())


def draft(browser: Browser, file: str = REPORT, **said: str) -> str:
    """Keeps a file, the report, as a draft; returns the address of the submission."""
    key = dict(HIDDEN.findall(browser.get("/submissions/new").text))
    files = {"file": ("report.csv", file.encode())}
    sent = browser.client.post("/submissions/new", data=key | said, files=files)
    page: str = sent.headers["location"]
    return page


MOVED = "Somebody else recorded something"
GRANT = {"role": "arbiter", "reason": "season", "key": "once"}


def test_what_is_recorded_is_signed_by_the_bound_passkey(town: Town) -> None:
    ana = signatory(town, "ana", Role.ADMINISTRATOR)
    town.person("luis", Role.OFFICER)
    head = town.ledger.journal.head()
    where = ana.awaited("/accounts/luis/grant", **GRANT)
    assert town.ledger.journal.head() == head, "nothing is recorded before it is signed"
    shown = text_of(ana.browser.get(where).text)
    assert "rating-ledger commit signature account ana" in shown
    assert ana.sign(where).status_code == 200
    done = ana.again(where)
    assert (done.status_code, done.headers["location"]) == (303, "/accounts/luis")
    (signature,) = signatures(town)
    assert (signature.account, signature.commit_id) == ("ana", commits(town)[-1].commit_id)
    found = verify(town.ledger)
    assert (found.findings, found.signed) == ((), 1)


def test_the_page_tells_in_words_what_is_recorded(town: Town) -> None:
    ana = signatory(town, "ana", Role.ADMINISTRATOR)
    town.person("luis", Role.OFFICER)
    grant = {**GRANT, "reason": "<b>season</b> 2026"}
    where = ana.awaited("/accounts/luis/grant", **grant)
    page = ana.browser.get(where).text
    assert "<b>season" not in page
    shown = text_of(page)
    for told in ("Role granted", "account:luis", "role arbiter", "<b>season</b> 2026"):
        assert told in shown, shown
    assert "Rol otorgado" in text_of(ana.browser.get(f"{where}?lang=es").text)


def test_of_many_events_the_first_are_told_with_names_and_the_others_counted(town: Town) -> None:
    with_players(town)
    ana = signatory(town, "ana", Role.OFFICER)
    people = "".join(f"P{each},Quillfeather {each},CHI,,1985,,,\n" for each in range(12))
    page = draft(ana.browser, PLAYERS_HEADER + people)
    ana.record(f"{page}/hand-in", turn="1")
    seen = dict(HIDDEN.findall(ana.browser.get(page).text))
    where = ana.awaited(f"{page}/accept", **seen)
    found = ana.browser.get(where).text
    shown = text_of(found)
    assert "name Quillfeather 9 " in shown
    assert "Quillfeather 10" not in shown
    assert "Events 12" in shown
    assert "and 2 more" in shown
    assert f'href="{page}"' in found, "its preview"


def test_sent_again_it_is_recorded_once(town: Town) -> None:
    ana = signatory(town, "ana", Role.ADMINISTRATOR)
    town.person("luis", Role.OFFICER)
    assert ana.record("/accounts/luis/grant", **GRANT).status_code == 303
    head = town.ledger.journal.head()
    assert ana.browser.post("/accounts/luis/grant", **GRANT).headers["location"] == "/accounts/luis"
    assert town.ledger.journal.head() == head


def test_when_somebody_else_recorded_meanwhile_it_is_signed_anew(town: Town) -> None:
    ana = signatory(town, "ana", Role.ADMINISTRATOR)
    town.person("luis", Role.OFFICER)
    where = ana.awaited("/accounts/luis/grant", **GRANT)
    ana.sign(where)
    grant_role(town.ledger, "luis", Role.AUDITOR, request=request())
    head = town.ledger.journal.head()
    moved = ana.again(where).headers["location"]
    assert moved.startswith("/sign/")
    assert moved != where
    assert MOVED in ana.browser.get(moved).text
    assert town.ledger.journal.head() == head
    ana.sign(moved)
    assert ana.again(moved).headers["location"] == "/accounts/luis"
    assert verify(town.ledger).findings == ()


def test_a_form_that_was_not_signed_is_not_recorded(town: Town) -> None:
    ana = signatory(town, "ana", Role.ADMINISTRATOR)
    town.person("luis", Role.OFFICER)
    where = ana.awaited("/accounts/luis/grant", **GRANT)
    head = town.ledger.journal.head()
    again = ana.again(where).headers["location"]
    assert again.startswith("/sign/")
    assert ana.browser.get(where).status_code == 404, "it was used"
    assert_nobody_was_faster(ana.browser.get(again))
    assert town.ledger.journal.head() == head


def assert_nobody_was_faster(page: Response) -> None:
    """Holds that a page asks anew, and that it blames nobody for it."""
    assert "This is not recorded yet" in page.text
    assert MOVED not in page.text


def test_what_was_signed_too_late_is_asked_for_again(town: Town) -> None:
    with_players(town)
    ana = signatory(town, "ana", Role.OFFICER)
    where = ana.awaited("/erase/A", key="erase-it", reason="a letter", confirmed="A")
    ana.sign(where)
    (form,) = [each for each in forms_of(ana.browser.get(where).text) if "signed=" in each.action]
    town.clock.pass_by(seconds=SECONDS)
    again = ana.browser.post(html.unescape(form.action), **dict(form.fields)).headers["location"]
    assert_nobody_was_faster(ana.browser.get(again))


def test_what_comes_to_something_else_the_next_day_is_signed_anew(town: Town) -> None:
    ana = signatory(town, "ana", Role.ADMINISTRATOR)
    where = ana.awaited("/accounts/ana/grant", **GRANT)
    ana.sign(where)
    town.ledger.clock = lambda: NOW + dt.timedelta(days=1)
    again = ana.again(where).headers["location"]
    assert_nobody_was_faster(ana.browser.get(again))
    ana.sign(again)
    assert ana.again(again).headers["location"] == "/accounts/ana"


def test_a_form_without_a_key_is_signed_once(town: Town) -> None:
    ana = signatory(town, "ana", Role.ADMINISTRATOR)
    town.person("luis", Role.OFFICER)
    said = {name: value for name, value in GRANT.items() if name != "key"}
    assert ana.record("/accounts/luis/grant", **said).headers["location"] == "/accounts/luis"
    (key,) = town.ledger.facts().accounts["ana"].keys
    unbound = ana.record("/account/keys/unbind", bound=key, reason="lost")
    assert unbound.headers["location"] == "/account#keys"
    assert verify(town.ledger).findings == ()


def test_what_awaits_a_signature_is_written_down_beside_the_loop(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = signatory(town, "ana", Role.ADMINISTRATOR)
    keep = signature_requests._keep

    def kept(*said: Any) -> str:
        with pytest.raises(RuntimeError):  # else everybody waits for the office
            asyncio.get_running_loop()
        return keep(*said)

    monkeypatch.setattr(signature_requests, "_keep", kept)
    ana.awaited("/accounts/ana/grant", **GRANT)


def test_what_was_signed_is_recorded_with_no_other_form(town: Town) -> None:
    ana = signatory(town, "ana", Role.ADMINISTRATOR)
    town.person("luis", Role.OFFICER)
    where = ana.awaited("/accounts/luis/grant", **GRANT)
    ana.sign(where)
    head = town.ledger.journal.head()
    secret = where.rpartition("/")[2]
    other = {**GRANT, "role": "administrator"}
    sent = ana.browser.post(f"/accounts/luis/grant?signed={secret}", **other)
    assert sent.headers["location"].startswith("/sign/")
    assert town.ledger.journal.head() == head


def test_what_one_signs_is_nobody_elses(town: Town) -> None:
    ana = signatory(town, "ana", Role.ADMINISTRATOR)
    eva = signatory(town, "eva", Role.ADMINISTRATOR)
    where = ana.awaited("/accounts/eva/grant", **GRANT)
    assert eva.browser.get(where).status_code == 404
    assert eva.browser.client.post(f"{where}/begin", json={}).status_code == 404
    assert eva.browser.client.post(where, json={"ceremony": "x", "answer": {}}).status_code == 404
    assert town.browser().get(where).headers["location"].startswith("/sign-in")
    ana.sign(where)
    secret = where.rpartition("/")[2]
    sent = eva.browser.post(f"/accounts/eva/grant?signed={secret}", **GRANT)
    assert sent.headers["location"].startswith("/sign/")


def forged(key: Authenticator, how: str) -> Authenticator:
    """Returns an authenticator that does something else than the right one."""
    match how:
        case "another origin":
            return replace(key, origin="https://evil.example")
        case "no user verification":
            return replace(key, verifies=False)
        case "another credential":
            return Authenticator(ORIGIN)
        case "another secret key":
            return replace(key, key=Authenticator(ORIGIN).key)
        case _:
            raise AssertionError(how)


@pytest.mark.parametrize(
    "how", ["another origin", "no user verification", "another credential", "another secret key"]
)
def test_a_forged_assertion_is_not_taken(town: Town, how: str) -> None:
    ana = signatory(town, "ana", Role.ADMINISTRATOR)
    town.person("luis", Role.OFFICER)
    where = ana.awaited("/accounts/luis/grant", **GRANT)
    head = town.ledger.journal.head()
    assert ana.sign(where, forged(ana.key, how)).status_code == 422
    assert ana.again(where).headers["location"].startswith("/sign/")
    assert town.ledger.journal.head() == head


def test_an_assertion_for_one_thing_is_none_for_another(town: Town) -> None:
    ana = signatory(town, "ana", Role.ADMINISTRATOR)
    town.person("luis", Role.OFFICER)
    first = ana.awaited("/accounts/luis/grant", **GRANT)
    other = ana.awaited("/accounts/luis/grant", **{**GRANT, "role": "auditor", "key": "two"})
    options = ana.browser.client.post(f"{first}/begin", json={}).json()
    body = {"ceremony": options["ceremony"], "answer": ana.key.used(options)}
    assert ana.browser.client.post(other, json=body).status_code == 422
    signing_in = ana.browser.client.post("/sign-in/passkey/begin", json={}).json()
    body = {"ceremony": "x", "answer": ana.key.used(signing_in)}
    assert ana.browser.client.post(first, json=body).status_code == 422


def test_a_passkey_that_is_not_bound_does_not_sign(town: Town) -> None:
    ana = signatory(town, "ana", Role.ADMINISTRATOR)
    other = Authenticator(ORIGIN)
    register(ana.browser, other, "/account/passkeys")
    where = ana.awaited("/accounts/ana/grant", **GRANT)
    asked = ana.browser.client.post(f"{where}/begin", json={}).json()["publicKey"]
    assert len(asked["allowCredentials"]) == 1
    assert ana.sign(where, other).status_code == 422


def test_what_is_to_be_signed_is_forgotten_soon(town: Town) -> None:
    ana = signatory(town, "ana", Role.ADMINISTRATOR)
    where = ana.awaited("/accounts/ana/grant", **GRANT)
    town.clock.pass_by(seconds=SECONDS)
    assert ana.browser.get(where).status_code == 404


def test_a_further_passkey_is_bound_and_one_unbound_by_signing(town: Town) -> None:
    ana = signatory(town, "ana", Role.ADMINISTRATOR)
    new = Authenticator(ORIGIN)
    register(ana.browser, new, "/account/passkeys")
    said = {"passkey": new.id.hex(), "reason": "a new telephone", "key": "second"}
    assert ana.record("/account/keys/bind", **said).headers["location"] == "/account#keys"
    old, _ = town.ledger.facts().accounts["ana"].keys
    gone = ana.browser.post("/account/passkeys/end", passkey=ana.key.id.hex())
    assert gone.status_code == 422, "it still signs"
    done = ana.record("/account/keys/unbind", bound=old, reason="lost", key="third")
    assert done.headers["location"] == "/account#keys"
    assert ana.browser.post("/account/passkeys/end", passkey=ana.key.id.hex()).status_code == 303
    changed = replace(ana, key=new)
    assert changed.record("/accounts/ana/grant", **GRANT).status_code == 303
    found = verify(town.ledger)
    assert (found.findings, found.signed) == ((), 3)


def test_the_last_is_unbound_and_the_account_goes_on_unsigned(town: Town) -> None:
    ana = signatory(town, "ana", Role.ADMINISTRATOR)
    (key,) = town.ledger.facts().accounts["ana"].keys
    ana.record("/account/keys/unbind", bound=key, reason="no more", key="third")
    assert ana.browser.post("/accounts/ana/grant", **GRANT).headers["location"] == "/accounts/ana"
    assert verify(town.ledger).findings == ()


def test_what_is_put_into_a_page_sends_the_browser_to_sign(town: Town) -> None:
    ana = signatory(town, "ana", Role.ADMINISTRATOR)
    ana.browser.client.headers["hx-request"] = "true"
    answer = ana.browser.post("/accounts/ana/grant", **GRANT)
    assert (answer.status_code, answer.text) == (200, "")
    assert answer.headers["hx-redirect"].startswith("/sign/")


def test_who_was_given_a_new_way_in_is_told_that_the_passkey_is_gone(town: Town) -> None:
    ana = signatory(town, "ana", Role.ADMINISTRATOR)
    with town.office.writing() as connection:
        remove_passkey(connection, "ana", ana.key.id)
    refused = ana.browser.post("/accounts/ana/grant", **GRANT)
    assert refused.status_code == 422
    assert "does not know any more" in text_of(refused.text)


def test_one_binds_no_passkey_of_another(town: Town) -> None:
    ana, luis = signatory(town, "ana", Role.OFFICER), town.person("luis", Role.OFFICER)
    assert bind(luis.browser, ana.key).status_code == 404


def test_who_has_a_key_in_a_file_only_is_told_where_to_go(town: Town) -> None:
    ana = town.person("ana", Role.ADMINISTRATOR)
    bind_key(town.ledger, "ana", public_key(Signer("ana", bytes(32))), by_tester())
    register(ana.browser, Authenticator(ORIGIN), "/account/passkeys")
    refused = ana.browser.post("/accounts/ana/grant", **GRANT)
    assert refused.status_code == 422
    assert "--sign-with FILE" in text_of(refused.text)


def by_tester() -> Request:
    return request("a key")


def token_of(browser: Browser, *scopes: str) -> str:
    """Makes a token; returns it."""
    said = {"name": "t", "days": "9", "scope": list(scopes)}
    made = browser.client.post("/account/tokens", data=said).text
    found = re.search(r"rlt_[\w-]+", made)
    assert found, text_of(made)
    return found[0]


def test_a_program_cannot_sign_and_is_told_who_can(town: Town) -> None:
    with_players(town)
    ana = signatory(town, "ana", Role.OFFICER)
    headers = {
        "Authorization": f"Bearer {token_of(ana.browser, 'lists', 'submissions')}",
        "Idempotency-Key": "one",
    }
    published = {"list": "ENF", "period": "2010-07"}
    erased = {"player": "A", "reason": "a letter"}
    head = town.ledger.journal.head()
    for path, said in (
        ("/commands/publish", published), ("/submissions/erasures", erased),
    ):  # fmt: skip
        client = town.browser().client
        answer = client.post(f"/api/v1{path}", json=said, headers=headers)
        assert answer.status_code == 422, answer.text
        problem: dict[str, Any] = answer.json()
        assert problem["type"].endswith("signing.by_passkey")
        assert "pages of the site localhost" in problem["detail"]
    assert town.ledger.journal.head() == head


def test_a_program_in_a_browser_is_told_the_same(town: Town) -> None:
    with_players(town)
    ana = signatory(town, "ana", Role.OFFICER)
    answer = ana.browser.client.post(
        "/api/v1/submissions/erasures", json={"player": "A", "reason": "a letter"},
        headers={"Idempotency-Key": "one"},
    )  # fmt: skip
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["type"].endswith("signing.by_passkey")


def test_who_hands_a_workbook_in_is_told_how_it_can_be_signed(town: Town) -> None:
    ana, key = town.person("ana", Role.OFFICER), Authenticator(ORIGIN)
    register(ana.browser, key, "/account/passkeys")
    hidden = dict(HIDDEN.findall(ana.browser.get("/submissions/new").text))
    files = {"file": ("book.xlsx", workbook([["id", "name"], ["9", "Ana"]]))}

    def send() -> Response:
        return ana.browser.client.post("/submissions/new", data=hidden, files=files)

    draft_page = send().headers["location"]
    bind(ana.browser, key)
    for refused in (ana.browser.post(f"{draft_page}/hand-in", turn="1"), send()):
        assert refused.status_code == 422
        assert "a workbook as CSV or TRF" in text_of(refused.text)


def test_an_erasure_is_signed_and_carried_out(town: Town) -> None:
    with_players(town)
    ana = signatory(town, "ana", Role.OFFICER)
    typed = {"key": "erase-it", "reason": "a letter", "confirmed": "A"}
    assert ana.record("/erase/A", **typed).status_code == 200
    found = verify(town.ledger)
    assert (found.findings, found.signed) == ((), 1)


def test_after_an_erasure_nobody_is_named_in_what_awaits_a_signature(town: Town) -> None:
    with_players(town)
    ana = signatory(town, "ana", Role.OFFICER)
    people = f"{PLAYERS_HEADER}C,Quillfeather,CHI,,1985,1800,40,50\n"
    page = draft(ana.browser, people, list="ENF")
    ana.record(f"{page}/hand-in", turn="1")
    seen = dict(HIDDEN.findall(ana.browser.get(page).text))
    where = ana.awaited(f"{page}/accept", **seen)
    kept = select(CEREMONIES.c.data).where(CEREMONIES.c.kind == SIGNATURE)
    with town.office.reading() as connection:
        assert "Quillfeather" in str(connection.scalars(kept).all())
    erase_player(town.ledger, ErasePlayer(player="B", on=town.ledger.today), request("a letter"))
    assert ana.browser.get(where).status_code == 404
    with town.office.reading() as connection:
        assert connection.scalars(kept).all() == []


def test_who_is_erased_between_sealing_and_keeping_is_not_named_in_what_is_kept(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_players(town)
    ana = signatory(town, "ana", Role.OFFICER)
    people = f"{PLAYERS_HEADER}C,Quillfeather,CHI,,1985,1800,40,50\n"
    page = draft(ana.browser, people, list="ENF")
    ana.record(f"{page}/hand-in", turn="1")
    seen = dict(HIDDEN.findall(ana.browser.get(page).text))
    keep = signature_requests._keep

    def kept(*said: Any) -> str:
        erased = ErasePlayer(player="B", on=town.ledger.today)
        erase_player(town.ledger, erased, request("a letter"))
        town.browser().get("/players")  # who opens the site next has the names forgotten
        return keep(*said)

    monkeypatch.setattr(signature_requests, "_keep", kept)
    refused = ana.browser.post(f"{page}/accept", **seen)
    assert (refused.status_code, "Somebody was erased" in refused.text) == (409, True)
    with town.office.reading() as connection:
        assert connection.scalars(select(CEREMONIES.c.data)).all() == []
    monkeypatch.setattr(signature_requests, "_keep", keep)
    seen = dict(HIDDEN.findall(ana.browser.get(page).text))
    assert ana.record(f"{page}/accept", **seen).headers["location"] == page


class TestTwoPeople:
    """One hands in and signs what is proposed, the other accepts and signs the commit."""

    @pytest.fixture
    def people(self, town: Town) -> tuple[Signatory, Signatory]:
        with_players(town)
        return signatory(town, "eva", Role.ARBITER), signatory(town, "ana", Role.OFFICER)

    def test_both_sign_at_their_own_time(
        self, town: Town, people: tuple[Signatory, Signatory]
    ) -> None:
        eva, ana = people
        page = draft(eva.browser)
        assert eva.record(f"{page}/hand-in", turn="1").headers["location"] == page
        assert signatures(town) == []
        grant_role(town.ledger, "luis", Role.AUDITOR, request=request())  # the ledger goes on
        seen = dict(HIDDEN.findall(ana.browser.get(page).text))
        assert ana.record(f"{page}/accept", **seen).headers["location"] == page
        assert commits(town)[-1].actor == "eva + ana"
        with town.office.reading() as connection:
            assert connection.execute(select(SUBMISSION_SIGNATURES)).all() == [], "until decided"
        assert [each.account for each in signatures(town)] == ["ana", "eva"]
        found = verify(town.ledger)
        assert (found.findings, found.signed) == ((), 1)
        assert "It is recorded" in eva.browser.get(page).text

    def test_nothing_is_handed_in_before_it_is_signed(
        self, people: tuple[Signatory, Signatory]
    ) -> None:
        eva, ana = people
        page = draft(eva.browser)
        where = eva.awaited(f"{page}/hand-in", turn="1")
        shown = eva.browser.get(where).text
        assert "Somebody else is to accept this" in shown
        assert "tournament T1 · round 1 · White A · Black B · result 1–0" in text_of(shown)
        assert f'href="{page}"' in shown, "its preview"
        assert page not in ana.browser.get("/submissions").text

    def test_what_comes_to_something_else_is_signed_again(
        self, town: Town, people: tuple[Signatory, Signatory]
    ) -> None:
        eva, ana = people
        page = draft(eva.browser)
        assert eva.record(f"{page}/hand-in", turn="1").status_code == 303
        with town.office.writing() as connection:  # as nobody can: the site signs anew what changes
            change = "UPDATE submissions SET content = replace(content, 'report.csv', 'other.csv')"
            connection.exec_driver_sql(change)
        seen = dict(HIDDEN.findall(ana.browser.get(page).text))
        refused = ana.browser.post(f"{page}/accept", **seen)
        assert refused.status_code == 422
        assert "what eva signed is not what this comes to by now" in text_of(refused.text)
        assert signatures(town) == []

    def test_what_was_handed_back_and_mended_is_signed_again(
        self, town: Town, people: tuple[Signatory, Signatory]
    ) -> None:
        eva, ana = people
        page = draft(eva.browser)
        eva.record(f"{page}/hand-in", turn="1")
        seen = dict(HIDDEN.findall(ana.browser.get(page).text))
        ana.browser.post(f"{page}/hand-back", turn=seen["turn"], comment="the wrong day")
        assert eva.browser.post(f"{page}/mend", turn="3", tournament="T1").status_code == 303
        again = eva.awaited(f"{page}/hand-in", turn="4")
        assert eva.sign(again).status_code == 200
        assert eva.again(again).headers["location"] == page
        seen = dict(HIDDEN.findall(ana.browser.get(page).text))
        assert ana.record(f"{page}/accept", **seen).headers["location"] == page
        assert verify(town.ledger).signed == 1

    def test_who_accepts_what_he_handed_in_signs_the_commit(self, town: Town) -> None:
        with_players(town)
        ana = signatory(town, "ana", Role.OFFICER)
        page = draft(ana.browser)
        ana.record(f"{page}/hand-in", turn="1")
        seen = dict(HIDDEN.findall(ana.browser.get(page).text))
        assert ana.record(f"{page}/accept", **seen).headers["location"] == page
        assert commits(town)[-1].actor == "ana"
        assert (verify(town.ledger).signed, verify(town.ledger).findings) == (1, ())

    def test_one_of_the_two_may_have_no_key(
        self, town: Town, people: tuple[Signatory, Signatory]
    ) -> None:
        eva, _ = people
        luis = town.person("luis", Role.OFFICER).browser
        page = draft(eva.browser)
        eva.record(f"{page}/hand-in", turn="1")
        seen = dict(HIDDEN.findall(luis.get(page).text))
        assert luis.post(f"{page}/accept", **seen).headers["location"] == page
        assert [each.account for each in signatures(town)] == ["eva"]
        assert verify(town.ledger).findings == ()

    def test_who_bound_a_key_after_handing_in_hands_it_in_again(
        self, town: Town, people: tuple[Signatory, Signatory]
    ) -> None:
        _, ana = people
        ivan, key = town.person("ivan", Role.ARBITER), Authenticator(ORIGIN)
        page = draft(ivan.browser)
        assert ivan.browser.post(f"{page}/hand-in", turn="1").headers["location"] == page
        register(ivan.browser, key, "/account/passkeys")
        bind(ivan.browser, key)
        seen = dict(HIDDEN.findall(ana.browser.get(page).text))
        refused = ana.browser.post(f"{page}/accept", **seen)
        assert refused.status_code == 422
        assert "ivan hands it in again and signs it" in text_of(refused.text)


def test_a_key_that_is_refused_comes_back_with_its_form(town: Town) -> None:
    ana = signatory(town, "ana", Role.ADMINISTRATOR)
    register(ana.browser, Authenticator(ORIGIN), "/account/passkeys")
    (bound,) = town.ledger.facts().accounts["ana"].keys
    for way, said in (
        ("bind", {"passkey": "00", "reason": "a new telephone"}),
        ("unbind", {"bound": f"{bound}x", "reason": "lost <b>"}),
    ):
        refused = ana.browser.post(f"/account/keys/{way}", **said, key="k")
        assert refused.status_code in {404, 409, 422}
        form = form_of(refused.text, f"/account/keys/{way}")
        assert form.value("reason") == said["reason"]
    assert len(town.ledger.facts().accounts["ana"].keys) == 1
