"""Signing in with another site's account, with an issuer in this process."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2 as httpx
import pytest
from httpx2 import Response
from joserfc import jwt
from joserfc.jwk import ECKey

from ledger.errors import InputRefused
from ledger.terms import Role
from tests.web.accounts.conftest import Browser, Clock, Town, made_town
from tests.web.filling import form_of
from web.accounts.identity import FRESH_SECONDS
from web.settings import OidcSettings, WebSettings

ISSUER = "https://login.example.org"
SETTINGS = OidcSettings(
    issuer=ISSUER, client_id="ratings", client_secret="hidden", name="Federation"
)


@dataclass
class Issuer:
    """Another site: it knows one person, and answers as it is told to."""

    clock: Clock
    key: ECKey = field(default_factory=lambda: ECKey.generate_key("P-256", {"kid": "1"}))
    claims: dict[str, Any] = field(default_factory=dict)
    signs_with: ECKey | None = None
    about: dict[str, Any] = field(default_factory=dict)
    asked: dict[str, str] = field(default_factory=dict)
    is_down: bool = False
    sent: list[dict[str, str]] = field(default_factory=list)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        """Answers a request of the site."""
        if self.is_down:
            raise httpx.ConnectError("down", request=request)
        match request.url.path:
            case "/.well-known/openid-configuration":
                said = {
                    "issuer": ISSUER,
                    "authorization_endpoint": f"{ISSUER}/authorize",
                    "token_endpoint": f"{ISSUER}/token",
                    "jwks_uri": f"{ISSUER}/keys",
                }
                return httpx.Response(200, json=said | self.about)
            case "/keys":
                return httpx.Response(200, json={"keys": [self.key.as_dict(private=False)]})
            case "/token":
                return self._token(request)
        return httpx.Response(404)

    def _token(self, request: httpx.Request) -> httpx.Response:
        body = {name: value[0] for name, value in parse_qs(request.content.decode()).items()}
        self.sent.append(body | {"authorization": request.headers["authorization"]})
        challenge = base64.urlsafe_b64encode(
            hashlib.sha256(body["code_verifier"].encode()).digest()
        ).rstrip(b"=")
        if challenge.decode() != self.asked["code_challenge"] or body["code"] != "good":
            return httpx.Response(400, json={"error": "invalid_grant"})
        now = int(self.clock.now.timestamp())
        claims = {
            "iss": ISSUER, "sub": "person-7", "aud": "ratings", "iat": now, "exp": now + 60,
            "nonce": self.asked["nonce"], "email": "ana@example.org",
        }  # fmt: skip
        token = jwt.encode({"alg": "ES256", "kid": "1"}, claims | self.claims,
                           self.signs_with or self.key)  # fmt: skip
        said = {"access_token": "a", "token_type": "Bearer", "id_token": token}
        return httpx.Response(200, json=said)


@pytest.fixture
def issuer(clock: Clock) -> Issuer:
    return Issuer(clock)


@pytest.fixture
def town(tmp_path: Path, clock: Clock, issuer: Issuer) -> Iterator[Town]:
    """A site that takes the issuer's word."""
    for town in made_town(tmp_path, clock, "https://ratings.example.org"):
        settings = WebSettings(ledger="", origin=town.origin, cache=tmp_path, oidc=SETTINGS)
        town.app.state.site.settings = settings
        town.app.state.oidc_transport = httpx.MockTransport(issuer)
        yield town


def begin(browser: Browser, issuer: Issuer, wanted: str = "/account") -> str:
    """Goes to the issuer; returns the state that comes back."""
    answer = browser.client.get("/sign-in/oidc", params={"next": wanted})
    assert answer.status_code == 303, answer.text
    where = urlsplit(answer.headers["location"])
    assert f"{where.scheme}://{where.netloc}{where.path}" == f"{ISSUER}/authorize"
    issuer.asked = {name: value[0] for name, value in parse_qs(where.query).items()}
    assert issuer.asked["code_challenge_method"] == "S256"
    assert issuer.asked["redirect_uri"] == "https://ratings.example.org/sign-in/oidc/callback"
    return issuer.asked["state"]


