"""Webhooks: addresses that are told what was recorded, how far each is, and what it answered.

Where a hook is in the journal is a seq: everything up to it was delivered, or is of no kind that
the hook wants. It moves in the same transaction that notes the delivery. Who is killed between the
two delivers once more, under the same id.

The secret by which deliveries are signed is kept as it is: it is needed, as that of time-based
codes. Instants are seconds since 1970.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

from sqlalchemy import Connection, delete, func, insert, select, update

from ledger.errors import Conflict, InputRefused, NotFound
from ledger.identifiers import Seq
from ledger.json_form import INSTANT, JsonForm
from web.language import iso_moment
from web.office.schema import DELIVERIES, WEBHOOKS
from web.office.store import new_secret

PREFIX: Final = "rlw_"
"""What every secret begins with, so that those who look for lost secrets know one."""
JOB: Final = "webhooks"
"""The kind of the job that delivers."""
MOST: Final = 50
"""Hooks of a site."""
_LONGEST: Final = 500
_FIRST_PAUSE: Final = 60  # seconds after the first failure; then twice as long each time
_LONGEST_PAUSE: Final = 6 * 3600
PATIENCE: Final = 5 * 86_400
"""Seconds of failures in a row after which a hook is disabled."""
_KEPT: Final = 200  # deliveries of a hook


class Subject(StrEnum):
    """What a hook can be told of."""

    CORRECTIONS = "corrections"
    LISTS = "lists"
    TOURNAMENTS = "tournaments"


@dataclass(frozen=True, slots=True)
class Webhook:
    """A hook: it is told of ``subjects`` from ``seq`` on.

    ``tries`` failed in a row since ``failing_since``; the next one is at ``next_at``. One that is
    disabled waits for an administrator.
    """

    id: str
    url: str
    subjects: frozenset[Subject]
    secret: str
    seq: Seq
    created_at: int
    created_by: str
    tries: int
    next_at: int
    failing_since: int | None
    disabled_at: int | None

    def delivery_id(self, seq: int) -> str:
        """Returns the id under which an event is delivered, however often that takes."""
        return hashlib.sha256(f"{self.id} {seq}".encode()).hexdigest()[:32]

    def report(self) -> WebhookReport:
        """Returns it as programs see it: without its secret."""
        return WebhookReport(
            webhook=self.id,
            url=self.url,
            subjects=tuple(sorted(each.value for each in self.subjects)),
            seq=self.seq,
            created_at=iso_moment(self.created_at),
            created_by=self.created_by,
            failures=self.tries,
            disabled_at=None if self.disabled_at is None else iso_moment(self.disabled_at),
        )


@dataclass(frozen=True, slots=True)
class WebhookReport(JsonForm):
    """A webhook; ``failures`` deliveries in a row were not taken; None: it is not disabled."""

    webhook: str
    url: str
    subjects: tuple[str, ...]
    seq: Seq
    created_at: Annotated[str, INSTANT]
    created_by: str
    failures: int
    disabled_at: Annotated[str | None, INSTANT]


@dataclass(frozen=True, slots=True)
class Webhooks(JsonForm):
    """The webhooks of a site, the oldest first."""

    webhooks: Sequence[WebhookReport]


@dataclass(frozen=True, slots=True)
class Delivery(JsonForm):
    """A try to deliver an event: the code of the answer, or what went wrong where none came."""

    delivery: str
    seq: Seq
    subject: str
    tried_at: int
    code: int | None
    problem: str

    @property
    def is_taken(self) -> bool:
        """Whether it was delivered."""
        return self.code is not None and 200 <= self.code < 300  # noqa: PLR2004 - of HTTP


def check_url(url: str, *, anywhere: bool) -> None:
    """Refuses an address that no delivery would go to: https and a host, nothing secret in it.

    ``anywhere`` allows http; where a host's addresses are is looked at before, and with each
    delivery (``host_addresses``).
    """
    try:
        parts = urlsplit(url)
        is_plain = bool(parts.hostname) and parts.port != 0 and "@" not in parts.netloc
    except ValueError:
        is_plain = False
        parts = urlsplit("")
    schemes = {"https", "http"} if anywhere else {"https"}
    is_written = url.isascii() and url.isprintable() and " " not in url and len(url) <= _LONGEST
    if not is_plain or not is_written or parts.scheme not in schemes or parts.fragment:
        raise InputRefused("webhook.bad_url", url=url)


def subjects_of(words: Iterable[str]) -> frozenset[Subject]:
    """Reads what a hook is told of; nothing is everything. Raises ``InputRefused``."""
    found = set()
    for word in words:
        if word not in {*Subject}:
            raise InputRefused("webhook.no_subject", value=word, allowed=", ".join(Subject))
        found.add(Subject(word))
    return frozenset(found or Subject)


def announce(
    connection: Connection,
    url: str,
    subjects: frozenset[Subject],
    *,
    seq: Seq,
    now: int,
    account: str,
    anywhere: bool,
) -> Webhook:
    """Announces an address, which is told of everything after a seq; its secret is shown once.

    Raises:
        InputRefused: it is no address for a hook.
        Conflict: it is announced already, or there are too many.
    """
    check_url(url, anywhere=anywhere)
    everything = webhooks(connection)
    if any(each.url == url for each in everything):
        raise Conflict("webhook.announced_already", url=url)
    if len(everything) >= MOST:
        raise Conflict("webhook.too_many", most=MOST)
    row = {
        "webhook": secrets.token_hex(8), "url": url, "subjects": " ".join(sorted(subjects)),
        "secret": new_secret(PREFIX), "seq": seq, "created_at": now, "created_by": account,
        "tries": 0, "next_at": 0,
    }  # fmt: skip
    connection.execute(insert(WEBHOOKS).values(row))
    return webhook(connection, str(row["webhook"]))


def webhooks(connection: Connection) -> Sequence[Webhook]:
    """Returns all hooks, the oldest first."""
    ordered = select(WEBHOOKS).order_by(WEBHOOKS.c.created_at, WEBHOOKS.c.webhook)
    return [_webhook(row) for row in connection.execute(ordered).mappings()]


def webhook(connection: Connection, id_: str) -> Webhook:
    """Returns a hook; raises ``NotFound``."""
    wanted = select(WEBHOOKS).where(WEBHOOKS.c.webhook == id_)
    row = connection.execute(wanted).mappings().first()
    if row is None:
        is_first = connection.scalar(select(func.count()).select_from(WEBHOOKS)) == 0
        raise NotFound("webhook.none_yet" if is_first else "webhook.not_found", webhook=id_)
    return _webhook(row)


def withdraw(connection: Connection, id_: str) -> None:
    """Takes a hook away with its deliveries; raises ``NotFound``."""
    webhook(connection, id_)
    connection.execute(delete(DELIVERIES).where(DELIVERIES.c.webhook == id_))
    connection.execute(delete(WEBHOOKS).where(WEBHOOKS.c.webhook == id_))


def resume(connection: Connection, id_: str) -> None:
    """Tries a hook again at once, a disabled one too, from where it is; raises ``NotFound``."""
    webhook(connection, id_)
    values = {"tries": 0, "next_at": 0, "failing_since": None, "disabled_at": None}
    connection.execute(update(WEBHOOKS).where(WEBHOOKS.c.webhook == id_).values(values))


def deliveries(connection: Connection, id_: str, most: int = 20) -> Sequence[Delivery]:
    """Returns the last tries of a hook, the newest first."""
    wanted = (
        select(DELIVERIES)
        .where(DELIVERIES.c.webhook == id_)
        .order_by(DELIVERIES.c.number.desc())
        .limit(most)
    )
    return [
        Delivery(
            each["delivery"], Seq(each["seq"]), each["subject"], each["tried_at"], each["code"],
            each["problem"],
        )
        for each in connection.execute(wanted).mappings()
    ]  # fmt: skip


def pass_over(connection: Connection, hook: Webhook, seq: int) -> None:
    """Says that nothing up to a seq is to be delivered to a hook any more."""
    wanted = update(WEBHOOKS).where(WEBHOOKS.c.webhook == hook.id, WEBHOOKS.c.seq < seq)
    connection.execute(wanted.values(seq=seq))


def note(connection: Connection, hook: Webhook, tried: Delivery) -> bool:
    """Notes a try, and with it how far the hook is; returns whether the hook goes on.

    One that was withdrawn meanwhile does not.
    """
    here = WEBHOOKS.c.webhook == hook.id
    row = connection.execute(select(WEBHOOKS).where(here)).mappings().first()
    if row is None:
        return False
    last = connection.scalar(select(func.max(DELIVERIES.c.number))) or 0
    connection.execute(
        insert(DELIVERIES).values(
            number=last + 1, webhook=hook.id, delivery=tried.delivery, seq=tried.seq,
            subject=tried.subject, tried_at=tried.tried_at, code=tried.code, problem=tried.problem,
        )
    )  # fmt: skip
    _forget_old(connection, hook)
    connection.execute(update(WEBHOOKS).where(here).values(_after(_webhook(row), tried)))
    return tried.is_taken


def _after(hook: Webhook, tried: Delivery) -> Mapping[str, object]:
    """Returns what a try makes of a hook."""
    if tried.is_taken:
        return {"seq": tried.seq, "tries": 0, "next_at": 0, "failing_since": None}
    since = tried.tried_at if hook.failing_since is None else hook.failing_since
    pause = min(_FIRST_PAUSE * 2 ** min(hook.tries, 20), _LONGEST_PAUSE)
    is_over = tried.tried_at - since >= PATIENCE
    return {
        "tries": hook.tries + 1,
        "next_at": tried.tried_at + pause,
        "failing_since": since,
        "disabled_at": tried.tried_at if is_over else None,
    }


def _forget_old(connection: Connection, hook: Webhook) -> None:
    newest = (
        select(DELIVERIES.c.number)
        .where(DELIVERIES.c.webhook == hook.id)
        .order_by(DELIVERIES.c.number.desc())
        .offset(_KEPT)
        .limit(1)
    )
    last = connection.scalar(newest)
    if last is not None:
        old = DELIVERIES.c.webhook == hook.id, DELIVERIES.c.number <= last
        connection.execute(delete(DELIVERIES).where(*old))


def _webhook(row: Mapping[Any, Any]) -> Webhook:
    return Webhook(
        id=row["webhook"],
        url=row["url"],
        subjects=frozenset(map(Subject, row["subjects"].split())),
        secret=row["secret"],
        seq=Seq(row["seq"]),
        created_at=row["created_at"],
        created_by=row["created_by"],
        tries=row["tries"],
        next_at=row["next_at"],
        failing_since=row["failing_since"],
        disabled_at=row["disabled_at"],
    )
