"""Vouchers: what this user's program has itself made of events that it had checked.

Segments and snapshots are kept in the database, where whoever may write to it can write anything.
So their digests alone prove nothing. When this program has made one of checked events, it keeps
its digest in a folder of the user's own, outside of every database; only what has a voucher there
is ever used. A voucher is a small file, named by the digest, which may hold a note.

The folder is ``$RATING_LEDGER_STATE``, else ``rating-ledger`` in the user's folder for state
(``$XDG_STATE_HOME``, ``~/.local/state``). One that somebody else owns or can write to is not used:
then nothing has a voucher, and everything is made anew, with the same results.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from ledger.disk import whole_file

MOST = 5_000
"""So many vouchers are kept; of more, the fifth that was used least recently is thrown away."""
_PRUNED_AT = "00"
"""How every 256th digest begins: whoever keeps its voucher looks how many there are."""
_LONGEST = 1 << 20
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH


class Vouchers(Protocol):
    """A record of digests, each with a note."""

    def note(self, digest: str) -> str | None:
        """Returns the note kept under a digest (hexadecimal); None, if there is no voucher."""

    def keep(self, digest: str, note: str = "") -> None:
        """Keeps a voucher, if that can be done."""


class VouchersInMemory:
    """Vouchers of this process alone."""

    def __init__(self) -> None:
        self._notes: dict[str, str] = {}

    def note(self, digest: str) -> str | None:
        """The note kept under a digest."""
        return self._notes.get(digest)

    def keep(self, digest: str, note: str = "") -> None:
        """Keeps a voucher."""
        self._notes[digest] = note


class VouchersInFolder:
    """Vouchers of one user of this machine; the folder is made when the first one is kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def note(self, digest: str) -> str | None:
        """The note kept under a digest."""
        path = self._folder / digest
        try:
            if trouble_with(self._folder) is not None:
                return None
            with path.open("rb") as file:
                note = file.read(_LONGEST).decode()
        except (OSError, ValueError):
            return None
        with suppress(OSError):
            os.utime(path)
        return note

    def keep(self, digest: str, note: str = "") -> None:
        """Keeps a voucher; a folder that cannot be written to stays as it is."""
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if trouble_with(self._folder) is not None:
                return
            if digest.startswith(_PRUNED_AT):
                self._prune()
            with whole_file(self._folder / digest, mode=0o600, synced=False) as file:
                file.write(note.encode())

    def _prune(self) -> None:
        """Throws the oldest away, where there are too many."""
        found: list[tuple[float, str]] = []
        with os.scandir(self._folder) as entries:
            for entry in entries:
                with suppress(OSError):  # somebody else has thrown it away
                    found.append((entry.stat().st_mtime, entry.path))
        if len(found) > MOST:
            for _, path in sorted(found)[: len(found) - MOST * 4 // 5]:
                with suppress(OSError):
                    Path(path).unlink()


def folder_of_user() -> Path | None:
    """Returns where this user's vouchers are; None for a user without a folder."""
    named = os.environ.get("RATING_LEDGER_STATE")
    if named:
        return Path(named) / "vouchers"
    state = os.environ.get("XDG_STATE_HOME")
    if state and Path(state).is_absolute():
        return Path(state) / "rating-ledger" / "vouchers"
    try:
        home = Path.home()
    except RuntimeError:
        return None
    return home / ".local" / "state" / "rating-ledger" / "vouchers"


def vouchers_of_user() -> Vouchers:
    """Returns this user's vouchers; those of this process alone where there is no folder."""
    folder = folder_of_user()
    return VouchersInMemory() if folder is None else VouchersInFolder(folder)


def trouble_with(folder: Path) -> str | None:
    """Returns why the vouchers in a folder are not believed; None, if they are.

    Raises:
        OSError: there is no such folder.
    """
    if os.name == "nt":  # a user's folder is the user's own there, and modes say nothing
        return None
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return "no folder"
    if found.st_uid != os.geteuid():
        return "another owner"
    return "others may write" if found.st_mode & _OTHERS_MAY_WRITE else None
