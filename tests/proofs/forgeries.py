"""Good proofs and forged ones, each with the sentence it has to be refused with.

The forger of some has the log's own key: what is left to tell then is the tree.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from ledger.answers.lists import regenerate
from ledger.journal.checkpoint import Checkpoint, Signature, Signer, Verifier
from ledger.journal.envelope import envelope, header, header_digest
from ledger.journal.merkle import consistency_proof, inclusion_proof, leaf_hash, root_of
from ledger.lists.committed_rows import CommittedRows, committed_rows
from ledger.proofs.consistency import ConsistencyProof
from ledger.proofs.contents import Content, EventContent, RowContent
from ledger.proofs.cosignatures import Witness, message
from ledger.proofs.tlog_proof import TlogProof
from tests.ledgers import define, publish_period, with_july_published

ORIGIN = "chess.example/ratings"
LOG = Signer(ORIGIN, bytes(range(32)))
OTHER = Signer(ORIGIN, bytes(range(1, 33)))
WITNESSES = [Signer(f"witness{n}.example", bytes([n]) * 32) for n in range(3)]
DAY = 86_400
# The neutral element of the curve: R = A and S = 0 fit every text.
SMALL = Verifier("small.example", bytes([1]) + bytes(31))
FITS_ALL = bytes([1]) + bytes(63)


@dataclass(frozen=True)
class Case:
    """A proof with what it is held against; ``refused`` is the key of the sentence, "" for none."""

    name: str
    proof: str
    refused: str = ""
    document: bytes | None = None
    key: str = str(LOG.verifier)
    policy: str = ""


@dataclass(frozen=True)
class Club:
    """A log: the texts of its leaves, the headers of their commits, two lists that went out."""

    envelopes: list[str]
    headers: list[str]
    july: int
    rapid: int
    old: int
    rows: CommittedRows
    rapid_rows: CommittedRows
    document: bytes

    def page(self, size: int = 0, signer: Signer = LOG) -> Checkpoint:
        size = size or len(self.envelopes)
        return signed(Checkpoint(ORIGIN, size, root_of(self.leaves()[:size])), signer)

    def leaves(self) -> list[bytes]:
        return [leaf_hash(text.encode()) for text in self.envelopes]

    def event(self, index: int) -> EventContent:
        return EventContent(self.envelopes[index], self.headers[index])

    def row(self, index: int, publication: int, rows: CommittedRows) -> RowContent:
        row = rows.row(rows.ids[index])
        return RowContent(self.envelopes[publication], row.text, row.index, row.path)

    def proof(self, index: int, content: Content, page: Checkpoint | None = None) -> TlogProof:
        page = page or self.page()
        path = inclusion_proof(self.leaves()[: page.size], index)
        return TlogProof(index, tuple(path), page, content.extra())


def signed(page: Checkpoint, *signers: Signer) -> Checkpoint:
    bare = replace(page, signatures=())
    return replace(bare, signatures=tuple(signer.sign(bare.text) for signer in signers))


def witness_of(signer: Signer) -> Witness:
    """Returns the public key of whoever cosigns with a private one."""
    return Witness(signer.name, signer.verifier.public)


def cosign(of: Checkpoint, signer: Signer, time: int) -> Signature:
    """Returns a witness's signature; whoever calls it has seen that the log only grew."""
    made = signer.sign(message(of, time)).value
    return Signature(signer.name, witness_of(signer).key_id, time.to_bytes(8, "big") + made)


def cosigned(page: Checkpoint, *at: int) -> Checkpoint:
    """Adds cosignatures of the first witnesses, at some times."""
    made = (cosign(page, witness, time_) for witness, time_ in zip(WITNESSES, at, strict=False))
    return replace(page, signatures=(*page.signatures, *made))


def policy(quorum: str = "two", *more: str) -> str:
    lines = [f"witness w{n} {witness_of(each)}" for n, each in enumerate(WITNESSES)]
    lines = [f"log {LOG.verifier}", *lines, "group two 2 w0 w1 w2", *more, f"quorum {quorum}"]
    return "".join(f"{line}\n" for line in lines)


