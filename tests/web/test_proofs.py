"""Proofs from the site: they lead to the page that it was given, and hold where it is not known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ledger.errors import VerificationFailed
from ledger.journal.checkpoint import Signer
from ledger.proofs.check import check_proof
from ledger.proofs.lines import signed_page
from ledger.proofs.policy import Policy
from ledger.service.ledger import Ledger
from ledger.trust.proofs import edition_named, prove_row, rows_of, signed_now
from tests.proofs.forgeries import cosign
from tests.web.conftest import ORIGIN
from web.app import create_app
from web.read_models import builder
from web.read_models.model_store import ModelStore
from web.settings import WebSettings
from web.site import Site

SIGNER = Signer("chess.example/ratings", bytes(32))
POLICY = Policy((SIGNER.verifier,))
NO_CHECKPOINT = "The file that this site was given as its signed checkpoint is not a checkpoint"


@pytest.fixture
def page(demo_ledger: Ledger, tmp_path: Path) -> Path:
    file = tmp_path / "checkpoint.txt"
    file.write_text(signed_now(demo_ledger, SIGNER, None).note())
    return file


@pytest.fixture
def site(demo_ledger: Ledger, tmp_path: Path, page: Path) -> TestClient:
    settings = WebSettings(ledger="", origin=ORIGIN, cache=tmp_path / "cache", checkpoint=page)
    app = create_app(Site(demo_ledger, settings))
    return TestClient(app, base_url=ORIGIN, raise_server_exceptions=False)


def test_an_event_is_proved(site: TestClient) -> None:
    answer = site.get("/proofs/events/122")
    assert answer.headers["content-disposition"].endswith("event-122.tlog-proof")
    proven = check_proof(answer.text, POLICY, 0)
    assert proven.event is not None
    assert proven.event["seq"] == 122


def test_a_list_is_proved_with_the_bytes_that_the_site_gives(site: TestClient) -> None:
    document = site.get("/lists/ENF/2010-07@1/bytes").content
    proven = check_proof(site.get("/proofs/lists/ENF/2010-07@1").text, POLICY, 0, document)
    assert proven.document


def test_a_row_is_proved(site: TestClient) -> None:
    proven = check_proof(site.get("/proofs/lists/ENF/2010-07/3404510").text, POLICY, 0)
    assert proven.row is not None
    assert proven.row["id"] == "3404510"


def test_the_tree_of_an_edition_is_made_once(
    site: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = "/proofs/lists/ENF/2010-07@1/3404510"
    first = site.get(address)
    monkeypatch.setattr(builder, "rows_of", None)
    assert site.get(address).content == first.content
    assert site.get("/proofs/lists/ENF/2010-07@1/nobody").status_code == 404


def test_until_the_tree_of_a_long_list_is_there_one_asks_again(
    site: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builder, "_AT_ONCE", 0)
    monkeypatch.setattr(ModelStore, "model", lambda *_: None)
    answer = site.get("/proofs/lists/ENF/2010-07/3404510")
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0


def test_a_row_that_was_not_published_is_not_proved_wherever_it_comes_from(
    demo_ledger: Ledger,
) -> None:
    page = signed_now(demo_ledger, SIGNER, None)
    edition = edition_named(demo_ledger, "ENF", "2010-07", 1, page)
    row = rows_of(demo_ledger, edition).row("3404510")
    assert check_proof(prove_row(demo_ledger, row, edition, page).text(), POLICY, 0).row
    for other in (replace(row, text=row.text.replace("1", "2")), replace(row, path=row.path[1:])):
        with pytest.raises(VerificationFailed):
            prove_row(demo_ledger, other, edition, page)


def test_pages_lead_to_their_proofs(site: TestClient) -> None:
    for address, link in (
        ("/audit/events/122", "/proofs/events/122"),
        ("/lists/ENF/2010-07@1", "/proofs/lists/ENF/2010-07%401"),
        ("/players/3404510/ENF/2010-07?edition=1", "/proofs/lists/ENF/2010-07%401/3404510"),
    ):
        assert f'href="{link}"' in site.get(address).text
        assert site.get(link).status_code == 200


def test_the_checkpoint_is_the_one_that_was_given(site: TestClient, page: Path) -> None:
    first = site.get("/proofs/checkpoint")
    assert first.text == page.read_text()
    tag = {"If-None-Match": first.headers["etag"]}
    assert site.get("/proofs/checkpoint", headers=tag).status_code == 304
    page.write_text(page.read_text().replace(SIGNER.name, "other.example"))
    assert site.get("/proofs/checkpoint", headers=tag).text == page.read_text()


def test_of_what_came_later_there_is_no_proof_yet(
    site: TestClient, demo_ledger: Ledger, page: Path
) -> None:
    page.write_text(signed_now(demo_ledger, SIGNER, None, 100).note())
    assert site.get("/proofs/events/100").status_code == 200
    refused = site.get("/proofs/events/101")
    assert 400 <= refused.status_code < 500
    assert "came later" in refused.text


def test_without_an_edition_the_last_one_that_the_page_covers_is_proved(
    site: TestClient, demo_ledger: Ledger, page: Path
) -> None:
    seqs = {
        each.edition: seq
        for seq, each in demo_ledger.facts().lists["ENF"].publications
        if each.period == "2010-07"
    }
    for size, edition in ((seqs[2] - 1, 1), (seqs[2], 2)):
        page.write_text(signed_now(demo_ledger, SIGNER, None, size).note())
        for address in ("/proofs/lists/ENF/2010-07", "/proofs/lists/ENF/2010-07/3404510"):
            proven = check_proof(site.get(address).text, POLICY, 0)
            assert proven.event is not None
            assert proven.event["payload"]["edition"] == edition
    page.write_text(signed_now(demo_ledger, SIGNER, None, seqs[1] - 1).note())
    assert "came later" in site.get("/proofs/lists/ENF/2010-07").text


@pytest.mark.parametrize(
    "address",
    ["/proofs/events/9999", "/proofs/lists/ENF/2010-07@9", "/proofs/lists/ENF/2010-07/nobody"],
)
def test_of_what_is_not_there_is_no_proof(site: TestClient, address: str) -> None:
    assert site.get(address).status_code == 404


@pytest.mark.parametrize("address", ["/proofs/checkpoint", "/proofs/events/1"])
def test_a_site_without_a_page_says_so(demo: TestClient, address: str) -> None:
    answer = demo.get(address)
    assert answer.status_code == 404
    assert "serve --checkpoint" in answer.text
    assert "/proofs/" not in demo.get("/audit/events/5").text


@pytest.mark.parametrize(
    "garbage",
    [b"garbage", b"\x00\xff\xfe", b"\n\n\n", b"example\n-5\nAAAA\n\n", b"x" * 3_000_000],
    ids=["words", "bytes", "nothing", "a wrong size", "much"],
)
def test_a_page_that_is_none_is_the_fault_of_the_house(
    site: TestClient, page: Path, garbage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    page.write_bytes(garbage)
    for address in (
        "/checkpoint",
        "/proofs/checkpoint",
        "/proofs/events/1",
        "/proofs/lists/ENF/2010-07",
    ):
        answer = site.get(address)
        assert answer.status_code == 503
        assert NO_CHECKPOINT in answer.text
        assert answer.headers["cache-control"] == "no-store"
    told = site.get("/proofs")
    assert told.status_code == 200
    assert NO_CHECKPOINT in told.text
    assert "does not fit" not in told.text
    assert "Traceback" not in caplog.text


def test_a_page_without_a_signature_is_said_to_be_so_and_logged(
    site: TestClient, demo_ledger: Ledger, page: Path, caplog: pytest.LogCaptureFixture
) -> None:
    page.write_text(signed_now(demo_ledger, SIGNER, None).text)
    assert "is not signed" in site.get("/proofs").text
    assert "no está firmado" in site.get("/proofs?lang=es").text
    assert "checkpoint --key" in caplog.text
    for address in ("/proofs/checkpoint", "/proofs/events/1", "/checkpoint"):
        refused = site.get(address)
        assert refused.status_code == 503
        assert "is not signed" in refused.text


def test_a_page_tells_how_to_check_and_who_is_said_to_have_signed(
    site: TestClient, page: Path
) -> None:
    assert 'href="/proofs"' in site.get("/audit").text
    before = site.get("/proofs")
    assert f"<bdi>{SIGNER.name}</bdi>" in before.text
    assert "cosignature of a witness" not in before.text
    for address in ("/checkpoint", "/proofs/checkpoint", "/proofs/verify.html"):
        assert f'href="{address}"' in before.text
        assert site.get(address).status_code == 200
    tag = {"If-None-Match": before.headers["etag"]}
    assert site.get("/proofs", headers=tag).status_code == 304
    signed = signed_page(page.read_text())
    cosigned = cosign(signed, Signer("witness.example/<w>", bytes([1] * 32)), 1_790_000_000)
    page.write_text(f"{signed.note()}{cosigned.line}\n")
    after = site.get("/proofs", headers=tag).text
    assert "<bdi>witness.example/&lt;w&gt;</bdi>" in after
    assert after.count("cosignature of a witness") == 1
    assert "21 September 2026, 14:13 UTC" in after
    assert "cofirma de un testigo" in site.get("/proofs?lang=es").text


def test_a_page_that_does_not_fit_the_ledger_is_said_to_be_so_and_logged(
    site: TestClient, page: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tag = {"If-None-Match": site.get("/proofs").headers["etag"]}
    good = signed_page(page.read_text())
    for size, root in ((good.size, bytes(32)), (good.size + 1, good.root)):
        other = replace(good, size=size, root=root, signatures=())
        page.write_text(replace(other, signatures=(SIGNER.sign(other.text),)).note())
        caplog.clear()
        told = site.get("/proofs", headers=tag)
        assert told.status_code == 200
        assert "does not fit its ledger" in told.text
        assert root.hex() not in told.text
        (said,) = [each.message for each in caplog.records if "checkpoint" in each.message]
        assert "verify --checkpoint" in said
        for address in ("/checkpoint", "/proofs/checkpoint", "/proofs/events/1"):
            refused = site.get(address)
            assert refused.status_code == 503
            assert "does not fit its ledger" in refused.text


def test_a_file_that_is_no_checkpoint_is_quoted_to_nobody(
    site: TestClient, page: Path, caplog: pytest.LogCaptureFixture
) -> None:
    page.write_text("PRIVATE KEY of the club\n")
    for address in ("/proofs", "/checkpoint", "/proofs/checkpoint", "/proofs/events/1"):
        told = site.get(address)
        assert "PRIVATE KEY" not in told.text
        assert "in its log what is wrong" in told.text
    (said,) = [each.message for each in caplog.records if "checkpoint" in each.message]
    assert "another text: 'PRIVATE KEY of the club" in said
    assert "rating-ledger checkpoint --key" in said


def test_the_page_of_now_is_said_to_be_that_where_an_earlier_state_is_asked_for(
    site: TestClient,
) -> None:
    assert "the checkpoint of now, not the one of then" in site.get("/proofs?as-known-at=41").text
    assert "the checkpoint of now" not in site.get("/proofs").text


def test_a_site_without_a_page_says_that_there_is_nothing_to_take(demo: TestClient) -> None:
    answer = demo.get("/proofs")
    assert answer.status_code == 200
    assert "no proofs to take away" in answer.text
    assert demo.get("/audit/checkpoint").status_code == 200
    assert 'href="/audit/checkpoint"' in answer.text


def test_the_page_that_checks_is_there_to_be_kept(demo: TestClient) -> None:
    answer = demo.get("/proofs/verify.html")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert "verify.html" in answer.headers["content-disposition"]
    assert "Ed25519" in answer.text
