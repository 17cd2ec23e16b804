"""``account``: create, list, grant, revoke, reset, unlock, sign-out; bind, unbind, keys."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from cli.command import command
from cli.office import office_of, office_url
from cli.options import (
    Db,
    OfficeUrl,
    QuestionOptions,
    ReasonedWriteOptions,
    ReceiptFormat,
)
from cli.output import emit, emit_table, note, say, table, write
from cli.session import opened, recording, viewed
from cli.signing_keys import key_text
from ledger.terms import Role

if TYPE_CHECKING:
    from web.office.store import Office

_PASSKEY = "passkey"  # begins the public key of one
_SITE = "http://127.0.0.1:8000"  # as serve calls it that is told nothing else
Name = Annotated[str, typer.Argument(metavar="ACCOUNT", help="A handle, no person's name.")]
ArbitersTournament = Annotated[
    str | None, typer.Option("--tournament", help="Only at this tournament; for arbiters.")
]
PublicKeyText = Annotated[
    str,
    typer.Argument(
        metavar="KEY", help="The key (see 'key'): its text or its file; or passkey+HOST+KEY."
    ),
]
BoundKeyText = Annotated[
    str,
    typer.Argument(metavar="KEY", help="The key as 'account keys' prints it, or as it was bound."),
]
Origin = Annotated[
    str, typer.Option("--origin", help="How browsers call the site, for the link that is printed.")
]


@command("account create")
def create(
    account: Name,
    role: Annotated[Role, typer.Option("--role", help="Its first role.")],
    tournament: ArbitersTournament = None,
    origin: Origin = _SITE,
    office: OfficeUrl = None,
    *,
    to: ReasonedWriteOptions,
) -> None:
    """Create an account of the site, and print the link by which its owner takes it over, once."""
    from ledger.service.accounts import create_account
    from web.settings import origin_of

    origin = origin_of(origin)
    with _office(to.db, office, is_used=not to.dry_run) as kept:
        with recording(to) as at:
            at.receipt = create_account(
                at.ledger, account, role, tournament=tournament, request=at.request
            )
        _hand_over(kept, account, origin, to.format)


@command("account list")
def list_(*, options: QuestionOptions) -> None:
    """List the accounts and the roles that they have."""
    from ledger.service.accounts import accounts

    with viewed(options) as view:
        found = [each.data() for each in accounts(view)]
    rows = [
        {"account": each["account"], **grant}
        for each in found
        for grant in each["grants"] or [{"role": None, "tournament": None}]
    ]
    table_ = table("account", "role", "tournament", "since", "seq")
    for row in rows:
        role = say(f"role.{row['role']}") if row["role"] else None
        table_.add(
            row["account"], role, row["tournament"], row.get("since_on"), row.get("since_seq")
        )
    emit(options.format, found, rows, lambda out: out.print(table_))


@command("account grant")
def grant(
    account: Name,
    role: Annotated[Role, typer.Argument(help="The role.")],
    tournament: ArbitersTournament = None,
    *,
    to: ReasonedWriteOptions,
) -> None:
    """Give an account a role."""
    from ledger.service.accounts import grant_role

    with recording(to) as at:
        at.receipt = grant_role(at.ledger, account, role, tournament=tournament, request=at.request)


@command("account revoke", destroys=True)
def revoke(
    account: Name,
    role: Annotated[Role | None, typer.Argument(help="The role (default: all of them).")] = None,
    tournament: ArbitersTournament = None,
    *,
    to: ReasonedWriteOptions,
) -> None:
    """Take a role from an account, or all of them; its sessions and tokens end at once."""
    from ledger.service.accounts import revoke_all, revoke_role

    with recording(to) as at:
        if role is None:
            at.receipt = revoke_all(at.ledger, account, at.request)
        else:
            at.receipt = revoke_role(
                at.ledger, account, role, tournament=tournament, request=at.request
            )


@command("account reset", destroys=True)
def reset(
    account: Name,
    origin: Origin = _SITE,
    office: OfficeUrl = None,
    *,
    to: ReasonedWriteOptions,
) -> None:
    """Take every way in from an account, and print a new link for its owner."""
    from ledger.service.accounts import entrust_account
    from web.settings import origin_of

    origin = origin_of(origin)
    with _office(to.db, office, is_used=not to.dry_run) as kept:
        with recording(to) as at:
            at.receipt = entrust_account(at.ledger, account, "link", at.request)
        _hand_over(kept, account, origin, to.format)


@command("account bind")
def bind(account: Name, key: PublicKeyText, *, to: ReasonedWriteOptions) -> None:
    """Bind a key to an account: what it records from then on must be signed with its key."""
    from ledger.service.accounts import bind_key

    with recording(to) as at:
        public, host = _public(key)
        at.receipt = bind_key(at.ledger, account, public, at.request, relying_party=host)


@command("account unbind", destroys=True)
def unbind(account: Name, key: BoundKeyText, *, to: ReasonedWriteOptions) -> None:
    """Let a key sign no more for an account; what it signed before stays signed."""
    from ledger.service.accounts import account_keys, revoke_key

    with recording(to) as at:
        bound = {each.key for each in account_keys(at.ledger)}
        public = key if key in bound else _public(key)[0]  # as ``account keys`` prints it, or whole
        at.receipt = revoke_key(at.ledger, account, public, at.request)


def _public(text: str) -> tuple[str, str | None]:
    """Returns a public key as events have it, of a key or its file, be it the secret one.

    That of a passkey is said as ``passkey+HOST+KEY``: the host for which it was made comes second.
    """
    kind, _, rest = text.partition("+")
    if kind == _PASSKEY:
        host, _, key = rest.partition("+")
        return key, host
    from ledger.journal.checkpoint import Verifier
    from ledger.journal.signatures import coded_key

    return coded_key(Verifier.parse(key_text(text))), None


@command("account keys")
def keys(*, options: QuestionOptions) -> None:
    """List the keys with which accounts sign, and those that were revoked."""
    from ledger.service.accounts import account_keys

    with viewed(options) as view:
        rows = [each.data() for each in account_keys(view)]
    columns = ("account", "key", "relying_party", "since_seq", "revoked_seq")
    emit_table(options, rows, rows, columns)


@command("account unlock")
def unlock(
    account: Annotated[
        str | None,
        typer.Argument(
            metavar="ACCOUNT",
            help="Whose attempts are forgotten (default: everybody's, also those of addresses).",
        ),
    ] = None,
    office: OfficeUrl = None,
    db: Db = None,
) -> None:
    """Forget wrong attempts to sign in, so that nobody has to wait; no way in is changed."""
    from ledger.service.accounts import require_account
    from web.office.attempts import forget_attempts

    with _office(db, office, is_used=True) as kept:
        if account is not None:
            with opened(db) as ledger:
                require_account(ledger, account)
        assert kept is not None, "it is used"
        forget_attempts(kept, account)
    write(say("access.unlocked" if account else "access.unlocked_all", account=account or ""))


@command("account sign-out", destroys=True)
def sign_out(
    account: Annotated[
        str | None, typer.Argument(metavar="ACCOUNT", help="Who is signed out; or --all.")
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Sign everybody out.")] = False,
    tokens: Annotated[bool, typer.Option("--tokens", help="End tokens of programs, too.")] = False,
    office: OfficeUrl = None,
    db: Db = None,
) -> None:
    """End sessions, invitations and all codes that may have been used; of one account, or --all.

    Passwords and passkeys stay. Needed after an earlier state of a database was brought back by
    other means than 'restore': what was ended since then lets somebody in again.
    """
    from ledger.service.accounts import require_account
    from web.office.credentials import newest_step
    from web.office.sessions import sign_out as end_all

    if all_ == (account is not None):
        raise typer.BadParameter(say("cli.account_or_all"))
    with _office(db, office, is_used=True) as kept:
        if account is not None:
            with opened(db) as ledger:
                require_account(ledger, account)
        assert kept is not None, "it is used"
        done = end_all(kept, account, used_step=newest_step(kept.now()), with_tokens=tokens)
    write(say("access.signed_out", **done.data()))


@contextmanager
def _office(db: str | None, text: str | None, *, is_used: bool) -> Iterator[Office | None]:
    """Opens the office, before anything is recorded; None where it will not be used.

    Raises:
        NotFound: the ledger has none.
        DatabaseError: it cannot be opened.
    """
    url = office_url(db, text)
    if not is_used:
        yield None
        return
    with office_of(db, url) as office:
        yield office


def _hand_over(office: Office | None, account: str, origin: str, as_: ReceiptFormat) -> None:
    """Makes the link by which an account is taken over, and prints it for the only time."""
    from web.office import accounts

    if office is None:
        return
    with office.writing() as connection:
        link = accounts.hand_over(connection, account, origin, office.now())
    if as_ is ReceiptFormat.JSON:  # which is whole without it
        note("access.link_line", link=link)
        return
    write(say("access.link_about", account=account, hours=accounts.ENROLMENT_HOURS))
    write(link)
