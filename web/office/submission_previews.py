"""Previews of submissions as they were seen, each at a seq, and links that lead others to one."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, delete, insert, select

from web.office.schema import SUBMISSION_LINKS, SUBMISSION_PREVIEWS
from web.office.submissions import Submission, SubmissionState, find

_MOST: Final = 8
"""So many previews of a submission are kept, the newest ones."""


@dataclass(frozen=True, slots=True)
class KeptPreview:
    """What somebody saw of a submission at a seq of the ledger; ``data`` is JSON."""

    version: int
    seq: int
    digest: str
    data: str


def preview_at(connection: Connection, submission: Submission, seq: int) -> KeptPreview | None:
    """Returns what was seen of the present content at a seq; None where nobody looked."""
    table = SUBMISSION_PREVIEWS.c
    return _preview(connection, submission, table.version == submission.version, table.seq == seq)


def preview_seen(connection: Connection, submission: Submission, digest: str) -> KeptPreview | None:
    """Returns a preview by its digest; None where it is not kept."""
    return _preview(connection, submission, SUBMISSION_PREVIEWS.c.digest == digest)


def last_preview(connection: Connection, submission: Submission) -> KeptPreview | None:
    """Returns the last preview of the present content; None where there is none."""
    return _preview(connection, submission, SUBMISSION_PREVIEWS.c.version == submission.version)


def keep_preview(connection: Connection, submission: Submission, seen: KeptPreview) -> None:
    """Keeps a preview beside a few others of the submission, unless that is withdrawn by now."""
    now = find(connection, submission.id)
    is_withdrawn = now is not None and now.state is SubmissionState.WITHDRAWN
    if is_withdrawn or preview_at(connection, submission, seen.seq) is not None:
        return
    row = {"submission": submission.id, **asdict(seen)}
    connection.execute(insert(SUBMISSION_PREVIEWS).values(row))
    table = SUBMISSION_PREVIEWS.c
    its = select(table.version, table.seq).where(table.submission == submission.id)
    newest_first = its.order_by(table.version.desc(), table.seq.desc())
    for version, seq in connection.execute(newest_first.offset(_MOST)).all():
        one = and_(table.submission == submission.id, table.version == version, table.seq == seq)
        connection.execute(delete(SUBMISSION_PREVIEWS).where(one))


def _preview(
    connection: Connection, submission: Submission, *such: ColumnElement[bool]
) -> KeptPreview | None:
    table = SUBMISSION_PREVIEWS.c
    wanted = select(table.version, table.seq, table.digest, table.data)
    its = wanted.where(table.submission == submission.id, *such)
    row = connection.execute(its.order_by(table.version.desc(), table.seq.desc()).limit(1)).first()
    return None if row is None else KeptPreview(*row)


# Links


def share(connection: Connection, submission: Submission, hash_: bytes, expires_at: int) -> None:
    """Keeps a link to a submission's preview, by the digest of its secret part."""
    connection.execute(
        insert(SUBMISSION_LINKS).values(hash=hash_, submission=submission.id, expires_at=expires_at)
    )


def unshare(connection: Connection, submission: Submission) -> None:
    """Ends all links to a submission's preview."""
    its = SUBMISSION_LINKS.c.submission == submission.id
    connection.execute(delete(SUBMISSION_LINKS).where(its))


def links(connection: Connection, submission: Submission, now: int) -> list[int]:
    """Returns when the links to a submission's preview expire that have not yet."""
    table = SUBMISSION_LINKS.c
    wanted = select(table.expires_at).where(
        table.submission == submission.id, table.expires_at > now
    )
    return list(connection.scalars(wanted.order_by(table.expires_at)))


def shared(connection: Connection, hash_: bytes, now: int) -> Submission | None:
    """Returns the submission of a link; None where there is none, or it has expired."""
    table = SUBMISSION_LINKS.c
    wanted = select(table.submission).where(table.hash == hash_, table.expires_at > now)
    id_ = connection.scalar(wanted)
    return None if id_ is None else find(connection, id_)