@cache
def club() -> Club:
    """Two lists of one club: of July, and of rapid games, which has the same players."""
    ledger = with_july_published()
    define(ledger, "RAPID", parameters={"k_others": 20})
    publish_period(ledger, "2010-07", "RAPID")
    commits = {commit.commit_id: commit for commit in ledger.journal.commits()}
    events = list(ledger.journal.events())
    envelopes = [envelope(e, header_digest(commits[e.commit_id])).decode() for e in events]
    headers = [header(commits[event.commit_id]).decode() for event in events]
    published = {e.stream: e.seq - 1 for e in events if e.type == "list.published"}
    old = json.loads(envelopes[published["list:ENF"]])
    payload = json.loads(old["payload"])
    del payload["rows_root"]
    old |= {"seq": len(events) + 1, "version": 1, "payload": dumped(payload)}
    facts = ledger.facts()
    made, rapid = (regenerate(ledger, name, "2010-07", 1)[0] for name in ("ENF", "RAPID"))
    return Club(
        [*envelopes, dumped(old)],
        [*headers, headers[published["list:ENF"]]],
        july=published["list:ENF"],
        rapid=published["list:RAPID"],
        old=len(events),
        rows=committed_rows(made.rows.published, ledger.people(facts)),
        rapid_rows=committed_rows(rapid.rows.published, ledger.people(facts)),
        document=made.document(),
    )


def dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def good() -> Iterator[Case]:
    of = club()
    july = of.proof(of.july, of.event(of.july))
    row = of.proof(of.july, of.row(2, of.july, of.rows))
    now = int(time.time())
    yield Case("the first event", of.proof(0, of.event(0)).text())
    yield Case("the last event", of.proof(of.old, of.event(of.old)).text())
    yield Case("an event in a smaller tree", of.proof(3, of.event(3), of.page(5)).text())
    yield Case("a tree of one event", of.proof(0, of.event(0), of.page(1)).text())
    yield Case("a list", july.text())
    yield Case("a list with its file", july.text(), document=of.document)
    yield Case("a row", row.text())
    yield Case("a row with the list's file", row.text(), document=of.document)
    strangers = signed(of.page(), OTHER, LOG)
    yield Case("a signature of a stranger beside", replace(july, checkpoint=strangers).text())
    page = cosigned(of.page(), now - 40 * DAY, now - 2 * DAY, now - DAY)
    yield Case("a quorum", replace(july, checkpoint=page).text(), policy=policy(), key="")
    fresh = policy("two", "# cosigned-within: 3 days")
    yield Case("a fresh quorum", replace(july, checkpoint=page).text(), policy=fresh, key="")
    yield Case("a policy and a key", replace(july, checkpoint=page).text(), policy=policy())
    nobody = policy("none")
    yield Case("a policy without a quorum", july.text(), policy=nobody, key="")
    groups = policy("both", "group both all two")
    yield Case("a group of groups", replace(july, checkpoint=page).text(), policy=groups, key="")
    far = replace(july, checkpoint=cosigned(of.page(), 2**62)).text()
    yield Case("a cosignature of a day that no calendar has", far, policy=policy("w0"), key="")
    for name, payload in (
        ("a number that is longer than 53 bits", {"a": 2**53 + 1, "b": [-(10**30)]}),
        ("keys that look like numbers", {"10": 1, "9": {"2": 1, "11": 2}, "a": 0}),
        ("keys above the first plane", {"\uff01": 1, "\U0001f600": 2, "a": 0}),
    ):
        yield Case(name, with_payload(dumped(payload)))
    yield consistency("it grew", 5)
    yield consistency("it grew from a power of two", 8)
    yield consistency("it is the same", len(of.envelopes))


