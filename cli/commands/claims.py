"""``claim``: what somebody said at the site is wrong, for the officer who decides."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.command import command
from cli.office import office_of
from cli.options import OfficeUrl, ReadOptions, ReasonedWriteOptions
from cli.output import emit, note, table, told
from cli.session import opened, recording, typed_request
from ledger.errors import Conflict, InputRefused, NotFound
from ledger.operations.commands import OPERATIONS

if TYPE_CHECKING:
    from ledger.views.view import LedgerView
    from web.office.claim_answers import ClaimsPeople, SaidOfClaim
    from web.office.claims import KeptClaim
    from web.office.store import Office

_MOST = 1_000
ClaimId = Annotated[str, typer.Argument(help="Its id.")]


@command("claim list")
def list_(office: OfficeUrl = None, *, options: ReadOptions) -> None:
    """List what somebody said at the site is wrong and nobody took up yet, the oldest first."""
    from web.office.claims import open_claims

    with opened(options.db) as ledger, office_of(options.db, office) as kept:
        with kept.reading() as connection:
            found = open_claims(connection, _MOST)
        people = _people(ledger, kept)
        claims = [(each, people.answers(each)) for each in found]
    table_ = table("id", "recorded_at", "name", "note")
    for claim, answers in claims:
        words = " · ".join(filter(None, (claim.words, *map(_sentence, answers))))
        table_.add(claim.id, _when(claim), claim.title, words)
    rows = [_row(claim, answers) for claim, answers in claims]
    emit(options.format, {"claims": rows}, rows, lambda out: out.print(table_))


@command("claim show")
def show(claim: ClaimId, office: OfficeUrl = None, *, options: ReadOptions) -> None:
    """Show what is said to be wrong, and what those say of it who played the game."""
    from web.office.claims import find_claim

    with opened(options.db) as ledger, office_of(options.db, office) as kept:
        with kept.reading() as connection:
            found = find_claim(connection, claim)
        if found is None:
            raise NotFound("claim.not_found", claim=claim)
        answers = _people(ledger, kept).answers(found)
    table_ = table("recorded_at", "name", "note", title=found.title)
    table_.add(_when(found), found.account, found.words)
    for each in answers:
        table_.add(None, each.name or each.player, _sentence(each))
    row = _row(found, answers) | {"state": found.state.value}
    emit(options.format, row, [row], lambda out: out.print(table_))


@command("claim accept")
def accept(claim: ClaimId, office: OfficeUrl = None, *, to: ReasonedWriteOptions) -> None:
    """Record what a claim asks for; with --dry-run, say what it would change."""
    from secrets import token_hex

    from ledger.service.operations import carry_out
    from web.office.claims import ClaimState, end_claim
    from web.office.submissions import key_of_submission

    with office_of(to.db, office) as kept:
        found = _found(kept, claim)
        if not found.content:
            raise InputRefused("claim.only_words")
        asked_for = json.loads(found.content)
        operation = OPERATIONS.get(asked_for.get("what"))
        if operation is None or not isinstance(asked_for.get("words"), dict):
            raise InputRefused("submission.cannot_be_read")
        with recording(to, key_of_submission(claim)) as at:
            typed = operation.read(asked_for["words"], today=at.ledger.today, salt=token_hex(16))
            request = replace(at.request, body=found.content)
            at.receipt = carry_out(at.ledger, typed, request)
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


def _people(view: LedgerView, office: Office) -> ClaimsPeople:
    """Returns who is who in the claims of an office."""
    from ledger.answers.directory import player_recorded
    from ledger.answers.people_pages import ids_of_person, surviving_id
    from web.office.claim_answers import ClaimsPeople
    from web.office.player_ties import TiedPlayer

    def meant(player: str) -> TiedPlayer | None:
        try:
            sheet = player_recorded(view, surviving_id(view, player))
        except NotFound:
            return None
        return None if sheet.erased_on else TiedPlayer(sheet.id, sheet.name)

    return ClaimsPeople(office, meant, partial(ids_of_person, view))


def _sentence(answer: SaidOfClaim) -> str:
    return f"{told(answer.message)} {answer.words}".rstrip()


def _when(claim: KeptClaim) -> str:
    return dt.datetime.fromtimestamp(claim.made_at, dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _row(each: KeptClaim, answers: Sequence[SaidOfClaim]) -> dict[str, Any]:
    return {
        "claim": each.id, "title": each.title, "player": each.player, "list": each.list,
        "period": each.period, "tournament": each.tournament, "words": each.words,
        "account": each.account, "at": _when(each),
        "answers": [answer.data() for answer in answers],
    }  # fmt: skip
