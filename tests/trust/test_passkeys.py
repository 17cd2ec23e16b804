"""Accounts sign with passkeys: decided, shown, signed, appended as it was; forgeries are told."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from fido2.cose import ES256, RS256, EdDSA

from ledger.archive.writer import write_archive
from ledger.errors import InputRefused, LedgerError
from ledger.events.accounts import KeyBound1, KeyRevoked1
from ledger.events.model import Dated
from ledger.events.personal import Identity
from ledger.intake.imports import Document, import_document
from ledger.journal.assertions import (
    Assertion,
    coded_passkey,
    parse_assertion,
    passkey_public,
)
from ledger.journal.checkpoint import Signer
from ledger.journal.interface import Journal
from ledger.journal.records import CommitSignature, Draft
from ledger.journal.signatures import public_key, signed_text
from ledger.operations import commands as c
from ledger.results import Result
from ledger.service.accounts import bind_key, grant_role, revoke_key
from ledger.service.archives import import_archive
from ledger.service.backups import copy_ledger
from ledger.service.erasures import erase_player
from ledger.service.ledger import Ledger, Receipt, Request
from ledger.terms import Role
from ledger.trust.passkeys import PasskeyDraft, PasskeyOwner, SignatureAwaited
from ledger.trust.verification import verify
from tests.intake.trf.writing import GOOD
from tests.ledgers import (
    GAMES_HEADER,
    NOW,
    PLAYERS_HEADER,
    about,
    empty_ledger,
    with_july_published,
    with_officers,
)
from tests.passkey import HOST, Secret, SoftPasskey
from tests.trust.test_signatures import ANA, by, keys_of, last_commit, last_signature, tampered

RSA = rsa.generate_private_key(65537, 2048)
KINDS: list[Callable[[], Secret]] = [
    partial(ec.generate_private_key, ec.SECP256R1()),
    Ed25519PrivateKey.generate,
    lambda: RSA,
]
FILES = {
    "a new player": (f"{PLAYERS_HEADER}M,New,CHI,,1985,,,\n", False),
    "a name": (f"{PLAYERS_HEADER}A,Other,ARG,,,,,\n", True),
    "a report with new players": (GOOD, False),
    "games": (GAMES_HEADER + about("T9", "2010-09-10", "A,B,1-0"), False),
    "a result": (GAMES_HEADER + about("T1", "2010-07-10", "A,B,0-1", "C,A,1/2-1/2"), True),
}
Ask = Callable[[Request], object]
Change = Callable[[list[CommitSignature]], list[CommitSignature]]


def owner(key: SoftPasskey, account: str = "ana") -> PasskeyOwner:
    return PasskeyOwner(account, frozenset({key.public}))


def at_browser(key: SoftPasskey, account: str = "ana", second: str | None = None) -> Request:
    """What somebody asks for at a browser, who has not signed yet."""
    return replace(by(account, second=second), owner=owner(key, second or account))


def awaited(ask: Ask, asked: Request) -> PasskeyDraft:
    """Returns what is to be signed before it is recorded."""
    with pytest.raises(SignatureAwaited) as found:
        ask(asked)
    kept: PasskeyDraft = PasskeyDraft.of_data(json.loads(json.dumps(asdict(found.value.draft))))
    assert kept == found.value.draft
    return kept


def signed(asked: Request, draft: PasskeyDraft, key: SoftPasskey) -> Request:
    """Returns the request again, with what was signed."""
    assert asked.owner is not None
    signature = key.signature(draft.account, draft.text)
    return replace(asked, owner=replace(asked.owner, draft=draft, signature=signature))


def record(ask: Ask, asked: Request, key: SoftPasskey) -> object:
    """Records something as at a browser: it is asked for, signed, and asked for again."""
    return ask(signed(asked, awaited(ask, asked), key))


def with_passkey(key: SoftPasskey, journal: Journal | None = None) -> Ledger:
    """Two officers, the first with a passkey."""
    ledger = with_officers(empty_ledger(journal), "ana", "luis")
    bind_key(ledger, "ana", key.public, by("ana"), relying_party=key.host)
    return ledger


def granting(ledger: Ledger, role: Role = Role.AUDITOR) -> Ask:
    return lambda asked: grant_role(ledger, "luis", role, request=asked)


@pytest.mark.parametrize("made", KINDS)
def test_a_passkey_signs_on_every_store(journal: Journal, made: Callable[[], Secret]) -> None:
    key = SoftPasskey(made())
    ledger = with_passkey(key, journal)
    head = journal.head()
    asked = at_browser(key)
    draft = awaited(granting(ledger), asked)
    assert journal.head() == head, "nothing is recorded before it is signed"
    receipt = granting(ledger)(signed(asked, draft, key))
    assert isinstance(receipt, Receipt)
    assert signed_text(last_commit(ledger), "ana") == draft.text
    found = verify(ledger)
    assert (found.findings, found.signed) == ((), 1)


def test_what_was_only_proposed_is_asked_for_again_where_it_is_recorded() -> None:
    key = SoftPasskey()
    ledger, asked = with_passkey(key), at_browser(key)
    proposing = replace(asked, owner=replace(owner(key), proposes=True))
    draft = awaited(granting(ledger), proposing)
    assert draft.is_proposal
    assert not awaited(granting(ledger), signed(asked, draft, key)).is_proposal


def test_a_person_is_registered_with_the_name_that_was_signed(journal: Journal) -> None:
    key = SoftPasskey()
    ledger = with_passkey(key, journal)

    salts = map("{:032x}".format, range(9))

    def register(asked: Request) -> Receipt:  # under another salt each time
        person = c.RegisterPlayer(
            player="A", on=ledger.today, federation="CHI", identity=Identity(name="Rojas, Ana"),
            salt=next(salts),
        )  # fmt: skip
        return ledger.execute([person], asked)

    record(register, at_browser(key), key)
    assert verify(ledger).findings == ()
    (document,) = ledger.journal.personal_documents().values()
    assert "Rojas" in document
    assert f"{0:032x}" in document


def test_it_is_recorded_at_the_instant_that_was_signed() -> None:
    key = SoftPasskey()
    ledger = with_passkey(key)
    draft = awaited(granting(ledger), asked := at_browser(key))
    ledger.clock = lambda: NOW.replace(hour=20)
    granting(ledger)(signed(asked, draft, key))
    assert last_commit(ledger).recorded_at == draft.recorded_at == "2026-01-01T12:00:00.000000Z"


def test_when_the_head_has_moved_it_is_asked_for_again() -> None:
    key = SoftPasskey()
    ledger = with_passkey(key)
    first = awaited(granting(ledger), asked := at_browser(key))
    grant_role(ledger, "eva", Role.ARBITER, request=by("luis"))
    second = awaited(granting(ledger), signed(asked, first, key))
    assert second.text != first.text
    assert last_commit(ledger).actor == "luis"
    granting(ledger)(signed(asked, second, key))
    assert verify(ledger).findings == ()


def test_what_was_signed_is_for_this_request_only() -> None:
    key = SoftPasskey()
    ledger = with_passkey(key)
    asked = at_browser(key)
    draft = awaited(granting(ledger), asked)
    again = signed(asked, draft, key)
    for other in (replace(again, reason="another"), replace(again, idempotency_key="another")):
        awaited(granting(ledger), other)
    awaited(granting(ledger, Role.ARBITER), again)


@pytest.mark.parametrize("change", ["text", "events", "recorded_at"])
def test_what_was_not_shown_is_not_recorded(change: str) -> None:
    key = SoftPasskey()
    ledger = with_passkey(key)
    asked = at_browser(key)
    draft = awaited(granting(ledger), asked)
    other = awaited(granting(ledger, Role.ARBITER), at_browser(key))
    otherwise = {
        "text": replace(draft, text=other.text),
        "events": replace(draft, events=other.events),
        "recorded_at": replace(draft, recorded_at="2026-02-01T00:00:00Z"),
    }
    given = signed(asked, otherwise[change], key)
    head = ledger.journal.head()
    with pytest.raises(InputRefused) as refused:
        granting(ledger)(given)
    assert refused.value.message.key == "signing.not_this"
    assert ledger.journal.head() == head


def said_instead(text: str, account: str = "ana") -> Change:
    """Puts another text in the place of an account's signatures."""
    return lambda rows: [
        replace(row, signature=text) if row.account == account else row for row in rows
    ]


