"""Something wrong? A claim from the form to the decision, and what may go wrong on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from sqlalchemy import select

from ledger.answers.claims import questioned_game
from ledger.answers.player_questions import explain
from ledger.identifiers import Seq
from ledger.service.ledger import Ledger
from ledger.views.federation import FederationRules
from tests.cli.running import run
from tests.ledgers import (
    GAMES_HEADER,
    about,
    import_text,
    with_july_published,
    with_officers,
)
from tests.web.submitting import Person, Staffed, staffed
from tests.web.support import text_of
from web.office.claims import (
    MOST_OPEN_CLAIMS,
    ClaimState,
    KeptClaim,
    add_claim,
    find_claim,
    forget_claimants,
)
from web.office.erasures import forget_names
from web.office.schema import CLAIMS
from web.office.store import digest_of, new_secret, open_office
from web.submissions.claims import MOST_WORDS, claimed_content

PLACE = {"player": "A", "list": "ENF", "period": "2010-07"}
ALWAYS = FederationRules(claim_days=0)
BROWSER = {"sec-fetch-site": "same-origin", "accept-language": "en"}


@pytest.fixture
def ledger() -> Ledger:
    """July is published, and A won the first game of T1 against B."""
    return with_july_published()


@pytest.fixture
def site(ledger: Ledger, tmp_path: Path) -> Iterator[Staffed]:
    with staffed(ledger, tmp_path, ALWAYS) as opened:
        yield opened


def game_of(ledger: Ledger) -> str:
    return str(explain(ledger, "A", "ENF", "2010-07").postings[0].seq)


def sent(site: Staffed, **words: str) -> httpx.Response:
    """Sends a claim as somebody who did not sign in; by default that B won A's first game."""
    usual = {
        **PLACE, "game": game_of(site.ledger), "wrong": "result", "result": "0-1",
        "words": "I have the score sheet.", "email": "", "key": new_secret(),
    }  # fmt: skip
    client: Any = site.client
    data = {**usual, **words}
    answer: httpx.Response = client.post(
        "/claims/new", data=data, headers=BROWSER, follow_redirects=True
    )
    return answer


def claimed(site: Staffed, **words: str) -> tuple[str, str]:
    """Returns the secret of a new claim, and its id."""
    answer = sent(site, **words)
    assert answer.status_code == 200, text_of(answer.text)
    secret = answer.url.path.rpartition("/")[2]
    return secret, id_of(site, secret)


def id_of(site: Staffed, secret: str) -> str:
    with site.office.reading() as connection:
        wanted = select(CLAIMS.c.id).where(CLAIMS.c.hash == digest_of(secret))
        return str(connection.scalar(wanted))


def own_page(site: Staffed, secret: str, lang: str = "en") -> str:
    answer = site.client.get(f"/claim/{secret}?lang={lang}")
    assert answer.status_code == 200
    return text_of(answer.text)


def kept(site: Staffed, id_: str) -> Any:
    with site.office.reading() as connection:
        found = find_claim(connection, id_)
    assert found is not None
    return found


def taken_up(site: Staffed, who: str, id_: str) -> httpx.Response:
    person: Person = getattr(site, who)
    hidden = person.hidden(person.get(f"/claims/{id_}"), "/accept")
    return person.post(f"/claims/{id_}/accept", {**hidden, "reason": "score sheet"})


def test_a_statement_leads_to_the_form_of_each_game(site: Staffed) -> None:
    page = site.client.get("/players/A/ENF/2010-07").text
    way = f"/claims/new?player=A&amp;list=ENF&amp;period=2010-07&amp;game={game_of(site.ledger)}"
    assert way in page
    renamed = about("T1", "2010-07-10", "A,B,1-0", "C,A,1/2-1/2").replace("T1,T1", "T1,Copa")
    import_text(site.ledger, GAMES_HEADER + renamed, as_correction=True)
    own = site.client.get("/players/A").text
    assert "/claims/new?player=A&amp;list=ENF&amp;period=" in own
    assert "/claims/new" not in site.client.get(f"/players/A?as-known-at={site.head}").text
    form = text_of(site.client.get(way.replace("&amp;", "&")).text)
    assert "A with White, B with Black" in form
    assert "Copa, round 1: B (1)" in form
    past = site.client.get(f"/players/A/ENF/2010-07?as-known-at={site.head}").text
    assert "/claims/new" not in past


