"""Webhooks: a receiver is told everything once it answers, in order, signed, and nobody else is."""

from __future__ import annotations

import hashlib
import hmac
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import Conflict, InputRefused
from ledger.identifiers import Seq
from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.archives import open_ledger
from ledger.service.ledger import Ledger
from ledger.wording import Message
from tests.ledgers import NOW, do, publish_period
from tests.web.jobs.conftest import awaited_of
from web.jobs.runner import Runner
from web.jobs.webhooks import DeliveryWatch, deliver, send
from web.office import webhooks
from web.office.host_addresses import address_of, is_public
from web.office.jobs import claim, fail, jobs
from web.office.store import Office
from web.office.webhooks import PATIENCE, Subject, Webhook
from web.settings import WebSettings


@dataclass
class Receiver:
    """Somebody's program: what it was sent, and its answers, the last one for ever."""

    url: str = ""
    codes: list[int] = field(default_factory=lambda: [200])
    received: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.received]


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver()

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.received.append((dict(self.headers), body))
            code = receiver.codes[0] if len(receiver.codes) == 1 else receiver.codes.pop(0)
            self.send_response(code)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Answer)
    receiver.url = f"http://127.0.0.1:{server.server_port}/hook?a=1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as one:
        yield one


@pytest.fixture
def inside(settings: WebSettings) -> WebSettings:
    return replace(settings, webhooks_anywhere=True)


@pytest.fixture
def ledger(ledger_db: Path) -> Iterator[Ledger]:
    journal = open_ledger(str(ledger_db))
    yield Ledger(journal, clock=lambda: NOW)
    journal.close()


def announced(office: Office, url: str, seq: int = 0, *subjects: Subject) -> Webhook:
    with office.writing() as connection:
        return webhooks.announce(
            connection, url, frozenset(subjects or Subject), seq=Seq(seq), now=office.now(),
            account="root", anywhere=True,
        )  # fmt: skip


def now_of(office: Office, hook: Webhook) -> Webhook:
    with office.reading() as connection:
        return webhooks.webhook(connection, hook.id)


def tries(office: Office, hook: Webhook) -> list[webhooks.Delivery]:
    with office.reading() as connection:
        return list(webhooks.deliveries(connection, hook.id, 500))


def test_everything_is_delivered_once_in_order_and_signed(
    office: Office, ledger: Ledger, inside: WebSettings, receiver: Receiver
) -> None:
    hook = announced(office, receiver.url)
    counts = deliver(ledger.journal, office, inside)
    bodies = receiver.bodies
    assert counts == {"delivered": len(bodies), "failed": 0}
    seqs = [body["seq"] for body in bodies]
    assert seqs == sorted(set(seqs))
    assert {body["subject"] for body in bodies} >= {"corrections", "lists"}
    published = [body for body in bodies if body["subject"] == "lists"]
    assert published[0]["about"] == {"edition": 1, "list": "ENF", "period": "2010-07"}
    assert published[0]["page"] == "http://x/lists/ENF/2010-07%401"
    for headers, body in receiver.received:
        at, _, digest = headers["Rating-Ledger-Signature"].removeprefix("t=").partition(",v1=")
        signed = hmac.new(hook.secret.encode(), f"{at}.".encode() + body, hashlib.sha256)
        assert hmac.compare_digest(signed.hexdigest(), digest)
        assert headers["Rating-Ledger-Delivery"] == json.loads(body)["delivery"]
    assert now_of(office, hook).seq == ledger.journal.head().seq
    assert deliver(ledger.journal, office, inside) == {"delivered": 0, "failed": 0}
    assert [each.code for each in tries(office, hook)] == [200] * len(bodies)


def test_no_name_is_sent(
    office: Office, ledger: Ledger, inside: WebSettings, receiver: Receiver
) -> None:
    announced(office, receiver.url)
    deliver(ledger.journal, office, inside)
    names = [
        name
        for document in ledger.journal.personal_documents().values()
        if (name := json.loads(document).get("name"))
    ]
    assert names
    sent = b"".join(body for _, body in receiver.received).decode()
    assert not [name for name in names if name in sent]


