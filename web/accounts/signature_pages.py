"""The page on which something is signed with a passkey before it is recorded."""

from __future__ import annotations

import json
from dataclasses import asdict
from http import HTTPStatus
from typing import Any, Final

from fastapi import Request, Response
from fastapi.responses import JSONResponse
from fido2.utils import websafe_encode

from ledger.answers.recorded_fields import NAMELESS, recorded_fields
from ledger.errors import NotFound
from ledger.events.personal import identity_in
from ledger.journal.assertions import challenge_of
from ledger.trust.passkeys import PasskeyDraft, PasskeySignature
from web.access import SIGNED_IN, Routes, required_account
from web.accounts.identity import rights_now
from web.accounts.passkeys import BadPasskey, are_possible, begin_signing, signed_with
from web.accounts.sign_in import PasskeyShown
from web.asked_view import site_of
from web.kept_forms import KeptForm
from web.office import ceremonies, credentials
from web.office.ceremonies import SIGNATURE
from web.office.credentials import Passkey
from web.office.store import office_of
from web.office.submissions import submission_of_key
from web.rendering import render
from web.signature_requests import public_of

routes = Routes("/sign")
_SHOWN: Final = 10  # events


@routes.get("/{secret}", SIGNED_IN)
def page_to_sign(request: Request, secret: str) -> Response:
    """Shows what is to be signed, with the button that asks for it."""
    kept = _kept(request, secret)
    draft = PasskeyDraft.of_data(kept["draft"])
    return render(
        request, "sign.html", draft=draft, form=KeptForm.of_data(kept["form"]), again=kept["again"],
        shown=_shown(draft), names=NAMELESS, submission=submission_of_key(draft.idempotency_key),
        secret=secret,
        passkeys=are_possible(site_of(request).settings),
    )  # fmt: skip


@routes.post("/{secret}/begin", SIGNED_IN)
def begin(request: Request, secret: str) -> Response:
    """Tells a browser what to sign, and with which passkeys."""
    draft = PasskeyDraft.of_data(_kept(request, secret)["draft"])
    bound = list(_bound(request).values())
    challenge = challenge_of(draft.text)
    challenge_ = begin_signing(site_of(request).settings, bound, challenge)
    return JSONResponse({"ceremony": secret, **challenge_})


@routes.post("/{secret}", SIGNED_IN)
def sign(request: Request, secret: str, shown: PasskeyShown) -> Response:
    """Takes what a passkey has signed; the form is sent again then."""
    office, account = office_of(request), required_account(request).name
    kept = _kept(request, secret)
    text = PasskeyDraft.of_data(kept["draft"]).text
    settings, bound = site_of(request).settings, _bound(request)
    challenge = websafe_encode(challenge_of(text))
    try:
        used, assertion = signed_with(office, settings, [*bound.values()], challenge, shown.answer)
    except BadPasskey:
        return JSONResponse({"problem": "access.wrong"}, HTTPStatus.UNPROCESSABLE_ENTITY)
    key = next(key for key, each in bound.items() if each.credential == used.credential)
    signature = PasskeySignature(account, key, str(assertion))
    with office.writing() as connection:
        ceremonies.put(connection, secret, {**kept, "signature": asdict(signature)})
    return JSONResponse({"next": None})


def _shown(draft: PasskeyDraft) -> list[dict[str, Any]]:
    """Returns the first events of a draft as they are shown, with the names of those they are of.

    An event holds only the digest of a name: that stands in the document beside it.
    """
    documents = {each.digest: each.document for each in draft.personal}
    shown = []
    for type_, _, effective_on, stream, payload in draft.events[:_SHOWN]:
        payload_ = json.loads(payload)
        document = documents.get(payload_.get("identity"))
        person = identity_in(document).model_dump(exclude_none=True) if document else {}
        row = {"type": type_, "effective_on": effective_on, "stream": stream}
        fields = {"person": recorded_fields(person), "said": recorded_fields(payload_)}
        shown.append(row | fields)
    return shown


def _kept(request: Request, secret: str) -> dict[str, Any]:
    """Returns what is to be signed; raises ``NotFound`` where nothing is, or somebody else's."""
    office, account = office_of(request), required_account(request)
    with office.reading() as connection:
        kept = ceremonies.look(connection, SIGNATURE, secret, office.now())
    if kept is None or kept["form"]["account"] != account.name:
        raise NotFound("access.nothing_to_sign")
    return kept


def _bound(request: Request) -> dict[str, Passkey]:
    """Returns the passkeys that sign for the account, by public key."""
    account = required_account(request).name
    in_force = rights_now(request, account).keys_in_force
    with office_of(request).reading() as connection:
        own = credentials.passkeys_of(connection, account)
    keys = ((public_of(each), each) for each in own)
    return {key: each for key, each in keys if key is not None and key in in_force}
