"""Two players with accounts: one claims, the other is asked whether that is so."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from ledger.operations import commands as c
from ledger.service.erasures import erase_player
from ledger.service.ledger import Ledger
from tests.cli.running import run
from tests.ledgers import do, request, with_july_published
from tests.web.submitting import Person, Staffed, staffed
from tests.web.support import text_of
from tests.web.test_claims import (
    ALWAYS,
    BROWSER,
    PLACE,
    claimed,
    game_of,
    id_of,
    kept,
    made_claim,
    own_page,
    taken_up,
)
from web.office import accounts, player_ties
from web.office.claims import ClaimAnswer, ClaimState, add_claim, answers_to, keep_answer
from web.office.erasures import forget_names
from web.office.store import digest_of, new_secret, open_office

ASKED = "/account/claims"
CONFIRMED = {"answer": "confirm", "words": ""}
OTHERWISE = {"answer": "otherwise", "words": "I won on time"}


@pytest.fixture
def ledger() -> Ledger:
    """July is published, and A won the first game of T1 against B."""
    return with_july_published()


@pytest.fixture
def site(ledger: Ledger, tmp_path: Path) -> Iterator[Staffed]:
    """The accounts pia and bea are those of A and B."""
    with staffed(ledger, tmp_path, ALWAYS) as opened:
        tie(opened, "pia", "A")
        tie(opened, "bea", "B")
        yield opened


def tie(site: Staffed, account: str, player: str) -> None:
    with site.office.writing() as connection:
        player_ties.tie_player(connection, account, player, {player}, site.office.now())


def claimed_by(person: Person, site: Staffed, **words: str) -> tuple[str, str]:
    """Returns the secret of a claim of somebody who signed in, that B won A's first game."""
    usual = {
        **PLACE, "game": game_of(site.ledger), "wrong": "result", "result": "0-1",
        "words": "private words", "email": "", "key": new_secret(),
    }  # fmt: skip
    answer = person.post("/claims/new", usual | words)
    assert answer.status_code == 200, text_of(answer.text)
    secret = answer.url.path.rpartition("/")[2]
    return secret, id_of(site, secret)


def answered(person: Person, id_: str, answer: dict[str, str]) -> int:
    return person.post(f"{ASKED}/{id_}", answer).status_code


def test_the_opponent_is_asked_and_confirms(site: Staffed) -> None:
    secret, id_ = claimed_by(site.pia, site)
    first = text_of(site.bea.get("/").text)
    assert "1 claim about your games: is that so?" in first
    assert "Your page as a player" in first
    page = site.bea.get(ASKED)
    assert "A says that the result was 0–1. Is that so?" in text_of(page.text)
    assert "private words" not in page.text, "these are for who decides"
    before = site.head
    assert answered(site.bea, id_, CONFIRMED) == 200
    assert site.head == before, "it records nothing"
    assert kept(site, id_).state is ClaimState.OPEN, "and decides nothing"
    assert "You confirmed it." in text_of(site.bea.get(ASKED).text)
    assert "is that so?" not in text_of(site.bea.get("/").text)
    assert "The opponent, B, confirms it." in own_page(site, secret)
    assert "El rival, B, lo confirma." in own_page(site, secret, "es")
    decider = text_of(site.ana.get(f"/claims/{id_}").text)
    assert "by the player: A (pia)" in decider
    assert "The opponent, B, confirms it." in decider
    for program in (site.ana, site.eva):
        (told,) = program.get("/api/v1/claims").json()["claims"]
        assert told["answers"] == [
            {"player": "B", "name": "B", "opponent": True, "confirms": True, "words": ""}
        ]
    assert site.bea.get("/api/v1/claims").status_code == 403
    assert taken_up(site, "eva", id_).status_code == 200
    submission = text_of(site.ana.get(f"/submissions/{id_}").text)
    assert "The opponent, B, confirms it." in submission
    assert answered(site.bea, id_, OTHERWISE) == 422, "somebody looks at it"
    site.ana.step(id_, "refuse", comment="both sheets say 1-0")
    assert kept(site, id_).state is ClaimState.REFUSED
    with site.office.reading() as connection:
        assert answers_to(connection, id_) == []


def test_the_opponent_sees_it_otherwise_and_the_words_go_with_the_decision(site: Staffed) -> None:
    secret, id_ = claimed_by(site.pia, site)
    assert answered(site.bea, id_, OTHERWISE | {"words": " "}) == 422
    assert answered(site.bea, id_, OTHERWISE | {"words": "x" * 301}) == 422
    assert answered(site.bea, id_, {"answer": "perhaps", "words": "x"}) == 422
    assert answered(site.bea, id_, OTHERWISE) == 200
    for page in (own_page(site, secret), text_of(site.ana.get(f"/claims/{id_}").text)):
        assert "The opponent, B, sees it otherwise. I won on time" in page
    forget_names(site.office, 1)
    assert "I won on time" not in own_page(site, secret), "an erasure takes all that was written"
    site.ana.post(f"/claims/{id_}/refuse", {"comment": "both sheets say 1-0"})
    assert "sees it otherwise" not in own_page(site, secret)


def test_of_somebodys_claim_both_players_are_asked(site: Staffed) -> None:
    secret, id_ = claimed(site)
    for person in (site.pia, site.bea):
        page = text_of(person.get(ASKED).text)
        assert "Somebody says that the result was 0–1." in page
        assert answered(person, id_, CONFIRMED) == 200
    shown = own_page(site, secret)
    assert "The player, A, confirms it." in shown
    assert "The opponent, B, confirms it." in shown
    assert "by somebody who did not sign in" in text_of(site.ana.get(f"/claims/{id_}").text)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("colours", "A says that the colours were the other way round."),
        ("not-played", "A says that this game was not played."),
    ],
)
def test_other_things_are_asked_in_their_words(site: Staffed, wrong: str, said: str) -> None:
    claimed_by(site.pia, site, wrong=wrong, result="")
    assert said in text_of(site.bea.get(ASKED).text)


