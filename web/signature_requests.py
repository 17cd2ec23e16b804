"""What is signed with a passkey: a form is kept, signed on a page, and sent again.

A form of somebody whose account signs ends with ``SignatureAwaited``. What it asked for is kept
for some minutes under a secret, with what is to be signed; the browser goes to the page of the
secret, signs there, and sends the same form again, with the secret in its address.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fido2.webauthn import AttestedCredentialData

from ledger.errors import Conflict, LedgerError
from ledger.journal.assertions import coded_passkey
from ledger.service.ledger import Request as Asking
from ledger.trust.passkeys import PasskeyDraft, PasskeyOwner, PasskeySignature, SignatureAwaited
from web.access import account_of, required_account, required_rights
from web.destinations import send_to
from web.kept_forms import SIGNED, KeptForm, sent_form
from web.language import error_for_site
from web.office import ceremonies, credentials
from web.office.ceremonies import SIGNATURE
from web.office.credentials import Passkey
from web.office.erasures import sweep_of
from web.office.store import new_secret, office_if_any, office_of
from web.problems import is_by_program, problem, status_of

READING: Final = frozenset({"GET", "HEAD"})
"""The methods of requests by which nothing is recorded."""


def public_of(passkey: Passkey) -> str | None:
    """Returns the public key of a passkey as the ledger names it; None: it signs no commits."""
    return coded_passkey(AttestedCredentialData(passkey.public_key).public_key)


def owner_of(request: Request) -> PasskeyOwner | None:
    """Returns whose request it is, as somebody who can sign with a passkey; None where nobody can.

    What was signed on the page of a secret is taken from there, once. Programs open no page.
    """
    if request.method in READING or is_by_program(request):
        return None
    account = account_of(request)
    if account is None or account.by_token or office_if_any(request) is None:
        return None
    if not hasattr(request.state, "passkey_owner"):
        request.state.passkey_owner = _owner(request, account.name)
    owner: PasskeyOwner = request.state.passkey_owner
    return owner


def _owner(request: Request, account: str) -> PasskeyOwner:
    office = office_of(request)
    secret = request.query_params.get(SIGNED)
    with office.reading() as connection:
        request.state.sweep = sweep_of(connection)
        own = credentials.passkeys_of(connection, account)
    keys = frozenset(key for key in map(public_of, own) if key is not None)
    kept = None
    if secret is not None:
        with office.writing() as connection:
            kept = ceremonies.end(connection, SIGNATURE, secret, office.now())
    if kept is None or kept["form"]["account"] != account or kept["signature"] is None:
        return PasskeyOwner(account, keys)
    signature = PasskeySignature(**kept["signature"])
    return PasskeyOwner(account, keys, PasskeyDraft.of_data(kept["draft"]), signature)


def asking_of(request: Request, room: str, body: str, reason: str, key: str) -> Asking:
    """Returns what accompanies a command by a form of whoever signed in.

    Args:
        request: that of the form.
        room: to which the form belongs; keys of others are other keys.
        body: what is asked for: under the same key nothing else is.
        reason: why.
        key: that of the form, by which it is carried out once; empty: it may be sent again and is
            carried out again. One that is sent again because it was signed is the same.
    """
    account, owner = required_account(request).name, owner_of(request)
    prefix = f"{room}:{account}:"
    signed = "" if owner is None or owner.draft is None else owner.draft.idempotency_key
    if not key:
        key = signed.removeprefix(prefix) if signed.startswith(prefix) else new_secret()
    rights = required_rights(request)
    return Asking(account, reason.strip(), prefix + key, body, owner=owner, rights=rights)


def send_to_sign(app: FastAPI) -> None:
    """Lets an application send those to the page of a secret who have to sign."""
    app.add_exception_handler(SignatureAwaited, _to_sign)


async def _to_sign(request: Request, error: Exception) -> Response:
    assert isinstance(error, SignatureAwaited)
    form = await sent_form(request, error.draft.account)
    try:
        secret = await run_in_threadpool(_keep, request, error.draft, form)
    except LedgerError as refused:  # nobody answers what goes wrong in an answer to a failure
        return problem(request, status_of(refused), error_for_site(refused).message)
    return send_to(request, f"/sign/{secret}")


def _keep(request: Request, draft: PasskeyDraft, form: KeptForm) -> str:
    """Keeps a form until it is signed; returns the secret of its page.

    Raises:
        Conflict: somebody was erased since it was decided, whom it may name.
    """
    kept = {
        "draft": asdict(draft),
        "form": form.data(),
        "again": _why_again(request, draft),
        "signature": None,
    }
    office = office_of(request)
    with office.writing() as connection:
        if sweep_of(connection) != request.state.sweep:
            raise Conflict("access.sign_swept")
        return ceremonies.begin(connection, SIGNATURE, kept, office.now())


def _why_again(request: Request, draft: PasskeyDraft) -> str | None:
    """Returns the key of the sentence that says why something is to be signed anew, if it is."""
    if SIGNED not in request.query_params:
        return None
    owner = owner_of(request)
    signed = None if owner is None else owner.draft
    has_moved = signed is not None and signed.seq != draft.seq
    return "access.sign_moved" if has_moved else "access.sign_anew"
