"""Asks witnesses to cosign a checkpoint, and keeps nothing: the page itself is what is kept.

A witness says that a checkpoint is the newest that it saw, and that the log only grew. What was
cosigned is worth something outside of the database alone, so it stays on the page that is given
away; see docs/witnesses.md. Source: https://c2sp.org/tlog-witness.

Sends one request to a witness, and reads an answer that may be anything.

It is in no hurry to believe: no redirect is followed, an answer has a few kilobytes, and all of it
has to be there in time, however slowly it comes.
"""

from __future__ import annotations

import queue
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from http.client import HTTPException
from typing import IO, Annotated, Any, Final, TypeAlias, TypeVar
from urllib.parse import urlsplit

from ledger.disk import system_said
from ledger.errors import InputRefused, LedgerError, VerificationFailed
from ledger.journal.checkpoint import Checkpoint, Signature, signature_lines
from ledger.json_form import HIDDEN, After, JsonForm, derived
from ledger.proofs.cosignatures import Witness
from ledger.proofs.lines import number
from ledger.proofs.policy import Policy
from ledger.trust.proofs import instant_of, prove_consistency, require_own
from ledger.views.view import LedgerView
from ledger.wording import Message

Answer = TypeVar("Answer")
SECONDS: Final = 15.0
MOST_BYTES: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class WitnessReply:
    """A status of HTTP, and the text; what is no UTF-8 is replaced, and longer ones are cut."""

    status: int
    text: str


Post: TypeAlias = Callable[[str, bytes], WitnessReply]
"""Sends bytes to an address; raises ``OSError``, ``TimeoutError`` where it takes too long."""


def check_address(url: str) -> None:
    """Raises ``InputRefused`` for what is no plain address of a witness: http or https, a host."""
    try:
        parts = urlsplit(url)
        is_plain = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_plain = False
    if not is_plain or "@" in url or "?" in url or "#" in url or not url.isprintable():
        raise InputRefused("witness.bad_address", url=url)


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows nobody elsewhere: a redirect is an answer as any other."""

    def redirect_request(self, *_: Any) -> None:
        return None


def post(url: str, data: bytes, seconds: float = SECONDS) -> WitnessReply:
    """Sends a request as ``Post`` says; after so many seconds nobody waits for it any more."""
    return in_time(lambda: _sent(url, data, seconds), seconds)


def in_time(ask: Callable[[], Answer], seconds: float) -> Answer:
    """Returns what somebody elsewhere answers; after so many seconds nobody waits for it any more.

    Raises:
        OSError: there is no answer, or none of HTTP; ``TimeoutError`` where it takes too long.
        LedgerError: as it is raised.
    """
    answers = queue.SimpleQueue[tuple[Answer] | Exception]()

    def send() -> None:
        try:
            answers.put((ask(),))
        except (OSError, HTTPException, ValueError, LedgerError) as error:
            answers.put(error)

    # One byte now and then would be in time each time: so another thread waits.
    threading.Thread(target=send, daemon=True).start()
    try:
        found = answers.get(timeout=seconds)
    except queue.Empty as error:
        raise TimeoutError from error
    if isinstance(found, OSError | LedgerError):
        raise found
    if isinstance(found, Exception):
        raise OSError(str(found)) from found
    return found[0]


def _sent(url: str, data: bytes, seconds: float) -> WitnessReply:
    request = urllib.request.Request(  # noqa: S310 - see check_address
        url, data, {"Content-Type": "text/plain; charset=utf-8"}, method="POST"
    )
    opener = urllib.request.build_opener(_Stay)
    try:
        with opener.open(request, timeout=seconds) as answer:
            return _read(answer.status, answer)
    except urllib.error.HTTPError as refused:
        with refused:
            return _read(refused.code, refused)
    except urllib.error.URLError as error:
        if isinstance(error.reason, OSError):
            raise error.reason from error
        raise OSError(error.reason) from error


def _read(status: int, answer: IO[bytes]) -> WitnessReply:
    return WitnessReply(status, answer.read(MOST_BYTES).decode(errors="replace"))


_APART_SECONDS: Final = 3_600
"""A witness's clock may be wrong by so much; an older cosignature was made for something else."""

_TRIES: Final = 3
_SHOWN: Final = 80
_REFUSALS: Final[Mapping[int, str]] = {
    403: "witness.unknown_key",
    404: "witness.unknown_log",
    422: "witness.inconsistent",
}


