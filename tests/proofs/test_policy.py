"""A policy says whose signatures count, as C2SP's tlog-policy writes it; a wrong line is named."""

from __future__ import annotations

import pytest

from ledger.errors import InputRefused
from ledger.proofs.cosignatures import Witness
from ledger.proofs.policy import NONE, parse_policy
from tests.proofs.forgeries import LOG, WITNESSES, witness_of

W0, W1, W2 = (f"witness w{n} {witness_of(each)}" for n, each in enumerate(WITNESSES))
# https://c2sp.org/tlog-cosignature gives a key in no example: this one is of its form.
KEY = str(witness_of(WITNESSES[0]))


def test_every_form_of_a_line_is_read() -> None:
    policy = parse_policy(
        f"# who counts\n\n  log {LOG.verifier} https://chess.example\n\t{W0}\turl\n{W1}\n{W2}\n"
        "group X any w0 w1\ngroup Y all X w2\nquorum Y\n# cosigned-within: 1 day"
    )
    assert policy.logs == (LOG.verifier,)
    assert policy.witnesses["w0"] == witness_of(WITNESSES[0])
    assert policy.within == 86_400
    assert not policy.has_quorum({"w0", "w1"})
    assert policy.has_quorum({"w0", "w2"})
    assert policy.count("Y", {"w0", "w1"}) == (1, 2)


def test_a_witness_alone_is_a_quorum_and_nobody_too() -> None:
    alone = parse_policy(f"{W0}\nquorum w0")
    assert alone.has_quorum({"w0"})
    assert not alone.has_quorum(set())
    assert parse_policy(f"quorum {NONE}").has_quorum(set())


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 0, "policy_quorum"),
        (W0, 0, "policy_quorum"),
        ("quorum none\nquorum none", 2, "policy_quorum"),
        ("quorum w0\n" + W0, 1, "policy_unknown"),
        (f"{W0}\n{W0.replace('w0', 'w9', 1)}", 2, "policy_key_twice"),
        (f"{W0}\n{W1.replace('w1', 'w0', 1)}", 2, "policy_name"),
        (f"{W0}\ngroup w0 any w0", 2, "policy_name"),
        (W0.replace("w0", "none", 1), 1, "policy_name"),
        (f"log {LOG.verifier}\nlog {LOG.verifier}", 2, "policy_key_twice"),
        (f"log {KEY}", 1, "policy_key"),
        (f"witness w {LOG.verifier}", 1, "policy_key"),
        (f"log {LOG.verifier}x", 1, "policy_key"),
        (f"{W0}\ngroup g 0 w0", 2, "policy_threshold"),
        (f"{W0}\ngroup g 2 w0", 2, "policy_threshold"),
        (f"{W0}\ngroup g 01 w0", 2, "policy_threshold"),
        (f"{W0}\ngroup g any w0 w0", 2, "policy_twice"),
        (f"{W0}\ngroup g any w0\ngroup h any w0", 3, "policy_twice"),
        (f"{W0}\ngroup g any none", 2, "policy_unknown"),
        (f"{W0}\ngroup g any", 2, "policy_line"),
        ("quorum", 1, "policy_line"),
        ("Quorum none", 1, "policy_line"),
        ("quorum none more", 1, "policy_line"),
        ("quorum none\r\n", 0, "policy_character"),
        ("# cosigned-within: 30\nquorum none", 1, "policy_within"),
        ("# cosigned-within: 0 days\nquorum none", 1, "policy_within"),
        ("# cosigned-within: 1 day\n# cosigned-within: 2 days", 2, "policy_within"),
    ],
)
def test_a_wrong_line_is_named(text: str, line: int, why: str) -> None:
    with pytest.raises(InputRefused) as refusal:
        parse_policy(text)
    values = dict(refusal.value.message.values)
    assert (values["line"], getattr(values["why"], "key", "")) == (line, f"proof.{why}")


def test_groups_are_not_nested_without_end() -> None:
    lines = [W0, "group g0 any w0", *(f"group g{n} any g{n - 1}" for n in range(1, 300))]
    with pytest.raises(InputRefused, match="too many groups"):
        parse_policy("\n".join([*lines, "quorum none"]))


def test_the_key_of_a_witness_comes_back_as_it_was() -> None:
    assert str(Witness.parse(KEY)) == KEY
    with pytest.raises(InputRefused):
        Witness.parse(KEY[:-1])
    with pytest.raises(InputRefused):
        Witness.parse(KEY.replace("+", "+0", 1))