def with_payload(payload: str) -> str:
    """Returns the proof of an event that stands last in a tree and has such a payload."""
    of = club()
    event = dumped(json.loads(of.envelopes[of.old]) | {"type": "other", "payload": payload})
    leaves = [*of.leaves()[:-1], leaf_hash(event.encode())]
    page = signed(Checkpoint(ORIGIN, len(leaves), root_of(leaves)), LOG)
    extra = EventContent(event, of.headers[of.old]).extra()
    return TlogProof(of.old, tuple(inclusion_proof(leaves, of.old)), page, extra).text()


def consistency(name: str, size: int, refused: str = "", **changed: object) -> Case:
    of = club()
    proof = ConsistencyProof(size, tuple(consistency_proof(of.leaves(), size)), of.page())
    made = replace(proof, **changed)  # type: ignore[arg-type]
    return Case(name, made.text(), refused, of.page(size).note().encode())


def forged() -> Iterator[Case]:
    yield from of_signatures()
    yield from of_trees()
    yield from of_rows()
    yield from of_witnesses()
    yield from of_histories()
    yield from of_forms()
    yield from of_bytes()
    yield from of_numbers()


def of_signatures() -> Iterator[Case]:
    of = club()
    july = of.proof(of.july, of.event(of.july))
    page = july.checkpoint

    def with_page(changed: Checkpoint) -> str:
        return replace(july, checkpoint=changed).text()

    yield Case("another size", with_page(replace(page, size=page.size + 1)), "proof.signature")
    yield Case("another root", with_page(replace(page, root=bytes(32))), "proof.signature")
    yield Case("another origin", with_page(replace(page, origin="x")), "proof.signature")
    twice = replace(page, signatures=page.signatures * 2)
    yield Case("the signature twice", with_page(twice), "proof.twice")
    other = signed(page, OTHER)
    yield Case("a key of the same name", with_page(other), "proof.unsigned")
    small = Signature(SMALL.name, SMALL.key_id, FITS_ALL)
    anybody = with_page(replace(page, signatures=(small,)))
    yield Case("a key of small order", anybody, "proof.small_order", key=str(SMALL))
    eighth = Verifier("small.example", bytes.fromhex(EIGHTH))
    yield Case("a key of order eight", anybody, "proof.small_order", key=str(eighth))
    twisted = Verifier("small.example", bytes.fromhex("ee" + "ff" * 31))
    yield Case(
        "a key of small order, spelt otherwise", anybody, "proof.small_order", key=str(twisted)
    )
    named = signed(replace(page, origin="other.example"), LOG)
    yield Case(
        "the key of another log", with_page(named), "proof.origin", policy=policy("none"), key=""
    )


EIGHTH = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"


def of_trees() -> Iterator[Case]:
    of = club()
    july, count = of.proof(of.july, of.event(of.july)), len(of.envelopes)
    page = july.checkpoint
    resized = signed(replace(page, size=of.july), LOG)
    yield Case("a smaller tree", replace(july, checkpoint=resized).text(), "proof.index")
    doubled = signed(replace(page, size=2 * count + 2), LOG)
    yield Case("a larger tree", replace(july, checkpoint=doubled).text(), "proof.short")
    rooted = signed(replace(page, root=bytes(32)), LOG)
    yield Case("a root that is signed", replace(july, checkpoint=rooted).text(), "proof.root")
    placed = replace(july, index=of.july ^ 1)
    yield Case("the place of the neighbour", placed.text(), "proof.order")
    swapped = (july.path[1], july.path[0], *july.path[2:])
    yield Case("hashes in another order", replace(july, path=swapped).text(), "proof.root")
    yield Case("a path too short", replace(july, path=july.path[:-1]).text(), "proof.short")
    longer = (*july.path, bytes(32))
    yield Case("a path too long", replace(july, path=longer).text(), "proof.long")
    event = json.loads(of.envelopes[of.july])
    payload = json.loads(event["payload"]) | {"row_count": 99}
    changed = of.event(of.july)
    lie = replace(changed, envelope=dumped(event | {"payload": dumped(payload)}))
    yield Case("another event", replace(july, extra=lie.extra()).text(), "proof.root")
    spaced = replace(changed, envelope=changed.envelope.replace(",", ", ", 1))
    yield Case(
        "an event spelt otherwise", replace(july, extra=spaced.extra()).text(), "proof.canonical"
    )
    for name, payload in (
        ("a fraction", '{"a":1.5}'),
        ("a zero before a long number", '{"a":01234567890123456789}'),
        ("a long number with an exponent", '{"a":12345678901234567890e1}'),
        ("keys by their UTF-16 units", '{"\U0001f600":2,"\uff01":1}'),
        ("half a character", '{"\\ud800":1}'),
    ):
        yield Case(name, with_payload(payload), "proof.canonical")
    doubled_key = replace(changed, envelope=changed.envelope.replace("{", '{"commit":"x",', 1))
    yield Case("a key twice", replace(july, extra=doubled_key.extra()).text(), "proof.canonical")
    who = replace(changed, header=changed.header.replace("tester", "nobody"))
    yield Case("another actor", replace(july, extra=who.extra()).text(), "proof.commit")
    yield Case("another file", july.text(), "proof.document", of.document + b"\n")
    yield Case("a file for a game", of.proof(0, of.event(0)).text(), "proof.no_list", of.document)


