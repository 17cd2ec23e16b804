"""Submissions as they are kept: what was handed in, and each step that was taken.

A submission changes by steps. Whoever takes one names the ``turn`` that they saw; who is late, or
presses a button twice, changes nothing. Files are kept under their digest.

Signatures of those who handed a submission in; each holds for the version that was seen.

Previews of submissions as they were seen, each at a seq, and links that lead others to one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    delete,
    func,
    insert,
    not_,
    or_,
    select,
    update,
)

from ledger.errors import Conflict
from ledger.identifiers import Seq
from ledger.trust.passkeys import PasskeySignature
from web.office.claims import ClaimState, end_claim
from web.office.jobs import alive
from web.office.schema import (
    CLAIMS,
    SUBMISSION_FILES,
    SUBMISSION_LINKS,
    SUBMISSION_PREVIEWS,
    SUBMISSION_SIGNATURES,
    SUBMISSION_STEPS,
    SUBMISSIONS,
)

_MOST: Final = 8
"""So many previews of a submission are kept, the newest ones."""


@dataclass(frozen=True, slots=True)
class KeptPreview:
    """What somebody saw of a submission at a seq of the ledger; ``data`` is JSON."""

    version: int
    seq: Seq
    digest: str
    data: str


def preview_at(connection: Connection, submission: Submission, seq: Seq) -> KeptPreview | None:
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
    known_ = select(table.version, table.seq).where(table.submission == submission.id)
    newest_first = known_.order_by(table.version.desc(), table.seq.desc())
    for version, seq in connection.execute(newest_first.offset(_MOST)).all():
        one = and_(table.submission == submission.id, table.version == version, table.seq == seq)
        connection.execute(delete(SUBMISSION_PREVIEWS).where(one))


def _preview(
    connection: Connection, submission: Submission, *such: ColumnElement[bool]
) -> KeptPreview | None:
    table = SUBMISSION_PREVIEWS.c
    wanted = select(table.version, table.seq, table.digest, table.data)
    own = wanted.where(table.submission == submission.id, *such)
    row = connection.execute(own.order_by(table.version.desc(), table.seq.desc()).limit(1)).first()
    return None if row is None else KeptPreview(*row)


# Links


def share(connection: Connection, submission: Submission, hash_: bytes, expires_at: int) -> None:
    """Keeps a link to a submission's preview, by the digest of its secret part."""
    connection.execute(
        insert(SUBMISSION_LINKS).values(hash=hash_, submission=submission.id, expires_at=expires_at)
    )


def unshare(connection: Connection, submission: Submission) -> None:
    """Ends all links to a submission's preview."""
    condition = SUBMISSION_LINKS.c.submission == submission.id
    connection.execute(delete(SUBMISSION_LINKS).where(condition))


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


def keep(connection: Connection, submission: Submission, signature: PasskeySignature) -> None:
    """Keeps what was signed with the step that was taken last: the next one throws it away."""
    values = {"submission": submission.id, "version": submission.version}
    connection.execute(insert(SUBMISSION_SIGNATURES).values(values | asdict(signature)))


def signature_of(connection: Connection, submission: Submission) -> PasskeySignature | None:
    """Returns what was signed of a submission as it is; None where nothing was."""
    table = SUBMISSION_SIGNATURES.c
    conditions = (table.submission == submission.id, table.version == submission.version)
    wanted = select(table.account, table.key, table.assertion).where(*conditions)
    row = connection.execute(wanted).one_or_none()
    return None if row is None else PasskeySignature(*row)


_REMEMBERED: Final = 20  # contents in which columns were chosen
_OF_SUBMISSION: Final = "submission:"  # begins the idempotency key of its commit


class SubmissionState(StrEnum):
    """How far a submission has come."""

    DRAFT = "draft"
    HANDED_IN = "handed-in"
    HANDED_BACK = "handed-back"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"

    @property
    def is_open(self) -> bool:
        """Whether it can still be changed or decided."""
        return self in OPEN