@dataclass(frozen=True, slots=True)
class WitnessAnswer(JsonForm):
    """What came of asking a witness: when it cosigned (seconds since 1970), or why it did not."""

    witness: str
    url: str
    time: Annotated[int | None, HIDDEN] = None
    trouble: Message | None = None

    @property
    @derived
    def cosigned_at(self) -> Annotated[str | None, After("url")]:
        """When it cosigned (UTC)."""
        return None if self.time is None else instant_of(self.time)


def ask_witnesses(
    view: LedgerView, page: Checkpoint, policy: Policy, now: int, send: Post = post
) -> tuple[Checkpoint, tuple[WitnessAnswer, ...]]:
    """Asks every witness of a policy that has an address, one after the other.

    Args:
        view: whose checkpoint it is; the proofs of consistency are made of it.
        page: the signed checkpoint.
        policy: names the witnesses.
        now: the time, in seconds since 1970 (UTC).
        send: how a request is sent.

    Returns:
        The page with the cosignatures that were given and are right, and what each one answered.

    Raises:
        InputRefused: the page is not signed, no witness has an address, or one has a wrong one.
        VerificationFailed: the page is of another history.
    """
    if not page.signatures:
        raise InputRefused("witness.unsigned")
    if not policy.addresses:
        raise InputRefused("witness.none")
    for url in policy.addresses.values():
        check_address(url)
    require_own(view, page)
    cosigned, answers = page, list[WitnessAnswer]()
    for name, url in policy.addresses.items():
        witness = policy.witnesses[name]
        try:
            line = _asked(view, page, witness, url, now, send)
        except LedgerError as failure:
            answers.append(WitnessAnswer(name, url, trouble=failure.message))
        else:
            answers.append(WitnessAnswer(name, url, witness.time_of(line, page)))
            cosigned = _with(cosigned, line)
    return cosigned, tuple(answers)


def _asked(
    view: LedgerView, page: Checkpoint, witness: Witness, url: str, now: int, send: Post
) -> Signature:
    """Returns the cosignature of a witness; raises ``LedgerError`` where there is none."""
    known = page.size if any(_is_of(line, witness) for line in page.signatures) else 0
    for _ in range(_TRIES):
        body = prove_consistency(view, known, page).text().encode()
        try:
            reply = send(f"{url.rstrip('/')}/add-checkpoint", body)
        except TimeoutError as error:
            raise VerificationFailed("witness.slow") from error
        except OSError as error:
            why = system_said(error)
            why = why if isinstance(why, Message) else _shown(why)
            raise VerificationFailed("witness.unreachable", why=why) from error
        if reply.status == HTTPStatus.OK:
            return _cosignature(reply.text, page, witness, now)
        if reply.status != HTTPStatus.CONFLICT:
            key = _REFUSALS.get(reply.status, "witness.answer")
            raise VerificationFailed(key, status=reply.status, text=_shown(reply.text))
        size = _size(reply.text)
        if size > page.size:
            raise VerificationFailed("witness.saw_more", size=size, page=page.size)
        if size == known:
            # Only where that is the size of the page may it refuse: of another root.
            is_fork = size == page.size
            raise VerificationFailed("witness.fork" if is_fork else "witness.twice", size=size)
        known = size
    raise VerificationFailed("witness.undecided")


def _shown(text: str) -> str:
    """Returns the beginning of what somebody else wrote, with nothing that moves a terminal."""
    return "".join(sign if sign.isprintable() else " " for sign in text[:_SHOWN]).strip()


def _size(text: str) -> int:
    """Reads how many events the witness has seen."""
    try:
        return number(text.removesuffix("\n"), 1)
    except VerificationFailed as error:
        raise VerificationFailed("witness.answer", status=409, text=_shown(text)) from error


def _cosignature(text: str, page: Checkpoint, witness: Witness, now: int) -> Signature:
    """Returns the line of a witness in its answer, after it was checked."""
    lines = [line for line in signature_lines(text) if _is_of(line, witness)]
    if len(lines) != 1:
        raise VerificationFailed("witness.other_key", name=witness.name, count=len(lines))
    time = witness.time_of(lines[0], page)
    if time is None:
        raise VerificationFailed("witness.wrong_signature", name=witness.name)
    if abs(now - time) > _APART_SECONDS:
        raise VerificationFailed("witness.other_time", at=instant_of(time))
    return lines[0]


def _is_of(line: Signature, witness: Witness) -> bool:
    return (line.name, line.key_id) == (witness.name, witness.key_id)


def _with(page: Checkpoint, line: Signature) -> Checkpoint:
    """Returns the page with a line in the place of the one of the same key."""
    name, key_id = line.name, line.key_id
    others = [each for each in page.signatures if (each.name, each.key_id) != (name, key_id)]
    return replace(page, signatures=(*others, line))