def of_rows() -> Iterator[Case]:
    of = club()
    row = of.row(2, of.july, of.rows)

    def proof(content: RowContent, publication: int = of.july) -> str:
        return of.proof(publication, content).text()

    others = replace(of.row(0, of.rapid, of.rapid_rows), envelope=of.envelopes[of.july])
    yield Case("a row of another list", proof(others), "proof.row_root")
    better = replace(row, row=row.row.replace('"rating":1', '"rating":2'))
    yield Case("another rating", proof(better), "proof.row_root")
    yield Case("the place of another row", proof(replace(row, index=3)), "proof.row_root")
    beyond = replace(row, index=len(of.rows.ids))
    yield Case("a place beyond the list", proof(beyond), "proof.row_index")
    yield Case("a row's path too short", proof(replace(row, path=row.path[1:])), "proof.row_short")
    longer = replace(row, path=(*row.path, bytes(32)))
    yield Case("a row's path too long", proof(longer), "proof.row_long")
    swapped = replace(row, path=row.path[::-1])
    yield Case("a row's hashes in another order", proof(swapped), "proof.row_root")
    old = replace(row, envelope=of.envelopes[of.old])
    yield Case("a row of an old edition", proof(old, of.old), "proof.no_rows")
    event = json.loads(of.envelopes[of.old])
    payload = json.loads(event["payload"]) | {"rows_root": "00" * 32, "row_count": True}
    counted = dumped(event | {"payload": dumped(payload)})
    leaves = [*of.leaves()[:-1], leaf_hash(counted.encode())]
    page = signed(Checkpoint(ORIGIN, len(leaves), root_of(leaves)), LOG)
    extra = replace(row, envelope=counted).extra()
    path = tuple(inclusion_proof(leaves, of.old))
    yield Case(
        "a list of 'true' rows", TlogProof(of.old, path, page, extra).text(), "proof.no_rows"
    )
    game = replace(row, envelope=of.envelopes[0])
    yield Case("a row of a definition", proof(game, 0), "proof.no_list")