OPEN: Final = frozenset(
    {SubmissionState.DRAFT, SubmissionState.HANDED_IN, SubmissionState.HANDED_BACK}
)


CLOSED: Final = frozenset(SubmissionState) - OPEN
"""The states in which nothing more becomes of a submission."""


def key_of_submission(id_: str) -> str:
    """Returns the idempotency key of the commit of a submission, or of a claim, by its id."""
    return f"{_OF_SUBMISSION}{id_}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A submission as it stands; instants are seconds since 1970.

    ``content`` says what is asked for, as JSON; ``sha256`` is that of its file. ``turn`` counts
    the steps, ``version`` the contents.
    """

    id: str
    kind: str
    state: SubmissionState
    account: str
    turn: int
    version: int
    title: str
    content: str
    sha256: str | None
    made_at: int
    changed_at: int
    decided_by: str | None
    commit_id: int | None

    @property
    def key(self) -> str:
        """The idempotency key of its commit: there is one at most."""
        return key_of_submission(self.id)

    def is_of(self, content: str, file: SubmittedFile | None) -> bool:
        """Whether this is what was handed over: a content, as JSON, and a file."""
        return (self.content, self.sha256) == (content, file.sha256 if file else None)


@dataclass(frozen=True, slots=True)
class SubmissionStep:
    """What was done with a submission, by whom and when; the comment is for people."""

    number: int
    at: int
    account: str
    what: str
    comment: str


@dataclass(frozen=True, slots=True)
class SubmittedFile:
    """A file by its digest (SHA-256, hexadecimal)."""

    sha256: str
    data: bytes

    @classmethod
    def of(cls, data: bytes) -> SubmittedFile:
        """Returns the file of some bytes."""
        return cls(hashlib.sha256(data).hexdigest(), data)


# What is there


def find(connection: Connection, id_: str) -> Submission | None:
    """Returns a submission; None where there is none."""
    wanted = select(SUBMISSIONS).where(SUBMISSIONS.c.id == id_)
    row = connection.execute(wanted).mappings().one_or_none()
    return None if row is None else _submission(row)


def listed(
    connection: Connection,
    *,
    account: str | None = None,
    drafts_of: str | None = None,
    states: frozenset[SubmissionState],
    before: tuple[int, str] | None = None,
    limit: int,
) -> list[Submission]:
    """Returns submissions in some states, those changed last first.

    Args:
        connection: to the office.
        account: only those of this one.
        drafts_of: of drafts only those of this account.
        states: the states.
        before: only those that come after this one in the list: when it was changed, and its id.
        limit: how many at most.
    """
    table = SUBMISSIONS.c
    wanted = select(SUBMISSIONS).where(table.state.in_(sorted(states)))
    if account is not None:
        wanted = wanted.where(table.account == account)
    if drafts_of is not None:
        is_seen = or_(table.state != SubmissionState.DRAFT, table.account == drafts_of)
        wanted = wanted.where(is_seen)
    if before is not None:
        at, id_ = before
        older = or_(table.changed_at < at, and_(table.changed_at == at, table.id < id_))
        wanted = wanted.where(older)
    ordered = wanted.order_by(table.changed_at.desc(), table.id.desc()).limit(limit)
    return [_submission(row) for row in connection.execute(ordered).mappings()]


def contents_with_columns(connection: Connection, account: str) -> list[str]:
    """Returns the last contents of an account that say what stands under headings."""
    table = SUBMISSIONS.c
    wanted = select(table.content).where(
        table.account == account, table.kind == "document", table.content.like('%"columns":{"%')
    )
    newest = wanted.order_by(table.changed_at.desc(), table.id.desc())
    return list(connection.scalars(newest.limit(_REMEMBERED)))


def steps(connection: Connection, id_: str) -> list[SubmissionStep]:
    """Returns what was done with a submission, in order."""
    table = SUBMISSION_STEPS.c
    wanted = select(table.number, table.at, table.account, table.what, table.comment)
    ordered = wanted.where(table.submission == id_).order_by(table.number)
    return [SubmissionStep(*row) for row in connection.execute(ordered)]


def submission_of_key(key: str) -> str | None:
    """Returns the id of the submission whose commit has an idempotency key; None of any other."""
    return key.removeprefix(_OF_SUBMISSION) if key.startswith(_OF_SUBMISSION) else None


def has_file(connection: Connection, submission: Submission) -> bool:
    """Whether the file of a submission is kept; not every one has any."""
    return bool(connection.scalar(select(func.count()).where(_its_file(submission))))


def data_of(connection: Connection, submission: Submission) -> bytes:
    """Returns the file of a submission; nothing where it has none, or it was thrown away."""
    found = connection.scalar(select(SUBMISSION_FILES.c.data).where(_its_file(submission)))
    return b"" if found is None else bytes(found)


# Steps


def check_not_recorded(id_: str, connection: Connection) -> None:
    """Raises ``Conflict`` while a job records the submission: nobody takes a step of it."""
    if any(job.parameters["submission"] == id_ for job in alive(connection, "record")):
        raise Conflict("submission.being_recorded")


def add(connection: Connection, submission: Submission, file: SubmittedFile | None) -> None:
    """Keeps a new submission, with its file."""
    _keep(connection, file)
    connection.execute(insert(SUBMISSIONS).values(asdict(submission)))
    _note(
        connection,
        submission.id,
        submission.turn,
        submission.changed_at,
        (submission.account, submission.state, ""),
    )


def take_step(
    connection: Connection,
    seen: Submission,
    *,
    state: SubmissionState,
    account: str,
    at: int,
    comment: str = "",
    commit_id: int | None = None,
) -> bool:
    """Brings a submission into a state; returns whether it still was as it was seen.

    What was signed of it goes.
    """
    decided = state in {SubmissionState.ACCEPTED, SubmissionState.REFUSED}
    changed = _changed(
        connection, seen, state=state, changed_at=at, commit_id=commit_id,
        decided_by=account if decided else None,
    )  # fmt: skip
    if changed:
        _note(connection, seen.id, seen.turn + 1, at, (account, state, comment))
        of_state = SUBMISSION_SIGNATURES.c.submission == seen.id  # in which it was
        connection.execute(delete(SUBMISSION_SIGNATURES).where(of_state))
        if not state.is_open:  # where it was made of a claim, that is decided as well
            accepted = state is SubmissionState.ACCEPTED
            end_claim(
                connection, seen.id, ClaimState.ACCEPTED if accepted else ClaimState.REFUSED,
                at=at, account=account, reason=comment, commit_id=commit_id,
            )  # fmt: skip
    return changed


def mend(
    connection: Connection,
    seen: Submission,
    *,
    title: str,
    content: str,
    file: SubmittedFile | None,
    at: int,
) -> bool:
    """Puts another content in place; returns whether the submission still was as it was seen.

    The file in whose place another one comes is thrown away.
    """
    changed = _changed(
        connection, seen, state=SubmissionState.DRAFT, changed_at=at, title=title, content=content,
        version=seen.version + 1, sha256=file.sha256 if file else seen.sha256,
    )  # fmt: skip
    if changed:
        _forget_files(connection, SUBMISSIONS.c.state == SubmissionState.WITHDRAWN)
        _keep(connection, file)
        _note(connection, seen.id, seen.turn + 1, at, (seen.account, "mended", ""))
    return changed


def blank(
    connection: Connection, seen: Submission, *, title: str, content: str, account: str, at: int
) -> bool:
    """Puts a content in place that says no names; the comments go.

    Returns whether the submission still was as it was seen.
    """
    changed = _changed(connection, seen, title=title, content=content)
    if changed:
        condition = SUBMISSION_STEPS.c.submission == seen.id
        connection.execute(update(SUBMISSION_STEPS).where(condition).values(comment=""))
        _note(connection, seen.id, seen.turn + 1, at, (account, "blanked", ""))
    return changed


def rename(connection: Connection, id_: str, *, title: str, content: str) -> None:
    """Puts another title in place, and a content that says the same; that is no step."""
    statement = update(SUBMISSIONS).where(SUBMISSIONS.c.id == id_)
    connection.execute(statement.values(title=title, content=content))


def open_count(connection: Connection, account: str) -> int:
    """Returns how many submissions of an account are open."""
    table = SUBMISSIONS.c
    condition = and_(table.account == account, table.state.in_(sorted(OPEN)))
    return connection.scalar(select(func.count()).select_from(SUBMISSIONS).where(condition)) or 0


def oldest_preview(connection: Connection, account: str) -> Submission | None:
    """Return the oldest draft of an account that was only looked at; None where there is none.

    A draft that was mended or handed in is none, nor is what a claim was made to.
    """
    table = SUBMISSIONS.c
    is_own = and_(table.account == account, table.id.not_in(select(CLAIMS.c.id)))
    untouched = and_(table.state == SubmissionState.DRAFT, table.turn == 1)
    drafts = select(SUBMISSIONS).where(is_own, untouched)
    row = (
        connection.execute(drafts.order_by(table.changed_at, table.id).limit(1)).mappings().first()
    )
    return None if row is None else _submission(row)


def awaiting_count(connection: Connection) -> int:
    """Returns how many submissions await a decision."""
    waits = SUBMISSIONS.c.state == SubmissionState.HANDED_IN
    return connection.scalar(select(func.count()).select_from(SUBMISSIONS).where(waits)) or 0


def forget_old(connection: Connection, before: int) -> None:
    """Throws away what has names: of what is withdrawn, or was decided before an instant.

    These are files, unless another submission has the same one, previews, and links to them.
    """
    table = SUBMISSIONS.c
    decided = and_(table.changed_at < before, table.state.not_in(sorted(OPEN)))
    old = or_(decided, table.state == SubmissionState.WITHDRAWN)
    ids = select(table.id).where(old)
    for kept in (SUBMISSION_PREVIEWS, SUBMISSION_LINKS):
        connection.execute(delete(kept).where(kept.c.submission.in_(ids)))
    _forget_files(connection, old)


def _forget_files(connection: Connection, old: ColumnElement[bool]) -> None:
    """Throws away the files that no submission has any more, but such as are old."""
    table = SUBMISSIONS.c
    in_use = select(table.sha256).where(not_(old), table.sha256.is_not(None))
    unused = SUBMISSION_FILES.c.sha256.not_in(in_use)
    connection.execute(delete(SUBMISSION_FILES).where(unused))


def _submission(row: Mapping[Any, Any]) -> Submission:
    return Submission(**{**row, "state": SubmissionState(row["state"])})


def _keep(connection: Connection, file: SubmittedFile | None) -> None:
    if file is None:
        return
    known = select(SUBMISSION_FILES.c.sha256).where(SUBMISSION_FILES.c.sha256 == file.sha256)
    if connection.execute(known).first() is None:
        connection.execute(insert(SUBMISSION_FILES).values(sha256=file.sha256, data=file.data))


def _its_file(submission: Submission) -> ColumnElement[bool]:
    """Returns which file is its: what is withdrawn has none, though others have the same."""
    is_kept = submission.state is not SubmissionState.WITHDRAWN
    return SUBMISSION_FILES.c.sha256 == (submission.sha256 if is_kept else None)


def _changed(connection: Connection, seen: Submission, **values: object) -> bool:
    same = and_(SUBMISSIONS.c.id == seen.id, SUBMISSIONS.c.turn == seen.turn)
    done = connection.execute(update(SUBMISSIONS).where(same).values(turn=seen.turn + 1, **values))
    return done.rowcount == 1


def _note(
    connection: Connection, id_: str, number: int, at: int, entry: tuple[str, str, str]
) -> None:
    account, what, comment = entry
    row = {"number": number, "at": at, "account": account, "what": what, "comment": comment}
    connection.execute(insert(SUBMISSION_STEPS).values(submission=id_, **row))
