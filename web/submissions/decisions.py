"""The steps of a submission: drafted, handed in, handed back, withdrawn, refused, accepted.

Accepting is one commit in the journal, under the submission's own idempotency key. It is made while
nobody can take another step, at the head at which the preview was seen: within the office's only
writer, or where it takes long by a job, as long as which nobody takes a step. The journal is
what holds: where a server ended between the commit and the note of it, whoever looks next finds the
commit by its key and notes it then.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any, Final

from ledger.application.erasures import finish_erasures
from ledger.application.ledger import Ledger, Request
from ledger.application.passkeys import PasskeyOwner, PasskeySignature
from ledger.application.two_persons import lists_in_force, people_of
from ledger.errors import Conflict, InputRefused, NotFound
from ledger.journal.records import Commit
from ledger.wording import visible
from web.office import proposals
from web.office import submissions as kept
from web.office.digests import digest_of, new_secret
from web.office.erasures import begin_again, sweep_of
from web.office.jobs import Job, job_of, known, start
from web.office.store import Office
from web.office.submissions import (
    CLOSED,
    Submission,
    SubmissionState,
    SubmissionStep,
    SubmittedFile,
)
from web.reasons import fitting_reason
from web.site import Site
from web.submissions.contents import AnyContent, read_content
from web.submissions.interruptions import PreviewAwaited, PreviewMoved, SubmissionMoved
from web.submissions.mentions import forget_spared, is_spared, named_in, submissions_naming
from web.submissions.previews import SubmissionPreview, made_preview
from web.submissions.proposals import check_size, proposed

_TRIES: Final = 3
_DAY: Final = 86_400
ID: Final = re.compile(r"[A-Za-z0-9_-]{16}")
"""What an id of a submission looks like."""
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_LINE: Final = 500  # letters
MOST_OPEN: Final = 50
"""So many submissions of an account may be open."""
KEPT_DAYS: Final = 90
"""So long files and previews are kept of what is decided."""
PAGE: Final = 100
"""So many submissions are shown at once."""
LINK_DAYS: Final = 14
"""So long a link to a preview can be followed."""


class SubmissionDesk:
    """Takes the steps of submissions.

    Args:
        office: where they are kept.
        site: the ledger.
        is_job: whether this is the process that does what takes long, and not the site.
        owner: who takes a step and can sign with a passkey, if anybody does.
    """

    def __init__(
        self, office: Office, site: Site, *, is_job: bool = False, owner: PasskeyOwner | None = None
    ) -> None:
        self._office = office
        self._site = site
        self._is_job = is_job
        self._owner = owner

    # Looking

    def found(self, id_: str) -> Submission:
        """Returns a submission as it stands; raises ``NotFound`` where there is none."""
        if not ID.fullmatch(id_):
            raise NotFound("submission.unknown")
        with self._office.reading() as connection:
            submission = kept.find(connection, id_)
        if submission is None:
            raise NotFound("submission.unknown")
        return self.settled(submission)

    def settled(self, submission: Submission) -> Submission:
        """Returns a submission as the journal has it: accepted, if its commit is there."""
        commit = self._commit(submission) if submission.state.is_open else None
        if commit is None:
            return submission
        first, second = people_of(commit.actor)
        spared = is_spared(self._site, submission)
        with self._office.writing() as connection:
            kept.take_step(
                connection, submission, state=SubmissionState.ACCEPTED, account=second or first,
                at=self._office.now(), what=SubmissionState.ACCEPTED, commit_id=commit.commit_id,
            )  # fmt: skip
            if spared:
                begin_again(connection)
            noted = kept.find(connection, submission.id)
        assert noted is not None, "submissions are never thrown away"
        forget_spared(self._office)
        return noted

    def data_of(self, submission: Submission) -> bytes:
        """Returns the file of a submission."""
        with self._office.reading() as connection:
            return kept.data_of(connection, submission)

    def has_file(self, submission: Submission) -> bool:
        """Whether its file is kept: not of what was withdrawn, nor of what was decided long ago."""
        with self._office.reading() as connection:
            return kept.has_file(connection, submission)

    def preview(self, submission: Submission, *, again: bool = True) -> SubmissionPreview:
        """Returns the preview of a submission as known now; each is made once and kept.

        Args:
            submission: as it stands.
            again: whether a job makes it also where the one before was given up.

        Raises:
            PreviewAwaited: it takes long and was not made yet.
        """
        head = self._site.head()
        with self._office.reading() as connection:
            there, sweep = kept.preview_at(connection, submission, head), sweep_of(connection)
        if there is not None:
            return SubmissionPreview.of(there)
        if self._takes_long(submission):
            raise PreviewAwaited(self._looking(submission, again=again))
        data = self.data_of(submission)
        made = self._site.record(made_preview, submission, data)
        erased = read_content(submission.content).erases
        if erased is not None and made.can_be_recorded:
            naming = submissions_naming(self._office, self._site, erased)
            made = made.noted(naming, named_in(naming))
        with self._office.writing() as connection:
            if sweep_of(connection) == sweep:  # else it may name somebody who was erased meanwhile
                kept.keep_preview(connection, submission, made.kept)
        return made

    def _looking(self, submission: Submission, *, again: bool) -> Job:
        """Returns the job that makes a preview; it is begun where none does, or did in vain."""
        told = {"submission": submission.id, "version": submission.version}
        last = known(self._office, "look", told)
        if last is not None and last.is_given_up and not again:
            return last
        return job_of(self._office, start(self._office, "look", told, submission.account))

    def shown_preview(self, submission: Submission) -> SubmissionPreview | None:
        """Returns the preview that is shown: as known now; of what is decided the last one kept.

        Raises:
            PreviewAwaited: as ``preview``; looking begins nothing anew that was given up.
        """
        if submission.state.is_open:
            return self.preview(submission, again=False)
        with self._office.reading() as connection:
            there = kept.last_preview(connection, submission)
        return None if there is None else SubmissionPreview.of(there)

    def steps(self, submission: Submission) -> list[SubmissionStep]:
        """Returns what was done with a submission, in order."""
        with self._office.reading() as connection:
            return kept.steps(connection, submission.id)

    def links(self, submission: Submission) -> list[int]:
        """Returns when the links to a submission's preview expire."""
        with self._office.reading() as connection:
            return kept.links(connection, submission, self._office.now())

    def listed(
        self,
        account: str | None,
        states: frozenset[SubmissionState],
        before: tuple[int, str] | None = None,
        *,
        drafts_of: str | None = None,
    ) -> list[Submission]:
        """Returns submissions as they stand, those changed last first (see ``PAGE``).

        Args:
            account: only those of this one.
            states: in which they are.
            before: only those that follow this one: when it was changed, and its id.
            drafts_of: of drafts only those of this account.
        """
        with self._office.reading() as connection:
            there = kept.listed(
                connection, account=account, drafts_of=drafts_of, states=states,
                before=before, limit=PAGE,
            )  # fmt: skip
        return [self.settled(each) for each in there]

    def needs_two(self) -> bool:
        """Whether somebody else than who handed in must accept."""
        return self._site.newest().ask(lambda ledger: bool(lists_in_force(ledger.facts())))

    # Handing in

    def draft(
        self, id_: str, account: str, content: AnyContent, file: SubmittedFile | None
    ) -> Submission:
        """Keeps a draft; the same one again is the one that is there.

        Raises:
            Conflict: something else was handed over under the id, or too much of the account waits.
            NotFound: another account has the id.
            InputRefused: it may not be kept.
        """
        self._site.record(content.check)
        now = self._office.now()
        made = Submission(
            id=id_, kind=content.kind, state=SubmissionState.DRAFT, account=account, turn=1,
            version=1, title=_line(content.title), content=content.model_dump_json(),
            sha256=file.sha256 if file else None, made_at=now, changed_at=now, decided_by=None,
            commit_id=None,
        )  # fmt: skip
        with self._office.writing() as connection:
            there = kept.find(connection, id_)
            if there is None:
                if kept.open_count(connection, account) >= MOST_OPEN:
                    raise Conflict("submission.too_many", most=MOST_OPEN)
                kept.forget_old(connection, now - KEPT_DAYS * _DAY)
                kept.add(connection, made, file)
                return made
        if there.account != account:
            raise NotFound("submission.unknown")
        if not there.is_of(made.content, file):
            raise Conflict("submission.key_used", title=there.title)
        return there

    def mend(
        self, seen: Submission, turn: int, content: AnyContent, file: SubmittedFile | None
    ) -> None:
        """Puts another content in place of what is a draft, or was handed back.

        Raises:
            SubmissionMoved: somebody took a step since.
        """
        _check(seen, turn, SubmissionState.DRAFT, SubmissionState.HANDED_BACK)
        self._site.record(content.check)
        spared = file is not None and is_spared(self._site, seen)
        with self._office.writing() as connection:
            done = kept.mend(
                connection, seen, title=_line(content.title), content=content.model_dump_json(),
                file=file, at=self._office.now(),
            )  # fmt: skip
            if done and spared:
                begin_again(connection)
        self._require_done(seen, done=done)
        forget_spared(self._office)

    def hand_in(self, seen: Submission, turn: int, account: str) -> None:
        """Hands a draft in; raises ``InputRefused`` where it could not be recorded."""
        _check(seen, turn, SubmissionState.DRAFT)
        content = read_content(seen.content)
        check_size(self._site, content, account)
        now = self.preview(seen)
        if not now.can_be_recorded:
            raise InputRefused("submission.cannot")
        if now.records_nothing:
            raise InputRefused("submission.nothing_new")
        signature = proposed(self._site, seen, content, self.data_of(seen), self._owner)
        self._step(seen, SubmissionState.HANDED_IN, account, signature=signature)

    def withdraw(self, seen: Submission, turn: int, account: str) -> None:
        """Takes back what is not decided yet; its file and previews go, and its links end."""
        _check(seen, turn, *kept.OPEN)
        self._step(seen, SubmissionState.WITHDRAWN, account)

    # Deciding

    def hand_back(self, seen: Submission, turn: int, account: str, comment: str) -> None:
        """Hands a submission back to be mended, with a comment."""
        self._judge(seen, turn, SubmissionState.HANDED_BACK, account, comment)

    def refuse(self, seen: Submission, turn: int, account: str, comment: str) -> None:
        """Refuses a submission for good, with a reason."""
        self._judge(seen, turn, SubmissionState.REFUSED, account, comment)

    def _judge(
        self, seen: Submission, turn: int, state: SubmissionState, account: str, comment: str
    ) -> None:
        """Says of what somebody else handed in why it is not recorded."""
        _check(seen, turn, SubmissionState.HANDED_IN)
        if seen.account == account:
            raise InputRefused("submission.own_step")
        if not comment.strip():
            raise InputRefused("submission.needs_comment")
        self._step(seen, state, account, comment)

    def accept(self, id_: str, turn: int, account: str, digest: str) -> str | None:
        """Records what was handed in, if it still comes to what was seen.

        What takes long is left to a job, whose id is returned.

        Args:
            id_: which one.
            turn: as it was seen.
            account: the officer who accepts it.
            digest: that of the preview that was seen.

        Raises:
            SubmissionMoved: somebody took a step since.
            PreviewMoved: it would come to something else by now.
            PreviewAwaited: to what it comes by now takes long to find out.
            InputRefused, Conflict: it cannot be recorded, or a job of somebody else does it.
        """
        for _ in range(_TRIES):
            seen = self.found(id_)
            _check(seen, turn, SubmissionState.HANDED_IN)
            if seen.account == account and self.needs_two():
                raise InputRefused("submission.own")
            now = self.preview(seen)
            if now.digest != digest:
                raise PreviewMoved(self._preview_seen(seen, digest), now)
            if not now.can_be_recorded:
                raise InputRefused("submission.cannot")
            if self._takes_long(seen):
                check_size(self._site, read_content(seen.content), seen.account, account)
                told = {"submission": id_, "turn": turn, "account": account, "digest": digest}
                check = partial(kept.check_not_recorded, id_)
                return start(self._office, "record", told, account, check=check)
            try:
                self._record(seen, account, now.seq)
            except Conflict as error:
                if error.message.key != "database.moved_on":
                    raise
            else:
                forget_spared(self._office)
                if read_content(seen.content).erases is not None:
                    self._site.record(finish_erasures)  # takes long: nobody waits for the office
                return None
        raise Conflict("submission.busy")

    def _record(self, seen: Submission, account: str, seq: int) -> None:
        """Records a submission at a seq and notes it, while nobody else can take a step."""
        content, spared = read_content(seen.content), is_spared(self._site, seen)
        with self._office.reading() as connection:
            signature = proposals.signature_of(connection, seen)
        asked = Request(
            actor=seen.account,
            reason=content.reason,
            idempotency_key=seen.key,
            body="",
            second=None if account == seen.account else account,
            at_seq=seq,
            owner=self._owner,
            proposed=signature,
        )
        if self._is_job:  # nobody takes another step, and nobody who signs in has to wait for it
            with self._office.reading() as connection:
                _check_same(seen, kept.find(connection, seen.id))
                data = kept.data_of(connection, seen)
            receipt = self._site.record(content.carried_out, data, asked)
            with self._office.writing() as connection:
                kept.take_step(connection, seen, commit_id=receipt.commit_id, **self._by(account))
                if spared:
                    begin_again(connection)
            self._site.record(Ledger.seal, receipt)
            return
        with self._office.writing() as connection:
            _check_same(seen, kept.find(connection, seen.id))
            data = kept.data_of(connection, seen)
            receipt = self._site.record(content.carried_out, data, asked)
            kept.take_step(connection, seen, commit_id=receipt.commit_id, **self._by(account))
            if spared:
                begin_again(connection)

    def _by(self, account: str) -> dict[str, Any]:
        """Returns the step by which an account accepts a submission."""
        accepted = SubmissionState.ACCEPTED
        return {"state": accepted, "what": accepted, "account": account, "at": self._office.now()}

    def _takes_long(self, submission: Submission) -> bool:
        """Whether a job is to do it, and this is none."""
        return read_content(submission.content).is_large and not self._is_job

    def _step(
        self,
        seen: Submission,
        state: SubmissionState,
        account: str,
        comment: str = "",
        signature: PasskeySignature | None = None,
    ) -> None:
        """Takes a step other than accepting; no commit can come while it is taken."""
        spared = not state.is_open and is_spared(self._site, seen)
        with self._office.writing() as connection:
            kept.check_not_recorded(seen.id, connection)
            done = self._commit(seen) is None and kept.take_step(
                connection, seen, state=state, account=account, at=self._office.now(), what=state,
                comment=visible(fitting_reason(comment)),
            )  # fmt: skip
            if done and signature is not None:
                proposals.keep(connection, seen, signature)
            if done and state is SubmissionState.WITHDRAWN:
                kept.forget_withdrawn(connection, seen)
            if done and spared:
                begin_again(connection)
        self._require_done(seen, done=done)
        forget_spared(self._office)

    def _require_done(self, seen: Submission, *, done: bool) -> None:
        if not done:
            raise SubmissionMoved(self.found(seen.id))

    def _commit(self, submission: Submission) -> Commit | None:
        key = submission.key
        return self._site.record(lambda ledger: ledger.journal.commit_with_key(key))

    def _preview_seen(self, submission: Submission, digest: str) -> SubmissionPreview | None:
        if not _DIGEST.fullmatch(digest):
            return None
        with self._office.reading() as connection:
            there = kept.preview_seen(connection, submission, digest)
        return None if there is None else SubmissionPreview.of(there)

    # Forgetting

    def blank(self, seen: Submission, turn: int, account: str) -> None:
        """Takes away what people wrote of what is decided: it may name who was erased.

        Raises:
            SubmissionMoved: somebody took a step since, or it is not decided yet.
        """
        _check(seen, turn, *CLOSED)
        content = read_content(seen.content).without_words(seen.id)
        with self._office.writing() as connection:
            done = kept.blank(
                connection, seen, title=_line(content.title), content=content.model_dump_json(),
                account=account, at=self._office.now(),
            )  # fmt: skip
            if done:
                begin_again(connection)  # no byte of it stays
        self._require_done(seen, done=done)
        forget_spared(self._office)

    # Sharing

    def share(self, submission: Submission) -> str:
        """Makes a link to a submission's preview; returns its secret part, which is not kept."""
        secret = new_secret()
        expires_at = self._office.now() + LINK_DAYS * _DAY
        with self._office.writing() as connection:
            kept.share(connection, submission, digest_of(secret), expires_at)
        return secret

    def unshare(self, submission: Submission) -> None:
        """Ends the links to a submission's preview."""
        with self._office.writing() as connection:
            kept.unshare(connection, submission)

    def shared(self, secret: str) -> Submission:
        """Returns the submission of a link.

        Raises:
            NotFound: there is no such link, or it has expired.
        """
        with self._office.reading() as connection:
            submission = kept.shared(connection, digest_of(secret), self._office.now())
        if submission is None:
            raise NotFound("submission.no_link")
        return self.settled(submission)


def _line(text: str) -> str:
    """Returns a text as it can be kept and shown in a line."""
    return visible(text.strip())[:_LINE]


def _check(seen: Submission, turn: int, *states: SubmissionState) -> None:
    """Raises ``SubmissionMoved`` where a step was taken since somebody looked."""
    if seen.turn != turn or seen.state not in states:
        raise SubmissionMoved(seen)


def _check_same(seen: Submission, now: Submission | None) -> None:
    assert now is not None, "submissions are never thrown away"
    if now.turn != seen.turn:
        raise SubmissionMoved(now)
