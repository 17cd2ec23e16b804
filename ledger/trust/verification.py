"""Verifies a ledger: everything that is stored, and every list that was ever published."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final

from ledger.derived.facts_reader import makes_no_sense
from ledger.derived.segments import Trial, vouch
from ledger.derived.store import readable
from ledger.errors import LedgerError, VerificationFailed
from ledger.events.lists import ListPublished
from ledger.facts.builder import FactsBuilder
from ledger.facts.columns import Facts
from ledger.facts.page_fold import FoldedPages, PageFold
from ledger.journal.checkpoint import Checkpoint, check_against
from ledger.journal.gc_pause import collector_resting
from ledger.journal.verify.check import Finding, Integrity, check
from ledger.journal.verify.ranges import PageReading
from ledger.journal.verify.rules import UNEXPECTED_VALUES
from ledger.json_form import HIDDEN, SHA256, After, JsonForm, Key, derived
from ledger.lists.committed_rows import rows_root
from ledger.lists.publications import lacks_erased_alone, publications, recalculated
from ledger.lists.rating_list import RatingList, rating_list
from ledger.trust.erased_bytes import finish_erasures
from ledger.trust.regulation_code import notice_other_code
from ledger.trust.signatures import SignatureCheck
from ledger.trust.snapshot_check import wrong_snapshots
from ledger.views.view import LedgerView, looked_at_again
from ledger.wording import Message


@dataclass(frozen=True, slots=True)
class FindingRow(JsonForm):
    """What is wrong with an event, or (None) with none in particular."""

    seq: int | None
    message: Message


@dataclass(frozen=True, slots=True)
class Verification(JsonForm):
    """What was looked at and what is wrong; nothing, when ``findings`` is empty.

    ``left_out`` counts the identity documents that an archive does not have because it was made
    without them, as its manifest says; then the bytes of lists, which hold names, are not compared.
    ``nameless`` counts the lists with people who were erased: of these neither.
    ``signed`` counts the commits whose signatures are good.
    """

    integrity: Annotated[Integrity, HIDDEN]
    lists: int
    checkpoint: int | None
    findings: Annotated[tuple[Finding, ...], HIDDEN]
    left_out: Annotated[int, After("")] = 0
    nameless: Annotated[int, Key("lists_without_names"), After("lists")] = 0
    signed: int = 0

    @property
    @derived
    def ok(self) -> Annotated[bool, After("")]:
        """Whether nothing is wrong."""
        return not self.findings

    @property
    @derived
    def commits(self) -> Annotated[int, After("ok")]:
        """How many there are."""
        return self.integrity.commits

    @property
    @derived
    def events(self) -> Annotated[int, After("commits")]:
        """How many there are."""
        return self.integrity.events

    @property
    @derived
    def root(self) -> Annotated[str, SHA256, After("events")]:
        """That of the tree over them."""
        return self.integrity.root

    @property
    @derived
    def erased(self) -> Annotated[int, After("root")]:
        """How many people were erased."""
        return self.integrity.erased

    @property
    @derived
    def rows(self) -> Annotated[tuple[FindingRow, ...], Key("findings")]:
        """The findings, as its JSON form has them."""
        return tuple(FindingRow(each.seq or None, each.message) for each in self.findings)


def verify(view: LedgerView, against: Checkpoint | None = None) -> Verification:
    """Checks hashes, density, roots, triggers, documents, published digests and signatures.

    What is kept beside the events is held against them: every segment against the fold, every
    snapshot against a replay, unless this user vouches for it. What proves right gets a voucher.
    In an archive that was made without personal documents none is missed, and of published lists
    the digests without names are compared; so are they of lists with people who were erased.

    Lists are replayed only when the journal itself is as it was written: otherwise there is
    nothing to replay them from.
    """
    unfinished = finish_erasures(view)

    def look() -> Verification:
        with collector_resting():
            return _verified(view, against, unfinished)

    return looked_at_again(view.journal, look, lambda found: bool(found.findings))


_SHOWN: Final = 20  # players of whom documents are gone


def _personal_gone(integrity: Integrity) -> Message:
    """Returns that documents are gone, and whose."""
    shown = integrity.without[:_SHOWN]
    players = shown if shown == integrity.without else (*shown, "…")
    return Message.of("verify.personal_gone", count=integrity.lost, players=players)


def _verified(
    view: LedgerView, against: Checkpoint | None, unfinished: Message | None
) -> Verification:
    journal = view.journal
    nameless = journal.lacks_people
    derived = _Derived(view, nameless=nameless)
    reading = PageReading(PageFold, derived.take)
    integrity = check(journal, view.progress, reading, derived.trial.ends)
    findings = list(integrity.findings)
    left_out = integrity.lost if nameless else 0
    if integrity.lost > left_out:
        findings.append(Finding(0, _personal_gone(integrity)))
    if unfinished is not None:
        findings.append(Finding(0, Message.of("verify.unfinished_erasure", why=unfinished)))
    if against is not None:
        try:
            check_against(view.journal, against)
        except VerificationFailed as failure:
            findings.append(Finding(0, failure.message))
    lists = 0
    if not any(finding.seq for finding in findings):
        wrong, lists = derived.wrong(integrity)
        findings += wrong
    size = against.size if against else None
    return Verification(
        integrity,
        lists,
        size,
        tuple(findings),
        left_out=left_out,
        nameless=derived.without_names,
        signed=derived.signed,
    )


class _Derived:
    """What is made of the events: segments, snapshots and published lists.

    The events are folded while they are checked, before it is known whether all of them are right;
    what is sealed is on trial itself. ``nameless``: there are no names, on purpose.
    """

    def __init__(self, view: LedgerView, *, nameless: bool) -> None:
        self._view = view
        self._nameless = nameless
        self.trial = Trial(view.journal, FactsBuilder())
        self.without_names = 0
        self.signed = 0
        # Why the events, right by themselves, make no sense together.
        self._failure: VerificationFailed | None = None

    def take(self, folded: FoldedPages) -> None:
        """Takes the next events that are right."""
        if self._failure is not None:
            return
        try:
            self.trial.builder.take_folded(folded)
            self.trial.go_on()
        except VerificationFailed as failure:
            self._failure = failure
        except UNEXPECTED_VALUES as error:
            self._failure = makes_no_sense(folded, error)

    def wrong(self, integrity: Integrity) -> tuple[list[Finding], int]:
        """Returns what is wrong, and how many lists were replayed; the events are right."""
        if self._failure is not None:
            values = dict(self._failure.message.values)
            seq = values.get("seq", values.get("first", 0))
            return [Finding(seq if isinstance(seq, int) else 0, self._failure.message)], 0
        self.trial.end()
        facts = self.trial.builder.facts()
        if facts.seq != integrity.events:
            # The close look accepts what the fast one does not know: then nothing was folded.
            try:
                facts = FactsBuilder().take_pages(self._view.journal.pages()).facts()
            except UNEXPECTED_VALUES as error:
                why = f"{type(error).__name__}: {error}"
                values = {"first": 1, "last": integrity.events, "why": why}
                return [Finding(1, Message.of("verify.fold", **values))], 0
        findings = [
            Finding(max(0, first), Message.of("verify.segment", first=first, last=last))
            for first, last in ((each.first_seq, each.last_seq) for each in self.trial.wrong)
        ]
        lists = 0
        for name in sorted(facts.lists):
            findings += self._wrong_lists(facts, name)
            lists += len(publications(facts, name))
            notice_other_code(self._view, facts, name)
        findings += wrong_snapshots(self._view, facts)
        signatures = SignatureCheck(self._view.journal, facts.accounts)
        unsigned = list(signatures.wrong())
        self.signed = signatures.signed
        if not findings:
            self._vouch(integrity)
        return findings + unsigned, lists

    def _wrong_lists(self, facts: Facts, name: str) -> Iterator[Finding]:
        """Yields what is wrong with a list's publications; counts those with erased people."""
        seqs = {event: seq for seq, event in facts.lists[name].publications}
        found = recalculated(facts, name, publications(facts, name))
        for done, (publication, outcome) in enumerate(found, start=1):
            self._view.progress("lists", done, len(seqs))
            basis = publication.basis_seq
            people = self._view.people(facts, basis)
            rating_list_ = rating_list(outcome, people, seq=basis, edition=publication.edition)
            lacks_erased = not self._nameless and lacks_erased_alone(facts, rating_list_)
            self.without_names += lacks_erased
            nameless = self._nameless or lacks_erased
            root = publication.rows_root and rows_root(rating_list_.rows.published, people)
            for message in _wrong_list(publication, rating_list_, root, nameless=nameless):
                yield Finding(seqs[publication], message)

    def _vouch(self, integrity: Integrity) -> None:
        """Keeps vouchers for the segments: they are equal to what was folded."""
        journal = self._view.journal
        bases = {snapshot.basis for snapshot in readable(journal.snapshots)}
        roots = {basis: root for basis in bases if (root := journal.root_at(basis)) is not None}
        for link in self.trial.chain:
            tree = integrity.trees.get(link.last_seq)
            if tree is not None:
                vouch(journal, self._view.store, link, tree, roots)


