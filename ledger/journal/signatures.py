"""Signatures of commits: what is signed, how, and whether a signature is good.

Signed is the place of a commit and the root of the tree after it. The root covers every column of
the commit and of its events, and all that was recorded before: a signature means nothing for
another commit, at another place or in another ledger. It names the account, so that it means
nothing for another one; and its text is neither a checkpoint nor anything else that a key of this
program signs.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence

from ledger.journal.assertions import is_asserted, passkey_public
from ledger.journal.checkpoint import Signer, Verifier, decoded, is_signature, is_sound
from ledger.journal.records import Commit, CommitSignature, SignCommit

_KEY_BYTES = 32
_FIRST_LINE = "rating-ledger commit signature"


def public_key(signer: Signer) -> str:
    """Returns the public key of a signer as events and signatures name it."""
    return coded_key(signer.verifier)


def coded_key(verifier: Verifier) -> str:
    """Returns a public key as events and signatures name it: its 32 bytes in base64."""
    return base64.b64encode(verifier.public).decode()


def can_sign(key: str, relying_party: str | None) -> bool:
    """Whether a public key in base64 is one with which its owner, and nobody else, can sign.

    ``relying_party`` is the host for which it was made, where it is a passkey.
    """
    if relying_party is None:
        return is_sound(decoded(key))
    return passkey_public(key) is not None


def signed_text(commit: Commit, account: str) -> str:
    """Returns the text that an account signs, with its last newline."""
    lines = (
        _FIRST_LINE,
        f"account {account}",
        f"commit {commit.commit_id}",
        f"seq {commit.last_seq}",
        f"root {commit.root}",
    )
    return "".join(f"{line}\n" for line in lines)


def signing(signers: Sequence[tuple[str, Signer]]) -> SignCommit:
    """Returns what signs a commit for accounts, each with its key."""

    def sign(commit: Commit) -> tuple[CommitSignature, ...]:
        return tuple(_signature(commit, account, signer) for account, signer in signers)

    return sign


def _signature(commit: Commit, account: str, signer: Signer) -> CommitSignature:
    value = signer.sign(signed_text(commit, account)).value
    coded = base64.b64encode(value).decode()
    return CommitSignature(commit.commit_id, account, public_key(signer), coded)


def is_good(
    signature: CommitSignature,
    commit: Commit,
    relying_party: str | None = None,
    text: str | None = None,
) -> bool:
    """Whether a signature is one of its key, of the commit for its account.

    ``relying_party`` is the host for which its key was made, where that is a passkey. ``text`` is
    what is signed, where that is not the text of the commit.
    """
    if signature.commit_id != commit.commit_id:
        return False
    said = text or signed_text(commit, signature.account)
    if relying_party is not None:
        return is_asserted(signature.signature, signature.key, relying_party, said)
    key = decoded(signature.key)
    return len(key) == _KEY_BYTES and is_signature(key, decoded(signature.signature), said)