def without(account: str) -> Change:
    """Takes the signatures of an account away."""
    return lambda rows: [row for row in rows if row.account != account]


def forgers(key: SoftPasskey) -> dict[str, SoftPasskey]:
    """Passkeys that say something else than the right one, each in one thing."""
    return {
        "another site's authenticator": replace(key, host="evil.example"),
        "another origin": replace(key, origin="https://evil.example"),
        "a lower origin": replace(key, origin=f"https://sub.{HOST}"),
        "no https": replace(key, origin=f"http://{HOST}"),
        "no origin": replace(key, origin="null"),
        "an origin that is none": replace(key, origin="https://["),
        "nobody there": replace(key, flags=0b100),
        "nobody proved": replace(key, flags=0b001),
        "a passkey being made": replace(key, flags=0b1000101),
        "the making of one": replace(key, kind="webauthn.create"),
        "within a frame": replace(key, more={"crossOrigin": True}),
        "under another page": replace(key, more={"topOrigin": "https://evil.example"}),
        "another passkey": SoftPasskey(),
    }


@pytest.mark.parametrize("forgery", forgers(SoftPasskey()))
def test_a_forged_assertion_is_neither_recorded_nor_verified(forgery: str) -> None:
    key = SoftPasskey()
    ledger = with_passkey(key)
    forger = forgers(key)[forgery]
    asked = at_browser(key)
    given = signed(asked, awaited(granting(ledger), asked), forger)
    head = ledger.journal.head()
    with pytest.raises(InputRefused):
        granting(ledger)(given)
    assert ledger.journal.head() == head
    record(granting(ledger), at_browser(key), key)
    text = signed_text(last_commit(ledger), "ana")

    assert tampered(ledger, said_instead(str(forger.asserted(text)))) == ["signing.wrong"]


