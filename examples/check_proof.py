"""Checks a proof of a rating ledger, knowing nothing of the ledger's own program.

``python3 check_proof.py PROOF [FILE] --key KEY [--policy FILE]``

It needs Python's standard library and, for the signatures, the package ``cryptography``. It ends
with 0 and says what was proved, or with 3 and names what is wrong: the same word as the program
(``proof.root``) and as the page in the browser. It ends with 2 where a file cannot be read. Every
step is described in docs/proofs.md.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

P = 2**255 - 19
Y8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
SMALL_ORDER = {0, 1, P - 1, Y8, P - Y8}  # y of the points of small order
DAY, HOUR = 86_400, 3_600
MOST, MOST_OF_POLICY, MOST_GROUPS = 1 << 20, 1 << 16, 200
MOST_EVENTS = (1 << 53) - 1


Key = tuple[str, bytes, bytes]


class Refused(Exception):
    """What is wrong, by its word."""


class Page(NamedTuple):
    """A checkpoint; each signature with the name and id of its key; ``text`` is what is signed."""

    origin: str
    size: int
    root: bytes
    signatures: list[tuple[str, bytes, bytes]]
    text: str


class Policy(NamedTuple):
    """Whose signatures count; ``is_named``: a log's key is called as the log."""

    logs: list[Key]
    witnesses: dict[str, Key]
    groups: dict[str, tuple[int, list[str]]]
    quorum: str
    within: int | None
    is_named: bool


def sha256(data: bytes) -> bytes:
    """Returns SHA-256."""
    return hashlib.sha256(data).digest()


def need(condition: object, word: str) -> None:
    """Raises ``Refused`` unless something holds."""
    if not condition:
        raise Refused(word)


# Lines


def utf8(data: bytes, word: str) -> str:
    """Returns a text."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Refused(word) from None


def unbase64(text: str, word: str) -> bytes:
    """Reads base64 in its one spelling."""
    try:
        raw = base64.b64decode(text, validate=True)
    except ValueError:
        raise Refused(word) from None
    need(base64.b64encode(raw).decode() == text, word)
    return raw


def number(text: str, word: str) -> int:
    """Reads a decimal number in its one spelling."""
    need(re.fullmatch("0|[1-9][0-9]{0,15}", text) and int(text) <= MOST_EVENTS, word)
    return int(text)


def hashes(lines: list[str]) -> list[bytes]:
    """Reads hashes, one on each line."""
    found = [unbase64(line, "proof.form") for line in lines]
    need(all(len(each) == 32 for each in found), "proof.form")
    return found


def key(text: str, kind: int) -> Key:
    """Reads name+id+base64 of a byte for the kind and 32 bytes; returns name, id and key."""
    name, _, rest = text.partition("+")
    id_, _, coded = rest.partition("+")
    raw = unbase64(coded, "key")
    need(is_name(name) and len(raw) == 33 and raw[0] == kind, "key")
    need(sha256(name.encode() + b"\n" + raw)[:4].hex() == id_, "key")
    y = int.from_bytes(raw[1:], "little") & (1 << 255) - 1
    need(y % P not in SMALL_ORDER, "proof.small_order")
    return name, bytes.fromhex(id_), raw[1:]


def is_name(text: str) -> bool:
    """Whether a key can be called so."""
    return bool(text) and "+" not in text and not any(sign.isspace() for sign in text)


def canonical(text: str, **keys: type) -> dict[str, Any]:
    """Reads a JSON object that is written as RFC 8785 writes it; some keys have to be there."""
    try:
        found = json.loads(text, parse_float=lambda _: 1 / 0, parse_constant=lambda _: 1 / 0)
        again = json.dumps(found, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    except (ValueError, ArithmeticError, RecursionError):
        raise Refused("proof.canonical") from None
    if not isinstance(found, dict) or again != text:
        raise Refused("proof.canonical")
    need(all(type(found.get(name)) is kind for name, kind in keys.items()), "proof.canonical")
    return found


# Checkpoints


def checkpoint(page: str) -> Page:
    """Reads a signed checkpoint: origin, size, root, signature lines, and the text signed."""
    text, _, below = page.partition("\n\n")
    lines = text.removesuffix("\n").split("\n")
    word = "proof.checkpoint"
    need(page.endswith("\n") and len(lines) >= 3 and all(lines[3:]) and lines[0].strip(), word)
    need(not any(sign < " " and sign != "\n" for sign in page), word)
    size, root = number(lines[1], word), unbase64(lines[2], word)
    need(len(root) == 32, word)
    if not below:  # three lines and no signature at all
        need(page == text, word)
        return Page(lines[0], size, root, [], text)
    signatures = []
    for line in below.removesuffix("\n").split("\n"):
        name, _, coded = line.removeprefix("— ").partition(" ")
        raw = unbase64(coded, word)
        need(line.startswith("— ") and is_name(name) and len(raw) > 4, word)
        signatures.append((name, raw[:4], raw[4:]))
    return Page(lines[0], size, root, signatures, text + "\n")


def line_of(page: Page, name: str, id_: bytes) -> bytes | None:
    """Returns the signature of a key, which has at most one."""
    found = [value for *of, value in page.signatures if of == [name, id_]]
    need(len(found) < 2, "proof.twice")
    return found[0] if found else None


def is_signed(public: bytes, signature: bytes, message: str) -> bool:
    """Whether a signature is one of Ed25519 (RFC 8032)."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message.encode())
    except InvalidSignature:
        return False
    return True