def test_a_tournament_leads_to_the_form_of_a_game_and_of_a_player(site: Staffed) -> None:
    way = "/claims/new?tournament=T1"
    of_round = site.client.get("/tournaments/T1/rounds/1").text
    assert f"{way}&amp;player=A&amp;round=1" in of_round
    for part in ("", "/crosstable", "/gains"):
        assert f'href="{way}"' in site.client.get(f"/tournaments/T1{part}").text, part
    assert f"{way}&amp;player=A" in site.client.get("/tournaments/T1/places/A").text
    assert way not in site.client.get(f"/tournaments/T1?as-known-at={site.head}").text
    whose = site.client.get(way).text
    assert '<option value="B">B</option>' in whose
    form = site.client.get(f"{way}&player=A&round=1").text
    assert f'<option value="{game_of(site.ledger)}" selected>' in form
    assert "A with White, B with Black" in text_of(form)
    assert " selected>T1" not in site.client.get(f"{way}&player=A&round=9").text
    assert site.client.get("/claims/new?tournament=nothing").status_code == 404
    assert site.client.get(f"{way}&player=nobody").status_code == 404


def test_a_claim_that_an_officer_accepts_is_recorded_and_told(site: Staffed) -> None:
    secret, id_ = claimed(site, email="ana@example.org")
    assert "Your claim has arrived" in own_page(site, secret)
    assert "Su reclamo ha llegado" in own_page(site, secret, "es")
    assert "Claims" in text_of(site.ana.get("/office").text)
    assert "T1, round 1: A – B" in text_of(site.ana.get("/claims").text)
    page = site.ana.get(f"/claims/{id_}")
    said = text_of(page.text)
    assert 'href="mailto:ana@example.org"' in page.text
    assert "I have the score sheet." in said
    assert re.search(r"\d+ → \d+|→", said), "the preview says what it would change"
    before = site.head
    answer = taken_up(site, "ana", id_)
    assert answer.status_code == 200, text_of(answer.text)
    assert site.head > before
    claim = kept(site, id_)
    assert (claim.state, claim.words, claim.email) == (ClaimState.ACCEPTED, "", None)
    shown = own_page(site, secret)
    assert "Your claim was accepted" in shown
    before_and_now = re.search(r"Recorded before (\S+) .*?Should be (\S+)", shown)
    assert before_and_now
    assert before_and_now[1] != before_and_now[2]
    assert "ana@example.org" not in str([*site.ledger.journal.events()])
    assert "score sheet" in site.actors[-1] or site.actors[-1].startswith("ana")


def test_what_an_arbiter_confirms_waits_for_an_officer(ledger: Ledger, tmp_path: Path) -> None:
    with staffed(with_officers(ledger, "ana", "luis"), tmp_path, ALWAYS) as site:
        secret, id_ = claimed(site)
        before = site.head
        assert taken_up(site, "eva", id_).status_code == 200
        assert site.head == before, "an arbiter records nothing by it"
        assert "was confirmed" in own_page(site, secret)
        assert "No claim waits" in text_of(site.ana.get("/claims").text)
        assert site.ana.step(id_, "accept").status_code == 200
        assert site.actors[-1] == "eva + ana"
        assert kept(site, id_).state is ClaimState.ACCEPTED
        assert "was accepted" in own_page(site, secret)


def test_of_two_officers_the_second_accepts(ledger: Ledger, tmp_path: Path) -> None:
    with staffed(with_officers(ledger, "ana", "luis"), tmp_path, ALWAYS) as site:
        _, id_ = claimed(site)
        before = site.head
        assert taken_up(site, "ana", id_).status_code == 200
        assert site.head == before
        assert site.luis.step(id_, "accept").status_code == 200
        assert site.actors[-1] == "ana + luis"


