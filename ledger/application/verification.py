"""Verifies a ledger: everything that is stored, and every list that was ever published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ledger.application.ledger import Ledger
from ledger.application.sealing import Trial
from ledger.archive.journal import ArchiveJournal
from ledger.errors import LedgerError, VerificationFailed
from ledger.facts.columns import Facts
from ledger.facts.fold import FactsBuilder
from ledger.facts.gleaned import Gleaned, Gleaner
from ledger.journal.checkpoint import Checkpoint, check_against
from ledger.journal.collector import collector_resting
from ledger.journal.intact import Gleaning
from ledger.journal.integrity import Finding, Integrity, check
from ledger.lists.published import publications, recalculated
from ledger.lists.rating_list import rating_list
from ledger.wording import Message


@dataclass(frozen=True, slots=True)
class Verification:
    """What was looked at and what is wrong; nothing, when ``findings`` is empty.

    ``left_out`` counts the identity documents that an archive does not have because it was made
    without them, as its manifest says; then the bytes of lists, which hold names, are not compared.
    """

    integrity: Integrity
    lists: int
    checkpoint: int | None
    findings: tuple[Finding, ...]
    left_out: int = 0

    def data(self, language: str) -> dict[str, Any]:
        """Returns it as JSON data, with sentences in a language."""
        return {
            "ok": not self.findings,
            "commits": self.integrity.commits,
            "events": self.integrity.events,
            "root": self.integrity.root,
            "erased": self.integrity.erased - self.left_out,
            "left_out": self.left_out,
            "lists": self.lists,
            "checkpoint": self.checkpoint,
            "findings": [
                {"seq": finding.seq or None, "message": finding.message.within(language)}
                for finding in self.findings
            ],
        }


@collector_resting()
def verify(ledger: Ledger, against: Checkpoint | None = None) -> Verification:
    """Checks hashes, density, roots, triggers, personal documents and published digests.

    In an archive that was made without personal documents none is missed, and of published lists
    the digests without names are compared.

    Lists are replayed only when the journal itself is as it was written: otherwise there is
    nothing to replay them from.
    """
    journal = ledger.journal
    nameless = isinstance(journal, ArchiveJournal) and journal.lacks_people
    derived = _Derived(ledger, nameless=nameless)
    integrity = check(ledger.journal, ledger.progress, Gleaning(Gleaner, derived.take))
    findings = list(integrity.findings)
    left_out = integrity.erased if nameless else 0
    if integrity.erased > left_out:
        # No event of this version erases a person: what is missing was taken away.
        findings.append(Finding(0, Message.of("verify.personal_gone", count=integrity.erased)))
    if against is not None:
        try:
            check_against(ledger.journal, against)
        except VerificationFailed as failure:
            findings.append(Finding(0, failure.message))
    lists = 0
    if not any(finding.seq for finding in findings):
        wrong, lists = derived.wrong(integrity.events)
        findings += wrong
    size = against.size if against else None
    return Verification(integrity, lists, size, tuple(findings), left_out)


class _Derived:
    """What is made of the events: segments and published lists.

    The events are folded while they are checked, before it is known whether all of them are right;
    what is sealed is on trial itself. ``nameless``: there are no names, on purpose.
    """

    def __init__(self, ledger: Ledger, *, nameless: bool) -> None:
        self._ledger = ledger
        self._nameless = nameless
        self._trial: Trial | None = None
        self._failed = False

    def take(self, gleaned: Gleaned) -> None:
        """Takes the next events that are right."""
        if self._failed:
            return
        try:
            if self._trial is None:
                self._trial = Trial(self._ledger.journal, FactsBuilder())
            self._trial.builder.take_gleaned(gleaned)
            self._trial.go_on()
        except Exception:  # noqa: BLE001 - right by themselves, together they make no sense
            self._failed = True  # what is wrong with them is said when it is known to be them

    def wrong(self, events: int) -> tuple[list[Finding], int]:
        """Returns what is wrong, and how many lists were replayed; the events are right."""
        trial = self._trial
        if trial is None or self._failed or trial.builder.seq < events:
            trial = Trial(self._ledger.journal, FactsBuilder())
            for page in self._ledger.journal.pages():
                trial.builder.take_pages([page])
                trial.go_on()
        trial.end()
        facts = trial.builder.facts()
        findings = [
            Finding(
                segment.first_seq,
                Message.of("verify.segment", first=segment.first_seq, last=segment.last_seq),
            )
            for segment in trial.wrong
        ]
        lists = 0
        for name in sorted(facts.lists):
            findings += _wrong_lists(self._ledger, facts, name, nameless=self._nameless)
            lists += len(publications(facts, name))
        return findings, lists


def _wrong_lists(ledger: Ledger, facts: Facts, name: str, *, nameless: bool) -> list[Finding]:
    seqs = {event: seq for seq, event in facts.lists[name].publications}
    findings = []
    for done, (publication, outcome) in enumerate(
        recalculated(facts, name, publications(facts, name)), start=1
    ):
        ledger.progress("lists", done, len(seqs))
        basis = publication.basis_seq
        people = ledger.people(facts, basis)
        made = rating_list(outcome, people, seq=basis, edition=publication.edition)
        published, regenerated = ratings = publication.ratings_sha256, made.ratings_sha256()
        if not nameless:
            published, regenerated = publication.output_sha256, made.output_sha256()
        if published != regenerated or ratings[0] != ratings[1]:
            message = Message.of(
                "verify.list_digest",
                list=name,
                period=publication.period,
                edition=publication.edition,
                published=published,
                regenerated=regenerated,
            )
            findings.append(Finding(seqs[publication], message))
    return findings


def failure_of(verification: Verification) -> LedgerError | None:
    """Returns the first finding as an error, or None when all is well."""
    if not verification.findings:
        return None
    first = verification.findings[0]
    return VerificationFailed(first.message.key, **dict(first.message.values))