def come_back(browser: Browser, state: str, code: str = "good") -> Response:
    return browser.client.get("/sign-in/oidc/callback", params={"state": state, "code": code})


@pytest.fixture
def ana(town: Town) -> Browser:
    """A browser of somebody whom the issuer knows, and whose account an administrator linked."""
    boss = town.person("boss", Role.ADMINISTRATOR)
    town.link("ana", Role.OFFICER)
    linked = boss.browser.post(
        "/accounts/ana/identities", issuer=ISSUER, subject="person-7", reason="showed her passport"
    )
    assert linked.status_code == 303, linked.text
    return town.browser()


def test_who_is_linked_is_let_in(ana: Browser, issuer: Issuer) -> None:
    assert "Sign in with Federation" in ana.get("/sign-in").text
    answer = come_back(ana, begin(ana, issuer))
    assert answer.headers["location"] == "/account"
    assert ana.is_signed_in()
    assert "__Host-session" in ana.client.cookies
    assert issuer.sent[0]["grant_type"] == "authorization_code"


def test_who_is_not_linked_is_told_what_to_send_and_makes_no_account(
    town: Town, issuer: Issuer
) -> None:
    town.link("ana", Role.OFFICER)
    issuer.claims = {"preferred_username": "ana", "email": "ana"}
    stranger = town.browser()
    answer = come_back(stranger, begin(stranger, issuer))
    assert answer.status_code == 403
    assert "person-7" in answer.text
    assert not stranger.is_signed_in()
    with town.office.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM identities").scalar() == 0


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://evil.example"}, {"aud": "another"}, {"nonce": "another"}, {"nonce": None},
        {"exp": 1}, {"iat": None}, {"sub": None}, {"sub": 7}, {"sub": ""}, {"azp": "another"},
        {"aud": ["ratings", "another"]},
    ],
)  # fmt: skip
def test_a_word_that_is_not_for_us_is_not_taken(
    ana: Browser, issuer: Issuer, claims: dict[str, Any]
) -> None:
    issuer.claims = claims
    assert come_back(ana, begin(ana, issuer)).status_code == 422
    assert not ana.is_signed_in()


def another_key(issuer: Issuer) -> None:
    issuer.signs_with = ECKey.generate_key("P-256", {"kid": "1"})


def another_issuer(issuer: Issuer) -> None:
    issuer.about = {"issuer": "https://evil.example"}


def no_https(issuer: Issuer) -> None:
    issuer.about = {"token_endpoint": "http://login.example.org/token"}


def down(issuer: Issuer) -> None:
    issuer.is_down = True


@pytest.mark.parametrize("spoil", [another_key, another_issuer, no_https, down])
def test_an_issuer_that_is_not_itself_is_not_believed(
    ana: Browser, issuer: Issuer, spoil: Callable[[Issuer], None]
) -> None:
    state = begin(ana, issuer)
    spoil(issuer)
    assert come_back(ana, state).status_code == 422
    assert not ana.is_signed_in()
    assert ana.client.get("/sign-in/oidc").status_code in {303, 422}


def test_a_token_that_nobody_signed_is_not_taken(ana: Browser, issuer: Issuer) -> None:
    def unsigned(*_: Any) -> str:
        parts = ({"alg": "none"}, {"iss": ISSUER, "sub": "person-7", "aud": "ratings"})
        encoded = (base64.urlsafe_b64encode(json.dumps(each).encode()) for each in parts)
        return ".".join(each.rstrip(b"=").decode() for each in encoded) + "."

    state = begin(ana, issuer)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jwt, "encode", unsigned)
        assert come_back(ana, state).status_code == 422
    assert not ana.is_signed_in()


def test_a_state_is_of_one_browser_once_and_soon(town: Town, ana: Browser, issuer: Issuer) -> None:
    victim = town.browser()
    state = begin(ana, issuer)
    assert come_back(victim, state).status_code == 422
    assert come_back(ana, "another").status_code == 422
    assert come_back(ana, state, code="bad").status_code == 422
    assert come_back(ana, state).status_code == 422
    late = begin(ana, issuer)
    town.clock.pass_by(minutes=10)
    assert come_back(ana, late).status_code == 422
    assert not victim.is_signed_in()
    assert not ana.is_signed_in()


