"""A person is erased: what that destroys and what is beyond reach, and the button of an officer.

Where it takes two people the button hands the erasure in, for another officer to accept.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Final

from fastapi import Form, Request, Response

from ledger.errors import LedgerError
from ledger.operations.commands import ErasePlayer
from ledger.service.erasures import Erasure, erase_player
from ledger.service.ledger import Ledger
from ledger.service.ledger import Request as Asking
from ledger.terms import Role
from ledger.wording import Message
from web.access import Routes, only
from web.asked_view import site_of
from web.destinations import to_page
from web.fields import Filled, Reason
from web.forms import NOTHING, TypedForm, digest_shown
from web.language import error_for_site
from web.office.store import office_of
from web.office.submissions import SubmissionState
from web.problems import status_of
from web.rendering import render
from web.signature_requests import asking_of
from web.submissions.forms import erasure_of, key_of, new_id
from web.submissions.life import StepName
from web.submissions.mentions import mask_before, named_in, submissions_naming, untie_erased
from web.submissions.permissions import desk_of, party_of
from web.submissions.previews import SubmissionMoved

routes = Routes()
_OFFICERS: Final = only(Role.OFFICER)
_LONGEST_ID: Final = 130
_LOOK: Final = "-"  # stands for the reason that is not given yet


@routes.get("/erase/{player:path}", _OFFICERS)
def to_be_erased(request: Request, player: str) -> Response:
    """Shows what would be destroyed, with the form that does it; nothing is recorded."""
    return _page(request, player, None)


@routes.post("/erase/{player:path}", _OFFICERS)
def erase(
    request: Request,
    typed: Filled,
    player: str,
    key: Annotated[str, Form(min_length=1, max_length=100)],
    reason: Reason = "",
    confirmed: Annotated[str, Form(max_length=_LONGEST_ID)] = "",
) -> Response:
    """Erases a person whose id was written out, and says what is beyond reach."""
    if confirmed.strip() != player:
        return _page(request, player, None, typed, is_unsure=True)
    try:
        if _takes_two(request, player):
            return _handed_in(request, player, {"key": key, "reason": reason.strip()})
        office, site = office_of(request), site_of(request)
        submissions = submissions_naming(office, site, player)
        mask_before(office, site, player, _asking(request, player, reason, key))
        erasure = _erased(request, player, reason=reason, key=key)
        untie_erased(office, site, player)
    except LedgerError as error:
        return _page(request, player, error, typed)
    beyond = [*erasure.beyond_reach(), *submissions]
    return render(
        request, "erased.html", player=player, made=erasure, beyond=beyond, named=named_in(beyond)
    )


def _page(
    request: Request,
    player: str,
    error: LedgerError | None,
    typed: TypedForm = NOTHING,
    *,
    is_unsure: bool = False,
) -> Response:
    previewed: Erasure | None = None
    beyond: list[Message] = []
    destroyed: list[object] = []
    try:
        previewed = _erased(request, player, reason=_LOOK)
        submissions = submissions_naming(office_of(request), site_of(request), player)
        beyond = [*previewed.beyond_reach(), *submissions]
        destroyed = [*previewed.players, previewed.documents]
    except LedgerError as refused:
        error = error or refused
    error = None if error is None else error_for_site(error)
    status = 422 if is_unsure else 200
    return render(
        request, "erase.html", status if error is None else status_of(error), typed, player=player,
        made=previewed, beyond=beyond, named=named_in(beyond),
        takes_two=_takes_two(request, player, previewed), error=error,
        is_unsure=is_unsure, key=new_id(), shown=digest_shown(*destroyed, *beyond),
    )  # fmt: skip


def _takes_two(request: Request, player: str, looked: Erasure | None = None) -> bool:
    """Whether it needs a second officer: to erase again what was erased before does not."""
    if not desk_of(request).needs_two():
        return False
    return bool((looked or _erased(request, player, reason=_LOOK)).receipt.events)


def _handed_in(request: Request, player: str, words: Mapping[str, str]) -> Response:
    """Hands an erasure in; sent twice it is one."""
    party = party_of(request)
    content = erasure_of(words, player)
    submission = party.desk.draft(key_of(words), party.account.name, content, None)
    if submission.state is SubmissionState.DRAFT:
        with suppress(SubmissionMoved):  # by the same form
            party.desk.take(StepName.HAND_IN, submission, submission.turn, party.account.name)
    return to_page("submissions", submission.id)


def _asking(request: Request, player: str, reason: str, key: str) -> Asking:
    return asking_of(request, "erase", f"erase {player}", reason, key)


def _erased(request: Request, player: str, *, reason: str, key: str = "") -> Erasure:
    """Erases, or, without a key, says what that would come to."""
    asking = replace(_asking(request, player, reason, key), dry_run=not key)

    def carried_out(ledger: Ledger) -> Erasure:
        return erase_player(ledger, ErasePlayer(player=player, on=ledger.today), asking)

    site = site_of(request)
    if asking.dry_run:
        return site.preview(carried_out)
    erasure = site.record(carried_out)
    site.look_again()  # the name goes from all that the site keeps with the next question
    return erasure