def test_an_assertion_is_of_one_commit() -> None:
    key = SoftPasskey()
    ledger = with_passkey(key)
    for role in (Role.AUDITOR, Role.ARBITER):
        record(granting(ledger, role), at_browser(key), key)

    def moved(rows: list[CommitSignature]) -> list[CommitSignature]:
        first, second = rows
        return [first, replace(second, signature=first.signature)]

    assert tampered(ledger, moved) == ["signing.wrong"]
    assert tampered(ledger, lambda rows: rows[:1]) == ["signing.missing"]


def test_every_part_of_an_assertion_counts() -> None:
    key = SoftPasskey()
    ledger = with_passkey(key)
    record(granting(ledger), at_browser(key), key)
    there = parse_assertion(last_signature(ledger).signature)
    assert there is not None
    doubled = there.client_data.replace(b'{"type"', b'{"type": "webauthn.get", "type"')
    spoilt = [
        replace(there, authenticator_data=there.authenticator_data[:-1] + b"\1"),
        replace(there, authenticator_data=there.authenticator_data[:36]),
        replace(there, client_data=there.client_data + b" "),
        replace(there, client_data=b"[]"),
        replace(there, client_data=b"\xff"),
        replace(there, client_data=doubled),
        replace(there, client_data=b"[" * 9_000),  # deeper than Python reads
        replace(there, client_data=b"[" * 200_000),
        replace(there, signature=there.signature[:-1]),
        replace(there, signature=b"0"),
    ]
    texts = [*map(str, spoilt), "", "..", "a.b.c", f"{there}.AA==", str(there)[:-4]]
    for text in texts:
        assert tampered(ledger, said_instead(text)) == ["signing.wrong"], text