def signed_by_log(page: Page, policy: Policy) -> str:
    """Returns the name of the log that has signed."""
    found = ""
    for name, id_, public in policy.logs:
        signature = line_of(page, name, id_)
        if signature is not None:
            need(is_signed(public, signature, page.text), "proof.signature")
            need(not policy.is_named or name == page.origin, "proof.origin")
            found = name
    need(found, "proof.unsigned")
    return found


def check_signatures(page: Page, policy: Policy, now: int) -> tuple[str, list[str]]:
    """Returns who has signed, and which witnesses have cosigned."""
    log = signed_by_log(page, policy)
    within, cosigned, is_stale = policy.within, set[str](), False
    for witness, (name, id_, public) in policy.witnesses.items():
        line = line_of(page, name, id_)
        if line is None:
            continue
        at = int.from_bytes(line[:8], "big")
        message = f"cosignature/v1\ntime {at}\n{page.text}"
        need(at < 1 << 63 and is_signed(public, line[8:], message), "proof.cosignature")
        if within is None or -HOUR <= now - at <= within:
            cosigned.add(witness)
        else:
            is_stale = True

    def holds(name: str) -> bool:
        if name not in policy.groups:
            return name in cosigned
        least, members = policy.groups[name]
        return sum(map(holds, members)) >= least

    quorum = policy.quorum
    need(quorum == "none" or holds(quorum), "proof.stale" if is_stale else "proof.quorum")
    return log, sorted(cosigned)


