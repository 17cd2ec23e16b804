"""A small witness, made of the texts of tlog-witness and tlog-cosignature alone.

It shares no code with the program: the notes are cut, the keys and the proofs checked here.
"""

from __future__ import annotations

import base64
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

SIZE_TYPE = "text/x.tlog.size"
Answer = tuple[int, str, bytes]
"""Status, type and body."""


def node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def roots(proof: list[bytes], old: int, low: int, high: int, old_root: bytes) -> tuple[bytes, ...]:
    """Returns the old and the new root that a proof leads to (RFC 6962, 2.1.2, read backwards)."""
    if old == high:
        if low == 0:
            return old_root, old_root
        last = proof.pop()
        return last, last
    split = 1
    while split * 2 < high - low:
        split *= 2
    last = proof.pop()
    if old <= low + split:
        before, after = roots(proof, old, low, low + split, old_root)
        return before, node(after, last)
    before, after = roots(proof, old, low + split, high, old_root)
    return node(last, before), node(last, after)


class HonestWitness:
    """Cosigns what continues the checkpoint that it saw last.

    Attributes:
        seen: size and root by origin.
        clock: returns the time of a cosignature, in seconds since 1970.
        before: is called with each request; an answer of it goes out instead of the witness's.
        requests: the bodies that came.
    """

    def __init__(self, name: str, logs: dict[str, str], seed: bytes = b"w" * 32) -> None:
        self.name = name
        self.clock: Callable[[], int] = lambda: int(time.time())
        self.before: Callable[[str], Answer | None] = lambda _: None
        self.seen: dict[str, tuple[int, bytes]] = {}
        self.requests: list[str] = []
        self.secret = Ed25519PrivateKey.from_private_bytes(seed)
        self._logs = {origin: self._log(key) for origin, key in logs.items()}
        self._lock = threading.Lock()

    @staticmethod
    def _log(key: str) -> tuple[bytes, Ed25519PublicKey]:
        _, hash_, coded = key.split("+", 2)
        return bytes.fromhex(hash_), Ed25519PublicKey.from_public_bytes(base64.b64decode(coded)[1:])

    @property
    def _kind_and_key(self) -> bytes:
        return b"\x04" + self.secret.public_key().public_bytes_raw()

    @property
    def key_id(self) -> bytes:
        return sha256(self.name.encode() + b"\n" + self._kind_and_key).digest()[:4]

    @property
    def key(self) -> str:
        coded = base64.b64encode(self._kind_and_key).decode()
        return f"{self.name}+{self.key_id.hex()}+{coded}"

    def answer(self, body: str) -> Answer:
        self.requests.append(body)
        with self._lock:
            return self.before(body) or self._answer(body)

    def _answer(self, body: str) -> Answer:
        proof, _, note = body.partition("\n\n")
        text, _, signatures = note.partition("\n\n")
        first, *lines = proof.split("\n")
        origin, size_, root_ = text.split("\n")[:3]
        old, size, root = int(first.removeprefix("old ")), int(size_), base64.b64decode(root_)
        if origin not in self._logs:
            return 404, "text/plain", b"who is that?"
        if not self._is_signed(origin, text + "\n", signatures):
            return 403, "text/plain", b"no"
        if old > size:
            return 400, "text/plain", b"old is larger"
        known, known_root = self.seen.get(origin, (0, b""))
        if old != known or (old == size and known_root != root):
            return 409, SIZE_TYPE, f"{known}\n".encode()
        if old != size and not self._continues(lines, old, size, known_root, root):
            return 422, "text/plain", b"history"
        self.seen[origin] = size, root
        return 200, "text/plain", self.cosignature(text + "\n").encode()

    def _is_signed(self, origin: str, text: str, signatures: str) -> bool:
        key_id, key = self._logs[origin]
        for line in signatures.splitlines():
            _, name, coded = line.split(" ")
            raw = base64.b64decode(coded)
            if (name, raw[:4]) == (origin, key_id):
                try:
                    key.verify(raw[4:], text.encode())
                except InvalidSignature:
                    return False
                return True
        return False

    @staticmethod
    def _continues(lines: list[str], old: int, size: int, old_root: bytes, root: bytes) -> bool:
        proof = [base64.b64decode(line) for line in lines]
        if old == 0:
            return not proof
        try:
            found = roots(proof, old, 0, size, old_root)
        except IndexError:
            return False
        return not proof and found == (old_root, root)

    def cosignature(self, text: str, name: str | None = None) -> str:
        now = self.clock()
        signature = self.secret.sign(f"cosignature/v1\ntime {now}\n{text}".encode())
        raw = self.key_id + now.to_bytes(8, "big") + signature
        return f"— {name or self.name} {base64.b64encode(raw).decode()}\n"


@contextmanager
def listening(witness: HonestWitness) -> Iterator[str]:
    """Lets a witness answer on a port of this machine; gives its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            known = self.path == "/w/add-checkpoint"
            status, type_, data = witness.answer(body) if known else (404, "text/plain", b"path")
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", type_)
            self.send_header("Content-Type", type_)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/w"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