def test_a_refusal_says_why_and_forgets_what_was_written(site: Staffed) -> None:
    secret, id_ = claimed(site, email="ana@example.org")
    assert site.ana.post(f"/claims/{id_}/refuse", {"comment": " "}).status_code == 422
    site.ana.post(f"/claims/{id_}/refuse", {"comment": "both sheets say 1-0"})
    claim = kept(site, id_)
    assert (claim.state, claim.words, claim.email) == (ClaimState.REFUSED, "", None)
    page = own_page(site, secret)
    assert "was not accepted" in page
    assert "both sheets say 1-0" in page


def test_a_submission_that_is_refused_refuses_its_claim(site: Staffed) -> None:
    secret, id_ = claimed(site)
    taken_up(site, "eva", id_)
    site.ana.step(id_, "refuse", comment="no")
    assert kept(site, id_).state is ClaimState.REFUSED
    assert "was not accepted" in own_page(site, secret)


@pytest.mark.parametrize(
    ("wrong", "what"), [("colours", "correct-colours"), ("not-played", "annul-result")]
)
def test_other_things_that_are_wrong_are_operations_too(
    site: Staffed, wrong: str, what: str
) -> None:
    _, id_ = claimed(site, wrong=wrong, result="")
    assert f'"what":"{what}"' in kept(site, id_).content
    before = site.head
    assert taken_up(site, "ana", id_).status_code == 200
    assert site.head > before


def test_what_only_words_say_cannot_be_recorded_by_a_button(site: Staffed) -> None:
    _, id_ = claimed(site, game="", wrong="other", result="", words="My game against D is missing")
    page = site.ana.get(f"/claims/{id_}")
    assert not site.ana.offers(page, "/accept")
    assert site.ana.post(f"/claims/{id_}/accept", {"reason": "x"}).status_code == 422
    assert site.eva.get(f"/claims/{id_}").status_code == 404, "of no tournament: officers only"


def test_a_missing_game_is_told_in_words_from_the_form_of_another(site: Staffed) -> None:
    secret, id_ = claimed(site, game="", result="", words="My game of round 3 is missing.")
    assert "My game of round 3 is missing." in own_page(site, secret)
    assert kept(site, id_).content == ""
    assert kept(site, id_).tournament is None
    form = site.client.get("/claims/new?tournament=T1&player=A").text
    assert '<input type="hidden" name="tournament" value="T1">' in form
    of_event = {"player": "B", "game": "", "result": "", "words": "Mine, too.", "tournament": "T1"}
    secret, id_ = claimed(site, **of_event)
    assert kept(site, id_).tournament == "T1"
    assert "Tournament T1" in own_page(site, secret)
    assert "T1: B, ENF July 2010" in text_of(site.ana.get("/claims").text)
    assert "T1: B, ENF July 2010" in text_of(site.ana.get(f"/claims/{id_}").text)
    elsewhere = of_event | {"player": "D", "tournament": "T2"}
    assert sent(site, **elsewhere).status_code == 200
    unknown = sent(site, **of_event | {"tournament": "nothing"})
    assert (unknown.status_code, "nothing" in text_of(unknown.text)) == (422, True)


def test_who_made_it_may_withdraw_it(site: Staffed) -> None:
    secret, id_ = claimed(site)
    site.client.post(f"/claim/{secret}/withdraw", headers=BROWSER)
    assert kept(site, id_).state is ClaimState.WITHDRAWN
    assert "withdrawn" in own_page(site, secret)
    assert sent(site).status_code == 200, "then the game can be claimed again"


# Threats


def test_of_a_game_one_claim_is_open(site: Staffed) -> None:
    claimed(site)
    answer = sent(site, result="1/2-1/2")
    assert answer.status_code == 422
    assert "has said already" in text_of(answer.text)
    opponents = sent(site, player="B", result="1/2-1/2")
    assert opponents.status_code == 422, "from the other statement it is the same game"