def of_witnesses() -> Iterator[Case]:
    of, now = club(), int(time.time())
    july = of.proof(of.july, of.event(of.july))

    def case(name: str, page: Checkpoint, refused: str, said: str) -> Case:
        return Case(name, replace(july, checkpoint=page).text(), refused, policy=said, key="")

    page = of.page()
    yield case("nobody cosigned", page, "proof.quorum", policy())
    yield case("one cosignature short", cosigned(page, now), "proof.quorum", policy())
    late = policy("two", "# cosigned-within: 30 days")
    yield case("a stale cosignature", cosigned(page, now, now - 31 * DAY), "proof.stale", late)
    yield case("a cosignature of tomorrow", cosigned(page, now, now + DAY), "proof.stale", late)
    once = cosigned(page, now)
    twice = replace(once, signatures=(*once.signatures, once.signatures[-1]))
    yield case("a witness twice", twice, "proof.twice", policy())
    of_other = cosigned(of.page(5), now, now)
    moved = replace(page, signatures=(*page.signatures, *of_other.signatures[1:]))
    yield case("cosignatures of another tree", moved, "proof.cosignature", policy())
    line = once.signatures[-1]
    later = replace(line, value=(now + 1).to_bytes(8, "big") + line.value[8:])
    redated = replace(once, signatures=(*page.signatures, later))
    yield case("a cosignature with another time", redated, "proof.cosignature", policy("w0"))
    small = Witness("w.example", SMALL.public)
    fits = Signature(small.name, small.key_id, now.to_bytes(8, "big") + FITS_ALL)
    anybody = replace(page, signatures=(*page.signatures, fits))
    weak = policy("weak", f"witness weak {small}")
    yield case("a witness of small order", anybody, "proof.small_order", weak)
    logs = replace(page, signatures=(*page.signatures, LOG.sign(page.text)))
    yield case("the log for its own witness", logs, "proof.twice", policy("w0"))


def of_histories() -> Iterator[Case]:
    of, count = club(), len(club().envelopes)
    yield consistency("hashes of another tree", 5, "proof.inconsistent", path=(bytes(32),) * 4)
    good_path = tuple(consistency_proof(of.leaves(), 5))
    yield consistency("a hash too many", 5, "proof.inconsistent", path=(*good_path, bytes(32)))
    yield consistency("a hash too few", 5, "proof.inconsistent", path=good_path[:-1])
    forked = signed(Checkpoint(ORIGIN, 5, bytes(32)), LOG).note().encode()
    yield replace(consistency("a forked history", 5, "proof.inconsistent"), document=forked)
    yield consistency("the proof of another size", 5, "proof.other_size", earlier=6)
    stranger = signed(replace(of.page(5), origin="other.example"), LOG).note().encode()
    yield replace(consistency("another ledger", 5, "proof.other_log"), document=stranger)
    shorter = ConsistencyProof(count, (), of.page(5))
    yield Case("it shrank", shorter.text(), "proof.shrunk", of.page().note().encode())
    unsigned = signed(of.page(5), OTHER).note().encode()
    yield replace(consistency("a page of a stranger", 5, "proof.unsigned"), document=unsigned)


def of_forms() -> Iterator[Case]:
    text = club().proof(3, club().event(3)).text()
    first, extra, *rest = text.split("\n")
    hash_ = rest[1]
    for name, changed, refused in (
        ("ends of line of Windows", text.replace("\n", "\r\n"), "proof.form"),
        ("nothing", "", "proof.form"),
        ("another version", text.replace("@v1", "@v2", 1), "proof.form"),
        ("no index", text.replace("index 3\n", "", 1), "proof.form"),
        ("a zero before the index", text.replace("index 3", "index 03", 1), "proof.form"),
        ("a sign before the index", text.replace("index 3", "index +3", 1), "proof.form"),
        ("a blank behind a hash", text.replace(hash_, f"{hash_} ", 1), "proof.form"),
        ("a hash of 31 bytes", text.replace(hash_, "A" * 41 + "=" * 3, 1), "proof.form"),
        (
            "stray bits in base64",
            text.replace(hash_, f"{hash_[:-2]}{stray(hash_[-2])}=", 1),
            "proof.form",
        ),
        ("no extra data", "\n".join([first, *rest]), "proof.form"),
        ("other extra data", "\n".join([first, "extra AAAA", *rest]), "proof.form"),
        ("extra data twice", "\n".join([first, extra, extra, *rest]), "proof.form"),
        ("no end of line at the end", text[:-1], "proof.checkpoint"),
        ("a line after the signature", f"{text}more\n", "proof.checkpoint"),
        ("no signature", text[: text.rindex("\n—")], "proof.unsigned"),
        ("a zero before the size", zeroed(text), "proof.checkpoint"),
        ("a control character", text.replace(ORIGIN, f"{ORIGIN}\x07", 1), "proof.checkpoint"),
    ):
        yield Case(name, changed, refused)


