"""What is signed by a passkey: decided and hashed at a head, shown, signed, and appended as it was.

A passkey signs when its owner says so, at a browser. So a request is carried out twice. The first
time ends with ``SignatureAwaited``: nothing is appended, and whoever asked is given the text to be
signed, with what is to be appended under it. The second time brings both back. It is appended only
as it was signed: when somebody else has appended meanwhile, it is decided anew and to be signed
anew.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from ledger.errors import InputRefused
from ledger.identifiers import Seq
from ledger.journal.assertions import is_asserted
from ledger.journal.batch import Batch, EventRow, pages_of
from ledger.journal.envelope import not_before, seal
from ledger.journal.interface import Journal
from ledger.journal.records import (
    Commit,
    CommitSignature,
    Draft,
    Head,
    PersonalDocument,
    SignCommit,
)
from ledger.journal.signatures import draft_digest, is_good, proposed_text, signed_text

_MOST_EVENTS: Final = 5_000


@dataclass(frozen=True, slots=True)
class PasskeyDraft:
    """What an account is to sign: the text, and what is appended under it.

    ``seq`` is the head at which it was decided, ``recorded_at`` the instant, empty of a proposal,
    of which only the text is signed and nothing appended; ``digest`` is that of
    ``ledger.journal.signatures``. The events stand as rows; ``actor``, ``reason``, ``source_name``
    and ``idempotency_key`` are those of the draft.
    """

    account: str
    text: str
    seq: Seq
    recorded_at: str
    digest: str
    events: tuple[EventRow, ...]
    personal: tuple[PersonalDocument, ...]
    actor: str
    reason: str
    source_name: str | None
    idempotency_key: str

    @property
    def is_proposal(self) -> bool:
        """Whether somebody else is to record it later."""
        return not self.recorded_at

    @classmethod
    def of_data(cls, data_: dict[str, Any]) -> Self:
        """Returns one from its JSON data, as ``dataclasses.asdict`` makes it."""
        type_, version, on, stream, payload = range(5)
        events = tuple(
            (row[type_], row[version], row[on], row[stream], row[payload])
            for row in data_["events"]
        )
        personal = tuple(PersonalDocument(**each) for each in data_["personal"])
        return cls(**{**data_, "events": events, "personal": personal})


class SignatureAwaited(Exception):
    """Something is decided, and nothing appended: its account has to sign it with a passkey."""

    def __init__(self, draft: PasskeyDraft) -> None:
        super().__init__(draft.account)
        self.draft = draft


@dataclass(frozen=True, slots=True)
class PasskeySignature:
    """That an account signed a text with a passkey: its public key, and the assertion as text."""

    account: str
    key: str
    assertion: str

    def of(self, commit: Commit) -> CommitSignature:
        """Returns it as the signature of a commit."""
        return CommitSignature(commit.commit_id, self.account, self.key, self.assertion)


@dataclass(frozen=True, slots=True)
class PasskeyOwner:
    """An account whose owner stands at a browser, and can be asked to sign.

    ``keys`` are the public keys of its passkeys. ``draft`` and ``signature`` are what it was shown
    and signed, if it was. ``proposes`` says that nothing is to be recorded: a second person does it
    later, and this one signs what.
    """

    account: str
    keys: frozenset[str]
    draft: PasskeyDraft | None = None
    signature: PasskeySignature | None = None
    proposes: bool = False


def await_proposal(owner: PasskeyOwner, draft: Draft, head: Head) -> None:
    """Raises ``SignatureAwaited`` with what is proposed; nothing is appended."""
    digest = draft_digest(draft)
    text = proposed_text(owner.account, digest)
    raise SignatureAwaited(_shown(draft, owner.account, text, head, digest))


def with_proposal(draft: Draft, proposed: PasskeySignature, relying_party: str | None) -> Draft:
    """Returns a draft that the first of two people has signed before; refuses any other.

    ``draft`` is as it is decided now; ``sign`` signs for others. ``relying_party`` is the host for
    which the passkey was made, if it still signs.
    """
    text = proposed_text(proposed.account, draft_digest(draft))
    if relying_party is None or not is_asserted(
        proposed.assertion, proposed.key, relying_party, text
    ):
        raise InputRefused("signing.proposal_moved", account=proposed.account)
    others = draft.sign
    return replace(draft, sign=lambda commit: (*others(commit), proposed.of(commit)))


def passkey_signed(
    journal: Journal,
    draft: Draft,
    head: Head,
    owner: PasskeyOwner,
    host_of: Callable[[str], str | None],
    now: dt.datetime,
) -> tuple[Draft, dt.datetime]:
    """Returns a draft as it was signed with a passkey, and the instant at which it is recorded.

    Args:
        journal: where it is to be appended.
        draft: as it is decided now; ``sign`` signs for others.
        head: the head at which it is.
        owner: who signs.
        host_of: returns for which host a public key was made that signs for the owner now; None for
            any other.
        now: what the clock says.

    Raises:
        SignatureAwaited: it was not signed yet, or what was signed is something else.
        InputRefused: it has too many events to be shown, or the signature is not good.
    """
    shown, signature = owner.draft, owner.signature
    digest = draft_digest(draft)
    if (
        shown is None
        or signature is None
        or shown.is_proposal
        or (shown.seq, shown.digest) != (head.seq, digest)
    ):
        raise SignatureAwaited(_sealed(journal, draft, head, owner.account, digest, now))
    relying_party = host_of(signature.key)
    if relying_party is None:
        raise InputRefused("signing.no_such_key", account=signature.account)
    events = Batch()
    events.extend(shown.events)
    sign = _signing_also(draft.sign, signature, relying_party)
    signed = replace(draft, events=events, personal=shown.personal, sign=sign)
    return signed, dt.datetime.fromisoformat(shown.recorded_at)


def _signing_also(
    others: SignCommit, signature: PasskeySignature, relying_party: str
) -> SignCommit:
    """Returns what signs for others, and for one who has signed already."""

    def sign(commit: Commit) -> tuple[CommitSignature, ...]:
        own = signature.of(commit)
        if not is_good(own, commit, relying_party):
            raise InputRefused("signing.not_this", account=signature.account)
        return (*others(commit), own)

    return sign


def _sealed(
    journal: Journal, draft: Draft, head: Head, account: str, digest: str, now: dt.datetime
) -> PasskeyDraft:
    """Returns what is to be signed: the commit that a draft becomes at a head."""
    if len(draft.events) > _MOST_EVENTS:
        raise InputRefused("signing.too_long", most=_MOST_EVENTS)
    last = next(journal.commits(after=head.commit_id - 1), None)
    peaks, before = ("", "") if last is None else (last.peaks, last.recorded_at)
    commit, _ = seal(draft, head, peaks, not_before(now, before))
    text = signed_text(commit, account)
    return _shown(draft, account, text, head, digest, commit.recorded_at)


def _shown(
    draft: Draft, account: str, text: str, head: Head, digest: str, recorded_at: str = ""
) -> PasskeyDraft:
    """Returns what an account is shown of a draft that it is to sign."""
    return PasskeyDraft(
        account=account, text=text, seq=head.seq, recorded_at=recorded_at, digest=digest,
        events=tuple(row for page in pages_of(draft.events) for row in page),
        personal=tuple(draft.personal), actor=draft.actor, reason=draft.reason,
        source_name=draft.source_name, idempotency_key=draft.idempotency_key,
    )  # fmt: skip