def test_sent_twice_it_is_one(site: Staffed) -> None:
    key = new_secret()
    first, second = sent(site, key=key), sent(site, key=key)
    assert first.url == second.url
    assert second.status_code == 200


def test_from_one_address_few_are_taken(site: Staffed) -> None:
    for number in range(6):
        sent(site, game="", wrong="other", words=f"number {number}", player="AB"[number % 2])
    answer = sent(site, game="", wrong="other", words="more")
    assert answer.status_code == 422
    assert "too much was sent from here" in text_of(answer.text)


def test_only_so_many_are_open_and_so_many_of_one_game(site: Staffed) -> None:
    _, id_ = claimed(site)
    model = kept(site, id_)
    with site.office.writing() as connection:
        for number in range(MOST_OPEN_CLAIMS - 1):
            one = replace(model, id=f"{number:016}", about=f"game {number}")
            add_claim(connection, one, digest_of(str(number)))
    assert "too many claims wait" in text_of(sent(site, game="", wrong="other").text)


def test_what_is_written_is_text_and_no_link(site: Staffed) -> None:
    words = "<script>alert(1)</script> https://evil.example \"'\u202e"
    secret, id_ = claimed(site, words=words)
    for page in (
        site.client.get(f"/claim/{secret}").text, site.ana.get(f"/claims/{id_}").text,
        site.ana.get("/claims").text,
    ):  # fmt: skip
        assert "<script>alert" not in page
        assert 'href="https://evil' not in page
        assert "\u202e" not in page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"words": "x" * (MOST_WORDS + 1)}, "at most 1000"),
        ({"email": "no address"}, "is no e-mail address"),
        ({"email": '"><b>@x.org'}, "is no e-mail address"),
        ({"result": ""}, "choose what the result was"),
        ({"result": "1-0"}, "is recorded already"),
        ({"result": "7-1"}, "choose what the result was"),
        ({"wrong": "everything"}, "say what is wrong"),
        ({"wrong": "other", "words": " "}, "say what is wrong"),
        ({"game": "999999"}, "choose the game"),
        ({"game": ""}, "if it is missing, choose “Something else”"),
        ({"game": "", "result": "", "words": ""}, "say what is wrong"),
        ({"key": "short"}, "form"),
    ],
)
def test_bad_input_is_refused_and_stands_in_the_form(
    site: Staffed, words: dict[str, str], said: str
) -> None:
    answer = sent(site, **words)
    assert answer.status_code == 422
    assert said in text_of(answer.text)
    with site.office.reading() as connection:
        assert connection.scalar(select(CLAIMS.c.id)) is None


def test_a_link_cannot_be_guessed_and_is_kept_by_its_digest(site: Staffed) -> None:
    secret, id_ = claimed(site)
    for guess in ("x", id_, new_secret(), secret[:-1], secret.lower()):
        answer = site.client.get(f"/claim/{guess}")
        assert answer.status_code == 404
        assert "There is no such claim" in text_of(answer.text)
    own = site.client.get(f"/claim/{secret}")
    assert own.headers["cache-control"] == "no-store"
    assert own.headers["referrer-policy"] == "no-referrer"
    assert "noindex" in own.headers["x-robots-tag"]
    with site.office.reading() as connection:
        rows = str(connection.execute(select(CLAIMS)).all())
    assert secret not in rows


def test_others_see_no_claims(site: Staffed) -> None:
    _, id_ = claimed(site, email="ana@example.org")
    assert "ana@example.org" not in site.eva.get(f"/claims/{id_}").text
    assert site.client.get(f"/claims/{id_}", follow_redirects=False).status_code in {303, 401}
    assert site.aud.get(f"/claims/{id_}").status_code == 403
    assert site.eva.post(f"/claims/{id_}/refuse", {"comment": "x"}).status_code == 403


