"""``account``: create, list, grant, revoke, reset, unlock, sign-out; keys; whose it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from cli import settings
from cli.command import command
from cli.office import office_of, office_url
from cli.options import (
    Db,
    OfficeUrl,
    Player,
    QuestionOptions,
    ReasonedWriteOptions,
    ReceiptFormat,
)
from cli.output import emit, emit_table, named, note, say, table, write
from cli.session import opened, player_of, recording, viewed
from cli.signing_keys import key_text
from ledger.errors import Conflict
from ledger.terms import Role

if TYPE_CHECKING:
    from ledger.views.view import LedgerView
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
    role: Annotated[list[Role], typer.Option("--role", help="A role of it; may be repeated.")],
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
        if kept is not None:
            _check_nobodys(kept, account)
        with recording(to) as at:
            at.receipt = create_account(
                at.ledger, account, *role, tournament=tournament, request=at.request
            )
        _hand_over(kept, account, origin, to.format)


@command("account invite")
def invite(
    account: Name,
    player: Player,
    origin: Origin = _SITE,
    office: OfficeUrl = None,
    db: Db = None,
) -> None:
    """Make an account of a player, without a role, and print the link by which it is taken over.

    Nothing is recorded: it only says who speaks about their own games. Given again, it takes every
    way in from the account and prints a new link.
    """
    from ledger.service.accounts import check_new_name
    from web.office.player_ties import tie_player, tied_players
    from web.settings import origin_of

    origin = origin_of(origin)
    with office_of(db, office) as kept:
        with opened(db) as ledger:
            id_, ids = _person(ledger, player)
            with kept.writing() as connection:
                check_new_name(ledger, account, tied_players(connection))
                tie_player(connection, account, id_, ids, kept.now())
        _hand_over(kept, account, origin, ReceiptFormat.TABLE)


@command("account tie")
def tie(account: Name, player: Player, office: OfficeUrl = None, db: Db = None) -> None:
    """Say that an account is a player's, who then speaks with it about their own games."""
    from ledger.answers.directory import names_recorded
    from web.office.player_ties import tie_player

    with office_of(db, office) as kept:
        _require(db, kept, account)
        with opened(db) as ledger:
            id_, ids = _person(ledger, player)
            name = named(names_recorded(ledger, [id_])[id_].name)
        with kept.writing() as connection:
            tie_player(connection, account, id_, ids, kept.now())
    write(say("account.tied_now", account=account, player=id_, name=name))


@command("account untie", destroys=True)
def untie(account: Name, office: OfficeUrl = None, db: Db = None) -> None:
    """Let an account be no player's any more; its roles and ways in stay."""
    from web.office.player_ties import untie_account

    with office_of(db, office) as kept, kept.writing() as connection:
        untie_account(connection, account)
    write(say("account.untied_now", account=account))


def _require(db: str | None, office: Office, account: str) -> None:
    """Raises ``NotFound`` where an account neither had a role nor is known at the site."""
    from ledger.service.accounts import require_account
    from web.office import accounts

    with office.reading() as connection:
        is_known = accounts.exists(connection, account)
    if not is_known:
        with opened(db) as ledger:
            require_account(ledger, account)


def _person(view: LedgerView, text: str) -> tuple[str, set[str]]:
    """Returns the id of the player whom a text means, and all ids of that person."""
    from ledger.answers.people_pages import living_ids

    id_ = player_of(view, text)
    return id_, living_ids(view, id_)


def _check_nobodys(office: Office, account: str) -> None:
    """Refuses a new account under the name of one that is a player's, and has no role."""
    from web.office.player_ties import tied_player

    with office.reading() as connection:
        if tied_player(connection, account) is not None:
            raise Conflict("account.exists", account=account)


@command("account list")
def list_(office: OfficeUrl = None, *, options: QuestionOptions) -> None:
    """List the accounts, the roles that they have, and whose they are."""
    from ledger.answers.directory import names_recorded
    from ledger.service.accounts import accounts

    tied = _tied(options.db, office)
    with viewed(options) as view:
        found = [each.data() for each in accounts(view)]
        people = names_recorded(view, [*tied.values()])
    others = tied.keys() - {each["account"] for each in found}
    found += [{"account": name, "grants": []} for name in sorted(others)]
    for each in found:
        each["player"] = tied.get(each["account"])
    rows = [
        {"account": each["account"], **grant, "player": each["player"]}
        for each in found
        for grant in each["grants"] or [{"role": None, "tournament": None}]
    ]
    table_ = table("account", "role", "tournament", "since", "seq", "player", "name")
    for row in rows:
        role = say(f"role.{row['role']}") if row["role"] else None
        person = people.get(row["player"] or "")
        table_.add(
            row["account"], role, row["tournament"], row.get("since_on"), row.get("since_seq"),
            row["player"], named(person.name) if person else None,
        )  # fmt: skip
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
    from web.office.attempts import forget_attempts

    with office_of(db, office) as kept:
        if account is not None:
            _require(db, kept, account)
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
    from web.office.credentials import newest_step
    from web.office.sessions import sign_out as end_all

    if all_ == (account is not None):
        raise typer.BadParameter(say("cli.account_or_all"))
    with office_of(db, office) as kept:
        if account is not None:
            _require(db, kept, account)
        done = end_all(kept, account, used_step=newest_step(kept.now()), with_tokens=tokens)
    write(say("access.signed_out", **done.data()))


def _tied(db: str | None, text: str | None) -> dict[str, str]:
    """Returns the players whose the accounts are; none where there is no office."""
    from web.office.player_ties import tied_players
    from web.office.store import has_office, office_beside

    url = text or office_beside(settings.db(db))
    if url is None or not has_office(url):
        return {}
    with office_of(db, url) as office, office.reading() as connection:
        return tied_players(connection)


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