def test_the_command_line_shows_what_the_opponent_says(july_db: Path, tmp_path: Path) -> None:
    office_url = f"sqlite:///{tmp_path / 'office.db'}"
    about = ("--db", str(july_db), "--office", office_url)
    id_ = "a" * 16
    with closing(open_office(office_url)) as office, office.writing() as connection:
        claim = replace(made_claim(id_, "{}"), about="game\nT1\n1\nA\nB")
        add_claim(connection, claim, digest_of(id_))
        player_ties.tie_player(connection, "bea", "B", {"B"}, 1)
        keep_answer(connection, id_, ClaimAnswer("bea", confirms=False, words="on time", at=2))
        accounts.add(connection, "cora", 1)
        keep_answer(connection, id_, ClaimAnswer("cora", confirms=True, words="", at=3))
    answer = {"player": "B", "name": "B", "opponent": True, "confirms": False, "words": "on time"}
    (row,) = run("claim", "list", *about, "--format", "json", cwd=tmp_path).json()["claims"]
    assert row["answers"] == [answer]
    shown = run("claim", "show", id_, *about, "--format", "json", cwd=tmp_path).json()
    assert shown == row | {"state": "open"}
    written = run("claim", "show", id_, *about, "--format", "csv", cwd=tmp_path).out
    (cells,) = csv.DictReader(written.splitlines())
    assert (cells["claim"], json.loads(cells["answers"])) == (id_, [answer])
    table = run("claim", "show", id_, *about, cwd=tmp_path)
    assert "The opponent, B, sees it otherwise. on time" in table.out
    unknown = run("claim", "show", "b" * 16, *about, cwd=tmp_path)
    assert (unknown.code, "'claim list'" in unknown.err) == (7, True)


# Threats


def test_nobody_confirms_their_own_claim_nor_that_of_others_games(site: Staffed) -> None:
    tie(site, "cora", "C")
    _, id_ = claimed_by(site.bea, site)
    assert "No claim waits" in text_of(site.bea.get(ASKED).text)
    assert answered(site.bea, id_, CONFIRMED) == 422, "her own"
    assert answered(site.cora, id_, CONFIRMED) == 422, "a game of others"
    assert answered(site.pia, "0" * 16, CONFIRMED) == 422
    for untied in (site.eva, site.ana):
        assert untied.get(ASKED).status_code == 404
        assert answered(untied, id_, CONFIRMED) == 404
    assert site.client.get(ASKED, follow_redirects=False).status_code in {303, 401}
    with site.office.reading() as connection:
        assert answers_to(connection, id_) == []


def test_what_only_words_say_is_asked_of_nobody(site: Staffed) -> None:
    claimed_by(site.pia, site, wrong="other", result="")
    claimed_by(site.pia, site, wrong="other", result="", game="")
    assert "No claim waits" in text_of(site.bea.get(ASKED).text)


def test_an_account_that_is_taken_away_has_said_nothing(site: Staffed) -> None:
    secret, id_ = claimed_by(site.pia, site)
    answered(site.bea, id_, CONFIRMED)
    with site.office.writing() as connection:
        player_ties.untie_account(connection, "bea")
    assert "confirms it" not in own_page(site, secret)
    assert answered(site.bea, id_, CONFIRMED) == 404


def test_who_is_erased_is_asked_no_more(site: Staffed) -> None:
    secret, id_ = claimed_by(site.pia, site)
    answered(site.bea, id_, CONFIRMED)
    erase_player(site.ledger, c.ErasePlayer(player="B", on=site.ledger.today), request())
    assert site.bea.get(ASKED).status_code == 404
    assert "confirms it" not in own_page(site, secret)


def test_the_other_account_of_a_merged_person_does_not_confirm_it(site: Staffed) -> None:
    tie(site, "dora", "D")
    secret, id_ = claimed_by(site.pia, site)
    do(site.ledger, c.MergePlayers(player="D", into="A", on=site.ledger.today, seeds_of="A"))
    assert answered(site.dora, id_, CONFIRMED) == 422, "she is the player who claims it"
    assert "confirms it" not in own_page(site, secret)


def test_markup_in_an_answer_is_text(site: Staffed) -> None:
    secret, id_ = claimed_by(site.pia, site)
    answered(site.bea, id_, OTHERWISE | {"words": "<script>alert(1)</script>\u202e"})
    for page in (site.client.get(f"/claim/{secret}").text, site.ana.get(f"/claims/{id_}").text):
        assert "<script>alert" not in page
        assert "\u202e" not in page


def test_a_stranger_keeps_no_player_with_an_account_out(site: Staffed) -> None:
    claimed(site)
    claimed_by(site.pia, site)
    again = {"key": new_secret(), "result": "1/2-1/2", "game": game_of(site.ledger)}
    refused = site.pia.post("/claims/new", PLACE | {"wrong": "result", "words": ""} | again)
    assert refused.status_code == 422, "of one game an account has one open claim"
    assert "has said already" in text_of(refused.text)


def test_claims_that_are_decided_keep_nobody_out(site: Staffed) -> None:
    for _ in range(4):  # of six that an address has in a quarter of an hour
        secret, _ = claimed(site)
        site.client.post(f"/claim/{secret}/withdraw", headers=BROWSER)
    claimed(site)