def _wrong_list(
    publication: ListPublished, rating_list: RatingList, rows_root: str | None, *, nameless: bool
) -> Iterator[Message]:
    """Yields what a publication says of its list and the replay does not.

    ``rows_root`` is that of the replay, None where the publication has none.
    """
    which = {name: getattr(publication, name) for name in ("list", "period", "edition")}
    basis = rating_list.basis
    for what, published, replayed in (
        ("row_count", publication.row_count, len(rating_list.rows)),
        ("regulation", publication.regulation, basis.regulation),
        ("regulation_digest", publication.regulation_digest, basis.regulation_digest),
        ("rows_root", publication.rows_root, rows_root),
    ):
        if published != replayed:
            values = {"what": what, "published": published, "replayed": replayed}
            yield Message.of("verify.list_value", **which, **values)
    ratings = publication.ratings_sha256, rating_list.ratings_sha256()
    digests = ratings if nameless else (publication.output_sha256, rating_list.output_sha256())
    if any(published != regenerated for published, regenerated in (ratings, digests)):
        values = dict(zip(("published", "regenerated"), digests, strict=True))
        yield Message.of("verify.list_digest", **which, **values)


def failure_of(verification: Verification) -> LedgerError | None:
    """Returns the first finding as an error, or None when all is well."""
    if not verification.findings:
        return None
    first = verification.findings[0]
    return VerificationFailed(first.message.key, **dict(first.message.values))
