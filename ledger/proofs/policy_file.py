"""The file of a policy, changed a line at a time: what people wrote into it stays."""

from __future__ import annotations

from typing import Final

from ledger.errors import InputRefused, NotFound
from ledger.proofs.cosignatures import Witness
from ledger.proofs.policy import parse_policy

BEGUN: Final = "# Whose signatures count: https://c2sp.org/tlog-policy\nquorum none\n"
"""A policy that asks for nobody's."""

_AFTER: Final = ("group", "quorum")  # they name witnesses, which stand before them


def with_witness(text: str, witness: Witness, url: str) -> str:
    """Returns the text of a policy with a witness more, called as its key is.

    Raises:
        LedgerError: as ``parse_policy``, of the text before and after.
    """
    parse_policy(text)
    lines = text.rstrip("\n").split("\n")
    at = next((at for at, line in enumerate(lines) if _word(line) in _AFTER), len(lines))
    lines.insert(at, f"witness {witness.name} {witness} {url}")
    return _parsed("\n".join(lines) + "\n")


def without_witness(text: str, name: str) -> str:
    """Returns the text without a witness.

    Raises:
        NotFound: it has none of the name.
        InputRefused: a group or the quorum names it.
        LedgerError: as ``parse_policy``.
    """
    policy = parse_policy(text)
    if name not in policy.witnesses:
        raise NotFound("witness.not_found", name=name)
    members = {member for group in policy.groups.values() for member in group.members}
    if name in members or name == policy.quorum:
        raise InputRefused("witness.in_use", name=name)
    kept = [line for line in text.split("\n") if line.split()[:2] != ["witness", name]]
    return _parsed("\n".join(kept))


def _word(line: str) -> str:
    return (line.split() or [""])[0]


def _parsed(text: str) -> str:
    parse_policy(text)
    return text