def read_policy(text: str) -> Policy:
    """Reads c2sp.org/tlog-policy, and our own line for how old a cosignature may be."""
    logs: list[Key] = []
    witnesses: dict[str, Key] = {}
    groups: dict[str, tuple[int, list[str]]] = {}
    quorum, within = "", None
    names, members, keys = {"none"}, set[str](), set[tuple[str, bytes]]()
    need(len(text) <= MOST_OF_POLICY, "policy")
    need(not re.search("[\x00-\x08\x0b-\x1f\x7f]", text), "policy")
    for line in (each.strip(" \t") for each in text.split("\n")):
        words = re.split("[ \t]+", line)
        if line.startswith("#") and "cosigned-within" in line:
            found = re.fullmatch("#[ \t]*cosigned-within:[ \t]*([1-9][0-9]{0,5}) days?", line)
            if found is None or within is not None:
                raise Refused("policy")
            within = int(found[1]) * DAY
        elif not line or line.startswith("#"):
            pass
        elif words[0] == "log" and len(words) in {2, 3}:
            logs.append(key(words[1], 1))
            need(("log", logs[-1][2]) not in keys, "policy")
            keys.add(("log", logs[-1][2]))
        elif words[0] == "witness" and len(words) in {3, 4}:
            witnesses[words[1]] = key(words[2], 4)
            need(words[1] not in names and ("w", witnesses[words[1]][2]) not in keys, "policy")
            names.add(words[1])
            keys.add(("w", witnesses[words[1]][2]))
        elif words[0] == "group" and len(words) > 3:
            its = words[3:]
            need(words[1] not in names and len(set(its)) == len(its), "policy")
            need(set(its) <= names - {"none"} and not members & set(its), "policy")
            known = {"any": 1, "all": len(its)} | {str(n): n for n in range(1, len(its) + 1)}
            need(words[2] in known and len(groups) < MOST_GROUPS, "policy")
            groups[words[1]] = known[words[2]], its
            names.add(words[1])
            members |= set(its)
        else:
            need(words[0] == "quorum" and len(words) == 2 and not quorum, "policy")
            need(words[1] in names, "policy")
            quorum = words[1]
    need(quorum, "policy")
    return Policy(logs, witnesses, groups, quorum, within, is_named=True)


# Trees (RFC 9162, 2.1.3.2 and 2.1.4.2)


def node(left: bytes, right: bytes) -> bytes:
    """Returns the hash of an inner node."""
    return sha256(b"\x01" + left + right)


def check_length(index: int, size: int, path: list[bytes], words: tuple[str, str, str]) -> None:
    """Holds a path's length against the height of its leaf; the words are of what is wrong."""
    beyond, short, long = words
    need(index < size, beyond)
    shared = (index ^ (size - 1)).bit_length()
    length = shared + (index >> shared).bit_count()
    need(len(path) >= length, short)
    need(len(path) <= length, long)


def leads_to(root: bytes, data: bytes, index: int, size: int, path: list[bytes]) -> bool:
    """Whether a leaf leads to a root (RFC 9162, 2.1.3.2)."""
    at, last, found = index, size - 1, sha256(b"\x00" + data)
    for step in path:
        if at & 1 or at == last:
            found = node(step, found)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found = node(found, step)
        at, last = at >> 1, last >> 1
    return found == root


