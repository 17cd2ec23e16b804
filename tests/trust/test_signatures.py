"""Accounts with keys sign what they record; what is not signed, or wrongly, is told."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ledger.archive.journal import ArchiveJournal
from ledger.archive.writer import write_archive
from ledger.errors import InputRefused, VerificationFailed
from ledger.events.accounts import AccountGranted, KeyBound, KeyRevoked
from ledger.events.model import Dated, Event
from ledger.journal.checkpoint import Signer, parse
from ledger.journal.interface import Journal
from ledger.journal.records import Commit, CommitSignature, Draft
from ledger.journal.signatures import is_good, public_key, signed_text, signing
from ledger.journal.stores.memory import MemoryJournal
from ledger.journal.transfer import Transfer
from ledger.operations.commands import SetTwoPersons
from ledger.service.accounts import account_keys, bind_key, grant_role, revoke_key, revoke_role
from ledger.service.archives import import_archive
from ledger.service.backups import copy_ledger
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.terms import Role
from ledger.trust.signers import signers_between
from ledger.trust.verification import Verification, verify
from tests.ledgers import NOW, define, empty_ledger, request, with_officers

ANA, EVA, LUIS = (Signer(name, bytes([at]) * 32) for at, name in enumerate(["ana", "eva", "luis"]))


def by(actor: str, *signers: Signer, second: str | None = None) -> Request:
    return replace(request("why"), actor=actor, second=second, signers=signers)


def signed_ledger(journal: Journal | None = None) -> Ledger:
    """Two officers; the first has a key, and recorded a role with it."""
    ledger = with_officers(empty_ledger(journal), "ana", "luis")
    bind_key(ledger, "ana", public_key(ANA), by("ana"))
    grant_role(ledger, "luis", Role.AUDITOR, request=by("ana", ANA))
    return ledger


def last_commit(ledger: Ledger) -> Commit:
    *_, last = ledger.journal.commits()
    return last


def last_signature(ledger: Ledger) -> CommitSignature:
    *_, last = ledger.journal.signatures()
    return last


def keys_of(found: Verification) -> list[str]:
    return [finding.message.key for finding in found.findings]


def tampered(
    ledger: Ledger, change: Callable[[list[CommitSignature]], list[CommitSignature]]
) -> list[str]:
    """Returns what ``verify`` says once somebody has changed the stored signatures."""
    made = MemoryJournal()
    Transfer(ledger.journal).into(made)
    made._signatures = change(list(made.signatures()))
    return keys_of(verify(Ledger(made, clock=lambda: NOW)))


def put(ledger: Ledger, actor: str, event: Event, *signed: tuple[str, Signer]) -> None:
    """Appends an event past the rules, in the name of somebody."""
    head = ledger.journal.head()
    dated = Dated(ledger.today, event)
    draft = Draft((dated,), (), actor, "why", f"put {head.seq}", "0" * 64, sign=signing(signed))
    ledger.journal.append(draft, expected_seq=head.seq, recorded_at=NOW)


def found_anew(ledger: Ledger) -> list[str]:
    """Returns what ``verify`` says of what was appended past a ledger."""
    return keys_of(verify(Ledger(ledger.journal, clock=lambda: NOW)))


def test_what_is_recorded_with_a_key_is_signed_on_every_store(journal: Journal) -> None:
    ledger = signed_ledger(journal)
    commit = last_commit(ledger)
    (signature,) = ledger.journal.signatures()
    assert (signature.commit_id, signature.account) == (commit.commit_id, "ana")
    assert is_good(signature, commit)
    found = verify(ledger)
    assert found.findings == ()
    assert (found.signed, found.data("en")["signed"]) == (1, 1)
    number = commit.commit_id
    assert signers_between(ledger.journal, 1, number) == {number: ["ana"]}


def test_who_has_a_key_records_nothing_without_it() -> None:
    ledger = signed_ledger()
    head = ledger.journal.head()
    for name in ("ana", " Ana", "ANA "):
        with pytest.raises(InputRefused) as refused:
            grant_role(ledger, "luis", Role.ARBITER, request=by(name))
        assert refused.value.message.key == "signing.unsigned"
    assert ledger.journal.head() == head


def test_others_go_on_without_keys() -> None:
    ledger = signed_ledger()
    grant_role(ledger, "ana", Role.AUDITOR, request=by("luis"))
    assert verify(ledger).findings == ()


def test_a_key_signs_for_its_account_only() -> None:
    ledger = signed_ledger()
    for actor, signers in (("luis", [ANA]), ("ana", [ANA, LUIS]), ("ana", [LUIS]), ("x", [EVA])):
        with pytest.raises(InputRefused) as refused:
            grant_role(ledger, "luis", Role.ARBITER, request=by(actor, *signers))
        assert refused.value.message.key == "signing.not_bound"


def test_one_key_is_never_that_of_two_people() -> None:
    ledger = signed_ledger()
    with pytest.raises(InputRefused) as refused:
        bind_key(ledger, "luis", public_key(ANA), by("luis"))
    assert refused.value.message.key == "signing.bound_already"


@pytest.mark.parametrize("raw", [b"\1" + bytes(31), b"\2" + bytes(31), b"\xff" * 32, b"short"])
def test_what_is_no_public_key_is_not_bound(raw: bytes) -> None:
    """Not one with which anybody can sign (of small order), nor what is no point."""
    with pytest.raises(InputRefused) as refused:
        bind_key(signed_ledger(), "luis", base64.b64encode(raw).decode(), by("luis"))
    assert refused.value.message.key == "signing.no_key"


def test_two_people_who_have_keys_both_sign() -> None:
    ledger = signed_ledger()
    define(ledger)
    bind_key(ledger, "luis", public_key(LUIS), by("luis"))
    with pytest.raises(InputRefused) as refused:
        grant_role(ledger, "eva", Role.OFFICER, request=by("ana", ANA, second="luis"))
    assert dict(refused.value.message.values)["account"] == "luis"
    grant_role(ledger, "eva", Role.OFFICER, request=by("ana", LUIS, ANA, second="luis"))
    number = last_commit(ledger).commit_id
    assert signers_between(ledger.journal, number, number) == {number: ["ana", "luis"]}
    assert verify(ledger).findings == ()


def test_no_name_hides_that_of_an_account_with_a_key() -> None:
    """Names like two were taken before: what bears one is told."""
    ledger = signed_ledger()
    grant = AccountGranted(account="eva", role=Role.ARBITER)
    for actor in ("ghost + + ana", "ana + + luis", "+ + ana", "ana + ghost"):
        put(ledger, actor, grant)
    told = [dict(each.message.values) for each in verify(ledger).findings]
    assert [each["account"] for each in told] == ["ana", "ana", "ana"]


class TestKeysPastTheProgram:
    """What the program refuses is found where somebody has written it to the database."""

    GRANT = AccountGranted(account="thief", role=Role.AUDITOR)
    BOUND = KeyBound(account="ana", algorithm="ed25519", key=public_key(EVA))
    REVOKED = KeyRevoked(account="ana", key=public_key(ANA))

    def bound(self, account: str) -> KeyBound:
        return KeyBound(account=account, algorithm="ed25519", key=public_key(ANA))

    def two_officers(self) -> Ledger:
        ledger = signed_ledger()
        define(ledger)
        return ledger

    def test_a_revoked_key_stays_revoked(self) -> None:
        ledger = self.two_officers()
        bind_key(ledger, "ana", public_key(EVA), by("ana", ANA))
        revoke_key(ledger, "ana", public_key(ANA), by("ana", EVA))
        put(ledger, "ana", self.GRANT, ("ana", ANA))
        assert found_anew(ledger) == ["signing.other_key"]
        put(ledger, "ana", self.REVOKED, ("ana", EVA))
        put(ledger, "ana", self.bound("ana"), ("ana", EVA))
        put(ledger, "ana", self.GRANT, ("ana", ANA))
        again = ["signing.other_key", *["signing.key_again"] * 2, "signing.other_key"]
        assert found_anew(ledger) == again

    @pytest.mark.parametrize("actor", ["nobody", "luis", "luis + luis", "luis + nobody"])
    @pytest.mark.parametrize("change", [BOUND, REVOKED])
    def test_a_change_of_keys_by_one_person_is_told(
        self, change: KeyBound | KeyRevoked, actor: str
    ) -> None:
        ledger = self.two_officers()
        put(ledger, actor, change)
        assert found_anew(ledger) == ["signing.keys_of_others"]

    def test_a_change_in_the_name_of_the_account_lacks_its_signature(self) -> None:
        for actor in ("ana", "ana + luis", "luis + ana"):
            ledger = self.two_officers()
            put(ledger, actor, self.BOUND)
            assert found_anew(ledger) == ["signing.missing"]

    def test_it_is_as_the_rule_was_at_that_time(self) -> None:
        ledger = signed_ledger()
        bind_key(ledger, "ana", public_key(EVA), by("nobody"))
        define(ledger)
        off = SetTwoPersons(list="ENF", required=False)
        ledger.execute([off], by("ana", ANA, second="luis"))
        revoke_key(ledger, "ana", public_key(EVA), by("nobody"))
        assert found_anew(ledger) == []

    def test_a_key_under_two_accounts_is_told(self) -> None:
        ledger = signed_ledger()
        put(ledger, "luis", self.bound("luis"))
        assert found_anew(ledger) == ["signing.key_again"]


class TestALostKey:
    def lost(self) -> Ledger:
        ledger = with_officers(signed_ledger(), "eva")
        define(ledger)
        return ledger

    def test_cannot_be_revoked_by_who_only_claims_to_be_its_owner(self) -> None:
        with pytest.raises(InputRefused) as refused:
            revoke_key(self.lost(), "ana", public_key(ANA), by("ana"))
        assert refused.value.message.key == "signing.unsigned"

    def test_takes_two_others(self) -> None:
        ledger = self.lost()
        for change in (revoke_key, bind_key):
            key = public_key(ANA if change is revoke_key else EVA)
            with pytest.raises(InputRefused) as refused:
                change(ledger, "ana", key, by("luis"))
            assert refused.value.message.key == "two.needed"
            change(ledger, "ana", key, by("luis", second="eva"))
        assert grant_role(ledger, "luis", Role.ARBITER, request=by("ana", EVA)).commit_id
        assert verify(ledger).findings == ()
        assert [each.revoked_seq is None for each in account_keys(ledger)] == [False, True]

    def test_another_key_comes_by_the_one_at_hand(self) -> None:
        ledger = self.lost()
        bind_key(ledger, "ana", public_key(EVA), by("ana", ANA))
        revoke_key(ledger, "ana", public_key(ANA), by("ana", EVA))
        with pytest.raises(InputRefused):
            grant_role(ledger, "luis", Role.ARBITER, request=by("ana", ANA))
        assert verify(ledger).findings == ()


def test_what_was_signed_before_a_key_was_revoked_stays_signed() -> None:
    ledger = signed_ledger()
    revoke_key(ledger, "ana", public_key(ANA), by("ana", ANA))
    grant_role(ledger, "luis", Role.ARBITER, request=by("ana"))
    found = verify(ledger)
    assert (found.findings, found.signed) == ((), 2)


def test_a_signature_that_was_taken_away_is_missed() -> None:
    assert tampered(signed_ledger(), lambda _: []) == ["signing.missing"]


def test_a_forged_signature_is_told() -> None:
    def forged(rows: list[CommitSignature]) -> list[CommitSignature]:
        other = "A" * 86 + "=="
        return [replace(row, signature=other) for row in rows]

    assert tampered(signed_ledger(), forged) == ["signing.wrong"]


@pytest.mark.parametrize("signature", ["", "x", "AA==", "A" * 88, "é"])
def test_what_is_no_signature_is_wrong(signature: str) -> None:
    def spoilt(rows: list[CommitSignature]) -> list[CommitSignature]:
        return [replace(row, signature=signature) for row in rows]

    assert tampered(signed_ledger(), spoilt) == ["signing.wrong"]


def test_a_signature_means_nothing_for_another_commit() -> None:
    ledger = signed_ledger()
    grant_role(ledger, "luis", Role.ARBITER, request=by("ana", ANA))

    def exchanged(rows: list[CommitSignature]) -> list[CommitSignature]:
        first, second = rows
        return [
            replace(first, signature=second.signature),
            replace(second, signature=first.signature),
        ]

    assert tampered(ledger, exchanged) == ["signing.wrong", "signing.wrong"]


def test_a_signature_means_nothing_for_another_account_or_its_unbound_key() -> None:
    def filed(account: str, signer: Signer) -> list[str]:
        ledger = signed_ledger()
        sign = signing([(account, signer)])
        return tampered(ledger, lambda rows: [*rows, *sign(last_commit(ledger))])

    assert filed("luis", LUIS) == ["signing.no_actor"]
    ledger = signed_ledger()
    strange = signing([("ana", EVA)])(last_commit(ledger))
    assert tampered(ledger, lambda _: list(strange)) == ["signing.other_key"]


def test_a_signature_of_the_same_commit_in_another_ledger_is_wrong() -> None:
    other = with_officers(empty_ledger(), "luis", "ana")
    bind_key(other, "ana", public_key(ANA), by("ana"))
    grant_role(other, "luis", Role.AUDITOR, request=by("ana", ANA))
    ours, theirs = signed_ledger(), last_signature(other)
    assert theirs.commit_id == last_signature(ours).commit_id
    assert tampered(ours, lambda _: [theirs]) == ["signing.wrong"]


def test_a_key_that_was_revoked_or_not_bound_yet_signs_nothing() -> None:
    ledger = signed_ledger()
    early = next(each for each in ledger.journal.commits() if each.actor == "ana")
    revoke_key(ledger, "ana", public_key(ANA), by("ana", ANA))
    grant_role(ledger, "luis", Role.ARBITER, request=by("ana"))
    sign = signing([("ana", ANA)])
    late = sign(last_commit(ledger))
    assert tampered(ledger, lambda rows: [*rows, *late]) == ["signing.other_key"]
    assert tampered(ledger, lambda rows: [*sign(early), *rows]) == ["signing.other_key"]


def test_a_signature_of_no_commit_is_told() -> None:
    ledger = signed_ledger()
    far = replace(last_signature(ledger), commit_id=99)
    none = replace(far, commit_id=0)
    assert tampered(ledger, lambda rows: [*rows, far]) == ["signing.stray"]
    assert tampered(ledger, lambda rows: [none, *rows]) == ["signing.stray"]
    journal = ledger.journal
    assert isinstance(journal, MemoryJournal)
    journal._signatures.append(far)
    with pytest.raises(VerificationFailed):
        MemoryJournal().restore(
            Transfer(ledger.journal).walk, ledger.journal.personal(), [none, far]
        )


def test_what_is_signed_is_no_checkpoint() -> None:
    text = signed_text(last_commit(signed_ledger()), "ana")
    with pytest.raises(InputRefused):
        parse(text)


class Overtaken(MemoryJournal):
    """Somebody appends between a draft and its commit, once."""

    others: Callable[[], Receipt] | None = None

    def append(self, *args: object, **named: object) -> Commit:
        others, self.others = self.others, None
        if others is not None:
            others()
        return super().append(*args, **named)  # type: ignore[arg-type]


def test_it_is_signed_again_where_the_head_has_moved() -> None:
    journal = Overtaken()
    ledger = signed_ledger(journal)
    there = Ledger(journal, clock=lambda: NOW)
    journal.others = lambda: grant_role(there, "ana", Role.AUDITOR, request=by("luis"))
    grant_role(ledger, "luis", Role.ARBITER, request=by("ana", ANA))
    assert [each.actor for each in journal.commits()][-2:] == ["luis", "ana"]
    found = verify(ledger)
    assert (found.findings, found.signed) == ((), 2)


def test_a_request_sent_twice_is_signed_once() -> None:
    ledger = signed_ledger()
    asked = by("ana", ANA)
    assert not grant_role(ledger, "luis", Role.ARBITER, request=asked).repeated
    rows = list(ledger.journal.signatures())
    assert ledger.repeated(asked)
    assert list(ledger.journal.signatures()) == rows


def test_signatures_go_with_the_ledger_wherever_it_goes(journal: Journal, tmp_path: Path) -> None:
    ledger = signed_ledger()
    folder = tmp_path / "archive"
    write_archive(ledger.journal, folder)
    for role in (Role.ARBITER, Role.AUDITOR):
        grant_role(ledger, "eva", role, request=by("luis"))
        grant_role(ledger, "ana", role, request=by("ana", ANA))
        write_archive(ledger.journal, folder)
        revoke_role(ledger, "eva", role, request=by("luis"))
        write_archive(ledger.journal, folder)
    rows = list(ledger.journal.signatures())
    archive = ArchiveJournal(folder)
    assert len(archive.manifest.signatures) == 3
    assert list(archive.signatures()) == rows
    assert list(archive.signatures(after=rows[0].commit_id)) == rows[1:]
    assert verify(Ledger(archive, clock=lambda: NOW)).signed == len(rows) == 3
    import_archive(empty_ledger(journal), folder)
    assert list(journal.signatures()) == rows
    copied = empty_ledger()
    copy_ledger(Ledger(journal, clock=lambda: NOW), copied)
    assert list(copied.journal.signatures()) == rows
    part = empty_ledger()
    import_archive(part, folder, upto=last_commit(signed_ledger()).last_seq)
    assert list(part.journal.signatures()) == rows[:1]


def test_an_archive_of_a_ledger_without_keys_says_nothing_of_signatures(tmp_path: Path) -> None:
    made = write_archive(with_officers(empty_ledger(), "ana").journal, tmp_path / "archive")
    assert "signatures" not in made.text()
