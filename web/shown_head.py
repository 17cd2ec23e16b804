"""The last head of its ledger that a site has shown, which a restore does not take back.

A head below it, or another root at it, is another history than readers were shown: an older state
was put in the ledger's place, or another ledger. It is remembered in the cache folder, which no
backup keeps, and so also after a restart; whoever did it on purpose throws the file away.
"""

from __future__ import annotations

import hashlib
import json
import logging
from contextlib import suppress
from pathlib import Path
from typing import Final

from filelock import FileLock

from ledger.journal.interface import Journal
from ledger.journal.records import Head

_FOLDER: Final = "shown"
_LOCK: Final = "shown.lock"
_PATIENCE: Final = 1.0  # seconds for another worker that writes
_log = logging.getLogger("rating_ledger.web")


class ShownHead:
    """The seq and the root of the last state that was shown.

    Args:
        journal: what is shown. One that no other process can open is remembered here alone.
        cache: the folder of what can be made again.
    """

    def __init__(self, journal: Journal, cache: Path) -> None:
        self._journal = journal
        self._file = _file_of(journal.elsewhere(), cache)
        self._shown = _read(self._file)
        self._logged: str | None = None

    def take(self, head: Head) -> bool:
        """Takes a head that is shown from now on; False: it does not go on from the last one."""
        if self.fault(head) is not None:
            return False
        if head.seq > (self._shown[0] if self._shown is not None else 0):
            self._shown = head.seq, head.root
            self._keep(head)
        return True

    def fault(self, head: Head | None = None) -> str | None:
        """Says what is wrong with the history up to a head (default: the newest); None: nothing.

        It is logged when it is found.

        Raises:
            DatabaseError: the journal cannot be read.
        """
        found = self._found(head or self._journal.head())
        if found is not None and found != self._logged:
            seq, root = self._shown or (0, "")
            at = "" if self._file is None else f"delete {self._file} and "
            _log.error(
                "%s (seq %s, root %s). If it was put there on purpose, stop the site, %sstart it "
                "again; else put the newest backup in its place", found, seq, root, at,
            )  # fmt: skip
        self._logged = found
        return found

    def _found(self, head: Head) -> str | None:
        if self._shown is None:
            return None
        seq, root = self._shown
        if head.seq < seq:  # the state before a long commit may be shown for a while
            head = self._journal.head()
        if head.seq < seq:
            return "the ledger ends before what was shown already"
        root_ = head.root if head.seq == seq else self._journal.root_at(seq)
        return None if root_ == root else "the ledger has another history than was shown already"

    def _keep(self, head: Head) -> None:
        """Writes it down, unless another worker has shown more; what fails, this one remembers."""
        if self._file is None:
            return
        folder = self._file.parent
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with FileLock(folder.with_name(_LOCK), timeout=_PATIENCE):
                kept = _read(self._file)
                if kept is None or kept[0] < head.seq:
                    _write(self._file, json.dumps([head.seq, head.root]))


def _file_of(url: str | None, cache: Path) -> Path | None:
    if url is None:
        return None
    return cache / _FOLDER / f"{hashlib.sha256(url.encode()).hexdigest()[:16]}.json"


def _write(file: Path, text: str) -> None:
    """Writes a file whole; raises ``OSError``, and leaves what was there."""
    part = file.with_suffix(".part")
    try:
        part.write_text(text, "utf-8")
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def _read(file: Path | None) -> tuple[int, str] | None:
    """Returns what was written down; None where nothing was, or cannot be read."""
    if file is None:
        return None
    try:
        seq, root = json.loads(file.read_text("utf-8"))
        return int(seq), str(root)
    except (OSError, ValueError, TypeError):
        return None
