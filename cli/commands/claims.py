"""``claim``: what somebody said at the site is wrong, for the officer who decides."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.command import command
from cli.office import office_of
from cli.options import OfficeUrl, ReadOptions, ReasonedWriteOptions
from cli.output import emit, note, table
from cli.session import recording, typed_request
from ledger.errors import Conflict, InputRefused, NotFound
from ledger.operations.commands import OPERATIONS

if TYPE_CHECKING:
    from web.office.claims import KeptClaim
    from web.office.store import Office

_MOST = 1_000
ClaimId = Annotated[str, typer.Argument(help="Its id.")]


@command("claim list")
def list_(office: OfficeUrl = None, *, options: ReadOptions) -> None:
    """List what somebody said at the site is wrong and nobody took up yet, the oldest first."""
    from web.office.claims import open_claims

    with office_of(options.db, office) as kept, kept.reading() as connection:
        rows = [_row(each) for each in open_claims(connection, _MOST)]
    table_ = table("id", "recorded_at", "name", "note")
    for row in rows:
        table_.add(row["claim"], row["at"], row["title"], row["words"])
    emit(options.format, {"claims": rows}, rows, lambda out: out.print(table_))


@command("claim accept")
def accept(claim: ClaimId, office: OfficeUrl = None, *, to: ReasonedWriteOptions) -> None:
    """Record what a claim asks for; with --dry-run, say what it would change."""
    from secrets import token_hex

    from ledger.service.operations import carry_out, meant
    from web.office.claims import ClaimState, end_claim
    from web.office.submissions import key_of_submission

    with office_of(to.db, office) as kept:
        found = _found(kept, claim)
        if not found.content:
            raise InputRefused("claim.only_words")
        asked_for = json.loads(found.content)
        with recording(to, key_of_submission(claim)) as at:
            operation = OPERATIONS[asked_for["what"]]
            typed = operation.read(asked_for["words"], today=at.ledger.today, salt=token_hex(16))
            request = replace(at.request, body=found.content)
            at.receipt = carry_out(at.ledger, meant(at.ledger, typed), request)
        if not to.dry_run:
            with kept.writing() as connection:
                end_claim(
                    connection, claim, ClaimState.ACCEPTED, at=kept.now(),
                    account=at.request.actor, commit_id=at.receipt.commit_id,
                )  # fmt: skip


@command("claim refuse")
def refuse(claim: ClaimId, office: OfficeUrl = None, *, to: ReasonedWriteOptions) -> None:
    """Refuse a claim; who made it reads the reason. What was written in it is thrown away."""
    from web.office.claims import ClaimState, end_claim

    request = typed_request(to)
    with office_of(to.db, office) as kept:
        _found(kept, claim)
        if to.dry_run:
            return
        with kept.writing() as connection:
            end_claim(
                connection, claim, ClaimState.REFUSED, at=kept.now(), account=request.actor,
                reason=request.reason,
            )  # fmt: skip
    note("claim.refused_now", claim=claim)


def _found(office: Office, id_: str) -> KeptClaim:
    """Returns a claim that is open and that nobody took up."""
    from web.office.claims import ClaimState, find_claim
    from web.office.submissions import find

    with office.reading() as connection:
        claim, submission = find_claim(connection, id_), find(connection, id_)
    if claim is None:
        raise NotFound("claim.not_found", claim=id_)
    if claim.state is not ClaimState.OPEN:
        raise Conflict("claim.decided")
    if submission is not None:
        raise Conflict("claim.taken_up")
    return claim


def _row(each: KeptClaim) -> dict[str, Any]:
    at = dt.datetime.fromtimestamp(each.made_at, dt.UTC)
    return {
        "claim": each.id, "title": each.title, "player": each.player, "list": each.list,
        "period": each.period, "tournament": each.tournament, "words": each.words,
        "account": each.account, "at": at.strftime("%Y-%m-%dT%H:%M:%SZ"),
    }  # fmt: skip
