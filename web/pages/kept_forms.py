"""The page from which a form is sent again that had to wait for a sign-in."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any, Final
from urllib.parse import unquote

from fastapi import Depends, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse

from ledger.errors import NotFound
from web.access import SIGNED_IN, Routes, required_account
from web.destinations import own_address, to_page
from web.kept_forms import AGAIN, FormAgain, form_again, note_sent
from web.language import language_of
from web.pages.form_copies import copied_form
from web.rendering import render

routes = Routes(AGAIN)
_NOT_ASKED: Final = frozenset({b"accept-encoding", b"if-modified-since", b"if-none-match"})


@routes.get("", SIGNED_IN)
def not_kept(request: Request, page: str = "/") -> Response:
    """Says that a form was not done that could not be kept."""
    return render(request, "kept_form_lost.html", page=own_address(page))


async def _page_of_form(request: Request, secret: str) -> str:
    """Returns the page on which a form stands, as it is now; nothing where it is not there."""
    found = await run_in_threadpool(form_again, request, secret)
    if found is None or not _is_own(request, found):
        return ""
    path, _, query = found.form.page.partition("?")
    scope = {
        **request.scope, "path": unquote(path), "raw_path": path.encode(), "method": "GET",
        "query_string": query.encode(), "state": {"language": language_of(request)},
        "headers": [each for each in request.scope["headers"] if each[0] not in _NOT_ASKED],
    }  # fmt: skip
    parts: list[bytes] = []
    is_there = False

    async def take(message: Any) -> None:
        nonlocal is_there
        if message["type"] == "http.response.start":
            is_there = message["status"] == HTTPStatus.OK
        parts.append(message.get("body", b""))

    await request.app(scope, request.receive, take)
    return b"".join(parts).decode(errors="replace") if is_there else ""


@routes.get("/{secret}", SIGNED_IN)
def page_to_send_again(
    request: Request, secret: str, page: Annotated[str, Depends(_page_of_form)]
) -> Response:
    """Shows the form as it was filled in, to be changed and sent."""
    found = form_again(request, secret)
    if found is None:
        raise NotFound("access.nothing_to_send")
    if not _is_own(request, found):
        return _of_another(request, secret)
    form = found.form
    # A file is sent to where it belongs: no browser should carry it to two addresses.
    return render(
        request, "kept_form.html", form=form, is_sent=found.is_sent,
        action=form.address() if found.is_sent or form.files else f"{AGAIN}/{secret}",
        copy=copied_form(page, form.address(), form.fields),
    )  # fmt: skip


@routes.post("/{secret}", SIGNED_IN)
def send_again(request: Request, secret: str) -> Response:
    """Lets the browser send the form to where it was sent at first; the second time it is asked.

    A press of the button twice, or on a page that the browser kept, does nothing twice by itself.
    """
    found = form_again(request, secret)
    if found is None:
        raise NotFound("access.nothing_to_send")
    if not _is_own(request, found):
        return _of_another(request, secret)
    if found.is_sent:
        return to_page(AGAIN.strip("/"), secret)
    note_sent(request, secret)
    return RedirectResponse(found.form.address(), HTTPStatus.TEMPORARY_REDIRECT)


def _is_own(request: Request, found: FormAgain) -> bool:
    return found.form.account == required_account(request).name


def _of_another(request: Request, secret: str) -> Response:
    """Answers whose browser keeps a form of another account; what it says is not shown."""
    return render(request, "kept_form_other.html", HTTPStatus.FORBIDDEN, here=f"{AGAIN}/{secret}")