def test_what_a_browser_says_twice_is_refused_though_it_is_signed() -> None:
    key = SoftPasskey()
    twice = Doubled(key.secret)
    ledger = with_passkey(key)
    record(granting(ledger), at_browser(key), key)
    text = signed_text(last_commit(ledger), "ana")
    said = str(twice.asserted(text))
    assert tampered(ledger, lambda rows: [replace(row, signature=said) for row in rows]) == [
        "signing.wrong"
    ]


class Doubled(SoftPasskey):
    """A passkey in a browser that names two origins."""

    def asserted(self, text: str) -> Assertion:
        right = super().asserted(text)
        client = right.client_data.replace(
            b'"origin"', b'"origin": "https://evil.example", "origin"'
        )
        signed_data = right.authenticator_data + sha256(client).digest()
        return replace(right, client_data=client, signature=self._signature(signed_data))


def test_a_revoked_passkey_signs_no_more() -> None:
    key = SoftPasskey()
    ledger = with_passkey(key)
    record(lambda asked: revoke_key(ledger, "ana", key.public, asked), at_browser(key), key)
    grant_role(ledger, "luis", Role.AUDITOR, request=by("ana"))
    late = key.signature("ana", signed_text(last_commit(ledger), "ana")).of(last_commit(ledger))
    assert verify(ledger).findings == ()
    assert tampered(ledger, lambda rows: [*rows, late]) == ["signing.other_key"]


def test_one_that_is_revoked_while_its_owner_signs_records_nothing() -> None:
    key = SoftPasskey()
    ledger = with_officers(with_passkey(key), "eva")
    asked = at_browser(key)
    given = signed(asked, awaited(granting(ledger), asked), key)
    other = SoftPasskey()
    bind_key(ledger, "ana", other.public, by("luis", second="eva"), relying_party=HOST)
    revoke_key(ledger, "ana", key.public, by("luis", second="eva"))
    with pytest.raises(InputRefused) as refused:
        granting(ledger)(given)
    assert refused.value.message.key == "signing.passkey_gone"


def test_without_a_browser_it_is_refused_with_where_to_do_it() -> None:
    key = SoftPasskey()
    ledger = with_passkey(key)
    with pytest.raises(InputRefused) as refused:
        granting(ledger)(by("ana"))
    assert refused.value.message.key == "signing.by_passkey"
    assert dict(refused.value.message.values)["site"] == HOST


def test_who_has_a_key_in_a_file_only_is_told_so_at_the_browser() -> None:
    ledger = with_officers(empty_ledger(), "ana", "luis")
    bind_key(ledger, "ana", public_key(ANA), by("ana"))
    with pytest.raises(InputRefused) as refused:
        granting(ledger)(at_browser(SoftPasskey()))
    assert refused.value.message.key == "signing.unsigned"


def test_a_file_and_a_passkey_sign_alike() -> None:
    key = SoftPasskey()
    ledger = with_passkey(key)
    record(lambda asked: bind_key(ledger, "ana", public_key(ANA), asked), at_browser(key), key)
    granting(ledger)(by("ana", ANA))
    record(granting(ledger, Role.ARBITER), at_browser(key), key)
    assert (verify(ledger).findings, verify(ledger).signed) == ((), 3)


def test_one_key_is_never_two_however_it_is_spelt() -> None:
    secret = Ed25519PrivateKey.from_private_bytes(bytes([0]) * 32)
    ledger = with_officers(empty_ledger(), "ana", "luis")
    bind_key(ledger, "ana", public_key(Signer("ana", bytes([0]) * 32)), by("ana"))
    with pytest.raises(InputRefused) as refused:
        bind_key(ledger, "luis", SoftPasskey(secret).public, by("luis"), relying_party=HOST)
    assert refused.value.message.key == "signing.bound_already"


