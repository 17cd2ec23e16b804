"""Signatures of those who handed a submission in; each holds for the version that was seen."""

from __future__ import annotations

from dataclasses import asdict

from sqlalchemy import Connection, insert, select

from ledger.application.passkeys import PasskeySignature
from web.office.schema import SUBMISSION_SIGNATURES
from web.office.submissions import Submission


def keep(connection: Connection, submission: Submission, signature: PasskeySignature) -> None:
    """Keeps what was signed with the step that was taken last: the next one throws it away."""
    its = {"submission": submission.id, "version": submission.version}
    connection.execute(insert(SUBMISSION_SIGNATURES).values(its | asdict(signature)))


def signature_of(connection: Connection, submission: Submission) -> PasskeySignature | None:
    """Returns what was signed of a submission as it is; None where nothing was."""
    table = SUBMISSION_SIGNATURES.c
    its = (table.submission == submission.id, table.version == submission.version)
    wanted = select(table.account, table.key, table.assertion).where(*its)
    row = connection.execute(wanted).one_or_none()
    return None if row is None else PasskeySignature(*row)
