"""Submissions as they stand, with what was seen of them: what pages and programs look at.

The journal is what holds: where a server ended between the commit of a submission and the note of
it, whoever looks next finds the commit by its key and notes it then.
"""

from __future__ import annotations

import re
from typing import Any, Final

from ledger.errors import NotFound
from ledger.journal.records import Commit
from ledger.trust.passkeys import PasskeyOwner
from ledger.trust.rights import RequiredRights
from ledger.trust.two_persons import lists_in_force, people_of
from web.office import submissions as kept
from web.office.erasures import begin_sweep, sweep_of
from web.office.jobs import Job, job_of, known, start
from web.office.store import Office, digest_of, new_secret
from web.office.submissions import Submission, SubmissionState, SubmissionStep
from web.site import Site
from web.submissions.contents import DocumentContent, read_content
from web.submissions.mentions import forget_spared, is_spared, named_in, submissions_naming
from web.submissions.previews import PreviewAwaited, SubmissionPreview, made_preview

ID: Final = re.compile(r"[A-Za-z0-9_-]{16}")
"""What an id of a submission looks like."""
PAGE: Final = 100
"""So many submissions are shown at once."""
LINK_DAYS: Final = 14
"""So long a link to a preview can be followed."""
_DAY: Final = 86_400
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


class SubmissionRecords:
    """Submissions as they stand: what ``SubmissionDesk`` takes steps of.

    Args:
        office: where they are kept.
        site: the ledger.
        is_job: whether this is the process that does what takes long, and not the site.
        owner: who takes a step and can sign with a passkey, if anybody does.
        rights: what who takes a step must be also when it is recorded, if anything.
    """

    def __init__(
        self, office: Office, site: Site, *, is_job: bool = False,
        owner: PasskeyOwner | None = None, rights: RequiredRights | None = None,
    ) -> None:  # fmt: skip
        self._office = office
        self._site = site
        self._is_job = is_job
        self._owner = owner
        self._rights = rights

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
            self._note_accepted(
                connection, submission, second or first, commit.commit_id, spared=spared
            )
            noted = kept.find(connection, submission.id)
        assert noted is not None, "submissions are never thrown away"
        forget_spared(self._office)
        return noted

    def _note_accepted(
        self,
        connection: Any,
        seen: Submission,
        account: str,
        commit_id: int | None,
        *,
        spared: bool,
    ) -> None:
        """Notes that a submission is recorded; None: there was nothing to record."""
        kept.take_step(
            connection, seen, state=SubmissionState.ACCEPTED, account=account,
            at=self._office.now(), commit_id=commit_id,
        )  # fmt: skip
        if spared:
            begin_sweep(connection)

    def _commit(self, submission: Submission) -> Commit | None:
        key = submission.key
        return self._site.newest().ask(lambda ledger: ledger.journal.commit_with_key(key))

    def data_of(self, submission: Submission) -> bytes:
        """Returns the file of a submission."""
        with self._office.reading() as connection:
            return kept.data_of(connection, submission)

    def column_choices(self, account: str) -> dict[str, dict[str, str]]:
        """Returns what an account chose last under headings, by the digest of each header."""
        with self._office.reading() as connection:
            contents = map(read_content, kept.contents_with_columns(connection, account))
        found: dict[str, dict[str, str]] = {}
        for content in contents:
            if isinstance(content, DocumentContent) and content.header:
                found.setdefault(content.header, content.columns)
        return found

    def has_file(self, submission: Submission) -> bool:
        """Whether its file is kept: not of what was withdrawn, nor of what was decided long ago."""
        with self._office.reading() as connection:
            return kept.has_file(connection, submission)

    def steps(self, submission: Submission) -> list[SubmissionStep]:
        """Returns what was done with a submission, in order."""
        with self._office.reading() as connection:
            return kept.steps(connection, submission.id)

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
            found_ = kept.listed(
                connection, account=account, drafts_of=drafts_of, states=states,
                before=before, limit=PAGE,
            )  # fmt: skip
        return [self.settled(each) for each in found_]

    def needs_two(self) -> bool:
        """Whether somebody else than who handed in must accept."""
        return self._site.newest().ask(lambda ledger: bool(lists_in_force(ledger.facts())))

    # Previews

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
            known_, sweep = kept.preview_at(connection, submission, head), sweep_of(connection)
        if known_ is not None:
            return SubmissionPreview.of(known_)
        if self._takes_long(submission):
            raise PreviewAwaited(self._looking(submission, again=again))
        data = self.data_of(submission)
        previewed = self._site.preview(made_preview, submission, data)
        erased = read_content(submission.content).erases
        if erased is not None and previewed.can_be_recorded:
            naming = submissions_naming(self._office, self._site, erased)
            previewed = previewed.noted(naming, named_in(naming))
        with self._office.writing() as connection:
            if sweep_of(connection) == sweep:  # else it may name somebody who was erased meanwhile
                kept.keep_preview(connection, submission, previewed.kept)
        return previewed

    def _looking(self, submission: Submission, *, again: bool) -> Job:
        """Returns the job that makes a preview; it is begun where none does, or did in vain."""
        job = {"submission": submission.id, "version": submission.version}
        last = known(self._office, "look", job)
        if last is not None and last.is_given_up and not again:
            return last
        return job_of(self._office, start(self._office, "look", job, submission.account))

    def _takes_long(self, submission: Submission) -> bool:
        """Whether a job is to do it, and this is none."""
        return read_content(submission.content).is_large and not self._is_job

    def shown_preview(self, submission: Submission) -> SubmissionPreview | None:
        """Returns the preview that is shown: as known now; of what is decided the last one kept.

        Raises:
            PreviewAwaited: as ``preview``; looking begins nothing anew that was given up.
        """
        if submission.state.is_open:
            return self.preview(submission, again=False)
        with self._office.reading() as connection:
            seen_ = kept.last_preview(connection, submission)
        return None if seen_ is None else SubmissionPreview.of(seen_)

    def _preview_seen(self, submission: Submission, digest: str) -> SubmissionPreview | None:
        if not _DIGEST.fullmatch(digest):
            return None
        with self._office.reading() as connection:
            seen_ = kept.preview_seen(connection, submission, digest)
        return None if seen_ is None else SubmissionPreview.of(seen_)

    # Links to previews

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

    def links(self, submission: Submission) -> list[int]:
        """Returns when the links to a submission's preview expire."""
        with self._office.reading() as connection:
            return kept.links(connection, submission, self._office.now())

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