MODULUS = RSA.public_key().public_numbers().n.to_bytes(256)


def spelt(secret: Secret | ec.EllipticCurvePrivateKey) -> bytes:
    return secret.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


@pytest.mark.parametrize(
    "key",
    [
        spelt(ec.generate_private_key(ec.SECP384R1())),
        spelt(rsa.generate_private_key(65537, 1024)),  # noqa: S505 - which is refused
        spelt(Ed25519PrivateKey.generate())[:-1],
        spelt(Ed25519PrivateKey.generate())[:12] + b"\1" + bytes(31),  # anybody signs with it
        spelt(Ed25519PrivateKey.generate())[:12] + b"\2" + bytes(31),
        spelt(Ed25519PrivateKey.generate())[:12] + b"\xf0" + b"\xff" * 30 + b"\x7f",
        spelt(Ed25519PrivateKey.generate()) + b"\0",
        spelt(RSA).replace(MODULUS, (int.from_bytes(MODULUS) + 1).to_bytes(256)),
        bytes(32),
    ],
    ids=[
        "P-384",
        "short RSA",
        "cut",
        "small order",
        "no point",
        "another spelling",
        "longer",
        "even RSA",
        "none",
    ],
)
def test_what_is_no_public_key_of_a_passkey_is_not_bound(key: bytes) -> None:
    ledger = with_officers(empty_ledger(), "ana")
    coded = base64.b64encode(key).decode()
    assert passkey_public(coded) is None
    with pytest.raises(InputRefused) as refused:
        bind_key(ledger, "ana", coded, by("ana"), relying_party=HOST)
    assert refused.value.message.key == "signing.no_algorithm"
    with pytest.raises(InputRefused):
        bind_key(ledger, "ana", coded, by("ana"))