def of_bytes() -> Iterator[Case]:
    """Bytes that are not UTF-8, here as Python's lone surrogates."""
    of = club()
    proof, earlier = of.proof(3, of.event(3)), of.page(5).note().encode()
    text, extra = proof.text(), proof.extra
    for name, changed in (
        ("in the first line", text.replace("@v1", "@v1\udcff", 1)),
        ("in the origin", text.replace(f"\n{ORIGIN}", f"\n{ORIGIN}\udcff", 1)),
        ("at the end", f"{text}\udce9"),
        ("below, of a stranger's key", f"{text}— \udcc3 AAAAAAAA\n"),
    ):
        yield Case(f"a byte that is no text {name}", changed, "proof.form")
    for name, cut in (("the envelope", b"{"), ("the end", b"")):
        at = extra.index(cut) if cut else len(extra)
        spoilt = replace(proof, extra=extra[:at] + b"\xff" + extra[at:])
        yield Case(f"extra data that is no text, {name}", spoilt.text(), "proof.form")
    grew = consistency("an earlier page that is no text", 5, "proof.checkpoint")
    yield replace(grew, document=earlier.replace(b"chess", b"ch\xffss", 1))
    yield Case("longer in bytes than in letters", text + "é" * (1 << 19), "proof.too_long")


def of_numbers() -> Iterator[Case]:
    """The greatest number is 2^53 - 1: more some languages cannot count."""
    of, most = club(), 2**53 - 1
    proof, row = of.proof(3, of.event(3)), of.row(2, of.july, of.rows)

    def at(index: int) -> str:
        return proof.text().replace("\nindex 3\n", f"\nindex {index}\n", 1)

    def sized(size: int) -> str:
        return replace(proof, checkpoint=signed(replace(of.page(), size=size), LOG)).text()

    yield Case("the greatest index", at(most), "proof.index")
    yield Case("an index beyond", at(most + 1), "proof.form")
    yield Case("an index of 19 digits", at(10**18), "proof.form")
    yield Case("the greatest size", sized(most), "proof.short")
    yield Case("a size beyond", sized(most + 1), "proof.checkpoint")
    yield Case("a size of many digits", sized(10**4000), "proof.checkpoint")
    far = of.proof(of.july, replace(row, index=most + 1)).text()
    yield Case("a row's place beyond", far, "proof.form")
    grew = consistency("it grew from beyond", 5, "proof.form")
    yield replace(grew, proof=grew.proof.replace("old 5", f"old {most + 1}", 1))
    for name, count, refused in (("beyond", most + 1, "no_rows"), ("most", most, "row_short")):
        event = json.loads(of.envelopes[of.old])
        payload = json.loads(event["payload"]) | {"rows_root": "00" * 32, "row_count": count}
        counted = dumped(event | {"payload": dumped(payload)})
        leaves = [*of.leaves()[:-1], leaf_hash(counted.encode())]
        page = signed(Checkpoint(ORIGIN, len(leaves), root_of(leaves)), LOG)
        made = TlogProof(of.old, tuple(inclusion_proof(leaves, of.old)), page)
        made = replace(made, extra=replace(row, envelope=counted).extra())
        yield Case(f"a list of many rows, {name}", made.text(), f"proof.{refused}")


def stray(last: str) -> str:
    """Returns another last sign of base64 for the same bytes."""
    signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return signs[signs.index(last) ^ 1]


def zeroed(text: str) -> str:
    size = f"\n{len(club().envelopes)}\n"
    return text.replace(size, f"\n0{size[1:]}", 1)


CASES = [*good(), *forged()]