def test_what_was_recorded_before_the_announcement_is_not_told(
    office: Office, ledger: Ledger, inside: WebSettings, receiver: Receiver
) -> None:
    hook = announced(office, receiver.url, ledger.journal.head().seq, Subject.CORRECTIONS)
    deliver(ledger.journal, office, inside)
    assert receiver.received == []
    correct(ledger)
    publish_period(ledger, "2010-09")
    deliver(ledger.journal, office, inside)
    assert [body["type"] for body in receiver.bodies] == ["result.corrected"]
    assert now_of(office, hook).seq == ledger.journal.head().seq


def correct(ledger: Ledger, result: str = "1/2-1/2") -> None:
    record = ledger.tournament("ymca-2010", ledger.facts().seq)
    assert record is not None
    game = next(each for each in record.each_pairing if each.has_game_result)
    assert game.black is not None
    other = Result.parse(result)
    if game.result == other:
        other = Result.parse("1-0")
    do(
        ledger,
        c.CorrectResult(
            tournament="ymca-2010", round=game.round, white=game.white, black=game.black,
            result=other,
        ),
    )  # fmt: skip


def test_what_is_not_taken_is_tried_again_later_and_in_its_order(
    office: Office, ledger: Ledger, inside: WebSettings, receiver: Receiver
) -> None:
    hook = announced(office, receiver.url)
    receiver.codes = [200, 500, 302, 204]
    assert deliver(ledger.journal, office, inside) == {"delivered": 1, "failed": 1}
    failing = now_of(office, hook)
    assert (failing.tries, failing.seq) == (1, receiver.bodies[0]["seq"])
    assert failing.next_at - office.now() in range(55, 61)
    # It is not its time yet; an administrator has it tried at once. Nobody is followed elsewhere.
    assert deliver(ledger.journal, office, inside) == {"delivered": 0, "failed": 0}
    for _ in range(2):
        with office.writing() as connection:
            webhooks.resume(connection, hook.id)
        deliver(ledger.journal, office, inside)
    ids = [body["delivery"] for body in receiver.bodies]
    assert ids[1] == ids[2] == ids[3]
    assert len(set(ids)) == len(ids) - 2
    assert {body["seq"] for body in receiver.bodies} == {
        body["seq"] for body in receiver.bodies if body["delivery"] in ids
    }
    assert [each.code for each in tries(office, hook)][::-1][:4] == [200, 500, 302, 204]
    assert now_of(office, hook).tries == 0


def test_pauses_grow_and_after_days_of_failure_a_hook_is_disabled(
    office: Office, ledger: Ledger, inside: WebSettings, receiver: Receiver
) -> None:
    hook, now = announced(office, receiver.url), office.now()
    pauses = []
    while now_of(office, hook).disabled_at is None:
        seen = now_of(office, hook)
        tried = webhooks.Delivery(hook.delivery_id(5), Seq(5), "lists", now, None, "refused")
        with office.writing() as connection:
            assert not webhooks.note(connection, seen, tried)
        pauses.append(now_of(office, hook).next_at - now)
        now = now_of(office, hook).next_at
    assert pauses[:4] == [60, 120, 240, 480]
    assert max(pauses) == 6 * 3600
    assert sum(pauses[:-1]) >= PATIENCE > sum(pauses[:-2])
    assert deliver(ledger.journal, office, inside) == {"delivered": 0, "failed": 0}
    with office.writing() as connection:
        webhooks.resume(connection, hook.id)
    assert deliver(ledger.journal, office, inside)["delivered"] == len(receiver.received) > 0


