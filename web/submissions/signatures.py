"""Who hands something in signs it, where the account signs: somebody else records it later."""

from __future__ import annotations

from dataclasses import replace

from ledger.application.accounts import rights_of
from ledger.application.ledger import Request
from ledger.application.passkeys import PasskeyOwner, PasskeySignature, SignatureAwaited
from ledger.application.signers import unsigned_by
from ledger.errors import InputRefused
from web.office.submissions import Submission
from web.site import Site
from web.submissions.contents import AnyContent


def check_size(site: Site, content: AnyContent, *accounts: str) -> None:
    """Refuses what a job would record, where nobody could sign it with a passkey."""
    for account in accounts:
        if content.is_large and _signs(site, account):
            raise InputRefused("signing.large", account=account)


def proposed(
    site: Site, submission: Submission, content: AnyContent, data: bytes, owner: PasskeyOwner | None
) -> PasskeySignature | None:
    """Returns what who hands a submission in has signed of it; None where the account has no key.

    Raises:
        SignatureAwaited: it is to be signed first, or comes to something else by now.
        InputRefused: the account has a key, and none of its passkeys is here.
    """
    if not _signs(site, submission.account):
        return None
    rights = site.newest().ask(rights_of, submission.account)
    if owner is None or not owner.keys & rights.keys_in_force:
        raise unsigned_by(rights, owner)
    asked = Request(
        actor=submission.account, reason=content.reason, idempotency_key=submission.key, body="",
        owner=replace(owner, proposes=True),
    )  # fmt: skip
    try:
        site.preview(content.carried_out, data, asked)
    except SignatureAwaited as awaited:
        if owner.draft is not None and owner.draft.text == awaited.draft.text:
            return owner.signature
        raise
    return None  # there is nothing to record


def _signs(site: Site, account: str) -> bool:
    return bool(site.newest().ask(rights_of, account).keys_in_force)
