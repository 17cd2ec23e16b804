"""Accounts: who may do what in the ledger's web face, and since when.

An account's name is a handle, no person's name. How somebody proves that it is theirs (passwords,
keys, sessions) never stands in the journal.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import ConfigDict, StringConstraints

from ledger.events.model import AccountEvent, TournamentId
from ledger.terms import Role

LONGEST_NAME: Final = 40
ACCOUNT_NAME: Final = r"^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$"
AccountName = Annotated[str, StringConstraints(max_length=LONGEST_NAME, pattern=ACCOUNT_NAME)]


class AccountGranted(AccountEvent):
    """An account has a role from now on; an arbiter's may be limited to a tournament.

    One that is limited to several has a grant for each.
    """

    TYPE = "account.granted"

    account: AccountName
    role: Role
    tournament: TournamentId | None = None


class AccountRevoked(AccountEvent):
    """An account has a role no more, as it was granted: everywhere, or at one tournament."""

    TYPE = "account.revoked"

    account: AccountName
    role: Role
    tournament: TournamentId | None = None


class AccountEntrusted(AccountEvent):
    """Somebody was given the way into an account, by an administrator's word.

    ``link`` lets its owner choose how to sign in, and everything chosen before is void;
    ``identity`` lets another site say who its owner is.
    """

    TYPE = "account.entrusted"

    account: AccountName
    way: Literal["identity", "link"]


PublicKey = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9+/]{43}=$")]
"""A public key of Ed25519: its 32 bytes in base64."""


PasskeyOrPublicKey = Annotated[
    str, StringConstraints(max_length=1500, pattern=r"^[A-Za-z0-9+/]{43,}={0,2}$")
]
"""A public key in base64: the 32 bytes of Ed25519, or of a passkey its SubjectPublicKeyInfo."""

RelyingParty = Annotated[str, StringConstraints(max_length=253, pattern=r"^[a-z0-9.-]+$")]
"""The host for which a passkey was made."""


class KeyBound1(AccountEvent):
    """What an account records from now on is signed with one of its keys, this one among them.

    The secret key never leaves its owner; the signatures stand beside the commits.
    """

    # Its schema was published under the name that its next version has now.
    model_config = ConfigDict(title="KeyBound")

    TYPE = "key.bound"

    account: AccountName
    algorithm: Literal["ed25519"]
    key: PublicKey


class KeyBound(AccountEvent):
    """What an account records from now on is signed with one of its keys, this one among them.

    The secret key never leaves its owner; the signatures stand beside the commits. ``ed25519`` is a
    key in a file, which signs the text itself. ``webauthn`` is a passkey, made for the host
    ``relying_party``, which signs an assertion whose challenge is the digest of the text.
    """

    TYPE = "key.bound"
    VERSION = 2

    account: AccountName
    algorithm: Literal["ed25519", "webauthn"]
    key: PasskeyOrPublicKey
    relying_party: RelyingParty | None = None


def with_algorithms(old: KeyBound1) -> KeyBound:
    """Upcasts the binding of a key in a file, when there were no others."""
    return KeyBound(**dict(old))


class KeyRevoked1(AccountEvent):
    """A key signs no more for its account; what it signed before stays signed."""

    model_config = ConfigDict(title="KeyRevoked")

    TYPE = "key.revoked"

    account: AccountName
    key: PublicKey


class KeyRevoked(AccountEvent):
    """A key or a passkey signs no more for its account; what it signed before stays signed."""

    TYPE = "key.revoked"
    VERSION = 2

    account: AccountName
    key: PasskeyOrPublicKey


def of_any_key(old: KeyRevoked1) -> KeyRevoked:
    """Upcasts the revocation of a key in a file, when there were no others."""
    return KeyRevoked(**dict(old))


AnyAccountEvent: TypeAlias = (
    AccountGranted | AccountRevoked | AccountEntrusted | KeyBound | KeyRevoked
)
