"""A good proof holds, and each forged one is refused with its own sentence."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import LedgerError
from ledger.journal.checkpoint import Verifier
from ledger.proofs.check import check_proof
from ledger.proofs.policy import Policy, parse_policy
from tests.proofs.forgeries import Case, forged, good


def policy_of(case: Case) -> Policy:
    policy = parse_policy(case.policy) if case.policy else Policy(())
    return policy.with_log(Verifier.parse(case.key)) if case.key else policy


def verdict(case: Case) -> LedgerError | None:
    try:
        check_proof(case.proof, policy_of(case), int(time.time()), case.document)
    except LedgerError as refusal:
        return refusal
    return None


@pytest.mark.parametrize("case", list(good()), ids=lambda case: case.name)
def test_a_good_proof_holds(case: Case) -> None:
    assert verdict(case) is None


@pytest.mark.parametrize("case", list(forged()), ids=lambda case: case.name)
def test_a_forged_one_is_refused_with_its_sentence(case: Case) -> None:
    refusal = verdict(case)
    assert refusal is not None
    assert (refusal.message.key, refusal.exit_code) == (case.refused, 3)
    assert refusal.message.within("es") != refusal.message.within("en")


@given(st.data())
def test_no_changed_proof_holds_or_breaks_the_program(data: st.DataObject) -> None:
    """But for a change in the line of an unknown key, which nobody looks at."""
    case = data.draw(st.sampled_from([each for each in good() if not each.policy]))
    at = data.draw(st.integers(0, len(case.proof) - 1))
    cut = data.draw(st.integers(0, 3))
    text = case.proof[:at] + data.draw(st.text(max_size=3)) + case.proof[at + cut :]
    changed = replace(case, proof=text)
    assert verdict(changed) is not None or text == case.proof or "stranger" in case.name