def test_who_is_killed_between_delivery_and_note_delivers_again_under_the_same_id(
    office: Office, ledger: Ledger, inside: WebSettings, receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    hook = announced(office, receiver.url)

    class Killed(BaseException):
        """As SIGKILL: nothing of what follows is done."""

    def killed(*_: object) -> bool:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(webhooks, "note", killed)
        with pytest.raises(Killed):
            deliver(ledger.journal, office, inside)
    assert now_of(office, hook).seq == 0
    deliver(ledger.journal, office, inside)
    first, again, *others = [body["delivery"] for body in receiver.bodies]
    assert first == again
    assert len({first, *others}) == len(others) + 1
    assert now_of(office, hook).seq == ledger.journal.head().seq


def test_the_site_delivers_by_itself_and_recording_waits_for_nobody(
    office: Office, ledger: Ledger, inside: WebSettings, receiver: Receiver
) -> None:
    hook = announced(office, receiver.url, ledger.journal.head().seq)
    with Runner(inside, office):
        correct(ledger)
        awaited_of(lambda: len(receiver.received), lambda count: count == 1)
        awaited_of(lambda: now_of(office, hook).seq, lambda seq: seq == ledger.journal.head().seq)
    assert receiver.bodies[0]["seq"] <= ledger.journal.head().seq


def test_a_job_that_failed_is_not_begun_again_at_once(office: Office, ledger: Ledger) -> None:
    announced(office, "https://a.example")
    watch = DeliveryWatch(office)
    watch.look_at(ledger.journal)
    (job,) = jobs(office)
    assert claim(office, "runner") is not None
    assert fail(office, job, "runner", Message.of("web.bug"))
    watch.look_at(ledger.journal)
    assert len(jobs(office)) == 1


def test_what_nobody_is_told_of_takes_no_job(office: Office, ledger: Ledger) -> None:
    hook = announced(office, "https://a.example", ledger.journal.head().seq, Subject.LISTS)
    correct(ledger)
    DeliveryWatch(office).look_at(ledger.journal)
    assert now_of(office, hook).seq == ledger.journal.head().seq
    assert not jobs(office)


class TestAddresses:
    @pytest.mark.parametrize(
        "url",
        [
            "http://club.example/x", "ftp://club.example", "https://", "https://a:b@club.example",
            "https://club.example/#x", "https://club.example/ x", "https://club.example:0/",
            "https://club.example/\n", "https://cl%ub\u200b.example", "https://x" + "x" * 600, "",
        ],
    )  # fmt: skip
    def test_what_is_no_address_is_refused(self, url: str) -> None:
        with pytest.raises(InputRefused) as refused:
            webhooks.check_url(url, anywhere=False)
        assert refused.value.message.key == "webhook.bad_url"

    def test_an_address_is_announced_once(self, office: Office) -> None:
        announced(office, "https://club.example/x")
        with pytest.raises(Conflict):
            announced(office, "https://club.example/x")

    @pytest.mark.parametrize(
        "address",
        [
            "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.1",
            "100.64.0.1", "224.0.0.1", "255.255.255.255", "::1", "fe80::1%eth0", "fc00::1", "::",
            "::ffff:10.0.0.1", "::ffff:169.254.169.254", "2002:7f00:1::", "64:ff9b:1::1", "ff02::1",
            "64:ff9b::10.0.0.1", "2001:0:7f00:1::",
        ],
    )  # fmt: skip
    def test_what_is_inside_is_not_public(self, address: str) -> None:
        assert not is_public(address)

    def test_nothing_is_sent_inside_unless_a_setting_allows_it(
        self, receiver: Receiver, office: Office, ledger: Ledger, settings: WebSettings
    ) -> None:
        hook = announced(office, receiver.url)
        assert deliver(ledger.journal, office, settings) == {"delivered": 0, "failed": 1}
        assert receiver.received == []
        (tried,) = tries(office, hook)
        assert tried.code is None
        assert "127.0.0.1" in tried.problem

    def test_all_addresses_of_a_host_must_be_public(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def found(*_: object, **__: object) -> list[Any]:
            return [(0, 0, 0, "", (ip, 443)) for ip in ("93.184.215.14", "10.0.0.1")]

        monkeypatch.setattr(socket, "getaddrinfo", found)
        with pytest.raises(InputRefused) as refused:
            address_of("rebinding.example", 443, anywhere=False)
        assert refused.value.message.key == "webhook.not_public"

    def test_who_answers_a_byte_now_and_then_is_not_waited_for(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
            with pytest.raises(TimeoutError):
                send(url, b"{}", {}, anywhere=True, seconds=0.2)
