"""The steps of a submission: drafted, handed in, handed back, withdrawn, refused, accepted.

Accepting is one commit in the journal, under the submission's own idempotency key. It is made while
nobody can take another step, at the head at which the preview was seen: within the office's only
writer, or where it takes long by a job, as long as which nobody takes a step.

Who hands something in signs it, where the account signs: somebody else records it later.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final

from ledger.errors import Conflict, InputRefused, NotFound
from ledger.identifiers import Seq
from ledger.service.accounts import rights_of
from ledger.service.ledger import Ledger, Request
from ledger.terms import Role
from ledger.trust.erased_bytes import finish_erasures
from ledger.trust.passkeys import PasskeyOwner, PasskeySignature, SignatureAwaited
from ledger.trust.rights import RequiredRights
from ledger.trust.signers import unsigned_by
from ledger.wording import visible
from web.office import submissions as kept
from web.office.erasures import begin_sweep, mask_files
from web.office.jobs import start
from web.office.submissions import Submission, SubmissionState, SubmittedFile
from web.refusals import fitting_reason
from web.site import Site
from web.submissions.contents import AnyContent, read_content
from web.submissions.life import LIFE, StepName, Taker
from web.submissions.mentions import forget_spared, is_spared, names_at, untie_erased
from web.submissions.previews import PreviewMoved, SubmissionMoved
from web.submissions.records import SubmissionRecords


def check_size(site: Site, content: AnyContent, *accounts: str) -> None:
    """Refuses what a job would record, where nobody could sign it with a passkey."""
    for account in accounts:
        if content.is_large and _signs(site, account):
            raise InputRefused("signing.large", account=account)


def proposed(
    site: Site, submission: Submission, content: AnyContent, data: bytes, owner: PasskeyOwner | None
) -> PasskeySignature | None:
    """Returns what who hands a submission in has signed of it; None where the account has no key.

    Raises:
        SignatureAwaited: it is to be signed first, or comes to something else by now.
        InputRefused: the account has a key, and none of its passkeys is here.
    """
    if not _signs(site, submission.account):
        return None
    rights = site.newest().ask(rights_of, submission.account)
    if owner is None or not owner.keys & rights.keys_in_force:
        raise unsigned_by(rights, owner)
    request_ = Request(
        actor=submission.account, reason=content.reason, idempotency_key=submission.key, body="",
        owner=replace(owner, proposes=True),
    )  # fmt: skip
    try:
        site.preview(content.carried_out, data, request_)
    except SignatureAwaited as awaited:
        if owner.draft is not None and owner.draft.text == awaited.draft.text:
            return owner.signature
        raise
    return None  # there is nothing to record


def _signs(site: Site, account: str) -> bool:
    return bool(site.newest().ask(rights_of, account).keys_in_force)


_TRIES: Final = 3
_DAY: Final = 86_400
_LINE: Final = 500  # letters
MOST_OPEN: Final = 50
"""So many submissions of an account may be open."""
KEPT_DAYS: Final = 90
"""So long files and previews are kept of what is decided."""


class SubmissionDesk(SubmissionRecords):
    """Takes the steps of submissions."""

    # Handing in

    def draft(
        self, id_: str, account: str, content: AnyContent, file: SubmittedFile | None
    ) -> Submission:
        """Keeps a draft; the same one again is the one that is there.

        Whoever only looks is never stopped: the oldest draft that was only looked at gives way.

        Raises:
            Conflict: something else was handed over under the id, or too much of the account waits.
            NotFound: another account has the id.
            InputRefused: it may not be kept, or could not be signed.
        """
        check_size(self._site, content, account)  # before somebody works on what cannot be signed
        self._site.newest().ask(content.check)
        self._make_room(id_, account)
        now = self._office.now()
        submission = Submission(
            id=id_, kind=content.kind, state=SubmissionState.DRAFT, account=account, turn=1,
            version=1, title=_line(content.title), content=content.model_dump_json(),
            sha256=file.sha256 if file else None, made_at=now, changed_at=now, decided_by=None,
            commit_id=None,
        )  # fmt: skip
        with self._office.writing() as connection:
            known_ = kept.find(connection, id_)
            is_full = known_ is None and kept.open_count(connection, account) >= MOST_OPEN
            if known_ is None and not is_full:
                self._forget_old(connection)
                kept.add(connection, submission, file)
                return submission
        if known_ is None:  # another draft of the account took the room meanwhile
            return self.draft(id_, account, content, file)
        if known_.account != account:
            raise NotFound("submission.unknown")
        if not known_.is_of(submission.content, file):
            raise Conflict("submission.key_used", title=known_.title)
        return known_

    def _make_room(self, id_: str, account: str) -> None:
        """Withdraw the oldest draft that was only looked at, where too much of an account is open.

        Raises:
            Conflict: all that is open was mended, or awaits a decision.
        """
        with self._office.reading() as connection:
            is_new = kept.find(connection, id_) is None
            is_full = is_new and kept.open_count(connection, account) >= MOST_OPEN
            oldest = kept.oldest_preview(connection, account) if is_full else None
        if is_full and oldest is None:
            raise Conflict("submission.too_many", most=MOST_OPEN)
        if oldest is not None:
            with suppress(SubmissionMoved):  # then there is room as well
                self._step(oldest, SubmissionState.WITHDRAWN, account)

    def mend(
        self, seen: Submission, turn: int, content: AnyContent, file: SubmittedFile | None
    ) -> None:
        """Puts another content in place of what is a draft, or was handed back.

        Raises:
            SubmissionMoved: somebody took a step since.
        """
        _check(seen, turn, StepName.MEND)
        check_size(self._site, content, seen.account)
        self._site.newest().ask(content.check)
        spared = file is not None and is_spared(self._site, seen)
        mended = partial(
            kept.mend, seen=seen, title=_line(content.title), content=content.model_dump_json(),
            file=file, at=self._office.now(),
        )  # fmt: skip
        self._change(seen, mended, spared=spared)

    def take(
        self, step: StepName, seen: Submission, turn: int, account: str, comment: str = ""
    ) -> None:
        """Takes a step by which nothing is recorded in the ledger; see ``LIFE``.

        Raises:
            SubmissionMoved: somebody took a step since.
            InputRefused: it could not be recorded, is one's own, or a comment is missing.
        """
        _check(seen, turn, step)
        move = LIFE[step]
        if move.taker is Taker.OTHER and seen.account == account:
            raise InputRefused("submission.own_step")
        if move.says_why and not comment.strip():
            raise InputRefused("submission.needs_comment")
        if move.to is None:
            self._blank(seen, account)
        else:
            signature = self._proposal(seen, account) if step is StepName.HAND_IN else None
            self._step(seen, move.to, account, comment, signature)

    def _proposal(self, seen: Submission, account: str) -> PasskeySignature | None:
        """Returns what is signed of a draft that is handed in; refuses what cannot be recorded."""
        content = read_content(seen.content)
        check_size(self._site, content, account)
        now = self.preview(seen)
        if not now.can_be_recorded:
            raise InputRefused("submission.cannot")
        if now.records_nothing:
            raise InputRefused("submission.nothing_new")
        return proposed(self._site, seen, content, self.data_of(seen), self._owner)

    # Deciding

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
            _check(seen, turn, StepName.ACCEPT)
            if seen.account == account and self.needs_two():
                raise InputRefused("submission.own")
            now = self.preview(seen)
            if now.digest != digest:
                raise PreviewMoved(self._preview_seen(seen, digest), now)
            if not now.can_be_recorded:
                raise InputRefused("submission.cannot")
            if self._takes_long(seen):
                check_size(self._site, read_content(seen.content), seen.account, account)
                job = {"submission": id_, "turn": turn, "account": account, "digest": digest}
                check = partial(kept.check_not_recorded, id_)
                return start(self._office, "record", job, account, check=check)
            erases = read_content(seen.content).erases
            if erases is not None:  # before it is recorded: afterwards nobody knows the name
                mask_files(self._office, names_at(self._site, erases).are_in)
            try:
                self._record(seen, account, now.seq)
            except Conflict as error:
                if error.message.key != "database.moved_on":
                    raise
            else:
                forget_spared(self._office)
                if erases is not None:
                    untie_erased(self._office, self._site, erases)
                    self._site.record(finish_erasures)  # takes long: nobody waits for the office
                return None
        raise Conflict("submission.busy")

    def _record(self, seen: Submission, account: str, seq: Seq) -> None:
        """Records a submission at a seq and notes it, while nobody else can take a step."""
        content, spared = read_content(seen.content), is_spared(self._site, seen)
        with self._office.reading() as connection:
            signature = kept.signature_of(connection, seen)
        board = Request(
            actor=seen.account,
            reason=content.reason,
            idempotency_key=seen.key,
            body="",
            second=None if account == seen.account else account,
            at_seq=seq,
            owner=self._owner,
            proposed=signature,
            rights=self._rights_of_job(account) if self._is_job else self._rights,
        )
        if not self._is_job:
            with self._office.writing() as connection:
                data = _data_of_same(connection, seen)
                commit = self._site.record(content.carried_out, data, board).commit_id
                self._note_accepted(connection, seen, account, commit, spared=spared)
            return
        # Nobody takes another step, and nobody who signs in has to wait for it.
        with self._office.reading() as connection:
            data = _data_of_same(connection, seen)
        receipt = self._site.record(content.carried_out, data, board)
        with self._office.writing() as connection:
            self._note_accepted(connection, seen, account, receipt.commit_id, spared=spared)
        self._site.record(Ledger.seal, receipt)

    def _rights_of_job(self, account: str) -> RequiredRights:
        """Returns what who accepted something must be when a job records it."""
        officer = frozenset({Role.OFFICER})
        return RequiredRights(account=account, roles=officer, since=self._site.head())

    # Forgetting

    def _blank(self, seen: Submission, account: str) -> None:
        """Takes away what people wrote of what is decided: it may name who was erased."""
        content = read_content(seen.content).without_words(seen.id)
        blanked = partial(
            kept.blank, seen=seen, title=_line(content.title), content=content.model_dump_json(),
            account=account, at=self._office.now(),
        )  # fmt: skip
        self._change(seen, blanked, spared=True)  # no byte of it stays

    def _forget_old(self, connection: Any) -> None:
        kept.forget_old(connection, self._office.now() - KEPT_DAYS * _DAY)

    # What steps have in common

    def _step(
        self,
        seen: Submission,
        state: SubmissionState,
        account: str,
        comment: str = "",
        signature: PasskeySignature | None = None,
    ) -> None:
        """Takes a step other than accepting; no commit can come while it is taken."""
        comment_ = visible(fitting_reason(comment))

        def taken(connection: Any) -> bool:
            kept.check_not_recorded(seen.id, connection)
            done = self._commit(seen) is None and kept.take_step(
                connection,
                seen,
                state=state,
                account=account,
                at=self._office.now(),
                comment=comment_,
            )
            if done and signature is not None:
                kept.keep(connection, seen, signature)
            if done and state is SubmissionState.WITHDRAWN:
                self._forget_old(connection)
            return done

        self._change(seen, taken, spared=not state.is_open and is_spared(self._site, seen))

    def _change(self, seen: Submission, change: Callable[[Any], bool], *, spared: bool) -> None:
        """Changes a submission; what was ``spared`` for its sake is thrown away then.

        Raises:
            SubmissionMoved: ``change``, which is given a connection to the office, says that it is
                not as it was seen any more.
        """
        with self._office.writing() as connection:
            done = change(connection)
            if done and spared:
                begin_sweep(connection)
        if not done:
            raise SubmissionMoved(self.found(seen.id))
        forget_spared(self._office)


def _line(text: str) -> str:
    """Returns a text as it can be kept and shown in a line."""
    return visible(text.strip())[:_LINE]


def _check(seen: Submission, turn: int, step: StepName) -> None:
    """Raises ``SubmissionMoved`` where a step was taken since somebody looked."""
    if seen.turn != turn or seen.state not in LIFE[step].states:
        raise SubmissionMoved(seen)


def _data_of_same(connection: Any, seen: Submission) -> bytes:
    """Returns the file of a submission; raises ``SubmissionMoved`` where a step was taken since."""
    now = kept.find(connection, seen.id)
    assert now is not None, "submissions are never thrown away"
    if now.turn != seen.turn:
        raise SubmissionMoved(now)
    return kept.data_of(connection, seen)
