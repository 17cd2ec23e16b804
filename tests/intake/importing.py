"""A process that imports a file: it dies on the way, or says how much memory it took.

``python -m tests.intake.importing URL FILE`` prints the most that it held, in kilobytes, and
the key of the refusal where the file was refused.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

from ledger.errors import Conflict, InputRefused
from ledger.intake.imports import Document, import_document
from ledger.journal.stores.database import open_journal
from ledger.service.ledger import Ledger, Request
from tests.forked import forked
from tests.ledgers import NOW

STEPS = ("import", "hash", "append")


def import_until(url: str, file: Path, last: str | None = None) -> None:
    """Imports a file, and dies at the first word of the step ``last``."""

    def tell(what: str, _done: int, _total: int | None) -> None:
        if what == last:
            os.kill(os.getpid(), signal.SIGKILL)

    ledger = Ledger(open_journal(url), lambda: NOW, tell)
    with file.open("rb") as data:
        import_document(ledger, Document(name="g.csv", data=data), Request("t", "", "", ""))


def kill_imports(url: str, file: Path) -> None:
    """Lets a process die at each step of an import, one after the other."""
    for step in STEPS:
        process = forked(import_until, url, file, step)
        process.join()
        assert process.exitcode == -signal.SIGKILL, f"{step}: it ended with {process.exitcode}"
        process.close()


def peak_of_import(url: str, file: Path) -> int:
    """Imports a file in a process of its own; returns the most memory it held, in kilobytes."""
    peak, refusal = peak_and_refusal(url, file)
    assert refusal is None, refusal
    return peak


def peak_and_refusal(url: str, file: Path) -> tuple[int, str | None]:
    """Returns the same, and the key of the refusal where the file is refused."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.intake.importing", url, str(file)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    peak, *refusal = done.stdout.split()
    return int(peak), refusal[0] if refusal else None


def main() -> None:
    _, url, file = sys.argv
    refusal = ""
    try:
        import_until(url, Path(file))
    except (InputRefused, Conflict) as error:
        refusal = error.message.key
    sys.stdout.write(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss} {refusal}\n")


if __name__ == "__main__":
    main()