def test_nobody_is_sent_to_another_site_afterwards(ana: Browser, issuer: Issuer) -> None:
    state = begin(ana, issuer, "https://evil.example")
    assert come_back(ana, state).headers["location"] == "/"


def test_an_identity_lets_into_one_account_and_is_taken_away(
    town: Town, ana: Browser, issuer: Issuer
) -> None:
    boss = town.person("chief", Role.ADMINISTRATOR)
    said = {"issuer": ISSUER, "subject": "person-7"}
    again = boss.browser.post("/accounts/chief/identities", **said, reason="mine")
    assert again.status_code == 409
    form = form_of(again.text, "/accounts/chief/identities")
    assert {name: form.value(name) for name in said} == said
    come_back(ana, begin(ana, issuer))
    assert ana.is_signed_in()
    boss.browser.post("/accounts/ana/identities/end", **said)
    assert not ana.is_signed_in()
    assert come_back(ana, begin(ana, issuer)).status_code == 403


def test_a_site_without_an_issuer_asks_none(tmp_path: Path, clock: Clock) -> None:
    for town in made_town(tmp_path, clock, "http://localhost:8000"):
        assert town.browser().get("/sign-in/oidc").status_code == 422
        assert "oidc" not in town.browser().get("/sign-in").text


def test_the_settings_come_from_the_environment() -> None:
    said = {
        "RATING_LEDGER_OIDC_ISSUER": ISSUER,
        "RATING_LEDGER_OIDC_CLIENT_ID": "ratings",
        "RATING_LEDGER_OIDC_CLIENT_SECRET": "hidden",
    }
    made = OidcSettings.of(said)
    assert made is not None
    assert made.name == "login.example.org"
    assert "hidden" not in repr(made)
    assert OidcSettings.of({}) is None
    for wrong in ({"RATING_LEDGER_OIDC_CLIENT_ID": ""}, {"RATING_LEDGER_OIDC_ISSUER": "http://x"}):
        with pytest.raises(InputRefused):
            OidcSettings.of(said | wrong)


# To prove once more who one is


def test_who_was_only_known_there_has_proved_nothing_yet(ana: Browser, issuer: Issuer) -> None:
    come_back(ana, begin(ana, issuer))
    assert "prompt" not in issuer.asked
    answer = ana.post("/account/password", password="correct horse battery")
    assert answer.headers["location"].startswith("/sign-in"), "the issuer did not say when"


def test_who_proved_it_there_a_moment_ago_need_not_do_so_again(
    ana: Browser, issuer: Issuer, clock: Clock
) -> None:
    issuer.claims = {"auth_time": int(clock.now.timestamp()) - 5}
    come_back(ana, begin(ana, issuer))
    assert ana.post("/account/password", password="correct horse battery").status_code == 200


def test_who_has_to_prove_it_again_is_asked_there_and_believed_only_then(
    ana: Browser, issuer: Issuer, clock: Clock
) -> None:
    long_ago = int(clock.now.timestamp()) - 3600
    issuer.claims = {"auth_time": long_ago}
    come_back(ana, begin(ana, issuer))
    for said in ({"auth_time": long_ago}, {}, {"auth_time": 0}):
        state = begin(ana, issuer)
        assert (issuer.asked["prompt"], issuer.asked["max_age"]) == ("login", "0")
        issuer.claims = said
        assert come_back(ana, state).status_code == 422, said
        refused = ana.post("/account/password", password="correct horse battery")
        assert refused.status_code == 303
    state = begin(ana, issuer)
    issuer.claims = {"auth_time": int(clock.now.timestamp())}
    assert come_back(ana, state).status_code == 303
    assert ana.post("/account/password", password="correct horse battery").status_code == 200


def test_a_moment_to_come_makes_nobody_fresh_for_longer(
    ana: Browser, issuer: Issuer, clock: Clock
) -> None:
    issuer.claims = {"auth_time": int(clock.now.timestamp()) + 86_400}
    come_back(ana, begin(ana, issuer))
    clock.pass_by(seconds=FRESH_SECONDS + 1)
    assert ana.post("/account/password", password="correct horse battery").status_code == 303
