"""The page from which a form is sent again that had to wait for a sign-in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fastapi import Request, Response

from ledger.errors import NotFound
from ledger.wording import Message
from web.access import SIGNED_IN, Routes, required_account
from web.kept_forms import AGAIN, form_again
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
    form = form_again(request, required_account(request).name, secret)
    if form is None:
        raise NotFound("access.nothing_to_send")
    said = [(name, value) for name, value in form.fields if value]
    return render(
        request, "again.html", form=form,
        typed=[(_LABELS[name], value) for name, value in said if name in _LABELS],
        others=[(name, value) for name, value in said if name not in _LABELS],
    )  # fmt: skip