def is_consistent(old_root: bytes, old: int, root: bytes, size: int, path: list[bytes]) -> bool:
    """Whether a tree continues an earlier one (RFC 9162, 2.1.4.2)."""
    if old in {0, size}:
        return not path and (old == 0 or old_root == root)
    path = [old_root, *path] if old & (old - 1) == 0 else list(path)
    at, last = old - 1, size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    if not path:
        return False
    before = after = path[0]
    for step in path[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            before, after = node(step, before), node(step, after)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            after = node(after, step)
        at, last = at >> 1, last >> 1
    return last == 0 and before == old_root and after == root


# Proofs


def check(data: bytes, policy: Policy, document: bytes | None, now: int) -> str:
    """Returns what was proved, in a sentence; raises ``Refused``."""
    need(len(data) <= MOST, "proof.too_long")
    head, _, below = utf8(data, "proof.form").partition("\n\n")
    lines = head.split("\n")
    if lines[0].startswith("old "):
        return check_growth(lines, below, policy, document, now)
    need(lines[0] == "c2sp.org/tlog-proof@v1", "proof.form")
    extra, lines = b"", lines[1:]
    if lines and lines[0].startswith("extra "):
        extra = unbase64(lines.pop(0).removeprefix("extra "), "proof.form")
        need(extra, "proof.form")
    need(lines and lines[0].startswith("index "), "proof.form")
    index = number(lines[0].removeprefix("index "), "proof.form")
    path, page = hashes(lines[1:]), checkpoint(below)
    log, cosigned = check_signatures(page, policy, now)

    kind, *about = utf8(extra, "proof.form").split("\n")
    is_row = kind == "rating-ledger/row@v1" and len(about) > 3 and about[2].startswith("index ")
    is_event = kind == "rating-ledger/event@v1" and len(about) == 3
    need((is_row or is_event) and about[-1] == "", "proof.form")
    if is_row:
        place = number(about[2].removeprefix("index "), "proof.form")
        row_path = hashes(about[3:-1])
    size, root = page.size, page.root
    check_length(index, size, path, ("proof.index", "proof.short", "proof.long"))
    event = canonical(
        about[0], commit=str, effective_on=str, event_id=str, payload=str, seq=int, stream=str,
        type=str, version=int,
    )  # fmt: skip
    need(len(event) == 8, "proof.canonical")
    payload = canonical(event["payload"])
    need(event["seq"] == index + 1, "proof.order")
    need(leads_to(root, about[0].encode(), index, size, path), "proof.root")
    if is_event:
        need(sha256(about[1].encode()).hex() == event["commit"], "proof.commit")
        canonical(about[1], actor=str, reason=str, recorded_at=str)
        said = f"event {event['seq']} ({event['type']}) is in the ledger"
    else:
        row = check_row(about[1], place, row_path, event, payload)
        said = f"{payload['list']} {payload['period']}: player {row['id']} has {row['rating']}"
    if document is not None:
        need(event["type"] == "list.published", "proof.no_list")
        need(sha256(document).hex() == payload.get("output_sha256"), "proof.document")
        said += "; the file is the published list"
    return f"{said}; signed by {log}, cosigned by {', '.join(cosigned) or 'nobody'}"


def check_row(
    text: str, place: int, path: list[bytes], event: dict[str, Any], payload: dict[str, Any]
) -> dict[str, Any]:
    """Returns a row that leads to the root its list was published with."""
    need(event["type"] == "list.published", "proof.no_list")
    root, count = payload.get("rows_root", ""), payload.get("row_count", "")
    is_hash = isinstance(root, str) and re.fullmatch("[0-9a-f]{64}", root)
    need(is_hash and type(count) is int and count <= MOST_EVENTS, "proof.no_rows")
    check_length(place, count, path, ("proof.row_index", "proof.row_short", "proof.row_long"))
    need(leads_to(bytes.fromhex(root), text.encode(), place, count, path), "proof.row_root")
    return canonical(text, games=int, id=str, identity=str, k=int, rating=int)


def check_growth(
    lines: list[str], below: str, policy: Policy, document: bytes | None, now: int
) -> str:
    """Returns in a sentence that the ledger only grew."""
    old, path = number(lines[0].removeprefix("old "), "proof.form"), hashes(lines[1:])
    page = checkpoint(below)
    check_signatures(page, policy, now)
    if document is None:
        raise Refused("proof.needs_earlier")
    earlier = checkpoint(utf8(document, "proof.checkpoint"))
    signed_by_log(earlier, policy)
    need(earlier.origin == page.origin, "proof.other_log")
    need(earlier.size == old, "proof.other_size")
    need(old <= page.size, "proof.shrunk")
    need(is_consistent(earlier.root, old, page.root, page.size, path), "proof.inconsistent")
    return f"the first {old} of {page.size} events are those of the earlier checkpoint"


def main() -> None:
    """Reads the command line and the files."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("proof", type=Path)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--key", help="the log's public key, or the file that has it")
    parser.add_argument("--policy", type=Path, help="a C2SP tlog-policy")
    given = parser.parse_args()
    if not given.key and not given.policy:
        parser.error("who must have signed? --key or --policy")
    try:
        policy = Policy([], {}, {}, "none", None, is_named=False)
        if given.policy:
            policy = read_policy(utf8(given.policy.read_bytes(), "policy"))
        if given.key:
            text = given.key if "+" in given.key else Path(given.key).read_text().strip()
            policy = policy._replace(logs=[key(text, 1)], is_named=False)
        document = given.file.read_bytes() if given.file else None
        print(check(given.proof.read_bytes(), policy, document, int(time.time())))
    except Refused as why:
        print(f"refused: {why}", file=sys.stderr)
        sys.exit(3)
    except (OSError, UnicodeDecodeError) as why:
        parser.error(str(why))


if __name__ == "__main__":
    main()
