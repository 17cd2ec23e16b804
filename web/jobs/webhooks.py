"""Delivers what was recorded to the addresses that were announced, each event once or more often.

A job of the site does it, from the seq on that a hook has: who records waits for nobody. Each
delivery is one POST of JSON, signed by the hook's secret:

    Rating-Ledger-Delivery: the same id, however often it is tried
    Rating-Ledger-Signature: t=SECONDS,v1=HMAC-SHA256(secret, "SECONDS.BODY")

Nothing personal is in it: what happened and where to ask. A receiver may be anybody's address, so
one that is not of the public internet is refused, looked up and connected to in one step, and
nobody is followed elsewhere (SSRF). ``RATING_LEDGER_WEBHOOKS=anywhere`` allows what is inside.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import closing
from http.client import HTTPConnection
from typing import Final
from urllib.parse import urlsplit

from ledger.disk import system_said
from ledger.errors import LedgerError
from ledger.events.lists import ListPublished
from ledger.events.tournaments import TournamentClosed
from ledger.journal.interface import Journal
from ledger.journal.records import StoredEvent
from ledger.reports.cascade import CORRECTING
from ledger.trust.witnesses import in_time
from web.language import cause_of
from web.office import webhooks
from web.office.host_addresses import address_of
from web.office.jobs import JobState, known, start
from web.office.store import Office
from web.office.webhooks import Delivery, Subject, Webhook
from web.paths import path_of
from web.settings import WebSettings

SECONDS: Final = 10.0  # for an answer
_MOST: Final = 1_000  # events that are looked at while nothing is delivered
_DELIVERED_AT_ONCE: Final = 200  # to a hook by a job; the next one goes on
_LONGEST_PROBLEM: Final = 200
_AFTER_FAILURE: Final = 300  # seconds until a job is begun again that did not end well


def subject_of(event: StoredEvent) -> Subject | None:
    """Returns what a hook is told of by an event; None: by none."""
    if event.type == ListPublished.TYPE:
        return Subject.LISTS
    if event.type == TournamentClosed.TYPE:
        return Subject.TOURNAMENTS
    return Subject.CORRECTIONS if event.type in CORRECTING else None


class DeliveryWatch:
    """Asks for deliveries as a job."""

    def __init__(self, office: Office) -> None:
        self._office = office

    def look_at(self, journal: Journal) -> None:
        """Asks for a job where a hook has something to be told; else it has seen the head."""
        head = journal.head().seq
        behind = [hook for hook in _due(self._office) if hook.seq < head]
        for hook in behind:
            if head - hook.seq > _MOST or any(True for _ in _to_tell(journal, hook, head)):
                self._start()
                return
        if behind:
            with self._office.writing() as connection:
                for hook in behind:
                    webhooks.pass_over(connection, hook, head)

    def _start(self) -> None:
        """Begins a job; where the last one failed, which no receiver makes it do, not at once."""
        last = known(self._office, "webhooks", {})
        ended_at = 0
        if last is not None and last.state is JobState.FAILED:
            ended_at = last.ended_at or 0
        if self._office.now() - ended_at >= _AFTER_FAILURE:
            start(self._office, "webhooks", {})


def _due(office: Office) -> list[Webhook]:
    now = office.now()
    with office.reading() as connection:
        hooks = webhooks.webhooks(connection)
    return [each for each in hooks if each.disabled_at is None and each.next_at <= now]


def deliver(journal: Journal, office: Office, settings: WebSettings) -> Mapping[str, int]:
    """Delivers to every hook what it was not told yet; returns how many were taken and refused."""
    counts = {"delivered": 0, "failed": 0}
    for hook in _due(office):
        for is_taken in _deliveries(journal, office, settings, hook):
            counts["delivered" if is_taken else "failed"] += 1
    return counts


def _deliveries(
    journal: Journal, office: Office, settings: WebSettings, hook: Webhook
) -> Iterator[bool]:
    """Delivers to a hook in the order of the journal until one is not taken."""
    head = journal.head().seq
    for place, (event, subject) in enumerate(_to_tell(journal, hook, head)):
        if place == _DELIVERED_AT_ONCE:
            return
        tried = _tried(office, settings, hook, event, subject)
        with office.writing() as connection:
            goes_on = webhooks.note(connection, hook, tried)
        yield tried.is_taken
        if not goes_on:
            return
    with office.writing() as connection:
        webhooks.pass_over(connection, hook, head)


def _to_tell(journal: Journal, hook: Webhook, head: int) -> Iterator[tuple[StoredEvent, Subject]]:
    """Yields what a hook is to be told of; of a commit that corrects much, one correction."""
    last = next(iter(journal.rows_at([hook.seq])), None) if hook.seq else None
    newest = None if last is None else last[2]
    for event in journal.events(after=hook.seq, upto=head):
        subject = subject_of(event)
        if subject is None or subject not in hook.subjects:
            continue
        if subject is Subject.CORRECTIONS:
            if event.commit_id == newest:
                continue
            newest = event.commit_id
        yield event, subject


def _tried(
    office: Office, settings: WebSettings, hook: Webhook, event: StoredEvent, subject: Subject
) -> Delivery:
    now = office.now()
    body = body_of(settings.origin, hook, event, subject)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "rating-ledger",
        "Rating-Ledger-Delivery": hook.delivery_id(event.seq),
        "Rating-Ledger-Signature": signature(hook.secret, now, body),
    }
    code, problem = None, ""
    try:
        code = send(hook.url, body, headers, anywhere=settings.webhooks_anywhere)
    except TimeoutError:
        problem = "timeout"
    except LedgerError as error:
        problem = cause_of(error)
    except OSError as error:
        problem = str(system_said(error))
    tried = hook.delivery_id(event.seq)
    return Delivery(tried, event.seq, subject.value, now, code, problem[:_LONGEST_PROBLEM])


def body_of(origin: str, hook: Webhook, event: StoredEvent, subject: Subject) -> bytes:
    """Returns what is delivered: which event, what it is about, and where to ask."""
    payload = json.loads(event.payload)
    about = {
        name: payload[name]
        for name in ("tournament", "list", "period", "edition")
        if payload.get(name) is not None
    }
    match subject:
        case Subject.LISTS:
            page = path_of("lists", payload["list"], f"{payload['period']}@{payload['edition']}")
        case Subject.TOURNAMENTS:
            page = path_of("tournaments", payload["tournament"])
        case Subject.CORRECTIONS:
            page = path_of("corrections", str(event.seq))
    content = {
        "delivery": hook.delivery_id(event.seq), "webhook": hook.id, "subject": subject.value,
        "seq": event.seq, "type": event.type, "effective_on": event.effective_on,
        "leaf_hash": event.leaf_hash, "about": about, "page": f"{origin}{page}",
    }  # fmt: skip
    return json.dumps(content, sort_keys=True).encode()


def signature(secret: str, now: int, body: bytes) -> str:
    """Returns the header by which a receiver knows who sent a body, and when.

    >>> signature("rlw_x", 1, b"{}")[:16]
    't=1,v1=e61b9f7c1'
    """
    digest = hmac.new(secret.encode(), f"{now}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={now},v1={digest}"


# Sending


def send(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    anywhere: bool,
    seconds: float = SECONDS,
) -> int:
    """Posts a body; returns the code of the answer, whatever it is.

    Raises:
        InputRefused: the host is not of the public internet.
        OSError: there is no answer; ``TimeoutError`` where it takes too long.
    """
    return in_time(lambda: _sent(url, body, headers, anywhere=anywhere, seconds=seconds), seconds)


def _sent(
    url: str, body: bytes, headers: Mapping[str, str], *, anywhere: bool, seconds: float
) -> int:
    parts = urlsplit(url)
    host, is_secure = parts.hostname or "", parts.scheme == "https"
    port = parts.port or (443 if is_secure else 80)
    address = address_of(host, port, anywhere=anywhere)
    with closing(HTTPConnection(host, port, timeout=seconds)) as connection:
        # Connected to what was looked at: who answers for the name may say another address next.
        connection.sock = socket.create_connection((address, port), timeout=seconds)
        if is_secure:
            context = ssl.create_default_context()
            connection.sock = context.wrap_socket(connection.sock, server_hostname=host)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path, body, {"Host": parts.netloc, **headers})
        return connection.getresponse().status
