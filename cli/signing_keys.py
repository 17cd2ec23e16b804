"""Keys and signed pages that are given on the command line: their text, or the file that has it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cli.files import not_read, reading
from ledger.errors import InputRefused

if TYPE_CHECKING:
    from ledger.journal.checkpoint import Checkpoint
    from ledger.proofs.policy import Policy

_KEY_PARTS = "+"  # stands between the parts of every key


def key_text(text: str) -> str:
    """Returns a key that was said, or read from the file that was said.

    Raises:
        InputRefused: it is a file that cannot be read, or neither a file nor like a key.
    """
    try:
        return Path(text).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        if isinstance(error, OSError) and _KEY_PARTS in text:
            return text.strip()
        raise not_read(text, error) from error


def signed_page_of(file: Path) -> Checkpoint:
    """Reads a signed checkpoint.

    Raises:
        InputRefused: the file cannot be read.
        VerificationFailed: it is no checkpoint, or not signed.
    """
    from ledger.proofs.lines import signed_page

    return signed_page(text_of(file))


def text_of(file: Path) -> str:
    """Reads a file that is at most as long as a proof; of a longer one a little more than that."""
    from ledger.proofs.lines import MOST_BYTES, as_read

    return as_read(bytes_of(file, MOST_BYTES))


def bytes_of(file: Path, most: int) -> bytes:
    """Reads a file; of one that is longer than any right one, a little more than that."""
    with reading(str(file)) as data:
        return data.read(most + 1)


def policy_of(key: str | None, file: Path | None) -> Policy:
    """Returns whose signatures count; a key names the log whatever the policy says of logs.

    Raises:
        InputRefused: neither is said, or one is no key, or no policy.
        VerificationFailed: with one of the keys anybody can sign.
    """
    from ledger.journal.checkpoint import Verifier
    from ledger.proofs.policy import Policy, parse_policy

    if key is None and file is None:
        raise InputRefused("proof.needs_key")
    policy = Policy(()) if file is None else parse_policy(text_of(file))
    return policy if key is None else policy.with_log(Verifier.parse(key_text(key)))
