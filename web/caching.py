"""Which answers may be kept, and for how long: none, unless a route says so in the words here.

Pages are asked for again each time, and answered with 304 where they would be the same: the newest
state where nothing was recorded since, and what was known at a seq, on the same day; a file or API
answer of a named edition as long as nobody was erased since. Nobody may keep a page without asking:
it would show a name for as long. Styles and scripts never change. What is shown to somebody who
signed in is kept nowhere; only the desk keeps boards, for the time without a network
(``static/desk_script.js``).
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import version
from importlib.resources import files

from fastapi import Request
from starlette.datastructures import MutableHeaders

from web.access import is_signed_in
from web.language import language_of

_FOREVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "public, no-cache"
_NEVER = "no-store"
VARY = "Accept-Language, Cookie"


class NotModified(Exception):
    """The browser has the answer already."""


def tag_of(request: Request, content: str) -> str:
    """Returns the entity tag of an answer; ``content`` is a state of the ledger or a digest.

    A state is a seq with the root there, which another ledger or one that was restored has not. The
    tag is another one in another language and in another version of this software, and when another
    person was erased. What is asked of a ledger and not settled has another one on each day: ages,
    titles, and what is due are those of today.
    """
    view = getattr(request.state, "view", None)
    gone, day = (0, "") if view is None else (view.gone, view.now.date())
    if getattr(request.state, "settled", None) is not None:
        day = ""
    settled = f"{content} {gone} {day} {language_of(request)} {software()}"
    address = f"{request.scope['path']}?{request.scope['query_string'].decode('latin-1')}"
    content_ = f"{settled} {address}".encode(errors="surrogatepass")
    return f'"{hashlib.sha256(content_).hexdigest()[:32]}"'


def is_known(request: Request, content: str) -> bool:
    """Whether the browser says that it has the answer, and may keep it; ``content`` as above."""
    tags = request.headers.get("if-none-match")
    if tags is None or request.method not in {"GET", "HEAD"} or is_signed_in(request):
        return False
    known = [each.strip().removeprefix("W/") for each in tags.split(",")]
    return tag_of(request, content) in known


def never_changes(request: Request, content: str) -> None:
    """Says that the answer to a request is settled by a digest, and names nobody.

    Raises:
        NotModified: the browser has it already.
    """
    request.state.is_immutable = True
    settled_by(request, content)


def settled_by(request: Request, content: str) -> None:
    """Says that the answer to a request is settled by a digest, whatever is recorded later.

    Only the name of somebody who is erased goes from it.

    Raises:
        NotModified: the browser has it already.
    """
    request.state.settled = content
    if is_known(request, content):
        raise NotModified


def asks_again(request: Request, content: str) -> None:
    """Says that the answer to a request is the same until a digest is another one.

    Raises:
        NotModified: the browser has it already.
    """
    request.state.same_until = content
    if is_known(request, content):
        raise NotModified


def not_yet_whole(request: Request) -> None:
    """Says that something is missing in the answer that will soon be there: nobody may keep it."""
    request.state.is_partial = True


def tells_the_hour(request: Request) -> None:
    """Says that an answer tells when it was made: nobody may keep it."""
    request.state.is_partial = True


def say_how_long(request: Request, status: int, headers: MutableHeaders) -> None:
    """Puts into the headers of an answer whether and how long it may be kept."""
    headers["Vary"] = VARY
    kept, content = _kept(request)
    if status not in {200, 304} or is_signed_in(request):
        kept = _NEVER
    headers["Cache-Control"] = kept
    if kept != _NEVER:
        headers["ETag"] = tag_of(request, content)


def _kept(request: Request) -> tuple[str, str]:
    """Returns how long an answer may be kept, and what it depends on."""
    if getattr(request.state, "is_partial", False):
        return _NEVER, ""
    settled = getattr(request.state, "settled", None)
    if settled is not None:
        is_immutable = getattr(request.state, "is_immutable", False)
        return _FOREVER if is_immutable else _ASK_AGAIN, settled
    same_until = getattr(request.state, "same_until", None)
    if same_until is not None:
        return _ASK_AGAIN, same_until
    view = getattr(request.state, "view", None)
    if view is None:
        return _NEVER, ""
    return _ASK_AGAIN, view.state


@cache
def software() -> str:
    """Returns what the looks of an answer depend on: the version, templates and style."""
    digest = hashlib.sha256(version("rating-ledger").encode())
    for folder in ("templates", "static"):
        for file in sorted(files("web").joinpath(folder).iterdir(), key=lambda each: each.name):
            if file.is_file():
                digest.update(file.read_bytes())
    return digest.hexdigest()