class TestTwoPeople:
    """The first signs what is proposed, the second the commit."""

    CORRECTED = c.CorrectResult(
        tournament="T1", round=1, white="A", black="B", result=Result.parse("0-1")
    )

    def office(self, *keys: SoftPasskey) -> Ledger:
        """July is published, and its officers have passkeys."""
        ledger = with_officers(with_july_published(), "ana", "luis")
        for name, key in zip(("ana", "luis"), keys, strict=False):
            bind_key(ledger, name, key.public, by(name), relying_party=HOST)
        return ledger

    def correcting(self, ledger: Ledger) -> Ask:
        return lambda asked: ledger.execute([self.CORRECTED], asked)

    def proposed(self, ledger: Ledger, key: SoftPasskey) -> tuple[Request, PasskeyDraft]:
        """Returns what the first asks for, and what is signed of it."""
        asked = by("ana")
        proposing = replace(asked, owner=replace(owner(key), proposes=True))
        head = ledger.journal.head()
        draft = awaited(self.correcting(ledger), proposing)
        assert ledger.journal.head() == head
        assert draft.is_proposal
        assert [each[0] for each in draft.events] == ["result.corrected"], "it is shown"
        return asked, draft

    def agreed(
        self, asked: Request, draft: PasskeyDraft, first: SoftPasskey, second: SoftPasskey
    ) -> Request:
        """Returns the same, as the second asks for it."""
        signature = first.signature("ana", draft.text)
        return replace(asked, second="luis", proposed=signature, owner=owner(second, "luis"))

    def recorded(self, first: SoftPasskey, second: SoftPasskey) -> Ledger:
        ledger = self.office(first, second)
        agreed = self.agreed(*self.proposed(ledger, first), first, second)
        grant_role(ledger, "eva", Role.ARBITER, request=by("tester"))  # the ledger goes on
        record(self.correcting(ledger), agreed, second)
        return ledger

    def test_both_sign(self) -> None:
        ledger = self.recorded(SoftPasskey(), SoftPasskey())
        assert last_commit(ledger).actor == "ana + luis"
        found = verify(ledger)
        assert (found.findings, found.signed) == ((), 1)

    def test_neither_signature_stands_for_the_other(self) -> None:
        first, second = SoftPasskey(), SoftPasskey()
        ledger = self.recorded(first, second)
        for name in ("ana", "luis"):
            assert tampered(ledger, without(name)) == ["signing.missing"]
        _, draft = self.proposed(self.office(first, second), first)
        swapped = second.asserted(draft.text.replace("ana", "luis"))
        assert tampered(ledger, said_instead(str(swapped), "luis")) == ["signing.wrong"]

    def test_what_the_first_signed_is_of_these_events_only(self) -> None:
        first, second = SoftPasskey(), SoftPasskey()
        ledger = self.office(first, second)
        asked, draft = self.proposed(ledger, first)
        back = replace(self.CORRECTED, result=Result.parse("1/2-1/2"))
        agreed = self.agreed(asked, draft, first, second)
        for other in (replace(agreed, reason="another"), replace(agreed, idempotency_key="new")):
            with pytest.raises(InputRefused) as refused:
                self.correcting(ledger)(other)
            assert refused.value.message.key == "signing.proposal_moved"
        with pytest.raises(InputRefused) as refused:
            ledger.execute([back], agreed)
        assert refused.value.message.key == "signing.proposal_moved"

    def test_a_proposal_is_told_where_it_is_put_beside_another_commit(self) -> None:
        first, second = SoftPasskey(), SoftPasskey()
        ledger = self.recorded(first, second)
        other = self.office(first, second)
        _, draft = self.proposed(other, first)
        assert tampered(ledger, said_instead(str(first.asserted(draft.text)))) == ["signing.wrong"]

    def test_alone_nobody_records_what_is_only_proposed(self) -> None:
        key = SoftPasskey()
        ledger = self.office(key)
        asked, draft = self.proposed(ledger, key)
        alone = replace(asked, proposed=key.signature("ana", draft.text))
        with pytest.raises(LedgerError):
            self.correcting(ledger)(alone)

    def test_a_proposal_of_a_revoked_passkey_is_not_taken(self) -> None:
        first, second = SoftPasskey(), SoftPasskey()
        ledger = self.office(first, second)
        agreed = self.agreed(*self.proposed(ledger, first), first, second)
        new = SoftPasskey()
        record(
            lambda asked: bind_key(ledger, "ana", new.public, asked, relying_party=HOST),
            at_browser(first), first,
        )  # fmt: skip
        record(lambda asked: revoke_key(ledger, "ana", first.public, asked), at_browser(new), new)
        with pytest.raises(InputRefused) as refused:
            self.correcting(ledger)(agreed)
        assert refused.value.message.key == "signing.not_proposed"

    def test_an_erasure_is_proposed_one_day_and_recorded_another(self) -> None:
        first, second = SoftPasskey(), SoftPasskey()
        ledger = self.office(first, second)

        def erase(asked: Request) -> object:
            return erase_player(ledger, c.ErasePlayer(player="C", on=ledger.today), asked)

        proposing = replace(owner(first), proposes=True)
        asked = replace(by("ana"), owner=proposing, body="erase C")
        draft = awaited(erase, asked)
        ledger.clock = lambda: NOW.replace(day=5)
        agreed = self.agreed(replace(asked, owner=None), draft, first, second)
        record(erase, agreed, second)
        assert verify(ledger).findings == ()

    @pytest.mark.parametrize("says", FILES)
    def test_a_file_is_proposed_one_day_and_recorded_another(self, says: str) -> None:
        text, corrects = FILES[says]
        document = Document(name=says, data=text.encode(), list="ENF", as_correction=corrects)
        first, second = SoftPasskey(), SoftPasskey()
        ledger = self.office(first, second)

        def hand_in(asked: Request) -> object:
            return import_document(ledger, document, asked)

        asked = replace(by("ana"), body=says)
        draft = awaited(hand_in, replace(asked, owner=replace(owner(first), proposes=True)))
        ledger.clock = lambda: NOW.replace(day=5)
        record(hand_in, self.agreed(asked, draft, first, second), second)
        assert verify(ledger).findings == ()