def test_after_the_deadline_the_page_says_whom_to_write_to(ledger: Ledger, tmp_path: Path) -> None:
    rules = FederationRules(claim_days=1, claims_to="elo@federation.example")
    with staffed(ledger, tmp_path, rules) as site:
        page = site.client.get("/claims/new", params={**PLACE})
        assert "Write to elo@federation.example" in text_of(page.text)
        assert '<form method="post" action="/claims/new"' not in page.text
        assert "could be made until" in text_of(site.client.get("/players/A/ENF/2010-07").text)
        assert sent(site).status_code == 422
        with site.office.reading() as connection:
            assert connection.scalar(select(CLAIMS.c.id)) is None


def test_an_erasure_forgets_what_claimants_wrote(site: Staffed) -> None:
    _, id_ = claimed(site, email="ana@example.org")
    forget_names(site.office, 1)
    claim = kept(site, id_)
    assert (claim.words, claim.email, claim.state) == ("", None, ClaimState.OPEN)
    with site.office.writing() as connection:
        forget_claimants(connection)


# Programs, and the command line


def test_a_program_makes_one_and_reads_the_link(site: Staffed) -> None:
    body = {
        **PLACE, "game": int(game_of(site.ledger)), "wrong": "result", "result": "0-1",
        "words": "I won", "email": "ana@example.org",
    }  # fmt: skip
    client: Any = site.client
    answer = client.post("/api/v1/claims", json=body)
    assert answer.status_code == 200, answer.text
    link = answer.json()["link"]
    secret = link.rpartition("/")[2]
    assert "Your claim has arrived" in own_page(site, secret)
    again = client.post("/api/v1/claims", json=body)
    assert again.status_code == 409
    assert client.post("/api/v1/claims", json={**body, "wrong": "x"}).status_code == 422


def test_the_command_line_lists_accepts_and_refuses(july_db: Path, tmp_path: Path) -> None:
    office_url = f"sqlite:///{tmp_path / 'office.db'}"
    about = ("--db", str(july_db), "--office", office_url)
    ledger = with_july_published()
    with closing(open_office(office_url)) as office:
        content = claimed_content(
            questioned_game(ledger, Seq(int(game_of(ledger)))), {"wrong": "result", "result": "0-1"}
        )
        with office.writing() as connection:
            for id_ in ("a" * 16, "b" * 16):
                add_claim(connection, made_claim(id_, content), digest_of(id_))
        listed = run("claim", "list", *about, "--format", "json", cwd=tmp_path).json()
        assert [each["claim"] for each in listed["claims"]] == ["a" * 16, "b" * 16]
        why = ("--reason", "both sheets", "--actor", "ana")
        both = (*about, *why, "--second", "luis")
        looked = run("claim", "accept", "a" * 16, *both, "--dry-run", cwd=tmp_path)
        assert looked.code == 0, looked.err
        done = run("claim", "accept", "a" * 16, *both, cwd=tmp_path)
        assert done.code == 0, done.err
        assert run("claim", "accept", "a" * 16, *about, *why, cwd=tmp_path).code == 5
        assert run("claim", "refuse", "b" * 16, *about, *why, cwd=tmp_path).code == 0
        missing = run("claim", "refuse", "c" * 16, *about, *why, cwd=tmp_path)
        assert missing.code == 7
        assert f"there is no claim '{'c' * 16}': 'claim list'" in missing.err
        with office.reading() as connection:
            states = [find_claim(connection, each * 16) for each in "ab"]
    assert [each and (each.state, each.words, each.email) for each in states] == [
        (ClaimState.ACCEPTED, "", None),
        (ClaimState.REFUSED, "", None),
    ]


def made_claim(id_: str, content: str) -> KeptClaim:
    return KeptClaim(
        id=id_, about=id_, title="T1, 1: A – B", player="A", list="ENF", period="2010-07",
        tournament="T1", content=content, words="I won", email="ana@example.org", account=None,
        state=ClaimState.OPEN, decided_by=None, reason="", commit_id=None, made_at=1, changed_at=1,
    )  # fmt: skip
