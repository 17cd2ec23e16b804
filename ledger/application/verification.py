"""Verifies a ledger: everything that is stored, and every list that was ever published."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any

from ledger.application.ledger import Ledger
from ledger.application.sealing import wrong_segments
from ledger.errors import LedgerError, VerificationFailed
from ledger.facts.columns import Facts
from ledger.facts.fold import FactsBuilder
from ledger.journal.checkpoint import Checkpoint, check_against
from ledger.journal.collector import collector_resting
from ledger.journal.integrity import Finding, Integrity, check
from ledger.lists.published import publications, recalculated
from ledger.lists.rating_list import rating_list
from ledger.wording import Message


@dataclass(frozen=True, slots=True)
class Verification:
    """What was looked at and what is wrong; nothing, when ``findings`` is empty."""

    integrity: Integrity
    lists: int
    checkpoint: int | None
    findings: tuple[Finding, ...]

    def data(self, language: str) -> dict[str, Any]:
        """Returns it as JSON data, with sentences in a language."""
        return {
            "ok": not self.findings,
            "commits": self.integrity.commits,
            "events": self.integrity.events,
            "root": self.integrity.root,
            "erased": self.integrity.erased,
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

    Lists are replayed only when the journal itself is as it was written: otherwise there is
    nothing to replay them from.
    """
    derived = _Derived(ledger)
    integrity = check(ledger.journal, ledger.progress, derived.try_now)
    findings = list(integrity.findings)
    if integrity.erased:
        # No event of this version erases a person: what is missing was taken away.
        findings.append(Finding(0, Message.of("verify.personal_gone", count=integrity.erased)))
    if against is not None:
        try:
            check_against(ledger.journal, against)
        except VerificationFailed as failure:
            findings.append(Finding(0, failure.message))
    lists = 0
    if not any(finding.seq for finding in findings):
        wrong, lists = derived.wrong()
        findings += wrong
    return Verification(integrity, lists, against.size if against else None, tuple(findings))


class _Derived:
    """What is made of the events: segments and published lists."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._known: tuple[list[Finding], int] | None = None

    def try_now(self) -> None:
        """Looks before it is known whether the events are right; if they are not, anything goes."""
        with contextlib.suppress(Exception):
            self._known = self._look()

    def wrong(self) -> tuple[list[Finding], int]:
        """Returns what is wrong, and how many lists were replayed; the events are right."""
        return self._known or self._look()

    def _look(self) -> tuple[list[Finding], int]:
        journal = self._ledger.journal
        # From the events alone: what is sealed is on trial itself.
        builder = FactsBuilder().take_pages(journal.pages())
        facts = builder.facts()
        findings = [
            Finding(
                segment.first_seq,
                Message.of("verify.segment", first=segment.first_seq, last=segment.last_seq),
            )
            for segment in wrong_segments(journal, builder)
        ]
        lists = 0
        for name in sorted(facts.lists):
            findings += _wrong_lists(self._ledger, facts, name)
            lists += len(publications(facts, name))
        return findings, lists


def _wrong_lists(ledger: Ledger, facts: Facts, name: str) -> list[Finding]:
    seqs = {event: seq for seq, event in facts.lists[name].publications}
    findings = []
    for done, (publication, outcome) in enumerate(
        recalculated(facts, name, publications(facts, name)), start=1
    ):
        ledger.progress("lists", done, len(seqs))
        basis = publication.basis_seq
        people = ledger.people(facts, basis)
        made = rating_list(outcome, people, seq=basis, edition=publication.edition)
        published = (publication.ratings_sha256, publication.output_sha256)
        if (made.ratings_sha256(), made.output_sha256()) != published:
            message = Message.of(
                "verify.list_digest",
                list=name,
                period=publication.period,
                edition=publication.edition,
                published=publication.output_sha256,
                regenerated=made.output_sha256(),
            )
            findings.append(Finding(seqs[publication], message))
    return findings


def failure_of(verification: Verification) -> LedgerError | None:
    """Returns the first finding as an error, or None when all is well."""
    if not verification.findings:
        return None
    first = verification.findings[0]
    return VerificationFailed(first.message.key, **dict(first.message.values))