def test_signatures_of_passkeys_go_with_the_ledger_wherever_it_goes(
    journal: Journal, tmp_path: Path
) -> None:
    key = SoftPasskey()
    ledger = with_passkey(key)
    record(granting(ledger), at_browser(key), key)
    rows = list(ledger.journal.signatures())
    write_archive(ledger.journal, tmp_path / "archive")
    import_archive(empty_ledger(journal), tmp_path / "archive")
    there = Ledger(journal, clock=lambda: NOW)
    assert list(journal.signatures()) == rows
    assert verify(there).signed == 1
    copy_ledger(there, again := empty_ledger())
    assert (verify(again).signed, verify(again).findings) == (1, ())


def test_after_an_erasure_they_still_verify() -> None:
    key = SoftPasskey()
    ledger = with_july_published()
    with_officers(ledger, "ana")
    bind_key(ledger, "ana", key.public, by("ana"), relying_party=HOST)
    erase = c.ErasePlayer(player="C", on=ledger.today)
    record(lambda asked: erase_player(ledger, erase, asked), at_browser(key), key)
    found = verify(ledger)
    assert (keys_of(found), found.signed) == ([], 1)


def test_a_key_that_was_bound_before_there_were_passkeys_signs_on() -> None:
    ledger = with_officers(empty_ledger(), "ana", "luis")
    old = KeyBound1(account="ana", algorithm="ed25519", key=public_key(ANA))
    draft = Draft((Dated(ledger.today, old),), (), "ana", "why", "old", "0" * 64)
    head = ledger.journal.head()
    ledger.journal.append(draft, expected_seq=head.seq, recorded_at=NOW)
    granting(ledger)(by("ana", ANA))
    revoked = KeyRevoked1(account="ana", key=public_key(ANA))
    draft = replace(
        draft, events=(Dated(ledger.today, revoked),), actor="luis", idempotency_key="r"
    )
    head = ledger.journal.head()
    ledger.journal.append(draft, expected_seq=head.seq, recorded_at=NOW)
    granting(ledger, Role.ARBITER)(by("ana"))
    found = verify(ledger)
    assert (found.findings, found.signed) == ((), 1)


@pytest.mark.parametrize("made", KINDS, ids=["ES256", "EdDSA", "RS256"])
def test_the_public_key_of_an_authenticator_is_spelt_as_the_ledger_names_it(
    made: Callable[[], Secret],
) -> None:
    key = SoftPasskey(made())
    kinds: list[tuple[type, Any]] = [
        (Ed25519PrivateKey, EdDSA), (rsa.RSAPrivateKey, RS256), (ec.EllipticCurvePrivateKey, ES256),
    ]  # fmt: skip
    (kind,) = (cose for secret, cose in kinds if isinstance(key.secret, secret))
    cose = kind.from_cryptography_key(key.secret.public_key())
    assert coded_passkey(cose) == key.public


@pytest.mark.parametrize(
    "cose",
    [
        {}, {1: 2, 3: -35, -1: 2, -2: b"x" * 48, -3: b"y" * 48},
        {1: 2, 3: -7, -1: 1, -2: b"x" * 32, -3: b"y" * 32}, {1: 2, 3: -7, -1: 1},
        {1: 2, 3: -7, -1: 1, -2: 5, -3: None}, {1: 1, 3: -8, -1: 6, -2: b"short"},
        {1: 3, 3: -37, -1: b"n" * 256, -2: b"e"}, {1: 3, 3: -257, -1: b"n" * 64, -2: b"\1\0\1"},
    ],
)  # fmt: skip
def test_a_public_key_that_signs_no_commits_has_no_name(cose: dict[int, object]) -> None:
    assert coded_passkey(cose) is None
