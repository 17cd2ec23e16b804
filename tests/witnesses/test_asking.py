"""A checkpoint is shown to witnesses: what they see, what they may answer, what is believed."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from ledger.derived.store import DerivedStore
from ledger.derived.tree_hashes import TreeHashes
from ledger.errors import InputRefused, LedgerError, VerificationFailed
from ledger.identifiers import Seq
from ledger.journal.checkpoint import Checkpoint, Signer, parse
from ledger.journal.stores.memory import MemoryJournal
from ledger.proofs.check import check_checkpoint, check_proof, check_witnesses
from ledger.proofs.policy import Policy, parse_policy
from ledger.service.ledger import Ledger
from ledger.trust.proofs import prove_event, signed_now
from ledger.trust.witnesses import ask_witnesses, post
from tests.journal.drafts import append, draft, game
from tests.ledgers import empty_ledger
from tests.witnesses.witness import Answer, HonestWitness, listening

SIGNER = Signer("chess.example/ratings", bytes(32))
NOW = 1_800_000_000


def ledger_of(journal: MemoryJournal, *games: int) -> Ledger:
    append(journal, draft(*map(game, games)))
    ledger = empty_ledger(journal)
    ledger.tree = TreeHashes(journal, DerivedStore())
    return ledger


@pytest.fixture
def witness() -> HonestWitness:
    made = HonestWitness("witness.example/w1", {SIGNER.name: str(SIGNER.verifier)})
    made.clock = lambda: NOW
    return made


@pytest.fixture
def address(witness: HonestWitness) -> Iterator[str]:
    with listening(witness) as url:
        yield url


@pytest.fixture
def policy(witness: HonestWitness, address: str) -> Policy:
    return parse_policy(f"log {SIGNER.verifier}\nwitness w1 {witness.key} {address}\nquorum w1\n")


@pytest.fixture
def journal() -> MemoryJournal:
    return MemoryJournal()


@pytest.fixture
def ledger(journal: MemoryJournal) -> Ledger:
    return ledger_of(journal, *range(1, 301))


def asked(ledger: Ledger, policy: Policy, size: int | None = None) -> Checkpoint:
    page, (answer,) = ask_witnesses(ledger, signed_now(ledger, SIGNER, None, size), policy, NOW)
    assert answer.time == NOW, answer.trouble
    return page


def trouble(ledger: Ledger, policy: Policy, page: Checkpoint | None = None) -> str:
    """The key of why there is no cosignature; the page stays as it was."""
    shown = page or signed_now(ledger, SIGNER, None)
    found, (answer,) = ask_witnesses(ledger, shown, policy, NOW)
    assert found == shown
    assert answer.time is None
    assert answer.trouble is not None
    return answer.trouble.key


def test_a_checkpoint_is_cosigned_and_then_enough_for_the_policy(
    ledger: Ledger, policy: Policy
) -> None:
    page = signed_now(ledger, SIGNER, None)
    with pytest.raises(VerificationFailed):
        check_checkpoint(page, policy, NOW)
    cosigned = asked(ledger, policy)
    assert check_checkpoint(cosigned, policy, NOW) == (SIGNER.name, {"w1": NOW})
    assert parse(cosigned.note()) == cosigned


@pytest.mark.parametrize("sizes", [(1, 2, 3), (100, 256, 300), (255, 257, 257, 299), (300, 300)])
def test_a_witness_follows_a_ledger_that_grows(
    ledger: Ledger, policy: Policy, witness: HonestWitness, sizes: tuple[int, ...]
) -> None:
    for size in sizes:
        page = asked(ledger, policy, size)
        assert witness.seen[SIGNER.name] == (size, page.root)


def test_whoever_was_asked_before_is_not_asked_for_the_size(
    ledger: Ledger, policy: Policy, witness: HonestWitness
) -> None:
    page = asked(ledger, policy)
    witness.requests.clear()
    again, _ = ask_witnesses(ledger, page, policy, NOW)
    assert [body.split("\n")[0] for body in witness.requests] == ["old 300"]
    assert len(again.signatures) == 2


def test_a_proof_carries_the_cosignatures(ledger: Ledger, policy: Policy) -> None:
    proof = prove_event(ledger, Seq(7), asked(ledger, policy)).text()
    assert check_proof(proof, policy, NOW).cosigned == {"w1": NOW}


def test_a_fork_is_shown_to_the_witness_and_refused(ledger: Ledger, policy: Policy) -> None:
    asked(ledger, policy, 200)
    other = ledger_of(MemoryJournal(), *range(1001, 1301))
    assert trouble(other, policy) == "witness.inconsistent"
    same_size = signed_now(other, SIGNER, None, 200)
    assert trouble(other, policy, same_size) == "witness.fork"


def test_an_older_checkpoint_is_not_cosigned_any_more(ledger: Ledger, policy: Policy) -> None:
    asked(ledger, policy)
    older = signed_now(ledger, SIGNER, None, 200)
    assert trouble(ledger, policy, older) == "witness.saw_more"


def test_a_witness_that_knows_neither_log_nor_key_says_so(ledger: Ledger, policy: Policy) -> None:
    other = Signer("elsewhere", bytes(32))
    assert trouble(ledger, policy, signed_now(ledger, other, None)) == "witness.unknown_log"
    forged = Signer(SIGNER.name, b"x" * 32)
    assert trouble(ledger, policy, signed_now(ledger, forged, None)) == "witness.unknown_key"


def answers(status: int, body: bytes, type_: str = "text/plain") -> Answer:
    return status, type_, body


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        (answers(200, b""), "witness.other_key"),
        (answers(200, b"\xff\xfe\x00" * 1000), "witness.other_key"),
        (answers(200, b"\xe2\x80\x94 witness.example/w1 AAAA\n"), "witness.other_key"),
        (answers(409, b"a lot\n"), "witness.answer"),
        (answers(409, b"-1\n"), "witness.answer"),
        (answers(409, b"007\n"), "witness.answer"),
        (answers(409, b"9" * 5000), "witness.answer"),
        (answers(409, b"0\n"), "witness.twice"),
        (answers(409, b"301\n"), "witness.saw_more"),
        (answers(500, b"\x1b[2Jgone"), "witness.answer"),
        (answers(302, b"", "http://127.0.0.1:1/"), "witness.answer"),
        (answers(400, b"bad"), "witness.answer"),
    ],
)
def test_whatever_else_is_answered_is_believed_by_nobody(
    ledger: Ledger, policy: Policy, witness: HonestWitness, answer: Answer, key: str
) -> None:
    witness.before = lambda _: answer
    assert trouble(ledger, policy) == key


def test_what_a_witness_writes_does_not_move_the_terminal(
    ledger: Ledger, policy: Policy, witness: HonestWitness
) -> None:
    witness.before = lambda _: answers(500, b"\x1b[2Jgone\x07")
    page = signed_now(ledger, SIGNER, None)
    _, (answer,) = ask_witnesses(ledger, page, policy, NOW)
    assert str(answer.data("en")["trouble"]).isprintable()


def test_sizes_that_change_each_time_have_an_end(
    ledger: Ledger, policy: Policy, witness: HonestWitness
) -> None:
    sizes = iter(range(1, 100))
    witness.before = lambda _: answers(409, f"{next(sizes)}\n".encode())
    assert trouble(ledger, policy) == "witness.undecided"
    assert len(witness.requests) == 3


def test_a_cosignature_of_something_else_is_refused(
    ledger: Ledger, policy: Policy, witness: HonestWitness
) -> None:
    older = signed_now(ledger, SIGNER, None, 100).text
    replayed = witness.cosignature(older).encode()
    witness.before = lambda _: answers(200, replayed)
    assert trouble(ledger, policy) == "witness.wrong_signature"


def test_a_cosignature_by_another_key_is_refused(
    ledger: Ledger, policy: Policy, witness: HonestWitness
) -> None:
    text = signed_now(ledger, SIGNER, None).text
    liar = HonestWitness(witness.name, {}, b"l" * 32)
    liar.clock = witness.clock
    witness.before = lambda _: answers(200, liar.cosignature(text).encode())
    assert trouble(ledger, policy) == "witness.other_key"
    right = witness.cosignature(text)
    witness.before = lambda _: answers(200, (right + right).encode())
    assert trouble(ledger, policy) == "witness.other_key"


def test_lines_of_other_keys_are_passed_over(
    ledger: Ledger, policy: Policy, witness: HonestWitness
) -> None:
    text = signed_now(ledger, SIGNER, None).text
    other = HonestWitness("witness.example/w2", {}, b"l" * 32)
    lines = other.cosignature(text) + "noise\n" + witness.cosignature(text)
    witness.before = lambda _: answers(200, lines.encode())
    assert [each.name for each in asked(ledger, policy).signatures] == [SIGNER.name, witness.name]


@pytest.mark.parametrize("apart", [-3_601, 3_601])
def test_a_cosignature_of_another_time_is_refused(
    ledger: Ledger, policy: Policy, witness: HonestWitness, apart: int
) -> None:
    witness.clock = lambda: NOW + apart
    assert trouble(ledger, policy) == "witness.other_time"


def test_a_witness_that_is_down_does_not_stop_the_others(
    ledger: Ledger, policy: Policy, witness: HonestWitness
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{closed.getsockname()[1]}"
        down = HonestWitness("down.example/w", {}, b"d" * 32)
        text = (
            f"witness down {down.key} {nobody}\nwitness w1 {witness.key} {policy.addresses['w1']}\n"
        )
        one = parse_policy(text + "group any any down w1\nquorum any\n")
        both = parse_policy(text + "group all all down w1\nquorum all\n")
        page, answers = ask_witnesses(ledger, signed_now(ledger, SIGNER, None), one, NOW)
    troubles = [each.trouble.key if each.trouble else None for each in answers]
    assert troubles == ["witness.unreachable", None]
    assert check_witnesses(page, one, NOW) == {"w1": NOW}
    with pytest.raises(VerificationFailed) as few:
        check_witnesses(page, both, NOW)
    assert few.value.message.key == "proof.quorum"


def test_a_witness_that_answers_a_byte_now_and_then_is_not_waited_for() -> None:
    done = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
                while not done.wait(0.05):
                    connection.sendall(b"x")

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        with pytest.raises(TimeoutError):
            post(f"http://127.0.0.1:{server.getsockname()[1]}/", b"", seconds=0.5)
        done.set()
        thread.join()


def test_what_takes_too_long_has_its_own_sentence(ledger: Ledger, policy: Policy) -> None:
    def slow(_url: str, _data: bytes) -> None:
        raise TimeoutError

    page = signed_now(ledger, SIGNER, None)
    _, (answer,) = ask_witnesses(ledger, page, policy, NOW, slow)  # type: ignore[arg-type]
    assert answer.trouble is not None
    assert answer.trouble.key == "witness.slow"


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd", "ftp://w.example", "w.example", "http://", "http://u:p@w.example",
        "http://w.example/?a=1", "http://w.example/#a", "http://[", "http://w.example:99999",
    ],
)  # fmt: skip
def test_only_plain_addresses_are_asked(
    ledger: Ledger, policy: Policy, witness: HonestWitness, url: str
) -> None:
    strange = replace(policy, addresses={"w1": url})
    with pytest.raises(InputRefused) as refused:
        ask_witnesses(ledger, signed_now(ledger, SIGNER, None), strange, NOW)
    assert refused.value.message.key == "witness.bad_address"
    assert witness.requests == []


def test_nothing_is_sent_that_is_not_this_ledgers(
    ledger: Ledger, policy: Policy, witness: HonestWitness
) -> None:
    other = ledger_of(MemoryJournal(), *range(1001, 1301))
    unsigned = replace(signed_now(ledger, SIGNER, None), signatures=())
    for page in (signed_now(other, SIGNER, None), unsigned):
        with pytest.raises(LedgerError):
            ask_witnesses(ledger, page, policy, NOW)
    with pytest.raises(InputRefused):
        ask_witnesses(ledger, signed_now(ledger, SIGNER, None), replace(policy, addresses={}), NOW)
    assert witness.requests == []
