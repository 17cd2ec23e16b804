"""The page from which a form is sent again that had to wait for a sign-in."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from ledger.errors import NotFound
from ledger.wording import Message
from web.access import SIGNED_IN, Routes, required_account
from web.destinations import to_page
from web.kept_forms import AGAIN, form_again, send_form
from web.rendering import render
from web.submissions.names import LABELS

routes = Routes(AGAIN)
_LABELS: Final[Mapping[str, Message]] = {
    **LABELS,
    "account": Message.of("access.account"),
    "comment": Message.of("submission.comment"),
    "role": Message.of("access.role"),
    "subject": Message.of("access.subject"),
}
"""What people call what they typed; the other fields are shown by their names."""


@routes.get("/{secret}", SIGNED_IN)
def page_to_send_again(request: Request, secret: str) -> Response:
    """Shows what was typed, with the button that sends it."""
    found = form_again(request, required_account(request).name, secret)
    if found is None:
        raise NotFound("access.nothing_to_send")
    form = found.form
    # A file is sent to where it belongs: no browser should carry it to two addresses.
    said = [(name, value) for name, value in form.fields if value]
    return render(
        request, "again.html", form=form, is_sent=found.is_sent,
        action=form.address() if found.is_sent or form.files else f"{AGAIN}/{secret}",
        typed=[(_LABELS[name], value) for name, value in said if name in _LABELS],
        others=[(name, value) for name, value in said if name not in _LABELS],
    )  # fmt: skip


@routes.post("/{secret}", SIGNED_IN)
def send_again(request: Request, secret: str) -> Response:
    """Lets the browser send the form to where it was sent at first; the second time it is asked.

    A press of the button twice, or on a page that the browser kept, does nothing twice by itself.
    """
    found = send_form(request, required_account(request).name, secret)
    if found is None:
        raise NotFound("access.nothing_to_send")
    if found.is_sent:
        return to_page(AGAIN.strip("/"), secret)
    return RedirectResponse(found.form.address(), HTTPStatus.TEMPORARY_REDIRECT)
